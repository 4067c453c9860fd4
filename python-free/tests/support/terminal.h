/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tests of what a program does on a terminal. */
#ifndef TESTS_SUPPORT_TERMINAL_H
#define TESTS_SUPPORT_TERMINAL_H

/* Run a command in the shell on a pseudo-terminal of its own, and type "typed" there.
 * Returns all that it showed, typed text and carriage returns too, to be freed; fails the
 * test where it does not end within a minute.  "status" receives the exit status. */
char *terminal_run(const char *command, const char *typed, int *status);

/* What is typed once "after" is there, behind what "after" was before; the last is empty. */
struct terminal_step {
	const char *after, *typed;
};

/* The same, typed step by step into a program that edits lines. */
char *terminal_talk(const char *command, const struct terminal_step *steps, int *status);

#endif
