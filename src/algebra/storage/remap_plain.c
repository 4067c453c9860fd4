/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/remap_plain.h"
#include "algebra/storage/digit_view.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/remap_map.h"

void remap_plain_free(struct remap_plain *plain)
{
	layout_remap_free(plain->remap);
	isl_multi_aff_free(plain->merge);
	*plain = (struct remap_plain){ 0 };
}

static bool find_view(struct digit_view *view, layout_remap *remap, isl_set *sizes,
	layout_storage *storage, layout_storage *index, isl_multi_aff *function)
{
	struct digit_view_request request = { storage, index, function, sizes,
		remap->names, remap->name_count };
	bool found = function && digit_view_build(view, &request);

	isl_multi_aff_free(function);
	return found;
}

static void free_view(struct digit_view *view)
{
	layout_storage_free(view->storage);
	isl_multi_aff_free(view->shift);
	isl_multi_aff_free(view->merge);
}

/* i -> i + low, on the whole source.  Consumes the function. */
static layout_relation *relation_of(layout_remap *remap, isl_multi_aff *shift)
{
	isl_map *map = isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(shift)),
		isl_set_copy(remap->source->maps->logical));

	bridge_enter(remap->ctx);
	return bridge_give_relation(remap->ctx, "shift a remap", map, shift, NULL);
}

/* source -> the destination as the source's index sees it */
static bool see_destination(struct remap_plain *plain, layout_remap *remap,
	isl_set *sizes)
{
	struct digit_view view;
	layout_relation *map = NULL;
	bool shifts;

	if (!find_view(&view, remap, sizes, remap->destination, remap->source,
	    remap_map_store(remap, sizes)))
		return false;
	shifts = view.shift;
	if (shifts)
		map = relation_of(remap, view.shift);
	view.shift = NULL;
	plain->merge = view.merge;
	view.merge = NULL;
	if (!shifts || map) {
		plain->remap = remap_like(remap, layout_storage_copy(remap->source),
			view.storage, map);
		view.storage = NULL;
	}
	free_view(&view);
	return plain->remap;
}

/* x -> i for x = i + low, on the whole destination.  Consumes the function. */
static layout_relation *relation_back(layout_remap *remap, isl_multi_aff *shift)
{
	isl_map *map = isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(shift)),
		isl_set_copy(remap->destination->maps->logical));

	bridge_enter(remap->ctx);
	return bridge_give_relation(remap->ctx, "shift a remap", isl_map_reverse(map),
		remap_map_shifted_back(shift), NULL);
}

/* the source as the destination's index sees it -> destination.  Elements before and
 * behind those that are asked for must not become padding of the destination's own. */
static bool see_source(struct remap_plain *plain, layout_remap *remap, isl_set *sizes)
{
	struct digit_view view;
	layout_relation *map = NULL;
	bool shifts;

	if (!find_view(&view, remap, sizes, remap->source, remap->destination,
	    remap_map_load(remap, sizes)))
		return false;
	shifts = view.shift;
	if (shifts && !storage_is_rounded(remap->destination)) {
		map = relation_back(remap, view.shift);
		view.shift = NULL;
	}
	if (!shifts || map) {
		plain->remap = remap_like(remap, view.storage,
			layout_storage_copy(remap->destination), map);
		view.storage = NULL;
	}
	free_view(&view);
	return plain->remap;
}

bool remap_plain_find(struct remap_plain *plain, layout_remap *remap, isl_set *sizes)
{
	bool found;

	*plain = (struct remap_plain){ 0 };
	bridge_begin_attempt(remap->ctx, BUDGET_DIGITS);
	found = see_destination(plain, remap, sizes) || see_source(plain, remap, sizes);
	if (bridge_end_attempt(remap->ctx) && found)
		return true;
	remap_plain_free(plain);
	return false;
}

layout_relation *remap_plain_cells(const struct remap_plain *plain, layout_relation *slots)
{
	layout_relation *merge;

	if (!plain->merge || !slots)
		return slots;
	bridge_enter(slots->ctx);
	merge = bridge_give_relation(slots->ctx, "merge slots",
		isl_map_from_multi_aff(isl_multi_aff_copy(plain->merge)),
		isl_multi_aff_copy(plain->merge), NULL);
	return layout_relation_compose(merge, slots);
}

/* The padding of the destination's view, in the destination. */
static layout_set *merge_padding(const struct remap_plain *plain)
{
	layout_remap *remap = plain->remap;
	layout_set *padding = remap->map ? NULL :
		layout_storage_padding(remap->destination);
	isl_set *slots;

	bridge_enter(remap->ctx);
	slots = remap->map ? remap_map_padding(remap) :
		padding ? isl_set_copy(padding->set) : NULL;
	layout_set_free(padding);
	return bridge_give_set(remap->ctx, "find the padding", isl_set_apply(slots,
		isl_map_from_multi_aff(isl_multi_aff_copy(plain->merge))));
}

layout_set *remap_plain_padding(const struct remap_plain *plain, layout_remap *given)
{
	layout_remap *remap = plain->remap ? plain->remap : given;

	if (plain->merge)
		return merge_padding(plain);
	if (!remap->map)
		return layout_storage_padding(given->destination);
	bridge_enter(remap->ctx);
	return bridge_give_set(remap->ctx, "find the padding", remap_map_padding(remap));
}
