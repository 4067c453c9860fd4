/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts: formulas as they are written, and their values held against points that are
 * listed one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/append.h"
#include "support/random.h"
#include "support/share.h"
#include "support/shell.h"

#include <layout/layout.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT 2048
#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define PLAIN "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 2], " \
	"outerDimsPerm = [0, 1]}>"
#define TURNED "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 6], " \
	"outerDimsPerm = [1, 0], swizzle = {expandShape = " \
	"[[[\"CrossThread\", 2 : i16], [\"Internal\", 2 : i16]], " \
	"[[\"CrossThread\", 6 : i16]]], " \
	"permutation = [1, 2, 0]}}>"
#define WIDE "nested_layout<subgroup_tile = [2, 1], batch_tile = [2, 2], " \
	"outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [2, 1], " \
	"subgroup_strides = [1, 0], thread_strides = [8, 1]>"

/* What a formula is evaluated with: quasi-affine factors, sums and products. */
struct reader {
	const char *at;
	const layout_size *sizes;
	unsigned count;
};

static __int128 read_sum(struct reader *reader);

static bool take(struct reader *reader, const char *word)
{
	size_t length = strlen(word);
	bool there = strncmp(reader->at, word, length) == 0;

	reader->at += there ? length : 0;
	return there;
}

static __int128 floor_of(__int128 a, __int128 b)
{
	return a / b - (a % b < 0);
}

static __int128 read_int(struct reader *reader)
{
	__int128 value = 0;

	while (*reader->at >= '0' && *reader->at <= '9')
		value = 10 * value + (*reader->at++ - '0');
	return value;
}

/* Behind "floor(" or "ceil(". */
static __int128 read_quotient(struct reader *reader, bool up)
{
	__int128 value = read_sum(reader), by;

	assert_true(take(reader, "/"));
	by = read_int(reader);
	assert_true(by > 0 && take(reader, ")"));
	return up ? -floor_of(-value, by) : floor_of(value, by);
}

/* Behind "min(" or "max(". */
static __int128 read_extreme(struct reader *reader, bool most)
{
	__int128 value = read_sum(reader);

	while (take(reader, ", ")) {
		__int128 next = read_sum(reader);

		value = (next > value) == most ? next : value;
	}
	assert_true(take(reader, ")"));
	return value;
}

static __int128 read_name(struct reader *reader)
{
	for (unsigned i = 0; i < reader->count; i++) {
		size_t length = strlen(reader->sizes[i].name);
		char next = reader->at[length <= strlen(reader->at) ? length : 0];

		if (strncmp(reader->at, reader->sizes[i].name, length) == 0 &&
		    !(next >= 'a' && next <= 'z')) {
			reader->at += length;
			return reader->sizes[i].value;
		}
	}
	fail_msg("what is %s", reader->at);
	return 0;
}

static __int128 read_factor(struct reader *reader)
{
	__int128 value;

	if (*reader->at >= '0' && *reader->at <= '9')
		return read_int(reader);
	if (take(reader, "floor("))
		return read_quotient(reader, false);
	if (take(reader, "ceil("))
		return read_quotient(reader, true);
	if (take(reader, "min("))
		return read_extreme(reader, false);
	if (take(reader, "max("))
		return read_extreme(reader, true);
	if (!take(reader, "("))
		return read_name(reader);
	value = read_sum(reader);
	assert_true(take(reader, ")"));
	return value;
}

static __int128 read_product(struct reader *reader)
{
	__int128 value = read_factor(reader);

	while (take(reader, "*"))
		value *= read_factor(reader);
	return value;
}

static __int128 read_sum(struct reader *reader)
{
	__int128 value = take(reader, "-") ? -read_product(reader) : read_product(reader);

	for (;;)
		if (take(reader, " + "))
			value += read_product(reader);
		else if (take(reader, " - "))
			value -= read_product(reader);
		else
			return value;
}

static int64_t evaluate(const char *text, const layout_size *sizes, unsigned count)
{
	struct reader reader = { text, sizes, count };
	__int128 value = read_sum(&reader);

	if (*reader.at)
		fail_msg("what is %s in %s", reader.at, text);
	assert_true(value == (int64_t)value);
	return (int64_t)value;
}

/* Points, gathered and then each once. */
struct points {
	int64_t *values;
	size_t count, capacity;
	unsigned rank;
};

static void gather(struct points *points, const int64_t *point, unsigned rank)
{
	size_t size = (rank + 1) * sizeof(*point);

	if (points->count == points->capacity) {
		points->capacity = points->capacity ? 2 * points->capacity : 64;
		points->values = realloc(points->values, points->capacity * size);
		assert_non_null(points->values);
	}
	points->rank = rank;
	memcpy(points->values + points->count * (rank + 1), point, rank * sizeof(*point));
	points->values[points->count++ * (rank + 1) + rank] = 0;
}

