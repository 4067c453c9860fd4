/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs as kernels, in the simulator, against what they mean. */
#include "support/program_check.h"
#include "support/program_data.h"
#include "support/program_rows.h"
#include "support/program_random.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* One of each kind of chip: of those whose instructions differ little another one each turn. */
enum { KINDS = 4 };
static const char *const turns[][KINDS] = {
	{ "gfx942", "gfx1100:wave64", "gfx1100", "sm_90" },
	{ "gfx90a", "gfx1100:wave64", "gfx1200", "sm_90" },
	{ "gfx950", "gfx1100:wave64", "gfx1200", "sm_90" },
};

/* A random case is run on one of these. */
static const char *const all_targets[] = { "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100",
	"gfx1100:wave64", "gfx1151:wave64", "gfx1200", "gfx1200:wave64", "gfx1250", "sm_75",
	"sm_80", "sm_90", "sm_120" };

/* Stores may meet, which is no program; and rows may share a byte. */
static bool is_program(const struct program_data *data)
{
	return layout_program_verify(data->program, NULL, NULL) != LAYOUT_NO;
}

static void test_rows(void **state)
{
	const char *only = getenv("LAYOUT_TEST_FILTER");
	char text[2048];

	for (unsigned r = 0; r < COUNT(program_rows); r++) {
		struct program_data data;

		program_row_text(&program_rows[r], text, sizeof(text));
		if (only && !strstr(text, only))
			continue;
		data = program_data_new(*state, text, program_rows[r].sizes);
		for (unsigned i = 0; i < data.count; i++)
			if (program_rows[r].in[i])
				program_data_fill(&data, i, program_rows[r].in[i]);
		if (is_program(&data))
			program_check_all(&data, 1, turns[r % COUNT(turns)], KINDS, 1e-6);
		program_data_free(&data);
	}
}

/* Programs at sizes that are tiles, odd, 1 and 0; the numbers in memory are small, and of
 * integers where sums are exact. */
