/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/bank.h"
#include "show/kind.h"

#include <stdlib.h>
#include <string.h>

#define SPACE " \t\n\r"
#define LONGEST_TITLE 1000

enum show_grid show_grid_of(const struct show_pairs *pairs)
{
	if (pairs->inputs.kind != SHOW_ELEMENTS && pairs->images.kind == SHOW_ELEMENTS)
		return SHOW_GRID_IMAGES;
	return pairs->inputs.kind == SHOW_HARDWARE ? SHOW_GRID_THREADS : SHOW_GRID_INPUTS;
}

/* The side of lanes and registers; NULL: neither. */
static const struct show_side *hardware_side(const struct show_pairs *pairs)
{
	return pairs->inputs.kind == SHOW_HARDWARE ? &pairs->inputs :
		pairs->images.kind == SHOW_HARDWARE ? &pairs->images : NULL;
}

const struct show_side *show_place_side(const struct show_picture *picture)
{
	bool is_image = show_grid_of(&picture->pairs) == SHOW_GRID_IMAGES;

	return is_image ? &picture->pairs.inputs : &picture->pairs.images;
}

const int64_t *show_place_point(const struct show_picture *picture,
	const struct show_place *place)
{
	bool is_image = show_grid_of(&picture->pairs) == SHOW_GRID_IMAGES;

	return is_image ? show_pair_input(&picture->pairs, place->pair) :
		show_pair_image(&picture->pairs, place->pair);
}

/* Of a point of the hardware's side. */
static int64_t thread_number(const struct show_side *side, const int64_t *point)
{
	int64_t block = show_side_number(side, SHOW_BLOCK, point);
	int64_t warp = block * show_side_count(side, SHOW_WARP) +
		show_side_number(side, SHOW_WARP, point);

	return warp * show_side_count(side, SHOW_LANE) +
		show_side_number(side, SHOW_LANE, point);
}

/* False where threads and registers cannot be counted. */
static bool count_hardware(struct show_picture *picture)
{
	const struct show_side *side = hardware_side(&picture->pairs);
	int64_t blocks, warps;

	picture->lanes = picture->threads = picture->registers = 1;
	if (!side)
		return true;
	picture->has_threads = show_side_has(side, SHOW_LANE) ||
		show_side_has(side, SHOW_WARP) || show_side_has(side, SHOW_BLOCK);
	picture->has_registers = show_side_has(side, SHOW_REGISTER);
	picture->lanes = show_side_count(side, SHOW_LANE);
	picture->registers = show_side_count(side, SHOW_REGISTER);
	warps = show_side_count(side, SHOW_WARP);
	blocks = show_side_count(side, SHOW_BLOCK);
	if (picture->registers == INT64_MAX || side->is_negative ||
	    __builtin_mul_overflow(blocks, warps, &picture->threads) ||
	    __builtin_mul_overflow(picture->threads, picture->lanes, &picture->threads)) {
		layout_fail(picture->ctx, LAYOUT_ERROR_INVALID, -1,
			"lanes or registers are negative, or too many to count");
		return false;
	}
	return true;
}

void show_declare(struct show_picture *picture, unsigned dim, int64_t size)
{
	if (size > picture->extent[dim])
		picture->extent[dim] = size;
}

/* The dimensions of the elements, before they are arranged. */
static bool find_extents(struct show_picture *picture, layout_value *value)
{
	const struct show_pairs *pairs = &picture->pairs;
	const struct show_kind *kind = value->kind->show;
	enum show_grid grid = show_grid_of(pairs);
	const struct show_side *side = grid == SHOW_GRID_IMAGES ? &pairs->images :
		&pairs->inputs;

	if (grid == SHOW_GRID_THREADS) {
		picture->rank = 2;
		picture->extent[0] = picture->threads;
		picture->extent[1] = picture->registers;
		return true;
	}
	picture->rank = side->rank;
	if (side->rank > SHOW_DIMS)
		return show_too_deep(picture->ctx, "dimensions", side->rank);
	if (side->is_negative) {
		layout_fail(picture->ctx, LAYOUT_ERROR_INVALID, -1,
			"cannot show elements whose coordinates are negative");
		return false;
	}
	for (unsigned d = 0; d < side->rank; d++)
		picture->extent[d] = side->size[d];
	if (kind && kind->declare)
		kind->declare(picture, value);
	return true;
}

