/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/room.h"
#include "lower/llvm.h"

#include <stdbool.h>
#include <stddef.h>

static bool is_wide(LLVMValueRef value)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 64;
}

/* The limit as a part of a value: of 64 bits, the upper half is compared. */
static int64_t limit_of(const struct rooms *rooms, LLVMValueRef value)
{
	return is_wide(value) ? rooms->limit * (INT64_C(1) << 32) : rooms->limit;
}

/* Three at once would be compared by a vector instruction. */
LLVMValueRef rooms_lesser(const struct rooms *rooms, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef builder = rooms->builder;

	if (!a)
		return b;
	return rooms->pin(builder, LLVMBuildSelect(builder,
		LLVMBuildICmp(builder, LLVMIntSLT, a, b, "less"), a, b, "room"));
}

static void add(struct rooms *rooms, LLVMValueRef room)
{
	LLVMBuilderRef builder = rooms->builder;

	if (is_wide(room))
		room = LLVMBuildTrunc(builder, LLVMBuildLShr(builder, room,
			lower_int_like(room, 32), "high"), LLVMInt32TypeInContext(
			LLVMGetBuilderContext(builder)), "room");
	rooms->least = rooms_lesser(rooms, rooms->least, room);
}

void rooms_add_above(struct rooms *rooms, LLVMValueRef value, int64_t part)
{
	add(rooms, LLVMBuildSub(rooms->builder, value,
		lower_int_like(value, part - limit_of(rooms, value)), "room"));
}

void rooms_add_below(struct rooms *rooms, LLVMValueRef value, int64_t most)
{
	add(rooms, LLVMBuildSub(rooms->builder,
		lower_int_like(value, most + limit_of(rooms, value)), value, "room"));
}

/* Its halves are compared: seen as one, LLVM would have the vector unit do it. */
LLVMValueRef room_narrow(LLVMBuilderRef builder,
	LLVMValueRef (*pin)(LLVMBuilderRef builder, LLVMValueRef value), LLVMValueRef value)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef none = LLVMConstNull(i32), most = LLVMConstInt(i32, INT32_MAX, false);
	LLVMValueRef low = LLVMBuildTrunc(builder, value, i32, "low"), high;

	high = pin(builder, LLVMBuildTrunc(builder, LLVMBuildLShr(builder, value,
		lower_int_like(value, 32), "high"), i32, "high"));
	low = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntULT, low, most, "less"), low,
		most, "low");
	low = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntSGT, high, none, "more"),
		most, low, "narrow");
	return LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntSLT, high, none, "less"),
		none, low, "narrow");
}

LLVMValueRef rooms_hold(const struct rooms *rooms)
{
	if (!rooms->least)
		return NULL;
	return LLVMBuildICmp(rooms->builder, LLVMIntSGE, rooms->least,
		lower_int_like(rooms->least, rooms->limit), "fits");
}
