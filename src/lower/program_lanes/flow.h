/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* In what order a program's statements are executed: one behind the other, in loops, in turns
 * over the grid, and in versions of all of that. */
#ifndef LAYOUT_LOWER_PROGRAM_FLOW_H
#define LAYOUT_LOWER_PROGRAM_FLOW_H

#include "lower/program_lanes/parts.h"

/* False with the error on the context. */
bool flow_statement(program_scope *body, const struct program_statement *statement);
bool flow_body(program_scope *body, const struct program_body *statements);

/* for (counter = 0; counter < extent; counter++) */
bool flow_for(program_scope *body, const struct program_statement *statement);

/* How often a loop turns, and how many steps a turn has where all tiles are whole. */
LLVMValueRef flow_extent(const program_scope *body, const struct program_statement *statement);
unsigned flow_steps(const program_scope *body, const struct program_statement *statement);

/* Does the statement access memory; does a loop's body, and has it no other loop? */
bool flow_is_access(const struct program_statement *statement);
bool flow_can_be_whole(const struct program_body *statements);

/* The variables that are sizes and the grid's coordinates: the first so many. */
unsigned flow_known(const program_scope *body);

/* From here on, nothing is what was computed before. */
void flow_renew(program_scope *body);

/* Begin and end a turn. */
void flow_enter(program_scope *body);
void flow_leave(program_scope *body);

/* The whole body, in its versions. */
bool flow_ways(program_scope *body);

#endif
