/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Does an owner hold all of a box? */
#ifndef LAYOUT_ALGEBRA_OWNER_COVERS_H
#define LAYOUT_ALGEBRA_OWNER_COVERS_H

#include "isl_bridge/context.h"
#include <layout/relation.h>

/* Every element of the box, and nothing "beyond" it.  A no has as its witness the first
 * element that is missing, or one that is beyond.  LAYOUT_UNKNOWN, with nothing on the
 * context but for memory, where there are too many points to list, or no end of them; and
 * with LAYOUT_ERROR_QUOTA where they are more than are "left", of which they are taken. */
layout_answer owner_covers(layout_relation *owner, const int64_t *box, unsigned rank,
	int64_t *left, bool *beyond, layout_witness **witness);

#endif
