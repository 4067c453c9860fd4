/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Owners are found against the flow of data as far as they are asked for, then with it:
 * what a tile has is what its operands lead to, and where these disagree there is a
 * conversion. */
#include "program/owners_parts.h"
#include "program/access.h"
#include "program/build.h"
#include "program/bytes.h"
#include "algebra/chip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

void program_operand_owner(struct owner *letters, const layout_tile *contract,
	unsigned operand)
{
	const layout_tile *tile = contract->operands[operand];
	const unsigned *map = contract->maps[operand ? operand - 1 : 2];
	unsigned order[OWNER_RANK], kept = 0;
	int at[OWNER_RANK];

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
}

/* A blocked owner: as wide as "most" elements along order[0], if every lane has as many; as
 * what fills bytes in any case. */
static struct owner *blocked(struct program_owners *o, const layout_tile *tile,
	const unsigned *order, int64_t most)
{
	int64_t lanes = (int64_t)o->wave_size * o->waves;
	int64_t elements = program_elements(tile);
	int64_t vector = program_byte_elements(tile->type);

	while (tile->rank && 2 * vector <= most && elements / (2 * vector) >= lanes &&
	       tile->box[order[0]] % (2 * vector) == 0)
		vector *= 2;
	return owner_blocked(o->ctx, tile->box, tile->rank, order, (unsigned)vector,
		o->wave_size, o->waves);
}

/* The last dimension fastest. */
static struct owner *blocked_in_order(struct program_owners *o, const layout_tile *tile)
{
	unsigned order[PROGRAM_RANK];

	for (unsigned d = 0; d < tile->rank; d++)
		order[d] = tile->rank - 1 - d;
	return blocked(o, tile, order, o->max_bytes * 8 / tile->type->bits);
}

/* Dimensions as they lie in memory, the innermost first, and what is contiguous there. */
static struct owner *blocked_for(struct program_owners *o, const layout_tile *tile,
	const layout_memory *memory)
{
	const struct storage_access *access =
		&o->memories[program_memory_number(o->program, memory)];
	unsigned order[PROGRAM_RANK], count = 0;
	int64_t most = o->max_bytes * 8 / tile->type->bits;
	const struct digit *last = access->slot_count ?
		&access->digits[access->slot_count - 1] : NULL;

	for (unsigned k = access->slot_count + tile->rank; k-- > 0;) {
		unsigned dim = k >= tile->rank ? access->digits[k - tile->rank].dim : k;
		bool known = dim >= tile->rank;

		for (unsigned i = 0; i < count; i++)
			known = known || order[i] == dim;
		if (!known)
			order[count++] = dim;
	}
	while (last && last->radix && most > 1 && last->radix % most)
		most /= 2;
	return blocked(o, tile, order, most);
}

static bool any_owner(const layout_tile *tile)
{
	return tile->op == TILE_FILL || tile->op == TILE_INDEX;
}

static const struct owner *find(struct program_owners *o, const layout_tile *tile);

static struct owner *copy_owner(struct program_owners *o, const struct owner *owner)
{
	return owner ? owner_copy(o->ctx, owner) : NULL;
}

bool owners_written(const struct program_owners *o, const layout_tile *tile)
{
	return tile->number < o->given->tile_count && o->given->tiles[tile->number]->owner;
}

static bool is_power(int64_t n)
{
	return !(n & (n - 1));
}

/* What is only stored need not be in every lane that helped to reduce it: while lanes come
 * together, each keeps half of the registers.  "operand" is the owner of what is reduced,
 * "left" what is left of that. */
static void spread(const struct program_owners *o, const layout_tile *tile,
	const struct owner *operand, struct owner *left)
{
	uint64_t reduced = 0;

	if (tile->reduce >= REDUCE_ARGMIN || owners_written(o, tile) ||
	    o->stores[tile->number] != o->uses[tile->number])
		return;
	for (unsigned i = 0; i < tile->dim_count; i++)
		reduced |= (uint64_t)1 << tile->dims[i];
	reduced = digits_of(operand, reduced);
	for (unsigned i = 0; i < operand->digit_count; i++) {
		const struct owner_digit *digit = &operand->digits[i];

		if (digit->part != OWNER_LANE || !(reduced >> i & 1) ||
		    !is_power(digit->place) || !is_power(digit->radix))
			continue;
		for (int64_t step = 1; step < digit->radix; step *= 2) {
			struct owner half = *left;

			if (!owner_spread(&half, step * digit->place))
				return;
			*left = half;
		}
	}
}

