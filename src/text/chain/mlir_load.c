/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A chain as the body of map_load: from an index of the result to the one of the source,
 * or to what pads. */
#include "text/chain/mlir.h"

#include <inttypes.h>
#include <string.h>

static void load_slice(struct emitter *emitter, const layout_chain *step,
	const struct value *old, struct value *indices)
{
	unsigned j = 0;

	for (unsigned d = 0; d < step->before->rank; d++) {
		bool kept = j < step->rank && step->dims[j] == d;

		indices[d] = kept ? mlir_shift(emitter, old[j], step->strides[d], 1,
			&step->offsets[d]) : mlir_size(emitter, &step->offsets[d]);
		j += kept;
	}
}

/* Where "masked", what is padding is noted; else the index is just out of range. */
static void load_pad(struct emitter *emitter, const layout_chain *step,
	struct value *indices, bool masked)
{
	for (unsigned d = 0; d < step->rank; d++) {
		const struct size *before = &step->before->sizes[d];

		if (step->offsets[d].value == 0 &&
		    mlir_same_size(before, &step->sizes[d]))
			continue;
		indices[d] = mlir_shift(emitter, indices[d], 1, -1, &step->offsets[d]);
		emitter->loose = true;
		if (masked) {
			struct value size = mlir_size(emitter, before);

			mlir_require(emitter, "ult", indices[d], size);
		}
	}
}

/* From the index behind a step to the one before it. */
static void load_step(struct emitter *emitter, const layout_chain *step,
	struct value *indices, bool masked)
{
	struct value old[CHAIN_RANK];
	unsigned at = 0;

	memcpy(old, indices, sizeof(old));
	switch (step->kind) {
	case CHAIN_SOURCE:
		break;
	case CHAIN_TRANSPOSE:
		for (unsigned j = 0; j < step->rank; j++)
			indices[step->dims[j]] = old[j];
		break;
	case CHAIN_EXPAND:
		for (unsigned g = 0; g < step->group_count; at += step->groups[g++])
			indices[g] = mlir_linearize(emitter, old + at, step->sizes + at,
				step->groups[g]);
		break;
	case CHAIN_COLLAPSE:
		for (unsigned g = 0; g < step->group_count; at += step->groups[g++])
			mlir_delinearize(emitter, old[g], step->before->sizes + at,
				step->groups[g], indices + at);
		for (; at < step->before->rank; at++)
			indices[at] = mlir_constant(emitter, 0);
		break;
	case CHAIN_SLICE:
		load_slice(emitter, step, old, indices);
		break;
	case CHAIN_PAD:
		load_pad(emitter, step, indices, masked);
		break;
	case CHAIN_BROADCAST:
		for (unsigned i = 0; i < step->before->rank; i++)
			indices[i] = old[step->dims[i]];
		break;
	}
}

/* "1.0", "-2.5e3" as MLIR has them, or the bits of what it has no decimal for. */
static void print_float(struct layout_buffer *out, const char *text, uint64_t bits,
	unsigned width)
{
	static const char digits[] = "0123456789";
	size_t sign = *text == '-', whole = strspn(text + sign, digits), point, fraction;
	const char *rest = text + sign + whole;

	point = *rest == '.';
	fraction = point ? strspn(rest + 1, digits) : 0;
	rest += point + fraction;
	if (!whole || (*rest && *rest != 'e' && *rest != 'E')) {
		layout_buffer_printf(out, "0x%0*" PRIX64, (int)(width + 3) / 4, bits);
		return;
	}
	layout_buffer_append(out, text, (size_t)(rest - text));
	layout_buffer_printf(out, "%s%s", point ? "" : ".0", rest);
}

/* "%padding = arith.constant 0.0 : f32"; a poison where nothing is padded. */
static bool print_padding(struct emitter *emitter, const struct element_type *type)
{
	const char *text = emitter->chain->pad_value;
	const layout_chain *step = emitter->chain;
	struct layout_buffer *out = &emitter->out;
	uint64_t bits = 0;

	while (step && step->kind != CHAIN_PAD)
		step = step->before;
	if (!text)
		text = "0";
	if (step && !element_type_bits(emitter->ctx, type, text, &bits))
		return false;
	layout_buffer_printf(out, "  %%padding = %s", step ? "arith.constant " :
		"ub.poison");
	if (step && (type->kind == 'f' || type->kind == 'e'))
		print_float(out, text, bits, type->bits);
	else if (step)
		layout_buffer_printf(out, "%s", text);
	layout_buffer_printf(out, " : ");
	mlir_print_type(out, type);
	layout_buffer_printf(out, "\n");
	return true;
}

/* An index that is out of range where the mask does not hold. */
static bool select_index(struct emitter *emitter, struct value *index, unsigned rank)
{
	struct value outside, result;

	if (!emitter->mask.name[0])
		return true;
	if (!rank) {
		layout_fail(emitter->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"map_load pads where an index of the source is out of range, and a "
			"tensor of rank 0 has no index");
		return false;
	}
	outside = mlir_constant(emitter, -1);
	result = mlir_numbered(emitter->next++);
	layout_buffer_printf(&emitter->out, "  %s = arith.select %s, %s, %s : index\n",
		result.name, emitter->mask.name, index->name, outside.name);
	*index = result;
	return true;
}

bool mlir_load(struct emitter *emitter, const struct element_type *type,
	bool masked)
{
	unsigned rank = layout_storage_rank(emitter->chain->source);
	struct value indices[CHAIN_RANK];

	mlir_begin_body(emitter, "map_load", emitter->chain->rank, indices);
	for (const layout_chain *step = emitter->chain; step; step = step->before)
		load_step(emitter, step, indices, masked);
	if (!select_index(emitter, indices, rank) || !print_padding(emitter, type))
		return false;
	mlir_end_body(emitter, indices, rank, "%padding", NULL, type);
	return true;
}
