/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc as a user drives it: exit statuses, what it prints and where, files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/share.h"
#include "support/folder.h"
#include "support/shell.h"

#include <layout/codegen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TILES "innerDimsPos = [0, 1], innerTileSizes = [128, 16], outerDimsPerm = [0, 1]"
#define SWIZZLE(permutation) "swizzle = {expandShape = [" \
	"[[\"CrossThread\", 4 : i16], [\"CrossIntrinsic\", 8 : i16], " \
	"[\"CrossThread\", 4 : i16]], [[\"CrossIntrinsic\", 4 : i16], " \
	"[\"CrossThread\", 4 : i16]]], permutation = [" permutation "]}"
#define LHS "encoding_info<{" TILES ", " SWIZZLE("1, 4, 0, 2, 3") "}>"
#define PACK "remap(row_major[M, K] -> packed(" LHS ", [M, K]), type = f32, pad = 0.0)"
#define TURN "remap(row_major[M, K] -> col_major[M, K], type = f32)"
#define NESTED "nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 1], " \
	"outer_tile = [1, 1], thread_tile = [4, 4], element_tile = [1, 2], " \
	"subgroup_strides = [1, 0], thread_strides = [4, 1]>"

/* Threads 4 ids apart that read each other's, and ids beyond the subgroup's threads. */
#define OVERLAPPING "nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], " \
	"outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 1], " \
	"subgroup_strides = [0, 0], thread_strides = [1, 4], subgroup_size = 32>"
#define BEYOND "nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], " \
	"thread_tile = [64], element_tile = [1], subgroup_strides = [0], " \
	"thread_strides = [1], subgroup_size = 32>"

/* The command's words as the shell reads them, its status, and what is printed:
 * a part of it, or all of it after a '='.  NULL stands for nothing at all. */
struct row {
	const char *words;
	int status;
	const char *output, *error;
};

static void check_text(const struct row *row, const char *where, const char *text,
	const char *wanted)
{
	bool good = !wanted ? !*text : *wanted == '=' ? !strcmp(text, wanted + 1) :
		!!strstr(text, wanted);

	if (!good)
		fail_msg("layoutc %s\n%s is:\n%s\nand not:\n%s", row->words, where, text,
			wanted ? wanted : "empty");
}

static char *read_in(const char *name)
{
	return shell_read(folder_path(name));
}

static void check_row(const struct row *row)
{
	char *all, *output, *error;
	int status;

	all = shell_output(&status, "cd '%s' && { %s %s; } >output 2>error", folder,
		LAYOUTC_PATH, row->words);
	output = read_in("output");
	error = read_in("error");
	if (status != row->status)
		fail_msg("layoutc %s\nexits with %d, not %d\n%s%s", row->words, status,
			row->status, output, error);
	check_text(row, "output", output, row->output);
	check_text(row, "error", error, row->error);
	free(all);
	free(output);
	free(error);
}

#define CHECK_ROWS(rows) do { \
	for (unsigned i_ = 0; i_ < sizeof(rows) / sizeof(*(rows)); i_++) \
		if (share_has(i_, 0, 2)) \
			check_row(&(rows)[i_]); \
} while (0)

#define NO_LAYOUT "compose((6,2):(1,7), (3,2):(2,3))"
#define REASON "(6,2):(1,7) o (3,2):(2,3) is no layout: at (2,1) the value is 8, a layout " \
	"would give 7"
#define SLOW "compose(Sw<15,0,16> o 7 o 2305843009213693952:1, " \
	"Sw<15,0,16> o 5 o 65536:1)"
#define FOLDED "right_inverse(Sw<1,0,1> o 0 o (3,4):(6,1))"
#define ENCODING "#iree_encoding.encoding<operand_index = 0, op_type = matmul, element_types = " \
	"[f32, f32, f32], user_indexing_maps = [affine_map<(m, n, k) -> (m, k)>, " \
	"affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]>"
#define FAR "Sw<1,0,60> o 9223372036854775800 o 2:1"
#define SHARED_SUBGROUPS "nested_layout<subgroup_tile = [4, 2], batch_tile = [4, 1], " \
	"outer_tile = [2, 2], thread_tile = [2, 4], element_tile = [1, 1], " \
	"subgroup_strides = [1, 4], thread_strides = [1, 2], subgroup_size = 4, " \
	"subgroup_count = 4>"
#define LINEAR "linear<{a = [[0, 1]], b = [[1, 0]]}>"
#define BLOCKED "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 1], " \
	"warpsPerCTA = [1, 1], order = [1, 0]}>"

/* No CuTe layout is the function: the text says only why, what else is asked for is
 * that of the exact relation, and the status is "no". */
static const struct row no_layout_rows[] = {
	{ "eval '" NO_LAYOUT "' --values", 1, "=(0) -> (0)\n(1) -> (2)\n(2) -> (4)\n"
		"(3) -> (3)\n(4) -> (5)\n(5) -> (8)\n", "error: expr:1: " REASON "\n" },
	{ "eval '" NO_LAYOUT "' --format isl", 1, "{ [i] -> [", "error: expr:1: " REASON },
	{ "eval '" NO_LAYOUT "' --format json", 1, "\"reason\": \"" REASON "\", \"isl\": "
		"\"{ [i] -> [", "error: expr:1: " REASON },
	{ "eval 'logical_divide((6,2):(1,7), 4:1)' --format json", 1, "\"isl\": \"{ [i] -> [",
		"is no layout" },
	{ "eval 'inverse(" NO_LAYOUT ")' --values", 0, "=(0) -> (0)\n(2) -> (1)\n"
		"(3) -> (3)\n(4) -> (2)\n(5) -> (4)\n(8) -> (5)\n", NULL },
	{ "eval --batch < no_layout", 0, "=error: expr:1: " REASON "\n4:1\n", NULL },
	{ "eval '" FOLDED "'", 1, NULL, "error: expr:1: there is no right inverse of " },
	{ "eval '" FOLDED "' --values | head -3", 0, "=(0) -> (0)\n(1) -> (3)\n(2) -> (9)\n",
		"there is no right inverse" },
	{ "eval '" FOLDED "' --format json", 1, "\"function\": \"yes\"", "no right inverse" },
	{ "eval '" SLOW "'", 1, NULL, "is no single swizzle of a layout" },
	{ "eval '" SLOW "' --values | tail -1", 0, "=(65535) -> (65549)\n", "no single swizzle" },
	{ "eval --batch --values < no_layout", 0, "=(0) -> (0); (1) -> (2); (2) -> (4); "
		"(3) -> (3); (4) -> (5); (5) -> (8)\n0,1,2,3\n", NULL },
};

static void test_no_layout(void **state)
{
	(void)state;
	CHECK_ROWS(no_layout_rows);
}

