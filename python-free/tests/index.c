/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Index expressions: folding, printing, bounds, evaluation. */
#include "isl_bridge/index.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define UNKNOWN_LOW INT64_MIN
#define UNKNOWN_HIGH INT64_MAX
#define VARS 4

/* a in [0, 9], b in [-5, 5], n >= 0, x any. */
static const char *const names[VARS] = { "a", "b", "n", "x" };
static const int64_t lows[VARS] = { 0, -5, 0, UNKNOWN_LOW };
static const int64_t highs[VARS] = { 9, 5, UNKNOWN_HIGH, UNKNOWN_HIGH };

/* Trees in postfix: a variable's letter, "#" for the next of "ints", or an
 * operator's letter from this table. */
static const struct {
	char letter;
	enum index_op op;
} letters[] = {
	{ '+', INDEX_ADD }, { '-', INDEX_SUB }, { '*', INDEX_MUL },
	{ 'm', INDEX_MIN }, { 'M', INDEX_MAX }, { '/', INDEX_DIV },
	{ 'f', INDEX_FDIV }, { 'p', INDEX_PDIV }, { '%', INDEX_PMOD },
	{ 'z', INDEX_ZMOD }, { '=', INDEX_EQ }, { 'l', INDEX_LE },
	{ '<', INDEX_LT }, { 'g', INDEX_GE }, { '>', INDEX_GT },
	{ '&', INDEX_AND }, { '|', INDEX_OR }, { '^', INDEX_XOR },
};

static struct index *variable(unsigned var)
{
	return index_var(var, lows[var], highs[var]);
}

static struct index *apply_letter(char letter, struct index **stack, unsigned *depth)
{
	struct index *a, *b;

	if (letter == '!')
		return index_unary(INDEX_NEG, stack[--*depth]);
	b = stack[--*depth];
	a = stack[--*depth];
	if (letter == '?')
		return index_select(stack[--*depth], a, b);
	for (unsigned i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (letters[i].letter == letter)
			return index_binary(letters[i].op, a, b);
	fail_msg("no operator '%c'", letter);
	return NULL;
}

static struct index *build(const char *postfix, const int64_t *ints)
{
	struct index *stack[16];
	unsigned depth = 0;

