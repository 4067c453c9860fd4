/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The one temporary file there is: a signal that ends the command removes it first. */
#ifndef TOOLS_FILES_PENDING_H
#define TOOLS_FILES_PENDING_H

#include <stddef.h>

/* From now on, until pending_end(), the file is removed where a signal ends the command; a
 * limit of a file's size is an error of write() instead.  The name is borrowed. */
void pending_begin(const char *path);
void pending_end(void);

/* For handlers of signals: remove it, write the message to standard error, and exit. */
void pending_exit(const char *message, size_t length, int status);

/* Where a mapped file is cut short, or cannot be read, say so and exit with 4, instead of
 * ending by SIGBUS. */
void pending_explain_cut_files(void);

#endif
