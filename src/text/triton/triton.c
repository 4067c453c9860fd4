/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Triton's encodings, "#ttg.blocked<{sizePerThread = [1, 4], ..}>": fields in any
 * order, as MLIR has them.  Also what older versions print: CTAsPerCGA, CTASplitNum and
 * CTAOrder for CGALayout, warpsPerCTA and tilesPerWarp for amd_wmma's ctaLayout, versionMajor
 * for amd_mfma's version, shared for swizzled_shared, padded_shared without a shape.  Or as
 * Gluon's classes. */
#include "text/notations.h"
#include "text/triton/triton.h"
#include "text/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWIZZLE (BIT(TRITON_VEC) | BIT(TRITON_PER_PHASE) | BIT(TRITON_MAX_PHASE) | \
	BIT(TRITON_ORDER))
#define MATRIX (BIT(TRITON_VERSION) | BIT(TRITON_INSTR_SHAPE) | BIT(TRITON_IS_TRANSPOSED))

/* The fields of each kind: those that must be there, and others. */
static const struct {
	uint64_t demanded, allowed;
} kinds[TRITON_KINDS] = {
	[LAYOUT_TRITON_BLOCKED] = { BIT(TRITON_SIZE_PER_THREAD) |
		BIT(TRITON_THREADS_PER_WARP) | BIT(TRITON_WARPS_PER_CTA) |
		BIT(TRITON_ORDER), CLUSTERS },
	[LAYOUT_TRITON_SLICE] = { BIT(TRITON_DIM) | BIT(TRITON_PARENT), 0 },
	[LAYOUT_TRITON_DOT_OP] = { BIT(TRITON_OP_IDX) | BIT(TRITON_PARENT),
		BIT(TRITON_K_WIDTH) },
	[LAYOUT_TRITON_AMD_MFMA] = { MATRIX | BIT(TRITON_WARPS_PER_CTA),
		BIT(TRITON_TILES_PER_WARP) | BIT(TRITON_ELEMENT_BIT_WIDTH) |
		BIT(TRITON_VERSION_MINOR) | CLUSTERS },
	[LAYOUT_TRITON_AMD_WMMA] = { BIT(TRITON_VERSION), BIT(TRITON_INSTR_SHAPE) |
		BIT(TRITON_IS_TRANSPOSED) | BIT(TRITON_IS_TRANSPOSE) | WARPS |
		BIT(TRITON_CTA_LAYOUT) | BIT(TRITON_RANK_FIELD) | CLUSTERS },
	[LAYOUT_TRITON_SWIZZLED_SHARED] = { SWIZZLE, CLUSTERS },
	[LAYOUT_TRITON_PADDED_SHARED] = { 0, BIT(TRITON_ORDER) | BIT(TRITON_SHAPE) |
		BIT(TRITON_OFFSET) | BIT(TRITON_BLOCK) | CLUSTERS },
	[LAYOUT_TRITON_AMD_ROTATING_SHARED] = { SWIZZLE, CLUSTERS },
	[LAYOUT_TRITON_NVIDIA_MMA] = { BIT(TRITON_VERSION_MAJOR) |
		BIT(TRITON_WARPS_PER_CTA) | BIT(TRITON_INSTR_SHAPE),
		BIT(TRITON_VERSION_MINOR) | CLUSTERS },
	[LAYOUT_TRITON_NVMMA_SHARED] = { BIT(TRITON_SWIZZLING) | BIT(TRITON_TRANSPOSED) |
		BIT(TRITON_ELEMENT_BIT_WIDTH), BIT(TRITON_FP4_PADDED) |
		BIT(TRITON_RANK_FIELD) | CLUSTERS },
};

static const char *const prefixes[] = { "#ttg.", "ttg.", "#triton_gpu.", "triton_gpu." };

