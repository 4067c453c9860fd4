/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A family of targets is a folder: one that is made up, family/, works wherever targets
 * do by its two rows in the tables of families, and no file outside of the families'
 * folders names one. */
#include "family/toy.h"
#include "host/code/host.h"
#include "host/facts/chips.h"
#include "support/printed.h"

#include <ftw.h>
#include <layout/layout.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* In place of src/targets/, which stays in the archives. */
const struct chip_family *const chip_families[] = { &host_family, &toy_family, NULL };
const struct target_hooks *const target_families[] = { &host_target, &toy_target, NULL };

/* What an expression prints as, or its error. */
static const struct {
	const char *expression, *text;
} rows[] = {
	{ "mma<toy.mma, rhs, toy1>", "mma<toy.mma, rhs, toy1>" },
	{ "mma<toy.mma, rhs, toy1:wave16>", "mma<toy.mma, rhs, toy1>" },
	{ "mma<toy.mma, rhs, toybox>", "mma<toy.mma, rhs, toy1>" },
	{ "mma<toy.mma, rhs, gfx942>", "no matrix instructions of a target 'gfx942'; there "
		"are those of toy1" },
	{ "mma<toy.mmma, rhs>", "no matrix instruction 'toy.mmma'" },
	{ "simplify(mma<toy.mma, lhs>)", "{ [lane, element] -> [lane mod 8, "
		"element + 2*floor(lane/8)] : 0 <= lane <= 15 and 0 <= element <= 1 }" },
};

static void test_expressions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		expect_printed(rows[i].expression, rows[i].text);
}

/* Its rows: the target, the LDS, data tiling's. */
static void test_rows(void **state)
{
	layout_context *ctx = layout_context_new();
	const layout_target *target = layout_target_find(ctx, "toy1:wave16");
	const layout_lds *lds = layout_lds_find(ctx, "toy1");

	(void)state;
	assert_string_equal(target->processor, "toy-1");
	assert_ptr_equal(target, layout_target_at(1));
	assert_null(layout_target_at(2));
	assert_int_equal(layout_lds_banks(lds), 8);
	assert_ptr_equal(lds, layout_lds_at(0));
	assert_null(layout_lds_at(1));
	assert_int_equal(layout_tiling_target_find(ctx, "toybox")->processors, 12);
	assert_null(layout_target_find(ctx, "gfx942"));
	assert_string_equal(layout_context_message(ctx),
		"no target 'gfx942'; there are host, toy1");
	layout_context_free(ctx);
}

#define SIDE 128
#define ELEMENTS (SIDE * SIDE)

static void transpose(layout_context *ctx, const char *target, bool through_lds,
	const uint16_t *from, uint16_t *to, layout_sim_stats *stats)
{
	layout_remap *remap = layout_remap_parse(ctx,
		"remap(row_major[M, N] -> col_major[M, N], type = i16)");
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_size sizes[] = { { "M", SIDE }, { "N", SIDE } };
	layout_run run = LAYOUT_RUN_INIT;
	layout_kernel *kernel;

	options.through_lds = through_lds;
	kernel = layout_kernel_new(remap, target, &options);
	run.source = from;
	run.destination = to;
	run.source_bytes = run.destination_bytes = ELEMENTS * sizeof(*from);
	run.sizes = sizes;
	run.size_count = 2;
	run.stats = stats;
	if (!kernel || !layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s: %s", target, layout_context_message(ctx));
	layout_kernel_free(kernel);
	layout_remap_free(remap);
}

/* A kernel for it, run in the simulator, moves what the host's does; through the LDS
 * without conflicts in its banks. */
static void test_kernel(void **state)
{
	static uint16_t from[ELEMENTS], to[ELEMENTS], expected[ELEMENTS];
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < ELEMENTS; i++)
		from[i] = (uint16_t)i;
	transpose(ctx, "host", false, from, expected, NULL);
	for (unsigned lds = 0; lds < 2; lds++) {
		layout_sim_stats stats;

		memset(to, 0, sizeof(to));
		transpose(ctx, "toy1", lds, from, to, &stats);
		assert_memory_equal(to, expected, sizeof(to));
		assert_int_equal(stats.barriers != 0, lds);
		assert_int_equal(stats.lds_load.extra_cycles, 0);
	}
	layout_context_free(ctx);
}

/* Its tiles are those that its instruction wants. */
static void test_tiling(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_operand *operand = layout_operand_parse(ctx, "encoding<operand_index = 0, "
		"op_type = matmul, element_types = [f16, f16, f32], "
		"user_indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
		"affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], "
		"iteration_sizes = [64, 64, 64]>");
	layout_resolution *resolution = layout_encoding_resolve(operand,
		layout_tiling_target_find(ctx, "toy1"), LAYOUT_RESOLVER_DATA_TILING);

	(void)state;
	if (!resolution)
		fail_msg("%s", layout_context_message(ctx));
	assert_string_equal(layout_resolution_mma(resolution)->instruction,
		"TOY_F32_8x8x4_F16");
	assert_int_equal(layout_resolution_agrees(resolution, NULL), LAYOUT_YES);
	layout_resolution_free(resolution);
	layout_operand_free(operand);
	layout_context_free(ctx);
}

/* The chips and address spaces that files outside of the families' folders name. */
static const char *const folders[] = { "/amdgpu/", "/host/", "/nvptx/",
	"/targets/" };
static regex_t names;
static struct layout_buffer listed;

static void list_line(const char *path, unsigned number, const char *line)
{
	if (!regexec(&names, line, 0, NULL, 0))
		layout_buffer_printf(&listed, "%s:%u: %s", path, number, line);
}

static int list_naming(const char *path, const struct stat *status, int kind,
	struct FTW *place)
{
	const char *inside = path + strlen(SOURCE_DIR "/src");
	FILE *file = kind == FTW_F ? fopen(path, "r") : NULL;
	char line[4096];

	(void)status, (void)place;
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (file && !strncmp(inside, folders[i], strlen(folders[i])))
			goto done;
	for (unsigned i = 1; file && fgets(line, sizeof(line), file); i++)
		list_line(inside + 1, i, line);
done:
	if (file)
		fclose(file);
	return 0;
}

static void test_files(void **state)
{
	layout_context *ctx = layout_context_new();
	char *text;

	(void)state;
	assert_int_equal(regcomp(&names, "amdgcn|amdgpu|gfx[0-9]|\"gfx|mi[0-9]{3}x?"
		"|nvptx|nvvm|sm_[0-9]"
		"|addrspace\\([1-9]|PointerTypeInContext\\([^,]*, *[1-9]"
		"|AddressSpace[a-zA-Z0-9() ]*== *[1-9]|space == [1-9]"
		"|address space [0-9]|SPACE [1-9]", REG_EXTENDED | REG_ICASE | REG_NOSUB), 0);
	assert_int_equal(nftw(SOURCE_DIR "/src", list_naming, 16, FTW_PHYS), 0);
	regfree(&names);
	text = layout_buffer_take(ctx, &listed);
	assert_string_equal(text, "");
	free(text);
	layout_context_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_tiling),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
