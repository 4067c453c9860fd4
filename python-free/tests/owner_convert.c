/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions between owners: plans of random pairs, executed point by point on arrays,
 * by lanes and by the LDS; what some of them cost; and what is refused. */
#include "support/conversion_model.h"
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

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void check_plan(layout_context *ctx, const layout_conversion_plan *plan)
{
	bool lanes = conversion_model_lanes(plan), lds = conversion_model_lds(plan);

	if (!lanes || !lds)
		fail_msg("wrong %s, %u bits, %s:\n%s ->\n%s\n%s", lanes ? "LDS" : "lanes",
			plan->bits, plan->chip->target.name, owner_str(ctx, &plan->from),
			owner_str(ctx, &plan->to), plan->text);
}

/* How often each kind came up. */
static unsigned kinds[3];

static void check_pair(layout_context *ctx, const struct owner *from,
	const struct owner *to, unsigned bits, const struct chip *chip)
{
	layout_conversion_plan *plan = conversion_plan_new(ctx, from, to, bits, chip);

	if (!plan)
		fail_msg("%u bits: %s", bits, layout_context_message(ctx));
	kinds[plan->kind]++;
	check_plan(ctx, plan);
	layout_conversion_plan_free(plan);
}

static void test_random(void **state)
{
	static const char *const targets[] = { "gfx90a", "gfx942", "gfx950", "gfx1100",
		"gfx1100:wave64", "gfx1200", "gfx1250" };
	uint64_t seed = random_seed();

	(void)state;
	memset(kinds, 0, sizeof(kinds));
	for (unsigned i = 0; i < share_count(300); i++) {
		layout_context *ctx = layout_context_new();
		const struct chip *chip = chip_find(ctx, targets[random_below(&seed,
			COUNT(targets))]);
		int64_t rows = 4 << random_below(&seed, 4);
		int64_t columns = 4 << random_below(&seed, 4);
		unsigned lanes = chip->target.wave_size >> (random_below(&seed, 4) == 0);
		struct owner *from = random_owner(ctx, &seed, rows, columns, lanes);
		struct owner *to = random_owner(ctx, &seed, rows, columns,
			chip->target.wave_size);

		check_pair(ctx, from, to, 8u << random_below(&seed, 4), chip);
		check_pair(ctx, to, from, 8u << random_below(&seed, 4), chip);
		check_pair(ctx, to, to, 16, chip);
		owner_free(from);
		owner_free(to);
		assert_true(layout_context_free(ctx));
	}
	printf("%u renamed, %u by lanes, %u by the LDS\n", kinds[0], kinds[1], kinds[2]);
	assert_true(share_is_few() || (kinds[1] && kinds[2]));
}

/* Owners of one wave, whose conversions lanes can do. */
static struct owner *one_wave(layout_context *ctx, uint64_t *seed, int64_t rows,
	int64_t columns, unsigned lanes)
{
	struct owner *owner = random_owner(ctx, seed, rows, columns, lanes);

	while (owner->extent[OWNER_SUBGROUP] > 1) {
		owner_free(owner);
		owner = random_owner(ctx, seed, rows, columns, lanes);
	}
	return owner;
}

/* In three stages, which there are for all of these. */
static void test_stages(void **state)
{
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(300); i++) {
		layout_context *ctx = layout_context_new();
		static const char *const targets[] = { "gfx942", "gfx950", "gfx1100" };
		const struct chip *chip = chip_find(ctx, targets[i % COUNT(targets)]);
		unsigned lanes = chip->target.wave_size;
		struct owner *from = one_wave(ctx, &seed, 16, 32, lanes);
		struct owner *to = one_wave(ctx, &seed, 16, 32, lanes);
		layout_conversion_plan *plan = conversion_plan_new(ctx, from, to,
			8u << random_below(&seed, 4), chip);

		assert_non_null(plan);
		assert_non_null(plan->lanes.result);
		check_plan(ctx, plan);
		layout_conversion_plan_free(plan);
		owner_free(from);
		owner_free(to);
		assert_true(layout_context_free(ctx));
	}
}

