/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_STORAGE_REMAP_H
#define LAYOUT_ALGEBRA_STORAGE_REMAP_H

#include "algebra/storage/conversion.h"
#include <layout/remap.h>

struct remap_map;

struct layout_remap {
	layout_context *ctx;
	layout_storage *source, *destination;
	struct remap_map *map;	/* NULL: elements keep their index */
	struct conversion conversion;
	char *scale;		/* as given; NULL: not */
	uint64_t pad_bits;
	char *pad;		/* as given; NULL: not */
	unsigned name_count;
	const char **names;	/* borrowed from the storages and the map */
	unsigned assumption_count;
	char **assumptions;	/* conditions as given */
};

#endif
