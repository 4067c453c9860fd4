/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tests that need what is not there.  CTest reports a program as skipped that skipped one of
 * its tests and failed none, and scripts/test says why. */
#ifndef TESTS_SUPPORT_SKIP_H
#define TESTS_SUPPORT_SKIP_H

/* End the test here, for a reason as by printf: "there is no Chromium". */
_Noreturn void skip_because(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What main() returns, of what cmocka_run_group_tests() did: that, or 77 where nothing
 * failed and a test was skipped. */
int skip_status(int failed);

#endif
