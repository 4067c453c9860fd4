/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/program_lanes/owner.h"
#include "lower/tile/lane.h"

/* Terms of a set of several digits are XORs of bits, and so are all of that coordinate. */
static bool is_flipped(const struct owner *owner, unsigned dim)
{
	for (unsigned i = 0; i < owner->term_count; i++)
		if (owner->terms[i].dim == dim &&
		    owner->terms[i].digits & (owner->terms[i].digits - 1))
			return true;
	return false;
}

static LLVMValueRef constant(LLVMBuilderRef builder, int64_t value)
{
	return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetBuilderContext(builder)),
		(unsigned long long)value, true);
}

/* A coordinate's items of a part's number: of terms that add, or that subtract. */
struct items {
	LLVMBuilderRef builder;
	struct lane_number number;
	unsigned count;
	struct lane_item items[LANE_ITEMS];
	LLVMValueRef sum;
};

static LLVMValueRef join(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b, bool flips)
{
	if (!a || !b)
		return a ? a : b;
	return flips ? LLVMBuildXor(builder, a, b, "coordinate") :
		LLVMBuildAdd(builder, a, b, "coordinate");
}

static void flush(struct items *items, bool flips)
{
	if (items->count)
		items->sum = join(items->builder, items->sum, lane_sum(items->builder,
			&items->number, items->items, items->count), flips);
	items->count = 0;
}

static void add_items(struct items *items, const struct owner *owner,
	const struct owner_term *term, enum owner_part part, bool flips)
{
	for (uint64_t rest = term->digits; rest; rest &= rest - 1) {
		const struct owner_digit *digit = &owner->digits[__builtin_ctzll(rest)];

		if (digit->part != part)
			continue;
		if (items->count == LANE_ITEMS)
			flush(items, flips);
		items->items[items->count++] = (struct lane_item){ digit->place,
			digit->radix, term->weight < 0 ? -term->weight : term->weight,
			flips };
	}
}

/* What a part gives to a coordinate; NULL: nothing. */
static LLVMValueRef part_sum(LLVMBuilderRef builder, const struct owner *owner,
	unsigned dim, enum owner_part part, const struct lane_number *number, bool flips)
{
	struct items sides[2] = { { .builder = builder, .number = *number },
		{ .builder = builder, .number = *number } };

	for (unsigned i = 0; i < owner->term_count; i++) {
		const struct owner_term *term = &owner->terms[i];

		if (term->dim == dim)
			add_items(&sides[!flips && term->weight < 0], owner, term, part,
				flips);
	}
	flush(&sides[0], flips);
	flush(&sides[1], flips);
	if (!sides[1].sum)
		return sides[0].sum;
	return LLVMBuildSub(builder, sides[0].sum ? sides[0].sum : constant(builder, 0),
		sides[1].sum, "coordinate");
}

/* The bits that lanes and subgroups may give to a coordinate, and those of registers. */
static bool is_disjoint(const struct owner *owner, unsigned dim)
{
	uint64_t bits[2] = { 0, (uint64_t)owner->base[dim] };

	for (unsigned i = 0; i < owner->term_count; i++) {
		const struct owner_term *term = &owner->terms[i];
		int64_t weight = term->weight < 0 ? -term->weight : term->weight;

		for (uint64_t rest = term->dim == dim ? term->digits : 0; rest;
		     rest &= rest - 1)
			bits[owner->digits[__builtin_ctzll(rest)].part == OWNER_REGISTER] |=
				(uint64_t)weight;
	}
	return !(bits[0] & bits[1]);
}

void owner_coordinates(struct owner_coordinates *coordinates, LLVMBuilderRef builder,
	const struct owner_hardware *hardware, const struct owner *owner)
{
	struct lane_number lanes = { hardware->lane, hardware->wave_size,
		hardware->hooks->await };
	struct lane_number subgroups = { hardware->subgroup, hardware->subgroups,
		hardware->hooks->uniform };

	*coordinates = (struct owner_coordinates){ .builder = builder, .owner = owner };
	for (unsigned d = 0; d < owner->rank; d++) {
		bool flips = is_flipped(owner, d);

		coordinates->hw[d] = join(builder, part_sum(builder, owner, d, OWNER_LANE,
			&lanes, flips), part_sum(builder, owner, d, OWNER_SUBGROUP,
			&subgroups, flips), flips);
		if (flips && !is_disjoint(owner, d))
			coordinates->flips |= (uint64_t)1 << d;
	}
}

int64_t owner_register(const struct owner_coordinates *coordinates, int64_t r,
	unsigned dim)
{
	const int64_t hw[OWNER_PARTS] = { 0, 0, r };
	int64_t at[OWNER_RANK];

	owner_point(coordinates->owner, hw, at);
	return at[dim];
}

LLVMValueRef owner_coordinate(const struct owner_coordinates *coordinates, int64_t r,
	unsigned dim)
{
	LLVMValueRef own = constant(coordinates->builder, owner_register(coordinates, r,
		dim));

	return join(coordinates->builder, coordinates->hw[dim], own,
		coordinates->flips >> dim & 1);
}

static LLVMValueRef both(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b)
{
	return a && b ? LLVMBuildAnd(builder, a, b, "is_first") : a ? a : b;
}

static LLVMValueRef is_below(LLVMBuilderRef builder, LLVMValueRef number, int64_t extent,
	unsigned count)
{
	return extent >= count ? NULL : LLVMBuildICmp(builder, LLVMIntULT, number,
		constant(builder, extent), "is_there");
}

LLVMValueRef owner_are_zero(LLVMBuilderRef builder, const struct owner_hardware *hardware,
	const struct owner *owner, uint64_t digits)
{
	LLVMValueRef all = both(builder, is_below(builder, hardware->lane,
		owner->extent[OWNER_LANE], hardware->wave_size), is_below(builder,
		hardware->subgroup, owner->extent[OWNER_SUBGROUP], hardware->subgroups));

	for (; digits; digits &= digits - 1) {
		const struct owner_digit *digit = &owner->digits[__builtin_ctzll(digits)];
		LLVMValueRef value = digit->part == OWNER_LANE ? hardware->lane :
			hardware->subgroup;

		if (digit->part == OWNER_REGISTER)
			continue;
		value = LLVMBuildURem(builder, LLVMBuildUDiv(builder, value,
			constant(builder, digit->place), "quotient"),
			constant(builder, digit->radix), "digit");
		all = both(builder, all, LLVMBuildICmp(builder, LLVMIntEQ, value,
			constant(builder, 0), "is_zero"));
	}
	return all;
}
