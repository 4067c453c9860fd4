/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles, waves and stages of a product: those of some that cost least. */
#ifndef LAYOUT_KERNEL_PROGRAM_CHOOSE_H
#define LAYOUT_KERNEL_PROGRAM_CHOOSE_H

#include "kernel/program/plan.h"
#include "program/matmul.h"

/* The plan of the best program for a product on a target, with what it was chosen among;
 * NULL with the error on the context. */
struct plan *program_plan_choose(layout_program *product, const struct plan_target *target);

/* The number that is a letter's size; 0: it is a name; 1: there is no letter. */
int64_t program_size_of(const struct matmul *matmul, int letter);

/* The tiles of a product for a target without lanes, and what they were chosen among, which
 * is to be freed; NULL: any will do.  False with the error on the context. */
bool program_choose_blocks(const struct matmul *matmul, const struct plan_target *target,
	struct matmul_shape *shape, char **choice);

#endif