/* What is left of the operand's, made blocked if it cannot be reduced as it is. */
static struct owner *find_reduced(struct program_owners *o, const layout_tile *tile)
{
	const layout_tile *operand = tile->operands[0];
	const struct owner *found = find(o, operand);
	struct owner *owner = found ? copy_owner(o, found) : blocked_in_order(o, operand);

	struct owner whole = owner ? *owner : (struct owner){ .rank = 0 };

	if (owner && !program_reduced_owner(owner, tile->dims, tile->dim_count,
		tile->keep)) {
		owner_free(owner);
		owner = blocked_in_order(o, operand);
		if (!owner)
			return NULL;
		whole = *owner;
		program_reduced_owner(owner, tile->dims, tile->dim_count, tile->keep);
	}
	if (owner)
		spread(o, tile, &whole, owner);
	return owner;
}

static bool change_view(struct owner *owner, const layout_tile *view)
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
	const struct owner *found = find(o, tile->operands[0]);
	struct owner *owner;

	if (!found || tile->view == VIEW_BROADCAST)
		return NULL;
	if (tile->elements)
		return find_seen(o, tile, found);
	owner = copy_owner(o, found);
	if (owner && change_view(owner, tile))
		return owner;
	owner_free(owner);
	return NULL;
}

/* That of the sum, unless a matrix instruction has another one; where the sum has none, what
 * the factors lead to. */
static struct owner *find_contract(struct program_owners *o, layout_tile *tile)
{
	const struct owner *sum = find(o, tile->operands[0]);
	const struct product *product = owners_product(o, tile, sum, false);

	if (product)
		return product_owner(product, PRODUCT_SUM);
	if (layout_context_error(o->ctx) != LAYOUT_ERROR_NONE)
		return NULL;
	return sum ? copy_owner(o, sum) : owners_join_contract(o, tile,
		blocked_in_order(o, tile));
}

/* Say that the workgroup has too few lanes, and which waves would be enough. */
static void refuse_lanes(const struct program_owners *o, const layout_tile *tile,
	int64_t lanes)
{
	const struct chip *chip;

	for (unsigned i = 0; (chip = chip_at(i)); i++)
		if (!strcmp(chip->target.processor, o->chip->target.processor) &&
		    chip->target.wave_size * o->waves >= lanes)
			break;
	layout_fail(o->ctx, LAYOUT_ERROR_INVALID, tile->position,
		"the owner of `%s` needs %" PRId64 " lanes, has %u%s%s%s", tile->name, lanes,
		o->wave_size * o->waves, chip ? "; " : "", chip ? chip->target.name : "",
		chip ? " has enough" : "");
}

static struct owner *find_written(struct program_owners *o, const layout_tile *tile)
{
	struct owner *owner = owner_of_relation(o->ctx, o->given->tiles[tile->number]->owner,
		tile->box, tile->rank, o->wave_size);

	if (!owner || owner->extent[OWNER_SUBGROUP] <= o->waves)
		return owner;
	refuse_lanes(o, tile, owner->extent[OWNER_SUBGROUP] * o->wave_size);
	owner_free(owner);
	return NULL;
}

static struct owner *find_new(struct program_owners *o, const layout_tile *tile)
{
	if (o->given->tiles[tile->number]->owner)
		return find_written(o, tile);
	switch (tile->op) {
	case TILE_LOAD:
		return blocked_for(o, tile, tile->memory);
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
		return copy_owner(o, find(o, tile->operands[0]));
	case TILE_CARRY: {
		const struct owner *first = find(o, tile->operands[0]);

		return copy_owner(o, first ? first : find(o, tile->yield));
	}
	default:
		return NULL;
	}
}

/* NULL: any, or it is asked for by itself, or there is an error on the context. */
static const struct owner *find(struct program_owners *o, const layout_tile *tile)
{
	unsigned n = tile->number;

	if (!o->owners[n] && !o->visiting[n]) {
		o->visiting[n] = true;
		o->owners[n] = find_new(o, tile);
		o->visiting[n] = false;
	}
	return o->owners[n];
}

const struct owner *owners_found(struct program_owners *o, const layout_tile *tile)
{
	return find(o, tile);
}

/* The statements of a body as they are made anew. */
struct writer {
	struct program_owners *o;
	struct program_body body;
};

static bool failed(const struct program_owners *o)
{
	return layout_context_error(o->ctx) != LAYOUT_ERROR_NONE;
}

