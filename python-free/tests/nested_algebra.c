/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on nested layouts, each against what it does to every element. */
#include "support/nested_model.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RANDOM_LAYOUTS 2000

/* Layouts are short to write here: S, B, O, T and E of each dimension, then the two
 * strides; a subgroup has 64 threads. */
#define DIMS(...) (const int64_t[][MODEL_LISTS]){ __VA_ARGS__ }

static struct model model_of(unsigned rank, const int64_t (*dims)[MODEL_LISTS])
{
	struct model model = { .rank = rank, .subgroup_size = 64 };

	for (unsigned d = 0; d < rank; d++)
		for (unsigned list = 0; list < MODEL_LISTS; list++)
			model.lists[list][d] = dims[d][list];
	return model;
}

/* Consumes "nested". */
static void expect_text(layout_nested *nested, const struct model *expected)
{
	char text[1000], *printed = layout_nested_str(nested);

	model_print(expected, text, sizeof(text));
	assert_non_null(printed);
	assert_string_equal(printed, text);
	layout_string_free(printed);
	layout_nested_free(nested);
}

static void copy_dim(struct model *to, unsigned i, const struct model *from, unsigned d)
{
	for (unsigned list = 0; list < MODEL_LISTS; list++)
		to->lists[list][i] = from->lists[list][d];
}

/* Where an element is held: the thread and its place in each of the levels. */
struct place {
	int64_t thread, levels[3];
};

struct places {
	layout_nested *nested;
	struct place *items;
	unsigned count, room;
};

/* The place in a level is the lexicographic number among all dimensions. */
static bool add_place(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	struct places *places = user;
	struct place *place;
	int64_t shape[3 * MODEL_RANK];

	(void)coordinate;
	layout_nested_shape(places->nested, LAYOUT_NESTED_DISTRIBUTED, shape,
		3 * MODEL_RANK);
	if (places->count == places->room) {
		places->room = 2 * places->room + 16;
		places->items = realloc(places->items,
			places->room * sizeof(*places->items));
		assert_non_null(places->items);
	}
	place = &places->items[places->count++];
	*place = (struct place){ .thread = holder[0] };
	for (unsigned i = 0; i < 3 * rank; i++)
		place->levels[i / rank] = place->levels[i / rank] * shape[i] +
			holder[1 + i];
	return true;
}

static struct places places_of(layout_nested *nested, const int64_t *coordinate)
{
	struct places places = { .nested = nested };

	assert_true(layout_nested_owners(nested, coordinate, add_place, &places));
	return places;
}

static void split(layout_nested *nested, int64_t index, int64_t *coordinate)
{
	for (unsigned d = layout_nested_rank(nested); d-- > 0;) {
		coordinate[d] = index % layout_nested_size(nested, d);
		index /= layout_nested_size(nested, d);
	}
}

static int compare_places(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct place));
}

/* Element number "index" is held by the same threads in the same places. */
static void expect_same_places(layout_nested *a, layout_nested *b, int64_t index)
{
	int64_t x[MODEL_RANK], y[MODEL_RANK];
	struct places of_a, of_b;

	split(a, index, x);
	split(b, index, y);
	of_a = places_of(a, x);
	of_b = places_of(b, y);
	assert_int_equal(of_a.count, of_b.count);
	if (of_a.count) {
		qsort(of_a.items, of_a.count, sizeof(*of_a.items), compare_places);
		qsort(of_b.items, of_b.count, sizeof(*of_b.items), compare_places);
		assert_memory_equal(of_a.items, of_b.items,
			of_a.count * sizeof(*of_a.items));
	}
	free(of_a.items);
	free(of_b.items);
}

/* Permute and project */

static void random_order(uint64_t *seed, unsigned *order, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned at = (unsigned)random_wide(seed, i + 1);

		order[i] = order[at];
		order[at] = i;
	}
}

/* The permuted coordinate is held by the same threads; places of levels are numbered
 * by dimension, so only the threads are compared. */
static void expect_permuted(layout_nested *nested, layout_nested *permuted,
	const unsigned *order, int64_t index)
{
	int64_t x[MODEL_RANK], y[MODEL_RANK];
	struct places before, after;

	split(nested, index, x);
	for (unsigned i = 0; i < layout_nested_rank(nested); i++)
		y[i] = x[order[i]];
	before = places_of(nested, x);
	after = places_of(permuted, y);
	assert_int_equal(before.count, after.count);
	for (unsigned i = 0; i < before.count; i++)
		assert_int_equal(before.items[i].thread, after.items[i].thread);
	free(before.items);
	free(after.items);
}

