/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The operations of a body, a row each. */
#include "isl_bridge/relation.h"
#include "text/body/body.h"

#include <stdlib.h>
#include <string.h>

/* An operation as it is read: where it stands, and what it gives. */
struct reading {
	struct body_text *text;
	const struct row *row;
	struct body_use use;		/* its result; the name is empty where it has none */
	unsigned count;
	long position;
};

struct row {
	const char *name;
	bool (*read)(struct reading *reading);
	int what;			/* enum body_operation, enum body_connective */
};

static bool is_type_end(const struct text_cursor *cursor)
{
	return cursor->token.kind == TEXT_END || text_at(cursor, "}") || text_at(cursor, "%");
}

/* Past ": index", ": tensor<..>", ": index to i64". */
static bool skip_type(struct text_cursor *cursor)
{
	if (!text_take(cursor, ":"))
		return false;
	do {
		if (cursor->token.kind != TEXT_NAME && !text_at(cursor, "!"))
			return text_expected(cursor, "a type");
		text_skip(cursor, "!");
		text_advance(cursor);
		if (text_at(cursor, "<"))
			text_skip_brackets(cursor);
	} while (text_skip(cursor, "to") || text_skip(cursor, ","));
	return true;
}

/* The one value of the operation, which it consumes. */
static bool give(struct reading *reading, struct body_value *value)
{
	struct body_result *result = value ? body_new_result(reading->text, &reading->use) :
		NULL;

	if (!result || reading->count > 1) {
		body_value_free(value);
		return value && result && text_room(reading->text->cursor, 1, 1);
	}
	result->count = 1;
	result->values[0] = value;
	return true;
}

/* Errors lie at the operation. */
static struct body_value *compute(struct reading *reading, enum body_operation operation,
	const struct body_value *a, const struct body_value *b)
{
	long base = layout_context_set_base(reading->text->cursor->ctx, reading->position);
	struct body_value *value = body_compute(reading->text->body, operation, a, b);

	layout_context_set_base(reading->text->cursor->ctx, base);
	return value;
}

/* Two operands; false on an error. */
static bool read_two(struct body_text *text, bool truth, const struct body_value **a,
	const struct body_value **b)
{
	*a = body_read_value(text, truth);
	*b = *a && text_take(text->cursor, ",") ? body_read_value(text, truth) : NULL;
	return *b;
}

/* "%a, %b : index"; flags like "overflow<nsw>" say nothing of the value. */
static bool read_arithmetic(struct reading *reading)
{
	struct body_text *text = reading->text;
	const struct body_value *a, *b;

	if (!read_two(text, false, &a, &b))
		return false;
	if (text_skip(text->cursor, "overflow"))
		text_skip_brackets(text->cursor);
	return skip_type(text->cursor) && give(reading, compute(reading,
		(enum body_operation)reading->row->what, a, b));
}

/* Is the type that follows the operands that of conditions? */
static bool is_of_truths(struct text_cursor at)
{
	while (!is_type_end(&at) || text_at(&at, "%"))
		if (text_skip(&at, ":"))
			break;
		else
			text_advance(&at);
	return text_at(&at, "i1");
}

/* "%a, %b : i1", or of indices, bit by bit. */
static bool read_connective(struct reading *reading)
{
	/* In the order of enum body_connective. */
	static const enum body_operation bits[] = { BODY_BITS_AND, BODY_BITS_OR, BODY_BITS_XOR };
	struct body_text *text = reading->text;
	bool truths = is_of_truths(*text->cursor);
	const struct body_value *a, *b;

	return read_two(text, truths, &a, &b) && skip_type(text->cursor) && give(reading, truths ?
		body_connect(text->body, (enum body_connective)reading->row->what, a, b) :
		compute(reading, bits[reading->row->what], a, b));
}

