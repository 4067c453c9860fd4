/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relayouts that have kernels written by hand, and rotated rows: what ours execute for an element, and the
 * lines that they touch.  With numbers for sizes, which tiles divide, a kernel's code is
 * what a whole tile executes. */
#include "support/program_data.h"
#include "support/share.h"

#include <layout/codegen.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

#define THREAD(n) "[\"CrossThread\", " #n "]"
#define TILED(rest) "packed(encoding_info<{innerDimsPos = [0, 1], " rest
#define PACKED(columns, rest, size) TILED("innerTileSizes = [128, " columns "], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[" THREAD(4) ", " THREAD(8) ", " \
	THREAD(4) "], [" rest "}}>, " size ")")
#define LHS_F32 PACKED("16", THREAD(4) ", " THREAD(4) "]], permutation = [1, 4, 0, 2, 3]", \
	"[1024, 1024]")
#define LHS_F16 PACKED("32", THREAD(2) ", " THREAD(4) ", " THREAD(4) "]], " \
	"permutation = [1, 4, 0, 2, 3, 5]", "[1024, 1024]")
#define ACC_F32 PACKED("128", THREAD(4) ", " THREAD(16) ", " THREAD(2) "]], " \
	"permutation = [3, 1, 5, 0, 4, 2]", "[1024, 1024]")
#define ROWS "row_major[1024, 1024]"
#define NCHW "row_major[2, 128, 32, 64]"
#define OUTER(inner, order) "packed(encoding_info<{" inner ", outerDimsPerm = " order \
	"}>, [2, 128, 32, 64])"

enum { TARGETS = 3 };

static const char *const targets[TARGETS] = { "gfx942", "gfx950", "gfx1100" };

/* "most": vector instructions for an element, in 1/1000 and by target.  "map": NULL for none. */
static const struct row {
	const char *source, *destination, *type;
	int64_t cells;
	unsigned bytes, most[TARGETS];
	const char *map;
} rows[] = {
	{ ROWS, LHS_F32, "f32", 1 << 20, 4, { 1250, 1250, 1250 } },
	{ ACC_F32, ROWS, "f32", 1 << 20, 4, { 1250, 1250, 1250 } },
	{ ROWS, "col_major[1024, 1024]", "f32", 1 << 20, 4, { 500, 500, 1250 } },
	{ ROWS, "col_major[1024, 1024]", "f16", 1 << 20, 2, { 609, 609, 1250 } },
	{ ROWS, "col_major[1024, 1024]", "i8", 1 << 20, 1, { 523, 523, 1250 } },
	{ NCHW, OUTER("innerDimsPos = [], innerTileSizes = []", "[0, 2, 3, 1]"), "f32",
		1 << 19, 4, { 500, 500, 1250 } },
	{ NCHW, OUTER("innerDimsPos = [], innerTileSizes = []", "[0, 2, 3, 1]"), "f16",
		1 << 19, 2, { 609, 609, 1250 } },
	{ NCHW, OUTER("innerDimsPos = [1], innerTileSizes = [16]", "[0, 1, 2, 3]"), "f32",
		1 << 19, 4, { 484, 484, 484 } },
	{ ROWS, LHS_F16, "f16", 1 << 20, 2, { 1250, 1250, 1250 } },
	{ "row_major[1024, 64]", "swizzled(row_major[1024, 64], xor_shuffle<64, 8>)", "f16",
		1 << 16, 2, { 62, 47, 62 } },
	{ "row_major[1024, 64]", "swizzled(row_major[1024, 64], rotate_rows<64, 8>)", "f16",
		1 << 16, 2, { 93, 93, 93 } },
	{ "swizzled(row_major[1024, 64], rotate_rows<64, 8>)", "row_major[1024, 64]", "f16",
		1 << 16, 2, { 93, 93, 93 } },
	{ ROWS, ROWS, "f32", 1 << 20, 4, { 563, 563, 563 }, "{ [i, j] -> [i, 1023 - j] }" },
};

static layout_kernel *kernel_of(layout_context *ctx, const struct row *row,
	const char *target)
{
	layout_remap *remap;
	layout_kernel *kernel;
	char text[1024];

	snprintf(text, sizeof(text), "remap(%s -> %s, type = %s%s%s)", row->source,
		row->destination, row->type, row->map ? ", map = " : "",
		row->map ? row->map : "");
	remap = layout_remap_parse(ctx, text);
	kernel = layout_kernel_new(remap, target, NULL);
	if (!kernel)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	layout_remap_free(remap);
	return kernel;
}

/* Lines of assembly that are vector instructions. */
static int64_t count_vector(const char *code)
{
	int64_t count = 0;

	for (const char *at = code; (at = strstr(at, "\tv_")); at++)
		count += at > code && at[-1] == '\n';
	return count;
}

