/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/convert_tile.h"
#include "algebra/owner/numbering.h"
#include "algebra/storage/storage.h"
#include "isl_bridge/relation.h"

#include <layout/view.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FROM, TO };

/* A program under way: how the registers of both sides are numbered, and the tile's box,
 * which is TO's; "whole" where FROM holds nothing else. */
struct conversion {
	layout_context *ctx;
	const struct convert_side *sides;
	struct owner_numbering numberings[2];
	unsigned rank;
	int64_t box[PROGRAM_RANK];
	bool whole;
	layout_program *program;
};

/* Elements of the box that a side holds. */
struct held {
	struct conversion *of;
	bool *elements, outside;
};

static bool take_pair(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned rank)
{
	struct held *held = user;
	int64_t number = 0;

	(void)in, (void)in_rank;
	for (unsigned d = 0; d < rank; d++) {
		if (image[d] < 0 || image[d] >= held->of->box[d])
			return held->outside = true;
		number = number * held->of->box[d] + image[d];
	}
	return held->elements[number] = true;
}

static int64_t count_box(const struct conversion *c)
{
	int64_t count = 1;

	for (unsigned d = 0; d < c->rank; d++)
		count = c->box[d] < 1 || c->box[d] > PROGRAM_BOX / count ? PROGRAM_BOX + 1 :
			count * c->box[d];
	return count;
}

static bool refuse_element(const struct conversion *c, int64_t number)
{
	int64_t at[PROGRAM_RANK];
	struct layout_buffer out = { 0 };
	char *point;

	for (unsigned d = c->rank; d-- > 0; number /= c->box[d])
		at[d] = number % c->box[d];
	for (unsigned d = 0; d < c->rank; d++)
		layout_buffer_printf(&out, "%s%" PRId64, d ? ", " : "(", at[d]);
	point = layout_buffer_take(c->ctx, &out);
	if (point)
		layout_fail(c->ctx, LAYOUT_ERROR_INVALID, -1, "no register of the owner that "
			"is converted holds %s), which the other wants", point);
	free(point);
	return false;
}

/* FROM holds whatever TO does. */
static bool compare(struct conversion *c)
{
	size_t count = (size_t)count_box(c), n = 0;
	struct held from = { c, layout_alloc(c->ctx, count, 1), false };
	struct held to = { c, layout_alloc(c->ctx, count, 1), false };
	bool ok = from.elements && to.elements &&
		layout_relation_for_each(c->sides[FROM].owner, take_pair, &from) &&
		layout_relation_for_each(c->sides[TO].owner, take_pair, &to);

	while (ok && n < count && from.elements[n] >= to.elements[n])
		n++;
	c->whole = !from.outside;
	if (ok && n < count)
		ok = refuse_element(c, (int64_t)n);
	free(from.elements);
	free(to.elements);
	return ok;
}

static bool find_box(struct conversion *c)
{
	unsigned ranks[2] = { layout_relation_out_rank(c->sides[FROM].owner),
		layout_relation_out_rank(c->sides[TO].owner) };
	layout_set *range;
	bool ok;

	c->rank = ranks[TO];
	if (ranks[FROM] != ranks[TO] || c->rank > PROGRAM_RANK) {
		layout_fail(c->ctx, LAYOUT_ERROR_SPACE, -1, "tiles of rank %u and %u",
			ranks[FROM], ranks[TO]);
		return false;
	}
	range = layout_relation_range(layout_relation_copy(c->sides[TO].owner));
	ok = layout_set_box(range, c->box);
	layout_set_free(range);
	if (ok && count_box(c) > PROGRAM_BOX)
		layout_fail(c->ctx, LAYOUT_ERROR_INVALID, -1,
			"the tile has at least 1 and at most %d elements", PROGRAM_BOX);
	return ok && count_box(c) <= PROGRAM_BOX && compare(c);
}

static int64_t waves(const struct conversion *c, unsigned side)
{
	const struct owner_numbering *n = &c->numberings[side];
	unsigned lanes = c->sides[side].lanes ? c->sides[side].lanes : 64;

	return n->counts_threads ? n->subgroups * ((n->lanes + lanes - 1) / lanes) :
		n->subgroups;
}

static layout_memory *add_argument(const struct conversion *c, unsigned side,
	const char *type)
{
	const struct owner_numbering *n = &c->numberings[side];
	const int64_t box[] = { n->threads, n->registers };
	layout_storage *storage = storage_of_box(c->ctx, 2, box);

	return storage ? layout_program_argument(c->program, side == FROM ? "x" : "y",
		storage, type, side == FROM ? LAYOUT_ACCESS_IN : LAYOUT_ACCESS_OUT) : NULL;
}

