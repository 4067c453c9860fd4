/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A tile for people to read. */
#ifndef LAYOUT_KERNEL_TILE_TEXT_H
#define LAYOUT_KERNEL_TILE_TEXT_H

#include "kernel/shape.h"
#include "kernel/tile/build.h"

/* How a tile was found, for a plan to keep: it holds nothing of isl. */
struct tile_account {
	struct factors factors;
	struct tile_shape shape;		/* without a choice, */
	struct shape_rules rules;		/* which others than the first were chosen by */
	const struct chip_memory *memory;	/* NULL: not known */
	const char *none;		/* why there is no tile */
	unsigned *dims;			/* the choice's dimension of each of the plan */
	unsigned rank;
	char **sizes;			/* of the destination, as text */
};

/* The owner by a choice, hw[tile coordinates.., lane, register] -> logical[..], as isl text; for
 * joined dimensions of sizes that are not constant, -> joined[..]. */
char *tile_owner_text(const struct plan *plan, const struct tile_account *account,
	const struct choice *choice, const struct tile_request *request);

#endif
