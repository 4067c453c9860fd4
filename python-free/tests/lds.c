/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The LDS: the rows, and the published conflicts. */
#include "algebra/lds/lds.h"
#include <layout/codegen.h>
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Every target with an LDS has a row, and they agree. */
static void test_rows(void **state)
{
	layout_context *ctx = layout_context_new();
	const layout_target *target;
	unsigned count = 0;

	(void)state;
	for (unsigned i = 0; (target = layout_target_at(i)); i++) {
		const layout_lds *lds;

		if (!target->lds_banks)
			continue;
		lds = layout_lds_find(ctx, target->name);
		assert_ptr_equal(lds, layout_lds_at(count++));
		assert_string_equal(layout_lds_name(lds), target->name);
		assert_int_equal(layout_lds_wave_size(lds), target->wave_size);
		assert_int_equal(layout_lds_bytes(lds), target->lds_bytes);
		assert_int_equal(layout_lds_banks(lds), target->lds_banks);
	}
	assert_null(layout_lds_at(count));
	assert_ptr_equal(layout_lds_find(ctx, "gfx942:wave64"),
		layout_lds_find(ctx, "gfx942"));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_null(layout_lds_find(ctx, "host"));
	assert_null(layout_lds_find(ctx, "gfx1100:wave64:wave64"));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
	assert_true(layout_context_free(ctx));
}

/* Every grouping cuts a wave into groups of one size, which hold no more words than
 * there are banks. */
static void check_grouping(const layout_lds *lds, const struct lds_grouping *grouping,
	unsigned words)
{
	unsigned sizes[LDS_LANES] = { 0 }, wave = layout_lds_wave_size(lds);

	for (unsigned lane = 0; lane < wave; lane++) {
		unsigned group = lds_group(grouping, lane);

		assert_true(group <= lane);
		assert_int_equal(lds_group(grouping, group), group);
		sizes[group]++;
	}
	for (unsigned lane = 0; lane < wave; lane++)
		assert_true(!sizes[lane] || sizes[lane] == sizes[0]);
	assert_true(sizes[0] * words <= layout_lds_banks(lds));
	assert_true(sizes[0] == wave || sizes[0] * words == layout_lds_banks(lds));
}

static void test_groupings(void **state)
{
	static const unsigned bits[] = { 8, 16, 32, 64, 96, 128 };
	static const unsigned words[] = { 1, 1, 1, 2, 4, 4 };
	const layout_lds *lds;

	(void)state;
	for (unsigned i = 0; (lds = layout_lds_at(i)); i++)
		for (unsigned k = 0; k < 2 * sizeof(bits) / sizeof(bits[0]); k++) {
			unsigned count = layout_lds_candidates(lds, bits[k / 2], k % 2);

			assert_true(count >= 1);
			if (layout_lds_known(lds, bits[k / 2], k % 2) !=
			    LAYOUT_LDS_ASSUMED)
				assert_int_equal(count, 1);
			for (unsigned c = 0; c < count; c++)
				check_grouping(lds, lds_known(lds, bits[k / 2],
					k % 2)->candidates[c], words[k / 2]);
		}
	assert_int_equal(layout_lds_candidates(layout_lds_at(0), 256, false), 0);
}

/* The vectors: lds.tsv */

static unsigned read_addresses(char *text, uint64_t *addresses)
{
	unsigned count = 0;
	char *number;

	while ((number = strsep(&text, ",")))
		addresses[count++] = strtoull(number, NULL, 10);
	return count;
}

