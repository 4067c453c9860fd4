/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions by matrix instructions: registers of a block are an instruction's operand. */
#include "lower/program_parts.h"
#include "program/product.h"

#include <stdlib.h>

/* Elements of less than a byte, as many as fill words. */
static LLVMValueRef join_bits(const program_scope *body, const LLVMValueRef *registers,
	unsigned count, unsigned bits)
{
	LLVMValueRef words = LLVMConstNull(LLVMVectorType(body->i32, count * bits / 32));

	for (unsigned i = 0; i < count * bits / 32; i++) {
		LLVMValueRef word = program_int(body->i32, 0);

		for (unsigned r = 32 * i / bits; r < count && r * bits < 32 * (i + 1); r++) {
			LLVMValueRef value = LLVMBuildZExt(body->b, registers[r], body->i32, "");
			bool before = r * bits < 32 * i;
			LLVMValueRef by = program_int(body->i32, before ? 32 * i - r * bits :
				r * bits - 32 * i);

			value = before ? LLVMBuildLShr(body->b, value, by, "") :
				LLVMBuildShl(body->b, value, by, "");
			word = LLVMBuildOr(body->b, word, value, "");
		}
		words = LLVMBuildInsertElement(body->b, words, word, program_int(body->i32, i),
			"");
	}
	return words;
}

/* The operand of step t of a block of x or y. */
static LLVMValueRef factor(const program_scope *body, const struct product *product,
	unsigned which, unsigned g, unsigned t)
{
	const layout_tile *tile = product->contract->operands[which + 1];
	unsigned elements = product->elements[which], bits = tile->type->bits;
	const LLVMValueRef *registers = body->values[tile->number] +
		(product->block[which][g] * product->steps + t) * elements;

	return bits < 8 ? join_bits(body, registers, elements, bits) :
		program_join(body, registers, elements);
}

static const struct element_type *type_of(const struct product *product, unsigned which)
{
	return product->contract->operands[which + 1]->type;
}

/* The scale of a step of a block, or NULL. */
static LLVMValueRef scale(const program_scope *body, const struct product *product,
	unsigned which, unsigned g, unsigned t)
{
	const layout_tile *contract = product->contract;

	return program_has_scales(contract) ? body->values[contract->operands[3 + which]->number]
		[product->block[which][g] * product->steps + t] : NULL;
}

/* Registers of 32 bits that sums and factors are in. */
static unsigned count_words(const struct product *product)
{
	const layout_tile *const *operands =
		(const layout_tile *const *)product->contract->operands;
	unsigned bits = product->groups * product->elements[PRODUCT_SUM] *
		operands[0]->type->bits;

	for (unsigned i = 0; i < 2; i++)
		bits += product->blocks[i] * product->steps * product->elements[i] *
			operands[i + 1]->type->bits;
	return bits / 32;
}

/* All groups take a step before any takes the next: they need not wait for each other. */
static void multiply(const program_scope *body, const struct product *product,
	LLVMValueRef *sums)
{
	const layout_kernel *kernel = body->iteration->kernel;
	unsigned lhs = product->swapped ? PRODUCT_Y : PRODUCT_X;

	for (unsigned t = 0; t < product->steps; t++)
		for (unsigned g = 0; g < product->groups; g++) {
			struct target_product of = { product->code, {
				factor(body, product, lhs, g, t),
				factor(body, product, !lhs, g, t) },
				{ type_of(product, lhs), type_of(product, !lhs) },
				{ scale(body, product, lhs, g, t),
				  scale(body, product, !lhs, g, t) },
				sums[g], count_words(product) };

			sums[g] = kernel->hooks->multiply(body->b, kernel->target, &of);
		}
}

static bool lower(program_scope *body, const struct product *product)
{
	const layout_tile *tile = product->contract;
	unsigned elements = product->elements[PRODUCT_SUM];
	LLVMValueRef *sums = layout_alloc(body->ctx, product->groups, sizeof(*sums));
	LLVMValueRef *values = program_make_values(body, tile);
	LLVMValueRef *before = body->values[tile->operands[0]->number];

	for (unsigned g = 0; sums && values && g < product->groups; g++)
		sums[g] = program_join(body, before + g * elements, elements);
	if (sums && values)
		multiply(body, product, sums);
	for (unsigned g = 0; sums && values && g < product->groups; g++)
		program_part(body, sums[g], elements, values + g * elements);
	free(sums);
	return sums && values;
}

unsigned program_sum_vector(const program_scope *body, const layout_tile *tile)
{
	const struct chip *chip = chip_of(body->iteration->kernel->target);
	bool sum = !body->edge && tile->op == TILE_CONTRACT && tile->by &&
		!product_is_declined(tile);
	struct product *product = sum ? product_find(body->ctx, chip, tile, tile->swapped) :
		NULL;
	unsigned elements = product ? product->elements[PRODUCT_SUM] : 1;

	product_free(product);
	return elements;
}

bool program_lower_product(program_scope *body, const layout_tile *tile)
{
	const struct chip *chip = chip_of(body->iteration->kernel->target);
	struct product *product = product_find(body->ctx, chip, tile, tile->swapped);
	bool ok = product && product_read(product, program_owner(body, tile)) &&
		lower(body, product);

	product_free(product);
	return ok;
}
