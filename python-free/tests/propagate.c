/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Encodings pushed through operations: each point of the packed operation is a point of
 * the operation, and each operand's packed map leads where its storage has the element
 * that its own map asks for. */
#include "isl_bridge/relation.h"
#include "support/encoding_rows.h"
#include "support/random.h"

#include <layout/layout.h>
#include <layout/propagate.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define OPERANDS 5
#define RANK 16			/* of anything here */
#define RANDOM_OPERATIONS 100

struct operation {
	const char *encoding;
	unsigned encoded, count;
	const char *maps[OPERANDS];
	unsigned loops;
	int64_t sizes[RANK];		/* of the loops */
};

/* All pairs of a function of a box, by the input's number in lexicographic order. */
struct table {
	unsigned rank;
	int64_t count, *images;
};

struct filling {
	struct table *table;
	const int64_t *box;
};

static int64_t number_of(const int64_t *point, const int64_t *box, unsigned rank)
{
	int64_t number = 0;

	for (unsigned d = 0; d < rank; d++)
		number = number * box[d] + point[d];
	return number;
}

static int64_t volume(const int64_t *box, unsigned rank)
{
	int64_t product = 1;

	for (unsigned d = 0; d < rank; d++)
		product *= box[d];
	return product;
}

static bool fill(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned rank)
{
	struct filling *filling = user;
	int64_t number = number_of(in, filling->box, in_rank);

	assert_int_equal(number, filling->table->count++);
	assert_int_equal(rank, filling->table->rank);
	memcpy(filling->table->images + number * rank, image, rank * sizeof(*image));
	return true;
}

/* Consumes the relation. */
static struct table table_of(layout_context *ctx, layout_relation *relation,
	const int64_t *box, unsigned rank)
{
	struct table table = { .rank = layout_relation_out_rank(relation) };
	struct filling filling = { &table, box };
	char text[1024] = "{ [";
	layout_set *set;

	for (unsigned d = 0; d < rank; d++)
		sprintf(text + strlen(text), "%sx%u", d ? ", " : "", d);
	strcat(text, "] : 0 = 0");
	for (unsigned d = 0; d < rank; d++)
		sprintf(text + strlen(text), " and 0 <= x%u < %lld", d, (long long)box[d]);
	strcat(text, " }");
	set = layout_set_read(ctx, text);
	assert_int_equal(layout_relation_in_rank(relation), rank);
	relation = layout_relation_restrict(relation, set);
	if (!relation)
		fail_msg("%s", layout_context_message(ctx));
	table.images = calloc((size_t)volume(box, rank) * (table.rank + 1),
		sizeof(*table.images));
	assert_non_null(table.images);
	assert_true(layout_relation_for_each(relation, fill, &filling));
	assert_int_equal(table.count, volume(box, rank));
	layout_relation_free(relation);
	return table;
}

static layout_relation *read_map(layout_context *ctx, const char *text)
{
	layout_value *value = layout_value_parse(ctx, text);
	layout_relation *relation = layout_value_relation(value);

	layout_value_free(value);
	assert_non_null(relation);
	return relation;
}

/* The operand's tensor: its map's image of the box of loops, and one more for a constant. */
static unsigned tensor_shape(const struct table *map, int64_t shape[RANK])
{
	assert_true(map->rank <= RANK);
	for (unsigned d = 0; d < map->rank; d++) {
		shape[d] = 1;
		for (int64_t i = 0; i < map->count; i++)
			if (map->images[i * map->rank + d] >= shape[d])
				shape[d] = map->images[i * map->rank + d] + 1;
	}
	return map->rank;
}

/* The operand packed: its storage as a table, and the shape of its memory. */
static struct table pack(layout_context *ctx, layout_encoding *encoding,
	const int64_t *shape, unsigned rank, int64_t memory[LAYOUT_STORAGE_SLOTS],
	unsigned *memory_rank)
{
	char sizes[RANK][24];
	const char *texts[RANK];
	layout_storage *storage;
	struct table table;

	for (unsigned d = 0; d < rank; d++) {
		snprintf(sizes[d], sizeof(sizes[d]), "%lld", (long long)shape[d]);
		texts[d] = sizes[d];
	}
	storage = layout_storage_packed(encoding, rank, texts);
	if (!storage)
		fail_msg("%s", layout_context_message(ctx));
	*memory_rank = (unsigned)layout_storage_memory_shape(storage, NULL, 0, memory);
	table = table_of(ctx, layout_storage_relation(storage), shape, rank);
	layout_storage_free(storage);
	return table;
}

