/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts: "shape:stride" trees, swizzled or not, and their algebra.
 *
 * A layout is a function of a linear coordinate, first mode fastest; of a coordinate
 * that matches its tree; or of anything between.  Its last mode has no end, as in
 * NVIDIA's CuTe (CUTLASS, include/cute/layout.hpp): the layout has an offset for
 * each coordinate >= 0, and its size says where it is meant to end.
 *
 *	L		S:D, offset = the sum of digit times stride
 *	Sw o k o L	c -> Sw(k + L(c)), x ^ the bits that Sw<B,M,S> selects of x
 *	pack_map	IREE's, L with the last mode fastest at every level
 *
 * The operations consume their layouts and give the result, which is the defined
 * function exactly wherever a layout with that shape exists, also where CuTe refuses;
 * where there is none they fail:
 *
 *	LAYOUT_ERROR_NO_ANSWER	no layout: the reason, with its numbers and a witness
 *	LAYOUT_ERROR_OVERFLOW	a size, stride or offset beyond 64 bits
 *	LAYOUT_ERROR_SPACE	ranks or trees that do not meet
 *	LAYOUT_ERROR_INVALID	an argument outside its domain
 *	LAYOUT_ERROR_QUOTA	deciding takes more work than the quota: unknown, not no
 */
#ifndef LAYOUT_CUTE_H
#define LAYOUT_CUTE_H

#include <layout/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_cute layout_cute;

/* Sw<bits, base, shift> o offset: x ^ ((x & Y) >> shift) of x = offset + L(c), where Y
 * are "bits" bits from base + shift on; for shift < 0 the bits from "base" on, moved
 * up by -shift.  bits, base >= 0; |shift| >= bits. */
typedef struct {
	int bits, base, shift;
	int64_t offset;
} layout_cute_swizzle;

/* A mode of a by-mode tiler: a layout, or "whole", which leaves the mode alone (the
 * layout is NULL then). */
typedef struct {
	layout_cute *layout;
	bool whole;
} layout_cute_tile;

/* How the modes of a quotient or a product are grouped; T.. and R.. are the modes of
 * the tile and of the rest.
 *
 *	LOGICAL		(T, R), for each mode of a by-mode tiler
 *	ZIPPED		((T..), (R..))
 *	TILED		((T..), R..)
 *	FLAT		(T.., R..)
 *	BLOCKED		((T0, R0), (T1, R1), ..), products only
 *	RAKED		((R0, T0), (R1, T1), ..), products only */
typedef enum {
	LAYOUT_CUTE_LOGICAL,
	LAYOUT_CUTE_ZIPPED,
	LAYOUT_CUTE_TILED,
	LAYOUT_CUTE_FLAT,
	LAYOUT_CUTE_BLOCKED,
	LAYOUT_CUTE_RAKED,
} layout_cute_form;

/* Read "(4,8):(8,1)", "((2,2),4):((1,8),2)", "Sw<3,4,3> o 0 o (8,64):(64,1)" or
 * "pack_map<(4,8):(8,1)>".  Shape and stride are congruent trees; shapes are >= 0,
 * strides any integer, but for a pack_map, as in IREE, > 0 and >= 0. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);

/* Build from a tree written in prefix order: for each node its arity, or -1 for a
 * leaf; leaves take the next of "shape" and "stride".  A single leaf is { -1 }. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_new(LAYOUT_KEEP layout_context *ctx,
	const int *tree, unsigned node_count,
	const int64_t *shape, const int64_t *stride, unsigned leaf_count);

/* The swizzle alone, offset -> offset: Sw o 0 o 2^(bits + base + |shift|):1. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_new_swizzle(
	LAYOUT_KEEP layout_context *ctx, int bits, int base, int shift);

/* Sw<bits, base, shift> o offset o "cute". */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_apply_swizzle(
	LAYOUT_TAKE layout_cute *cute, layout_cute_swizzle swizzle);

