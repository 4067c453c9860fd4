/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places of objects in the LDS: that which is given, or the one of some that all accesses of
 * the object take least time with. */
#include "kernel/program_plan.h"
#include "program/owners.h"
#include "program/waits.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LDS_ALIGN = 16, DEEPER = 8, MOST_WEIGHT = 512 };

/* An access of an object: "weight" says how deep in loops it is. */
struct use {
	const layout_tile *tile;
	const layout_memory *local;
	const struct program_place *place;
	bool put;
	unsigned weight;
	uint32_t *elements;
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
				&of->place, true, weight, NULL };
		else if (of->kind == STATEMENT_TILE && tile->op == TILE_GET)
			p->uses[p->use_count++] = (struct use){ tile, tile->memory,
				&tile->place, false, weight, NULL };
		find_uses(p, &of->body, loop && weight < MOST_WEIGHT ? DEEPER * weight :
			weight);
	}
}

static bool build_access(const struct places *p, const struct use *use,
	const int64_t *offsets, struct local_access *access)
{
	return local_access_build(p->ctx, access, p->plan->owners[use->tile->number],
		use->elements, offsets, local_bytes_of(use->tile->type), use->put);
}

/* Instructions and cycles of the LDS that an access takes; false with an error. */
static bool count_use(const struct places *p, const struct use *use, const int64_t *offsets,
	uint64_t *cost)
{
	struct local_access access;
	layout_lds_cost cycles;
	bool ok = build_access(p, use, offsets, &access) && local_access_cycles(p->ctx,
		&access, &p->target->chip->lds, local_bytes_of(use->tile->type), &cycles);

	if (ok)
		*cost += (uint64_t)use->weight * (cycles.cycles +
			access.count / access.vector);
	local_access_free(&access);
	return ok;
}

/* What all accesses of an object take; false with an error. */
static bool count_uses(const struct places *p, const layout_memory *local,
	const int64_t *offsets, uint64_t *cost)
{
	bool ok = true;

	*cost = 0;
	for (unsigned i = 0; ok && i < p->use_count; i++)
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

/* Take the place if it is the first, or takes less than the best until now.  Consumes the
 * storage; false with an error. */
static bool try_place(const struct places *p, const layout_memory *local,
	layout_storage *place, uint64_t *least)
{
	struct plan_local *best = &p->plan->locals[program_memory_number(p->plan->program,
		local) - p->plan->program->memory_count];
	int64_t *offsets = place ? local_offsets(p->ctx, place, local->box, local->rank) :
		NULL;
	int64_t elements = place ? layout_storage_elements(place, NULL, 0) : -1;
	uint64_t cost = 0;
	bool ok = offsets && elements >= 0, better;

	better = ok && count_uses(p, local, offsets, &cost) && cost < *least &&
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
		offsets = NULL;
	}
	free(offsets);
	layout_storage_free(place);
	return ok;
}

static layout_storage *parse(const struct places *p, struct layout_buffer *out)
{
	char *text = layout_buffer_take(p->ctx, out);
	layout_storage *place = text ? layout_storage_parse(p->ctx, text) : NULL;

	free(text);
	return place;
}

static void print_box(struct layout_buffer *out, const char *name,
	const layout_memory *local)
{
	layout_buffer_printf(out, "%s[", name);
	for (unsigned d = 0; d < local->rank; d++)
		layout_buffer_printf(out, "%s%" PRId64, d ? ", " : "", local->box[d]);
}

/* XORs of chunks of 4 to 16 bytes, by rows of 64 to 256. */
static bool try_swizzles(const struct places *p, const layout_memory *local,
	uint64_t *least)
{
	int64_t count = program_local_elements(local), size = local_bytes_of(local->type);
	bool ok = true;

	for (int64_t chunk = 16 / size; ok && chunk * size >= 4; chunk /= 2)
		for (int64_t row = 64 / size; ok && row * size <= 256; row *= 2) {
			struct layout_buffer out = { 0 };

			if (!chunk || count % (row * (row / chunk)))
				continue;
			print_box(&out, "swizzled(row_major", local);
			layout_buffer_printf(&out, "], xor_shuffle<%" PRId64 ", %" PRId64
				">)", row, chunk);
			ok = try_place(p, local, parse(p, &out), least);
		}
	return ok;
}

/* Rows with 4 to 16 bytes behind each. */
static bool try_padding(const struct places *p, const layout_memory *local, uint64_t *least)
{
	int64_t size = local_bytes_of(local->type);
	bool ok = true;

	for (int64_t skipped = 16; ok && local->rank > 1 && skipped >= 4; skipped /= 2) {
		struct layout_buffer out = { 0 };
		int64_t strides[PROGRAM_RANK], stride = 1;

		if (skipped % size)
			continue;
		for (unsigned d = local->rank; d-- > 0;) {
			strides[d] = stride;
			stride *= local->box[d];
			stride += d == local->rank - 1 ? skipped / size : 0;
		}
		print_box(&out, "strided", local);
		for (unsigned d = 0; d < local->rank; d++)
			layout_buffer_printf(&out, "%s%" PRId64, d ? ", " : " : ",
				strides[d]);
		layout_buffer_printf(&out, "]");
		ok = try_place(p, local, parse(p, &out), least);
	}
	return ok;
}

static bool find_place(const struct places *p, unsigned i)
{
	const layout_memory *local = p->plan->program->locals[i];
	uint64_t least = UINT64_MAX;
	bool ok = try_place(p, local, layout_storage_copy(p->given->locals[i]->storage),
		&least);

	if (ok && local->searched)
		ok = try_swizzles(p, local, &least) && try_padding(p, local, &least);
	if (ok && !p->plan->locals[i].place) {
		layout_fail(p->ctx, LAYOUT_ERROR_UNSUPPORTED, local->position,
			"where the lanes are in `%s` follows from no digits and no XORs of bits",
			local->name);
		ok = false;
	}
	return ok;
}

static bool check_bytes(struct places *p)
{
	const layout_program *program = p->plan->program;
	int64_t *bytes = &p->plan->object_bytes;

	for (unsigned i = 0; i < program->local_count; i++)
		*bytes += p->plan->locals[i].bytes * program->locals[i]->stages;
	if (*bytes <= p->target->lds_bytes)
		return true;
	layout_fail(p->ctx, LAYOUT_ERROR_UNSUPPORTED, program->locals[0]->position,
		"the objects need %" PRId64 " bytes of LDS, %s has %u", *bytes, p->target->name,
		p->target->lds_bytes);
	return false;
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
		plan->waves);
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
	ok = ok && check_bytes(&p) && build_accesses(&p) && find_waits(&p);
	for (unsigned i = 0; i < p.use_count; i++)
		free(p.uses[i].elements);
	free(p.uses);
	return ok;
}
