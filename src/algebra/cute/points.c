/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pairs of a layout, by the linear coordinate. */
#include "algebra/cute/cute.h"

bool cute_for_each(layout_cute *cute, layout_visit_pair visit, void *user)
{
	int64_t size = layout_cute_size(cute), offset;

	for (int64_t i = 0; i < size; i++) {
		if (!layout_cute_eval(cute, i, &offset))
			return false;
		if (!visit(user, &i, 1, &offset, 1))
			return true;
	}
	return true;
}
