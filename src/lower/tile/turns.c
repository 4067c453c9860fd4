/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/turns.h"

#include "lower/branch.h"
#include "lower/grid.h"
#include "lower/tile/limits.h"

#include <stdlib.h>
#include <string.h>

static LLVMTypeRef int_type(const struct turns *turns, unsigned bits)
{
	return LLVMIntTypeInContext(LLVMGetBuilderContext(turns->iteration->scope.builder), bits);
}

static LLVMValueRef *dims_of(const struct turns *turns)
{
	const struct iteration *iteration = turns->iteration;

	return iteration->scope.vars + iteration->kernel->plan->size_count;
}

static const struct index *extent_of(const struct turns *turns, unsigned d)
{
	return turns->iteration->kernel->plan->visit.dims[d].extent;
}

static LLVMTypeRef type_of(const struct turns *turns, unsigned d)
{
	return int_type(turns, expression_is_narrow(extent_of(turns, d)) ? 32 : 64);
}

static LLVMValueRef lower_extent(const struct turns *turns, unsigned d)
{
	return expression_lower_as(&turns->iteration->scope, extent_of(turns, d),
		type_of(turns, d));
}

/* An i32: the extent, or INT32_MAX where it is more, which no place is. */
static LLVMValueRef narrow_extent(const struct turns *turns, unsigned d)
{
	const struct iteration *iteration = turns->iteration;
	LLVMValueRef extent = lower_extent(turns, d);

	return expression_is_narrow(extent_of(turns, d)) ? extent : room_narrow(
		iteration->scope.builder, iteration->kernel->hooks->pin, extent);
}

/* The same for a division, where that is done. */
static LLVMValueRef divisor(const struct turns *turns, unsigned d)
{
	const struct iteration *iteration = turns->iteration;

	return iteration->kernel->hooks->pin(iteration->scope.builder, narrow_extent(turns, d));
}

/* The digits of a place, an i32, in the extents of the first "count" dims. */
static void split(const struct turns *turns, LLVMValueRef place, unsigned count,
	LLVMValueRef *digits)
{
	LLVMBuilderRef builder = turns->iteration->scope.builder;
	LLVMValueRef extent, quotient;

	while (--count) {
		extent = divisor(turns, count);
		quotient = turns->iteration->kernel->hooks->pin(builder,
			LLVMBuildUDiv(builder, place, extent, "quotient"));
		digits[count] = LLVMBuildSub(builder, place,
			LLVMBuildMul(builder, quotient, extent, ""), "digit");
		place = quotient;
	}
	digits[0] = place;
}

/* The workgroup's place on an axis, an i32. */
static LLVMValueRef place_on(const struct turns *turns, unsigned axis)
{
	const layout_kernel *kernel = turns->iteration->kernel;

	return kernel->extent[axis]->max > 1 ?
		kernel->hooks->group_id(turns->iteration->scope.builder, axis) :
		LLVMConstNull(int_type(turns, 32));
}

/* Where tiles are not folded. */
static void enter_axes(const struct turns *turns)
{
	const struct plan *plan = turns->iteration->kernel->plan;
	LLVMValueRef *dims = dims_of(turns);
	unsigned deep = 0;

	for (unsigned d = 0; d < turns->count; d++) {
		int axis = grid_axis(plan->visit.dims[d].level);

		if (axis == 2)
			deep++;
		else
			dims[d] = place_on(turns, (unsigned)axis);
	}
	if (deep)
		split(turns, place_on(turns, 2), deep, dims);
}

static struct rooms no_rooms(const struct turns *turns, int64_t limit)
{
	const struct iteration *iteration = turns->iteration;

	return (struct rooms){ iteration->scope.builder, iteration->kernel->hooks->pin, limit,
		NULL };
}

/* Tests that the tiles are not folded. */
static struct rooms fits(const struct turns *turns, int64_t limit)
{
	const layout_kernel *kernel = turns->iteration->kernel;
	struct rooms rooms = no_rooms(turns, limit);
	struct limits limits = { 0 };

	for (unsigned axis = 0; axis < 3; axis++)
		limits_add(&limits, kernel->extent[axis], grid_cap(axis, kernel->lanes));
	limits_test_exactly(&limits, &turns->iteration->scope, &rooms);
	return rooms;
}

/* All tiles, an i64; or other numbers above INT32_MAX, where there are so many. */
static LLVMValueRef count_tiles(const struct turns *turns)
{
	const struct iteration *iteration = turns->iteration;
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMTypeRef i64 = int_type(turns, 64);
	LLVMValueRef tiles = LLVMBuildZExt(b, narrow_extent(turns, 0), i64, "tiles");

	for (unsigned d = 1; d < turns->count; d++) {
		if (d > 1)
			tiles = LLVMBuildZExt(b, room_narrow(b, iteration->kernel->hooks->pin,
				tiles), i64, "tiles");
		tiles = LLVMBuildMul(b, tiles, LLVMBuildZExt(b, narrow_extent(turns, d), i64, ""),
			"tiles");
	}
	return tiles;
}

