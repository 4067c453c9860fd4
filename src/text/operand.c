/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Verbose encodings, "#iree_encoding.encoding<operand_index = 0 : index, ..>", with the
 * definitions of their maps before them, as MLIR prints both:
 *
 *	#map = affine_map<(d0, d1, d2) -> (d0, d2)>
 *	#encoding = #iree_encoding.encoding<.., user_indexing_maps = [#map, ..]>
 *
 * or as part of the type of the tensor, "tensor<?x?xf32, #iree_encoding.encoding<..>>",
 * which says what the elements are stored as. */
#include "text/notations.h"

#include "algebra/tiling/operand.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ENCODING "#iree_encoding.encoding"
#define NAME_SIZE 80		/* of a type: more than any has */
#define MAPS (LAYOUT_OPERANDS * LAYOUT_LOOPS)
#define DEFINITIONS 64u

enum key {
	OPERAND_INDEX, OP_TYPE, ELEMENT_TYPES, ORIGINAL_TYPE, INDEXING_MAPS, SIZES,
	KEY_COUNT,
};

static const char *const key_names[KEY_COUNT] = {
	[OPERAND_INDEX] = "operand_index",
	[OP_TYPE] = "op_type",
	[ELEMENT_TYPES] = "element_types",
	[ORIGINAL_TYPE] = "original_element_type",
	[INDEXING_MAPS] = "user_indexing_maps",
	[SIZES] = "iteration_sizes",
};

/* "#map = affine_map<..>" */
struct definition {
	struct text_token name;
	layout_relation *map;
};

struct reading {
	struct text_cursor *cursor;
	bool given[KEY_COUNT];
	layout_operand_desc desc;
	struct operand_places places;
	char types[LAYOUT_OPERANDS][NAME_SIZE], original_type[NAME_SIZE];
	const char *type_list[LAYOUT_OPERANDS];
	unsigned map_counts[LAYOUT_OPERANDS], map_count;
	layout_relation *maps[MAPS];
	int64_t sizes[LAYOUT_LOOPS];
	unsigned definition_count;
	struct definition definitions[DEFINITIONS];
	struct text_tensor tensor;
};

/* "#map =" */
static bool at_definition(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	text_advance(&behind);
	return cursor->token.kind == TEXT_NAME &&
		cursor->text[cursor->token.begin] == '#' && text_at(&behind, "=");
}

/* "encoding" alone is a word of other notations. */
static bool at_short_name(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	text_advance(&behind);
	return text_at(cursor, "encoding") && text_at(&behind, "<");
}

bool text_at_operand(const struct text_cursor *cursor)
{
	return text_at(cursor, ENCODING) || at_short_name(cursor) ||
		text_at(cursor, "tensor") || at_definition(cursor);
}

static bool same_name(const struct text_cursor *cursor, struct text_token a,
	struct text_token b)
{
	return a.length == b.length && memcmp(cursor->text + a.begin,
		cursor->text + b.begin, a.length) == 0;
}

static const struct definition *find_definition(const struct reading *reading)
{
	for (unsigned i = 0; i < reading->definition_count; i++)
		if (same_name(reading->cursor, reading->definitions[i].name,
				reading->cursor->token))
			return &reading->definitions[i];
	return NULL;
}

/* The definitions of maps; the name before the encoding, if it has one, is of no use. */
static bool read_definitions(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	struct definition *next;

	while (at_definition(cursor)) {
		if (!text_room(cursor, reading->definition_count, DEFINITIONS))
			return false;
		if (find_definition(reading))
			return text_duplicate(cursor);
		next = &reading->definitions[reading->definition_count];
		next->name = cursor->token;
		text_advance(cursor);
		text_advance(cursor);
		if (text_at(cursor, ENCODING))
			return true;
		if (!text_at_affine_map(cursor))
			return text_expected(cursor,
				"`affine_map` or `" ENCODING "`");
		next->map = text_affine_map(cursor);
		if (!next->map)
			return false;
		reading->definition_count++;
	}
	return true;
}

