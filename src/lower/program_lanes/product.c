/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions by matrix instructions: registers of a block are an instruction's operand. */
#include "lower/program_lanes/parts.h"
#include "program/product.h"

#include <stdlib.h>

/* Elements of less than a byte, as many as fill words. */
static LLVMValueRef join_bits(const program_scope *body, const LLVMValueRef *registers,
	unsigned count, unsigned bits)
{
	LLVMValueRef words = LLVMConstNull(LLVMVectorType(body->i32, count * bits / 32));

	for (unsigned i = 0; i < count * bits / 32; i++) {
		LLVMValueRef word = lower_int(body->i32, 0);

		for (unsigned r = 32 * i / bits; r < count && r * bits < 32 * (i + 1); r++) {
			LLVMValueRef value = LLVMBuildZExt(body->b, registers[r], body->i32, "");
			bool before = r * bits < 32 * i;
			LLVMValueRef by = lower_int(body->i32, before ? 32 * i - r * bits :
				r * bits - 32 * i);

			value = before ? LLVMBuildLShr(body->b, value, by, "") :
				LLVMBuildShl(body->b, value, by, "");
			word = LLVMBuildOr(body->b, word, value, "");
		}
		words = LLVMBuildInsertElement(body->b, words, word, lower_int(body->i32, i),
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

/* Some steps of all groups whose blocks of y are in a share, of so many: all in one. */
struct part {
	unsigned steps, step, blocks, block;
};

static struct part first_part(const struct product *product)
{
	const layout_tile *contract = product->contract;

	return (struct part){ product->steps / (contract->parts ? contract->parts : 1), 0,
		product->blocks[PRODUCT_Y] / (contract->shares ? contract->shares : 1), 0 };
}

static bool next_part(const struct product *product, struct part *part)
{
	part->block += part->blocks;
	if (part->block == product->blocks[PRODUCT_Y]) {
		part->block = 0;
		part->step += part->steps;
	}
	return part->step < product->steps;
}

/* Load a factor's registers of the part's steps, of y those of its blocks. */
static bool load_factor(program_scope *body, const struct product *product,
	const struct part *part, unsigned which)
{
	const layout_tile *tile = product->contract->operands[1 + which];
	unsigned count = program_registers_of(body, tile), elements = product->elements[which];
	bool *registers = layout_alloc(body->ctx, count, sizeof(*registers));

	for (unsigned r = 0; registers && r < count; r++)
		registers[r] = r / elements % product->steps - part->step < part->steps &&
			(which == PRODUCT_X || r / elements / product->steps - part->block <
			 part->blocks);
	return program_load_part(body, tile, registers, !part->step && !part->block);
}

/* Load what the part takes; x is for all shares. */
static bool load_part(program_scope *body, const struct product *product, const struct part *part)
{
	return (part->block || load_factor(body, product, part, PRODUCT_X)) &&
		load_factor(body, product, part, PRODUCT_Y);
}

/* All groups take a step before any takes the next: they need not wait for each other. */
static void multiply(const program_scope *body, const struct product *product,
	const struct part *part, LLVMValueRef *sums)
{
	const layout_kernel *kernel = body->iteration->kernel;
	unsigned lhs = product->swapped ? PRODUCT_Y : PRODUCT_X;

	for (unsigned t = part->step; t < part->step + part->steps; t++)
		for (unsigned g = 0; g < product->groups; g++) {
			struct target_product of;

			if (product->block[PRODUCT_Y][g] - part->block >= part->blocks)
				continue;
			of = (struct target_product){ product->code, {
				factor(body, product, lhs, g, t),
				factor(body, product, !lhs, g, t) },
				{ type_of(product, lhs), type_of(product, !lhs) },
				{ scale(body, product, lhs, g, t),
				  scale(body, product, !lhs, g, t) },
				sums[g], product_words(product) };
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
	struct part part = first_part(product);
	bool ok = sums && values;

	for (unsigned g = 0; ok && g < product->groups; g++)
		sums[g] = program_join(body, before + g * elements, elements);
	do {
		ok = ok && (!tile->parts || load_part(body, product, &part));
		if (ok)
			multiply(body, product, &part, sums);
		if (ok && tile->parts)
			program_finish_part(body, sums, product->groups, elements *
				tile->type->bits / 32);
	} while (ok && next_part(product, &part));
	for (unsigned g = 0; ok && g < product->groups; g++)
		program_part(body, sums[g], elements, values + g * elements);
	free(sums);
	return ok;
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
