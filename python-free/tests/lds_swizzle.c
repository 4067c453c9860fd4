/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* XOR swizzles: every access of what the search finds is counted. */
#include "algebra/lds/swizzle.h"
#include "support/random.h"
#include "support/share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t offset_of(const struct lds_swizzle *swizzle, uint64_t element)
{
	uint64_t offset = 0;

	for (unsigned i = 0; i < swizzle->bits; i++)
		offset |= (uint64_t)__builtin_parityll(swizzle->rows[i] & element) << i;
	return offset;
}

static uint64_t sum_of(const uint64_t *vectors, unsigned count, uint64_t number)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < count; i++)
		if (number >> i & 1)
			sum ^= vectors[i];
	return sum;
}

/* Extra cycles of the access that begins with "element" in lane 0, under the grouping
 * that has the most. */
static unsigned count_access(const layout_lds *lds, unsigned element_bits,
	const struct swizzle_side *side, const struct lds_swizzle *swizzle, unsigned vector,
	uint64_t element)
{
	layout_lds_access access = LAYOUT_LDS_ACCESS_INIT;
	uint64_t addresses[LDS_LANES];
	const struct lds_known *known;
	unsigned extra = 0;

	access.bits = element_bits << vector;
	access.store = side->store;
	access.addresses = addresses;
	access.lanes = ((uint64_t)2 << ((1u << side->lane_count) - 1)) - 1;
	for (uint64_t lane = 0; lane >> side->lane_count == 0; lane++) {
		uint64_t offset = offset_of(swizzle, element ^
			sum_of(side->lanes, side->lane_count, lane));

		addresses[lane] = (offset >> vector << vector) * element_bits / 8;
	}
	known = lds_known(lds, access.bits, access.store);
	for (unsigned i = 0; i < LDS_CANDIDATES && known->candidates[i]; i++) {
		layout_lds_cost cost = lds_cost(lds, known->candidates[i], &access);

		if (cost.cycles - cost.least > extra)
			extra = cost.cycles - cost.least;
	}
	return extra;
}

/* Extra cycles of all accesses, one for each set of registers. */
static unsigned count_side(const layout_lds *lds, unsigned element_bits,
	const struct swizzle_side *side, const struct lds_swizzle *swizzle, unsigned vector)
{
	unsigned extra = 0;

	for (uint64_t i = 0; i >> side->register_count == 0; i++)
		extra += count_access(lds, element_bits, side, swizzle, vector,
			sum_of(side->registers, side->register_count, i));
	return extra;
}

/* Lanes hold the elements of a vector in the same order, and it begins with a multiple of
 * its length: what lanes and the elements of a vector are worth does not overlap. */
static void check_vector(const struct swizzle_side *side, const struct lds_swizzle *swizzle,
	unsigned vector)
{
	uint64_t mask = ((uint64_t)1 << vector) - 1, found = 1;

	for (unsigned i = 0; i < side->lane_count; i++)
		assert_int_equal(offset_of(swizzle, side->lanes[i]) & mask, 0);
	for (uint64_t i = 0; i >> side->register_count == 0; i++) {
		uint64_t offset = offset_of(swizzle,
			sum_of(side->registers, side->register_count, i));

		if (offset <= mask)
			found |= (uint64_t)1 << offset;
	}
	assert_int_equal(found, ((uint64_t)2 << mask) - 1);
}

/* Columns and rows are each other's inverses. */
static void check_inverse(const struct lds_swizzle *swizzle)
{
	for (unsigned i = 0; i < swizzle->bits; i++)
		assert_int_equal(offset_of(swizzle, swizzle->columns[i]), (uint64_t)1 << i);
}

static void check_swizzle(const layout_lds *lds, unsigned element_bits,
	const struct swizzle_side sides[2], const struct lds_swizzle *swizzle)
{
	check_inverse(swizzle);
	for (unsigned i = 0; i < 2; i++) {
		check_vector(&sides[i], swizzle, swizzle->vectors[i]);
		assert_int_equal(count_side(lds, element_bits, &sides[i], swizzle,
			swizzle->vectors[i]), 0);
	}
}

/* The vectors: triton.tsv */

struct bases {
	unsigned bits;
	unsigned register_count, lane_count, offset_count;
	uint64_t registers[SWIZZLE_BITS], lanes[SWIZZLE_BITS], offsets[SWIZZLE_BITS];
};

