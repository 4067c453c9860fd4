/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/digits/digits.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool digits_begin(struct digits *form, layout_context *ctx, unsigned in_rank,
	unsigned out_rank)
{
	*form = (struct digits){ .ctx = ctx, .in_rank = in_rank,
		.out_rank = out_rank };
	form->extents = layout_alloc(ctx, (size_t)in_rank + out_rank,
		sizeof(*form->extents));
	if (form->extents)
		form->constant = form->extents + in_rank;
	return form->extents;
}

void digits_free(struct digits *form)
{
	free(form->extents);
	free(form->digits);
	free(form->adds);
	*form = (struct digits){ 0 };
}

static bool make_room(struct digits *form)
{
	unsigned room = form->room ? 2 * form->room : 16;
	struct digit *digits;
	int64_t *adds;

	if (form->count < form->room)
		return true;
	digits = layout_alloc(form->ctx, room, sizeof(*digits));
	adds = layout_alloc(form->ctx, (size_t)room * form->out_rank, sizeof(*adds));
	if (!digits || !adds) {
		free(digits);
		free(adds);
		return false;
	}
	if (form->count) {
		memcpy(digits, form->digits, form->count * sizeof(*digits));
		memcpy(adds, form->adds,
			(size_t)form->count * form->out_rank * sizeof(*adds));
	}
	free(form->digits);
	free(form->adds);
	form->digits = digits;
	form->adds = adds;
	form->room = room;
	return true;
}

/* Does the last digit go on as one of the same input that adds this? */
static bool continues(const struct digits *form, unsigned input, const int64_t *adds)
{
	const struct digit *last;
	const int64_t *inner;

	if (!form->count)
		return false;
	last = &form->digits[form->count - 1];
	inner = digits_adds(form, form->count - 1);
	if (last->dim != input)
		return false;
	for (unsigned k = 0; k < form->out_rank; k++)
		if ((__int128)inner[k] * last->radix != adds[k])
			return false;
	return true;
}

bool digits_append(struct digits *form, struct digit digit, const int64_t *adds)
{
	if (digit.radix < 2)
		return true;
	if (continues(form, digit.dim, adds)) {
		form->digits[form->count - 1].radix *= digit.radix;
		return true;
	}
	if (!make_room(form))
		return false;
	form->digits[form->count] = digit;
	for (unsigned k = 0; k < form->out_rank; k++)
		form->adds[(size_t)form->count * form->out_rank + k] = adds[k];
	form->count++;
	return true;
}

bool digits_apply(const struct digits *form, const int64_t *in, int64_t *out)
{
	for (unsigned k = 0; k < form->out_rank; k++)
		out[k] = form->constant[k];
	for (unsigned i = 0; i < form->count; i++) {
		const struct digit *digit = &form->digits[i];
		int64_t value = digit_value(digit, in[digit->dim]);

		for (unsigned k = 0; value && k < form->out_rank; k++)
			if (!int_add_product(&out[k], digits_adds(form, i)[k], value))
				return false;
	}
	return true;
}

bool digits_equal(const struct digits *a, const struct digits *b)
{
	size_t adds = (size_t)a->count * a->out_rank;

	for (unsigned d = 0; d < a->in_rank; d++)
		if (a->extents[d] != b->extents[d])
			return false;
	for (unsigned k = 0; k < a->out_rank; k++)
		if (a->constant[k] != b->constant[k])
			return false;
	for (unsigned i = 0; i < a->count && a->count == b->count; i++)
		if (a->digits[i].dim != b->digits[i].dim ||
		    a->digits[i].step != b->digits[i].step ||
		    a->digits[i].radix != b->digits[i].radix)
			return false;
	return a->count == b->count &&
		(!adds || !memcmp(a->adds, b->adds, adds * sizeof(*a->adds)));
}

bool digits_part(struct digits *part, const struct digits *form, unsigned image)
{
	if (!digits_begin(part, form->ctx, form->in_rank, 1))
		return false;
	memcpy(part->extents, form->extents, form->in_rank * sizeof(*form->extents));
	part->constant[0] = form->constant[image];
	for (unsigned i = 0; i < form->count; i++)
		if (!digits_append(part, form->digits[i],
				digits_adds(form, i) + image))
			return false;
	return true;
}

/* Is an image the first one and "size" times "adds"? */
static bool is_step(const int64_t *first, const int64_t *image, const int64_t *adds,
	unsigned rank, int64_t size)
{
	for (unsigned k = 0; k < rank; k++) {
		int64_t there = first[k];

		if (!int_add_product(&there, adds[k], size) || image[k] != there)
			return false;
	}
	return true;
}

int64_t digits_even_steps(digit_image *at, const void *user, unsigned input, unsigned rank,
	int64_t place, int64_t count, int64_t *adds)
{
	const int64_t *first = at(user, input, 0), *image = at(user, input, place);
	int64_t size = 2;

	for (unsigned k = 0; k < rank; k++)
		if (__builtin_sub_overflow(image[k], first[k], &adds[k]))
			return 0;
	while (size < (count - 1) / place + 1 &&
	       is_step(first, at(user, input, size * place), adds, rank, size))
		size++;
	return size;
}

static bool probe_input(struct digits *form, unsigned input, digit_image *at,
	const void *user, int64_t *adds)
{
	int64_t extent = form->extents[input], done = 1;

	while (done < extent) {
		int64_t size = digits_even_steps(at, user, input, form->out_rank, done,
			extent, adds);
		struct digit digit = { input, done, size };

		if (!size || !digits_append(form, digit, adds))
			return false;
		done *= size;
		if (extent % done == 0)
			continue;
		layout_fail(form->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "input %u goes in even "
			"steps for %" PRId64 " points, and %" PRId64 " does not divide "
			"its %" PRId64 " points", input, done, done, extent);
		return false;
	}
	return true;
}

bool digits_probe(struct digits *form, digit_image *at, const void *user)
{
	int64_t *adds = layout_alloc(form->ctx, form->out_rank, sizeof(*adds));
	bool good = adds;

	for (unsigned d = 0; good && d < form->in_rank; d++)
		good = probe_input(form, d, at, user, adds);
	free(adds);
	return good;
}
