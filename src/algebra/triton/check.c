/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What Triton demands of its encodings, and that everything here is given. */
#include "algebra/triton/tile.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const triton_field_names[TRITON_FIELDS] = {
	[TRITON_ENCODING] = "encoding",
	[TRITON_SIZE_PER_THREAD] = "sizePerThread",
	[TRITON_THREADS_PER_WARP] = "threadsPerWarp",
	[TRITON_WARPS_PER_CTA] = "warpsPerCTA",
	[TRITON_ORDER] = "order",
	[TRITON_CGA_LAYOUT] = "CGALayout",
	[TRITON_CTAS_PER_CGA] = "CTAsPerCGA",
	[TRITON_CTA_SPLIT_NUM] = "CTASplitNum",
	[TRITON_CTA_ORDER] = "CTAOrder",
	[TRITON_DIM] = "dim",
	[TRITON_PARENT] = "parent",
	[TRITON_OP_IDX] = "opIdx",
	[TRITON_K_WIDTH] = "kWidth",
	[TRITON_VERSION] = "version",
	[TRITON_INSTR_SHAPE] = "instrShape",
	[TRITON_IS_TRANSPOSED] = "isTransposed",
	[TRITON_TILES_PER_WARP] = "tilesPerWarp",
	[TRITON_ELEMENT_BIT_WIDTH] = "elementBitWidth",
	[TRITON_IS_TRANSPOSE] = "isTranspose",
	[TRITON_CTA_LAYOUT] = "ctaLayout",
	[TRITON_RANK_FIELD] = "rank",
	[TRITON_VEC] = "vec",
	[TRITON_PER_PHASE] = "perPhase",
	[TRITON_MAX_PHASE] = "maxPhase",
	[TRITON_PADDING] = "padding",
	[TRITON_SHAPE] = "shape",
	[TRITON_OFFSET] = "offset",
	[TRITON_BLOCK] = "block",
	[TRITON_VERSION_MAJOR] = "versionMajor",
	[TRITON_VERSION_MINOR] = "versionMinor",
	[TRITON_SWIZZLING] = "swizzlingByteWidth",
	[TRITON_TRANSPOSED] = "transposed",
	[TRITON_ALIGNMENT] = "alignment",
	[TRITON_FP4_PADDED] = "fp4Padded",
};

/* An error in one field of the description that is checked. */
struct check {
	layout_context *ctx;
	const layout_triton_desc *desc;
	const long *places;
};

static bool refuse(const struct check *check, layout_error kind, enum triton_field field,
	const char *format, ...) LAYOUT_PRINTF(4, 5);

/* Always false. */
static bool refuse(const struct check *check, layout_error kind, enum triton_field field,
	const char *format, ...)
{
	char text[200];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	layout_fail(check->ctx, kind, check->places ? check->places[field] : -1, "%s: %s",
		triton_field_names[field], text);
	return false;
}

static bool given(const struct check *check, const void *list, enum triton_field field)
{
	return list || refuse(check, LAYOUT_ERROR_INVALID, field, "not given");
}

static bool power(const struct check *check, int64_t value, enum triton_field field)
{
	return int_log2(value) >= 0 || refuse(check, LAYOUT_ERROR_INVALID, field,
		"%" PRId64 " is no power of two", value);
}

/* "count" powers of two. */
static bool powers(const struct check *check, const int64_t *list, unsigned count,
	enum triton_field field)
{
	if (!given(check, list, field))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!power(check, list[i], field))
			return false;
	return true;
}

static bool sizes(const struct check *check, const int64_t *list, enum triton_field field)
{
	return powers(check, list, check->desc->rank, field);
}