/* id gfx dir width_bits phases pattern byte_addresses cycles_per_phase total extra */
static void check_row(layout_context *ctx, char *line)
{
	uint64_t addresses[LDS_LANES];
	layout_lds_access access = LAYOUT_LDS_ACCESS_INIT;
	layout_lds_cost cost, worst;
	const layout_lds *lds;
	char *columns[10];

	for (unsigned i = 0; i < 10; i++) {
		columns[i] = strsep(&line, "\t");
		assert_non_null(columns[i]);
	}
	lds = layout_lds_find(ctx, columns[1]);
	access.addresses = addresses;
	access.store = !strcmp(columns[2], "write");
	access.bits = (unsigned)atoi(columns[3]);
	assert_non_null(lds);
	assert_int_not_equal(layout_lds_known(lds, access.bits, access.store),
		LAYOUT_LDS_ASSUMED);
	assert_int_equal(read_addresses(columns[6], addresses), layout_lds_wave_size(lds));
	assert_true(layout_lds_cycles(ctx, lds, &access, &cost, &worst));
	if (cost.least != (unsigned)atoi(columns[4]) ||
	    cost.cycles != (unsigned)atoi(columns[8]) ||
	    cost.cycles - cost.least != (unsigned)atoi(columns[9]))
		fail_msg("%s: %u cycles, least %u", columns[0], cost.cycles, cost.least);
	assert_memory_equal(&cost, &worst, sizeof(cost));
}

static void test_vectors(void **state)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/lds.tsv", "r");
	layout_context *ctx = layout_context_new();
	size_t capacity = 0;
	char *line = NULL;
	unsigned rows = 0;

	(void)state;
	assert_non_null(file);
	while (getline(&line, &capacity, file) > 0)
		if (line[0] != '#') {
			check_row(ctx, line);
			rows++;
		}
	assert_int_equal(rows, 132);
	free(line);
	fclose(file);
	assert_true(layout_context_free(ctx));
}

/* Lanes that do not take part, words that are shared, and accesses that straddle. */
static void test_parts(void **state)
{
	layout_context *ctx = layout_context_new();
	const layout_lds *lds = layout_lds_find(ctx, "gfx942");
	layout_lds_access access = LAYOUT_LDS_ACCESS_INIT;
	uint64_t addresses[LDS_LANES];
	layout_lds_cost cost, worst;

	(void)state;
	for (unsigned i = 0; i < LDS_LANES; i++)
		addresses[i] = 128 * i;
	access.addresses = addresses;
	access.bits = 32;
	access.lanes = 0x700000000;
	assert_true(layout_lds_cycles(ctx, lds, &access, &cost, &worst));
	assert_int_equal(cost.cycles, 3);
	assert_int_equal(cost.least, 1);
	access.lanes = 0;
	assert_true(layout_lds_cycles(ctx, lds, &access, &cost, NULL));
	assert_int_equal(cost.cycles, 0);
	for (unsigned i = 0; i < LDS_LANES; i++)
		addresses[i] = 2 * i;
	access.lanes = UINT64_MAX;
	access.bits = 16;
	assert_true(layout_lds_cycles(ctx, lds, &access, NULL, &worst));
	assert_int_equal(worst.cycles, 2);
	addresses[0] = 127;
	access.lanes = 1;
	assert_true(layout_lds_cycles(ctx, lds, &access, &cost, &worst));
	assert_int_equal(cost.cycles, 1);
	access.bits = 48;
	assert_false(layout_lds_cycles(ctx, lds, &access, &cost, &worst));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	assert_true(layout_context_free(ctx));
}

/* gfx90a's grouping of 128 bits is assumed: groups in order are free of conflicts for
 * lanes in order, and in conflict under the other candidate for these. */
static void test_candidates(void **state)
{
	layout_context *ctx = layout_context_new();
	const layout_lds *lds = layout_lds_find(ctx, "gfx90a");
	layout_lds_access access = LAYOUT_LDS_ACCESS_INIT;
	uint64_t addresses[LDS_LANES];
	layout_lds_cost cost, worst;

	(void)state;
	for (unsigned i = 0; i < LDS_LANES; i++)
		addresses[i] = 16 * (i ^ (i & 16) >> 2);
	access.addresses = addresses;
	access.bits = 128;
	access.store = true;
	assert_true(layout_lds_cycles(ctx, lds, &access, &cost, &worst));
	assert_int_equal(cost.cycles, 8);
	assert_int_equal(cost.least, 8);
	assert_int_equal(worst.cycles, 16);
	assert_int_equal(worst.least, 8);
	assert_true(layout_context_free(ctx));
}

