/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A remap for a processor without lanes, in vector registers.
 *
 * The digits that both storages know are cut into pieces.  Some of them are the block: as
 * many as fill a vector register of what follows each other in the source, and one of what
 * does in the destination.  A block is loaded in whole vectors, turned in registers and
 * stored in whole vectors; all other pieces are loops around it.
 *
 *	for every loop
 *		start[d] = the sum of step * counter over the loops of dimension d
 *		if (low[d] <= start[d] and start[d] + reach[d] <= high[d] for all d)
 *			the block, in vectors
 *		else if (start[d] + reach[d] <= end[d] for all d)
 *			the same, of vectors that were put together with the padding
 *		else
 *			its elements, those that exist
 *
 * The innermost loops go along what is near, first on the side of the source, then on that of
 * the destination, and last along a few lines of the source: the blocks of these are a chunk.
 *
 * Where the same elements follow each other on both sides, the block is a row of them:
 *
 *	for every loop
 *		padding, as far as the source begins later
 *		as much of the row as the source has
 *		padding, as far as the destination goes on */
#ifndef LAYOUT_KERNEL_BLOCK_H
#define LAYOUT_KERNEL_BLOCK_H

#include "kernel/tile/build.h"

enum { BLOCK_PIECES = 24, BLOCK_LOOPS = 64 };

/* In a loop the digit may be open: to the end of the dimension.  A step is worth so many
 * elements on each side. */
struct block_piece {
	struct digit digit;
	struct index *weight[FACTOR_SIDES];
};

/* A loop over a piece.  "count" is over the sizes.  Its blocks may have "overlap" steps in common
 * with the next, so that together they have all of a dimension. */
struct block_loop {
	struct block_piece piece;
	struct index *count;
	int64_t overlap;
};

/* What nothing of the block changes is xored with a piece, too.  In the order of the other side
 * the piece is as it is stored there; on this side, it lies where piece ^ the digit of
 * start[dim] does. */
struct block_flip {
	enum factor_side side;
	unsigned piece;
	struct digit digit;
};

/* The elements of a block are those for which i - start[d] is less than "reach".  Where the
 * dimension is even, both sides have the same pitch everywhere, and the last block begins
 * earlier, so that it is whole. */
struct block_dim {
	int64_t reach, span;		/* the elements of a chunk have less than "span" */
	struct index *pitch[FACTOR_SIDES];	/* NULL: the dimension is not even */
	struct index *low, *high, *end;	/* the source has low <= i < high, the destination */
};					/* i < end */

struct plan_block {
	bool row;		/* one piece, whose steps are those of elements on both sides */
	struct index *before;	/* elements that the source's lie before what its digits say */
	unsigned dim_count;
	struct block_dim *dims;
	unsigned piece_count;
	struct block_piece pieces[BLOCK_PIECES];
	unsigned order[FACTOR_SIDES][BLOCK_PIECES];	/* of the pieces: the nearest first */
	unsigned xor_count;
	struct factor_xor xors[FACTOR_XORS];	/* of the pieces */
	unsigned flip_count;
	struct block_flip flips[FACTOR_XORS];
	int64_t unit;					/* what moves: elements, or bytes of so many */
	int64_t packed;		/* elements of a byte in memory, each a byte in registers; or 1 */
	struct index *whole;	/* blocks begin and end with bytes where it is not 0; or NULL */
	bool shifts;		/* where it is 0, blocks that are all whole may be moved by vectors, too */
	int64_t elements;				/* of a block */
	int64_t vector[FACTOR_SIDES];			/* elements of an access */
	unsigned loop_count;				/* outermost first: */
	unsigned outer_count;				/* those that go along neither side, */
	unsigned chunk_loop;				/* the first one along the destination, */
	unsigned line_loop;				/* and behind these, along lines of the source */
	int64_t chunk;		/* elements that follow each other there, in the blocks of these */
	bool goes_on;		/* further turns of their only loop are what follows in memory */
	struct block_loop loops[BLOCK_LOOPS];
};

/* Find the block of a remap; *found is NULL where loops over the elements do as well or
 * where there are no digits to find.  False where memory ran out. */
bool plan_block_find(struct plan_block **found, const struct tile_request *request);
void plan_block_free(struct plan_block *block);

/* The block of a plan, for people to read. */
void plan_block_explain(struct layout_buffer *out, const struct plan *plan);

#endif
