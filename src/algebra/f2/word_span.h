/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gaussian elimination of vectors that fit a word: span.h in small, copied by assignment. */
#ifndef LAYOUT_ALGEBRA_F2_WORD_SPAN_H
#define LAYOUT_ALGEBRA_F2_WORD_SPAN_H

#include <stdbool.h>
#include <stdint.h>

/* A basis: no vector has the highest bit of another.  Each stands for a sum, in whatever the
 * sums count; of those that are added alone it is 0. */
struct word_span {
	unsigned count;
	uint64_t basis[64], sums[64];
};

/* What the span leaves of a vector, 0 for those in it; what is taken away from it is added to
 * "sum". */
static inline uint64_t word_span_solve(const struct word_span *span, uint64_t vector,
	uint64_t *sum)
{
	for (unsigned i = 0; i < span->count; i++)
		if ((vector ^ span->basis[i]) < vector) {
			vector ^= span->basis[i];
			*sum ^= span->sums[i];
		}
	return vector;
}

static inline uint64_t word_span_reduce(const struct word_span *span, uint64_t vector)
{
	uint64_t sum = 0;

	return word_span_solve(span, vector, &sum);
}

/* Add a vector that stands for "sum".  False where it was in the span: then "sum" becomes
 * that of 0 which both make. */
static inline bool word_span_add_sum(struct word_span *span, uint64_t vector, uint64_t *sum)
{
	uint64_t left = word_span_solve(span, vector, sum), high;

	if (!left)
		return false;
	high = (uint64_t)1 << (63 - __builtin_clzll(left));
	for (unsigned i = 0; i < span->count; i++)
		if (span->basis[i] & high) {
			span->basis[i] ^= left;
			span->sums[i] ^= *sum;
		}
	span->basis[span->count] = left;
	span->sums[span->count++] = *sum;
	return true;
}

static inline bool word_span_add(struct word_span *span, uint64_t vector)
{
	uint64_t sum = 0;

	return word_span_add_sum(span, vector, &sum);
}

#endif
