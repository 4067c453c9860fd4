/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The address of a tile, as few operations as a wave needs: products in an order that
 * both sides share, one multiplication by what terms have in common. */
#ifndef LAYOUT_LOWER_TILE_BASE_H
#define LAYOUT_LOWER_TILE_BASE_H

#include "lower/expression.h"

/* The value of "index" times "bits" / 8, as an i64.  "other" is the base of the move's
 * other side. */
LLVMValueRef base_bytes(const struct expression_scope *scope, const struct index *index,
	const struct index *other, unsigned bits);

/* Are these the same products of the same factors, in whatever order? */
bool base_same_product(const struct index *a, const struct index *b);

#endif
