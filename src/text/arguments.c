/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arguments of a call, read as the function's row wants them. */
#include "text/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The arguments that are of one kind; what others are called. */
static const struct value_kind *const kinds[] = {
	[ARGUMENT_SET] = &kind_set,
	[ARGUMENT_CUTE] = &kind_cute,
	[ARGUMENT_LINEAR] = &kind_linear,
	[ARGUMENT_NESTED] = &kind_nested,
	[ARGUMENT_OPERAND] = &kind_operand,
	[ARGUMENT_COPIES] = &kind_cute,
	[ARGUMENT_TILE] = &kind_cute,
};

static const char *const nouns[] = {
	[ARGUMENT_RELATION] = "a relation",
	[ARGUMENT_EITHER] = "a relation or a set",
	[ARGUMENT_TRITON] = "a Triton encoding",
	[ARGUMENT_PADDED] = "a storage or a chain",
	[ARGUMENT_INNER] = "a relation",
	[ARGUMENT_NUMBERS] = "a list of numbers",
	[ARGUMENT_ORDER] = "an order of modes",
	[ARGUMENT_DIMS] = "a list of numbers",
	[ARGUMENT_NAMES] = "a list of names",
	[ARGUMENT_SIZES] = "a list of sizes",
	[ARGUMENT_NAMED] = "a list of NAME = SIZE",
	[ARGUMENT_VIEW] = "a name or a list",
	[ARGUMENT_INT] = "an integer",
	[ARGUMENT_NAME] = "a name",
	[ARGUMENT_TARGET] = "a target",
	[ARGUMENT_TILING_TARGET] = "a target",
	[ARGUMENT_PROFILE] = "a profile",
	[ARGUMENT_LAYOUTS] = "a list of nested layouts",
	[ARGUMENT_MAPS] = "a list of lists",
	[ARGUMENT_MODE] = "a CuTe layout, a shape or a stride",
	[ARGUMENT_SHAPE] = "a shape",
	[ARGUMENT_COORDINATE] = "a coordinate",
	[ARGUMENT_TILER] = "a tiler",
};

static const char *noun_of(enum argument_kind kind)
{
	return nouns[kind] ? nouns[kind] : kinds[kind]->noun;
}

static bool is_expression(enum argument_kind kind)
{
	return kind <= ARGUMENT_TILE;
}

/* Does a value stand for what is wanted? */
static bool fits(const layout_value *value, enum argument_kind wanted)
{
	if (kinds[wanted])
		return value->kind == kinds[wanted];
	if (wanted == ARGUMENT_TRITON)
		return value->kind == &kind_triton || value->kind == &kind_linear;
	if (wanted == ARGUMENT_PADDED)
		return value->kind->padding;
	return value->kind->relation || value->kind->lacks ||
		(wanted == ARGUMENT_EITHER && value->kind == &kind_set);
}

/* A relation that stands where a layout was to be has the reason with it. */
static bool check_kind(struct call *call, const struct argument *argument,
	enum argument_kind wanted)
{
	const layout_value *value = argument->value;

	if (fits(value, wanted))
		return true;
	layout_fail(call->ctx, value->reason ? LAYOUT_ERROR_NO_ANSWER :
		LAYOUT_ERROR_SPACE, argument->position, "%s: expected %s, found %s%s%s",
		call->function->name, noun_of(wanted), value->kind->noun,
		value->reason ? ": " : "", value->reason ? value->reason : "");
	return false;
}

/* A tiler is for the modes of a CuTe layout, the operand before it. */
static bool read_tiler(struct text_cursor *cursor, struct call *call,
	struct argument *argument)
{
	if (!check_kind(call, &call->arguments[0], ARGUMENT_CUTE))
		return false;
	argument->tiler = layout_alloc(cursor->ctx, 1, sizeof(*argument->tiler));
	return argument->tiler && text_tiler(cursor, argument->tiler);
}

/* A number that is the whole argument. */
static bool at_extent(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	if (cursor->token.kind != TEXT_INT)
		return false;
	text_advance(&behind);
	return text_at(&behind, ",") || text_at(&behind, ")");
}

/* 3 for 3:1, as CuTe takes it for a layout; it is for a layout, the operand before it. */
static bool read_extent(struct text_cursor *cursor, struct call *call,
	struct argument *argument)
{
	const int leaf = -1;
	const int64_t stride = 1;
	int64_t shape;

	if (!check_kind(call, &call->arguments[0], ARGUMENT_CUTE) ||
	    !text_integer(cursor, &shape))
		return false;
	argument->value = layout_alloc(cursor->ctx, 1, sizeof(*argument->value));
	if (!argument->value)
		return false;
	argument->value->ctx = cursor->ctx;
	return value_give(argument->value, &kind_cute, layout_cute_new(cursor->ctx, &leaf,
		1, &shape, &stride, 1));
}

