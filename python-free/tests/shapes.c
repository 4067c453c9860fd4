/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The shapes of kernels whose sizes a launch tells: each does the same, and the one that is
 * taken fits the sizes. */
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>

#include <ctype.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#ifdef __SANITIZE_ADDRESS__
#define RUNS 3		/* of a run with sanitizers, which takes several times as long */
#else
#define RUNS 5
#endif
#define MOST_SHAPES 12
#define CLIFF 4		/* times what is predicted for one less */
#define LARGE 4096	/* elements: tensors of fewer take as long as a launch */
#define MOST_SIZES 5

#define ORDER(dims, sizes) "packed(encoding_info<{innerDimsPos = [], " \
	"innerTileSizes = [], outerDimsPerm = [" dims "]}>, [" sizes "])"
#define TURN(type) "remap(row_major[M, K] -> col_major[M, K], type = " type ")"
#define PITCHED "remap(row_major[M, K] -> strided[M, K : P, 1], type = f32)"
#define HEADS "remap(row_major[B, S, H, D] -> " ORDER("0, 2, 1, 3", "B, S, H, D") \
	", type = f16)"
#define IMAGES "remap(row_major[N, C, H, W] -> " ORDER("0, 2, 3, 1", "N, C, H, W") \
	", type = f32)"
#define FIVE(type) "remap(row_major[A, B, C, D, E] -> col_major[A, B, C, D, E], " \
	"type = " type ")"
#define SWAPPED(type) "remap(row_major[M, K, L] -> " ORDER("1, 0, 2", "M, K, L") ", type = " type ")"
#define TILED "remap(row_major[M, K] -> packed(encoding_info<{innerDimsPos = [0, 1], " \
	"innerTileSizes = [16, 8], outerDimsPerm = [0, 1]}>, [M, K]), type = f16, pad = 1)"

#define SWIZZLED "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 64], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4], " \
	"[\"CrossThread\", 8], [\"CrossThread\", 4]], [[\"CrossThread\", 4], " \
	"[\"CrossThread\", 16]]], permutation = [3, 1, 0, 4, 2]}}>, [M, K])"
#define UNPACKED "remap(" SWIZZLED " -> row_major[M, K], type = f32)"
#define NARROW "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4], " \
	"[\"CrossThread\", 8], [\"CrossThread\", 4]], [[\"CrossThread\", 4], " \
	"[\"CrossThread\", 4]]], permutation = [1, 4, 0, 2, 3]}}>, [M, K])"
#define PACKED "remap(row_major[M, K] -> " NARROW ", type = f32)"
#define PADDED(type) "remap(chain(row_major[M, K], pad([3, 3], [1, 2])) -> " \
	"row_major[?, ?], type = " type ")"

#define BLOCKS "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [4], " \
	"outerDimsPerm = [0, 1, 2]}>, [A, 7, C])"
#define STAGED "remap(chain(" BLOCKS ", pad([3, 0, 0], [5, 0, 0])) -> " \
	"col_major[A + 8, 7, C], type = i64)"

/* Rows of a known length in another order. */
#define TURNED_ROWS(length, type) "remap(row_major[S, H, " length "] -> " \
	ORDER("1, 0, 2", "S, H, " length) ", type = " type ")"

/* Few channels, first in one order and first in the other. */
#define CHANNELS(count, type) "remap(row_major[2, " count ", P] -> row_major[2, P, " count \
	"], type = " type ", map = [P] -> { [i, c, p] -> [i, p, c] })"

static layout_kernel *kernel_of(layout_context *ctx, const char *text, const char *target)
{
	layout_remap *remap = layout_remap_parse(ctx, text);
	layout_kernel *kernel = layout_kernel_new(remap, target, NULL);

	layout_remap_free(remap);
	if (!kernel)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	return kernel;
}

static char *json_of(layout_context *ctx, layout_kernel *kernel, const layout_size *sizes,
	unsigned count)
{
	size_t length;
	char *json = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_JSON, sizes, count,
		&length);

	if (!json)
		fail_msg("%s", layout_context_message(ctx));
	return json;
}

