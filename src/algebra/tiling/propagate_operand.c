/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One operand of an operation on packed tensors. */
#include "algebra/tiling/propagate.h"

#include "algebra/function.h"
#include "isl_bridge/aff.h"

#include <stdlib.h>

/* The dimensions of an operand.
 *
 *	copies		the loop that each is; -1: it is something else
 *	tiles		the inner tile that splits each, or -1
 *	order		its outer dimensions as they are packed
 *	packed		has it any tile?  Else it stays as it is */
struct dims {
	unsigned rank;
	int copies[LAYOUT_LOOPS], tiles[LAYOUT_LOOPS];
	unsigned order[LAYOUT_LOOPS];
	bool packed;
};

/* Where the outer loop of a dimension stands; dimensions without one come first. */
static int outer_place(const struct packed_loops *loops, const struct dims *dims,
	unsigned d)
{
	return dims->copies[d] < 0 ? -1 : (int)loops->outer[dims->copies[d]];
}

/* The dimensions in the order of the packed loops. */
static void sort(const struct packed_loops *loops, struct dims *dims)
{
	for (unsigned d = 0; d < dims->rank; d++) {
		unsigned i = d;

		while (i > 0 && outer_place(loops, dims, dims->order[i - 1]) >
				outer_place(loops, dims, d)) {
			dims->order[i] = dims->order[i - 1];
			i--;
		}
		dims->order[i] = d;
	}
}

static void find_dims(const struct packed_loops *loops, const struct user *user,
	unsigned i, struct dims *dims)
{
	layout_relation *map = user->maps[i];
	const int64_t *perm = user->encoding->outer_dims_perm;

	*dims = (struct dims){ .rank = layout_relation_out_rank(map) };
	for (unsigned d = 0; d < dims->rank; d++) {
		dims->copies[d] = find_copied(map->forward, d);
		dims->tiles[d] = dims->copies[d] < 0 ? -1 : loops->tile[dims->copies[d]];
		dims->packed |= dims->tiles[d] >= 0;
		dims->order[d] = i == user->desc->encoded && perm ? (unsigned)perm[d] : d;
	}
	if (dims->packed && i != user->desc->encoded)
		sort(loops, dims);
}

static bool refuse(const struct user *user, unsigned i, unsigned loop, const char *what)
{
	char *map = layout_relation_affine_map_str(user->maps[i]);

	if (map)
		layout_fail(user->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"operand %u, %s: d%u, which is tiled, %s", i, map, loop, what);
	free(map);
	return false;
}

/* How one loop that is tiled indexes the operand. */
static bool check_loop(const struct user *user, unsigned i, const struct dims *dims,
	unsigned loop)
{
	unsigned uses = 0;

	for (unsigned d = 0; d < dims->rank; d++) {
		isl_aff *index = isl_multi_aff_get_at(user->maps[i]->forward, (int)d);
		bool used = isl_aff_involves_dims(index, isl_dim_in, loop, 1) !=
			isl_bool_false;

		isl_aff_free(index);
		uses += used;
		if (used && dims->copies[d] != (int)loop)
			return refuse(user, i, loop, "is not an index of its own");
	}
	if (uses > 1)
		return refuse(user, i, loop, "indexes two dimensions");
	if (!uses && user->desc->outputs[i])
		return refuse(user, i, loop, "is summed over, and its padding would be");
	return true;
}

bool packed_operand_check(const struct packed_loops *loops, const struct user *user,
	unsigned i)
{
	struct dims dims;

	find_dims(loops, user, i, &dims);
	for (unsigned l = 0; l < loops->loop_count; l++)
		if (loops->tile[l] >= 0 && !check_loop(user, i, &dims, l))
			return false;
	return true;
}

/* The lists of a description. */
struct lists {
	int64_t *inner_dims_pos, *inner_tiles, outer_dims_perm[LAYOUT_LOOPS];
	unsigned *group_sizes;
	layout_encoding_dim *dims;
	int64_t *permutation;
};

/* The dimension that an inner tile splits, or -1. */
static int dim_of_tile(const struct dims *dims, unsigned tile)
{
	for (unsigned d = 0; d < dims->rank; d++)
		if (dims->tiles[d] == (int)tile)
			return (int)d;
	return -1;
}

static void project_tiles(const struct user *user, const struct dims *dims,
	struct lists *lists, layout_encoding_desc *desc)
{
	const layout_encoding *encoding = user->encoding;
	const layout_encoding_dim *parts = encoding->dims;

	for (unsigned tile = 0; tile < encoding->inner_count; tile++) {
		unsigned group = encoding->group_sizes ? encoding->group_sizes[tile] : 0;
		int dim = dim_of_tile(dims, tile);

		for (unsigned k = 0; dim >= 0 && k < group; k++)
			lists->dims[desc->dim_count++] = parts[k];
		parts = parts ? parts + group : NULL;
		if (dim < 0)
			continue;
		lists->inner_dims_pos[desc->inner_count] = dim;
		lists->inner_tiles[desc->inner_count] = encoding->inner_tiles[tile];
		lists->group_sizes[desc->inner_count++] = group;
	}
}

/* The permutation of the parts that are left, which keep their order. */
static void project_permutation(const struct packed_loops *loops, const struct dims *dims,
	struct lists *lists)
{
	unsigned count = 0;

