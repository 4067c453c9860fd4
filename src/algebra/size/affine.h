/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes as isl has them, between bridge_enter() and bridge_leave(). */
#ifndef LAYOUT_ALGEBRA_SIZE_AFFINE_H
#define LAYOUT_ALGEBRA_SIZE_AFFINE_H

#include "algebra/size/size.h"
#include "isl_bridge/affine.h"

/* Read [] -> the size, with all of "names", to which it adds those of the text, as
 * parameters; NULL with an error, where it is no quasi-affine expression of names. */
isl_aff *size_aff_read(layout_context *ctx, struct size_names *names, const char *text);

/* A space of sets of that rank, with these names as parameters. */
isl_space *size_names_space(layout_context *ctx, char *const *names, unsigned count,
	unsigned rank);

/* Give the sizes of a list all of the names, in order, and no other parameters. */
void size_list_align(layout_context *ctx, struct size *list, unsigned count,
	const struct size_names *names);

/* The number that a size is: false where it is none, or on an error. */
bool size_aff_number(layout_context *ctx, isl_aff *aff, int64_t *number);

/* "floor((M + P)/128)", with parameters as isl or "names" call them; NULL on an error.
 * Keeps the size. */
char *size_aff_str(layout_context *ctx, isl_aff *aff);
bool size_aff_print(struct layout_buffer *out, layout_context *ctx, isl_aff *aff,
	const char *const *names, enum affine_dialect dialect);

/* The size of [] -> aff, which it consumes. */
bool size_of_aff(layout_context *ctx, isl_aff *aff, struct size *size);

/* The size over "space", a space of sets, which it keeps; its names are parameters there. */
isl_aff *size_on(const struct size *size, isl_space *space);

/* The size over no space at all, of its names alone. */
isl_aff *size_of_names(const struct size *size);

/* ceil(aff / by), floor(aff / by) and by * aff of the size's function. */
isl_aff *size_ceil(const struct size *size, int64_t by);
isl_aff *size_floor(const struct size *size, int64_t by);
isl_aff *size_scaled(const struct size *size, int64_t by);

/* The names for which 0 <= size < limit, limit 0: no limit. */
isl_set *size_below(const struct size *size, int64_t limit);

/* The names for which two functions are equal, which it consumes; for which "by" divides
 * the size. */
isl_set *size_affs_equal(isl_aff *a, isl_aff *b);
isl_set *size_divided(const struct size *size, int64_t by);

#endif