/* The names of a kernel's shapes, from its JSON; how many there are. */
static unsigned find_shapes(layout_context *ctx, layout_kernel *kernel,
	char names[MOST_SHAPES][64])
{
	char *json = json_of(ctx, kernel, NULL, 0);
	const char *at = strstr(json, "\"shapes\"");
	unsigned count = 0;

	for (; at && (at = strstr(at, "{\"kernel\": \"")); count++) {
		at += strlen("{\"kernel\": \"");
		assert_true(count < MOST_SHAPES);
		assert_int_equal(sscanf(at, "%63[^\"]", names[count]), 1);
	}
	layout_string_free(json);
	return count;
}

/* How many shapes there are, and which one sizes take. */
static const struct {
	const char *remap, *assume;
	unsigned shapes;		/* 0: the JSON does not speak of any */
	layout_size sizes[MOST_SIZES];
	const char *kernel;
} taken[] = {
	{ TURN("f32"), NULL, 5, { { "M", 4096 }, { "K", 4096 } }, "remap" },
	{ TURN("f32"), NULL, 5, { { "M", 4 }, { "K", 2048 } }, "remap_shape2" },
	{ TURN("f32"), NULL, 5, { { "M", 2048 }, { "K", 4 } }, "remap_shape1" },
	{ TURN("f32"), NULL, 5, { { "M", 0 }, { "K", 4 } }, "remap" },
	{ TURN("f32"), NULL, 5, { { "M", 64 }, { "K", 64 * 65535 } }, "remap" },
	{ TURN("f32"), NULL, 5, { { "M", 64 }, { "K", 64 * 65535 + 1 } }, "remap" },
	{ HEADS, NULL, 5, { { "B", 1 << 18 }, { "S", 1 }, { "H", 16 }, { "D", 4096 } },
		"remap" },
	{ TURN("f32"), "M = 64 and K = 64", 0, { { "M", 64 }, { "K", 64 } }, "remap" },
	{ PITCHED, NULL, 4, { { "M", 16 }, { "K", 100 }, { "P", 104 } }, "remap_shape2" },
	{ PITCHED, NULL, 4, { { "M", 16 }, { "K", 8192 }, { "P", 9000 } }, "remap" },
	{ IMAGES, NULL, 5, { { "N", 2 }, { "C", 4 }, { "H", 48 }, { "W", 48 } }, "remap_shape3" },
	{ HEADS, NULL, 5, { { "B", 2 }, { "S", 32 }, { "H", 4 }, { "D", 64 } },
		"remap_shape1" },
	/* points */
	{ HEADS, NULL, 5, { { "B", 64 }, { "S", 1 }, { "H", 32 }, { "D", 128 } },
		"remap_shape4" },
	{ IMAGES, NULL, 5, { { "N", 1000 }, { "C", 3 }, { "H", 3 }, { "W", 3 } },
		"remap_shape4" },
	{ IMAGES, NULL, 5, { { "N", 2 }, { "C", 128 }, { "H", 32 }, { "W", 32 } }, "remap" },
	{ FIVE("i8"), NULL, 5, { { "A", 8 }, { "B", 8 }, { "C", 8 }, { "D", 8 }, { "E", 8 } },
		"remap_shape3" },
	{ "remap(row_major[4, 2048] -> col_major[4, 2048], type = f32)", NULL, 0, { { 0 } },
		"remap" },
	{ "remap(row_major[M, K] -> row_major[M, K], type = f32)", NULL, 0,
		{ { "M", 4 }, { "K", 4 } }, "remap" },
};

static unsigned size_count(const layout_size *sizes)
{
	unsigned count = 0;

	while (count < MOST_SIZES && sizes[count].name)
		count++;
	return count;
}

