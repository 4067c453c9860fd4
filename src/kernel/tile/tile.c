/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/tile/tile.h"

#include <stdlib.h>

static void side_free(struct tile_side *side)
{
	for (unsigned i = 0; side->terms && i < side->term_count; i++)
		index_free(side->terms[i].weight);
	for (unsigned i = 0; side->carries && i < side->carry_count; i++) {
		index_free(side->carries[i].first);
		index_free(side->carries[i].weight);
	}
	free(side->terms);
	free(side->carries);
	index_free(side->base);
}

static void dim_free(struct tile_dim *dim)
{
	index_free(dim->low);
	index_free(dim->high);
	index_free(dim->end);
	for (unsigned side = 0; side < 2; side++)
		index_free(dim->pitch[side]);
}

bool plan_tile_begins_earlier(const struct plan_tile *tile)
{
	for (unsigned d = 0; d < tile->dim_count; d++)
		if (tile->dims[d].pitch[0])
			return true;
	return false;
}

unsigned plan_tile_shared_dim(const struct plan_tile *tile)
{
	unsigned d = 0;

	while (d < tile->dim_count && tile->dims[d].step == tile->dims[d].extent)
		d++;
	return d;
}

bool plan_tile_overlaps(const struct plan_tile *tile)
{
	return plan_tile_begins_earlier(tile) || plan_tile_shared_dim(tile) < tile->dim_count;
}

void plan_tile_free(struct plan_tile *tile)
{
	if (!tile)
		return;
	for (unsigned d = 0; tile->dims && d < tile->dim_count; d++)
		dim_free(&tile->dims[d]);
	for (unsigned m = 0; m < 2; m++) {
		free(tile->moves[m].places);
		free(tile->moves[m].spares);
		side_free(&tile->moves[m].load);
		side_free(&tile->moves[m].store);
	}
	free(tile->dims);
	free(tile->digits);
	free(tile);
}
