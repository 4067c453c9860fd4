/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Targets of data tiling as IREE prints them: what was read is printed, and reads back. */
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* As the walk-through of data tiling prints its device. */
#define GFX942(wgp_sizes, threads) "#iree_gpu.target<arch = \"gfx942\", features = \"\", " \
	"wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, " \
	"subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x16_BF16>, " \
	"<MFMA_F32_32x32x8_BF16>, <MFMA_F32_16x16x32_F8E5M2FNUZ>, " \
	"<MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ>, " \
	"<MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ>, " \
	"<MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ>, " \
	"<MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_I32_16x16x32_I8>, " \
	"<MFMA_I32_32x32x16_I8>, <MFMA_F64_16x16x4_F64>, <MFMA_F32_16x16x4_F32>, " \
	"<MFMA_F32_16x16x16_F16>, <MFMA_F32_32x32x8_F16>], subgroup_size_choices = [64], " \
	"max_workgroup_sizes = " wgp_sizes ", max_thread_count_per_workgroup = " threads ", " \
	"max_workgroup_memory_bytes = 65536, max_workgroup_counts = [2147483647, 2147483647, " \
	"2147483647], max_load_instruction_bits = 128, simds_per_wgp = 4, vgpr_space_bits = " \
	"16384>>"
#define SCALED(type) "<intrinsic = MFMA_SCALE_F32_32x32x64_B32, lhs_elem_type = " type \
	", rhs_elem_type = " type ", acc_elem_type = f32>"
#define REST "subgroup_size_choices = [64], max_workgroup_sizes = [1024, 1024, 1024], " \
	"max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 163840, " \
	"max_workgroup_counts = [2147483647, 2147483647, 2147483647], " \
	"max_load_instruction_bits = 128, simds_per_wgp = 4, vgpr_space_bits = 16384>"
#define CPU(features, triple) "#hal.executable.target<\"llvm-cpu\", \"embedded-elf-x86_64\", " \
	"{cpu_features = \"" features "\", target_triple = \"" triple "\"}>"

/* What is printed of a text; NULL: the text itself. */
static const struct {
	const char *text, *printed;
} rows[] = {
	{ GFX942("[1024, 1024, 1024]", "1024"), NULL },
	{ GFX942("[512, 1, 1]", "512"), NULL },
	{ "gfx942", GFX942("[1024, 1024, 1024]", "1024") },
	{ "#iree_gpu.target<arch = \"gfx942\">", GFX942("[1024, 1024, 1024]", "1024") },
	/* lists of its own, and instructions with scales alone */
	{ "#iree_gpu.target<arch = \"gfx950\", features = \"+sramecc,-xnack\", wgp = <compute = "
		"fp16, storage = b16, subgroup = none, dot = none, scaled_mma = ["
		SCALED("f8E5M2") ", " SCALED("f8E5M2FNUZ") ", " SCALED("f8E4M3FN") ", "
		SCALED("f8E4M3FNUZ") ", " SCALED("f4E2M1FN") "], " REST ", chip = <wgp_count = 256>>",
		NULL },
	/* one type of it stands for the instruction, which has them all */
	{ "#iree_gpu.target<arch = \"gfx950\", wgp = <mma = [<MFMA_F32_16x16x4_F32>], scaled_mma "
		"= [" SCALED("f4E2M1FN") "]>>",
		"#iree_gpu.target<arch = \"gfx950\", features = \"\", wgp = <compute = "
		"fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = "
		"shuffle|arithmetic, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x4_F32>], "
		"scaled_mma = [" SCALED("f8E5M2") ", " SCALED("f8E5M2FNUZ") ", "
		SCALED("f8E4M3FN") ", " SCALED("f8E4M3FNUZ") ", " SCALED("f4E2M1FN") "], "
		REST ">" },
	{ CPU("+avx2", "x86_64-unknown-unknown-eabi-elf"), NULL },
	{ "x86_64{features = [avx512f, fma]}",
		CPU("+avx512f,+fma", "x86_64-unknown-unknown-eabi-elf") },
	{ "#hal.executable.target<\"llvm-cpu\", \"e\", {target_triple = \"x86_64-a\", "
		"cpu_features = \"+a\033\"}>",
		CPU("+a\\1B", "x86_64-unknown-unknown-eabi-elf") },
	{ "vmvx", "#hal.executable.target<\"vmvx\", \"vmvx-bytecode-fb\">" },
};

static void test_rows(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_tiling_target *target = layout_tiling_target_parse(ctx, rows[i].text);
		char *text = layout_tiling_target_str(ctx, target);

		if (!text)
			fail_msg("%s: %s", rows[i].text, layout_context_message(ctx));
		assert_string_equal(text, rows[i].printed ? rows[i].printed : rows[i].text);
		layout_string_free(text);
		layout_tiling_target_free(target);
	}
	layout_context_free(ctx);
}

