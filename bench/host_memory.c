/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps on the CPU we run on, beside memcpy() of as many bytes and, for a transposed matrix
 * of f32, somatcopy of OpenBLAS: where no cache holds them, and where the second one does.
 * All runs of a case take turns; the least time of the processor of each counts, so that what
 * else the machine does counts little: of one thread, `taskset -c 0`.
 *
 *	bench/host_memory [MEBIBYTES [CASE [LIBRARY]]]	a side, 256 unless said; what is in
 *							the case's name; OpenBLAS,
 *							"libopenblas.so.0" unless said */
#include "timing.h"

#include <layout/run.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define BLOCKED "packed(encoding_info<{innerDimsPos = [1, 0], innerTileSizes = [16, 64], " \
	"outerDimsPerm = [0, 1]}>, [%1$ld, %2$ld])"
#define LHS "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 2 : i16, " \
	"2 : i8], [\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 16 : i16]], " \
	"[[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]], " \
	"permutation = [0, 1, 4, 2, 3]}}>, [%1$ld, %2$ld])"
#define RHS "packed(encoding_info<{innerDimsPos = [1, 0], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [1, 0], swizzle = {expandShape = [[[\"CrossThread\", 2 : i16, " \
	"2 : i8], [\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 16 : i16]], " \
	"[[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]], " \
	"permutation = [0, 1, 4, 2, 3]}}>, [%1$ld, %2$ld])"
#define ACC "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 128], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossIntrinsic\", 8 : i16], " \
	"[\"CrossThread\", 4 : i16], [\"CrossThread\", 4 : i16]], " \
	"[[\"CrossIntrinsic\", 8 : i16], [\"CrossThread\", 16 : i16]]], " \
	"permutation = [0, 3, 1, 4, 2]}}>, [%1$ld, %2$ld])"
#define PAIRS "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [16, 32], " \
	"outerDimsPerm = [0, 1]}>, [%1$ld, %2$ld])"
#define CHANNELS "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [16], " \
	"outerDimsPerm = [0, 1, 2]}>, [%1$ld, 256, %2$ld])"
#define ORDERED(order, sizes) "packed(encoding_info<{innerDimsPos = [], innerTileSizes = [], " \
	"outerDimsPerm = [" order "]}>, " sizes ")"
#define ROWS "row_major[%1$ld, %2$ld]"
#define WHOLE_LIMIT 0.8
#define ODD_LIMIT 0.7

enum { RUNS = 9, SMALL_BYTES = 4 << 20, IN_CACHE = 256 << 10 };

typedef void somatcopy(int order, int transposed, int rows, int columns, float alpha,
	const float *a, int a_pitch, float *b, int b_pitch);

/* Rows and columns are made so that a side has as many bytes as there should be; names are those, in
 * this order. */