/* "%a, %b : index": times, or over, 2^b */
static bool read_shift(struct reading *reading)
{
	struct body_text *text = reading->text;
	const struct body_value *a, *b;
	struct body_value *by;
	int64_t count;
	bool good;

	if (!read_two(text, false, &a, &b))
		return false;
	if (text_skip(text->cursor, "overflow"))
		text_skip_brackets(text->cursor);
	text_skip(text->cursor, "exact");
	if (!body_constant(b, &count) || count < 0 || count > 61) {
		layout_fail(text->cursor->ctx, LAYOUT_ERROR_INVALID, reading->position,
			"a shift is by a number from 0 to 61");
		return false;
	}
	by = body_number(text->body, (int64_t)1 << count);
	good = by && skip_type(text->cursor) && give(reading, compute(reading,
		(enum body_operation)reading->row->what, a, by));
	body_value_free(by);
	return good;
}

/* "ult, %a, %b : index" */
static bool read_compare(struct reading *reading)
{
	/* In the order of enum body_predicate. */
	static const char *const predicates[] = {
		"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
	};
	struct body_text *text = reading->text;
	const struct body_value *a, *b;
	unsigned i = 0, count = sizeof(predicates) / sizeof(*predicates);

	while (i < count && !text_skip(text->cursor, predicates[i]))
		i++;
	if (i == count)
		return text_expected(text->cursor, "`eq`, `ult` or another comparison");
	return text_take(text->cursor, ",") && read_two(text, false, &a, &b) &&
		skip_type(text->cursor) && give(reading,
			body_compare(text->body, (enum body_predicate)i, a, b));
}

/* "%condition, %then, %otherwise : index"; of conditions, too. */
static bool read_select(struct reading *reading)
{
	struct body_text *text = reading->text;
	const struct body_value *condition = body_read_value(text, true), *then, *otherwise;
	struct body_use use;
	bool truth;

	if (!condition || !text_take(text->cursor, ","))
		return false;
	truth = is_of_truths(*text->cursor);
	if (!body_read_use(text, &use))
		return false;
	then = body_find(text, &use, truth);
	otherwise = then && text_take(text->cursor, ",") ? body_read_value(text, truth) : NULL;
	return otherwise && skip_type(text->cursor) && give(reading,
		body_select(text->body, condition, then, otherwise));
}

/* What is no index and no condition: padding. */
static bool give_opaque(struct reading *reading)
{
	struct body_result *result = body_new_result(reading->text, &reading->use);

	if (result)
		result->is_opaque = true;
	return result;
}

/* "128 : index", "128 : i32", which is cast to one, "true", "0.0 : f32" */
static bool read_constant(struct reading *reading)
{
	struct body_text *text = reading->text;
	struct text_cursor behind = *text->cursor;
	bool truth = text_at(text->cursor, "true");
	int64_t number;

	if (text_skip(text->cursor, "true") || text_skip(text->cursor, "false"))
		return give(reading, body_truth(text->body, truth));
	text_skip(&behind, "-");
	if (behind.token.kind == TEXT_INT) {
		text_advance(&behind);
		if (text_skip(&behind, ":") && (text_at(&behind, "index") ||
		    text_at(&behind, "i32") || text_at(&behind, "i64")))
			return text_integer(text->cursor, &number) &&
				skip_type(text->cursor) &&
				give(reading, body_number(text->body, number));
	}
	while (!is_type_end(text->cursor) && !text_at(text->cursor, ":"))
		text_skip_brackets(text->cursor);
	return skip_type(text->cursor) && give_opaque(reading);
}

static bool read_poison(struct reading *reading)
{
	return skip_type(reading->text->cursor) && give_opaque(reading);
}

static bool read_cast(struct reading *reading)
{
	struct body_text *text = reading->text;
	const struct body_value *value = body_read_value(text, false);

	return value && skip_type(text->cursor) && give(reading, body_copy(value));
}

/* "(%i, %j)": values, copied; at most BODY_RANK. */
static bool read_values(struct body_text *text, const char *begin, const char *end,
	struct body_value **values, unsigned *count)
{
	struct text_items items = { begin, end, BODY_RANK };

	*count = 0;
	while (text_item(text->cursor, &items)) {
		const struct body_value *value = body_read_value(text, false);

		if (!value || !(values[*count] = body_copy(value)))
			return false;
		(*count)++;
	}
	return items.ended;
}

static bool read_wanted(struct body_text *text, const char *begin, const char *end,
	struct body_value **values, unsigned wanted)
{
	long position = text_position(text->cursor);
	unsigned count;