static const struct row eval_rows[] = {
	{ "eval '(4,8):(8,1)'", 0, "=(4,8):(8,1)\n", NULL },
	{ "eval ' ( 4, 8 ):( 8,1 ) '", 0, "=(4,8):(8,1)\n", NULL },
	{ "eval '(4,2):(2,1)' --values", 0, "=0,2,4,6,1,3,5,7\n", NULL },
	{ "eval --values -- '(4,2):(2,1)'", 0, "=0,2,4,6,1,3,5,7\n", NULL },
	{ "eval --values '(0):(1)'", 0, "=\n", NULL },
	{ "eval 'row_major[2, 2]' --values", 0,
		"=(0, 0) -> (0, 0)\n(0, 1) -> (0, 1)\n(1, 0) -> (1, 0)\n(1, 1) -> (1, 1)\n",
		NULL },
	{ "eval 'col_major[M, 2]' --values -D M=2", 0,
		"=(0, 0) -> (0, 0)\n(0, 1) -> (1, 0)\n(1, 0) -> (0, 1)\n(1, 1) -> (1, 1)\n",
		NULL },
	{ "eval 'col_major[M, 2]' --values -DM=0", 0, NULL, NULL },
	{ "eval '{ [i, j] : 0 <= i < 2 and j = i }' --values", 0, "=(0, 0)\n(1, 1)\n", NULL },
	{ "eval 'row_major[M]' -D M=4", 0, "={ logical[i] -> cell[i] : 0 <= i <= 3 }\n", NULL },
	{ "eval '{ [i] -> [i mod 4] }'", 0, "i mod 4", NULL },
	{ "eval '{ [i] -> [i] }' --format isl", 0, "={ [i] -> [i] }\n", NULL },
	{ "eval '(4,8):(8,1)' --format isl", 0,
		"={ [i] -> [floor(i/4) + 8*(i mod 4)] : 0 <= i <= 31 }\n", NULL },
	{ "eval '{ [i] : i > 0 }' --format isl", 0, "={ [i] : i > 0 }\n", NULL },
	{ "eval 'inverse({ [i, j] -> [j, i] })' --format mlir", 0,
		"=affine_map<(d0, d1) -> (d1, d0)>\n", NULL },
	{ "eval 'inverse({ [i, j] -> [i] })' --format mlir", 1, NULL, "error: expr:1: " },
	{ "eval '" NESTED "'", 0, "=" NESTED "\n", NULL },
	{ "eval '#iree_vector_ext." NESTED "'", 0, "=" NESTED "\n", NULL },
	{ "eval 'row_major[M, K] '", 0, "=row_major[M, K]\n", NULL },
	{ "eval '(4,2):(2,1)' --format json", 0,
		"\"shape\": [4, 2], \"size\": 8, \"cosize\": 8, \"function\": \"yes\", "
		"\"injective\": \"yes\", \"surjective\": \"yes\", \"bijective\": \"yes\"}\n",
		NULL },
	{ "eval '((2,2),4):((1,8),2)' --format=json", 0, "\"shape\": [[2, 2], 4]", NULL },
	{ "eval '8:0' --format json", 0, "\"shape\": 8, \"size\": 8, \"cosize\": 1, "
		"\"function\": \"yes\", \"injective\": \"no\", \"surjective\": \"yes\", "
		"\"bijective\": \"no\", \"witness\": {\"injective\": \"(0), (1)\"", NULL },
	{ "eval 'row_major[M, 513]' --format json", 0,
		"={\"kind\": \"storage\", \"text\": \"row_major[M, 513]\", \"isl\": "
		"\"[M] -> { logical[i, j] -> cell[i, j] : 0 <= i < M and 0 <= j <= 512 }\", "
		"\"shape\": [\"M\", 513], \"size\": \"M*513\", \"cosize\": \"M*513\", "
		"\"function\": \"yes\", \"injective\": \"yes\", \"surjective\": \"yes\", "
		"\"bijective\": \"yes\"}\n", NULL },
	{ "eval 'packed(" LHS ", [M, K + Q])' --format json", 0, "cell[floor(i/128), ", NULL },
	{ "eval 'packed(" LHS ", [M, K + Q])' --format json", 0,
		"\"shape\": [\"M\", \"K + Q\"], \"size\": \"M*(K + Q)\", "
		"\"cosize\": \"128*ceil(M/128)*16*ceil((K + Q)/16)\", ", NULL },
	{ "eval 'strided[M, K : 1024, 1]' --format json", 0,
		"\"size\": \"M*K\", \"function\": \"yes\", \"injective\": \"no\"", NULL },
	{ "eval 'strided[M, K : 1024, 1]' --format json -D M=3 -D K=4", 0,
		"\"shape\": [3, 4], \"size\": 12, \"cosize\": 2052, ", NULL },
	{ "eval '" TURN "' --format json", 0,
		"\"shape\": [\"M\", \"K\"], \"size\": \"M*K\", \"function\"", NULL },
	{ "eval 'row_major[M, 513]' --format json -D M=2", 0,
		"\"shape\": [2, 513], \"size\": 1026, \"cosize\": 1026", NULL },
	{ "eval '" NESTED "' --format json", 0, "\"shape\": [8, 8], \"size\": 64", NULL },
	{ "eval '" NESTED "' --format json", 0, "\"size\": 64, \"threads\": 128, "
		"\"undistributed_shape\": [8, 8], "
		"\"undistributed_packed_shape\": [2, 1, 1, 1, 1, 1, 4, 4, 1, 2], "
		"\"distributed_shape\": [1, 1, 1, 1, 1, 2], "
		"\"distributed_unpacked_shape\": [1, 2], "
		"\"subgroup_basis\": {\"sizes\": [2, 1, 64], \"results\": [1, 2]}, "
		"\"thread_basis\": {\"sizes\": [4, 4], \"results\": [1, 2]}, "
		"\"function\": \"yes\"", NULL },
	{ "eval '" NESTED "' --format json", 0, "\"bijective\": \"no\", \"valid\": \"yes\", "
		"\"witness\": {\"injective\": ", NULL },
	{ "eval '" OVERLAPPING "' --format json", 0, "\"thread_basis\": null, ", NULL },
	{ "eval '" OVERLAPPING "' --format json", 0, "\"valid\": \"no\", ", NULL },
	{ "eval '" OVERLAPPING "' --format json", 0, ", \"valid\": \"(0, 1), (4, 1): warp or "
		"thread tiles have overlapping strides: thread ids (0, 1) name thread 4, "
		"which reads (4, 1)\"}}\n", NULL },
	{ "eval 'Sw<3,4,3> o 0 o (8,(16,4)):(64,(4,1))' --format json", 0,
		"\"shape\": [8, [16, 4]], \"size\": 512, \"cosize\": 512, ", NULL },
	{ "eval '" FAR "' --values", 0, "=9223372036854775801,9223372036854775800\n", NULL },
	{ "eval '" FAR "' --format json", 0, "\"cosize\": 9223372036854775802, ", NULL },
	{ "eval 'Sw<1,0,1>' --format json", 0, "\"shape\": 4, \"size\": 4, ", NULL },
	{ "eval 'pack_map<((2,1),3):((3,0),1)>' --format json", 0,
		"\"shape\": [[2, 1], 3], \"size\": 6, ", NULL },
	{ "eval '" LHS "' --format json", 0, "{\"kind\": \"encoding\", \"text\": \""
		"encoding_info<{" TILES ", swizzle = {expandShape = [[[\\\"CrossThread", NULL },
	{ "eval 'padding(packed(" LHS ", [M, K]))' --format json", 0,
		"\"count\": \"128*ceil(M/128)", NULL },
	{ "eval '(2,2):(2,1)' --values --format json", 0, "\"values\": [0,2,1,3]}\n", NULL },
	{ "eval 'row_major[1, 2]' --values --format json", 0,
		"\"values\": [[[0, 0], [0, 0]], [[0, 1], [0, 1]]]}\n", NULL },
	{ "eval 'max_common_vector(4:1, (2,2):(1,2))'", 0, "=4\n", NULL },
	{ "eval 'max_common_vector(4:1, (2,2):(1,2))' --format json", 0,
		"={\"kind\": \"integer\", \"text\": \"4\", \"value\": 4}\n", NULL },
	{ "eval 'Sw<1,0,1> o 0 o (2,2):(1,2)' --values", 0, "=0,1,3,2\n", NULL },
	{ "eval 'pack_map<(2,3):(1,2)>' --values", 0, "=0,2,4,1,3,5\n", NULL },
	{ "eval '" LINEAR "' --values", 0, "=(0, 0) -> (0, 0)\n(1, 0) -> (0, 1)\n"
		"(0, 1) -> (1, 0)\n(1, 1) -> (1, 1)\n", NULL },
	{ "eval '" LINEAR "' --format json", 0,
		"\"shape\": [2, 2], \"size\": 4, \"cosize\": 4, \"function\": \"yes\"", NULL },
	{ "eval 'mma<MFMA_F32_16x16x4_F32, lhs>' --format json", 0,
		"\"shape\": [16, 4], \"size\": 64, \"function\": \"yes\"", NULL },
	{ "eval 'rotate_rows<3, 1>' --format json", 0, "{\"kind\": \"swizzle\", \"text\": "
		"\"rotate_rows<3, 1>\", \"isl\": \"{ [x] -> [", NULL },
	{ "eval 'rotate_rows<3, 1>' --format json", 0,
		"\"shape\": [9], \"size\": 9, \"cosize\": 9, ", NULL },
	{ "eval '" BLOCKED "' --format json", 0,
		"={\"kind\": \"triton\", \"text\": \"" BLOCKED "\"}\n", NULL },
	{ "eval 'distribute(" BLOCKED ", [2, 4])'", 0,
		"=linear<{register = [[0, 1], [0, 2]], lane = [[1, 0]], warp = [], "
		"block = []}>\n", NULL },
	{ "eval 'restrict(inverse(" NESTED "), { [i, j] : i = 3 and j = 5 })' --values", 0,
		"=(3, 5) -> (14, 0, 0, 0, 0, 0, 1)\n(3, 5) -> (30, 0, 0, 0, 0, 0, 1)\n"
		"(3, 5) -> (46, 0, 0, 0, 0, 0, 1)\n(3, 5) -> (62, 0, 0, 0, 0, 0, 1)\n", NULL },
	{ "eval @statements", 0, "=((4,2),4):((8,1),2)\n32\n", NULL },
	{ "eval - --values < statements", 0, "=0,8,16,24,1,9,17,25,2,10,18,26,3,11,19,27,4,12,20,28,"
		"5,13,21,29,6,14,22,30,7,15,23,31\n32\n", NULL },
	{ "eval @statements --format json", 0, "}\n{\"kind\": \"integer\"", NULL },
	{ "eval @half", 2, "=4:1\n", "half:3:1: unknown function `frob`\n    frob(\n" },
	{ "eval @no_layout_last", 1, "=4:1\n", "no_layout_last:2:1: " REASON "\n    compose" },
	{ "count 'strided[4, 8 : P, 1]' -D P=2", 2, NULL, "-D: the strides do not nest at these sizes" },
	{ "check 'strided[4, 8 : P, 1]' --is injective -D P=8", 0, "injective: yes\n", NULL },
	{ "eval @statements -D M=4", 2, NULL, "-D: the expression has no size 'M'" },
	{ "eval - < expression", 0, "=(4,2):(2,1)\n", NULL },
	{ "eval --batch batch --values", 0, "=0,2,4,6,1,3,5,7\n"
		"error: expr:3: expected `,` or `)`, found `:`\n"
		"(0) -> (0); (1) -> (1)\n", NULL },
	{ "eval --batch commented", 0, "=\n\n4:1\n\n2:1\nerror: expr:1: expected an expression, found "
		"`#x`\n", NULL },
	{ "eval 'program p() { grid (g) in (1) workers w in 1 }' --format json", 0, "={\"kind\": "
		"\"program\", \"text\": \"program p() {\\u000a  grid (g) in (1) workers w in "
		"1\\u000a}\"}\n", NULL },
	{ "eval --batch --values < no_points", 0, "=0,1,2,3\n(0) -> (0); (1) -> (1)\n\n\n\n4\n", NULL },
	{ "eval --batch --values < numbers", 0, "=4\n0,1,2,3\n8\n", NULL },
	{ "eval 'max_common_vector(8:1, 4:1)' --values", 0, "=4\n", NULL },
	{ "eval 'max_common_vector(8:1, 4:1)' --values --format json", 0,
		"={\"kind\": \"integer\", \"text\": \"4\", \"value\": 4}\n", NULL },
	{ "eval --batch - < batch", 0, "=(4,2):(2,1)\n"
		"error: expr:3: expected `,` or `)`, found `:`\nrow_major[2]\n", NULL },
	{ "eval --batch < batch --format json", 0, "\n{\"kind\": \"storage\"", NULL },
	{ "eval --batch < chains --format mlir", 0, "=%result = iree_linalg_ext.map_store "
		"%source into %destination { ^bb0(%i0: index, %i1: index): %true = "
		"arith.constant true iree_linalg_ext.yield %i1, %i0, %true : index, index, "
		"i1 } : tensor<?x4xf32> into tensor<4x?xf32> -> tensor<4x?xf32>\n"
		"affine_map<(d0) -> (d0)>\n", NULL },
	{ "eval --batch < definitions", 0, "=4:2\n7\nerror: expr:3: expected the end of the text, "
		"found `3`\nerror: expr:5: `A` is given twice\naffine_map<(d0) -> (d0)>\n"
		"affine_map<(d0) -> (d0)>\n", NULL },
	{ "eval --batch < foreign", 0, "=error: expr:14: expected `}`, found `]`\n", NULL },
};

