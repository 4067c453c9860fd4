/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Through the LDS: put, wait, get. */
#include "lower/program_lanes/exchange_parts.h"
#include "lower/tile/permute.h"

#include <stdlib.h>

/* One side.  "offsets" are those of lane 0's registers; those of the own lane are from
 * "memory" on, or where they are XORs, from the slice on. */
struct side {
	const struct exchange *exchange;
	bool get;
	unsigned vector, count;
	struct conversion_offset *offsets;
	struct owner_coordinates coordinates;
	LLVMValueRef memory;
};

static LLVMValueRef element_bytes(const struct exchange *exchange, LLVMValueRef elements)
{
	return LLVMBuildMul(exchange->builder, elements,
		exchange_number(exchange, exchange->plan->bits / 8), "bytes");
}

static LLVMValueRef advance(const struct exchange *exchange, LLVMValueRef pointer,
	LLVMValueRef bytes)
{
	return LLVMBuildInBoundsGEP2(exchange->builder, exchange_int(exchange, 8), pointer,
		&bytes, 1, "place");
}

/* The subgroup's own bytes, or those of all. */
static LLVMValueRef slice(const struct exchange *exchange)
{
	const struct conversion_lds *lds = &exchange->plan->lds;
	int64_t slices = exchange->plan->from.extent[OWNER_SUBGROUP];
	LLVMValueRef number = exchange->hardware.subgroup;

	if (!lds->slices || slices == 1)
		return exchange->memory;
	if (exchange->hardware.subgroups > slices)
		number = LLVMBuildURem(exchange->builder, number,
			exchange_number(exchange, slices), "slice");
	return advance(exchange, exchange->memory, LLVMBuildMul(exchange->builder, number,
		exchange_number(exchange, lds->bytes / slices), "bytes"));
}

static bool open_side(struct side *side)
{
	const struct exchange *exchange = side->exchange;
	const struct conversion_lds *lds = &exchange->plan->lds;
	const struct owner *owner = side->get ? &lds->get : &lds->put;

	side->offsets = layout_alloc(exchange->ctx,
		(size_t)owner->extent[OWNER_REGISTER], sizeof(*side->offsets));
	if (!side->offsets)
		return false;
	side->count = conversion_offsets(exchange->plan, side->get, side->offsets);
	side->vector = lds->vectors[side->get];
	owner_coordinates(&side->coordinates, exchange->builder, &exchange->hardware,
		owner);
	side->memory = slice(exchange);
	if (side->coordinates.hw[0] && !side->coordinates.flips)
		side->memory = advance(exchange, side->memory, element_bytes(exchange,
			side->coordinates.hw[0]));
	return true;
}

/* The place of the access that begins at offset number i. */
static LLVMValueRef place(const struct side *side, unsigned i)
{
	const struct exchange *exchange = side->exchange;
	LLVMValueRef offset = exchange_number(exchange,
		side->offsets[i].offset);

	if (side->coordinates.flips)
		offset = LLVMBuildXor(exchange->builder, side->coordinates.hw[0], offset,
			"offset");
	return advance(exchange, side->memory, element_bytes(exchange, offset));
}

static unsigned vector_bytes(const struct side *side)
{
	return side->vector * side->exchange->plan->bits / 8;
}

static void put_vector(const struct side *side, unsigned i, const LLVMValueRef *from)
{
	const struct exchange *exchange = side->exchange;
	LLVMBuilderRef builder = exchange->builder;
	LLVMValueRef vector = LLVMGetPoison(exchange_elements(exchange, side->vector)), stored;

	for (unsigned k = 0; k < side->vector; k++)
		vector = exchange_insert(exchange, vector, from[side->offsets[i + k].reg],
			k);
	vector = LLVMBuildBitCast(builder, vector, permute_type(
		LLVMGetBuilderContext(builder), vector_bytes(side)), "put");
	stored = LLVMBuildStore(builder, vector, place(side, i));
	LLVMSetAlignment(stored, vector_bytes(side));
	scopes_tell(stored, exchange->scopes);
}

