/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles that go through the LDS: a choice of registers and lanes for either side, and
 * where in the LDS the elements lie between them. */
#ifndef LAYOUT_KERNEL_STAGE_H
#define LAYOUT_KERNEL_STAGE_H

#include "algebra/lds/lds.h"
#include "kernel/choose/choose.h"
#include "algebra/factor/ragged.h"
#include "kernel/tile/tile.h"

/* A digit of the tile, in factored dimension "dim", and the piece that each move has for
 * it; NULL where the two sides' digits do not meet, and it is only the other's. */
struct stage_digit {
	struct digit digit;
	const struct choice_piece *pieces[2];
};

/* weight * (the xor of the digits in the set), in elements. */
struct stage_term {
	uint64_t digits;
	int64_t weight;
};

/* The first move stores to the LDS, the second loads from it, vectors[] elements at a
 * time.  Digits are those of the second move in the order of its pieces, then those that
 * only the first one has. */
struct stage {
	struct ragged ragged;		/* the choices' digits where these do not meet */
	const layout_lds *lds;
	unsigned bits;			/* of an element in the LDS */
	struct choice moves[2];
	unsigned digit_count;
	struct stage_digit digits[TILE_DIGITS];
	unsigned vectors[2];
	unsigned term_count;
	struct stage_term terms[TILE_DIGITS];
	int64_t elements;		/* of the LDS, with what is skipped */
	int64_t skipped;
	uint64_t extra[2];		/* cycles of bank conflicts, of a move */
};

/* Choose a tile.  False, without an error, where there is none: "why" says so.  Free in
 * both cases; starts as { 0 }. */
bool stage_choose(struct stage *stage, const struct factors *factors,
	const struct choice_rules *rules, const layout_lds *lds, const char **why);
void stage_free(struct stage *stage);

/* Is it worth the way through the LDS?  Where it takes fewer accesses to memory, or where
 * digits that do not meet leave too few for the lanes. */
bool stage_is_better(const struct stage *stage, const struct choice *direct);

/* Turn the tile that was built from the second choice, in one move, into two moves.
 * dims[d] is the factored dimension of the tile's d.  False where memory ran out. */
bool stage_apply(layout_context *ctx, const struct stage *stage, const unsigned *dims,
	struct plan_tile *tile);

/* Are terms xors of several digits? */
bool stage_is_swizzled(const struct stage *stage);

/* "lds: ..", a line. */
void stage_explain(struct layout_buffer *out, const struct stage *stage);

#endif
