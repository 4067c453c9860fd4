/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One side of a layout, inputs or images: what its coordinates stand for. */
#ifndef LAYOUT_SHOW_SIDE_H
#define LAYOUT_SHOW_SIDE_H

#include "isl_bridge/context.h"

#include <layout/value.h>

#define SHOW_RANK 64		/* coordinates of a side */

enum show_role {
	SHOW_COORDINATE,
	SHOW_BLOCK,
	SHOW_WARP,
	SHOW_LANE,
	SHOW_REGISTER,
	SHOW_MEMORY,
};

/* What a side is: elements, lanes and registers, memory. */
enum show_class {
	SHOW_ELEMENTS,
	SHOW_HARDWARE,
	SHOW_CELLS,
};

struct show_side {
	unsigned rank;
	char *names[SHOW_RANK];		/* NULL: no name */
	enum show_role roles[SHOW_RANK];
	int64_t size[SHOW_RANK];	/* 1 + the largest coordinate seen */
	bool is_negative;		/* was one below 0? */
	enum show_class kind;
};

/* The names and roles of both sides of a value, whose "relation" may be NULL where the
 * notation says them.  False without memory.  Free in both cases. */
bool show_sides(layout_context *ctx, layout_value *value, layout_relation *relation,
	struct show_side *inputs, struct show_side *images);
/* Add a coordinate, whose name may be NULL; or "rank" of them without names to the
 * inputs, and an offset to the images.  False without memory. */
bool show_offset_sides(layout_context *ctx, unsigned rank, struct show_side *inputs,
	struct show_side *images);
bool show_side_add(layout_context *ctx, struct show_side *side, const char *name,
	enum show_role role);

/* What a name stands for. */
enum show_role show_role_of(const char *name);

void show_side_free(struct show_side *side);

/* The number of a point among those of its coordinates with this role, lexicographically;
 * and how many there are, at most 2^62: INT64_MAX stands for more. */
int64_t show_side_number(const struct show_side *side, enum show_role role,
	const int64_t *point);
int64_t show_side_count(const struct show_side *side, enum show_role role);

/* Has the side such a coordinate? */
bool show_side_has(const struct show_side *side, enum show_role role);

#endif
