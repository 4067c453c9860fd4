/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers for a kernel's sizes. */
#ifndef LAYOUT_LOWER_SIZES_H
#define LAYOUT_LOWER_SIZES_H

#include "lower/kernel.h"

/* In argument order; a value counts only where it is known. */
struct sizes {
	int64_t *values;
	bool *known;
};

/* Take the sizes that the kernel has from a caller's list; the last of a name
 * counts, and other names are ignored.  What the kernel requires of those that are
 * known is checked: LAYOUT_ERROR_INVALID.  False leaves nothing to free. */
bool sizes_take(layout_context *ctx, const layout_kernel *kernel,
	const layout_size *list, unsigned count, struct sizes *sizes);
void sizes_free(struct sizes *sizes);

/* Every size is known; else LAYOUT_ERROR_INVALID. */
bool sizes_complete(layout_context *ctx, const layout_kernel *kernel,
	const struct sizes *sizes);

/* Is every size that the expression needs known? */
bool sizes_determine(const struct sizes *sizes, const struct index *index);

/* The value of an expression that is determined; LAYOUT_ERROR_OVERFLOW, where
 * "what" is its name. */
bool sizes_eval(layout_context *ctx, const struct sizes *sizes, const struct index *index,
	const char *what, int64_t *value);

#endif