/* Each dimension once. */
static bool ordered(const struct check *check)
{
	const int64_t *order = check->desc->order;
	uint64_t seen = 0;

	if (!given(check, order, TRITON_ORDER))
		return false;
	for (unsigned i = 0; i < check->desc->rank; i++) {
		if (order[i] < 0 || order[i] >= check->desc->rank)
			return refuse(check, LAYOUT_ERROR_INVALID, TRITON_ORDER,
				"%" PRId64 " is not in 0 .. %u", order[i],
				check->desc->rank - 1);
		if (seen >> order[i] & 1)
			return refuse(check, LAYOUT_ERROR_INVALID, TRITON_ORDER,
				"%" PRId64 " stands twice", order[i]);
		seen |= (uint64_t)1 << order[i];
	}
	return true;
}

static bool in_range(const struct check *check, enum triton_field field, int64_t value,
	int64_t least, int64_t most)
{
	return (value >= least && value <= most) || refuse(check, LAYOUT_ERROR_INVALID,
		field, "%" PRId64 " is not in %" PRId64 " .. %" PRId64, value, least,
		most);
}

static bool bases_given(const struct check *check, const int64_t *bases, unsigned count,
	enum triton_field field)
{
	if (count && !given(check, bases, field))
		return false;
	if (count > TRITON_BITS)
		return refuse(check, LAYOUT_ERROR_OVERFLOW, field,
			"%u bases, more than %d", count, TRITON_BITS);
	for (unsigned i = 0; i < count * check->desc->rank; i++)
		if (bases[i] < 0 || bases[i] > INT64_MAX / 2)
			return refuse(check, LAYOUT_ERROR_INVALID, field,
				"%" PRId64 " is no coordinate", bases[i]);
	return true;
}

/* Each basis is one power of two in one dimension, or 0 where that is allowed; adds
 * what they are to "seen", a set of bits a dimension. */
static bool unit_bases(const struct check *check, const int64_t *bases, unsigned count,
	enum triton_field field, bool zero_allowed, uint64_t *seen)
{
	unsigned rank = check->desc->rank;

	for (unsigned i = 0; i < count; i++, bases += rank) {
		unsigned parts = 0;

		for (unsigned d = 0; d < rank; d++) {
			if (!bases[d])
				continue;
			if (!power(check, bases[d], field))
				return false;
			if (seen[d] & (uint64_t)bases[d])
				return refuse(check, LAYOUT_ERROR_INVALID, field,
					"%" PRId64 " of dimension %u stands twice",
					bases[d], d);
			seen[d] |= (uint64_t)bases[d];
			parts++;
		}
		if (parts > 1 || (!parts && !zero_allowed))
			return refuse(check, LAYOUT_ERROR_INVALID, field,
				"basis %u goes along %u dimensions instead of one", i,
				parts);
	}
	return true;
}

/* What the bases reach in a dimension has no gaps. */
static bool without_gaps(const struct check *check, const uint64_t *seen,
	enum triton_field field)
{
	for (unsigned d = 0; d < check->desc->rank; d++)
		if (seen[d] & (seen[d] + 1))
			return refuse(check, LAYOUT_ERROR_INVALID, field,
				"no basis goes by %" PRIu64 " in dimension %u",
				~seen[d] & (seen[d] + 1), d);
	return true;
}

static bool clusters(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;
	uint64_t seen[LAYOUT_TRITON_RANK] = { 0 };

	return bases_given(check, desc->block_bases, desc->block_count,
			TRITON_CGA_LAYOUT) &&
		unit_bases(check, desc->block_bases, desc->block_count, TRITON_CGA_LAYOUT,
			true, seen) &&
		without_gaps(check, seen, TRITON_CGA_LAYOUT);
}

static bool check_blocked(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;

	return sizes(check, desc->size_per_thread, TRITON_SIZE_PER_THREAD) &&
		sizes(check, desc->threads_per_warp, TRITON_THREADS_PER_WARP) &&
		sizes(check, desc->warps_per_cta, TRITON_WARPS_PER_CTA) &&
		ordered(check) && clusters(check);
}

static bool check_slice(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;

	if (triton_is_shared(desc->parent->desc.kind))
		return refuse(check, LAYOUT_ERROR_INVALID, TRITON_PARENT,
			"%s lies in shared memory and has no slices",
			triton_kind_names[desc->parent->desc.kind]);
	return in_range(check, TRITON_DIM, desc->dim, 0, desc->rank);
}

