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
#include "program/local.h"

/* An object in the LDS: from "at" on, "bytes" of each of its stages; where its elements lie,
 * and what that is as a storage. */
struct plan_local {
	int64_t at, bytes, *offsets;
	char *place;
};

/* Where a load lies in a memory that it sees through a map, and who loads what there. */
struct plan_seen {
	struct owner *owner;
	struct program_place place;
};

/*	program		without relations and storages, with the conversions that were found
 *	memories	of its arguments; coordinates are the variables behind all others
 *	owners		by the number of a tile; NULL for targets without lanes
 *	seen		by the number of a tile, of what is seen through a map
 *	conversions	by the number of the tile that is converted to; NULL for others
 *	locals		objects in the LDS, and their accesses by number
 *	text		the program as it was derived, to be read
 *	storages	the memories, logical -> cell, as isl text
 *	choice		what it was chosen among, as text; NULL: it was given */
struct program_plan {
	layout_program *program;
	struct storage_access *memories;
	unsigned tile_count;
	struct owner **owners;
	struct plan_seen *seen;
	layout_conversion_plan **conversions;
	unsigned wave_size, waves;
	int64_t object_bytes;		/* of the LDS, that objects take, */
	int64_t local_bytes;		/* and some statement besides; */
	int64_t *scratch;		/* where a statement's begins, by the number of its tile: */
					/* over objects that are done with; */
	unsigned scratch_count;		/* how many take some */
	struct plan_local *locals;
	unsigned access_count;
	struct local_access *accesses;
	struct index **order;		/* the grid's coordinates over sizes and places in the */
					/* grid, which have their numbers; NULL: these */
	unsigned operand_count;
	char **storages, *text, *choice;
};

/* The plan of a kernel for a program; NULL with the error on the context. */
LAYOUT_INTERNAL struct plan *program_plan_new(layout_program *program,
	const struct plan_target *target) LAYOUT_SYMBOL(program_plan_new);
/* Inside: find places for the objects of a program whose tiles have owners, with the
 * cycles of all their accesses; and where their lanes wait.  False with the error on the
 * context. */
bool program_plan_locals(layout_context *ctx, const layout_program *given,
	struct program_plan *plan, const struct plan_target *target);

/* Let a tile be made where it is by the owner that it has now: a load that sees a memory through a
 * map, or a conversion.  False with the error on the context. */
bool program_plan_renew(layout_context *ctx, struct program_plan *plan, const layout_tile *tile,
	const struct chip *chip);

/* Who accesses what of a memory when a tile is loaded from there, or stored; and where that is. */
LAYOUT_INTERNAL const struct owner *program_plan_access(const struct program_plan *plan,
	const layout_memory *memory, const layout_tile *tile)
	LAYOUT_SYMBOL(program_plan_access);

LAYOUT_INTERNAL const struct program_place *program_plan_place(const struct program_plan *plan,
	const layout_memory *memory, const layout_tile *tile,
	const struct program_place *place) LAYOUT_SYMBOL(program_plan_place);

/* Do all waves wait for each other while a tile is made? */
LAYOUT_INTERNAL bool program_plan_synchronizes(const struct program_plan *plan,
	const layout_tile *tile) LAYOUT_SYMBOL(program_plan_synchronizes);
LAYOUT_INTERNAL void program_plan_free(struct program_plan *plan)
	LAYOUT_SYMBOL(program_plan_free);

#endif
