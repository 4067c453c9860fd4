/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions by matrix instructions, in the simulator, against what they mean. */
#include "support/program_check.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>
#include <layout/mma.h>
#include "algebra/chip.h"
#include "program/product.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *const targets[] = { "gfx90a", "gfx942", "gfx950", "gfx1100",
	"gfx1100:wave64", "gfx1200", "gfx1200:wave64" };

/* A kernel whose IR has the intrinsic, whose name has these parts; or none if there is no
 * name. */
static layout_kernel *kernel_with(layout_context *ctx, const char *target, const char *program,
	const char *name)
{
	layout_program *read = layout_program_parse(ctx, program);
	layout_kernel *kernel = layout_kernel_new_program(read, target, NULL);
	size_t length;
	char *text;

	if (!kernel)
		fail_msg("%s: %s", target, layout_context_message(ctx));
	text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_LLVM, NULL, 0,
		&length);
	assert_non_null(text);
	if (name && !strstr(text, name))
		fail_msg("%s has no %s", target, name);
	if (!name && (strstr(text, "amdgcn.mfma") || strstr(text, "amdgcn.wmma") ||
	    strstr(text, "nvvm.mma")))
		fail_msg("%s has a matrix instruction", target);
	layout_string_free(text);
	layout_program_free(read);
	return kernel;
}

/* The kernel has the intrinsic, and computes the program's numbers. */
static void check(layout_context *ctx, const char *target, const char *text,
	const char *intrinsic, const int64_t *const *sizes, unsigned count, uint64_t *seed)
{
	layout_kernel *kernel = kernel_with(ctx, target, text, intrinsic);
	struct program_data data[PROGRAM_CHECK_MOST];

	for (unsigned s = 0; s < count; s++) {
		data[s] = program_data_new(ctx, text, sizes[s]);
		program_data_random(&data[s], seed);
	}
	program_check_kernel(data, count, kernel, target);
	for (unsigned s = 0; s < count; s++)
		program_data_free(&data[s]);
	layout_kernel_free(kernel);
}

