/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places of objects in the LDS: that which is given, or the one of some that all accesses of
 * the object take least time with; and which copies go there directly. */
#include "algebra/storage/storage.h"
#include "kernel/program/indices.h"
#include "program/access.h"
#include "program/direct.h"
#include "program/owners.h"
#include "program/sight.h"
#include "program/waits.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LDS_ALIGN = 16, DEEPER = 8, MOST_WEIGHT = 512 };

/* An access of an object: "weight" says how deep in loops it is. */
struct use {
	layout_tile *tile;
	const layout_memory *local;
	const struct program_place *place;
	bool put;
	struct program_statement *copy;	/* NULL: it is none */
	unsigned weight;
	uint32_t *elements;
};

/* A copy that goes directly: the owner of what is loaded, with the bytes of a piece; NULL:
 * none does, and why. */
struct directly {
	struct owner *owner;
	unsigned piece;
	char *why;
};

struct places {
	layout_context *ctx;
	const layout_program *given;
	struct program_plan *plan;
	const struct plan_target *target;
	unsigned use_count;
	struct use *uses;
};

static void find_uses(struct places *p, struct program_body *body, unsigned weight)
{
	for (unsigned i = 0; i < body->count; i++) {
		struct program_statement *of = &body->statements[i];
		bool put = of->kind == STATEMENT_PUT, loop = of->kind == STATEMENT_FOR;
		layout_tile *tile = of->tile;

		if (put)
			of->access = p->use_count;
		else if (of->kind == STATEMENT_TILE && tile->op == TILE_GET)
			tile->access = p->use_count;
		if (put)
			p->uses[p->use_count++] = (struct use){ tile, of->memory,
				&of->place, true, of->copy ? of : NULL, weight, NULL };
		else if (of->kind == STATEMENT_TILE && tile->op == TILE_GET)
			p->uses[p->use_count++] = (struct use){ tile, tile->memory,
				&tile->place, false, NULL, weight, NULL };
		find_uses(p, &of->body, loop && weight < MOST_WEIGHT ? DEEPER * weight :
			weight);
	}
}

static bool build_access(const struct places *p, const struct use *use,
	const int64_t *offsets, struct local_access *access)
{
	return local_access_build(p->ctx, access, p->plan->owners[use->tile->number],
		use->elements, offsets, local_bytes_of(use->tile->type), use->put,
		p->target->chip);
}

/* Do digits or XORs say where a wave writes?  False with an error. */
static bool check_segments(const struct places *p, const struct use *use,
	const int64_t *offsets, struct directly *found)
{
	uint32_t *elements = local_elements(p->ctx, found->owner, use->local, use->place);
	struct local_access access = { .put = true };
	bool ok = elements && local_access_build(p->ctx, &access, found->owner, elements,
		offsets, local_bytes_of(use->tile->type), true, p->target->chip);

	if (ok && !local_access_read(p->ctx, &access)) {
		owner_free(found->owner);
		found->owner = NULL;
		found->why = layout_strdup(p->ctx, "where a wave writes follows from no digits "
			"and no XORs");
		ok = found->why;
	}
	local_access_free(&access);
	free(elements);
	return ok;
}

/* Is what lanes load, seen through a map, digits and XORs of bits still? */
static bool check_sight(const struct places *p, const struct use *use, struct directly *found)
{
	const struct program_sight *sight = use->tile->memory->sight;

	if (!sight || sight_is_owned(sight, found->owner))
		return true;
	owner_free(found->owner);
	found->owner = NULL;
	found->why = layout_strdup(p->ctx, "what lanes load follows from no digits and no XORs");
	return found->why;
}

/* Have lanes the indices by which they gather? */
static bool check_indices(const struct places *p, const struct use *use,
	const int64_t *offsets, struct directly *found)
{
	const layout_tile *index = indices_missing(p->plan, p->given, use->tile, found->owner);
	struct layout_buffer out = { 0 };
	int64_t at[OWNER_RANK];

	if (!index)
		return true;
	owner_point(found->owner, (int64_t[OWNER_PARTS]) { 0, 1 }, at);
	layout_buffer_printf(&out, "lane 1 writes byte %" PRId64 " of `%s` and has not the index of "
		"what wants it: `%s` is used elsewhere, too, or held as it is written",
		offsets[owner_element(found->owner, at)] * local_bytes_of(use->tile->type),
		use->local->name, index->op == TILE_CONVERT ? index->operands[0]->name :
		index->name);
	owner_free(found->owner);
	found->owner = NULL;
	found->why = layout_buffer_take(p->ctx, &out);
	return found->why;
}

