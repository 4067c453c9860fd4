/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/profile.h"

#include <stdlib.h>

bool text_tree(struct text_cursor *cursor, struct text_profile *profile,
	bool (*read)(struct text_cursor *cursor, void *user), void *user)
{
	unsigned node = profile->count;
	const char *end;

	if (!text_room(cursor, node, 2 * TEXT_LIST_LIMIT))
		return false;
	profile->count++;
	profile->arity[node] = -1;
	if (!text_at_tuple(cursor))
		return read(cursor, user);
	if (!text_enter(cursor))
		return false;
	end = text_open_tuple(cursor);
	profile->arity[node] = 0;
	if (!text_at(cursor, end)) {
		do {
			profile->arity[node]++;
			if (!text_tree(cursor, profile, read, user))
				return false;
		} while (text_skip(cursor, ","));
	}
	text_leave(cursor);
	return text_close_tuple(cursor, end);
}

static bool read_leaf(struct text_cursor *cursor, void *user)
{
	int64_t leaf;

	(void)user;
	return text_number_of_cute(cursor, &leaf);
}

struct text_profile *text_profile(struct text_cursor *cursor)
{
	struct text_profile *profile = layout_alloc(cursor->ctx, 1, sizeof(*profile));

	if (profile && text_tree(cursor, profile, read_leaf, NULL))
		return profile;
	free(profile);
	return NULL;
}
