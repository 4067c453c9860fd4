/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/optimize.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

static bool verify(layout_context *ctx, LLVMModuleRef module)
{
	char *message = NULL;
	bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);

	if (broken)
		layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1,
			"the kernel's IR is not well formed: %.*s",
			(int)strcspn(message, "\n"), message);
	LLVMDisposeMessage(message);
	return !broken;
}

/* Loops are not unrolled: what of them has room for that is vectorised or written out as it is
 * made, and LLVM's copies and their remainders take as long to compile as all the rest. */
static bool run(layout_context *ctx, LLVMModuleRef module, LLVMTargetMachineRef machine,
	const char *passes, bool loops)
{
	LLVMPassBuilderOptionsRef options;
	bool ok;

	if (!verify(ctx, module))
		return false;
	options = LLVMCreatePassBuilderOptions();
	LLVMPassBuilderOptionsSetLoopVectorization(options, loops);
	LLVMPassBuilderOptionsSetLoopInterleaving(options, loops);
	LLVMPassBuilderOptionsSetLoopUnrolling(options, false);
	ok = lower_check(ctx, LLVMRunPasses(module, passes, machine, options),
		"optimisation");
	LLVMDisposePassBuilderOptions(options);
	return ok;
}

bool optimize(layout_context *ctx, LLVMModuleRef module, LLVMTargetMachineRef machine)
{
	return run(ctx, module, machine, "default<O3>", true);
}

bool optimize_workgroup(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine)
{
	return run(ctx, module, machine, "default<O3>", false);
}

bool optimize_tile(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine)
{
	return run(ctx, module, machine, "function(instsimplify,early-cse)",
		false);
}

bool optimize_block(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine)
{
	return run(ctx, module, machine, "function(simplifycfg,early-cse<memssa>,"
		"loop-mssa(licm),instsimplify,adce)", false);
}

/* Where blocks go to one that only ends the function, they end it themselves: the others are
 * not in their way. */
static void end_apart(LLVMValueRef function)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(
		LLVMTypeOf(function)));
	LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);

	for (; block; block = LLVMGetNextBasicBlock(block)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(block), first;

		if (LLVMGetInstructionOpcode(last) != LLVMBr || LLVMIsConditional(last))
			continue;
		first = LLVMGetFirstInstruction(LLVMGetSuccessor(last, 0));
		if (LLVMGetInstructionOpcode(first) != LLVMRet)
			continue;
		LLVMPositionBuilderBefore(b, last);
		LLVMBuildRetVoid(b);
		LLVMInstructionEraseFromParent(last);
	}
	LLVMDisposeBuilder(b);
}

bool optimize_program(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine)
{
	bool ok = run(ctx, module, machine, "cgscc(inline),globaldce,"
		"function(simplifycfg,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
		"loop-mssa(licm),simplifycfg,early-cse<memssa>,"
		"instcombine<no-verify-fixpoint>,adce)", false);
	LLVMValueRef function = LLVMGetFirstFunction(module);

	for (; ok && function; function = LLVMGetNextFunction(function))
		if (LLVMGetFirstBasicBlock(function) && LLVMGetTypeKind(LLVMGetReturnType(
		    LLVMGlobalGetValueType(function))) == LLVMVoidTypeKind)
			end_apart(function);
	return ok;
}

bool optimize_lane(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine)
{
	return run(ctx, module, machine, "globaldce", false);
}