/* "0,1;0,2": vectors whose coordinates are bits from 0 and from "shift" on. */
static unsigned read_vectors(char *text, unsigned shift, uint64_t *vectors)
{
	unsigned count = 0;
	char *vector;

	while (text && *text && (vector = strsep(&text, ";"))) {
		char *second;
		uint64_t first = strtoull(vector, &second, 10);

		vectors[count++] = first | strtoull(second + 1, NULL, 10) << shift;
	}
	return count;
}

/* "register=0,1;0,2|lane=1,0|warp=|block=->dim0:64,dim1:128" */
static void read_bases(char *text, struct bases *bases)
{
	char *dims = strstr(text, "->"), *input;
	unsigned sizes[2];

	memset(bases, 0, sizeof(*bases));
	assert_non_null(dims);
	*dims = 0;
	assert_int_equal(sscanf(dims + 2, "dim0:%u,dim1:%u", &sizes[0], &sizes[1]), 2);
	bases->bits = (unsigned)__builtin_ctz(sizes[0] * sizes[1]);
	while ((input = strsep(&text, "|"))) {
		char *name = strsep(&input, "=");
		unsigned shift = (unsigned)__builtin_ctz(sizes[0]);

		if (!strcmp(name, "register"))
			bases->register_count = read_vectors(input, shift,
				bases->registers);
		if (!strcmp(name, "lane"))
			bases->lane_count = read_vectors(input, shift, bases->lanes);
		if (!strcmp(name, "offset"))
			bases->offset_count = read_vectors(input, shift,
				bases->offsets);
	}
}

static struct swizzle_side side_of(const struct bases *bases, bool store)
{
	struct swizzle_side side = { .store = store,
		.register_count = bases->register_count,
		.lane_count = bases->lane_count };

	memcpy(side.registers, bases->registers, sizeof(side.registers));
	memcpy(side.lanes, bases->lanes, sizeof(side.lanes));
	return side;
}

/* The LDS that a row's arguments describe: lanes in order, but for loads of 128 bits the
 * bits of the lane's number that are listed. */
struct described {
	layout_lds lds;
	struct lds_grouping in_order[LDS_WIDTHS], tile;
};

static void describe(struct described *described, unsigned banks, const char *tile,
	unsigned lane_count)
{
	layout_lds *lds = &described->lds;

	memset(described, 0, sizeof(*described));
	lds->banks = banks;
	lds->wave_size = 1u << lane_count;
	for (unsigned width = 0; width < LDS_WIDTHS; width++) {
		struct lds_grouping *grouping = &described->in_order[width];

		for (unsigned words = 1u << width; words < banks; words *= 2) {
			grouping->bases[grouping->count] = 1u << grouping->count;
			grouping->count++;
		}
		lds->loads[width].candidates[0] = grouping;
		lds->stores[width].candidates[0] = grouping;
	}
	while (*tile != ']' && *++tile != ']')
		described->tile.bases[described->tile.count++] =
			1u << strtoul(tile, (char **)&tile, 10);
	if (described->tile.count)
		lds->loads[LDS_128].candidates[0] = &described->tile;
}

/* The columns of a row: id source op A B args result */
struct row {
	char *id, *op, *a, *b, *args, *result;
};

static void for_each_row(const char *op, void (*check)(const struct row *row, void *user),
	void *user)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/triton.tsv", "r");
	size_t capacity = 0;
	char *line = NULL;

	assert_non_null(file);
	while (getline(&line, &capacity, file) > 0) {
		char *rest = line, *columns[7];

		for (unsigned i = 0; i < 7; i++)
			columns[i] = strsep(&rest, "\t");
		if (line[0] != '#' && !strcmp(columns[2], op))
			check(&(struct row){ columns[0], columns[2], columns[3],
				columns[4], columns[5], columns[6] }, user);
	}
	free(line);
	fclose(file);
}

static unsigned number_behind(const char *text, const char *key)
{
	const char *found = strstr(text, key);

	assert_non_null(found);
	return (unsigned)strtoul(found + strlen(key), NULL, 10);
}

/* What the swizzles of the file and ours cost by the measured groupings. */
struct tally {
	unsigned all, rows, theirs, ours;
};

/* The rows, from the columns. */
static void find_rows(struct lds_swizzle *swizzle)
{
	for (uint64_t offset = 1; offset >> swizzle->bits == 0; offset++) {
		uint64_t element = sum_of(swizzle->columns, swizzle->bits, offset);

		for (unsigned i = 0; i < swizzle->bits; i++)
			if (offset >> i & 1 && !(element & (element - 1)))
				swizzle->rows[i] |= element;
	}
}

