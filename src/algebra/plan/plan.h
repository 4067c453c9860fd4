/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The plan of a kernel: owner, source and destination of a remap, composed and
 * turned into index expressions.  Holds no isl object: what lower/ consumes.
 *
 * Variables are numbered: first the sizes, in argument order, then the
 * dimensions of the iteration, outermost first.
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
 * than its reverse, the source owns the iteration, and there is a sweep.
 *
 * Where the layouts allow it, a plan for a GPU has a tile, which says how lanes move
 * more than one element at a time.  Its dims are then the tile's coordinates and, last,
 * the lane; "active", "inside", "load.slot" and "store.slot" are absent. */
#ifndef LAYOUT_ALGEBRA_PLAN_H
#define LAYOUT_ALGEBRA_PLAN_H

#include "algebra/plan/tile.h"
#include "algebra/storage/conversion.h"

enum plan_level {
	PLAN_LOOP,	/* a serial loop (host) */
	PLAN_GRID_Z,	/* all of these share grid axis z, outermost first: their */
			/* product is its extent, and z is split by division */
	PLAN_GRID_Y,
	PLAN_GRID_X,
	PLAN_LANE,	/* innermost; its extent is the workgroup size, constant */
};

struct plan_dim {
	char *name;
	enum plan_level level;
	struct index *extent;	/* over the sizes; >= 0 */
};

/* Slots of a storage with the elements that one step of each is worth. */
struct plan_access {
	unsigned rank;
	struct index **slot;	/* over sizes and dims */
	struct index **pitch;	/* over sizes */
	struct index *elements;	/* over sizes: from first to last, gaps included */
	unsigned bits;		/* of an element */
};

/* The fewest elements of the destination that fill whole bytes.  Group n has the
 * elements n*elements + j, 0 <= j < elements, as far as the destination has so many.
 * The slots of an element in memory, "store.slot", are variables, which come after the
 * dims: the digits of its number in the radices "extent". */
struct plan_group {
	unsigned elements, bytes;	/* 0: points are elements */
	unsigned rank;			/* as many slots */
	struct index **extent;		/* over the sizes */
	struct index *count;		/* of groups, over the sizes */
	struct index *number;		/* over sizes and dims */
};

/* A box in the destination that no element reaches. */
struct plan_box {
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
struct plan_sweep {
	unsigned digits;		/* the most of the source and of the boxes; 0: no sweep */
	unsigned rank;			/* of the source's digits */
	struct index **extent;		/* over the sizes */
	struct index *count;		/* over the sizes */
	struct index *number;		/* over sizes and dims */
	unsigned slot_count;		/* of the destination */
	unsigned box_rank, box_count;
	struct plan_box *boxes;
};

/* Named strides of a side. */
struct plan_strides {
	struct index *apart;		/* over the sizes; NULL: there are none */
	char *text;			/* one of the requirements */
};

struct plan {
	unsigned size_count;
	char **size_names;
	unsigned dim_count;
	struct plan_dim *dims;
	struct index *active;		/* NULL: always */
	struct index *inside;		/* NULL: always */
	struct plan_access load, store;
	struct conversion conversion;
	struct plan_group group;
	struct plan_sweep sweep;
	struct plan_tile *tile;		/* NULL: point by point */

	/* What every launch must satisfy, over the sizes, and the same as text:
	 * 0 <= M < 2^31 and the user's assumptions, then strides that do not overlap. */
	struct index *valid;
	struct plan_strides strides[2];
	unsigned requirement_count;
	char **requirements;

	uint64_t pad_bits;	/* of the destination's type */
	char *scale;		/* the conversion's, as given; NULL: none */
	char *owner, *source, *destination;	/* the relations as isl text */
	char *map;				/* NULL: elements keep their index */
	char *padding;				/* the padding cells as isl text */
	char *explanation;			/* how the owner was found, for people */
	bool identity;				/* the memory of both sides is the same */
};

/* What a plan is for. */
struct plan_target {
	unsigned wave_size;	/* 0: serial loops over the destination, for the host */
	unsigned lanes;		/* of a workgroup whose lanes own an element at a time */
	unsigned max_bytes;	/* a lane's widest access */
	unsigned lds_bytes;	/* for a workgroup */
	const char *name;	/* "gfx942" */
	layout_relation *owner;	/* KEEP; NULL: find it */
	bool through_lds;	/* a staged tile or none */
};

/* The plan of "remap".  Grid extents may exceed what a launch allows: the kernel
 * strides. */
LAYOUT_INTERNAL struct plan *plan_new(layout_remap *remap,
	const struct plan_target *target);
LAYOUT_INTERNAL void plan_free(struct plan *plan);

#endif
