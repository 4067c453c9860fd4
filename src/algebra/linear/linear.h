/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linear layouts from the inside: names around a function over F2. */
#ifndef LAYOUT_ALGEBRA_LINEAR_H
#define LAYOUT_ALGEBRA_LINEAR_H

#include "algebra/f2/f2.h"
#include <layout/value.h>

_Static_assert(LAYOUT_LINEAR_BITS == F2_BITS, "what users are told is what there is");

/* Names in the order of f2's coordinates, part of the same allocation; the constant
 * of "f2" is 0. */
struct layout_linear {
	layout_context *ctx;
	struct f2 *f2;
	const char **ins, **outs;
};

/* One side of a layout while it is put together; the names are borrowed. */
struct linear_side {
	unsigned count;
	const char *names[LAYOUT_LINEAR_RANK];
	unsigned widths[LAYOUT_LINEAR_RANK];
};

struct linear_side linear_ins(const layout_linear *linear);
struct linear_side linear_outs(const layout_linear *linear);

/* Both, for what is done to either; and the word for one of each. */
enum { LINEAR_INS, LINEAR_OUTS, LINEAR_SIDES };
void linear_sides(const layout_linear *linear, struct linear_side sides[LINEAR_SIDES]);
extern const char *const linear_words[LINEAR_SIDES];

/* The place of a name, or -1. */
int linear_find(const struct linear_side *side, const char *name);

/* The bits of a name; 0 where there is none. */
unsigned linear_width(const struct linear_side *side, const char *name);

/* Append a name; false, with the error on the context, where there are too many. */
bool linear_append(layout_context *ctx, struct linear_side *side, const char *name,
	unsigned width);

/* The places in "side" of names that a user gave.  False, with the error on the
 * context, where one is missing or twice; "what" is "input" or "output". */
bool linear_places(layout_context *ctx, const struct linear_side *side,
	const char *const *names, unsigned count, const char *what, unsigned *places);

/* Sizes that a user gave as a side; false with all that is wrong with them on the
 * context. */
bool linear_side_of(layout_context *ctx, const layout_size *sizes, unsigned count,
	struct linear_side *side);

/* The bits of a size; LAYOUT_ERROR_INVALID where it is no power of two up to 2^62. */
bool linear_bits(layout_context *ctx, const char *name, int64_t size, unsigned *bits);

/* The layout that is 0 everywhere, to be filled in; names must be checked. */
layout_linear *linear_begin(layout_context *ctx, const struct linear_side *ins,
	const struct linear_side *outs);

/* The same with the sides that "join" makes of those of two layouts, or NULL where it
 * fails. */
layout_linear *linear_begin_of(const layout_linear *a, const layout_linear *b,
	bool (*join)(layout_context *ctx, const struct linear_side *a,
		const struct linear_side *b, const char *what, struct linear_side *side));

/* The layout of these names around "f2", which is consumed and has their widths. */
layout_linear *linear_around(layout_context *ctx, const struct linear_side *ins,
	const struct linear_side *outs, struct f2 *f2);

/* XOR the column "from_bit" of "from" into the column "to_bit" of "to": output i of
 * "from" goes to output places[i] of "to", shifts[i] bits higher; -1 leaves it out.
 * "shifts" may be NULL. */
void linear_add_column(struct f2 *to, unsigned to_bit, const struct f2 *from,
	unsigned from_bit, const int *places, const unsigned *shifts);

/* What one output takes, all inputs together: vectors of one word. */
struct f2_span;
void linear_span_output(struct f2_span *span, const layout_linear *linear, unsigned out);

/* The inputs and outputs of these names and the bases between them; all are the
 * layout's own.  Keeps "linear". */
layout_linear *linear_part(const layout_linear *linear, const struct linear_side *ins,
	const struct linear_side *outs);

/* Where the names of "a" are in "b"; -1 where they are not. */
void linear_match(const struct linear_side *a, const struct linear_side *b, int *places);

/* The same names on both sides, in any order; else LAYOUT_ERROR_SPACE, where "a_what"
 * and "b_what" say what they are. */
bool linear_meet(layout_context *ctx, const struct linear_side *a, const char *a_what,
	const struct linear_side *b, const char *b_what);

/* The layout with its outputs in the order of "like", which has the same names.
 * Consumes "linear". */
layout_linear *linear_arrange_outs(layout_linear *linear, const struct linear_side *like);

/* Do the outputs of both have the same names?  Then "*from" gets them in the order of
 * "by"; it is consumed where it is changed. */
bool linear_align(const layout_linear *by, layout_linear **from);

/* R with by(R(x)) = from(x), free bits 0, of layouts that are aligned.  Keeps both. */
layout_linear *linear_solve(const layout_linear *by, const layout_linear *from);

/* "[0, 1, 2]" for messages: at most 200 bytes, cut short with "..". */
struct linear_text {
	char text[200];
};
struct linear_text linear_point_text(const int64_t *point, unsigned rank);
struct linear_text linear_side_text(const struct linear_side *side);

/* { [thread, value] -> [x..] } of a layout of registers, lanes and warps, with how many
 * lanes a warp has; of another its relation. */
layout_relation *linear_by_threads(layout_linear *linear, int64_t *lanes);

/* Visit the pairs in the notation's order until "visit" returns false; false on an
 * error. */
bool linear_for_each(layout_linear *linear, layout_visit_pair visit, void *user);

#endif
