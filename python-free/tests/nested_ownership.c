/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who owns what in a nested layout, both ways, against the published table, the
 * formula and the relation. */
#include "support/nested_model.h"

#include "isl_bridge/relation.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ELEMENTS 256
#define RANDOM_LAYOUTS 4000
#define RANDOM_RELATIONS 150

/* What a thread holds, or who holds a coordinate, as it was visited. */
struct visits {
	const struct model *model;
	const int64_t *coordinate;	/* the only one, or NULL */
	int64_t thread;			/* the only one, or -1 */
	int64_t previous[3 * MODEL_RANK];
	bool *seen;			/* coordinates, or threads */
	unsigned count;
};

static int64_t index_of(const struct model *model, const int64_t *coordinate)
{
	int64_t index = 0;

	for (unsigned d = 0; d < model->rank; d++)
		index = index * model_extent(model, d) + coordinate[d];
	return index;
}

static int compare(const int64_t *a, const int64_t *b, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static void expect_place(const struct visits *visits, const int64_t *holder,
	const int64_t *coordinate)
{
	int64_t place[3 * MODEL_RANK];

	model_place(visits->model, coordinate, place);
	assert_int_equal(compare(place, holder + 1, 3 * visits->model->rank), 0);
}

static bool visit_owned(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	struct visits *visits = user;
	int64_t index = index_of(visits->model, coordinate);

	assert_int_equal(rank, visits->model->rank);
	assert_int_equal(holder[0], visits->thread);
	expect_place(visits, holder, coordinate);
	assert_true(index >= 0 && index < model_elements(visits->model));
	assert_false(visits->seen[index]);
	visits->seen[index] = true;
	if (visits->count++)
		assert_true(compare(visits->previous, holder + 1, 3 * rank) <= 0);
	memcpy(visits->previous, holder + 1, 3 * rank * sizeof(*holder));
	return true;
}

static bool visit_owner(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	struct visits *visits = user;

	assert_int_equal(rank, visits->model->rank);
	assert_int_equal(compare(coordinate, visits->coordinate, rank), 0);
	expect_place(visits, holder, coordinate);
	assert_true(holder[0] >= 0 && holder[0] < model_threads(visits->model));
	assert_false(visits->seen[holder[0]]);
	visits->seen[holder[0]] = true;
	return true;
}

static void expect_owned(layout_nested *nested, const struct model *model, int64_t thread)
{
	int64_t elements = model_elements(model), coordinate[MODEL_RANK];
	struct visits visits = { .model = model, .thread = thread };

	visits.seen = calloc((size_t)elements, sizeof(bool));
	assert_true(layout_nested_owned(nested, thread, visit_owned, &visits));
	for (int64_t i = 0; i < elements; i++) {
		model_coordinate(model, i, coordinate);
		assert_int_equal(visits.seen[i], model_holds(model, thread, coordinate));
	}
	free(visits.seen);
}

static void expect_owners(layout_nested *nested, const struct model *model,
	const int64_t *coordinate)
{
	int64_t threads = model_threads(model);
	struct visits visits = { .model = model, .coordinate = coordinate };

	visits.seen = calloc((size_t)threads, sizeof(bool));
	assert_true(layout_nested_owners(nested, coordinate, visit_owner, &visits));
	for (int64_t t = 0; t < threads; t++)
		assert_int_equal(visits.seen[t], model_holds(model, t, coordinate));
	free(visits.seen);
}

/* Random threads and coordinates of random layouts. */
static void random_ownership(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
		struct model model = model_random(&seed, 4, ELEMENTS);
		layout_context *ctx = layout_context_new();
		layout_nested *nested = model_build(ctx, &model);
		int64_t threads = model_threads(&model), coordinate[MODEL_RANK];
		char text[600], *printed = layout_nested_str(nested);

		model_note(state, &model);
		model_print(&model, text, sizeof(text));
		assert_string_equal(printed, text);
		layout_string_free(printed);
		assert_int_equal(layout_nested_threads(nested), threads);
		for (unsigned k = 0; k < 4; k++) {
			expect_owned(nested, &model, random_wide(&seed, threads));
			model_coordinate(&model,
				random_wide(&seed, model_elements(&model)), coordinate);
			expect_owners(nested, &model, coordinate);
		}
		if (!model.subgroup_count)
			expect_owned(nested, &model,
				threads + random_wide(&seed, 2 * threads));
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
	model_note(state, NULL);
}

/* The pairs of the relation are those of the formula. */
struct pairs {
	const struct model *model;
	int64_t count;
};

static bool visit_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct pairs *pairs = user;
	int64_t place[3 * MODEL_RANK];
	unsigned rank = pairs->model->rank;

	assert_int_equal(in_rank, 1 + 3 * rank);
	assert_int_equal(image_rank, rank);
	model_place(pairs->model, image, place);
	assert_int_equal(compare(in + 1, place, 3 * rank), 0);
	assert_true(model_holds(pairs->model, in[0], image));
	pairs->count++;
	return true;
}

