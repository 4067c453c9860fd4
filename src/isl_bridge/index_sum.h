/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Index expressions as sums of multiples. */
#ifndef LAYOUT_BRIDGE_INDEX_SUM_H
#define LAYOUT_BRIDGE_INDEX_SUM_H

#include "isl_bridge/index_range.h"

#define INDEX_SUM_TERMS 16

struct index_term {
	int64_t factor;
	struct index *base;	/* borrowed; NULL: the term is "factor" itself */
};

struct index_sum {
	unsigned count;
	struct index_term terms[INDEX_SUM_TERMS];
};

/* Whether two trees are the same, node by node; NULL is itself only. */
LAYOUT_INTERNAL bool index_equal(const struct index *a, const struct index *b)
	LAYOUT_SYMBOL(index_equal);

/* Append the terms of "sign" times "index"; sign is 1 or -1.  False where there
 * are too many of them, or a factor is beyond 64 bits. */
bool index_sum_add(struct index_sum *sum, struct index *index, int sign);
bool index_sum_append(struct index_sum *sum, int64_t factor,
	struct index *base);

struct range index_sum_range(const struct index_sum *sum);

/* No part of the sum is beyond 64 bits, in whatever order it is computed. */
bool index_sum_fits(const struct index_sum *sum);

/* The sum as a tree, its terms in order. */
struct index *index_sum_build(const struct index_sum *sum);

#endif