	for (; *postfix; postfix++) {
		struct index *top = NULL;

		for (unsigned v = 0; v < VARS; v++)
			if (*names[v] == *postfix)
				top = variable(v);
		if (*postfix == '#')
			top = index_int(*ints++);
		if (!top)
			top = apply_letter(*postfix, stack, &depth);
		stack[depth++] = top;
	}
	assert_int_equal(depth, 1);
	return stack[0];
}

static const struct row {
	const char *postfix;
	int64_t ints[4];
	const char *text;
	int64_t min, max;
} rows[] = {
	/* constants fold */
	{ "##+", { 2, 3 }, "5", 5, 5 },
	{ "##-", { 2, 3 }, "-1", -1, -1 },
	{ "##*", { -2, 3 }, "-6", -6, -6 },
	{ "#!", { 7 }, "-7", -7, -7 },
	{ "##f", { -7, 4 }, "-2", -2, -2 },
	{ "##f", { -8, 4 }, "-2", -2, -2 },
	{ "##p", { 7, 4 }, "1", 1, 1 },
	{ "##%", { 7, 4 }, "3", 3, 3 },
	{ "##z", { -7, 4 }, "-3", -3, -3 },
	{ "##m", { 4, -7 }, "-7", -7, -7 },
	{ "##M", { 4, -7 }, "4", 4, 4 },
	{ "##<", { 3, 3 }, "0", 0, 0 },
	{ "##l", { 3, 3 }, "1", 1, 1 },
	{ "##&", { 3, 0 }, "0", 0, 0 },
	{ "##|", { 3, 0 }, "1", 1, 1 },
	/* what overflows stays as it is */
	{ "##+", { INT64_MAX, 1 }, "9223372036854775807 + 1", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "##+", { INT64_MAX, 2 }, "9223372036854775807 + 2", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "x#+#+", { INT64_MAX, 9 }, "x + 9223372036854775807 + 9",
		UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "#!", { INT64_MAX }, "-9223372036854775807", -INT64_MAX, -INT64_MAX },
	{ "x#-", { INT64_MAX }, "x - 9223372036854775807", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "#!", { INT64_MIN }, "-(-9223372036854775807 - 1)", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "##*", { INT64_MIN, -1 }, "-(-9223372036854775807 - 1)",
		UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "x#-", { INT64_MIN }, "x - (-9223372036854775807 - 1)",
		UNKNOWN_LOW, UNKNOWN_HIGH },
	/* identities */
	{ "x#+", { 0 }, "x", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "#x+", { 0 }, "x", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "x#-", { 0 }, "x", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "#a-", { 0 }, "-a", -9, 0 },
	{ "x#*", { 1 }, "x", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "#x*", { 0 }, "0", 0, 0 },
	{ "a#*", { -1 }, "-a", -9, 0 },
	{ "a!!", { 0 }, "a", 0, 9 },
	{ "ab!+", { 0 }, "a - b", -5, 14 },
	{ "ab!-", { 0 }, "a + b", -5, 14 },
	{ "x#/", { 1 }, "x", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "x#f", { 1 }, "x", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "n#%", { 1 }, "0", 0, 0 },
	{ "a#%", { 10 }, "a", 0, 9 },
	{ "a#p", { 10 }, "0", 0, 0 },
	{ "a#+#-", { 3, 4 }, "a - 1", -1, 8 },
	{ "a#+#-", { 3, 3 }, "a", 0, 9 },
	{ "a#*#*", { 3, 4 }, "12 * a", 0, 108 },
	{ "ab<#&", { 1 }, "a < b", 0, 1 },
	{ "#ab<|", { 0 }, "a < b", 0, 1 },
	{ "ab<#&", { 0 }, "0", 0, 0 },
	{ "ab<#|", { 1 }, "1", 1, 1 },
	{ "x#&", { 1 }, "x && 1", 0, 1 },
	{ "#ab?", { 1 }, "a", 0, 9 },
	{ "#ab?", { 0 }, "b", -5, 5 },
	{ "#ab?", { -3 }, "a", 0, 9 },
	/* decided by bounds */
	{ "a#<", { 10 }, "1", 1, 1 },
	{ "a#<", { 9 }, "a < 9", 0, 1 },
	{ "a#l", { 9 }, "1", 1, 1 },
	{ "a#g", { 0 }, "1", 1, 1 },
	{ "a#>", { 9 }, "0", 0, 0 },
	{ "a#=", { 10 }, "0", 0, 0 },
	{ "n#=", { -1 }, "0", 0, 0 },
	{ "n#g", { 0 }, "1", 1, 1 },
	{ "n#l", { INT64_MAX }, "n <= 9223372036854775807", 0, 1 },
	{ "a#m", { 9 }, "a", 0, 9 },
	{ "a#m", { 8 }, "min(a, 8)", 0, 8 },
	{ "a#M", { -1 }, "a", 0, 9 },
	{ "a#M", { 9 }, "9", 9, 9 },
	{ "a#<xn?", { 20 }, "x", UNKNOWN_LOW, UNKNOWN_HIGH },
	/* bounds */
	{ "ab+", { 0 }, "a + b", -5, 14 },
	{ "ab-", { 0 }, "a - b", -5, 14 },
	{ "ab*", { 0 }, "a * b", -45, 45 },
	{ "n#+", { 5 }, "n + 5", 5, UNKNOWN_HIGH },
	{ "n#*", { -3 }, "-3 * n", UNKNOWN_LOW, 0 },
	{ "an-", { 0 }, "a - n", UNKNOWN_LOW, 9 },
	{ "nn*", { 0 }, "n * n", 0, UNKNOWN_HIGH },
	{ "n#m", { 7 }, "min(n, 7)", 0, 7 },
	{ "b#f", { 4 }, "floord(b, 4)", -2, 1 },
	{ "b#z", { 4 }, "b % 4", -3, 3 },
	{ "b#z", { 7 }, "b % 7", -5, 5 },
	{ "x#z", { 4 }, "x % 4", -3, 3 },
	{ "n#z", { 4 }, "n % 4", 0, 3 },
	{ "n#f", { 4 }, "n / 4", 0, UNKNOWN_HIGH },
	{ "x#p", { 4 }, "x / 4", 0, UNKNOWN_HIGH },
	{ "b#p", { 2 }, "b / 2", 0, 2 },
	{ "b#/", { 2 }, "b / 2", -3, 2 },
	{ "b#%", { 3 }, "b % 3", 0, 2 },
	{ "x#<ab?", { 3 }, "x < 3 ? a : b", -5, 9 },
	{ "a#*", { INT64_MAX }, "9223372036854775807 * a", 0, UNKNOWN_HIGH },
	/* digits */
	{ "nn#p#*-", { 4, 4 }, "n % 4", 0, 3 },
	{ "nn#p#*+", { 4, -4 }, "n % 4", 0, 3 },
	{ "n#p#*!n+", { 4, 4 }, "n % 4", 0, 3 },
	{ "n#p#*n-", { 4, 4 }, "-(n % 4)", -3, 0 },
	{ "nn#p#*-", { 16, 16 }, "n % 16", 0, 15 },
	{ "n#pn#p#*-", { 4, 32, 8 }, "n / 4 % 8", 0, 7 },
	{ "n#pn#p#*+", { 4, 32, -8 }, "n / 4 % 8", 0, 7 },
	{ "n#fn#f#*-", { 4, 32, 8 }, "n / 4 % 8", 0, 7 },
	{ "n#*n#p#*-", { 16, 8, 128 }, "n % 8 * 16", 0, 112 },
	{ "n#p#*n#p#*-", { 4, 3, 32, 24 }, "n / 4 % 8 * 3", 0, 21 },
	{ "xx#p#*-", { 4, 4 }, "x % 4", 0, 3 },
	{ "ab+a#p#*-", { 4, 4 }, "a % 4 + b", -5, 8 },
	{ "bn+n#p#*-", { 4, 4 }, "b + n % 4", -5, 8 },
	{ "ba#p#*-a+", { 4, 4 }, "b + a % 4", -5, 8 },
	{ "ab#++ab#++#p#*-", { 5, 5, 4, 4 }, "(a + b + 5) % 4", 0, 3 },
	{ "aab+#p#*-b+", { 4, 4 }, "(a + b) % 4", 0, 3 },
	{ "ab+#*ab+#p#*-", { 3, 4, 12 }, "(a + b) % 4 * 3", 0, 9 },
	/* what is no digit, or could overflow in another order */
	{ "an#p#*-", { 4, 4 }, "a - n / 4 * 4", UNKNOWN_LOW, 9 },
	{ "nn#p#*-", { 4, 3 }, "n - n / 4 * 3", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "nn#p#*+", { 4, 4 }, "n + n / 4 * 4", 0, UNKNOWN_HIGH },
	{ "n#pn#p#*-", { 8, 20, 8 }, "n / 8 - n / 20 * 8", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "bb#f#*-", { 4, 4 }, "b - 4 * floord(b, 4)", -9, 13 },
	{ "xn+n#p#*-", { 4, 4 }, "x + n - n / 4 * 4", UNKNOWN_LOW, UNKNOWN_HIGH },
	/* quotients of sums */
	{ "a#*b#++#f", { 16, 5, 16 }, "a", 0, 9 },
	{ "a#*b#++#f", { 16, 5, 64 }, "a / 4", 0, 2 },
	{ "a#*b#++#f", { 4, 5, 4 }, "a + (b + 5) / 4", 0, 11 },
	{ "a#*b#++#f", { 8, 5, 16 }, "(8 * a + b + 5) / 16", 0, 5 },
	{ "b#*a+#f", { 16, 32 }, "floord(b, 2)", -3, 2 },
	{ "a#*b+#f", { 16, 16 }, "floord(16 * a + b, 16)", -1, 9 },
	{ "n#*#p", { 12, 8 }, "3 * n / 2", 0, UNKNOWN_HIGH },
	{ "x#*#p", { 16, 4 }, "16 * x / 4", 0, UNKNOWN_HIGH },
	{ "n#*a+#p", { 16, 16 }, "(16 * n + a) / 16", 0, UNKNOWN_HIGH },
	/* exclusive or */
	{ "an^", { 0 }, "a ^ n", 0, UNKNOWN_HIGH },
	{ "a#^", { 7 }, "a ^ 7", 0, 15 },
	{ "aa#^^", { 16 }, "a ^ a ^ 16", 0, 31 },
	{ "##^", { 12, 10 }, "6", 6, 6 },
	{ "n#^", { 0 }, "n", 0, UNKNOWN_HIGH },
	{ "#n^", { 0 }, "n", 0, UNKNOWN_HIGH },
	{ "a#^n#%#*^", { 3, 8, 4 }, "a ^ 3 ^ n % 8 * 4", 0, 31 },
	{ "an^#*", { 2 }, "2 * (a ^ n)", 0, UNKNOWN_HIGH },
	{ "ab+an^=", { 0 }, "a + b == (a ^ n)", 0, 1 },
	{ "a#+n^", { 1 }, "a + 1 ^ n", 0, UNKNOWN_HIGH },
	{ "an^n&", { 0 }, "a ^ n && n", 0, 1 },
	/* parentheses */
	{ "ab+x*", { 0 }, "(a + b) * x", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "ab+#*", { 4 }, "4 * (a + b)", -20, 56 },
	{ "ab*#*", { 4 }, "a * b * 4", -180, 180 },
	{ "abx++", { 0 }, "a + b + x", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "abx+-", { 0 }, "a - (b + x)", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "abx--", { 0 }, "a - (b - x)", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "x#%a*", { 4 }, "x % 4 * a", 0, 27 },
	{ "ax#%*", { 4 }, "a * (x % 4)", 0, 27 },
	{ "x#%#*a+", { 4, 16 }, "x % 4 * 16 + a", 0, 57 },
	{ "ax#*+#%", { 3, 4 }, "(a + 3 * x) % 4", 0, 3 },
	{ "ab+!", { 0 }, "-(a + b)", -14, 5 },
	{ "ab*!", { 0 }, "-(a * b)", -45, 45 },
	{ "x!#-", { 2 }, "-x - 2", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "xa#-b+f", { 2 }, "floord(x, a - 2 + b)", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "ax<bx>&", { 0 }, "a < x && b > x", 0, 1 },
	{ "ax<bx>|ab=&", { 0 }, "(a < x || b > x) && a == b", 0, 1 },
	{ "ax<bx>&ab=|", { 0 }, "a < x && b > x || a == b", 0, 1 },
	{ "ax<b=", { 0 }, "a < x == b", 0, 1 },
	{ "abx<=", { 0 }, "a == b < x", 0, 1 },
	{ "abx==", { 0 }, "a == (b == x)", 0, 1 },
	{ "ax<ab?#+", { 1 }, "(a < x ? a : b) + 1", -4, 10 },
	{ "ax<bx<ab?x?", { 0 }, "a < x ? b < x ? a : b : x", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "ax<abx<bx??", { 0 }, "a < x ? a : b < x ? b : x", UNKNOWN_LOW, UNKNOWN_HIGH },
	{ "ab<ax<bx<?ab?", { 0 }, "(a < b ? a < x : b < x) ? a : b", -5, 9 },
};

static void check_row(const struct row *row)
{
	struct index *index = build(row->postfix, row->ints);
	struct layout_buffer text = { 0 };

	assert_non_null(index);
	index_print(&text, index, names);
	if (strcmp(text.text, row->text) || index->min != row->min ||
	    index->max != row->max)
		fail_msg("%s: got %s in [%" PRId64 ", %" PRId64 "], not %s in [%" PRId64
			", %" PRId64 "]", row->postfix, text.text, index->min, index->max,
			row->text, row->min, row->max);
	free(text.text);
	index_free(index);
}

static void test_rows(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(&rows[i]);
}

/* Values that fit, and ones that do not. */
static const struct {
	const char *postfix;
	int64_t ints[3];
	int64_t vars[VARS];
	bool fits;
	int64_t value;
} evaluations[] = {
	{ "x#f", { 4 }, { 0, 0, 0, -1 }, true, -1 },
	{ "x#f", { 4 }, { 0, 0, 0, INT64_MIN }, true, INT64_MIN / 4 },
	{ "x#z", { 4 }, { 0, 0, 0, -5 }, true, -1 },
	{ "x#p", { 4 }, { 0, 0, 0, 11 }, true, 2 },
	{ "x#%", { 4 }, { 0, 0, 0, 11 }, true, 3 },
	{ "x!", { 0 }, { 0, 0, 0, INT64_MIN }, false, 0 },
	{ "x#+", { 1 }, { 0, 0, 0, INT64_MAX }, false, 0 },
	{ "x#+", { 1 }, { 0, 0, 0, INT64_MAX - 1 }, true, INT64_MAX },
	{ "x#-", { 1 }, { 0, 0, 0, INT64_MIN }, false, 0 },
	{ "nx*", { 0 }, { 0, 0, 1ll << 32, 1ll << 31 }, false, 0 },
	{ "nx*", { 0 }, { 0, 0, 1ll << 31, 1ll << 31 }, true, 1ll << 62 },
	{ "xa%", { 0 }, { 0, 0, 0, 7 }, false, 0 },
	{ "xaf", { 0 }, { 0, 0, 0, 7 }, false, 0 },
	/* an overflow in what is not looked at does not matter */
	{ "xa<xx*a?", { 0 }, { 3, 0, 0, INT64_MAX }, true, 3 },
	{ "xa<axx*?", { 0 }, { 3, 0, 0, INT64_MAX }, false, 0 },
	{ "xa<xx*&", { 0 }, { 3, 0, 0, INT64_MAX }, true, 0 },
	{ "xa>xx*&", { 0 }, { 3, 0, 0, INT64_MAX }, false, 0 },
	{ "xa>xx*|", { 0 }, { 3, 0, 0, INT64_MAX }, true, 1 },
	{ "xaf#=", { 7 }, { 1, 0, 0, 7 }, true, 1 },
	{ "ax&", { 0 }, { 2, 0, 0, 7 }, true, 1 },
	{ "an^", { 0 }, { 5, 0, 12, 0 }, true, 9 },
	{ "an^", { 0 }, { 5, 0, INT64_MAX, 0 }, true, INT64_MAX - 5 },
};

static void test_evaluations(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(evaluations) / sizeof(*evaluations); i++) {
		const char *postfix = evaluations[i].postfix;
		struct index *index = build(postfix, evaluations[i].ints);
		int64_t expected = evaluations[i].fits ? evaluations[i].value : 0;
		int64_t value = 0;
		bool fits = index_eval(index, evaluations[i].vars, &value);

		if (fits != evaluations[i].fits || (fits && value != expected))
			fail_msg("row %u, %s: %d, %" PRId64, i, postfix, fits, value);
		index_free(index);
	}
}

