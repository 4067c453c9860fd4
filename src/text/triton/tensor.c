/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The type of a tensor that Triton has distributed, "tensor<32x16xf16, #ttg.blocked<{..}>>", as
 * MLIR prints it: distribute(#ttg.blocked<{..}>, [32, 16]); or of one whose encoding is that
 * linear layout itself, "#ttg.linear<{..}>".  And that of a memory,
 * "!ttg.memdesc<32x16xf16, #ttg.swizzled_shared<{..}>, #smem, mutable>". */
#include "text/notations.h"

#include <layout/triton.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LINEAR "#ttg.linear"

/* The encoding of a type: the cursor is at it, or at a name for it. */
static bool at_encoding(struct text_cursor cursor)
{
	text_look_through(&cursor);
	return text_at_triton(&cursor) || text_at(&cursor, LINEAR);
}

/* Past the "!" of a memory's type; false: it is none. */
static bool skip_mark(struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	if (!text_skip(&behind, "!") ||
	    (!text_at(&behind, "ttg.memdesc") && !text_at(&behind, "tt.memdesc")))
		return false;
	*cursor = behind;
	return true;
}

bool text_at_triton_tensor(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;
	struct text_tensor tensor;

	return (skip_mark(&behind) || text_at(cursor, "tensor")) &&
		text_skip_tensor(&behind, &tensor) && text_skip(&behind, ",") &&
		at_encoding(behind);
}

/* "16x64", the shape of what the memory is allocated as, is the tensor's. */
static bool take_allocated(struct text_cursor *cursor, const struct text_tensor *tensor)
{
	const char *begin = cursor->text + cursor->token.begin;
	char shape[TEXT_TENSOR_RANK * 22] = "";
	size_t length = 0;

	for (unsigned d = 0; d < tensor->rank; d++)
		length += (size_t)sprintf(shape + length, "%s%" PRId64, d ? "x" : "",
			tensor->sizes[d]);
	if (strncmp(begin, shape, length) || !strchr(" ,>", begin[length])) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, text_position(cursor),
			"a part of what is allocated lies as all of that does: write the shape "
			"that is allocated");
		return false;
	}
	text_seek(cursor, cursor->token.begin + length);
	return true;
}

/* What stands behind a memory's encoding: "#smem", "mutable", the shape of all of it. */
static bool skip_memory(struct text_cursor *cursor, const struct text_tensor *tensor)
{
	while (text_skip(cursor, ","))
		if (cursor->token.kind != TEXT_INT)
			text_skip_value(cursor);
		else if (!take_allocated(cursor, tensor))
			return false;
	return true;
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
	bool memory = skip_mark(cursor);
	bool good = text_tensor(cursor, &tensor) && check_sizes(cursor, &tensor) &&
		text_take(cursor, ",") && read_named(cursor, &encoding, &linear) &&
		(!memory || skip_memory(cursor, &tensor)) && text_take(cursor, ">");
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
