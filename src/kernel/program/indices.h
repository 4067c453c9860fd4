/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles of indices by which a direct copy gathers: its lanes have others than those of the load
 * whose place it takes. */
#ifndef LAYOUT_KERNEL_PROGRAM_INDICES_H
#define LAYOUT_KERNEL_PROGRAM_INDICES_H

#include "kernel/program/plan.h"

/* Have the lanes of a load that is to have this owner all indices that they gather by, or can these
 * be made there?  NULL, or those that can not. */
const layout_tile *indices_missing(const struct program_plan *plan,
	const layout_program *given, const layout_tile *load, const struct owner *owner);

/* Make them where the load's lanes are; false with the error on the context. */
bool indices_move(layout_context *ctx, struct program_plan *plan, const layout_tile *load,
	const struct chip *chip);

#endif
