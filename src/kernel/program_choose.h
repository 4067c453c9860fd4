/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles, waves and stages of a product: those of some that cost least. */
#ifndef LAYOUT_KERNEL_PROGRAM_CHOOSE_H
#define LAYOUT_KERNEL_PROGRAM_CHOOSE_H

#include "kernel/program_plan.h"

/* The plan of the best program for a product on a target, with what it was chosen among;
 * NULL with the error on the context. */
struct plan *program_plan_choose(layout_program *product, const struct plan_target *target);

#endif
