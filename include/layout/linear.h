/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linear layouts (Triton's LinearLayout): functions from named inputs to named
 * outputs whose sizes are powers of two, the image of a point being the XOR of the
 * bases of its set bits.  See "Linear Layouts", arXiv 2505.23819.
 *
 * Inputs and outputs are ordered, the first one fastest; the order matters where they
 * are reshaped, and where bits are free.  Operations take their layouts, give a new
 * one, and say what does not exist as LAYOUT_ERROR_NO_ANSWER with the names and
 * numbers; names that do not fit together are LAYOUT_ERROR_SPACE. */
#ifndef LAYOUT_LINEAR_H
#define LAYOUT_LINEAR_H

#include <layout/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_linear layout_linear;

/* The most inputs, or outputs, of a layout; and the most bits of either side. */
#define LAYOUT_LINEAR_RANK 64
#define LAYOUT_LINEAR_BITS 512

/* Inputs and outputs with their sizes, powers of two up to 2^62, and the bases: for
 * each input in order, for its bits 1, 2, 4, .., a coordinate for every output.
 * Names consist of letters, digits and "_", and begin with no digit; none is twice on
 * one side. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_new(LAYOUT_KEEP layout_context *ctx,
	const layout_size *ins, unsigned in_count,
	const layout_size *outs, unsigned out_count, const int64_t *bases);

/* One input, one output: x -> x, x -> stride * x (a power of two) and x -> 0.  The
 * output has "size" points, size * stride points, and "out_size" points. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_identity(
	LAYOUT_KEEP layout_context *ctx, int64_t size, const char *in, const char *out);
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_strided(
	LAYOUT_KEEP layout_context *ctx, int64_t size, int64_t stride,
	const char *in, const char *out);
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_zeros(
	LAYOUT_KEEP layout_context *ctx, int64_t size, const char *in,
	const char *out, int64_t out_size);

/* Read "linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = []}>", also as
 * "#ttg.linear<..>" or "#ttg.shared_linear<{offset = ..}, alignment = 16>": the bases of each input's bits 1, 2, 4, ..  Outputs are dim0,
 * dim1, .. of the least sizes that hold the bases, unless they are given:
 * "linear<{offset = [[1], [2]]} -> {dim0 = 4}>".  Where neither outputs nor bases are
 * given there is no output.  Or the lines that Triton prints, "- lane=1 -> (0, 1)", .. "where out
 * dims are: [dim0 (size 1), dim1 (size 2)]". */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);

/* The text that reads back as this layout; outputs only where they are not those
 * that reading infers. */
LAYOUT_API LAYOUT_GIVE char *layout_linear_str(LAYOUT_KEEP layout_linear *linear);

/* Copy a layout, free one, and the context that it lives in. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_copy(
	LAYOUT_KEEP layout_linear *linear);
LAYOUT_API void layout_linear_free(LAYOUT_TAKE layout_linear *linear);
LAYOUT_API LAYOUT_KEEP layout_context *layout_linear_context(
	LAYOUT_KEEP layout_linear *linear);

/* { [inputs] -> [outputs] } on the box of the inputs, anonymous tuples in order. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_linear_relation(
	LAYOUT_KEEP layout_linear *linear);

/* The layout that a relation { [inputs] -> [outputs] } is, proved equal: a function on a box
 * of powers of two, of 0 at 0, whose images are the XOR of those of single bits.  Inputs
 * have the names of the relation's coordinates if all of them are names, else in0, in1, ..;
 * outputs likewise, else dim0, dim1, .., of the least sizes that hold the images.
 * LAYOUT_ERROR_NO_ANSWER, with the reason and its numbers, where there is no such layout;
 * LAYOUT_ERROR_QUOTA: not known. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_from_relation(
	LAYOUT_KEEP layout_relation *relation);

/* Inputs and outputs; names are borrowed.  NULL and 0 past the last. */
LAYOUT_API unsigned layout_linear_in_count(LAYOUT_KEEP const layout_linear *linear);
LAYOUT_API unsigned layout_linear_out_count(LAYOUT_KEEP const layout_linear *linear);
LAYOUT_API const char *layout_linear_in_name(LAYOUT_KEEP const layout_linear *linear,
	unsigned i);