/* The values by row and column. */
static const struct row table_rows[] = {
	{ "eval '(4,8):(8,1)' --table", 0, "= 0  1  2  3  4  5  6  7\n"
		" 8  9 10 11 12 13 14 15\n16 17 18 19 20 21 22 23\n"
		"24 25 26 27 28 29 30 31\n", NULL },
	{ "eval '((2,2),3):((1,8),2)' --table", 0, "= 0  2  4\n 1  3  5\n 8 10 12\n"
		" 9 11 13\n", NULL },
	{ "eval 'pack_map<(2,3):(1,2)>' --table", 0, "=0 2 4\n1 3 5\n", NULL },
	{ "eval 'Sw<1,0,1> o 0 o (2,2):(2,1)' --table", 0, "=0 1\n3 2\n", NULL },
	{ "eval '8:2' --table", 0, "= 0  2  4  6  8 10 12 14\n", NULL },
	{ "eval '(0,3):(1,1)' --table", 0, NULL, NULL },
	{ "eval 'row_major[M, 3]' -D M=2 --table", 0,
		"=(0, 0) (0, 1) (0, 2)\n(1, 0) (1, 1) (1, 2)\n", NULL },
	{ "eval '{ [i, j] -> [i + j] : 0 <= i < 3 and i <= j < 4 }' --table", 0,
		"=0 1 2 3\n- 2 3 4\n- - 4 5\n", NULL },
	{ "eval '" LINEAR "' --table", 0, "=(0, 0) (1, 0)\n(0, 1) (1, 1)\n", NULL },
	{ "eval '" NO_LAYOUT "' --table", 1, "=0 2 4 3 5 8\n", "error: expr:1: " REASON },
	{ "eval '(2,2,2):(1,2,4)' --table", 2, NULL, "=layoutc: error: --table: needs a "
		"CuTe layout of one or two modes; --values prints the points\n" },
	{ "eval '" NESTED "' --table", 2, NULL, "needs inputs of one or two coordinates" },
	{ "eval '{ [i] -> [i] : -2 < i < 2 }' --table", 2, NULL, "not negative" },
	{ "eval '{ [i] -> [j] : 0 <= i, j < 2 }' --table", 2, NULL, "needs a function" },
	{ "eval '{ [i] : 0 < i < 2 }' --table", 2, NULL, "a set has no values" },
	{ "eval '{ [i] -> [i] }' --table", 2, NULL, "error: expr:1: " },
	{ "eval 'row_major[M]' --table", 2, NULL, "the size M has no value" },
	{ "eval 'max_common_vector(4:1, 4:1)' --table", 2, NULL, "found a number" },
	{ "eval '(1024,1024):(1,1)' --table | wc -l", 0, "=1024\n", NULL },
	{ "eval '(1024,1025):(1,1)' --table", 2, NULL, "more than 2^20 cells" },
	{ "eval '{ [9223372036854775807] -> [0] }' --table", 2, NULL, "than 2^20 cells" },
	{ "eval '4:1' --table --values", 2, NULL, "error: --table: prints text, of one " },
	{ "eval '4:1' --table --format json", 2, NULL, "error: --table: prints text" },
	{ "eval --batch batch --table", 2, NULL, "error: --table: prints text" },
};

static void test_table(void **state)
{
	(void)state;
	CHECK_ROWS(table_rows);
}

static void test_eval(void **state)
{
	(void)state;
	CHECK_ROWS(eval_rows);
}

