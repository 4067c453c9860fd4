/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/label.h"

#include "show/bank.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "(3, 4)" of numbers, cut where it is too long. */
static void write_tuple(char text[SHOW_LABEL], const int64_t *point, unsigned rank)
{
	int length = snprintf(text, SHOW_LABEL, "(");

	for (unsigned i = 0; i < rank && length < SHOW_LABEL; i++)
		length += snprintf(text + length, (size_t)(SHOW_LABEL - length),
			"%s%" PRId64, i ? ", " : "", point[i]);
	if (length < SHOW_LABEL)
		snprintf(text + length, (size_t)(SHOW_LABEL - length), ")");
}

bool show_in_conflict(const struct show_picture *picture, size_t element)
{
	return picture->banks && picture->banks->conflict[element];
}

static struct show_label label_of_place(const struct show_picture *picture,
	const struct show_place *place)
{
	struct show_label label = { { "", "" } };
	bool has_thread = place->thread >= 0;

	if (picture->has_memory && picture->shows_tuples)
		write_tuple(label.line[0], show_place_point(picture, place),
			show_place_side(picture)->rank);
	else if (picture->has_memory)
		snprintf(label.line[0], SHOW_LABEL, "%" PRId64, place->memory);
	else if (has_thread)
		snprintf(label.line[0], SHOW_LABEL, "T%" PRId64, place->thread);
	if (!picture->has_memory && place->reg >= 0)
		snprintf(label.line[has_thread], SHOW_LABEL, "r%" PRId64, place->reg);
	return label;
}

static struct show_label label_of_bank(const struct show_picture *picture,
	const struct show_place *place)
{
	struct show_label label = { { "", "" } };

	snprintf(label.line[0], SHOW_LABEL, "%" PRId64,
		show_bank(picture->banks, place->memory));
	return label;
}

struct show_label show_label_of(const struct show_picture *picture, size_t element)
{
	const struct show_place *place;
	struct show_label label = { { "", "" } };
	size_t count, last, length;

	if (element >= picture->count)
		return label;
	place = show_place_first(picture, element);
	if (!place) {
		snprintf(label.line[0], SHOW_LABEL, picture->pads ? "#" : "-");
		return label;
	}
	label = picture->banks ? label_of_bank(picture, place) :
		label_of_place(picture, place);
	count = show_place_count(picture, element);
	last = *label.line[1] != 0;
	length = strlen(label.line[last]);
	if (count > 1)
		length += (size_t)snprintf(label.line[last] + length, SHOW_LABEL - length,
			"+%zu", count - 1);
	if (show_in_conflict(picture, element) && length < SHOW_LABEL)
		snprintf(label.line[last] + length, SHOW_LABEL - length, "!");
	return label;
}

void show_label_join(const struct show_label *label, char text[2 * SHOW_LABEL])
{
	snprintf(text, 2 * SHOW_LABEL, "%s%s%s", label->line[0],
		*label->line[1] ? ":" : "", label->line[1]);
}

/* " (lane 12, register 3)" */
static void describe_point(struct layout_buffer *out, const struct show_side *side,
	const int64_t *point)
{
	layout_buffer_printf(out, side->kind == SHOW_CELLS ? " (cell " : " (");
	for (unsigned i = 0; i < side->rank; i++)
		layout_buffer_printf(out, "%s%s%s%" PRId64, i ? ", " : "",
			side->names[i] ? side->names[i] : "", side->names[i] ? " " : "",
			point[i]);
	layout_buffer_printf(out, ")");
}

static void describe_place(struct layout_buffer *out, const struct show_picture *picture,
	const struct show_place *place)
{
	struct show_label label = label_of_place(picture, place);
	const struct show_side *side = show_place_side(picture);
	char text[2 * SHOW_LABEL];

	show_label_join(&label, text);
	layout_buffer_printf(out, "%s", text);
	if ((side->rank > 1 || side->kind == SHOW_HARDWARE) && !picture->shows_tuples)
		describe_point(out, side, show_place_point(picture, place));
	if (picture->banks)
		layout_buffer_printf(out, ", bank %" PRId64,
			show_bank(picture->banks, place->memory));
}

