/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From digits of a number to other ones. */
#include "text/body/body.h"

struct body_value *body_linear(struct body *body, const struct body_digits *digits,
	unsigned first, unsigned count)
{
	struct body_value *sum = body_copy(digits->indices[first]), *scaled, *next;

	for (unsigned i = first + 1; sum && i < first + count; i++) {
		int64_t size;

		if (!body_constant(digits->sizes[i], &size)) {
			body_value_free(sum);
			return NULL;
		}
		scaled = body_compute(body, BODY_MULTIPLY, sum, digits->sizes[i]);
		next = body_compute(body, BODY_ADD, scaled, digits->indices[i]);
		body_value_free(sum);
		body_value_free(scaled);
		sum = next;
	}
	return sum;
}

/* The digits "first" .. before "end" of both sides, and the products of their sizes. */
struct group {
	unsigned from, from_end, to, to_end;
	struct body_value *from_size, *to_size;
};

/* One more digit at the front; false where there is none, or its size would make the
 * product no affine one. */
static bool extend(struct body *body, const struct body_digits *digits, unsigned *first,
	struct body_value **size)
{
	const struct body_value *more = *first ? digits->sizes[*first - 1] : NULL;
	struct body_value *product;
	int64_t number;

	if (!more || (*size && !body_constant(*size, &number) &&
			!body_constant(more, &number)))
		return false;
	product = *size ? body_compute(body, BODY_MULTIPLY, *size, more) : body_copy(more);
	body_value_free(*size);
	*size = product;
	--*first;
	return product;
}

/* Take digits on both sides until their products are the same; false where they never
 * are. */
static bool meet(struct body *body, const struct body_digits *from,
	const struct body_digits *to, struct group *group)
{
	bool good = extend(body, from, &group->from, &group->from_size) &&
		extend(body, to, &group->to, &group->to_size);

	while (good && !body_same(group->from_size, group->to_size)) {
		int64_t a, b;
		bool a_is = body_constant(group->from_size, &a);
		bool b_is = body_constant(group->to_size, &b);

		if (!a_is && !b_is)
			return false;
		good = a_is && (!b_is || a < b) ?
			extend(body, from, &group->from, &group->from_size) :
			extend(body, to, &group->to, &group->to_size);
	}
	return good;
}

/* (number / weight) mod size, where the first digit of a group is what is left. */
static struct body_value *digit(struct body *body, const struct body_value *number,
	const struct body_value *weight, const struct body_value *size)
{
	struct body_value *quotient = body_compute(body, BODY_FLOOR, number, weight), *digit;

	if (!size)
		return quotient;
	digit = body_compute(body, BODY_MOD, quotient, size);
	body_value_free(quotient);
	return digit;
}

static bool split(struct body *body, const struct body_value *number, struct body_digits *to,
	const struct group *group)
{
	struct body_value *weight = body_number(body, 1), *next;

	for (unsigned i = group->to_end; weight && i-- > group->to;) {
		to->indices[i] = digit(body, number, weight, i > group->to ? to->sizes[i] :
			NULL);
		next = to->indices[i] && i > group->to ?
			body_compute(body, BODY_MULTIPLY, weight, to->sizes[i]) : NULL;
		body_value_free(weight);
		weight = next;
	}
	body_value_free(weight);
	return to->indices[group->to];
}

static bool convert(struct body *body, const struct body_digits *from,
	struct body_digits *to, const struct group *group)
{
	struct body_value *number = body_linear(body, from, group->from,
		group->from_end - group->from);
	bool good = number && split(body, number, to, group);

	body_value_free(number);
	return good;
}

bool body_regroup(struct body *body, const struct body_digits *from, struct body_digits *to)
{
	unsigned from_end = from->count, to_end = to->count;
	bool good = true;

	while (good && to_end) {
		struct group group = { from_end, from_end, to_end, to_end, NULL, NULL };

		if (!meet(body, from, to, &group) || !group.from || !group.to)
			group.from = group.to = 0;
		good = from_end && convert(body, from, to, &group);
		body_value_free(group.from_size);
		body_value_free(group.to_size);
		from_end = group.from;
		to_end = group.to;
	}
	return good || body_not_affine(body);
}
