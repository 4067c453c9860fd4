/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Storages: where the elements of a logical tensor lie in memory.
 *
 * A storage is logical[i, j, ..] -> cell[..], cells in memory order, outermost
 * first.  A size is text: an integer or a quasi-affine expression of names, "513",
 * "M", "K + Q", "128*A", "floor((M + P)/128)", "ceil(M/16)".  Names are sizes known
 * only at run time, >= 0. */
#ifndef LAYOUT_STORAGE_H
#define LAYOUT_STORAGE_H

#include <layout/encoding.h>
#include <layout/swizzle.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_storage layout_storage;

/* Which of the constructors below made it; swizzling changes nothing about that. */
typedef enum {
	LAYOUT_STORAGE_ROW_MAJOR,
	LAYOUT_STORAGE_COL_MAJOR,
	LAYOUT_STORAGE_STRIDED,
	LAYOUT_STORAGE_PACKED,
} layout_storage_kind;

/* logical[i, j] -> cell[i, j], and -> cell[j, i]. */
LAYOUT_API LAYOUT_GIVE layout_storage *layout_storage_row_major(
	LAYOUT_KEEP layout_context *ctx, unsigned rank, const char *const *sizes);
LAYOUT_API LAYOUT_GIVE layout_storage *layout_storage_col_major(
	LAYOUT_KEEP layout_context *ctx, unsigned rank, const char *const *sizes);

/* logical[i, j] -> cell[1024i + j] for integer strides.  A stride that is a name
 * has a cell dimension of its own; named strides come first, in the order of
 * their dimensions.  Strides are >= 0; 0 replicates.
 *
 * Named strides nest with the others in some order: each is larger than what all
 * smaller strides reach together.  Dimensions of size 1 do not count, and without
 * elements strides are any.  The relation carries what is affine of that, M <= 1
 * or K <= S for strided[M, K : S, 1]; where names become numbers, for a shape or a
 * launch, all of it is checked.  2 x 3 elements with strides 3 and 2 share no cell
 * either, but do not nest, and are refused: to tell them from those that overlap
 * is a search. */
LAYOUT_API LAYOUT_GIVE layout_storage *layout_storage_strided(
	LAYOUT_KEEP layout_context *ctx, unsigned rank, const char *const *sizes,
	const char *const *strides);

/* logical[i, j] -> cell[outer.., inner..] as the encoding says; partial tiles are
 * padded to whole ones. */
LAYOUT_API LAYOUT_GIVE layout_storage *layout_storage_packed(
	LAYOUT_TAKE layout_encoding *encoding, unsigned rank, const char *const *sizes);

/* A storage by the tag of a format, as oneDNN and TVM write them: "nChw16c", "AB16b64a",
 * "OIhw4i16o4i", "NHWC", "ba".  Sizes are in the order a, b, c, ..; n, c, d, h, w; g, o, i, d,
 * h, w; t, n, c; l, d, n, c; or l, d, i, g, o, whatever the tag's.  It is a row-major or a
 * packed storage. */
LAYOUT_API LAYOUT_GIVE layout_storage *layout_storage_tagged(
	LAYOUT_KEEP layout_context *ctx, const char *tag, unsigned rank,
	const char *const *sizes);

/* The tag of a storage in the letters a, b, c, ..; LAYOUT_ERROR_NO_ANSWER where it has none. */
LAYOUT_API LAYOUT_GIVE char *layout_storage_tag(LAYOUT_KEEP layout_storage *storage);

/* What numbers a swizzle permutes:
 *
 *	OFFSET	the storage has at offset "by"(o), in elements, what "storage" has at
 *		offset o.  Its cells, and so its padding, are permuted with it
 *	INDEX	the storage has index number n, row-major and without gaps, where
 *		"storage" has index number "by"(n): strides, pitches, tiles and orders
 *		of dimensions come after the swizzle.  Dimensions inside of what the
 *		swizzle reads need sizes that are numbers
 *
 * Numbers may be of any size, beyond the swizzle's period too. */
typedef enum {
	LAYOUT_SWIZZLED_OFFSET,
	LAYOUT_SWIZZLED_INDEX,
} layout_swizzled_number;

/* The storage, swizzled; the second form is CuTe's Sw<bits, base, shift>.
 * LAYOUT_ERROR_UNSUPPORTED, with the reason and its numbers, where the bits that an XOR
 * is of, or the whole digit that a rotation moves, are not those of single dimensions in
 * memory, since digits carry; and where elements would leave the storage, or its index
 * box. */
LAYOUT_API LAYOUT_GIVE layout_storage *layout_storage_swizzled(
	LAYOUT_TAKE layout_storage *storage, LAYOUT_TAKE layout_swizzle *by,
	layout_swizzled_number of);
LAYOUT_API LAYOUT_GIVE layout_storage *layout_storage_swizzled_bits(
	LAYOUT_TAKE layout_storage *storage, int bits, int base, int shift,
	layout_swizzled_number of);

/* Read "row_major[M, 513]", "col_major[..]", "strided[M, K : 1024, 1]",
 * "packed(ENCODING, [M, K])" or "swizzled(STORAGE, SWIZZLE)", the latter by
 * "xor_shuffle<64, 8>", "rotate_rows<64, 8>" or "Sw<3, 3, 3>", and of the index with
 * ", of = index" behind it. */
LAYOUT_API LAYOUT_GIVE layout_storage *layout_storage_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);

/* The storage that a relation { [i, j, ..] -> [cells..] } is: packed(ENCODING, [sizes]),
 * always that kind, proved equal for all sizes.  Inputs are a box from 0 on, of sizes that
 * are numbers or expressions of parameters; each cell coordinate is a digit of one input,
 * floor(i/16) mod 8.  Names of tuples do not matter.  A relation says nothing of padding:
 * where a dimension ends inside of its first tile, that may be smaller than the tile it
 * once had.  LAYOUT_ERROR_NO_ANSWER, with the reason, where there is no such encoding. */
