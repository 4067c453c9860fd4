/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Questions: rows with witnesses, and random relations against their tables. */
#include "algebra/table.h"
#include "support/question.h"
#include "support/random.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const struct {
	enum question question;
	const char *relation, *set;
	layout_answer answer;
	const char *witness;
} rows[] = {
	{ FUNCTION, "{ [i] -> [i mod 4] }", NULL, LAYOUT_YES, NULL },
	{ FUNCTION, "{ [i] -> [j] : 0 <= j < i }", NULL, LAYOUT_NO, "(0), (1)" },
	{ FUNCTION, "[M] -> { [i] -> [j] : 0 <= j < M and 0 <= i }", NULL, LAYOUT_NO,
		"M = 2: (0), (1)" },
	{ FUNCTION, "[M] -> { [i] -> [j] : 0 <= j < M < 2 and 0 <= i }", NULL, LAYOUT_YES, NULL },
	{ FUNCTION, "{ [i] -> [i] : 1 = 0 }", NULL, LAYOUT_YES, NULL },
	{ INJECTIVE, "{ [i] -> [i mod 4] }", NULL, LAYOUT_NO, "(0), (4)" },
	{ INJECTIVE, "{ [i] -> [i mod 4] : 2 <= i < 6 }", NULL, LAYOUT_YES, NULL },
	{ INJECTIVE, "[M, K] -> { l[i, j] -> c[9i + j] : 0 <= i < M and 0 <= j < K }", NULL,
		LAYOUT_NO, "M = 2, K = 10: (0, 9), (1, 0)" },
	{ INJECTIVE, "[M, K] -> { l[i, j] -> c[9i + j] : 0 <= i < M and 0 <= j < K < 10 }", NULL,
		LAYOUT_YES, NULL },
	{ INJECTIVE, "[M] -> { [i] -> [] : 0 <= i < M }", NULL, LAYOUT_NO, "M = 2: (0), (1)" },
	{ SURJECTIVE, "[M] -> { [i] -> [2i] : 0 <= i < M }",
		"[M] -> { [o] : 0 <= o < 2M - 1 }", LAYOUT_NO, "M = 2: (1)" },
	{ SURJECTIVE, "[M] -> { [i] -> [i] : 0 <= i < M }", "[M] -> { [o] : 0 <= o < M }",
		LAYOUT_YES, NULL },
	{ SURJECTIVE, "{ [i] -> A[i] }", "{ B[i] }", LAYOUT_UNKNOWN, NULL },
	{ SURJECTIVE, "{ [i] -> [i] }", "{ [i, j] }", LAYOUT_UNKNOWN, NULL },
	{ SURJECTIVE, "[K] -> { [i] -> [i] : 0 <= i < 8 and K >= 0 }", "{ [i] : 0 <= i < 8 }",
		LAYOUT_YES, NULL },
	{ TOTAL, "{ A[i] -> [i] : i != 3 }", "{ A[i] : 0 <= i < 8 }", LAYOUT_NO, "(3)" },
	{ TOTAL, "{ A[i] -> [i] : i != 9 }", "{ [i] : 0 <= i < 8 }", LAYOUT_YES, NULL },
	{ BIJECTIVE, "{ [i] -> [7 - i] : 0 <= i < 8 }", "{ [i] : 0 <= i < 8 }", LAYOUT_YES, NULL },
	{ BIJECTIVE, "{ [i] -> [7 - i] : 0 <= i < 8 }", "{ [i] : 0 <= i < 9 }", LAYOUT_NO, "(8)" },
	{ BIJECTIVE, "{ [i] -> [0] : 0 <= i < 8 }", "{ [i] : 0 <= i < 1 }", LAYOUT_NO, "(0), (1)" },
	{ BIJECTIVE, "{ [i] -> [-i] : 0 <= i < 4 }", "{ [i] : 0 <= i < 1 }", LAYOUT_NO, "(-3)" },
	{ BIJECTIVE, "{ [i] -> [i] : 0 <= i < 5 }", "{ [i] : 0 <= i < 4 }", LAYOUT_NO, "(4)" },
	{ BIJECTIVE, "{ [i] -> [i] : 0 <= i < 9 }",
		"{ [i] : 0 <= i < 6 or 4 <= i < 9 }", LAYOUT_YES, NULL },
	{ BIJECTIVE, "{ [i] -> [i] : 0 <= i < 9 }",
		"{ [i] : 0 <= i < 6 or 4 <= i < 8 }", LAYOUT_NO, "(8)" },
	{ BIJECTIVE, "{ [i] -> [i mod 4, floor(i/4)] : 0 <= i < 12 }",
		"{ [i, j] : 0 <= i < 4 and 0 <= j < 2 }", LAYOUT_NO, "(0, 2)" },
	{ BIJECTIVE, "[M] -> { [i] -> [i] : 0 <= i < M }", "[M] -> { [i] : 0 <= i < M }",
		LAYOUT_YES, NULL },
	{ BIJECTIVE, "[M] -> { [i] -> [i] : 0 <= i <= M }", "[M] -> { [i] : 0 <= i < M }",
		LAYOUT_NO, "M = 0: (0)" },
	{ BIJECTIVE, "[M] -> { [i] -> [2i] : 0 <= i < M }", "[M] -> { [i] : 0 <= i < M }",
		LAYOUT_NO, "M = 2: (1)" },
	{ BIJECTIVE, "{ [i] -> [i] : 0 <= i < 9 }", "[M] -> { [i] : 0 <= i < 9 + M }",
		LAYOUT_NO, "M = 1: (9)" },
	{ BIJECTIVE, "{ [i] -> A[i] : 0 <= i < 9 }", "{ [i] : 0 <= i < 8 }", LAYOUT_NO, "(8)" },
	{ BIJECTIVE, "{ [i] -> A[i] : 0 <= i < 9 }", "{ B[i] : 0 <= i < 9 }", LAYOUT_UNKNOWN,
		NULL },
	{ BIJECTIVE, "{ [i] -> [2i] : 0 <= i < 300000 }",
		"{ [i] : 0 <= i < 599998 and i mod 2 = 0 }", LAYOUT_NO, "(599998)" },
};

