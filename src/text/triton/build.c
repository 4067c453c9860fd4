/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Encodings of Triton out of the fields that were read: which ones go together, one entry
 * for each dimension, and the older spellings. */
#include "text/triton/triton.h"
#include "isl_bridge/arithmetic.h"

#include <stdio.h>

/* Fail at a field. */
static bool refuse(struct text_cursor *cursor, const struct triton_reading *reading,
	layout_error kind, enum triton_field field, const char *what)
{
	layout_fail(cursor->ctx, kind, reading->places[field], "%s: %s",
		triton_field_names[field], what);
	return false;
}

/* Fields of which only one may be there. */
static bool exclusive(struct text_cursor *cursor, const struct triton_reading *reading,
	uint64_t these, uint64_t others)
{
	char what[80];

	these &= reading->given;
	others &= reading->given;
	if (!these || !others)
		return true;
	snprintf(what, sizeof(what), "given although `%s` is",
		triton_field_names[__builtin_ctzll(these)]);
	return refuse(cursor, reading, LAYOUT_ERROR_PARSE, __builtin_ctzll(others), what);
}

static bool fields_meet(struct text_cursor *cursor, const struct triton_reading *reading)
{
	uint64_t old = reading->given & OLD_CLUSTERS;

	if (!exclusive(cursor, reading, BIT(TRITON_CGA_LAYOUT), OLD_CLUSTERS) ||
	    !exclusive(cursor, reading, BIT(TRITON_CTA_LAYOUT), WARPS) ||
	    !exclusive(cursor, reading, BIT(TRITON_IS_TRANSPOSE),
		    BIT(TRITON_IS_TRANSPOSED)) ||
	    !exclusive(cursor, reading, BIT(TRITON_SHAPE) | BIT(TRITON_OFFSET) |
		    BIT(TRITON_BLOCK), CLUSTERS) ||
	    !exclusive(cursor, reading, BIT(TRITON_OFFSET) | BIT(TRITON_BLOCK),
		    BIT(TRITON_SHAPE) | BIT(TRITON_ORDER)))
		return false;
	if (old && old != OLD_CLUSTERS)
		return refuse(cursor, reading, LAYOUT_ERROR_PARSE, __builtin_ctzll(old),
			"CTAsPerCGA, CTASplitNum and CTAOrder come together");
	return true;
}

/* What a text lacks altogether. */
static bool lacks(struct text_cursor *cursor, const struct triton_reading *reading,
	const char *what)
{
	layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, reading->places[TRITON_ENCODING],
		"%s without %s", triton_kind_names[reading->kind], what);
	return false;
}

/* What is too many stays too many. */
static unsigned given_rank(const struct triton_reading *reading)
{
	int64_t rank = reading->numbers[TRITON_RANK_FIELD];

	return rank > LAYOUT_TRITON_RANK ? LAYOUT_TRITON_RANK + 1 : (unsigned)rank;
}

/* The dimensions of the tensor; 0 where a parent or a layout says. */
static unsigned rank_of(const struct triton_reading *reading)
{
	const struct triton_list *lists = reading->lists;

	switch (reading->kind) {
	case LAYOUT_TRITON_BLOCKED:
		return lists[TRITON_SIZE_PER_THREAD].count;
	case LAYOUT_TRITON_AMD_MFMA:
	case LAYOUT_TRITON_NVIDIA_MMA:
		return lists[TRITON_WARPS_PER_CTA].count;
	case LAYOUT_TRITON_AMD_WMMA:
		if (reading->given & BIT(TRITON_RANK_FIELD))
			return given_rank(reading);
		if (reading->given & BIT(TRITON_WARPS_PER_CTA))
			return lists[TRITON_WARPS_PER_CTA].count;
		return reading->warps.count ? reading->warps.rank :
			reading->registers.count ? reading->registers.rank : 2;
	case LAYOUT_TRITON_PADDED_SHARED:
		if (reading->given & BIT(TRITON_OFFSET))
			return reading->offsets.count ? reading->offsets.rank :
				reading->blocks.rank;
		return lists[TRITON_ORDER].count;
	case LAYOUT_TRITON_SWIZZLED_SHARED:
	case LAYOUT_TRITON_AMD_ROTATING_SHARED:
		return lists[TRITON_ORDER].count;
	case LAYOUT_TRITON_NVMMA_SHARED:
		return reading->given & BIT(TRITON_RANK_FIELD) ? given_rank(reading) : 2;
	case LAYOUT_TRITON_SLICE:
	case LAYOUT_TRITON_DOT_OP:
	case LAYOUT_TRITON_LINEAR:
	case LAYOUT_TRITON_SHARED_LINEAR:
		break;
	}
	return 0;
}