/* Boxes of any size, by digits. */
static void test_radices(void **state)
{
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(200); i++) {
		static const unsigned orders[2][2] = { { 0, 1 }, { 1, 0 } };
		layout_context *ctx = layout_context_new();
		const struct chip *chip = chip_find(ctx, i % 2 ? "gfx942" : "gfx1100");
		int64_t box[] = { 1 + random_below(&seed, 24), 1 + random_below(&seed, 24) };
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

/* What plans there are for some pairs. */
static const struct row {
	const char *from, *to, *target;
	unsigned bits;
	layout_conversion_kind kind;
	unsigned exchanges, selects;
	bool barrier;
	unsigned lds_bytes;
} rows[] = {
	{ "{ [lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }",
		"{ [lane, reg] -> [lane, 3 - reg] : 0 <= lane < 64 and 0 <= reg < 4 }",
		"gfx942", 32, LAYOUT_CONVERT_RENAME, 0, 0, false },
	{ "{ [lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }",
		"{ [lane, reg] -> [63 - lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }",
		"gfx942", 16, LAYOUT_CONVERT_LANES, 2, 0, false },
	{ "{ [lane, reg] -> [lane, reg] : 0 <= lane < 32 and 0 <= reg < 2 }",
		"{ [lane, reg] -> [2*floor(lane/2) + reg, lane mod 2] : 0 <= lane < 32 and "
		"0 <= reg < 2 }", "gfx1100", 32, LAYOUT_CONVERT_LANES, 1, 3, false },
	{ "{ [lane, reg] -> [lane, reg] : 0 <= lane < 32 and 0 <= reg < 4 }",
		"{ [lane, reg] -> [4*floor(lane/4) + reg, lane mod 4] : 0 <= lane < 32 and "
		"0 <= reg < 4 }", "gfx1100", 32, LAYOUT_CONVERT_LANES, 3, 15, false },
	{ "{ [lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }",
		"{ [lane, a, b] -> [lane mod 16 + 16*a + 32*floor(lane/32), "
		"floor(lane/16) mod 2 + 2*b] : 0 <= lane < 64 and 0 <= a < 2 and 0 <= b < 2 }",
		"gfx950", 32, LAYOUT_CONVERT_LANES, 2, 0, false },
	{ "{ [lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }",
		"{ [lane, a, b] -> [lane mod 16 + 16*a + 32*b, floor(lane/16)] : "
		"0 <= lane < 64 and 0 <= a < 2 and 0 <= b < 2 }",
		"gfx950", 32, LAYOUT_CONVERT_LANES, 4, 0, false },
	{ "{ [subgroup, lane, reg] -> [64*subgroup + lane, reg] : 0 <= subgroup < 2 and "
		"0 <= lane < 64 and 0 <= reg < 4 }",
		"{ [subgroup, lane, reg] -> [64*(1 - subgroup) + lane, reg] : 0 <= "
		"subgroup < 2 and 0 <= lane < 64 and 0 <= reg < 4 }",
		"gfx950", 32, LAYOUT_CONVERT_LDS, 0, 0, true, 2048 },
	{ "{ [lane, reg] -> [lane, reg] : 0 <= lane < 24 and 0 <= reg < 4 }",
		"{ [lane, reg] -> [6*(lane mod 4) + floor(lane/4), 3 - reg] : 0 <= lane < 24 "
		"and 0 <= reg < 4 }", "gfx942", 32, LAYOUT_CONVERT_LANES, 4, 0, false },
	{ "{ [lane, reg] -> [lane, reg] : 0 <= lane < 9 and 0 <= reg < 3 }",
		"{ [lane, reg] -> [3*floor(lane/3) + reg, lane mod 3] : 0 <= lane < 9 and "
		"0 <= reg < 3 }", "gfx942", 32, LAYOUT_CONVERT_LDS, 0, 0, false, 256 },
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *from = layout_relation_read(ctx, rows[i].from);
		layout_relation *to = layout_relation_read(ctx, rows[i].to);
		layout_conversion_plan *plan = layout_owner_convert(from, to, rows[i].bits,
			rows[i].target);
		layout_conversion_cost cost = LAYOUT_CONVERSION_COST_INIT;
		char *text = layout_conversion_plan_str(plan);

		if (!plan)
			fail_msg("%s -> %s: %s", rows[i].from, rows[i].to,
				layout_context_message(ctx));
		assert_true(layout_conversion_plan_cost(plan, &cost));
		if (cost.kind != rows[i].kind || cost.exchanges != rows[i].exchanges ||
		    cost.selects != rows[i].selects || cost.barrier != rows[i].barrier ||
		    cost.lds_bytes != rows[i].lds_bytes)
			fail_msg("%s -> %s: %u exchanges, %u selects, %u bytes\n%s",
				rows[i].from, rows[i].to, cost.exchanges, cost.selects,
				cost.lds_bytes, text);
		if (cost.kind == LAYOUT_CONVERT_RENAME && strstr(text, "not LDS"))
			fail_msg("other ways where none is needed: %s", text);
		check_plan(ctx, plan);
		layout_string_free(text);
		layout_conversion_plan_free(plan);
		layout_relation_free(from);
		layout_relation_free(to);
		assert_true(layout_context_free(ctx));
	}
}

