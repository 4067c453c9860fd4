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

/* "origin" is where the panel of the innermost loop begins; NULL: there is none. */
struct nest {
	const struct host_nest *given;
	LLVMValueRef x[PROGRAM_RANK], origin;
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

struct host_loop host_loop_open(const struct host *host, LLVMValueRef end, const char *name)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(host->b), body;
	struct host_loop loop = { .header = iteration_block(host->iteration, "for") };
	LLVMValueRef first = host_number(host, 0);

	body = iteration_block(host->iteration, "step");
	loop.after = iteration_block(host->iteration, "end");
	LLVMBuildBr(host->b, loop.header);
	LLVMPositionBuilderAtEnd(host->b, loop.header);
	loop.x = LLVMBuildPhi(host->b, host->i64, name);
	LLVMAddIncoming(loop.x, &first, &before, 1);
	LLVMBuildCondBr(host->b, LLVMBuildICmp(host->b, LLVMIntSLT, loop.x, end, "more"), body,
		loop.after);
	LLVMPositionBuilderAtEnd(host->b, body);
	return loop;
}

void host_loop_close(const struct host *host, const struct host_loop *loop)
{
	LLVMValueRef next = LLVMBuildNSWAdd(host->b, loop->x, host_number(host, 1), "next");
	LLVMBasicBlockRef last = LLVMGetInsertBlock(host->b);

	LLVMAddIncoming(loop->x, &next, &last, 1);
	LLVMBuildBr(host->b, loop->header);
	LLVMPositionBuilderAtEnd(host->b, loop->after);
}

/* do .. while (++x < end), behind the origin */
static void emit_steps(struct host *host, struct nest *nest, unsigned d, LLVMValueRef first,
	LLVMValueRef end)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(host->b);
	LLVMBasicBlockRef body = iteration_block(host->iteration, "loop");
	LLVMBasicBlockRef after = iteration_block(host->iteration, "done"), last;
	LLVMValueRef x, next, branch;

	LLVMBuildBr(host->b, body);
	LLVMPositionBuilderAtEnd(host->b, body);
	x = LLVMBuildPhi(host->b, host->i64, "x");
	LLVMAddIncoming(x, &first, &before, 1);
	nest->x[d] = nest->origin ? LLVMBuildNSWAdd(host->b, nest->origin, x, "") : x;
	host->step = d + 1 == nest->given->rank ? nest->x[d] : NULL;
	host->ends[d].x = nest->x[d];
	emit_dimension(host, nest, d + 1);
	next = LLVMBuildNUWAdd(host->b, x, host_number(host, 1), "next");
	LLVMSetNSW(next, true);
	last = LLVMGetInsertBlock(host->b);
	LLVMAddIncoming(x, &next, &last, 1);
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

static LLVMValueRef least(const struct host *host, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildSelect(host->b, LLVMBuildICmp(host->b, LLVMIntSLT, a, b, ""), a, b,
		"");
}

/* Where the range begins and ends behind the origin, at "end" at most. */
static void find_parts(struct host *host, const struct nest *nest, unsigned d,
	LLVMValueRef end, LLVMValueRef *parts)
{
	host_range_bounds(host, &nest->given->range, nest->given->box[d], &parts[0],
		&parts[1]);
	for (unsigned i = 0; i < 2; i++) {
		LLVMValueRef at = parts[i], zero = host_number(host, 0);

		if (nest->origin) {
			at = LLVMBuildNSWSub(host->b, at, nest->origin, "");
			at = LLVMBuildSelect(host->b, LLVMBuildICmp(host->b, LLVMIntSGT, at,
				zero, ""), at, zero, "");
		}
		parts[i] = nest->origin || nest->given->limits ? least(host, at, end) : at;
	}
}

