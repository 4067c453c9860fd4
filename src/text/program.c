/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs: "program NAME(A: in STORAGE TYPE, ..) { HEAD STATEMENTS }".
 *
 *	HEAD		grid (m, n) in (ceil(M/2), N) order RELATION workers w in 2 x 2
 *			split p = 1 { left = [0, p) x [0, w), right = [p, w) x [0, w) }
 *	assumption	assume K <= 4096
 *	owner		owner o = EXPR
 *	tile		x: [2, 512] f32 @ o = VALUE, or x = VALUE
 *	object		lds la: [64, 32] f16 @ STORAGE
 *	store		store VALUE -> A[2*m, n]
 *	put		put VALUE -> la[0, 0]
 *	copy		copy A[64*m, 32*k] -> la by registers
 *	loop		for k in COUNT stages 2 carry s: .. = VALUE, .. { .. yield t, .. }
 *	condition	when k < 3 and 4*m + 4 <= M { .. }
 *	workers		on left shift 1 { .. } */
#include "text/kind.h"
#include "text/program.h"
#include "program/map.h"
#include "program/sight.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool read_statements(const struct program_text *text);

static bool at_program(const struct text_cursor *cursor)
{
	return text_at(cursor, "program") || text_at(cursor, "contract") ||
		text_at(cursor, "convert_tile") || text_at(cursor, "matmul");
}

char *text_word(struct text_cursor *cursor, const char *what)
{
	struct text_token token = cursor->token;
	char *word;

	if (token.kind != TEXT_NAME) {
		text_expected(cursor, what);
		return NULL;
	}
	text_advance(cursor);
	word = layout_alloc(cursor->ctx, token.length + 1, 1);
	if (word)
		memcpy(word, cursor->text + token.begin, token.length);
	return word;
}

long text_blame(const struct program_text *text, long position)
{
	return layout_context_set_base(text->program->ctx, position);
}

static bool read_access(struct text_cursor *cursor, layout_access *access)
{
	static const char *const names[] = { [LAYOUT_ACCESS_IN] = "in",
		[LAYOUT_ACCESS_OUT] = "out", [LAYOUT_ACCESS_INOUT] = "inout" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (text_skip(cursor, names[i])) {
			*access = (layout_access)i;
			return true;
		}
	return text_expected(cursor, "`in`, `out`, `inout` or `size`");
}

/* Elements that are seen several times are not written. */
static bool check_seen(struct text_cursor *cursor, const struct program_sight *sight,
	layout_access access, long position)
{
	if (!sight || access == LAYOUT_ACCESS_IN)
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
		"what is seen through a map is only read: `in`");
	return false;
}

/* "P: size" */
static bool add_size(const struct program_text *text, const char *name, long position)
{
	long base = text_blame(text, position);
	bool added = layout_program_size(text->program, name);

	layout_context_set_base(text->cursor->ctx, base);
	return added;
}

/* "A: in row_major[M, K] f32" */
static bool read_memory(const struct program_text *text, const char *name, long position)
{
	struct text_cursor *cursor = text->cursor;
	char *type = NULL;
	long base;
	struct program_sight *sight = NULL;
	layout_storage *storage = NULL;
	layout_memory *memory = NULL;
	layout_access access = LAYOUT_ACCESS_IN;
	struct text_tensor tensor;

	if (read_access(cursor, &access) && (text_peek_tensor(cursor, &tensor), true) &&
	    (storage = text_seen_storage(cursor, &sight)) &&
	    (type = text_type(text, tensor.element)) && check_seen(cursor, sight, access, position)) {
		base = text_blame(text, position);
		memory = layout_program_argument(text->program, name, storage, type, access);
		layout_context_set_base(cursor->ctx, base);
		storage = NULL;
		if (memory) {
			memory->position = position;
			memory->sight = sight;
			sight = NULL;
		}
	}
	sight_free(sight);
	layout_storage_free(storage);
	free(type);
	return memory;
}