LAYOUT_API const char *layout_linear_out_name(LAYOUT_KEEP const layout_linear *linear,
	unsigned i);
LAYOUT_API int64_t layout_linear_in_size(LAYOUT_KEEP const layout_linear *linear,
	unsigned i);
LAYOUT_API int64_t layout_linear_out_size(LAYOUT_KEEP const layout_linear *linear,
	unsigned i);

/* The image of 2^bit in input "in", a coordinate for every output; and that of a
 * point, a coordinate for every input.  LAYOUT_ERROR_INVALID outside the box. */
LAYOUT_API bool layout_linear_basis(LAYOUT_KEEP layout_linear *linear, unsigned in,
	unsigned bit, int64_t *image);
LAYOUT_API bool layout_linear_eval(LAYOUT_KEEP layout_linear *linear,
	const int64_t *point, int64_t *image);

/* Questions.  "witness" may be NULL; else it receives an object on LAYOUT_NO and NULL
 * otherwise.
 *
 *	equal		the same inputs, outputs and images, unknown where the names
 *			or their order are not the same; else a point and an image
 *			that only one of the two relates, or no witness where only
 *			declared sizes of outputs differ
 *	is_injective	no two points have one image; else two that have
 *	is_surjective	every point of the outputs is an image; else one that is none
 *	is_invertible	both */
LAYOUT_API layout_answer layout_linear_equal(LAYOUT_KEEP layout_linear *a,
	LAYOUT_KEEP layout_linear *b, layout_witness **witness);
LAYOUT_API layout_answer layout_linear_is_injective(LAYOUT_KEEP layout_linear *linear,
	layout_witness **witness);
LAYOUT_API layout_answer layout_linear_is_surjective(LAYOUT_KEEP layout_linear *linear,
	layout_witness **witness);
LAYOUT_API layout_answer layout_linear_is_invertible(LAYOUT_KEEP layout_linear *linear,
	layout_witness **witness);

/* For every input a mask of its free bits: those whose bases are sums of bases of
 * lower bits, of this input or one before it.  What differs in free bits only can be
 * had without them, so that they mean replication. */
LAYOUT_API bool layout_linear_free_masks(LAYOUT_KEEP layout_linear *linear,
	uint64_t *masks);

/* outer(inner(x)).  The outputs of "inner" are the inputs of "outer" by name, in any
 * order, and no larger. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_compose(
	LAYOUT_TAKE layout_linear *outer, LAYOUT_TAKE layout_linear *inner);

/* The inverse of a layout that is invertible; and, of one that is surjective, the
 * right inverse R, linear(R(y)) = y, that uses no free bit. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_invert(
	LAYOUT_TAKE layout_linear *linear);
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_pseudo_inverse(
	LAYOUT_TAKE layout_linear *linear);

/* From a's inputs to b's, R with b(R(x)) = a(x): the conversion between two layouts of
 * one tensor.  An input of both, with the same bases, stays as it is; the others use it
 * only where they must, and free bits of "b" are 0.  Outputs meet by name, in any
 * order; their sizes may differ so long as all images of "a" are images of "b". */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_invert_and_compose(
	LAYOUT_TAKE layout_linear *a, LAYOUT_TAKE layout_linear *b);

