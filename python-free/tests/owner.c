/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Owners: read from relations and held against their points; found ones; their views,
 * point by point; and what is no owner, with the reason. */
#include "algebra/owner/owner.h"
#include "isl_bridge/relation.h"
#include "support/owners.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The relation's pairs against owner_point(). */
struct check {
	const struct owner *owner;
	unsigned count;
};

static bool check_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned rank)
{
	struct check *check = user;
	int64_t hw[OWNER_PARTS] = { 0 }, found[OWNER_RANK];

	assert_int_equal(in_rank, OWNER_PARTS);
	assert_int_equal(rank, check->owner->rank);
	memcpy(hw, in, sizeof(hw));
	owner_point(check->owner, hw, found);
	assert_memory_equal(found, image, rank * sizeof(*image));
	check->count++;
	return true;
}

/* A walk is at every point where owner_point() is. */
static void check_walk(const struct owner *owner)
{
	int64_t hw[OWNER_PARTS] = { 0 }, x[OWNER_RANK];
	struct owner_walk walk;
	bool more;

	owner_walk_begin(&walk, owner);
	do {
		owner_point(owner, hw, x);
		assert_memory_equal(walk.at, x, owner->rank * sizeof(*x));
		assert_memory_equal(walk.hw, hw, sizeof(hw));
		more = owner_next(owner, hw);
		assert_int_equal(owner_walk_next(&walk), more);
	} while (more);
}

/* What is printed is the owner, and reads back as it. */
static void check_text(layout_context *ctx, const struct owner *owner)
{
	char *text = owner_str(ctx, owner);
	layout_relation *relation = layout_relation_read(ctx, text);
	struct check check = { .owner = owner };
	struct owner *again;

	check_walk(owner);
	assert_non_null(relation);
	assert_true(layout_relation_for_each(relation, check_pair, &check));
	assert_int_equal(check.count, owner->extent[0] * owner->extent[1] *
		owner->extent[2]);
	again = owner_of_relation(ctx, relation, owner->box, owner->rank, 64);
	if (!again || !owner_equal(owner, again))
		fail_msg("%s: %s", text, layout_context_message(ctx));
	owner_free(again);
	layout_relation_free(relation);
	layout_string_free(text);
}

/* Nested layouts number threads; the points of each are compared by hand. */
static const struct row {
	const char *text;
	int64_t box[2], extent[OWNER_PARTS];
	int64_t hw[OWNER_PARTS], at[2];		/* a point, by hand */
	bool replicated;
} rows[] = {
	{ "{ hw[lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }",
		{ 64, 4 }, { 1, 64, 4 }, { 0, 5, 3 }, { 5, 3 }, false },
	{ "{ hw[thread, reg] -> [thread, reg] : 0 <= thread < 128 and 0 <= reg < 4 }",
		{ 128, 4 }, { 2, 64, 4 }, { 1, 5, 3 }, { 69, 3 }, false },
	{ "{ hw[lane, reg] -> [63 - lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }",
		{ 64, 4 }, { 1, 64, 4 }, { 0, 5, 3 }, { 58, 3 }, false },
	{ "{ hw[lane, a, b] -> [lane mod 6, 5*b + a + 0*lane] : 0 <= lane < 24 and "
		"0 <= a < 5 and 0 <= b < 3 }",
		{ 6, 15 }, { 1, 24, 15 }, { 0, 7, 5 }, { 1, 11 }, true },
	{ "linear<{register = [[0, 1]], lane = [[1, 0], [2, 2], [0, 2], [0, 4]]}>",
		{ 4, 8 }, { 1, 16, 2 }, { 0, 6, 1 }, { 2, 1 }, false },
	{ "nested_layout<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], "
		"thread_tile = [8, 8], element_tile = [4, 4], subgroup_strides = [0, 1], "
		"thread_strides = [8, 1]>",
		{ 32, 64 }, { 2, 64, 16 }, { 1, 9, 6 }, { 5, 38 }, false },
	{ "mma<MFMA_F32_16x16x4_F32, lhs>",
		{ 16, 4 }, { 1, 64, 1 }, { 0, 17, 0 }, { 1, 1 }, false },
	{ "distribute(#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], "
		"warpsPerCTA = [2, 2], order = [1, 0]}>, [64, 32])",
		{ 64, 32 }, { 4, 64, 16 }, { 3, 9, 5 }, { 25, 5 }, true },
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_context *ctx = layout_context_new();
		const struct row *row = &rows[i];
		struct owner *owner = owner_of_text(ctx, row->text, row->box, 2, 64);
		int64_t at[2];

		if (!owner)
			fail_msg("%s: %s", row->text, layout_context_message(ctx));
		if (memcmp(owner->extent, row->extent, sizeof(row->extent)))
			fail_msg("%s: %d subgroups, %d lanes, %d registers", row->text,
				(int)owner->extent[0], (int)owner->extent[1],
				(int)owner->extent[2]);
		owner_point(owner, row->hw, at);
		if (memcmp(at, row->at, sizeof(at)))
			fail_msg("%s: at %d, %d", row->text, (int)at[0], (int)at[1]);
		assert_int_equal(owner_is_replicated(owner), row->replicated);
		check_text(ctx, owner);
		owner_free(owner);
		assert_true(layout_context_free(ctx));
	}
}

