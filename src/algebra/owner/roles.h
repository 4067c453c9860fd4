/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the inputs of an owner's relation number. */
#ifndef LAYOUT_ALGEBRA_OWNER_ROLES_H
#define LAYOUT_ALGEBRA_OWNER_ROLES_H

#include <layout/relation.h>

enum { OWNER_INPUTS = 64 };

/* The first are the parts of an owner. */
enum owner_role { ROLE_SUBGROUP, ROLE_LANE, ROLE_REGISTER, ROLE_THREAD, ROLE_BLOCK };

/* By the names of its inputs, OWNER_INPUTS at most: see owner_of_relation(). */
void owner_roles(layout_relation *relation, enum owner_role *roles);

#endif
