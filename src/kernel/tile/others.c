/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Other shapes than the first: where only a launch tells the sizes, a plan has them all; where all
 * are known, the best of those for rows that begin inside of vectors is its only one. */
#include "kernel/tile/parts.h"
#include "kernel/points.h"
#include "kernel/shapes.h"

#include <math.h>
#include <stdlib.h>

/* A shape is taken for one that is thought of before where it is so many times as fast. */
#define CLEARLY_FASTER 1.1

/* Names are so many where shapes for rows that begin anywhere are compared: an odd number. */
#define SOME_SIZE 1001

/* A plan for another tile. */
static struct plan *borrow(layout_context *ctx, const struct plan *plan)
{
	struct plan *shape = plan_borrow(ctx, plan);

	if (!shape)
		return NULL;
	shape->visit.load.elements = index_copy(plan->visit.load.elements);
	shape->visit.store.elements = index_copy(plan->visit.store.elements);
	shape->account = layout_alloc(ctx, 1, sizeof(*shape->account));
	return shape;
}

/* The tile by these rules of a plan that borrows the rest. */
static bool fill_shape(struct plan *shape, const struct tile_request *request,
	const struct shape_rules *rules)
{
	struct tile_builder b = { request->remap->ctx, shape, request,
		.factors = rules->factors, .account = shape->account };
	const char *why;

	if (!b.account)
		return false;
	*b.account = (struct tile_account){ .memory = rules->memory, .rules = *rules };
	return shape_choose(&b.account->shape, rules, &why) && tile_build_shape(&b);
}

static bool add_shape(struct plan *plan, const struct tile_request *request,
	const struct shape_rules *rules)
{
	struct plan *shape = borrow(request->remap->ctx, plan);

	if (shape)
		plan->shapes[plan->shape_count++] = shape;
	return shape && fill_shape(shape, request, rules);
}

/* Is a tile worth it?  False in "ok" where memory ran out. */
static bool is_possible(layout_context *ctx, const struct shape_rules *rules, bool *ok)
{
	struct tile_shape *shape = layout_alloc(ctx, 1, sizeof(*shape));
	const char *why;
	bool possible;

	*ok = shape;
	possible = shape && shape_choose(shape, rules, &why);
	if (shape)
		shape_free(shape);
	free(shape);
	return possible;
}

/* Of the wider side's elements. */
static unsigned element_bytes(const struct tile_request *request)
{
	unsigned bits = request->bits[0] > request->bits[1] ? request->bits[0] :
		request->bits[1];

	return bits < 8 ? 1 : bits / 8;
}

/* Shapes whose accesses are narrower, which short rows have as well.  Where the first shape's vectors
 * are shifted, of 8 bytes; else of words and of elements, which are aligned whatever the sizes are. */
static bool add_narrow(struct plan *plan, const struct tile_request *request,
	struct shape_rules rules, bool shifted)
{
	unsigned element = element_bytes(request), least = shifted ? 2 * TILE_WORD : TILE_WORD;
	unsigned bytes = element > least ? element : least;
	bool ok = true;

	shapes_keep_short(&rules);
	for (; ok && bytes; bytes = bytes > element && !shifted ? element : 0) {
		rules.rules.max_bytes = bytes;
		if (bytes < request->target->max_bytes &&
		    is_possible(request->remap->ctx, &rules, &ok))
			ok = add_shape(plan, request, &rules);
	}
	return ok;
}

/* No more of a row than a wave accesses at once. */
static void keep_rows(struct shape_rules *rules)
{
	const struct factors *factors = rules->factors;
	int64_t most = rules->rules.wave_size * INT64_C(8) * rules->rules.max_bytes /
		rules->rules.bits[FACTOR_STORE];

	for (unsigned i = 0; i < factors->digit_count; i++) {
		const struct index *weight = factors->digits[i].weight[FACTOR_STORE];
		unsigned dim = factors->digits[i].digit.dim;

		if (dim < CHOICE_DIMS && index_is(weight, 1) &&
		    (!rules->rules.caps[dim] || rules->rules.caps[dim] > most))
			rules->rules.caps[dim] = most;
	}
}

/* A shape whose tiles share sectors, where rows of the destination may begin inside of these and
 * lanes can shift them: such as follow each other in a row, which the way through the LDS has. */
static bool add_sharing(struct plan *plan, const struct tile_request *request,
	struct shape_rules rules)
{
	struct tile_align align;
	struct plan *shape;
	bool ok;

