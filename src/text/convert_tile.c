/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions of a tile, "convert_tile(FROM -> TO, type = f16)". */
#include "algebra/nested/nested.h"
#include "program/convert_tile.h"
#include "text/program.h"
#include "value/value.h"

#include <stdlib.h>
#include <string.h>

/* An owner and its text; the value and the text are to be freed. */
static bool read_side(struct text_cursor *cursor, struct convert_side *side, char **text)
{
	size_t begin = cursor->token.begin;
	layout_value *value = text_expression(cursor);

	side->owner = layout_value_relation(value);
	side->lanes = side->owner && value->kind == &kind_nested ?
		(unsigned)layout_value_nested(value)->subgroup_size : 0;
	layout_value_free(value);
	side->text = *text = side->owner ? text_since(cursor, begin) : NULL;
	return *text;
}

layout_program *text_convert_tile(struct text_cursor *cursor)
{
	struct convert_side sides[2] = { 0 };
	char *texts[2] = { NULL }, *type = NULL;
	layout_program *program = NULL;
	long position = text_position(cursor), base;

	if (text_take(cursor, "convert_tile") && text_take(cursor, "(") &&
	    read_side(cursor, &sides[0], &texts[0]) && text_take(cursor, "->") &&
	    read_side(cursor, &sides[1], &texts[1]) && text_take(cursor, ",") &&
	    text_take(cursor, "type") && text_take(cursor, "=") &&
	    (type = text_word(cursor, "an element type")) && text_take(cursor, ")")) {
		base = layout_context_set_base(cursor->ctx, position);
		program = convert_tile_program(cursor->ctx, sides, type);
		layout_context_set_base(cursor->ctx, base);
	}
	for (unsigned i = 0; i < 2; i++) {
		layout_relation_free(sides[i].owner);
		free(texts[i]);
	}
	free(type);
	return program;
}