/* The same shape and strides with the last mode fastest at every level: a pack_map, or
 * what is none only by a shape of 0 or a negative stride. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_lexicographic(
	LAYOUT_TAKE layout_cute *cute);

/* Copy a layout, and free one. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_copy(LAYOUT_KEEP layout_cute *cute);
LAYOUT_API void layout_cute_free(LAYOUT_TAKE layout_cute *cute);

/* What layout_cute_parse() reads.  A layout whose last mode is the fastest but that is no
 * pack_map, see layout_cute_lexicographic(), is written as the plain layout that is the
 * same function: its modes reversed. */
LAYOUT_API LAYOUT_GIVE char *layout_cute_str(LAYOUT_KEEP layout_cute *cute);

/* The tree: as layout_cute_new() takes it.  The arity is -1 for a leaf, shape and
 * stride are 0 beyond the leaves; counts are 0 for NULL.  The rank is the number of
 * modes at the top, 1 for a single leaf. */
LAYOUT_API unsigned layout_cute_node_count(LAYOUT_KEEP layout_cute *cute);
LAYOUT_API unsigned layout_cute_leaf_count(LAYOUT_KEEP layout_cute *cute);
LAYOUT_API unsigned layout_cute_rank(LAYOUT_KEEP layout_cute *cute);
LAYOUT_API int layout_cute_arity(LAYOUT_KEEP layout_cute *cute, unsigned node);
LAYOUT_API int64_t layout_cute_shape(LAYOUT_KEEP layout_cute *cute, unsigned leaf);
LAYOUT_API int64_t layout_cute_stride(LAYOUT_KEEP layout_cute *cute, unsigned leaf);

/* Is there a swizzle, and which?  Is the last mode the fastest? */
LAYOUT_API bool layout_cute_swizzled(LAYOUT_KEEP layout_cute *cute,
	layout_cute_swizzle *swizzle);
LAYOUT_API bool layout_cute_is_lexicographic(LAYOUT_KEEP layout_cute *cute);

/* How deep the tree is: 0 for a leaf, 1 for "(4,8):(8,1)". */
LAYOUT_API unsigned layout_cute_depth(LAYOUT_KEEP layout_cute *cute);

/* Number of coordinates, and 1 + the largest offset (0 for no coordinate).  Where a
 * swizzle makes the largest offset hard to see, the least bound its bits give. */
LAYOUT_API int64_t layout_cute_size(LAYOUT_KEEP layout_cute *cute);
LAYOUT_API int64_t layout_cute_cosize(LAYOUT_KEEP layout_cute *cute);

/* The offset of linear coordinate "coordinate" >= 0, beyond the size too.  False with
 * an error on the context: negative, size 0, or beyond 64 bits. */
LAYOUT_API bool layout_cute_eval(LAYOUT_KEEP layout_cute *cute, int64_t coordinate,
	int64_t *offset);

