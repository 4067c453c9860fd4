/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tests that run programs: a command line in, its output and status out. */
#ifndef TESTS_SUPPORT_SHELL_H
#define TESTS_SUPPORT_SHELL_H

/* Run a command made as by printf in the shell.  Returns its standard output
 * and error together, to be freed; "status" receives the exit status, or 128
 * plus the signal. */
char *shell_output(int *status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same, failing the test with the output where the status is not 0. */
char *shell_must(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The name of a new folder, to be freed; and remove it with all in it. */
char *shell_folder_new(void);
void shell_folder_remove(char *folder);

/* A whole file with a 0 byte after it, to be freed; fails the test without. */
char *shell_read(const char *path);
void shell_write(const char *path, const char *text);

#endif
