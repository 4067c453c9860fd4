/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Alignment as it turns out: a target whose accesses must be aligned to their bytes has
 * code for vectors that are, and for such as are not, behind scalar branches. */
#ifndef LAYOUT_LOWER_TILE_ALIGN_H
#define LAYOUT_LOWER_TILE_ALIGN_H

#include "lower/tile/access.h"

/* Of an open side's vectors of so many bytes: are all of them aligned to as much as that,
 * and to "align", or no more than access->align?  NULL: nobody asks. */
LLVMValueRef tile_is_aligned(const struct tile_access *access, unsigned bytes, unsigned *align);

#endif
