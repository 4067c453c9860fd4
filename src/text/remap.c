/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps, "remap(SOURCE -> DESTINATION, type = f32 -> f16, rounding = toward_zero,
 * scale = 0.5, pad = 0.0, map = { [i] -> [i + 2] })". */
#include "text/notations.h"

#include "algebra/storage/remap.h"

#include <stdlib.h>
#include <string.h>

enum argument { TYPE, PAD, ROUNDING, SCALE, ARGUMENTS };

static const char *const argument_names[] = { "type", "pad", "rounding", "scale" };

/* What was written, and where; NULL: not.  "to" is the destination's type. */
struct remap_arguments {
	char *text[ARGUMENTS], *to;
	long position[ARGUMENTS], to_position;
	layout_relation *map;
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

static char *read_name(struct text_cursor *cursor, const char *what)
{
	struct text_token token = cursor->token;

	if (token.kind != TEXT_NAME) {
		text_expected(cursor, what);
		return NULL;
	}
	text_advance(cursor);
	return copy(cursor, token.begin, token.length);
}

/* "f32", or "f32 -> f16" */
static bool read_types(struct text_cursor *cursor, struct remap_arguments *arguments)
{
	arguments->text[TYPE] = read_name(cursor, "an element type");
	if (!arguments->text[TYPE] || !text_skip(cursor, "->"))
		return arguments->text[TYPE];
	arguments->to_position = text_position(cursor);
	arguments->to = read_name(cursor, "an element type");
	return arguments->to;
}

/* All that could be part of a number; element_type_bits() will say. */
static char *read_number(struct text_cursor *cursor)
{
	size_t begin = cursor->token.begin;
	size_t length = strspn(cursor->text + begin, "+-.0123456789"
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

	if (!length) {
		text_expected(cursor, "a number");
		return NULL;
	}
	text_seek(cursor, begin + length);
	return copy(cursor, begin, length);
}

static bool read_argument(struct text_cursor *cursor, enum argument which,
	struct remap_arguments *arguments)
{
	arguments->position[which] = text_position(cursor);
	if (which == TYPE)
		return read_types(cursor, arguments);
	arguments->text[which] = which == ROUNDING ? read_name(cursor, "a rounding") :
		read_number(cursor);
	return arguments->text[which];
}

static bool unsupported(struct text_cursor *cursor, const char *what)
{
	layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, text_position(cursor),
		"%s is not supported in a remap", what);
	return false;
}

/* "= affine_map<..>" or "= { [i] -> [i + 2] }" */
static bool read_map(struct text_cursor *cursor, struct remap_arguments *arguments)
{
	layout_set *set = NULL;
	long position;

	if (arguments->map)
		return text_duplicate(cursor);
	text_advance(cursor);
	if (!text_take(cursor, "="))
		return false;
	position = text_position(cursor);
	if (text_at_affine_map(cursor))
		arguments->map = text_affine_map(cursor);
	else if (text_at_isl(cursor))
		text_isl(cursor, &arguments->map, &set);
	else
		return text_expected(cursor, "an affine_map or a relation");
	if (set)
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"expected a relation, found a set");
	layout_set_free(set);
	return arguments->map;
}

/* Each argument at most once, in any order, and ")". */
static bool read_arguments(struct text_cursor *cursor, struct remap_arguments *arguments)
{
	while (text_skip(cursor, ",")) {
		unsigned which = 0;

		if (text_at(cursor, "map")) {
			if (!read_map(cursor, arguments))
				return false;
			continue;
		}
		while (which < ARGUMENTS && !text_at(cursor, argument_names[which]))
			which++;
		if (which == ARGUMENTS)
			return text_expected(cursor,
				"`type`, `pad`, `rounding`, `scale` or `map`");
		if (arguments->text[which])
			return text_duplicate(cursor);
		text_advance(cursor);
		if (!text_take(cursor, "=") ||
		    !read_argument(cursor, (enum argument)which, arguments))
			return false;
	}
	if (!arguments->text[TYPE])
		return text_expected(cursor, "`, type =`");
	return text_end_list(cursor, ")");
}

/* Check with errors at a place in the text. */
static bool check_type(struct text_cursor *cursor, const char *name, long position)
{
	long base = layout_context_set_base(cursor->ctx, position);
	bool good = element_type_find(cursor->ctx, name);

	layout_context_set_base(cursor->ctx, base);
	return good;
}

