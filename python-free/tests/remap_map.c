/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps with a map, and of twice swizzled storages, on the host and in the simulator,
 * against a walk over the source. */
#include "support/append.h"
#include "support/random.h"
#include "support/share.h"
#include "support/storage_model.h"

#include "lower/kernel.h"
#include <layout/codegen.h>
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define GUARD 64	/* bytes around a buffer */
#define RANK 4
#define RANDOM_MAPS 150

/* j = factor * x + i[also] + constant + (named ? P : 0) for x = i[from], or n - 1 - i
 * of it, divided by "quotient" or modulo "modulus" where that is not 0.  The
 * destination has "extra" indices beyond the largest j. */
struct coordinate {
	unsigned from;
	int64_t factor, quotient, modulus;
	int also;		/* < 0: nothing */
	bool reversed, named;
	int64_t constant, extra;
};

/* Sizes of the source are names, or numbers where "fixed" is not 0; elements below
 * "least" are not copied. */
struct mapping {
	struct storage_model source, destination;
	struct coordinate to[RANK];
	int64_t fixed[RANK], least[RANK];
	const char *type;
	unsigned bits;
	uint64_t pad;
};

static const char *const names[RANK] = { "A", "B", "C", "D" };

static const struct {
	const char *type;
	unsigned bits;
} types[] = {
	{ "i8", 8 }, { "f16", 16 }, { "f32", 32 }, { "i64", 64 }, { "u4", 4 }, { "i2", 2 },
	{ "f6E2M3FN", 6 },
};
#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

