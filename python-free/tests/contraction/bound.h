/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TESTS_CONTRACTION_BOUND_H
#define TESTS_CONTRACTION_BOUND_H

void test_bound(void **state);
void test_narrow(void **state);

#endif
