/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relayout kernels in the simulator: the cases that have hand-written kernels to compare
 * with, at sizes around their tiles, against a reference that walks the index space. */
#include "support/relayout_cases.h"
#include "support/share.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Each case for one chip of each kind: of two whose instructions differ little, every other one. */
static void check_cases(unsigned flags, unsigned first)
{
	static const char *const targets[][2] = { { "gfx942", "gfx950" }, { "gfx1100", "gfx1200" },
		{ "sm_90", "sm_90" } };
	layout_context *ctx = layout_context_new();
	unsigned failures = 0;

	for (unsigned i = 0; i < RELAYOUT_CASES; i++)
		for (unsigned t = 0; t < COUNT(targets); t++) {
			struct relayout relayout = relayout_case(i, flags,
				targets[t][(first + i) % 2]);
			unsigned count;
			const int64_t (*n)[MODEL_RANK] = relayout_case_shapes(i, &count);

			if (share_has(first + i, t, COUNT(targets)))
				failures += relayout_check(ctx, &relayout, count, n);
		}
	assert_true(layout_context_free(ctx));
	assert_int_equal(failures, 0);
}

static void test_cases(void **state)
{
	(void)state;
	check_cases(0, 0);
}

static void test_inverse_cases(void **state)
{
	(void)state;
	check_cases(RELAYOUT_INVERSE, 1);
}

static void test_cases_through_lds(void **state)
{
	(void)state;
	check_cases(RELAYOUT_THROUGH_LDS, 2);
}

/* A matrix whose rows end inside a tile, its indices swizzled: the tile has cells that
 * the swizzle does not reach. */
static const struct {
	int64_t size, tile, row, access;
	unsigned parts;
	int64_t radices[3];	/* of a split of the tile */
	bool rotates;
	const char *type;
	bool of_cells;
} swizzled[] = {
	{ 16, 20, 16, 4, 0, { 0 }, false, "f32" },
	{ 16, 17, 16, 4, 0, { 0 }, false, "f64" },
	{ 16, 24, 16, 2, 0, { 0 }, false, "f16" },
	{ 32, 40, 32, 8, 0, { 0 }, false, "i8" },
	{ 64, 80, 64, 8, 0, { 0 }, false, "f16" },
	{ 64, 96, 64, 8, 0, { 0 }, false, "i4" },
	{ 8, 12, 8, 2, 0, { 0 }, false, "i8" },
	{ 16, 20, 16, 4, 2, { 5, 4 }, false, "f32" },
	{ 16, 24, 16, 4, 2, { 3, 8 }, false, "f32 -> f16" },
	{ 16, 20, 16, 4, 0, { 0 }, true, "f32" },
	{ 12, 20, 12, 3, 0, { 0 }, true, "i8" },
	{ 16, 32, 16, 4, 0, { 0 }, false, "f32" },
	{ 16, 16, 16, 1, 0, { 0 }, false, "i4" },	/* within bytes */
	{ 32, 32, 32, 2, 0, { 0 }, false, "u2" },
	{ 16, 16, 16, 1, 0, { 0 }, false, "i4", true },
	{ 32, 32, 32, 1, 0, { 0 }, false, "u2", true },
};

static struct relayout swizzled_relayout(size_t row, const char *target, bool inverse)
{
	struct storage_model plain = { .kind = MODEL_ROW, .rank = 2 };
	struct storage_model model = { .kind = MODEL_PACKED, .rank = 2, .outer = { 0, 1 },
		.tile = { 0, swizzled[row].tile }, .row = swizzled[row].row,
		.access = swizzled[row].access, .rotates = swizzled[row].rotates,
		.of_index = !swizzled[row].of_cells };
	struct relayout relayout = { .target = target, .pad = 0x3a3b3c3d3e3f4041,
		.element = relayout_element(swizzled[row].type), .size = { "A" } };

	if (swizzled[row].parts)
		storage_model_split(&model, 1, swizzled[row].parts,
			swizzled[row].radices);
	snprintf(relayout.size[1], sizeof(relayout.size[1]), "%" PRId64,
		swizzled[row].size);
	relayout.source = inverse ? model : plain;
	relayout.destination = inverse ? plain : model;
	return relayout;
}

static unsigned check_swizzled(size_t row, const char *target, bool inverse)
{
	const int64_t size = swizzled[row].size;
	const int64_t n[][MODEL_RANK] = { { 1, size }, { 2, size }, { 7, size },
		{ 130, size } };
	struct relayout relayout = swizzled_relayout(row, target, inverse);
	layout_context *ctx = layout_context_new();
	unsigned failures = relayout_check(ctx, &relayout, COUNT(n), n);

	return failures + !layout_context_free(ctx);
}

static void test_swizzled_short_rows(void **state)
{
	unsigned failures = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(swizzled); i++) {
		failures += check_swizzled(i, "host", false);
		failures += check_swizzled(i, "host", true);
		failures += check_swizzled(i, "gfx942", false);
		failures += check_swizzled(i, "gfx1100", i % 2);
	}
	assert_int_equal(failures, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_inverse_cases),
		cmocka_unit_test(test_cases_through_lds),
		cmocka_unit_test(test_swizzled_short_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