static void same_texts(const char *const *a, const char *const *b)
{
	for (; *a && *b; a++, b++)
		assert_string_equal(*a, *b);
	assert_ptr_equal(*a, *b);
}

/* Every row reads back with the facts that the attribute has. */
static void test_library(void **state)
{
	layout_context *ctx = layout_context_new();
	const layout_tiling_target *row;

	(void)state;
	for (unsigned i = 0; (row = layout_tiling_target_at(i)); i++) {
		char *text = layout_tiling_target_str(ctx, row), *again;
		layout_tiling_target *read = layout_tiling_target_parse(ctx, text);

		if (!read)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		again = layout_tiling_target_str(ctx, read);
		assert_string_equal(again, text);
		assert_int_equal(read->wave_size, row->wave_size);
		assert_int_equal(read->vgpr_bits, row->vgpr_bits);
		assert_int_equal(read->lds_bytes, row->lds_bytes);
		assert_int_equal(read->processors, row->processors);
		if (!row->features)
			same_texts(read->instructions, row->instructions);
		layout_string_free(again);
		layout_string_free(text);
		layout_tiling_target_free(read);
	}
	layout_context_free(ctx);
}

static const struct {
	const char *text, *message;
	long position;
} wrong[] = {
#define GPU(fields) "#iree_gpu.target<arch = \"gfx1100\", wgp = <" fields ">>"
#define BEHIND(fields) ((long)sizeof("#iree_gpu.target<arch = \"gfx1100\", wgp = <" fields) - 1)
	{ GPU("subgroup_size_choices = [64]"), "operands of gfx1100 lie in waves of 32 lanes",
		BEHIND("subgroup_size_choices = ") },
	{ GPU("compute = 7"), "expected a name", BEHIND("compute = ") },
	{ GPU("compute = fp32|"), "expected a name", BEHIND("compute = fp32|") },
	{ GPU("max_workgroup_sizes = [1, 1, 1, 1]"), "", BEHIND("max_workgroup_sizes = [1, 1, 1, ") },
	{ GPU("max_workgroup_sizes = 1"), "expected `[`", BEHIND("max_workgroup_sizes = ") },
	{ GPU("max_thread_count_per_workgroup = [1]"), "expected", BEHIND("max_thread_count_per_workgroup = ") },
	{ GPU("scaled_mma = [<MFMA>]"), "expected `intrinsic`", BEHIND("scaled_mma = [<") },
	{ GPU("scaled_mma = [<intrinsic = MFMA_SCALE_F32_32x32x64_B32>]"), "gfx1100 has no",
		BEHIND("scaled_mma = [<intrinsic = ") },
	{ "#iree_gpu.target<arch = \"gfx942\", features = 7>", "expected a string", 45 },
};

static void test_wrong(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_tiling_target target = *layout_tiling_target_find(ctx, "gfx942");

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_null(layout_tiling_target_parse(ctx, wrong[i].text));
		if (!strstr(layout_context_message(ctx), wrong[i].message))
			fail_msg("%s: %s", wrong[i].text, layout_context_message(ctx));
		assert_int_equal(layout_context_position(ctx), wrong[i].position);
		layout_context_clear(ctx);
	}
	target.instructions = (const char *const[]){ "MFMA", NULL };
	assert_null(layout_tiling_target_str(ctx, &target));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
	assert_null(layout_tiling_target_str(ctx, NULL));
	layout_context_free(ctx);
}

/* A scaled product finds the instruction that an attribute has for it. */
static void test_scaled(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_operand *lhs = layout_operand_parse(ctx, "#iree_encoding.encoding<operand_index = "
		"0, op_type = scaled_matmul, element_types = [f4E2M1FN, f4E2M1FN, f8E8M0FNU, "
		"f8E8M0FNU, f32], user_indexing_maps = [affine_map<(m, n, k, b) -> (m, k, b)>, "
		"affine_map<(m, n, k, b) -> (n, k, b)>, affine_map<(m, n, k, b) -> (m, k)>, "
		"affine_map<(m, n, k, b) -> (n, k)>, affine_map<(m, n, k, b) -> (m, n)>]>");
	layout_tiling_target *target = layout_tiling_target_parse(ctx, rows[4].text);
	layout_resolution *resolution = layout_encoding_resolve(lhs, target,
		LAYOUT_RESOLVER_DATA_TILING);

	(void)state;
	assert_non_null(layout_resolution_mma(resolution));
	assert_string_equal(layout_resolution_mma(resolution)->instruction,
		"MFMA_SCALE_F32_32x32x64_B32");
	layout_resolution_free(resolution);
	layout_tiling_target_free(target);
	layout_operand_free(lhs);
	layout_context_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_library),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_scaled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