	if (!read_values(text, begin, end, values, &count))
		return false;
	if (count == wanted)
		return true;
	layout_fail(text->cursor->ctx, LAYOUT_ERROR_PARSE, position,
		"found %u values, expected %u", count, wanted);
	return false;
}

static const struct body_value *const *borrowed(struct body_value *const *values)
{
	return (const struct body_value *const *)values;
}

/* All images of the map, of which there has to be one for affine.apply. */
static bool apply_map(struct reading *reading, layout_relation *map,
	struct body_value *const *dims, struct body_value *const *symbols)
{
	struct body_text *text = reading->text;
	unsigned count = layout_relation_out_rank(map);
	struct body_value *value = NULL, *more, *all;

	if (!count || (count > 1 && reading->row->what < 0)) {
		layout_fail(text->cursor->ctx, LAYOUT_ERROR_PARSE, reading->position,
			"a map of one result is applied, and this one has %u", count);
		return false;
	}
	value = body_apply(text->body, map, 0, borrowed(dims), borrowed(symbols));
	for (unsigned i = 1; value && i < count; i++) {
		more = body_apply(text->body, map, i, borrowed(dims), borrowed(symbols));
		all = compute(reading, (enum body_operation)reading->row->what, value, more);
		body_value_free(value);
		body_value_free(more);
		value = all;
	}
	return give(reading, value);
}

/* "affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]" */
static bool read_apply(struct reading *reading)
{
	struct body_value *dims[BODY_RANK] = { NULL }, *symbols[BODY_RANK] = { NULL };
	struct body_text *text = reading->text;
	layout_relation *map = text_affine_map_named(text->cursor);
	unsigned symbol_count = map ? layout_relation_param_count(map) : 0;
	bool good = map && read_wanted(text, "(", ")", dims, layout_relation_in_rank(map)) &&
		(!symbol_count || read_wanted(text, "[", "]", symbols, symbol_count));

	good = good && apply_map(reading, map, dims, symbols);
	body_free_values(dims);
	body_free_values(symbols);
	layout_relation_free(map);
	return good;
}

/* "(4, %n, 8)": numbers and values. */
static bool read_basis(struct body_text *text, struct body_value **values, unsigned *count)
{
	struct text_items items = { "(", ")", BODY_RANK };
	const struct body_value *value;
	int64_t number;

	*count = 0;
	while (text_item(text->cursor, &items)) {
		if (text_at(text->cursor, "%")) {
			value = body_read_value(text, false);
			values[*count] = value ? body_copy(value) : NULL;
		} else {
			values[*count] = text_integer(text->cursor, &number) ?
				body_number(text->body, number) : NULL;
		}
		if (!values[(*count)++])
			return false;
	}
	return items.ended;
}

/* The first size may be left out. */
static bool check_sizes(struct reading *reading, struct body_value **sizes, unsigned count,
	unsigned results)
{
	if (results && (count == results || count + 1 == results)) {
		if (count < results) {
			memmove(sizes + 1, sizes, count * sizeof(*sizes));
			sizes[0] = NULL;
		}
		return true;
	}
	layout_fail(reading->text->cursor->ctx, LAYOUT_ERROR_PARSE, reading->position,
		"found %u sizes of %u indices", count, results);
	return false;
}

/* "disjoint [%i, %j] by (4, 8) : index"; the first size may be left out. */
static bool read_linearize(struct reading *reading)
{
	struct body_text *text = reading->text;
	bool disjoint = text_skip(text->cursor, "disjoint"), good;
	struct body_digits digits = { 0 };
	struct body_result *result = NULL;
	unsigned sizes;

	good = read_values(text, "[", "]", digits.indices, &digits.count) &&
		text_take(text->cursor, "by") && read_basis(text, digits.sizes, &sizes);
	good = good && check_sizes(reading, digits.sizes, sizes, digits.count) &&
		skip_type(text->cursor);
	result = good ? body_new_result(text, &reading->use) : NULL;
	if (!result) {
		body_free_values(digits.indices);
		body_free_values(digits.sizes);
		return false;
	}
	result->count = 1;
	result->digits = digits;
	result->values[0] = body_linear(text->body, &digits, 0, digits.count);
	if (disjoint && digits.sizes[0])
		return true;
	if (result->values[0])
		result->digits.count = 0;
	return true;
}

