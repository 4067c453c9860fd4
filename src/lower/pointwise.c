/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*	if (active)
 *		destination[..] = inside ? convert(source[..]) : pad
 *
 * or the same for each element of a group, whose bytes are then written; or what a sweep
 * does. */
#include "lower/branch.h"
#include "lower/convert.h"
#include "lower/group.h"
#include "lower/sweep.h"

#include <stdlib.h>

static bool alloc_points(layout_context *ctx, struct pointwise *points,
	const struct plan *plan)
{
	points->load_pitch = layout_alloc(ctx, plan->visit.load.rank, sizeof(LLVMValueRef));
	points->store_pitch = layout_alloc(ctx, plan->visit.store.rank, sizeof(LLVMValueRef));
	points->extent = layout_alloc(ctx, plan->visit.group.rank, sizeof(LLVMValueRef));
	return points->load_pitch && points->store_pitch && points->extent;
}

static void free_points(struct pointwise *points)
{
	free(points->extent);
	free(points->store_pitch);
	free(points->load_pitch);
}

static void enter(struct pointwise *points, const struct iteration *iteration)
{
	const struct plan *plan = iteration->kernel->plan;

	for (unsigned i = 0; i < plan->visit.load.rank; i++)
		points->load_pitch[i] = expression_lower(&iteration->scope,
			plan->visit.load.pitch[i]);
	for (unsigned i = 0; !plan->visit.group.elements && i < plan->visit.store.rank; i++)
		points->store_pitch[i] = expression_lower(&iteration->scope,
			plan->visit.store.pitch[i]);
	group_enter(points, iteration);
}

/* Of whole elements, in bytes. */
static unsigned alignment(const struct iteration *iteration,
	const struct visit_access *access)
{
	unsigned bytes = access->bits / 8, base = iteration->kernel->base_align;

	return bytes < base ? bytes : base;
}

static LLVMTypeRef element_type(const struct iteration *iteration,
	const struct visit_access *access)
{
	return LLVMIntTypeInContext(LLVMGetBuilderContext(iteration->scope.builder),
		access->bits);
}

/* The number, in memory, of the element in these slots.  It fits 64 bits: a storage is
 * below 2^63 bytes. */
static LLVMValueRef element_number(const struct iteration *iteration,
	struct index *const *slots, LLVMValueRef *pitches, unsigned rank)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMTypeRef type = LLVMInt64TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef offset = LLVMConstNull(type), slot, term;

	for (unsigned i = 0; i < rank; i++) {
		slot = expression_lower(&iteration->scope, slots[i]);
		term = LLVMBuildNSWMul(builder, slot, pitches[i], "term");
		offset = i ? LLVMBuildNSWAdd(builder, offset, term, "offset") : term;
	}
	return offset;
}

static LLVMValueRef address(const struct iteration *iteration, unsigned param,
	LLVMTypeRef type, LLVMValueRef number)
{
	return LLVMBuildInBoundsGEP2(iteration->scope.builder, type,
		LLVMGetParam(iteration->function, param), &number, 1, "address");
}

/* The byte of bit "bit" behind byte "begin", in 16 bits. */
static LLVMValueRef load_byte(const struct iteration *iteration, LLVMValueRef begin,
	LLVMValueRef bit)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(b));
	LLVMValueRef number = LLVMBuildAdd(b, begin,
		LLVMBuildLShr(b, bit, lower_bits_like(bit, 3), ""), "");
	LLVMValueRef value = LLVMBuildLoad2(b, byte,
		address(iteration, PLAN_SOURCE, byte, number), "byte");

	LLVMSetAlignment(value, 1);
	return LLVMBuildZExt(b, value, LLVMInt16TypeInContext(LLVMGetBuilderContext(b)),
		"");
}

/* An element of less than a byte, which may lie in two: 2^log elements begin and end
 * with a byte. */
static LLVMValueRef load_bits(const struct iteration *iteration, LLVMValueRef number)
{
	LLVMBuilderRef b = iteration->scope.builder;
	const struct visit_access *access = &iteration->kernel->plan->visit.load;
	unsigned bits = access->bits, log = 3 - (unsigned)__builtin_ctz(bits);
	LLVMValueRef begin = LLVMBuildMul(b, LLVMBuildLShr(b, number,
		lower_bits_like(number, log), ""), lower_bits_like(number, (bits << log) / 8), "begin");
	LLVMValueRef bit = LLVMBuildMul(b, LLVMBuildAnd(b, number,
		lower_bits_like(number, (1u << log) - 1), ""), lower_bits_like(number, bits), "bit");
	LLVMValueRef value = load_byte(iteration, begin, bit), last;

	if (8 % bits) {
		last = load_byte(iteration, begin,
			LLVMBuildAdd(b, bit, lower_bits_like(bit, bits - 1), ""));
		last = LLVMBuildShl(b, last, lower_bits_like(last, 8), "");
		value = LLVMBuildOr(b, value, last, "bytes");
	}
	bit = LLVMBuildAnd(b, bit, lower_bits_like(bit, 7), "");
	bit = LLVMBuildTrunc(b, bit, LLVMTypeOf(value), "");
	return LLVMBuildTrunc(b, LLVMBuildLShr(b, value, bit, ""),
		element_type(iteration, access), "element");
}

