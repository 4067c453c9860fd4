/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/tile/parts.h"
#include "kernel/choose/given.h"
#include "kernel/shapes.h"

#include <stdlib.h>
#include <string.h>

/* Of a tile's row, where the next tile has one of so many in common with it. */
#define LEAST_SHARES 4

static bool build_owner(struct tile_builder *b)
{
	const layout_storage *destination = b->request->remap->destination;
	struct tile_account *account = b->account;

	account->shape.choice = b->choice;
	account->sizes = layout_alloc(b->ctx, destination->rank, sizeof(char *));
	for (; account->sizes && account->rank < destination->rank; account->rank++)
		account->sizes[account->rank] = layout_strdup(b->ctx,
			destination->sizes[account->rank].text);
	b->plan->owner = tile_owner_text(b->plan, account, b->choice, b->request);
	if (!shape_is_staged(&account->shape))
		return b->plan->owner;
	b->plan->loader = tile_owner_text(b->plan, account, &account->shape.stage.moves[0],
		b->request);
	return b->plan->owner && b->plan->loader;
}

static bool build(struct tile_builder *b)
{
	b->dims = layout_alloc(b->ctx, b->factors->dim_count, sizeof(*b->dims));
	b->account->dims = b->dims;
	b->plan->tile = layout_alloc(b->ctx, 1, sizeof(*b->plan->tile));
	if (!b->dims || !b->plan->tile)
		return false;
	if (!tile_build_dims(b) || !tile_build_sides(b) || (b->stage &&
	    !stage_apply(b->ctx, b->stage, b->dims, b->plan->tile)))
		return false;
	tile_find_counts(b);
	return build_owner(b);
}

/* Without a tile, an element at a time. */
static bool build_none(struct tile_builder *b, const char *why)
{
	b->account->none = why;
	return true;
}

/* The target's LDS; NULL where it has none. */
static const layout_lds *lds_of(const struct plan_target *target)
{
	const layout_lds *lds;

	for (unsigned i = 0; (lds = layout_lds_at(i)); i++)
		if (target->name && !strcmp(layout_lds_name(lds), target->name))
			return lds;
	return NULL;
}

static bool refuse(const struct tile_builder *b, const char *what, const char *why)
{
	layout_fail(b->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "%s, since %s", what, why);
	return false;
}

/* The tile that the user wants: what cannot be done so is an error. */
static bool build_given(struct tile_builder *b, const struct choice_rules *rules, const char *why)
{
	layout_relation *owner = b->request->target->owner;
	struct choice *choice = &b->account->shape.direct;

	b->choice = choice;
	if (b->request->target->through_lds)
		why = "it says where elements are in one move, and the LDS takes two";
	if (why)
		return refuse(b, "the owner: it would go unused", why);
	return given_choose(choice, b->factors, rules, owner) && build(b);
}

/* Does a tile begin where digits do if it is a multiple of their steps, without a shift, a
 * swizzle or a carry? */
static bool is_straight(const struct tile_builder *b, unsigned dim)
{
	const struct factors *factors = b->factors;
	const struct factor_dim *of = &factors->dims[dim];

	for (unsigned i = 0; i < factors->digit_count; i++)
		if (factors->digits[i].digit.dim == dim && (factors->digits[i].carried ||
		    factor_is_mixed(factors, FACTOR_LOAD, i) ||
		    factor_is_mixed(factors, FACTOR_STORE, i)))
			return false;
	return !of->single && !of->ragged && !of->backward && index_is(of->low, 0) &&
		index_equal(of->high, of->end);
}

/* The least multiple of "count" that ends where tiles of both sides do. */
static int64_t whole_digits(const struct tile_builder *b, unsigned dim, int64_t count)
{
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		for (unsigned k = 0; k < b->factors->slot_count[side]; k++) {
			const struct digit *digit = &b->factors->slots[side][k].digit;
			int64_t end = digit->step * digit->radix;

			if (digit->dim == dim && end && __builtin_mul_overflow(
			    count / int_gcd(count, end), end, &count))
				return INT64_MAX;
		}
	return count;
}

