/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Proofs that two storages are the same memory: the same slots, as a sum or one by one;
 * the same digits with the same weights; the same relation. */
#include "algebra/memory/polynomial.h"
#include "algebra/memory/sides.h"
#include "algebra/storage/maps.h"

#include <stdlib.h>

static bool same_index(const struct sides *sides, const struct index *a,
	const struct index *b)
{
	return polynomial_same(sides->remap->ctx, a, b);
}

static bool has_padding(layout_storage *storage)
{
	layout_set *padding;
	bool none;

	if (!storage_is_rounded(storage))
		return false;
	padding = layout_storage_padding(storage);
	none = layout_set_is_empty(padding) == LAYOUT_YES;
	layout_set_free(padding);
	return !none;
}

static bool same_count(const struct sides *sides)
{
	return same_index(sides, sides->index[FACTOR_LOAD].elements,
		sides->index[FACTOR_STORE].elements);
}

/* As many cells, and the same of them padding, if all elements lie alike: what is no
 * element is padding, but where strides leave gaps.  What the source has as padding is
 * taken to hold the pad value; behind a map, other cells may be without an element. */
static bool same_cells(const struct sides *sides)
{
	const layout_remap *remap = sides->remap;
	bool strided = remap->source->kind == LAYOUT_STORAGE_STRIDED ||
		remap->destination->kind == LAYOUT_STORAGE_STRIDED;
	bool source;

	if (!remap->map && !strided && same_count(sides))
		return true;
	source = has_padding(remap->source);
	if (source != has_padding(remap->destination))
		return false;
	return (!source && !remap->map) || same_count(sides);
}

static bool same_twists(const layout_storage *a, const layout_storage *b)
{
	bool same = a->twist_count == b->twist_count;

	for (unsigned i = 0; same && i < a->twist_count; i++) {
		const struct storage_twist *x = &a->twists[i], *y = &b->twists[i];

		same = x->slot_to == y->slot_to && x->slot_from == y->slot_from &&
			x->unit_to == y->unit_to && x->unit_from == y->unit_from &&
			x->radix == y->radix && x->times == y->times &&
			x->limit == y->limit;
	}
	return same;
}

static bool same_part(const struct digit *a, const struct digit *b)
{
	return a->dim == b->dim && a->step == b->step && a->radix == b->radix;
}

/* Slot k of both holds the same, and has as many steps where that is a number. */
static bool same_slot(const layout_storage *a, const layout_storage *b, unsigned k)
{
	struct digit x = storage_part(a, k), y = storage_part(b, k);

	return same_part(&x, &y) && a->slots[k].constant == b->slots[k].constant &&
		(!a->strides || size_same(&a->strides[a->slots[k].dim],
			&b->strides[b->slots[k].dim]));
}

bool sides_are_alike(const layout_storage *a, const layout_storage *b)
{
	bool alike = a->kind == b->kind && a->rank == b->rank && a->units == b->units &&
		a->slot_count == b->slot_count && same_twists(a, b);

	for (unsigned d = 0; alike && d < a->rank; d++)
		alike = size_same(&a->sizes[d], &b->sizes[d]);
	for (unsigned k = 0; alike && k < a->slot_count; k++)
		alike = same_slot(a, b, k);
	return alike;
}

/* Slots of a storage that are 0 for some elements only: floor(i[dim]/step) mod extent,
 * extent 0: to the end, worth "pitch" cells a step. */
struct slots {
	unsigned count;
	struct digit part[LAYOUT_STORAGE_SLOTS];
	const struct index *pitch[LAYOUT_STORAGE_SLOTS];
};

/* The end of a dimension where that is a number, else INT64_MAX. */
static int64_t end_of(const struct sides *sides, unsigned dim)
{
	const struct index *size = sides->index[FACTOR_LOAD].size[dim];

	return size->op == INDEX_INT ? size->value : INT64_MAX;
}

static void list_slots(struct slots *slots, const struct sides *sides,
	enum factor_side side)
{
	slots->count = 0;
	for (unsigned k = 0; k < sides->storage[side]->slot_count; k++) {
		struct digit part = sides->part[side][k];
		int64_t end = end_of(sides, part.dim);

		if (end <= part.step)
			continue;
		if (part.radix && part.radix >= (end - 1) / part.step + 1)
			part.radix = 0;
		slots->part[slots->count] = part;
		slots->pitch[slots->count++] = sides->index[side].pitch[k];
	}
}

/* Slot "high" goes on where "low" ends, in the index and in memory. */
static bool goes_on(const struct sides *sides, const struct slots *slots, unsigned low,
	unsigned high)
{
	const struct digit *a = &slots->part[low], *b = &slots->part[high];
	struct index *end;
	int64_t step, extent;
	bool same;

	if (a->dim != b->dim || !a->radix ||
	    __builtin_mul_overflow(a->step, a->radix, &step) || step != b->step ||
	    __builtin_mul_overflow(a->radix, b->radix, &extent))
		return false;
	end = index_binary(INDEX_MUL, index_copy((struct index *)(uintptr_t)
		slots->pitch[low]), index_int(a->radix));
	same = same_index(sides, end, slots->pitch[high]);
	index_free(end);
	return same;
}

