/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Owners against the flow of data: a tile has what its operands lead to. */
#include "program/owners_parts.h"
#include "program/bytes.h"
#include "algebra/chip.h"
#include "algebra/owner/roles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A blocked owner: as wide as "most" elements along order[0], if every lane has as many; as
 * what fills bytes in any case. */
static struct owner *blocked(struct program_owners *o, const layout_tile *tile,
	const unsigned *order, int64_t most)
{
	unsigned waves = (unsigned)program_tile_waves(tile);
	int64_t lanes = (int64_t)o->wave_size * waves;
	int64_t elements = program_elements(tile);
	int64_t vector = program_byte_elements(tile->type);

	while (tile->rank && 2 * vector <= most && elements / (2 * vector) >= lanes &&
	       tile->box[order[0]] % (2 * vector) == 0)
		vector *= 2;
	return owner_blocked(o->ctx, tile->box, tile->rank, order, (unsigned)vector,
		o->wave_size, waves);
}

/* The last dimension fastest. */
struct owner *owners_blocked(struct program_owners *o, const layout_tile *tile)
{
	unsigned order[PROGRAM_RANK];

	for (unsigned d = 0; d < tile->rank; d++)
		order[d] = tile->rank - 1 - d;
	return blocked(o, tile, order, o->max_bytes * 8 / tile->type->bits);
}

/* The dimensions of a tile that move along a memory's, the last first, if they are new. */
static unsigned add_dims(const layout_tile *tile, const layout_memory *memory, unsigned dim,
	unsigned *order, unsigned count)
{
	const struct program_sight *sight = memory->sight;

	for (unsigned d = tile->rank; d-- > 0;) {
		bool known = sight ? !sight->weights[dim][d] : d != dim;

		for (unsigned i = 0; i < count; i++)
			known = known || order[i] == d;
		if (!known)
			order[count++] = d;
	}
	return count;
}

/* Dimensions as they lie in memory, the innermost first, and what is contiguous there. */
struct owner *owners_blocked_for(struct program_owners *o, const layout_tile *tile,
	const layout_memory *memory)
{
	const struct storage_access *access =
		&o->memories[program_memory_number(o->program, memory)];
	unsigned order[PROGRAM_RANK], count = 0;
	int64_t most = o->max_bytes * 8 / tile->type->bits;
	const struct digit *last = access->slot_count ?
		&access->digits[access->slot_count - 1] : NULL;

	for (unsigned k = access->slot_count; k-- > 0;)
		if (access->digits[k].dim < access->rank)
			count = add_dims(tile, memory, access->digits[k].dim, order, count);
	for (unsigned d = tile->rank; d-- > 0;) {
		unsigned i = 0;

		while (i < count && order[i] != d)
			i++;
		if (i == count)
			order[count++] = d;
	}
	while (last && last->radix && most > 1 && last->radix % most)
		most /= 2;
	return blocked(o, tile, order, most);
}

bool owners_any(const layout_tile *tile)
{
	return tile->op == TILE_FILL || tile->op == TILE_INDEX;
}

struct owner *owners_copy(struct program_owners *o, const struct owner *owner)
{
	return owner ? owner_copy(o->ctx, owner) : NULL;
}

bool owners_written(const struct program_owners *o, const layout_tile *tile)
{
	const layout_tile *given = tile->number < o->given->tile_count ?
		o->given->tiles[tile->number] : NULL;

	return given && (given->owner || given->like);
}

/* What is left of the operand's, made blocked if it cannot be reduced as it is. */
static struct owner *find_reduced(struct program_owners *o, const layout_tile *tile)
{
	const layout_tile *operand = tile->operands[0];
	const struct owner *found = owners_found(o, operand);
	struct owner *owner = found ? owners_copy(o, found) : owners_blocked(o, operand);

	struct owner whole = owner ? *owner : (struct owner){ .rank = 0 };

	if (owner && !program_reduced_owner(owner, tile->dims, tile->dim_count,
		tile->keep)) {
		owner_free(owner);
		owner = owners_blocked(o, operand);
		if (!owner)
			return NULL;
		whole = *owner;
		program_reduced_owner(owner, tile->dims, tile->dim_count, tile->keep);
	}
	if (owner)
		owners_spread(o, tile, &whole, owner);
	return owner;
}

bool owners_change_view(struct owner *owner, const layout_tile *view)
{
	unsigned d = view->dims[0];

	switch (view->view) {
	case VIEW_PERMUTE:
		return owner_permute(owner, view->dims);
	case VIEW_EXPAND:
		return owner_expand(owner, d, view->box + d,
			view->rank - view->operands[0]->rank + 1);
	case VIEW_COLLAPSE:
		return owner_collapse(owner, d, view->dim_count);
	case VIEW_PROJECT:
		for (unsigned i = owner->rank; i-- > 0;)
			for (unsigned k = 0; k < view->dim_count; k++)
				if (view->dims[k] == i)
					owner_project(owner, i);
		return true;
	default:
		return false;
	}
}

/* Of elements that are all seen once: where the operand holds what each is.  NULL where
 * there are others, or no digits say so. */