static const struct row question_rows[] = {
	{ "check '(4,8):(8,1)'", 0,
		"=function: yes\ninjective: yes\nsurjective: yes\nbijective: yes\n", NULL },
	{ "check '(4,8):(0,1)' --is injective", 1, "=injective: no: (0), (1)\n", NULL },
	/* a dimension of one index says nothing of the others */
	{ "check 'strided[4, 4, 1 : 2, 1, 1]' --is injective", 1,
		"=injective: no: (0, 2, 0), (1, 0, 0)\n", NULL },
	{ "check '{ [i] -> [0] : 9223372036854775808 <= i < 9223372036854775812 }' --is injective",
		1, "=injective: no: a value does not fit 64 bits\n", NULL },
	{ "check '(4,8):(0,1)' --is surjective --is function", 0,
		"=surjective: yes\nfunction: yes\n", NULL },
	{ "check 'distribute(#ttg.padded_shared<[4:+2] {order = [0], shape = [16]}>, [16])' "
		"--is bijective", 0, "=bijective: yes\n", NULL },
	{ "check '4:-1' --is surjective --is bijective", 1,
		"=surjective: yes\nbijective: no: (-3)\n", NULL },
	{ "check '" SHARED_SUBGROUPS "' --is surjective", 1, "=surjective: no: (0, 2)\n",
		NULL },
	{ "check '" SHARED_SUBGROUPS "' --is surjective --onto '{ [0, 0] }'", 0,
		"=surjective: yes\n", NULL },
	{ "check '(4):(2)' --is surjective", 1, "=surjective: no: (1)\n", NULL },
	{ "check 'packed(" LHS ", [M, K])' --is injective", 0, "=injective: yes\n", NULL },
	{ "check 'packed(" LHS ", [M, K])' --is surjective", 1,
		"surjective: no: M = 1, K = 1: (", NULL },
	{ "check 'packed(" LHS ", [M, K])' --is surjective -D M=128 -D K=16", 0,
		"=surjective: yes\n", NULL },
	{ "check '{ [i] -> [i mod 4] }'", 1, "=function: yes\ninjective: no: (0), (4)\n",
		NULL },
	{ "check '{ [i] -> [i mod 4] }' --is surjective --onto '{ [i] : 0 <= i < 4 }'", 0,
		"=surjective: yes\n", NULL },
	{ "check '{ [i] -> [i mod 4] }' --is surjective --onto '{ [i] : 0 <= i < 5 }'", 1,
		"=surjective: no: (4)\n", NULL },
	{ "check 'row_major[M, K]' --is total", 0, "=total: yes\n", NULL },
	{ "check '{ [i] -> [i] }' --is total", 2, NULL, "error: --is: " },
	{ "check '{ [i] -> [i] }' --is bijective", 2, NULL, "error: --is: " },
	{ "check '{ [i] -> [i] }' --is surjective --onto '{ [i, j] }'", 2, NULL,
		"error: --onto: cannot decide whether this is surjective: the spaces " },
	{ "check '" NESTED "' --is valid", 0, "=valid: yes\n", NULL },
	{ "check '" BEYOND "' --is valid", 1, "=valid: no: (63): thread 63 is beyond the "
		"subgroup's 32 threads\n", NULL },
	{ "check '" BEYOND "'", 1, "bijective: yes\nvalid: no: (63): ", NULL },
	{ "check '" OVERLAPPING "' --is valid --is function", 1, "=valid: no: (0, 1), (4, 1): "
		"warp or thread tiles have overlapping strides: thread ids (0, 1) name "
		"thread 4, which reads (4, 1)\nfunction: yes\n", NULL },
	{ "check 'nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = "
		"[1, 1], thread_tile = [1, 4194304], element_tile = [1, 1], subgroup_strides = "
		"[0, 0], thread_strides = [0, 1], subgroup_size = 4194304>' --is valid", 0,
		"=valid: yes\n", NULL },
	{ "check '4:1' --is valid", 2, NULL, "=layoutc: error: --is: valid is asked of "
		"nested layouts and programs\n" },
	{ "check 'owned(" NESTED ", 3)' --is valid", 2, NULL, "asked of nested layouts" },
	{ "check 'check_shape(" NESTED ", [8, 9])'", 2, NULL, "at dim 1. Dimension " },
	{ "check 'xor_shuffle<64, 8>' --is bijective", 0, "=bijective: yes\n", NULL },
	{ "check 'rotate_rows<12, 4>' --is bijective --is total", 0,
		"=bijective: yes\ntotal: yes\n", NULL },
	{ "check '" LINEAR "'", 0,
		"=function: yes\ninjective: yes\nsurjective: yes\nbijective: yes\n", NULL },
	{ "check 'linear<{a = [[1], [1]]} -> {b = 4}>'", 1, "=function: yes\n"
		"injective: no: (0), (3)\nsurjective: no: (2)\nbijective: no: (0), (3)\n",
		NULL },
	{ "check 'mma<MFMA_F32_16x16x4_F32, acc>' --is bijective", 0, "=bijective: yes\n",
		NULL },
	{ "check '" NO_LAYOUT "' --is injective", 0, "=injective: yes\n", NULL },
	{ "check '" BLOCKED "'", 2, NULL, "until distribute(ENCODING, [sizes])" },
	{ "check 'max_common_vector(4:1, 4:1)'", 2, NULL,
		"expected a relation, found a number" },
	{ "equal '" NO_LAYOUT "' '{ [0] -> [0]; [1] -> [2]; [2] -> [4]; [3] -> [3]; "
		"[4] -> [5]; [5] -> [8] }'", 0, "=equal\n", NULL },
	{ "equal 'mma<MFMA_F32_16x16x4_F32, lhs>' 'mma<v_mfma_f32_16x16x4_f32, lhs>'", 0,
		"=equal\n", NULL },
	{ "equal 'mma<MFMA_F32_16x16x4_F32, lhs>' "
		"'as(64:1, in = [64, 1], out = [16, 4])'", 0, "=equal\n", NULL },
	{ "equal '" LINEAR "' 'linear<{a = [[1, 0]], b = [[0, 1]]}>'", 1,
		"different: at (", NULL },
	{ "equal 'Sw<3,3,3>' 'xor_shuffle<64, 8>'", 0, "=equal\n", NULL },
	{ "equal '4:1' 'max_common_vector(4:1, 4:1)'", 2, NULL, "found a number" },
	{ "check '{ [i] }'", 2, NULL, "=layoutc: error: expr:1: expected a relation, "
		"found a set\n    { [i] }\n    ^~~~~~~\n" },
	{ "check '" LHS "'", 2, NULL, "error: expr:1: an encoding has no cells until "
		"packed(ENCODING, [sizes]) gives it sizes" },
	{ "check '" TURN "'", 0,
		"=function: yes\ninjective: yes\nsurjective: yes\nbijective: yes\n", NULL },
	{ "check '" TURN "' --is total", 0, "=total: yes\n", NULL },
	{ "check '" PACK "' --is bijective", 1, "bijective: no: M = 1, K = 1: (", NULL },
	{ "check '(4):(1)' --onto '(4):(1)'", 2, NULL, "expected a set, found a CuTe" },
	{ "check 'program p(S: out row_major[4] f32) { grid (m) in (1) workers w in 1 "
		"x: [4] f32 = fill 1 store x -> S[0] }' --onto '{ [i] : 0 <= i < 4 }'", 2, NULL,
		"error: --onto: a program has no images" },
	{ "check 'program p(S: out row_major[4] f32) { grid (m) in (1) workers w in 1 "
		"x: [4] f32 = fill 1 store x -> S[0] }' --is injective", 2, NULL,
		"error: --is: injective of what? a program is valid or not" },

	{ "equal '(4,2):(2,1)' '{ [i] -> [2*(i mod 4) + floor(i/4)] : 0 <= i < 8 }'", 0,
		"=equal\n", NULL },
	{ "equal '(4,2):(2,1)' '(4,2):(1,4)'", 1, "different: at (1,0): 2, there 1\n", NULL },
	{ "equal 'row_major[M, K]' 'col_major[M, K]'", 1, "different: M = ", NULL },
	{ "equal 'row_major[4]' 'row_major[4]' --format json", 0,
		"={\"answer\": \"yes\"}\n", NULL },
	{ "equal '(4,2):(2,1)' '(4,2):(1,4)' --format json", 1,
		"={\"answer\": \"no\", \"witness\": \"at (1,0): 2, there 1\"}\n", NULL },
	{ "check '(4,8):(8,2)' --is injective --is surjective --format json", 1,
		"={\"injective\": {\"answer\": \"no\", \"witness\": \"(1), (16)\"}, "
		"\"surjective\": {\"answer\": \"no\", \"witness\": \"(1)\"}}\n", NULL },
	{ "check 4:1 --is injective --format json", 0,
		"={\"injective\": {\"answer\": \"yes\"}}\n", NULL },
	{ "check 4:1 --is injective --is valid --format json", 2, NULL, "valid is asked of" },
	{ "count '" PACK "' --format json", 0, "{\"points\": \"M*K\", ", NULL },
	{ "count 'row_major[3, 5]' --of points --format json", 0,
		"={\"points\": \"15\"}\n", NULL },
	{ "eval 'conflicts({ [lane] -> [8lane] : 0 <= lane < 64 }, target = gfx942, bits = 64)' "
		"--format json", 0, "={\"kind\": \"integer\", \"text\": \"0\", \"value\": 0}\n", NULL },
	{ "mma --target gfx942 MFMA_F32_16x16x16_F16 rhs --format json", 0,
		"={\"operand\": \"mma<MFMA_F32_16x16x16_F16, rhs, gfx942>\", \"rows\": 16, "
		"\"columns\": 16, \"type\": \"f16\", \"lanes\": 64, \"elements\": 4, \"isl\": "
		"\"{ [lane, element] -> [element + 4*floor(lane/16), lane mod 16] : "
		"0 <= lane <= 63 and 0 <= element <= 3 }\", \"linear\": \"linear<{lane = [[0, 1], "
		"[0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], element = [[1, 0], [2, 0]]} -> "
		"{row = 16, column = 16}>\"}\n", NULL },
	{ "mma --target gfx942 --format json | tr -d '\\n'", 0, "}}}]", NULL },
	{ "mma --target gfx942 --format=json | grep v_smfmac_f32_16x16x32_f16", 0,
		"= {\"name\": \"v_smfmac_f32_16x16x32_f16\", \"m\": 16, \"n\": 16, \"k\": 32, "
		"\"blocks\": 1, \"operands\": {\"lhs\": {\"elements\": 4, \"type\": \"f16\"}, "
		"\"rhs\": {\"elements\": 8, \"type\": \"f16\"}, \"acc\": {\"elements\": 4, "
		"\"type\": \"f32\"}, \"index\": {\"elements\": 4, \"type\": \"u2\"}}},\n", NULL },
	{ "targets gfx9", 3, NULL, "error: expr:1: no data tiling for a target 'gfx9'; " },
	{ "targets sm_90 | tail -n +2", 0, "=sm_90             sm_90          32     49152        "
		"32         16  4,8,16\n", NULL },
	{ "targets mi300x | grep -c 'wgp = <.*chip = <wgp_count = 304>>$'", 0, "=1\n", NULL },
	{ "targets '#a = #iree_gpu.target<arch = \"gfx942\", wgp = <compute = fp32>> #a' "
		"--format json", 0, "\"max_workgroup_threads\": 1024, \"max_workgroup_counts\": "
		"[2147483647, 2147483647, 2147483647], \"compute\": [\"fp32\"], \"storage\": "
		"[\"b64\", \"b32\", \"b16\", \"b8\"], \"subgroup_operations\": [\"shuffle\", "
		"\"arithmetic\"], \"dot_products\": [\"dp4xi8toi32\"], \"mlir\": "
		"\"#iree_gpu.target<arch = \\\"gfx942", NULL },
	{ "targets '[#iree_gpu.target<arch = \"gfx942\">, #hal.executable.target<\"vmvx\", "
		"\"b\">]' | tail -1", 0, "=#hal.executable.target<\"vmvx\", "
		"\"vmvx-bytecode-fb\">\n", NULL },
	{ "mma --target sm_75 | tail -1", 0, "=ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16    "
		"8x8x8 x4     lhs 8 f16\n", NULL },
	{ "mma --target sm_90 --format json | grep -c ldmatrix", 0, "=6\n", NULL },
	{ "mma --target gfx909 --format json", 3, NULL, "no matrix instructions of a target" },
	{ "eval 'conflicts({ [lane] -> [8lane] : 0 <= lane < 64 }, target = mi300x, "
		"bits = 32)'", 0, "=2\n", NULL },
	{ "kernel 'remap(row_major[M] -> row_major[M], type = f32)' --target MI300X "
		"--emit json -D M=4", 0, "\"target\": \"gfx942\"", NULL },
	{ "kernel 'remap(row_major[M] -> row_major[M], type = f32)' --target rx7800xt "
		"--emit json -D M=4", 0, "\"target\": \"gfx1101\"", NULL },
	{ "kernel 'remap(row_major[M] -> row_major[M], type = f32)' --target rx6800 "
		"--emit json -D M=4", 3, NULL, "no target 'rx6800'; there are host, gfx908" },
	{ "equal 'row_major[M, K]' 'row_major[M]'", 2, NULL, "error: expr:1: " },
	{ "equal 'row_major[M, K]' '{ [i] }'", 2, NULL, "\n    { [i] }\n" },
	{ "equal '" LHS "' '4:1'", 2, NULL, "\n    encoding_info<" },
	{ "equal '4:1' '" LHS "'", 2, NULL, "\n    encoding_info<" },
	{ "equal '{ [i] : i = 2 }' '{ [i] : 1 < i < 3 }'", 0, "=equal\n", NULL },
};