/* One operand at all points; "loops" are the packed loops' images under the index. */
static void check_operand(layout_context *ctx, const struct operation *operation,
	layout_propagation *propagation, unsigned i, const struct table *loops,
	const int64_t *box, unsigned box_rank)
{
	struct table logical = table_of(ctx, read_map(ctx, operation->maps[i]),
		operation->sizes, operation->loops);
	struct table packed = table_of(ctx, layout_propagation_map(propagation, i), box,
		box_rank);
	int64_t shape[RANK], memory[LAYOUT_STORAGE_SLOTS];
	unsigned rank = tensor_shape(&logical, shape), memory_rank;
	struct table storage = pack(ctx, layout_propagation_encoding(propagation, i),
		shape, rank, memory, &memory_rank);

	assert_int_equal(packed.rank, storage.rank);
	assert_int_equal(packed.rank, memory_rank);
	for (int64_t p = 0; p < packed.count; p++) {
		const int64_t *x = loops->images + p * loops->rank, *element, *cell;
		const int64_t *found = packed.images + p * packed.rank;
		bool inside = true;

		for (unsigned d = 0; d < packed.rank; d++)
			assert_true(found[d] >= 0 && found[d] < memory[d]);
		for (unsigned l = 0; l < operation->loops; l++)
			inside = inside && x[l] < operation->sizes[l];
		if (!inside)
			continue;
		element = logical.images + logical.rank *
			number_of(x, operation->sizes, operation->loops);
		cell = storage.images + storage.rank * number_of(element, shape, rank);
		assert_memory_equal(found, cell, packed.rank * sizeof(*cell));
	}
	free(logical.images);
	free(packed.images);
	free(storage.images);
}

/* Each point of the operation is one packed point; then all operands. */
static void check_operation(layout_context *ctx, const struct operation *operation,
	layout_propagation *propagation, const int64_t *box, unsigned box_rank)
{
	struct table loops = table_of(ctx, layout_propagation_index(propagation), box,
		box_rank);
	int64_t count = volume(operation->sizes, operation->loops), seen_count = 0;
	bool *seen = calloc((size_t)count + 1, 1);

	assert_non_null(seen);
	assert_int_equal(loops.rank, operation->loops);
	for (int64_t p = 0; p < loops.count; p++) {
		const int64_t *x = loops.images + p * loops.rank;
		bool inside = true;

		for (unsigned l = 0; l < loops.rank; l++) {
			assert_true(x[l] >= 0);
			inside = inside && x[l] < operation->sizes[l];
		}
		if (!inside)
			continue;
		assert_false(seen[number_of(x, operation->sizes, loops.rank)]);
		seen[number_of(x, operation->sizes, loops.rank)] = true;
		seen_count++;
	}
	assert_int_equal(seen_count, count);
	for (unsigned i = 0; i < operation->count; i++)
		check_operand(ctx, operation, propagation, i, &loops, box, box_rank);
	free(seen);
	free(loops.images);
}

static layout_propagation *propagate(layout_context *ctx,
	const struct operation *operation, const bool *outputs)
{
	layout_user_desc desc = LAYOUT_USER_DESC_INIT;
	layout_encoding *encoding = layout_encoding_parse(ctx, operation->encoding);
	layout_propagation *propagation;

	if (!encoding)
		fail_msg("%s", layout_context_message(ctx));
	desc.operand_count = operation->count;
	desc.maps = operation->maps;
	desc.encoded = operation->encoded;
	desc.outputs = outputs;
	propagation = layout_encoding_propagate(encoding, &desc);
	layout_encoding_free(encoding);
	return propagation;
}

/* gfx942, f32: lhs of a batch, acc of dynamic sizes, acc of one instruction. */
#define GROUP_M "[[\"CrossThread\", 2 : i16, 2 : i8], [\"CrossIntrinsic\", 4 : i16], " \
	"[\"CrossThread\", 16 : i16]]"
