/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels that run, for the host and in the simulator, against a reference that walks
 * the index space with arithmetic of its own. */
#include "support/random.h"
#include "support/share.h"
#include "support/storage_model.h"

#include <layout/codegen.h>

#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MAX_RANK 5
#define STRIDE 600	/* the value of the named stride S */

/* A storage as text over the sizes A, B, C, D, E, and as arithmetic: "n" are the
 * sizes, "i" is a logical index. */
struct storage_row {
	const char *text;
	unsigned rank;
	int64_t (*offset)(const int64_t *n, const int64_t *i);
	int64_t (*elements)(const int64_t *n);
	bool pads;	/* cells without an element are padding, else gaps */
	const char *apart;	/* the condition on which no cell has two elements */
};

static int64_t rounded(int64_t n, int64_t tile)
{
	return (n + tile - 1) / tile * tile;
}

static int64_t row_offset(const int64_t *n, const int64_t *i, unsigned rank)
{
	int64_t offset = 0;

	for (unsigned d = 0; d < rank; d++)
		offset = offset * n[d] + i[d];
	return offset;
}

static int64_t volume(const int64_t *n, unsigned rank)
{
	int64_t product = 1;

	for (unsigned d = 0; d < rank; d++)
		product *= n[d];
	return product;
}

/* From the first element to the last, where a step of dimension d is step[d]. */
static int64_t span(const int64_t *n, const int64_t *step, unsigned rank)
{
	int64_t last = 0;

	for (unsigned d = 0; d < rank; d++)
		last += (n[d] - 1) * step[d];
	return volume(n, rank) ? last + 1 : 0;
}

#define ROW_MAJOR(rank) \
	static int64_t row##rank(const int64_t *n, const int64_t *i) \
	{ return row_offset(n, i, rank); } \
	static int64_t volume##rank(const int64_t *n) \
	{ return volume(n, rank); }

ROW_MAJOR(0)
ROW_MAJOR(1)
ROW_MAJOR(2)
ROW_MAJOR(3)
ROW_MAJOR(4)
ROW_MAJOR(5)

static int64_t col2(const int64_t *n, const int64_t *i)
{
	return i[1] * n[0] + i[0];
}

static int64_t col3(const int64_t *n, const int64_t *i)
{
	return (i[2] * n[1] + i[1]) * n[0] + i[0];
}

static int64_t col5(const int64_t *n, const int64_t *i)
{
	return (((i[4] * n[3] + i[3]) * n[2] + i[2]) * n[1] + i[1]) * n[0] + i[0];
}

/* strided[A, B : 1024, 1] */
static int64_t wide_offset(const int64_t *n, const int64_t *i)
{
	(void)n;
	return 1024 * i[0] + i[1];
}

static int64_t wide_elements(const int64_t *n)
{
	return span(n, (const int64_t[]){ 1024, 1 }, 2);
}

/* strided[A, B : 1, 300] */
static int64_t tall_offset(const int64_t *n, const int64_t *i)
{
	(void)n;
	return i[0] + 300 * i[1];
}

static int64_t tall_elements(const int64_t *n)
{
	return span(n, (const int64_t[]){ 1, 300 }, 2);
}

/* strided[A, B : S, 1] */
static int64_t named_offset(const int64_t *n, const int64_t *i)
{
	(void)n;
	return STRIDE * i[0] + i[1];
}

static int64_t named_elements(const int64_t *n)
{
	return span(n, (const int64_t[]){ STRIDE, 1 }, 2);
}

#define TILE16 "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [16, 16], " \
	"outerDimsPerm = [0, 1]}>"

static int64_t tile16_offset(const int64_t *n, const int64_t *i)
{
	int64_t columns = rounded(n[1], 16) / 16;

	return ((i[0] / 16 * columns + i[1] / 16) * 16 + i[0] % 16) * 16 + i[1] % 16;
}

static int64_t tile16_elements(const int64_t *n)
{
	return rounded(n[0], 16) * rounded(n[1], 16);
}

#define THREAD(n) "[\"CrossThread\", " #n " : i16]"
#define INTRINSIC(n) "[\"CrossIntrinsic\", " #n " : i16]"

/* The left operand of the gfx942 walk-through. */
#define LHS "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [" \
	"[" THREAD(4) ", " INTRINSIC(8) ", " THREAD(4) "], " \
	"[" INTRINSIC(4) ", " THREAD(4) "]], permutation = [1, 4, 0, 2, 3]}}>"

