/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs with what they are given and what they make of it, written by hand. */
#ifndef TESTS_SUPPORT_PROGRAM_ROWS_H
#define TESTS_SUPPORT_PROGRAM_ROWS_H

#include "support/program_data.h"

#include <stdint.h>
#include <stdio.h>

/* A program of the first lines "arguments" and "body", with one workgroup unless "grid"
 * says more.  "in" are the elements of its arguments in order, "out" what they are then:
 * NULL is any. */
struct program_row {
	const char *arguments, *grid, *body;
	int64_t sizes[3];
	const char *in[4], *out[4];
};

static inline void program_row_text(const struct program_row *row, char *text, size_t size)
{
	snprintf(text, size, "program p(%s) { grid %s workers w in 1 %s }", row->arguments,
		row->grid ? row->grid : "(g) in (1)", row->body);
}

/* With what is in its arguments. */
static inline struct program_data program_row_data(layout_context *ctx,
	const struct program_row *row, char *text, size_t size)
{
	struct program_data data;

	program_row_text(row, text, size);
	data = program_data_new(ctx, text, row->sizes);
	for (unsigned i = 0; i < data.count; i++)
		if (row->in[i])
			program_data_fill(&data, i, row->in[i]);
	return data;
}

#define VECTORS "X: in row_major[4] f32, Y: out row_major[4] f32"
#define LOAD "v = load X[0] : [4] "
#define STORE " store y -> Y[0]"
#define MAP(expression) LOAD "y = map " expression STORE