/* Before the range, in it and behind it. */
static void emit_parts(struct host *host, struct nest *nest, unsigned d, LLVMValueRef end)
{
	LLVMValueRef parts[2];

	find_parts(host, nest, d, end, parts);
	host->range = nest->given->range;
	host->outside = true;
	emit_bounded(host, nest, d, host_number(host, 0), parts[0]);
	host->outside = false;
	emit_bounded(host, nest, d, parts[0], parts[1]);
	host->outside = true;
	emit_behind(host, nest, d, parts[1], end);
	host->outside = false;
	host->range = (struct host_range){ NULL, NULL };
}

/* The same as far as limits say, which the memory of a load may have, too. */
static void emit_limited(struct host *host, struct nest *nest, unsigned d, LLVMValueRef end)
{
	const struct host_limits *limits = nest->given->limits;

	host->ends[d].range = limits->range[d];
	emit_bounded(host, nest, d, host_number(host, 0), end);
	host->ends[d].range = (struct host_range){ NULL, NULL };
}

/* A panel's steps, whose number is known where it is whole. */
static void emit_panel(struct host *host, struct nest *nest, unsigned d, LLVMValueRef end)
{
	const struct host_nest *given = nest->given;
	bool ranged = host->masked && given->range.at;
	LLVMValueRef width = host_number(host, given->width), parts[2], whole;
	struct branch branch;

	end = least(host, LLVMBuildNSWSub(host->b, end, nest->origin, ""), width);
	whole = LLVMBuildICmp(host->b, LLVMIntEQ, end, width, "whole");
	if (ranged) {
		find_parts(host, nest, d, end, parts);
		whole = LLVMBuildICmp(host->b, LLVMIntEQ, LLVMBuildNSWSub(host->b, parts[1],
			parts[0], ""), width, "whole");
		host->range = given->range;
	}
	branch = branch_open(host->iteration, whole, "whole");
	emit_loop(host, nest, d, host_number(host, 0), width);
	host->range = (struct host_range){ NULL, NULL };
	branch_otherwise(host->iteration, &branch);
	if (ranged)
		emit_parts(host, nest, d, end);
	else
		emit_bounded(host, nest, d, host_number(host, 0), end);
	branch_close(host->iteration, &branch);
}

static void emit_panels(struct host *host, struct nest *nest, unsigned d, LLVMValueRef end)
{
	LLVMValueRef width = host_number(host, nest->given->width);
	LLVMValueRef count = LLVMBuildUDiv(host->b, LLVMBuildNSWAdd(host->b, end,
		host_number(host, nest->given->width - 1), ""), width, "panels");
	struct host_loop loop = host_loop_open(host, count, "panel");

	host->panel = loop.x;
	nest->origin = LLVMBuildNSWMul(host->b, loop.x, width, "origin");
	emit_panel(host, nest, d, end);
	nest->origin = NULL;
	host_loop_close(host, &loop);
}

static void emit_dimension(struct host *host, struct nest *nest, unsigned d)
{
	const struct host_nest *given = nest->given;
	bool limited = host->masked && given->limits && d < given->rank &&
		given->limits->end[d], last = d + 1 == given->rank;
	LLVMValueRef end = limited ? given->limits->end[d] :
		d < given->rank ? host_number(host, given->box[d]) : NULL;

	if (d == given->rank) {
		given->point(host, nest->x, given->user);
	} else if (host->masked && given->bounds) {
		host->range = given->range;
		emit_bounded(host, nest, d, given->bounds->first[d], given->bounds->end[d]);
		host->range = (struct host_range){ NULL, NULL };
	} else if (given->width && last) {
		emit_panels(host, nest, d, end);
	} else if (given->box[d] == 1) {
		nest->x[d] = host_number(host, 0);
		emit_dimension(host, nest, d + 1);
	} else if (host->masked && given->range.at && last) {
		emit_parts(host, nest, d, end);
	} else if (limited) {
		emit_limited(host, nest, d, end);
	} else {
		emit_loop(host, nest, d, host_number(host, 0), end);
	}
}

void host_loops(struct host *host, const struct host_nest *given)
{
	struct nest nest = { .given = given };
	LLVMValueRef whole = given->limits ? LLVMBuildAnd(host->b, given->whole,
		given->limits->full, "") : given->whole;
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