static const struct text {
	const char *text;
	int64_t sizes[5][4];
	double bound;
	bool long_grid;		/* one target of each family will do */
} texts[] = {
#define STORE_ROWS " store y -> Y[16*m, 64*n] }"
#define ROWS(x, y, body, waves) \
	{ "program p(X: in " x "[M, K] f32, Y: out " y "[M, K] f32) { grid (m, n) in " \
	  "(ceil(M/16), ceil(K/64)) workers w in " waves " " \
	  "v = load X[16*m, 64*n] : [16, 64] " body STORE_ROWS, \
	  { { 32, 128 }, { 33, 65 }, { 1, 1 }, { 0, 64 }, { 17, 0 } }, 0 }
	ROWS("row_major", "row_major", "y = map v * 2 + 1", "1"),
	ROWS("row_major", "row_major", "y = map max(v, 0)", "2"),
	ROWS("col_major", "row_major", "y = map v + v", "1"),
	ROWS("row_major", "col_major", "y = map -v", "4"),
	ROWS("row_major", "row_major", "s = reduce add v over [1] keep y = map v - s", "1"),
	ROWS("row_major", "row_major", "s = reduce max v over [0] keep y = map v - s", "1"),
	ROWS("row_major", "row_major", "s = reduce add v over [0, 1] keep y = map v - s",
		"4"),
	ROWS("row_major", "col_major", "s = reduce add v over [1] "
		"t = view s expand 0 into (16, 1) y = map v - t", "1"),
	{ "program p(A: in row_major[M, K] f16, B: in row_major[K] f32, C: out col_major[M, K] "
	  "f32) { grid (m, k) in (ceil(M/32), ceil(K/32)) workers w in 1 "
	  "a = load A[32*m, 32*k] : [32, 32] b = load B[32*k] : [32] c = map f32(a) + b "
	  "store c -> C[32*m, 32*k] }",
	  { { 32, 32 }, { 64, 96 }, { 33, 31 }, { 1, 1 }, { 0, 1 } }, 0 },
	{ "program row_sum(A: in row_major[M, K] f32, S: out row_major[M] f32) { "
	  "grid (m) in (ceil(M/4)) workers w in 1 "
	  "for k in ceil(K/256) carry s: [4, 256] f32 = fill 0 { "
	  "a = load A[4*m, 256*k] : [4, 256] t = map s + a yield t } "
	  "r = reduce add s over [1] store r -> S[4*m] }",
	  { { 4, 256 }, { 8, 1000 }, { 5, 3 }, { 1, 0 }, { 0, 7 } }, 0 },
	{ "program matvec(A: in row_major[M, K] f16, B: in row_major[N, K] f16, "
	  "C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/2), N) workers w in 1 "
	  "owner o = nested_layout<subgroup_tile = [1, 1], batch_tile = [2, 1], "
	  "outer_tile = [1, 1], thread_tile = [1, 64], element_tile = [1, 8], "
	  "subgroup_strides = [0, 0], thread_strides = [0, 1]> "
	  "for k in ceil(K/512) carry s: [2, 512] f32 @ o = fill 0 { "
	  "a = load A[2*m, 512*k] : [2, 512] b = load B[n, 512*k] : [1, 512] "
	  "s2 = map s + f32(a) * f32(b) yield s2 } "
	  "c = reduce add s over [1] keep store c -> C[2*m, n] }",
	  { { 4, 512, 3 }, { 3, 700, 2 }, { 1, 1, 1 }, { 2, 0, 1 }, { 0, 5, 0 } }, 0 },
	{ "program matvec2(A: in row_major[M, K] f16, B: in row_major[N, K] f16, "
	  "C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/2), N) workers w in 1 "
	  "for k in ceil(K/512) carry s: [2, 1, 64] f32 = fill 0 { "
	  "s2 = contract s, view (load A[2*m, 512*k] : [2, 512]) expand 1 into (64, 8), "
	  "view (load B[n, 512*k] : [1, 512]) expand 1 into (64, 8) "
	  ": (i, j, r, e) -> (i, r, e), (j, r, e), (i, j, r) by valu yield s2 } "
	  "c = reduce add s over [2] store c -> C[2*m, n] }",
	  { { 4, 512, 3 }, { 3, 700, 2 }, { 1, 1, 1 }, { 2, 0, 1 }, { 0, 5, 0 } }, 0 },
	{ "program matmul(A: in row_major[M, K] f16, B: in row_major[K, N] f16, "
	  "C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/16), ceil(N/16)) "
	  "workers w in 2 for k in ceil(K/16) carry s: [16, 16] f32 = fill 0 { "
	  "s2 = contract s, load A[16*m, 16*k] : [16, 16], load B[16*k, 16*n] : [16, 16] "
	  ": (i, j, k) -> (i, k), (k, j), (i, j) yield s2 } store s -> C[16*m, 16*n] }",
	  { { 16, 16, 16 }, { 17, 40, 33 }, { 1, 1, 1 }, { 5, 0, 3 }, { 0, 3, 3 } }, 0 },
	{ "program softmax(X: in row_major[M, K] f32, Y: out row_major[M, K] f32) { "
	  "grid (m) in (M) workers w in 4 when K <= 1024 { "
	  "x = load X[m, 0] : [1, 1024] (pad = -inf) "
	  "t = reduce max x over [1] keep e = map exp(x - t) "
	  "s = reduce add e over [1] keep y = map e / s store y -> Y[m, 0] } }",
	  { { 3, 1024 }, { 2, 1000 }, { 2, 1 }, { 1, 0 }, { 0, 9 } }, 1e-6 },
	{ "program quantise(X: in row_major[M, K] f32, S: out row_major[M] f32, "
	  "Q: out row_major[M, K] i8) { grid (m) in (ceil(M/2)) workers w in 1 "
	  "x = load X[2*m, 0] : [2, 256] t = map abs(x) a = reduce max t over [1] "
	  "s = map a / 127 store s -> S[2*m] "
	  "u = view s expand 0 into (2, 1) q = map i8(select(u == 0, x, x / u)) "
	  "store q -> Q[2*m, 0] }",
	  { { 4, 256 }, { 3, 255 }, { 1, 1 }, { 1, 0 }, { 0, 9 } }, 1e-6 },
	{ "program again(X: in row_major[M, 12] i32, Y: out row_major[6*K + M] i32) { "
	  "grid (m) in (1) workers w in 2 t = load X[0, 0] : [6, 12] "
	  "s = reduce max t over [1] for k in K + ceil(M/6) { store s -> Y[6*k] } }",
	  { { 6, 2 }, { 0, 3 }, { 4, 3 }, { 2, 0 }, { 6, 0 } }, 0 },
	{ "program bits(X: in row_major[M, K] f32, Y: out row_major[M, K] i4) { "
	  "grid (m, n) in (ceil(M/16), ceil(K/16)) workers w in 1 "
	  "v = load X[16*m, 16*n] : [16, 16] y = map i4(v) store y -> Y[16*m, 16*n] }",
	  { { 16, 16 }, { 33, 64 }, { 1, 7 }, { 0, 3 }, { 5, 18 } }, 0 },
	{ "program halves(X: in col_major[M, K] i4, Y: out col_major[M, K] f6E2M3FN) { "
	  "grid (m, n) in (ceil(M/16), ceil(K/4)) workers w in 1 "
	  "v = load X[16*m, 4*n] : [16, 4] y = map f6E2M3FN(f32(v)) "
	  "store y -> Y[16*m, 4*n] }",
	  { { 16, 16 }, { 32, 64 }, { 3, 1 }, { 0, 3 }, { 20, 18 } }, 0 },
	{ "program best(X: in row_major[M, K] f32, Y: out row_major[M] i32, "
	  "Z: out row_major[K] i32) { grid (m) in (1) workers w in 2 "
	  "x = load X[0, 0] : [32, 128] (pad = -1000) y = reduce argmax x over [1] "
	  "z = reduce argmin x over [0] store y -> Y[0] store z -> Z[0] }",
	  { { 32, 128 }, { 31, 100 }, { 1, 1 }, { 0, 3 }, { 3, 0 } }, 0 },
	{ "program idle(X: in row_major[M] f32, Y: out row_major[M] f32, "
	  "E: out row_major[1] f32) { grid (g) in (1) workers w in 3 assume M <= 2 "
	  "v: [2] f32 = load X[0] : [2] @ { [subgroup, lane] -> [subgroup] : "
	  "0 <= subgroup < 2 and 0 <= lane < 1 } b = reduce add v over [0] keep "
	  "y = map v + b store y -> Y[0] store b -> E[0] }",
	  { { 2 }, { 1 }, { 0 }, { 2 }, { 1 } }, 0 },
	{ "program beyond(X: in row_major[M] f32, Y: out row_major[M] f32) { "
	  "grid (g) in (1) workers w in 4 assume M <= 33 v = load X[0] : [33] "
	  "b = reduce max v over [0] keep y = map v - b store y -> Y[0] }",
	  { { 33 }, { 32 }, { 1 }, { 0 }, { 7 } }, 0 },
	{ "program rows(T: in row_major[N, K] f16, I: in row_major[M, 1] i32, "
	  "Y: out row_major[M, K] f16) { grid (m, k) in (ceil(M/8), ceil(K/64)) "
	  "workers w in 1 i = load I[8*m, 0] : [8, 1] (pad = -1) "
	  "t = load T[i, 64*k] : [8, 64] store t -> Y[8*m, 64*k] }",
	  { { 5, 64, 8 }, { 3, 65, 9 }, { 1, 1, 1 }, { 0, 2, 3 }, { 2, 0, 1 } }, 0 },
	{ "program row_sum(A: in row_major[M, K] f32, S: out row_major[M] f32) { "
	  "grid (m) in (ceil(M/4)) workers w in 1 "
	  "for k in ceil(K/64) carry s: [4, 64] f32 = fill 0 { "
	  "a = load A[4*m, 64*k] : [4, 64] t = map s + a yield t } "
	  "r = reduce add s over [1] store r -> S[4*m] }",
	  { { 4, 128 }, { 8, 256 }, { 8, 320 }, { 7, 128 }, { 4, 191 } }, 0 },
	{ "program tiles(X: in row_major[T, 16, 16] f32, Y: out row_major[T, 16, 16] f32) { "
	  "grid (t) in (ceil(T/4)) workers w in 1 x = load X[4*t, 0, 0] : [4, 16, 16] "
	  "y = view x permute [0, 2, 1] store y -> Y[4*t, 0, 0] }",
	  { { 4 }, { 5 }, { 7 }, { 2 }, { 0 } }, 0 },
	{ "program likes(X: in row_major[M, K] f32, Y: out row_major[K, M] f32) { "
	  "grid (m, n) in (ceil(M/32), ceil(K/32)) workers w in 2 "
	  "v = load X[32*m, 32*n] : [32, 32] t = view v permute [1, 0] "
	  "u = load X[32*m, 32*n] : [32, 32] @ like t c = convert t @ like v "
	  "for k in 2 carry s: [32, 32] f32 @ like t = c { z: [32, 32] f32 @ like u = map s + c "
	  "yield z } store s -> Y[32*n, 32*m] }",
	  { { 32, 32 }, { 64, 33 }, { 1, 1 }, { 0, 2 }, { 31, 65 } }, 0 },
	{ "program in_turn(X: in row_major[K] i32, Y: out row_major[64] i32, "
	  "Z: out row_major[64] i32) { grid (g) in (1) workers w in 1 "
	  "for k in ceil(K/64) carry a: [64] i32 = fill 0, b: [64] i32 = fill 1 { "
	  "x = load X[64*k] : [64] t = map 2 * a + x * i32(k + 1) yield b, t } "
	  "store a -> Y[0] store b -> Z[0] }",
	  { { 128 }, { 256 }, { 192 }, { 130 }, { 0 } }, 0 },
	{ "program sixes(X: in row_major[M, K] f6E2M3FN, Y: out row_major[M, K] f32, "
	  "Z: out row_major[M, K] f32) { grid (m, n) in (ceil(M/16), ceil(K/32)) workers w in 1 "
	  "x = load X[16*m, 32*n] : [16, 32] @ { [lane, r] -> [lane mod 16, 8*floor(lane/16) + "
	  "r mod 8 + 16*floor(r/8)] : 0 <= lane < 32 and 0 <= r < 16 } y = map f32(x) "
	  "store y -> Y[16*m, 32*n] z = load X[16*m, 32*n] : [16, 32] v = map f32(z) "
	  "store v -> Z[16*m, 32*n] }",
	  { { 16, 32 }, { 33, 64 }, { 32, 52 }, { 0, 16 }, { 3, 4 } }, 0 },
	{ "program functions(X: in row_major[N] f64, Y: out row_major[N] f64) { "
	  "grid (n) in (ceil(N/32)) workers w in 1 x = load X[32*n] : [32] "
	  "y = map exp(x) + log(abs(x) + 1) + tanh(x) + erf(x) store y -> Y[32*n] }",
	  { { 64 }, { 65 }, { 1 }, { 0 }, { 7 } }, 1e-14 },
	{ "program others(X: in row_major[N] f64, Y: out row_major[N] f64) { "
	  "grid (n) in (ceil(N/32)) workers w in 1 x = load X[32*n] : [32] "
	  "y = map exp2(x) + log2(abs(x) + 1) + sin(x * 1e9) * cos(x) store y -> Y[32*n] }",
	  { { 64 }, { 65 }, { 1 }, { 0 }, { 7 } }, 1e-14 },
	{ "program singles(X: in row_major[N] f32, Y: out row_major[N] f32) { "
	  "grid (n) in (ceil(N/32)) workers w in 1 x = load X[32*n] : [32] z = map x * 7 + 0.3 "
	  "y = map exp2(z) + log2(abs(z) + 1) + sin(z * 100) * cos(z) store y -> Y[32*n] }",
	  { { 64 }, { 65 }, { 1 }, { 0 }, { 7 } }, 1e-6 },
	{ "program turns(X: in row_major[M] i32, Y: out row_major[M] i32) { "
	  "grid (m, n) in (M, 1) workers w in 1 x = load X[m] : [1] y = map x + 1 "
	  "store y -> Y[m] }", { { 65537 }, { 2 }, { 1 }, { 0 }, { 3 } }, 0, true },
	{ "program turns(X: in row_major[M] i32, Y: out row_major[M] i32) { "
	  "grid (m, n) in (M, 1) workers w in 1 for k in 2 carry s: [1] i32 = fill 0 { "
	  "x = load X[m] : [1] t = map s + x yield t } store s -> Y[m] }",
	  { { 65537 }, { 2 }, { 1 }, { 0 }, { 3 } }, 0, true },
	{ "program moved(X: in row_major[M, K] f32, Y: out row_major[K, M] f32) { "
	  "grid (m, n) in (ceil(M/32), ceil(K/32)) workers w in 1 "
	  "owner o = { [lane, r] -> [r, lane] : 0 <= lane < 32 and 0 <= r < 32 } "
	  "v = load X[32*m, 32*n] : [32, 32] c = convert v @ o "
	  "y = view c permute [1, 0] store y -> Y[32*n, 32*m] }",
	  { { 32, 32 }, { 64, 33 }, { 1, 1 }, { 0, 2 }, { 31, 65 } }, 0 },
};

