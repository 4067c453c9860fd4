/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Swizzling a storage: the digits of a number, found among those of its slots.
 *
 * The number, an offset or that of an index, is the sum of slot * pitch.  Its digit of a
 * radix worth w = u * pitch[k] is that worth u of slot k where the slots inside reach less
 * than pitch[k] and the pitches outside are multiples of radix * w.  An XOR is of
 * bits, each wherever it may be; a rotation needs the digit that it moves whole. */
#include "algebra/cute/swizzle.h"
#include "algebra/storage/number_slots.h"
#include "algebra/storage/twist.h"
#include "algebra/swizzle_attr.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdlib.h>

/* number's digit worth "to" is XOR-ed, or rotated, by its digit worth "from". */
struct number_twist {
	int64_t to, from, radix;
	bool rotates;
};

/* The slots, and the twists as they are found. */
struct search {
	struct number_slots number;
	struct twist_list list;
};

static const char *number_name(const struct search *search)
{
	return search->number.of == LAYOUT_SWIZZLED_INDEX ? "index number" : "offset";
}

/* The number's digit is in no slot. */
static void fail_digit(struct search *search, int64_t worth, int64_t radix)
{
	struct layout_buffer digit = { 0 };
	char *text;

	layout_buffer_printf(&digit, radix == 2 ? "bit" : "digit of radix %" PRId64, radix);
	text = layout_buffer_take(search->number.storage->ctx, &digit);
	if (text)
		layout_fail(search->number.storage->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"the swizzle reaches the %s worth %" PRId64 " of an %s, which lies in"
			" no one dimension in memory: digits carry where %s outside of it is"
			" no multiple of %" PRId64 ", or known only at run time", text, worth,
			number_name(search), search->number.of == LAYOUT_SWIZZLED_INDEX ?
			"what a step is worth" : "a pitch", number_times(worth, radix));
	free(text);
}

/* The slot and the unit of it that the number's digit is. */
static bool find_digit(struct search *search, int64_t worth, int64_t radix,
	const struct slot_facts **found, int64_t *unit)
{
	int64_t all = number_times(worth, radix);

	for (unsigned k = search->number.count; all > 0 && k-- > 0;) {
		const struct slot_facts *facts = &search->number.facts[k];

		if (facts->pitch <= 0 || !facts->apart || worth % facts->pitch ||
		    facts->outside % all)
			continue;
		*found = facts;
		*unit = worth / facts->pitch;
		return true;
	}
	fail_digit(search, worth, radix);
	return false;
}

/* Elements stay in the storage where whatever the digit is part of is there whole. */
static bool check_target(struct search *search, const struct slot_facts *facts,
	int64_t unit, int64_t radix)
{
	struct digit part = storage_part(search->number.storage, facts->slot);

	if (facts->whole % (unit * radix) == 0)
		return true;
	if (search->number.of == LAYOUT_SWIZZLED_INDEX)
		layout_fail(search->number.storage->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"the swizzle moves elements beyond the storage: the size of dimension"
			" %u, %s, is no multiple of %" PRId64, part.dim,
			search->number.storage->sizes[part.dim].text,
			part.step * unit * radix);
	else
		layout_fail(search->number.storage->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"the swizzle moves elements beyond the storage: the extent of"
			" dimension %u in memory is no multiple of %" PRId64 "%s",
			facts->slot, unit * radix, facts->extent < 0 ?
			", or is one only at run time" : "");
	return false;
}

/* The digit that is written. */
static bool find_target(struct search *search, int64_t worth, int64_t radix,
	struct storage_twist *twist)
{
	const struct slot_facts *facts;

	if (!find_digit(search, worth, radix, &facts, &twist->unit_to) ||
	    !check_target(search, facts, twist->unit_to, radix))
		return false;
	twist->slot_to = facts->slot;
	return true;
}