#define GROUP_K "[[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]"
#define BATCH_LHS "encoding_info<{innerDimsPos = [1, 2], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [0, 1, 2], swizzle = {expandShape = [" GROUP_M ", " GROUP_K \
	"], permutation = [0, 1, 4, 2, 3]}}>"
#define ACC "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 128], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 2 : i16], " \
	"[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16], [\"Internal\", 4 : " \
	"i16]], [[\"CrossThread\", 2 : i16], [\"CrossIntrinsic\", 4 : i16], " \
	"[\"CrossThread\", 16 : i16]]], permutation = [0, 4, 1, 5, 2, 6, 3]}}>"
#define SMALL_ACC "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [16, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16], " \
	"[\"Internal\", 4 : i16]], [[\"CrossThread\", 16 : i16]]], permutation = " \
	"[0, 2, 1]}}>"
#define RHS "encoding_info<{innerDimsPos = [1, 0], innerTileSizes = [8, 4], " \
	"outerDimsPerm = [1, 0]}>"
#define ID2 "affine_map<(d0, d1) -> (d0, d1)>"
#define ID3 "affine_map<(d0, d1, d2) -> (d0, d1, d2)>"

/*	box	the extents of the packed loops
 *	maps	what the operands' maps become, NULL at the end
 *	row	the name of the vectors' rows, one for each operand of rows[..] */
static const struct {
	struct operation operation;
	const char *box;
	const char *maps[OPERANDS + 1];
	const char *index;
	const char *row;
	int rows[OPERANDS];
} cases[] = {
	{ { BATCH_LHS, 0, 4, { ID3, "affine_map<(d0, d1, d2) -> (d0, d2)>",
		"affine_map<(d0, d1, d2) -> (d0, d2)>", ID3 }, 3, { 2, 128, 64 } },
	  "2x1x4x2x4x4x16x4",
	  { "affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> "
		"(d0, d1, d2, d3, d4, d5, d6, d7)>",
	    "affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d2, d5, d7)>",
	    "affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d2, d5, d7)>",
	    "affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> "
		"(d0, d1, d2, d3, d4, d5, d6, d7)>" },
	  "affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 * 128 + d3 * 64 + "
		"d4 * 16 + d6, d2 * 16 + d5 + d7 * 4)>",
	  "dequantization", { 0, 1, 3, -1 } },
	{ { BATCH_LHS, 0, 3, { ID3, ID3, ID3 }, 3, { 2, 128, 64 } }, "2x1x4x2x4x4x16x4",
	  { NULL }, NULL, "multi_result_generic", { 0, 2, -1 } },
	{ { SMALL_ACC, 0, 2, { ID2, "affine_map<(d0, d1) -> (d1, d0)>" }, 2, { 4, 32 } },
	  "1x2x4x16x4",
	  { "affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>",
	    "affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>" },
	  "affine_map<(d0, d1, d2, d3, d4) -> (d0 * 16 + d2 * 4 + d4, d1 * 16 + d3)>",
	  "generic_with_permuted_output_maps", { 0, 1, -1 } },
	{ { BATCH_LHS, 0, 2, { ID3, "affine_map<(d0, d1, d2) -> (d2, d0, d1)>" }, 3,
		{ 2, 128, 64 } }, "2x1x4x2x4x4x16x4",
	  { NULL }, NULL, "interchange_generic", { 0, 1, -1 } },
	/* the bias of the walk-through */
	{ { ACC, 0, 3, { ID2, "affine_map<(d0, d1) -> (d1)>", ID2 }, 2, { 130, 200 } },
	  "2x2x2x2x4x4x4x16x4",
	  { "affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> "
		"(d0, d1, d2, d3, d4, d5, d6, d7, d8)>",
	    "affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d1, d3, d5, d7)>" },
	  NULL, NULL, { -1 } },
	/* the bias has the encoding, and what is written is new to it */
	{ { "encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>", 1, 3,
		{ ID2, "affine_map<(d0, d1) -> (d1)>", "affine_map<(d0, d1) -> (d1, d0)>" },
		2, { 3, 10 } }, "3x3x4",
	  { "affine_map<(d0, d1, d2) -> (d0, d1, d2)>",
	    "affine_map<(d0, d1, d2) -> (d1, d2)>",
	    "affine_map<(d0, d1, d2) -> (d0, d1, d2)>" },
	  "affine_map<(d0, d1, d2) -> (d0, d1 * 4 + d2)>", NULL, { -1 } },
	/* outer dimensions swapped, a constant, a scalar, loops that are not tiled */
	{ { RHS, 2, 5, { "affine_map<(d0, d1, d2) -> (0, d2, d1)>",
		"affine_map<(d0, d1, d2) -> ()>", "affine_map<(d0, d1, d2) -> (d1, d2)>",
		"affine_map<(d0, d1, d2) -> (d0 * 2 + 1)>", ID3 }, 3, { 3, 5, 9 } },
	  "3x2x2x8x4",
	  { "affine_map<(d0, d1, d2, d3, d4) -> (0, d1, d2, d3, d4)>",
	    "affine_map<(d0, d1, d2, d3, d4) -> ()>",
	    "affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>",
	    "affine_map<(d0, d1, d2, d3, d4) -> (d0 * 2 + 1)>",
	    "affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>" },
	  "affine_map<(d0, d1, d2, d3, d4) -> (d0, d2 * 4 + d4, d1 * 8 + d3)>", NULL,
	  { -1 } },
	/* the first loop's outer one is not the first */
	{ { RHS, 0, 2, { ID2, ID2 }, 2, { 5, 9 } }, "2x2x8x4",
	  { "affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>",
	    "affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>" },
	  "affine_map<(d0, d1, d2, d3) -> (d1 * 4 + d3, d0 * 8 + d2)>", NULL, { -1 } },
	/* a reduction of what is not tiled */
	{ { BATCH_LHS, 0, 2, { ID3, "affine_map<(d0, d1, d2) -> (d2, d1)>" }, 3,
		{ 3, 130, 5 } }, "3x2x1x2x4x4x16x4", { NULL }, NULL, NULL, { -1 } },
	/* only outer dimensions */
	{ { "encoding_info<{innerDimsPos = [], innerTileSizes = [], outerDimsPerm = "
		"[1, 0]}>", 0, 2, { ID2, ID2 }, 2, { 3, 4 } }, "4x3",
	  { "affine_map<(d0, d1) -> (d0, d1)>", "affine_map<(d0, d1) -> (d1, d0)>" },
	  "affine_map<(d0, d1) -> (d1, d0)>", NULL, { -1 } },
	{ { "encoding_info<{innerDimsPos = [], innerTileSizes = []}>", 0, 2, { ID2, ID2 },
		2, { 3, 4 } }, "3x4", { NULL }, NULL, NULL, { -1 } },
};
#define CASES (sizeof(cases) / sizeof(*cases))

