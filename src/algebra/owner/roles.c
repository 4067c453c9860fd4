/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/owner/roles.h"
#include "isl_bridge/relation.h"

#include <string.h>

static enum owner_role role_of(const char *name)
{
	static const struct { const char *name; enum owner_role role; } names[] = {
		{ "lane", ROLE_LANE }, { "thread", ROLE_THREAD },
		{ "subgroup", ROLE_SUBGROUP }, { "wave", ROLE_SUBGROUP },
		{ "warp", ROLE_SUBGROUP }, { "block", ROLE_BLOCK },
		{ "workgroup", ROLE_BLOCK } };

	for (unsigned i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i].name) == 0)
			return names[i].role;
	return ROLE_REGISTER;
}

void owner_roles(layout_relation *relation, enum owner_role *roles)
{
	unsigned rank = layout_relation_in_rank(relation);
	bool named = false;

	for (unsigned i = 0; i < rank; i++) {
		roles[i] = role_of(layout_relation_coordinate_name(relation, false, i));
		named = named || roles[i] == ROLE_LANE || roles[i] == ROLE_THREAD;
	}
	if (!named)
		roles[0] = ROLE_LANE;
}
