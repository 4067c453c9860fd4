/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The operations of chains, each with its reader. */
#include "text/chain/operation.h"

#include <string.h>

static layout_chain *add_transpose(layout_chain *chain, struct given *given)
{
	return layout_chain_transpose(chain, given->dims.count, given->dims.items);
}

static bool read_transpose(struct text_cursor *cursor, struct given *given)
{
	return given_dims(cursor, &given->dims);
}

static layout_chain *add_expand(layout_chain *chain, struct given *given)
{
	return layout_chain_expand(chain, given->group_count, given->groups,
		given_texts(given, 0));
}

static bool read_expand(struct text_cursor *cursor, struct given *given)
{
	unsigned rank = 0;
	long position;

	if (!given_groups(cursor, given) || !text_take(cursor, ","))
		return false;
	position = text_position(cursor);
	for (unsigned g = 0; g < given->group_count; g++)
		rank += given->groups[g];
	if (!given_sizes(cursor, given, 0))
		return false;
	if (given->group_count || !given->count[0])
		return given_as_long(cursor, position, given, 1, rank);
	given->groups[given->group_count++] = given->count[0];
	return true;
}

static layout_chain *add_collapse(layout_chain *chain, struct given *given)
{
	return layout_chain_collapse(chain, given->group_count, given->groups);
}

static bool read_collapse(struct text_cursor *cursor, struct given *given)
{
	return given_groups(cursor, given);
}

static layout_chain *add_slice(layout_chain *chain, struct given *given)
{
	bool drop[CHAIN_RANK] = { false };

	for (unsigned i = 0; i < given->drop.count; i++)
		drop[given->drop.items[i]] = true;
	return layout_chain_slice(chain, given->count[0], given_texts(given, 0),
		given_texts(given, 1), given_texts(given, 2), drop);
}

static bool read_drop(struct text_cursor *cursor, struct given *given)
{
	text_advance(cursor);
	if (!text_take(cursor, "=") || !given_dims(cursor, &given->drop))
		return false;
	for (unsigned i = 0; i < given->drop.count; i++)
		if (given->drop.items[i] >= (int64_t)given->count[0]) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE,
				given->drop.positions[i],
				"dimension %lld of a slice of rank %u",
				(long long)given->drop.items[i], given->count[0]);
			return false;
		}
	return true;
}

static bool read_slice(struct text_cursor *cursor, struct given *given)
{
	long position = text_position(cursor);

	if (!given_sizes(cursor, given, 0) || !given_more(cursor, given, 1, 2) ||
	    !given_as_long(cursor, position, given, 3, given->count[0]))
		return false;
	if (!text_skip(cursor, ","))
		return true;
	return text_at(cursor, "drop") ? read_drop(cursor, given) :
		text_expected(cursor, "`drop`");
}

static layout_chain *add_pad(layout_chain *chain, struct given *given)
{
	return layout_chain_pad(chain, given->count[0], given_texts(given, 0),
		given_texts(given, 1), given->value);
}

static bool read_pad(struct text_cursor *cursor, struct given *given)
{
	long position = text_position(cursor);

	return given_sizes(cursor, given, 0) && given_more(cursor, given, 1, 1) &&
		given_as_long(cursor, position, given, 2, given->count[0]) &&
		(!text_skip(cursor, ",") || given_value(cursor, given));
}

static layout_chain *add_pack(layout_chain *chain, struct given *given)
{
	return layout_chain_pack(chain, given->dims.count, given->dims.items,
		given_texts(given, 0), given->permuted ? given->permutation.items : NULL,
		given->value);
}

