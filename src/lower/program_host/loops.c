/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops over boxes.
 *
 * Loops of a few steps are not made loops of vectors, unless they are a power of two: the
 * vectors would be masked by constants, and LLVM 22 stores all of a vector that is truncated
 * on its way to memory where its mask has one element. */
#include "lower/program_host/parts.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { FEW_STEPS = 16 };

struct nest {
	const struct host_nest *given;
	LLVMValueRef x[PROGRAM_RANK];
};

static void emit_dimension(struct host *host, struct nest *nest, unsigned d);

/* "llvm.loop.vectorize.enable" = false, on the loop that a branch ends. */
static void keep_scalar(const struct host *host, LLVMValueRef branch)
{
	static const char name[] = "llvm.loop.vectorize.enable", kind[] = "llvm.loop";
	LLVMMetadataRef self = LLVMTemporaryMDNode(host->llvm, NULL, 0), loop;
	LLVMMetadataRef option[] = { LLVMMDStringInContext2(host->llvm, name, strlen(name)),
		LLVMValueAsMetadata(LLVMConstNull(LLVMInt1TypeInContext(host->llvm))) };
	LLVMMetadataRef parts[] = { self, LLVMMDNodeInContext2(host->llvm, option, 2) };

	loop = LLVMMDNodeInContext2(host->llvm, parts, 2);
	LLVMMetadataReplaceAllUsesWith(self, loop);
	LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(host->llvm, kind, strlen(kind)),
		LLVMMetadataAsValue(host->llvm, loop));
}

/* May the loop become one of vectors? */
static bool is_plain(int64_t extent, LLVMValueRef first, LLVMValueRef end)
{
	if (LLVMIsAConstantInt(first) && LLVMIsAConstantInt(end))
		extent = LLVMConstIntGetSExtValue(end) - LLVMConstIntGetSExtValue(first);
	else if (extent < FEW_STEPS)
		return false;
	return extent >= FEW_STEPS || (extent & (extent - 1)) == 0;
}

/* do .. while (++x < end) */
static void emit_steps(struct host *host, struct nest *nest, unsigned d, LLVMValueRef first,
	LLVMValueRef end)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(host->b);
	LLVMBasicBlockRef body = iteration_block(host->iteration, "loop");
	LLVMBasicBlockRef after = iteration_block(host->iteration, "done"), last;
	LLVMValueRef next, branch;

	LLVMBuildBr(host->b, body);
	LLVMPositionBuilderAtEnd(host->b, body);
	nest->x[d] = LLVMBuildPhi(host->b, host->i64, "x");
	LLVMAddIncoming(nest->x[d], &first, &before, 1);
	host->step = d + 1 == nest->given->rank ? nest->x[d] : NULL;
	emit_dimension(host, nest, d + 1);
	next = LLVMBuildNUWAdd(host->b, nest->x[d], host_number(host, 1), "next");
	LLVMSetNSW(next, true);
	last = LLVMGetInsertBlock(host->b);
	LLVMAddIncoming(nest->x[d], &next, &last, 1);
	branch = LLVMBuildCondBr(host->b, LLVMBuildICmp(host->b, LLVMIntULT, next, end,
		"more"), body, after);
	if (!is_plain(nest->given->box[d], first, end))
		keep_scalar(host, branch);
	LLVMPositionBuilderAtEnd(host->b, after);
}

/* The steps piece by piece.
 *
 *	do .. while ((x = stop) < end) */
static void emit_pieces(struct host *host, struct nest *nest, unsigned d,
	LLVMValueRef first, LLVMValueRef end)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(host->b);
	LLVMBasicBlockRef body = iteration_block(host->iteration, "piece");
	LLVMBasicBlockRef after = iteration_block(host->iteration, "done"), last;
	LLVMValueRef x, stop;

	LLVMBuildBr(host->b, body);
	LLVMPositionBuilderAtEnd(host->b, body);
	nest->x[d] = x = LLVMBuildPhi(host->b, host->i64, "x");
	LLVMAddIncoming(x, &first, &before, 1);
	stop = host_stream_open(host, nest->given->store, nest->x, end);
	emit_steps(host, nest, d, x, stop);
	host_stream_close(host);
	last = LLVMGetInsertBlock(host->b);
	LLVMAddIncoming(x, &stop, &last, 1);
	LLVMBuildCondBr(host->b, LLVMBuildICmp(host->b, LLVMIntSLT, stop, end, "more"),
		body, after);
	LLVMPositionBuilderAtEnd(host->b, after);
}