/* Rows and columns are the first two modes of a CuTe layout whose first mode is the
 * fastest, else the last two coordinates; the others number slices. */
static void choose_axes(struct show_picture *picture, layout_cute *cute)
{
	unsigned rank = picture->rank, count = rank > 2 ? rank - 2 : 0;
	bool slices_last = cute && !layout_cute_is_lexicographic(cute);

	picture->slice_count = count;
	for (unsigned k = 0; k < count; k++)
		picture->slices[k] = slices_last ? rank - 1 - k : k;
	for (unsigned d = 0; d < rank; d++) {
		unsigned at = slices_last ? d : d - count;

		if (d < count && !slices_last)
			picture->axis[d] = SHOW_SLICES;
		else
			picture->axis[d] = at > 1 ? SHOW_SLICES : rank == 1 || at ?
				SHOW_COLUMNS : SHOW_ROWS;
		picture->size[picture->axis[d]] *= picture->extent[d];
	}
}

/* Size of the grid; one dimension is cut into lines. */
static bool arrange(struct show_picture *picture, layout_value *value)
{
	int64_t sizes[SHOW_LEVELS][SHOW_DIMS], count = 1, line;
	unsigned levels;

	for (unsigned d = 0; d < picture->rank; d++)
		if (__builtin_mul_overflow(count, picture->extent[d], &count) ||
		    count > LAYOUT_SHOW_ELEMENTS) {
			layout_fail(picture->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
				"the picture would be too large: it may have %d elements",
				LAYOUT_SHOW_ELEMENTS);
			return false;
		}
	if (!count) {
		layout_fail(picture->ctx, LAYOUT_ERROR_INVALID, -1,
			"there is nothing to show: the layout has no elements");
		return false;
	}
	for (unsigned a = 0; a < SHOW_AXES; a++)
		picture->size[a] = 1;
	choose_axes(picture, picture->pairs.cute);
	if (picture->rank == 1) {
		levels = show_tile_sizes(value, 1, sizes);
		line = show_line_length(count, levels, sizes);
		picture->size[SHOW_COLUMNS] = line;
		picture->size[SHOW_ROWS] = (count + line - 1) / line;
	}
	picture->count = (size_t)count;
	picture->element_count = (size_t)(picture->size[SHOW_SLICES] *
		picture->size[SHOW_ROWS] * picture->size[SHOW_COLUMNS]);
	return true;
}

size_t show_picture_element(const struct show_picture *picture, const int64_t *coordinates)
{
	int64_t at[SHOW_AXES] = { 0 };

	for (unsigned d = 0; d < picture->rank; d++)
		at[picture->axis[d]] = coordinates[d];
	at[SHOW_SLICES] = 0;
	for (unsigned k = 0; k < picture->slice_count; k++)
		at[SHOW_SLICES] = at[SHOW_SLICES] * picture->extent[picture->slices[k]] +
			coordinates[picture->slices[k]];
	return (size_t)((at[SHOW_SLICES] * picture->size[SHOW_ROWS] + at[SHOW_ROWS]) *
		picture->size[SHOW_COLUMNS] + at[SHOW_COLUMNS]);
}

void show_slice_coordinates(const struct show_picture *picture, int64_t slice,
	int64_t coordinates[SHOW_DIMS])
{
	for (unsigned k = picture->slice_count; k-- > 0;) {
		unsigned d = picture->slices[k];

		coordinates[d] = slice % picture->extent[d];
		slice /= picture->extent[d];
	}
}

void show_picture_coordinates(const struct show_picture *picture, size_t element,
	int64_t coordinates[SHOW_DIMS])
{
	int64_t columns = picture->size[SHOW_COLUMNS], rows = picture->size[SHOW_ROWS];
	int64_t rest = (int64_t)element;
	int64_t at[SHOW_AXES] = { 0, rest / columns % rows, rest % columns };

	for (unsigned d = 0; d < picture->rank; d++)
		coordinates[d] = picture->rank == 1 ? rest : at[picture->axis[d]];
	show_slice_coordinates(picture, rest / columns / rows, coordinates);
}

