/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a nested layout is checked for, its shapes, and the basis of its ids. */
#include "support/nested_model.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RANDOM_LAYOUTS 3000
#define RANDOM_BASES 3000

#define LAYOUT "nested_layout<subgroup_tile = %s, batch_tile = [1, 1], outer_tile = [1, 1], " \
	"thread_tile = %s, element_tile = [1, 1], subgroup_strides = %s, " \
	"thread_strides = %s, subgroup_size = %u, subgroup_count = %u>"

static layout_nested *parse(layout_context *ctx, const char *s, const char *t,
	const char *s_strides, const char *t_strides, unsigned size, unsigned count)
{
	char text[600];

	snprintf(text, sizeof(text), LAYOUT, s, t, s_strides, t_strides, size, count);
	if (!count)
		strcpy(strstr(text, ", subgroup_count"), ">");
	return layout_nested_parse(ctx, text);
}

#define OVERLAPS "warp or thread tiles have overlapping strides: "

static const struct {
	const char *s, *t, *s_strides, *t_strides;
	unsigned size, count;
	layout_answer answer;
	const char *reason, *witness;
} verify_rows[] = {
	{ "[2, 1]", "[16, 4]", "[1, 0]", "[1, 16]", 64, 0, LAYOUT_YES, NULL, NULL },
	/* gaps and strides of 0 replicate */
	{ "[2, 1]", "[4, 4]", "[2, 0]", "[16, 0]", 64, 0, LAYOUT_YES, NULL, NULL },
	/* the ids share bits */
	{ "[1, 1]", "[4, 4]", "[0, 0]", "[1, 1]", 64, 0, LAYOUT_NO,
	  OVERLAPS "thread ids (0, 1) name thread 1, which reads (1, 1)",
	  "(0, 1), (1, 1)" },
	{ "[2, 2]", "[4, 1]", "[1, 1]", "[1, 0]", 64, 0, LAYOUT_NO,
	  OVERLAPS "subgroup ids (0, 1) name subgroup 1, which reads (1, 1)",
	  "(0, 1), (1, 1)" },
	/* one tile reaches into the next stride */
	{ "[1, 1]", "[3, 2]", "[0, 0]", "[1, 2]", 64, 0, LAYOUT_NO,
	  OVERLAPS "thread ids (0, 1) name thread 2, which reads (2, 1)",
	  "(0, 1), (2, 1)" },
	/* 5 is no multiple of 2*2, but every thread tells its ids apart */
	{ "[1, 1]", "[2, 2]", "[0, 0]", "[2, 5]", 64, 0, LAYOUT_YES, NULL, NULL },
	{ "[1, 1]", "[16, 4]", "[0, 0]", "[1, 16]", 32, 0, LAYOUT_NO,
	  "thread 63 is beyond the subgroup's 32 threads", "(15, 3)" },
	{ "[4, 2]", "[4, 1]", "[1, 4]", "[1, 0]", 4, 4, LAYOUT_YES, NULL, NULL },
	{ "[4, 2]", "[4, 1]", "[1, 4]", "[1, 0]", 4, 16, LAYOUT_YES, NULL, NULL },
	{ "[4, 2]", "[4, 1]", "[1, 4]", "[1, 0]", 4, 3, LAYOUT_NO,
	  "8 subgroups are no multiple of the hardware's 3", "(3, 1)" },
	/* too many ids to look at: 17 is 1 past 2*8, and eight of it are 8 past */
	{ "[1, 1]", "[2, 16777216]", "[0, 0]", "[8, 17]", 1u << 30, 0, LAYOUT_NO,
	  OVERLAPS "thread ids (0, 8) name thread 136, which reads (1, 8)",
	  "(0, 8), (1, 8)" },
	/* 48 does not divide 64: subgroup 1 numbers its threads differently, no more */
	{ "[2, 1]", "[48, 1]", "[1, 0]", "[1, 0]", 64, 0, LAYOUT_YES, NULL, NULL },
};