static int64_t count_held(const struct model *model)
{
	int64_t coordinate[MODEL_RANK], count = 0;

	for (int64_t i = 0; i < model_elements(model); i++) {
		model_coordinate(model, i, coordinate);
		for (int64_t t = 0; t < model_threads(model); t++)
			count += model_holds(model, t, coordinate);
	}
	return count;
}

/* All numbers rounded down to powers of two: what is known as a bit matrix. */
static void make_powers(struct model *model)
{
	int64_t *numbers[] = { &model->subgroup_size, &model->subgroup_count };

	for (unsigned list = S; list < MODEL_LISTS; list++)
		for (unsigned d = 0; d < model->rank; d++)
			while (model->lists[list][d] & (model->lists[list][d] - 1))
				model->lists[list][d] &= model->lists[list][d] - 1;
	for (unsigned i = 0; i < 2; i++)
		while (*numbers[i] & (*numbers[i] - 1))
			*numbers[i] &= *numbers[i] - 1;
}

static void expect_relation(const struct model *model)
{
	layout_context *ctx = layout_context_new();
	layout_nested *nested = model_build(ctx, model);
	layout_relation *relation = layout_nested_relation(nested);
	struct pairs pairs = { model, 0 };

	assert_true(layout_relation_for_each(relation, visit_pair, &pairs));
	assert_int_equal(pairs.count, count_held(model));
	layout_relation_free(relation);
	layout_nested_free(nested);
	assert_true(layout_context_free(ctx));
}

static void random_relations(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < RANDOM_RELATIONS; i++) {
		struct model model = model_random(&seed, i % 10 ? 2 : MODEL_RANK, 24);

		if (i % 2)
			make_powers(&model);
		model_note(state, &model);
		expect_relation(&model);
	}
	model_note(state, NULL);
}

/* One subgroup does the work of four, with ids that wrap: which thread of the formula
 * holds a coordinate takes isl 16 seconds to express, 256 pairs none to list. */
static void shared_relation(void **state)
{
	const struct model model = { .rank = 1, .subgroup_size = 32,
		.subgroup_count = 1, .lists = {
		{ 2 }, { 1 }, { 2 }, { 5 }, { 1 }, { 2 }, { 2 } } };

	(void)state;
	expect_relation(&model);
}

/* A thread, its place and its coordinate: found from either end. */
struct holding {
	unsigned rank;
	int64_t holder[1 + 3 * MODEL_RANK], coordinate[MODEL_RANK];
	unsigned found;
};

static bool find_holding(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	struct holding *holding = user;

	if (compare(holder, holding->holder, 1 + 3 * rank) == 0 &&
	    compare(coordinate, holding->coordinate, rank) == 0)
		holding->found++;
	return true;
}

static void expect_holding(layout_nested *nested, struct holding *holding)
{
	holding->found = 0;
	assert_true(layout_nested_owned(nested, holding->holder[0], find_holding,
		holding));
	assert_int_equal(holding->found, 1);
	holding->holder[0] %= layout_nested_threads(nested);
	assert_true(layout_nested_owners(nested, holding->coordinate, find_holding,
		holding));
	assert_int_equal(holding->found, 2);
}

