/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Triton's encodings as objects: checked, brought into a normal form, shared. */
#include "algebra/linear/linear.h"
#include "algebra/triton/triton.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/bridge.h"

#include <stdlib.h>
#include <string.h>

const char *const triton_kind_names[TRITON_KINDS] = {
	[LAYOUT_TRITON_BLOCKED] = "blocked",
	[LAYOUT_TRITON_SLICE] = "slice",
	[LAYOUT_TRITON_DOT_OP] = "dot_op",
	[LAYOUT_TRITON_AMD_MFMA] = "amd_mfma",
	[LAYOUT_TRITON_AMD_WMMA] = "amd_wmma",
	[LAYOUT_TRITON_SWIZZLED_SHARED] = "swizzled_shared",
	[LAYOUT_TRITON_PADDED_SHARED] = "padded_shared",
	[LAYOUT_TRITON_AMD_ROTATING_SHARED] = "amd_rotating_shared",
	[LAYOUT_TRITON_NVIDIA_MMA] = "nvidia_mma",
	[LAYOUT_TRITON_NVMMA_SHARED] = "nvmma_shared",
	[LAYOUT_TRITON_LINEAR] = "linear",
	[LAYOUT_TRITON_SHARED_LINEAR] = "shared_linear",
};

/* Dimensions of a matrix instruction's result: a batch and two. */
#define MATRIX_RANK 3

/* Bases while they are put together. */
struct arrangement {
	unsigned count;
	int64_t bases[TRITON_BITS * MATRIX_RANK];
};

/* Room for what the normal form adds. */
struct scratch {
	int64_t ones[MATRIX_RANK], instr_shape[3];
	struct arrangement registers, warps;
	int64_t order[LAYOUT_TRITON_RANK], shape[LAYOUT_TRITON_RANK];
};

/* The lists of a description that a kind may have, and how long they are. */
#define LISTS 13
struct list {
	const int64_t **at;
	size_t length;
};

static void list_all(layout_triton_desc *desc, struct list lists[LISTS])
{
	size_t rank = desc->rank;
	const struct list all[LISTS] = {
		{ &desc->size_per_thread, rank }, { &desc->threads_per_warp, rank },
		{ &desc->warps_per_cta, rank }, { &desc->order, rank },
		{ &desc->tiles_per_warp, rank }, { &desc->shape, rank },
		{ &desc->instr_shape, desc->instr_count },
		{ &desc->intervals, desc->pad_count }, { &desc->pads, desc->pad_count },
		{ &desc->block_bases, desc->block_count * rank },
		{ &desc->register_bases, desc->register_count * rank },
		{ &desc->warp_bases, desc->warp_count * rank },
		{ &desc->offset_bases, desc->offset_count * rank },
	};

	memcpy(lists, all, sizeof(all));
}

/* Append the bases of the steps below "size" instructions along one of "rank"
 * dimensions, of which "*bits" are there already. */
static bool add_steps(layout_context *ctx, struct arrangement *to, unsigned rank,
	unsigned dim, int64_t size, unsigned *bits)
{
	unsigned steps = (unsigned)int_log2(size);

	if (to->count + steps > TRITON_BITS || *bits + steps > TRITON_BITS) {
		layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"amd_wmma: more than 2^%d warps or tiles", TRITON_BITS);
		return false;
	}
	for (unsigned i = 0; i < steps; i++)
		to->bases[to->count++ * rank + dim] = (int64_t)1 << (*bits)++;
	return true;
}

/* warpsPerCTA and tilesPerWarp as bases: fastest dimension last, a warp's tiles
 * beside each other. */
static bool arrange_warps(layout_context *ctx, layout_triton_desc *desc,
	struct scratch *scratch)
{
	const int64_t *tiles = desc->tiles_per_warp ? desc->tiles_per_warp :
		scratch->ones;

	for (unsigned d = desc->rank; d-- > 0;) {
		unsigned bits = 0;

		if (!add_steps(ctx, &scratch->registers, desc->rank, d, tiles[d],
				&bits) ||
		    !add_steps(ctx, &scratch->warps, desc->rank, d,
				desc->warps_per_cta[d], &bits))
			return false;
	}
	desc->register_count = scratch->registers.count;
	desc->register_bases = scratch->registers.bases;
	desc->warp_count = scratch->warps.count;
	desc->warp_bases = scratch->warps.bases;
	desc->warps_per_cta = desc->tiles_per_warp = NULL;
	return true;
}

void triton_order_of_bases(unsigned rank, unsigned count, const int64_t *bases,
	int64_t *order)
{
	uint64_t seen = 0;
	unsigned found = 0;

	for (unsigned i = 0; i < count * rank; i++)
		if (bases[i] && !(seen >> i % rank & 1)) {
			order[found++] = i % rank;
			seen |= (uint64_t)1 << i % rank;
		}
	for (unsigned d = rank; d-- > 0;)
		if (!(seen >> d & 1))
			order[found++] = d;
}

