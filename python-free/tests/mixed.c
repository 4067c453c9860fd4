/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mixed layouts, P . X . D: storages whose digits are permuted by XORs and rotations, of
 * offsets and of indices, against a model that computes one offset after the other; what
 * is proved for all sizes is looked at for many. */
#include "support/random.h"
#include "support/storage_model.h"

#include "isl_bridge/relation.h"
#include <layout/codegen.h>
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define PITCH 80

static const int64_t heights[] = { 0, 1, 2, 7, 8, 9, 33 };

/* Size 0 is M.  "pitch": stride 0 is P, which is PITCH. */
static const struct row {
	const char *text;
	struct storage_model model;
	int64_t n[3];
	bool pitch, gaps;
} rows[] = {
	{ "swizzled(strided[M, 64 : 72, 1], xor_shuffle<64, 8>, of = index)",
	  { MODEL_STRIDED, 2, { 72, 1 }, .row = 64, .access = 8, .of_index = true },
	  { 0, 64 }, false, true },
	{ "swizzled(strided[M, 64 : P, 1], rotate_rows<64, 8>, of = index)",
	  { MODEL_STRIDED, 2, { PITCH, 1 }, .row = 64, .access = 8, .of_index = true,
	    .rotates = true }, { 0, 64 }, true, true },
	{ "swizzled(strided[M, 64 : P, 1], #iree_codegen.rotate_rows<64, 4>, of = index)",
	  { MODEL_STRIDED, 2, { PITCH, 1 }, .row = 64, .access = 4, .of_index = true,
	    .rotates = true }, { 0, 64 }, true, true },
	{ "swizzled(strided[M, 48 : 56, 1], xor_shuffle<48, 12>, of = index)",
	  { MODEL_STRIDED, 2, { 56, 1 }, .row = 48, .access = 12, .of_index = true },
	  { 0, 48 }, false, true },
	{ "swizzled(strided[M, 48 : 56, 1], rotate_rows<48, 4>, of = index)",
	  { MODEL_STRIDED, 2, { 56, 1 }, .row = 48, .access = 4, .of_index = true,
	    .rotates = true }, { 0, 48 }, false, true },
	{ "swizzled(row_major[M, 48], xor_shuffle<48, 12>)",
	  { MODEL_ROW, 2, .row = 48, .access = 12 }, { 0, 48 }, false, false },
	{ "swizzled(row_major[M, 64], rotate_rows<64, 4>)",
	  { MODEL_ROW, 2, .row = 64, .access = 4, .rotates = true }, { 0, 64 }, false,
	  false },
	{ "swizzled(row_major[M, 64], rotate_rows<64, 4>, of = index)",
	  { MODEL_ROW, 2, .row = 64, .access = 4, .rotates = true, .of_index = true },
	  { 0, 64 }, false, false },
	{ "swizzled(row_major[M, 5, 48], rotate_rows<48, 4>)",
	  { MODEL_ROW, 3, .row = 48, .access = 4, .rotates = true }, { 0, 5, 48 }, false,
	  false },
	{ "swizzled(row_major[M, 4, 48], rotate_rows<24, 4>)",
	  { MODEL_ROW, 3, .row = 24, .access = 4, .rotates = true }, { 0, 4, 48 }, false,
	  false },
	{ "swizzled(col_major[M, 64], xor_shuffle<64, 8>, of = index)",
	  { MODEL_COLUMN, 2, .row = 64, .access = 8, .of_index = true }, { 0, 64 }, false,
	  false },
	{ "swizzled(strided[M, 8, 8 : 80, 9, 1], rotate_rows<8, 1>, of = index)",
	  { MODEL_STRIDED, 3, { 80, 9, 1 }, .row = 8, .access = 1, .rotates = true,
	    .of_index = true }, { 0, 8, 8 }, false, true },
	{ "swizzled(packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [32, 16], "
	  "outerDimsPerm = [0, 1]}>, [M, 64]), xor_shuffle<64, 8>, of = index)",
	  { MODEL_PACKED, 2, .tile = { 32, 16 }, .outer = { 0, 1 }, .row = 64, .access = 8,
	    .of_index = true }, { 0, 64 }, false, true },
	{ "swizzled(packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [16, 64], "
	  "outerDimsPerm = [0, 1]}>, [M, 64]), rotate_rows<64, 8>)",
	  { MODEL_PACKED, 2, .tile = { 16, 64 }, .outer = { 0, 1 }, .row = 64, .access = 8,
	    .rotates = true }, { 0, 64 }, false, true },
	{ "swizzled(packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [8, 24], "
	  "outerDimsPerm = [1, 0]}>, [M, 48]), rotate_rows<24, 4>, of = index)",
	  { MODEL_PACKED, 2, .tile = { 8, 24 }, .outer = { 1, 0 }, .row = 24, .access = 4,
	    .rotates = true, .of_index = true }, { 0, 48 }, false, true },
};

