/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_HOST_PROCESSOR_H
#define LAYOUT_HOST_PROCESSOR_H

#include "isl_bridge/context.h"

/* Add all that code may depend on in the processor we run on: its model, what it can do, its
 * caches.  False where that is not known here. */
bool processor_describe(struct layout_buffer *out);

#endif
