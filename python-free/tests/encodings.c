/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The published vectors of data tiling: encodings, their full swizzles, and the choice
 * of instruction and tile. */
#include "algebra/storage/encoding.h"
#include "algebra/tiling/resolution.h"
#include "algebra/tiling/swizzle.h"
#include "support/append.h"
#include "support/encoding_rows.h"
#include "support/vector_texts.h"
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define VECTORS TEST_DATA_DIR "/vectors/"
#define LINE 2048
#define ROWS 120
#define COLUMNS 15
#define TEXT 1024

/* The lines of a file that are no comments, split at the tabs. */
struct table {
	unsigned count;
	char lines[ROWS][LINE];
	const char *cells[ROWS][COLUMNS];
};

/* Columns of encodings_swizzles.tsv. */
enum {
	S_ID, S_OPERAND, S_POSITIONS, S_TILES, S_OUTER, S_EXPAND, S_PERMUTATION, S_PACKED,
	S_INSTRUCTION, S_REPEATS,
};

/* Columns of encoding_choice.tsv. */
enum { C_TARGET, C_TYPES, C_SIZES, C_INSTRUCTION, C_REPEATS, C_TILE = C_REPEATS + 6 };

static struct table swizzles, choices;

static void read_table(struct table *table, const char *path)
{
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	while (table->count < ROWS && fgets(table->lines[table->count], LINE, file)) {
		char *line = table->lines[table->count];

		line[strcspn(line, "\n")] = 0;
		if (!*line || *line == '#')
			continue;
		for (unsigned i = 0; i < COLUMNS; i++) {
			const char *cell = strsep(&line, "\t");

			table->cells[table->count][i] = cell ? cell : "";
		}
		table->count++;
	}
	assert_true(feof(file));
	fclose(file);
}

static int read_tables(void **state)
{
	(void)state;
	read_table(&swizzles, VECTORS "encodings_swizzles.tsv");
	read_table(&choices, VECTORS "encoding_choice.tsv");
	return 0;
}

static bool is_given(const char *cell)
{
	return *cell && strcmp(cell, "-") != 0;
}

/* The text becomes the parts of a list; how many. */
static unsigned split(char *text, const char *separator, char **parts, unsigned limit)
{
	unsigned count = 0;

	while (is_given(text ? text : "")) {
		assert_true(count < limit);
		parts[count++] = strsep(&text, separator);
	}
	return count;
}

/* The row's operand, in the type of its tensor where the row has one. */
static layout_operand *row_operand(layout_context *ctx, const struct encoding_row *row)
{
	char encoding[ENCODING_TEXT], text[ENCODING_TEXT + TEXT];

	encoding_row_text(row, encoding);
	if (is_given(row->fields[ROW_SHAPE]))
		snprintf(text, sizeof(text), "tensor<%sx%s, %s>", row->fields[ROW_SHAPE],
			row->fields[ROW_ELEMENT], encoding);
	else
		snprintf(text, sizeof(text), "%s", encoding);
	return layout_operand_parse(ctx, text);
}

/* The row's target with what the row replaces in it. */
static layout_tiling_target row_target(layout_context *ctx,
	const struct encoding_row *row)
{
	static char text[LINE];
	static char *instructions[64];
	layout_tiling_target target = *layout_tiling_target_find(ctx,
		row->fields[ROW_TARGET]);
	char *parts[8];
	unsigned count;

	snprintf(text, sizeof(text), "%s", row->fields[ROW_OVERRIDES]);
	count = split(text, ",", parts, 8);
	for (unsigned i = 0; i < count; i++) {
		char *value = parts[i], *key = strsep(&value, "=");

		if (!strcmp(key, "load"))
			target.max_load_bits = (unsigned)atoi(value);
		else if (!strcmp(key, "simds"))
			target.simds = (unsigned)atoi(value);
		else if (!strcmp(key, "vgpr"))
			target.vgpr_bits = (unsigned)atoi(value);
		else if (!strcmp(key, "lds"))
			target.lds_bytes = (unsigned)atoi(value);
		else if (!strcmp(key, "mma"))
			instructions[split(value, "+", instructions, 63)] = NULL;
		else
			fail_msg("%s", key);
		if (!strcmp(key, "mma"))
			target.instructions = (const char *const *)instructions;
	}
	return target;
}

/* A text to return. */
struct text {
	char at[TEXT];
};

static struct text join(const int64_t *list, unsigned count, const char *separator)
{
	struct text text = { 0 };

	for (unsigned i = 0; i < count; i++)
		append_text(text.at, TEXT, "%s%" PRId64, i ? separator : "", list[i]);
	return text;
}

/* "T2*2,X4,T16/X4,T4" */
static struct text groups_of(const layout_encoding *encoding)
{
	const layout_encoding_dim *dim = encoding->dims;
	struct text text = { 0 };

