/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A picture as a page: pointing at an element shows what belongs to it. */
#include "show/draw.h"
#include "show/page.h"
#include "show/svg.h"

#include <inttypes.h>
#include <string.h>

#define EXACT ((int64_t)1 << 53)	/* integers that JavaScript has exactly */

/* Without memory, an element's offset is its place in a row-major tensor. */
static int64_t offset_of(const struct show_picture *picture,
	const struct show_place *place)
{
	return picture->has_memory || picture->lands ? place->memory :
		(int64_t)place->element;
}

/* [thread, offset]; offsets that JavaScript would round are text. */
static void write_place(struct layout_buffer *out, const struct show_picture *picture,
	const struct show_place *place)
{
	int64_t offset = offset_of(picture, place);
	const char *quote = offset < -EXACT || offset > EXACT ? "\"" : "";

	layout_buffer_printf(out, "[%" PRId64 ",%s%" PRId64 "%s]",
		place->thread, quote, offset, quote);
}

static void write_places(struct layout_buffer *out, const struct show_picture *picture)
{
	layout_buffer_printf(out, "\"places\":[");
	for (size_t e = 0; e < picture->count; e++) {
		const struct show_place *place = show_place_first(picture, e);
		size_t count = show_place_count(picture, e);

		layout_buffer_printf(out, "%s[", e ? "," : "");
		for (size_t i = 0; i < count; i++) {
			layout_buffer_printf(out, "%s", i ? "," : "");
			write_place(out, picture, &place[i]);
		}
		layout_buffer_printf(out, "]");
	}
	layout_buffer_printf(out, "]");
}

static void write_data(struct layout_buffer *out, const struct show_geometry *geometry,
	const struct show_coloring *coloring)
{
	const struct show_picture *picture = geometry->picture;
	const int64_t *size = picture->size;
	bool has_memory = picture->has_memory || picture->lands;
	int64_t begin = has_memory ? picture->memory_begin : 0;
	int64_t end = has_memory ? picture->memory_end : (int64_t)picture->count;

	layout_buffer_printf(out, "const layout={\"slices\":%" PRId64 ",\"rows\":%" PRId64
		",\"columns\":%" PRId64 ",\"count\":%zu,", size[SHOW_SLICES],
		size[SHOW_ROWS], size[SHOW_COLUMNS], picture->count);
	layout_buffer_printf(out, "\"least\":%s,", geometry->has_labels ? "0.65" : "0.3");
	layout_buffer_printf(out, "\"begin\":%" PRId64 ",\"end\":%" PRId64
		",\"colors\":[", begin, end);
	for (size_t e = 0; e < picture->count; e++) {
		unsigned color = show_color(coloring, picture, e);

		if (color == SHOW_NO_COLOR)
			layout_buffer_printf(out, "%s\"%s\"", e ? "," : "",
				picture->pads ? "pad" : "none");
		else
			layout_buffer_printf(out, "%s\"k%u\"", e ? "," : "", color);
	}
	layout_buffer_printf(out, "],");
	write_places(out, picture);
	layout_buffer_printf(out, "};\n");
}

static void write_grid(struct layout_buffer *out, const struct show_geometry *geometry,
	const struct show_coloring *coloring)
{
	const struct show_picture *picture = geometry->picture;

	layout_buffer_printf(out, "<div id=\"grid-box\">\n"
		"<svg id=\"grid\" class=\"layout%s\" role=\"grid\" tabindex=\"0\""
		" aria-label=\"Elements\" aria-describedby=\"summary\""
		" aria-rowcount=\"%" PRId64 "\" aria-colcount=\"%" PRId64 "\""
		" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n",
		show_kind_of_cells(geometry),
		picture->size[SHOW_ROWS] * picture->size[SHOW_SLICES],
		picture->size[SHOW_COLUMNS], geometry->width, geometry->height,
		geometry->width, geometry->height);
	show_write_hatch(out, picture);
	show_write_numbers(out, geometry);
	show_write_tiles(out, geometry);
	layout_buffer_printf(out, "<g class=\"cells\" role=\"rowgroup\">\n");
	show_write_cells(out, geometry, coloring, true);
	layout_buffer_printf(out, "</g>\n");
	show_write_labels(out, geometry);
	layout_buffer_printf(out, "<g class=\"over\" aria-hidden=\"true\"></g>\n");
	show_write_legend(out, geometry, coloring);
	layout_buffer_printf(out, "</svg>\n</div>\n");
}

static const char *memory_name(const struct show_picture *picture)
{
	return picture->lands ? "After, in the destination's memory" :
		picture->has_memory ? "In memory" : "In a row-major tensor";
}

void show_draw_html(struct layout_buffer *out, const char *title,
	const struct show_picture *picture, const struct show_coloring *coloring)
{
	struct show_geometry geometry;

	show_geometry_find(&geometry, picture, "", "");
	layout_buffer_printf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\"/>\n<meta name=\"viewport\""
		" content=\"width=device-width, initial-scale=1\"/>\n<title>");
	show_escape(out, title, strlen(title));
	layout_buffer_printf(out, "</title>\n<style>\n");
	show_write_style(out);
	layout_buffer_printf(out, "%s</style>\n</head>\n<body>\n<h1>", show_page_style);
	show_escape(out, title, strlen(title));
	layout_buffer_printf(out, "</h1>\n<p id=\"summary\">");
	if (picture->lands) {
		show_escape(out, picture->text, strlen(picture->text));
		layout_buffer_printf(out, ", each cell with what loads it. ");
	}
	show_summary(out, picture, coloring);
	layout_buffer_printf(out, "</p>\n");
	write_grid(out, &geometry, coloring);
	layout_buffer_printf(out, "<p id=\"status\" role=\"status\">Point at an element, "
		"or press the arrow keys in the grid.</p>\n<h2>%s</h2>\n"
		"<div class=\"box\" id=\"memory-box\"><svg id=\"memory\" class=\"layout\""
		" role=\"img\" aria-label=\"Cells of memory\"><g class=\"cells\"></g>"
		"<g class=\"over\"></g></svg></div>\n<script>\n",
		memory_name(picture));
	write_data(out, &geometry, coloring);
	layout_buffer_printf(out, "%s</script>\n</body>\n</html>\n", show_page_script);
}
