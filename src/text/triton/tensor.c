/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The type of a tensor that Triton has distributed, "tensor<32x16xf16, #ttg.blocked<{..}>>", as
 * MLIR prints it: distribute(#ttg.blocked<{..}>, [32, 16]); or of one whose encoding is that
 * linear layout itself, "#ttg.linear<{..}>".  And that of a memory,
 * "!ttg.memdesc<32x16xf16, #ttg.swizzled_shared<{..}>, #smem, mutable>", or of several that
 * follow each other, "!ttg.memdesc<2x32x16xf16, ..>". */
#include "text/notations.h"

#include <layout/triton.h>

#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Room for a layout's text: its sizes, and its bases. */
struct parts {
	layout_size ins[LAYOUT_LINEAR_RANK], outs[TEXT_TENSOR_RANK];
	char names[TEXT_TENSOR_RANK][16];
	int64_t bases[LAYOUT_LINEAR_BITS * TEXT_TENSOR_RANK];
	unsigned count;				/* of bases */
};

/* The bits of the offset behind those of one memory count memories, the last dimension fastest;
 * "size" is of the offset. */
static bool count_memories(layout_context *ctx, struct parts *parts, const int64_t *counts,
	unsigned rank, unsigned all, int64_t *size)
{
	for (unsigned d = rank; d-- > 0;) {
		if (int_log2(counts[d]) < 0) {
			layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1, "%" PRId64 " memories are no power "
				"of two: their layout is not linear", counts[d]);
			return false;
		}
		for (int64_t step = 1; step < counts[d] && parts->count < LAYOUT_LINEAR_BITS; step *= 2)
			parts->bases[parts->count++ * all + d] = step;
		if (__builtin_mul_overflow(*size, counts[d], size)) {
			layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
				"the memories have more elements than fit 64 bits");
			return false;
		}
	}
	return true;
}

/* The bases of an input, in front of whose outputs there are others. */
static bool take_bases(layout_linear *linear, struct parts *parts, unsigned in, unsigned rank,
	unsigned all)
{
	bool good = true;

	for (int bit = 0; good && bit < int_log2(parts->ins[in].value); bit++)
		good = layout_linear_basis(linear, in, (unsigned)bit,
			&parts->bases[parts->count++ * all + rank]);
	return good;
}

/* A memory's layout is that of several that follow each other.  Consumes it. */
static layout_linear *stack(layout_linear *linear, const int64_t *counts, unsigned rank)
{
	layout_context *ctx = layout_linear_context(linear);
	struct parts *parts = layout_alloc(ctx, 1, sizeof(*parts));
	unsigned ins = layout_linear_in_count(linear), outs = layout_linear_out_count(linear);
	layout_linear *whole = NULL;
	bool good = parts;

	for (unsigned i = 0; good && i < ins; i++) {
		parts->ins[i] = (layout_size){ layout_linear_in_name(linear, i),
			layout_linear_in_size(linear, i) };
		good = take_bases(linear, parts, i, rank, rank + outs);
		if (!good || strcmp(parts->ins[i].name, "offset"))
			continue;
		good = count_memories(ctx, parts, counts, rank, rank + outs,
			&parts->ins[i].value);
	}
	for (unsigned d = 0; good && d < rank + outs; d++) {
		snprintf(parts->names[d], sizeof(parts->names[d]), "dim%u", d);
		parts->outs[d] = (layout_size){ parts->names[d], d < rank ? counts[d] :
			layout_linear_out_size(linear, d - rank) };
	}
	if (good)
		whole = layout_linear_new(ctx, parts->ins, ins, parts->outs, rank + outs,
			parts->bases);
	free(parts);
	layout_linear_free(linear);
	return whole;
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
		text_take(cursor, ",") && read_named(cursor, &encoding, &linear) &&
		(!memory || skip_memory(cursor, &tensor)) && text_take(cursor, ">");
	long base = layout_context_set_base(cursor->ctx, tensor.position);

	if (good && encoding)
		linear = lay_out(encoding, &tensor, memory);
	else if (good)
		good = check_shape(cursor->ctx, linear, &tensor);
	layout_context_set_base(cursor->ctx, base);
	layout_triton_free(encoding);
	if (good)
		return linear;
	layout_linear_free(linear);
	return NULL;
}
