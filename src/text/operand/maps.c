/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The maps of a verbose encoding: in their places, or defined before it. */
#include "text/operand/operand.h"

#include <string.h>

static layout_relation *read_map(struct text_cursor *cursor, const char *expected)
{
	struct text_token name = cursor->token;
	struct text_cursor outside;
	layout_relation *map = NULL;

	if (text_at_affine_map(cursor))
		return text_affine_map(cursor);
	if (name.kind != TEXT_NAME || cursor->text[name.begin] != '#') {
		text_expected(cursor, expected);
		return NULL;
	}
	if (text_at_defined(cursor)) {
		if (text_enter_definition(cursor, &outside))
			map = text_affine_map(cursor);
		if (map && text_leave_definition(cursor, &outside))
			return map;
		layout_relation_free(map);
		return NULL;
	}
	layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
		"%.*s is not defined here: write the map in its place, or "
		"`%.*s = affine_map<..>` before it",
		name.length > 32 ? 32 : (int)name.length, cursor->text + name.begin,
		name.length > 32 ? 32 : (int)name.length, cursor->text + name.begin);
	return NULL;
}

layout_relation *text_affine_map_named(struct text_cursor *cursor)
{
	return read_map(cursor, "`affine_map` or the name of one");
}

static bool add_map(struct reading *reading)
{
	unsigned *count = &reading->map_counts[reading->desc.map_operands];

	if (!text_room(reading->cursor, *count, LAYOUT_LOOPS))
		return false;
	reading->places.maps[reading->map_count] = text_position(reading->cursor);
	reading->maps[reading->map_count] = read_map(reading->cursor,
		"`affine_map`, the name of one, or a list");
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

bool text_operand_maps(struct reading *reading)
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
