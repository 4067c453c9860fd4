/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the accesses of a kernel that copies cost a chip's memory.
 *
 * A wave's accesses are taken one by one: how many lines each touches, and which sectors it
 * writes in part.  What they cost is a sum over a few such counts, times the costs of the
 * chip's row, on top of the time of a copy of as much. */
#ifndef LAYOUT_KERNEL_MEMORY_H
#define LAYOUT_KERNEL_MEMORY_H

#include "algebra/chip.h"

/* What a lane accesses: bytes from "from" on, in the part of memory that is called "far"; two
 * of these have no line in common. */
struct memory_range {
	unsigned wave, access;
	int64_t far, from, bytes;
};

/* The accesses of a workgroup to one side.  Starts as { .facts = .. }. */
struct memory_trace {
	const struct chip_memory *facts;
	bool failed;			/* memory ran out */
	size_t count, room;
	struct memory_range *ranges;
};

void memory_add(struct memory_trace *trace, struct memory_range range);
void memory_trace_free(struct memory_trace *trace);

/*	accesses	of a wave
 *	bytes		of the workgroup
 *	lines		touched, over the least that have as many bytes: access by access,
 *	group_lines	and by the workgroup
 *	parts		sectors that an access has not all of, over the least,
 *	open		and those that a wave leaves so
 *	whole		each wave accesses bytes that follow each other */
struct memory_side {
	double accesses, bytes, lines, group_lines, parts, open;
	bool whole;
};

/* Sort the trace.  False where memory ran out. */
bool memory_count(struct memory_trace *trace, struct memory_side *side);

/* The group_lines alone, in any order. */
bool memory_count_group(struct memory_trace *trace, double *group_lines);

/* What the costs are multiplied by. */
void memory_terms(const struct memory_side *load, const struct memory_side *store,
	double terms[MEMORY_COSTS]);

/* The time of the accesses, in that of a copy; and the cost that most of it is, or
 * MEMORY_COSTS where there is none. */
double memory_time(const struct chip_memory *facts, const struct memory_side *load,
	const struct memory_side *store, enum memory_cost *worst);

/* What is added to that where rows are stored from inside of a sector on, of each of which a
 * workgroup has so many bytes; "words": by accesses of words, which begin there as well. */
double memory_odd_time(const struct chip_memory *facts, double row_bytes, bool words);

/* In words. */
const char *memory_cost_text(enum memory_cost cost);

#endif
