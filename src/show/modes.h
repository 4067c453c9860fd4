/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The modes of a CuTe layout; what is no tuple of modes is one. */
#ifndef LAYOUT_SHOW_MODES_H
#define LAYOUT_SHOW_MODES_H

#include <layout/cute.h>

#define SHOW_LEAVES 64		/* of a mode, that are looked at */

/* The shapes of the leaves of a mode, the fastest first; how many. */
unsigned show_mode_leaves(layout_cute *cute, unsigned mode, int64_t leaves[SHOW_LEAVES]);

/* The size of a mode. */
int64_t show_mode_size(layout_cute *cute, unsigned mode);

#endif
