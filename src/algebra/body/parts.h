/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bodies from the inside. */
#ifndef LAYOUT_ALGEBRA_BODY_PARTS_H
#define LAYOUT_ALGEBRA_BODY_PARTS_H

#include "algebra/body/body.h"
#include "isl_bridge/aff.h"

/* "box" is what the arguments are known to be in. */
struct body {
	layout_context *ctx;
	unsigned rank;
	isl_set *box;
};

/* One of the two: [arguments] -> index, or { [arguments] : condition }. */
struct body_value {
	layout_context *ctx;
	isl_pw_aff *index;
	isl_set *truth;
};

isl_space *body_space(const struct body *body);

/* Close a bridge_enter(); consumes the index. */
struct body_value *body_give(struct body *body, isl_pw_aff *index);

/* The arguments and names for which it is asked: the box, and names from 0 on.  Consumes
 * the set. */
isl_set *body_asked(const struct body *body, isl_set *set);

bool body_may_be_negative(const struct body *body, isl_pw_aff *index);

/* AND, OR and XOR of two indices, see bits.c. */
struct body_value *body_bits(struct body *body, enum body_operation operation,
	const struct body_value *a, const struct body_value *b);

#endif
