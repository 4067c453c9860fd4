/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is done at the same time by different sets of workers. */
#ifndef LAYOUT_PROGRAM_EPOCHS_H
#define LAYOUT_PROGRAM_EPOCHS_H

#include "program/program.h"

/* Bring statements of sets that follow each other in a body into the order of their epochs, each of
 * which is what lies between two barriers: that of a statement is no earlier than its shift, nor
 * than that of one before it on the same set, and later than that of any before it which puts what
 * it gets, or the other way round.  False with the error on the context. */
bool program_order_epochs(layout_context *ctx, layout_program *program);

#endif
