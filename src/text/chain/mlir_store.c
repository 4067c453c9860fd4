/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A chain as the body of map_store: from an index of the source to the one of the result,
 * and whether it is in it at all. */
#include "text/chain/mlir.h"

#include <string.h>

/* The indices of a slice: those that it leaves out are masked. */
static void store_slice(struct emitter *emitter, const layout_chain *step,
	struct value *indices)
{
	unsigned j = 0;

	for (unsigned d = 0; d < step->before->rank; d++) {
		const struct size *whole = &step->before->sizes[d];
		struct value index = indices[d], at;
		int64_t stride = step->strides[d];

		if (j == step->rank || step->dims[j] != d) {
			if (whole->value != 1) {
				at = mlir_size(emitter, &step->offsets[d]);
				mlir_require(emitter, "eq", index, at);
			}
			continue;
		}
		index = mlir_shift(emitter, index, 1, -1, &step->offsets[d]);
		if (stride != 1) {
			at = mlir_divide(emitter, index, "mod", stride);
			mlir_require(emitter, "eq", at, mlir_constant(emitter, 0));
			index = mlir_divide(emitter, index, "floordiv", stride);
		}
		if (stride != 1 || step->offsets[d].value != 0 ||
		    !mlir_same_size(whole, &step->sizes[j])) {
			at = mlir_size(emitter, &step->sizes[j]);
			mlir_require(emitter, "ult", index, at);
		}
		indices[j++] = index;
	}
}

/* From the index before a step to the one behind it. */
static bool store_step(struct emitter *emitter, const layout_chain *step,
	struct value *indices)
{
	struct value old[CHAIN_RANK];
	unsigned at = 0;

	memcpy(old, indices, sizeof(old));
	switch (step->kind) {
	case CHAIN_SOURCE:
		return true;
	case CHAIN_TRANSPOSE:
		for (unsigned j = 0; j < step->rank; j++)
			indices[j] = old[step->dims[j]];
		return true;
	case CHAIN_EXPAND:
		for (unsigned g = 0; g < step->group_count; at += step->groups[g++])
			mlir_delinearize(emitter, old[g], step->sizes + at,
				step->groups[g], indices + at);
		for (; at < step->rank; at++)
			indices[at] = mlir_constant(emitter, 0);
		return true;
	case CHAIN_COLLAPSE:
		for (unsigned g = 0; g < step->group_count; at += step->groups[g++])
			indices[g] = mlir_linearize(emitter, old + at,
				step->before->sizes + at, step->groups[g]);
		return true;
	case CHAIN_SLICE:
		store_slice(emitter, step, indices);
		return true;
	case CHAIN_PAD:
		for (unsigned d = 0; d < step->rank; d++)
			indices[d] = mlir_shift(emitter, old[d], 1, 1, &step->offsets[d]);
		return true;
	case CHAIN_BROADCAST:
		break;
	}
	layout_fail(emitter->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"an element that is broadcast goes to several indices, and map_store has "
		"one; map_load does it");
	return false;
}

static bool store_steps(struct emitter *emitter, const layout_chain *chain,
	struct value *indices)
{
	return (!chain->before || store_steps(emitter, chain->before, indices)) &&
		store_step(emitter, chain, indices);
}

bool mlir_store(struct emitter *emitter, const struct element_type *type)
{
	struct value indices[CHAIN_RANK];

	mlir_begin_body(emitter, "map_store", layout_storage_rank(emitter->chain->source),
		indices);
	if (!store_steps(emitter, emitter->chain, indices))
		return false;
	if (!emitter->mask.name[0]) {
		layout_buffer_printf(&emitter->out, "  %%true = arith.constant true\n");
		strcpy(emitter->mask.name, "%true");
	}
	mlir_end_body(emitter, indices, emitter->chain->rank, emitter->mask.name, "i1",
		type);
	return true;
}
