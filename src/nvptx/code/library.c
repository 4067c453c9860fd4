/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions: exp, exp2 and log of a float as arithmetic, the others of libclc, whose names are those of
 * OpenCL in C++. */
#include "lower/library.h"
#include "lower/number.h"
#include "nvptx/code/nvptx.h"

#include <stdio.h>
#include <string.h>

/* It asks whether subnormal numbers are flushed, which they are not. */
static void set_options(LLVMModuleRef module)
{
	LLVMValueRef flushes = LLVMGetNamedGlobal(module, "__CLC_SUBNORMAL_DISABLE");

	if (!flushes)
		return;
	LLVMSetGlobalConstant(flushes, true);
	LLVMSetLinkage(flushes, LLVMInternalLinkage);
}

static bool link_library(layout_context *ctx, LLVMModuleRef module)
{
	if (*LAYOUT_LIBCLC) {
		if (!library_link(ctx, module, LAYOUT_LIBCLC "/nvptx64--.bc"))
			return false;
		set_options(module);
		return true;
	}
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "there is no libclc to take sin, tanh, "
		"erf and functions of f64 from: LAYOUT_LIBCLC names none");
	return false;
}

/* libclc's erf of a double has no sign where that is 0. */
LLVMValueRef nvptx_math(layout_context *ctx, LLVMBuilderRef builder, const char *name,
	LLVMValueRef arg)
{
	bool is_double = LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMDoubleTypeKind;
	LLVMValueRef args[] = { NULL, arg };
	char symbol[32];

	if (!is_double && !strcmp(name, "exp"))
		return number_exp(builder, arg);
	if (!is_double && !strcmp(name, "exp2"))
		return number_exp2(builder, arg);
	if (!is_double && !strcmp(name, "log"))
		return number_log(builder, arg);
	snprintf(symbol, sizeof(symbol), "_Z%zu%s%c", strlen(name), name,
		is_double ? 'd' : 'f');
	args[0] = library_call(ctx, builder, symbol, arg, link_library);
	if (args[0] && is_double && !strcmp(name, "erf"))
		args[0] = lower_intrinsic_like(builder, "llvm.copysign", args, 2);
	return args[0];
}
