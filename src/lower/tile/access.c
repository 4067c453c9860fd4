/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/access.h"

#include "lower/branch.h"
#include "lower/tile/permute.h"
#include "lower/tile/room.h"
#include "isl_bridge/arithmetic.h"

/* Constant offsets of a buffer access that are free on every row. */
#define BUFFER_REACH 4096

static LLVMValueRef constant(const struct tile_access *access, int64_t value)
{
	return LLVMConstInt(access->address.type, (unsigned long long)value, true);
}

static LLVMTypeRef byte_type(const struct tile_access *access)
{
	return LLVMInt8TypeInContext(LLVMGetBuilderContext(access->address.builder));
}

static LLVMValueRef move(const struct tile_access *access, LLVMValueRef pointer,
	LLVMValueRef offset)
{
	if (!offset)
		return pointer;
	return LLVMBuildGEP2(access->address.builder, byte_type(access), pointer, &offset,
		1, "address");
}

static LLVMValueRef move_by(const struct tile_access *access, LLVMValueRef pointer,
	int64_t bytes)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(
		LLVMGetBuilderContext(access->address.builder));

	return bytes ? move(access, pointer,
		LLVMConstInt(i64, (unsigned long long)bytes, true)) : pointer;
}

static int64_t reach_of(const struct tile_access *access)
{
	const layout_kernel *kernel = access->iteration->kernel;

	return chip_of(kernel->target)->code.reach;
}

/* How many base registers the constants take, at least. */
static unsigned count_windows(int64_t reach, const struct access_constants *constants)
{
	int64_t first = INT64_MIN / 2;
	unsigned count = 0;

	for (unsigned i = 0; i < constants->count; i++)
		if (constants->values[i] - first >= 2 * reach) {
			first = constants->values[i];
			count++;
		}
	return count;
}

enum access_kind access_kind_of(const struct chip_code *memory,
	const struct access_constants *constants)
{
	if (memory->buffers && (constants->symbolic ||
		count_windows(memory->reach, constants) > ACCESS_WINDOWS))
		return ACCESS_BUFFER;
	return ACCESS_GLOBAL;
}

/* A base for the constants from constants[first] up to constants[last]: the tile's own
 * if it reaches them all. */
static void open_window(struct tile_access *access, int64_t first, int64_t last)
{
	const struct target_hooks *hooks = access->iteration->kernel->hooks;
	struct access_window *window = &access->windows[access->window_count++];
	int64_t reach = reach_of(access);

	*window = (struct access_window){ .first = first,
		.bias = last - first < reach ? first : first + reach };
	if (last < reach)
		window->bias = 0;
	window->base = move_by(access, access->base, window->bias);
	if (window->bias)
		window->base = hooks->pin(access->address.builder, window->base);
}

/* With more constants than windows reach, the last window's are not all free. */
static void open_windows(struct tile_access *access, const struct access_constants *constants)
{
	int64_t reach = reach_of(access);
	unsigned first = 0;

	for (unsigned i = 1; i <= constants->count; i++) {
		if (i < constants->count && (access->window_count == ACCESS_WINDOWS - 1 ||
			constants->values[i] - constants->values[first] < 2 * reach))
			continue;
		open_window(access, constants->values[first], constants->values[i - 1]);
		first = i;
	}
}

/* The alignment that every vector's address has: bases of tiles in the LDS are multiples
 * of 16, elsewhere they are unknown. */
static unsigned find_align(enum access_kind kind, const struct address_plan *plan)
{
	const struct form_side *side = plan->side;
	unsigned element = side->bits < 8 ? 1 : side->bits / 8;
	int64_t align = INT64_C(16) << side->shift;

	if (kind != ACCESS_LOCAL)
		return element;
	if (side->chain)
		align = int_gcd(align, (int64_t)form_bytes(side, side->vector) <<
			side->shift);
	for (unsigned t = 0; t < side->term_count; t++)
		if (!(side->terms[t].digits & side->chain))
			align = int_gcd(align, side->terms[t].factor);
	align >>= side->shift;
	return align > element ? (unsigned)align : element;
}

static bool is_buffer(const struct tile_access *access)
{
	return access->kind == ACCESS_BUFFER || access->kind == ACCESS_EDGE;
}

/* LLVM would compute it wherever it is used. */
static LLVMValueRef find_lane(const struct tile_access *access)
{
	LLVMValueRef lane = address_lane(&access->address);

	return lane ? access->iteration->kernel->hooks->await(access->address.builder, lane) :
		NULL;
}

static struct address_offset offset_of(const struct tile_access *access,
	const struct address_digits *digits)
{
	struct address_offset offset = address_of(&access->address, digits);

	if (access->lane)
		offset.lane = access->lane;
	return offset;
}

