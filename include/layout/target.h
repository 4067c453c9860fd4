/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The targets that kernels can be made for. */
#ifndef LAYOUT_TARGET_H
#define LAYOUT_TARGET_H

#include <layout/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A row of facts about a target.  "name" is what users write: "gfx942",
 * "gfx1100", "gfx1100:wave64", "host". */
typedef struct {
	const char *name;
	const char *processor;		/* LLVM's name for it */
	unsigned wave_size;		/* lanes; 1 for the host */
	bool default_wave;		/* the wave size meant by the bare name */
	unsigned lds_bytes;		/* for one workgroup */
	unsigned lds_banks;		/* of 4 bytes */
	unsigned max_load_bytes;	/* of one lane's widest load */
	unsigned lds_load_bytes[5];	/* that a lane's loads put into the LDS directly,
					   0-terminated */
} layout_target;

/* The rows in order; NULL past the last. */
LAYOUT_API const layout_target *layout_target_at(unsigned i);

/* The row of that name; NULL with LAYOUT_ERROR_UNSUPPORTED. */
LAYOUT_API const layout_target *layout_target_find(LAYOUT_KEEP layout_context *ctx,
	const char *name);

#ifdef __cplusplus
}
#endif

#endif
