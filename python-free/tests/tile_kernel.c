/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the code of tiles promises: it exists for every row of the targets, and whole
 * tiles move by accesses of 16 bytes alone. */
#include "support/share.h"
#include <layout/codegen.h>
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TRANSPOSE "remap(row_major[A, B] -> col_major[A, B], type = "
#define PACK "remap(row_major[A, B] -> packed(encoding_info<{innerDimsPos = [0, 1], " \
	"innerTileSizes = [16, 16], outerDimsPerm = [0, 1]}>, [A, B]), type = "
#define PLANES "packed(encoding_info<{innerDimsPos = [], innerTileSizes = [], " \
	"outerDimsPerm = [2, 0, 1]}>, [A, B, 3])"
#define TO_PLANES "remap(row_major[A, B, 3] -> " PLANES ", type = "
#define TO_PIXELS "remap(" PLANES " -> row_major[A, B, 3], type = "
#define SWAPPED "remap(row_major[A, B, 3] -> packed(encoding_info<{innerDimsPos = [], " \
	"innerTileSizes = [], outerDimsPerm = [1, 0, 2]}>, [A, B, 3]), type = "
#define COLUMNS(n) "remap(row_major[A, " #n "] -> col_major[A, " #n "], type = "
#define SWIZZLED "remap(row_major[A, 64] -> swizzled(row_major[A, 64], " \
	"xor_shuffle<64, 8>), type = "

static layout_kernel *make_kernel(layout_context *ctx, const char *text,
	const char *target, bool through_lds)
{
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_remap *remap = layout_remap_parse(ctx, text);
	layout_kernel *kernel;

	options.through_lds = through_lds;
	kernel = layout_kernel_new(remap, target, &options);
	layout_remap_free(remap);
	return kernel;
}

static const struct feature {
	const char *remap;
	bool through_lds;
} features[] = {
	{ TRANSPOSE "f32)", false },
	{ TRANSPOSE "f16)", false },
	{ TRANSPOSE "i8)", false },
	{ TRANSPOSE "i4)", false },
	{ TRANSPOSE "f64)", false },
	{ TRANSPOSE "f32)", true },
	{ TRANSPOSE "i8)", true },
	{ PACK "f32 -> f16, pad = 1)", false },
	{ PACK "f32 -> f8E4M3FN)", false },
	{ PACK "bf16 -> f32)", true },
	{ SWIZZLED "f16)", false },
};

static bool compile(const struct feature *feature, const char *target)
{
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = make_kernel(ctx, feature->remap, target,
		feature->through_lds);
	size_t length;
	layout_emit what = strncmp(target, "sm_", 3) ? LAYOUT_EMIT_OBJ : LAYOUT_EMIT_ASM;
	char *code = kernel ? layout_kernel_emit(ctx, kernel, what, NULL, 0, &length) : NULL;
	bool ok = code;

	if (!ok)
		fprintf(stderr, "%s\n", layout_context_message(ctx));
	layout_string_free(code);
	layout_kernel_free(kernel);
	return layout_context_free(ctx) && ok;
}

/* What a target has of the features, every other one, which are others for the next target; "at"
 * is the one being compiled. */
static bool compile_all(unsigned t, volatile unsigned *at)
{
	const char *target = share_target(t)->name;

	for (*at = 0; *at < COUNT(features); ++*at) {
		const struct feature *feature = &features[*at];

		if (feature->through_lds && !strcmp(target, "host"))
			continue;
		if ((t + *at) % 2 == 0 && share_has(t, *at, COUNT(features)) &&
		    !compile(feature, target))
			return false;
	}
	return true;
}

