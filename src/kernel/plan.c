/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/plan.h"

#include "algebra/chip.h"
#include "algebra/memory/sides.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/remap_map.h"
#include "algebra/storage/remap_plain.h"
#include "algebra/storage/remap_steps.h"
#include "kernel/block/block.h"
#include "kernel/points.h"
#include "kernel/program/plan.h"
#include "kernel/tile/build.h"
#include "kernel/tile/text.h"
#include "isl_bridge/relation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a plan is built with. */
struct builder {
	layout_context *ctx;
	layout_remap *given, *remap;	/* "remap" does what was given: it is planned */
	struct remap_plain plain;
	struct plan *plan;
	struct sides sides;		/* of "remap", over the names of what was given */
	struct remap_steps steps;	/* that it takes; "index" is empty where it does not */
	uint64_t whole;			/* names of which rows of whole bytes are assumed, */
	bool tries;			/* only whether there is a tile is asked */
};

struct plan_target plan_target_of(const struct chip *chip)
{
	return (struct plan_target){
		.wave_size = chip->target.wave_size,
		.lanes = chip->code.lanes,
		.full_lanes = chip->code.full_lanes,
		.max_bytes = chip->target.max_load_bytes,
		.lds_bytes = chip->target.lds_bytes,
		.lds_most = chip->lds_most ? chip->lds_most : chip->target.lds_bytes,
		.name = chip->target.name,
		.chip = chip,
	};
}

/* What a shape does not borrow. */
static void free_own(struct plan *plan)
{
	visit_free(&plan->visit);
	visit_free(&plan->points);
	free(plan->owner);
	free(plan->loader);
	layout_relation_free(plan->loads);
	layout_relation_free(plan->stores);
	free(plan->explanation);
	tile_account_free(plan->account);
	plan_tile_free(plan->tile);
	plan_block_free(plan->block);
	index_free(plan->cost);
	index_free(plan->copied);
	for (unsigned i = 0; i < plan->shape_count; i++)
		plan_free(plan->shapes[i]);
	free(plan->shapes);
}

/* What its shapes borrow of a plan. */
static void free_common(struct plan *plan)
{
	layout_texts_free(plan->size_names, plan->size_count);
	index_free(plan->valid);
	index_free(plan->whole);
	for (unsigned i = 0; plan->operands && i < plan->operand_count; i++)
		index_free(plan->operands[i].strides.apart);
	free(plan->operands);
	program_plan_free(plan->program);
	layout_texts_free(plan->requirements, plan->requirement_count);
	free(plan->scale);
	free(plan->source);
	free(plan->destination);
	free(plan->map);
	free(plan->padding);
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	free_own(plan);
	if (!plan->borrows)
		free_common(plan);
	free(plan);
}

struct plan *plan_borrow(layout_context *ctx, const struct plan *plan)
{
	struct plan *shape = layout_alloc(ctx, 1, sizeof(*shape));

	if (!shape)
		return NULL;
	*shape = *plan;
	shape->borrows = true;
	shape->visit = (struct visit){ .load.bits = plan->visit.load.bits,
		.store.bits = plan->visit.store.bits };
	shape->tile = NULL;
	shape->owner = shape->loader = NULL;
	shape->stores = shape->loads = NULL;
	shape->account = NULL;
	shape->explanation = NULL;
	shape->cost = shape->copied = NULL;
	shape->shapes = NULL;
	shape->shape_count = 0;
	return shape;
}

static bool build_sizes(struct builder *b)
{
	struct plan *plan = b->plan;
	unsigned count = b->given->name_count;

	plan->size_names = layout_texts_copy(b->ctx, b->given->names, count);
	plan->size_count = plan->size_names ? count : 0;
	return plan->size_names && sides_begin(&b->sides, b->given, false) &&
		sides_assume(&b->sides, b->whole, contract_step(b->given));
}

bool plan_add_strides(struct plan *plan, struct plan_operand *operand,
	layout_storage *storage, struct index *apart)
{
	struct layout_buffer out = { 0 };
	char *text;

	if (apart->op == INDEX_INT && apart->value)
		return true;
	text = layout_storage_str(storage);
	if (!text)
		return false;
	layout_buffer_printf(&out, "each stride of %s steps over all that smaller ones reach",
		text);
	layout_string_free(text);
	text = layout_buffer_take(storage->ctx, &out);
	operand->strides = (struct plan_strides){ index_copy(apart), text };
	plan->requirements[plan->requirement_count++] = text;
	return text;
}

