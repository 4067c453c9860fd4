/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The domain of a relation as a box. */
#include "algebra/recognise/recognise.h"

#include <isl/ilp.h>

/* So many points are looked at one after the other. */
#define MOST_EACH 4096

/* The end of dimension "dim" of a domain that is not empty. */
static bool find_end(struct seen *seen, isl_set *domain, unsigned dim)
{
	isl_val *least = isl_set_dim_min_val(isl_set_copy(domain), (int)dim);
	isl_val *most = isl_set_dim_max_val(isl_set_copy(domain), (int)dim);
	bool begins = isl_val_is_zero(least) == isl_bool_true;
	bool ends = isl_val_is_int(most) == isl_bool_true;

	isl_val_free(least);
	if (begins && ends)
		return bridge_int64(seen->ctx, isl_val_add_ui(most, 1), &seen->box[dim]);
	isl_val_free(most);
	if (!bridge_failed(seen->ctx))
		layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1, begins ?
			"no box: input %u has no end" : "no box: input %u does not begin "
			"at 0", dim);
	return false;
}

/* Are all points of the box in the domain?  The first that is not is the reason. */
static bool is_full(struct seen *seen, isl_set *domain)
{
	isl_set *box = isl_set_universe(isl_set_get_space(domain));
	layout_witness *witness = NULL;
	bool full;

	for (unsigned d = 0; box && d < seen->in_rank; d++)
		box = bridge_bound(box, d, seen->box[d]);
	full = isl_set_is_subset(box, domain) == isl_bool_true;
	if (!full && !bridge_failed(seen->ctx))
		witness = bridge_witness(seen->ctx, isl_set_subtract(isl_set_copy(box),
			isl_set_copy(domain)), seen->in_rank, false);
	if (witness)
		layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"no box: %s has no image", witness->text);
	layout_witness_free(witness);
	isl_set_free(box);
	return full;
}

/* The ends of all dimensions; 0 where there are no points. */
static bool find_ends(struct seen *seen, isl_set *domain)
{
	isl_bool empty = isl_set_is_empty(domain);
	bool good = domain && empty != isl_bool_error;

	for (unsigned d = 0; good && d < seen->in_rank; d++) {
		seen->box[d] = 0;
		good = empty || find_end(seen, domain, d);
	}
	return good;
}

static bool find_box(struct seen *seen)
{
	isl_set *domain = bridge_coalesce_set(seen->ctx, isl_map_domain(isl_map_copy(
		seen->relation->map)));
	bool good = find_ends(seen, domain) &&
		(!seen_points(seen) || is_full(seen, domain));

	isl_set_free(domain);
	return good;
}

/* The same where isl cannot tell soon whether all points of the box are there. */
static bool find_box_by_points(struct seen *seen)
{
	isl_set *domain = isl_map_domain(isl_map_copy(seen->relation->map));
	bool good = find_ends(seen, domain);
	size_t points = good ? seen_points(seen) : 0;

	if (points)
		good = points > MOST_EACH || !seen->out_rank ? is_full(seen, domain) :
			see_each(seen);
	isl_set_free(domain);
	return good;
}

bool see_box(struct seen *seen)
{
	bool good, known;

	bridge_enter(seen->ctx);
	known = bridge_need_map(seen->relation);
	bridge_begin_attempt(seen->ctx, BUDGET_BOX);
	good = known && find_box(seen);
	good = bridge_end_attempt(seen->ctx) && good;
	good = good || (known && find_box_by_points(seen));
	return bridge_leave(seen->ctx, "find the box of a relation") && good;
}
