/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A remap as digits: the common refinement of what its two storages split the logical
 * index into. */
#ifndef LAYOUT_ALGEBRA_FACTOR_FACTOR_H
#define LAYOUT_ALGEBRA_FACTOR_FACTOR_H

#include "algebra/storage/index.h"
#include "algebra/storage/remap.h"

enum factor_side { FACTOR_LOAD, FACTOR_STORE, FACTOR_SIDES };

enum { FACTOR_DIGITS = 128, FACTOR_XORS = 32, FACTOR_ROTATIONS = 8 };

/* One logical dimension, or several that lie next to each other, dense and in the same
 * order, on both sides or on one: then i is the index into their product, outermost first. */
struct factor_dim {
	unsigned first, count;		/* in the order of struct factors */
	struct index *low, *high;	/* the source has low <= i < high, as its i - low */
	struct index *end;		/* the destination stores 0 <= i < end */
	bool single;			/* high - low is always 1 */
	bool backward;			/* i - low counts from the end of what the source has */
	bool ragged;			/* the two sides' tiles do not divide each other: */
					/* the digits of this dimension end */
	int64_t run;			/* not 0: the dimensions are one on "run_side" alone, */
	enum factor_side run_side;	/* which can be cut anywhere, and digits meet again */
					/* after so many elements */
};

/* What a slot of a storage holds of i; "slot" is its number there. */
struct factor_slot {
	struct digit digit;
	unsigned slot;
	struct index *pitch;		/* elements */
};

/* An open digit goes to the end of the dimension, of which "most" whole steps are, 0 if
 * that is not constant.  A step of the digit is worth "weight" elements,
 * as a step of "slot" is worth its pitch.  Digits are in order of dimension and step. */
struct factor_digit {
	struct digit digit;
	int64_t most;
	unsigned slot[FACTOR_SIDES];
	struct index *weight[FACTOR_SIDES];
	bool carried;			/* tiles of the source begin inside a step: its */
					/* weight there is only about right */
};

/* On a side, digit "to" is stored as to ^ from; both have the same radix, a power of two,
 * and none is read after it was written. */
struct factor_xor {
	enum factor_side side;
	unsigned to, from;
};

/* On a side, a = floor(i / to.step) mod to.radix is stored as (a + times * b) mod to.radix,
 * with b the same of "from", which may be open.  The digits that "to" spans are in no other
 * rotation and no XOR, and nothing changes those that "from" does. */
struct factor_rotation {
	enum factor_side side;
	struct digit to, from;
	int64_t times;
};

/* Dimensions and slots that hold nothing but 0 are left out. */
struct factors {
	unsigned rank, dim_count, digit_count;	/* "rank" logical dimensions */
	struct factor_dim *dims;
	unsigned *order;		/* logical dimensions */
	unsigned slot_count[FACTOR_SIDES];
	struct factor_slot *slots[FACTOR_SIDES];
	struct factor_digit digits[FACTOR_DIGITS];
	unsigned xor_count;
	struct factor_xor xors[FACTOR_XORS];
	unsigned rotation_count;
	struct factor_rotation rotations[FACTOR_ROTATIONS];
};

/* The remap's storages and by how much element i of the source is shifted in the
 * destination: i + low[d]. */
struct factor_input {
	layout_remap *remap;
	const struct storage_index *index[FACTOR_SIDES];
	struct index *const *low;
	bool apart;		/* dimensions are not joined */
	uint64_t backward;	/* those that the source has the other way round, as bits */
	const unsigned *dims;	/* the dimension that a slot of the source's index is all of; */
				/* NULL: slots are the storage's */
	int64_t most_run;	/* rows that only "run_side" joins make tiles of so many */
	enum factor_side run_side;	/* elements at most; 0: they are not joined */
};

/* False where memory ran out.  "possible" is false where there are no digits to find:
 * nothing to copy, or too many of them.  Free in all cases. */
bool factors_build(struct factors *factors, const struct factor_input *input,
	bool *possible);
void factors_free(struct factors *factors);

/* What lies at or beyond a constant end of a dimension is never reached. */
int64_t factor_reach(const struct factors *factors, unsigned dim);

/* Does "digit" begin within what "whole" spans? */
bool factor_is_part(const struct digit *whole, const struct digit *digit);

/* The rotation that moves a digit on a side; NULL: none does. */
const struct factor_rotation *factor_rotation(const struct factors *factors,
	enum factor_side side, unsigned digit);

/* Does a step of the digit move more than its own bits: is it stored as the xor or the
 * rotation of it and others, or are others as that of them and it? */
bool factor_is_mixed(const struct factors *factors, enum factor_side side,
	unsigned digit);

/* Is there an xor of it on either side? */
bool factor_is_linked(const struct factors *factors, unsigned digit);

/* What every step in a dimension is worth on a side; NULL: not the same everywhere. */
struct index *factor_pitch(const struct factors *factors, enum factor_side side,
	unsigned dim);

/* Is it the same everywhere on both sides, which have the same elements, and is nothing
 * xored or rotated with any of it? */
bool factor_is_even(const struct factors *factors, unsigned dim);

/* A constant that divides the value for all sizes. */
int64_t factor_divisor(const struct index *index);

#endif
