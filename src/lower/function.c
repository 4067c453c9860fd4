/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The LLVM function of a kernel.
 *
 *	NAME(source, destination, sizes..)
 *		for every point
 *			if (active)
 *				destination[..] = inside ? source[..] : pad */
#include "lower/function.h"
#include "lower/iteration.h"

#include <stdlib.h>
#include <string.h>

/* The steps of a storage's slots in elements, computed once at entry. */
struct pitches {
	LLVMValueRef *load, *store;
};

static void add_attribute(LLVMValueRef function, LLVMAttributeIndex where,
	const char *name, uint64_t value)
{
	LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(function, where,
		LLVMCreateEnumAttribute(llvm, kind, value));
}

/* Source and destination do not overlap, and no one keeps their addresses. */
static void describe_pointer(const layout_kernel *kernel, LLVMValueRef function,
	unsigned param, const char *access)
{
	LLVMAttributeIndex where = param + 1;

	add_attribute(function, where, "noalias", 0);
	add_attribute(function, where, "captures", 0);
	add_attribute(function, where, "noundef", 0);
	add_attribute(function, where, access, 0);
	add_attribute(function, where, "align", kernel->base_align);
}

/* Every size is in [0, 2^31). */
static void describe_size(LLVMValueRef function, unsigned param)
{
	LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
	unsigned kind = LLVMGetEnumAttributeKindForName("range", strlen("range"));
	const uint64_t lower = 0, upper = (uint64_t)INT32_MAX + 1;

	add_attribute(function, param + 1, "noundef", 0);
	LLVMAddAttributeAtIndex(function, param + 1,
		LLVMCreateConstantRangeAttribute(llvm, kind, 64, &lower, &upper));
}

static LLVMTypeRef function_type(const layout_kernel *kernel, LLVMContextRef llvm,
	LLVMTypeRef *params)
{
	unsigned count = kernel->plan->size_count;

	params[0] = LLVMPointerTypeInContext(llvm, kernel->hooks->address_space);
	params[1] = params[0];
	for (unsigned i = 0; i < count; i++)
		params[2 + i] = LLVMInt64TypeInContext(llvm);
	return LLVMFunctionType(LLVMVoidTypeInContext(llvm), params, count + 2, false);
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
		name_param(function, 2 + i, plan->size_names[i]);
	name_param(function, 0, "source");
	name_param(function, 1, "destination");
}

static LLVMValueRef declare(const layout_kernel *kernel, LLVMModuleRef module,
	LLVMTypeRef *params)
{
	LLVMTypeRef type = function_type(kernel, LLVMGetModuleContext(module), params);
	LLVMValueRef function = LLVMAddFunction(module, kernel->name, type);

	name_params(kernel, function);
	describe_pointer(kernel, function, 0, "readonly");
	describe_pointer(kernel, function, 1, "writeonly");
	for (unsigned i = 0; i < kernel->plan->size_count; i++)
		describe_size(function, 2 + i);
	add_attribute(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		"nounwind", 0);
	kernel->hooks->prologue(kernel, function);
	return function;
}

static void lower_pitches(const struct expression_scope *scope,
	const struct plan_access *access, LLVMValueRef *pitches)
{
	for (unsigned i = 0; i < access->rank; i++)
		pitches[i] = expression_lower(scope, access->pitch[i]);
}

/* The address of the element in these slots.  Offsets fit 64 bits: a storage is
 * below 2^63 bytes. */
static LLVMValueRef address(const struct iteration *iteration, unsigned param,
	const struct plan_access *access, LLVMValueRef *pitches, LLVMTypeRef element)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMTypeRef type = LLVMInt64TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef offset = LLVMConstNull(type), slot, term;

	for (unsigned i = 0; i < access->rank; i++) {
		slot = expression_lower(&iteration->scope, access->slot[i]);
		term = LLVMBuildNSWMul(builder, slot, pitches[i], "term");
		offset = i ? LLVMBuildNSWAdd(builder, offset, term, "offset") : term;
	}
	return LLVMBuildInBoundsGEP2(builder, element,
		LLVMGetParam(iteration->function, param), &offset, 1, "address");
}

static LLVMValueRef load(const struct iteration *iteration, LLVMValueRef *pitches,
	LLVMTypeRef element)
{
	const struct plan *plan = iteration->kernel->plan;
	LLVMValueRef from = address(iteration, 0, &plan->load, pitches, element);
	LLVMValueRef value = LLVMBuildLoad2(iteration->scope.builder, element, from,
		"element");

	LLVMSetAlignment(value, plan->load.bits / 8);
	return value;
}

