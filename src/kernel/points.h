/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Points as one more shape of a kernel with tiles.
 *
 * What of a tile lies outside the tensor is issued for nothing, and dimensions of a few elements
 * leave most of every tile there.  Lanes that go through the destination's memory word by word,
 * across the ends of rows, have none of that: each loads its elements one by one. */
#ifndef LAYOUT_KERNEL_POINTS_H
#define LAYOUT_KERNEL_POINTS_H

#include "kernel/tile/text.h"

/* Can the plan's digits tell what points cost that are joined, and may dimensions be short? */
bool points_can_be_shape(const struct plan *plan, const struct tile_request *request);

/* Can groups of elements lie in rows of both sides? */
bool points_have_rows(const struct factors *factors, const struct tile_request *request);

/* Where the groups of "points" lie in rows, if "rows" says that they can, and the cost as a shape;
 * elements are those of the digits in "account".  False where memory ran out. */
bool points_build_cost(struct plan *points, const struct tile_account *account,
	const struct tile_request *request, bool rows);

/* What they cost over the lengths of dimensions as variables.  NULL where memory ran out. */
struct index *points_cost_by_lengths(const struct plan *points, const struct factors *factors,
	const struct tile_request *request);

#endif