static bool read_argument(const struct program_text *text)
{
	long position = text_position(text->cursor);
	char *name = text_word(text->cursor, "an argument");
	bool good = name && text_take(text->cursor, ":") && (text_skip(text->cursor, "size") ?
		add_size : read_memory)(text, name, position);

	free(name);
	return good;
}

static bool read_arguments(const struct program_text *text)
{
	if (!text_take(text->cursor, "("))
		return false;
	if (text_skip(text->cursor, ")"))
		return true;
	do
		if (!read_argument(text))
			return false;
	while (text_skip(text->cursor, ","));
	return text_end_list(text->cursor, ")");
}

/* "(a, b)": names, or sizes. */
static bool read_texts(struct text_cursor *cursor, bool names, char **texts,
	unsigned *count)
{
	*count = 0;
	if (!text_take(cursor, "("))
		return false;
	do {
		if (!text_room(cursor, *count, PROGRAM_RANK))
			return false;
		texts[*count] = names ? text_word(cursor, "a coordinate") :
			text_size(cursor);
		if (!texts[*count])
			return false;
		++*count;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, ")");
}

static void free_texts(char **texts, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		free(texts[i]);
}

static bool read_grid(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;
	char *names[PROGRAM_RANK], *counts[PROGRAM_RANK];
	unsigned rank = 0, count = 0;
	long position, base;
	bool good = false;

	if (!text_take(cursor, "grid"))
		return false;
	position = text_position(cursor);
	if (read_texts(cursor, true, names, &rank) && text_take(cursor, "in") &&
	    read_texts(cursor, false, counts, &count)) {
		base = text_blame(text, position);
		good = rank == count;
		if (!good)
			layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, -1,
				"the grid has %u coordinates and %u counts", rank, count);
		good = good && layout_program_grid(text->program,
			(const char *const *)names, (const char *const *)counts, rank);
		layout_context_set_base(cursor->ctx, base);
	}
	free_texts(names, rank);
	free_texts(counts, count);
	return good;
}

/* "order LAYOUT", if there is one. */
static bool read_order(const struct program_text *text)
{
	struct tile_text order = { .rank = -1 };
	long position, base;
	bool good;

	if (!text_skip(text->cursor, "order"))
		return true;
	position = text_position(text->cursor);
	text->program->position = position;
	good = text_owner(text, &order);
	base = text_blame(text, position);
	if (good) {
		good = layout_program_order(text->program, order.owner, order.owner_text);
		order.owner = NULL;
	}
	layout_context_set_base(text->program->ctx, base);
	text_tile_type_free(&order);
	return good;
}

/* "x" before an integer; else it is the first tile. */
static bool skip_times(struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	return text_skip(&behind, "x") && behind.token.kind == TEXT_INT &&
		text_skip(cursor, "x");
}

/* "2 x 2" */
static bool read_waves(struct text_cursor *cursor, int64_t waves[3], unsigned *rank)
{
	*rank = 0;
	do
		if (!text_room(cursor, *rank, 3) || !text_integer(cursor, &waves[(*rank)++]))
			return false;
	while (skip_times(cursor));
	return true;
}

/* "p = 1" */
static bool read_split(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;
	long position = text_position(cursor), base;
	char *name = text_word(cursor, "a name"), *size = NULL;
	bool good = name && text_take(cursor, "=") && (size = text_size(cursor));

	base = text_blame(text, position);
	good = good && layout_program_split(text->program, name, size);
	layout_context_set_base(cursor->ctx, base);
	free(name);
	free(size);
	return good;
}

/* "[0, p)": the bounds, to be freed. */
static bool read_range(struct text_cursor *cursor, char *bounds[2])
{
	return text_take(cursor, "[") && (bounds[0] = text_size(cursor)) &&
		text_take(cursor, ",") && (bounds[1] = text_size(cursor)) &&
		text_take(cursor, ")");
}

