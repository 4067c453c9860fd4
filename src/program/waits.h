/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where lanes wait for each other at the LDS. */
#ifndef LAYOUT_PROGRAM_WAITS_H
#define LAYOUT_PROGRAM_WAITS_H

#include "program/local.h"

/* Mark the statements before which the waves of a workgroup wait: the fewest of each loop
 * such that any two accesses that touch an element, one of them a put, have a wait
 * between them whatever steps the loops take.  Of accesses that only meet in one wave, it
 * is that wave's.  "accesses" are those of the program, by number, and
 * "synchronizes" says of each tile whether all waves wait for each other while it is made,
 * which with "lands" they do for direct copies as well.
 * Where copies are direct, that is found once more: what waves then have done before.
 * False with the error on the context. */
bool program_waits_find(layout_context *ctx, layout_program *program,
	const struct local_access *accesses, const bool *synchronizes, bool lands);

/* Where copies are direct: may some be under way when the program's own statement of that number
 * begins, or behind the last? */
LAYOUT_INTERNAL bool program_waits_leave_copies(const layout_program *program, unsigned end)
	LAYOUT_SYMBOL(program_waits_leave_copies);

#endif
