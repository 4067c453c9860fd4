/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* XOR shuffles and row rotations: the published tables, and random parameters against
 * the formula, also the inverse; what is refused. */
#include "isl_bridge/relation.h"
#include "support/random.h"
#include "support/share.h"
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RANDOM_SWIZZLES 60
#define PERIOD_LIMIT 3000
#define VECTORS TEST_DATA_DIR "/vectors/swizzle_attrs.tsv"

struct parameters {
	bool rotates;
	int64_t row_width, access_width, row_stride, per_phase;
};

/* The formula as it is published, bit by bit for the XOR. */
static int64_t formula(const struct parameters *p, int64_t offset)
{
	int64_t rest = offset % p->access_width, aligned = offset - rest;
	int64_t columns = p->row_width / p->access_width;
	int64_t column = aligned % p->row_width / p->access_width, moved = 0;
	int64_t row;

	if (p->rotates) {
		row = aligned / p->row_width;
		return row * p->row_width + (row + column) % columns * p->access_width +
			rest;
	}
	row = aligned / p->row_stride / p->per_phase % columns;
	for (int64_t bit = 1; bit < columns; bit *= 2)
		if (row / bit % 2 != column / bit % 2)
			moved += bit;
	return aligned - aligned % p->row_width + moved * p->access_width + rest;
}

static int64_t period(const struct parameters *p)
{
	return p->row_stride * p->per_phase * (p->row_width / p->access_width);
}

static layout_swizzle *build(layout_context *ctx, const struct parameters *p)
{
	return p->rotates ?
		layout_swizzle_rotate_rows(ctx, p->row_width, p->access_width) :
		layout_swizzle_xor_shuffle(ctx, p->row_width, p->access_width,
			p->row_stride, p->per_phase);
}

/* The pairs of a relation: each offset once, in order. */
struct expected {
	const struct parameters *parameters;
	bool reversed;
	int64_t next;
};

static bool visit(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned image_rank)
{
	struct expected *expected = user;
	int64_t before = expected->reversed ? image[0] : in[0];
	int64_t after = expected->reversed ? in[0] : image[0];

	assert_int_equal(in_rank, 1);
	assert_int_equal(image_rank, 1);
	assert_int_equal(in[0], expected->next++);
	assert_int_equal(after, formula(expected->parameters, before));
	return true;
}

static void check_relation(layout_relation *relation, const struct parameters *p,
	bool reversed)
{
	struct expected expected = { p, reversed, 0 };

	assert_true(layout_relation_for_each(relation, visit, &expected));
	assert_int_equal(expected.next, period(p));
	layout_relation_free(relation);
}

/* Whole periods, as many as needed and not twice as many. */
static void check_up_to(layout_swizzle *swizzle, const struct parameters *p)
{
	int64_t offsets = period(p) + 1;
	struct expected expected = { p, false, 0 };
	layout_relation *relation = layout_swizzle_relation_up_to(swizzle, offsets);

	assert_true(layout_relation_for_each(relation, visit, &expected));
	assert_int_equal(expected.next, 2 * period(p));
	layout_relation_free(relation);
}

static void check_bijective(layout_context *ctx, layout_swizzle *swizzle)
{
	char *box = NULL;
	layout_relation *relation = layout_swizzle_relation(swizzle);
	layout_set *onto;

	assert_true(asprintf(&box, "{ [x] : 0 <= x < %" PRId64 " }",
		layout_swizzle_period(swizzle)) > 0);
	onto = layout_set_read(ctx, box);
	if (layout_relation_is_bijective(relation, onto, NULL) != LAYOUT_YES)
		fail_msg("%s: %s", box, layout_context_message(ctx));
	layout_set_free(onto);
	layout_relation_free(relation);
	free(box);
}

/* The swizzle of these parameters is the formula: by offset, as a relation, reversed,
 * behind its period, and printed. */
static void check_swizzle(const struct parameters *p)
{
	layout_context *ctx = layout_context_new();
	layout_swizzle *swizzle = build(ctx, p), *again;
	char *text = layout_swizzle_str(swizzle), *same;

	if (!swizzle)
		fail_msg("%s", layout_context_message(ctx));
	printf("%s\n", text);
	assert_int_equal(layout_swizzle_period(swizzle), period(p));
	for (int64_t x = 0; x < 2 * period(p); x++)
		assert_int_equal(layout_swizzle_apply(swizzle, x), formula(p, x));
	check_relation(layout_swizzle_relation(swizzle), p, false);
	check_relation(layout_relation_inverse(layout_swizzle_relation(swizzle)), p, true);
	check_up_to(swizzle, p);
	check_bijective(ctx, swizzle);
	again = layout_swizzle_parse(ctx, text);
	same = layout_swizzle_str(again);
	assert_string_equal(same, text);
	layout_string_free(same);
	layout_string_free(text);
	layout_swizzle_free(again);
	layout_swizzle_free(swizzle);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_true(layout_context_free(ctx));
}

