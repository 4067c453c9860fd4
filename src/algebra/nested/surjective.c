/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Has every coordinate an owner?  Looking at them, where there is no proof. */
#include "algebra/limit.h"
#include "algebra/nested/nested.h"
#include "isl_bridge/objects.h"

#include <inttypes.h>
#include <stdlib.h>

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

static layout_answer find_ownerless(layout_nested *nested, layout_witness **witness)
{
	int64_t *coordinate = layout_alloc(nested->ctx, nested->rank, sizeof(*coordinate));
	layout_answer answer = coordinate ? look(nested, coordinate) : LAYOUT_UNKNOWN;

	if (answer == LAYOUT_NO && witness)
		*witness = bridge_witness_of(nested->ctx, coordinate, nested->rank, NULL,
			0);
	free(coordinate);
	return answer;
}

struct nested_origin {
	struct origin base;
	layout_nested *nested;
};

static bool is_box(layout_nested *nested, layout_set *onto)
{
	layout_set *box = layout_nested_box(nested);
	bool same = box && isl_set_plain_is_equal(box->set, onto->set) == isl_bool_true;

	layout_set_free(box);
	return same;
}

/* A layout that distributes as its formula says leaves nothing out. */
static layout_answer verify(layout_nested *nested, layout_witness **witness)
{
	(void)witness;
	return layout_nested_verify(nested, NULL, NULL) == LAYOUT_YES ? LAYOUT_YES :
		LAYOUT_UNKNOWN;
}

/* Nothing on the context: there are others to ask. */
static layout_answer quietly(layout_answer (*ask)(layout_nested *, layout_witness **),
	layout_nested *nested, layout_witness **witness)
{
	struct layout_caught ignored = { 0 }, *previous;
	layout_answer answer;

	previous = layout_context_catch(nested->ctx, &ignored);
	answer = ask(nested, witness);
	layout_context_catch(nested->ctx, previous);
	free(ignored.message);
	return answer;
}

/* No coordinate lies outside of the box. */
static layout_answer covers(const struct origin *origin, layout_set *onto, bool search,
	layout_witness **witness)
{
	layout_nested *nested = ((const struct nested_origin *)origin)->nested;

	return is_box(nested, onto) ?
		quietly(search ? find_ownerless : verify, nested, witness) :
		LAYOUT_UNKNOWN;
}

static void release(struct origin *origin)
{
	layout_nested_free(((struct nested_origin *)origin)->nested);
	free(origin);
}

struct origin *nested_origin(layout_nested *nested)
{
	struct nested_origin *origin = layout_alloc(nested->ctx, 1, sizeof(*origin));

	if (!origin)
		return NULL;
	*origin = (struct nested_origin){ { 1, covers, release },
		layout_nested_copy(nested) };
	if (origin->nested)
		return &origin->base;
	free(origin);
	return NULL;
}

layout_answer layout_nested_is_surjective(layout_nested *nested,
	layout_witness **witness)
{
	if (witness)
		*witness = NULL;
	if (!nested)
		return LAYOUT_UNKNOWN;
	return quietly(verify, nested, NULL) == LAYOUT_YES ? LAYOUT_YES :
		find_ownerless(nested, witness);
}
