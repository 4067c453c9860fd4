/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/factor/factor.h"
#include "algebra/digits/cuts.h"
#include "algebra/factor/join.h"
#include "algebra/factor/run.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/index_sum.h"

#include <stdlib.h>

int64_t factor_reach(const struct factors *factors, unsigned dim)
{
	const struct index *end = factors->dims[dim].end;

	return end->op == INDEX_INT ? end->value : INT64_MAX;
}

/* The largest index that a side may have, plus one.  A shifted source begins further on
 * than the destination ends. */
static int64_t reach_of(const struct factors *factors, enum factor_side side, unsigned d)
{
	const struct index *low = factors->dims[d].low;

	if (side == FACTOR_LOAD && (low->op != INDEX_INT || low->value))
		return INT64_MAX;
	return factor_reach(factors, d);
}

static void find_cuts(struct cuts *cuts, const struct factors *factors, unsigned d)
{
	cuts->count = 0;
	cuts_add(cuts, 1);
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		for (unsigned k = 0; k < factors->slot_count[side]; k++)
			if (factors->slots[side][k].digit.dim == d)
				cuts_add_digit(cuts, &factors->slots[side][k].digit,
					reach_of(factors, (enum factor_side)side, d));
}

/* Where the chain breaks, the digits end at a common divisor of all boundaries beyond:
 * a tile of that extent never crosses one. */
static void cut_chain(struct cuts *cuts)
{
	unsigned k = cuts_chain(cuts), beyond = cuts->count;
	int64_t divisor = 0;

	while (beyond > k)
		divisor = int_gcd(divisor, cuts->at[--beyond]);
	do
		divisor = int_gcd(divisor, cuts->at[--k]);
	while (k && divisor % cuts->at[k - 1]);
	cuts->at[k] = divisor;
	cuts->count = k + 1;
}

/* Is a dimension of the source more than one slot of step 1? */
static bool is_tiled(const struct factors *factors, unsigned d)
{
	for (unsigned k = 0; k < factors->slot_count[FACTOR_LOAD]; k++) {
		const struct factor_slot *slot = &factors->slots[FACTOR_LOAD][k];

		if (slot->digit.dim == d && (slot->digit.step > 1 || slot->digit.radix))
			return true;
	}
	return false;
}

/* Where a tiled source is shifted, tiles of the destination must not cross boundaries
 * of the source, whose digits begin "low" later: their extents divide it.  True where
 * that cuts the chain. */
static bool limit_shift(struct cuts *cuts, const struct factors *factors,
	unsigned d)
{
	int64_t divisor = factor_divisor(factors->dims[d].low), last;
	unsigned k = 0;

	if (!divisor || !is_tiled(factors, d))
		return false;
	while (k + 1 < cuts->count && divisor % cuts->at[k + 1] == 0)
		k++;
	last = k + 1 < cuts->count ? int_gcd(divisor, cuts->at[k + 1]) :
		factors->dims[d].ragged ? cuts->at[k] : divisor;
	cuts->count = k + 1;
	if (last > cuts->at[k])
		cuts->at[cuts->count++] = last;
	return true;
}

/* The slot that holds the digit which begins at "step". */
static unsigned slot_at(const struct factors *factors, enum factor_side side, unsigned d,
	int64_t step)
{
	unsigned k = 0;

	for (; k < factors->slot_count[side]; k++) {
		const struct factor_slot *slot = &factors->slots[side][k];

		if (slot->digit.dim == d && slot->digit.step <= step &&
		    (!slot->digit.radix || step < slot->digit.step * slot->digit.radix))
			break;
	}
	return k;
}

/* What one step of the slot that holds the digit is worth; nothing where the source has
 * no element with the digit other than 0, or a single element. */
static struct index *weight_of(struct factors *factors, enum factor_side side,
	struct factor_digit *digit)
{
	const struct index *high = factors->dims[digit->digit.dim].high;
	const struct factor_slot *slot;

	digit->slot[side] = slot_at(factors, side, digit->digit.dim, digit->digit.step);
	slot = &factors->slots[side][digit->slot[side]];
	if (side == FACTOR_LOAD && (factors->dims[digit->digit.dim].single ||
	    (high->op == INDEX_INT && high->value <= digit->digit.step)))
		return index_int(0);
	return index_binary(INDEX_MUL, index_copy(slot->pitch),
		index_int(digit->digit.step / slot->digit.step));
}