/* Make slots that go on where another ends part of it. */
static void join_slots(const struct sides *sides, struct slots *slots)
{
	bool joined = true;

	while (joined) {
		joined = false;
		for (unsigned low = 0; low < slots->count; low++)
			for (unsigned high = 0; high < slots->count; high++) {
				if (!goes_on(sides, slots, low, high))
					continue;
				slots->part[low].radix *= slots->part[high].radix;
				slots->count--;
				slots->part[high] = slots->part[slots->count];
				slots->pitch[high] = slots->pitch[slots->count];
				joined = true;
				break;
			}
	}
}

/* Each slot of "a" is one of "b". */
static bool are_among(const struct sides *sides, const struct slots *a,
	const struct slots *b)
{
	for (unsigned i = 0; i < a->count; i++) {
		unsigned k = 0;

		while (k < b->count && (!same_part(&a->part[i], &b->part[k]) ||
		       !same_index(sides, a->pitch[i], b->pitch[k])))
			k++;
		if (k == b->count)
			return false;
	}
	return true;
}

/* Without a twist, an element's place is the sum of its slots, in any order. */
static bool same_sums(const struct sides *sides)
{
	struct slots a, b;

	if (sides->remap->source->twist_count || sides->remap->destination->twist_count)
		return false;
	list_slots(&a, sides, FACTOR_LOAD);
	list_slots(&b, sides, FACTOR_STORE);
	join_slots(sides, &a);
	join_slots(sides, &b);
	return a.count == b.count && are_among(sides, &a, &b) &&
		are_among(sides, &b, &a);
}

/* Slot by slot the same, whatever named them. */
static bool same_slots(const struct sides *sides)
{
	const layout_storage *a = sides->remap->source, *b = sides->remap->destination;
	bool same = a->slot_count == b->slot_count && same_twists(a, b);

	for (unsigned k = 0; same && k < a->slot_count; k++)
		same = same_part(&sides->part[FACTOR_LOAD][k],
				&sides->part[FACTOR_STORE][k]) &&
			same_index(sides, sides->index[FACTOR_LOAD].pitch[k],
				sides->index[FACTOR_STORE].pitch[k]);
	return same;
}

/* On both sides the same digits are swizzled by the same, none of them rotated. */
static bool same_xors(const struct factors *factors)
{
	unsigned alike = 0;

	for (unsigned i = 0; i < factors->xor_count; i++)
		for (unsigned j = 0; j < factors->xor_count; j++)
			alike += factors->xors[i].side == FACTOR_LOAD &&
				factors->xors[j].side == FACTOR_STORE &&
				factors->xors[i].to == factors->xors[j].to &&
				factors->xors[i].from == factors->xors[j].from;
	return 2 * alike == factors->xor_count && !factors->rotation_count;
}

/* The digit is 0 in all elements of the source, where no stride is 0. */
static bool is_unused(const struct sides *sides, const struct factors *factors,
	unsigned digit)
{
	const struct index *weight = factors->digits[digit].weight[FACTOR_LOAD];

	return sides->remap->source->kind != LAYOUT_STORAGE_STRIDED &&
		index_is(weight, 0) &&
		!factor_is_linked(factors, digit);
}

static bool same_weights(const struct sides *sides, const struct factors *factors)
{
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (factors->dims[d].ragged)
			return false;
	for (unsigned i = 0; i < factors->digit_count; i++)
		if (!is_unused(sides, factors, i) &&
		    !same_index(sides, factors->digits[i].weight[FACTOR_LOAD],
			    factors->digits[i].weight[FACTOR_STORE]))
			return false;
	return same_xors(factors);
}

/* Steps of a digit are worth the same on both sides. */
static bool same_digits(const struct sides *sides)
{
	struct factors *factors = layout_alloc(sides->remap->ctx, 1, sizeof(*factors));
	struct factor_input input = { sides->remap,
		{ &sides->index[FACTOR_LOAD], &sides->index[FACTOR_STORE] }, sides->low,
		false };
	bool possible, same;

	same = factors && factors_build(factors, &input, &possible) && possible &&
		same_weights(sides, factors);
	if (factors)
		factors_free(factors);
	free(factors);
	return same;
}

/* The same cells, numbered alike, as isl sees them. */
static bool same_relation(const struct sides *sides)
{
	layout_storage *source = sides->remap->source;
	layout_storage *destination = sides->remap->destination;
	layout_relation *from, *to;
	layout_set *cells, *others;
	bool same;

	if (source->kind == LAYOUT_STORAGE_STRIDED || source->twist_count ||
	    destination->kind == LAYOUT_STORAGE_STRIDED || destination->twist_count ||
	    source->slot_count != destination->slot_count)
		return false;
	from = layout_storage_relation(source);
	to = layout_storage_relation(destination);
	cells = layout_storage_cells(source);
	others = layout_storage_cells(destination);
	same = from && to && cells && others &&
		layout_relation_equal(from, to, NULL) == LAYOUT_YES &&
		layout_set_equal(cells, others, NULL) == LAYOUT_YES;
	layout_relation_free(from);
	layout_relation_free(to);
	layout_set_free(cells);
	layout_set_free(others);
	return same;
}

bool sides_are_same(const struct sides *sides)
{
	if (!sides_stay(sides))
		return false;
	if ((same_sums(sides) || same_slots(sides) || same_digits(sides)) &&
	    same_cells(sides))
		return true;
	return !sides->remap->map && sides->remap->name_count && same_relation(sides);
}
