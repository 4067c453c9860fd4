/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Random layouts as texts of four notations, and the same layout as a text of another
 * notation where its making says that there is one. */
#ifndef LAYOUT_TESTS_LAYOUT_RANDOM_H
#define LAYOUT_TESTS_LAYOUT_RANDOM_H

#include "support/nested_model.h"
#include "support/random.h"

/* Room for a layout's text; its points are some hundreds at most. */
enum { LAYOUT_TEXT = 4096 };

/* "binary": sizes and strides are powers of two, and no two bits of the input move the
 * same bit of the offset.  Else sizes like 3 and 6, strides like 3 and 5, -1, 0, or any
 * of them; now and then behind a swizzle. */
void random_cute(uint64_t *seed, bool binary, char text[LAYOUT_TEXT]);

/* "binary": each bit of the inputs moves a bit of the outputs of its own, or none.  Else
 * the bases are any, so that bits meet in an XOR. */
void random_linear(uint64_t *seed, bool binary, char text[LAYOUT_TEXT]);

/* A function of its threads and places, strides a chain with gaps, all of it powers of
 * two if "binary". */
struct model random_nested(uint64_t *seed, bool binary, unsigned most_rank);

/* The tile or the whole of a tensor, sizes that are no multiple of their tiles unless
 * "binary". */
void random_encoding(uint64_t *seed, bool binary, char text[LAYOUT_TEXT]);

/* A binary nested layout as linear<{register, lane, warp}>; and one of rank 1 as a CuTe
 * layout of (thread, value). */
void nested_as_linear(const struct model *nested, char text[LAYOUT_TEXT]);
void nested_as_cute(const struct model *nested, char text[LAYOUT_TEXT]);

#endif
