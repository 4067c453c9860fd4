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

/* An operand: its registers as they are, and once they were asked for, in the sum's type or with
 * their scales; which one each register of the letters takes. */
struct factor {
	LLVMValueRef *values, *wide;
	unsigned *registers;
};

static LLVMValueRef narrow(const struct factor *factor, unsigned n)
{
	return factor->values[factor->registers[n]];
}

/* Made wider once: LLVM finds out only much later that many are the same. */
static LLVMValueRef widen(const program_scope *body, const layout_tile *contract,
	const struct factor *factors, unsigned i, unsigned n)
{
	LLVMValueRef *wide = &factors[i].wide[factors[i].registers[n]];

	if (!*wide)
		*wide = program_has_scales(contract) ? number_scaled(body->b,
			contract->operands[1 + i]->type, narrow(&factors[i], n),
			narrow(&factors[2 + i], n)) :
			program_cast(body, contract->operands[1 + i]->type, contract->type,
			narrow(&factors[i], n));
	return *wide;
}

/* sum + x * y of the letters' register n, where these have scales. */
static LLVMValueRef add_scaled(const program_scope *body, const layout_tile *contract,
	LLVMValueRef sum, const struct factor factors[4], unsigned n)
{
	LLVMValueRef product = number_scaled_product(body->b, contract->type,
		widen(body, contract, factors, 0, n), widen(body, contract, factors, 1, n));
	LLVMValueRef args[] = { number_to_bits(body->b, contract->type, product), sum };

	return program_operate(body, MAP_ADD, contract->type, args);
}

/* sum + x * y in the sum's type, of the letters' register n. */
static LLVMValueRef add_product(const program_scope *body, const layout_tile *contract,
	LLVMValueRef sum, const struct factor factors[2], unsigned n)
{
	LLVMValueRef args[] = { widen(body, contract, factors, 0, n),
		widen(body, contract, factors, 1, n), sum };

	return args[0] && args[1] ? program_operate(body, MAP_FMA, contract->type, args) : NULL;
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
	LLVMValueRef *sum, const struct factor factors[4], unsigned n, unsigned next)
{
	LLVMValueRef dot = NULL;

	if (program_has_scales(tile)) {
		*sum = add_scaled(body, tile, *sum, factors, n);
		return *sum != NULL;
	}
	if (next && are_halves(tile))
		dot = add_pair(body, *sum, (LLVMValueRef[]){ narrow(&factors[0], n),
			narrow(&factors[0], next) }, (LLVMValueRef[]){ narrow(&factors[1], n),
			narrow(&factors[1], next) });
	if (dot) {
		*sum = dot;
		return 2;
	}
	*sum = add_product(body, tile, *sum, factors, n);
	return *sum != NULL;
}

/* Load what the letters' registers from "first" to "end" take of an operand. */
static bool load_part(program_scope *body, const layout_tile *operand, const unsigned *registers,
	unsigned first, unsigned end)
{
	bool *part = layout_alloc(body->ctx, program_registers_of(body, operand), sizeof(*part));

	for (unsigned n = first; part && n < end; n++)
		part[registers[n]] = true;
	return program_load_part(body, operand, part, !first);
}

/* The products of the letters' registers from "first" to "end", "own" of which are one of each
 * sum. */
static bool add_all(const program_scope *body, const layout_tile *tile, LLVMValueRef *values,
	const struct factor factors[4], unsigned own, unsigned first, unsigned end)
{
	unsigned added = 1;

	for (unsigned r = 0; r < own; r++)
		for (unsigned n = first + r; added && n < end; n += added * own)
			added = add_products(body, tile, &values[r], factors, n,
				n + own < end ? n + own : 0);
	return added;
}

static bool open_factor(const program_scope *body, const layout_tile *tile,
	const struct owner *letters, unsigned i, struct factor *factor)
{
	const layout_tile *operand = tile->operands[1 + i];

	factor->values = body->values[operand->number];
	factor->wide = layout_alloc(body->ctx, program_registers_of(body, operand),
		sizeof(*factor->wide));
	factor->registers = find_registers(body, tile, letters, i + 1);
	return factor->wide && factor->registers;
}

/* Both factors of a part, if they come in parts. */
static bool load_factors(program_scope *body, const layout_tile *tile, struct factor factors[2],
	unsigned first, unsigned end)
{
	bool ok = true;

	for (unsigned i = 0; ok && tile->parts && i < 2; i++) {
		ok = load_part(body, tile->operands[1 + i], factors[i].registers, first, end);
		factors[i].values = body->values[tile->operands[1 + i]->number];
	}
	return ok;
}

bool program_lower_contract(program_scope *body, const layout_tile *tile)
{
	LLVMValueRef *values = program_make_values(body, tile);
	LLVMValueRef *sum = body->values[tile->operands[0]->number];
	struct owner letters = *program_owner(body, tile), blocks;
	unsigned own = program_registers_of(body, tile), all, part;
	bool ok = values && program_letters_owner(&letters, tile);
	struct factor factors[4] = { { NULL } };

	blocks = letters;
	ok = ok && (!program_has_scales(tile) || program_scale_owner(&blocks, tile));
	for (unsigned i = 0; ok && i < tile->operand_count - 1; i++)
		ok = open_factor(body, tile, i < 2 ? &letters : &blocks, i, &factors[i]);
	for (unsigned r = 0; ok && r < own; r++)
		values[r] = sum[r];
	all = ok ? (unsigned)letters.extent[OWNER_REGISTER] : 0;
	part = tile->parts ? all / tile->parts : all;
	for (unsigned n = 0; ok && n < all; n += part) {
		ok = load_factors(body, tile, factors, n, n + part) &&
			add_all(body, tile, values, factors, own, n, n + part);
		if (ok && tile->parts)
			program_finish_part(body, values, own, 0);
	}
	for (unsigned i = 0; i < 4; i++) {
		free(factors[i].wide);
		free(factors[i].registers);
	}
	return ok;
}
