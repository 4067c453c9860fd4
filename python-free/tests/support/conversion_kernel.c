/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/conversion_kernel.h"

#include "amdgpu/code/amdgpu.h"
#include "nvptx/code/nvptx.h"
#include "lower/optimize.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

struct kernel {
	layout_context *ctx;
	const layout_conversion_plan *plan;
	layout_kernel kernel;
	LLVMModuleRef module;
	LLVMValueRef function;
	LLVMBuilderRef builder;
	struct exchange exchange;
};

static unsigned subgroups_of(const layout_conversion_plan *plan)
{
	int64_t from = plan->from.extent[OWNER_SUBGROUP];
	int64_t to = plan->to.extent[OWNER_SUBGROUP];

	return (unsigned)(from > to ? from : to);
}

static LLVMValueRef number(const struct kernel *k, int64_t value)
{
	return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetBuilderContext(k->builder)),
		(unsigned long long)value, true);
}

static LLVMTypeRef element_type(const struct kernel *k)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(k->builder);

	return k->plan->bits == 16 ? LLVMHalfTypeInContext(llvm) :
		k->plan->bits == 32 ? LLVMFloatTypeInContext(llvm) :
		LLVMIntTypeInContext(llvm, k->plan->bits);
}

static void begin(struct kernel *k, LLVMContextRef llvm)
{
	const struct target_hooks *hooks = k->kernel.hooks;
	LLVMTargetMachineRef machine = hooks->machine(k->ctx, k->kernel.target, NULL,
		LLVMCodeGenLevelLess);
	LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
	LLVMTypeRef pointer = LLVMPointerTypeInContext(llvm, hooks->address_space);
	LLVMTypeRef params[] = { pointer, pointer };
	char *triple = LLVMGetTargetMachineTriple(machine);

	k->module = LLVMModuleCreateWithNameInContext("convert", llvm);
	LLVMSetModuleDataLayout(k->module, layout);
	LLVMSetTarget(k->module, triple);
	k->function = LLVMAddFunction(k->module, "convert", LLVMFunctionType(
		LLVMVoidTypeInContext(llvm), params, 2, false));
	hooks->prologue(&k->kernel, k->function);
	k->builder = LLVMCreateBuilderInContext(llvm);
	LLVMPositionBuilderAtEnd(k->builder, LLVMAppendBasicBlockInContext(llvm,
		k->function, "entry"));
	LLVMDisposeMessage(triple);
	LLVMDisposeTargetData(layout);
	LLVMDisposeTargetMachine(machine);
}

static LLVMValueRef local_memory(const struct kernel *k)
{
	LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(
		LLVMGetBuilderContext(k->builder)), (uint64_t)k->plan->lds.bytes);
	LLVMValueRef lds;

	if (k->plan->kind != LAYOUT_CONVERT_LDS)
		return NULL;
	lds = LLVMAddGlobalInAddressSpace(k->module, type, "lds",
		k->kernel.hooks->local_space);
	LLVMSetLinkage(lds, LLVMInternalLinkage);
	LLVMSetInitializer(lds, LLVMGetPoison(type));
	LLVMSetAlignment(lds, 16);
	return lds;
}

static void find_hardware(struct kernel *k, unsigned subgroups)
{
	unsigned wave = k->kernel.target->wave_size;
	LLVMValueRef thread = k->kernel.hooks->lane_id(k->builder);

	k->exchange = (struct exchange){ .ctx = k->ctx, .builder = k->builder,
		.plan = k->plan, .memory = local_memory(k) };
	k->exchange.hardware = (struct owner_hardware){ k->kernel.hooks, wave, subgroups,
		LLVMBuildAnd(k->builder, thread, number(k, wave - 1), "lane"),
		k->kernel.hooks->uniform(k->builder, LLVMBuildLShr(k->builder, thread,
			number(k, __builtin_ctz(wave)), "subgroup")) };
}

static LLVMValueRef place(const struct kernel *k, unsigned param, LLVMValueRef index)
{
	return LLVMBuildGEP2(k->builder, element_type(k), LLVMGetParam(k->function, param),
		&index, 1, "place");
}

static void load_all(const struct kernel *k, LLVMValueRef *values)
{
	const struct owner *from = &k->plan->from;
	struct owner_coordinates at;

	owner_coordinates(&at, k->builder, &k->exchange.hardware, from);
	for (int64_t r = 0; r < from->extent[OWNER_REGISTER]; r++) {
		LLVMValueRef index = number(k, 0);

		for (unsigned d = 0; d < from->rank; d++)
			index = LLVMBuildAdd(k->builder, LLVMBuildMul(k->builder, index,
				number(k, from->box[d]), "index"),
				owner_coordinate(&at, r, d), "index");
		values[r] = LLVMBuildLoad2(k->builder, element_type(k), place(k, 0, index),
			"loaded");
	}
}

