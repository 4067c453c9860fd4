/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tensors beyond 2^31 elements and 4 GiB: the last workgroups of a launch, in the
 * simulator, over memory of which only what is touched exists. */
#include "support/storage_model.h"

#include <layout/codegen.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CORNER 600	/* the source has data in the last of each dimension */
#define WORKGROUPS 2
#define PLACES 65535	/* of workgroups on the grid's other axes */

static const struct storage_model row2 = { .kind = MODEL_ROW, .rank = 2 };
static const struct storage_model column2 = { .kind = MODEL_COLUMN, .rank = 2 };
static const struct storage_model lhs = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 128, 16 }, .outer = { 0, 1 }, .digit_count = 5,
	.digits = { { 0, 4, 8 }, { 1, 1, 4 }, { 0, 32, 4 }, { 0, 1, 4 }, { 1, 4, 4 } } };
static const struct storage_model row3 = { .kind = MODEL_ROW, .rank = 3 };
static const struct storage_model channels_last = { .kind = MODEL_PACKED, .rank = 3,
	.outer = { 0, 2, 1 } };
static const struct storage_model tile10 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 12, 10 }, .outer = { 0, 1 } };
static const struct storage_model tile96 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 64, 96 }, .outer = { 0, 1 } };

/* Some are long in all dimensions; of others a tile alone is beyond 32 bits.  None has
 * more tiles on an axis than are launched, so that the last workgroups have the last. */
static const struct row {
	const struct storage_model *source, *destination;
	const char *type;
	unsigned bytes;
	int64_t n[MODEL_RANK];
} rows[] = {
	{ &row2, &column2, "f32", 4, { 50003, 50021 } },
	{ &row2, &column2, "i8", 1, { 65601, 65500 } },
	{ &row2, &column2, "f16", 2, { (1 << 27) + 63, 127 } },
	{ &row2, &column2, "f32", 4, { 1030, 64 * PLACES } },
	{ &row2, &lhs, "f32", 4, { 50048, 50048 } },
	{ &row2, &lhs, "f32", 4, { 256, (1 << 27) + 64 } },
	{ &lhs, &row2, "f32", 4, { 255, (1 << 27) + 1 } },
	{ &row3, &channels_last, "f32", 4, { 6, 64, (1 << 22) - 70 } },
	{ &channels_last, &row3, "f32", 4, { 2, 65, (1 << 27) + 3 } },
	{ &tile10, &tile96, "f32", 4, { 50003, 50021 } },
	{ &tile10, &tile96, "f32", 4, { 250, (1 << 27) + 37 } },
	{ &tile96, &tile10, "f32", 4, { 251, (1 << 27) + 3 } },
};

static unsigned char *sparse(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	return memory;
}

/* The value of the element of index "i": not 0. */
static uint32_t value_of(const struct row *row, const int64_t *i)
{
	uint64_t hash = 0;

	for (unsigned d = 0; d < row->source->rank; d++)
		hash = (hash + (uint64_t)i[d]) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(hash >> 33) | (row->bytes < 4 ? 1 : 0x00800080);
}

static bool next_point(const struct row *row, int64_t *i)
{
	for (unsigned d = row->source->rank; d--;) {
		if (++i[d] < row->n[d])
			return true;
		i[d] = row->n[d] > CORNER ? row->n[d] - CORNER : 0;
	}
	return false;
}

static void first_point(const struct row *row, int64_t *i)
{
	for (unsigned d = 0; d < row->source->rank; d++)
		i[d] = row->n[d] > CORNER ? row->n[d] - CORNER : 0;
}

static void fill_corner(const struct row *row, unsigned char *from)
{
	int64_t i[MODEL_RANK];

	first_point(row, i);
	do {
		uint32_t value = value_of(row, i);

		memcpy(from + storage_model_offset(row->source, row->n, i) * row->bytes,
			&value, row->bytes);
	} while (next_point(row, i));
}

/* The elements of the corner that have arrived; all others must be untouched. */
static uint64_t arrived_in_corner(const struct row *row, const unsigned char *to)
{
	uint64_t arrived = 0;
	int64_t i[MODEL_RANK];

	first_point(row, i);
	do {
		uint32_t value = value_of(row, i), got = 0;

		memcpy(&got, to + storage_model_offset(row->destination, row->n, i) *
			row->bytes, row->bytes);
		if (got && memcmp(&got, &value, row->bytes))
			fail_msg("%s: element %" PRId64 ", %" PRId64 " is wrong", row->type,
				i[0], i[1]);
		arrived += got != 0;
	} while (next_point(row, i));
	return arrived;
}