	for (unsigned j = 0; j < loops->part_count; j++) {
		unsigned part = loops->order[j], left = 0;

		if (dim_of_tile(dims, loops->part_tile[part]) < 0)
			continue;
		for (unsigned p = 0; p < part; p++)
			left += dim_of_tile(dims, loops->part_tile[p]) >= 0;
		lists->permutation[count++] = left;
	}
}

static bool lists_alloc(struct lists *lists, const struct packed_loops *loops,
	const struct user *user)
{
	unsigned tiles = user->encoding->inner_count, parts = loops->part_count;

	lists->inner_dims_pos = layout_alloc(user->ctx, tiles, sizeof(int64_t));
	lists->inner_tiles = layout_alloc(user->ctx, tiles, sizeof(int64_t));
	lists->group_sizes = layout_alloc(user->ctx, tiles, sizeof(unsigned));
	lists->dims = layout_alloc(user->ctx, parts, sizeof(*lists->dims));
	lists->permutation = layout_alloc(user->ctx, parts, sizeof(int64_t));
	return lists->inner_dims_pos && lists->inner_tiles && lists->group_sizes &&
		lists->dims && lists->permutation;
}

static void lists_free(struct lists *lists)
{
	free(lists->inner_dims_pos);
	free(lists->inner_tiles);
	free(lists->group_sizes);
	free(lists->dims);
	free(lists->permutation);
}

/* Tiles, swizzle and outer order of the dimensions that the operand has. */
static layout_encoding *project(const struct packed_loops *loops, const struct user *user,
	const struct dims *dims)
{
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	layout_encoding *encoding = NULL;
	struct lists lists = { 0 };

	if (lists_alloc(&lists, loops, user)) {
		project_tiles(user, dims, &lists, &desc);
		project_permutation(loops, dims, &lists);
		for (unsigned d = 0; d < dims->rank; d++)
			lists.outer_dims_perm[d] = dims->order[d];
		desc.inner_dims_pos = lists.inner_dims_pos;
		desc.inner_tiles = lists.inner_tiles;
		desc.outer_count = dims->rank;
		desc.outer_dims_perm = dims->packed ? lists.outer_dims_perm : NULL;
		if (user->encoding->group_sizes && dims->packed) {
			desc.group_sizes = lists.group_sizes;
			desc.dims = lists.dims;
			desc.permutation = lists.permutation;
		}
		encoding = layout_encoding_new(user->ctx, &desc);
	}
	lists_free(&lists);
	return encoding;
}

layout_encoding *packed_operand_encoding(const struct packed_loops *loops,
	const struct user *user, unsigned i)
{
	struct dims dims;

	if (i == user->desc->encoded)
		return layout_encoding_copy((layout_encoding *)(uintptr_t)user->encoding);
	find_dims(loops, user, i, &dims);
	return project(loops, user, &dims);
}

/* { packed loops -> dimensions of the operand } before it is packed. */
static isl_multi_aff *logical_map(const struct packed_loops *loops,
	const struct user *user, unsigned i)
{
	isl_multi_aff *map = isl_multi_aff_copy(user->maps[i]->forward);
	isl_multi_aff *index = isl_multi_aff_align_params(
		isl_multi_aff_copy(loops->index), isl_multi_aff_get_space(map));

	return isl_multi_aff_pullback_multi_aff(map, index);
}

/* Append packed loop "at" to the results. */
static isl_aff_list *add_loop(isl_aff_list *list, isl_multi_aff *logical, unsigned at)
{
	isl_space *packed = isl_multi_aff_get_domain_space(logical);

	list = isl_aff_list_add(list, aff_coordinate(packed, at));
	isl_space_free(packed);
	return list;
}

static isl_multi_aff *from_list(isl_multi_aff *logical, isl_aff_list *list)
{
	isl_size count = isl_aff_list_n_aff(list);
	isl_space *packed = isl_multi_aff_get_domain_space(logical);
	isl_space *range = count < 0 ? NULL : isl_space_add_dims(isl_space_set_from_params(
		isl_space_params(isl_space_copy(packed))), isl_dim_set, (unsigned)count);

	return isl_multi_aff_from_aff_list(
		isl_space_map_from_domain_and_range(packed, range), list);
}

/* Outer dimensions: the loop that counts the tiles, or what the map says of loops that
 * are not tiled; then the parts of the tiles that the operand has. */
layout_relation *packed_operand_map(const struct packed_loops *loops,
	const struct user *user, unsigned i)
{
	isl_aff_list *list = isl_aff_list_alloc(bridge_isl(user->ctx), 0);
	isl_multi_aff *logical, *map;
	struct dims dims;

	bridge_enter(user->ctx);
	find_dims(loops, user, i, &dims);
	logical = logical_map(loops, user, i);
	for (unsigned k = 0; k < dims.rank; k++) {
		unsigned d = dims.order[k];

		list = dims.tiles[d] >= 0 ?
			add_loop(list, logical, loops->outer[dims.copies[d]]) :
			isl_aff_list_add(list, isl_multi_aff_get_at(logical, (int)d));
	}
	for (unsigned j = 0; j < loops->part_count; j++)
		if (dim_of_tile(&dims, loops->part_tile[loops->order[j]]) >= 0)
			list = add_loop(list, logical, loops->at[loops->order[j]]);
	map = from_list(logical, list);
	isl_multi_aff_free(logical);
	return bridge_give_relation(user->ctx, "propagate an encoding",
		isl_map_from_multi_aff(isl_multi_aff_copy(map)), map, NULL);
}
