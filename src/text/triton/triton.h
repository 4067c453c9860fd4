/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a text says of an encoding of Triton, before it is known to make sense. */
#ifndef LAYOUT_TEXT_TRITON_H
#define LAYOUT_TEXT_TRITON_H

#include "algebra/triton/triton.h"
#include "isl_bridge/lexer.h"

/* Vectors of "rank" coordinates; "items" is to be freed. */
struct triton_bases {
	unsigned count, rank;
	int64_t *items;
};

struct triton_list {
	unsigned count;
	int64_t items[LAYOUT_TRITON_RANK];
};

/* Fields by name; "given" has a bit for each that is there, "places" where its value
 * stands. */
struct triton_reading {
	layout_triton_kind kind;
	uint64_t given;
	long places[TRITON_FIELDS];
	int64_t numbers[TRITON_FIELDS];
	struct triton_list lists[TRITON_FIELDS];
	struct triton_bases clusters, warps, registers, offsets, blocks;
	struct triton_list intervals, pads;
	layout_triton *parent;
};

#define BIT(field) ((uint64_t)1 << (field))

/* The older spelling of CGALayout, and of amd_wmma's ctaLayout. */
#define OLD_CLUSTERS (BIT(TRITON_CTAS_PER_CGA) | \
	BIT(TRITON_CTA_SPLIT_NUM) | BIT(TRITON_CTA_ORDER))
#define WARPS (BIT(TRITON_WARPS_PER_CTA) | BIT(TRITON_TILES_PER_WARP))
#define CLUSTERS (BIT(TRITON_CGA_LAYOUT) | OLD_CLUSTERS)

/* The value of a field, as MLIR has it, and "[[0, 1], [1, 0]]". */
bool text_triton_value(struct text_cursor *cursor, struct triton_reading *reading,
	enum triton_field field);
bool text_triton_bases(struct text_cursor *cursor, struct triton_bases *bases);

/* An encoding as a class of Gluon's, see gluon.c: its kind and fields. */
bool text_at_gluon(const struct text_cursor *cursor);
bool text_gluon(struct text_cursor *cursor, struct triton_reading *reading);

/* The encoding that the fields describe; NULL on an error. */
layout_triton *text_build_triton(struct text_cursor *cursor,
	struct triton_reading *reading);

#endif
