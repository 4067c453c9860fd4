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

/* Bits of its byte that are before an element. */
static LLVMValueRef bits_before(const struct block_lowering *l, LLVMValueRef offset)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	LLVMValueRef phase = LLVMBuildAnd(l->b, offset, block_number(l, l->block->packed - 1),
		"phase");

	return LLVMBuildTrunc(l->b, LLVMBuildNSWMul(l->b, phase, block_number(l, bits_of(l)),
		""), byte, "before");
}

/* Bytes by "by" bits, as one number of as many of them as there can be together, and again as
 * bytes.  What comes from the next number is that of other bytes, one further on. */
static LLVMValueRef shift_bytes(const struct block_lowering *l, LLVMOpcode shift,
	LLVMValueRef value, LLVMValueRef by)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(l->b);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(llvm), bytes = LLVMTypeOf(value), number, wide;
	unsigned count = LLVMGetVectorSize(bytes), size = 8;
	LLVMValueRef all;

	while (count % size)
		size /= 2;
	number = LLVMIntTypeInContext(llvm, 8 * size);
	wide = LLVMVectorType(number, count / size);
	all = LLVMBuildInsertElement(l->b, LLVMGetPoison(wide), LLVMBuildIntCast2(l->b, by,
		number, false, ""), LLVMConstNull(i32), "");
	all = LLVMBuildShuffleVector(l->b, all, LLVMGetPoison(wide), LLVMConstNull(
		LLVMVectorType(i32, count / size)), "by");
	value = LLVMBuildBinOp(l->b, shift, LLVMBuildBitCast(l->b, value, wide, ""), all, "");
	return LLVMBuildBitCast(l->b, value, bytes, "shifted");
}

/* 8 - before */
static LLVMValueRef bits_behind(const struct block_lowering *l, LLVMValueRef before)
{
	return LLVMBuildSub(l->b, LLVMConstInt(LLVMTypeOf(before), 8, false), before, "rest");
}

/* A byte by that, of which there is nothing left where it is all. */
static LLVMValueRef shift_byte(const struct block_lowering *l, LLVMOpcode shift,
	LLVMValueRef byte, LLVMValueRef before)
{
	LLVMTypeRef i16 = LLVMInt16TypeInContext(LLVMGetBuilderContext(l->b));
	LLVMValueRef by = LLVMBuildZExt(l->b, bits_behind(l, before), i16, "");

	byte = LLVMBuildBinOp(l->b, shift, LLVMBuildZExt(l->b, byte, i16, ""), by, "");
	return LLVMBuildTrunc(l->b, byte, LLVMTypeOf(before), "");
}

static LLVMValueRef load_bytes(const struct block_lowering *l, LLVMTypeRef type,
	LLVMValueRef from)
{
	LLVMValueRef value = LLVMBuildLoad2(l->b, type, from, "bytes");

	LLVMSetAlignment(value, 1);
	return value;
}

/* The byte behind an address, or the address where nothing is before an element. */
static LLVMValueRef behind(const struct block_lowering *l, LLVMValueRef at, int64_t bytes,
	LLVMValueRef before, LLVMValueRef otherwise)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	LLVMValueRef by = block_number(l, bytes);

	return LLVMBuildSelect(l->b, LLVMBuildIsNull(l->b, before, ""), otherwise,
		LLVMBuildGEP2(l->b, byte, at, &by, 1, ""), "behind");
}

LLVMValueRef block_load_shifted(const struct block_lowering *l, LLVMValueRef offset,
	LLVMTypeRef type)
{
	LLVMValueRef from = block_byte(l, l->load_base, offset), before = bits_before(l, offset);
	LLVMValueRef low = load_bytes(l, type, from);
	LLVMValueRef high = load_bytes(l, type, behind(l, from, 1, before, from));
	LLVMValueRef rest = LLVMBuildAnd(l->b, bits_behind(l, before), LLVMConstInt(
		LLVMTypeOf(before), 7, false), "");

	return LLVMBuildOr(l->b, shift_bytes(l, LLVMLShr, low, before),
		shift_bytes(l, LLVMShl, high, rest), "shifted");
}