static void test_questions(void **state)
{
	(void)state;
	CHECK_ROWS(question_rows);
}

/* The walk-through's product, and its broadcast after the pass that propagates. */
#define WALK_ENCODING "'#map = affine_map<(d0, d1, d2) -> (d0, d2)>\n" \
	"#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>\n" \
	"#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>\n" \
	"#encoding2 = #iree_encoding.encoding<operand_index = 2 : index, op_type = matmul,\n" \
	"element_types = [f32, f32, f32],\nuser_indexing_maps = [#map, #map1, #map2],\n" \
	"iteration_sizes = [255, 1023, 513]>'"
#define WALK_MAPS "'#map3 = affine_map<(d0, d1) -> (d1)>\n" \
	"#map4 = affine_map<(d0, d1) -> (d0, d1)>\n"
#define WALK_GENERIC "%11 = linalg.generic {indexing_maps = [#map4, #map3, #map4], " \
	"iterator_types = [\"parallel\", \"parallel\"]}\n"
#define WALK_OPERANDS "ins(%10, %4 : tensor<255x1023xf32, #encoding2>, " \
	"tensor<1023xf32, #encoding3>)\nouts(%7 : tensor<255x1023xf32, #encoding2>)"
#define WALK_BODY " {\n^bb0(%in: f32, %in_1: f32, %out: f32):\n" \
	"%13 = arith.mulf %in, %in_1 : f32\nlinalg.yield %13 : f32\n" \
	"} -> tensor<255x1023xf32, #encoding2>'"
#define VECTOR "encoding_info<{innerDimsPos = [0], innerTileSizes = [4], outerDimsPerm = [0]}>"
#define MATRIX "encoding_info<{innerDimsPos = [1], innerTileSizes = [4], " \
	"outerDimsPerm = [0, 1]}>"
#define PUSHED "operand 0: " MATRIX "\n    affine_map<(d0, d1, d2) -> (d0, d1, d2)>\n" \
	"operand 1: " VECTOR "\n    affine_map<(d0, d1, d2) -> (d1, d2)>\n" \
	"operand 2: " MATRIX "\n    affine_map<(d0, d1, d2) -> (d0, d1, d2)>\n" \
	"index: affine_map<(d0, d1, d2) -> (d0, d1 * 4 + d2)>\n"
#define WALK_INDEX "index: affine_map<(d0, d1, d2, d3, d4) -> " \
	"(d0 * 16 + d2 * 4 + d4, d1 * 16 + d3)>\n"

