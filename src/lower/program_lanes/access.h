/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A tile's elements in memory. */
#ifndef LAYOUT_LOWER_PROGRAM_ACCESS_H
#define LAYOUT_LOWER_PROGRAM_ACCESS_H

#include "lower/program_lanes/parts.h"
#include "program/access.h"

/* What register r has in common with others: the address or the buffer where its lanes begin,
 * "far" bytes behind the first, or its offset there. */
struct program_base {
	unsigned r;
	int64_t far;
	LLVMValueRef value;
};

/* An access: memory[place + t], where registers hold t by the owner.
 *
 *	at		the position, i64 and uniform; NULL where tiles give it
 *	gathered	which register of these each register takes
 *	pitch		of the slots, i64
 *	guard		where the lane stores, i1; NULL: everywhere
 *
 * Where the parts of an offset go apart:
 *
 *	uniform		bytes of the position, i64
 *	lane		bytes of the lane, i32, and in the steps of a loop also what the
 *			position has grown by since the first, where "moves" has the
 *			dimension: the same register serves all accesses of a step, and
 *			their bases stay
 *	moved		bytes of that growth alone, i32; NULL: 0.  The lane of a direct copy
 *			is without it
 *	further		bytes that buffers begin behind their bases, i64, or NULL
 *	bases		of the registers that begin elsewhere than those before them
 *	offsets		in a buffer, of those that are inside elsewhere */
struct program_access {
	program_scope *body;
	const layout_tile *tile;
	const struct program_place *place;
	const struct element_type *type;
	const struct storage_access *memory;
	const struct owner *owner;
	LLVMValueRef pointer, guard;
	struct owner_coordinates coordinates;
	struct access_split split;
	uint64_t moves;
	LLVMValueRef at[OWNER_RANK], first[OWNER_RANK], size[OWNER_RANK], pitch[LAYOUT_STORAGE_SLOTS];
	unsigned *gathered[OWNER_RANK];
	LLVMValueRef uniform, lane, moved, further;
	struct program_base *bases, *offsets;
	unsigned base_count, offset_count, vector;
	LLVMValueRef *starts;	/* of runs, by their first in split.order; NULL: not found */
	bool follows;		/* the parts of an offset go apart, of whatever bits elements have */
	bool wide;		/* vectors are aligned to their bytes */
	bool alone;		/* of a direct copy, each lane finds where it is in all of memory */
	const bool *part;	/* by register: is it loaded; NULL: all are */
};

/* False with the error on the context; free in both cases. */
bool program_access_open(struct program_access *access, program_scope *body,
	const layout_tile *tile, const layout_memory *memory,
	const struct program_place *place);
void program_access_free(struct program_access *access);

/* Does it matter whether the tile is whole: for what is accessed by parts, or copied directly, but
 * not where each lane finds its place? */
bool program_access_can_be_whole(const struct program_access *access);

/* Uniform conditions, i1: the offsets' parts go apart, and what lanes add to them where the
 * pitch is a constant fits 32 bits; and all that they add does. */
LLVMValueRef program_access_fits(const struct program_access *access);
LLVMValueRef program_access_is_near(const struct program_access *access);

/* And the tile is inside of the memory besides. */
void program_access_find_room(const struct program_access *access,
	struct program_room *room);

/* Uniform, too: where tile and memory are so, vectors of so many elements are inside or
 * outside as one, and aligned. */
LLVMValueRef program_access_is_even(const struct program_access *access, unsigned vector);

/* In a loop: no more than "steps", an i64, until the tile is not as whole; false where that
 * is not known. */
bool program_access_whole_steps(const struct program_access *access, LLVMValueRef *steps);

/* Of a digit, the lane's slot, an i32, or NULL if lanes do not differ; and the most that it is
 * in an offset, of lanes and registers together.  Bytes of the lane's slots, i32: of all, or of
 * those with a pitch that is a constant. */
LLVMValueRef program_access_slot(const struct program_access *access, unsigned k);
int64_t program_access_most(const struct program_access *access, unsigned k);
LLVMValueRef program_access_lane(const struct program_access *access, bool all);

/* Elements of less than a byte, as words: are there such; a uniform condition, i1, that they can be
 * loaded so; and that.  NULL without memory. */
bool program_words_can(const struct program_access *access);
LLVMValueRef program_words_hold(const struct program_access *access);
void program_words_load(struct program_access *access, LLVMValueRef *values);

/* Rounds of code that accesses buffers: one, where offsets are near; else one for the lanes of
 * each row, where rows are what is no constant apart.  "values", if there are any, are
 * registers that are loaded between. */
struct program_rounds {
	LLVMBasicBlockRef head, mine, join;
	LLVMValueRef round, count, lane, *carried;
	unsigned value_count;
};

bool program_rounds_open(struct program_access *access, struct program_rounds *rounds,
	unsigned value_count);
void program_rounds_close(struct program_access *access, struct program_rounds *rounds,
	LLVMValueRef *values);

/* The address of register r of a tile that is whole; and where offsets fit 32 bits, its
 * offset in a buffer, which it has in common with some: where it is not inside, an i1, one
 * that no buffer has.  What is in common is known from one call to the next, in one block of
 * code, which has to begin; so many registers are accessed at a time. */
void program_access_begin(struct program_access *access, unsigned vector);
LLVMValueRef program_access_address(struct program_access *access, unsigned r);
LLVMValueRef program_access_offset(struct program_access *access, unsigned r,
	LLVMValueRef inside);
LLVMValueRef program_access_buffer(struct program_access *access, unsigned r);

/* Of a direct copy, in offsets that fit 32 bits: the buffer of all of the tile, or of all of the
 * memory; and of register r what its lanes have, with what is the same for them: TARGET_WINDOW where
 * the element is outside, unless the tile is whole. */
LLVMValueRef program_access_window(const struct program_access *access);
LLVMValueRef program_access_lanes(const struct program_access *access, unsigned r,
	LLVMValueRef *same);

/* Is register r's element inside, of a tile near its base: an i1; and of any tile, where
 * its offset is in elements, an i64, or 0 where it is outside. */
LLVMValueRef program_access_inside(const struct program_access *access, unsigned r);
LLVMValueRef program_access_find(const struct program_access *access, unsigned r,
	LLVMValueRef *inside);

#endif