static void permutations(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
		struct model model = model_random(&seed, MODEL_RANK, 512);
		struct model expected = model;
		layout_context *ctx = layout_context_new();
		layout_nested *nested = model_build(ctx, &model), *permuted;
		unsigned order[MODEL_RANK] = { 0 };

		model_note(state, &model);
		random_order(&seed, order, model.rank);
		permuted = layout_nested_permute(layout_nested_copy(nested), order,
			model.rank);
		assert_non_null(permuted);
		expect_permuted(nested, permuted, order,
			random_wide(&seed, model_elements(&model)));
		for (unsigned d = 0; d < model.rank; d++)
			copy_dim(&expected, d, &model, order[d]);
		expect_text(permuted, &expected);
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
	model_note(state, NULL);
}

/* Dropped and kept dimensions; apply() keeps the same ones, and adds a unit. */
static void projections(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
		struct model model = model_random(&seed, MODEL_RANK - 1, 512);
		struct model kept = model;
		layout_context *ctx = layout_context_new();
		layout_nested *nested = model_build(ctx, &model);
		unsigned dropped[MODEL_RANK], drops = 0;
		int applied[MODEL_RANK];

		model_note(state, &model);
		kept.rank = 0;
		for (unsigned d = 0; d < model.rank; d++)
			if (random_wide(&seed, 2)) {
				dropped[drops++] = d;
			} else {
				applied[kept.rank] = (int)d;
				copy_dim(&kept, kept.rank++, &model, d);
			}
		expect_text(layout_nested_project(layout_nested_copy(nested), dropped,
			drops), &kept);
		applied[kept.rank] = -1;
		for (unsigned list = 0; list < MODEL_LISTS; list++)
			kept.lists[list][kept.rank] = list < S_STRIDES;
		kept.rank++;
		expect_text(layout_nested_apply(nested, applied, kept.rank), &kept);
		assert_true(layout_context_free(ctx));
	}
	model_note(state, NULL);
}

struct held {
	layout_nested *other;
	const unsigned *dims;	/* of the first layout, for each of the other's */
	bool *seen;
};

static bool mark_kept(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	struct held *held = user;
	int64_t index = 0;

	(void)holder, (void)rank;
	for (unsigned d = 0; d < layout_nested_rank(held->other); d++)
		index = index * layout_nested_size(held->other, d) +
			coordinate[held->dims[d]];
	held->seen[index] = true;
	return true;
}

static bool expect_kept(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	struct held *held = user;
	int64_t index = 0;

	(void)holder;
	for (unsigned d = 0; d < rank; d++)
		index = index * layout_nested_size(held->other, d) + coordinate[d];
	assert_true(held->seen[index]);
	held->seen[index] = false;
	return true;
}

/* A thread holds what is left of the coordinates it held, and nothing else. */
static void projected_ownership(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
		struct model model = model_random(&seed, 4, 256);
		layout_context *ctx;
		layout_nested *nested, *projected;
		unsigned kept[MODEL_RANK], dropped, k = 0;
		struct held held = { .dims = kept };
		int64_t thread, elements;

		if (!model.rank)
			continue;
		model.subgroup_count = 0;
		model_note(state, &model);
		ctx = layout_context_new();
		nested = model_build(ctx, &model);
		dropped = (unsigned)random_wide(&seed, model.rank);
		for (unsigned d = 0; d < model.rank; d++)
			if (d != dropped)
				kept[k++] = d;
		projected = layout_nested_project(layout_nested_copy(nested), &dropped,
			1);
		elements = model_elements(&model) / model_extent(&model, dropped);
		held.other = projected;
		held.seen = calloc((size_t)elements, sizeof(bool));
		thread = random_wide(&seed, model_threads(&model));
		assert_true(layout_nested_owned(nested, thread, mark_kept, &held));
		assert_true(layout_nested_owned(projected, thread, expect_kept, &held));
		for (int64_t e = 0; e < elements; e++)
			assert_false(held.seen[e]);
		free(held.seen);
		layout_nested_free(projected);
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
	model_note(state, NULL);
}

