/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/profile.h"

#include <stdlib.h>

bool text_tree(struct text_cursor *cursor, struct text_profile *profile,
	bool (*read)(struct text_cursor *cursor, void *user), void *user)
{
	unsigned node = profile->count;

	if (!text_room(cursor, node, 2 * TEXT_LIST_LIMIT))
		return false;
	profile->count++;
	profile->arity[node] = -1;
	if (!text_at(cursor, "("))
		return read(cursor, user);
	if (!text_enter(cursor))
		return false;
	text_advance(cursor);
	profile->arity[node] = 0;
	if (!text_at(cursor, ")")) {
		do {
			profile->arity[node]++;
			if (!text_tree(cursor, profile, read, user))
				return false;
		} while (text_skip(cursor, ","));
	}
	text_leave(cursor);
	return text_end_list(cursor, ")");
}

static bool read_leaf(struct text_cursor *cursor, void *user)
{
	int64_t leaf;

	(void)user;
	return text_integer(cursor, &leaf);
}

struct text_profile *text_profile(struct text_cursor *cursor)
{
	struct text_profile *profile = layout_alloc(cursor->ctx, 1, sizeof(*profile));

	if (profile && text_tree(cursor, profile, read_leaf, NULL))
		return profile;
	free(profile);
	return NULL;
}
