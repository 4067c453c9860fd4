/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects in the LDS, and what is put there and got from there. */
#include "program/build.h"
#include "program/local.h"
#include "program/sight.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LOCALS = 32 };

static layout_storage *row_major(layout_context *ctx, const int64_t *box, unsigned rank)
{
	char texts[PROGRAM_RANK][24];
	const char *sizes[PROGRAM_RANK];

	for (unsigned d = 0; d < rank; d++) {
		snprintf(texts[d], sizeof(texts[d]), "%" PRId64, box[d]);
		sizes[d] = texts[d];
	}
	return layout_storage_row_major(ctx, rank, sizes);
}

/* No two elements have one offset, of those of a box by number. */
static bool check_offsets(layout_context *ctx, const int64_t *offsets, int64_t count,
	const int64_t *box, unsigned rank, int64_t elements)
{
	int64_t *holder = layout_alloc(ctx, (size_t)elements, sizeof(*holder));
	int64_t n = 0;

	for (; holder && n < count && !holder[offsets[n]]; n++)
		holder[offsets[n]] = n + 1;
	if (holder && n < count) {
		char a[LOCAL_POINT], b[LOCAL_POINT];

		local_point(a, n, box, rank);
		local_point(b, holder[offsets[n]] - 1, box, rank);
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"%s and %s of the box have one place", b, a);
	}
	free(holder);
	return holder && n == count;
}

/* A place has the box's extents, as numbers, and no two elements in one cell. */
static bool check_place(layout_context *ctx, layout_storage *place, const int64_t *box,
	unsigned rank)
{
	int64_t shape[PROGRAM_RANK], elements, count = 1, *offsets;
	bool good;

	if (layout_storage_context(place) != ctx || layout_storage_rank(place) != rank ||
	    layout_storage_size_name(place, 0)) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "the place of an object in the "
			"LDS is a storage of %u numbers", rank);
		return false;
	}
	if (!layout_storage_shape(place, NULL, 0, shape))
		return false;
	for (unsigned d = 0; d < rank; count *= shape[d++])
		if (shape[d] != box[d]) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "the place has %" PRId64
				" in dimension %u, the box %" PRId64, shape[d], d, box[d]);
			return false;
		}
	elements = layout_storage_elements(place, NULL, 0);
	if (elements > PROGRAM_BOX)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "the place spans %" PRId64
			" elements, more than %d", elements, PROGRAM_BOX);
	if (elements < 0 || elements > PROGRAM_BOX)
		return false;
	offsets = local_offsets(ctx, place, box, rank);
	good = offsets && check_offsets(ctx, offsets, count, box, rank, elements);
	free(offsets);
	return good;
}

static bool check_room(const layout_program *program)
{
	if (program->local_count < MOST_LOCALS)
		return true;
	layout_fail(program->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"a program has at most %d objects in the LDS", MOST_LOCALS);
	return false;
}

layout_memory *layout_program_lds(layout_program *program, const char *name,
	const int64_t *box, unsigned rank, const char *type, layout_storage *place)
{
	layout_memory *memory = NULL, **grown = NULL;

	if (build_begun(program) && layout_given(program->ctx, name, "name of the object") &&
	    layout_given(program->ctx, type, "element type") && check_room(program) &&
	    build_new_name(program, name) && build_box(program->ctx, box, rank) &&
	    (!place || check_place(program->ctx, place, box, rank)))
		memory = build_memory(program, name, type);
	if (memory)
		grown = build_grow(program->ctx, program->locals, program->local_count,
			sizeof(*grown));
	if (grown) {
		program->locals = grown;
		memory->access = LAYOUT_ACCESS_INOUT;
		memory->position = program->position;
		memory->local = true;
		memory->stages = 1;
		memory->searched = !place;
		memory->storage = place ? place : row_major(program->ctx, box, rank);
		memory->rank = rank;
		memcpy(memory->box, box, rank * sizeof(*box));
		place = NULL;
	}
	if (grown && memory->storage)
		return grown[program->local_count++] = memory;
	if (memory)
		free(memory->name);
	free(memory);
	layout_storage_free(place);
	return NULL;
}

