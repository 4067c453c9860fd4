/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Data-tiling encodings (IREE's encoding_info): pack into tiles, then swizzle
 * each tile by splitting its dimensions and permuting the parts. */
#ifndef LAYOUT_ENCODING_H
#define LAYOUT_ENCODING_H

#include <layout/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_encoding layout_encoding;

typedef enum {
	LAYOUT_DIM_INTERNAL,		/* within one lane of one intrinsic */
	LAYOUT_DIM_CROSS_THREAD,
	LAYOUT_DIM_CROSS_INTRINSIC,	/* unrolling */
} layout_dim_kind;

/* One part of an inner tile.  "factor" consecutive threads see the same data
 * (1 unless CrossThread).  It says nothing about storage. */
typedef struct {
	layout_dim_kind kind;
	int64_t size;
	int64_t factor;
} layout_encoding_dim;

/* A tile of no dimension. */
#define LAYOUT_NO_DIM (-1)

/* An encoding of a tensor of rank outer_count.
 *
 *	inner_dims_pos	the tensor dimensions that are tiled, no one twice; LAYOUT_NO_DIM
 *			for a tile that is of none: of a loop that has one step, so that
 *			all of the tile but its index 0 is padding.  Wants a swizzle
 *	inner_tiles	their tile sizes, > 0
 *	outer_dims_perm	packed outer dimension i is tensor dimension perm[i];
 *			NULL means the identity (outer_count may then be 0: any rank)
 *	group_sizes	inner tile i is split into that many parts; NULL: no swizzle
 *	dims		the parts, group after group; a group multiplies to its tile
 *	permutation	packed inner dimension j is part permutation[j] */
typedef struct {
	size_t size;			/* sizeof(layout_encoding_desc) */
	unsigned inner_count;
	const int64_t *inner_dims_pos;
	const int64_t *inner_tiles;
	unsigned outer_count;
	const int64_t *outer_dims_perm;
	const unsigned *group_sizes;
	unsigned dim_count;
	const layout_encoding_dim *dims;
	const int64_t *permutation;
} layout_encoding_desc;
#define LAYOUT_ENCODING_DESC_INIT LAYOUT_INIT(layout_encoding_desc)

/* The description is copied; the message of an error names what of it does not fit. */
LAYOUT_API LAYOUT_GIVE layout_encoding *layout_encoding_new(
	LAYOUT_KEEP layout_context *ctx, const layout_encoding_desc *desc);

/* Read "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16],
 * outerDimsPerm = [0, 1], swizzle = {expandShape = [[["CrossThread", 4 : i16], ...],
 * ...], permutation = [...]}}>", also inside
 * "#iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {...}}>" and
 * "#iree_encoding.layout<[...]>".  Tiles of no dimension are groups of expandShape, not
 * in innerDimsPos and innerTileSizes; "unitGroups = [0]" says which groups.  Without it
 * the sizes of the tiles must leave no choice. */
LAYOUT_API LAYOUT_GIVE layout_encoding *layout_encoding_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);
LAYOUT_API LAYOUT_GIVE layout_encoding *layout_encoding_copy(
	LAYOUT_KEEP layout_encoding *encoding);
LAYOUT_API void layout_encoding_free(LAYOUT_TAKE layout_encoding *encoding);

/* What the encoding was made of, into a description whose "size" is set; its lists are
 * the encoding's own.  False for NULL. */
LAYOUT_API bool layout_encoding_describe(LAYOUT_KEEP layout_encoding *encoding,
	layout_encoding_desc *desc);

/* Always in the form "encoding_info<{...}>". */
LAYOUT_API LAYOUT_GIVE char *layout_encoding_str(LAYOUT_KEEP layout_encoding *encoding);

#ifdef __cplusplus
}
#endif

#endif