static bool check_dot_op(const struct check *check)
{
	const layout_triton_desc *desc = check->desc, *parent = &desc->parent->desc;
	bool wmma = parent->kind == LAYOUT_TRITON_AMD_WMMA;
	int64_t width = desc->k_width;

	if (parent->kind != LAYOUT_TRITON_BLOCKED && !wmma &&
	    parent->kind != LAYOUT_TRITON_AMD_MFMA &&
	    parent->kind != LAYOUT_TRITON_NVIDIA_MMA)
		return refuse(check, LAYOUT_ERROR_INVALID, TRITON_PARENT,
			"%s is not the result of a dot", triton_kind_names[parent->kind]);
	if (desc->rank < 2)
		return refuse(check, LAYOUT_ERROR_SPACE, TRITON_PARENT,
			"a dot has at least 2 dimensions");
	if (!in_range(check, TRITON_OP_IDX, desc->op_idx, 0, 1))
		return false;
	if (parent->kind == LAYOUT_TRITON_NVIDIA_MMA && parent->version == 3 && desc->op_idx)
		return refuse(check, LAYOUT_ERROR_INVALID, TRITON_OP_IDX,
			"1, but wgmma has that operand in shared memory");
	if (parent->kind == LAYOUT_TRITON_BLOCKED)
		return !width || refuse(check, LAYOUT_ERROR_INVALID, TRITON_K_WIDTH,
			"%" PRId64 " although the parent is blocked", width);
	if (wmma && parent->version < 3 && width != 8 && width != 16 &&
	    !(parent->version == 2 && width == 4))
		return refuse(check, LAYOUT_ERROR_INVALID, TRITON_K_WIDTH,
			"%" PRId64 " is not %s16 as amd_wmma version %" PRId64 " has it",
			width, parent->version == 1 ? "8 or " : "4, 8 or ",
			parent->version);
	return power(check, width, TRITON_K_WIDTH);
}

/* No version has an instruction of these sizes: M and N, and K where it is given. */
static bool refuse_shape(const struct check *check)
{
	const int64_t *shape = check->desc->instr_shape;
	char k[32] = "";

	if (check->desc->instr_count > 2)
		snprintf(k, sizeof(k), ", %" PRId64, shape[2]);
	return refuse(check, LAYOUT_ERROR_INVALID, TRITON_INSTR_SHAPE,
		"there is no instruction [%" PRId64 ", %" PRId64 "%s] of version %"
		PRId64, shape[0], shape[1], k, check->desc->version);
}

/* Matrix instructions work on 2 dimensions, or 3 with a batch in front. */
static bool matrix_rank(const struct check *check)
{
	unsigned rank = check->desc->rank;

	return rank == 2 || rank == 3 || refuse(check, LAYOUT_ERROR_SPACE,
		TRITON_WARPS_PER_CTA, "%u dimensions instead of 2 or 3", rank);
}

static bool check_mfma(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;
	const int64_t *shape = desc->instr_shape;

	if (!in_range(check, TRITON_VERSION, desc->version, 1, 4) ||
	    !matrix_rank(check) || !given(check, shape, TRITON_INSTR_SHAPE))
		return false;
	if (desc->instr_count != 2 && desc->instr_count != 3)
		return refuse(check, LAYOUT_ERROR_SPACE, TRITON_INSTR_SHAPE,
			"%u sizes instead of M, N and K", desc->instr_count);
	if (!powers(check, shape, desc->instr_count, TRITON_INSTR_SHAPE))
		return false;
	if (!(shape[0] == shape[1] && (shape[0] == 32 || shape[0] == 16)) &&
	    !(shape[0] == 64 && shape[1] == 4) && !(shape[0] == 4 && shape[1] == 64))
		return refuse_shape(check);
	if (shape[0] == 64 && !desc->is_transposed)
		return refuse(check, LAYOUT_ERROR_INVALID, TRITON_IS_TRANSPOSED,
			"false, but a 64 x 4 result is always transposed");
	if (desc->element_bits && desc->element_bits != 32 && desc->element_bits != 64)
		return refuse(check, LAYOUT_ERROR_INVALID, TRITON_ELEMENT_BIT_WIDTH,
			"%" PRId64 " is neither 32 nor 64", desc->element_bits);
	return sizes(check, desc->warps_per_cta, TRITON_WARPS_PER_CTA) &&
		(!desc->tiles_per_warp || sizes(check, desc->tiles_per_warp,
			TRITON_TILES_PER_WARP)) && clusters(check);
}