/* "left = [0, p) x [0, w)" */
static bool read_set(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;
	long position = text_position(cursor), base;
	char *name = text_word(cursor, "a name"), *bounds[3][2] = { { NULL } };
	const char *low[3], *high[3];
	unsigned rank = 0;
	bool good = name && text_take(cursor, "=");

	while (good && text_room(cursor, rank, 3)) {
		good = read_range(cursor, bounds[rank]);
		low[rank] = bounds[rank][0];
		high[rank] = bounds[rank][1];
		rank++;
		if (!good || !text_skip(cursor, "x"))
			break;
	}
	base = text_blame(text, position);
	good = good && layout_program_worker_set(text->program, name, low, high, rank);
	layout_context_set_base(cursor->ctx, base);
	for (unsigned d = 0; d < 3; d++) {
		free(bounds[d][0]);
		free(bounds[d][1]);
	}
	free(name);
	return good;
}

/* "p = 1 { producer = [0, p), consumer = [p, w) }" behind "split". */
static bool read_sets(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;
	long position = text_position(cursor), base;
	bool good;

	while (!text_at(cursor, "{"))
		if (!read_split(text) || (!text_at(cursor, "{") && !text_take(cursor, ",")))
			return false;
	text_take(cursor, "{");
	do
		if (!read_set(text))
			return false;
	while (text_skip(cursor, ","));
	base = text_blame(text, position);
	good = build_check_workers(text->program);
	layout_context_set_base(cursor->ctx, base);
	return good && text_take(cursor, "}");
}

static bool read_workers(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;
	int64_t waves[3];
	unsigned rank;
	long position, base;
	char *name;
	bool good;

	if (!text_take(cursor, "workers"))
		return false;
	position = text_position(cursor);
	name = text_word(cursor, "a name");
	good = name && text_take(cursor, "in") && read_waves(cursor, waves, &rank);
	if (good) {
		base = text_blame(text, position);
		good = layout_program_workers(text->program, name, waves, rank);
		layout_context_set_base(cursor->ctx, base);
	}
	free(name);
	return good && (!text_skip(cursor, "split") || read_sets(text));
}

static bool check_owner_count(const layout_program *program)
{
	if (program->owner_count < PROGRAM_STATEMENTS)
		return true;
	layout_fail(program->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"a program names at most %d owners", PROGRAM_STATEMENTS);
	return false;
}

/* "owner o = nested_layout<..>" */
static bool read_owner(const struct program_text *text)
{
	layout_program *program = text->program;
	struct tile_text owner = { .rank = -1 };
	long position = text_position(text->cursor), base;
	char *name = text_word(text->cursor, "a name");
	struct program_owner *grown = NULL;
	bool good;

	base = text_blame(text, position);
	good = name && check_owner_count(program) && build_new_name(program, name);
	layout_context_set_base(program->ctx, base);
	if (good && text_take(text->cursor, "=") && text_owner(text, &owner))
		grown = build_grow(program->ctx, program->owners, program->owner_count,
			sizeof(*grown));
	if (!grown) {
		text_tile_type_free(&owner);
		free(name);
		return false;
	}
	program->owners = grown;
	grown[program->owner_count++] = (struct program_owner){ name, owner.owner_text,
		owner.owner };
	return true;
}

/* The box and type that a value has, where they are written as well. */
static bool check_type(const struct program_text *text, const layout_tile *tile,
	const struct tile_text *type)
{
	bool same = type->rank == (int)tile->rank && !strcmp(type->type, tile->type->name);

	for (unsigned d = 0; same && d < tile->rank; d++)
		same = type->box[d] == tile->box[d];
	if (!same)
		layout_fail(text->program->ctx, LAYOUT_ERROR_INVALID, type->position,
			"the value has another box or type: it is of rank %u, %s",
			tile->rank, tile->type->name);
	return same;
}

