/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps: copy one logical tensor from a storage to another, and pad. */
#ifndef LAYOUT_REMAP_H
#define LAYOUT_REMAP_H

#include <layout/chain.h>
#include <layout/relation.h>
#include <layout/storage.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_remap layout_remap;

/* Copy every element of the logical tensor from "source" to "destination", as
 * bits, and write "pad" to the destination's padding.
 *
 *	type	i2 u2 i4 u4 f4E2M1FN f6E2M3FN f6E3M2FN
 *		i1 i8 u8 f8E4M3FN f8E4M3FNUZ f8E5M2 f8E5M2FNUZ f8E8M0FNU
 *		i16 u16 f16 bf16 i32 u32 f32 i64 u64 index f64, and integers with
 *		their sign as MLIR has them, si8, ui8.  i1 is a byte, 0 or 1, and
 *		index has 64 bits
 *	pad	a number of that type, or its bits as 0x...; NULL means 0
 *
 * Elements lie bit after bit, the lowest first: element e of a storage begins at bit
 * e*bits, and bit b is bit b mod 8 of byte b / 8.  A storage of n elements has
 * ceil(n*bits / 8) bytes; what the last has beyond the last element is written as 0.
 *
 * LAYOUT_ERROR_SPACE where the two logical shapes differ.  That no two elements
 * share a cell of the destination is asked when a kernel is made, under what
 * layout_remap_assume() added. */
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_new(
	LAYOUT_TAKE layout_storage *source, LAYOUT_TAKE layout_storage *destination,
	const char *type, const char *pad);

typedef enum {
	LAYOUT_ROUND_NEAREST_EVEN,	/* "nearest_even" */
	LAYOUT_ROUND_TOWARD_ZERO,	/* "toward_zero" */
} layout_rounding;

/* What happens to an element on its way: it is multiplied by "scale", in f64 where
 * either type is f64, else in f32, to nearest even; the product is rounded to the
 * destination's type.
 *
 * Subnormal numbers are kept and NaN stays NaN.  What is beyond the largest number
 * becomes an infinity, or the largest number if it is rounded toward zero; where the
 * type has no infinity, the largest number, and so do infinities, and NaN where there
 * is none.  Integers saturate, those without a sign in their name as signed ones; to i1,
 * what is not 0 becomes 1, and so it does from i1. */
typedef struct {
	size_t size;			/* sizeof(layout_conversion) */
	const char *type;		/* of the destination; NULL: the source's */
	layout_rounding rounding;
	const char *scale;		/* a number of the type it is multiplied in; */
					/* NULL: none */
} layout_conversion;
#define LAYOUT_CONVERSION_INIT LAYOUT_INIT(layout_conversion)

/* As layout_remap_new(), where "type" is the source's and "pad" a number of the
 * destination's, which is not scaled.  LAYOUT_ERROR_UNSUPPORTED between integers and
 * floating point, for integers with a scale, and for anything but a copy of
 * f8E8M0FNU.  "conversion" may be NULL. */
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_new_converting(
	LAYOUT_TAKE layout_storage *source, LAYOUT_TAKE layout_storage *destination,
	const char *type, const char *pad, const layout_conversion *conversion);

/* As layout_remap_new_converting(), but element i goes to index map(i) of the
 * destination's logical tensor, of whatever shape.  An element outside the map's domain
 * is not copied; indices that no element goes to are padding, written once.  Names in
 * the map are sizes.
 *
 *	{ [i] -> [i + 2] }			two of padding before the elements
 *	[P] -> { [i, j] -> [i + P, j + 1] }	names after those of the storages
 *	{ [i] -> [i - 2] : 2 <= i < 10 }	eight elements
 *
 * An element may go to several indices.
 *
 * LAYOUT_ERROR_SPACE where the ranks differ.  That all go inside the destination and no
 * two to one index is asked when a kernel is made. */
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_new_mapped(
	LAYOUT_TAKE layout_storage *source, LAYOUT_TAKE layout_storage *destination,
	LAYOUT_TAKE layout_relation *map, const char *type, const char *pad,
	const layout_conversion *conversion);

