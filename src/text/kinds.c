/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All kinds of values. */
#include "value/kind.h"

const struct value_kind_row value_kinds[] = {
	{ LAYOUT_VALUE_RELATION, &kind_relation },
	{ LAYOUT_VALUE_AFFINE_MAP, &kind_affine_map },
	{ LAYOUT_VALUE_LINEAR, &kind_linear },
	{ LAYOUT_VALUE_CUTE, &kind_cute },
	{ LAYOUT_VALUE_NESTED, &kind_nested },
	{ LAYOUT_VALUE_ENCODING, &kind_encoding },
	{ LAYOUT_VALUE_OPERAND, &kind_operand },
	{ LAYOUT_VALUE_STORAGE, &kind_storage },
	{ LAYOUT_VALUE_MMA, &kind_mma },
	{ LAYOUT_VALUE_TRITON, &kind_triton },
	{ LAYOUT_VALUE_SWIZZLE, &kind_swizzle },
	{ LAYOUT_VALUE_CHAIN, &kind_chain },
	{ LAYOUT_VALUE_REMAP, &kind_remap },
	{ LAYOUT_VALUE_PROGRAM, &kind_program },
	{ LAYOUT_VALUE_SET, &kind_set },
	{ LAYOUT_VALUE_INTEGER, &kind_integer },
	{ .kind = NULL },
};