static unsigned box_of(const char *text, int64_t box[RANK])
{
	long shape[16];
	unsigned rank = encoding_row_shape(text, shape);

	for (unsigned d = 0; d < rank; d++)
		box[d] = shape[d];
	return rank;
}

static void expect_map(layout_relation *map, const char *expected)
{
	char *text = layout_relation_affine_map_str(map);

	assert_non_null(text);
	if (expected)
		assert_string_equal(text, expected);
	free(text);
	layout_relation_free(map);
}

static void operations(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t c = 0; c < CASES; c++) {
		layout_propagation *propagation = propagate(ctx, &cases[c].operation, NULL);
		int64_t box[RANK];
		unsigned rank = box_of(cases[c].box, box);

		if (!propagation)
			fail_msg("case %zu: %s", c, layout_context_message(ctx));
		assert_int_equal(layout_propagation_loops(propagation), rank);
		for (unsigned i = 0; cases[c].maps[i]; i++)
			expect_map(layout_propagation_map(propagation, i),
				cases[c].maps[i]);
		expect_map(layout_propagation_index(propagation), cases[c].index);
		check_operation(ctx, &cases[c].operation, propagation, box, rank);
		layout_propagation_free(propagation);
	}
	assert_true(layout_context_free(ctx));
}

/* Vectors */

struct vectors {
	layout_context *ctx;
	unsigned next[CASES], checked;
};

