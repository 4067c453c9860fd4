/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations that are packed storages are seen to be, with their encoding. */
#include "support/append.h"
#include "support/encoding_rows.h"
#include "support/layout_model.h"
#include "support/random.h"
#include "support/share.h"
#include "support/storage_model.h"
#include "support/vector_texts.h"

#include <layout/layout.h>

#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define PLAIN(dims, tiles, outer, sizes) \
	"packed(encoding_info<{innerDimsPos = [" dims "], innerTileSizes = [" tiles "], " \
	"outerDimsPerm = [" outer "]}>, [" sizes "])"
#define SPLIT(dims, tiles, outer, parts, order, sizes) \
	"packed(encoding_info<{innerDimsPos = [" dims "], innerTileSizes = [" tiles "], " \
	"outerDimsPerm = [" outer "], swizzle = {expandShape = [" parts "], " \
	"permutation = [" order "]}}>, [" sizes "])"
#define PART(size) "[\"Internal\", " #size " : i16]"

static const struct {
	const char *relation, *storage;
} good[] = {
	{ "{ [] -> [] }", PLAIN("", "", "", "") },
	{ "{ [i] -> [i] : 0 <= i < 7 }", PLAIN("", "", "0", "7") },
	{ "[M, K] -> { logical[i, j] -> cell[i, j] : 0 <= i < M and 0 <= j < K }",
		PLAIN("", "", "0, 1", "M, K") },
	{ "[M, K] -> { a[i, j] -> b[j, i] : 0 <= i < M and 0 <= j < K }",
		PLAIN("", "", "1, 0", "M, K") },
	{ "[M] -> { [i] -> [floor(i/128), i mod 128] : 0 <= i < M + 3 }",
		PLAIN("0", "128", "0", "M + 3") },
	{ "[M] -> { [i] -> [a, b] : 0 <= i < 128M and i = 12a + b and 0 <= b < 12 }",
		PLAIN("0", "12", "0", "128*M") },
	{ "[M] -> { [i, j] -> [floor(j/3), i, j mod 3, 0] : 0 <= i < M and 0 <= j < 7 }",
		PLAIN("1, 0", "3, 1", "1, 0", "M, 7") },
	{ "[M] -> { [i] -> [floor(i/8), i mod 2, floor(i/2) mod 4] : 0 <= i < M }",
		SPLIT("0", "8", "0", "[" PART(4) ", " PART(2) "]", "1, 0", "M") },
	{ "{ [i] -> [0, i mod 2, floor(i/2)] : 0 <= i < 7 }",
		SPLIT("0", "8", "0", "[" PART(4) ", " PART(2) "]", "1, 0", "7") },
	{ "{ [i] -> [0, i] : 0 <= i < 9 }", PLAIN("0", "9", "0", "9") },
	{ "{ [i, j] -> [0, j] : 0 <= i < 1 and 0 <= j < 9 }",
		PLAIN("", "", "0, 1", "1, 9") },
	{ "[M] -> { [i] -> [floor(i/4), 0, i mod 4] : 0 <= i < M }",
		SPLIT("0", "4", "0", "[" PART(1) ", " PART(4) "]", "0, 1", "M") },
	{ "[M] -> { [[i] -> [j]] -> [j, i] : 0 <= i < M and 0 <= j < 3 }",
		PLAIN("", "", "1, 0", "M, 3") },
	{ "[M] -> { [i] -> [i mod 4 + 4*(floor(i/4) mod 2) + 8*floor(i/8)] : "
		"0 <= i < M }", PLAIN("", "", "0", "M") },
	{ "[M] -> { [i] -> [i + floor(floor(i/2)/2) - floor(i/4)] : 0 <= i < M }",
		PLAIN("", "", "0", "M") },
	{ "{ [i] -> [i] : 0 <= i < 5000000000 }", PLAIN("", "", "0", "5000000000") },
	{ "[M] -> { [i, j, k, l] -> [l, k, j, floor(i/5), i mod 5] : 0 <= i < M and "
		"0 <= j < 2M and 0 <= k < 3 and 0 <= l < floor((M + 1)/2) }",
		PLAIN("0", "5", "3, 2, 1, 0", "M, 2*M, 3, ceil(M/2)") },
	/* floors of several coordinates, in a box where one decides */
	{ "{ [i, j, k] -> [floor((12i + j + 3k)/12), j, k] : 0 <= i < 2 and 0 <= j < 3 "
		"and 0 <= k < 4 }", PLAIN("", "", "0, 1, 2", "2, 3, 4") },
	{ "{ [i] -> [floor((5i)/9), i mod 2] : 0 <= i < 9 }",
		PLAIN("0", "2", "0", "9") },
	{ "{ [i, j] -> [floor((8i + j)/64), j, floor((8i + j)/8) mod 8] : 0 <= i < 20 "
		"and 0 <= j < 8 }", PLAIN("0", "8", "0, 1", "20, 8") },
};

