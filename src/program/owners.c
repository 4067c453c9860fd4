/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Owners are found against the flow of data as far as they are asked for, then with it:
 * what a tile has is what its operands lead to, and where these disagree there is a
 * conversion. */
#include "program/owners_parts.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>

unsigned program_memory_number(const layout_program *program, const layout_memory *memory)
{
	unsigned i = 0;

	if (memory->local) {
		while (program->locals[i] != memory)
			i++;
		return program->memory_count + i;
	}
	while (program->memories[i] != memory)
		i++;
	return i;
}

/* Digits that terms of these dimensions have. */
static uint64_t digits_of(const struct owner *owner, uint64_t dims)
{
	uint64_t digits = 0;

	for (unsigned i = 0; i < owner->term_count; i++)
		if (dims >> owner->terms[i].dim & 1)
			digits |= owner->terms[i].digits;
	return digits;
}

bool program_reduced_owner(struct owner *owner, const unsigned *dims, unsigned count,
	bool keep)
{
	uint64_t reduced = 0, digits;
	int64_t points = 1, elements = 1;

	for (unsigned i = 0; i < count; i++) {
		reduced |= (uint64_t)1 << dims[i];
		elements *= owner->box[dims[i]];
	}
	digits = digits_of(owner, reduced);
	if (digits & digits_of(owner, ~reduced))
		return false;
	for (; digits; digits &= digits - 1)
		points *= owner->digits[__builtin_ctzll(digits)].radix;
	for (unsigned d = owner->rank; d-- > 0;)
		if (reduced >> d & 1) {
			owner_project(owner, d);
			if (keep)
				owner_insert(owner, d);
		}
	owner_drop_registers(owner, NULL);
	return points == elements;
}

void program_broadcast_owner(struct owner *owner, const int64_t *box, unsigned rank)
{
	while (owner->rank > rank)
		owner_project(owner, 0);
	for (unsigned d = 0; d < rank; d++)
		if (box[d] == 1 && owner->box[d] != 1) {
			owner_project(owner, d);
			owner_insert(owner, d);
		}
	owner_drop_registers(owner, NULL);
}

/* Letters come in their order: those of the sum are permuted to it. */
bool program_letters_owner(struct owner *owner, const layout_tile *contract)
{
	struct owner letters = *owner;
	bool ok = contract->letter_count <= OWNER_RANK;

	letters.rank = contract->letter_count;
	for (unsigned n = 0; ok && n < letters.rank; n++) {
		letters.box[n] = contract->letters[n];
		letters.base[n] = 0;
	}
	for (unsigned d = 0; ok && d < owner->rank; d++)
		letters.base[contract->maps[2][d]] = owner->base[d];
	for (unsigned i = 0; ok && i < owner->term_count; i++)
		letters.terms[i].dim = contract->maps[2][owner->terms[i].dim];
	for (unsigned n = 0; ok && n < letters.rank; n++) {
		bool summed = true;

		for (unsigned d = 0; d < owner->rank; d++)
			summed = summed && contract->maps[2][d] != n;
		if (summed && letters.box[n] > 1)
			ok = owner_add_term(&letters, n,
				(uint64_t)1 << letters.digit_count, 1) &&
				owner_add_digit(&letters, OWNER_REGISTER, letters.box[n]);
	}
	*owner = letters;
	return ok;
}

bool program_scale_owner(struct owner *letters, const layout_tile *contract)
{
	const int64_t extents[] = { contract->letters[contract->scaled] / PROGRAM_SCALED,
		PROGRAM_SCALED };

	if (!owner_expand(letters, contract->scaled, extents, 2))
		return false;
	owner_project(letters, contract->scaled + 1);
	return true;
}

