/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/color.h"

#include "show/bank.h"

static const char *const names[] = {
	[LAYOUT_SHOW_BY_LANE] = "lane",
	[LAYOUT_SHOW_BY_REGISTER] = "register",
	[LAYOUT_SHOW_BY_BANK] = "bank",
	[LAYOUT_SHOW_BY_VALUE] = "value",
	[LAYOUT_SHOW_BY_WARP] = "warp",
};

const char *show_color_name(layout_show_color by)
{
	return names[by];
}

/* Is there what the color is to mean? */
static bool has(const struct show_picture *picture, layout_show_color by)
{
	switch (by) {
	case LAYOUT_SHOW_BY_LANE:
	case LAYOUT_SHOW_BY_WARP:
		return picture->has_threads;
	case LAYOUT_SHOW_BY_REGISTER:
		return picture->has_registers;
	case LAYOUT_SHOW_BY_BANK:
		return picture->has_memory;
	default:
		return true;
	}
}

static bool refuse(const struct show_picture *picture, layout_show_color by)
{
	layout_fail(picture->ctx, LAYOUT_ERROR_INVALID, -1,
		"cannot color by %s: the places of this layout are %s", names[by],
		picture->has_memory ? picture->has_threads ?
		"offsets, of lanes without registers" : "offsets in memory" :
		picture->has_registers ? picture->has_threads ?
		"registers of lanes, not memory" : "registers without lanes" :
		"lanes without registers");
	return false;
}

/* 0 .. all that there are. */
static void find_range(struct show_coloring *coloring, const struct show_picture *picture)
{
	int64_t places;

	switch (coloring->by) {
	case LAYOUT_SHOW_BY_LANE:
		coloring->end = picture->lanes;
		break;
	case LAYOUT_SHOW_BY_WARP:
		coloring->end = picture->threads / picture->lanes;
		break;
	case LAYOUT_SHOW_BY_REGISTER:
		coloring->end = picture->registers;
		break;
	case LAYOUT_SHOW_BY_BANK:
		coloring->end = picture->banks->banks;
		break;
	default:
		if (__builtin_mul_overflow(picture->threads, picture->registers, &places))
			places = INT64_MAX;
		coloring->begin = picture->memory_begin;
		coloring->end = picture->has_memory ? picture->memory_end : places;
	}
}

bool show_coloring_choose(struct show_coloring *coloring,
	const struct show_picture *picture, const layout_show_options *options)
{
	layout_show_color by = options->color;

	if (by == LAYOUT_SHOW_BY_DEFAULT)
		by = picture->has_threads && !picture->has_memory ? LAYOUT_SHOW_BY_LANE :
			LAYOUT_SHOW_BY_VALUE;
	*coloring = (struct show_coloring){ .by = by, .name = names[by] };
	if (!has(picture, by))
		return refuse(picture, by);
	find_range(coloring, picture);
	return true;
}

/* Threads and registers counted through, as far as 64 bits go. */
static int64_t place_number(const struct show_picture *picture,
	const struct show_place *place)
{
	int64_t thread = place->thread < 0 ? 0 : place->thread, number;

	if (__builtin_mul_overflow(thread, picture->registers, &number) ||
	    __builtin_add_overflow(number, place->reg < 0 ? 0 : place->reg, &number))
		return INT64_MAX;
	return number;
}

int64_t show_colored(const struct show_coloring *coloring,
	const struct show_picture *picture, const struct show_place *place)
{
	switch (coloring->by) {
	case LAYOUT_SHOW_BY_LANE:
		return place->thread % picture->lanes;
	case LAYOUT_SHOW_BY_WARP:
		return place->thread / picture->lanes;
	case LAYOUT_SHOW_BY_REGISTER:
		return place->reg;
	case LAYOUT_SHOW_BY_BANK:
		return show_bank(picture->banks, place->memory);
	default:
		return picture->has_memory ? place->memory :
			place_number(picture, place);
	}
}

/* A range beyond 64 bits is colored as if it began at 0. */
unsigned show_color_of(const struct show_coloring *coloring, int64_t colored)
{
	int64_t count, id;

	if (__builtin_sub_overflow(coloring->end, coloring->begin, &count) ||
	    __builtin_sub_overflow(colored, coloring->begin, &id))
		return show_palette_of(colored, coloring->end);
	return show_palette_of(id, count);
}

unsigned show_color(const struct show_coloring *coloring,
	const struct show_picture *picture, size_t element)
{
	const struct show_place *place = show_place_first(picture, element);

	return place ? show_color_of(coloring, show_colored(coloring, picture, place)) :
		SHOW_NO_COLOR;
}