/* The owner that is written at the name, unless the value took it. */
static bool give_owner(const struct program_text *text, layout_tile *tile,
	struct tile_text *type)
{
	if (type->owner && (tile->owner || layout_relation_out_rank(type->owner) !=
	    tile->rank)) {
		layout_fail(text->program->ctx, LAYOUT_ERROR_INVALID, type->position,
			tile->owner ? "the value has an owner already" :
			"the owner is not of the box's rank");
		return false;
	}
	if (type->like && !layout_tile_set_like(tile, type->like))
		return false;
	if (type->owner) {
		tile->owner = type->owner;
		type->owner = NULL;
	}
	if (type->owner_text) {
		tile->owner_text = type->owner_text;
		type->owner_text = NULL;
	}
	return true;
}

/* A value that has a name already is one by another. */
static layout_tile *own_value(const struct program_text *text, layout_tile *tile,
	unsigned before)
{
	struct map_node *node;

	if (!tile || tile->number >= before)
		return tile;
	node = map_leaf(text->program->ctx, MAP_OPERAND, 0, tile->type);
	return node ? map_tile(text->program, node, &tile, 1) : NULL;
}

/* ": TYPE = VALUE" behind a name; with "type" what the value did not take of it. */
static layout_tile *read_definition(const struct program_text *text,
	struct tile_text *type)
{
	struct text_cursor *cursor = text->cursor;
	layout_tile *tile;

	*type = (struct tile_text){ .rank = -1 };
	if ((text_skip(cursor, ":") && !text_tile_type(text, type)) ||
	    !text_take(cursor, "="))
		return NULL;
	tile = text_value(text, type);
	return tile && (type->rank < 0 || check_type(text, tile, type)) ? tile : NULL;
}

static bool read_tile(const struct program_text *text)
{
	long position = text_position(text->cursor), base;
	char *name = text_word(text->cursor, "a statement");
	struct tile_text type = { .rank = -1 };
	unsigned before = text->program->tile_count;
	layout_tile *tile;
	bool good;

	if (name && !text_at(text->cursor, ":") && !text_at(text->cursor, "=")) {
		free(name);
		return text_expected(text->cursor, "`:` or `=`");
	}
	tile = name ? own_value(text, read_definition(text, &type), before) : NULL;
	base = text_blame(text, position);
	good = tile && give_owner(text, tile, &type) && layout_tile_set_name(tile, name);
	if (good)
		tile->position = position;
	layout_context_set_base(text->program->ctx, base);
	text_tile_type_free(&type);
	free(name);
	return good;
}

/* "lds la: [64, 32] f16 @ STORAGE" */
static bool read_lds(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;
	struct tile_text type = { .rank = -1 };
	layout_storage *place = NULL;
	layout_memory *memory = NULL;
	long position = text_position(cursor), base;
	char *name = text_word(cursor, "a name");
	bool good = name && text_take(cursor, ":") && text_box_type(text, &type);

	if (good && text_skip(cursor, "@")) {
		place = text_storage(cursor);
		good = place;
	}
	if (good) {
		base = text_blame(text, position);
		memory = layout_program_lds(text->program, name, type.box,
			(unsigned)type.rank, type.type, place);
		layout_context_set_base(cursor->ctx, base);
	}
	text_tile_type_free(&type);
	free(name);
	return memory;
}

/* "by direct", "by registers", or nothing. */
static bool read_way(struct text_cursor *cursor, layout_copy_way *way)
{
	*way = LAYOUT_COPY_BEST;
	if (!text_skip(cursor, "by"))
		return true;
	*way = text_skip(cursor, "direct") ? LAYOUT_COPY_DIRECT : LAYOUT_COPY_REGISTERS;
	return *way == LAYOUT_COPY_DIRECT || text_skip(cursor, "registers") ||
		text_expected(cursor, "`direct` or `registers`");
}

