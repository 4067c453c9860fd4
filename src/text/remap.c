/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps, "remap(SOURCE -> DESTINATION, type = f32, pad = 0.0)". */
#include "text/notations.h"

#include "algebra/storage/element.h"
#include "algebra/storage/remap.h"

#include <stdlib.h>
#include <string.h>

struct remap_arguments {
	char *type, *pad;
	long type_position, pad_position;
};

bool text_at_remap(const struct text_cursor *cursor)
{
	return text_at(cursor, "remap");
}

static char *copy(struct text_cursor *cursor, size_t begin, size_t length)
{
	char *text = layout_alloc(cursor->ctx, length + 1, 1);

	if (text)
		memcpy(text, cursor->text + begin, length);
	return text;
}

static bool read_type(struct text_cursor *cursor, struct remap_arguments *arguments)
{
	struct text_token token = cursor->token;

	if (token.kind != TEXT_NAME)
		return text_expected(cursor, "an element type");
	arguments->type_position = text_position(cursor);
	arguments->type = copy(cursor, token.begin, token.length);
	text_advance(cursor);
	return arguments->type;
}

/* All that could be part of a number; element_type_bits() will say. */
static bool read_pad(struct text_cursor *cursor, struct remap_arguments *arguments)
{
	size_t begin = cursor->token.begin;
	size_t length = strspn(cursor->text + begin, "+-.0123456789"
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

	if (!length)
		return text_expected(cursor, "a number");
	arguments->pad_position = text_position(cursor);
	arguments->pad = copy(cursor, begin, length);
	text_seek(cursor, begin + length);
	return arguments->pad;
}

static bool unsupported(struct text_cursor *cursor, const char *what)
{
	layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, text_position(cursor),
		"%s is not supported in a remap", what);
	return false;
}

/* type = f32 and pad = 0.0 in any order, and ")". */
static bool read_arguments(struct text_cursor *cursor, struct remap_arguments *arguments)
{
	while (text_skip(cursor, ",")) {
		bool type = text_at(cursor, "type");

		if (text_at(cursor, "map"))
			return unsupported(cursor, "`map`");
		if (!type && !text_at(cursor, "pad"))
			return text_expected(cursor, "`type` or `pad`");
		if (type ? arguments->type : arguments->pad)
			return text_duplicate(cursor);
		text_advance(cursor);
		if (!text_take(cursor, "="))
			return false;
		if (!(type ? read_type : read_pad)(cursor, arguments))
			return false;
	}
	if (!arguments->type)
		return text_expected(cursor, "`, type =`");
	return text_end_list(cursor, ")");
}

/* What layout_remap_new() would refuse as well, but not at its place. */
static bool check_arguments(struct text_cursor *cursor,
	const struct remap_arguments *arguments)
{
	const struct element_type *type;
	uint64_t bits;
	bool good;
	long base = layout_context_set_base(cursor->ctx, arguments->type_position);

	type = element_type_find(cursor->ctx, arguments->type);
	layout_context_set_base(cursor->ctx, arguments->pad_position);
	good = type && (!arguments->pad ||
		element_type_bits(cursor->ctx, type, arguments->pad, &bits));
	layout_context_set_base(cursor->ctx, base);
	return good;
}

static layout_storage *read_side(struct text_cursor *cursor)
{
	if (!text_at(cursor, "chain"))
		return text_storage(cursor);
	unsupported(cursor, "a chain of relayout operations");
	return NULL;
}

/* What is wrong with source and destination together is said of the destination. */
layout_remap *text_remap(struct text_cursor *cursor)
{
	struct remap_arguments arguments = { 0 };
	layout_storage *source = NULL, *destination = NULL;
	layout_remap *remap = NULL;
	long position = 0, base;

	if (text_take(cursor, "remap") && text_take(cursor, "("))
		source = read_side(cursor);
	if (source && text_take(cursor, "->")) {
		position = text_position(cursor);
		destination = read_side(cursor);
	}
	if (destination && read_arguments(cursor, &arguments) &&
			check_arguments(cursor, &arguments)) {
		base = layout_context_set_base(cursor->ctx, position);
		remap = layout_remap_new(source, destination, arguments.type,
			arguments.pad);
		layout_context_set_base(cursor->ctx, base);
		source = destination = NULL;
	}
	layout_storage_free(source);
	layout_storage_free(destination);
	free(arguments.type);
	free(arguments.pad);
	return remap;
}

layout_remap *layout_remap_parse(layout_context *ctx, const char *text)
{
	struct text_cursor cursor;
	layout_remap *remap;

	if (!text_open(&cursor, ctx, text))
		return NULL;
	remap = text_remap(&cursor);
	if (remap && text_close(&cursor))
		return remap;
	layout_remap_free(remap);
	return NULL;
}

char *layout_remap_str(layout_remap *remap)
{
	struct layout_buffer out = { 0 };
	char *source, *destination;

	if (!remap)
		return NULL;
	source = layout_storage_str(remap->source);
	destination = layout_storage_str(remap->destination);
	if (source && destination) {
		layout_buffer_printf(&out, "remap(%s -> %s, type = %s", source,
			destination, remap->type->name);
		if (remap->pad)
			layout_buffer_printf(&out, ", pad = %s", remap->pad);
		layout_buffer_printf(&out, ")");
	}
	free(source);
	free(destination);
	return out.length ? layout_buffer_take(remap->ctx, &out) : NULL;
}
