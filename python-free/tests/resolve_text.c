/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is written around resolving: encodings in tensors' types, targets, resolve(..) in
 * expressions, and the command. */
#include "support/shell.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MATMUL "[affine_map<(d0, d1, d2) -> (d0, d2)>, " \
	"affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]"
#define F32 "f32, f32, f32"

/* An encoding in the type of its tensor: what it prints as, or what is wrong where. */
#define IN_TENSOR "#iree_encoding.encoding<operand_index = 0 : index, " \
	"op_type = matmul, element_types = [" F32 "], user_indexing_maps = " MATMUL ">"

static const struct {
	const char *text, *printed;
	layout_error error;
	long position;
} tensors[] = {
	{ "tensor<?x?xf16, " IN_TENSOR ">", "tensor<?x?xf16, " IN_TENSOR ">", 0, 0 },
	{ "tensor<255x513xf16," IN_TENSOR ">", "tensor<255x513xf16, " IN_TENSOR ">", 0, 0 },
	{ "tensor<?x513x4xf16, " IN_TENSOR ">", "a tensor of rank 3, the operand's maps "
		"end in 2 dimensions", LAYOUT_ERROR_SPACE, 0 },
	{ "tensor<f16, " IN_TENSOR ">", "a tensor of rank 0", LAYOUT_ERROR_SPACE, 0 },
	{ "tensor<?x?xf17, " IN_TENSOR ">", "there is no element type f17",
		LAYOUT_ERROR_INVALID, 11 },
	{ "tensor<?x?xf16>", "expected `,`", LAYOUT_ERROR_PARSE, 14 },
	{ "tensor<?x?x, " IN_TENSOR ">", "expected the shape and element type",
		LAYOUT_ERROR_PARSE, 11 },
	{ "tensor<?x?xf16, 4:1>", "expected `#iree_encoding.encoding`",
		LAYOUT_ERROR_PARSE, 16 },
	{ "tensor<?x?xf16, " IN_TENSOR, "expected", LAYOUT_ERROR_PARSE,
		sizeof("tensor<?x?xf16, " IN_TENSOR) - 1 },
	{ "tensor(4)", "expected `<`", LAYOUT_ERROR_PARSE, 6 },
};

static void test_tensors(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(tensors) / sizeof(*tensors); i++) {
		layout_operand *operand = layout_operand_parse(ctx, tensors[i].text);
		layout_operand *copy = layout_operand_copy(operand);
		char *text = layout_operand_str(copy);

		print_message("%s\n", tensors[i].text);
		if (!tensors[i].error) {
			assert_non_null(text);
			assert_string_equal(text, tensors[i].printed);
		} else {
			assert_null(text);
			assert_int_equal(layout_context_error(ctx), tensors[i].error);
			assert_int_equal(layout_context_position(ctx),
				tensors[i].position);
			if (!strstr(layout_context_message(ctx), tensors[i].printed))
				assert_string_equal(layout_context_message(ctx),
					tensors[i].printed);
			layout_context_clear(ctx);
		}
		layout_string_free(text);
		layout_operand_free(copy);
		layout_operand_free(operand);
	}
	layout_context_free(ctx);
}

