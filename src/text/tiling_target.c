/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Targets of data tiling, "CHIP", and rows of the user's own,
 * "CHIP{vgpr_bits = 8192, simds = 1, mma = [INSTRUCTION]}":
 *
 *	TARGET = NAME ["{" [FACT {"," FACT}] "}"]
 *	FACT = NAME "=" INT | "mma" "=" "[" [NAME {"," NAME}] "]" */
#include "text/notations.h"

#include "algebra/mma/mma.h"
#include "text/list.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A row with its own list of instructions, whose names are those of the tables. */
struct own_target {
	layout_tiling_target row;
	unsigned count;
	const char *instructions[TEXT_LIST_LIMIT + 1];
};

#define FACT(name) { #name, offsetof(layout_tiling_target, name) }

static const struct {
	const char *name;
	size_t offset;
} facts[] = {
	FACT(max_load_bits), FACT(vgpr_bits), FACT(simds), FACT(processors),
	FACT(lds_bytes), FACT(cache_line_bytes), FACT(cache_sets),
};
#define FACTS (sizeof(facts) / sizeof(*facts))
#define MMA FACTS

void layout_tiling_target_free(layout_tiling_target *target)
{
	free(target);
}

static bool read_fact(struct text_cursor *cursor, struct own_target *own, size_t offset)
{
	long position = text_position(cursor);
	unsigned narrow;
	int64_t value;

	if (!text_integer(cursor, &value))
		return false;
	if (value < 0 || value > INT_MAX) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"a fact of a target is a number from 0 to %d", INT_MAX);
		return false;
	}
	narrow = (unsigned)value;
	memcpy((char *)&own->row + offset, &narrow, sizeof(narrow));
	return true;
}

/* The name of an instruction of the target's, as the tables have it. */
static const char *read_instruction(struct text_cursor *cursor,
	const layout_tiling_target *row)
{
	long position = text_position(cursor), base;
	char *name = text_name(cursor, false, "a matrix instruction");
	layout_mma *mma;
	const char *found;

	if (!name)
		return NULL;
	base = layout_context_set_base(cursor->ctx, position);
	mma = layout_mma_find(cursor->ctx, name, LAYOUT_MMA_LHS, row->instructions_of);
	layout_context_set_base(cursor->ctx, base);
	free(name);
	found = mma ? mma->name : NULL;
	layout_mma_free(mma);
	return found;
}

static bool read_instructions(struct text_cursor *cursor, struct own_target *own)
{
	own->count = 0;
	if (!text_take(cursor, "["))
		return false;
	while (!text_at(cursor, "]")) {
		const char *name;

		if (!text_room(cursor, own->count, TEXT_LIST_LIMIT))
			return false;
		name = read_instruction(cursor, &own->row);
		if (!name)
			return false;
		own->instructions[own->count++] = name;
		if (!text_skip(cursor, ","))
			break;
	}
	own->instructions[own->count] = NULL;
	own->row.instructions = own->instructions;
	return text_end_list(cursor, "]");
}

/* Which fact the cursor is at; its number, or MMA; above that with an error. */
static size_t find_fact(struct text_cursor *cursor)
{
	for (size_t i = 0; i < FACTS; i++)
		if (text_at(cursor, facts[i].name))
			return i;
	if (text_at(cursor, "mma"))
		return MMA;
	text_expected(cursor, "`max_load_bits`, `vgpr_bits`, `simds`, `processors`, "
		"`lds_bytes`, `cache_line_bytes`, `cache_sets` or `mma`");
	return MMA + 1;
}

static bool read_facts(struct text_cursor *cursor, struct own_target *own)
{
	bool given[MMA + 1] = { false };

	while (!text_at(cursor, "}")) {
		size_t fact = find_fact(cursor);

		if (fact > MMA)
			return false;
		if (given[fact])
			return text_duplicate(cursor);
		given[fact] = true;
		text_advance(cursor);
		if (!text_take(cursor, "=") || !(fact == MMA ?
				read_instructions(cursor, own) :
				read_fact(cursor, own, facts[fact].offset)))
			return false;
		if (!text_skip(cursor, ","))
			break;
	}
	return text_end_list(cursor, "}");
}

static bool read_row(struct text_cursor *cursor, struct own_target *own)
{
	long position = text_position(cursor), base;
	char name[TEXT_TARGET_SIZE];
	const layout_tiling_target *row;

	if (!text_target(cursor, name))
		return false;
	base = layout_context_set_base(cursor->ctx, position);
	row = layout_tiling_target_find(cursor->ctx, name);
	layout_context_set_base(cursor->ctx, base);
	if (!row)
		return false;
	own->row = *row;
	return !text_skip(cursor, "{") || read_facts(cursor, own);
}

layout_tiling_target *text_tiling_target(struct text_cursor *cursor)
{
	struct own_target *own = layout_alloc(cursor->ctx, 1, sizeof(*own));

	if (own && read_row(cursor, own))
		return &own->row;
	free(own);
	return NULL;
}

layout_tiling_target *layout_tiling_target_parse(layout_context *ctx, const char *text)
{
	struct text_cursor cursor;
	layout_tiling_target *target;

	if (!text_open(&cursor, ctx, text))
		return NULL;
	target = text_tiling_target(&cursor);
	if (target && text_close(&cursor))
		return target;
	layout_tiling_target_free(target);
	return NULL;
}
