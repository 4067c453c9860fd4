/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A GPU kernel as a function of this CPU that runs one lane.
 *
 * The kernel's blocks move into "void lane(state)", behind a prologue that loads
 * the parameters.  The target's address spaces are plain memory for every
 * CPU that LLVM has, so the accesses stay what they are, with their addresses checked. */
#include "sim/rewrite.h"
#include "sim/stack.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

bool rewrite_refuse(struct rewrite *w, const char *what, const char *name)
{
	layout_fail(w->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"kernel '%s': the simulator does not execute %s%s", w->program->kernel,
		what, name);
	return false;
}

LLVMValueRef rewrite_at(struct rewrite *w, LLVMValueRef base, size_t offset)
{
	LLVMValueRef at = LLVMConstInt(w->i64, offset, false);

	return LLVMBuildGEP2(w->builder, w->i8, base, &at, 1, "");
}

LLVMValueRef rewrite_load_at(struct rewrite *w, LLVMTypeRef type, LLVMValueRef base,
	size_t offset)
{
	return LLVMBuildLoad2(w->builder, type, rewrite_at(w, base, offset), "");
}

bool rewrite_is_memory(const struct rewrite *w, unsigned space)
{
	return space < 32 && w->isa->memory_spaces >> space & 1;
}

static bool is_buffer(const struct rewrite *w, LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
		rewrite_is_memory(w, LLVMGetPointerAddressSpace(type));
}

/* Pointers to global or constant memory, at least one, then i64s. */
static bool classify_parameters(struct rewrite *w, LLVMValueRef kernel)
{
	struct sim_program *program = w->program;
	unsigned count = LLVMCountParams(kernel);

	for (unsigned i = 0; i < count; i++) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, i));

		if (is_buffer(w, type) && !program->arg_count)
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

/* Behind the prologue, in the order in which lanes meet. */
static void move_blocks(struct rewrite *w)
{
	LLVMBasicBlockRef last = w->prologue;

	for (unsigned i = 0; i < w->order.count; i++) {
		LLVMMoveBasicBlockAfter(w->order.blocks[i], last);
		last = w->order.blocks[i];
	}
	LLVMPositionBuilderAtEnd(w->builder, w->prologue);
	LLVMBuildBr(w->builder, w->order.blocks[0]);
}

/* What the prologue loads of the state. */
static void load_state(struct rewrite *w, LLVMValueRef kernel)
{
	LLVMValueRef slots = rewrite_load_at(w, w->pointer, w->state,
		offsetof(struct sim_state, slots));
	unsigned count = LLVMCountParams(kernel);

	w->lds = rewrite_load_at(w, LLVMPointerTypeInContext(w->context,
		w->isa->local_space), w->state, offsetof(struct sim_state, lds));
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef old = LLVMGetParam(kernel, i);

		w->parameters[i] = rewrite_load_at(w, LLVMTypeOf(old), slots,
			i * sizeof(uint64_t));
		LLVMReplaceAllUsesWith(old, w->parameters[i]);
	}
}

/* The lane function with its prologue, and the kernel's blocks after that. */
static bool move_body(struct rewrite *w, LLVMValueRef kernel)
{
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(w->context),
		&w->pointer, 1, false);

	w->parameters = layout_alloc(w->ctx, LLVMCountParams(kernel),
		sizeof(*w->parameters));
	if (!w->parameters)
		return false;
	w->lane = LLVMAddFunction(w->module, SIM_LANE_SYMBOL, type);
	LLVMAddTargetDependentFunctionAttr(w->lane, "warn-stack-size", STACK_MOST_LANE);
	w->state = LLVMGetParam(w->lane, 0);
	w->prologue = LLVMAppendBasicBlockInContext(w->context, w->lane, "prologue");
	LLVMPositionBuilderAtEnd(w->builder, w->prologue);
	w->block = LLVMBuildAlloca(w->builder, w->i8, "block");
	load_state(w, kernel);
	move_blocks(w);
	return true;
}

/* The block of memory that operands go to has the size that they need. */
static void size_block(struct rewrite *w)
{
	LLVMValueRef bytes = LLVMConstInt(w->i32, w->block_bytes, false), block;

	LLVMPositionBuilderBefore(w->builder, w->block);
	block = LLVMBuildArrayAlloca(w->builder, w->i8, bytes, "block");
	LLVMSetAlignment(block, 16);
	LLVMReplaceAllUsesWith(w->block, block);
	LLVMInstructionEraseFromParent(w->block);
}

/* What a lane calls. */
static void declare_calls(struct rewrite *w)
{
	LLVMTypeRef access[] = { w->pointer, w->i64, w->i32 };
	LLVMTypeRef operate[] = { w->pointer, w->pointer, w->i32 };

	w->access_type = LLVMFunctionType(w->i64, access, 3, false);
	w->access = LLVMAddFunction(w->module, SIM_ACCESS_SYMBOL, w->access_type);
	w->operate_type = LLVMFunctionType(LLVMVoidTypeInContext(w->context), operate, 3,
		false);
	w->operate = LLVMAddFunction(w->module, SIM_OPERATE_SYMBOL, w->operate_type);
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

static bool rewrite_instruction(struct rewrite *w, LLVMValueRef instruction)
{
	if (!rewrite_locals(w, instruction))
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
	case LLVMPtrToInt:
	case LLVMIntToPtr:
		rewrite_local_number(w, instruction);
		return true;
	case LLVMFence:
		return rewrite_fence(w, instruction);
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return rewrite_refuse(w, "atomic accesses", "");
	default:
		return true;
	}
}

