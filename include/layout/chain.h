/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chains of relayout operations on one tensor, folded into one index map: what MLIR
 * writes with linalg and tensor operations and IREE folds to map_store or map_load. */
#ifndef LAYOUT_CHAIN_H
#define LAYOUT_CHAIN_H

#include <layout/storage.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_chain layout_chain;

/* A chain without operations: the tensor of "source". */
LAYOUT_API LAYOUT_GIVE layout_chain *layout_chain_new(LAYOUT_TAKE layout_storage *source);

/* Each adds an operation and gives the chain back.  Sizes are text, quasi-affine in
 * names, "floor((M + P)/128)"; "?" where the operation can infer it.
 *
 *	transpose	result dimension j is dimension permutation[j]
 *	expand		dimension g becomes the result's next group_sizes[g] dimensions,
 *			of "rank" sizes in all; one "?" a group, the quotient, which is
 *			assumed to be exact.  Of a tensor of rank 0 all dimensions are one
 *			group, of sizes 1
 *	collapse	the next group_sizes[g] dimensions become dimension g
 *	slice		offsets, sizes and strides, one a dimension; those with drop[d],
 *			of size 1, are left out; drop may be NULL
 *	pad		low and high, >= 0, and a number of the tensor's type; NULL: that of
 *			the chain's other paddings, or what a remap pads with
 *	pack		inner_tiles of the dimensions inner_dims_pos, after the outer ones
 *			permuted; "value" pads partial tiles, NULL: assumed to be whole
 *	unpack		the reverse, to sizes "?" = whole tiles
 *	broadcast	to rank "rank"; added[i] are the result's new dimensions
 *
 * Where sizes are names, it is assumed that groups multiply, that slices are in range and
 * that paddings and sizes are not negative: layout_chain_condition().
 *
 * LAYOUT_ERROR_SPACE for wrong ranks and groups, LAYOUT_ERROR_INVALID where what is assumed
 * can never hold, and
 * LAYOUT_ERROR_UNSUPPORTED where an index is not affine: strides and tiles are numbers,
 * and so are all sizes of a group but the first that is not 1. */
LAYOUT_API LAYOUT_GIVE layout_chain *layout_chain_transpose(LAYOUT_TAKE layout_chain *chain,
	unsigned rank, const int64_t *permutation);
LAYOUT_API LAYOUT_GIVE layout_chain *layout_chain_expand(LAYOUT_TAKE layout_chain *chain,
	unsigned groups, const unsigned *group_sizes, const char *const *sizes);
LAYOUT_API LAYOUT_GIVE layout_chain *layout_chain_collapse(LAYOUT_TAKE layout_chain *chain,
	unsigned groups, const unsigned *group_sizes);
LAYOUT_API LAYOUT_GIVE layout_chain *layout_chain_slice(LAYOUT_TAKE layout_chain *chain,
	unsigned rank, const char *const *offsets, const char *const *sizes,
	const char *const *strides, const bool *drop);
LAYOUT_API LAYOUT_GIVE layout_chain *layout_chain_pad(LAYOUT_TAKE layout_chain *chain,
	unsigned rank, const char *const *low, const char *const *high,
	const char *value);
LAYOUT_API LAYOUT_GIVE layout_chain *layout_chain_pack(LAYOUT_TAKE layout_chain *chain,
	unsigned inner_count, const int64_t *inner_dims_pos, const char *const *inner_tiles,
	const int64_t *outer_dims_perm, const char *value);
LAYOUT_API LAYOUT_GIVE layout_chain *layout_chain_unpack(LAYOUT_TAKE layout_chain *chain,
	unsigned inner_count, const int64_t *inner_dims_pos, const int64_t *outer_dims_perm,
	const char *const *sizes);
LAYOUT_API LAYOUT_GIVE layout_chain *layout_chain_broadcast(LAYOUT_TAKE layout_chain *chain,
	unsigned count, const int64_t *added, const char *const *sizes);

/* Read "chain(row_major[M, K], pad([0, 0], [P, 0]), expand_shape([[0, 1], [2]],
 * [?, 128, K]), transpose([1, 0, 2]))". */
LAYOUT_API LAYOUT_GIVE layout_chain *layout_chain_parse(LAYOUT_KEEP layout_context *ctx,
	const char *text);
LAYOUT_API LAYOUT_GIVE layout_chain *layout_chain_copy(LAYOUT_KEEP layout_chain *chain);
LAYOUT_API void layout_chain_free(LAYOUT_TAKE layout_chain *chain);
LAYOUT_API LAYOUT_GIVE char *layout_chain_str(LAYOUT_KEEP layout_chain *chain);
LAYOUT_API LAYOUT_KEEP layout_context *layout_chain_context(LAYOUT_KEEP layout_chain *chain);

/* The storage that the chain begins with. */
LAYOUT_API LAYOUT_KEEP layout_storage *layout_chain_source(LAYOUT_KEEP layout_chain *chain);

/* The result's shape, each size as text; and what is assumed of the sizes, as a
 * condition for layout_remap_assume(), or NULL where there is none. */
LAYOUT_API unsigned layout_chain_rank(LAYOUT_KEEP layout_chain *chain);
LAYOUT_API const char *layout_chain_size(LAYOUT_KEEP layout_chain *chain, unsigned dim);
LAYOUT_API const char *layout_chain_condition(LAYOUT_KEEP layout_chain *chain);

/* The names of the run-time sizes, in order of first appearance; NULL past the last. */
LAYOUT_API const char *layout_chain_size_name(LAYOUT_KEEP layout_chain *chain,
	unsigned i);

/* The pad value of all paddings together; NULL where none was given.  A second, other
 * value is LAYOUT_ERROR_UNSUPPORTED when it is added, unless one of the two paddings is
 * empty for all sizes: then that of the other counts. */
LAYOUT_API const char *layout_chain_pad_value(LAYOUT_KEEP layout_chain *chain);

/* { logical[source index] -> logical[result index] }, exactly the valid points: an index
 * of the result that is no image is padding.  One-to-many after a broadcast; an element
 * that a slice drops has no image. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_chain_relation(
	LAYOUT_KEEP layout_chain *chain);

/* All indices of the result; and those that no element of the source reaches.  Both where
 * the condition holds. */
LAYOUT_API LAYOUT_GIVE layout_set *layout_chain_result(LAYOUT_KEEP layout_chain *chain);
LAYOUT_API LAYOUT_GIVE layout_set *layout_chain_padding(LAYOUT_KEEP layout_chain *chain);

typedef enum {
	LAYOUT_MAP_STORE,	/* source index -> result index and mask */
	LAYOUT_MAP_LOAD,	/* result index -> source index and padding */
} layout_map_direction;

/* The body of iree_linalg_ext.map_store or map_load as MLIR. */
LAYOUT_API LAYOUT_GIVE char *layout_chain_mlir(LAYOUT_KEEP layout_chain *chain,
	layout_map_direction direction, const char *type);

#ifdef __cplusplus
}
#endif

#endif
