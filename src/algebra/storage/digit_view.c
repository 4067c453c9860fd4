/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/digit_view.h"
#include "algebra/digits/number.h"
#include "algebra/size/affine.h"
#include "algebra/storage/twist.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>

/* A slot that is (x[dim] + the sum of times[d] * x[d]) mod radix; radix 0: it is not. */
struct turn {
	unsigned dim;
	int64_t radix, *times;
};

/* Slot k of the storage is slots[first[k]] .. slots[first[k + 1] - 1] of the view, each
 * worth factor[..] steps of it.  "top" is a dimension's outermost slot, of which
 * "extent" says how many steps there are; "step" is what it is worth. */
struct view {
	const struct digit_view_request *request;
	struct digit_scope scope;
	unsigned rank, count;
	struct storage_slot slots[LAYOUT_STORAGE_SLOTS];
	struct digit parts[LAYOUT_STORAGE_SLOTS];
	int64_t factor[LAYOUT_STORAGE_SLOTS];
	unsigned first[LAYOUT_STORAGE_SLOTS + 1];
	struct size *extent, *sizes;
	int64_t *step;
	struct turn *turns;		/* by slot of the storage */
	struct twist_list twists;
};

/* How many steps slot k has. */
static bool slot_extent(const struct digit_view_request *request, unsigned k,
	struct size *extent)
{
	const struct storage_slot *slot = &request->storage->slots[k];
	const struct size *size = &request->storage->sizes[slot->dim];

	return size_of_aff(request->storage->ctx, slot->constant ?
		isl_aff_val_on_domain_space(isl_aff_get_domain_space(size->aff),
			isl_val_int_from_si(isl_aff_get_ctx(size->aff),
				slot->constant)) : size_ceil(size, slot->tile), extent);
}

/* Does the condition on the sizes follow from what is known?  Consumes it. */
static bool follows(const struct digit_view_request *request, isl_set *condition)
{
	bool known = isl_set_is_subset(request->contract, condition) == isl_bool_true;

	isl_set_free(condition);
	return known;
}

static int by_factor(const void *a, const void *b)
{
	const struct digit_term *x = a, *y = b;

	return x->factor < y->factor ? 1 : -(x->factor > y->factor);
}

/* A slot of the view that "term" is, of so many steps; of an outermost one they are
 * "extent". */
static bool add_slot(struct view *view, const struct digit_term *term, int64_t number,
	const struct size *extent)
{
	layout_context *ctx = view->request->storage->ctx;
	unsigned k = view->count;

	if (k == LAYOUT_STORAGE_SLOTS || (term->digit.radix ? term->digit.radix != number :
	    !extent || view->extent[term->digit.dim].aff))
		return false;
	view->count++;
	view->factor[k] = term->factor;
	view->parts[k] = term->digit;
	view->slots[k] = (struct storage_slot){ term->digit.dim, term->digit.step,
		term->digit.radix };
	if (term->digit.radix)
		return true;
	view->step[term->digit.dim] = term->digit.step;
	return size_copy(ctx, &view->extent[term->digit.dim], extent);
}

/* The outermost term takes what the others leave of the slot's extent. */
static bool add_outermost(struct view *view, const struct digit_term *term,
	const struct size *extent)
{
	struct size whole = { 0 };
	bool good;

	if (term->factor == 1)
		return add_slot(view, term, extent->value, extent);
	good = follows(view->request, size_divided(extent, term->factor)) &&
		size_of_aff(view->request->storage->ctx,
			size_floor(extent, term->factor), &whole) &&
		add_slot(view, term, whole.value, &whole);
	size_free(&whole);
	return good;
}

