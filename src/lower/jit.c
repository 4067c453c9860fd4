/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/jit.h"
#include "lower/llvm.h"

#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* "lock" is held wherever ORC may link and report, so that a message belongs to the look-up
 * that caused it. */
struct jit {
	pthread_mutex_t lock;
	LLVMOrcLLJITRef orc;
	char *reported;
};

/* The object of a module, which code generation changes; NULL with an error. */
static LLVMMemoryBufferRef emit(layout_context *ctx, LLVMModuleRef module,
	LLVMTargetMachineRef machine, const struct lower_diagnostic *diagnostic)
{
	LLVMMemoryBufferRef object = NULL;
	char *message = NULL;
	bool failed = LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile,
		&message, &object);

	if (!failed && !diagnostic->message)
		return object;
	layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "JIT: %s", failed ? message :
		diagnostic->message);
	LLVMDisposeMessage(message);
	if (!failed)
		LLVMDisposeMemoryBuffer(object);
	return NULL;
}

LLVMMemoryBufferRef jit_compile(layout_context *ctx, LLVMTargetMachineRef machine,
	LLVMModuleRef module, jit_prepare prepare, void *user)
{
	LLVMContextRef llvm = LLVMGetModuleContext(module);
	LLVMDiagnosticHandler handler = LLVMContextGetDiagnosticHandler(llvm);
	void *handled = LLVMContextGetDiagnosticContext(llvm);
	struct lower_diagnostic diagnostic = { .warnings = true };
	LLVMMemoryBufferRef object = NULL;
	LLVMModuleRef copy;

	if (!machine)
		return NULL;
	lower_listen(llvm, &diagnostic);
	copy = LLVMCloneModule(module);
	if (!prepare || prepare(ctx, copy, machine, user))
		object = emit(ctx, copy, machine, &diagnostic);
	LLVMDisposeModule(copy);
	LLVMDisposeTargetMachine(machine);
	LLVMContextSetDiagnosticHandler(llvm, handler, handled);
	free(diagnostic.message);
	return object;
}

/* ORC tells the caller that symbols failed, and only its reporter why. */
static void keep_report(void *user, LLVMErrorRef error)
{
	struct jit *jit = user;
	char *message = LLVMGetErrorMessage(error);

	if (!jit->reported)
		jit->reported = strdup(message);
	LLVMDisposeErrorMessage(message);
}

static bool start_orc(layout_context *ctx, struct jit *jit)
{
	if (!lower_check(ctx, LLVMOrcCreateLLJIT(&jit->orc, NULL), "JIT"))
		return false;
	LLVMOrcExecutionSessionSetErrorReporter(
		LLVMOrcLLJITGetExecutionSession(jit->orc), keep_report, jit);
	return true;
}

static bool define_symbol(layout_context *ctx, struct jit *jit,
	const struct jit_symbol *symbol)
{
	LLVMOrcCSymbolMapPair pair = {
		.Name = LLVMOrcLLJITMangleAndIntern(jit->orc, symbol->name),
		.Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)symbol->address,
		.Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported |
			LLVMJITSymbolGenericFlagsCallable,
	};
	LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(&pair, 1);
	LLVMErrorRef error = LLVMOrcJITDylibDefine(
		LLVMOrcLLJITGetMainJITDylib(jit->orc), unit);

	if (error)
		LLVMOrcDisposeMaterializationUnit(unit);
	return lower_check(ctx, error, "JIT");
}

/* A copy of the object, for ORC to keep. */
static bool add_object(layout_context *ctx, struct jit *jit, LLVMMemoryBufferRef object)
{
	LLVMMemoryBufferRef copy = LLVMCreateMemoryBufferWithMemoryRangeCopy(
		LLVMGetBufferStart(object), LLVMGetBufferSize(object), "kernel");

	return lower_check(ctx, LLVMOrcLLJITAddObjectFile(jit->orc,
		LLVMOrcLLJITGetMainJITDylib(jit->orc), copy), "JIT");
}

/* ORC, with what the code may refer to and the code. */
static bool open_orc(layout_context *ctx, struct jit *jit, LLVMMemoryBufferRef object,
	const struct jit_symbol *symbols)
{
	bool ok = start_orc(ctx, jit);

	for (; ok && symbols && symbols->name; symbols++)
		ok = define_symbol(ctx, jit, symbols);
	return ok && add_object(ctx, jit, object);
}

void jit_free(struct jit *jit)
{
	if (!jit)
		return;
	if (jit->orc)
		LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->orc));
	pthread_mutex_destroy(&jit->lock);
	free(jit->reported);
	free(jit);
}

struct jit *jit_new(layout_context *ctx, LLVMMemoryBufferRef object,
	const struct jit_symbol *symbols)
{
	struct jit *jit = object ? layout_alloc(ctx, 1, sizeof(*jit)) : NULL;

	if (!jit)
		return NULL;
	pthread_mutex_init(&jit->lock, NULL);
	if (open_orc(ctx, jit, object, symbols))
		return jit;
	jit_free(jit);
	return NULL;
}

/* The reason that a look-up failed: what was reported on the way says more than what it
 * returns. */
static void fail_lookup(layout_context *ctx, struct jit *jit, LLVMErrorRef error,
	const char *name)
{
	char *message = LLVMGetErrorMessage(error);

	layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "JIT of '%s': %s", name,
		jit->reported ? jit->reported : message);
	LLVMDisposeErrorMessage(message);
}

void *jit_lookup(layout_context *ctx, struct jit *jit, const char *name)
{
	LLVMOrcExecutorAddress address = 0;
	LLVMErrorRef error;

	pthread_mutex_lock(&jit->lock);
	free(jit->reported);
	jit->reported = NULL;
	error = LLVMOrcLLJITLookup(jit->orc, &address, name);
	if (error)
		fail_lookup(ctx, jit, error, name);
	pthread_mutex_unlock(&jit->lock);
	return error ? NULL : (void *)(uintptr_t)address;
}