static bool rewrite_block(struct rewrite *w, LLVMBasicBlockRef block)
{
	LLVMValueRef here, next;

	for (here = LLVMGetFirstInstruction(block); here; here = next) {
		next = LLVMGetNextInstruction(here);
		if (!rewrite_instruction(w, here))
			return false;
	}
	return true;
}

/* Do lanes of a wave meet at one of the sites from "first" on? */
static bool meet_since(const struct rewrite *w, unsigned first)
{
	for (unsigned i = first; i < w->program->site_count; i++)
		if (w->program->sites[i].op >= SIM_WAVE_BARRIER)
			return true;
	return false;
}

/* The turns of the loops that end at a place, where lanes meet in them.  "sites" says how many
 * there were before each block. */
static bool rewrite_turns(struct rewrite *w, unsigned end, const unsigned *sites)
{
	for (unsigned i = 0; i < w->order.loop_count; i++) {
		const struct rewrite_loop *loop = &w->order.loops[i];

		if (loop->end == end && meet_since(w, sites[loop->first]) &&
		    !rewrite_turn(w, loop))
			return false;
	}
	return true;
}

static bool rewrite_body(struct rewrite *w)
{
	unsigned *sites = layout_alloc(w->ctx, w->order.count, sizeof(*sites));
	bool ok = sites;

	for (unsigned i = 0; ok && i < w->order.count; i++) {
		sites[i] = w->program->site_count;
		ok = rewrite_block(w, w->order.blocks[i]) && rewrite_turns(w, i + 1, sites);
	}
	free(sites);
	return ok;
}

/* The host's code generator is asked about every function. */
static void forget_processor(LLVMValueRef function)
{
	static const char *const names[] = { "target-cpu", "target-features" };

	for (unsigned i = 0; i < 2; i++)
		LLVMRemoveStringAttributeAtIndex(function,
			(LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[i],
			(unsigned)strlen(names[i]));
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
	for (g = LLVMGetFirstFunction(w->module); g; g = LLVMGetNextFunction(g)) {
		forget_processor(g);
		if (g != w->lane)
			hide(g);
	}
}

/* What only a kernel used that was dropped: its local memory. */
static void drop_unused(struct rewrite *w)
{
	LLVMValueRef g = LLVMGetFirstGlobal(w->module), next;

	for (; g; g = next) {
		next = LLVMGetNextGlobal(g);
		if (!LLVMGetFirstUse(g))
			LLVMDeleteGlobal(g);
	}
}

/* Nothing calls a kernel. */
static void drop_other_kernels(struct rewrite *w, LLVMValueRef kernel)
{
	LLVMValueRef g = LLVMGetFirstFunction(w->module), next;
	bool dropped = false;

	for (; g; g = next) {
		next = LLVMGetNextFunction(g);
		if (g == kernel || LLVMIsDeclaration(g) || LLVMGetFirstUse(g) ||
		    LLVMGetFunctionCallConv(g) != LLVMGetFunctionCallConv(kernel))
			continue;
		LLVMDeleteFunction(g);
		dropped = true;
	}
	if (dropped)
		drop_unused(w);
}

static bool rewrite_kernel(struct rewrite *w, LLVMValueRef kernel)
{
	drop_other_kernels(w, kernel);
	if (!classify_parameters(w, kernel))
		return false;
	declare_calls(w);
	rewrite_find_copies(w);
	if (!rewrite_place_locals(w) || !rewrite_find_order(w, kernel) ||
	    !move_body(w, kernel))
		return false;
	LLVMReplaceAllUsesWith(kernel, LLVMGetPoison(LLVMTypeOf(kernel)));
	LLVMDeleteFunction(kernel);
	release_globals(w);
	if (!rewrite_body(w))
		return false;
	size_block(w);
	return true;
}

bool sim_rewrite(layout_context *ctx, LLVMModuleRef module, LLVMTargetDataRef data,
	const char *triple, const char *kernel, const struct sim_isa *isa,
	struct sim_program *program)
{
	struct rewrite w = { .ctx = ctx, .program = program, .isa = isa,
		.module = module, .data = data };
	LLVMValueRef function = LLVMGetNamedFunction(module, kernel);
	bool ok;

	if (!function || LLVMIsDeclaration(function)) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "no kernel '%s' to simulate",
			kernel);
		return false;
	}
	program->isa = isa;
	program->kernel = layout_strdup(ctx, kernel);
	if (!program->kernel)
		return false;
	LLVMSetTarget(module, triple);
	LLVMSetModuleDataLayout(module, data);
	LLVMStripModuleDebugInfo(module);
	w.context = LLVMGetModuleContext(module);
	w.builder = LLVMCreateBuilderInContext(w.context);
	w.i8 = LLVMInt8TypeInContext(w.context);
	w.i32 = LLVMInt32TypeInContext(w.context);
	w.i64 = LLVMInt64TypeInContext(w.context);
	w.pointer = LLVMPointerTypeInContext(w.context, 0);
	ok = rewrite_kernel(&w, function);
	LLVMDisposeBuilder(w.builder);
	free(w.parameters);
	free(w.locals);
	free(w.passed);
	rewrite_free_order(&w.order);
	return ok;
}
