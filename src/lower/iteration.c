/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/iteration.h"
#include "lower/grid.h"

#include <stdio.h>

LLVMTypeRef iteration_counter_type(const struct iteration *iteration, bool narrow)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(iteration->scope.builder);

	return narrow ? LLVMInt32TypeInContext(llvm) : LLVMInt64TypeInContext(llvm);
}

/* A number that is not negative, in "type". */
static LLVMValueRef resize(const struct iteration *iteration, LLVMValueRef value,
	LLVMTypeRef type)
{
	return LLVMBuildIntCast2(iteration->scope.builder, value, type, false, "resized");
}

static LLVMValueRef lower_as(const struct iteration *iteration,
	const struct index *index, LLVMTypeRef type)
{
	return resize(iteration, expression_lower(&iteration->scope, index), type);
}

/* Its number among the module's functions, of which each has a part of its own. */
static unsigned function_number(const struct iteration *iteration)
{
	LLVMValueRef function = LLVMGetFirstFunction(LLVMGetGlobalParent(
		iteration->function));
	unsigned number = 0;

	for (; function != iteration->function; number++)
		function = LLVMGetNextFunction(function);
	return number;
}

LLVMValueRef iteration_local(const struct iteration *iteration, int64_t bytes)
{
	LLVMModuleRef module = LLVMGetGlobalParent(iteration->function);
	LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(
		LLVMGetModuleContext(module)), (uint64_t)bytes);
	LLVMValueRef lds;
	char name[16];

	snprintf(name, sizeof(name), "lds%u", function_number(iteration));
	lds = LLVMGetNamedGlobal(module, name);
	if (lds)
		return lds;
	lds = LLVMAddGlobalInAddressSpace(module, type, name,
		iteration->kernel->hooks->local_space);
	LLVMSetLinkage(lds, LLVMInternalLinkage);
	LLVMSetInitializer(lds, LLVMGetPoison(type));
	LLVMSetAlignment(lds, 16);
	return lds;
}

LLVMBasicBlockRef iteration_block(const struct iteration *iteration, const char *name)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(iteration->scope.builder);

	return LLVMAppendBasicBlockInContext(llvm, iteration->function, name);
}

/* a < b, neither with a sign.  That scalar units compare no 64 bits but for being equal is no
 * reason to use a vector unit: the upper half of the difference has the answer. */
static LLVMValueRef is_below(const struct iteration *iteration, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMTypeRef type = LLVMTypeOf(a);
	LLVMValueRef half;

	if (iteration->kernel->lanes == 1 || LLVMGetIntTypeWidth(type) < 64)
		return LLVMBuildICmp(builder, LLVMIntULT, a, b, "more");
	half = LLVMBuildLShr(builder, LLVMBuildSub(builder, a, b, "left"),
		LLVMConstInt(type, 32, false), "upper");
	half = iteration->kernel->hooks->pin(builder, LLVMBuildTrunc(builder, half,
		iteration_counter_type(iteration, true), "upper"));
	return LLVMBuildICmp(builder, LLVMIntSLT, half, LLVMConstNull(LLVMTypeOf(half)),
		"more");
}

/* for (counter = first; counter < extent; counter += step), all of one type, in which no
 * value has a sign; the builder is left in the body. */
static LLVMValueRef loop_open(struct iteration *iteration, const char *name,
	LLVMValueRef first, LLVMValueRef extent, LLVMValueRef step)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	struct iteration_loop *loop = &iteration->loops[iteration->depth++];
	LLVMBasicBlockRef before = LLVMGetInsertBlock(builder), body;
	LLVMValueRef more;

	loop->again = NULL;
	loop->header = iteration_block(iteration, "loop");
	body = iteration_block(iteration, "body");
	loop->exit = iteration_block(iteration, "exit");
	loop->step = step;
	LLVMBuildBr(builder, loop->header);
	LLVMPositionBuilderAtEnd(builder, loop->header);
	loop->counter = LLVMBuildPhi(builder, LLVMTypeOf(first), name);
	LLVMAddIncoming(loop->counter, &first, &before, 1);
	more = is_below(iteration, loop->counter, extent);
	LLVMBuildCondBr(builder, more, body, loop->exit);
	LLVMPositionBuilderAtEnd(builder, body);
	return loop->counter;
}

