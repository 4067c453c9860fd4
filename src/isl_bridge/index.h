/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Index expressions: what isl's AST says about an address, without isl.
 *
 * Trees over numbered variables, immutable and shared by reference count, so
 * that a kernel built from them outlives the context. */
#ifndef LAYOUT_BRIDGE_INDEX_H
#define LAYOUT_BRIDGE_INDEX_H

#include "isl_bridge/context.h"

enum index_op {
	INDEX_INT,	/* value */
	INDEX_VAR,	/* var */
	INDEX_ADD, INDEX_SUB, INDEX_MUL, INDEX_NEG,
	INDEX_MIN, INDEX_MAX,
	INDEX_DIV,	/* exact */
	INDEX_FDIV,	/* rounds towards minus infinity */
	INDEX_PDIV,	/* dividend >= 0 */
	INDEX_PMOD,	/* dividend >= 0 */
	INDEX_ZMOD,	/* only ever compared with 0; dividend of any sign */
	INDEX_SELECT,	/* arg[0] ? arg[1] : arg[2] */
	INDEX_EQ, INDEX_LE, INDEX_LT, INDEX_GE, INDEX_GT,
	INDEX_AND, INDEX_OR,
	INDEX_XOR,	/* bit by bit; both arguments >= 0 */
};

/* All divisors are positive constants.  Comparisons and AND, OR give 0 or 1.
 * "min" and "max" bound the value whenever every variable is in its own bounds;
 * INT64_MIN and INT64_MAX mean that nothing is known on that side. */
struct index {
	unsigned refs;
	enum index_op op;
	unsigned arg_count;
	struct index *arg[3];
	int64_t value;
	unsigned var;
	int64_t min, max;
};

/* Constructors consume their arguments and fold constants; NULL passes through. */
LAYOUT_INTERNAL struct index *index_int(int64_t value) LAYOUT_SYMBOL(index_int);
LAYOUT_INTERNAL struct index *index_var(unsigned var, int64_t min, int64_t max)
	LAYOUT_SYMBOL(index_var);
LAYOUT_INTERNAL struct index *index_unary(enum index_op op, struct index *a)
	LAYOUT_SYMBOL(index_unary);
LAYOUT_INTERNAL struct index *index_binary(enum index_op op, struct index *a,
	struct index *b) LAYOUT_SYMBOL(index_binary);
LAYOUT_INTERNAL struct index *index_select(struct index *condition, struct index *yes,
	struct index *no) LAYOUT_SYMBOL(index_select);
LAYOUT_INTERNAL struct index *index_copy(struct index *index) LAYOUT_SYMBOL(index_copy);
LAYOUT_INTERNAL void index_free(struct index *index) LAYOUT_SYMBOL(index_free);

/* Is it this constant?  NULL is none. */
static inline bool index_is(const struct index *index, int64_t value)
{
	return index && index->op == INDEX_INT && index->value == value;
}

/* ceil(dividend / divisor); and a variable that counts up to below "extent". */
struct index *index_ceil_div(struct index *dividend, int64_t divisor);
struct index *index_counter(unsigned var, const struct index *extent);

/* An allocated list, and its entries; it may be NULL. */
void index_list_free(struct index **list, unsigned count);

/* The value for these variables; false on 64-bit overflow. */
LAYOUT_INTERNAL bool index_eval(const struct index *index, const int64_t *vars,
	int64_t *value) LAYOUT_SYMBOL(index_eval);

/* As C would write it: floord(), min(), max(), names[var]. */
LAYOUT_INTERNAL void index_print(struct layout_buffer *out, const struct index *index,
	const char *const *names) LAYOUT_SYMBOL(index_print);

#endif