	for (unsigned i = 0; encoding->group_sizes && i < encoding->inner_count; i++)
		for (unsigned k = 0; k < encoding->group_sizes[i]; k++, dim++) {
			append_text(text.at, TEXT, "%s%c%" PRId64, k ? "," : i ? "/" : "",
				"ITX"[dim->kind], dim->size);
			if (dim->factor > 1)
				append_text(text.at, TEXT, "*%" PRId64, dim->factor);
		}
	return text;
}

/* The packed shape with one number, then another for each size that is not known: what
 * differs is "?". */
static struct text packed_shape(layout_encoding *encoding, const char *shape)
{
	int64_t memory[2][LAYOUT_STORAGE_SLOTS];
	static const char *const names[] = { "D0", "D1", "D2", "D3" };
	const char *sizes[4];
	struct text text = { 0 };
	char copy[TEXT], *parts[4];
	unsigned rank;
	int slots = 0;

	snprintf(copy, TEXT, "%s", shape);
	rank = split(copy, "x", parts, 4);
	for (unsigned d = 0; d < rank; d++)
		sizes[d] = *parts[d] == '?' ? names[d] : parts[d];
	for (unsigned which = 0; which < 2; which++) {
		layout_storage *storage = layout_storage_packed(
			layout_encoding_copy(encoding), rank, sizes);
		layout_size values[4];
		const char *name;
		unsigned count = 0;

		assert_non_null(storage);
		for (; (name = layout_storage_size_name(storage, count)); count++)
			values[count] = (layout_size){ name, which ? 70000 : 5000 };
		slots = layout_storage_memory_shape(storage, values, count,
			memory[which]);
		layout_storage_free(storage);
	}
	for (int i = 0; i < slots; i++)
		if (memory[0][i] == memory[1][i])
			append_text(text.at, TEXT,
				"%s%" PRId64, i ? "x" : "", memory[0][i]);
		else
			append_text(text.at, TEXT, "%s?", i ? "x" : "");
	return text;
}

/* The shape before the transposition: the outer dimensions, then the parts in order. */
static struct text expanded_shape(layout_encoding *encoding, const struct text *packed)
{
	struct text text = { 0 };
	const char *end = packed->at;

	for (unsigned i = 0; i < encoding->outer_count; i++)
		end += strcspn(end, "x") + 1;
	append_text(text.at, TEXT, "%.*s", (int)(end - packed->at), packed->at);
	for (unsigned i = 0; i < encoding->dim_count; i++)
		append_text(text.at, TEXT,
			"%s%" PRId64, i ? "x" : "", encoding->dims[i].size);
	return text;
}

/* The transposition to the packed order, or back from it. */
static struct text transposition(const layout_encoding *encoding, bool back)
{
	int64_t list[2][64];
	unsigned outer = encoding->outer_count;

	for (unsigned i = 0; i < outer; i++)
		list[0][i] = list[1][i] = i;
	for (unsigned i = 0; i < encoding->dim_count; i++) {
		list[0][outer + i] = encoding->permutation[i] + outer;
		list[1][encoding->permutation[i] + outer] = outer + i;
	}
	return join(list[back], outer + encoding->dim_count, ",");
}

static void expect(const char *stated, struct text found)
{
	if (is_given(stated))
		assert_string_equal(found.at, stated);
}

/* "[0,1]" for bits 0 and 1 */
static struct text bits(unsigned set)
{
	struct text text = { 0 };

	append_text(text.at, TEXT, "[");
	for (unsigned i = 0; set >> i; i++)
		if (set >> i & 1)
			append_text(text.at, TEXT, "%s%u", text.at[1] ? "," : "", i);
	append_text(text.at, TEXT, "]");
	return text;
}

static void check_mma(const char *const *cells, const layout_tiled_mma *mma)
{
	const int64_t repeats[] = { mma->intrinsics_m, mma->subgroups_m,
		mma->intrinsics_n, mma->subgroups_n, mma->intrinsics_k,
		mma->subgroups_k };

	if (!is_given(cells[0]))
		return;
	assert_string_equal(mma->instruction, cells[0]);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(repeats[i], atoi(cells[i + 1]));
}

