/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Owners for tests: of texts, and random ones of all kinds. */
#ifndef TESTS_SUPPORT_OWNERS_H
#define TESTS_SUPPORT_OWNERS_H

#include "algebra/owner/owner.h"

/* The owner that a text's relation is; box NULL: what it reaches.  NULL on an error. */
struct owner *owner_of_text(layout_context *ctx, const char *text, const int64_t *box,
	unsigned rank, unsigned wave_size);

/* The numbers below "count" in any order. */
void random_order(uint64_t *seed, unsigned *order, unsigned count);

/* An owner of the box, of extents that are powers of two: by bits or XORs of bits, blocked
 * or nested, on up to 4 subgroups, some of its bits replicated. */
struct owner *random_owner(layout_context *ctx, uint64_t *seed, int64_t rows,
	int64_t columns, unsigned lanes);

#endif
