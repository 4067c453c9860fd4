/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions on vector units: every lane sums what it holds. */
#include "lower/program_parts.h"

#include <stdlib.h>

/* Which register of an operand each register of the letters takes; to be freed. */
static unsigned *find_registers(const program_scope *body, const layout_tile *contract,
	const struct owner *letters, unsigned operand)
{
	const layout_tile *tile = contract->operands[operand];
	const unsigned *map = contract->maps[operand ? operand - 1 : 2];
	unsigned *registers = layout_alloc(body->ctx,
		(size_t)letters->extent[OWNER_REGISTER], sizeof(*registers));
	int dims[OWNER_RANK];

	for (unsigned d = 0; d < tile->rank; d++)
		dims[d] = (int)map[d];
	if (!registers || program_registers(program_owner(body, tile), dims, letters, false,
	    registers))
		return registers;
	layout_fail(body->ctx, LAYOUT_ERROR_UNSUPPORTED, contract->position,
		"the owner of `%s` does not go with that of `%s`", contract->name,
		tile->name);
	free(registers);
	return NULL;
}

/* sum + x * y in the sum's type. */
static LLVMValueRef add_product(const program_scope *body, const layout_tile *contract,
	LLVMValueRef sum, LLVMValueRef x, LLVMValueRef y)
{
	const struct element_type *type = contract->type;
	LLVMValueRef args[] = {
		program_cast(body, contract->operands[1]->type, type, x),
		program_cast(body, contract->operands[2]->type, type, y), sum };

	return args[0] && args[1] ? program_operate(body, MAP_FMA, type, args) : NULL;
}

bool program_lower_contract(program_scope *body, const layout_tile *tile)
{
	LLVMValueRef *values = program_make_values(body, tile);
	LLVMValueRef *x = body->values[tile->operands[1]->number];
	LLVMValueRef *y = body->values[tile->operands[2]->number];
	LLVMValueRef *sum = body->values[tile->operands[0]->number];
	struct owner letters = *program_owner(body, tile);
	unsigned own = program_registers_of(body, tile), *registers[2] = { NULL };
	bool ok = values && program_letters_owner(&letters, tile);

	for (unsigned i = 0; ok && i < 2; i++) {
		registers[i] = find_registers(body, tile, &letters, i + 1);
		ok = registers[i];
	}
	for (unsigned r = 0; ok && r < own; r++)
		values[r] = sum[r];
	for (unsigned n = 0; ok && n < letters.extent[OWNER_REGISTER]; n++) {
		values[n % own] = add_product(body, tile, values[n % own],
			x[registers[0][n]], y[registers[1][n]]);
		ok = values[n % own];
	}
	free(registers[0]);
	free(registers[1]);
	return ok;
}
