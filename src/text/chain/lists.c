/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lists that an operation of a chain is given. */
#include "text/chain/operation.h"

#include <stdlib.h>

const char *const *given_texts(const struct given *given, unsigned list)
{
	return (const char *const *)given->texts[list];
}

void given_free(struct given *given)
{
	for (unsigned list = 0; list < LISTS; list++)
		for (unsigned i = 0; i < given->count[list]; i++)
			free(given->texts[list][i]);
	free(given->value);
	free(given);
}

bool given_sizes(struct text_cursor *cursor, struct given *given, unsigned list)
{
	struct text_items items = { "[", "]", CHAIN_RANK };

	while (text_item(cursor, &items)) {
		char *text = text_skip(cursor, "?") ? layout_strdup(cursor->ctx, "?") :
			text_size_by(cursor, given->rules[list]);

		if (!text)
			return false;
		given->texts[list][given->count[list]++] = text;
	}
	return items.ended;
}

bool given_more(struct text_cursor *cursor, struct given *given, unsigned first,
	unsigned last)
{
	for (unsigned list = first; list <= last; list++)
		if (!text_take(cursor, ",") || !given_sizes(cursor, given, list))
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

bool given_groups(struct text_cursor *cursor, struct given *given)
{
	struct text_items items = { "[", "]", CHAIN_RANK };
	unsigned next = 0;

	while (text_item(cursor, &items)) {
		if (!read_group(cursor, &next, &given->groups[given->group_count]))
			return false;
		given->group_count++;
	}
	return items.ended;
}

bool given_dims(struct text_cursor *cursor, struct text_ints *dims)
{
	return text_integers(cursor, 0, "a dimension", dims);
}

/* The permutation of an operation that has one. */
bool given_permutation(struct text_cursor *cursor, struct given *given)
{
	if (given->permuted)
		return text_duplicate(cursor);
	given->permuted = true;
	text_advance(cursor);
	return text_take(cursor, "=") && given_dims(cursor, &given->permutation);
}

bool given_value(struct text_cursor *cursor, struct given *given)
{
	return (given->value = text_number(cursor));
}

bool given_wrong(struct text_cursor *cursor, long position, unsigned count,
	unsigned wanted, const char *what)
{
	layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
		"found %u %s, expected %u", count, what, wanted);
	return false;
}

/* Lists as long as another one. */
bool given_as_long(struct text_cursor *cursor, long position, const struct given *given,
	unsigned lists, unsigned wanted)
{
	for (unsigned list = 0; list < lists; list++)
		if (given->count[list] != wanted)
			return given_wrong(cursor, position, given->count[list], wanted,
				"sizes");
	return true;
}
