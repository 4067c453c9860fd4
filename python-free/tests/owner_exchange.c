/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions as code: random pairs of owners on every chip, by lanes and by the LDS, in
 * the simulator. */
#include "support/conversion_kernel.h"
#include "support/owners.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* With a subgroup more than there is something for, now and then. */
static void check_kernel(layout_context *ctx, const layout_conversion_plan *plan)
{
	unsigned more = plan->bits == 16;
	bool right = false;

	if (!conversion_kernel_run(ctx, plan, more, &right) || !right)
		fail_msg("%s, %u bits: %s\n%s ->\n%s\n%s", plan->chip->target.name,
			plan->bits, layout_context_message(ctx), owner_str(ctx,
			&plan->from), owner_str(ctx, &plan->to), plan->text);
}

/* Every way that the plan knows. */
static void check_pair(layout_context *ctx, const struct owner *from,
	const struct owner *to, unsigned bits, const struct chip *chip)
{
	layout_conversion_plan *plan = conversion_plan_new(ctx, from, to, bits, chip);

	assert_non_null(plan);
	check_kernel(ctx, plan);
	if (plan->kind == LAYOUT_CONVERT_LDS && plan->lanes.result) {
		plan->kind = LAYOUT_CONVERT_LANES;
		check_kernel(ctx, plan);
	} else if (plan->kind == LAYOUT_CONVERT_LANES && plan->lds.bytes) {
		plan->kind = LAYOUT_CONVERT_LDS;
		check_kernel(ctx, plan);
	}
	layout_conversion_plan_free(plan);
}

static const struct chip *random_chip(uint64_t *seed)
{
	const struct chip *chip;
	unsigned count = 0;

	while (share_target(count))
		count++;
	do
		chip = chip_of(share_target(random_below(seed, count)));
	while (!chip->lanes);
	return chip;
}

static void test_random(void **state)
{
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(60); i++) {
		layout_context *ctx = layout_context_new();
		const struct chip *chip = random_chip(&seed);
		unsigned wave = chip->target.wave_size;
		int64_t rows = 4 << random_below(&seed, 3);
		int64_t columns = 4 << random_below(&seed, 4);
		struct owner *from = random_owner(ctx, &seed, rows, columns,
			wave >> (random_below(&seed, 4) == 0));
		struct owner *to = random_owner(ctx, &seed, rows, columns, wave);

		check_pair(ctx, from, to, 8u << random_below(&seed, 4), chip);
		check_pair(ctx, to, from, 8u << random_below(&seed, 4), chip);
		owner_free(from);
		owner_free(to);
		assert_true(layout_context_free(ctx));
	}
}

/* Every XOR of lanes, with the instructions of every chip. */
static void test_lanes(void **state)
{
	const layout_target *target;

	(void)state;
	for (unsigned i = 0; (target = share_target(i)); i++)
		for (unsigned x = 1; chip_of(target)->lanes && x < target->wave_size; x++) {
			layout_context *ctx;
			const struct chip *chip = chip_of(target);
			unsigned wave = target->wave_size;
			struct owner from = { .rank = 1, .box = { wave },
				.extent = { 1, 1, 1 } }, to;

			if (!share_has(i, x, wave))
				continue;
			ctx = layout_context_new();
			for (unsigned bit = 0; 1u << bit < wave; bit++) {
				owner_add_digit(&from, OWNER_LANE, 2);
				owner_add_term(&from, 0, (uint64_t)1 << bit,
					(int64_t)1 << bit);
			}
			to = from;
			to.base[0] = x;
			for (unsigned bit = 0; 1u << bit < wave; bit++)
				to.terms[bit].weight *= x >> bit & 1 ? -1 : 1;
			check_pair(ctx, &from, &to, 32, chip);
			assert_true(layout_context_free(ctx));
		}
}

static void test_radices(void **state)
{
	static const unsigned orders[2][2] = { { 0, 1 }, { 1, 0 } };
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(40); i++) {
		layout_context *ctx = layout_context_new();
		const struct chip *chip = random_chip(&seed);
		int64_t box[] = { 1 + random_below(&seed, 12), 1 + random_below(&seed, 12) };
		unsigned lanes = chip->target.wave_size;
		struct owner *from = owner_blocked(ctx, box, 2,
			orders[random_below(&seed, 2)], 1 + random_below(&seed, 6),
			1 + random_below(&seed, lanes), 1 + random_below(&seed, 3));
		struct owner *to = owner_blocked(ctx, box, 2,
			orders[random_below(&seed, 2)], 1 + random_below(&seed, 6),
			1 + random_below(&seed, lanes), 1 + random_below(&seed, 3));

		check_pair(ctx, from, to, 8u << random_below(&seed, 4), chip);
		owner_free(from);
		owner_free(to);
		assert_true(layout_context_free(ctx));
	}
}

/* Halves that are turned round, of one subgroup and of two. */
static void test_turned(void **state)
{
	static const char *const froms[] = { "{ [lane, n, e] -> [4*floor(lane/16) + e, "
		"16*n + lane mod 16] : 0 <= lane < 64 and 0 <= n < 4 and 0 <= e < 4 }",
		"{ [subgroup, lane, n, e] -> [4*floor(lane/16) + e, 32*n + 16*subgroup + "
		"lane mod 16] : 0 <= subgroup < 2 and 0 <= lane < 64 and 0 <= n < 2 and "
		"0 <= e < 4 }" };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		layout_context *ctx = layout_context_new();
		struct owner *from = owner_of_text(ctx, froms[i], NULL, 0, 64);
		struct owner *to = owner_of_text(ctx, "{ [lane, n, e] -> [lane mod 16, "
			"16*n + 4*floor(lane/16) + e] : 0 <= lane < 64 and 0 <= n < 4 and "
			"0 <= e < 4 }", NULL, 0, 64);
		layout_conversion_plan *plan = conversion_plan_new(ctx, from, to, 16,
			chip_find(ctx, "gfx950"));

		assert_non_null(plan);
		assert_true(plan->kind == LAYOUT_CONVERT_LDS && plan->lds.turned);
		check_kernel(ctx, plan);
		layout_conversion_plan_free(plan);
		owner_free(from);
		owner_free(to);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_turned),
		cmocka_unit_test(test_radices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
