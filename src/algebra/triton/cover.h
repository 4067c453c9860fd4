/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How each encoding covers a tensor.  "shape" has the encoding's rank and consists of
 * powers of two; false once an error is on the context. */
#ifndef LAYOUT_ALGEBRA_TRITON_COVER_H
#define LAYOUT_ALGEBRA_TRITON_COVER_H

#include "algebra/triton/tile.h"

/* Results of matrix instructions, and operands: of a dot_op encoding whose parent is
 * one, along its dimension "k" and the "other" one. */
bool cover_mfma(struct tile *tile, const layout_triton_desc *desc, const int64_t *shape);
bool cover_wmma(struct tile *tile, const layout_triton_desc *desc, const int64_t *shape);
bool cover_mma(struct tile *tile, const layout_triton_desc *desc, const int64_t *shape);
bool cover_mfma_operand(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape, unsigned k, unsigned other);
bool cover_wmma_operand(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape, unsigned k, unsigned other);
bool cover_mma_operand(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape, unsigned k, unsigned other);

/* Shared memory: swizzled and rotating; what wgmma reads; padded, without its padding. */
bool cover_swizzled(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape);
bool cover_nvmma_shared(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape);
bool cover_padded(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape);

/* The layout of the encoding, that of a padded one as if it did not pad. */
layout_linear *triton_linear_unpadded(layout_triton *encoding, const int64_t *shape,
	unsigned rank);

#endif
