/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Triton's encodings as today's Triton prints them. */
#include "text/notations.h"

#include "algebra/linear/linear.h"
#include "algebra/triton/tile.h"

static void print_encoding(struct layout_buffer *out, const layout_triton_desc *desc);

/* ", name = [1, 2]"; nothing where there is no list. */
static void print_list(struct layout_buffer *out, const char *name, const int64_t *items,
	unsigned count)
{
	if (!items)
		return;
	layout_buffer_printf(out, ", %s = ", name);
	text_print_integers(out, items, count);
}

/* "[[0, 1], [1, 0]]" */
static void print_bases(struct layout_buffer *out, const int64_t *bases, unsigned count,
	unsigned rank)
{
	layout_buffer_printf(out, "[");
	for (unsigned i = 0; i < count; i++) {
		layout_buffer_printf(out, "%s", i ? ", " : "");
		text_print_integers(out, bases + (size_t)i * rank, rank);
	}
	layout_buffer_printf(out, "]");
}

static void print_clusters(struct layout_buffer *out, const layout_triton_desc *desc)
{
	if (!desc->block_count)
		return;
	layout_buffer_printf(out, ", CGALayout = ");
	print_bases(out, desc->block_bases, desc->block_count, desc->rank);
}

static void print_blocked(struct layout_buffer *out, const layout_triton_desc *desc)
{
	layout_buffer_printf(out, "<{sizePerThread = ");
	text_print_integers(out, desc->size_per_thread, desc->rank);
	print_list(out, "threadsPerWarp", desc->threads_per_warp, desc->rank);
	print_list(out, "warpsPerCTA", desc->warps_per_cta, desc->rank);
	print_list(out, "order", desc->order, desc->rank);
	print_clusters(out, desc);
	layout_buffer_printf(out, "}>");
}

static void print_slice(struct layout_buffer *out, const layout_triton_desc *desc)
{
	layout_buffer_printf(out, "<{dim = %lld, parent = ", (long long)desc->dim);
	print_encoding(out, &desc->parent->desc);
	layout_buffer_printf(out, "}>");
}

static void print_dot_op(struct layout_buffer *out, const layout_triton_desc *desc)
{
	layout_buffer_printf(out, "<{opIdx = %lld, parent = ", (long long)desc->op_idx);
	print_encoding(out, &desc->parent->desc);
	if (desc->k_width)
		layout_buffer_printf(out, ", kWidth = %lld", (long long)desc->k_width);
	layout_buffer_printf(out, "}>");
}

static bool is_one(const int64_t *items, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (items[i] != 1)
			return false;
	return true;
}

static void print_mfma(struct layout_buffer *out, const layout_triton_desc *desc)
{
	layout_buffer_printf(out, "<{version = %lld", (long long)desc->version);
	print_list(out, "warpsPerCTA", desc->warps_per_cta, desc->rank);
	print_list(out, "instrShape", desc->instr_shape, desc->instr_count);
	layout_buffer_printf(out, ", isTransposed = %s",
		desc->is_transposed ? "true" : "false");
	print_clusters(out, desc);
	if (desc->tiles_per_warp && !is_one(desc->tiles_per_warp, desc->rank))
		print_list(out, "tilesPerWarp", desc->tiles_per_warp, desc->rank);
	if (desc->element_bits != 32)
		layout_buffer_printf(out, ", elementBitWidth = %lld",
			(long long)desc->element_bits);
	layout_buffer_printf(out, "}>");
}

static void print_mma(struct layout_buffer *out, const layout_triton_desc *desc)
{
	layout_buffer_printf(out, "<{versionMajor = %lld, versionMinor = %lld",
		(long long)desc->version, (long long)desc->version_minor);
	print_list(out, "warpsPerCTA", desc->warps_per_cta, desc->rank);
	print_clusters(out, desc);
	print_list(out, "instrShape", desc->instr_shape, desc->instr_count);
	layout_buffer_printf(out, "}>");
}

/* The rank only where a reader would not find it: it takes 2. */
static void print_wmma(struct layout_buffer *out, const layout_triton_desc *desc)
{
	const int64_t *shape = desc->instr_shape;

	layout_buffer_printf(out, "<{version = %lld, isTranspose = %s, ctaLayout = {",
		(long long)desc->version, desc->is_transposed ? "true" : "false");
	if (desc->register_count) {
		layout_buffer_printf(out, "register = ");
		print_bases(out, desc->register_bases, desc->register_count, desc->rank);
	}
	if (desc->warp_count) {
		layout_buffer_printf(out, "%swarp = ", desc->register_count ? ", " : "");
		print_bases(out, desc->warp_bases, desc->warp_count, desc->rank);
	}
	layout_buffer_printf(out, "}");
	if (desc->rank != 2)
		layout_buffer_printf(out, ", rank = %u", desc->rank);
	print_clusters(out, desc);
	if (shape[0] != 16 || shape[1] != 16 || shape[2] != 16)
		print_list(out, "instrShape", shape, 3);
	layout_buffer_printf(out, "}>");
}

