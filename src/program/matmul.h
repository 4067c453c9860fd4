/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A product of two tensors as a program: the sum of A * B over the sizes that C does not
 * have, then an expression on the sums and other tensors. */
#ifndef LAYOUT_PROGRAM_MATMUL_H
#define LAYOUT_PROGRAM_MATMUL_H

#include "program/build.h"

enum { MATMUL_A, MATMUL_B, MATMUL_FACTORS };

/* Letters of the tensors' dimensions, one for each name of a size, and what the tiles have
 * most of: the last of those that A and C have, B and C, and A and B. */
enum { MATMUL_NAME = 16 };
struct matmul_letter {
	const char *size;
	char name[MATMUL_NAME];
	bool summed, one, lone;		/* its size is 1; and of none of A, B and C */
};

struct matmul_operand {
	char *name, *type;
	layout_storage *storage;
	struct program_sight *sight;	/* whose coordinates are called like sizes; or NULL */
	unsigned rank, letters[PROGRAM_RANK];
};

/* "operands" are A, B, what the expression takes besides, and C, by whose name it has the
 * sum; NULL: it is the sum. */
struct matmul {
	layout_context *ctx;
	unsigned count;
	struct matmul_operand operands[PROGRAM_OPERANDS];
	char *epilogue;
	long epilogue_at;		/* in the text */
	unsigned letter_count;
	struct matmul_letter letters[PROGRAM_RANK];
	int main[3];			/* -1: there is none */
};

/* What a workgroup has of the main letters, its waves along the first two, and how factors
 * come: straight from memory, or through the LDS in so many stages; "turned" to have the
 * summed letter last there. */
struct matmul_shape {
	int64_t tile[3], waves[2];
	unsigned stages;
	bool turned[MATMUL_FACTORS];
};

/* Match the dimensions by their sizes, or where a matrix has one twice by place, [m, k] times [k, n];
 * false with the error on the context. */
bool matmul_match(struct matmul *matmul);
void matmul_free(struct matmul *matmul);

/* Does the factor's memory end in a letter that is not summed? */
LAYOUT_INTERNAL bool matmul_is_turned(const struct matmul *matmul, unsigned factor)
	LAYOUT_SYMBOL(matmul_is_turned);

/* The type of the sums. */
const char *matmul_sum_type(const struct matmul *matmul);

/* The program of a shape; NULL with the error on the context.  That which is read is of a
 * shape that any target can have, and keeps the product: from it, other shapes follow. */
LAYOUT_INTERNAL layout_program *matmul_program(const struct matmul *matmul,
	const struct matmul_shape *shape) LAYOUT_SYMBOL(matmul_program);
layout_program *matmul_new_program(struct matmul *matmul);

#endif