static layout_kernel *assuming(layout_context *ctx, const char *text, const char *assume)
{
	layout_remap *remap = layout_remap_parse(ctx, text);
	layout_kernel *kernel;

	if (assume)
		remap = layout_remap_assume(remap, assume);
	kernel = layout_kernel_new(remap, "gfx942", NULL);
	layout_remap_free(remap);
	if (!kernel)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	return kernel;
}

/* The launch and the JSON say the same. */
static void test_taken(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(taken); i++) {
		layout_kernel *kernel = assuming(ctx, taken[i].remap, taken[i].assume);
		unsigned count = size_count(taken[i].sizes);
		layout_launch launch = LAYOUT_LAUNCH_INIT;
		char names[MOST_SHAPES][64], line[160], *json;

		if (find_shapes(ctx, kernel, names) != taken[i].shapes)
			fail_msg("row %u: %u shapes", i, find_shapes(ctx, kernel, names));
		assert_true(layout_kernel_launch(ctx, kernel, taken[i].sizes, count,
			&launch));
		if (strcmp(launch.kernel, taken[i].kernel))
			fail_msg("row %u takes %s", i, launch.kernel);
		json = json_of(ctx, kernel, taken[i].sizes, count);
		snprintf(line, sizeof(line), "\n  \"kernel\": \"%s\",", launch.kernel);
		assert_non_null(strstr(json, line));
		snprintf(line, sizeof(line), "\n  \"workgroup_size\": [%u, 1, 1],",
			launch.workgroup_size[0]);
		assert_non_null(strstr(json, line));
		snprintf(line, sizeof(line), "\n  \"grid\": [%" PRId64 ", %" PRId64 ", %"
			PRId64 "],", launch.grid[0], launch.grid[1], launch.grid[2]);
		assert_non_null(strstr(json, line));
		layout_string_free(json);
		layout_kernel_free(kernel);
	}
	assert_true(layout_context_free(ctx));
}

/* ---- every shape at every size */

static const struct {
	const char *remap, *source, *destination;
	unsigned bytes;
	const char *names;		/* of the sizes, a letter each */
	int64_t most;			/* of a size */
} kernels[] = {
	{ TURN("f32"), "row_major[M, K]", "col_major[M, K]", 4, "MK", 140 },
	{ TURN("i8"), "row_major[M, K]", "col_major[M, K]", 1, "MK", 140 },
	{ PITCHED, "row_major[M, K]", "strided[M, K : P, 1]", 4, "MKP", 140 },
	{ HEADS, "row_major[B, S, H, D]", "row_major[B, S, H, D]", 2, "BSHD", 14 },
	{ IMAGES, "row_major[N, C, H, W]", "row_major[N, C, H, W]", 4, "NCHW", 14 },
	{ FIVE("i8"), "row_major[A, B, C, D, E]", "row_major[A, B, C, D, E]", 1, "ABCDE",
		10 },
	{ TILED, "row_major[M, K]", "packed(encoding_info<{innerDimsPos = [0, 1], "
		"innerTileSizes = [16, 8], outerDimsPerm = [0, 1]}>, [M, K])", 2, "MK", 140 },
	{ UNPACKED, SWIZZLED, "row_major[M, K]", 4, "MK", 140 },

	/* vectors that edges cross are padded */
	{ PACKED, "row_major[M, K]", NARROW, 4, "MK", 140 },
	{ PADDED("f32"), "row_major[M, K]", "row_major[M + 4, K + 5]", 4, "MK", 140 },
	{ PADDED("f16"), "row_major[M, K]", "row_major[M + 4, K + 5]", 2, "MK", 140 },

	/* lanes are multiples of a row's */
	{ TURNED_ROWS("40", "f16"), "row_major[S, H, 40]", "row_major[S, H, 40]", 2, "SH", 70 },
	{ TURNED_ROWS("100", "f16"), "row_major[S, H, 100]", "row_major[S, H, 100]", 2, "SH",
		40 },
	{ TURNED_ROWS("72", "i8"), "row_major[S, H, 72]", "row_major[S, H, 72]", 1, "SH", 70 },

	/* an odd number of vectors is that of lanes */
	{ CHANNELS("3", "f32"), "row_major[2, 3, P]", "row_major[2, P, 3]", 4, "P", 5000 },
	{ CHANNELS("5", "i8"), "row_major[2, 5, P]", "row_major[2, P, 5]", 1, "P", 9000 },
	{ CHANNELS("12", "f16"), "row_major[2, 12, P]", "row_major[2, P, 12]", 2, "P", 3000 },

	/* points load rows of whole vectors, and others element by element */
	{ SWAPPED("i8"), "row_major[M, K, L]", "row_major[K, M, L]", 1, "MKL", 70 },
	{ SWAPPED("f64"), "row_major[M, K, L]", "row_major[K, M, L]", 8, "MKL", 40 },

	/* each has its own of the LDS */
	{ STAGED, BLOCKS, "col_major[A + 8, 7, C]", 8, "AC", 40 },
};