static void test_null_passes(void **state)
{
	(void)state;
	assert_null(index_unary(INDEX_NEG, NULL));
	assert_null(index_binary(INDEX_ADD, NULL, index_int(1)));
	assert_null(index_binary(INDEX_ADD, variable(0), NULL));
	assert_null(index_select(NULL, variable(0), variable(1)));
	assert_null(index_select(variable(0), NULL, variable(1)));
	assert_null(index_select(variable(0), variable(1), NULL));
	assert_null(index_copy(NULL));
	index_free(NULL);
}

static void test_sharing(void **state)
{
	struct index *a = variable(0);
	struct index *twice = index_binary(INDEX_MUL, index_copy(a), index_copy(a));
	int64_t vars[VARS] = { 7 }, value;

	(void)state;
	index_free(a);
	assert_true(index_eval(twice, vars, &value));
	assert_int_equal(value, 49);
	index_free(twice);
}

/* Random trees.  The reference is a tree of its own, without folding, evaluated
 * in 128 bits. */
__extension__ typedef __int128 wide;

struct reference {
	enum index_op op;
	int64_t value;
	unsigned var;
	unsigned arg[3];
};

struct random_tree {
	struct reference nodes[256];
	unsigned count;
	bool too_big;		/* a value on the way to the result left 64 bits */
};

