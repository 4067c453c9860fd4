/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The plan of a kernel: what lower/ consumes.  Holds no isl object, but for those of
 * "stores" and "loads", which code is not made of.
 *
 * Point by point, it is a visit.  Where the layouts allow it, a plan for a GPU has a tile
 * instead, which says how lanes move more than one element at a time.  The dims of the
 * visit are then the tile's coordinates and, last, the lane; of its accesses there are
 * the elements and their bits, and nothing else. */
#ifndef LAYOUT_KERNEL_PLAN_H
#define LAYOUT_KERNEL_PLAN_H

#include "kernel/tile/tile.h"
#include "algebra/storage/conversion.h"
#include "algebra/visit/visit.h"

/* Named strides of a side. */
struct plan_strides {
	struct index *apart;		/* over the sizes; NULL: there are none */
	char *text;			/* one of the requirements */
};

/* A buffer that the kernel reads or writes, or both. */
struct plan_operand {
	const char *name, *type;	/* "source"; "f32" */
	const char *role;		/* "source"; of a program's arguments "in", .. */
	bool read, written;
	struct index *elements;		/* over the sizes: from first to last, gaps included; */
	unsigned bits;			/* borrowed, and of an element */
	struct plan_strides strides;
};

enum { PLAN_SOURCE, PLAN_DESTINATION, PLAN_OPERANDS };

struct program_plan;
struct plan_block;

struct plan {
	unsigned operand_count;		/* the kernel's first arguments, in their order; */
	unsigned size_count;		/* the sizes are the others */
	struct plan_operand *operands;
	char **size_names;
	struct visit visit;
	struct plan_tile *tile;		/* NULL: point by point, or a program; */
	struct index *whole;		/* where there is one, for which sizes: rows of whole bytes; */
					/* NULL: all.  For others, the points of */
	struct visit points;		/* as many lanes */
	struct plan_block *block;	/* besides the points: how vectors move them; NULL: do not */
	struct program_plan *program;	/* NULL: a remap */
	struct conversion conversion;

	/* What every launch must satisfy, over the sizes, and the same as text:
	 * 0 <= M < 2^31 and the user's assumptions; then operands' strides do not overlap. */
	struct index *valid;
	unsigned requirement_count;
	char **requirements;

	uint64_t pad_bits;	/* of the destination's type */
	char *scale;		/* the conversion's, as given; NULL: none */
	char *owner, *source, *destination;	/* the relations as isl text */
	char *loader;	/* the owner of what a tile loads; NULL: the same, it does not go */
			/* through the LDS */
	layout_relation *stores, *loads;	/* of both where the target asks for it, hw -> */
				/* cell of the destination: which ones are stored, and */
				/* those that what is loaded goes to */
	char *map;				/* NULL: elements keep their index */
	char *padding;				/* the padding cells as isl text */
	struct tile_account *account;		/* of how the owner was found; NULL: no way */
	char *explanation;			/* the same as text, once asked for */
	bool identity;				/* the memory of both sides is the same */

	/* Of all workgroups, over the sizes, to compare with that of other shapes; and eight times
	 * that of a copy of the elements, NULL where memory is not known.  Of a tile, and of
	 * points that are a shape. */
	struct index *cost, *copied;

	/* The same with other tiles, or with points for what no tile is good for, each better for
	 * some sizes that a launch may have.  They borrow what is not about the tile. */
	unsigned shape_count;
	struct plan **shapes;
	bool borrows;
};

static inline unsigned plan_arguments(const struct plan *plan)
{
	return plan->operand_count + plan->size_count;
}

/* Of a workgroup. */
static inline unsigned plan_lanes(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->visit.dim_count; i++)
		if (plan->visit.dims[i].level == VISIT_LANE)
			return (unsigned)plan->visit.dims[i].extent->value;
	return 1;
}

/* What a plan is for. */
struct plan_target {
	unsigned wave_size;
	unsigned lanes;		/* of a workgroup whose lanes own an element at a time; 0: */
				/* serial loops over the destination */
	unsigned full_lanes;	/* a workgroup of fewer is less than it could be */
	unsigned max_bytes;	/* a lane's widest access */
	unsigned vector_bytes;	/* of a register of a processor without lanes; 0: has none */
	unsigned vector_count;	/* of these, */
	int64_t cache_bytes[2];	/* and the caches of a core, the nearest first */
	unsigned lds_bytes;	/* for a workgroup, */
	unsigned lds_most;	/* and where a launch gives more than usual */
	const char *name;	/* of the target, */
	const struct chip *chip;	/* which is part of this row */
	layout_relation *owner;	/* KEEP; NULL: find it */
	bool through_lds;	/* a staged tile or none */
	bool tells_cells;	/* for the plan to say which are stored */
};

/* What all remaps are planned for on a chip of which only the facts are asked. */
LAYOUT_INTERNAL struct plan_target plan_target_of(const struct chip *chip)
	LAYOUT_SYMBOL(plan_target_of);

/* The plan of "remap".  Grid extents may exceed what a launch allows: the kernel
 * strides. */
LAYOUT_INTERNAL struct plan *plan_new(layout_remap *remap,
	const struct plan_target *target) LAYOUT_SYMBOL(plan_new);
LAYOUT_INTERNAL void plan_free(struct plan *plan) LAYOUT_SYMBOL(plan_free);

/* A plan that has neither tile nor points yet, and borrows what these are not about.  NULL with the
 * error on the context. */
struct plan *plan_borrow(layout_context *ctx, const struct plan *plan);

/* That the named strides of an operand's storage nest is no affine question, which no contract
 * knows: "apart" says so over the sizes, and people are told.  There is room for another
 * requirement.  False with the error on the storage's context. */
bool plan_add_strides(struct plan *plan, struct plan_operand *operand,
	layout_storage *storage, struct index *apart);

/* The rate of whole tiles that the model predicts, as a part of a copy's; 0: it is not known. */
LAYOUT_INTERNAL double plan_predicted(const struct plan *plan) LAYOUT_SYMBOL(plan_predicted);

/* The rate that is predicted for sizes, with edges and what rows that begin inside of vectors
 * take besides; 0: it is not known. */
LAYOUT_INTERNAL double plan_predicted_at(const struct plan *plan, const int64_t *sizes)
	LAYOUT_SYMBOL(plan_predicted_at);

/* How the owner was found, for people: facts, one a line; borrowed.  NULL with the error
 * on the context where memory ran out. */
LAYOUT_INTERNAL const char *plan_explanation(layout_context *ctx, struct plan *plan)
	LAYOUT_SYMBOL(plan_explanation);

#endif
