/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Matrix instructions as JSON. */
#ifndef LAYOUTC_MMA_JSON_H
#define LAYOUTC_MMA_JSON_H

#include "layoutc/json.h"

#include <layout/mma.h>

/* {"name": .., "m": .., "operands": {"lhs": {"elements": 4, "type": "f16"}, ..}}: what a
 * target has under that name; "lhs" is its layout. */
void mma_json_row(FILE *out, layout_context *ctx, layout_mma *lhs, const char *name,
	const char *target);

/* The members "operand", "rows", .., "isl" and "linear" of a register layout; no "linear"
 * where there is none.  False with an error on the context. */
bool mma_json_layout(struct json_object *json, layout_context *ctx, layout_mma *mma);

#endif