static int64_t lhs_offset(const int64_t *n, const int64_t *i)
{
	int64_t columns = rounded(n[1], 16) / 16;
	int64_t row = i[0] % 128, column = i[1] % 16;
	int64_t tile = i[0] / 128 * columns + i[1] / 16;

	return (((tile * 8 + row / 4 % 8) * 4 + column % 4) * 4 + row / 32) * 16 +
		row % 4 * 4 + column / 4;
}

static int64_t lhs_elements(const int64_t *n)
{
	return rounded(n[0], 128) * rounded(n[1], 16);
}

/* Its right operand. */
#define RHS "encoding_info<{innerDimsPos = [1, 0], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [1, 0], swizzle = {expandShape = [" \
	"[" THREAD(4) ", " THREAD(16) ", " INTRINSIC(2) "], " \
	"[" INTRINSIC(4) ", " THREAD(4) "]], permutation = [0, 2, 4, 1, 3]}}>"

static int64_t rhs_offset(const int64_t *n, const int64_t *i)
{
	int64_t depth = rounded(n[0], 16) / 16;
	int64_t column = i[1] % 128, k = i[0] % 16;
	int64_t tile = i[1] / 128 * depth + i[0] / 16;

	return (((tile * 4 + column / 32) * 2 + column % 2) * 4 + k % 4) * 64 +
		column / 2 % 16 * 4 + k / 4;
}

static int64_t rhs_elements(const int64_t *n)
{
	return rounded(n[0], 16) * rounded(n[1], 128);
}

/* Only the second dimension is tiled, and the tiles of a column lie together. */
#define COLUMNS8 "encoding_info<{innerDimsPos = [1], innerTileSizes = [8], " \
	"outerDimsPerm = [1, 0]}>"

static int64_t columns8_offset(const int64_t *n, const int64_t *i)
{
	return (i[1] / 8 * n[0] + i[0]) * 8 + i[1] % 8;
}

static int64_t columns8_elements(const int64_t *n)
{
	return n[0] * rounded(n[1], 8);
}

#define VECTOR7 "encoding_info<{innerDimsPos = [0], innerTileSizes = [7], " \
	"outerDimsPerm = [0]}>"

static int64_t vector7_elements(const int64_t *n)
{
	return rounded(n[0], 7);
}

/* Blocks of 16 channels, innermost. */
#define NCHW16C "encoding_info<{innerDimsPos = [1], innerTileSizes = [16], " \
	"outerDimsPerm = [0, 1, 2, 3]}>"

static int64_t nchw16c_offset(const int64_t *n, const int64_t *i)
{
	int64_t block = i[0] * (rounded(n[1], 16) / 16) + i[1] / 16;

	return ((block * n[2] + i[2]) * n[3] + i[3]) * 16 + i[1] % 16;
}

static int64_t nchw16c_elements(const int64_t *n)
{
	return n[0] * rounded(n[1], 16) * n[2] * n[3];
}

enum { ROW0, ROW1, VECTOR, ROW2, COL2, WIDE, TALL, NAMED, TILES, LEFT, RIGHT, COLUMNS,
	ROW3, COL3, ROW4, BLOCKED, ROW5, COL5 };

static const struct storage_row storages[] = {
	[ROW0] = { "row_major[]", 0, row0, volume0, false },
	[ROW1] = { "row_major[A]", 1, row1, volume1, false },
	[VECTOR] = { "packed(" VECTOR7 ", [A])", 1, row1, vector7_elements, true },
	[ROW2] = { "row_major[A, B]", 2, row2, volume2, false },
	[COL2] = { "col_major[A, B]", 2, col2, volume2, false },
	[WIDE] = { "strided[A, B : 1024, 1]", 2, wide_offset, wide_elements, false,
		"B <= 1024" },
	[TALL] = { "strided[A, B : 1, 300]", 2, tall_offset, tall_elements, false,
		"A <= 300" },
	[NAMED] = { "strided[A, B : S, 1]", 2, named_offset, named_elements, false },
	[TILES] = { "packed(" TILE16 ", [A, B])", 2, tile16_offset, tile16_elements,
		true },
	[LEFT] = { "packed(" LHS ", [A, B])", 2, lhs_offset, lhs_elements, true },
	[RIGHT] = { "packed(" RHS ", [A, B])", 2, rhs_offset, rhs_elements, true },
	[COLUMNS] = { "packed(" COLUMNS8 ", [A, B])", 2, columns8_offset,
		columns8_elements, true },
	[ROW3] = { "row_major[A, B, C]", 3, row3, volume3, false },
	[COL3] = { "col_major[A, B, C]", 3, col3, volume3, false },
	[ROW4] = { "row_major[A, B, C, D]", 4, row4, volume4, false },
	[BLOCKED] = { "packed(" NCHW16C ", [A, B, C, D])", 4, nchw16c_offset,
		nchw16c_elements, true },
	[ROW5] = { "row_major[A, B, C, D, E]", 5, row5, volume5, false },
	[COL5] = { "col_major[A, B, C, D, E]", 5, col5, volume5, false },
};

