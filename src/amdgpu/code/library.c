/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of ROCm's device libraries, linked as bitcode: of the library, a module gets
 * what it calls. */
#include "amdgpu/code/amdgpu.h"
#include "lower/library.h"

#include <stdio.h>
#include <string.h>

/* How the library computes: with infinities and NaNs, without shortcuts. */
static const struct option {
	const char *name;
	unsigned bits, value;
} options[] = {
	{ "__oclc_finite_only_opt", 8, 0 }, { "__oclc_unsafe_math_opt", 8, 0 },
	{ "__oclc_daz_opt", 8, 0 }, { "__oclc_correctly_rounded_sqrt32", 8, 1 },
	{ "__oclc_ISA_version", 32, 9000 },
};

static void set_options(LLVMModuleRef module)
{
	LLVMContextRef llvm = LLVMGetModuleContext(module);

	for (unsigned i = 0; i < sizeof(options) / sizeof(*options); i++) {
		LLVMTypeRef type = LLVMIntTypeInContext(llvm, options[i].bits);
		LLVMValueRef global = LLVMGetNamedGlobal(module, options[i].name);

		if (global)
			LLVMSetInitializer(global, LLVMConstInt(type, options[i].value, false));
		if (global)
			LLVMSetLinkage(global, LLVMInternalLinkage);
	}
}

static bool link_library(layout_context *ctx, LLVMModuleRef module)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/ocml.bc", layout_device_libs());
	if (!*layout_device_libs()) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "there are no device "
			"libraries to take sin, tanh, erf and functions of f64 from: "
			"LAYOUT_DEVICE_LIBS names none");
		return false;
	}
	if (!library_link(ctx, module, path))
		return false;
	set_options(module);
	return true;
}

/* LLVM has instructions for exp and log of a float, of either base. */
static bool is_intrinsic(const char *name, LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMFloatTypeKind &&
		(!strncmp(name, "exp", 3) || !strncmp(name, "log", 3));
}

LLVMValueRef amdgpu_math(layout_context *ctx, LLVMBuilderRef builder, const char *name,
	LLVMValueRef arg)
{
	LLVMTypeRef type = LLVMTypeOf(arg);
	char symbol[64];

	snprintf(symbol, sizeof(symbol), "llvm.%s", name);
	if (is_intrinsic(name, type))
		return amdgpu_call(builder, symbol, &type, 1, &arg, 1, "");
	snprintf(symbol, sizeof(symbol), "__ocml_%s_%s", name,
		LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? "f64" : "f32");
	return library_call(ctx, builder, symbol, arg, link_library);
}
