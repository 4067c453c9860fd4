/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects in the LDS: where their elements lie, and how lanes access them. */
#ifndef LAYOUT_PROGRAM_LOCAL_H
#define LAYOUT_PROGRAM_LOCAL_H

#include "algebra/chip.h"
#include "algebra/lds/lds.h"
#include "algebra/owner/owner.h"
#include "program/program.h"

/* A point of a box as text, "(3, 0)", by its number, the last coordinate fastest. */
enum { LOCAL_POINT = 24 * PROGRAM_RANK };
void local_point(char text[LOCAL_POINT], int64_t number, const int64_t *box, unsigned rank);

/* The offset of each element of a box under a storage of these numbers, by its number, to
 * be freed; NULL with the error on the context. */
LAYOUT_INTERNAL int64_t *local_offsets(layout_context *ctx, layout_storage *place,
	const int64_t *box, unsigned rank) LAYOUT_SYMBOL(local_offsets);

/* Find the loop whose steps have copies of their own of each object: the innermost one
 * around all its accesses, where that has several stages. */
void local_find_stages(layout_program *program);

/* Find the loads of loops of several stages that are made a step ahead: those that are only
 * put into the LDS, in the same step. */
void local_find_early(layout_program *program);

/* Is everything that is got put before?  "No" with the reason, to be freed, and its place. */
layout_answer local_verify(layout_program *program, char **reason);

/* Bytes that an element has in the LDS. */
static inline unsigned local_bytes_of(const struct element_type *type)
{
	return type->bits < 8 ? 1 : type->bits / 8;
}

/* The number of the element of an object that each point of an owner of a tile has there, to
 * be freed; NULL with the error on the context. */
LAYOUT_INTERNAL uint32_t *local_elements(layout_context *ctx, const struct owner *owner,
	const layout_memory *local, const struct program_place *place)
	LAYOUT_SYMBOL(local_elements);

/* What the lanes put or get: the offset of each point, and as an owner of one coordinate, and
 * the registers that are accessed, by the offsets of lane 0: each vector of them follows
 * each other in all lanes, and begins at a multiple of it.  "same" has the number in
 * "order" for each register.
 *
 *	guard		digits of the tile's owner that are 0 where a point puts; of a get 0
 *	turned		four registers that follow each other are what is got, turned round
 *			among 16 lanes: "offsets" has where each lane loads for them, and the
 *			number of these four as the register */
struct local_access {
	bool put, turned;
	const struct owner *owner;	/* of the tile */
	struct owner offsets;
	uint32_t *points;
	uint64_t guard;
	unsigned count, vector;
	unsigned *order, *same;
};

/* The access of the elements of an object that have these offsets, each of "bytes", by an
 * owner; turned where the chip can and that is wider; without the owner of offsets, which is
 * read then.  False with the error on the
 * context; and for reading, without an error, where no digits and no XORs say it.  Free in
 * any case. */
LAYOUT_INTERNAL bool local_access_build(layout_context *ctx, struct local_access *access,
	const struct owner *owner, const uint32_t *elements, const int64_t *offsets,
	unsigned bytes, bool put, const struct chip *chip) LAYOUT_SYMBOL(local_access_build);
LAYOUT_INTERNAL bool local_access_read(layout_context *ctx, struct local_access *access)
	LAYOUT_SYMBOL(local_access_read);
LAYOUT_INTERNAL void local_access_free(struct local_access *access)
	LAYOUT_SYMBOL(local_access_free);

/* Cycles of the LDS for all of it, by the lanes of the first subgroup, and how many are
 * more than the least; false with an error. */
LAYOUT_INTERNAL bool local_access_cycles(layout_context *ctx,
	const struct local_access *access, const layout_lds *lds, unsigned bytes,
	layout_lds_cost *cost) LAYOUT_SYMBOL(local_access_cycles);

/* Does a point put its element? */
bool local_access_puts(const struct local_access *access, const int64_t hw[OWNER_PARTS]);

#endif
