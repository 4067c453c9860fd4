/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stores to where tiles say: with the promise that no element is stored to twice, and what is
 * told of those that break it. */
#include "support/program_check.h"
#include "support/random.h"
#include "support/share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *const targets[] = { "host", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1200",
	"sm_90" };

/* Rows of X, of T that there are, to where P says, of S; several waves hold P's numbers, and
 * lanes that are at work together store to rows of which nothing is known. */
#define HEAD "program p(X: in row_major[T, H] %s, P: in row_major[T] i32, Y: inout %s %s) { " \
	"grid (t, h) in (ceil(T/16), ceil(H/64)) workers w in %s " \
	"p = load P[16*t] : [16] (pad = -1) i = view p expand 0 into (16, 1) " \
	"x = load X[16*t, 64*h] : [16, 64] "

static const struct row {
	const char *type, *storage, *workers, *body;
} rows[] = {
	{ "f16", "row_major[S, H]", "4", "store x -> Y[i, 64*h] (unique)" },
	{ "f32", "row_major[S, H]", "2 x 2", "store x -> Y[i, 64*h] (unique)" },
	{ "i8", "row_major[S, H]", "1", "store x -> Y[i, 64*h] (unique)" },
	{ "f64", "strided[S, H : H + 3, 1]", "1", "store x -> Y[i, 64*h] (unique)" },
	/* to columns, whose rows lie apart */
	{ "f32", "row_major[H, S]", "2", "z = view x permute [1, 0] j = view p expand 0 into (1, 16) "
		"store z -> Y[64*h, j] (unique)" },
	/* both coordinates: an index of the column that turns the row round */
	{ "i16", "row_major[S, H]", "1", "c: [64] i32 = index 0 d = map i32(H) - 1 - (c + 64*h) "
		"store x -> Y[i, d] (unique)" },
	/* in place: what is stored is of the points that were loaded, by other lanes */
	{ "f32", "row_major[S, H]", "4", "y = load Y[i, 64*h] : [16, 64] z = map x + y * 2 "
		"store z -> Y[i, 64*h] (unique)" },
	{ "f32", "row_major[S, H]", "2", "y: [16, 64] f32 @ { [lane, r] -> [lane mod 16, r + 32*floor(lane/16)] "
		": 0 <= lane < 32 and 0 <= r < 32 } = load Y[i, 64*h] : [16, 64] "
		"z: [16, 64] f32 @ { [lane, r, s] -> [r, 2*lane + s] : 0 <= lane < 32 and 0 <= r < 16 and 0 <= s < 2 } "
		"= map x - y store z -> Y[i, 64*h] (unique)" },
};

/* Some numbers of a permutation of rows, and others that no row has, before the first and
 * behind the last. */
static void fill_places(const struct program_data *data, int64_t places, int64_t count,
	uint64_t *seed)
{
	int64_t *of = calloc((size_t)places + 1, sizeof(*of));

	assert_non_null(of);
	for (int64_t i = 0; i < places; i++)
		of[i] = i;
	for (int64_t i = places - 1; i > 0; i--) {
		int64_t k = random_below(seed, i + 1), was = of[i];

		of[i] = of[k];
		of[k] = was;
	}
	for (int64_t i = 0; i < count; i++)
		program_data_set(data, 1, i, i >= places || random_below(seed, 5) == 0 ?
			random_below(seed, 2) ? -1 - (double)i : (double)(places + i) :
			(double)of[i]);
	free(of);
}

static void row_text(const struct row *row, char *text, size_t size)
{
	int length = snprintf(text, size, HEAD, row->type, row->storage, row->type, row->workers);

	snprintf(text + length, size - (size_t)length, "%s }", row->body);
}

/* The program at T tokens and S rows of H, with numbers for all, and places for them. */
static struct program_data row_data(layout_context *ctx, const struct row *row, int64_t tokens,
	int64_t width, int64_t places, uint64_t *seed)
{
	const int64_t sizes[] = { tokens, width, places };
	char text[2048];
	struct program_data data;

	row_text(row, text, sizeof(text));
	data = program_data_new(ctx, text, sizes);
	program_data_random(&data, seed);
	fill_places(&data, places, tokens, seed);
	return data;
}