/* Those of a vector one further on, "first" in front of them. */
static LLVMValueRef move_on(const struct block_lowering *l, LLVMValueRef value,
	LLVMValueRef first)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(l->b));
	unsigned count = LLVMGetVectorSize(LLVMTypeOf(value));
	LLVMValueRef lanes[TURN_LANES];

	for (unsigned i = 0; i < count; i++)
		lanes[i] = LLVMConstInt(i32, i ? i - 1 : count, false);
	first = LLVMBuildInsertElement(l->b, LLVMGetPoison(LLVMTypeOf(value)), first,
		LLVMConstNull(i32), "");
	return LLVMBuildShuffleVector(l->b, value, first, LLVMConstVector(lanes, count), "on");
}

/* What is in its first byte before it stays, and in its last one behind it. */
void block_store_shifted(const struct block_lowering *l, LLVMValueRef value,
	LLVMValueRef offset)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(l->b);
	LLVMTypeRef byte = LLVMInt8TypeInContext(llvm);
	unsigned count = LLVMGetVectorSize(LLVMTypeOf(value));
	LLVMValueRef to = block_byte(l, l->store_base, offset), before = bits_before(l, offset);
	LLVMValueRef last_to = behind(l, to, count, before, l->spare);
	LLVMValueRef first = shift_byte(l, LLVMShl, load_bytes(l, byte, to), before), last;
	LLVMValueRef stays = load_bytes(l, byte, last_to);

	last = LLVMBuildExtractElement(l->b, value, LLVMConstInt(LLVMInt32TypeInContext(llvm),
		count - 1, false), "last");
	first = LLVMBuildOr(l->b, shift_bytes(l, LLVMShl, value, before), shift_bytes(l,
		LLVMLShr, move_on(l, value, first), bits_behind(l, before)), "shifted");
	stays = LLVMBuildShl(l->b, LLVMBuildLShr(l->b, stays, before, ""), before, "stays");
	last = LLVMBuildOr(l->b, stays, shift_byte(l, LLVMLShr, last, before), "last");
	LLVMSetAlignment(LLVMBuildStore(l->b, first, to), 1);
	LLVMSetAlignment(LLVMBuildStore(l->b, last, last_to), 1);
}

/* An element of the source, as a byte; the pad value where it has none there. */
static LLVMValueRef load_element(const struct block_lowering *l, const LLVMValueRef *index,
	LLVMValueRef offset)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	struct branch inside = branch_open(&l->part, block_is_below(l, index, true), "inside");
	LLVMValueRef value = LLVMBuildLoad2(l->b, byte, block_address(l, FACTOR_LOAD, offset),
		"byte");

	LLVMSetAlignment(value, 1);
	value = LLVMBuildLShr(l->b, value, bits_before(l, offset), "");
	value = LLVMBuildAnd(l->b, value, LLVMConstInt(byte, (1u << bits_of(l)) - 1, false),
		"element");
	return branch_value(&l->part, &inside, value, LLVMConstInt(byte,
		block_pad_bits(l), false));
}

/* Byte n in the order of the destination, of which all elements exist or none, and which a swizzle
 * may have in another order; "index" has room for one. */
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
		value = LLVMBuildShl(l->b, value, bits_before(l, offset[FACTOR_STORE]), "");
		bits = bits ? LLVMBuildOr(l->b, bits, value, "bits") : value;
	}
	LLVMSetAlignment(LLVMBuildStore(l->b, bits, block_address(l, FACTOR_STORE, first)), 1);
	branch_close(&l->part, &exists);
}

void block_move_bytes(const struct block_lowering *l, LLVMValueRef *index)
{
	struct block_turns loop = block_loop_open(l, block_number(l, 0),
		block_number(l, l->block->elements / l->block->packed));

	move_byte(l, loop.counter, index);
	block_loop_close(l, &loop);
}
