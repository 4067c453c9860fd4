/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes, "K + Q", "128*A", "2*M - 1", "floor((M + P)/128)": quasi-affine expressions of
 * integers and names, read into a linear form and written back with each name once.
 *
 *	SUM = PRODUCT {("+" | "-") PRODUCT}
 *	PRODUCT = FACTOR {"*" FACTOR | ("mod" | "floordiv" | "ceildiv") INT}
 *	FACTOR = INT | NAME | "-" FACTOR | "(" SUM ")" | QUOTIENT
 *	QUOTIENT = ("floor" | "ceil") "(" PRODUCT "/" INT ")"
 *
 * A name that a definition says is the SUM there. */
#include "algebra/size/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LIMIT 32
#define ATOM_LIMIT 64

/* Names and quotients, in their normal form, in order of first appearance. */
struct reader {
	struct text_cursor *cursor;
	unsigned count;
	char *atoms[ATOM_LIMIT];
};

/* factor * atom + .. + constant, atoms in order of first appearance. */
struct linear {
	unsigned count;
	unsigned atoms[NAME_LIMIT];
	int64_t factors[NAME_LIMIT];
	int64_t constant;
};

static bool read_sum(struct reader *reader, struct linear *sum);
static bool read_product(struct reader *reader, struct linear *product);
static bool read_factor(struct reader *reader, struct linear *factor);

/* Numbers whose negative does not exist could not be written back. */
static bool checked(struct reader *reader, bool overflow, int64_t value)
{
	if (!overflow && value != INT64_MIN)
		return true;
	layout_fail(reader->cursor->ctx, LAYOUT_ERROR_OVERFLOW,
		text_position(reader->cursor),
		"the size before here does not fit 64 bits");
	return false;
}

static unsigned find_atom(const struct linear *linear, unsigned atom)
{
	unsigned i = 0;

	while (i < linear->count && linear->atoms[i] != atom)
		i++;
	return i;
}

/* sum += sign * term */
static bool add(struct reader *reader, struct linear *sum, int64_t sign,
	const struct linear *term)
{
	int64_t product;
	bool overflow = __builtin_mul_overflow(term->constant, sign, &product) ||
		__builtin_add_overflow(sum->constant, product, &sum->constant);

	if (!checked(reader, overflow, sum->constant))
		return false;
	for (unsigned i = 0; i < term->count; i++) {
		unsigned at = find_atom(sum, term->atoms[i]);

		if (at == sum->count) {
			if (!text_room(reader->cursor, at, NAME_LIMIT))
				return false;
			sum->atoms[at] = term->atoms[i];
			sum->factors[at] = 0;
			sum->count++;
		}
		overflow = __builtin_mul_overflow(term->factors[i], sign, &product) ||
			__builtin_add_overflow(sum->factors[at], product,
				&sum->factors[at]);
		if (!checked(reader, overflow, sum->factors[at]))
			return false;
	}
	return true;
}

static bool scale(struct reader *reader, struct linear *linear, int64_t by)
{
	bool overflow = __builtin_mul_overflow(linear->constant, by, &linear->constant);

	if (!checked(reader, overflow, linear->constant))
		return false;
	for (unsigned i = 0; i < linear->count; i++) {
		overflow = __builtin_mul_overflow(linear->factors[i], by,
			&linear->factors[i]);
		if (!checked(reader, overflow, linear->factors[i]))
			return false;
	}
	return true;
}

/* A name or quotient that nothing is added to.  Consumes the text. */
static bool take_atom(struct reader *reader, char *text, struct linear *factor)
{
	unsigned i = 0;

	while (text && i < reader->count && strcmp(reader->atoms[i], text) != 0)
		i++;
	if (!text || (i == reader->count &&
	    !text_room(reader->cursor, i, ATOM_LIMIT))) {
		free(text);
		return false;
	}
	if (i == reader->count)
		reader->atoms[reader->count++] = text;
	else
		free(text);
	*factor = (struct linear){ .count = 1, .atoms = { i }, .factors = { 1 } };
	return true;
}

static bool read_name(struct reader *reader, struct linear *factor)
{
	struct text_cursor *cursor = reader->cursor;
	struct text_token name = cursor->token;
	struct layout_buffer text = { 0 };

	if (!layout_is_plain_name(cursor->text + name.begin, name.length)) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
			"`%.*s` cannot be the name of a size",
			name.length > 32 ? 32 : (int)name.length,
			cursor->text + name.begin);
		return false;
	}
	layout_buffer_append(&text, cursor->text + name.begin, name.length);
	text_advance(cursor);
	return take_atom(reader, layout_buffer_take(cursor->ctx, &text), factor);
}

/* What a definition says of the name. */
static bool read_defined(struct reader *reader, struct linear *factor)
{
	struct text_cursor outside;

	return text_enter_definition(reader->cursor, &outside) && read_sum(reader, factor) &&
		text_leave_definition(reader->cursor, &outside);
}

