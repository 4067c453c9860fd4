/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Owners with the flow of data: the statements are made anew, and where an operand has
 * another owner than it is to have, there is a conversion before its use. */
#include "program/owners_parts.h"
#include "program/access.h"
#include "program/build.h"
#include "program/bytes.h"
#include "program/local.h"
#include "program/sight.h"

#include <stdlib.h>
#include <string.h>

/* Accesses that take no longer than to put a tile into the LDS and to get it from there. */
enum { MORE_ACCESSES = 4 };

/* Of 256 registers of 32 bits, besides addresses. */
enum { MOST_WORDS = 224, MOST_TERM_WORDS = 128 };

/* Products of a lane, which are code each. */
enum { MOST_TERMS = 2048, MOST_SCALED_TERMS = 1024 };

/* The statements of a body as they are made anew. */
struct writer {
	struct program_owners *o;
	struct program_body body;
};

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
				.type = like->type, .position = like->position,
				.workers = like->workers };
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
	struct owner seen = *owner;
	struct access_split split;
	unsigned count = 0;

	if (memory->sight && (!sight_is_owned(memory->sight, owner) ||
	    !sight_owner(o->ctx, memory->sight, &seen)))
		return 0;
	if (access_split_build(o->ctx, &split, access, &seen))
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

bool owners_can_load_as(struct program_owners *o, const layout_tile *tile,
	const struct owner *wanted)
{
	return owners_may_load(o, tile) && !program_gathers(&tile->place) &&
		(!tile->memory->sight || sight_is_owned(tile->memory->sight, wanted)) &&
		owners_accesses(o, tile, tile->memory, wanted) <=
		2 * owners_accesses(o, tile, tile->memory, o->owners[tile->number]) +
		MORE_ACCESSES;
}

bool owners_can_load_parts(const struct program_owners *o, const layout_tile *tile)
{
	return owners_may_load(o, tile) && !program_gathers(&tile->place) && !tile->memory->sight &&
		tile->memory->access == LAYOUT_ACCESS_IN;
}

bool owners_shares_terms(const struct program_owners *o, const layout_tile *contract)
{
	return owners_can_load_parts(o, contract->operands[1]) &&
		owners_can_load_parts(o, contract->operands[2]);
}

/* A permutation is used by a product, which asks. */
static bool is_factor_of_one(const struct program_owners *o, const layout_tile *tile)
{
	for (unsigned i = 0; i < o->given->tile_count; i++) {
		const layout_tile *user = o->program->tiles[i];

		if (user->op == TILE_CONTRACT &&
		    (user->operands[1] == tile || user->operands[2] == tile))
			return o->uses[tile->number] == 1;
	}
	return false;
}

bool owners_is_got(const struct program_owners *o, const layout_tile *tile)
{
	const layout_tile *of = tile->operand_count ? tile->operands[0] : NULL;

	if (tile->op == TILE_GET)
		return true;
	return tile->op == TILE_VIEW && tile->view == VIEW_PERMUTE && of->op == TILE_GET &&
		tile->number < o->given->tile_count && !owners_written(o, tile) &&
		!owners_written(o, of) && o->uses[of->number] == 1 && is_factor_of_one(o, tile);
}

struct owner *owners_of_got(struct program_owners *o, const layout_tile *tile,
	const struct owner *owner)
{
	struct owner *of = owners_copy(o, owner);
	unsigned back[OWNER_RANK];

	for (unsigned d = 0; d < tile->rank && tile->op == TILE_VIEW; d++)
		back[tile->dims[d]] = d;
	if (of && tile->op == TILE_VIEW)
		owner_permute(of, back);
	return of;
}