/* conflicts(..) in expressions: a number, or the error at a position. */
static const struct {
	const char *text;
	int64_t extra;
	layout_error kind;
	long position;
	const char *message;
} expressions[] = {
	{ .text = "conflicts({ [l] -> [512l] : 0 <= l < 64 }, target = gfx942)",
		.extra = 56 },
	{ .text = "conflicts({ [l] -> [512l] : 0 <= l < 32 }, target = gfx942)",
		.extra = 28 },
	{ .text = "conflicts({ [l] -> [16l] : 0 <= l < 64 }, target = gfx942)" },
	{ .text = "conflicts({ [l] -> [16l] : 0 <= l < 64 }, target = gfx950)" },
	{ .text = "conflicts((16,4):(128,16), target = gfx950, bits = 128)", .extra = 12 },
	{ .text = "conflicts(64:128, bits = 32, target = gfx1100:wave64)", .extra = 62 },
	{ .text = "conflicts({ [l, r] -> [128l + 4r] : 0 <= l < 32 and 0 <= r < 4 }, "
		"target = gfx1100, bits = 32)", .extra = 124 },
	{ .text = "conflicts(linear<{register = [[16], [32]], "
		"lane = [[64], [128], [256], [512], [1024]]}>, target = gfx1201)",
		.extra = 48 },
	{ .text = "conflicts({ [l] -> [16l] : 0 <= l < 64 }, target = gfx942, "
		"access = store)" },
	/* two of eight phases, of all lanes: four of eight lanes want the same banks */
	{ .text = "conflicts(compose(Sw<1,4,3>, { [l] -> [128l] : 0 <= l < 64 }), "
		"target = gfx942)", .extra = 24 },
	{ "conflicts(4:1)", 0, LAYOUT_ERROR_PARSE, 0, "expected `target =`" },
	{ "conflicts(4:1, target = gfx11)", 0, LAYOUT_ERROR_UNSUPPORTED, 24,
		"no target 'gfx11' with an LDS; there are gfx908," },
	{ "conflicts(4:1, target = 3)", 0, LAYOUT_ERROR_PARSE, 24,
		"expected a target for conflicts, found `3`" },
	{ "conflicts(4:1, target = gfx942, bits = 256)", 0, LAYOUT_ERROR_INVALID, 39,
		"not 256" },
	{ "conflicts(4:1, target = gfx942, access = both)", 0, LAYOUT_ERROR_INVALID, 41,
		"`load` or `store`, not `both`" },
	{ "conflicts({ [i] -> [i, i] : 0 <= i < 4 }, target = gfx942)", 0,
		LAYOUT_ERROR_SPACE, 10, "one coordinate, not 2" },
	{ "conflicts({ [] -> [0] }, target = gfx942)", 0, LAYOUT_ERROR_SPACE, 10,
		"there is no lane" },
	{ "conflicts({ [i] -> [j] : 0 <= i, j < 4 }, target = gfx942)", 0,
		LAYOUT_ERROR_INVALID, 10, "lane 0 has two addresses" },
	{ .text = "conflicts({ [l] -> [12l] : 0 <= l < 8 }, target = gfx942, bits = 96)" },
	{ "conflicts({ [l] -> [4l] : 0 <= l < 64 }, target = gfx942)", 0,
		LAYOUT_ERROR_INVALID, 10, "lane 1, byte 4: an access of 128 bits begins at "
		"a multiple of 16 bytes" },
	{ "conflicts({ [l] -> [16l + 8] : 0 <= l < 64 }, target = gfx950)", 0,
		LAYOUT_ERROR_INVALID, 10, "lane 0, byte 8: an access of 128 bits" },
	{ "conflicts({ [l] -> [4l + 2*floor(l/40)] : 0 <= l < 64 }, target = gfx1100, "
		"bits = 32)", 0, LAYOUT_ERROR_INVALID, 10, "lane 40, byte 162: " },
	{ "conflicts({ [l] -> [2l] : 0 <= l < 64 }, target = gfx942, bits = 96)", 0,
		LAYOUT_ERROR_INVALID, 10, "lane 1, byte 2: an access of 96 bits begins at a "
		"multiple of 4 bytes" },
	{ "conflicts({ [i] -> [-i] : 0 <= i < 4 }, target = gfx942)", 0,
		LAYOUT_ERROR_INVALID, 10, "lane 1, byte -1: outside the LDS" },
	{ "conflicts({ [i] -> [65530 + i] : 0 <= i < 4 }, target = gfx942, bits = 32)", 0,
		LAYOUT_ERROR_INVALID, 10, "byte 65533: outside the LDS" },
	{ "conflicts({ [i, r] -> [i] : 0 <= i < 64 and 0 <= r < 1000000 }, "
		"target = gfx942)", 0, LAYOUT_ERROR_QUOTA, 10, "more than 65536 accesses" },
	{ "conflicts({ [i] -> [i] }, target = gfx942)", 0, LAYOUT_ERROR_INVALID, 10,
		"no bound" },
	{ "conflicts([M] -> { [i] -> [i] : 0 <= i < M }, target = gfx942)", 0,
		LAYOUT_ERROR_INVALID, 10, "M has no value" },
};

