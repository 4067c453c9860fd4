/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dwords of other lanes: by data parallel primitives, permutes of rows, the crossbar. */
#include "amdgpu/code/amdgpu.h"

enum { ROW = 16, HALF = 32 };

/* The controls of DPP. */
enum { ROW_TURN_8 = 0x128, ROW_MIRROR = 0x140, ROW_HALF_MIRROR = 0x141, ROW_XMASK = 0x160 };

static LLVMValueRef number(LLVMBuilderRef builder, uint64_t value)
{
	return amdgpu_constant(builder, 32, value);
}

static LLVMValueRef flag(LLVMBuilderRef builder, bool value)
{
	return amdgpu_constant(builder, 1, value);
}

static LLVMValueRef dpp(LLVMBuilderRef builder, LLVMValueRef value, unsigned control)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMValueRef args[] = { LLVMGetPoison(type), value, number(builder, control),
		number(builder, 15), number(builder, 15), flag(builder, true) };

	return amdgpu_call(builder, "llvm.amdgcn.update.dpp", &type, 1, args, 6, "moved");
}

static LLVMValueRef quad(LLVMBuilderRef builder, LLVMValueRef value, unsigned x)
{
	unsigned control = 0;

	for (unsigned i = 0; i < 4; i++)
		control |= (i ^ x) << 2 * i;
	return dpp(builder, value, control);
}

static LLVMValueRef mirror(LLVMBuilderRef builder, LLVMValueRef value, unsigned x)
{
	return dpp(builder, value, x == 7 ? ROW_HALF_MIRROR : x == 8 ? ROW_TURN_8 :
		ROW_MIRROR);
}

/* One of 7, 8 and 15, and what is left for a quad. */
static LLVMValueRef two(LLVMBuilderRef builder, LLVMValueRef value, unsigned x)
{
	unsigned first = x < 8 ? 7 : x < 12 ? 8 : 15;

	return quad(builder, mirror(builder, value, first), x ^ first);
}

static LLVMValueRef swizzle(LLVMBuilderRef builder, LLVMValueRef value, unsigned x)
{
	LLVMValueRef args[] = { value, number(builder, x << 10 | 31) };

	return amdgpu_call(builder, "llvm.amdgcn.ds.swizzle", NULL, 0, args, 2, "moved");
}

static LLVMValueRef other_row(LLVMBuilderRef builder, LLVMValueRef value, unsigned x)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	uint64_t lanes = 0;

	for (uint64_t i = 0; i < ROW; i++)
		lanes |= (i ^ x % ROW) << 4 * i;
	LLVMValueRef args[] = { LLVMGetPoison(type), value, number(builder,
		lanes & UINT32_MAX), number(builder, lanes >> 32), flag(builder, false),
		flag(builder, true) };

	return amdgpu_call(builder, "llvm.amdgcn.permlanex16", &type, 1, args, 6, "moved");
}

static LLVMValueRef other_half(LLVMBuilderRef builder, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	return amdgpu_call(builder, "llvm.amdgcn.permlane64", &type, 1, &value, 1,
		"moved");
}

static LLVMValueRef has_bit(LLVMBuilderRef builder, LLVMValueRef value, unsigned bit)
{
	LLVMValueRef masked = LLVMBuildAnd(builder, value, number(builder, bit), "bit");

	return LLVMBuildICmp(builder, LLVMIntNE, masked, number(builder, 0), "is_odd");
}

/* The first one's odd groups of lanes and the second one's even ones. */
void amdgpu_lane_swap(LLVMBuilderRef builder, LLVMValueRef pair[2], unsigned x)
{
	LLVMValueRef args[] = { pair[0], pair[1], flag(builder, false), flag(builder, false) };
	LLVMValueRef both = amdgpu_call(builder, x == ROW ? "llvm.amdgcn.permlane16.swap" :
		"llvm.amdgcn.permlane32.swap", NULL, 0, args, 4, "swapped");

	pair[0] = LLVMBuildExtractValue(builder, both, 0, "swapped");
	pair[1] = LLVMBuildExtractValue(builder, both, 1, "swapped");
}