static void print_term(struct layout_buffer *out, int64_t factor, const char *name)
{
	int64_t size = factor < 0 ? -factor : factor;

	if (factor == 0)
		return;
	layout_buffer_printf(out, "%s", out->length ? (factor < 0 ? " - " : " + ") :
		(factor < 0 ? "-" : ""));
	if (!*name)
		layout_buffer_printf(out, "%lld", (long long)size);
	else if (size != 1)
		layout_buffer_printf(out, "%lld*", (long long)size);
	layout_buffer_append(out, name, strlen(name));
}

/* Terms that are 0 are not printed, and no terms at all as 0. */
static char *print_linear(const struct reader *reader, const struct linear *linear)
{
	struct layout_buffer out = { 0 };

	for (unsigned i = 0; i < linear->count; i++)
		print_term(&out, linear->factors[i], reader->atoms[linear->atoms[i]]);
	if (!out.length && linear->constant == 0)
		layout_buffer_printf(&out, "0");
	print_term(&out, linear->constant, "");
	return layout_buffer_take(reader->cursor->ctx, &out);
}

/* Of the constant alone. */
static int64_t divide(int64_t value, int64_t by, bool up)
{
	int64_t quotient = value / by, rest = value % by;

	return quotient + (rest > 0 && up) - (rest < 0 && !up);
}

/* Terms that "by" divides, by themselves: what is left is in "rest". */
static void split_multiples(const struct linear *of, int64_t by, struct linear *whole,
	struct linear *rest)
{
	*whole = *rest = (struct linear){ 0 };
	rest->constant = of->constant;
	for (unsigned i = 0; i < of->count; i++) {
		bool divides = of->factors[i] % by == 0;
		struct linear *to = divides ? whole : rest;

		to->atoms[to->count] = of->atoms[i];
		to->factors[to->count++] = divides ? of->factors[i] / by :
			of->factors[i];
	}
}

/* floor(of/by) or ceil(of/by). */
static bool take_quotient(struct reader *reader, const struct linear *of, int64_t by,
	bool up, struct linear *factor)
{
	struct linear rest, part = { 0 };
	struct layout_buffer out = { 0 };
	char *text;
	bool alone;

	split_multiples(of, by, factor, &rest);
	if (!rest.count) {
		factor->constant = divide(rest.constant, by, up);
		return true;
	}
	text = print_linear(reader, &rest);
	if (!text)
		return false;
	alone = rest.count == 1 && rest.factors[0] > 0 && rest.constant == 0;
	layout_buffer_printf(&out, alone ? "%s(%s/%lld)" : "%s((%s)/%lld)",
		up ? "ceil" : "floor", text, (long long)by);
	free(text);
	text = layout_buffer_take(reader->cursor->ctx, &out);
	return take_atom(reader, text, &part) && add(reader, factor, 1, &part);
}

/* What a size is divided by: an integer, or a name that a definition says is one. */
static bool read_divisor(struct reader *reader, int64_t *by)
{
	struct text_cursor *cursor = reader->cursor;
	long position = text_position(cursor);
	struct linear size;

	if (cursor->token.kind != TEXT_INT && !text_at_defined(cursor))
		return text_expected(cursor, "an integer");
	if (!read_factor(reader, &size))
		return false;
	*by = size.constant;
	if (size.count) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"a size is divided by a number");
		return false;
	}
	if (*by < 1) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"a size is divided by 1 or more, not by %lld", (long long)*by);
		return false;
	}
	return true;
}

/* What follows "floor" or "ceil". */
static bool read_quotient(struct reader *reader, bool up, struct linear *factor)
{
	struct text_cursor *cursor = reader->cursor;
	struct linear of;
	int64_t by;

	text_advance(cursor);
	return text_take(cursor, "(") && read_product(reader, &of) &&
		text_take(cursor, "/") && read_divisor(reader, &by) &&
		text_take(cursor, ")") && take_quotient(reader, &of, by, up, factor);
}

/* What begins with a sign, a parenthesis or a function. */
static bool read_nested(struct reader *reader, struct linear *factor)
{
	struct text_cursor *cursor = reader->cursor;

	if (text_at(cursor, "floor") || text_at(cursor, "ceil"))
		return read_quotient(reader, text_at(cursor, "ceil"), factor);
	if (text_skip(cursor, "-"))
		return read_factor(reader, factor) && scale(reader, factor, -1);
	return text_take(cursor, "(") && read_sum(reader, factor) &&
		text_take(cursor, ")");
}

static bool read_factor(struct reader *reader, struct linear *factor)
{
	static const char *const nested[] = { "floor", "ceil", "-", "(" };
	struct text_cursor *cursor = reader->cursor;
	bool good;

	*factor = (struct linear){ 0 };
	if (cursor->token.kind == TEXT_INT)
		return text_integer(cursor, &factor->constant);
	for (unsigned i = 0; i < sizeof(nested) / sizeof(*nested); i++) {
		if (!text_at(cursor, nested[i]))
			continue;
		if (!text_enter(cursor))
			return false;
		good = read_nested(reader, factor);
		text_leave(cursor);
		return good;
	}
	if (cursor->token.kind != TEXT_NAME)
		return text_expected(cursor, "a size");
	return (text_at_defined(cursor) ? read_defined : read_name)(reader, factor);
}

