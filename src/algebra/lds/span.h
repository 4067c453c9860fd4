/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Subspaces of F2^64, by a basis each of whose vectors has a highest bit of its own. */
#ifndef LAYOUT_ALGEBRA_LDS_SPAN_H
#define LAYOUT_ALGEBRA_LDS_SPAN_H

#include <stdbool.h>
#include <stdint.h>

struct lds_span {
	unsigned count;
	uint64_t basis[64];
};

/* What the span leaves of a vector; 0 for those in it. */
static inline uint64_t lds_span_reduce(const struct lds_span *span, uint64_t vector)
{
	for (unsigned i = 0; i < span->count; i++)
		if ((vector ^ span->basis[i]) < vector)
			vector ^= span->basis[i];
	return vector;
}

/* Add a vector; false where it was in the span. */
static inline bool lds_span_add(struct lds_span *span, uint64_t vector)
{
	uint64_t left = lds_span_reduce(span, vector), high;

	if (!left)
		return false;
	high = (uint64_t)1 << (63 - __builtin_clzll(left));
	for (unsigned i = 0; i < span->count; i++)
		if (span->basis[i] & high)
			span->basis[i] ^= left;
	span->basis[span->count++] = left;
	return true;
}

#endif
