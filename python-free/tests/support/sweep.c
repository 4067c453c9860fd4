/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/sweep.h"

#include <layout/layout.h>

#include <stdlib.h>
#include <string.h>

#define PACKED(tiles, rest) "packed(encoding_info<{innerDimsPos = [0, 1], " \
	"innerTileSizes = " tiles rest "}>, [M, K])"
#define TILES(tiles) PACKED(tiles, "")
#define THREAD(n) "[\"CrossThread\", " #n "]"
#define LHS_F32 PACKED("[128, 16]", ", outerDimsPerm = [0, 1], swizzle = {expandShape = [[" \
	THREAD(4) ", " THREAD(8) ", " THREAD(4) "], [" THREAD(4) ", " THREAD(4) "]], " \
	"permutation = [1, 4, 0, 2, 3]}")
#define LHS_F16 PACKED("[128, 32]", ", outerDimsPerm = [0, 1], swizzle = {expandShape = [[" \
	THREAD(4) ", " THREAD(8) ", " THREAD(4) "], [" THREAD(2) ", " THREAD(4) ", " \
	THREAD(4) "]], permutation = [1, 4, 0, 2, 3, 5]}")
#define ORDER(order, sizes) "packed(encoding_info<{innerDimsPos = [], innerTileSizes = [], " \
	"outerDimsPerm = [" order "]}>, [" sizes "])"

#define ROWS "row_major[M, K]"
#define COPY(type) "remap(" ROWS " -> strided[M, K : P, 1], type = " type ")"
#define TURN(type) "remap(" ROWS " -> col_major[M, K], type = " type ")"
#define TO(destination, type) "remap(" ROWS " -> " destination ", type = " type ")"
#define FROM(source, type) "remap(" source " -> " ROWS ", type = " type ")"
#define PAD(type) "remap(chain(" ROWS ", pad([1, 1], [1, 1])) -> row_major[?, ?], type = " \
	type ")"
#define CHANNELS(type) "remap(chain(row_major[N, C, S], transpose([0, 2, 1])) -> " \
	"row_major[?, ?, ?], type = " type ")"
#define BACK(type) "remap(" ROWS " -> " ROWS ", type = " type ", map = [M, K] -> " \
	"{ [i, j] -> [i, K - 1 - j] })"
#define HEADS "remap(row_major[B, S, H, D] -> " ORDER("0, 2, 1, 3", "B, S, H, D") \
	", type = f16)"
#define STEPS(n, type) "remap(strided[M, K : 12400, " #n "] -> " ROWS ", type = " type ")"
#define SHIFT(type) "remap(row_major[M] -> row_major[M + 3], type = " type ", map = " \
	"{ [i] -> [i + 1] })"

#define WIDE { { "M", 64 }, { "K", 0 } }
#define PITCHED(m, k) { { "M", m }, { "K", k }, { "P", 4100 } }
#define TALL { { "M", 0 }, { "K", 64 } }
#define FEW { { "M", 0 }, { "K", 4 } }

const struct sweep sweeps[] = {
	{ "pitched copy f32", COPY("f32"), "K", PITCHED(64, 0) },
	{ "pitched copy f16", COPY("f16"), "K", PITCHED(64, 0) },
	{ "pitched copy i8", COPY("i8"), "K", PITCHED(64, 0) },
	{ "pitched copy f32, rows of 4", COPY("f32"), "M", PITCHED(0, 4) },
	{ "transpose f32", TURN("f32"), "K", WIDE },
	{ "transpose f32, rows", TURN("f32"), "M", TALL },
	{ "transpose f32, 4 columns", TURN("f32"), "M", FEW },
	{ "transpose f16", TURN("f16"), "K", WIDE },
	{ "transpose i8", TURN("i8"), "K", WIDE },
	{ "transpose f64", TURN("f64"), "K", WIDE },
	{ "tiles 16 x 16 f16", TO(TILES("[16, 16]"), "f16"), "K", WIDE },
	{ "tiles 16 x 16 f16, rows", TO(TILES("[16, 16]"), "f16"), "M", TALL },
	{ "tiles 16 x 16 f16, back", FROM(TILES("[16, 16]"), "f16"), "K", WIDE },
	{ "tiles 8 x 4 f32", TO(TILES("[8, 4]"), "f32"), "K", WIDE },
	{ "tiles 12 x 20 f32", TO(TILES("[12, 20]"), "f32"), "K", WIDE },
	{ "tiles 16 x 64 i8", TO(TILES("[16, 64]"), "i8"), "K", WIDE },
	{ "pack_lhs f32", TO(LHS_F32, "f32"), "K", { { "M", 256 }, { "K", 0 } } },
	{ "pack_lhs f32, rows", TO(LHS_F32, "f32"), "M", TALL },
	{ "pack_lhs f16", TO(LHS_F16, "f16"), "K", { { "M", 256 }, { "K", 0 } } },
	{ "unpack_lhs f32", FROM(LHS_F32, "f32"), "K", { { "M", 256 }, { "K", 0 } } },
	{ "pad by 1 f32", PAD("f32"), "K", WIDE },
	{ "pad by 1 f16", PAD("f16"), "K", WIDE },
	{ "NCHW to NHWC f32, channels", CHANNELS("f32"), "C",
	  { { "N", 2 }, { "C", 0 }, { "S", 48 } } },
	{ "NCHW to NHWC f32, 4 channels", CHANNELS("f32"), "S",
	  { { "N", 2 }, { "C", 4 }, { "S", 0 } } },
	{ "NCHW to NHWC f16, 8 channels", CHANNELS("f16"), "S",
	  { { "N", 2 }, { "C", 8 }, { "S", 0 } } },
	{ "NCHW to NHWC f32, images", CHANNELS("f32"), "N",
	  { { "N", 0 }, { "C", 16 }, { "S", 8 } } },
	{ "heads f16, their size", HEADS, "D",
	  { { "B", 2 }, { "S", 16 }, { "H", 4 }, { "D", 0 } } },
	{ "heads f16, how many", HEADS, "H",
	  { { "B", 1 }, { "S", 4 }, { "H", 0 }, { "D", 64 } } },
	{ "backwards f32", BACK("f32"), "K", WIDE },
	{ "backwards f16", BACK("f16"), "K", WIDE },
	{ "backwards i8", BACK("i8"), "K", WIDE },
	{ "every second f16", STEPS(2, "f16"), "K", WIDE },
	{ "every third f32", STEPS(3, "f32"), "K", WIDE },
	{ "every third i8", STEPS(3, "i8"), "K", WIDE },
	{ "shift by 1 f16", SHIFT("f16"), "M", { { "M", 0 } } },
	{ "shift by 1 i8", SHIFT("i8"), "M", { { "M", 0 } } },
	{ "f32 to f16, turned", "remap(" ROWS " -> col_major[M, K], type = f32 -> f16)", "K",
	  WIDE },
	{ "xor rows f16", "remap(row_major[M, 64] -> swizzled(row_major[M, 64], "
	  "xor_shuffle<64, 8>), type = f16)", "M", { { "M", 0 } } },
	{ "i4 tiles", "remap(row_major[M, 64] -> packed(encoding_info<{innerDimsPos = [0, 1], "
	  "innerTileSizes = [16, 32]}>, [M, 64]), type = i4)", "M", { { "M", 0 } } },
	{ "rank 5 turned f32", "remap(row_major[A, B, 4, 4, 4] -> col_major[A, B, 4, 4, 4], "
	  "type = f32)", "A", { { "A", 0 }, { "B", 4 } } },
};