static const int64_t random_lows[3] = { -4, 0, -1 };
static const int64_t random_highs[3] = { 3, 6, 2 };

static uint64_t random_state;

static unsigned random_below(unsigned n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)((random_state >> 11) % n);
}

static int64_t random_int(void)
{
	static const int64_t corners[] = { INT64_MAX, INT64_MIN, INT64_MAX - 2, 1ll << 32,
		-(1ll << 62), INT32_MAX };

	if (!random_below(16))
		return corners[random_below(sizeof(corners) / sizeof(*corners))];
	return (int64_t)random_below(13) - 6;
}

static unsigned add_node(struct random_tree *tree, struct reference node)
{
	tree->nodes[tree->count] = node;
	return tree->count++;
}

static unsigned add_int(struct random_tree *tree, int64_t value)
{
	return add_node(tree, (struct reference){ .op = INDEX_INT, .value = value });
}

static unsigned add_binary(struct random_tree *tree, enum index_op op, unsigned a,
	unsigned b)
{
	return add_node(tree, (struct reference){ .op = op, .arg = { a, b } });
}

/* A divisor, and the dividend made into one that the operator takes: not negative,
 * or a multiple. */
static void random_divisor(struct random_tree *tree, struct reference *node,
	struct index **arg)
{
	int64_t divisor = 1 + (int64_t)random_below(6);
	unsigned a = node->arg[0];

