/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions through the LDS: where each element lies there.
 *
 * Over F2 an element is numbered by the bits of the point of FROM that puts it, and a
 * swizzle without bank conflicts is searched for.  Or it lies where it would in a box in
 * memory, with or without padding.  The cheapest of these wins.  Where each subgroup puts
 * all that it gets, it has a slice of its own. */
#include "algebra/owner/conversion.h"
#include "algebra/lds/swizzle.h"

#include <stdlib.h>
#include <string.h>

enum { ADDRESS_ISSUE = 4, WIDEST_BITS = 128, LDS_ALIGN = 16, MOST_SKIPPED = 4 };

/* The offsets are the elements' numbers in the box, with so many skipped behind each row. */
static void place_box(layout_conversion_plan *plan, int64_t skipped)
{
	struct owner *sides[] = { &plan->lds.put, &plan->lds.get };

	plan->lds.put = plan->from;
	plan->lds.get = plan->to;
	for (unsigned i = 0; i < 2; i++)
		if (sides[i]->rank) {
			sides[i]->box[sides[i]->rank - 1] += skipped;
			owner_collapse(sides[i], 0, sides[i]->rank);
		} else {
			owner_insert(sides[i], 0);
		}
	plan->lds.elements = plan->lds.put.box[0];
}

/* The number of an element, from the bits of the point that puts it; -1: of a bit that
 * says nothing. */
struct numbers {
	unsigned bits;
	int number[OWNER_PARTS][OWNER_BITS];
};

static bool is_guarded(const struct owner *owner, uint64_t guard, enum owner_part part,
	unsigned bit)
{
	for (; guard; guard &= guard - 1) {
		const struct owner_digit *digit = &owner->digits[__builtin_ctzll(guard)];

		if (digit->part == part && (int64_t)1 << bit >= digit->place &&
		    (int64_t)1 << bit < digit->place * digit->radix)
			return true;
	}
	return false;
}

static void number_bits(const layout_conversion_plan *plan, const struct owner_bits *from,
	struct numbers *numbers)
{
	numbers->bits = 0;
	for (unsigned part = OWNER_PARTS; part-- > 0;)
		for (unsigned i = 0; i < from->counts[part]; i++)
			numbers->number[part][i] = is_guarded(&plan->from,
				plan->lds.guard, part, i) || (plan->lds.slices &&
				part == OWNER_SUBGROUP) ? -1 : (int)numbers->bits++;
}

/* The pull's vector, of subgroup, lane and register, as an element's number. */
static uint64_t number_of(const struct numbers *numbers, const struct owner_bits *pull,
	uint64_t vector)
{
	uint64_t number = 0;

	for (unsigned part = 0, bit = 0; part < OWNER_PARTS; part++)
		for (unsigned i = 0; i < pull->widths[part]; i++, bit++)
			if (vector >> bit & 1 && numbers->number[part][i] >= 0)
				number |= (uint64_t)1 << numbers->number[part][i];
	return number;
}

/* The columns of both sides as numbers of elements. */
static void find_columns(const struct owner_bits *pull, const struct numbers *numbers,
	struct owner_bits sides[2])
{
	sides[1] = *pull;
	for (unsigned part = 0; part < OWNER_PARTS; part++) {
		for (unsigned i = 0; i < sides[0].counts[part]; i++)
			sides[0].columns[part][i] = numbers->number[part][i] < 0 ? 0 :
				(uint64_t)1 << numbers->number[part][i];
		for (unsigned i = 0; i < pull->counts[part]; i++)
			sides[1].columns[part][i] = number_of(numbers, pull,
				pull->columns[part][i]);
	}
	sides[0].constant = 0;
	sides[1].constant = number_of(numbers, pull, pull->constant);
}

/* What is loaded, from what registers are to hold.  False where the halves that a lane
 * loads would not be of four lanes. */
static bool turn(struct owner_bits *bits)
{
	uint64_t *lanes = bits->columns[OWNER_LANE];
	uint64_t *registers = bits->columns[OWNER_REGISTER];

	if (bits->counts[OWNER_LANE] < 4 || bits->counts[OWNER_REGISTER] < 2 ||
	    !lanes[0] || !lanes[1])
		return false;
	for (unsigned i = 0; i < 2; i++) {
		uint64_t loaded = lanes[i];

		lanes[i] = lanes[i + 2];
		lanes[i + 2] = registers[i];
		registers[i] = loaded;
	}
	return true;
}