/* An operand's packed shape is the row's. */
static void check_shape(layout_context *ctx, size_t c, unsigned operand,
	const struct encoding_row *row)
{
	const struct operation *operation = &cases[c].operation;
	layout_propagation *propagation = propagate(ctx, operation, NULL);
	struct table map = table_of(ctx, read_map(ctx, operation->maps[operand]),
		operation->sizes, operation->loops), storage;
	int64_t shape[RANK], memory[LAYOUT_STORAGE_SLOTS];
	unsigned rank = tensor_shape(&map, shape), memory_rank;
	long expected[16];

	assert_int_equal(encoding_row_shape(row->fields[ROW_SHAPE], expected), rank);
	for (unsigned d = 0; d < rank; d++)
		assert_int_equal(expected[d], shape[d]);
	storage = pack(ctx, layout_propagation_encoding(propagation, operand), shape,
		rank, memory, &memory_rank);
	rank = encoding_row_shape(row->fields[ROW_PACKED], expected);
	if (rank)
		assert_int_equal(rank, memory_rank);
	for (unsigned d = 0; d < rank; d++)
		assert_int_equal(expected[d], memory[d]);
	free(map.images);
	free(storage.images);
	layout_propagation_free(propagation);
}

static void check_row(const struct encoding_row *row, void *user)
{
	struct vectors *vectors = user;

	if (strcmp(row->fields[ROW_KIND], "generic") != 0)
		return;
	for (size_t c = 0; c < CASES; c++)
		if (cases[c].row && strstr(row->fields[ROW_ID], cases[c].row)) {
			int operand = cases[c].rows[vectors->next[c]++];

			assert_true(operand >= 0);
			check_shape(vectors->ctx, c, (unsigned)operand, row);
			vectors->checked++;
		}
}

static void vectors(void **state)
{
	struct vectors all = { .ctx = layout_context_new() };

	(void)state;
	each_encoding_row(check_row, &all);
	assert_int_equal(all.checked, 9);
	assert_true(layout_context_free(all.ctx));
}

/* Refusals */

static const struct {
	struct operation operation;
	layout_error kind;
	const char *message;
} refusals[] = {
	{ { RHS, 0, 2, { "affine_map<(d0, d1) -> (d0 + d1, d1)>", ID2 }, 2, { 0 } },
	  LAYOUT_ERROR_NO_ANSWER, "operand 0, affine_map<(d0, d1) -> (d0 + d1, d1)>: "
	  "dimension 0 is tiled, but not one loop" },
	{ { RHS, 0, 2, { "affine_map<(d0) -> (d0, d0)>", "affine_map<(d0) -> (d0)>" }, 1,
		{ 0 } }, LAYOUT_ERROR_NO_ANSWER, "operand 0, affine_map<(d0) -> (d0, d0)>: "
	  "dimension 0 is tiled, but its loop indexes another that is" },
	{ { RHS, 0, 3, { ID2, "affine_map<(d0, d1) -> (d0 + d1)>", ID2 }, 2, { 0 } },
	  LAYOUT_ERROR_NO_ANSWER, "operand 1, affine_map<(d0, d1) -> (d0 + d1)>: d0, "
	  "which is tiled, is not an index of its own" },
	{ { RHS, 0, 3, { ID2, "affine_map<(d0, d1) -> (d1 floordiv 2, d0)>", ID2 }, 2,
		{ 0 } }, LAYOUT_ERROR_NO_ANSWER, "d1, which is tiled, is not an index" },
	{ { RHS, 0, 3, { ID2, "affine_map<(d0, d1) -> (d1, d1)>", ID2 }, 2, { 0 } },
	  LAYOUT_ERROR_NO_ANSWER, "operand 1, affine_map<(d0, d1) -> (d1, d1)>: d1, which "
	  "is tiled, indexes two dimensions" },
	{ { RHS, 0, 2, { ID2, "affine_map<(d0, d1) -> (d0)>" }, 2, { 0 } },
	  LAYOUT_ERROR_NO_ANSWER, "operand 1, affine_map<(d0, d1) -> (d0)>: d1, which is "
	  "tiled, is summed over, and its padding would be" },
	{ { RHS, 0, 2, { "affine_map<(d0) -> (d0)>", "affine_map<(d0) -> (d0)>" }, 1,
		{ 0 } }, LAYOUT_ERROR_SPACE, "operand 0 has 1 dimensions, its encoding is "
	  "for another rank" },
	{ { "encoding_info<{innerDimsPos = [1], innerTileSizes = [2]}>", 0, 2,
		{ "affine_map<(d0) -> (d0)>", "affine_map<(d0) -> (d0)>" }, 1, { 0 } },
	  LAYOUT_ERROR_SPACE, "its encoding is for more" },
	{ { RHS, 0, 2, { ID2, ID3 }, 2, { 0 } }, LAYOUT_ERROR_SPACE,
	  "operand 1: a map of 3 dimensions, the first operand's has 2" },
	{ { RHS, 0, 2, { ID2, "affine_map<(d0, d1) -> (d2)>" }, 2, { 0 } },
	  LAYOUT_ERROR_PARSE, "expected a dimension or symbol of the map" },
	{ { RHS, 0, 2, { ID2, ID2 " " }, 2, { 0 } }, LAYOUT_ERROR_NONE, "" },
	{ { RHS, 2, 2, { ID2, ID2 }, 2, { 0 } }, LAYOUT_ERROR_INVALID,
	  "operand 2 has the encoding, but there are only 2" },
	{ { RHS, 0, 0, { ID2 }, 2, { 0 } }, LAYOUT_ERROR_INVALID, "there is no operand" },
};