/* Digits, each worth all of the one inside. */
static bool split_terms(struct view *view, struct digit_number *number,
	const struct size *extent)
{
	struct digit_term *terms = number->terms;
	unsigned count = number->count;
	layout_context *ctx = view->request->storage->ctx;

	qsort(terms, count, sizeof(*terms), by_factor);
	if (terms[count - 1].factor != 1 || !add_outermost(view, &terms[0], extent))
		return false;
	for (unsigned i = 1; i < count; i++) {
		int64_t steps = terms[i - 1].factor / terms[i].factor;
		struct size inner = { 0 };
		bool good = terms[i - 1].factor % terms[i].factor == 0 &&
			size_of_aff(ctx, isl_aff_val_on_domain_space(
				isl_aff_get_domain_space(extent->aff),
				isl_val_int_from_si(bridge_isl(ctx), steps)), &inner) &&
			add_slot(view, &terms[i], steps, &inner);

		size_free(&inner);
		if (!good)
			return false;
	}
	return true;
}

/* Slot k of the storage, which is "number". */
static bool split_slot(struct view *view, struct digit_number *number, unsigned k)
{
	struct size extent = { 0 };
	bool good = isl_aff_plain_is_zero(number->rest) == isl_bool_true &&
		slot_extent(view->request, k, &extent) &&
		(number->count ? split_terms(view, number, &extent) : extent.value == 1);

	size_free(&extent);
	return good;
}

/* The radix, if "slot" is an integer function without floors modulo it, which it is then; else
 * 0. */
static int64_t read_modulo(layout_context *ctx, isl_aff *slot, isl_aff **inside)
{
	int64_t radix = 0;
	isl_aff *div, *sum;

	*inside = NULL;
	if (isl_aff_dim(slot, isl_dim_div) != 1)
		return 0;
	div = isl_aff_get_div(slot, 0);
	if (bridge_int64(ctx, isl_aff_get_denominator_val(div), &radix)) {
		sum = aff_add_scaled(isl_aff_copy(slot), isl_aff_floor(isl_aff_copy(div)),
			radix);
		*inside = aff_scale(isl_aff_copy(div), radix);
		sum = isl_aff_sub(sum, isl_aff_copy(*inside));
		if (isl_aff_plain_is_zero(sum) != isl_bool_true)
			radix = 0;
		isl_aff_free(sum);
	}
	isl_aff_free(div);
	return radix;
}

/* Does a function have no constant and no sizes, and count what begins at 0? */
static bool is_linear(const struct view *view, isl_aff *inside)
{
	isl_val *constant = isl_aff_get_constant_val(inside);
	bool good = isl_val_is_zero(constant) == isl_bool_true &&
		isl_aff_involves_dims(inside, isl_dim_param, 0,
			(unsigned)isl_aff_dim(inside, isl_dim_param)) == isl_bool_false;

	isl_val_free(constant);
	for (unsigned d = 0; good && d < view->rank; d++)
		good = isl_aff_involves_dims(inside, isl_dim_in, d, 1) == isl_bool_false ||
			isl_aff_plain_is_zero(view->scope.low[d]) == isl_bool_true;
	return good;
}

/* What turns the slot: a coordinate of just so many steps is turned by the others. */
static bool read_times(struct view *view, isl_aff *inside, struct turn *turn)
{
	layout_context *ctx = view->request->storage->ctx;
	bool found = false;

	turn->times = layout_alloc(ctx, view->rank, sizeof(*turn->times));
	for (unsigned d = 0; turn->times && d < view->rank; d++) {
		const struct size *size = &view->request->index->sizes[d];
		int64_t times;

		if (!bridge_int64(ctx, isl_aff_get_coefficient_val(inside, isl_dim_in, (int)d),
		    &times))
			return false;
		if (!found && times == 1 && size->number && size->value == turn->radix) {
			turn->dim = d;
			found = true;
		} else {
			turn->times[d] = int_mod(times, turn->radix);
		}
	}
	return found;
}

/* Slot k of the storage, which is "slot", where a row is turned by other coordinates. */
static bool turn_slot(struct view *view, isl_aff *slot, unsigned k)
{
	struct turn *turn = &view->turns[k];
	struct size extent = { 0 };
	isl_aff *inside;
	bool good;

	turn->radix = read_modulo(view->request->storage->ctx, slot, &inside);
	good = turn->radix && is_linear(view, inside) && read_times(view, inside, turn) &&
		slot_extent(view->request, k, &extent) && extent.number &&
		extent.value == turn->radix &&
		add_slot(view, &(struct digit_term){ { turn->dim, 1, 0 }, 0, 1 },
			extent.value, &extent);
	isl_aff_free(inside);
	size_free(&extent);
	if (!good)
		turn->radix = 0;
	return good;
}

