/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of CuTe layouts. */
#include "text/call.h"

#include <stdlib.h>

/* What "operation" makes of the first argument. */
static bool run_one(struct call *call, layout_cute *(*operation)(layout_cute *))
{
	return give_cute(call, operation(call_cute(call, 0)));
}

/* The same with a number. */
static bool run_number(struct call *call,
	layout_cute *(*operation)(layout_cute *, int64_t))
{
	return give_cute(call, operation(call_cute(call, 0),
		call->arguments[1].integer));
}

static bool run_coalesce(struct call *call)
{
	const struct text_profile *profile = call->arguments[1].profile;

	if (!profile)
		return run_one(call, layout_cute_coalesce);
	return give_cute(call, layout_cute_coalesce_by(call_cute(call, 0),
		profile->arity, profile->count));
}

/* Without a number, of all that the layout reaches. */
static bool run_complement(struct call *call)
{
	layout_cute *cute = call_cute(call, 0);
	int64_t cotarget = call->arguments[1].given ? call->arguments[1].integer :
		layout_cute_cosize(cute);

	return give_cute(call, layout_cute_complement(cute, cotarget));
}

static bool run_filter(struct call *call)
{
	return run_one(call, layout_cute_filter);
}

static bool run_flatten(struct call *call)
{
	return run_one(call, layout_cute_flatten);
}

static bool run_nullspace(struct call *call)
{
	return run_one(call, layout_cute_nullspace);
}

static bool run_upcast(struct call *call)
{
	return run_number(call, layout_cute_upcast);
}

static bool run_downcast(struct call *call)
{
	return run_number(call, layout_cute_downcast);
}

static bool run_recast(struct call *call)
{
	return give_cute(call, layout_cute_recast(call_cute(call, 0),
		call->arguments[1].integer, call->arguments[2].integer));
}

static bool run_max_common_layout(struct call *call)
{
	layout_cute *a = call_cute(call, 0), *b = call_cute(call, 1);

	return give_cute(call, layout_cute_max_common_layout(a, b));
}

static bool run_max_common_vector(struct call *call)
{
	int64_t length;

	return layout_cute_max_common_vector(layout_value_cute(call->arguments[0].value),
		layout_value_cute(call->arguments[1].value), &length) &&
		give_integer(call, length);
}

/* The map that "find" finds, to be made a relation when one is asked for, with the
 * reason for it; the reason is an error where there is no such map either. */
static bool give_map(struct call *call, struct layout_caught *caught,
	bool (*find)(struct call *call, struct cute_map *map))
{
	struct layout_caught none = { 0 }, *previous;
	bool good;

	previous = layout_context_catch(call->ctx, &none);
	good = find(call, &call->result->map);
	if (!layout_context_forget(call->ctx, &none, previous) || !good) {
		cute_map_free(&call->result->map);
		layout_context_raise(call->ctx, caught);
		return false;
	}
	call->result->kind = &kind_relation;
	call->result->reason = caught->message;
	caught->message = NULL;
	return true;
}

/* The layout, or where there is none the map; other errors go on.  "caught" is what
 * making the layout failed with. */
static bool give_layout_or_map(struct call *call, layout_cute *cute,
	struct layout_caught *caught,
	bool (*find)(struct call *call, struct cute_map *map))
{
	if (!caught->kind)
		return give_cute(call, cute);
	if (caught->kind == LAYOUT_ERROR_NO_ANSWER && caught->message)
		return give_map(call, caught, find);
	layout_context_raise(call->ctx, caught);
	return false;
}

static bool inverse_map(struct call *call, struct cute_map *map)
{
	map->outer = call_cute(call, 0);
	return map->outer;
}

static bool run_inverse(struct call *call, layout_cute *(*operation)(layout_cute *))
{
	struct layout_caught caught = { 0 };
	struct layout_caught *previous = layout_context_catch(call->ctx, &caught);
	layout_cute *cute = operation(call_cute(call, 0));

	layout_context_catch(call->ctx, previous);
	return give_layout_or_map(call, cute, &caught, inverse_map);
}

static bool overload_left_inverse(struct call *call)
{
	return run_inverse(call, layout_cute_left_inverse);
}

static bool overload_right_inverse(struct call *call)
{
	return run_inverse(call, layout_cute_right_inverse);
}