/* Small integers in every argument that is read, or halves for floats if "halves". */
static void fill_random(const struct program_data *data, uint64_t *seed)
{
	for (unsigned i = 0; i < data->count; i++) {
		int64_t elements = (int64_t)(data->buffers[i].bytes * 8 /
			data->type[i]->bits);

		for (int64_t e = 0; e < elements; e++)
			program_data_set(data, i, e, (double)random_below(seed, 9) -
				(data->type[i]->kind == 'u' ? 0 : 4));
	}
}

/* A program at some sizes on the targets of a turn, or the last ones. */
static void check_sizes(layout_context *ctx, const char *text, const int64_t (*sizes)[4],
	unsigned count, double bound, unsigned turn, unsigned first, uint64_t *seed)
{
	struct program_data data[PROGRAM_CHECK_MOST];

	for (unsigned s = 0; s < count; s++) {
		data[s] = program_data_new(ctx, text, sizes[s]);
		fill_random(&data[s], seed);
	}
	program_check_all(data, count, turns[turn % COUNT(turns)] + first, KINDS - first, bound);
	for (unsigned s = 0; s < count; s++)
		program_data_free(&data[s]);
}

static void test_texts(void **state)
{
	const char *only = getenv("LAYOUT_TEST_FILTER");
	uint64_t seed = random_seed();

	for (unsigned t = 0; t < COUNT(texts); t++)
		if (!only || strstr(texts[t].text, only))
			check_sizes(*state, texts[t].text, texts[t].sizes, 5, texts[t].bound, t,
				texts[t].long_grid ? KINDS - 2 : 0, &seed);
}

