/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations of MLIR that are those of chains, a row each. */
#include "text/chain/ir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool read_operand(struct ir_step *step)
{
	return body_read_use(&step->ir->text, &step->operand);
}

bool ir_read_sides(struct ir_step *step)
{
	struct text_cursor *cursor = step->cursor;

	ir_skip_attributes(cursor);
	return text_take(cursor, "ins") && text_take(cursor, "(") && read_operand(step) &&
		text_take(cursor, ":") && body_read_type(cursor, &step->from) &&
		text_take(cursor, ")") && text_take(cursor, "outs") && text_take(cursor, "(") &&
		body_read_use(&step->ir->text, &step->into) && text_take(cursor, ":") &&
		body_read_type(cursor, &step->to) && text_take(cursor, ")");
}

static bool check_rank(struct ir_step *step, long position, unsigned count,
	const struct text_tensor *tensor, const char *what)
{
	return count == tensor->rank ||
		given_wrong(step->cursor, position, count, tensor->rank, what);
}

/* The dimensions that the groups have. */
static unsigned grouped(const struct given *given)
{
	unsigned rank = 0;

	for (unsigned g = 0; g < given->group_count; g++)
		rank += given->groups[g];
	return rank;
}

/* "%t [[0, 1], [2]] : T into T" */
static bool read_collapse(struct ir_step *step)
{
	long position;

	if (!read_operand(step))
		return false;
	position = text_position(step->cursor);
	if (!given_groups(step->cursor, step->given) || !ir_types(step, "into"))
		return false;
	return (!step->given->group_count && !step->to.rank) ||
		check_rank(step, position, grouped(step->given), &step->from, "dimensions");
}

/* The sizes of a group: of one that is not known it is enough what is left for it. */
static bool expand_group(struct ir_step *step, struct given *shape, unsigned first, unsigned size)
{
	struct given *given = step->given;
	unsigned unknown = 0;

	for (unsigned d = first; d < first + size; d++)
		unknown += step->to.sizes[d] < 0;
	if (unknown > 1 && !shape->count[0]) {
		layout_fail(step->cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, step->to.position,
			"%u dimensions of a group have no size, and there is no output_shape", unknown);
		return false;
	}
	for (unsigned d = first; d < first + size; d++) {
		char number[24];
		int64_t said;
		const char *text = unknown == 1 ? "?" : shape->texts[0][d];

		if (step->to.sizes[d] >= 0) {
			snprintf(number, sizeof(number), "%" PRId64, step->to.sizes[d]);
			if (shape->count[0] && ir_number(shape->texts[0][d], &said) &&
			    said != step->to.sizes[d]) {
				layout_fail(step->cursor->ctx, LAYOUT_ERROR_SPACE,
					step->to.position, "dimension %u of the result is %s, not %s",
					d, shape->texts[0][d], number);
				return false;
			}
			text = number;
		}
		given->texts[0][d] = layout_strdup(step->cursor->ctx, text);
		if (!given->texts[0][d])
			return false;
		given->count[0]++;
	}
	return true;
}

/* What output_shape says goes to the sizes of the groups. */
static bool expand_groups(struct ir_step *step, struct given *shape)
{
	struct given *given = step->given;
	unsigned first = 0;

	if (!given->group_count && step->to.rank)
		given->groups[given->group_count++] = step->to.rank;
	for (unsigned g = 0; g < given->group_count; g++) {
		if (!expand_group(step, shape, first, given->groups[g]))
			return false;
		first += given->groups[g];
	}
	return true;
}

/* "%t [[0, 1], [2]] output_shape [4, %n, 8] : T into T" */
static bool read_expand(struct ir_step *step)
{
	struct given *given = step->given, *shape;
	long position;
	bool good;

	if (!read_operand(step))
		return false;
	position = text_position(step->cursor);
	if (!given_groups(step->cursor, given))
		return false;
	shape = layout_alloc(step->cursor->ctx, 1, sizeof(*shape));
	if (!shape)
		return false;
	shape->rules = given->rules;
	step->given = shape;
	good = !text_skip(step->cursor, "output_shape") || ir_sizes(step, 0);
	step->given = given;
	good = good && ir_types(step, "into") &&
		(!given->group_count || check_rank(step, position, grouped(given), &step->to,
			"dimensions")) &&
		(!shape->count[0] || check_rank(step, position, shape->count[0], &step->to,
			"sizes of output_shape")) && expand_groups(step, shape);
	given_free(shape);
	return good;
}