const unsigned sweep_count = sizeof(sweeps) / sizeof(sweeps[0]);

const int64_t sweep_points[SWEEP_POINTS] = { 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33,
	63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 400, 511, 512, 513, 1000, 1023,
	1024, 1025, 2048, 3000, 4095, 4097 };

static unsigned size_count(const struct sweep *sweep)
{
	unsigned count = 0;

	while (count < SWEEP_SIZES && sweep->sizes[count].name)
		count++;
	return count;
}

layout_kernel *sweep_kernel(layout_context *ctx, const struct sweep *sweep)
{
	layout_remap *remap = layout_remap_parse(ctx, sweep->remap);
	layout_kernel *kernel = layout_kernel_new(remap, "gfx942", NULL);

	layout_remap_free(remap);
	return kernel;
}

/* Memory for a storage, filled. */
static void *room(layout_storage *storage, const layout_size *sizes, unsigned count,
	unsigned bits, int64_t *elements, size_t *bytes)
{
	void *memory;

	*elements = layout_storage_elements(storage, sizes, count);
	if (*elements < 0)
		return NULL;
	*bytes = ((size_t)*elements * bits + 7) / 8;
	memory = malloc(*bytes + 64);
	return memory ? memset(memory, 1, *bytes + 64) : NULL;
}

static double cells_of(const struct sweep *sweep, const layout_size *sizes, int64_t elements)
{
	double cells = 1;

	if (!strstr(sweep->remap, "strided["))
		return (double)elements;
	for (unsigned i = 0; i < size_count(sweep); i++)
		cells *= *sizes[i].name == 'P' ? 1 : (double)sizes[i].value;
	return cells;
}

static double lines_of(const layout_sim_stats *stats)
{
	uint64_t least = stats->load.wave_least_128 + stats->store.wave_least_128;

	return least ? (double)(stats->load.wave_segments_128 +
		stats->store.wave_segments_128) / (double)least : 1;
}

bool sweep_run(layout_context *ctx, const struct sweep *sweep, layout_kernel *kernel,
	int64_t size, struct sweep_point *point)
{
	layout_remap *remap = layout_remap_parse(ctx, sweep->remap);
	layout_size sizes[SWEEP_SIZES];
	layout_run run = LAYOUT_RUN_INIT;
	layout_sim_stats stats = { 0 };
	unsigned count = size_count(sweep);
	int64_t from_elements, to_elements = 0;
	void *from, *to;
	bool ok;

	memcpy(sizes, sweep->sizes, sizeof(sizes));
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(sizes[i].name, sweep->swept))
			sizes[i].value = size;
	from = room(layout_remap_source(remap), sizes, count,
		layout_remap_element_bits(remap), &from_elements, &run.source_bytes);
	to = room(layout_remap_destination(remap), sizes, count,
		layout_remap_destination_bits(remap), &to_elements, &run.destination_bytes);
	run.source = from;
	run.destination = to;
	run.sizes = sizes;
	run.size_count = count;
	run.stats = &stats;
	ok = from && to && layout_kernel_run(ctx, kernel, &run);
	free(from);
	free(to);
	layout_remap_free(remap);
	if (!ok)
		return false;
	point->cells = cells_of(sweep, sizes, to_elements);
	point->accesses = 64.0 * (double)(stats.load.wave_accesses +
		stats.store.wave_accesses) / point->cells;
	point->lines = lines_of(&stats);
	return true;
}