/* The instructions of a version, M, N, K. */
static bool wmma_shape(const struct check *check)
{
	static const struct {
		int64_t version, shape[3];
	} rows[] = {
		{ 1, { 16, 16, 16 } }, { 2, { 16, 16, 16 } }, { 2, { 16, 16, 32 } },
		{ 3, { 16, 16, 4 } }, { 3, { 16, 16, 32 } }, { 3, { 16, 16, 64 } },
		{ 3, { 16, 16, 128 } }, { 3, { 32, 16, 64 } }, { 3, { 32, 16, 128 } },
	};
	const int64_t *shape = check->desc->instr_shape;

	if (check->desc->instr_count != 3)
		return refuse(check, LAYOUT_ERROR_SPACE, TRITON_INSTR_SHAPE,
			"%u sizes instead of M, N and K", check->desc->instr_count);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].version == check->desc->version &&
		    rows[i].shape[0] == shape[0] && rows[i].shape[1] == shape[1] &&
		    rows[i].shape[2] == shape[2])
			return true;
	return refuse_shape(check);
}

static bool check_wmma(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;

	if (!in_range(check, TRITON_VERSION, desc->version, 1, 3) ||
	    !matrix_rank(check) || !wmma_shape(check))
		return false;
	if (desc->warps_per_cta)
		return sizes(check, desc->warps_per_cta, TRITON_WARPS_PER_CTA) &&
			(!desc->tiles_per_warp || sizes(check, desc->tiles_per_warp,
				TRITON_TILES_PER_WARP)) && clusters(check);
	return bases_given(check, desc->warp_bases, desc->warp_count,
		TRITON_CTA_LAYOUT) &&
		bases_given(check, desc->register_bases, desc->register_count,
			TRITON_CTA_LAYOUT) && clusters(check);
}

/* wgmma's: M, N and K of what one warp of the four has. */
static bool wgmma_shape(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;
	const int64_t *shape = desc->instr_shape;

	if (desc->rank != 2)
		return refuse(check, LAYOUT_ERROR_SPACE, TRITON_WARPS_PER_CTA,
			"%u dimensions, but version 3 has 2", desc->rank);
	if (desc->instr_count != 3)
		return refuse(check, LAYOUT_ERROR_SPACE, TRITON_INSTR_SHAPE,
			"%u sizes instead of M, N and K", desc->instr_count);
	if (!powers(check, shape, 3, TRITON_INSTR_SHAPE))
		return false;
	if (shape[0] != 16 || shape[1] < 8 || shape[1] > 256 || shape[2] < 8 ||
	    shape[2] > 32)
		return refuse_shape(check);
	return desc->warps_per_cta[0] % 4 == 0 || refuse(check, LAYOUT_ERROR_INVALID,
		TRITON_WARPS_PER_CTA, "%" PRId64 " warps along M, but four have an "
		"instruction of version 3", desc->warps_per_cta[0]);
}

