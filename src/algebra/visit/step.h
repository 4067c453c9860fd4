/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A step X -> Y of the way from hw to an address, as index expressions. */
#ifndef LAYOUT_ALGEBRA_VISIT_STEP_H
#define LAYOUT_ALGEBRA_VISIT_STEP_H

#include "isl_bridge/ast.h"

/* The coordinates of X stand for "values", named in isl as "names" say. */
struct step {
	isl_multi_aff *function;	/* X -> Y; NULL: only "inside" is asked for */
	isl_set *domain;		/* of X: where it is evaluated */
	isl_set *inside;		/* of X; NULL: not asked for */
	const char *const *names;
	struct index *const *values;
	unsigned rank;			/* of X */
	isl_pw_multi_aff *pieces;	/* instead of "function", X -> Y in pieces */
};

/* "s0'", "s1'", ..: names that no size has; NULL where memory ran out. */
char **step_names(layout_context *ctx, char letter, unsigned count);
void step_names_free(char **names, unsigned count);

/* Expressions for the coordinates of Y into "out", and for "is in inside" into
 * "*inside", NULL where that is always so.  "sizes" names the parameters, whose
 * values are in "contract".  False with the error on the context; the expressions
 * that were made are the caller's. */
bool step_take(const struct step *step, const struct ast_scope *sizes, isl_set *contract,
	struct index **out, struct index **inside);

#endif