/* Targets as text: what is wrong, and where. */
static const struct {
	const char *text;
	layout_error error;
	long position;
	const char *message;
} targets[] = {
	{ "gfx906", LAYOUT_ERROR_UNSUPPORTED, 0, "no data tiling for a target 'gfx906'" },
	{ "gfx1100:wave64", LAYOUT_ERROR_UNSUPPORTED, 0, "'gfx1100:wave64'" },
	{ "", LAYOUT_ERROR_PARSE, 0, "expected a target" },
	{ "strix-", LAYOUT_ERROR_PARSE, 6, "expected a target" },
	{ "-halo", LAYOUT_ERROR_PARSE, 0, "expected a target" },
	{ "strix-hal", LAYOUT_ERROR_UNSUPPORTED, 0, "no data tiling for a target 'strix-hal'" },
	{ "gfx942 {", LAYOUT_ERROR_PARSE, 8, "expected `max_load_bits`" },
	{ "gfx942{simd = 1}", LAYOUT_ERROR_PARSE, 7, "expected `max_load_bits`" },
	{ "gfx942{simds}", LAYOUT_ERROR_PARSE, 12, "expected `=`" },
	{ "gfx942{simds = -1}", LAYOUT_ERROR_INVALID, 15, "from 0 to 2147483647" },
	{ "gfx942{simds = 4294967296}", LAYOUT_ERROR_INVALID, 15, "from 0 to" },
	{ "gfx942{simds = 1, simds = 1}", LAYOUT_ERROR_PARSE, 18, "simds" },
	{ "gfx942{simds = 1 lds_bytes = 1}", LAYOUT_ERROR_PARSE, 17, "expected" },
	{ "gfx942{mma = MFMA}", LAYOUT_ERROR_PARSE, 13, "expected `[`" },
	{ "gfx942{mma = [WMMA_F32_16x16x4_F32]}", LAYOUT_ERROR_UNSUPPORTED, 14,
		"gfx942 has no WMMA_F32_16x16x4_F32" },
	{ "gfx942{mma = [MFMA_F32_16x16x4_F3]}", LAYOUT_ERROR_INVALID, 14,
		"no matrix instruction" },
	{ "gfx942{mma = [MFMA_F32_16x16x4_F32}", LAYOUT_ERROR_PARSE, 34, "expected" },
	{ "gfx942{} gfx942", LAYOUT_ERROR_PARSE, 9, "expected" },
};

static void test_targets(void **state)
{
	layout_context *ctx = layout_context_new();
	const layout_tiling_target *row;

	(void)state;
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		print_message("%s\n", targets[i].text);
		assert_null(layout_tiling_target_parse(ctx, targets[i].text));
		assert_int_equal(layout_context_error(ctx), targets[i].error);
		assert_int_equal(layout_context_position(ctx), targets[i].position);
		if (!strstr(layout_context_message(ctx), targets[i].message))
			assert_string_equal(layout_context_message(ctx),
				targets[i].message);
		layout_context_clear(ctx);
	}
	for (unsigned i = 0; (row = layout_tiling_target_at(i)); i++) {
		layout_tiling_target *same = layout_tiling_target_parse(ctx, row->name);

		assert_ptr_equal(layout_tiling_target_find(ctx, row->name), row);
		assert_memory_equal(same, row, sizeof(*row));
		layout_tiling_target_free(same);
		assert_int_equal(!row->features, !!row->instructions);
		for (unsigned k = 0; !row->features && row->instructions[k]; k++) {
			layout_mma *mma = layout_mma_find(ctx, row->instructions[k],
				LAYOUT_MMA_LHS, row->instructions_of);

			assert_int_equal(layout_mma_lanes(mma), row->wave_size);
			layout_mma_free(mma);
		}
	}
	layout_context_free(ctx);
}

#define TILE(fields) "gfx942{tile = #iree_gpu.data_tiled_mma_layout<" fields ">}"
#define ONE "intrinsic = MFMA_F32_16x16x4_F32"

/* The tile of a product in M, N and K, where lhs, rhs and acc agree with the instruction; or
 * what is wrong where. */
