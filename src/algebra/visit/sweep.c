/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/visit/sweep.h"
#include "algebra/visit/group.h"
#include "algebra/visit/step.h"
#include "algebra/storage/twist.h"

#include <stdlib.h>

/* A few pieces to choose among are no reason to leave the destination's order. */
#define FEW_PIECES 2

void sweep_ways_free(struct sweep_ways *ways)
{
	isl_pw_multi_aff_free(ways->back);
	isl_pw_multi_aff_free(ways->forth);
	isl_set_free(ways->boxes);
	*ways = (struct sweep_ways){ 0 };
}

static bool is_short(isl_pw_multi_aff *pieces)
{
	isl_size count = isl_pw_multi_aff_n_piece(pieces);

	return count >= 0 && count <= MAP_PIECES;
}

/* The least box around a set that is one piece: min <= slot <= max. */
static isl_set *hull_of(isl_set *set)
{
	isl_set *box = isl_set_universe(isl_set_get_space(set));
	isl_size rank = isl_set_dim(set, isl_dim_set);

	for (isl_size k = 0; k < rank; k++) {
		isl_space *space = isl_set_get_space(set);
		isl_pw_aff *slot = isl_pw_aff_from_aff(isl_aff_var_on_domain(
			isl_local_space_from_space(isl_space_copy(space)), isl_dim_set, k));
		isl_pw_aff *least = isl_set_dim_min(isl_set_copy(set), k);
		isl_pw_aff *most = isl_set_dim_max(isl_set_copy(set), k);

		least = isl_pw_aff_insert_domain(least, isl_space_copy(space));
		most = isl_pw_aff_insert_domain(most, space);
		box = isl_set_intersect(box, isl_pw_aff_ge_set(isl_pw_aff_copy(slot),
			least));
		box = isl_set_intersect(box, isl_pw_aff_le_set(slot, most));
	}
	return box;
}

static isl_stat check_box(isl_basic_set *piece, void *user)
{
	bool *boxes = user;
	isl_set *set = isl_set_from_basic_set(piece);
	isl_set *box = hull_of(set);

	*boxes = *boxes && isl_set_is_subset(box, set) == isl_bool_true;
	isl_set_free(box);
	isl_set_free(set);
	return *boxes ? isl_stat_ok : isl_stat_error;
}

/* The set as disjoint boxes; NULL where it is none.  Consumes it. */
static isl_set *as_boxes(layout_context *ctx, isl_set *left)
{
	isl_size count;
	bool boxes = true;

	left = isl_set_make_disjoint(
		bridge_coalesce_set(ctx, isl_set_compute_divs(left)));
	left = bridge_coalesce_set(ctx, left);
	count = isl_set_n_basic_set(left);
	if (count >= 0 && count <= MAP_PIECES)
		(void)isl_set_foreach_basic_set(left, check_box, &boxes);
	if (count >= 0 && count <= MAP_PIECES && boxes)
		return left;
	isl_set_free(left);
	return NULL;
}

/* Indices of the destination, rounded up to whole tiles, that no element reaches. */
static isl_set *unreached_indices(layout_remap *remap)
{
	return isl_set_subtract(storage_rounded(remap->destination),
		remap_map_reached(remap));
}

/* What no element reaches, as boxes of indices, or else of slots. */
static void find_boxes(struct sweep_ways *ways, layout_remap *remap, isl_set *sizes)
{
	ways->boxes = as_boxes(remap->ctx, isl_set_intersect_params(
		unreached_indices(remap), isl_set_copy(sizes)));
	ways->slots = !ways->boxes && remap->destination->kind == LAYOUT_STORAGE_PACKED;
	if (ways->slots)
		ways->boxes = as_boxes(remap->ctx, isl_set_intersect_params(
			remap_map_unreached(remap), isl_set_copy(sizes)));
}

/* The way forth, if there is one. */
static void find_forth(struct sweep_ways *ways, layout_remap *remap, isl_set *sizes)
{
	bridge_begin_attempt(remap->ctx, BUDGET_FORTH);
	ways->forth = remap_map_forward(remap, sizes);
	if (ways->forth)
		find_boxes(ways, remap, sizes);
	if (bridge_end_attempt(remap->ctx) && ways->boxes && is_short(ways->forth))
		return;
	isl_set_free(ways->boxes);
	ways->boxes = NULL;
}