/* A storage at sizes, and what its points are checked with. */
struct check {
	const char *text;
	const struct storage_model *model;
	const int64_t *n;
	bool pitch;
	int64_t shape[LAYOUT_STORAGE_SLOTS];
	size_t points;
};

/* The offset that a cell lies at. */
static int64_t offset_of(const struct check *check, const int64_t *cell, unsigned rank)
{
	int64_t offset = 0;

	if (check->pitch)
		return PITCH * cell[0] + cell[1];
	for (unsigned k = 0; k < rank; k++)
		offset = (k ? offset * check->shape[k] : 0) + cell[k];
	return offset;
}

static bool check_pair(void *user, const int64_t *in, unsigned in_rank, const int64_t *out,
	unsigned out_rank)
{
	struct check *check = user;
	int64_t offset = offset_of(check, out, out_rank);

	check->points++;
	if (in_rank != check->model->rank ||
	    offset != storage_model_offset(check->model, check->n, in))
		fail_msg("%s: M = %" PRId64 ": (%" PRId64 ", %" PRId64 ", ..) -> %" PRId64,
			check->text, check->n[0], in[0], in[1], offset);
	return true;
}

static bool check_reversed(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *out, unsigned out_rank)
{
	return check_pair(user, out, out_rank, in, in_rank);
}

/* All points at these sizes, as the storage lists them and as its inverse does. */
static void check_points(layout_storage *storage, struct check *check)
{
	layout_size sizes[] = { { "M", check->n[0] }, { "P", PITCH } };
	layout_relation *forth = layout_relation_fix(layout_storage_relation(storage),
		sizes, 2), *back;
	size_t all = 1;

	for (unsigned d = 0; d < check->model->rank; d++)
		all *= (size_t)check->n[d];
	assert_true(layout_storage_memory_shape(storage, sizes, 2, check->shape) >= 0);
	assert_true(layout_relation_for_each(forth, check_pair, check));
	assert_int_equal(check->points, all);
	layout_relation_free(forth);
	back = layout_relation_fix(layout_relation_inverse(
		layout_storage_relation(storage)), sizes, 2);
	assert_true(layout_relation_for_each(back, check_reversed, check));
	assert_int_equal(check->points, 2 * all);
	layout_relation_free(back);
}

/* What is the same for all sizes. */
static void check_answers(layout_storage *storage, const struct row *row)
{
	layout_relation *relation = layout_storage_relation(storage);
	layout_set *cells = layout_storage_cells(storage);
	layout_relation *back = layout_relation_compose(
		layout_relation_inverse(layout_storage_relation(storage)),
		layout_storage_relation(storage));
	char *text = layout_relation_str(back);

	assert_int_equal(layout_relation_is_function(relation, NULL), LAYOUT_YES);
	assert_int_equal(layout_relation_is_injective(relation, NULL), LAYOUT_YES);
	if (!row->gaps)
		assert_int_equal(layout_relation_is_bijective(relation, cells, NULL),
			LAYOUT_YES);
	if (!strstr(text, row->n[2] ? "logical[i, j, k] -> logical[i, j, k] :" :
			"logical[i, j] -> logical[i, j] :"))
		fail_msg("%s: inverse o storage is %s", row->text, text);
	layout_string_free(text);
	layout_set_free(cells);
	layout_relation_free(back);
	layout_relation_free(relation);
}

/* It prints itself, and is printed by what prints of it. */
static layout_storage *read_twice(layout_context *ctx, const char *text)
{
	layout_storage *storage = layout_storage_parse(ctx, text), *copy;
	char *first = layout_storage_str(storage), *second;

	if (!storage)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	copy = layout_storage_parse(ctx, first);
	second = layout_storage_str(copy);
	assert_string_equal(first, second);
	layout_storage_free(storage);
	layout_string_free(first);
	layout_string_free(second);
	storage = layout_storage_copy(copy);
	layout_storage_free(copy);
	return storage;
}