	if (node->op == INDEX_PDIV || node->op == INDEX_PMOD) {
		node->arg[0] = add_binary(tree, INDEX_MAX, a, add_int(tree, 0));
		arg[0] = index_binary(INDEX_MAX, arg[0], index_int(0));
	}
	if (node->op == INDEX_DIV) {
		node->arg[0] = add_binary(tree, INDEX_MUL, a, add_int(tree, divisor));
		arg[0] = index_binary(INDEX_MUL, arg[0], index_int(divisor));
	}
	node->arg[1] = add_int(tree, divisor);
	arg[1] = index_int(divisor);
}

static unsigned random_leaf(struct random_tree *tree, struct index **index)
{
	unsigned var = random_below(3);
	int64_t value;

	if (random_below(2)) {
		*index = index_var(var, random_lows[var], random_highs[var]);
		return add_node(tree, (struct reference){ .op = INDEX_VAR, .var = var });
	}
	value = random_int();
	*index = index_int(value);
	return add_int(tree, value);
}

/* Two arguments made into ones that are not negative. */
static void random_bits(struct random_tree *tree, struct reference *node,
	struct index **arg)
{
	for (unsigned i = 0; i < 2; i++) {
		node->arg[i] = add_binary(tree, INDEX_MAX, node->arg[i], add_int(tree, 0));
		arg[i] = index_binary(INDEX_MAX, arg[i], index_int(0));
	}
}