static int compare(const void *a, const void *b, void *rank)
{
	const int64_t *left = a, *right = b;

	for (unsigned i = 0; i < *(unsigned *)rank; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

/* How many different ones; empties the list. */
static int64_t distinct(struct points *points)
{
	size_t step = points->rank + 1;
	int64_t count = points->count > 0;

	if (points->count)
		qsort_r(points->values, points->count, step * sizeof(int64_t), compare,
			&points->rank);
	for (size_t i = 1; i < points->count; i++)
		count += compare(points->values + (i - 1) * step,
			points->values + i * step, &points->rank) != 0;
	free(points->values);
	*points = (struct points){ 0 };
	return count;
}

struct sides {
	struct points in, out;
};

static bool gather_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct sides *sides = user;

	gather(&sides->in, in, in_rank);
	if (image)
		gather(&sides->out, image, image_rank);
	return true;
}

static bool gather_point(void *user, const int64_t *point, unsigned rank)
{
	gather(user, point, rank);
	return true;
}

/* The count by listing pairs, and the points of the declared box. */
static int64_t listed(layout_value *value, layout_counted what, const layout_size *sizes,
	unsigned count)
{
	struct sides sides = { 0 };
	struct points box = { 0 };
	int64_t points, cells, declared;
	layout_set *onto;

	assert_true(layout_value_for_each(value, sizes, count, gather_pair, &sides));
	points = distinct(&sides.in);
	cells = distinct(&sides.out);
	if (what != LAYOUT_COUNT_PADDING)
		return what == LAYOUT_COUNT_POINTS ? points : cells;
	onto = layout_set_fix(layout_value_onto(value), sizes, count);
	assert_true(layout_set_for_each(onto, gather_point, &box));
	layout_set_free(onto);
	declared = distinct(&box);
	return declared - cells;
}

static char *formula_of(layout_value *value, layout_counted what)
{
	layout_relation *relation;
	layout_set *onto;
	char *text;

	if (layout_value_get_kind(value) == LAYOUT_VALUE_SET) {
		layout_set *set = layout_value_set(value);

		text = layout_set_count(set);
		layout_set_free(set);
		return text;
	}
	relation = layout_value_relation(value);
	onto = layout_value_onto(value);
	text = layout_relation_count(relation, what, onto);
	layout_set_free(onto);
	layout_relation_free(relation);
	return text;
}

static int64_t number_of(layout_value *value, layout_counted what,
	const layout_size *sizes, unsigned count)
{
	layout_relation *relation;
	layout_set *onto;
	int64_t number = -1;
	bool good;

	if (layout_value_get_kind(value) == LAYOUT_VALUE_SET) {
		layout_set *set = layout_value_set(value);

		good = layout_set_count_at(set, sizes, count, &number);
		layout_set_free(set);
	} else {
		relation = layout_value_relation(value);
		onto = layout_value_onto(value);
		good = layout_relation_count_at(relation, what, onto, sizes, count,
			&number);
		layout_set_free(onto);
		layout_relation_free(relation);
	}
	if (!good)
		fail_msg("%s", layout_context_message(layout_value_context(value)));
	return number;
}

/* At all of these for each name. */
static const int64_t numbers[] = { 0, 1, 2, 3, 5, 8, 13 };

/* The next choice of one of "numbers" for each name; false past the last. */
static bool next_sizes(layout_size *sizes, unsigned *chosen, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		chosen[i] = (chosen[i] + 1) % COUNT(numbers);
		sizes[i].value = numbers[chosen[i]];
		if (chosen[i])
			return true;
	}
	return false;
}

#define MOST_NAMES 4

static unsigned names_of(layout_value *value, layout_size *sizes)
{
	unsigned count = 0;
	const char *name;

	while ((name = layout_value_size_name(value, count))) {
		assert_true(count < MOST_NAMES);
		sizes[count++] = (layout_size){ name, 0 };
	}
	return count;
}

/* Formula (unless it is NULL), number and list agree at all sizes. */
static void hold(layout_value *value, layout_counted what, const char *formula,
	const char *row)
{
	layout_size sizes[MOST_NAMES];
	unsigned chosen[MOST_NAMES] = { 0 }, count = names_of(value, sizes);

	do {
		int64_t wanted = listed(value, what, sizes, count);
		int64_t number = number_of(value, what, sizes, count);
		int64_t found = formula ? evaluate(formula, sizes, count) : wanted;

		if (wanted != number || wanted != found)
			fail_msg("%s: %s is %" PRId64 ", the number %" PRId64 ", and "
				"there are %" PRId64 " at %" PRId64 ", %" PRId64, row,
				formula ? formula : "-", found, number, wanted,
				count > 0 ? sizes[0].value : -1,
				count > 1 ? sizes[1].value : -1);
	} while (next_sizes(sizes, chosen, count));
}

