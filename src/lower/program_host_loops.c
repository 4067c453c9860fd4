/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops over boxes. */
#include "lower/program_host_parts.h"

struct nest {
	unsigned rank;
	const int64_t *box;
	host_point point;
	void *user;
	LLVMValueRef x[PROGRAM_RANK];
};

static void emit_dimension(struct host *host, struct nest *nest, unsigned d);

/* do .. while (++x < extent), since no extent is 0. */
static void emit_loop(struct host *host, struct nest *nest, unsigned d)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(host->b);
	LLVMBasicBlockRef body = iteration_block(host->iteration, "loop");
	LLVMBasicBlockRef after = iteration_block(host->iteration, "done"), last;
	LLVMValueRef first = host_number(host, 0), next, more;

	LLVMBuildBr(host->b, body);
	LLVMPositionBuilderAtEnd(host->b, body);
	nest->x[d] = LLVMBuildPhi(host->b, host->i64, "x");
	LLVMAddIncoming(nest->x[d], &first, &before, 1);
	emit_dimension(host, nest, d + 1);
	next = LLVMBuildNUWAdd(host->b, nest->x[d], host_number(host, 1), "next");
	LLVMSetNSW(next, true);
	more = LLVMBuildICmp(host->b, LLVMIntULT, next, host_number(host, nest->box[d]),
		"more");
	last = LLVMGetInsertBlock(host->b);
	LLVMAddIncoming(nest->x[d], &next, &last, 1);
	LLVMBuildCondBr(host->b, more, body, after);
	LLVMPositionBuilderAtEnd(host->b, after);
}

static void emit_dimension(struct host *host, struct nest *nest, unsigned d)
{
	if (d == nest->rank) {
		nest->point(host, nest->x, nest->user);
	} else if (nest->box[d] == 1) {
		nest->x[d] = host_number(host, 0);
		emit_dimension(host, nest, d + 1);
	} else {
		emit_loop(host, nest, d);
	}
}

void host_loops(struct host *host, unsigned rank, const int64_t *box,
	LLVMValueRef whole, host_point point, void *user)
{
	struct nest nest = { .rank = rank, .box = box, .point = point, .user = user };
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
