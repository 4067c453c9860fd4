/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Encodings as linear layouts, after Triton's LinearLayoutConversions.cpp. */
#include "algebra/linear/linear.h"
#include "algebra/triton/cover.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>

static bool cover_blocked(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape)
{
	return tile_repeat_all(tile, TILE_REGISTER, desc->size_per_thread, desc->order,
			-1) &&
		tile_repeat_all(tile, TILE_LANE, desc->threads_per_warp, desc->order,
			-1) &&
		tile_repeat_all(tile, TILE_WARP, desc->warps_per_cta, desc->order, -1) &&
		tile_fit_blocks(tile, desc, shape, -1, desc->order);
}

/* Each thread holds all of K of its rows, or columns, of the result. */
static bool cover_blocked_operand(struct tile *tile, const layout_triton_desc *parent,
	const int64_t *shape, unsigned k)
{
	int64_t own[LAYOUT_TRITON_RANK];

	for (unsigned d = 0; d < parent->rank; d++)
		own[d] = d == k ? shape[d] : parent->size_per_thread[d];
	return tile_repeat_all(tile, TILE_REGISTER, own, parent->order, -1) &&
		tile_repeat_all(tile, TILE_LANE, parent->threads_per_warp, parent->order,
			(int)k) &&
		tile_repeat_all(tile, TILE_WARP, parent->warps_per_cta, parent->order,
			(int)k) &&
		tile_fit_blocks(tile, parent, shape, (int)k, parent->order);
}

static bool cover_operand(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape)
{
	unsigned m = desc->rank - 2, n = desc->rank - 1;
	unsigned k = desc->op_idx ? m : n, other = desc->op_idx ? n : m;

	switch (desc->parent->desc.kind) {
	case LAYOUT_TRITON_BLOCKED:
		return cover_blocked_operand(tile, &desc->parent->desc, shape, k);
	case LAYOUT_TRITON_AMD_MFMA:
		return cover_mfma_operand(tile, desc, shape, k, other);
	case LAYOUT_TRITON_NVIDIA_MMA:
		return cover_mma_operand(tile, desc, shape, k, other);
	default:
		return cover_wmma_operand(tile, desc, shape, k, other);
	}
}

static bool cover(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape);

/* The parent of a tensor with one more dimension, of one point. */
static bool cover_slice(struct tile *tile, const layout_triton_desc *desc,
	const int64_t *shape)
{
	int64_t whole[LAYOUT_TRITON_RANK];

	for (unsigned d = 0; d < desc->rank + 1; d++)
		whole[d] = d < desc->dim ? shape[d] : d == desc->dim ? 1 : shape[d - 1];
	if (!cover(tile, &desc->parent->desc, whole))
		return false;
	tile_drop(tile, (unsigned)desc->dim);
	return true;
}

/* The bases of an input, unless there is no such input. */
static bool take_input(struct tile *tile, enum tile_in in, layout_linear *linear,
	const char *name)
{
	struct linear_side ins = linear_ins(linear);
	int at = name ? linear_find(&ins, name) : -1;

	for (unsigned i = 0; at >= 0 && i < ins.widths[at]; i++) {
		int64_t *basis = tile_add(tile, in);

		if (!basis)
			return false;
		layout_linear_basis(linear, (unsigned)at, i, basis);
	}
	return true;
}

/* The layout as it is. */
static bool cover_linear(struct tile *tile, layout_linear *linear, bool shared)
{
	for (unsigned in = 0; in < TILE_INS; in++)
		if (!take_input(tile, (enum tile_in)in, linear,
				tile_in_name((enum tile_in)in, shared)))
			return false;
	for (unsigned d = 0; d < tile->rank; d++)
		tile->bits[d] = (unsigned)int_log2(layout_linear_out_size(linear, d));
	return true;
}

/* The layout repeated, or cut. */
static bool cover_distributed(struct tile *tile, layout_linear *linear,
	const int64_t *shape)
{
	int64_t order[LAYOUT_TRITON_RANK];

	if (!cover_linear(tile, linear, false))
		return false;
	triton_order_of_bases(tile->rank, tile->counts[TILE_REGISTER],
		tile_basis(tile, TILE_REGISTER, 0), order);
	return tile_cut(tile, shape, order);
}

