/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/mlir_body.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUES 400
#define LIST 16

struct body {
	const char *at;
	bool failed;
	unsigned count;
	struct {
		char name[60];
		int64_t value;
	} values[VALUES];
};

static bool fail(struct body *body, const char *what)
{
	if (!body->failed)
		fprintf(stderr, "%s at %.60s\n", what, body->at);
	body->failed = true;
	return false;
}

static void spaces(struct body *body)
{
	while (*body->at == ' ')
		body->at++;
}

static bool skip(struct body *body, const char *text)
{
	spaces(body);
	if (strncmp(body->at, text, strlen(text)))
		return false;
	body->at += strlen(text);
	return true;
}

static bool take(struct body *body, const char *text)
{
	return skip(body, text) || fail(body, text);
}

/* "%12#3", "%c-1", "%size.true" */
static bool name(struct body *body, char *text, size_t size)
{
	size_t length;

	spaces(body);
	length = *body->at == '%' ? 1 + strspn(body->at + 1, "#-._$0123456789"
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") : 0;
	if (!length || length >= size)
		return fail(body, "no name");
	memcpy(text, body->at, length);
	text[length] = 0;
	body->at += length;
	return true;
}

static void define(struct body *body, const char *text, int64_t value)
{
	for (unsigned i = 0; i < body->count; i++)
		if (!strcmp(body->values[i].name, text))
			fail(body, "defined twice");
	if (body->count == VALUES) {
		fail(body, "too many values");
		return;
	}
	snprintf(body->values[body->count].name, sizeof(body->values[0].name), "%s", text);
	body->values[body->count++].value = value;
}

static int64_t integer(struct body *body)
{
	char *end;
	int64_t value;

	spaces(body);
	value = strtoll(body->at, &end, 10);
	if (end == body->at)
		fail(body, "no number");
	body->at = end;
	return value;
}

/* A value, or a number. */
static int64_t operand(struct body *body)
{
	char text[60];

	spaces(body);
	if (*body->at != '%')
		return integer(body);
	if (name(body, text, sizeof(text)))
		for (unsigned i = 0; i < body->count; i++)
			if (!strcmp(body->values[i].name, text))
				return body->values[i].value;
	fail(body, "no such value");
	return 0;
}

/* "%a, 4, %b" up to "end" */
static unsigned operands(struct body *body, const char *end, int64_t *list)
{
	unsigned count = 0;

	if (skip(body, end))
		return 0;
	do {
		if (count < LIST)
			list[count++] = operand(body);
	} while (skip(body, ",") && !body->failed);
	take(body, end);
	return count;
}

static int64_t floor_quotient(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* The expressions of affine maps. */
struct bindings {
	int64_t dims[LIST], symbols[LIST];
};

static int64_t sum(struct body *body, const struct bindings *bindings);

static int64_t factor(struct body *body, const struct bindings *bindings)
{
	int64_t value;

	if (skip(body, "(")) {
		value = sum(body, bindings);
		take(body, ")");
		return value;
	}
	if (skip(body, "-"))
		return -factor(body, bindings);
	if (skip(body, "d"))
		return bindings->dims[integer(body) % LIST];
	if (skip(body, "s"))
		return bindings->symbols[integer(body) % LIST];
	return integer(body);
}

static int64_t product(struct body *body, const struct bindings *bindings)
{
	int64_t value = factor(body, bindings);

	while (!body->failed) {
		if (skip(body, "*"))
			value *= factor(body, bindings);
		else if (skip(body, "floordiv"))
			value = floor_quotient(value, factor(body, bindings));
		else if (skip(body, "ceildiv"))
			value = -floor_quotient(-value, factor(body, bindings));
		else if (skip(body, "mod")) {
			int64_t by = factor(body, bindings);

			value -= by * floor_quotient(value, by);
		} else {
			break;
		}
	}
	return value;
}

static int64_t sum(struct body *body, const struct bindings *bindings)
{
	int64_t value = product(body, bindings);

	while (!body->failed) {
		if (skip(body, "+"))
			value += product(body, bindings);
		else if (skip(body, "- ") || skip(body, "-"))
			value -= product(body, bindings);
		else
			break;
	}
	return value;
}

/* "affine_map<(d0)[s0] -> (d0 + s0)>(%a)[%M]": the operands come first. */
static int64_t apply(struct body *body)
{
	struct bindings bindings = { { 0 }, { 0 } };
	const char *arrow = strstr(body->at, "-> ("), *behind;
	int64_t value;

	if (!take(body, "affine_map<") || !arrow)
		return 0;
	body->at = strstr(arrow, ")>(");
	if (!body->at)
		return 0;
	body->at += 3;
	operands(body, ")", bindings.dims);
	if (skip(body, "["))
		operands(body, "]", bindings.symbols);
	behind = body->at;
	body->at = arrow + 4;
	value = sum(body, &bindings);
	take(body, ")>");
	body->at = behind;
	return value;
}

static int64_t linearize(struct body *body)
{
	bool disjoint = skip(body, "disjoint");
	int64_t digits[LIST], basis[LIST], value = 0;
	unsigned count, sizes, free;

	take(body, "[");
	count = operands(body, "]", digits);
	take(body, "by");
	take(body, "(");
	sizes = operands(body, ")", basis);
	free = count - sizes;
	if (free > 1)
		fail(body, "a basis that is too short");
	for (unsigned i = 0; i < count && free <= 1; i++) {
		int64_t size = i < free ? 0 : basis[i - free];

		if (disjoint && (digits[i] < 0 || (i >= free && digits[i] >= size)))
			fail(body, "not disjoint");
		value = value * (i < free ? 1 : size) + digits[i];
	}
	return value;
}

static void delinearize(struct body *body, const char *result, unsigned count)
{
	int64_t value = operand(body), basis[LIST], digits[LIST];
	unsigned sizes, free;
	char text[80];

	take(body, "into");
	take(body, "(");
	sizes = operands(body, ")", basis);
	free = count - sizes;
	if (free > 1 || count > LIST) {
		fail(body, "a basis that is too short");
		return;
	}
	for (unsigned i = count; i-- > 0;) {
		int64_t size = i < free ? 0 : basis[i - free];

		digits[i] = i ? value - size * floor_quotient(value, size) : value;
		if (i)
			value = floor_quotient(value, size);
		else if (!free && (value < 0 || value >= size))
			fail(body, "out of the bounds of a basis");
	}
	for (unsigned i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%s#%u", result, i);
		define(body, text, digits[i]);
	}
}

static int64_t compare(struct body *body)
{
	bool below = skip(body, "ult");
	int64_t a, b;

	if (!below)
		take(body, "eq");
	take(body, ",");
	a = operand(body);
	take(body, ",");
	b = operand(body);
	return below ? (uint64_t)a < (uint64_t)b : a == b;
}

static int64_t choose(struct body *body)
{
	int64_t which = operand(body), yes;

	take(body, ",");
	yes = operand(body);
	take(body, ",");
	return which ? yes : operand(body);
}

static int64_t both(struct body *body)
{
	int64_t a = operand(body);

	take(body, ",");
	return a & operand(body);
}

/* "%4 = arith.constant 3 : index" */
static void statement(struct body *body)
{
	char result[60];

	if (!name(body, result, sizeof(result)))
		return;
	if (skip(body, ":")) {
		unsigned count = (unsigned)integer(body);

		take(body, "= affine.delinearize_index");
		delinearize(body, result, count);
		return;
	}
	take(body, "=");
	if (!strcmp(result, "%padding"))
		define(body, result, 0);
	else if (skip(body, "arith.constant true"))
		define(body, result, 1);
	else if (skip(body, "arith.constant"))
		define(body, result, integer(body));
	else if (skip(body, "affine.apply"))
		define(body, result, apply(body));
	else if (skip(body, "affine.linearize_index"))
		define(body, result, linearize(body));
	else if (skip(body, "arith.cmpi"))
		define(body, result, compare(body));
	else if (skip(body, "arith.andi"))
		define(body, result, both(body));
	else if (skip(body, "arith.select"))
		define(body, result, choose(body));
	else
		fail(body, "unknown operation");
}

int mlir_body_run(const char *text, const int64_t *arguments, const layout_size *sizes,
	unsigned size_count, int64_t yields[MLIR_YIELDS])
{
	struct body body = { .at = text };
	char argument[60];
	unsigned count;

	for (unsigned i = 0; i < size_count; i++) {
		snprintf(argument, sizeof(argument), "%%%s", sizes[i].name);
		define(&body, argument, sizes[i].value);
	}
	body.at = strstr(text, "^bb0(");
	if (!body.at)
		return -1;
	body.at += 5;
	for (unsigned i = 0; !skip(&body, "):") && !body.failed; i++) {
		skip(&body, ",");
		name(&body, argument, sizeof(argument));
		define(&body, argument, arguments[i]);
		take(&body, ": index");
	}
	while (!body.failed && (body.at = strchr(body.at, '\n'))) {
		body.at++;
		if (skip(&body, "iree_linalg_ext.yield"))
			break;
		statement(&body);
	}
	if (!body.at || body.failed)
		return -1;
	count = operands(&body, ":", yields);
	return body.failed || !count ? -1 : (int)count - 1;
}
