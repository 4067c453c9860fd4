/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_STORAGE_REMAP_H
#define LAYOUT_ALGEBRA_STORAGE_REMAP_H

#include "algebra/storage/element.h"
#include <layout/remap.h>

struct layout_remap {
	layout_context *ctx;
	layout_storage *source, *destination;
	const struct element_type *type;
	uint64_t pad_bits;
	char *pad;		/* as given; NULL: not */
	unsigned name_count;
	const char **names;	/* borrowed from the storages */
	unsigned assumption_count;
	char **assumptions;	/* conditions as given */
};

#endif
