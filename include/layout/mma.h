/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Matrix instructions as register layouts: which lane holds which element of an
 * operand's matrix, in which place of its registers.
 *
 * Two families of names:
 *
 *	MFMA_F32_16x16x16_F16, WMMAR3_.., WMMA_.., VMFMA_.., VDMFMA_..
 *		the intrinsics of IREE: K in the order that gives each lane a vector
 *	v_mfma_f32_16x16x16_f16, v_wmma_f32_16x16x16_f16
 *		the instructions of AMD's ISA, with the order of K that AMD publishes
 *
 * The two can differ by a permutation of K, which a matrix product does not see
 * as long as both inputs agree: layout_mma_equal_up_to_k(). */
#ifndef LAYOUT_MMA_H
#define LAYOUT_MMA_H

#include <layout/linear.h>
#include <layout/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_mma layout_mma;

/* The operands: D = lhs * rhs + acc.  Scales are those of the scaled instructions.
 * "acc_hi" is an accumulator of 16 bits in the upper halves of its registers
 * (OPSEL[2] = 1 on gfx11).  "index" says where a sparse instruction's lhs belongs: of
 * every four elements of K it holds two, one after the other, and the index has two bits
 * for each, which of the four it is. */
typedef enum {
	LAYOUT_MMA_LHS,
	LAYOUT_MMA_RHS,
	LAYOUT_MMA_ACC,
	LAYOUT_MMA_LHS_SCALE,
	LAYOUT_MMA_RHS_SCALE,
	LAYOUT_MMA_ACC_HI,
	LAYOUT_MMA_INDEX,
} layout_mma_operand;

/* "lhs", "rhs", "acc", "lhs_scale", "rhs_scale", "acc_hi", "index"; NULL past the
 * last. */
LAYOUT_API const char *layout_mma_operand_name(layout_mma_operand operand);

/* The register layout of an operand of the instruction of that name.
 *
 * "target" is "gfx942", "gfx1100", "gfx1100:wave64"; it may be NULL where every
 * target that has the name and the operand agrees on the layouts, at its usual wave
 * size.  On gfx942
 * and gfx950 the older spellings of a name mean the same, as for AMD's assembler.  Where
 * it says the formats of the inputs by modifiers, "_f8_f4" behind the name does.
 *
 *	LAYOUT_ERROR_INVALID	no such name (the message has near ones), no such
 *				operand, or a target is needed (it has which)
 *	LAYOUT_ERROR_UNSUPPORTED	no such target, or the target lacks it */
LAYOUT_API LAYOUT_GIVE layout_mma *layout_mma_find(LAYOUT_KEEP layout_context *ctx,
	const char *name, layout_mma_operand operand, const char *target);

/* Read "mma<MFMA_F32_16x16x4_F32, lhs>" or
 * "mma<v_wmma_f32_16x16x16_f16, lhs, gfx1100>". */
LAYOUT_API LAYOUT_GIVE layout_mma *layout_mma_parse(LAYOUT_KEEP layout_context *ctx,
	const char *text);
LAYOUT_API LAYOUT_GIVE layout_mma *layout_mma_copy(LAYOUT_KEEP layout_mma *mma);
LAYOUT_API void layout_mma_free(LAYOUT_TAKE layout_mma *mma);

/* In the notation above, with the target where one was given: name and target as
 * given, but for the usual wave size, which is left out. */
LAYOUT_API LAYOUT_GIVE char *layout_mma_str(LAYOUT_KEEP layout_mma *mma);

/* The i-th instruction of a target, those with ISA names last; NULL past the last,
 * and with LAYOUT_ERROR_UNSUPPORTED for an unknown target. */
LAYOUT_API const char *layout_mma_name_at(LAYOUT_KEEP layout_context *ctx,
	const char *target, unsigned i);

/* Has the instruction this operand?  Nothing is put on a context. */
LAYOUT_API bool layout_mma_has(LAYOUT_KEEP layout_mma *mma, layout_mma_operand operand);

/* M, N and K of one block, K counted in elements; the number of blocks. */
typedef struct {
	unsigned m, n, k, blocks;
} layout_mma_shape;
LAYOUT_API layout_mma_shape layout_mma_get_shape(LAYOUT_KEEP layout_mma *mma);