static void rows_point_by_point(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_storage *storage = read_twice(ctx, rows[i].text);

		check_answers(storage, &rows[i]);
		for (size_t h = 0; h < COUNT(heights); h++) {
			int64_t n[] = { heights[h], rows[i].n[1], rows[i].n[2] };
			struct check check = { rows[i].text, &rows[i].model, n,
				rows[i].pitch };

			check_points(storage, &check);
		}
		layout_storage_free(storage);
		assert_true(layout_context_free(ctx));
	}
}

static const struct {
	const char *text, *message;
	long position;
} refused[] = {
	{ "swizzled(strided[M, 64 : 72, 1], xor_shuffle<64, 8>)",
	  "the bit worth 8 of an offset", 33 },
	{ "swizzled(strided[M, 64 : P, 1], xor_shuffle<64, 8>)",
	  "the bit worth 8 of an offset", 32 },
	{ "swizzled(row_major[M, K], xor_shuffle<64, 8>, of = index)",
	  "the bit worth 8 of an index number", 26 },
	{ "swizzled(row_major[M, 96], xor_shuffle<64, 8>, of = index)",
	  "the bit worth 64 of an index number", 27 },
	{ "swizzled(row_major[M, 96], rotate_rows<64, 8>)",
	  "the digit of radix 8 worth 8 of an offset", 27 },
	{ "swizzled(row_major[M, 8, 8], rotate_rows<64, 4>)",
	  "the digit of radix 16 worth 4 of an offset", 29 },
	{ "swizzled(row_major[M, 3, 48], rotate_rows<96, 12>)",
	  "the digit of radix 8 worth 12 of an offset", 30 },
	{ "swizzled(row_major[M, 60], rotate_rows<24, 4>)",
	  "the digit of radix 6 worth 4 of an offset", 27 },
	{ "swizzled(row_major[M, N, 2, 32], rotate_rows<64, 8>)",
	  "the digit of radix 8 worth 8 of an offset", 33 },
	{ "swizzled(row_major[M, 5, 24], rotate_rows<24, 4, 48>)", "`>`", 47 },
	{ "swizzled(row_major[M], rotate_rows<64, 4>)", "no multiple of 64", 23 },
	{ "swizzled(row_major[65], xor_shuffle<64, 8>, of = index)", "no multiple of 16", 24 },
	{ "swizzled(packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [16]}>, "
	  "[M, 64]), rotate_rows<64, 8>, of = index)", "of radix 8 worth 8 of an index", 86 },
	{ "swizzled(row_major[M, 64], Sw<3,3,3>, of index)", "`=`", 41 },
	{ "swizzled(row_major[M, 64], Sw<3,3,3>, index)", "`of`", 38 },
};

static void refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refused); i++) {
		layout_context *ctx = layout_context_new();

		if (layout_storage_parse(ctx, refused[i].text))
			fail_msg("%s is taken", refused[i].text);
		if (!strstr(layout_context_message(ctx), refused[i].message) ||
		    layout_context_position(ctx) != refused[i].position)
			fail_msg("%s: %ld: %s", refused[i].text,
				layout_context_position(ctx),
				layout_context_message(ctx));
		assert_true(layout_context_free(ctx));
	}
}

#define PADDED(pitch, swizzle) "swizzled(strided[M, 64 : " pitch ", 1], " swizzle \
	", of = index)"