/* Memory of both sides at some sizes. */
struct memory {
	layout_run run;
	unsigned char *source, *wanted, *found;
};

/* Bytes of a storage, of elements of so many. */
static size_t bytes_of(layout_context *ctx, const char *text, const layout_size *sizes,
	unsigned count, unsigned bytes)
{
	layout_storage *storage = layout_storage_parse(ctx, text);
	int64_t elements = layout_storage_elements(storage, sizes, count);

	layout_storage_free(storage);
	if (elements < 0)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	return (size_t)elements * bytes;
}

static unsigned char *room(size_t bytes)
{
	void *memory;

	assert_int_equal(posix_memalign(&memory, 64, bytes + 64), 0);
	return memory;
}

static void open_memory(layout_context *ctx, unsigned k, const layout_size *sizes,
	uint64_t *state, struct memory *memory)
{
	unsigned count = (unsigned)strlen(kernels[k].names);
	layout_run run = LAYOUT_RUN_INIT;

	run.sizes = sizes;
	run.size_count = count;
	run.source_bytes = bytes_of(ctx, kernels[k].source, sizes, count, kernels[k].bytes);
	run.destination_bytes = bytes_of(ctx, kernels[k].destination, sizes, count,
		kernels[k].bytes);
	memory->source = room(run.source_bytes);
	memory->wanted = room(run.destination_bytes);
	memory->found = room(run.destination_bytes);
	for (size_t i = 0; i < run.source_bytes; i++)
		memory->source[i] = (unsigned char)random_below(state, 256);
	run.source = memory->source;
	memory->run = run;
}

static void close_memory(struct memory *memory)
{
	free(memory->source);
	free(memory->wanted);
	free(memory->found);
}

static void run_shape(layout_context *ctx, layout_kernel *kernel, const char *name,
	struct memory *memory, unsigned char *to)
{
	memset(to, 0xcd, memory->run.destination_bytes);
	memory->run.destination = to;
	memory->run.kernel = name;
	if (!layout_kernel_run(ctx, kernel, &memory->run))
		fail_msg("%s: %s", name ? name : "the one taken",
			layout_context_message(ctx));
}

/* Near a power of two, or any. */
static int64_t random_size(uint64_t *state, int64_t most)
{
	int64_t n = (int64_t)1 << random_below(state, 8);

	n += (int64_t)random_below(state, 3) - 1;
	return n < 1 || n > most ? 1 + (int64_t)random_below(state, (unsigned)most) : n;
}

