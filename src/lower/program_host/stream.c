/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of a memory that no cache holds.
 *
 *	for (x = first; x < end; x = stop)
 *		stop = the next boundary of vectors, or behind a buffer's worth of them
 *		the elements from x to stop, to the buffer
 *		whole vectors of it past the caches, the rest as bytes */
#include "lower/program_host/parts.h"
#include "lower/stream.h"

enum { LEAST_ROW = 1024 };	/* bytes */

static int64_t vector_bytes(const struct host *host)
{
	const layout_kernel *kernel = host->iteration->kernel;

	return kernel->hooks->vector_bytes(kernel->cpu);
}

/* Are elements beside each other in the last dimension beside each other in memory? */
static bool is_contiguous(const struct storage_access *access)
{
	unsigned last = access->rank - 1, count = 0;
	bool is_one = false;

	for (unsigned k = 0; k < access->slot_count; k++) {
		const struct digit *digit = &access->digits[k];

		if (access->twisted || digit->dim != last)
			continue;
		is_one = digit->step == 1 && !digit->radix &&
			index_is(access->pitch[k], 1);
		count++;
	}
	return count == 1 && is_one;
}

static bool is_streamed(const struct host *host, const struct program_statement *store)
{
	const struct element_type *type = store->memory->type;
	unsigned rank = store->place.rank;

	if (!host->iteration->kernel->hooks->cache_bytes || !rank || store->memory->sight ||
	    type->bits < 8 || type->kind == 'b' ||
	    store->tile->box[rank - 1] * (type->bits / 8) < LEAST_ROW)
		return false;
	return !program_gathers(&store->place) && is_contiguous(host_access(host, store->memory));
}

bool host_may_stream(const struct host *host, const struct program_body *body)
{
	bool may = false;

	for (unsigned i = 0; i < body->count && !may; i++)
		may = (body->statements[i].kind == STATEMENT_STORE &&
			is_streamed(host, &body->statements[i])) ||
			host_may_stream(host, &body->statements[i].body);
	return may;
}

/* How far behind a multiple of "of", a power of two. */
static LLVMValueRef behind(const struct host *host, LLVMValueRef address, int64_t of)
{
	return LLVMBuildAnd(host->b, LLVMBuildPtrToInt(host->b, address, host->i64, ""),
		host_number(host, of - 1), "");
}

static LLVMValueRef bytes_of(const struct host *host, const struct index *elements,
	int64_t bytes)
{
	return LLVMBuildNSWMul(host->b, expression_lower(&host->scope, elements),
		host_number(host, bytes), "");
}

LLVMValueRef host_streams(const struct host *host, const struct program_statement *store)
{
	const struct storage_access *access = host_access(host, store->memory);
	int64_t bytes = store->memory->type->bits / 8;
	LLVMValueRef large, is_long;

	if (!host->stream.buffer || !is_streamed(host, store))
		return NULL;
	large = stream_is_large(host->iteration, bytes_of(host, access->elements, bytes));
	is_long = LLVMBuildICmp(host->b, LLVMIntSGE,
		bytes_of(host, access->size[access->rank - 1], bytes),
		host_number(host, LEAST_ROW), "long");
	return LLVMBuildAnd(host->b, large, is_long, "streams");
}

