/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/program_lanes/access_parts.h"
#include "program/direct.h"

#include <stdlib.h>

LLVMValueRef program_uniform(const program_scope *body, const struct index *index)
{
	const struct expression_scope scope = { .builder = body->b, .vars = body->vars };

	return expression_lower(&scope, index);
}

/* The digit of a coordinate that is not negative; steps are constant. */
static LLVMValueRef digit_of(const program_scope *body, const struct digit *digit,
	LLVMValueRef x)
{
	LLVMTypeRef type = LLVMTypeOf(x);

	if (digit->step > 1)
		x = LLVMBuildUDiv(body->b, x, lower_int(type, digit->step), "");
	return digit->radix ? LLVMBuildURem(body->b, x, lower_int(type, digit->radix),
		"") : x;
}

/* Of a position that is a multiple of all steps, open digits are worth something alone. */
static LLVMValueRef position_bytes(const struct program_access *access,
	const LLVMValueRef *at)
{
	const program_scope *body = access->body;
	LLVMValueRef sum = lower_int(body->i64, 0);

	for (unsigned k = 0; k < access->memory->slot_count; k++) {
		const struct digit *digit = &access->memory->digits[k];
		LLVMValueRef slot;

		if (digit->radix || digit->dim >= access->owner->rank)
			continue;
		slot = at[digit->dim];
		if (digit->step > 1)
			slot = LLVMBuildSDiv(body->b, slot, lower_int(body->i64,
				digit->step), "");
		sum = LLVMBuildAdd(body->b, sum, LLVMBuildMul(body->b, slot,
			access->pitch[k], ""), "");
	}
	return LLVMBuildMul(body->b, sum, lower_int(body->i64, element_bytes(access)), "");
}

static bool has_variable(const struct index *index, unsigned variable)
{
	if (index->op == INDEX_VAR)
		return index->var == variable;
	for (unsigned i = 0; i < index->arg_count; i++)
		if (has_variable(index->arg[i], variable))
			return true;
	return false;
}

/* Is the index a constant times the variable, which is the factor, plus something without
 * it? */
static bool find_factor(const struct index *index, unsigned variable, int64_t *factor)
{
	struct index *const *arg = index->arg;
	bool second = index->op == INDEX_MUL && arg[0]->op == INDEX_INT;
	int64_t one, other;

	*factor = index->op == INDEX_VAR;
	if (!has_variable(index, variable)) {
		*factor = 0;
		return true;
	}
	switch (index->op) {
	case INDEX_VAR:
		return true;
	case INDEX_ADD: case INDEX_SUB:
		return find_factor(arg[0], variable, &one) &&
			find_factor(arg[1], variable, &other) &&
			!(index->op == INDEX_ADD ?
				__builtin_add_overflow(one, other, factor) :
				__builtin_sub_overflow(one, other, factor));
	case INDEX_MUL:
		return arg[!second]->op == INDEX_INT &&
			find_factor(arg[second], variable, &one) &&
			!__builtin_mul_overflow(one, arg[!second]->value, factor);
	default:
		return false;
	}
}

int64_t program_access_step(const struct program_access *access, unsigned d)
{
	int counter = access->body->counter;
	int64_t factor;

	if (counter < 0 || access->place->gather[d])
		return 0;
	if (!find_factor(access->place->at[d].index, (unsigned)counter, &factor) ||
	    factor < 0)
		return -1;
	return factor;
}

/* Does a step move it by a constant number of bytes? */
static bool is_moving(const struct program_access *access, unsigned d)
{
	if (program_access_step(access, d) <= 0)
		return false;
	for (unsigned k = 0; k < access->memory->slot_count; k++)
		if (access->memory->digits[k].dim == d && !access->memory->digits[k].radix &&
		    !LLVMIsAConstantInt(access->pitch[k]))
			return false;
	return true;
}

