/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/profile.h"

#include <stdlib.h>

static bool read_tree(struct text_cursor *cursor, struct text_profile *profile)
{
	unsigned node = profile->count;
	int64_t leaf;

	if (!text_room(cursor, node, 2 * TEXT_LIST_LIMIT))
		return false;
	profile->count++;
	profile->arity[node] = -1;
	if (!text_at(cursor, "("))
		return text_integer(cursor, &leaf);
	if (!text_enter(cursor))
		return false;
	text_advance(cursor);
	profile->arity[node] = 0;
	if (!text_at(cursor, ")")) {
		do {
			profile->arity[node]++;
			if (!read_tree(cursor, profile))
				return false;
		} while (text_skip(cursor, ","));
	}
	text_leave(cursor);
	return text_end_list(cursor, ")");
}

struct text_profile *text_profile(struct text_cursor *cursor)
{
	struct text_profile *profile = layout_alloc(cursor->ctx, 1, sizeof(*profile));

	if (profile && read_tree(cursor, profile))
		return profile;
	free(profile);
	return NULL;
}