/* What the row of encodings.tsv states. */
static void check_stated(const struct encoding_row *row, layout_encoding *encoding,
	const layout_tiled_mma *mma)
{
	const char *const *fields = row->fields;
	struct text packed = packed_shape(encoding, fields[ROW_SHAPE]);

	expect(fields[ROW_OUTER_PERM], join(encoding->outer_dims_perm,
		encoding->outer_count, ","));
	expect(fields[ROW_INNER_POS], join(encoding->inner_dims_pos,
		encoding->inner_count, ","));
	expect(fields[ROW_INNER_TILES], join(encoding->inner_tiles,
		encoding->inner_count, ","));
	expect(fields[ROW_PACKED], packed);
	if (is_given(fields[ROW_EXPANDED]))
		expect(fields[ROW_EXPANDED], expanded_shape(encoding, &packed));
	if (is_given(fields[ROW_PERM]))
		expect(fields[ROW_PERM], transposition(encoding,
			!strcmp(fields[ROW_KIND], "unset")));
	if (!is_given(fields[ROW_INTRINSIC]))
		return;
	check_mma(&fields[ROW_INTRINSIC], mma);
	expect(fields[ROW_INTERLEAVE_M], bits(mma->interleave_m));
	expect(fields[ROW_INTERLEAVE_N], bits(mma->interleave_n));
	expect(fields[ROW_INTERLEAVE_K], bits(mma->interleave_k));
}

/* What its row of encodings_swizzles.tsv states. */
static void check_swizzle(const char *const *cells, const char *shape,
	layout_encoding *encoding, const layout_tiled_mma *mma)
{
	assert_string_equal(join(encoding->inner_dims_pos, encoding->inner_count,
		",").at, cells[S_POSITIONS]);
	assert_string_equal(join(encoding->inner_tiles, encoding->inner_count, ",").at,
		cells[S_TILES]);
	assert_string_equal(join(encoding->outer_dims_perm, encoding->outer_count,
		",").at, cells[S_OUTER]);
	assert_string_equal(groups_of(encoding).at, cells[S_EXPAND]);
	assert_string_equal(join(encoding->permutation, encoding->dim_count, ",").at,
		cells[S_PERMUTATION]);
	if (is_given(cells[S_TILES])) {
		assert_string_equal(packed_shape(encoding, shape).at, cells[S_PACKED]);
		check_mma(&cells[S_INSTRUCTION], mma);
	}
}

/* A kernel of the row's own replaces the choice: what it repeats is the swizzles' row. */
static bool is_given_kernel(const struct encoding_row *row)
{
	return strstr(row->fields[ROW_ID], "_ukernel_provider") ||
		strstr(row->fields[ROW_ID], "m32_medium_ukernel_match");
}

static layout_encoding *encode_kernel(layout_operand *operand, const char *const *cells,
	layout_tiled_mma *mma)
{
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	int64_t inner[SWIZZLE_GROUPS], outer[TILING_LOOPS];
	struct tiling_contraction contraction;
	struct swizzle_lists lists;
	struct tile_swizzle swizzle;
	const char *why;
	layout_mma *lhs = layout_mma_find(operand->ctx, cells[S_INSTRUCTION],
		LAYOUT_MMA_LHS, "gfx942");

	assert_non_null(lhs);
	*mma = (layout_tiled_mma){ cells[S_INSTRUCTION], atoi(cells[S_REPEATS]),
		atoi(cells[S_REPEATS + 1]), atoi(cells[S_REPEATS + 2]),
		atoi(cells[S_REPEATS + 3]), atoi(cells[S_REPEATS + 4]),
		atoi(cells[S_REPEATS + 5]), .interleave_k = 3 };
	assert_true(operand_contraction(operand, &contraction, &why));
	assert_true(swizzle_of_mma(operand->ctx, lhs->row, operand_role(operand),
		operand->index, mma, &swizzle));
	swizzle_describe(&swizzle, &lists, &desc);
	for (unsigned i = 0; i < swizzle.group_count; i++)
		inner[i] = contraction.tensor_dims[swizzle.loops[i]];
	for (unsigned loop = 0; loop < TILING_LOOPS; loop++)
		if (contraction.tensor_dims[loop] >= 0)
			outer[desc.outer_count++] = contraction.tensor_dims[loop];
	desc.inner_dims_pos = inner;
	desc.outer_dims_perm = outer;
	layout_mma_free(lhs);
	return layout_encoding_new(operand->ctx, &desc);
}

/* The test's context, and the swizzles that have been found. */
struct state {
	layout_context *ctx;
	bool taken[ROWS];
	unsigned resolved, with_swizzle, written;
};

/* The row's full swizzle, which is the next one that has not been taken. */
static const char *const *find_swizzle(const struct encoding_row *row,
	struct state *state)
{
	for (unsigned i = 0; i < swizzles.count; i++) {
		const char *const *cells = swizzles.cells[i];

		if (state->taken[i] || strcmp(cells[S_ID], row->fields[ROW_ID]) ||
				strcmp(cells[S_OPERAND], row->fields[ROW_OPERAND]))
			continue;
		state->taken[i] = true;
		return cells;
	}
	return NULL;
}