static void verified(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(verify_rows) / sizeof(*verify_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_nested *nested = parse(ctx, verify_rows[i].s, verify_rows[i].t,
			verify_rows[i].s_strides, verify_rows[i].t_strides,
			verify_rows[i].size, verify_rows[i].count);
		layout_witness *witness;
		char *reason;

		if (layout_nested_verify(nested, &reason, &witness) !=
			verify_rows[i].answer)
			fail_msg("row %zu: %s", i, reason ? reason : "verified");
		if (verify_rows[i].reason) {
			assert_string_equal(reason, verify_rows[i].reason);
			assert_string_equal(witness->text, verify_rows[i].witness);
		} else {
			assert_null(reason);
			assert_null(witness);
		}
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		assert_int_equal(layout_nested_verify(nested, NULL, NULL),
			verify_rows[i].answer);
		layout_string_free(reason);
		layout_witness_free(witness);
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
}

/* The same by looking at all ids and all coordinates. */

struct level {
	const int64_t *tiles, *strides;
};

static struct level level_of(const struct model *model, unsigned list)
{
	return (struct level){ model->lists[list],
		model->lists[list == S ? S_STRIDES : T_STRIDES] };
}

/* The id "index" of the distributed dimensions; past the last, false. */
static bool ids_at(const struct model *model, const struct level *level, int64_t index,
	int64_t *ids)
{
	for (unsigned d = model->rank; d-- > 0;) {
		int64_t tile = level->strides[d] ? level->tiles[d] : 1;

		ids[d] = index % tile;
		index /= tile;
	}
	return index == 0;
}

static int64_t name_of(const struct model *model, const struct level *level,
	const int64_t *ids)
{
	int64_t sum = 0;

	for (unsigned d = 0; d < model->rank; d++)
		sum += ids[d] * level->strides[d];
	return sum;
}

static bool reads(const struct model *model, const struct level *level,
	const int64_t *ids)
{
	int64_t name = name_of(model, level, ids);

	for (unsigned d = 0; d < model->rank; d++)
		if (level->strides[d] &&
		    name / level->strides[d] % level->tiles[d] != ids[d])
			return false;
	return true;
}

static bool all_read(const struct model *model, unsigned list, int64_t limit)
{
	struct level level = level_of(model, list);
	int64_t ids[MODEL_RANK];

	for (int64_t i = 0; ids_at(model, &level, i, ids); i++)
		if (!reads(model, &level, ids) ||
		    (limit && name_of(model, &level, ids) >= limit))
			return false;
	return true;
}

static bool all_owned(const struct model *model)
{
	for (int64_t i = 0; i < model_elements(model); i++) {
		int64_t coordinate[MODEL_RANK], t = 0;

		model_coordinate(model, i, coordinate);
		while (t < model_threads(model) && !model_holds(model, t, coordinate))
			t++;
		if (t == model_threads(model))
			return false;
	}
	return true;
}

static bool divides(const struct model *model)
{
	int64_t used = 1;

	for (unsigned d = 0; d < model->rank; d++)
		used *= model->lists[S_STRIDES][d] ? model->lists[S][d] : 1;
	return !model->subgroup_count || used <= model->subgroup_count ||
		used % model->subgroup_count == 0;
}

/* A witness of two points is ids, and what their thread or subgroup reads. */
static void expect_witness(const struct model *model, const char *reason,
	const layout_witness *witness)
{
	bool subgroups = strstr(reason, "subgroup ids") != NULL;
	struct level level = level_of(model, subgroups ? S : T);

	if (witness->point_count == 2) {
		assert_non_null(strstr(reason, OVERLAPS));
		assert_false(reads(model, &level, witness->points[0]));
		for (unsigned d = 0; d < model->rank; d++)
			assert_int_equal(witness->points[1][d], level.strides[d] ?
				name_of(model, &level, witness->points[0]) /
				level.strides[d] % level.tiles[d] : 0);
	} else if (strstr(reason, "beyond")) {
		assert_true(name_of(model, &level, witness->points[0]) >=
			model->subgroup_size);
	}
}

static void verified_random(void **state)
{
	uint64_t seed = random_seed();
	unsigned bad = 0;

	for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
		struct model model = model_random(&seed, 3, 96);
		layout_context *ctx = layout_context_new();
		layout_nested *nested = model_build(ctx, &model);
		layout_witness *witness;
		layout_answer answer;
		char *reason;
		bool right = all_read(&model, S, 0) && divides(&model) &&
			all_read(&model, T, model.subgroup_size) && all_owned(&model);

		model_note(state, &model);
		answer = layout_nested_verify(nested, &reason, &witness);
		assert_int_equal(answer, right ? LAYOUT_YES : LAYOUT_NO);
		if (!right) {
			bad++;
			expect_witness(&model, reason, witness);
		}
		layout_string_free(reason);
		layout_witness_free(witness);
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
	assert_true(bad > RANDOM_LAYOUTS / 10 && bad < RANDOM_LAYOUTS * 9 / 10);
	model_note(state, NULL);
}

/* Bases */

static const struct {
	const char *tiles, *strides;
	layout_nested_ids ids;
	int count;
	int64_t sizes[5];
	unsigned results[2];
} basis_rows[] = {
	{ "[4, 8]", "[8, 1]", LAYOUT_NESTED_THREADS, 2, { 4, 8 }, { 1, 2 } },
	{ "[4, 8]", "[1, 4]", LAYOUT_NESTED_THREADS, 2, { 8, 4 }, { 2, 1 } },
	{ "[16, 4]", "[8, 1]", LAYOUT_NESTED_THREADS, 3, { 16, 2, 4 }, { 1, 3 } },
	{ "[4, 1]", "[16, 0]", LAYOUT_NESTED_THREADS, 3, { 4, 16, 1 }, { 1, 3 } },
	{ "[2, 1]", "[2, 0]", LAYOUT_NESTED_SUBGROUPS, 4, { 2, 2, 1, 64 }, { 1, 3 } },
	{ "[2, 2]", "[2, 1]", LAYOUT_NESTED_SUBGROUPS, 3, { 2, 2, 64 }, { 1, 2 } },
	{ "[4, 4]", "[3, 1]", LAYOUT_NESTED_THREADS, -1, { 0 }, { 0 } },
	{ "[4, 4]", "[1, 1]", LAYOUT_NESTED_THREADS, -1, { 0 }, { 0 } },
	{ "[2, 2]", "[2, 5]", LAYOUT_NESTED_SUBGROUPS, -1, { 0 }, { 0 } },
};

static void bases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(basis_rows) / sizeof(*basis_rows); i++) {
		bool subgroups = basis_rows[i].ids == LAYOUT_NESTED_SUBGROUPS;
		layout_context *ctx = layout_context_new();
		layout_nested *nested = parse(ctx,
			subgroups ? basis_rows[i].tiles : "[1, 1]",
			subgroups ? "[1, 1]" : basis_rows[i].tiles,
			subgroups ? basis_rows[i].strides : "[0, 0]",
			subgroups ? "[0, 0]" : basis_rows[i].strides, 64, 0);
		int64_t sizes[5] = { 0 };
		unsigned results[2] = { 0 };
		int count = layout_nested_basis(nested, basis_rows[i].ids, sizes,
			results);

		if (count != basis_rows[i].count)
			fail_msg("row %zu: %d sizes", i, count);
		if (count > 0) {
			assert_memory_equal(sizes, basis_rows[i].sizes, sizeof(sizes));
			assert_memory_equal(results, basis_rows[i].results,
				sizeof(results));
		} else {
			assert_int_equal(layout_context_error(ctx),
				LAYOUT_ERROR_NO_ANSWER);
			assert_non_null(strstr(layout_context_message(ctx), OVERLAPS));
		}
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
}

