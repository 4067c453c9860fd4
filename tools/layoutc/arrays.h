/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arrays of a run: what those that are read say about the sizes, and whether they
 * fit their storages; what those that are written are to be. */
#ifndef LAYOUTC_ARRAYS_H
#define LAYOUTC_ARRAYS_H

#include "files/npy.h"
#include "layoutc/arguments.h"

#include <layout/storage.h>

/* One memory of a run. */
struct memory {
	const char *of, *name;		/* "remap", "source": for complaints */
	layout_storage *storage;
	const char *type;
	unsigned bits;			/* of an element */
	bool counts;			/* its integers have a sign */
	bool alone;			/* the only one that is written */
	struct npy array;
};

/* The sizes that are known: of -D and of arrays.  Names are borrowed. */
struct job {
	layout_context *ctx;
	const struct arguments *arguments;
	layout_size *sizes;
	unsigned size_count;
};

/* Begin with the sizes of -D; "memories" may say as many as their ranks.  0, or the exit
 * status after a complaint, as all below.  Free with job_release(), also on failure. */
int job_open(struct job *job, const struct memory *memories, unsigned count);
void job_release(struct job *job);

/* Read a memory's array from a file, and the sizes that its shape determines. */
int memory_read(struct job *job, struct memory *memory, const char *path);

/* Are all of them known?  "name" has the i-th that is needed; NULL past the last. */
int job_check(const struct job *job, const char *(*name)(void *of, unsigned i), void *of);

/* Then: put the array that was read into the storage's order. */
int memory_fit(struct job *job, struct memory *memory, const char *path);

/* Make an array to be written, whose elements are of this kind if that is one for the
 * type, and whose gaps hold "pad". */
int memory_make(struct job *job, struct memory *memory, char kind, uint64_t pad,
	const char *path);

#endif