/* What is there in more than one lane is put by the first. */
static bool put(const struct exchange *exchange, const LLVMValueRef *from)
{
	const layout_conversion_plan *plan = exchange->plan;
	struct side side = { .exchange = exchange };
	LLVMBuilderRef builder = exchange->builder;
	LLVMBasicBlockRef block = LLVMGetInsertBlock(builder), then = NULL, end = NULL;
	LLVMValueRef first, function = LLVMGetBasicBlockParent(block);
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);

	if (!open_side(&side))
		return false;
	first = owner_are_zero(builder, &exchange->hardware, &plan->from,
		plan->lds.guard);
	if (first) {
		then = LLVMAppendBasicBlockInContext(llvm, function, "put");
		end = LLVMAppendBasicBlockInContext(llvm, function, "after_put");
		LLVMBuildCondBr(builder, first, then, end);
		LLVMPositionBuilderAtEnd(builder, then);
	}
	for (unsigned i = 0; i < side.count; i += side.vector)
		put_vector(&side, i, from);
	if (first) {
		LLVMBuildBr(builder, end);
		LLVMPositionBuilderAtEnd(builder, end);
	}
	free(side.offsets);
	return true;
}

static LLVMValueRef get_vector(const struct side *side, unsigned i)
{
	const struct exchange *exchange = side->exchange;
	LLVMBuilderRef builder = exchange->builder;
	LLVMTypeRef type = permute_type(LLVMGetBuilderContext(builder),
		vector_bytes(side));
	LLVMValueRef loaded;

	if (exchange->plan->lds.turned) {
		loaded = exchange->hardware.hooks->load_turned(builder,
			exchange_elements(exchange, side->vector), place(side, i));
		scopes_tell(loaded, exchange->scopes);
		return loaded;
	}
	loaded = LLVMBuildLoad2(builder, type, place(side, i), "got");
	LLVMSetAlignment(loaded, vector_bytes(side));
	scopes_tell(loaded, exchange->scopes);
	return LLVMBuildBitCast(builder, loaded, exchange_elements(exchange, side->vector),
		"elements");
}

/* The number of an offset: registers that hold the same have the same. */
static unsigned find_offset(const struct side *side, int64_t offset)
{
	unsigned low = 0, high = side->count;

	while (high - low > 1) {
		unsigned middle = (low + high) / 2;

		if (side->offsets[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static bool get(const struct exchange *exchange, LLVMValueRef *to)
{
	const struct owner *of = &exchange->plan->lds.get;
	struct side side = { .exchange = exchange, .get = true };
	LLVMValueRef *loaded = layout_alloc(exchange->ctx,
		(size_t)of->extent[OWNER_REGISTER], sizeof(LLVMValueRef));
	bool ok = loaded && open_side(&side);

	for (unsigned i = 0; ok && i < side.count; i += side.vector)
		loaded[i / side.vector] = get_vector(&side, i);
	for (int64_t r = 0; ok && r < of->extent[OWNER_REGISTER]; r++) {
		unsigned own = exchange->plan->lds.turned ? r % side.vector : 0;
		const int64_t hw[] = { 0, 0, r - own };
		unsigned i = find_offset(&side, conversion_offset(of, hw)) + own;

		to[r] = exchange_extract(exchange, loaded[i / side.vector],
			i % side.vector);
	}
	free(side.offsets);
	free(loaded);
	return ok;
}

/* Subgroups beyond those of the owner get what another one has put. */
static void wait(const struct exchange *exchange)
{
	const struct owner_hardware *hardware = &exchange->hardware;

	if (exchange->plan->lds.slices &&
	    hardware->subgroups <= exchange->plan->from.extent[OWNER_SUBGROUP])
		hardware->hooks->wave_barrier(exchange->builder);
	else
		hardware->hooks->barrier(exchange->builder);
}

bool exchange_lds(const struct exchange *exchange, const LLVMValueRef *from,
	LLVMValueRef *to)
{
	if (exchange->reused)
		wait(exchange);
	if (!put(exchange, from))
		return false;
	wait(exchange);
	return get(exchange, to);
}