static const struct {
	const char *name, *text;
	unsigned bytes;		/* of an element */
	long columns;		/* 0: as many as rows */
	long less[2];		/* than the whole number of rows, and of columns */
	bool transposes;
	unsigned parts;		/* elements of a byte; 0: they are bytes */
} cases[] = {
	{ "copy f32", ROWS " -> " ROWS ", type = f32", 4, 0, { 0 }, false },
	{ "transpose f32", ROWS " -> col_major[%1$ld, %2$ld], type = f32", 4, 0, { 0 }, true },
	{ "transpose f32, odd", ROWS " -> col_major[%1$ld, %2$ld], type = f32", 4, 0,
		{ 1, 3 }, true },
	{ "transpose f16", ROWS " -> col_major[%1$ld, %2$ld], type = f16", 2, 0, { 0 }, false },
	{ "transpose f16, odd", ROWS " -> col_major[%1$ld, %2$ld], type = f16", 2, 0, { 1, 3 },
		false },
	{ "transpose i8", ROWS " -> col_major[%1$ld, %2$ld], type = i8", 1, 0, { 0 }, false },
	{ "transpose i8, odd", ROWS " -> col_major[%1$ld, %2$ld], type = i8", 1, 0, { 1, 3 },
		false },
	{ "AB16b64a f32", ROWS " -> " BLOCKED ", type = f32", 4, 0, { 0 }, false },
	{ "gfx942 LHS f32", ROWS " -> " LHS ", type = f32", 4, 0, { 0 }, false },
	{ "gfx942 LHS f32, odd", ROWS " -> " LHS ", type = f32", 4, 0, { 1, 3 }, false },
	{ "gfx942 LHS f32, back", LHS " -> " ROWS ", type = f32", 4, 0, { 0 }, false },
	{ "NCHW -> NHWC f32", "row_major[%1$ld, 256, %2$ld] -> " ORDERED("0, 2, 1",
		"[%1$ld, 256, %2$ld]") ", type = f32", 4 * 256, 4096, { 0 }, false },
	{ "NHWC -> NCHW f32", ORDERED("0, 2, 1", "[%1$ld, 256, %2$ld]")
		" -> row_major[%1$ld, 256, %2$ld], type = f32", 4 * 256, 4096, { 0 }, false },
	{ "[H, W, 3] -> [3, H, W] u8", "row_major[%1$ld, %2$ld, 3] -> " ORDERED("2, 0, 1",
		"[%1$ld, %2$ld, 3]") ", type = u8", 3, 4096, { 0 }, false },
	{ "[3, H, W] -> [H, W, 3] u8", ORDERED("2, 0, 1", "[%1$ld, %2$ld, 3]")
		" -> row_major[%1$ld, %2$ld, 3], type = u8", 3, 4096, { 0 }, false },
	{ "NCHW -> NHWC f16", "row_major[%1$ld, 256, %2$ld] -> " ORDERED("0, 2, 1",
		"[%1$ld, 256, %2$ld]") ", type = f16", 2 * 256, 4096, { 0 }, false },
	{ "NHWC -> NCHW i8", ORDERED("0, 2, 1", "[%1$ld, 256, %2$ld]")
		" -> row_major[%1$ld, 256, %2$ld], type = i8", 256, 4096, { 0 }, false },
	{ "NHWC -> NCHW f32, odd", ORDERED("0, 2, 1", "[%1$ld, 255, %2$ld]")
		" -> row_major[%1$ld, 255, %2$ld], type = f32", 4 * 255, 4096, { 1, 3 },
		false },
	{ "NCHW -> nChw16c f32", "row_major[%1$ld, 256, %2$ld] -> " CHANNELS ", type = f32",
		4 * 256, 4096, { 0 }, false },
	{ "nChw16c -> NCHW f32", CHANNELS " -> row_major[%1$ld, 256, %2$ld], type = f32",
		4 * 256, 4096, { 0 }, false },
	{ "gfx942 RHS f32", ROWS " -> " RHS ", type = f32", 4, 0, { 0 }, false },
	{ "gfx942 RHS f32, odd, back", RHS " -> " ROWS ", type = f32", 4, 0, { 1, 3 }, false },
	{ "gfx942 ACC f32", ROWS " -> " ACC ", type = f32", 4, 0, { 0 }, false },
	{ "gfx942 ACC f32, odd, back", ACC " -> " ROWS ", type = f32", 4, 0, { 1, 3 }, false },
	{ "rank 6 f32", "row_major[%1$ld, 8, 16, 4, 32, %2$ld] -> " ORDERED("3, 0, 5, 2, 1, 4",
		"[%1$ld, 8, 16, 4, 32, %2$ld]") ", type = f32", 4 * 8 * 16 * 4 * 32, 48, { 0 },
		false },
	{ "XOR-swizzled tiles f16", ROWS " -> swizzled(row_major[%1$ld, %2$ld], "
		"xor_shuffle<64, 8>), type = f16", 2, 4096, { 0 }, false },
	{ "XOR-swizzled tiles f16, back", "swizzled(row_major[%1$ld, %2$ld], "
		"xor_shuffle<64, 8>) -> " ROWS ", type = f16", 2, 4096, { 0 }, false },
	{ "XOR-swizzled transpose f32", ROWS " -> swizzled(col_major[%1$ld, %2$ld], "
		"xor_shuffle<64, 8>), type = f32", 4, 4096, { 0 }, false },
	{ "7 x 7 NHWC -> NCHW i8", "row_major[%1$ld, 49, %2$ld] -> " ORDERED("0, 2, 1",
		"[%1$ld, 49, %2$ld]") ", type = i8", 49, 2048, { 0 }, false },
	{ "7 x 7 NCHW -> NHWC i8", ORDERED("0, 2, 1", "[%1$ld, 49, %2$ld]")
		" -> row_major[%1$ld, 49, %2$ld], type = i8", 49, 2048, { 0 }, false },
	{ "heads of 80 f16", "row_major[%1$ld, %2$ld, 32, 80] -> " ORDERED("0, 2, 1, 3",
		"[%1$ld, %2$ld, 32, 80]") ", type = f16", 2 * 32 * 80, 512, { 0 }, false },
	/* sizes that a call tells */
	{ "3 columns i8, named", "row_major[M, K] -> col_major[M, K], type = i8", 1, 3, { 0 },
		false },
	{ "20 columns f16, named", "row_major[M, K] -> col_major[M, K], type = f16", 2, 20,
		{ 0 }, false },
	{ "transpose f32, named", "row_major[M, K] -> col_major[M, K], type = f32", 4, 0, { 1, 3 },
		false },
	{ "heads of 64 f16, named", "row_major[M, 32, K] -> " ORDERED("1, 0, 2", "[M, 32, K]")
		", type = f16", 2 * 32, 64, { 0 }, false },
	{ "100 of rows of 128 f16", "chain(row_major[%1$ld, %2$ld, 128], extract_slice([0, 0, 0], "
		"[%1$ld, %2$ld, 100], [1, 1, 1])) -> row_major[%1$ld, %2$ld, 100], type = f16",
		2 * 128, 4096, { 0 }, false },
	{ "pitched copy f32, odd", ROWS " -> strided[%1$ld, %2$ld : 4099, 1], type = f32", 4,
		4096, { 1, 3 }, false },
	{ "shifted copy f32", "row_major[%1$ld, %2$ld] -> row_major[%1$ld + 3, %2$ld + 5], "
		"type = f32, map = { [i, j] -> [i + 1, j + 2] }", 4, 0, { 0 }, false },
	{ "padded copy i8", "chain(row_major[%1$ld, %2$ld], pad([1, 1], [1, 1])) -> "
		"row_major[%1$ld + 2, %2$ld + 2], type = i8", 1, 0, { 0 }, false },
	{ "padded NCHW -> NHWC f32", "chain(row_major[%1$ld, 256, %2$ld], pad([0, 0, 1], "
		"[0, 0, 1]), transpose([0, 2, 1])) -> row_major[%1$ld, %2$ld + 2, 256], type = f32",
		4 * 256, 4096, { 0 }, false },
	{ "AB16a32b i4", ROWS " -> " PAIRS ", type = i4", 1, 0, { 0 }, false, 2 },
	{ "transpose u4", ROWS " -> col_major[%1$ld, %2$ld], type = u4", 1, 0, { 0 }, false, 2 },
	{ "f32 -> bf16, AB16b64a", ROWS " -> " BLOCKED ", type = f32 -> bf16", 4, 0, { 0 },
		false },
};