static const struct example {
	const char *name;
	int64_t sizes[4][4];
} examples[] = {
	{ "softmax", { { 0, 7 }, { 2, 1 }, { 3, 257 }, { 1, 4096 } } },
	{ "softmax_online", { { 3, 0 }, { 2, 1 }, { 3, 1025 }, { 1, 2048 } } },
	{ "rms_norm", { { 0, 7 }, { 2, 1 }, { 3, 513 }, { 1, 2048 } } },
	{ "layer_norm", { { 3, 0 }, { 2, 1 }, { 3, 257 }, { 1, 2048 } } },
	{ "quantise_rows", { { 0, 7 }, { 2, 1 }, { 3, 257 }, { 1, 512 } } },
	{ "bias_cast_transpose", { { 0, 7 }, { 1, 1 }, { 65, 63 }, { 128, 64 } } },
	{ "matvec", { { 0, 7, 1 }, { 1, 1, 1 }, { 3, 700, 2 }, { 2, 1024, 2 } } },
	{ "matvec_dot", { { 0, 7, 1 }, { 1, 1, 1 }, { 3, 700, 2 }, { 2, 1024, 2 } } },
	{ "matmul", { { 0, 7, 1 }, { 1, 1, 1 }, { 65, 70, 31 }, { 64, 128, 64 } } },
	{ "row_sum", { { 0, 7 }, { 1, 1 }, { 5, 700 }, { 8, 1024 } } },
};