/* "64  8  0  0": what is 0 has its default. */
static struct parameters read_parameters(const char *line, int *length)
{
	struct parameters p = { 0 };
	char kind[32];

	assert_int_equal(sscanf(line, "%31s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
		" %n", kind, &p.row_width, &p.access_width, &p.row_stride, &p.per_phase,
		length), 5);
	p.rotates = !strcmp(kind, "rotate_rows");
	p.row_stride = p.row_stride ? p.row_stride : p.row_width;
	p.per_phase = p.per_phase ? p.per_phase : 1;
	return p;
}

/* "0:0,8:8,..": both the library and the formula above say so. */
static void check_pairs(const struct parameters *p, const char *pairs, const char *line)
{
	layout_context *ctx = layout_context_new();
	layout_swizzle *swizzle = build(ctx, p);
	int64_t before, after;
	unsigned count = 0;
	int length;

	for (; sscanf(pairs, "%" SCNd64 ":%" SCNd64 "%n", &before, &after, &length) == 2;
			pairs += length + (pairs[length] == ',')) {
		if (layout_swizzle_apply(swizzle, before) != after ||
				formula(p, before) != after)
			fail_msg("%.40s: %" PRId64 " does not go to %" PRId64, line,
				before, after);
		count++;
	}
	assert_true(count > 0);
	assert_true(*pairs == '\n' || !*pairs);
	layout_swizzle_free(swizzle);
	assert_true(layout_context_free(ctx));
}

static void published_rows(void **state)
{
	FILE *file = fopen(VECTORS, "r");
	char *line = NULL;
	size_t capacity = 0;
	unsigned rows = 0;

	(void)state;
	assert_non_null(file);
	while (getline(&line, &capacity, file) >= 0) {
		struct parameters p;
		int length;

		if (*line == '#')
			continue;
		p = read_parameters(line, &length);
		check_pairs(&p, line + length, line);
		check_swizzle(&p);
		rows++;
	}
	assert_int_equal(rows, 4);
	free(line);
	fclose(file);
}

static struct parameters random_parameters(uint64_t *random)
{
	struct parameters p = { .rotates = random_below(random, 2) };
	int64_t columns = p.rotates ? 1 + random_below(random, 13) :
		INT64_C(1) << random_below(random, 5);

	p.access_width = 1 + random_below(random, 9);
	p.row_width = p.access_width * columns;
	p.row_stride = p.rotates ? p.row_width : p.row_width * (1 + random_below(random, 3));
	p.per_phase = p.rotates ? 1 : 1 + random_below(random, (unsigned)columns);
	return p;
}

static void test_random(void **state)
{
	uint64_t random = random_seed();
	unsigned count = 0;

	(void)state;
	while (count < share_count(RANDOM_SWIZZLES)) {
		struct parameters p = random_parameters(&random);

		if (period(&p) > PERIOD_LIMIT)
			continue;
		check_swizzle(&p);
		count++;
	}
}

/* Behind its period a swizzle goes on, as the outer function of a composition. */
static void test_unbounded(void **state)
{
	layout_context *ctx = layout_context_new();
	static const char *const swizzles[] = { "xor_shuffle<12, 3>", "rotate_rows<12, 4>",
		"xor_shuffle<64, 8>", "xor_shuffle<8, 8>", "rotate_rows<5, 5>" };

	(void)state;
	for (size_t i = 0; i < sizeof(swizzles) / sizeof(*swizzles); i++) {
		layout_swizzle *swizzle = layout_swizzle_parse(ctx, swizzles[i]);
		layout_relation *all = layout_swizzle_unbounded_relation(swizzle);

		for (int64_t x = -1; x < 4 * layout_swizzle_period(swizzle); x += 7) {
			char text[96];
			layout_relation *here;
			layout_set *point;

			snprintf(text, sizeof(text), x < 0 ? "{ [x] -> [y] : false }" :
				"{ [%" PRId64 "] -> [%" PRId64 "] }", x,
				x < 0 ? 0 : layout_swizzle_apply(swizzle, x));
			here = layout_relation_read(ctx, text);
			snprintf(text, sizeof(text), "{ [%" PRId64 "] }", x);
			point = layout_set_read(ctx, text);
			layout_relation *part = layout_relation_restrict(
				layout_relation_copy(all), point);
			assert_int_equal(layout_relation_equal(part, here, NULL),
				LAYOUT_YES);
			layout_relation_free(part);
			layout_relation_free(here);
		}
		layout_relation_free(all);
		layout_swizzle_free(swizzle);
	}
	assert_true(layout_context_free(ctx));
}