static bool add_digit(struct factors *factors, unsigned d, int64_t step, int64_t radix)
{
	struct factor_digit *digit = &factors->digits[factors->digit_count];
	const struct index *end = factors->dims[d].end;

	*digit = (struct factor_digit){ { d, step, radix }, .most = radix };
	if (!radix && end->op == INDEX_INT)
		digit->most = end->value / step;
	factors->digit_count++;
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		digit->weight[side] = weight_of(factors, (enum factor_side)side, digit);
	return digit->weight[FACTOR_LOAD] && digit->weight[FACTOR_STORE];
}

/* An XOR of a storage's bits, on digits: "bits" digits of radix 2, from step "to" of
 * dimension "to_dim" on, ^= those from step "from" on. */
struct swizzle {
	enum factor_side side;
	unsigned to_dim, from_dim, bits;
	int64_t to, from;
};

static const struct factor_slot *slot_numbered(const struct factors *factors,
	enum factor_side side, unsigned number)
{
	for (unsigned k = 0; k < factors->slot_count[side]; k++)
		if (factors->slots[side][k].slot == number)
			return &factors->slots[side][k];
	return NULL;
}

/* Digits of a slot that are not 0 for all indices. */
static bool is_reached(const struct factors *factors, const struct factor_slot *slot,
	int64_t unit)
{
	return slot && slot->digit.step * unit < factor_reach(factors, slot->digit.dim);
}

/* The swizzles, as they are found; rotations go to the factors. */
struct swizzles {
	struct factors *factors;
	struct swizzle *list;
	unsigned count;
	bool possible;
};

/* Rotated digits of more values are not looked for: n of a carry fits 32 bits. */
#define MOST_ROTATED 65536

/* A digit by which nothing is rotated changes nothing, and what goes by several steps at a time
 * is a digit of these.  What is rotated has all of its digit, and no padding that stays where
 * it is is stored. */
static void add_rotation(struct swizzles *all, const struct storage_twist *from,
	enum factor_side side, const struct factor_slot *read,
	const struct factor_slot *written)
{
	struct factors *factors = all->factors;
	int64_t unit = int_gcd(from->times, from->radix), end;

	if (!is_reached(factors, read, from->unit_from))
		return;
	all->possible = all->possible && written && !(read->digit.radix % from->unit_from) &&
		!(side == FACTOR_STORE && from->limit) &&
		factors->rotation_count < FACTOR_ROTATIONS && from->radix <= MOST_ROTATED &&
		!__builtin_mul_overflow(written->digit.step * from->unit_to, from->radix, &end) &&
		end <= factor_reach(factors, written->digit.dim);
	if (!all->possible)
		return;
	factors->rotations[factors->rotation_count++] = (struct factor_rotation){ side,
		{ written->digit.dim, written->digit.step * from->unit_to * unit,
			from->radix / unit },
		{ read->digit.dim, read->digit.step * from->unit_from,
			read->digit.radix / from->unit_from },
		from->times / unit };
}

/* Bits that are 0 change nothing.  Those that they would change are "possible" to find
 * only where a digit can hold them. */
static void add_swizzle(struct swizzles *all, const struct storage_twist *from,
	enum factor_side side)
{
	const struct factors *factors = all->factors;
	const struct factor_slot *read = slot_numbered(factors, side, from->slot_from);
	const struct factor_slot *written = slot_numbered(factors, side, from->slot_to);
	unsigned bits = 0;

	if (from->times) {
		add_rotation(all, from, side, read, written);
		return;
	}
	while (from->radix >> bits > 1 &&
	       is_reached(factors, read, from->unit_from << bits)) {
		if (!is_reached(factors, written, from->unit_to << bits)) {
			all->possible = false;
			return;
		}
		bits++;
	}
	if (bits)
		all->list[all->count++] = (struct swizzle){ side, written->digit.dim,
			read->digit.dim, bits, written->digit.step * from->unit_to,
			read->digit.step * from->unit_from };
}

/* Does the XOR leave the elements of the source a box: are they in whole digits? */
static bool keeps_source(const struct factors *factors, const struct swizzle *swizzle)
{
	const struct factor_dim *dim = &factors->dims[swizzle->to_dim];

	return index_is(dim->low, 0) &&
		factor_divisor(dim->high) % (swizzle->to << swizzle->bits) == 0;
}

/* The first "count" twists of the destination.  What goes to the permuted index is loaded
 * from the index before: there is padding that must not be permuted. */
