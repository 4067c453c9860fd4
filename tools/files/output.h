/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files that are written whole or not at all. */
#ifndef TOOLS_FILES_OUTPUT_H
#define TOOLS_FILES_OUTPUT_H

#include "files/complaint.h"

#include <stddef.h>

struct piece {
	const void *data;
	size_t size;
};

/* Write the pieces, one after the other, as the file "path"; "-" is standard
 * output.  A regular file is replaced by renaming a temporary one of the same
 * folder, so on failure what was there before is still there. */
bool output_write(const char *path, const struct piece *pieces, unsigned count,
	struct complaint *complaint);

/* Are both names of one file, or would they be?  Standard output is none. */
bool output_is_same(const char *a, const char *b);

/* A file that is written by way of the memory that it is: what the machine has no room for
 * goes to the disk. */
struct output {
	char *temporary, *path;
	int file;
	void *map;		/* its bytes, all 0 at first; NULL: there is no such file */
	size_t size;
};

/* Begin one that is to replace "path", as output_write() would; without a map where that does
 * not replace a file, or has no room for it.  False with a complaint and nothing begun.  There is one at a time,
 * and a signal that ends the command removes it. */
bool output_begin(struct output *output, const char *path, size_t size,
	struct complaint *complaint);

/* Replace the file by it; or forget it.  Both do nothing without a map. */
bool output_finish(struct output *output, struct complaint *complaint);
void output_drop(struct output *output);

#endif