static const struct {
	const char *a, *b;
	layout_answer answer;
} equalities[] = {
	{ PADDED("72", "xor_shuffle<64, 8>"), PADDED("72", "Sw<3,3,3>"), LAYOUT_YES },
	{ PADDED("72", "xor_shuffle<64, 8>"), PADDED("80", "xor_shuffle<64, 8>"),
	  LAYOUT_NO },
	{ PADDED("72", "xor_shuffle<64, 8>"), PADDED("72", "rotate_rows<64, 8>"),
	  LAYOUT_NO },
	{ PADDED("72", "xor_shuffle<64, 8>"), "strided[M, 64 : 72, 1]", LAYOUT_NO },
	{ PADDED("72", "rotate_rows<64, 32>"), PADDED("72", "xor_shuffle<64, 32>"),
	  LAYOUT_YES },
	{ PADDED("P", "rotate_rows<64, 32>"), PADDED("P", "xor_shuffle<64, 32>"),
	  LAYOUT_YES },
	{ PADDED("P", "rotate_rows<64, 32>"), PADDED("Q", "xor_shuffle<64, 32>"),
	  LAYOUT_NO },
	{ "swizzled(row_major[M, 1024], Sw<6,3,7>)", "swizzled(row_major[M, 1024], Sw<7,3,7>)",
	  LAYOUT_NO },
	{ "swizzled(row_major[64, 1024], Sw<6,3,7>)",
	  "swizzled(row_major[64, 1024], Sw<7,3,7>)", LAYOUT_YES },
	{ "swizzled(row_major[65, 1024], Sw<6,3,7>)",
	  "swizzled(row_major[65, 1024], Sw<7,3,7>)", LAYOUT_NO },
	{ "swizzled(swizzled(row_major[M, 1024], Sw<1,9,7>), Sw<6,3,7>)",
	  "swizzled(row_major[M, 1024], Sw<7,3,7>)", LAYOUT_YES },
	{ "swizzled(row_major[M, 64], Sw<3,3,3>)", "swizzled(row_major[N, 64], Sw<3,3,3>)",
	  LAYOUT_NO },
	{ "swizzled(row_major[0, 64], rotate_rows<64, 8>)",
	  "swizzled(row_major[0, 64], Sw<3,3,3>)", LAYOUT_YES },
	{ "swizzled(row_major[1, 64], rotate_rows<64, 8>)", "row_major[1, 64]", LAYOUT_YES },
	{ "swizzled(row_major[M, 2147483648], rotate_rows<2147483648, 1073741824>)",
	  "swizzled(row_major[M, 2147483648], Sw<1,30,1>)", LAYOUT_YES },
};

static void equal_for_all_sizes(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(equalities); i++) {
		layout_context *ctx = layout_context_new();
		layout_storage *a = layout_storage_parse(ctx, equalities[i].a);
		layout_storage *b = layout_storage_parse(ctx, equalities[i].b);
		layout_relation *left = layout_storage_relation(a);
		layout_relation *right = layout_storage_relation(b);
		layout_witness *witness = NULL;
		layout_answer answer = layout_relation_equal(left, right, &witness);

		if (answer != equalities[i].answer || (answer == LAYOUT_NO) != !!witness)
			fail_msg("%s = %s: %d (%s)", equalities[i].a, equalities[i].b, answer,
				layout_context_message(ctx));
		assert_int_equal(layout_relation_equal(right, left, NULL), answer);
		layout_witness_free(witness);
		layout_relation_free(left);
		layout_relation_free(right);
		layout_storage_free(a);
		layout_storage_free(b);
		assert_true(layout_context_free(ctx));
	}
}

/* Functions that are the same for a whole period, and then not, or nowhere that counts. */
static const struct {
	const char *a, *b;
	layout_answer answer;
} periods[] = {
	{ "[M] -> { [i] -> [i] : 0 <= i < M }",
	  "[M] -> { [i] -> [i + 8*floor(i/8)] : 0 <= i < M }", LAYOUT_NO },
	{ "{ [i] -> [i] : 0 <= i < 8 }", "{ [i] -> [i + 8*floor(i/8)] : 0 <= i < 8 }",
	  LAYOUT_YES },
	{ "{ [i] -> [i] : 0 <= i < 9 }", "{ [i] -> [i + 8*floor(i/8)] : 0 <= i < 9 }",
	  LAYOUT_NO },
	{ "[M] -> { [i] -> [i] : 0 <= i < M <= 8 }",
	  "[M] -> { [i] -> [i + 8*floor(i/8)] : 0 <= i < M <= 8 }", LAYOUT_YES },
	{ "[M] -> { [i] -> [i mod 12] : 0 <= i < 4M }",
	  "[M] -> { [i] -> [4*(floor(i/4) mod 3) + i mod 4] : 0 <= i < 4M }", LAYOUT_YES },
	{ "[M] -> { [i] -> [floor(i/12)] : 0 <= i < M and i mod 4 = 0 }",
	  "[M] -> { [i] -> [floor((i + 8)/12)] : 0 <= i < M and i mod 4 = 0 }", LAYOUT_NO },
	{ "[M] -> { [i] -> [floor(i/12)] : 0 <= i < M and i mod 12 = 0 }",
	  "[M] -> { [i] -> [floor((i + 8)/12)] : 0 <= i < M and i mod 12 = 0 }",
	  LAYOUT_YES },
};