LAYOUT_API LAYOUT_GIVE layout_storage *layout_storage_from_relation(
	LAYOUT_KEEP layout_relation *relation);

/* Copy a storage, free one, the expression that it is, and the context that it lives
 * in. */
LAYOUT_API LAYOUT_GIVE layout_storage *layout_storage_copy(
	LAYOUT_KEEP layout_storage *storage);
LAYOUT_API void layout_storage_free(LAYOUT_TAKE layout_storage *storage);
LAYOUT_API LAYOUT_GIVE char *layout_storage_str(LAYOUT_KEEP layout_storage *storage);
LAYOUT_API LAYOUT_KEEP layout_context *layout_storage_context(
	LAYOUT_KEEP layout_storage *storage);

/* Which constructor made it. */
LAYOUT_API layout_storage_kind layout_storage_get_kind(
	LAYOUT_KEEP layout_storage *storage);

/* Dimensions of the logical tensor. */
LAYOUT_API unsigned layout_storage_rank(LAYOUT_KEEP layout_storage *storage);

/* Are two storages of one logical tensor the same memory: for all sizes every element at
 * the same offset, as many cells, and the same ones padding?  However they are written.
 * "witness" (may be NULL) is for LAYOUT_NO, at small sizes:
 *
 *	two points	a logical index and its two offsets, "M = 2, K = 3: (1, 0): 3, 2"
 *	one point	the offset of a cell that is padding of, or exists in, one of the
 *			two alone, "M = 1, K = 3: cell 3 is padding of the second alone"
 *
 * LAYOUT_ERROR_SPACE where the sizes are not the same, LAYOUT_ERROR_UNSUPPORTED where
 * there is neither a proof nor a difference. */
LAYOUT_API layout_answer layout_storage_same_memory(LAYOUT_KEEP layout_storage *a,
	LAYOUT_KEEP layout_storage *b, layout_witness **witness);

/* The names of the run-time sizes, in order of first appearance; NULL past the last. */
LAYOUT_API const char *layout_storage_size_name(LAYOUT_KEEP layout_storage *storage,
	unsigned i);

/* Size d as text, as it was given. */
LAYOUT_API const char *layout_storage_size(LAYOUT_KEEP layout_storage *storage,
	unsigned dim);

/* logical -> cell on the logical box; and all declared cells, padding included. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_storage_relation(
	LAYOUT_KEEP layout_storage *storage);
LAYOUT_API LAYOUT_GIVE layout_set *layout_storage_cells(
	LAYOUT_KEEP layout_storage *storage);

/* Padding: what rounding up to whole tiles adds.
 *
 *	padding_boxes	the cells of the rounded logical index outside the logical
 *			box, as at most "rank" disjoint boxes of logical[..]
 *			(with a coordinate, of size 1, behind the tensor's own for
 *			each tile of no dimension: LAYOUT_NO_DIM)
 *	padding		their image in cell[..]
 *	padding_count	how many, as a formula:
 *			"128*ceil(M/128)*16*ceil(K/16) - M*K", or "0" */
LAYOUT_API LAYOUT_GIVE layout_set *layout_storage_padding_boxes(
	LAYOUT_KEEP layout_storage *storage);
LAYOUT_API LAYOUT_GIVE layout_set *layout_storage_padding(
	LAYOUT_KEEP layout_storage *storage);
LAYOUT_API LAYOUT_GIVE char *layout_storage_padding_count(
	LAYOUT_KEEP layout_storage *storage);

/* The number of declared cells, padding included, as a formula in the same form;
 * NULL without an error for a strided storage, whose strides leave none so simple. */
LAYOUT_API LAYOUT_GIVE char *layout_storage_cell_count(
	LAYOUT_KEEP layout_storage *storage);

/* With numbers for the names (all of them, each >= 0): the logical shape, "rank"
 * numbers; the shape of the memory as an array (its slots, outermost first;
 * at most LAYOUT_STORAGE_SLOTS) returning how many, or -1; and the elements from
 * the first to the last, gaps included, or -1 (LAYOUT_ERROR_INVALID for a missing
 * name or a broken condition, LAYOUT_ERROR_OVERFLOW; of a memory of more dimensions than
 * there is room for, LAYOUT_ERROR_UNSUPPORTED). */
#define LAYOUT_STORAGE_SLOTS 64
LAYOUT_API bool layout_storage_shape(LAYOUT_KEEP layout_storage *storage,
	const layout_size *sizes, unsigned count, int64_t *shape);
LAYOUT_API int layout_storage_memory_shape(LAYOUT_KEEP layout_storage *storage,
	const layout_size *sizes, unsigned count, int64_t shape[LAYOUT_STORAGE_SLOTS]);
LAYOUT_API int64_t layout_storage_elements(LAYOUT_KEEP layout_storage *storage,
	const layout_size *sizes, unsigned count);

/* The bytes of these elements, which are of a type of layout_remap_new() and lie bit
 * after bit; as a number, -1 as above, and as a formula of cell_count's form, or NULL as
 * there, "4*128*ceil(M/128)*16*ceil(K/16)", "ceil(4*M*K/8)". */
LAYOUT_API int64_t layout_storage_bytes(LAYOUT_KEEP layout_storage *storage,
	const char *type, const layout_size *sizes, unsigned count);
LAYOUT_API LAYOUT_GIVE char *layout_storage_byte_count(
	LAYOUT_KEEP layout_storage *storage, const char *type);

#ifdef __cplusplus
}
#endif

#endif
