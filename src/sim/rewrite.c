/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A GPU kernel as a function of this CPU that runs one lane.
 *
 * The kernel's blocks move into "void lane(state)", behind a prologue that loads
 * the parameters.  Address spaces 1 and 4 are plain memory for every host that
 * LLVM has, so the accesses stay what they are, with their addresses checked. */
#include "sim/rewrite.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

bool rewrite_refuse(struct rewrite *w, const char *what, const char *name)
{
	layout_fail(w->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"kernel '%s': the simulator does not execute %s%s", w->program->kernel,
		what, name);
	return false;
}

LLVMValueRef rewrite_load_at(struct rewrite *w, LLVMTypeRef type, LLVMValueRef base,
	size_t offset)
{
	LLVMValueRef at = LLVMConstInt(w->i64, offset, false);
	LLVMTypeRef byte = LLVMInt8TypeInContext(w->context);

	base = LLVMBuildGEP2(w->builder, byte, base, &at, 1, "");
	return LLVMBuildLoad2(w->builder, type, base, "");
}

static bool is_buffer(LLVMTypeRef type)
{
	unsigned space;

	if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
		return false;
	space = LLVMGetPointerAddressSpace(type);
	return space <= 1 || space == 4;
}

/* Pointers to global or constant memory, at least one, then i64s. */
static bool classify_parameters(struct rewrite *w, LLVMValueRef kernel)
{
	struct sim_program *program = w->program;
	unsigned count = LLVMCountParams(kernel);

	for (unsigned i = 0; i < count; i++) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, i));

		if (is_buffer(type) && !program->arg_count)
			program->buffer_count++;
		else if (type == w->i64)
			program->arg_count++;
		else
			return rewrite_refuse(w, "this kind of parameter", "");
	}
	if (!program->buffer_count)
		return rewrite_refuse(w, "kernels without a buffer", "");
	return true;
}

static struct parameter load_parameter(struct rewrite *w, LLVMValueRef slots,
	LLVMTypeRef type, unsigned i)
{
	size_t at = i * sizeof(struct sim_slot);
	size_t load_bytes = at + offsetof(struct sim_slot, load_bytes);
	size_t store_bytes = at + offsetof(struct sim_slot, store_bytes);
	size_t align = at + offsetof(struct sim_slot, align);
	struct parameter p = { .value = rewrite_load_at(w, type, slots, at) };

	if (type == w->i64)
		return p;
	p.base = rewrite_load_at(w, w->i64, slots, at);
	p.load_bytes = rewrite_load_at(w, w->i64, slots, load_bytes);
	p.store_bytes = rewrite_load_at(w, w->i64, slots, store_bytes);
	p.align = rewrite_load_at(w, w->i64, slots, align);
	return p;
}

/* Behind the prologue, in their order. */
static void move_blocks(struct rewrite *w, LLVMValueRef kernel)
{
	LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(kernel), last = w->prologue;
	LLVMBasicBlockRef block;

	while ((block = LLVMGetFirstBasicBlock(kernel))) {
		LLVMMoveBasicBlockAfter(block, last);
		last = block;
	}
	LLVMPositionBuilderAtEnd(w->builder, w->prologue);
	LLVMBuildBr(w->builder, first);
}

/* The lane function with its prologue, and the kernel's blocks after that. */
static bool move_body(struct rewrite *w, LLVMValueRef kernel)
{
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(w->context),
		&w->pointer, 1, false);
	unsigned count = LLVMCountParams(kernel);
	LLVMValueRef slots;

	w->parameters = layout_alloc(w->ctx, count, sizeof(*w->parameters));
	if (!w->parameters)
		return false;
	w->lane = LLVMAddFunction(w->module, SIM_LANE_SYMBOL, type);
	w->state = LLVMGetParam(w->lane, 0);
	w->prologue = LLVMAppendBasicBlockInContext(w->context, w->lane, "prologue");
	LLVMPositionBuilderAtEnd(w->builder, w->prologue);
	w->executions = rewrite_load_at(w, w->pointer, w->state,
		offsetof(struct sim_state, executions));
	slots = rewrite_load_at(w, w->pointer, w->state,
		offsetof(struct sim_state, slots));
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef old = LLVMGetParam(kernel, i);

		w->parameters[i] = load_parameter(w, slots, LLVMTypeOf(old), i);
		LLVMReplaceAllUsesWith(old, w->parameters[i].value);
	}
	move_blocks(w, kernel);
	return true;
}

static void drop_metadata(LLVMValueRef instruction)
{
	size_t count;
	LLVMValueMetadataEntry *entries =
		LLVMInstructionGetAllMetadataOtherThanDebugLoc(instruction, &count);

	for (unsigned i = 0; i < count; i++)
		LLVMSetMetadata(instruction,
			LLVMValueMetadataEntriesGetKind(entries, i), NULL);
	LLVMDisposeValueMetadataEntries(entries);
}

/* Drop the promises of an instruction.  A kernel that breaks one is to be seen
 * doing so, not to have its checks reasoned away. */
