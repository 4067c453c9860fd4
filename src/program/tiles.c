/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles that come from nowhere, from memory, and from one other tile. */
#include "program/build.h"
#include "program/sight.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Take a number of the tile's type; false with the error. */
static bool take_number(layout_tile *tile, const char *number)
{
	tile->text = layout_strdup(tile->program->ctx, number);
	return tile->text && element_type_bits(tile->program->ctx, tile->type, number,
		&tile->bits);
}

/* What a constructor made of a tile, or what is left of one that failed. */
static layout_tile *finish(layout_program *program, layout_tile *tile, bool good,
	layout_relation *owner)
{
	if (tile && good)
		return build_add(program, tile, owner);
	program_tile_free(tile);
	layout_relation_free(owner);
	return NULL;
}

static const struct element_type *find_type(layout_program *program, const char *name)
{
	return program && layout_given(program->ctx, name, "element type") ?
		element_type_find(program->ctx, name) : NULL;
}

layout_tile *layout_program_fill(layout_program *program, const int64_t *box,
	unsigned rank, const char *type, const char *number, layout_relation *owner)
{
	const struct element_type *found = find_type(program, type);
	layout_tile *tile = found ? build_tile(program, TILE_FILL, box, rank, found) : NULL;

	return finish(program, tile, tile && layout_given(program->ctx, number, "number") &&
		take_number(tile, number), owner);
}

layout_tile *layout_program_index(layout_program *program, const int64_t *box,
	unsigned rank, unsigned dim, layout_relation *owner)
{
	const struct element_type *type = find_type(program, "i32");
	layout_tile *tile = type ? build_tile(program, TILE_INDEX, box, rank, type) : NULL;

	if (tile && dim >= rank)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"the box has no dimension %u", dim);
	if (tile) {
		tile->dim_count = 1;
		tile->dims[0] = dim;
	}
	return finish(program, tile, dim < rank, owner);
}

layout_tile *layout_program_load(layout_program *program, layout_memory *from,
	const char *const *at, const int64_t *box, const char *pad, layout_relation *owner)
{
	layout_tile *tile = NULL;
	bool good;

	if (program && from && from->program == program && !from->local)
		tile = build_tile(program, TILE_LOAD, box,
			program_memory_rank(from), from->type);
	else if (program)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, from && from->local ?
			"`%s` is in the LDS: `get` is what reads it" :
			"a load needs an argument of the program", from ? from->name : "");
	good = tile && build_place(program, from, at, tile, &tile->place);
	if (good && from->access == LAYOUT_ACCESS_OUT) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"`%s` is `out`: it is not read", from->name);
		good = false;
	}
	if (tile)
		tile->memory = from;
	if (!pad)
		pad = good && tile->type->kind == 'e' ? "0x0" : "0";
	return finish(program, tile, good && take_number(tile, pad), owner);
}

static bool store(layout_program *program, layout_tile *tile, layout_memory *to,
	const char *const *at, bool unique)
{
	struct program_statement *statement;
	struct program_place place;

	if (!build_given(program, tile) || !build_place(program, to, at, tile, &place))
		return false;
	if (to->local)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"`%s` is in the LDS: `put` is what writes it", to->name);
	else if (to->access == LAYOUT_ACCESS_IN)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"`%s` is `in`: it is not written", to->name);
	else if (unique && !program_gathers(&place))
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "`%s` is stored where no tile "
			"says: that elements are unique is proved, not promised", tile->name);
	else {
		statement = build_write(program, STATEMENT_STORE, tile, to, &place);
		if (statement)
			statement->unique = unique;
		return statement;
	}
	program_place_free(&place);
	return false;
}

bool layout_program_store(layout_program *program, layout_tile *tile, layout_memory *to,
	const char *const *at)
{
	return store(program, tile, to, at, false);
}

bool layout_program_store_unique(layout_program *program, layout_tile *tile,
	layout_memory *to, const char *const *at)
{
	return store(program, tile, to, at, true);
}

/* A tile of one operand. */
static layout_tile *tile_of(layout_program *program, enum tile_op op,
	layout_tile *operand, const int64_t *box, unsigned rank)
{
	layout_tile *tile = build_given(program, operand) ?
		build_tile(program, op, box, rank, operand->type) : NULL;

	if (tile) {
		tile->operand_count = 1;
		tile->operands[0] = operand;
	}
	return tile;
}

layout_tile *layout_program_convert(layout_program *program, layout_tile *operand,
	layout_relation *owner)
{
	layout_tile *tile = owner && operand ? tile_of(program, TILE_CONVERT, operand,
		operand->box, operand->rank) : NULL;

	return finish(program, tile, true, owner);
}