static void fill_side(struct swizzle_side *side, const struct owner_bits *bits,
	bool store)
{
	*side = (struct swizzle_side){ .store = store };
	for (unsigned i = 0; i < bits->counts[OWNER_REGISTER]; i++)
		if (bits->columns[OWNER_REGISTER][i])
			side->registers[side->register_count++] =
				bits->columns[OWNER_REGISTER][i];
	side->lane_count = bits->counts[OWNER_LANE];
	for (unsigned i = 0; i < side->lane_count; i++)
		side->lanes[i] = bits->columns[OWNER_LANE][i];
}

/* The offset of an element's number. */
static uint64_t offset_of(const struct lds_swizzle *swizzle, uint64_t number)
{
	uint64_t offset = 0;

	for (unsigned i = 0; i < swizzle->bits; i++)
		offset |= (uint64_t)(__builtin_popcountll(swizzle->rows[i] & number) & 1)
			<< i;
	return offset;
}

static bool make_side(struct owner *side, const struct owner *of, struct owner_bits *bits,
	const struct lds_swizzle *swizzle)
{
	memset(bits->widths, 0, sizeof(bits->widths));
	bits->widths[0] = swizzle->bits;
	bits->constant = offset_of(swizzle, bits->constant);
	for (unsigned part = 0; part < OWNER_PARTS; part++)
		for (unsigned i = 0; i < bits->counts[part]; i++)
			bits->columns[part][i] = offset_of(swizzle,
				bits->columns[part][i]);
	*side = (struct owner){ .rank = 1, .box = { (int64_t)1 << swizzle->bits } };
	memcpy(side->extent, of->extent, sizeof(side->extent));
	return owner_of_bits(side, bits);
}

/* Vectors of the four elements that the first two bits of the register's number say, and
 * nothing else does? */
static bool is_turned(const struct lds_swizzle *swizzle, const struct owner_bits *bits)
{
	const uint64_t *registers = bits->columns[OWNER_REGISTER];
	bool apart = swizzle->vectors[1] == 2 && offset_of(swizzle, registers[0]) == 1 &&
		offset_of(swizzle, registers[1]) == 2;

	for (unsigned part = 0; part < OWNER_PARTS; part++)
		for (unsigned i = part == OWNER_REGISTER ? 2 : 0; i < bits->counts[part]; i++)
			apart = apart && offset_of(swizzle, bits->columns[part][i]) % 4 == 0;
	return apart;
}

/* A swizzle for what each point of TO reads. */
static bool place_swizzled(layout_conversion_plan *plan, const struct owner *pull)
{
	struct owner_bits sides[2], read;
	struct swizzle_side parts[2];
	struct lds_swizzle swizzle;
	struct numbers numbers;

	if (!owner_bits_of(pull, &read) || !owner_bits_of(&plan->from, &sides[0]) ||
	    sides[0].counts[OWNER_LANE] > LDS_BASES || read.counts[OWNER_LANE] > LDS_BASES)
		return false;
	number_bits(plan, &sides[0], &numbers);
	if (numbers.bits >= SWIZZLE_BITS)
		return false;
	find_columns(&read, &numbers, sides);
	if (plan->lds.turned && !turn(&sides[1]))
		return false;
	for (unsigned i = 0; i < 2; i++)
		fill_side(&parts[i], &sides[i], i == 0);
	if (plan->lds.turned)
		parts[1].register_count = 2;
	if (!swizzle_find(&plan->chip->lds, plan->bits, numbers.bits, parts, &swizzle) ||
	    (plan->lds.turned && !is_turned(&swizzle, &sides[1])))
		return false;
	plan->lds.elements = (int64_t)1 << numbers.bits;
	return make_side(&plan->lds.put, &plan->from, &sides[0], &swizzle) &&
		make_side(&plan->lds.get, &plan->to, &sides[1], &swizzle);
}