static bool append(struct writer *w, const struct program_statement *statement)
{
	struct program_statement *grown = build_grow(w->o->ctx, w->body.statements,
		w->body.count, sizeof(*grown));

	if (!grown)
		return false;
	w->body.statements = grown;
	grown[w->body.count++] = *statement;
	return true;
}

/* A new tile like another, under an owner, which it takes. */
static layout_tile *add_tile(struct program_owners *o, const layout_tile *like,
	enum tile_op op, struct owner *owner)
{
	layout_program *program = o->program;
	layout_tile *tile = owner ? layout_alloc(o->ctx, 1, sizeof(*tile)) : NULL;
	layout_tile **tiles = tile ? realloc(program->tiles,
		(program->tile_count + 1) * sizeof(*tiles)) : NULL;
	struct owner **owners;

	if (tiles) {
		program->tiles = tiles;
		owners = realloc(o->owners, (program->tile_count + 1) * sizeof(*owners));
		if (owners) {
			o->owners = owners;
			*tile = (layout_tile){ .program = program, .op = op,
				.number = program->tile_count, .rank = like->rank,
				.type = like->type, .position = like->position };
			memcpy(tile->box, like->box, sizeof(tile->box));
			owners[tile->number] = owner;
			return tiles[program->tile_count++] = tile;
		}
	}
	layout_fail(o->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	free(tile);
	owner_free(owner);
	return NULL;
}

/* "x_2": the tile's name, and a number that makes it new. */
static bool name_after(struct program_owners *o, layout_tile *tile, const char *name)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "%s_%u", name, tile->number);
	tile->name = layout_buffer_take(o->ctx, &out);
	return tile->name;
}

static layout_tile *add_statement(struct writer *w, layout_tile *tile, const char *name)
{
	const struct program_statement statement = { .kind = STATEMENT_TILE,
		.position = tile ? tile->position : -1, .tile = tile };

	return tile && name_after(w->o, tile, name) && append(w, &statement) ? tile : NULL;
}

unsigned owners_accesses(struct program_owners *o, const layout_tile *tile,
	const layout_memory *memory, const struct owner *owner)
{
	const struct storage_access *access =
		&o->memories[program_memory_number(o->program, memory)];
	struct access_split split;
	unsigned count = 0;

	if (access_split_build(o->ctx, &split, access, owner))
		count = split.count / access_split_vector(&split, access,
			o->max_bytes * 8 / tile->type->bits);
	access_split_free(&split);
	return count;
}

/* It is for one use alone. */
bool owners_may_load(const struct program_owners *o, const layout_tile *tile)
{
	return tile->op == TILE_LOAD && tile->number < o->given->tile_count &&
		!owners_written(o, tile) && o->uses[tile->number] == 1;
}

static bool has_gathers(const struct program_place *place)
{
	for (unsigned d = 0; d < place->rank; d++)
		if (place->gather[d])
			return true;
	return false;
}

bool owners_can_load_as(struct program_owners *o, const layout_tile *tile,
	const struct owner *wanted)
{
	return owners_may_load(o, tile) && !has_gathers(&tile->place) &&
		owners_accesses(o, tile, tile->memory, wanted) <=
		2 * owners_accesses(o, tile, tile->memory, o->owners[tile->number]) + 1;
}

/* What the body has converted already. */
static layout_tile *converted_before(const struct writer *w, const layout_tile *tile,
	const struct owner *wanted)
{
	for (unsigned i = 0; i < w->body.count; i++) {
		const struct program_statement *statement = &w->body.statements[i];

		if (statement->kind == STATEMENT_TILE &&
		    statement->tile->op == TILE_CONVERT &&
		    statement->tile->operands[0] == tile &&
		    owner_equal(w->o->owners[statement->tile->number], wanted))
			return statement->tile;
	}
	return NULL;
}

/* The same elements under "wanted", which it takes: they are what they are, or made anew,
 * or converted. */