static const struct {
	const char *relation, *reason;
} bad[] = {
	{ "{ [i, j] -> [floor((5i + j)/9), i] : 0 <= i < 9 and 0 <= j < 5 }",
		"cell coordinate 0 is i0 - ceil((4*i0 - i1)/9), no digit" },
	{ "{ [i] -> [i mod 2 + 3*floor(i/2)] : 0 <= i < 4 }",
		"no digit of one dimension" },
	{ "{ [i, j] -> [i, 3i + j] : 0 <= i < 4 and 0 <= j < 3 }",
		"cell coordinate 1 is 3*i0 + i1, no digit of one dimension" },
	{ "{ [i, j] -> [3i + j] : 0 <= i < 4 and 0 <= j < 3 }",
		"1 cell coordinate for 2 dimensions" },
	{ "[M] -> { [i] -> [i + M] : 0 <= i < M }",
		"cell coordinate 0 is i0 + M, no digit" },
	{ "{ [i] -> [i mod 4, floor(i/4)] : 0 <= i < 16 }",
		"cell coordinate 0 is i0 mod 4, a digit inside of a tile, but the first "
		"1 of an encoding count tiles" },
	{ "[M] -> { [i, j] -> [floor(i/4), i mod 4, j] : 0 <= i < M and 0 <= j < M }",
		"cell coordinate 1 is i0 mod 4, a digit inside of a tile" },
	{ "[M] -> { [i, j] -> [floor(i/4), i mod 4, j] : 0 <= i < 4 and 0 <= j < M }",
		"none of the first 2 cell coordinates counts tiles of i1" },
	{ "[M] -> { [i] -> [floor(i/4), i] : 0 <= i < M }",
		"cell coordinate 1 is i0, without end" },
	{ "[M] -> { [i, j] -> [i, i, j] : 0 <= i < M and 0 <= j < 3 }",
		"cell coordinates 0 and 1 are both of i0" },
	{ "[M] -> { [i] -> [floor(i/8), i mod 4] : 0 <= i < M }",
		"cell coordinate 0 is floor(i0/8), but those behind the first 1 have "
		"i0 mod 4" },
	{ "[M] -> { [i] -> [floor(i/8), i mod 2, floor(i/4) mod 2] : 0 <= i < M }",
		"cell coordinate 2 is floor(i0/4) mod 2, but the digits of i0 below it "
		"are i0 mod 2" },
	{ "[M] -> { [i] -> [0, i mod 2] : 0 <= i < M }",
		"none of the first 1 cell coordinates counts tiles of i0" },
	{ "{ [i] -> [0, i mod 2] : 0 <= i < 8 }",
		"those behind the first 1 have i0 mod 2" },
	{ "{ [] -> [0] }", "1 cell coordinate of no dimension at all" },
	{ "{ [i] -> [i] : i >= 0 }", "input coordinate 0 has no end" },
	{ "{ [i, j] -> [j, i] : 0 <= i mod 2147483648 < 4 }", "input coordinate 0 has no end" },
	{ "{ [i, j] -> [j, i] : 0 <= i < j }", "input coordinate 0 has no end" },
	{ "[M, N] -> { [i] -> [i] : 0 <= i < M and i < N }",
		"input coordinate 0 has no size that is one expression of names" },
	{ "[M] -> { [i] -> [i] : 2 <= i < M }",
		"the inputs are no box from 0 on: M = 1: (0)" },
	{ "{ [i, j] -> [i, j] : 0 <= i < 4 and 0 <= j <= i }",
		"the inputs are no box from 0 on: (0, 1)" },
	{ "[M] -> { [i] -> [i] : 0 <= i < M and M >= 5 }",
		"the inputs are no box from 0 on: M = 1: (0)" },
	{ "{ [i] -> [j] : 0 <= i < 4 and 0 <= j < 2 }",
		"one index has two cells: (0), (1)" },
	{ "{ [i] -> [i] : 1 = 0 }", "the relation is empty" },
};

