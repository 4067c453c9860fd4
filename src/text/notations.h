/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The readers of the notations, each at a cursor: what layout_<type>_parse() does
 * for a whole text, and expressions for a part of one.  NULL with the error on
 * the context; the cursor stays behind what was read. */
#ifndef LAYOUT_TEXT_NOTATIONS_H
#define LAYOUT_TEXT_NOTATIONS_H

#include "algebra/size/text.h"
#include "text/profile.h"

#include <layout/value.h>

/* An expression at the cursor. */
layout_value *text_expression(struct text_cursor *cursor);

/* What says here what others say by the name at the cursor; NULL: it is not known. */
const char *text_said_here(const struct text_cursor *cursor);

/* Does a literal of that notation begin at the cursor? */
bool text_at_chain(const struct text_cursor *cursor);
bool text_at_affine_map(const struct text_cursor *cursor);
bool text_at_isl(const struct text_cursor *cursor);

layout_encoding *text_encoding(struct text_cursor *cursor);
layout_storage *text_storage(struct text_cursor *cursor);
layout_chain *text_chain(struct text_cursor *cursor);
layout_triton *text_triton(struct text_cursor *cursor);

/* Is it the name of an encoding, "#ttg.NAME", whatever dialect it is said to be of? */
bool text_at_triton_name(const struct text_cursor *cursor, const char *name);
layout_swizzle *text_swizzle(struct text_cursor *cursor);
layout_relation *text_affine_map(struct text_cursor *cursor);

/* "affine_map<..>", or the name of one, which has to be defined before it is used. */
layout_relation *text_affine_map_named(struct text_cursor *cursor);

/* "{indexing_maps = [#map, ..], ..}" of an operation: its maps, at most TEXT_LIST_LIMIT, to be
 * freed where it fails, too. */
bool text_indexing_maps(struct text_cursor *cursor, layout_relation **maps, unsigned *count);

/* map_store or map_load with its body, and the values before it; the relation from indices of
 * the source to those of the result. */
bool text_at_map_store(const struct text_cursor *cursor);
layout_relation *text_map_store(struct text_cursor *cursor);

/* One target; and does MLIR say one at the cursor, or by the name there? */
layout_tiling_target *text_tiling_target(struct text_cursor *cursor);
bool text_at_target_said(const struct text_cursor *cursor);

/* The encoding of an operand that has been resolved, with "layouts = [..]": as an encoding it
 * is what is in there. */
bool text_at_resolved(const struct text_cursor *cursor);

/* A verbose encoding, or the type of a tensor that has one. */
bool text_at_operand(const struct text_cursor *cursor);
layout_operand *text_operand(struct text_cursor *cursor);

/* "Sw<3,4,3>", with 0 as its offset. */
bool text_cute_swizzle(struct text_cursor *cursor, layout_cute_swizzle *swizzle);

/* A pointer as CuTe prints it before a layout, and the "o" behind it; the bits of an
 * element.  And a swizzle of bytes as one of elements; false where that is none. */
bool text_at_pointer(const struct text_cursor *cursor);
bool text_pointer(struct text_cursor *cursor, int64_t *bits);
bool text_swizzle_of_bytes(struct text_cursor *cursor, long position, int64_t bits,
	layout_cute_swizzle *swizzle);

/* A layout of shared memory by its name in C++, see cute_atom.c. */
bool text_at_cute_atom(const struct text_cursor *cursor);
layout_cute *text_cute_atom(struct text_cursor *cursor);

/* An isl literal: one of "relation" and "set" is set on success. */
bool text_isl(struct text_cursor *cursor, layout_relation **relation, layout_set **set);

/* A by-mode tiler of CuTe, "<3:4, 8, _>" or "(3:4, 8, _)": n means n:1, "_" leaves the mode
 * alone, and a tiler in its place, "<4, <3, 2>>", is for the modes of the mode: "inner" then.
 * To be freed after success, save the layouts that were taken and set to NULL. */
struct text_tiler {
	unsigned count;
	layout_cute_tile tiles[TEXT_LIST_LIMIT];
	struct text_tiler *inner[TEXT_LIST_LIMIT];
};
bool text_tiler_is_nested(const struct text_tiler *tiler);