static const struct {
	const char *target;
	int m, n, k;
	const char *message;
	long position;
} unrollings[] = {
	{ TILE(ONE), 16, 16, 4, NULL, 0 },
	{ TILE(ONE ", intrinsics_m = 8, intrinsics_n = 2, subgroups_n = 4, intrinsics_k = 4"),
		128, 128, 16, NULL, 0 },
	{ TILE(ONE ", intrinsics_m = 3, subgroups_m = 5, subgroups_n = 2, "
		"operands_interleaving_intrinsics_m = [0]"), 240, 32, 4, NULL, 0 },
	{ TILE(ONE ", intrinsics_k = 4, operands_interleaving_intrinsics_k = [0, 1]"),
		16, 16, 16, NULL, 0 },
	{ TILE(ONE ", subgroups_k = 1, operands_interleaving_intrinsics_n = []"),
		16, 16, 4, NULL, 0 },
	{ TILE(ONE ", intrinsics_m = 0"), 0, 0, 0, "repetitions are 1 to 65536, not 0", 95 },
	{ TILE(ONE ", intrinsics_m = 65537"), 0, 0, 0, "not 65537", 95 },
	{ TILE(ONE ", operands_interleaving_intrinsics_m = [5]"), 0, 0, 0,
		"there is no operand 5", 118 },
	{ TILE(ONE ", intrinsic_m = 4"), 0, 0, 0, "expected `intrinsics_m`", 80 },
	{ TILE("intrinsic = NONE"), 0, 0, 0, "NONE", 58 },
	{ TILE("intrinsics_m = 4"), 0, 0, 0, "expected `intrinsic`", 46 },
	{ "gfx942{mma = [], tile = 3}", 0, 0, 0, "", 17 },
	{ "gfx942{tile = 3}", 0, 0, 0, "expected `#iree_gpu.data_tiled_mma_layout`", 14 },
	{ "x86_64{tile = 3}", 0, 0, 0, "expected `features`", 7 },
};

/* The operand's inner tiles, agreed with by the instruction and read back as printed. */
static void check_tiles(layout_context *ctx, const layout_tiling_target *target,
	unsigned index, int first, int second)
{
	char text[640], wanted[64], *tile, *encoded;
	layout_operand *operand;
	layout_resolution *resolution;
	layout_encoding *encoding;

	snprintf(text, sizeof(text), "encoding<operand_index = %u, op_type = matmul, "
		"element_types = [" F32 "], user_indexing_maps = " MATMUL ">", index);
	operand = layout_operand_parse(ctx, text);
	resolution = layout_encoding_resolve(operand, target, LAYOUT_RESOLVER_DATA_TILING);
	if (!resolution)
		fail_msg("%s", layout_context_message(ctx));
	encoding = layout_resolution_encoding(resolution);
	encoded = layout_encoding_str(encoding);
	snprintf(wanted, sizeof(wanted), "innerTileSizes = [%d, %d]", first, second);
	if (!strstr(encoded, wanted))
		fail_msg("operand %u: %s and not %s", index, encoded, wanted);
	assert_int_equal(layout_resolution_agrees(resolution, NULL), LAYOUT_YES);
	tile = layout_tiled_mma_str(ctx, layout_resolution_mma(resolution));
	assert_non_null(strstr(tile, ONE));
	free(tile);
	free(encoded);
	layout_encoding_free(encoding);
	layout_resolution_free(resolution);
	layout_operand_free(operand);
}

static void test_unrollings(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(unrollings) / sizeof(*unrollings); i++) {
		layout_tiling_target *target = layout_tiling_target_parse(ctx,
			unrollings[i].target);

		print_message("%s\n", unrollings[i].target);
		if (!unrollings[i].m) {
			assert_null(target);
			if (layout_context_position(ctx) != unrollings[i].position ||
			    !strstr(layout_context_message(ctx), unrollings[i].message))
				fail_msg("%ld: %s", layout_context_position(ctx),
					layout_context_message(ctx));
			layout_context_clear(ctx);
			continue;
		}
		assert_non_null(target);
		check_tiles(ctx, target, 0, unrollings[i].m, unrollings[i].k);
		check_tiles(ctx, target, 1, unrollings[i].n, unrollings[i].k);
		check_tiles(ctx, target, 2, unrollings[i].m, unrollings[i].n);
		layout_tiling_target_free(target);
	}
	assert_true(layout_context_free(ctx));
}

#define UNROLLED "#iree_gpu.data_tiled_mma_layout<" ONE ", intrinsics_m = 4, subgroups_m = 2, " \
	"intrinsics_n = 4, subgroups_n = 2, intrinsics_k = 4, " \
	"operands_interleaving_intrinsics_k = [0, 1]>"