static int64_t floor_quotient(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t map_coordinate(const struct coordinate *to, const int64_t *n, int64_t p,
	const int64_t *i)
{
	int64_t x = to->reversed ? n[to->from] - 1 - i[to->from] : i[to->from];

	if (to->quotient)
		x = floor_quotient(x, to->quotient);
	if (to->modulus)
		x %= to->modulus;
	return to->factor * x + (to->also < 0 ? 0 : i[to->also]) + to->constant +
		(to->named ? p : 0);
}

static int64_t map_size(const struct coordinate *to, const int64_t *n, int64_t p)
{
	int64_t size = to->modulus ? to->modulus : n[to->from];

	return to->factor * size + to->constant + to->extra + (to->named ? p : 0);
}

static void source_size_text(const struct mapping *mapping, unsigned d, char text[32])
{
	if (mapping->fixed[d])
		snprintf(text, 32, "%" PRId64, mapping->fixed[d]);
	else
		snprintf(text, 32, "%s", names[d]);
}

static void storages_text(const struct mapping *mapping, char *source, char *destination)
{
	char from[RANK][32], to[RANK][80];
	const char *source_sizes[RANK], *destination_sizes[RANK];

	for (unsigned d = 0; d < mapping->source.rank; d++) {
		source_size_text(mapping, d, from[d]);
		source_sizes[d] = from[d];
	}
	for (unsigned d = 0; d < mapping->destination.rank; d++) {
		const struct coordinate *c = &mapping->to[d];
		int64_t beyond = c->constant + c->extra;

		if (c->modulus)
			snprintf(to[d], sizeof(to[d]), "%" PRId64, c->factor * c->modulus);
		else
			snprintf(to[d], sizeof(to[d]), "%" PRId64 "*%s", c->factor,
				from[c->from]);
		if (beyond)
			append_text(to[d], sizeof(to[d]), " %c %" PRId64,
				beyond < 0 ? '-' : '+', beyond < 0 ? -beyond : beyond);
		if (c->named)
			append_text(to[d], sizeof(to[d]), " + P");
		destination_sizes[d] = to[d];
	}
	storage_model_text(&mapping->source, source_sizes, source);
	storage_model_text(&mapping->destination, destination_sizes, destination);
}

static void coordinate_text(const struct mapping *mapping, const struct coordinate *c,
	char *text, size_t size)
{
	char from[32], x[100];

	source_size_text(mapping, c->from, from);
	if (c->reversed)
		snprintf(x, sizeof(x), "(%s - 1 - i%u)", from, c->from);
	else
		snprintf(x, sizeof(x), "i%u", c->from);
	if (c->quotient)
		append_text(text, size, "%" PRId64 "*floor(%s/%" PRId64 ")", c->factor, x,
			c->quotient);
	else if (c->modulus)
		append_text(text, size, "%" PRId64 "*(%s mod %" PRId64 ")", c->factor, x,
			c->modulus);
	else
		append_text(text, size, "%" PRId64 "*%s", c->factor, x);
	if (c->also >= 0)
		append_text(text, size, " + i%d", c->also);
	append_text(text, size, " + %" PRId64 "%s", c->constant, c->named ? " + P" : "");
}

static void map_text(const struct mapping *mapping, char *text, size_t size)
{
	unsigned rank = mapping->source.rank;
	bool some = false;

	snprintf(text, size, "[A, B, C, D, P] -> { [");
	for (unsigned d = 0; d < rank; d++)
		append_text(text, size, "%si%u", d ? ", " : "", d);
	append_text(text, size, "] -> [");
	for (unsigned d = 0; d < mapping->destination.rank; d++) {
		append_text(text, size, d ? ", " : "");
		coordinate_text(mapping, &mapping->to[d], text, size);
	}
	append_text(text, size, "]");
	for (unsigned d = 0; d < rank; d++)
		if (mapping->least[d]) {
			append_text(text, size,
				"%s i%u >= %" PRId64, some ? " and" : " :", d,
				mapping->least[d]);
			some = true;
		}
	append_text(text, size, " }");
}

static void remap_text(const struct mapping *mapping, char text[4 * MODEL_TEXT])
{
	char source[MODEL_TEXT], destination[MODEL_TEXT], map[MODEL_TEXT];

	storages_text(mapping, source, destination);
	map_text(mapping, map, sizeof(map));
	snprintf(text, 4 * MODEL_TEXT, "remap(%s -> %s, type = %s, pad = 0x%" PRIx64
		", map = %s)", source, destination, mapping->type, mapping->pad, map);
}

struct buffer {
	unsigned char *bytes;
	size_t size;
};

static struct buffer buffer_new(int64_t elements, unsigned bits, int fill)
{
	size_t size = ((size_t)elements * bits + 7) / 8;
	struct buffer buffer = { aligned_alloc(GUARD, (size / GUARD + 3) * GUARD), size };

	assert_non_null(buffer.bytes);
	memset(buffer.bytes, fill, (size / GUARD + 3) * GUARD);
	return buffer;
}

static bool get_bit(const struct buffer *buffer, size_t bit)
{
	return buffer->bytes[GUARD + bit / 8] >> bit % 8 & 1;
}

static void put_bit(struct buffer *buffer, size_t bit, bool value)
{
	unsigned char *byte = &buffer->bytes[GUARD + bit / 8];

	*byte = (unsigned char)((*byte & ~(1u << bit % 8)) | (unsigned)value << bit % 8);
}

static void put(struct buffer *buffer, unsigned bits, int64_t at, uint64_t value)
{
	for (unsigned b = 0; b < bits; b++)
		put_bit(buffer, (size_t)at * bits + b, value >> b & 1);
}

static void copy(struct buffer *to, int64_t at, const struct buffer *from, int64_t of,
	unsigned bits)
{
	for (unsigned b = 0; b < bits; b++)
		put_bit(to, (size_t)at * bits + b, get_bit(from, (size_t)of * bits + b));
}

static bool is_empty(unsigned rank, const int64_t *n)
{
	for (unsigned d = 0; d < rank; d++)
		if (!n[d])
			return true;
	return false;
}

/* Padding everywhere, gaps between strides aside. */
static void fill_padding(const struct mapping *mapping, const int64_t *m,
	struct buffer *to)
{
	const struct storage_model *model = &mapping->destination;
	int64_t elements = storage_model_elements(model, m), j[MODEL_RANK] = { 0 };

	if (model->kind != MODEL_STRIDED) {
		for (int64_t e = 0; e < elements; e++)
			put(to, mapping->bits, e, mapping->pad);
		for (size_t b = (size_t)elements * mapping->bits; b < to->size * 8; b++)
			put_bit(to, b, false);
	} else if (!is_empty(model->rank, m)) {
		do
			put(to, mapping->bits, storage_model_offset(model, m, j),
				mapping->pad);
		while (model_next_index(model->rank, m, j));
	}
}

static void reference(const struct mapping *mapping, const int64_t *n, const int64_t *m,
	int64_t p, const struct buffer *from, struct buffer *to)
{
	int64_t i[MODEL_RANK] = { 0 }, j[MODEL_RANK];

	fill_padding(mapping, m, to);
	if (is_empty(mapping->source.rank, n))
		return;
	do {
		bool copied = true;

		for (unsigned d = 0; d < mapping->source.rank; d++)
			copied = copied && i[d] >= mapping->least[d];
		for (unsigned d = 0; d < mapping->destination.rank; d++)
			j[d] = map_coordinate(&mapping->to[d], n, p, i);
		if (copied)
			copy(to, storage_model_offset(&mapping->destination, m, j), from,
				storage_model_offset(&mapping->source, n, i), mapping->bits);
	} while (model_next_index(mapping->source.rank, n, i));
}

static bool run(layout_context *ctx, layout_kernel *kernel, const int64_t *n, int64_t p,
	const struct buffer *from, struct buffer *to)
{
	layout_size sizes[RANK + 1];
	layout_run run = LAYOUT_RUN_INIT;

	for (unsigned d = 0; d < RANK; d++)
		sizes[d] = (layout_size){ names[d], n[d] };
	sizes[RANK] = (layout_size){ "P", p };
	run.source = from->bytes + GUARD;
	run.source_bytes = from->size;
	run.destination = to->bytes + GUARD;
	run.destination_bytes = to->size;
	run.sizes = sizes;
	run.size_count = RANK + 1;
	return layout_kernel_run(ctx, kernel, &run);
}

static bool check_sizes(layout_context *ctx, const struct mapping *mapping,
	layout_kernel *kernel, const int64_t *n, int64_t p)
{
	struct buffer from, to, expected;
	int64_t m[MODEL_RANK] = { 0 };
	size_t whole;
	bool good;

	for (unsigned d = 0; d < mapping->destination.rank; d++)
		m[d] = map_size(&mapping->to[d], n, p);
	from = buffer_new(storage_model_elements(&mapping->source, n), mapping->bits, 0);
	to = buffer_new(storage_model_elements(&mapping->destination, m), mapping->bits, 0xa5);
	expected = buffer_new(storage_model_elements(&mapping->destination, m),
		mapping->bits, 0xa5);
	for (size_t b = 0; b < from.size; b++)
		from.bytes[GUARD + b] = (unsigned char)(b * 167 + b / 256 * 31 + 11);
	reference(mapping, n, m, p, &from, &expected);
	good = run(ctx, kernel, n, p, &from, &to);
	if (!good)
		print_error("%s\n", layout_context_message(ctx));
	whole = (to.size / GUARD + 3) * GUARD;
	if (good && memcmp(to.bytes, expected.bytes, whole)) {
		size_t at = 0;

		while (to.bytes[at] == expected.bytes[at])
			at++;
		print_error("byte %td of %zu is %02x, not %02x\n", (ptrdiff_t)at - GUARD,
			to.size, to.bytes[at], expected.bytes[at]);
		good = false;
	}
	free(from.bytes);
	free(to.bytes);
	free(expected.bytes);
	return good;
}

/* Two sets of sizes: at the fixed ones, each as given. */
static void check_mapping(const struct mapping *mapping, const char *target,
	unsigned count, const int64_t (*sizes)[RANK + 1])
{
	layout_context *ctx = layout_context_new();
	char text[4 * MODEL_TEXT];
	layout_remap *remap;
	layout_kernel *kernel;

	remap_text(mapping, text);
	remap = layout_remap_parse(ctx, text);
	kernel = layout_kernel_new(remap, target, NULL);
	if (!kernel)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	for (unsigned s = 0; s < count; s++) {
		int64_t n[MODEL_RANK] = { 0 };

		for (unsigned d = 0; d < RANK; d++)
			n[d] = mapping->fixed[d] ? mapping->fixed[d] : sizes[s][d];
		if (!check_sizes(ctx, mapping, kernel, n, sizes[s][RANK]))
			fail_msg("%s\n\ton %s at %" PRId64 ", %" PRId64 ", %" PRId64
				", P = %" PRId64, text, target, n[0], n[1], n[2],
				sizes[s][RANK]);
	}
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

static void check_is_tiled(const struct mapping *mapping, const char *target)
{
	layout_context *ctx = layout_context_new();
	char text[4 * MODEL_TEXT];
	layout_remap *remap;
	layout_kernel *kernel;

	remap_text(mapping, text);
	remap = layout_remap_parse(ctx, text);
	kernel = layout_kernel_new(remap, target, NULL);
	assert_non_null(kernel);
	if (!kernel->plan->tile)
		fail_msg("%s: %s", text, plan_explanation(ctx, kernel->plan));
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

static const char *const targets[] = { "host", "gfx942", "gfx1100", "sm_90" };
#define TARGET_COUNT (sizeof(targets) / sizeof(targets[0]))

/* Source and destination of both ranks, dense, rows first. */
static struct mapping plain(unsigned from, unsigned to, size_t type)
{
	struct mapping mapping = { .source = { .kind = MODEL_ROW, .rank = from },
		.destination = { .kind = MODEL_ROW, .rank = to },
		.type = types[type].type, .bits = types[type].bits,
		.pad = 0x123456789abcdef5u & (~UINT64_C(0) >> (64 - types[type].bits)) };

	for (unsigned d = 0; d < to; d++)
		mapping.to[d] = (struct coordinate){ .from = d, .factor = 1, .also = -1 };
	for (unsigned d = 0; d < MODEL_RANK; d++)
		mapping.source.outer[d] = mapping.destination.outer[d] = d;
	return mapping;
}

/* A remap with one name of a size, between memory that the test has. */
static void run_text(layout_context *ctx, const char *text, const char *target,
	const layout_size *size, const void *from, size_t from_bytes, void *to, size_t to_bytes)
{
	layout_remap *remap = layout_remap_parse(ctx, text);
	layout_kernel *kernel = layout_kernel_new(remap, target, NULL);
	layout_run run = LAYOUT_RUN_INIT;

	memset(to, 0xa5, to_bytes);
	run.source = from;
	run.source_bytes = from_bytes;
	run.destination = to;
	run.destination_bytes = to_bytes;
	run.sizes = size;
	run.size_count = 1;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s on %s: %s", text, target, layout_context_message(ctx));
	layout_kernel_free(kernel);
	layout_remap_free(remap);
}

/* Nibbles in pairs, of which both are padding or none is, as words. */
static void pads_pairs(void **state)
{
	enum { K = 21, ROWS = 8, COLUMNS = 16, WIDE = 24, AT = 8 };
	static const char text[] = "remap(packed(encoding_info<{innerDimsPos = [1, 0, 2], "
		"innerTileSizes = [4, 1, 2], outerDimsPerm = [1, 0, 2]}>, [8, K, 16]) -> "
		"row_major[8, K + 6, 24], type = u4 -> u32, pad = 0, "
		"map = { [i0, i1, i2] -> [i0, i1 + 2, i2 + 8] })";
	enum { TILES = (K + 3) / 4, BYTES = TILES * ROWS * COLUMNS * 4 / 2 };
	const layout_size size = { "K", K };
	unsigned char from[BYTES];
	static uint32_t to[ROWS][K + 6][WIDE];

	(void)state;
	for (unsigned b = 0; b < BYTES; b++)
		from[b] = (unsigned char)(b * 37 + 11);
	for (unsigned t = 0; t < TARGET_COUNT; t++) {
		layout_context *ctx = layout_context_new();

		run_text(ctx, text, targets[t], &size, from, sizeof(from), to, sizeof(to));
		for (int i = 0; i < ROWS; i++)
			for (int j = 0; j < K + 6; j++)
				for (int k = 0; k < WIDE; k++) {
					int y = j - 2, x = k - AT, cell = ((y / 4 * ROWS + i) *
						(COLUMNS / 2) + x / 2) * 8 + y % 4 * 2 + x % 2;
					bool in = y >= 0 && y < K && x >= 0 && x < COLUMNS;

					assert_int_equal(to[i][j][k], in ? from[cell / 2] >>
						cell % 2 * 4 & 15 : 0);
				}
		assert_true(layout_context_free(ctx));
	}
}

/* Three rows in tiles of eight, last one first: the tiles have a digit that no row has. */
static void backward_in_part_of_a_tile(void **state)
{
	enum { K = 48, ROWS = 3, TILE = 8 };
	static const char text[] = "remap(row_major[3, K] -> packed(encoding_info<{innerDimsPos = "
		"[1], innerTileSizes = [8], outerDimsPerm = [0, 1], swizzle = {expandShape = "
		"[[[\"Internal\", 2 : i16], [\"CrossIntrinsic\", 4 : i16]]], permutation = "
		"[1, 0]}}>, [K, 3]), type = f32, map = { [i, j] -> [j, 2 - i] })";
	const layout_size size = { "K", K };

	(void)state;
	for (unsigned t = 0; t < TARGET_COUNT; t++) {
		layout_context *ctx = layout_context_new();
		_Alignas(16) float from[ROWS][K];
		_Alignas(16) float to[K][TILE];

		for (unsigned i = 0; i < ROWS * K; i++)
			from[i / K][i % K] = (float)(i + 1);
		run_text(ctx, text, targets[t], &size, from, sizeof(from), to, sizeof(to));
		for (unsigned k = 0; k < K; k++)
			for (unsigned row = 0; row < TILE; row++) {
				float element = row < ROWS ? from[2 - row][k] : 0;
				float is = to[k][row % 4 * 2 + row / 4];

				if (memcmp(&element, &is, sizeof(is)))
					fail_msg("%s: (%u, %u) is %g", targets[t], k, row, (double)is);
			}
		assert_true(layout_context_free(ctx));
	}
}

/* Padding is no element: it is not what the scale makes of a 0 that a masked load leaves. */
static void padding_is_not_scaled(void **state)
{
	static const char *const scales[] = { "-0.375", "-inf", "2" };
	enum { M = 10, FRONT = 8, ROWS = 7 };

	(void)state;
	for (unsigned t = 0; t < TARGET_COUNT; t++)
		for (unsigned s = 0; s < 3; s++) {
			layout_context *ctx = layout_context_new();
			_Alignas(16) float from[M][ROWS];
			_Alignas(16) float to[ROWS][M + FRONT];
			char text[256];
			const layout_size size = { "M", M };

			for (unsigned i = 0; i < M * ROWS; i++)
				from[i / ROWS][i % ROWS] = (float)(i + 1);
			snprintf(text, sizeof(text), "remap(row_major[M, 7] -> row_major[7, M + 8], "
				"type = f32, scale = %s, map = { [i, j] -> [6 - j, i + 8] })",
				scales[s]);
			run_text(ctx, text, targets[t], &size, from, sizeof(from), to, sizeof(to));
			for (unsigned j = 0; j < ROWS; j++)
				for (unsigned i = 0; i < M + FRONT; i++) {
					float element = i < FRONT ? 0 :
						strtof(scales[s], NULL) * from[i - FRONT][6 - j];

					if (memcmp(&element, &to[j][i], sizeof(element)))
						fail_msg("%s on %s: (%u, %u) is %g", text, targets[t],
							j, i, (double)to[j][i]);
				}
			assert_true(layout_context_free(ctx));
		}
}

/* Padding before and after, of both dimensions, for elements of every width: by the host and by
 * one of the simulated targets each. */
static void padding_of_both_dimensions(void **state)
{
	static const int64_t sizes[][RANK + 1] = { { 0, 0, 0, 0, 0 }, { 1, 1, 0, 0, 1 },
		{ 7, 13, 0, 0, 0 }, { 7, 13, 0, 0, 5 }, { 33, 65, 0, 0, 3 },
		{ 0, 4, 0, 0, 2 }, { 5, 0, 0, 0, 4 }, { 64, 64, 0, 0, 64 } };
	static const struct {
		bool named;
		int64_t constant, extra;
	} pads[] = { { false, 0, 0 }, { false, 0, 3 }, { true, 0, 0 }, { true, 1, 2 } };

	(void)state;
	for (size_t type = 0; type < TYPE_COUNT; type++)
		for (size_t k = 0; k < 4; k++) {
			struct mapping mapping = plain(2, 2, type);
			size_t other = (k + type) % 4;

			mapping.to[0].named = pads[k].named;
			mapping.to[0].constant = pads[k].constant;
			mapping.to[0].extra = pads[k].extra;
			mapping.to[1].named = pads[other].named;
			mapping.to[1].constant = pads[other].constant;
			mapping.to[1].extra = pads[other].extra;
			mapping.source.kind = type % 2 ? MODEL_COLUMN : MODEL_ROW;
			if (k % 2) {
				mapping.destination.kind = MODEL_PACKED;
				mapping.destination.tile[0] = 8;
				mapping.destination.tile[1] = 4;
			}
			for (unsigned t = 0; t < 2; t++)
				if (share_has((unsigned)(type + k), t, 2))
					check_mapping(&mapping, targets[t * (1 + (type + k) % 3)],
						8, sizes);
		}
}

/* Dimensions the other way round, on every side of a tile's edges. */
static void backwards(void **state)
{
	static const int64_t sizes[][RANK + 1] = { { 1, 1, 0, 0, 0 }, { 3, 7, 0, 0, 2 },
		{ 65, 33, 0, 0, 0 }, { 31, 130, 0, 0, 5 }, { 2, 517, 0, 0, 0 },
		{ 300, 5, 0, 0, 1 }, { 64, 256, 0, 0, 4 }, { 0, 9, 0, 0, 0 } };
	static const enum model_kind kinds[][2] = { { MODEL_ROW, MODEL_ROW },
		{ MODEL_COLUMN, MODEL_ROW }, { MODEL_ROW, MODEL_PACKED } };

	(void)state;
	for (size_t type = 0; type < 4; type++)
		for (unsigned set = 1; set < 8; set++) {
			struct mapping mapping = plain(2, 2, type);
			unsigned k = (unsigned)(type + set) % 3;

			mapping.to[0].reversed = set & 1;
			mapping.to[1].reversed = !mapping.to[0].reversed || set & 2;
			mapping.to[set / 2 % 2].named = set & 4;
			mapping.to[1].constant = set & 4 ? 3 : 0;
			mapping.to[0].extra = set & 4 ? 2 : 0;
			mapping.source.kind = kinds[k][0];
			mapping.destination.kind = kinds[k][1];
			mapping.destination.tile[0] = 8;
			mapping.destination.tile[1] = 16;
			if (!share_has((unsigned)type, set / 2, 4))
				continue;
			check_mapping(&mapping, targets[1 + set % 2], 8, sizes);
			check_is_tiled(&mapping, targets[1 + set % 2]);
		}
}

/* Rows that are shorter than the inner digits of the destination's tiles: the outer ones are
 * worth nothing in the source, wherever it counts from. */
static void short_backwards(void **state)
{
	static const int64_t sizes[][RANK + 1] = { { 1, 0, 0, 0, 0 }, { 33, 0, 0, 0, 0 },
		{ 129, 0, 0, 0, 0 } };
	static const int64_t radices[][3] = { { 8, 8 }, { 2, 4, 8 } };

	(void)state;
	for (unsigned type = 0; type < 4; type++)
		for (unsigned set = 0; set < 4; set++) {
			struct mapping mapping = plain(2, 2, type);

			mapping.fixed[1] = 7;
			mapping.to[0].reversed = set & 1;
			mapping.to[1].reversed = true;
			mapping.destination.kind = MODEL_PACKED;
			mapping.destination.tile[1] = 64;
			storage_model_split(&mapping.destination, 1, set / 2 ? 3 : 2,
				radices[set / 2]);
			for (unsigned t = 1; t < TARGET_COUNT; t++)
				if (share_has(type + set, t, TARGET_COUNT))
					check_mapping(&mapping, targets[t], 3, sizes);
		}
}

/* Vectors that are cut out of odd tiles, across where the destination ends. */
static void odd_tiles(void **state)
{
	static const int64_t sizes[][RANK + 1] = { { 1, 0, 0, 0, 0 }, { 8, 0, 0, 0, 0 },
		{ 9, 0, 0, 0, 0 }, { 12, 0, 0, 0, 0 }, { 77, 0, 0, 0, 0 }, { 333, 0, 0, 0, 0 } };

	(void)state;
	for (size_t type = 0; type < 4; type++)
		for (int64_t tile = 3; tile < 8; tile += 2) {
			struct mapping mapping = plain(1, 1, type);

			mapping.to[0].constant = 2;
			mapping.to[0].extra = 1;
			mapping.destination.kind = MODEL_PACKED;
			mapping.destination.tile[0] = tile;
			check_mapping(&mapping, targets[1 + type % 2], 6, sizes);
		}
}

static struct coordinate random_coordinate(uint64_t *state, unsigned from)
{
	struct coordinate to = { .from = from, .factor = 1 + random_below(state, 3),
		.also = -1, .reversed = random_below(state, 3) == 0,
		.named = random_below(state, 4) == 0,
		.constant = random_below(state, 4), .extra = random_below(state, 4) };

	if (random_below(state, 2))
		to.factor = 1;
	return to;
}

/* A coordinate, or a quotient and a remainder of one. */
static unsigned add_coordinates(uint64_t *state, struct mapping *mapping, unsigned from,
	unsigned count)
{
	struct coordinate to = random_coordinate(state, from);

	if (count + 1 + mapping->source.rank - from <= RANK && random_below(state, 4) == 0) {
		int64_t by = 2 + random_below(state, 6);

		mapping->to[count] = to;
		mapping->to[count].quotient = by;
		mapping->to[count + 1] = random_coordinate(state, from);
		mapping->to[count + 1].reversed = to.reversed;
		mapping->to[count + 1].modulus = by;
		return count + 2;
	}
	mapping->to[count] = to;
	return count + 1;
}

/* Two dimensions of the source in one: the second has a constant size. */
static unsigned add_join(uint64_t *state, struct mapping *mapping, unsigned from,
	unsigned count)
{
	int64_t inner = 2 + random_below(state, 9);

	mapping->fixed[from + 1] = inner;
	mapping->to[count] = (struct coordinate){ .from = from, .factor = inner,
		.also = (int)from + 1, .constant = random_below(state, 5),
		.extra = random_below(state, 3) };
	return count + 1;
}

static void random_storage(uint64_t *state, struct storage_model *model)
{
	static const enum model_kind kinds[] = { MODEL_ROW, MODEL_COLUMN, MODEL_PACKED };

	model->kind = kinds[random_below(state, 3)];
	for (unsigned d = 0; model->kind == MODEL_PACKED && d < model->rank; d++)
		model->tile[d] = 1 + random_below(state, 8);
}

static struct mapping random_mapping(uint64_t *state)
{
	struct mapping mapping = plain(1 + random_below(state, 3), 0,
		random_below(state, TYPE_COUNT));
	unsigned count = 0, rank = mapping.source.rank;

	for (unsigned d = 0; d < rank; d++) {
		mapping.least[d] = random_below(state, 4) ? 0 : random_below(state, 3);
		if (d + 1 < rank && random_below(state, 4) == 0) {
			count = add_join(state, &mapping, d, count);
			d++;
		} else {
			count = add_coordinates(state, &mapping, d, count);
		}
	}
	for (unsigned d = count; d-- > 1;) {
		unsigned other = random_below(state, d + 1);
		struct coordinate kept = mapping.to[d];

		mapping.to[d] = mapping.to[other];
		mapping.to[other] = kept;
	}
	mapping.destination.rank = count;
	random_storage(state, &mapping.source);
	random_storage(state, &mapping.destination);
	return mapping;
}

static void random_maps(void **state)
{
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(RANDOM_MAPS); i++) {
		struct mapping mapping = random_mapping(&seed);
		int64_t sizes[3][RANK + 1];

		for (unsigned s = 0; s < 3; s++)
			for (unsigned d = 0; d <= RANK; d++)
				sizes[s][d] = random_below(&seed, s ? 12 : 2);
		check_mapping(&mapping, targets[i % TARGET_COUNT], 3,
			(const int64_t (*)[RANK + 1])sizes);
	}
}

/* What the relation of a remap is, and that its text is read again. */
static const struct {
	const char *text, *relation;
} relations[] = {
	{ "remap(row_major[3] -> row_major[5], type = f32, map = { [i] -> [i + 2] })",
	  "{ cell[i] -> cell[i + 2] : 0 <= i < 3 }" },
	{ "remap(row_major[M] -> row_major[M + P], type = f32, map = [P] -> { [i] -> [i + P] })",
	  "[M, P] -> { cell[i] -> cell[i + P] : 0 <= i < M }" },
	{ "remap(row_major[M, 4] -> col_major[4, M], type = i8, map = "
	  "affine_map<(d0, d1) -> (d1, d0)>)",
	  "[M] -> { cell[i, j] -> cell[i, j] : 0 <= i < M and 0 <= j < 4 }" },
	{ "remap(row_major[9] -> row_major[4], type = i8, map = "
	  "{ [i] -> [i - 3] : 3 <= i < 7 })",
	  "{ cell[i] -> cell[i - 3] : 3 <= i < 7 }" },
};

static void relations_of_remaps(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++) {
		layout_context *ctx = layout_context_new();
		layout_remap *read = layout_remap_parse(ctx, relations[i].text);
		layout_remap *remap = layout_remap_copy(read);
		layout_relation *is = layout_remap_relation(remap);
		layout_relation *wanted = layout_relation_read(ctx, relations[i].relation);
		char *text = layout_remap_str(remap);
		layout_remap *again = layout_remap_parse(ctx, text);
		char *same = layout_remap_str(again);

		assert_int_equal(layout_relation_equal(is, wanted, NULL), LAYOUT_YES);
		assert_non_null(same);
		assert_string_equal(text, same);
		layout_string_free(text);
		layout_string_free(same);
		layout_relation_free(is);
		layout_relation_free(wanted);
		layout_remap_free(read);
		layout_remap_free(remap);
		layout_remap_free(again);
		assert_true(layout_context_free(ctx));
	}
}

/* "kernel" is whether only a kernel finds out. */
static const struct {
	const char *text;
	layout_error kind;
	const char *message;
	bool kernel;
} bad[] = {
	{ "remap(row_major[M] -> row_major[M], type = f32, map = { [i] -> [i + 1] })",
	  LAYOUT_ERROR_INVALID, "outside of the destination: M = 1: (0), (1)", true },
	{ "remap(row_major[M] -> row_major[M], type = f32, map = { [i] -> [i - 1] })",
	  LAYOUT_ERROR_INVALID, "outside of the destination: M = 1: (0), (-1)", true },
	{ "remap(row_major[M] -> row_major[M], type = f32, map = { [i] -> [floor(i/2)] })",
	  LAYOUT_ERROR_INVALID, "two elements to one index of the destination: M = 2: (0), (1)",
	  true },
	{ "remap(row_major[M, 4] -> row_major[M], type = f32, map = { [i, j] -> [i] })",
	  LAYOUT_ERROR_INVALID, "two elements to one index", true },
	{ "remap(row_major[M] -> row_major[M, 2], type = f32, map = "
	  "{ [i] -> [i, j] : 0 <= j < 3 })",
	  LAYOUT_ERROR_INVALID, "outside of the destination: M = 1: (0), (0, 2)", true },
	{ "remap(row_major[M] -> row_major[M + 1], type = f32, map = "
	  "{ [i] -> [k] : i <= k < i + 2 })",
	  LAYOUT_ERROR_INVALID, "two elements to one index", true },
	/* where whole tiles have room for digits that move as one, and the index has not */
#define TILED(dim, tile, sizes) "packed(encoding_info<{innerDimsPos = [" dim "], " \
	"innerTileSizes = [" tile "]}>, [" sizes "]), type = i32, "
	{ "remap(row_major[16] -> " TILED("1", "8", "2, 5") "map = "
	  "{ [i] -> [floor(i/8), i mod 8] })",
	  LAYOUT_ERROR_INVALID, "outside of the destination: (5), (0, 5)", true },
	{ "remap(row_major[3, 1] -> " TILED("0", "4", "2") "map = { [i, j] -> [i + j] })",
	  LAYOUT_ERROR_INVALID, "outside of the destination: (2, 0), (2)", true },
	{ "remap(row_major[M, 2] -> " TILED("0", "4", "2*M + 1") "map = "
	  "{ [i, j] -> [2*i + j + 2] })",
	  LAYOUT_ERROR_INVALID, "outside of the destination: M = 1: (0, 1), (3)", true },
	{ "remap(row_major[M] -> row_major[M], type = f32, map = { [i, j] -> [i] })",
	  LAYOUT_ERROR_SPACE, "inputs have rank 2, the source's logical tensor has 1", false },
	{ "remap(row_major[M] -> row_major[M], type = f32, map = { [i] -> [i, 0] })",
	  LAYOUT_ERROR_SPACE, "images have rank 2", false },
	{ "remap(row_major[M] -> row_major[M], type = f32, map = { cell[i] -> [i] })",
	  LAYOUT_ERROR_SPACE, "from logical[..] to logical[..]", false },
	{ "remap(row_major[M] -> row_major[M], type = f32, map = { [i] : i < 3 })",
	  LAYOUT_ERROR_PARSE, "a relation", false },
	{ "remap(row_major[M] -> row_major[M], type = f32, map = (4):(1))",
	  LAYOUT_ERROR_PARSE, "an affine_map or a relation", false },
	{ "remap(row_major[M] -> row_major[M], map = { [i] -> [i] }, map = { [i] -> [i] }, "
	  "type = i8)",
	  LAYOUT_ERROR_PARSE, "map", false },
	{ "remap(row_major[M] -> row_major[M], map = { [i] -> [i] })",
	  LAYOUT_ERROR_PARSE, "type", false },
	{ "remap(row_major[M] -> row_major[M, 1], type = i8)",
	  LAYOUT_ERROR_SPACE, "rank", false },
};

static void bad_maps(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		layout_context *ctx = layout_context_new();
		layout_remap *remap = layout_remap_parse(ctx, bad[i].text);
		layout_kernel *kernel;

		if ((remap != NULL) != bad[i].kernel)
			fail_msg("%s: %s", bad[i].text, layout_context_message(ctx));
		kernel = layout_kernel_new(remap, "gfx942", NULL);
		assert_null(kernel);
		if (!strstr(layout_context_message(ctx), bad[i].message))
			fail_msg("%s: %s", bad[i].text, layout_context_message(ctx));
		assert_int_equal(layout_context_error(ctx), bad[i].kind);
		layout_remap_free(remap);
		assert_true(layout_context_free(ctx));
	}
}

