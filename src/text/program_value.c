/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The values of programs: what is behind "NAME =". */
#include "text/program.h"
#include "program/sight.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void text_tile_type_free(struct tile_text *type)
{
	free(type->type);
	free(type->owner_text);
	layout_relation_free(type->owner);
	*type = (struct tile_text){ .rank = -1 };
}

/* "[64, 8]" or "(64, 8)": integers. */
static bool read_list(struct text_cursor *cursor, int64_t list[PROGRAM_RANK],
	unsigned *count)
{
	const char *end = text_at(cursor, "(") ? ")" : "]";

	*count = 0;
	if (!text_skip(cursor, "(") && !text_take(cursor, "["))
		return false;
	if (text_skip(cursor, end))
		return true;
	do {
		if (!text_room(cursor, *count, PROGRAM_RANK) ||
		    !text_integer(cursor, &list[*count]))
			return false;
		++*count;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, end);
}

static bool read_box(struct text_cursor *cursor, struct tile_text *type)
{
	unsigned rank;

	if (!read_list(cursor, type->box, &rank))
		return false;
	type->rank = (int)rank;
	return true;
}

char *text_since(struct text_cursor *cursor, size_t begin)
{
	size_t end = cursor->token.begin;
	char *text;

	while (end > begin && strchr(" \t\r\n", cursor->text[end - 1]))
		end--;
	text = layout_alloc(cursor->ctx, end - begin + 1, 1);
	if (text)
		memcpy(text, cursor->text + begin, end - begin);
	return text;
}

/* "like x" */
static bool read_like(const struct program_text *text, struct tile_text *type)
{
	long position = text_position(text->cursor);
	char *name = text_word(text->cursor, "a tile");
	layout_tile *tile = name ? program_find_tile(text->program, name) : NULL;

	if (name && !tile)
		layout_fail(text->program->ctx, LAYOUT_ERROR_PARSE, position,
			"there is no tile `%s`", name);
	free(name);
	if (tile && tile->owner)
		type->owner = layout_relation_copy(tile->owner);
	else
		type->like = tile;
	return tile;
}

/* An owner behind a box is of its rank. */
static bool check_rank(const struct program_text *text, const struct tile_text *type)
{
	unsigned rank = type->like ? type->like->rank : layout_relation_out_rank(type->owner);

	if (type->rank < 0 || rank == (unsigned)type->rank)
		return true;
	layout_fail(text->program->ctx, LAYOUT_ERROR_SPACE, type->position,
		"the owner is of rank %u, the box of rank %d", rank, type->rank);
	return false;
}

bool text_owner(const struct program_text *text, struct tile_text *type)
{
	struct text_cursor *cursor = text->cursor;
	size_t begin = cursor->token.begin;
	struct program_owner *named = NULL;
	layout_value *value;

	type->position = text_position(cursor);
	for (unsigned i = 0; i < text->program->owner_count; i++)
		if (text_at(cursor, text->program->owners[i].name))
			named = &text->program->owners[i];
	if (named) {
		text_advance(cursor);
		type->owner = layout_relation_copy(named->relation);
	} else if (text_skip(cursor, "like")) {
		if (!read_like(text, type))
			return false;
	} else {
		value = text_expression(cursor);
		type->owner = layout_value_relation(value);
		layout_value_free(value);
	}
	type->owner_text = type->owner || type->like ? text_since(cursor, begin) : NULL;
	return type->owner_text && check_rank(text, type);
}

char *text_type_name(struct text_cursor *cursor, const char *tensor)
{
	return *tensor && cursor->token.kind != TEXT_NAME ? layout_strdup(cursor->ctx, tensor) :
		text_word(cursor, "an element type");
}

char *text_type(const struct program_text *text, const char *tensor)
{
	long position = text_position(text->cursor), base;
	char *name = text_type_name(text->cursor, tensor);
	bool known;

	if (!name)
		return NULL;
	base = text_blame(text, position);
	known = element_type_find(text->program->ctx, name);
	layout_context_set_base(text->program->ctx, base);
	if (known)
		return name;
	free(name);
	return NULL;
}

bool text_box_type(const struct program_text *text, struct tile_text *type)
{
	*type = (struct tile_text){ .rank = -1 };
	type->position = text_position(text->cursor);
	if (!read_box(text->cursor, type))
		return false;
	type->type = text_type(text, "");
	return type->type;
}

