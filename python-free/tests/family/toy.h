/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A made-up family of one chip, with waves of 16 lanes. */
#ifndef LAYOUT_TEST_TOY_H
#define LAYOUT_TEST_TOY_H

#include "algebra/chip.h"
#include "lower/target.h"

extern const struct chip_family toy_family;
extern const struct target_hooks toy_target;

#endif
