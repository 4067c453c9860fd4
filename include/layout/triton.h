/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Triton's encodings: how a tensor is distributed over registers, lanes, warps and
 * blocks, or laid out in shared memory.
 *
 * An encoding is a pattern of its own sizes.  A tensor's shape turns it into a
 * layout: the pattern repeats in registers (or along the offset) where the tensor is
 * larger, and several places hold the same element where it is smaller.  The
 * meaning is that of Triton's toLinearLayout() (LinearLayoutConversions.cpp). */
#ifndef LAYOUT_TRITON_H
#define LAYOUT_TRITON_H

#include <layout/linear.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_triton layout_triton;

typedef enum {
	LAYOUT_TRITON_BLOCKED,
	LAYOUT_TRITON_SLICE,		/* a distributed parent without one dimension */
	LAYOUT_TRITON_DOT_OP,		/* operand of a dot with the parent's result */
	LAYOUT_TRITON_AMD_MFMA,
	LAYOUT_TRITON_AMD_WMMA,
	LAYOUT_TRITON_SWIZZLED_SHARED,
	LAYOUT_TRITON_PADDED_SHARED,
	LAYOUT_TRITON_AMD_ROTATING_SHARED,
	LAYOUT_TRITON_NVIDIA_MMA,
	LAYOUT_TRITON_NVMMA_SHARED,	/* what wgmma reads */
	LAYOUT_TRITON_LINEAR,		/* a linear layout itself: of registers, */
	LAYOUT_TRITON_SHARED_LINEAR,	/* of shared memory */
} layout_triton_kind;

/* An encoding supports tensors of 1 .. LAYOUT_TRITON_RANK dimensions. */
#define LAYOUT_TRITON_RANK 32

/* The parameters of an encoding, under Triton's names; a kind uses those that are
 * listed with it.  All sizes are powers of two.  Lists have "rank" numbers unless
 * said otherwise; bases are so many vectors of "rank" coordinates, one after the
 * other, images of 1, 2, 4, ..
 *
 *	blocked		size_per_thread, threads_per_warp, warps_per_cta, order
 *	slice		parent, dim; its rank is the parent's less one
 *	dot_op		parent (blocked, mfma, wmma, mma), op_idx, k_width (0 for blocked);
 *			its rank is the parent's
 *	amd_mfma	version 1 gfx908, 2 gfx90a, 3 gfx942, 4 gfx950; warps_per_cta,
 *			instr_shape (M, N and, if instr_count is 3, K), is_transposed,
 *			tiles_per_warp (NULL: ones), element_bits (32, 64; 0: 32)
 *	amd_wmma	version 1 gfx11, 2 gfx12, 3 gfx1250; is_transposed, instr_shape
 *			(M, N, K; NULL: 16, 16, 16); how warps are arranged, either as
 *			warp_bases and register_bases in units of instructions, or as
 *			warps_per_cta and tiles_per_warp (NULL: ones)
 *	nvidia_mma	version 2, version_minor (mma.sync); warps_per_cta, instr_shape
 *			(M, N: 16, 8, with a batch 1, 16, 8); or version 3 (wgmma), of a
 *			warp's part of an instruction (M, N, K: 16, a multiple of 8 that is
 *			a power of two up to 256, K)
 *	swizzled_shared, amd_rotating_shared	vec, per_phase, max_phase, order
 *	nvmma_shared	swizzle_bytes (0, 32, 64, 128), element_bits (8, 16, 32); is_transposed, of 2
 *			dimensions; fp4_padded: pairs of 4 bits, 8 of 16 bytes (8 bits, 128 bytes)
 *	padded_shared	pad_count pairs of intervals and pads in elements, and either
 *			offset_bases of a tensor of this "shape", or the order of its
 *			dimensions; without a shape, any
 *	linear		linear, from register, lane, warp and block, all or some of these, onto
 *			its outputs, the dimensions; its rank is their number.  Where a
 *			tensor is larger, registers repeat it in the order in which they walk
 *			through the dimensions; where it is smaller, registers that lie
 *			outside are left out
 *	shared_linear	linear, from offset and block onto a tensor of that shape; alignment
 *			in bytes, a power of two (0: 16)
 *
 * "order" names the dimensions, fastest first.  "block_bases" (Triton's CGALayout)
 * say how the tensor is split over the blocks of a cluster, in units of a block's
 * part; a zero vector: both blocks hold the same; none: one block. */
