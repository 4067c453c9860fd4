/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What one operand of a matrix instruction is. */
#include "algebra/mma/mma.h"

#include <stdlib.h>
#include <string.h>

/* The letters of an operand's rows and columns. */
static const char *letters(const layout_mma *mma)
{
	switch (mma->operand) {
	case LAYOUT_MMA_LHS:
	case LAYOUT_MMA_LHS_SCALE:
	case LAYOUT_MMA_INDEX:
		return "mk";
	case LAYOUT_MMA_RHS:
	case LAYOUT_MMA_RHS_SCALE:
		return "kn";
	default:
		return "mn";
	}
}

static bool is_scale(const layout_mma *mma)
{
	return mma->operand == LAYOUT_MMA_LHS_SCALE ||
		mma->operand == LAYOUT_MMA_RHS_SCALE;
}

/* How often a letter is in a list. */
static unsigned count_letter(const char *list, char letter)
{
	unsigned count = 0;

	for (; *list; list++)
		count += *list == letter;
	return count;
}

/* Of a coordinate: as many bits as the operand's lists have of it, for a sparse
 * operand's k those that are held, for a scale's those of the blocks. */
static unsigned extent(const layout_mma *mma, char letter)
{
	const struct mma_bits *bits = mma_bits_of(mma);

	return 1u << (count_letter(bits->lane, letter) +
		count_letter(bits->element, letter));
}

const struct mma_bits *mma_bits_of(const layout_mma *mma)
{
	return &mma->row->shape->bits[mma->operand == LAYOUT_MMA_ACC_HI ?
		LAYOUT_MMA_ACC : mma->operand];
}

bool mma_is_half(const layout_mma *mma)
{
	return mma_bits_of(mma)->element[0] == '-';
}

unsigned mma_coordinates(const layout_mma *mma, char names[MMA_COORDINATES],
	unsigned extents[MMA_COORDINATES])
{
	unsigned count = 0;

	if (mma->row->shape->blocks > 1)
		names[count++] = 'b';
	names[count++] = letters(mma)[0];
	names[count++] = letters(mma)[1];
	for (unsigned i = 0; i < count; i++)
		extents[i] = extent(mma, names[i]);
	return count;
}

char mma_next_bit(const char **list, unsigned *bit)
{
	char letter = **list;
	char *end;

	if (!letter)
		return 0;
	*bit = (unsigned)strtoul(*list + 1, &end, 10);
	*list = end + strspn(end, " ");
	return letter;
}

const char *mma_held_bits(const layout_mma *mma)
{
	const char *list = mma_bits_of(mma)->element;
	unsigned bit;

	if (mma_is_half(mma))
		mma_next_bit(&list, &bit);
	return list;
}

unsigned mma_count_bits(const char *list)
{
	unsigned count = 0, bit;

	while (mma_next_bit(&list, &bit))
		count++;
	return count;
}

unsigned mma_lane_bits(const layout_mma *mma)
{
	const char *list = mma_bits_of(mma)->lane;

	return mma_count_bits(list) - count_letter(list, '-');
}

layout_mma *layout_mma_copy(layout_mma *mma)
{
	layout_mma *copy = mma ? layout_alloc(mma->ctx, 1, sizeof(*copy)) : NULL;

	if (copy)
		*copy = *mma;
	if (copy && copy->f2)
		copy->f2 = f2_share(copy->f2);
	return copy;
}

void layout_mma_free(layout_mma *mma)
{
	if (!mma)
		return;
	f2_free(mma->f2);
	free(mma);
}

bool layout_mma_has(layout_mma *mma, layout_mma_operand operand)
{
	return mma && mma_row_has(mma->row, operand);
}

layout_mma_shape layout_mma_get_shape(layout_mma *mma)
{
	layout_mma_shape shape = { 0 };

	if (mma)
		shape = (layout_mma_shape){ mma->row->shape->m, mma->row->shape->n,
			mma->row->shape->k, mma->row->shape->blocks };
	return shape;
}

unsigned layout_mma_rows(layout_mma *mma)
{
	return mma ? extent(mma, letters(mma)[0]) : 0;
}

unsigned layout_mma_columns(layout_mma *mma)
{
	return mma ? extent(mma, letters(mma)[1]) : 0;
}

const char *layout_mma_type(layout_mma *mma)
{
	if (!mma)
		return NULL;
	if (is_scale(mma))
		return "f8E8M0FNU";
	if (mma->operand == LAYOUT_MMA_INDEX)
		return "u2";
	return mma->row->types[mma->operand == LAYOUT_MMA_ACC_HI ?
		LAYOUT_MMA_ACC : mma->operand];
}

unsigned layout_mma_lanes(layout_mma *mma)
{
	return mma ? mma->row->shape->lanes : 0;
}

unsigned layout_mma_elements(layout_mma *mma)
{
	return mma ? 1u << mma_count_bits(mma_held_bits(mma)) : 0;
}