#define ACC "{ [lane, n, e] -> [n, 4*floor(lane/16) + e, lane mod 16] : 0 <= lane < 64 and " \
	"0 <= n < 4 and 0 <= e < 4 }"
#define LHS "{ [lane, n, e] -> [n, lane mod 16, 4*floor(lane/16) + e] : 0 <= lane < 64 and " \
	"0 <= n < 4 and 0 <= e < 4 }"

/* Halves that a lane puts next to each other are turned round where the chip loads them
 * so, without a conflict. */
static void test_turned(void **state)
{
	static const struct {
		const char *target;
		unsigned bits;
		bool turned;
	} chips[] = { { "gfx950", 16, true }, { "gfx950", 32, false },
		{ "gfx950", 8, false }, { "gfx942", 16, false } };

	(void)state;
	for (size_t i = 0; i < COUNT(chips); i++) {
		layout_context *ctx = layout_context_new();
		const struct chip *chip = chip_find(ctx, chips[i].target);
		struct owner *from = owner_of_text(ctx, ACC, NULL, 0, 64);
		struct owner *to = owner_of_text(ctx, LHS, NULL, 0, 64);
		layout_conversion_plan *plan = conversion_plan_new(ctx, from, to,
			chips[i].bits, chip);

		assert_non_null(plan);
		assert_int_equal(plan->lds.turned, chips[i].turned);
		check_plan(ctx, plan);
		if (plan->lds.turned) {
			assert_int_equal(plan->kind, LAYOUT_CONVERT_LDS);
			assert_int_equal(plan->lds.cost.lds, 16);
			assert_int_equal(plan->lds.bytes, 2048);
			assert_non_null(strstr(plan->text, "turned"));
		}
		layout_conversion_plan_free(plan);
		owner_free(from);
		owner_free(to);
		assert_true(layout_context_free(ctx));
	}
}

/* From anywhere, to there and to anywhere, until some are turned: few of them can be. */
static void test_turned_random(void **state)
{
	uint64_t seed = random_seed();
	unsigned turned = 0;

	(void)state;
	for (unsigned i = 0; i < share_count(60) || (turned < 2 && i < 5000); i++) {
		layout_context *ctx = layout_context_new();
		struct owner *from = random_owner(ctx, &seed, 16, 64, 64);
		struct owner *to = i % 2 ? random_owner(ctx, &seed, 16, 64, 64) :
			owner_of_text(ctx, "{ [lane, n, e] -> [lane mod 16, "
			"16*n + 4*floor(lane/16) + e] : 0 <= lane < 64 and 0 <= n < 4 and "
			"0 <= e < 4 }", NULL, 0, 64);
		layout_conversion_plan *plan = conversion_plan_new(ctx, from, to, 16,
			chip_find(ctx, "gfx950"));

		assert_non_null(plan);
		check_plan(ctx, plan);
		turned += plan->lds.turned;
		layout_conversion_plan_free(plan);
		owner_free(from);
		owner_free(to);
		assert_true(layout_context_free(ctx));
	}
	assert_true(turned >= 2);
}

