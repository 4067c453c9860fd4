/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_STORAGE_ENCODING_H
#define LAYOUT_ALGEBRA_STORAGE_ENCODING_H

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
	char *stand_in;		/* an attribute that says no layout; NULL: this one does */
};

/* One that is told from others by its text alone. */
layout_encoding *encoding_new_stand_in(layout_context *ctx, const char *text);

/* Does the encoding say a layout?  Else the error is on the context. */
bool encoding_says(const layout_encoding *encoding);

/* The dimension that inner tile "tile" is of in a tensor of rank "rank"; those of no
 * dimension count on from there. */
unsigned encoding_dim(const layout_encoding *encoding, unsigned tile, unsigned rank);

/* Tiles of no dimension. */
unsigned encoding_units(const layout_encoding *encoding);

/* Where the entries of a description's lists stand in a text, and its groups. */
struct encoding_places {
	const long *inner_dims_pos, *outer_dims_perm, *groups, *permutation;
};

/* layout_encoding_new() with a position for each error; "places" may be NULL. */
layout_encoding *encoding_new_at(layout_context *ctx, const layout_encoding_desc *desc,
	const struct encoding_places *places);

#endif
