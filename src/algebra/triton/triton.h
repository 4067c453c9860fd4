/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Triton's encodings from the inside. */
#ifndef LAYOUT_ALGEBRA_TRITON_H
#define LAYOUT_ALGEBRA_TRITON_H

#include "isl_bridge/context.h"
#include <layout/triton.h>

/* Bits of an input or an output of a layout. */
#define TRITON_BITS 62

/* What an encoding is made of, as texts name it: for errors, which say where it is. */
enum triton_field {
	TRITON_ENCODING,		/* the encoding as a whole */
	TRITON_SIZE_PER_THREAD,
	TRITON_THREADS_PER_WARP,
	TRITON_WARPS_PER_CTA,
	TRITON_ORDER,
	TRITON_CGA_LAYOUT,
	TRITON_CTAS_PER_CGA,
	TRITON_CTA_SPLIT_NUM,
	TRITON_CTA_ORDER,
	TRITON_DIM,
	TRITON_PARENT,
	TRITON_OP_IDX,
	TRITON_K_WIDTH,
	TRITON_VERSION,
	TRITON_INSTR_SHAPE,
	TRITON_IS_TRANSPOSED,
	TRITON_TILES_PER_WARP,
	TRITON_ELEMENT_BIT_WIDTH,
	TRITON_IS_TRANSPOSE,		/* what amd_wmma calls it */
	TRITON_CTA_LAYOUT,
	TRITON_RANK_FIELD,
	TRITON_VEC,
	TRITON_PER_PHASE,
	TRITON_MAX_PHASE,
	TRITON_PADDING,			/* the list before padded_shared's fields */
	TRITON_SHAPE,
	TRITON_OFFSET,
	TRITON_BLOCK,
	TRITON_VERSION_MAJOR,		/* what nvidia_mma calls its version */
	TRITON_VERSION_MINOR,
	TRITON_SWIZZLING,
	TRITON_TRANSPOSED,		/* what nvmma_shared calls it */
	TRITON_ALIGNMENT,		/* of shared_linear, behind its fields */
	TRITON_FP4_PADDED,
	TRITON_FIELDS,
};
extern const char *const triton_field_names[TRITON_FIELDS];

/* "blocked", "slice", .. by kind. */
#define TRITON_KINDS 12
extern const char *const triton_kind_names[TRITON_KINDS];

/* Does it lie in shared memory? */
static inline bool triton_is_shared(layout_triton_kind kind)
{
	return kind == LAYOUT_TRITON_SWIZZLED_SHARED || kind == LAYOUT_TRITON_PADDED_SHARED ||
		kind == LAYOUT_TRITON_AMD_ROTATING_SHARED ||
		kind == LAYOUT_TRITON_NVMMA_SHARED || kind == LAYOUT_TRITON_SHARED_LINEAR;
}

/* The description is complete and of a normal form: what the kind does not use is 0
 * or NULL, amd_wmma has bases, padded_shared has offset_bases only where its order and
 * shape do not say the same, shared_linear has a shape.  The lists lie in "numbers". */
struct layout_triton {
	layout_context *ctx;
	unsigned references;
	layout_triton_desc desc;
	int64_t numbers[];
};

/* layout_triton_new() with a position for each field's errors; "places" may be NULL. */
layout_triton *triton_new_at(layout_context *ctx, const layout_triton_desc *desc,
	const long places[TRITON_FIELDS]);

/* "order" with the dimensions that "count" bases walk through, in that order, first, and
 * the others after them, last first. */
void triton_order_of_bases(unsigned rank, unsigned count, const int64_t *bases,
	int64_t *order);

/* A linear layout of registers or of shared memory as an encoding. */
layout_triton *triton_of_linear(layout_linear *linear);

/* Is this a description that Triton accepts?  Else an error.  Ranks of slice and
 * dot_op are set by then. */
bool triton_check(layout_context *ctx, const layout_triton_desc *desc,
	const long places[TRITON_FIELDS]);

#endif