/* What is found for types on a target, where the box is 32 x 32 x 64. */
static const struct found {
	const char *target, *types[3], *intrinsic;
} found[] = {
	{ "gfx908", { "f16", "f16", "f32" }, "mfma.f32.16x16x16f16" },
	{ "gfx908", { "bf16", "bf16", "f32" }, "mfma.f32.16x16x8bf16" },
	{ "gfx90a", { "f16", "f16", "f32" }, "mfma.f32.16x16x16f16" },
	{ "gfx90a", { "bf16", "bf16", "f32" }, "mfma.f32.16x16x16bf16.1k" },
	{ "gfx90a", { "f32", "f32", "f32" }, "mfma.f32.16x16x4f32" },
	{ "gfx90a", { "f64", "f64", "f64" }, "mfma.f64.16x16x4f64" },
	{ "gfx90a", { "i8", "i8", "i32" }, "mfma.i32.16x16x16i8" },
	{ "gfx942", { "f16", "f16", "f32" }, "mfma.f32.16x16x16f16" },
	{ "gfx942", { "bf16", "bf16", "f32" }, "mfma.f32.16x16x16bf16.1k" },
	{ "gfx942", { "f32", "f32", "f32" }, "mfma.f32.16x16x4f32" },
	{ "gfx942", { "f64", "f64", "f64" }, "mfma.f64.16x16x4f64" },
	{ "gfx942", { "i8", "i8", "i32" }, "mfma.i32.16x16x32.i8" },
	{ "gfx942", { "f8E4M3FNUZ", "f8E5M2FNUZ", "f32" }, ".16x16x32." },
	{ "gfx942", { "f8E4M3FN", "f8E4M3FN", "f32" }, NULL },
	{ "gfx942", { "u8", "u8", "i32" }, NULL },
	{ "gfx950", { "f16", "f16", "f32" }, "mfma.f32.16x16x32.f16" },
	{ "gfx950", { "bf16", "bf16", "f32" }, "mfma.f32.16x16x32.bf16" },
	{ "gfx950", { "f8E5M2", "f8E4M3FN", "f32" }, "mfma.scale.f32.32x32x64.f8f6f4" },
	{ "gfx950", { "f8E4M3FN", "f6E2M3FN", "f32" }, "mfma.scale.f32.32x32x64.f8f6f4" },
	{ "gfx950", { "f6E3M2FN", "f4E2M1FN", "f32" }, "mfma.scale.f32.32x32x64.f8f6f4" },
	{ "gfx950", { "f4E2M1FN", "f4E2M1FN", "f32" }, "mfma.scale.f32.32x32x64.f8f6f4" },
	{ "gfx942", { "f4E2M1FN", "f8E5M2", "f32" }, NULL },
	{ "gfx950", { "i8", "i8", "i32" }, "mfma.i32.16x16x64.i8" },
	{ "gfx950", { "f64", "f64", "f64" }, "mfma.f64.16x16x4f64" },
	{ "gfx1100", { "f16", "f16", "f32" }, "wmma.f32.16x16x16.f16" },
	{ "gfx1100", { "bf16", "bf16", "f32" }, "wmma.f32.16x16x16.bf16" },
	{ "gfx1100", { "f16", "f16", "f16" }, "wmma.f16.16x16x16.f16" },
	{ "gfx1100", { "bf16", "bf16", "bf16" }, "wmma.bf16.16x16x16.bf16" },
	{ "gfx1100", { "i8", "i8", "i32" }, "wmma.i32.16x16x16.iu8" },
	{ "gfx1100", { "u8", "i8", "i32" }, "wmma.i32.16x16x16.iu8" },
	{ "gfx1100", { "f32", "f32", "f32" }, NULL },
	{ "gfx1100:wave64", { "f16", "f16", "f32" }, "wmma.f32.16x16x16.f16" },
	{ "gfx1100:wave64", { "f16", "f16", "f16" }, "wmma.f16.16x16x16.f16" },
	{ "gfx1100:wave64", { "u8", "u8", "i32" }, "wmma.i32.16x16x16.iu8" },
	{ "gfx1200", { "f16", "f16", "f32" }, "wmma.f32.16x16x16.f16" },
	{ "gfx1200", { "bf16", "bf16", "f32" }, "wmma.f32.16x16x16.bf16" },
	{ "gfx1200", { "f16", "f16", "f16" }, "wmma.f16.16x16x16.f16" },
	{ "gfx1200", { "i8", "u8", "i32" }, "wmma.i32.16x16x16.iu8" },
	{ "gfx1200", { "f8E4M3FN", "f8E5M2", "f32" }, "wmma.f32.16x16x16." },
	{ "gfx1200:wave64", { "f16", "f16", "f32" }, "wmma.f32.16x16x16.f16" },
	{ "gfx1200:wave64", { "f8E5M2", "f8E5M2", "f32" }, "wmma.f32.16x16x16." },
	{ "gfx1201", { "bf16", "bf16", "bf16" }, "wmma.bf16.16x16x16.bf16" },
	{ "sm_75", { "f16", "f16", "f32" }, "mma.m16n8k8.row.col.f32.f32" },
	{ "sm_75", { "i8", "i8", "i32" }, "mma.m8n8k16.row.col.s8" },
	{ "sm_75", { "bf16", "bf16", "f32" }, NULL },
	{ "sm_80", { "bf16", "bf16", "f32" }, "mma.m16n8k16.row.col.bf16" },
	{ "sm_80", { "f64", "f64", "f64" }, "mma.m8n8k4.row.col.f64" },
	{ "sm_80", { "f8E4M3FN", "f8E5M2", "f32" }, NULL },
	{ "sm_90", { "f16", "f16", "f32" }, "mma.m16n8k16.row.col.f32.f32" },
	{ "sm_90", { "f16", "f16", "f16" }, "mma.m16n8k16.row.col.f16.f16" },
	{ "sm_90", { "i8", "i8", "i32" }, "mma.m16n8k32.row.col.s8" },
	{ "sm_90", { "u8", "u8", "i32" }, "mma.m16n8k32.row.col.u8" },
	{ "sm_90", { "u8", "i8", "i32" }, NULL },
	{ "sm_90", { "f64", "f64", "f64" }, "mma.m16n8k" },
	{ "sm_90", { "f32", "f32", "f32" }, NULL },
	{ "sm_89", { "f8E5M2", "f8E5M2", "f32" }, "mma.m16n8k32.row.col.f32.e" },
	{ "sm_90", { "f8E4M3FN", "f8E5M2", "f32" }, "mma.m16n8k32.row.col.f32.e" },
	{ "sm_100", { "f8E4M3FN", "f8E5M2", "f32" }, "mma.m16n8k32.row.col.f32.e" },
	{ "sm_100", { "f16", "f16", "f32" }, "mma.m16n8k16.row.col.f32.f32" },
};

