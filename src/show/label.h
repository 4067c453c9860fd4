/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The words of a picture: what stands in a cell, and what is said about it. */
#ifndef LAYOUT_SHOW_LABEL_H
#define LAYOUT_SHOW_LABEL_H

#include "show/color.h"
#include "show/picture.h"

#define SHOW_LABEL 96

/* What stands in a cell, in one line or two: "T12" and "r3", "37", "(3, 4)", "T0" and
 * "r3+1" where one more place holds it, "12" for the bank, "" for a cell without an element and "-" for an
 * element without a place. */
struct show_label {
	char line[2][SHOW_LABEL];
};
struct show_label show_label_of(const struct show_picture *picture, size_t element);

/* Do other lanes want another word of the element's bank at the same time?  Its label ends
 * in "!". */
bool show_in_conflict(const struct show_picture *picture, size_t element);

/* The same in one line, "T12:r3". */
void show_label_join(const struct show_label *label, char text[2 * SHOW_LABEL]);

/* Everything about an element: "(3, 4): T12:r3 (lane 12, register 3)", with up to
 * SHOW_PLACES places. */
#define SHOW_PLACES 8
void show_describe(struct layout_buffer *out, const struct show_picture *picture,
	size_t element);

/* The number at a row or a column: "T3" and "r1" where these are threads and registers,
 * and the first element of a line of one dimension. */
void show_row_name(const struct show_picture *picture, int64_t row,
	char text[SHOW_LABEL]);
void show_column_name(const struct show_picture *picture, int64_t column,
	char text[SHOW_LABEL]);

/* The slice as "[2, :, :]"; "" where there are none. */
void show_slice_name(const struct show_picture *picture, int64_t slice,
	char text[SHOW_LABEL]);

/* "8 x 16 elements, 64 lanes of 2 registers, colored by lane" */
void show_summary(struct layout_buffer *out, const struct show_picture *picture,
	const struct show_coloring *coloring);

#endif
