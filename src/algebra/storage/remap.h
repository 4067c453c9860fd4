/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_STORAGE_REMAP_H
#define LAYOUT_ALGEBRA_STORAGE_REMAP_H

#include "algebra/storage/conversion.h"
#include <layout/remap.h>

struct remap_map;
struct isl_set;

/* Sizes that are assumed, a set of parameters, and the condition as it was given. */
struct remap_assumption {
	char *text;
	struct isl_set *sizes;
};

struct layout_remap {
	layout_context *ctx;
	layout_storage *source, *destination;
	layout_chain *chain;	/* that the map is of; NULL: none */
	struct remap_map *map;	/* NULL: elements keep their index */
	struct conversion conversion;
	char *scale;		/* as given; NULL: not */
	uint64_t pad_bits;
	char *pad;		/* as given; NULL: not */
	unsigned name_count;
	const char **names;	/* borrowed from the storages and the map */
	unsigned assumption_count;
	unsigned implied_count;	/* the first of them are the chain's */
	struct remap_assumption *assumptions;
};

/* Assume the sizes of a set, which it consumes, and which the text says; false with the
 * error on the context. */
bool remap_add_assumption(layout_remap *remap, const char *text, struct isl_set *sizes);

/* [names of the remap], a space of parameters; between bridge_enter() and
 * bridge_leave(). */
struct isl_space *remap_space(const layout_remap *remap);

/* The shapes and the pad values of a chain and the destination meet: assume what is not
 * known of the sizes, and find the one pad value.  False with the error on the context. */
bool remap_chain_check(layout_remap *remap);

/* Are the destination's coordinates greater than the source's by one number each, for all elements?
 * By how much, as text to be freed, "P + 1" in each dimension of the tensor; false on an error. */
bool remap_is_shifted(const layout_remap *remap);
bool remap_shift_texts(layout_remap *remap, char **low);

/* A remap of these storages, and of this map unless it is NULL, that treats elements as
 * "remap" does.  Consumes all but "remap". */
layout_remap *remap_like(layout_remap *remap, layout_storage *source,
	layout_storage *destination, layout_relation *map);

#endif