/* counter = first; do .. while ((counter += step) < extent): the first is there.  There is
 * seldom a second, for which nothing is prepared. */
static LLVMValueRef turns_open(struct iteration *iteration, const char *name,
	LLVMValueRef first, const struct index *extent, LLVMValueRef step)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	struct iteration_loop *loop = &iteration->loops[iteration->depth++];

	*loop = (struct iteration_loop){ .before = LLVMGetInsertBlock(builder),
		.header = iteration_block(iteration, "turn"),
		.exit = iteration_block(iteration, "exit"), .step = step, .again = extent };
	LLVMBuildBr(builder, loop->header);
	LLVMPositionBuilderAtEnd(builder, loop->header);
	loop->counter = LLVMBuildPhi(builder, LLVMTypeOf(first), name);
	LLVMAddIncoming(loop->counter, &first, &loop->before, 1);
	return loop->counter;
}

static void loop_close(struct iteration *iteration)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	struct iteration_loop *loop = &iteration->loops[--iteration->depth];
	LLVMBasicBlockRef last = LLVMGetInsertBlock(builder);
	LLVMValueRef next = LLVMBuildNUWAdd(builder, loop->counter, loop->step, "next");

	if (loop->again) {
		next = iteration->kernel->hooks->pin(builder, next);
		LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, next,
			lower_as(iteration, loop->again, LLVMTypeOf(next)), "more"),
			loop->header, loop->exit);
	} else {
		LLVMBuildBr(builder, loop->header);
	}
	LLVMAddIncoming(loop->counter, &next, &last, 1);
	LLVMPositionBuilderAtEnd(builder, loop->exit);
}

static LLVMValueRef open_serial(struct iteration *iteration, const struct visit_dim *dim)
{
	LLVMTypeRef type = iteration_counter_type(iteration, expression_is_narrow(dim->extent));
	LLVMValueRef extent = lower_as(iteration, dim->extent, type);

	return loop_open(iteration, dim->name, LLVMConstNull(type), extent,
		LLVMConstInt(type, 1, false));
}

static LLVMValueRef number(const struct iteration *iteration, int64_t value)
{
	return LLVMConstInt(iteration_counter_type(iteration, false), (unsigned long long)value, true);
}

static LLVMValueRef choose_bound(const struct iteration *iteration, LLVMIntPredicate predicate,
	LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef builder = iteration->scope.builder;

	return LLVMBuildSelect(builder, LLVMBuildICmp(builder, predicate, a, b, ""), a, b, "");
}

/* A serial loop from first to end, both i64. */
static LLVMValueRef open_between(struct iteration *iteration, const struct visit_dim *dim,
	LLVMValueRef first, LLVMValueRef end)
{
	LLVMTypeRef type = iteration_counter_type(iteration, expression_is_narrow(dim->extent));

	return loop_open(iteration, dim->name, resize(iteration, first, type),
		resize(iteration, end, type), LLVMConstInt(type, 1, false));
}

/* The outermost loop, for those of its turns in which the one inside of it has some.
 *
 *	for (x = first / inner; x < ceil(stop / inner); x++)
 *		for (y = max(first - x * inner, 0); y < min(stop - x * inner, inner); y++) */
static void open_turns(struct iteration *iteration)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;
	LLVMValueRef *vars = iteration->scope.vars + plan->size_count, before, inner, some;
	LLVMValueRef first = iteration->turns[0], stop = iteration->turns[1];

	if (plan->visit.dim_count == 1) {
		vars[0] = open_between(iteration, &plan->visit.dims[0], first, stop);
		return;
	}
	inner = expression_lower(&iteration->scope, plan->visit.dims[1].extent);
	some = choose_bound(iteration, LLVMIntSGT, inner, number(iteration, 1));
	vars[0] = open_between(iteration, &plan->visit.dims[0],
		LLVMBuildUDiv(b, first, some, ""), LLVMBuildUDiv(b, LLVMBuildNSWAdd(b, stop,
		LLVMBuildNSWSub(b, some, number(iteration, 1), ""), ""), some, ""));
	before = LLVMBuildNSWMul(b, resize(iteration, vars[0], LLVMTypeOf(some)), inner, "");
	vars[1] = open_between(iteration, &plan->visit.dims[1],
		choose_bound(iteration, LLVMIntSGT, LLVMBuildNSWSub(b, first, before, ""),
			number(iteration, 0)),
		choose_bound(iteration, LLVMIntSLT, LLVMBuildNSWSub(b, stop, before, ""), inner));
}

