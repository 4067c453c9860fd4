/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe's functions of the shape of a layout, layouts out of shapes, and layouts at
 * coordinates. */
#include "text/call.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The layout, or the mode at a path from the top, "[1, 0]". */
static layout_cute *mode_of(struct call *call)
{
	const struct argument *path = &call->arguments[1];
	layout_cute *cute = call_cute(call, 0);
	unsigned modes[TEXT_LIST_LIMIT];

	if (!call_numbers(call, path, modes)) {
		layout_cute_free(cute);
		return NULL;
	}
	if (path->given)
		call_blame(call, 1);
	for (unsigned i = 0; i < path->list.count; i++)
		cute = layout_cute_select(cute, &modes[i], 1);
	return cute;
}

static bool give_of_mode(struct call *call, int64_t (*number)(layout_cute *cute))
{
	layout_cute *mode = mode_of(call);
	bool good = mode && give_integer(call, number(mode));

	layout_cute_free(mode);
	return good;
}

static bool run_size(struct call *call)
{
	return give_of_mode(call, layout_cute_size);
}

static bool run_cosize(struct call *call)
{
	return give_of_mode(call, layout_cute_cosize);
}

static int64_t rank(layout_cute *cute)
{
	return layout_cute_rank(cute);
}

static bool run_rank(struct call *call)
{
	return give_of_mode(call, rank);
}

static int64_t depth(layout_cute *cute)
{
	return layout_cute_depth(cute);
}

static bool run_depth(struct call *call)
{
	return give_of_mode(call, depth);
}

static bool run_select(struct call *call)
{
	const struct argument *modes = &call->arguments[1];
	unsigned numbers[TEXT_LIST_LIMIT];

	return call_numbers(call, modes, numbers) && give_cute(call,
		layout_cute_select(call_cute(call, 0), numbers, modes->list.count));
}

static bool run_group_modes(struct call *call)
{
	int64_t begin = call->arguments[1].integer, end = call->arguments[2].integer;
	bool fits = begin >= 0 && end >= 0 && begin <= TEXT_LIST_LIMIT &&
		end <= TEXT_LIST_LIMIT;

	call_blame(call, 1);
	return give_cute(call, layout_cute_group_modes(call_cute(call, 0),
		fits ? (unsigned)begin : 0, fits ? (unsigned)end : 0));
}

/* A shape with strides, or with an order for them. */
static bool from_shape(struct call *call)
{
	const struct text_numbers *shape = call->arguments[0].numbers;
	const struct argument *second = &call->arguments[1];
	int64_t stride[TEXT_LIST_LIMIT];

	if (second->numbers) {
		if (second->numbers->profile.count != shape->profile.count ||
		    memcmp(second->numbers->profile.arity, shape->profile.arity,
			shape->profile.count * sizeof(*shape->profile.arity))) {
			call_blame(call, 1);
			layout_fail(call->ctx, LAYOUT_ERROR_SPACE, -1,
				"shape and stride must be congruent: the same tree");
			return false;
		}
		memcpy(stride, second->numbers->leaf, sizeof(stride));
	} else if (!text_compact(call->ctx, shape->leaf, shape->count, second->integer,
			stride)) {
		return false;
	}
	return give_cute(call, layout_cute_new(call->ctx, shape->profile.arity,
		shape->profile.count, shape->leaf, stride, shape->count));
}

static bool from_layouts(struct call *call)
{
	layout_cute *parts[FUNCTION_ARGUMENTS];
	unsigned count = 0;

	while (count < FUNCTION_ARGUMENTS && call->arguments[count].given) {
		parts[count] = layout_value_cute(call->arguments[count].value);
		count++;
	}
	return give_cute(call, layout_cute_concat(call->ctx, parts, count));
}

/* Layouts beside layouts, or a shape and one more. */
static bool run_make_layout(struct call *call)
{
	bool shape = call->arguments[0].numbers;

	for (unsigned i = shape ? 2 : 0; i < FUNCTION_ARGUMENTS; i++)
		if (call->arguments[i].given && (shape || !call->arguments[i].value)) {
			call_blame(call, i);
			layout_fail(call->ctx, LAYOUT_ERROR_SPACE, -1, "make_layout: %s",
				shape ? "a shape has one stride" :
				"expected a CuTe layout beside others");
			return false;
		}
	if (shape && call->arguments[1].value) {
		call_blame(call, 1);
		layout_fail(call->ctx, LAYOUT_ERROR_SPACE, -1,
			"make_layout: expected the stride of the shape, found a layout");
		return false;
	}
	return shape ? from_shape(call) : from_layouts(call);
}

