/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions as they are printed and as most people write them,
 *
 *	[M, K] -> { name[i, j, k = 0] -> name[8i + j mod 4, floor(j/4)] : 0 <= i < M }
 *
 * read without isl's reader, whose time grows with a high power of the number of
 * floors: first into sums, without isl, then into isl's functions.  Each text means
 * what isl takes it for; one that is of another shape, or large, is left to isl. */
#ifndef LAYOUT_BRIDGE_READ_WRITTEN_H
#define LAYOUT_BRIDGE_READ_WRITTEN_H

#include "isl_bridge/objects.h"
#include "isl_bridge/read_tokens.h"

#define WRITTEN_VARIABLES 64u	/* parameters and inputs */
#define WRITTEN_FLOORS 160u	/* different ones */
#define WRITTEN_COLUMNS (WRITTEN_VARIABLES + WRITTEN_FLOORS)
#define WRITTEN_IMAGES 64u
#define WRITTEN_CONDITIONS 128u
#define WRITTEN_LIST 8u		/* of "0 <= i, j, k < 4" */

/* (constant + coefficients * columns) / by, with by > 0. */
struct written_sum {
	int64_t by, constant;
	int64_t coefficients[WRITTEN_COLUMNS];
};

/* 0 <= sum, or 0 = sum. */
struct written_condition {
	struct written_sum sum;
	bool equal;
};

/* Of a text, without a 0 behind it.  "column" is that of a variable; none for an
 * output. */
struct written_name {
	const char *text;
	size_t length;
	unsigned column;
};
#define WRITTEN_NO_COLUMN WRITTEN_COLUMNS

struct written_list {
	unsigned count;
	struct written_sum sums[WRITTEN_LIST];
};

/* The columns are the parameters, the inputs, and from WRITTEN_VARIABLES on the
 * floors, each of a sum of columns before it.  "refused": isl shall read this. */
struct written {
	struct token token;
	bool refused;
	unsigned depth;			/* brackets in brackets */
	unsigned param_count, variable_count, floor_count;
	unsigned image_count, condition_count, name_count;
	struct written_name names[WRITTEN_VARIABLES + WRITTEN_IMAGES];
	struct written_name tuples[2];	/* inputs, images; length 0: none */
	struct written_name image_names[WRITTEN_IMAGES];
	struct written_list lists[2];	/* on both sides of a comparison */
	struct written_sum floors[WRITTEN_FLOORS];
	struct written_sum images[WRITTEN_IMAGES];
	struct written_condition conditions[WRITTEN_CONDITIONS];
};

/* Read no further. */
void written_refuse(struct written *written);

/* Is the next token of this kind; and if so go past it; and refuse if not. */
bool written_at(const struct written *written, int kind);
bool written_take(struct written *written, int kind);
void written_need(struct written *written, int kind);

/* The name that the next token is, if it is known. */
const struct written_name *written_find(const struct written *written);

/* One column; a number. */
void written_column(struct written_sum *sum, unsigned column);
void written_number(struct written_sum *sum, int64_t number);

/* "sum" times "factor"; by "by", which must be positive; plus "factor" times "other";
 * its floor.  Each refuses what is beyond 64 bits. */
void written_scale(struct written *written, struct written_sum *sum, int64_t factor);
void written_divide(struct written *written, struct written_sum *sum, int64_t by);
void written_add(struct written *written, struct written_sum *sum, int64_t factor,
	const struct written_sum *other);
void written_floor(struct written *written, struct written_sum *sum);

/* Read a sum, in isl's grammar of affine expressions. */
void written_read_sum(struct written *written, struct written_sum *sum);

/* Read a whole text into "written", which is zeroed; false: refused. */
bool written_read(struct written *written, const char *text);

/* What was read as a map, and the function in "*function"; NULL where isl failed. */
isl_map *written_build(const struct written *written, isl_ctx *isl,
	isl_multi_aff **function);

/* Read a text if it is such a function: true if so, and "*relation" is it, or NULL with
 * an error on the context. */
bool read_as_function(layout_context *ctx, const char *text, layout_relation **relation);

/* Read by isl alone, whatever the shape. */
layout_relation *read_with_isl(layout_context *ctx, const char *text);

#endif
