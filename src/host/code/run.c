/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running a host kernel: JIT-compiled once, beside an entry that takes the buffers and
 * the sizes as arrays, so that C can call a kernel of any number of arguments. */
#include "host/code/cpu.h"
#include "host/code/stored.h"
#include "lower/jit.h"
#include "lower/launch.h"
#include "lower/shared.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

/* return NAME(buffers[0].base, .., sizes[0], ..), with the other parameters behind them; true
 * where that returns nothing */
static void build_call(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef from,
	LLVMValueRef *args, const struct plan *plan)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);
	unsigned operands = plan->operand_count, count = plan_arguments(plan);
	LLVMValueRef done;

	for (unsigned i = 0; i < operands; i++)
		args[i] = load_argument(builder, LLVMPointerTypeInContext(llvm, 0),
			LLVMGetParam(from, 0), i * sizeof(struct kernel_buffer) +
				offsetof(struct kernel_buffer, base));
	for (unsigned i = 0; i < plan->size_count; i++)
		args[operands + i] = load_argument(builder, LLVMInt64TypeInContext(llvm),
			LLVMGetParam(from, 1), i * sizeof(int64_t));
	for (unsigned i = 2; i < LLVMCountParams(from); i++)
		args[count++] = LLVMGetParam(from, i);
	done = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, args, count,
		"");
	if (LLVMGetTypeKind(LLVMTypeOf(done)) == LLVMVoidTypeKind)
		done = LLVMConstInt(LLVMInt8TypeInContext(llvm), true, false);
	LLVMBuildRet(builder, done);
}

/* Add an entry to a module: the buffers, the sizes, and so many numbers for "called". */
static bool add_entry(layout_context *ctx, const layout_kernel *kernel,
	LLVMValueRef called, const char *name, unsigned numbers)
{
	LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(called));
	LLVMTypeRef pointer = LLVMPointerTypeInContext(llvm, 0);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(llvm);
	LLVMTypeRef params[] = { pointer, pointer, i64, i64 };
	LLVMValueRef function, *args = layout_alloc(ctx, plan_arguments(kernel->plan) + numbers,
		sizeof(*args));
	LLVMBuilderRef builder;

	if (!args)
		return false;
	function = LLVMAddFunction(LLVMGetGlobalParent(called), name, LLVMFunctionType(
		LLVMInt8TypeInContext(llvm), params, 2 + numbers, false));
	builder = LLVMCreateBuilderInContext(llvm);
	LLVMPositionBuilderAtEnd(builder,
		LLVMAppendBasicBlockInContext(llvm, function, "entry"));
	build_call(builder, called, function, args, kernel->plan);
	LLVMDisposeBuilder(builder);
	free(args);
	return true;
}

/* NAME.part of a module; NULL where it has none. */
static LLVMValueRef find_part(layout_context *ctx, const layout_kernel *kernel,
	LLVMModuleRef module)
{
	struct layout_buffer name = { 0 };
	LLVMValueRef part = NULL;
	char *text;

	layout_buffer_printf(&name, "%s" SHARED_PART, kernel->name);
	text = layout_buffer_take(ctx, &name);
	if (text)
		part = LLVMGetNamedFunction(module, text);
	free(text);
	return part;
}

/* Nobody calls from outside what a module has without its entries.  A kernel may be called what the
 * code for it calls, as "tanhf". */
static void hide(LLVMModuleRef module)
{
	static const char name[] = "layout.kernel";
	LLVMValueRef function;

	for (function = LLVMGetFirstFunction(module); function;
	     function = LLVMGetNextFunction(function))
		if (!LLVMIsDeclaration(function)) {
			LLVMSetLinkage(function, LLVMInternalLinkage);
			LLVMSetValueName2(function, name, strlen(name));
		}
}

static bool add_entries(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine, void *user)
{
	const layout_kernel *kernel = user;
	LLVMValueRef whole = LLVMGetNamedFunction(module, kernel->name);
	LLVMValueRef part = shared_is(kernel) ? find_part(ctx, kernel, module) : NULL;

	(void)machine;
	if (shared_is(kernel) && !part)
		return false;
	hide(module);
	return add_entry(ctx, kernel, whole, HOST_ENTRY, 0) && (!part || add_entry(ctx, kernel, part, HOST_PART, 2));
}

static void host_program_free(void *program)
{
	struct host_program *host = program;

	jit_free(host->jit);
	code_unload(&host->code);
	free(host);
}

/* The code's address, once it is compiled. */
static uintptr_t look_up(layout_context *ctx, const struct host_program *program,
	const char *name)
{
	return (uintptr_t)jit_lookup(ctx, program->jit, name);
}