/* Texts and their counts; NULL: there is no such formula, but numbers at sizes. */
static const struct row {
	const char *text;
	const char *counts[3];
	const char *why;	/* of the first that is NULL */
} rows[] = {
	{ "[M, K] -> { [i, j] : 0 <= i < M and 0 <= j < K }", { "M*K" }, "" },
	{ "[M] -> { [i, j] : 0 <= i < 16*ceil(M/16) and 0 <= j < 64 }",
		{ "16*ceil(M/16)*64" }, "" },
	{ "{ [i, j] : 2 <= i < 5 and -3 <= j < 4 }", { "21" }, "" },
	{ "{ [i] : 1 = 0 }", { "0" }, "" },
	{ "[M] -> { [i] : 0 <= i < M and i > M }", { "0" }, "" },
	{ "{ [] }", { "1" }, "" },
	{ "[N] -> { [] : N > 4 }", { "max(0, min(N - 4, 1))" }, "" },
	{ "[M] -> { [i] : 3 <= i < M }", { "max(0, M - 3)" }, "" },
	{ "[M] -> { [i] : -3 <= i < M }", { "M + 3" }, "" },
	{ "[M, K] -> { [i, j] : 0 <= i < M and 3 <= j < K }", { "M*max(0, K - 3)" }, "" },
	{ "[M, K] -> { [i] : 0 <= i < M and i < K }", { "min(K, M)" }, "" },
	{ "[M, K, N, P] -> { [i, j] : 0 <= i and i < M and i < N and i < P and i < K - 3 and "
		"(j = 0 or j = 7) }", { "max(0, min(P, N, K - 3, M))*2" }, "" },
	{ "[M, K] -> { [i] : K <= i < M }", { "max(0, M - K)" }, "" },
	{ "[M, K] -> { [i] : 0 <= i < 2M + 3K + 1 }", { "2*M + 3*K + 1" }, "" },
	{ "[M] -> { [i] : 0 <= 3i < M }", { "ceil(M/3)" }, "" },
	{ "[M] -> { [i] : 0 <= i < M and i mod 4 = 0 }", { "ceil(M/4)" }, "" },
	{ "[M] -> { [i] : 0 <= i < M and i mod 4 = 3 }", { "floor(M/4)" }, "" },
	{ "[M] -> { [i] : 0 <= i < M and i mod 4 = 1 }", { "floor((M + 2)/4)" }, "" },
	{ "[M] -> { [i] : 0 <= i < M and i mod 4 < 2 }",
		{ "floor((M + 2)/4) + ceil(M/4)" }, "" },
	{ "[M, K] -> { [i, j] : 0 <= i < M and i mod 4 < 2 and 0 <= j < K }",
		{ "(floor((M + 2)/4) + ceil(M/4))*K" }, "" },
	{ "[M, K] -> { [i] : 0 <= i < M and K >= 5 }",
		{ "M*max(0, min(K - 4, 1))" }, "" },
	{ "[M, K] -> { [i, j] : 0 <= i < M and j = i mod 4 }", { "M" }, "" },
	{ "[M, K] -> { [i, j] : 0 <= i < M and j = floor(i/4) }", { "M" }, "" },
	{ "[M] -> { [q, r] : 0 <= r < 4 and 0 <= 4q + r < M }", { "M" }, "" },
	{ "[M] -> { [r, p, q] : 0 <= r < 3 and 0 <= q < 4 and 0 <= 12p + 3q + r < M }",
		{ "M" }, "" },
	{ "{ [i, j] : 0 <= i < 5 and 0 <= j <= i }", { "15" }, "" },
	{ "[M] -> { [i, j, k] : 0 <= i < 5 and 0 <= j <= i and 0 <= k < M }",
		{ "15*M" }, "" },
	{ "[M] -> { [i] : 0 <= i < M or 20 <= i < 22 }",
		{ "min(M, 20) + max(0, M - 22) + 2" }, "" },
	{ "[M, K] -> { [i, j] : 0 <= i < M + 3 and 0 <= j < K + 4 and "
		"(i >= 3 or j >= 4) }", { "(M + 3)*K + 4*M" }, "" },
	{ "[M, N, K] -> { [i, j, k] : 0 <= i < M and (0 <= j < N and 0 <= k < K or "
		"j = -1 and k = -1) }", { "M*N*K + M" }, "" },
	{ "[M, K] -> { [i, j] : 0 <= i < M and 0 <= j < K and (i >= 3 or j >= 4) }",
		{ "M*K - min(M, 3)*min(K, 4)" }, "" },
	/* a condition whose dimensions are in floors only */
	{ "{ [i, j, k] : j >= 6 and 10 + i <= 2j <= 11 + i and 2 <= k <= 17 and "
		"2*floor((1 + k)/4) <= 27 - 3j and 4*floor((1 + k)/4) >= -20 + 3j + k }",
		{ "38" }, "" },
	{ "[M] -> { [i, k, l] : 0 < i and 0 <= l < M and 2 <= k <= 17 and 2*floor((1 + k)/4) "
		"<= 12 - 3*floor((1 + i)/2) and 4*floor((1 + k)/4) >= "
		"-5 + k + 3*floor((1 + i)/2) }", { "38*M" }, "" },
	{ "[M] -> { [i, j] : 0 <= i < M and 0 <= j <= i }", { NULL },
		"no formula: dimension 1 depends on dimension 0" },
	{ "[M] -> { [i, j] : 0 <= i < 4 and 0 <= j < M and i + j < M }", { NULL },
		"no formula: dimension 1 depends on dimension 0" },

	{ "row_major[M, K]", { "M*K", "M*K", "0" }, "" },
	{ "row_major[M, 513]", { "M*513", "M*513", "0" }, "" },
	{ "row_major[3, 5]", { "15", "15", "0" }, "" },
	{ "row_major[]", { "1", "1", "0" }, "" },
	{ "row_major[M - 3, K]", { "max(0, M - 3)*K", "max(0, M - 3)*K", "0" }, "" },
	{ "strided[M, 5 : 8, 1]", { "M*5", "M*5", "0" }, "" },
	{ "strided[M, K : 0, 1]", { "M*K", "K*min(M, 1)", "0" }, "" },
	{ "strided[M, K : 4, 1]", { "M*K", NULL, NULL },
		"no formula: of the images, it would have 18 terms and cases" },
	{ "packed(" PLAIN ", [M, K])",
		{ "M*K", "M*K", "4*ceil(M/4)*2*ceil(K/2) - M*K" }, "" },
	{ "packed(" PLAIN ", [M, 7])", { "M*7", "M*7", "4*ceil(M/4)*8 - M*7" }, "" },
	{ "row_major[64*M, 3]", { "192*M", "192*M", "0" }, "" },
	{ "row_major[K, 64*M, 3]", { "192*K*M", "192*K*M", "0" }, "" },
	{ "row_major[2*M + 4, 3]", { "(2*M + 4)*3", "(2*M + 4)*3", "0" }, "" },
	{ "packed(" PLAIN ", [64*M, K])",
		{ "64*M*K", "64*M*K", "128*M*ceil(K/2) - 64*M*K" }, "" },
	{ "packed(" TURNED ", [M, K])",
		{ "M*K", "M*K", "6*ceil(K/6)*4*ceil(M/4) - M*K" }, "" },
	{ "inverse(packed(" TURNED ", [M, K]))", { "K*M", "K*M" }, "" },
	{ "range(packed(" TURNED ", [M, K]))", { "K*M" }, "" },
	{ "remap(packed(" PLAIN ", [M, K]) -> row_major[M, K], type = f32)",
		{ "M*K", "M*K", "0" }, "" },
	{ "compose(row_major[M, K], { [i] -> [i, 0] : 0 <= i < 4 })",
		{ "min(M, 4)*min(K, 1)", "min(M, 4)*min(K, 1)" }, "" },

	{ "(4,8):(8,1)", { "32", "32", "0" }, "" },
	{ "(4,8):(0,1)", { "32", "8", "0" }, "" },
	{ "(4,8):(16,1)", { "32", "32", "24" }, "" },
	{ "(4,4):(1,2)", { "16", "10", "0" }, "" },
	{ "Sw<1,0,3> o 0 o (8,4):(4,1)", { "32", "32", "0" }, "" },
	{ "xor_shuffle<64, 8>", { "512", "512", "0" }, "" },
	{ "mma<MFMA_F32_16x16x4_F32, lhs>", { "64", "64", "0" }, "" },
	{ "linear<{register = [[0, 1]], lane = [[1, 0], [2, 0], [0, 0]], warp = [], "
		"block = []}>", { "16", "8", "0" }, "" },
	{ "linear<{offset = [[1], [1]]} -> {dim0 = 4}>", { "4", "2", "2" }, "" },
	{ WIDE, { "1024", "512", "0" }, "" },
	{ "inverse((4,8):(0,1))", { "8", "32" }, "" },
	{ "[M] -> { [i] -> [j] : 0 <= i < M and j = floor(i/4) }",
		{ "M", "ceil(M/4)" }, "" },
	{ "[M] -> { [i] -> [i mod 4] : 0 <= i < M }", { "M", "min(M, 4)" }, "" },
	{ "[M] -> { [i] -> [j] : 0 <= i < M and 0 <= j < 3 }", { "M", "3*min(M, 1)" },
		"" },
	{ "[M, K] -> { [i, j] -> [j, 0, i] : 0 <= i < M - 3 and 0 <= j < 2*K + 5 }",
		{ "max(0, M - 3)*(2*K + 5)", "(2*K + 5)*max(0, M - 3)" }, "" },
};

