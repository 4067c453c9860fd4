/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The coordinates of an owner as code. */
#ifndef LAYOUT_LOWER_OWNER_H
#define LAYOUT_LOWER_OWNER_H

#include "algebra/owner/owner.h"
#include "lower/target.h"

/* Who we are: the lane of a wave of so many, the subgroup of so many in a workgroup, both
 * i32s; the subgroup is one that hooks->uniform() gave. */
struct owner_hardware {
	const struct target_hooks *hooks;
	unsigned wave_size, subgroups;
	LLVMValueRef lane, subgroup;
};

/* The coordinates of register r are hw[dim] + owner_register(.., r, dim); where "flips"
 * has the dimension's bit, hw[dim] ^ that.  hw[dim] is an i32, computed once; NULL: 0.
 * Lanes and subgroups beyond those of the owner have what the others have. */
struct owner_coordinates {
	LLVMBuilderRef builder;
	const struct owner *owner;
	LLVMValueRef hw[OWNER_RANK];
	uint64_t flips;
};

/* Begin where the builder is. */
void owner_coordinates(struct owner_coordinates *coordinates, LLVMBuilderRef builder,
	const struct owner_hardware *hardware, const struct owner *owner);

/* What register r contributes. */
int64_t owner_register(const struct owner_coordinates *coordinates, int64_t r,
	unsigned dim);

/* Coordinate "dim" of register r, an i32. */
LLVMValueRef owner_coordinate(const struct owner_coordinates *coordinates, int64_t r,
	unsigned dim);

/* Are the digits of the set, of lanes and subgroups, all 0, and lane and subgroup among
 * those of the owner?  An i1; NULL: always. */
LLVMValueRef owner_are_zero(LLVMBuilderRef builder, const struct owner_hardware *hardware,
	const struct owner *owner, uint64_t digits);

#endif
