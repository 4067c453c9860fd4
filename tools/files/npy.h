/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numpy's .npy files, versions 1 to 3, of elements of 1, 2, 4 or 8 bytes. */
#ifndef TOOLS_FILES_NPY_H
#define TOOLS_FILES_NPY_H

#include "files/complaint.h"
#include "files/output.h"

#include <stddef.h>
#include <stdint.h>

#define NPY_MAX_RANK 64
#define NPY_ALIGN 64

struct npy {
	char kind;		/* b i u f V: bool, signed, unsigned, float, raw; f of 1 */
				/* byte is ml_dtypes' float8_e5m2, its others are raw */
	unsigned element_bytes;
	bool fortran;		/* the first index is the fastest */
	unsigned rank;
	int64_t shape[NPY_MAX_RANK];

	/* The elements in this machine's byte order, aligned to NPY_ALIGN. */
	void *data;
	size_t bytes;

	void *map;		/* the memory that "data" points into */
	size_t map_bytes;
	struct output output;	/* or the file */
};

/* Read the file "path", "-" for standard input.  A file in this machine's byte
 * order is mapped, not copied.  Free with npy_release(), also after failure. */
bool npy_read(struct npy *array, const char *path, struct complaint *complaint);

/* Give "array", whose kind, element_bytes, fortran, rank and shape are set,
 * memory for its elements; zeroed. */
bool npy_allocate(struct npy *array, struct complaint *complaint);

/* The same for an array that is written to "path" and nowhere else: a large one is made in its
 * file, so that it need not fit into memory. */
bool npy_create(struct npy *array, const char *path, struct complaint *complaint);

/* Turn a C-ordered array into a Fortran-ordered one of the same elements, or
 * back: the memory changes, what each index finds does not. */
bool npy_reorder(struct npy *array, struct complaint *complaint);

/* Write as version 1, or 2 where the header is too long for that. */
bool npy_write(struct npy *array, const char *path, struct complaint *complaint);

void npy_release(struct npy *array);

/* Elements in all; false on overflow. */
bool npy_count(const struct npy *array, int64_t *count);

/* numpy's name of the element type, "<f4", in "text". */
void npy_type_str(const struct npy *array, char text[8]);

#endif