/* Positions are numbers, and all of the tile is inside. */
static bool check_inside(layout_program *program, const layout_memory *memory,
	const layout_tile *tile, const struct program_place *place)
{
	for (unsigned d = 0; d < place->rank; d++) {
		const struct index *at = place->at[d].index;

		if (place->gather[d] || at->op != INDEX_INT) {
			layout_fail(program->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
				"positions in the LDS are numbers, not `%s`",
				place->gather[d] ? place->gather[d]->name :
				place->at[d].size.text);
			return false;
		}
		if (at->value >= 0 && at->value <= memory->box[d] - tile->box[d])
			continue;
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "%" PRId64 " elements "
			"from %" PRId64 " on in dimension %u are not inside of `%s`, "
			"which has %" PRId64, tile->box[d], at->value, d, memory->name,
			memory->box[d]);
		return false;
	}
	return true;
}

static bool find_place(layout_program *program, layout_memory *memory,
	const char *const *at, const layout_tile *tile, struct program_place *place)
{
	if (memory && memory->program == program && !memory->local) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "`%s` is not in the LDS: "
			"`load` reads it, and `store` writes it", memory->name);
		return false;
	}
	if (!build_place(program, memory, at, tile, place))
		return false;
	if (check_inside(program, memory, tile, place))
		return true;
	program_place_free(place);
	return false;
}

bool layout_program_put(layout_program *program, layout_tile *tile, layout_memory *to,
	const char *const *at)
{
	struct program_place place;

	return build_given(program, tile) && find_place(program, to, at, tile, &place) &&
		build_write(program, STATEMENT_PUT, tile, to, &place);
}

layout_tile *layout_program_get(layout_program *program, layout_memory *from,
	const char *const *at, const int64_t *box, layout_relation *owner)
{
	layout_tile *tile = NULL;

	if (program && from && from->program == program)
		tile = build_tile(program, TILE_GET, box,
			layout_storage_rank(from->storage), from->type);
	else if (program)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"a get needs an object of the program");
	if (tile && find_place(program, from, at, tile, &tile->place)) {
		tile->memory = from;
		return build_add(program, tile, owner);
	}
	program_tile_free(tile);
	layout_relation_free(owner);
	return NULL;
}

static bool put_copy(layout_program *program, layout_tile *tile, layout_memory *to,
	const char *const *at, layout_copy_way way)
{
	struct program_body *body;

	if (!layout_program_put(program, tile, to, at))
		return false;
	body = program->depth ? program->open[program->depth - 1] : &program->body;
	body->statements[body->count - 1].copy = true;
	body->statements[body->count - 1].way = way;
	return true;
}

bool layout_program_copy(layout_program *program, layout_memory *from,
	const char *const *at, layout_memory *to)
{
	return layout_program_copy_by(program, from, at, to, LAYOUT_COPY_BEST);
}

bool layout_program_copy_by(layout_program *program, layout_memory *from,
	const char *const *at, layout_memory *to, layout_copy_way way)
{
	const char *begin[PROGRAM_RANK];
	layout_tile *tile;

	if (!build_begun(program))
		return false;
	if (way < LAYOUT_COPY_BEST || way > LAYOUT_COPY_REGISTERS) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"no way of a copy is numbered %d", (int)way);
		return false;
	}
	if (!to || to->program != program || !to->local) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"a copy goes to an object in the LDS");
		return false;
	}
	if (from && from->program == program &&
	    program_memory_rank(from) != to->rank) {
		layout_fail(program->ctx, LAYOUT_ERROR_SPACE, -1,
			"`%s` has %u dimensions, `%s` %u", from->name,
			program_memory_rank(from), to->name, to->rank);
		return false;
	}
	for (unsigned d = 0; d < to->rank; d++)
		begin[d] = "0";
	tile = layout_program_load(program, from, at, to->box, NULL, NULL);
	if (!tile || put_copy(program, tile, to, begin, way))
		return tile;
	build_drop(program, tile);
	return false;
}
