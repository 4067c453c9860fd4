/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Plans: the three relations of a kernel, composed.
 *
 *	hw -> slot of the destination		the owner
 *	slot of the destination -> logical	the destination, reversed: affine
 *	logical -> slot of the source		the source
 *
 * Each step becomes index expressions over those of the step before, so that
 * digits stay digits and are computed once. */
#include "algebra/plan/contract.h"
#include "algebra/plan/group.h"
#include "algebra/plan/tile_build.h"
#include "algebra/storage/remap_map.h"
#include "algebra/storage/remap_plain.h"
#include "algebra/storage/twist.h"
#include "algebra/plan/step.h"
#include "algebra/plan/sweep.h"

#include <stdlib.h>
#include <string.h>

/* What a plan is built with. */
struct builder {
	layout_context *ctx;
	layout_remap *given, *remap;	/* "remap" does what was given: it is planned */
	struct remap_plain plain;
	struct plan *plan;
	struct contract contract;
	struct index **vars;		/* sizes, then dims */
	const char **var_names;
	struct storage_index source, destination;
	struct owner owner;
	struct sweep_ways ways;		/* of a map */
};

static void free_texts(char **texts, unsigned count)
{
	for (unsigned i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
}

static void free_indices(struct index **list, unsigned count)
{
	for (unsigned i = 0; list && i < count; i++)
		index_free(list[i]);
	free(list);
}

static void free_access(struct plan_access *access)
{
	free_indices(access->slot, access->rank);
	free_indices(access->pitch, access->rank);
	index_free(access->elements);
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	free_texts(plan->size_names, plan->size_count);
	for (unsigned i = 0; plan->dims && i < plan->dim_count; i++) {
		free(plan->dims[i].name);
		index_free(plan->dims[i].extent);
	}
	free(plan->dims);
	index_free(plan->active);
	index_free(plan->inside);
	index_free(plan->valid);
	index_free(plan->strides[0].apart);
	index_free(plan->strides[1].apart);
	free_access(&plan->load);
	free_access(&plan->store);
	free_texts(plan->requirements, plan->requirement_count);
	group_free(&plan->group);
	sweep_free(&plan->sweep);
	free(plan->scale);
	free(plan->owner);
	free(plan->source);
	free(plan->destination);
	free(plan->map);
	free(plan->padding);
	free(plan->explanation);
	plan_tile_free(plan->tile);
	free(plan);
}

static bool build_sizes(struct builder *b)
{
	struct plan *plan = b->plan;
	unsigned most = b->given->name_count + LAYOUT_STORAGE_SLOTS + 2;

	b->vars = layout_alloc(b->ctx, most, sizeof(*b->vars));
	b->var_names = layout_alloc(b->ctx, most, sizeof(*b->var_names));
	plan->size_names = layout_alloc(b->ctx, b->given->name_count, sizeof(char *));
	if (!b->vars || !b->var_names || !plan->size_names ||
	    !contract_build(&b->contract, b->given))
		return false;
	for (unsigned i = 0; i < b->given->name_count; i++) {
		plan->size_names[i] = layout_strdup(b->ctx, b->given->names[i]);
		plan->size_count++;
		b->var_names[i] = plan->size_names[i];
		b->vars[i] = contract_size(&b->contract, b->given, i);
		if (!plan->size_names[i] || !b->vars[i])
			return false;
	}
	return true;
}

/* Variables for the dimensions; their bounds are the extents'. */
static bool build_dims(struct builder *b)
{
	for (unsigned i = 0; i < b->owner.dim_count; i++) {
		const struct plan_dim *dim = &b->owner.dims[i];
		unsigned var = b->plan->size_count + i;
		int64_t most = dim->extent->max == INT64_MAX ?
			INT64_MAX : dim->extent->max - 1;

		b->var_names[var] = dim->name;
		b->vars[var] = index_var(var, 0, most > 0 ? most : 0);
		if (!b->vars[var])
			return false;
	}
	return true;
}

/* The sizes, for expressions. */
static struct ast_scope sizes_scope(struct builder *b)
{
	return (struct ast_scope){ b->ctx, b->plan->size_count, b->var_names, b->vars };
}

static bool alloc_access(struct builder *b, struct plan_access *access,
	struct storage_index *index)
{
	access->slot = layout_alloc(b->ctx, index->slot_count, sizeof(*access->slot));
	access->rank = access->slot ? index->slot_count : 0;
	access->pitch = index->pitch;
	access->elements = index->elements;
	index->pitch = NULL;
	index->elements = NULL;
	return access->slot != NULL;
}

/* hw -> slot; or the digits of an element's number. */
static bool build_slots(struct builder *b)
{
	struct plan *plan = b->plan;
	struct step own = { b->owner.to_slot, b->owner.domain, b->owner.active,
		b->var_names + plan->size_count, b->vars + plan->size_count,
		b->owner.dim_count, NULL };
	struct ast_scope sizes = sizes_scope(b);

	if (plan->group.elements)
		return group_number(&plan->group, &b->owner, b->vars + plan->size_count,
				&plan->active) &&
			group_slots(&plan->group, plan->size_count + b->owner.dim_count,
				plan->store.slot);
	return step_take(&own, &sizes, b->contract.sizes, plan->store.slot,
		&plan->active);
}

static struct index **copy_indices(struct builder *b, struct index *const *list,
	unsigned count)
{
	struct index **copy = layout_alloc(b->ctx, count, sizeof(*copy));

	for (unsigned i = 0; copy && i < count; i++)
		copy[i] = index_copy(list[i]);
	return copy;
}

/* slot -> logical of the destination; slots in memory are those that the twists leave. */
static bool take_logical(struct builder *b, struct index **logical)
{
	layout_storage *storage = b->remap->destination;
	unsigned count = storage->slot_count;
	struct index **slot = copy_indices(b, b->plan->store.slot, count);
	char **names = step_names(b->ctx, 's', count);
	struct step reverse = { storage->maps->from_slot, storage->maps->slots, NULL,
		(const char *const *)names, slot, count, NULL };
	struct ast_scope sizes = sizes_scope(b);
	bool ok = slot && names;

	if (ok)
		storage_twist_index(storage, slot, true);
	ok = ok && step_take(&reverse, &sizes, b->contract.sizes, logical, NULL);
	free_indices(slot, count);
	step_names_free(names, count);
	return ok;
}

/* logical of the destination -> logical of the source, and whether there is one. */
static bool take_element(struct builder *b, struct index **logical,
	struct index **element)
{
	layout_remap *remap = b->remap;
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
	struct ast_scope sizes = sizes_scope(b);
	bool ok = names && step_take(&mask, &sizes, b->contract.sizes, NULL,
		&b->plan->inside);

	if (ok && pieces)
		ok = step_take(&back, &sizes, b->contract.sizes, element, NULL);
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
	layout_storage *storage = b->remap->source;
	char **names = step_names(b->ctx, 'i', storage->rank);
	struct step forward = { storage->maps->to_slot, storage->maps->logical, NULL,
		(const char *const *)names, element, storage->rank,
		NULL };
	struct ast_scope sizes = sizes_scope(b);
	bool ok = names && step_take(&forward, &sizes, b->contract.sizes,
		b->plan->load.slot, NULL);

	if (ok)
		storage_twist_index(storage, b->plan->load.slot, false);
	step_names_free(names, storage->rank);
	return ok;
}

/* hw -> slot -> logical -> logical -> slot */
static bool build_accesses(struct builder *b)
{
	unsigned from = b->remap->source->rank, to = b->remap->destination->rank;
	struct index **logical = layout_alloc(b->ctx, to, sizeof(*logical));
	struct index **element = layout_alloc(b->ctx, from, sizeof(*element));
	bool ok = logical && element && build_slots(b) && take_logical(b, logical) &&
		take_element(b, logical, element) && take_source(b, element);

	free_indices(logical, to);
	free_indices(element, from);
	return ok;
}

/* No two elements share a cell of the destination, under the contract. */
static bool check_destination(struct builder *b)
{
	layout_relation *relation = storage_unswizzled_relation(b->remap->destination);
	layout_witness *witness = NULL;
	layout_answer answer;

	if (relation)
		relation->map = isl_map_intersect_params(relation->map,
			isl_set_copy(b->contract.sizes));
	answer = layout_relation_is_injective(relation, &witness);
	layout_relation_free(relation);
	if (answer == LAYOUT_NO)
		return bridge_refuse(b->ctx,
			"two elements share a cell of the destination", witness);
	layout_witness_free(witness);
	return answer == LAYOUT_YES &&
		(!b->remap->map || remap_map_check(b->remap, b->contract.sizes));
}

/* That named strides nest is no affine question: the contract does not know. */
static bool add_strides(struct builder *b, layout_storage *storage, struct index *apart,
	struct plan_strides *strides)
{
	struct layout_buffer out = { 0 };
	struct plan *plan = b->plan;
	char *text;

	if (apart->op == INDEX_INT && apart->value)
		return true;
	text = layout_storage_str(storage);
	if (!text)
		return false;
	layout_buffer_printf(&out, "each stride of %s steps over all that smaller ones reach",
		text);
	layout_string_free(text);
	text = layout_buffer_take(b->ctx, &out);
	*strides = (struct plan_strides){ index_copy(apart), text };
	plan->requirements[plan->requirement_count++] = text;
	return text;
}

/* What a launch checks: the contract and the strides. */
static bool build_valid(struct builder *b)
{
	struct plan *plan = b->plan;

	plan->valid = contract_valid(&b->contract, b->given);
	plan->requirements = b->contract.requirements;
	plan->requirement_count = b->contract.requirement_count;
	b->contract.requirements = NULL;
	return plan->valid && add_strides(b, b->remap->source, b->source.apart,
			&plan->strides[0]) &&
		add_strides(b, b->remap->destination, b->destination.apart,
			&plan->strides[1]);
}

/* The owner as text. */
static char *owner_text(struct builder *b)
{
	layout_relation *owner;
	char *text;

	if (b->plan->group.elements)
		return group_owner(b->ctx, &b->plan->group, b->plan->dims,
			b->plan->dim_count);
	if (b->plan->sweep.digits)
		return sweep_owner(b->ctx, b->plan->dims, b->plan->dim_count);
	bridge_enter(b->ctx);
	owner = bridge_give_relation(b->ctx, "print the owner", isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(b->owner.to_slot)),
		isl_set_copy(b->owner.active)), isl_multi_aff_copy(b->owner.to_slot),
		NULL);
	text = layout_relation_str(owner);
	layout_relation_free(owner);
	return text;
}