static layout_tile *under(struct writer *w, layout_tile *tile, struct owner *wanted)
{
	struct program_owners *o = w->o;
	struct owner **owner = &o->owners[tile->number];
	layout_tile *made;

	if (!wanted)
		return NULL;
	if (!*owner && (any_owner(tile) || tile->op == TILE_GET)) {
		*owner = wanted;
		return tile;
	}
	if (*owner && owner_equal(*owner, wanted)) {
		owner_free(wanted);
		return tile;
	}
	if (owners_can_load_as(o, tile, wanted)) {
		owner_free(*owner);
		*owner = wanted;
		return tile;
	}
	made = converted_before(w, tile, wanted);
	if (made) {
		owner_free(wanted);
		return made;
	}
	made = add_tile(o, tile, any_owner(tile) ? tile->op : TILE_CONVERT, wanted);
	if (!made)
		return NULL;
	made->bits = tile->bits;
	made->dim_count = tile->op == TILE_INDEX ? tile->dim_count : 0;
	made->dims[0] = tile->dims[0];
	if (made->op == TILE_CONVERT)
		made->operands[made->operand_count++] = tile;
	else if (tile->text)
		made->text = layout_strdup(o->ctx, tile->text);
	return add_statement(w, made, tile->name);
}

/* The owner of a tile, which has one from here on. */
static const struct owner *settle(struct program_owners *o, const layout_tile *tile)
{
	struct owner **owner = &o->owners[tile->number];

	if (!find(o, tile) && !failed(o))
		*owner = blocked_in_order(o, tile);
	return *owner;
}

static bool take_operand(struct writer *w, layout_tile *tile, unsigned i,
	struct owner *wanted)
{
	tile->operands[i] = under(w, tile->operands[i], wanted);
	return tile->operands[i];
}

static bool settle_gathers(struct writer *w, struct program_place *place,
	const struct owner *owner)
{
	bool ok = true;

	for (unsigned d = 0; ok && d < place->rank; d++) {
		struct owner *wanted = place->gather[d] ? copy_owner(w->o, owner) : NULL;

		if (!place->gather[d])
			continue;
		if (wanted)
			program_broadcast_owner(wanted, place->gather[d]->box,
				place->gather[d]->rank);
		place->gather[d] = under(w, place->gather[d], wanted);
		ok = place->gather[d];
	}
	return ok;
}

static bool settle_map(struct writer *w, layout_tile *tile)
{
	const struct owner *owner = settle(w->o, tile);
	bool ok = owner;

	for (unsigned i = 0; ok && i < tile->operand_count; i++) {
		struct owner *wanted = copy_owner(w->o, w->o->owners[tile->number]);

		if (wanted)
			program_broadcast_owner(wanted, tile->operands[i]->box,
				tile->operands[i]->rank);
		ok = take_operand(w, tile, i, wanted);
	}
	return ok;
}

/* The owner that operand i of a contraction is to have. */
static struct owner *contract_operand(struct program_owners *o, const layout_tile *tile,
	const struct product *product, unsigned i)
{
	struct owner *wanted;

	if (product && i)
		return product_owner(product, i == 1 ? PRODUCT_X : PRODUCT_Y);
	wanted = copy_owner(o, o->owners[tile->number]);
	if (!wanted || !i)
		return wanted;
	if (program_letters_owner(wanted, tile)) {
		program_operand_owner(wanted, tile, i);
		return wanted;
	}
	owner_free(wanted);
	layout_fail(o->ctx, LAYOUT_ERROR_UNSUPPORTED, tile->position,
		"the contraction has too many dimensions");
	return NULL;
}

static bool settle_contract(struct writer *w, layout_tile *tile)
{
	const struct owner *owner = settle(w->o, tile);
	const struct product *product = owner ? owners_product(w->o, tile, owner, true) :
		NULL;
	bool ok = owner && !failed(w->o);

	for (unsigned i = 0; ok && i < 3; i++)
		ok = take_operand(w, tile, i, contract_operand(w->o, tile, product, i));
	return ok;
}

/* What the operand leads to is the tile's own, or another tile is that, which is then
 * converted.  "natural" is taken; false without it. */
static bool come_to(struct writer *w, layout_tile **tile, struct owner *natural)
{
	struct owner **owner = &w->o->owners[(*tile)->number];
	layout_tile *made, *old = *tile;

	if (!natural)
		return false;
	if (!*owner) {
		*owner = natural;
		return true;
	}
	if (owner_equal(*owner, natural)) {
		owner_free(natural);
		return true;
	}
	made = add_tile(w->o, old, old->op, natural);
	if (!made)
		return false;
	made->operand_count = old->operand_count;
	made->operands[0] = old->operands[0];
	made->view = old->view;
	made->reduce = old->reduce;
	made->keep = old->keep;
	made->sum_type = old->sum_type;
	made->dim_count = old->dim_count;
	memcpy(made->dims, old->dims, sizeof(made->dims));
	old->op = TILE_CONVERT;
	old->operand_count = 1;
	old->operands[0] = made;
	*tile = made;
	return add_statement(w, made, old->name);
}

