/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Random relations with sizes M and N twice: as the library builds them, and as lists
 * of pairs for numbers of the sizes, with arithmetic that shares nothing with it. */
#ifndef TESTS_SUPPORT_RELATION_MODEL_H
#define TESTS_SUPPORT_RELATION_MODEL_H

#include "support/storage_model.h"

#include <layout/layout.h>

#define RANK 3
#define SIZES 2			/* M and N */
#define MOST_PAIRS 1200

/* Quasi-affine expressions of the inputs and the sizes */

enum shape { PLAIN, FLOOR, MOD };

/* factor * (sum | floor(sum / by) | sum mod by), sum = constant + coefficient*x + .. */
struct term {
	enum shape shape;
	int64_t factor, constant, by, coefficient[RANK + SIZES];
};

struct expression {
	unsigned count;
	struct term terms[3];
};

/* Conditions: expressions that are >= 0, or 0 */

#define MOST_CONDITIONS 3

struct conditions {
	unsigned rank, count;
	bool boxed, zero[MOST_CONDITIONS];
	int64_t low[RANK], high[RANK];
	struct expression sum[MOST_CONDITIONS];
};

/* "boxed": between bounds of at most 20 numbers each. */
struct conditions random_conditions(uint64_t *seed, unsigned rank, bool boxed);
bool conditions_hold(const struct conditions *conditions, const int64_t *x,
	const int64_t *sizes);
layout_set *conditions_read(layout_context *ctx, const struct conditions *conditions);

/* Lists of pairs, sorted, each once */

struct pairs {
	unsigned ranks[2], count;
	bool overflow;
	int64_t at[MOST_PAIRS][2][RANK];
};

void pairs_add(struct pairs *pairs, const int64_t *x, const int64_t *y);
void pairs_sort(struct pairs *pairs);
int pairs_compare(const void *a, const void *b);
bool pairs_have(const struct pairs *pairs, const int64_t *x, const int64_t *y);
bool pairs_reach(const struct pairs *pairs, unsigned side, const int64_t *x);

/* Points are padded with 0 to RANK. */
bool point_same(const int64_t *a, const int64_t *b);
void point_pad(int64_t *to, const int64_t *from, unsigned rank);

/* Relations to begin with */

enum source_kind { PIECES, CUTE, SWIZZLE, STORAGE, RENUMBER, SOURCES };

struct piece {
	struct expression image[RANK];
	struct conditions conditions;
};

struct source {
	enum source_kind kind;
	unsigned in, out, count;
	struct piece pieces[2];
	int64_t shape[RANK], stride[RANK];	/* of CUTE; of the boxes of RENUMBER */
	int bits, base, shift;
	int64_t row, access;
	bool rotates, unbounded;
	struct conditions offsets;
	struct storage_model model;
	int64_t width;
};

/* With one or two inputs, perhaps not as many as "in". */
struct source random_source(uint64_t *seed, unsigned in);
void source_list(const struct source *source, const int64_t *sizes,
	struct pairs *pairs);
layout_relation *source_build(layout_context *ctx, const struct source *source);

#endif