/* "A[64*m, 32*k] -> la by direct" */
static bool read_copy(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;
	struct place_text place = { 0 };
	long position = text_position(cursor), base;
	layout_memory *to = NULL;
	layout_copy_way way;
	char *name = NULL;
	bool good = text_place(text, &place) && text_check_place(text, &place, position) &&
		text_take(cursor, "->");

	if (good) {
		position = text_position(cursor);
		name = text_word(cursor, "an object");
		to = name ? program_find_memory(text->program, name) : NULL;
		base = text_blame(text, position);
		if (name && !to)
			layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, -1,
				"there is no object `%s`", name);
		layout_context_set_base(cursor->ctx, base);
		good = to && read_way(cursor, &way);
	}
	if (good) {
		base = text_blame(text, position);
		good = layout_program_copy_by(text->program, place.memory,
			(const char *const *)place.at, to, way);
		layout_context_set_base(cursor->ctx, base);
	}
	text_place_free(&place);
	free(name);
	return good;
}

/* "(unique)" */
static bool read_unique(const struct program_text *text, bool *unique)
{
	*unique = text_skip(text->cursor, "(");
	return !*unique || (text_take(text->cursor, "unique") && text_end_list(text->cursor, ")"));
}

typedef bool build_function(layout_program *program, layout_tile *tile, layout_memory *to,
	const char *const *at);

/* A store, or a put; "promised" is the store that says so. */
static bool read_store(const struct program_text *text, build_function *build,
	build_function *promised)
{
	struct tile_text none = { .rank = -1 };
	struct place_text place = { 0 };
	layout_tile *tile = text_value(text, &none);
	long position, base;
	bool good = false, unique = false;

	if (!tile || !text_take(text->cursor, "->"))
		return false;
	position = text_position(text->cursor);
	if (text_place(text, &place) && (!promised || read_unique(text, &unique))) {
		base = text_blame(text, position);
		if (place.count != layout_storage_rank(place.memory->storage))
			layout_fail(text->program->ctx, LAYOUT_ERROR_SPACE, -1,
				"`%s` has %u dimensions, %u positions are given",
				place.memory->name,
				layout_storage_rank(place.memory->storage), place.count);
		else
			good = (unique ? promised : build)(text->program, tile, place.memory,
				(const char *const *)place.at);
		layout_context_set_base(text->program->ctx, base);
	}
	text_place_free(&place);
	return good;
}

bool text_condition(const struct program_text *text,
	struct program_condition *conditions, unsigned *count)
{
	struct text_cursor *cursor = text->cursor;
	char *sides[2] = { NULL, NULL };
	struct program_condition *condition;
	bool good;
	long base;

	*count = 0;
	do {
		long position = text_position(cursor);

		if (!text_room(cursor, *count, PROGRAM_OPERANDS))
			return false;
		condition = &conditions[*count];
		*condition = (struct program_condition){ MAP_OPERAND, { .index = NULL },
			{ .index = NULL } };
		good = (sides[0] = text_index(cursor)) != NULL;
		good = good && text_comparison(cursor, MAP_EQ, &condition->op);
		if (good && condition->op == MAP_OPERAND)
			good = text_expected(cursor, "a comparison");
		good = good && (sides[1] = text_index(cursor));
		base = text_blame(text, position);
		good = good && program_index_read(text->program, sides[0], &condition->a);
		*count += good;
		good = good && program_index_read(text->program, sides[1], &condition->b);
		layout_context_set_base(cursor->ctx, base);
		free(sides[0]);
		free(sides[1]);
		sides[0] = sides[1] = NULL;
	} while (good && text_skip(cursor, "and"));
	return good;
}

/* Conditions, and what is made of them. */
static bool read_condition(const struct program_text *text,
	bool (*build)(layout_program *program, const struct program_condition *conditions,
		unsigned count))
{
	struct program_condition conditions[PROGRAM_OPERANDS];
	long position = text_position(text->cursor), base;
	unsigned count;
	bool good = text_condition(text, conditions, &count);

	base = text_blame(text, position);
	good = good && build(text->program, conditions, count);
	layout_context_set_base(text->program->ctx, base);
	if (!good)
		program_conditions_free(conditions, count);
	return good;
}

bool layout_program_assume(layout_program *program, const char *condition)
{
	struct text_cursor cursor;
	struct program_text text = { &cursor, program };

	return build_begun(program) && text_open(&cursor, program->ctx, condition) &&
		read_condition(&text, build_assume) && text_close(&cursor);
}

