/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fuzz targets: each is a row of targets.c and a program, fuzz_NAME, which libFuzzer or
 * driver.c runs. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target {
	const char *name;
	void (*try)(const uint8_t *data, size_t size);	/* aborts where a promise is broken */
	const char *begins[6];	/* how the seeds do that are for it; none: all of them */
};

/* The row of this name, or NULL. */
const struct target *target_find(const char *name);

/* Is the text a seed of the target? */
bool target_takes(const struct target *target, const char *text);

/* The name of the target that the program is, in name.c. */
extern const char fuzz_target[];

/* What libFuzzer calls, and driver.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