/* By the widest pieces that the place can be written with.  False with an error. */
static bool find_direct(const struct places *p, const struct use *use,
	const int64_t *offsets, struct directly *found)
{
	const layout_memory *from = use->tile->memory;
	const unsigned *widths = p->target->chip->target.lds_load_bytes;
	struct direct_copy copy = { use->local, from, program_plan_place(p->plan, from, use->tile,
		&use->tile->place),
		&p->plan->memories[program_memory_number(p->plan->program, from)], offsets, 0,
		p->plan->wave_size, (unsigned)program_tile_waves(use->tile) };
	unsigned count = 0;
	bool ok = true;

	*found = (struct directly){ NULL, 0, NULL };
	while (p->target->chip->code.direct && widths[count])
		count++;
	while (ok && count-- > 0 && !found->owner) {
		free(found->why);
		found->piece = copy.piece = widths[count];
		found->owner = direct_owner(p->ctx, &copy, &found->why);
		ok = found->owner ? check_segments(p, use, offsets, found) : found->why != NULL;
		ok = ok && (!found->owner || check_sight(p, use, found));
		ok = ok && (!found->owner || check_indices(p, use, offsets, found));
	}
	return ok;
}

static void free_direct(struct directly *direct)
{
	owner_free(direct->owner);
	free(direct->why);
}

/* Instructions of a direct copy: what they write to the LDS is side by side, a word a bank. */
static uint64_t direct_accesses(const struct use *use, const struct directly *direct)
{
	return (uint64_t)direct->owner->extent[OWNER_REGISTER] *
		local_bytes_of(use->tile->type) / direct->piece;
}

static uint64_t accesses_cost(const struct places *p, const struct use *use, uint64_t accesses,
	unsigned piece)
{
	uint64_t words = (uint64_t)p->plan->wave_size * piece / 4;
	unsigned banks = p->target->chip->target.lds_banks;

	return use->weight * accesses * (1 + (words + banks - 1) / banks);
}

static uint64_t direct_cost(const struct places *p, const struct use *use,
	const struct directly *direct)
{
	return accesses_cost(p, use, direct_accesses(use, direct), direct->piece);
}

/* The least that it can be, if it is direct: all waves have the widest pieces. */
static uint64_t least_direct(const struct places *p, const struct use *use)
{
	const unsigned *widths = p->target->chip->target.lds_load_bytes;
	uint64_t bytes = (uint64_t)program_local_elements(use->local) *
		local_bytes_of(use->tile->type), at_once;
	unsigned count = 0;

	while (p->target->chip->code.buffers && widths[count])
		count++;
	if (!count)
		return UINT64_MAX;
	at_once = (uint64_t)program_tile_waves(use->tile) * p->plan->wave_size * widths[count - 1];
	return accesses_cost(p, use, bytes / at_once, widths[count - 1]);
}

/* Those of the load of one through the registers; 0 with an error. */
static unsigned load_accesses(const struct places *p, const struct use *use)
{
	const struct storage_access *memory = &p->plan->memories[program_memory_number(
		p->plan->program, use->tile->memory)];
	struct access_split split;
	unsigned count = 0, bits = use->tile->type->bits;

	if (access_split_build(p->ctx, &split, memory, program_plan_access(p->plan,
	    use->tile->memory, use->tile)))
		count = split.count / (split.apart && bits % 8 == 0 ? access_split_vector(
			&split, memory, p->target->max_bytes * 8 / bits) : 1);
	access_split_free(&split);
	return count;
}

/* A copy takes the better of its ways; false also where it may go only directly, and
 * cannot. */
static bool count_copy(const struct places *p, const struct use *use,
	const int64_t *offsets, uint64_t through, uint64_t *cost)
{
	struct directly direct;
	uint64_t directly;
	bool ok;

	through = use->copy->way == LAYOUT_COPY_DIRECT ? UINT64_MAX : through +
		use->weight * load_accesses(p, use);
	if (least_direct(p, use) >= through && through < UINT64_MAX) {
		*cost += through;
		return true;
	}
	ok = find_direct(p, use, offsets, &direct);
	directly = ok && direct.owner ? direct_cost(p, use, &direct) : UINT64_MAX;
	ok = ok && (directly < UINT64_MAX || through < UINT64_MAX);
	*cost += !ok ? 0 : directly < through ? directly : through;
	free_direct(&direct);
	return ok;
}

