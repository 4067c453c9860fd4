/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts in pictures: elements by mode, and the tiles of the leaves. */
#include "show/kind.h"
#include "show/modes.h"

static bool fits(layout_value *value)
{
	layout_cute *cute = value->object;
	unsigned rank = layout_cute_rank(cute);

	if (rank > SHOW_DIMS)
		return show_too_deep(value->ctx, "modes", rank);
	return layout_cute_size(cute) <= LAYOUT_SHOW_ELEMENTS ||
		show_too_large(value->ctx);
}

static bool sides(layout_value *value, struct show_side *inputs,
	struct show_side *images)
{
	return show_offset_sides(value->ctx, layout_cute_rank(value->object), inputs,
		images);
}

/* Level k of a mode is its first k + 1 leaves; all of it where it has no more. */
static unsigned tiles(layout_value *value, unsigned rank,
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS])
{
	layout_cute *cute = value->object;
	unsigned levels = 0;

	for (unsigned d = 0; d < rank; d++) {
		int64_t leaves[SHOW_LEAVES], size = 1;
		unsigned count = show_mode_leaves(cute, d, leaves), level = 0;

		for (unsigned i = 0; i + 1 < count && level < SHOW_LEVELS; i++) {
			size *= leaves[i];
			if (leaves[i] > 1)
				sizes[level++][d] = size;
		}
		levels = level > levels ? level : levels;
	}
	return levels;
}

const struct show_kind show_cute = {
	.fits = fits, .sides = sides, .tiles = tiles, .modes = layout_value_cute,
};