static bool find_entries(layout_context *ctx, struct host_program *program, bool parts)
{
	program->run = (host_entry *)look_up(ctx, program, HOST_ENTRY);
	if (program->run && parts)
		program->part = (host_part *)look_up(ctx, program, HOST_PART);
	return program->run && (program->part || !parts);
}

static LLVMTargetMachineRef machine_of(layout_context *ctx, const layout_kernel *kernel)
{
	LLVMCodeGenOptLevel level = kernel_level(kernel);

	return kernel->cpu ? lower_cpu_machine(ctx, kernel->cpu, level) :
		lower_host_machine(ctx, level);
}

static struct host_program *host_program_new(layout_context *ctx,
	const layout_kernel *kernel)
{
	struct host_program *program = layout_alloc(ctx, 1, sizeof(*program));
	LLVMMemoryBufferRef object;
	bool found;

	if (!program)
		return NULL;
	object = jit_compile(ctx, machine_of(ctx, kernel), kernel->code->module,
		add_entries, (void *)kernel);
	program->jit = jit_new(ctx, object, NULL);
	found = program->jit && find_entries(ctx, program, shared_is(kernel));
	if (found)
		stored_keep(kernel, LLVMGetBufferStart(object), LLVMGetBufferSize(object));
	if (object)
		LLVMDisposeMemoryBuffer(object);
	if (found)
		return program;
	host_program_free(program);
	return NULL;
}

/* What the disk has of it; NULL where that is nothing, which is no error. */
static struct host_program *load_program(const layout_kernel *kernel)
{
	struct host_program *program = calloc(1, sizeof(*program));

	if (program && stored_load(kernel, program))
		return program;
	free(program);
	return NULL;
}

/* The program, if it need not be compiled. */
static struct host_program *find_program(const layout_kernel *kernel)
{
	struct kernel_code *code = kernel->code;
	struct host_program *program;

	pthread_mutex_lock(&code->lock);
	code->program_free = host_program_free;
	if (!code->programs[kernel->shape])
		code->programs[kernel->shape] = load_program(kernel);
	program = code->programs[kernel->shape];
	pthread_mutex_unlock(&code->lock);
	return program;
}

const struct host_program *host_program_of(layout_context *ctx, const layout_kernel *kernel)
{
	struct host_program *program;

	if (!cpu_runs(ctx, kernel->cpu))
		return NULL;
	program = find_program(kernel);
	if (program || !kernel_lock(ctx, kernel))
		return program;
	if (!kernel->code->programs[kernel->shape])
		kernel->code->programs[kernel->shape] = host_program_new(ctx, kernel);
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

/* The context's threads, for so many bytes.  The pool is to be dropped. */
static bool find_threads(layout_context *ctx, const struct kernel_run *run, uint64_t bytes,
	struct host_threads *threads)
{
	*threads = (struct host_threads){ .count = host_threads_for(ctx, bytes),
		.progress = run->progress, .progress_user = run->progress_user,
		.bytes = bytes };
	if (threads->count > 1)
		threads->pool = pool_of(ctx, threads->count - 1);
	return threads->count == 1 || threads->pool;
}

/* What has no bytes takes no loops, which may be long where other dimensions are. */
static bool stores_nothing(const struct plan *plan, const int64_t *sizes)
{
	int64_t bytes;

	for (unsigned i = 0; i < plan->operand_count; i++)
		if (plan->operands[i].written &&
		    (!launch_operand_bytes(sizes, &plan->operands[i], &bytes) || bytes))
			return false;
	return true;
}

bool host_run(layout_context *ctx, const layout_kernel *kernel,
	const struct kernel_run *run)
{
	const struct plan *plan = kernel->plan;
	const struct host_program *program;
	struct host_threads threads;
	uint64_t bytes = 0;
	bool done;

	for (unsigned i = 0; i < plan->operand_count; i++) {
		bytes += run->buffers[i].bytes;
		if (!check_aligned(ctx, kernel, plan->operands[i].name,
				run->buffers[i].base))
			return false;
	}
	program = host_program_of(ctx, kernel);
	if (!program || !find_threads(ctx, run, bytes, &threads))
		return false;
	done = stores_nothing(plan, run->sizes) ||
		host_execute(program, kernel, run->buffers, run->sizes, &threads);
	pool_drop(threads.pool);
	if (!done)
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory: the tiles of %s",
			kernel->name);
	else if (run->progress)
		run->progress(run->progress_user, 1);
	return done;
}
