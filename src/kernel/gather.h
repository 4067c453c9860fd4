/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads of elements that are some steps apart: windows of several elements each, of which
 * none reaches beyond the first and the last that are asked for. */
#ifndef LAYOUT_KERNEL_GATHER_H
#define LAYOUT_KERNEL_GATHER_H

#include "isl_bridge/context.h"

enum { GATHER_ELEMENTS = 64 };

/* Windows of "width" elements, a power of two, begin at element starts[w] of memory; the
 * k-th element is element at[k] of window[k]. */
struct gather {
	unsigned width, count;
	unsigned starts[GATHER_ELEMENTS], window[GATHER_ELEMENTS], at[GATHER_ELEMENTS];
};

/* "vector" elements, each "step" after the one before; an access has "most" elements. */
LAYOUT_INTERNAL void gather_find(struct gather *gather, unsigned vector, unsigned step,
	unsigned most) LAYOUT_SYMBOL(gather_find);

/* Elements of memory from the first to the last. */
static inline unsigned gather_span(unsigned vector, unsigned step)
{
	return (vector - 1) * step + 1;
}

#endif
