/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compiled kernels on the disk, by all that their code depends on: what they do, the
 * processor, and the libraries that made them. */
#ifndef LAYOUT_HOST_STORED_H
#define LAYOUT_HOST_STORED_H

#include "host/code/host.h"

/* Load what was kept of the kernel's code; false where there is nothing. */
bool stored_load(const layout_kernel *kernel, struct host_program *program);

/* Keep the object that a kernel was compiled to. */
void stored_keep(const layout_kernel *kernel, const void *object, size_t length);

/* What the functions of a program are called in its object. */
#define HOST_ENTRY "liblayout.entry"
#define HOST_PART "liblayout.part"

#endif
