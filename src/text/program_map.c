/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Expressions on elements, "max(acc + d, 0)".
 *
 *	COMPARISON = SUM [("<" | "<=" | ">" | ">=" | "==" | "!=") SUM]
 *	SUM = PRODUCT {("+" | "-") PRODUCT}    PRODUCT = FACTOR {("*" | "/") FACTOR}
 *	FACTOR = "-" FACTOR | "(" COMPARISON ")" | NUMBER | NAME
 *		| (FUNCTION | TYPE) "(" COMPARISON {"," COMPARISON} ")" */
#include "text/program.h"
#include "program/map.h"

#include <stdlib.h>
#include <string.h>

/* The tiles that it names, in order of first appearance. */
struct reader {
	const struct program_text *text;
	struct text_cursor *cursor;
	layout_context *ctx;
	unsigned count;
	layout_tile *tiles[PROGRAM_OPERANDS];
};

static struct map_node *read_comparison(struct reader *reader);

/* "1.5e-3", "0x3f800000", "inf": the end of the number at "at". */
static const char *number_end(const char *at)
{
	bool hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
	const char *digits = hex ? "0123456789abcdefABCDEFxX" : "0123456789.";

	at += strspn(at, digits);
	if (hex || (*at != 'e' && *at != 'E'))
		return at;
	at++;
	at += *at == '+' || *at == '-';
	return at + strspn(at, "0123456789");
}

static struct map_node *read_number(struct reader *reader)
{
	struct text_cursor *cursor = reader->cursor;
	const char *begin = cursor->text + cursor->token.begin;
	const char *end = cursor->token.kind == TEXT_NAME ? begin + cursor->token.length :
		number_end(begin);
	char *text = strndup(begin, (size_t)(end - begin));
	struct map_node *node = layout_is_made(reader->ctx, text) ?
		map_number(reader->ctx, text) : NULL;

	free(text);
	text_seek(cursor, cursor->token.begin + (size_t)(end - begin));
	return node;
}

static struct map_node *tile_node(struct reader *reader, layout_tile *tile)
{
	unsigned i = 0;

	while (i < reader->count && reader->tiles[i] != tile)
		i++;
	if (i == reader->count) {
		if (!text_room(reader->cursor, i, PROGRAM_OPERANDS))
			return NULL;
		reader->tiles[reader->count++] = tile;
	}
	return map_leaf(reader->ctx, MAP_OPERAND, i, tile->type);
}

/* A tile, else a size, coordinate or counter. */
static struct map_node *read_name(struct reader *reader)
{
	const struct program_text *text = reader->text;
	long position = text_position(reader->cursor);
	char *name = text_word(reader->cursor, "a name");
	layout_tile *tile = name ? program_find_tile(text->program, name) : NULL;
	int variable = name ? program_find_variable(text->program, name) : -1;
	struct map_node *node = NULL;

	if (tile)
		node = tile_node(reader, tile);
	else if (variable >= 0)
		node = map_leaf(reader->ctx, MAP_INDEX, (unsigned)variable,
			element_type_find(reader->ctx, "i32"));
	else if (name)
		layout_fail(reader->ctx, LAYOUT_ERROR_PARSE, position,
			"`%s` is no tile, size, coordinate or counter here", name);
	free(name);
	return node;
}

static void free_all(struct map_node **nodes, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		map_node_free(nodes[i]);
}

/* "(a, b)": as many as there have to be. */
static bool read_arguments(struct reader *reader, struct map_node **args, unsigned count)
{
	if (!text_take(reader->cursor, "("))
		return false;
	for (unsigned i = 0; i < count; i++) {
		if ((i && !text_take(reader->cursor, ",")) ||
		    !(args[i] = read_comparison(reader))) {
			free_all(args, i);
			return false;
		}
	}
	if (text_take(reader->cursor, ")"))
		return true;
	free_all(args, count);
	return false;
}

/* A function's or a type's name, with what follows. */
static struct map_node *read_call(struct reader *reader)
{
	struct text_token token = reader->cursor->token;
	const struct map_function *function = map_function_find(
		reader->cursor->text + token.begin, token.length);
	const struct element_type *type = NULL;
	long position = text_position(reader->cursor), base;
	char *name = text_word(reader->cursor, "a function");
	struct map_node *args[3], *node = NULL;

	base = text_blame(reader->text, position);
	if (name && !function)
		type = element_type_find(reader->ctx, name);
	if (name && !function && !type) {
		layout_context_clear(reader->ctx);
		layout_fail(reader->ctx, LAYOUT_ERROR_INVALID, -1, "there is no function and no "
			"element type %s", name);
	}
	layout_context_set_base(reader->ctx, base);
	free(name);
	if ((!function && !type) ||
	    !read_arguments(reader, args, function ? function->arg_count : 1))
		return NULL;
	base = text_blame(reader->text, position);
	node = function ? map_make(reader->ctx, function->op, args, function->arg_count) :
		map_cast(reader->ctx, type, args[0]);
	layout_context_set_base(reader->ctx, base);
	return node;
}

