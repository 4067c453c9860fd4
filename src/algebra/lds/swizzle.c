/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/word_span.h"
#include "algebra/lds/swizzle.h"

#include <stdlib.h>
#include <string.h>

#define MAX_VECTOR_BITS 128
#define MAX_AVOIDED (2 * LDS_CANDIDATES)
#define MAX_STEPS 100000	/* of the search, before it gives up */

/* K as far as it is found, and what it must not meet: the spans of groups and vectors.
 * Its vectors have none of the "fixed" bits, those of the offset's low bits: else the
 * elements of a vector would change places from lane to lane. */
struct search {
	unsigned bits, wanted, count;
	uint64_t fixed;
	unsigned free_count, free_bits[SWIZZLE_BITS];
	uint64_t vectors[SWIZZLE_BITS];
	unsigned avoided_count;
	struct word_span avoided[MAX_AVOIDED];
	long steps;
};

/* The offsets' low bits, the first ones shared by the vectors of both sides. */
struct low {
	unsigned count;
	uint64_t vectors[SWIZZLE_BITS];
};

static unsigned log2_of(unsigned number)
{
	return 31 - (unsigned)__builtin_clz(number);
}

static int compare_vectors(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* A basis of what both sides' registers span, lowest first.  Zassenhaus, on pairs: side
 * 0's vectors twice, side 1's beside 0; what has nothing left in the first half is
 * common. */
static unsigned common_registers(const struct swizzle_side sides[2], uint64_t *common)
{
	struct word_span pairs = { 0 };
	unsigned count = 0;

	for (unsigned i = 0; i < sides[0].register_count; i++)
		word_span_add(&pairs, sides[0].registers[i] << SWIZZLE_BITS |
			sides[0].registers[i]);
	for (unsigned i = 0; i < sides[1].register_count; i++)
		word_span_add(&pairs, sides[1].registers[i] << SWIZZLE_BITS);
	for (unsigned i = 0; i < pairs.count; i++)
		if (!(pairs.basis[i] >> SWIZZLE_BITS))
			common[count++] = pairs.basis[i];
	qsort(common, count, sizeof(*common), compare_vectors);
	return count;
}

static void make_units(uint64_t *units, unsigned bits)
{
	for (unsigned i = 0; i < bits; i++)
		units[i] = (uint64_t)1 << i;
}

/* Add vectors that are not spanned yet, up to "count" altogether. */
static void low_extend(struct low *low, unsigned count, const uint64_t *vectors,
	unsigned vector_count)
{
	struct word_span span = { 0 };

	for (unsigned i = 0; i < low->count; i++)
		word_span_add(&span, low->vectors[i]);
	for (unsigned i = 0; i < vector_count && low->count < count; i++)
		if (word_span_add(&span, vectors[i]))
			low->vectors[low->count++] = vectors[i];
}

/* The vector of the wider side, and no less than a word. */
static void low_build(struct low *low, const struct swizzle_side sides[2],
	const unsigned vectors[2], unsigned word, unsigned bits)
{
	const struct swizzle_side *wide = &sides[vectors[1] > vectors[0]];
	unsigned narrow = vectors[0] < vectors[1] ? vectors[0] : vectors[1];
	uint64_t common[SWIZZLE_BITS], units[SWIZZLE_BITS];
	unsigned count = common_registers(sides, common);

	make_units(units, bits);
	low->count = 0;
	low_extend(low, narrow, common, count);
	low_extend(low, vectors[0] + vectors[1] - narrow, common, count);
	low_extend(low, vectors[0] + vectors[1] - narrow, wide->registers,
		wide->register_count);
	for (unsigned i = 0; i < 2; i++)
		low_extend(low, word, sides[i].lanes, sides[i].lane_count);
	low_extend(low, word, units, bits);
}

/* A bit for each of the vectors, without which the others are independent of them. */
static uint64_t low_pivots(const struct low *low)
{
	struct word_span span = { 0 };
	uint64_t pivots = 0;

	for (unsigned i = 0; i < low->count; i++)
		word_span_add(&span, low->vectors[i]);
	for (unsigned i = 0; i < span.count; i++)
		pivots |= (uint64_t)1 << (63 - __builtin_clzll(span.basis[i]));
	return pivots;
}

/* The vector that lanes whose numbers differ by "lanes" are apart. */
static uint64_t lane_vector(const struct swizzle_side *side, unsigned lanes)
{
	uint64_t vector = 0;

	for (unsigned i = 0; i < side->lane_count; i++)
		if (lanes >> i & 1)
			vector ^= side->lanes[i];
	return vector;
}

/* K must avoid a group's span with the side's vector, or with the word around that. */
static void avoid(struct search *search, const struct swizzle_side *side,
	const struct lds_grouping *grouping, const struct low *low, unsigned vector)
{
	struct word_span *span = &search->avoided[search->avoided_count++];

	span->count = 0;
	for (unsigned i = 0; i < vector && i < low->count; i++)
		word_span_add(span, low->vectors[i]);
	for (unsigned i = 0; i < grouping->count; i++)
		if (grouping->bases[i] >> side->lane_count == 0)
			word_span_add(span, lane_vector(side, grouping->bases[i]));
}

/* The next number with as many bits set, else the first with one more; 0 past the
 * last.  Those of few bits make swizzles that are computed fast. */
static uint64_t next_number(uint64_t number, unsigned bits)
{
	uint64_t lowest = number & -number, sum = number + lowest, next;
	unsigned set = (unsigned)__builtin_popcountll(number);

	next = sum | ((number ^ sum) / lowest) >> 2;
	if (next >> bits == 0)
		return next;
	return set < bits ? ((uint64_t)2 << set) - 1 : 0;
}

static bool is_lane(const struct swizzle_side *side, unsigned bit)
{
	for (unsigned i = 0; i < side->lane_count; i++)
		if (side->lanes[i] >> bit & 1)
			return true;
	return false;
}

/* The bits that are not fixed, those that are lanes on both sides first: their XOR is
 * computed once for all accesses of a lane. */
static void find_free_bits(struct search *search, const struct swizzle_side sides[2])
{
	for (int lanes = 2; lanes >= 0; lanes--)
		for (unsigned bit = 0; bit < search->bits; bit++)
			if (!(search->fixed >> bit & 1) &&
			    is_lane(&sides[0], bit) + is_lane(&sides[1], bit) == lanes)
				search->free_bits[search->free_count++] = bit;
}

/* The bits of "number" among those that are free.  Alone, the last come first. */
static uint64_t place(const struct search *search, uint64_t number)
{
	uint64_t vector = 0;
	bool alone = !(number & (number - 1));

	for (unsigned i = 0; i < search->free_count; i++)
		if (number >> i & 1)
			vector |= (uint64_t)1 << search->free_bits[alone ?
				search->free_count - 1 - i : i];
	return vector;
}

/* Is there room for K beside each of the spans? */
static bool has_room(const struct search *search)
{
	for (unsigned i = 0; i < search->avoided_count; i++) {
		const struct word_span *span = &search->avoided[i];
		struct word_span part = { 0 };

		for (unsigned k = 0; k < span->count; k++)
			word_span_add(&part, span->basis[k] & search->fixed);
		if (span->count - part.count + search->wanted > search->free_count)
			return false;
	}
	return true;
}

/* Take "vector" into K unless that would meet what is avoided. */
static bool extend(struct search *search, uint64_t vector)
{
	for (unsigned i = 0; i < search->avoided_count; i++)
		if (!word_span_reduce(&search->avoided[i], vector))
			return false;
	for (unsigned i = 0; i < search->avoided_count; i++)
		word_span_add(&search->avoided[i], vector);
	search->vectors[search->count++] = vector;
	return true;
}

/* Complete K with vectors from the "number"-th on.  What was refused once is refused in
 * a larger K, so two things to avoid are always avoided by the first choices. */
static bool search_from(struct search *search, uint64_t number)
{
	struct word_span before[MAX_AVOIDED];

	if (search->count == search->wanted)
		return true;
	memcpy(before, search->avoided, sizeof(before));
	for (; number && search->steps > 0; number = next_number(number,
	     search->free_count)) {
		search->steps--;
		if (!extend(search, place(search, number)))
			continue;
		if (search_from(search, next_number(number, search->free_count)))
			return true;
		memcpy(search->avoided, before, sizeof(before));
		search->count--;
	}
	return false;
}

/* The offsets of the elements, from the elements at the offsets. */
static void invert(struct lds_swizzle *swizzle)
{
	struct word_span span = { 0 };

	for (unsigned i = 0; i < swizzle->bits; i++) {
		uint64_t offset = (uint64_t)1 << i;

		word_span_add_sum(&span, swizzle->columns[i], &offset);
	}
	memset(swizzle->rows, 0, sizeof(swizzle->rows));
	for (unsigned bit = 0; bit < swizzle->bits; bit++) {
		uint64_t offset = 0;

		word_span_solve(&span, (uint64_t)1 << bit, &offset);
		for (unsigned i = 0; i < swizzle->bits; i++)
			swizzle->rows[i] |= (offset >> i & 1) << bit;
	}
}

/* Offsets from the lowest bits up: "low", what completes a line of the banks, K. */
static void build(const struct search *search, const struct low *low,
	struct lds_swizzle *swizzle)
{
	uint64_t units[SWIZZLE_BITS];
	struct low line = *low;

	make_units(units, search->bits);
	memcpy(line.vectors + line.count, search->vectors,
		search->count * sizeof(*line.vectors));
	line.count += search->count;
	low_extend(&line, search->bits, units, search->bits);
	swizzle->bits = search->bits;
	memcpy(swizzle->columns, low->vectors, low->count * sizeof(*low->vectors));
	memcpy(swizzle->columns + low->count, line.vectors + low->count + search->count,
		(line.count - low->count - search->count) * sizeof(*low->vectors));
	memcpy(swizzle->columns + search->bits - search->count, search->vectors,
		search->count * sizeof(*low->vectors));
	invert(swizzle);
}

/* A swizzle for accesses of so many elements, as logarithms. */
static bool find_for(const layout_lds *lds, unsigned element_bits, unsigned bits,
	const struct swizzle_side sides[2], const unsigned vectors[2],
	struct lds_swizzle *swizzle)
{
	unsigned word = element_bits < 8 * LDS_WORD ?
		log2_of(8 * LDS_WORD / element_bits) : 0;
	unsigned line = log2_of(lds->banks * 8 * LDS_WORD / element_bits);
	struct search search = { .bits = bits, .steps = MAX_STEPS };
	struct low low;

	search.wanted = bits > line ? bits - line : 0;
	low_build(&low, sides, vectors, word < bits ? word : bits, bits);
	search.fixed = low_pivots(&low);
	find_free_bits(&search, sides);
	for (unsigned side = 0; side < 2; side++) {
		const struct lds_known *known = lds_known(lds,
			element_bits << vectors[side], sides[side].store);
		unsigned vector = vectors[side] > word ? vectors[side] : word;

		for (unsigned i = 0; i < LDS_CANDIDATES && known->candidates[i]; i++)
			avoid(&search, &sides[side], known->candidates[i], &low, vector);
	}
	if (!has_room(&search) || !search_from(&search, 1))
		return false;
	build(&search, &low, swizzle);
	memcpy(swizzle->vectors, vectors, sizeof(swizzle->vectors));
	swizzle_order(swizzle, sides, low.count, line);
	return true;
}

/* The logarithm of the widest access of a side that has all registers of "span". */
static unsigned widest(unsigned element_bits, unsigned registers)
{
	unsigned most = log2_of(MAX_VECTOR_BITS / element_bits);

	return registers < most ? registers : most;
}

static unsigned rank_of(const uint64_t *vectors, unsigned count)
{
	struct word_span span = { 0 };

	for (unsigned i = 0; i < count; i++)
		word_span_add(&span, vectors[i]);
	return span.count;
}

/* The logarithm of the narrowest access: one of a byte. */
static unsigned narrowest(unsigned element_bits)
{
	return element_bits < 8 ? log2_of(8 / element_bits) : 0;
}

/* Accesses for each element of both sides together, as 2^-7 of one. */
static unsigned accesses(unsigned a, unsigned b)
{
	return (128u >> a) + (128u >> b);
}

/* Widths in the order of the accesses that they take: one side's vector is in both
 * sides' registers, the other's extends it. */
bool swizzle_find(const layout_lds *lds, unsigned element_bits, unsigned bits,
	const struct swizzle_side sides[2], struct lds_swizzle *swizzle)
{
	uint64_t common[SWIZZLE_BITS];
	unsigned shared = widest(element_bits, common_registers(sides, common));
	unsigned least = narrowest(element_bits), most[2];

	for (unsigned i = 0; i < 2; i++)
		most[i] = widest(element_bits, rank_of(sides[i].registers,
			sides[i].register_count));
	for (unsigned cost = 2; cost <= accesses(0, 0); cost++)
		for (unsigned a = least; a <= most[0]; a++)
			for (unsigned b = least; b <= most[1]; b++) {
				unsigned vectors[2] = { a, b };

				if (accesses(a, b) != cost || (a > shared && b > shared))
					continue;
				if (find_for(lds, element_bits, bits, sides, vectors,
						swizzle))
					return true;
			}
	return false;
}