static void check_row(layout_context *ctx, const struct row *row)
{
	layout_value *value = layout_value_parse(ctx, row->text);
	bool set = value && layout_value_get_kind(value) == LAYOUT_VALUE_SET;
	const char *why = row->why;

	if (!value)
		fail_msg("%s: %s", row->text, layout_context_message(ctx));
	for (unsigned what = 0; what < (set ? 1 : 3); what++) {
		char *formula = formula_of(value, (layout_counted)what);
		const char *wanted = row->counts[what];

		if (wanted ? !formula || strcmp(formula, wanted) != 0 : !!formula)
			fail_msg("%s: %s, and not %s", row->text, formula ? formula :
				layout_context_message(ctx),
				wanted ? wanted : "an error");
		if (!formula && *why) {
			assert_string_equal(layout_context_message(ctx), why);
			assert_int_equal(layout_context_error(ctx),
				LAYOUT_ERROR_NO_ANSWER);
			why = "";
		}
		if (formula || *row->why) {
			layout_context_clear(ctx);
			hold(value, (layout_counted)what, formula, row->text);
		}
		layout_context_clear(ctx);
		layout_string_free(formula);
	}
	layout_value_free(value);
}

static void test_rows(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		check_row(ctx, &rows[i]);
	assert_true(layout_context_free(ctx));
}

/* A dimension of a random box: begin <= i < end, i mod step = rest. */
struct bound {
	int64_t constant, m, k, by;	/* floor((constant + m*M + k*K) / by) */
};

struct range {
	struct bound begin, end;
	int64_t step, rest;
};

#define MOST_DIMS 3
#define MOST_BOXES 3

struct boxes {
	unsigned rank, count;
	struct range ranges[MOST_BOXES][MOST_DIMS];
};

static struct bound random_bound(uint64_t *seed, bool end)
{
	bool plain = random_below(seed, 3) > 0;

	if (!end)
		return (struct bound){ random_below(seed, 4),
			random_below(seed, 6) == 0, 0, 1 };
	return (struct bound){ (int64_t)random_below(seed, 8) - 2, random_below(seed, 3),
		random_below(seed, 3), plain ? 1 : 1 + random_below(seed, 5) };
}

static void random_boxes(struct boxes *boxes, uint64_t *seed)
{
	boxes->rank = 1 + random_below(seed, MOST_DIMS);
	boxes->count = random_below(seed, 2) ? 1 : 1 + random_below(seed, MOST_BOXES);
	for (unsigned b = 0; b < boxes->count; b++)
		for (unsigned d = 0; d < boxes->rank; d++) {
			struct range *range = &boxes->ranges[b][d];

			range->begin = random_bound(seed, false);
			range->end = random_bound(seed, true);
			range->step = random_below(seed, 3) ? 1 :
				1 + random_below(seed, 5);
			range->rest = random_below(seed, (unsigned)range->step);
		}
}

static void print_bound(char *text, const struct bound *bound)
{
	append_text(text, TEXT, "floor((%" PRId64 " + %" PRId64 "*M + %" PRId64 "*K)/%"
		PRId64 ")",
		bound->constant, bound->m, bound->k, bound->by);
}

static void print_boxes(char *text, const struct boxes *boxes)
{

	append_text(text, TEXT, "[M, K] -> { ");
	for (unsigned b = 0; b < boxes->count; b++) {
		append_text(text, TEXT, b ? "; [" : "[");
		for (unsigned d = 0; d < boxes->rank; d++)
			append_text(text, TEXT, d ? ", i%u" : "i%u", d);
		for (unsigned d = 0; d < boxes->rank; d++) {
			const struct range *range = &boxes->ranges[b][d];

			append_text(text, TEXT, d ? " and " : "] : ");
			print_bound(text, &range->begin);
			append_text(text, TEXT, " <= i%u < ", d);
			print_bound(text, &range->end);
			append_text(text, TEXT, " and i%u mod %" PRId64 " = %" PRId64, d,
				range->step, range->rest);
		}
	}
	append_text(text, TEXT, " }");
}

static int64_t bound_at(const struct bound *bound, int64_t m, int64_t k)
{
	return (int64_t)floor_of(bound->constant + bound->m * m + bound->k * k,
		bound->by);
}

static bool is_in(const struct boxes *boxes, const int64_t *point, int64_t m, int64_t k)
{
	for (unsigned b = 0; b < boxes->count; b++) {
		bool in = true;

		for (unsigned d = 0; d < boxes->rank; d++) {
			const struct range *range = &boxes->ranges[b][d];

			in = in && point[d] >= bound_at(&range->begin, m, k) &&
				point[d] < bound_at(&range->end, m, k) &&
				(point[d] % range->step + range->step) % range->step ==
				range->rest;
		}
		if (in)
			return true;
	}
	return false;
}

/* All points from 0 on, up to what no bound goes beyond. */
static int64_t count_boxes(const struct boxes *boxes, int64_t m, int64_t k)
{
	int64_t most = 6 + 2 * m + 2 * k, point[MOST_DIMS] = { 0 }, count = 0;

	for (;;) {
		unsigned d = 0;

		count += is_in(boxes, point, m, k);
		while (d < boxes->rank && ++point[d] == most)
			point[d++] = 0;
		if (d == boxes->rank)
			return count;
	}
}

/* There is none, or a quota or the time ran out before it was found. */
static bool is_unknown(layout_error error)
{
	return error == LAYOUT_ERROR_NO_ANSWER || error == LAYOUT_ERROR_QUOTA ||
		error == LAYOUT_ERROR_TIME;
}