bool text_at_triton_name(const struct text_cursor *cursor, const char *name)
{
	const char *begin = cursor->text + cursor->token.begin;
	size_t length = cursor->token.length;

	if (cursor->token.kind != TEXT_NAME)
		return false;
	for (unsigned i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t skipped = strlen(prefixes[i]);

		if (length > skipped && !memcmp(begin, prefixes[i], skipped)) {
			begin += skipped;
			length -= skipped;
			break;
		}
	}
	return strlen(name) == length && !memcmp(name, begin, length);
}

/* The kind that the next token names, or -1. */
static int kind_at(const struct text_cursor *cursor)
{
	if (text_at_triton_name(cursor, "shared"))
		return LAYOUT_TRITON_SWIZZLED_SHARED;
	for (int kind = 0; kind < TRITON_KINDS; kind++)
		if (text_at_triton_name(cursor, triton_kind_names[kind]))
			return kind;
	return -1;
}

bool text_at_triton(const struct text_cursor *cursor)
{
	return kind_at(cursor) >= 0 || text_at_gluon(cursor) || text_at_linear_encoding(cursor);
}

static bool read_list(struct text_cursor *cursor, struct triton_list *list,
	const char *what)
{
	struct text_ints ints;

	if (!text_integers(cursor, 0, what, &ints))
		return false;
	if (ints.count > LAYOUT_TRITON_RANK) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED,
			ints.positions[LAYOUT_TRITON_RANK], "more than %d dimensions",
			LAYOUT_TRITON_RANK);
		return false;
	}
	list->count = ints.count;
	memcpy(list->items, ints.items, ints.count * sizeof(*ints.items));
	return true;
}

/* One vector; the first one says how long all are. */
static bool read_basis(struct text_cursor *cursor, struct triton_bases *bases)
{
	long position = text_position(cursor);
	struct triton_list list;

	if (!read_list(cursor, &list, "a coordinate"))
		return false;
	if (!bases->count) {
		bases->rank = list.count;
		bases->items = layout_alloc(cursor->ctx, TRITON_BITS * (size_t)list.count,
			sizeof(int64_t));
	}
	if (!bases->items)
		return false;
	if (list.count != bases->rank) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
			"%u coordinates, the vector before has %u", list.count,
			bases->rank);
		return false;
	}
	memcpy(bases->items + bases->count++ * (size_t)bases->rank, list.items,
		list.count * sizeof(int64_t));
	return true;
}

bool text_triton_bases(struct text_cursor *cursor, struct triton_bases *bases)
{
	struct text_items items = { "[", "]", TRITON_BITS };

	while (text_item(cursor, &items))
		if (!read_basis(cursor, bases))
			return false;
	return items.ended;
}

/* "{register = [[..]], warp = [[..]]}", both optional. */
static bool read_cta_layout(struct text_cursor *cursor, struct triton_reading *reading)
{
	bool warp, given[2] = { false };

	if (!text_take(cursor, "{"))
		return false;
	if (text_skip(cursor, "}"))
		return true;
	do {
		warp = text_at(cursor, "warp");
		if (!warp && !text_at(cursor, "register"))
			return text_expected(cursor, "`register` or `warp`");
		if (given[warp])
			return text_duplicate(cursor);
		given[warp] = true;
		text_advance(cursor);
		if (!text_take(cursor, "=") ||
		    !text_triton_bases(cursor, warp ? &reading->warps : &reading->registers))
			return false;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, "}");
}

static bool read_bool(struct text_cursor *cursor, int64_t *value)
{
	*value = text_at(cursor, "true");
	return text_skip(cursor, "true") || text_skip(cursor, "false") ||
		text_expected(cursor, "`true` or `false`");
}

static bool read_number(struct text_cursor *cursor, int64_t *value,
	enum triton_field field)
{
	long position = text_position(cursor);

	if (!text_integer(cursor, value))
		return false;
	if (*value >= 0)
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
		"%s must be at least 0, not %lld", triton_field_names[field],
		(long long)*value);
	return false;
}