/* Past a node, whose leaves are counted. */
static unsigned past_node(const struct text_profile *profile, unsigned node, unsigned *leaves)
{
	int arity = profile->arity[node++];

	*leaves += arity < 0;
	for (int i = 0; i < arity; i++)
		node = past_node(profile, node, leaves);
	return node;
}

/* Which entry of an order each leaf of a shape goes by: its own, or that of its mode at the
 * top; the number of entries. */
static unsigned entries_of(const struct text_numbers *shape, unsigned count,
	unsigned entries[TEXT_LIST_LIMIT])
{
	unsigned node = shape->profile.arity[0] >= 0, leaves = 0, mode = 0;

	for (; leaves < shape->count && count != shape->count; mode++) {
		unsigned first = leaves;

		node = past_node(&shape->profile, node, &leaves);
		for (; first < leaves; first++)
			entries[first] = mode;
	}
	for (; leaves < shape->count; leaves++, mode++)
		entries[leaves] = mode;
	return mode;
}

/* The strides of the leaves whose entry of the order is "at", from "next" on; false where
 * there is none, or no room. */
static bool stride_entry(const struct text_numbers *shape, const unsigned *order,
	const unsigned *entries, unsigned at, int64_t *stride, int64_t *next)
{
	bool found = false, fits = true;

	for (unsigned leaf = 0; leaf < shape->count && fits; leaf++) {
		if (order[entries[leaf]] != at)
			continue;
		stride[leaf] = *next;
		found = true;
		fits = !__builtin_mul_overflow(*next, shape->leaf[leaf], next);
	}
	return found && fits;
}

/* Strides without gaps, those of the mode with the least of the order first. */
static bool run_make_ordered_layout(struct call *call)
{
	const struct text_numbers *shape = call->arguments[0].numbers;
	unsigned count = call->arguments[1].list.count, at = 0;
	unsigned order[TEXT_LIST_LIMIT], entries[TEXT_LIST_LIMIT] = { 0 };
	int64_t stride[TEXT_LIST_LIMIT] = { 0 }, next = 1;

	if (!call_numbers(call, &call->arguments[1], order))
		return false;
	if (entries_of(shape, count, entries) == count)
		while (at < count && stride_entry(shape, order, entries, at, stride, &next))
			at++;
	if (count && at == count)
		return give_cute(call, layout_cute_new(call->ctx, shape->profile.arity,
			shape->profile.count, shape->leaf, stride, shape->count));
	call_blame(call, 1);
	layout_fail(call->ctx, LAYOUT_ERROR_SPACE, -1, "make_ordered_layout: expected an order "
		"of the shape's modes, each once, (1, 0), without gaps in 64 bits");
	return false;
}

/* (thread, value) -> place in a tile, the first mode fastest, in which each thread has the
 * values, and threads lie beside each other. */
static bool run_make_layout_tv(struct call *call)
{
	static const int arity[] = { 2, -1, -1 };
	layout_cute *threads = call_cute(call, 0), *values = call_cute(call, 1), *both;
	int64_t shape[2] = { layout_cute_size(threads), layout_cute_size(values) };
	int64_t stride[2] = { 1, shape[0] };

	both = layout_cute_product(threads, values, LAYOUT_CUTE_RAKED);
	return give_cute(call, layout_cute_compose(layout_cute_right_inverse(both),
		layout_cute_new(call->ctx, arity, 3, shape, stride, 2)));
}

static bool run_tile_to_shape(struct call *call)
{
	const struct text_numbers *shape = call->arguments[1].numbers;
	const struct argument *order = &call->arguments[2];
	unsigned numbers[TEXT_LIST_LIMIT];
	unsigned rank = shape->profile.arity[0] < 0 ? 1 : (unsigned)shape->profile.arity[0];

	call_blame(call, 1);
	if (shape->count != rank) {
		layout_fail(call->ctx, LAYOUT_ERROR_SPACE, -1,
			"tile_to_shape: expected a number for each mode");
		return false;
	}
	if (order->given && !call_numbers(call, order, numbers))
		return false;
	if (order->given && order->list.count != rank) {
		call_blame(call, 2);
		layout_fail(call->ctx, LAYOUT_ERROR_SPACE, -1,
			"tile_to_shape: expected an order of %u modes, found %u", rank,
			order->list.count);
		return false;
	}
	return give_cute(call, layout_cute_tile_to_shape(call_cute(call, 0), shape->leaf,
		order->given ? numbers : NULL, rank));
}

/* Is a mode left? */
static bool keeps_modes(const struct text_numbers *at)
{
	for (unsigned i = 0; i < at->count; i++)
		if (at->leaf[i] == LAYOUT_CUTE_WHOLE)
			return true;
	return false;
}

