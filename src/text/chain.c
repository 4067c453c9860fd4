/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chains: "chain(row_major[M, K], pad([0, 0], [P, 0]), transpose([1, 0]), ..)".
 *
 *	copy()				left out when it is printed
 *	transpose([PERM])
 *	expand_shape([[0, 1], [2]], [?, 128, K])
 *	collapse_shape([[0, 1], [2]])
 *	extract_slice([OFFSETS], [SIZES], [STRIDES] [, drop = [DIMS]])
 *	pad([LOW], [HIGH] [, VALUE])
 *	pack([DIMS], [TILES] [, outer_dims_perm = [PERM]] [, pad = VALUE])
 *	unpack([DIMS], [SIZES] [, outer_dims_perm = [PERM]])
 *	broadcast([DIMS], [SIZES]) */
#include "text/notations.h"

#include "algebra/chain/step.h"

#include <stdlib.h>

enum { LISTS = 3 };

/* What an operation is given.  Lists that were not written are empty. */
struct given {
	char *texts[LISTS][CHAIN_RANK];		/* sizes, "?" */
	unsigned count[LISTS];
	struct text_ints dims, permutation, drop;
	unsigned groups[CHAIN_RANK], group_count;
	bool permuted;
	char *value;
};

bool text_at_chain(const struct text_cursor *cursor)
{
	return text_at(cursor, "chain");
}

static const char *const *texts(const struct given *given, unsigned list)
{
	return (const char *const *)given->texts[list];
}

static void free_given(struct given *given)
{
	for (unsigned list = 0; list < LISTS; list++)
		for (unsigned i = 0; i < given->count[list]; i++)
			free(given->texts[list][i]);
	free(given->value);
	free(given);
}

/* "[M, ?, 2*K]" */
static bool read_sizes(struct text_cursor *cursor, struct given *given, unsigned list)
{
	unsigned *count = &given->count[list];

	if (!text_take(cursor, "["))
		return false;
	if (text_skip(cursor, "]"))
		return true;
	do {
		char *text;

		if (!text_room(cursor, *count, CHAIN_RANK))
			return false;
		text = text_skip(cursor, "?") ? layout_strdup(cursor->ctx, "?") :
			text_size(cursor);
		if (!text)
			return false;
		given->texts[list][(*count)++] = text;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, "]");
}

/* ", [..]" for each of the lists "first" .. "last" */
static bool read_more(struct text_cursor *cursor, struct given *given, unsigned first,
	unsigned last)
{
	for (unsigned list = first; list <= last; list++)
		if (!text_take(cursor, ",") || !read_sizes(cursor, given, list))
			return false;
	return true;
}

/* One of the reassociation's lists: the dimensions from "next" on. */
static bool read_group(struct text_cursor *cursor, unsigned *next, unsigned *size)
{
	struct text_ints list;

	if (!text_integers(cursor, 0, "a dimension", &list))
		return false;
	for (unsigned i = 0; i < list.count; i++, (*next)++)
		if (list.items[i] != (int64_t)*next) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, list.positions[i],
				"a reassociation has the dimensions in order: expected %u, "
				"found %lld", *next, (long long)list.items[i]);
			return false;
		}
	*size = list.count;
	return true;
}

/* "[[0, 1], [2]]" */
static bool read_groups(struct text_cursor *cursor, struct given *given)
{
	unsigned next = 0;

	if (!text_take(cursor, "["))
		return false;
	if (text_skip(cursor, "]"))
		return true;
	do {
		if (!text_room(cursor, given->group_count, CHAIN_RANK) ||
		    !read_group(cursor, &next, &given->groups[given->group_count]))
			return false;
		given->group_count++;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, "]");
}

static bool read_dims(struct text_cursor *cursor, struct text_ints *dims)
{
	return text_integers(cursor, 0, "a dimension", dims);
}

/* The permutation of an operation that has one. */
static bool read_permutation(struct text_cursor *cursor, struct given *given)
{
	if (given->permuted)
		return text_duplicate(cursor);
	given->permuted = true;
	text_advance(cursor);
	return text_take(cursor, "=") && read_dims(cursor, &given->permutation);
}

static bool read_value(struct text_cursor *cursor, struct given *given)
{
	return (given->value = text_number(cursor));
}

static bool fail_count(struct text_cursor *cursor, long position, unsigned count,
	unsigned wanted, const char *what)
{
	layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
		"found %u %s, expected %u", count, what, wanted);
	return false;
}