static void answers_and_witnesses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *relation = layout_relation_read(ctx, rows[i].relation);
		layout_set *set = rows[i].set ? layout_set_read(ctx, rows[i].set) : NULL;
		layout_witness *witness = NULL;
		layout_answer answer = ask(rows[i].question, relation, set, &witness);

		if (answer != rows[i].answer)
			fail_msg("%s: answer %d, expected %d (%s)", rows[i].relation, answer,
				rows[i].answer, layout_context_message(ctx));
		if (rows[i].witness) {
			assert_non_null(witness);
			assert_string_equal(witness->text, rows[i].witness);
		} else {
			assert_null(witness);
		}
		if (answer == LAYOUT_UNKNOWN)
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
		assert_int_equal(ask(rows[i].question, relation, set, NULL), rows[i].answer);
		layout_witness_free(witness);
		layout_relation_free(relation);
		layout_set_free(set);
		assert_true(layout_context_free(ctx));
	}
}

static const struct {
	const char *a, *b;
	layout_answer answer;
	const char *witness;
} equal_rows[] = {
	{ "{ [i] -> [i mod 4] }", "{ [i] -> [i - 4*floor(i/4)] }", LAYOUT_YES, NULL },
	{ "{ [i] -> [i] : i < 9 }", "{ [i] -> [i] : i < 10 }", LAYOUT_NO,
		"at 9: nothing, there 9" },
	{ "[M] -> { [i] -> [i] : 0 <= i < M }", "[M] -> { [i] -> [i] : 0 <= i <= M }", LAYOUT_NO,
		"M = 1: at 1: nothing, there 1" },
	{ "[M] -> { [i] -> [i] : M >= 0 }", "{ [i] -> [i] }", LAYOUT_YES, NULL },
	{ "{ A[i] -> [i] }", "{ [i] -> [i] }", LAYOUT_YES, NULL },
	{ "{ A[i] -> [i] }", "{ B[i] -> [i] }", LAYOUT_UNKNOWN, NULL },
	{ "{ [i] -> [i] }", "{ [i] -> [i, i] }", LAYOUT_UNKNOWN, NULL },
};

static void equality(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(equal_rows) / sizeof(*equal_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *a = layout_relation_read(ctx, equal_rows[i].a);
		layout_relation *b = layout_relation_read(ctx, equal_rows[i].b);
		layout_witness *witness = NULL;

		assert_int_equal(layout_relation_equal(a, b, &witness), equal_rows[i].answer);
		if (equal_rows[i].witness)
			assert_string_equal(witness->text, equal_rows[i].witness);
		else
			assert_null(witness);
		layout_witness_free(witness);
		layout_relation_free(a);
		layout_relation_free(b);
		assert_true(layout_context_free(ctx));
	}
}

#define SIDE 5

/* What the table [x][y] of a relation says. */
static bool holds(enum question question, bool table[SIDE][SIDE])
{
	bool function = true, injective = true, surjective = true, total = true;

	for (int a = 0; a < SIDE; a++) {
		int images = 0, inputs = 0;

		for (int b = 0; b < SIDE; b++) {
			images += table[a][b];
			inputs += table[b][a];
		}
		function = function && images <= 1;
		total = total && images >= 1;
		injective = injective && inputs <= 1;
		surjective = surjective && inputs >= 1;
	}
	switch (question) {
	case FUNCTION:
		return function;
	case INJECTIVE:
		return injective;
	case SURJECTIVE:
		return surjective;
	case BIJECTIVE:
		return function && injective && surjective;
	case TOTAL:
		return total;
	}
	return false;
}

