/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What can be said of all of a tile at once: whether offsets fit 32 bits, and whether the
 * memory has room for it. */
#include "lower/program_lanes/access_parts.h"

/* Is the digit of registers alone, whose pitch is no constant?  A base has room for that. */
static bool is_row(const struct program_access *access, unsigned k)
{
	unsigned dim = access->memory->digits[k].dim;

	return dim < access->owner->rank && !LLVMIsAConstantInt(access->pitch[k]) &&
		!access->coordinates.hw[dim];
}

int64_t program_access_most(const struct program_access *access, unsigned k)
{
	const struct digit *digit = &access->memory->digits[k];
	int64_t most;

	if (digit->dim >= access->owner->rank || is_row(access, k))
		return 0;
	most = (access->owner->box[digit->dim] - 1) / digit->step;
	return digit->radix && digit->radix - 1 < most ? digit->radix - 1 : most;
}

static LLVMValueRef is_aligned(const struct program_access *access, unsigned d,
	LLVMValueRef at)
{
	const program_scope *body = access->body;

	return compare(body, LLVMIntEQ, LLVMBuildSRem(body->b, at, lower_int(body->i64,
		access->split.align[d]), ""), lower_int(body->i64, 0));
}

/* The most that a pitch may be where the tile's digit is so much at most. */
static int64_t most_pitch(const struct program_access *access, int64_t most)
{
	return INT32_MAX / (most * access->memory->slot_count * element_bytes(access) + 16);
}

static LLVMValueRef near_pitch(const struct program_access *access, unsigned k)
{
	bool narrow = expression_is_narrow(access->memory->pitch[k]);

	return LLVMBuildTruncOrBitCast(access->body->b, access->pitch[k],
		narrow ? access->body->i32 : access->body->i64, "");
}

static LLVMValueRef is_pitch_near(const struct program_access *access, unsigned k,
	int64_t most)
{
	LLVMValueRef pitch = near_pitch(access, k);

	return compare(access->body, LLVMIntULE, pitch, lower_int(LLVMTypeOf(pitch),
		most_pitch(access, most)));
}

/* Offsets inside of the tile fit 32 bits. */
static LLVMValueRef are_offsets_near(const struct program_access *access)
{
	LLVMValueRef near = NULL;

	for (unsigned k = 0; k < access->memory->slot_count; k++) {
		int64_t most = program_access_most(access, k);

		if (most)
			near = both(access->body, near, is_pitch_near(access, k, most));
	}
	return near;
}

LLVMValueRef program_access_is_near(const struct program_access *access)
{
	return yes(access->body, are_offsets_near(access));
}

/* A pitch that is a constant is of no use where rows go one after the other. */
LLVMValueRef program_access_fits(const struct program_access *access)
{
	const program_scope *body = access->body;
	LLVMValueRef fits = NULL;

	for (unsigned d = 0; d < access->owner->rank; d++)
		if (access->split.align[d] > 1)
			fits = both(body, fits, is_aligned(access, d, access->at[d]));
	for (unsigned k = 0; k < access->memory->slot_count; k++) {
		int64_t most = program_access_most(access, k);

		if (most && LLVMIsAConstantInt(access->pitch[k]))
			fits = both(body, fits, is_pitch_near(access, k, most));
	}
	return yes(body, fits);
}

/* Bytes that a step in a moving dimension is worth at most. */
static int64_t constant_pitch(const struct program_access *access, unsigned d)
{
	int64_t most = 1;

	for (unsigned k = 0; k < access->memory->slot_count; k++)
		if (access->memory->digits[k].dim == d && !access->memory->digits[k].radix &&
		    LLVMConstIntGetSExtValue(access->pitch[k]) > most)
			most = LLVMConstIntGetSExtValue(access->pitch[k]);
	return most * element_bytes(access) * access->memory->slot_count;
}

/* Are position and size in 32 bits, and what one has of the other without the box? */
static bool is_narrow(const struct program_access *access, unsigned d)
{
	const struct index *at = access->place->at[d].index;

	return at->min >= 0 && expression_is_narrow(at) &&
		at->max + access->owner->box[d] <= (int64_t)INT32_MAX + 1 &&
		expression_is_narrow(access->memory->size[d]) &&
		access->memory->size[d]->min >= 0;
}

/* What the memory has from the tile's first element on. */
static LLVMValueRef narrow_room(const struct program_access *access, unsigned d)
{
	const program_scope *body = access->body;

	return LLVMBuildNSWSub(body->b,
		LLVMBuildTrunc(body->b, access->size[d], body->i32, ""),
		LLVMBuildTrunc(body->b, access->at[d], body->i32, ""), "room");
}

static LLVMValueRef is_wide_inside(const struct program_access *access, unsigned d)
{
	const program_scope *body = access->body;
	LLVMValueRef end = LLVMBuildAdd(body->b, access->at[d], lower_int(body->i64,
		access->owner->box[d]), "");
	LLVMValueRef inside = compare(body, LLVMIntSLE, end, access->size[d]);

	return access->place->at[d].index->min >= 0 ? inside : both(body, inside, compare(
		body, LLVMIntSGE, access->at[d], lower_int(body->i64, 0)));
}

/* By the bounds of what the pitch is made of. */
static bool is_always_near(const struct program_access *access, unsigned k, int64_t most)
{
	const struct index *pitch = access->memory->pitch[k];

	return pitch->min >= 0 && pitch->max <= most_pitch(access, most);
}

