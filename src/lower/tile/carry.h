/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Slots of the source whose tiles begin inside those of the plan, and digits that are rotated. */
#ifndef LAYOUT_LOWER_TILE_CARRY_H
#define LAYOUT_LOWER_TILE_CARRY_H

#include "lower/expression.h"
#include "lower/tile/form.h"
#include "lower/tile/lane.h"

/* The most that the slot counts. */
int64_t carry_span(const struct tile_form *form, const struct form_carry *of);

/* "start" is the part of n that all registers of a lane share, an i32.  Where the slot's weight
 * is a constant, it may be what is counted in, as "scale"; else that is 1. */
struct carry {
	const struct tile_form *form;
	const struct form_carry *of;
	LLVMBuilderRef builder;
	LLVMValueRef start;
	int64_t scale;
};

/* The lane's number is an i32. */
void carry_open(struct carry *carry, const struct tile_form *form, const struct form_carry *of,
	const struct expression_scope *scope, const struct lane_number *lane);

/* What the slot counts times the scale, an i32.  A register digit is values[d] or, if that is NULL,
 * constants[d]. */
LLVMValueRef carry_count(const struct carry *carry, const int64_t *constants,
	const LLVMValueRef *values);

#endif
