/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Before all else in a test that is linked with others into one program, mains.c.in: its main()
 * has a name of its own there. */
int TEST_MAIN(void);
#define main TEST_MAIN
