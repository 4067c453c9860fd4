/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layout of an operand: over F2, as a relation, point by point. */
#include "algebra/forms.h"
#include "isl_bridge/arithmetic.h"
#include "algebra/mma/mma.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/objects.h"

#include <layout/view.h>

/* Enter a list's bits as the columns from "column" on. */
static void fill(struct f2 *f2, unsigned column, const char *list,
	const char names[MMA_COORDINATES], unsigned count)
{
	unsigned bit;
	char letter;

	for (; (letter = mma_next_bit(&list, &bit)) && letter != '-'; column++)
		for (unsigned i = 0; i < count; i++)
			if (names[i] == letter)
				f2_toggle(f2, column, i, (uint64_t)1 << bit);
}

struct f2 *mma_f2(const layout_mma *mma)
{
	unsigned in[2] = { mma_lane_bits(mma), mma_count_bits(mma_held_bits(mma)) };
	unsigned extents[MMA_COORDINATES], out[MMA_COORDINATES];
	char names[MMA_COORDINATES];
	unsigned count = mma_coordinates(mma, names, extents);
	struct f2 *f2;

	for (unsigned i = 0; i < count; i++)
		out[i] = (unsigned)int_log2(extents[i]);
	f2 = f2_new(mma->ctx, 2, in, count, out);
	if (!f2)
		return NULL;
	fill(f2, 0, mma_bits_of(mma)->lane, names, count);
	fill(f2, in[0], mma_held_bits(mma), names, count);
	return f2;
}

/* { [lane, element] -> [lane, e] } from the elements of the used halves to the
 * elements that are held. */
static layout_relation *used_halves(const layout_mma *mma)
{
	isl_multi_aff *held;
	isl_space *space;
	isl_aff *half;
	isl_map *map;

	bridge_enter(mma->ctx);
	space = isl_space_set_alloc(bridge_isl(mma->ctx), 0, 2);
	half = isl_aff_add_constant_si(aff_scale(aff_coordinate(space, 1), 2),
		mma->operand == LAYOUT_MMA_ACC_HI);
	held = isl_multi_aff_set_aff(isl_multi_aff_identity_on_domain_space(space), 1, half);
	map = isl_map_reverse(isl_map_from_multi_aff(isl_multi_aff_copy(held)));
	map = isl_map_set_dim_name(map, isl_dim_in, 0, "lane");
	map = isl_map_set_dim_name(map, isl_dim_in, 1, "x");
	return bridge_give_relation(mma->ctx, "find halves of registers", map, NULL, held);
}

layout_relation *layout_mma_relation(layout_mma *mma)
{
	static const char *const inputs[] = { "lane", "element" };
	layout_relation *relation;
	struct f2 *f2;

	if (!mma)
		return NULL;
	f2 = mma_f2(mma);
	relation = f2 ? layout_relation_name_in_coordinates(
		form_f2_relation(mma->ctx, f2), inputs, 2) : NULL;
	return relation && mma_is_half(mma) ?
		layout_relation_compose(relation, used_halves(mma)) : relation;
}

layout_set *layout_mma_box(layout_mma *mma)
{
	static const char *const names[] = { "b", "r", "c" };
	unsigned extents[MMA_COORDINATES], count;
	int64_t sizes[MMA_COORDINATES];
	char letters[MMA_COORDINATES];

	if (!mma)
		return NULL;
	count = mma_coordinates(mma, letters, extents);
	for (unsigned i = 0; i < count; i++)
		sizes[i] = extents[i];
	return layout_set_of_box(mma->ctx, names + MMA_COORDINATES - count, sizes, count);
}

unsigned layout_mma_apply(layout_mma *mma, unsigned lane, unsigned element,
	int64_t image[3])
{
	int64_t point[2] = { lane, element };
	const struct f2 *f2;

	if (!mma || !layout_given(mma->ctx, image, "room for the image"))
		return 0;
	if (!mma->f2)
		mma->f2 = mma_f2(mma);
	f2 = mma->f2;
	if (!f2 || point[0] >> f2->in_widths[0])
		return 0;
	if (mma_is_half(mma)) {
		if ((element & 1) != (mma->operand == LAYOUT_MMA_ACC_HI))
			return 0;
		point[1] = element / 2;
	}
	if (point[1] >> f2->in_widths[1])
		return 0;
	f2_apply(f2, point, image);
	return f2->out_rank;
}
