/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program that outlives its context. */
#ifndef LAYOUT_PROGRAM_COPY_H
#define LAYOUT_PROGRAM_COPY_H

#include "program/program.h"

/* The program without what is isl's: owners' relations, storages, and functions of sizes,
 * of which index expressions and texts stay.  NULL with the error on the context. */
layout_program *program_copy_plain(layout_context *ctx, const layout_program *program);

#endif
