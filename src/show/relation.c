/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations in pictures: the images that are declared have cells, too, where nothing is. */
#include "show/kind.h"

#include <stdlib.h>

static void declare(struct show_picture *picture, layout_value *value)
{
	int64_t sizes[SHOW_RANK];
	struct layout_caught caught = { 0 }, *previous;

	if (!value->onto || show_grid_of(&picture->pairs) != SHOW_GRID_IMAGES ||
	    layout_set_rank(value->onto) != picture->rank)
		return;
	previous = layout_context_catch(value->ctx, &caught);
	if (layout_set_box(value->onto, sizes))
		for (unsigned d = 0; d < picture->rank; d++)
			show_declare(picture, d, sizes[d]);
	layout_context_catch(value->ctx, previous);
	free(caught.message);
}

const struct show_kind show_relation = { .declare = declare };