static void test_found(void **state)
{
	static const int64_t sizes[][3] = { { 37, 70, 61 }, { 32, 64, 32 }, { 1, 1, 1 } };
	uint64_t seed = random_seed();
	char text[2048];

	for (unsigned i = 0; i < COUNT(found); i++) {
		const char *const *types = found[i].types;

		if (!share_has(i, 0, 4))
			continue;
		snprintf(text, sizeof(text), "program p(A: in row_major[M, K] %s, "
			"B: in row_major[N, K] %s, C: out row_major[M, N] %s) { "
			"grid (m, n) in (ceil(M/32), ceil(N/32)) workers w in 2 "
			"for k in ceil(K/64) carry s: [32, 32] %s = fill 0 { "
			"t = contract s, load A[32*m, 64*k] : [32, 64], "
			"load B[32*n, 64*k] : [32, 64] : (i, j, k) -> (i, k), (j, k), (i, j) "
			"yield t } store s -> C[32*m, 32*n] }", types[0], types[1], types[2],
			types[2]);
		check(*state, found[i].target, text, found[i].intrinsic,
			(const int64_t *const[]){ sizes[0], sizes[1 + i % 2] },
			share_has(i / 4, 0, 2) ? 2 : 1, &seed);
	}
}

#define ENCODING(which, dims, rows) "packed(encoding_info<{innerDimsPos = " dims \
	", innerTileSizes = [128, 32], outerDimsPerm = " dims ", swizzle = {expandShape = " \
	"[[[\"CrossThread\", 2 : i16" which "], [\"CrossIntrinsic\", 4 : i16], " \
	"[\"CrossThread\", 16 : i16]], [[\"CrossIntrinsic\", 2 : i16], " \
	"[\"CrossThread\", 4 : i16], [\"Internal\", 4 : i16]]], " \
	"permutation = [0, 1, 4, 2, 3, 5]}}>, " rows ")"

