/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts of four notations as functions of points, read from their text alone and
 * evaluated by plain arithmetic: how a layout prints is tested with what it is. */
#ifndef LAYOUT_TESTS_LAYOUT_MODEL_H
#define LAYOUT_TESTS_LAYOUT_MODEL_H

#include "support/cute_text.h"
#include "support/nested_model.h"

#include <layout/value.h>

/* Coordinates of a point, bits of a linear layout, and parts of an encoding, at most. */
enum { POINT_RANK = 32, POINT_BITS = 32 };

/* name = bases, the bits of all inputs one after the other */
struct linear_parts {
	char in_name[POINT_RANK][32], out_name[POINT_RANK][32];
	int64_t bases[POINT_BITS][POINT_RANK];
};

/* Tensor dimension d has tile tile[d]; slot i < rank is the quotient of dimension
 * outer[i], the next ones are floor(x / step) mod radix of dimension dim. */
struct encoding_parts {
	int64_t tile[POINT_RANK], outer[POINT_RANK];
	unsigned dim[POINT_RANK];
	int64_t step[POINT_RANK], radix[POINT_RANK];
};

/* A function on the box in[0] x in[1] x .., images in the box out[0] x ..  A CuTe layout
 * has one input, the linear coordinate, and "modes" says the sizes of its top level. */
struct layout_model {
	layout_notation notation;
	unsigned in_rank, out_rank, mode_count;
	int64_t in[POINT_RANK], out[POINT_RANK], modes[POINT_RANK];
	struct cute_text cute;
	struct model nested;
	struct linear_parts linear;
	struct encoding_parts encoding;
};

/* Read what the notation prints: "(4,8):(8,1)", "nested_layout<..>", "linear<..>" or
 * "packed(encoding_info<..>, [4, 8])".  False if it is none of these. */
bool layout_model_read(const char *text, struct layout_model *model);

/* The image of a point; false where it has several, as in a nested layout whose threads
 * hold all of a tile. */
bool layout_model_at(const struct layout_model *model, const int64_t *in,
	int64_t *image);

/* The number of a point in a box, and back: the first coordinate fastest (colex), or the
 * last (lex). */
int64_t box_size(const int64_t *sizes, unsigned rank);
int64_t colex_number(const int64_t *sizes, unsigned rank, const int64_t *point);
int64_t lex_number(const int64_t *sizes, unsigned rank, const int64_t *point);
void colex_point(const int64_t *sizes, unsigned rank, int64_t number, int64_t *point);
void lex_point(const int64_t *sizes, unsigned rank, int64_t number, int64_t *point);

#endif
