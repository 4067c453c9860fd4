/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Twists of slots.  What a twist reads it does not write: an XOR is its own inverse, and
 * a rotation is undone by what is left of a whole turn. */
#include "algebra/storage/twist.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>

/* What undoes a twist. */
static struct storage_twist undone(struct storage_twist twist)
{
	if (twist.times)
		twist.times = twist.radix - twist.times;
	return twist;
}

/* Apply the twists to what they are of, or what undoes them, each in its turn. */
static void walk(const layout_storage *storage, bool reversed,
	void (*apply)(const struct storage_twist *twist, void *subject), void *subject)
{
	unsigned count = storage->twist_count;

	for (unsigned i = 0; i < count; i++) {
		struct storage_twist twist = reversed ?
			undone(storage->twists[count - 1 - i]) : storage->twists[i];

		apply(&twist, subject);
	}
}

/* One twist of the slots of "space", which it consumes, without its limit. */
static isl_multi_aff *function_of(isl_space *space, const struct storage_twist *twist)
{
	isl_multi_aff *one = isl_multi_aff_identity_on_domain_space(
		isl_space_copy(space));
	isl_aff *from = aff_coordinate(space, twist->slot_from);

	one = isl_multi_aff_set_aff(one, (int)twist->slot_to,
		aff_twist(aff_coordinate(space, twist->slot_to), twist->unit_to, from,
			twist->unit_from, twist->radix, twist->times));
	isl_aff_free(from);
	isl_space_free(space);
	return one;
}

static void twist_function(const struct storage_twist *twist, void *subject)
{
	isl_multi_aff **all = subject;

	*all = isl_multi_aff_pullback_multi_aff(
		function_of(isl_multi_aff_get_domain_space(*all), twist), *all);
}

isl_multi_aff *storage_twist_function(const layout_storage *storage, bool reversed)
{
	isl_multi_aff *all = isl_multi_aff_identity_on_domain_space(
		isl_multi_aff_get_domain_space(storage->maps->from_slot));

	walk(storage, reversed, twist_function, &all);
	return all;
}

/* The slots that a twist leaves alone; "slots" loses them. */
static isl_set *take_beyond(const struct storage_twist *twist, isl_set **slots)
{
	isl_val *limit = isl_val_int_from_si(isl_set_get_ctx(*slots), twist->limit);
	isl_set *beyond;

	if (!twist->limit) {
		isl_val_free(limit);
		return isl_set_empty(isl_set_get_space(*slots));
	}
	beyond = isl_set_lower_bound_val(isl_set_copy(*slots), isl_dim_set,
		twist->slot_to, isl_val_copy(limit));
	*slots = isl_set_upper_bound_val(*slots, isl_dim_set, twist->slot_to,
		isl_val_sub_ui(limit, 1));
	return beyond;
}

/* The images of slots: their preimage under what undoes the twist. */
static void twist_set(const struct storage_twist *twist, void *subject)
{
	struct storage_twist back = undone(*twist);
	isl_set **slots = subject, *beyond = take_beyond(&back, slots);

	*slots = isl_set_union(isl_set_preimage_multi_aff(*slots,
		function_of(isl_set_get_space(*slots), &back)), beyond);
}

isl_set *storage_in_memory(const layout_storage *storage, isl_set *slots)
{
	walk(storage, false, twist_set, &slots);
	return slots;
}

/* floor(slot / unit) mod radix; consumes the slot. */
static struct index *digit_of(struct index *slot, int64_t unit, int64_t radix)
{
	return index_binary(INDEX_PMOD, index_binary(INDEX_PDIV, slot, index_int(unit)),
		index_int(radix));
}

/* The slot, consumed, with another digit. */
static struct index *replaced(struct index *slot, const struct storage_twist *twist,
	struct index *digit)
{
	int64_t all = twist->unit_to * twist->radix;
	struct index *above = index_binary(INDEX_MUL, index_binary(INDEX_PDIV,
		index_copy(slot), index_int(all)), index_int(all));
	struct index *below = index_binary(INDEX_PMOD, slot, index_int(twist->unit_to));

	digit = index_binary(INDEX_MUL, digit, index_int(twist->unit_to));
	return index_binary(INDEX_ADD, index_binary(INDEX_ADD, above, digit), below);
}

/* "slot" with its digit twisted by "by"; both consumed. */
static struct index *twisted_index(struct index *slot, const struct storage_twist *twist,
	struct index *by)
{
	struct index *digit;

	if (!twist->times && int_is_power2(twist->unit_to))
		return index_binary(INDEX_XOR, slot,
			index_binary(INDEX_MUL, by, index_int(twist->unit_to)));
	digit = digit_of(index_copy(slot), twist->unit_to, twist->radix);
	if (!twist->times)
		return replaced(slot, twist, index_binary(INDEX_XOR, digit, by));
	digit = index_binary(INDEX_ADD, digit,
		index_binary(INDEX_MUL, by, index_int(twist->times)));
	return replaced(slot, twist,
		index_binary(INDEX_PMOD, digit, index_int(twist->radix)));
}

static void twist_index(const struct storage_twist *twist, void *subject)
{
	struct index **slot = subject, **to = &slot[twist->slot_to];
	struct index *by = digit_of(index_copy(slot[twist->slot_from]), twist->unit_from,
		twist->radix);
	struct index *stays = twist->limit ? index_copy(*to) : NULL;

	*to = twisted_index(*to, twist, by);
	if (twist->limit)
		*to = index_select(index_binary(INDEX_LT, index_copy(stays),
			index_int(twist->limit)), *to, stays);
}

void storage_twist_index(const layout_storage *storage, struct index **slot, bool reversed)
{
	walk(storage, reversed, twist_index, slot);
}

static void twist_slots(const struct storage_twist *twist, void *subject)
{
	int64_t *slot = subject, *to = &slot[twist->slot_to];
	int64_t from = slot[twist->slot_from] / twist->unit_from % twist->radix;
	int64_t digit = *to / twist->unit_to % twist->radix, with;

	if (twist->limit && *to >= twist->limit)
		return;
	with = twist->times ? (int64_t)(((__int128)twist->times * from + digit) %
		twist->radix) : digit ^ from;
	*to += (with - digit) * twist->unit_to;
}

void storage_twist_slots(const layout_storage *storage, int64_t *slot, bool reversed)
{
	walk(storage, reversed, twist_slots, slot);
}

/* Are these the next bits, of the same slots? */
static bool continues(const struct storage_twist *last, const struct storage_twist *next)
{
	return last->slot_to == next->slot_to && last->slot_from == next->slot_from &&
		last->unit_to * last->radix == next->unit_to &&
		last->unit_from * last->radix == next->unit_from;
}

bool twist_list_add(struct twist_list *list, struct storage_twist twist, bool part)
{
	struct storage_twist *grown;

	if (part && continues(&list->twists[list->count - 1], &twist)) {
		list->twists[list->count - 1].radix *= twist.radix;
		return true;
	}
	grown = realloc(list->twists, (list->count + 1) * sizeof(*grown));
	if (!grown) {
		layout_fail(list->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
		return false;
	}
	list->twists = grown;
	grown[list->count++] = twist;
	return true;
}
