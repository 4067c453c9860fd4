/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Verbose encodings as text, on one line and with all maps in their places. */
#include "text/operand/operand.h"

#include <inttypes.h>

static void print_maps(struct layout_buffer *out, const layout_operand *operand)
{
	char *const *map = operand->maps;

	layout_buffer_printf(out, ", %s = [", text_operand_keys[INDEXING_MAPS]);
	for (unsigned i = 0; i < operand->map_operands; i++) {
		bool listed = operand->map_counts[i] > 1;

		layout_buffer_printf(out, "%s%s", i ? ", " : "", listed ? "[" : "");
		for (unsigned k = 0; k < operand->map_counts[i]; k++)
			layout_buffer_printf(out, "%s%s", k ? ", " : "", *map++);
		layout_buffer_printf(out, "%s", listed ? "]" : "");
	}
	layout_buffer_printf(out, "]");
}

static void print_sizes(struct layout_buffer *out, const layout_operand *operand)
{
	layout_buffer_printf(out, ", %s = [", text_operand_keys[SIZES]);
	for (unsigned i = 0; i < operand->size_count; i++)
		if (operand->sizes[i] == LAYOUT_DYNAMIC)
			layout_buffer_printf(out, "%s?", i ? ", " : "");
		else
			layout_buffer_printf(out, "%s%" PRId64, i ? ", " : "",
				operand->sizes[i]);
	layout_buffer_printf(out, "]");
}

static void print_tensor(struct layout_buffer *out, layout_operand *operand)
{
	layout_buffer_printf(out, "tensor<");
	for (unsigned i = 0; i < layout_operand_rank(operand); i++)
		if (i < operand->shape_rank && operand->shape[i] >= 0)
			layout_buffer_printf(out, "%" PRId64 "x", operand->shape[i]);
		else
			layout_buffer_printf(out, "?x");
	layout_buffer_printf(out, "%s, ", operand->stored_type);
}

/* "tensor<?x?xf32, #iree_encoding.layout<[..]>>" */
static char *print_resolved(layout_operand *operand)
{
	char *encoding = layout_encoding_str(operand->resolved);
	struct layout_buffer out = { 0 };

	if (!encoding)
		return NULL;
	print_tensor(&out, operand);
	layout_buffer_printf(&out, "#iree_encoding.layout<[%s]>>", encoding);
	layout_string_free(encoding);
	return layout_buffer_take(operand->ctx, &out);
}

char *layout_operand_str(layout_operand *operand)
{
	struct layout_buffer out = { 0 };

	if (!operand)
		return NULL;
	if (operand->resolved)
		return print_resolved(operand);
	if (operand->stored_type)
		print_tensor(&out, operand);
	layout_buffer_printf(&out, ENCODING "<%s = %u : index, %s = %s, %s = [",
		text_operand_keys[OPERAND_INDEX], operand->index,
		text_operand_keys[OP_TYPE], operand_op_name(operand->op_type),
		text_operand_keys[ELEMENT_TYPES]);
	for (unsigned i = 0; i < operand->type_count; i++)
		layout_buffer_printf(&out, "%s%s", i ? ", " : "", operand->types[i]);
	layout_buffer_printf(&out, "]");
	if (operand->original_type)
		layout_buffer_printf(&out, ", %s = %s", text_operand_keys[ORIGINAL_TYPE],
			operand->original_type);
	if (operand->map_operands)
		print_maps(&out, operand);
	if (operand->size_count)
		print_sizes(&out, operand);
	layout_buffer_printf(&out, operand->stored_type ? ">>" : ">");
	return layout_buffer_take(operand->ctx, &out);
}
