/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program's innermost loop costs, counted. */
#ifndef LAYOUT_KERNEL_PROGRAM_COST_H
#define LAYOUT_KERNEL_PROGRAM_COST_H

#include "kernel/program/plan.h"

/* Cycles of a compute unit for one step of the innermost loop of a workgroup: of its
 * matrix units, of memory, which gives COST_BYTES (assumed) a cycle in whole lines, of the LDS, and
 * in which instructions are issued; barriers, instructions of a wave, those of them that make small
 * numbers wider, and the registers of 32 bits that a lane has for what the loop carries, loads, gets and
 * converts.  "behind" is of memory, outside all loops.  "groups" is how many workgroups there is room
 * for at once.
 *
 * Accesses are those of whole tiles, where sizes without a number are COST_SIZE. */
enum { COST_SIZE = 4096, COST_BYTES = 64 };
struct program_cost {
	int64_t matrix, memory, lds, issue, barriers, instructions, widened, words, behind, groups;
};

/* "given" is what was planned.  False with the error on the context. */
bool program_cost_count(const layout_program *given, const struct program_plan *plan,
	const struct plan_target *target, struct program_cost *cost);

/* Workgroups that there is room for by the bytes of the LDS and the registers of all of one's
 * lanes; 1 at least. */
int64_t program_cost_groups(const struct plan_target *target, int64_t bytes, int64_t words);

/* A step of a loop of so many stages, 0 being as good as two: what takes longest, and the barriers;
 * and what memory has not answered by then, which it is asked for a step before, with more than two
 * stages several, with one in the step itself.  Other workgroups go on meanwhile. */
int64_t program_cost_step(const struct program_cost *cost, unsigned stages);

#endif