bool text_tile_type(const struct program_text *text, struct tile_text *type)
{
	return text_box_type(text, type) && (!text_skip(text->cursor, "@") || text_owner(text, type));
}

void text_place_free(struct place_text *place)
{
	for (unsigned i = 0; i < place->count; i++)
		free(place->at[i]);
	place->count = 0;
}

/* Positions may be negative, for what lies before a memory is outside of it. */
static char *read_position(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor, behind = *cursor;

	text_advance(&behind);
	if (cursor->token.kind == TEXT_NAME && (text_at(&behind, ",") ||
	    text_at(&behind, "]")))
		return text_word(cursor, "a position");
	return text_index(cursor);
}

bool text_place(const struct program_text *text, struct place_text *place)
{
	struct text_cursor *cursor = text->cursor;
	long position = text_position(cursor);
	char *name = text_word(cursor, "an argument");

	*place = (struct place_text){ 0 };
	place->memory = name ? program_find_memory(text->program, name) : NULL;
	if (name && !place->memory)
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"the program has no argument or object `%s`", name);
	free(name);
	if (!place->memory || !text_take(cursor, "["))
		return false;
	if (text_skip(cursor, "]"))
		return true;
	do {
		if (!text_room(cursor, place->count, PROGRAM_RANK) ||
		    !(place->at[place->count] = read_position(text)))
			return false;
		place->count++;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, "]");
}

/* As many positions as the memory has dimensions. */
bool text_check_place(const struct program_text *text, const struct place_text *place,
	long position)
{
	unsigned rank = program_memory_rank(place->memory);

	if (rank != place->count)
		layout_fail(text->program->ctx, LAYOUT_ERROR_SPACE, position,
			"`%s` has %u dimensions, %u positions are given",
			place->memory->name, rank, place->count);
	return rank == place->count;
}

/* Let a new tile be like what was written; NULL with the error. */
static layout_tile *take_like(layout_tile *tile, struct tile_text *type)
{
	layout_tile *like = tile ? type->like : NULL;

	if (tile)
		type->like = NULL;
	return !like || layout_tile_set_like(tile, like) ? tile : NULL;
}

static layout_relation *take_owner(struct tile_text *type)
{
	layout_relation *owner = type->owner;

	type->owner = NULL;
	return owner;
}

/* The type from before "=", which a fill and an index need. */
static bool need_box(const struct program_text *text, const struct tile_text *type,
	long position)
{
	if (type->rank >= 0)
		return true;
	layout_fail(text->program->ctx, LAYOUT_ERROR_PARSE, position,
		"it needs a type: `NAME: [BOX] TYPE = ..`");
	return false;
}

static layout_tile *read_fill(const struct program_text *text, struct tile_text *type)
{
	long position = text_position(text->cursor), base;
	layout_tile *tile = NULL;
	char *number;

	if (!need_box(text, type, position))
		return NULL;
	number = text_number(text->cursor);
	base = text_blame(text, position);
	if (number)
		tile = layout_program_fill(text->program, type->box, (unsigned)type->rank,
			type->type, number, take_owner(type));
	layout_context_set_base(text->program->ctx, base);
	free(number);
	return tile;
}

/* Is the number one that a dimension could have? */
static bool check_dim(const struct program_text *text, int64_t dim, long position)
{
	if (dim >= 0 && dim <= INT_MAX)
		return true;
	layout_fail(text->program->ctx, LAYOUT_ERROR_INVALID, position,
		"there is no dimension %" PRId64, dim);
	return false;
}

static layout_tile *read_index(const struct program_text *text, struct tile_text *type)
{
	long position = text_position(text->cursor), base;
	layout_tile *tile;
	int64_t dim;

	if (!need_box(text, type, position) || !text_integer(text->cursor, &dim))
		return NULL;
	if (!check_dim(text, dim, position))
		return NULL;
	base = text_blame(text, position);
	tile = layout_program_index(text->program, type->box, (unsigned)type->rank,
		(unsigned)dim, take_owner(type));
	layout_context_set_base(text->program->ctx, base);
	return tile;
}

/* "(pad = v)" */
static bool read_options(const struct program_text *text, char **pad)
{
	if (!text_skip(text->cursor, "("))
		return true;
	return text_take(text->cursor, "pad") && text_take(text->cursor, "=") &&
		(*pad = text_number(text->cursor)) && text_end_list(text->cursor, ")");
}

