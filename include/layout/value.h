/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values: whatever an expression of the notations denotes.
 *
 * The grammar and the table of literals are in docs/notation.md.  A value keeps
 * the notation it was written in, so that it prints back; numbers and answers print as
 * what they are. */
#ifndef LAYOUT_VALUE_H
#define LAYOUT_VALUE_H

#include <layout/chain.h>
#include <layout/cute.h>
#include <layout/linear.h>
#include <layout/mma.h>
#include <layout/nested.h>
#include <layout/program.h>
#include <layout/remap.h>
#include <layout/swizzle.h>
#include <layout/tiling.h>
#include <layout/triton.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_value layout_value;

typedef enum {
	LAYOUT_VALUE_RELATION,
	LAYOUT_VALUE_SET,
	LAYOUT_VALUE_AFFINE_MAP,
	LAYOUT_VALUE_CUTE,
	LAYOUT_VALUE_NESTED,
	LAYOUT_VALUE_ENCODING,
	LAYOUT_VALUE_STORAGE,
	LAYOUT_VALUE_REMAP,
	LAYOUT_VALUE_LINEAR,
	LAYOUT_VALUE_MMA,
	LAYOUT_VALUE_SWIZZLE,
	LAYOUT_VALUE_TRITON,		/* an encoding that waits for a shape */
	LAYOUT_VALUE_INTEGER,
	LAYOUT_VALUE_OPERAND,		/* an encoding that waits for a target */
	LAYOUT_VALUE_CHAIN,
	LAYOUT_VALUE_PROGRAM,
} layout_value_kind;

/* Read and evaluate an expression, all of "text".  Errors have positions. */
LAYOUT_API LAYOUT_GIVE layout_value *layout_value_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);

/* The same of one of several statements in "text", the one at "*position", 0 for the first:
 * an expression behind the definitions that it adds to those before.  The next one begins
 * on a line of its own, to which "*position" is moved, or to the end of "text"; it stays where
 * it is on an error. */
LAYOUT_API LAYOUT_GIVE layout_value *layout_value_parse_next(
	LAYOUT_KEEP layout_context *ctx, const char *text, size_t *position);
