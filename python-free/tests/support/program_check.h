/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs as kernels, in the simulator, against what they mean. */
#ifndef TESTS_SUPPORT_PROGRAM_CHECK_H
#define TESTS_SUPPORT_PROGRAM_CHECK_H

#include "support/program_data.h"

#include <layout/codegen.h>

enum { PROGRAM_CHECK_MOST = 8 };

/* Run a program, the same at several sizes, on targets, and evaluate it: the test fails
 * where numbers differ by more than "bound" of the larger one, or of 1.  With sanitizers
 * each program is for some of the targets, see support/share.h. */
void program_check_all(const struct program_data *data, unsigned count,
	const char *const *targets, unsigned target_count, double bound);

/* The same at one size. */
void program_check(const struct program_data *data, const char *target, double bound);

/* All sizes of a kernel for a target that is there already, where numbers are exact. */
void program_check_kernel(const struct program_data *data, unsigned count,
	layout_kernel *kernel, const char *target);

#endif
