/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The steps of a chain; needs no isl header.
 *
 * A chain is a list of steps from the result back to its source.  Steps do not change once
 * they are made, so copies of a chain, and chains that begin alike, share them.  A pack is
 * a pad, an expand and a transpose, an unpack a transpose, a collapse and a slice: what is
 * folded, and printed as MLIR, are six kinds of steps. */
#ifndef LAYOUT_ALGEBRA_CHAIN_STEP_H
#define LAYOUT_ALGEBRA_CHAIN_STEP_H

#include "algebra/size/size.h"
#include <layout/chain.h>

#define CHAIN_RANK 64	/* dimensions of a step */
#define CHAIN_STEPS 256

enum chain_kind {
	CHAIN_SOURCE,
	CHAIN_TRANSPOSE,	/* dims: result dimension j is dims[j] */
	CHAIN_EXPAND,		/* groups */
	CHAIN_COLLAPSE,		/* groups */
	CHAIN_SLICE,		/* offsets, strides, and dims: those that stay */
	CHAIN_PAD,		/* offsets: what is padded before the elements */
	CHAIN_BROADCAST,	/* dims: those that are not added */
};

/* Of "rank" dimensions and these sizes, in all names of the step, after it.
 *
 *	params		the names so far, in order of first appearance
 *	load		logical[result index] -> logical[source index]
 *	store		the reverse; NULL behind a broadcast
 *	where		the result indices, among those of its shape, that have an element
 *	assumed		of the names: where "condition" holds, NULL for none
 *	known		of []: names and the source's sizes are >= 0, and what is assumed
 *	written		the operation that ends with this step; NULL: one goes on */
struct layout_chain {
	layout_context *ctx;
	unsigned references;
	layout_chain *before;		/* NULL: this is the source */
	unsigned steps;
	layout_storage *source;		/* of the first step, borrowed by all others */
	enum chain_kind kind;
	char *written;
	struct isl_space *params;
	unsigned rank;
	struct size *sizes;
	unsigned dim_count, group_count;
	unsigned *dims, *groups;
	struct size *offsets;	/* one a dimension before the step */
	int64_t *strides;
	struct isl_multi_aff *load, *store;
	struct isl_set *where, *assumed, *known;
	char *condition, *pad_value;
	bool pad_idle;			/* no padding with that value is ever there */
};

/* The size as MLIR has it, "affine_map<()[s0] -> (s0 + 1)>", and which of the chain's names
 * the symbols are, "used" of them.  Both are to be freed, the latter also where the
 * result is NULL. */
char *chain_size_map(const layout_chain *chain, const struct size *size,
	unsigned **symbols, unsigned *used);

/* Has an index of the result an element wherever the function gives an index of the
 * source, and nowhere else?  What map_load takes for padding is all of it then. */
layout_answer chain_pads_by_range(layout_chain *chain);

#endif