static void test_expressions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value = layout_value_parse(ctx, expressions[i].text);
		int64_t extra = -1;

		if (layout_context_error(ctx) != expressions[i].kind)
			fail_msg("%s: %s", expressions[i].text,
				layout_context_message(ctx));
		if (value) {
			assert_true(layout_value_integer(value, &extra));
			assert_int_equal(extra, expressions[i].extra);
		} else {
			assert_int_equal(layout_context_position(ctx),
				expressions[i].position);
			assert_non_null(strstr(layout_context_message(ctx),
				expressions[i].message));
		}
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

/* The lane's number is any of the inputs: between two others, which are what tells the
 * accesses apart; and an error without a text has no position. */
static void test_inputs(void **state)
{
	layout_context *ctx = layout_context_new();
	const layout_lds *lds = layout_lds_find(ctx, "gfx942");
	layout_relation *between = layout_relation_read(ctx, "{ [a, l, b] -> "
		"[4*(l mod 16) + 128*floor(l/16) + 64a + 16384b] : "
		"0 <= a < 2 and 0 <= l < 64 and 0 <= b < 3 }");
	layout_relation *first = layout_relation_read(ctx, "{ [l, a, b] -> "
		"[4*(l mod 16) + 128*floor(l/16) + 64a + 16384b] : "
		"0 <= a < 2 and 0 <= l < 64 and 0 <= b < 3 }");
	layout_relation *before = layout_relation_read(ctx,
		"{ [l] -> [4l + 4] : -1 <= l < 64 }");
	layout_relation *many = layout_relation_read(ctx,
		"{ [l, r] -> [4l] : 0 <= l < 64 and 0 <= r < 1000000 }");
	int64_t extra = -1, other = -2;

	(void)state;
	assert_true(layout_lds_conflicts(first, 0, lds, 32, false, &extra));
	assert_true(layout_lds_conflicts(between, 1, lds, 32, false, &other));
	assert_int_equal(other, extra);
	assert_true(extra > 0);
	assert_false(layout_lds_conflicts(many, 0, lds, 32, false, &extra));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
	assert_int_equal(layout_context_position(ctx), -1);
	layout_context_clear(ctx);
	assert_false(layout_lds_conflicts(before, 0, lds, 32, false, &extra));
	assert_string_equal(layout_context_message(ctx), "there is no lane -1");
	assert_int_equal(layout_context_position(ctx), -1);
	layout_relation_free(before);
	layout_relation_free(between);
	layout_relation_free(first);
	layout_relation_free(many);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_groupings),
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_candidates),
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_inputs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