static const struct {
	unsigned source, destination;
} pairs[] = {
	{ ROW0, ROW0 }, { ROW1, ROW1 }, { ROW1, VECTOR }, { VECTOR, ROW1 },
	{ ROW2, ROW2 }, { ROW2, COL2 }, { COL2, ROW2 }, { ROW2, WIDE }, { WIDE, ROW2 },
	{ TALL, COL2 }, { ROW2, TALL }, { NAMED, ROW2 }, { ROW2, NAMED },
	{ ROW2, TILES }, { TILES, ROW2 }, { ROW2, LEFT }, { LEFT, ROW2 },
	{ ROW2, RIGHT }, { RIGHT, ROW2 }, { COL2, LEFT }, { LEFT, RIGHT },
	{ WIDE, RIGHT }, { ROW2, COLUMNS }, { COLUMNS, TALL },
	{ ROW3, COL3 }, { ROW4, BLOCKED }, { BLOCKED, ROW4 }, { COL5, ROW5 },
};
#define PAIR_COUNT (sizeof(pairs) / sizeof(pairs[0]))

static const struct {
	unsigned rank;
	int64_t n[MAX_RANK];
} shapes[] = {
	{ 0, { 0 } },
	{ 1, { 0 } }, { 1, { 1 } }, { 1, { 7 } }, { 1, { 1000 } },
	{ 2, { 255, 513 } }, { 2, { 1, 1 } }, { 2, { 128, 16 } }, { 2, { 127, 17 } },
	{ 2, { 0, 5 } }, { 2, { 5, 0 } },
	{ 3, { 5, 7, 33 } }, { 3, { 1, 300, 2 } }, { 3, { 3, 0, 3 } },
	{ 4, { 2, 33, 5, 7 } }, { 4, { 1, 16, 1, 1 } }, { 4, { 2, 1, 0, 3 } },
	{ 5, { 2, 3, 4, 5, 6 } }, { 5, { 1, 1, 1, 1, 1 } },
};
#define SHAPE_COUNT (sizeof(shapes) / sizeof(shapes[0]))

static const struct {
	const char *type, *pad;
	unsigned bytes;
	uint64_t pad_bits;
} elements[] = {
	{ "i8", "-2", 1, 0xfe },
	{ "bf16", "0x1234", 2, 0x1234 },
	{ "f32", "-1.5", 4, 0xbfc00000 },
	{ "u64", "0x123456789abcdef0", 8, 0x123456789abcdef0 },
};
#define ELEMENT_COUNT (sizeof(elements) / sizeof(elements[0]))

/* Every row of the table takes its turn. */
static const char *next_gpu(void)
{
	static unsigned turn;

	if (!share_target(++turn))
		turn = 1;
	assert_string_not_equal(share_target(turn)->name, "host");
	return share_target(turn)->name;
}

/* Memory for a storage, with a guard of GUARD bytes before and after it. */
#define GUARD 256

static unsigned char *buffer_new(size_t bytes, unsigned char fill)
{
	unsigned char *buffer = malloc(bytes + 2 * GUARD);

	assert_non_null(buffer);
	memset(buffer, fill, bytes + 2 * GUARD);
	return buffer;
}

static void fill_padding(unsigned char *to, int64_t count, unsigned element)
{
	for (int64_t e = 0; e < count; e++)
		memcpy(to + e * elements[element].bytes, &elements[element].pad_bits,
			elements[element].bytes);
}