static bool refuse(const struct sweep_ways *ways, layout_remap *remap)
{
	const char *why = !ways->forth ? "it does not send every element to one index" :
		!is_short(ways->forth) ? "it has as many itself" :
		group_is_needed(remap->conversion.to->bits) ?
			"elements of the destination share bytes" :
			"the indices that no element goes to are no list of boxes";

	layout_fail(remap->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"the map of a remap, reversed, is no function of at most %d pieces that"
		" is found soon, and it cannot be followed forth, since %s", MAP_PIECES,
		why);
	return false;
}

bool sweep_find(struct sweep_ways *ways, layout_remap *remap, isl_set *sizes)
{
	const struct remap_map *map = remap->map;
	layout_context *ctx = remap->ctx;
	isl_size back, forth;
	bool can;

	*ways = (struct sweep_ways){ 0 };
	if (map->shift || map->load) {
		ways->back = remap_map_reversed(remap, sizes);
		return ways->back != NULL;
	}
	find_forth(ways, remap, sizes);
	can = ways->boxes && !group_is_needed(remap->conversion.to->bits);
	bridge_begin_attempt(ctx, can ? BUDGET_REVERSE : BUDGET_ONLY_REVERSE);
	ways->back = remap_map_reversed(remap, sizes);
	if (!bridge_end_attempt(ctx)) {
		isl_pw_multi_aff_free(ways->back);
		ways->back = NULL;
	}
	if (bridge_failed(ctx))
		return false;
	back = ways->back ? isl_pw_multi_aff_n_piece(ways->back) : MAP_PIECES + 1;
	forth = can ? isl_pw_multi_aff_n_piece(ways->forth) +
		isl_set_n_basic_set(ways->boxes) : MAP_PIECES;
	ways->store = can && back > FEW_PIECES && back > forth;
	return ways->store || back <= MAP_PIECES || refuse(ways, remap);
}

void sweep_free(struct visit_sweep *sweep)
{
	for (unsigned i = 0; sweep->boxes && i < sweep->box_count; i++) {
		index_list_free(sweep->boxes[i].slot, sweep->slot_count);
		index_list_free(sweep->boxes[i].low, sweep->box_rank);
		index_list_free(sweep->boxes[i].extent, sweep->box_rank);
		index_free(sweep->boxes[i].count);
	}
	free(sweep->boxes);
	index_list_free(sweep->extent, sweep->rank);
	index_free(sweep->count);
	index_free(sweep->number);
	*sweep = (struct visit_sweep){ 0 };
}

static struct index *product(struct index *const *list, unsigned count)
{
	struct index *all = index_int(1);

	for (unsigned k = 0; k < count; k++)
		all = index_binary(INDEX_MUL, all, index_copy(list[k]));
	return all;
}

static bool take_source(struct visit_sweep *sweep, const struct sweep_request *request)
{
	const struct storage_index *source = request->source;

	sweep->rank = source->slot_count;
	sweep->extent = layout_alloc(request->remap->ctx, sweep->rank,
		sizeof(*sweep->extent));
	for (unsigned k = 0; sweep->extent && k < sweep->rank; k++)
		sweep->extent[k] = index_copy(source->extent[k]);
	sweep->count = sweep->extent ? product(sweep->extent, sweep->rank) : NULL;
	return sweep->count;
}

/* What take_box() needs besides a piece of the boxes. */
struct box_request {
	struct visit_sweep *sweep;
	const struct sweep_request *request;
};

/* Where coordinate k begins, and how many steps of it there are. */
static bool take_range(struct visit_box *box, const struct sweep_request *request,
	isl_set *set, isl_set *sizes, unsigned k)
{
	isl_pw_aff *least = isl_set_dim_min(isl_set_copy(set), (int)k);
	isl_pw_aff *most = isl_set_dim_max(isl_set_copy(set), (int)k);
	isl_pw_aff *steps = isl_pw_aff_sub(most, isl_pw_aff_copy(least));

	box->low[k] = ast_index_from_pieces(request->sizes, sizes, least);
	box->extent[k] = ast_index_from_pieces(request->sizes, sizes,
		isl_pw_aff_add_constant_val(steps, isl_val_one(bridge_isl(
			request->remap->ctx))));
	return box->low[k] && box->extent[k];
}