static void copy_all(struct body_value **to, struct body_value *const *from)
{
	for (unsigned i = 0; i < BODY_RANK; i++)
		to[i] = body_copy(from[i]);
}

/* What is delinearized: the digits that the value was made of, or it alone. */
static bool read_digits(struct body_text *text, struct body_digits *digits)
{
	struct body_result *result;
	const struct body_value *value;
	struct body_use use;

	if (!body_read_use(text, &use) || !(result = body_result(text, &use)))
		return false;
	if (result->digits.count && use.result == 0) {
		digits->count = result->digits.count;
		copy_all(digits->indices, result->digits.indices);
		copy_all(digits->sizes, result->digits.sizes);
		return true;
	}
	value = body_find(text, &use, false);
	digits->count = 1;
	digits->indices[0] = body_copy(value);
	return digits->indices[0];
}

/* "%i into (4, 8) : index, index" */
static bool read_delinearize(struct reading *reading)
{
	struct body_text *text = reading->text;
	struct body_digits digits = { 0 }, into = { 0 };
	struct body_result *result = NULL;
	bool good = read_digits(text, &digits) && text_take(text->cursor, "into") &&
		read_basis(text, into.sizes, &into.count) &&
		check_sizes(reading, into.sizes, into.count, reading->count) &&
		skip_type(text->cursor);
	long base;

	into.count = reading->count;
	if (good) {
		base = layout_context_set_base(text->cursor->ctx, reading->position);
		good = body_regroup(text->body, &digits, &into);
		layout_context_set_base(text->cursor->ctx, base);
	}
	result = good ? body_new_result(text, &reading->use) : NULL;
	if (result) {
		result->count = into.count;
		memcpy(result->values, into.indices, sizeof(into.indices));
		memset(into.indices, 0, sizeof(into.indices));
	}
	body_free_values(digits.indices);
	body_free_values(digits.sizes);
	body_free_values(into.indices);
	body_free_values(into.sizes);
	return result;
}

/* The size that dimension of a tensor has, which is a value from then on. */
static struct body_value *size_of(struct reading *reading, const struct body_use *tensor,
	int64_t dim)
{
	struct body_result *of = body_result(reading->text, tensor);

	if (!of)
		return NULL;
	of->is_opaque = true;
	if (!of->sizes[dim])
		of->sizes[dim] = body_named(reading->text, &reading->use);
	return body_copy(of->sizes[dim]);
}

/* "%t, %c0 : tensor<?x4xf32>" */
static bool read_dim(struct reading *reading)
{
	struct text_cursor *cursor = reading->text->cursor;
	const struct body_value *value;
	struct text_tensor type;
	struct body_use tensor;
	long position;
	int64_t dim;

	if (!body_read_use(reading->text, &tensor) || !text_take(cursor, ","))
		return false;
	position = text_position(cursor);
	value = body_read_value(reading->text, false);
	if (!value || !text_take(cursor, ":") || !text_tensor(cursor, &type))
		return false;
	while (text_skip(cursor, ","))
		text_skip_value(cursor);
	if (!text_take(cursor, ">"))
		return false;
	if (!body_constant(value, &dim) || dim < 0 || dim >= (int64_t)type.rank) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"a dimension of a tensor of rank %u is 0 .. %d", type.rank,
			(int)type.rank - 1);
		return false;
	}
	return give(reading, type.sizes[dim] < 0 ? size_of(reading, &tensor, dim) :
		body_number(reading->text->body, type.sizes[dim]));
}

/* "(%m, %k) : tensor<?x4x?xf32>" */
static bool read_empty(struct reading *reading)
{
	struct body_text *text = reading->text;
	struct body_value *sizes[BODY_RANK] = { NULL };
	struct text_tensor type;
	struct body_result *result;
	unsigned count, used = 0;

	if (!read_values(text, "(", ")", sizes, &count) || !text_take(text->cursor, ":") ||
	    !text_tensor(text->cursor, &type)) {
		body_free_values(sizes);
		return false;
	}
	while (text_skip(text->cursor, ","))
		text_skip_value(text->cursor);
	result = text_take(text->cursor, ">") ? body_new_result(text, &reading->use) : NULL;
	if (result)
		result->is_opaque = true;
	for (unsigned d = 0; result && d < type.rank; d++)
		if (type.sizes[d] < 0 && used < count) {
			result->sizes[d] = sizes[used];
			sizes[used++] = NULL;
		}
	body_free_values(sizes);
	return result;
}

