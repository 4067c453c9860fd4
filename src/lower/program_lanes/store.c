/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/program_lanes/access_parts.h"
#include "lower/branch.h"
#include "program/bytes.h"

/* Registers that hold what others hold are not stored. */
static void drop_copies(struct program_access *access)
{
	struct access_split *split = &access->split;
	unsigned kept = 0;

	for (unsigned i = 0; i < split->count; i++)
		if (program_guard_register(access->owner, split->order[i]))
			split->order[kept++] = split->order[i];
	split->count = kept;
}

static void store_runs(struct program_access *access, LLVMValueRef *values)
{
	const struct access_split *split = &access->split;
	LLVMBuilderRef b = access->body->b;

	for (unsigned i = 0; i < split->count;) {
		unsigned run = access_split_run(split, access->memory, i, access_most(access));
		LLVMValueRef value = access_join(access, split->order + i, run, values), stored;

		stored = LLVMBuildStore(b, value, access_start(access, i));
		LLVMSetAlignment(stored, access_align(access, run));
		i += run;
	}
}

static void store_wide(struct program_access *access, LLVMValueRef *values)
{
	access->wide = true;
	store_runs(access, values);
}

static void store_split(struct program_access *access, LLVMValueRef *values)
{
	access->wide = false;
	store_runs(access, values);
}

static void store_whole(struct program_access *access, LLVMValueRef *values)
{
	access_runs(access, store_wide, store_split, values);
}

static void store_near(struct program_access *access, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	const layout_kernel *kernel = body->iteration->kernel;
	LLVMValueRef none = lower_int(body->i32, 0);

	program_access_begin(access, 1);
	for (unsigned i = 0; i < access->split.count; i++) {
		unsigned r = access->split.order[i];

		kernel->hooks->buffer_store(body->b, values[r],
			program_access_buffer(access, r),
			program_access_offset(access, r, program_access_inside(access, r)), none);
	}
}

static void store_far(struct program_access *access, LLVMValueRef *values)
{
	const program_scope *body = access->body;

	for (unsigned i = 0; i < access->split.count; i++) {
		unsigned r = access->split.order[i];
		LLVMValueRef inside, offset = program_access_find(access, r, &inside);
		struct branch branch = branch_open(body->iteration, inside, "inside");
		LLVMValueRef stored = LLVMBuildStore(body->b, values[r],
			access_element(access, offset));

		LLVMSetAlignment(stored, access->type->bits / 8);
		branch_close(body->iteration, &branch);
	}
}

/* The lowest bits first; what is outside is 0. */
static LLVMValueRef join_bits(const struct program_access *access, const unsigned *order,
	const LLVMValueRef *inside, unsigned count, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	LLVMValueRef word = lower_int(body->i32, 0);

	for (unsigned j = 0; j < count; j++) {
		LLVMValueRef bits = LLVMBuildZExt(body->b, values[order[j]], body->i32, "");

		bits = LLVMBuildShl(body->b, bits, lower_int(body->i32,
			j * access->type->bits), "");
		word = LLVMBuildOr(body->b, word, LLVMBuildSelect(body->b, inside[j], bits,
			lower_int(body->i32, 0), ""), "");
	}
	return word;
}

/* The bytes of which some element is inside. */
static void store_group(const struct program_access *access, const unsigned *order,
	LLVMValueRef *values)
{
	const program_scope *body = access->body;
	unsigned bits = access->type->bits, count = program_byte_elements(access->type);
	LLVMValueRef inside[4], first = NULL, word;

	for (unsigned j = 0; j < count; j++) {
		LLVMValueRef offset = program_access_find(access, order[j], &inside[j]);

		first = first ? first : offset;
	}
	word = join_bits(access, order, inside, count, values);
	first = LLVMBuildLShr(body->b, LLVMBuildMul(body->b, first, lower_int(body->i64,
		bits), ""), lower_int(body->i64, 3), "");
	for (unsigned byte = 0; byte < count * bits / 8; byte++) {
		struct branch branch = branch_open(body->iteration, inside[8 * byte / bits],
			"inside");
		LLVMValueRef at = LLVMBuildAdd(body->b, first, lower_int(body->i64, byte),
			""), value = LLVMBuildLShr(body->b, word, lower_int(body->i32,
			8 * byte), "");

		LLVMBuildStore(body->b, LLVMBuildTrunc(body->b, value, body->i8, ""),
			LLVMBuildGEP2(body->b, body->i8, access->pointer, &at, 1, ""));
		branch_close(body->iteration, &branch);
	}
}