static bool split_slots(struct view *view)
{
	const struct digit_view_request *request = view->request;
	layout_storage *storage = request->storage;
	isl_multi_aff *slots = isl_multi_aff_pullback_multi_aff(
		isl_multi_aff_copy(storage->maps->to_slot),
		isl_multi_aff_copy(request->function));
	bool good;

	view->scope.low = digit_lows(storage->ctx, slots);
	good = view->scope.low;
	for (unsigned d = 0; good && d < view->rank; d++) {
		const struct size *size = &request->index->sizes[d];

		view->scope.most[d] = INT64_MAX;
		if (size->number &&
		    isl_aff_plain_is_zero(view->scope.low[d]) == isl_bool_true)
			view->scope.most[d] = size->value - 1;
	}
	for (unsigned k = 0; good && k < storage->slot_count; k++) {
		isl_aff *slot = isl_multi_aff_get_aff(slots, (int)k);
		struct digit_number number;

		view->first[k] = view->count;
		if (!turn_slot(view, slot, k)) {
			good = digit_number_read(&number, &view->scope, slot) &&
				split_slot(view, &number, k);
			digit_number_free(&number);
		}
		isl_aff_free(slot);
	}
	view->first[storage->slot_count] = view->count;
	isl_multi_aff_free(slots);
	return good;
}

/* A dimension of one index has no digits: it gets a slot, outside of all others. */
static bool add_single(struct view *view, unsigned d)
{
	const struct size *size = &view->request->index->sizes[d];

	if (size->value != 1 || view->count == LAYOUT_STORAGE_SLOTS)
		return false;
	for (unsigned k = view->count++; k > 0; k--) {
		view->slots[k] = view->slots[k - 1];
		view->parts[k] = view->parts[k - 1];
		view->factor[k] = view->factor[k - 1];
	}
	for (unsigned k = 0; k <= view->request->storage->slot_count; k++)
		view->first[k]++;
	view->slots[0] = (struct storage_slot){ d, 1, 0 };
	view->parts[0] = (struct digit){ d, 1, 0 };
	view->factor[0] = 1;
	view->step[d] = 1;
	return size_copy(view->request->storage->ctx, &view->extent[d], size);
}

/* Do the digits of a dimension follow each other, without gaps, up to the outermost? */
static bool is_complete(const struct view *view, unsigned d)
{
	int64_t step = 1;

	while (step != view->step[d]) {
		unsigned k = 0;

		while (k < view->count && (view->parts[k].dim != d ||
		       view->parts[k].step != step || !view->parts[k].radix))
			k++;
		if (k == view->count || view->parts[k].radix == 1 ||
		    __builtin_mul_overflow(step, view->parts[k].radix, &step))
			return false;
	}
	return true;
}

/* No digit is there twice. */
static bool is_distinct(const struct view *view)
{
	for (unsigned k = 0; k < view->count; k++)
		for (unsigned i = 0; i < k; i++)
			if (view->parts[i].dim == view->parts[k].dim &&
			    view->parts[i].step == view->parts[k].step)
				return false;
	return true;
}

static bool check_dims(struct view *view)
{
	for (unsigned d = 0; d < view->rank; d++) {
		bool any = view->extent[d].aff;

		for (unsigned k = 0; k < view->count; k++)
			any = any || view->parts[k].dim == d;
		if (!any && !add_single(view, d))
			return false;
		if (!view->extent[d].aff || !is_complete(view, d))
			return false;
	}
	return is_distinct(view);
}

/* The size of dimension d: that of the index where x = i and the slots end with it, else
 * up to where the slots do. */
static bool find_size(struct view *view, unsigned d, bool *same)
{
	const struct size *index = &view->request->index->sizes[d];
	const struct size *extent = &view->extent[d];
	layout_context *ctx = view->request->storage->ctx;
	int64_t steps;

	if (isl_aff_plain_is_zero(view->scope.low[d]) == isl_bool_true &&
	    follows(view->request, size_affs_equal(size_ceil(index, view->step[d]),
			isl_aff_copy(extent->aff))))
		return size_copy(ctx, &view->sizes[d], index);
	*same = false;
	return !(extent->number &&
			__builtin_mul_overflow(extent->value, view->step[d], &steps)) &&
		size_of_aff(ctx, size_scaled(extent, view->step[d]), &view->sizes[d]);
}