bool text_triton_value(struct text_cursor *cursor, struct triton_reading *reading,
	enum triton_field field)
{
	switch (field) {
	case TRITON_PARENT:
		reading->parent = text_triton(cursor);
		return reading->parent != NULL;
	case TRITON_CGA_LAYOUT:
		return text_triton_bases(cursor, &reading->clusters);
	case TRITON_OFFSET:
		return text_triton_bases(cursor, &reading->offsets);
	case TRITON_BLOCK:
		return text_triton_bases(cursor, &reading->blocks);
	case TRITON_CTA_LAYOUT:
		return read_cta_layout(cursor, reading);
	case TRITON_IS_TRANSPOSED:
	case TRITON_IS_TRANSPOSE:
	case TRITON_TRANSPOSED:
		return read_bool(cursor, &reading->numbers[TRITON_IS_TRANSPOSED]);
	case TRITON_FP4_PADDED:
		return read_bool(cursor, &reading->numbers[TRITON_FP4_PADDED]);
	case TRITON_DIM:
	case TRITON_OP_IDX:
	case TRITON_K_WIDTH:
	case TRITON_VERSION:
	case TRITON_VERSION_MAJOR:
	case TRITON_VERSION_MINOR:
	case TRITON_ELEMENT_BIT_WIDTH:
	case TRITON_RANK_FIELD:
	case TRITON_VEC:
	case TRITON_PER_PHASE:
	case TRITON_MAX_PHASE:
	case TRITON_SWIZZLING:
		return read_number(cursor, &reading->numbers[field], field);
	default:
		return read_list(cursor, &reading->lists[field], "an entry");
	}
}

/* "hasLeadingOffset = false", as older versions have it. */
static bool read_leading_offset(struct text_cursor *cursor)
{
	text_advance(cursor);
	if (!text_take(cursor, "="))
		return false;
	if (!text_at(cursor, "true"))
		return text_take(cursor, "false");
	layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, text_position(cursor),
		"with a leading offset it is nvmma_shared: write #ttg.nvmma_shared<{"
		"swizzlingByteWidth = .., transposed = .., elementBitWidth = ..}>");
	return false;
}

/* Is it the field, by its name or by an older one? */
static bool at_field(const struct text_cursor *cursor, layout_triton_kind kind,
	unsigned field)
{
	return text_at(cursor, triton_field_names[field]) ||
		(kind == LAYOUT_TRITON_AMD_MFMA && field == TRITON_VERSION &&
			text_at(cursor, triton_field_names[TRITON_VERSION_MAJOR]));
}

static bool read_field(struct text_cursor *cursor, struct triton_reading *reading)
{
	uint64_t known = kinds[reading->kind].demanded | kinds[reading->kind].allowed;
	char what[64];

	if (reading->kind == LAYOUT_TRITON_SWIZZLED_SHARED &&
	    text_at(cursor, "hasLeadingOffset"))
		return read_leading_offset(cursor);
	for (unsigned field = 0; field < TRITON_FIELDS; field++) {
		if (!(known >> field & 1) || !at_field(cursor, reading->kind, field))
			continue;
		if (reading->given >> field & 1)
			return text_duplicate(cursor);
		reading->given |= BIT(field);
		text_advance(cursor);
		if (!text_take(cursor, "="))
			return false;
		reading->places[field] = text_position(cursor);
		return text_triton_value(cursor, reading, field);
	}
	snprintf(what, sizeof(what), "a field of %s", triton_kind_names[reading->kind]);
	return text_expected(cursor, what);
}

/* "{order = [1, 0], ..}" */
static bool read_fields(struct text_cursor *cursor, struct triton_reading *reading)
{
	uint64_t missing;
	char what[64];

	if (!text_take(cursor, "{"))
		return false;
	do {
		if (!read_field(cursor, reading))
			return false;
	} while (text_skip(cursor, ","));
	missing = kinds[reading->kind].demanded & ~reading->given;
	if (missing && text_at(cursor, "}")) {
		snprintf(what, sizeof(what), "`%s`",
			triton_field_names[__builtin_ctzll(missing)]);
		return text_expected(cursor, what);
	}
	return text_end_list(cursor, "}");
}