bool access_open(layout_context *ctx, struct tile_access *access,
	const struct iteration *iteration, enum access_kind kind,
	const struct address_plan *plan, LLVMValueRef base,
	const struct lane_number *lane, const struct access_constants *constants)
{
	const layout_kernel *kernel = iteration->kernel;
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);
	LLVMTypeRef type = kind == ACCESS_FAR ? LLVMInt64TypeInContext(llvm) :
		LLVMInt32TypeInContext(llvm);

	*access = (struct tile_access){ .iteration = iteration, .kind = kind, .base = base, .tile = base,
		.align = find_align(kind, plan) };
	if (!address_open(ctx, &access->address, plan, &iteration->scope, type,
		kind != ACCESS_FAR && kind != ACCESS_EDGE, lane))
		return false;
	if (is_buffer(access))
		access->base = kernel->hooks->buffer(builder, kernel->target, base);
	if (kind == ACCESS_GLOBAL)
		open_windows(access, constants);
	if (kind == ACCESS_EDGE)
		access->lane = find_lane(access);
	return true;
}

void access_close(struct tile_access *access)
{
	address_close(&access->address);
}

/* As an offset between 0 and the most that one is. */
static LLVMValueRef narrowed(const struct tile_access *access, LLVMValueRef value)
{
	return access->address.type == LLVMTypeOf(value) ? value : room_narrow(
		access->address.builder, access->iteration->kernel->hooks->pin, value);
}

void access_limit(struct tile_access *access, LLVMValueRef start, LLVMValueRef bytes)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMTypeRef i64 = LLVMTypeOf(bytes);
	LLVMValueRef first = LLVMBuildSub(builder,
		LLVMBuildPtrToInt(builder, start, i64, "start"),
		LLVMBuildPtrToInt(builder, access->tile, i64, "tile"), "first");
	LLVMValueRef end = narrowed(access, LLVMBuildAdd(builder, first, bytes, "end"));

	access->exists.first = narrowed(access, first);
	access->exists.count = LLVMBuildSub(builder, end, access->exists.first, "count");
}

/* What is the wave's stays apart: LLVM would multiply for each of a lane's vectors anew. */
LLVMValueRef access_exists(const struct tile_access *access, const struct address_digits *digits,
	unsigned bytes)
{
	LLVMBuilderRef builder = access->address.builder;
	struct address_offset offset = offset_of(access, digits);
	LLVMValueRef from = LLVMBuildSub(builder, constant(access, offset.constant),
		access->exists.first, "from"), count;

	if (offset.wave)
		from = LLVMBuildAdd(builder, from, offset.wave, "from");
	if (offset.wave && is_buffer(access))
		from = access->iteration->kernel->hooks->pin(builder, from);
	if (offset.lane)
		from = LLVMBuildAdd(builder, from, offset.lane, "from");
	count = LLVMBuildSub(builder, access->exists.count, constant(access, bytes - 1),
		"count");
	count = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntSLT, count,
		constant(access, 0), "none"), constant(access, 0), count, "count");
	return LLVMBuildICmp(builder, LLVMIntULT, from, count, "exists");
}

LLVMValueRef access_all_exist(const struct tile_access *access, unsigned bytes)
{
	LLVMBuilderRef builder = access->address.builder;
	const struct access_range *exists = &access->exists;
	LLVMValueRef room = LLVMBuildSub(builder, LLVMBuildAdd(builder, exists->first,
		exists->count, "end"), constant(access, bytes), "room");

	return LLVMBuildAnd(builder, LLVMBuildICmp(builder, LLVMIntSLE, exists->first,
		constant(access, 0), "begun"), LLVMBuildICmp(builder, LLVMIntSLE,
		address_most(&access->address), room, "reached"), "exist");
}

static LLVMValueRef global_pointer(const struct tile_access *access,
	const struct address_offset *offset)
{
	const struct access_window *window = &access->windows[access->window_count - 1];
	LLVMBuilderRef builder = access->address.builder;
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef pointer;

	while (window > access->windows && window->first > offset->constant)
		window--;
	pointer = window->base;
	if (offset->wave)
		pointer = access->iteration->kernel->hooks->pin(builder, move(access,
			pointer, LLVMBuildZExt(builder, offset->wave, i64, "wave")));
	if (offset->lane)
		pointer = move(access, pointer, LLVMBuildZExt(builder, offset->lane, i64,
			"lane"));
	return move_by(access, pointer, offset->constant - window->bias);
}

static LLVMValueRef pointer_of(const struct tile_access *access,
	const struct address_offset *offset)
{
	LLVMValueRef pointer = access->base;

	if (access->kind == ACCESS_GLOBAL)
		return global_pointer(access, offset);
	pointer = move(access, pointer, offset->wave);
	pointer = move(access, pointer, offset->lane);
	return move_by(access, pointer, offset->constant);
}

