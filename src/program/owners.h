/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which owner each tile of a program has. */
#ifndef LAYOUT_PROGRAM_OWNERS_H
#define LAYOUT_PROGRAM_OWNERS_H

#include "algebra/owner/owner.h"
#include "algebra/storage/address.h"
#include "program/program.h"

/*	given		has the relations of owners that were written, by the numbers of tiles
 *	program		its plain copy, which gets the conversions
 *	memories	of its arguments, and of objects in the LDS as if they were row-major
 *	owners		by tile, as many as the program has in the end
 *	products	of the contractions that matrix instructions compute, by tile */
struct product;

struct program_owners {
	layout_context *ctx;
	const layout_program *given;
	layout_program *program;
	const struct storage_access *memories;
	const struct chip *chip;
	unsigned wave_size, max_bytes;
	struct owner **owners;
	struct product **products;
	bool *visiting;
	unsigned *uses, *stores;	/* of each tile that was given */
};

/* Registers of 32 bits that a lane has for a tile, each element at least one, and at most. */
enum { OWNERS_MOST_WORDS = 256 };

static inline int64_t owners_words(const layout_tile *tile, const struct owner *owner)
{
	return owner->extent[OWNER_REGISTER] * (tile->type->bits > 32 ? 2 : 1);
}

static inline bool owners_failed(const struct program_owners *o)
{
	return layout_context_error(o->ctx) != LAYOUT_ERROR_NONE;
}

/* Give every tile an owner: the one that is written; for loads, vectors along what is
 * contiguous in memory; for others what their operands lead to.  Where an operand has
 * another owner than it takes, there is a conversion before its use.  False with the error
 * on the context; free in both cases what is in "owners". */
bool program_owners_find(struct program_owners *o);

/* The owner of what a reduction over "dims" leaves: that of "from" without these digits.
 * False where some digits are of kept and reduced dimensions. */
bool program_reduced_owner(struct owner *owner, const unsigned *dims, unsigned count,
	bool keep);

/* "owner" of a box as one of a box that is broadcast to it. */
void program_broadcast_owner(struct owner *owner, const int64_t *box, unsigned rank);

/* The owner of a contraction's letters: that of its sum, with the letters that are summed
 * in registers above; that of the letters where blocks of them have a scale; and of an operand:
 * false where a digit does not split into blocks. */
LAYOUT_INTERNAL bool program_letters_owner(struct owner *owner, const layout_tile *contract)
	LAYOUT_SYMBOL(program_letters_owner);
LAYOUT_INTERNAL bool program_scale_owner(struct owner *letters, const layout_tile *contract)
	LAYOUT_SYMBOL(program_scale_owner);
bool program_operand_owner(struct owner *letters, const layout_tile *contract,
	unsigned operand);

/* The number of a memory among the arguments, and the objects in the LDS behind them. */
LAYOUT_INTERNAL unsigned program_memory_number(const layout_program *program,
	const layout_memory *memory) LAYOUT_SYMBOL(program_memory_number);

/* Which register of "from" has what register r of "to" has: map[r], where coordinate d of
 * "from" is dims[d] of "to", or 0 where that is -1.  "anywhere": in all lanes, not only
 * where it follows from how the owners were made.  False where there is none. */
LAYOUT_INTERNAL bool program_registers(const struct owner *from, const int *dims,
	const struct owner *to, bool anywhere, unsigned *map)
	LAYOUT_SYMBOL(program_registers);

#endif
