/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/owner/covers.h"
#include "isl_bridge/objects.h"
#include "isl_bridge/relation.h"

#include <layout/view.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 1 << 21, MOST_INPUTS = 64 };

/* Which elements of the box were seen; the first image that is outside of it. */
struct seen {
	const int64_t *box;
	unsigned rank;
	bool *elements;
	int64_t *outside;
	bool is_outside;
};

static bool see(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned rank)
{
	struct seen *seen = user;
	int64_t number = 0;

	(void)in, (void)in_rank;
	for (unsigned d = 0; d < rank; d++) {
		if (image[d] < 0 || image[d] >= seen->box[d]) {
			memcpy(seen->outside, image, rank * sizeof(*image));
			return !(seen->is_outside = true);
		}
		number = number * seen->box[d] + image[d];
	}
	return seen->elements[number] = true;
}

/* Are there so few points that they can be listed?  How many. */
static bool can_list(layout_context *ctx, layout_relation *owner, int64_t *count)
{
	struct layout_caught caught = { 0 }, *before;
	unsigned rank = layout_relation_in_rank(owner);
	int64_t extents[MOST_INPUTS], points = 1;
	layout_set *inputs;
	bool ok;

	if (rank > MOST_INPUTS || layout_relation_param_count(owner))
		return false;
	before = layout_context_catch(ctx, &caught);
	inputs = layout_relation_domain(layout_relation_copy(owner));
	ok = layout_set_box(inputs, extents);
	layout_set_free(inputs);
	layout_context_catch(ctx, before);
	free(caught.message);
	for (unsigned i = 0; ok && i < rank; i++)
		ok = extents[i] <= MOST_POINTS / points && (points *= extents[i] +
			!extents[i]);
	*count = points;
	return ok;
}

static layout_answer find_missing(layout_context *ctx, const struct seen *seen,
	int64_t count, layout_witness **witness)
{
	int64_t number = 0, rest, *point = seen->outside;

	while (number < count && seen->elements[number])
		number++;
	if (number == count)
		return LAYOUT_YES;
	rest = number;
	for (unsigned d = seen->rank; d-- > 0; rest /= seen->box[d])
		point[d] = rest % seen->box[d];
	*witness = bridge_witness_of(ctx, point, seen->rank, NULL, 0);
	return *witness ? LAYOUT_NO : LAYOUT_UNKNOWN;
}

layout_answer owner_covers(layout_relation *owner, const int64_t *box, unsigned rank,
	int64_t *left, bool *beyond, layout_witness **witness)
{
	layout_context *ctx = layout_relation_context(owner);
	struct seen seen = { .box = box, .rank = rank };
	layout_answer answer = LAYOUT_UNKNOWN;
	int64_t count = 1, points;

	*beyond = false;
	if (layout_relation_out_rank(owner) != rank || !can_list(ctx, owner, &points))
		return LAYOUT_UNKNOWN;
	*left -= points;
	if (*left < 0) {
		layout_fail(ctx, LAYOUT_ERROR_QUOTA, -1,
			"the owners have too many points to list them all");
		return LAYOUT_UNKNOWN;
	}
	for (unsigned d = 0; d < rank; d++)
		count *= box[d];
	seen.elements = layout_alloc(ctx, (size_t)count, sizeof(*seen.elements));
	seen.outside = layout_alloc(ctx, rank + 1, sizeof(*seen.outside));
	if (seen.elements && seen.outside &&
	    (layout_relation_for_each(owner, see, &seen) || seen.is_outside)) {
		*beyond = seen.is_outside;
		answer = !seen.is_outside ? find_missing(ctx, &seen, count, witness) :
			(*witness = bridge_witness_of(ctx, seen.outside, rank, NULL, 0)) ?
			LAYOUT_NO : LAYOUT_UNKNOWN;
	}
	free(seen.elements);
	free(seen.outside);
	return answer;
}
