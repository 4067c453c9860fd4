/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The points of functions with floors, in order, against loops; and that many of them do
 * not take isl long. */
#include "support/append.h"
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

#define RANK 2
#define RANDOM_FUNCTIONS 400
#define TEXT 512

/* constant + factors * coordinates + factor * the expression before, or that by a
 * divisor: its floor or its remainder. */
struct expression {
	int64_t factors[RANK], constant;
	int64_t before;			/* its factor; 0 for the first */
	int64_t divisor;		/* 0: none */
	bool is_remainder;
};

/* Expressions of which each may use the one before it, and the last counts. */
struct chain {
	unsigned count;
	struct expression items[3];
};

static int64_t random_small(uint64_t *random, int largest)
{
	return (int64_t)random_below(random, (unsigned)(2 * largest + 1)) - largest;
}

static struct chain random_chain(uint64_t *random)
{
	struct chain chain = { .count = 1 + random_below(random, 3) };

	for (unsigned i = 0; i < chain.count; i++) {
		struct expression *item = &chain.items[i];

		for (unsigned k = 0; k < RANK; k++)
			item->factors[k] = random_small(random, 4);
		item->constant = random_small(random, 9);
		item->before = i ? random_small(random, 5) : 0;
		item->divisor = random_below(random, 8);
		item->is_remainder = random_below(random, 2);
	}
	return chain;
}

static int64_t value_of(const struct chain *chain, const int64_t *point)
{
	int64_t value = 0;

	for (unsigned i = 0; i < chain->count; i++) {
		const struct expression *item = &chain->items[i];
		int64_t sum = item->constant + item->before * value, quotient;

		for (unsigned k = 0; k < RANK; k++)
			sum += item->factors[k] * point[k];
		value = sum;
		if (!item->divisor)
			continue;
		for (quotient = 0; quotient * item->divisor > sum; quotient--)
			;
		while ((quotient + 1) * item->divisor <= sum)
			quotient++;
		value = item->is_remainder ? sum - quotient * item->divisor : quotient;
	}
	return value;
}

/* Append the text of the first "count" of the chain. */
static void append_chain(char *text, size_t size, const struct chain *chain,
	unsigned count)
{
	const struct expression *item = count ? &chain->items[count - 1] : NULL;

	if (!item) {
		append_text(text, size, "0");
		return;
	}
	append_text(text, size, item->divisor && !item->is_remainder ? "floor((" : "((");
	append_text(text, size, "%" PRId64 " + %" PRId64 "*(", item->constant,
		item->before);
	append_chain(text, size, chain, count - 1);
	append_text(text, size, ") + %" PRId64 "*i + %" PRId64 "*j)", item->factors[0],
		item->factors[1]);
	if (item->divisor)
		append_text(text, size, item->is_remainder ? " mod %" PRId64 :
			" / %" PRId64, item->divisor);
	append_text(text, size, ")");
}

/* { [i, j] -> [images] : in the box and (a condition, or one of two) } */
struct function {
	int64_t first[RANK], end[RANK];
	unsigned condition_count;
	struct chain images[2], conditions[2];
};

static struct function random_function(uint64_t *random)
{
	struct function function = {
		.condition_count = random_below(random, 3) };

	for (unsigned k = 0; k < RANK; k++) {
		function.first[k] = random_small(random, 10);
		function.end[k] = function.first[k] + random_below(random, 24);
	}
	for (unsigned k = 0; k < 2; k++) {
		function.images[k] = random_chain(random);
		function.conditions[k] = random_chain(random);
	}
	return function;
}

static void write_function(char *text, size_t size, const struct function *function)
{
	const struct chain *images = function->images, *conditions = function->conditions;

	text[0] = 0;
	append_text(text, size, "{ [i, j] -> [");
	append_chain(text, size, &images[0], images[0].count);
	append_text(text, size, ", ");
	append_chain(text, size, &images[1], images[1].count);
	append_text(text, size, "] : %" PRId64 " <= i < %" PRId64 " and %" PRId64
		" <= j < %" PRId64, function->first[0], function->end[0],
		function->first[1], function->end[1]);
	for (unsigned k = 0; k < function->condition_count; k++) {
		append_text(text, size, k ? " or " : " and (");
		append_chain(text, size, &conditions[k], conditions[k].count);
		append_text(text, size, " >= 0");
	}
	append_text(text, size, function->condition_count ? ") }" : " }");
}

/* The pairs that are still to come, in order. */
struct expected {
	const struct function *function;
	const char *text;
	int64_t point[RANK];
};