/* Programs with sizes. */
static const struct text {
	const char *text;
	int64_t sizes[5][4];
	const char *only;
} texts[] = {
	/* operands in their tiles, what is needed behind the product with it */
	{ "program gemm(A: in " ENCODING(", 2 : i8", "[0, 1]", "[M, K]") " f16, B: in "
	  ENCODING("", "[1, 0]", "[K, N]") " f16, D: in row_major[N] f32, "
	  "C: out row_major[M, N] f32) { "
	  "grid (m, n) in (ceil(M/128), ceil(N/128)) workers w in 2 x 2 "
	  "for k in ceil(K/32) carry acc: [128, 128] f32 = fill 0 { "
	  "next = contract acc, load A[128*m, 32*k] : [128, 32], "
	  "load B[32*k, 128*n] : [32, 128] : (i, j, k) -> (i, k), (k, j), (i, j) "
	  "yield next } d = load D[128*n] : [128] out = map max(acc + d, 0) "
	  "store out -> C[128*m, 128*n] }",
	  { { 128, 32, 128 }, { 130, 70, 33 }, { 1, 1, 1 }, { 5, 0, 9 }, { 0, 3, 3 } }, NULL },
	/* every order of the factors' dimensions */
	{ "program nn(A: in row_major[M, K] f16, B: in row_major[K, N] f16, "
	  "C: out row_major[M, N] f16) { grid (m, n) in (ceil(M/64), ceil(N/32)) workers w in 4 "
	  "for k in ceil(K/32) carry s: [64, 32] f32 = fill 0 { "
	  "t = contract s, load A[64*m, 32*k] : [64, 32], load B[32*k, 32*n] : [32, 32] "
	  ": (i, j, k) -> (i, k), (k, j), (i, j) yield t } c = map f16(s) "
	  "store c -> C[64*m, 32*n] }",
	  { { 64, 32, 32 }, { 65, 17, 40 }, { 1, 1, 1 }, { 5, 0, 3 }, { 0, 3, 3 } }, NULL },
	{ "program tn(A: in row_major[K, M] f16, B: in row_major[N, K] f16, "
	  "C: out col_major[M, N] f32) { grid (m, n) in (ceil(M/16), ceil(N/48)) workers w in 3 "
	  "for k in ceil(K/16) carry s: [48, 16] f32 = fill 0 { "
	  "t = contract s, load B[48*n, 16*k] : [48, 16], load A[16*k, 16*m] : [16, 16] "
	  ": (i, j, k) -> (i, k), (k, j), (i, j) yield t } c = view s permute [1, 0] "
	  "store c -> C[16*m, 48*n] }",
	  { { 48, 16, 16 }, { 65, 17, 40 }, { 1, 1, 1 }, { 5, 3, 0 }, { 2, 0, 3 } }, NULL },
	/* a batch of products, waves that share it, and letters of more than one kind */
	{ "program batch(A: in row_major[B, M, K] f16, W: in row_major[B, N, K] f16, "
	  "C: out row_major[B, M, N] f32) { grid (b, m) in (ceil(B/2), ceil(M/16)) "
	  "workers w in 2 x 1 x 1 assume N <= 32 s: [2, 16, 32] f32 = fill 0 "
	  "for k in ceil(K/32) carry c: [2, 16, 32] f32 = s { "
	  "t = contract c, load A[2*b, 16*m, 32*k] : [2, 16, 32], "
	  "load W[2*b, 0, 32*k] : [2, 32, 32] : (b, i, j, k) -> (b, i, k), (b, j, k), (b, i, j) "
	  "yield t } store c -> C[2*b, 16*m, 0] }",
	  { { 2, 16, 32, 32 }, { 3, 17, 33, 31 }, { 1, 1, 1, 1 }, { 0, 4, 5, 6 },
	    { 2, 0, 3, 4 } }, NULL },
	{ "program two(A: in row_major[M, 2, K] f16, B: in row_major[2, N, K] f16, "
	  "C: out row_major[M, 3, N] f32) { grid (m, n) in (ceil(M/16), ceil(N/16)) "
	  "workers w in 1 s: [16, 3, 16] f32 = fill 1 "
	  "x = view (load A[16*m, 0, 0] : [16, 2, 32]) expand 0 into (1, 16) "
	  "y = load B[0, 16*n, 0] : [2, 16, 32] assume K <= 32 "
	  "z = view x broadcast [3, 16, 2, 32] "
	  "t = contract s, z, y : (i, h, l, k, j) -> (h, i, l, k), (l, j, k), (i, h, j) "
	  "store t -> C[16*m, 0, 16*n] }",
	  { { 16, 32, 16 }, { 17, 31, 33 }, { 1, 1, 1 }, { 3, 0, 2 }, { 0, 5, 5 } }, NULL },
	/* one factor used twice; a sum that another step adds to; a product of a product */
	{ "program square(A: in row_major[M, K] f16, C: out row_major[M, M] f32) { "
	  "grid (m) in (1) workers w in 2 assume M <= 32 "
	  "for k in ceil(K/16) carry s: [32, 32] f32 = fill 0 { a = load A[0, 16*k] : [32, 16] "
	  "t = contract s, a, a : (i, j, k) -> (i, k), (j, k), (i, j) "
	  "u = contract t, a, a : (i, j, k) -> (i, k), (j, k), (i, j) yield u } "
	  "store s -> C[0, 0] }",
	  { { 32, 16 }, { 31, 50 }, { 1, 1 }, { 2, 0 }, { 0, 2 } }, NULL },
	{ "program chain(A: in row_major[M, 32] f16, B: in row_major[32, 32] f16, "
	  "C: out row_major[M, 32] f32) { grid (m) in (ceil(M/32)) workers w in 1 "
	  "z: [32, 32] f32 = fill 0 b = load B[0, 0] : [32, 32] "
	  "s = contract z, load A[32*m, 0] : [32, 32], b : (i, j, k) -> (i, k), (k, j), (i, j) "
	  "h = map f16(s) z2: [32, 32] f32 = fill 0 "
	  "t = contract z2, h, b : (i, j, k) -> (i, k), (k, j), (i, j) store t -> C[32*m, 0] }",
	  { { 32 }, { 33 }, { 1 }, { 0 }, { 64 } }, NULL },
	/* what a scale does to the sum at each step */
	{ "program scaled(A: in row_major[M, K] f16, B: in row_major[N, K] f16, "
	  "C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/32), ceil(N/32)) workers w in 1 "
	  "for k in ceil(K/32) carry s: [32, 32] f32 = fill 1 { h = map s * 0.5 "
	  "t = contract h, load A[32*m, 32*k] : [32, 32], load B[32*n, 32*k] : [32, 32] "
	  ": (i, j, k) -> (i, k), (j, k), (i, j) yield t } store s -> C[32*m, 32*n] }",
	  { { 32, 32, 32 }, { 33, 65, 3 }, { 1, 1, 1 }, { 2, 0, 3 }, { 0, 3, 3 } }, NULL },
	/* owners that are written, of the instruction and not */
	{ "program given(A: in row_major[M, K] f16, B: in row_major[N, K] f16, "
	  "C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/32), ceil(N/16)) workers w in 2 "
	  "owner o = { [subgroup, lane, r] -> [16*subgroup + 4*floor(lane/16) + r, "
	  "lane mod 16] : 0 <= subgroup < 2 and 0 <= lane < 64 and 0 <= r < 4 } "
	  "owner p = { [subgroup, lane, r] -> [8*subgroup + floor(lane/8), 4*(lane mod 8) + r] : "
	  "0 <= subgroup < 2 and 0 <= lane < 64 and 0 <= r < 4 } "
	  "for k in ceil(K/32) carry s: [32, 16] f32 @ o = fill 0 { "
	  "b = load B[16*n, 32*k] : [16, 32] @ p "
	  "t = contract s, load A[32*m, 32*k] : [32, 32], b "
	  ": (i, j, k) -> (i, k), (j, k), (i, j) by MFMA_F32_16x16x16_F16 yield t } "
	  "store s -> C[32*m, 16*n] }",
	  { { 32, 32, 16 }, { 33, 65, 3 }, { 1, 1, 1 }, { 2, 0, 3 }, { 0, 3, 3 } }, "gfx9" },
	{ "program other(A: in row_major[M, K] f16, B: in row_major[N, K] f16, "
	  "C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/32), ceil(N/16)) workers w in 1 "
	  "owner o = { [lane, r] -> [floor(lane/2), 8*(lane mod 2) + r] : 0 <= lane < 64 and "
	  "0 <= r < 8 } for k in ceil(K/32) carry s: [32, 16] f32 @ o = fill 0 { "
	  "t = contract s, load A[32*m, 32*k] : [32, 32], load B[16*n, 32*k] : [16, 32] "
	  ": (i, j, k) -> (i, k), (j, k), (i, j) by MFMA_F32_16x16x16_F16 yield t } "
	  "store s -> C[32*m, 16*n] }",
	  { { 32, 32, 16 }, { 33, 65, 3 }, { 1, 1, 1 }, { 2, 0, 3 }, { 0, 3, 3 } }, "gfx9" },
};

