/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The plan of a program for people. */
#ifndef LAYOUT_KERNEL_PROGRAM_TEXT_H
#define LAYOUT_KERNEL_PROGRAM_TEXT_H

#include "kernel/program/plan.h"

/* What was derived, a line each: owners, widths, masks, guards, conversions with what the
 * others would cost.  "max_bytes" is a lane's widest access. */
LAYOUT_INTERNAL char *program_plan_explanation(layout_context *ctx,
	const struct program_plan *plan, unsigned max_bytes, const layout_lds *lds)
	LAYOUT_SYMBOL(program_plan_explanation);

/* Owners, hardware -> tile, and accesses, tile -> memory, as isl has them. */
LAYOUT_INTERNAL char *program_plan_relations(layout_context *ctx,
	const struct program_plan *plan) LAYOUT_SYMBOL(program_plan_relations);

#endif
