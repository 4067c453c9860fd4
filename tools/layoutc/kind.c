/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/kind.h"
#include "layoutc/describe.h"
#include "layoutc/extent.h"
#include "layoutc/mlir.h"

static layout_answer verify_nested(layout_value *value, char **reason,
	layout_witness **witness)
{
	return layout_nested_verify(layout_value_nested(value), reason, witness);
}

static layout_answer verify_program(layout_value *value, char **reason,
	layout_witness **witness)
{
	return layout_program_verify(layout_value_program(value), reason, witness);
}

static const struct kind kinds[] = {
	[LAYOUT_VALUE_SET] = { .is_set = true, .describe = describe_set },
	[LAYOUT_VALUE_CUTE] = { .extent = extent_cute },
	[LAYOUT_VALUE_NESTED] = { .extent = extent_nested, .verify = verify_nested,
		.mlir = mlir_nested },
	[LAYOUT_VALUE_ENCODING] = { .waits = true },
	[LAYOUT_VALUE_STORAGE] = { .extent = extent_storage },
	[LAYOUT_VALUE_REMAP] = { .extent = extent_remap, .mlir = mlir_remap },
	[LAYOUT_VALUE_LINEAR] = { .extent = extent_linear },
	[LAYOUT_VALUE_MMA] = { .extent = extent_mma },
	[LAYOUT_VALUE_SWIZZLE] = { .extent = extent_swizzle },
	[LAYOUT_VALUE_TRITON] = { .waits = true },
	[LAYOUT_VALUE_INTEGER] = { .is_number = true, .describe = describe_integer },
	[LAYOUT_VALUE_OPERAND] = { .waits = true },
	[LAYOUT_VALUE_CHAIN] = { .extent = extent_chain, .describe = describe_chain,
		.mlir = mlir_chain },
	[LAYOUT_VALUE_PROGRAM] = { .verify = verify_program, .describe = describe_program },
};

const struct kind *kind_of(layout_value *value)
{
	unsigned kind = layout_value_get_kind(value);

	return &kinds[kind < sizeof(kinds) / sizeof(*kinds) ? kind : LAYOUT_VALUE_RELATION];
}

layout_cute *value_cute(layout_value *value)
{
	return layout_value_get_kind(value) == LAYOUT_VALUE_CUTE ?
		layout_value_cute(value) : NULL;
}

layout_storage *value_storage(layout_value *value)
{
	return layout_value_get_kind(value) == LAYOUT_VALUE_STORAGE ?
		layout_value_storage(value) : NULL;
}

layout_operand *value_operand(layout_value *value)
{
	return layout_value_get_kind(value) == LAYOUT_VALUE_OPERAND ?
		layout_value_operand(value) : NULL;
}

layout_remap *value_remap(layout_value *value)
{
	return layout_value_get_kind(value) == LAYOUT_VALUE_REMAP ?
		layout_value_remap(value) : NULL;
}

layout_program *value_program(layout_value *value)
{
	return layout_value_get_kind(value) == LAYOUT_VALUE_PROGRAM ?
		layout_value_program(value) : NULL;
}
