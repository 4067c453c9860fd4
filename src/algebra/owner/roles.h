/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the inputs of an owner's relation number. */
#ifndef LAYOUT_ALGEBRA_OWNER_ROLES_H
#define LAYOUT_ALGEBRA_OWNER_ROLES_H

#include "algebra/owner/owner.h"

enum { OWNER_INPUTS = 64 };

/* The first are the parts of an owner. */
enum owner_role { ROLE_SUBGROUP, ROLE_LANE, ROLE_REGISTER, ROLE_THREAD, ROLE_BLOCK };

/* The inputs of an owner's relation, OWNER_INPUTS at most: each adds its step, times
 * itself, to the number of its part, and the last of a part is fastest.  Threads are
 * lanes. */
struct owner_inputs {
	unsigned count;
	enum owner_role roles[OWNER_INPUTS];
	int64_t extents[OWNER_INPUTS], steps[OWNER_INPUTS];
};

/* What they number, by their names, see owner_of_relation(), and how many values each
 * has; false with the error on the context where they have no box. */
bool owner_inputs_read(struct owner_inputs *inputs, layout_relation *relation);

/* Fill in the steps and the extents of the parts of inputs that have values, one of them
 * where they number workgroups; false where there are more than "most" points. */
bool owner_inputs_number(struct owner_inputs *inputs, int64_t most,
	int64_t extent[OWNER_PARTS]);

/* The parts' numbers of an input. */
void owner_inputs_at(const struct owner_inputs *inputs, const int64_t *in,
	int64_t hw[OWNER_PARTS]);

#endif