static void emit_loop(struct host *host, struct nest *nest, unsigned d, LLVMValueRef first,
	LLVMValueRef end)
{
	struct branch branch;

	if (!nest->given->streams || d + 1 < nest->given->rank) {
		emit_steps(host, nest, d, first, end);
		return;
	}
	branch = branch_open(host->iteration, nest->given->streams, "streams");
	emit_pieces(host, nest, d, first, end);
	branch_otherwise(host->iteration, &branch);
	emit_steps(host, nest, d, first, end);
	branch_close(host->iteration, &branch);
}

/* The same where there may be no step, or one at most. */
static void emit_bounded(struct host *host, struct nest *nest, unsigned d,
	LLVMValueRef first, LLVMValueRef end)
{
	struct branch branch = branch_open(host->iteration,
		LLVMBuildICmp(host->b, LLVMIntSLT, first, end, "some"), "some");

	if (nest->given->box[d] == 1) {
		nest->x[d] = host_number(host, 0);
		emit_dimension(host, nest, d + 1);
	} else {
		emit_loop(host, nest, d, first, end);
	}
	branch_close(host->iteration, &branch);
}

/* Behind the range.  The first step there is no other coordinate, even if it is 0. */
static void emit_behind(struct host *host, struct nest *nest, unsigned d,
	LLVMValueRef first, LLVMValueRef end)
{
	const struct host_nest *given = nest->given;
	struct branch some = branch_open(host->iteration,
		LLVMBuildICmp(host->b, LLVMIntSLT, first, end, "some"), "some");
	LLVMValueRef needed = NULL;

	if (given->needed) {
		host->step = nest->x[d] = LLVMBuildFreeze(host->b, first, "behind");
		needed = given->needed(host, nest->x, given->user);
	}
	if (needed) {
		struct branch rest = branch_open(host->iteration, needed, "rest");

		emit_loop(host, nest, d, first, end);
		branch_close(host->iteration, &rest);
	} else {
		emit_loop(host, nest, d, first, end);
	}
	branch_close(host->iteration, &some);
}

/* Before the range, in it and behind it. */
static void emit_parts(struct host *host, struct nest *nest, unsigned d)
{
	int64_t extent = nest->given->box[d];
	LLVMValueRef first, end;

	host_range_bounds(host, &nest->given->range, extent, &first, &end);
	host->range = nest->given->range;
	host->outside = true;
	emit_bounded(host, nest, d, host_number(host, 0), first);
	host->outside = false;
	emit_bounded(host, nest, d, first, end);
	host->outside = true;
	emit_behind(host, nest, d, end, host_number(host, extent));
	host->outside = false;
	host->range = (struct host_range){ NULL, NULL };
}

static void emit_dimension(struct host *host, struct nest *nest, unsigned d)
{
	const struct host_nest *given = nest->given;

	if (d == given->rank) {
		given->point(host, nest->x, given->user);
	} else if (host->masked && given->bounds) {
		host->range = given->range;
		emit_bounded(host, nest, d, given->bounds->first[d], given->bounds->end[d]);
		host->range = (struct host_range){ NULL, NULL };
	} else if (given->box[d] == 1) {
		nest->x[d] = host_number(host, 0);
		emit_dimension(host, nest, d + 1);
	} else if (host->masked && given->range.at && d + 1 == given->rank) {
		emit_parts(host, nest, d);
	} else {
		emit_loop(host, nest, d, host_number(host, 0),
			host_number(host, given->box[d]));
	}
}

void host_loops(struct host *host, const struct host_nest *given)
{
	struct nest nest = { .given = given };
	LLVMValueRef whole = given->whole;
	bool known = LLVMIsAConstantInt(whole) && LLVMConstIntGetZExtValue(whole);
	LLVMBasicBlockRef fast, slow, done;

	host->masked = false;
	if (known) {
		emit_dimension(host, &nest, 0);
		return;
	}
	fast = iteration_block(host->iteration, "whole");
	slow = iteration_block(host->iteration, "partial");
	LLVMBuildCondBr(host->b, whole, fast, slow);
	LLVMPositionBuilderAtEnd(host->b, fast);
	emit_dimension(host, &nest, 0);
	done = iteration_block(host->iteration, "done");
	LLVMBuildBr(host->b, done);
	LLVMPositionBuilderAtEnd(host->b, slow);
	host->masked = true;
	emit_dimension(host, &nest, 0);
	host->masked = false;
	LLVMBuildBr(host->b, done);
	LLVMPositionBuilderAtEnd(host->b, done);
}