static const struct row propagate_rows[] = {
	{ "propagate '" VECTOR "' " WALK_MAPS WALK_GENERIC WALK_OPERANDS WALK_BODY
		" --operand 1", 0, "=" PUSHED, NULL },
	{ "propagate '" MATRIX "' " WALK_MAPS WALK_GENERIC "'", 0, "=" PUSHED, NULL },
	{ "propagate '" MATRIX "' " WALK_MAPS "[#map4, #map3, #map4]'", 0, "=" PUSHED, NULL },
	{ "propagate " WALK_ENCODING " --target gfx942 " WALK_MAPS WALK_GENERIC WALK_OPERANDS
		WALK_BODY, 0, WALK_INDEX, NULL },
	{ "propagate '" VECTOR "' '[affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]' "
		"--format json", 0, "={\"loops\": 2, \"operands\": [{\"encoding\": \"" VECTOR
		"\", \"map\": \"affine_map<(d0, d1) -> (d0, d1)>\"}, {\"encoding\": \"" VECTOR
		"\", \"map\": \"affine_map<(d0, d1) -> (d0, d1)>\"}], \"index\": "
		"\"affine_map<(d0, d1) -> (d0 * 4 + d1)>\"}\n", NULL },
	/* read, but not written: two inputs that sum */
	{ "propagate '" VECTOR "' '[affine_map<(i) -> (i)>, affine_map<(i) -> ()>]'", 1, NULL,
		"affine_map<(d0) -> ()>: d0, which is tiled, is summed over" },
	{ "propagate '" VECTOR "' 'linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, "
		"affine_map<(i) -> ()>]} outs(%a, %b : f32)'", 1, NULL, "is summed over" },
	{ "propagate '" VECTOR "' 'linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, "
		"affine_map<(i) -> ()>]} ins(%a : f32)'", 2, NULL,
		"error: expr:82: 2 maps, but 1 inputs and 0 outputs" },
	{ "propagate '" VECTOR "' 'linalg.matmul ins(%a)'", 2, NULL,
		"error: expr:1: expected `linalg.generic` or a list of maps" },
	{ "propagate '" VECTOR "' 'linalg.generic {iterator_types = [\"parallel\"]}'", 2, NULL,
		"error: expr:46: expected `indexing_maps`" },
	{ "propagate '" VECTOR "' '[#map]'", 2, NULL, "error: expr:2: #map is not defined" },
	{ "propagate '" VECTOR "' '[3]'", 2, NULL,
		"error: expr:2: expected `affine_map` or the name of one" },
	{ "propagate '" VECTOR "' '[affine_map<(i) -> (i)>] 3'", 2, NULL, "error: expr:26: " },
	{ "propagate '" VECTOR "' 'linalg.generic {indexing_maps = [affine_map<(i) -> (i)>]} 3'",
		2, NULL, "error: expr:59: " },
	{ "propagate '" VECTOR "' '[]'", 2, NULL, "operand 0 has the encoding, but there are" },
	{ "propagate '" VECTOR "' '[affine_map<(i) -> (i)>]' --operand 1", 2, NULL,
		"operand 1 has the encoding, but there are only 1" },
	{ "propagate '" VECTOR "' '[affine_map<(i) -> (i)>]' --operand x", 2, NULL,
		"error: --operand: 'x' is not 0 .. 4096" },
	{ "propagate " WALK_ENCODING " '[affine_map<(i) -> (i)>]'", 2, NULL,
		"error: propagate: the encoding of an operand needs --target" },
	{ "propagate '(4,8):(8,1)' '[affine_map<(i) -> (i)>]'", 2, NULL, "error: expr:1: " },
	/* as many loops as there may be */
	{ "propagate 'encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>' "
		"'[affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, "
		"d15) -> (d0)>]'", 0, "-> (d15 * 4 + d16, d0, d1,", NULL },
};

static void test_propagate(void **state)
{
	(void)state;
	CHECK_ROWS(propagate_rows);
}

static const struct row usage_rows[] = {
	{ "", 2, NULL, "=layoutc: error: needs a command; see layoutc --help\n" },
	{ "frobnicate", 2, NULL, "layoutc: error: frobnicate: " },
	{ "eval", 2, NULL, "layoutc: error: eval: needs EXPR" },
	{ "eval a b", 2, NULL, "error: eval: 'b' " },
	{ "eval --frob '(4):(1)'", 2, NULL, "error: --frob: " },
	{ "eval --format", 2, NULL, "error: --format: needs text|json|isl|mlir" },
	{ "eval --format xml '(4):(1)'", 2, NULL, "error: --format: 'xml'" },
	{ "eval --format text --format isl '(4):(1)'", 2, NULL, "error: --format: " },
	{ "eval --values=3 '(4):(1)'", 2, NULL, "error: --values: " },
	{ "eval --values --format isl '(4):(1)'", 2, NULL, "error: --values: " },
	{ "eval -D M 'row_major[M]'", 2, NULL, "error: -D: 'M' " },
	{ "eval -D 3=M 'row_major[M]'", 2, NULL, "error: -D: '3=M' " },
	{ "eval -D M=-1 'row_major[M]'", 2, NULL, "error: -D: '-1' " },
	{ "eval -D M=9223372036854775808 'row_major[M]'", 2, NULL, "error: -D: " },
	{ "eval -D M=1 -D M=2 'row_major[M]'", 2, NULL, "error: -D: M " },
	{ "eval -D Q=1 'row_major[M]'", 2, NULL, "error: -D: " },
	{ "eval --values 'row_major[M]'", 2, NULL, "error: expr:1: " },
	{ "eval --values '{ [i] -> [i] }'", 2, NULL, "error: expr:1: " },
	{ "check '(4):(1)' --is pretty", 2, NULL, "error: --is: 'pretty'" },
	{ "equal '(4):(1)'", 2, NULL, "error: equal: " },
	{ "kernel '" TURN "' --emit asm", 2, NULL, "error: kernel: needs --target" },
	{ "kernel '" TURN "'", 0, "digit: dimension 1, step 1, ", "" },
	{ "kernel 4:1", 2, NULL, "error: expr:1: expected a remap, found a CuTe layout" },
	{ "kernel '" TURN "' --target gfx942 --emit c", 2, NULL, "error: --emit: " },
	{ "kernel '" TURN "' --target gfx942 --emit asm --base-align 3", 2, NULL,
		"error: --base-align: " },
	{ "kernel '" TURN "' --target gfx942 --emit asm --base-align 2", 2, NULL,
		"error: --base-align: " },
	{ "kernel '" TURN "' --target gfx942 --emit asm --base-align 4294967296", 2, NULL,
		"error: --base-align: 4294967296 is more than" },
	{ "kernel '" TURN "' --target gfx942 --emit asm --owner @owner", 2, NULL,
		"error: --owner: the owner: " },
	{ "kernel '" TURN "' --target gfx942 --emit asm --owner @nowhere", 4, NULL,
		"error: @nowhere: cannot read: " },
	{ "kernel '" TURN "' --target gfx942 --emit asm --owner @half", 2, NULL,
		"error: half:2:1: expected the end of the text" },
	{ "resolve '" ENCODING "' --target @target", 0, "MFMA_F32_16x16x4_F32, ", NULL },
	{ "resolve '" ENCODING "' --target - < bad.target", 2, NULL,
		"error: -:2:3: expected `max_load_bits`" },
	{ "resolve '" ENCODING "' --target @nowhere", 4, NULL, "error: @nowhere: cannot read: " },
	{ "kernel '" TURN "' --target gfx942 --emit asm --owner "
		"'{ [lane, r] -> [lane, 2r] : 0 <= lane < 64 and 0 <= r < 4 }'", 2, NULL,
		"error: --owner: the owner: " },
	{ "kernel '" TURN "' --target gfx942 --emit asm --code-object 4", 2, NULL,
		"error: --code-object: " },
	{ "run '" TURN "' --input a.npy", 2, NULL, "error: run: needs --output" },
	{ "run '" TURN "' --input a.npy --output o --stats", 2, NULL, "error: --stats: " },
	{ "run '" TURN "' --input a.npy --output o --format json", 2, NULL,
		"error: --format: " },
	{ "run '" TURN "' --input a.npy --output o --target gfx942 --stats --format isl", 2,
		NULL, "error: --format: " },
	{ "run '" TURN "' --input a.npy --output o --engine host --target gfx942", 2, NULL,
		"error: --target: " },
	{ "run '" TURN "' --input a.npy --output o --target host", 2, NULL,
		"error: --target: " },
	{ "targets gfx942 a", 2, NULL, "error: targets: 'a' " },
};

static void test_usage(void **state)
{
	(void)state;
	CHECK_ROWS(usage_rows);
}