/* What is printed is read, and means the same. */
static void test_unrolled_text(void **state)
{
	static const char operand[] = "'encoding<operand_index = 2, op_type = matmul, "
		"element_types = [" F32 "], user_indexing_maps = " MATMUL ">'";
	char *tile = shell_must("%s resolve %s --target gfx942 --format mlir", LAYOUTC_PATH,
		operand);
	char *chosen = shell_must("%s resolve %s --target gfx942", LAYOUTC_PATH, operand);
	char *asked = shell_must("%s resolve %s --target 'gfx942{tile = " UNROLLED "}'",
		LAYOUTC_PATH, operand);

	(void)state;
	assert_string_equal(tile, UNROLLED "\n");
	assert_string_equal(chosen, asked);
	free(tile);
	free(chosen);
	free(asked);
}

/* resolve(..) in expressions: what it prints as, or what is wrong where. */
#define ENCODING "encoding<operand_index = 0, op_type = matmul, element_types = [" F32 \
	"], user_indexing_maps = " MATMUL ", iteration_sizes = [1, 1, 4096]>"
#define LENGTH(text) ((long)sizeof(text) - 1)
#define VECTOR "encoding<operand_index = 1, op_type = matmul, element_types = " \
	"[f16, f16, f32], user_indexing_maps = [affine_map<(m, k) -> (m, k)>, " \
	"affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>]>"
#define KEPT(tile, groups, order) "encoding_info<{innerDimsPos = [0], innerTileSizes = [" \
	tile "], outerDimsPerm = [0], unitGroups = [0], swizzle = {expandShape = [[[" \
	"\"CrossThread\", 16 : i16]], " groups "], permutation = " order "}}>"
#define KEPT_F16 KEPT("32", "[[\"CrossThread\", 4 : i16], [\"Internal\", 8 : i16]]", \
	"[1, 0, 2]")
#define TILED "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [16, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 16 : i16]" \
	"], [[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]], " \
	"permutation = [2, 0, 1]}}>"

static const struct {
	const char *text, *value;
	layout_error error;
	long position;
} expressions[] = {
	{ "resolve(" ENCODING ", target = gfx942)", TILED, 0, 0 },
	{ "packed(resolve(" ENCODING ", target = mi300x, resolver = pad), [M, K])",
		"packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [4128], "
		"outerDimsPerm = [0, 1]}>, [M, K])", 0, 0 },
	{ "packed(resolve(" ENCODING ", resolver = none, target = gfx942{simds = 1}), "
		"[M, K])",
		"packed(encoding_info<{innerDimsPos = [], innerTileSizes = [], "
		"outerDimsPerm = [0, 1]}>, [M, K])", 0, 0 },
	{ "remap(row_major[M, K] -> packed(resolve(" ENCODING ", target = gfx942), "
		"[M, K]), type = f32)", "remap(row_major[M, K] -> packed(" TILED
		", [M, K]), type = f32)", 0, 0 },
	{ "resolve(" VECTOR ", target = gfx950)", KEPT_F16, 0, 0 },
	{ "resolve(" VECTOR ", target = gfx950, missing = keep)", KEPT_F16, 0, 0 },
	{ "packed(resolve(" VECTOR ", target = gfx950, missing = drop), [K])",
		"packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [32], "
		"outerDimsPerm = [0], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16], "
		"[\"Internal\", 8 : i16]]], permutation = [0, 1]}}>, [K])", 0, 0 },
	{ "distribution(" VECTOR ", target = gfx950)",
		"{ hw[subgroup = 0, lane, register] -> tile[lane mod 16, "
		"register + 8*floor(lane/16)] : 0 <= lane <= 63 and 0 <= register <= 7 }",
		0, 0 },
	{ "distribution(" VECTOR ", target = gfx950, missing = drop)",
		"{ hw[subgroup = 0, lane, register] -> tile[register + 8*floor(lane/16)] : "
		"0 <= lane <= 63 and 0 <= register <= 7 }", 0, 0 },
	{ "resolve(" VECTOR ", target = gfx950, missing = pad)",
		"resolve: a missing loop is one to `keep` or to `drop`, not `pad`",
		LAYOUT_ERROR_INVALID,
		LENGTH("resolve(" VECTOR ", target = gfx950, missing = ") },
	{ "resolve(" ENCODING ")", "expected `target =`", LAYOUT_ERROR_PARSE, 0 },
	{ "resolve(4:1, target = gfx942)", "expected an operand's encoding",
		LAYOUT_ERROR_SPACE, 8 },
	{ "resolve(" ENCODING ", target = gfx942, resolver = cpu)",
		"`data_tiling`, `pad` or `none`", LAYOUT_ERROR_INVALID,
		LENGTH("resolve(" ENCODING ", target = gfx942, resolver = ") },
	{ "resolve(" ENCODING ", target = gfx942{vgpr_bits = 1})",
		"does not fit the registers", LAYOUT_ERROR_UNSUPPORTED, 0 },
	{ "resolve(" ENCODING ", target = gfx9)", "no data tiling for a target 'gfx9'",
		LAYOUT_ERROR_UNSUPPORTED,
		LENGTH("resolve(" ENCODING ", target = ") },
	{ "packed(resolve(" ENCODING ", target = gfx942), [M])", "rank",
		LAYOUT_ERROR_SPACE,
		LENGTH("packed(resolve(" ENCODING ", target = gfx942), ") },
};

