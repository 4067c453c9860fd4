/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles whose offsets do not fit 32 bits, though they have few elements: rows that lie
 * far apart, in memory of which only what is touched exists. */
#include "lower/kernel.h"

#include <layout/codegen.h>
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define BLOCKS(b) "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [16, 16], " \
	"outerDimsPerm = [0, 1]}>, [A, " b "])"

enum order { FAR_ROWS, COLUMNS, TILES };

/* Elements of "bits" bits; rows are "pitch" elements apart. */
struct side {
	enum order order;
	unsigned bits;
	int64_t pitch;
};

static const struct row {
	const char *remap;
	struct side source, destination;
	unsigned shift;		/* an element's bits in the destination's */
	unsigned pad;
	int64_t pitch;		/* of the size P; 0: there is none */
	int64_t columns;	/* 0: any */
	bool fits;		/* 32 bits, if not those of a cheap product */
} rows[] = {
	{ "remap(strided[A, B : 16777216, 1] -> col_major[A, B], type = f32)",
	  { FAR_ROWS, 32, 1 << 24 }, { COLUMNS, 32, 0 }, 0, 0, 0, 0 },
	{ "remap(col_major[A, B] -> strided[A, B : P, 1], type = f32)",
	  { COLUMNS, 32, 0 }, { FAR_ROWS, 32, 1 << 24 }, 0, 0, 1 << 24, 0 },
	{ "remap(strided[A, B : P, 1] -> col_major[A, B], type = i8)",
	  { FAR_ROWS, 8, 1 << 26 }, { COLUMNS, 8, 0 }, 0, 0, 1 << 26, 0 },
	{ "remap(col_major[A, B] -> strided[A, B : P, 1], type = f16)",
	  { COLUMNS, 16, 0 }, { FAR_ROWS, 16, (1 << 25) + 3 }, 0, 0,
	  (1 << 25) + 3, 0 },
	{ "remap(strided[A, B : P, 1] -> col_major[A, B], type = f32)",
	  { FAR_ROWS, 32, (1 << 22) + 5 }, { COLUMNS, 32, 0 }, 0, 0, (1 << 22) + 5, 0, true },
	{ "remap(col_major[A, B] -> strided[A, B : P, 1], type = f32)",
	  { COLUMNS, 32, 0 }, { FAR_ROWS, 32, (1 << 23) - 9 }, 0, 0, (1 << 23) - 9, 0, true },
	{ "remap(strided[A, 64 : 134217728, 1] -> " BLOCKS("64") ", type = i4, pad = 5)",
	  { FAR_ROWS, 4, 1 << 27 }, { TILES, 4, 0 }, 0, 5, 0, 64 },
	{ "remap(strided[A, B : P, 1] -> " BLOCKS("B") ", type = bf16 -> f32, pad = 1)",
	  { FAR_ROWS, 16, 1 << 27 }, { TILES, 32, 0 }, 16, 0x3f800000, 1 << 27, 0 },
};

static const int64_t shapes[][2] = { { 1, 1 }, { 3, 130 }, { 65, 63 }, { 128, 64 } };

static int64_t blocks(int64_t n)
{
	return (n + 15) / 16;
}

static int64_t place_of(const struct side *side, const int64_t *n, int64_t i, int64_t j)
{
	switch (side->order) {
	case FAR_ROWS:
		return i * side->pitch + j;
	case COLUMNS:
		return j * n[0] + i;
	default:
		return (i / 16 * blocks(n[1]) + j / 16) * 256 + i % 16 * 16 + j % 16;
	}
}

static size_t bytes_of(const struct side *side, const int64_t *n)
{
	int64_t elements = side->order == TILES ? blocks(n[0]) * blocks(n[1]) * 256 :
		place_of(side, n, n[0] - 1, n[1] - 1) + 1;

	return (size_t)(elements * side->bits + 7) / 8;
}

static void put(unsigned char *memory, const struct side *side, int64_t at, uint32_t value)
{
	unsigned char *byte = memory + at * side->bits / 8;

	if (side->bits == 4)
		*byte = (unsigned char)(at % 2 ? (*byte & 0xf) | value << 4 :
			(*byte & 0xf0) | value);
	else
		memcpy(byte, &value, side->bits / 8);
}

static uint32_t get(const unsigned char *memory, const struct side *side, int64_t at)
{
	const unsigned char *byte = memory + at * side->bits / 8;
	uint32_t value = 0;

	if (side->bits == 4)
		return at % 2 ? *byte >> 4 : *byte & 0xf;
	memcpy(&value, byte, side->bits / 8);
	return value;
}

