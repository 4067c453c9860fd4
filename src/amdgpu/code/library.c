/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of ROCm's device libraries, linked as bitcode: of the library, a module gets
 * what it calls. */
#include "amdgpu/code/amdgpu.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
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

/* The library, of which nothing is read yet; NULL with an error. */
static LLVMModuleRef open_library(layout_context *ctx, LLVMModuleRef module)
{
	LLVMMemoryBufferRef buffer = NULL;
	LLVMModuleRef library = NULL;
	char path[512], *message = NULL;

	snprintf(path, sizeof(path), "%s/ocml.bc", layout_device_libs());
	if (!*layout_device_libs()) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "there are no device "
			"libraries to take tanh, erf and functions of f64 from: "
			"LAYOUT_DEVICE_LIBS names none");
		return NULL;
	}
	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
		layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "%s: %s", path, message);
		LLVMDisposeMessage(message);
		return NULL;
	}
	if (!LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(module), buffer, &library))
		return library;
	layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "%s is no library of bitcode", path);
	LLVMDisposeMemoryBuffer(buffer);
	return NULL;
}

/* The module's layout is the target machine's, and the library's an older one. */
static bool link_library(layout_context *ctx, LLVMModuleRef module)
{
	LLVMModuleRef library = open_library(ctx, module);

	if (!library)
		return false;
	LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
	LLVMSetTarget(library, LLVMGetTarget(module));
	if (LLVMLinkModules2(module, library)) {
		layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "the device libraries do not link");
		return false;
	}
	set_options(module);
	return true;
}

LLVMValueRef amdgpu_math(layout_context *ctx, LLVMBuilderRef builder, const char *name,
	LLVMValueRef arg)
{
	LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(
		LLVMGetInsertBlock(builder)));
	LLVMTypeRef type = LLVMTypeOf(arg), function_type;
	LLVMValueRef function;
	char symbol[64];

	snprintf(symbol, sizeof(symbol), "__ocml_%s_%s", name,
		LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? "f64" : "f32");
	function_type = LLVMFunctionType(type, &type, 1, false);
	function = LLVMGetNamedFunction(module, symbol);
	if (!function) {
		LLVMAddFunction(module, symbol, function_type);
		if (!link_library(ctx, module))
			return NULL;
		function = LLVMGetNamedFunction(module, symbol);
	}
	return LLVMBuildCall2(builder, function_type, function, &arg, 1, "");
}
