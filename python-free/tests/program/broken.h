/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TESTS_PROGRAM_BROKEN_H
#define TESTS_PROGRAM_BROKEN_H

void test_broken(void **state);

#endif