static void add_turned(struct swizzles *all, const layout_storage *destination,
	unsigned count)
{
	while (all->possible && count-- > 0) {
		unsigned before = all->count;

		add_swizzle(all, &destination->twists[count], FACTOR_STORE);
		all->possible = all->possible && !all->factors->rotation_count;
		if (all->count == before)
			continue;
		all->list[before].side = FACTOR_LOAD;
		all->possible = all->possible && keeps_source(all->factors,
			&all->list[before]);
	}
}

/* In the order in which they permute an index of the destination. */
static void find_swizzles(struct swizzles *all, const layout_remap *remap)
{
	const layout_storage *source = remap->source, *destination = remap->destination;
	unsigned turned = destination->twist_count;

	while (turned && !destination->twists[turned - 1].limit)
		turned--;
	add_turned(all, destination, turned);
	for (unsigned i = 0; all->possible && i < source->twist_count; i++)
		add_swizzle(all, &source->twists[i], FACTOR_LOAD);
	for (unsigned i = turned; all->possible && i < destination->twist_count; i++)
		add_swizzle(all, &destination->twists[i], FACTOR_STORE);
}

/* What splits the bits of one digit splits those that are xored with it. */
static bool mirror(const struct cuts *seen, int64_t first, unsigned bits,
	struct cuts *other, int64_t into)
{
	bool added = false;

	for (unsigned bit = 0; bit <= bits; bit++) {
		bool splits = bit == 0 || bit == bits;

		for (unsigned k = 0; k < seen->count; k++)
			splits = splits || seen->at[k] == first << bit;
		if (splits && cuts_add(other, into << bit))
			added = true;
	}
	return added;
}

static void share_cuts(struct cuts *cuts, const struct swizzle *swizzle,
	unsigned count)
{
	bool added;

	do {
		added = false;
		for (unsigned i = 0; i < count; i++) {
			const struct swizzle *s = &swizzle[i];

			if (mirror(&cuts[s->from_dim], s->from, s->bits,
			    &cuts[s->to_dim], s->to))
				added = true;
			if (mirror(&cuts[s->to_dim], s->to, s->bits,
			    &cuts[s->from_dim], s->from))
				added = true;
		}
	} while (added);
}

static unsigned digit_at(const struct factors *factors, unsigned dim, int64_t step)
{
	unsigned i = 0;

	while (i < factors->digit_count && (factors->digits[i].digit.dim != dim ||
	       factors->digits[i].digit.step != step))
		i++;
	return i;
}

/* A digit that is always 0 in the elements of the source has no weight there, though what
 * is xored into it counts. */
static bool is_weightless(const struct factors *factors, unsigned digit,
	enum factor_side side)
{
	const struct index *weight = factors->digits[digit].weight[side];

	return index_is(weight, 0);
}

/* Is the digit xored with another on that side already? */
static bool is_written(const struct factors *factors, enum factor_side side,
	unsigned digit)
{
	for (unsigned i = 0; i < factors->xor_count; i++)
		if (factors->xors[i].side == side && factors->xors[i].to == digit)
			return true;
	return false;
}

/* An XOR that is there already undoes it. */
static void add_link(struct factors *factors, struct factor_xor link)
{
	unsigned i = 0;

	while (i < factors->xor_count && (factors->xors[i].side != link.side ||
	       factors->xors[i].to != link.to || factors->xors[i].from != link.from))
		i++;
	if (i == factors->xor_count)
		factors->xors[factors->xor_count++] = link;
	else
		factors->xors[i] = factors->xors[--factors->xor_count];
}

/* Digit by digit.  False where the digits end before the swizzle does, and where it reads
 * what a swizzle before it made. */
static bool link_digits(struct factors *factors, const struct swizzle *swizzle)
{
	unsigned bit = 0;

	while (bit < swizzle->bits) {
		struct factor_xor link = { swizzle->side,
			digit_at(factors, swizzle->to_dim, swizzle->to << bit),
			digit_at(factors, swizzle->from_dim, swizzle->from << bit) };
		int64_t radix;

		if (link.to == factors->digit_count ||
		    link.from == factors->digit_count ||
		    factors->xor_count == FACTOR_XORS)
			return false;
		radix = factors->digits[link.to].digit.radix;
		if (int_log2(radix) < 1 || factors->digits[link.from].digit.radix != radix ||
		    is_weightless(factors, link.to, link.side) ||
		    is_written(factors, link.side, link.from))
			return false;
		add_link(factors, link);
		bit += (unsigned)int_log2(radix);
	}
	return true;
}

