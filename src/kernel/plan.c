/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/plan.h"
#include "algebra/storage/contract.h"
#include "algebra/storage/remap_map.h"
#include "algebra/storage/remap_plain.h"
#include "kernel/tile_build.h"

#include <stdio.h>
#include <stdlib.h>

/* What a plan is built with. */
struct builder {
	layout_context *ctx;
	layout_remap *given, *remap;	/* "remap" does what was given: it is planned */
	struct remap_plain plain;
	struct plan *plan;
	struct contract contract;
	struct index **sizes;		/* as variables */
	struct storage_index source, destination;
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

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	free_texts(plan->size_names, plan->size_count);
	visit_free(&plan->visit);
	index_free(plan->valid);
	index_free(plan->strides[0].apart);
	index_free(plan->strides[1].apart);
	free_texts(plan->requirements, plan->requirement_count);
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
	unsigned count = b->given->name_count;

	b->sizes = layout_alloc(b->ctx, count, sizeof(*b->sizes));
	plan->size_names = layout_alloc(b->ctx, count, sizeof(char *));
	if (!b->sizes || !plan->size_names || !contract_build(&b->contract, b->given))
		return false;
	for (unsigned i = 0; i < count; i++) {
		plan->size_names[i] = layout_strdup(b->ctx, b->given->names[i]);
		plan->size_count++;
		b->sizes[i] = contract_size(&b->contract, b->given, i);
		if (!plan->size_names[i] || !b->sizes[i])
			return false;
	}
	return true;
}

/* The sizes, for expressions. */
static struct ast_scope sizes_scope(struct builder *b)
{
	return (struct ast_scope){ b->ctx, b->plan->size_count,
		(const char *const *)b->plan->size_names, b->sizes };
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

/* The relations as text, for people. */
static bool build_texts(struct builder *b)
{
	struct plan *plan = b->plan;
	layout_relation *source = layout_storage_relation(b->given->source);
	layout_relation *destination = layout_storage_relation(b->given->destination);
	layout_set *padding = remap_plain_padding(&b->plain, b->given);

	plan->source = layout_relation_str(source);
	plan->destination = layout_relation_str(destination);
	if (b->given->map)
		plan->map = layout_relation_str(b->given->map->map);
	plan->padding = layout_set_str(padding);
	layout_relation_free(source);
	layout_relation_free(destination);
	layout_set_free(padding);
	return plan->source && plan->destination && plan->padding &&
		(plan->map || !b->given->map);
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
		{ plan->visit.load.bits, plan->visit.store.bits } };
	struct index **low;
	char why[64];
	bool ok;

	if (!target->lanes) {
		snprintf(why, sizeof(why), "the %s has no lanes", target->name);
		return find_none(b, target, why);
	}
	low = find_shift(b);
	if (!low)
		return find_none(b, target, "the map is no shift of the elements");
	request.low = low;
	ok = tile_build(plan, &request);
	free_indices(low, b->remap->source->rank);
	if (ok && plan->tile) {
		plan->visit.load.elements = index_copy(b->source.elements);
		plan->visit.store.elements = index_copy(b->destination.elements);
	}
	return ok;
}

/* An element at a time. */
static bool find_points(struct builder *b, const struct plan_target *target)
{
	struct ast_scope sizes = sizes_scope(b);
	struct visit_request request = { b->remap, &b->contract, &sizes, &b->source,
		&b->destination, target->lanes };

	b->plan->owner = visit_build(&b->plan->visit, &request);
	return b->plan->owner;
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
	    !build_valid(b) || !contract_check(&b->contract, b->remap))
		return false;
	plan->conversion = b->remap->conversion;
	plan->visit.load.bits = plan->conversion.from->bits;
	plan->visit.store.bits = plan->conversion.to->bits;
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
	free_indices(b.sizes, remap->name_count);
	remap_plain_free(&b.plain);
	contract_free(&b.contract);
	if (bridge_leave(b.ctx, "plan a kernel") && ok) {
		b.plan->identity = is_identity(remap);
		return b.plan;
	}
	plan_free(b.plan);
	return NULL;
}
