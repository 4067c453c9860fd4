/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Index expressions: construction with folding and bounds, evaluation, printing. */
#include "isl_bridge/index.h"

#include <inttypes.h>
#include <stdlib.h>

/* Bounds while they are computed: wide enough for any one operation on 64-bit
 * numbers, so that nothing wraps.  A side of which nothing is known is INFINITE,
 * far outside 64 bits. */
__extension__ typedef __int128 wide;
#define INFINITE ((wide)1 << 100)

struct range {
	wide lo, hi;
};

static const struct range anything = { -INFINITE, INFINITE };
static const struct range truth = { 0, 1 };

static wide smaller(wide a, wide b)
{
	return a < b ? a : b;
}

static wide larger(wide a, wide b)
{
	return a > b ? a : b;
}

static bool is_infinite(wide x)
{
	return x <= -INFINITE || x >= INFINITE;
}

static struct range range_of(const struct index *index)
{
	return (struct range){
		index->min == INT64_MIN ? -INFINITE : index->min,
		index->max == INT64_MAX ? INFINITE : index->max,
	};
}

static struct range range_point(wide x)
{
	return (struct range){ x, x };
}

static struct range range_union(struct range a, struct range b)
{
	return (struct range){ smaller(a.lo, b.lo), larger(a.hi, b.hi) };
}

static bool range_is_known(struct range r, wide x)
{
	return r.lo == x && r.hi == x;
}

static bool range_has(struct range r, wide x)
{
	return r.lo <= x && x <= r.hi;
}

static wide floor_quotient(wide x, wide divisor)
{
	if (is_infinite(x))
		return x;
	return x / divisor - (x % divisor < 0);
}

/* The product of two bounds; 0 times infinity is 0. */
static wide product(wide x, wide y)
{
	if (x == 0 || y == 0)
		return 0;
	if (is_infinite(x) || is_infinite(y))
		return (x < 0) == (y < 0) ? INFINITE : -INFINITE;
	return x * y;
}

static struct range range_mul(struct range a, struct range b)
{
	struct range low = { product(a.lo, b.lo), product(a.lo, b.hi) };
	struct range high = { product(a.hi, b.lo), product(a.hi, b.hi) };

	return (struct range){
		smaller(smaller(low.lo, low.hi), smaller(high.lo, high.hi)),
		larger(larger(low.lo, low.hi), larger(high.lo, high.hi)),
	};
}

/* The part of a dividend's range that its operator admits. */
static struct range range_nonnegative(struct range a)
{
	return (struct range){ larger(a.lo, 0), larger(a.hi, 0) };
}

static struct range range_quotient(struct range a, struct range b)
{
	if (b.lo < 1 || b.lo != b.hi)
		return anything;
	return (struct range){ floor_quotient(a.lo, b.lo), floor_quotient(a.hi, b.lo) };
}

/* The remainder of a division that truncates: its sign is the dividend's. */
static struct range range_remainder(struct range a, struct range b)
{
	if (b.lo < 1 || b.lo != b.hi)
		return anything;
	if (a.lo > -b.lo && a.hi < b.lo)
		return a;
	return (struct range){
		a.lo < 0 ? larger(a.lo, 1 - b.lo) : 0,
		a.hi > 0 ? smaller(a.hi, b.lo - 1) : 0,
	};
}

static struct range range_decided(bool yes, bool no)
{
	if (yes)
		return range_point(1);
	return no ? range_point(0) : truth;
}

static struct range range_arithmetic(enum index_op op, struct range a, struct range b)
{
	switch (op) {
	case INDEX_ADD:
		return (struct range){ a.lo + b.lo, a.hi + b.hi };
	case INDEX_SUB:
		return (struct range){ a.lo - b.hi, a.hi - b.lo };
	case INDEX_MUL:
		return range_mul(a, b);
	case INDEX_MIN:
		return (struct range){ smaller(a.lo, b.lo), smaller(a.hi, b.hi) };
	case INDEX_MAX:
		return (struct range){ larger(a.lo, b.lo), larger(a.hi, b.hi) };
	case INDEX_DIV:
	case INDEX_FDIV:
		return range_quotient(a, b);
	case INDEX_PDIV:
		return range_quotient(range_nonnegative(a), b);
	case INDEX_PMOD:
		return range_remainder(range_nonnegative(a), b);
	case INDEX_ZMOD:
		return range_remainder(a, b);
	default:
		return anything;
	}
}