/* The element, or the pad value outside, where nothing may be read. */
static LLVMValueRef load_inside(const struct iteration *iteration, LLVMValueRef *pitches,
	LLVMTypeRef element)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;
	LLVMBasicBlockRef from[2], reading, join;
	LLVMValueRef inside, values[2], value;

	if (!plan->inside)
		return load(iteration, pitches, element);
	inside = expression_lower_condition(&iteration->scope, plan->inside);
	from[0] = LLVMGetInsertBlock(builder);
	values[0] = LLVMConstInt(element, plan->pad_bits, false);
	reading = iteration_block(iteration, "inside");
	join = iteration_block(iteration, "join");
	LLVMBuildCondBr(builder, inside, reading, join);
	LLVMPositionBuilderAtEnd(builder, reading);
	values[1] = load(iteration, pitches, element);
	from[1] = LLVMGetInsertBlock(builder);
	LLVMBuildBr(builder, join);
	LLVMPositionBuilderAtEnd(builder, join);
	value = LLVMBuildPhi(builder, element, "value");
	LLVMAddIncoming(value, values, from, 2);
	return value;
}

static void copy_element(const struct iteration *iteration, const struct pitches *pitches)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;
	LLVMTypeRef element = LLVMIntTypeInContext(LLVMGetBuilderContext(builder),
		plan->store.bits);
	LLVMValueRef value = load_inside(iteration, pitches->load, element);
	LLVMValueRef to = address(iteration, 1, &plan->store, pitches->store, element);

	LLVMSetAlignment(LLVMBuildStore(builder, value, to), plan->store.bits / 8);
}

static void visit_point(const struct iteration *iteration, const struct pitches *pitches)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;
	LLVMBasicBlockRef active, done;
	LLVMValueRef condition;

	if (!plan->active) {
		copy_element(iteration, pitches);
		return;
	}
	active = iteration_block(iteration, "active");
	done = iteration_block(iteration, "done");
	condition = expression_lower_condition(&iteration->scope, plan->active);
	LLVMBuildCondBr(builder, condition, active, done);
	LLVMPositionBuilderAtEnd(builder, active);
	copy_element(iteration, pitches);
	LLVMBuildBr(builder, done);
	LLVMPositionBuilderAtEnd(builder, done);
}

static void define(struct iteration *iteration, const struct pitches *pitches)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;

	LLVMPositionBuilderAtEnd(builder, iteration_block(iteration, "entry"));
	for (unsigned i = 0; i < plan->size_count; i++)
		iteration->scope.vars[i] = LLVMGetParam(iteration->function, 2 + i);
	lower_pitches(&iteration->scope, &plan->load, pitches->load);
	lower_pitches(&iteration->scope, &plan->store, pitches->store);
	iteration_open(iteration);
	visit_point(iteration, pitches);
	iteration_close(iteration);
	LLVMBuildRetVoid(builder);
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

LLVMModuleRef function_build(layout_context *ctx, const layout_kernel *kernel,
	LLVMContextRef llvm, LLVMTargetMachineRef machine)
{
	const struct plan *plan = kernel->plan;
	struct iteration iteration = { .kernel = kernel };
	struct pitches pitches;
	LLVMModuleRef module = NULL;
	LLVMTypeRef *params;

	params = layout_alloc(ctx, plan->size_count + 2, sizeof(*params));
	iteration.scope.vars = layout_alloc(ctx, plan->size_count + plan->dim_count,
		sizeof(LLVMValueRef));
	iteration.loops = layout_alloc(ctx, plan->dim_count, sizeof(*iteration.loops));
	pitches.load = layout_alloc(ctx, plan->load.rank, sizeof(LLVMValueRef));
	pitches.store = layout_alloc(ctx, plan->store.rank, sizeof(LLVMValueRef));
	if (!params || !iteration.scope.vars || !iteration.loops ||
	    !pitches.load || !pitches.store)
		goto done;
	module = module_new(kernel, llvm, machine);
	iteration.function = declare(kernel, module, params);
	iteration.scope.builder = LLVMCreateBuilderInContext(llvm);
	define(&iteration, &pitches);
	LLVMDisposeBuilder(iteration.scope.builder);
done:
	free(pitches.store);
	free(pitches.load);
	free(iteration.loops);
	free(iteration.scope.vars);
	free(params);
	return module;
}