static void check_shapes(layout_context *ctx, unsigned k, const char *target,
	uint64_t *state)
{
	layout_kernel *host = kernel_of(ctx, kernels[k].remap, "host");
	layout_kernel *kernel = kernel_of(ctx, kernels[k].remap, target);
	char names[MOST_SHAPES][64], letters[MOST_SIZES][2] = { { 0 } };
	unsigned shapes = find_shapes(ctx, kernel, names);
	layout_size sizes[MOST_SIZES];
	struct memory memory;

	assert_true(shapes > 1);
	for (unsigned r = 0; r < RUNS; r++) {
		for (unsigned i = 0; kernels[k].names[i]; i++) {
			letters[i][0] = kernels[k].names[i];
			sizes[i] = (layout_size){ letters[i], letters[i][0] == 'P' ? 150 :
				random_size(state, kernels[k].most) };
		}
		open_memory(ctx, k, sizes, state, &memory);
		run_shape(ctx, host, NULL, &memory, memory.wanted);
		for (unsigned s = 0; s <= shapes; s++) {
			run_shape(ctx, kernel, s < shapes ? names[s] : NULL, &memory,
				memory.found);
			if (memcmp(memory.found, memory.wanted,
			    memory.run.destination_bytes))
				fail_msg("%s on %s, shape %u, first size %" PRId64,
					kernels[k].remap, target, s, sizes[0].value);
		}
		close_memory(&memory);
	}
	layout_kernel_free(kernel);
	layout_kernel_free(host);
}

static void test_bytes(void **unused)
{
	static const char *const targets[] = { "gfx942", "gfx1100", "sm_90" };
	layout_context *ctx = layout_context_new();
	uint64_t state = random_seed();

	(void)unused;
	for (unsigned k = 0; k < COUNT(kernels); k++)
		for (unsigned t = 0; t < COUNT(targets); t++)
			if (share_has(k, t, COUNT(targets)))
				check_shapes(ctx, k, targets[t], &state);
	assert_true(layout_context_free(ctx));
}

/* ---- rows of a known length: little of them is copied twice */

static const struct {
	const char *remap;
	unsigned row;			/* bytes */
	double most;			/* times what there is */
} rows[] = {
	{ TURNED_ROWS("40", "f16"), 80, 1 },
	{ TURNED_ROWS("48", "i8"), 48, 1 },
	{ TURNED_ROWS("72", "f16"), 144, 1 },
	{ TURNED_ROWS("72", "i8"), 72, 1 },
	{ TURNED_ROWS("80", "f32"), 320, 1 },
	{ TURNED_ROWS("96", "f16"), 192, 1 },
	{ TURNED_ROWS("100", "f16"), 200, 1 },
	{ TURNED_ROWS("112", "bf16"), 224, 1 },
	{ TURNED_ROWS("136", "f16"), 272, 1 },
	{ TURNED_ROWS("1000", "f16"), 2000, 1 },
	{ TURNED_ROWS("1028", "f32"), 4112, 1.125 },
};

static double copies_of(layout_context *ctx, unsigned k, const char *target)
{
	enum { SEVERAL = 64, OTHERS = 16 };

	const layout_size sizes[] = { { "S", SEVERAL }, { "H", OTHERS } };
	layout_kernel *kernel = kernel_of(ctx, rows[k].remap, target);
	size_t bytes = (size_t)SEVERAL * OTHERS * rows[k].row;
	layout_run run = LAYOUT_RUN_INIT;
	layout_sim_stats stats;

	run.sizes = sizes;
	run.size_count = 2;
	run.source_bytes = run.destination_bytes = bytes;
	run.source = calloc(bytes, 1);
	run.destination = malloc(bytes);
	run.stats = &stats;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s: %s", rows[k].remap, layout_context_message(ctx));
	free((void *)(uintptr_t)run.source);
	free(run.destination);
	layout_kernel_free(kernel);
	return (double)stats.store_bytes / (double)bytes;
}

static void test_rows(void **state)
{
	static const char *const targets[] = { "gfx942", "sm_90" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned k = 0; k < COUNT(rows); k++) {
		const char *target = targets[k % COUNT(targets)];
		double copies = copies_of(ctx, k, target);

		if (copies > rows[k].most)
			fail_msg("%s on %s stores %g times what there is", rows[k].remap,
				target, copies);
	}
	assert_true(layout_context_free(ctx));
}

/* ---- sizes that the text tells: the one shape for these is as fast as the best of several */

