/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Swizzles in front of CuTe layouts: what they do to an offset, to a relation and to a
 * composition. */
#ifndef LAYOUT_ALGEBRA_CUTE_SWIZZLE_H
#define LAYOUT_ALGEBRA_CUTE_SWIZZLE_H

#include "algebra/cute/order.h"
#include "algebra/f2/f2.h"

/* A swizzle reads and writes bits below this one: never a sign. */
#define CUTE_SWIZZLE_BITS 62

/* Sw(x), without its offset.  Numbers below 0 have the bits of two's complement. */
int64_t cute_swizzle_apply(layout_cute_swizzle swizzle, int64_t x);

/* Can there be such a swizzle?  Else LAYOUT_ERROR_INVALID. */
bool cute_swizzle_check(layout_context *ctx, layout_cute_swizzle swizzle);

/* Sw o Sw as one swizzle if it is one on all numbers; offsets are ignored. */
bool cute_swizzle_merge(layout_cute_swizzle outer, layout_cute_swizzle inner,
	layout_cute_swizzle *merged);

/* Put the swizzle before a plain layout; one that does nothing leaves it plain. */
void cute_swizzle_set(layout_cute *cute, layout_cute_swizzle swizzle);

/* Do the offsets of a layout without a swizzle stay within 64 bits behind this one, and
 * the cosize, by the bits that may be set?  Else LAYOUT_ERROR_OVERFLOW. */
bool cute_swizzle_fits(const layout_cute *plain, layout_cute_swizzle swizzle);

/* Is it what a swizzle alone means, as layout_cute_new_swizzle() makes it? */
bool cute_swizzle_is_alone(const layout_cute *cute);

/* Leave the layout without its swizzle. */
void cute_swizzle_clear(layout_cute *cute);

/* The layout as a function over F2 of the bits of its linear coordinate:
 * [x] -> [offset], 0 <= x < size, into as few bits as hold the offsets.  False, with
 * nothing on the context unless memory ran out, where it is not one, or not seen to be
 * one: a shape is no power of two, an offset is negative, carries depend on several
 * bits of x. */
bool cute_f2(const layout_cute *cute, struct f2 **f2);

/* The same of outer(inner(x)), the last mode of "outer" without end. */
bool cute_f2_composed(const layout_cute *outer, const layout_cute *inner, struct f2 **f2);

/* [i] -> [Sw(offset + L(i))] from [i] -> [L(i)], which is consumed. */
layout_relation *cute_swizzle_relation(const layout_cute *cute,
	layout_relation *plain);

/* 1 + the largest offset of a swizzled layout, or the bound that its bits give. */
bool cute_swizzle_cosize(const layout_cute *cute, int64_t *cosize);

/* outer o inner where "inner" is swizzled: the layout with its shape if there is one,
 * else as layout_cute_compose().  Consumes both. */
layout_cute *cute_swizzle_compose(layout_cute *outer, layout_cute *inner,
	struct cute_reversed reversed);

#endif
