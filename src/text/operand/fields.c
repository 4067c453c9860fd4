/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fields of a verbose encoding. */
#include "text/operand/operand.h"

#include <inttypes.h>
#include <string.h>

const char *const text_operand_keys[KEY_COUNT] = {
	[OPERAND_INDEX] = "operand_index",
	[OP_TYPE] = "op_type",
	[ELEMENT_TYPES] = "element_types",
	[ORIGINAL_TYPE] = "original_element_type",
	[INDEXING_MAPS] = "user_indexing_maps",
	[SIZES] = "iteration_sizes",
	[ROUND_DIMS] = "round_dims_to",
};

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
	struct text_items items = { "[", "]", LAYOUT_OPERANDS };
	unsigned *count = &reading->desc.type_count;

	reading->places.type_list = text_position(cursor);
	while (text_item(cursor, &items)) {
		if (!read_type(cursor, reading->types[*count],
				&reading->places.types[*count]))
			return false;
		reading->type_list[*count] = reading->types[*count];
		++*count;
	}
	return items.ended;
}

static bool read_sizes(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	struct text_items items = { "[", "]", LAYOUT_LOOPS };
	unsigned *count = &reading->desc.size_count;

	reading->desc.sizes = reading->sizes;
	reading->places.size_list = text_position(cursor);
	while (text_item(cursor, &items)) {
		reading->places.sizes[*count] = text_position(cursor);
		if (text_skip(cursor, "?"))
			reading->sizes[*count] = LAYOUT_DYNAMIC;
		else if (!text_integer(cursor, &reading->sizes[*count]))
			return false;
		++*count;
	}
	return items.ended;
}

static bool read_original_type(struct reading *reading)
{
	reading->desc.original_type = reading->original_type;
	return read_type(reading->cursor, reading->original_type,
		&reading->places.original_type);
}

/* "array<i64: 1, 32, 32>", of former IREEs: how large a buffer had to be before the layout
 * was known.  The layout is the same without. */
static bool read_round_dims(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	struct text_ints rounding;

	return text_take(cursor, "array") && text_take(cursor, "<") &&
		text_take(cursor, "i64") && (text_skip(cursor, ">") ||
			text_integers_between(cursor, ":", ">", 0, "what is rounded to",
				&rounding));
}

static bool (*const readers[KEY_COUNT])(struct reading *reading) = {
	[OPERAND_INDEX] = read_index,
	[OP_TYPE] = read_op_type,
	[ELEMENT_TYPES] = read_types,
	[ORIGINAL_TYPE] = read_original_type,
	[INDEXING_MAPS] = text_operand_maps,
	[SIZES] = read_sizes,
	[ROUND_DIMS] = read_round_dims,
};

bool text_operand_field(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;
	unsigned key = 0;

	while (key < KEY_COUNT && !text_at(cursor, text_operand_keys[key]))
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

bool text_operand_demand(const struct reading *reading, long position)
{
	for (unsigned key = OPERAND_INDEX; key <= ELEMENT_TYPES; key++) {
		if (reading->given[key])
			continue;
		layout_fail(reading->cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"missing required parameter: `%s`", text_operand_keys[key]);
		return false;
	}
	return true;
}