/* "0 : index", "0" */
static bool read_index(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	int64_t index;

	reading->places.index = text_position(cursor);
	if (!text_integer(cursor, &index))
		return false;
	if (index < 0 || index > UINT32_MAX) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, reading->places.index,
			"there is no operand %" PRId64, index);
		return false;
	}
	reading->desc.operand_index = (unsigned)index;
	return !text_skip(cursor, ":") || text_skip(cursor, "index") ||
		text_skip(cursor, "i64") || text_skip(cursor, "i32") ||
		text_expected(cursor, "an integer type");
}

static bool read_op_type(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	const char *name;

	reading->places.op_type = text_position(cursor);
	for (unsigned i = 0; (name = operand_op_name((layout_op_type)i)); i++)
		if (text_skip(cursor, name)) {
			reading->desc.op_type = (layout_op_type)i;
			return true;
		}
	if (!text_at(cursor, "conv"))
		return text_expected(cursor, "`matmul` or `scaled_matmul`");
	layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, text_position(cursor),
		"op_type conv is not supported, only matmul and scaled_matmul are");
	return false;
}

static bool read_type(struct text_cursor *cursor, char name[NAME_SIZE], long *position)
{
	if (cursor->token.kind != TEXT_NAME || cursor->token.length >= NAME_SIZE)
		return text_expected(cursor, "an element type");
	memcpy(name, cursor->text + cursor->token.begin, cursor->token.length);
	*position = text_position(cursor);
	text_advance(cursor);
	return true;
}

static bool read_types(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	unsigned *count = &reading->desc.type_count;

	reading->places.type_list = text_position(cursor);
	if (!text_take(cursor, "["))
		return false;
	if (text_skip(cursor, "]"))
		return true;
	do {
		if (!text_room(cursor, *count, LAYOUT_OPERANDS) ||
				!read_type(cursor, reading->types[*count],
					&reading->places.types[*count]))
			return false;
		reading->type_list[*count] = reading->types[*count];
		++*count;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, "]");
}

/* "affine_map<..>", or the name of one, which has to be defined before the encoding. */
static layout_relation *read_map(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	const struct definition *definition;
	struct text_token name = cursor->token;

	if (text_at_affine_map(cursor))
		return text_affine_map(cursor);
	if (name.kind != TEXT_NAME || cursor->text[name.begin] != '#') {
		text_expected(cursor, "`affine_map`, the name of one, or a list");
		return NULL;
	}
	definition = find_definition(reading);
	if (definition) {
		text_advance(cursor);
		return layout_relation_copy(definition->map);
	}
	layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
		"%.*s is not defined here: write the map in its place, or "
		"`%.*s = affine_map<..>` before the encoding",
		name.length > 32 ? 32 : (int)name.length, cursor->text + name.begin,
		name.length > 32 ? 32 : (int)name.length, cursor->text + name.begin);
	return NULL;
}

static bool add_map(struct reading *reading)
{
	unsigned *count = &reading->map_counts[reading->desc.map_operands];

	if (!text_room(reading->cursor, *count, LAYOUT_LOOPS))
		return false;
	reading->places.maps[reading->map_count] = text_position(reading->cursor);
	reading->maps[reading->map_count] = read_map(reading);
	if (!reading->maps[reading->map_count])
		return false;
	reading->map_count++;
	++*count;
	return true;
}

/* The maps of one operand: one, or a list of them. */
static bool read_operand_maps(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	unsigned *operand = &reading->desc.map_operands;
	bool good;

	if (!text_room(cursor, *operand, LAYOUT_OPERANDS))
		return false;
	reading->places.operand_maps[*operand] = text_position(cursor);
	if (!text_skip(cursor, "[")) {
		good = add_map(reading);
	} else if (text_skip(cursor, "]")) {
		good = true;
	} else {
		do
			good = add_map(reading);
		while (good && text_skip(cursor, ","));
		good = good && text_end_list(cursor, "]");
	}
	++*operand;
	return good;
}

static bool read_maps(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;

	reading->places.map_list = text_position(cursor);
	if (!text_take(cursor, "["))
		return false;
	if (text_skip(cursor, "]")) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, reading->places.map_list,
			"`operandIndex` exceeds the size of `user_indexing_maps`: "
			"the list is empty");
		return false;
	}
	do {
		if (!read_operand_maps(reading))
			return false;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, "]");
}

