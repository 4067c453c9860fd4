/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Equality of relations that are functions, by their periods. */
#ifndef LAYOUT_ALGEBRA_EQUAL_FUNCTIONS_H
#define LAYOUT_ALGEBRA_EQUAL_FUNCTIONS_H

#include "isl_bridge/objects.h"

/* Are two relations equal for all sizes >= 0, if they are functions?  Their maps are given
 * with the names of one space.  LAYOUT_UNKNOWN, with nothing on the context, where their
 * periods do not say; NO has a witness as layout_relation_equal() has it.  Between
 * bridge_enter() and bridge_leave(). */
layout_answer functions_equal(layout_relation *a, isl_map *map_a, layout_relation *b,
	isl_map *map_b, layout_witness **witness);

#endif