static void test_targets(void **state)
{
	static const int64_t sizes[][3] = { { 16, 64, 16 }, { 37, 70, 40 }, { 33, 131, 20 },
		{ 0, 64, 5 }, { 5, 1, 9 }, { 20, 64, 0 } };
	uint64_t seed = random_seed();

	for (unsigned r = 0; r < COUNT(rows); r++) {
		struct program_data data[COUNT(sizes)];

		for (unsigned k = 0; k < COUNT(sizes); k++)
			data[k] = row_data(*state, &rows[r], sizes[k][0], sizes[k][1], sizes[k][2],
				&seed);
		program_check_all(data, COUNT(sizes), targets, COUNT(targets), 0);
		for (unsigned k = 0; k < COUNT(sizes); k++)
			program_data_free(&data[k]);
	}
}

/* Against a loop. */
static void test_meaning(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned n = 0; n < share_count(20); n++) {
		int64_t t = random_below(&seed, 40), h = random_below(&seed, 80), s = random_below(&seed, 50);
		struct program_data data = row_data(*state, &rows[2], t, h, s, &seed);
		struct program_data was = program_data_copy(&data);

		program_data_eval(&data);
		for (int64_t i = 0; i < t; i++) {
			double to = program_data_get(&was, 1, i);

			for (int64_t k = 0; k < h && to >= 0 && to < s; k++)
				program_data_set(&was, 2, (int64_t)to * h + k,
					program_data_get(&was, 0, i * h + k));
		}
		for (int64_t e = 0; e < s * h; e++)
			assert_true(program_data_get(&data, 2, e) == program_data_get(&was, 2, e));
		program_data_free(&was);
		program_data_free(&data);
	}
}

/* Rows behind those that there are by now, a size in no shape; and nothing behind them. */
static void test_append(void **state)
{
	static const char text[] = "program append(N: in row_major[T, D] f16, P: size, C: inout row_major[S, D] f16) { "
		"grid (t, d) in (ceil(T/8), ceil(D/64)) workers w in 1 x = load N[8*t, 64*d] : [8, 64] "
		"r: [8, 1] i32 = index 0 i = map select(r + 8*t < i32(T), r + 8*t + i32(P), -1) "
		"store x -> C[i, 64*d] (unique) }";
	static const int64_t sizes[][4] = { { 11, 70, 7, 40 }, { 8, 64, 0, 8 }, { 1, 1, 0, 1 }, { 9, 3, 2, 10 },
		{ 0, 5, 3, 4 } };
	struct program_data data[COUNT(sizes)];
	char *printed;

	for (unsigned k = 0; k < COUNT(sizes); k++) {
		const int64_t *is = sizes[k];
		struct program_data was;

		data[k] = program_data_new(*state, text, is);
		program_data_random(&data[k], &(uint64_t){ k });
		was = program_data_copy(&data[k]);
		assert_true(layout_program_eval(data[k].program, was.sizes, was.size_count, was.buffers,
			was.count));
		for (int64_t e = 0; e < is[3] * is[1]; e++) {
			int64_t from = e - is[2] * is[1];
			bool new = from >= 0 && from < is[0] * is[1];

			assert_true(program_data_get(&was, 1, e) == program_data_get(&data[k], new ? 0 : 1,
				new ? from : e));
		}
		program_data_free(&was);
	}
	program_check_all(data, COUNT(sizes), targets, COUNT(targets), 0);
	printed = layout_program_str(data[0].program);
	assert_non_null(strstr(printed, "append(N: in row_major[T, D] f16, P: size, C: inout"));
	layout_string_free(printed);
	for (unsigned k = 0; k < COUNT(sizes); k++)
		program_data_free(&data[k]);
	program_refused("program p(", "P: ^sizes", ") { grid (g) in (1) workers w in 1 }",
		LAYOUT_ERROR_PARSE, "expected `in`, `out`, `inout` or `size`, found `sizes`");
}

