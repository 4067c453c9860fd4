/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/compose_exact.h"

#include <inttypes.h>

bool cute_exact_at(const struct cute_composition *composition, int64_t x, int64_t *value)
{
	if (cute_modes_at(&composition->modes, x, value))
		return true;
	layout_fail(composition->ctx, LAYOUT_ERROR_OVERFLOW, -1,
		"the offset of coordinate %" PRId64 " does not fit 64 bits", x);
	return false;
}

/* What a carry over boundary j is worth. */
static __int128 weight(const struct cute_modes *modes, unsigned j)
{
	return modes->stride[j] - (__int128)modes->shape[j - 1] * modes->stride[j - 1];
}

/* All steps are whole multiples of boundary j: nothing carries over it. */
static bool never_carries(const struct cute_composition *composition,
	const struct cute_part *part, unsigned count, unsigned j)
{
	for (unsigned q = 0; q < count; q++)
		if (part[q].step % composition->prefix[j])
			return false;
	return true;
}

/* Are the steps the same fractions of boundaries i and j, so that each sum of them
 * carries as often over one as over the other? */
static bool carry_alike(const struct cute_composition *composition,
	const struct cute_part *part, unsigned count, unsigned i, unsigned j)
{
	int64_t a = composition->prefix[i], b = composition->prefix[j];

	for (unsigned q = 0; q < count; q++)
		if ((__int128)(part[q].step % a) * b != (__int128)(part[q].step % b) * a)
			return false;
	return true;
}

unsigned cute_exact_boundaries(const struct cute_composition *composition,
	const struct cute_part *part, unsigned count, unsigned *boundaries)
{
	__int128 weights[CUTE_MODES];
	unsigned groups = 0, kept = 0;

	for (unsigned j = 1; j < composition->modes.count; j++) {
		unsigned group = 0;

		if (never_carries(composition, part, count, j))
			continue;
		while (group < groups && !carry_alike(composition, part, count,
				boundaries[group], j))
			group++;
		if (group == groups) {
			boundaries[groups] = j;
			weights[groups++] = 0;
		}
		weights[group] += weight(&composition->modes, j);
	}
	for (unsigned group = 0; group < groups; group++)
		if (weights[group] != 0)
			boundaries[kept++] = boundaries[group];
	return kept;
}
