/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements that are parts of bytes in memory, and each a byte in registers:
 *
 *	b a  d c	a b c d
 *
 * where a and b are a byte's low bits and its high ones. */
#include "lower/block/parts.h"
#include "lower/branch.h"

static unsigned bits_of(const struct block_lowering *l)
{
	return 8 / (unsigned)l->block->packed;
}

/* A value as often as a vector has it. */
static LLVMValueRef splat(LLVMTypeRef vector, uint64_t value)
{
	LLVMValueRef list[TURN_LANES];

	for (unsigned i = 0; i < LLVMGetVectorSize(vector); i++)
		list[i] = LLVMConstInt(LLVMGetElementType(vector), value, false);
	return LLVMConstVector(list, LLVMGetVectorSize(vector));
}

/* As many bytes, those of a byte in memory together as one element. */
static LLVMTypeRef wide_type(const struct block_lowering *l, unsigned count)
{
	return LLVMVectorType(LLVMIntTypeInContext(LLVMGetBuilderContext(l->b),
		8 * (unsigned)l->block->packed), count);
}

/* The low bits of every byte. */
static LLVMValueRef low_bits(const struct block_lowering *l, LLVMTypeRef type)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < l->block->packed; i++)
		mask |= (uint64_t)((1u << bits_of(l)) - 1) << 8 * i;
	return splat(type, mask);
}

LLVMValueRef block_unpack(const struct block_lowering *l, LLVMValueRef value)
{
	unsigned count = LLVMGetVectorSize(LLVMTypeOf(value)), packed = (unsigned)l->block->packed;
	LLVMTypeRef type = wide_type(l, count);
	LLVMValueRef wide = LLVMBuildZExt(l->b, value, type, "wide");

	for (unsigned n = packed / 2; n; n /= 2)
		wide = LLVMBuildOr(l->b, wide, LLVMBuildShl(l->b, wide,
			splat(type, (uint64_t)n * (8 - bits_of(l))), ""), "spread");
	wide = LLVMBuildAnd(l->b, wide, low_bits(l, type), "");
	return LLVMBuildBitCast(l->b, wide, LLVMVectorType(LLVMGetElementType(LLVMTypeOf(value)),
		count * packed), "unpacked");
}

LLVMValueRef block_pack(const struct block_lowering *l, LLVMValueRef value)
{
	unsigned packed = (unsigned)l->block->packed;
	unsigned count = LLVMGetVectorSize(LLVMTypeOf(value)) / packed;
	LLVMTypeRef type = wide_type(l, count);
	LLVMValueRef wide = LLVMBuildBitCast(l->b, value, type, "wide");

	for (unsigned n = 1; n < packed; n *= 2)
		wide = LLVMBuildOr(l->b, wide, LLVMBuildLShr(l->b, wide,
			splat(type, (uint64_t)n * (8 - bits_of(l))), ""), "gathered");
	return LLVMBuildTrunc(l->b, wide, LLVMVectorType(LLVMGetElementType(LLVMTypeOf(value)),
		count), "packed");
}

/* An element of the source, as a byte; the pad value where it has none there. */
static LLVMValueRef load_element(const struct block_lowering *l, const LLVMValueRef *index,
	LLVMValueRef offset)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	struct branch inside = branch_open(&l->part, block_is_below(l, index, true), "inside");
	LLVMValueRef value = LLVMBuildLoad2(l->b, byte, block_address(l, FACTOR_LOAD, offset),
		"byte"), shift;

	LLVMSetAlignment(value, 1);
	shift = LLVMBuildAnd(l->b, offset, block_number(l, l->block->packed - 1), "");
	shift = LLVMBuildNSWMul(l->b, shift, block_number(l, bits_of(l)), "shift");
	value = LLVMBuildLShr(l->b, value, LLVMBuildTrunc(l->b, shift, byte, ""), "");
	value = LLVMBuildAnd(l->b, value, LLVMConstInt(byte, (1u << bits_of(l)) - 1, false),
		"element");
	return branch_value(&l->part, &inside, value, LLVMConstInt(byte,
		block_pad_bits(l), false));
}

/* Byte n in the order of the destination, of which all elements exist or none; "index" has room
 * for one. */
static void move_byte(const struct block_lowering *l, LLVMValueRef n, LLVMValueRef *index)
{
	LLVMValueRef first = NULL, bits = NULL, value;
	struct branch exists;

	n = LLVMBuildNSWMul(l->b, n, block_number(l, l->block->packed), "first");
	for (unsigned k = 0; k < l->block->packed; k++) {
		LLVMValueRef offset[] = { l->offset[0], l->offset[1] };

		block_place(l, LLVMBuildNSWAdd(l->b, n, block_number(l, k), ""), index, offset);
		if (!k) {
			first = offset[FACTOR_STORE];
			exists = branch_open(&l->part, block_is_below(l, index, false), "exists");
		}
		value = load_element(l, index, offset[FACTOR_LOAD]);
		value = LLVMBuildShl(l->b, value, LLVMConstInt(LLVMTypeOf(value),
			k * bits_of(l), false), "");
		bits = bits ? LLVMBuildOr(l->b, bits, value, "bits") : value;
	}
	LLVMSetAlignment(LLVMBuildStore(l->b, bits, block_address(l, FACTOR_STORE, first)), 1);
	branch_close(&l->part, &exists);
}

void block_move_bytes(const struct block_lowering *l, LLVMValueRef *index)
{
	struct turns loop = block_loop_open(l, block_number(l, 0),
		block_number(l, l->block->elements / l->block->packed));

	move_byte(l, loop.counter, index);
	block_loop_close(l, &loop);
}