/* mma.sync; wgmma. */
static bool check_mma(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;
	const int64_t *shape = desc->instr_shape;

	if (!in_range(check, TRITON_VERSION_MAJOR, desc->version, 2, 3) ||
	    !in_range(check, TRITON_VERSION_MINOR, desc->version_minor, 0, 1) ||
	    !matrix_rank(check) || !given(check, shape, TRITON_INSTR_SHAPE))
		return false;
	if (desc->version == 3)
		return sizes(check, desc->warps_per_cta, TRITON_WARPS_PER_CTA) &&
			wgmma_shape(check) && clusters(check);
	if (desc->instr_count != desc->rank)
		return refuse(check, LAYOUT_ERROR_SPACE, TRITON_INSTR_SHAPE,
			"%u sizes instead of one for each dimension", desc->instr_count);
	for (unsigned d = 0; d < desc->rank; d++)
		if (shape[d] != (d + 1 == desc->rank ? 8 : d + 2 == desc->rank ? 16 : 1))
			return refuse(check, LAYOUT_ERROR_INVALID, TRITON_INSTR_SHAPE,
				"version 2 has instructions of 16 by 8 alone");
	return sizes(check, desc->warps_per_cta, TRITON_WARPS_PER_CTA) && clusters(check);
}

static bool check_swizzled(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;

	return power(check, desc->vec, TRITON_VEC) &&
		power(check, desc->per_phase, TRITON_PER_PHASE) &&
		power(check, desc->max_phase, TRITON_MAX_PHASE) &&
		ordered(check) && clusters(check);
}

/* Padded pairs of 4 bits are read with the widest swizzle alone. */
static bool check_fp4(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;

	return (desc->element_bits == 8 && desc->swizzle_bytes == 128) || refuse(check,
		LAYOUT_ERROR_INVALID, TRITON_FP4_PADDED, "true of elements of %" PRId64
		" bits in %" PRId64 " bytes, and not of 8 in 128", desc->element_bits,
		desc->swizzle_bytes);
}

/* Rows of at least 16 bytes whose lines are swizzled as a whole. */
static bool check_nvmma_shared(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;

	if (desc->rank < 2 && desc->swizzle_bytes)
		return refuse(check, LAYOUT_ERROR_SPACE, TRITON_ENCODING,
			"1 dimension, but rows are swizzled");
	if (desc->is_transposed && desc->rank != 2)
		return refuse(check, LAYOUT_ERROR_UNSUPPORTED, TRITON_TRANSPOSED,
			"true, of %u dimensions and not of 2", desc->rank);
	if (desc->swizzle_bytes && desc->swizzle_bytes != 32 && desc->swizzle_bytes != 64 &&
	    desc->swizzle_bytes != 128)
		return refuse(check, LAYOUT_ERROR_INVALID, TRITON_SWIZZLING,
			"%" PRId64 " is not 0, 32, 64 or 128", desc->swizzle_bytes);
	return power(check, desc->element_bits, TRITON_ELEMENT_BIT_WIDTH) &&
		in_range(check, TRITON_ELEMENT_BIT_WIDTH, desc->element_bits, 8, 32) &&
		(!desc->fp4_padded || check_fp4(check)) && clusters(check);
}

static bool check_intervals(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;

	if (!desc->pad_count)
		return refuse(check, LAYOUT_ERROR_INVALID, TRITON_PADDING,
			"there is no interval");
	if (!powers(check, desc->intervals, desc->pad_count, TRITON_PADDING) ||
	    !powers(check, desc->pads, desc->pad_count, TRITON_PADDING))
		return false;
	for (unsigned i = 0; i < desc->pad_count; i++)
		for (unsigned k = 0; k < i; k++)
			if (desc->intervals[i] == desc->intervals[k])
				return refuse(check, LAYOUT_ERROR_INVALID, TRITON_PADDING,
					"the interval %" PRId64 " stands twice",
					desc->intervals[i]);
	return true;
}