static void print_swizzled(struct layout_buffer *out, const layout_triton_desc *desc)
{
	layout_buffer_printf(out, "<{vec = %lld, perPhase = %lld, maxPhase = %lld",
		(long long)desc->vec, (long long)desc->per_phase,
		(long long)desc->max_phase);
	print_list(out, "order", desc->order, desc->rank);
	print_clusters(out, desc);
	layout_buffer_printf(out, "}>");
}

static void print_nvmma_shared(struct layout_buffer *out, const layout_triton_desc *desc)
{
	layout_buffer_printf(out, "<{swizzlingByteWidth = %lld, transposed = %s, "
		"elementBitWidth = %lld", (long long)desc->swizzle_bytes,
		desc->is_transposed ? "true" : "false", (long long)desc->element_bits);
	if (desc->fp4_padded)
		layout_buffer_printf(out, ", fp4Padded = true");
	if (desc->rank != 2)
		layout_buffer_printf(out, ", rank = %u", desc->rank);
	print_clusters(out, desc);
	layout_buffer_printf(out, "}>");
}

static void print_padded(struct layout_buffer *out, const layout_triton_desc *desc)
{
	layout_buffer_printf(out, "<[");
	for (unsigned i = 0; i < desc->pad_count; i++)
		layout_buffer_printf(out, "%s%lld:+%lld", i ? ", " : "",
			(long long)desc->intervals[i], (long long)desc->pads[i]);
	layout_buffer_printf(out, "] {");
	if (desc->offset_bases) {
		layout_buffer_printf(out, "offset = ");
		print_bases(out, desc->offset_bases, desc->offset_count, desc->rank);
		layout_buffer_printf(out, ", block = ");
		print_bases(out, desc->block_bases, desc->block_count, desc->rank);
	} else {
		layout_buffer_printf(out, "order = ");
		text_print_integers(out, desc->order, desc->rank);
		print_list(out, "shape", desc->shape, desc->rank);
		print_clusters(out, desc);
	}
	layout_buffer_printf(out, "}>");
}

/* "lane = [[1, 0], [2, 0]]", of an input that need not be there. */
static void print_input(struct layout_buffer *out, layout_linear *linear,
	const char *name, bool first)
{
	struct linear_side ins = linear_ins(linear);
	int at = linear_find(&ins, name);
	int64_t bases[TRITON_BITS * LAYOUT_TRITON_RANK];
	unsigned rank = layout_linear_out_count(linear), count = at < 0 ? 0 : ins.widths[at];

	for (unsigned i = 0; i < count; i++)
		layout_linear_basis(linear, (unsigned)at, i, bases + (size_t)i * rank);
	layout_buffer_printf(out, "%s%s = ", first ? "" : ", ", name);
	print_bases(out, bases, count, rank);
}

static void print_linear(struct layout_buffer *out, const layout_triton_desc *desc)
{
	layout_buffer_printf(out, "<{");
	for (unsigned in = 0; in < TILE_INS; in++)
		print_input(out, desc->linear, tile_in_name((enum tile_in)in, false), !in);
	layout_buffer_printf(out, "}>");
}

/* Without its blocks where there is one. */
static void print_shared_linear(struct layout_buffer *out, const layout_triton_desc *desc)
{
	struct linear_side ins = linear_ins(desc->linear);

	layout_buffer_printf(out, "<{");
	print_input(out, desc->linear, "offset", true);
	if (linear_width(&ins, "block"))
		print_input(out, desc->linear, "block", false);
	layout_buffer_printf(out, "}, alignment = %lld>", (long long)desc->alignment);
}

static void print_encoding(struct layout_buffer *out, const layout_triton_desc *desc)
{
	static void (*const printers[TRITON_KINDS])(struct layout_buffer *,
		const layout_triton_desc *) = {
		[LAYOUT_TRITON_BLOCKED] = print_blocked,
		[LAYOUT_TRITON_SLICE] = print_slice,
		[LAYOUT_TRITON_DOT_OP] = print_dot_op,
		[LAYOUT_TRITON_AMD_MFMA] = print_mfma,
		[LAYOUT_TRITON_AMD_WMMA] = print_wmma,
		[LAYOUT_TRITON_SWIZZLED_SHARED] = print_swizzled,
		[LAYOUT_TRITON_PADDED_SHARED] = print_padded,
		[LAYOUT_TRITON_AMD_ROTATING_SHARED] = print_swizzled,
		[LAYOUT_TRITON_NVIDIA_MMA] = print_mma,
		[LAYOUT_TRITON_NVMMA_SHARED] = print_nvmma_shared,
		[LAYOUT_TRITON_LINEAR] = print_linear,
		[LAYOUT_TRITON_SHARED_LINEAR] = print_shared_linear,
	};

	layout_buffer_printf(out, "#ttg.%s", triton_kind_names[desc->kind]);
	printers[desc->kind](out, desc);
}

char *layout_triton_str(layout_triton *encoding)
{
	struct layout_buffer out = { 0 };

	if (!encoding)
		return NULL;
	print_encoding(&out, &encoding->desc);
	return layout_buffer_take(encoding->ctx, &out);
}
