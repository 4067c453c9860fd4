/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/list.h"

#include <stdlib.h>
#include <string.h>

static bool is_identifier(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (name[i] == '.' || name[i] == '$' || name[i] == '#')
			return false;
	return true;
}

char *text_name(struct text_cursor *cursor, bool for_isl, const char *what)
{
	const char *begin = cursor->text + cursor->token.begin;
	size_t length = cursor->token.length;
	char *name;

	if (cursor->token.kind != TEXT_NAME || !is_identifier(begin, length) ||
			(for_isl && !layout_is_plain_name(begin, length))) {
		text_expected(cursor, what);
		return NULL;
	}
	name = layout_alloc(cursor->ctx, length + 1, 1);
	if (name)
		memcpy(name, begin, length);
	text_advance(cursor);
	return name;
}

static bool read_size(struct text_cursor *cursor, int64_t *size)
{
	long position = text_position(cursor);

	if (!text_integer(cursor, size))
		return false;
	if (*size < 0)
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"a size must be at least 0, not %lld", (long long)*size);
	return *size >= 0;
}

/* One entry, "lane", "16" or "lane = 16". */
static bool read_entry(struct text_cursor *cursor, enum list_kind kind,
	struct text_list *list)
{
	static const char *const wanted[] = {
		[LIST_NAMES] = "a name", [LIST_SIZES] = "a size",
		[LIST_NAMED] = "NAME = SIZE", [LIST_ANY] = "a name or a size",
	};
	unsigned i = list->count++;

	list->positions[i] = text_position(cursor);
	list->sizes[i] = -1;
	if (kind == LIST_SIZES || (kind == LIST_ANY && cursor->token.kind != TEXT_NAME))
		return cursor->token.kind == TEXT_INT || text_at(cursor, "-") ?
			read_size(cursor, &list->sizes[i]) :
			text_expected(cursor, wanted[kind]);
	list->names[i] = text_name(cursor, kind == LIST_ANY, wanted[kind]);
	if (!list->names[i])
		return false;
	if (kind == LIST_NAMED ? !text_take(cursor, "=") :
			kind == LIST_NAMES || !text_skip(cursor, "="))
		return kind != LIST_NAMED;
	return read_size(cursor, &list->sizes[i]);
}

/* The entries are of one kind, and no name stands twice. */
static bool check_entry(struct text_cursor *cursor, struct text_list *list)
{
	unsigned last = list->count - 1;
	const char *name = list->names[last];

	if (!name != !list->names[0] ||
			(list->sizes[last] < 0) != (list->sizes[0] < 0)) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, list->positions[last],
			"names and sizes are mixed in one list");
		return false;
	}
	for (unsigned i = 0; name && i < last; i++) {
		if (strcmp(list->names[i], name))
			continue;
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, list->positions[last],
			"`%.64s` stands twice", name);
		return false;
	}
	return true;
}

bool text_list(struct text_cursor *cursor, enum list_kind kind, struct text_list *list)
{
	struct text_items items = { "[", "]", TEXT_LIST_LIMIT };

	list->count = 0;
	while (text_item(cursor, &items))
		if (!read_entry(cursor, kind, list) || !check_entry(cursor, list))
			return false;
	return items.ended;
}

void text_list_free(struct text_list *list)
{
	for (unsigned i = 0; i < list->count; i++)
		free(list->names[i]);
	list->count = 0;
}