static const struct row error_rows[] = {
	{ "eval '(4,8:(8,1)'", 2, NULL,
		"=layoutc: error: expr:5: expected `,` or `)`, found `:`\n"
		"    (4,8:(8,1)\n"
		"        ^\n" },
	{ "eval '{ [i] -> [i mod 4]'", 2, NULL, "error: expr:19: " },
	{ "eval '(4,8):(8)'", 2, NULL, "error: expr:7: " },
	{ "eval '(4,-16):(8,1)'", 2, NULL, "\n    (4,-16):(8,1)\n       ^~~\n" },
	{ "eval 'inverse(frob_1.x(4:1))'", 2, NULL,
		"error: expr:9: unknown function `frob_1.x`\n"
		"    inverse(frob_1.x(4:1))\n            ^~~~~~~~\n" },
	{ "eval '(4'", 2, NULL, "\n    (4\n      ^\n" },
	{ "eval '€'", 2, NULL, "error: expr:1: " },
	{ "eval '(99999999999999999999):(1)'", 2, NULL, "error: expr:2: " },
	{ "eval '(4294967296,4294967296):(1,4294967296)'", 2, NULL, "error: expr:1: " },
	{ "eval 'compose({ [i] -> [i, i] }, { [i, j] -> [i, j] })'", 2, NULL,
		"=layoutc: error: expr:28: the images lie in [2], but the outer relation takes "
		"[1]\n    compose({ [i] -> [i, i] }, { [i, j] -> [i, j] })\n"
		"                               ^\n" },
	{ "eval 'Sw<1,0,60> o 9223372036854775807 o 2:1' --values", 2, NULL,
		"error: expr:1: the offsets, moved by 9223372036854775807 and swizzled, " },
	{ "eval 'compose(" FAR ", 16:1)' --format json", 2, NULL, "do not fit 64 bits" },
	{ "eval '{ [i] -> [i] }' --values --format json", 2, NULL, "no bound" },
	{ "eval 'inverse({ [i] -> [i] })' --values", 2, NULL, "no bound" },
	{ "eval 'complement((4,2):(1,2), 24)'", 1, NULL, "error: expr:1: no complement: " },
	{ "eval 'complement((4,2):(1,2), 24)' --format json", 1, NULL, "no complement: " },
	{ "eval '" NO_LAYOUT "'", 1, NULL, "=layoutc: error: expr:1: " REASON "\n    "
		NO_LAYOUT "\n    ^~~~~~~\n" },
	{ "eval ' " NO_LAYOUT "'", 1, NULL, "=layoutc: error: expr:2: " REASON "\n     "
		NO_LAYOUT "\n     ^~~~~~~\n" },
	{ "eval 'coalesce(" NO_LAYOUT ")'", 1, NULL, "error: expr:10: coalesce: expected a "
		"CuTe layout, found a relation: " REASON },
	{ "eval 'equal_up_to_k({ [0, 0] -> [0, 0] }, { [0] -> [0, 0] }, "
		"{ [0, 0] -> [1, 0] }, { [0] -> [0, 0] })'", 1, NULL,
		"error: expr:1: no permutation of K makes both operands equal, at "
		"[operand, input..] (0, 0, 0)\n" },
	{ "eval 'pseudo_inverse(linear<{a = [[2]]} -> {b = 4}>)'", 1, NULL,
		"error: expr:1: " },
	{ "eval 'resize_in(linear<{a = [[2]]}>, a, 3)'", 2, NULL, "error: expr:32: " },
	{ "eval 'mma<MFMA_F32_16x16x4_F64, lhs>'", 2, NULL, "error: expr:5: " },
	{ "eval 'xor_shuffle<48, 8>'", 2, NULL, "error: expr:1: expected a power of two" },
	{ "eval 'encoding_info<{innerDimsPos = [0], innerTileSizes = [0], "
		"outerDimsPerm = [0]}>'", 2, NULL, "error: expr:54: " },
	{ "eval 'encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [8, 8], "
		"outerDimsPerm = [0, 0]}>'", 2, NULL, "error: expr:" },
	{ "eval 'encoding_info<{" TILES ", " SWIZZLE("1, 4, 0, 2, 2") "}>'", 2, NULL,
		"error: expr:" },
	{ "eval 'encoding_info<{innerDimsPos = [0], innerTileSizes = [8], outerDimsPerm = "
		"[0], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16]]], "
		"permutation = [0]}}>'", 2, NULL, "error: expr:" },
	{ "eval 'frob(row_major[M])'", 2, NULL, "error: expr:1: " },
	{ "eval 'chain(row_major[M, K], collapse_shape([[0, 1]]))'", 3, NULL,
		"error: expr:24: " },
	{ "eval \"{ [i] : i > 0$(for k in $(seq 2 16); do printf "
		"' and (i mod %d = 0 or i mod %d = 1 or i > %d)' $k $k $k; done) }\"", 3, NULL,
		"error: expr:307: the text has too many pieces" },
	{ "eval '{ \"é\"[i] : 4 ]'", 2, NULL, "error: expr:14: " },
	{ "eval - < many_lines", 2, NULL,
		"error: -:3:5: expected `]`, found `;`\n    N, 4;\n        ^\n" },
	{ "eval \"$(printf '(%200s4:1' '')\"", 2, NULL, "error: expr:203: " },
	{ "eval --batch /nowhere", 4, NULL, "error: /nowhere: cannot read" },
	{ "kernel 'remap(row_major[M] -> row_major[N], type = f32)' --target gfx942 "
		"--emit asm -o out", 2, NULL, "error: expr:23: " },
	{ "kernel 'remap(row_major[M, K] -> row_major[M], type = f32)' --target gfx942 "
		"--emit asm -o out", 2, NULL, "error: expr:26: " },
	{ "kernel 'remap(row_major[M] -> strided[M : 0], type = f32)' --target gfx942 "
		"--emit asm -o out", 2, NULL, "error: expr:1: " },
	{ "kernel 'remap(row_major[M] -> row_major[M], type = f32, pad = x)' "
		"--target gfx942 --emit asm -o out", 2, NULL, "error: expr:" },
	{ "kernel 'row_major[M]' --target gfx942 --emit asm -o out", 2, NULL,
		"error: expr:1: " },
	{ "kernel bad.remap --target gfx942 --emit asm -o out", 2, NULL,
		"error: bad.remap:2:" },
	{ "kernel '" TURN "' --target gfx1 --emit asm -o out", 3, NULL,
		"error: --target: " },
	{ "kernel '" TURN "' --target gfx1250:wave64 --emit hsaco -o out", 3, NULL,
		"error: --target: " },
	{ "kernel '" TURN "' --target host --emit hsaco -o out", 3, NULL,
		"layoutc: error: " },
	{ "kernel '" TURN "' --target gfx942 --emit asm --assume 'M <' -o out", 2, NULL,
		"error: expr:" },
	{ "kernel '" TURN "' --target gfx942 --emit asm --assume 'M < 9 and Q < 4'", 2, NULL,
		"error: expr:11: Q is not a size" },
	{ "kernel '" TURN "' --target gfx942 --emit asm -o missing/out", 4, NULL,
		"error: missing/out: cannot write: " },
	{ "kernel '" TURN "' --target gfx942 --emit asm -o .", 4, NULL,
		"error: .: cannot write: " },
	{ "kernel '" TURN "' --target gfx942 --emit asm > /dev/full", 4, NULL,
		"error: -: cannot write: " },
	{ "targets > /dev/full", 4, NULL, "error: -: cannot write: " },
};

/* Does the folder hold just what it held before? */
static void check_files(const char *before)
{
	int status;
	char *after = shell_output(&status, "ls -A '%s'", folder);

	assert_string_equal(after, before);
	free(after);
}

static void test_errors(void **state)
{
	char *before;
	int status;

	(void)state;
	free(shell_output(&status, "cd '%s' && touch output error", folder));
	before = shell_output(&status, "ls -A '%s'", folder);
	CHECK_ROWS(error_rows);
	check_files(before);
	free(before);
}

/* A linker that is not there: no code object, but assembly needs none. */
static void test_linker(void **state)
{
	static const struct row rows[] = {
		{ "kernel '" TURN "' --target gfx942 --emit hsaco -o out", 4, NULL, "error: " },
		{ "kernel '" TURN "' --target gfx942 --emit asm", 0, "s_endpgm", NULL },
	};
	char *before;
	int status;

	(void)state;
	before = shell_output(&status, "ls -A '%s'", folder);
	assert_int_equal(setenv("LAYOUT_LD_LLD", "/nowhere/ld.lld", 1), 0);
	CHECK_ROWS(rows);
	assert_int_equal(unsetenv("LAYOUT_LD_LLD"), 0);
	check_files(before);
	free(before);
}

