/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The LLVM function of a kernel.
 *
 *	NAME(operands.., sizes..)
 *		for every point
 *			if (active)
 *				destination[..] = inside ? source[..] : pad */
#include "lower/function.h"
#include "kernel/block/block.h"
#include "lower/block/block.h"
#include "lower/pointwise.h"
#include "lower/program_host/program_host.h"
#include "lower/program_lanes/program.h"
#include "lower/shared.h"
#include "lower/tile/tile.h"

#include <stdlib.h>
#include <string.h>

static void add_attribute(LLVMValueRef function, LLVMAttributeIndex where,
	const char *name, uint64_t value)
{
	LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(function, where,
		LLVMCreateEnumAttribute(llvm, kind, value));
}

/* Buffers do not overlap, and no one keeps their addresses.  "access" is NULL for both. */
static void describe_pointer(const layout_kernel *kernel, LLVMValueRef function,
	unsigned param, const char *access)
{
	LLVMAttributeIndex where = param + 1;

	add_attribute(function, where, "noalias", 0);
	add_attribute(function, where, "captures", 0);
	add_attribute(function, where, "noundef", 0);
	if (access)
		add_attribute(function, where, access, 0);
	add_attribute(function, where, "align", kernel->base_align);
}

/* Every size is in [0, 2^31).  With a tile, sizes are narrowed at once instead. */
static void describe_size(const layout_kernel *kernel, LLVMValueRef function,
	unsigned param)
{
	LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
	unsigned kind = LLVMGetEnumAttributeKindForName("range", strlen("range"));
	const uint64_t lower = 0, upper = (uint64_t)INT32_MAX + 1;

	add_attribute(function, param + 1, "noundef", 0);
	if (kernel->plan->tile)
		return;
	LLVMAddAttributeAtIndex(function, param + 1,
		LLVMCreateConstantRangeAttribute(llvm, kind, 64, &lower, &upper));
}

/* Programs of a processor without lanes are of type bool in C: false where there was no memory
 * for their tiles. */
static bool answers(const layout_kernel *kernel)
{
	return kernel->plan->program && !chip_of(kernel->target)->code.lanes;
}

static LLVMTypeRef function_type(const layout_kernel *kernel, LLVMContextRef llvm,
	LLVMTypeRef *params)
{
	unsigned count = plan_arguments(kernel->plan);

	for (unsigned i = 0; i < count; i++)
		params[i] = i < kernel->plan->operand_count ?
			LLVMPointerTypeInContext(llvm, kernel->hooks->address_space) :
			LLVMInt64TypeInContext(llvm);
	return LLVMFunctionType(answers(kernel) ? LLVMInt8TypeInContext(llvm) :
		LLVMVoidTypeInContext(llvm), params, count, false);
}

static void name_param(LLVMValueRef function, unsigned param, const char *name)
{
	LLVMSetValueName2(LLVMGetParam(function, param), name, strlen(name));
}

/* Sizes are named first: a size called "source" keeps its name. */
static void name_params(const layout_kernel *kernel, LLVMValueRef function)
{
	const struct plan *plan = kernel->plan;

	for (unsigned i = 0; i < plan->size_count; i++)
		name_param(function, plan->operand_count + i, plan->size_names[i]);
	for (unsigned i = 0; i < plan->operand_count; i++)
		name_param(function, i, plan->operands[i].name);
}

static void describe(const layout_kernel *kernel, LLVMValueRef function)
{
	const struct plan *plan = kernel->plan;

	name_params(kernel, function);
	for (unsigned i = 0; i < plan->operand_count; i++)
		describe_pointer(kernel, function, i,
			!plan->operands[i].written ? "readonly" :
			plan->operands[i].read || (plan->block && plan->block->shifts) ? NULL :
			"writeonly");
	for (unsigned i = 0; i < plan->size_count; i++)
		describe_size(kernel, function, plan->operand_count + i);
	add_attribute(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		"nounwind", 0);
}

static LLVMValueRef declare(const layout_kernel *kernel, LLVMModuleRef module,
	LLVMTypeRef *params)
{
	LLVMTypeRef type = function_type(kernel, LLVMGetModuleContext(module), params);
	LLVMValueRef function = LLVMAddFunction(module, kernel->name, type);

	describe(kernel, function);
	kernel->hooks->prologue(kernel, function);
	return function;
}

/* The sizes are parameters of the function. */
static void enter(struct iteration *iteration)
{
	const struct plan *plan = iteration->kernel->plan;

	for (unsigned i = 0; i < plan->size_count; i++)
		iteration->scope.vars[i] = LLVMGetParam(iteration->function,
			plan->operand_count + i);
}

/* Others may call the part with other turns: it stays as it is. */
static LLVMValueRef declare_part(const struct iteration *whole, LLVMTypeRef *params)
{
	const layout_kernel *kernel = whole->kernel;
	LLVMValueRef part = shared_declare(kernel, whole->function, params);

	describe(kernel, part);
	add_attribute(part, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "noinline", 0);
	LLVMSetVisibility(part, LLVMHiddenVisibility);
	return part;
}

/* The body in a function of its own, for any turns of the outermost loops. */
static bool lower_part(layout_context *ctx, struct iteration *whole, LLVMValueRef function)
{
	struct iteration part = *whole;
	unsigned count = plan_arguments(whole->kernel->plan);

	part.function = function;
	for (unsigned i = 0; i < 2; i++)
		part.turns[i] = LLVMGetParam(function, count + i);
	enter(&part);
	LLVMPositionBuilderAtEnd(part.scope.builder, iteration_block(&part, "entry"));
	return program_host_lower(ctx, &part);
}

