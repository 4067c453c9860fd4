// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The algebra, a kernel for the host and the assertions, from C++17.
#include <layout/cmocka.h>
#include <layout/codegen.h>
#include <layout/layout.h>

#include <cstdio>
#include <vector>

static const char remap_text[] = "remap(row_major[M, K] -> col_major[M, K], type = f32)";

static void assertions(void **)
{
	layout_context *ctx = layout_context_new();
	layout_value *value = layout_value_parse(ctx, "(8,4):(4,1)");
	layout_set *set = layout_set_read(ctx, "{ [i] : 0 <= i < 32 }");

	assert_layout_injective("(4,8):(8,1)");
	assert_layout_bijective(value);
	assert_layouts_equal(value, "((2,4),4):((4,8),1)");
	assert_layout_covers(value, set);
	layout_set_free(set);
	layout_value_free(value);
	assert_true(layout_context_free(ctx));
}

static void run(void **)
{
	const layout_size sizes[] = { { "M", 2 }, { "K", 3 } };
	std::vector<float> from = { 1, 2, 3, 4, 5, 6 }, to(6);
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx, remap_text);
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_nested_desc desc = LAYOUT_NESTED_DESC_INIT;
	layout_show_options show = LAYOUT_SHOW_OPTIONS_INIT;
	layout_launch launch = LAYOUT_LAUNCH_INIT;
	layout_kernel *kernel;
	layout_run run = LAYOUT_RUN_INIT;

	assert_int_equal(desc.subgroup_size, 64);
	assert_int_equal(show.banks, 32);
	options.base_align = 4;
	kernel = layout_kernel_new(remap, "host", &options);
	run.source = from.data();
	run.source_bytes = from.size() * sizeof(float);
	run.destination = to.data();
	run.destination_bytes = to.size() * sizeof(float);
	run.sizes = sizes;
	run.size_count = 2;
	assert_true(layout_kernel_run(ctx, kernel, &run));
	assert_true(layout_kernel_launch(ctx, kernel, sizes, 2, &launch));
	for (int i = 0; i < 6; i++)
		std::printf("%g ", to[i]);
	std::printf("\n");
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

int main()
{
	const CMUnitTest tests[] = {
		cmocka_unit_test(assertions),
		cmocka_unit_test(run),
	};

	return cmocka_run_group_tests(tests, nullptr, nullptr);
}