/* What "plain" makes of a layout and a tile, mode by mode, where tiles may be tilers; NULL on
 * an error.  Consumes the layout. */
layout_cute *text_tiler_apply(layout_cute *cute, const struct text_tiler *tiler,
	layout_cute_form form, layout_cute *(*plain)(layout_cute *cute, layout_cute *tile,
		layout_cute_form form));
bool text_at_tiler(const struct text_cursor *cursor);
bool text_tiler(struct text_cursor *cursor, struct text_tiler *tiler);
void text_tiler_free(struct text_tiler *tiler);
bool text_tiler_copy(struct text_tiler *copy, const struct text_tiler *tiler);

/* "tensor<?x513xf32", up to what follows the element type: the sizes, -1 for "?", the
 * element type and where it stands.  skip() is silent where it is none. */
#define TEXT_TENSOR_ELEMENT 80	/* more than any type's name has */
#define TEXT_TENSOR_RANK 16
struct text_tensor {
	unsigned rank;
	int64_t sizes[TEXT_TENSOR_RANK];
	char element[TEXT_TENSOR_ELEMENT];
	long position, element_position;
};
bool text_skip_tensor(struct text_cursor *cursor, struct text_tensor *tensor);
bool text_tensor(struct text_cursor *cursor, struct text_tensor *tensor);

/* Is it a call of "name", "gl.amd.AMDMFMALayout(", whatever modules it is in? */
bool text_at_call(const struct text_cursor *cursor, const char *name);

/* Is it an encoding of Triton's? */
bool text_at_triton(const struct text_cursor *cursor);

/* A linear layout, or what is one: one that is an encoding of Triton's, "#ttg.linear<..>" or
 * "#ttg.shared_linear<..>" or a class of Gluon's, and how shared memory is aligned, 0 where that is
 * not said; the type of a tensor that Triton has distributed; an operation that moves such a
 * tensor, see triton/move.c. */
layout_linear *text_linear(struct text_cursor *cursor);
bool text_at_linear_encoding(const struct text_cursor *cursor);
layout_linear *text_linear_encoding(struct text_cursor *cursor, int64_t *alignment);
bool text_at_triton_tensor(const struct text_cursor *cursor);
layout_linear *text_triton_tensor(struct text_cursor *cursor);
bool text_at_triton_move(const struct text_cursor *cursor);
layout_linear *text_triton_move(struct text_cursor *cursor);

/* The storage that such a type is; see tensor.c. */
bool text_at_tensor(const struct text_cursor *cursor);
layout_storage *text_tensor_storage(struct text_cursor *cursor);

/* Is the storage at the cursor such a type: what it says of shape and elements, of which that is ""
 * where it is none. */
bool text_peek_tensor(const struct text_cursor *cursor, struct text_tensor *tensor);

/* A literal, the name of one, or what an operand is resolved to. */
layout_encoding *text_encoding_named(struct text_cursor *cursor);

/* The same of one that says a layout. */
layout_encoding *text_encoding_saying(struct text_cursor *cursor);

/* A tree of numbers, each at least "least", "(4, (2, 8))", where "_" is LAYOUT_CUTE_WHOLE if
 * "whole". */
struct text_numbers {
	struct text_profile profile;
	unsigned count;
	int64_t leaf[TEXT_LIST_LIMIT];
};
bool text_numbers(struct text_cursor *cursor, int64_t least, bool whole,
	struct text_numbers *numbers);

/* Does a tree begin here that is no part of a layout, "(4,8):(8,1)"? */
bool text_at_numbers(const struct text_cursor *cursor);

/* "LayoutLeft" or "LayoutRight", whose last mode is the fastest; and the strides of such a
 * shape without gaps, false where they do not fit 64 bits. */
bool text_at_order(const struct text_cursor *cursor, bool *last);
bool text_compact(layout_context *ctx, const int64_t *shape, unsigned count, bool last,
	int64_t *stride);

/* At "(": is the token behind the ")" that belongs to it this one? */
bool text_behind_parentheses(const struct text_cursor *cursor, const char *token);

/* All that could be part of a number of an element type, which will say; to be freed. */
char *text_number(struct text_cursor *cursor);

#endif