/* Lists as long as another one. */
static bool as_long(struct text_cursor *cursor, long position, const struct given *given,
	unsigned lists, unsigned wanted)
{
	for (unsigned list = 0; list < lists; list++)
		if (given->count[list] != wanted)
			return fail_count(cursor, position, given->count[list], wanted,
				"sizes");
	return true;
}

static layout_chain *add_transpose(layout_chain *chain, struct given *given)
{
	return layout_chain_transpose(chain, given->dims.count, given->dims.items);
}

static bool read_transpose(struct text_cursor *cursor, struct given *given)
{
	return read_dims(cursor, &given->dims);
}

static layout_chain *add_expand(layout_chain *chain, struct given *given)
{
	return layout_chain_expand(chain, given->group_count, given->groups,
		texts(given, 0));
}

static bool read_expand(struct text_cursor *cursor, struct given *given)
{
	unsigned rank = 0;
	long position;

	if (!read_groups(cursor, given) || !text_take(cursor, ","))
		return false;
	position = text_position(cursor);
	for (unsigned g = 0; g < given->group_count; g++)
		rank += given->groups[g];
	return read_sizes(cursor, given, 0) &&
		as_long(cursor, position, given, 1, rank);
}

static layout_chain *add_collapse(layout_chain *chain, struct given *given)
{
	return layout_chain_collapse(chain, given->group_count, given->groups);
}

static bool read_collapse(struct text_cursor *cursor, struct given *given)
{
	return read_groups(cursor, given);
}

static layout_chain *add_slice(layout_chain *chain, struct given *given)
{
	bool drop[CHAIN_RANK] = { false };

	for (unsigned i = 0; i < given->drop.count; i++)
		drop[given->drop.items[i]] = true;
	return layout_chain_slice(chain, given->count[0], texts(given, 0),
		texts(given, 1), texts(given, 2), drop);
}

static bool read_drop(struct text_cursor *cursor, struct given *given)
{
	text_advance(cursor);
	if (!text_take(cursor, "=") || !read_dims(cursor, &given->drop))
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

	if (!read_sizes(cursor, given, 0) || !read_more(cursor, given, 1, 2) ||
	    !as_long(cursor, position, given, 3, given->count[0]))
		return false;
	if (!text_skip(cursor, ","))
		return true;
	return text_at(cursor, "drop") ? read_drop(cursor, given) :
		text_expected(cursor, "`drop`");
}

static layout_chain *add_pad(layout_chain *chain, struct given *given)
{
	return layout_chain_pad(chain, given->count[0], texts(given, 0), texts(given, 1),
		given->value);
}

static bool read_pad(struct text_cursor *cursor, struct given *given)
{
	long position = text_position(cursor);

	return read_sizes(cursor, given, 0) && read_more(cursor, given, 1, 1) &&
		as_long(cursor, position, given, 2, given->count[0]) &&
		(!text_skip(cursor, ",") || read_value(cursor, given));
}

static layout_chain *add_pack(layout_chain *chain, struct given *given)
{
	return layout_chain_pack(chain, given->dims.count, given->dims.items,
		texts(given, 0), given->permuted ? given->permutation.items : NULL,
		given->value);
}

