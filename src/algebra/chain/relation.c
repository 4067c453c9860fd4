/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A chain as one relation, and the indices of its result that are padding. */
#include "algebra/chain/chain.h"
#include "isl_bridge/objects.h"

/* "set" within "bound", which is left out where all of "known" is in it; the bound is
 * consumed.  isl_set_gist() would say so at once, but with sizes isl 0.25 can write beyond
 * its tableau there. */
static void add_bound(isl_set **set, isl_set **known, isl_set *bound)
{
	if (isl_set_is_subset(*known, bound) == isl_bool_true) {
		isl_set_free(bound);
		return;
	}
	*set = isl_set_intersect(*set, isl_set_copy(bound));
	*known = isl_set_intersect(*known, bound);
}

/* The result's indices that have an element: of the bounds of the box only those that do
 * not follow from these indices, as names are >= 0. */
static isl_set *reached(layout_chain *chain)
{
	isl_set *set = isl_set_copy(chain->where);
	isl_set *known = isl_set_intersect_params(isl_set_copy(set),
		isl_set_intersect(isl_set_copy(chain->assumed),
			bridge_nonnegative(isl_space_copy(chain->params))));
	isl_space *space = chain_space(chain);

	for (unsigned d = 0; d < chain->rank; d++)
		add_bound(&set, &known, isl_aff_ge_set(aff_coordinate(space, d),
			aff_number(space, 0)));
	for (unsigned d = chain->rank; d--;)
		add_bound(&set, &known, isl_aff_lt_set(aff_coordinate(space, d),
			size_on(&chain->sizes[d], space)));
	isl_space_free(space);
	isl_set_free(known);
	return set;
}

/* { logical[source] -> logical[result] }: the function from result to source, reversed. */
layout_relation *layout_chain_relation(layout_chain *chain)
{
	isl_map *map;

	if (!chain)
		return NULL;
	bridge_enter(chain->ctx);
	map = isl_map_reverse(isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(chain->load)),
		reached(chain)));
	map = isl_map_intersect_params(map, isl_set_copy(chain->assumed));
	return bridge_give_relation(chain->ctx, "fold a chain", map,
		isl_multi_aff_copy(chain->store), isl_multi_aff_copy(chain->load));
}

layout_set *layout_chain_result(layout_chain *chain)
{
	if (!chain)
		return NULL;
	bridge_enter(chain->ctx);
	return bridge_give_set(chain->ctx, "find a chain's result",
		isl_set_intersect_params(chain_box(chain), isl_set_copy(chain->assumed)));
}

layout_set *layout_chain_padding(layout_chain *chain)
{
	isl_set *padding;

	if (!chain)
		return NULL;
	bridge_enter(chain->ctx);
	padding = isl_set_subtract(chain_box(chain), isl_set_copy(chain->where));
	padding = isl_set_intersect_params(padding, isl_set_copy(chain->assumed));
	return bridge_give_set(chain->ctx, "find a chain's padding",
		bridge_coalesce_set(chain->ctx, padding));
}

/* Of the result's box, what the function takes to the source's box, and what has an
 * element. */
layout_answer chain_pads_by_range(layout_chain *chain)
{
	layout_chain *first = chain;
	isl_set *in_range, *have;
	isl_bool same;

	while (first->before)
		first = first->before;
	bridge_enter(chain->ctx);
	have = isl_set_intersect_params(reached(chain), isl_set_copy(chain->assumed));
	in_range = isl_set_preimage_multi_aff(chain_box(first),
		isl_multi_aff_copy(chain->load));
	in_range = isl_set_intersect(in_range, chain_box(chain));
	in_range = isl_set_intersect_params(in_range, isl_set_copy(chain->assumed));
	in_range = isl_set_intersect_params(in_range,
		bridge_nonnegative(isl_set_get_space(in_range)));
	have = isl_set_intersect_params(have,
		bridge_nonnegative(isl_set_get_space(have)));
	same = isl_set_is_equal(in_range, have);
	isl_set_free(in_range);
	isl_set_free(have);
	if (!bridge_leave(chain->ctx, "compare a chain's padding") ||
	    same == isl_bool_error)
		return LAYOUT_UNKNOWN;
	return same ? LAYOUT_YES : LAYOUT_NO;
}