/* The dimensions of one element that the result has no more: such a size is a number in the
 * text, and no value, which is "?" in the result. */
static bool find_dropped(struct ir_step *step, uint64_t dynamic)
{
	struct given *given = step->given;
	unsigned next = 0;

	for (unsigned d = 0; d < given->count[1]; d++) {
		int64_t size;

		if (!ir_number(given->texts[1][d], &size) || dynamic >> d & 1)
			size = -1;
		if (next < step->to.rank && (step->to.sizes[next] == size || size < 0))
			next++;
		else if (size == 1)
			given->drop.items[given->drop.count++] = d;
		else
			break;
	}
	return next + given->drop.count == given->count[1] && next == step->to.rank ? true :
		given_wrong(step->cursor, step->to.position, step->to.rank, given->count[1],
			"dimensions that the slice has");
}

/* "%t[0, %o] [4, %n] [1, 1] : T to T" */
static bool read_slice(struct ir_step *step)
{
	uint64_t dynamic;
	long position;

	if (!read_operand(step))
		return false;
	position = text_position(step->cursor);
	if (!ir_sizes(step, 0) || !ir_sizes(step, 1))
		return false;
	dynamic = step->values;
	return ir_sizes(step, 2) && ir_types(step, "to") &&
		given_as_long(step->cursor, position, step->given, 3, step->from.rank) &&
		find_dropped(step, dynamic);
}

/* "{ ^bb0(%i: index, %j: index): tensor.yield %cst : f32 }" */
static bool read_value(struct ir_step *step)
{
	struct text_cursor inside = *step->cursor, value;
	struct body_text text = { .cursor = &inside };
	struct body_use use;

	if (!text_at(step->cursor, "{"))
		return text_take(step->cursor, "{");
	text_skip_brackets(step->cursor);
	while (inside.token.begin < step->cursor->token.begin && inside.token.kind != TEXT_END &&
			!text_skip(&inside, "tensor.yield"))
		text_advance(&inside);
	if (!body_read_use(&text, &use))
		return false;
	return ir_is_poison(step->ir, &use) || (ir_constant(step->ir, &use, &value) &&
		ir_value(step, &value));
}

/* "%t nofold low[0, %l] high[1, 3] {..} : T to T" */
static bool read_pad(struct ir_step *step)
{
	long position;

	if (!read_operand(step))
		return false;
	text_skip(step->cursor, "nofold");
	position = text_position(step->cursor);
	return text_take(step->cursor, "low") && ir_sizes(step, 0) &&
		text_take(step->cursor, "high") && ir_sizes(step, 1) && read_value(step) &&
		ir_types(step, "to") &&
		given_as_long(step->cursor, position, step->given, 2, step->from.rank);
}

/* "ins(..) outs(..) permutation = [1, 0]" */
static bool read_transpose(struct ir_step *step)
{
	struct text_ints *dims = &step->given->dims;
	long position;

	if (!ir_read_sides(step))
		return false;
	position = text_position(step->cursor);
	if (!text_take(step->cursor, "permutation") || !text_take(step->cursor, "=") ||
	    !given_dims(step->cursor, dims))
		return false;
	ir_skip_attributes(step->cursor);
	return check_rank(step, position, dims->count, &step->from, "dimensions");
}

/* "ins(..) outs(..) dimensions = [1]": the sizes of what is new are those of the result. */
static bool read_broadcast(struct ir_step *step)
{
	struct given *given = step->given;

	if (!ir_read_sides(step) || !text_take(step->cursor, "dimensions") ||
	    !text_take(step->cursor, "=") || !given_dims(step->cursor, &given->dims))
		return false;
	ir_skip_attributes(step->cursor);
	for (unsigned i = 0; i < given->dims.count; i++) {
		char text[IR_SIZE];

		if (given->dims.items[i] >= (int64_t)step->to.rank) {
			layout_fail(step->cursor->ctx, LAYOUT_ERROR_SPACE, given->dims.positions[i],
				"there is no dimension %lld of a tensor of rank %u",
				(long long)given->dims.items[i], step->to.rank);
			return false;
		}
		if (!ir_size(step->ir, &step->into, &step->to, (unsigned)given->dims.items[i], 'r',
				text) ||
		    !(given->texts[0][i] = layout_strdup(step->cursor->ctx, text)))
			return false;
		given->count[0]++;
	}
	return true;
}