static bool list_meets(struct text_cursor *cursor, const struct triton_reading *reading,
	enum triton_field field, unsigned rank)
{
	char what[64];

	if (!(reading->given >> field & 1) || reading->lists[field].count == rank)
		return true;
	snprintf(what, sizeof(what), "%u entries, %u wanted: one for each dimension",
		reading->lists[field].count, rank);
	return refuse(cursor, reading, LAYOUT_ERROR_SPACE, field, what);
}

static bool bases_meet(struct text_cursor *cursor, const struct triton_reading *reading,
	enum triton_field field, const struct triton_bases *bases, unsigned rank)
{
	char what[64];

	if (!bases->count || bases->rank == rank)
		return true;
	snprintf(what, sizeof(what), "vectors of %u coordinates, %u wanted", bases->rank,
		rank);
	return refuse(cursor, reading, LAYOUT_ERROR_SPACE, field, what);
}

/* Lists have an entry, and vectors a coordinate, for each dimension. */
static bool ranks_meet(struct text_cursor *cursor, const struct triton_reading *reading,
	unsigned rank)
{
	static const enum triton_field fields[] = {
		TRITON_SIZE_PER_THREAD, TRITON_THREADS_PER_WARP, TRITON_WARPS_PER_CTA,
		TRITON_ORDER, TRITON_CTAS_PER_CGA, TRITON_CTA_SPLIT_NUM, TRITON_CTA_ORDER,
		TRITON_TILES_PER_WARP, TRITON_SHAPE,
	};

	for (unsigned i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (!list_meets(cursor, reading, fields[i], rank))
			return false;
	return bases_meet(cursor, reading, TRITON_CGA_LAYOUT, &reading->clusters, rank) &&
		bases_meet(cursor, reading, TRITON_CTA_LAYOUT, &reading->warps, rank) &&
		bases_meet(cursor, reading, TRITON_CTA_LAYOUT, &reading->registers,
			rank) &&
		bases_meet(cursor, reading, TRITON_OFFSET, &reading->offsets, rank) &&
		bases_meet(cursor, reading, TRITON_BLOCK, &reading->blocks, rank);
}

/* Append one vector, "step" along "dim". */
static bool add_cluster(struct text_cursor *cursor, struct triton_reading *reading,
	unsigned rank,
	int64_t dim, int64_t step)
{
	struct triton_bases *bases = &reading->clusters;

	if (bases->count == TRITON_BITS)
		return refuse(cursor, reading, LAYOUT_ERROR_OVERFLOW, TRITON_CTAS_PER_CGA,
			"more than 2^62 blocks");
	bases->items[bases->count++ * (size_t)rank + (size_t)dim] = step;
	return true;
}

/* The older fields as bases: along each dimension in order, first the blocks that
 * split it, then those that hold the same. */
static bool convert_clusters(struct text_cursor *cursor, struct triton_reading *reading,
	unsigned rank)
{
	const int64_t *blocks = reading->lists[TRITON_CTAS_PER_CGA].items;
	const int64_t *splits = reading->lists[TRITON_CTA_SPLIT_NUM].items;
	const int64_t *order = reading->lists[TRITON_CTA_ORDER].items;

	if (!(reading->given & BIT(TRITON_CTA_ORDER)))
		return true;
	reading->clusters.items = layout_alloc(cursor->ctx, TRITON_BITS * (size_t)rank,
		sizeof(int64_t));
	if (!reading->clusters.items)
		return false;
	for (unsigned i = 0; i < rank; i++) {
		int64_t dim = order[i];

		for (unsigned k = 0; k < i; k++)
			if (order[k] == dim)
				dim = rank;
		if (dim >= rank)
			return refuse(cursor, reading, LAYOUT_ERROR_INVALID,
				TRITON_CTA_ORDER, "each dimension stands in it once");
		if (int_log2(blocks[dim]) < 0 || int_log2(splits[dim]) < 0)
			return refuse(cursor, reading, LAYOUT_ERROR_INVALID,
				int_log2(splits[dim]) < 0 ? TRITON_CTA_SPLIT_NUM :
					TRITON_CTAS_PER_CGA, "not a power of two");
		if (splits[dim] > blocks[dim])
			return refuse(cursor, reading, LAYOUT_ERROR_INVALID,
				TRITON_CTA_SPLIT_NUM, "more parts than blocks");
		for (int64_t step = 1; step < blocks[dim]; step *= 2)
			if (!add_cluster(cursor, reading, rank, dim,
				    step < splits[dim] ? step : 0))
				return false;
	}
	return true;
}

/* What only a combination of fields says. */
static bool complete(struct text_cursor *cursor, struct triton_reading *reading,
	unsigned rank)
{
	uint64_t given = reading->given;

	if (reading->kind == LAYOUT_TRITON_AMD_WMMA &&
	    !(given & (BIT(TRITON_CTA_LAYOUT) | BIT(TRITON_WARPS_PER_CTA))))
		return lacks(cursor, reading, "ctaLayout or warpsPerCTA");
	if (reading->kind == LAYOUT_TRITON_PADDED_SHARED &&
	    !(given & (BIT(TRITON_OFFSET) | BIT(TRITON_ORDER))))
		return lacks(cursor, reading, "order or offset");
	if (reading->kind == LAYOUT_TRITON_PADDED_SHARED && !rank)
		return lacks(cursor, reading, "any dimension");
	return ranks_meet(cursor, reading, rank) &&
		convert_clusters(cursor, reading, rank);
}

static const int64_t *list_of(const struct triton_reading *reading,
	enum triton_field field)
{
	return reading->given >> field & 1 ? reading->lists[field].items : NULL;
}

/* The shape that bases of a padded encoding reach. */
static void shape_of(struct triton_reading *reading, unsigned rank)
{
	const struct triton_bases *sides[] = { &reading->offsets, &reading->blocks };
	int64_t *shape = reading->lists[TRITON_SHAPE].items;

	for (unsigned d = 0; d < rank; d++) {
		shape[d] = 1;
		for (unsigned s = 0; s < 2; s++)
			for (unsigned i = 0; i < sides[s]->count; i++) {
				int64_t step = sides[s]->items[i * rank + d];

				if (int_log2(step) >= 0 && step >= shape[d] &&
				    step < (int64_t)1 << 62)
					shape[d] = 2 * step;
			}
	}
}

static layout_triton *describe(struct text_cursor *cursor, struct triton_reading *reading,
	unsigned rank)
{
	bool padded = reading->kind == LAYOUT_TRITON_PADDED_SHARED;
	bool bases = padded && reading->given & BIT(TRITON_OFFSET);
	const struct triton_bases *blocks = bases ? &reading->blocks : &reading->clusters;
	layout_triton_desc desc = {
		.size = sizeof(desc), .kind = reading->kind, .rank = rank,
		.parent = reading->parent,
		.dim = reading->numbers[TRITON_DIM],
		.op_idx = reading->numbers[TRITON_OP_IDX],
		.k_width = reading->numbers[TRITON_K_WIDTH],
		.version = reading->numbers[reading->kind == LAYOUT_TRITON_NVIDIA_MMA ?
			TRITON_VERSION_MAJOR : TRITON_VERSION],
		.swizzle_bytes = reading->numbers[TRITON_SWIZZLING],
		.version_minor = reading->numbers[TRITON_VERSION_MINOR],
		.element_bits = reading->given & BIT(TRITON_ELEMENT_BIT_WIDTH) ?
			reading->numbers[TRITON_ELEMENT_BIT_WIDTH] : 32,
		.is_transposed = reading->numbers[TRITON_IS_TRANSPOSED],
		.fp4_padded = reading->numbers[TRITON_FP4_PADDED],
		.vec = reading->numbers[TRITON_VEC],
		.per_phase = reading->numbers[TRITON_PER_PHASE],
		.max_phase = reading->numbers[TRITON_MAX_PHASE],
		.size_per_thread = list_of(reading, TRITON_SIZE_PER_THREAD),
		.threads_per_warp = list_of(reading, TRITON_THREADS_PER_WARP),
		.warps_per_cta = list_of(reading, TRITON_WARPS_PER_CTA),
		.order = list_of(reading, TRITON_ORDER),
		.tiles_per_warp = list_of(reading, TRITON_TILES_PER_WARP),
		.shape = list_of(reading, TRITON_SHAPE),
		.instr_count = reading->lists[TRITON_INSTR_SHAPE].count,
		.instr_shape = list_of(reading, TRITON_INSTR_SHAPE),
		.pad_count = reading->pads.count,
		.intervals = reading->intervals.items, .pads = reading->pads.items,
		.block_count = blocks->count, .block_bases = blocks->items,
		.register_count = reading->registers.count,
		.register_bases = reading->registers.items,
		.warp_count = reading->warps.count, .warp_bases = reading->warps.items,
	};

	if (bases) {
		shape_of(reading, rank);
		desc.shape = reading->lists[TRITON_SHAPE].items;
		desc.offset_count = reading->offsets.count;
		desc.offset_bases = reading->offsets.count ? reading->offsets.items :
			desc.shape;
	}
	return triton_new_at(cursor->ctx, &desc, reading->places);
}

layout_triton *text_build_triton(struct text_cursor *cursor,
	struct triton_reading *reading)
{
	unsigned rank = rank_of(reading);

	return fields_meet(cursor, reading) && complete(cursor, reading, rank) ?
		describe(cursor, reading, rank) : NULL;
}
