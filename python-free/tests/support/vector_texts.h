/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of the vectors, split at their tabs, as texts of our notations.  The fields are cut
 * to pieces where the row is printed behind what is in "text", which has room for "size"
 * bytes. */
#ifndef LAYOUT_TESTS_VECTOR_TEXTS_H
#define LAYOUT_TESTS_VECTOR_TEXTS_H

#include <stddef.h>

/* encoding_choice.tsv: an operand of the row's product, M x N by a K that is not known. */
void choice_operand_text(const char *types, const char *sizes, unsigned operand, char *text,
	size_t size);

/* encodings_swizzles.tsv: packed(encoding_info<{..}>, [S0, S1, ..]), from the lists of the
 * columns; without a swizzle where "parts" is NULL. */
void packed_text(const char *dims, const char *tiles, const char *outer, char *parts,
	const char *permutation, char *text, size_t size);

/* dma.tsv: a copy of the row's shapes to the LDS, whose object is given as rows, or with its
 * swizzle; what gathers does so by an index that is 0. */
enum { DMA_COLUMNS = 15 };
void direct_copy_text(char *const *columns, char *text, size_t size);

/* triton.tsv: an encoding, "enc=dot opIdx=0 parent=(enc=mfma ..)", as MLIR; stops behind the
 * ")" that closes it. */
const char *triton_text(const char *from, char *text, size_t size);

#endif
