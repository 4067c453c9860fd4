/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files that read programs share. */
#ifndef LAYOUT_TEXT_PROGRAM_H
#define LAYOUT_TEXT_PROGRAM_H

#include "program/build.h"
#include "text/notations.h"

/* A program that is being read, at a cursor. */
struct program_text {
	struct text_cursor *cursor;
	layout_program *program;
};

/* "[2, 512] f32 @ o" and what may be missing of it: a box is there where "rank" is not
 * -1, a type where it is not NULL.  The owner is the caller's. */
struct tile_text {
	int rank;
	int64_t box[PROGRAM_RANK];
	char *type;
	layout_relation *owner;
	layout_tile *like;
	char *owner_text;
	long position;
};

/* Read one behind ":", or without an owner; false on an error.  Free in both cases. */
bool text_box_type(const struct program_text *text, struct tile_text *type);
bool text_tile_type(const struct program_text *text, struct tile_text *type);
void text_tile_type_free(struct tile_text *type);

/* An owner behind "@": a name, "like x", an expression; false on an error.  What is like a
 * tile without an owner of its own has no relation. */
bool text_owner(const struct program_text *text, struct tile_text *type);

/* A value at the cursor; what the text before it said of its type may be used.  NULL on an
 * error. */
layout_tile *text_value(const struct program_text *text, struct tile_text *type);

/* An expression on elements. */
layout_tile *text_map(const struct program_text *text);

/* "A[2*m, 512*k]": the memory and its positions, to be freed; NULL on an error. */
struct place_text {
	layout_memory *memory;
	unsigned count;
	char *at[PROGRAM_RANK];
};
bool text_place(const struct program_text *text, struct place_text *place);
void text_place_free(struct place_text *place);

/* Are there as many positions as the memory has dimensions?  Else false with the error. */
bool text_check_place(const struct program_text *text, const struct place_text *place,
	long position);

/* "(i, j, k) -> (i, k), (j, k), (i, j)"; false on an error. */
bool text_contract_maps(struct text_cursor *cursor, struct contract_maps *maps);

/* "(i, k)": the letters, where "which" is -1, or those of operand "which". */
bool text_letters(struct text_cursor *cursor, struct contract_maps *maps, int which);
void text_contract_maps_free(struct contract_maps *maps);

/* "a <= b and ..", its indices to be freed where it is not used. */
bool text_condition(const struct program_text *text,
	struct program_condition *conditions, unsigned *count);

/* A name at the cursor, to be freed. */
char *text_word(struct text_cursor *cursor, const char *what);

/* The text from "begin" up to the next token, to be freed. */
char *text_since(struct text_cursor *cursor, size_t begin);

/* The name of an element type at the cursor, to be freed, or where none is there that of the tensor
 * in front of it, unless that is ""; NULL on an error.  The second one looks it up. */
char *text_type_name(struct text_cursor *cursor, const char *tensor);
char *text_type(const struct program_text *text, const char *tensor);

/* A storage, or "through(STORAGE, affine_map<..>)", with what it is seen through, to be freed;
 * and print that. */
layout_storage *text_seen_storage(struct text_cursor *cursor, struct program_sight **sight);
void text_print_sight(struct layout_buffer *out, const struct program_sight *sight,
	const char *storage);

/* "contract(A: STORAGE f16, B: STORAGE f16 -> C: STORAGE f32, maps = [..], config = ..)" */
layout_program *text_contraction(struct text_cursor *cursor);

/* "convert_tile(FROM -> TO, type = f16)" */
layout_program *text_convert_tile(struct text_cursor *cursor);

/* "matmul(A: STORAGE f16, B: STORAGE f16 -> C: STORAGE f32, epilogue = ..)" */
layout_program *text_matmul(struct text_cursor *cursor);

/* "<", "<=", "==", .. at the cursor, which is skipped; MAP_OPERAND: there is none.  "equal" is
 * what "=" is.  False: it is only the first half of one. */
bool text_comparison(struct text_cursor *cursor, enum map_op equal, enum map_op *op);

/* Errors of what follows lie at "position"; the base until now. */
long text_blame(const struct program_text *text, long position);

#endif
