/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Selections of coordinates: permuting and dropping, as functions. */
#ifndef LAYOUT_ALGEBRA_SELECT_H
#define LAYOUT_ALGEBRA_SELECT_H

#include "isl_bridge/bridge.h"

typedef enum {
	SELECT_PERMUTE,		/* coordinate k of the result is dims[k]; each once */
	SELECT_DROP,		/* the coordinates that are not in dims, in order */
} select_kind;

/* X -> [..] for the space X of sets; consumes "space".  NULL with
 * LAYOUT_ERROR_INVALID where "dims" are not of that kind. */
isl_multi_aff *select_coordinates(layout_context *ctx, isl_space *space,
	const unsigned *dims, unsigned count, select_kind kind);

#endif