static void test_examples(void **state)
{
	const char *only = getenv("LAYOUT_TEST_FILTER");
	uint64_t seed = random_seed();

	for (unsigned e = 0; e < COUNT(examples); e++) {
		char *text = program_example(examples[e].name);

		if (!only || strstr(text, only))
			check_sizes(*state, text, examples[e].sizes, 4, 1e-5, e, 0, &seed);
		free(text);
	}
}

/* Does the last of the first "count" rows depend on those before it, over F2? */
static bool depends(const unsigned *rows, unsigned count)
{
	for (unsigned some = 0; some < 1u << (count - 1); some++) {
		unsigned sum = rows[count - 1];

		for (unsigned i = 0; i + 1 < count; i++)
			sum ^= some >> i & 1 ? rows[i] : 0;
		if (!sum)
			return true;
	}
	return false;
}

/* An owner of [2^rows, 2^columns] whose coordinates' bits are sums of any bits of the
 * register, the lane and the subgroup, an invertible matrix; or one of them each. */
static void random_owner(char *text, size_t size, unsigned rows, unsigned columns,
	const unsigned bits[3], bool plain, uint64_t *seed)
{
	static const char *const names[] = { "r", "lane", "subgroup" };
	unsigned count = rows + columns, matrix[16];
	struct layout_buffer out = { 0 };

	for (unsigned i = 0; i < count; i++)
		do
			matrix[i] = plain ? 1u << random_below(seed, count) :
				1 + random_below(seed, (1u << count) - 1);
		while (depends(matrix, i + 1));
	layout_buffer_printf(&out, "{ [subgroup, lane, r] -> [");
	for (unsigned i = 0; i < count; i++) {
		unsigned b = 0;

		layout_buffer_printf(&out, "%s%d*((0", i == rows ? ", " : i ? " + " : "",
			1 << (i < rows ? i : i - rows));
		for (unsigned part = 0; part < 3; part++)
			for (unsigned k = 0; k < bits[part]; k++, b++)
				if (matrix[i] >> b & 1)
					layout_buffer_printf(&out, " + floor(%s/%d)",
						names[part], 1 << k);
		layout_buffer_printf(&out, ") mod 2)");
	}
	layout_buffer_printf(&out, "] : 0 <= subgroup < %d and 0 <= lane < %d and 0 <= r < %d }",
		1 << bits[2], 1 << bits[1], 1 << bits[0]);
	assert_true(out.length < size);
	strcpy(text, out.text);
	free(out.text);
}