static bool is_xored(const struct factors *factors, enum factor_side side, unsigned digit)
{
	for (unsigned i = 0; i < factors->xor_count; i++)
		if (factors->xors[i].side == side && (factors->xors[i].to == digit ||
		    factors->xors[i].from == digit))
			return true;
	return false;
}

bool factor_is_linked(const struct factors *factors, unsigned digit)
{
	return is_xored(factors, FACTOR_LOAD, digit) ||
		is_xored(factors, FACTOR_STORE, digit);
}

bool factor_is_part(const struct digit *whole, const struct digit *digit)
{
	return digit->dim == whole->dim && digit->step >= whole->step &&
		(!whole->radix || digit->step < whole->step * whole->radix);
}

const struct factor_rotation *factor_rotation(const struct factors *factors,
	enum factor_side side, unsigned digit)
{
	for (unsigned i = 0; i < factors->rotation_count; i++)
		if (factors->rotations[i].side == side &&
		    factor_is_part(&factors->rotations[i].to, &factors->digits[digit].digit))
			return &factors->rotations[i];
	return NULL;
}

/* Is anything rotated by the digit? */
static bool is_rotating(const struct factors *factors, enum factor_side side, unsigned digit)
{
	for (unsigned i = 0; i < factors->rotation_count; i++)
		if (factors->rotations[i].side == side && factor_is_part(
		    &factors->rotations[i].from, &factors->digits[digit].digit))
			return true;
	return false;
}

bool factor_is_mixed(const struct factors *factors, enum factor_side side, unsigned digit)
{
	return is_xored(factors, side, digit) || factor_rotation(factors, side, digit) ||
		is_rotating(factors, side, digit);
}

static bool overlap(const struct digit *a, const struct digit *b)
{
	return factor_is_part(a, b) || factor_is_part(b, a);
}

/* Are the rotations what their struct says, one a dimension, of digits that have a weight? */
static bool rotations_hold(const struct factors *factors)
{
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (factors->rotation_count && factors->dims[d].ragged)
			return false;
	for (unsigned i = 0; i < factors->rotation_count; i++) {
		const struct factor_rotation *a = &factors->rotations[i];

		for (unsigned k = 0; k < i; k++) {
			const struct factor_rotation *b = &factors->rotations[k];

			if (a->side == b->side && (a->to.dim == b->to.dim ||
			    overlap(&a->to, &b->from) || overlap(&a->from, &b->to)))
				return false;
		}
	}
	for (unsigned i = 0; i < factors->digit_count; i++)
		for (unsigned side = 0; side < FACTOR_SIDES; side++) {
			bool moved = factor_rotation(factors, (enum factor_side)side, i);

			if ((moved && is_weightless(factors, i, (enum factor_side)side)) ||
			    ((moved || is_rotating(factors, (enum factor_side)side, i)) &&
			     is_xored(factors, (enum factor_side)side, i)))
				return false;
		}
	return true;
}

static void cut_rotations(struct cuts *cuts, const struct factors *factors)
{
	for (unsigned i = 0; i < factors->rotation_count; i++) {
		const struct digit *to = &factors->rotations[i].to;
		const struct digit *from = &factors->rotations[i].from;

		cuts_add(&cuts[to->dim], to->step);
		cuts_add(&cuts[to->dim], to->step * to->radix);
		cuts_add(&cuts[from->dim], from->step);
	}
}

/* The digits of a dimension; what begins at a constant end is none. */
static bool split_dim(struct factors *factors, unsigned d, struct cuts *cuts)
{
	bool ok = true;

	if (factors->dims[d].run)
		cuts->count = 1;
	factors->dims[d].ragged = factors->dims[d].run || cuts_chain(cuts) < cuts->count;
	if (factors->dims[d].ragged)
		cut_chain(cuts);
	if (limit_shift(cuts, factors, d))
		factors->dims[d].ragged = true;
	for (unsigned k = 0; ok && k < cuts->count; k++) {
		bool last = k + 1 == cuts->count;

		if (last && (factors->dims[d].ragged ||
		    cuts->at[k] >= factor_reach(factors, d)))
			break;
		ok = add_digit(factors, d, cuts->at[k],
			last ? 0 : cuts->at[k + 1] / cuts->at[k]);
	}
	return ok;
}

