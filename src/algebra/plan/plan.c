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
#include "algebra/plan/owner.h"
#include "algebra/storage/remap.h"
#include "algebra/plan/step.h"

#include <stdlib.h>
#include <string.h>

/* What a plan is built with. */
struct builder {
	layout_context *ctx;
	layout_remap *remap;
	struct plan *plan;
	struct contract contract;
	struct index **vars;		/* sizes, then dims */
	const char **var_names;
	struct storage_index source, destination;
	struct owner owner;
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
	free_access(&plan->load);
	free_access(&plan->store);
	free_texts(plan->requirements, plan->requirement_count);
	free(plan->type);
	free(plan->owner);
	free(plan->source);
	free(plan->destination);
	free(plan->padding);
	free(plan->explanation);
	plan_tile_free(plan->tile);
	free(plan);
}

static bool build_sizes(struct builder *b)
{
	struct plan *plan = b->plan;
	unsigned most = b->remap->name_count + LAYOUT_STORAGE_SLOTS + 2;

	b->vars = layout_alloc(b->ctx, most, sizeof(*b->vars));
	b->var_names = layout_alloc(b->ctx, most, sizeof(*b->var_names));
	plan->size_names = layout_alloc(b->ctx, b->remap->name_count, sizeof(char *));
	if (!b->vars || !b->var_names || !plan->size_names ||
	    !contract_build(&b->contract, b->remap))
		return false;
	for (unsigned i = 0; i < b->remap->name_count; i++) {
		plan->size_names[i] = layout_strdup(b->ctx, b->remap->names[i]);
		plan->size_count++;
		b->var_names[i] = plan->size_names[i];
		b->vars[i] = contract_size(&b->contract, b->remap, i);
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

/* "s0'", "s1'", ..: names that no size has. */
static char **numbered_names(struct builder *b, char letter, unsigned count)
{
	char **names = layout_alloc(b->ctx, count, sizeof(*names));

	for (unsigned i = 0; names && i < count; i++) {
		struct layout_buffer name = { 0 };

		layout_buffer_printf(&name, "%c%u'", letter, i);
		names[i] = layout_buffer_take(b->ctx, &name);
		if (!names[i]) {
			free_texts(names, i);
			return NULL;
		}
	}
	return names;
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

/* hw -> slot -> logical -> slot */
static bool build_accesses(struct builder *b)
{
	struct storage_maps *source = b->remap->source->maps;
	struct storage_maps *destination = b->remap->destination->maps;
	struct plan *plan = b->plan;
	unsigned rank = b->remap->source->rank, slots = b->destination.slot_count;
	struct index **logical = layout_alloc(b->ctx, rank, sizeof(*logical));
	char **s = numbered_names(b, 's', slots), **i = numbered_names(b, 'i', rank);
	struct step own = { b->owner.to_slot, b->owner.domain, b->owner.active,
		b->var_names + plan->size_count, b->vars + plan->size_count,
		b->owner.dim_count };
	struct step reverse = { destination->from_slot, destination->slots, NULL,
		(const char *const *)s, NULL, slots };
	isl_set *rounded = storage_rounded(b->remap->destination);
	struct step mask = { NULL, rounded, destination->logical, (const char *const *)i,
		logical, rank };
	struct step forward = { source->to_slot, source->logical, NULL,
		(const char *const *)i, logical, rank };
	struct ast_scope sizes = sizes_scope(b);
	isl_set *contract = b->contract.sizes;
	bool ok = logical && s && i && alloc_access(b, &plan->load, &b->source) &&
		alloc_access(b, &plan->store, &b->destination);

	reverse.values = plan->store.slot;
	ok = ok && step_take(&own, &sizes, contract, plan->store.slot, &plan->active) &&
		step_take(&reverse, &sizes, contract, logical, NULL) &&
		step_take(&mask, &sizes, contract, NULL, &plan->inside) &&
		step_take(&forward, &sizes, contract, plan->load.slot, NULL);
	isl_set_free(rounded);
	free_indices(logical, rank);
	free_texts(s, s ? slots : 0);
	free_texts(i, i ? rank : 0);
	return ok;
}

/* No two elements share a cell of the destination, under the contract. */
static bool check_destination(struct builder *b)
{
	layout_relation *relation = layout_storage_relation(b->remap->destination);
	layout_witness *witness = NULL;
	layout_answer answer;

	if (relation)
		relation->map = isl_map_intersect_params(relation->map,
			isl_set_copy(b->contract.sizes));
	answer = layout_relation_is_injective(relation, &witness);
	if (answer == LAYOUT_NO)
		layout_fail(b->ctx, LAYOUT_ERROR_INVALID, -1,
			"two elements share a cell of the destination%s%s",
			witness ? ": " : "", witness ? witness->text : "");
	layout_witness_free(witness);
	layout_relation_free(relation);
	return answer == LAYOUT_YES;
}

/* What a launch checks: the contract and the strides. */
static bool build_valid(struct builder *b)
{
	struct plan *plan = b->plan;
	bool strides = b->source.apart->op != INDEX_INT ||
		b->destination.apart->op != INDEX_INT;

	plan->valid = contract_valid(&b->contract, b->remap);
	plan->valid = index_binary(INDEX_AND, plan->valid, index_copy(b->source.apart));
	plan->valid = index_binary(INDEX_AND, plan->valid,
		index_copy(b->destination.apart));
	plan->requirements = b->contract.requirements;
	plan->requirement_count = b->contract.requirement_count;
	b->contract.requirements = NULL;
	if (strides)
		plan->requirements[plan->requirement_count++] =
			layout_strdup(b->ctx, "strides do not overlap");
	return plan->valid &&
		(!strides || plan->requirements[plan->requirement_count - 1]);
}

/* The relations as text, for people. */
static bool build_texts(struct builder *b)
{
	struct plan *plan = b->plan;
	layout_relation *source = layout_storage_relation(b->remap->source);
	layout_relation *destination = layout_storage_relation(b->remap->destination);
	layout_set *padding = layout_storage_padding(b->remap->destination);
	layout_relation *owner;

	bridge_enter(b->ctx);
	owner = bridge_give_relation(b->ctx, "print the owner", isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(b->owner.to_slot)),
		isl_set_copy(b->owner.active)), isl_multi_aff_copy(b->owner.to_slot),
		NULL);
	plan->owner = layout_relation_str(owner);
	plan->source = layout_relation_str(source);
	plan->destination = layout_relation_str(destination);
	plan->padding = layout_set_str(padding);
	plan->type = layout_strdup(b->ctx, b->remap->type->name);
	layout_relation_free(owner);
	layout_relation_free(source);
	layout_relation_free(destination);
	layout_set_free(padding);
	return plan->owner && plan->source && plan->destination && plan->padding &&
		plan->type;
}

static bool build(struct builder *b, const struct plan_target *target)
{
	struct plan *plan = b->plan;
	struct ast_scope sizes;

	if (!build_sizes(b))
		return false;
	sizes = sizes_scope(b);
	if (!storage_index_build(&b->source, b->remap->source, &sizes,
	    b->contract.sizes) ||
	    !storage_index_build(&b->destination, b->remap->destination, &sizes,
			b->contract.sizes) ||
	    !build_valid(b) || !check_destination(b) ||
	    !owner_build(&b->owner, b->remap->destination, &b->destination,
			target->wave_size ? target->lanes : 0,
			b->var_names, plan->size_count) ||
	    !build_dims(b) || !build_accesses(b) || !build_texts(b))
		return false;
	plan->dims = b->owner.dims;
	plan->dim_count = b->owner.dim_count;
	b->owner.dims = NULL;
	plan->load.bits = plan->store.bits = 8 * b->remap->type->bytes;
	plan->pad_bits = b->remap->pad_bits;
	return true;
}

struct plan *plan_new(layout_remap *remap, const struct plan_target *target)
{
	struct builder b;
	bool ok;

	if (!remap)
		return NULL;
	b = (struct builder){ .ctx = remap->ctx, .remap = remap,
		.plan = layout_alloc(remap->ctx, 1, sizeof(*b.plan)) };
	if (!b.plan)
		return NULL;
	bridge_enter(b.ctx);
	ok = build(&b, target);
	storage_index_free(&b.source);
	storage_index_free(&b.destination);
	owner_free(&b.owner);
	free_indices(b.vars, b.vars ? remap->name_count + LAYOUT_STORAGE_SLOTS + 2 : 0);
	free(b.var_names);
	contract_free(&b.contract);
	if (bridge_leave(b.ctx, "plan a kernel") && ok)
		return b.plan;
	plan_free(b.plan);
	return NULL;
}