/* The position at another step of the loop. */
static LLVMValueRef position_at(const struct program_access *access, unsigned d,
	LLVMValueRef step)
{
	program_scope *body = access->body;
	LLVMValueRef counter = body->vars[body->counter], at;

	body->vars[body->counter] = step;
	at = program_uniform(body, access->place->at[d].index);
	body->vars[body->counter] = counter;
	return at;
}

LLVMValueRef program_access_first(const struct program_access *access, unsigned d)
{
	return position_at(access, d, lower_int(access->body->i32, 0));
}

/* Where the loop moves the position by constants alone, that is the lane's to follow, and
 * its base stays what it was at the first step. */
static void find_first(struct program_access *access)
{
	for (unsigned d = 0; d < access->owner->rank; d++) {
		access->first[d] = access->at[d];
		if (is_moving(access, d))
			access->moves |= (uint64_t)1 << d;
	}
	for (unsigned d = 0; d < access->owner->rank; d++)
		if (program_access_step(access, d) && !is_moving(access, d))
			access->moves = 0;
	for (unsigned d = 0; access->moves && d < access->owner->rank; d++)
		access->first[d] = program_access_first(access, d);
}

LLVMValueRef program_access_slot(const struct program_access *access, unsigned k)
{
	const struct digit *digit = &access->memory->digits[k];
	LLVMValueRef hardware = digit->dim < access->owner->rank ?
		access->coordinates.hw[digit->dim] : NULL;

	return hardware ? digit_of(access->body, digit, hardware) : NULL;
}

LLVMValueRef program_access_lane(const struct program_access *access, bool all)
{
	const program_scope *body = access->body;
	LLVMValueRef sum = lower_int(body->i32, 0);

	for (unsigned k = 0; k < access->memory->slot_count; k++) {
		LLVMValueRef slot = all || LLVMIsAConstantInt(access->pitch[k]) ?
			program_access_slot(access, k) : NULL;

		if (slot)
			sum = LLVMBuildAdd(body->b, sum, LLVMBuildMul(body->b, slot,
				LLVMBuildTrunc(body->b, access->pitch[k], body->i32, ""),
				""), "");
	}
	return LLVMBuildMul(body->b, sum, lower_int(body->i32, element_bytes(access)), "");
}

/* Elements that the step is ahead of the first of its turn. */
static int64_t ahead(const struct program_access *access)
{
	int64_t sum = 0;

	for (unsigned k = 0; access->moves && k < access->memory->slot_count; k++) {
		const struct digit *digit = &access->memory->digits[k];

		if (!digit->radix && digit->dim < access->owner->rank &&
		    access->moves >> digit->dim & 1)
			sum += program_access_step(access, digit->dim) / digit->step *
				LLVMConstIntGetSExtValue(access->pitch[k]);
	}
	return sum * access->body->ahead;
}

/* Bytes of the register's parts, whose pitch is a constant, or is not: an i64 or NULL. */
static int64_t register_constant(const struct program_access *access, unsigned r)
{
	const struct access_split *split = &access->split;
	int64_t sum = ahead(access);

	for (unsigned k = 0; k < split->slot_count; k++)
		if (LLVMIsAConstantInt(access->pitch[k]))
			sum += split->part[r * split->slot_count + k] *
				LLVMConstIntGetSExtValue(access->pitch[k]);
	return sum * element_bytes(access);
}

/* Bytes of the register's parts whose pitch is no constant: an i64, or NULL. */
static LLVMValueRef register_uniform(const struct program_access *access, unsigned r)
{
	const struct access_split *split = &access->split;
	const program_scope *body = access->body;
	LLVMValueRef sum = NULL;

	for (unsigned k = 0; k < split->slot_count; k++) {
		int64_t part = split->part[r * split->slot_count + k];
		LLVMValueRef value;

		if (!part || LLVMIsAConstantInt(access->pitch[k]))
			continue;
		value = LLVMBuildMul(body->b, access->pitch[k], lower_int(body->i64,
			part * element_bytes(access)), "");
		sum = sum ? LLVMBuildAdd(body->b, sum, value, "") : value;
	}
	return sum;
}

