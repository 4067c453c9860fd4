/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counting: points, cells and padding, for all sizes at once.
 *
 * A count is text: a number, or a formula of the sizes' names that is right for all sizes
 * >= 0, 0 too.  It is a sum of products of quasi-affine factors: integers, names, + - *,
 * floor(a/b) and ceil(a/b) by an integer, min(a, b, ..) and max(0, a):
 *
 *	"0"  "M*K"  "128*ceil(M/128)*16*ceil(K/16) - M*K"  "max(0, M - 3)"  "min(M, 16)*K"
 *
 * There is one for boxes, also in steps (i mod 4 = 0), cut into digits (4q + r, r < 4),
 * and for unions of a few of them.  For others it is LAYOUT_ERROR_NO_ANSWER, "no formula:
 * dimension 1 depends on dimension 0": unknown, not infinite.  With numbers for the
 * sizes, by layout_set_fix() or layout_relation_fix(), most of these are known.
 *
 *	LAYOUT_ERROR_QUOTA	isl did not get to an answer
 *	LAYOUT_ERROR_OVERFLOW	a number beyond 64 bits, where it is to be an int64_t */
#ifndef LAYOUT_COUNT_H
#define LAYOUT_COUNT_H

#include <layout/relation.h>
#include <layout/storage.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The points of a set. */
LAYOUT_API LAYOUT_GIVE char *layout_set_count(LAYOUT_KEEP layout_set *set);

/* Their number, with numbers for all of its sizes, each >= 0 (LAYOUT_ERROR_INVALID). */
LAYOUT_API bool layout_set_count_at(LAYOUT_KEEP layout_set *set,
	const layout_size *sizes, unsigned count, int64_t *number);

/* What of a relation X -> Y to count. */
typedef enum {
	LAYOUT_COUNT_POINTS,	/* inputs, the points of X that have an image */
	LAYOUT_COUNT_CELLS,	/* images, points of Y that have an input, once each */
	LAYOUT_COUNT_PADDING,	/* points of "onto" that are no images */
} layout_counted;

/* "onto" : Y is for padding alone, and may be NULL otherwise; layout_value_onto() has
 * what a notation declares.  The padding of a storage is that of
 * layout_storage_padding_count(), in which the gaps between strides are none. */
LAYOUT_API LAYOUT_GIVE char *layout_relation_count(LAYOUT_KEEP layout_relation *relation,
	layout_counted what, LAYOUT_KEEP layout_set *onto);
LAYOUT_API bool layout_relation_count_at(LAYOUT_KEEP layout_relation *relation,
	layout_counted what, LAYOUT_KEEP layout_set *onto,
	const layout_size *sizes, unsigned count, int64_t *number);

/* The elements of a storage, of which the conditions on named strides are taken to hold.
 * layout_storage_cell_count() and _padding_count() count the rest. */
LAYOUT_API LAYOUT_GIVE char *layout_storage_element_count(
	LAYOUT_KEEP layout_storage *storage);

#ifdef __cplusplus
}
#endif

#endif