/* Are these the bases of a tensor in "order", dimension after dimension? */
static bool is_plain(const layout_triton_desc *desc, const int64_t *order)
{
	unsigned at = 0;

	for (unsigned i = 0; i < desc->rank; i++)
		for (int64_t step = 1; step < desc->shape[order[i]]; step *= 2, at++)
			if (desc->offset_bases[at * desc->rank + order[i]] != step)
				return false;
	return true;
}

/* Without clusters, bases in the order of the dimensions are written as that order. */
static void simplify_padded(layout_triton_desc *desc, struct scratch *scratch)
{
	if (!desc->offset_bases)
		return;
	desc->order = NULL;
	triton_order_of_bases(desc->rank, desc->offset_count, desc->offset_bases,
		scratch->order);
	if (desc->block_count || !is_plain(desc, scratch->order))
		return;
	desc->order = scratch->order;
	desc->offset_bases = NULL;
	desc->offset_count = 0;
}

/* A tensor in shared memory is as large as its layout. */
static void take_shape(layout_triton_desc *desc, struct scratch *scratch)
{
	for (unsigned d = 0; d < desc->rank; d++)
		scratch->shape[d] = layout_linear_out_size(desc->linear, d);
	desc->shape = scratch->shape;
}

/* Keep what the kind uses. */
static layout_triton_desc reduce(const layout_triton_desc *desc)
{
	layout_triton_desc own = { .size = sizeof(own), .kind = desc->kind,
		.rank = desc->rank, .block_count = desc->block_count,
		.block_bases = desc->block_bases };

	switch (desc->kind) {
	case LAYOUT_TRITON_BLOCKED:
		own.size_per_thread = desc->size_per_thread;
		own.threads_per_warp = desc->threads_per_warp;
		own.warps_per_cta = desc->warps_per_cta;
		own.order = desc->order;
		break;
	case LAYOUT_TRITON_SLICE:
	case LAYOUT_TRITON_DOT_OP:
		own.parent = desc->parent;
		own.dim = desc->kind == LAYOUT_TRITON_SLICE ? desc->dim : 0;
		own.op_idx = desc->kind == LAYOUT_TRITON_SLICE ? 0 : desc->op_idx;
		own.k_width = desc->kind == LAYOUT_TRITON_SLICE ? 0 : desc->k_width;
		own.block_count = 0;
		own.block_bases = NULL;
		break;
	case LAYOUT_TRITON_AMD_MFMA:
	case LAYOUT_TRITON_AMD_WMMA:
		own.version = desc->version;
		own.is_transposed = desc->is_transposed;
		own.instr_count = desc->instr_count;
		own.instr_shape = desc->instr_shape;
		own.warps_per_cta = desc->warps_per_cta;
		own.tiles_per_warp = desc->tiles_per_warp;
		if (desc->kind == LAYOUT_TRITON_AMD_MFMA) {
			own.element_bits = desc->element_bits ? desc->element_bits : 32;
			break;
		}
		own.register_count = desc->register_count;
		own.register_bases = desc->register_bases;
		own.warp_count = desc->warp_count;
		own.warp_bases = desc->warp_bases;
		break;
	case LAYOUT_TRITON_NVIDIA_MMA:
		own.version = desc->version;
		own.version_minor = desc->version_minor;
		own.instr_count = desc->instr_count;
		own.instr_shape = desc->instr_shape;
		own.warps_per_cta = desc->warps_per_cta;
		break;
	case LAYOUT_TRITON_NVMMA_SHARED:
		own.swizzle_bytes = desc->swizzle_bytes;
		own.element_bits = desc->element_bits;
		own.is_transposed = desc->is_transposed;
		own.fp4_padded = desc->fp4_padded;
		break;
	case LAYOUT_TRITON_PADDED_SHARED:
		own.pad_count = desc->pad_count;
		own.intervals = desc->intervals;
		own.pads = desc->pads;
		own.order = desc->order;
		own.shape = desc->shape;
		own.offset_count = desc->offset_bases ? desc->offset_count : 0;
		own.offset_bases = desc->offset_bases;
		break;
	case LAYOUT_TRITON_LINEAR:
	case LAYOUT_TRITON_SHARED_LINEAR:
		own.linear = desc->linear;
		own.alignment = desc->kind == LAYOUT_TRITON_LINEAR ? 0 :
			desc->alignment ? desc->alignment : 16;
		own.block_count = 0;
		own.block_bases = NULL;
		break;
	case LAYOUT_TRITON_SWIZZLED_SHARED:
	case LAYOUT_TRITON_AMD_ROTATING_SHARED:
		own.vec = desc->vec;
		own.per_phase = desc->per_phase;
		own.max_phase = desc->max_phase;
		own.order = desc->order;
		break;
	}
	return own;
}