/* The number of every slot is below that: its digits from there on are 0. */
static bool is_below(const struct search *search, int64_t worth)
{
	const struct slot_facts *outermost = search->number.facts;
	int64_t reach;

	if (!search->number.count)
		return false;
	reach = outermost->inside;
	return outermost->extent > 0 && outermost->pitch >= 0 && reach != INT64_MAX &&
		int_add_product(&reach, outermost->extent - 1, outermost->pitch) &&
		worth > reach;
}

static bool add_xor(struct search *search, struct number_twist by)
{
	for (int64_t bit = 1; bit < by.radix &&
	     !is_below(search, number_times(by.from, bit)); bit *= 2) {
		struct storage_twist twist = { .radix = 2 };
		const struct slot_facts *from;

		if (!find_target(search, number_times(by.to, bit), 2, &twist) ||
		    !find_digit(search, number_times(by.from, bit), 2, &from, &twist.unit_from))
			return false;
		twist.slot_from = from->slot;
		if (!twist_list_add(&search->list, twist, bit > 1))
			return false;
	}
	return true;
}

/* The part that slot k has in floor(number / from) mod radix: 0, and all inside too, ends
 * the search. */
enum share { SHARE_NONE, SHARE_WHOLE, SHARE_LAST, SHARE_CARRIES };

static enum share share_of(const struct slot_facts *facts, struct number_twist by,
	struct storage_twist *twist)
{
	int64_t pitch = facts->pitch, reach = facts->inside;

	if (facts->extent == 1 || !pitch || facts->divisor % (by.from * by.radix) == 0)
		return SHARE_NONE;
	twist->slot_from = facts->slot;
	if (pitch > 0 && pitch % by.from == 0) {
		twist->unit_from = 1;
		twist->times = pitch / by.from % by.radix;
		return SHARE_WHOLE;
	}
	twist->times = 0;
	if (pitch > 0 && facts->extent >= 0 && reach != INT64_MAX &&
	    int_add_product(&reach, facts->extent ? facts->extent - 1 : 0, pitch) &&
	    reach < by.from)
		return SHARE_LAST;
	if (pitch <= 0 || !facts->apart || by.from % pitch)
		return SHARE_CARRIES;
	twist->unit_from = by.from / pitch;
	twist->times = 1;
	return SHARE_LAST;
}

/* Slots that are whole multiples of what the digit read is worth rotate one by one, by
 * what a step of each is worth; of the others one may have the rest of it. */
static bool add_rotation(struct search *search, struct number_twist by)
{
	struct storage_twist twist = { .radix = by.radix };
	enum share share = SHARE_NONE;

	if (by.radix == 1 || is_below(search, by.from))
		return true;
	if (!find_target(search, by.to, by.radix, &twist))
		return false;
	for (unsigned k = 0; k < search->number.count && share != SHARE_LAST; k++) {
		share = share_of(&search->number.facts[k], by, &twist);
		if (share == SHARE_CARRIES) {
			layout_fail(search->number.storage->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
				"the swizzle rotates by floor(%s / %" PRId64 "), to which the"
				" dimensions in memory carry: what a step of dimension %u is"
				" worth is no multiple of it, nor divides it, or is known"
				" only at run time", number_name(search), by.from,
				search->number.facts[k].slot);
			return false;
		}
		if (share != SHARE_NONE && twist.times &&
		    !twist_list_add(&search->list, twist, false))
			return false;
	}
	return true;
}

/* Keep what was said, for printing. */
static bool add_text(layout_storage *storage, char *text)
{
	char **grown = text ? realloc(storage->swizzles,
		(storage->swizzle_count + 1) * sizeof(*grown)) : NULL;

	if (!grown) {
		if (text)
			layout_fail(storage->ctx, LAYOUT_ERROR_MEMORY, -1,
				"out of memory");
		free(text);
		return false;
	}
	storage->swizzles = grown;
	grown[storage->swizzle_count++] = text;
	return true;
}

