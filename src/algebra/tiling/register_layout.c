/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lists of bits of a register layout, as threads and elements of each dimension. */
#include "algebra/tiling/register_layout.h"

#include "isl_bridge/arithmetic.h"

#define BITS 32
#define NOWHERE (-1)

/* Where each bit of a dimension is: in the lane, or in the element's number. */
struct bit_places {
	unsigned count;
	int lane[BITS], element[BITS];
};

/* Bits of K below these are KB of a scaled instruction's inputs. */
static unsigned inner_k_bits(const struct mma_row *row, layout_mma_operand role)
{
	bool input = role == LAYOUT_MMA_LHS || role == LAYOUT_MMA_RHS;

	return input && mma_row_has(row, LAYOUT_MMA_LHS_SCALE) ?
		(unsigned)int_log2(MMA_SCALE_BLOCK) : 0;
}

/* The dimensions of an operand, without their layout. */
static void name_dims(const struct mma_row *row, layout_mma_operand role,
	struct register_layout *layout, struct bit_places places[REGISTER_DIMS])
{
	const struct mma_shape *shape = row->shape;
	bool rhs = role == LAYOUT_MMA_RHS || role == LAYOUT_MMA_RHS_SCALE;
	bool scale = role == LAYOUT_MMA_LHS_SCALE || role == LAYOUT_MMA_RHS_SCALE;
	unsigned inner = inner_k_bits(row, role), k = (unsigned)int_log2(shape->k);

	layout->count = 2;
	layout->dims[0].loop = rhs ? LAYOUT_LOOP_N : LAYOUT_LOOP_M;
	places[0].count = (unsigned)int_log2(rhs ? shape->n : shape->m);
	layout->dims[1].loop = role == LAYOUT_MMA_ACC ? LAYOUT_LOOP_N : LAYOUT_LOOP_K;
	places[1].count = role == LAYOUT_MMA_ACC ? (unsigned)int_log2(shape->n) :
		k - (scale ? (unsigned)int_log2(MMA_SCALE_BLOCK) : inner);
	if (!inner)
		return;
	layout->count = 3;
	layout->dims[2].loop = LAYOUT_LOOP_KB;
	places[2].count = inner;
}

layout_loop register_bit_loop(const struct mma_row *row, layout_mma_operand role, char letter,
	unsigned *bit)
{
	unsigned inner = inner_k_bits(row, role);

	if (letter != 'k')
		return letter == 'm' ? LAYOUT_LOOP_M : letter == 'n' ? LAYOUT_LOOP_N :
			LAYOUT_LOOP_BATCH;
	if (*bit < inner)
		return LAYOUT_LOOP_KB;
	*bit -= inner;
	return LAYOUT_LOOP_K;
}

/* The dimension of a loop; where it has none of its own, the first. */
static unsigned dim_of_loop(const struct register_layout *layout, layout_loop loop)
{
	unsigned d = layout->count - 1;

	while (d && layout->dims[d].loop != loop)
		d--;
	return d;
}

/* Note where the bits of the lane, or of the element, come from; bits of the lane that
 * nothing comes from are those of "shared". */
static void find_places(const struct register_layout *layout, const char *list,
	const struct layout_mma *mma, bool lane, struct bit_places places[REGISTER_DIMS],
	unsigned *shared)
{
	unsigned bit, dim;
	char letter;

	for (int at = 0; (letter = mma_next_bit(&list, &bit)); at++) {
		if (letter == '.') {
			*shared |= 1u << at;
			continue;
		}
		dim = dim_of_loop(layout, register_bit_loop(mma->row, mma->operand, letter,
			&bit));
		(lane ? places[dim].lane : places[dim].element)[bit] = at;
	}
}

/* The bits of a dimension from the lowest: elements, threads, outer elements. */
static bool split_dim(const struct bit_places *places, struct register_dim *dim)
{
	unsigned first = 0, end;

	while (first < places->count && places->lane[first] == NOWHERE)
		first++;
	for (end = first; end < places->count && places->lane[end] != NOWHERE; end++)
		if (places->lane[end] != places->lane[first] + (int)(end - first))
			return false;
	for (unsigned bit = end; bit < places->count; bit++)
		if (places->lane[bit] != NOWHERE)
			return false;
	dim->elements = 1u << first;
	dim->threads = 1u << (end - first);
	dim->outer = 1u << (places->count - end);
	dim->stride = end > first ? 1u << places->lane[first] : 0;
	dim->share = 1;
	return true;
}

/* Bits first..end of a dimension must follow those in front in the element's number. */
static bool follow(const struct bit_places *places, int first, int end, int *at)
{
	for (int bit = first; bit < end; bit++)
		if (places->element[bit] != (*at)++)
			return false;
	return true;
}

/* A lane's elements lie as parts do: the last dimension innermost, outer elements around
 * all of them. */
static bool elements_in_order(const struct register_layout *layout,
	const struct bit_places places[REGISTER_DIMS])
{
	int at = 0;

	for (unsigned d = layout->count; d--;)
		if (!follow(&places[d], 0, int_log2(layout->dims[d].elements), &at))
			return false;
	for (unsigned d = 0; d < layout->count; d++)
		if (!follow(&places[d], (int)places[d].count -
				int_log2(layout->dims[d].outer), (int)places[d].count,
				&at))
			return false;
	return true;
}

/* A run of bits that nothing comes from lies below the threads of a dimension, which
 * share it then, or above all: then a dimension without threads has it. */
static bool share_bits(struct register_layout *layout, unsigned shared, unsigned lanes)
{
	unsigned run = shared & -shared;
	struct register_dim *taker = NULL;

	if (!shared)
		return true;
	while (run & shared)
		run <<= 1;
	for (unsigned d = 0; d < layout->count; d++)
		if (layout->dims[d].stride == (run == lanes ? 0 : run))
			taker = &layout->dims[d];
	if (!taker)
		return false;
	taker->share = run / (shared & -shared);
	taker->stride = run;
	return share_bits(layout, shared & ~(run - 1), lanes);
}

bool register_layout_of(const struct mma_row *row, layout_mma_operand role,
	struct register_layout *layout)
{
	struct layout_mma mma = { .row = row, .operand = role };
	unsigned shared = 0;
	struct bit_places places[REGISTER_DIMS];

	if (row->shape->blocks > 1)
		return false;
	for (unsigned d = 0; d < REGISTER_DIMS; d++)
		for (unsigned bit = 0; bit < BITS; bit++)
			places[d].lane[bit] = places[d].element[bit] = NOWHERE;
	name_dims(row, role, layout, places);
	find_places(layout, mma_bits_of(&mma)->lane, &mma, true, places, &shared);
	find_places(layout, mma_held_bits(&mma), &mma, false, places, &shared);
	for (unsigned d = 0; d < layout->count; d++)
		if (!split_dim(&places[d], &layout->dims[d]))
			return false;
	return elements_in_order(layout, places) &&
		share_bits(layout, shared, row->shape->lanes);
}