static int64_t lanes_of(layout_context *ctx, layout_kernel *kernel)
{
	layout_launch launch = LAYOUT_LAUNCH_INIT;

	assert_true(layout_kernel_launch(ctx, kernel, NULL, 0, &launch));
	return launch.grid[0] * launch.grid[1] * launch.grid[2] *
		launch.workgroup_size[0] * launch.workgroup_size[1] *
		launch.workgroup_size[2];
}

static void check_instructions(layout_context *ctx, const struct row *row, unsigned target)
{
	layout_kernel *kernel = kernel_of(ctx, row, targets[target]);
	size_t length;
	char *code = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_ASM, NULL, 0, &length);
	int64_t found;

	assert_non_null(code);
	found = 1000 * count_vector(code) * lanes_of(ctx, kernel) / row->cells;
	if (getenv("LAYOUT_TEST_PRINT"))
		print_message("%s %s %lld\n", row->type, targets[target], (long long)found);
	if (found > row->most[target])
		fail_msg("%s to %s of %s for %s: %d vector instructions for 1000 elements, "
			"more than %u", row->source, row->destination, row->type,
			targets[target], (int)found, row->most[target]);
	layout_string_free(code);
	layout_kernel_free(kernel);
}

static void test_instructions(void **state)
{
	for (unsigned i = 0; i < COUNT(rows); i++)
		for (unsigned target = 0; target < TARGETS; target++)
			if (share_has(i, target, TARGETS))
				check_instructions(*state, &rows[i], target);
}

/* All accesses are of 16 bytes, and those of a wave touch no line that they need not. */
static void check_traffic(const struct row *row, const char *target,
	const layout_sim_traffic *traffic, const char *what)
{
	for (unsigned i = 0; i < 5; i++)
		if (traffic->widths[i])
			fail_msg("%s to %s of %s for %s: narrow %s", row->source,
				row->destination, row->type, target, what);
	if (!traffic->widths[5] || traffic->segments_64 != traffic->least_64)
		fail_msg("%s to %s of %s for %s: %d segments in %s, not %d", row->source,
			row->destination, row->type, target, (int)traffic->segments_64,
			what, (int)traffic->least_64);
}

static void check_lines(layout_context *ctx, const struct row *row, const char *target)
{
	layout_kernel *kernel = kernel_of(ctx, row, target);
	size_t bytes = (size_t)row->cells * row->bytes;
	void *from = aligned_alloc(4096, bytes), *to = aligned_alloc(4096, bytes);
	layout_sim_stats stats = { 0 };
	layout_run run = LAYOUT_RUN_INIT;

	assert_true(from && to);
	memset(from, 1, bytes);
	run.source = from;
	run.source_bytes = bytes;
	run.destination = to;
	run.destination_bytes = bytes;
	run.stats = &stats;
	run.workgroup_count = 2;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s", layout_context_message(ctx));
	check_traffic(row, target, &stats.load, "loads");
	check_traffic(row, target, &stats.store, "stores");
	assert_int_equal(stats.lds_load.extra_cycles + stats.lds_store.extra_cycles, 0);
	free(from);
	free(to);
	layout_kernel_free(kernel);
}

static void test_lines(void **state)
{
	for (unsigned i = 0; i < COUNT(rows); i++)
		for (unsigned target = 0; target < TARGETS; target++)
			if (share_has(i, target, TARGETS))
				check_lines(*state, &rows[i], targets[target]);
}

/* Sizes that a launch tells, with which dimensions share an axis of the grid. */
static const char *const launched[] = {
	"remap(chain(row_major[B, S, H, D], transpose([0, 2, 1, 3])) -> "
		"row_major[?, ?, ?, ?], type = f32)",
	"remap(row_major[A, B, C, D, E] -> col_major[A, B, C, D, E], type = f16)",
};

/* Does a vector instruction compare numbers of 64 bits? */
static bool compares_wide(const char *instruction)
{
	char name[32] = "";

	return sscanf(instruction, " %31s", name) == 1 && !strncmp(name, "v_cmp", 5) &&
		(strstr(name, "_u64") || strstr(name, "_i64"));
}

/* What a wave counts by is not compared by all of its lanes. */
static void check_wave_numbers(layout_context *ctx, const char *text, const char *target)
{
	layout_remap *remap = layout_remap_parse(ctx, text);
	layout_kernel *kernel = layout_kernel_new(remap, target, NULL);
	size_t length;
	char *code = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_ASM, NULL, 0, &length);

	assert_non_null(code);
	for (const char *at = code; (at = strchr(at, '\n')); at++)
		if (compares_wide(at + 1))
			fail_msg("%s for %s: %.*s", text, target, (int)strcspn(at + 1, "\n"),
				at + 1);
	layout_string_free(code);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
}

static void test_wave_numbers(void **state)
{
	for (unsigned i = 0; i < COUNT(launched); i++)
		for (unsigned target = 0; target < TARGETS; target++)
			check_wave_numbers(*state, launched[i], targets[target]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_wave_numbers,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_instructions,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_lines,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
