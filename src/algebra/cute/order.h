/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order in which a layout counts its coordinates. */
#ifndef LAYOUT_ALGEBRA_CUTE_ORDER_H
#define LAYOUT_ALGEBRA_CUTE_ORDER_H

#include "algebra/cute/cute.h"

/* The same function with the modes reversed at every level, and with it the order:
 * last mode fastest becomes first mode fastest, and back.  Consumes "cute". */
layout_cute *cute_order_reverse(layout_cute *cute);

/* Does the last mode count fastest, with shapes and strides that a pack_map may have?
 * Where they are others, the text is that of the reversed layout. */
bool cute_is_pack_map(const layout_cute *cute);

/* Which operands of a composition were reversed, to be turned back in messages. */
struct cute_reversed {
	bool outer, inner;
};

/* The text of a layout, turned back if it was reversed. */
char *cute_order_str(const layout_cute *cute, bool reversed);

#endif
