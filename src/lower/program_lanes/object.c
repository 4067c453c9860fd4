/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects in the LDS: put, wait, get. */
#include "lower/branch.h"
#include "lower/program_lanes/local.h"
#include "lower/tile/permute.h"

#include <stdlib.h>

/* An access of an object.  The offset of register r is that of the lane, to which r's own is
 * added, or XORed: bits of it that no lane has are added, too.  "bases" has the lane's place
 * for each of the other bits that there are, "masks"; it does not change in a loop, and
 * "stage" has the bytes up to the copy of this step. */
struct object_access {
	program_scope *body;
	const struct local_access *of;
	const layout_memory *local;
	const struct element_type *type;
	struct owner_coordinates coordinates;
	LLVMValueRef memory, stage;
	int64_t lanes;			/* the bits that lanes have, where they are XORs */
	unsigned base_count;
	int64_t *masks;
	LLVMValueRef *bases;
};

static LLVMValueRef at(const program_scope *body, LLVMValueRef pointer, LLVMValueRef bytes)
{
	return LLVMBuildInBoundsGEP2(body->b, body->i8, pointer, &bytes, 1, "place");
}

/* The bits of offsets in which lanes of any subgroup differ from the first. */
static int64_t lane_bits(const struct owner *offsets)
{
	int64_t hw[OWNER_PARTS] = { 0 }, first, offset, bits = 0;

	owner_point(offsets, hw, &first);
	for (; hw[OWNER_SUBGROUP] < offsets->extent[OWNER_SUBGROUP]; hw[OWNER_SUBGROUP]++)
		for (hw[OWNER_LANE] = 0; hw[OWNER_LANE] < offsets->extent[OWNER_LANE];
		     hw[OWNER_LANE]++) {
			owner_point(offsets, hw, &offset);
			bits |= first ^ offset;
		}
	return bits;
}

static void close_access(struct object_access *access)
{
	free(access->masks);
	free(access->bases);
}

/* False without memory; close in both cases. */
static bool open_access(struct object_access *access, program_scope *body,
	const layout_tile *tile, const layout_memory *local, unsigned number)
{
	const struct local_access *of = &body->plan->accesses[number];
	LLVMBasicBlockRef here;

	*access = (struct object_access){ body, of, local, tile->type,
		.memory = program_local_object(body, local),
		.stage = program_local_stage(body, local),
		.lanes = lane_bits(&of->offsets),
		.masks = layout_alloc(body->ctx, of->count, sizeof(*access->masks)),
		.bases = layout_alloc(body->ctx, of->count, sizeof(*access->bases)) };
	here = program_go_before(body);
	access->coordinates = program_coordinates(body, &of->offsets);
	program_go_back(body, here);
	return access->masks && access->bases;
}

/* The place of the lane for registers whose offset has these bits of the lanes'. */
static LLVMValueRef base_of(struct object_access *access, int64_t mask)
{
	const program_scope *body = access->body;
	LLVMBasicBlockRef here;
	LLVMValueRef offset = access->coordinates.hw[0], base;

	for (unsigned i = 0; i < access->base_count; i++)
		if (access->masks[i] == mask)
			return access->bases[i];
	here = program_go_before(body);
	if (offset && mask)
		offset = LLVMBuildXor(body->b, offset, lower_int(body->i32, mask), "");
	offset = offset ? offset : lower_int(body->i32, mask);
	base = at(body, access->memory, LLVMBuildMul(body->b, offset, lower_int(body->i32,
		local_bytes_of(access->type)), ""));
	program_go_back(body, here);
	if (access->stage)
		base = at(body, base, access->stage);
	access->masks[access->base_count] = mask;
	return access->bases[access->base_count++] = base;
}

