/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_HOST_CHIPS_H
#define LAYOUT_HOST_CHIPS_H

#include "algebra/chip.h"

extern const struct chip_family host_family;

#endif
