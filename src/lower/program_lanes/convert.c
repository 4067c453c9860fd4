/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions: the same elements under another owner. */
#include "lower/program_lanes/exchange.h"
#include "lower/program_lanes/local.h"

#include <stdlib.h>

/* Elements of less than a byte go as bytes. */
static LLVMValueRef *widened(program_scope *body, const layout_tile *tile)
{
	unsigned count = program_registers_of(body, tile);
	LLVMValueRef *wide = layout_alloc(body->ctx, count, sizeof(*wide));

	for (unsigned r = 0; wide && r < count; r++)
		wide[r] = tile->type->bits < 8 ? LLVMBuildZExt(body->b,
			body->values[tile->number][r], body->i8, "") :
			body->values[tile->number][r];
	return wide;
}

static bool exchange(program_scope *body, const layout_tile *tile, const LLVMValueRef *from,
	LLVMValueRef *to)
{
	const layout_conversion_plan *plan = body->plan->conversions[tile->number];
	bool local = plan->kind == LAYOUT_CONVERT_LDS;
	struct exchange exchange = { .ctx = body->ctx, .builder = body->b,
		.hardware = body->hardware, .plan = plan,
		.memory = local ? program_local_memory(body, tile) : NULL };

	if (local) {
		exchange.scopes = program_local_scopes(body, tile);
		program_local_await(body, tile);
	}
	body->read_local = body->read_local || local;
	body->arrivals += body->on && program_plan_synchronizes(body->plan, tile);
	return exchange_values(&exchange, from, to);
}

bool program_lower_convert(program_scope *body, const layout_tile *tile)
{
	LLVMValueRef *wide = widened(body, tile->operands[0]);
	LLVMValueRef *values = program_make_values(body, tile);
	unsigned count = program_registers_of(body, tile);
	bool ok = wide && values && exchange(body, tile, wide, values);

	for (unsigned r = 0; ok && tile->type->bits < 8 && r < count; r++)
		values[r] = LLVMBuildTrunc(body->b, values[r], program_type(body,
			tile->type), "");
	free(wide);
	return ok;
}