static bool lower_shared(layout_context *ctx, struct iteration *iteration)
{
	unsigned count = plan_arguments(iteration->kernel->plan);
	LLVMTypeRef *params = layout_alloc(ctx, count + 2, sizeof(*params));
	LLVMValueRef *args = layout_alloc(ctx, count + 2, sizeof(*args)), part;
	bool ok = params && args;

	if (ok) {
		part = declare_part(iteration, params);
		ok = lower_part(ctx, iteration, part);
		enter(iteration);
		LLVMPositionBuilderAtEnd(iteration->scope.builder,
			LLVMGetEntryBasicBlock(iteration->function));
		shared_call(iteration->kernel, &iteration->scope, iteration->function, part,
			args);
	}
	free(params);
	free(args);
	return ok;
}

static bool lower_program(layout_context *ctx, struct iteration *iteration)
{
	bool lanes = chip_of(iteration->kernel->target)->code.lanes;

	return (lanes ? program_lower : shared_is(iteration->kernel) ? lower_shared :
		program_host_lower)(ctx, iteration);
}

/* What is done for other sizes, from the end of "block" on. */
static bool define_points(layout_context *ctx, const struct iteration *iteration,
	LLVMBasicBlockRef block)
{
	LLVMBasicBlockRef last = LLVMGetLastBasicBlock(iteration->function);
	LLVMBuilderRef builder = iteration->scope.builder;
	struct plan plan;
	layout_kernel kernel;
	bool ok;

	if (!kernel_points_begin(ctx, &kernel, &plan, iteration->kernel))
		return false;
	ok = pointwise_define(ctx, &kernel, iteration->function, builder);
	kernel_points_end(&kernel);
	if (!ok)
		return false;
	LLVMPositionBuilderAtEnd(builder, block);
	LLVMBuildBr(builder, LLVMGetNextBasicBlock(last));
	return true;
}

/*	if (rows are whole bytes)
 *		the tile
 *	else
 *		the points */
static bool define_whole(layout_context *ctx, struct iteration *iteration)
{
	LLVMBasicBlockRef tile = iteration_block(iteration, "tile");
	LLVMBasicBlockRef points = iteration_block(iteration, "points");
	LLVMBuilderRef builder = iteration->scope.builder;

	LLVMBuildCondBr(builder, expression_lower_condition(&iteration->scope,
		iteration->kernel->plan->whole), tile, points);
	LLVMPositionBuilderAtEnd(builder, tile);
	return tile_lower(ctx, iteration) && define_points(ctx, iteration, points);
}

static bool define(layout_context *ctx, struct iteration *iteration)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;

	if (!plan->tile && !plan->block && !plan->program)
		return pointwise_define(ctx, iteration->kernel, iteration->function, builder);
	LLVMPositionBuilderAtEnd(builder, iteration_block(iteration, "entry"));
	enter(iteration);
	if (plan->whole)
		return define_whole(ctx, iteration);
	return plan->tile ? tile_lower(ctx, iteration) : plan->block ?
		block_lower(ctx, iteration) : lower_program(ctx, iteration);
}

static LLVMModuleRef module_new(const layout_kernel *kernel, LLVMContextRef llvm,
	LLVMTargetMachineRef machine)
{
	LLVMModuleRef module = LLVMModuleCreateWithNameInContext(kernel->name, llvm);
	LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
	char *triple = LLVMGetTargetMachineTriple(machine);

	LLVMSetModuleDataLayout(module, layout);
	LLVMSetTarget(module, triple);
	LLVMDisposeMessage(triple);
	LLVMDisposeTargetData(layout);
	return module;
}

/* Nobody calls a kernel: what its code does is a function of the library. */
static bool check_name(layout_context *ctx, const layout_kernel *kernel, LLVMValueRef function)
{
	if (LLVMGetFirstUse(function))
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "`%s` cannot name a kernel whose code "
			"calls the function of that name", kernel->name);
	return !LLVMGetFirstUse(function);
}

static bool add_function(layout_context *ctx, const layout_kernel *kernel,
	LLVMModuleRef module)
{
	const struct plan *plan = kernel->plan;
	struct iteration iteration = { .kernel = kernel };
	LLVMTypeRef *params;
	bool ok = false;

	params = layout_alloc(ctx, plan_arguments(plan), sizeof(*params));
	iteration.scope.vars = layout_alloc(ctx, plan->size_count + plan->visit.dim_count,
		sizeof(LLVMValueRef));
	iteration.loops = layout_alloc(ctx, plan->visit.dim_count, sizeof(*iteration.loops));
	if (params && iteration.scope.vars && iteration.loops) {
		iteration.function = declare(kernel, module, params);
		iteration.scope.builder =
			LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
		ok = define(ctx, &iteration) && check_name(ctx, kernel, iteration.function);
		LLVMDisposeBuilder(iteration.scope.builder);
	}
	free(iteration.loops);
	free(iteration.scope.vars);
	free(params);
	return ok;
}

LLVMModuleRef function_build(layout_context *ctx, const layout_kernel *kernel,
	LLVMContextRef llvm, LLVMTargetMachineRef machine)
{
	LLVMModuleRef module = module_new(kernel, llvm, machine);

	for (unsigned i = 0; i < kernel->shape_count; i++)
		if (!add_function(ctx, kernel->shapes[i], module)) {
			LLVMDisposeModule(module);
			return NULL;
		}
	return module;
}