/* The maps are those of tilers that are not nested. */
static bool compose_map(struct call *call, struct cute_map *map)
{
	const struct argument *inner = &call->arguments[1];
	layout_cute *outer = layout_value_cute(call->arguments[0].value);

	if (inner->tiler && text_tiler_is_nested(inner->tiler))
		return false;
	return inner->tiler ? cute_map_compose_by(map, outer,
		inner->tiler->tiles, inner->tiler->count) :
		cute_map_compose(map, outer, layout_value_cute(inner->value));
}

/* The quotients of all other forms have the same linear coordinate. */
static bool divide_map(struct call *call, struct cute_map *map, layout_cute_form form)
{
	const struct argument *tiler = &call->arguments[1];
	layout_cute *cute = layout_value_cute(call->arguments[0].value);

	if (tiler->tiler && text_tiler_is_nested(tiler->tiler))
		return false;
	return tiler->tiler ? cute_map_divide_by(map, cute,
		tiler->tiler->tiles, tiler->tiler->count, form) :
		cute_map_divide(map, cute, layout_value_cute(tiler->value));
}

static bool logical_divide_map(struct call *call, struct cute_map *map)
{
	return divide_map(call, map, LAYOUT_CUTE_LOGICAL);
}

static bool zipped_divide_map(struct call *call, struct cute_map *map)
{
	return divide_map(call, map, LAYOUT_CUTE_ZIPPED);
}

/* The tiles of argument 1, to be taken by an operation: a copy, since the map may
 * need them, too. */
static struct text_tiler *copy_tiler(struct call *call)
{
	struct text_tiler *copy = layout_alloc(call->ctx, 1, sizeof(*copy));

	if (copy && text_tiler_copy(copy, call->arguments[1].tiler))
		return copy;
	free(copy);
	return NULL;
}

/* "plain" of the two layouts, or "by" of the first and the tiles. */
static layout_cute *with_tiles(struct call *call, layout_cute_form form,
	layout_cute *(*plain)(layout_cute *, layout_cute *, layout_cute_form),
	layout_cute *(*by)(layout_cute *, const layout_cute_tile *, unsigned,
		layout_cute_form))
{
	layout_cute *cute = call_cute(call, 0), *result;
	struct text_tiler *tiler;

	if (!call->arguments[1].tiler)
		return plain(cute, call_cute(call, 1), form);
	if (text_tiler_is_nested(call->arguments[1].tiler))
		return text_tiler_apply(cute, call->arguments[1].tiler, form, plain);
	tiler = copy_tiler(call);
	if (!tiler) {
		layout_cute_free(cute);
		return NULL;
	}
	result = by(cute, tiler->tiles, tiler->count, form);
	free(tiler);
	return result;
}

static layout_cute *compose(layout_cute *outer, layout_cute *inner, layout_cute_form form)
{
	(void)form;
	return layout_cute_compose(outer, inner);
}

static layout_cute *compose_by(layout_cute *outer, const layout_cute_tile *tiles,
	unsigned count, layout_cute_form form)
{
	(void)form;
	return layout_cute_compose_by(outer, tiles, count);
}

/* Where no layout is the composition, the relation that is, with the reason. */
static bool overload_compose(struct call *call)
{
	struct layout_caught caught = { 0 };
	struct layout_caught *previous = layout_context_catch(call->ctx, &caught);
	layout_cute *cute = with_tiles(call, LAYOUT_CUTE_LOGICAL, compose, compose_by);

	layout_context_catch(call->ctx, previous);
	return give_layout_or_map(call, cute, &caught, compose_map);
}

static bool run_divide(struct call *call, layout_cute_form form)
{
	struct layout_caught caught = { 0 };
	struct layout_caught *previous = layout_context_catch(call->ctx, &caught);
	layout_cute *cute = with_tiles(call, form, layout_cute_divide,
		layout_cute_divide_by);

	layout_context_catch(call->ctx, previous);
	return give_layout_or_map(call, cute, &caught,
		form == LAYOUT_CUTE_LOGICAL ? logical_divide_map : zipped_divide_map);
}

static bool run_product(struct call *call, layout_cute_form form)
{
	return give_cute(call, with_tiles(call, form, layout_cute_product,
		layout_cute_product_by));
}

#define FORM(name, operation, form) \
	static bool run_##name(struct call *call) \
	{ \
		return operation(call, form); \
	}

