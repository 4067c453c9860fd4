/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Owners that the user gives. */
#ifndef LAYOUT_KERNEL_CHOOSE_GIVEN_H
#define LAYOUT_KERNEL_CHOOSE_GIVEN_H

#include "kernel/choose/choose.h"

/* Choose what "owner" says:
 *
 *	owner : (lane, register) -> logical		of a tile at index 0
 *
 * Inputs named "lane" or "thread" number the lanes of a wave, "warp", "wave" or
 * "subgroup" the waves, and "block" or "workgroup" is 0; the others number the
 * registers, the last of them fastest.  Without such names the first input is the lane.
 * Lanes that hold what others hold become spares.
 *
 * False with LAYOUT_ERROR_INVALID and a witness where the owner does not hold a box of
 * the logical index digit by digit, or parts what is one piece to a storage. */
bool given_choose(struct choice *choice, const struct factors *factors,
	const struct choice_rules *rules, layout_relation *owner);

#endif