layout_tile *layout_program_convert_like(layout_program *program, layout_tile *operand,
	layout_tile *other)
{
	layout_tile *tile = other && operand ? tile_of(program, TILE_CONVERT, operand,
		operand->box, operand->rank) : NULL;

	tile = finish(program, tile, true, NULL);
	if (!tile || layout_tile_set_like(tile, other))
		return tile;
	build_drop(program, tile);
	return NULL;
}

static bool refuse(layout_program *program, const char *what)
{
	layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "%s", what);
	return false;
}

/* Dimensions of "rank" in a list: each at most once. */
static bool take_dims(layout_program *program, const int64_t *list, unsigned count,
	unsigned rank, layout_tile *change)
{
	unsigned seen = 0;

	for (unsigned i = 0; i < count; i++) {
		if (list[i] < 0 || list[i] >= rank || seen & 1u << list[i]) {
			layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "the list names "
				"dimension %" PRId64 ", which the tile of rank %u %s",
				list[i], rank, list[i] < 0 || list[i] >= rank ?
				"does not have" : "has once");
			return false;
		}
		seen |= 1u << list[i];
		change->dims[change->dim_count++] = (unsigned)list[i];
	}
	return true;
}

static bool permute(const layout_tile *from, layout_tile *to)
{
	if (to->dim_count != from->rank)
		return refuse(from->program, "a permutation names every dimension once");
	for (unsigned d = 0; d < from->rank; d++)
		to->box[to->rank++] = from->box[to->dims[d]];
	return true;
}

static bool project(const layout_tile *from, layout_tile *to)
{
	for (unsigned d = 0; d < from->rank; d++) {
		if (!program_lists_dim(to, d))
			to->box[to->rank++] = from->box[d];
		else if (from->box[d] != 1)
			return refuse(from->program,
				"only dimensions of extent 1 can be dropped");
	}
	return true;
}

static bool collapse(const layout_tile *from, layout_tile *to)
{
	for (unsigned i = 1; i < to->dim_count; i++)
		if (to->dims[i] != to->dims[i - 1] + 1)
			return refuse(from->program,
				"the dimensions that collapse follow each other");
	if (!to->dim_count)
		return refuse(from->program, "no dimensions collapse");
	for (unsigned d = 0; d < from->rank; d++)
		if (program_lists_dim(to, d) && d != to->dims[0])
			to->box[to->rank - 1] *= from->box[d];
		else
			to->box[to->rank++] = from->box[d];
	return true;
}

static bool expand(const layout_tile *from, const int64_t *list, unsigned count,
	layout_tile *to)
{
	int64_t product = 1;

	if (count < 2 || list[0] < 0 || list[0] >= from->rank ||
	    from->rank - 1 + count - 1 > PROGRAM_RANK)
		return refuse(from->program, "expand takes a dimension of the tile and the "
			"extents that it becomes");
	for (unsigned i = 1; i < count; i++)
		if (list[i] < 1 || list[i] > PROGRAM_BOX / product)
			return refuse(from->program, "an extent is at least 1");
		else
			product *= list[i];
	if (product != from->box[list[0]]) {
		layout_fail(from->program->ctx, LAYOUT_ERROR_INVALID, -1, "dimension %" PRId64
			" has %" PRId64 " elements, the extents make %" PRId64, list[0],
			from->box[list[0]], product);
		return false;
	}
	to->dims[to->dim_count++] = (unsigned)list[0];
	for (unsigned d = 0; d < from->rank; d++)
		if (d == list[0])
			for (unsigned i = 1; i < count; i++)
				to->box[to->rank++] = list[i];
		else
			to->box[to->rank++] = from->box[d];
	return true;
}

static bool broadcast(const layout_tile *from, const int64_t *list, unsigned count,
	layout_tile *to)
{
	if (count < from->rank || count > PROGRAM_RANK)
		return refuse(from->program, "a tile is broadcast to no lower rank");
	for (unsigned d = 0; d < count; d++) {
		int64_t had = d < count - from->rank ? 1 :
			from->box[d - (count - from->rank)];

		if (had != 1 && had != list[d])
			return refuse(from->program,
				"only dimensions of extent 1 are broadcast");
		to->box[to->rank++] = list[d];
	}
	return true;
}

/* The box of a view, in a tile that is nothing else yet. */
static bool view_box(layout_tile *from, layout_view_change change, const int64_t *list,
	unsigned count, layout_tile *to)
{
	layout_program *program = from->program;

	switch (change) {
	case LAYOUT_VIEW_PERMUTE:
		return take_dims(program, list, count, from->rank, to) && permute(from, to);
	case LAYOUT_VIEW_PROJECT:
		return take_dims(program, list, count, from->rank, to) && project(from, to);
	case LAYOUT_VIEW_EXPAND:
		return expand(from, list, count, to);
	case LAYOUT_VIEW_COLLAPSE:
		return take_dims(program, list, count, from->rank, to) && collapse(from, to);
	case LAYOUT_VIEW_BROADCAST:
		return broadcast(from, list, count, to);
	case LAYOUT_VIEW_THROUGH:
	case LAYOUT_VIEW_AGAINST:
		return refuse(program, "a view through a relation has no list");
	}
	return refuse(program, "no such change of a view");
}

