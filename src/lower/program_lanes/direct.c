/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies to the LDS that pass no registers.  Where tiles stick out of the memory, lanes whose
 * piece is outside load from where the buffer has nothing, which is 0.
 *
 * In a loop whose objects have copies for several steps, those of a step are made as many
 * steps ahead as others have room, once all waves are done with what was there.  Turns of
 * as many steps as there are copies know which one each has. */
#include "lower/branch.h"
#include "lower/program_lanes/access_parts.h"
#include "lower/program_lanes/local.h"
#include "program/direct.h"

/* Where instruction "i" of the wave puts its pieces: the first lane's place. */
static LLVMValueRef place_of(const program_scope *body, const struct local_access *access,
	LLVMValueRef object, unsigned r, unsigned bytes)
{
	struct owner_hardware first = body->hardware;
	struct owner_coordinates at;
	LLVMValueRef offset;

	first.lane = lower_int(body->i32, 0);
	owner_coordinates(&at, body->b, &first, &access->offsets);
	offset = LLVMBuildMul(body->b, owner_coordinate(&at, r, 0), lower_int(body->i32,
		bytes), "");
	return LLVMBuildInBoundsGEP2(body->b, body->i8, object, &offset, 1, "place");
}

static LLVMValueRef find_object(const program_scope *body, const layout_memory *local)
{
	LLVMValueRef object = program_local_object(body, local);
	LLVMValueRef stage = program_local_stage(body, local);

	return stage ? LLVMBuildInBoundsGEP2(body->b, body->i8, object, &stage, 1, "") : object;
}

static void copy_piece(struct program_access *access, const struct program_statement *copy,
	LLVMValueRef buffer, LLVMValueRef object, unsigned r)
{
	const program_scope *body = access->body;
	LLVMValueRef same, lanes = program_access_lanes(access, r, &same), piece;

	piece = body->iteration->kernel->hooks->copy(body->b, buffer, place_of(body,
		&body->plan->accesses[copy->access], object, r, local_bytes_of(access->type)),
		copy->tile->piece, lanes, same);
	program_local_tell(body, piece, copy->memory);
}

static bool copy_tile(program_scope *body, const struct program_statement *copy)
{
	const layout_tile *tile = copy->tile;
	unsigned vector = tile->piece / local_bytes_of(tile->type);
	LLVMValueRef guard = program_guard(body, program_owner(body, tile)), buffer, object;
	struct program_access access;
	struct branch branch;
	bool ok = program_access_open(&access, body, tile, tile->memory, &tile->place);

	if (ok && guard)
		branch = branch_open(body->iteration, guard, "first");
	if (ok) {
		buffer = program_access_window(&access);
		object = find_object(body, copy->memory);
		for (unsigned r = 0; r < program_registers_of(body, tile); r += vector)
			copy_piece(&access, copy, buffer, object, r);
	}
	if (ok && guard)
		branch_close(body->iteration, &branch);
	program_access_free(&access);
	return ok;
}

/* The copy of the step at this counter, for that copy of the object, or -1. */
static bool copy_for(program_scope *body, const struct program_statement *copy,
	LLVMValueRef counter, int stage)
{
	LLVMValueRef before = body->vars[body->ring->variable];
	int stage_before = body->stage;
	bool ok;

	body->vars[body->ring->variable] = counter;
	body->stage = stage;
	ok = copy_tile(body, copy);
	body->stage = stage_before;
	body->vars[body->ring->variable] = before;
	return ok;
}

static bool copy_if_there(program_scope *body, const struct program_statement *copy,
	LLVMValueRef counter, int stage)
{
	struct branch branch = branch_open(body->iteration, LLVMBuildICmp(body->b, LLVMIntSLT,
		counter, body->steps, ""), "ahead");
	bool ok = copy_for(body, copy, counter, stage);

	branch_close(body->iteration, &branch);
	return ok;
}

bool program_lower_direct(program_scope *body, const struct program_statement *copy)
{
	LLVMValueRef counter;

	if (!copy->ahead)
		return copy_tile(body, copy);
	counter = LLVMBuildNUWAdd(body->b, body->vars[body->ring->variable],
		lower_int(body->i32, copy->ahead), "");
	return body->steady ? copy_for(body, copy, counter, (body->stage + (int)copy->ahead) %
		(int)copy->memory->stages) : copy_if_there(body, copy, counter, -1);
}

