/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions: the same elements under another owner. */
#include "lower/program_parts.h"

#include <stdlib.h>

bool program_lower_convert(program_scope *body, const layout_tile *tile)
{
	const layout_tile *operand = tile->operands[0];
	unsigned count = program_registers_of(body, tile);
	LLVMValueRef *values = program_make_values(body, tile);
	unsigned *registers = layout_alloc(body->ctx, count, sizeof(*registers));
	int dims[OWNER_RANK];
	bool ok = values && registers;

	for (unsigned d = 0; d < tile->rank; d++)
		dims[d] = (int)d;
	if (ok && !program_registers(program_owner(body, operand), dims,
	    program_owner(body, tile), true, registers)) {
		layout_fail(body->ctx, LAYOUT_ERROR_UNSUPPORTED, tile->position,
			"converting `%s` takes lanes", operand->name);
		ok = false;
	}
	for (unsigned r = 0; ok && r < count; r++)
		values[r] = body->values[operand->number][registers[r]];
	free(registers);
	return ok;
}
