/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Integer relations between named spaces, and sets of points in one.
 *
 * Sizes are parameters.  Every question is asked for all values >= 0 of all
 * parameters at once, so "yes" is a proof, and "no" comes with a witness. */
#ifndef LAYOUT_RELATION_H
#define LAYOUT_RELATION_H

#include <layout/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_relation layout_relation;
typedef struct layout_set layout_set;

/* Why an answer is "no": sizes, and one or two points.
 *
 *	not a function	one input's two images
 *	not injective	two inputs with one image
 *	not surjective	a point that nothing reaches
 *	not bijective	the same, or an image outside of what it is to be onto
 *	not total	a point that has no image
 *	not equal	input and image that only one of the two relates
 *
 * Points are lexicographically small.  "text" reads
 * "M = 73, K = 9: (64, 8), (72, 8)"; of two that are not equal, it has the images of both
 * at the first point where they differ, "M = 2: at (0, 1): 1, there 2".  There is none, and
 * LAYOUT_ERROR_OVERFLOW on the context, where its numbers are beyond 64 bits. */
typedef struct {
	unsigned size_count;
	layout_size *sizes;
	unsigned point_count;
	unsigned ranks[2];
	int64_t *points[2];
	char *text;
} layout_witness;

/* Free a witness, of any question. */
LAYOUT_API void layout_witness_free(LAYOUT_TAKE layout_witness *witness);

/* Sets */

/* Read isl text, "[M] -> { a[i] : 0 <= i < M }". */
LAYOUT_API LAYOUT_GIVE layout_set *layout_set_read(
	LAYOUT_KEEP layout_context *ctx, const char *text);
LAYOUT_API LAYOUT_GIVE layout_set *layout_set_copy(LAYOUT_KEEP layout_set *set);
LAYOUT_API void layout_set_free(LAYOUT_TAKE layout_set *set);
LAYOUT_API LAYOUT_KEEP layout_context *layout_set_context(LAYOUT_KEEP layout_set *set);

/* isl text that reads back as an equal set. */
LAYOUT_API LAYOUT_GIVE char *layout_set_str(LAYOUT_KEEP layout_set *set);

/* How many coordinates a point has. */
LAYOUT_API unsigned layout_set_rank(LAYOUT_KEEP layout_set *set);

/* Points in either, in both, in "a" only.  The spaces must agree. */
LAYOUT_API LAYOUT_GIVE layout_set *layout_set_union(
	LAYOUT_TAKE layout_set *a, LAYOUT_TAKE layout_set *b);
LAYOUT_API LAYOUT_GIVE layout_set *layout_set_intersect(
	LAYOUT_TAKE layout_set *a, LAYOUT_TAKE layout_set *b);
LAYOUT_API LAYOUT_GIVE layout_set *layout_set_subtract(
	LAYOUT_TAKE layout_set *a, LAYOUT_TAKE layout_set *b);

/* Points x and z become [x, z], an anonymous tuple. */
LAYOUT_API LAYOUT_GIVE layout_set *layout_set_product(
	LAYOUT_TAKE layout_set *a, LAYOUT_TAKE layout_set *b);

/* Reorder the coordinates: the new k-th is the old order[k]-th.  Drop some of them. */
LAYOUT_API LAYOUT_GIVE layout_set *layout_set_permute(
	LAYOUT_TAKE layout_set *set, const unsigned *order, unsigned count);
LAYOUT_API LAYOUT_GIVE layout_set *layout_set_project(
	LAYOUT_TAKE layout_set *set, const unsigned *dims, unsigned count);

/* The same set in fewer pieces, without constraints that follow from others. */
LAYOUT_API LAYOUT_GIVE layout_set *layout_set_simplify(LAYOUT_TAKE layout_set *set);

/* Replace parameters by numbers; names the set lacks are ignored. */
LAYOUT_API LAYOUT_GIVE layout_set *layout_set_fix(LAYOUT_TAKE layout_set *set,
	const layout_size *sizes, unsigned count);

/* Are the points the same for all values of the parameters?  Is there none for any?
 * "witness" as for relations, below. */
LAYOUT_API layout_answer layout_set_equal(LAYOUT_KEEP layout_set *a,
	LAYOUT_KEEP layout_set *b, layout_witness **witness);
LAYOUT_API layout_answer layout_set_is_empty(LAYOUT_KEEP layout_set *set);

/* Call "visit" for every point in lexicographic order until it returns false.
 * The set must be bounded and without parameters (LAYOUT_ERROR_INVALID).  Points are
 * visited as they are found, however many there are; the quota is for the way from one
 * to the next. */
typedef bool (*layout_visit_point)(void *user, const int64_t *point, unsigned rank);
LAYOUT_API bool layout_set_for_each(LAYOUT_KEEP layout_set *set,
	layout_visit_point visit, void *user);

/* Relations */

/* Read isl text, "[M] -> { a[i] -> b[i mod 4] : 0 <= i < M }". */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_read(
	LAYOUT_KEEP layout_context *ctx, const char *text);
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_copy(
	LAYOUT_KEEP layout_relation *relation);
LAYOUT_API void layout_relation_free(LAYOUT_TAKE layout_relation *relation);
LAYOUT_API LAYOUT_KEEP layout_context *layout_relation_context(
	LAYOUT_KEEP layout_relation *relation);

/* isl text that reads back as an equal relation, with "mod" and "floor" as a
 * person would write them. */
LAYOUT_API LAYOUT_GIVE char *layout_relation_str(LAYOUT_KEEP layout_relation *relation);