/* The same numbers under whatever owners. */
static void owners_once(layout_context *ctx, uint64_t *seed)
{
	static const char *const types[] = { "f32", "f16", "i8", "f64", "i32" };
	const char *target = all_targets[random_below(seed, COUNT(all_targets))];
	const char *type = types[random_below(seed, COUNT(types))];
	unsigned lanes = layout_target_find(ctx, target)->wave_size == 64 ? 6 : 5;
	unsigned waves = random_below(seed, 3), rows = 1 + random_below(seed, 4);
	unsigned count = lanes + waves + random_below(seed, 4);
	unsigned columns = count - rows;
	const unsigned bits[] = { count - lanes - waves, lanes, waves };
	char from[4096], to[4096], text[10000];
	int64_t sizes[2];
	struct program_data data;

	random_owner(from, sizeof(from), rows, columns, bits, random_below(seed, 2), seed);
	random_owner(to, sizeof(to), rows, columns, bits, random_below(seed, 2), seed);
	sizes[0] = random_below(seed, 2 << rows);
	sizes[1] = random_below(seed, (1u << columns) + 1);
	snprintf(text, sizeof(text), "program p(X: in row_major[M, K] %s, Y: out col_major[M, K] "
		"%s, Z: out row_major[M] %s, W: out row_major[K] i32) { "
		"grid (m) in (ceil(M/%d)) workers w in %d "
		"x = load X[%d*m, 0] : [%d, %d] @ %s y = convert x @ %s t = map y + x "
		"s = reduce add t over [1] store t -> Y[%d*m, 0] store s -> Z[%d*m] "
		"when m < 1 { a = reduce argmax y over [0] store a -> W[0] } }", type, type,
		type, 1 << rows, 1 << waves, 1 << rows, 1 << rows, 1 << columns, from, to,
		1 << rows, 1 << rows);
	data = program_data_new(ctx, text, sizes);
	fill_random(&data, seed);
	program_check(&data, target, 0);
	program_data_free(&data);
}