/* What the destination should become. */
static void remap_reference(const struct storage_row *source,
	const struct storage_row *destination, unsigned element, const int64_t *n,
	const unsigned char *from, unsigned char *to)
{
	int64_t i[MAX_RANK] = { 0 };
	unsigned bytes = elements[element].bytes;

	if (destination->pads)
		fill_padding(to, destination->elements(n), element);
	if (!volume(n, source->rank))
		return;
	do {
		memcpy(to + destination->offset(n, i) * bytes,
			from + source->offset(n, i) * bytes, bytes);
	} while (model_next_index(source->rank, n, i));
}

struct run {
	const struct storage_row *source, *destination;
	unsigned element;
	const int64_t *n;
};

static bool run_kernel(layout_context *ctx, layout_kernel *kernel, const struct run *what,
	const unsigned char *from, unsigned char *to)
{
	const int64_t *n = what->n;
	const layout_size sizes[] = { { "A", n[0] }, { "B", n[1] }, { "C", n[2] },
		{ "D", n[3] }, { "E", n[4] }, { "S", STRIDE }, { "N", n[1] } };
	unsigned bytes = elements[what->element].bytes;
	layout_run run = LAYOUT_RUN_INIT;

	run.source = from;
	run.source_bytes = (size_t)what->source->elements(n) * bytes;
	run.destination = to;
	run.destination_bytes = (size_t)what->destination->elements(n) * bytes;
	run.sizes = sizes;
	run.size_count = 7;
	return layout_kernel_run(ctx, kernel, &run);
}

/* Run on random data and compare every byte, guards included. */
static void check_run(layout_context *ctx, layout_kernel *kernel, const struct run *what)
{
	unsigned bytes = elements[what->element].bytes;
	size_t from_bytes = (size_t)what->source->elements(what->n) * bytes;
	size_t to_bytes = (size_t)what->destination->elements(what->n) * bytes;
	unsigned char *from = buffer_new(from_bytes, 0x77);
	unsigned char *to = buffer_new(to_bytes, 0xa5);
	unsigned char *expected = buffer_new(to_bytes, 0xa5);

	random_fill(from + GUARD, from_bytes);
	remap_reference(what->source, what->destination, what->element, what->n,
		from + GUARD, expected + GUARD);
	if (!run_kernel(ctx, kernel, what, from + GUARD, to + GUARD))
		fail_msg("%s -> %s, %s: %s", what->source->text, what->destination->text,
			elements[what->element].type, layout_context_message(ctx));
	if (memcmp(to, expected, to_bytes + 2 * GUARD))
		fail_msg("%s -> %s, %s, %" PRId64 " x %" PRId64 ": wrong bytes",
			what->source->text, what->destination->text,
			elements[what->element].type, what->n[0], what->n[1]);
	free(from);
	free(to);
	free(expected);
}

static layout_kernel *kernel_of(layout_context *ctx, const struct storage_row *source,
	const struct storage_row *destination, unsigned element, const char *target)
{
	layout_remap *remap = layout_remap_new(layout_storage_parse(ctx, source->text),
		layout_storage_parse(ctx, destination->text), elements[element].type,
		elements[element].pad);
	layout_kernel *kernel;

	if (destination->apart)
		remap = layout_remap_assume(remap, destination->apart);
	kernel = layout_kernel_new(remap, target, NULL);
	layout_remap_free(remap);
	if (!kernel)
		fail_msg("%s -> %s for %s: %s", source->text, destination->text, target,
			layout_context_message(ctx));
	return kernel;
}

static void check_pair(layout_context *ctx, unsigned pair, unsigned element,
	const char *target)
{
	const struct storage_row *source = &storages[pairs[pair].source];
	const struct storage_row *destination = &storages[pairs[pair].destination];
	layout_kernel *kernel = kernel_of(ctx, source, destination, element, target);

	for (unsigned i = 0; i < SHAPE_COUNT; i++) {
		struct run what = { source, destination, element, shapes[i].n };

		if (shapes[i].rank == source->rank)
			check_run(ctx, kernel, &what);
	}
	layout_kernel_free(kernel);
}

static void test_host(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned pair = 0; pair < PAIR_COUNT; pair++)
		for (unsigned element = 0; element < ELEMENT_COUNT; element++)
			if (share_has(pair, element, ELEMENT_COUNT))
				check_pair(ctx, pair, element, "host");
	assert_true(layout_context_free(ctx));
}