/* The operand's own matrix: M x K, K x N or M x N; scales have one column, or row,
 * for 32 elements of K, or 16; a sparse lhs and its index have K/2 columns. */
LAYOUT_API unsigned layout_mma_rows(LAYOUT_KEEP layout_mma *mma);
LAYOUT_API unsigned layout_mma_columns(LAYOUT_KEEP layout_mma *mma);

/* The operand's element type as the tables name it, "f16", "f8E4M3FNUZ"; "f8|f4"
 * where the instruction takes several, "f32|bf16" where it takes the first and gives the
 * second.  Without a target: that of the first target. */
LAYOUT_API const char *layout_mma_type(LAYOUT_KEEP layout_mma *mma);

/* The lanes of a wave, and the elements that one lane holds. */
LAYOUT_API unsigned layout_mma_lanes(LAYOUT_KEEP layout_mma *mma);
LAYOUT_API unsigned layout_mma_elements(LAYOUT_KEEP layout_mma *mma);

/* The layout
 *
 *	{ [lane, element] -> [row, column] }		one block
 *	{ [lane, element] -> [block, row, column] }	several
 *
 * "element" counts elements of the operand's type from bit 0 of its first register.
 * Of a 16-bit accumulator on gfx11 only one half of each register is used: "acc" has
 * the elements 0, 2, .., "acc_hi" 1, 3, ..; all others are outside the domain, and so
 * are lanes that hold nothing.
 * Lanes that hold the same element have the same image. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_mma_relation(LAYOUT_KEEP layout_mma *mma);

/* The box of the images, { [row, column] } or { [block, row, column] }. */
LAYOUT_API LAYOUT_GIVE layout_set *layout_mma_box(LAYOUT_KEEP layout_mma *mma);

/* One point of the layout: "image" gets [row, column] or [block, row, column] and
 * the number of these is returned; 0 where the lane has no such element. */
LAYOUT_API unsigned layout_mma_apply(LAYOUT_KEEP layout_mma *mma, unsigned lane,
	unsigned element, int64_t image[3]);

/* The layout over F2: inputs "lane" and "element", outputs "row" and "column", or
 * "block", "row" and "column".  LAYOUT_ERROR_NO_ANSWER where elements are left out. */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_mma_linear(LAYOUT_KEEP layout_mma *mma);

/* The layout of the operand of a larger product, of repeat[0] x repeat[1] of the operand's
 * own matrices in registers, for each of subgroups[0] x subgroups[1] subgroups
 *
 *	{ [subgroup, lane, element] -> [row, column] }		or [block, row, column]
 *
 * Subgroups are a grid over M and N, those of N fastest: all of one M hold the same of
 * what has no N, and all have the whole of K.  From the outside to the inside rows and
 * columns are those of subgroups, of repetitions, of the instruction; elements are those
 * of the rows' repetitions, of the columns', of the instruction.  NULL: 1 x 1.
 *
 * LAYOUT_ERROR_INVALID for counts below 1, and for more than 2^24 elements altogether.
 * Since 0.1. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_mma_repeat(LAYOUT_KEEP layout_mma *mma,
	const int64_t repeat[2], const int64_t subgroups[2]);

/* Are two conventions for one matrix product the same but for the order of K?
 *
 *	lhs_a, lhs_b : { X -> [.., row, k] }	rhs_a, rhs_b : { Y -> [.., k, column] }
 *
 * Yes where one permutation p of K makes "a" into "b" in both operands at once: then
 * "permutation" receives { [k] -> [p(k)] }.  Else "witness" receives one or two points
 * of an operand, [0, x..] of the lhs or [1, y..] of the rhs: one where row, column,
 * block or the very presence differ; two that need different images of one k, or one
 * image of two.  Both may be NULL.  The relations must be bounded functions without
 * sizes (LAYOUT_ERROR_INVALID) of the ranks above (LAYOUT_ERROR_SPACE).
 * LAYOUT_ERROR_QUOTA: one has more points than the quota's number. */
LAYOUT_API layout_answer layout_mma_equal_up_to_k(
	LAYOUT_KEEP layout_relation *lhs_a, LAYOUT_KEEP layout_relation *rhs_a,
	LAYOUT_KEEP layout_relation *lhs_b, LAYOUT_KEEP layout_relation *rhs_b,
	layout_relation **permutation, layout_witness **witness);

#ifdef __cplusplus
}
#endif

#endif
