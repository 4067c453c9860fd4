/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An operand's layout over a larger matrix, { [subgroup, lane, element] -> [row, column] }:
 * digits of the three numbers, of which an instruction's own are the lowest. */
#include "algebra/mma/mma.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/objects.h"

#include <layout/view.h>

#include <inttypes.h>

enum { SUBGROUP, LANE, ELEMENT, INPUTS };
enum { MOST_POINTS = 1 << 24 };

struct repeated {
	const layout_mma *mma;
	const int64_t *repeat, *subgroups;	/* of rows and columns; of M and N */
	unsigned rank, extents[MMA_COORDINATES];
	char names[MMA_COORDINATES];
	int64_t slots;			/* elements of one instruction, with those left out */
	isl_space *space;
};

/* sum + weight * (floor(x / step) mod radix) */
static isl_aff *add_digit(const struct repeated *r, isl_aff *sum, unsigned x, int64_t step,
	int64_t radix, int64_t weight)
{
	if (radix == 1)
		return sum;
	return aff_add_scaled(sum, aff_coordinate_digit(r->space, x, step, radix), weight);
}

/* What the bits of a list give to a letter; those that follow each other in both are one
 * digit. */
static isl_aff *add_list(const struct repeated *r, isl_aff *sum, unsigned x,
	const char *list, int64_t step, char wanted)
{
	unsigned bit, next;
	char letter = mma_next_bit(&list, &bit), other;

	for (; letter && letter != '-'; letter = other, bit = next) {
		int64_t radix = 2;

		while ((other = mma_next_bit(&list, &next)) == letter &&
		       (int64_t)1 << next == (int64_t)radix << bit)
			radix *= 2;
		if (letter == wanted)
			sum = add_digit(r, sum, x, step, radix, (int64_t)1 << bit);
		step *= radix;
	}
	return sum;
}

/* Rows are of M or of K, columns of N or of K: K is in registers alone. */
static int64_t subgroups_of(const struct repeated *r, unsigned coordinate)
{
	char letter = r->names[coordinate];

	return letter == 'm' ? r->subgroups[0] : letter == 'n' ? r->subgroups[1] : 1;
}

static isl_aff *coordinate(const struct repeated *r, unsigned i)
{
	const struct mma_bits *bits = mma_bits_of(r->mma);
	isl_aff *sum = aff_number(r->space, 0);
	int64_t extent = r->extents[i];

	sum = add_list(r, sum, LANE, bits->lane, 1, r->names[i]);
	sum = add_list(r, sum, ELEMENT, mma_held_bits(r->mma), mma_is_half(r->mma) ? 2 : 1,
		r->names[i]);
	if (r->names[i] == 'b')
		return sum;
	if (i == r->rank - 1)
		sum = add_digit(r, sum, ELEMENT, r->slots, r->repeat[1], extent);
	else
		sum = add_digit(r, sum, ELEMENT, r->slots * r->repeat[1], r->repeat[0],
			extent);
	extent *= r->repeat[i == r->rank - 1];
	return add_digit(r, sum, SUBGROUP, r->names[i] == 'm' ? r->subgroups[1] : 1,
		subgroups_of(r, i), extent);
}

/* The numbers that hold something. */
static isl_set *points(const struct repeated *r)
{
	isl_set *set = isl_set_universe(isl_space_copy(r->space));
	isl_aff *half;

	set = bridge_bound(set, SUBGROUP, r->subgroups[0] * r->subgroups[1]);
	set = bridge_bound(set, LANE, (int64_t)1 << mma_lane_bits(r->mma));
	set = bridge_bound(set, ELEMENT, r->slots * r->repeat[0] * r->repeat[1]);
	if (!mma_is_half(r->mma))
		return set;
	half = isl_aff_add_constant_si(aff_coordinate_digit(r->space, ELEMENT, 1, 2),
		r->mma->operand == LAYOUT_MMA_ACC_HI ? -1 : 0);
	return isl_set_intersect(set, aff_zero_set(half));
}

static layout_relation *build(struct repeated *r)
{
	static const char *const inputs[] = { "subgroup", "lane", "element" };
	layout_context *ctx = r->mma->ctx;
	isl_multi_aff *function;
	isl_aff_list *list;
	isl_set *set;

	bridge_enter(ctx);
	r->space = isl_space_set_alloc(bridge_isl(ctx), 0, INPUTS);
	list = isl_aff_list_alloc(bridge_isl(ctx), (int)r->rank);
	for (unsigned i = 0; i < r->rank; i++)
		list = isl_aff_list_add(list, coordinate(r, i));
	set = points(r);
	function = aff_function(r->space, isl_space_set_alloc(bridge_isl(ctx), 0, r->rank), list);
	return layout_relation_name_in_coordinates(bridge_give_relation(ctx,
		"repeat a register layout", isl_map_intersect_domain(
			isl_map_from_multi_aff(isl_multi_aff_copy(function)), set),
		function, NULL), inputs, INPUTS);
}

/* Are there at least one of each, and not too many points? */
static bool check(const struct repeated *r)
{
	int64_t counts[] = { r->repeat[0], r->repeat[1], r->subgroups[0], r->subgroups[1] };
	int64_t all = layout_mma_lanes((layout_mma *)r->mma) * r->slots;

	for (unsigned i = 0; i < 4; i++) {
		if (counts[i] < 1 || counts[i] > MOST_POINTS / all) {
			layout_fail(r->mma->ctx, LAYOUT_ERROR_INVALID, -1,
				"%s is repeated at least once, and has at most %d elements "
				"in all lanes: not %" PRId64 " x %" PRId64 " times over %"
				PRId64 " x %" PRId64 " subgroups", r->mma->name, MOST_POINTS,
				counts[0], counts[1], counts[2], counts[3]);
			return false;
		}
		all *= counts[i];
	}
	return true;
}

unsigned mma_repeated_box(const layout_mma *mma, const int64_t repeat[2],
	const int64_t subgroups[2], int64_t box[MMA_COORDINATES])
{
	struct repeated r = { .mma = mma, .subgroups = subgroups };

	r.rank = mma_coordinates(mma, r.names, r.extents);
	for (unsigned i = 0; i < r.rank; i++)
		box[i] = r.names[i] == 'b' ? r.extents[i] :
			r.extents[i] * repeat[i == r.rank - 1] * subgroups_of(&r, i);
	return r.rank;
}

layout_relation *layout_mma_repeat(layout_mma *mma, const int64_t repeat[2],
	const int64_t subgroups[2])
{
	static const int64_t once[2] = { 1, 1 };
	struct repeated r = { .mma = mma, .repeat = repeat ? repeat : once,
		.subgroups = subgroups ? subgroups : once };

	if (!mma)
		return NULL;
	r.rank = mma_coordinates(mma, r.names, r.extents);
	r.slots = (int64_t)layout_mma_elements(mma) * (mma_is_half(mma) ? 2 : 1);
	return check(&r) ? build(&r) : NULL;
}
