/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/mlir.h"

char *mlir_chain(layout_value *value, const struct arguments *arguments)
{
	const char *type = argument_value(arguments, OPTION_TYPE);

	return layout_chain_mlir(layout_value_chain(value),
		argument_choice(arguments, OPTION_DIRECTION, LAYOUT_MAP_STORE),
		type ? type : "f32");
}

char *mlir_remap(layout_value *value, const struct arguments *arguments)
{
	return layout_remap_mlir(layout_value_remap(value),
		argument_choice(arguments, OPTION_DIRECTION, LAYOUT_MAP_LOAD));
}

char *mlir_nested(layout_value *value, const struct arguments *arguments)
{
	layout_context *ctx = layout_value_context(value);
	char *text = layout_nested_mlir(layout_value_nested(value));
	layout_relation *relation;

	if (text || layout_context_error(ctx) != LAYOUT_ERROR_NO_ANSWER)
		return text;
	layout_context_clear(ctx);
	relation = value_relation(value, arguments);
	text = layout_relation_affine_map_str(relation);
	layout_relation_free(relation);
	return text;
}