void show_describe(struct layout_buffer *out, const struct show_picture *picture,
	size_t element)
{
	size_t count = show_place_count(picture, element);
	const struct show_place *place = show_place_first(picture, element);
	int64_t coordinates[SHOW_DIMS];

	show_picture_coordinates(picture, element, coordinates);
	if (show_grid_of(&picture->pairs) == SHOW_GRID_THREADS) {
		layout_buffer_printf(out, "T%" PRId64, coordinates[0]);
		layout_buffer_printf(out, ":r%" PRId64, coordinates[1]);
	} else {
		layout_buffer_printf(out, "(");
		for (unsigned d = 0; d < picture->rank; d++)
			layout_buffer_printf(out, "%s%" PRId64, d ? ", " : "",
				coordinates[d]);
		layout_buffer_printf(out, ")");
	}
	layout_buffer_printf(out, ": %s", count ? "" : picture->pads ? "padding" :
		"no place");
	for (size_t i = 0; i < count && i < SHOW_PLACES; i++) {
		layout_buffer_printf(out, "%s", i ? "; " : "");
		describe_place(out, picture, &place[i]);
	}
	if (count > SHOW_PLACES)
		layout_buffer_printf(out, "; and %zu more", count - SHOW_PLACES);
	if (show_in_conflict(picture, element))
		layout_buffer_printf(out, "; in conflict");
}

void show_row_name(const struct show_picture *picture, int64_t row, char text[SHOW_LABEL])
{
	bool is_thread = show_grid_of(&picture->pairs) == SHOW_GRID_THREADS;

	if (picture->rank == 1)
		row *= picture->size[SHOW_COLUMNS];
	snprintf(text, SHOW_LABEL, "%s%" PRId64, is_thread ? "T" : "", row);
}

void show_column_name(const struct show_picture *picture, int64_t column,
	char text[SHOW_LABEL])
{
	bool is_register = show_grid_of(&picture->pairs) == SHOW_GRID_THREADS;

	snprintf(text, SHOW_LABEL, "%s%" PRId64, is_register ? "r" : "", column);
}

void show_slice_name(const struct show_picture *picture, int64_t slice,
	char text[SHOW_LABEL])
{
	int64_t at[SHOW_DIMS] = { 0 };
	int length = 0;

	*text = 0;
	show_slice_coordinates(picture, slice, at);
	for (unsigned d = 0; picture->slice_count && d < picture->rank &&
			length < SHOW_LABEL; d++) {
		const char *before = d ? ", " : "[";

		length += picture->axis[d] == SHOW_SLICES ?
			snprintf(text + length, (size_t)(SHOW_LABEL - length), "%s%" PRId64,
				before, at[d]) :
			snprintf(text + length, (size_t)(SHOW_LABEL - length), "%s:", before);
	}
	if (length && length < SHOW_LABEL)
		snprintf(text + length, (size_t)(SHOW_LABEL - length), "]");
}

static void count_of(struct layout_buffer *out, const char *before, int64_t count,
	const char *noun)
{
	layout_buffer_printf(out, "%s%" PRId64 " %s%s", before, count, noun,
		count == 1 ? "" : "s");
}

void show_summary(struct layout_buffer *out, const struct show_picture *picture,
	const struct show_coloring *coloring)
{
	for (unsigned d = 0; d < picture->rank; d++)
		layout_buffer_printf(out, "%s%" PRId64, d ? " x " : "",
			picture->extent[d]);
	layout_buffer_printf(out, picture->rank ? " elements" : "1 element");
	if (picture->has_threads)
		count_of(out, ", ", picture->threads, "thread");
	if (picture->has_registers)
		count_of(out, picture->has_threads ? " of " : ", ", picture->registers,
			"register");
	if (picture->has_memory && !picture->shows_tuples)
		layout_buffer_printf(out, ", offsets %" PRId64 " .. %" PRId64,
			picture->memory_begin, picture->memory_end - 1);
	layout_buffer_printf(out, ", colored by %s", coloring->name);
	if (!picture->banks)
		return;
	layout_buffer_printf(out, ". ");
	show_banks_describe(out, picture->banks);
}
