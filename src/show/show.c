/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/moves.h"

#include "value/value.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BITS 4096		/* of an element */
#define MOST_BANKS 65536
#define MOST_COLUMNS 65536	/* of a line of text */

/* Always false. */
static bool refuse(layout_context *ctx, const char *what, unsigned long found)
{
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "the options ask for %s %lu", what,
		found);
	return false;
}

static bool check_options(layout_context *ctx, const layout_show_options *options)
{
	if ((unsigned)options->format > LAYOUT_SHOW_TIKZ)
		return refuse(ctx, "format", (unsigned long)options->format);
	if ((unsigned)options->color > LAYOUT_SHOW_BY_WARP)
		return refuse(ctx, "coloring", (unsigned long)options->color);
	if (options->element_bits < 1 || options->element_bits > MOST_BITS)
		return refuse(ctx, "elements of bits:", options->element_bits);
	if (options->banks < 1 || options->banks > MOST_BANKS)
		return refuse(ctx, "banks:", options->banks);
	if (options->columns > MOST_COLUMNS)
		return refuse(ctx, "columns:", options->columns);
	return layout_given_sizes(ctx, options->sizes, options->count);
}

static bool draw(struct layout_buffer *out, layout_value *value,
	const layout_show_options *options)
{
	struct show_picture picture;
	struct show_coloring coloring;
	bool good = show_picture_build(&picture, value->ctx, value, options) &&
		show_coloring_choose(&coloring, &picture, options);

	if (good && options->format == LAYOUT_SHOW_TEXT)
		show_draw_text(out, &picture, options);
	else if (good && options->format == LAYOUT_SHOW_SVG)
		show_draw_svg(out, &picture, &coloring);
	else if (good && options->format == LAYOUT_SHOW_TIKZ)
		show_draw_tikz(out, &picture, &coloring);
	else if (good)
		show_draw_html(out, picture.text, &picture, &coloring);
	show_picture_free(&picture);
	return good;
}

/* Before and after, under what was typed. */
static bool draw_moves(struct layout_buffer *out, layout_value *value,
	const layout_show_options *options)
{
	char *title = show_title(value->ctx, value, options);
	struct show_moves moves = { 0 };
	bool good = title && show_moves_build(&moves, value, options);

	if (good)
		show_draw_moves(out, &moves, title, options);
	show_moves_free(&moves);
	free(title);
	return good;
}

/* The options may be an older caller's, which lack the last fields. */
char *layout_show(layout_value *value, const layout_show_options *options)
{
	layout_show_options own = LAYOUT_SHOW_OPTIONS_INIT;
	struct layout_buffer out = { 0 };
	bool good;

	if (!value)
		return NULL;
	if (options)
		memcpy(&own, options, options->size < sizeof(own) ? options->size :
			sizeof(own));
	if (!check_options(value->ctx, &own))
		return NULL;
	good = own.format == LAYOUT_SHOW_DOT ?
		show_draw_dot(&out, value->ctx, value, &own) :
		show_has_moves(value, &own) ? draw_moves(&out, value, &own) :
		draw(&out, value, &own);
	if (good)
		return layout_buffer_take(value->ctx, &out);
	free(out.text);
	return NULL;
}
