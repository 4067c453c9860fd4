/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known around a statement: the variables that it sees, and the conditions that hold. */
#ifndef LAYOUT_PROGRAM_KNOWN_H
#define LAYOUT_PROGRAM_KNOWN_H

#include "algebra/storage/access.h"
#include "program/program.h"

enum { KNOWN_VARIABLES = PROGRAM_RANK + 16, KNOWN_CONDITIONS = 64 };

struct known {
	unsigned variable_count, condition_count;
	struct access_variable variables[KNOWN_VARIABLES];
	struct access_condition conditions[KNOWN_CONDITIONS];
};

/* Around the program's first statement: its grid, and what it assumes of the sizes. */
void known_begin(struct known *known, const layout_program *program);

/* Behind a statement that has a body: around that.  False where that is more than there is
 * room for. */
bool known_enter(struct known *known, const layout_program *program,
	const struct program_statement *statement);

/* A tile at the place of a memory; "at" has room for the positions, and stays the caller's. */
struct access known_access(const struct known *known, const layout_memory *memory,
	const struct program_place *place, const layout_tile *tile, const struct size **at);

/* Find out what holds at every launch, by what the program assumes: which accesses are inside
 * of their memories, and which loops have an even number of steps.  A program that assumes
 * nothing has all of that in the ranges of its indices. */
void known_find(layout_program *program);

#endif
