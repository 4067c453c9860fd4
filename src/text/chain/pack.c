/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Packs as MLIR prints them, which are chains:
 *
 *	%cst = arith.constant 0.0 : f32
 *	%p = linalg.pack %t padding_value(%cst : f32) inner_dims_pos = [0, 1]
 *		inner_tiles = [16, 8] into %d : tensor<?x8xf32> -> tensor<?x1x16x8xf32>
 *
 *		chain(row_major[d0, 8], pack([0, 1], [16, 8], pad = 0.0))
 *
 * A "?" is the size d0, d1, .. of the tensor that is not packed. */
#include "text/chain/operation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_TEXT 200

/* A pack or unpack as it was read; "plain" and "packed" are its tensors. */
struct mlir_pack {
	bool unpacks;
	long position;			/* of its name */
	struct given *given;
	struct text_tensor plain, packed;
};

/* "%cst" */
static bool read_name(struct text_cursor *cursor, struct text_token *name)
{
	if (!text_take(cursor, "%"))
		return false;
	*name = cursor->token;
	if (name->kind != TEXT_NAME && name->kind != TEXT_INT)
		return text_expected(cursor, "the name of a value");
	text_advance(cursor);
	return true;
}

/* "%cst =", gone past; false where it is not there. */
static bool skip_result(struct text_cursor *cursor, struct text_token *name)
{
	struct text_cursor behind = *cursor;

	if (!text_skip(&behind, "%"))
		return false;
	*name = behind.token;
	text_advance(&behind);
	if (!text_skip(&behind, "="))
		return false;
	*cursor = behind;
	return true;
}

/* "%cst = arith.constant", gone past, too. */
static bool skip_constant(struct text_cursor *cursor, struct text_token *name)
{
	struct text_cursor behind = *cursor;

	if (!skip_result(&behind, name) || !text_skip(&behind, "arith.constant"))
		return false;
	*cursor = behind;
	return true;
}

/* Past a constant's value, ":" and its type. */
static void skip_value(struct text_cursor *cursor)
{
	while (cursor->token.kind != TEXT_END && !text_at(cursor, ":") &&
			!text_at(cursor, "%"))
		text_advance(cursor);
	if (text_skip(cursor, ":"))
		text_advance(cursor);
}

/* "%d = tensor.empty(%n) : tensor<?x16xf32>", gone past. */
static bool skip_empty(struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;
	struct text_token name;

	if (!skip_result(&behind, &name) || !text_skip(&behind, "tensor.empty") ||
	    !text_at(&behind, "("))
		return false;
	text_skip_brackets(&behind);
	skip_value(&behind);
	if (text_at(&behind, "<"))
		text_skip_brackets(&behind);
	*cursor = behind;
	return true;
}

/* Past what is made before the operation. */
static void skip_before(struct text_cursor *cursor)
{
	struct text_token name;

	while (true)
		if (skip_constant(cursor, &name))
			skip_value(cursor);
		else if (!skip_empty(cursor))
			return;
}

static bool at_operation(const struct text_cursor *cursor, bool *unpacks)
{
	*unpacks = text_at(cursor, "linalg.unpack") || text_at(cursor, "tensor.unpack");
	return *unpacks || text_at(cursor, "linalg.pack") || text_at(cursor, "tensor.pack");
}

bool text_at_mlir_pack(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;
	struct text_token name;
	bool unpacks;

	skip_before(&behind);
	skip_result(&behind, &name);
	return at_operation(&behind, &unpacks);
}

/* The value of a constant before the pack, from "at" on, as a cursor there. */
static bool find_constant(struct text_cursor at, struct text_token wanted,
	struct text_cursor *value)
{
	const char *name = at.text + wanted.begin;
	int length = (int)wanted.length;
	struct text_token found;

	while (true) {
		while (skip_empty(&at))
			;
		if (!skip_constant(&at, &found))
			break;
		*value = at;
		skip_value(&at);
		if (found.length == wanted.length &&
				!memcmp(at.text + found.begin, name, wanted.length))
			return true;
	}
	layout_fail(at.ctx, LAYOUT_ERROR_PARSE, (long)wanted.begin,
		"expected `%%%.*s = arith.constant ..` before the pack", length, name);
	return false;
}

/* "padding_value(%cst : f32)" */
static bool read_padding(struct text_cursor *cursor, const struct text_cursor *begin,
	struct given *given)
{
	struct text_cursor value;
	struct text_token name;

