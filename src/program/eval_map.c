/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on elements, each rounded to its type.
 *
 * Sums, products, quotients and roots of floats of at most 32 bits are computed as doubles,
 * whose rounding does not matter for the second one. */
#include "program/eval.h"

#include "program/element.h"

#include <math.h>

int eval_order(const struct element_type *type, uint64_t a, uint64_t b)
{
	double x, y;
	int64_t m, n;

	if (element_is_float(type)) {
		x = element_double(type, a);
		y = element_double(type, b);
		return isnan(x) || isnan(y) ? 2 : (x > y) - (x < y);
	}
	if (type->kind == 'u')
		return (a > b) - (a < b);
	m = element_integer(type, a);
	n = element_integer(type, b);
	return (m > n) - (m < n);
}

static bool compare(enum map_op op, int order)
{
	switch (op) {
	case MAP_LT:
		return order == -1;
	case MAP_LE:
		return order == -1 || order == 0;
	case MAP_GT:
		return order == 1;
	case MAP_GE:
		return order == 1 || order == 0;
	case MAP_EQ:
		return order == 0;
	default:
		return order != 0;
	}
}

/* A NaN where there is one, and of two zeros the one whose sign says which. */
static uint64_t extremum(enum map_op op, const struct element_type *type,
	const uint64_t *a)
{
	int order = eval_order(type, a[0], a[1]);
	bool first = op == MAP_MIN ? order <= 0 : order >= 0;

	if (order == 2)
		return type->nan;
	if (order == 0 && element_is_float(type))
		first = signbit(element_double(type, a[0])) ? op == MAP_MIN : op == MAP_MAX;
	return first ? a[0] : a[1];
}

static double apply_float(enum map_op op, double x, double y)
{
	switch (op) {
	case MAP_ADD:
		return x + y;
	case MAP_SUB:
		return x - y;
	case MAP_MUL:
		return x * y;
	case MAP_DIV:
		return x / y;
	case MAP_NEG:
		return -x;
	case MAP_EXP:
		return exp(x);
	case MAP_LOG:
		return log(x);
	case MAP_EXP2:
		return exp2(x);
	case MAP_LOG2:
		return log2(x);
	case MAP_SIN:
		return sin(x);
	case MAP_COS:
		return cos(x);
	case MAP_TANH:
		return tanh(x);
	case MAP_ERF:
		return erf(x);
	case MAP_SQRT:
		return sqrt(x);
	case MAP_RSQRT:
		return 1 / sqrt(x);
	case MAP_ABS:
		return fabs(x);
	case MAP_ROUND:
		return rint(x);
	case MAP_CEIL:
		return ceil(x);
	case MAP_TRUNC:
		return trunc(x);
	default:
		return floor(x);
	}
}

/* Towards 0; by 0 it is 0. */
static uint64_t divide(const struct element_type *type, uint64_t a, uint64_t b)
{
	int64_t x = element_integer(type, a), y = element_integer(type, b);

	if (y == 0)
		return 0;
	return type->kind == 'u' ? a / b : y == -1 ? -(uint64_t)x : (uint64_t)(x / y);
}

/* As 64 bits of which the type takes the lowest; of truth values the sum is lost bits, too. */
static uint64_t apply_integer(enum map_op op, const struct element_type *type,
	const uint64_t *a)
{
	uint64_t x = (uint64_t)element_integer(type, a[0]);
	uint64_t y = (uint64_t)element_integer(type, a[1]);

	switch (op) {
	case MAP_ADD:
		return x + y;
	case MAP_SUB:
		return x - y;
	case MAP_MUL:
		return x * y;
	case MAP_FMA:
		return x * y + (uint64_t)element_integer(type, a[2]);
	case MAP_DIV:
		return divide(type, a[0], a[1]);
	case MAP_NEG:
		return -x;
	case MAP_ABS:
		return type->kind == 'i' && (int64_t)x < 0 ? -x : x;
	default:
		return x;
	}
}

uint64_t eval_apply(enum map_op op, const struct element_type *type, const uint64_t *a)
{
	uint64_t bits;

	switch (op) {
	case MAP_LT:
	case MAP_LE:
	case MAP_GT:
	case MAP_GE:
	case MAP_EQ:
	case MAP_NE:
		return compare(op, eval_order(type, a[0], a[1]));
	case MAP_MIN:
	case MAP_MAX:
		return extremum(op, type, a);
	case MAP_SELECT:
		return a[0] ? a[1] : a[2];
	default:
		break;
	}
	if (!element_is_float(type)) {
		bits = apply_integer(op, type, a);
		return element_of_integer(type, (int64_t)(type->kind == 'b' ? bits & 1 : bits));
	}
	if (op == MAP_FMA)
		return element_fma(type, a[0], a[1], a[2]);
	return element_of_double(type, apply_float(op, element_double(type, a[0]),
		element_double(type, a[1])));
}

uint64_t eval_map(const struct eval *eval, const struct map_node *node,
	const uint64_t *operands)
{
	uint64_t args[3] = { 0 };

	for (unsigned i = 0; i < node->arg_count; i++)
		args[i] = eval_map(eval, node->arg[i], operands);
	switch (node->op) {
	case MAP_OPERAND:
		return operands[node->number];
	case MAP_NUMBER:
		return node->bits;
	case MAP_INDEX:
		return element_of_integer(node->type, eval->vars[node->number]);
	case MAP_CAST:
		return element_cast(node->type, node->arg[0]->type, args[0]);
	default:
		return eval_apply(node->op, node->arg[node->arg_count - 1]->type, args);
	}
}