static const struct {
	const char *map;
	unsigned count;
	int dims[3];
	layout_error error;
} map_rows[] = {
	{ "affine_map<(d0, d1) -> (d1, d0)>", 2, { 1, 0 }, LAYOUT_ERROR_NONE },
	{ "affine_map<(d0, d1) -> (d1)>", 1, { 1 }, LAYOUT_ERROR_NONE },
	{ "affine_map<(d0, d1) -> (0, d0, d0 + d1)>", 3, { -1, 0, -1 },
	  LAYOUT_ERROR_NONE },
	{ "affine_map<(d0, d1)[s0] -> (d0 floordiv 2, 2 * d1, d1)>", 3, { -1, -1, 1 },
	  LAYOUT_ERROR_NONE },
	{ "affine_map<(d0, d1)[s0] -> (d0 + s0, s0)>", 2, { -1, -1 }, LAYOUT_ERROR_NONE },
	{ "affine_map<(d0) -> (d0)>", 0, { 0 }, LAYOUT_ERROR_SPACE },
};

static void applied_maps(void **state)
{
	struct model model = model_of(2, DIMS({ 1, 1, 1, 4, 1, 0, 1 },
		{ 1, 2, 3, 1, 4, 0, 0 }));

	model_note(state, &model);
	for (size_t i = 0; i < sizeof(map_rows) / sizeof(*map_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, map_rows[i].map);
		layout_nested *applied = layout_nested_apply_map(model_build(ctx, &model),
			layout_value_relation(value));
		struct model expected = { .rank = map_rows[i].count,
			.subgroup_size = 64 };

		for (unsigned d = 0; d < expected.rank; d++)
			for (unsigned list = 0; list < MODEL_LISTS; list++)
				expected.lists[list][d] = map_rows[i].dims[d] < 0 ?
					list < S_STRIDES :
					model.lists[list][map_rows[i].dims[d]];
		assert_int_equal(layout_context_error(ctx), map_rows[i].error);
		if (applied)
			expect_text(applied, &expected);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
	model_note(state, NULL);
}

/* Reshape */

/* A digit of the lexicographic index: size and stride of one level. */
struct digit {
	unsigned level;
	int64_t size, stride;
};

static const unsigned inner_first[] = { E, T, O, B, S };

static unsigned height(unsigned level)
{
	unsigned i = 0;

	while (inner_first[i] != level)
		i++;
	return i;
}

/* Random digits, the innermost first; strides count up with gaps at times. */
static unsigned random_digits(uint64_t *seed, struct digit *digits)
{
	static const int64_t sizes[] = { 2, 2, 3, 4, 6 };
	unsigned count = (unsigned)random_wide(seed, 7);
	int64_t next[MODEL_LISTS] = { [S] = 1, [T] = 1 };

	for (unsigned i = 0; i < count; i++) {
		unsigned level = (unsigned)random_wide(seed, 5);
		bool id = level == S || level == T;

		if (id && random_wide(seed, 5) == 0)
			next[level] *= 2;
		digits[i] = (struct digit){ level, sizes[random_wide(seed, 5)], 0 };
		if (id && random_wide(seed, 8)) {
			digits[i].stride = next[level];
			next[level] *= digits[i].size;
		}
	}
	return count;
}

/* May the digit stand in one dimension with the last one there, and in one tile? */
static bool follows(const struct digit *last, const struct digit *digit)
{
	if (last->level != digit->level)
		return height(last->level) < height(digit->level);
	return (digit->level != S && digit->level != T) ||
		digit->stride == last->stride * last->size;
}

/* One of the layouts that these digits are, as few or as many dimensions as happens:
 * dimensions are filled from the last one. */
static struct model random_grouping(uint64_t *seed, const struct digit *digits,
	unsigned count)
{
	struct model reversed = { .rank = 0, .subgroup_size = 8 }, model;
	struct digit last = { 0, 0, 0 };

	for (unsigned i = 0; i < count; i++) {
		unsigned d = reversed.rank - 1;

		if (!i || !follows(&last, &digits[i]) || (random_wide(seed, 3) == 0 &&
			reversed.rank + (count - i) <= MODEL_RANK)) {
			d = reversed.rank++;
			assert_true(d < MODEL_RANK);
			for (unsigned level = S; level <= E; level++)
				reversed.lists[level][d] = 1;
			last.size = 0;
		}
		if (last.size && last.level == digits[i].level) {
			last.size *= digits[i].size;
		} else {
			last = digits[i];
			if (last.level == S || last.level == T)
				reversed.lists[last.level == S ? S_STRIDES :
					T_STRIDES][d] = last.stride;
		}
		reversed.lists[last.level][d] *= digits[i].size;
	}
	model = reversed;
	for (unsigned d = 0; d < model.rank; d++)
		copy_dim(&model, d, &reversed, model.rank - 1 - d);
	return model;
}

/* The same digits, some of them in two parts. */
static unsigned refine(uint64_t *seed, const struct digit *digits, unsigned count,
	struct digit *parts)
{
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++) {
		int64_t inner = digits[i].size % 2 == 0 && digits[i].size > 2 &&
			count < 4 && random_wide(seed, 2) ? 2 : 1;

		if (inner > 1)
			parts[n++] = (struct digit){ digits[i].level, inner,
				digits[i].stride };
		parts[n++] = (struct digit){ digits[i].level, digits[i].size / inner,
			digits[i].stride * inner };
	}
	return n;
}

