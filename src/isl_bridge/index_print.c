/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/index.h"

#include <inttypes.h>


/* How tightly C's operators bind, loosest first. */
enum binding {
	BINDS_SELECT,
	BINDS_OR,
	BINDS_AND,
	BINDS_XOR,
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
	[INDEX_XOR] = { " ^ ", BINDS_XOR },
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
 * "&&", "||" and "^" in themselves.  Products on the right do: one may be a division. */
static bool associates(enum index_op op)
{
	return op == INDEX_ADD || op == INDEX_AND || op == INDEX_OR ||
		op == INDEX_XOR;
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
