/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "demo/padding.h"

struct walk {
	const struct npy *packed;
	int64_t count;
	bool good;
};

static bool visit(void *user, const int64_t *cell, unsigned rank)
{
	struct walk *walk = user;
	int64_t at = 0;

	for (unsigned d = 0; d < rank; d++)
		at = at * walk->packed->shape[d] + cell[d];
	walk->count++;
	walk->good = rank == walk->packed->rank &&
		((const uint32_t *)walk->packed->data)[at] == 0;
	return walk->good;
}

bool padding_check(layout_storage *storage, const layout_size *sizes, unsigned size_count,
	const struct npy *packed, int64_t elements, int64_t *count)
{
	layout_set *cells = layout_set_fix(layout_storage_padding(storage), sizes,
		size_count);
	struct walk walk = { packed, 0, true };
	bool walked = layout_set_for_each(cells, visit, &walk);
	int64_t all;

	layout_set_free(cells);
	*count = walk.count;
	return walked && walk.good && npy_count(packed, &all) &&
		all == elements + walk.count;
}