static void check_row(const struct model_row *row)
{
	layout_context *ctx = layout_context_new();
	const struct model *model = &row->model;
	layout_nested *nested = model_build(ctx, model);
	struct holding holding = { .rank = model->rank };

	assert_non_null(nested);
	holding.holder[0] = row->thread;
	memcpy(holding.coordinate, row->first, sizeof(row->first));
	expect_holding(nested, &holding);
	holding.holder[0] = row->thread;
	memcpy(holding.coordinate, row->last, sizeof(row->last));
	for (unsigned d = 0; d < model->rank; d++) {
		holding.holder[1 + d] = model->lists[B][d] - 1;
		holding.holder[1 + model->rank + d] = model->lists[O][d] - 1;
	}
	expect_holding(nested, &holding);
	layout_nested_free(nested);
	assert_true(layout_context_free(ctx));
}

static void published_ownership(void **state)
{
	(void)state;
	assert_in_range(model_check_rows(TEST_DATA_DIR "/vectors/nested_ownership.tsv",
		check_row), 101, 100000);
}

static bool count_five(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	(void)holder, (void)coordinate, (void)rank;
	return ++*(unsigned *)user < 5;
}

/* One dimension's tiles and strides of subgroups and threads, and the threads there are:
 * all that the strides span, where it is not within one subgroup. */
static const struct {
	int64_t s, s_stride, t, t_stride, size, count, threads;
} thread_rows[] = {
	{ 2, 2, 16, 8, 64, 0, 256 }, { 2, 2, 1, 0, 64, 0, 256 },
	{ 3, 4, 1, 0, 32, 0, 384 }, { 1, 0, 16, 8, 64, 0, 128 },
	{ 1, 0, 2, 128, 64, 0, 256 }, { 1, 0, 2, 80, 64, 0, 192 },
	{ 1, 0, 2, 48, 64, 0, 64 }, { 1, 0, 4, 16, 64, 0, 64 },
	{ 2, 0, 4, 0, 32, 0, 32 }, { 2, 2, 16, 8, 64, 3, 192 },
	{ 1, 9, 1, 9, 32, 0, 32 },
};

static void thread_counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(thread_rows) / sizeof(*thread_rows); i++) {
		layout_context *ctx = layout_context_new();
		struct model model = { .rank = 1, .subgroup_size = thread_rows[i].size,
			.subgroup_count = thread_rows[i].count, .lists = {
			{ thread_rows[i].s }, { 1 }, { 1 }, { thread_rows[i].t }, { 1 },
			{ thread_rows[i].s_stride }, { thread_rows[i].t_stride } } };
		layout_nested *nested = model_build(ctx, &model);

		if (layout_nested_threads(nested) != thread_rows[i].threads)
			fail_msg("row %zu: %" PRId64 " threads", i,
				layout_nested_threads(nested));
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
}

/* 2^40 threads, each with 2^31 elements: nothing is enumerated that is not visited. */
static void large_sizes(void **state)
{
	layout_context *ctx = layout_context_new();
	struct model model = { .rank = 2, .subgroup_size = 1024, .lists = {
		[S] = { 1 << 15, 1 << 15 }, [B] = { 1 << 10, 1 }, [O] = { 1, 1 },
		[T] = { 1, 512 }, [E] = { 1, 1 << 11 },
		[S_STRIDES] = { 1 << 15, 1 }, [T_STRIDES] = { 0, 1 } } };
	layout_nested *nested = model_build(ctx, &model);
	struct holding holding = { .rank = 2, .holder = { 0, 3, 0, 0, 0, 0, 7 } };
	int64_t subgroup = ((int64_t)12345 << 15) + 54;
	unsigned visited = 0;

	(void)state;
	holding.holder[0] = subgroup * 1024 + 300;
	holding.coordinate[0] = 12345 * 1024 + 3;
	holding.coordinate[1] = (54 * 512 + 300) * 2048 + 7;
	assert_true(layout_nested_owners(nested, holding.coordinate, find_holding,
		&holding));
	assert_int_equal(holding.found, 1);
	assert_true(layout_nested_owned(nested, holding.holder[0], count_five, &visited));
	assert_int_equal(visited, 5);
	layout_nested_free(nested);
	assert_true(layout_context_free(ctx));
}

