/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions on vector units: every lane sums what it holds. */
#include "lower/number.h"
#include "lower/program_lanes/parts.h"

#include <stdlib.h>
#include <string.h>

/* Which register of an operand each register of the letters takes; to be freed. */
static unsigned *find_registers(const program_scope *body, const layout_tile *contract,
	const struct owner *letters, unsigned operand)
{
	const layout_tile *tile = contract->operands[operand];
	const unsigned *map = program_letters_of(contract, operand);
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

/* sum + x * y, where these have scales. */
static LLVMValueRef add_scaled(const program_scope *body, const layout_tile *contract,
	LLVMValueRef sum, const LLVMValueRef factors[4])
{
	const struct element_type *const types[] = { contract->operands[1]->type,
		contract->operands[2]->type };
	LLVMValueRef product = number_scaled_product(body->b, contract->type, types, factors,
		factors + 2);
	LLVMValueRef args[] = { number_to_bits(body->b, contract->type, product), sum };

	return program_operate(body, MAP_ADD, contract->type, args);
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

static bool are_halves(const layout_tile *contract)
{
	return !strcmp(contract->operands[1]->type->name, "f16") &&
		!strcmp(contract->operands[2]->type->name, "f16") &&
		!strcmp(contract->type->name, "f32");
}

static LLVMValueRef pair_of(const program_scope *body, LLVMValueRef first,
	LLVMValueRef second)
{
	LLVMTypeRef half = LLVMHalfTypeInContext(LLVMGetBuilderContext(body->b));
	LLVMValueRef pair = LLVMGetPoison(LLVMVectorType(half, 2));

	pair = LLVMBuildInsertElement(body->b, pair, LLVMBuildBitCast(body->b, first, half,
		""), lower_int(body->i32, 0), "");
	return LLVMBuildInsertElement(body->b, pair, LLVMBuildBitCast(body->b, second, half,
		""), lower_int(body->i32, 1), "");
}

/* Two products of halves at once, where the target adds them so; else NULL. */
static LLVMValueRef add_pair(const program_scope *body, LLVMValueRef sum,
	LLVMValueRef x[2], LLVMValueRef y[2])
{
	const layout_kernel *kernel = body->iteration->kernel;
	LLVMTypeRef f32 = LLVMFloatTypeInContext(LLVMGetBuilderContext(body->b));
	LLVMValueRef dot = kernel->hooks->dot2(body->b, kernel->target,
		pair_of(body, x[0], x[1]), pair_of(body, y[0], y[1]),
		LLVMBuildBitCast(body->b, sum, f32, ""));

	return dot ? LLVMBuildBitCast(body->b, dot, body->i32, "") : NULL;
}

/* The products of the letters' register n, and of the one that has the next of the same
 * sum where they are added as pairs; how many were added, 0 on an error. */
static unsigned add_products(const program_scope *body, const layout_tile *tile,
	LLVMValueRef *sum, LLVMValueRef *const operands[4], unsigned *const registers[4],
	unsigned n, unsigned next)
{
	LLVMValueRef x[2], y[2], dot = NULL;

	if (program_has_scales(tile)) {
		*sum = add_scaled(body, tile, *sum, (const LLVMValueRef[]){
			operands[0][registers[0][n]], operands[1][registers[1][n]],
			operands[2][registers[2][n]], operands[3][registers[3][n]] });
		return *sum != NULL;
	}
	for (unsigned i = 0; i < 2 && (!i || next); i++) {
		x[i] = operands[0][registers[0][i ? next : n]];
		y[i] = operands[1][registers[1][i ? next : n]];
	}
	if (next && are_halves(tile))
		dot = add_pair(body, *sum, x, y);
	if (dot) {
		*sum = dot;
		return 2;
	}
	*sum = add_product(body, tile, *sum, x[0], y[0]);
	return *sum != NULL;
}

bool program_lower_contract(program_scope *body, const layout_tile *tile)
{
	LLVMValueRef *values = program_make_values(body, tile);
	LLVMValueRef *operands[4] = { NULL };
	LLVMValueRef *sum = body->values[tile->operands[0]->number];
	struct owner letters = *program_owner(body, tile), blocks;
	unsigned own = program_registers_of(body, tile), *registers[4] = { NULL };
	bool ok = values && program_letters_owner(&letters, tile);

	blocks = letters;
	ok = ok && (!program_has_scales(tile) || program_scale_owner(&blocks, tile));
	for (unsigned i = 0; ok && i < tile->operand_count - 1; i++) {
		operands[i] = body->values[tile->operands[1 + i]->number];
		registers[i] = find_registers(body, tile, i < 2 ? &letters : &blocks, i + 1);
		ok = registers[i];
	}
	for (unsigned r = 0; ok && r < own; r++)
		values[r] = sum[r];
	for (unsigned r = 0, count = (unsigned)letters.extent[OWNER_REGISTER]; r < own; r++)
		for (unsigned n = r, added; ok && n < count; n += added * own) {
			added = add_products(body, tile, &values[r], operands, registers, n,
				n + own < count ? n + own : 0);
			ok = added;
		}
	for (unsigned i = 0; i < 4; i++)
		free(registers[i]);
	return ok;
}