/* Room for one tile a workgroup where they are folded: none, or as much as there can be. */
static LLVMValueRef find_room(const struct turns *turns)
{
	LLVMTypeRef i32 = int_type(turns, 32);
	struct rooms rooms = no_rooms(turns, 0);

	rooms_add_below(&rooms, count_tiles(turns),
		grid_cap(0, turns->iteration->kernel->lanes));
	return LLVMBuildSelect(rooms.builder, rooms_hold(&rooms),
		LLVMConstInt(i32, INT32_MAX, false), LLVMConstAllOnes(i32), "room");
}

/* Where they may be: else nothing is tested. */
static void enter_folded(struct turns *turns, int64_t limit)
{
	const struct iteration *iteration = turns->iteration;
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMValueRef *digits = turns->digits, *dims = dims_of(turns);
	struct rooms rooms = fits(turns, limit);
	struct branch branch;

	if (!rooms.least)
		return;
	branch = branch_open_seldom(iteration, LLVMBuildNot(builder, rooms_hold(&rooms), "folds"),
		"folded");
	digits[turns->count] = find_room(turns);
	split(turns, iteration->kernel->hooks->group_id(builder, 0), turns->count, digits);
	dims[turns->count] = rooms.least;
	branch_values(iteration, &branch, digits, dims, turns->count + 1);
	memcpy(dims, digits, turns->count * sizeof(*dims));
	turns->room = digits[turns->count];
}

bool turns_enter(layout_context *ctx, struct turns *turns, struct iteration *iteration,
	int64_t limit)
{
	const layout_kernel *kernel = iteration->kernel;

	*turns = (struct turns){ .iteration = iteration,
		.count = kernel->plan->visit.dim_count - 1 };
	turns->digits = layout_alloc(ctx, turns->count + 1, sizeof(*turns->digits));
	if (!turns->digits)
		return false;
	enter_axes(turns);
	enter_folded(turns, limit);
	dims_of(turns)[turns->count] = kernel->hooks->lane_id(iteration->scope.builder);
	return true;
}

void turns_free(struct turns *turns)
{
	free(turns->digits);
}

void turns_open(struct turns *turns)
{
	const struct iteration *iteration = turns->iteration;
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
	LLVMValueRef *dims = dims_of(turns), *first = turns->digits;

	if (!turns->room)
		return;
	turns->turn = iteration_block(iteration, "turn");
	for (unsigned d = 0; d < turns->count; d++)
		first[d] = LLVMBuildIntCast2(builder, dims[d], type_of(turns, d), false, "first");
	LLVMBuildBr(builder, turns->turn);
	LLVMPositionBuilderAtEnd(builder, turns->turn);
	for (unsigned d = 0; d < turns->count; d++) {
		dims[d] = LLVMBuildPhi(builder, type_of(turns, d), "tile");
		LLVMAddIncoming(dims[d], &first[d], &before, 1);
	}
}

/* The digits of as many tiles further on as are launched: one beyond the last where there are no
 * more. */
static void find_next(const struct turns *turns, LLVMValueRef *next)
{
	const struct iteration *iteration = turns->iteration;
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMValueRef carry = LLVMConstNull(int_type(turns, 32)), over, extent;

	split(turns, LLVMConstInt(int_type(turns, 32), (unsigned long long)grid_cap(0,
		iteration->kernel->lanes), false), turns->count, next);
	for (unsigned d = turns->count; d--;) {
		LLVMTypeRef type = type_of(turns, d);

		next[d] = LLVMBuildIntCast2(b, LLVMBuildAdd(b, next[d], carry, ""), type, false, "");
		next[d] = LLVMBuildAdd(b, dims_of(turns)[d], next[d], "next");
		if (!d)
			return;
		extent = lower_extent(turns, d);
		over = LLVMBuildICmp(b, LLVMIntUGE, next[d], extent, "over");
		carry = LLVMBuildZExt(b, over, int_type(turns, 32), "carry");
		next[d] = iteration->kernel->hooks->pin(b, LLVMBuildSub(b, next[d],
			LLVMBuildSelect(b, over, extent, LLVMConstNull(type), ""), "next"));
	}
}

void turns_close(struct turns *turns)
{
	const struct iteration *iteration = turns->iteration;
	const layout_kernel *kernel = iteration->kernel;
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMBasicBlockRef done, again;
	struct rooms rooms;

	if (!turns->room)
		return;
	rooms = fits(turns, 0);
	done = iteration_block(iteration, "done");
	again = iteration_block(iteration, "again");
	LLVMBuildCondBr(builder, rooms_hold(&rooms), done, again);
	LLVMPositionBuilderAtEnd(builder, again);
	if (kernel->plan->tile->move_count > 1)
		kernel->hooks->barrier(builder);
	find_next(turns, turns->digits);
	LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, turns->digits[0],
		lower_extent(turns, 0), "more"), turns->turn, done);
	again = LLVMGetInsertBlock(builder);
	for (unsigned d = 0; d < turns->count; d++)
		LLVMAddIncoming(dims_of(turns)[d], &turns->digits[d], &again, 1);
	LLVMPositionBuilderAtEnd(builder, done);
}