/* Instructions and cycles that an access takes; false with an error. */
static bool count_use(const struct places *p, const struct use *use, const int64_t *offsets,
	uint64_t *total)
{
	uint64_t own = 0, *cost = use->copy ? &own : total;
	struct local_access access;
	layout_lds_cost cycles;
	bool ok = build_access(p, use, offsets, &access) && local_access_cycles(p->ctx,
		&access, &p->target->chip->lds, local_bytes_of(use->tile->type), &cycles);

	if (ok)
		*cost += (uint64_t)use->weight * (cycles.cycles +
			access.count / access.vector);
	local_access_free(&access);
	if (ok && use->copy && use->copy->way != LAYOUT_COPY_REGISTERS)
		return count_copy(p, use, offsets, own, total);
	*total += own;
	return ok;
}

/* What all accesses of an object take, or some of them more than "most"; false with an error. */
static bool count_uses(const struct places *p, const layout_memory *local,
	const int64_t *offsets, uint64_t most, uint64_t *cost)
{
	bool ok = true;

	*cost = 0;
	for (unsigned i = 0; ok && *cost < most && i < p->use_count; i++)
		ok = p->uses[i].local != local || count_use(p, &p->uses[i], offsets, cost);
	return ok;
}

/* Do digits or XORs say where the lanes of all its accesses are? */
static bool can_read(const struct places *p, const layout_memory *local,
	const int64_t *offsets)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < p->use_count; i++) {
		struct local_access access;

		if (p->uses[i].local != local)
			continue;
		ok = build_access(p, &p->uses[i], offsets, &access) &&
			local_access_read(p->ctx, &access);
		local_access_free(&access);
	}
	return ok;
}

/* Take the place if it is the first, or takes less than the best until now: the object has it
 * then, as long as the plan is made.  Consumes the storage; false with an error. */
static bool try_place(const struct places *p, layout_memory *local, layout_storage *place,
	uint64_t *least)
{
	struct plan_local *best = &p->plan->locals[program_memory_number(p->plan->program,
		local) - p->plan->program->memory_count];
	int64_t *offsets = place ? local_offsets(p->ctx, place, local->box, local->rank) :
		NULL;
	int64_t elements = place ? layout_storage_elements(place, NULL, 0) : -1;
	uint64_t cost = 0;
	bool ok = offsets && elements >= 0, better;

	better = ok && count_uses(p, local, offsets, *least, &cost) && cost < *least &&
		can_read(p, local, offsets);
	ok = ok && layout_context_error(p->ctx) == LAYOUT_ERROR_NONE;
	if (ok && better) {
		*least = cost;
		free(best->offsets);
		layout_string_free(best->place);
		best->bytes = (elements * local_bytes_of(local->type) + LDS_ALIGN - 1) /
			LDS_ALIGN * LDS_ALIGN;
		best->offsets = offsets;
		best->place = layout_storage_str(place);
		ok = best->place;
		layout_storage_free(local->storage);
		local->storage = place;
		offsets = NULL;
		place = NULL;
	}
	free(offsets);
	layout_storage_free(place);
	return ok;
}

/* Chunks XOR-ed by the row.  One that is no place of this box, as digits carry in it, is none
 * of them. */
static bool try_swizzle(const struct places *p, layout_memory *local, int64_t row,
	int64_t chunk, uint64_t *least)
{
	layout_storage *place = layout_storage_swizzled(
		storage_of_box(p->ctx, local->rank, local->box),
		layout_swizzle_xor_shuffle(p->ctx, row, chunk, 0, 0), LAYOUT_SWIZZLED_OFFSET);

	if (try_place(p, local, place, least))
		return true;
	if (layout_context_error(p->ctx) != LAYOUT_ERROR_UNSUPPORTED)
		return false;
	layout_context_clear(p->ctx);
	return true;
}

/* XORs of chunks of 4 to 16 bytes, by rows of 64 to 256. */
static bool try_swizzles(const struct places *p, layout_memory *local, uint64_t *least)
{
	int64_t count = program_local_elements(local), size = local_bytes_of(local->type);
	bool ok = true;

	for (int64_t chunk = 16 / size; ok && chunk * size >= 4; chunk /= 2)
		for (int64_t row = 64 / size; ok && row * size <= 256; row *= 2)
			ok = !chunk || count % (row * (row / chunk)) ||
				try_swizzle(p, local, row, chunk, least);
	return ok;
}