/* "smem{vector=..|bank=..|segment=..|block=|reps=..->..}": offsets in that order. */
static void read_theirs(char *text, unsigned vector, struct lds_swizzle *swizzle)
{
	static const char *const parts[] = { "vector=", "bank=", "segment=", "reps=" };
	char *dims = strstr(text, "->");
	unsigned sizes[2];

	assert_int_equal(sscanf(dims, "->dim0:%u,dim1:%u", &sizes[0], &sizes[1]), 2);
	memset(swizzle, 0, sizeof(*swizzle));
	for (unsigned i = 0; i < 4; i++) {
		char *part = strstr(text, parts[i]) + strlen(parts[i]);
		char *copy = strndup(part, strcspn(part, "|-}"));

		swizzle->bits += read_vectors(copy, (unsigned)__builtin_ctz(sizes[0]),
			swizzle->columns + swizzle->bits);
		free(copy);
	}
	swizzle->vectors[0] = swizzle->vectors[1] = vector;
	find_rows(swizzle);
}

/* How many of the first offsets' elements a lane has in registers: a row may fill a word
 * with elements of other lanes and still call it a vector. */
static unsigned held(const struct swizzle_side *side, const struct lds_swizzle *swizzle,
	unsigned vector)
{
	unsigned count = 0;

	while (count < vector) {
		bool found = false;

		for (uint64_t i = 0; i >> side->register_count == 0; i++)
			found |= sum_of(side->registers, side->register_count, i) ==
				swizzle->columns[count];
		if (!found)
			return count;
		count++;
	}
	return count;
}

static void check_optimal(const struct row *row, void *user)
{
	unsigned element_bits = number_behind(row->args, "bitwidth=");
	unsigned banks = number_behind(row->args, "numBanks=");
	unsigned wanted = number_behind(row->result, "vecBits=");
	struct swizzle_side sides[2];
	struct described described;
	struct bases bases[2];
	struct lds_swizzle found, theirs;
	struct tally *tally = user;
	unsigned vector = (unsigned)__builtin_ctz(wanted / element_bits);

	read_bases(row->a, &bases[0]);
	read_bases(row->b, &bases[1]);
	sides[0] = side_of(&bases[0], true);
	sides[1] = side_of(&bases[1], false);
	read_theirs(row->result, vector, &theirs);
	for (unsigned i = 0; i < 2; i++)
		vector = held(&sides[i], &theirs, vector);
	describe(&described, banks, strchr(row->args, '['), bases[0].lane_count);
	if (!swizzle_find(&described.lds, element_bits, bases[0].bits, sides, &found))
		fail_msg("%s: no swizzle", row->id);
	check_swizzle(&described.lds, element_bits, sides, &found);
	if (found.vectors[0] < vector || found.vectors[1] < vector)
		fail_msg("%s: %u and %u elements, not %u", row->id,
			1u << found.vectors[0], 1u << found.vectors[1], 1u << vector);
	tally->all++;
	if (vector == (unsigned)__builtin_ctz(128 / element_bits) &&
	    sides[1].lane_count == 6) {
		const layout_lds *lds = layout_lds_at(banks == 32 ? 2 : 3);

		tally->rows++;
		tally->theirs += count_side(lds, element_bits, &sides[1], &theirs,
			vector) > 0;
		if (swizzle_find(lds, element_bits, bases[0].bits, sides, &found))
			check_swizzle(lds, element_bits, sides, &found);
		else
			tally->ours++;
	}
}

static void test_optimal(void **state)
{
	struct tally tally = { 0 };

	(void)state;
	for_each_row("optimalSwizzlingLdSt", check_optimal, &tally);
	assert_int_equal(tally.all, 136);
	print_message("of %u swizzles for 128 bits %u conflict as measured, of ours %u\n",
		tally.rows, tally.theirs, tally.ours);
}

/* Our count on the file's own tiles.  The file counts the extra cycles of a phase; lanes
 * that access less than a word it takes to differ in whole words, and counts too few. */
