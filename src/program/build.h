/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the constructors of a program's parts share. */
#ifndef LAYOUT_PROGRAM_BUILD_H
#define LAYOUT_PROGRAM_BUILD_H

#include "program/program.h"

/* Is this a name that isl can hold; and one that nothing in sight has?  Else false with
 * LAYOUT_ERROR_INVALID. */
bool build_name(layout_context *ctx, const char *name);
bool build_new_name(const layout_program *program, const char *name);

/* A list of "count" items with room for one more, its items pointed to by *list; NULL with
 * the error on the context: the list is as it was. */
void *build_grow(layout_context *ctx, void *list, unsigned count, size_t size);

/* Are these things of that program?  Else false with LAYOUT_ERROR_INVALID.  What is given to be used,
 * waves of the set that is on hold, or can. */
bool build_seen(const layout_program *program, const layout_tile *tile);
bool build_given(const layout_program *program, const layout_tile *tile);
bool build_begun(const layout_program *program);

/* Is the head at its arguments and its grid still, or with "grid" at its arguments? */
bool build_open(const layout_program *program, bool grid);

/* Do waves of this set hold a tile, or can they where that is not settled, and what it begins as?
 * Else false with LAYOUT_ERROR_INVALID.  And let them. */
bool build_can_hold(const layout_tile *tile, unsigned set);
void build_hold(layout_tile *tile, unsigned set);

/* Is every wave of one set, where there are sets; may a set be so many barriers late?  Else false
 * with LAYOUT_ERROR_INVALID. */
bool build_check_workers(const layout_program *program);
bool build_shift(layout_context *ctx, int64_t shift);

/* A new variable that lies below "extent", which it consumes; -1 on an error. */
int build_variable(layout_program *program, const char *name,
	enum program_variable_kind kind, struct program_index *extent);

/* How many steps or workgroups there are; false with the error where there are fewer than
 * none. */
bool build_count(layout_program *program, const char *text, struct program_index *count);

/* Is it a box that a tile may have? */
bool build_box(layout_context *ctx, const int64_t *box, unsigned rank);

/* A tile that is no statement yet, its box and type; NULL with an error. */
layout_tile *build_tile(layout_program *program, enum tile_op op, const int64_t *box,
	unsigned rank, const struct element_type *type);

/* Is the owner, or NULL, one of a box of that rank?  Else false with the error. */
bool build_owner(const layout_tile *tile, layout_relation *owner);

/* Take it into the program, as a statement where it is opened, under an owner that may be
 * NULL; both are consumed.  NULL with the error: they are freed. */
layout_tile *build_add(layout_program *program, layout_tile *tile,
	layout_relation *owner);

/* Take a tile out again, which is the last statement and the last tile. */
void build_drop(layout_program *program, layout_tile *tile);

/* Name it "_3", or the next that is free; false without memory. */
bool build_name_tile(layout_tile *tile);

/* A tile that is no statement of its own: a carry or its result.  Consumes it. */
layout_tile *build_keep(layout_program *program, layout_tile *tile);

/* A new last statement where the program is open; NULL on an error. */
struct program_statement *build_statement(layout_program *program,
	enum statement_kind kind);

/* A store or a put of the tile, whose type the memory has to have; takes the place.  NULL
 * with the error. */
struct program_statement *build_write(layout_program *program, enum statement_kind kind,
	layout_tile *tile, layout_memory *to, struct program_place *place);

/* A memory with nothing but its name and type; NULL with the error. */
layout_memory *build_memory(layout_program *program, const char *name, const char *type);

/* Read a place in a memory for a box of its rank; false with the error. */
bool build_place(layout_program *program, layout_memory *memory, const char *const *at,
	const layout_tile *tile, struct program_place *place);
void program_conditions_free(struct program_condition *conditions, unsigned count);

/* Add to what the sizes are assumed to satisfy, taking the indices on success. */
bool build_assume(layout_program *program, const struct program_condition *conditions,
	unsigned count);

/* Open "when" under conditions, whose indices it takes on success. */
bool build_when(layout_program *program, const struct program_condition *conditions,
	unsigned count);

/* End so many loops that carry one value each, the innermost with "value", an outer one with
 * the result of the one inside; the result of the last, NULL on an error. */
layout_tile *build_close_loops(layout_program *program, layout_tile *value, unsigned loops);

/* Which dimensions of x, y and the sum meet, as letters by number. */
struct contract_maps {
	unsigned letter_count, ranks[3];
	unsigned maps[3][PROGRAM_RANK];
	char *letters[PROGRAM_RANK];
};

/* operands: x, y, the sum, and the scales of x and y, or NULL. */
layout_tile *contract_tile(layout_program *program, layout_tile *const operands[5],
	const struct contract_maps *maps, const char *by);

void program_place_free(struct program_place *place);
void program_tile_free(layout_tile *tile);

#endif