/* A swizzle of offsets comes after those that are there, one of indices before. */
static bool join_twists(layout_storage *storage, struct twist_list *found, bool before)
{
	struct twist_list old = { storage->ctx, storage->twist_count, storage->twists };
	struct twist_list *first = before ? found : &old, *second = before ? &old : found;
	bool ok = true;

	for (unsigned i = 0; ok && i < second->count; i++)
		ok = twist_list_add(first, second->twists[i], false);
	free(second->twists);
	storage->twist_count = first->count;
	storage->twists = first->twists;
	return ok;
}

/* Of a slot whose last digits are not whole, elements are in whole ones. */
static void find_limits(struct search *search)
{
	for (unsigned i = 0; i < search->list.count; i++) {
		struct storage_twist *twist = &search->list.twists[i];
		const struct slot_facts *facts = search->number.facts;

		while (facts->slot != twist->slot_to)
			facts++;
		if (facts->extent > 0 && facts->extent % (twist->unit_to * twist->radix))
			twist->limit = facts->whole;
	}
}

/* Consumes the storage and the text. */
static layout_storage *swizzle(layout_storage *storage, layout_swizzled_number of,
	struct number_twist by, char *text)
{
	struct search search = { .list = { .ctx = storage->ctx } };
	bool ok = number_slots_find(&search.number, storage, of) &&
		(by.rotates ? add_rotation : add_xor)(&search, by);

	if (ok)
		find_limits(&search);
	number_slots_free(&search.number);
	ok = join_twists(storage, &search.list, of == LAYOUT_SWIZZLED_INDEX) && ok;
	if (add_text(storage, text) && ok)
		return storage;
	layout_storage_free(storage);
	return NULL;
}

/* "WHAT", as the storage prints it. */
static char *swizzle_text(layout_context *ctx, const char *what,
	layout_swizzled_number of)
{
	struct layout_buffer text = { 0 };

	if (!what)
		return NULL;
	layout_buffer_printf(&text, "%s%s", what,
		of == LAYOUT_SWIZZLED_INDEX ? ", of = index" : "");
	return layout_buffer_take(ctx, &text);
}

static bool check_number(layout_context *ctx, layout_swizzled_number of)
{
	if (of == LAYOUT_SWIZZLED_OFFSET || of == LAYOUT_SWIZZLED_INDEX)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
		"a swizzle is of offsets or of index numbers: no number %d", (int)of);
	return false;
}

layout_storage *layout_storage_swizzled(layout_storage *storage, layout_swizzle *by,
	layout_swizzled_number of)
{
	layout_storage *result = NULL;
	struct number_twist twist;
	char *what;

	if (!storage || !by || !bridge_contexts_meet(storage->ctx, by->ctx) ||
	    !check_number(storage->ctx, of))
		goto done;
	twist = (struct number_twist){ by->access_width,
		by->row_stride * by->per_phase, by->columns, by->rotates };
	what = layout_swizzle_str(by);
	result = swizzle(storage, of, twist, swizzle_text(storage->ctx, what, of));
	free(what);
	storage = NULL;
done:
	layout_storage_free(storage);
	layout_swizzle_free(by);
	return result;
}

layout_storage *layout_storage_swizzled_bits(layout_storage *storage, int bits,
	int base, int shift, layout_swizzled_number of)
{
	struct layout_buffer what = { 0 };
	struct number_twist twist;
	char *text;

	if (!storage)
		return NULL;
	if (!cute_swizzle_check(storage->ctx,
		(layout_cute_swizzle){ bits, base, shift, 0 }) ||
	    !check_number(storage->ctx, of)) {
		layout_storage_free(storage);
		return NULL;
	}
	twist = (struct number_twist){
		(int64_t)1 << (shift < 0 ? base - shift : base),
		(int64_t)1 << (shift < 0 ? base : base + shift),
		(int64_t)1 << bits, false };
	layout_buffer_printf(&what, "Sw<%d,%d,%d>", bits, base, shift);
	text = layout_buffer_take(storage->ctx, &what);
	storage = swizzle(storage, of, twist, swizzle_text(storage->ctx, text, of));
	free(text);
	return storage;
}
