/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs whose answer depends on what is read before what is written. */
#ifndef TESTS_SUPPORT_PROGRAM_ORDER_ROWS_H
#define TESTS_SUPPORT_PROGRAM_ORDER_ROWS_H

#include "support/program_rows.h"

static const struct program_row program_order_rows[] = {
	/* carries that make each other, and that change places with themselves */
	{ "D: in row_major[N] i8, Y: out row_major[2] i32", NULL,
		"z : [1] i32 = fill 1 o : [1] i32 = fill 2 for k in N carry a = z, b = o { "
		"c = map a + b d = map a - b yield c, d } store a -> Y[0] store b -> Y[1]",
		{ 3 }, { NULL }, { NULL, "6 -2" } },
	{ "D: in row_major[N] i8, X: in row_major[2, 2] i32, Y: out row_major[2, 2] i32",
		NULL, "v = load X[0, 0] : [2, 2] for k in N carry a = v { "
		"t = view a permute [1, 0] u = map t + 10 yield u } store a -> Y[0, 0]",
		{ 3 }, { NULL, "1 2 3 4" }, { NULL, NULL, "31 33 32 34" } },
	{ "D: in row_major[N] i8, X: in row_major[2, 2] i32, Y: out row_major[2, 2] i32",
		NULL, "v = load X[0, 0] : [2, 2] for k in N carry a = v { "
		"r = reduce add a over [1] keep t = map a + r yield t } store a -> Y[0, 0]",
		{ 2 }, { NULL, "1 2 3 4" }, { NULL, NULL, "13 14 31 32" } },
	{ "D: in row_major[N] i8, X: in row_major[3] i32, Y: out row_major[3] i32", NULL,
		"v = load X[0] : [3] i = load X[0] : [3] for k in N carry a = v, b = i { "
		"c = map a * 2 yield b, c } store a -> Y[0]", { 3 }, { NULL, "1 2 3" },
		{ NULL, NULL, "2 4 6" } },

	/* sums of products that go on with a carry, that others know too or not */
	{ "D: in row_major[N] i8, X: in row_major[2, 2] i32, Y: out row_major[2, 2] i32",
		NULL, "v = load X[0, 0] : [2, 2] for k in N carry a = v { "
		"c = contract a, v, v : (i, j, k) -> (i, k), (k, j), (i, j) yield c } "
		"store a -> Y[0, 0]", { 2 }, { NULL, "1 2 3 4" }, { NULL, NULL, "15 22 33 48" } },
	{ "D: in row_major[N] i8, X: in row_major[2, 2] i32, Y: out row_major[2, 2] i32",
		NULL, "v = load X[0, 0] : [2, 2] for k in N carry a = v { "
		"c = contract a, a, v : (i, j, k) -> (i, k), (k, j), (i, j) yield c } "
		"store a -> Y[0, 0]", { 2 }, { NULL, "1 2 3 4" },
		{ NULL, NULL, "52 76 114 166" } },

	/* memory that is written between a load and what it is for, and twice */
	{ "X: in row_major[2] i32, Y: inout row_major[2] i32, Z: out row_major[2] i32", NULL,
		"y = load Y[0] : [2] v = load X[0] : [2] store v -> Y[0] u = load Y[0] : [2] "
		"s = map y * 10 + u store s -> Z[0]", { 0 }, { "1 2", "3 4" },
		{ NULL, "1 2", "31 42" } },
	{ "Y: inout row_major[4] i32", NULL, "y = load Y[0] : [4] store y -> Y[1]", { 0 },
		{ "1 2 3 4" }, { "1 1 2 3" } },
	{ "Y: inout row_major[4] i32", "(g) in (3)", "y = load Y[g] : [1] "
		"store y -> Y[g + 1]", { 0 }, { "1 2 3 4" }, { "1 1 1 1" } },

	/* tiles of before a loop, in it and in a condition */
	{ "D: in row_major[N] i8, X: in row_major[2] i32, Y: inout row_major[2] i32", "(g) in (2)",
		"v = load X[0] : [2] u = map v * v for k in N { for l in k { when l >= g { "
		"y = load Y[0] : [2] t = map y + u store t -> Y[0] } } }", { 3 },
		{ NULL, "2 3", "0 0" }, { NULL, NULL, "16 36" } },
};

#endif