/* The map from the linear coordinate to the offset:
 * { [i] -> [offset] : 0 <= i < size }. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_cute_relation(
	LAYOUT_KEEP layout_cute *cute);

/* The same where the last mode has no end, CuTe's convention for the outer layout
 * of a composition: { [i] -> [offset] : 0 <= i }, 0 <= i < 0 for size 0. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_cute_unbounded_relation(
	LAYOUT_KEEP layout_cute *cute);

/* The layout that a relation { [x0, x1, ..] -> [offset] } is, proved equal.
 *
 *	one input	its modes, coalesced; 1:0 or 0:0 where there are no steps
 *	several		a mode at the top each, the relation of the layout being that of
 *			their number, the first input fastest
 *
 * Swizzled, or moved by an offset, where it is one of these.  LAYOUT_ERROR_NO_ANSWER, with
 * the reason and its numbers, where there is no such layout: the relation is no function on
 * a box 0 <= x_d < n_d of numbers, for instance.  LAYOUT_ERROR_QUOTA: not known. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_from_relation(
	LAYOUT_KEEP layout_relation *relation);

/* The same function on [0, size) with as few modes as there can be, one level deep:
 * size-1 modes go, neighbours that continue each other merge. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_coalesce(LAYOUT_TAKE layout_cute *cute);

/* Coalesce each mode that is a leaf of "profile", a tree as for layout_cute_new();
 * modes beyond the profile stay.  LAYOUT_ERROR_SPACE if the profile has more modes. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_coalesce_by(
	LAYOUT_TAKE layout_cute *cute, const int *profile, unsigned node_count);

/* Without modes of stride 0, coalesced: as many offsets, each as often as before
 * divided by the product of their sizes. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_filter(LAYOUT_TAKE layout_cute *cute);

/* The leaves, one level deep. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_flatten(LAYOUT_TAKE layout_cute *cute);

/* Some of the modes at the top, in this order; one alone is not in a tuple of its own.  The
 * modes "begin" to "end" - 1 as one mode. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_select(LAYOUT_TAKE layout_cute *cute,
	const unsigned *modes, unsigned count);
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_group_modes(LAYOUT_TAKE layout_cute *cute,
	unsigned begin, unsigned end);

/* Layouts as the modes of one; LAYOUT_ERROR_UNSUPPORTED for swizzled ones and pack_maps. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_concat(LAYOUT_KEEP layout_context *ctx,
	LAYOUT_KEEP layout_cute *const *parts, unsigned count);

/* The layout at a coordinate: a tree in prefix order, as for layout_cute_new(), that
 * stops where it likes at or above the layout's leaves, a number there being linear.  The
 * modes at LAYOUT_CUTE_WHOLE stay, at the top of the result; the rest is an offset,
 * Sw<0,0,0> o OFFSET o R.  With none left the result is 1:0 at the offset. */
#define LAYOUT_CUTE_WHOLE (-1)
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_slice(LAYOUT_TAKE layout_cute *cute,
	const int *tree, unsigned node_count, const int64_t *at);

/* "block", repeated until it has this shape, a number a mode: the mode with order 0 first,
 * then that with 1; NULL: the first one first.  LAYOUT_ERROR_NO_ANSWER where whole blocks
 * do not fill it. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_tile_to_shape(LAYOUT_TAKE layout_cute *block,
	const int64_t *shape, const unsigned *order, unsigned count);

/* "outer" after "inner": R(c) = outer(inner(c)); R's shape refines inner's.
 *
 * Exact: there is no layout where R is not one (cutlass#2955), and there is one
 * where CuTe's divisibility conditions fail and R is a layout all the same.  Offsets
 * of "inner" are coordinates of "outer", so none may be negative. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_compose(
	LAYOUT_TAKE layout_cute *outer, LAYOUT_TAKE layout_cute *inner);

/* Mode by mode: tile i after which comes mode i of "outer".  Modes beyond "count"
 * stay; LAYOUT_ERROR_SPACE if "count" is beyond the rank. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_compose_by(
	LAYOUT_TAKE layout_cute *outer, LAYOUT_TAKE const layout_cute_tile *tiles,
	unsigned count);

/* What "cute" leaves out of [0, cotarget): R is ordered, shares only the offset 0 with
 * cute, and cosize((cute, R)) >= cotarget >= 0.  The two reach all of [0, cotarget) where
 * each of cute's strides is a multiple of the end of the mode before.  There is one if
 * each of cute's modes, by stride, goes on at or beyond the end of the one before;
 * modes of stride 0 do not count.  For cotarget 0 it is 0:0.  CuTe's default for cotarget
 * is cute's cosize. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_complement(
	LAYOUT_TAKE layout_cute *cute, int64_t cotarget);

/* "cute" cut into tiles: cute o (tiler, complement(tiler, size(cute))), composed as a
 * whole, so that the quotient is cute at each coordinate of the tiles.  The tiles that
 * begin below the size; those that end beyond it take cute's last mode without end. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_divide(LAYOUT_TAKE layout_cute *cute,
	LAYOUT_TAKE layout_cute *tiler, layout_cute_form form);

/* The same mode by mode, as for layout_cute_compose_by().  A mode that a tile leaves
 * "whole" stays as it is in the LOGICAL form, and is a tile with the rest 1:0 in the
 * others. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_divide_by(LAYOUT_TAKE layout_cute *cute,
	LAYOUT_TAKE const layout_cute_tile *tiles, unsigned count,
	layout_cute_form form);

/* "tile", laid out again and again as "tiler" says:
 * (tile, complement(tile, size(tile) * cosize(tiler)) o tiler).  BLOCKED and RAKED give
 * both the rank of the larger one first, with modes 1:0. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_product(LAYOUT_TAKE layout_cute *tile,
	LAYOUT_TAKE layout_cute *tiler, layout_cute_form form);

/* The same mode by mode; not for BLOCKED and RAKED.  Modes that are "whole", and those
 * beyond "count", are as for layout_cute_divide_by(). */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_product_by(LAYOUT_TAKE layout_cute *cute,
	LAYOUT_TAKE const layout_cute_tile *tilers, unsigned count,
	layout_cute_form form);

