/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Packs as MLIR prints them:
 *
 *	%cst = arith.constant 0.0 : f32
 *	%p = linalg.pack %t padding_value(%cst : f32) inner_dims_pos = [0, 1]
 *		inner_tiles = [16, 8] into %d : tensor<?x8xf32> -> tensor<?x1x16x8xf32>
 *
 *		chain(row_major[d0, 8], pack([0, 1], [16, 8], pad = 0.0))
 *
 * Where an unpack comes first, its source has the sizes that the pack of the result would have. */
#include "text/chain/ir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "padding_value(%cst : f32)" */
static bool read_padding(struct ir_step *step)
{
	struct text_cursor *cursor = step->cursor, value;
	struct body_use use;

	if (step->given->value)
		return text_duplicate(cursor);
	text_advance(cursor);
	if (!text_take(cursor, "(") || !body_read_use(&step->ir->text, &use) ||
	    !text_take(cursor, ":") || !ir_constant(step->ir, &use, &value) ||
	    !ir_value(step, &value))
		return false;
	text_advance(cursor);
	return text_take(cursor, ")");
}

/* "16", "%c16", where "%c16 = arith.constant 16 : index" is before; to be freed. */
static char *read_tile(struct ir_step *step, const char *rule)
{
	struct text_cursor value;
	struct body_use use;
	char *text;

	if (!text_at(step->cursor, "%"))
		return text_size_by(step->cursor, rule);
	if (!body_read_use(&step->ir->text, &use) || !ir_constant(step->ir, &use, &value))
		return NULL;
	text = text_size_by(&value, rule);
	if (!text || (text_skip(&value, ":") && text_at(&value, "index")))
		return text;
	text_expected(&value, "the constant `index` of a tile");
	free(text);
	return NULL;
}

/* "[16, %c8]" */
static bool read_tiles(struct ir_step *step)
{
	struct text_items items = { "[", "]", CHAIN_RANK };
	struct given *given = step->given;

	while (text_item(step->cursor, &items)) {
		char *text = read_tile(step, given->rules[0]);

		if (!text)
			return false;
		given->texts[0][given->count[0]++] = text;
	}
	return items.ended;
}

/* "inner_dims_pos = [0, 1] inner_tiles = [16, 8]" and what may be before these. */
static bool read_lists(struct ir_step *step, bool unpacks)
{
	struct text_cursor *cursor = step->cursor;
	struct given *given = step->given;

	while (!text_at(cursor, "inner_dims_pos"))
		if (text_at(cursor, "padding_value") && !unpacks) {
			if (!read_padding(step))
				return false;
		} else if (!text_at(cursor, "outer_dims_perm")) {
			return text_expected(cursor, "`inner_dims_pos`");
		} else if (!given_permutation(cursor, given)) {
			return false;
		}
	text_advance(cursor);
	return text_take(cursor, "=") && given_dims(cursor, &given->dims) &&
		text_take(cursor, "inner_tiles") && text_take(cursor, "=") &&
		read_tiles(step) && given_as_long(cursor, step->position, given, 1,
			given->dims.count);
}

/* Dimensions of a tensor of that rank. */
static bool check_dims(struct text_cursor *cursor, const struct text_ints *dims,
	unsigned rank)
{
	for (unsigned i = 0; i < dims->count; i++)
		if (dims->items[i] >= (int64_t)rank) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, dims->positions[i],
				"there is no dimension %lld of a tensor of rank %u",
				(long long)dims->items[i], rank);
			return false;
		}
	return true;
}

/* "into %d : tensor<..> -> tensor<..>"; the ranks go with the lists. */
static bool read_types(struct ir_step *step, bool unpacks)
{
	const struct text_tensor *plain = unpacks ? &step->to : &step->from;
	const struct text_tensor *packed = unpacks ? &step->from : &step->to;
	const struct given *given = step->given;
	struct text_cursor *cursor = step->cursor;

	if (!text_take(cursor, "into") || !body_read_use(&step->ir->text, &step->into) ||
	    !ir_types(step, "->"))
		return false;
	if (packed->rank != plain->rank + given->dims.count)
		return given_wrong(cursor, packed->position, packed->rank,
			plain->rank + given->dims.count, "dimensions");
	if (!check_dims(cursor, &given->dims, plain->rank) ||
	    !check_dims(cursor, &given->permutation, plain->rank))
		return false;
	return !given->permuted || given->permutation.count == plain->rank ||
		given_wrong(cursor, step->position, given->permutation.count, plain->rank,
			"dimensions of outer_dims_perm");
}

static bool read(struct ir_step *step, bool unpacks)
{
	return body_read_use(&step->ir->text, &step->operand) && read_lists(step, unpacks) &&
		read_types(step, unpacks);
}

bool ir_read_pack(struct ir_step *step)
{
	return read(step, false);
}

bool ir_read_unpack(struct ir_step *step)
{
	return read(step, true);
}

layout_chain *ir_add_pack(struct ir_step *step, layout_chain *chain)
{
	return ir_check(step, ir_add(step, chain), &step->to, "packed tensor");
}

/* How many tiles there are of a size: a number of numbers. */
static void print_tiles(char text[IR_SIZE], int64_t size, const char *plain,
	const char *tile)
{
	int64_t number;

	if (size < 0 && !ir_number(plain, &size))
		size = -1;
	if (size < 0 || !ir_number(tile, &number) || number < 1)
		snprintf(text, IR_SIZE, layout_is_plain_name(plain, strlen(plain)) ? "ceil(%s/%s)" :
			"ceil((%s)/%s)", plain, tile);
	else
		snprintf(text, IR_SIZE, "%" PRId64, size / number + (size % number > 0));
}

/* The packed tensor as the source. */
static layout_chain *packed_source(struct ir_step *step, char plain[][IR_SIZE])
{
	char texts[TEXT_TENSOR_RANK][IR_SIZE];
	const char *sizes[TEXT_TENSOR_RANK];
	const struct given *given = step->given;
	unsigned rank = step->to.rank;

	for (unsigned o = 0; o < rank; o++) {
		int64_t d = given->permuted ? given->permutation.items[o] : (int64_t)o;

		sizes[o] = plain[d];
		for (unsigned t = 0; t < given->dims.count; t++)
			if (given->dims.items[t] == d) {
				print_tiles(texts[o], step->to.sizes[d], plain[d],
					given->texts[0][t]);
				sizes[o] = texts[o];
			}
	}
	for (unsigned t = 0; t < given->dims.count; t++)
		sizes[rank + t] = given->texts[0][t];
	return ir_check(step, layout_chain_new(layout_storage_row_major(step->cursor->ctx,
		step->from.rank, sizes)), &step->from, "packed tensor");
}

layout_chain *ir_add_unpack(struct ir_step *step, layout_chain *chain)
{
	char texts[TEXT_TENSOR_RANK][IR_SIZE];
	const char *plain[TEXT_TENSOR_RANK];
	const struct given *given = step->given;

	for (unsigned d = 0; d < step->to.rank; d++) {
		if (!ir_size(step->ir, &step->into, &step->to, d, chain ? 'r' : 'd', texts[d])) {
			layout_chain_free(chain);
			return NULL;
		}
		plain[d] = texts[d];
	}
	return layout_chain_unpack(chain ? chain : packed_source(step, texts),
		given->dims.count, given->dims.items, given->permuted ?
		given->permutation.items : NULL, plain);
}
