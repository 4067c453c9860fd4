/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A picture as a table: rows and columns, cut into bands that fit the line. */
#include "show/bank.h"
#include "show/draw.h"
#include "show/label.h"

#include <string.h>

/* Some columns of a slice, side by side with those of other slices. */
struct band {
	int64_t slice, begin, end;
};

struct table {
	const struct show_picture *picture;
	struct layout_buffer *out;
	int width;		/* of a cell */
	int label;		/* of a row's label */
	int line;		/* of a line, at most */
};

static int longer(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

static void cell_text(const struct show_picture *picture, size_t element,
	char text[2 * SHOW_LABEL])
{
	struct show_label label = show_label_of(picture, element);

	show_label_join(&label, text);
}

static void measure(struct table *table)
{
	const struct show_picture *picture = table->picture;
	char text[2 * SHOW_LABEL];

	table->width = table->label = 1;
	for (size_t e = 0; e < picture->element_count; e++) {
		cell_text(picture, e, text);
		table->width = longer(table->width, text);
	}
	show_column_name(picture, picture->size[SHOW_COLUMNS] - 1, text);
	table->width = longer(table->width, text);
	show_row_name(picture, picture->size[SHOW_ROWS] - 1, text);
	table->label = longer(table->label, text);
}

/* What stands between cell "at" and the one before along an axis: '|' at the outermost
 * tiles, ':' at those inside, 0 elsewhere and where tiles are single cells. */
static char border(const struct show_picture *picture, enum show_axis axis, int64_t at)
{
	for (unsigned level = picture->level_count; at && level-- > 0;) {
		int64_t tile = picture->tile[level][axis];

		if (tile > 1 && at % tile == 0)
			return level + 1 == picture->level_count ? '|' : ':';
	}
	return 0;
}

/* What column "at" takes in a band that begins at "begin". */
static int column_width(const struct table *table, int64_t begin, int64_t at)
{
	bool has_border = at > begin && border(table->picture, SHOW_COLUMNS, at);

	return 1 + table->width + (has_border ? 2 : 0);
}

/* What a band takes: its columns, or its slice's name. */
static int band_width(const struct table *table, const struct band *band)
{
	int width = 0;

	char name[SHOW_LABEL];

	for (int64_t c = band->begin; c < band->end; c++)
		width += column_width(table, band->begin, c);
	show_slice_name(table->picture, band->slice, name);
	return longer(width, name) + (longer(width, name) > width);
}

/* The space before band i, behind what the one before has taken. */
static void print_apart(const struct table *table, const struct band *bands, unsigned i)
{
	int taken = 0;

	if (!i)
		return;
	for (int64_t c = bands[i - 1].begin; c < bands[i - 1].end; c++)
		taken += column_width(table, bands[i - 1].begin, c);
	layout_buffer_printf(table->out, "%*s", band_width(table, &bands[i - 1]) - taken + 2,
		"");
}

/* How many columns from "begin" on a line holds, at least one. */
static int64_t columns_that_fit(const struct table *table, int64_t begin)
{
	int64_t end = table->picture->size[SHOW_COLUMNS], c = begin;
	int width = table->label;

	while (c < end && (width += column_width(table, begin, c)) <= table->line)
		c++;
	return c > begin ? c - begin : 1;
}

/* The end of a band: of all columns; or whole tiles, the outermost of which at least half
 * a line is used by; or a power of two of columns. */
static int64_t band_end(const struct table *table, int64_t begin)
{
	const struct show_picture *picture = table->picture;
	int64_t count = columns_that_fit(table, begin), step = 1;

	if (begin + count == picture->size[SHOW_COLUMNS])
		return begin + count;
	for (unsigned level = picture->level_count; level-- > 0;) {
		int64_t tile = picture->tile[level][SHOW_COLUMNS];
		int64_t whole = count / tile * tile;

		if (tile > 1 && 2 * whole >= count)
			return begin + whole;
	}
	while (2 * step <= count)
		step *= 2;
	return begin + step;
}

static void print_header(const struct table *table, const struct band *bands,
	unsigned count)
{
	char text[SHOW_LABEL];

	layout_buffer_printf(table->out, "%*s", table->label, "");
	for (unsigned i = 0; i < count; i++) {
		print_apart(table, bands, i);
		for (int64_t c = bands[i].begin; c < bands[i].end; c++) {
			bool is_border = c > bands[i].begin &&
				border(table->picture, SHOW_COLUMNS, c);

			show_column_name(table->picture, c, text);
			layout_buffer_printf(table->out, "%s %*s", is_border ? "  " : "",
				table->width, text);
		}
	}
	layout_buffer_printf(table->out, "\n");
}

static void print_names(const struct table *table, const struct band *bands,
	unsigned count)
{
	char text[SHOW_LABEL];
	int pad = table->label + 1;

	for (unsigned i = 0; i < count; i++) {
		show_slice_name(table->picture, bands[i].slice, text);
		if (!*text)
			return;
		layout_buffer_printf(table->out, "%*s%s", pad, "", text);
		pad = band_width(table, &bands[i]) - (int)strlen(text) + 2;
	}
	layout_buffer_printf(table->out, "\n");
}

/* A line of '-' between tiles, or of '.' between those inside. */
static void print_rule(const struct table *table, const struct band *bands,
	unsigned count, char of)
{
	layout_buffer_printf(table->out, "%*s", table->label, "");
	for (unsigned i = 0; i < count; i++) {
		print_apart(table, bands, i);
		for (int64_t c = bands[i].begin; c < bands[i].end; c++) {
			char side = c > bands[i].begin ?
				border(table->picture, SHOW_COLUMNS, c) : 0;

			if (side)
				layout_buffer_printf(table->out, "%c%c", of,
					side == '|' ? '+' : of);
			for (int k = 0; k <= table->width; k++)
				layout_buffer_printf(table->out, "%c",
					k || c > bands[i].begin ? of : ' ');
		}
	}
	layout_buffer_printf(table->out, "\n");
}

static void print_row(const struct table *table, const struct band *bands, unsigned count,
	int64_t row)
{
	const struct show_picture *picture = table->picture;
	char text[2 * SHOW_LABEL];

	show_row_name(picture, row, text);
	layout_buffer_printf(table->out, "%*s", table->label, text);
	for (unsigned i = 0; i < count; i++) {
		print_apart(table, bands, i);
		for (int64_t c = bands[i].begin; c < bands[i].end; c++) {
			char side = c > bands[i].begin ?
				border(picture, SHOW_COLUMNS, c) : 0;

			if (picture->rank == 1 && row * picture->size[SHOW_COLUMNS] + c >=
					picture->extent[0])
				break;
			if (side)
				layout_buffer_printf(table->out, " %c", side);
			cell_text(picture, (size_t)((bands[i].slice *
				picture->size[SHOW_ROWS] + row) *
				picture->size[SHOW_COLUMNS] + c), text);
			layout_buffer_printf(table->out, " %*s", table->width, text);
		}
	}
	layout_buffer_printf(table->out, "\n");
}

static void print_bands(const struct table *table, const struct band *bands,
	unsigned count)
{
	const struct show_picture *picture = table->picture;

	print_names(table, bands, count);
	print_header(table, bands, count);
	for (int64_t row = 0; row < picture->size[SHOW_ROWS]; row++) {
		char rule = border(picture, SHOW_ROWS, row);

		if (rule)
			print_rule(table, bands, count, rule == '|' ? '-' : '.');
		print_row(table, bands, count, row);
	}
}

/* Slices that fit the line stand side by side, those of four dimensions and more as a
 * table; else their bands below each other. */
static void print_slices(const struct table *table)
{
	enum { SIDE_BY_SIDE = 16 };
	const struct show_picture *picture = table->picture;
	struct band bands[SIDE_BY_SIDE] = { { 0 } };
	struct band next = { 0, 0, band_end(table, 0) };
	int64_t across = picture->slice_count < 2 ? picture->size[SHOW_SLICES] :
		picture->extent[picture->slices[picture->slice_count - 1]];
	unsigned count = 0;
	int width = table->label;

	while (next.slice < picture->size[SHOW_SLICES]) {
		bool is_whole = !next.begin && next.end == picture->size[SHOW_COLUMNS] &&
			next.slice % across;

		width += band_width(table, &next) + (count ? 2 : 0);
		if (count && (!is_whole || count == SIDE_BY_SIDE ||
				width > table->line)) {
			print_bands(table, bands, count);
			layout_buffer_printf(table->out, "\n");
			width = table->label + band_width(table, &next);
			count = 0;
		}
		bands[count++] = next;
		next.begin = next.end;
		if (next.begin == picture->size[SHOW_COLUMNS]) {
			next.begin = 0;
			next.slice++;
		}
		next.end = band_end(table, next.begin);
	}
	print_bands(table, bands, count);
}

/* What "+1" means, where it is said. */
static void print_note(const struct table *table)
{
	size_t least = SIZE_MAX, most = 1;

	for (size_t e = 0; e < table->picture->count; e++) {
		size_t count = show_place_count(table->picture, e);

		most = count > most ? count : most;
		least = count > 1 && count < least ? count : least;
	}
	if (most == 2)
		layout_buffer_printf(table->out,
			"+1: one more place holds the element\n");
	else if (most > 2)
		layout_buffer_printf(table->out,
			"+%zu: so many more places hold the element\n", least - 1);
}

/* What "#" means, where it is drawn. */
static void print_padding_note(const struct table *table)
{
	const struct show_picture *picture = table->picture;
	size_t e = 0;

	while (picture->pads && e < picture->count && show_place_count(picture, e))
		e++;
	if (picture->pads && e < picture->count)
		layout_buffer_printf(table->out, "#: padding\n");
}

static void print_banks_note(const struct table *table)
{
	if (!table->picture->banks)
		return;
	show_banks_describe(table->out, table->picture->banks);
	layout_buffer_printf(table->out, "\n");
}

void show_draw_text(struct layout_buffer *out, const struct show_picture *picture,
	const layout_show_options *options)
{
	struct table table = { .picture = picture, .out = out,
		.line = (int)options->columns };

	measure(&table);
	print_slices(&table);
	print_note(&table);
	print_padding_note(&table);
	print_banks_note(&table);
}
