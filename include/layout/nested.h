/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nested layouts (IREE's #iree_vector_ext.nested_layout): which thread of which
 * subgroup holds which elements of a vector.
 *
 * Each dimension of the vector is split into five digits, outermost first: the
 * subgroup, the batch, the outer, the thread and the element.  A layout says how
 * large the digits are, and which threads the subgroup's and the thread's mean. */
#ifndef LAYOUT_NESTED_H
#define LAYOUT_NESTED_H

#include <layout/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_nested layout_nested;

/* Seven lists of "rank" numbers; a list may be NULL where rank is 0. */
typedef struct {
	size_t size;			/* sizeof(layout_nested_desc) */
	unsigned rank;
	const int64_t *subgroup_tile;
	const int64_t *batch_tile;
	const int64_t *outer_tile;
	const int64_t *thread_tile;
	const int64_t *element_tile;
	const int64_t *subgroup_strides;
	const int64_t *thread_strides;
	int64_t subgroup_size;		/* threads in a subgroup; 0 means 64 */
	int64_t subgroup_count;	/* of the hardware; 0: as the tiles name */
} layout_nested_desc;
#define LAYOUT_NESTED_DESC_INIT \
	LAYOUT_INIT_WITH(layout_nested_desc, subgroup_size, 64)

/* Tiles must be positive, strides not negative; neither the vector nor the threads
 * may exceed 64 bits (LAYOUT_ERROR_OVERFLOW).  A stride whose tile is 1 becomes 0. */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_new(LAYOUT_KEEP layout_context *ctx,
	const layout_nested_desc *desc);

/* Read "nested_layout<subgroup_tile = [2, 1], ...>" with or without
 * "#iree_vector_ext." before it; lists in any order, all seven given, and where
 * wanted "subgroup_size = 32" and "subgroup_count = 4". */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_copy(
	LAYOUT_KEEP layout_nested *nested);
LAYOUT_API void layout_nested_free(LAYOUT_TAKE layout_nested *nested);
LAYOUT_API LAYOUT_GIVE char *layout_nested_str(LAYOUT_KEEP layout_nested *nested);

/* Ownership, for coordinate d
 *
 *	x_d = (((s_d*B_d + b_d)*O_d + o_d)*T_d + t_d)*E_d + e_d
 *	s_d = floor(thread / (subgroup_size*subgroup_stride_d)) mod S_d
 *	t_d = floor(thread / thread_stride_d) mod T_d
 *
 * as { [thread, b.., o.., e..] -> [x..] }.  A stride of 0 distributes nothing: its
 * id is 0 where the tile is 1, and any of the tile's values elsewhere, so every
 * thread holds all of them.  Threads are those of whole subgroups, as many as tiles
 * and strides name; those that a gap makes the same as others are among them, so that
 * there are tile*stride subgroups at least in each dimension.  Thread tiles ask for more
 * subgroups only where their ids name a thread beyond the first one, tile*stride
 * threads at least then.
 *
 * With a subgroup_count N, the threads are those of N subgroups.  Where there would be
 * more, subgroup n does the work of n, n + N, n + 2N, ..: it holds what each of these
 * would.
 *
 * Where all is a power of two and no thread holds two coordinates in one place, the
 * relation is known as a bit matrix, and isl is asked only for what that cannot. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_nested_relation(
	LAYOUT_KEEP layout_nested *nested);

/* The layout that a relation is, proved equal, of subgroups of that size, or for 0 of the
 * first of 64, 32, .. 1, or of the steps and ends of the thread's digits, that does:
 *
 *	{ [thread, b.., o.., e..] -> [x..] }	1 + 3r inputs for r coordinates
 *	{ [thread, value] -> [x..] }		the value is the number of (b.., o.., e..),
 *						the last fastest
 *
 * Digits of the thread in steps of whole subgroups are the subgroup's; what a thread
 * holds is inside of its thread's digit as an element and outside as an outer, then a
 * batch.  What layout_nested_verify() accepts comes first; where nothing else is equal
 * the layout is one that it refuses, a thread's digit that goes beyond the subgroup for
 * instance, so that layouts of that kind come back, too.
 *
 * LAYOUT_ERROR_NO_ANSWER, with the reason and its numbers, where there is no such layout,
 * and where a thread holds several coordinates in one place; digits that begin anew
 * before all threads have had one, 12 of 64, are not looked for, nor are threads that
 * end inside of a digit, 3 in steps of 2.  LAYOUT_ERROR_QUOTA: not known. */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_from_relation(
	LAYOUT_KEEP layout_relation *relation, int64_t subgroup_size);

/* The vector: its dimensions, and the extent S_d*B_d*O_d*T_d*E_d of each (0 for d past
 * the last). */
LAYOUT_API unsigned layout_nested_rank(LAYOUT_KEEP layout_nested *nested);
LAYOUT_API int64_t layout_nested_size(LAYOUT_KEEP layout_nested *nested, unsigned dim);

/* How many threads the relation is about. */
LAYOUT_API int64_t layout_nested_threads(LAYOUT_KEEP layout_nested *nested);

/* The box of the vector's coordinates, { [x..] : 0 <= x_d < layout_nested_size(d) }. */
LAYOUT_API LAYOUT_GIVE layout_set *layout_nested_box(LAYOUT_KEEP layout_nested *nested);

/* Shapes, of a vector of rank r:
 *
 *	UNDISTRIBUTED		r	S_d*B_d*O_d*T_d*E_d
 *	UNDISTRIBUTED_PACKED	5r	all S, then all B, all O, all T, all E
 *	DISTRIBUTED		3r	what a thread holds: all B, all O, all E
 *	DISTRIBUTED_UNPACKED	r	B_d*O_d*E_d */
typedef enum {
	LAYOUT_NESTED_UNDISTRIBUTED,
	LAYOUT_NESTED_UNDISTRIBUTED_PACKED,
	LAYOUT_NESTED_DISTRIBUTED,
	LAYOUT_NESTED_DISTRIBUTED_UNPACKED,
} layout_nested_shape_kind;

/* How many extents the shape has; the first "capacity" of them go to "shape", which
 * may be NULL if capacity is 0. */
LAYOUT_API unsigned layout_nested_shape(LAYOUT_KEEP layout_nested *nested,
	layout_nested_shape_kind kind, int64_t *shape, unsigned capacity);

/* S, B, O, T and E of one dimension; LAYOUT_ERROR_INVALID past the last. */
LAYOUT_API bool layout_nested_packed_dim(LAYOUT_KEEP layout_nested *nested,
	unsigned dim, int64_t shape[5]);

/* Is this the layout of a vector of that shape?  An extent below 0 is a dynamic one
 * and fits.  False with LAYOUT_ERROR_SPACE, in the reference's words (IREE). */
LAYOUT_API bool layout_nested_check_shape(LAYOUT_KEEP layout_nested *nested,
	const int64_t *shape, unsigned rank);

/* Does the layout distribute the vector as its formula says, so that
 *
 *	- the thread sum(stride_d * t_d) is inside the subgroup for all ids t
 *	- tiles name a multiple of the hardware's subgroups, if more than it has
 *	- strides do not overlap: the thread (subgroup) of the ids reads them back
 *
 * Then every coordinate has an owner.  On LAYOUT_NO, "reason" says why, in one line to
 * be freed by layout_string_free(), and the witness holds points of one number a
 * dimension: the last thread or subgroup ids, which lie beyond; or ids, and what
 * their thread reads instead.  Either may be NULL.  (IREE verifies only that its lists
 * have one length; what it asks of strides is layout_nested_basis().)
 * LAYOUT_UNKNOWN: an earlier error, or strides in no order and more ids than the quota
 * lets one look at, LAYOUT_ERROR_QUOTA. */
LAYOUT_API layout_answer layout_nested_verify(LAYOUT_KEEP layout_nested *nested,
	char **reason, layout_witness **witness);

/* Has every coordinate of the vector an owner?  Yes where layout_nested_verify() says
 * so, else by looking at one after the other; the witness is the first that has none.
 * LAYOUT_UNKNOWN: more coordinates, or strides harder to follow, than the quota
 * allows, LAYOUT_ERROR_QUOTA. */
LAYOUT_API layout_answer layout_nested_is_surjective(LAYOUT_KEEP layout_nested *nested,
	layout_witness **witness);

typedef enum {
	LAYOUT_NESTED_SUBGROUPS,
	LAYOUT_NESTED_THREADS,
} layout_nested_ids;

/* The sizes by which a flat thread id is split into the ids of all dimensions, the
 * outermost first, as IREE computes them: with "count" sizes there are count + 1
 * results, of which result 0 is what is left over, and
 *
 *	result results[d] = floor(thread / step_d) mod tile_d
 *
 * with the step of the formula above.  A gap between strides is a size of its own,
 * and dimensions of stride 0 have size 1.  "sizes" must have room for
 * 2*rank + 1 numbers and "results" for rank.  Returns count, 0 for none; -1 on failure:
 * LAYOUT_ERROR_NO_ANSWER "warp or thread tiles have overlapping strides: .." where a
 * stride is no multiple of the next smaller one times its tile. */
LAYOUT_API int layout_nested_basis(LAYOUT_KEEP layout_nested *nested,
	layout_nested_ids ids, int64_t *sizes, unsigned *results);

/* The coordinates %x0, .. of what thread %thread holds at %b0, .., %o0, .., %e0, .. as MLIR, a
 * line each: its ids by affine.delinearize_index, with the sizes of layout_nested_basis(), and
 * affine.linearize_index of these and the indices.  LAYOUT_ERROR_NO_ANSWER where there is no such
 * basis, or a thread has several ids: tiles without a stride, subgroup_count. */
LAYOUT_API LAYOUT_GIVE char *layout_nested_mlir(LAYOUT_KEEP layout_nested *nested);

/* Who owns what, by arithmetic alone, for any size.
 *
 *	holder		thread, b_0 .., o_0 .., e_0 ..: 1 + 3*rank numbers
 *	coordinate	x_0 ..: rank numbers
 *
 * visit() is called until it returns false; no pair comes twice. */
typedef bool (*layout_visit_holding)(void *user, const int64_t *holder,
	const int64_t *coordinate, unsigned rank);

/* All that hold a coordinate, of the relation's threads.  LAYOUT_ERROR_INVALID: it lies
 * outside the vector.  LAYOUT_ERROR_QUOTA, of both functions: strides in no order make
 * the next holding too hard to find. */
LAYOUT_API bool layout_nested_owners(LAYOUT_KEEP layout_nested *nested,
	const int64_t *coordinate, layout_visit_holding visit, void *user);

/* All that a thread holds, lexicographically by b.., o.., e...  Threads beyond the
 * relation's repeat the formula; with a subgroup_count they do not exist,
 * LAYOUT_ERROR_INVALID. */
LAYOUT_API bool layout_nested_owned(LAYOUT_KEEP layout_nested *nested, int64_t thread,
	layout_visit_holding visit, void *user);

/* Layouts of the vector after an operation on it.  The result keeps subgroup_size and
 * subgroup_count.  (IREE's VectorLayoutInterface.) */

/* Dimension k of the result is dimension order[k]. */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_permute(
	LAYOUT_TAKE layout_nested *nested, const unsigned *order, unsigned count);

/* Drop these dimensions: their coordinates are no longer distinguished. */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_project(
	LAYOUT_TAKE layout_nested *nested, const unsigned *dims, unsigned count);

/* Dimension k of the result is dimension dims[k]; for -1, which stands for any other
 * expression of an affine map, it has unit tiles and strides of 0. */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_apply(
	LAYOUT_TAKE layout_nested *nested, const int *dims, unsigned count);

/* The same for an affine map, a relation (d0, ..) -> results of as many dimensions as
 * the layout has.  LAYOUT_ERROR_INVALID: not known to be one function. */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_apply_map(
	LAYOUT_TAKE layout_nested *nested, LAYOUT_TAKE layout_relation *map);

/* The dimensions of "outer", then those of "inner".  LAYOUT_ERROR_SPACE: of subgroups
 * of different sizes or counts. */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_append(
	LAYOUT_TAKE layout_nested *outer, LAYOUT_TAKE layout_nested *inner);

/* The layout of the same elements, in lexicographic order, under another shape: every
 * thread keeps its elements, each level its digits, and both their order.
 * LAYOUT_ERROR_SPACE: another number of elements; LAYOUT_ERROR_NO_ANSWER, with the
 * numbers, where no nested layout is that. */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_reshape(
	LAYOUT_TAKE layout_nested *nested, const int64_t *shape, unsigned rank);

/* The layout of an operation's result out of those of its operands: dimension d of
 * operand i is that of loop maps[i][d], and the result's dimensions are the loops
 * result[0], ...  The operands are taken, not their array.
 * LAYOUT_ERROR_NO_ANSWER: operands disagree about a loop, or none has it. */
LAYOUT_API LAYOUT_GIVE layout_nested *layout_nested_recombine(
	LAYOUT_KEEP layout_context *ctx, LAYOUT_TAKE layout_nested *const *operands,
	const unsigned *const *maps, unsigned count, const unsigned *result,
	unsigned result_rank);

/* Must a value be exchanged between threads to go from one layout to the other?
 * No where only batch and outer tiles differ, as in IREE.  LAYOUT_UNKNOWN with
 * LAYOUT_ERROR_SPACE: layouts of different vectors. */
LAYOUT_API layout_answer layout_nested_needs_shared_memory(
	LAYOUT_KEEP layout_nested *from, LAYOUT_KEEP layout_nested *to);

#ifdef __cplusplus
}
#endif

#endif