static bool read_expression(struct text_cursor *cursor, struct call *call,
	struct argument *argument, enum argument_kind kind)
{
	if (kind >= ARGUMENT_COPIES && at_extent(cursor))
		return read_extent(cursor, call, argument);
	if ((kind == ARGUMENT_INNER || kind == ARGUMENT_TILE) && text_at_tiler(cursor))
		return read_tiler(cursor, call, argument);
	argument->value = text_expression(cursor);
	return argument->value && check_kind(call, argument, kind);
}

static void list_numbers(struct text_list *list, const struct text_ints *numbers)
{
	for (unsigned i = 0; i < numbers->count; i++) {
		list->sizes[i] = numbers->items[i];
		list->positions[i] = numbers->positions[i];
	}
	list->count = numbers->count;
}

/* "[1, 0]", each number "what" and at least "least". */
static bool read_numbers(struct text_cursor *cursor, int64_t least, const char *what,
	struct text_list *list)
{
	struct text_ints numbers;

	if (!text_integers(cursor, least, what, &numbers))
		return false;
	list_numbers(list, &numbers);
	return true;
}

/* A rank for each mode, that of the fastest the least: from 0 on, "[1, 0]", or any, "Step<_2,_1>". */
static bool read_order(struct text_cursor *cursor, struct text_list *list)
{
	long position = text_position(cursor);
	struct text_numbers ranks;

	if (!text_at_tuple(cursor))
		return read_numbers(cursor, 0, "a coordinate", list);
	if (!text_numbers(cursor, 0, false, &ranks))
		return false;
	list->count = ranks.count;
	for (unsigned i = 0; i < ranks.count; i++) {
		unsigned at = 0;

		for (unsigned k = 0; k < ranks.count; k++)
			at += ranks.leaf[k] < ranks.leaf[i] ||
				(ranks.leaf[k] == ranks.leaf[i] && k < i);
		list->sizes[i] = at;
		list->positions[i] = position;
	}
	return true;
}

/* Can what follows be the argument, as far as its first token says? */
static bool at_argument(const struct text_cursor *cursor, enum argument_kind kind)
{
	bool number = cursor->token.kind == TEXT_INT || text_at(cursor, "-");

	switch (kind) {
	case ARGUMENT_INT:
		return number;
	case ARGUMENT_ORDER:
		return text_at(cursor, "[") || text_at_tuple(cursor);
	case ARGUMENT_PROFILE:
		return number || text_at_tuple(cursor);
	case ARGUMENT_MODE:
	case ARGUMENT_SHAPE:
	case ARGUMENT_COORDINATE:
		return true;
	case ARGUMENT_TILER:
		return text_at_tiler(cursor);
	case ARGUMENT_NAME:
	case ARGUMENT_TARGET:
	case ARGUMENT_TILING_TARGET:
		return cursor->token.kind == TEXT_NAME;
	case ARGUMENT_VIEW:
		return cursor->token.kind == TEXT_NAME || text_at(cursor, "[");
	default:
		return is_expression(kind) || text_at(cursor, "[");
	}
}

/* Always false. */
static bool expected_argument(struct text_cursor *cursor, const struct call *call,
	enum argument_kind kind, const char *before)
{
	char what[96];

	snprintf(what, sizeof(what), "%s%s for %s", before, noun_of(kind),
		call->function->name);
	return text_expected(cursor, what);
}

static bool read_argument(struct text_cursor *cursor, struct call *call,
	struct argument *argument, enum argument_kind kind);

/* "[A, B]", each an argument of that kind. */
static bool read_items(struct text_cursor *cursor, struct call *call,
	struct argument *argument, enum argument_kind kind)
{
	struct text_items items = { "[", "]", TEXT_LIST_LIMIT };

	argument->items = layout_alloc(cursor->ctx, TEXT_LIST_LIMIT,
		sizeof(*argument->items));
	while (argument->items && text_item(cursor, &items))
		if (!read_argument(cursor, call, &argument->items[argument->item_count++],
				kind))
			return false;
	return items.ended;
}

/* A tree of numbers, from "least" on. */
static bool read_tree(struct text_cursor *cursor, struct argument *argument, int64_t least,
	bool whole)
{
	argument->numbers = layout_alloc(cursor->ctx, 1, sizeof(*argument->numbers));
	return argument->numbers && text_numbers(cursor, least, whole, argument->numbers);
}

/* What make_layout() is made of. */
static bool read_mode(struct text_cursor *cursor, struct call *call,
	struct argument *argument)
{
	bool last;