static bool settle_reduce(struct writer *w, layout_tile *tile)
{
	struct program_owners *o = w->o;
	struct owner *wanted = copy_owner(o, settle(o, tile->operands[0]));
	struct owner left;

	if (!wanted)
		return false;
	left = *wanted;
	if (!program_reduced_owner(&left, tile->dims, tile->dim_count, tile->keep)) {
		owner_free(wanted);
		wanted = blocked_in_order(o, tile->operands[0]);
		if (!wanted)
			return false;
		left = *wanted;
		program_reduced_owner(&left, tile->dims, tile->dim_count, tile->keep);
	}
	spread(o, tile, wanted, &left);
	return take_operand(w, tile, 0, wanted) &&
		(find(o, tile) || !failed(o)) && come_to(w, &tile, owner_copy(o->ctx, &left));
}

/* What is seen through a relation is held where it is seen. */
static bool settle_seen(struct writer *w, layout_tile *tile)
{
	struct program_owners *o = w->o;
	const layout_tile *operand = tile->operands[0];
	const struct owner *view = settle(o, operand) ? settle(o, tile) : NULL;
	struct owner *wanted = view ? owner_through(o->ctx, view, tile->elements,
		operand->box, operand->rank) : NULL;

	if (wanted)
		return take_operand(w, tile, 0, wanted);
	if (view && !failed(o))
		layout_fail(o->ctx, LAYOUT_ERROR_UNSUPPORTED, tile->position, "what of `%s` "
			"a lane sees as `%s` follows from no digits and no XORs of bits",
			operand->name, tile->name);
	return false;
}

/* Views rename; a broadcast asks for what it needs, and where a digit does not split, what is
 * expanded has the owner that the view's would collapse to. */
static bool settle_view(struct writer *w, layout_tile *tile)
{
	struct program_owners *o = w->o;
	layout_tile *operand = tile->operands[0];
	struct owner *wanted, *view;

	if (tile->view == VIEW_BROADCAST)
		return settle_map(w, tile);
	if (tile->elements)
		return settle_seen(w, tile);
	wanted = copy_owner(o, settle(o, operand));
	view = copy_owner(o, wanted);
	if (view && !change_view(view, tile)) {
		owner_free(wanted);
		owner_free(view);
		view = blocked_in_order(o, tile);
		wanted = copy_owner(o, view);
		if (wanted)
			owner_collapse(wanted, tile->dims[0], tile->rank - operand->rank + 1);
	}
	if (!view || !wanted) {
		owner_free(wanted);
		owner_free(view);
		return false;
	}
	return take_operand(w, tile, 0, wanted) && (find(o, tile) || !failed(o)) &&
		come_to(w, &tile, view);
}

static bool settle_tile(struct writer *w, layout_tile *tile)
{
	switch (tile->op) {
	case TILE_MAP:
		return settle_map(w, tile);
	case TILE_REDUCE:
		return settle_reduce(w, tile);
	case TILE_VIEW:
		return settle_view(w, tile);
	case TILE_CONTRACT:
		return settle_contract(w, tile);
	case TILE_LOAD:
		return settle(w->o, tile) &&
			settle_gathers(w, &tile->place, w->o->owners[tile->number]);
	case TILE_CONVERT:
		return settle(w->o, tile) && settle(w->o, tile->operands[0]);
	default:
		return find(w->o, tile) || !failed(w->o);
	}
}

static bool settle_body(struct program_owners *o, struct program_body *body,
	const struct program_statement *loop);

/* Carries come in under their owners, and so does what is yielded, at the body's end. */
static bool settle_loop(struct writer *w, struct program_statement *loop)
{
	struct program_owners *o = w->o;

	for (unsigned i = 0; i < loop->carry_count; i++) {
		layout_tile *carry = loop->carries[i], *result = loop->results[i];

		if (!settle(o, carry) || !take_operand(w, carry, 0,
		    copy_owner(o, o->owners[carry->number])))
			return false;
		if (result && !o->owners[result->number])
			o->owners[result->number] = copy_owner(o, o->owners[carry->number]);
	}
	return settle_body(o, &loop->body, loop);
}

static bool settle_yields(struct writer *w, const struct program_statement *loop)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < loop->carry_count; i++) {
		layout_tile *carry = loop->carries[i];

		ok = settle(w->o, carry->yield);
		carry->yield = ok ? under(w, carry->yield,
			copy_owner(w->o, w->o->owners[carry->number])) : NULL;
		ok = carry->yield;
	}
	return ok;
}

