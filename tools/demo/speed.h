/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How fast bytes move: the best of many runs, in GB read and written a second. */
#ifndef DEMO_SPEED_H
#define DEMO_SPEED_H

#include <layout/codegen.h>

/* Of a kernel that has run before; 0 after an error. */
double speed_kernel(layout_context *ctx, layout_kernel *kernel, const layout_run *run);

/* Of memcpy for as many bytes as the run writes; 0 without memory. */
double speed_memcpy(const layout_run *run);

#endif
