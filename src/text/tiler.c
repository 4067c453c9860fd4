/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tilers in tilers: each goes down to the modes of its mode, as CuTe does.  (T, R) are a tile
 * and its rest:
 *
 *	LOGICAL		((T, R), ..), again for the modes of a mode
 *	ZIPPED		((T, (T, T)), (R, (R, R), whole modes..))
 *	TILED		((T, (T, T)), R, (R, R), ..)
 *	FLAT		(T, (T, T), R, (R, R), ..) */
#include "text/notations.h"

#include "algebra/cute/cute.h"

#include <stdlib.h>

typedef layout_cute *operation(layout_cute *cute, layout_cute *tile, layout_cute_form form);

#define MOST_PARTS (2 * TEXT_LIST_LIMIT)

/* The modes of a result; "more": there are more than fit. */
struct parts {
	unsigned count;
	layout_cute *items[MOST_PARTS];
	bool more;
};

bool text_tiler_is_nested(const struct text_tiler *tiler)
{
	for (unsigned i = 0; i < tiler->count; i++)
		if (tiler->inner[i])
			return true;
	return false;
}

static layout_cute *mode_of(layout_cute *cute, unsigned i)
{
	return layout_cute_select(layout_cute_copy(cute), &i, 1);
}

static void add(struct parts *parts, layout_cute *part)
{
	if (parts->count < MOST_PARTS) {
		parts->items[parts->count++] = part;
		return;
	}
	parts->more = true;
	layout_cute_free(part);
}

/* The modes from "first" on. */
static void add_modes(struct parts *parts, layout_cute *cute, unsigned first)
{
	for (unsigned i = first; cute && i < layout_cute_rank(cute); i++)
		add(parts, mode_of(cute, i));
}

/* A layout of the parts, which it frees; NULL where one is. */
static layout_cute *join(layout_context *ctx, struct parts *parts)
{
	bool good = !parts->more;
	layout_cute *cute;

	if (parts->more)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "more than %d modes",
			MOST_PARTS);
	for (unsigned i = 0; i < parts->count; i++)
		good = good && parts->items[i];
	cute = good ? layout_cute_concat(ctx, parts->items, parts->count) : NULL;
	while (parts->count)
		layout_cute_free(parts->items[--parts->count]);
	return cute;
}

/* A mode that is left whole is a tile, and its rest 1:0. */
static layout_cute *whole(layout_cute *mode, layout_cute_form form)
{
	static const int leaf = -1;
	static const int64_t one = 1, none = 0;
	struct parts parts = { 1, { mode } };

	if (!mode || form == LAYOUT_CUTE_LOGICAL)
		return mode;
	add(&parts, layout_cute_new(mode->ctx, &leaf, 1, &one, &none, 1));
	return join(mode->ctx, &parts);
}

static layout_cute *apply(layout_cute *cute, const struct text_tiler *tiler,
	layout_cute_form form, operation *plain);

/* Mode "i", which it consumes, with the tile or the tiler that is for it. */
static layout_cute *apply_tile(layout_cute *mode, const struct text_tiler *tiler, unsigned i,
	layout_cute_form form, operation *plain)
{
	if (tiler->inner[i])
		return apply(mode, tiler->inner[i], form, plain);
	if (tiler->tiles[i].whole)
		return whole(mode, form);
	return plain(mode, layout_cute_copy(tiler->tiles[i].layout), form);
}

/* LOGICAL or ZIPPED; consumes the layout. */
static layout_cute *apply(layout_cute *cute, const struct text_tiler *tiler,
	layout_cute_form form, operation *plain)
{
	struct parts *parts, *tiles, *rests;
	layout_context *ctx;
	layout_cute *result = NULL;

	if (!cute)
		return NULL;
	ctx = cute->ctx;
	parts = layout_alloc(ctx, 3, sizeof(*parts));
	if (parts && tiler->count > layout_cute_rank(cute)) {
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"the tiler has %u modes where the layout has %u", tiler->count,
			layout_cute_rank(cute));
	} else if (parts) {
		tiles = parts + 1;
		rests = parts + 2;
		for (unsigned i = 0; i < tiler->count; i++) {
			result = apply_tile(mode_of(cute, i), tiler, i, form, plain);
			add(tiles, result && form != LAYOUT_CUTE_LOGICAL ?
				mode_of(result, 0) : layout_cute_copy(result));
			add(rests, result && form != LAYOUT_CUTE_LOGICAL ?
				mode_of(result, 1) : NULL);
			layout_cute_free(result);
		}
		if (form == LAYOUT_CUTE_LOGICAL) {
			rests->count = 0;
			add_modes(tiles, cute, tiler->count);
			result = join(ctx, tiles);
		} else {
			add_modes(rests, cute, tiler->count);
			add(parts, join(ctx, tiles));
			add(parts, join(ctx, rests));
			result = join(ctx, parts);
		}
	}
	layout_cute_free(cute);
	free(parts);
	return result;
}

layout_cute *text_tiler_apply(layout_cute *cute, const struct text_tiler *tiler,
	layout_cute_form form, operation *plain)
{
	layout_context *ctx = cute ? cute->ctx : NULL;
	layout_cute *zipped, *tiles, *rests;
	struct parts *parts;

	if (form == LAYOUT_CUTE_LOGICAL || form == LAYOUT_CUTE_ZIPPED)
		return apply(cute, tiler, form, plain);
	zipped = apply(cute, tiler, LAYOUT_CUTE_ZIPPED, plain);
	parts = zipped ? layout_alloc(ctx, 1, sizeof(*parts)) : NULL;
	if (!parts) {
		layout_cute_free(zipped);
		return NULL;
	}
	tiles = mode_of(zipped, 0);
	rests = mode_of(zipped, 1);
	if (form == LAYOUT_CUTE_FLAT)
		add_modes(parts, tiles, 0);
	else
		add(parts, layout_cute_copy(tiles));
	add_modes(parts, rests, 0);
	layout_cute_free(tiles);
	layout_cute_free(rests);
	layout_cute_free(zipped);
	zipped = join(ctx, parts);
	free(parts);
	return zipped;
}
