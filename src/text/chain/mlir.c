/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chains as the body of IREE's map_store and map_load: affine and arith operations on the
 * indices, step by step, so that reshapes stay reshapes.
 *
 * Names of sizes are values outside of the body.  map_load pads where an index of the
 * source is out of range; where that is not all of the padding, the first index is
 * selected to be -1. */
#include "text/chain/mlir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* arith takes integers without signs. */
void mlir_print_type(struct layout_buffer *out, const struct element_type *type)
{
	if (strchr("su", *type->name))
		layout_buffer_printf(out, "i%u", type->bits);
	else
		layout_buffer_printf(out, "%s", type->name);
}

/* "tensor<?x128xf32>" */
static void print_tensor(struct layout_buffer *out, const layout_chain *step,
	const struct element_type *type)
{
	layout_buffer_printf(out, "tensor<");
	for (unsigned d = 0; d < step->rank; d++)
		if (step->sizes[d].value < 0)
			layout_buffer_printf(out, "?x");
		else
			layout_buffer_printf(out, "%" PRId64 "x", step->sizes[d].value);
	mlir_print_type(out, type);
	layout_buffer_printf(out, ">");
}

void mlir_begin_body(struct emitter *emitter, const char *operation, unsigned rank,
	struct value *indices)
{
	layout_buffer_printf(&emitter->out, "%%result = iree_linalg_ext.%s %%source into "
		"%%destination {\n^bb0(", operation);
	for (unsigned i = 0; i < rank; i++) {
		snprintf(indices[i].name, sizeof(indices[i].name), "%%i%u", i);
		layout_buffer_printf(&emitter->out, "%s%s: index", i ? ", " : "",
			indices[i].name);
	}
	layout_buffer_printf(&emitter->out, "):\n");
}

void mlir_end_body(struct emitter *emitter, const struct value *indices, unsigned rank,
	const char *last, const char *last_type, const struct element_type *type)
{
	struct layout_buffer *out = &emitter->out;
	const layout_chain *first = emitter->chain;

	while (first->before)
		first = first->before;
	layout_buffer_printf(out, "  iree_linalg_ext.yield ");
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(out, "%s, ", indices[i].name);
	layout_buffer_printf(out, "%s : ", last);
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(out, "index, ");
	if (last_type)
		layout_buffer_printf(out, "%s", last_type);
	else
		mlir_print_type(out, type);
	layout_buffer_printf(out, "\n} : ");
	print_tensor(out, first, type);
	layout_buffer_printf(out, " into ");
	print_tensor(out, emitter->chain, type);
	layout_buffer_printf(out, " -> ");
	print_tensor(out, emitter->chain, type);
}

char *layout_chain_mlir(layout_chain *chain, layout_map_direction direction,
	const char *type)
{
	const struct element_type *element;
	layout_answer by_range = LAYOUT_YES;
	struct emitter *emitter;
	char *text = NULL;
	bool good;

	if (!chain || !layout_given(chain->ctx, type, "element type"))
		return NULL;
	element = element_type_find(chain->ctx, type);
	if (element && direction == LAYOUT_MAP_LOAD)
		by_range = chain_pads_by_range(chain);
	if (!element || by_range == LAYOUT_UNKNOWN)
		return NULL;
	emitter = layout_alloc(chain->ctx, 1, sizeof(*emitter));
	if (!emitter)
		return NULL;
	emitter->ctx = chain->ctx;
	emitter->chain = chain;
	good = direction == LAYOUT_MAP_LOAD ?
		mlir_load(emitter, element, by_range == LAYOUT_NO) :
		mlir_store(emitter, element);
	if (good && !emitter->failed)
		text = layout_buffer_take(chain->ctx, &emitter->out);
	else
		free(emitter->out.text);
	free(emitter);
	return text;
}