static void store_bytes(const struct program_access *access, LLVMValueRef *values)
{
	unsigned count = program_byte_elements(access->type);

	for (unsigned i = 0; i < access->split.count; i += count)
		store_group(access, access->split.order + i, values);
}

/* Where a store goes is computed when there is something to store: before, loads want the
 * registers. */
static void store_even(struct program_access *access, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	const layout_kernel *kernel = body->iteration->kernel;
	LLVMValueRef none = lower_int(body->i32, 0);
	unsigned vector = access_even_vector(access);

	kernel->hooks->fence(body->b);
	program_access_begin(access, vector);
	for (unsigned i = 0; i < access->split.count; i += vector) {
		const unsigned *order = access->split.order + i;
		LLVMValueRef inside = program_access_inside(access, order[0]);
		LLVMValueRef words = LLVMBuildBitCast(body->b, access_join(access, order, vector,
			values), access_words_type(access, vector), "");

		kernel->hooks->buffer_store(body->b, words, program_access_buffer(access,
			order[0]), program_access_offset(access, order[0], inside), none);
	}
}

static void store_buffered(struct program_access *access, LLVMValueRef *values)
{
	unsigned vector = access_even_vector(access);
	struct program_rounds rounds;

	if (!program_rounds_open(access, &rounds, 0))
		return;
	if (vector > 1)
		access_ways(access, program_access_is_even(access, vector), store_even,
			store_near, values);
	else
		store_near(access, values);
	program_rounds_close(access, &rounds, NULL);
}

static void store_masked(struct program_access *access, LLVMValueRef *values)
{
	const layout_kernel *kernel = access->body->iteration->kernel;

	if (!chip_of(kernel->target)->code.buffers)
		store_far(access, values);
	else
		access_ways(access, program_access_fits(access), store_buffered, store_far,
			values);
}

static void store_ways(struct program_access *access, LLVMValueRef *values)
{
	if (access->type->bits % 8)
		store_bytes(access, values);
	else if (access->split.apart && access->body->whole)
		store_whole(access, values);
	else if (access->split.apart && access_is_edge(access))
		store_masked(access, values);
	else if (access->split.apart)
		access_ways(access, access_is_whole(access), store_whole, store_masked, values);
	else
		store_far(access, values);
}

/* Do several lanes have what it says of one; those beyond its own have what others do. */
static bool is_shared(const program_scope *body, const layout_tile *tile)
{
	const struct owner *owner = program_owner(body, tile);

	return owner_is_replicated(owner) ||
		owner->extent[OWNER_SUBGROUP] < program_tile_waves(tile) ||
		owner->extent[OWNER_LANE] < body->plan->wave_size;
}

/* Lanes load what other lanes store: all loads come before. */
static bool waits_for_loads(const program_scope *body,
	const struct program_statement *store)
{
	const layout_program *program = body->plan->program;
	const struct owner *owner = program_owner(body, store->tile);

	for (unsigned i = 0; i < program->tile_count; i++) {
		const layout_tile *tile = program->tiles[i];

		if (tile->op == TILE_LOAD && tile->memory == store->memory &&
		    (tile->workers != store->tile->workers ||
		    is_shared(body, tile) || !owner_equal(program_owner(body, tile), owner)))
			return true;
	}
	return false;
}

/* All waves', whoever stores. */
static void await_loads(program_scope *body, const struct program_statement *store)
{
	const struct target_hooks *hooks = body->iteration->kernel->hooks;

	program_on(body, 0);
	if (hooks->loaded)
		hooks->loaded(body->b);
	hooks->barrier(body->b);
	program_on(body, store->tile->workers);
}

bool program_lower_store(program_scope *body, const struct program_statement *store)
{
	LLVMValueRef *values;
	struct program_access access;
	struct branch branch;
	LLVMValueRef guard;
	bool ok;

	if (waits_for_loads(body, store))
		await_loads(body, store);
	values = body->values[store->tile->number];
	ok = program_access_open(&access, body, store->tile, store->memory, &store->place);
	if (ok)
		drop_copies(&access);
	guard = ok ? program_guard(body, access.owner) : NULL;
	if (guard)
		branch = branch_open(body->iteration, guard, "first");
	if (ok)
		store_ways(&access, values);
	if (guard)
		branch_close(body->iteration, &branch);
	program_access_free(&access);
	return ok;
}