/* Milliseconds of memcpy(), of ours and of a peer, 0 where there is none. */
enum { MEMCPY, OURS, PEER, WAYS };

struct sides {
	float *from, *to;
	size_t bytes, room;
	long rows, columns;
};

static void run_once(const layout_compiled *compiled, const struct sides *sides,
	somatcopy *peer, int way)
{
	if (way == MEMCPY)
		memcpy(sides->to, sides->from, sides->bytes);
	else if (way == PEER)
		peer(101, 112, (int)sides->rows, (int)sides->columns, 1, sides->from,
			(int)sides->columns, sides->to, (int)sides->rows);
	else
		layout_compiled_run(compiled, sides->to, sides->room, sides->from, sides->room,
			(const int64_t[]){ sides->rows, sides->columns });
}

/* Milliseconds; small ones several times, so that the clock counts little. */
static void measure(const layout_compiled *compiled, const struct sides *sides,
	somatcopy *peer, double best[WAYS])
{
	int times = 1 + (int)(SMALL_BYTES / sides->room);

	for (int way = 0; way < WAYS; way++)
		best[way] = INFINITY;
	for (int i = -1; i < RUNS; i++)
		for (int way = 0; way < (peer ? WAYS : PEER); way++) {
			double start = spent_ms();

			for (int k = 0; k < times; k++)
				run_once(compiled, sides, peer, way);
			if (i >= 0)
				best[way] = fmin(best[way], (spent_ms() - start) / times);
		}
}