layout_tile *layout_program_view(layout_program *program, layout_tile *operand,
	layout_view_change change, const int64_t *list, unsigned count)
{
	layout_tile shape = { 0 }, *tile;

	if (!build_given(program, operand) ||
	    !layout_given(program->ctx, list || !count, "list of a view") ||
	    !view_box(operand, change, list, count, &shape))
		return NULL;
	tile = tile_of(program, TILE_VIEW, operand, shape.box, shape.rank);
	if (!tile)
		return NULL;
	tile->view = (enum view_op)change;
	tile->dim_count = shape.dim_count;
	memcpy(tile->dims, shape.dims, sizeof(shape.dims));
	return build_add(program, tile, NULL);
}

const char *const program_view_names[] = {
	[VIEW_PERMUTE] = "permute", [VIEW_PROJECT] = "project", [VIEW_EXPAND] = "expand",
	[VIEW_COLLAPSE] = "collapse", [VIEW_BROADCAST] = "broadcast",
	[VIEW_THROUGH] = "through", [VIEW_AGAINST] = "against", NULL,
};
const char *const program_reduce_names[] = {
	[REDUCE_ADD] = "add", [REDUCE_MUL] = "mul", [REDUCE_MIN] = "min",
	[REDUCE_MAX] = "max", [REDUCE_AND] = "and", [REDUCE_OR] = "or",
	[REDUCE_ARGMIN] = "argmin", [REDUCE_ARGMAX] = "argmax", NULL,
};

static int find_reduce(layout_program *program, const char *name)
{
	if (!layout_given(program->ctx, name, "operation of the reduction"))
		return -1;
	for (int i = 0; program_reduce_names[i]; i++)
		if (!strcmp(program_reduce_names[i], name))
			return i;
	layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "no reduction is called `%s`: "
		"add, mul, min, max, and, or, argmin, argmax", name);
	return -1;
}

/* Does the operation know numbers of this type? */
static bool check_reduce(layout_program *program, enum reduce_op op,
	const struct element_type *type, const struct element_type *sum)
{
	bool bitwise = op == REDUCE_AND || op == REDUCE_OR;
	bool indices = op == REDUCE_ARGMIN || op == REDUCE_ARGMAX;

	if (type->kind == 'e' || (bitwise && type->kind == 'f')) {
		layout_fail(program->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"%s of %s", program_reduce_names[op], type->name);
		return false;
	}
	if (sum && (bitwise || indices || (sum->kind == 'f') != (type->kind == 'f') ||
	    sum->bits < type->bits)) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"%s of %s is not computed in %s", program_reduce_names[op],
			type->name, sum->name);
		return false;
	}
	return true;
}

static void reduce_box(const layout_tile *from, const unsigned *dims, unsigned count,
	bool keep, layout_tile *to)
{
	for (unsigned d = 0; d < from->rank; d++) {
		bool reduced = false;

		for (unsigned i = 0; i < count; i++)
			reduced = reduced || dims[i] == d;
		if (!reduced || keep)
			to->box[to->rank++] = reduced ? 1 : from->box[d];
	}
}

layout_tile *layout_program_reduce(layout_program *program, layout_tile *operand,
	const char *op, const unsigned *dims, unsigned count, bool keep, const char *type)
{
	const struct element_type *sum = NULL;
	layout_tile shape = { 0 }, *tile;
	int64_t list[PROGRAM_RANK];
	int found;

	if (!build_given(program, operand) || (found = find_reduce(program, op)) < 0 ||
	    !layout_given(program->ctx, dims && count && count <= PROGRAM_RANK,
		"dimension to reduce"))
		return NULL;
	for (unsigned i = 0; i < count; i++)
		list[i] = dims[i];
	if (!take_dims(program, list, count, operand->rank, &shape) ||
	    (type && !(sum = find_type(program, type))) ||
	    !check_reduce(program, (enum reduce_op)found, operand->type, sum))
		return NULL;
	reduce_box(operand, dims, count, keep, &shape);
	tile = tile_of(program, TILE_REDUCE, operand, shape.box, shape.rank);
	if (!tile)
		return NULL;
	tile->reduce = (enum reduce_op)found;
	tile->keep = keep;
	tile->sum_type = sum;
	tile->type = found >= REDUCE_ARGMIN ? find_type(program, "i32") :
		sum ? sum : operand->type;
	tile->dim_count = shape.dim_count;
	memcpy(tile->dims, shape.dims, sizeof(shape.dims));
	return build_add(program, tile, NULL);
}
