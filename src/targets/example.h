/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The chip that messages name as an example. */
#ifndef LAYOUT_TARGETS_EXAMPLE_H
#define LAYOUT_TARGETS_EXAMPLE_H

#define CHIP_EXAMPLE "gfx942"

#endif