/* The witness of a "no" is one, by the table. */
static bool witnesses(enum question question, bool table[SIDE][SIDE],
	const layout_witness *witness)
{
	int64_t p = witness->points[0][0];
	int64_t q = witness->point_count == 2 ? witness->points[1][0] : -1;
	bool shared = false, reached = false;

	for (int k = 0; k < SIDE; k++) {
		if (q >= 0 && question == FUNCTION)
			shared = shared || (table[k][p] && table[k][q]);
		if (q >= 0 && question == INJECTIVE)
			shared = shared || (table[p][k] && table[q][k]);
		reached = reached || (question == TOTAL ? table[p][k] : table[k][p]);
	}
	return question == FUNCTION || question == INJECTIVE ? p != q && shared : !reached;
}

static void random_tables(void **state)
{
	uint64_t seed = 0xb5297a4d3f84d5b5;
	unsigned seen[2] = { 0 };

	(void)state;
	print_message("seed 0x%llx\n", (unsigned long long)seed);
	for (unsigned round = 0; round < 200; round++) {
		layout_context *ctx = layout_context_new();
		bool table[SIDE][SIDE] = { { false } };
		char text[2000] = "{ [x] -> [y] : 1 = 0";
		layout_relation *relation;
		layout_set *box = layout_set_read(ctx, "{ [i] : 0 <= i < 5 }");

		for (int x = 0; x < SIDE; x++) {
			unsigned y = (x * (round % 7) + round / 7) % SIDE;

			if (random_below(&seed, 8) == 0)
				y = random_below(&seed, SIDE);
			table[x][y] = random_below(&seed, 12) != 0;
			table[x][random_below(&seed, SIDE)] |= random_below(&seed, 12) == 0;
		}
		for (int x = 0; x < SIDE; x++)
			for (int y = 0; y < SIDE; y++)
				if (table[x][y])
					snprintf(text + strlen(text), sizeof(text) - strlen(text),
						" or (x = %d and y = %d)", x, y);
		strcat(text, " }");
		relation = layout_relation_read(ctx, text);
		for (int q = FUNCTION; q <= TOTAL; q++) {
			layout_witness *witness = NULL;
			bool yes = holds(q, table);
			layout_answer answer = ask(q, relation, box, &witness);

			if (answer != (yes ? LAYOUT_YES : LAYOUT_NO))
				fail_msg("question %d on %s: %d", q, text, answer);
			if (!yes && q != BIJECTIVE && !witnesses(q, table, witness))
				fail_msg("question %d on %s: witness %s", q, text, witness->text);
			seen[yes]++;
			layout_witness_free(witness);
		}
		layout_set_free(box);
		layout_relation_free(relation);
		assert_true(layout_context_free(ctx));
	}
	assert_true(seen[0] > 100);
	assert_true(seen[1] > 100);
}

static const char *const cute_texts[] = {
	"(4,8):(8,1)", "(4,3):(1,2)", "(2,3,2):(1,0,7)", "5:3", "(3,4):(4,1)", "(2,2):(-1,3)",
	"(6,2):(1,5)", "1:0", "(4,0):(1,4)", "(3,(2,2)):(2,(1,12))", "(2,2,2):(1,4,2)",
	"(2,3,2):(1,2,6)", "(2,2):(3,1)", "(2,3,2):(1,2,7)", "(3,4):(1,3)", "(3,4):(1,2)",
};

/* What a table answers is what isl answers: the same function is asked once as it
 * was built and once as isl reads its text, which knows no function. */
static void tables_agree_with_isl(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cute_texts) / sizeof(*cute_texts); i++) {
		layout_context *ctx = layout_context_new();
		layout_cute *cute = layout_cute_parse(ctx, cute_texts[i]);
		layout_relation *built = layout_cute_relation(cute), *read;
		char *text = layout_relation_str(built), box[80];
		layout_set *onto;

		read = layout_relation_read(ctx, text);
		snprintf(box, sizeof(box), "{ [o] : 0 <= o < %d }",
			(int)layout_cute_cosize(cute) - (int)(i % 2));
		onto = layout_set_read(ctx, i % 3 ? box : "{ [o] : 0 <= o < 2 }");
		for (int q = FUNCTION; q <= BIJECTIVE; q++) {
			layout_witness *a = NULL, *b = NULL;

			assert_int_equal(ask(q, built, onto, &a), ask(q, read, onto, &b));
			assert_int_equal(!a, !b);
			if (a)
				assert_string_equal(a->text, b->text);
			layout_witness_free(a);
			layout_witness_free(b);
		}
		layout_string_free(text);
		layout_set_free(onto);
		layout_relation_free(built);
		layout_relation_free(read);
		layout_cute_free(cute);
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_true(layout_context_free(ctx));
	}
}