static void test_owners(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < share_count(60); i++)
		owners_once(*state, &seed);
}

static const struct storage_model models[] = {
	{ .kind = MODEL_ROW, .rank = 2 },
	{ .kind = MODEL_COLUMN, .rank = 2 },
	{ .kind = MODEL_STRIDED, .rank = 2, .stride = { 150, 1 } },
	{ .kind = MODEL_STRIDED, .rank = 2, .stride = { 2, 300 } },
	{ .kind = MODEL_ROW, .rank = 2, .row = 64, .access = 8 },
	{ .kind = MODEL_PACKED, .rank = 2, .tile = { 8, 8 }, .outer = { 0, 1 },
		.digit_count = 2, .digits = { { 0, 1, 8 }, { 1, 1, 8 } } },
	{ .kind = MODEL_PACKED, .rank = 2, .tile = { 16, 4 }, .outer = { 1, 0 },
		.digit_count = 4, .digits = { { 0, 4, 4 }, { 1, 2, 2 }, { 0, 1, 4 },
			{ 1, 1, 2 } } },
	{ .kind = MODEL_PACKED, .rank = 2, .tile = { 128, 16 }, .outer = { 0, 1 },
		.digit_count = 5, .digits = { { 0, 4, 8 }, { 1, 1, 4 }, { 0, 32, 4 },
			{ 0, 1, 4 }, { 1, 4, 4 } } },
};

/* A storage of M x K; strides and swizzles are for sizes that they fit. */
static void random_storage(char *text, const int64_t *n, uint64_t *seed)
{
	const struct storage_model *model;
	const char *size[] = { "M", "K" };
	char columns[16];

	do
		model = &models[random_below(seed, COUNT(models))];
	while ((model->row && (n[1] % 64 || !n[0])) ||
	       (model->kind == MODEL_STRIDED && (n[0] > 150 || n[1] > 150)));
	snprintf(columns, sizeof(columns), "%d", (int)n[1]);
	if (model->row)
		size[1] = columns;
	storage_model_text(model, size, text);
}

static void storages_once(layout_context *ctx, uint64_t *seed)
{
	static const int64_t lengths[] = { 0, 1, 7, 16, 33, 64, 128, 130 };
	static const unsigned extents[] = { 1, 3, 4, 8, 12, 16, 32, 64 };
	static const char *const types[] = { "f32", "f16", "i8", "f64" };
	const char *type = types[random_below(seed, COUNT(types))];
	const char *target = all_targets[random_below(seed, COUNT(all_targets))];
	unsigned rows = extents[random_below(seed, COUNT(extents))];
	unsigned columns = extents[random_below(seed, COUNT(extents))];
	int64_t sizes[] = { lengths[random_below(seed, COUNT(lengths))],
		lengths[random_below(seed, COUNT(lengths))] };
	char from[MODEL_TEXT], to[MODEL_TEXT], text[3 * MODEL_TEXT];
	struct program_data data;

	random_storage(from, sizes, seed);
	random_storage(to, sizes, seed);
	snprintf(text, sizeof(text), "program p(D: in strided[M, K : 0, 0] i8, A: in %s %s, "
		"C: out %s %s) { grid (m, n) in (ceil(M/%u), ceil(K/%u)) workers w in %u "
		"x = load A[%u*m, %u*n] : [%u, %u] z = load A[%u*m - %u, %u*n + %u] : "
		"[%u, %u] (pad = 3) y = map x + x - z store y -> C[%u*m, %u*n] }", from,
		type, to, type, rows, columns, 1 + random_below(seed, 4), rows, columns, rows,
		columns, rows, random_below(seed, 3), columns, random_below(seed, 9), rows,
		columns, rows, columns);
	data = program_data_new(ctx, text, sizes);
	fill_random(&data, seed);
	program_check(&data, target, 0);
	program_data_free(&data);
}

