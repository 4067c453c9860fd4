/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements of less than a byte, for the host and in the simulator, against a walk over
 * the logical index that sets bit after bit. */
#include "support/bit_array.h"
#include "support/random.h"
#include "support/share.h"
#include "support/storage_model.h"

#include <layout/codegen.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define GUARD 64

static uint64_t same(uint64_t value)
{
	return value;
}

static uint64_t i8_to_i4(uint64_t value)
{
	int number = (int8_t)value;

	return (uint64_t)(number < -8 ? -8 : number > 7 ? 7 : number) & 15;
}

static uint64_t i4_to_i16(uint64_t value)
{
	return value & 8 ? value | 0xfff0 : value;
}

static uint64_t u2_to_i2(uint64_t value)
{
	return value & 2 ? 1 : value;
}

static const struct {
	const char *type, *pad;
	unsigned from, to;
	uint64_t pad_bits;
	uint64_t (*convert)(uint64_t value);
} elements[] = {
	{ "i4", "-3", 4, 4, 0xd, same },
	{ "f4E2M1FN", "-0.5", 4, 4, 0x9, same },
	{ "u2", "2", 2, 2, 2, same },
	{ "f6E3M2FN", "0x2b", 6, 6, 0x2b, same },
	{ "f6E2M3FN", "1.0", 6, 6, 8, same },
	{ "i8 -> i4", "7", 8, 4, 7, i8_to_i4 },
	{ "i4 -> i16", "-300", 4, 16, 0xfed4, i4_to_i16 },
	{ "u2 -> i2", "-1", 2, 2, 3, u2_to_i2 },
};
#define ELEMENTS (sizeof(elements) / sizeof(elements[0]))

static struct storage_model plain(enum model_kind kind, unsigned rank)
{
	return (struct storage_model){ .kind = kind, .rank = rank, .stride = { 41, 1 } };
}

/* Tiles of both dimensions, the second one's split in two. */
static struct storage_model tiled(int64_t rows, int64_t first, int64_t second)
{
	struct storage_model model = { .kind = MODEL_PACKED, .rank = 2,
		.outer = { 1, 0 } };

	storage_model_split(&model, 0, 1, &rows);
	storage_model_split(&model, 1, 2, (const int64_t[]){ first, second });
	storage_model_order(&model, (const unsigned[]){ 1, 0, 2 });
	return model;
}

/* Tiles whose columns follow each other. */
static struct storage_model turned(int64_t rows, int64_t columns)
{
	struct storage_model model = { .kind = MODEL_PACKED, .rank = 2, .outer = { 0, 1 } };

	storage_model_split(&model, 0, 1, &rows);
	storage_model_split(&model, 1, 1, &columns);
	storage_model_order(&model, (const unsigned[]){ 1, 0 });
	return model;
}

struct pair {
	struct storage_model source, destination;
};

/* Tiles of 21 elements do not end with a byte. */
static unsigned make_pairs(struct pair *pairs)
{
	struct storage_model row = plain(MODEL_ROW, 2), column = plain(MODEL_COLUMN, 2);
	const struct pair all[] = {
		{ plain(MODEL_ROW, 0), plain(MODEL_ROW, 0) },
		{ plain(MODEL_ROW, 1), plain(MODEL_ROW, 1) },
		{ row, row }, { row, column }, { column, row },
		{ plain(MODEL_STRIDED, 2), column },
		{ row, tiled(16, 4, 4) }, { tiled(16, 4, 4), row },
		{ turned(2, 4), row }, { row, tiled(7, 1, 3) }, { tiled(7, 1, 3), column },
		{ tiled(5, 2, 2), tiled(7, 1, 3) },
		{ plain(MODEL_ROW, 3), plain(MODEL_COLUMN, 3) },
	};

	memcpy(pairs, all, sizeof(all));
	return sizeof(all) / sizeof(all[0]);
}

static const int64_t shapes[][3] = { { 1, 1, 1 }, { 0, 5, 2 }, { 5, 0, 1 }, { 1, 3, 5 },
	{ 3, 3, 3 }, { 5, 7, 2 }, { 2, 40, 3 }, { 16, 16, 2 }, { 17, 31, 3 }, { 255, 33, 1 },
	{ 36, 40, 4 }, { 130, 41, 8 }, { 128, 260, 4 } };