static LLVMValueRef move(const program_scope *body, LLVMValueRef pointer,
	LLVMValueRef bytes)
{
	return LLVMBuildGEP2(body->b, body->i8, pointer, &bytes, 1, "");
}

static LLVMValueRef base_of_tile(const struct program_access *access)
{
	return move(access->body, access->pointer, access->uniform);
}

static LLVMValueRef base_of(const struct program_access *access, unsigned r)
{
	LLVMValueRef pointer = base_of_tile(access), bytes = register_uniform(access, r);

	return bytes ? move(access->body, pointer, bytes) : pointer;
}

/* Where a register's lanes begin: what is the same for all of them. */
static LLVMValueRef register_base(const struct program_access *access, unsigned r,
	int64_t far)
{
	const program_scope *body = access->body;
	LLVMBasicBlockRef here = access->moves ? program_go_before(body) : NULL;
	LLVMValueRef pointer = base_of(access, r);

	if (far)
		pointer = move(body, pointer, lower_int(body->i64, far));
	pointer = body->iteration->kernel->hooks->pin(body->b, pointer);
	if (here)
		program_go_back(body, here);
	return pointer;
}

/* Do both add the same to what is uniform? */
static bool same_uniform(const struct program_access *access, unsigned r, unsigned s)
{
	const struct access_split *split = &access->split;
	unsigned slots = split->slot_count;

	for (unsigned k = 0; k < slots; k++)
		if (!LLVMIsAConstantInt(access->pitch[k]) &&
		    split->part[r * slots + k] != split->part[s * slots + k])
			return false;
	return true;
}

/* NULL where there is none yet. */
static LLVMValueRef known_base(const struct program_access *access, unsigned r, int64_t far)
{
	for (unsigned i = access->base_count; i--;)
		if (access->bases[i].far == far && same_uniform(access, access->bases[i].r, r))
			return access->bases[i].value;
	return NULL;
}

static LLVMValueRef add_base(struct program_access *access, unsigned r, int64_t far,
	LLVMValueRef value)
{
	access->bases[access->base_count++] = (struct program_base){ r, far, value };
	return value;
}

/* What is uniform stays so: a wave's pointer plus the lane's offset, and of constants what
 * instructions have room for. */
LLVMValueRef program_access_address(struct program_access *access, unsigned r)
{
	const program_scope *body = access->body;
	const layout_kernel *kernel = body->iteration->kernel;
	int64_t reach = chip_of(kernel->target)->code.reach;
	int64_t constant = register_constant(access, r), far = constant / reach * reach;
	LLVMValueRef pointer = known_base(access, r, far);

	if (!pointer)
		pointer = add_base(access, r, far, register_base(access, r, far));
	pointer = move(body, pointer, LLVMBuildZExt(body->b, access->lane, body->i64, ""));
	constant -= far;
	return constant ? move(body, pointer, lower_int(body->i64, constant)) : pointer;
}

bool program_access_always_inside(const struct program_access *access, unsigned d)
{
	const struct index *at = access->place->at[d].index;

	return access->place->inside >> d & 1 || (at->min >= 0 && at->max <= INT32_MAX &&
		at->max + access->owner->box[d] <= access->memory->size[d]->min);
}

/* Are both inside or outside? */
static bool same_edge(const struct program_access *access, unsigned r, unsigned s)
{
	bool same = true;

	for (unsigned d = 0; same && d < access->owner->rank; d++)
		same = program_access_always_inside(access, d) ||
			owner_register(&access->coordinates, r, d) ==
			owner_register(&access->coordinates, s, d);
	return same;
}

/* Of all vectors, does another one share what the register's has? */
static bool is_shared(const struct program_access *access, unsigned r)
{
	bool shared = false;

	for (unsigned i = 0; !shared && i < access->split.count; i += access->vector)
		shared = access->split.order[i] != r &&
			same_edge(access, access->split.order[i], r);
	return shared;
}

static LLVMValueRef add_constant(const program_scope *body, LLVMValueRef offset,
	int64_t constant)
{
	return constant ? LLVMBuildAdd(body->b, offset, lower_int(body->i32, constant),
		"") : offset;
}