	if (given->value)
		return text_duplicate(cursor);
	text_advance(cursor);
	if (!text_take(cursor, "(") || !read_name(cursor, &name) ||
	    !text_take(cursor, ":") || !find_constant(*begin, name, &value) ||
	    !given_value(&value, given))
		return false;
	text_advance(cursor);
	return text_take(cursor, ")");
}

/* "16", "%c16", where "%c16 = arith.constant 16 : index" is before; to be freed. */
static char *read_tile(struct text_cursor *cursor, const struct text_cursor *begin,
	const char *rule)
{
	struct text_cursor value;
	struct text_token name;
	char *text;

	if (!text_at(cursor, "%"))
		return text_size_by(cursor, rule);
	if (!read_name(cursor, &name) || !find_constant(*begin, name, &value))
		return NULL;
	text = text_size_by(&value, rule);
	if (!text || (text_skip(&value, ":") && text_at(&value, "index")))
		return text;
	text_expected(&value, "the constant `index` of a tile");
	free(text);
	return NULL;
}

/* "[16, %c8]" */
static bool read_tiles(struct text_cursor *cursor, const struct text_cursor *begin,
	struct given *given)
{
	struct text_items items = { "[", "]", CHAIN_RANK };

	while (text_item(cursor, &items)) {
		char *text = read_tile(cursor, begin, given->rules[0]);

		if (!text)
			return false;
		given->texts[0][given->count[0]++] = text;
	}
	return items.ended;
}

/* "inner_dims_pos = [0, 1] inner_tiles = [16, 8]" and what may be before these. */
static bool read_lists(struct text_cursor *cursor, const struct text_cursor *begin,
	struct mlir_pack *pack)
{
	struct given *given = pack->given;

	while (!text_at(cursor, "inner_dims_pos"))
		if (text_at(cursor, "padding_value") && !pack->unpacks) {
			if (!read_padding(cursor, begin, given))
				return false;
		} else if (!text_at(cursor, "outer_dims_perm")) {
			return text_expected(cursor, "`inner_dims_pos`");
		} else if (!given_permutation(cursor, given)) {
			return false;
		}
	text_advance(cursor);
	return text_take(cursor, "=") && given_dims(cursor, &given->dims) &&
		text_take(cursor, "inner_tiles") && text_take(cursor, "=") &&
		read_tiles(cursor, begin, given) && given_as_long(cursor, pack->position,
			given, 1, given->dims.count);
}

static bool read_type(struct text_cursor *cursor, struct text_tensor *tensor)
{
	if (!text_at(cursor, "tensor") && !text_at(cursor, "memref"))
		return text_expected(cursor, "the type of a tensor");
	return text_tensor(cursor, tensor) && text_take(cursor, ">");
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
static bool read_types(struct text_cursor *cursor, struct mlir_pack *pack)
{
	const struct given *given = pack->given;
	struct text_token name;

	if (!text_take(cursor, "into") || !read_name(cursor, &name) ||
	    !text_take(cursor, ":") ||
	    !read_type(cursor, pack->unpacks ? &pack->packed : &pack->plain) ||
	    !text_take(cursor, "->") ||
	    !read_type(cursor, pack->unpacks ? &pack->plain : &pack->packed))
		return false;
	if (pack->packed.rank != pack->plain.rank + given->dims.count)
		return given_wrong(cursor, pack->packed.position, pack->packed.rank,
			pack->plain.rank + given->dims.count, "dimensions");
	if (!check_dims(cursor, &given->dims, pack->plain.rank) ||
	    !check_dims(cursor, &given->permutation, pack->plain.rank))
		return false;
	return !given->permuted || given->permutation.count == pack->plain.rank ||
		given_wrong(cursor, pack->position, given->permutation.count,
			pack->plain.rank, "dimensions of outer_dims_perm");
}

struct size_texts {
	char text[TEXT_TENSOR_RANK][SIZE_TEXT];
	const char *list[TEXT_TENSOR_RANK];
};

/* The sizes of the plain tensor, d0 for "?" of dimension 0. */
static void plain_sizes(const struct text_tensor *tensor, struct size_texts *sizes)
{
	for (unsigned d = 0; d < tensor->rank; d++) {
		if (tensor->sizes[d] < 0)
			snprintf(sizes->text[d], SIZE_TEXT, "d%u", d);
		else
			snprintf(sizes->text[d], SIZE_TEXT, "%" PRId64, tensor->sizes[d]);
		sizes->list[d] = sizes->text[d];
	}
}

/* The chain's sizes are what the type of its result says; errors lie at the type. */
static bool check_type(struct text_cursor *cursor, layout_chain *chain,
	const struct text_tensor *tensor)
{
	for (unsigned d = 0; chain && d < tensor->rank; d++) {
		const char *size = layout_chain_size(chain, d);
		char *end;
		long long number = strtoll(size, &end, 10);

		if (tensor->sizes[d] >= 0 && !*end && number != tensor->sizes[d]) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, tensor->position,
				"dimension %u of the packed tensor is %s, not %" PRId64, d,
				size, tensor->sizes[d]);
			return false;
		}
	}
	return chain;
}