LAYOUT_API void layout_value_free(LAYOUT_TAKE layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_context *layout_value_context(
	LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_GIVE char *layout_value_str(LAYOUT_KEEP layout_value *value);
LAYOUT_API layout_value_kind layout_value_get_kind(LAYOUT_KEEP layout_value *value);

/* "relation", "set", "affine_map", "cute", "nested", "encoding", "storage", "remap",
 * "linear", "mma", "swizzle", "triton", "integer", "operand", "chain",
 * "program". */
LAYOUT_API const char *layout_value_kind_str(layout_value_kind kind);

/* The value as a relation (for a remap: source cell -> destination cell), or as a
 * set; NULL with LAYOUT_ERROR_SPACE where it is not one: a set, a number, or an
 * encoding without a target or without sizes. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_value_relation(
	LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_GIVE layout_set *layout_value_set(LAYOUT_KEEP layout_value *value);

/* The functions of the expressions, those of a family together; NULL past the last. */
LAYOUT_API const char *layout_value_function(unsigned i);

/* How a function is called, "select(CUTE, [NUMBER, ..])", a text to be freed; a call of it as
 * an example; and the page about it, "cute.md".  The same of a word that a notation begins
 * with, "row_major[SIZE, ..]".  NULL: there is no such function or word. */
LAYOUT_API LAYOUT_GIVE char *layout_value_function_signature(const char *name);
LAYOUT_API const char *layout_value_function_example(const char *name);
LAYOUT_API const char *layout_value_function_page(const char *name);

/* Of the words that "word_at" gives, which ends with NULL, the one that "word" was probably
 * meant to be: fewer than a third of its letters are others.  NULL: none. */
LAYOUT_API const char *layout_similar_word(const char *word,
	const char *(*word_at)(unsigned i));

/* What the value was written as; borrowed, NULL with LAYOUT_ERROR_SPACE where it is
 * something else. */
LAYOUT_API LAYOUT_KEEP layout_cute *layout_value_cute(LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_nested *layout_value_nested(
	LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_linear *layout_value_linear(
	LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_mma *layout_value_mma(LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_swizzle *layout_value_swizzle(
	LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_triton *layout_value_triton(
	LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_operand *layout_value_operand(
	LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_encoding *layout_value_encoding(
	LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_storage *layout_value_storage(
	LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_chain *layout_value_chain(LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_remap *layout_value_remap(LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_KEEP layout_program *layout_value_program(LAYOUT_KEEP layout_value *value);

/* The number that the value is; false with LAYOUT_ERROR_SPACE where it is none. */
LAYOUT_API bool layout_value_integer(LAYOUT_KEEP layout_value *value, int64_t *number);

/* Why the value is not what its expression asked for: a composition of CuTe layouts
 * that no CuTe layout is, for instance, whose value is the exact relation.  That is
 * found when it is asked for, which may take long; where there is none either, the
 * reason is the error then, LAYOUT_ERROR_NO_ANSWER.  NULL
 * without an error where all is well.  An expression that goes on with the relation
 * has a reason of its own, or none. */
LAYOUT_API const char *layout_value_reason(LAYOUT_KEEP layout_value *value);

/* Are the values the same: two sets, or two relations, whatever notations they are
 * written in?  Where one has more inputs than the other, those that are always 0 do not count.
 * "witness" (may be NULL) as for layout_relation_equal(), in the order of the first.  Spaces that do not
 * meet are LAYOUT_UNKNOWN with LAYOUT_ERROR_SPACE: as(..) shows a value in other
 * coordinates, layout_value_convert() in those of another notation. */
LAYOUT_API layout_answer layout_equal(LAYOUT_KEEP layout_value *a,
	LAYOUT_KEEP layout_value *b, layout_witness **witness);

/* The same of memory: layout_storage_same_memory() of two storages, or of two encodings
 * as they pack tensors [s0, s1, ..] of all sizes. */
LAYOUT_API layout_answer layout_equal_memory(LAYOUT_KEEP layout_value *a,
	LAYOUT_KEEP layout_value *b, layout_witness **witness);

/* The notations that a layout can be converted to. */
typedef enum {
	LAYOUT_NOTATION_CUTE,		/* "cute" */
	LAYOUT_NOTATION_NESTED,		/* "nested" */
	LAYOUT_NOTATION_LINEAR,		/* "linear" */
	LAYOUT_NOTATION_ENCODING,	/* "encoding" */
} layout_notation;

/* The same layout in another notation, proved equal:
 *
 *	to CUTE		linear coordinate -> offset.  Of several inputs each is a mode at
 *			the top; of several images, the offset is their number in the
 *			declared box, the first fastest, or for a storage its place in
 *			memory, in elements
 *	to NESTED	(thread, b.., o.., e..) -> coordinates.  From (thread, value), as
 *			matrix operands and relations of two inputs have it, or from a
 *			linear layout's register, lane, warp: the value is the number of
 *			(b.., o.., e..), the last fastest, and the thread lane + lanes*warp.
 *			One that layout_nested_verify() accepts; results of operations on
 *			nested layouts may be others
 *	to LINEAR	the same inputs and images, by their names where they have some
 *	to ENCODING	logical -> cell, as packed(ENCODING, [sizes]); sizes may be names
 *
 * LAYOUT_ERROR_NO_ANSWER, with the reason and its numbers, where the notation has no such
 * layout; LAYOUT_ERROR_SPACE for what is no relation. */
LAYOUT_API LAYOUT_GIVE layout_value *layout_value_convert(LAYOUT_KEEP layout_value *value,
	layout_notation to);

/* "cute", ..; NULL past the last. */
LAYOUT_API const char *layout_notation_str(layout_notation notation);

/* The box that "surjective" and "total" are asked of: the declared images and
 * inputs.  NULL without an error where the notation declares none. */
LAYOUT_API LAYOUT_GIVE layout_set *layout_value_onto(LAYOUT_KEEP layout_value *value);
LAYOUT_API LAYOUT_GIVE layout_set *layout_value_from(LAYOUT_KEEP layout_value *value);

/* Names of the run-time sizes; NULL past the last. */
LAYOUT_API const char *layout_value_size_name(LAYOUT_KEEP layout_value *value,
	unsigned i);

/* The number of padding cells of "padding(STORAGE)" as a formula, else NULL
 * without an error. */
LAYOUT_API const char *layout_value_count(LAYOUT_KEEP layout_value *value);

/* Call "visit" for every pair in the notation's order of points (for a set,
 * "image" is NULL), with numbers for the sizes: lexicographic, but for a linear layout
 * the first input fastest.  Pairs are visited as they are found, until "visit" returns
 * false.  Returns false on an error, which may come after some. */
typedef bool (*layout_visit_pair)(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank);
LAYOUT_API bool layout_value_for_each(LAYOUT_KEEP layout_value *value,
	const layout_size *sizes, unsigned count, layout_visit_pair visit, void *user);

#ifdef __cplusplus
}
#endif

#endif
