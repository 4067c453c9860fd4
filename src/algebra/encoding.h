/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_ENCODING_H
#define LAYOUT_ALGEBRA_ENCODING_H

#include "isl_bridge/context.h"
#include <layout/encoding.h>

/* Owned copies of what the description pointed to.  outer_dims_perm, group_sizes
 * (and with it dims, permutation) stay NULL where they were not given. */
struct layout_encoding {
	layout_context *ctx;
	unsigned inner_count, outer_count, dim_count;
	int64_t *inner_dims_pos, *inner_tiles, *outer_dims_perm;
	unsigned *group_sizes;
	layout_encoding_dim *dims;
	int64_t *permutation;
};

#endif
