/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The three relations of a kernel, composed for a point at a time.
 *
 *	hw -> slot of the destination		the owner
 *	slot of the destination -> logical	the destination, reversed: affine
 *	logical -> slot of the source		the source
 *
 * Each step becomes index expressions over those of the step before, so that
 * digits stay digits and are computed once. */
#include "algebra/storage/contract.h"
#include "algebra/storage/remap_map.h"
#include "algebra/storage/twist.h"
#include "algebra/visit/group.h"
#include "algebra/visit/step.h"
#include "algebra/visit/sweep.h"

#include <stdlib.h>

/* What a visit is built with: the request, and the dimensions as variables. */
struct builder {
	layout_context *ctx;
	const struct visit_request *request;
	struct visit *visit;
	struct visit_owner owner;
	struct sweep_ways ways;		/* of a map */
	struct index **dims;
	const char **dim_names;
};

static void free_access(struct visit_access *access)
{
	index_list_free(access->slot, access->rank);
	index_list_free(access->pitch, access->rank);
	index_free(access->elements);
}

void visit_free(struct visit *visit)
{
	for (unsigned i = 0; visit->dims && i < visit->dim_count; i++) {
		free(visit->dims[i].name);
		index_free(visit->dims[i].extent);
	}
	free(visit->dims);
	index_free(visit->active);
	index_free(visit->inside);
	free_access(&visit->load);
	free_access(&visit->store);
	group_free(&visit->group);
	sweep_free(&visit->sweep);
}

/* Variables for the dimensions; their bounds are the extents'. */
static bool build_dims(struct builder *b)
{
	unsigned count = b->owner.dim_count;

	b->dims = layout_alloc(b->ctx, count, sizeof(*b->dims));
	b->dim_names = layout_alloc(b->ctx, count, sizeof(*b->dim_names));
	if (!b->dims || !b->dim_names)
		return false;
	for (unsigned i = 0; i < count; i++) {
		const struct visit_dim *dim = &b->owner.dims[i];

		b->dim_names[i] = dim->name;
		b->dims[i] = index_counter(b->request->sizes->count + i, dim->extent);
		if (!b->dims[i])
			return false;
	}
	return true;
}

static struct index **copy_indices(struct builder *b, struct index *const *list,
	unsigned count)
{
	struct index **copy = layout_alloc(b->ctx, count, sizeof(*copy));

	for (unsigned i = 0; copy && i < count; i++)
		copy[i] = index_copy(list[i]);
	return copy;
}

static bool build_access(struct builder *b, struct visit_access *access,
	const struct storage_index *index)
{
	access->slot = layout_alloc(b->ctx, index->slot_count, sizeof(*access->slot));
	access->pitch = copy_indices(b, index->pitch, index->slot_count);
	access->elements = index_copy(index->elements);
	access->rank = access->slot && access->pitch ? index->slot_count : 0;
	return access->slot && access->pitch;
}

/* A step between bridge_enter() and bridge_leave(). */
static bool take(struct builder *b, struct step step, struct index **out,
	struct index **inside)
{
	return step_take(&step, b->request->sizes, b->request->contract->sizes, out,
		inside);
}

/* hw -> slot; or the digits of an element's number. */
static bool build_slots(struct builder *b)
{
	struct visit *visit = b->visit;
	struct step own = { b->owner.to_slot, b->owner.domain, b->owner.active,
		b->dim_names, b->dims, b->owner.dim_count, NULL };

	if (visit->group.elements)
		return group_number(&visit->group, &b->owner, b->dims, &visit->active) &&
			group_slots(&visit->group, b->request->sizes->count +
				b->owner.dim_count, visit->store.slot);
	return take(b, own, visit->store.slot, &visit->active);
}

/* slot -> logical of the destination; slots in memory are those that the twists leave. */
static bool take_logical(struct builder *b, struct index **logical)
{
	layout_storage *storage = b->request->remap->destination;
	unsigned count = storage->slot_count;
	struct index **slot = copy_indices(b, b->visit->store.slot, count);
	char **names = step_names(b->ctx, 's', count);
	struct step reverse = { storage->maps->from_slot, storage->maps->slots, NULL,
		(const char *const *)names, slot, count, NULL };
	bool ok = slot && names;

	if (ok)
		storage_twist_index(storage, slot, true);
	ok = ok && take(b, reverse, logical, NULL);
	index_list_free(slot, count);
	step_names_free(names, count);
	return ok;
}