/* Odd groups of lanes are in the first of two copies that swap, even ones in the second. */
static LLVMValueRef swapped(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef lane,
	unsigned x)
{
	LLVMValueRef pair[] = { value, value };

	amdgpu_lane_swap(builder, pair, x);
	return LLVMBuildSelect(builder, has_bit(builder, lane, x), pair[0], pair[1],
		"moved");
}

LLVMValueRef amdgpu_load_turned(LLVMBuilderRef builder, LLVMTypeRef type,
	LLVMValueRef pointer)
{
	return amdgpu_call(builder, "llvm.amdgcn.ds.read.tr16.b64", &type, 1, &pointer, 1,
		"turned");
}

static LLVMValueRef pull(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef from)
{
	LLVMValueRef args[] = { LLVMBuildShl(builder, from, number(builder, 2), "place"),
		value };

	return amdgpu_call(builder, "llvm.amdgcn.ds.bpermute", NULL, 0, args, 2, "pulled");
}

/* From the own half, or the other one.  A pull sees its own half of the wave, and what
 * LLVM 22 makes of one whose place is uniform, a readlane, sees both: a place in the half
 * of the lane that asks is never uniform, and right either way. */
static LLVMValueRef pull_halves(LLVMBuilderRef builder, LLVMValueRef value,
	LLVMValueRef lane, LLVMValueRef from)
{
	LLVMValueRef apart = LLVMBuildXor(builder, lane, from, "apart");
	LLVMValueRef place = LLVMBuildOr(builder,
		LLVMBuildAnd(builder, lane, number(builder, HALF), "half"),
		LLVMBuildAnd(builder, from, number(builder, HALF - 1), "within"), "place");
	LLVMValueRef own = pull(builder, value, place);
	LLVMValueRef other = pull(builder, other_half(builder, value), place);

	return LLVMBuildSelect(builder, has_bit(builder, apart, HALF), other, own,
		"pulled");
}

static LLVMValueRef read_lane(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef from)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMValueRef args[] = { value, from };

	return amdgpu_call(builder, "llvm.amdgcn.readlane", &type, 1, args, 2, "read");
}

LLVMValueRef amdgpu_lane_read(LLVMBuilderRef builder, const layout_target *row,
	LLVMValueRef value, LLVMValueRef lane, LLVMValueRef from)
{
	if (LLVMIsConstant(from))
		return read_lane(builder, value, from);
	return amdgpu_chip_of(row)->crossbar < row->wave_size ?
		pull_halves(builder, value, lane, from) : pull(builder, value, from);
}

LLVMValueRef amdgpu_lane_xor(LLVMBuilderRef builder, const layout_target *row,
	LLVMValueRef value, LLVMValueRef lane, unsigned x)
{
	switch (chip_lanes_of(chip_of(row), x)->how) {
	case AMDGPU_QUAD:
		return quad(builder, value, x);
	case AMDGPU_HALF_MIRROR:
	case AMDGPU_TURN:
	case AMDGPU_MIRROR:
		return mirror(builder, value, x);
	case AMDGPU_TWO:
		return two(builder, value, x);
	case AMDGPU_XMASK:
		return dpp(builder, value, ROW_XMASK | x);
	case AMDGPU_SWIZZLE:
		return swizzle(builder, value, x);
	case AMDGPU_OTHER_ROW:
		return other_row(builder, value, x);
	case AMDGPU_SWAP:
		return swapped(builder, value, lane, x);
	case AMDGPU_OTHER_HALF:
		return other_half(builder, value);
	case AMDGPU_HALF_AND_ROW:
		return amdgpu_lane_xor(builder, row, other_half(builder, value), lane,
			x - HALF);
	default:
		return amdgpu_lane_read(builder, row, value, lane, LLVMBuildXor(builder,
			lane, number(builder, x), "from"));
	}
}