static const struct program_row program_rows[] = {
	/* load, store, fill, index */
	{ "X: in row_major[N] f32, Y: out row_major[N] f32", "(g) in (ceil(N/4))",
		"v = load X[4*g] : [4] store v -> Y[4*g]", { 5 }, { "1 2 3 4 5" },
		{ "1 2 3 4 5", "1 2 3 4 5" } },
	{ "X: in row_major[N] f32, Y: out row_major[N] f32", "(g) in (ceil(N/4))",
		"v = load X[4*g] : [4] store v -> Y[4*g]", { 0 }, { "" }, { "", "" } },
	{ VECTORS, NULL, "v = load X[2] : [4] (pad = 7)" "store v -> Y[0]", { 0 },
		{ "1 2 3 4" }, { NULL, "3 4 7 7" } },
	{ VECTORS, NULL, "v = load X[0 - 1] : [4] store v -> Y[0]", { 0 },
		{ "1 2 3 4" }, { NULL, "0 1 2 3" } },
	{ VECTORS, NULL, "v = load X[0] : [4] z : [4] f32 = fill 9 store z -> Y[0] "
		"store v -> Y[0 - 2]", { 0 }, { "1 2 3 4" }, { NULL, "3 4 9 9" } },

	/* parts of what is loaded, whose first element is not its first */
#define PART(view, rest) "v = load X[0] : [8] y = view v " view " store y -> Y[0]" rest
	{ "X: in row_major[8] i32, Y: out row_major[4] i32", NULL,
		PART("through { [i] -> [i + 3] } : [4]", ""), { 0 },
		{ "0 1 2 3 4 5 6 7" }, { NULL, "3 4 5 6" } },
	{ "X: in row_major[8] f16, Y: out row_major[4] f16", NULL,
		PART("through { [i] -> [2*i + 1] } : [4]", ""), { 0 },
		{ "0 1 2 3 4 5 6 7" }, { NULL, "1 3 5 7" } },
	{ "X: in row_major[8] i8, Y: out row_major[4] i8", NULL,
		PART("against { [i] -> [i - 3] : 3 <= i < 7 } : [4]", ""), { 0 },
		{ "0 1 2 3 4 5 6 7" }, { NULL, "3 4 5 6" } },
	{ "X: in row_major[8] f64, Y: out row_major[1] f64", NULL,
		PART("through { [i] -> [2] } : [1]", ""), { 0 },
		{ "0 1 2 3 4 5 6 7" }, { NULL, "2" } },
	{ "X: in row_major[8] i32, Y: out row_major[1] i32", NULL, "v = load X[0] : [8] "
		"y = view v through { [i] -> [i + 3] } : [4] s = reduce add y over [0] keep "
		"store s -> Y[0]", { 0 }, { "0 1 2 3 4 5 6 7" }, { NULL, "18" } },
	{ "X: in row_major[N, M] i32, Y: out row_major[3] i32", NULL, "v = load X[0, 0] : [4, 4] "
		"y = view v through { [i] -> [i + 1, 3] } : [3] store y -> Y[0]", { 4, 4 },
		{ "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" }, { NULL, "7 11 15" } },
	{ "X: in row_major[N, M] i32, Y: out row_major[3] i32", NULL, "v = load X[0, 0] : [4, 4] "
		"y = view v through { [i] -> [i + 1, i] } : [3] store y -> Y[0]", { 4, 4 },
		{ "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" }, { NULL, "4 9 14" } },
	{ "Y: out row_major[2, 3] i32", NULL, "y : [2, 3] i32 = index 1 store y -> Y[0, 0]",
		{ 0 }, { NULL }, { "0 1 2 0 1 2" } },
	{ "Y: out col_major[2, 3] i32", NULL, "y : [2, 3] i32 = index 0 store y -> Y[0, 0]",
		{ 0 }, { NULL }, { "0 1 0 1 0 1" } },
	{ "Y: out strided[2, 3 : 4, 1] i32", NULL,
		"y : [2, 3] i32 = index 1 store y -> Y[0, 0]", { 0 }, { NULL },
		{ "0 1 2 0xa5a5a5a5 0 1 2" } },
	{ "X: in row_major[4] f32, Y: inout row_major[4] f32", NULL,
		"v = load X[0] : [4] y = load Y[0] : [4] z = map v + y store z -> Y[0]",
		{ 0 }, { "1 2 3 4", "10 20 30 40" }, { NULL, "11 22 33 44" } },

	/* arithmetic */
	{ VECTORS, NULL, MAP("v * 2 + 1"), { 0 }, { "1 2 -3 inf" }, { NULL, "3 5 -5 inf" } },
	{ VECTORS, NULL, MAP("1 / v - 1"), { 0 }, { "1 2 -4 0" },
		{ NULL, "0 -0.5 -1.25 inf" } },
	{ VECTORS, NULL, MAP("-v"), { 0 }, { "1 0 nan -inf" }, { NULL, "-1 -0 nan inf" } },
	{ VECTORS, NULL, MAP("max(v, 0)"), { 0 }, { "1 -1 nan -inf" },
		{ NULL, "1 0 nan 0" } },
	{ VECTORS, NULL, MAP("min(v, abs(v))"), { 0 }, { "1 -1 nan -inf" },
		{ NULL, "1 -1 nan -inf" } },
	{ VECTORS, NULL, MAP("select(v < 2, v, 2)"), { 0 }, { "1 -1 nan 5" },
		{ NULL, "1 -1 2 2" } },
	{ VECTORS, NULL, MAP("select(v != v, 0, sqrt(v))"), { 0 }, { "9 4 nan 0.25" },
		{ NULL, "3 2 0 0.5" } },
	{ VECTORS, NULL, MAP("round(v) + floor(v)"), { 0 }, { "0.5 1.5 -0.5 2.75" },
		{ NULL, "0 3 -1 5" } },
	{ VECTORS, NULL, MAP("ceil(v) * 10 + trunc(v)"), { 0 }, { "0.5 1.5 -0.5 -2.75" },
		{ NULL, "10 21 -0 -22" } },
	{ VECTORS, NULL, MAP("select(min(v > 1, v < 3), v, select(max(v < 0, v > 9), v * 2, 3))"), { 0 },
		{ "2 -1 10 nan" }, { NULL, "2 -2 20 3" } },
	{ VECTORS, NULL, MAP("rsqrt(v)"), { 0 }, { "0.25 4 0 inf" }, { NULL, "2 0.5 inf 0" } },
	{ VECTORS, NULL, MAP("exp(v) + log(v) + tanh(v) + erf(v)"), { 0 },
		{ "inf nan nan nan" }, { NULL, "inf nan nan nan" } },
	{ VECTORS, NULL, MAP("exp2(v)"), { 0 }, { "3 -149 -150 128" }, { NULL, "8 0x1 0 inf" } },
	{ VECTORS, NULL, MAP("exp2(v)"), { 0 }, { "-126 127 -inf nan" },
		{ NULL, "0x00800000 0x7f000000 0 nan" } },
	{ VECTORS, NULL, MAP("log2(v)"), { 0 }, { "8 0x1 0 -1" }, { NULL, "3 -149 -inf nan" } },
	{ VECTORS, NULL, MAP("sin(v) + 2 * cos(v)"), { 0 }, { "0 -0 inf nan" }, { NULL, "2 2 nan nan" } },
	{ "X: in row_major[4] f64, Y: out row_major[4] f64", NULL, MAP("1 / erf(v)"), { 0 },
		{ "-0 0 -inf inf" }, { NULL, "-inf inf -1 1" } },
	{ VECTORS, NULL, MAP("fma(v, v, -(v * v))"), { 0 },
		{ "2 3 0x3f800001 0" }, { NULL, "0 0 0x28800000 0" } },
	{ VECTORS, NULL, MAP("v + 1"), { 0 }, { "16777216 0x33800000 0x33800001 -1" },
		{ NULL, "16777216 1 0x3f800001 0" } },
	{ VECTORS, NULL, MAP("f32(f16(v))"), { 0 }, { "65520 65519 0x38801000 1e-8" },
		{ NULL, "inf 65504 0x38800000 0" } },
	{ VECTORS, NULL, MAP("f32(f8E4M3FN(v))"), { 0 }, { "1000 -17 19 nan" },
		{ NULL, "448 -16 20 nan" } },
	{ VECTORS, NULL, MAP("f32(f4E2M1FN(v / v)) - f32(f6E3M2FN(-(v / v)))"), { 0 },
		{ "0 1 2 0" }, { NULL, "-22 2 2 -22" } },

	/* integers */
	{ "X: in row_major[4] i8, Y: out row_major[4] i8", NULL, MAP("v * v + v"), { 0 },
		{ "127 -128 16 -1" }, { NULL, "-128 -128 16 0" } },
	{ "X: in row_major[4] u8, Y: out row_major[4] u8", NULL, MAP("v - 3"), { 0 },
		{ "2 3 255 0" }, { NULL, "255 0 252 253" } },
	{ "X: in row_major[4] u8, Y: out row_major[4] u8", NULL, MAP("max(v, 100) / 7"),
		{ 0 }, { "2 101 255 0" }, { NULL, "14 14 36 14" } },
	{ "X: in row_major[4] i8, Y: out row_major[4] i8", NULL, MAP("v / 3"), { 0 },
		{ "-7 7 -128 2" }, { NULL, "-2 2 -42 0" } },
	{ "X: in row_major[4] i32, Y: out row_major[4] i8", NULL, MAP("i8(v)"), { 0 },
		{ "1000 -1000 -128 5" }, { NULL, "127 -128 -128 5" } },
	{ "X: in row_major[4] i32, Y: out row_major[4] u4", NULL, MAP("u4(v)"), { 0 },
		{ "1000 -1000 15 5" }, { NULL, "15 0 15 5" } },
	{ "X: in row_major[4] f32, Y: out row_major[4] i8", NULL, MAP("i8(v)"), { 0 },
		{ "2.5 -3.5 200 nan" }, { NULL, "2 -4 127 0" } },
	{ "X: in row_major[4] f32, Y: out row_major[4] i64", NULL, MAP("i64(v)"), { 0 },
		{ "1e30 -1e30 -inf 0.5" },
		{ NULL, "9223372036854775807 -9223372036854775808 -9223372036854775808 0" } },
	{ "X: in row_major[4] i64, Y: out row_major[4] f32", NULL, MAP("f32(v)"), { 0 },
		{ "16777217 16777219 9223372036854775807 -1" },
		{ NULL, "16777216 16777220 9223372036854775808 -1" } },
	{ "X: in row_major[4] i64, Y: out row_major[4] bf16", NULL, MAP("bf16(v)"), { 0 },
		{ "36028797018963969 257 36169534507319296 36169534507319297" },
		{ NULL, "36028797018963968 256 36028797018963968 36310271995674624" } },
	{ "X: in row_major[4] i32, Y: out row_major[4] i1", NULL, MAP("v > 1"), { 0 },
		{ "1 2 -5 7" }, { NULL, "0 1 0 1" } },
	{ "X: in row_major[4] i4, Y: out row_major[4] i4", NULL, MAP("-v"), { 0 },
		{ "1 -8 7 0" }, { NULL, "-1 -8 -7 0" } },
	{ "X: in row_major[N] i32, Y: out row_major[N] i32", "(g) in (ceil(N/2))",
		"v = load X[2*g] : [2] y = map v + g * 10 + N store y -> Y[2*g]", { 3 },
		{ "1 2 3" }, { NULL, "4 5 16" } },

	/* maps broadcast */
	{ "X: in row_major[2, 2] i32, B: in row_major[2] i32, Y: out row_major[2, 2] i32",
		NULL, "v = load X[0, 0] : [2, 2] b = load B[0] : [2] y = map v + b "
		"store y -> Y[0, 0]", { 0 }, { "1 2 3 4", "10 20" },
		{ NULL, NULL, "11 22 13 24" } },
	{ "X: in row_major[2, 1] i32, B: in row_major[3] i32, Y: out row_major[2, 3] i32",
		NULL, "v = load X[0, 0] : [2, 1] b = load B[0] : [3] y = map v + b "
		"store y -> Y[0, 0]", { 0 }, { "1 2", "10 20 30" },
		{ NULL, NULL, "11 21 31 12 22 32" } },

	/* views */
	{ "X: in row_major[2, 3] i8, Y: out row_major[3, 2] i8", NULL,
		"v = load X[0, 0] : [2, 3] y = view v permute [1, 0] store y -> Y[0, 0]",
		{ 0 }, { "1 2 3 4 5 6" }, { NULL, "1 4 2 5 3 6" } },
	{ "X: in row_major[2, 3, 4] i8, Y: out row_major[4, 2, 3] i8", NULL,
		"v = load X[0, 0, 0] : [2, 3, 4] y = view v permute [2, 0, 1] "
		"store y -> Y[0, 0, 0]", { 0 },
		{ "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23" },
		{ NULL, "0 4 8 12 16 20 1 5 9 13 17 21 2 6 10 14 18 22 3 7 11 15 19 23" } },
	{ "X: in row_major[6] i8, Y: out col_major[2, 3] i8", NULL,
		"v = load X[0] : [6] y = view v expand 0 into [2, 3] store y -> Y[0, 0]",
		{ 0 }, { "1 2 3 4 5 6" }, { NULL, "1 4 2 5 3 6" } },
	{ "X: in col_major[2, 3] i8, Y: out row_major[6] i8", NULL,
		"v = load X[0, 0] : [2, 3] y = view v collapse [0, 1] store y -> Y[0]",
		{ 0 }, { "1 4 2 5 3 6" }, { NULL, "1 2 3 4 5 6" } },
	{ "X: in row_major[1, 3] i8, Y: out row_major[3] i8", NULL,
		"v = load X[0, 0] : [1, 3] y = view v project [0] store y -> Y[0]",
		{ 0 }, { "1 2 3" }, { NULL, "1 2 3" } },
	{ "X: in row_major[3, 1] i8, Y: out row_major[2, 3, 2] i8", NULL,
		"v = load X[0, 0] : [3, 1] y = view v broadcast [2, 3, 2] "
		"store y -> Y[0, 0, 0]", { 0 }, { "1 2 3" },
		{ NULL, "1 1 2 2 3 3 1 1 2 2 3 3" } },

	{ "X: in row_major[6] i8, Y: out row_major[2, 2] i8", NULL,
		"v = load X[0] : [6] y = view v through { [i, j] -> [5 - 2*i - j] } : [2, 2] "
		"store y -> Y[0, 0]", { 0 }, { "1 2 3 4 5 6" }, { NULL, "6 5 4 3" } },
	{ "X: in row_major[6] i8, Y: out row_major[3] i8", NULL,
		"v = load X[0] : [6] y = view v against { [i] -> [2 - floor(i/2)] } : [3] "
		"store y -> Y[0]", { 0 }, { "1 2 3 4 5 6" }, { NULL, "5 3 1" } },
	{ "X: in row_major[4, 8] i32, Y: out row_major[4, 3, 4] i32", NULL,
		"v = load X[0, 0] : [4, 8] s = map v * 10 "
		"y = view s through { [i, j, k] -> [i, 2*j + k] } : [4, 3, 4] "
		"z = map y + 1 store z -> Y[0, 0, 0]", { 0 },
		{ "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 "
		"29 30 31" }, { NULL, "1 11 21 31 21 31 41 51 41 51 61 71 81 91 101 111 101 111 121 131 "
		"121 131 141 151 161 171 181 191 181 191 201 211 201 211 221 231 "
		"241 251 261 271 261 271 281 291 281 291 301 311" } },

	/* reductions */
	{ "X: in row_major[2, 3] i32, Y: out row_major[2] i32", NULL,
		"v = load X[0, 0] : [2, 3] y = reduce mul v over [1] store y -> Y[0]",
		{ 0 }, { "1 2 3 4 5 6" }, { NULL, "6 120" } },
	{ "X: in row_major[2, 3] i32, Y: out row_major[1, 3] i32", NULL,
		"v = load X[0, 0] : [2, 3] y = reduce add v over [0] keep store y -> Y[0, 0]",
		{ 0 }, { "1 2 3 4 5 6" }, { NULL, "5 7 9" } },
	{ "X: in row_major[4] i8, Y: out row_major[1] i32", NULL,
		"v = load X[0] : [4] y = reduce add v over [0] keep in i32 store y -> Y[0]",
		{ 0 }, { "127 127 127 -1" }, { NULL, "380" } },
	{ "X: in row_major[4] i8, Y: out row_major[1] i8", NULL,
		"v = load X[0] : [4] y = reduce add v over [0] keep store y -> Y[0]",
		{ 0 }, { "127 127 127 -1" }, { NULL, "124" } },
	{ "X: in row_major[4] f32, Y: out row_major[1] f32", NULL,
		"v = load X[0] : [4] y = reduce max v over [0] keep store y -> Y[0]",
		{ 0 }, { "1 nan 3 2" }, { NULL, "nan" } },
	{ "X: in row_major[4] f16, Y: out row_major[1] f16", NULL,
		"v = load X[0] : [4] y = reduce add v over [0] keep store y -> Y[0]",
		{ 0 }, { "2048 1 1 1" }, { NULL, "2048" } },
	{ "X: in row_major[4] f16, Y: out row_major[1] f32", NULL,
		"v = load X[0] : [4] y = reduce add v over [0] keep in f32 store y -> Y[0]",
		{ 0 }, { "2048 1 1 1" }, { NULL, "2051" } },
	{ "X: in row_major[4] u8, Y: out row_major[1] u8, Z: out row_major[1] u8", NULL,
		"v = load X[0] : [4] y = reduce and v over [0] keep "
		"z = reduce or v over [0] keep store y -> Y[0] store z -> Z[0]",
		{ 0 }, { "7 14 6 134" }, { NULL, "6", "143" } },
	{ "X: in row_major[2, 4] f32, Y: out row_major[2] i32, Z: out row_major[2] i32",
		NULL, "v = load X[0, 0] : [2, 4] y = reduce argmin v over [1] "
		"z = reduce argmax v over [1] store y -> Y[0] store z -> Z[0]",
		{ 0 }, { "3 1 1 3 2 nan 9 nan" }, { NULL, "1 1", "0 1" } },
	{ "X: in row_major[2, 2, 2] i32, Y: out row_major[2] i32", NULL,
		"v = load X[0, 0, 0] : [2, 2, 2] y = reduce argmax v over [0, 2] "
		"store y -> Y[0]", { 0 }, { "1 2 8 4 5 6 7 3" }, { NULL, "3 0" } },

	/* contractions */
	{ "A: in row_major[2, 3] i8, B: in row_major[2, 3] i8, C: out row_major[2, 2] i32",
		NULL, "z : [2, 2] i32 = fill 1 a = load A[0, 0] : [2, 3] "
		"b = load B[0, 0] : [2, 3] "
		"c = contract z, a, b : (i, j, k) -> (i, k), (j, k), (i, j) "
		"store c -> C[0, 0]", { 0 }, { "1 2 3 4 5 6", "1 0 -1 100 100 100" },
		{ NULL, NULL, "-1 601 -1 1501" } },

	/* gathers */
	{ "X: in row_major[3, 2] i8, I: in row_major[4, 1] i32, Y: out row_major[4, 2] i8",
		NULL, "i = load I[0, 0] : [4, 1] v = load X[i, 0] : [4, 2] (pad = -9) "
		"store v -> Y[0, 0]", { 0 }, { "1 2 3 4 5 6", "2 0 -1 3" },
		{ NULL, NULL, "5 6 1 2 -9 -9 -9 -9" } },
	{ "X: in row_major[4] i8, I: in row_major[4] i32, Y: inout row_major[3] i8", NULL,
		"i = load I[0] : [4] v = load X[0] : [4] store v -> Y[i]", { 0 },
		{ "1 2 3 4", "2 0 -1 3", "7 8 9" }, { NULL, NULL, "2 8 1" } },

	/* loops, conditions */
	{ "D: in row_major[N] i8, Y: out row_major[2] i32", NULL,
		"z : [1] i32 = fill 0 o : [1] i32 = fill 1 "
		"for k in N carry a = z, b = o { c = map a + b yield b, c } "
		"store a -> Y[0] store b -> Y[1]", { 10 }, { NULL }, { NULL, "55 89" } },
	{ "D: in row_major[N] i8, Y: out row_major[2] i32", NULL,
		"z : [1] i32 = fill 0 o : [1] i32 = fill 1 "
		"for k in N carry a = z, b = o { yield b, a } "
		"store a -> Y[0] store b -> Y[1]", { 3 }, { NULL }, { NULL, "1 0" } },
	{ "D: in row_major[N] i8, Y: out row_major[2] i32", NULL,
		"z : [1] i32 = fill 0 o : [1] i32 = fill 1 "
		"for k in N carry a = z, b = o { yield b, a } "
		"store a -> Y[0] store b -> Y[1]", { 0 }, { NULL }, { NULL, "0 1" } },
	{ "Y: out row_major[N] i32", "(m) in (N)", "z : [1] i32 = fill 0 "
		"for i in m carry a = z { for j in i + 1 carry b = a { "
		"c = map b + j yield c } yield b } store a -> Y[m]",
		{ 5 }, { NULL }, { "0 0 1 4 10" } },
	{ "D: in row_major[N] i8, Y: inout row_major[4] i32", "(m) in (4)", "when m >= 1 and m < N { "
		"v : [1] i32 = fill 7 store v -> Y[m] }", { 3 }, { NULL, "0 1 2 3" },
		{ NULL, "0 7 7 3" } },
	{ "D: in row_major[N] i8, Y: inout row_major[4] i32", "(m) in (4)", "when m != N { "
		"v : [1] i32 = fill 7 store v -> Y[m] }", { 3 }, { NULL, "0 1 2 3" },
		{ NULL, "7 7 7 3" } },
};

#endif