static LLVMValueRef choose_offset(const struct program_access *access, int64_t constant,
	LLVMValueRef inside)
{
	const program_scope *body = access->body;

	return LLVMBuildSelect(body->b, inside, add_constant(body, access->lane, constant),
		lower_int(body->i32, TARGET_WINDOW), "");
}

/* What is constant stays so behind a choice that is shared: it brings nothing that is beyond
 * the buffer back into it. */
LLVMValueRef program_access_offset(struct program_access *access, unsigned r,
	LLVMValueRef inside)
{
	const program_scope *body = access->body;
	int64_t constant = register_constant(access, r);
	LLVMValueRef offset;

	if (!is_shared(access, r))
		return choose_offset(access, constant, inside);
	for (unsigned i = access->offset_count; i--;)
		if (same_edge(access, access->offsets[i].r, r))
			return add_constant(body, access->offsets[i].value, constant);
	offset = body->hardware.hooks->await(body->b, choose_offset(access, 0, inside));
	access->offsets[access->offset_count++] = (struct program_base){ r, 0, offset };
	return add_constant(body, offset, constant);
}

LLVMValueRef program_access_buffer(struct program_access *access, unsigned r)
{
	const program_scope *body = access->body;
	const layout_kernel *kernel = body->iteration->kernel;
	LLVMValueRef buffer = known_base(access, r, 0), pointer;

	if (buffer)
		return buffer;
	pointer = base_of(access, r);
	if (access->further)
		pointer = move(body, pointer, access->further);
	return add_base(access, r, 0, kernel->hooks->buffer(body->b, kernel->target,
		pointer));
}

/* What the memory has of the tile in a dimension, from its first element on or up to
 * its last, as an i32. */
static LLVMValueRef bound(const struct program_access *access, unsigned d,
	LLVMValueRef end)
{
	const program_scope *body = access->body;
	LLVMValueRef args[] = { LLVMBuildSub(body->b, end, access->at[d], ""),
		lower_int(body->i64, 0) };

	args[0] = lower_intrinsic_like(body->b, "llvm.smax", args, 2);
	args[1] = lower_int(body->i64, access->owner->box[d]);
	return LLVMBuildTrunc(body->b, lower_intrinsic_like(body->b, "llvm.smin", args, 2),
		body->i32, "");
}

void program_access_begin(struct program_access *access, unsigned vector)
{
	access->vector = vector;
	access->base_count = access->offset_count = 0;
}

LLVMValueRef program_access_inside(const struct program_access *access, unsigned r)
{
	const program_scope *body = access->body;
	LLVMValueRef inside = NULL;

	for (unsigned d = 0; d < access->owner->rank; d++) {
		LLVMValueRef t = owner_coordinate(&access->coordinates, r, d);

		if (program_access_always_inside(access, d))
			continue;
		inside = both(body, inside, compare(body, LLVMIntULT, t,
			bound(access, d, access->size[d])));
		if (access->place->at[d].index->min < 0)
			inside = both(body, inside, compare(body, LLVMIntUGE, t,
				bound(access, d, lower_int(body->i64, 0))));
	}
	return yes(body, inside);
}

/* Coordinate d in the memory, an i64. */
static LLVMValueRef coordinate(const struct program_access *access, unsigned d, unsigned r)
{
	const program_scope *body = access->body;
	const layout_tile *gather = access->place->gather[d];

	if (gather)
		return LLVMBuildSExt(body->b, body->values[gather->number]
			[access->gathered[d][r]], body->i64, "");
	return LLVMBuildAdd(body->b, access->at[d], LLVMBuildZExt(body->b,
		owner_coordinate(&access->coordinates, r, d), body->i64, ""), "");
}