static bool divides(enum index_op op)
{
	return op >= INDEX_DIV && op <= INDEX_ZMOD;
}

/* A tree, and in *index the same from the constructors. */
static unsigned random_tree(struct random_tree *tree, unsigned depth,
	struct index **index)
{
	unsigned operators = INDEX_XOR + 1 - INDEX_ADD;
	struct reference node = { .op = INDEX_ADD + random_below(operators) };
	struct index *arg[3] = { NULL };

	if (!depth || !random_below(8))
		return random_leaf(tree, index);
	node.arg[0] = random_tree(tree, depth - 1, &arg[0]);
	if (divides(node.op))
		random_divisor(tree, &node, arg);
	else if (node.op != INDEX_NEG)
		node.arg[1] = random_tree(tree, depth - 1, &arg[1]);
	if (node.op == INDEX_XOR)
		random_bits(tree, &node, arg);
	if (node.op == INDEX_SELECT)
		node.arg[2] = random_tree(tree, depth - 1, &arg[2]);

	if (node.op == INDEX_NEG)
		*index = index_unary(INDEX_NEG, arg[0]);
	else if (node.op == INDEX_SELECT)
		*index = index_select(arg[0], arg[1], arg[2]);
	else
		*index = index_binary(node.op, arg[0], arg[1]);
	return add_node(tree, node);
}

