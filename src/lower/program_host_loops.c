/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops over boxes.
 *
 * Loops of a few steps are not made loops of vectors, unless they are a power of two: the
 * vectors would be masked by constants, and LLVM 22 stores all of a vector that is truncated
 * on its way to memory where its mask has one element. */
#include "lower/program_host_parts.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { FEW_STEPS = 16 };

struct nest {
	unsigned rank;
	const int64_t *box;
	const struct host_bounds *bounds;	/* NULL: the box */
	host_point point;
	void *user;
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
static void emit_loop(struct host *host, struct nest *nest, unsigned d, LLVMValueRef first,
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
	emit_dimension(host, nest, d + 1);
	next = LLVMBuildNUWAdd(host->b, nest->x[d], host_number(host, 1), "next");
	LLVMSetNSW(next, true);
	last = LLVMGetInsertBlock(host->b);
	LLVMAddIncoming(nest->x[d], &next, &last, 1);
	branch = LLVMBuildCondBr(host->b, LLVMBuildICmp(host->b, LLVMIntULT, next, end,
		"more"), body, after);
	if (!is_plain(nest->box[d], first, end))
		keep_scalar(host, branch);
	LLVMPositionBuilderAtEnd(host->b, after);
}

/* The same where there may be no step. */
static void emit_bounded(struct host *host, struct nest *nest, unsigned d)
{
	LLVMValueRef first = nest->bounds->first[d], end = nest->bounds->end[d];
	struct branch branch = branch_open(host->iteration,
		LLVMBuildICmp(host->b, LLVMIntSLT, first, end, "some"), "some");

	emit_loop(host, nest, d, first, end);
	branch_close(host->iteration, &branch);
}

static void emit_dimension(struct host *host, struct nest *nest, unsigned d)
{
	if (d == nest->rank) {
		nest->point(host, nest->x, nest->user);
	} else if (host->masked && nest->bounds) {
		emit_bounded(host, nest, d);
	} else if (nest->box[d] == 1) {
		nest->x[d] = host_number(host, 0);
		emit_dimension(host, nest, d + 1);
	} else {
		emit_loop(host, nest, d, host_number(host, 0),
			host_number(host, nest->box[d]));
	}
}

void host_loops(struct host *host, unsigned rank, const int64_t *box,
	LLVMValueRef whole, const struct host_bounds *bounds, host_point point, void *user)
{
	struct nest nest = { rank, box, bounds, point, user, { NULL } };
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
