/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps, "remap(SOURCE -> DESTINATION, type = f32 -> f16, rounding = toward_zero,
 * scale = 0.5, pad = 0.0, map = { [i] -> [i + 2] })", or of a chain,
 * "remap(chain(row_major[M], pad([2], [0])) -> row_major[?], type = f32)". */
#include "show/kind.h"
#include "text/kind.h"

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

static bool at_remap(const struct text_cursor *cursor)
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

static bool read_argument(struct text_cursor *cursor, enum argument which,
	struct remap_arguments *arguments)
{
	arguments->position[which] = text_position(cursor);
	if (which == TYPE)
		return read_types(cursor, arguments);
	arguments->text[which] = which == ROUNDING ? read_name(cursor, "a rounding") :
		text_number(cursor);
	return arguments->text[which];
}

/* "= affine_map<..>", "= { [i] -> [i + 2] }" or map_store with its body. */
static bool read_map(struct text_cursor *cursor, struct remap_arguments *arguments)
{
	struct text_cursor outside;
	layout_set *set = NULL;
	bool defined;
	long position;

	if (arguments->map)
		return text_duplicate(cursor);
	text_advance(cursor);
	if (!text_take(cursor, "="))
		return false;
	defined = text_at_defined(cursor);
	if (defined && !text_enter_definition(cursor, &outside))
		return false;
	position = text_position(cursor);
	if (text_at_affine_map(cursor))
		arguments->map = text_affine_map(cursor);
	else if (text_at_isl(cursor))
		text_isl(cursor, &arguments->map, &set);
	else if (text_at_map_store(cursor))
		arguments->map = text_map_store(cursor);
	else
		return text_expected(cursor, "an affine_map or a relation");
	if (set)
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"expected a relation, found a set");
	layout_set_free(set);
	return arguments->map && (!defined || text_leave_definition(cursor, &outside));
}

/* Where tensors say what their elements are, of the source and the destination, and none is named
 * besides: of one that does not say it, they are the other's. */
static bool infer_types(struct text_cursor *cursor, struct remap_arguments *arguments,
	const struct text_tensor tensors[2])
{
	const char *from = *tensors[0].element ? tensors[0].element : tensors[1].element;
	const char *to = *tensors[1].element ? tensors[1].element : tensors[0].element;

	if (!*from)
		return false;
	arguments->position[TYPE] = arguments->to_position = text_position(cursor);
	arguments->text[TYPE] = layout_strdup(cursor->ctx, from);
	if (strcmp(from, to))
		arguments->to = layout_strdup(cursor->ctx, to);
	return arguments->text[TYPE] && (arguments->to || !strcmp(from, to));
}

/* Each argument at most once, in any order, and ")". */
static bool read_arguments(struct text_cursor *cursor, struct remap_arguments *arguments,
	const struct text_tensor tensors[2])
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
	if (!arguments->text[TYPE] && !infer_types(cursor, arguments, tensors))
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

/* What is between the parentheses; a chain or a source. */
struct remap_sides {
	layout_chain *chain;
	layout_storage *source, *destination;
	long position;		/* of the destination */
	struct text_tensor tensors[2];	/* that both may be */
};

/* The destination, in which "?" are the chain's sizes. */
static layout_storage *read_destination(struct text_cursor *cursor, layout_chain *chain)
{
	unsigned rank = layout_chain_rank(chain);
	const char **sizes = layout_alloc(cursor->ctx, rank, sizeof(*sizes));
	layout_storage *storage = NULL;

	for (unsigned d = 0; sizes && d < rank; d++)
		sizes[d] = layout_chain_size(chain, d);
	cursor->inferred = sizes;
	cursor->inferred_count = sizes ? rank : 0;
	if (sizes)
		storage = text_storage(cursor);
	cursor->inferred = NULL;
	cursor->inferred_count = 0;
	free(sizes);
	return storage;
}

/* A name that stands for a chain stands for it here, too. */
static bool at_chain(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	text_look_through(&behind);
	return text_at_chain(&behind);
}

static layout_chain *read_chain(struct text_cursor *cursor)
{
	struct text_cursor outside;
	layout_chain *chain;

	if (!text_at_defined(cursor))
		return text_chain(cursor);
	if (!text_enter_definition(cursor, &outside))
		return NULL;
	chain = read_chain(cursor);
	if (chain && text_leave_definition(cursor, &outside))
		return chain;
	layout_chain_free(chain);
	return NULL;
}

