/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gaussian elimination: which columns are sums of which others. */
#ifndef LAYOUT_ALGEBRA_F2_SPAN_H
#define LAYOUT_ALGEBRA_F2_SPAN_H

#include "algebra/f2/f2.h"

/* Independent vectors.  A row is a vector and, behind it, which members it is the sum
 * of; its pivot is a bit that no other row has.  On the stack: touches as much of it
 * as the vectors need. */
struct f2_span {
	unsigned words, source_words;
	unsigned count;
	uint16_t pivots[F2_BITS];
	uint64_t rows[(F2_BITS + 1) * 2 * F2_WORDS];
};

/* No vector yet; members are numbered below "sources". */
void f2_span_begin(struct f2_span *span, unsigned words, unsigned sources);

/* Row i; the next row as 0, to be filled in with a vector, at most one at a time; and the
 * part of a row behind its vector. */
uint64_t *f2_span_at(struct f2_span *span, unsigned i);
uint64_t *f2_span_row(struct f2_span *span);
uint64_t *f2_span_sources(const struct f2_span *span, uint64_t *row);

/* Take out of a row what the vectors span: true where nothing of the vector is left,
 * so that it was the sum of the members that the row now names. */
bool f2_span_reduce(const struct f2_span *span, uint64_t *row);

/* Add the vector of f2_span_row() as member "source".  False where it depends on the
 * others, and then it is not added: the row names the members whose sum, with
 * itself, is 0. */
bool f2_span_add(struct f2_span *span, unsigned source);

/* The same of the column of an input bit of "f2", as member "bit". */
bool f2_span_add_column(struct f2_span *span, const struct f2 *f2, unsigned bit);

/* Begin with all columns of "f2", the lowest bit first, those that depend on others
 * left out. */
void f2_span_columns(struct f2_span *span, const struct f2 *f2);

#endif