static bool read_sizes(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	unsigned *count = &reading->desc.size_count;

	reading->desc.sizes = reading->sizes;
	reading->places.size_list = text_position(cursor);
	if (!text_take(cursor, "["))
		return false;
	if (text_skip(cursor, "]"))
		return true;
	do {
		if (!text_room(cursor, *count, LAYOUT_LOOPS))
			return false;
		reading->places.sizes[*count] = text_position(cursor);
		if (text_skip(cursor, "?"))
			reading->sizes[*count] = LAYOUT_DYNAMIC;
		else if (!text_integer(cursor, &reading->sizes[*count]))
			return false;
		++*count;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, "]");
}

static bool read_original_type(struct reading *reading)
{
	reading->desc.original_type = reading->original_type;
	return read_type(reading->cursor, reading->original_type,
		&reading->places.original_type);
}

static bool (*const readers[KEY_COUNT])(struct reading *reading) = {
	[OPERAND_INDEX] = read_index,
	[OP_TYPE] = read_op_type,
	[ELEMENT_TYPES] = read_types,
	[ORIGINAL_TYPE] = read_original_type,
	[INDEXING_MAPS] = read_maps,
	[SIZES] = read_sizes,
};

static bool read_field(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	unsigned key = 0;

	while (key < KEY_COUNT && !text_at(cursor, key_names[key]))
		key++;
	if (key == KEY_COUNT)
		return text_expected(cursor, "`operand_index`, `op_type`, "
			"`element_types`, `original_element_type`, `user_indexing_maps` "
			"or `iteration_sizes`");
	if (reading->given[key])
		return text_duplicate(cursor);
	reading->given[key] = true;
	text_advance(cursor);
	return text_take(cursor, "=") && readers[key](reading);
}

/* The first three fields are always there. */
static bool demand(const struct reading *reading, long position)
{
	for (unsigned key = OPERAND_INDEX; key <= ELEMENT_TYPES; key++) {
		if (reading->given[key])
			continue;
		layout_fail(reading->cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"missing required parameter: `%s`", key_names[key]);
		return false;
	}
	return true;
}

static bool read_body(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	long begin = text_position(cursor);

	if (!text_skip(cursor, "encoding") && !text_take(cursor, ENCODING))
		return false;
	if (!text_take(cursor, "<"))
		return false;
	do {
		if (!read_field(reading))
			return false;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, ">") && demand(reading, begin);
}

/* The type of the tensor around the encoding. */
static bool read_tensor(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;

	if (!text_tensor(cursor, &reading->tensor) || !read_body(reading) ||
			!text_end_list(cursor, ">"))
		return false;
	reading->desc.stored_type = reading->tensor.element;
	reading->places.stored_type = reading->tensor.element_position;
	return true;
}

/* The tensor's dimensions are those that the maps end in. */
static bool rank_meets(const struct reading *reading, layout_operand *operand)
{
	unsigned rank = layout_operand_rank(operand);

	if (!operand || !reading->desc.stored_type || !reading->desc.map_operands ||
			rank == reading->tensor.rank)
		return true;
	layout_fail(reading->cursor->ctx, LAYOUT_ERROR_SPACE, reading->tensor.position,
		"a tensor of rank %u, the operand's maps end in %u dimensions",
		reading->tensor.rank, rank);
	return false;
}

static void reading_free(struct reading *reading)
{
	for (unsigned i = 0; i < reading->map_count; i++)
		layout_relation_free(reading->maps[i]);
	for (unsigned i = 0; i < reading->definition_count; i++)
		layout_relation_free(reading->definitions[i].map);
	free(reading);
}

layout_operand *text_operand(struct text_cursor *cursor)
{
	struct reading *reading = layout_alloc(cursor->ctx, 1, sizeof(*reading));
	layout_operand *operand = NULL;

	if (!reading)
		return NULL;
	reading->cursor = cursor;
	reading->desc = (layout_operand_desc)LAYOUT_OPERAND_DESC_INIT;
	if (read_definitions(reading) && (text_at(cursor, "tensor") ?
			read_tensor(reading) : read_body(reading))) {
		reading->desc.element_types = reading->type_list;
		reading->desc.map_counts = reading->map_counts;
		operand = operand_new_at(cursor->ctx, &reading->desc, reading->maps,
			&reading->places);
	}
	if (!rank_meets(reading, operand)) {
		layout_operand_free(operand);
		operand = NULL;
	}
	reading_free(reading);
	return operand;
}