/* What is got has the owner, which it takes. */
static layout_tile *get_as(struct program_owners *o, layout_tile *tile, struct owner *owner)
{
	const layout_tile *of = tile->op == TILE_VIEW ? tile->operands[0] : NULL;

	o->owners[tile->number] = owner;
	if (of)
		o->owners[of->number] = owners_of_got(o, tile, owner);
	return of && !o->owners[of->number] ? NULL : tile;
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
	if (!*owner && owners_is_got(o, tile))
		return get_as(o, tile, wanted);
	if (!*owner && owners_any(tile)) {
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
	made = add_tile(o, tile, owners_any(tile) ? tile->op : TILE_CONVERT, wanted);
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

	if (!owners_found(o, tile) && !owners_failed(o))
		*owner = owners_blocked(o, tile);
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
		struct owner *wanted = place->gather[d] ? owners_copy(w->o, owner) : NULL;

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
		struct owner *wanted = owners_copy(w->o, w->o->owners[tile->number]);

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
		return product_owner(product, product_operand(i));
	wanted = owners_copy(o, o->owners[tile->number]);
	if (!wanted || !i)
		return wanted;
	if (program_letters_owner(wanted, tile) && program_operand_owner(wanted, tile, i))
		return wanted;
	owner_free(wanted);
	layout_fail(o->ctx, LAYOUT_ERROR_UNSUPPORTED, tile->position, i > 2 ?
		"no digits say which scales of `%s` a lane multiplies by" :
		"the contraction has too many dimensions", tile->operands[i]->name);
	return NULL;
}

/* Is it loaded in this body, for one use? */
static bool is_loaded_here(const struct writer *w, const layout_tile *tile)
{
	for (unsigned i = 0; i < w->body.count; i++)
		if (w->body.statements[i].tile == tile)
			return tile->op == TILE_LOAD && w->o->uses[tile->number] == 1 &&
				tile->memory->access == LAYOUT_ACCESS_IN;
	return false;
}

/* Factors that there is no room for all at once are loaded in parts, where they are taken. */
static void share_loads(const struct writer *w, const struct product *product,
	layout_tile *contract)
{
	unsigned parts, shares;

	if (!product_parts(product, &parts, &shares) ||
	    !is_loaded_here(w, contract->operands[1]) ||
	    !is_loaded_here(w, contract->operands[2]))
		return;
	for (unsigned i = 0; i < 2; i++)
		contract->operands[1 + i]->parts = parts;
	contract->parts = parts;
	contract->shares = shares;
}

/* In how many parts of the letters' registers factors of so many words should come; 1 where there are
 * too many products for code.  With their scales factors are doubles. */
static unsigned term_parts(const layout_tile *contract, const struct owner *owner, int64_t factors)
{
	int64_t sums = owners_words(contract, owner), steps, parts = 1;
	struct owner letters = *owner;

	factors *= program_has_scales(contract) ? 2 : 1;

	if (!program_letters_owner(&letters, contract) || letters.extent[OWNER_REGISTER] >
	    (program_has_scales(contract) ? MOST_SCALED_TERMS : MOST_TERMS))
		return 1;
	steps = letters.extent[OWNER_REGISTER] / owner->extent[OWNER_REGISTER];
	while (sums + factors / parts > MOST_TERM_WORDS && parts < steps)
		do
			parts++;
		while (steps % parts);
	return (unsigned)parts;
}

/* The same on vector units: where there is no room for both factors and the sums, they are loaded
 * as they are taken, under their owners then.  False where they are not. */
static bool share_terms(const struct writer *w, layout_tile *contract)
{
	struct program_owners *o = w->o;
	const struct owner *owner = o->owners[contract->number];
	struct owner *wanted[2] = { NULL };
	int64_t words = 0;
	unsigned parts = 1;

	if (!owners_shares_terms(o, contract) || !is_loaded_here(w, contract->operands[1]) ||
	    !is_loaded_here(w, contract->operands[2]))
		return false;
	for (unsigned i = 0; i < 2; i++) {
		wanted[i] = contract_operand(o, contract, NULL, 1 + i);
		words += wanted[i] ? owners_words(contract->operands[1 + i], wanted[i]) : 0;
	}
	if (wanted[0] && wanted[1] && owners_words(contract, owner) + words > MOST_WORDS)
		parts = term_parts(contract, owner, words);
	for (unsigned i = 0; i < 2; i++) {
		layout_tile *factor = contract->operands[1 + i];

		if (parts > 1) {
			owner_free(o->owners[factor->number]);
			o->owners[factor->number] = wanted[i];
			factor->parts = parts;
		} else {
			owner_free(wanted[i]);
		}
	}
	contract->parts = parts > 1 ? parts : 0;
	return parts > 1;
}

static bool settle_contract(struct writer *w, layout_tile *tile)
{
	const struct owner *owner = settle(w->o, tile);
	const struct product *product = owner ? owners_product(w->o, tile, owner, true) :
		NULL;
	bool ok = owner && !owners_failed(w->o);
	bool shared = ok && !product && share_terms(w, tile);

	for (unsigned i = 0; ok && i < tile->operand_count; i++)
		ok = (shared && (i == 1 || i == 2)) ||
			take_operand(w, tile, i, contract_operand(w->o, tile, product, i));
	if (ok && product)
		share_loads(w, product, tile);
	return ok && !owners_failed(w->o);
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
	struct owner *wanted = owners_copy(o, settle(o, tile->operands[0]));
	struct owner left;

	if (!wanted)
		return false;
	left = *wanted;
	if (!program_reduced_owner(&left, tile->dims, tile->dim_count, tile->keep)) {
		owner_free(wanted);
		wanted = owners_blocked(o, tile->operands[0]);
		if (!wanted)
			return false;
		left = *wanted;
		program_reduced_owner(&left, tile->dims, tile->dim_count, tile->keep);
	}
	owners_spread(o, tile, wanted, &left);
	return take_operand(w, tile, 0, wanted) &&
		(owners_found(o, tile) || !owners_failed(o)) && come_to(w, &tile, owner_copy(o->ctx, &left));
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
	if (view && !owners_failed(o))
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
	if (owners_is_got(o, tile) && !owners_found(o, operand))
		return !owners_failed(o);
	if (tile->elements)
		return settle_seen(w, tile);
	wanted = owners_copy(o, settle(o, operand));
	view = owners_copy(o, wanted);
	if (view && !owners_change_view(view, tile)) {
		owner_free(wanted);
		owner_free(view);
		view = owners_blocked(o, tile);
		wanted = owners_copy(o, view);
		if (wanted)
			owner_collapse(wanted, tile->dims[0], tile->rank - operand->rank + 1);
	}
	if (!view || !wanted) {
		owner_free(wanted);
		owner_free(view);
		return false;
	}
	return take_operand(w, tile, 0, wanted) && (owners_found(o, tile) || !owners_failed(o)) &&
		come_to(w, &tile, view);
}

/* What is seen through a map is loaded by lanes whose part of the memory digits say, and converted
 * where it is to be held by others. */
static bool settle_load(struct writer *w, layout_tile *tile)
{
	struct program_owners *o = w->o;
	const struct owner *owner = settle(o, tile);
	layout_tile *made;

	if (!owner || !tile->memory->sight || sight_is_owned(tile->memory->sight, owner))
		return owner && settle_gathers(w, &tile->place, owner);
	made = add_tile(o, tile, TILE_LOAD, owners_blocked_for(o, tile, tile->memory));
	if (!made)
		return false;
	made->memory = tile->memory;
	made->place = tile->place;
	made->bits = tile->bits;
	made->text = tile->text;
	tile->place = (struct program_place){ 0 };
	tile->text = NULL;
	tile->op = TILE_CONVERT;
	tile->memory = NULL;
	tile->operand_count = 1;
	tile->operands[0] = made;
	return add_statement(w, made, tile->name);
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
		return settle_load(w, tile);
	case TILE_CONVERT:
		return settle(w->o, tile) && settle(w->o, tile->operands[0]);
	default:
		return owners_found(w->o, tile) || !owners_failed(w->o);
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
		    owners_copy(o, o->owners[carry->number])))
			return false;
		if (result && !o->owners[result->number])
			o->owners[result->number] = owners_copy(o, o->owners[carry->number]);
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
			owners_copy(w->o, w->o->owners[carry->number])) : NULL;
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

