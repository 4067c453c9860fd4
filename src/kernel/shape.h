/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One tile, chosen: in one move, or in two where that is better. */
#ifndef LAYOUT_KERNEL_SHAPE_H
#define LAYOUT_KERNEL_SHAPE_H

#include "kernel/stage/stage.h"

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
	bool short_rows;		/* for these alone, by elements */
};

/* False where no tile is worth it: "why" says so.  Starts as { 0 }; free in both cases. */
bool shape_choose(struct tile_shape *shape, const struct shape_rules *rules, const char **why);
void shape_free(struct tile_shape *shape);

/* Has a dimension a length that is known? */
bool shape_has_known_length(const struct factors *factors);

/* Does it go through the LDS? */
bool shape_is_staged(const struct tile_shape *shape);

/* The time of a whole tile by itself, in that of a copy of as much: what its accesses take and
 * what issuing its instructions does, at the same time; and what most of the former is. */
struct shape_time {
	double memory, issue;
	enum memory_cost worst;
};

/* What takes longer. */
static inline double shape_time_all(const struct shape_time *time)
{
	return time->memory > time->issue ? time->memory : time->issue;
}

/* False where memory ran out, or what it costs is not known. */
bool shape_predict(const struct tile_shape *shape, const struct chip_memory *memory,
	struct shape_time *time);

/* What a whole tile takes of memory and of the issue, in the times that a copy takes for a
 * byte; or, where memory is not known, of the issue alone, in instructions.  "dims" are those of a
 * side, as bits, whose rows follow each other where all are no longer than the tile; of the ways
 * in which this can be, memory[way], 1 << side says that they are. */
enum { SHAPE_FITS = 1 << FACTOR_SIDES };
struct shape_cost {
	double memory[SHAPE_FITS], issue;
	unsigned dims[FACTOR_SIDES];
};
struct shape_cost shape_cost(const struct tile_shape *shape, const struct chip_memory *memory);

/* The choice where its dims on this side fit, as "way" says: with "fit" as room for that. */
struct choice shape_fitted(const struct choice *choice, enum factor_side side, unsigned way,
	const struct chip_memory *memory, struct choice_fit *fit);

/* Where memory is known, tiles take its time, or, if that is more, so many quarters of that and
 * the chip's "issue_shows" of the issue's: wide accesses are hidden. */
#define SHAPE_MEMORY_SHOWS 2
#define SHAPE_SHOWS 4
double shape_takes(double memory, double issue, const struct chip_memory *facts);

/* A tile that a dimension ends inside of takes so many times the issue of a whole one; one
 * that can begin earlier is whole.  Of memory it takes the pieces that the dimension has, of
 * so many elements of an extent each. */
unsigned shape_edge_issue(const struct chip_memory *memory);
int64_t shape_piece(const struct chip_memory *memory, int64_t extent);

#endif