static bool read_pack(struct text_cursor *cursor, struct given *given)
{
	long position = text_position(cursor);

	if (!read_dims(cursor, &given->dims) || !read_more(cursor, given, 0, 0) ||
	    !as_long(cursor, position, given, 1, given->dims.count))
		return false;
	while (text_skip(cursor, ",")) {
		if (text_at(cursor, "outer_dims_perm")) {
			if (!read_permutation(cursor, given))
				return false;
		} else if (text_at(cursor, "pad")) {
			if (given->value)
				return text_duplicate(cursor);
			text_advance(cursor);
			if (!text_take(cursor, "=") || !read_value(cursor, given))
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
		given->permuted ? given->permutation.items : NULL, texts(given, 0));
}

static bool read_unpack(struct text_cursor *cursor, struct given *given)
{
	if (!read_dims(cursor, &given->dims) || !read_more(cursor, given, 0, 0))
		return false;
	if (!text_skip(cursor, ","))
		return true;
	return text_at(cursor, "outer_dims_perm") ? read_permutation(cursor, given) :
		text_expected(cursor, "`outer_dims_perm`");
}

static layout_chain *add_broadcast(layout_chain *chain, struct given *given)
{
	return layout_chain_broadcast(chain, given->dims.count, given->dims.items,
		texts(given, 0));
}

static bool read_broadcast(struct text_cursor *cursor, struct given *given)
{
	long position = text_position(cursor);

	return read_dims(cursor, &given->dims) && read_more(cursor, given, 0, 0) &&
		as_long(cursor, position, given, 1, given->dims.count);
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

static const struct operation {
	const char *name;
	bool (*read)(struct text_cursor *cursor, struct given *given);
	layout_chain *(*add)(layout_chain *chain, struct given *given);
} operations[] = {
	{ "copy", read_copy, add_copy },
	{ "transpose", read_transpose, add_transpose },
	{ "expand_shape", read_expand, add_expand },
	{ "collapse_shape", read_collapse, add_collapse },
	{ "extract_slice", read_slice, add_slice },
	{ "pad", read_pad, add_pad },
	{ "pack", read_pack, add_pack },
	{ "unpack", read_unpack, add_unpack },
	{ "broadcast", read_broadcast, add_broadcast },
};

/* What an operation needs to know of the chain before it reads its lists' entries: lists
 * of the C API are as long as the tensor's rank says. */
static bool check_lengths(struct text_cursor *cursor, long position,
	const struct given *given, layout_chain *chain, const struct operation *operation)
{
	unsigned rank = layout_chain_rank(chain), tiles = given->dims.count;

	if (operation->read == read_pack)
		return !given->permuted || given->permutation.count == rank ||
			fail_count(cursor, position, given->permutation.count, rank,
				"dimensions of outer_dims_perm");
	if (operation->read != read_unpack || tiles > rank / 2)
		return true;
	if (given->count[0] != rank - tiles)
		return fail_count(cursor, position, given->count[0], rank - tiles,
			"sizes");
	return !given->permuted || given->permutation.count == rank - tiles ||
		fail_count(cursor, position, given->permutation.count, rank - tiles,
			"dimensions of outer_dims_perm");
}

/* One operation behind "chain", which it consumes.  Errors of the whole of it lie at its
 * name. */
static layout_chain *read_operation(struct text_cursor *cursor, layout_chain *chain)
{
	size_t count = sizeof(operations) / sizeof(*operations), i = 0;
	long position = text_position(cursor), base;
	struct given *given = layout_alloc(cursor->ctx, 1, sizeof(*given));
	bool good;

	while (i < count && !text_at(cursor, operations[i].name))
		i++;
	good = given && (i < count || text_expected(cursor, "an operation of a chain"));
	if (good)
		text_advance(cursor);
	good = good && text_take(cursor, "(") && operations[i].read(cursor, given) &&
		text_end_list(cursor, ")") &&
		check_lengths(cursor, position, given, chain, &operations[i]);
	if (good) {
		base = layout_context_set_base(cursor->ctx, position);
		chain = operations[i].add(chain, given);
		layout_context_set_base(cursor->ctx, base);
	} else {
		layout_chain_free(chain);
		chain = NULL;
	}
	if (given)
		free_given(given);
	return chain;
}

layout_chain *text_chain(struct text_cursor *cursor)
{
	layout_storage *source;
	layout_chain *chain = NULL;
	long position, base;

	if (!text_take(cursor, "chain") || !text_take(cursor, "("))
		return NULL;
	position = text_position(cursor);
	source = text_storage(cursor);
	base = layout_context_set_base(cursor->ctx, position);
	chain = layout_chain_new(source);
	layout_context_set_base(cursor->ctx, base);
	while (chain && text_skip(cursor, ","))
		chain = read_operation(cursor, chain);
	if (!chain || text_end_list(cursor, ")"))
		return chain;
	layout_chain_free(chain);
	return NULL;
}

layout_chain *layout_chain_parse(layout_context *ctx, const char *text)
{
	struct text_cursor cursor;
	layout_chain *chain;

	if (!text_open(&cursor, ctx, text))
		return NULL;
	chain = text_chain(&cursor);
	if (chain && text_close(&cursor))
		return chain;
	layout_chain_free(chain);
	return NULL;
}

/* The operations up to this step, first to last. */
static void print_operations(struct layout_buffer *out, const layout_chain *chain)
{
	if (!chain->before)
		return;
	print_operations(out, chain->before);
	if (chain->written)
		layout_buffer_printf(out, ", %s", chain->written);
}

char *layout_chain_str(layout_chain *chain)
{
	struct layout_buffer out = { 0 };
	char *source;

	if (!chain)
		return NULL;
	source = layout_storage_str(chain->source);
	if (!source)
		return NULL;
	layout_buffer_printf(&out, "chain(%s", source);
	print_operations(&out, chain);
	layout_buffer_printf(&out, ")");
	free(source);
	return layout_buffer_take(chain->ctx, &out);
}
