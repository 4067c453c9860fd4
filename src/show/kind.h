/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a picture asks of a kind of values; what a row leaves out is asked of the
 * relation, or is nothing. */
#ifndef LAYOUT_SHOW_KIND_H
#define LAYOUT_SHOW_KIND_H

#include "show/picture.h"
#include "value/value.h"

struct show_graph;

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

	/* Write its graph; false with the error on the context.  NULL: that of the steps
	 * that it is composed of. */
	bool (*graph)(struct show_graph *graph, layout_value *value);

	/* The modes that its inputs are the numbers of; borrowed. */
	layout_cute *(*modes)(layout_value *value);

	bool by_strides;	/* named strides place what its inputs number */
	bool inputs_are_plain;	/* cells, too, are mere coordinates there */
};

extern const struct show_kind show_chain, show_cute, show_nested, show_linear, show_mma,
	show_relation, show_remap, show_storage, show_swizzle;

/* The grid has at least that size in a dimension. */
void show_declare(struct show_picture *picture, unsigned dim, int64_t size);

/* Partial tiles of a packed storage, whose elements the grid has, are drawn whole: what no
 * element is in is padding.  Not where that would be more than three quarters of it. */
void show_declare_padding(struct show_picture *picture, const layout_storage *storage);

#endif
