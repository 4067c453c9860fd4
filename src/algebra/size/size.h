/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes: quasi-affine expressions of names that are known at run time, "M",
 * "floor((M + P)/128)"; what needs an isl header is in affine.h. */
#ifndef LAYOUT_ALGEBRA_SIZE_SIZE_H
#define LAYOUT_ALGEBRA_SIZE_SIZE_H

#include "algebra/size/names.h"

/*	aff	[] -> the size, with names as parameters
 *	text	the same as it was given, or as it is printed
 *	number	is it one, and "value" which; else "value" is -1 */
struct size {
	struct isl_aff *aff;
	char *text;
	bool number;
	int64_t value;
};

/* Read a size, which adds its names to "names".  False with the error on the context. */
bool size_read(layout_context *ctx, struct size_names *names, const char *text,
	struct size *size);

/* False without memory; either may be empty. */
bool size_copy(layout_context *ctx, struct size *to, const struct size *from);
void size_free(struct size *size);

/* Sizes that are these numbers; a copy of a list; each NULL on an error; and its end. */
struct size *size_list_of_numbers(layout_context *ctx, const int64_t *numbers,
	unsigned count);
struct size *size_list_copy(layout_context *ctx, const struct size *list, unsigned count);
void size_list_free(struct size *list, unsigned count);

/* Are both the same expression, however written?  Sizes that are the same for all names
 * but by floors that differ are not. */
bool size_same(const struct size *a, const struct size *b);

#endif