/* The workgroup's place on a grid axis. */
static LLVMValueRef enter_axis(const struct iteration *iteration, unsigned axis)
{
	const layout_kernel *kernel = iteration->kernel;

	if (kernel->extent[axis]->max <= 1)
		return LLVMConstNull(iteration_counter_type(iteration, true));
	return kernel->hooks->group_id(iteration->scope.builder, axis);
}

/* Where there may be more to do than is launched, the workgroups take turns, as many at a
 * time as are launched at most. */
static LLVMValueRef open_axis(struct iteration *iteration, const char *name,
	unsigned axis)
{
	const layout_kernel *kernel = iteration->kernel;
	const struct index *extent = kernel->extent[axis];
	int64_t cap = grid_cap(axis, kernel->lanes);
	LLVMTypeRef type = iteration_counter_type(iteration, expression_is_narrow(extent));
	LLVMValueRef step = LLVMConstInt(type, (unsigned long long)cap, false);
	LLVMValueRef group = enter_axis(iteration, axis);

	if (extent->max <= cap)
		return group;
	if (kernel->plan->program)
		return turns_open(iteration, name, resize(iteration, group, type), extent,
			step);
	return loop_open(iteration, name, resize(iteration, group, type),
		lower_as(iteration, extent, type), step);
}

/* Split the place on axis z among the dimensions that share it. */
static void split_z(struct iteration *iteration, LLVMValueRef place)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	const layout_kernel *kernel = iteration->kernel;
	const struct plan *plan = kernel->plan;
	LLVMValueRef *vars = iteration->scope.vars + plan->size_count;
	bool narrow = expression_is_narrow(kernel->extent[2]);
	LLVMTypeRef type = iteration_counter_type(iteration, narrow);
	LLVMValueRef rest = resize(iteration, place, type), extent;
	unsigned outermost = 0;

	while (plan->visit.dims[outermost].level != VISIT_GRID_Z)
		outermost++;
	for (unsigned i = plan->visit.dim_count; --i > outermost;) {
		if (plan->visit.dims[i].level != VISIT_GRID_Z)
			continue;
		extent = lower_as(iteration, plan->visit.dims[i].extent, type);
		vars[i] = LLVMBuildURem(builder, rest, extent, plan->visit.dims[i].name);
		rest = LLVMBuildUDiv(builder, rest, extent, "rest");
	}
	vars[outermost] = rest;
}

/* The place on an axis, with the loop that it takes or without. */
static LLVMValueRef place(struct iteration *iteration, const char *name, unsigned axis,
	bool loops)
{
	return loops ? open_axis(iteration, name, axis) : enter_axis(iteration, axis);
}

static void set_dims(struct iteration *iteration, bool loops)
{
	const struct plan *plan = iteration->kernel->plan;
	LLVMValueRef *vars = iteration->scope.vars + plan->size_count;

	for (unsigned i = 0; i < plan->visit.dim_count; i++)
		vars[i] = NULL;
	if (iteration->turns[0])
		open_turns(iteration);
	for (unsigned i = 0; i < plan->visit.dim_count; i++) {
		const struct visit_dim *dim = &plan->visit.dims[i];

		if (vars[i])
			continue;
		switch (dim->level) {
		case VISIT_LOOP:
			vars[i] = open_serial(iteration, dim);
			break;
		case VISIT_GRID_Z:
			split_z(iteration, place(iteration, "z", 2, loops));
			break;
		case VISIT_GRID_Y:
		case VISIT_GRID_X:
			vars[i] = place(iteration, dim->name,
				(unsigned)grid_axis(dim->level), loops);
			break;
		case VISIT_TURN:
			break;
		case VISIT_LANE:
			vars[i] = iteration->kernel->hooks->lane_id(
				iteration->scope.builder);
			break;
		}
	}
}

void iteration_enter(struct iteration *iteration)
{
	set_dims(iteration, false);
}

void iteration_open(struct iteration *iteration)
{
	set_dims(iteration, true);
}

void iteration_close(struct iteration *iteration)
{
	while (iteration->depth)
		loop_close(iteration);
}