static void equal_by_periods(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(periods); i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *a = layout_relation_read(ctx, periods[i].a);
		layout_relation *b = layout_relation_read(ctx, periods[i].b);

		if (layout_relation_equal(a, b, NULL) != periods[i].answer)
			fail_msg("%s = %s: not %d", periods[i].a, periods[i].b,
				periods[i].answer);
		layout_relation_free(a);
		layout_relation_free(b);
		assert_true(layout_context_free(ctx));
	}
}

/* Digits that carry from one factor into the next: small boxes are looked at point by
 * point, and what is not settled for all sizes says why. */
static const struct {
	const char *inner;
	layout_answer answer;
} carries[] = {
	{ "strided[7, 64 : 72, 1]", LAYOUT_YES },
	{ "strided[M, 64 : 72, 1]", LAYOUT_YES },
	{ "strided[7, 64 : 40, 1]", LAYOUT_NO },
	{ "strided[M, K : 264, 1]", LAYOUT_UNKNOWN },
};

static void carries_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(carries); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value;
		layout_relation *relation;
		char text[100];

		snprintf(text, sizeof(text), "compose(xor_shuffle<256, 8>, %s)",
			carries[i].inner);
		value = layout_value_parse(ctx, text);
		relation = layout_value_relation(value);
		layout_context_set_quota(ctx, 50000);
		assert_int_equal(layout_relation_is_injective(relation, NULL),
			carries[i].answer);
		if (carries[i].answer == LAYOUT_UNKNOWN) {
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
			assert_non_null(strstr(layout_context_message(ctx),
				"digits carry"));
		}
		layout_relation_free(relation);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

/* A random storage of M rows, and its text. */
struct mixed {
	struct storage_model model;
	int64_t n[3];
	char text[MODEL_TEXT];
};

static void random_base(uint64_t *state, struct mixed *mixed)
{
	static const int64_t widths[] = { 8, 16, 24, 32, 48, 64 };
	struct storage_model *model = &mixed->model;
	unsigned kind = random_below(state, 4);

	*mixed = (struct mixed){ .model = { .rank = 2 + random_below(state, 2) } };
	for (unsigned d = 1; d < model->rank; d++)
		mixed->n[d] = widths[random_below(state, model->rank == 2 ? 6 : 3)];
	model->kind = kind == 0 ? MODEL_ROW : kind == 1 ? MODEL_COLUMN : kind == 2 ?
		MODEL_STRIDED : MODEL_PACKED;
	for (unsigned d = model->rank, step = 1; kind == 2 && d-- > 0;) {
		model->stride[d] = step;
		step = step * (unsigned)mixed->n[d] + random_below(state, 3) * 4;
	}
	for (unsigned d = 0; d < model->rank; d++) {
		model->outer[d] = d;
		model->tile[d] = kind == 3 ? 4 << random_below(state, 3) : 0;
	}
}

static void write_text(struct mixed *mixed)
{
	char numbers[3][24];
	const char *sizes[3] = { "M", numbers[1], numbers[2] };

	for (unsigned d = 1; d < mixed->model.rank; d++)
		snprintf(numbers[d], sizeof(numbers[d]), "%" PRId64, mixed->n[d]);
	storage_model_text(&mixed->model, sizes, mixed->text);
}

/* A swizzle that the library takes for the storage; false where eight were refused. */
static bool random_swizzle(uint64_t *state, layout_context *ctx, struct mixed *mixed)
{
	static const int64_t parts[] = { 2, 4, 8, 3, 6, 12 };

	for (unsigned i = 0; i < 8; i++) {
		struct storage_model *model = &mixed->model;
		layout_storage *storage;
		int64_t part;

		model->row = mixed->n[model->rank - 1];
		model->rotates = random_below(state, 2);
		model->of_index = random_below(state, 2);
		part = parts[random_below(state, model->rotates ? 6 : 3)];
		model->access = model->row / part;
		if (model->row % part)
			continue;
		write_text(mixed);
		storage = layout_storage_parse(ctx, mixed->text);
		layout_context_clear(ctx);
		layout_storage_free(storage);
		if (storage)
			return true;
	}
	return false;
}