FORM(logical_divide, run_divide, LAYOUT_CUTE_LOGICAL)
FORM(zipped_divide, run_divide, LAYOUT_CUTE_ZIPPED)
FORM(tiled_divide, run_divide, LAYOUT_CUTE_TILED)
FORM(flat_divide, run_divide, LAYOUT_CUTE_FLAT)
FORM(logical_product, run_product, LAYOUT_CUTE_LOGICAL)
FORM(zipped_product, run_product, LAYOUT_CUTE_ZIPPED)
FORM(tiled_product, run_product, LAYOUT_CUTE_TILED)
FORM(flat_product, run_product, LAYOUT_CUTE_FLAT)
FORM(blocked_product, run_product, LAYOUT_CUTE_BLOCKED)
FORM(raked_product, run_product, LAYOUT_CUTE_RAKED)

const struct function functions_cute[] = {
	{ "blocked_product", run_blocked_product, { ARG(CUTE), KEY("tiler", COPIES) },
		.example = "blocked_product((2,5):(5,1), (3,4):(1,3))" },
	{ "coalesce", run_coalesce, { ARG(CUTE), OPTIONAL_KEY("target_profile", PROFILE) },
		.example = "coalesce((2,(1,6)):(1,(6,2)))" },
	{ "complement", run_complement, { ARG(CUTE), OPTIONAL(INT) },
		.example = "complement(4:2, 24)" },
	{ "downcast", run_downcast, { ARG(CUTE), ARG(INT) },
		.example = "downcast((4,4):(1,4), 2)" },
	{ "filter", run_filter, { ARG(CUTE) },
		.example = "filter((2,4):(0,1))" },
	{ "flat_divide", run_flat_divide, { ARG(CUTE), KEY("tiler", TILE) },
		.example = "flat_divide((4,8):(8,1), (2,4))" },
	{ "flat_product", run_flat_product, { ARG(CUTE), KEY("tiler", TILE) },
		.example = "flat_product((2,2):(2,1), 6:1)" },
	{ "flatten", run_flatten, { ARG(CUTE) },
		.example = "flatten((4,(2,4)):(8,(4,1)))" },
	{ "logical_divide", run_logical_divide, { ARG(CUTE), KEY("tiler", TILE) },
		.example = "logical_divide((4,8):(8,1), (2,4))" },
	{ "logical_product", run_logical_product, { ARG(CUTE), KEY("tiler", TILE) },
		.example = "logical_product((2,2):(2,1), 6:1)" },
	{ "max_common_layout", run_max_common_layout, { ARG(CUTE), ARG(CUTE) },
		.example = "max_common_layout((4,8):(1,4), 8:1)" },
	{ "max_common_vector", run_max_common_vector, { ARG(CUTE), ARG(CUTE) },
		.example = "max_common_vector((4,8):(1,4), 8:1)" },
	{ "nullspace", run_nullspace, { ARG(CUTE) },
		.example = "nullspace((2,4):(0,1))" },
	{ "raked_product", run_raked_product, { ARG(CUTE), KEY("tiler", COPIES) },
		.example = "raked_product((2,5):(5,1), (3,4):(1,3))" },
	{ "recast", run_recast, { ARG(CUTE), ARG(INT), ARG(INT) },
		.example = "recast((8,4):(1,8), 16, 32)" },
	{ "tiled_divide", run_tiled_divide, { ARG(CUTE), KEY("tiler", TILE) },
		.example = "tiled_divide((4,8):(8,1), (2,4))" },
	{ "tiled_product", run_tiled_product, { ARG(CUTE), KEY("tiler", TILE) },
		.example = "tiled_product((2,2):(2,1), 6:1)" },
	{ "upcast", run_upcast, { ARG(CUTE), ARG(INT) },
		.example = "upcast((8,4):(1,8), 2)" },
	{ "zipped_divide", run_zipped_divide, { ARG(CUTE), KEY("tiler", TILE) },
		.example = "zipped_divide((4,8):(8,1), (2,4))" },
	{ "zipped_product", run_zipped_product, { ARG(CUTE), KEY("tiler", TILE) },
		.example = "zipped_product((2,2):(2,1), 6:1)" },
	{ .name = NULL },
};

const struct overload overloads_cute[] = {
	{ "compose", overload_compose, .both = true },
	{ "left_inverse", overload_left_inverse },
	{ "right_inverse", overload_right_inverse },
	{ .name = NULL },
};