#define LANES "{ [lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 4 }"

static const struct refusal {
	const char *from, *to, *target;
	unsigned bits;
	layout_error kind;
	const char *why;
} refusals[] = {
	{ LANES, LANES, "gfx1100", 32, LAYOUT_ERROR_INVALID, "needs 64 lanes, has 32" },
	{ LANES, LANES, "gfx6", 32, LAYOUT_ERROR_UNSUPPORTED, "no target 'gfx6'" },
	{ LANES, LANES, NULL, 32, LAYOUT_ERROR_UNSUPPORTED, "no target ''" },
	{ LANES, LANES, "gfx942", 12, LAYOUT_ERROR_UNSUPPORTED, "elements of 12 bits" },
	{ LANES, "{ [lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 3 }",
		"gfx942", 32, LAYOUT_ERROR_INVALID, "no lane holds (0, 3)" },
	{ LANES, "{ [lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg < 5 }",
		"gfx942", 32, LAYOUT_ERROR_INVALID, "outside of the box it holds (0, 4)" },
	{ LANES, "{ [lane] -> [lane] : 0 <= lane < 64 }", "gfx942", 32,
		LAYOUT_ERROR_INVALID, "it is of rank 1, the tile of rank 2" },
	{ "{ [subgroup, lane, reg] -> [64*subgroup + lane, reg] : 0 <= subgroup < 2 and "
		"0 <= lane < 64 and 0 <= reg < 256 }",
		"{ [subgroup, lane, reg] -> [64*(1 - subgroup) + lane, reg] : 0 <= "
		"subgroup < 2 and 0 <= lane < 64 and 0 <= reg < 256 }", "gfx942", 64,
		LAYOUT_ERROR_UNSUPPORTED, "needs 262144 bytes of the LDS, gfx942 has 65536" },
};

static void test_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refusals); i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *from = layout_relation_read(ctx, refusals[i].from);
		layout_relation *to = layout_relation_read(ctx, refusals[i].to);

		assert_null(layout_owner_convert(from, to, refusals[i].bits,
			refusals[i].target));
		if (layout_context_error(ctx) != refusals[i].kind ||
		    layout_context_position(ctx) != -1 ||
		    !strstr(layout_context_message(ctx), refusals[i].why))
			fail_msg("row %zu: %s", i, layout_context_message(ctx));
		layout_relation_free(from);
		layout_relation_free(to);
		assert_true(layout_context_free(ctx));
	}
}

/* Missing arguments, and owners of two contexts. */
static void test_misuse(void **state)
{
	layout_context *ctx = layout_context_new(), *other = layout_context_new();
	layout_relation *owner = layout_relation_read(ctx, LANES);
	layout_relation *foreign = layout_relation_read(other, LANES);
	layout_conversion_plan *plan = layout_owner_convert(owner, owner, 32, "gfx942");

	(void)state;
	assert_null(layout_owner_convert(NULL, owner, 32, "gfx942"));
	assert_null(layout_owner_convert(owner, NULL, 32, "gfx942"));
	assert_null(layout_conversion_plan_str(NULL));
	assert_false(layout_conversion_plan_cost(NULL, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_false(layout_conversion_plan_cost(plan, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	assert_null(layout_owner_convert(owner, foreign, 32, "gfx942"));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_conversion_plan_free(plan);
	layout_conversion_plan_free(NULL);
	layout_relation_free(owner);
	layout_relation_free(foreign);
	assert_true(layout_context_free(ctx));
	assert_true(layout_context_free(other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_radices),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_turned),
		cmocka_unit_test(test_turned_random),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_misuse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