static bool check_number(struct text_cursor *cursor, const struct element_type *type,
	const struct remap_arguments *arguments, enum argument which)
{
	long base = layout_context_set_base(cursor->ctx, arguments->position[which]);
	uint64_t bits;
	bool good = !arguments->text[which] || element_type_bits(cursor->ctx, type,
		arguments->text[which], &bits);

	layout_context_set_base(cursor->ctx, base);
	return good;
}

/* The conversion that the arguments describe; its text is theirs. */
static bool find_conversion(struct text_cursor *cursor,
	const struct remap_arguments *arguments, layout_conversion *conversion)
{
	long base = layout_context_set_base(cursor->ctx, arguments->position[ROUNDING]);
	const char *rounding = arguments->text[ROUNDING];
	bool good = !rounding || conversion_rounding_find(cursor->ctx, rounding,
		&conversion->rounding);

	layout_context_set_base(cursor->ctx, base);
	conversion->type = arguments->to;
	conversion->scale = arguments->text[SCALE];
	return good;
}

/* What layout_remap_new_converting() would refuse as well, but not at its place. */
static bool check_arguments(struct text_cursor *cursor,
	const struct remap_arguments *arguments, layout_conversion *wanted)
{
	struct conversion conversion;
	layout_conversion unscaled;
	long base;
	bool good;

	if (!check_type(cursor, arguments->text[TYPE], arguments->position[TYPE]) ||
	    (arguments->to &&
	     !check_type(cursor, arguments->to, arguments->to_position)) ||
	    !find_conversion(cursor, arguments, wanted))
		return false;
	unscaled = *wanted;
	unscaled.scale = wanted->scale ? "1" : NULL;
	base = layout_context_set_base(cursor->ctx, arguments->position[TYPE]);
	good = conversion_make(cursor->ctx, arguments->text[TYPE], &unscaled,
		&conversion);
	layout_context_set_base(cursor->ctx, base);
	return good && check_number(cursor, conversion.to, arguments, PAD) &&
		check_number(cursor, conversion.wide, arguments, SCALE);
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
	layout_conversion conversion = LAYOUT_CONVERSION_INIT;
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
			check_arguments(cursor, &arguments, &conversion)) {
		base = layout_context_set_base(cursor->ctx, position);
		remap = arguments.map ? layout_remap_new_mapped(source, destination,
				arguments.map, arguments.text[TYPE], arguments.text[PAD],
				&conversion) :
			layout_remap_new_converting(source, destination,
				arguments.text[TYPE], arguments.text[PAD], &conversion);
		layout_context_set_base(cursor->ctx, base);
		source = destination = NULL;
		arguments.map = NULL;
	}
	layout_storage_free(source);
	layout_storage_free(destination);
	layout_relation_free(arguments.map);
	for (unsigned i = 0; i < ARGUMENTS; i++)
		free(arguments.text[i]);
	free(arguments.to);
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

/* "f32 -> f16, rounding = toward_zero, scale = 0.5" */
static void print_conversion(struct layout_buffer *out, const layout_remap *remap)
{
	const struct conversion *conversion = &remap->conversion;

	conversion_print_types(out, conversion);
	if (conversion->rounding != LAYOUT_ROUND_NEAREST_EVEN)
		layout_buffer_printf(out, ", rounding = %s",
			conversion_rounding_name(conversion->rounding));
	if (remap->scale)
		layout_buffer_printf(out, ", scale = %s", remap->scale);
}

/* ", map = { [i] -> [i + 2] }" */
static void print_map(struct layout_buffer *out, layout_remap *remap)
{
	layout_relation *map = layout_remap_map(remap);
	char *text = layout_relation_str(map);

	if (text)
		layout_buffer_printf(out, ", map = %s", text);
	else if (map)
		out->failed = true;
	free(text);
	layout_relation_free(map);
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
		layout_buffer_printf(&out, "remap(%s -> %s, type = ", source,
			destination);
		print_conversion(&out, remap);
		if (remap->pad)
			layout_buffer_printf(&out, ", pad = %s", remap->pad);
		print_map(&out, remap);
		layout_buffer_printf(&out, ")");
	}
	free(source);
	free(destination);
	return out.length ? layout_buffer_take(remap->ctx, &out) : NULL;
}
