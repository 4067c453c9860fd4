/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of the evaluator: what a program means, point by point.
 *
 * A tile is an array of its box, row-major, of elements as bits.  Nothing here knows of
 * owners, waves or lanes. */
#ifndef LAYOUT_PROGRAM_EVAL_H
#define LAYOUT_PROGRAM_EVAL_H

#include "algebra/digits/digit.h"
#include "program/program.h"

/* A memory with numbers for its sizes: element x of the tensor is at offset sum of
 * pitch[k] * slot k, where slot k is a digit of x, twisted. */
struct eval_memory {
	const layout_memory *memory;
	const layout_storage *storage;
	unsigned char *base;
	int64_t bytes;			/* of an argument */
	unsigned char *once;		/* a bit an element: those that were promised to be */
					/* stored to once, and were; NULL: none yet */
	int64_t size[PROGRAM_RANK];
	struct digit part[PROGRAM_RANK];
	int64_t pitch[PROGRAM_RANK];
};

/* "vars" are the program's variables, by number; "tiles" the values, by number. */
struct eval {
	layout_program *program;
	int64_t *vars;
	struct eval_memory *memories;
	uint64_t **tiles;
};

/* Numbers for the sizes, and the buffer of that name; false with the error on the
 * context where it is missing or too small. */
bool eval_memory_find(struct eval_memory *to, const layout_memory *memory,
	const layout_size *sizes, unsigned size_count,
	const layout_buffer_argument *buffers, unsigned buffer_count);

/* The same without a buffer, of a storage. */
bool eval_memory_place(struct eval_memory *to, layout_storage *storage,
	const layout_size *sizes, unsigned count);

/* Is x an element, and where is it? */
bool eval_memory_has(const struct eval_memory *memory, const int64_t *x);
int64_t eval_memory_offset(const struct eval_memory *memory, const int64_t *x);

/* An expression with the variables' values; false on overflow, which is on the context. */
bool eval_index(const struct eval *eval, const struct program_index *index,
	int64_t *value);

/* The comparison of two numbers: less, equal or greater (-1, 0, 1), or 2 for a NaN. */
int eval_order(const struct element_type *type, uint64_t a, uint64_t b);

/* One operation on elements of a type, of which comparisons give an i1; there are none of
 * operands, numbers, indices and casts. */
uint64_t eval_apply(enum map_op op, const struct element_type *type, const uint64_t *a);

/* The expression on one element of each operand. */
uint64_t eval_map(const struct eval *eval, const struct map_node *node,
	const uint64_t *operands);

/* Set the value of a tile, or store one; false with the error on the context. */
bool eval_tile(struct eval *eval, const layout_tile *tile);
bool eval_store(struct eval *eval, const struct program_statement *statement);

#endif
