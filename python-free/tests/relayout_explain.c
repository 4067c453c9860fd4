/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the explanation of a kernel claims of its accesses, against what the simulator
 * counts on whole tiles. */
#include "lower/kernel.h"
#include "support/relayout_cases.h"
#include "support/share.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct claim {
	unsigned bytes;
	int64_t accesses, touched, least;
};

struct claims {
	struct claim load, store;
	int64_t lanes, elements;	/* of a tile */
};

static void read_line(const char *line, struct claims *claims)
{
	static const char side[] = ": %u bytes a lane, %" SCNd64 " accesses, %" SCNd64
		" segments of 64 bytes for %" SCNd64 " needed";
	struct claim *claim = !strncmp(line, "load:", 5) ? &claims->load :
		!strncmp(line, "store:", 6) ? &claims->store : NULL;

	if (claim)
		assert_int_equal(sscanf(strchr(line, ':'), side, &claim->bytes,
			&claim->accesses, &claim->touched, &claim->least), 4);
	if (!strncmp(line, "dimension", 9)) {
		int64_t extent = 0;

		assert_int_equal(sscanf(strstr(line, "tiles of "), "tiles of %" SCNd64,
			&extent), 1);
		claims->elements *= extent;
	}
	sscanf(line, "tile: %" SCNd64 " lanes", &claims->lanes);
}

static struct claims read_claims(const char *text)
{
	struct claims claims = { .elements = 1 };

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		read_line(text, &claims);
	}
	return claims;
}

/* All accesses as wide as claimed, as many, and over as many segments. */
static void compare(const struct claim *claim, const layout_sim_traffic *traffic,
	uint64_t lane_accesses, uint64_t waves)
{
	static const unsigned bytes[] = { 1, 2, 4, 8, 12, 16 };

	for (unsigned i = 0; i < COUNT(bytes); i++)
		if (bytes[i] == claim->bytes)
			assert_int_equal(traffic->widths[i], lane_accesses);
	assert_int_equal(traffic->wave_accesses, waves * (uint64_t)claim->accesses);
	assert_int_equal(traffic->segments_64 * (uint64_t)claim->least,
		traffic->least_64 * (uint64_t)claim->touched);
}

/* What the launch takes. */
static struct plan *launched_plan(layout_context *ctx, const layout_kernel *kernel,
	const struct relayout *relayout, const int64_t *n)
{
	layout_launch launch = LAYOUT_LAUNCH_INIT;
	layout_size sizes[MODEL_RANK];
	unsigned count = 0;

	for (unsigned d = 0; d < relayout->source.rank; d++)
		if (relayout->size[d][0] >= 'A')
			sizes[count++] = (layout_size){ relayout->size[d], n[d] };
	assert_true(layout_kernel_launch(ctx, kernel, sizes, count, &launch));
	for (unsigned k = 0; k < kernel->shape_count; k++)
		if (!strcmp(kernel->shapes[k]->name, launch.kernel))
			return kernel->shapes[k]->plan;
	return NULL;
}

static void check_case(layout_context *ctx, unsigned i, unsigned flags,
	const char *target)
{
	struct relayout relayout = relayout_case(i, flags, target);
	layout_kernel *kernel = relayout_kernel(ctx, &relayout);
	const int64_t *n = relayout_case_full(i);
	uint64_t wave_size = layout_target_find(ctx, target)->wave_size;
	layout_sim_stats stats;
	struct claims claims;
	uint64_t waves;

	assert_non_null(kernel);
	claims = read_claims(plan_explanation(ctx, launched_plan(ctx, kernel, &relayout, n)));
	assert_int_not_equal(claims.lanes, 0);
	assert_true(relayout_run(ctx, &relayout, kernel, n, &stats));
	waves = ((uint64_t)claims.lanes + wave_size - 1) / wave_size *
		(uint64_t)(storage_model_elements(&relayout.destination, n) /
			claims.elements);
	compare(&claims.load, &stats.load, stats.loads, waves);
	compare(&claims.store, &stats.store, stats.stores, waves);
	layout_kernel_free(kernel);
}

static void test_claims(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx1100", "sm_90" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < RELAYOUT_CASES; i++)
		for (unsigned t = 0; t < COUNT(targets); t++) {
			if (!share_has(i, t, COUNT(targets)))
				continue;
			check_case(ctx, i, 0, targets[t]);
			check_case(ctx, i, RELAYOUT_INVERSE, targets[t]);
		}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_claims),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
