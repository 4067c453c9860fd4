/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions for data tiling: every target, every combination of types that one of its
 * instructions takes, sizes, operand after operand. */
#ifndef TESTS_SUPPORT_TILING_CASES_H
#define TESTS_SUPPORT_TILING_CASES_H

#include <layout/layout.h>

/* How the operands index the loops, of which "loops" has the letters b m n k, and o for
 * the inner part of k; one map an operand, and a second one that leads from there to the
 * tensor that is stored, or NULL. */
struct tiling_form {
	const char *name, *loops;
	layout_op_type op_type;
	const char *maps[LAYOUT_OPERANDS];
	const char *chains[LAYOUT_OPERANDS];
};

extern const struct tiling_form tiling_plain, tiling_scaled;
extern const struct tiling_form tiling_forms[];		/* the others, none of them */
extern const unsigned tiling_form_count;		/* scaled */

/* M and N; LAYOUT_DYNAMIC. */
extern const int64_t tiling_sizes[][2];
extern const unsigned tiling_size_count;

struct tiling_case {
	const layout_tiling_target *target;
	const struct tiling_form *form;
	const char *types[LAYOUT_OPERANDS];
	const int64_t *sizes;
	unsigned operand;
};

/* "lhs, rhs, acc" is 3, with two scales before the last 5. */
unsigned tiling_operands(const struct tiling_form *form);

/* The operand of the case; NULL with an error on the context. */
layout_operand *tiling_operand(layout_context *ctx, const struct tiling_case *wanted);

/* Call "visit" with each combination of types of the target, and that form and those
 * sizes, operand after operand. */
typedef void (*tiling_visit)(layout_context *ctx, const struct tiling_case *wanted,
	void *user);
void tiling_each(layout_context *ctx, const layout_tiling_target *target,
	const struct tiling_form *form, const int64_t *sizes, tiling_visit visit,
	void *user);

/* The case in one line. */
#define TILING_TEXT 300
void tiling_describe(const struct tiling_case *wanted, char text[TILING_TEXT]);

#endif
