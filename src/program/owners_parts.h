/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of finding owners, each a file. */
#ifndef LAYOUT_PROGRAM_OWNERS_PARTS_H
#define LAYOUT_PROGRAM_OWNERS_PARTS_H

#include "program/owners.h"
#include "program/product.h"

/* New owners: that of another; vectors along the last dimension; vectors along what is
 * contiguous in the memory.  NULL with an error. */
struct owner *owners_copy(struct program_owners *o, const struct owner *owner);
struct owner *owners_blocked(struct program_owners *o, const layout_tile *tile);
struct owner *owners_blocked_for(struct program_owners *o, const layout_tile *tile,
	const layout_memory *memory);

/* Are its elements made where they are asked for? */
bool owners_any(const layout_tile *tile);

/* Is it got from the LDS, or a permutation of what is, for one use alone: under whatever owner it
 * is asked for?  That of what is got, where the tile has this one. */
bool owners_is_got(const struct program_owners *o, const layout_tile *tile);
struct owner *owners_of_got(struct program_owners *o, const layout_tile *tile,
	const struct owner *owner);

/* The owner of a view's operand as that of the view; false where digits do not split. */
bool owners_change_view(struct owner *owner, const layout_tile *view);

/* What is only stored need not be in every lane that helped to reduce it: while lanes come
 * together, each keeps half of the registers.  So it is where the owner that this leads to
 * is written.  "operand" is the owner of what is reduced, "left" what is left of that. */
void owners_spread(struct program_owners *o, const layout_tile *tile,
	const struct owner *operand, struct owner *left);

/* Is the owner of this tile written; the one that was found for it, NULL for any, where it
 * is asked for by itself, or with an error; the accesses
 * that a whole tile takes under an owner, 0 without memory; is it a load that may have the
 * owner that its use asks for? */
bool owners_written(const struct program_owners *o, const layout_tile *tile);
const struct owner *owners_found(struct program_owners *o, const layout_tile *tile);
unsigned owners_accesses(struct program_owners *o, const layout_tile *tile,
	const layout_memory *memory, const struct owner *owner);
bool owners_may_load(const struct program_owners *o, const layout_tile *tile);

/* Is it loaded under another owner than was found, rather than converted?  Not where that
 * takes many more accesses. */
bool owners_can_load_as(struct program_owners *o, const layout_tile *tile,
	const struct owner *wanted);

/* May a contraction on vector units load it in parts, as it takes them?  And both factors of one? */
bool owners_can_load_parts(const struct program_owners *o, const layout_tile *tile);
bool owners_shares_terms(const struct program_owners *o, const layout_tile *contract);

/* The owner of a map, or of a contraction whose sum has none, for which least is converted:
 * one that follows from an operand's, or "blocked", which is taken.  The tile is told
 * what there was to choose from.  NULL where there is none, or with an error. */
struct owner *owners_join_map(struct program_owners *o, layout_tile *tile);
struct owner *owners_join_contract(struct program_owners *o, layout_tile *contract,
	struct owner *blocked);

/* The product that computes a contraction onto "sum", an owner that was found for that or
 * NULL.  Where that is none of a product's, another one is chosen, if it need not be "only"
 * this.  NULL where vector units compute it, or with an error on the context. */
struct product *owners_product(struct program_owners *o, layout_tile *contract,
	const struct owner *sum, bool only);

/* Every tile has its owner, and what is to be converted is.  False with the error. */
bool owners_settle(struct program_owners *o);

#endif
