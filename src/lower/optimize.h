/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From the IR as built to the IR that code is made of. */
#ifndef LAYOUT_LOWER_OPTIMIZE_H
#define LAYOUT_LOWER_OPTIMIZE_H

#include "lower/llvm.h"

/* Verify "module" and run LLVM's -O3 pipeline on it, but for the unrolling of loops;
 * LAYOUT_ERROR_CODEGEN with what the verifier says. */
bool optimize(layout_context *ctx, LLVMModuleRef module, LLVMTargetMachineRef machine);

/* The same for code whose loops seldom have a second turn, as those of workgroups:
 * they are not vectorised. */
bool optimize_workgroup(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine);

/* The same for the code of a tile, which is as it should be but for what is said twice.
 * More passes would move constants away from the instructions that have room for them. */
bool optimize_tile(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine);

/* The same for blocks of vectors, which are as they should be: what is the same in every turn
 * of a loop is computed before it. */
bool optimize_block(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine);

/* The same for the code of a program on lanes: functions become part of it, and nothing joins
 * accesses, which are as wide as they can be and no wider than they are aligned. */
bool optimize_program(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine);

/* Verify "module" and drop what nobody reaches: for code that runs so little that
 * optimising it takes longer. */
bool optimize_lane(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine);

#endif