LLVMValueRef host_stream_open(struct host *host, const struct program_statement *store,
	const LLVMValueRef *x, LLVMValueRef end)
{
	int64_t bytes = store->memory->type->bits / 8, vector = vector_bytes(host);
	struct host_stream *stream = &host->stream;
	LLVMValueRef before, most, stop;

	stream->first = x[store->place.rank - 1];
	stream->to = host_store_address(host, store, x);
	before = behind(host, stream->to, vector);
	stream->aligned = LLVMBuildICmp(host->b, LLVMIntEQ, before, host_number(host, 0),
		"aligned");
	most = LLVMBuildSelect(host->b, stream->aligned,
		host_number(host, HOST_STREAM_BYTES / bytes), LLVMBuildUDiv(host->b,
			LLVMBuildNSWSub(host->b, host_number(host, vector), before, ""),
			host_number(host, bytes), ""), "");
	stop = LLVMBuildNSWAdd(host->b, stream->first, most, "");
	stop = LLVMBuildSelect(host->b, LLVMBuildICmp(host->b, LLVMIntSLT, stop, end, ""),
		stop, end, "stop");
	stream->bytes = LLVMBuildNSWMul(host->b, LLVMBuildNSWSub(host->b, stop,
		stream->first, ""), host_number(host, bytes), "");
	stream->open = true;
	return stop;
}

void host_stream_point(const struct host *host, LLVMValueRef x, LLVMValueRef value)
{
	LLVMValueRef at = LLVMBuildNSWSub(host->b, x, host->stream.first, "");

	LLVMBuildStore(host->b, value, LLVMBuildInBoundsGEP2(host->b, LLVMTypeOf(value),
		host->stream.buffer, &at, 1, ""));
}

static LLVMValueRef byte_at(const struct host *host, LLVMValueRef base, LLVMValueRef at)
{
	return LLVMBuildInBoundsGEP2(host->b, LLVMInt8TypeInContext(host->llvm), base, &at,
		1, "");
}

/* Vectors up to "end", at least one. */
static void store_vectors(const struct host *host, LLVMValueRef end)
{
	const struct host_stream *stream = &host->stream;
	LLVMBasicBlockRef before = LLVMGetInsertBlock(host->b);
	LLVMBasicBlockRef body = iteration_block(host->iteration, "vector");
	LLVMBasicBlockRef after = iteration_block(host->iteration, "stored");
	unsigned bytes = (unsigned)vector_bytes(host);
	LLVMTypeRef type = LLVMVectorType(host->i64, bytes / 8);
	LLVMValueRef first = host_number(host, 0), at, next, vector;

	LLVMBuildBr(host->b, body);
	LLVMPositionBuilderAtEnd(host->b, body);
	at = LLVMBuildPhi(host->b, host->i64, "at");
	vector = LLVMBuildLoad2(host->b, type, byte_at(host, stream->buffer, at), "");
	LLVMSetAlignment(vector, bytes);
	stream_store(host->b, vector, byte_at(host, stream->to, at), bytes);
	next = LLVMBuildNSWAdd(host->b, at, host_number(host, bytes), "next");
	LLVMAddIncoming(at, (LLVMValueRef[]){ first, next },
		(LLVMBasicBlockRef[]){ before, body }, 2);
	LLVMBuildCondBr(host->b, LLVMBuildICmp(host->b, LLVMIntSLT, next, end, "more"),
		body, after);
	LLVMPositionBuilderAtEnd(host->b, after);
}

void host_stream_close(struct host *host)
{
	struct host_stream *stream = &host->stream;
	LLVMValueRef zero = host_number(host, 0), whole, rest;
	struct branch branch;

	stream->open = false;
	whole = LLVMBuildSelect(host->b, stream->aligned, LLVMBuildAnd(host->b,
		stream->bytes, host_number(host, -vector_bytes(host)), ""), zero,
		"whole");
	branch = branch_open(host->iteration, LLVMBuildICmp(host->b, LLVMIntNE, whole, zero,
		"some"), "vectors");
	store_vectors(host, whole);
	branch_close(host->iteration, &branch);
	rest = LLVMBuildNSWSub(host->b, stream->bytes, whole, "rest");
	branch = branch_open(host->iteration, LLVMBuildICmp(host->b, LLVMIntNE, rest, zero,
		"some"), "rest");
	LLVMBuildMemCpy(host->b, byte_at(host, stream->to, whole), 1,
		byte_at(host, stream->buffer, whole), 1, rest);
	branch_close(host->iteration, &branch);
}