static void test_expressions(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(expressions) / sizeof(*expressions); i++) {
		layout_value *value = layout_value_parse(ctx, expressions[i].text);
		char *text = layout_value_str(value);

		print_message("%s\n", expressions[i].text);
		if (!expressions[i].error) {
			assert_non_null(text);
			assert_string_equal(text, expressions[i].value);
		} else {
			assert_null(value);
			assert_int_equal(layout_context_error(ctx), expressions[i].error);
			assert_int_equal(layout_context_position(ctx),
				expressions[i].position);
			if (!strstr(layout_context_message(ctx), expressions[i].value))
				assert_string_equal(layout_context_message(ctx),
					expressions[i].value);
			layout_context_clear(ctx);
		}
		layout_string_free(text);
		layout_value_free(value);
	}
	layout_context_free(ctx);
}

/* The command: what it prints and its status. */
static const struct {
	const char *arguments;
	int status;
	const char *output;		/* "=" before all of it, else a part */
} commands[] = {
	{ "'" ENCODING "' --target gfx942", 0, "=" TILED "\nMFMA_F32_16x16x4_F32, "
		"intrinsics_m = 1, subgroups_m = 1, intrinsics_n = 1, subgroups_n = 1, "
		"intrinsics_k = 4, subgroups_k = 1, interleave_k = [0, 1]\n" },
	{ "'" ENCODING "' --target mi300x --format json", 0,
		"={\"inner_dims_pos\": [0, 1], \"inner_tiles\": [16, 16], "
		"\"outer_dims_perm\": [0, 1], "
		"\"expand_shape\": [[[\"CrossThread\", 16]], [[\"CrossIntrinsic\", 4], "
		"[\"CrossThread\", 4]]], \"permutation\": [2, 0, 1], "
		"\"intrinsic\": \"MFMA_F32_16x16x4_F32\", \"intrinsics_m\": 1, "
		"\"subgroups_m\": 1, \"intrinsics_n\": 1, \"subgroups_n\": 1, "
		"\"intrinsics_k\": 4, \"subgroups_k\": 1, \"interleave_m\": [], "
		"\"interleave_n\": [], \"interleave_k\": [0, 1]}\n" },
	{ "'" ENCODING "' --target gfx942 --resolver pad --format json", 0,
		"={\"inner_dims_pos\": [1], \"inner_tiles\": [4128], "
		"\"outer_dims_perm\": [0, 1], \"expand_shape\": null, "
		"\"permutation\": null, \"intrinsic\": null, \"intrinsics_m\": null, "
		"\"subgroups_m\": null, \"intrinsics_n\": null, \"subgroups_n\": null, "
		"\"intrinsics_k\": null, \"subgroups_k\": null, \"interleave_m\": null, "
		"\"interleave_n\": null, \"interleave_k\": null}\n" },
	{ "'" ENCODING "' --target gfx942 --resolver none --format json", 0,
		"={\"inner_dims_pos\": [], \"inner_tiles\": [], "
		"\"outer_dims_perm\": [0, 1], \"expand_shape\": null, "
		"\"permutation\": null, \"intrinsic\": null, \"intrinsics_m\": null, "
		"\"subgroups_m\": null, \"intrinsics_n\": null, \"subgroups_n\": null, "
		"\"intrinsics_k\": null, \"subgroups_k\": null, \"interleave_m\": null, "
		"\"interleave_n\": null, \"interleave_k\": null, "
		"\"note\": \"no resolver was asked for\"}\n" },
	{ "'" VECTOR "' --target gfx950 --format json", 0,
		"{\"inner_dims_pos\": [0], \"inner_tiles\": [32], "
		"\"outer_dims_perm\": [0], \"unit_groups\": [0], "
		"\"expand_shape\": [[[\"CrossThread\", 16]], "
		"[[\"CrossThread\", 4], [\"Internal\", 8]]], "
		"\"permutation\": [1, 0, 2], " },
	{ "'" VECTOR "' --target gfx950 --missing drop", 0, "encoding_info<{innerDimsPos ="
		" [0], innerTileSizes = [32], outerDimsPerm = [0], swizzle = {expandShape = "
		"[[[\"CrossThread\", 4 : i16], [\"Internal\", 8 : i16]]], permutation = "
		"[0, 1]}}>\n" },
	{ "'" VECTOR "' --target gfx950 --explain", 0, "tile of the operand: N 16 (kept, "
		"as IREE does: " },
	{ "'" VECTOR "' --target gfx950 --missing drop --explain", 0,
		"tile of the operand: N 16 (dropped: no loop of the contraction; IREE keeps "
		"it), K 32\n" },
	{ "'" VECTOR "' --target gfx950 --missing it", 2, "'it' is none of " },
	{ "'" ENCODING "' --target gfx1100 --format json", 0,
		"\"note\": \"no instruction takes these types\"}\n" },
	{ "'" ENCODING "' --target gfx942 --resolver none", 0,
		"=encoding_info<{innerDimsPos = [], innerTileSizes = [], outerDimsPerm = "
		"[0, 1]}>\nthe tensor stays as it is: no resolver was asked for\n" },
	{ "'" ENCODING "' --target gfx942 --explain", 0,
		"\n\nlhs, operand 0 of a matmul" },
	{ "'" ENCODING "' --target gfx942 --explain --format json", 0,
		"\"explanation\": \"lhs, operand 0 of a matmul" },
	{ "- --target 'gfx942{vgpr_bits = 512}' << .\n" ENCODING "\n.\n", 0, TILED },
	{ "'" ENCODING "' --target 'gfx942{vgpr_bits = 100}'", 3,
		"=layoutc: error: resolve: a tile of one MFMA_F32_16x16x4_F32, 4 along "
		"K, does not fit the registers: it takes 384 bits of a lane, gfx942 has "
		"vgpr_bits = 100\n" },
	{ "'" ENCODING "' --target gfx906", 3, "error: expr:1: no data tiling for a "
		"target 'gfx906'; there is that for gfx908, " },
	{ "'" ENCODING "' --target 'gfx942{simds}'", 2, "error: expr:13: expected `=`" },
	{ "'" ENCODING "'", 2, "resolve: needs --target GPU" },
	{ "'" ENCODING "' --target gfx942 --resolver cpu", 2, "'cpu' is none of " },
	{ "'4:1' --target gfx942", 2, "expected an operand's encoding" },
	{ "'encoding<' --target gfx942", 2, "error: expr:10: " },
	{ "--help", 0, "\nTargets: gfx908 gfx90a " },
	{ "--help", 0, " mi300x " },
};

static void test_command(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		bool exact = commands[i].output[0] == '=';
		const char *wanted = commands[i].output + exact;
		char *output;
		int status;

		print_message("resolve %s\n", commands[i].arguments);
		output = shell_output(&status, "%s resolve %s", LAYOUTC_PATH,
			commands[i].arguments);
		assert_int_equal(status, commands[i].status);
		if (exact || !strstr(output, wanted))
			assert_string_equal(output, wanted);
		free(output);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tensors),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_unrollings),
		cmocka_unit_test(test_unrolled_text),
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