static void recognised(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		layout_relation *relation = layout_relation_read(ctx, good[i].relation);
		layout_storage *storage = layout_storage_from_relation(relation);
		char *text = layout_storage_str(storage);

		if (!text || strcmp(text, good[i].storage))
			fail_msg("%s: %s, %s", good[i].relation, text ? text : "none",
				layout_context_message(ctx));
		layout_string_free(text);
		layout_storage_free(storage);
		layout_relation_free(relation);
	}
	assert_true(layout_context_free(ctx));
}

static void refused(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		layout_relation *relation = layout_relation_read(ctx, bad[i].relation);

		assert_non_null(relation);
		if (layout_storage_from_relation(relation) ||
		    layout_context_error(ctx) != LAYOUT_ERROR_NO_ANSWER ||
		    !strstr(layout_context_message(ctx), bad[i].reason))
			fail_msg("%s: %s", bad[i].relation, layout_context_message(ctx));
		layout_context_clear(ctx);
		layout_relation_free(relation);
	}
	assert_null(layout_storage_from_relation(NULL));
	assert_true(layout_context_free(ctx));
}

/* The storage that the relation of storage "written" is, or with "printed" the same read
 * from its text. */
static layout_storage *there_and_back(layout_context *ctx, const char *written,
	bool printed)
{
	layout_storage *storage = layout_storage_parse(ctx, written), *found;
	layout_relation *relation = layout_storage_relation(storage), *back;

	if (!relation)
		fail_msg("%s: %s", written, layout_context_message(ctx));
	if (printed) {
		char *text = layout_relation_str(relation);

		layout_relation_free(relation);
		relation = layout_relation_read(ctx, text);
		layout_string_free(text);
	}
	found = layout_storage_from_relation(relation);
	if (!found)
		fail_msg("%s: %s", written, layout_context_message(ctx));
	assert_int_equal(layout_storage_get_kind(found), LAYOUT_STORAGE_PACKED);
	back = layout_storage_relation(found);
	if (layout_relation_equal(relation, back, NULL) != LAYOUT_YES)
		fail_msg("%s", written);
	layout_relation_free(back);
	layout_relation_free(relation);
	layout_storage_free(storage);
	return found;
}

/* The cell of an element by the model: outer coordinates, then digits. */
static unsigned model_cell(const struct storage_model *model, const int64_t *i,
	int64_t *cell)
{
	unsigned count = 0;

	for (unsigned k = 0; k < model->rank; k++) {
		unsigned d = model->kind == MODEL_ROW ? k :
			model->kind == MODEL_COLUMN ? model->rank - 1 - k :
			model->outer[k];

		cell[count++] = model->tile[d] ? i[d] / model->tile[d] : i[d];
	}
	for (unsigned k = 0; k < model->digit_count; k++)
		cell[count++] = i[model->digits[k].dim] / model->digits[k].step %
			model->digits[k].radix;
	return count;
}

/* At sizes "n" the storage has each element where the model has it. */
static void check_points(layout_storage *storage, const struct storage_model *model,
	const int64_t *n)
{
	static struct layout_model read;
	char *text = layout_storage_str(storage), fixed[MODEL_TEXT];
	int64_t i[MODEL_RANK] = { 0 }, cell[POINT_RANK], image[POINT_RANK];
	unsigned d, count;

	snprintf(fixed, sizeof(fixed), "%.*s}>, [", (int)(strstr(text, "}>, [") - text),
		text);
	for (d = 0; d < model->rank; d++)
		append_text(fixed, sizeof(fixed), "%s%" PRId64, d ? ", " : "", n[d]);
	append_text(fixed, sizeof(fixed), "])");
	if (!layout_model_read(fixed, &read))
		fail_msg("%s", fixed);
	assert_int_equal(read.in_rank, model->rank);
	do {
		count = model_cell(model, i, cell);
		assert_int_equal(read.out_rank, count);
		assert_true(layout_model_at(&read, i, image));
		if (memcmp(cell, image, count * sizeof(*cell)))
			fail_msg("%s", fixed);
		for (d = model->rank; d-- && ++i[d] == n[d];)
			i[d] = 0;
	} while (d != UINT_MAX);
	layout_string_free(text);
}

static void random_order(uint64_t *seed, unsigned *order, unsigned count)
{
	for (unsigned k = 0; k < count; k++) {
		unsigned at = random_below(seed, k + 1);

		order[k] = order[at];
		order[at] = k;
	}
}

