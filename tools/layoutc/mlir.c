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