bool program_has_ahead(const program_scope *body, const struct program_statement *loop)
{
	bool ahead = false;

	for (unsigned i = 0; body->direct && i < loop->body.count; i++)
		ahead = ahead || loop->body.statements[i].ahead;
	return ahead;
}

bool program_begin_ahead(program_scope *body)
{
	const struct program_statement *loop = body->ring;
	bool ok = true;

	for (unsigned step = 0; step + 1 < loop->stages; step++)
		for (unsigned i = 0; ok && i < loop->body.count; i++) {
			const struct program_statement *copy = &loop->body.statements[i];

			if (!copy->ahead)
				continue;
			program_on(body, copy->tile->workers);
			ok = copy_if_there(body, copy, lower_int(body->i32, step), (int)step);
		}
	program_on(body, 0);
	return ok;
}

/* ---- may they be direct? */

static LLVMValueRef divides(const program_scope *body, LLVMValueRef value, unsigned by)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	return LLVMBuildICmp(body->b, LLVMIntEQ, LLVMBuildURem(body->b, value, lower_int(type,
		by), ""), lower_int(type, 0), "");
}

/* Offsets in the tile fit 31 bits, as does what a loop moves it by, which has half of that; or all
 * of the memory does. */
static LLVMValueRef is_near(const program_scope *body, const layout_tile *tile, LLVMValueRef holds)
{
	const struct storage_access *memory = &body->plan->memories[program_memory_number(
		body->plan->program, tile->memory)];
	const struct owner *owner = program_plan_access(body->plan, tile->memory, tile);
	int64_t bytes = local_bytes_of(tile->type);

	if (!direct_goes_apart(memory, program_plan_place(body->plan, tile->memory, tile,
	    &tile->place)))
		return both(body, holds, LLVMBuildICmp(body->b, LLVMIntULE, program_uniform(body,
			memory->elements), lower_int(body->i64, TARGET_WINDOW / bytes - 1), ""));
	for (unsigned k = 0; k < memory->slot_count; k++)
		if (memory->digits[k].dim < owner->rank)
			holds = both(body, holds, LLVMBuildICmp(body->b, LLVMIntULE,
				program_uniform(body, memory->pitch[k]), lower_int(body->i64,
				INT32_MAX / 2 / (owner->box[memory->digits[k].dim] *
				memory->slot_count * bytes + 16)), ""));
	return holds;
}

/* Rows begin with words, or with pieces where accesses must be aligned, and end with whole
 * pieces. */
static LLVMValueRef can_copy(const program_scope *body, const layout_tile *tile,
	LLVMValueRef holds)
{
	unsigned number = program_memory_number(body->plan->program, tile->memory);
	const struct storage_access *memory = &body->plan->memories[number];
	unsigned bytes = local_bytes_of(tile->type), last = memory->slot_count - 1;
	bool aligned = chip_of(body->iteration->kernel->target)->code.aligned;
	unsigned align = aligned ? tile->piece : 4;

	holds = both(body, holds, divides(body, LLVMBuildPtrToInt(body->b,
		body->pointers[number], body->i64, ""), align));
	if (tile->piece > bytes)
		holds = both(body, holds, divides(body, program_uniform(body,
			memory->size[memory->digits[last].dim]), tile->piece / bytes));
	for (unsigned k = 0; k < last && bytes < align; k++)
		holds = both(body, holds, divides(body, program_uniform(body,
			memory->pitch[k]), align / bytes));
	return is_near(body, tile, holds);
}

static LLVMValueRef can_all(const program_scope *body, const struct program_body *statements,
	LLVMValueRef holds)
{
	for (unsigned i = 0; i < statements->count; i++) {
		const struct program_statement *of = &statements->statements[i];

		if (of->kind == STATEMENT_PUT && of->tile->piece)
			holds = can_copy(body, of->tile, holds);
		holds = can_all(body, &of->body, holds);
	}
	return holds;
}

LLVMValueRef program_can_direct(const program_scope *body)
{
	return can_all(body, &body->plan->program->body, NULL);
}