/* Two groupings of the same digits: one reshapes into the other, and every element
 * stays where it is. */
static void reshapes_found(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
		struct digit digits[8], parts[16];
		unsigned count = random_digits(&seed, digits);
		struct model from = random_grouping(&seed, digits, count), to;
		layout_context *ctx = layout_context_new();
		layout_nested *nested = model_build(ctx, &from), *reshaped;
		int64_t shape[MODEL_RANK];

		model_note(state, &from);
		to = random_grouping(&seed, parts, refine(&seed, digits, count, parts));
		for (unsigned d = 0; d < to.rank; d++)
			shape[d] = model_extent(&to, d);
		reshaped = layout_nested_reshape(layout_nested_copy(nested), shape,
			to.rank);
		assert_non_null(reshaped);
		for (unsigned k = 0; k < 3; k++)
			expect_same_places(nested, reshaped,
				random_wide(&seed, model_elements(&from)));
		layout_nested_free(nested);
		expect_text(reshaped, &to);
		assert_true(layout_context_free(ctx));
	}
	model_note(state, NULL);
}

/* A factor of n that is random, and not always 1. */
static int64_t random_factor(uint64_t *seed, int64_t n)
{
	int64_t factor = 1 + random_wide(seed, n);

	while (n % factor)
		factor--;
	return factor;
}

/* Any layout under any shape: an element stays where it is, or there is a reason. */
static void reshapes_right(void **state)
{
	uint64_t seed = random_seed();
	unsigned found = 0, refused = 0;

	for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
		struct model model = model_random(&seed, 3, 256);
		layout_context *ctx = layout_context_new();
		layout_nested *nested = model_build(ctx, &model), *reshaped;
		int64_t rest = model_elements(&model), shape[3];

		model_note(state, &model);
		shape[0] = random_factor(&seed, rest);
		shape[1] = random_factor(&seed, rest / shape[0]);
		shape[2] = rest / shape[0] / shape[1];
		reshaped = layout_nested_reshape(layout_nested_copy(nested), shape, 3);
		if (reshaped) {
			found++;
			for (int64_t k = 0; k < 3; k++) {
				assert_int_equal(layout_nested_size(reshaped,
					(unsigned)k), shape[k]);
				expect_same_places(nested, reshaped,
					random_wide(&seed, rest));
			}
		} else {
			refused++;
			assert_int_equal(layout_context_error(ctx),
				LAYOUT_ERROR_NO_ANSWER);
		}
		layout_nested_free(reshaped);
		layout_nested_free(nested);
		assert_true(layout_context_free(ctx));
	}
	assert_true(found > RANDOM_LAYOUTS / 10 && refused > RANDOM_LAYOUTS / 10);
	model_note(state, NULL);
}