static layout_chain *add_pack(layout_chain *chain, const struct mlir_pack *pack)
{
	const struct given *given = pack->given;

	return layout_chain_pack(chain, given->dims.count, given->dims.items,
		given_texts(given, 0), given->permuted ? given->permutation.items : NULL,
		given->value);
}

/* How many tiles there are of a size: a number of numbers. */
static void print_tiles(char text[SIZE_TEXT], int64_t size, const char *plain,
	const char *tile)
{
	char *end;
	int64_t number = strtoll(tile, &end, 10);

	if (size < 0 || *end || number < 1)
		snprintf(text, SIZE_TEXT, "ceil(%s/%s)", plain, tile);
	else
		snprintf(text, SIZE_TEXT, "%" PRId64, size / number + (size % number > 0));
}

/* The packed tensor as the source: the sizes are those that the pack of the plain tensor
 * would have. */
static layout_chain *unpack(struct text_cursor *cursor, const struct mlir_pack *pack,
	const struct size_texts *plain)
{
	const struct given *given = pack->given;
	struct size_texts sizes;

	for (unsigned d = 0; d < pack->packed.rank; d++)
		sizes.list[d] = sizes.text[d];
	for (unsigned o = 0; o < pack->plain.rank; o++) {
		int64_t d = given->permuted ? given->permutation.items[o] : (int64_t)o;

		snprintf(sizes.text[o], SIZE_TEXT, "%s", plain->list[d]);
		for (unsigned t = 0; t < given->dims.count; t++)
			if (given->dims.items[t] == d)
				print_tiles(sizes.text[o], pack->plain.sizes[d],
					plain->list[d], given_texts(given, 0)[t]);
	}
	for (unsigned t = 0; t < given->dims.count; t++)
		snprintf(sizes.text[pack->plain.rank + t], SIZE_TEXT, "%s",
			given_texts(given, 0)[t]);
	return layout_chain_new(layout_storage_row_major(cursor->ctx, pack->packed.rank,
		sizes.list));
}

static layout_chain *build(struct text_cursor *cursor, const struct mlir_pack *pack)
{
	const struct given *given = pack->given;
	long base = layout_context_set_base(cursor->ctx, pack->position);
	struct size_texts sizes;
	layout_chain *chain;
	bool good;

	plain_sizes(&pack->plain, &sizes);
	chain = pack->unpacks ? unpack(cursor, pack, &sizes) :
		add_pack(layout_chain_new(layout_storage_row_major(cursor->ctx,
			pack->plain.rank, sizes.list)), pack);
	layout_context_set_base(cursor->ctx, base);
	good = check_type(cursor, chain, &pack->packed);
	base = layout_context_set_base(cursor->ctx, pack->position);
	if (good && pack->unpacks)
		chain = layout_chain_unpack(chain, given->dims.count, given->dims.items,
			given->permuted ? given->permutation.items : NULL, sizes.list);
	layout_context_set_base(cursor->ctx, base);
	if (good)
		return chain;
	layout_chain_free(chain);
	return NULL;
}

layout_chain *text_mlir_pack(struct text_cursor *cursor)
{
	static const char *const rules[LISTS] = { "a tile must be at least 1" };
	struct mlir_pack pack = { .given = layout_alloc(cursor->ctx, 1,
		sizeof(*pack.given)) };
	const struct text_cursor begin = *cursor;
	layout_chain *chain = NULL;
	struct text_token name;

	if (!pack.given)
		return NULL;
	pack.given->rules = rules;
	skip_before(cursor);
	skip_result(cursor, &name);
	pack.position = text_position(cursor);
	at_operation(cursor, &pack.unpacks);
	text_advance(cursor);
	if (read_name(cursor, &name) && read_lists(cursor, &begin, &pack) &&
	    read_types(cursor, &pack))
		chain = build(cursor, &pack);
	given_free(pack.given);
	return chain;
}