static const struct refusal {
	const char *text;
	int64_t box[2];
	unsigned wave_size;
	layout_error kind;
	const char *why;
} refusals[] = {
	{ "{ hw[lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }",
		{ 64, 4 }, 32, LAYOUT_ERROR_INVALID, "needs 64 lanes, has 32" },
	{ "{ hw[lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }",
		{ 64, 6 }, 64, LAYOUT_ERROR_INVALID, "no lane holds (0, 4)" },
	{ "{ hw[lane, reg] -> [lane, 2*reg] : 0 <= lane < 8 and 0 <= reg < 4 }",
		{ 8, 8 }, 64, LAYOUT_ERROR_INVALID, "no lane holds (0, 1)" },
	{ "{ hw[lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }",
		{ 64, 3 }, 64, LAYOUT_ERROR_INVALID,
		"outside of the box it holds (0, 3)" },
	{ "{ hw[lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 and "
		"lane + reg < 66 }", { 64, 4 }, 64, LAYOUT_ERROR_UNSUPPORTED,
		"subgroup 0, lane 63, register 3 holds nothing" },
	{ "{ hw[lane, reg] -> [lane, k] : 0 <= lane < 4 and 0 <= reg < 4 and "
		"reg <= k <= reg + 1 }", { 4, 5 }, 64, LAYOUT_ERROR_INVALID,
		"subgroup 0, lane 0, register 0 holds two elements" },
	{ "{ hw[subgroup, lane, reg] -> [k, reg] : 0 <= subgroup < 2 and 0 <= lane < 4 and "
		"0 <= reg < 3 and (k = lane + 4*subgroup or (k = 0 and subgroup = 1 and "
		"lane = 3 and reg = 2)) }", { 8, 3 }, 4, LAYOUT_ERROR_INVALID,
		"subgroup 1, lane 3, register 2 holds two elements" },
	{ "{ hw[lane, reg] -> [(lane*5) mod 7, reg] : 0 <= lane < 7 and 0 <= reg < 4 }",
		{ 7, 4 }, 64, LAYOUT_ERROR_UNSUPPORTED,
		"subgroup 0, lane 2, register 0 holds what no digits" },
	{ "[M] -> { hw[lane, reg] -> [lane, reg] : 0 <= lane < M and 0 <= reg < 4 }",
		{ 7, 4 }, 64, LAYOUT_ERROR_INVALID, "the size M has no value" },
	{ "{ hw[lane, reg, block] -> [lane, reg] : 0 <= lane < 8 and 0 <= reg < 4 and "
		"0 <= block < 2 }", { 8, 4 }, 64, LAYOUT_ERROR_UNSUPPORTED,
		"it is of 2 workgroups" },
};

static void test_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refusals); i++) {
		layout_context *ctx = layout_context_new();
		const struct refusal *row = &refusals[i];

		assert_null(owner_of_text(ctx, row->text, row->box, 2, row->wave_size));
		if (!strstr(layout_context_message(ctx), row->why) ||
		    layout_context_error(ctx) != row->kind)
			fail_msg("%s: %s", row->text, layout_context_message(ctx));
		assert_true(layout_context_free(ctx));
	}
}

/* Every element is held, in the box, and the guard's points hold each once. */
static void check_cover(const struct owner *owner)
{
	size_t elements = (size_t)owner_elements(owner), once = 0;
	unsigned char *held = calloc(elements, 1);
	int64_t hw[OWNER_PARTS] = { 0 }, x[OWNER_RANK];
	uint64_t guard;

	check_walk(owner);
	assert_true(owner_guard(owner, &guard));
	do {
		bool first = true;

		owner_point(owner, hw, x);
		for (unsigned d = 0; d < owner->rank; d++)
			assert_in_range(x[d], 0, owner->box[d] - 1);
		for (unsigned i = 0; i < owner->digit_count; i++)
			if (guard >> i & 1 && hw[owner->digits[i].part] /
					owner->digits[i].place % owner->digits[i].radix)
				first = false;
		if (first)
			once++, held[owner_element(owner, x)]++;
	} while (owner_next(owner, hw));
	assert_int_equal(once, elements);
	for (size_t i = 0; i < elements; i++)
		assert_int_equal(held[i], 1);
	free(held);
}

