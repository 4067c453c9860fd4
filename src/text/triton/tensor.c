/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The type of a tensor that Triton has distributed, "tensor<32x16xf16, #ttg.blocked<{..}>>", as
 * MLIR prints it: distribute(#ttg.blocked<{..}>, [32, 16]).  And that of a memory,
 * "!ttg.memdesc<32x16xf16, #ttg.swizzled_shared<{..}>, #smem, mutable>", or of several that
 * follow each other, "!ttg.memdesc<2x32x16xf16, ..>". */
#include "text/notations.h"

#include <layout/triton.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The encoding of a type: the cursor is at it, or at a name for it. */
static bool at_encoding(struct text_cursor cursor)
{
	text_look_through(&cursor);
	return text_at_triton(&cursor);
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

/* "16x64", the shape of what the memory is allocated as, is the tensor's; or "3x16x64", of several
 * of which it is one. */
static bool take_allocated(struct text_cursor *cursor, const struct text_tensor *tensor)
{
	const char *begin = cursor->text + cursor->token.begin, *last = begin;
	size_t all = strspn(begin, "0123456789x"), length = 0;
	char shape[TEXT_TENSOR_RANK * 22] = "";

	for (unsigned d = 0; d < tensor->rank; d++)
		length += (size_t)sprintf(shape + length, "%s%" PRId64, d ? "x" : "",
			tensor->sizes[d]);
	last += all < length ? 0 : all - length;
	if (all < length || strncmp(last, shape, length) || (last > begin && last[-1] != 'x')) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, text_position(cursor),
			"a part of what is allocated lies as all of that does: write the shape "
			"that is allocated");
		return false;
	}
	text_seek(cursor, cursor->token.begin + all);
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

/* An encoding, or a name for it; false on an error. */
static bool read_named(struct text_cursor *cursor, layout_triton **encoding)
{
	bool defined = text_at_defined(cursor);
	struct text_cursor outside;

	if (defined && !text_enter_definition(cursor, &outside))
		return false;
	*encoding = text_triton(cursor);
	return *encoding && (!defined || text_leave_definition(cursor, &outside));
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

/* The layout of memories that follow each other: that of one times the numbers of all, whose
 * dimensions come first. */
static layout_linear *stack(layout_linear *linear, const int64_t *counts, unsigned rank)
{
	layout_context *ctx = layout_linear_context(linear);
	char texts[TEXT_TENSOR_RANK][24];
	const char *names[TEXT_TENSOR_RANK];
	layout_size outs[TEXT_TENSOR_RANK];
	unsigned all = rank + layout_linear_out_count(linear);

	for (unsigned d = 0; d < all; d++) {
		snprintf(texts[d], sizeof(texts[d]), "dim%u", d);
		names[d] = texts[d];
		outs[(d + all - rank) % all] = (layout_size){ texts[d], d < rank ? counts[d] :
			layout_linear_out_size(linear, d - rank) };
	}
	for (unsigned d = rank; d-- > 0;) {
		char number[24];

		snprintf(number, sizeof(number), "number%u", d);
		linear = layout_linear_product(linear, layout_linear_identity(ctx, counts[d],
			"offset", number));
	}
	for (unsigned d = 0; d < rank / 2; d++) {
		layout_size last = outs[all - 1 - d];

		outs[all - 1 - d] = outs[all - rank + d];
		outs[all - rank + d] = last;
	}
	return layout_linear_transpose_outs(layout_linear_reshape_outs(linear, outs, all), names,
		all);
}

/* The layout of a tensor or a memory. */
static layout_linear *lay_out(layout_triton *encoding, const struct text_tensor *tensor, bool memory)
{
	unsigned rank = layout_triton_rank(encoding);
	unsigned more = memory && tensor->rank > rank ? tensor->rank - rank : 0;
	layout_linear *linear = layout_triton_linear(encoding, tensor->sizes + more,
		tensor->rank - more);

	return linear && more ? stack(linear, tensor->sizes, more) : linear;
}

layout_linear *text_triton_tensor(struct text_cursor *cursor)
{
	layout_triton *encoding = NULL;
	layout_linear *linear = NULL;
	struct text_tensor tensor = { 0 };
	bool memory = skip_mark(cursor);
	bool good = text_tensor(cursor, &tensor) && check_sizes(cursor, &tensor) &&
		text_take(cursor, ",") && read_named(cursor, &encoding) &&
		(!memory || skip_memory(cursor, &tensor)) && text_take(cursor, ">");
	long base = layout_context_set_base(cursor->ctx, tensor.position);

	if (good)
		linear = lay_out(encoding, &tensor, memory);
	layout_context_set_base(cursor->ctx, base);
	layout_triton_free(encoding);
	return linear;
}
