/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The rows of encodings.tsv. */
#ifndef LAYOUT_TESTS_ENCODING_ROWS_H
#define LAYOUT_TESTS_ENCODING_ROWS_H

#include <stddef.h>

/* Columns that tests look at; what a row does not state is "-". */
enum encoding_column {
	ROW_ID, ROW_TARGET, ROW_OVERRIDES, ROW_KIND, ROW_OP_TYPE, ROW_ELEMENT_TYPES,
	ROW_OPERAND, ROW_ORIGINAL_TYPE, ROW_SIZES, ROW_MAPS, ROW_SHAPE, ROW_ELEMENT,
	ROW_OUTER_PERM, ROW_INNER_POS, ROW_INNER_TILES, ROW_EXPANDED, ROW_PERM,
	ROW_PACKED, ROW_INTRINSIC, ROW_INTRINSICS_M, ROW_SUBGROUPS_M, ROW_INTRINSICS_N,
	ROW_SUBGROUPS_N, ROW_INTRINSICS_K, ROW_SUBGROUPS_K, ROW_INTERLEAVE_M,
	ROW_INTERLEAVE_N, ROW_INTERLEAVE_K,
	ROW_COLUMNS,
};

struct encoding_row {
	const char *fields[ROW_COLUMNS];
};

/* Call "visit" for each row; returns how many there were. */
typedef void (*encoding_row_visit)(const struct encoding_row *row, void *user);
unsigned each_encoding_row(encoding_row_visit visit, void *user);

/* The row's encoding in IREE's notation. */
#define ENCODING_TEXT 4096
void encoding_row_text(const struct encoding_row *row, char text[ENCODING_TEXT]);

/* "2x1x?" into numbers, -1 for "?"; returns how many. */
unsigned encoding_row_shape(const char *text, long shape[16]);

#endif