static struct range range_binary(enum index_op op, struct range a, struct range b)
{
	bool a_zero = range_is_known(a, 0), b_zero = range_is_known(b, 0);

	switch (op) {
	case INDEX_EQ:
		return range_decided(a.lo == a.hi && range_is_known(b, a.lo),
			a.hi < b.lo || b.hi < a.lo);
	case INDEX_LE:
		return range_decided(a.hi <= b.lo, a.lo > b.hi);
	case INDEX_LT:
		return range_decided(a.hi < b.lo, a.lo >= b.hi);
	case INDEX_GE:
		return range_decided(a.lo >= b.hi, a.hi < b.lo);
	case INDEX_GT:
		return range_decided(a.lo > b.hi, a.hi <= b.lo);
	case INDEX_AND:
		return range_decided(!range_has(a, 0) && !range_has(b, 0),
			a_zero || b_zero);
	case INDEX_OR:
		return range_decided(!range_has(a, 0) || !range_has(b, 0),
			a_zero && b_zero);
	default:
		return range_arithmetic(op, a, b);
	}
}

/* One operation on numbers; false where the result is beyond 64 bits, or for a
 * divisor that is not positive. */
static bool apply(enum index_op op, int64_t a, int64_t b, int64_t *value)
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
	default:
		return false;
	}
}

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

/* A bare node.  A range outside 64 bits belongs to a value that never comes to
 * be: nothing is known then. */
static struct index *node_new(enum index_op op, struct range range)
{
	struct index *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	if (range.lo > INT64_MAX || range.hi < INT64_MIN)
		range = anything;
	node->refs = 1;
	node->op = op;
	node->min = range.lo < INT64_MIN ? INT64_MIN : (int64_t)range.lo;
	node->max = range.hi > INT64_MAX ? INT64_MAX : (int64_t)range.hi;
	return node;
}

/* A node over arguments, which are consumed; a number where the range leaves
 * only one. */
static struct index *node_over(enum index_op op, struct range range, unsigned arg_count,
	struct index *a, struct index *b, struct index *c)
{
	struct index *args[3] = { a, b, c };
	struct index *node = NULL;

	if (range.lo == range.hi && range.lo >= INT64_MIN && range.lo <= INT64_MAX)
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
	else if (a->op == INDEX_INT && apply(INDEX_SUB, 0, a->value, &value))
		inner = index_int(value);
	if (inner) {
		index_free(a);
		return inner;
	}
	range = range_arithmetic(INDEX_SUB, range_point(0), range_of(a));
	return node_over(op, range, 1, a, NULL, NULL);
}

static bool is_int(const struct index *index, int64_t value)
{
	return index->op == INDEX_INT && index->value == value;
}

static bool is_truth(const struct index *index)
{
	return index->min >= 0 && index->max <= 1;
}

static struct index *keep_first(struct index *a, struct index *b)
{
	index_free(b);
	return a;
}

/* The rewritings below put their result into *result, NULL if memory ran out,
 * and return true with both arguments consumed; or false with neither. */
static bool become(struct index **result, struct index *index)
{
	*result = index;
	return true;
}

/* (x op c) op d is x op (c op d), for the operators where constants associate. */
static bool fuse_constants(enum index_op op, struct index *a, struct index *b,
	struct index **result)
{
	struct index *inner;
	int64_t value;

	if (b->op != INDEX_INT || a->op != op || a->arg[1]->op != INDEX_INT)
		return false;
	if (!apply(op, a->arg[1]->value, b->value, &value))
		return false;
	inner = index_copy(a->arg[0]);
	index_free(a);
	index_free(b);
	return become(result, index_binary(op, inner, index_int(value)));
}

/* A constant addend or factor is on the right by now. */
static bool simplify_add(struct index *a, struct index *b, struct index **result)
{
	struct index *negated;

	if (is_int(b, 0))
		return become(result, keep_first(a, b));
	if (b->op == INDEX_NEG) {
		negated = index_copy(b->arg[0]);
		index_free(b);
		return become(result, index_binary(INDEX_SUB, a, negated));
	}
	return fuse_constants(INDEX_ADD, a, b, result);
}

static bool simplify_sub(struct index *a, struct index *b, struct index **result)
{
	if (is_int(a, 0))
		return become(result, index_unary(INDEX_NEG, keep_first(b, a)));
	if (b->op == INDEX_NEG || (b->op == INDEX_INT && b->value != INT64_MIN))
		return become(result,
			index_binary(INDEX_ADD, a, index_unary(INDEX_NEG, b)));
	return false;
}

