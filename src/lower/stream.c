/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/stream.h"
#include "lower/branch.h"

#include <string.h>

/* What is read for it goes through the caches as well. */
LLVMValueRef stream_is_large(const struct iteration *iteration, LLVMValueRef bytes)
{
	int64_t most = iteration->kernel->hooks->cache_bytes(0) / 2;

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

static unsigned vector_bytes(const struct row *row)
{
	const layout_kernel *kernel = row->iteration->kernel;

	return kernel->hooks->vector_bytes(kernel->cpu);
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

/* An intrinsic of "type", unless that is NULL, and of pointers. */
static LLVMValueRef call(LLVMBuilderRef b, const char *name, LLVMTypeRef type,
	LLVMValueRef *args, unsigned count)
{
	LLVMTypeRef types[] = { type, LLVMPointerTypeInContext(LLVMGetBuilderContext(b), 0) };

	return lower_intrinsic(b, name, types + !type, 2 - !type, args, count);
}

/* Where vectors are lines, the first bytes of one are loaded and stored as they are. */
static void copy_masked(const struct row *row, LLVMValueRef to, LLVMValueRef from,
	LLVMValueRef bytes)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(row->b);
	LLVMTypeRef line = LLVMVectorType(row->byte, STREAM_LINE);
	LLVMTypeRef lanes = LLVMVectorType(LLVMInt1TypeInContext(llvm), STREAM_LINE);
	LLVMValueRef mask = LLVMBuildNot(row->b, LLVMBuildShl(row->b, number(row, -1), bytes,
		""), ""), value;

	mask = LLVMBuildBitCast(row->b, mask, lanes, "mask");
	value = call(row->b, "llvm.masked.load", line, (LLVMValueRef[]){ from, mask,
		LLVMConstNull(line) }, 3);
	call(row->b, "llvm.masked.store", line, (LLVMValueRef[]){ value, to, mask }, 3);
}

/* Copy less than a line.  Most rows have no such part, and processors take long for masks of
 * nothing. */
static void copy_part(const struct row *row, LLVMValueRef at, LLVMValueRef bytes)
{
	LLVMValueRef to = byte_at(row, row->to, at), from = byte_at(row, row->from, at);
	struct branch some = branch_open(row->iteration, LLVMBuildICmp(row->b, LLVMIntNE, bytes,
		number(row, 0), ""), "part");

	if (vector_bytes(row) == STREAM_LINE)
		copy_masked(row, to, from, bytes);
	else
		LLVMBuildMemCpy(row->b, to, 1, from, 1, bytes);
	branch_close(row->iteration, &some);
}

/* A line at byte "at" of the row. */
static void copy_line(const struct row *row, LLVMValueRef at)
{
	unsigned bytes = vector_bytes(row);

	for (unsigned i = 0; i < STREAM_LINE; i += bytes) {
		LLVMValueRef part = LLVMBuildNSWAdd(row->b, at, number(row, i), "");
		LLVMValueRef value = LLVMBuildLoad2(row->b, LLVMVectorType(row->byte, bytes),
			byte_at(row, row->from, part), "");

		LLVMSetAlignment(value, 1);
		stream_store(row->b, value, byte_at(row, row->to, part), bytes);
	}
}

/* Lines up to "end", at least one. */
static void copy_lines(const struct row *row, LLVMValueRef first, LLVMValueRef end)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(row->b);
	LLVMBasicBlockRef body = iteration_block(row->iteration, "line");
	LLVMBasicBlockRef after = iteration_block(row->iteration, "lines");
	LLVMValueRef at, next;

	LLVMBuildBr(row->b, body);
	LLVMPositionBuilderAtEnd(row->b, body);
	at = LLVMBuildPhi(row->b, LLVMTypeOf(first), "at");
	copy_line(row, at);
	next = LLVMBuildNSWAdd(row->b, at, number(row, STREAM_LINE), "next");
	LLVMAddIncoming(at, (LLVMValueRef[]){ first, next },
		(LLVMBasicBlockRef[]){ before, body }, 2);
	LLVMBuildCondBr(row->b, LLVMBuildICmp(row->b, LLVMIntSLT, next, end, "more"), body,
		after);
	LLVMPositionBuilderAtEnd(row->b, after);
}

/* "to" and "from", for an iteration. */
static struct row row_of(const struct iteration *iteration, LLVMValueRef to, LLVMValueRef from)
{
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMContextRef llvm = LLVMGetBuilderContext(b);

	return (struct row){ iteration, b, LLVMInt8TypeInContext(llvm), LLVMInt64TypeInContext(llvm),
		to, from };
}

void stream_line(const struct iteration *iteration, const struct stream_line *line,
	LLVMValueRef n)
{
	struct row row = row_of(iteration, line->to, line->from);

	copy_line(&row, LLVMBuildNSWMul(row.b, n, number(&row, STREAM_LINE), "at"));
}

void stream_row(const struct iteration *iteration, LLVMValueRef to, LLVMValueRef from,
	LLVMValueRef bytes)
{
	LLVMBuilderRef b = iteration->scope.builder;
	struct row row = row_of(iteration, to, from);
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
	LLVMValueRef args[] = { address, LLVMConstInt(i32, written, false),
		LLVMConstInt(i32, 2, false), LLVMConstInt(i32, 1, false) };

	call(b, "llvm.prefetch", NULL, args, 4);
}

void stream_end(LLVMBuilderRef b)
{
	LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
}