static bool is_inside(const struct function *function, const int64_t *point)
{
	bool inside = !function->condition_count;

	for (unsigned k = 0; k < function->condition_count; k++)
		inside = inside || value_of(&function->conditions[k], point) >= 0;
	return inside;
}

/* The next point from "point" on, itself too; false: there is none. */
static bool find_next(struct expected *expected)
{
	const struct function *function = expected->function;
	int64_t *point = expected->point;

	for (; point[0] < function->end[0]; point[0]++, point[1] = function->first[1])
		for (; point[1] < function->end[1]; point[1]++)
			if (is_inside(function, point))
				return true;
	return false;
}

static bool visit(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned image_rank)
{
	struct expected *expected = user;

	assert_int_equal(in_rank, RANK);
	assert_int_equal(image_rank, 2);
	if (!find_next(expected) || in[0] != expected->point[0] ||
	    in[1] != expected->point[1] ||
	    image[0] != value_of(&expected->function->images[0], in) ||
	    image[1] != value_of(&expected->function->images[1], in))
		fail_msg("(%" PRId64 ", %" PRId64 ") -> (%" PRId64 ", %" PRId64 ") of %s",
			in[0], in[1], image[0], image[1], expected->text);
	expected->point[1]++;
	return true;
}

static void test_random(void **state)
{
	uint64_t random = random_seed();
	char text[4 * TEXT];

	(void)state;
	for (unsigned i = 0; i < share_count(RANDOM_FUNCTIONS); i++) {
		layout_context *ctx = layout_context_new();
		struct function function = random_function(&random);
		struct expected expected = { &function, text,
			{ function.first[0], function.first[1] } };
		layout_value *value;

		write_function(text, sizeof(text), &function);
		value = layout_value_parse(ctx, text);
		if (!value || !layout_value_for_each(value, NULL, 0, visit, &expected))
			fail_msg("%s: %s", text, layout_context_message(ctx));
		if (find_next(&expected))
			fail_msg("no (%" PRId64 ", %" PRId64 ") of %s", expected.point[0],
				expected.point[1], text);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

#define DISTRIBUTION "distribution(#iree_encoding.encoding<operand_index = 0 : index, " \
	"op_type = scaled_matmul, element_types = [f4E2M1FN, f4E2M1FN, f8E8M0FNU, " \
	"f8E8M0FNU, f32], user_indexing_maps = [" \
	"affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, " \
	"affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, " \
	"affine_map<(d0, d1, d2, d3) -> (d0, d2)>, " \
	"affine_map<(d0, d1, d2, d3) -> (d1, d2)>, " \
	"affine_map<(d0, d1, d2, d3) -> (d0, d1)>], " \
	"iteration_sizes = [?, ?, ?, 32]>, target = gfx950)"
#define PACKED "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [16, 8], " \
	"outerDimsPerm = [1, 0]}>, [M, 64])"

static void scaled_operand(const int64_t *hw, int64_t *tile)
{
	tile[0] = 16 * (hw[2] / 128) + hw[1] % 16;
	tile[1] = hw[1] / 16 + 4 * (hw[2] / 32 % 4);
	tile[2] = hw[2] % 32;
}

static void shuffled_rows(const int64_t *logical, int64_t *cell)
{
	cell[0] = logical[0];
	cell[1] = logical[1] ^ logical[0] % 16 * 8;
}

/* A row of the shuffle is half a row of the storage. */
static void shuffled_pairs(const int64_t *logical, int64_t *cell)
{
	int64_t row = 2 * logical[0] + logical[1] / 128;

	cell[0] = logical[0];
	cell[1] = logical[1] ^ row % 16 * 8;
}

static void swizzled_rows(const int64_t *logical, int64_t *cell)
{
	int64_t offset = 128 * logical[0] + logical[1];

	offset ^= (offset >> 6 & 7) << 3;
	cell[0] = offset / 128;
	cell[1] = offset % 128;
}

static void unshuffled_rows(const int64_t *cell, int64_t *logical)
{
	shuffled_rows(cell, logical);
}

static void packed(const int64_t *logical, int64_t *cell)
{
	cell[0] = logical[1] / 8;
	cell[1] = logical[0] / 16;
	cell[2] = logical[0] % 16;
	cell[3] = logical[1] % 8;
}

/* A function on the whole of a box, listed within so many of isl's operations. */
static const struct row {
	const char *text;
	unsigned long quota;
	unsigned in_rank, out_rank;
	int64_t sizes[3];
	void (*apply)(const int64_t *in, int64_t *image);
} rows[] = {
	{ DISTRIBUTION, 100000, 3, 3, { 4, 64, 512 }, scaled_operand },
	{ "swizzled(row_major[128, 256], xor_shuffle<128, 8>)", 100000, 2, 2,
		{ 128, 256 }, shuffled_pairs },
	{ "swizzled(row_major[300, 128], xor_shuffle<128, 8>)", 100000, 2, 2,
		{ 300, 128 }, shuffled_rows },
	{ "inverse(swizzled(row_major[96, 128], xor_shuffle<128, 8>))", 100000, 2, 2,
		{ 96, 128 }, unshuffled_rows },
	{ "swizzled(row_major[128, 128], Sw<3, 3, 3>)", 100000, 2, 2, { 128, 128 },
		swizzled_rows },
	{ PACKED, 100000, 2, 4, { 5000, 64 }, packed },
};

/* The next input of a row's box. */
struct progress {
	const struct row *row;
	int64_t point[3];
	bool done;
};

static void step(struct progress *progress)
{
	const struct row *row = progress->row;

	for (unsigned i = row->in_rank; i-- > 0;) {
		if (++progress->point[i] < row->sizes[i])
			return;
		progress->point[i] = 0;
	}
	progress->done = true;
}

static bool visit_box(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct progress *progress = user;
	const struct row *row = progress->row;
	int64_t expected[4];

	assert_int_equal(in_rank, row->in_rank);
	assert_int_equal(image_rank, row->out_rank);
	assert_false(progress->done);
	assert_memory_equal(in, progress->point, in_rank * sizeof(*in));
	row->apply(in, expected);
	assert_memory_equal(image, expected, image_rank * sizeof(*image));
	step(progress);
	return true;
}

static void test_rows(void **state)
{
	const layout_size sizes[] = { { "M", 5000 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, rows[i].text);
		struct progress progress = { &rows[i], { 0 }, false };

		layout_context_set_quota(ctx, rows[i].quota);
		if (!value ||
		    !layout_value_for_each(value, sizes, 1, visit_box, &progress))
			fail_msg("%s: %s", rows[i].text, layout_context_message(ctx));
		assert_true(progress.done);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

static bool is_on_planes(const int64_t *p)
{
	return (p[0] + 2 * p[1] + 3 * p[2]) % 7 == 1;
}

static bool is_in_one_of_two(const int64_t *p)
{
	return (p[0] < 500 && p[0] <= p[1] && p[1] < 500) ||
		(p[0] >= 200 && p[1] >= 100 && p[1] < 300);
}

static bool is_on_diagonals(const int64_t *p)
{
	return (p[0] + p[1]) % 5 == 0;
}

/* More points, or a larger box of them, than are listed at once. */
static const struct {
	const char *text;
	unsigned rank;
	int64_t box[3];
	bool (*holds)(const int64_t *point);
} large_rows[] = {
	{ "{ [i, j, k] : 0 <= i < 70 and 0 <= j < 60 and 0 <= k < 50 and "
		"(i + 2j + 3k) mod 7 = 1 }", 3, { 70, 60, 50 }, is_on_planes },
	{ "{ [i, j] : 0 <= i < 500 and i <= j < 500; [i, j] : 200 <= i < 700 and "
		"100 <= j < 300 }", 2, { 700, 500 }, is_in_one_of_two },
	{ "{ [i, j] : 0 <= i < 400 and 0 <= j < 400 and exists (e : i + j = 5e) }", 2,
		{ 400, 400 }, is_on_diagonals },
};

struct walk {
	size_t row;
	int64_t next[3];	/* the point behind the last one */
};

/* Go on to the next point of the row's set; false past the last. */
static bool walk_on(struct walk *walk)
{
	const int64_t *box = large_rows[walk->row].box;

	while (walk->next[0] < box[0] && !large_rows[walk->row].holds(walk->next)) {
		unsigned d = large_rows[walk->row].rank;

		while (d-- > 0 && ++walk->next[d] == box[d] && d)
			walk->next[d] = 0;
	}
	return walk->next[0] < box[0];
}

static bool visit_large(void *user, const int64_t *point, unsigned rank)
{
	struct walk *walk = user;

	assert_true(walk_on(walk));
	assert_int_equal(rank, large_rows[walk->row].rank);
	assert_memory_equal(point, walk->next, rank * sizeof(*point));
	walk->next[rank - 1]++;
	if (walk->next[rank - 1] == large_rows[walk->row].box[rank - 1])
		for (unsigned d = rank - 1; d && walk->next[d] ==
				large_rows[walk->row].box[d]; d--) {
			walk->next[d] = 0;
			walk->next[d - 1]++;
		}
	return true;
}

static void test_large(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(large_rows) / sizeof(*large_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_set *set = layout_set_read(ctx, large_rows[i].text);
		struct walk walk = { .row = i };

		assert_true(layout_set_for_each(set, visit_large, &walk));
		assert_false(walk_on(&walk));
		layout_set_free(set);
		assert_true(layout_context_free(ctx));
	}
}

/* Sets that nobody can list: their first points come at once. */
static const struct {
	const char *text;
	int64_t first, step;
} endless_rows[] = {
	{ "{ [i] -> [i] : 0 <= i < 4611686018427387904 }", 0, 1 },
	{ "{ [i] : 0 <= i < 4611686018427387904 }", 0, 1 },
	{ "{ [i] : 0 <= i < 4611686018427387904 and i mod 1099511627776 = 5 }", 5,
		INT64_C(1) << 40 },
	{ "{ [i] -> [j] : 0 <= i < 1000000000 and i <= j <= 1000000000 + i }", 0, 0 },
	{ "{ [i] -> [o] : 16o <= i < 16o + 16 and 0 <= i < 1000000000000 }", 0, 1 },
};

#define FEW 1000

struct few {
	int64_t next, step;
	unsigned count;
};

static bool visit_few(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct few *few = user;

	(void)image;
	assert_int_equal(in_rank, 1);
	assert_true(image_rank <= 1);
	assert_int_equal(in[0], few->next);
	few->next += few->step;
	return ++few->count < FEW;
}

static void test_endless(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(endless_rows) / sizeof(*endless_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, endless_rows[i].text);
		struct few few = { endless_rows[i].first, endless_rows[i].step, 0 };

		assert_true(layout_value_for_each(value, NULL, 0, visit_few, &few));
		assert_int_equal(few.count, FEW);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

/* How many points there are of what is listed in portions: with numbers that exist for each
 * and are many, far apart, in rows of a few, and written as unions. */
static const struct {
	const char *text;
	size_t count;
} portioned_rows[] = {
	{ "{ [i, j] : 0 <= i < 300 and 0 <= j < i and (i + j) mod 3 = 1 }", 14950 },
	{ "{ [i, j] : 0 <= i <= j and j <= 300 and exists (e : 2e = i + j) and "
		"exists (f : 3f <= i <= 3f + 1) }", 15251 },
	{ "{ [i] : exists (a, b : i = 3a + 5b and 0 <= a < 100 and 0 <= b <= 1000) }", 5290 },
	{ "{ [i] : 0 <= i < 1000000000000 and (i mod 1000000007 = 5 or "
		"i mod 999999998 = 3) }", 2001 },
	{ "{ [i, j, k] : 0 <= i < 3 and 0 <= j < 1000000000 and j mod 100000000 < 30 and "
		"0 <= k < 1 + j mod 7 }", 3591 },
	{ "{ [i, j] -> [j] : 0 <= i < 3 and 0 <= j < 20000000 and "
		"(j < i or j > 19999990) }", 30 },
	{ "{ [i] -> [i] : 0 <= i < 10; [i] -> [2i] : 5 <= i < 30000; "
		"[i] -> [7] : 3 <= i < 12 }", 30013 },
	{ "{ [-5]; [1000000000000]; [9223372036854775807]; [-9223372036854775808] }", 4 },
	{ "{ A[] -> B[3] }", 1 },
};

struct portioned {
	int64_t last[4];
	size_t count;
};

/* Each behind the one before. */
static bool visit_portioned(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct portioned *portioned = user;
	int64_t point[4] = { 0 };
	unsigned d = 0;

	memcpy(point, in, in_rank * sizeof(*in));
	if (image_rank)
		memcpy(point + in_rank, image, image_rank * sizeof(*image));
	while (portioned->count && d < 4 && point[d] == portioned->last[d])
		d++;
	assert_true(!portioned->count || (d < 4 && point[d] > portioned->last[d]));
	memcpy(portioned->last, point, sizeof(point));
	portioned->count++;
	return true;
}

static void test_portions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(portioned_rows) / sizeof(*portioned_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, portioned_rows[i].text);
		struct portioned portioned = { 0 };

		assert_true(layout_value_for_each(value, NULL, 0, visit_portioned,
			&portioned));
		if (portioned.count != portioned_rows[i].count)
			fail_msg("%s: %zu", portioned_rows[i].text, portioned.count);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_portions),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_endless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