static bool read_sides(struct text_cursor *cursor, struct remap_sides *sides)
{
	if (!text_take(cursor, "remap") || !text_take(cursor, "("))
		return false;
	text_peek_tensor(cursor, &sides->tensors[0]);
	if (at_chain(cursor))
		sides->chain = read_chain(cursor);
	else
		sides->source = text_storage(cursor);
	if ((!sides->chain && !sides->source) || !text_take(cursor, "->"))
		return false;
	sides->position = text_position(cursor);
	text_peek_tensor(cursor, &sides->tensors[1]);
	sides->destination = sides->chain ? read_destination(cursor, sides->chain) :
		text_storage(cursor);
	return sides->destination;
}

/* Consumes what it takes of both. */
static layout_remap *make_remap(struct remap_sides *sides,
	struct remap_arguments *arguments, const layout_conversion *conversion)
{
	const char *type = arguments->text[TYPE], *pad = arguments->text[PAD];
	struct remap_sides all = *sides;
	layout_relation *map = arguments->map;

	*sides = (struct remap_sides){ 0 };
	arguments->map = NULL;
	if (all.chain)
		return layout_remap_new_chained(all.chain, all.destination, type, pad,
			conversion);
	return map ? layout_remap_new_mapped(all.source, all.destination, map, type, pad,
			conversion) :
		layout_remap_new_converting(all.source, all.destination, type, pad,
			conversion);
}

/* A chain says where elements go: it needs no map, and takes none. */
static bool check_map(struct text_cursor *cursor, const struct remap_sides *sides,
	const struct remap_arguments *arguments)
{
	if (!sides->chain || !arguments->map)
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, sides->position,
		"a remap of a chain takes no map: the chain is one");
	return false;
}

/* What is wrong with source and destination together is said of the destination. */
static layout_remap *text_remap(struct text_cursor *cursor)
{
	struct remap_arguments arguments = { 0 };
	struct remap_sides sides = { 0 };
	layout_conversion conversion = LAYOUT_CONVERSION_INIT;
	layout_remap *remap = NULL;
	long base;

	if (read_sides(cursor, &sides) && read_arguments(cursor, &arguments, sides.tensors) &&
	    check_arguments(cursor, &arguments, &conversion) &&
	    check_map(cursor, &sides, &arguments)) {
		base = layout_context_set_base(cursor->ctx, sides.position);
		remap = make_remap(&sides, &arguments, &conversion);
		layout_context_set_base(cursor->ctx, base);
	}
	layout_chain_free(sides.chain);
	layout_storage_free(sides.source);
	layout_storage_free(sides.destination);
	layout_relation_free(arguments.map);
	for (unsigned i = 0; i < ARGUMENTS; i++)
		free(arguments.text[i]);
	free(arguments.to);
	return remap;
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
	source = remap->chain ? layout_chain_str(remap->chain) :
		layout_storage_str(remap->source);
	destination = layout_storage_str(remap->destination);
	if (source && destination) {
		layout_buffer_printf(&out, "remap(%s -> %s, type = ", source,
			destination);
		print_conversion(&out, remap);
		if (remap->pad)
			layout_buffer_printf(&out, ", pad = %s", remap->pad);
		if (!remap->chain)
			print_map(&out, remap);
		layout_buffer_printf(&out, ")");
	}
	free(source);
	free(destination);
	return out.length || out.failed ? layout_buffer_take(remap->ctx, &out) : NULL;
}

RELATION_FUNCTIONS(remap)
OF_OBJECT(layout_storage *, cells, layout_remap_destination)

static layout_set *onto(layout_value *value)
{
	return layout_storage_cells(cells(value));
}

static layout_set *from(layout_value *value)
{
	return layout_relation_range(layout_storage_relation(
		layout_remap_source(value->object)));
}

static const char *size_name(layout_value *value, unsigned i)
{
	return layout_remap_size_name(value->object, i);
}

const struct value_kind kind_remap = {
	RELATION_FIELDS(remap), .noun = "a remap", .at = at_remap,
	.onto = onto, .from = from, .size_name = size_name, .cells = cells,
	.show = &show_remap,
};
