/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TOOLS_FILES_OPEN_H
#define TOOLS_FILES_OPEN_H

#include "files/complaint.h"

/* Open a file to be read, or one that exists to be written in place; -1 after a complaint.
 * A named pipe that nobody opens at its other end within PIPE_SECONDS is one. */
#define PIPE_SECONDS 5
int open_to_read(const char *path, struct complaint *complaint);
int open_to_write(const char *path, struct complaint *complaint);

#endif