/* "A[..] : [2, 512] @ o (pad = 1)"; of a get, without a pad. */
static layout_tile *read_load(const struct program_text *text, struct tile_text *type,
	bool load)
{
	struct text_cursor *cursor = text->cursor;
	long position = text_position(cursor), base;
	struct place_text place;
	struct tile_text box = { .rank = -1 };
	layout_tile *tile = NULL;
	char *pad = NULL;

	if (text_place(text, &place) && text_check_place(text, &place, position) &&
	    text_take(cursor, ":") && read_box(cursor, &box) &&
	    (!text_skip(cursor, "@") || text_owner(text, &box)) &&
	    (!load || read_options(text, &pad))) {
		base = text_blame(text, position);
		if ((unsigned)box.rank != place.count)
			layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, -1,
				"`%s` has %u dimensions, the box %d", place.memory->name,
				place.count, box.rank);
		else if (load)
			tile = layout_program_load(text->program, place.memory,
				(const char *const *)place.at, box.box, pad,
				take_owner(box.owner ? &box : type));
		else
			tile = layout_program_get(text->program, place.memory,
				(const char *const *)place.at, box.box,
				take_owner(box.owner ? &box : type));
		tile = take_like(tile, &box);
		layout_context_set_base(cursor->ctx, base);
		if (tile && box.owner_text) {
			tile->owner_text = box.owner_text;
			box.owner_text = NULL;
		}
	}
	text_place_free(&place);
	text_tile_type_free(&box);
	free(pad);
	return tile;
}

/* An operand: "like" what a value is, without a type of its own. */
static layout_tile *read_operand(const struct program_text *text)
{
	struct tile_text none = { .rank = -1 };
	layout_tile *tile = text_enter(text->cursor) ? text_value(text, &none) : NULL;

	if (tile)
		text_leave(text->cursor);
	return tile;
}

static layout_tile *read_convert(const struct program_text *text)
{
	long position = text_position(text->cursor), base;
	struct tile_text to = { .rank = -1 };
	layout_tile *operand = read_operand(text), *tile = NULL;

	if (operand && text_take(text->cursor, "@") && text_owner(text, &to)) {
		base = text_blame(text, position);
		tile = to.like ? layout_program_convert_like(text->program, operand,
			to.like) : layout_program_convert(text->program, operand,
			take_owner(&to));
		layout_context_set_base(text->program->ctx, base);
		if (tile) {
			tile->owner_text = to.owner_text;
			to.owner_text = NULL;
		}
	}
	text_tile_type_free(&to);
	return tile;
}

/* "expand 1 into (64, 8)" */
static bool read_expand(struct text_cursor *cursor, int64_t *list, unsigned *count)
{
	int64_t into[PROGRAM_RANK];

	if (!text_integer(cursor, &list[0]) || !text_take(cursor, "into") ||
	    !read_list(cursor, into, count))
		return false;
	memcpy(list + 1, into, *count * sizeof(*into));
	++*count;
	return true;
}

static bool has_relation(const struct program_text *text, const struct tile_text *map)
{
	if (map->like)
		layout_fail(text->program->ctx, LAYOUT_ERROR_INVALID, map->position,
			"`%s` has no owner of its own to see through", map->like->name);
	return !map->like;
}

/* "through RELATION : [64, 4]"; that may be the name of an owner. */
static layout_tile *read_through(const struct program_text *text, layout_tile *operand,
	layout_view_change change, long position)
{
	struct tile_text map = { .rank = -1 }, box = { .rank = -1 };
	layout_tile *tile = NULL;
	bool literal = !text_at(text->cursor, "like");
	long base;

	if (text_owner(text, &map) && has_relation(text, &map) && text_take(text->cursor, ":") &&
	    read_box(text->cursor, &box)) {
		base = text_blame(text, position);
		tile = layout_program_view_through(text->program, operand, change,
			take_owner(&map), box.box, (unsigned)box.rank);
		layout_context_set_base(text->program->ctx, base);
	}
	if (tile && literal && !program_find_owner(text->program, map.owner_text)) {
		free(tile->text);
		tile->text = map.owner_text;
		map.owner_text = NULL;
	}
	text_tile_type_free(&map);
	return tile;
}

