/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bounds of index expressions while they are computed. */
#ifndef LAYOUT_BRIDGE_INDEX_RANGE_H
#define LAYOUT_BRIDGE_INDEX_RANGE_H

#include "isl_bridge/index.h"

/* Wide enough for any one operation on 64-bit numbers, and for the sum of some of
 * them, so that nothing wraps.  A side of which nothing is known is infinite: far
 * outside 64 bits. */
__extension__ typedef __int128 wide;

struct range {
	wide lo, hi;
};

struct range range_of(const struct index *index);
struct range range_point(wide x);
struct range range_union(struct range a, struct range b);

bool range_has(struct range r, wide x);
bool range_is_known(struct range r, wide x);

/* All of it fits 64 bits, so that it is known on both sides. */
bool range_fits(struct range r);

/* Where the operation's value is, for arguments in "a" and "b". */
struct range range_binary(enum index_op op, struct range a, struct range b);

/* A node's bounds.  A range outside 64 bits belongs to a value that never comes to
 * be: nothing is known then. */
void range_store(struct range r, struct index *index);

#endif