static void test_simulator(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned pair = 0; pair < PAIR_COUNT; pair++)
		for (unsigned element = 0; element < ELEMENT_COUNT; element++)
			if (share_has(pair + 1, element, ELEMENT_COUNT))
				check_pair(ctx, pair, element, next_gpu());
	assert_true(layout_context_free(ctx));
}

/* More to do on axes y and z than is launched: workgroups take turns. */
static void test_long_axes(void **state)
{
	static const struct {
		unsigned source, destination;
		int64_t n[MAX_RANK];
	} rows[] = {
		{ TILES, ROW2, { 70000, 3 } },
		{ COL5, ROW5, { 300, 221, 1, 1, 2 } },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct run what = { &storages[rows[i].source],
			&storages[rows[i].destination], 2, rows[i].n };
		layout_kernel *kernel = kernel_of(ctx, what.source, what.destination, 2,
			"gfx942");

		check_run(ctx, kernel, &what);
		layout_kernel_free(kernel);
	}
	assert_true(layout_context_free(ctx));
}

/* Literal numbers in place of names. */
static void test_literal_sizes(void **state)
{
	static const struct {
		const char *source, *destination;
		int64_t n[MAX_RANK];
	} rows[] = {
		{ "row_major[127, 17]", "packed(" LHS ", [127, 17])", { 127, 17 } },
		{ "row_major[127, N]", "packed(" LHS ", [127, N])", { 127, 17 } },
		{ "row_major[1, 1]", "packed(" LHS ", [1, 1])", { 1, 1 } },
		{ "row_major[0, 5]", "packed(" LHS ", [0, 5])", { 0, 5 } },
		{ "row_major[5, 0]", "packed(" LHS ", [5, 0])", { 5, 0 } },
	};
	static const char *const targets[] = { "host", "gfx942", "gfx1100", "sm_90" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct storage_row source = { rows[i].source, 2, row2, volume2, false,
			NULL };
		const struct storage_row destination = { rows[i].destination, 2, lhs_offset,
			lhs_elements, true, NULL };
		const struct run what = { &source, &destination, 2, rows[i].n };

		for (unsigned target = 0; target < 3; target++) {
			layout_kernel *kernel = kernel_of(ctx, &source, &destination, 2,
				targets[target]);

			check_run(ctx, kernel, &what);
			layout_kernel_free(kernel);
		}
	}
	assert_true(layout_context_free(ctx));
}

/* One kernel, shared by threads with a context each. */
struct sharing {
	layout_kernel *kernel;
	bool ok;
};

static bool use_kernel(layout_context *ctx, layout_kernel *kernel)
{
	static const int64_t n[MAX_RANK] = { 127, 17 };
	const struct run what = { &storages[ROW2], &storages[TILES], 2, n };
	size_t to_bytes = (size_t)tile16_elements(n) * 4, length;
	unsigned char *from = buffer_new(127 * 17 * 4, 0x3c);
	unsigned char *to = buffer_new(to_bytes, 0), *expected = buffer_new(to_bytes, 0);
	char *code = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_OBJ, NULL, 0, &length);
	bool ok = code && run_kernel(ctx, kernel, &what, from, to);

	remap_reference(what.source, what.destination, what.element, n, from, expected);
	ok = ok && !memcmp(to, expected, to_bytes);
	layout_string_free(code);
	free(from);
	free(to);
	free(expected);
	return ok;
}

static void *share(void *user)
{
	struct sharing *sharing = user;
	layout_context *ctx = layout_context_new();

	sharing->ok = use_kernel(ctx, sharing->kernel);
	sharing->ok = layout_context_free(ctx) && sharing->ok;
	return NULL;
}

static void test_threads(void **state)
{
	static const char *const targets[] = { "host", "gfx942" };
	layout_context *ctx = layout_context_new();
	struct sharing sharing[4];
	pthread_t threads[4];

	(void)state;
	for (unsigned target = 0; target < 2; target++) {
		layout_kernel *kernel = kernel_of(ctx, &storages[ROW2], &storages[TILES],
			2, targets[target]);

		for (unsigned i = 0; i < 4; i++) {
			sharing[i].kernel = kernel;
			pthread_create(&threads[i], NULL, share, &sharing[i]);
		}
		for (unsigned i = 0; i < 4; i++) {
			pthread_join(threads[i], NULL);
			assert_true(sharing[i].ok);
		}
		layout_kernel_free(kernel);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_simulator),
		cmocka_unit_test(test_long_axes),
		cmocka_unit_test(test_literal_sizes),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
