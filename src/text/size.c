/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes, "K + Q", "128*A", "2*M - 1": affine expressions of integers and names,
 * read into a linear form and written back with each name once.
 *
 *	SUM = PRODUCT {("+" | "-") PRODUCT}    PRODUCT = FACTOR {"*" FACTOR}
 *	FACTOR = INT | NAME | "-" FACTOR | "(" SUM ")" */
#include "text/notations.h"

#include <string.h>

#define NAME_LIMIT 32

/* factor * name + .. + constant, names in order of first appearance. */
struct linear {
	unsigned count;
	struct text_token names[NAME_LIMIT];
	int64_t factors[NAME_LIMIT];
	int64_t constant;
};

static bool read_sum(struct text_cursor *cursor, struct linear *sum);

/* Numbers whose negative does not exist could not be written back. */
static bool checked(struct text_cursor *cursor, bool overflow, int64_t value)
{
	if (!overflow && value != INT64_MIN)
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_OVERFLOW, text_position(cursor),
		"the size before here does not fit 64 bits");
	return false;
}

static unsigned find_name(const struct text_cursor *cursor, const struct linear *linear,
	struct text_token name)
{
	unsigned i = 0;

	while (i < linear->count && (linear->names[i].length != name.length ||
			memcmp(cursor->text + linear->names[i].begin,
				cursor->text + name.begin, name.length) != 0))
		i++;
	return i;
}

/* sum += sign * term */
static bool add(struct text_cursor *cursor, struct linear *sum, int64_t sign,
	const struct linear *term)
{
	int64_t product;
	bool overflow = __builtin_mul_overflow(term->constant, sign, &product) ||
		__builtin_add_overflow(sum->constant, product, &sum->constant);

	if (!checked(cursor, overflow, sum->constant))
		return false;
	for (unsigned i = 0; i < term->count; i++) {
		unsigned at = find_name(cursor, sum, term->names[i]);

		if (at == sum->count) {
			if (!text_room(cursor, at, NAME_LIMIT))
				return false;
			sum->names[at] = term->names[i];
			sum->factors[at] = 0;
			sum->count++;
		}
		overflow = __builtin_mul_overflow(term->factors[i], sign, &product) ||
			__builtin_add_overflow(sum->factors[at], product,
				&sum->factors[at]);
		if (!checked(cursor, overflow, sum->factors[at]))
			return false;
	}
	return true;
}

static bool scale(struct text_cursor *cursor, struct linear *linear, int64_t by)
{
	bool overflow = __builtin_mul_overflow(linear->constant, by, &linear->constant);

	if (!checked(cursor, overflow, linear->constant))
		return false;
	for (unsigned i = 0; i < linear->count; i++) {
		overflow = __builtin_mul_overflow(linear->factors[i], by,
			&linear->factors[i]);
		if (!checked(cursor, overflow, linear->factors[i]))
			return false;
	}
	return true;
}

static bool read_name(struct text_cursor *cursor, struct linear *factor)
{
	struct text_token name = cursor->token;

	if (!layout_is_plain_name(cursor->text + name.begin, name.length)) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
			"`%.*s` cannot be the name of a size",
			name.length > 32 ? 32 : (int)name.length,
			cursor->text + name.begin);
		return false;
	}
	*factor = (struct linear){ .count = 1, .names = { name }, .factors = { 1 } };
	text_advance(cursor);
	return true;
}

static bool read_factor(struct text_cursor *cursor, struct linear *factor)
{
	bool good;

	*factor = (struct linear){ 0 };
	if (cursor->token.kind == TEXT_INT)
		return text_integer(cursor, &factor->constant);
	if (cursor->token.kind == TEXT_NAME)
		return read_name(cursor, factor);
	if (!text_at(cursor, "-") && !text_at(cursor, "("))
		return text_expected(cursor, "a size");
	if (!text_enter(cursor))
		return false;
	if (text_skip(cursor, "-"))
		good = read_factor(cursor, factor) && scale(cursor, factor, -1);
	else
		good = text_take(cursor, "(") && read_sum(cursor, factor) &&
			text_take(cursor, ")");
	text_leave(cursor);
	return good;
}

static bool read_product(struct text_cursor *cursor, struct linear *product)
{
	struct linear factor;
	long position;

	if (!read_factor(cursor, product))
		return false;
	for (;;) {
		position = text_position(cursor);
		if (!text_skip(cursor, "*"))
			return true;
		if (!read_factor(cursor, &factor))
			return false;
		if (factor.count && product->count) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
				"a product of two names is not affine");
			return false;
		}
		if (factor.count) {
			struct linear other = *product;

			*product = factor;
			factor = other;
		}
		if (!scale(cursor, product, factor.constant))
			return false;
	}
}

static bool read_sum(struct text_cursor *cursor, struct linear *sum)
{
	struct linear term;
	int64_t sign;

	if (!read_product(cursor, sum))
		return false;
	for (;;) {
		sign = text_at(cursor, "+") ? 1 : -1;
		if (!text_skip(cursor, "+") && !text_skip(cursor, "-"))
			return true;
		if (!read_product(cursor, &term) || !add(cursor, sum, sign, &term))
			return false;
	}
}

static void print_term(struct layout_buffer *out, int64_t factor, const char *name,
	size_t length)
{
	int64_t size = factor < 0 ? -factor : factor;

	if (factor == 0)
		return;
	layout_buffer_printf(out, "%s", out->length ? (factor < 0 ? " - " : " + ") :
		(factor < 0 ? "-" : ""));
	if (!length)
		layout_buffer_printf(out, "%lld", (long long)size);
	else if (size != 1)
		layout_buffer_printf(out, "%lld*", (long long)size);
	layout_buffer_append(out, name, length);
}

char *text_size(struct text_cursor *cursor)
{
	struct layout_buffer out = { 0 };
	long position = text_position(cursor);
	struct linear size;
	bool constant = true;

	if (!read_sum(cursor, &size))
		return NULL;
	for (unsigned i = 0; i < size.count; i++) {
		constant = constant && size.factors[i] == 0;
		print_term(&out, size.factors[i], cursor->text + size.names[i].begin,
			size.names[i].length);
	}
	if (constant && size.constant < 0) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"a size or stride must be at least 0, not %lld",
			(long long)size.constant);
		return NULL;
	}
	if (constant && size.constant == 0)
		layout_buffer_printf(&out, "0");
	print_term(&out, size.constant, "", 0);
	return layout_buffer_take(cursor->ctx, &out);
}