/* By what follows "*", which is at that position. */
static bool multiply(struct reader *reader, struct linear *product, long position)
{
	struct linear factor;

	if (!read_factor(reader, &factor))
		return false;
	if (factor.count && product->count) {
		layout_fail(reader->cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"a product of two names is not affine");
		return false;
	}
	if (factor.count) {
		struct linear other = *product;

		*product = factor;
		factor = other;
	}
	return scale(reader, product, factor.constant);
}

/* p mod n = p - n*floor(p/n) */
static bool take_rest(struct reader *reader, struct linear *product)
{
	struct linear quotient;
	int64_t by;

	return read_divisor(reader, &by) &&
		take_quotient(reader, product, by, false, &quotient) &&
		scale(reader, &quotient, by) && add(reader, product, -1, &quotient);
}

/* What "floordiv" or "ceildiv" is before, as MLIR has them. */
static bool divide_by(struct reader *reader, struct linear *product)
{
	bool up = text_at(reader->cursor, "ceildiv");
	struct linear of = *product;
	int64_t by;

	text_advance(reader->cursor);
	return read_divisor(reader, &by) && take_quotient(reader, &of, by, up, product);
}

static bool read_product(struct reader *reader, struct linear *product)
{
	struct text_cursor *cursor = reader->cursor;
	bool good = read_factor(reader, product), ended = false;

	while (good && !ended) {
		long position = text_position(cursor);

		if (text_skip(cursor, "*"))
			good = multiply(reader, product, position);
		else if (text_skip(cursor, "mod"))
			good = take_rest(reader, product);
		else if (text_at(cursor, "floordiv") || text_at(cursor, "ceildiv"))
			good = divide_by(reader, product);
		else
			ended = true;
	}
	return good;
}

static bool read_sum(struct reader *reader, struct linear *sum)
{
	struct text_cursor *cursor = reader->cursor;
	struct linear term;
	int64_t sign;

	if (!read_product(reader, sum))
		return false;
	for (;;) {
		sign = text_at(cursor, "+") ? 1 : -1;
		if (!text_skip(cursor, "+") && !text_skip(cursor, "-"))
			return true;
		if (!read_product(reader, &term) || !add(reader, sum, sign, &term))
			return false;
	}
}

static bool is_constant(const struct linear *linear)
{
	for (unsigned i = 0; i < linear->count; i++)
		if (linear->factors[i])
			return false;
	return true;
}

/* "rule" is what a negative number breaks; NULL: there is none. */
static char *read_text(struct reader *reader, const char *rule)
{
	long position = text_position(reader->cursor);
	struct linear size;

	if (!read_sum(reader, &size))
		return NULL;
	if (text_at(reader->cursor, "/")) {
		layout_fail(reader->cursor->ctx, LAYOUT_ERROR_PARSE,
			text_position(reader->cursor), TEXT_QUOTIENT);
		return NULL;
	}
	if (rule && is_constant(&size) && size.constant < 0) {
		layout_fail(reader->cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"%s, not %lld", rule, (long long)size.constant);
		return NULL;
	}
	return print_linear(reader, &size);
}

char *text_size_by(struct text_cursor *cursor, const char *rule)
{
	struct reader reader = { .cursor = cursor };
	char *text = read_text(&reader, rule);

	for (unsigned i = 0; i < reader.count; i++)
		free(reader.atoms[i]);
	return text;
}

char *text_size(struct text_cursor *cursor)
{
	return text_size_by(cursor, "a size or stride must be at least 0");
}

char *text_index(struct text_cursor *cursor)
{
	return text_size_by(cursor, NULL);
}

char *text_index_of(layout_context *ctx, const char *text)
{
	struct text_cursor cursor;
	char *normal = text_open(&cursor, ctx, text) ? text_index(&cursor) : NULL;

	if (!normal || text_close(&cursor))
		return normal;
	free(normal);
	return NULL;
}

char *text_ceil(layout_context *ctx, const char *size, int64_t by)
{
	bool plain = layout_is_plain_name(size, strlen(size));
	struct layout_buffer out = { 0 };
	char *end;
	long long number = strtoll(size, &end, 10);

	if (by == 1)
		return layout_strdup(ctx, size);
	if (!*end)
		layout_buffer_printf(&out, "%lld", (number + by - 1) / by);
	else
		layout_buffer_printf(&out, plain ? "ceil(%s/%" PRId64 ")" :
			"ceil((%s)/%" PRId64 ")", size, by);
	return layout_buffer_take(ctx, &out);
}