static void check_count(const struct row *row, void *user)
{
	unsigned element_bits = number_behind(row->args, "bitwidth=");
	unsigned banks = number_behind(row->args, "numBanks=");
	unsigned vector = (unsigned)__builtin_ctz(number_behind(row->result,
		"elemsPerVec="));
	struct bases registers, memory;
	struct described described;
	struct swizzle_side side;
	struct lds_swizzle swizzle = { 0 };
	unsigned extra, theirs, words = (element_bits << vector) / 32;

	read_bases(row->a, &registers);
	read_bases(row->b, &memory);
	side = side_of(&registers, false);
	describe(&described, banks, strchr(row->args, '['), registers.lane_count);
	swizzle.bits = memory.offset_count;
	memcpy(swizzle.columns, memory.offsets, sizeof(swizzle.columns));
	find_rows(&swizzle);
	extra = count_access(&described.lds, element_bits, &side, &swizzle, vector, 0);
	theirs = number_behind(row->result, "conflicts=") *
		(1u << registers.lane_count) * (words ? words : 1) / banks;
	if (words ? extra != theirs : extra < theirs)
		fail_msg("%s: %u extra cycles, not %u", row->id, extra, theirs);
	++*(unsigned *)user;
}

static void test_count(void **state)
{
	unsigned rows = 0;

	(void)state;
	for_each_row("bankConflictsMemDesc", check_count, &rows);
	assert_int_equal(rows, 278);
}

/* Transposes and other tiles of digits, random ones */

/* Take bits that are left for the numbers of registers or lanes. */
static void deal(uint64_t *random, unsigned *order, unsigned bits,
	struct swizzle_side *side, unsigned lanes)
{
	for (unsigned i = bits; i > 1; i--) {
		unsigned at = random_below(random, i), taken = order[i - 1];

		order[i - 1] = order[at];
		order[at] = taken;
	}
	side->lane_count = lanes;
	side->register_count = random_below(random, bits - lanes + 1);
	for (unsigned i = 0; i < lanes; i++)
		side->lanes[i] = (uint64_t)1 << order[i];
	for (unsigned i = 0; i < side->register_count; i++)
		side->registers[i] = (uint64_t)1 << order[lanes + i];
}

/* Whatever is found is free of conflicts under all groupings; where only two have to be
 * avoided there is always something to find. */
static void test_random(void **state)
{
	uint64_t random = random_seed();
	unsigned missed = 0;

	(void)state;
	for (unsigned i = 0; i < share_count(3000); i++) {
		const layout_lds *lds = layout_lds_at(random_below(&random, 11));
		unsigned lanes = lds->wave_size == 64 ? 6 : 5, order[SWIZZLE_BITS];
		unsigned bits = lanes + random_below(&random, 8);
		unsigned element_bits = 8u << random_below(&random, 4);
		struct swizzle_side sides[2] = { { .store = true } };
		struct lds_swizzle swizzle;

		for (unsigned side = 0; side < 2; side++) {
			for (unsigned k = 0; k < bits; k++)
				order[k] = k;
			deal(&random, order, bits, &sides[side], lanes);
		}
		if (swizzle_find(lds, element_bits, bits, sides, &swizzle))
			check_swizzle(lds, element_bits, sides, &swizzle);
		else if (layout_lds_known(lds, 128, false) == LAYOUT_LDS_ASSUMED)
			missed++;
		else
			fail_msg("tile %u: no swizzle for %s", i, lds->name);
	}
	print_message("%u tiles without a swizzle for all groupings\n", missed);
}

/* A side that holds more than both hold together keeps its wider vector: tiles of 512
 * elements of 16 bits. */
static void test_widths(void **state)
{
	static const struct {
		unsigned registers[2], vectors[2];
	} rows[] = {
		{ { 2, 3 }, { 2, 3 } },
		{ { 3, 2 }, { 3, 2 } },
		{ { 3, 3 }, { 3, 3 } },
	};
	layout_context *ctx = layout_context_new();
	const layout_lds *lds = layout_lds_find(ctx, "gfx942");

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct swizzle_side sides[2] = { { .store = true } };
		struct lds_swizzle swizzle;

		for (unsigned side = 0; side < 2; side++) {
			sides[side].register_count = rows[i].registers[side];
			sides[side].lane_count = 6;
			for (unsigned k = 0; k < sides[side].register_count; k++)
				sides[side].registers[k] = (uint64_t)1 << k;
			for (unsigned k = 0; k < 6; k++)
				sides[side].lanes[k] = (uint64_t)1 <<
					(rows[i].registers[side] + k);
		}
		assert_true(swizzle_find(lds, 16, 9, sides, &swizzle));
		check_swizzle(lds, 16, sides, &swizzle);
		for (unsigned side = 0; side < 2; side++)
			assert_int_equal(swizzle.vectors[side], rows[i].vectors[side]);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_optimal),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_widths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
