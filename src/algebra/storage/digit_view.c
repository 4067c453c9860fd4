/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/digit_view.h"
#include "algebra/storage/digit_number.h"
#include "algebra/storage/sizes.h"
#include "algebra/storage/twist.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Slot k of the storage is slots[first[k]] .. slots[first[k + 1] - 1] of the view, each
 * worth factor[..] steps of it.  "top" is a dimension's outermost slot, of which
 * "extent" says how many steps there are; "step" is what it is worth. */
struct view {
	const struct digit_view_request *request;
	struct digit_scope scope;
	unsigned rank, count;
	struct storage_slot slots[LAYOUT_STORAGE_SLOTS];
	struct storage_part parts[LAYOUT_STORAGE_SLOTS];
	int64_t factor[LAYOUT_STORAGE_SLOTS];
	unsigned first[LAYOUT_STORAGE_SLOTS + 1];
	char **extent, **sizes;
	int64_t *step;
	struct twist_list twists;
};

/* "ceil((M)/128)" of a slot's size, or a number. */
static char *slot_extent(const struct digit_view_request *request, unsigned k,
	int64_t *number)
{
	const struct storage_slot *slot = &request->storage->slots[k];
	const char *size = request->storage->sizes[slot->dim];
	struct layout_buffer out = { 0 };
	int64_t value;

	*number = slot->constant;
	if (!slot->constant && size_is_integer(size, &value))
		*number = value / slot->tile + (value % slot->tile != 0);
	if (slot->constant || size_is_integer(size, &value))
		layout_buffer_printf(&out, "%" PRId64, *number);
	else if (slot->tile == 1)
		layout_buffer_printf(&out, "%s", size);
	else
		layout_buffer_printf(&out, "ceil((%s)/%" PRId64 ")", size, slot->tile);
	return layout_buffer_take(request->storage->ctx, &out);
}

/* Does the condition on the sizes follow from what is known?  Consumes the text. */
static bool follows(const struct digit_view_request *request, char *condition)
{
	layout_context *ctx = request->storage->ctx;
	struct layout_buffer out = { 0 };
	isl_set *set = NULL;
	bool known;
	char *text;

	if (!condition)
		return false;
	size_names_print(&out, (char *const *)(uintptr_t)request->names,
		request->name_count);
	layout_buffer_printf(&out, "{ : %s }", condition);
	text = layout_buffer_take(ctx, &out);
	if (text)
		set = isl_set_read_from_str(bridge_isl(ctx), text);
	known = isl_set_is_subset(request->contract, set) == isl_bool_true;
	isl_set_free(set);
	free(text);
	free(condition);
	return known;
}

static bool divides(const struct digit_view_request *request, const char *extent,
	int64_t by)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "(%s) mod %" PRId64 " = 0", extent, by);
	return follows(request, layout_buffer_take(request->storage->ctx, &out));
}

static int by_factor(const void *a, const void *b)
{
	const struct digit_term *x = a, *y = b;

	return x->factor < y->factor ? 1 : -(x->factor > y->factor);
}

/* A slot of the view that "term" is, of so many steps if that is a number, else of
 * "extent", consumed. */
static bool add_slot(struct view *view, const struct digit_term *term, int64_t number,
	char *extent)
{
	struct layout_buffer out = { 0 };
	unsigned k = view->count;

	if (!extent && number > 0) {
		layout_buffer_printf(&out, "%" PRId64, number);
		extent = layout_buffer_take(view->request->storage->ctx, &out);
	}
	if (!extent || k == LAYOUT_STORAGE_SLOTS ||
	    (term->extent ? term->extent != number : view->extent[term->dim] != NULL)) {
		free(extent);
		return false;
	}
	view->count++;
	view->factor[k] = term->factor;
	view->parts[k] = (struct storage_part){ term->dim, term->step, term->extent };
	view->slots[k] = (struct storage_slot){ term->dim, term->step, term->extent };
	if (term->extent) {
		free(extent);
	} else {
		view->extent[term->dim] = extent;
		view->step[term->dim] = term->step;
	}
	return true;
}

