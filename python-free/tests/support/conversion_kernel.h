/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels of one conversion: each lane loads what FROM says it holds, and stores what it
 * holds after the conversion. */
#ifndef TESTS_SUPPORT_CONVERSION_KERNEL_H
#define TESTS_SUPPORT_CONVERSION_KERNEL_H

#include "lower/program_lanes/exchange.h"

/* "convert"(source, destination), a workgroup of so many subgroups: the source has the
 * box, the destination TO's points by number, of all lanes of all subgroups.  Twice in a
 * row, so that the LDS is used again.  In a new module of "llvm"; NULL with an
 * error. */
LLVMModuleRef conversion_kernel(layout_context *ctx, LLVMContextRef llvm,
	const layout_conversion_plan *plan, unsigned subgroups);

/* Run it in the simulator, with so many subgroups more than the owners have: does every
 * point get its element?  False with an error where it does not run. */
bool conversion_kernel_run(layout_context *ctx, const layout_conversion_plan *plan,
	unsigned more, bool *right);

#endif
