/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of finding owners, each a file. */
#ifndef LAYOUT_PROGRAM_OWNERS_PARTS_H
#define LAYOUT_PROGRAM_OWNERS_PARTS_H

#include "program/owners.h"
#include "program/product.h"

/* Is the owner of this tile written; the one that was found for it, or NULL; the accesses
 * that a whole tile takes under an owner, 0 without memory; is it a load that may have the
 * owner that its use asks for? */
bool owners_written(const struct program_owners *o, const layout_tile *tile);
const struct owner *owners_found(struct program_owners *o, const layout_tile *tile);
unsigned owners_accesses(struct program_owners *o, const layout_tile *tile,
	const layout_memory *memory, const struct owner *owner);
bool owners_may_load(const struct program_owners *o, const layout_tile *tile);

/* The product that computes a contraction onto "sum", an owner that was found for that or
 * NULL.  Where that is none of a product's, another one is chosen, if it need not be "only"
 * this.  NULL where vector units compute it, or with an error on the context. */
struct product *owners_product(struct program_owners *o, layout_tile *contract,
	const struct owner *sum, bool only);

#endif