static const int64_t few[][2] = {
	{ 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 }, { 2, 0 }, { 0, 3 }, { 2, 3 }, { 5, 1 },
	{ 1, 5 }, { 7, 2 }, { 4, 4 }, { 0, 7 },
};

/* Is there a formula?  Then it is right, and so are the numbers. */
static bool check_boxes(layout_context *ctx, const struct boxes *boxes)
{
	char text[TEXT] = "", *formula;
	layout_set *set;

	print_boxes(text, boxes);
	set = layout_set_read(ctx, text);
	assert_non_null(set);
	formula = layout_set_count(set);
	if (!formula && !is_unknown(layout_context_error(ctx)))
		fail_msg("%s: %s", text, layout_context_message(ctx));
	layout_context_clear(ctx);
	for (size_t i = 0; i < COUNT(few); i++) {
		layout_size sizes[] = { { "M", few[i][0] }, { "K", few[i][1] } };
		int64_t wanted = count_boxes(boxes, few[i][0], few[i][1]), number = -1;
		int64_t found = formula ? evaluate(formula, sizes, 2) : wanted;

		if (!layout_set_count_at(set, sizes, 2, &number) || number != wanted ||
		    found != wanted)
			fail_msg("%s: %s is %" PRId64 ", the number %" PRId64 ", and "
				"there are %" PRId64 " at %" PRId64 ", %" PRId64, text,
				formula ? formula : "-", found, number, wanted,
				few[i][0], few[i][1]);
	}
	layout_set_free(set);
	layout_string_free(formula);
	return formula;
}

/* A box by itself has a formula, always; unions mostly, which few of them do not tell. */
static void test_random_boxes(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned singles = 0, known = 0, unions = 0, known_unions = 0;

	(void)state;
	for (unsigned i = 0; i < share_count(150); i++) {
		struct boxes boxes;
		bool has;

		random_boxes(&boxes, &seed);
		has = check_boxes(ctx, &boxes);
		singles += boxes.count == 1;
		known += has && boxes.count == 1;
		unions += boxes.count > 1;
		known_unions += has && boxes.count > 1;
	}
	printf("formulas for %u of %u boxes, %u of %u unions\n", known, singles,
		known_unions, unions);
	assert_int_equal(known, singles);
	assert_true(share_is_few() || 4 * known_unions > unions);
	assert_true(layout_context_free(ctx));
}

/* An image of a random relation: floor((i*i' + j*j' + c)/by), and of that the remainder
 * by "mod" unless it is 0. */
struct image {
	int64_t i, j, c, by, mod;
};

#define MOST_IMAGES 3

struct random_relation {
	unsigned count;
	struct image images[MOST_IMAGES];
	int64_t width;		/* of j; 0: the size K */
};

static void make_relation(struct random_relation *relation, uint64_t *seed)
{
	relation->count = 1 + random_below(seed, MOST_IMAGES);
	relation->width = random_below(seed, 2) ? 0 : 1 + random_below(seed, 5);
	for (unsigned k = 0; k < relation->count; k++)
		relation->images[k] = (struct image){ random_below(seed, 5),
			random_below(seed, 3), random_below(seed, 3),
			random_below(seed, 2) ? 1 : 1 + random_below(seed, 4),
			random_below(seed, 3) ? 0 : 1 + random_below(seed, 5) };
}

static void print_relation(char *text, const struct random_relation *relation)
{
	append_text(text, TEXT, "[M, K] -> { [i, j] -> [");
	for (unsigned k = 0; k < relation->count; k++) {
		const struct image *image = &relation->images[k];

		append_text(text, TEXT, "%s(floor((%" PRId64 "i + %" PRId64 "j + %" PRId64
			")/%" PRId64 "))", k ? ", " : "", image->i, image->j, image->c,
			image->by);
		if (image->mod)
			append_text(text, TEXT, " mod %" PRId64, image->mod);
	}
	append_text(text, TEXT, "] : 0 <= i < M and 0 <= j < ");
	if (relation->width)
		append_text(text, TEXT, "%" PRId64 " }", relation->width);
	else
		append_text(text, TEXT, "K }");
}

static int64_t count_images(const struct random_relation *relation, int64_t m, int64_t k)
{
	int64_t width = relation->width ? relation->width : k;
	struct points points = { 0 };

	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < width; j++) {
			int64_t point[MOST_IMAGES];

			for (unsigned n = 0; n < relation->count; n++) {
				const struct image *image = &relation->images[n];

				point[n] = (image->i * i + image->j * j + image->c) /
					image->by;
				point[n] = image->mod ? point[n] % image->mod : point[n];
			}
			gather(&points, point, relation->count);
		}
	return distinct(&points);
}

/* Is there a formula for the images?  Then it is right; and so are the numbers. */
static bool check_relation(layout_context *ctx, const struct random_relation *random)
{
	char text[TEXT] = "", *formula;
	layout_relation *relation;

	print_relation(text, random);
	relation = layout_relation_read(ctx, text);
	assert_non_null(relation);
	formula = layout_relation_count(relation, LAYOUT_COUNT_CELLS, NULL);
	if (!formula && !is_unknown(layout_context_error(ctx)))
		fail_msg("%s: %s", text, layout_context_message(ctx));
	layout_context_clear(ctx);
	for (size_t n = 0; n < COUNT(few); n++) {
		layout_size sizes[] = { { "M", few[n][0] }, { "K", few[n][1] } };
		int64_t wanted = count_images(random, few[n][0], few[n][1]), number = -1;
		int64_t found = formula ? evaluate(formula, sizes, 2) : wanted;

		if (!layout_relation_count_at(relation, LAYOUT_COUNT_CELLS, NULL,
				sizes, 2, &number) || number != wanted || found != wanted)
			fail_msg("%s: %s is %" PRId64 ", the number %" PRId64 ", and "
				"there are %" PRId64 " at %" PRId64 ", %" PRId64, text,
				formula ? formula : "-", found, number, wanted,
				few[n][0], few[n][1]);
	}
	layout_relation_free(relation);
	layout_string_free(formula);
	return formula;
}