/* What makes the parts go apart, and offsets fit 32 bits. */
static void find_near_room(const struct program_access *access, struct program_room *room)
{
	const program_scope *body = access->body;

	for (unsigned k = 0; k < access->memory->slot_count; k++) {
		int64_t most = program_access_most(access, k);

		if (most && is_always_near(access, k, most))
			continue;
		if (most && (LLVMIsConstant(access->pitch[k]) ||
		    access->memory->pitch[k]->min < 0))
			room->holds = both(body, room->holds, is_pitch_near(access, k, most));
		else if (most)
			rooms_add_below(&room->rooms, near_pitch(access, k), most_pitch(access,
				most));
	}
	for (unsigned d = 0; d < access->owner->rank; d++)
		if (access->split.align[d] > 1)
			room->holds = both(body, room->holds, is_aligned(access, d,
				access->at[d]));
}

/* In a loop, what makes all steps like the last. */
static void find_step_room(const struct program_access *access, unsigned d,
	struct program_room *room)
{
	const program_scope *body = access->body;
	int64_t step = program_access_step(access, d);
	int64_t most;

	if (step < 0 || step % access->split.align[d])
		room->holds = lower_int(LLVMInt1TypeInContext(LLVMGetBuilderContext(
			body->b)), 0);
	else if (step && access->place->at[d].index->min < 0)
		room->holds = both(body, room->holds, compare(body, LLVMIntSGE,
			program_access_first(access, d), lower_int(body->i64, 0)));
	if (!(access->moves >> d & 1))
		return;
	most = INT32_MAX / 2 / constant_pitch(access, d);
	if (access->memory->size[d]->max > most)
		rooms_add_below(&room->rooms, LLVMBuildTrunc(body->b, access->size[d],
			body->i32, ""), most);
}

void program_access_find_room(const struct program_access *access,
	struct program_room *room)
{
	const program_scope *body = access->body;

	find_near_room(access, room);
	for (unsigned d = 0; d < access->owner->rank; d++) {
		find_step_room(access, d, room);
		if (program_access_always_inside(access, d))
			continue;
		if (is_narrow(access, d))
			rooms_add_above(&room->rooms, narrow_room(access, d),
				access->owner->box[d]);
		else
			room->holds = both(body, room->holds, is_wide_inside(access, d));
	}
}

struct program_room program_room_begin(const program_scope *body)
{
	return (struct program_room){ .rooms = { .builder = body->b,
		.pin = body->iteration->kernel->hooks->pin } };
}

LLVMValueRef program_room_holds(const program_scope *body, const struct program_room *room)
{
	LLVMValueRef rooms = rooms_hold(&room->rooms);

	return rooms ? both(body, room->holds, rooms) : yes(body, room->holds);
}

static LLVMValueRef divides(const struct program_access *access, unsigned by,
	LLVMValueRef value)
{
	const program_scope *body = access->body;

	return compare(body, LLVMIntEQ, LLVMBuildAnd(body->b, value, lower_int(body->i64,
		by - 1), ""), lower_int(body->i64, 0));
}

LLVMValueRef program_access_is_even(const struct program_access *access, unsigned vector)
{
	unsigned last = access->memory->slot_count - 1;
	unsigned dim = access->memory->digits[last].dim;
	LLVMValueRef even = both(access->body, divides(access, vector, access->at[dim]),
		divides(access, vector, access->size[dim]));

	for (unsigned k = 0; k < last; k++)
		even = both(access->body, even, divides(access, vector, access->pitch[k]));
	return even;
}

/* The loop's tests of one dimension: what holds at all steps, and how many there are
 * until the tile sticks out. */
static LLVMValueRef whole_steps(const struct program_access *access, unsigned d,
	LLVMValueRef *holds)
{
	const program_scope *body = access->body;
	int64_t step = program_access_step(access, d), most = INT32_MAX / 2 / constant_pitch(access, d);
	LLVMValueRef first = program_access_first(access, d), args[] = { NULL, lower_int(body->i64, 0) };
	LLVMValueRef room = LLVMBuildSub(body->b, access->size[d], LLVMBuildAdd(body->b,
		first, lower_int(body->i64, access->owner->box[d]), ""), "");

	*holds = both(body, *holds, compare(body, LLVMIntSGE, room, args[1]));
	if (access->place->at[d].index->min < 0)
		*holds = both(body, *holds, compare(body, LLVMIntSGE, first, args[1]));
	if (access->split.align[d] > 1)
		*holds = both(body, *holds, is_aligned(access, d, first));
	if (access->moves >> d & 1)
		*holds = both(body, *holds, compare(body, LLVMIntULE, access->size[d],
			lower_int(body->i64, most)));
	if (!step)
		return NULL;
	args[0] = room;
	return LLVMBuildAdd(body->b, LLVMBuildSDiv(body->b, lower_intrinsic_like(body->b,
		"llvm.smax", args, 2), lower_int(body->i64, step), ""),
		lower_int(body->i64, 1), "");
}

bool program_access_whole_steps(const struct program_access *access, LLVMValueRef *steps)
{
	const program_scope *body = access->body;
	LLVMValueRef holds = are_offsets_near(access);

	for (unsigned d = 0; d < access->owner->rank; d++)
		if (program_access_step(access, d) < 0 || (access->split.align[d] > 1 &&
		    program_access_step(access, d) % access->split.align[d]))
			return false;
	for (unsigned d = 0; d < access->owner->rank; d++) {
		LLVMValueRef args[] = { *steps, whole_steps(access, d, &holds) };

		if (args[1])
			*steps = lower_intrinsic_like(body->b, "llvm.smin", args, 2);
	}
	*steps = LLVMBuildSelect(body->b, yes(body, holds), *steps,
		lower_int(body->i64, 0), "");
	return true;
}