/* The first height at which an element lies elsewhere; -1: none of the first. */
static int64_t first_difference(const struct mixed *a, const struct mixed *b)
{
	int64_t n[3] = { 64, a->n[1], a->n[2] }, i[3];
	int64_t last = a->model.rank == 3 ? n[2] : 1;

	for (i[0] = 0; i[0] < 64; i[0]++)
		for (i[1] = 0; i[1] < n[1]; i[1]++)
			for (i[2] = 0; i[2] < last; i[2]++) {
				int64_t m[3] = { i[0] + 1, n[1], n[2] };

				if (storage_model_offset(&a->model, m, i) !=
				    storage_model_offset(&b->model, m, i))
					return i[0] + 1;
			}
	return -1;
}

/* Do two storages of the same size have the elements of all sizes in the same cells? */
static void check_equal(layout_context *ctx, const struct mixed *a, const struct mixed *b)
{
	layout_storage *left = layout_storage_parse(ctx, a->text);
	layout_storage *right = layout_storage_parse(ctx, b->text);
	layout_relation *from = layout_storage_relation(left);
	layout_relation *to = layout_storage_relation(right);
	layout_witness *witness = NULL;
	layout_answer answer = layout_relation_equal(from, to, &witness);
	layout_answer wanted = first_difference(a, b) < 0 ? LAYOUT_YES : LAYOUT_NO;

	if (answer != wanted)
		fail_msg("%s = %s: %d, not %d: %s", a->text, b->text, answer, wanted,
			witness ? witness->text : layout_context_message(ctx));
	layout_witness_free(witness);
	layout_relation_free(from);
	layout_relation_free(to);
	layout_storage_free(left);
	layout_storage_free(right);
}

/* inverse(a) o b, of one shape: where "a" has what "b" has at an index. */
struct both {
	const struct mixed *a, *b;
	int64_t n[3];
	size_t points;
};

static bool check_both(void *user, const int64_t *in, unsigned in_rank, const int64_t *out,
	unsigned out_rank)
{
	struct both *both = user;

	both->points++;
	if (in_rank != out_rank || storage_model_offset(&both->b->model, both->n, in) !=
			storage_model_offset(&both->a->model, both->n, out))
		fail_msg("inverse(%s) o %s at (%" PRId64 ", %" PRId64 ", ..)",
			both->a->text, both->b->text, in[0], in[1]);
	return true;
}

/* Call "visit" for the offset of each element. */
static void each_offset(const struct mixed *mixed, const int64_t *n,
	void (*visit)(unsigned char *cell, size_t *count), unsigned char *cells, size_t *count)
{
	int64_t i[3], last = mixed->model.rank == 3 ? n[2] : 1;

	for (i[0] = 0; i[0] < n[0]; i[0]++)
		for (i[1] = 0; i[1] < n[1]; i[1]++)
			for (i[2] = 0; i[2] < last; i[2]++)
				visit(&cells[storage_model_offset(&mixed->model, n, i)],
					count);
}

static void mark(unsigned char *cell, size_t *count)
{
	(void)count;
	*cell = 1;
}

static void count_marked(unsigned char *cell, size_t *count)
{
	*count += *cell;
}

static void check_composition(layout_context *ctx, const struct mixed *a,
	const struct mixed *b)
{
	struct both both = { a, b, { 21, a->n[1], a->n[2] }, 0 };
	layout_storage *left = layout_storage_parse(ctx, a->text);
	layout_storage *right = layout_storage_parse(ctx, b->text);
	layout_size size = { "M", both.n[0] };
	layout_relation *way = layout_relation_compose(
		layout_relation_inverse(layout_storage_relation(left)),
		layout_storage_relation(right));
	size_t all = (size_t)storage_model_elements(&a->model, both.n), common = 0;
	unsigned char *cells = calloc(all, 1);

	each_offset(a, both.n, mark, cells, NULL);
	each_offset(b, both.n, count_marked, cells, &common);
	assert_int_equal(layout_relation_is_injective(way, NULL), LAYOUT_YES);
	way = layout_relation_fix(way, &size, 1);
	if (!layout_relation_for_each(way, check_both, &both))
		fail_msg("inverse(%s) o %s: %s", a->text, b->text,
			layout_context_message(ctx));
	assert_int_equal(both.points, common);
	free(cells);
	layout_relation_free(way);
	layout_storage_free(left);
	layout_storage_free(right);
}

