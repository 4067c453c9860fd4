/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Literals: the notations an expression can begin with. */
#include "text/value.h"

static bool read_isl(struct text_cursor *cursor, layout_value *value)
{
	if (!text_isl(cursor, &value->relation, &value->set))
		return false;
	value->kind = value->set ? LAYOUT_VALUE_SET : LAYOUT_VALUE_RELATION;
	return true;
}

static bool read_affine_map(struct text_cursor *cursor, layout_value *value)
{
	return (value->relation = text_affine_map(cursor));
}

static bool read_cute(struct text_cursor *cursor, layout_value *value)
{
	return (value->cute = text_cute(cursor));
}

static bool read_nested(struct text_cursor *cursor, layout_value *value)
{
	return (value->nested = text_nested(cursor));
}

static bool read_encoding(struct text_cursor *cursor, layout_value *value)
{
	return (value->encoding = text_encoding(cursor));
}

static bool read_operand(struct text_cursor *cursor, layout_value *value)
{
	return (value->operand = text_operand(cursor));
}

static bool read_storage(struct text_cursor *cursor, layout_value *value)
{
	return (value->storage = text_storage(cursor));
}

static bool read_linear(struct text_cursor *cursor, layout_value *value)
{
	return (value->linear = text_linear(cursor));
}

static bool read_mma(struct text_cursor *cursor, layout_value *value)
{
	return (value->mma = text_mma(cursor));
}

static bool read_triton(struct text_cursor *cursor, layout_value *value)
{
	return (value->triton = text_triton(cursor));
}

static bool read_swizzle(struct text_cursor *cursor, layout_value *value)
{
	return (value->swizzle = text_swizzle(cursor));
}

static bool read_chain(struct text_cursor *cursor, layout_value *value)
{
	return (value->chain = text_chain(cursor));
}

static bool read_remap(struct text_cursor *cursor, layout_value *value)
{
	return (value->remap = text_remap(cursor));
}

static const struct literal {
	layout_value_kind kind;
	bool (*at)(const struct text_cursor *cursor);
	bool (*read)(struct text_cursor *cursor, layout_value *value);
} literals[] = {
	{ LAYOUT_VALUE_RELATION, text_at_isl, read_isl },
	{ LAYOUT_VALUE_AFFINE_MAP, text_at_affine_map, read_affine_map },
	{ LAYOUT_VALUE_CUTE, text_at_cute, read_cute },
	{ LAYOUT_VALUE_NESTED, text_at_nested, read_nested },
	{ LAYOUT_VALUE_ENCODING, text_at_encoding, read_encoding },
	{ LAYOUT_VALUE_OPERAND, text_at_operand, read_operand },
	{ LAYOUT_VALUE_STORAGE, text_at_storage, read_storage },
	{ LAYOUT_VALUE_LINEAR, text_at_linear, read_linear },
	{ LAYOUT_VALUE_MMA, text_at_mma, read_mma },
	{ LAYOUT_VALUE_TRITON, text_at_triton, read_triton },
	{ LAYOUT_VALUE_SWIZZLE, text_at_swizzle, read_swizzle },
	{ LAYOUT_VALUE_CHAIN, text_at_chain, read_chain },
	{ LAYOUT_VALUE_REMAP, text_at_remap, read_remap },
};

static const struct literal *literal_at(const struct text_cursor *cursor)
{
	for (size_t i = 0; i < sizeof(literals) / sizeof(*literals); i++)
		if (literals[i].at(cursor))
			return &literals[i];
	return NULL;
}

bool text_at_literal(const struct text_cursor *cursor)
{
	return literal_at(cursor);
}

bool text_literal(struct text_cursor *cursor, layout_value *value)
{
	const struct literal *literal = literal_at(cursor);

	value->kind = literal->kind;
	return literal->read(cursor, value);
}
