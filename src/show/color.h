/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the colors of a picture mean. */
#ifndef LAYOUT_SHOW_COLOR_H
#define LAYOUT_SHOW_COLOR_H

#include "show/palette.h"
#include "show/picture.h"

/* An element without a place has no color. */
#define SHOW_NO_COLOR SHOW_COLORS

struct show_coloring {
	layout_show_color by;
	const char *name;		/* "lane", .. */
	int64_t begin, end;		/* of what is colored */
};

/* As the options say; false with the error on the context where the picture has no such
 * thing. */
bool show_coloring_choose(struct show_coloring *coloring,
	const struct show_picture *picture, const layout_show_options *options);

/* "lane", .. */
const char *show_color_name(layout_show_color by);

/* The lane, register, bank or value of a place. */
int64_t show_colored(const struct show_coloring *coloring,
	const struct show_picture *picture, const struct show_place *place);

/* The palette's color of an element, which is that of its first place; and of something
 * colored. */
unsigned show_color(const struct show_coloring *coloring,
	const struct show_picture *picture, size_t element);
unsigned show_color_of(const struct show_coloring *coloring, int64_t colored);

#endif