/* Where the sizes leave no box, its bounds mean nothing: the count alone is 0 then. */
static bool take_count(struct visit_box *box, const struct sweep_request *request,
	isl_set *sizes, unsigned rank)
{
	struct index *any = ast_index_from_set(request->sizes, request->contract,
		isl_set_copy(sizes));
	struct index *all = product(box->extent, rank);

	box->count = any && all ? index_select(any, all, index_int(0)) : NULL;
	if (any && all)
		return box->count;
	index_free(any);
	index_free(all);
	return false;
}

static isl_stat take_box(isl_basic_set *piece, void *user)
{
	const struct box_request *b = user;
	struct visit_sweep *sweep = b->sweep;
	struct visit_box *box = &sweep->boxes[sweep->box_count++];
	layout_context *ctx = b->request->remap->ctx;
	isl_set *set = isl_set_from_basic_set(piece);
	isl_set *sizes = isl_set_intersect(isl_set_params(isl_set_copy(set)),
		isl_set_copy(b->request->contract));
	bool ok;

	box->slot = layout_alloc(ctx, sweep->slot_count, sizeof(*box->slot));
	box->low = layout_alloc(ctx, sweep->box_rank, sizeof(*box->low));
	box->extent = layout_alloc(ctx, sweep->box_rank, sizeof(*box->extent));
	ok = box->slot && box->low && box->extent;
	for (unsigned k = 0; ok && k < sweep->box_rank; k++)
		ok = take_range(box, b->request, set, sizes, k);
	ok = ok && take_count(box, b->request, sizes, sweep->box_rank);
	isl_set_free(sizes);
	isl_set_free(set);
	return ok ? isl_stat_ok : isl_stat_error;
}

static bool take_boxes(struct visit_sweep *sweep, const struct sweep_request *request)
{
	struct box_request box = { sweep, request };
	isl_size count = isl_set_n_basic_set(request->ways->boxes);

	if (count < 0)
		return false;
	sweep->slot_count = request->destination->slot_count;
	sweep->box_rank = request->ways->slots ? sweep->slot_count :
		request->remap->destination->rank;
	sweep->boxes = layout_alloc(request->remap->ctx, (size_t)count,
		sizeof(*sweep->boxes));
	return sweep->boxes && isl_set_foreach_basic_set(request->ways->boxes, take_box,
		&box) == isl_stat_ok;
}

/* As many points as the largest part has. */
static struct index *count_points(const struct visit_sweep *sweep)
{
	struct index *most = index_copy(sweep->count);

	for (unsigned i = 0; i < sweep->box_count; i++)
		most = index_binary(INDEX_MAX, most, index_copy(sweep->boxes[i].count));
	return most;
}

bool sweep_build(struct visit_sweep *sweep, struct visit_owner *owner,
	const struct sweep_request *request)
{
	*owner = (struct visit_owner){ 0 };
	if (!take_source(sweep, request) || !take_boxes(sweep, request))
		return false;
	sweep->digits = sweep->rank > sweep->box_rank ? sweep->rank : sweep->box_rank;
	if (!sweep->digits)
		sweep->digits = 1;
	return visit_owner_of_number(owner, request->remap->ctx, "n", count_points(sweep), 1,
		request->lanes, request->sizes->names, request->sizes->count);
}

/* A step of a list of coordinates, "letter" and a number each. */
static bool take_step(const struct sweep_request *request, char letter,
	struct step step, struct index **out, struct index **inside)
{
	char **names = step_names(request->remap->ctx, letter, step.rank);
	bool ok;

	step.names = (const char *const *)names;
	ok = names && step_take(&step, request->sizes, request->contract, out, inside);
	step_names_free(names, step.rank);
	return ok;
}

/* slot of the source -> logical of the source, and whether it goes anywhere. */
static bool take_logical(const struct sweep_request *request, struct index **slot,
	struct index **logical, struct index **inside)
{
	layout_storage *storage = request->remap->source;
	isl_set *elements = isl_pw_multi_aff_domain(
		isl_pw_multi_aff_copy(request->ways->forth));
	isl_set *rounded = storage_rounded(storage);
	struct step back = { .function = storage->maps->from_slot,
		.domain = storage->maps->slots, .values = slot,
		.rank = storage->slot_count };
	struct step mask = { .domain = rounded, .inside = elements, .values = logical,
		.rank = storage->rank };
	bool ok = take_step(request, 's', back, logical, NULL) &&
		take_step(request, 'i', mask, NULL, inside);

