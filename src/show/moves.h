/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Before and after a remap: which lane's register of a target's kernel loads each cell of the
 * source, and which stores each of the destination. */
#ifndef LAYOUT_SHOW_MOVES_H
#define LAYOUT_SHOW_MOVES_H

#include "show/draw.h"

struct show_moves {
	struct show_picture sides[2];	/* before, after */
	struct show_coloring colorings[2];
};

/* Do the options ask for the lanes of a remap? */
bool show_has_moves(const layout_value *value, const layout_show_options *options);

/* False with the error on the context.  Free in both cases. */
bool show_moves_build(struct show_moves *moves, layout_value *value,
	const layout_show_options *options);
void show_moves_free(struct show_moves *moves);

/* In any format; the page has the cells of the destination as its memory. */
void show_draw_moves(struct layout_buffer *out, const struct show_moves *moves,
	const char *title, const layout_show_options *options);

#endif