bool program_operand_owner(struct owner *letters, const layout_tile *contract,
	unsigned operand)
{
	const layout_tile *tile = contract->operands[operand];
	const unsigned *map = program_letters_of(contract, operand);
	unsigned order[OWNER_RANK], kept = 0;
	int at[OWNER_RANK];

	if (operand > 2 && !program_scale_owner(letters, contract))
		return false;
	for (unsigned n = 0; n < contract->letter_count; n++) {
		at[n] = -1;
		for (unsigned d = 0; d < tile->rank; d++)
			if (map[d] == n)
				at[n] = (int)d;
	}
	for (unsigned n = 0; n < contract->letter_count; n++)
		if (at[n] >= 0)
			order[at[n]] = kept++;
	for (unsigned n = contract->letter_count; n-- > 0;)
		if (at[n] < 0)
			owner_project(letters, n);
	owner_permute(letters, order);
	owner_drop_registers(letters, NULL);
	return true;
}

/* As far as lanes that come together have halves of the registers to keep. */
static void spread(const layout_tile *tile, const struct owner *operand,
	struct owner *left)
{
	uint64_t reduced = 0;

	for (unsigned i = 0; i < tile->dim_count; i++)
		reduced |= (uint64_t)1 << tile->dims[i];
	reduced = digits_of(operand, reduced);
	for (unsigned i = 0; i < operand->digit_count; i++) {
		const struct owner_digit *digit = &operand->digits[i];

		if (digit->part != OWNER_LANE || !(reduced >> i & 1) ||
		    !int_is_power2(digit->place) || !int_is_power2(digit->radix))
			continue;
		for (int64_t step = 1; step < digit->radix; step *= 2) {
			struct owner half = *left;

			if (!owner_spread(&half, step * digit->place))
				return;
			*left = half;
		}
	}
}

void owners_spread(struct program_owners *o, const layout_tile *tile,
	const struct owner *operand, struct owner *left)
{
	bool written = owners_written(o, tile);
	const struct owner *wanted = written ? owners_found(o, tile) : NULL;
	struct owner spreading = *left;

	if (tile->reduce >= REDUCE_ARGMIN || (written ? !wanted :
	    o->stores[tile->number] != o->uses[tile->number]))
		return;
	spread(tile, operand, &spreading);
	if (!written || owner_equal(wanted, &spreading))
		*left = spreading;
}

static void count_gathers(struct program_owners *o, const struct program_place *place)
{
	for (unsigned d = 0; d < place->rank; d++)
		if (place->gather[d])
			o->uses[place->gather[d]->number]++;
}

static void count_stores(struct program_owners *o, const struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *statement = &body->statements[i];

		if (statement->kind == STATEMENT_STORE || statement->kind == STATEMENT_PUT)
			o->uses[statement->tile->number]++;
		if (statement->kind == STATEMENT_STORE)
			o->stores[statement->tile->number]++;
		count_gathers(o, &statement->place);
		count_stores(o, &statement->body);
	}
}

static void count_uses(struct program_owners *o)
{
	for (unsigned i = 0; i < o->given->tile_count; i++) {
		const layout_tile *tile = o->program->tiles[i];

		for (unsigned k = 0; k < tile->operand_count; k++)
			o->uses[tile->operands[k]->number]++;
		if (o->given->tiles[i]->like)
			o->uses[o->given->tiles[i]->like->number]++;
		if (tile->yield)
			o->uses[tile->yield->number]++;
		count_gathers(o, &tile->place);
	}
	count_stores(o, &o->program->body);
}

bool program_owners_find(struct program_owners *o)
{
	unsigned count = o->program->tile_count;
	bool ok;

	o->owners = layout_alloc(o->ctx, count, sizeof(*o->owners));
	o->products = layout_alloc(o->ctx, count, sizeof(*o->products));
	o->visiting = layout_alloc(o->ctx, count, sizeof(*o->visiting));
	o->uses = layout_alloc(o->ctx, count, sizeof(*o->uses));
	o->stores = layout_alloc(o->ctx, count, sizeof(*o->stores));
	ok = o->owners && o->products && o->visiting && o->uses && o->stores;
	if (ok)
		count_uses(o);
	ok = ok && owners_settle(o);
	free(o->uses);
	free(o->stores);
	for (unsigned i = 0; o->products && i < count; i++)
		product_free(o->products[i]);
	free(o->products);
	o->products = NULL;
	free(o->visiting);
	o->visiting = NULL;
	return ok && layout_context_error(o->ctx) == LAYOUT_ERROR_NONE;
}