/* Elements that turn around the end stay inside where the shift is assumed to be small:
 * two pieces. */
static void rotation(void **state)
{
	static const char text[] = "remap(row_major[M] -> row_major[M], type = i8, map = "
		"[M, S] -> { [i] -> [i + S] : i < M - S; [i] -> [i + S - M] : i >= M - S })";

	(void)state;
	for (size_t t = 0; t < TARGET_COUNT; t++) {
		layout_context *ctx = layout_context_new();
		layout_remap *remap = layout_remap_assume(layout_remap_parse(ctx, text),
			"S <= M");
		layout_kernel *kernel = layout_kernel_new(remap, targets[t], NULL);
		layout_size sizes[] = { { "M", 37 }, { "S", 11 } };
		struct buffer from = buffer_new(37, 8, 0), to = buffer_new(37, 8, 0xa5);
		layout_run run = LAYOUT_RUN_INIT;

		assert_string_equal(layout_remap_size_name(remap, 1), "S");
		for (int i = 0; i < 37; i++)
			from.bytes[GUARD + i] = (unsigned char)(i + 1);
		run.source = from.bytes + GUARD;
		run.destination = to.bytes + GUARD;
		run.source_bytes = run.destination_bytes = 37;
		run.sizes = sizes;
		run.size_count = 2;
		if (!layout_kernel_run(ctx, kernel, &run))
			fail_msg("%s", layout_context_message(ctx));
		for (int i = 0; i < 37; i++)
			assert_int_equal(to.bytes[GUARD + (i + 11) % 37], i + 1);
		sizes[1].value = 38;
		assert_false(layout_kernel_run(ctx, kernel, &run));
		free(from.bytes);
		free(to.bytes);
		layout_kernel_free(kernel);
		layout_remap_free(remap);
		assert_true(layout_context_free(ctx));
	}
}

