/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of index expressions share among themselves. */
#ifndef LAYOUT_BRIDGE_INDEX_PARTS_H
#define LAYOUT_BRIDGE_INDEX_PARTS_H

#include "isl_bridge/index.h"

/* One operation on numbers; false where the result is beyond 64 bits, or for a
 * divisor that is not positive. */
bool index_apply(enum index_op op, int64_t a, int64_t b, int64_t *value);

/* The rewritings below put their result into *result, NULL if memory ran out,
 * and return true with both arguments consumed; or false with neither. */

/* Any operation: identities, and arguments that decide.  A constant addend or
 * factor is on the right. */
bool index_simplify(enum index_op op, struct index *a, struct index *b,
	struct index **result);

/* ADD, SUB: multiples of a quotient taken from its dividend leave a digit,
 *
 *	k * (a / p) - k * q * (a / (p * q))  =  k * (a / p % q) */
bool index_simplify_digit(enum index_op op, struct index *a,
	struct index *b, struct index **result);

/* FDIV, PDIV by a constant: terms that are multiples leave the dividend,
 *
 *	(g * x + r) / (g * d)  =  x / d			0 <= r < g
 *	(d * x + r) / d        =  x + r / d		0 <= r */
bool index_simplify_quotient(enum index_op op, struct index *a,
	struct index *b, struct index **result);

#endif