	if (text_at_order(cursor, &last)) {
		argument->integer = last;
		argument->name = text_name(cursor, false, "an order");
		text_skip_braces(cursor);
		return argument->name;
	}
	if (text_at_numbers(cursor))
		return read_tree(cursor, argument, INT64_MIN, false);
	return read_expression(cursor, call, argument, ARGUMENT_CUTE);
}

static bool read_target(struct text_cursor *cursor, struct argument *argument)
{
	char name[TEXT_TARGET_SIZE];

	return text_target(cursor, name) &&
		(argument->name = layout_strdup(cursor->ctx, name));
}

static bool read_argument(struct text_cursor *cursor, struct call *call,
	struct argument *argument, enum argument_kind kind)
{
	argument->given = true;
	argument->position = text_position(cursor);
	if (!at_argument(cursor, kind))
		return expected_argument(cursor, call, kind, "");
	if (is_expression(kind))
		return read_expression(cursor, call, argument, kind);
	switch (kind) {
	case ARGUMENT_NUMBERS:
		return read_numbers(cursor, 0, "a coordinate", &argument->list);
	case ARGUMENT_DIMS:
		return read_numbers(cursor, -1, "a dimension", &argument->list);
	case ARGUMENT_NAMES:
		return text_list(cursor, LIST_NAMES, &argument->list);
	case ARGUMENT_SIZES:
		return text_list(cursor, LIST_SIZES, &argument->list);
	case ARGUMENT_NAMED:
		return text_list(cursor, LIST_NAMED, &argument->list);
	case ARGUMENT_VIEW:
		if (text_at(cursor, "["))
			return text_list(cursor, LIST_ANY, &argument->list);
		return (argument->name = text_name(cursor, true, "a name or a list"));
	case ARGUMENT_INT:
		return text_integer(cursor, &argument->integer);
	case ARGUMENT_NAME:
		return (argument->name = text_name(cursor, false, "a name"));
	case ARGUMENT_TARGET:
		return read_target(cursor, argument);
	case ARGUMENT_TILING_TARGET:
		return (argument->tiling_target = text_tiling_target(cursor));
	case ARGUMENT_LAYOUTS:
		return read_items(cursor, call, argument, ARGUMENT_NESTED);
	case ARGUMENT_MAPS:
		return read_items(cursor, call, argument, ARGUMENT_NUMBERS);
	case ARGUMENT_MODE:
		return read_mode(cursor, call, argument);
	case ARGUMENT_SHAPE:
		return read_tree(cursor, argument, 0, false);
	case ARGUMENT_COORDINATE:
		return read_tree(cursor, argument, 0, true);
	case ARGUMENT_ORDER:
		return read_order(cursor, &argument->list);
	case ARGUMENT_TILER:
		return read_tiler(cursor, call, argument);
	default:
		return (argument->profile = text_profile(cursor));
	}
}

/* Two operands that must be of one kind. */
static bool check_pair(struct call *call)
{
	const struct argument *a = &call->arguments[0], *b = &call->arguments[1];

	if (call->function->parameters[1].kind != ARGUMENT_EITHER ||
			(a->value->kind == &kind_set) == (b->value->kind == &kind_set))
		return true;
	layout_fail(call->ctx, LAYOUT_ERROR_SPACE, b->position,
		"%s: expected two relations or two sets, found %s and %s",
		call->function->name, a->value->kind->noun,
		b->value->kind->noun);
	return false;
}

/* Past "key ="; "key" may be NULL. */
static void skip_key(struct text_cursor *cursor, const char *key)
{
	struct text_cursor behind = *cursor;

	if (key && text_skip(&behind, key) && text_skip(&behind, "="))
		*cursor = behind;
}

/* The row's parameters of no name, in order. */
static bool read_positional(struct text_cursor *cursor, struct call *call,
	unsigned *count)
{
	const struct parameter *parameters = call->function->parameters;

	*count = 0;
	for (unsigned i = 0; i < FUNCTION_ARGUMENTS && parameters[i].kind &&
			!parameters[i].name; i++) {
		if (parameters[i].optional && !text_at(cursor, ","))
			return true;
		if (i && !text_skip(cursor, ","))
			return expected_argument(cursor, call, parameters[i].kind,
				"`,` and ");
		skip_key(cursor, parameters[i].key);
		if (!read_argument(cursor, call, &call->arguments[i],
				parameters[i].kind))
			return false;
		*count = i + 1;
	}
	return true;
}

