/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Has every coordinate an owner?  Looking at them, where there is no proof. */
#include "algebra/limit.h"
#include "algebra/nested/nested.h"
#include "isl_bridge/objects.h"

#include <inttypes.h>
#include <stdlib.h>

/* A layout that distributes as its formula says leaves nothing out. */
static bool is_valid(layout_nested *nested)
{
	struct layout_caught ignored = { 0 }, *previous;
	layout_answer answer;

	previous = layout_context_catch(nested->ctx, &ignored);
	answer = layout_nested_verify(nested, NULL, NULL);
	layout_context_catch(nested->ctx, previous);
	free(ignored.message);
	return answer == LAYOUT_YES;
}

static bool visit_one(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	(void)holder, (void)coordinate, (void)rank;
	*(bool *)user = true;
	return false;
}

static bool next_coordinate(layout_nested *nested, int64_t *coordinate)
{
	for (unsigned d = nested->rank; d-- > 0;) {
		if (++coordinate[d] < layout_nested_size(nested, d))
			return true;
		coordinate[d] = 0;
	}
	return false;
}

/* Look at the coordinates from the one given, which ends as the first without an
 * owner. */
static layout_answer look(layout_nested *nested, int64_t *coordinate)
{
	int64_t left = limit_points(nested->ctx);
	bool owned;

	do {
		owned = false;
		if (!left--) {
			layout_fail(nested->ctx, LAYOUT_ERROR_QUOTA, -1,
				"unknown: whether every coordinate has an owner, after "
				"%" PRId64 " of them", limit_points(nested->ctx));
			return LAYOUT_UNKNOWN;
		}
		if (!layout_nested_owners(nested, coordinate, visit_one, &owned))
			return LAYOUT_UNKNOWN;
		if (!owned)
			return LAYOUT_NO;
	} while (next_coordinate(nested, coordinate));
	return LAYOUT_YES;
}

layout_answer layout_nested_is_surjective(layout_nested *nested,
	layout_witness **witness)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	int64_t *coordinate;

	if (witness)
		*witness = NULL;
	if (!nested)
		return LAYOUT_UNKNOWN;
	if (is_valid(nested))
		return LAYOUT_YES;
	coordinate = layout_alloc(nested->ctx, nested->rank, sizeof(*coordinate));
	if (coordinate)
		answer = look(nested, coordinate);
	if (answer == LAYOUT_NO && witness)
		*witness = bridge_witness_of(nested->ctx, coordinate, nested->rank, NULL,
			0);
	free(coordinate);
	return answer;
}

static bool is_box(layout_nested *nested, layout_set *onto)
{
	layout_set *box = layout_nested_box(nested);
	bool same = box && isl_set_plain_is_equal(box->set, onto->set) == isl_bool_true;

	layout_set_free(box);
	return same;
}

/* Others can be asked after it: its errors are not theirs. */
layout_answer nested_covers(void *nested, layout_set *onto, layout_witness **witness)
{
	struct layout_caught ignored = { 0 }, *previous;
	layout_answer answer = LAYOUT_UNKNOWN;

	previous = layout_context_catch(onto->ctx, &ignored);
	if (is_box(nested, onto))
		answer = layout_nested_is_surjective(nested, witness);
	layout_context_catch(onto->ctx, previous);
	free(ignored.message);
	return answer;
}
