/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Targets of data tiling, "CHIP", and rows of the user's own,
 * "CHIP{vgpr_bits = 8192, simds = 1, mma = [INSTRUCTION]}":
 *
 *	TARGET = NAME ["{" [FACT {"," FACT}] "}"]
 *	FACT = NAME "=" INT | "mma" "=" "[" [NAME {"," NAME}] "]"
 *		| "tile" "=" "#iree_gpu.data_tiled_mma_layout" "<" .. ">"
 *		| "features" "=" "[" [NAME {"," NAME}] "]"
 *
 * or as MLIR prints them, see mlir.c. */
#include "text/tiling_target/tiling_target.h"

#include "algebra/mma/mma.h"
#include "text/list.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FACT(name) { #name, offsetof(layout_tiling_target, name) }

static const struct {
	const char *name;
	size_t offset;
} facts[] = {
	FACT(max_load_bits), FACT(vgpr_bits), FACT(simds), FACT(processors),
	FACT(lds_bytes), FACT(cache_line_bytes), FACT(cache_sets),
};
#define FACTS (sizeof(facts) / sizeof(*facts))
enum { MMA = FACTS, TILE, FEATURES, NO_FACT };

void layout_tiling_target_free(layout_tiling_target *target)
{
	free(target);
}

bool text_target_count(struct text_cursor *cursor, unsigned *count)
{
	long position = text_position(cursor);
	int64_t value;

	if (!text_integer(cursor, &value))
		return false;
	if (value < 0 || value > INT_MAX) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"a fact of a target is a number from 0 to %d", INT_MAX);
		return false;
	}
	*count = (unsigned)value;
	return true;
}

static bool read_fact(struct text_cursor *cursor, struct own_target *own, size_t offset)
{
	unsigned count;

	if (!text_target_count(cursor, &count))
		return false;
	memcpy((char *)&own->row + offset, &count, sizeof(count));
	return true;
}

const char *text_target_instruction(struct text_cursor *cursor,
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
		name = text_target_instruction(cursor, &own->row);
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

/* "[avx512f, fma]" */
static bool read_features(struct text_cursor *cursor, struct own_target *own)
{
	struct text_items items = { "[", "]", TEXT_LIST_LIMIT };
	size_t length = 0;

	own->row.features = own->features;
	while (text_item(cursor, &items)) {
		const struct text_token *name = &cursor->token;

		if (name->kind != TEXT_NAME)
			return text_expected(cursor, "the name of a feature");
		if (length + name->length + 3 > sizeof(own->features))
			return text_expected(cursor, "fewer features");
		length += (size_t)sprintf(own->features + length, "%s+%.*s",
			length ? "," : "", (int)name->length, cursor->text + name->begin);
		text_advance(cursor);
	}
	return items.ended;
}

/* Which fact the cursor is at: its number; NO_FACT with an error.  A CPU has one alone, and
 * no GPU has that. */
static size_t find_fact(struct text_cursor *cursor, const struct own_target *own)
{
	for (size_t i = 0; !own->row.features && i < FACTS; i++)
		if (text_at(cursor, facts[i].name))
			return i;
	if (!own->row.features && text_at(cursor, "mma"))
		return MMA;
	if (!own->row.features && text_at(cursor, "tile"))
		return TILE;
	if (own->row.features && text_at(cursor, "features"))
		return FEATURES;
	text_expected(cursor, own->row.features ? "`features`" :
		"`max_load_bits`, `vgpr_bits`, `simds`, `processors`, "
		"`lds_bytes`, `cache_line_bytes`, `cache_sets`, `mma` or `tile`");
	return NO_FACT;
}

static bool read_facts(struct text_cursor *cursor, struct own_target *own)
{
	bool given[NO_FACT] = { false };

	while (!text_at(cursor, "}")) {
		size_t fact = find_fact(cursor, own);

		if (fact == NO_FACT)
			return false;
		if (given[fact])
			return text_duplicate(cursor);
		given[fact] = true;
		given[MMA] = given[TILE] = given[MMA] || given[TILE];
		text_advance(cursor);
		if (!text_take(cursor, "=") || !(fact == FEATURES ?
				read_features(cursor, own) : fact == TILE ?
				text_target_tile(cursor, own) : fact == MMA ?
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

/* Number "wanted" of those at the cursor, and how many there are. */
static layout_tiling_target *read_one(struct text_cursor *cursor, unsigned wanted,
	unsigned *found)
{
	struct own_target *own = layout_alloc(cursor->ctx, 1, sizeof(*own));

	*found = 1;
	if (own && (text_at_target_mlir(cursor) ?
	    text_target_mlir(cursor, own, wanted, found) : read_row(cursor, own)))
		return &own->row;
	free(own);
	return NULL;
}

layout_tiling_target *text_tiling_target(struct text_cursor *cursor)
{
	unsigned found;

	return read_one(cursor, LAYOUT_ONE_TARGET, &found);
}

/* NULL without an error past the last. */
static layout_tiling_target *parse(layout_context *ctx, const char *text, unsigned wanted)
{
	struct text_cursor cursor;
	layout_tiling_target *target;
	unsigned found = 0;

	if (!text_open(&cursor, ctx, text))
		return NULL;
	target = text_open_definitions(&cursor) ? read_one(&cursor, wanted, &found) : NULL;
	if (target && text_close(&cursor) && (wanted == LAYOUT_ONE_TARGET || wanted < found))
		return target;
	layout_tiling_target_free(target);
	return NULL;
}

layout_tiling_target *layout_tiling_target_parse(layout_context *ctx, const char *text)
{
	return parse(ctx, text, LAYOUT_ONE_TARGET);
}

layout_tiling_target *layout_tiling_target_parse_at(layout_context *ctx, const char *text,
	unsigned i)
{
	return i == LAYOUT_ONE_TARGET ? NULL : parse(ctx, text, i);
}
