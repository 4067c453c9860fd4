/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The owner: which point of the iteration visits which slot of the destination. */
#ifndef LAYOUT_ALGEBRA_VISIT_OWNER_H
#define LAYOUT_ALGEBRA_VISIT_OWNER_H

#include "algebra/storage/index.h"
#include "algebra/storage/maps.h"
#include "algebra/visit/visit.h"

/* The iteration hw[..] over a storage's slots.
 *
 *	to_slot		hw -> slot
 *	domain		the box of hw: what the loops and the grid run over
 *	active		the part of it that owns a slot */
struct visit_owner {
	unsigned dim_count;
	struct visit_dim *dims;
	isl_multi_aff *to_slot;
	isl_set *domain, *active;
};

/* lanes = 0: a loop over each slot.  Else one lane owns one slot at a time: the
 * innermost slots of constant extent form a tile of T elements, and x walks the
 * tiles of the last slot before them, lanes elements at a time:
 *
 *	f = lanes*x + lane,  slot = .., floor(f / T), digits of f mod T
 *
 * y is the slot before that one, and z all the others.  Dimensions get names
 * that no size has.  False with the error on the context; free in both cases. */
bool visit_owner_build(struct visit_owner *owner, layout_storage *storage,
	const struct storage_index *index, unsigned lanes,
	const char *const *sizes, unsigned size_count);
void visit_owner_free(struct visit_owner *owner);

/* A loop "name" over so many numbers, or with lanes, x, turns if there is more than one, and lane,
 * which take that many of them at a time: the dims alone.  Consumes "count". */
bool visit_owner_of_number(struct visit_owner *owner, layout_context *ctx, const char *name,
	struct index *count, unsigned turns, unsigned lanes, const char *const *sizes,
	unsigned size_count);

/* The number that its dims are, and "{ hw[x, lane] -> NAME[256x + lane] }" as text. */
struct index *visit_owner_number(const struct visit_owner *owner, struct index *const *dims);
void visit_owner_print_number(struct layout_buffer *out, const struct visit_dim *dims,
	unsigned dim_count, const char *name);

/* A name for a dimension that no size has: "base", or "base3" where "number" is not
 * negative, and underscores until it is nobody's. */
char *visit_owner_name(layout_context *ctx, const char *base, int number,
	const char *const *sizes, unsigned size_count);

#endif