static void forget_promises(LLVMValueRef instruction)
{
	drop_metadata(instruction);
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMShl:
	case LLVMTrunc:
		LLVMSetNSW(instruction, false);
		LLVMSetNUW(instruction, false);
		break;
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMLShr:
	case LLVMAShr:
		LLVMSetExact(instruction, false);
		break;
	case LLVMZExt:
	case LLVMUIToFP:
		LLVMSetNNeg(instruction, false);
		break;
	case LLVMOr:
		LLVMSetIsDisjoint(instruction, false);
		break;
	case LLVMICmp:
		LLVMSetICmpSameSign(instruction, false);
		break;
	case LLVMGetElementPtr:
		LLVMGEPSetNoWrapFlags(instruction, 0);
		break;
	default:
		break;
	}
}

/* The global variable that a constant is computed from; NULL if none. */
static LLVMValueRef find_global(LLVMValueRef value)
{
	LLVMValueRef found = LLVMIsAGlobalVariable(value);
	int count = LLVMIsAConstantExpr(value) ? LLVMGetNumOperands(value) : 0;

	for (int i = 0; !found && i < count; i++)
		found = find_global(LLVMGetOperand(value, (unsigned)i));
	return found;
}

/* Local memory and tables are global variables, and we have neither. */
static bool check_operands(struct rewrite *w, LLVMValueRef instruction)
{
	unsigned count = (unsigned)LLVMGetNumOperands(instruction);
	LLVMValueRef global;
	size_t length;

	for (unsigned i = 0; i < count; i++) {
		global = find_global(LLVMGetOperand(instruction, i));
		if (global)
			return rewrite_refuse(w, "uses of the global variable ",
				LLVMGetValueName2(global, &length));
	}
	return true;
}

static bool rewrite_instruction(struct rewrite *w, LLVMValueRef instruction)
{
	if (!check_operands(w, instruction))
		return false;
	forget_promises(instruction);
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMLoad:
	case LLVMStore:
		return rewrite_access(w, instruction);
	case LLVMCall:
		return rewrite_call(w, instruction);
	case LLVMAlloca:
		return rewrite_refuse(w, "private memory", "");
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMFence:
		return rewrite_refuse(w, "atomic accesses", "");
	default:
		return true;
	}
}

static bool rewrite_body(struct rewrite *w)
{
	LLVMBasicBlockRef block = LLVMGetNextBasicBlock(w->prologue);
	LLVMValueRef here, next;

	for (; block; block = LLVMGetNextBasicBlock(block)) {
		for (here = LLVMGetFirstInstruction(block); here; here = next) {
			next = LLVMGetNextInstruction(here);
			if (!rewrite_instruction(w, here))
				return false;
		}
	}
	return true;
}

static void hide(LLVMValueRef global)
{
	if (!LLVMIsDeclaration(global))
		LLVMSetLinkage(global, LLVMInternalLinkage);
}

/* Drop the lists of what a code object must keep, and let the optimiser drop the
 * rest: nobody reaches the other functions, nor the notes. */
static void release_globals(struct rewrite *w)
{
	static const char *const lists[] = { "llvm.used", "llvm.compiler.used" };
	LLVMValueRef g;

	for (unsigned i = 0; i < 2; i++) {
		g = LLVMGetNamedGlobal(w->module, lists[i]);
		if (g)
			LLVMDeleteGlobal(g);
	}
	for (g = LLVMGetFirstGlobal(w->module); g; g = LLVMGetNextGlobal(g))
		hide(g);
	for (g = LLVMGetFirstFunction(w->module); g; g = LLVMGetNextFunction(g))
		if (g != w->lane)
			hide(g);
}

static bool rewrite_kernel(struct rewrite *w, LLVMValueRef kernel)
{
	if (!classify_parameters(w, kernel))
		return false;
	rewrite_declare_check(w);
	if (!move_body(w, kernel))
		return false;
	LLVMReplaceAllUsesWith(kernel, LLVMGetPoison(LLVMTypeOf(kernel)));
	LLVMDeleteFunction(kernel);
	release_globals(w);
	return rewrite_body(w);
}

bool sim_rewrite(layout_context *ctx, LLVMModuleRef module, LLVMTargetDataRef data,
	const char *triple, const char *kernel, const struct sim_intrinsic *intrinsics,
	struct sim_program *program)
{
	struct rewrite w = { .ctx = ctx, .program = program, .intrinsics = intrinsics,
		.module = module, .data = data };
	LLVMValueRef function = LLVMGetNamedFunction(module, kernel);
	bool ok;

	if (!function || LLVMIsDeclaration(function)) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "no kernel '%s' to simulate",
			kernel);
		return false;
	}
	program->kernel = layout_strdup(ctx, kernel);
	if (!program->kernel)
		return false;
	LLVMSetTarget(module, triple);
	LLVMSetModuleDataLayout(module, data);
	LLVMStripModuleDebugInfo(module);
	w.context = LLVMGetModuleContext(module);
	w.builder = LLVMCreateBuilderInContext(w.context);
	w.i32 = LLVMInt32TypeInContext(w.context);
	w.i64 = LLVMInt64TypeInContext(w.context);
	w.pointer = LLVMPointerTypeInContext(w.context, 0);
	ok = rewrite_kernel(&w, function);
	LLVMDisposeBuilder(w.builder);
	free(w.parameters);
	return ok;
}
