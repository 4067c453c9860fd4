/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Offset permutations of IREE's LDS swizzles (#iree_codegen.xor_shuffle and
 * rotate_rows), in elements.
 *
 * An offset is row * row_width + column * access_width + rest, with
 * N = row_width / access_width columns, and only the column moves:
 *
 *	xor_shuffle	column XOR (floor(offset / row_stride / per_phase) mod N)
 *	rotate_rows	(column + row) mod N
 *
 * Both are bijections of all offsets >= 0 and repeat after a period, the smallest box
 * [0, period) that each maps onto itself for every one of its rows. */
#ifndef LAYOUT_SWIZZLE_H
#define LAYOUT_SWIZZLE_H

#include <layout/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_swizzle layout_swizzle;

/* A row_stride of 0 is row_width, a per_phase of 0 is 1.  LAYOUT_ERROR_INVALID, with
 * the words of IREE's verifier where it has them, unless access_width divides
 * row_width and row_width divides row_stride, N is a power of two and per_phase is at
 * most N; LAYOUT_ERROR_OVERFLOW if the period, row_stride * per_phase * N, does not
 * fit 64 bits. */
LAYOUT_API LAYOUT_GIVE layout_swizzle *layout_swizzle_xor_shuffle(
	LAYOUT_KEEP layout_context *ctx, int64_t row_width, int64_t access_width,
	int64_t row_stride, int64_t per_phase);

/* N may be any number; the period is row_width * N. */
LAYOUT_API LAYOUT_GIVE layout_swizzle *layout_swizzle_rotate_rows(
	LAYOUT_KEEP layout_context *ctx, int64_t row_width, int64_t access_width);

/* Read "xor_shuffle<64, 8>", "xor_shuffle<64, 8, 128, 2>" or "rotate_rows<64, 4>",
 * with or without "#iree_codegen." before it. */
LAYOUT_API LAYOUT_GIVE layout_swizzle *layout_swizzle_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);
LAYOUT_API LAYOUT_GIVE layout_swizzle *layout_swizzle_copy(
	LAYOUT_KEEP layout_swizzle *swizzle);
LAYOUT_API void layout_swizzle_free(LAYOUT_TAKE layout_swizzle *swizzle);
LAYOUT_API LAYOUT_GIVE char *layout_swizzle_str(LAYOUT_KEEP layout_swizzle *swizzle);

/* The size of the box that it maps onto itself, and after which it repeats. */
LAYOUT_API int64_t layout_swizzle_period(LAYOUT_KEEP layout_swizzle *swizzle);

/* Where "offset" >= 0 goes; -1 for others, LAYOUT_ERROR_INVALID. */
LAYOUT_API int64_t layout_swizzle_apply(LAYOUT_KEEP layout_swizzle *swizzle,
	int64_t offset);

/* { [offset] -> [swizzled] } on one period; on as many periods, a power of two of
 * them, as have the first "offsets" offsets in them, or on all offsets where these are
 * beyond 64 bits; and on all offsets >= 0. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_swizzle_relation(
	LAYOUT_KEEP layout_swizzle *swizzle);
LAYOUT_API LAYOUT_GIVE layout_relation *layout_swizzle_relation_up_to(
	LAYOUT_KEEP layout_swizzle *swizzle, int64_t offsets);
LAYOUT_API LAYOUT_GIVE layout_relation *layout_swizzle_unbounded_relation(
	LAYOUT_KEEP layout_swizzle *swizzle);

#ifdef __cplusplus
}
#endif

#endif