LLVMValueRef program_access_find(const struct program_access *access, unsigned r,
	LLVMValueRef *inside)
{
	const program_scope *body = access->body;
	const struct expression_scope scope = { .builder = body->b, .vars = body->vars };
	unsigned first = body->plan->program->variable_count;
	LLVMValueRef offset = lower_int(body->i64, 0);

	*inside = NULL;
	for (unsigned d = 0; d < access->owner->rank; d++) {
		body->vars[first + d] = coordinate(access, d, r);
		*inside = both(body, *inside, compare(body, LLVMIntULT,
			body->vars[first + d], access->size[d]));
	}
	*inside = yes(body, *inside);
	for (unsigned d = 0; d < access->owner->rank; d++)
		body->vars[first + d] = LLVMBuildSelect(body->b, *inside,
			body->vars[first + d], lower_int(body->i64, 0), "");
	for (unsigned k = 0; k < access->memory->slot_count; k++)
		offset = LLVMBuildAdd(body->b, offset, LLVMBuildMul(body->b,
			expression_lower(&scope, access->memory->slot[k]),
			access->pitch[k], ""), "");
	return offset;
}

static bool open_gathers(struct program_access *access)
{
	bool ok = true;

	for (unsigned d = 0; ok && d < access->owner->rank; d++) {
		const layout_tile *gather = access->place->gather[d];

		if (!gather)
			continue;
		access->gathered[d] = program_operand_registers(access->body, gather,
			access->tile);
		ok = access->gathered[d];
		access->split.apart = false;
	}
	return ok;
}

static bool is_direct(const struct program_access *access)
{
	return access->body->direct && access->tile->piece;
}

bool program_access_can_be_whole(const struct program_access *access)
{
	return !access->alone && (access->split.apart || is_direct(access));
}

/* A direct copy's position is that of its own step: no constants of registers tell steps of a
 * turn apart. */
static void find_offsets(struct program_access *access)
{
	const program_scope *body = access->body;
	LLVMValueRef moved, turn[OWNER_RANK];

	access->lane = program_access_lane(access, true);
	if (!access->moves) {
		access->uniform = position_bytes(access, access->at);
		return;
	}
	for (unsigned d = 0; d < access->owner->rank; d++)
		turn[d] = access->moves >> d & 1 && body->ahead && !is_direct(access) ?
			position_at(access, d, body->turn) : access->at[d];
	moved = LLVMBuildSub(body->b, position_bytes(access, turn), access->uniform, "");
	access->moved = LLVMBuildTrunc(body->b, moved, body->i32, "");
	access->lane = LLVMBuildAdd(body->b, access->lane, access->moved, "");
}

LLVMValueRef program_access_window(const struct program_access *access)
{
	const layout_kernel *kernel = access->body->iteration->kernel;
	LLVMValueRef base = access->alone ? access->pointer : base_of_tile(access);

	return chip_of(kernel->target)->code.buffers ?
		kernel->hooks->buffer(access->body->b, kernel->target, base) : base;
}

static LLVMValueRef mask(const program_scope *body, LLVMValueRef inside, LLVMValueRef offset)
{
	return LLVMBuildSelect(body->b, inside, offset, lower_int(body->i32, TARGET_WINDOW),
		"");
}

/* Where each lane is from the beginning of the memory. */
static LLVMValueRef find_lanes(const struct program_access *access, unsigned r)
{
	const program_scope *body = access->body;
	LLVMValueRef inside, offset = program_access_find(access, r, &inside);

	offset = LLVMBuildMul(body->b, LLVMBuildTrunc(body->b, offset, body->i32, ""),
		lower_int(body->i32, element_bytes(access)), "");
	return mask(body, inside, offset);
}

/* Is what lanes add to a coordinate never negative?  Buffers take it for an offset. */
static bool counts_up(const struct owner *owner, unsigned dim)
{
	bool up = true;

	for (unsigned i = 0; i < owner->term_count; i++)
		up = up && (owner->terms[i].dim != dim || owner->terms[i].weight >= 0);
	return up;
}

