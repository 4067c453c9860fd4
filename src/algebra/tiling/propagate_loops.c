/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The loops of an operation on packed tensors. */
#include "algebra/tiling/propagate.h"

#include "algebra/function.h"
#include "isl_bridge/aff.h"

#include <stdlib.h>

static void take_part(struct packed_loops *loops, unsigned p, unsigned tile, int64_t size)
{
	loops->part_tile[p] = tile;
	loops->part_size[p] = size;
}

/* The parts of every inner tile; a tile without a swizzle is one part. */
static bool take_parts(struct packed_loops *loops, const struct user *user)
{
	const layout_encoding *encoding = user->encoding;
	bool swizzled = encoding->group_sizes;
	unsigned count = swizzled ? encoding->dim_count : encoding->inner_count, p = 0;

	loops->part_tile = layout_alloc(user->ctx, count, sizeof(*loops->part_tile));
	loops->part_size = layout_alloc(user->ctx, count, sizeof(*loops->part_size));
	loops->order = layout_alloc(user->ctx, count, sizeof(*loops->order));
	loops->at = layout_alloc(user->ctx, count, sizeof(*loops->at));
	if (!loops->part_tile || !loops->part_size || !loops->order || !loops->at)
		return false;
	loops->part_count = count;
	for (unsigned tile = 0; tile < encoding->inner_count; tile++) {
		unsigned group = swizzled ? encoding->group_sizes[tile] : 1;

		for (unsigned end = p + group; p < end; p++)
			take_part(loops, p, tile, swizzled ? encoding->dims[p].size :
				encoding->inner_tiles[tile]);
	}
	for (unsigned j = 0; j < count; j++)
		loops->order[j] = swizzled ? (unsigned)encoding->permutation[j] : j;
	return true;
}

static bool refuse_tile(const struct user *user, int64_t dim, const char *what)
{
	char *map = layout_relation_affine_map_str(user->maps[user->desc->encoded]);

	if (map)
		layout_fail(user->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "operand %u, %s: "
			"dimension %lld is tiled, but %s", user->desc->encoded, map,
			(long long)dim, what);
	free(map);
	return false;
}

/* Which loops the tiles of the encoding split; "copies" are those that each dimension
 * of the encoded tensor is. */
static bool take_tiles(struct packed_loops *loops, const struct user *user,
	const int *copies)
{
	const layout_encoding *encoding = user->encoding;

	for (unsigned l = 0; l < loops->loop_count; l++)
		loops->tile[l] = -1;
	for (unsigned tile = 0; tile < encoding->inner_count; tile++) {
		int64_t dim = encoding->inner_dims_pos[tile];

		if (copies[dim] < 0)
			return refuse_tile(user, dim, "not one loop");
		if (loops->tile[copies[dim]] >= 0)
			return refuse_tile(user, dim, "its loop indexes another that is");
		loops->tile[copies[dim]] = (int)tile;
	}
	return true;
}

/* Loops that the encoded tensor lacks come first, then the others as that tensor has
 * them outside, then the parts as it has them inside. */
static void number(struct packed_loops *loops, const struct user *user, unsigned rank,
	const int *copies)
{
	const int64_t *perm = user->encoding->outer_dims_perm;
	bool placed[LAYOUT_LOOPS] = { false };

	for (unsigned l = 0; l < loops->loop_count; l++) {
		bool has = false;

		for (unsigned d = 0; d < rank; d++)
			has |= copies[d] == (int)l;
		if (!has)
			loops->outer[l] = loops->count++;
		placed[l] = !has;
	}
	for (unsigned i = 0; i < rank; i++) {
		int l = copies[perm ? perm[i] : i];

		if (l < 0 || placed[l])
			continue;
		loops->outer[l] = loops->count++;
		placed[l] = true;
	}
	for (unsigned j = 0; j < loops->part_count; j++)
		loops->at[loops->order[j]] = loops->count++;
}

/* factor * packed loop "at" */
static isl_aff *scaled_loop(isl_space *packed, unsigned at, int64_t factor)
{
	return aff_scale(aff_coordinate(packed, at), factor);
}

/* A loop from the packed ones: itself, or tile * outer and the parts of the tile. */
static isl_aff *unpack_loop(const struct packed_loops *loops, const struct user *user,
	isl_space *packed, unsigned loop)
{
	int tile = loops->tile[loop];
	int64_t step = 1;
	isl_aff *sum = scaled_loop(packed, loops->outer[loop],
		tile < 0 ? 1 : user->encoding->inner_tiles[tile]);

	for (unsigned p = loops->part_count; p-- > 0;) {
		if ((int)loops->part_tile[p] != tile)
			continue;
		sum = isl_aff_add(sum, scaled_loop(packed, loops->at[p], step));
		step *= loops->part_size[p];
	}
	return sum;
}

static isl_multi_aff *unpack(const struct packed_loops *loops, const struct user *user)
{
	isl_ctx *isl = bridge_isl(user->ctx);
	isl_space *packed = isl_space_set_alloc(isl, 0, loops->count);
	isl_aff_list *list = isl_aff_list_alloc(isl, (int)loops->loop_count);

	for (unsigned l = 0; l < loops->loop_count; l++)
		list = isl_aff_list_add(list, unpack_loop(loops, user, packed, l));
	isl_space_free(packed);
	return isl_multi_aff_from_aff_list(isl_space_alloc(isl, 0, loops->count,
		loops->loop_count), list);
}

bool packed_loops_init(struct packed_loops *loops, const struct user *user)
{
	layout_relation *map = user->maps[user->desc->encoded];
	unsigned rank = layout_relation_out_rank(map);
	int copies[LAYOUT_LOOPS];

	*loops = (struct packed_loops){ .loop_count = layout_relation_in_rank(map) };
	for (unsigned d = 0; d < rank; d++)
		copies[d] = find_copied(map->forward, d);
	if (!take_tiles(loops, user, copies) || !take_parts(loops, user))
		return false;
	number(loops, user, rank, copies);
	loops->index = unpack(loops, user);
	return loops->index;
}

void packed_loops_clear(struct packed_loops *loops)
{
	isl_multi_aff_free(loops->index);
	free(loops->part_tile);
	free(loops->part_size);
	free(loops->order);
	free(loops->at);
}