/* Too large for tables and for isl: NULL where all is covered. */
static const struct {
	const char *text, *onto, *missing;
} large_rows[] = {
	{ "(2,2,2,2,2147483648,2):(1,4,8,32,2,16)", "{ [o] : 0 <= o < 4294967356 }", NULL },
	{ "(2,2,2,2,2147483648,2):(1,4,8,32,2,16)", "{ [o] : 7 <= o < 9 or o = 4294967355 }",
		NULL },
	{ "(2,2,2,2,2147483648,2):(1,4,8,32,2,16)", "{ [o] : 9 <= o <= 4294967356 }",
		"(4294967356)" },
	{ "(2147483648,3):(3,1)", "{ [o] : 0 <= o < 6442450944 }", NULL },
	{ "(2147483648,3):(4,1)", "{ [o] : 0 <= o < 8589934592 }", "(3)" },
	{ "(2147483648,5):(4,0)", "{ [o] : 0 <= o < 3 }", "(1)" },
};

static void large_layouts_cover(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(large_rows) / sizeof(*large_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_cute *cute = layout_cute_parse(ctx, large_rows[i].text);
		layout_relation *relation = layout_cute_relation(cute);
		layout_set *onto = layout_set_read(ctx, large_rows[i].onto);
		layout_witness *witness = NULL;

		assert_int_equal(layout_relation_is_surjective(relation, onto, &witness),
			large_rows[i].missing ? LAYOUT_NO : LAYOUT_YES);
		if (large_rows[i].missing)
			assert_string_equal(witness->text, large_rows[i].missing);
		layout_witness_free(witness);
		layout_set_free(onto);
		layout_relation_free(relation);
		layout_cute_free(cute);
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_true(layout_context_free(ctx));
	}
}

/* A witness of values beyond 64 bits is an error, not a wrong number. */
static void witnesses_do_not_wrap(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_relation *relation = layout_relation_read(ctx,
		"{ [i] -> [j] : i >= 100000000000000000000 and 0 <= j <= 1 and i = j + "
		"100000000000000000000 or i >= 100000000000000000000 and j = 0 }");
	layout_witness *witness = NULL;

	(void)state;
	assert_int_equal(layout_relation_is_injective(relation, &witness), LAYOUT_NO);
	assert_null(witness);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_OVERFLOW);
	layout_relation_free(relation);
	assert_true(layout_context_free(ctx));
}

/* A question that a table cannot answer, for values beyond 64 bits, goes to isl and
 * leaves no error. */
static void failed_tables_leave_no_error(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_value *value = layout_value_parse(ctx, "restrict(compose("
		"affine_map<(d0) -> (d0 * 9000000000000000000)>, "
		"affine_map<(d0) -> (d0 * 4)>), { [i] : 0 <= i < 3 })");
	layout_relation *relation = layout_value_relation(value);

	(void)state;
	assert_int_equal(layout_relation_is_injective(relation, NULL), LAYOUT_YES);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	layout_relation_free(relation);
	layout_value_free(value);
	assert_true(layout_context_free(ctx));
}

/* The first row that only one of two tables has, in whichever. */
static void tables_of_two_lengths(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_relation *relations[] = {
		layout_relation_read(ctx, "{ [i] -> [2i] : 0 <= i < 8 }"),
		layout_relation_read(ctx, "{ [i] -> [2i] : 0 <= i < 7 }") };
	struct table tables[2] = { { .rank = 0 }, { .rank = 0 } };

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		assert_true(table_build(&tables[i], relations[i]));
	for (unsigned i = 0; i < 2; i++) {
		layout_witness *witness = NULL;

		assert_int_equal(table_equal(&tables[i], &tables[1 - i], &witness),
			LAYOUT_NO);
		assert_string_equal(witness->text, "(7), (14)");
		layout_witness_free(witness);
	}
	for (unsigned i = 0; i < 2; i++) {
		table_free(&tables[i]);
		layout_relation_free(relations[i]);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_and_witnesses),
		cmocka_unit_test(equality),
		cmocka_unit_test(random_tables),
		cmocka_unit_test(tables_agree_with_isl),
		cmocka_unit_test(large_layouts_cover),
		cmocka_unit_test(witnesses_do_not_wrap),
		cmocka_unit_test(failed_tables_leave_no_error),
		cmocka_unit_test(tables_of_two_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