/* logical of the destination -> logical of the source, and whether there is one. */
static bool take_element(struct builder *b, struct index **logical,
	struct index **element)
{
	layout_remap *remap = b->request->remap;
	unsigned rank = remap->destination->rank;
	isl_set *rounded = storage_rounded(remap->destination);
	isl_set *reached = remap->map ? remap_map_reached(remap) :
		isl_set_copy(remap->destination->maps->logical);
	isl_pw_multi_aff *pieces = b->ways.back;
	char **names = step_names(b->ctx, 'i', rank);
	struct step mask = { NULL, rounded, reached, (const char *const *)names, logical,
		rank, NULL };
	struct step back = { NULL, reached, NULL, (const char *const *)names, logical,
		rank, pieces };
	bool ok = names && take(b, mask, NULL, &b->visit->inside);

	if (ok && pieces)
		ok = take(b, back, element, NULL);
	for (unsigned d = 0; ok && !pieces && d < rank; d++)
		element[d] = index_copy(logical[d]);
	isl_set_free(rounded);
	isl_set_free(reached);
	step_names_free(names, rank);
	return ok;
}

/* logical -> slot of the source */
static bool take_source(struct builder *b, struct index **element)
{
	layout_storage *storage = b->request->remap->source;
	char **names = step_names(b->ctx, 'i', storage->rank);
	struct step forward = { storage->maps->to_slot, storage->maps->logical, NULL,
		(const char *const *)names, element, storage->rank, NULL };
	bool ok = names && take(b, forward, b->visit->load.slot, NULL);

	if (ok)
		storage_twist_index(storage, b->visit->load.slot, false);
	step_names_free(names, storage->rank);
	return ok;
}

/* hw -> slot -> logical -> logical -> slot */
static bool build_steps(struct builder *b)
{
	layout_remap *remap = b->request->remap;
	unsigned from = remap->source->rank, to = remap->destination->rank;
	struct index **logical = layout_alloc(b->ctx, to, sizeof(*logical));
	struct index **element = layout_alloc(b->ctx, from, sizeof(*element));
	bool ok = logical && element && build_slots(b) && take_logical(b, logical) &&
		take_element(b, logical, element) && take_source(b, element);

	index_list_free(logical, to);
	index_list_free(element, from);
	return ok;
}

/* Which point visits which elements. */
static bool build_owner(struct builder *b)
{
	const struct visit_request *request = b->request;
	layout_storage *storage = request->remap->destination;
	unsigned bits = request->remap->conversion.to->bits;

	if (request->joined || group_is_needed(bits))
		return group_build(&b->visit->group, &b->owner, storage,
			request->destination, bits, request->lanes, request->rows,
			request->sizes->names, request->sizes->count);
	return visit_owner_build(&b->owner, storage, request->destination, request->lanes,
		request->sizes->names, request->sizes->count);
}

/* An element of the destination at a time. */
static bool build_cells(struct builder *b)
{
	return build_owner(b) && build_dims(b) &&
		build_access(b, &b->visit->load, b->request->source) &&
		build_access(b, &b->visit->store, b->request->destination) &&
		build_steps(b);
}

/* An element of the source at a time. */
static bool build_elements(struct builder *b)
{
	struct sweep_request request = { b->request->remap, &b->ways, b->request->sizes,
		b->request->contract->sizes, b->request->source,
		b->request->destination, b->request->lanes };

	return sweep_build(&b->visit->sweep, &b->owner, &request) && build_dims(b) &&
		build_access(b, &b->visit->load, b->request->source) &&
		build_access(b, &b->visit->store, b->request->destination) &&
		sweep_accesses(b->visit, &b->owner, b->dims, &request);
}

/* The owner as text. */
static char *owner_text(struct builder *b)
{
	const struct visit *visit = b->visit;
	layout_relation *owner;
	char *text;

	if (visit->group.elements)
		return group_owner(b->ctx, &visit->group, visit->dims, visit->dim_count);
	if (visit->sweep.digits)
		return sweep_owner(b->ctx, visit->dims, visit->dim_count);
	bridge_enter(b->ctx);
	owner = bridge_give_relation(b->ctx, "print the owner", isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(b->owner.to_slot)),
		isl_set_copy(b->owner.active)), isl_multi_aff_copy(b->owner.to_slot),
		NULL);
	text = layout_relation_str(owner);
	layout_relation_free(owner);
	return text;
}

char *visit_build(struct visit *visit, const struct visit_request *request)
{
	layout_remap *remap = request->remap;
	struct builder b = { .ctx = remap->ctx, .request = request, .visit = visit };
	char *text = NULL;
	bool ok = !remap->map || sweep_find(&b.ways, remap, request->contract->sizes);

	ok = ok && (b.ways.store ? build_elements : build_cells)(&b);
	if (ok) {
		visit->dims = b.owner.dims;
		visit->dim_count = b.owner.dim_count;
		b.owner.dims = NULL;
		text = owner_text(&b);
	}
	index_list_free(b.dims, b.owner.dim_count);
	free(b.dim_names);
	visit_owner_free(&b.owner);
	sweep_ways_free(&b.ways);
	return text;
}