/* Every element three times, and a column of padding. */
static void several_indices(void **state)
{
	static const char text[] = "remap(row_major[M] -> row_major[4, M], type = i8, "
		"pad = 7, map = { [i] -> [j, i] : 1 <= j < 4 })";

	(void)state;
	for (size_t t = 0; t < TARGET_COUNT; t++) {
		layout_context *ctx = layout_context_new();
		layout_remap *remap = layout_remap_parse(ctx, text);
		layout_kernel *kernel = layout_kernel_new(remap, targets[t], NULL);
		layout_size size = { "M", 37 };
		struct buffer from = buffer_new(37, 8, 0), to = buffer_new(4 * 37, 8, 0xa5);
		layout_run run = LAYOUT_RUN_INIT;

		for (int i = 0; i < 37; i++)
			from.bytes[GUARD + i] = (unsigned char)(i + 11);
		run.source = from.bytes + GUARD;
		run.destination = to.bytes + GUARD;
		run.source_bytes = 37;
		run.destination_bytes = 4 * 37;
		run.sizes = &size;
		run.size_count = 1;
		if (!layout_kernel_run(ctx, kernel, &run))
			fail_msg("%s", layout_context_message(ctx));
		for (int i = 0; i < 4 * 37; i++)
			assert_int_equal(to.bytes[GUARD + i], i < 37 ? 7 : i % 37 + 11);
		free(from.bytes);
		free(to.bytes);
		layout_kernel_free(kernel);
		layout_remap_free(remap);
		assert_true(layout_context_free(ctx));
	}
}

