/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/kind.h"

#include "isl_bridge/relation.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum show_role role;
} roles[] = {
	{ "block", SHOW_BLOCK }, { "workgroup", SHOW_BLOCK }, { "wg", SHOW_BLOCK },
	{ "warp", SHOW_WARP }, { "wave", SHOW_WARP }, { "subgroup", SHOW_WARP },
	{ "sg", SHOW_WARP },
	{ "lane", SHOW_LANE }, { "thread", SHOW_LANE }, { "T", SHOW_LANE },
	{ "register", SHOW_REGISTER }, { "reg", SHOW_REGISTER },
	{ "element", SHOW_REGISTER }, { "value", SHOW_REGISTER }, { "V", SHOW_REGISTER },
	{ "offset", SHOW_MEMORY }, { "address", SHOW_MEMORY }, { "cell", SHOW_MEMORY },
	{ "lds", SHOW_MEMORY }, { "memory", SHOW_MEMORY }, { "bank", SHOW_MEMORY },
};

enum show_role show_role_of(const char *name)
{
	for (size_t i = 0; name && i < sizeof(roles) / sizeof(*roles); i++)
		if (!strcmp(roles[i].name, name))
			return roles[i].role;
	return SHOW_COORDINATE;
}

bool show_side_add(layout_context *ctx, struct show_side *side, const char *name,
	enum show_role role)
{
	side->roles[side->rank] = role;
	if (name)
		side->names[side->rank] = layout_strdup(ctx, name);
	return side->names[side->rank++] || !name;
}

bool show_offset_sides(layout_context *ctx, unsigned rank, struct show_side *inputs,
	struct show_side *images)
{
	bool good = true;

	for (unsigned i = 0; good && i < rank; i++)
		good = show_side_add(ctx, inputs, NULL, SHOW_COORDINATE);
	return good && show_side_add(ctx, images, "offset", SHOW_MEMORY);
}

/* A tuple "lane[t]" of one coordinate says what that is; one like "cell[i, j]", what all
 * are that say nothing themselves.  In the owners of kernels, "hw[y, x, lane]", x, y and z
 * number workgroups. */
static bool relation_side(layout_context *ctx, layout_relation *relation, bool is_image,
	struct show_side *side)
{
	unsigned rank = is_image ? layout_relation_out_rank(relation) :
		layout_relation_in_rank(relation);
	enum show_role tuple = show_role_of(layout_relation_tuple_name(relation,
		is_image));
	const char *of = layout_relation_tuple_name(relation, is_image);
	bool is_grid = of && !strcmp(of, "hw"), good = true;

	for (unsigned i = 0; good && i < rank; i++) {
		const char *name = layout_relation_coordinate_name(relation, is_image, i);
		enum show_role role = show_role_of(name);

		if (role == SHOW_COORDINATE && (rank == 1 || tuple == SHOW_MEMORY))
			role = tuple;
		if (is_grid && role == SHOW_COORDINATE && name && strlen(name) == 1 &&
				strchr("xyz", *name))
			role = SHOW_BLOCK;
		good = show_side_add(ctx, side, name, role);
	}
	return good;
}

bool show_side_has(const struct show_side *side, enum show_role role)
{
	for (unsigned i = 0; i < side->rank; i++)
		if (side->roles[i] == role)
			return true;
	return false;
}

/* A block alone does not make memory hardware.  On the hardware's side, what has no other
 * role counts registers. */
static void classify(struct show_side *side)
{
	bool holds = show_side_has(side, SHOW_LANE) || show_side_has(side, SHOW_WARP) ||
		show_side_has(side, SHOW_REGISTER);

	side->kind = holds ? SHOW_HARDWARE :
		show_side_has(side, SHOW_MEMORY) ? SHOW_CELLS : SHOW_ELEMENTS;
	for (unsigned i = 0; holds && i < side->rank; i++)
		if (side->roles[i] == SHOW_COORDINATE || side->roles[i] == SHOW_MEMORY)
			side->roles[i] = SHOW_REGISTER;
}

/* The source's cells are where a remap's picture begins: elements, to the picture. */
static void forget_cells(struct show_side *side)
{
	for (unsigned i = 0; i < side->rank; i++)
		side->roles[i] = SHOW_COORDINATE;
}

bool show_sides(layout_context *ctx, layout_value *value, layout_relation *relation,
	struct show_side *inputs, struct show_side *images)
{
	const struct show_kind *kind = value->kind->show;
	bool good;

	*inputs = *images = (struct show_side){ 0 };
	good = kind && kind->sides ? kind->sides(value, inputs, images) :
		relation_side(ctx, relation, false, inputs) &&
		relation_side(ctx, relation, true, images);
	if (kind && kind->inputs_are_plain)
		forget_cells(inputs);
	classify(inputs);
	classify(images);
	return good;
}

void show_side_free(struct show_side *side)
{
	for (unsigned i = 0; i < side->rank; i++)
		free(side->names[i]);
	*side = (struct show_side){ 0 };
}

int64_t show_side_number(const struct show_side *side, enum show_role role,
	const int64_t *point)
{
	int64_t number = 0;

	for (unsigned i = 0; i < side->rank; i++)
		if (side->roles[i] == role)
			number = number * side->size[i] + point[i];
	return number;
}

int64_t show_side_count(const struct show_side *side, enum show_role role)
{
	int64_t count = 1;

	for (unsigned i = 0; i < side->rank; i++)
		if (side->roles[i] == role &&
		    (__builtin_mul_overflow(count, side->size[i], &count) ||
		     count > (int64_t)1 << 62))
			return INT64_MAX;
	return count;
}
