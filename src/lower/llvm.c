/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/llvm.h"
#include "lower/target.h"

#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void initialize_once(void)
{
	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	for (unsigned f = 0; target_families[f]; f++)
		if (target_families[f]->initialize)
			target_families[f]->initialize();
}

/* What is linked with LLVM has none of its own. */
bool late_load(void) __attribute__((__weak__));

bool lower_load(void)
{
	return !late_load || late_load();
}

void lower_initialize_targets(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, initialize_once);
}

LLVMValueRef lower_intrinsic(LLVMBuilderRef builder, const char *name, LLVMTypeRef *types,
	unsigned type_count, const LLVMValueRef *args, unsigned count)
{
	LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(
		LLVMGetInsertBlock(builder)));
	LLVMValueRef function = LLVMGetIntrinsicDeclaration(module,
		LLVMLookupIntrinsicID(name, strlen(name)), types, type_count);

	return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function,
		(LLVMValueRef *)args, count, "");
}

LLVMValueRef lower_intrinsic_like(LLVMBuilderRef builder, const char *name,
	const LLVMValueRef *args, unsigned count)
{
	LLVMTypeRef type = LLVMTypeOf(args[0]);

	return lower_intrinsic(builder, name, &type, 1, args, count);
}

void lower_walk(LLVMModuleRef module, void (*look)(LLVMBuilderRef builder,
	LLVMValueRef instruction))
{
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	LLVMValueRef function = LLVMGetFirstFunction(module), next;

	for (; function; function = LLVMGetNextFunction(function)) {
		LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);

		for (; block; block = LLVMGetNextBasicBlock(block))
			for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
				next = LLVMGetNextInstruction(i);
				look(builder, i);
			}
	}
	LLVMDisposeBuilder(builder);
}

bool lower_check(layout_context *ctx, LLVMErrorRef error, const char *what)
{
	char *message;

	if (!error)
		return true;
	message = LLVMGetErrorMessage(error);
	layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "%s: %s", what, message);
	LLVMDisposeErrorMessage(message);
	return false;
}

static void keep_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
	struct lower_diagnostic *diagnostic = user;
	char *text;

	if (LLVMGetDiagInfoSeverity(info) > (diagnostic->warnings ? LLVMDSWarning : LLVMDSError) ||
	    diagnostic->message)
		return;
	text = LLVMGetDiagInfoDescription(info);
	diagnostic->message = strdup(text);
	LLVMDisposeMessage(text);
}

void lower_listen(LLVMContextRef context, struct lower_diagnostic *diagnostic)
{
	LLVMContextSetDiagnosticHandler(context, keep_diagnostic, diagnostic);
}

LLVMContextRef lower_context_new(struct lower_diagnostic *diagnostic)
{
	LLVMContextRef context = LLVMContextCreate();

	lower_listen(context, diagnostic);
	return context;
}

/* The CPU we run on.  Each question is many CPUID instructions, which a virtual
 * machine is slow to answer: asked once, and kept. */
struct machine {
	const char *triple, *processor, *features;
};

static struct machine host;

static void name_host_once(void)
{
	host.triple = LLVMGetDefaultTargetTriple();
	host.processor = LLVMGetHostCPUName();
	host.features = LLVMGetHostCPUFeatures();
}

static LLVMTargetMachineRef machine_for(layout_context *ctx, const char *name,
	const struct machine *what, LLVMCodeGenOptLevel level, LLVMCodeModel model)
{
	LLVMTargetMachineRef machine = NULL;
	LLVMTargetRef target;
	char *message = NULL;

	if (!lower_load()) {
		layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "no code for %s: LLVM, "
			LAYOUT_LLVM_LIBRARY ", cannot be loaded", name);
		return NULL;
	}
	lower_initialize_targets();
	if (!LLVMGetTargetFromTriple(what->triple, &target, &message))
		machine = LLVMCreateTargetMachine(target, what->triple, what->processor,
			what->features, level, LLVMRelocPIC, model);
	if (!machine)
		layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "no code for %s: %s", name,
			message ? message : "no target machine");
	LLVMDisposeMessage(message);
	return machine;
}

LLVMTargetMachineRef lower_machine(layout_context *ctx, const layout_target *row,
	const char *triple, const char *features, LLVMCodeGenOptLevel level)
{
	const struct machine what = { triple, row->processor, features };

	return machine_for(ctx, row->name, &what, level, LLVMCodeModelDefault);
}

static const struct machine *host_of(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (lower_load())
		pthread_once(&once, name_host_once);
	return &host;
}

LLVMTargetMachineRef lower_host_machine(layout_context *ctx, LLVMCodeGenOptLevel level)
{
	const struct machine *own = host_of();

	return machine_for(ctx, own->triple ? own->triple : "this CPU", own, level,
		LLVMCodeModelJITDefault);
}

LLVMTargetMachineRef lower_cpu_machine(layout_context *ctx, const char *cpu,
	LLVMCodeGenOptLevel level)
{
	const struct machine what = { host_of()->triple, cpu, "" };

	return machine_for(ctx, cpu, &what, level, LLVMCodeModelJITDefault);
}