static const struct {
	const char *remap;
	layout_size sizes[MOST_SIZES];
	double slack;			/* more than usual */
} known[] = {
	{ TURN("f32"), { { "M", 4096 }, { "K", 4096 } } },
	{ TURN("f32"), { { "M", 4097 }, { "K", 4095 } } },
	{ TURN("f32"), { { "M", 1000 }, { "K", 1000 } } },
	{ TURN("f16"), { { "M", 4099 }, { "K", 4093 } } },
	{ TURN("i8"), { { "M", 1023 }, { "K", 1025 } } },
	{ TURN("i8"), { { "M", 777 }, { "K", 12345 } } },
	{ PITCHED, { { "M", 4000 }, { "K", 1000 }, { "P", 1024 } } },
	{ PITCHED, { { "M", 4097 }, { "K", 4095 }, { "P", 4096 } } },
	{ TILED, { { "M", 3000 }, { "K", 5001 } } },
	{ HEADS, { { "B", 8 }, { "S", 1000 }, { "H", 12 }, { "D", 72 } } },
	{ HEADS, { { "B", 64 }, { "S", 33 }, { "H", 65 }, { "D", 369 } } },
	/* names do not tell that rows of 16 elements begin inside of lines */
	{ FIVE("f32"), { { "A", 33 }, { "B", 31 }, { "C", 17 }, { "D", 29 }, { "E", 37 } },
		0.15 },
};

/* A name is one capital letter. */
static void write_numbers(const char *text, const layout_size *sizes, char *out, size_t room)
{
	size_t used = 0;

	for (const char *at = text; *at; at++) {
		bool name = isupper((unsigned char)*at) && !isalnum((unsigned char)at[1]) &&
			(at == text || !isalnum((unsigned char)at[-1]));
		unsigned i = 0;

		while (name && strncmp(sizes[i].name, at, 1))
			i++;
		used += (size_t)(name ? snprintf(out + used, room - used, "%" PRId64, sizes[i].value) :
			snprintf(out + used, room - used, "%c", *at));
		assert_true(used < room);
	}
}

/* The part of a copy's rate that is predicted for a launch. */
static double predicted_at(layout_context *ctx, const char *text, const char *target,
	const layout_size *sizes, unsigned count)
{
	layout_kernel *kernel = kernel_of(ctx, text, target);
	char *json = json_of(ctx, kernel, sizes, count);
	const char *at = strstr(json, "\"predicted\": ");
	double predicted = at ? strtod(at + strlen("\"predicted\": "), NULL) : 0;

	layout_string_free(json);
	layout_kernel_free(kernel);
	return predicted;
}

/* Only how many there are is told by a launch: what is predicted on sm_90 at least, whose rows begin
 * inside of vectors. */
static const struct {
	const char *remap;
	layout_size size;
	double least;
} batches[] = {
	{ "remap(row_major[M, 4095] -> col_major[M, 4095], type = f32)", { "M", 4097 }, 0.85 },
	{ "remap(chain(row_major[N, 255, 4095], transpose([0, 2, 1])) -> row_major[?, ?, ?], "
		"type = f32)", { "N", 64 }, 0.7 },
	{ "remap(chain(row_major[N, 255, 4095], transpose([0, 2, 1])) -> row_major[?, ?, ?], "
		"type = i8)", { "N", 64 }, 0.5 },
	{ "remap(chain(row_major[B, 33, 65, 369], transpose([0, 2, 1, 3])) -> "
		"row_major[?, ?, ?, ?], type = f16)", { "B", 64 }, 0.5 },
	{ "remap(chain(row_major[A, 31, 17, 29, 37], transpose([0, 3, 2, 1, 4])) -> "
		"row_major[?, ?, ?, ?, ?], type = f32)", { "A", 33 }, 0.4 },
	/* a tile that begins before the source */
	{ "remap(chain(row_major[N, 64, 56, 56], pad([0, 0, 1, 1], [0, 0, 1, 1])) -> "
		"row_major[?, ?, ?, ?], type = f32)", { "N", 32 }, 0.4 },
};