/* The documentation's example: eight subgroups' work on a hardware of four. */
static void shared_subgroups(void **state)
{
	static const int64_t subgroups[4][2] = {
		{ 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 },
	};
	layout_context *ctx = layout_context_new();
	layout_nested *nested = layout_nested_parse(ctx,
		"nested_layout<subgroup_tile = [4, 2],"
		" batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 1],"
		" element_tile = [1, 1], subgroup_strides = [1, 4],"
		" thread_strides = [0, 0], subgroup_size = 1, subgroup_count = 4>");

	(void)state;
	assert_int_equal(layout_nested_threads(nested), 4);
	for (int64_t i = 0; i < 4; i++)
		for (int64_t k = 0; k < 2; k++) {
			struct holding holding = { .rank = 2 };

			holding.holder[0] = subgroups[i][k];
			holding.coordinate[0] = i;
			holding.coordinate[1] = k;
			expect_holding(nested, &holding);
		}
	layout_nested_free(nested);
	assert_true(layout_context_free(ctx));
}

/* Ids that contradict each other have no owner, and that is seen among any number of
 * threads; a thread's work far apart is found as far as the quota goes. */
static void overlapping_ids(void **state)
{
	static const int64_t apart[] = { 0, 1 };
	layout_context *ctx = layout_context_new();
	struct model model = { .rank = 2, .subgroup_size = 64,
		.subgroup_count = (int64_t)1 << 50, .lists = {
		{ 1, 1 }, { 1, 1 }, { 1, 1 }, { 2, 2 }, { 1, 1 }, { 0, 0 }, { 1, 1 } } };
	layout_nested *nested = model_build(ctx, &model);
	unsigned visited = 0;

	(void)state;
	assert_true(layout_nested_owners(nested, apart, count_five, &visited));
	assert_int_equal(visited, 0);
	layout_nested_free(nested);

	model.subgroup_count = 1;
	model.lists[S][0] = model.lists[S_STRIDES][0] = 1 << 20;
	nested = model_build(ctx, &model);
	layout_context_set_quota(ctx, 1000);
	assert_false(layout_nested_owned(nested, 0, count_five, &visited));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
	assert_int_equal(visited, 1);
	layout_nested_free(nested);
	assert_true(layout_context_free(ctx));
}

static void bad_questions(void **state)
{
	static const int64_t outside[][2] = { { 4, 0 }, { 0, 8 }, { -1, 0 } };
	layout_context *ctx = layout_context_new();
	struct model model = { .rank = 2, .subgroup_size = 4, .subgroup_count = 2,
		.lists = { { 1, 1 }, { 1, 2 }, { 1, 1 }, { 4, 1 }, { 1, 4 }, { 0 },
			{ 1, 0 } } };
	layout_nested *nested = model_build(ctx, &model);
	unsigned visited = 0;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		assert_false(layout_nested_owners(nested, outside[i], count_five,
			&visited));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		layout_context_clear(ctx);
	}
	assert_false(layout_nested_owned(nested, 8, count_five, &visited));
	assert_string_equal(layout_context_message(ctx), "there is no thread 8 among 8");
	assert_int_equal(layout_context_position(ctx), -1);
	layout_context_clear(ctx);
	assert_false(layout_nested_owned(nested, -1, count_five, &visited));
	assert_int_equal(visited, 0);
	layout_nested_free(nested);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_ownership),
		cmocka_unit_test_teardown(random_ownership, model_report),
		cmocka_unit_test_teardown(random_relations, model_report),
		cmocka_unit_test(shared_relation),
		cmocka_unit_test(thread_counts),
		cmocka_unit_test(large_sizes),
		cmocka_unit_test(shared_subgroups),
		cmocka_unit_test(overlapping_ids),
		cmocka_unit_test(bad_questions),
	};

	cmocka_set_test_filter(getenv("LAYOUT_TEST_FILTER"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