static void test_blocked(void **state)
{
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(300); i++) {
		layout_context *ctx = layout_context_new();
		unsigned order[4], rank = 1 + random_below(&seed, 4);
		unsigned lanes = 32 << random_below(&seed, 2);
		unsigned subgroups = 1 << random_below(&seed, 3);
		int64_t box[4];
		struct owner *owner;

		random_order(&seed, order, rank);
		for (unsigned d = 0; d < rank; d++)
			box[d] = random_below(&seed, 3) ? 1u << random_below(&seed, 5) :
				1 + random_below(&seed, 17);
		owner = owner_blocked(ctx, box, rank, order, 1 << random_below(&seed, 4),
			lanes, subgroups);
		assert_non_null(owner);
		assert_true(owner->extent[OWNER_LANE] <= lanes);
		assert_true(owner->extent[OWNER_SUBGROUP] <= subgroups);
		check_cover(owner);
		if (i % 10 == 0)
			check_text(ctx, owner);
		owner_free(owner);
		assert_true(layout_context_free(ctx));
	}
}

/* A view's coordinates by the coordinates of the owner. */
typedef void view(const int64_t *in, int64_t *out);

static void check_view(const struct owner *old, const struct owner *new, view *of)
{
	int64_t hw[OWNER_PARTS] = { 0 }, x[OWNER_RANK], y[OWNER_RANK], wanted[OWNER_RANK];

	do {
		owner_point(old, hw, x);
		owner_point(new, hw, y);
		of(x, wanted);
		assert_memory_equal(y, wanted, new->rank * sizeof(*y));
	} while (owner_next(old, hw));
}

static void reversed(const int64_t *in, int64_t *out)
{
	out[0] = in[1];
	out[1] = in[0];
}

static void expanded(const int64_t *in, int64_t *out)
{
	out[0] = in[0] / 8;
	out[1] = in[0] / 2 % 4;
	out[2] = in[0] % 2;
	out[3] = in[1];
}

static void projected(const int64_t *in, int64_t *out)
{
	out[0] = in[1];
}

static void inserted(const int64_t *in, int64_t *out)
{
	out[0] = in[0];
	out[1] = 0;
	out[2] = in[1];
}

static void flat(const int64_t *in, int64_t *out)
{
	out[0] = in[0] * 32 + in[1];
}

static void test_views(void **state)
{
	static const unsigned order[] = { 1, 0 };
	static const int64_t parts[] = { 4, 4, 2 };
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(100); i++) {
		layout_context *ctx = layout_context_new();
		struct owner *old = random_owner(ctx, &seed, 32, 32, 64), new = *old;
		unsigned kept[4096];
		int64_t hw[OWNER_PARTS] = { 0 }, x, y;

		assert_true(owner_permute(&new, order));
		check_view(old, &new, reversed);
		new = *old;
		assert_true(owner_insert(&new, 1));
		check_view(old, &new, inserted);
		new = *old;
		assert_true(owner_collapse(&new, 0, 2));
		check_view(old, &new, flat);
		new = *old;
		assert_true(owner_expand(&new, 0, parts, 3));
		check_view(old, &new, expanded);
		check_cover(&new);
		assert_true(owner_collapse(&new, 0, 3));
		assert_true(owner_equal(old, &new));
		new = *old;
		owner_project(&new, 0);
		check_view(old, &new, projected);
		*old = new;
		owner_drop_registers(&new, kept);
		do {
			int64_t at[] = { hw[0], hw[1], kept[hw[2]] };

			owner_point(&new, hw, &x);
			owner_point(old, at, &y);
			assert_int_equal(x, y);
		} while (owner_next(&new, hw));
		owner_free(old);
		assert_true(layout_context_free(ctx));
	}
}

/* Digits of 3 do not split at 4. */
static void test_unsplit(void **state)
{
	static const int64_t box[] = { 12 }, parts[] = { 3, 4 }, other[] = { 4, 3 };
	static const unsigned order[] = { 0 };
	layout_context *ctx = layout_context_new();
	struct owner *owner = owner_blocked(ctx, box, 1, order, 3, 4, 1), old = *owner;

	(void)state;
	assert_false(owner_expand(owner, 0, parts, 2));
	assert_true(owner_equal(owner, &old));
	assert_true(owner_expand(owner, 0, other, 2));
	assert_int_equal(owner->rank, 2);
	owner_free(owner);
	assert_true(layout_context_free(ctx));
}

