/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The maps of contractions, "(i, j, k) -> (i, k), (j, k), (i, j)". */
#include "text/program.h"

#include <stdlib.h>
#include <string.h>

/* The letter of that name, or how many there are. */
static unsigned find_letter(const struct contract_maps *maps, const char *name)
{
	unsigned i = 0;

	while (i < maps->letter_count && strcmp(maps->letters[i], name) != 0)
		i++;
	return i;
}

static bool read_letter(struct text_cursor *cursor, struct contract_maps *maps)
{
	long position = text_position(cursor);
	char *name;

	if (!text_room(cursor, maps->letter_count, PROGRAM_RANK))
		return false;
	name = text_word(cursor, "a dimension");
	if (name && find_letter(maps, name) < maps->letter_count) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"`%s` is there twice", name);
		free(name);
		return false;
	}
	if (name)
		maps->letters[maps->letter_count++] = name;
	return name;
}

static bool read_use(struct text_cursor *cursor, struct contract_maps *maps,
	unsigned which)
{
	long position = text_position(cursor);
	char *name = text_word(cursor, "a dimension");
	unsigned letter = name ? find_letter(maps, name) : 0;
	bool good = name && letter < maps->letter_count;

	if (name && !good)
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"there is no dimension `%s` before `->`", name);
	free(name);
	for (unsigned i = 0; good && i < maps->ranks[which]; i++)
		if (maps->maps[which][i] == letter) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
				"a tile has a dimension once");
			return false;
		}
	if (good)
		maps->maps[which][maps->ranks[which]++] = letter;
	return good;
}

bool text_letters(struct text_cursor *cursor, struct contract_maps *maps, int which)
{
	if (!text_take(cursor, "("))
		return false;
	if (text_skip(cursor, ")"))
		return true;
	do
		if (which < 0 ? !read_letter(cursor, maps) :
		    !read_use(cursor, maps, (unsigned)which))
			return false;
	while (text_skip(cursor, ","));
	return text_end_list(cursor, ")");
}

bool text_contract_maps(struct text_cursor *cursor, struct contract_maps *maps)
{
	return text_letters(cursor, maps, -1) && text_take(cursor, "->") &&
		text_letters(cursor, maps, 0) && text_take(cursor, ",") &&
		text_letters(cursor, maps, 1) && text_take(cursor, ",") &&
		text_letters(cursor, maps, 2);
}

void text_contract_maps_free(struct contract_maps *maps)
{
	for (unsigned i = 0; i < maps->letter_count; i++)
		free(maps->letters[i]);
	maps->letter_count = 0;
}

/* operands: x, y, the sum, and scales or NULL. */
static layout_tile *contract(layout_program *program, layout_tile *const operands[5],
	const char *text, const char *by)
{
	struct contract_maps maps = { 0 };
	struct text_cursor cursor;
	layout_tile *tile = NULL;

	if (!build_begun(program) || !operands[0] || !operands[1] || !operands[2] ||
	    !text_open(&cursor, program->ctx, text))
		return NULL;
	if (text_contract_maps(&cursor, &maps) && text_close(&cursor))
		tile = contract_tile(program, operands, &maps, by);
	text_contract_maps_free(&maps);
	return tile;
}

layout_tile *layout_program_contract(layout_program *program, layout_tile *sum,
	layout_tile *x, layout_tile *y, const char *maps, const char *by)
{
	layout_tile *const operands[5] = { x, y, sum };

	return contract(program, operands, maps, by);
}

layout_tile *layout_program_contract_scaled(layout_program *program, layout_tile *sum,
	layout_tile *x, layout_tile *x_scales, layout_tile *y, layout_tile *y_scales,
	const char *maps, const char *by)
{
	layout_tile *const operands[5] = { x, y, sum, x_scales, y_scales };

	return x_scales && y_scales ? contract(program, operands, maps, by) : NULL;
}