/* The outermost term takes what the others leave of the slot's extent, consumed. */
static bool add_outermost(struct view *view, const struct digit_term *term, int64_t number,
	char *extent)
{
	layout_context *ctx = view->request->storage->ctx;
	struct layout_buffer out = { 0 };
	int64_t value;
	bool whole;

	if (term->factor == 1)
		return add_slot(view, term, number, extent);
	whole = size_is_integer(extent, &value) ? value % term->factor == 0 :
		divides(view->request, extent, term->factor);
	if (whole && !size_is_integer(extent, &value))
		layout_buffer_printf(&out, "floor((%s)/%" PRId64 ")", extent,
			term->factor);
	free(extent);
	if (!whole)
		return false;
	return add_slot(view, term, number / term->factor,
		out.length ? layout_buffer_take(ctx, &out) : NULL);
}

/* Slot k of the storage, which is "number": digits, each worth all of the one inside. */
static bool split_slot(struct view *view, struct digit_number *number, unsigned k)
{
	struct digit_term *terms = number->terms;
	unsigned count = number->count;
	int64_t extent;
	char *text = slot_extent(view->request, k, &extent);

	if (isl_aff_plain_is_zero(number->rest) != isl_bool_true || !text || !count) {
		free(text);
		return !count && extent == 1 &&
			isl_aff_plain_is_zero(number->rest) == isl_bool_true;
	}
	qsort(terms, count, sizeof(*terms), by_factor);
	if (terms[count - 1].factor != 1) {
		free(text);
		return false;
	}
	if (!add_outermost(view, &terms[0], extent, text))
		return false;
	for (unsigned i = 1; i < count; i++)
		if (terms[i - 1].factor % terms[i].factor || !add_slot(view, &terms[i],
		    terms[i - 1].factor / terms[i].factor, NULL))
			return false;
	return true;
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
		int64_t size;

		view->scope.most[d] = INT64_MAX;
		if (size_is_integer(request->index->sizes[d], &size) &&
		    isl_aff_plain_is_zero(view->scope.low[d]) == isl_bool_true)
			view->scope.most[d] = size - 1;
	}
	for (unsigned k = 0; good && k < storage->slot_count; k++) {
		isl_aff *slot = isl_multi_aff_get_aff(slots, (int)k);
		struct digit_number number;

		view->first[k] = view->count;
		good = digit_number_read(&number, &view->scope, slot) &&
			split_slot(view, &number, k);
		digit_number_free(&number);
		isl_aff_free(slot);
	}
	view->first[storage->slot_count] = view->count;
	isl_multi_aff_free(slots);
	return good;
}

/* A dimension of one index has no digits: it gets a slot, outside of all others. */
static bool add_single(struct view *view, unsigned d)
{
	int64_t size;

	if (!size_is_integer(view->request->index->sizes[d], &size) || size != 1 ||
	    view->count == LAYOUT_STORAGE_SLOTS)
		return false;
	for (unsigned k = view->count++; k > 0; k--) {
		view->slots[k] = view->slots[k - 1];
		view->parts[k] = view->parts[k - 1];
		view->factor[k] = view->factor[k - 1];
	}
	for (unsigned k = 0; k <= view->request->storage->slot_count; k++)
		view->first[k]++;
	view->slots[0] = (struct storage_slot){ d, 1, 0 };
	view->parts[0] = (struct storage_part){ d, 1, 0 };
	view->factor[0] = 1;
	view->step[d] = 1;
	view->extent[d] = layout_strdup(view->request->storage->ctx, "1");
	return view->extent[d];
}

/* Do the digits of a dimension follow each other, without gaps, up to the outermost? */
static bool is_complete(const struct view *view, unsigned d)
{
	int64_t step = 1;

	while (step != view->step[d]) {
		unsigned k = 0;

		while (k < view->count && (view->parts[k].dim != d ||
		       view->parts[k].step != step || !view->parts[k].extent))
			k++;
		if (k == view->count || view->parts[k].extent == 1 ||
		    __builtin_mul_overflow(step, view->parts[k].extent, &step))
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
		bool any = view->extent[d];

		for (unsigned k = 0; k < view->count; k++)
			any = any || view->parts[k].dim == d;
		if (!any && !add_single(view, d))
			return false;
		if (!view->extent[d] || !is_complete(view, d))
			return false;
	}
	return is_distinct(view);
}