static wide reference_value(struct random_tree *tree, unsigned at, const int64_t *vars);

static wide reference_binary(enum index_op op, wide a, wide b)
{
	wide floor = 0;

	switch (op) {
	case INDEX_ADD: return a + b;
	case INDEX_SUB: return a - b;
	case INDEX_MUL: return a * b;
	case INDEX_MIN: return a < b ? a : b;
	case INDEX_MAX: return a < b ? b : a;
	case INDEX_FDIV:
		floor = a / b;
		while (floor * b > a)
			floor--;
		return floor;
	case INDEX_DIV:
	case INDEX_PDIV: return a / b;
	case INDEX_PMOD:
	case INDEX_ZMOD: return a - a / b * b;
	case INDEX_EQ: return a == b;
	case INDEX_LE: return a <= b;
	case INDEX_LT: return a < b;
	case INDEX_GE: return a >= b;
	case INDEX_GT: return a > b;
	case INDEX_XOR: return a ^ b;
	default:
		fail_msg("operator %d", op);
		return 0;
	}
}

static wide reference_inner(struct random_tree *tree, unsigned at, const int64_t *vars)
{
	const struct reference *node = &tree->nodes[at];
	wide a, b;

	if (node->op == INDEX_INT)
		return node->value;
	if (node->op == INDEX_VAR)
		return vars[node->var];
	a = reference_value(tree, node->arg[0], vars);
	switch (node->op) {
	case INDEX_NEG:
		return -a;
	case INDEX_SELECT:
		return reference_value(tree, node->arg[a ? 1 : 2], vars);
	case INDEX_AND:
		return a && reference_value(tree, node->arg[1], vars);
	case INDEX_OR:
		return a || reference_value(tree, node->arg[1], vars);
	default:
		b = reference_value(tree, node->arg[1], vars);
		return reference_binary(node->op, a, b);
	}
}

/* Saturated to 64 bits, so that what is above does not wrap either. */
static wide reference_value(struct random_tree *tree, unsigned at, const int64_t *vars)
{
	wide value = reference_inner(tree, at, vars);

	if (value >= INT64_MIN && value <= INT64_MAX)
		return value;
	tree->too_big = true;
	return value < 0 ? INT64_MIN : INT64_MAX;
}

/* Where every value on the way fits, the folded tree has the same value, and it
 * is within its bounds. */