int64_t conversion_offset(const struct owner *side, const int64_t hw[OWNER_PARTS])
{
	int64_t offset;

	owner_point(side, hw, &offset);
	return offset;
}

bool conversion_puts(const layout_conversion_plan *plan, const int64_t hw[OWNER_PARTS])
{
	for (uint64_t rest = plan->lds.guard; rest; rest &= rest - 1) {
		const struct owner_digit *digit =
			&plan->from.digits[__builtin_ctzll(rest)];

		if (hw[digit->part] / digit->place % digit->radix)
			return false;
	}
	return true;
}

/* By offset, then by register. */
static int compare(const void *a, const void *b)
{
	const struct conversion_offset *x = a, *y = b;

	return x->offset != y->offset ? (x->offset > y->offset ? 1 : -1) :
		(x->reg > y->reg) - (x->reg < y->reg);
}

unsigned conversion_offsets(const layout_conversion_plan *plan, bool get,
	struct conversion_offset *offsets)
{
	const struct owner *side = get ? &plan->lds.get : &plan->lds.put;
	unsigned count = 0, kept = 0;

	for (int64_t r = 0; r < side->extent[OWNER_REGISTER]; r++) {
		int64_t hw[] = { 0, 0, r };

		if (get || conversion_puts(plan, hw))
			offsets[count++] = (struct conversion_offset){
				conversion_offset(side, hw), (unsigned)r };
	}
	qsort(offsets, count, sizeof(*offsets), compare);
	for (unsigned i = 0; i < count; i++)
		if (!i || offsets[i].offset != offsets[kept - 1].offset)
			offsets[kept++] = offsets[i];
	return kept;
}

/* Do lanes and subgroups move whole vectors, and registers fill them? */
static bool is_vector(const layout_conversion_plan *plan, bool get,
	const struct conversion_offset *offsets, unsigned count, int64_t vector)
{
	const struct owner *side = get ? &plan->lds.get : &plan->lds.put;
	int64_t hw[OWNER_PARTS] = { 0 }, origin = conversion_offset(side, hw);

	for (unsigned i = 0; i < count; i++)
		if (count % vector || (offsets[i].offset - i % vector) % vector ||
		    offsets[i].offset != offsets[i - i % vector].offset + i % vector)
			return false;
	for (hw[0] = 0; hw[0] < side->extent[0]; hw[0]++)
		for (hw[1] = 0; hw[1] < side->extent[1]; hw[1]++)
			if ((conversion_offset(side, hw) - origin) % vector)
				return false;
	return true;
}

/* The cycles of the access that begins with a register, by the lanes of the first
 * subgroup. */
static unsigned cycles_of(const layout_conversion_plan *plan, bool get, unsigned reg,
	unsigned vector)
{
	const struct owner *side = get ? &plan->lds.get : &plan->lds.put;
	int64_t hw[] = { 0, 0, reg };
	layout_lds_access access = LAYOUT_LDS_ACCESS_INIT;
	uint64_t addresses[LDS_LANES] = { 0 };
	layout_lds_cost cost = { 0, 0 };

	access.bits = vector * plan->bits;
	access.store = !get;
	access.addresses = addresses;
	access.lanes = 0;
	for (; hw[1] < side->extent[OWNER_LANE]; hw[1]++) {
		addresses[hw[1]] = (uint64_t)conversion_offset(side, hw) * plan->bits / 8;
		access.lanes |= (uint64_t)(get || conversion_puts(plan, hw)) << hw[1];
	}
	return layout_lds_cycles(plan->ctx, &plan->chip->lds, &access, &cost, NULL) ?
		cost.cycles : 0;
}

/* Instructions that bring elements narrower than a word together, or apart: none for
 * registers that follow each other. */
static unsigned packing(const layout_conversion_plan *plan,
	const struct conversion_offset *offsets, unsigned count)
{
	unsigned pieces = plan->bits < 32 ? 32 / plan->bits : 1, sum = 0;

	for (unsigned i = 0; i + pieces <= count; i += pieces) {
		bool word = offsets[i].reg % pieces == 0;

		for (unsigned k = 1; k < pieces; k++)
			word = word && offsets[i + k].reg == offsets[i].reg + k;
		sum += word ? 0 : pieces - 1;
	}
	return sum;
}

