/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TESTS_SUPPORT_CHILDREN_H
#define TESTS_SUPPORT_CHILDREN_H

/* As shells say it, of what "work" does in a process of its own: its exit status, 0 where
 * it returns, or 128 and the signal that it died by. */
int child_status(void (*work)(void));

#endif