static unsigned most_stages(const struct program_body *body)
{
	unsigned most = 1;

	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *of = &body->statements[i];
		unsigned inside = most_stages(&of->body);

		if (of->kind == STATEMENT_FOR && of->stages > most)
			most = of->stages;
		most = inside > most ? inside : most;
	}
	return most;
}

/* Has the LDS room for the tile, besides the objects? */
static bool has_room(const struct program_owners *o, const layout_tile *tile)
{
	int64_t bytes = 0;

	for (unsigned i = 0; i < o->program->local_count; i++)
		bytes += program_local_elements(o->program->locals[i]) *
			local_bytes_of(o->program->locals[i]->type);
	return bytes * most_stages(&o->given->body) + program_elements(tile) *
		local_bytes_of(tile->type) <= o->chip->lds.bytes;
}

/* Are there registers for the tile under both owners, while it is converted? */
static bool has_registers(const layout_tile *tile, const struct owner *from,
	const struct owner *to)
{
	return (from->extent[OWNER_REGISTER] + to->extent[OWNER_REGISTER]) * tile->type->bits <=
		32 * MOST_WORDS;
}

/* Where the owner was found, and another one makes half as many accesses, there is a
 * conversion; and where no digits say who of several stores. */
static bool widen_store(struct writer *w, struct program_statement *store)
{
	struct program_owners *o = w->o;
	const struct owner *owner = o->owners[store->tile->number];
	struct owner *wide = owners_blocked_for(o, store->tile, store->memory);
	uint64_t digits;
	bool wanted;

	if (!wide)
		return false;
	wanted = !owner_guard(owner, &digits) || !fills_bytes(o, store) ||
		(!owners_written(o, store->tile) && has_room(o, store->tile) &&
		has_registers(store->tile, owner, wide) &&
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

	if (!*owner && owners_any(store->tile))
		*owner = owners_blocked_for(o, store->tile, store->memory);
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
		put->tile = under(w, put->tile, owners_blocked(w->o, put->tile));
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
			o->owners[i] = owners_blocked(o, o->program->tiles[i]);
			ok = o->owners[i];
		}
	return ok;
}

bool owners_settle(struct program_owners *o)
{
	return settle_body(o, &o->program->body, NULL) && settle_rest(o);
}
