/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The steps of building a tile, and what they share. */
#ifndef LAYOUT_KERNEL_TILE_PARTS_H
#define LAYOUT_KERNEL_TILE_PARTS_H

#include "kernel/tile/align.h"
#include "kernel/tile/build.h"
#include "kernel/tile/text.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/index_sum.h"

/* Bytes of the narrowest access that is no worse than wider ones. */
#define TILE_WORD 4

/* What a tile is built with.  dims[d] is the choice's dimension of the plan's d. */
struct tile_builder {
	layout_context *ctx;
	struct plan *plan;
	const struct tile_request *request;
	const struct factors *factors;
	const struct choice *choice;
	const struct stage *stage;	/* NULL: one move; else the choice is its second */
	unsigned *dims;
	unsigned shared_dim;		/* tiles that follow each other in it have so many */
	int64_t shared;			/* elements in common */
	struct tile_account *account;
};

static inline int64_t tile_extent(const struct tile_builder *b, unsigned d)
{
	return choice_extent(b->choice, b->dims[d]);
}

/* From one tile of a dimension to the next. */
static inline int64_t tile_step(const struct tile_builder *b, unsigned dim)
{
	return choice_extent(b->choice, dim) - (dim == b->shared_dim ? b->shared : 0);
}

/* Tiles of so much end where the dimension does, whatever the sizes. */
static inline bool tile_divides(int64_t extent, const struct index *end)
{
	return factor_divisor(end) % extent == 0;
}

static inline bool tile_is_backward(const struct tile_builder *b, enum factor_side side,
	unsigned dim)
{
	return side == FACTOR_LOAD && b->factors->dims[dim].backward;
}

/* May the last tile of a dimension begin earlier?  An owner that was given says where
 * tiles begin. */
bool tile_begins_earlier(const struct tile_builder *b, unsigned dim);

/* The piece of the tile whose steps are worth so much in the destination, or the count. */
unsigned tile_find_weight(const struct choice *choice, int64_t weight);

/* Are accesses that are not aligned to their bytes several? */
bool tile_must_align(const struct tile_request *request);

/* The remap as factors are found, and what the target has for tiles of them. */
struct factor_input tile_input(const struct tile_request *request);
struct shape_rules tile_rules(const struct factors *factors, const struct tile_request *request);

/* The tile of the shape that was chosen. */
bool tile_build_shape(struct tile_builder *b);

/* A step that is not ok without an error on the context ran out of memory. */
bool tile_built(layout_context *ctx, bool ok);

/* What tiles of a shape by these rules take, in the time of a copy of as much: where all sizes are
 * known, or accesses have to be aligned and names are some size, those at the ends of dimensions and
 * shifted ones included.  INFINITY: it is not known. */
double tile_time(const struct tile_builder *b, const struct tile_shape *shape,
	const struct shape_rules *rules);

/* Where all dimensions' sizes are known: take the shape that is fastest at these, with its rules.
 * False where memory ran out. */
bool tile_take_known(struct tile_builder *b, struct shape_rules *rules);

/* Take other factors and a shape by them, where rows that one side joins make it faster by much:
 * "rules" are then theirs.  False where memory ran out. */
bool tile_try_runs(struct tile_builder *b, struct shape_rules *rules);

/* The steps.  Where a tile lies: the dimensions that the grid walks, in the plan's order.  Then
 * its digits, and where both sides of it begin; what the carries of rotated digits count, once
 * it has all its moves; and what it costs over the sizes.  False: no memory. */
bool tile_build_dims(struct tile_builder *b);
bool tile_build_sides(struct tile_builder *b);
void tile_find_counts(const struct tile_builder *b);
bool tile_build_cost(struct tile_builder *b);

#endif