/* Where no mode is left, the number. */
static bool give_slice(struct call *call, layout_cute *cute, const struct text_numbers *at)
{
	layout_cute *slice = layout_cute_slice(cute, at->profile.arity, at->profile.count,
		at->leaf);
	int64_t offset = 0;
	bool good;

	if (keeps_modes(at))
		return give_cute(call, slice);
	good = slice && layout_cute_eval(slice, 0, &offset);
	layout_cute_free(slice);
	return good && give_integer(call, offset);
}

/* ((_, _, ..), COORDINATE) for "rank" modes of a tile, and of the rest one for each, "_"
 * where the coordinate has none. */
static void tile_coordinate(const struct text_numbers *at, unsigned rank,
	struct text_numbers *result)
{
	unsigned first = at->profile.arity[0] < 0 ? 0 : 1, own = first ?
		(unsigned)at->profile.arity[0] : 1;
	bool open = first && own < rank;

	*result = (struct text_numbers){ .profile = { 2, { 2, (int)rank } } };
	for (unsigned i = 0; i < rank; i++) {
		result->profile.arity[result->profile.count++] = -1;
		result->leaf[result->count++] = LAYOUT_CUTE_WHOLE;
	}
	memcpy(result->profile.arity + result->profile.count, at->profile.arity,
		at->profile.count * sizeof(*at->profile.arity));
	if (open)
		result->profile.arity[result->profile.count] = (int)rank;
	result->profile.count += at->profile.count;
	memcpy(result->leaf + result->count, at->leaf, at->count * sizeof(*at->leaf));
	result->count += at->count;
	for (unsigned i = own; open && i < rank; i++) {
		result->profile.arity[result->profile.count++] = -1;
		result->leaf[result->count++] = LAYOUT_CUTE_WHOLE;
	}
}

/* zipped_divide(A, tiler)((_, .., _), coordinate) */
static bool run_local_tile(struct call *call)
{
	const struct text_numbers *at = call->arguments[2].numbers;
	struct text_tiler *tiler = call->arguments[1].tiler;
	struct text_numbers whole;
	layout_cute *tiles;

	if (tiler->count + at->count > TEXT_LIST_LIMIT / 2) {
		layout_fail(call->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"local_tile: too many modes");
		return false;
	}
	tile_coordinate(at, tiler->count, &whole);
	tiles = text_tiler_is_nested(tiler) ? text_tiler_apply(call_cute(call, 0), tiler,
		LAYOUT_CUTE_ZIPPED, layout_cute_divide) :
		layout_cute_divide_by(call_cute(call, 0), tiler->tiles, tiler->count,
			LAYOUT_CUTE_ZIPPED);
	if (!text_tiler_is_nested(tiler))
		tiler->count = 0;
	call_blame(call, 2);
	return give_slice(call, tiles, &whole);
}

/* { [thread, value] -> [x0, x1, ..] }, the elements of the tile numbered with x0 the
 * fastest, as CuTe writes the layouts of threads and values; consumes the layout. */
static layout_relation *thread_values(layout_cute *cute, layout_box tile)
{
	static const unsigned first = 0, second = 1;
	static const char *const names[] = { "thread", "value" };
	layout_cute *threads = layout_cute_select(layout_cute_copy(cute), &first, 1);
	layout_cute *values = layout_cute_select(layout_cute_copy(cute), &second, 1);
	const int64_t size = layout_cute_size(cute), ends[] = {
		layout_cute_size(threads), layout_cute_size(values) };
	layout_relation *relation = layout_cute_relation(cute);
	int64_t count = 1;

	for (unsigned i = 0; i < tile.rank; i++)
		count *= tile.sizes[i];
	relation = layout_relation_view_ins(relation, (layout_box){ 1, &size },
		(layout_box){ 2, ends }, layout_cute_is_lexicographic(cute) ?
			LAYOUT_ORDER_LEX : LAYOUT_ORDER_COLEX);
	relation = layout_relation_view_outs(relation, (layout_box){ 1, &count }, tile,
		LAYOUT_ORDER_COLEX);
	layout_cute_free(cute);
	layout_cute_free(threads);
	layout_cute_free(values);
	return layout_relation_name_in_coordinates(relation, names, 2);
}

static bool reaches_below_0(layout_cute *cute)
{
	for (unsigned i = 0; i < layout_cute_leaf_count(cute); i++)
		if (layout_cute_shape(cute, i) > 1 && layout_cute_stride(cute, i) < 0)
			return true;
	return false;
}

