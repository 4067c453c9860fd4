/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a picture asks of a kind of values; what a row leaves out is asked of the
 * relation, or is nothing. */
#ifndef LAYOUT_SHOW_KIND_H
#define LAYOUT_SHOW_KIND_H

#include "show/picture.h"
#include "value/value.h"

struct show_kind {
	/* Is the picture small enough?  Else false with the error on the context.  What
	 * says so itself is pictured without its relation. */
	bool (*fits)(layout_value *value);

	/* Names and roles of both sides; false without memory. */
	bool (*sides)(layout_value *value, struct show_side *inputs,
		struct show_side *images);

	/* See show_tile_sizes(). */
	unsigned (*tiles)(layout_value *value, unsigned rank,
		int64_t sizes[SHOW_LEVELS][SHOW_DIMS]);

	/* The box of the grid, and the lanes of a wave, where it says more than what it
	 * holds. */
	void (*declare)(struct show_picture *picture, layout_value *value);
};

extern const struct show_kind show_cute, show_nested, show_linear, show_mma,
	show_swizzle, show_storage;

/* The grid has at least that size in a dimension. */
void show_declare(struct show_picture *picture, unsigned dim, int64_t size);

#endif