static const struct row rows[] = {
	{ "arith.constant", read_constant, 0 },
	{ "ub.poison", read_poison, 0 },
	{ "arith.addi", read_arithmetic, BODY_ADD },
	{ "arith.subi", read_arithmetic, BODY_SUBTRACT },
	{ "arith.muli", read_arithmetic, BODY_MULTIPLY },
	{ "arith.divsi", read_arithmetic, BODY_QUOTIENT },
	{ "arith.divui", read_arithmetic, BODY_UNSIGNED_QUOTIENT },
	{ "arith.floordivsi", read_arithmetic, BODY_FLOOR },
	{ "arith.ceildivsi", read_arithmetic, BODY_CEIL },
	{ "arith.ceildivui", read_arithmetic, BODY_UNSIGNED_CEIL },
	{ "arith.remsi", read_arithmetic, BODY_REMAINDER },
	{ "arith.remui", read_arithmetic, BODY_UNSIGNED_REMAINDER },
	{ "arith.minsi", read_arithmetic, BODY_MIN },
	{ "arith.maxsi", read_arithmetic, BODY_MAX },
	{ "arith.minui", read_arithmetic, BODY_UNSIGNED_MIN },
	{ "arith.maxui", read_arithmetic, BODY_UNSIGNED_MAX },
	{ "arith.andi", read_connective, BODY_AND },
	{ "arith.ori", read_connective, BODY_OR },
	{ "arith.xori", read_connective, BODY_XOR },
	{ "arith.shli", read_shift, BODY_MULTIPLY },
	{ "arith.shrsi", read_shift, BODY_FLOOR },
	{ "arith.shrui", read_shift, BODY_UNSIGNED_QUOTIENT },
	{ "arith.cmpi", read_compare, 0 },
	{ "arith.select", read_select, 0 },
	{ "arith.index_cast", read_cast, 0 },
	{ "arith.index_castui", read_cast, 0 },
	{ "affine.apply", read_apply, -1 },
	{ "affine.min", read_apply, BODY_MIN },
	{ "affine.max", read_apply, BODY_MAX },
	{ "affine.linearize_index", read_linearize, 0 },
	{ "affine.delinearize_index", read_delinearize, 0 },
	{ "tensor.dim", read_dim, 0 },
	{ "memref.dim", read_dim, 0 },
	{ "tensor.empty", read_empty, 0 },
};

/* Past an operation that is none of an index: up to the next value that is given, or the
 * operation that has the body. */
static void skip_operation(struct text_cursor *cursor)
{
	while (cursor->token.kind != TEXT_END && !text_at_body(cursor)) {
		struct text_cursor behind = *cursor;

		if (text_at(cursor, "%")) {
			text_advance(&behind);
			text_advance(&behind);
			if (text_skip(&behind, ":"))
				text_advance(&behind);
			if (text_at(&behind, "="))
				return;
		}
		text_skip_brackets(cursor);
	}
}

/* "%2 =", "%2:3 =" */
static bool read_result(struct reading *reading)
{
	struct text_cursor *cursor = reading->text->cursor;
	int64_t count = 1;

	if (!body_read_use(reading->text, &reading->use))
		return false;
	if (text_skip(cursor, ":") && !text_integer(cursor, &count))
		return false;
	reading->count = (unsigned)count;
	return ((count > 0 && count <= BODY_RANK) || text_room(cursor, BODY_RANK, BODY_RANK)) &&
		text_take(cursor, "=");
}

bool body_read_operation(struct body_text *text, bool outside)
{
	struct reading reading = { .text = text };

	if (!read_result(&reading))
		return false;
	reading.position = text_position(text->cursor);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (text_skip(text->cursor, rows[i].name)) {
			reading.row = &rows[i];
			return rows[i].read(&reading);
		}
	if (!outside)
		return text_expected(text->cursor, "an operation on indices");
	skip_operation(text->cursor);
	return true;
}