/* Where the vector of register r begins. */
static LLVMValueRef place_of(struct object_access *access, unsigned r)
{
	int64_t own = owner_register(&access->coordinates, r, 0);
	int64_t mask = access->coordinates.flips ? own & access->lanes : 0;

	return at(access->body, base_of(access, mask), lower_int(access->body->i32,
		(own - mask) * local_bytes_of(access->type)));
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

static void put_vector(struct object_access *access, const unsigned *order,
	LLVMValueRef *values)
{
	const program_scope *body = access->body;
	LLVMTypeRef element = element_type(access);
	LLVMValueRef vector = LLVMGetPoison(LLVMVectorType(element, access->of->vector)), put;

	for (unsigned k = 0; k < access->of->vector; k++)
		vector = LLVMBuildInsertElement(body->b, vector, LLVMBuildZExtOrBitCast(
			body->b, values[order[k]], element, ""), lower_int(body->i32, k),
			"");
	vector = LLVMBuildBitCast(body->b, vector, permute_type(LLVMGetBuilderContext(
		body->b), vector_bytes(access)), "put");
	put = LLVMBuildStore(body->b, vector, place_of(access, *order));
	LLVMSetAlignment(put, vector_bytes(access));
	program_local_tell(body, put, access->local);
}

bool program_lower_put(program_scope *body, const struct program_statement *put)
{
	struct object_access access;
	LLVMValueRef guard = program_guard(body, program_owner(body, put->tile));
	struct branch branch;
	bool ok = open_access(&access, body, put->tile, put->memory, put->access);

	if (guard)
		branch = branch_open(body->iteration, guard, "first");
	for (unsigned i = 0; ok && i < access.of->count; i += access.of->vector)
		put_vector(&access, access.of->order + i, body->values[put->tile->number]);
	if (guard)
		branch_close(body->iteration, &branch);
	close_access(&access);
	return ok;
}

/* Elements of a vector, as one or as many. */
static LLVMValueRef load_vector(struct object_access *access, unsigned i, LLVMTypeRef type)
{
	const program_scope *body = access->body;
	const struct target_hooks *hooks = body->iteration->kernel->hooks;
	unsigned bytes = vector_bytes(access);
	LLVMValueRef vector;

	if (access->of->turned)
		return hooks->load_turned(body->b, type, place_of(access, i /
			access->of->vector));
	vector = LLVMBuildLoad2(body->b, permute_type(LLVMGetBuilderContext(body->b), bytes),
		place_of(access, access->of->order[i]), "got");
	LLVMSetAlignment(vector, bytes);
	return vector;
}

static void get_vector(struct object_access *access, unsigned i, LLVMValueRef *got)
{
	const program_scope *body = access->body;
	unsigned count = access->of->vector;
	LLVMTypeRef type = LLVMVectorType(element_type(access), count);
	LLVMValueRef vector = load_vector(access, i, type);

	program_local_tell(body, vector, access->local);
	vector = LLVMBuildBitCast(body->b, vector, type, "elements");
	for (unsigned k = 0; k < count; k++)
		got[i + k] = LLVMBuildTruncOrBitCast(body->b, LLVMBuildExtractElement(
			body->b, vector, lower_int(body->i32, k), ""),
			program_type(body, access->type), "");
}

bool program_lower_get(program_scope *body, const layout_tile *tile)
{
	struct object_access access;
	bool ok = open_access(&access, body, tile, tile->memory, tile->access);
	LLVMValueRef *values = program_make_values(body, tile);
	LLVMValueRef *got = layout_alloc(body->ctx, access.of->count, sizeof(*got));

	ok = ok && values && got;
	for (unsigned i = 0; ok && i < access.of->count; i += access.of->vector)
		get_vector(&access, i, got);
	for (unsigned r = 0; ok && r < program_registers_of(body, tile); r++)
		values[r] = got[access.of->same[r]];
	free(got);
	close_access(&access);
	return ok;
}

void program_lower_wait(program_scope *body, const struct program_statement *before)
{
	const struct target_hooks *hooks = body->iteration->kernel->hooks;
	const struct program_landing *landing = &before->direct;
	enum program_wait wait = body->direct ? landing->wait : before->wait;

	if (wait == WAIT_NONE)
		return;
	program_on(body, 0);
	if (body->direct) {
		hooks->land(body->b, landing->copies > 0 && !body->steady ? 0 :
			landing->copies, landing->accesses);
		hooks->meet(body->b, wait == WAIT_WORKGROUP);
	} else if (wait == WAIT_WORKGROUP) {
		hooks->barrier(body->b);
	} else {
		hooks->wave_barrier(body->b);
	}
}