/* Bits of an element; no pattern is that of a NaN. */
static uint32_t value_of(const struct side *source, int64_t i, int64_t j)
{
	uint64_t hash = (uint64_t)(i * 1000 + j + 1) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t value = (uint32_t)(hash >> 32) & 0xbf7fbf7f;

	return source->bits == 32 ? value : value & ((1u << source->bits) - 1);
}

static unsigned char *sparse(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	return memory;
}

static void check_elements(const struct row *row, const int64_t *n,
	const unsigned char *to)
{
	int64_t rounded[2] = { n[0], n[1] };

	if (row->destination.order == TILES) {
		rounded[0] = 16 * blocks(n[0]);
		rounded[1] = 16 * blocks(n[1]);
	}
	for (int64_t i = 0; i < rounded[0]; i++)
		for (int64_t j = 0; j < rounded[1]; j++) {
			uint32_t got = get(to, &row->destination,
				place_of(&row->destination, n, i, j));
			uint32_t want = i < n[0] && j < n[1] ?
				value_of(&row->source, i, j) << row->shift : row->pad;

			if (got != want)
				fail_msg("%s: (%" PRId64 ", %" PRId64 ") of %" PRId64
					" x %" PRId64 " is %x, not %x", row->remap, i, j,
					n[0], n[1], got, want);
		}
}

static bool is_narrow(const struct side *side, const layout_sim_traffic *traffic)
{
	static const unsigned widths[] = { 8, 16, 32, 64, 96, 128 };

	for (size_t w = 0; w < COUNT(widths); w++)
		if (widths[w] > side->bits && widths[w] > 8 && traffic->widths[w])
			return false;
	return true;
}

/* Wide where offsets fit, and what sticks out is kept out by buffers; else element by element:
 * nothing is accessed at once but what shares a byte; of a tile that goes through the LDS on the
 * far side alone.  Without buffers, all ways have 64-bit offsets. */
static void check_widths(const layout_kernel *kernel, const struct row *row,
	const layout_sim_stats *stats)
{
	bool staged = kernel->plan->tile->move_count == 2;

	if (!chip_of(kernel->target)->code.buffers)
		return;
	if (row->fits && (is_narrow(&row->source, &stats->load) ||
	    is_narrow(&row->destination, &stats->store)))
		fail_msg("%s: narrow accesses", row->remap);
	if (row->fits)
		return;
	if ((!staged || row->source.order == FAR_ROWS) &&
	    !is_narrow(&row->source, &stats->load))
		fail_msg("%s: wide loads", row->remap);
	if ((!staged || row->destination.order == FAR_ROWS) &&
	    !is_narrow(&row->destination, &stats->store))
		fail_msg("%s: wide stores", row->remap);
}

static void check_shape(layout_context *ctx, layout_kernel *kernel,
	const struct row *row, const int64_t *n)
{
	const layout_size sizes[] = { { "A", n[0] }, { "B", n[1] }, { "P", row->pitch } };
	layout_run run = LAYOUT_RUN_INIT;
	layout_sim_stats stats = { 0 };
	unsigned char *from, *to;

	run.source_bytes = bytes_of(&row->source, n);
	run.destination_bytes = bytes_of(&row->destination, n);
	run.source = from = sparse(run.source_bytes);
	run.destination = to = sparse(run.destination_bytes);
	run.sizes = sizes;
	run.size_count = row->pitch ? 3 : 2;
	run.stats = &stats;
	run.kernel = "remap";	/* of others, that are chosen here, offsets fit */
	for (int64_t i = 0; i < n[0]; i++)
		for (int64_t j = 0; j < n[1]; j++)
			put(from, &row->source, place_of(&row->source, n, i, j),
				value_of(&row->source, i, j));
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s: %s", row->remap, layout_context_message(ctx));
	check_elements(row, n, to);
	if (!row->fits || n[0] * n[1] > 4096)
		check_widths(kernel, row, &stats);
	munmap(from, run.source_bytes);
	munmap(to, run.destination_bytes);
}

static void test_far(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx1100", "sm_90" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t r = 0; r < COUNT(rows); r++)
		for (size_t t = 0; t < COUNT(targets); t++) {
			layout_remap *remap = layout_remap_parse(ctx, rows[r].remap);
			layout_kernel *kernel = layout_kernel_new(remap, targets[t],
				NULL);

			layout_remap_free(remap);
			if (!kernel)
				fail_msg("%s", layout_context_message(ctx));
			for (size_t s = 0; s < COUNT(shapes); s++) {
				const int64_t n[] = { shapes[s][0], rows[r].columns ?
					rows[r].columns : shapes[s][1] };

				check_shape(ctx, kernel, &rows[r], n);
			}
			layout_kernel_free(kernel);
		}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
