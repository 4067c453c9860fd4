/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The modes of a CuTe layout without its tree, as few as there can be.  They are no
 * `struct digits`, which fill an extent: the last mode has no end; and are on the stack. */
#ifndef LAYOUT_ALGEBRA_CUTE_MODES_H
#define LAYOUT_ALGEBRA_CUTE_MODES_H

#include "algebra/cute/build.h"

/* A layout whose size fits 64 bits has 62 modes of more than one coordinate at most,
 * and here one more that has no end. */
enum { CUTE_MODES = 64 };
struct cute_modes {
	unsigned count;
	int64_t shape[CUTE_MODES], stride[CUTE_MODES];
};

/* One more mode behind the others; one that continues the last mode extends it. */
void cute_modes_append(struct cute_modes *modes, int64_t shape, int64_t stride);

/* All modes of a plain layout of size > 0, first one fastest.  The last leaf goes on
 * beyond its size and so counts even if that is 1: there is at least one mode. */
void cute_modes_endless(struct cute_modes *modes, const layout_cute *cute);

/* The first mode last. */
void cute_modes_reverse(struct cute_modes *modes);

/* Append them to a layout: 1:0 for none, a leaf for one, else one level. */
void cute_modes_build(const struct cute_modes *modes, struct cute_builder *builder);

/* The offset at x >= 0, the last of one or more modes without end; false where it
 * does not fit 64 bits. */
bool cute_modes_at(const struct cute_modes *modes, int64_t x, int64_t *offset);

#endif