static bool cover(struct tile *tile, const layout_triton_desc *desc, const int64_t *shape)
{
	switch (desc->kind) {
	case LAYOUT_TRITON_BLOCKED:
		return cover_blocked(tile, desc, shape);
	case LAYOUT_TRITON_SLICE:
		return cover_slice(tile, desc, shape);
	case LAYOUT_TRITON_DOT_OP:
		return cover_operand(tile, desc, shape);
	case LAYOUT_TRITON_AMD_MFMA:
		return cover_mfma(tile, desc, shape);
	case LAYOUT_TRITON_AMD_WMMA:
		return cover_wmma(tile, desc, shape);
	case LAYOUT_TRITON_NVIDIA_MMA:
		return cover_mma(tile, desc, shape);
	case LAYOUT_TRITON_NVMMA_SHARED:
		return cover_nvmma_shared(tile, desc, shape);
	case LAYOUT_TRITON_PADDED_SHARED:
		return cover_padded(tile, desc, shape);
	case LAYOUT_TRITON_LINEAR:
		return cover_distributed(tile, desc->linear, shape);
	case LAYOUT_TRITON_SHARED_LINEAR:
		return cover_linear(tile, desc->linear, true);
	case LAYOUT_TRITON_SWIZZLED_SHARED:
	case LAYOUT_TRITON_AMD_ROTATING_SHARED:
		break;
	}
	return cover_swizzled(tile, desc, shape);
}

/* The dimensions of the encoding that all others are slices of. */
static unsigned deepest_rank(const layout_triton_desc *desc)
{
	while (desc->parent)
		desc = &desc->parent->desc;
	return desc->rank;
}

/* An encoding that is given, and a shape for it. */
static bool shape_fits(layout_triton *encoding, const int64_t *shape, unsigned rank)
{
	const layout_triton_desc *desc = &encoding->desc;
	layout_context *ctx = encoding->ctx;

	if (rank != desc->rank) {
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"the tensor has %u dimensions, its encoding %s has %u", rank,
			triton_kind_names[desc->kind], desc->rank);
		return false;
	}
	if (!layout_given(ctx, shape, "shape"))
		return false;
	for (unsigned d = 0; d < rank; d++) {
		if (int_log2(shape[d]) < 0) {
			layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"dimension %u of the tensor has %" PRId64
				" elements, which is no power of two", d, shape[d]);
			return false;
		}
		if (desc->shape && desc->shape[d] != shape[d]) {
			layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
				"dimension %u of the tensor has %" PRId64
				" elements, its encoding %s is for %" PRId64, d, shape[d],
				triton_kind_names[desc->kind], desc->shape[d]);
			return false;
		}
	}
	return true;
}

/* Bases of a ctaLayout are not bound to be without gaps, and what they leave out is the
 * tensor's all the same: Triton's layouts of tensors reach every element. */
static bool reaches_all(layout_linear *linear)
{
	layout_witness *witness = NULL;
	layout_answer answer = layout_linear_is_surjective(linear, &witness);

	if (answer == LAYOUT_NO && witness)
		layout_fail(linear->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"ctaLayout: no register of a warp has %s", witness->text);
	layout_witness_free(witness);
	return answer == LAYOUT_YES;
}

/* The encoding that is no slice or operand of another one. */
static layout_triton_kind deepest_kind(const layout_triton_desc *desc)
{
	while (desc->parent)
		desc = &desc->parent->desc;
	return desc->kind;
}

/* The layout of a shape that fits. */
static layout_linear *convert(layout_triton *encoding, const int64_t *shape)
{
	const layout_triton_desc *desc = &encoding->desc;
	struct tile *tile = tile_new(encoding->ctx, deepest_rank(desc));
	layout_linear *linear = NULL;

	if (tile && cover(tile, desc, shape))
		linear = tile_linear(tile, triton_is_shared(desc->kind));
	tile_free(tile);
	if (linear && deepest_kind(desc) == LAYOUT_TRITON_AMD_WMMA && !reaches_all(linear)) {
		layout_linear_free(linear);
		return NULL;
	}
	return linear;
}

layout_linear *triton_linear_unpadded(layout_triton *encoding, const int64_t *shape,
	unsigned rank)
{
	return encoding && shape_fits(encoding, shape, rank) ?
		convert(encoding, shape) : NULL;
}

layout_linear *layout_triton_linear(layout_triton *encoding, const int64_t *shape,
	unsigned rank)
{
	if (!encoding || !shape_fits(encoding, shape, rank))
		return NULL;
	if (encoding->desc.kind == LAYOUT_TRITON_PADDED_SHARED) {
		layout_fail(encoding->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"padded_shared is not linear over F2: it adds %" PRId64
			" to the offset after every %" PRId64 " elements",
			encoding->desc.pads[0], encoding->desc.intervals[0]);
		return NULL;
	}
	return convert(encoding, shape);
}