/* A slot of the lanes and of the register r, where they go apart, or of the coordinate. */
static void add_slot(const struct program_access *access, unsigned k, unsigned r,
	LLVMValueRef sums[2])
{
	const program_scope *body = access->body;
	const struct digit *digit = &access->memory->digits[k];
	const struct owner_coordinates *at = &access->coordinates;
	bool plain = digit->step == 1 && !digit->radix;
	bool apart = !(at->flips >> digit->dim & 1) && (plain || access->split.apart) &&
		counts_up(access->owner, digit->dim);
	LLVMValueRef own = apart ? at->hw[digit->dim] : owner_coordinate(at, r, digit->dim);
	LLVMValueRef pitch = LLVMBuildMul(body->b, LLVMBuildTrunc(body->b, access->pitch[k],
		body->i32, ""), lower_int(body->i32, element_bytes(access)), "");

	if (own)
		sums[0] = LLVMBuildAdd(body->b, sums[0], LLVMBuildMul(body->b,
			digit_of(body, digit, own), pitch, ""), "");
	if (apart)
		sums[1] = LLVMBuildAdd(body->b, sums[1], LLVMBuildMul(body->b, pitch,
			lower_int(body->i32, digit_value(digit, owner_register(at, r,
			digit->dim))), ""), "");
}

LLVMValueRef program_access_lanes(const struct program_access *access, unsigned r,
	LLVMValueRef *same)
{
	const program_scope *body = access->body;
	LLVMValueRef none = lower_int(body->i32, 0), sums[2] = { none, none };

	*same = none;
	if (access->alone)
		return find_lanes(access, r);
	for (unsigned k = 0; k < access->memory->slot_count; k++)
		if (access->memory->digits[k].dim < access->owner->rank)
			add_slot(access, k, r, sums);
	*same = access->moved ? LLVMBuildAdd(body->b, sums[1], access->moved, "") : sums[1];
	return body->whole ? sums[0] : mask(body, program_access_inside(access, r), sums[0]);
}

bool program_access_open(struct program_access *access, program_scope *body,
	const layout_tile *tile, const layout_memory *memory,
	const struct program_place *place)
{
	unsigned number = program_memory_number(body->plan->program, memory);
	LLVMBasicBlockRef here;

	place = program_plan_place(body->plan, memory, tile, place);
	*access = (struct program_access){ .body = body, .tile = tile, .place = place,
		.type = memory->type, .memory = &body->plan->memories[number],
		.owner = program_plan_access(body->plan, memory, tile),
		.pointer = body->pointers[number] };
	access->coordinates = program_coordinates(body, access->owner);
	if (!access_split_build(body->ctx, &access->split, access->memory, access->owner) ||
	    !open_gathers(access))
		return false;
	access->follows = access->split.apart;
	access->split.apart = access->split.apart && access->type->bits % 8 == 0;
	access->bases = layout_alloc(body->ctx, access->split.count, sizeof(*access->bases));
	access->offsets = layout_alloc(body->ctx, access->split.count,
		sizeof(*access->offsets));
	if (!access->bases || !access->offsets)
		return false;
	for (unsigned d = 0; d < access->owner->rank; d++)
		if (!place->gather[d])
			access->at[d] = program_uniform(body, place->at[d].index);
	here = program_go_before(body);
	for (unsigned d = 0; d < access->owner->rank; d++)
		access->size[d] = program_uniform(body, access->memory->size[d]);
	for (unsigned k = 0; k < access->memory->slot_count; k++)
		access->pitch[k] = program_uniform(body, access->memory->pitch[k]);
	access->alone = is_direct(access) && !direct_goes_apart(access->memory, place);
	if (access->split.apart || (is_direct(access) && !access->alone))
		find_first(access);
	if (access->moves)
		access->uniform = position_bytes(access, access->first);
	program_go_back(body, here);
	if (access->split.apart || (is_direct(access) && !access->alone))
		find_offsets(access);
	return true;
}

void program_access_free(struct program_access *access)
{
	access_split_free(&access->split);
	free(access->bases);
	free(access->offsets);
	for (unsigned d = 0; d < OWNER_RANK; d++)
		free(access->gathered[d]);
}