static void test_random_relations(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned known = 0, tried = 0;

	(void)state;
	layout_context_set_time(ctx, 2);
	for (; tried < share_count(60) || (known <= share_count(10) && tried < 60); tried++) {
		struct random_relation relation;

		make_relation(&relation, &seed);
		known += check_relation(ctx, &relation);
	}
	printf("formulas for the images of %u of %u relations\n", known, tried);
	assert_true(known > share_count(10));
	assert_true(layout_context_free(ctx));
}

/* Formulas and numbers of a text in any notation against its points. */
static void check_text(layout_context *ctx, const char *text)
{
	layout_value *value = layout_value_parse(ctx, text);

	if (!value)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	for (unsigned what = 0; what < 3; what++) {
		char *formula = formula_of(value, (layout_counted)what);

		if (!formula && layout_context_error(ctx) != LAYOUT_ERROR_NO_ANSWER)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		layout_context_clear(ctx);
		hold(value, (layout_counted)what, formula, text);
		layout_string_free(formula);
	}
	layout_value_free(value);
}

static const char *random_size(uint64_t *seed)
{
	static const char *const sizes[] = { "M", "K", "2*M", "M + K", "7", "M + 3", "1",
		"ceil(K/3)", "4*K", "floor((M + 1)/2)", "max", "M - 2" };
	const char *size = sizes[random_below(seed, COUNT(sizes))];

	return strcmp(size, "max") ? size : "5";
}

static void random_storage(char *text, uint64_t *seed)
{
	const char *height = random_size(seed), *columns = random_size(seed);

	switch (random_below(seed, 4)) {
	case 0:
		append_text(text, TEXT, "%s[%s, %s]",
			random_below(seed, 2) ? "row_major" : "col_major",
			height, columns);
		break;
	case 1:
		append_text(text, TEXT, "strided[%s, %u : %u, %u]", height,
			1 + random_below(seed, 6), random_below(seed, 9),
			random_below(seed, 3));
		break;
	case 2:
		append_text(text, TEXT, "packed(" TURNED ", [%s, %s])", height, columns);
		break;
	default:
		append_text(text, TEXT, "packed(encoding_info<{innerDimsPos = [1, 0], "
			"innerTileSizes = [%u, %u], outerDimsPerm = [%s]}>, [%s, %s])",
			1 + random_below(seed, 8), 1 + random_below(seed, 5),
			random_below(seed, 2) ? "0, 1" : "1, 0", height, columns);
	}
}

static void test_random_storages(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(12); i++) {
		char text[TEXT] = "";

		random_storage(text, &seed);
		check_text(ctx, text);
	}
	assert_true(layout_context_free(ctx));
}

/* Modes that repeat and overlap. */
static void random_cute(char *text, uint64_t *seed)
{
	unsigned rank = 1 + random_below(seed, 4);

	for (unsigned side = 0; side < 2; side++) {
		append_text(text, TEXT, side ? ":(" : "(");
		for (unsigned i = 0; i < rank; i++)
			append_text(text, TEXT, i ? ",%u" : "%u",
				side ? random_below(seed, 13) :
				1 + random_below(seed, 6));
		append_text(text, TEXT, ")");
	}
}

/* Columns that depend on each other. */
static void random_linear(char *text, uint64_t *seed)
{
	static const char *const names[] = { "register", "lane", "warp" };

	append_text(text, TEXT, "linear<{");
	for (unsigned in = 0; in < 3; in++) {
		unsigned bits = random_below(seed, 4);

		append_text(text, TEXT, "%s%s = [", in ? ", " : "", names[in]);
		for (unsigned i = 0; i < bits; i++)
			append_text(text, TEXT, "%s[%u, %u]", i ? ", " : "",
				random_below(seed, 8), random_below(seed, 4));
		append_text(text, TEXT, "]");
	}
	append_text(text, TEXT, "} -> {dim0 = 8, dim1 = 4}>");
}

static void random_nested(char *text, uint64_t *seed)
{
	unsigned threads = 1u << random_below(seed, 4);

	append_text(text, TEXT,
		"nested_layout<subgroup_tile = [%u, 1], batch_tile = [%u, %u], "
		"outer_tile = [1, %u], thread_tile = [%u, 4], element_tile = [%u, 2], "
		"subgroup_strides = [%u, 0], thread_strides = [%u, 1]>",
		1 + random_below(seed, 2), 1 + random_below(seed, 3),
		1 + random_below(seed, 2), 1 + random_below(seed, 2), threads,
		1 + random_below(seed, 3), 1 + random_below(seed, 2),
		4 + 4 * random_below(seed, 2));
}

static void test_random_layouts(void **state)
{
	static void (*const make[])(char *, uint64_t *) = { random_cute, random_linear,
		random_nested };
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(90); i++) {
		char text[TEXT] = "";

		make[i % COUNT(make)](text, &seed);
		check_text(ctx, text);
	}
	assert_true(layout_context_free(ctx));
}

/* Numbers that nobody could list. */
static void test_large(void **state)
{
	static const struct {
		const char *text, *counts[3];
	} large[] = {
		{ "{ [i, j] : 0 <= i < 2147483648 and 0 <= j < 2147483648 }",
			{ "4611686018427387904" } },
		{ "{ [i, j, k] : 0 <= i < 4294967296 and 0 <= j < 4294967296 and "
			"0 <= k < 3 }", { "55340232221128654848" } },
		{ "{ [i] : 0 <= i < 4611686018427387904 and i mod 4 = 1 }",
			{ "1152921504606846976" } },
		{ "[M] -> { [i, j] : 0 <= i < M and 0 <= j < 4611686018427387904 }",
			{ "M*4611686018427387904" } },
		{ "row_major[1048576, 1048576, 1048576]",
			{ "1152921504606846976", "1152921504606846976", "0" } },
		{ "packed(" PLAIN ", [2147483647, 2147483647])",
			{ "4611686014132420609", "4611686014132420609", "4294967295" } },
		{ "(1048576,1048576,1048576):(1,0,1048576)",
			{ "1152921504606846976", "1099511627776", "0" } },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(large); i++) {
		layout_value *value = layout_value_parse(ctx, large[i].text);

		assert_non_null(value);
		for (unsigned what = 0; what < 3 && large[i].counts[what]; what++) {
			char *formula = formula_of(value, (layout_counted)what);

			if (!formula || strcmp(formula, large[i].counts[what]) != 0)
				fail_msg("%s: %s", large[i].text, formula ? formula :
					layout_context_message(ctx));
			layout_string_free(formula);
		}
		layout_value_free(value);
	}
	assert_true(layout_context_free(ctx));
}

