/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a kernel is launched. */
#ifndef LAYOUT_LOWER_LAUNCH_H
#define LAYOUT_LOWER_LAUNCH_H

#include "lower/sizes.h"

/* The bytes of an operand, gaps included; LAYOUT_ERROR_OVERFLOW beyond 2^63. */
bool launch_bytes(layout_context *ctx, const struct sizes *sizes,
	const struct plan_operand *operand, int64_t *bytes);

/* The same of sizes that are all known; false beyond 2^63. */
bool launch_operand_bytes(const int64_t *sizes, const struct plan_operand *operand,
	int64_t *bytes);

/* Is nothing of one buffer in the other?  The bytes are those that the kernel uses. */
bool launch_is_apart(const struct kernel_buffer *a, int64_t a_bytes,
	const struct kernel_buffer *b, int64_t b_bytes);

/* The shape whose predicted cost is least, the first of equal ones; or the first, where
 * "sizes" do not determine costs. */
const layout_kernel *launch_shape(const layout_kernel *kernel, const struct sizes *sizes);

/* Workgroups on x, y, z for sizes that determine them. */
bool launch_grid(layout_context *ctx, const layout_kernel *kernel,
	const struct sizes *sizes, int64_t grid[3]);

/* The launch as JSON.  The grid is null unless "sizes" determine it. */
char *launch_json(layout_context *ctx, const layout_kernel *kernel,
	const struct sizes *sizes);

#endif