static layout_tile *read_view(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;
	layout_tile *operand = read_operand(text), *tile;
	int64_t list[PROGRAM_RANK + 1];
	long position, base;
	unsigned change = 0, count;

	if (!operand)
		return NULL;
	position = text_position(cursor);
	while (program_view_names[change] && !text_at(cursor, program_view_names[change]))
		change++;
	if (!program_view_names[change]) {
		text_expected(cursor,
			"`permute`, `project`, `expand`, `collapse`, `broadcast`, "
			"`through` or `against`");
		return NULL;
	}
	text_advance(cursor);
	if (change >= VIEW_THROUGH)
		return read_through(text, operand, (layout_view_change)change, position);
	if (!(change == VIEW_EXPAND ? read_expand(cursor, list, &count) :
	      read_list(cursor, list, &count)))
		return NULL;
	base = text_blame(text, position);
	tile = layout_program_view(text->program, operand, (layout_view_change)change, list,
		count);
	layout_context_set_base(cursor->ctx, base);
	return tile;
}

/* "add s over [1] keep in f32" */
static layout_tile *read_reduce(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;
	long position = text_position(cursor), base;
	char *op = text_word(cursor, "an operation"), *type = NULL;
	layout_tile *operand = op ? read_operand(text) : NULL, *tile = NULL;
	int64_t list[PROGRAM_RANK];
	unsigned dims[PROGRAM_RANK], count;
	bool keep;

	if (operand && text_take(cursor, "over") && read_list(cursor, list, &count)) {
		bool known = true;

		for (unsigned i = 0; known && i < count; i++) {
			known = check_dim(text, list[i], position);
			dims[i] = (unsigned)list[i];
		}
		keep = text_skip(cursor, "keep");
		if (known && (!text_skip(cursor, "in") || (type = text_type(text, "")))) {
			base = text_blame(text, position);
			tile = layout_program_reduce(text->program, operand, op, dims,
				count, keep, type);
			layout_context_set_base(cursor->ctx, base);
		}
	}
	free(op);
	free(type);
	return tile;
}

/* "x * scales" */
static bool read_factor(const struct program_text *text, layout_tile **factor,
	layout_tile **scales)
{
	*factor = read_operand(text);
	if (*factor && text_skip(text->cursor, "*"))
		*scales = read_operand(text);
	return *factor && (*scales || layout_context_error(text->cursor->ctx) ==
		LAYOUT_ERROR_NONE);
}

/* "acc, x * sx, y * sy : MAPS by valu", without scales or with both */
static layout_tile *read_contract(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;
	long position = text_position(cursor), base;
	layout_tile *operands[5] = { NULL }, *tile = NULL;
	struct contract_maps maps = { 0 };
	char *by = NULL;

	if ((operands[2] = read_operand(text)) && text_take(cursor, ",") &&
	    read_factor(text, &operands[0], &operands[3]) && text_take(cursor, ",") &&
	    read_factor(text, &operands[1], &operands[4]) && text_take(cursor, ":") &&
	    text_contract_maps(cursor, &maps) &&
	    (!text_skip(cursor, "by") || (by = text_word(cursor, "an instruction")))) {
		base = text_blame(text, position);
		tile = contract_tile(text->program, operands, &maps, by);
		layout_context_set_base(cursor->ctx, base);
	}
	text_contract_maps_free(&maps);
	free(by);
	return tile;
}

static layout_tile *read_name(const struct program_text *text)
{
	long position = text_position(text->cursor);
	char *name = text_word(text->cursor, "a value");
	layout_tile *tile = name ? program_find_tile(text->program, name) : NULL;

	if (name && !tile)
		layout_fail(text->program->ctx, LAYOUT_ERROR_PARSE, position,
			"there is no tile `%s`", name);
	free(name);
	return tile;
}

layout_tile *text_value(const struct program_text *text, struct tile_text *type)
{
	struct text_cursor *cursor = text->cursor;
	layout_tile *tile;

	if (text_skip(cursor, "(")) {
		tile = text_enter(cursor) ? text_value(text, type) : NULL;
		if (tile)
			text_leave(cursor);
		return tile && text_take(cursor, ")") ? tile : NULL;
	}
	return text_skip(cursor, "fill") ? read_fill(text, type) :
		text_skip(cursor, "index") ? read_index(text, type) :
		text_skip(cursor, "load") ? read_load(text, type, true) :
		text_skip(cursor, "get") ? read_load(text, type, false) :
		text_skip(cursor, "convert") ? read_convert(text) :
		text_skip(cursor, "map") ? text_map(text) :
		text_skip(cursor, "view") ? read_view(text) :
		text_skip(cursor, "reduce") ? read_reduce(text) :
		text_skip(cursor, "contract") ? read_contract(text) : read_name(text);
}
