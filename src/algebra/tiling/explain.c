/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a resolution says of itself, but for the choice of the instruction. */
#include "algebra/tiling/explain.h"

#include <inttypes.h>

static const char *const loop_names[TILING_LOOPS] = {
	[LAYOUT_LOOP_BATCH] = "B", [LAYOUT_LOOP_M] = "M", [LAYOUT_LOOP_N] = "N",
	[LAYOUT_LOOP_K] = "K", [LAYOUT_LOOP_KB] = "KB",
};

static void print_size(struct layout_buffer *why, const char *name, int64_t size)
{
	if (size == LAYOUT_DYNAMIC)
		layout_buffer_printf(why, "%s = ?", name);
	else
		layout_buffer_printf(why, "%s = %" PRId64, name, size);
}

void explain_question(struct layout_buffer *why, const layout_operand *operand,
	const struct tiling_contraction *contraction, const layout_tiling_target *target)
{
	const char *separator = " with ";

	layout_buffer_printf(why, "%s, operand %u of a %s",
		layout_mma_operand_name(operand_role(operand)), operand->index,
		operand->op_type == LAYOUT_SCALED_MATMUL ? "scaled matmul" : "matmul");
	for (unsigned i = 0; contraction && i < TILING_LOOPS; i++) {
		if (!contraction->loops[i])
			continue;
		layout_buffer_printf(why, "%s", separator);
		print_size(why, loop_names[i], contraction->sizes[i]);
		separator = ", ";
	}
	layout_buffer_printf(why, " on %s\n", target->name);
}

void explain_identity(struct layout_buffer *why, const char *reason)
{
	layout_buffer_printf(why, "the tensor stays as it is: %s\n", reason);
}

void explain_unswizzled(struct layout_buffer *why, const layout_operand *operand)
{
	if (operand->op_type == LAYOUT_SCALED_MATMUL &&
			operand_role(operand) != LAYOUT_MMA_ACC)
		layout_buffer_printf(why, "a kernel that takes this operand unswizzled "
			"keeps the parts in the order of expandShape\n");
}

/* Why a loop that the tensor does not have is in its tile, or is not. */
static const char *why_missing(const struct tiling_contraction *contraction,
	layout_loop loop, layout_missing missing)
{
	if (contraction->tensor_dims[loop] >= 0)
		return "";
	if (contraction->loops[loop])
		return " (left out: no dimension of the tensor)";
	return contraction_keeps(contraction, loop, missing) ?
		" (kept, as IREE does: no loop of the contraction, so that all but one"
		" of it is padding)" :
		" (dropped: no loop of the contraction; IREE keeps it)";
}

void explain_tile(struct layout_buffer *why, const struct tile_swizzle *swizzle,
	const struct tiling_contraction *contraction, layout_missing missing)
{
	const char *separator = "tile of the operand: ";

	for (unsigned group = 0; group < swizzle->group_count; group++) {
		layout_loop loop = swizzle->loops[group];

		layout_buffer_printf(why, "%s%s %" PRId64 "%s", separator,
			loop_names[loop], swizzle_tile(swizzle, group),
			why_missing(contraction, loop, missing));
		separator = ", ";
	}
	layout_buffer_printf(why, "\n");
}