/* What has less than a byte is stored by who holds the whole byte. */
static bool fills_bytes(struct program_owners *o, const struct program_statement *store)
{
	const struct storage_access *access =
		&o->memories[program_memory_number(o->program, store->memory)];
	const struct owner *owner = o->owners[store->tile->number];
	struct access_split split;
	bool fills;

	if (program_byte_elements(store->tile->type) == 1)
		return true;
	fills = access_split_build(o->ctx, &split, access, owner) &&
		program_fills_bytes(&split, access, owner, &store->place,
			store->tile->type);
	access_split_free(&split);
	return fills;
}

/* Where the owner was found, and another one makes half as many accesses, there is a
 * conversion; and where no digits say who of several stores. */
static bool widen_store(struct writer *w, struct program_statement *store)
{
	struct program_owners *o = w->o;
	const struct owner *owner = o->owners[store->tile->number];
	struct owner *wide = blocked_for(o, store->tile, store->memory);
	uint64_t digits;
	bool wanted;

	if (!wide)
		return false;
	wanted = !owner_guard(owner, &digits) || !fills_bytes(o, store) || (!owners_written(o, store->tile) &&
		owners_accesses(o, store->tile, store->memory, owner) >=
		2 * owners_accesses(o, store->tile, store->memory, wide));
	if (wanted)
		store->tile = under(w, store->tile, wide);
	else
		owner_free(wide);
	if (!store->tile || fills_bytes(o, store))
		return store->tile;
	layout_fail(o->ctx, LAYOUT_ERROR_UNSUPPORTED, store->position,
		"a store of %s is of whole bytes: the box of `%s` and its position in `%s` "
		"are multiples of %u elements in the innermost dimension, and rows follow "
		"each other without swizzles", store->tile->type->name, store->tile->name,
		store->memory->name, program_byte_elements(store->tile->type));
	return false;
}

static bool settle_store(struct writer *w, struct program_statement *store)
{
	struct program_owners *o = w->o;
	struct owner **owner = &o->owners[store->tile->number];

	if (!*owner && any_owner(store->tile))
		*owner = blocked_for(o, store->tile, store->memory);
	if (!settle(o, store->tile) || !widen_store(w, store))
		return false;
	return settle_gathers(w, &store->place, o->owners[store->tile->number]);
}

/* One lane puts each element. */
static bool settle_put(struct writer *w, struct program_statement *put)
{
	const struct owner *owner = settle(w->o, put->tile);
	uint64_t digits;

	if (owner && !owner_guard(owner, &digits))
		put->tile = under(w, put->tile, blocked_in_order(w->o, put->tile));
	return owner && put->tile;
}

static bool settle_statement(struct writer *w, struct program_statement *statement)
{
	switch (statement->kind) {
	case STATEMENT_TILE:
		return settle_tile(w, statement->tile);
	case STATEMENT_STORE:
		return settle_store(w, statement);
	case STATEMENT_PUT:
		return settle_put(w, statement);
	case STATEMENT_FOR:
		return settle_loop(w, statement);
	default:
		return settle_body(w->o, &statement->body, NULL);
	}
}

static bool settle_body(struct program_owners *o, struct program_body *body,
	const struct program_statement *loop)
{
	struct program_body old = *body;
	struct writer w = { .o = o };
	bool ok = true;

	for (unsigned i = 0; i < old.count; i++) {
		ok = ok && settle_statement(&w, &old.statements[i]);
		ok = append(&w, &old.statements[i]) && ok;
	}
	if (ok && loop)
		ok = settle_yields(&w, loop);
	free(old.statements);
	*body = w.body;
	return ok;
}

/* Tiles that nobody uses have owners, too. */
static bool settle_rest(struct program_owners *o)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < o->program->tile_count; i++)
		if (!o->owners[i]) {
			o->owners[i] = blocked_in_order(o, o->program->tiles[i]);
			ok = o->owners[i];
		}
	return ok;
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
	ok = ok && settle_body(o, &o->program->body, NULL) && settle_rest(o);
	free(o->uses);
	free(o->stores);
	for (unsigned i = 0; o->products && i < count; i++)
		product_free(o->products[i]);
	free(o->products);
	o->products = NULL;
	free(o->visiting);
	o->visiting = NULL;
	return ok && !failed(o);
}
