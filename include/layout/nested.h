/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nested layouts (IREE's #iree_vector_ext.nested_layout): which thread of which
 * subgroup holds which elements of a vector. */
#ifndef LAYOUT_NESTED_H
#define LAYOUT_NESTED_H

#include <layout/relation.h>

typedef struct layout_nested layout_nested;

/* Seven lists of "rank" numbers; a list may be NULL where rank is 0. */
typedef struct {
	size_t size;			/* sizeof(layout_nested_desc) */
	unsigned rank;
	const int64_t *subgroup_tile;
	const int64_t *batch_tile;
	const int64_t *outer_tile;
	const int64_t *thread_tile;
	const int64_t *element_tile;
	const int64_t *subgroup_strides;
	const int64_t *thread_strides;
	int64_t subgroup_size;		/* threads in a subgroup; 0 means 64 */
} layout_nested_desc;
#define LAYOUT_NESTED_DESC_INIT \
	{ .size = sizeof(layout_nested_desc), .subgroup_size = 64 }

/* Tiles must be positive, strides not negative.  A stride whose tile is 1 becomes 0. */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_new(LAYOUT_KEEP layout_context *ctx,
	const layout_nested_desc *desc);

/* Read "nested_layout<subgroup_tile = [2, 1], ...>" with or without
 * "#iree_vector_ext." before it; lists in any order, all seven given. */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);
LAYOUT_API void layout_nested_free(LAYOUT_TAKE layout_nested *nested);
LAYOUT_API LAYOUT_GIVE char *layout_nested_str(LAYOUT_KEEP layout_nested *nested);

/* Ownership, for coordinate d
 *
 *	x_d = (((s_d*B_d + b_d)*O_d + o_d)*T_d + t_d)*E_d + e_d
 *	s_d = floor(thread / (subgroup_size*subgroup_stride_d)) mod S_d
 *	t_d = floor(thread / thread_stride_d) mod T_d
 *
 * as { [thread, b.., o.., e..] -> [x..] }.  A stride of 0 distributes nothing: its
 * id is 0 where the tile is 1, and any of the tile's values elsewhere, so every
 * thread holds all of them.  Threads are those of whole subgroups, as many as tiles
 * and strides name by subgroup or by thread; beyond them the formula repeats. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_nested_relation(
	LAYOUT_KEEP layout_nested *nested);

/* The vector: its dimensions, and the extent S_d*B_d*O_d*T_d*E_d of each (0 for d past
 * the last). */
LAYOUT_API unsigned layout_nested_rank(LAYOUT_KEEP layout_nested *nested);
LAYOUT_API int64_t layout_nested_size(LAYOUT_KEEP layout_nested *nested, unsigned dim);

/* The box of the vector's coordinates, { [x..] : 0 <= x_d < layout_nested_size(d) }. */
LAYOUT_API LAYOUT_GIVE layout_set *layout_nested_box(LAYOUT_KEEP layout_nested *nested);

#endif