static bool simplify_mul(struct index *a, struct index *b, struct index **result)
{
	if (is_int(b, 1))
		return become(result, keep_first(a, b));
	if (is_int(b, -1))
		return become(result, index_unary(INDEX_NEG, keep_first(a, b)));
	return fuse_constants(INDEX_MUL, a, b, result);
}

static bool simplify_min_max(enum index_op op, struct index *a, struct index *b,
	struct index **result)
{
	struct range x = range_of(a), y = range_of(b);
	bool a_below = x.hi <= y.lo, b_below = y.hi <= x.lo;

	if (op == INDEX_MIN ? a_below : b_below)
		return become(result, keep_first(a, b));
	if (op == INDEX_MIN ? b_below : a_below)
		return become(result, keep_first(b, a));
	return false;
}

static bool simplify_div(struct index *a, struct index *b, struct index **result)
{
	return is_int(b, 1) && become(result, keep_first(a, b));
}

static bool simplify_mod(struct index *a, struct index *b, struct index **result)
{
	return b->op == INDEX_INT && a->min >= 0 && a->max < b->value &&
		become(result, keep_first(a, b));
}

/* x && 1 is x, x || 0 is x, where x is 0 or 1. */
static bool simplify_logic(enum index_op op, struct index *a, struct index *b,
	struct index **result)
{
	int64_t neutral = op == INDEX_AND;

	if (is_int(b, neutral) && is_truth(a))
		return become(result, keep_first(a, b));
	if (is_int(a, neutral) && is_truth(b))
		return become(result, keep_first(b, a));
	return false;
}

static bool simplify(enum index_op op, struct index *a, struct index *b,
	struct index **result)
{
	switch (op) {
	case INDEX_ADD:
		return simplify_add(a, b, result);
	case INDEX_SUB:
		return simplify_sub(a, b, result);
	case INDEX_MUL:
		return simplify_mul(a, b, result);
	case INDEX_MIN:
	case INDEX_MAX:
		return simplify_min_max(op, a, b, result);
	case INDEX_DIV:
	case INDEX_FDIV:
	case INDEX_PDIV:
		return simplify_div(a, b, result);
	case INDEX_PMOD:
	case INDEX_ZMOD:
		return simplify_mod(a, b, result);
	case INDEX_AND:
	case INDEX_OR:
		return simplify_logic(op, a, b, result);
	default:
		return false;
	}
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
	    apply(op, a->value, b->value, &value)) {
		index_free(a);
		index_free(b);
		return index_int(value);
	}
	if (simplify(op, a, b, &result))
		return result;
	op = strengthen(op, a);
	return node_over(op, range_binary(op, range_of(a), range_of(b)), 2, a, b, NULL);
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
		return keep_first(keep_first(yes, no), condition);
	if (range_is_known(range, 0) || yes == no)
		return keep_first(keep_first(no, yes), condition);
	range = range_union(range_of(yes), range_of(no));
	return node_over(INDEX_SELECT, range, 3, condition, yes, no);
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
			apply(INDEX_SUB, 0, a, value);
	default:
		return index_eval(index->arg[0], vars, &a) &&
			index_eval(index->arg[1], vars, &b) &&
			apply(index->op, a, b, value);
	}
}

/* How tightly C's operators bind, loosest first. */
enum binding {
	BINDS_SELECT,
	BINDS_OR,
	BINDS_AND,
	BINDS_EQUAL,
	BINDS_COMPARE,
	BINDS_SUM,
	BINDS_PRODUCT,
	BINDS_SIGN,
	BINDS_CALL,
};

