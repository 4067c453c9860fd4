/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The formats that a picture is drawn in. */
#ifndef LAYOUT_SHOW_DRAW_H
#define LAYOUT_SHOW_DRAW_H

#include "show/color.h"
#include "show/picture.h"

void show_draw_text(struct layout_buffer *out, const struct show_picture *picture,
	const layout_show_options *options);
void show_draw_svg(struct layout_buffer *out, const struct show_picture *picture,
	const struct show_coloring *coloring);
void show_draw_svg_pair(struct layout_buffer *out, const char *title,
	const struct show_picture pictures[2], const struct show_coloring colorings[2]);
void show_draw_html(struct layout_buffer *out, const char *title,
	const struct show_picture *picture, const struct show_coloring *coloring);
void show_draw_tikz(struct layout_buffer *out, const struct show_picture *picture,
	const struct show_coloring *coloring);

/* The graph of a value's relations; false with the error on the context. */
bool show_draw_dot(struct layout_buffer *out, layout_context *ctx, layout_value *value,
	const layout_show_options *options);

/* Text with what XML reserves as entities. */
void show_escape(struct layout_buffer *out, const char *text, size_t length);

#endif
