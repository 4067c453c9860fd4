/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/jit.h"
#include "lower/llvm.h"

#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* "lock" is held wherever ORC may compile and report, so that a message belongs
 * to the look-up that caused it. */
struct jit {
	pthread_mutex_t lock;
	LLVMOrcLLJITRef orc;
	struct lower_diagnostic diagnostic;
	char *reported;
	void *object;			/* a copy of what was compiled */
	size_t object_bytes;
};

/* ORC tells the caller that symbols failed, and only its reporter why. */
static void keep_report(void *user, LLVMErrorRef error)
{
	struct jit *jit = user;
	char *message = LLVMGetErrorMessage(error);

	if (!jit->reported)
		jit->reported = strdup(message);
	LLVMDisposeErrorMessage(message);
}

static bool start_orc(layout_context *ctx, struct jit *jit, LLVMTargetMachineRef machine)
{
	LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();

	LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder,
		LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
	if (!lower_check(ctx, LLVMOrcCreateLLJIT(&jit->orc, builder), "JIT"))
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

static void dispose(LLVMModuleRef module)
{
	LLVMContextRef own = LLVMGetModuleContext(module);

	LLVMDisposeModule(module);
	LLVMContextDispose(own);
}

/* A copy of "module", prepared, in an LLVM context of its own. */
static LLVMModuleRef copy(layout_context *ctx, struct jit *jit, LLVMModuleRef module,
	LLVMTargetMachineRef machine, jit_prepare prepare, void *user)
{
	LLVMContextRef own = lower_context_new(&jit->diagnostic);
	LLVMModuleRef copied = lower_copy_module(ctx, module, own);

	if (!copied) {
		LLVMContextDispose(own);
		return NULL;
	}
	if (!prepare || prepare(ctx, copied, machine, user))
		return copied;
	dispose(copied);
	return NULL;
}

/* Hand a module and its context to ORC. */
static bool add_module(layout_context *ctx, struct jit *jit, LLVMModuleRef module)
{
	LLVMOrcThreadSafeContextRef safe_context =
		LLVMOrcCreateNewThreadSafeContextFromLLVMContext(
			LLVMGetModuleContext(module));
	LLVMOrcThreadSafeModuleRef safe = LLVMOrcCreateNewThreadSafeModule(module,
		safe_context);

	LLVMOrcDisposeThreadSafeContext(safe_context);
	return lower_check(ctx, LLVMOrcLLJITAddLLVMIRModule(jit->orc,
		LLVMOrcLLJITGetMainJITDylib(jit->orc), safe), "JIT");
}

/* ORC, with what the code may refer to; it consumes the machine. */
static bool open_orc(layout_context *ctx, struct jit *jit, LLVMTargetMachineRef machine,
	const struct jit_symbol *symbols)
{
	bool ok = start_orc(ctx, jit, machine);

	for (; ok && symbols && symbols->name; symbols++)
		ok = define_symbol(ctx, jit, symbols);
	return ok;
}

void jit_free(struct jit *jit)
{
	if (!jit)
		return;
	if (jit->orc)
		LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->orc));
	pthread_mutex_destroy(&jit->lock);
	free(jit->diagnostic.message);
	free(jit->reported);
	free(jit->object);
	free(jit);
}

struct jit *jit_new(layout_context *ctx, LLVMTargetMachineRef machine,
	LLVMModuleRef module, const struct jit_symbol *symbols, jit_prepare prepare,
	void *user)
{
	struct jit *jit = machine ? layout_alloc(ctx, 1, sizeof(*jit)) : NULL;
	LLVMModuleRef copied;

	if (!jit) {
		if (machine)
			LLVMDisposeTargetMachine(machine);
		return NULL;
	}
	pthread_mutex_init(&jit->lock, NULL);
	copied = copy(ctx, jit, module, machine, prepare, user);
	if (!copied) {
		LLVMDisposeTargetMachine(machine);
	} else if (!open_orc(ctx, jit, machine, symbols)) {
		dispose(copied);
	} else if (add_module(ctx, jit, copied)) {
		return jit;
	}
	jit_free(jit);
	return NULL;
}

/* The reason that a look-up failed: what was reported or diagnosed on the way
 * says more than what it returns. */
static void fail_lookup(layout_context *ctx, struct jit *jit, LLVMErrorRef error,
	const char *name)
{
	char *message = LLVMGetErrorMessage(error);
	const char *reason = message;

	if (jit->reported)
		reason = jit->reported;
	if (jit->diagnostic.message)
		reason = jit->diagnostic.message;
	layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "JIT of '%s': %s", name, reason);
	LLVMDisposeErrorMessage(message);
}

/* The object goes on as it is. */
static LLVMErrorRef copy_object(void *user, LLVMMemoryBufferRef *object)
{
	struct jit *jit = user;

	free(jit->object);
	jit->object_bytes = LLVMGetBufferSize(*object);
	jit->object = malloc(jit->object_bytes);
	if (jit->object)
		memcpy(jit->object, LLVMGetBufferStart(*object), jit->object_bytes);
	return LLVMErrorSuccess;
}

void jit_keep_object(struct jit *jit)
{
	LLVMOrcObjectTransformLayerSetTransform(LLVMOrcLLJITGetObjTransformLayer(jit->orc),
		copy_object, jit);
}

const void *jit_object(const struct jit *jit, size_t *length)
{
	*length = jit->object_bytes;
	return jit->object;
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