static void test_batches(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(batches); i++) {
		double predicted = predicted_at(ctx, batches[i].remap, "sm_90", &batches[i].size, 1);

		if (predicted < batches[i].least)
			fail_msg("%s: %g is predicted", batches[i].remap, predicted);
	}
	assert_true(layout_context_free(ctx));
}

/* Names for all sizes, of which some are short. */
static const struct {
	const char *remap, *target;
	layout_size sizes[MOST_SIZES];
	double least;
} shorts[] = {
	{ TURN("f32"), "sm_90", { { "M", 3 }, { "K", 4096 } }, 0.45 },
	{ TURN("f16"), "sm_90", { { "M", 4 }, { "K", 4096 } }, 0.6 },
	{ TURN("i8"), "sm_90", { { "M", 3 }, { "K", 4096 } }, 0.4 },
	{ TURN("i8"), "sm_90", { { "M", 5 }, { "K", 4096 } }, 0.4 },
	{ HEADS, "gfx942", { { "B", 64 }, { "S", 1 }, { "H", 32 }, { "D", 128 } }, 0.3 },
	{ TURN("f16"), "gfx942", { { "M", 24 }, { "K", 4096 } }, 0.7 },
	{ IMAGES, "sm_90", { { "N", 64 }, { "C", 3 }, { "H", 224 }, { "W", 224 } }, 0.4 },
	{ FIVE("i8"), "gfx942", { { "A", 16 }, { "B", 16 }, { "C", 16 }, { "D", 16 }, { "E", 16 } },
		0.85 },
	{ FIVE("f16"), "sm_90", { { "A", 16 }, { "B", 16 }, { "C", 16 }, { "D", 16 }, { "E", 16 } },
		0.8 },
	{ FIVE("f16"), "sm_90", { { "A", 15 }, { "B", 17 }, { "C", 9 }, { "D", 21 }, { "E", 13 } },
		0.25 },
};

static void test_shorts(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(shorts); i++) {
		double predicted = predicted_at(ctx, shorts[i].remap, shorts[i].target,
			shorts[i].sizes, size_count(shorts[i].sizes));

		if (predicted < shorts[i].least)
			fail_msg("%s on %s, row %u: %g is predicted", shorts[i].remap,
				shorts[i].target, i, predicted);
	}
	assert_true(layout_context_free(ctx));
}

static void test_known(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx1100", "sm_80", "sm_90" };
	layout_context *ctx = layout_context_new();
	const double slack = 0.12;

	(void)state;
	for (unsigned i = 0; i < COUNT(known); i++)
		for (unsigned t = 0; t < COUNT(targets); t++) {
			const layout_size *sizes = known[i].sizes;
			double named = predicted_at(ctx, known[i].remap, targets[t], sizes,
				size_count(sizes)), numbers;
			char text[400];

			write_numbers(known[i].remap, sizes, text, sizeof(text));
			numbers = predicted_at(ctx, text, targets[t], NULL, 0);
			if (numbers < named - slack - known[i].slack)
				fail_msg("%s on %s: %g, but %g where sizes have names", text,
					targets[t], numbers, named);
		}
	assert_true(layout_context_free(ctx));
}

/* ---- what is refused */

