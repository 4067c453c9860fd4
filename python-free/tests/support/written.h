/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linear layouts as plain lists of bases, and what they mean by the definition. */
#ifndef TESTS_SUPPORT_WRITTEN_H
#define TESTS_SUPPORT_WRITTEN_H

#include <layout/layout.h>

#define MAX_RANK 16
#define MAX_BASES 64
#define MAX_LINE 20000

/* A layout as triton.tsv writes it: "register=0,1;2,0|lane=->dim0:4,dim1:2". */
struct written {
	char text[MAX_LINE];	/* what the names point into */
	layout_size ins[MAX_RANK], outs[MAX_RANK];
	unsigned in_count, out_count, bits;
	int64_t bases[MAX_BASES * MAX_RANK];
};

/* Entry after entry of a list that may be empty: NULL at its end. */
char *next_entry(char **list, const char *separator);

/* False where a size is no power of two: an "npot" row. */
bool read_written(struct written *w, const char *text);

layout_linear *linear_of(layout_context *ctx, const struct written *w);

/* The image by the definition: XOR of the bases of the set bits. */
void image_of(const struct written *w, const int64_t *point, int64_t *image);

/* Is "linear" from and to what "w" has, with the same images?  All points are looked at,
 * or a few thousand of them. */
bool is_written(layout_linear *linear, const struct written *w);

#endif
