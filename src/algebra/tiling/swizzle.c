/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The swizzle of an operand's tile: the parts of one instruction, then those of its
 * repetitions around them. */
#include "algebra/tiling/swizzle.h"

#include "algebra/tiling/register_layout.h"

#include <string.h>

/* A new outermost part of the group, outermost in memory, too. */
static void expand(struct tile_swizzle *swizzle, unsigned group, layout_dim_kind kind,
	int64_t size, int64_t factor)
{
	memmove(swizzle->order + 1, swizzle->order,
		swizzle->count * sizeof(*swizzle->order));
	swizzle->order[0] = swizzle->count;
	swizzle->parts[swizzle->count++] = (struct swizzle_part){ group,
		{ kind, size, factor } };
}

/* The place behind the innermost part across threads; 0 where there is none. */
static unsigned behind_threads(const struct tile_swizzle *swizzle)
{
	unsigned place = swizzle->count;

	while (place && swizzle->parts[swizzle->order[place - 1]].dim.kind !=
			LAYOUT_DIM_CROSS_THREAD)
		place--;
	return place;
}

/* Intrinsics of one subgroup: around the tile, or inside its lanes. */
static void repeat(struct tile_swizzle *swizzle, unsigned group, int64_t count,
	bool interleaved)
{
	unsigned place, part = swizzle->count;

	if (count == 1)
		return;
	expand(swizzle, group, LAYOUT_DIM_CROSS_INTRINSIC, count, 1);
	place = interleaved ? behind_threads(swizzle) : 0;
	if (!place)
		return;
	memmove(swizzle->order, swizzle->order + 1,
		(place - 1) * sizeof(*swizzle->order));
	swizzle->order[place - 1] = part;
}

/* Subgroups, "factor" of which hold the same. */
static void spread(struct tile_swizzle *swizzle, unsigned group, int64_t count, int64_t factor)
{
	if (count > 1)
		expand(swizzle, group, LAYOUT_DIM_CROSS_THREAD, count, factor);
}

static bool is_shared_or_many(const struct register_dim *dim)
{
	return dim->threads > 1 || dim->share > 1;
}

/* The parts across threads, those of the lowest bits innermost; false where they leave
 * bits of the lane out. */
static bool expand_threads(struct tile_swizzle *swizzle, const struct register_layout *layout,
	unsigned lanes)
{
	unsigned lane = 1;

	for (bool found = true; found;) {
		found = false;
		for (unsigned d = 0; d < layout->count && !found; d++) {
			const struct register_dim *dim = &layout->dims[d];

			if (!is_shared_or_many(dim) || dim->stride / dim->share != lane)
				continue;
			expand(swizzle, d, LAYOUT_DIM_CROSS_THREAD, dim->threads,
				dim->share);
			lane *= dim->threads * dim->share;
			found = true;
		}
	}
	return lane == lanes;
}

/* The parts of one instruction. */
static bool expand_instruction(struct tile_swizzle *swizzle, const struct mma_row *row,
	layout_mma_operand role)
{
	struct register_layout layout;

	if (!register_layout_of(row, role, &layout))
		return false;
	swizzle->group_count = layout.count;
	for (unsigned d = 0; d < layout.count; d++)
		swizzle->loops[d] = layout.dims[d].loop;
	for (unsigned d = layout.count; d--;)
		if (layout.dims[d].elements > 1)
			expand(swizzle, d, LAYOUT_DIM_INTERNAL, layout.dims[d].elements,
				1);
	if (!expand_threads(swizzle, &layout, row->shape->lanes))
		return false;
	for (unsigned d = 0; d < layout.count; d++)
		if (layout.dims[d].outer > 1)
			expand(swizzle, d, LAYOUT_DIM_INTERNAL, layout.dims[d].outer, 1);
	return true;
}

/* The parts of the repetitions.  Subgroups count through N first, then M, then K: those
 * that differ only in what an operand does not have hold the same of it. */
static void expand_repetitions(struct tile_swizzle *swizzle, layout_mma_operand role,
	unsigned index, const layout_tiled_mma *mma)
{
	bool m = mma->interleave_m >> index & 1, n = mma->interleave_n >> index & 1;
	bool k = mma->interleave_k >> index & 1;

	switch (role) {
	case LAYOUT_MMA_LHS:
	case LAYOUT_MMA_LHS_SCALE:
		repeat(swizzle, 1, mma->intrinsics_k, k);
		repeat(swizzle, 0, mma->intrinsics_m, m);
		spread(swizzle, 1, mma->subgroups_k, 1);
		spread(swizzle, 0, mma->subgroups_m, mma->subgroups_n);
		break;
	case LAYOUT_MMA_RHS:
	case LAYOUT_MMA_RHS_SCALE:
		repeat(swizzle, 1, mma->intrinsics_k, k);
		repeat(swizzle, 0, mma->intrinsics_n, n);
		spread(swizzle, 1, mma->subgroups_k, 1);
		spread(swizzle, 0, mma->subgroups_n, 1);
		break;
	default:
		repeat(swizzle, 1, mma->intrinsics_n, n);
		repeat(swizzle, 0, mma->intrinsics_m, m);
		spread(swizzle, 1, mma->subgroups_n, mma->subgroups_k);
		spread(swizzle, 0, mma->subgroups_m,
			mma->subgroups_n > 1 ? 1 : mma->subgroups_k);
	}
}

