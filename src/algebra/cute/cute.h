/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a CuTe layout is made of. */
#ifndef LAYOUT_ALGEBRA_CUTE_H
#define LAYOUT_ALGEBRA_CUTE_H

#include "isl_bridge/context.h"
#include <layout/value.h>

/* The tree in prefix order, arities with -1 for a leaf, and the leaves' numbers: all
 * in one allocation, see build.h.  Size and cosize are those of shape and stride;
 * with a swizzle, offset = Sw(swizzle.offset + L(c)). */
struct layout_cute {
	layout_context *ctx;
	unsigned node_count, leaf_count;
	int64_t size, cosize;
	bool lexicographic, swizzled;
	layout_cute_swizzle swizzle;	/* zero unless swizzled */
	int *tree;
	int64_t *shape, *stride;
	int64_t storage[];
};

/* Shape and stride alone at linear coordinate >= 0, the slowest leaf without end; false
 * where it does not fit 64 bits.  The size is not 0. */
bool cute_offset(const layout_cute *cute, int64_t coordinate, int64_t *offset);

/* The same with the swizzle, if there is one. */
bool cute_at(const layout_cute *cute, int64_t coordinate, int64_t *offset);

/* Is there a swizzle that does something, to the bits or by its offset? */
bool cute_moves_offsets(const layout_cute *cute);

/* Run an operation on any layout that is made for layouts without a swizzle and acts
 * on the domain, so that f(Sw o k o L) = Sw o k o f(L).  The result counts as "cute"
 * does: the operation sees its order, and need not set one.  Consumes "cute", as the
 * operation does; NULL passes through; "argument" is for the operation. */
typedef layout_cute *cute_operation(layout_cute *cute, const void *argument);
layout_cute *cute_under_swizzle(layout_cute *cute, cute_operation *operation,
	const void *argument);

/* The same for an operation on plain layouts, first mode fastest: the modes of others
 * are reversed before, and back behind it. */
layout_cute *cute_on_domain(layout_cute *cute, cute_operation *operation,
	const void *argument);

/* Visit the pairs in the notation's order until "visit" returns false; false on an
 * error. */
bool cute_for_each(layout_cute *cute, layout_visit_pair visit, void *user);

#endif
