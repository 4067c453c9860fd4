/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How far loops go, for those who ask: rows of a tile behind the end of the memory that they
 * are stored to are not made.  The last dimension is rounded up, for vectors. */
#include "lower/program_host/parts.h"

enum { WHOLE = 16 };

static void limit(const struct host *host, struct host_limits *limits, unsigned d,
	const struct host_range *range, int64_t extent, bool rounded)
{
	LLVMValueRef first, end, all = host_number(host, extent);

	if (!range->at || extent == 1)
		return;
	host_range_bounds(host, range, extent, &first, &end);
	if (rounded) {
		end = LLVMBuildAnd(host->b, LLVMBuildNSWAdd(host->b, end,
			host_number(host, WHOLE - 1), ""), host_number(host, -WHOLE), "");
		end = LLVMBuildSelect(host->b, LLVMBuildICmp(host->b, LLVMIntSLT, end, all,
			""), end, all, "");
	} else {
		limits->range[d] = *range;
	}
	limits->end[d] = end;
	limits->full = LLVMBuildAnd(host->b, limits->full, LLVMBuildICmp(host->b, LLVMIntEQ,
		end, all, ""), "full");
}

static struct host_limits none(const struct host *host)
{
	return (struct host_limits){
		.full = LLVMConstInt(LLVMInt1TypeInContext(host->llvm), 1, false) };
}

struct host_limits host_find_limits(const struct host *host, const layout_tile *tile)
{
	const struct host_tile *known = &host->tiles[tile->number];
	struct host_limits limits = none(host);

	for (unsigned d = 0; d < tile->rank; d++)
		if (host_is_fixed(host, &known->asked[d]))
			limit(host, &limits, d, &known->asked[d], tile->box[d],
				d + 1 == tile->rank);
	return limits;
}

/* Behind which range a tile is 0 along a dimension.  Powers of 2 have no 0. */
static struct host_range zero_range(const struct host *host, const layout_tile *tile,
	unsigned d)
{
	switch (tile->op) {
	case TILE_LOAD:
		return tile->bits || tile->type->kind == 'e' ?
			(struct host_range){ NULL, NULL } :
			host_place_range(host, tile->memory, &tile->place, d);
	case TILE_CONVERT:
		return zero_range(host, tile->operands[0], d);
	case TILE_VIEW:
		if (tile->view == VIEW_PERMUTE)
			return zero_range(host, tile->operands[0], tile->dims[d]);
		break;
	default:
		break;
	}
	return (struct host_range){ NULL, NULL };
}

static unsigned dimension_of(const layout_tile *tile, unsigned operand, unsigned letter)
{
	const unsigned *map = program_letters_of(tile, operand);
	unsigned d = 0;

	while (d < tile->operands[operand]->rank && map[d] != letter)
		d++;
	return d;
}

/* Products of 0 and 0 are left out. */
static struct host_range depth_range(const struct host *host, const layout_tile *tile)
{
	unsigned letter = host->tiles[tile->number].product.depth;
	struct host_range ranges[2];

	for (unsigned i = 0; i < 2; i++)
		ranges[i] = zero_range(host, tile->operands[1 + i],
			dimension_of(tile, 1 + i, letter));
	return host_is_same(&ranges[0], &ranges[1]) ? ranges[0] :
		(struct host_range){ NULL, NULL };
}

struct host_limits host_factor_limits(const struct host *host, const layout_tile *tile,
	unsigned factor)
{
	const struct host_tile *known = &host->tiles[tile->number];
	const layout_tile *of = tile->operands[factor];
	struct host_limits limits = none(host);

	for (unsigned d = 0; d < of->rank; d++) {
		unsigned letter = program_letters_of(tile, factor)[d];
		unsigned at = dimension_of(tile, 0, letter);
		struct host_range range = { NULL, NULL };

		if (letter == known->product.depth)
			range = depth_range(host, tile);
		else if (at < tile->rank && host_is_fixed(host, &known->asked[at]))
			range = known->asked[at];
		limit(host, &limits, d, &range, of->box[d], at + 1 == tile->rank);
	}
	return limits;
}