	keep_rows(&rules);
	rules.rules.sharing = true;
	rules.through_lds = true;
	if (!rules.memory || !is_possible(request->remap->ctx, &rules, &ok))
		return !rules.memory || ok;
	if (!add_shape(plan, request, &rules))
		return false;
	shape = plan->shapes[plan->shape_count - 1];
	align = tile_align_of(shape, request->target->chip, request->target->wave_size);
	if (!tile_can_share(&align) || tile_fills_sectors(&align, rules.memory->sector * 8 /
	    request->bits[FACTOR_STORE]))
		plan_free(plan->shapes[--plan->shape_count]);
	return true;
}

/* Those for rows that begin inside the first shape's vectors, if there are such rows. */
static bool add_unaligned(struct plan *plan, const struct plan *first,
	const struct tile_request *request, const struct shape_rules *rules)
{
	struct tile_align align = tile_align_of(first, request->target->chip,
		request->target->wave_size);

	return add_sharing(plan, request, *rules) && (tile_always_aligned(&align) ||
		add_narrow(plan, request, *rules, tile_is_shifted(&align)));
}

/* Are all sizes known, those of dimensions and all others, and what memory costs? */
static bool is_known(const struct tile_builder *b, const struct shape_rules *rules)
{
	return !b->plan->size_count && !shapes_are_open(rules->factors) && rules->memory;
}

/* The best rate of a copy that one of these shapes is predicted, where names are some size. */
static double rate_of(layout_context *ctx, const struct plan *plan, unsigned begin, unsigned end)
{
	int64_t *sizes = layout_alloc(ctx, plan->size_count + 1, sizeof(*sizes));
	double best = 0;

	for (unsigned i = 0; sizes && i < plan->size_count; i++)
		sizes[i] = SOME_SIZE;
	for (unsigned i = begin; sizes && i < end; i++)
		best = fmax(best, plan_predicted_at(plan->shapes[i], sizes));
	free(sizes);
	return best;
}

/* Those from "begin" to "end". */
static void drop_shapes(struct plan *plan, unsigned begin, unsigned end)
{
	for (unsigned i = begin; i < end; i++)
		plan_free(plan->shapes[i]);
	for (; end < plan->shape_count; end++)
		plan->shapes[begin++] = plan->shapes[end];
	plan->shape_count = begin;
}

static void free_shapes(struct plan *plan)
{
	drop_shapes(plan, 0, plan->shape_count);
	free(plan->shapes);
	plan->shapes = NULL;
}

/* Shapes by these rules, and for rows that begin inside of vectors. */
static bool add_both(struct plan *plan, const struct tile_request *request,
	const struct shape_rules *rules)
{
	unsigned first = plan->shape_count;
	bool ok;

	if (!is_possible(request->remap->ctx, rules, &ok))
		return ok;
	return add_shape(plan, request, rules) && (!tile_must_align(request) ||
		add_unaligned(plan, plan->shapes[first], request, rules));
}

double tile_time(const struct tile_builder *b, const struct tile_shape *shape,
	const struct shape_rules *rules)
{
	struct plan *holder;
	struct shape_time time;
	double rate = 0;

	if (!is_known(b, rules) && !tile_must_align(b->request))
		return shape_predict(shape, rules->memory, &time) ?
			shape_takes(time.memory, time.issue, rules->memory) : INFINITY;
	holder = borrow(b->ctx, b->plan);
	if (holder)
		holder->shapes = layout_alloc(b->ctx, 1 + SHAPES_UNALIGNED, sizeof(struct plan *));
	if (holder && holder->shapes && add_both(holder, b->request, rules))
		rate = rate_of(b->ctx, holder, 0, holder->shape_count);
	if (holder)
		free_shapes(holder);
	plan_free(holder);
	return rate > 0 ? 1 / rate : INFINITY;
}

/* The shapes at these sizes: the first one and those of the best extents, each also with tiles that
 * copy much twice where these divide what is long. */
static bool add_all_known(struct plan *plan, const struct tile_request *request,
	const struct shape_rules *rules, const struct shape_rules *others, int count)
{
	plan->shapes = layout_alloc(request->remap->ctx, (size_t)(count + 1) * 2 * (1 +
		SHAPES_UNALIGNED), sizeof(struct plan *));
	for (int i = 0; plan->shapes && i <= count; i++) {
		struct shape_rules even = i ? others[i - 1] : *rules, uneven = even;

		uneven.rules.uneven = true;
		if (!add_both(plan, request, &even) || !add_both(plan, request, &uneven))
			return false;
	}
	return plan->shapes;
}

/* Of the shapes at known sizes. */
static const struct plan *fastest(const struct plan *plan)
{
	const struct plan *best = plan->shapes[0];

	for (unsigned i = 1; i < plan->shape_count; i++)
		if (plan_predicted_at(plan->shapes[i], NULL) >
		    CLEARLY_FASTER * plan_predicted_at(best, NULL))
			best = plan->shapes[i];
	return best;
}

