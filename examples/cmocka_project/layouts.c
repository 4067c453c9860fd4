/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layouts that a kernel relies on, tested: each assertion is a proof, for all sizes
 * where sizes are names. */
#include <layout/cmocka.h>
#include <layout/layout.h>

/* No two lanes write one cell of the tile in LDS, and none is left out. */
static void test_tile(void **state)
{
	(void)state;
	assert_layout_bijective("Sw<3,3,3> o 0 o (8,64):(64,1)");
	assert_layout_injective("swizzled(row_major[M, 64], xor_shuffle<64, 8>)");
	assert_layout_covers("(8,64):(64,1)", "{ [offset] : 0 <= offset < 512 }");
}

/* The operand that the kernel loads by hand is the instruction's. */
static void test_operand(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_relation *ours = layout_relation_read(ctx,
		"{ [lane, element] -> [lane mod 16, 4*floor(lane/16) + element] :"
		" 0 <= lane < 64 and 0 <= element < 4 }");

	(void)state;
	assert_layouts_equal(ours, "mma<MFMA_F32_16x16x16_F16, lhs>");
	layout_relation_free(ours);
	layout_context_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tile),
		cmocka_unit_test(test_operand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