#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static void walk(const struct pair *pair, unsigned element, const int64_t *n,
	const unsigned char *from, unsigned char *to)
{
	unsigned from_bits = elements[element].from, to_bits = elements[element].to;
	int64_t i[3] = { 0 };

	for (int64_t e = 0; storage_model_pads(&pair->destination) &&
			e < storage_model_elements(&pair->destination, n); e++)
		bit_array_set(to, e, to_bits, elements[element].pad_bits);
	for (unsigned d = 0; d < pair->source.rank; d++)
		if (!n[d])
			return;
	do {
		bit_array_set(to, storage_model_offset(&pair->destination, n, i), to_bits,
			elements[element].convert(bit_array_get(from,
				storage_model_offset(&pair->source, n, i), from_bits)));
	} while (model_next_index(pair->source.rank, n, i));
}

static unsigned char *guarded(size_t bytes, unsigned char fill)
{
	unsigned char *buffer = aligned_alloc(GUARD, (bytes + 3 * GUARD) / GUARD * GUARD);

	assert_non_null(buffer);
	memset(buffer, 0xa5, bytes + 2 * GUARD);
	memset(buffer + GUARD, fill, bytes);
	return buffer;
}

static void check_run(layout_context *ctx, layout_kernel *kernel, const struct pair *pair,
	unsigned element, const int64_t *n, const char *text)
{
	size_t from_bytes = bit_array_bytes(storage_model_elements(&pair->source, n),
		elements[element].from);
	size_t to_bytes = bit_array_bytes(storage_model_elements(&pair->destination, n),
		elements[element].to);
	unsigned char *from = guarded(from_bytes, 0), *to = guarded(to_bytes, 0xff);
	unsigned char *wanted = guarded(to_bytes, 0);
	const layout_size sizes[] = { { "A", n[0] }, { "B", n[1] }, { "C", n[2] } };
	layout_run run = LAYOUT_RUN_INIT;

	random_fill(from + GUARD, from_bytes);
	walk(pair, element, n, from + GUARD, wanted + GUARD);
	run.source = from + GUARD;
	run.source_bytes = from_bytes;
	run.destination = to + GUARD;
	run.destination_bytes = to_bytes;
	run.sizes = sizes;
	run.size_count = 3;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s: %s", text, layout_context_message(ctx));
	if (memcmp(to, wanted, to_bytes + 2 * GUARD))
		fail_msg("%s, %" PRId64 " x %" PRId64 " x %" PRId64 ": wrong bytes", text,
			n[0], n[1], n[2]);
	free(from);
	free(to);
	free(wanted);
}

/* Sizes as text, and the shapes that they may stand for. */
struct sizes {
	const char *text[3];
	const int64_t (*shapes)[3];
	unsigned count;
};

static void check_pair(layout_context *ctx, const struct pair *pair, unsigned element,
	const char *target, const struct sizes *sizes)
{
	char source[MODEL_TEXT], destination[MODEL_TEXT], text[3 * MODEL_TEXT];
	layout_remap *remap;
	layout_kernel *kernel;

	storage_model_text(&pair->source, sizes->text, source);
	storage_model_text(&pair->destination, sizes->text, destination);
	snprintf(text, sizeof(text), "remap(%s -> %s, type = %s, pad = %s)", source,
		destination, elements[element].type, elements[element].pad);
	remap = layout_remap_parse(ctx, text);
	kernel = layout_kernel_new(remap, target, NULL);
	if (!kernel)
		fail_msg("%s for %s: %s", text, target, layout_context_message(ctx));
	for (unsigned s = 0; s < sizes->count; s++)
		check_run(ctx, kernel, pair, element, sizes->shapes[s], text);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
}

/* Every row of the table takes its turn. */
static const char *next_gpu(void)
{
	static unsigned turn;

	if (!share_target(++turn))
		turn = 1;
	return share_target(turn)->name;
}

static void check_pairs(bool host)
{
	static const struct sizes named = { { "A", "B", "C" }, shapes, SHAPES };
	layout_context *ctx = layout_context_new();
	struct pair pairs[16];
	unsigned count = make_pairs(pairs);

	for (unsigned p = 0; p < count; p++)
		for (unsigned element = 0; element < ELEMENTS; element++)
			if (share_has(p + host, element, ELEMENTS))
				check_pair(ctx, &pairs[p], element,
					host ? "host" : next_gpu(), &named);
	assert_true(layout_context_free(ctx));
}

static void test_host(void **state)
{
	(void)state;
	check_pairs(true);
}

static void test_simulator(void **state)
{
	(void)state;
	check_pairs(false);
}

