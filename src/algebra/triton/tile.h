/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A layout while an encoding is turned into one: the part of a tensor that a pattern
 * covers so far, which each step multiplies by another piece (the product of linear
 * layouts, whose second factor works on the high bits).  A `struct f2` has its widths from
 * the start; these grow.
 *
 * Functions that return bool return false once an error is on the context. */
#ifndef LAYOUT_ALGEBRA_TRITON_TILE_H
#define LAYOUT_ALGEBRA_TRITON_TILE_H

#include "algebra/triton/triton.h"

/* Inputs; shared memory has its offset in the place of the register. */
enum tile_in {
	TILE_REGISTER,
	TILE_LANE,
	TILE_WARP,
	TILE_BLOCK,
	TILE_INS,
	TILE_OFFSET = TILE_REGISTER,
};

struct tile {
	layout_context *ctx;
	unsigned rank;				/* of the tensor */
	unsigned bits[LAYOUT_TRITON_RANK];	/* covered of each dimension */
	unsigned counts[TILE_INS];		/* bases of each input */
	int64_t bases[];			/* see tile_basis() */
};

/* One element; NULL: no memory. */
struct tile *tile_new(layout_context *ctx, unsigned rank);
void tile_free(struct tile *tile);

/* Basis i of an input, a coordinate for every dimension. */
int64_t *tile_basis(struct tile *tile, enum tile_in in, unsigned i);

/* A further bit of an input, going nowhere yet; NULL where there are too many. */
int64_t *tile_add(struct tile *tile, enum tile_in in);

/* Times the identity of "size" points along a dimension, and times as many points
 * that hold the same. */
bool tile_repeat(struct tile *tile, enum tile_in in, unsigned dim, int64_t size);
bool tile_broadcast(struct tile *tile, enum tile_in in, int64_t size);

/* tile_repeat() in the order of dimensions, "sizes" by dimension; dimension "without"
 * is broadcast (-1: none is). */
bool tile_repeat_all(struct tile *tile, enum tile_in in, const int64_t *sizes,
	const int64_t *order, int without);

/* Repeat along a dimension until it has "size" points, if it has fewer. */
bool tile_fill(struct tile *tile, enum tile_in in, unsigned dim, int64_t size);

/* What one block holds of a tensor: the shape over what the blocks split.  Dimension
 * "whole" is not split (-1: all are as the encoding says). */
void tile_block_shape(const layout_triton_desc *desc, const int64_t *shape, int whole,
	int64_t *part);

/* Cover a tensor: one block's part of it, repeating in registers (along the offset) in
 * "order" where there is more, and making equal what lies outside; the other parts by
 * the blocks. */
bool tile_fit_blocks(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape, int whole, const int64_t *order);

/* Cover a tensor, repeating in registers in "order" where there is more; registers of which all
 * lies outside are left out, and what else does is made equal. */
bool tile_cut(struct tile *tile, const int64_t *shape, const int64_t *order);

/* The name of an input; NULL where shared memory has none such. */
const char *tile_in_name(enum tile_in in, bool shared);

/* Take a dimension of one point away, and then the register bits that go nowhere. */
void tile_drop(struct tile *tile, unsigned dim);

/* The layout from (register, lane, warp, block), or (offset, block). */
layout_linear *tile_linear(struct tile *tile, bool shared);

#endif