/* What a launch checks: the contract and the strides. */
static bool build_valid(struct builder *b)
{
	struct contract *contract = &b->sides.contract;
	struct plan *plan = b->plan;
	bool ok;

	b->sides.valid = contract_valid(contract, b->given);
	plan->valid = b->sides.valid ? index_copy(b->sides.valid) : NULL;
	plan->requirements = contract->requirements;
	plan->requirement_count = contract->requirement_count;
	contract->requirements = NULL;
	ok = plan->valid != NULL;
	for (unsigned side = 0; ok && side < FACTOR_SIDES; side++)
		ok = plan_add_strides(plan, &plan->operands[side], b->sides.storage[side],
			b->sides.index[side].apart);
	return ok;
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

/* hw -> cell of the destination, of an owner of slots, or of elements, of what is planned;
 * NULL with the error on the context. */
static layout_relation *cells_of(struct builder *b, const char *owner)
{
	layout_relation *relation = layout_relation_read(b->ctx, owner);
	const char *tuple = relation ? layout_relation_tuple_name(relation, true) : NULL;

	if (tuple && !strcmp(tuple, "joined")) {
		layout_relation_free(relation);
		layout_fail(b->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "tiles join dimensions "
			"whose sizes are names: write numbers in their stead");
		return NULL;
	}
	if (tuple && !strcmp(tuple, "logical"))
		relation = layout_relation_compose(
			layout_storage_relation(b->remap->destination), relation);
	return remap_plain_cells(&b->plain, relation);
}

static bool tell_cells(struct builder *b)
{
	struct plan *plan = b->plan;

	plan->stores = cells_of(b, plan->owner);
	plan->loads = plan->loader ? cells_of(b, plan->loader) : NULL;
	return plan->stores && !plan->loads == !plan->loader;
}

/* The explanation says why lanes have no tile. */
static bool explain_none(struct builder *b, const char *why)
{
	b->plan->account = layout_alloc(b->ctx, 1, sizeof(*b->plan->account));
	if (b->plan->account)
		b->plan->account->none = why;
	return b->plan->account;
}

/* What only a tile can do is an error without one. */
static bool find_none(struct builder *b, const struct plan_target *target,
	const char *why)
{
	if (layout_context_error(b->ctx) != LAYOUT_ERROR_NONE)
		return false;
	if (!target->owner && !target->through_lds)
		return !target->lanes || explain_none(b, why);
	layout_fail(b->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "%s, since %s", target->owner ?
		"the owner: it would go unused" : "no tile can go through the LDS", why);
	return false;
}

static struct tile_request tile_request(const struct builder *b,
	const struct plan_target *target)
{
	const struct storage_index *index = b->sides.index;
	const struct remap_steps *steps = &b->steps;

	return (struct tile_request){ b->remap, steps->low ? &steps->index : &index[0],
		&index[1], steps->low ? steps->low : b->sides.low, steps->backward,
		steps->dims, steps->start, target,
		{ b->plan->visit.load.bits, b->plan->visit.store.bits } };
}

/* The map as steps, where it is no shift.  Parts of bytes stay where they are. */
static bool find_steps(struct builder *b)
{
	struct ast_scope sizes = sides_scope(&b->sides);

	return b->plan->visit.load.bits >= 8 && b->plan->visit.store.bits >= 8 &&
		b->remap->map && remap_steps_find(&b->steps, b->remap,
			&b->sides.index[0], &b->sides.index[1], &sizes,
			b->sides.contract.sizes);
}

/* How much memory a side has is all that a plan with a tile says of its slots. */
static bool find_tile(struct builder *b, const struct plan_target *target)
{
	struct plan *plan = b->plan;
	const struct storage_index *index = b->sides.index;
	struct tile_request request;
	char why[64];
	bool ok;

	if (!target->lanes) {
		snprintf(why, sizeof(why), "the %s has no lanes", target->name);
		return find_none(b, target, why);
	}
	if (!b->sides.low && !find_steps(b))
		return find_none(b, target, "the map neither shifts the elements nor takes "
			"them in steps");
	request = tile_request(b, target);
	ok = tile_build(plan, &request);
	if (ok && plan->tile) {
		plan->visit.load.elements = index_copy(index[0].elements);
		plan->visit.store.elements = index_copy(index[1].elements);
	}
	return ok;
}

/* The way in vectors, for processors without lanes. */
static bool find_block(struct builder *b, const struct plan_target *target)
{
	struct tile_request request = tile_request(b, target);

	return !target->vector_bytes || !b->sides.low ||
		plan_block_find(&b->plan->block, &request);
}

/* An element at a time; the owner as text, NULL with the error on the context. */
static char *find_points(struct builder *b, struct visit *visit, unsigned lanes, bool joined,
	bool rows)
{
	struct ast_scope sizes = sides_scope(&b->sides);
	struct visit_request request = { b->remap, &b->sides.contract, &sizes,
		&b->sides.index[0], &b->sides.index[1], lanes, joined, rows };

	return visit_build(visit, &request);
}

/* Points for sizes that tiles are not good for; NULL with the error on the context. */
static struct plan *joined_points(struct builder *b, const struct tile_request *request)
{
	const struct tile_account *account = b->plan->account;
	struct plan *points = plan_borrow(b->ctx, b->plan);
	bool rows = points_have_rows(&account->factors, request);

	if (!points)
		return NULL;
	points->owner = find_points(b, &points->visit, request->target->lanes, true, rows);
	if (points->owner && points_build_cost(points, account, request, rows))
		return points;
	plan_free(points);
	return NULL;
}

static bool add_shape(struct plan *plan, struct plan *shape)
{
	struct plan **shapes = realloc(plan->shapes, (plan->shape_count + 1) * sizeof(*shapes));

	if (!shapes)
		return false;
	shapes[plan->shape_count++] = shape;
	plan->shapes = shapes;
	return true;
}

/* Without another error. */
static bool lacks_memory(const struct builder *b)
{
	if (layout_context_error(b->ctx) == LAYOUT_ERROR_NONE)
		layout_fail(b->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	return false;
}

/* Other tiles and points, once all else of the plan is there. */
static bool find_shapes(struct builder *b, const struct plan_target *target)
{
	struct tile_request request = tile_request(b, target);
	struct plan *points = NULL;
	bool ok;

	if (!b->plan->tile)
		return true;
	if (!b->whole && points_can_be_shape(b->plan, &request)) {
		points = joined_points(b, &request);
		if (!points)
			return lacks_memory(b);
	}
	ok = tile_build_shapes(b->plan, &request, points);
	if (ok && (!points || add_shape(b->plan, points)))
		return true;
	plan_free(points);
	return lacks_memory(b);
}

static bool build_points(struct builder *b, const struct plan_target *target)
{
	b->plan->owner = find_points(b, &b->plan->visit, target->lanes, false, false);
	return b->plan->owner;
}

/* Plan a remap that moves digits as one without a map. */
static bool find_plain(struct builder *b)
{
	struct contract *contract = &b->sides.contract;
	layout_remap *remap = b->given;

	if (!remap->map || remap->map->shift ||
	    !remap_plain_find(&b->plain, remap, contract->sizes))
		return layout_context_error(b->ctx) == LAYOUT_ERROR_NONE;
	b->remap = b->plain.remap;
	return contract_add_storage(contract, remap, b->remap->source) &&
		contract_add_storage(contract, remap, b->remap->destination);
}

/* Digits that move as one have all of whole tiles, of which the destination's index may have less. */
static bool stays_inside(const struct builder *b)
{
	return b->remap == b->given || !storage_is_rounded(b->given->destination) ||
		remap_map_stays_inside(b->given, b->sides.contract.sizes);
}

/* The operands of a relayout. */
static bool begin_operands(struct builder *b)
{
	struct plan *plan = b->plan;

	plan->operands = layout_alloc(b->ctx, PLAN_OPERANDS, sizeof(*plan->operands));
	plan->operand_count = plan->operands ? PLAN_OPERANDS : 0;
	return plan->operands;
}

static void find_operands(struct plan *plan)
{
	struct plan_operand *source = &plan->operands[PLAN_SOURCE];
	struct plan_operand *destination = &plan->operands[PLAN_DESTINATION];

	source->name = source->role = "source";
	source->type = plan->conversion.from->name;
	source->read = true;
	source->elements = plan->visit.load.elements;
	source->bits = plan->visit.load.bits;
	destination->name = destination->role = "destination";
	destination->type = plan->conversion.to->name;
	destination->written = true;
	destination->elements = plan->visit.store.elements;
	destination->bits = plan->visit.store.bits;
}

static bool build(struct builder *b, const struct plan_target *target)
{
	struct plan *plan = b->plan;

	if (!begin_operands(b) || !build_sizes(b) || !find_plain(b) ||
	    !sides_place(&b->sides, b->remap) || !build_valid(b) ||
	    !contract_check(&b->sides.contract, b->remap) || !stays_inside(b))
		return false;
	plan->conversion = b->remap->conversion;
	plan->conversion.by_half = target->wave_size > 1;
	plan->visit.load.bits = plan->conversion.from->bits;
	plan->visit.store.bits = plan->conversion.to->bits;
	plan->pad_bits = b->remap->pad_bits;
	plan->scale = b->remap->scale ? layout_strdup(b->ctx, b->remap->scale) : NULL;
	if (b->remap->scale && !plan->scale)
		return false;
	if (!find_tile(b, target) || b->tries)
		return b->tries && layout_context_error(b->ctx) == LAYOUT_ERROR_NONE;
	if (!plan->tile && !build_points(b, target))
		return false;
	find_operands(plan);
	return build_texts(b) && (!target->tells_cells || tell_cells(b)) &&
		find_block(b, target) && find_shapes(b, target);
}

/* No answer is no reason not to have a kernel. */
static bool is_identity(const struct builder *b)
{
	struct layout_caught caught = { 0 }, *before;
	bool yes;

	before = layout_context_catch(b->ctx, &caught);
	yes = remap_is_identity(b->given, b->remap == b->given ? &b->sides : NULL) ==
		LAYOUT_YES;
	layout_context_catch(b->ctx, before);
	free(caught.message);
	return yes;
}

static struct builder builder_of(layout_remap *remap)
{
	return (struct builder){ .ctx = remap->ctx, .given = remap, .remap = remap,
		.plan = layout_alloc(remap->ctx, 1, sizeof(struct plan)),
		.sides = { .remap = remap } };
}

static void builder_end(struct builder *b)
{
	sides_free(&b->sides);
	remap_steps_free(&b->steps);
	remap_plain_free(&b->plain);
}

/* The plan where these names make rows of whole bytes; NULL where it has no tile, or with the error
 * on the context. */
static struct plan *plan_whole(const struct builder *b, const struct plan_target *target,
	uint64_t whole, bool tries)
{
	struct builder of = builder_of(b->given);
	bool ok;

	of.whole = whole;
	of.tries = tries;
	ok = of.plan && build(&of, target) && of.plan->tile;
	builder_end(&of);
	if (ok)
		return of.plan;
	plan_free(of.plan);
	return NULL;
}

/* The names that make them, as few as have a tile as fast as with all; 0: there is none. */
static uint64_t find_names(const struct builder *b, const struct plan_target *target)
{
	unsigned count = b->given->name_count < 64 ? b->given->name_count : 0;
	int64_t step = contract_step(b->given);
	uint64_t names = 0;
	struct plan *all, *some;

	for (unsigned i = 0; i < count; i++)
		if (factor_divisor(b->sides.names[i]) % step &&
		    contract_has_multiples(&b->sides.contract, b->given, i, step))
			names |= UINT64_C(1) << i;
	all = names ? plan_whole(b, target, names, true) : NULL;
	for (unsigned i = 0; all && names >> i; i++) {
		some = plan_whole(b, target, names & ~(UINT64_C(1) << i), true);
		if (some && plan_predicted(some) >= plan_predicted(all))
			names &= ~(UINT64_C(1) << i);
		plan_free(some);
	}
	plan_free(all);
	return all ? names : 0;
}

static struct index *names_are_whole(const struct builder *b, uint64_t names)
{
	struct index *whole = index_int(1), *step = index_int(contract_step(b->given));

	for (unsigned i = 0; names >> i; i++)
		if (names >> i & 1)
			whole = index_binary(INDEX_AND, whole, index_binary(INDEX_EQ,
				index_binary(INDEX_ZMOD, index_copy(b->sides.names[i]),
				index_copy(step)), index_int(0)));
	index_free(step);
	return whole;
}

/* Points in as many lanes as the plan has; and how much memory sides have for all sizes. */
static bool add_points(struct builder *b, struct plan *plan)
{
	struct visit_access *sides[] = { &plan->visit.load, &plan->visit.store };
	bool found;
	char *owner;

	plan->points.load.bits = plan->visit.load.bits;
	plan->points.store.bits = plan->visit.store.bits;
	owner = find_points(b, &plan->points, plan_lanes(plan), false, false);
	found = owner;
	free(owner);
	for (unsigned side = 0; found && side < FACTOR_SIDES; side++) {
		index_free(sides[side]->elements);
		sides[side]->elements = index_copy(b->sides.index[side].elements);
	}
	return found;
}

/* A plan's tile, or its points, with what comes with it: from another plan. */
static void take_own(struct plan *plan, const struct plan *from)
{
	plan->visit = from->visit;
	plan->points = from->points;
	plan->tile = from->tile;
	plan->owner = from->owner;
	plan->loader = from->loader;
	plan->stores = from->stores;
	plan->loads = from->loads;
	plan->account = from->account;
	plan->cost = from->cost;
	plan->copied = from->copied;
}

static void swap_own(struct plan *plan, struct plan *from)
{
	struct plan own = *plan;

	take_own(plan, from);
	take_own(from, &own);
}

/* A shape of another plan as one of this plan's. */
static void adopt(const struct plan *plan, struct plan *shape)
{
	struct plan own = *shape;

	*shape = *plan;
	shape->shape_count = 0;
	shape->shapes = NULL;
	shape->borrows = true;
	take_own(shape, &own);
}

/* A plan without a tile gets that which it has for sizes that make rows of whole bytes. */
static bool take_tile(struct builder *b, struct plan *from, uint64_t names)
{
	struct plan *plan = b->plan;
	bool ok = add_points(b, from);

	for (unsigned i = 0; ok && i < from->shape_count; i++)
		ok = add_points(b, from->shapes[i]);
	plan->whole = ok ? names_are_whole(b, names) : NULL;
	if (!plan->whole)
		return false;
	swap_own(plan, from);
	find_operands(plan);
	plan->shapes = from->shapes;
	plan->shape_count = from->shape_count;
	from->shapes = NULL;
	from->shape_count = 0;
	for (unsigned i = 0; i < plan->shape_count; i++)
		adopt(plan, plan->shapes[i]);
	return true;
}

/* Elements that are parts of bytes lie in tiles where rows begin and end with bytes.  That no
 * answer is found is no reason not to have a kernel. */
static void find_whole(struct builder *b, const struct plan_target *target)
{
	struct layout_caught caught = { 0 }, *before;
	struct plan *from = NULL;
	uint64_t names;

	if (b->plan->tile || !target->lanes || target->owner || contract_step(b->given) == 1)
		return;
	before = layout_context_catch(b->ctx, &caught);
	bridge_enter(b->ctx);
	names = find_names(b, target);
	from = names ? plan_whole(b, target, names, false) : NULL;
	if (from)
		take_tile(b, from, names);
	bridge_leave(b->ctx, "plan a kernel");
	plan_free(from);
	layout_context_catch(b->ctx, before);
	free(caught.message);
}

/* A copy needs none beside its tiles. */
static void drop_points(struct plan *plan)
{
	if (plan->shape_count && !plan->shapes[plan->shape_count - 1]->tile)
		plan_free(plan->shapes[--plan->shape_count]);
}

struct plan *plan_new(layout_remap *remap, const struct plan_target *target)
{
	struct builder b;
	bool ok;

	if (!remap)
		return NULL;
	b = builder_of(remap);
	if (!b.plan)
		return NULL;
	bridge_enter(b.ctx);
	ok = build(&b, target);
	ok = bridge_leave(b.ctx, "plan a kernel") && ok;
	if (ok)
		find_whole(&b, target);
	b.plan->identity = ok && is_identity(&b);
	if (b.plan->identity)
		drop_points(b.plan);
	builder_end(&b);
	if (ok)
		return b.plan;
	plan_free(b.plan);
	return NULL;
}