bool tile_take_known(struct tile_builder *b, struct shape_rules *rules)
{
	struct tile_shape *shape = &b->account->shape;
	struct shape_rules others[SHAPES_EXTENTS - 1], best = *rules;
	const char *why;
	bool ok = true;
	int count;

	if (rules->through_lds || shapes_are_open(rules->factors))
		return true;
	count = shapes_find(b->ctx, rules, shape, NULL, others);
	if (count < 0)
		return false;
	if (count)
		best = others[0];
	if (is_known(b, rules)) {
		ok = add_all_known(b->plan, b->request, rules, others, count);
		if (ok)
			best = fastest(b->plan)->account->rules;
		free_shapes(b->plan);
	}
	shape_free(shape);
	*shape = (struct tile_shape){ 0 };
	*rules = best;
	return ok && shape_choose(shape, rules, &why);
}

/* Those for rows that begin inside of vectors; of tiles that copy much twice of lengths that are
 * known, where that is faster. */
static bool add_best_unaligned(struct plan *plan, const struct tile_request *request,
	const struct shape_rules *rules)
{
	layout_context *ctx = request->remap->ctx;
	unsigned first = plan->shape_count, second;
	struct shape_rules uneven = *rules;

	if (!add_unaligned(plan, plan, request, rules))
		return false;
	if (!shape_has_known_length(rules->factors))
		return true;
	second = plan->shape_count;
	uneven.rules.uneven = true;
	if (!add_unaligned(plan, plan, request, &uneven))
		return false;
	if (rate_of(ctx, plan, first, second) * CLEARLY_FASTER <
	    rate_of(ctx, plan, second, plan->shape_count))
		drop_shapes(plan, first, second);
	else
		drop_shapes(plan, second, plan->shape_count);
	return true;
}

/* Shapes for short rows that begin anywhere, by elements. */
static bool add_short(struct plan *plan, const struct tile_request *request,
	const struct shape_rules *rules, const struct index *points)
{
	layout_context *ctx = request->remap->ctx;
	struct tile_align align = tile_align_of(plan, request->target->chip,
		request->target->wave_size);
	struct shape_rules first = *rules, shortest, others[SHAPES_SHORT];
	struct tile_shape *shape;
	const char *why;
	int count = 0;

	if (tile_always_aligned(&align))
		return true;
	shape = layout_alloc(ctx, 1, sizeof(*shape));
	if (!shape)
		return false;
	first.rules.max_bytes = element_bytes(request);
	first.short_rows = true;
	shortest = first;
	shapes_keep_short(&first);
	if (shape_choose(shape, &first, &why))
		count = shapes_find_short(ctx, &shortest, shape, points, others);
	shape_free(shape);
	free(shape);
	for (int i = 0; i < count; i++)
		if (!add_shape(plan, request, &others[i]))
			return false;
	return count >= 0;
}

/* Shapes of other extents, then those for rows that begin inside of vectors. */
static bool add_open(struct plan *plan, const struct tile_request *request,
	const struct shape_rules *rules, const struct index *points)
{
	layout_context *ctx = request->remap->ctx;
	struct shape_rules others[SHAPES_EXTENTS - 1];
	bool open = shapes_are_open(rules->factors);
	int count = open ? shapes_find(ctx, rules, &plan->account->shape, points, others) : 0;

	if (count < 0)
		return false;
	plan->shapes = layout_alloc(ctx, (size_t)count + 2 * SHAPES_UNALIGNED + SHAPES_SHORT,
		sizeof(struct plan *));
	for (int i = 0; plan->shapes && i < count; i++)
		if (!add_shape(plan, request, &others[i]))
			return false;
	return plan->shapes && (!tile_must_align(request) || (add_best_unaligned(plan, request,
		rules) && (!open || add_short(plan, request, rules, points))));
}

bool tile_build_shapes(struct plan *plan, const struct tile_request *request,
	const struct plan *points)
{
	struct shape_rules rules = tile_rules(&plan->account->factors, request);
	struct index *cost = NULL;
	bool ok;

	if (request->target->owner || rules.through_lds || (!shapes_are_open(rules.factors) &&
	    (!plan->size_count || !tile_must_align(request))))
		return true;
	shapes_bound(&rules);
	if (points)
		cost = points_cost_by_lengths(points, rules.factors, request);
	ok = (cost || !points) && add_open(plan, request, &rules, cost);
	index_free(cost);
	return tile_built(request->remap->ctx, ok);
}