static bool has_text(const struct text *text, const char *target)
{
	return !text->only || !strncmp(target, text->only, strlen(text->only));
}

/* Two sizes of each target, all of them in turn. */
static void test_texts(void **state)
{
	const char *only = getenv("LAYOUT_TEST_FILTER");
	uint64_t seed = random_seed();

	for (unsigned t = 0; t < COUNT(texts); t++)
		for (unsigned i = 0; i < COUNT(targets); i++) {
			if ((only && !strstr(texts[t].text, only)) ||
			    !has_text(&texts[t], targets[i]) ||
			    !share_has(t, i, COUNT(targets)))
				continue;
			check(*state, targets[i], texts[t].text, "ma.f32.16x16x",
				(const int64_t *const[]){ texts[t].sizes[i % 5],
				texts[t].sizes[(i + 1) % 5] }, 2, &seed);
		}
}

/* Types that most targets have instructions for, and those that few have. */
static const char *const random_types[][3] = {
	{ "f16", "f16", "f32" }, { "bf16", "bf16", "f32" }, { "i8", "i8", "i32" },
	{ "f16", "f16", "f16" }, { "f32", "f32", "f32" }, { "u8", "i8", "i32" },
};

/* The letters of a tile in any order, "(k, i)", and the same of a place, "[32*k, 16*m]", a
 * box and a storage. */