static const struct {
	unsigned rank;
	int64_t dims[4][MODEL_LISTS];
	unsigned new_rank;
	int64_t shape[4];
	int64_t expected[4][MODEL_LISTS];	/* none: refused, with the message */
	const char *message;
} reshape_rows[] = {
	/* the reference's example, and back */
	{ 2, { { 1, 4, 1, 16, 1, 0, 4 }, { 1, 4, 1, 4, 4, 0, 1 } },
	  4, { 16, 4, 16, 4 },
	  { { 1, 4, 1, 4, 1, 0, 16 }, { 1, 1, 1, 4, 1, 0, 4 },
	    { 1, 4, 1, 4, 1, 0, 1 }, { 1, 1, 1, 1, 4, 0, 0 } }, NULL },
	{ 4, { { 1, 4, 1, 4, 1, 0, 16 }, { 1, 1, 1, 4, 1, 0, 4 },
	    { 1, 4, 1, 4, 1, 0, 1 }, { 1, 1, 1, 1, 4, 0, 0 } },
	  2, { 64, 64 },
	  { { 1, 4, 1, 16, 1, 0, 4 }, { 1, 4, 1, 4, 4, 0, 1 } }, NULL },
	/* units come and go */
	{ 1, { { 1, 1, 1, 4, 1, 0, 1 } }, 3, { 1, 4, 1 },
	  { { 1, 1, 1, 1, 1, 0, 0 }, { 1, 1, 1, 4, 1, 0, 1 }, { 1, 1, 1, 1, 1, 0, 0 } },
	  NULL },
	{ 2, { { 1, 1, 1, 1, 1, 0, 0 }, { 1, 1, 1, 1, 1, 0, 0 } }, 0, { 0 }, { { 0 } },
	  NULL },
	/* 2 does not divide 3, nor 3 the 2: together they do (the reference asserts) */
	{ 2, { { 1, 1, 1, 1, 6, 0, 0 }, { 1, 1, 1, 1, 2, 0, 0 } }, 2, { 4, 3 },
	  { { 1, 1, 1, 1, 4, 0, 0 }, { 1, 1, 1, 1, 3, 0, 0 } }, NULL },
	{ 2, { { 1, 1, 1, 6, 1, 0, 2 }, { 1, 1, 1, 2, 1, 0, 1 } }, 2, { 4, 3 },
	  { { 1, 1, 1, 4, 1, 0, 3 }, { 1, 1, 1, 3, 1, 0, 1 } }, NULL },
	/* a tile cannot be split there */
	{ 2, { { 1, 1, 1, 6, 1, 0, 1 }, { 1, 1, 1, 1, 2, 0, 0 } }, 2, { 3, 4 },
	  { { 1, 1, 1, 3, 1, 0, 2 }, { 1, 1, 1, 2, 2, 0, 1 } }, NULL },
	{ 2, { { 1, 1, 1, 6, 1, 0, 1 }, { 1, 1, 1, 1, 2, 0, 0 } }, 2, { 4, 3 }, { { 0 } },
	  "cannot reshape: dimension 1 of 3 ends inside the element tile" },
	{ 1, { { 1, 1, 1, 2, 4, 0, 1 } }, 2, { 1, 8 },
	  { { 1, 1, 1, 1, 1, 0, 0 }, { 1, 1, 1, 2, 4, 0, 1 } }, NULL },
	/* an element tile outside a thread tile */
	{ 2, { { 1, 1, 1, 1, 4, 0, 0 }, { 1, 1, 1, 8, 1, 0, 1 } }, 1, { 32 }, { { 0 } },
	  "cannot reshape: dimension 0 of 32 would have the element tile of 4 outside the "
	  "thread tile of 8" },
	/* strides that do not go on */
	{ 2, { { 1, 1, 1, 4, 1, 0, 1 }, { 1, 1, 1, 4, 1, 0, 4 } }, 1, { 16 }, { { 0 } },
	  "cannot reshape: dimension 0 of 16 would have thread strides 4 and 1, and 4*4 is "
	  "not 1" },
	{ 1, { { 1, 1, 1, 4, 1, 0, 1 } }, 1, { 5 }, { { 0 } },
	  "cannot reshape 4 elements into 5" },
	{ 1, { { 1, 1, 1, 4, 1, 0, 1 } }, 2, { -2, -2 }, { { 0 } },
	  "extent -2 of dimension 0 must be positive" },
	{ 1, { { 1, 1, 1, 4, 1, 0, 1 } }, 2, { INT64_MAX, 4 }, { { 0 } },
	  "a shape's elements do not fit 64 bits" },
};

