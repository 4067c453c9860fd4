/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The contract of a kernel: what its sizes satisfy at every launch. */
#ifndef LAYOUT_ALGEBRA_STORAGE_CONTRACT_H
#define LAYOUT_ALGEBRA_STORAGE_CONTRACT_H

#include "algebra/storage/remap.h"
#include "isl_bridge/bridge.h"
#include "isl_bridge/index.h"

/* "sizes": the values allowed, as a set of parameters.  The requirements say the
 * same as text, for people; there is room for two more, and one for each size of a storage
 * that is added. */
struct contract {
	isl_set *sizes;
	unsigned requirement_count;
	char **requirements;
};

/* Sizes below 2^31, and what the user assumes.  False with the error on the context; free in both cases. */
bool contract_build(struct contract *contract, layout_remap *remap);
void contract_free(struct contract *contract);

/* The same for the sizes of a storage that is neither of the remap's. */
bool contract_add_storage(struct contract *contract, layout_remap *remap,
	const layout_storage *storage);

/* The fewest elements that make up whole bytes on both sides. */
int64_t contract_step(const layout_remap *remap);

/* "size", which is a multiple of "step", so that this is seen. */
struct index *contract_multiple(struct index *size, int64_t step);

/* The i-th size of the remap as a variable with its bounds, or a multiple of what is assumed. */
struct index *contract_size(const struct contract *contract, layout_remap *remap,
	unsigned i);

/* Can that size be a multiple of "step"? */
bool contract_has_multiples(const struct contract *contract, layout_remap *remap, unsigned i,
	int64_t step);

/* 1 where the sizes, over variables 0, 1, .., are allowed; they may be anything. */
struct index *contract_valid(const struct contract *contract, layout_remap *remap);

/* No two elements share a cell of the destination, whatever sizes are allowed; else
 * false with the error on the context. */
bool contract_check(const struct contract *contract, layout_remap *remap);

#endif