/* As layout_remap_new_mapped(), from the source of a chain by the chain's relation.  The
 * destination's logical tensor is the chain's result: sizes that are not known to be the
 * result's are assumed to be, as is the chain's condition.  "pad" and the chain's pad
 * value are of one number, unless one of the two paddings is empty.
 *
 * LAYOUT_ERROR_SPACE where the shapes differ for all sizes, LAYOUT_ERROR_UNSUPPORTED for
 * two pad values. */
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_new_chained(
	LAYOUT_TAKE layout_chain *chain, LAYOUT_TAKE layout_storage *destination,
	const char *type, const char *pad, const layout_conversion *conversion);

/* Read "remap(SOURCE -> DESTINATION, type = f32, pad = 0.0)", or with a conversion,
 * "type = f32 -> f16, rounding = toward_zero, scale = 0.5", or with a map, an
 * affine_map or in isl's notation, "type = f32, map = { [i] -> [i + 2] }".  SOURCE may
 * be a chain; "?" among the destination's sizes is then the result's. */
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_copy(LAYOUT_KEEP layout_remap *remap);
LAYOUT_API void layout_remap_free(LAYOUT_TAKE layout_remap *remap);
LAYOUT_API LAYOUT_GIVE char *layout_remap_str(LAYOUT_KEEP layout_remap *remap);

/* The body of iree_linalg_ext.map_load, which writes the padding, or of map_store as MLIR: of
 * a remap between a row-major and a packed tensor, or of a chain into a row-major one, that
 * converts nothing.  LAYOUT_ERROR_UNSUPPORTED for others, and for a map_store where there is
 * padding. */
LAYOUT_API LAYOUT_GIVE char *layout_remap_mlir(LAYOUT_KEEP layout_remap *remap,
	layout_map_direction direction);
LAYOUT_API LAYOUT_KEEP layout_context *layout_remap_context(
	LAYOUT_KEEP layout_remap *remap);

/* What it was made of; the types by their names, "f32". */
LAYOUT_API LAYOUT_KEEP layout_storage *layout_remap_source(
	LAYOUT_KEEP layout_remap *remap);
LAYOUT_API LAYOUT_KEEP layout_storage *layout_remap_destination(
	LAYOUT_KEEP layout_remap *remap);
LAYOUT_API const char *layout_remap_type(LAYOUT_KEEP layout_remap *remap);
LAYOUT_API const char *layout_remap_destination_type(LAYOUT_KEEP layout_remap *remap);

/* The width of an element: of the source in bits, in bytes rounded up, and of the
 * destination in bits. */
LAYOUT_API unsigned layout_remap_element_bits(LAYOUT_KEEP layout_remap *remap);
LAYOUT_API unsigned layout_remap_element_bytes(LAYOUT_KEEP layout_remap *remap);
LAYOUT_API unsigned layout_remap_destination_bits(LAYOUT_KEEP layout_remap *remap);
LAYOUT_API uint64_t layout_remap_pad_bits(LAYOUT_KEEP layout_remap *remap);

/* The map as it was given, or a chain's; NULL where elements keep their index. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_remap_map(LAYOUT_KEEP layout_remap *remap);

/* The run-time sizes in order of first appearance, source first: the order of
 * the kernel's arguments.  NULL past the last. */
LAYOUT_API const char *layout_remap_size_name(LAYOUT_KEEP layout_remap *remap,
	unsigned i);

/* Narrow the contract by a condition on the sizes, "M < 65536 and K >= 16". */
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_assume(
	LAYOUT_TAKE layout_remap *remap, const char *condition);

/* A copy that assumes of each size of at most 256 what it is at a run whose sizes are known:
 * on a CPU, rows that are that short take code with numbers a fraction of the time.  NULL
 * without an error where that is not worth while or not so: no size is short, both sides have
 * less than 4 MiB, sizes are missing or not allowed. */
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_assume_short(
	LAYOUT_KEEP layout_remap *remap, const layout_size *sizes, unsigned count);

/* source cell -> destination cell. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_remap_relation(
	LAYOUT_KEEP layout_remap *remap);

/* Is the destination's memory the source's, bit for bit, for all sizes of the contract:
 * every element in its place, nothing converted, as many cells, and the same ones are
 * padding?  Then there is nothing to do, if the source's padding holds the pad value, as
 * remaps leave it.  However the two storages are written.  Of a map that is no shift and has names
 * of sizes the answer is no, or unknown with LAYOUT_ERROR_NO_ANSWER. */
LAYOUT_API layout_answer layout_remap_is_identity(LAYOUT_KEEP layout_remap *remap);

#ifdef __cplusplus
}
#endif

#endif
