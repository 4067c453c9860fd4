/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs with memory for their arguments. */
#ifndef TESTS_SUPPORT_PROGRAM_DATA_H
#define TESTS_SUPPORT_PROGRAM_DATA_H

#include "algebra/storage/element.h"
#include "support/storage_model.h"

#include <layout/program.h>

enum { DATA_ARGUMENTS = 32, DATA_SIZES = 12 };

/* A program, numbers for its sizes, and memory for each argument, aligned to a cache line
 * and as large as its storage, with a byte of 0xa5 wherever nothing was set. */
struct program_data {
	layout_context *ctx;
	layout_program *program;
	unsigned size_count, count;
	layout_size sizes[DATA_SIZES];
	layout_buffer_argument buffers[DATA_ARGUMENTS];
	const struct element_type *type[DATA_ARGUMENTS];
};

/* "sizes" are as many numbers as the program has sizes; the test fails on any error. */
struct program_data program_data_new(layout_context *ctx, const char *text,
	const int64_t *sizes);
void program_data_free(struct program_data *data);

/* The same memory again. */
struct program_data program_data_copy(const struct program_data *data);

/* The argument of that name. */
unsigned program_data_find(const struct program_data *data, const char *name);

/* Element "e" of memory, as bits and as a number that is exact. */
uint64_t program_data_bits(const struct program_data *data, unsigned argument, int64_t e);
double program_data_get(const struct program_data *data, unsigned argument, int64_t e);
void program_data_set_bits(const struct program_data *data, unsigned argument, int64_t e,
	uint64_t bits);
void program_data_set(const struct program_data *data, unsigned argument, int64_t e,
	double value);

/* Elements from a list of numbers, "1 2.5 nan", one after the other in memory; are they
 * these, and nothing behind them?  NaN is any NaN. */
void program_data_fill(const struct program_data *data, unsigned argument,
	const char *list);
void program_data_expect(const struct program_data *data, unsigned argument,
	const char *list);

/* Small numbers for all elements of all arguments: from -2, or where there is no sign from 0,
 * to 2 or 4. */
void program_data_random(const struct program_data *data, uint64_t *seed);

/* "head", "body" without its "^" and "tail" are no program: the error is that and lies at the "^". */
void program_refused(const char *head, const char *body, const char *tail, layout_error kind,
	const char *message);

/* The text of an example, "softmax", to be freed. */
char *program_example(const char *name);

/* A test's context, as its state; freed without leaks, or the test fails. */
int program_context_new(void **state);
int program_context_free(void **state);

/* Evaluate; the test fails on errors. */
void program_data_eval(const struct program_data *data);

#endif
