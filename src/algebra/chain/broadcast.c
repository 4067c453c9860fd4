/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Broadcasts: every element goes to all indices of the dimensions that are added. */
#include "algebra/chain/chain.h"

#include <stdlib.h>

/* The dimensions of the result that are not added, in their order. */
static bool find_kept(layout_chain *chain, unsigned count, const unsigned *added)
{
	unsigned kept = 0;

	chain->dims = layout_alloc(chain->ctx, chain->before->rank, sizeof(*chain->dims));
	chain->dim_count = chain->before->rank;
	for (unsigned d = 0; chain->dims && d < chain->rank; d++) {
		unsigned i = 0;

		while (i < count && added[i] != d)
			i++;
		if (i == count)
			chain->dims[kept++] = d;
	}
	return chain->dims;
}

/* The entries of "sizes" are NULL after this. */
static bool take_sizes(layout_chain *chain, unsigned count, const unsigned *added,
	isl_aff **sizes)
{
	for (unsigned i = 0; i < count; i++) {
		isl_aff *size = sizes[i];

		sizes[i] = NULL;
		if (!chain_take_size(chain, &chain->sizes[added[i]], size) ||
		    !chain_check_size(chain, &chain->sizes[added[i]], "the size", added[i]))
			return false;
	}
	for (unsigned i = 0; i < chain->dim_count; i++)
		if (!chain_keep_size(chain, chain->dims[i], i))
			return false;
	return true;
}

/*	load	source[i] = result[dims[i]] */
static bool fold(layout_chain *chain)
{
	isl_space *to = chain_space(chain);
	isl_aff_list *load = isl_aff_list_alloc(bridge_isl(chain->ctx),
		(int)chain->dim_count);

	for (unsigned i = 0; i < chain->dim_count; i++)
		load = isl_aff_list_add(load, aff_coordinate(to, chain->dims[i]));
	return chain_fold(chain, aff_function(to, chain_before_space(chain), load), NULL,
		NULL);
}

/* Consumes the sizes. */
static layout_chain *broadcasted(layout_chain *chain, unsigned count,
	const unsigned *added, isl_aff **sizes)
{
	layout_chain *next = chain_begin(chain, CHAIN_BROADCAST, chain->rank + count);
	bool good = next && find_kept(next, count, added) &&
		take_sizes(next, count, added, sizes) && fold(next);

	chain_affs_free(sizes, count);
	return chain_end(next, good);
}

layout_chain *layout_chain_broadcast(layout_chain *chain, unsigned count,
	const int64_t *added, const char *const *sizes)
{
	const struct chain_list lists[] = {
		{ .numbers = added, .count = count }, { .texts = sizes, .count = count },
	};
	isl_aff **read = NULL;
	unsigned dims[CHAIN_RANK];

	if (!chain)
		return NULL;
	bridge_enter(chain->ctx);
	if (count > CHAIN_RANK - chain->rank)
		layout_fail(chain->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a step of %u dimensions and %u more is beyond %d", chain->rank,
			count, CHAIN_RANK);
	else if (chain_check_dims(chain->ctx, count, added, chain->rank + count,
			"an added dimension", dims))
		read = chain_sizes_read(chain->ctx, count, sizes, false,
			"size for an added dimension");
	if (!bridge_leave(chain->ctx, "read sizes") || !read) {
		chain_affs_free(read, count);
		layout_chain_free(chain);
		return NULL;
	}
	return chain_written(broadcasted(chain, count, dims, read), "broadcast", lists, 2,
		NULL, NULL);
}
