/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The plan of a program's kernel: what lower/ consumes.  Holds no isl object.
 *
 * The variables of its expressions are those of the program: sizes, then the grid's
 * coordinates, then counters of loops.  The dims of the plan's visit are the grid's
 * coordinates and, where the target has lanes, last the lane of the workgroup. */
#ifndef LAYOUT_KERNEL_PROGRAM_PLAN_H
#define LAYOUT_KERNEL_PROGRAM_PLAN_H

#include "algebra/owner/conversion.h"
#include "algebra/storage/address.h"
#include "kernel/plan.h"
#include "program/program.h"

/*	program		without relations and storages, with the conversions that were found
 *	memories	of its arguments; coordinates are the variables behind all others
 *	owners		by the number of a tile; NULL for targets without lanes
 *	conversions	by the number of the tile that is converted to; NULL for others
 *	text		the program as it was derived, to be read
 *	storages	the memories, logical -> cell, as isl text */
struct program_plan {
	layout_program *program;
	struct storage_access *memories;
	unsigned tile_count;
	struct owner **owners;
	layout_conversion_plan **conversions;
	unsigned wave_size, waves;
	int64_t local_bytes;		/* of the LDS, that any one statement takes */
	unsigned operand_count;
	char **storages, *text;
};

/* The plan of a kernel for a program; NULL with the error on the context. */
LAYOUT_INTERNAL struct plan *program_plan_new(layout_program *program,
	const struct plan_target *target) LAYOUT_SYMBOL(program_plan_new);
LAYOUT_INTERNAL void program_plan_free(struct program_plan *plan)
	LAYOUT_SYMBOL(program_plan_free);

#endif