static void test_storages(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < share_count(60); i++)
		storages_once(*state, &seed);
}

/* These programs store to one element from several workgroups.  Small types are left out:
 * they are stored where rows are whole bytes. */
static void one_workgroup(char *text)
{
	char *grid = strstr(text, "grid (m, n) in ("), *workers = strstr(text, " workers");

	assert_true(grid && workers);
	grid += strlen("grid (m, n) in ");
	memset(grid, ' ', (size_t)(workers - grid));
	memcpy(grid, "(1, 1)", 6);
}

/* Numbers up to 6, or but for one of them all the same. */
static void fill_decisive(const struct program_data *data, unsigned argument, uint64_t *seed)
{
	const struct element_type *type = data->type[argument];
	int64_t count = (int64_t)data->buffers[argument].bytes * 8 / type->bits;
	unsigned most = type->kind == 'b' ? 2 : 7;
	bool same = random_below(seed, 2);
	unsigned number = random_below(seed, most);

	for (int64_t e = 0; e < count; e++)
		program_data_set(data, argument, e, same ? number : random_below(seed, most));
	if (same && count)
		program_data_set(data, argument, random_below(seed, (unsigned)count),
			random_below(seed, most));
}

static void test_random(void **state)
{
	uint64_t seed = random_seed();
	char text[16384];

	for (unsigned i = 0; i < share_count(40); i++) {
		const int64_t sizes[] = { random_below(&seed, 14), random_below(&seed, 33) };
		struct program_data data;

		program_random(&seed, RANDOM_ALL & ~RANDOM_SMALL_TYPES, text, sizeof(text));
		one_workgroup(text);
		data = program_data_new(*state, text, sizes);
		for (unsigned a = 0; a < data.count; a++)
			fill_decisive(&data, a, &seed);
		program_check(&data, all_targets[random_below(&seed, COUNT(all_targets))], 1e-5);
		program_data_free(&data);
	}
}

/* In each row another lane has the largest number, then the smallest one. */
static void lanes_once(layout_context *ctx, int64_t lanes)
{
	static const char *const places[] = { "gfx942", "gfx950", "gfx1100:wave64", "gfx1200",
		"gfx1200:wave64", "gfx1250", "sm_90" };
	const int64_t sizes[] = { 2 * lanes };
	char text[1024];
	struct program_data data;

	snprintf(text, sizeof(text), "program p(X: in row_major[M, %d] f32, Y: out row_major[M, %d] "
		"f32, I: out row_major[M] i32, J: out row_major[M] i32) { grid (m) in (M) "
		"workers w in 1 v = load X[m, 0] : [1, %d] a = reduce max v over [1] keep "
		"b = reduce min v over [1] keep s = reduce add v over [1] keep "
		"y = map v - a + 1024 * b + s store y -> Y[m, 0] "
		"i = reduce argmax v over [1] store i -> I[m] "
		"j = reduce argmin v over [1] store j -> J[m] }", (int)lanes, (int)lanes,
		(int)lanes);
	data = program_data_new(ctx, text, sizes);
	for (int64_t e = 0; e < sizes[0] * lanes; e++)
		program_data_set(&data, 0, e, e / lanes % lanes != e % lanes ? (double)(e % 7) :
			e / lanes < lanes ? 100 : -100);
	program_check_all(&data, 1, places, COUNT(places), 0);
	program_data_free(&data);
}

static void test_lanes(void **state)
{
	static const int64_t lanes[] = { 33, 40, 100 };

	for (unsigned i = 0; i < COUNT(lanes); i++)
		lanes_once(*state, lanes[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_lanes,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_texts,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_examples,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_owners,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_storages,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_random,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