LLVMValueRef access_pointer(const struct tile_access *access, const struct address_digits *digits)
{
	struct address_offset offset = offset_of(access, digits);

	return pointer_of(access, &offset);
}

/* Offsets of a buffer access: what is free of the constant goes to the lane, where the
 * instruction has room for it, and the rest to the wave. */
static void split_offset(const struct tile_access *access, struct address_offset *offset,
	LLVMValueRef inside)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef rest = constant(access, offset->constant & -BUFFER_REACH);
	LLVMValueRef free = constant(access, offset->constant & (BUFFER_REACH - 1));

	if (!offset->lane)
		offset->lane = constant(access, 0);
	if (inside)
		offset->lane = LLVMBuildSelect(builder, inside, offset->lane,
			constant(access, TARGET_WINDOW), "masked");
	offset->lane = LLVMBuildNUWAdd(builder, offset->lane, free, "lane");
	offset->wave = offset->wave ? LLVMBuildNUWAdd(builder, offset->wave, rest,
		"wave") : rest;
}

static unsigned align_for(const struct tile_access *access, unsigned bytes)
{
	return access->align < bytes ? access->align : bytes;
}

static LLVMValueRef load_plain(const struct tile_access *access,
	const struct address_offset *offset, LLVMTypeRef type, unsigned bytes)
{
	LLVMValueRef value = LLVMBuildLoad2(access->address.builder, type,
		pointer_of(access, offset), "loaded");

	LLVMSetAlignment(value, align_for(access, bytes & -bytes));
	return value;
}

static LLVMValueRef load_far(const struct tile_access *access,
	const struct address_offset *offset, LLVMTypeRef type, unsigned bytes,
	LLVMValueRef inside)
{
	const struct target_hooks *hooks = access->iteration->kernel->hooks;
	LLVMBuilderRef builder = access->address.builder;
	LLVMTypeRef word = permute_type(LLVMGetBuilderContext(builder), bytes < 4 ? 4 :
		bytes);
	struct branch branch;
	LLVMValueRef value;

	if (!inside)
		return load_plain(access, offset, type, bytes);
	branch = branch_open(access->iteration, inside, "inside");
	value = load_plain(access, offset, type, bytes);
	if (bytes < 4)
		value = LLVMBuildZExt(builder, value, word, "word");
	value = branch_value(access->iteration, &branch, hooks->await(builder, value),
		LLVMConstNull(word));
	return bytes < 4 ? LLVMBuildTrunc(builder, value, type, "loaded") : value;
}

static struct address_offset offset_behind(const struct tile_access *access,
	const struct address_digits *digits, LLVMValueRef behind)
{
	struct address_offset offset = offset_of(access, digits);

	if (behind && LLVMIsAConstantInt(behind))
		offset.constant += (int64_t)LLVMConstIntGetZExtValue(behind);
	else if (behind) {
		behind = LLVMBuildIntCast2(access->address.builder, behind,
			access->address.type, false, "behind");
		offset.lane = offset.lane ? LLVMBuildNUWAdd(access->address.builder,
			offset.lane, behind, "lane") : behind;
	}
	return offset;
}

LLVMValueRef access_load(const struct tile_access *access, const struct address_digits *digits,
	unsigned bytes, LLVMValueRef inside, LLVMValueRef behind)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMTypeRef type = permute_type(LLVMGetBuilderContext(builder), bytes);
	struct address_offset offset = offset_behind(access, digits, behind);

	if (!is_buffer(access))
		return load_far(access, &offset, type, bytes, inside);
	split_offset(access, &offset, inside);
	return access->iteration->kernel->hooks->buffer_load(builder, type, access->base,
		offset.lane, offset.wave);
}

static void store_plain(const struct tile_access *access, const struct address_offset *offset,
	unsigned bytes, LLVMValueRef value)
{
	LLVMSetAlignment(LLVMBuildStore(access->address.builder, value,
		pointer_of(access, offset)), align_for(access, bytes & -bytes));
}

void access_store(const struct tile_access *access, const struct address_digits *digits,
	unsigned bytes, LLVMValueRef value, LLVMValueRef inside, LLVMValueRef behind)
{
	struct address_offset offset = offset_behind(access, digits, behind);
	struct branch branch;

	if (is_buffer(access)) {
		split_offset(access, &offset, inside);
		access->iteration->kernel->hooks->buffer_store(access->address.builder,
			value, access->base, offset.lane, offset.wave);
		return;
	}
	if (inside)
		branch = branch_open(access->iteration, inside, "inside");
	store_plain(access, &offset, bytes, value);
	if (inside)
		branch_close(access->iteration, &branch);
}
