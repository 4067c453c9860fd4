/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/stream.h"

#include <string.h>

LLVMValueRef stream_is_large(const struct iteration *iteration, LLVMValueRef bytes)
{
	int64_t most = iteration->kernel->hooks->cache_bytes(0);

	return LLVMBuildICmp(iteration->scope.builder, LLVMIntSGT, bytes,
		LLVMConstInt(LLVMTypeOf(bytes), (unsigned long long)most, true), "large");
}

/* A row on its way from the caches. */
struct row {
	const struct iteration *iteration;
	LLVMBuilderRef b;
	LLVMTypeRef byte, i64;
	LLVMValueRef to, from;
};

static LLVMValueRef number(const struct row *row, int64_t value)
{
	return LLVMConstInt(row->i64, (unsigned long long)value, true);
}

static LLVMValueRef byte_at(const struct row *row, LLVMValueRef base, LLVMValueRef at)
{
	return LLVMBuildInBoundsGEP2(row->b, row->byte, base, &at, 1, "address");
}

void stream_store(LLVMBuilderRef b, LLVMValueRef value, LLVMValueRef address,
	unsigned bytes)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(b);
	LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(llvm),
		1, false));
	LLVMValueRef store = LLVMBuildStore(b, value, address);

	LLVMSetAlignment(store, bytes);
	LLVMSetMetadata(store, LLVMGetMDKindIDInContext(llvm, "nontemporal", 11),
		LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, &one, 1)));
}

/* Copy "size" bytes of a row, from "at" on. */
static void copy_piece(const struct row *row, LLVMValueRef at, unsigned size)
{
	LLVMTypeRef type = LLVMVectorType(row->byte, size);
	LLVMValueRef value = LLVMBuildLoad2(row->b, type, byte_at(row, row->from, at), "");

	LLVMSetAlignment(value, 1);
	LLVMSetAlignment(LLVMBuildStore(row->b, value, byte_at(row, row->to, at)), 1);
}

/* Copy less than a line, in two pieces that may overlap. */
static void copy_part(const struct row *row, LLVMValueRef at, LLVMValueRef bytes)
{
	LLVMBasicBlockRef done = iteration_block(row->iteration, "copied"), less;
	LLVMValueRef end = LLVMBuildNSWAdd(row->b, at, bytes, "end");

	for (unsigned size = STREAM_LINE / 2; size; size /= 2) {
		LLVMBasicBlockRef two = iteration_block(row->iteration, "two");

		less = iteration_block(row->iteration, "less");
		LLVMBuildCondBr(row->b, LLVMBuildICmp(row->b, LLVMIntSGE, bytes,
			number(row, size), ""), two, less);
		LLVMPositionBuilderAtEnd(row->b, two);
		copy_piece(row, at, size);
		copy_piece(row, LLVMBuildNSWSub(row->b, end, number(row, size), ""), size);
		LLVMBuildBr(row->b, done);
		LLVMPositionBuilderAtEnd(row->b, less);
	}
	LLVMBuildBr(row->b, done);
	LLVMPositionBuilderAtEnd(row->b, done);
}

/* Lines up to "end", at least one. */
static void copy_lines(const struct row *row, LLVMValueRef first, LLVMValueRef end)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(row->b);
	LLVMBasicBlockRef body = iteration_block(row->iteration, "line");
	LLVMBasicBlockRef after = iteration_block(row->iteration, "lines");
	unsigned bytes = row->iteration->kernel->hooks->vector_bytes(row->iteration->kernel->cpu);
	LLVMTypeRef type = LLVMVectorType(row->byte, bytes);
	LLVMValueRef at, next;

	LLVMBuildBr(row->b, body);
	LLVMPositionBuilderAtEnd(row->b, body);
	at = LLVMBuildPhi(row->b, LLVMTypeOf(first), "at");
	for (unsigned i = 0; i < STREAM_LINE; i += bytes) {
		LLVMValueRef part = LLVMBuildNSWAdd(row->b, at, number(row, i), "");
		LLVMValueRef value = LLVMBuildLoad2(row->b, type,
			byte_at(row, row->from, part), "");

		LLVMSetAlignment(value, 1);
		stream_store(row->b, value, byte_at(row, row->to, part), bytes);
	}
	next = LLVMBuildNSWAdd(row->b, at, number(row, STREAM_LINE), "next");
	LLVMAddIncoming(at, (LLVMValueRef[]){ first, next },
		(LLVMBasicBlockRef[]){ before, body }, 2);
	LLVMBuildCondBr(row->b, LLVMBuildICmp(row->b, LLVMIntSLT, next, end, "more"), body,
		after);
	LLVMPositionBuilderAtEnd(row->b, after);
}

void stream_row(const struct iteration *iteration, LLVMValueRef to, LLVMValueRef from,
	LLVMValueRef bytes)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMContextRef llvm = LLVMGetBuilderContext(b);
	struct row row = { iteration, b, LLVMInt8TypeInContext(llvm),
		LLVMInt64TypeInContext(llvm), to, from };
	LLVMValueRef place = LLVMBuildPtrToInt(b, to, row.i64, ""), before, lines;

	before = LLVMBuildAnd(b, LLVMBuildNeg(b, place, ""), number(&row, STREAM_LINE - 1),
		"before");
	lines = LLVMBuildAnd(b, LLVMBuildNSWSub(b, bytes, before, ""),
		number(&row, -STREAM_LINE), "");
	lines = LLVMBuildNSWAdd(b, before, lines, "end");
	copy_part(&row, number(&row, 0), before);
	copy_lines(&row, before, lines);
	copy_part(&row, lines, LLVMBuildNSWSub(b, bytes, lines, ""));
}

void stream_prefetch(LLVMBuilderRef b, LLVMValueRef address, bool written)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(b));
	LLVMTypeRef pointer = LLVMTypeOf(address);
	unsigned id = LLVMLookupIntrinsicID("llvm.prefetch", strlen("llvm.prefetch"));
	LLVMValueRef function = LLVMGetIntrinsicDeclaration(LLVMGetGlobalParent(
		LLVMGetBasicBlockParent(LLVMGetInsertBlock(b))), id, &pointer, 1);
	LLVMValueRef args[] = { address, LLVMConstInt(i32, written, false),
		LLVMConstInt(i32, 2, false), LLVMConstInt(i32, 1, false) };

	LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, args, 4, "");
}

void stream_end(LLVMBuilderRef b)
{
	LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
}
