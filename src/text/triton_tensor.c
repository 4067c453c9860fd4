/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The type of a tensor that Triton has distributed, "tensor<32x16xf16, #ttg.blocked<{..}>>", as
 * MLIR prints it: distribute(#ttg.blocked<{..}>, [32, 16]). */
#include "text/notations.h"

#include <layout/triton.h>

/* The encoding of a type: the cursor is at it, or at a name for it. */
static bool at_encoding(struct text_cursor cursor)
{
	text_look_through(&cursor);
	return text_at_triton(&cursor);
}

bool text_at_triton_tensor(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;
	struct text_tensor tensor;

	return text_at(cursor, "tensor") && text_skip_tensor(&behind, &tensor) &&
		text_skip(&behind, ",") && at_encoding(behind);
}

static layout_triton *read_named(struct text_cursor *cursor)
{
	bool defined = text_at_defined(cursor);
	struct text_cursor outside;
	layout_triton *encoding;

	if (defined && !text_enter_definition(cursor, &outside))
		return NULL;
	encoding = text_triton(cursor);
	if (!encoding || !defined || text_leave_definition(cursor, &outside))
		return encoding;
	layout_triton_free(encoding);
	return NULL;
}

/* Numbers, of which no "?" is one. */
static bool check_sizes(struct text_cursor *cursor, const struct text_tensor *tensor)
{
	for (unsigned d = 0; d < tensor->rank; d++)
		if (tensor->sizes[d] < 0) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED,
				tensor->position, "a tensor that is distributed has sizes "
				"that are numbers");
			return false;
		}
	return true;
}

layout_linear *text_triton_tensor(struct text_cursor *cursor)
{
	layout_triton *encoding = NULL;
	layout_linear *linear = NULL;
	struct text_tensor tensor;
	long base;

	if (text_tensor(cursor, &tensor) && check_sizes(cursor, &tensor) &&
	    text_take(cursor, ","))
		encoding = read_named(cursor);
	if (encoding && text_take(cursor, ">")) {
		base = layout_context_set_base(cursor->ctx, tensor.position);
		linear = layout_triton_linear(encoding, tensor.sizes, tensor.rank);
		layout_context_set_base(cursor->ctx, base);
	}
	layout_triton_free(encoding);
	return linear;
}