/* "[128:+4, 256:+8]" */
static bool read_padding(struct text_cursor *cursor, struct triton_reading *reading)
{
	unsigned count = 0;

	reading->places[TRITON_PADDING] = text_position(cursor);
	if (!text_take(cursor, "["))
		return false;
	do {
		if (!text_room(cursor, count, LAYOUT_TRITON_RANK) ||
		    !read_number(cursor, &reading->intervals.items[count],
			    TRITON_PADDING) ||
		    !text_take(cursor, ":") || !text_take(cursor, "+") ||
		    !read_number(cursor, &reading->pads.items[count], TRITON_PADDING))
			return false;
		count++;
	} while (text_skip(cursor, ","));
	reading->intervals.count = reading->pads.count = count;
	return text_end_list(cursor, "]");
}

static bool read_body(struct text_cursor *cursor, struct triton_reading *reading)
{
	reading->kind = (layout_triton_kind)kind_at(cursor);
	text_advance(cursor);
	return text_take(cursor, "<") &&
		(reading->kind != LAYOUT_TRITON_PADDED_SHARED ||
			read_padding(cursor, reading)) &&
		read_fields(cursor, reading) && text_take(cursor, ">");
}

/* At a kind's name, or at a class. */
static layout_triton *read_encoding(struct text_cursor *cursor,
	struct triton_reading *reading)
{
	layout_triton *encoding = NULL;

	for (unsigned i = 0; i < TRITON_FIELDS; i++)
		reading->places[i] = text_position(cursor);
	if (text_at_gluon(cursor) ? text_gluon(cursor, reading) : read_body(cursor, reading))
		encoding = text_build_triton(cursor, reading);
	layout_triton_free(reading->parent);
	free(reading->clusters.items);
	free(reading->warps.items);
	free(reading->registers.items);
	free(reading->offsets.items);
	free(reading->blocks.items);
	return encoding;
}

/* A linear layout that is the encoding. */
static layout_triton *read_linear(struct text_cursor *cursor)
{
	layout_triton_desc desc = LAYOUT_TRITON_DESC_INIT;
	long begin = text_position(cursor), base;
	layout_triton *encoding = NULL;
	bool shared = text_at_triton_name(cursor, "shared_linear") ||
		text_at_call(cursor, "SharedLinearLayout");

	desc.kind = shared ? LAYOUT_TRITON_SHARED_LINEAR : LAYOUT_TRITON_LINEAR;
	desc.linear = text_linear_encoding(cursor, &desc.alignment);
	base = layout_context_set_base(cursor->ctx, begin);
	if (desc.linear)
		encoding = layout_triton_new(cursor->ctx, &desc);
	layout_context_set_base(cursor->ctx, base);
	layout_linear_free(desc.linear);
	return encoding;
}

/* Parents are read by this function, too. */
layout_triton *text_triton(struct text_cursor *cursor)
{
	layout_triton *encoding = NULL;
	struct triton_reading *reading;

	if (text_at_linear_encoding(cursor))
		return read_linear(cursor);
	if (!text_at_triton(cursor)) {
		text_expected(cursor, "an encoding of Triton: `blocked`, `slice`, ..");
		return NULL;
	}
	if (!text_enter(cursor))
		return NULL;
	reading = layout_alloc(cursor->ctx, 1, sizeof(*reading));
	if (reading)
		encoding = read_encoding(cursor, reading);
	free(reading);
	text_leave(cursor);
	return encoding;
}

OBJECT_FUNCTIONS(triton)

const struct value_kind kind_triton = {
	OBJECT_FIELDS(triton), .noun = "a Triton encoding",
	.kernel = "convert_tile(FROM -> TO, type = f16)", .at = text_at_triton,
	.lacks = "an encoding has no elements until distribute(ENCODING, [sizes]) "
		"gives it a shape",
};