static const struct row kernel_rows[] = {
	{ "kernel '" PACK "' --target gfx942 --emit isl", 0, "cell[", NULL },
	{ "kernel '" PACK "' --target gfx942 --emit ast", 0, "M", NULL },
	{ "kernel '" PACK "' --target gfx942 --emit llvm", 0, "amdgpu_kernel", NULL },
	{ "kernel '" PACK "' --target host --emit llvm", 0, "define ", NULL },
	{ "kernel '" PACK "' --target gfx942 --emit asm", 0, ".amdhsa_kernel", NULL },
	{ "kernel '" PACK "' --target gfx1100 --emit asm", 0, "gfx1100", NULL },
	{ "kernel '" PACK "' --target gfx942 --emit obj | head -c 4", 0, "=\x7f" "ELF", NULL },
	{ "kernel '" PACK "' --target gfx942 --emit hsaco -o - | head -c 4", 0,
		"=\x7f" "ELF", NULL },
	{ "kernel '" PACK "' --target gfx942 --emit json -D M=255 -D K=513", 0,
		"\"grid\": [", NULL },
	{ "kernel good.remap --target gfx942 --emit asm", 0, "s_endpgm", NULL },
	{ "kernel - --target gfx942 --emit asm < good.remap", 0, "s_endpgm", NULL },
	{ "kernel '" PACK "' --target gfx942 --emit hsaco -o k.hsaco && head -c 4 k.hsaco", 0,
		"=\x7f" "ELF", NULL },
	{ "kernel '" PACK "' --target gfx942 --emit asm -o k.hsaco && head -c 1 k.hsaco", 0,
		"=\t", NULL },
	{ "kernel '" PACK "' --target gfx942 --emit asm --assume 'M < 65536' "
		"--base-align 64 --code-object 6 -o /dev/null", 0, NULL, NULL },
};

static void test_kernel(void **state)
{
	(void)state;
	CHECK_ROWS(kernel_rows);
}

static const struct row help_rows[] = {
	{ "help coalesce", 0, "=coalesce(CUTE[, PROFILE])\n\nFor example:\n"
		"    layoutc eval 'coalesce((2,(1,6)):(1,(6,2)))'\n\nSee docs/cute.md; "
		"docs/notation.md has all functions.\n", NULL },
	{ "help composition", 0, "compose(LAYOUT, LAYOUT|TILER)\n", NULL },
	{ "eval --help coalesce", 0, "coalesce(CUTE[, PROFILE])\n", NULL },
	{ "help strided", 0, "=strided[SIZE, .. : STRIDE, ..]\n\nFor example:\n"
		"    layoutc eval 'strided[M, K : 1024, 1]'\n\nSee docs/notation.md, which has all "
		"functions.\n", NULL },
	{ "help as", 0, "as(LAYOUT[, in = NAME|LIST][, out = NAME|LIST][, order = NAME])", NULL },
	{ "help kernel", 0, "layoutc kernel: compile a remap", NULL },
	{ "help", 0, "Exit status: 0 yes or done;", NULL },
	{ "help composs", 2, NULL, "error: composs: no such command, function or notation; "
		"did you mean "
		"compose?\n" },
	{ "help xyzzy", 2, NULL, "error: xyzzy: no such command, function or notation; see layoutc --help" },
	{ "compose 4:1", 2, NULL, "error: compose: no such command; it is of expressions: layoutc "
		"eval 'compose((4,8):(8,1), (2,4):(1,4))'\n" },
	{ "'(4,8):(8,1)'", 2, NULL, "no such command; layoutc eval prints an expression\n" },
	{ "kernel 'chain(row_major[4])'", 2, NULL, "expected a remap, found a chain; its elements "
		"are moved by remap(CHAIN -> row_major[..], type = f32)\n" },
	{ "kernel 'remap(row_major[M] -> row_major[M], type = f32)' --target gfx942 --assume "
		"'M % 8 == 0'", 2, NULL, "notation; equality is `=`\n" },
	{ "evl 4:1", 2, NULL, "error: evl: no such command; did you mean eval?\n" },
	{ "evla 4:1", 2, NULL, "error: evla: no such command; did you mean eval?\n" },
	{ "eval 4:1 --formt json", 2, NULL, "error: --formt: no such option; did you mean --format?\n" },
	{ "eval 4:1 --formt=json", 2, NULL, "error: --formt=json: no such option; did you mean "
		"--format?\n" },
	{ "targets --values", 2, NULL, "error: --values: no such option; see layoutc targets --help" },
	{ "--help", 0, "layoutc kernel REMAP|PROGRAM [--target GPU|host]", NULL },
	{ "eval --help", 0, "--format text|json|isl|mlir", NULL },
	{ "eval --help", 0, "\nFunctions: as compose ", NULL },
	{ "eval --help", 0, " recombine reshape", NULL },
	{ "--help", 0, "[--values] [--table]", NULL },
	{ "check --help", 0, "--onto SET", NULL },
	{ "check --help", 0, "|bijective|valid|total", NULL },
	{ "equal --help", 0, "EXPR EXPR", NULL },
	{ "kernel --help", 0, "--code-object 5|6", NULL },
	{ "run --help", 0, "\nTargets: gfx908 ", NULL },
	{ "targets --help", 0, "--format text|json", NULL },
	{ "--version", 0, "layoutc " LAYOUT_VERSION "\nisl 0.", NULL },
	{ "--version", 0, "\nLLVM 22.", NULL },
	{ "--version", 0, "\ndevice libraries ", NULL },
};

/* Every target's row is in what the help and the command list. */
static void test_help(void **state)
{
	const layout_target *target;

	(void)state;
	CHECK_ROWS(help_rows);
	for (unsigned i = 0; (target = layout_target_at(i)); i++) {
		static const char *const words[] = { "targets", "targets --format json",
			"kernel --help" };

		for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++) {
			struct row row = { words[w], 0, target->name, NULL };

			check_row(&row);
		}
	}
}

/* LLVM's shared library shows another isl to everyone; ours must be the one bound. */
static void test_isl(void **state)
{
	char *bound;

	(void)state;
	bound = shell_must("LD_BIND_NOW=1 LD_DEBUG=bindings %s --version 2>&1 |"
		" sed -n '/binding file .*liblayout.* to .*`isl_/s/.* to \\([^ ]*\\) .*/\\1/p' |"
		" sort -u", LAYOUTC_PATH);
	if (!strstr(bound, "/libisl.so") || strchr(bound, '\n')[1])
		fail_msg("isl comes from:\n%s", bound);
	free(bound);
}

static void write_in(const char *name, const char *text)
{
	shell_write(folder_path(name), text);
}

static int set_up(void **state)
{
	folder_open(state);
	write_in("expression", "(4,2):(2,1)\n");
	write_in("definitions", "let A = 4:2\ncosize(A)\nA 3\nlet A = 3:1\n"
		"#map = affine_map<(i) -> (i)>\n#map\n");
	write_in("statements", "// as one text\nlet A = (4,8):(8,1)\nlet B = (8,4):(1,8)\n"
		"compose(A,\n  B)\n\nsize(A)\n");
	write_in("half", "4:1\nlet A = 3:1\nfrob(\n");
	write_in("no_layout_last", "4:1\n" NO_LAYOUT "\n3:1\n");
	write_in("owner", "{ [lane, r] ->\n[lane, 2r] : 0 <= lane < 64 and 0 <= r < 4 }\n");
	write_in("target", "gfx942{simds = 4}\n");
	write_in("bad.target", "gfx942{\n  simd = 4}\n");
	write_in("batch", "(4,2):(2,1)\n(4:1\nrow_major[2]\n");
	write_in("commented", "# layouts\n  // of four\n4:1 // this\n\n2:1\n#x\n");
	write_in("no_points", "4:1\nrow_major[2]\n(4,0):(1,2)\n{ [i] : 0 <= i < 0 }\n"
		"row_major[0, 3]\nsize(4:1)\n");
	write_in("numbers", "max_common_vector(8:1, 4:1)\n4:1\n"
		"max_common_vector(8:1, 8:1)\n");
	write_in("chains", "chain(row_major[M, 4], transpose([1, 0]))\n4:1\n");
	write_in("no_layout", NO_LAYOUT "\n4:1\n");
	write_in("foreign", "{ \"é\"[i] : 4 ]\n");
	write_in("many_lines", "row_major[\nM,\nN, 4;\n]\n");
	write_in("good.remap", "  remap(row_major[M, K]\n\t-> col_major[M, K],\n"
		"\ttype = f32)\n");
	write_in("bad.remap", "remap(row_major[M, K]\n\t-> frob[M, K],\n\ttype = f32)\n");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_eval),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_no_layout),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_propagate),
		cmocka_unit_test(test_usage),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_linker),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_isl),
	};

	return cmocka_run_group_tests(tests, set_up, folder_close);
}
