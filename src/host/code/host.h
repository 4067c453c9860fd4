/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_HOST_CODE_H
#define LAYOUT_HOST_CODE_H

#include "lower/kernel.h"

/* Run a kernel for the host by JIT; a hook of the target. */
bool host_run(layout_context *ctx, const layout_kernel *kernel,
	const struct kernel_run *run);

extern const struct target_hooks host_target;

#endif
