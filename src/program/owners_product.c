/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions by matrix instructions: which factor comes first, and in which order the
 * summed elements, is what takes fewest accesses. */
#include "program/owners.h"
#include "program/owners_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS_BACK = 6, LOADS_TO_STORES = 4, WIDEST_ACCESS = 128 };

/* What a factor costs under an owner: the accesses of its load, or a conversion. */
static unsigned factor_cost(struct program_owners *o, const layout_tile *tile,
	const struct owner *owner)
{
	const layout_tile *of = tile->op == TILE_VIEW ? tile->operands[0] : tile;
	const struct owner *found;
	unsigned cost;

	if (owners_may_load(o, tile))
		return owners_accesses(o, tile, tile->memory, owner);
	if (owners_is_got(o, tile) && !owners_written(o, tile)) {
		struct owner *got = owners_of_got(o, tile, owner);

		cost = got ? owners_accesses(o, of, of->memory, got) : UINT32_MAX;
		owner_free(got);
		return cost;
	}
	found = owners_found(o, tile);
	return found && owner_equal(found, owner) ? 0 :
		2 * (unsigned)owner->extent[OWNER_REGISTER];
}

/* Is "tile" what elementwise statements make of "from", in its box? */
static bool comes_from(const layout_tile *tile, const layout_tile *from, unsigned depth)
{
	bool carried = tile->op == TILE_CARRY && tile->yield;

	if (tile == from)
		return true;
	if (!depth || tile->rank != from->rank ||
	    memcmp(tile->box, from->box, sizeof(*tile->box) * tile->rank))
		return false;
	if (carried)
		return comes_from(tile->yield, from, depth - 1);
	if (tile->op != TILE_MAP && tile->op != TILE_CONVERT && tile->op != TILE_RESULT)
		return false;
	for (unsigned i = 0; i < tile->operand_count; i++)
		if (comes_from(tile->operands[i], from, depth - 1))
			return true;
	return false;
}

static unsigned store_cost(struct program_owners *o, const struct program_body *body,
	const layout_tile *contract, const struct owner *owner)
{
	unsigned cost = 0;

	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *statement = &body->statements[i];

		if (statement->kind == STATEMENT_STORE &&
		    comes_from(statement->tile, contract, MOST_STEPS_BACK))
			cost += owners_accesses(o, statement->tile, statement->memory, owner);
		cost += store_cost(o, &statement->body, contract, owner);
	}
	return cost;
}

/* Is it how some product of a contraction has its factor "which"? */
static bool is_factor(struct program_owners *o, const layout_tile *contract, unsigned which,
	const struct owner *owner)
{
	bool is = false;

	for (unsigned swapped = 0; !is && swapped < 2; swapped++) {
		struct product *product = product_find(o->ctx, o->chip, contract, swapped);
		struct owner *factor = product && product_spread(product) ?
			product_owner(product, which) : NULL;

		is = factor && owner_equal(factor, owner);
		owner_free(factor);
		product_free(product);
	}
	return is;
}

/* What it takes to make the sum a factor of other contractions: nothing where these have it
 * as it is. */
static unsigned chain_cost(struct program_owners *o, const layout_tile *contract,
	const struct owner *owner)
{
	unsigned cost = 0;

	for (unsigned i = 0; i < o->given->tile_count; i++) {
		const layout_tile *next = o->program->tiles[i];

		if (next->op != TILE_CONTRACT || next == contract ||
		    product_is_declined(next))
			continue;
		for (unsigned k = 0; k < 2; k++)
			if (comes_from(next->operands[k + 1], contract, MOST_STEPS_BACK) &&
			    !is_factor(o, next, k, owner))
				cost += 2 * (unsigned)owner->extent[OWNER_REGISTER];
	}
	return cost;
}

/* UINT32_MAX with an error on the context. */
static unsigned load_cost(struct program_owners *o, const struct product *product)
{
	unsigned cost = 0;

	for (unsigned i = 1; i < product->contract->operand_count && cost < UINT32_MAX; i++) {
		struct owner *owner = product_owner(product, product_operand(i));

		cost = owner ? cost + factor_cost(o, product->contract->operands[i], owner) :
			UINT32_MAX;
		owner_free(owner);
	}
	return cost;
}

/* Choose the order of the summed elements, where scales do not say it. */
static unsigned order_steps(struct program_owners *o, struct product *product)
{
	unsigned plain = load_cost(o, product), gathered = UINT32_MAX;

	if (plain == UINT32_MAX || program_has_scales(product->contract))
		return plain;
	product_gather_steps(product, WIDEST_ACCESS);
	gathered = load_cost(o, product);
	if (gathered < plain)
		return gathered;
	product_order_steps(product);
	return plain;
}

static unsigned cost_of(struct program_owners *o, struct product *product)
{
	struct owner *sum = product_owner(product, PRODUCT_SUM);
	unsigned cost = sum ? order_steps(o, product) : UINT32_MAX;

	if (cost < UINT32_MAX)
		cost = LOADS_TO_STORES * (cost + chain_cost(o, product->contract, sum)) +
			store_cost(o, &o->program->body, product->contract, sum);
	owner_free(sum);
	return cost;
}

/* The cheaper way round that has groups: those of "sum", if that is not NULL. */
static struct product *choose(struct program_owners *o, const layout_tile *contract,
	const struct owner *sum)
{
	struct product *best = NULL;
	unsigned least = UINT32_MAX;

	for (unsigned swapped = 0; swapped < 2; swapped++) {
		struct product *product = product_find(o->ctx, o->chip, contract, swapped);
		unsigned cost = product && (sum ? product_read(product, sum) :
			product_spread(product)) ? cost_of(o, product) : UINT32_MAX;

		if (cost < least) {
			product_free(best);
			best = product;
			least = cost;
		} else {
			product_free(product);
		}
	}
	return best;
}

/* Is the owner of what the carry begins with, or of the sum itself, written? */
static bool is_told(const struct program_owners *o, const layout_tile *sum)
{
	while (!owners_written(o, sum) && (sum->op == TILE_CARRY || sum->op == TILE_RESULT))
		sum = sum->operands[0];
	return owners_written(o, sum);
}

struct product *owners_product(struct program_owners *o, layout_tile *contract,
	const struct owner *sum, bool only)
{
	struct product **product = &o->products[contract->number];

	if (*product || product_is_declined(contract))
		return *product;
	*product = sum ? choose(o, contract, sum) : NULL;
	if (!*product && !owners_failed(o) && !only && (contract->by || !sum ||
	    !is_told(o, contract->operands[0])))
		*product = choose(o, contract, NULL);
	if (!*product && contract->by && !owners_failed(o))
		product_refuse(o->ctx, o->chip, contract);
	if (!*product && contract->by && !owners_failed(o))
		layout_fail(o->ctx, LAYOUT_ERROR_UNSUPPORTED, contract->position,
			"the owner of `%s` is none of %s", contract->name, contract->by);
	if (!*product)
		return NULL;
	contract->swapped = (*product)->swapped;
	if (!contract->by)
		contract->by = layout_strdup(o->ctx, (*product)->row->name);
	return contract->by ? *product : NULL;
}