/* The widest accesses of a side, and what they cost.  False where loads are to be turned
 * and are not that wide. */
static bool count_side(layout_conversion_plan *plan, bool get)
{
	struct conversion_lds *lds = &plan->lds;
	const struct owner *side = get ? &lds->get : &lds->put;
	struct conversion_offset *offsets = layout_alloc(plan->ctx,
		(size_t)side->extent[OWNER_REGISTER], sizeof(*offsets));
	unsigned vector = lds->turned && get ? 4 : WIDEST_BITS / plan->bits, count;

	if (!offsets)
		return false;
	count = conversion_offsets(plan, get, offsets);
	while (!is_vector(plan, get, offsets, count, vector))
		vector /= 2;
	if (lds->turned && get && vector != 4) {
		free(offsets);
		return false;
	}
	for (unsigned i = 0; i < count; i += vector)
		lds->cost.lds += cycles_of(plan, get, offsets[i].reg, vector);
	lds->vectors[get] = vector;
	lds->cost.issue += count / vector + ADDRESS_ISSUE +
		packing(plan, offsets, count);
	free(offsets);
	return true;
}

static bool count_lds(layout_conversion_plan *plan)
{
	struct conversion_lds *lds = &plan->lds;

	lds->cost = (struct conversion_cost){ .waits = lds->slices ? 1 : 2 };
	lds->bytes = (lds->elements * plan->bits / 8 + LDS_ALIGN - 1) / LDS_ALIGN *
		LDS_ALIGN * (lds->slices ? plan->from.extent[OWNER_SUBGROUP] : 1);
	return lds->bytes <= plan->chip->lds.bytes && count_side(plan, false) &&
		count_side(plan, true);
}

/* The digits that keep what is put from being put twice, of a slice or of all. */
static void find_guard(layout_conversion_plan *plan)
{
	uint64_t guard;

	plan->lds.guard = 0;
	if (!owner_guard(&plan->from, &guard))
		return;
	for (; guard; guard &= guard - 1) {
		unsigned i = (unsigned)__builtin_ctzll(guard);

		if (!plan->lds.slices || plan->from.digits[i].part != OWNER_SUBGROUP)
			plan->lds.guard |= (uint64_t)1 << i;
	}
}

/* Keep what is cheaper than all before. */
static void try_place(layout_conversion_plan *plan, struct conversion_lds *best)
{
	if (count_lds(plan) && (!best->bytes || conversion_total(&plan->lds.cost) <
	    conversion_total(&best->cost)))
		*best = plan->lds;
}

/* Whole rows of 16 lanes, and halves. */
static bool can_turn(const layout_conversion_plan *plan)
{
	return plan->chip->turned_loads && plan->bits == 16;
}

static bool has_xors(const struct owner *owner)
{
	for (unsigned i = 0; i < owner->term_count; i++)
		if (owner->terms[i].digits & (owner->terms[i].digits - 1))
			return true;
	return false;
}

/* Padding is for sums, and for those that no swizzle is found for.  XORs there are of
 * boxes whose extents are powers of two, so that their offsets are XORs, too. */
bool conversion_place(layout_conversion_plan *plan)
{
	int64_t word = plan->bits < 32 ? 32 / plan->bits : 1, words = MOST_SKIPPED;
	struct conversion_lds best = { .bytes = 0 };
	struct owner pull;
	bool known;

	plan->lds.slices = conversion_pull(plan, PULL_SLICE, &pull);
	known = plan->lds.slices || conversion_pull(plan, PULL_ONCE, &pull);
	find_guard(plan);
	for (unsigned turned = 0; known && turned <= can_turn(plan); turned++) {
		plan->lds.turned = turned;
		if (place_swizzled(plan, &pull))
			try_place(plan, &best);
	}
	plan->lds.turned = false;
	if (best.bytes || has_xors(&plan->from) || has_xors(&plan->to))
		words = 0;
	for (; words >= 0; words = words ? words / 2 : -1) {
		place_box(plan, words * word);
		try_place(plan, &best);
	}
	if (best.bytes)
		plan->lds = best;
	return best.bytes;
}
