/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles seen through a relation: which element of a tile each element of the view is. */
#include "program/build.h"
#include "isl_bridge/relation.h"

#include <layout/view.h>
#include "value/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Pairs of the relation as they are met; the input's side of an element is the view's
 * where "through", else the tile's. */
struct pairs {
	layout_context *ctx;
	const layout_tile *from;	/* what is seen */
	layout_tile *view;
	bool through, ok;
};

enum { MISSING = UINT32_MAX };

static int64_t number_of(const layout_tile *tile, const int64_t *coordinates)
{
	int64_t number = 0;

	for (unsigned d = 0; d < tile->rank; d++) {
		if (coordinates[d] < 0 || coordinates[d] >= tile->box[d])
			return -1;
		number = number * tile->box[d] + coordinates[d];
	}
	return number;
}

static bool refuse(const struct pairs *pairs, const layout_tile *of,
	const int64_t *coordinates, const char *what)
{
	struct layout_buffer out = { 0 };
	char *point;

	for (unsigned d = 0; d < of->rank; d++)
		layout_buffer_printf(&out, "%s%" PRId64, d ? ", " : "(", coordinates[d]);
	layout_buffer_printf(&out, ")");
	point = layout_buffer_take(pairs->ctx, &out);
	if (point)
		layout_fail(pairs->ctx, LAYOUT_ERROR_INVALID, -1, what, point,
			pairs->from->name);
	free(point);
	return false;
}

/* Of several elements of the tile, the first is seen. */
static bool take_pair(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned rank)
{
	struct pairs *pairs = user;
	const int64_t *seen = pairs->through ? image : in;
	const int64_t *at = pairs->through ? in : image;
	int64_t element = number_of(pairs->from, seen);
	int64_t view = number_of(pairs->view, at);

	(void)in_rank, (void)rank;
	if (view < 0)
		return true;
	if (element < 0)
		return pairs->ok = refuse(pairs, pairs->view, at,
			"element %s of the view would be one that `%s` does not have");
	if ((uint32_t)element < pairs->view->elements[view])
		pairs->view->elements[view] = (uint32_t)element;
	return true;
}

static bool is_whole(const struct pairs *pairs)
{
	int64_t count = program_elements(pairs->view), at[PROGRAM_RANK], n = 0;

	while (n < count && pairs->view->elements[n] != MISSING)
		n++;
	if (n == count)
		return true;
	for (unsigned d = pairs->view->rank; d-- > 0; n /= pairs->view->box[d])
		at[d] = n % pairs->view->box[d];
	return refuse(pairs, pairs->view, at, "element %s of the view is none of `%s`");
}

/* Where the relation has a bound of its own it is not restricted, and keeps its form. */
static layout_relation *restrict_map(const struct pairs *pairs, layout_relation *map)
{
	layout_context *ctx = pairs->ctx;
	const layout_tile *inputs = pairs->through ? pairs->view : pairs->from;
	struct layout_caught caught = { 0 }, *before = layout_context_catch(ctx, &caught);
	layout_set *domain = layout_relation_domain(layout_relation_copy(map));
	int64_t extents[PROGRAM_RANK], points = 1;
	bool small = layout_set_box(domain, extents);

	layout_set_free(domain);
	layout_context_catch(ctx, before);
	free(caught.message);
	for (unsigned d = 0; small && d < inputs->rank; d++)
		small = extents[d] <= 2 * PROGRAM_BOX / points && (points *= extents[d] +
			!extents[d]);
	return small ? map : layout_relation_restrict(map, value_box(ctx, inputs->box,
		inputs->rank));
}

static bool check_map(const struct pairs *pairs, layout_relation *map)
{
	layout_context *ctx = pairs->ctx;
	unsigned in = layout_relation_in_rank(map), out = layout_relation_out_rank(map);
	const layout_tile *inputs = pairs->through ? pairs->view : pairs->from;
	const layout_tile *images = pairs->through ? pairs->from : pairs->view;

	if (layout_relation_context(map) != ctx)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "a map of another context");
	else if (layout_relation_param_count(map))
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"a tile is not seen through a map with the size %s",
			layout_relation_param_name(map, 0));
	else if (in != inputs->rank || out != images->rank)
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1, "the map has %u inputs and %u "
			"coordinates, it takes %u and %u", in, out, inputs->rank,
			images->rank);
	else
		return true;
	return false;
}

static bool count_seen(const struct pairs *pairs)
{
	layout_program *program = pairs->view->program;

	program->seen_count += program_elements(pairs->view);
	if (program->seen_count <= PROGRAM_SEEN)
		return true;
	layout_fail(pairs->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "the views through relations "
		"have at most %d elements altogether", PROGRAM_SEEN);
	return false;
}

/* Takes the map. */
static bool find_elements(struct pairs *pairs, layout_relation *map)
{
	size_t count = (size_t)program_elements(pairs->view);

	if (!check_map(pairs, map) || !count_seen(pairs)) {
		layout_relation_free(map);
		return false;
	}
	pairs->view->elements = layout_alloc(pairs->ctx, count, sizeof(uint32_t));
	map = restrict_map(pairs, map);
	if (!pairs->view->elements || !map) {
		layout_relation_free(map);
		return false;
	}
	memset(pairs->view->elements, 0xff, count * sizeof(uint32_t));
	pairs->ok = layout_relation_for_each(map, take_pair, pairs) && pairs->ok;
	layout_relation_free(map);
	return pairs->ok && is_whole(pairs);
}

layout_tile *layout_program_view_through(layout_program *program, layout_tile *tile,
	layout_view_change change, layout_relation *map, const int64_t *box, unsigned rank)
{
	layout_tile *view = map && build_given(program, tile) ?
		build_tile(program, TILE_VIEW, box, rank, tile->type) : NULL;
	struct pairs pairs = { .from = tile, .view = view,
		.through = change == LAYOUT_VIEW_THROUGH, .ok = true };
	bool good = view;

	if (good) {
		pairs.ctx = program->ctx;
		view->operand_count = 1;
		view->operands[0] = tile;
		view->view = (enum view_op)change;
		view->text = layout_relation_str(map);
		good = view->text;
	}
	if (good && change != LAYOUT_VIEW_THROUGH && change != LAYOUT_VIEW_AGAINST) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"a relation is looked through, or against");
		good = false;
	}
	if (good)
		good = find_elements(&pairs, layout_relation_copy(map));
	layout_relation_free(map);
	if (good)
		return build_add(program, view, NULL);
	program_tile_free(view);
	return NULL;
}
