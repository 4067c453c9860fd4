/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/program_lanes/local.h"

enum { SLOT_BYTES = 8 };

static LLVMValueRef exchange(const program_scope *body, LLVMValueRef word,
	LLVMValueRef lane, unsigned mask)
{
	const layout_kernel *kernel = body->iteration->kernel;

	return lane ? kernel->hooks->lane_read(body->b, kernel->target, word, body->hardware.lane,
			lane) :
		kernel->hooks->lane_xor(body->b, kernel->target, word, body->hardware.lane,
			mask);
}

LLVMValueRef program_lane_value(const program_scope *body, LLVMValueRef value,
	LLVMValueRef lane, unsigned mask)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMValueRef low, high, word = lower_int(body->i64, 32);

	if (LLVMGetIntTypeWidth(type) <= 32) {
		low = LLVMBuildZExtOrBitCast(body->b, value, body->i32, "");
		low = exchange(body, low, lane, mask);
		return LLVMBuildTruncOrBitCast(body->b, low, type, "");
	}
	low = exchange(body, LLVMBuildTrunc(body->b, value, body->i32, ""), lane, mask);
	high = exchange(body, LLVMBuildTrunc(body->b, LLVMBuildLShr(body->b, value, word,
		""), body->i32, ""), lane, mask);
	high = LLVMBuildShl(body->b, LLVMBuildZExt(body->b, high, type, ""), word, "");
	return LLVMBuildOr(body->b, LLVMBuildZExt(body->b, low, type, ""), high, "");
}

static LLVMValueRef local_at(const program_scope *body, int64_t offset)
{
	LLVMValueRef at = lower_int(body->i32, offset), memory = iteration_local(
		body->iteration, body->plan->object_bytes + body->plan->local_bytes);

	return offset ? LLVMBuildInBoundsGEP2(body->b, body->i8, memory, &at, 1, "") : memory;
}

LLVMValueRef program_local_memory(const program_scope *body, const layout_tile *tile)
{
	return local_at(body, body->plan->scratch[tile->number]);
}

LLVMValueRef program_local_object(const program_scope *body, const layout_memory *local)
{
	return local_at(body, program_find_local(body, local)->at);
}

const struct plan_local *program_find_local(const program_scope *body,
	const layout_memory *local)
{
	return &body->plan->locals[program_memory_number(body->plan->program, local) -
		body->plan->program->memory_count];
}

static LLVMValueRef slot(const program_scope *body, const layout_tile *tile, LLVMValueRef wave,
	unsigned n)
{
	int64_t lanes = (int64_t)body->hardware.subgroups * body->plan->wave_size;
	LLVMValueRef number = LLVMBuildAdd(body->b, LLVMBuildMul(body->b, wave,
		lower_int(body->i32, body->plan->wave_size), ""), body->hardware.lane, "");

	number = LLVMBuildMul(body->b, number, lower_int(body->i32, SLOT_BYTES), "");
	number = LLVMBuildAdd(body->b, number, lower_int(body->i32,
		n * lanes * SLOT_BYTES), "");
	return LLVMBuildGEP2(body->b, body->i8, program_local_memory(body, tile), &number, 1, "");
}

void program_local_put(const program_scope *body, const layout_tile *tile, LLVMValueRef value,
	unsigned n)
{
	LLVMValueRef stored = LLVMBuildStore(body->b, value, slot(body, tile,
		body->hardware.subgroup, n));

	LLVMSetAlignment(stored, SLOT_BYTES);
	scopes_tell(stored, program_local_scopes(body, tile));
}

LLVMValueRef program_local_get(const program_scope *body, const layout_tile *tile,
	LLVMTypeRef type, LLVMValueRef wave, unsigned n)
{
	LLVMValueRef value = LLVMBuildLoad2(body->b, type, slot(body, tile, wave, n), "");

	LLVMSetAlignment(value, SLOT_BYTES);
	scopes_tell(value, program_local_scopes(body, tile));
	return value;
}

void program_local_barrier(program_scope *body)
{
	body->arrivals += body->on > 0;
	body->iteration->kernel->hooks->barrier(body->b);
}

/* Where the tile alone takes some, and each wave has its own slice of that, others are in nobody's
 * way. */
void program_local_await(program_scope *body, const layout_tile *tile)
{
	const struct program_plan *plan = body->plan;
	bool over = plan->scratch[tile->number] < plan->object_bytes;

	if (!body->read_local && !over)
		return;
	if (over || plan->scratch_count > 1 || program_plan_synchronizes(plan, tile))
		program_local_barrier(body);
	else
		body->iteration->kernel->hooks->wave_barrier(body->b);
}