static void random_tile(const char *letters, const int64_t *extents, char maps[64],
	char place[128], char box[64], char sizes[64], uint64_t *seed)
{
	static const char *const names[] = { ['b'] = "B", ['i'] = "M", ['j'] = "N",
		['k'] = "K" };
	static const char *const positions[] = { ['b'] = "b", ['i'] = "m", ['j'] = "n",
		['k'] = "k" };
	char left[8];
	const char *separator = "";

	snprintf(left, sizeof(left), "%s", letters);
	maps[0] = place[0] = box[0] = sizes[0] = 0;
	for (size_t count = strlen(left); count; count--, separator = ", ") {
		size_t at = random_below(seed, (uint32_t)count);
		int letter = left[at];
		int extent = (int)extents[strchr("bijk", letter) - "bijk"];

		snprintf(maps + strlen(maps), 64 - strlen(maps), "%s%c", separator, letter);
		snprintf(place + strlen(place), 128 - strlen(place), "%s%d*%s", separator,
			extent, positions[letter]);
		snprintf(box + strlen(box), 64 - strlen(box), "%s%d", separator, extent);
		snprintf(sizes + strlen(sizes), 64 - strlen(sizes), "%s%s", separator,
			names[letter]);
		memmove(left + at, left + at + 1, count - at);
	}
}

/* Is there a kernel?  Vector units may need too many registers. */
static bool is_kernel(const struct program_data *data, const char *target)
{
	layout_kernel *kernel = layout_kernel_new_program(data->program, target, NULL);
	bool is = kernel;

	if (!is && !strstr(layout_context_message(data->ctx), "registers a lane"))
		fail_msg("%s: %s", target, layout_context_message(data->ctx));
	if (!is)
		layout_context_clear(data->ctx);
	layout_kernel_free(kernel);
	return is;
}

static bool random_once(layout_context *ctx, uint64_t *seed)
{
	static const char *const waves[] = { "1", "2", "3", "4", "2 x 2", "1 x 4", "2 x 2 x 1" };
	static const int64_t tiles[] = { 16, 32, 48 };
	const char *const *types = random_types[random_below(seed, COUNT(random_types))];
	const char *target = targets[random_below(seed, COUNT(targets))];
	const int64_t extents[] = { 1 + random_below(seed, 2), tiles[random_below(seed, 3)],
		tiles[random_below(seed, 3)], 16 << random_below(seed, 2) };
	char maps[3][64], place[3][128], box[3][64], sizes[3][64], text[2048];
	static const char *const letters[] = { "bik", "bjk", "bij" };
	int64_t n[4];
	struct program_data data;
	bool runs;

	for (unsigned i = 0; i < 3; i++)
		random_tile(letters[i], extents, maps[i], place[i], box[i], sizes[i], seed);
	snprintf(text, sizeof(text), "program p(X: in %s[%s] %s, Y: in %s[%s] %s, "
		"Z: out %s[%s] %s) { grid (b, m, n) in (ceil(B/%d), ceil(M/%d), ceil(N/%d)) "
		"workers w in %s for k in ceil(K/%d) carry s: [%s] %s = fill 0 { "
		"t = contract s, load X[%s] : [%s], load Y[%s] : [%s] : "
		"(b, i, j, k) -> (%s), (%s), (%s) yield t } store s -> Z[%s] }",
		random_below(seed, 2) ? "row_major" : "col_major", sizes[0], types[0],
		random_below(seed, 2) ? "row_major" : "col_major", sizes[1], types[1],
		random_below(seed, 2) ? "row_major" : "col_major", sizes[2], types[2],
		(int)extents[0], (int)extents[1], (int)extents[2],
		waves[random_below(seed, COUNT(waves))], (int)extents[3], box[2], types[2],
		place[0], box[0], place[1], box[1], maps[0], maps[1], maps[2], place[2]);
	for (unsigned i = 0; i < 4; i++)
		n[i] = random_below(seed, i ? 50 : 9);
	data = program_data_new(ctx, text, n);
	program_data_random(&data, seed);
	runs = is_kernel(&data, target);
	if (runs)
		program_check(&data, target, 0);
	program_data_free(&data);
	return runs;
}

static void test_random(void **state)
{
	uint64_t seed = random_seed();
	unsigned count = 0;

	for (unsigned i = 0; i < share_count(20) || (count <= share_count(10) && i < 100); i++)
		count += random_once(*state, &seed);
	assert_true(count > share_count(10));
}

