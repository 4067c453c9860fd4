/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/index_parts.h"

bool index_apply(enum index_op op, int64_t a, int64_t b, int64_t *value)
{
	*value = 0;
	switch (op) {
	case INDEX_ADD:
		return !__builtin_add_overflow(a, b, value);
	case INDEX_SUB:
		return !__builtin_sub_overflow(a, b, value);
	case INDEX_MUL:
		return !__builtin_mul_overflow(a, b, value);
	case INDEX_MIN:
		*value = a < b ? a : b;
		return true;
	case INDEX_MAX:
		*value = a > b ? a : b;
		return true;
	case INDEX_DIV:
	case INDEX_PDIV:
		*value = b > 0 ? a / b : 0;
		return b > 0;
	case INDEX_FDIV:
		*value = b > 0 ? a / b - (a % b < 0) : 0;
		return b > 0;
	case INDEX_PMOD:
	case INDEX_ZMOD:
		*value = b > 0 ? a % b : 0;
		return b > 0;
	case INDEX_EQ:
		*value = a == b;
		return true;
	case INDEX_LE:
		*value = a <= b;
		return true;
	case INDEX_LT:
		*value = a < b;
		return true;
	case INDEX_GE:
		*value = a >= b;
		return true;
	case INDEX_GT:
		*value = a > b;
		return true;
	case INDEX_AND:
		*value = a && b;
		return true;
	case INDEX_OR:
		*value = a || b;
		return true;
	case INDEX_XOR:
		*value = a ^ b;
		return true;
	default:
		return false;
	}
}

/* Only what decides the value is evaluated: an overflow in the other branch
 * does not matter. */
static bool eval_lazily(const struct index *index, const int64_t *vars, int64_t *value)
{
	int64_t first;

	if (!index_eval(index->arg[0], vars, &first))
		return false;
	if (index->op == INDEX_SELECT)
		return index_eval(index->arg[first ? 1 : 2], vars, value);
	*value = index->op == INDEX_OR;
	if (!first == (index->op == INDEX_AND))
		return true;
	if (!index_eval(index->arg[1], vars, value))
		return false;
	*value = *value != 0;
	return true;
}

bool index_eval(const struct index *index, const int64_t *vars, int64_t *value)
{
	int64_t a, b;

	switch (index->op) {
	case INDEX_INT:
		*value = index->value;
		return true;
	case INDEX_VAR:
		*value = vars[index->var];
		return true;
	case INDEX_SELECT:
	case INDEX_AND:
	case INDEX_OR:
		return eval_lazily(index, vars, value);
	case INDEX_NEG:
		return index_eval(index->arg[0], vars, &a) &&
			index_apply(INDEX_SUB, 0, a, value);
	default:
		return index_eval(index->arg[0], vars, &a) &&
			index_eval(index->arg[1], vars, &b) &&
			index_apply(index->op, a, b, value);
	}
}