/* From b's inputs to a's, R with a(R(x)) = b(x) and all free bits of "a" 0: what Triton
 * calls least squares. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_least_squares(
	LAYOUT_TAKE layout_linear *a, LAYOUT_TAKE layout_linear *b);

/* The direct sum: "a" on the low bits of inputs and outputs that both have, "b" on the
 * high ones.  The names are merged into an order that agrees with both. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_product(
	LAYOUT_TAKE layout_linear *a, LAYOUT_TAKE layout_linear *b);

/* C with a = product(b, C), and with a = product(C, b).  It has all inputs and outputs
 * of "a". */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_divide_left(
	LAYOUT_TAKE layout_linear *a, LAYOUT_TAKE layout_linear *b);
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_divide_right(
	LAYOUT_TAKE layout_linear *a, LAYOUT_TAKE layout_linear *b);

/* Some inputs (the others being 0) and some outputs, in the layout's order; and
 * whether all of that is 0, unknown for names that the layout lacks. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_sublayout(
	LAYOUT_TAKE layout_linear *linear, const char *const *ins, unsigned in_count,
	const char *const *outs, unsigned out_count);
LAYOUT_API layout_answer layout_linear_sublayout_is_zero(
	LAYOUT_KEEP layout_linear *linear, const char *const *ins, unsigned in_count,
	const char *const *outs, unsigned out_count);

/* Is the layout the identity from these inputs to the outputs of the same names, with
 * nothing going from them to others or from others to them?  The quotient is what
 * remains of such a layout without them. */
LAYOUT_API layout_answer layout_linear_is_trivial_over(LAYOUT_KEEP layout_linear *linear,
	const char *const *dims, unsigned count);
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_quotient(
	LAYOUT_TAKE layout_linear *linear, const char *const *dims, unsigned count);

/* The same function seen through other inputs or outputs, of as many points
 * altogether (LAYOUT_ERROR_SPACE), the first one fastest on both sides; and through
 * one, with the name of the first. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_reshape_ins(
	LAYOUT_TAKE layout_linear *linear, const layout_size *ins, unsigned count);
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_reshape_outs(
	LAYOUT_TAKE layout_linear *linear, const layout_size *outs, unsigned count);
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_flatten_ins(
	LAYOUT_TAKE layout_linear *linear);
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_flatten_outs(
	LAYOUT_TAKE layout_linear *linear);

/* All inputs, or outputs, in another order. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_transpose_ins(
	LAYOUT_TAKE layout_linear *linear, const char *const *names, unsigned count);
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_transpose_outs(
	LAYOUT_TAKE layout_linear *linear, const char *const *names, unsigned count);

/* a's inputs, then b's: the XOR of both images, which are in the same outputs; and
 * a's outputs, then b's: both images of the same inputs. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_concat_ins(
	LAYOUT_TAKE layout_linear *a, LAYOUT_TAKE layout_linear *b);
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_concat_outs(
	LAYOUT_TAKE layout_linear *a, LAYOUT_TAKE layout_linear *b);

/* An input with more points, whose new bits go to 0, or with fewer; an output with more
 * points, or with fewer: then a basis outside the new size has 0 there. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_resize_in(
	LAYOUT_TAKE layout_linear *linear, const char *name, int64_t size);
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_resize_out(
	LAYOUT_TAKE layout_linear *linear, const char *name, int64_t size);

/* The input without those of its bits that go to 0; the others move together. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_linear_remove_zero_bases(
	LAYOUT_TAKE layout_linear *linear, const char *in);

/* The largest power of two n such that each aligned run of n points of the first input
 * goes to an aligned run of n points of the first output, in order, the other outputs
 * staying as they are; 1 where there is no input or no output. */
LAYOUT_API int64_t layout_linear_consecutive(LAYOUT_KEEP layout_linear *linear);

/* The largest power of two n such that coordinate "out" takes each of 0 .. n - 1, all
 * inputs together; -1 where there is no such output (LAYOUT_ERROR_SPACE). */
LAYOUT_API int64_t layout_linear_contiguous(LAYOUT_KEEP layout_linear *linear,
	const char *out);

#ifdef __cplusplus
}
#endif

#endif