/* Where a program is refused, by reading it or for a target. */
static const struct refused {
	const char *types[3], *box, *by, *target, *says;
} refused[] = {
	{ { "f16", "f16", "f32" }, "32", "MFMA_F32_16x16x16_F61", NULL,
	  "no matrix instruction 'MFMA_F32_16x16x16_F61'; near it are MFMA_F32_16x16x16_F16" },
	{ { "bf16", "bf16", "f32" }, "32", "MFMA_F32_16x16x16_F16", NULL,
	  "MFMA_F32_16x16x16_F16 multiplies f16 by f16 into f32, not bf16 by bf16 into f32; "
	  "MFMA_F32_16x16x8_BF16" },
	{ { "f16", "f16", "f64" }, "32", "MFMA_F32_16x16x16_F16", NULL,
	  "not f16 by f16 into f64; no matrix instruction does" },
	{ { "i8", "i8", "i32" }, "32", "MFMA_F32_16x16x16_F16", NULL,
	  "not i8 by i8 into i32; MFMA_I32_16x16x16_I8, MFMA_I32_32x32x8_I8, " },
	{ { "f16", "f16", "f32" }, "32", "MFMA_F32_16x16x16_F16", "gfx1100",
	  "gfx1100 has no MFMA_F32_16x16x16_F16, but gfx908, gfx90a, gfx942, gfx950" },
	{ { "f16", "f16", "f32" }, "24", "MFMA_F32_16x16x16_F16", "gfx942",
	  "multiplies 16 x 16 by 16 x 16: no dimension that only the first factor and the "
	  "sum have is a multiple of 16" },
	{ { "f16", "f16", "f32" }, "32", "WMMA_F32_16x16x32_F16", "gfx1250",
	  "no kernel for gfx1250 has WMMA_F32_16x16x32_F16" },
	{ { "f16", "f16", "f32" }, "32", "MFMA_F32_4x4x4x16B_F16", "gfx942",
	  "no kernel for gfx942 has MFMA_F32_4x4x4x16B_F16" },
	{ { "f16", "f16", "f32" }, "1024", "MFMA_F32_16x16x16_F16", "gfx942",
	  "registers a lane" },
};

static void test_refused(void **state)
{
	layout_context *ctx = *state;
	char text[2048];

	for (unsigned i = 0; i < COUNT(refused); i++) {
		const struct refused *r = &refused[i];
		layout_program *program;
		layout_kernel *kernel = NULL;

		snprintf(text, sizeof(text), "program p(A: in row_major[M, K] %s, "
			"B: in row_major[N, K] %s, C: out row_major[M, N] %s) { "
			"grid (m, n) in (ceil(M/%s), ceil(N/%s)) workers w in 2 "
			"for k in ceil(K/64) carry s: [%s, %s] %s = fill 0 { "
			"t = contract s, load A[%s*m, 64*k] : [%s, 64], "
			"load B[%s*n, 64*k] : [%s, 64] : (i, j, k) -> (i, k), (j, k), (i, j) "
			"by %s yield t } store s -> C[%s*m, %s*n] }", r->types[0],
			r->types[1], r->types[2], r->box, r->box, r->box, r->box, r->types[2],
			r->box, r->box, r->box, r->box, r->by, r->box, r->box);
		program = layout_program_parse(ctx, text);
		if (r->target) {
			assert_non_null(program);
			kernel = layout_kernel_new_program(program, r->target, NULL);
			assert_null(kernel);
		} else {
			assert_null(program);
		}
		if (!strstr(layout_context_message(ctx), r->says))
			fail_msg("%s: %s", r->by, layout_context_message(ctx));
		layout_context_clear(ctx);
		layout_program_free(program);
	}
}

/* What lies as the instruction takes it is loaded 16 bytes a lane, in whole steps and in the
 * others, and so is the bias behind them; the sums stay where they are. */
static void test_assembly(void **state)
{
	char *text = program_example("gemm_data_tiled");
	layout_program *program = layout_program_parse(*state, text);
	layout_kernel *kernel = layout_kernel_new_program(program, "gfx942", NULL);
	char *code = layout_kernel_emit(*state, kernel, LAYOUT_EMIT_ASM, NULL, 0,
		&(size_t){ 0 });
	unsigned products = 0, loads = 0;

	assert_non_null(code);
	for (const char *at = code; (at = strstr(at, "v_mfma_f32_16x16x16_f16")); at++)
		products++;
	for (const char *at = code; (at = strstr(at, "global_load_dwordx4")); at++)
		loads++;
	assert_true(loads >= 8);
	assert_int_equal(loads, products / 4 + 4);
	assert_null(strstr(code, "global_load_dwordx2"));
	assert_null(strstr(code, "accvgpr"));
	assert_non_null(strstr(code, "spill_count: 0"));
	layout_string_free(code);
	layout_kernel_free(kernel);
	layout_program_free(program);
	free(text);
}

/* A product whose factors have no room in registers at once takes them in parts: no lane keeps
 * anything in memory. */