/* The place of a pair, but for its offset in memory. */
static struct show_place place_of(const struct show_picture *picture, size_t pair)
{
	const struct show_pairs *pairs = &picture->pairs;
	const int64_t *in = show_pair_input(pairs, pair);
	const int64_t *image = show_pair_image(pairs, pair);
	enum show_grid grid = show_grid_of(pairs);
	const struct show_side *side = hardware_side(pairs);
	struct show_place place = { .pair = pair, .thread = -1, .reg = -1 };
	int64_t number[2];

	if (side) {
		const int64_t *point = side == &pairs->inputs ? in : image;

		number[0] = thread_number(side, point);
		number[1] = show_side_number(side, SHOW_REGISTER, point);
		place.thread = picture->has_threads ? number[0] : -1;
		place.reg = picture->has_registers ? number[1] : -1;
	}
	place.element = show_picture_element(picture, grid == SHOW_GRID_THREADS ? number :
		grid == SHOW_GRID_IMAGES ? image : in);
	return place;
}

/* Count the places of each element, then put each behind those before it. */
static bool find_places(struct show_picture *picture)
{
	size_t count = picture->pairs.count, elements = picture->element_count;
	size_t *next = layout_alloc(picture->ctx, elements + 2, sizeof(*next));

	picture->first = next;
	picture->places = layout_alloc(picture->ctx, count, sizeof(*picture->places));
	if (!next || !picture->places)
		return false;
	for (size_t i = 0; i < count; i++)
		next[place_of(picture, i).element + 2]++;
	for (size_t e = 2; e < elements + 2; e++)
		next[e] += next[e - 1];
	for (size_t i = 0; i < count; i++) {
		struct show_place place = place_of(picture, i);

		picture->places[next[place.element + 1]++] = place;
	}
	return true;
}

void show_picture_widen(struct show_picture *picture, int64_t lanes, int64_t wave)
{
	struct show_side *side = (struct show_side *)hardware_side(&picture->pairs);

	for (unsigned i = 0; side && i < side->rank; i++)
		if (side->roles[i] == SHOW_LANE && side->size[i] < lanes)
			side->size[i] = lanes;
	count_hardware(picture);
	picture->lanes = wave;
	for (size_t i = 0; i < picture->pairs.count; i++) {
		struct show_place *place = &picture->places[i];

		place->thread = place_of(picture, place->pair).thread;
	}
}

size_t show_place_count(const struct show_picture *picture, size_t element)
{
	return picture->first[element + 1] - picture->first[element];
}

const struct show_place *show_place_first(const struct show_picture *picture,
	size_t element)
{
	return show_place_count(picture, element) ?
		&picture->places[picture->first[element]] : NULL;
}

char *show_title(layout_context *ctx, layout_value *value,
	const layout_show_options *options)
{
	struct layout_buffer out = { 0 };
	const char *text = options->title;

	if (!text)
		return layout_value_str(value);
	for (text += strspn(text, SPACE); *text && out.length < LONGEST_TITLE;) {
		size_t word = strcspn(text, SPACE);

		layout_buffer_printf(&out, "%s%.*s", out.length ? " " : "",
			(int)(word < LONGEST_TITLE ? word : LONGEST_TITLE), text);
		text += word;
		text += strspn(text, SPACE);
	}
	layout_buffer_printf(&out, "%s", *text ? " .." : "");
	return layout_buffer_take(ctx, &out);
}

bool show_picture_build(struct show_picture *picture, layout_context *ctx,
	layout_value *value, const layout_show_options *options)
{
	bool good;

	*picture = (struct show_picture){ .ctx = ctx };
	good = show_pairs_list(&picture->pairs, ctx, value, options) &&
		(picture->text = show_title(ctx, value, options)) &&
		count_hardware(picture) && find_extents(picture, value) &&
		arrange(picture, value) && find_places(picture) &&
		show_offsets_find(picture, value, options);
	if (good)
		show_levels(picture, value);
	if (good && picture->has_memory && options->color == LAYOUT_SHOW_BY_BANK)
		picture->banks = show_banks_new(picture, options);
	return good && !(picture->has_memory && options->color == LAYOUT_SHOW_BY_BANK &&
		!picture->banks);
}

void show_picture_free(struct show_picture *picture)
{
	free(picture->text);
	free(picture->places);
	free(picture->first);
	show_banks_free(picture->banks);
	show_pairs_free(&picture->pairs);
	*picture = (struct show_picture){ 0 };
}