/* The padding of the destination's view, in the destination. */
static layout_set *merge_padding(struct builder *b)
{
	layout_remap *remap = b->plain.remap;
	layout_set *padding = remap->map ? NULL :
		layout_storage_padding(remap->destination);
	isl_set *slots;

	bridge_enter(b->ctx);
	slots = remap->map ? remap_map_padding(remap) :
		padding ? isl_set_copy(padding->set) : NULL;
	layout_set_free(padding);
	return bridge_give_set(b->ctx, "find the padding", isl_set_apply(slots,
		isl_map_from_multi_aff(isl_multi_aff_copy(b->plain.merge))));
}

static layout_set *find_padding(struct builder *b)
{
	if (b->plain.merge)
		return merge_padding(b);
	if (!b->remap->map)
		return layout_storage_padding(b->given->destination);
	bridge_enter(b->ctx);
	return bridge_give_set(b->ctx, "find the padding", remap_map_padding(b->remap));
}

/* The relations as text, for people. */
static bool build_texts(struct builder *b)
{
	struct plan *plan = b->plan;
	layout_relation *source = layout_storage_relation(b->given->source);
	layout_relation *destination = layout_storage_relation(b->given->destination);
	layout_set *padding = find_padding(b);

	if (!plan->tile)
		plan->owner = owner_text(b);
	plan->source = layout_relation_str(source);
	plan->destination = layout_relation_str(destination);
	if (b->given->map)
		plan->map = layout_relation_str(b->given->map->map);
	plan->padding = layout_set_str(padding);
	layout_relation_free(source);
	layout_relation_free(destination);
	layout_set_free(padding);
	return plan->owner && plan->source && plan->destination && plan->padding &&
		(plan->map || !b->given->map);
}