/* The slot of the view, and the unit of it, that holds the digit of slot k of that unit
 * and radix whole. */
static bool find_digit(const struct view *view, unsigned k, int64_t unit, int64_t radix,
	unsigned *slot, int64_t *at)
{
	unsigned i = view->first[k + 1];

	while (i > view->first[k] && (unit % view->factor[i - 1] ||
	       (i - 1 > view->first[k] && view->factor[i - 2] % (unit * radix))))
		i--;
	if (i == view->first[k])
		return false;
	*slot = i - 1;
	*at = unit / view->factor[i - 1];
	return true;
}

/* An XOR, bit by bit where slots are split. */
static bool split_xor(struct view *view, const struct storage_twist *by)
{
	for (int64_t bit = 1; bit < by->radix; bit *= 2) {
		struct storage_twist one = { .radix = 2 };

		if (!find_digit(view, by->slot_to, by->unit_to * bit, 2, &one.slot_to,
				&one.unit_to) ||
		    !find_digit(view, by->slot_from, by->unit_from * bit, 2,
				&one.slot_from, &one.unit_from) ||
		    !twist_list_add(&view->twists, one, bit > 1))
			return false;
	}
	return true;
}

/* A rotation, by each part of the digit that it reads on its own. */
static bool split_rotation(struct view *view, const struct storage_twist *by)
{
	struct storage_twist one = { .radix = by->radix };
	unsigned i = view->first[by->slot_from], end = view->first[by->slot_from + 1];

	if (!find_digit(view, by->slot_to, by->unit_to, by->radix, &one.slot_to,
	    &one.unit_to))
		return false;
	for (bool last = false; i < end && !last; i++) {
		int64_t factor = view->factor[i], turns = factor / by->unit_from;

		last = factor <= by->unit_from;
		if (last ? by->unit_from % factor : factor % by->unit_from)
			return false;
		one.slot_from = i;
		one.unit_from = last ? by->unit_from / factor : 1;
		one.times = last ? by->times : (int64_t)((__int128)by->times * turns %
			by->radix);
		if (one.times && !twist_list_add(&view->twists, one, false))
			return false;
	}
	return true;
}

/* The slots that are turned, by each slot that turns them. */
static bool add_turns(struct view *view)
{
	bool good = true;

	for (unsigned k = 0; k < view->request->storage->slot_count; k++) {
		const struct turn *turn = &view->turns[k];

		for (unsigned i = 0; turn->radix && good && i < view->count; i++) {
			int64_t times = (int64_t)((__int128)turn->times[view->parts[i].dim] *
				view->parts[i].step % turn->radix);

			good = !times || twist_list_add(&view->twists,
				(struct storage_twist){ .slot_to = view->first[k],
				.slot_from = i, .unit_to = 1, .unit_from = 1,
				.radix = turn->radix, .times = times }, false);
		}
	}
	return good;
}

/* The storage's twists where its slots are split.  One that has a limit is not looked
 * for. */
static bool split_twists(struct view *view)
{
	const layout_storage *storage = view->request->storage;
	bool good = true;

	for (unsigned x = 0; good && x < storage->twist_count; x++) {
		const struct storage_twist *by = &storage->twists[x];

		good = !by->limit && (by->times ? split_rotation : split_xor)(view, by);
	}
	return good;
}

/* i -> i + low */
static isl_multi_aff *shift_of(struct view *view)
{
	isl_space *space = isl_space_domain(
		isl_multi_aff_get_space(view->request->function));
	isl_multi_aff *shift = isl_multi_aff_identity_on_domain_space(space);

	for (unsigned d = 0; d < view->rank; d++)
		shift = isl_multi_aff_set_at(shift, (int)d, isl_aff_add(
			isl_multi_aff_get_at(shift, (int)d),
			isl_aff_copy(view->scope.low[d])));
	return shift;
}

