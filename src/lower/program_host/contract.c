/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions point by point: those that are no products of vectors. */
#include "lower/program_host/parts.h"

/* A contraction, and the order of its letters in the loops. */
struct points {
	const layout_tile *tile;
	unsigned order[PROGRAM_RANK];
};

/* The coordinates of an operand. */
static void lettered(const struct host *host, const layout_tile *tile, unsigned operand,
	const LLVMValueRef *letters, LLVMValueRef *x)
{
	const unsigned *map = program_letters_of(tile, operand);

	for (unsigned d = 0; d < tile->operands[operand]->rank; d++)
		x[d] = operand > 2 && map[d] == tile->scaled ? LLVMBuildUDiv(host->b,
			letters[map[d]], host_number(host, PROGRAM_SCALED), "") :
			letters[map[d]];
}

/* The product of the factors at the letters. */
static LLVMValueRef product_at(struct host *host, const layout_tile *tile,
	const LLVMValueRef *letters)
{
	const struct element_type *types[4] = { NULL };
	LLVMValueRef at[PROGRAM_RANK], factors[4] = { NULL };

	for (unsigned i = 0; i < tile->operand_count - 1; i++) {
		const layout_tile *operand = tile->operands[1 + i];

		lettered(host, tile, 1 + i, letters, at);
		types[i] = operand->type;
		factors[i] = host_value(host, operand, at);
	}
	for (unsigned i = 0; i < 2 && program_has_scales(tile); i++)
		factors[i] = number_scaled(host->b, types[i], factors[i], factors[2 + i]);
	if (program_has_scales(tile))
		return number_scaled_product(host->b, tile->type, factors[0], factors[1]);
	for (unsigned i = 0; i < 2; i++)
		factors[i] = number_cast(host->b, tile->type, types[i], false, factors[i]);
	return number_apply(host->b, MAP_MUL, tile->type, factors);
}

static void add_point(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct points *points = user;
	const layout_tile *tile = points->tile;
	LLVMValueRef letters[PROGRAM_RANK], at[PROGRAM_RANK], sum;
	LLVMValueRef array = host_array(host, tile);

	for (unsigned i = 0; i < tile->letter_count; i++)
		letters[points->order[i]] = x[i];
	lettered(host, tile, 0, letters, at);
	sum = host_array_load(host, array, tile, tile->type, at);
	host_array_store(host, array, tile, tile->type, at, number_reduce(host->b, REDUCE_ADD,
		tile->type, sum, product_at(host, tile, letters)));
}

/* How many of the three tiles go through their elements one by one with a letter. */
static unsigned neighbours(const layout_tile *tile, unsigned letter)
{
	const layout_tile *sides[] = { tile->operands[1], tile->operands[2], tile };
	unsigned count = 0;

	for (unsigned i = 0; i < 3; i++)
		count += sides[i]->rank && tile->maps[i][sides[i]->rank - 1] == letter;
	return count;
}

/* The letters in their order, but innermost the one that most tiles are contiguous in. */
static void order_letters(const layout_tile *tile, unsigned *order)
{
	unsigned last = tile->letter_count - 1, count = 0;

	for (unsigned i = tile->letter_count; i-- > 0;)
		if (neighbours(tile, i) > neighbours(tile, last))
			last = i;
	for (unsigned i = 0; i < tile->letter_count; i++)
		if (i != last)
			order[count++] = i;
	if (tile->letter_count)
		order[count] = last;
}

static void add_points(struct host *host, const layout_tile *tile)
{
	struct points points = { .tile = tile };
	int64_t box[PROGRAM_RANK];
	struct host_nest nest = { .rank = tile->letter_count, .box = box, .point = add_point,
		.user = &points };

	order_letters(tile, points.order);
	for (unsigned i = 0; i < tile->letter_count; i++)
		box[i] = tile->letters[points.order[i]];
	nest.whole = host_is_value_whole(host, tile->operands[1]);
	for (unsigned i = 2; i < tile->operand_count; i++)
		nest.whole = LLVMBuildAnd(host->b, nest.whole,
			host_is_value_whole(host, tile->operands[i]), "");
	for (unsigned i = 1; tile->letter_count && i < 3 && !nest.range.at; i++)
		if (!host->tiles[tile->operands[i]->number].is_array)
			nest.range = host_find_range(host, tile->operands[i],
				box[tile->letter_count - 1]);
	host_loops(host, &nest);
}

void host_contract(struct host *host, const layout_tile *tile)
{
	if (host->tiles[tile->number].product.is)
		host_product(host, tile);
	else
		add_points(host, tile);
}