/* LLVM ends a process that it has no instruction for: a process a target. */
static void test_targets(void **state)
{
	volatile unsigned *at = mmap(NULL, sizeof(*at), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_true(at != MAP_FAILED);
	for (unsigned t = 0; share_target(t); t++) {
		int status = -1;
		pid_t child = fork();

		if (!child)
			_exit(!compile_all(t, at));
		if (child < 0 || waitpid(child, &status, 0) != child || status)
			fail_msg("%s%s for %s: status %d", features[*at].remap,
				features[*at].through_lds ? " through the LDS" : "",
				share_target(t)->name, status);
	}
	munmap((void *)at, sizeof(*at));
}

/* Sizes that are whole tiles, whichever these are, and the bytes of both sides. */
enum { WIDE = 512 };

static const struct wide {
	const char *remap, *target;
	size_t source, destination;
} wides[] = {
	{ TRANSPOSE "f32)", "gfx942", 4 * WIDE * WIDE, 4 * WIDE * WIDE },
	{ TRANSPOSE "f16)", "gfx950", 2 * WIDE * WIDE, 2 * WIDE * WIDE },
	{ TRANSPOSE "i8)", "gfx1100", WIDE * WIDE, WIDE * WIDE },
	{ PACK "f32)", "gfx1100", 4 * WIDE * WIDE, 4 * WIDE * WIDE },
	{ PACK "f16)", "gfx942", 2 * WIDE * WIDE, 2 * WIDE * WIDE },
	{ PACK "f32 -> f16)", "gfx942", 4 * WIDE * WIDE, 2 * WIDE * WIDE },
	{ SWIZZLED "f16)", "gfx90a", 2 * WIDE * 64, 2 * WIDE * 64 },
	{ TO_PLANES "f32)", "gfx942", 12 * WIDE * WIDE, 12 * WIDE * WIDE },
	{ TO_PLANES "f16)", "gfx1100", 6 * WIDE * WIDE, 6 * WIDE * WIDE },
	{ TO_PLANES "i8)", "gfx950", 3 * WIDE * WIDE, 3 * WIDE * WIDE },
	{ TO_PIXELS "f32)", "gfx1200", 12 * WIDE * WIDE, 12 * WIDE * WIDE },
	{ TO_PIXELS "f16)", "gfx942", 6 * WIDE * WIDE, 6 * WIDE * WIDE },
	{ TO_PIXELS "i8)", "gfx1100", 3 * WIDE * WIDE, 3 * WIDE * WIDE },
	{ SWAPPED "f32)", "gfx942", 12 * WIDE * WIDE, 12 * WIDE * WIDE },
	{ COLUMNS(5) "f32)", "gfx942", 20 * WIDE, 20 * WIDE },
	{ COLUMNS(5) "f16)", "gfx1100", 10 * WIDE, 10 * WIDE },
	{ COLUMNS(7) "f32)", "gfx950", 28 * WIDE, 28 * WIDE },
	{ COLUMNS(9) "f32)", "gfx942", 36 * WIDE, 36 * WIDE },
	{ TRANSPOSE "f16)", "sm_90", 2 * WIDE * WIDE, 2 * WIDE * WIDE },
	{ PACK "f32)", "sm_80", 4 * WIDE * WIDE, 4 * WIDE * WIDE },
	{ PACK "f32 -> f16)", "sm_90", 4 * WIDE * WIDE, 2 * WIDE * WIDE },
	{ SWIZZLED "f16)", "sm_90", 2 * WIDE * 64, 2 * WIDE * 64 },
	{ TO_PLANES "i8)", "sm_90", 3 * WIDE * WIDE, 3 * WIDE * WIDE },
	{ TO_PIXELS "f16)", "sm_90", 6 * WIDE * WIDE, 6 * WIDE * WIDE },
	{ SWAPPED "f32)", "sm_100", 12 * WIDE * WIDE, 12 * WIDE * WIDE },
};

/* Are the accesses of a side as wide as can be, or those of a wave whole segments?  Of an odd
 * number of elements next to each other, lanes have one each. */
static bool fills(const layout_sim_traffic *side, size_t bytes)
{
	return 16 * side->widths[5] == bytes || side->segments_64 == side->least_64;
}

static void check_wide(const struct wide *wide)
{
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = make_kernel(ctx, wide->remap, wide->target, false);
	const layout_size sizes[] = { { "A", WIDE }, { "B", WIDE } };
	layout_run run = LAYOUT_RUN_INIT;
	layout_sim_stats stats = { 0 };
	void *source = aligned_alloc(64, wide->source);
	void *destination = aligned_alloc(64, wide->destination);

	assert_true(kernel && source && destination);
	memset(source, 0, wide->source);
	run.source = source;
	run.source_bytes = wide->source;
	run.destination = destination;
	run.destination_bytes = wide->destination;
	run.sizes = sizes;
	run.size_count = strchr(wide->remap, 'B') ? 2 : 1;
	run.stats = &stats;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s: %s", wide->remap, layout_context_message(ctx));
	if (!fills(&stats.load, wide->source) || !fills(&stats.store, wide->destination))
		fail_msg("%s for %s: narrow accesses", wide->remap, wide->target);
	assert_int_equal(stats.load_bytes, wide->source);
	assert_int_equal(stats.store_bytes, wide->destination);
	assert_int_equal(stats.masked_lanes, 0);
	free(source);
	free(destination);
	layout_kernel_free(kernel);
	assert_true(layout_context_free(ctx));
}

static void test_wide(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(wides); i++)
		check_wide(&wides[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_wide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
