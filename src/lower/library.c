/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/library.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

/* The library, of which nothing is read yet; NULL with an error. */
static LLVMModuleRef open_library(layout_context *ctx, LLVMModuleRef module,
	const char *path)
{
	LLVMMemoryBufferRef buffer = NULL;
	LLVMModuleRef library = NULL;
	char *message = NULL;

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

static void release(LLVMValueRef global)
{
	if (!LLVMIsDeclaration(global) && LLVMGetLinkage(global) == LLVMExternalLinkage)
		LLVMSetLinkage(global, LLVMLinkOnceODRLinkage);
}

/* What nobody asks for is left out. */
static void release_all(LLVMModuleRef library)
{
	LLVMValueRef global;

	for (global = LLVMGetFirstFunction(library); global;
	     global = LLVMGetNextFunction(global))
		release(global);
	for (global = LLVMGetFirstGlobal(library); global; global = LLVMGetNextGlobal(global))
		release(global);
}

/* The module's layout is the target machine's, and the library's may be an older one. */
bool library_link(layout_context *ctx, LLVMModuleRef module, const char *path)
{
	LLVMModuleRef library = open_library(ctx, module, path);

	if (!library)
		return false;
	release_all(library);
	LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
	LLVMSetTarget(library, LLVMGetTarget(module));
	if (!LLVMLinkModules2(module, library))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "%s does not link", path);
	return false;
}

LLVMValueRef library_call(layout_context *ctx, LLVMBuilderRef builder, const char *symbol,
	LLVMValueRef arg, bool (*link)(layout_context *ctx, LLVMModuleRef module))
{
	LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(
		LLVMGetInsertBlock(builder)));
	LLVMTypeRef type = LLVMTypeOf(arg), function_type = LLVMFunctionType(type, &type, 1,
		false);
	LLVMValueRef function = LLVMGetNamedFunction(module, symbol);

	if (!function) {
		LLVMAddFunction(module, symbol, function_type);
		if (!link(ctx, module))
			return NULL;
		function = LLVMGetNamedFunction(module, symbol);
	}
	return LLVMBuildCall2(builder, function_type, function, &arg, 1, "");
}