static const struct notation {
	const char *text;	/* of an infix operator, or the name of a call */
	enum binding binding;
} notations[] = {
	[INDEX_ADD] = { " + ", BINDS_SUM },
	[INDEX_SUB] = { " - ", BINDS_SUM },
	[INDEX_MUL] = { " * ", BINDS_PRODUCT },
	[INDEX_NEG] = { "-", BINDS_SIGN },
	[INDEX_MIN] = { "min", BINDS_CALL },
	[INDEX_MAX] = { "max", BINDS_CALL },
	[INDEX_DIV] = { " / ", BINDS_PRODUCT },
	[INDEX_FDIV] = { "floord", BINDS_CALL },
	[INDEX_PDIV] = { " / ", BINDS_PRODUCT },
	[INDEX_PMOD] = { " % ", BINDS_PRODUCT },
	[INDEX_ZMOD] = { " % ", BINDS_PRODUCT },
	[INDEX_SELECT] = { " ? ", BINDS_SELECT },
	[INDEX_EQ] = { " == ", BINDS_EQUAL },
	[INDEX_LE] = { " <= ", BINDS_COMPARE },
	[INDEX_LT] = { " < ", BINDS_COMPARE },
	[INDEX_GE] = { " >= ", BINDS_COMPARE },
	[INDEX_GT] = { " > ", BINDS_COMPARE },
	[INDEX_AND] = { " && ", BINDS_AND },
	[INDEX_OR] = { " || ", BINDS_OR },
};

/* The smallest number is in parentheses already: it has no literal in C. */
static enum binding binding_of(const struct index *index)
{
	if (index->op == INDEX_INT)
		return index->value < 0 && index->value != INT64_MIN ?
			BINDS_SIGN : BINDS_CALL;
	return index->op == INDEX_VAR ? BINDS_CALL : notations[index->op].binding;
}

/* Print with parentheses where the operator around binds at least as "loosest". */
static void print_inside(struct layout_buffer *out, const struct index *index,
	const char *const *names, unsigned loosest)
{
	bool wrap = binding_of(index) < loosest;

	if (wrap)
		layout_buffer_printf(out, "(");
	index_print(out, index, names);
	if (wrap)
		layout_buffer_printf(out, ")");
}

static void print_int(struct layout_buffer *out, int64_t value)
{
	if (value == INT64_MIN)
		layout_buffer_printf(out, "(-%" PRId64 " - 1)", INT64_MAX);
	else
		layout_buffer_printf(out, "%" PRId64, value);
}

static void print_call(struct layout_buffer *out, const struct index *index,
	const char *const *names)
{
	layout_buffer_printf(out, "%s(", notations[index->op].text);
	index_print(out, index->arg[0], names);
	layout_buffer_printf(out, ", ");
	index_print(out, index->arg[1], names);
	layout_buffer_printf(out, ")");
}

static void print_select(struct layout_buffer *out, const struct index *index,
	const char *const *names)
{
	print_inside(out, index->arg[0], names, BINDS_OR);
	layout_buffer_printf(out, " ? ");
	index_print(out, index->arg[1], names);
	layout_buffer_printf(out, " : ");
	index_print(out, index->arg[2], names);
}

/* Sums associate, so a sum on the right of a plus needs no parentheses; nor do
 * "&&" and "||" in themselves.  Products on the right do: one may be a division. */
static bool associates(enum index_op op)
{
	return op == INDEX_ADD || op == INDEX_AND || op == INDEX_OR;
}

static void print_infix(struct layout_buffer *out, const struct index *index,
	const char *const *names)
{
	const struct index *left = index->arg[0], *right = index->arg[1];
	const struct notation *notation = &notations[index->op];
	bool scaled = index->op == INDEX_MUL && right->op == INDEX_INT &&
		binding_of(left) != BINDS_PRODUCT;

	if (scaled) {
		left = right;
		right = index->arg[0];
	}
	print_inside(out, left, names, notation->binding);
	if (index->op == INDEX_ADD && right->op == INDEX_INT &&
	    right->value < 0 && right->value != INT64_MIN) {
		layout_buffer_printf(out, " - %" PRId64, -right->value);
		return;
	}
	layout_buffer_printf(out, "%s", notation->text);
	print_inside(out, right, names, notation->binding + !associates(index->op));
}

void index_print(struct layout_buffer *out, const struct index *index,
	const char *const *names)
{
	switch (index->op) {
	case INDEX_INT:
		print_int(out, index->value);
		return;
	case INDEX_VAR:
		layout_buffer_printf(out, "%s", names[index->var]);
		return;
	case INDEX_NEG:
		layout_buffer_printf(out, "-");
		print_inside(out, index->arg[0], names, BINDS_CALL);
		return;
	case INDEX_MIN:
	case INDEX_MAX:
	case INDEX_FDIV:
		print_call(out, index, names);
		return;
	case INDEX_SELECT:
		print_select(out, index, names);
		return;
	default:
		print_infix(out, index, names);
		return;
	}
}