	isl_set_free(rounded);
	isl_set_free(elements);
	return ok;
}

/* logical of the source -> logical of the destination -> slot of the destination */
static bool take_stored(const struct sweep_request *request, struct index **logical,
	struct index **index, struct index **slot)
{
	layout_storage *storage = request->remap->destination;
	isl_set *elements = isl_pw_multi_aff_domain(
		isl_pw_multi_aff_copy(request->ways->forth));
	struct step forth = { .pieces = request->ways->forth, .domain = elements,
		.values = logical, .rank = request->remap->source->rank };
	struct step place = { .function = storage->maps->to_slot,
		.domain = storage->maps->logical, .values = index,
		.rank = storage->rank };
	bool ok = take_step(request, 'i', forth, index, NULL) &&
		take_step(request, 'j', place, slot, NULL);

	if (ok)
		storage_twist_index(storage, slot, false);
	isl_set_free(elements);
	return ok;
}

/* The elements, through all steps. */
static bool take_elements(struct visit *visit, unsigned first,
	const struct sweep_request *request)
{
	layout_remap *remap = request->remap;
	layout_context *ctx = remap->ctx;
	unsigned slots = remap->source->slot_count, rank = remap->source->rank;
	struct index **slot = layout_alloc(ctx, slots, sizeof(*slot));
	struct index **logical = layout_alloc(ctx, rank, sizeof(*logical));
	struct index **to = layout_alloc(ctx, remap->destination->rank, sizeof(*to));
	bool ok = slot && logical && to;

	for (unsigned k = 0; ok && k < slots; k++) {
		visit->load.slot[k] = index_counter(first + k, visit->sweep.extent[k]);
		slot[k] = index_copy(visit->load.slot[k]);
		ok = slot[k];
	}
	if (ok)
		storage_twist_index(remap->source, slot, true);
	ok = ok && take_logical(request, slot, logical, &visit->inside) &&
		take_stored(request, logical, to, visit->store.slot);
	index_list_free(slot, slots);
	index_list_free(logical, rank);
	index_list_free(to, remap->destination->rank);
	return ok;
}

/* The cell of a box that the digits are, in memory. */
static bool place_box(const struct sweep_request *request, struct visit_box *box,
	unsigned rank, unsigned first)
{
	layout_storage *storage = request->remap->destination;
	struct index **at = layout_alloc(storage->ctx, rank, sizeof(*at));
	isl_set *rounded = storage_rounded(storage);
	struct step place = { .function = storage->maps->to_slot, .domain = rounded,
		.values = at, .rank = rank };
	bool ok = at;

	for (unsigned k = 0; ok && k < rank; k++) {
		at[k] = index_binary(INDEX_ADD, index_copy(box->low[k]),
			index_counter(first + k, box->extent[k]));
		ok = at[k];
	}
	for (unsigned k = 0; ok && request->ways->slots && k < rank; k++)
		box->slot[k] = index_copy(at[k]);
	if (!request->ways->slots)
		ok = ok && take_step(request, 'i', place, box->slot, NULL);
	if (ok)
		storage_twist_index(storage, box->slot, false);
	isl_set_free(rounded);
	index_list_free(at, rank);
	return ok;
}

bool sweep_accesses(struct visit *visit, const struct visit_owner *owner,
	struct index *const *dims, const struct sweep_request *request)
{
	struct visit_sweep *sweep = &visit->sweep;
	unsigned first = request->sizes->count + owner->dim_count;
	bool ok;

	sweep->number = visit_owner_number(owner, dims);
	ok = sweep->number && take_elements(visit, first, request);
	for (unsigned i = 0; ok && i < sweep->box_count; i++)
		ok = place_box(request, &sweep->boxes[i], sweep->box_rank, first);
	return ok;
}

/* { hw[x, lane] -> element[256x + lane] } of the source, then of each box of padding */
char *sweep_owner(layout_context *ctx, const struct visit_dim *dims, unsigned dim_count)
{
	struct layout_buffer out = { 0 };

	visit_owner_print_number(&out, dims, dim_count, "element");
	layout_buffer_printf(&out, " of the source, and of each box of padding");
	return layout_buffer_take(ctx, &out);
}