/* All x of the index are inside of the view. */
static bool is_inside(struct view *view, const struct digit_view *is)
{
	const struct digit_view_request *request = view->request;
	isl_set *index, *box;
	bool inside;

	if (!is->shift)
		return true;
	index = isl_set_intersect_params(isl_set_copy(request->index->maps->logical),
		isl_set_copy(request->contract));
	box = isl_set_preimage_multi_aff(isl_set_copy(is->storage->maps->logical),
		isl_multi_aff_copy(is->shift));
	inside = isl_set_is_subset(index, box) == isl_bool_true;
	isl_set_free(index);
	isl_set_free(box);
	return inside;
}

/* slot of the view -> slot of the storage: digits by what they are worth */
static isl_multi_aff *merge_of(struct view *view, const struct digit_view *is)
{
	isl_space *from = isl_space_range(isl_multi_aff_get_space(
		is->storage->maps->to_slot));
	isl_space *to = isl_space_range(isl_multi_aff_get_space(
		view->request->storage->maps->to_slot));
	isl_multi_aff *merge = isl_multi_aff_zero(
		isl_space_map_from_domain_and_range(isl_space_copy(from), to));

	for (unsigned k = 0; k < view->request->storage->slot_count; k++) {
		isl_aff *sum = aff_number(from, 0);

		for (unsigned i = view->first[k]; i < view->first[k + 1]; i++)
			sum = aff_add_scaled(sum, aff_coordinate(from, i), view->factor[i]);
		merge = isl_multi_aff_set_at(merge, (int)k, sum);
	}
	isl_space_free(from);
	return merge;
}

static bool build(struct view *view, struct digit_view *result)
{
	layout_storage *storage = view->request->storage;
	bool same = true, good;

	good = split_slots(view) && check_dims(view) && add_turns(view) && split_twists(view);
	for (unsigned d = 0; good && d < view->rank; d++)
		good = find_size(view, d, &same);
	if (!good)
		return false;
	result->storage = storage_of_digits(storage->ctx, view->rank,
		view->sizes, view->count, view->slots, view->parts);
	if (!result->storage)
		return false;
	result->storage->twist_count = view->twists.count;
	result->storage->twists = view->twists.twists;
	view->twists.twists = NULL;
	result->shift = same ? NULL : shift_of(view);
	result->merge = merge_of(view, result);
	return (same || result->shift) && result->merge && is_inside(view, result);
}

bool digit_view_build(struct digit_view *view, const struct digit_view_request *request)
{
	layout_context *ctx = request->storage->ctx;
	unsigned rank = request->index->rank;
	struct view *v = layout_alloc(ctx, 1, sizeof(*v));
	bool good = v && request->storage->kind != LAYOUT_STORAGE_STRIDED;

	*view = (struct digit_view){ 0 };
	if (!good) {
		free(v);
		return false;
	}
	*v = (struct view){ .request = request, .rank = rank, .twists = { .ctx = ctx },
		.scope = { rank, NULL, layout_alloc(ctx, rank, sizeof(int64_t)) },
		.extent = layout_alloc(ctx, rank, sizeof(struct size)),
		.sizes = layout_alloc(ctx, rank, sizeof(struct size)),
		.step = layout_alloc(ctx, rank, sizeof(int64_t)),
		.turns = layout_alloc(ctx, request->storage->slot_count, sizeof(struct turn)) };
	good = v->scope.most && v->extent && v->sizes && v->step && v->turns && build(v, view);
	if (!good) {
		layout_storage_free(view->storage);
		isl_multi_aff_free(view->shift);
		isl_multi_aff_free(view->merge);
		*view = (struct digit_view){ 0 };
	}
	digit_lows_free(v->scope.low, rank);
	free(v->scope.most);
	size_list_free(v->extent, rank);
	size_list_free(v->sizes, rank);
	free(v->twists.twists);
	free(v->step);
	for (unsigned k = 0; v->turns && k < request->storage->slot_count; k++)
		free(v->turns[k].times);
	free(v->turns);
	free(v);
	return good;
}
