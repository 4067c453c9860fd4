/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Digits for each side where those of the two do not meet.
 *
 * Where two storages cut a dimension into tiles of 12 and of 8 elements, they have digits
 * in common below 4 and from 24 on.  Between these each has its own: 3 and 2, 2 and 3.
 * Where 24 is too far, or elements are shifted, all digits from 4 on are those of the
 * destination, and carried in the source.  Where one side alone joins rows, it has no digits
 * but where those of the other meet it again, after a run of rows. */
#ifndef LAYOUT_ALGEBRA_FACTOR_RAGGED_H
#define LAYOUT_ALGEBRA_FACTOR_RAGGED_H

#include "algebra/factor/factor.h"

enum { RAGGED_WEIGHTS = 2 * FACTOR_SIDES * FACTOR_DIGITS };

/* The factors of each side, which borrow what is not their own: digits have the weight of
 * the other side only where it has the digit, too, else 0. */
struct ragged {
	struct factors sides[FACTOR_SIDES];
	unsigned weight_count;
	struct index *weights[RAGGED_WEIGHTS];
};

/* Is there a dimension whose digits do not meet? */
bool ragged_is_needed(const struct factors *factors);

/* From where on the digits of a dimension meet again; 0 if that is too far. */
int64_t ragged_end(const struct factors *factors, unsigned dim);

/* Digits that meet again.  False where there are no such digits, or memory ran out.  Free
 * in both cases. */
bool ragged_build(struct ragged *ragged, const struct factors *factors);

/* The same with digits of the destination, which are carried in the source. */
bool ragged_carry(struct ragged *ragged, const struct factors *factors);
void ragged_free(struct ragged *ragged);

#endif