static bool read_pack(struct text_cursor *cursor, struct given *given)
{
	long position = text_position(cursor);

	if (!given_dims(cursor, &given->dims) || !given_more(cursor, given, 0, 0) ||
	    !given_as_long(cursor, position, given, 1, given->dims.count))
		return false;
	while (text_skip(cursor, ",")) {
		if (text_at(cursor, "outer_dims_perm")) {
			if (!given_permutation(cursor, given))
				return false;
		} else if (text_at(cursor, "pad")) {
			if (given->value)
				return text_duplicate(cursor);
			text_advance(cursor);
			if (!text_take(cursor, "=") || !given_value(cursor, given))
				return false;
		} else {
			return text_expected(cursor, "`outer_dims_perm` or `pad`");
		}
	}
	return true;
}

static layout_chain *add_unpack(layout_chain *chain, struct given *given)
{
	return layout_chain_unpack(chain, given->dims.count, given->dims.items,
		given->permuted ? given->permutation.items : NULL, given_texts(given, 0));
}

static bool read_unpack(struct text_cursor *cursor, struct given *given)
{
	if (!given_dims(cursor, &given->dims) || !given_more(cursor, given, 0, 0))
		return false;
	if (!text_skip(cursor, ","))
		return true;
	return text_at(cursor, "outer_dims_perm") ? given_permutation(cursor, given) :
		text_expected(cursor, "`outer_dims_perm`");
}

static layout_chain *add_broadcast(layout_chain *chain, struct given *given)
{
	return layout_chain_broadcast(chain, given->dims.count, given->dims.items,
		given_texts(given, 0));
}

static bool read_broadcast(struct text_cursor *cursor, struct given *given)
{
	long position = text_position(cursor);

	return given_dims(cursor, &given->dims) && given_more(cursor, given, 0, 0) &&
		given_as_long(cursor, position, given, 1, given->dims.count);
}

static bool read_copy(struct text_cursor *cursor, struct given *given)
{
	(void)cursor;
	(void)given;
	return true;
}

static layout_chain *add_copy(layout_chain *chain, struct given *given)
{
	(void)given;
	return chain;
}

#define SIZE "a size must be at least 0"
#define OFFSET "an offset must be at least 0"
#define STRIDE "a stride must be at least 1"
#define PADDING "padding must be at least 0"
#define TILE "a tile must be at least 1"

static const struct operation operations[] = {
	{ "copy", { NULL }, read_copy, add_copy },
	{ "transpose", { NULL }, read_transpose, add_transpose },
	{ "expand_shape", { SIZE }, read_expand, add_expand },
	{ "collapse_shape", { NULL }, read_collapse, add_collapse },
	{ "extract_slice", { OFFSET, SIZE, STRIDE }, read_slice, add_slice },
	{ "pad", { PADDING, PADDING }, read_pad, add_pad },
	{ "pack", { TILE }, read_pack, add_pack },
	{ "unpack", { SIZE }, read_unpack, add_unpack },
	{ "broadcast", { SIZE }, read_broadcast, add_broadcast },
};

const struct operation *text_find_operation(struct text_cursor *cursor)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++)
		if (text_at(cursor, operations[i].name))
			return &operations[i];
	text_expected(cursor, "an operation of a chain");
	return NULL;
}

const struct operation *text_operation_named(const char *name)
{
	const struct operation *operation = operations;

	while (strcmp(operation->name, name))
		operation++;
	return operation;
}

bool text_check_lengths(struct text_cursor *cursor, long position,
	const struct given *given, layout_chain *chain, const struct operation *operation)
{
	unsigned rank = layout_chain_rank(chain), tiles = given->dims.count;

	if (operation->read == read_pack)
		return !given->permuted || given->permutation.count == rank ||
			given_wrong(cursor, position, given->permutation.count, rank,
				"dimensions of outer_dims_perm");
	if (operation->read != read_unpack || tiles > rank / 2)
		return true;
	if (given->count[0] != rank - tiles)
		return given_wrong(cursor, position, given->count[0], rank - tiles,
			"sizes");
	return !given->permuted || given->permutation.count == rank - tiles ||
		given_wrong(cursor, position, given->permutation.count, rank - tiles,
			"dimensions of outer_dims_perm");
}