static void expect(layout_context *ctx, bool good, layout_error kind, const char *message)
{
	assert_false(good);
	assert_int_equal(layout_context_error(ctx), kind);
	if (!strstr(layout_context_message(ctx), message))
		fail_msg("%s", layout_context_message(ctx));
	layout_context_clear(ctx);
}

/* A formula has as many factors as there can be, and no more. */
static void test_most_factors(void **state)
{
	layout_context *ctx = layout_context_new();
	char text[1024] = "row_major[", wanted[256] = "";
	layout_value *value;

	(void)state;
	for (unsigned d = 0; d < 64; d++) {
		append_text(text, sizeof(text), d ? ", M" : "M");
		append_text(wanted, sizeof(wanted), d ? "*M" : "M");
	}
	append_text(text, sizeof(text), "]");
	value = layout_value_parse(ctx, text);
	for (unsigned what = LAYOUT_COUNT_POINTS; what <= LAYOUT_COUNT_CELLS; what++) {
		char *formula = formula_of(value, (layout_counted)what);

		if (!formula || strcmp(formula, wanted) != 0)
			fail_msg("%s", formula ? formula : layout_context_message(ctx));
		layout_string_free(formula);
	}
	layout_value_free(value);
	strcpy(text, "[M] -> { [a0");
	for (unsigned d = 1; d < 65; d++)
		append_text(text, sizeof(text), ", a%u", d);
	append_text(text, sizeof(text), "] : 0 <= a0");
	for (unsigned d = 1; d < 65; d++)
		append_text(text, sizeof(text), ", a%u", d);
	append_text(text, sizeof(text), " < M }");
	value = layout_value_parse(ctx, text);
	expect(ctx, formula_of(value, LAYOUT_COUNT_POINTS), LAYOUT_ERROR_NO_ANSWER,
		"there are more than 64 dimensions");
	layout_value_free(value);
	assert_true(layout_context_free(ctx));
}

/* Points of their own, more and more apart: as many pieces as a count may have, and one
 * more. */
static void test_most_pieces(void **state)
{
	static const char *const why[] = { "it would have 192 terms and cases",
		"there are 65 pieces" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned more = 0; more < 2; more++) {
		char text[4000];
		int length = snprintf(text, sizeof(text), "[M] -> { [i] : 0 <= i < M and (i = 1");
		layout_set *set;

		for (unsigned k = 1; k < 64 + more; k++)
			length += snprintf(text + length, sizeof(text) - (size_t)length,
				" or i = %u", 10 * k * k + 1);
		snprintf(text + length, sizeof(text) - (size_t)length, ") }");
		set = layout_set_read(ctx, text);
		expect(ctx, layout_set_count(set), LAYOUT_ERROR_NO_ANSWER, why[more]);
		layout_set_free(set);
	}
	assert_true(layout_context_free(ctx));
}