#define TWICE "swizzled(swizzled(row_major[M, 16], Sw<1,0,3>), Sw<2,2,2>)"

/* Bit 0 by bit 3, then bits 2 and 3 by bits 4 and 5: the second changes what the first
 * read. */
static size_t twice(size_t offset)
{
	offset ^= offset / 8 % 2;
	return offset ^ offset / 16 % 4 * 4;
}

/* Of 16 columns of 4 elements, row i of 64 begins with the last i. */
static size_t rotated(size_t offset)
{
	return offset / 64 * 64 + (offset + 4 * (offset / 64)) % 64;
}

/* Row i of 64 goes 12 * i on. */
static size_t turned(size_t offset)
{
	return offset / 64 * 64 + (offset + 12 * (offset / 64)) % 64;
}

/* Row i, j of 32 goes i + 2 * j on. */
static size_t turned_by_both(size_t offset)
{
	size_t row = offset / 32;

	return row * 32 + (offset + row / 3 + 2 * (row % 3)) % 32;
}

#define TURN(columns, forward, backward) { \
	"remap(row_major[M, " columns "] -> row_major[M, " columns "], type = i8, " \
	"map = [M] -> { " forward " })", \
	"remap(row_major[M, " columns "] -> row_major[M, " columns "], type = i8, " \
	"map = [M] -> { " backward " })" }