LLVMValueRef pointwise_element(const struct pointwise *points,
	const struct iteration *iteration)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	const struct plan *plan = iteration->kernel->plan;
	LLVMTypeRef type = element_type(iteration, &plan->visit.load);
	LLVMValueRef number = element_number(iteration, plan->visit.load.slot,
		points->load_pitch, plan->visit.load.rank);
	LLVMValueRef value;

	if (plan->visit.load.bits % 8)
		return convert_value(builder, &plan->conversion,
			load_bits(iteration, number));
	value = LLVMBuildLoad2(builder, type, address(iteration, PLAN_SOURCE, type, number),
		"element");
	LLVMSetAlignment(value, alignment(iteration, &plan->visit.load));
	return convert_value(builder, &plan->conversion, value);
}

LLVMValueRef pointwise_words(const struct pointwise *points, const struct iteration *iteration,
	LLVMTypeRef type, unsigned bytes)
{
	const struct visit_access *load = &iteration->kernel->plan->visit.load;
	unsigned base = iteration->kernel->base_align;
	LLVMValueRef number = element_number(iteration, load->slot, points->load_pitch, load->rank);
	LLVMValueRef value = LLVMBuildLoad2(iteration->scope.builder, type, address(iteration,
		PLAN_SOURCE, element_type(iteration, load), number), "words");

	LLVMSetAlignment(value, bytes < base ? bytes : base);
	return value;
}

LLVMValueRef pointwise_load(const struct pointwise *points,
	const struct iteration *iteration)
{
	const struct plan *plan = iteration->kernel->plan;
	LLVMValueRef inside, pad;
	struct branch branch;

	if (!plan->visit.inside)
		return pointwise_element(points, iteration);
	pad = LLVMConstInt(element_type(iteration, &plan->visit.store), plan->pad_bits, false);
	inside = expression_lower_condition(&iteration->scope, plan->visit.inside);
	branch = branch_open(iteration, inside, "inside");
	return branch_value(iteration, &branch, pointwise_element(points, iteration),
		pad);
}

void pointwise_store(const struct pointwise *points, const struct iteration *iteration,
	struct index *const *slot, LLVMValueRef value)
{
	const struct plan *plan = iteration->kernel->plan;
	LLVMValueRef to = address(iteration, PLAN_DESTINATION, LLVMTypeOf(value),
		element_number(iteration, slot, points->store_pitch, plan->visit.store.rank));

	LLVMSetAlignment(LLVMBuildStore(iteration->scope.builder, value, to),
		alignment(iteration, &plan->visit.store));
}

static void copy_element(const struct pointwise *points,
	const struct iteration *iteration)
{
	pointwise_store(points, iteration, iteration->kernel->plan->visit.store.slot,
		pointwise_load(points, iteration));
}

static void visit(const struct pointwise *points, const struct iteration *iteration)
{
	const struct plan *plan = iteration->kernel->plan;
	struct branch branch = { 0 };

	if (plan->visit.active && !plan->visit.group.elements)
		branch = branch_open(iteration, expression_lower_condition(
			&iteration->scope, plan->visit.active), "active");
	(plan->visit.group.elements ? group_copy : plan->visit.sweep.digits ? sweep_visit :
		copy_element)(points, iteration);
	if (plan->visit.active && !plan->visit.group.elements)
		branch_close(iteration, &branch);
}

/* Sizes are below 2^31.  Lanes that count in groups multiply by 32 bits of them: seen as more,
 * LLVM's code generation would multiply by all. */
static LLVMValueRef size_of(const struct iteration *iteration, unsigned i)
{
	const layout_kernel *kernel = iteration->kernel;
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMValueRef size = LLVMGetParam(iteration->function, kernel->plan->operand_count + i);

	if (kernel->lanes == 1 || !kernel->plan->visit.group.elements)
		return size;
	size = LLVMBuildTrunc(builder, size,
		LLVMInt32TypeInContext(LLVMGetBuilderContext(builder)), "size");
	return kernel->hooks->pin(builder, size);
}

/* Points are visited with the sizes as variables. */
static void define(struct pointwise *points, struct iteration *iteration)
{
	const struct plan *plan = iteration->kernel->plan;
	LLVMBuilderRef builder = iteration->scope.builder;

	LLVMPositionBuilderAtEnd(builder, iteration_block(iteration, "entry"));
	for (unsigned i = 0; i < plan->size_count; i++)
		iteration->scope.vars[i] = size_of(iteration, i);
	enter(points, iteration);
	iteration_open(iteration);
	visit(points, iteration);
	iteration_close(iteration);
	LLVMBuildRetVoid(builder);
}

bool pointwise_define(layout_context *ctx, const layout_kernel *kernel, LLVMValueRef function,
	LLVMBuilderRef builder)
{
	const struct visit *visit = &kernel->plan->visit;
	struct iteration iteration = { .kernel = kernel, .function = function,
		.scope = { .builder = builder } };
	struct pointwise points;
	bool ok;

	iteration.scope.vars = layout_alloc(ctx, kernel->plan->size_count + visit->dim_count +
		visit->group.rank + visit->sweep.digits, sizeof(LLVMValueRef));
	iteration.loops = layout_alloc(ctx, visit->dim_count, sizeof(*iteration.loops));
	ok = alloc_points(ctx, &points, kernel->plan) && iteration.scope.vars &&
		iteration.loops;
	if (ok)
		define(&points, &iteration);
	free_points(&points);
	free(iteration.loops);
	free(iteration.scope.vars);
	return ok;
}