/* Valid, and the same when it is printed and read. */
static void test_print(void **state)
{
	for (unsigned r = 0; r < COUNT(rows); r++) {
		struct program_data data = row_data(*state, &rows[r], 1, 1, 1, &(uint64_t){ 1 });
		char *once = layout_program_str(data.program), *twice, *reason;
		layout_program *again = layout_program_parse(*state, once);

		twice = layout_program_str(again);
		assert_string_equal(once, twice);
		if (layout_program_verify(again, &reason, NULL) != LAYOUT_YES)
			fail_msg("%s: %s", once, reason ? reason : layout_context_message(*state));
		assert_non_null(strstr(once, "(unique)"));
		layout_string_free(once);
		layout_string_free(twice);
		layout_program_free(again);
		program_data_free(&data);
	}
}

#define SMALL "program p(I: in row_major[8] i32, T: inout row_major[8] f32, S: out row_major[8] f32) { " \
	"grid (g) in (1) workers w in 1 i = load I[0] : [8] x: [8] f32 = fill 1 "

/* What is said of programs that are none for all sizes. */
static const struct denied {
	const char *body, *reason;
} denied[] = {
	{ "store x -> S[0] store x -> T[i]", "`x` is stored where `i` says: nothing shows that no element is "
		"written twice, (unique) promises it" },
	{ "store x -> S[i] (unique)", "no store writes the element of `S`" },
	{ "store x -> S[0] store x -> T[i] (unique) y: [8] f32 = fill 2 store y -> T[i] (unique)",
		"`y` and `x` are stored to one element" },
	{ "store x -> S[0] y = load T[0] : [8] store y -> T[i] (unique)",
		"`y` is loaded from where `y` is stored" },
	{ "store x -> S[0] store x -> T[i] (unique) y = load T[i] : [8] store y -> S[0]",
		"`y` is loaded from where `x` is stored" },
	{ "store x -> S[0] j = map i + 1 y = load T[j] : [8] store y -> T[i] (unique)",
		"`y` is loaded from where `y` is stored" },
	{ "store x -> S[0] i4 = load I[0] : [4] y = load T[i] : [8] x4: [4] f32 = fill 3 "
		"store x4 -> T[i4] (unique)", "`y` is loaded from where `x4` is stored" },
};

static void test_denied(void **state)
{
	for (unsigned i = 0; i < COUNT(denied); i++) {
		layout_program *program;
		char text[1024], *reason;

		snprintf(text, sizeof(text), SMALL "%s }", denied[i].body);
		program = layout_program_parse(*state, text);
		if (!program)
			fail_msg("%s: %s", text, layout_context_message(*state));
		if (layout_program_verify(program, &reason, NULL) != LAYOUT_NO ||
		    !strstr(reason, denied[i].reason))
			fail_msg("%s: %s", text, reason ? reason : "no reason");
		layout_string_free(reason);
		layout_program_free(program);
	}
	program_refused(SMALL, "store x -> ^S[0] (unique)", " }", LAYOUT_ERROR_INVALID,
		"`x` is stored where no tile says: that elements are unique is proved, not promised");
	program_refused(SMALL, "store x -> T[i] (^once)", " }", LAYOUT_ERROR_PARSE, "expected `unique`");
}

/* A promise that numbers break. */
static void test_twice(void **state)
{
	static const char *const places[] = { "0 1 2 3 4 5 6 0", "7 7 -1 -1 8 8 9 9" };
	static const char text[] = SMALL "store x -> S[0] store x -> T[i] (unique) }";

	for (unsigned i = 0; i < COUNT(places); i++) {
		struct program_data data = program_data_new(*state, text, NULL);

		program_data_fill(&data, 0, places[i]);
		assert_false(layout_program_eval(data.program, NULL, 0, data.buffers, data.count));
		assert_int_equal(layout_context_error(*state), LAYOUT_ERROR_INVALID);
		assert_string_equal(layout_context_message(*state), "`x` is stored to one element of "
			"`T` twice, which is said to be unique");
		layout_context_clear(*state);
		program_data_free(&data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_targets, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_append, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_meaning, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_print, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_denied, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_twice, program_context_new,
			program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
