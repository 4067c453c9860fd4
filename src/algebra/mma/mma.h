/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tables of the matrix instructions, and what a layout_mma is. */
#ifndef LAYOUT_ALGEBRA_MMA_H
#define LAYOUT_ALGEBRA_MMA_H

#include "algebra/f2/f2.h"
#include <layout/mma.h>

struct chip;
struct chip_family;

/* Where each bit of the lane, and of the element, goes; lowest first, separated by
 * blanks.  "k2" is bit 2 of k (m, n, k; b: the block), "." a bit that changes nothing.
 * "-" is an element's first bit where one half of each register is used, and a lane's
 * last where the upper lanes hold nothing. */
struct mma_bits {
	const char *lane, *element;
};

/* An instruction's size and its operands, "acc_hi" being said by "acc". */
struct mma_shape {
	unsigned lanes, blocks, m, n, k;
	struct mma_bits bits[LAYOUT_MMA_INDEX + 1];
};

/* Elements of K that share one scale of IREE's intrinsics. */
#define MMA_SCALE_BLOCK 32

/* A name on some chips of a family, by their bits: its other spellings,
 * and the types of lhs, rhs and acc.  Names whose layouts are equal share a shape. */
struct mma_row {
	const char *name, *also[2];
	unsigned targets;
	const struct mma_shape *shape;
	const char *types[3];
};

struct mma_table {
	const struct mma_row *rows;
	unsigned count;
};

/* An instruction as code, on some chips: its name there, its size and types; whether each
 * element of its accumulator has a register of its own; the cycles in which a SIMD issues no
 * other one. */
struct mma_code {
	const char *name;
	unsigned targets;
	unsigned m, n, k;
	const char *types[3];
	bool spread;
	unsigned cycles;
};

struct mma_codes {
	const struct mma_code *codes;
	unsigned count;
};

/* What a row's instruction is as code, of one block and without an index; NULL
 * where there is nothing.  Rows whose layouts differ by the order of K have the same. */
LAYOUT_INTERNAL const struct mma_code *mma_code_of(const struct chip *chip,
	const struct mma_row *row) LAYOUT_SYMBOL(mma_code_of);

/* The i-th row of a family's tables; NULL past the last. */
const struct mma_row *mma_row_at(const struct chip_family *family, unsigned i);

/* The chip of a target's name; NULL with the error on the context. */
const struct chip *mma_target(layout_context *ctx, const char *name);

/* Fail: no instruction of that name, but these are near. */
void mma_fail_name(layout_context *ctx, const char *name);

/* The row of a name on a target; without one (NULL) that which all targets agree on that
 * have the name and the operand.  NULL with what is wrong with the name on the context;
 * the operand may be none of the row's. */
const struct mma_row *mma_find_row(layout_context *ctx, const char *name,
	layout_mma_operand operand, const struct chip *target);

/* Is that one of the row's names? */
bool mma_row_is_named(const struct mma_row *row, const char *name);

/* Has the row's instruction the operand? */
bool mma_row_has(const struct mma_row *row, layout_mma_operand operand);

struct layout_mma {
	layout_context *ctx;
	const struct mma_row *row;
	const char *name;	/* the row's name or its other spelling */
	const struct chip *target;	/* NULL: none was given */
	layout_mma_operand operand;
	struct f2 *f2;		/* mma_f2(), once a point was asked for */
};

/* The operand's layout as a function of the lane and of the elements that are held,
 * counted without those left out.  NULL: no memory. */
struct f2 *mma_f2(const layout_mma *mma);

/* Elements are left out: every second one is held, from the first or the second on. */
bool mma_is_half(const layout_mma *mma);

/* The letters and extents of the image's coordinates, "mk" or "bmk"; how many. */
#define MMA_COORDINATES 3
unsigned mma_coordinates(const layout_mma *mma, char names[MMA_COORDINATES],
	unsigned extents[MMA_COORDINATES]);

/* The operand's lists of bits; its elements' without the bit that says which half; how
 * many bits the numbers of the lanes have that hold something. */
const struct mma_bits *mma_bits_of(const layout_mma *mma);
const char *mma_held_bits(const layout_mma *mma);
unsigned mma_lane_bits(const layout_mma *mma);

/* The box of the images of the layout repeated, see layout_mma_repeat(); its rank. */
unsigned mma_repeated_box(const layout_mma *mma, const int64_t repeat[2],
	const int64_t subgroups[2], int64_t box[MMA_COORDINATES]);

/* The letter of a list's next entry and its bit, or 0 at the end; goes on behind it.
 * And the number of entries. */
char mma_next_bit(const char **list, unsigned *bit);
unsigned mma_count_bits(const char *list);

#endif
