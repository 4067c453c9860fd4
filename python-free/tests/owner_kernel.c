/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels whose lanes and registers are given: the bytes in the simulator are those of
 * the host's kernel; and what cannot be an owner, with the reason. */
#include <layout/codegen.h>
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TRANSPOSE "remap(row_major[A, B] -> col_major[A, B], type = f32)"
#define PACK "remap(row_major[A, B] -> packed(encoding_info<{innerDimsPos = [0, 1], " \
	"innerTileSizes = [8, 4], outerDimsPerm = [0, 1]}>, [A, B]), type = f32)"
#define ROWS "{ hw[lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }"
#define COLUMNS "{ hw[lane, reg] -> [reg, lane] : 0 <= lane < 64 and 0 <= reg < 4 }"
#define SQUARES "{ hw[lane, reg] -> [8*(lane mod 8) + reg, floor(lane/8)] : " \
	"0 <= lane < 64 and 0 <= reg < 8 }"
#define LINEAR "linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], " \
	"[1, 0], [2, 0], [4, 0]]}>"
#define NESTED "nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], " \
	"outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [4, 4], " \
	"subgroup_strides = [0, 0], thread_strides = [8, 1]>"
#define OPERAND "mma<MFMA_F32_16x16x4_F32, lhs>"

/* Wave instructions that load and store the whole tiles of 64 x 64 elements. */
static const struct owner_row {
	const char *remap, *owner, *target;
	uint64_t loads, stores;
} rows[] = {
	{ TRANSPOSE, ROWS, "gfx942", 16, 64 },
	{ TRANSPOSE, COLUMNS, "gfx942", 64, 16 },
	{ TRANSPOSE, SQUARES, "gfx950", 64, 16 },
	{ TRANSPOSE, LINEAR, "gfx90a", 16, 64 },
	{ TRANSPOSE, NESTED, "gfx942", 16, 16 },
	{ TRANSPOSE, NESTED, "gfx1100", 32, 32 },
	{ TRANSPOSE, OPERAND, "gfx942", 64, 64 },
	{ TRANSPOSE, NESTED, "sm_90", 32, 32 },
	{ PACK, ROWS, "gfx1201", 32, 32 },
	{ PACK, ROWS, "sm_90", 32, 32 },
	{ PACK, NESTED, "gfx942", 16, 16 },
};

static layout_kernel *make_kernel(layout_context *ctx, const char *text,
	const char *target, const char *owner)
{
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_remap *remap = layout_remap_parse(ctx, text);
	layout_value *value = owner ? layout_value_parse(ctx, owner) : NULL;
	layout_kernel *kernel;

	options.owner = value ? layout_value_relation(value) : NULL;
	kernel = layout_kernel_new(remap, target, &options);
	layout_relation_free(options.owner);
	layout_value_free(value);
	layout_remap_free(remap);
	return kernel;
}

/* Source and destination are of SIDE x SIDE elements, more than any row's tile stores. */
enum { SIDE = 80, BYTES = 4 * SIDE * SIDE };

static void run_kernel(layout_context *ctx, const struct owner_row *row,
	const char *target, const int64_t n[2], const void *source, void *destination,
	layout_sim_stats *stats)
{
	const char *owner = strcmp(target, "host") ? row->owner : NULL;
	layout_kernel *kernel = make_kernel(ctx, row->remap, target, owner);
	const layout_size sizes[] = { { "A", n[0] }, { "B", n[1] } };
	layout_run run = LAYOUT_RUN_INIT;

	run.source = source;
	run.source_bytes = BYTES;
	run.destination = destination;
	run.destination_bytes = BYTES;
	run.sizes = sizes;
	run.size_count = COUNT(sizes);
	run.stats = stats;
	if (!kernel || !layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s for %s, %s: %s", row->remap, target, owner ? owner : "found",
			layout_context_message(ctx));
	layout_kernel_free(kernel);
}

static void check_row(const struct owner_row *row, const int64_t n[2])
{
	static _Alignas(64) unsigned char source[BYTES], found[BYTES], wanted[BYTES];
	layout_context *ctx = layout_context_new();
	layout_sim_stats stats = { 0 };

	for (size_t i = 0; i < BYTES; i++)
		source[i] = (unsigned char)(i * 2654435761u >> 13);
	memset(found, 1, BYTES);
	memset(wanted, 1, BYTES);
	run_kernel(ctx, row, row->target, n, source, found, &stats);
	run_kernel(ctx, row, "host", n, source, wanted, NULL);
	if (memcmp(found, wanted, BYTES))
		fail_msg("%s for %s, %s: other bytes than the host's", row->remap,
			row->target, row->owner ? row->owner : "found");
	if (n[0] == 64 && (stats.load.wave_accesses != row->loads ||
		stats.store.wave_accesses != row->stores))
		fail_msg("%s for %s, %s: %llu loads, %llu stores", row->remap,
			row->target, row->owner ? row->owner : "found",
			(unsigned long long)stats.load.wave_accesses,
			(unsigned long long)stats.store.wave_accesses);
	assert_true(layout_context_free(ctx));
}

static void test_rows(void **state)
{
	static const int64_t shapes[][2] = {
		{ 64, 64 }, { 65, 63 }, { 1, 1 }, { 7, 77 } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		for (size_t k = 0; k < COUNT(shapes); k++)
			check_row(&rows[i], shapes[k]);
}

static const struct refusal {
	const char *owner, *why;
} refusals[] = {
	{ "{ hw[lane, reg] -> [lane, 0] : 0 <= lane < 64 and 0 <= reg < 2 }",
		"lane 0, register 1 holds what register 0 holds" },
	{ "{ hw[lane, reg] -> [lane] : 0 <= lane < 64 and 0 <= reg < 2 }",
		"it is of rank 1, the tensor of rank 2" },
	{ "{ [5] }", "expected a relation" },
	{ "row_major[", "expected" },
};

static void test_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refusals); i++) {
		layout_context *ctx = layout_context_new();

		assert_null(make_kernel(ctx, TRANSPOSE, "gfx942", refusals[i].owner));
		if (!strstr(layout_context_message(ctx), refusals[i].why))
			fail_msg("%s: %s", refusals[i].owner,
				layout_context_message(ctx));
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