static bool run_tv(struct call *call)
{
	layout_cute *cute = layout_value_cute(call->arguments[0].value);
	const struct text_list *tile = &call->arguments[1].list;
	int64_t count = 1;

	for (unsigned i = 0; i < tile->count; i++)
		if (__builtin_mul_overflow(count, tile->sizes[i], &count))
			count = INT64_MAX;
	call_blame(call, 0);
	if (layout_cute_rank(cute) != 2 || layout_cute_arity(cute, 0) != 2)
		layout_fail(call->ctx, LAYOUT_ERROR_SPACE, -1,
			"tv: expected the two modes (threads, values), found %u",
			layout_cute_rank(cute));
	else if (reaches_below_0(cute))
		layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
			"tv: the layout has a negative stride, and a tile begins at 0");
	else if (layout_cute_cosize(cute) > count || count == INT64_MAX)
		layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
			"tv: the layout reaches %" PRId64 " elements, the tile has %" PRId64,
			layout_cute_cosize(cute), count);
	else if (give_relation(call, thread_values(call_cute(call, 0), (layout_box){
			tile->count, tile->sizes })))
		call->result->onto = value_box(call->ctx, tile->sizes, tile->count);
	return call->result->kind && call->result->onto;
}

/* "(3)" is the number, and of a layout with several modes "((1,2))" the tuple in it. */
static void open_coordinate(struct text_profile *profile, layout_cute *cute)
{
	if (profile->count == 2 && profile->arity[1] < 0)
		*profile = (struct text_profile){ 1, { -1 } };
	else if (profile->arity[0] == 1 && layout_cute_rank(cute) > 1)
		memmove(profile->arity, profile->arity + 1,
			--profile->count * sizeof(*profile->arity));
}

layout_value *text_at_coordinate(struct text_cursor *cursor, layout_value *value)
{
	struct call call = { .ctx = cursor->ctx, .position = text_position(cursor) };
	struct text_numbers at;
	long base;
	bool good;

	call.result = layout_alloc(cursor->ctx, 1, sizeof(*call.result));
	good = call.result && text_numbers(cursor, 0, true, &at);
	base = layout_context_set_base(cursor->ctx, call.position);
	good = good && layout_value_cute(value);
	if (good) {
		open_coordinate(&at.profile, layout_value_cute(value));
		good = give_slice(&call, layout_cute_copy(layout_value_cute(value)), &at);
	}
	layout_context_set_base(cursor->ctx, base);
	layout_value_free(value);
	if (good) {
		call.result->ctx = cursor->ctx;
		return call.result;
	}
	layout_value_free(call.result);
	return NULL;
}

const struct function functions_shape[] = {
	{ "cosize", run_cosize, { ARG(CUTE), OPTIONAL_KEY("mode", NUMBERS) },
		.example = "cosize((4,8):(8,2))" },
	{ "depth", run_depth, { ARG(CUTE), OPTIONAL_KEY("mode", NUMBERS) },
		.example = "depth((4,(2,4)):(8,(4,1)))" },
	{ "group_modes", run_group_modes, { ARG(CUTE), KEY("begin", INT), KEY("end", INT) }, "group",
		.example = "group_modes((2,3,5):(1,2,6), 0, 2)" },
	{ "local_tile", run_local_tile, { ARG(CUTE), KEY("tiler", TILER),
		KEY("coord", COORDINATE) },
		.example = "local_tile((16,16):(16,1), (4,8), (1,_))" },
	{ "make_layout", run_make_layout, { KEY("shape", MODE), OPTIONAL_KEY("stride", MODE),
		OPTIONAL(MODE), OPTIONAL(MODE), OPTIONAL(MODE) },
		.example = "make_layout((4,8), LayoutRight)" },
	{ "make_layout_tv", run_make_layout_tv, { ARG(CUTE), ARG(CUTE) },
		.example = "make_layout_tv((4,32):(32,1), (4,4):(4,1))" },
	{ "make_ordered_layout", run_make_ordered_layout, { ARG(SHAPE), KEY("order", ORDER) },
		.example = "make_ordered_layout((4,8), (1,0))" },
	{ "rank", run_rank, { ARG(CUTE), OPTIONAL_KEY("mode", NUMBERS) },
		.example = "rank((4,8):(8,1))" },
	{ "select", run_select, { ARG(CUTE), KEY("mode", NUMBERS) },
		.example = "select((2,3,5):(1,2,6), [2, 0])" },
	{ "size", run_size, { ARG(CUTE), OPTIONAL_KEY("mode", NUMBERS) },
		.example = "size((4,8):(8,1))" },
	{ "tile_to_shape", run_tile_to_shape, { ARG(CUTE), KEY("trg_shape", SHAPE),
		OPTIONAL_KEY("order", ORDER) },
		.example = "tile_to_shape((4,2):(2,1), (8, 8))" },
	{ "tv", run_tv, { ARG(CUTE), ARG(SIZES) },
		.example = "tv(((2,2),2):((8,1),4), [4, 6])" },
	{ .name = NULL },
};
