/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A folder that the tests of a program work in, from before the first to behind the last. */
#ifndef TESTS_SUPPORT_FOLDER_H
#define TESTS_SUPPORT_FOLDER_H

extern char *folder;

/* Around a group of tests: make it, and remove it with all in it. */
int folder_open(void **state);
int folder_close(void **state);

/* The path of a file there, until the next call. */
const char *folder_path(const char *name);

#endif
