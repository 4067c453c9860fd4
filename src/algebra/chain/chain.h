/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the steps of a chain are made. */
#ifndef LAYOUT_ALGEBRA_CHAIN_H
#define LAYOUT_ALGEBRA_CHAIN_H

#include "algebra/chain/step.h"
#include "algebra/size/affine.h"
#include "isl_bridge/aff.h"

/* Sizes: size.c.  Between bridge_enter() and bridge_leave(). */

isl_aff *chain_size_integer(layout_chain *chain, int64_t number);
isl_aff *chain_size_sum(isl_aff *a, isl_aff *b);

/* Read a list of "count" sizes over []; entries are NULL where the text is "?" and "?" may
 * be inferred.  To be freed, with all in it; NULL on an error. */
isl_aff **chain_sizes_read(layout_context *ctx, unsigned count, const char *const *texts,
	bool inferred, const char *what);
void chain_affs_free(isl_aff **sizes, unsigned count);

/* Steps: chain.c. */

/* A step behind "chain", which is consumed: without shape and maps.  Ends with
 * chain_end(), which gives NULL unless "good" and all is well. */
layout_chain *chain_begin(layout_chain *chain, enum chain_kind kind, unsigned rank);
layout_chain *chain_end(layout_chain *chain, bool good);

/* Take a size of the step, in the names of the chain and new ones. */
bool chain_take_size(layout_chain *chain, struct size *to, isl_aff *size);

/* The same of size "from" of the step before. */
bool chain_keep_size(layout_chain *chain, unsigned to, unsigned from);

/* The size over [] again, in the step's names. */
isl_aff *chain_aff(layout_chain *chain, const struct size *size);

/* The spaces of indices before and after the step. */
isl_space *chain_space(layout_chain *chain);
isl_space *chain_before_space(layout_chain *chain);

/* Fold the step: "load" gives the index before it of each one after it; "store" is the
 * reverse, NULL for none; "inside" are the indices that have one before, NULL for all.
 * All consumed. */
bool chain_fold(layout_chain *chain, isl_multi_aff *load, isl_multi_aff *store,
	isl_set *inside);

/* The result's indices: 0 <= index < size. */
isl_set *chain_box(layout_chain *chain);

/* What is known of names: condition.c. */

/* A condition on sizes, over [], that the chain assumes unless it is known to hold.  The
 * text, which may be NULL after an error, and the condition are consumed; "what" says what
 * is wrong where it never holds. */
bool chain_assume(layout_chain *chain, isl_set *condition, char *text, const char *what);

/* Is "condition", over [], met by some names?  Consumes it. */
bool chain_possible(layout_chain *chain, isl_set *condition);

/* Assume size >= 0; where it never is, the error calls it "what". */
bool chain_check_size(layout_chain *chain, const struct size *size,
	const char *what, unsigned dim);

/* Operations as steps.  "chain" and lists of sizes are consumed, entries included; what an
 * operation was written as is set on its last step. */
layout_chain *chain_transposed(layout_chain *chain, const unsigned *permutation);
layout_chain *chain_expanded(layout_chain *chain, unsigned groups,
	const unsigned *group_sizes, isl_aff **sizes);
layout_chain *chain_collapsed(layout_chain *chain, unsigned groups,
	const unsigned *group_sizes);
layout_chain *chain_sliced(layout_chain *chain, isl_aff **offsets, isl_aff **sizes,
	const int64_t *strides, const bool *drop, bool unpacks);
layout_chain *chain_padded(layout_chain *chain, isl_aff **low, isl_aff **high,
	const char *value);

/* Read as many sizes as the chain has dimensions, as chain_sizes_read(); all or none. */
bool chain_read_lists(layout_chain *chain, unsigned lists, const char *const *const *texts,
	bool inferred, const char *const *what, isl_aff ***read);

/* Checks of what is given: check.c. */
bool chain_check_rank(layout_chain *chain, unsigned rank, const char *what);
bool chain_check_dims(layout_context *ctx, unsigned count, const int64_t *dims,
	unsigned rank, const char *what, unsigned *checked);
bool chain_check_groups(layout_context *ctx, unsigned groups,
	const unsigned *group_sizes, unsigned rank);

/* What an operation was written as: written.c.  Gives the chain back. */
struct chain_list {
	const int64_t *numbers;		/* one of these three */
	const char *const *texts;
	const unsigned *groups;		/* of consecutive dimensions */
	unsigned count;
	const char *name;		/* "drop"; NULL: by place */
};
layout_chain *chain_written(layout_chain *chain, const char *operation,
	const struct chain_list *lists, unsigned count, const char *value,
	const char *value_name);

#endif