bool layout_program_when(layout_program *program, const char *condition)
{
	struct text_cursor cursor;
	struct program_text text = { &cursor, program };

	return build_begun(program) && text_open(&cursor, program->ctx, condition) &&
		read_condition(&text, build_when) && text_close(&cursor);
}

static bool read_when(const struct program_text *text)
{
	return read_condition(text, build_when) && text_take(text->cursor, "{") &&
		read_statements(text) && text_take(text->cursor, "}") &&
		layout_program_end(text->program, NULL, 0);
}

/* What a loop begins with. */
struct carry_text {
	char *name;
	long position;
	layout_tile *first;
	layout_relation *owner;
	layout_tile *like;
	char *owner_text;
};

struct loop_text {
	char *counter, *count;
	int64_t stages;
	unsigned carry_count;
	struct carry_text carries[PROGRAM_OPERANDS];
};

static void free_loop(struct loop_text *loop)
{
	for (unsigned i = 0; i < loop->carry_count; i++) {
		free(loop->carries[i].name);
		free(loop->carries[i].owner_text);
		layout_relation_free(loop->carries[i].owner);
	}
	free(loop->counter);
	free(loop->count);
}

/* "s: [2, 512] f32 @ o = fill 0"; the first value has the owner, too. */
static bool read_carry(const struct program_text *text, struct loop_text *loop)
{
	struct carry_text *carry = &loop->carries[loop->carry_count];
	struct tile_text type = { .rank = -1 };

	if (!text_room(text->cursor, loop->carry_count, PROGRAM_OPERANDS))
		return false;
	*carry = (struct carry_text){ .position = text_position(text->cursor) };
	carry->name = text_word(text->cursor, "a name");
	if (!carry->name)
		return false;
	loop->carry_count++;
	carry->first = read_definition(text, &type);
	if (carry->first && carry->first->position < 0)
		carry->first->position = carry->position;
	carry->like = type.like;
	if (type.owner_text) {
		carry->owner_text = type.owner_text;
		carry->owner = layout_relation_copy(type.owner ? type.owner :
			carry->first ? carry->first->owner : NULL);
		type.owner_text = NULL;
	}
	text_tile_type_free(&type);
	return carry->first;
}

static bool read_head(const struct program_text *text, struct loop_text *loop)
{
	struct text_cursor *cursor = text->cursor;

	loop->stages = 1;
	loop->counter = text_word(cursor, "a counter");
	if (!loop->counter || !text_take(cursor, "in") ||
	    !(loop->count = text_size(cursor)) ||
	    (text_skip(cursor, "stages") && !text_integer(cursor, &loop->stages)))
		return false;
	if (!text_skip(cursor, "carry"))
		return true;
	do
		if (!read_carry(text, loop))
			return false;
	while (text_skip(cursor, ","));
	return true;
}

static bool open_loop(const struct program_text *text, struct loop_text *loop,
	long position)
{
	layout_program *program = text->program;
	long base = text_blame(text, position);
	bool good = layout_program_for(program, loop->counter, loop->count,
		(unsigned)loop->stages);

	for (unsigned i = 0; good && i < loop->carry_count; i++) {
		struct carry_text *carry = &loop->carries[i];
		layout_tile *tile;

		text_blame(text, carry->position);
		tile = layout_program_carry(program, carry->first, carry->owner);
		carry->owner = NULL;
		good = tile && (!carry->like || layout_tile_set_like(tile, carry->like)) &&
			layout_tile_set_name(tile, carry->name);
		if (good) {
			tile->position = carry->position;
			tile->owner_text = carry->owner_text;
			carry->owner_text = NULL;
		}
	}
	layout_context_set_base(program->ctx, base);
	return good;
}

