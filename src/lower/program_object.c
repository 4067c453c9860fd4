/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects in the LDS: put, wait, get. */
#include "lower/branch.h"
#include "lower/permute.h"
#include "lower/program_parts.h"

#include <stdlib.h>

/* An access of an object, "memory" being the copy of this step. */
struct object_access {
	program_scope *body;
	const struct local_access *of;
	const struct element_type *type;
	struct owner_coordinates coordinates;
	LLVMValueRef memory;
};

static LLVMValueRef at(const program_scope *body, LLVMValueRef pointer, LLVMValueRef bytes)
{
	return LLVMBuildInBoundsGEP2(body->b, body->i8, pointer, &bytes, 1, "place");
}

/* The copy that the step of the object's loop has. */
static LLVMValueRef find_memory(const program_scope *body, const layout_memory *local)
{
	unsigned n = program_memory_number(body->plan->program, local) -
		body->plan->program->memory_count;
	int64_t bytes = body->plan->locals[n].bytes;
	LLVMValueRef memory = iteration_object(body->iteration, n, bytes * local->stages);
	LLVMValueRef stage;

	if (local->stages == 1)
		return memory;
	stage = LLVMBuildURem(body->b, body->vars[local->loop->variable],
		program_int(body->i32, local->stages), "stage");
	return at(body, memory, LLVMBuildMul(body->b, stage, program_int(body->i32, bytes),
		""));
}

static struct object_access open_access(program_scope *body, const layout_tile *tile,
	const layout_memory *local, unsigned number)
{
	struct object_access access = { body, &body->plan->accesses[number], tile->type,
		.memory = find_memory(body, local) };

	access.coordinates = program_coordinates(body, &access.of->offsets);
	if (access.coordinates.hw[0] && !access.coordinates.flips) {
		access.memory = at(body, access.memory, LLVMBuildMul(body->b,
			access.coordinates.hw[0], program_int(body->i32,
			local_bytes_of(tile->type)), ""));
		access.coordinates.hw[0] = NULL;
	}
	return access;
}

/* Where the vector of register r begins. */
static LLVMValueRef place_of(const struct object_access *access, unsigned r)
{
	const program_scope *body = access->body;

	return at(body, access->memory, LLVMBuildMul(body->b, owner_coordinate(
		&access->coordinates, r, 0), program_int(body->i32,
		local_bytes_of(access->type)), ""));
}

static unsigned vector_bytes(const struct object_access *access)
{
	return access->of->vector * local_bytes_of(access->type);
}

/* Elements of less than a byte have one. */
static LLVMTypeRef element_type(const struct object_access *access)
{
	return access->type->bits < 8 ? access->body->i8 :
		program_type(access->body, access->type);
}

static void put_vector(const struct object_access *access, const unsigned *order,
	LLVMValueRef *values)
{
	const program_scope *body = access->body;
	LLVMTypeRef element = element_type(access);
	LLVMValueRef vector = LLVMGetPoison(LLVMVectorType(element, access->of->vector));

	for (unsigned k = 0; k < access->of->vector; k++)
		vector = LLVMBuildInsertElement(body->b, vector, LLVMBuildZExtOrBitCast(
			body->b, values[order[k]], element, ""), program_int(body->i32, k),
			"");
	vector = LLVMBuildBitCast(body->b, vector, permute_type(LLVMGetBuilderContext(
		body->b), vector_bytes(access)), "put");
	LLVMSetAlignment(LLVMBuildStore(body->b, vector, place_of(access, *order)),
		vector_bytes(access));
}

bool program_lower_put(program_scope *body, const struct program_statement *put)
{
	struct object_access access = open_access(body, put->tile, put->memory, put->access);
	LLVMValueRef guard = program_guard(body, program_owner(body, put->tile));
	struct branch branch;

	if (guard)
		branch = branch_open(body->iteration, guard, "first");
	for (unsigned i = 0; i < access.of->count; i += access.of->vector)
		put_vector(&access, access.of->order + i, body->values[put->tile->number]);
	if (guard)
		branch_close(body->iteration, &branch);
	return true;
}

static void get_vector(const struct object_access *access, unsigned i, LLVMValueRef *got)
{
	const program_scope *body = access->body;
	unsigned count = access->of->vector;
	LLVMValueRef vector = LLVMBuildLoad2(body->b, permute_type(LLVMGetBuilderContext(
		body->b), vector_bytes(access)), place_of(access, access->of->order[i]),
		"got");

	LLVMSetAlignment(vector, vector_bytes(access));
	vector = LLVMBuildBitCast(body->b, vector, LLVMVectorType(element_type(access),
		count), "elements");
	for (unsigned k = 0; k < count; k++)
		got[i + k] = LLVMBuildTruncOrBitCast(body->b, LLVMBuildExtractElement(
			body->b, vector, program_int(body->i32, k), ""),
			program_type(body, access->type), "");
}

bool program_lower_get(program_scope *body, const layout_tile *tile)
{
	struct object_access access = open_access(body, tile, tile->memory, tile->access);
	LLVMValueRef *values = program_make_values(body, tile);
	LLVMValueRef *got = layout_alloc(body->ctx, access.of->count, sizeof(*got));

	for (unsigned i = 0; values && got && i < access.of->count; i += access.of->vector)
		get_vector(&access, i, got);
	for (unsigned r = 0; values && got && r < program_registers_of(body, tile); r++)
		values[r] = got[access.of->same[r]];
	free(got);
	return values && got;
}

void program_lower_wait(const program_scope *body, enum program_wait wait)
{
	const struct target_hooks *hooks = body->iteration->kernel->hooks;

	if (wait == WAIT_WORKGROUP)
		hooks->barrier(body->b);
	else if (wait == WAIT_WAVE)
		hooks->wave_barrier(body->b);
}