/* The published points of nested layouts: the first element of a thread, and that of its
 * last batch and outer tile. */
struct published {
	char fields[13][64];
};

static bool read_published(FILE *file, struct published *row)
{
	char line[1024], *rest, *field;
	unsigned count = 0;

	do
		if (!fgets(line, sizeof(line), file))
			return false;
	while (strncmp(line, "OWN", 3));
	for (rest = strtok(line, "\n"); (field = strsep(&rest, "\t")); count++)
		snprintf(row->fields[count], sizeof(row->fields[count]), "%s", field);
	assert_int_equal(count, 13);
	return true;
}

static unsigned read_list(const char *text, int64_t *list)
{
	unsigned count = 0;

	do
		list[count++] = strtoll(text, NULL, 10);
	while ((text = strchr(text, ',')) && *++text);
	return count;
}

/* The number of the register with the last batch and outer tile, its first element. */
static int64_t last_register(const struct published *row, unsigned rank)
{
	int64_t number = 0, extents[OWNER_RANK];

	for (unsigned level = 2; level <= 5; level += level == 3 ? 2 : 1) {
		read_list(row->fields[level], extents);
		for (unsigned d = 0; d < rank; d++)
			number = number * extents[d] + (level < 4 ? extents[d] - 1 : 0);
	}
	return number;
}

/* Some do not cover their boxes on waves of 64 lanes: they are no owners. */
static bool is_no_owner(layout_context *ctx)
{
	return strstr(layout_context_message(ctx), "no lane holds") ||
		strstr(layout_context_message(ctx), "holds two elements");
}

static void check_published(const struct published *row, unsigned *count)
{
	layout_context *ctx = layout_context_new();
	int64_t thread = strtoll(row->fields[8], NULL, 10), wanted[OWNER_RANK];
	int64_t x[OWNER_RANK];
	char text[1024];
	struct owner *owner;

	snprintf(text, sizeof(text), "nested_layout<subgroup_tile = [%s], batch_tile = [%s], "
		"outer_tile = [%s], thread_tile = [%s], element_tile = [%s], "
		"subgroup_strides = [%s], thread_strides = [%s]>", row->fields[1],
		row->fields[2], row->fields[3], row->fields[4], row->fields[5],
		row->fields[6], row->fields[7]);
	owner = owner_of_text(ctx, text, NULL, 0, 64);
	if (!owner && !is_no_owner(ctx))
		fail_msg("%s: %s", text, layout_context_message(ctx));
	*count += owner != NULL;
	if (!owner) {
		assert_true(layout_context_free(ctx));
		return;
	}
	thread %= owner->extent[OWNER_SUBGROUP] * owner->extent[OWNER_LANE];
	for (unsigned last = 0; last < 2; last++) {
		const int64_t hw[] = { thread / owner->extent[OWNER_LANE],
			thread % owner->extent[OWNER_LANE],
			last ? last_register(row, owner->rank) : 0 };

		assert_int_equal(read_list(row->fields[11 + last], wanted), owner->rank);
		owner_point(owner, hw, x);
		if (memcmp(x, wanted, owner->rank * sizeof(*x)))
			fail_msg("%s, thread %d: %d, %d", text, (int)thread, (int)x[0],
				(int)x[1]);
	}
	owner_free(owner);
	assert_true(layout_context_free(ctx));
}

static void test_published(void **state)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/nested_ownership.tsv", "r");
	struct published row;
	unsigned count = 0;

	(void)state;
	assert_non_null(file);
	while (read_published(file, &row))
		check_published(&row, &count);
	fclose(file);
	assert_true(count > 100);
}

/* Two lanes that hold the same halve the registers, wherever the owner's digits have them;
 * not two that are apart. */
static void test_spread(void **state)
{
	static const char *const texts[] = {
		"{ [lane, reg] -> [reg, floor(lane/2)] : 0 <= lane < 64 and 0 <= reg < 2 }",
		"{ [lane, reg] -> [floor(lane/2), reg] : 0 <= lane < 64 and 0 <= reg < 2 }" };
	static const int64_t boxes[][2] = { { 2, 32 }, { 32, 2 } };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(texts); i++) {
		struct owner *owner = owner_of_text(ctx, texts[i], boxes[i], 2, 64);
		struct owner spread = *owner;

		assert_true(owner_spread(&spread, 1));
		assert_int_equal(spread.extent[OWNER_REGISTER], 1);
		spread = *owner;
		assert_false(owner_spread(&spread, 2));
		owner_free(owner);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_blocked),
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_unsplit),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_published),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