static void test_registers(void **state)
{
	static const char *const all[] = { "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1200" };
	char *text = program_example("gemm_data_tiled");
	layout_program *program = layout_program_parse(*state, text);

	for (unsigned i = 0; i < COUNT(all); i++) {
		layout_kernel *kernel = layout_kernel_new_program(program, all[i], NULL);
		char *code = layout_kernel_emit(*state, kernel, LAYOUT_EMIT_ASM, NULL, 0,
			&(size_t){ 0 });

		assert_non_null(code);
		if (!strstr(code, ".private_segment_fixed_size: 0\n"))
			fail_msg("%s has scratch", all[i]);
		layout_string_free(code);
		layout_kernel_free(kernel);
	}
	layout_program_free(program);
	free(text);
}

/* The layout that AMD publishes for an intrinsic of LLVM, which is told formats of the row's
 * types. */
static layout_mma *published(layout_context *ctx, const char *target,
	const struct mma_row *row, const struct mma_code *code, layout_mma_operand operand)
{
	bool formats = strstr(code->name, ".f8f6f4");
	char name[96];
	int length = snprintf(name, sizeof(name), "v_%s", code->name + strlen("llvm.amdgcn."));

	for (char *c = name; *c; c++)
		*c = *c == '.' ? '_' : *c;
	for (unsigned i = 0; formats && i < 2; i++)
		length += snprintf(name + length, sizeof(name) - (size_t)length, "_%.2s",
			row->types[i]);
	return layout_mma_find(ctx, name, operand, target);
}

static layout_relation *relation_of(layout_context *ctx, const struct chip *chip,
	const char *name, layout_mma_operand operand)
{
	layout_mma *mma = layout_mma_find(ctx, name, operand, chip->target.name);
	layout_relation *relation = layout_mma_relation(mma);

	layout_mma_free(mma);
	return relation;
}

/* What is emitted for a row has its layouts, but for the order of K. */
static void check_code(layout_context *ctx, const struct chip *chip,
	const struct mma_row *row, const struct mma_code *code)
{
	layout_relation *row_is[3], *code_is[3], *all, *held;

	for (layout_mma_operand i = LAYOUT_MMA_LHS; i <= LAYOUT_MMA_ACC; i++) {
		layout_mma *mma = published(ctx, chip->target.name, row, code, i);

		if (!mma)
			fail_msg("%s on %s: %s", row->name, chip->target.name,
				layout_context_message(ctx));
		code_is[i] = layout_mma_relation(mma);
		row_is[i] = relation_of(ctx, chip, row->name, i);
		layout_mma_free(mma);
	}
	if (layout_mma_equal_up_to_k(row_is[0], row_is[1], code_is[0], code_is[1], NULL,
	    NULL) != LAYOUT_YES)
		fail_msg("%s on %s is not %s", row->name, chip->target.name, code->name);
	if (code->spread) {
		all = layout_relation_read(ctx, "{ [lane, e] -> [lane, x] : x = 2e }");
		held = layout_relation_compose(code_is[2], all);
		code_is[2] = held;
		if (mma_row_has(row, LAYOUT_MMA_ACC_HI)) {
			all = layout_relation_read(ctx, "{ [lane, e] -> [lane, x] : x = 2e }");
			row_is[2] = layout_relation_compose(row_is[2], all);
		}
	}
	if (layout_relation_equal(row_is[2], code_is[2], NULL) != LAYOUT_YES)
		fail_msg("the sums of %s on %s are not %s's", row->name, chip->target.name,
			code->name);
	for (unsigned i = 0; i < 3; i++) {
		layout_relation_free(row_is[i]);
		layout_relation_free(code_is[i]);
	}
}

static void test_codes(void **state)
{
	const layout_target *target;
	const struct mma_row *row;
	unsigned count = 0;

	for (unsigned t = 0; (target = share_target(t)); t++)
		for (unsigned i = 0; (row = mma_row_at(chip_of(target)->family, i)); i++) {
			const struct chip *chip = chip_of(target);
			const struct mma_code *code = mma_code_of(chip, row);

			if (!code || strncmp(code->name, "llvm.amdgcn.",
			    strlen("llvm.amdgcn.")) != 0)
				continue;
			check_code(*state, chip, row, code);
			count++;
		}
	assert_true(count > 150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_found,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_texts,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_random,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_refused,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_assembly,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_registers,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_codes,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
