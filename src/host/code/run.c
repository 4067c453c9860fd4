/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running a host kernel: JIT-compiled once, beside an entry that takes the sizes as
 * an array, so that C can call a kernel of any number of arguments. */
#include "host/code/host.h"
#include "lower/jit.h"

#include <stdlib.h>

typedef void (*entry)(const void *source, void *destination, const int64_t *sizes);

struct host_program {
	struct jit *jit;
	entry run;
};

#define ENTRY_NAME "liblayout.entry"

/* call NAME(source, destination, sizes[0], sizes[1], ..) */
static void build_call(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef from,
	LLVMValueRef *args, unsigned count)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(builder));

	args[0] = LLVMGetParam(from, 0);
	args[1] = LLVMGetParam(from, 1);
	for (unsigned i = 2; i < count; i++) {
		LLVMValueRef index = LLVMConstInt(i64, i - 2, false);
		LLVMValueRef address = LLVMBuildInBoundsGEP2(builder, i64,
			LLVMGetParam(from, 2), &index, 1, "address");

		args[i] = LLVMBuildLoad2(builder, i64, address, "size");
	}
	LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, args,
		count, "");
	LLVMBuildRetVoid(builder);
}

/* Add the entry to a module. */
static bool add_entry(layout_context *ctx, const layout_kernel *kernel,
	LLVMModuleRef module)
{
	LLVMContextRef llvm = kernel->code->llvm;
	LLVMTypeRef pointer = LLVMPointerTypeInContext(llvm, 0);
	LLVMTypeRef params[] = { pointer, pointer, pointer };
	LLVMTypeRef nothing = LLVMVoidTypeInContext(llvm);
	LLVMValueRef called = LLVMGetNamedFunction(module, kernel->name), function;
	unsigned count = kernel->plan->size_count + 2;
	LLVMValueRef *args = layout_alloc(ctx, count, sizeof(*args));
	LLVMBuilderRef builder;

	if (!args)
		return false;
	function = LLVMAddFunction(module, ENTRY_NAME,
		LLVMFunctionType(nothing, params, 3, false));
	builder = LLVMCreateBuilderInContext(llvm);
	LLVMPositionBuilderAtEnd(builder,
		LLVMAppendBasicBlockInContext(llvm, function, "entry"));
	build_call(builder, called, function, args, count);
	LLVMDisposeBuilder(builder);
	free(args);
	return true;
}

static void host_program_free(void *program)
{
	struct host_program *host = program;

	jit_free(host->jit);
	free(host);
}

static struct host_program *host_program_new(layout_context *ctx,
	const layout_kernel *kernel)
{
	struct host_program *program = layout_alloc(ctx, 1, sizeof(*program));
	LLVMModuleRef module;

	if (!program)
		return NULL;
	module = LLVMCloneModule(kernel->code->module);
	if (add_entry(ctx, kernel, module))
		program->jit = jit_new(ctx,
			lower_host_machine(ctx, LLVMCodeGenLevelDefault), module, NULL);
	LLVMDisposeModule(module);
	if (program->jit)
		program->run = (entry)(uintptr_t)jit_lookup(ctx, program->jit,
			ENTRY_NAME);
	if (program->run)
		return program;
	host_program_free(program);
	return NULL;
}

/* The kernel's program, compiled if this is its first run. */
static struct host_program *find_program(layout_context *ctx, const layout_kernel *kernel)
{
	struct host_program *program;

	if (!kernel_lock(ctx, kernel))
		return NULL;
	if (!kernel->code->program) {
		kernel->code->program = host_program_new(ctx, kernel);
		kernel->code->program_free = host_program_free;
	}
	program = kernel->code->program;
	kernel_unlock(kernel);
	return program;
}

/* The code may use instructions that need the alignment it was promised. */
static bool check_aligned(layout_context *ctx, const layout_kernel *kernel,
	const char *name, const void *base)
{
	if (!((uintptr_t)base % kernel->base_align))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "the %s is not aligned to %u bytes",
		name, kernel->base_align);
	return false;
}

bool host_run(layout_context *ctx, const layout_kernel *kernel, const layout_run *run,
	const int64_t *sizes, const int64_t grid[3])
{
	struct host_program *program;

	(void)grid;
	if (!check_aligned(ctx, kernel, "source", run->source) ||
	    !check_aligned(ctx, kernel, "destination", run->destination))
		return false;
	program = find_program(ctx, kernel);
	if (!program)
		return false;
	program->run(run->source, run->destination, sizes);
	return true;
}
