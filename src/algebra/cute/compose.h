/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_CUTE_COMPOSE_H
#define LAYOUT_ALGEBRA_CUTE_COMPOSE_H

#include "algebra/cute/order.h"

/* outer o inner of plain layouts, first mode fastest: as layout_cute_compose(), but
 * neither is consumed. */
layout_cute *cute_compose_plain(const layout_cute *outer, const layout_cute *inner,
	struct cute_reversed reversed);

#endif
