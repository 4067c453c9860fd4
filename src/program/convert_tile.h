/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A conversion of a tile as a program: "x" has the registers of one owner, [thread][register],
 * and "y" those of another. */
#ifndef LAYOUT_PROGRAM_CONVERT_TILE_H
#define LAYOUT_PROGRAM_CONVERT_TILE_H

#include "program/build.h"

/* An owner with its text, NULL: as isl has it, and the lanes of a wave where it numbers
 * threads, 0: 64. */
struct convert_side {
	layout_relation *owner;
	const char *text;
	unsigned lanes;
};

/* Keeps the sides: FROM, TO.  NULL with LAYOUT_ERROR_INVALID and the point where TO wants
 * an element that FROM does not hold. */
layout_program *convert_tile_program(layout_context *ctx, const struct convert_side sides[2],
	const char *type);

#endif
