/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Index expressions: nodes, their reference counts, the constructors. */
#include "isl_bridge/index_parts.h"
#include "isl_bridge/index_range.h"
#include "isl_bridge/watch.h"

#include <stdlib.h>

struct index *index_copy(struct index *index)
{
	if (index)
		index->refs++;
	return index;
}

void index_free(struct index *index)
{
	if (!index || --index->refs)
		return;
	for (unsigned i = 0; i < index->arg_count; i++)
		index_free(index->arg[i]);
	free(index);
}

void index_list_free(struct index **list, unsigned count)
{
	for (unsigned i = 0; list && i < count; i++)
		index_free(list[i]);
	free(list);
}

struct index *index_ceil_div(struct index *dividend, int64_t divisor)
{
	return index_binary(INDEX_FDIV,
		index_binary(INDEX_ADD, dividend, index_int(divisor - 1)),
		index_int(divisor));
}

struct index *index_counter(unsigned var, const struct index *extent)
{
	int64_t most = extent->max;

	return index_var(var, 0, most == INT64_MAX ? most : most > 1 ? most - 1 : 0);
}

/* A bare node. */
static struct index *node_new(enum index_op op, struct range range)
{
	struct index *node = calloc(1, sizeof(*node));

	if (!node) {
		watch_lack();
		return NULL;
	}
	node->refs = 1;
	node->op = op;
	range_store(range, node);
	return node;
}

/* A node over arguments, which are consumed; a number where the range leaves
 * only one. */
static struct index *node_over(enum index_op op, struct range range, unsigned arg_count,
	struct index *a, struct index *b, struct index *c)
{
	struct index *args[3] = { a, b, c };
	struct index *node = NULL;

	if (range.lo == range.hi && range_fits(range))
		node = index_int((int64_t)range.lo);
	else
		node = node_new(op, range);
	if (node && node->op == op) {
		node->arg_count = arg_count;
		for (unsigned i = 0; i < arg_count; i++)
			node->arg[i] = index_copy(args[i]);
	}
	for (unsigned i = 0; i < arg_count; i++)
		index_free(args[i]);
	return node;
}

struct index *index_int(int64_t value)
{
	struct index *node = node_new(INDEX_INT, range_point(value));

	if (node)
		node->value = value;
	return node;
}

struct index *index_var(unsigned var, int64_t min, int64_t max)
{
	struct index *node = node_new(INDEX_VAR, (struct range){ min, max });

	if (node)
		node->var = var;
	return node;
}

/* The only unary operator is negation. */
struct index *index_unary(enum index_op op, struct index *a)
{
	struct index *inner = NULL;
	struct range range;
	int64_t value;

	if (!a)
		return NULL;
	if (a->op == INDEX_NEG)
		inner = index_copy(a->arg[0]);
	else if (a->op == INDEX_INT && index_apply(INDEX_SUB, 0, a->value, &value))
		inner = index_int(value);
	if (inner) {
		index_free(a);
		return inner;
	}
	range = range_binary(INDEX_SUB, range_point(0), range_of(a));
	return node_over(op, range, 1, a, NULL, NULL);
}

/* The cheaper operator of the same value, where the dividend is known to be
 * nonnegative. */
static enum index_op strengthen(enum index_op op, const struct index *a)
{
	if (a->min < 0)
		return op;
	if (op == INDEX_FDIV)
		return INDEX_PDIV;
	return op == INDEX_ZMOD ? INDEX_PMOD : op;
}

struct index *index_binary(enum index_op op, struct index *a, struct index *b)
{
	struct index *result;
	int64_t value;

	if (!a || !b) {
		index_free(a);
		index_free(b);
		return NULL;
	}
	if ((op == INDEX_ADD || op == INDEX_MUL) && a->op == INDEX_INT &&
	    b->op != INDEX_INT)
		return index_binary(op, b, a);
	if (a->op == INDEX_INT && b->op == INDEX_INT &&
	    index_apply(op, a->value, b->value, &value)) {
		index_free(a);
		index_free(b);
		return index_int(value);
	}
	if (index_simplify(op, a, b, &result))
		return result;
	op = strengthen(op, a);
	return node_over(op, range_binary(op, range_of(a), range_of(b)), 2, a, b, NULL);
}

static struct index *choose(struct index *chosen, struct index *other,
	struct index *condition)
{
	index_free(other);
	index_free(condition);
	return chosen;
}

struct index *index_select(struct index *condition, struct index *yes, struct index *no)
{
	struct range range;

	if (!condition || !yes || !no) {
		index_free(condition);
		index_free(yes);
		index_free(no);
		return NULL;
	}
	range = range_of(condition);
	if (!range_has(range, 0))
		return choose(yes, no, condition);
	if (range_is_known(range, 0) || yes == no)
		return choose(no, yes, condition);
	range = range_union(range_of(yes), range_of(no));
	return node_over(INDEX_SELECT, range, 3, condition, yes, no);
}