static bool is_written(const struct encoding_row *row)
{
	return !strcmp(row->fields[ROW_OVERRIDES], "explicit_layout");
}

static void check_row(const struct encoding_row *row, void *user)
{
	struct state *state = user;
	layout_tiled_mma mma = { 0 };
	const char *const *swizzle;
	layout_operand *operand;
	layout_tiling_target target;
	layout_resolution *resolution;
	layout_encoding *encoding;

	if (is_written(row))
		return;
	print_message("%s, operand %s\n", row->fields[ROW_ID], row->fields[ROW_OPERAND]);
	swizzle = find_swizzle(row, state);
	operand = row_operand(state->ctx, row);
	target = row_target(state->ctx, row);
	resolution = layout_encoding_resolve(operand, &target,
		LAYOUT_RESOLVER_DATA_TILING);
	encoding = layout_resolution_encoding(resolution);
	if (!encoding)
		fail_msg("%s", layout_context_message(state->ctx));
	if (layout_resolution_mma(resolution))
		mma = *layout_resolution_mma(resolution);
	if (is_given_kernel(row)) {
		layout_encoding_free(encoding);
		encoding = encode_kernel(operand, swizzle, &mma);
		assert_non_null(encoding);
	}
	if (is_given(row->fields[ROW_SHAPE]))
		check_stated(row, encoding, &mma);
	if (swizzle)
		check_swizzle(swizzle, row->fields[ROW_SHAPE], encoding, &mma);
	state->resolved++;
	state->with_swizzle += swizzle != NULL;
	layout_encoding_free(encoding);
	layout_resolution_free(resolution);
	layout_operand_free(operand);
}

static void test_encodings(void **unused)
{
	struct state state = { .ctx = layout_context_new() };

	(void)unused;
	assert_int_equal(each_encoding_row(check_row, &state), 78);
	assert_int_equal(state.resolved, 77);
	assert_int_equal(state.with_swizzle, swizzles.count);
	assert_int_equal(swizzles.count, 73);
	layout_context_free(state.ctx);
}

/* The one encoding that is written out. */
static void check_written(const struct encoding_row *row, void *user)
{
	struct state *state = user;
	layout_encoding *encoding;

	if (!is_written(row))
		return;
	encoding = layout_encoding_parse(state->ctx,
		"#iree_encoding.layout<[#iree_gpu.gpu_encoding_resolver<configuration = "
		"{encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [128, 16], "
		"outerDimsPerm = [0, 1]}}>]>");
	assert_non_null(encoding);
	check_stated(row, encoding, NULL);
	layout_encoding_free(encoding);
	state->written++;
}

static void test_written(void **unused)
{
	struct state state = { .ctx = layout_context_new() };

	(void)unused;
	each_encoding_row(check_written, &state);
	assert_int_equal(state.written, 1);
	layout_context_free(state.ctx);
}

/* An operand of a matmul of M x N, "1x4096", and the layout that it gets. */
static layout_resolution *resolve_choice(layout_context *ctx, const char *const *cells,
	unsigned index)
{
	char text[TEXT] = "";
	layout_operand *operand;
	layout_resolution *resolution;

	choice_operand_text(cells[C_TYPES], cells[C_SIZES], index, text, TEXT);
	operand = layout_operand_parse(ctx, text);
	resolution = layout_encoding_resolve(operand,
		layout_tiling_target_find(ctx, cells[C_TARGET]),
		LAYOUT_RESOLVER_DATA_TILING);
	layout_operand_free(operand);
	return resolution;
}

/* The chosen instruction and the tiles of an operand. */
static void check_choice(layout_context *ctx, const char *const *cells, unsigned index)
{
	layout_resolution *resolution = resolve_choice(ctx, cells, index);
	layout_encoding *encoding = layout_resolution_encoding(resolution);
	int m, n, k;

	assert_non_null(encoding);
	check_mma(&cells[C_INSTRUCTION], layout_resolution_mma(resolution));
	assert_int_equal(sscanf(cells[C_TILE], "%dx%dx%d", &m, &n, &k), 3);
	assert_int_equal(encoding->inner_tiles[0], index == 1 ? n : m);
	assert_int_equal(encoding->inner_tiles[1], index == 2 ? n : k);
	layout_encoding_free(encoding);
	layout_resolution_free(resolution);
}

static void test_choice(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_int_equal(choices.count, 108);
	for (unsigned i = 0; i < choices.count; i++) {
		print_message("%s %s\n", choices.cells[i][C_TYPES],
			choices.cells[i][C_SIZES]);
		for (unsigned index = 0; index < 3; index++)
			check_choice(ctx, choices.cells[i], index);
	}
	layout_context_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_choice),
	};

	return cmocka_run_group_tests(tests, read_tables, NULL);
}