/* Which point visits which elements. */
static bool build_owner(struct builder *b, const struct plan_target *target)
{
	unsigned bits = b->remap->conversion.to->bits;
	unsigned lanes = target->wave_size ? target->lanes : 0;

	if (group_is_needed(bits))
		return group_build(&b->plan->group, &b->owner, b->remap->destination,
			&b->destination, bits, lanes, b->var_names, b->plan->size_count);
	return owner_build(&b->owner, b->remap->destination, &b->destination, lanes,
		b->var_names, b->plan->size_count);
}

/* By how much elements are shifted; NULL where the map does something else. */
static struct index **find_shift(struct builder *b)
{
	struct ast_scope sizes = sizes_scope(b);
	struct index **low = layout_alloc(b->ctx, b->remap->source->rank, sizeof(*low));

	if (low && remap_shift(b->remap, &sizes, b->contract.sizes, low))
		return low;
	free(low);
	return NULL;
}

/* What only a tile can do is an error without one. */
static bool find_none(struct builder *b, const struct plan_target *target,
	const char *why)
{
	if (layout_context_error(b->ctx) != LAYOUT_ERROR_NONE)
		return false;
	if (!target->owner && !target->through_lds)
		return true;
	layout_fail(b->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "%s, since %s", target->owner ?
		"the owner: it would go unused" : "no tile can go through the LDS", why);
	return false;
}

/* How much memory a side has is all that a plan with a tile says of its slots. */
static bool find_tile(struct builder *b, const struct plan_target *target)
{
	struct plan *plan = b->plan;
	struct tile_request request = { b->remap, &b->source, &b->destination, NULL, target,
		{ plan->load.bits, plan->store.bits } };
	struct index **low;
	bool ok;

	if (!target->wave_size)
		return find_none(b, target, "the host has no lanes");
	low = find_shift(b);
	if (!low)
		return find_none(b, target, "the map is no shift of the elements");
	request.low = low;
	ok = tile_build(plan, &request);
	free_indices(low, b->remap->source->rank);
	if (ok && plan->tile) {
		plan->load.elements = index_copy(b->source.elements);
		plan->store.elements = index_copy(b->destination.elements);
	}
	return ok;
}

