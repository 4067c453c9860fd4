/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The header of a .npy file: magic, version, length, and a Python dict. */
#ifndef TOOLS_FILES_NPY_HEADER_H
#define TOOLS_FILES_NPY_HEADER_H

#include "files/npy.h"

/* Read the header in the first bytes of a file.  Fills in kind, element_bytes,
 * fortran, rank and shape; "start" is where the elements begin, and "foreign"
 * says that their bytes are the other way round. */
bool npy_header_read(struct npy *array, const unsigned char *file, size_t size,
	size_t *start, bool *foreign, struct complaint *complaint);

/* The header of "array", padded so that the elements are aligned; freed by the
 * caller, NULL without memory. */
char *npy_header_write(const struct npy *array, size_t *length);

#endif