static layout_compiled *compiled_of(layout_context *ctx, unsigned row,
	const struct sides *sides)
{
	char text[2048], whole[2100];
	layout_remap *remap;
	layout_compiled *compiled;

	snprintf(text, sizeof(text), cases[row].text, sides->rows, sides->columns);
	snprintf(whole, sizeof(whole), "remap(%s)", text);
	remap = layout_remap_parse(ctx, whole);
	compiled = layout_remap_compile(remap, NULL);
	layout_remap_free(remap);
	return compiled;
}

static bool measure_case(layout_context *ctx, unsigned row, struct sides *sides,
	somatcopy *peer)
{
	bool odd = cases[row].less[0];
	double best[WAYS], limit = odd ? ODD_LIMIT : WHOLE_LIMIT;
	long elements = (long)(sides->room / 9 * 8 / cases[row].bytes);
	layout_compiled *compiled;

	sides->columns = cases[row].columns ? cases[row].columns :
		(long)sqrt((double)elements) / 64 * 64;
	sides->rows = elements / sides->columns - cases[row].less[0];
	if (!cases[row].columns)
		sides->rows = sides->columns - cases[row].less[0];
	sides->columns -= cases[row].less[1];
	sides->bytes = (size_t)sides->rows * (size_t)sides->columns * cases[row].bytes /
		(cases[row].parts ? cases[row].parts : 1);
	if (sides->rows < 1)
		return true;
	compiled = compiled_of(ctx, row, sides);
	if (!compiled)
		return false;
	measure(compiled, sides, cases[row].transposes ? peer : NULL, best);
	layout_compiled_free(compiled);
	printf("%-28s %6ld x %-6ld memcpy %5.1f GB/s, ours %5.1f (%.2f%s)", cases[row].name,
		sides->rows, sides->columns, 2e-6 * (double)sides->bytes / best[MEMCPY],
		2e-6 * (double)sides->bytes / best[OURS], best[MEMCPY] / best[OURS],
		best[MEMCPY] < limit * best[OURS] ? ", below the limit" : "");
	if (peer && cases[row].transposes)
		printf(", somatcopy %.1f", 2e-6 * (double)sides->bytes / best[PEER]);
	printf("\n");
	return true;
}

/* All cases with so many bytes a side. */
static bool measure_all(layout_context *ctx, size_t bytes, const char *name, somatcopy *peer)
{
	size_t room = bytes + bytes / 8;
	struct sides sides = { aligned_alloc(4096, room), aligned_alloc(4096, room), 0, room, 0,
		0 };
	bool ok = sides.from && sides.to;

	printf("%zu KiB a side\n", bytes >> 10);
	if (ok) {
		memset(sides.from, 1, sides.room);
		memset(sides.to, 1, sides.room);
	}
	for (unsigned row = 0; ok && row < COUNT(cases); row++)
		if (strstr(cases[row].name, name) && !measure_case(ctx, row, &sides, peer)) {
			printf("%s: %s\n", cases[row].name, layout_context_message(ctx));
			ok = layout_context_error(ctx) != LAYOUT_ERROR_MEMORY;
			layout_context_clear(ctx);
		}
	free(sides.from);
	free(sides.to);
	return ok;
}

int main(int argc, char **argv)
{
	size_t mebibytes = argc > 1 ? (size_t)atol(argv[1]) : 256;
	const char *name = argc > 3 ? argv[3] : "libopenblas.so.0";
	void *blas = dlopen(name, RTLD_NOW);
	somatcopy *peer = blas ? (somatcopy *)dlsym(blas, "cblas_somatcopy") : NULL;
	layout_context *ctx = layout_context_new();
	const char *pattern = argc > 2 ? argv[2] : "";
	bool ok;

	if (!peer)
		printf("no OpenBLAS: %s\n", name);
	ok = measure_all(ctx, mebibytes << 20, pattern, peer) &&
		measure_all(ctx, IN_CACHE, pattern, peer);
	layout_context_free(ctx);
	return ok ? 0 : 1;
}