/* Sizes that are known to end with a byte, or not to, or only some of them. */
static const int64_t literals[][3] = { { 64, 96, 2 }, { 32, 34, 3 }, { 33, 31, 4 },
	{ 128, 64, 1 } };
static const int64_t partly[][3] = { { 1, 64, 4 }, { 77, 64, 4 }, { 128, 64, 4 } };

static void test_literal_sizes(void **state)
{
	layout_context *ctx = layout_context_new();
	const struct sizes rows = { { "A", "64", "4" }, partly, 3 };
	struct pair pairs[16];
	unsigned count = make_pairs(pairs);

	(void)state;
	for (unsigned p = 1; p < count; p++)
		for (unsigned s = 0; s < sizeof(literals) / sizeof(literals[0]); s++) {
			char text[3][24];
			const struct sizes all = { { text[0], text[1], text[2] },
				&literals[s], 1 };

			for (unsigned d = 0; d < 3; d++)
				snprintf(text[d], sizeof(text[d]), "%" PRId64,
					literals[s][d]);
			if (pairs[p].source.kind == MODEL_STRIDED)
				continue;
			check_pair(ctx, &pairs[p], (p + s) % ELEMENTS, next_gpu(), &all);
			check_pair(ctx, &pairs[p], 0, next_gpu(), &all);
			check_pair(ctx, &pairs[p], s, next_gpu(), &rows);
		}
	assert_true(layout_context_free(ctx));
}

/* Rows of a source that begin within what one access loads, but not with a byte. */
static void test_near_rows(void **state)
{
	static const int64_t few[][3] = { { 64, 3 }, { 64, 12 }, { 64, 15 }, { 64, 33 } };
	static const int64_t many[][3] = { { 1, 48 }, { 48, 48 }, { 77, 48 } };
	static const struct {
		int64_t rows, columns;		/* what a step is worth */
		struct sizes sizes;
	} cases[] = {
		{ 15, 1, { { "64", "B" }, few, 4 } },
		{ 5, 1, { { "64", "B" }, few, 4 } },
		{ 1, 5, { { "A", "48" }, many, 3 } },
		{ 1, 1, { { "A", "48" }, many, 3 } },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair pairs[] = {
			{ plain(MODEL_STRIDED, 2), plain(MODEL_COLUMN, 2) },
			{ plain(MODEL_STRIDED, 2), turned(1, 4) },
		};

		for (unsigned p = 0; p < 2; p++) {
			pairs[p].source.stride[0] = cases[i].rows;
			pairs[p].source.stride[1] = cases[i].columns;
			for (unsigned element = 0; element < 3; element += 2) {
				check_pair(ctx, &pairs[p], element, "host", &cases[i].sizes);
				check_pair(ctx, &pairs[p], element, next_gpu(),
					&cases[i].sizes);
			}
		}
	}
	assert_true(layout_context_free(ctx));
}

/* Elements that lie apart and become parts of a byte: of those, the last may not be there, and
 * nothing is read in their stead.  Buffers end with the last element. */
static void test_apart(void **state)
{
	static const int64_t sizes[][3] = { { 31, 9 }, { 33, 13 }, { 2, 701 }, { 64, 64 }, { 1, 1 } };
	static const struct sizes named = { { "A", "B" }, sizes, 5 };
	static const char *const targets[] = { "sm_75", "sm_90", "sm_120", "gfx1201" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned step = 1; step <= 4; step++)
		for (unsigned i = 0; i < 4; i++) {
			struct pair pair = { plain(MODEL_STRIDED, 2), i % 2 ? turned(1, 4) :
				tiled(4, 2, 2) };

			pair.source.stride[0] = 704 * step;
			pair.source.stride[1] = step;
			check_pair(ctx, &pair, 5, targets[(step + i) % 4], &named);
		}
	assert_true(layout_context_free(ctx));
}

