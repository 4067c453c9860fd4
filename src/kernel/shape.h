/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One tile, chosen: in one move, or in two where that is better. */
#ifndef LAYOUT_KERNEL_SHAPE_H
#define LAYOUT_KERNEL_SHAPE_H

#include "kernel/stage.h"

struct tile_shape {
	struct choice direct;
	struct stage stage;
	const struct choice *choice;	/* "direct", or the second of the stage's */
};

/* What shapes are chosen with. */
struct shape_rules {
	const struct factors *factors;
	struct choice_rules rules;
	const layout_lds *lds;		/* NULL: the target has none */
	unsigned lds_bytes;
	bool through_lds;		/* in two moves or not at all */
	const struct chip_memory *memory;	/* NULL: not known */
};

/* False where no tile is worth it: "why" says so.  Starts as { 0 }; free in both cases. */
bool shape_choose(struct tile_shape *shape, const struct shape_rules *rules, const char **why);
void shape_free(struct tile_shape *shape);

/* Does it go through the LDS? */
bool shape_is_staged(const struct tile_shape *shape);

/* The time of a whole tile by itself, in that of a copy of as much: what its accesses take and
 * what issuing its instructions does, at the same time; and what most of the former is. */
struct shape_time {
	double memory, issue;
	enum memory_cost worst;
};

/* False where memory ran out, or what it costs is not known. */
bool shape_predict(const struct tile_shape *shape, const struct chip_memory *memory,
	struct shape_time *time);

/* A tile that a dimension ends inside of takes so many times what a whole one does; one that
 * can begin earlier is whole. */
#define SHAPE_EDGE_COST 2

/* What a whole tile takes, in the time of 64 bytes of memory. */
int64_t shape_cost(const struct tile_shape *shape);

#endif
