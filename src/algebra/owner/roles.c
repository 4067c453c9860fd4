/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/owner/roles.h"
#include "isl_bridge/relation.h"

#include <layout/view.h>
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

bool owner_inputs_read(struct owner_inputs *inputs, layout_relation *relation)
{
	layout_set *domain = layout_relation_domain(layout_relation_copy(relation));
	bool named = false, ok = layout_set_box(domain, inputs->extents);

	layout_set_free(domain);
	inputs->count = layout_relation_in_rank(relation);
	for (unsigned i = 0; i < inputs->count; i++) {
		enum owner_role role = role_of(layout_relation_coordinate_name(relation,
			false, i));

		inputs->roles[i] = role;
		named = named || role == ROLE_LANE || role == ROLE_THREAD;
	}
	if (!named)
		inputs->roles[0] = ROLE_LANE;
	return ok;
}

/* The part that an input numbers; workgroups, of which there is one, are as good as
 * lanes. */
static unsigned part_of(const struct owner_inputs *inputs, unsigned i)
{
	return inputs->roles[i] > ROLE_REGISTER ? OWNER_LANE : inputs->roles[i];
}

bool owner_inputs_number(struct owner_inputs *inputs, int64_t most,
	int64_t extent[OWNER_PARTS])
{
	int64_t points = 1;

	for (unsigned part = 0; part < OWNER_PARTS; part++)
		extent[part] = 1;
	for (unsigned i = inputs->count; i-- > 0;) {
		unsigned part = part_of(inputs, i);

		if (inputs->extents[i] > most / points)
			return false;
		points *= inputs->extents[i];
		inputs->steps[i] = extent[part];
		extent[part] *= inputs->extents[i];
	}
	return true;
}

void owner_inputs_at(const struct owner_inputs *inputs, const int64_t *in,
	int64_t hw[OWNER_PARTS])
{
	memset(hw, 0, OWNER_PARTS * sizeof(*hw));
	for (unsigned i = 0; i < inputs->count; i++)
		hw[part_of(inputs, i)] += inputs->steps[i] * in[i];
}
