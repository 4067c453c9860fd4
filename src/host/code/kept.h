/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels that a context keeps, by what they do. */
#ifndef LAYOUT_HOST_KEPT_H
#define LAYOUT_HOST_KEPT_H

#include "host/code/host.h"

#include <stdatomic.h>

/* A kernel for buffers of any alignment, compiled. */
struct host_kernel {
	atomic_uint users;
	layout_kernel *kernel;
	const struct host_program *program;
};

/* That of a remap for a CPU, NULL being the one we run on: one that the context has kept, or a new one, which it keeps instead of the
 * one that was not asked for for longest.  Drop it; it outlives the context. */
struct host_kernel *host_kernel_of(layout_remap *remap, const char *cpu);
void host_kernel_drop(struct host_kernel *kernel);

#endif
