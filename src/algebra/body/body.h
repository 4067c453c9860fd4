/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arithmetic on indices, as a program does it: each value is a function of the arguments
 * [i0, .., iN] and of names, or a condition on them. */
#ifndef LAYOUT_ALGEBRA_BODY_H
#define LAYOUT_ALGEBRA_BODY_H

#include "algebra/size/size.h"
#include "isl_bridge/context.h"
#include <layout/relation.h>

struct body;
struct body_value;

/* Arguments; then what they are below: 0 <= argument < size. */
struct body *body_new(layout_context *ctx, unsigned rank);
void body_free(struct body *body);
bool body_bound(struct body *body, unsigned argument, const struct body_value *size);

/* New values; NULL is an error before, or one on the context. */
struct body_value *body_number(struct body *body, int64_t number);
struct body_value *body_argument(struct body *body, unsigned argument);
struct body_value *body_name(struct body *body, const char *name);
struct body_value *body_truth(struct body *body, bool truth);
struct body_value *body_copy(const struct body_value *value);
void body_value_free(struct body_value *value);

/* A size, where there are no arguments; and an index as the text of one, to be freed: an error
 * where it is no one expression of names. */
struct body_value *body_size(struct body *body, const struct size *size);
char *body_size_str(const struct body_value *index);

/* A condition, and no index? */
bool body_is_truth(const struct body_value *value);

/* The number that an index is everywhere; false: it is none. */
bool body_constant(const struct body_value *index, int64_t *number);

/* Are two indices the same for all arguments and names? */
bool body_same(const struct body_value *a, const struct body_value *b);

/* That an index would be a product of names is an error; false. */
bool body_not_affine(const struct body *body);

/* Of two indices; the first are rounded down, up, towards 0.  UNSIGNED are refused where
 * the first index may be negative, BITS where none is a number and one is not bounded by one. */
enum body_operation {
	BODY_ADD, BODY_SUBTRACT, BODY_MULTIPLY,
	BODY_FLOOR, BODY_CEIL, BODY_QUOTIENT, BODY_UNSIGNED_QUOTIENT, BODY_UNSIGNED_CEIL,
	BODY_MOD, BODY_REMAINDER, BODY_UNSIGNED_REMAINDER,
	BODY_MIN, BODY_MAX, BODY_UNSIGNED_MIN, BODY_UNSIGNED_MAX,
	BODY_BITS_AND, BODY_BITS_OR, BODY_BITS_XOR,
};
struct body_value *body_compute(struct body *body, enum body_operation operation,
	const struct body_value *a, const struct body_value *b);

enum body_predicate {
	BODY_EQ, BODY_NE, BODY_SLT, BODY_SLE, BODY_SGT, BODY_SGE,
	BODY_ULT, BODY_ULE, BODY_UGT, BODY_UGE,
};
struct body_value *body_compare(struct body *body, enum body_predicate predicate,
	const struct body_value *a, const struct body_value *b);

/* Of two conditions. */
enum body_connective { BODY_AND, BODY_OR, BODY_XOR };
struct body_value *body_connect(struct body *body, enum body_connective connective,
	const struct body_value *a, const struct body_value *b);

/* Of two indices, or of two conditions. */
struct body_value *body_select(struct body *body, const struct body_value *condition,
	const struct body_value *then, const struct body_value *otherwise);

/* Image "result" of a function whose parameters, in order, and dimensions are these. */
struct body_value *body_apply(struct body *body, layout_relation *function, unsigned result,
	const struct body_value *const *dims, const struct body_value *const *symbols);

/* { [arguments] -> [indices] : mask }; "mask" may be NULL.  And the same reversed, of
 * those images alone that are in range, 0 <= index < size. */
layout_relation *body_relation(struct body *body, const struct body_value *const *indices,
	unsigned count, const struct body_value *mask);
layout_relation *body_reversed(struct body *body, const struct body_value *const *indices,
	unsigned count, const struct body_value *const *sizes);

#endif
