/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_HOST_CHIPS_H
#define LAYOUT_HOST_CHIPS_H

#include "algebra/chip.h"

extern const struct chip_family host_family;
extern const layout_tiling_target host_tiling[];
extern const struct cpu_facts host_cpu;

#endif