/* Exactly what isl prints. */
LAYOUT_API LAYOUT_GIVE char *layout_relation_isl_str(
	LAYOUT_KEEP layout_relation *relation);

/* The relation as MLIR text, "affine_map<(d0, d1)[s0] -> (d0 floordiv 4, d1 + s0)>":
 * parameters become symbols in order.  The domain's conditions are not part of
 * that notation and are left out.  LAYOUT_ERROR_NO_ANSWER: not a function, or one
 * in several pieces. */
LAYOUT_API LAYOUT_GIVE char *layout_relation_affine_map_str(
	LAYOUT_KEEP layout_relation *relation);

/* How many coordinates an input has, and an image. */
LAYOUT_API unsigned layout_relation_in_rank(LAYOUT_KEEP layout_relation *relation);
LAYOUT_API unsigned layout_relation_out_rank(LAYOUT_KEEP layout_relation *relation);

/* Apply "inner", then "outer".
 *
 *	inner  : X -> Y        e.g. { lane[t] -> tile[t, 0] }
 *	outer  : Y -> Z        e.g. { tile[i, j] -> lds[16i + j] }
 *	result : X -> Z        pairs (x, z) joined by some y in both
 *
 * A y outside the domain of "outer" drops its x from the result; compare
 * domains first where that has to be noticed.  Both arguments are consumed,
 * also on failure.  NULL means failure, with one of these on the context:
 *
 *	LAYOUT_ERROR_SPACE	range of "inner" is not the domain of "outer"
 *	LAYOUT_ERROR_QUOTA	the context's operation quota ran out: unknown, not no
 *	LAYOUT_ERROR_ISL	isl failed otherwise, memory for instance
 *
 * A NULL argument is an earlier failure: its error stays as it was. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_compose(
	LAYOUT_TAKE layout_relation *outer, LAYOUT_TAKE layout_relation *inner);

/* X -> Y becomes Y -> X, one-to-many where the relation was many-to-one. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_inverse(
	LAYOUT_TAKE layout_relation *relation);

/* Y -> X: for each image the lexicographically least of its inputs, so that it is a
 * left inverse of an injective relation, and a right inverse of any function.
 * LAYOUT_ERROR_NO_ANSWER where an image may have no least input, its inputs having
 * no bound. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_least_inverse(
	LAYOUT_TAKE layout_relation *relation);

/* X -> Y and Z -> W become [x, z] -> [y, w], anonymous tuples. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_product(
	LAYOUT_TAKE layout_relation *a, LAYOUT_TAKE layout_relation *b);

/* Pairs in either, in both, in "a" only.  The spaces must agree. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_union(
	LAYOUT_TAKE layout_relation *a, LAYOUT_TAKE layout_relation *b);
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_intersect(
	LAYOUT_TAKE layout_relation *a, LAYOUT_TAKE layout_relation *b);
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_subtract(
	LAYOUT_TAKE layout_relation *a, LAYOUT_TAKE layout_relation *b);

/* Keep the pairs whose input, or image, is in "set". */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_restrict(
	LAYOUT_TAKE layout_relation *relation, LAYOUT_TAKE layout_set *set);
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_restrict_range(
	LAYOUT_TAKE layout_relation *relation, LAYOUT_TAKE layout_set *set);

/* All inputs that have an image, and all images. */
LAYOUT_API LAYOUT_GIVE layout_set *layout_relation_domain(
	LAYOUT_TAKE layout_relation *relation);
LAYOUT_API LAYOUT_GIVE layout_set *layout_relation_range(
	LAYOUT_TAKE layout_relation *relation);

/* Reorder the image's coordinates: the new k-th is the old order[k]-th. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_permute(
	LAYOUT_TAKE layout_relation *relation, const unsigned *order, unsigned count);

/* Drop these coordinates of the image. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_project(
	LAYOUT_TAKE layout_relation *relation, const unsigned *dims, unsigned count);

/* The same relation in fewer pieces, without constraints that follow from
 * others. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_simplify(
	LAYOUT_TAKE layout_relation *relation);

/* Replace parameters by numbers; names the relation lacks are ignored. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_relation_fix(
	LAYOUT_TAKE layout_relation *relation, const layout_size *sizes, unsigned count);

/* Questions.  "witness" may be NULL; else it receives an object on LAYOUT_NO and
 * NULL otherwise.
 *
 *	is_function	no input has two images
 *	is_injective	no image has two inputs
 *	is_surjective	every point of "onto" is an image
 *	is_bijective	a function from its domain, injective, whose images are the
 *			points of "onto", all of them and no others
 *	is_total	every point of "from" has an image */
LAYOUT_API layout_answer layout_relation_equal(LAYOUT_KEEP layout_relation *a,
	LAYOUT_KEEP layout_relation *b, layout_witness **witness);
LAYOUT_API layout_answer layout_relation_is_function(
	LAYOUT_KEEP layout_relation *relation, layout_witness **witness);
LAYOUT_API layout_answer layout_relation_is_injective(
	LAYOUT_KEEP layout_relation *relation, layout_witness **witness);
LAYOUT_API layout_answer layout_relation_is_surjective(
	LAYOUT_KEEP layout_relation *relation, LAYOUT_KEEP layout_set *onto,
	layout_witness **witness);
LAYOUT_API layout_answer layout_relation_is_bijective(
	LAYOUT_KEEP layout_relation *relation, LAYOUT_KEEP layout_set *onto,
	layout_witness **witness);
LAYOUT_API layout_answer layout_relation_is_total(
	LAYOUT_KEEP layout_relation *relation, LAYOUT_KEEP layout_set *from,
	layout_witness **witness);

#ifdef __cplusplus
}
#endif

#endif
