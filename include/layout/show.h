/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pictures of layouts: a cell for every element, and in it the place that holds it.
 *
 * A layout relates elements, which are points of a box of up to eight dimensions, with
 * places: a register of a lane, or a cell of memory.  The box is drawn as a grid, more
 * than two dimensions as panels, one dimension in lines.
 *
 *	lanes and registers -> coordinates	the grid of the coordinates; "T12:r3" is
 *						register 3 of lane 12
 *	coordinates -> memory			the grid of the inputs, and the offsets
 *	lanes and registers -> memory		a row a lane, a column a register
 *
 * Matrix operands, nested and linear layouts say which they are by their notation,
 * relations by their coordinates' names: lane, thread; warp, wave, subgroup, sg; block,
 * workgroup, wg; register, reg, element; and tuples called cell, lds or memory. */
#ifndef LAYOUT_SHOW_H
#define LAYOUT_SHOW_H

#include <layout/lds.h>
#include <layout/value.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
	LAYOUT_SHOW_TEXT,	/* a table of rows and columns */
	LAYOUT_SHOW_SVG,	/* an image, with the places as tooltips */
	LAYOUT_SHOW_HTML,	/* a page by itself that shows what belongs together */
	LAYOUT_SHOW_DOT,	/* spaces, and the relations between them, for Graphviz */
	LAYOUT_SHOW_TIKZ,	/* a tikzpicture, for a document that loads tikz */
} layout_show_format;

/* What a cell's color means. */
typedef enum {
	LAYOUT_SHOW_BY_DEFAULT,		/* by lane, where there are lanes, else value */
	LAYOUT_SHOW_BY_LANE,		/* of its wave */
	LAYOUT_SHOW_BY_REGISTER,
	LAYOUT_SHOW_BY_BANK,		/* of the LDS at the offset, which the cell names */
	LAYOUT_SHOW_BY_VALUE,		/* the offset, or the place's number */
	LAYOUT_SHOW_BY_WARP,		/* the wave that the lane is of */
} layout_show_color;

typedef struct {
	size_t size;			/* sizeof(layout_show_options) */
	layout_show_format format;
	layout_show_color color;
	const layout_size *sizes;	/* numbers for the layout's names */
	unsigned count;
	unsigned element_bits;		/* for banks, which are 4 bytes wide */
	unsigned banks;
	unsigned columns;		/* of the text's lines */
	const layout_lds *lds;		/* whose banks, and lanes that are served together; */
					/* NULL: "banks", and lanes that follow each other */
	const char *title;		/* above the picture; NULL: the layout as text */
} layout_show_options;
#ifdef __cplusplus
#define LAYOUT_SHOW_OPTIONS_INIT \
	([] { layout_show_options options_ = LAYOUT_INIT(layout_show_options); \
		options_.element_bits = options_.banks = 32; options_.columns = 80; \
		return options_; }())
#else
#define LAYOUT_SHOW_OPTIONS_INIT { .size = sizeof(layout_show_options), \
	.element_bits = 32, .banks = 32, .columns = 80 }
#endif

/* The most elements of a picture, and pairs of an element and its place. */
#define LAYOUT_SHOW_ELEMENTS 65536
#define LAYOUT_SHOW_PAIRS 262144

/* The picture as text, the same each time.  "options" may be NULL.
 *
 *	LAYOUT_ERROR_INVALID	a size has no value, a coordinate no bound or is negative;
 *				the layout has no such lanes, registers or memory
 *	LAYOUT_ERROR_SPACE	what has no elements: a set, a number, an encoding
 *				without sizes
 *	LAYOUT_ERROR_UNSUPPORTED	more than eight dimensions, or more elements or
 *				pairs than the limits
 *
 * A remap by lane, warp or register is two pictures, its source with what the kernel for
 * the chip of "lds" loads, and its destination with what that stores.
 *
 * A DOT graph needs no sizes: a composition is drawn as its operands, in the order in
 * which they apply. */
LAYOUT_API LAYOUT_GIVE char *layout_show(LAYOUT_KEEP layout_value *value,
	const layout_show_options *options);

#ifdef __cplusplus
}
#endif

#endif