/* By thread, so that lanes beyond TO's are there, too; result 0, or 1. */
static void store_all(const struct kernel *k, LLVMValueRef *values, unsigned result)
{
	int64_t registers = k->plan->to.extent[OWNER_REGISTER];
	int64_t first = (int64_t)result * k->kernel.lanes * registers;
	LLVMValueRef thread = k->kernel.hooks->lane_id(k->builder);

	for (int64_t r = 0; r < registers; r++)
		LLVMBuildStore(k->builder, values[r], place(k, 1, LLVMBuildAdd(k->builder,
			LLVMBuildMul(k->builder, thread, number(k, registers), "index"),
			number(k, first + r), "index")));
}

LLVMModuleRef conversion_kernel(layout_context *ctx, LLVMContextRef llvm,
	const layout_conversion_plan *plan, unsigned subgroups)
{
	struct kernel k = { .ctx = ctx, .plan = plan, .kernel = {
		.target = &plan->chip->target, .lanes = subgroups *
		plan->chip->target.wave_size, .code_object = 5,
		.hooks = target_hooks_of(&plan->chip->target) } };
	LLVMValueRef *from = calloc((size_t)plan->from.extent[OWNER_REGISTER],
		sizeof(*from));
	LLVMValueRef *to = calloc((size_t)plan->to.extent[OWNER_REGISTER], sizeof(*to));
	bool ok;

	begin(&k, llvm);
	find_hardware(&k, subgroups);
	load_all(&k, from);
	ok = exchange_values(&k.exchange, from, to);
	if (ok)
		store_all(&k, to, 0);
	k.exchange.reused = true;
	ok = ok && exchange_values(&k.exchange, from, to);
	if (ok)
		store_all(&k, to, 1);
	LLVMBuildRetVoid(k.builder);
	LLVMDisposeBuilder(k.builder);
	free(from);
	free(to);
	if (ok)
		return k.module;
	LLVMDisposeModule(k.module);
	return NULL;
}

/* Does the destination have what every point of TO is to hold? */
static bool is_right(const layout_conversion_plan *plan, const unsigned char *source,
	const unsigned char *destination)
{
	int64_t hw[OWNER_PARTS] = { 0 }, x[OWNER_RANK];
	size_t bytes = plan->bits / 8;

	do {
		size_t thread = (size_t)hw[0] * plan->chip->target.wave_size + (size_t)hw[1];
		size_t at = thread * (size_t)plan->to.extent[OWNER_REGISTER] + (size_t)hw[2];

		owner_point(&plan->to, hw, x);
		if (memcmp(destination + at * bytes, source +
				(size_t)owner_element(&plan->to, x) * bytes, bytes))
			return false;
	} while (owner_next(&plan->to, hw));
	return true;
}

static bool run(layout_context *ctx, const layout_conversion_plan *plan,
	LLVMModuleRef module, unsigned subgroups, bool *right)
{
	unsigned lanes = subgroups * plan->chip->target.wave_size;
	size_t bytes = plan->bits / 8;
	size_t source_bytes = (size_t)owner_elements(&plan->from) * bytes;
	size_t result_bytes = lanes * (size_t)plan->to.extent[OWNER_REGISTER] * bytes;
	unsigned char *source = malloc(source_bytes), *result = malloc(2 * result_bytes);
	const struct sim_buffer buffers[] = {
		{ "source", source, source_bytes, false, 16 },
		{ "destination", result, 2 * result_bytes, true, 16 } };
	const struct sim_launch launch = { .grid = { 1, 1, 1 },
		.workgroup_size = { lanes, 1, 1 }, .buffer_count = 2, .buffers = buffers,
		.target = &plan->chip->target };
	const struct sim_isa *isa = target_hooks_of(&plan->chip->target) == &amdgpu_target ?
		&amdgpu_isa : &nvptx_isa;
	struct sim *sim = sim_new(ctx, module, "convert", isa);
	bool ok;

	random_fill(source, source_bytes);
	memset(result, 0xee, 2 * result_bytes);
	ok = sim && sim_run(ctx, sim, &launch, NULL);
	*right = ok && is_right(plan, source, result) &&
		is_right(plan, source, result + result_bytes);
	sim_free(sim);
	free(source);
	free(result);
	return ok;
}

bool conversion_kernel_run(layout_context *ctx, const layout_conversion_plan *plan,
	unsigned more, bool *right)
{
	unsigned subgroups = subgroups_of(plan) + more;
	struct lower_diagnostic diagnostic = { 0 };
	LLVMContextRef llvm = lower_context_new(&diagnostic);
	LLVMModuleRef module = conversion_kernel(ctx, llvm, plan, subgroups);
	LLVMTargetMachineRef machine = target_hooks_of(&plan->chip->target)->machine(ctx,
		&plan->chip->target, NULL, LLVMCodeGenLevelLess);
	bool ok = module && optimize_tile(ctx, module, machine) &&
		run(ctx, plan, module, subgroups, right);

	LLVMDisposeTargetMachine(machine);
	if (module)
		LLVMDisposeModule(module);
	LLVMContextDispose(llvm);
	free(diagnostic.message);
	return ok;
}