static void check_point(struct random_tree *tree, unsigned root,
	const struct index *index, const int64_t *vars, uint64_t seed)
{
	int64_t value;
	wide expected;

	tree->too_big = false;
	expected = reference_value(tree, root, vars);
	if (tree->too_big)
		return;
	if (!index_eval(index, vars, &value) || value != expected)
		fail_msg("seed %" PRIu64 ": %" PRId64 " is not %" PRId64, seed, value,
			(int64_t)expected);
	if (value < index->min || value > index->max)
		fail_msg("seed %" PRIu64 ": %" PRId64 " outside [%" PRId64 ", %" PRId64
			"]", seed, value, index->min, index->max);
}

static void check_points(struct random_tree *tree, unsigned root,
	const struct index *index, uint64_t seed)
{
	const int64_t *lo = random_lows, *hi = random_highs;
	int64_t vars[3];

	for (vars[0] = lo[0]; vars[0] <= hi[0]; vars[0]++)
		for (vars[1] = lo[1]; vars[1] <= hi[1]; vars[1]++)
			for (vars[2] = lo[2]; vars[2] <= hi[2]; vars[2]++)
				check_point(tree, root, index, vars, seed);
}

/* An operation, in the reference and from the constructors. */
static unsigned join(struct random_tree *tree, enum index_op op, unsigned a, unsigned b,
	struct index **left, struct index *right)
{
	*left = index_binary(op, *left, right);
	return add_binary(tree, op, a, b);
}

/* A sum of two multiples of variables and a number. */
static unsigned random_linear(struct random_tree *tree, struct index **index)
{
	int64_t value = (int64_t)random_below(80) - 8;
	unsigned root = add_int(tree, value);

	*index = index_int(value);
	for (unsigned var = 0; var < 2; var++) {
		int64_t factor = 1ll << random_below(6);
		struct index *term = index_var(var, random_lows[var], random_highs[var]);
		unsigned at = add_node(tree,
			(struct reference){ .op = INDEX_VAR, .var = var });

		at = join(tree, INDEX_MUL, at, add_int(tree, factor), &term,
			index_int(factor));
		root = join(tree, INDEX_ADD, root, at, index, term);
	}
	return root;
}

/* Sums and differences of multiples of quotients of one sum: these have digits. */
static unsigned random_digits(struct random_tree *tree, struct index **index)
{
	static const int64_t factors[10] = { 1, 2, 3, 4, 8, 12, -1, -2, -4, -12 };
	struct index *linear;
	unsigned of = random_linear(tree, &linear), root = add_int(tree, 0);

	*index = index_int(0);
	for (unsigned i = 0; i < 3; i++) {
		int64_t divisor = 1ll << random_below(6);
		int64_t factor = factors[random_below(10)];
		struct index *term = index_copy(linear);
		unsigned at = join(tree, INDEX_FDIV, of, add_int(tree, divisor), &term,
			index_int(divisor));

		at = join(tree, INDEX_MUL, at, add_int(tree, factor), &term,
			index_int(factor));
		root = join(tree, random_below(2) ? INDEX_ADD : INDEX_SUB, root, at,
			index, term);
	}
	index_free(linear);
	return root;
}

static void test_random_digits(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 5000; seed++) {
		struct random_tree tree = { .count = 0 };
		struct index *index = NULL;
		unsigned root;

		random_state = seed * 0x9e3779b97f4a7c15u;
		root = random_digits(&tree, &index);
		assert_non_null(index);
		check_points(&tree, root, index, seed);
		index_free(index);
	}
}

static void test_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20000; seed++) {
		struct random_tree tree = { .count = 0 };
		struct index *index = NULL;
		unsigned root;

		random_state = seed * 0x9e3779b97f4a7c15u;
		root = random_tree(&tree, 1 + (unsigned)(seed % 3), &index);
		assert_non_null(index);
		check_points(&tree, root, index, seed);
		index_free(index);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_evaluations),
		cmocka_unit_test(test_null_passes),
		cmocka_unit_test(test_sharing),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_random_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
