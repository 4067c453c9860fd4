/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations of Triton that move a tensor, as MLIR prints them: where each element goes, the
 * conversion between two layouts,
 *
 *	%1 = ttg.convert_layout %0 : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #mma>
 *	ttg.local_store %0, %m : tensor<..> -> !ttg.memdesc<..>
 *	%2 = ttg.local_load %m : !ttg.memdesc<..> -> tensor<..>
 *
 * from registers to registers, or for a load, too, from registers to the memory. */
#include "text/notations.h"

#include <layout/linear.h>

static const struct row {
	const char *name;
	bool loads;
} rows[] = {
	{ "convert_layout", false },
	{ "local_store", false },
	{ "local_alloc", false },
	{ "local_load", true },
};

/* Past "%1 =" and the name of an operation. */
static const struct row *skip_name(struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	if (text_skip(&behind, "%")) {
		text_advance(&behind);
		if (!text_skip(&behind, "="))
			return NULL;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (text_at_triton_name(&behind, rows[i].name)) {
			text_advance(&behind);
			*cursor = behind;
			return &rows[i];
		}
	return NULL;
}

bool text_at_triton_move(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	return skip_name(&behind);
}

/* A type, which may be in parentheses. */
static layout_linear *read_type(struct text_cursor *cursor)
{
	bool inside = text_skip(cursor, "(");
	layout_linear *linear = NULL;

	if (text_at_triton_tensor(cursor))
		linear = text_triton_tensor(cursor);
	else
		text_expected(cursor, "the type of a tensor or a memory, with its encoding");
	if (!linear || !inside || text_take(cursor, ")"))
		return linear;
	layout_linear_free(linear);
	return NULL;
}

/* It is one tensor. */
static bool same_shape(layout_context *ctx, long position, const layout_linear *from,
	const layout_linear *to)
{
	unsigned rank = layout_linear_out_count(from);
	bool same = rank == layout_linear_out_count(to);

	for (unsigned d = 0; same && d < rank; d++)
		same = layout_linear_out_size(from, d) == layout_linear_out_size(to, d);
	if (!same)
		layout_fail(ctx, LAYOUT_ERROR_SPACE, position,
			"the shape is not that of the type before");
	return same;
}

layout_linear *text_triton_move(struct text_cursor *cursor)
{
	long begin = text_position(cursor), base, position = 0;
	const struct row *row = skip_name(cursor);
	layout_linear *from, *to = NULL;

	while (cursor->token.kind != TEXT_END && !text_at(cursor, ":"))
		text_skip_brackets(cursor);
	from = text_take(cursor, ":") ? read_type(cursor) : NULL;
	if (from && text_take(cursor, "->")) {
		position = text_position(cursor);
		to = read_type(cursor);
	}
	if (!to || !same_shape(cursor->ctx, position, from, to)) {
		layout_linear_free(from);
		layout_linear_free(to);
		return NULL;
	}
	base = layout_context_set_base(cursor->ctx, begin);
	to = row->loads ? layout_linear_invert_and_compose(to, from) :
		layout_linear_invert_and_compose(from, to);
	layout_context_set_base(cursor->ctx, base);
	return to;
}