static void random_mixed(void **state)
{
	uint64_t random = random_seed();
	unsigned found = 0;

	(void)state;
	for (unsigned i = 0; i < 60; i++) {
		layout_context *ctx = layout_context_new();
		struct mixed a, b;

		random_base(&random, &a);
		b = a;
		if (random_swizzle(&random, ctx, &a) && random_swizzle(&random, ctx, &b)) {
			layout_storage *storage = read_twice(ctx, a.text);
			int64_t n[] = { 1 + random_below(&random, 20), a.n[1], a.n[2] };
			struct check check = { a.text, &a.model, n, false };

			check_points(storage, &check);
			check_equal(ctx, &a, &b);
			check_composition(ctx, &a, &b);
			layout_storage_free(storage);
			found++;
		}
		assert_true(layout_context_free(ctx));
	}
	assert_in_range(found, 20, 60);
}

/* Swizzles of row_major[64, 64] one after the other, Sw<bits, base, shift> each. */
struct bits {
	int bits, base, shift;
};

static const struct {
	const char *text;
	struct bits first, second;
} chains[] = {
	{ "swizzled(swizzled(row_major[64, 64], Sw<3,0,6>), Sw<3,0,-6>)", { 3, 0, 6 },
	  { 3, 0, -6 } },
	{ "swizzled(swizzled(row_major[64, 64], Sw<3,3,3>), Sw<3,0,3>)", { 3, 3, 3 },
	  { 3, 0, 3 } },
	{ "swizzled(swizzled(row_major[64, 64], Sw<3,0,3>), Sw<3,3,3>)", { 3, 0, 3 },
	  { 3, 3, 3 } },
	{ "swizzled(swizzled(row_major[64, 64], Sw<3,0,3>, of = index), Sw<3,3,3>, of = index)",
	  { 3, 3, 3 }, { 3, 0, 3 } },
	{ "swizzled(swizzled(row_major[64, 64], Sw<3,0,3>), Sw<3,3,3>, of = index)",
	  { 3, 3, 3 }, { 3, 0, 3 } },
	{ "swizzled(swizzled(row_major[64, 64], Sw<3,3,3>), Sw<3,3,3>)", { 3, 3, 3 },
	  { 3, 3, 3 } },
	{ "swizzled(swizzled(row_major[64, 64], Sw<2,3,3>), Sw<3,3,3>)", { 2, 3, 3 },
	  { 3, 3, 3 } },
};

static int swizzle_bits(struct bits by, int offset)
{
	int mask = (1 << by.bits) - 1;

	return by.shift < 0 ? offset ^ (offset >> by.base & mask) << (by.base - by.shift) :
		offset ^ (offset >> (by.base + by.shift) & mask) << by.base;
}

/* A kernel that copies to or from the storage, on the host and on simulated GPUs. */
static void run_chain(layout_context *ctx, size_t chain, const char *target, bool back)
{
	static int32_t source[64 * 64], destination[64 * 64];
	layout_run run = LAYOUT_RUN_INIT;
	layout_remap *remap;
	layout_kernel *kernel;
	char text[300];

	snprintf(text, sizeof(text), "remap(%s -> %s, type = i32)",
		back ? chains[chain].text : "row_major[64, 64]",
		back ? "row_major[64, 64]" : chains[chain].text);
	remap = layout_remap_parse(ctx, text);
	kernel = layout_kernel_new(remap, target, NULL);
	for (int i = 0; i < 64 * 64; i++)
		source[i] = i;
	run.source = source;
	run.destination = destination;
	run.source_bytes = run.destination_bytes = sizeof(source);
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s: %s", text, layout_context_message(ctx));
	for (int i = 0; i < 64 * 64; i++) {
		int at = swizzle_bits(chains[chain].second,
			swizzle_bits(chains[chain].first, i));

		if (destination[back ? i : at] != (back ? at : i))
			fail_msg("%s for %s: element %d", text, target, i);
	}
	layout_kernel_free(kernel);
	layout_remap_free(remap);
}

static void swizzles_in_a_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(chains); i++) {
		layout_context *ctx = layout_context_new();

		for (unsigned back = 0; back < 2; back++) {
			run_chain(ctx, i, "host", back);
			run_chain(ctx, i, "gfx942", back);
			run_chain(ctx, i, "sm_90", back);
		}
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_point_by_point),
		cmocka_unit_test(refusals),
		cmocka_unit_test(equal_for_all_sizes),
		cmocka_unit_test(equal_by_periods),
		cmocka_unit_test(carries_are_named),
		cmocka_unit_test(random_mixed),
		cmocka_unit_test(swizzles_in_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