static bool is_called(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	text_advance(&behind);
	return text_at(&behind, "(");
}

static struct map_node *read_nested(struct reader *reader)
{
	struct text_cursor *cursor = reader->cursor;
	struct map_node *node;

	if (text_skip(cursor, "(")) {
		node = read_comparison(reader);
		if (!node || text_take(cursor, ")"))
			return node;
		map_node_free(node);
		return NULL;
	}
	if (cursor->token.kind == TEXT_INT || text_at(cursor, ".") ||
	    text_at(cursor, "inf") || text_at(cursor, "nan"))
		return read_number(reader);
	if (cursor->token.kind != TEXT_NAME) {
		text_expected(cursor, "an expression");
		return NULL;
	}
	return is_called(cursor) ? read_call(reader) : read_name(reader);
}

/* "-" before a number is its sign, since not every type holds the number without. */
static struct map_node *negate(struct reader *reader, struct map_node *node)
{
	struct layout_buffer out = { 0 };

	if (!node || node->type || node->op != MAP_NUMBER || *node->text == '-')
		return map_make(reader->ctx, MAP_NEG, &node, 1);
	layout_buffer_printf(&out, "-%s", node->text);
	free(node->text);
	node->text = layout_buffer_take(reader->ctx, &out);
	if (node->text)
		return node;
	map_node_free(node);
	return NULL;
}

static struct map_node *read_factor(struct reader *reader)
{
	struct map_node *node;

	if (!text_enter(reader->cursor))
		return NULL;
	node = text_skip(reader->cursor, "-") ? negate(reader, read_factor(reader)) :
		read_nested(reader);
	text_leave(reader->cursor);
	return node;
}

/* The operation that the next token is: one of two. */
static enum map_op operator_at(struct text_cursor *cursor, enum map_op first,
	enum map_op second)
{
	enum map_op op = text_skip(cursor, map_operator(first)) ? first :
		text_skip(cursor, map_operator(second)) ? second : MAP_OPERAND;

	return op;
}

static struct map_node *join(struct reader *reader, enum map_op op, long position,
	struct map_node *a, struct map_node *b)
{
	struct map_node *args[] = { a, b }, *node;
	long base = text_blame(reader->text, position);

	node = map_make(reader->ctx, op, args, 2);
	layout_context_set_base(reader->ctx, base);
	return node;
}

static struct map_node *read_product(struct reader *reader)
{
	struct map_node *node = read_factor(reader);
	long position = text_position(reader->cursor);
	enum map_op op;

	while (node && (op = operator_at(reader->cursor, MAP_MUL, MAP_DIV))) {
		node = join(reader, op, position, node, read_factor(reader));
		position = text_position(reader->cursor);
	}
	return node;
}

static struct map_node *read_sum(struct reader *reader)
{
	struct map_node *node = read_product(reader);
	long position = text_position(reader->cursor);
	enum map_op op;

	while (node && (op = operator_at(reader->cursor, MAP_ADD, MAP_SUB))) {
		node = join(reader, op, position, node, read_product(reader));
		position = text_position(reader->cursor);
	}
	return node;
}

bool text_comparison(struct text_cursor *cursor, enum map_op equal, enum map_op *op)
{
	const struct { const char *first; enum map_op with, without; } rows[] = {
		{ "<", MAP_LE, MAP_LT }, { ">", MAP_GE, MAP_GT },
		{ "=", MAP_EQ, equal }, { "!", MAP_NE, MAP_OPERAND } };

	*op = MAP_OPERAND;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!text_skip(cursor, rows[i].first))
			continue;
		*op = text_skip(cursor, "=") ? rows[i].with : rows[i].without;
		return *op != MAP_OPERAND || text_expected(cursor, "`=`");
	}
	return true;
}

static struct map_node *read_comparison(struct reader *reader)
{
	struct map_node *node = read_sum(reader);
	long position = text_position(reader->cursor);
	enum map_op op;

	if (!node || !text_comparison(reader->cursor, MAP_OPERAND, &op)) {
		map_node_free(node);
		return NULL;
	}
	return op ? join(reader, op, position, node, read_sum(reader)) : node;
}

/* All of it, and what is behind it if the text ends there; NULL on an error. */
static layout_tile *read_map(const struct program_text *text, bool alone)
{
	struct reader reader = { .text = text, .cursor = text->cursor,
		.ctx = text->program->ctx };
	long position = text_position(text->cursor), base;
	struct map_node *node = read_comparison(&reader);
	layout_tile *tile;

	if (!node || (alone && !text_close(text->cursor))) {
		map_node_free(node);
		return NULL;
	}
	base = text_blame(text, position);
	tile = map_tile(text->program, node, reader.tiles, reader.count);
	layout_context_set_base(reader.ctx, base);
	return tile;
}

layout_tile *text_map(const struct program_text *text)
{
	return read_map(text, false);
}

layout_tile *layout_program_map(layout_program *program, const char *expression)
{
	struct text_cursor cursor;
	struct program_text text = { &cursor, program };

	return build_begun(program) && text_open(&cursor, program->ctx, expression) ?
		read_map(&text, true) : NULL;
}