/* Defaults that are not 0; the rank of what has a parent. */
static bool complete(layout_context *ctx, layout_triton_desc *desc,
	struct scratch *scratch)
{
	bool child = desc->kind == LAYOUT_TRITON_SLICE ||
		desc->kind == LAYOUT_TRITON_DOT_OP;
	bool linear = desc->kind == LAYOUT_TRITON_LINEAR ||
		desc->kind == LAYOUT_TRITON_SHARED_LINEAR;

	if ((unsigned)desc->kind >= TRITON_KINDS) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"%u is no kind of encoding", (unsigned)desc->kind);
		return false;
	}
	if (child && (!layout_given(ctx, desc->parent, "parent of the encoding") ||
	    !bridge_contexts_meet(ctx, desc->parent->ctx)))
		return false;
	if (linear && (!layout_given(ctx, desc->linear, "linear layout of the encoding") ||
	    !bridge_contexts_meet(ctx, desc->linear->ctx)))
		return false;
	if (linear)
		desc->rank = layout_linear_out_count(desc->linear);
	if (child)
		desc->rank = desc->parent->desc.rank -
			(desc->kind == LAYOUT_TRITON_SLICE);
	if (desc->kind == LAYOUT_TRITON_AMD_WMMA && !desc->instr_shape) {
		desc->instr_count = 3;
		desc->instr_shape = scratch->instr_shape;
	}
	return true;
}

static layout_triton *keep(layout_context *ctx, layout_triton_desc *desc)
{
	struct list lists[LISTS];
	layout_triton *encoding;
	int64_t *next;
	size_t total = 0;

	list_all(desc, lists);
	for (unsigned i = 0; i < LISTS; i++)
		total += *lists[i].at ? lists[i].length : 0;
	encoding = layout_alloc(ctx, 1, sizeof(*encoding) + total * sizeof(int64_t));
	if (!encoding)
		return NULL;
	encoding->ctx = ctx;
	encoding->references = 1;
	next = encoding->numbers;
	for (unsigned i = 0; i < LISTS; i++)
		if (*lists[i].at) {
			memcpy(next, *lists[i].at, lists[i].length * sizeof(int64_t));
			*lists[i].at = next;
			next += lists[i].length;
		}
	encoding->desc = *desc;
	layout_triton_copy(desc->parent);
	encoding->desc.linear = layout_linear_copy(desc->linear);
	if (desc->linear && !encoding->desc.linear) {
		layout_triton_free(encoding);
		return NULL;
	}
	return encoding;
}

/* The description may be an older caller's, which lacks the last fields. */
layout_triton *triton_new_at(layout_context *ctx, const layout_triton_desc *desc,
	const long places[TRITON_FIELDS])
{
	struct scratch scratch = { .ones = { 1, 1, 1 }, .instr_shape = { 16, 16, 16 } };
	layout_triton_desc own = LAYOUT_TRITON_DESC_INIT;

	if (!layout_given(ctx, desc, "description of an encoding"))
		return NULL;
	memcpy(&own, desc, desc->size < sizeof(own) ? desc->size : sizeof(own));
	if (!complete(ctx, &own, &scratch) || !triton_check(ctx, &own, places))
		return NULL;
	own = reduce(&own);
	if (own.kind == LAYOUT_TRITON_AMD_WMMA && own.warps_per_cta &&
	    !arrange_warps(ctx, &own, &scratch))
		return NULL;
	if (own.kind == LAYOUT_TRITON_PADDED_SHARED)
		simplify_padded(&own, &scratch);
	if (own.kind == LAYOUT_TRITON_SHARED_LINEAR)
		take_shape(&own, &scratch);
	return keep(ctx, &own);
}

layout_triton *layout_triton_new(layout_context *ctx, const layout_triton_desc *desc)
{
	return triton_new_at(ctx, desc, NULL);
}

layout_triton *triton_of_linear(layout_linear *linear)
{
	layout_triton_desc desc = LAYOUT_TRITON_DESC_INIT;
	struct linear_side ins;

	if (!linear)
		return NULL;
	ins = linear_ins(linear);
	desc.kind = linear_find(&ins, "offset") < 0 ? LAYOUT_TRITON_LINEAR :
		LAYOUT_TRITON_SHARED_LINEAR;
	desc.linear = linear;
	return layout_triton_new(linear->ctx, &desc);
}

layout_triton *layout_triton_copy(layout_triton *encoding)
{
	if (encoding)
		encoding->references++;
	return encoding;
}

void layout_triton_free(layout_triton *encoding)
{
	while (encoding && !--encoding->references) {
		layout_triton *parent = encoding->desc.parent;

		layout_linear_free(encoding->desc.linear);
		free(encoding);
		encoding = parent;
	}
}

layout_triton_kind layout_triton_get_kind(layout_triton *encoding)
{
	return encoding ? encoding->desc.kind : LAYOUT_TRITON_BLOCKED;
}

unsigned layout_triton_rank(layout_triton *encoding)
{
	return encoding ? encoding->desc.rank : 0;
}
