/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The edges of rows that begin inside of vectors. */
#include "lower/branch.h"
#include "lower/tile/path_parts.h"

/* Vectors whose loads are under way at the same time. */
enum { LOADS = 2 };

/* The vectors from "first" on, up to "end", where any of them is inside. */
static void load_some(struct way *way, const struct shift_memory *memory, unsigned first,
	unsigned end, struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	const struct block_side *vectors = &way->block.load;
	unsigned bytes = form_bytes(&way->path->form->load, vectors->vector);
	LLVMBuilderRef builder = builder_of(way);
	LLVMValueRef reached[LOADS], none[LOADS], any = NULL;
	struct branch branch;

	for (unsigned i = first; i < end; i++) {
		LLVMValueRef reach = way_reach(way, &way->load, vectors, i, digits);

		reached[i - first] = reach;
		any = any && reach ? LLVMBuildOr(builder, any, reach, "any") : reach;
	}
	if (any)
		branch = branch_open(iteration, any, "reached");
	for (unsigned i = first; i < end; i++) {
		block_digits(&way->block, vectors->starts[i], digits);
		way->values[i] = shift_load_inside(&way->load.access, memory, digits, bytes,
			reached[i - first]);
		none[i - first] = LLVMConstNull(LLVMTypeOf(way->values[i]));
	}
	if (any)
		branch_values(iteration, &branch, &way->values[first], none, end - first);
}

/* Loaded is what is inside, and what the source has beside it, which is not looked at. */
void shifted_load(struct way *way, struct address_digits *digits)
{
	unsigned count = way->block.load.count;
	struct shift_memory memory = shift_memory_of(&way->load.access, LLVMGetParam(
		way->path->iteration->function, PLAN_SOURCE), way_source_bytes(way),
		form_bytes(&way->path->form->load, way->block.load.vector));

	for (unsigned i = 0; i < count; i += LOADS)
		load_some(way, &memory, i, i + LOADS < count ? i + LOADS : count, digits);
	for (unsigned i = 0; i < count; i++)
		way->values[i] = way_convert(way, way->values[i]);
	pad_vectors(way, digits);
}

/* Of the line that vector i is on, the bytes from its begin on that the destination has. */
static LLVMValueRef find_limit(const struct way *way, unsigned i,
	const struct address_digits *digits)
{
	const struct block_side *vectors = &way->block.store;
	unsigned bits = way->path->form->store.bits;
	LLVMBuilderRef builder = builder_of(way);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef all = LLVMConstInt(i32, vectors->vector * bits / 8, false), limit, inside;
	struct bounds others = way->store.bounds;
	int64_t step;
	unsigned dim;

	way_line(way, &way->store, vectors, i, &dim, &step);
	limit = others.ragged >> dim & 1 ? LLVMBuildMul(builder, bounds_distance(&others, dim,
		true, digits), LLVMConstInt(i32, bits / 8, false), "limit") : all;
	others.ragged &= ~(UINT64_C(1) << dim);
	inside = bounds_inside(&others, digits);
	return inside ? LLVMBuildSelect(builder, inside, limit, LLVMBuildNeg(builder, all,
		"none"), "limit") : limit;
}

void shifted_store(struct way *way, struct address_digits *digits)
{
	const struct block_side *vectors = &way->block.store;
	unsigned bytes = form_bytes(&way->path->form->store, vectors->vector);
	struct shift_lanes lanes = shift_lanes_of(&way->store.access, &way->path->lane,
		way->store.run);

	for (unsigned i = 0; i < vectors->count; i++) {
		block_digits(&way->block, vectors->starts[i], digits);
		shift_store(&way->store.access, &lanes, NULL, digits, bytes, way->stored[i],
			find_limit(way, i, digits));
	}
}
