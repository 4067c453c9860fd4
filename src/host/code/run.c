/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running a host kernel: JIT-compiled once, beside an entry that takes the buffers and
 * the sizes as arrays, so that C can call a kernel of any number of arguments. */
#include "host/code/host.h"
#include "lower/jit.h"

#include <stddef.h>
#include <stdlib.h>

typedef void (*entry)(const struct kernel_buffer *buffers, const int64_t *sizes);

struct host_program {
	struct jit *jit;
	entry run;
};

#define ENTRY_NAME "liblayout.entry"

/* What is "at" bytes behind a pointer. */
static LLVMValueRef load_argument(LLVMBuilderRef builder, LLVMTypeRef type,
	LLVMValueRef pointer, size_t at)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);
	LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(llvm), at, false);
	LLVMValueRef address = LLVMBuildInBoundsGEP2(builder,
		LLVMInt8TypeInContext(llvm), pointer, &offset, 1, "address");

	return LLVMBuildLoad2(builder, type, address, "argument");
}

/* call NAME(buffers[0].base, .., sizes[0], ..) */
static void build_call(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef from,
	LLVMValueRef *args, const struct plan *plan)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);
	unsigned operands = plan->operand_count;

	for (unsigned i = 0; i < operands; i++)
		args[i] = load_argument(builder, LLVMPointerTypeInContext(llvm, 0),
			LLVMGetParam(from, 0), i * sizeof(struct kernel_buffer) +
				offsetof(struct kernel_buffer, base));
	for (unsigned i = 0; i < plan->size_count; i++)
		args[operands + i] = load_argument(builder, LLVMInt64TypeInContext(llvm),
			LLVMGetParam(from, 1), i * sizeof(int64_t));
	LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, args,
		plan_arguments(plan), "");
	LLVMBuildRetVoid(builder);
}

/* Add the entry to a module. */
static bool add_entry(layout_context *ctx, const layout_kernel *kernel,
	LLVMModuleRef module)
{
	LLVMContextRef llvm = kernel->code->llvm;
	LLVMTypeRef pointer = LLVMPointerTypeInContext(llvm, 0);
	LLVMTypeRef params[] = { pointer, pointer };
	LLVMTypeRef nothing = LLVMVoidTypeInContext(llvm);
	LLVMValueRef called = LLVMGetNamedFunction(module, kernel->name), function;
	LLVMValueRef *args = layout_alloc(ctx, plan_arguments(kernel->plan),
		sizeof(*args));
	LLVMBuilderRef builder;

	if (!args)
		return false;
	function = LLVMAddFunction(module, ENTRY_NAME,
		LLVMFunctionType(nothing, params, 2, false));
	builder = LLVMCreateBuilderInContext(llvm);
	LLVMPositionBuilderAtEnd(builder,
		LLVMAppendBasicBlockInContext(llvm, function, "entry"));
	build_call(builder, called, function, args, kernel->plan);
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
	if (!kernel->code->programs[kernel->shape]) {
		kernel->code->programs[kernel->shape] = host_program_new(ctx, kernel);
		kernel->code->program_free = host_program_free;
	}
	program = kernel->code->programs[kernel->shape];
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

bool host_run(layout_context *ctx, const layout_kernel *kernel,
	const struct kernel_run *run)
{
	const struct plan *plan = kernel->plan;
	struct host_program *program;

	for (unsigned i = 0; i < plan->operand_count; i++)
		if (!check_aligned(ctx, kernel, plan->operands[i].name,
				run->buffers[i].base))
			return false;
	program = find_program(ctx, kernel);
	if (!program)
		return false;
	program->run(run->buffers, run->sizes);
	return true;
}