/* Rows with 4 to 16 bytes behind each. */
static bool try_padding(const struct places *p, layout_memory *local, uint64_t *least)
{
	int64_t size = local_bytes_of(local->type);
	bool ok = true;

	for (int64_t skipped = 16; ok && local->rank > 1 && skipped >= 4; skipped /= 2) {
		int64_t strides[PROGRAM_RANK], stride = 1;

		if (skipped % size)
			continue;
		for (unsigned d = local->rank; d-- > 0;) {
			strides[d] = stride;
			stride *= local->box[d];
			stride += d == local->rank - 1 ? skipped / size : 0;
		}
		ok = try_place(p, local, storage_of_strides(p->ctx, local->rank, local->box,
			strides), least);
	}
	return ok;
}

/* The copy has to go directly, and there is no place for that: where it is given, or row by
 * row, why. */
static bool refuse_direct(const struct places *p, const struct use *use,
	const int64_t *offsets)
{
	struct directly direct;
	bool ok;

	if (!find_direct(p, use, offsets, &direct))
		return false;
	ok = direct.owner;
	if (!direct.piece)
		layout_fail(p->ctx, LAYOUT_ERROR_UNSUPPORTED, use->copy->position,
			"%s has no loads to the LDS that kernels use: `by registers`",
			p->target->name);
	else if (direct.why)
		layout_fail(p->ctx, LAYOUT_ERROR_UNSUPPORTED, use->copy->position,
			"a copy of `%s` cannot be direct, with %u bytes a lane: %s; "
			"`by registers`", use->tile->memory->name, direct.piece, direct.why);
	free_direct(&direct);
	return ok;
}

/* Can all copies that have to go directly? */
static bool check_direct(const struct places *p, unsigned i)
{
	const layout_memory *local = p->plan->program->locals[i];
	int64_t *offsets = local_offsets(p->ctx, p->given->locals[i]->storage, local->box,
		local->rank);
	bool ok = offsets;

	for (unsigned u = 0; ok && u < p->use_count; u++)
		if (p->uses[u].local == local && p->uses[u].copy &&
		    p->uses[u].copy->way == LAYOUT_COPY_DIRECT)
			ok = refuse_direct(p, &p->uses[u], offsets);
	free(offsets);
	return ok;
}

static bool find_place(const struct places *p, unsigned i)
{
	layout_memory *local = p->plan->program->locals[i];
	uint64_t least = UINT64_MAX;
	bool ok = try_place(p, local, layout_storage_copy(p->given->locals[i]->storage),
		&least);

	if (ok && local->searched)
		ok = try_swizzles(p, local, &least) && try_padding(p, local, &least);
	if (!ok || p->plan->locals[i].place)
		return ok;
	if (check_direct(p, i))
		layout_fail(p->ctx, LAYOUT_ERROR_UNSUPPORTED, local->position,
			"where the lanes are in `%s` follows from no digits and no XORs of bits",
			local->name);
	return false;
}

static bool check_bytes(struct places *p)
{
	const layout_program *program = p->plan->program;
	int64_t *bytes = &p->plan->object_bytes;

	for (unsigned i = 0; i < program->local_count; i++) {
		p->plan->locals[i].at = *bytes;
		*bytes += p->plan->locals[i].bytes * program->locals[i]->stages;
	}
	if (*bytes <= p->target->lds_most)
		return true;
	layout_fail(p->ctx, LAYOUT_ERROR_UNSUPPORTED, program->locals[0]->position,
		"the objects need %" PRId64 " bytes of LDS, %s has %u", *bytes, p->target->name,
		p->target->lds_most);
	return false;
}

/* What was found for a copy, and what not. */
static bool explain_copy(const struct places *p, const struct use *use,
	const struct directly *direct, bool taken, unsigned loads, unsigned puts)
{
	struct layout_buffer out = { 0 };

	if (direct->owner)
		layout_buffer_printf(&out, "%s in %u accesses of %u bytes a lane",
			taken ? "directly" : "not directly, which is",
			(unsigned)direct_accesses(use, direct), direct->piece);
	else if (use->copy->way == LAYOUT_COPY_REGISTERS)
		layout_buffer_printf(&out, "as it is said");
	else if (direct->piece)
		layout_buffer_printf(&out, "not directly with %u bytes a lane: %s",
			direct->piece, direct->why);
	else
		layout_buffer_printf(&out, "%s has no loads to the LDS that kernels use", p->target->name);
	layout_buffer_printf(&out, "; %sthrough the registers in %u loads and %u puts",
		taken ? "not " : "", loads, puts);
	use->copy->choice = layout_buffer_take(p->ctx, &out);
	return use->copy->choice;
}

