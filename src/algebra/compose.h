/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_COMPOSE_H
#define LAYOUT_ALGEBRA_COMPOSE_H

#include "isl_bridge/objects.h"

/* layout_relation_compose() for an operation that is a composition: "doing" names
 * it in messages, "restrict". */
layout_relation *compose_for(const char *doing, layout_relation *outer,
	layout_relation *inner);

#endif