/* "owner from = .." */
static bool add_owner(const struct conversion *c, unsigned side)
{
	layout_program *program = c->program;
	const char *text = c->sides[side].text;
	struct program_owner owner = {
		.relation = layout_relation_copy(c->sides[side].owner),
		.text = text ? layout_strdup(c->ctx, text) :
			layout_relation_str(c->sides[side].owner),
		.name = layout_strdup(c->ctx, side == FROM ? "from" : "to") };
	struct program_owner *grown = owner.relation && owner.text && owner.name ?
		build_grow(c->ctx, program->owners, program->owner_count, sizeof(*grown)) :
		NULL;

	if (grown) {
		program->owners = grown;
		grown[program->owner_count++] = owner;
		return true;
	}
	layout_relation_free(owner.relation);
	free(owner.text);
	free(owner.name);
	return false;
}

/* A tile under a side's owner, by its name. */
static layout_tile *own(const struct conversion *c, unsigned side, layout_tile *tile)
{
	if (tile)
		tile->owner_text = layout_strdup(c->ctx, c->program->owners[side].name);
	return tile && tile->owner_text ? tile : NULL;
}

/* The tile that is seen in an array of registers, or the array that sees a tile: the owner
 * with its inputs numbered. */
static layout_tile *see(const struct conversion *c, unsigned side, layout_tile *tile)
{
	const struct owner_numbering *n = &c->numberings[side];
	const int64_t registers[] = { n->threads, n->registers };
	layout_relation *map = layout_relation_compose(
		layout_relation_copy(c->sides[side].owner), layout_relation_copy(n->inputs));
	bool same = layout_relation_in_rank(c->sides[side].owner) == 2 &&
		layout_relation_equal(map, c->sides[side].owner, NULL) == LAYOUT_YES;
	const char *text = same ? c->sides[side].text : NULL;
	layout_tile *view = side == FROM ? layout_program_view_through(c->program, tile,
		LAYOUT_VIEW_AGAINST, map, c->box, c->rank) :
		layout_program_view_through(c->program, tile, LAYOUT_VIEW_THROUGH, map,
			registers, 2);

	if (view && text) {
		free(view->text);
		view->text = layout_strdup(c->ctx, text);
	}
	return view && view->text ? view : NULL;
}

static bool build(struct conversion *c, const char *type)
{
	static const char *const names[] = { "t" }, *const counts[] = { "1" };
	const char *const at[] = { "0", "0" };
	const int64_t box[] = { c->numberings[FROM].threads, c->numberings[FROM].registers };
	int64_t most = waves(c, FROM) > waves(c, TO) ? waves(c, FROM) : waves(c, TO);
	layout_memory *x = add_argument(c, FROM, type), *y = x ? add_argument(c, TO, type) :
		NULL;
	layout_tile *tile;

	if (!y || !layout_program_grid(c->program, names, counts, 1) ||
	    !layout_program_workers(c->program, "w", &most, 1) || !add_owner(c, FROM) ||
	    !add_owner(c, TO))
		return false;
	tile = layout_program_load(c->program, x, at, box, NULL, NULL);
	tile = tile ? see(c, FROM, tile) : NULL;
	if (tile && c->whole) {
		tile->owner = layout_relation_copy(c->sides[FROM].owner);
		tile = own(c, FROM, tile);
	}
	tile = tile ? own(c, TO, layout_program_convert(c->program, tile,
		layout_relation_copy(c->sides[TO].owner))) : NULL;
	tile = tile ? see(c, TO, tile) : NULL;
	if (!tile)
		return false;
	tile->owner = layout_relation_copy(c->numberings[TO].numbers);
	return tile->owner && layout_program_store(c->program, tile, y, at);
}

layout_program *convert_tile_program(layout_context *ctx, const struct convert_side sides[2],
	const char *type)
{
	struct conversion c = { .ctx = ctx, .sides = sides };
	bool ok = sides[FROM].owner && sides[TO].owner;

	for (unsigned side = 0; ok && side < 2; side++)
		ok = owner_number_inputs(ctx, sides[side].owner, &c.numberings[side]);
	ok = ok && find_box(&c) && (c.program = layout_program_new(ctx, "convert_tile")) &&
		build(&c, type);
	owner_numbering_free(&c.numberings[FROM]);
	owner_numbering_free(&c.numberings[TO]);
	if (ok)
		return c.program;
	layout_program_free(c.program);
	return NULL;
}

layout_program *layout_program_new_convert_tile(layout_context *ctx, layout_relation *from,
	layout_relation *to, const char *type)
{
	const struct convert_side sides[] = { { .owner = from }, { .owner = to } };
	layout_program *program = NULL;

	if (from && to && layout_given(ctx, type, "element type")) {
		if (layout_relation_context(from) == ctx && layout_relation_context(to) == ctx)
			program = convert_tile_program(ctx, sides, type);
		else
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "an owner of another context");
	}
	layout_relation_free(from);
	layout_relation_free(to);
	return program;
}