static void reshapes_published(void **state)
{
	for (size_t i = 0; i < sizeof(reshape_rows) / sizeof(*reshape_rows); i++) {
		struct model model = model_of(reshape_rows[i].rank, reshape_rows[i].dims);
		struct model expected = model_of(reshape_rows[i].new_rank,
			reshape_rows[i].expected);
		layout_context *ctx = layout_context_new();
		layout_nested *reshaped = layout_nested_reshape(model_build(ctx, &model),
			reshape_rows[i].shape, reshape_rows[i].new_rank);
		const char *message = reshape_rows[i].message;

		model_note(state, &model);
		if (message) {
			assert_null(reshaped);
			if (strncmp(layout_context_message(ctx), message,
				strlen(message)))
				fail_msg("row %zu: %s", i, layout_context_message(ctx));
		} else {
			expect_text(reshaped, &expected);
		}
		assert_true(layout_context_free(ctx));
	}
	model_note(state, NULL);
}

/* Append and recombine */

static void appended(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
		struct model a = model_random(&seed, 4, 64),
			b = model_random(&seed, 4, 64);
		struct model both = a;
		layout_context *ctx = layout_context_new();

		b.subgroup_size = a.subgroup_size;
		b.subgroup_count = a.subgroup_count;
		for (unsigned d = 0; d < b.rank; d++)
			copy_dim(&both, both.rank++, &b, d);
		model_note(state, &both);
		expect_text(layout_nested_append(model_build(ctx, &a),
			model_build(ctx, &b)), &both);
		b.subgroup_size++;
		assert_null(layout_nested_append(model_build(ctx, &a),
			model_build(ctx, &b)));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
		assert_true(layout_context_free(ctx));
	}
	model_note(state, NULL);
}

/* Each loop has a dimension; operands run over some of the loops, the result over
 * those that they have. */
static void recombined(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
		struct model loops = model_random(&seed, MODEL_RANK, 512), a = loops;
		struct model b = loops, result = loops;
		unsigned maps[2][MODEL_RANK], order[MODEL_RANK] = { 0 }, conflict;
		const unsigned *both[2] = { maps[0], maps[1] };
		layout_context *ctx = layout_context_new();
		layout_nested *operands[2];

		a.rank = b.rank = 0;
		random_order(&seed, order, loops.rank);
		for (unsigned d = 0; d < loops.rank; d++) {
			int64_t whose = random_wide(&seed, 3);

			if (whose != 0)
				copy_dim(&a, a.rank, &loops, d), maps[0][a.rank++] = d;
			if (whose != 1)
				copy_dim(&b, b.rank, &loops, d), maps[1][b.rank++] = d;
			copy_dim(&result, d, &loops, order[d]);
		}
		model_note(state, &result);
		operands[0] = model_build(ctx, &a);
		operands[1] = model_build(ctx, &b);
		expect_text(layout_nested_recombine(ctx, operands, both, 2, order,
			loops.rank), &result);
		for (conflict = 0; conflict < a.rank && conflict < b.rank; conflict++)
			if (maps[0][conflict] == maps[1][conflict])
				break;
		if (conflict < a.rank && conflict < b.rank) {
			b.lists[O][conflict]++;
			operands[0] = model_build(ctx, &a);
			operands[1] = model_build(ctx, &b);
			assert_null(layout_nested_recombine(ctx, operands, both, 2,
				order, loops.rank));
			assert_int_equal(layout_context_error(ctx),
				LAYOUT_ERROR_NO_ANSWER);
		}
		assert_true(layout_context_free(ctx));
	}
	model_note(state, NULL);
}

static void missing_loop(void **state)
{
	static const unsigned map[] = { 0, 2 }, result[] = { 0, 1 };
	const unsigned *maps[] = { map };
	layout_context *ctx = layout_context_new();
	struct model model = model_of(2, DIMS({ 1, 1, 1, 4, 1, 0, 1 },
		{ 1, 1, 1, 1, 4, 0, 0 }));
	layout_nested *operands[] = { model_build(ctx, &model) };

	(void)state;
	assert_null(layout_nested_recombine(ctx, operands, maps, 1, result, 2));
	assert_string_equal(layout_context_message(ctx),
		"cannot recombine: no operand has loop 1");
	assert_true(layout_context_free(ctx));
}

/* Lists of dimensions that are not */

static const struct {
	unsigned count;
	unsigned dims[3];
	bool permute, project;
} dim_rows[] = {
	{ 2, { 1, 0 }, true, true },
	{ 2, { 0, 0 }, false, false },
	{ 2, { 0, 2 }, false, false },
	{ 1, { 0 }, false, true },
	{ 0, { 0 }, false, true },
	{ 3, { 0, 1, 0 }, false, false },
};

