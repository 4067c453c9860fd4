/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of a library of bitcode. */
#ifndef LAYOUT_LOWER_LIBRARY_H
#define LAYOUT_LOWER_LIBRARY_H

#include "isl_bridge/context.h"

#include <llvm-c/Core.h>

/* Link to a module what it calls of the library in the file "path".  False with an error. */
bool library_link(layout_context *ctx, LLVMModuleRef module, const char *path);

#endif