/* Is there a sum outside of all parentheses? */
static bool is_sum(const char *text)
{
	int depth = 0;

	for (; *text; text++) {
		depth += (*text == '(') - (*text == ')');
		if (!depth && (*text == '+' || *text == '-'))
			return true;
	}
	return false;
}

/* "128*floor((M + P)/128)": as many steps of dimension d. */
static void print_steps(struct layout_buffer *out, const struct view *view, unsigned d)
{
	const char *extent = view->extent[d];
	bool sum = is_sum(extent);

	if (view->step[d] == 1)
		layout_buffer_printf(out, "%s", extent);
	else
		layout_buffer_printf(out, sum ? "%" PRId64 "*(%s)" : "%" PRId64 "*%s",
			view->step[d], extent);
}

/* The size of dimension d: that of the index where x = i and the slots end with it, else
 * up to where the slots do. */
static bool find_size(struct view *view, unsigned d, bool *same)
{
	const struct digit_view_request *request = view->request;
	layout_context *ctx = request->storage->ctx;
	struct layout_buffer out = { 0 };
	int64_t extent, size;
	bool zero = isl_aff_plain_is_zero(view->scope.low[d]) == isl_bool_true;

	if (zero)
		layout_buffer_printf(&out, "ceil((%s)/%" PRId64 ") = %s",
			request->index->sizes[d], view->step[d], view->extent[d]);
	if (zero && follows(request, layout_buffer_take(ctx, &out))) {
		view->sizes[d] = layout_strdup(ctx, request->index->sizes[d]);
		return view->sizes[d];
	}
	*same = false;
	out = (struct layout_buffer){ 0 };
	if (!size_is_integer(view->extent[d], &extent))
		print_steps(&out, view, d);
	else if (!__builtin_mul_overflow(extent, view->step[d], &size))
		layout_buffer_printf(&out, "%" PRId64, size);
	view->sizes[d] = out.length ? layout_buffer_take(ctx, &out) : NULL;
	return view->sizes[d];
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
		isl_aff *sum = isl_aff_zero_on_domain_space(isl_space_copy(from));

		for (unsigned i = view->first[k]; i < view->first[k + 1]; i++)
			sum = isl_aff_set_coefficient_val(sum, isl_dim_in, (int)i,
				isl_val_int_from_si(isl_aff_get_ctx(sum),
					view->factor[i]));
		merge = isl_multi_aff_set_at(merge, (int)k, sum);
	}
	isl_space_free(from);
	return merge;
}

static bool build(struct view *view, struct digit_view *result)
{
	layout_storage *storage = view->request->storage;
	bool same = true, good;

	good = split_slots(view) && check_dims(view) && split_twists(view);
	for (unsigned d = 0; good && d < view->rank; d++)
		good = find_size(view, d, &same);
	if (!good)
		return false;
	result->storage = storage_of_digits(storage->ctx, view->rank,
		(const char *const *)view->sizes, view->count, view->slots, view->parts);
	if (!result->storage)
		return false;
	result->storage->twist_count = view->twists.count;
	result->storage->twists = view->twists.twists;
	view->twists.twists = NULL;
	result->shift = same ? NULL : shift_of(view);
	result->merge = merge_of(view, result);
	return (same || result->shift) && result->merge && is_inside(view, result);
}

static void free_texts(char **texts, unsigned count)
{
	for (unsigned i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
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
		.extent = layout_alloc(ctx, rank, sizeof(char *)),
		.sizes = layout_alloc(ctx, rank, sizeof(char *)),
		.step = layout_alloc(ctx, rank, sizeof(int64_t)) };
	good = v->scope.most && v->extent && v->sizes && v->step && build(v, view);
	if (!good) {
		layout_storage_free(view->storage);
		isl_multi_aff_free(view->shift);
		isl_multi_aff_free(view->merge);
		*view = (struct digit_view){ 0 };
	}
	digit_lows_free(v->scope.low, rank);
	free(v->scope.most);
	free_texts(v->extent, rank);
	free_texts(v->sizes, rank);
	free(v->twists.twists);
	free(v->step);
	free(v);
	return good;
}