typedef struct {
	size_t size;			/* sizeof(layout_triton_desc) */
	layout_triton_kind kind;
	unsigned rank;
	layout_triton *parent;		/* kept, and shared */
	int64_t dim, op_idx, k_width;
	int64_t version, element_bits;
	bool is_transposed;
	int64_t vec, per_phase, max_phase;
	const int64_t *size_per_thread, *threads_per_warp, *warps_per_cta;
	const int64_t *order, *tiles_per_warp, *shape;
	unsigned instr_count;
	const int64_t *instr_shape;
	unsigned pad_count;
	const int64_t *intervals, *pads;
	unsigned block_count, register_count, warp_count, offset_count;
	const int64_t *block_bases, *register_bases, *warp_bases, *offset_bases;
	int64_t version_minor, swizzle_bytes;
	layout_linear *linear;		/* kept, and shared */
	int64_t alignment;
	bool fp4_padded;
} layout_triton_desc;
#define LAYOUT_TRITON_DESC_INIT LAYOUT_INIT(layout_triton_desc)

/* LAYOUT_ERROR_INVALID where a parameter is missing or has a value that Triton
 * refuses, LAYOUT_ERROR_SPACE where ranks differ; the message names it. */
LAYOUT_API LAYOUT_GIVE layout_triton *layout_triton_new(LAYOUT_KEEP layout_context *ctx,
	const layout_triton_desc *desc);

/* Read "#ttg.blocked<{sizePerThread = [1, 4], ...}>" and so on, as Triton prints it,
 * "#ttg." optional; also the older fields CTAsPerCGA, CTASplitNum, CTAOrder, and of
 * amd_wmma warpsPerCTA and tilesPerWarp.  See docs/linear.md. */
LAYOUT_API LAYOUT_GIVE layout_triton *layout_triton_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);
LAYOUT_API LAYOUT_GIVE layout_triton *layout_triton_copy(
	LAYOUT_KEEP layout_triton *encoding);
LAYOUT_API void layout_triton_free(LAYOUT_TAKE layout_triton *encoding);

/* As today's Triton prints it: CGALayout for the clusters, ctaLayout for amd_wmma,
 * fields that have their default left out. */
LAYOUT_API LAYOUT_GIVE char *layout_triton_str(LAYOUT_KEEP layout_triton *encoding);

/* Its kind, and how many dimensions its tensors have. */
LAYOUT_API layout_triton_kind layout_triton_get_kind(LAYOUT_KEEP layout_triton *encoding);
LAYOUT_API unsigned layout_triton_rank(LAYOUT_KEEP layout_triton *encoding);

/* The layout of a tensor of that shape: (register, lane, warp, block), or for shared
 * memory (offset, block), -> (dim0, dim1, ..).  Offsets are in elements.
 *
 *	LAYOUT_ERROR_SPACE	the rank is not the encoding's, or a padded_shared
 *				encoding is of another shape
 *	LAYOUT_ERROR_NO_ANSWER	a size is no power of two, or the encoding pads:
 *				padding is not linear over F2, see the relation
 *	LAYOUT_ERROR_OVERFLOW	more than 62 bits of one coordinate */
LAYOUT_API LAYOUT_GIVE layout_linear *layout_triton_linear(
	LAYOUT_KEEP layout_triton *encoding, const int64_t *shape, unsigned rank);

/* The same as a relation of anonymous tuples, { [register, lane, warp, block] ->
 * [dim0, ..] }, also for padded_shared: there element o of the linear part lies at
 * offset o + the sum of pad*floor(o/interval), and what is skipped has no image. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_triton_relation(
	LAYOUT_KEEP layout_triton *encoding, const int64_t *shape, unsigned rank);

#ifdef __cplusplus
}
#endif

#endif
