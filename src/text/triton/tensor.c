/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The type of a tensor that Triton has distributed, "tensor<32x16xf16, #ttg.blocked<{..}>>", as
 * MLIR prints it: distribute(#ttg.blocked<{..}>, [32, 16]); or of one whose encoding is that
 * linear layout itself, "#ttg.linear<{..}>". */
#include "text/notations.h"

#include <layout/triton.h>

#define LINEAR "#ttg.linear"

/* The encoding of a type: the cursor is at it, or at a name for it. */
static bool at_encoding(struct text_cursor cursor)
{
	text_look_through(&cursor);
	return text_at_triton(&cursor) || text_at(&cursor, LINEAR);
}

bool text_at_triton_tensor(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;
	struct text_tensor tensor;

	return text_at(cursor, "tensor") && text_skip_tensor(&behind, &tensor) &&
		text_skip(&behind, ",") && at_encoding(behind);
}

/* One of the two, or a name for it; false on an error. */
static bool read_named(struct text_cursor *cursor, layout_triton **encoding,
	layout_linear **linear)
{
	bool defined = text_at_defined(cursor);
	struct text_cursor outside;

	if (defined && !text_enter_definition(cursor, &outside))
		return false;
	if (text_at(cursor, LINEAR))
		*linear = text_linear(cursor);
	else
		*encoding = text_triton(cursor);
	return (*encoding || *linear) &&
		(!defined || text_leave_definition(cursor, &outside));
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

/* Triton cuts and repeats a linear layout that is not of the tensor's shape. */
static bool check_shape(layout_context *ctx, const layout_linear *linear,
	const struct text_tensor *tensor)
{
	bool same = layout_linear_out_count(linear) == tensor->rank;

	for (unsigned d = 0; same && d < tensor->rank; d++)
		same = layout_linear_out_size(linear, d) == tensor->sizes[d];
	if (!same)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"the linear layout is not of the tensor's shape: write it with its "
			"repetitions as registers");
	return same;
}

layout_linear *text_triton_tensor(struct text_cursor *cursor)
{
	layout_triton *encoding = NULL;
	layout_linear *linear = NULL;
	struct text_tensor tensor = { 0 };
	bool good = text_tensor(cursor, &tensor) && check_sizes(cursor, &tensor) &&
		text_take(cursor, ",") && read_named(cursor, &encoding, &linear) &&
		text_take(cursor, ">");
	long base = layout_context_set_base(cursor->ctx, tensor.position);

	if (good && encoding)
		linear = layout_triton_linear(encoding, tensor.sizes, tensor.rank);
	else if (good)
		good = check_shape(cursor->ctx, linear, &tensor);
	layout_context_set_base(cursor->ctx, base);
	layout_triton_free(encoding);
	if (good)
		return linear;
	layout_linear_free(linear);
	return NULL;
}
