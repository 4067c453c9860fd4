/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pictures as PNG and PDF, drawn of their SVG by librsvg, which is loaded where it is
 * installed. */
#ifndef LAYOUTC_IMAGE_H
#define LAYOUTC_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

enum image_kind { IMAGE_NONE, IMAGE_PNG, IMAGE_PDF };

struct image {
	unsigned char *data;	/* to be freed */
	size_t size;
};

/* Draw an SVG that layout_show() wrote.  NULL, or why there is no image. */
const char *image_draw(struct image *image, enum image_kind kind, const char *svg);

#endif