static void test_errors(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_set *set = layout_set_read(ctx, "[M] -> { [i, j] : 0 <= i, j < M }");
	layout_set *far = layout_set_read(ctx, "{ [i, j] : 0 <= i < 2147483648 and "
		"0 <= j <= i }");
	layout_set *open = layout_set_read(ctx, "{ [i] : i >= 0 }");
	layout_relation *relation = layout_relation_read(ctx, "{ [i] -> [i] : i = 7 }");
	layout_size below = { "M", -1 }, above = { "M", INT64_C(1) << 32 };
	int64_t number;

	(void)state;
	expect(ctx, layout_set_count_at(set, &below, 1, &number), LAYOUT_ERROR_INVALID,
		"the size M is negative");
	expect(ctx, layout_set_count_at(set, NULL, 0, &number), LAYOUT_ERROR_INVALID,
		"has no value");
	expect(ctx, layout_set_count_at(set, &above, 1, NULL), LAYOUT_ERROR_INVALID,
		"there is no place for the number");
	expect(ctx, layout_set_count_at(set, &above, 1, &number), LAYOUT_ERROR_OVERFLOW,
		"64 bits");
	expect(ctx, layout_set_count(open), LAYOUT_ERROR_NO_ANSWER,
		"no formula: dimension 0 has no bound");
	layout_context_set_quota(ctx, 5000);
	expect(ctx, layout_set_count(far), LAYOUT_ERROR_QUOTA, "5000 operations");
	layout_context_set_quota(ctx, LAYOUT_DEFAULT_QUOTA);
	expect(ctx, layout_relation_count(relation, LAYOUT_COUNT_PADDING, NULL),
		LAYOUT_ERROR_INVALID, "there is no set of cells");
	expect(ctx, layout_relation_count(relation, LAYOUT_COUNT_PADDING, set),
		LAYOUT_ERROR_SPACE, "");
	assert_null(layout_set_count(NULL));
	assert_null(layout_relation_count(NULL, LAYOUT_COUNT_CELLS, open));
	assert_false(layout_set_count_at(NULL, NULL, 0, &number));
	assert_false(layout_relation_count_at(NULL, LAYOUT_COUNT_CELLS, open, NULL, 0,
		&number));
	assert_null(layout_storage_element_count(NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	layout_set_free(set);
	layout_set_free(far);
	layout_set_free(open);
	layout_relation_free(relation);
	assert_true(layout_context_free(ctx));
}

/* With any quota the answer is the same, or there is none. */
static void test_quotas(void **state)
{
	static const char *const texts[] = { "packed(" TURNED ", [M, K])", "(4,4):(1,2)",
		"inverse(packed(" PLAIN ", [M, K]))", "strided[M, K : 0, 1]", WIDE,
		"[M] -> { [i] : 0 <= i < M and i mod 4 < 2 }" };

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		for (unsigned long quota = 1; quota < 20000; quota = 3 * quota / 2 + 1) {
			layout_context *ctx = layout_context_new();
			layout_value *value = layout_value_parse(ctx, texts[i]);
			char *formula = formula_of(value, LAYOUT_COUNT_POINTS), *limited;

			assert_non_null(formula);
			layout_context_set_quota(ctx, quota);
			limited = formula_of(value, LAYOUT_COUNT_POINTS);
			if (limited)
				assert_string_equal(limited, formula);
			else
				assert_true(layout_context_error(ctx) ==
					LAYOUT_ERROR_QUOTA ||
					layout_context_error(ctx) ==
					LAYOUT_ERROR_NO_ANSWER);
			layout_string_free(limited);
			layout_string_free(formula);
			layout_value_free(value);
			assert_true(layout_context_free(ctx));
		}
}

/* Images beyond the box take nothing from it. */
static void test_beyond(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_relation *relation = layout_relation_read(ctx,
		"[M] -> { [i] -> [2i - 3] : 0 <= i < M }");
	layout_set *onto = layout_set_read(ctx, "[M] -> { [j] : 0 <= j < M }");
	char *formula = layout_relation_count(relation, LAYOUT_COUNT_PADDING, onto);

	(void)state;
	for (int64_t m = 0; m < 20; m++) {
		layout_size size = { "M", m };
		int64_t padding = m, number = -1;

		for (int64_t i = 0; i < m; i++)
			padding -= 2 * i >= 3 && 2 * i - 3 < m;
		assert_true(layout_relation_count_at(relation, LAYOUT_COUNT_PADDING, onto,
			&size, 1, &number));
		assert_int_equal(number, padding);
		assert_int_equal(evaluate(formula, &size, 1), padding);
	}
	layout_string_free(formula);
	layout_set_free(onto);
	layout_relation_free(relation);
	assert_true(layout_context_free(ctx));
}

/* The command's words, its status, and all that it prints, or a part of an error. */
static const struct {
	const char *words;
	int status;
	const char *output;
} commands[] = {
	{ "'packed(" PLAIN ", [M, K])'", 0,
		"points: M*K\ncells: M*K\npadding: 4*ceil(M/4)*2*ceil(K/2) - M*K\n" },
	{ "'packed(" PLAIN ", [M, K])' -D M=5 -D K=3", 0,
		"points: 15\ncells: 15\npadding: 17\n" },
	{ "'packed(" PLAIN ", [M, K])' -D M=5 --of padding --of padding", 0,
		"padding: 8*2*ceil(K/2) - 5*K\n" },
	{ "'packed(" PLAIN ", [M, K])' --of padding --of points", 0,
		"padding: 4*ceil(M/4)*2*ceil(K/2) - M*K\npoints: M*K\n" },
	{ "'padding(packed(" PLAIN ", [M, K]))'", 0,
		"points: 4*ceil(M/4)*2*ceil(K/2) - M*K\n" },
	{ "'padding(packed(" PLAIN ", [M, K]))' -D M=5 -D K=3", 0, "points: 17\n" },
	{ "'strided[M, K : ld, 1]'", 0, "points: M*K\ncells: M*K\npadding: 0\n" },
	{ "'strided[M, K : ld, 1]' -D M=4", 0, "points: 4*K\ncells: 4*K\npadding: 0\n" },
	{ "'strided[M, K : ld, 1]' -D M=4 -D ld=5", 0,
		"points: 4*K\ncells: 4*K\npadding: 0\n" },
	{ "'strided[M, K : ld, 1]' -D M=4 -D ld=5 -D K=5", 0,
		"points: 20\ncells: 20\npadding: 0\n" },
	{ "'strided[M, K : ld, 1]' -D M=4 -D ld=5 -D K=6", 2,
		"layoutc: error: -D: the strides do not nest at these sizes\n" },
	{ "'strided[M, K : 7, 1]'", 3, "points: M*K\n"
		"cells: unknown: no formula: of the images, it would have 30 terms "
		"and cases\n"
		"padding: 0\n" },
	{ "'strided[M, K : 7, 1]' -D M=2 -D K=9", 0,
		"points: 18\ncells: 16\npadding: 0\n" },
	{ "'(4,8):(0,1)'", 0, "points: 32\ncells: 8\npadding: 0\n" },
	{ "'{ [i] -> [i mod 3] : 0 <= i < 8 }'", 0, "points: 8\ncells: 3\n" },
	{ "'{ [i] : 0 <= i < 8 }'", 0, "points: 8\n" },
	{ "'[M] -> { [i, j] : 0 <= i < j < M }'", 3,
		"points: unknown: no formula: dimension 1 depends on dimension 0\n" },
	{ "'[M] -> { [i, j] : 0 <= i < j < M }' -D M=5", 0, "points: 10\n" },
	{ "'affine_map<(d0) -> (d0)>' --of points", 3,
		"points: unknown: no formula: dimension 0 has no bound\n" },
	{ "'{ [i] : 0 <= i < 8 }' --of cells", 2,
		"--of: cells of what? a set has points" },
	{ "'{ [i] -> [i] : 0 <= i < 8 }' --of padding", 2,
		"--of: padding of what? this notation declares no box of cells" },
	{ "'{ [i] -> [i] : 0 <= i < 8 }' --of rows", 2,
		"'rows' is none of points|cells|padding" },
	{ "'encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>'", 2,
		"error: expr:1: an encoding has no cells until" },
	{ "'max_common_vector(4:1, 8:1)'", 2, "error: expr:1: " },
	{ "'row_major[M]' -D N=3", 2, "no size 'N'" },
	{ "'row_major[M'", 2, "error: expr:" },
	{ "--help", 0, "--of points|cells|padding" },
};

static void test_commands(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(commands); i++) {
		bool whole = strncmp(commands[i].output, "p", 1) == 0;
		int status;
		char *output = shell_output(&status, "'%s' count %s", LAYOUTC_PATH,
			commands[i].words);

		if (status != commands[i].status ||
		    (whole ? strcmp(output, commands[i].output) != 0 :
		    !strstr(output, commands[i].output)))
			fail_msg("layoutc count %s\nexits with %d and prints\n%s",
				commands[i].words, status, output);
		free(output);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_random_boxes),
		cmocka_unit_test(test_random_relations),
		cmocka_unit_test(test_random_storages),
		cmocka_unit_test(test_random_layouts),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_most_factors),
		cmocka_unit_test(test_most_pieces),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_quotas),
		cmocka_unit_test(test_beyond),
		cmocka_unit_test(test_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
