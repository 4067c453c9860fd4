/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/shared.h"
#include "kernel/block/block.h"
#include "kernel/program/plan.h"

#include <stdlib.h>

static bool stores_gathered(const struct program_body *body)
{
	bool gathered = false;

	for (unsigned i = 0; i < body->count && !gathered; i++) {
		const struct program_statement *s = &body->statements[i];

		gathered = (s->kind == STATEMENT_STORE && program_gathers(&s->place)) ||
			stores_gathered(&s->body);
	}
	return gathered;
}

static bool stores_apart(const layout_program *program)
{
	bool apart = !stores_gathered(&program->body);

	for (unsigned i = 0; i < program->memory_count; i++) {
		const layout_memory *memory = program->memories[i];

		apart = apart && memory->access != LAYOUT_ACCESS_INOUT &&
			(memory->access == LAYOUT_ACCESS_IN || memory->type->bits % 8 == 0);
	}
	return apart;
}

unsigned shared_counts(const layout_kernel *kernel,
	const struct index *counts[SHARED_LOOPS])
{
	const struct plan *plan = kernel->plan;
	unsigned count = plan->block ? plan->block->outer_count : plan->visit.dim_count;

	count = count < SHARED_LOOPS ? count : SHARED_LOOPS;
	for (unsigned i = 0; i < count; i++)
		counts[i] = plan->block ? plan->block->loops[i].count :
			plan->visit.dims[i].extent;
	return count;
}

bool shared_is(const layout_kernel *kernel)
{
	const struct plan *plan = kernel->plan;
	const struct index *counts[SHARED_LOOPS];
	bool several = false;

	if (plan->block)
		return true;
	if (!plan->program || chip_of(kernel->target)->code.lanes)
		return false;
	for (unsigned i = shared_counts(kernel, counts); i-- > 0;)
		several = several || counts[i]->max > 1;
	return several && stores_apart(plan->program->program);
}

bool shared_turns(const layout_kernel *kernel, const int64_t *sizes, int64_t *turns)
{
	const struct index *counts[SHARED_LOOPS];
	int64_t count;

	*turns = 1;
	for (unsigned i = shared_counts(kernel, counts); i-- > 0;)
		if (!index_eval(counts[i], sizes, &count) ||
		    __builtin_mul_overflow(*turns, count, turns))
			return false;
	return true;
}

LLVMValueRef shared_declare(const layout_kernel *kernel, LLVMValueRef whole,
	LLVMTypeRef *params)
{
	LLVMModuleRef module = LLVMGetGlobalParent(whole);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
	LLVMTypeRef type = LLVMGlobalGetValueType(whole);
	unsigned count = plan_arguments(kernel->plan);
	struct layout_buffer name = { 0 };
	LLVMValueRef part;

	LLVMGetParamTypes(type, params);
	params[count] = params[count + 1] = i64;
	part = LLVMAddFunction(module, "", LLVMFunctionType(LLVMGetReturnType(type), params,
		count + 2, false));
	layout_buffer_printf(&name, "%s" SHARED_PART, kernel->name);
	if (name.text)
		LLVMSetValueName2(part, name.text, name.length);
	free(name.text);
	kernel->hooks->prologue(kernel, part);
	return part;
}

void shared_call(const layout_kernel *kernel, const struct expression_scope *scope,
	LLVMValueRef whole, LLVMValueRef part, LLVMValueRef *args)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(scope->builder));
	unsigned count = plan_arguments(kernel->plan);
	const struct index *counts[SHARED_LOOPS];
	LLVMValueRef done;

	LLVMGetParams(whole, args);
	args[count] = LLVMConstNull(i64);
	args[count + 1] = LLVMConstInt(i64, 1, false);
	for (unsigned i = shared_counts(kernel, counts); i-- > 0;)
		args[count + 1] = LLVMBuildNSWMul(scope->builder, args[count + 1],
			expression_lower(scope, counts[i]), "turns");
	done = LLVMBuildCall2(scope->builder, LLVMGlobalGetValueType(part), part, args,
		count + 2, "");
	if (LLVMGetTypeKind(LLVMTypeOf(done)) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(scope->builder);
	else
		LLVMBuildRet(scope->builder, done);
}