static const struct {
	const char *texts[2];	/* to the swizzled one, and back */
	int64_t columns;
	size_t (*place)(size_t offset);
} swizzled_rows[] = {
	{ { "remap(row_major[M, 16] -> " TWICE ", type = i8)",
	    "remap(" TWICE " -> row_major[M, 16], type = i8)" }, 16, twice },
	{ { "remap(row_major[M, 4, 16] -> swizzled(row_major[M, 64], rotate_rows<64, 4>), "
	    "type = i8, map = { [i, j, k] -> [i, 16j + k] })",
	    "remap(swizzled(row_major[M, 64], rotate_rows<64, 4>) -> row_major[M, 4, 16], "
	    "type = i8, map = { [i, j] -> [i, floor(j/16), j mod 16] })" }, 64, rotated },
	{ TURN("64", "[i, j] -> [i, (j + 12*i) mod 64]", "[i, j] -> [i, (j - 12*i) mod 64]"),
	  64, turned },
	{ TURN("3, 32", "[i, j, k] -> [i, j, (k + i + 2*j) mod 32]",
	       "[i, j, k] -> [i, j, (k - i - 2*j) mod 32]"), 96, turned_by_both },
};

static void run_swizzled(layout_context *ctx, layout_kernel *kernel, size_t row, bool back,
	int64_t rows)
{
	int64_t count = swizzled_rows[row].columns * rows;
	size_t (*place)(size_t) = swizzled_rows[row].place;
	layout_size size = { "M", rows };
	struct buffer from = buffer_new(count, 8, 0), to = buffer_new(count, 8, 0xa5);
	layout_run run = LAYOUT_RUN_INIT;

	for (size_t i = 0; i < from.size; i++)
		from.bytes[GUARD + i] = (unsigned char)(i * 167 + i / 256);
	run.source = from.bytes + GUARD;
	run.destination = to.bytes + GUARD;
	run.source_bytes = run.destination_bytes = from.size;
	run.sizes = &size;
	run.size_count = 1;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s", layout_context_message(ctx));
	for (size_t i = 0; i < from.size; i++)
		assert_int_equal(to.bytes[GUARD + (back ? i : place(i))],
			from.bytes[GUARD + (back ? place(i) : i)]);
	free(from.bytes);
	free(to.bytes);
}