/* Result "result" of splitting x by the sizes, the outermost first. */
static int64_t split_result(int64_t x, const int64_t *sizes, int count, unsigned result)
{
	for (int i = count; i > (int)result; i--)
		x /= sizes[i - 1];
	return result ? x % sizes[result - 1] : x;
}

static void expect_split(const struct model *model, layout_nested_ids ids,
	const int64_t *sizes, int count, const unsigned *results, int64_t thread)
{
	bool subgroups = ids == LAYOUT_NESTED_SUBGROUPS;
	struct level level = level_of(model, subgroups ? S : T);

	for (unsigned d = 0; d < model->rank; d++) {
		int64_t step = level.strides[d] * (subgroups ? model->subgroup_size : 1);

		assert_int_equal(split_result(thread, sizes, count, results[d]),
			step ? thread / step % level.tiles[d] : 0);
	}
}

static void bases_random(void **state)
{
	uint64_t seed = random_seed();
	unsigned split = 0;

	for (unsigned i = 0; i < RANDOM_BASES; i++) {
		struct model model = model_random(&seed, 4, 256);
		layout_context *ctx = layout_context_new();
		layout_nested *nested = model_build(ctx, &model);

		model_note(state, &model);
		for (unsigned ids = 0; ids < 2; ids++) {
			int64_t sizes[2 * MODEL_RANK + 1];
			unsigned results[MODEL_RANK];
			int count = layout_nested_basis(nested, ids, sizes, results);

			split += count >= 0;
			for (unsigned k = 0; k < 8 && count >= 0; k++)
				expect_split(&model, ids, sizes, count, results,
					random_wide(&seed, 100000));
		}
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
	assert_true(split > RANDOM_BASES);
	model_note(state, NULL);
}

/* Shapes */

static const char *const example = "nested_layout<subgroup_tile = [2, 1], "
	"batch_tile = [2, 4], outer_tile = [1, 1], thread_tile = [16, 4], "
	"element_tile = [1, 4], subgroup_strides = [1, 0], thread_strides = [1, 16]>";

static const struct {
	layout_nested_shape_kind kind;
	unsigned count;
	int64_t shape[10];
} shape_rows[] = {
	{ LAYOUT_NESTED_UNDISTRIBUTED, 2, { 64, 64 } },
	{ LAYOUT_NESTED_UNDISTRIBUTED_PACKED, 10, { 2, 1, 2, 4, 1, 1, 16, 4, 1, 4 } },
	{ LAYOUT_NESTED_DISTRIBUTED, 6, { 2, 4, 1, 1, 1, 4 } },
	{ LAYOUT_NESTED_DISTRIBUTED_UNPACKED, 2, { 2, 16 } },
};

static void shapes(void **state)
{
	static const int64_t dims[2][5] = { { 2, 2, 1, 16, 1 }, { 1, 4, 1, 4, 4 } };
	layout_context *ctx = layout_context_new();
	layout_nested *nested = layout_nested_parse(ctx, example);
	int64_t dim[5];

	(void)state;
	for (size_t i = 0; i < sizeof(shape_rows) / sizeof(*shape_rows); i++) {
		int64_t shape[10] = { 0 };

		assert_int_equal(layout_nested_shape(nested, shape_rows[i].kind, shape,
			10), shape_rows[i].count);
		assert_memory_equal(shape, shape_rows[i].shape, sizeof(shape));
		memset(shape, 0, sizeof(shape));
		assert_int_equal(layout_nested_shape(nested, shape_rows[i].kind, shape,
			1), shape_rows[i].count);
		assert_int_equal(shape[1], 0);
		assert_int_equal(layout_nested_shape(nested, shape_rows[i].kind, NULL,
			0), shape_rows[i].count);
	}
	for (unsigned d = 0; d < 2; d++) {
		assert_true(layout_nested_packed_dim(nested, d, dim));
		assert_memory_equal(dim, dims[d], sizeof(dim));
	}
	assert_false(layout_nested_packed_dim(nested, 2, dim));
	assert_string_equal(layout_context_message(ctx),
		"a layout of rank 2 has no dimension 2");
	layout_nested_free(nested);
	assert_true(layout_context_free(ctx));
}

static const struct {
	unsigned rank;
	int64_t shape[3];
	const char *message;	/* NULL: the layout fits */
} check_rows[] = {
	{ 2, { 64, 64 }, NULL },
	{ 2, { -1, 64 }, NULL },
	{ 3, { 1, 64, 64 }, "Rank of vector (3) does not match rank of layout (2)." },
	{ 2, { 64, 32 },
	  "Vector shape: [64, 32] does not match the layout (nested_layout<"
	  "subgroup_tile = [2, 1], batch_tile = [2, 4], outer_tile = [1, 1], "
	  "thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [1, 0], "
	  "thread_strides = [1, 16]>) at dim 1. Dimension expected by layout: 64 "
	  "actual: 32" },
};

static void checked_shapes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(check_rows) / sizeof(*check_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_nested *nested = layout_nested_parse(ctx, example);

		assert_int_equal(layout_nested_check_shape(nested, check_rows[i].shape,
			check_rows[i].rank), check_rows[i].message == NULL);
		if (check_rows[i].message) {
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
			assert_string_equal(layout_context_message(ctx),
				check_rows[i].message);
		}
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
}

/* More ids than are looked at, in no order: nobody guesses. */
static void undecided(void **state)
{
	layout_context *ctx = layout_context_new();
	struct model model = { .rank = 2, .subgroup_size = (int64_t)1 << 50, .lists = {
		{ 1, 1 }, { 1, 1 }, { 1, 1 }, { 2, 1 << 24 }, { 1, 1 }, { 0, 0 },
		{ ((int64_t)1 << 25) + 1, 2 } } };
	layout_nested *nested = model_build(ctx, &model);

	(void)state;
	assert_int_equal(layout_nested_verify(nested, NULL, NULL), LAYOUT_UNKNOWN);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
	layout_nested_free(nested);
	layout_context_clear(ctx);
	assert_int_equal(layout_nested_verify(NULL, NULL, NULL), LAYOUT_UNKNOWN);
	assert_true(layout_context_free(ctx));
}

/* The strides are in no order. */
static void basis_of_three_dimensions(void **state)
{
	static const int64_t wanted_sizes[] = { 2, 8, 8 };
	static const unsigned wanted_results[] = { 3, 1, 2 };
	layout_context *ctx = layout_context_new();
	layout_nested *nested = layout_nested_parse(ctx, "nested_layout<"
		"subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], "
		"thread_tile = [8, 2, 8], element_tile = [1, 1, 1], "
		"subgroup_strides = [0, 0, 0], thread_strides = [1, 64, 8], "
		"subgroup_size = 128>");
	int64_t sizes[8];
	unsigned results[3];

	(void)state;
	assert_int_equal(layout_nested_basis(nested, LAYOUT_NESTED_THREADS, sizes, results),
		3);
	assert_memory_equal(sizes, wanted_sizes, sizeof(wanted_sizes));
	assert_memory_equal(results, wanted_results, sizeof(wanted_results));
	layout_nested_free(nested);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verified),
		cmocka_unit_test_teardown(verified_random, model_report),
		cmocka_unit_test(bases),
		cmocka_unit_test_teardown(bases_random, model_report),
		cmocka_unit_test(shapes),
		cmocka_unit_test(checked_shapes),
		cmocka_unit_test(undecided),
		cmocka_unit_test(basis_of_three_dimensions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
