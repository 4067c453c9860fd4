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

#endif