static void bad_dims(void **state)
{
	struct model model = model_of(2, DIMS({ 1, 1, 1, 4, 1, 0, 1 },
		{ 1, 1, 1, 1, 4, 0, 0 }));

	(void)state;
	for (size_t i = 0; i < sizeof(dim_rows) / sizeof(*dim_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_nested *permuted = layout_nested_permute(model_build(ctx, &model),
			dim_rows[i].dims, dim_rows[i].count);
		layout_nested *projected = layout_nested_project(model_build(ctx, &model),
			dim_rows[i].dims, dim_rows[i].count);

		assert_int_equal(permuted != NULL, dim_rows[i].permute);
		assert_int_equal(projected != NULL, dim_rows[i].project);
		if (!permuted || !projected)
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
		layout_nested_free(permuted);
		layout_nested_free(projected);
		assert_true(layout_context_free(ctx));
	}
}

static void passed_through(void **state)
{
	layout_context *ctx = layout_context_new();
	struct model model = model_of(1, DIMS({ 1, 1, 1, 4, 1, 0, 1 }));
	layout_nested *operands[] = { model_build(ctx, &model), NULL };
	static const unsigned map[] = { 0 };
	const unsigned *maps[] = { map, map };

	(void)state;
	assert_null(layout_nested_permute(NULL, NULL, 0));
	assert_null(layout_nested_project(NULL, NULL, 0));
	assert_null(layout_nested_apply(NULL, NULL, 0));
	assert_null(layout_nested_reshape(NULL, NULL, 0));
	assert_null(layout_nested_append(model_build(ctx, &model), NULL));
	assert_null(layout_nested_append(NULL, model_build(ctx, &model)));
	assert_null(layout_nested_recombine(ctx, operands, maps, 2, map, 1));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_null(layout_nested_apply(model_build(ctx, &model), NULL, 1));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	assert_null(layout_nested_apply(model_build(ctx, &model), (int[]){ -2 }, 1));
	assert_string_equal(layout_context_message(ctx),
		"a layout of rank 1 has no dimension -2");
	assert_true(layout_context_free(ctx));
}

/* A value can stay in its threads if only batch and outer tiles differ. */
static const struct {
	int64_t a[MODEL_LISTS], b[MODEL_LISTS];
	layout_answer shared;
} conversion_rows[] = {
	{ { 1, 4, 1, 8, 2, 0, 1 }, { 1, 2, 2, 8, 2, 0, 1 }, LAYOUT_NO },
	{ { 1, 4, 1, 8, 2, 0, 1 }, { 1, 2, 1, 8, 4, 0, 1 }, LAYOUT_YES },
	{ { 1, 4, 1, 8, 2, 0, 1 }, { 1, 4, 1, 8, 2, 0, 2 }, LAYOUT_YES },
	{ { 2, 4, 1, 8, 2, 1, 1 }, { 2, 4, 1, 8, 2, 2, 1 }, LAYOUT_YES },
	{ { 1, 4, 1, 8, 2, 0, 1 }, { 1, 2, 1, 8, 2, 0, 1 }, LAYOUT_UNKNOWN },
};

static void conversions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(conversion_rows) / sizeof(*conversion_rows); i++) {
		struct model from = model_of(1, &conversion_rows[i].a);
		struct model to = model_of(1, &conversion_rows[i].b);
		layout_context *ctx = layout_context_new();
		layout_nested *a = model_build(ctx, &from), *b = model_build(ctx, &to);

		assert_int_equal(layout_nested_needs_shared_memory(a, b),
			conversion_rows[i].shared);
		assert_int_equal(layout_nested_needs_shared_memory(a, a), LAYOUT_NO);
		layout_nested_free(a);
		layout_nested_free(b);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(permutations, model_report),
		cmocka_unit_test_teardown(projections, model_report),
		cmocka_unit_test_teardown(projected_ownership, model_report),
		cmocka_unit_test_teardown(applied_maps, model_report),
		cmocka_unit_test_teardown(reshapes_found, model_report),
		cmocka_unit_test_teardown(reshapes_right, model_report),
		cmocka_unit_test_teardown(reshapes_published, model_report),
		cmocka_unit_test_teardown(appended, model_report),
		cmocka_unit_test_teardown(recombined, model_report),
		cmocka_unit_test(missing_loop),
		cmocka_unit_test(bad_dims),
		cmocka_unit_test(passed_through),
		cmocka_unit_test(conversions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