/* Which parameter the name at the cursor is; FUNCTION_ARGUMENTS with an error. */
static unsigned find_named(struct text_cursor *cursor, const struct call *call)
{
	const struct parameter *parameters = call->function->parameters;
	char what[64] = "";

	for (unsigned i = 0; i < FUNCTION_ARGUMENTS && parameters[i].kind; i++) {
		size_t length = strlen(what);

		if (!parameters[i].name)
			continue;
		if (text_at(cursor, parameters[i].name))
			return i;
		snprintf(what + length, sizeof(what) - length, "%s`%s =`",
			length ? ", " : "", parameters[i].name);
	}
	text_expected(cursor, what);
	return FUNCTION_ARGUMENTS;
}

static bool read_named(struct text_cursor *cursor, struct call *call)
{
	while (text_skip(cursor, ",")) {
		unsigned i = find_named(cursor, call);

		if (i == FUNCTION_ARGUMENTS)
			return false;
		if (call->arguments[i].given)
			return text_duplicate(cursor);
		text_advance(cursor);
		if (!text_take(cursor, "=") ||
				!read_argument(cursor, call, &call->arguments[i],
					call->function->parameters[i].kind))
			return false;
	}
	return true;
}

/* How many numbers the row has behind its layout. */
static unsigned count_integers(const struct parameter *parameters, bool required)
{
	unsigned i = 1;

	while (i < FUNCTION_ARGUMENTS && parameters[i].kind == ARGUMENT_INT &&
			!(required && parameters[i].optional))
		i++;
	return i - 1;
}

/* Numbers as the arguments behind the first, an argument each. */
static bool give_integers(struct call *call, const struct text_ints *numbers, long position)
{
	const struct parameter *parameters = call->function->parameters;
	unsigned least = count_integers(parameters, true);

	if (numbers->count < least || numbers->count > count_integers(parameters, false)) {
		layout_fail(call->ctx, LAYOUT_ERROR_PARSE, position,
			"expected %u numbers for %s, found %u", least, call->function->name,
			numbers->count);
		return false;
	}
	for (unsigned i = 0; i < numbers->count; i++)
		call->arguments[i + 1] = (struct argument){ .given = true,
			.position = numbers->positions[i], .integer = numbers->items[i] };
	return true;
}

/* "<0, 2>(A)" for "(A, [0, 2])" or "(A, 0, 2)", as CuTe's templates have it. */
static bool read_template(struct text_cursor *cursor, struct call *call)
{
	struct argument *second = &call->arguments[1];
	bool list = call->function->parameters[1].kind == ARGUMENT_NUMBERS;
	long position = text_position(cursor);
	struct text_ints numbers;

	if (!text_integers_between(cursor, "<", ">", list ? 0 : INT64_MIN, "a coordinate",
			&numbers))
		return false;
	if (list) {
		second->given = true;
		second->position = position;
		list_numbers(&second->list, &numbers);
	} else if (!give_integers(call, &numbers, position)) {
		return false;
	}
	return text_take(cursor, "(") && read_argument(cursor, call, &call->arguments[0],
		ARGUMENT_CUTE) && text_take(cursor, ")");
}

static bool takes_template(const struct parameter *parameters)
{
	return parameters[0].kind == ARGUMENT_CUTE &&
		(parameters[1].kind == ARGUMENT_NUMBERS || parameters[1].kind == ARGUMENT_INT);
}

bool text_arguments(struct text_cursor *cursor, struct call *call)
{
	const struct parameter *parameters = call->function->parameters;
	unsigned count;

	if (text_at(cursor, "<") && takes_template(parameters))
		return read_template(cursor, call);
	if (!text_take(cursor, "(") || !read_positional(cursor, call, &count))
		return false;
	if (count < FUNCTION_ARGUMENTS && parameters[count].name &&
			!read_named(cursor, call))
		return false;
	return check_pair(call) && text_take(cursor, ")");
}

bool text_operands(struct text_cursor *cursor, struct call *call, layout_value *first,
	long position)
{
	const struct parameter *parameters = call->function->parameters;

	call->arguments[0] = (struct argument){ .given = true, .position = position,
		.value = first };
	return check_kind(call, &call->arguments[0], parameters[0].kind) &&
		read_argument(cursor, call, &call->arguments[1], parameters[1].kind);
}

static void free_argument(struct argument *argument)
{
	for (unsigned i = 0; i < argument->item_count; i++)
		free_argument(&argument->items[i]);
	free(argument->items);
	layout_value_free(argument->value);
	text_list_free(&argument->list);
	if (argument->tiler)
		text_tiler_free(argument->tiler);
	free(argument->tiler);
	free(argument->profile);
	free(argument->numbers);
	free(argument->name);
	layout_tiling_target_free(argument->tiling_target);
}

void call_free(struct call *call)
{
	for (unsigned i = 0; i < FUNCTION_ARGUMENTS; i++)
		free_argument(&call->arguments[i]);
	layout_value_free(call->result);
	free(call);
}
