/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The elements of a remap visited one by one: owner, source and destination composed and
 * turned into index expressions.
 *
 * Variables are numbered: first the sizes, in argument order, then the dimensions of the
 * iteration, outermost first.
 *
 *	for every point of dims[0].extent x dims[1].extent x ..
 *		if (active)
 *			value = inside ?
 *				convert(source[sum load.slot * load.pitch]) : pad
 *			destination[sum store.slot * store.pitch] = value
 *
 * The destination owns the iteration: each of its cells, padding included, is
 * visited once.  "inside" says that the cell holds a logical element.  Where elements
 * have less than a byte, a point is a group of them; see below.  Where a map is simpler
 * than its reverse, the source owns the iteration, and there is a sweep. */
#ifndef LAYOUT_ALGEBRA_VISIT_VISIT_H
#define LAYOUT_ALGEBRA_VISIT_VISIT_H

#include "isl_bridge/index.h"
#include <layout/remap.h>

struct ast_scope;
struct contract;
struct storage_index;

enum visit_level {
	VISIT_LOOP,	/* a serial loop */
	VISIT_GRID_Z,	/* all of these share grid axis z, outermost first: their */
			/* product is its extent, and z is split by division */
	VISIT_GRID_Y,
	VISIT_GRID_X,
	VISIT_TURN,	/* what a workgroup does one after the other; its extent is constant */
	VISIT_LANE,	/* innermost; its extent is the workgroup size, constant */
};

struct visit_dim {
	char *name;
	enum visit_level level;
	struct index *extent;	/* over the sizes; >= 0 */
};

/* Slots of a storage with the elements that one step of each is worth. */
struct visit_access {
	unsigned rank;
	struct index **slot;	/* over sizes and dims */
	struct index **pitch;	/* over sizes */
	struct index *elements;	/* over sizes: from first to last, gaps included */
	unsigned bits;		/* of an element */
};

/* Elements of the destination that fill whole bytes, the fewest or, for lanes, a word of them.
 * Group n has the elements n*elements + j, 0 <= j < elements, as far as the destination has so many.
 * The slots of an element in memory, "store.slot", are variables, which come after the
 * dims: the digits of its number in the radices "extent". */
struct visit_group {
	unsigned elements, bytes;	/* 0: points are elements */
	unsigned turns;			/* groups of a lane */
	struct index *rows;		/* over the sizes: each group's elements follow each other */
					/* in the source as well, as many from the first on as a */
					/* multiple of theirs; whoever asked sets it; NULL: never */
	unsigned rank;			/* as many slots */
	struct index **extent;		/* over the sizes */
	struct index *count;		/* of groups, over the sizes */
	struct index *number;		/* over sizes and dims */
};

/* A box in the destination that no element reaches. */
struct visit_box {
	struct index **slot;		/* as in "store.slot", of the digits */
	struct index **low, **extent;	/* over the sizes, one a digit */
	struct index *count;		/* over the sizes: of its cells */
};

/* The source owns the iteration.  A point is a number n, which stands for a slot of the
 * source in memory and for a cell of each box, as far as they have so many:
 *
 *	if (n < count && inside)
 *		destination[sum store.slot * store.pitch] =
 *			convert(source[sum load.slot * load.pitch])
 *	for every box
 *		if (n < box.count)
 *			destination[sum box.slot * store.pitch] = pad
 *
 * Slots are of variables, which come after the dims: the digits of n, in the radices
 * "extent" or those of the box. */
struct visit_sweep {
	unsigned digits;		/* the most of the source and of the boxes; 0: no sweep */
	unsigned rank;			/* of the source's digits */
	struct index **extent;		/* over the sizes */
	struct index *count;		/* over the sizes */
	struct index *number;		/* over sizes and dims */
	unsigned slot_count;		/* of the destination */
	unsigned box_rank, box_count;
	struct visit_box *boxes;
};

struct visit {
	unsigned dim_count;
	struct visit_dim *dims;
	struct index *active;		/* NULL: always */
	struct index *inside;		/* NULL: always */
	struct visit_access load, store;
	struct visit_group group;
	struct visit_sweep sweep;
};

/* What a visit is built with, all borrowed. */
struct visit_request {
	layout_remap *remap;
	const struct contract *contract;
	const struct ast_scope *sizes;
	const struct storage_index *source, *destination;
	unsigned lanes;		/* of a workgroup; 0: serial loops */
	bool joined;		/* rows follow each other: groups, whatever elements have; */
	bool rows;		/* groups that may lie in rows of both sides */
};

/* Dimensions, accesses and conditions of "visit", whose accesses have their bits; and the
 * relation from its points to the cells or elements that they own, as text.  NULL with
 * the error on the context; free the visit in both cases. */
char *visit_build(struct visit *visit, const struct visit_request *request);
void visit_free(struct visit *visit);

#endif