/* Bytes that are not 0 in all the memory that exists. */
static uint64_t bytes_written(const unsigned char *memory, size_t size, unsigned element)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page;
	unsigned char *there = malloc(pages);
	static const unsigned char zeros[8];
	uint64_t written = 0;

	assert_non_null(there);
	assert_int_equal(mincore((void *)memory, size, there), 0);
	for (size_t p = 0; p < pages; p++) {
		size_t end = (p + 1) * page < size ? (p + 1) * page : size;

		for (size_t at = p * page; there[p] & 1 && at + element <= end;
			at += element)
			written += memcmp(memory + at, zeros, element) != 0;
	}
	free(there);
	return written;
}

static layout_kernel *kernel_of(layout_context *ctx, const struct row *row,
	const char *target)
{
	static const char *const sizes[MODEL_RANK] = { "A", "B", "C" };
	char source[MODEL_TEXT], destination[MODEL_TEXT];
	layout_remap *remap;
	layout_kernel *kernel;

	storage_model_text(row->source, sizes, source);
	storage_model_text(row->destination, sizes, destination);
	remap = layout_remap_new(layout_storage_parse(ctx, source),
		layout_storage_parse(ctx, destination), row->type, NULL);
	kernel = layout_kernel_new(remap, target, NULL);
	layout_remap_free(remap);
	return kernel;
}

/* "folded": all workgroups are on x. */
static void run_last(layout_context *ctx, const struct row *row, const char *target,
	const unsigned char *from, unsigned char *to, bool folded)
{
	layout_kernel *kernel = kernel_of(ctx, row, target);
	layout_size sizes[] = { { "A", row->n[0] }, { "B", row->n[1] }, { "C", row->n[2] } };
	layout_run run = LAYOUT_RUN_INIT;
	int64_t grid[3], cells = storage_model_elements(row->destination, row->n);

	run.source = from;
	run.source_bytes =
		(size_t)storage_model_elements(row->source, row->n) * row->bytes;
	run.destination = to;
	run.destination_bytes = (size_t)cells * row->bytes;
	run.sizes = sizes;
	run.size_count = row->source->rank;
	run.kernel = "remap";
	if (!kernel || !layout_kernel_grid(ctx, kernel, sizes, run.size_count, grid))
		fail_msg("%s", layout_context_message(ctx));
	assert_true(folded ? grid[0] > PLACES && grid[1] == 1 && grid[2] == 1 :
		grid[1] <= PLACES && grid[2] <= PLACES);
	run.first_workgroup = (uint64_t)(grid[0] * grid[1] * grid[2]) - WORKGROUPS;
	run.workgroup_count = WORKGROUPS;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s", layout_context_message(ctx));
	layout_kernel_free(kernel);
}

static void check_row(layout_context *ctx, const struct row *row, const char *target,
	bool folded)
{
	size_t from_bytes =
		(size_t)storage_model_elements(row->source, row->n) * row->bytes;
	size_t to_bytes =
		(size_t)storage_model_elements(row->destination, row->n) * row->bytes;
	unsigned char *from = sparse(from_bytes), *to = sparse(to_bytes);
	int64_t last[MODEL_RANK], end;
	uint32_t value, got = 0;

	assert_true(from_bytes > UINT32_MAX);
	for (unsigned d = 0; d < row->source->rank; d++)
		last[d] = row->n[d] - 1;
	fill_corner(row, from);
	run_last(ctx, row, target, from, to, folded);
	value = value_of(row, last);
	end = storage_model_offset(row->destination, row->n, last) * row->bytes;
	memcpy(&got, to + end, row->bytes);
	assert_memory_equal(&got, &value, row->bytes);
	assert_int_equal(arrived_in_corner(row, to),
		bytes_written(to, to_bytes, row->bytes));
	munmap(from, from_bytes);
	munmap(to, to_bytes);
}

static void check_rows(const struct row *list, size_t count, bool folded)
{
	static const char *const targets[] = { "gfx942", "gfx1100", "sm_90" };
	layout_context *ctx = layout_context_new();

	for (size_t r = 0; r < count; r++)
		for (size_t t = 0; t < COUNT(targets); t++)
			check_row(ctx, &list[r], targets[t], folded);
	assert_true(layout_context_free(ctx));
}