/* An element of the destination at a time. */
static bool find_cells(struct builder *b, const struct plan_target *target)
{
	return build_owner(b, target) && build_dims(b) &&
		alloc_access(b, &b->plan->load, &b->source) &&
		alloc_access(b, &b->plan->store, &b->destination) && build_accesses(b);
}

/* An element of the source at a time. */
static bool find_elements(struct builder *b, const struct plan_target *target)
{
	struct ast_scope sizes = sizes_scope(b);
	struct sweep_request request = { b->remap, &b->ways, &sizes, b->contract.sizes,
		&b->source, &b->destination, target->wave_size ? target->lanes : 0 };

	return sweep_build(&b->plan->sweep, &b->owner, &request) && build_dims(b) &&
		alloc_access(b, &b->plan->load, &b->source) &&
		alloc_access(b, &b->plan->store, &b->destination) &&
		sweep_accesses(b->plan, &b->owner, b->vars + b->plan->size_count,
			&request);
}

/* An element at a time. */
static bool find_points(struct builder *b, const struct plan_target *target)
{
	if (b->remap->map && !sweep_find(&b->ways, b->remap, b->contract.sizes))
		return false;
	if (!(b->ways.store ? find_elements : find_cells)(b, target))
		return false;
	b->plan->dims = b->owner.dims;
	b->plan->dim_count = b->owner.dim_count;
	b->owner.dims = NULL;
	return true;
}

/* Plan a remap that moves digits as one without a map. */
static bool find_plain(struct builder *b)
{
	layout_remap *remap = b->given;

	if (!remap->map || remap->map->shift ||
	    !remap_plain_find(&b->plain, remap, b->contract.sizes))
		return layout_context_error(b->ctx) == LAYOUT_ERROR_NONE;
	b->remap = b->plain.remap;
	return contract_add_storage(&b->contract, remap, b->remap->source) &&
		contract_add_storage(&b->contract, remap, b->remap->destination);
}

static bool build(struct builder *b, const struct plan_target *target)
{
	struct plan *plan = b->plan;
	struct ast_scope sizes;

	if (!build_sizes(b) || !find_plain(b))
		return false;
	sizes = sizes_scope(b);
	if (!storage_index_build(&b->source, b->remap->source, &sizes,
	    b->contract.sizes) ||
	    !storage_index_build(&b->destination, b->remap->destination, &sizes,
			b->contract.sizes) ||
	    !build_valid(b) || !check_destination(b))
		return false;
	plan->conversion = b->remap->conversion;
	plan->load.bits = plan->conversion.from->bits;
	plan->store.bits = plan->conversion.to->bits;
	plan->pad_bits = b->remap->pad_bits;
	plan->scale = b->remap->scale ? layout_strdup(b->ctx, b->remap->scale) : NULL;
	if (b->remap->scale && !plan->scale)
		return false;
	return find_tile(b, target) && (plan->tile || find_points(b, target)) &&
		build_texts(b);
}

/* No answer is no reason not to have a kernel. */
static bool is_identity(layout_remap *remap)
{
	struct layout_caught caught = { 0 }, *before;
	bool yes;

	before = layout_context_catch(remap->ctx, &caught);
	yes = layout_remap_is_identity(remap) == LAYOUT_YES;
	layout_context_catch(remap->ctx, before);
	free(caught.message);
	return yes;
}

struct plan *plan_new(layout_remap *remap, const struct plan_target *target)
{
	struct builder b;
	bool ok;

	if (!remap)
		return NULL;
	b = (struct builder){ .ctx = remap->ctx, .given = remap, .remap = remap,
		.plan = layout_alloc(remap->ctx, 1, sizeof(*b.plan)) };
	if (!b.plan)
		return NULL;
	bridge_enter(b.ctx);
	ok = build(&b, target);
	storage_index_free(&b.source);
	storage_index_free(&b.destination);
	owner_free(&b.owner);
	sweep_ways_free(&b.ways);
	free_indices(b.vars, b.vars ? remap->name_count + LAYOUT_STORAGE_SLOTS + 2 : 0);
	free(b.var_names);
	remap_plain_free(&b.plain);
	contract_free(&b.contract);
	if (bridge_leave(b.ctx, "plan a kernel") && ok) {
		b.plan->identity = is_identity(remap);
		return b.plan;
	}
	plan_free(b.plan);
	return NULL;
}