static void test_texts(void **state)
{
	static const char *const rows[][2] = {
		{ "xor_shuffle<64, 8>", "xor_shuffle<64, 8>" },
		{ "#iree_codegen.xor_shuffle<64,8,64,1>", "xor_shuffle<64, 8>" },
		{ "xor_shuffle<64, 8, 128>", "xor_shuffle<64, 8, 128>" },
		{ "xor_shuffle<64, 8, 0, 2>", "xor_shuffle<64, 8, 64, 2>" },
		{ "#iree_codegen.rotate_rows<64, 4>", "rotate_rows<64, 4>" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_swizzle *swizzle = layout_swizzle_parse(ctx, rows[i][0]);
		layout_swizzle *copy = layout_swizzle_copy(swizzle);
		char *text = layout_swizzle_str(copy);

		assert_non_null(text);
		assert_string_equal(text, rows[i][1]);
		layout_string_free(text);
		layout_swizzle_free(copy);
		layout_swizzle_free(swizzle);
	}
	assert_true(layout_context_free(ctx));
}

static void test_refused(void **state)
{
	static const struct {
		const char *text;
		layout_error kind;
		long position;
		const char *message;
	} rows[] = {
		{ "xor_shuffle<64, 7>", LAYOUT_ERROR_INVALID, 0,
			"expected access width to divide row width, found 7 and 64" },
		{ "rotate_rows<64, 7>", LAYOUT_ERROR_INVALID, 0,
			"expected access width to divide row width" },
		{ "xor_shuffle<64, 8, 64, 9>", LAYOUT_ERROR_INVALID, 0,
			"expected per_phase to be at most the accesses of a row, found 9 and 8" },
		{ "xor_shuffle<64, 8, 96>", LAYOUT_ERROR_INVALID, 0,
			"expected row width to divide row stride, found 64 and 96" },
		{ "xor_shuffle<48, 8>", LAYOUT_ERROR_INVALID, 0, "power of two" },
		{ "xor_shuffle<0, 8>", LAYOUT_ERROR_INVALID, 0, "at least 1" },
		{ "rotate_rows<64, -4>", LAYOUT_ERROR_INVALID, 0, "at least 1" },
		{ "xor_shuffle<64, 8, -64>", LAYOUT_ERROR_INVALID, 0, "row stride" },
		{ "xor_shuffle<64, 8, 64, -1>", LAYOUT_ERROR_INVALID, 0, "per_phase" },
		{ "xor_shuffle<64>", LAYOUT_ERROR_PARSE, 14, "expected `,`, found `>`" },
		{ "xor_shuffle<64, 8, 64, 1, 1>", LAYOUT_ERROR_PARSE, 24, "expected `>`" },
		{ "rotate_rows<64, 8, 64>", LAYOUT_ERROR_PARSE, 17, "expected `>`" },
		{ "rotate_rows(64, 8)", LAYOUT_ERROR_PARSE, 11, "expected `<`" },
		{ "rotate<64, 8>", LAYOUT_ERROR_PARSE, 0, "`xor_shuffle` or `rotate_rows`" },
		{ "rotate_rows<64, 8> x", LAYOUT_ERROR_PARSE, 19, "the end of the text" },
		{ "rotate_rows<9223372036854775807, 1>", LAYOUT_ERROR_OVERFLOW, 0,
			"9223372036854775807 * 1 * 9223372036854775807 does not fit" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_null(layout_swizzle_parse(ctx, rows[i].text));
		if (layout_context_error(ctx) != rows[i].kind ||
				layout_context_position(ctx) != rows[i].position ||
				!strstr(layout_context_message(ctx), rows[i].message))
			fail_msg("%s: %d at %ld: %s", rows[i].text,
				layout_context_error(ctx), layout_context_position(ctx),
				layout_context_message(ctx));
		layout_context_clear(ctx);
	}
	assert_int_equal(layout_swizzle_apply(NULL, 0), -1);
	assert_null(layout_swizzle_relation(NULL));
	assert_null(layout_swizzle_unbounded_relation(NULL));
	assert_null(layout_swizzle_relation_up_to(NULL, 4));
	assert_null(layout_swizzle_str(NULL));
	assert_null(layout_swizzle_copy(NULL));
	assert_null(layout_swizzle_xor_shuffle(NULL, 64, 8, 0, 0));
	assert_null(layout_swizzle_rotate_rows(NULL, 64, 8));
	assert_int_equal(layout_swizzle_period(NULL), 0);
	assert_true(layout_context_free(ctx));
}

/* Large numbers: the largest period that fits, applied far out. */
static void test_large(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_swizzle *swizzle = layout_swizzle_xor_shuffle(ctx, INT64_C(1) << 31, 1, 0, 0);
	int64_t far = (INT64_C(1) << 61) + (INT64_C(5) << 31) + 3;

	(void)state;
	assert_int_equal(layout_swizzle_period(swizzle), INT64_C(1) << 62);
	assert_int_equal(layout_swizzle_apply(swizzle, far), far - 3 +
		(3 ^ ((INT64_C(1) << 30) + 5)));
	check_bijective(ctx, swizzle);
	assert_int_equal(layout_swizzle_apply(swizzle, -1), -1);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_swizzle_free(swizzle);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_rows),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_unbounded),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_large),
	};

	cmocka_set_test_filter(getenv("LAYOUT_TEST_FILTER"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