/* Tiles that are to share sectors do where there is more of them than these. */
static void find_shared(struct tile_builder *b)
{
	const struct choice *choice = b->choice;
	int64_t shared = b->account->memory ? b->account->memory->sector * INT64_C(8) /
		choice->rules.bits[FACTOR_STORE] : 0;
	unsigned i = tile_find_weight(choice, 1), dim;

	if (!choice->rules.sharing || i == choice->count || shared < 1)
		return;
	dim = b->factors->digits[choice->pieces[i].digit].digit.dim;
	shared = whole_digits(b, dim, shared);
	if (!is_straight(b, dim) || choice_extent(choice, dim) / LEAST_SHARES < shared)
		return;
	b->shared_dim = dim;
	b->shared = shared;
}

bool tile_build_shape(struct tile_builder *b)
{
	struct tile_shape *shape = &b->account->shape;

	b->choice = shape->choice;
	if (shape_is_staged(shape)) {
		b->stage = &shape->stage;
		b->factors = b->choice->factors;
	}
	find_shared(b);
	return build(b) && tile_build_cost(b);
}

struct factor_input tile_input(const struct tile_request *request)
{
	return (struct factor_input){ request->remap, { request->source, request->destination },
		request->low, request->target->owner, request->backward, request->dims };
}

struct shape_rules tile_rules(const struct factors *factors,
	const struct tile_request *request)
{
	const struct plan_target *target = request->target;

	return (struct shape_rules){ factors, {
		{ request->bits[0], request->bits[1] }, target->max_bytes, target->wave_size,
		target->full_lanes, target->lanes, { 0 } }, lds_of(target),
		target->lds_bytes, target->through_lds,
		target->chip ? target->chip->memory : NULL };
}

static bool build_found(struct tile_builder *b, struct shape_rules *rules, const char *why)
{
	shapes_bound(rules);
	if (why || !shape_choose(&b->account->shape, rules, &why)) {
		if (rules->through_lds)
			return refuse(b, "no tile can go through the LDS", why);
		return build_none(b, why);
	}
	return tile_take_known(b, rules) && tile_try_runs(b, rules) &&
		tile_build_shape(b);
}

/* Why there are no digits; NULL where there are. */
static const char *obstacle(const layout_remap *remap, bool possible)
{
	if (!possible)
		return remap->source->twist_count || remap->destination->twist_count ?
			"a swizzle is not of digits that both sides have" :
			"there is nothing to split in digits";
	return remap->map && remap->source->twist_count ?
		"the source is swizzled and shifted" : NULL;
}

void tile_account_free(struct tile_account *account)
{
	if (!account)
		return;
	factors_free(&account->factors);
	shape_free(&account->shape);
	layout_texts_free(account->sizes, account->rank);
	free(account->dims);
	free(account);
}

bool tile_built(layout_context *ctx, bool ok)
{
	if (!ok && layout_context_error(ctx) == LAYOUT_ERROR_NONE)
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	return ok;
}

bool tile_build(struct plan *plan, const struct tile_request *request)
{
	layout_context *ctx = request->remap->ctx;
	struct factor_input input = tile_input(request);
	struct tile_account *account = layout_alloc(ctx, 1, sizeof(*account));
	struct tile_builder b = { ctx, plan, request, .account = account };
	struct shape_rules rules;
	const char *why;
	bool possible, ok;

	if (!account)
		return false;
	plan->account = account;
	b.factors = &account->factors;
	rules = tile_rules(b.factors, request);
	account->memory = rules.memory;
	ok = factors_build(&account->factors, &input, &possible);
	why = ok ? obstacle(request->remap, possible) : NULL;
	ok = ok && (request->target->owner ? build_given(&b, &rules.rules, why) :
		build_found(&b, &rules, why));
	return tile_built(ctx, ok);
}