static void test_large(void **state)
{
	(void)state;
	check_rows(rows, COUNT(rows), false);
}

/* More tiles on y, or on z, than are launched there: x has them. */
static const struct row folds[] = {
	{ &column2, &row2, "f16", 2, { (1 << 25) + 130, 64 } },
	{ &row2, &column2, "f32", 4, { 128, (1 << 24) + 64 } },
	{ &row2, &column2, "f32", 4, { 1030, 64 * PLACES + 1 } },
	{ &row3, &channels_last, "f32", 4, { (1 << 18) + 1, 64, 128 } },
};

static void test_folded(void **state)
{
	(void)state;
	check_rows(folds, COUNT(folds), true);
}

/* More tiles than are launched on x: those of the last workgroup, and no others, are there.  An
 * image has PARTS of them, each of so many elements of a dimension. */
#define PARTS 3
static const struct turns {
	struct row row;
	unsigned dim;
	int64_t part;
} turns[] = {
	{ { &row3, &channels_last, "f32", 4, { 3 << 24, 2 * 64 + 5, 1 } }, 1, 64 },
	{ { &channels_last, &row3, "f16", 2, { 5 << 24, 1, 2 * 64 + 1 } }, 2, 64 },
	{ { &row3, &channels_last, "i8", 1, { 3 << 24, 2 * 128 + 1, 1 } }, 1, 128 },
};

/* The elements of a tile that are, or have arrived, where they should; "put" them. */
static uint64_t walk_tile(const struct turns *turn, int64_t tile, unsigned char *memory,
	const struct storage_model *model, bool put)
{
	const struct row *row = &turn->row;
	int64_t i[MODEL_RANK] = { tile / PARTS }, *at = &i[turn->dim];
	int64_t end = (tile % PARTS + 1) * turn->part;
	uint64_t found = 0;

	for (*at = end - turn->part; *at < end && *at < row->n[turn->dim]; ++*at) {
		uint32_t value = value_of(row, i);
		unsigned char *there = memory + storage_model_offset(model, row->n, i) *
			row->bytes;

		if (put)
			memcpy(there, &value, row->bytes);
		found += !memcmp(there, &value, row->bytes);
	}
	return found;
}

/* How many are launched. */
static int64_t workgroups(layout_context *ctx, const struct row *row, const char *target)
{
	const layout_size sizes[] = { { "A", row->n[0] }, { "B", row->n[1] }, { "C", row->n[2] } };
	layout_kernel *kernel = kernel_of(ctx, row, target);
	int64_t grid[3];

	if (!kernel || !layout_kernel_grid(ctx, kernel, sizes, row->source->rank, grid))
		fail_msg("%s", layout_context_message(ctx));
	layout_kernel_free(kernel);
	assert_true(grid[0] < PARTS * row->n[0] && grid[1] == 1 && grid[2] == 1);
	return grid[0];
}

static void check_turns(layout_context *ctx, const struct turns *turn, const char *target)
{
	const struct row *row = &turn->row;
	size_t bytes = (size_t)storage_model_elements(row->source, row->n) * row->bytes;
	unsigned char *from = sparse(bytes), *to = sparse(bytes);
	int64_t most = workgroups(ctx, row, target);
	uint64_t expected = 0, found = 0;

	for (int64_t tile = most - 1; tile < PARTS * row->n[0]; tile += most)
		expected += walk_tile(turn, tile, from, row->source, true);
	run_last(ctx, row, target, from, to, true);
	for (int64_t tile = most - 1; tile < PARTS * row->n[0]; tile += most)
		found += walk_tile(turn, tile, to, row->destination, false);
	assert_true(expected > (uint64_t)turn->part);
	if (found != expected)
		fail_msg("%s on %s: %" PRIu64 " of %" PRIu64 " elements", row->type, target, found,
			expected);
	assert_int_equal(bytes_written(to, bytes, row->bytes), expected);
	munmap(from, bytes);
	munmap(to, bytes);
}

static void test_turns(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx1100", "sm_90" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t r = 0; r < COUNT(turns); r++)
		for (size_t t = 0; t < COUNT(targets); t++)
			check_turns(ctx, &turns[r], targets[t]);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_folded),
		cmocka_unit_test(test_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