/* The way of a copy, now that its object has a place. */
static bool settle_copy(struct places *p, struct use *use)
{
	struct program_plan *plan = p->plan;
	const int64_t *offsets = plan->locals[program_memory_number(plan->program, use->local) -
		plan->program->memory_count].offsets;
	struct directly direct = { NULL, 0, NULL };
	unsigned loads = load_accesses(p, use), puts = 1;
	struct local_access access;
	layout_lds_cost cycles;
	bool ok = (use->copy->way == LAYOUT_COPY_REGISTERS ||
		find_direct(p, use, offsets, &direct)) &&
		build_access(p, use, offsets, &access), taken;

	if (!ok)
		return false;
	puts = access.count / access.vector;
	ok = local_access_cycles(p->ctx, &access, &p->target->chip->lds,
		local_bytes_of(use->tile->type), &cycles);
	local_access_free(&access);
	taken = ok && direct.owner && (use->copy->way == LAYOUT_COPY_DIRECT ||
		direct_cost(p, use, &direct) <= (uint64_t)use->weight * (loads + puts +
		cycles.cycles));
	ok = ok && explain_copy(p, use, &direct, taken, loads, puts);
	if (ok && taken) {
		struct owner *before = plan->owners[use->tile->number];

		plan->owners[use->tile->number] = direct.owner;
		direct.owner = before;
		use->tile->piece = direct.piece;
		free(use->elements);
		use->elements = local_elements(p->ctx, plan->owners[use->tile->number],
			use->local, use->place);
		ok = use->elements && program_plan_renew(p->ctx, plan, use->tile,
			p->target->chip) && indices_move(p->ctx, plan, use->tile, p->target->chip);
	}
	free_direct(&direct);
	return ok;
}

static bool settle_copies(struct places *p)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < p->use_count; i++)
		ok = !p->uses[i].copy || settle_copy(p, &p->uses[i]);
	if (ok)
		direct_find_ahead(p->plan->program);
	return ok;
}

static bool build_accesses(struct places *p)
{
	struct program_plan *plan = p->plan;
	bool ok;

	plan->accesses = layout_alloc(p->ctx, p->use_count, sizeof(*plan->accesses));
	plan->access_count = p->use_count;
	ok = plan->accesses;
	for (unsigned i = 0; ok && i < p->use_count; i++) {
		unsigned number = program_memory_number(plan->program, p->uses[i].local) -
			plan->program->memory_count;

		ok = build_access(p, &p->uses[i], plan->locals[number].offsets,
			&plan->accesses[i]) && local_access_read(p->ctx, &plan->accesses[i]);
	}
	return ok;
}

/* Reductions and conversions through the LDS wait themselves. */
static bool find_waits(const struct places *p)
{
	const struct program_plan *plan = p->plan;
	bool *synchronizes = layout_alloc(p->ctx, plan->tile_count, sizeof(*synchronizes));
	bool ok = synchronizes;

	for (unsigned i = 0; ok && i < plan->tile_count; i++)
		synchronizes[i] = program_plan_synchronizes(plan, plan->program->tiles[i]);
	ok = ok && program_waits_find(p->ctx, plan->program, plan->accesses, synchronizes,
		p->target->chip->code.lands);
	free(synchronizes);
	return ok;
}

bool program_plan_locals(layout_context *ctx, const layout_program *given,
	struct program_plan *plan, const struct plan_target *target)
{
	layout_program *program = plan->program;
	struct places p = { ctx, given, plan, target, 0, NULL };
	bool ok;

	if (!program->local_count)
		return true;
	local_find_stages(program);
	local_find_early(program);
	p.uses = layout_alloc(ctx, PROGRAM_STATEMENTS + program->tile_count,
		sizeof(*p.uses));
	plan->locals = layout_alloc(ctx, program->local_count, sizeof(*plan->locals));
	ok = p.uses && plan->locals;
	if (ok)
		find_uses(&p, &program->body, 1);
	for (unsigned i = 0; ok && i < p.use_count; i++) {
		struct use *use = &p.uses[i];

		use->elements = local_elements(ctx, plan->owners[use->tile->number],
			use->local, use->place);
		ok = use->elements;
	}
	for (unsigned i = 0; ok && i < program->local_count; i++)
		ok = find_place(&p, i);
	ok = ok && check_bytes(&p) && settle_copies(&p) && build_accesses(&p) &&
		find_waits(&p);
	for (unsigned i = 0; i < p.use_count; i++)
		free(p.uses[i].elements);
	free(p.uses);
	return ok;
}
