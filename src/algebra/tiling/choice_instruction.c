/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which matrix instruction: the first question of the choice. */
#include "algebra/tiling/choice_instruction.h"

#include "algebra/storage/element.h"

#include <stdlib.h>
#include <string.h>

#define SCALE_TYPE "f8E8M0FNU"

const char *tiling_scaled_type(unsigned i)
{
	static const char *const types[] = {
		"f8E5M2", "f8E5M2FNUZ", "f8E4M3FN", "f8E4M3FNUZ", "f4E2M1FN", NULL,
	};

	return i < sizeof(types) / sizeof(*types) ? types[i] : NULL;
}

static bool is_scaled_input(const char *type)
{
	for (unsigned i = 0; tiling_scaled_type(i); i++)
		if (!strcmp(tiling_scaled_type(i), type))
			return true;
	return false;
}

static bool is_scaled_row(const struct mma_row *row)
{
	return mma_row_has(row, LAYOUT_MMA_LHS_SCALE);
}

/* Does the instruction multiply operands of these types? */
static bool takes_types(const layout_operand *operand, const struct mma_row *row)
{
	char *const *types = operand->types;

	if (operand->op_type == LAYOUT_SCALED_MATMUL)
		return is_scaled_row(row) && is_scaled_input(types[0]) &&
			!strcmp(types[0], types[1]) && !strcmp(types[2], SCALE_TYPE) &&
			!strcmp(types[3], SCALE_TYPE) && !strcmp(types[4], row->types[2]);
	return !is_scaled_row(row) && !strcmp(types[0], row->types[0]) &&
		!strcmp(types[1], row->types[1]) && !strcmp(types[2], row->types[2]);
}

const struct mma_row *tiling_find_instruction(layout_context *ctx,
	const layout_tiling_target *target, const char *name)
{
	struct layout_caught caught = { 0 };
	struct layout_caught *previous = layout_context_catch(ctx, &caught);
	layout_mma *mma = layout_mma_find(ctx, name, LAYOUT_MMA_LHS,
		target->instructions_of);
	const struct mma_row *row = mma ? mma->row : NULL;

	layout_mma_free(mma);
	layout_context_catch(ctx, previous);
	if (!row)
		layout_fail(ctx, caught.kind == LAYOUT_ERROR_MEMORY ? caught.kind :
			LAYOUT_ERROR_UNSUPPORTED, -1, "target %s: %s", target->name,
			caught.message ? caught.message : "out of memory");
	free(caught.message);
	if (!row || row->shape->lanes == target->wave_size)
		return row;
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"target %s has waves of %u lanes, %s is of %u", target->name,
		target->wave_size, name, row->shape->lanes);
	return NULL;
}

/* What speaks against the next instruction of the list, "best" being the one until now;
 * NULL: nothing. */
static const char *against(const layout_operand *operand, const struct mma_row *row,
	const struct mma_row *best)
{
	if (row->shape->blocks > 1)
		return "has several blocks";
	if (!best)
		return NULL;
	if (operand->op_type == LAYOUT_SCALED_MATMUL)
		return "is not the first";
	return best->shape->k > row->shape->k ? "has less of K" : NULL;
}

static void print_types(const layout_operand *operand, struct layout_buffer *why)
{
	for (unsigned i = 0; i < operand->type_count; i++)
		layout_buffer_printf(why, "%s%s", i ? ", " : "", operand->types[i]);
}

bool tiling_instruction(const layout_operand *operand,
	const layout_tiling_target *target, struct layout_buffer *why,
	const struct mma_row **best)
{
	unsigned count = 0;

	*best = NULL;
	layout_buffer_printf(why, "instructions of %s that take ", target->name);
	print_types(operand, why);
	layout_buffer_printf(why, ":\n");
	for (; target->instructions && target->instructions[count]; count++) {
		const char *name = target->instructions[count], *reason;
		const struct mma_row *row = tiling_find_instruction(operand->ctx, target, name);

		if (!row)
			return false;
		if (!takes_types(operand, row))
			continue;
		reason = against(operand, row, *best);
		layout_buffer_printf(why, "    %s: %ux%ux%u, %s\n", row->name,
			row->shape->m, row->shape->n, row->shape->k, reason ? reason :
			*best ? "has no less of K than the one before: taken" : "taken");
		if (!reason)
			*best = row;
	}
	if (!*best)
		layout_buffer_printf(why, "    none of its %u\n", count);
	return true;
}

/* The bits of a lane for one operand of the instruction, of elements of "type"; 0 with
 * an error. */
static int64_t operand_bits(layout_context *ctx, const struct mma_row *row,
	layout_mma_operand operand, const char *type)
{
	const struct element_type *element = element_type_find(ctx, type);
	struct layout_mma mma = { .ctx = ctx, .row = row, .operand = operand };

	return element ? (int64_t)layout_mma_elements(&mma) * element->bits : 0;
}

bool tiling_lane_bits(const layout_operand *operand, const struct mma_row *row,
	struct lane_bits *bits)
{
	bool scaled = operand->op_type == LAYOUT_SCALED_MATMUL;
	layout_context *ctx = operand->ctx;

	bits->lhs = operand_bits(ctx, row, LAYOUT_MMA_LHS, operand->types[0]);
	bits->rhs = operand_bits(ctx, row, LAYOUT_MMA_RHS, operand->types[1]);
	bits->acc = operand_bits(ctx, row, LAYOUT_MMA_ACC,
		operand->types[scaled ? 4 : 2]);
	if (!bits->lhs || !bits->rhs || !bits->acc)
		return false;
	if (!scaled)
		return true;
	bits->lhs += operand_bits(ctx, row, LAYOUT_MMA_LHS_SCALE, SCALE_TYPE);
	bits->rhs += operand_bits(ctx, row, LAYOUT_MMA_RHS_SCALE, SCALE_TYPE);
	return true;
}