static struct storage_model random_model(uint64_t *seed)
{
	static const int64_t radices[] = { 1, 2, 3, 4, 8, 16 };
	struct storage_model model = { .kind = MODEL_PACKED,
		.rank = random_below(seed, 5) };
	unsigned order[MODEL_DIGITS];

	random_order(seed, model.outer, model.rank);
	if (!random_below(seed, 6)) {
		model.kind = random_below(seed, 2) ? MODEL_ROW : MODEL_COLUMN;
		return model;
	}
	for (unsigned d = 0; d < model.rank; d++) {
		unsigned count = random_below(seed, 4);
		int64_t split[3];

		for (unsigned k = 0; k < count; k++)
			split[k] = radices[k ? 1 + random_below(seed, COUNT(radices) - 1) :
				random_below(seed, COUNT(radices))];
		if (count)
			storage_model_split(&model, d, count, split);
	}
	random_order(seed, order, model.digit_count);
	storage_model_order(&model, order);
	return model;
}

static void random_storages(void **state)
{
	static const struct {
		const char *text;
		int64_t values[3];
	} sizes[] = { { "A", { 1, 5, 19 } }, { "B", { 3, 8, 2 } }, { "1", { 1, 1, 1 } },
		{ "2*B", { 6, 16, 4 } }, { "A + 3", { 4, 8, 22 } }, { "6", { 6, 6, 6 } },
		{ "16", { 16, 16, 16 } }, { "ceil(A/2)", { 1, 3, 10 } },
		{ "7", { 7, 7, 7 } } };
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(250); i++) {
		layout_context *ctx = layout_context_new();
		struct storage_model model = random_model(&seed);
		const char *size[MODEL_RANK];
		unsigned chosen[MODEL_RANK];
		char text[MODEL_TEXT];
		layout_storage *storage;

		for (unsigned d = 0; d < model.rank; d++) {
			chosen[d] = random_below(&seed, COUNT(sizes));
			size[d] = sizes[chosen[d]].text;
		}
		storage_model_text(&model, size, text);
		storage = there_and_back(ctx, text, i % 2);
		for (unsigned k = 0; k < 3; k++) {
			int64_t n[MODEL_RANK];

			for (unsigned d = 0; d < model.rank; d++)
				n[d] = sizes[chosen[d]].values[k];
			check_points(storage, &model, n);
		}
		layout_storage_free(storage);
		assert_true(layout_context_free(ctx));
	}
}

/* packed(..) of these lists and there and back; a swizzle where "parts" is not NULL. */
static void check_encoding(const char *dims, const char *tiles, const char *outer,
	char *parts, const char *permutation)
{
	layout_context *ctx = layout_context_new();
	char text[ENCODING_TEXT] = "";

	packed_text(dims, tiles, outer, parts, permutation, text, sizeof(text));
	for (unsigned printed = 0; printed < 2; printed++)
		layout_storage_free(there_and_back(ctx, text, printed));
	assert_true(layout_context_free(ctx));
}

static void visit_row(const struct encoding_row *row, void *user)
{
	unsigned *count = user;
	const char *const *fields = row->fields;

	if (!strcmp(fields[ROW_INNER_TILES], "-") || !strcmp(fields[ROW_OUTER_PERM], "-"))
		return;
	check_encoding(fields[ROW_INNER_POS], fields[ROW_INNER_TILES],
		fields[ROW_OUTER_PERM], NULL, NULL);
	++*count;
}

static void published_tiles(void **state)
{
	unsigned count = 0;

	(void)state;
	each_encoding_row(visit_row, &count);
	assert_true(count >= 15);
}

static void published_swizzles(void **state)
{
	enum { DIMS = 2, TILES, OUTER, PARTS, PERMUTATION, COLUMNS = 16 };
	FILE *file = fopen(TEST_DATA_DIR "/vectors/encodings_swizzles.tsv", "r");
	unsigned count = 0;
	char line[2048];

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		char *rest = line, *cells[COLUMNS] = { NULL };

		for (unsigned i = 0; i < COLUMNS && rest; i++)
			cells[i] = strsep(&rest, "\t");
		if (*line == '#' || !cells[PARTS] || !*cells[PARTS])
			continue;
		check_encoding(cells[DIMS], cells[TILES], cells[OUTER], cells[PARTS],
			cells[PERMUTATION]);
		count++;
	}
	assert_true(feof(file));
	fclose(file);
	assert_true(count >= 70);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recognised),
		cmocka_unit_test(refused),
		cmocka_unit_test(random_storages),
		cmocka_unit_test(published_tiles),
		cmocka_unit_test(published_swizzles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