static bool split_dims(struct factors *factors, const struct swizzle *swizzle,
	unsigned swizzle_count, struct cuts *cuts, bool *possible)
{
	unsigned count = 0;
	bool ok = true;

	for (unsigned d = 0; d < factors->dim_count; d++) {
		find_cuts(&cuts[d], factors, d);
		*possible = *possible && factor_reach(factors, d) > 0;
	}
	cut_rotations(cuts, factors);
	share_cuts(cuts, swizzle, swizzle_count);
	for (unsigned d = 0; d < factors->dim_count; d++)
		count += cuts[d].count;
	*possible = *possible && count <= FACTOR_DIGITS;
	for (unsigned d = 0; ok && *possible && d < factors->dim_count; d++)
		ok = split_dim(factors, d, &cuts[d]);
	for (unsigned i = 0; ok && i < swizzle_count; i++)
		*possible = *possible && link_digits(factors, &swizzle[i]);
	*possible = *possible && (!ok || rotations_hold(factors));
	return ok;
}

bool factors_build(struct factors *factors, const struct factor_input *input,
	bool *possible)
{
	layout_remap *remap = input->remap;
	unsigned most = remap->source->twist_count + remap->destination->twist_count;
	struct swizzles swizzles = { factors,
		layout_alloc(remap->ctx, most, sizeof(*swizzles.list)), 0, true };
	struct cuts *cuts = NULL;
	bool ok = swizzles.list;

	*factors = (struct factors){ 0 };
	ok = ok && join_dims(factors, input) &&
		(!input->most_run || run_dims(factors, input));
	*possible = factors->dim_count;
	if (ok) {
		find_swizzles(&swizzles, remap);
		*possible = *possible && swizzles.possible;
		cuts = layout_alloc(remap->ctx, factors->dim_count,
			sizeof(*cuts));
	}
	ok = ok && cuts && split_dims(factors, swizzles.list, swizzles.count,
		cuts, possible);
	free(cuts);
	free(swizzles.list);
	return ok;
}

void factors_free(struct factors *factors)
{
	for (unsigned d = 0; factors->dims && d < factors->dim_count; d++) {
		index_free(factors->dims[d].low);
		index_free(factors->dims[d].high);
		index_free(factors->dims[d].end);
	}
	for (unsigned side = 0; side < FACTOR_SIDES; side++) {
		for (unsigned k = 0; k < factors->slot_count[side]; k++)
			index_free(factors->slots[side][k].pitch);
		free(factors->slots[side]);
	}
	for (unsigned i = 0; i < factors->digit_count; i++)
		for (unsigned side = 0; side < FACTOR_SIDES; side++)
			index_free(factors->digits[i].weight[side]);
	free(factors->dims);
	free(factors->order);
	*factors = (struct factors){ 0 };
}

struct index *factor_pitch(const struct factors *factors, enum factor_side side,
	unsigned dim)
{
	struct index *found = NULL;

	for (unsigned k = 0; k < factors->slot_count[side]; k++) {
		const struct factor_slot *slot = &factors->slots[side][k];

		if (slot->digit.dim != dim || index_is(slot->pitch, 0))
			continue;
		if (found || slot->digit.step != 1 || slot->digit.radix)
			return NULL;
		found = slot->pitch;
	}
	return found;
}

bool factor_is_even(const struct factors *factors, unsigned dim)
{
	const struct factor_dim *of = &factors->dims[dim];

	for (unsigned i = 0; i < factors->digit_count; i++)
		if (factors->digits[i].digit.dim == dim &&
		    (factor_is_mixed(factors, FACTOR_LOAD, i) ||
		     factor_is_mixed(factors, FACTOR_STORE, i)))
			return false;
	return !of->single && index_is(of->low, 0) && index_equal(of->high, of->end) &&
		factor_pitch(factors, FACTOR_LOAD, dim) &&
		factor_pitch(factors, FACTOR_STORE, dim);
}

int64_t factor_divisor(const struct index *index)
{
	int64_t a, b, product;

	switch (index->op) {
	case INDEX_INT:
		return index->value == INT64_MIN ? 1 : index->value < 0 ? -index->value :
			index->value;
	case INDEX_NEG:
		return factor_divisor(index->arg[0]);
	case INDEX_ADD:
	case INDEX_SUB:
		return int_gcd(factor_divisor(index->arg[0]),
			factor_divisor(index->arg[1]));
	case INDEX_MUL:
		a = factor_divisor(index->arg[0]);
		b = factor_divisor(index->arg[1]);
		return __builtin_mul_overflow(a, b, &product) ? a : product;
	default:
		return 1;
	}
}
