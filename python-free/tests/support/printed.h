/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TESTS_SUPPORT_PRINTED_H
#define TESTS_SUPPORT_PRINTED_H

/* The test fails unless the expression is printed so, or has this message. */
void expect_printed(const char *expression, const char *text);

#endif
