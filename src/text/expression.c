/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Expressions: a literal in any notation, or a function of expressions. */
#include "text/value.h"

#include <limits.h>
#include <stdlib.h>

/* An argument as it was read, with where it begins. */
struct operand {
	layout_value *value;
	long position;
};

static bool is_set(const layout_value *value)
{
	return value->kind == LAYOUT_VALUE_SET;
}

/* Does a value of that kind stand for what is wanted? */
static bool fits(const layout_value *value, enum argument_kind wanted)
{
	switch (wanted) {
	case ARGUMENT_SET:
		return is_set(value);
	case ARGUMENT_STORAGE:
		return value->kind == LAYOUT_VALUE_STORAGE;
	case ARGUMENT_RELATION:
		return !is_set(value);
	default:
		return true;
	}
}

static bool check_kind(struct text_cursor *cursor, const struct function *function,
	const struct operand *operand, enum argument_kind wanted)
{
	static const char *const nouns[] = {
		[ARGUMENT_RELATION] = "a relation",
		[ARGUMENT_SET] = "a set",
		[ARGUMENT_STORAGE] = "a storage",
	};

	if (fits(operand->value, wanted))
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, operand->position,
		"%s: expected %s, found %s", function->name, nouns[wanted],
		text_value_noun(operand->value->kind));
	return false;
}

/* Two operands that must be of one kind. */
static bool check_pair(struct text_cursor *cursor, const struct function *function,
	const struct operand *operands)
{
	if (function->kinds[1] != ARGUMENT_EITHER)
		return true;
	if (is_set(operands[0].value) == is_set(operands[1].value))
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, operands[1].position,
		"%s: expected two relations or two sets, found %s and %s",
		function->name, text_value_noun(operands[0].value->kind),
		text_value_noun(operands[1].value->kind));
	return false;
}

/* "[1, 0]": coordinates, counted from 0. */
static bool read_numbers(struct text_cursor *cursor, struct arguments *arguments)
{
	struct text_ints list;
	long position = text_position(cursor);

	if (!text_integers(cursor, 0, "a coordinate", &list))
		return false;
	for (unsigned i = 0; i < list.count; i++) {
		if (list.items[i] > UINT_MAX) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
				"there is no coordinate %lld", (long long)list.items[i]);
			return false;
		}
		arguments->numbers[i] = (unsigned)list.items[i];
	}
	arguments->count = list.count;
	return true;
}

/* "(A, B)" as the function wants it. */
static bool read_operands(struct text_cursor *cursor, const struct function *function,
	struct operand *operands, struct arguments *arguments)
{
	if (!text_take(cursor, "("))
		return false;
	for (unsigned i = 0; i < FUNCTION_ARGUMENTS && function->kinds[i]; i++) {
		if (i && !text_take(cursor, ","))
			return false;
		operands[i].position = text_position(cursor);
		if (function->kinds[i] == ARGUMENT_NUMBERS) {
			if (!read_numbers(cursor, arguments))
				return false;
			continue;
		}
		operands[i].value = text_expression(cursor);
		if (!operands[i].value ||
				!check_kind(cursor, function, &operands[i],
					function->kinds[i]))
			return false;
	}
	return check_pair(cursor, function, operands) && text_take(cursor, ")");
}

/* Turn what was read into what the function works on. */
static bool prepare(struct text_cursor *cursor, const struct function *function,
	const struct operand *operands, struct arguments *arguments)
{
	bool good = true;
	long base;

	for (unsigned i = 0; good && i < FUNCTION_ARGUMENTS && operands[i].value; i++) {
		layout_value *value = operands[i].value;

		base = layout_context_set_base(cursor->ctx, operands[i].position);
		if (function->kinds[i] == ARGUMENT_STORAGE) {
			arguments->storage = layout_value_storage(value);
			good = arguments->storage;
		} else if (is_set(value)) {
			arguments->sets[i] = layout_value_set(value);
			good = arguments->sets[i];
		} else {
			arguments->cutes[i] = value->cute;
			arguments->relations[i] = layout_value_relation(value);
			good = arguments->relations[i];
		}
		layout_context_set_base(cursor->ctx, base);
	}
	return good;
}