static void test_refused(void **state)
{
	static const layout_size sizes[] = { { "M", 3 }, { "K", 3 } };
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = kernel_of(ctx, TURN("f32"), "gfx942");
	layout_launch launch = LAYOUT_LAUNCH_INIT;
	layout_run run = LAYOUT_RUN_INIT;
	float cells[9] = { 0 };

	(void)state;
	assert_false(layout_kernel_launch(ctx, kernel, sizes, 1, &launch));
	assert_string_equal(layout_context_message(ctx), "no number for the size 'K'");
	layout_context_clear(ctx);
	assert_false(layout_kernel_launch(ctx, kernel, sizes, 2, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	run.source = run.destination = cells;
	run.source_bytes = run.destination_bytes = sizeof(cells);
	run.sizes = sizes;
	run.size_count = 2;
	run.kernel = "remap_shape9";
	assert_false(layout_kernel_run(ctx, kernel, &run));
	assert_string_equal(layout_context_message(ctx),
		"the kernel remap has no shape 'remap_shape9'");
	layout_kernel_free(kernel);
	assert_true(layout_context_free(ctx));
}

/* ---- no cliffs */

/* A size from 1 on, beside others; P is a pitch. */
static const struct {
	const char *remap, *name;
	layout_size sizes[MOST_SIZES];
	double least;			/* part of a copy's rate that is predicted, of large ones */
} sweeps[] = {
	{ PITCHED, "K", { { "M", 4096 }, { "K", 0 }, { "P", 900 } }, 0.05 },
	{ PITCHED, "M", { { "M", 0 }, { "K", 100 }, { "P", 900 } }, 0.2 },
	{ TURN("f32"), "M", { { "M", 0 }, { "K", 4096 } }, 0.25 },
	{ TURN("f32"), "K", { { "M", 4096 }, { "K", 0 } }, 0.2 },
	{ TURN("i8"), "M", { { "M", 0 }, { "K", 4096 } }, 0.1 },
	{ IMAGES, "C", { { "N", 2 }, { "C", 0 }, { "H", 48 }, { "W", 48 } }, 0.12 },
	{ IMAGES, "W", { { "N", 2 }, { "C", 4 }, { "H", 48 }, { "W", 0 } }, 0.14 },
	{ HEADS, "D", { { "B", 4 }, { "S", 128 }, { "H", 16 }, { "D", 0 } }, 0.12 },
	{ HEADS, "H", { { "B", 4 }, { "S", 128 }, { "H", 0 }, { "D", 64 } }, 0.4 },
	{ FIVE("f32"), "A", { { "A", 0 }, { "B", 8 }, { "C", 8 }, { "D", 8 }, { "E", 8 } }, 0.13 },
	{ UNPACKED, "M", { { "M", 0 }, { "K", 4096 } }, 0.17 },
	{ UNPACKED, "K", { { "M", 4096 }, { "K", 0 } }, 0.25 },
};

/* The part of a copy's rate that is predicted, and the elements that there are. */
static double predicted_of(layout_context *ctx, layout_kernel *kernel, const layout_size *sizes,
	double *elements)
{
	unsigned count = size_count(sizes);
	char *json = json_of(ctx, kernel, sizes, count);
	const char *at = strstr(json, "\"predicted\": ");
	double predicted = at ? strtod(at + strlen("\"predicted\": "), NULL) : 0;

	*elements = 1;
	for (unsigned i = 0; i < count; i++)
		*elements *= *sizes[i].name == 'P' ? 1 : (double)sizes[i].value;
	layout_string_free(json);
	return predicted;
}

static void check_cliffs(layout_context *ctx, unsigned i)
{
	layout_kernel *kernel = kernel_of(ctx, sweeps[i].remap, "gfx942");
	layout_size sizes[MOST_SIZES];
	double before = 0;
	unsigned at = 0;

	memcpy(sizes, sweeps[i].sizes, sizeof(sizes));
	while (strcmp(sizes[at].name, sweeps[i].name))
		at++;
	for (int64_t n = 1; n <= 300; n++) {
		double here, elements;

		sizes[at].value = n;
		here = predicted_of(ctx, kernel, sizes, &elements);
		if (elements < LARGE)
			continue;
		if (here < sweeps[i].least || before > CLIFF * here || (before && here > CLIFF * before))
			fail_msg("%s, %s = %" PRId64 ": %g is predicted after %g", sweeps[i].remap,
				sweeps[i].name, n, here, before);
		before = here;
	}
	layout_kernel_free(kernel);
}

static void test_cliffs(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(sweeps); i++)
		check_cliffs(ctx, i);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_shorts),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_cliffs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