/* R with cute(R(i)) = i for 0 <= i < size(R): as long as cute's modes of positive stride
 * make one, 1:0 at least.  For a swizzled layout R is that of all the offsets 0, 1, ..
 * that it reaches, and LAYOUT_ERROR_NO_ANSWER if it does not reach 0 or R is no single
 * swizzle of a layout. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_right_inverse(
	LAYOUT_TAKE layout_cute *cute);

/* R with R(cute(i)) = i for all coordinates i of an injective "cute", if there is such a
 * layout, whose strides may be negative.  Else, and for others, cute(R(cute(i))) = cute(i),
 * where R may lead beyond cute's size as its last mode has no end; LAYOUT_ERROR_NO_ANSWER
 * if there is no such layout either, and for offsets below 0.  LAYOUT_ERROR_QUOTA if the
 * strides do not tell and there are too many points, or too many layouts R could be.  Of
 * a swizzled layout, L(R(L(i))) = L(i) is all it is. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_left_inverse(
	LAYOUT_TAKE layout_cute *cute);

/* The coordinates of offset 0 along modes of stride 0: cute(R(i)) = 0. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_nullspace(LAYOUT_TAKE layout_cute *cute);

/* The largest n such that each offset 0 <= i < n has a coordinate c, below both sizes,
 * with a(c) = b(c) = i; 0 if that is not so for 0.  And a layout of such coordinates,
 * a(R(i)) = b(R(i)) = i for i < size(R) <= n, shorter than n where all of them are no
 * layout; 0:0 for n = 0.  LAYOUT_ERROR_QUOTA where neither modes nor bits tell and there
 * are too many points to look at each. */
LAYOUT_API bool layout_cute_max_common_vector(LAYOUT_KEEP layout_cute *a,
	LAYOUT_KEEP layout_cute *b, int64_t *result);
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_max_common_layout(
	LAYOUT_TAKE layout_cute *a, LAYOUT_TAKE layout_cute *b);

/* The layout counted in elements "n" times larger, or n times smaller; n >= 1. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_upcast(LAYOUT_TAKE layout_cute *cute,
	int64_t n);
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_downcast(LAYOUT_TAKE layout_cute *cute,
	int64_t n);

/* From elements of "old_bits" to elements of "new_bits" bits, both >= 1. */
LAYOUT_API LAYOUT_GIVE layout_cute *layout_cute_recast(LAYOUT_TAKE layout_cute *cute,
	int64_t old_bits, int64_t new_bits);

#ifdef __cplusplus
}
#endif

#endif