/* What is assumed of rows says whether they are whole bytes; else a launch does. */
static void test_assumed(void **state)
{
	static const struct {
		const char *assume, *says;
	} rows[] = {
		{ "B >= 0", "bytes: the tile is for rows of whole bytes, where B % 2 == 0; else" },
		{ "A mod 2 = 1", "where B % 2 == 0; else" },
		{ "B mod 2 = 0", "tile: 128 lanes" },
		{ "B mod 4 = 2", "tile: 128 lanes" },
		{ "B = 14", " lanes, " },
		{ "B mod 2 = 1", "no tile, each lane moves an element at a time" },
		{ "B = 15", "no tile, each lane moves an element at a time" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		layout_remap *remap = layout_remap_assume(layout_remap_parse(ctx,
			"remap(row_major[A, B] -> packed(encoding_info<{innerDimsPos = [0, 1], "
			"innerTileSizes = [4, 8]}>, [A, B]), type = i4)"), rows[i].assume);
		layout_kernel *kernel = layout_kernel_new(remap, "gfx942", NULL);
		size_t length;
		char *text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_EXPLAIN, NULL, 0, &length);

		if (!text || !strstr(text, rows[i].says))
			fail_msg("%s: %s", rows[i].assume, text ? text :
				layout_context_message(ctx));
		if (strstr(text, "no tile") || i > 1)
			assert_null(strstr(text, "bytes: the tile"));
		layout_string_free(text);
		layout_kernel_free(kernel);
		layout_remap_free(remap);
	}
	assert_true(layout_context_free(ctx));
}

/* Bytes with gaps in them are not ours to write. */
static void test_strided_destination(void **state)
{
	static const char *const targets[] = { "host", "gfx942", "sm_90" };
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx,
		"remap(row_major[A, B] -> strided[A, B : 1024, 1], type = i4)");

	(void)state;
	remap = layout_remap_assume(remap, "B <= 1024");
	assert_non_null(remap);
	for (unsigned i = 0; i < 3; i++) {
		assert_null(layout_kernel_new(remap, targets[i], NULL));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
		assert_non_null(strstr(layout_context_message(ctx), "gaps"));
		layout_context_clear(ctx);
	}
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

/* A lane stores as many bytes at a time as eight elements fill, up to a word, but for the last
 * ones: by the width of the accesses, 15375 elements. */
static void test_words(void **state)
{
	static const struct {
		const char *type;
		size_t bytes;
		uint64_t widths[3];
	} rows[] = {
		{ "i4", 7688, { 4, 0, 1921 } },
		{ "i2", 3844, { 2, 1921, 0 } },
	};
	const layout_size sizes[] = { { "M", 15 }, { "K", 1025 } };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[80];
		_Alignas(16) unsigned char memory[2][7696] = { { 0 } };
		layout_sim_stats stats = { 0 };
		layout_run run = LAYOUT_RUN_INIT;
		layout_kernel *kernel;
		layout_remap *remap;

		snprintf(text, sizeof(text), "remap(row_major[M, K] -> col_major[M, K], "
			"type = %s)", rows[i].type);
		remap = layout_remap_parse(ctx, text);
		kernel = layout_kernel_new(remap, "gfx942", NULL);
		run.source = memory[0];
		run.destination = memory[1];
		run.source_bytes = run.destination_bytes = rows[i].bytes;
		run.sizes = sizes;
		run.size_count = 2;
		run.stats = &stats;
		if (!layout_kernel_run(ctx, kernel, &run))
			fail_msg("%s: %s", rows[i].type, layout_context_message(ctx));
		for (unsigned w = 0; w < 3; w++)
			assert_int_equal(stats.store.widths[w], rows[i].widths[w]);
		layout_kernel_free(kernel);
		layout_remap_free(remap);
	}
	assert_true(layout_context_free(ctx));
}

/* A buffer that lacks the last half byte is too small. */
static void test_bytes(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx,
		"remap(row_major[A] -> row_major[A], type = i4)");
	layout_kernel *kernel = layout_kernel_new(remap, "host", NULL);
	const layout_size size = { "A", 7 };
	_Alignas(16) unsigned char from[4] = { 0x21, 0x43, 0x65, 0xf7 }, to[4] = { 0 };
	layout_run run = LAYOUT_RUN_INIT;

	(void)state;
	run.source = from;
	run.source_bytes = 4;
	run.destination = to;
	run.destination_bytes = 3;
	run.sizes = &size;
	run.size_count = 1;
	assert_false(layout_kernel_run(ctx, kernel, &run));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	run.destination_bytes = 4;
	assert_true(layout_kernel_run(ctx, kernel, &run));
	assert_memory_equal(to, ((const unsigned char[]){ 0x21, 0x43, 0x65, 7 }), 4);
	assert_int_equal(layout_remap_element_bits(remap), 4);
	assert_int_equal(layout_remap_element_bytes(remap), 1);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_simulator),
		cmocka_unit_test(test_literal_sizes),
		cmocka_unit_test(test_near_rows),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_assumed),
		cmocka_unit_test(test_strided_destination),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