/* The elements of the shape, each at one offset of one block, or of several. */
static bool check_offsets(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;
	uint64_t seen[LAYOUT_TRITON_RANK] = { 0 };

	if (!given(check, desc->shape, TRITON_SHAPE) ||
	    !bases_given(check, desc->offset_bases, desc->offset_count, TRITON_OFFSET) ||
	    !bases_given(check, desc->block_bases, desc->block_count, TRITON_BLOCK) ||
	    !unit_bases(check, desc->offset_bases, desc->offset_count, TRITON_OFFSET,
		    false, seen) ||
	    !unit_bases(check, desc->block_bases, desc->block_count, TRITON_BLOCK, true,
		    seen) ||
	    !without_gaps(check, seen, TRITON_OFFSET))
		return false;
	for (unsigned d = 0; d < desc->rank; d++)
		if ((uint64_t)desc->shape[d] != seen[d] + 1)
			return refuse(check, LAYOUT_ERROR_SPACE, TRITON_OFFSET,
				"the bases reach %" PRIu64 " elements of dimension %u, "
				"which has %" PRId64, seen[d] + 1, d, desc->shape[d]);
	return true;
}

static bool check_padded(const struct check *check)
{
	const layout_triton_desc *desc = check->desc;

	if (!check_intervals(check) ||
	    (desc->shape && !sizes(check, desc->shape, TRITON_SHAPE)))
		return false;
	if (desc->offset_bases)
		return check_offsets(check);
	return ordered(check) && clusters(check);
}

/* Inputs that the hardware has, and every element somewhere. */
static bool check_inputs(const struct check *check, bool shared)
{
	const layout_linear *linear = check->desc->linear;
	layout_witness *witness = NULL;
	layout_answer answer;

	for (unsigned i = 0; i < layout_linear_in_count(linear); i++) {
		const char *name = layout_linear_in_name(linear, i);
		bool known = false;

		for (unsigned in = 0; in < TILE_INS; in++) {
			const char *own = tile_in_name((enum tile_in)in, shared);

			known = known || (own && !strcmp(name, own));
		}
		if (!known)
			return refuse(check, LAYOUT_ERROR_SPACE, TRITON_ENCODING,
				"%s has no input %s", triton_kind_names[check->desc->kind], name);
	}
	answer = layout_linear_is_surjective(check->desc->linear, &witness);
	if (answer == LAYOUT_NO && witness)
		refuse(check, LAYOUT_ERROR_INVALID, TRITON_ENCODING, "nothing has %s",
			witness->text);
	layout_witness_free(witness);
	return answer == LAYOUT_YES;
}

static bool check_linear(const struct check *check)
{
	return check_inputs(check, false);
}

static bool check_shared_linear(const struct check *check)
{
	return check_inputs(check, true) && (!check->desc->alignment ||
		power(check, check->desc->alignment, TRITON_ALIGNMENT));
}

bool triton_check(layout_context *ctx, const layout_triton_desc *desc,
	const long places[TRITON_FIELDS])
{
	static bool (*const checks[TRITON_KINDS])(const struct check *) = {
		[LAYOUT_TRITON_BLOCKED] = check_blocked,
		[LAYOUT_TRITON_SLICE] = check_slice,
		[LAYOUT_TRITON_DOT_OP] = check_dot_op,
		[LAYOUT_TRITON_AMD_MFMA] = check_mfma,
		[LAYOUT_TRITON_AMD_WMMA] = check_wmma,
		[LAYOUT_TRITON_SWIZZLED_SHARED] = check_swizzled,
		[LAYOUT_TRITON_PADDED_SHARED] = check_padded,
		[LAYOUT_TRITON_AMD_ROTATING_SHARED] = check_swizzled,
		[LAYOUT_TRITON_NVIDIA_MMA] = check_mma,
		[LAYOUT_TRITON_NVMMA_SHARED] = check_nvmma_shared,
		[LAYOUT_TRITON_LINEAR] = check_linear,
		[LAYOUT_TRITON_SHARED_LINEAR] = check_shared_linear,
	};
	const struct check check = { ctx, desc, places };

	if (desc->rank < 1 || desc->rank > LAYOUT_TRITON_RANK)
		return refuse(&check, LAYOUT_ERROR_SPACE, TRITON_ENCODING,
			"%u dimensions instead of 1 .. %d", desc->rank,
			LAYOUT_TRITON_RANK);
	return checks[desc->kind](&check);
}
