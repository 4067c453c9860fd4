/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*	if (n < count)
 *		slots of the source = digits of n
 *		if (inside)
 *			destination[..] = convert(source[..])
 *	for every box
 *		if (n < box.count)
 *			slots of the box = digits of n
 *			destination[..] = pad */
#include "lower/sweep.h"
#include "lower/branch.h"

/* Numbers below "count" and their digits fit 32 bits, or take 64. */
static LLVMTypeRef number_type(const struct iteration *iteration,
	const struct index *count)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(iteration->scope.builder);

	return expression_is_narrow(count) ? LLVMInt32TypeInContext(llvm) :
		LLVMInt64TypeInContext(llvm);
}

/* Set the variables to the digits of n in these radices, of which none is 0. */
static void split_number(const struct iteration *iteration, LLVMValueRef number,
	struct index *const *extent, unsigned rank)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;
	LLVMValueRef *digit = iteration->scope.vars + plan->size_count + plan->visit.dim_count;
	LLVMTypeRef type = LLVMTypeOf(number);
	LLVMValueRef radix;

	for (unsigned k = rank; k-- > 1;) {
		radix = expression_lower_as(&iteration->scope, extent[k], type);
		digit[k] = LLVMBuildURem(builder, number, radix, "digit");
		number = LLVMBuildUDiv(builder, number, radix, "rest");
	}
	if (rank)
		digit[0] = number;
}

/* What follows is done where n < count, with n's digits. */
static struct branch open_part(const struct iteration *iteration, LLVMValueRef number,
	const struct index *count, struct index *const *extent, unsigned rank)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMValueRef most = expression_lower(&iteration->scope, count);
	struct branch branch = branch_open(iteration, LLVMBuildICmp(builder, LLVMIntSLT,
		number, most, "more"), "part");

	number = LLVMBuildIntCast2(builder, number, number_type(iteration, count), false,
		"number");
	split_number(iteration, number, extent, rank);
	return branch;
}

static void store_element(const struct pointwise *points,
	const struct iteration *iteration, LLVMValueRef number)
{
	const struct plan *plan = iteration->kernel->plan;
	const struct visit_sweep *sweep = &plan->visit.sweep;
	struct branch part = open_part(iteration, number, sweep->count, sweep->extent,
		sweep->rank), inside = { 0 };

	if (plan->visit.inside)
		inside = branch_open(iteration, expression_lower_condition(
			&iteration->scope, plan->visit.inside), "inside");
	pointwise_store(points, iteration, plan->visit.store.slot,
		pointwise_element(points, iteration));
	if (plan->visit.inside)
		branch_close(iteration, &inside);
	branch_close(iteration, &part);
}

static void store_padding(const struct pointwise *points,
	const struct iteration *iteration, LLVMValueRef number,
	const struct visit_box *box)
{
	const struct plan *plan = iteration->kernel->plan;
	LLVMContextRef llvm = LLVMGetBuilderContext(iteration->scope.builder);
	LLVMValueRef pad = LLVMConstInt(LLVMIntTypeInContext(llvm, plan->visit.store.bits),
		plan->pad_bits, false);
	struct branch part = open_part(iteration, number, box->count, box->extent,
		plan->visit.sweep.box_rank);

	pointwise_store(points, iteration, box->slot, pad);
	branch_close(iteration, &part);
}

void sweep_visit(const struct pointwise *points, const struct iteration *iteration)
{
	const struct visit_sweep *sweep = &iteration->kernel->plan->visit.sweep;
	LLVMValueRef number = expression_lower(&iteration->scope, sweep->number);

	store_element(points, iteration, number);
	for (unsigned i = 0; i < sweep->box_count; i++)
		store_padding(points, iteration, number, &sweep->boxes[i]);
}