layout_operand *layout_operand_parse(layout_context *ctx, const char *text)
{
	struct text_cursor cursor;
	layout_operand *operand;

	if (!text_open(&cursor, ctx, text))
		return NULL;
	operand = text_operand(&cursor);
	if (operand && text_close(&cursor))
		return operand;
	layout_operand_free(operand);
	return NULL;
}

/* The description may be an older caller's, which lacks the last fields. */
layout_operand *layout_operand_new(layout_context *ctx, const layout_operand_desc *desc)
{
	layout_operand_desc own = LAYOUT_OPERAND_DESC_INIT;
	layout_relation *maps[MAPS];
	layout_operand *operand = NULL;
	unsigned count = 0, read = 0;

	if (!layout_given(ctx, desc, "description of an operand"))
		return NULL;
	memcpy(&own, desc, desc->size < sizeof(own) ? desc->size : sizeof(own));
	if (!own.map_counts)
		own.map_operands = 0;
	if (!layout_given(ctx, !own.map_operands || own.maps, "list of maps") ||
			!operand_maps_fit(ctx, &own))
		return NULL;
	for (unsigned i = 0; i < own.map_operands; i++)
		count += own.map_counts[i];
	while (read < count &&
			(maps[read] = text_parse_affine_map(ctx, own.maps[read])))
		read++;
	if (read == count)
		operand = operand_new_at(ctx, &own, maps, NULL);
	while (read)
		layout_relation_free(maps[--read]);
	return operand;
}

static void print_maps(struct layout_buffer *out, const layout_operand *operand)
{
	char *const *map = operand->maps;

	layout_buffer_printf(out, ", %s = [", key_names[INDEXING_MAPS]);
	for (unsigned i = 0; i < operand->map_operands; i++) {
		bool listed = operand->map_counts[i] > 1;

		layout_buffer_printf(out, "%s%s", i ? ", " : "", listed ? "[" : "");
		for (unsigned k = 0; k < operand->map_counts[i]; k++)
			layout_buffer_printf(out, "%s%s", k ? ", " : "", *map++);
		layout_buffer_printf(out, "%s", listed ? "]" : "");
	}
	layout_buffer_printf(out, "]");
}

static void print_sizes(struct layout_buffer *out, const layout_operand *operand)
{
	layout_buffer_printf(out, ", %s = [", key_names[SIZES]);
	for (unsigned i = 0; i < operand->size_count; i++)
		if (operand->sizes[i] == LAYOUT_DYNAMIC)
			layout_buffer_printf(out, "%s?", i ? ", " : "");
		else
			layout_buffer_printf(out, "%s%" PRId64, i ? ", " : "",
				operand->sizes[i]);
	layout_buffer_printf(out, "]");
}

/* The shape is not kept. */
static void print_tensor(struct layout_buffer *out, layout_operand *operand)
{
	layout_buffer_printf(out, "tensor<");
	for (unsigned i = 0; i < layout_operand_rank(operand); i++)
		layout_buffer_printf(out, "?x");
	layout_buffer_printf(out, "%s, ", operand->stored_type);
}

char *layout_operand_str(layout_operand *operand)
{
	struct layout_buffer out = { 0 };

	if (!operand)
		return NULL;
	if (operand->stored_type)
		print_tensor(&out, operand);
	layout_buffer_printf(&out, ENCODING "<%s = %u : index, %s = %s, %s = [",
		key_names[OPERAND_INDEX], operand->index, key_names[OP_TYPE],
		operand_op_name(operand->op_type), key_names[ELEMENT_TYPES]);
	for (unsigned i = 0; i < operand->type_count; i++)
		layout_buffer_printf(&out, "%s%s", i ? ", " : "", operand->types[i]);
	layout_buffer_printf(&out, "]");
	if (operand->original_type)
		layout_buffer_printf(&out, ", %s = %s", key_names[ORIGINAL_TYPE],
			operand->original_type);
	if (operand->map_operands)
		print_maps(&out, operand);
	if (operand->size_count)
		print_sizes(&out, operand);
	layout_buffer_printf(&out, operand->stored_type ? ">>" : ">");
	return layout_buffer_take(operand->ctx, &out);
}