/* "ins(..) outs(..) -> tensor<..>", of a tensor, which says no more; behind others, what is copied
 * may go "-> STORAGE". */
static bool read_copy(struct ir_step *step)
{
	struct text_cursor behind;
	struct text_tensor again;

	if (!ir_read_sides(step))
		return false;
	ir_skip_attributes(step->cursor);
	behind = *step->cursor;
	if (!text_skip(&behind, "->") || !text_at(&behind, "tensor"))
		return true;
	*step->cursor = behind;
	return body_read_type(step->cursor, &again);
}

/* "%v, [1, 0] : vector<..> to vector<..>" */
static bool read_vector_transpose(struct ir_step *step)
{
	long position;

	if (!read_operand(step) || !text_take(step->cursor, ","))
		return false;
	position = text_position(step->cursor);
	return given_dims(step->cursor, &step->given->dims) && ir_types(step, "to") &&
		check_rank(step, position, step->given->dims.count, &step->from, "dimensions");
}

static bool has_numbers(struct ir_step *step, const struct text_tensor *type)
{
	for (unsigned d = 0; d < type->rank; d++)
		if (type->sizes[d] < 0) {
			layout_fail(step->cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, type->position,
				"the size of a vector is a number");
			return false;
		}
	return true;
}

/* "%v : vector<..> to vector<..>" */
static bool read_shape_cast(struct ir_step *step)
{
	return read_operand(step) && ir_types(step, "to") && has_numbers(step, &step->from) &&
		has_numbers(step, &step->to);
}

/* One dimension of all, and then those of the result. */
static layout_chain *add_shape_cast(struct ir_step *step, layout_chain *chain)
{
	char texts[TEXT_TENSOR_RANK][24];
	const char *sizes[TEXT_TENSOR_RANK];

	chain = chain ? chain : ir_source(step);
	if (step->from.rank > (step->to.rank > 0))
		chain = layout_chain_collapse(chain, step->to.rank > 0, &step->from.rank);
	for (unsigned d = 0; d < step->to.rank; d++) {
		snprintf(texts[d], sizeof(texts[d]), "%" PRId64, step->to.sizes[d]);
		sizes[d] = texts[d];
	}
	if (step->to.rank > 1)
		chain = layout_chain_expand(chain, 1, &step->to.rank, sizes);
	return chain;
}

/* "%t : T to T", of sizes that the one knows and the other does not */
static bool read_cast(struct ir_step *step)
{
	return read_operand(step) && ir_types(step, "to");
}

const struct ir_row ir_rows[] = {
	{ "tensor.expand_shape", read_expand, ir_add, "expand_shape" },
	{ "tensor.collapse_shape", read_collapse, ir_add, "collapse_shape" },
	{ "memref.expand_shape", read_expand, ir_add, "expand_shape" },
	{ "memref.collapse_shape", read_collapse, ir_add, "collapse_shape" },
	{ "tensor.extract_slice", read_slice, ir_add, "extract_slice" },
	{ "memref.subview", read_slice, ir_add, "extract_slice" },
	{ "tensor.pad", read_pad, ir_add, "pad" },
	{ "linalg.transpose", read_transpose, ir_add, "transpose" },
	{ "linalg.broadcast", read_broadcast, ir_add, "broadcast" },
	{ "linalg.copy", read_copy, ir_add, "copy" },
	{ "linalg.generic", ir_read_generic, ir_add_generic, "broadcast", ir_generic_moves },
	{ "tensor.cast", read_cast, ir_add, "copy" },
	{ "vector.transpose", read_vector_transpose, ir_add, "transpose" },
	{ "vector.shape_cast", read_shape_cast, add_shape_cast, "expand_shape" },
	{ "linalg.pack", ir_read_pack, ir_add_pack, "pack" },
	{ "tensor.pack", ir_read_pack, ir_add_pack, "pack" },
	{ "linalg.unpack", ir_read_unpack, ir_add_unpack, "pack" },
	{ "tensor.unpack", ir_read_unpack, ir_add_unpack, "pack" },
	{ .name = NULL },
};