static struct owner *find_seen(struct program_owners *o, const layout_tile *tile,
	const struct owner *operand)
{
	size_t count = (size_t)program_elements(tile);
	uint32_t *back = count == (size_t)program_elements(tile->operands[0]) ?
		layout_alloc(o->ctx, count, sizeof(*back)) : NULL;
	struct owner *owner = NULL;
	size_t seen = 0;

	for (size_t n = 0; back && n < count; n++)
		seen += !back[tile->elements[n]] && (back[tile->elements[n]] =
			(uint32_t)n + 1);
	for (size_t n = 0; back && n < count; n++)
		back[n]--;
	if (back && seen == count)
		owner = owner_through(o->ctx, operand, back, tile->box, tile->rank);
	free(back);
	return owner;
}

/* Of a broadcast, the owner of the result comes from itself. */
static struct owner *find_view(struct program_owners *o, const layout_tile *tile)
{
	const struct owner *found = owners_found(o, tile->operands[0]);
	struct owner *owner;

	if (!found || tile->view == VIEW_BROADCAST)
		return NULL;
	if (tile->elements)
		return find_seen(o, tile, found);
	owner = owners_copy(o, found);
	if (owner && owners_change_view(owner, tile))
		return owner;
	owner_free(owner);
	return NULL;
}

/* That of the sum, unless a matrix instruction has another one; where the sum has none, what
 * the factors lead to. */
static struct owner *find_contract(struct program_owners *o, layout_tile *tile)
{
	const struct owner *sum = owners_found(o, tile->operands[0]);
	const struct product *product = owners_product(o, tile, sum, false);

	if (product)
		return product_owner(product, PRODUCT_SUM);
	if (layout_context_error(o->ctx) != LAYOUT_ERROR_NONE)
		return NULL;
	return sum ? owners_copy(o, sum) : owners_join_contract(o, tile,
		owners_blocked(o, tile));
}

/* Does an owner number subgroups, which larger waves are not fewer of? */
static bool has_subgroups(layout_relation *owner)
{
	struct owner_inputs inputs;
	bool has = false;

	if (!owner || !owner_inputs_read(&inputs, owner))
		return false;
	for (unsigned i = 0; i < inputs.count; i++)
		has = has || (inputs.roles[i] == ROLE_SUBGROUP && inputs.extents[i] > 1);
	return has;
}

/* Say that the waves have too few lanes, and which would have enough. */
static void refuse_lanes(const struct program_owners *o, const layout_tile *tile,
	int64_t lanes)
{
	unsigned waves = (unsigned)program_tile_waves(tile);
	const struct chip *chip = NULL;

	for (unsigned i = 0; !has_subgroups(o->given->tiles[tile->number]->owner) &&
	     (chip = chip_at(i)); i++)
		if (!strcmp(chip->target.processor, o->chip->target.processor) &&
		    chip->target.wave_size * waves >= lanes)
			break;
	layout_fail(o->ctx, LAYOUT_ERROR_INVALID, tile->position,
		"the owner of `%s` needs %" PRId64 " lanes, has %u%s%s%s", tile->name, lanes,
		o->wave_size * waves, chip ? "; " : "", chip ? chip->target.name : "",
		chip ? " has enough" : "");
}

/* An owner, which it takes, unless waves are missing. */
static struct owner *with_waves(const struct program_owners *o, const layout_tile *tile,
	struct owner *owner)
{
	if (!owner || owner->extent[OWNER_SUBGROUP] <= program_tile_waves(tile))
		return owner;
	refuse_lanes(o, tile, owner->extent[OWNER_SUBGROUP] * o->wave_size);
	owner_free(owner);
	return NULL;
}

static struct owner *find_written(struct program_owners *o, const layout_tile *tile)
{
	return with_waves(o, tile, owner_of_relation(o->ctx,
		o->given->tiles[tile->number]->owner, tile->box, tile->rank, o->wave_size));
}

/* Of a tile whose elements are made where they are asked for, there is no owner yet. */
static struct owner *find_like(struct program_owners *o, const layout_tile *tile,
	const layout_tile *like)
{
	const struct owner *found = owners_found(o, o->program->tiles[like->number]);

	if (found || layout_context_error(o->ctx) != LAYOUT_ERROR_NONE)
		return with_waves(o, tile, owners_copy(o, found));
	return owners_blocked(o, tile);
}

static struct owner *find_new(struct program_owners *o, const layout_tile *tile)
{
	const layout_tile *given = o->given->tiles[tile->number];

	if (given->owner)
		return find_written(o, tile);
	if (given->like)
		return find_like(o, tile, given->like);
	switch (tile->op) {
	case TILE_LOAD:
		return owners_blocked_for(o, tile, tile->memory);
	case TILE_MAP:
		return owners_join_map(o, o->program->tiles[tile->number]);
	case TILE_REDUCE:
		return find_reduced(o, tile);
	case TILE_VIEW:
		return find_view(o, tile);
	case TILE_CONTRACT:
		return find_contract(o, o->program->tiles[tile->number]);
	case TILE_CONVERT:
	case TILE_RESULT:
		return owners_copy(o, owners_found(o, tile->operands[0]));
	case TILE_CARRY: {
		const struct owner *first = owners_found(o, tile->operands[0]);

		return owners_copy(o, first ? first : owners_found(o, tile->yield));
	}
	default:
		return NULL;
	}
}

const struct owner *owners_found(struct program_owners *o, const layout_tile *tile)
{
	unsigned n = tile->number;

	if (!o->owners[n] && !o->visiting[n]) {
		o->visiting[n] = true;
		o->owners[n] = find_new(o, tile);
		o->visiting[n] = false;
	}
	return o->owners[n];
}