/* "yield a, b", where there is something to yield. */
static bool close_loop(const struct program_text *text)
{
	layout_tile *yields[PROGRAM_OPERANDS];
	struct tile_text none = { .rank = -1 };
	long position = text_position(text->cursor), base;
	unsigned count = 0;
	bool good;

	if (text_skip(text->cursor, "yield"))
		do {
			if (!text_room(text->cursor, count, PROGRAM_OPERANDS) ||
			    !(yields[count++] = text_value(text, &none)))
				return false;
		} while (text_skip(text->cursor, ","));
	base = text_blame(text, position);
	good = layout_program_end(text->program, yields, count);
	layout_context_set_base(text->program->ctx, base);
	return good && text_take(text->cursor, "}");
}

static bool read_for(const struct program_text *text)
{
	long position = text_position(text->cursor);
	struct loop_text loop = { 0 };
	bool good = read_head(text, &loop) && open_loop(text, &loop, position) &&
		text_take(text->cursor, "{") && read_statements(text) && close_loop(text);

	free_loop(&loop);
	return good;
}

/* "producer shift 1 { .. }" behind "on". */
static bool read_on(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;
	long position = text_position(cursor), base;
	char *name = text_word(cursor, "a set of workers");
	bool late = name && text_skip(cursor, "shift");
	long number = text_position(cursor);
	int64_t shift = 0;
	bool good = name && (!late || text_integer(cursor, &shift));

	base = text_blame(text, number);
	good = good && build_shift(cursor->ctx, shift);
	text_blame(text, position);
	good = good && layout_program_on(text->program, name, (unsigned)shift);
	layout_context_set_base(cursor->ctx, base);
	free(name);
	return good && text_take(cursor, "{") && read_statements(text) &&
		text_take(cursor, "}") && layout_program_end(text->program, NULL, 0);
}

static bool read_statement(const struct program_text *text)
{
	struct text_cursor *cursor = text->cursor;

	text->program->position = text_position(cursor);
	return text_skip(cursor, "on") ? read_on(text) :
		text_skip(cursor, "assume") ? read_condition(text, build_assume) :
		text_skip(cursor, "owner") ? read_owner(text) :
		text_skip(cursor, "lds") ? read_lds(text) :
		text_skip(cursor, "copy") ? read_copy(text) :
		text_skip(cursor, "store") ? read_store(text, layout_program_store,
			layout_program_store_unique) :
		text_skip(cursor, "put") ? read_store(text, layout_program_put, NULL) :
		text_skip(cursor, "for") ? read_for(text) :
		text_skip(cursor, "when") ? read_when(text) : read_tile(text);
}

/* Up to "}" or "yield". */
static bool read_statements(const struct program_text *text)
{
	if (!text_enter(text->cursor))
		return false;
	while (!text_at(text->cursor, "}") && !text_at(text->cursor, "yield"))
		if (!read_statement(text))
			return false;
	text_leave(text->cursor);
	return true;
}

static layout_program *text_program(struct text_cursor *cursor)
{
	struct program_text text = { .cursor = cursor };
	long position, base;
	char *name;

	if (text_at(cursor, "contract"))
		return text_contraction(cursor);
	if (text_at(cursor, "convert_tile"))
		return text_convert_tile(cursor);
	if (text_at(cursor, "matmul"))
		return text_matmul(cursor);
	if (!text_take(cursor, "program"))
		return NULL;
	position = text_position(cursor);
	name = text_word(cursor, "a name");
	base = layout_context_set_base(cursor->ctx, position);
	text.program = name ? layout_program_new(cursor->ctx, name) : NULL;
	layout_context_set_base(cursor->ctx, base);
	free(name);
	if (text.program && read_arguments(&text) && text_take(cursor, "{") &&
	    read_grid(&text) && read_order(&text) && read_workers(&text) && read_statements(&text) &&
	    text_take(cursor, "}")) {
		text.program->position = -1;
		return text.program;
	}
	layout_program_free(text.program);
	return NULL;
}

OBJECT_FUNCTIONS(program)

static const char *size_name(layout_value *value, unsigned i)
{
	return layout_program_size_name(value->object, i);
}

const struct value_kind kind_program = {
	OBJECT_FIELDS(program), .noun = "a program", .at = at_program,
	.size_name = size_name,
};
