/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linalg.generic where it moves elements and computes nothing:
 *
 *	linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>,
 *			affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [..]}
 *		ins(%a : tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
 *	^bb0(%in: f32, %out: f32):
 *		linalg.yield %in : f32
 *	} -> tensor<4x8xf32>
 *
 * The dimensions that both maps have are transposed, those that the result alone has are
 * broadcast to. */
#include "text/chain/ir.h"

#include "isl_bridge/relation.h"

#include <stdlib.h>
#include <string.h>

/* Past the use of a value. */
static bool skip_use(struct text_cursor *cursor, struct body_use *use)
{
	if (!body_at_use(cursor, use))
		return false;
	text_seek(cursor, cursor->token.begin + 1 + use->length);
	return true;
}

/* "{ ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 }" */
static bool yields_first(struct text_cursor at)
{
	struct body_use first, yielded;
	struct text_cursor arguments;

	if (!text_skip(&at, "{") || !text_skip(&at, "^"))
		return false;
	text_advance(&at);
	arguments = at;
	text_skip_brackets(&at);
	return text_skip(&arguments, "(") && skip_use(&arguments, &first) &&
		text_skip(&at, ":") && text_skip(&at, "linalg.yield") && skip_use(&at, &yielded) &&
		text_at(&at, ":") && first.length == yielded.length &&
		!memcmp(first.name, yielded.name, first.length);
}

static void skip_more_attributes(struct text_cursor *cursor)
{
	if (text_skip(cursor, "attrs") && text_skip(cursor, "="))
		ir_skip_attributes(cursor);
}

bool ir_generic_moves(const struct text_cursor *cursor)
{
	struct text_cursor at = *cursor, operands;
	struct body_use operand;

	text_advance(&at);
	ir_skip_attributes(&at);
	if (!text_skip(&at, "ins"))
		return false;
	operands = at;
	text_skip_brackets(&at);
	if (!text_skip(&operands, "(") || !skip_use(&operands, &operand) ||
	    !text_at(&operands, ":") || !text_skip(&at, "outs"))
		return false;
	text_skip_brackets(&at);
	skip_more_attributes(&at);
	return yields_first(at);
}

/* The loops that the dimensions of a tensor are, each at most one. */
static bool take_loops(struct ir_step *step, layout_relation *map, long position, int *loops)
{
	unsigned rank = layout_relation_out_rank(map);
	uint64_t taken = 0;

	for (unsigned d = 0; d < rank; d++) {
		loops[d] = layout_relation_copied_input(map, d);
		if (loops[d] < 0 || taken >> loops[d] & 1) {
			layout_fail(step->cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, position,
				"result %u of a map is no dimension, or one that was there before",
				d);
			return false;
		}
		taken |= UINT64_C(1) << loops[d];
	}
	return true;
}

/* Dimension d of the result, which the source has as one of its dimensions or not. */
static bool take_dimension(struct ir_step *step, unsigned d, int loop, const int *from)
{
	struct given *given = step->given;
	char text[IR_SIZE];

	for (unsigned s = 0; s < step->from.rank; s++)
		if (from[s] == loop) {
			given->permutation.items[given->permutation.count++] = s;
			return true;
		}
	if (!ir_size(step->ir, &step->into, &step->to, d, 'r', text))
		return false;
	given->dims.items[given->dims.count++] = d;
	given->texts[0][given->count[0]] = layout_strdup(step->cursor->ctx, text);
	return given->texts[0][given->count[0]++];
}

/* All loops are dimensions of the result. */
static bool take_maps(struct ir_step *step, layout_relation *const *maps, long position)
{
	int from[TEXT_TENSOR_RANK], to[TEXT_TENSOR_RANK];
	unsigned ranks[] = { step->from.rank, step->to.rank };

	for (unsigned i = 0; i < 2; i++) {
		if (layout_relation_out_rank(maps[i]) != ranks[i])
			return given_wrong(step->cursor, position,
				layout_relation_out_rank(maps[i]), ranks[i], "results of a map");
		if (layout_relation_in_rank(maps[i]) != step->to.rank)
			return given_wrong(step->cursor, position, layout_relation_in_rank(maps[i]),
				step->to.rank, "loops");
	}
	if (!take_loops(step, maps[0], position, from) || !take_loops(step, maps[1], position, to))
		return false;
	for (unsigned d = 0; d < step->to.rank; d++)
		if (!take_dimension(step, d, to[d], from))
			return false;
	return true;
}

/* What stands behind the maps. */
static bool read_rest(struct ir_step *step)
{
	struct text_tensor again;

	if (!ir_read_sides(step))
		return false;
	skip_more_attributes(step->cursor);
	if (!text_at(step->cursor, "{"))
		return text_take(step->cursor, "{");
	text_skip_brackets(step->cursor);
	return !text_skip(step->cursor, "->") || body_read_type(step->cursor, &again);
}

bool ir_read_generic(struct ir_step *step)
{
	layout_relation *maps[TEXT_LIST_LIMIT];
	unsigned count = 0;
	long position = text_position(step->cursor);
	bool good = text_indexing_maps(step->cursor, maps, &count);

	if (good && count != 2)
		good = given_wrong(step->cursor, position, count, 2, "maps");
	good = good && read_rest(step) && take_maps(step, maps, position);
	while (count)
		layout_relation_free(maps[--count]);
	return good;
}

static bool is_identity(const struct text_ints *permutation)
{
	for (unsigned i = 0; i < permutation->count; i++)
		if (permutation->items[i] != (int64_t)i)
			return false;
	return true;
}

layout_chain *ir_add_generic(struct ir_step *step, layout_chain *chain)
{
	const struct given *given = step->given;

	chain = chain ? chain : ir_source(step);
	if (!is_identity(&given->permutation))
		chain = layout_chain_transpose(chain, given->permutation.count,
			given->permutation.items);
	if (given->dims.count)
		chain = layout_chain_broadcast(chain, given->dims.count, given->dims.items,
			given_texts(given, 0));
	return chain;
}