bool swizzle_of_mma(layout_context *ctx, const struct mma_row *row,
	layout_mma_operand role, unsigned index, const layout_tiled_mma *mma,
	struct tile_swizzle *swizzle)
{
	*swizzle = (struct tile_swizzle){ 0 };
	if (!expand_instruction(swizzle, row, role)) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"the %s of %s is not held in parts that a tile could be split "
			"into", layout_mma_operand_name(role), row->name);
		return false;
	}
	expand_repetitions(swizzle, role, index, mma);
	return true;
}

/* Remove place "place" of the order. */
static void remove_place(struct tile_swizzle *swizzle, unsigned place)
{
	memmove(swizzle->order + place, swizzle->order + place + 1,
		(swizzle->count - place - 1) * sizeof(*swizzle->order));
}

/* Remove part "part"; the parts behind it move up by one. */
static void remove_part(struct tile_swizzle *swizzle, unsigned part)
{
	for (unsigned place = 0; place < swizzle->count; place++)
		if (swizzle->order[place] == part)
			remove_place(swizzle, place);
	memmove(swizzle->parts + part, swizzle->parts + part + 1,
		(swizzle->count - part - 1) * sizeof(*swizzle->parts));
	swizzle->count--;
	for (unsigned place = 0; place < swizzle->count; place++)
		swizzle->order[place] -= swizzle->order[place] > part;
}

void swizzle_drop(struct tile_swizzle *swizzle, layout_loop loop)
{
	unsigned group = 0;

	while (group < swizzle->group_count && swizzle->loops[group] != loop)
		group++;
	if (group == swizzle->group_count)
		return;
	for (unsigned part = swizzle->count; part--;)
		if (swizzle->parts[part].group == group)
			remove_part(swizzle, part);
	for (unsigned part = 0; part < swizzle->count; part++)
		swizzle->parts[part].group -= swizzle->parts[part].group > group;
	swizzle->group_count--;
	memmove(swizzle->loops + group, swizzle->loops + group + 1,
		(swizzle->group_count - group) * sizeof(*swizzle->loops));
}

int64_t swizzle_tile(const struct tile_swizzle *swizzle, unsigned group)
{
	int64_t tile = 1;

	for (unsigned part = 0; part < swizzle->count; part++)
		if (swizzle->parts[part].group == group)
			tile *= swizzle->parts[part].dim.size;
	return tile;
}

/* The innermost part in memory, if it is the innermost of the group and inside a lane:
 * what of it lies together has consecutive coordinates.  Else NULL. */
static struct swizzle_part *innermost(struct tile_swizzle *swizzle, unsigned group)
{
	unsigned last = swizzle->order[swizzle->count - 1];
	struct swizzle_part *part = &swizzle->parts[last];

	if (part->dim.kind != LAYOUT_DIM_INTERNAL || part->group != group)
		return NULL;
	for (unsigned i = 0; i < last; i++)
		if (swizzle->parts[i].group == part->group)
			return NULL;
	return part;
}

/* A new innermost part of the group, innermost in memory, too. */
static void expand_inside(struct tile_swizzle *swizzle, unsigned group, int64_t size)
{
	memmove(swizzle->parts + 1, swizzle->parts,
		swizzle->count * sizeof(*swizzle->parts));
	swizzle->parts[0] = (struct swizzle_part){ group,
		{ LAYOUT_DIM_INTERNAL, size, 1 } };
	for (unsigned place = 0; place < swizzle->count; place++)
		swizzle->order[place]++;
	swizzle->order[swizzle->count++] = 0;
}

bool swizzle_bitcast(struct tile_swizzle *swizzle, unsigned last, int64_t stored,
	int64_t original, const char **why)
{
	struct swizzle_part *part = swizzle->count ? innermost(swizzle, last) : NULL;

	if (last == swizzle->group_count) {
		*why = "none of the tensor's dimensions is tiled";
		return false;
	}
	if (!part && original == 1) {
		expand_inside(swizzle, last, stored);
		return true;
	}
	if (!part) {
		*why = "elements that lie together in memory are not along the last "
			"dimension of the tile";
		return false;
	}
	if (part->dim.size * stored % original) {
		*why = "a lane holds too few elements in a row to fill a stored one";
		return false;
	}
	part->dim.size = part->dim.size * stored / original;
	return true;
}

/* The part's number where the parts of each group are counted from outside. */
static unsigned number_of(const struct tile_swizzle *swizzle, unsigned part)
{
	const struct swizzle_part *parts = swizzle->parts;
	unsigned number = 0;

	for (unsigned i = 0; i < swizzle->count; i++)
		number += parts[i].group < parts[part].group ||
			(parts[i].group == parts[part].group && i > part);
	return number;
}

void swizzle_describe(const struct tile_swizzle *swizzle, struct swizzle_lists *lists,
	layout_encoding_desc *desc)
{
	*lists = (struct swizzle_lists){ 0 };
	for (unsigned group = 0; group < swizzle->group_count; group++)
		lists->tiles[group] = swizzle_tile(swizzle, group);
	for (unsigned part = 0; part < swizzle->count; part++) {
		lists->group_sizes[swizzle->parts[part].group]++;
		lists->dims[number_of(swizzle, part)] = swizzle->parts[part].dim;
	}
	for (unsigned place = 0; place < swizzle->count; place++)
		lists->permutation[place] = number_of(swizzle, swizzle->order[place]);
	desc->inner_count = swizzle->group_count;
	desc->inner_tiles = lists->tiles;
	desc->group_sizes = swizzle->group_count ? lists->group_sizes : NULL;
	desc->dim_count = swizzle->count;
	desc->dims = lists->dims;
	desc->permutation = lists->permutation;
}