static void run_swizzled_row(const char *target, size_t row, bool back)
{
	static const int64_t heights[] = { 1, 5, 70 };
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx, swizzled_rows[row].texts[back]);
	layout_kernel *kernel = layout_kernel_new(remap, target, NULL);

	if (!kernel)
		fail_msg("%s: %s", swizzled_rows[row].texts[back], layout_context_message(ctx));
	for (size_t i = 0; i < 3; i++)
		run_swizzled(ctx, kernel, row, back, heights[i]);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

static void swizzled_storages(void **state)
{
	(void)state;
	for (size_t row = 0; row < sizeof(swizzled_rows) / sizeof(*swizzled_rows); row++)
		for (size_t t = 0; t < TARGET_COUNT; t++)
			for (size_t back = 0; back < 2; back++)
				if (share_has((unsigned)(row + back), (unsigned)t, TARGET_COUNT))
					run_swizzled_row(targets[t], row, back);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(padding_is_not_scaled),
		cmocka_unit_test(pads_pairs),
		cmocka_unit_test(backward_in_part_of_a_tile),
		cmocka_unit_test(relations_of_remaps),
		cmocka_unit_test(bad_maps),
		cmocka_unit_test(rotation),
		cmocka_unit_test(several_indices),
		cmocka_unit_test(swizzled_storages),
		cmocka_unit_test(backwards),
		cmocka_unit_test(short_backwards),
		cmocka_unit_test(odd_tiles),
		cmocka_unit_test(padding_of_both_dimensions),
		cmocka_unit_test(random_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