/* Errors of the call lie at the function's name, or at its list of numbers. */
static layout_value *evaluate(struct text_cursor *cursor, const struct function *function,
	const struct operand *operands, struct arguments *arguments, long position)
{
	layout_value *value = layout_alloc(cursor->ctx, 1, sizeof(*value));
	long base;

	if (!value || !prepare(cursor, function, operands, arguments)) {
		for (unsigned i = 0; i < FUNCTION_ARGUMENTS; i++) {
			layout_relation_free(arguments->relations[i]);
			layout_set_free(arguments->sets[i]);
		}
		free(value);
		return NULL;
	}
	value->ctx = cursor->ctx;
	if (function->kinds[1] == ARGUMENT_NUMBERS)
		position = operands[1].position;
	base = layout_context_set_base(cursor->ctx, position);
	function->call(arguments, value);
	layout_context_set_base(cursor->ctx, base);
	value->kind = value->set ? LAYOUT_VALUE_SET : LAYOUT_VALUE_RELATION;
	if (value->set || value->relation)
		return value;
	layout_value_free(value);
	return NULL;
}

static layout_value *read_call(struct text_cursor *cursor,
	const struct function *function)
{
	struct operand operands[FUNCTION_ARGUMENTS] = { 0 };
	struct arguments *arguments;
	layout_value *value = NULL;
	long position = text_position(cursor);

	if (!text_enter(cursor))
		return NULL;
	text_advance(cursor);
	arguments = layout_alloc(cursor->ctx, 1, sizeof(*arguments));
	if (arguments && read_operands(cursor, function, operands, arguments))
		value = evaluate(cursor, function, operands, arguments, position);
	for (unsigned i = 0; i < FUNCTION_ARGUMENTS; i++)
		layout_value_free(operands[i].value);
	free(arguments);
	text_leave(cursor);
	return value;
}

/* Read the literal at the cursor into "value"; false on an error. */
static bool read_literal(struct text_cursor *cursor, layout_value *value)
{
	if (text_at_isl(cursor)) {
		if (!text_isl(cursor, &value->relation, &value->set))
			return false;
		value->kind = value->set ? LAYOUT_VALUE_SET : LAYOUT_VALUE_RELATION;
		return true;
	}
	if (text_at_affine_map(cursor)) {
		value->kind = LAYOUT_VALUE_AFFINE_MAP;
		return (value->relation = text_affine_map(cursor));
	}
	if (text_at_cute(cursor)) {
		value->kind = LAYOUT_VALUE_CUTE;
		return (value->cute = text_cute(cursor));
	}
	if (text_at_nested(cursor)) {
		value->kind = LAYOUT_VALUE_NESTED;
		return (value->nested = text_nested(cursor));
	}
	if (text_at_encoding(cursor)) {
		value->kind = LAYOUT_VALUE_ENCODING;
		return (value->encoding = text_encoding(cursor));
	}
	if (text_at_storage(cursor)) {
		value->kind = LAYOUT_VALUE_STORAGE;
		return (value->storage = text_storage(cursor));
	}
	value->kind = LAYOUT_VALUE_REMAP;
	return (value->remap = text_remap(cursor));
}

static bool at_literal(const struct text_cursor *cursor)
{
	return text_at_isl(cursor) || text_at_affine_map(cursor) ||
		text_at_cute(cursor) || text_at_nested(cursor) ||
		text_at_encoding(cursor) || text_at_storage(cursor) ||
		text_at_remap(cursor);
}

/* A name that means nothing here: say what it seems to be. */
static void refuse(struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;
	struct text_token name = cursor->token;
	const char *what;

	text_advance(&behind);
	what = text_at(&behind, "(") ? "function" :
		text_at(&behind, "<") ? "notation" : NULL;
	if (text_at(cursor, "chain") && text_at(&behind, "("))
		layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, text_position(cursor),
			"a chain of relayout operations is not supported");
	else if (name.kind == TEXT_NAME && what)
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
			"unknown %s `%.*s`", what,
			name.length > 32 ? 32 : (int)name.length,
			cursor->text + name.begin);
	else
		text_expected(cursor, "an expression");
}

layout_value *text_expression(struct text_cursor *cursor)
{
	const struct function *function = text_function(cursor);
	layout_value *value;

	if (function)
		return read_call(cursor, function);
	if (!at_literal(cursor)) {
		refuse(cursor);
		return NULL;
	}
	value = layout_alloc(cursor->ctx, 1, sizeof(*value));
	if (!value)
		return NULL;
	value->ctx = cursor->ctx;
	if (read_literal(cursor, value))
		return value;
	layout_value_free(value);
	return NULL;
}
