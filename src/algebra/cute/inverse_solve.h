/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Integers that solve equations which come one after another. */
#ifndef LAYOUT_ALGEBRA_CUTE_INVERSE_SOLVE_H
#define LAYOUT_ALGEBRA_CUTE_INVERSE_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include <layout/base.h>

enum { CUTE_UNKNOWNS = 24 };

/* The solutions so far of "count" variables: value + a sum of multiples of the "free" rows
 * of the basis; all modulo "modulus" unless that is 0. */
struct cute_solutions {
	unsigned count, free;
	int64_t modulus, value[CUTE_UNKNOWNS], basis[CUTE_UNKNOWNS][CUTE_UNKNOWNS];
};

void cute_solutions_copy(struct cute_solutions *to, const struct cute_solutions *from);

/* One more variable, of any value. */
void cute_solutions_add(struct cute_solutions *s);

/* factors * variables, of a sum over all of them: "value" and the multiples of "step",
 * which is 0 where the solutions leave no choice, and else comes from row "row". */
struct cute_sum {
	int64_t value, step;
	unsigned row;
};

/* Rows of the basis are combined until one has all of the choice.  False where a number
 * does not fit. */
bool cute_solutions_sum(struct cute_solutions *s, const int64_t *factors,
	struct cute_sum *sum);

/* Only the solutions where the sum, whose step is not 0, has this value: are there any?
 * LAYOUT_UNKNOWN where a number does not fit. */
layout_answer cute_solutions_take(struct cute_solutions *s, const struct cute_sum *sum,
	int64_t value);

#endif
