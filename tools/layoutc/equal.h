/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUTC_EQUAL_H
#define LAYOUTC_EQUAL_H

#include "layoutc/report.h"
#include "layoutc/subject.h"

/* layoutc equal --up-to-k: LHS, RHS, LHS, RHS; the exit status. */
int compare_up_to_k(layout_context *ctx, const struct subject subjects[]);

#endif
