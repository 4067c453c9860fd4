/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CPUs by name: those that code can be asked for instead of the one we run on. */
#ifndef LAYOUT_HOST_CPU_H
#define LAYOUT_HOST_CPU_H

#include "isl_bridge/context.h"

/* NULL is the CPU we run on, in all of these. */
unsigned cpu_vector_bytes(const char *cpu);
unsigned cpu_vector_count(const char *cpu);
bool cpu_scales(const char *cpu);

/* Is there a CPU of that name?  Else LAYOUT_ERROR_INVALID. */
bool cpu_check(layout_context *ctx, const char *cpu);

/* Does the one we run on what it does?  Else LAYOUT_ERROR_UNSUPPORTED. */
bool cpu_runs(layout_context *ctx, const char *cpu);

#endif