static void refused(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		layout_propagation *propagation = propagate(ctx, &refusals[i].operation,
			NULL);
		const char *message = layout_context_message(ctx);

		if (layout_context_error(ctx) != refusals[i].kind ||
		    !propagation != (refusals[i].kind != LAYOUT_ERROR_NONE) ||
		    (message && !strstr(message, refusals[i].message)))
			fail_msg("row %zu: %d, %s", i, layout_context_error(ctx),
				message ? message : "done");
		layout_propagation_free(propagation);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* What is no output may be summed over; symbols stay; operands that are not there. */
static void details(void **state)
{
	static const bool first[] = { true, false }, both[] = { true, true };
	const struct operation reduction = { RHS, 0, 2,
		{ ID2, "affine_map<(d0, d1) -> (d0)>" }, 2, { 5, 9 } };
	const struct operation symbols = { "encoding_info<{innerDimsPos = [1], "
		"innerTileSizes = [4]}>", 0, 2,
		{ ID2, "affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>" }, 2, { 0 } };
	layout_context *ctx = layout_context_new();
	layout_propagation *propagation = propagate(ctx, &reduction, first);

	(void)state;
	assert_non_null(propagation);
	check_operation(ctx, &reduction, propagation, (int64_t[]){ 2, 2, 8, 4 }, 4);
	assert_null(layout_propagation_map(propagation, 2));
	assert_string_equal(layout_context_message(ctx),
		"there is no operand 2, the operation has 2");
	layout_context_clear(ctx);
	assert_null(layout_propagation_encoding(propagation, 2));
	layout_context_clear(ctx);
	layout_propagation_free(propagation);
	assert_null(propagate(ctx, &reduction, both));
	layout_context_clear(ctx);
	propagation = propagate(ctx, &symbols, NULL);
	if (!propagation)
		fail_msg("%s", layout_context_message(ctx));
	expect_map(layout_propagation_map(propagation, 1),
		"affine_map<(d0, d1, d2)[s0] -> (d0 + s0, d1, d2)>");
	layout_propagation_free(propagation);
	assert_null(layout_encoding_propagate(NULL, NULL));
	layout_propagation_free(NULL);
	assert_null(layout_propagation_map(NULL, 0));
	assert_null(layout_propagation_index(NULL));
	assert_int_equal(layout_propagation_loops(NULL), 0);
	assert_true(layout_context_free(ctx));
}

/* What a target wants for an operand behind a chain of maps is what its encoding of the
 * operand itself becomes when it is pushed through the maps. */

static layout_encoding *resolve(layout_context *ctx, const char *target, unsigned operand,
	const char *chain)
{
	static const char *const maps[] = { "affine_map<(b, m, n, k) -> (b, m, k)>",
		"affine_map<(b, m, n, k) -> (b, k, n)>",
		"affine_map<(b, m, n, k) -> (b, m, n)>" };
	char text[1024];
	layout_operand *encoding;
	layout_resolution *resolution;
	layout_encoding *resolved;

	snprintf(text, sizeof(text), "encoding<operand_index = %u, op_type = matmul, "
		"element_types = [f16, f16, f32], user_indexing_maps = [", operand);
	for (unsigned i = 0; i < 3; i++)
		sprintf(text + strlen(text), "%s[%s%s%s]", i ? ", " : "", maps[i],
			i == operand ? ", " : "", i == operand ? chain : "");
	strcat(text, "]>");
	encoding = layout_operand_parse(ctx, text);
	resolution = layout_encoding_resolve(encoding,
		layout_tiling_target_find(ctx, target), LAYOUT_RESOLVER_DATA_TILING);
	resolved = layout_resolution_encoding(resolution);
	if (!resolved)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	layout_resolution_free(resolution);
	layout_operand_free(encoding);
	return resolved;
}

/* Consumes both. */
static void expect_same_memory(layout_encoding *a, layout_encoding *b, unsigned rank)
{
	static const char *const sizes[] = { "A", "B", "C" };
	char *left = layout_encoding_str(a), *right = layout_encoding_str(b);
	layout_remap *remap = layout_remap_new(layout_storage_packed(a, rank, sizes),
		layout_storage_packed(b, rank, sizes), "i8", NULL);

	if (layout_remap_is_identity(remap) != LAYOUT_YES)
		fail_msg("%s is not %s", left, right);
	layout_remap_free(remap);
	free(left);
	free(right);
}

static void check_chain(layout_context *ctx, const char *target, unsigned operand,
	const char *map, unsigned rank)
{
	const char *maps[] = { ID3, map, ID3 };
	layout_user_desc desc = LAYOUT_USER_DESC_INIT;
	layout_encoding *root = resolve(ctx, target, operand, ID3);
	layout_propagation *propagation;

	desc.operand_count = 3;
	desc.maps = maps;
	propagation = layout_encoding_propagate(root, &desc);
	expect_same_memory(layout_propagation_encoding(propagation, 1),
		resolve(ctx, target, operand, map), rank);
	layout_propagation_free(propagation);
	layout_encoding_free(root);
}

static void chains(void **state)
{
	static const char *const targets[] = { "gfx908", "gfx942", "gfx950", "gfx1100",
		"gfx1200", "gfx1250" };
	static const struct {
		const char *results;
		unsigned rank;
	} maps[] = {
		{ "d0, d1", 2 }, { "d0, d2", 2 }, { "d1, d2", 2 }, { "d2, d1", 2 },
		{ "d0", 1 }, { "d1", 1 }, { "d2", 1 }, { "d2, d0, d1", 3 },
		{ "d1, d2, d0", 3 }, { "d0, d2, d1", 3 }, { "d2, d0", 2 },
	};
	layout_context *ctx = layout_context_new();
	char text[128];

	(void)state;
	for (size_t t = 0; t < sizeof(targets) / sizeof(*targets); t++)
		for (unsigned operand = 0; operand < 3; operand++)
			for (size_t m = 0; m < sizeof(maps) / sizeof(*maps); m++) {
				sprintf(text, "affine_map<(d0, d1, d2) -> (%s)>",
					maps[m].results);
				check_chain(ctx, targets[t], operand, text,
					maps[m].rank);
			}
	assert_true(layout_context_free(ctx));
}

/* Random operations */

static void shuffle(uint64_t *seed, unsigned *list, unsigned count)
{
	for (unsigned i = count; i > 1; i--) {
		unsigned k = random_below(seed, i), held = list[i - 1];

		list[i - 1] = list[k];
		list[k] = held;
	}
}

/* Some of the loops, in any order, as a map. */
static void random_map(uint64_t *seed, unsigned loops, bool all, char *text)
{
	unsigned order[RANK], count = all ? loops : random_below(seed, loops + 1);

	for (unsigned l = 0; l < loops; l++)
		order[l] = l;
	shuffle(seed, order, loops);
	strcpy(text, "affine_map<(");
	for (unsigned l = 0; l < loops; l++)
		sprintf(text + strlen(text), "%sd%u", l ? ", " : "", l);
	strcat(text, ") -> (");
	for (unsigned d = 0; d < count; d++)
		sprintf(text + strlen(text), "%sd%u", d ? ", " : "", order[d]);
	strcat(text, ")>");
}

static void random_list(char *text, const char *name, const unsigned *list, unsigned count)
{
	sprintf(text + strlen(text), "%s = [", name);
	for (unsigned i = 0; i < count; i++)
		sprintf(text + strlen(text), "%s%u", i ? ", " : "", list[i]);
	strcat(text, "]");
}

/* Tiles of some dimensions, each of one to three parts. */
static void random_encoding(uint64_t *seed, unsigned rank, char *text)
{
	unsigned dims[RANK], perm[RANK], tiles[RANK], parts[RANK], part_count = 0;
	unsigned tiled = random_below(seed, (rank > 2 ? 2 : rank) + 1);
	char groups[1024] = "";

	for (unsigned d = 0; d < rank; d++)
		dims[d] = perm[d] = d;
	shuffle(seed, dims, rank);
	shuffle(seed, perm, rank);
	for (unsigned i = 0; i < tiled; i++) {
		unsigned count = 1 + random_below(seed, 3);

		strcat(groups, i ? ", [" : "[");
		tiles[i] = 1;
		for (unsigned k = 0; k < count; k++) {
			unsigned size = 1 + random_below(seed, 4);

			tiles[i] *= size;
			parts[part_count] = part_count;
			part_count++;
			sprintf(groups + strlen(groups), "%s[\"Internal\", %u : i16]",
				k ? ", " : "", size);
		}
		strcat(groups, "]");
	}
	shuffle(seed, parts, part_count);
	strcpy(text, "encoding_info<{");
	random_list(text, "innerDimsPos", dims, tiled);
	random_list(text, ", innerTileSizes", tiles, tiled);
	random_list(text, ", outerDimsPerm", perm, rank);
	if (random_below(seed, 4)) {
		sprintf(text + strlen(text), ", swizzle = {expandShape = [%s]", groups);
		random_list(text, ", permutation", parts, part_count);
		strcat(text, "}");
	}
	strcat(text, "}>");
}

/* The extents of the packed loops: those of the memory of operand i, which all loops
 * index, in the order that its map says. */
static unsigned packed_box(layout_context *ctx, const struct operation *operation,
	layout_propagation *propagation, unsigned i, int64_t box[RANK])
{
	struct table map = table_of(ctx, read_map(ctx, operation->maps[i]),
		operation->sizes, operation->loops), storage;
	layout_relation *packed = layout_propagation_map(propagation, i);
	char *text = layout_relation_affine_map_str(packed), *at = strstr(text, "->");
	int64_t shape[RANK], memory[LAYOUT_STORAGE_SLOTS];
	unsigned rank = tensor_shape(&map, shape), memory_rank;

	storage = pack(ctx, layout_propagation_encoding(propagation, i), shape, rank,
		memory, &memory_rank);
	assert_int_equal(memory_rank, layout_propagation_loops(propagation));
	for (unsigned k = 0; k < memory_rank; k++) {
		at = strchr(at, 'd') + 1;
		box[strtoul(at, NULL, 10)] = memory[k];
	}
	free(map.images);
	free(storage.images);
	free(text);
	layout_relation_free(packed);
	return memory_rank;
}

static void random_operations(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned n = 0; n < RANDOM_OPERATIONS; n++) {
		struct operation operation = { .count = 4, .loops = 1 +
			random_below(&seed, 3) };
		char maps[4][256], encoding[2048];
		int64_t box[RANK] = { 0 };
		layout_propagation *propagation;
		layout_relation *map;
		unsigned rank;

		for (unsigned i = 0; i < 4; i++) {
			random_map(&seed, operation.loops, i == 3, maps[i]);
			operation.maps[i] = maps[i];
		}
		for (unsigned l = 0; l < operation.loops; l++)
			operation.sizes[l] = 1 + random_below(&seed, 9);
		operation.encoded = random_below(&seed, 4);
		map = read_map(ctx, maps[operation.encoded]);
		random_encoding(&seed, layout_relation_out_rank(map), encoding);
		layout_relation_free(map);
		operation.encoding = encoding;
		propagation = propagate(ctx, &operation, NULL);
		if (!propagation)
			fail_msg("%s", layout_context_message(ctx));
		rank = packed_box(ctx, &operation, propagation, 3, box);
		check_operation(ctx, &operation, propagation, box, rank);
		layout_propagation_free(propagation);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations),
		cmocka_unit_test(vectors),
		cmocka_unit_test(refused),
		cmocka_unit_test(details),
		cmocka_unit_test(chains),
		cmocka_unit_test(random_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
