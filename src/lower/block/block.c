/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*	NAME.part(operands.., sizes.., first, end)
 *		if (blocks do not begin with bytes for these sizes)
 *			the first turn: every element, one by one
 *			return
 *		for the turns of the loops, those of the outermost ones from first to end
 *			if (the block begins in the destination)
 *				if (it is whole, or what lacks is padding)
 *					load, turn and store it
 *				else
 *					for each element
 *						if (it is in the destination)
 *							store it, or the pad value */
#include "lower/block/parts.h"
#include "lower/pointwise.h"
#include "lower/shared.h"
#include "lower/stream.h"

#include <stdlib.h>
#include <string.h>

static void enter_turn(struct block_lowering *l, unsigned i, LLVMValueRef counter)
{
	const struct block_piece *piece = &l->block->loops[i].piece;
	struct dim *dim = &l->dims[piece->digit.dim];

	l->counter[i] = counter;
	dim->start = block_add(l, dim->start, counter, block_number(l, piece->digit.step));
	if (!dim->pitch[0])
		block_step(l, l->offset, counter, l->loop_step[i]);
}

/* One loop for the turns of the first "shared" ones. */
static void open_shared(struct block_lowering *l, unsigned shared, struct block_turns *loop)
{
	LLVMValueRef rest;

	*loop = block_loop_open(l, l->first, l->last);
	rest = loop->counter;
	for (unsigned i = shared; i-- > 1;) {
		enter_turn(l, i, LLVMBuildURem(l->b, rest, l->loop_count[i], "turn"));
		rest = LLVMBuildUDiv(l->b, rest, l->loop_count[i], "rest");
	}
	if (shared)
		enter_turn(l, 0, rest);
}

static LLVMValueRef bytes_of(const struct block_lowering *l, const struct index *weight,
	unsigned side)
{
	return LLVMBuildNSWMul(l->b, expression_lower(&l->part.scope, weight),
		block_number(l, block_bytes(l, side)), "step");
}

static void enter_steps(const struct block_lowering *l, const struct block_piece *piece,
	LLVMValueRef *step)
{
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		step[side] = bytes_of(l, piece->weight[side], side);
}

static void enter_dim(struct block_lowering *l, unsigned d)
{
	const struct block_dim *dim = &l->block->dims[d];

	l->dims[d].start = block_number(l, 0);
	l->dims[d].low = expression_lower(&l->part.scope, dim->low);
	l->dims[d].high = expression_lower(&l->part.scope, dim->high);
	l->dims[d].end = expression_lower(&l->part.scope, dim->end);
	for (unsigned side = 0; side < FACTOR_SIDES && dim->pitch[0]; side++)
		l->dims[d].pitch[side] = bytes_of(l, dim->pitch[side], side);
}

/* Are all lines of the destination whole where a block's first one is? */
static LLVMValueRef is_whole_lines(const struct block_lowering *l)
{
	LLVMValueRef steps = block_number(l, block_store_bytes(l) == STREAM_LINE ? 0 : 1);

	for (unsigned i = 0; i < l->block->piece_count; i++) {
		const struct index *weight = l->block->pieces[i].weight[FACTOR_STORE];

		if (weight->op != INDEX_INT ||
		    weight->value >= l->block->vector[FACTOR_STORE])
			steps = LLVMBuildOr(l->b, steps, l->step[i][FACTOR_STORE], "steps");
	}
	return LLVMBuildICmp(l->b, LLVMIntEQ, LLVMBuildAnd(l->b, steps, block_number(l,
		l->block->packed * STREAM_LINE - 1), ""), block_number(l, 0), "whole");
}

/* What is the same for all blocks. */
static void enter(struct block_lowering *l)
{
	const struct plan_block *block = l->block;

	for (unsigned side = 0; side < FACTOR_SIDES; side++) {
		l->base[side] = LLVMGetParam(l->part.function, side);
		l->offset[side] = block_number(l, 0);
	}
	if (block->before)
		l->offset[FACTOR_LOAD] = LLVMBuildNSWNeg(l->b, bytes_of(l, block->before,
			FACTOR_LOAD), "from");
	for (unsigned d = 0; d < block->dim_count; d++)
		enter_dim(l, d);
	for (unsigned i = 0; i < block->piece_count; i++)
		enter_steps(l, &block->pieces[i], l->step[i]);
	for (unsigned i = 0; i < block->loop_count; i++) {
		enter_steps(l, &block->loops[i].piece, l->loop_step[i]);
		l->loop_count[i] = expression_lower(&l->part.scope, block->loops[i].count);
	}
	l->large = stream_is_large(&l->part, LLVMBuildUDiv(l->b, bytes_of(l, l->part.kernel->
		plan->visit.store.elements, FACTOR_STORE), block_number(l, block->unit *
		block->packed), ""));
	l->streams = LLVMBuildAnd(l->b, l->large, is_whole_lines(l), "streams");
	if (l->shifts)
		return;
	block_chunk_enter(l);
	block_edge_enter(l);
}

/* Turns of loop i from where the loops around it are: those that begin in the destination. */
static LLVMValueRef count_turns(const struct block_lowering *l, unsigned i)
{
	const struct block_piece *piece = &l->block->loops[i].piece;
	const struct dim *dim = &l->dims[piece->digit.dim];
	LLVMValueRef rest = LLVMBuildNSWSub(l->b, dim->end, dim->start, "rest"), turns;

	rest = LLVMBuildNSWAdd(l->b, rest, block_number(l, piece->digit.step - 1), "");
	turns = LLVMBuildSDiv(l->b, rest, block_number(l, piece->digit.step), "turns");
	return LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, turns,
		l->loop_count[i], ""), turns, l->loop_count[i], "count");
}

/* Blocks of so few vectors that the turns of the innermost loop have a part of their own, in which
 * all blocks are whole and none is looked at. */
enum { FEW_VECTORS = 4 };

static bool has_few(const struct block_lowering *l)
{
	const struct plan_block *block = l->block;

	return !block->row && !l->shifts && !block->flip_count &&
		block->chunk_loop < block->loop_count &&
		block->elements <= FEW_VECTORS * block->vector[FACTOR_LOAD];
}

/* The first turns of the innermost loop that have blocks which are whole. */
static LLVMValueRef count_whole(const struct block_lowering *l, unsigned i)
{
	const struct block_piece *piece = &l->block->loops[i].piece;
	LLVMValueRef none = block_number(l, 0), count = none, rest = none;

	for (unsigned d = 0; d < l->block->dim_count; d++) {
		LLVMValueRef room = LLVMBuildNSWSub(l->b, LLVMBuildNSWSub(l->b,
			l->dims[d].high, l->dims[d].start, ""), block_number(l,
			l->block->dims[d].reach), "room");

		if (d == piece->digit.dim)
			count = LLVMBuildNSWAdd(l->b, LLVMBuildSDiv(l->b, room, block_number(l,
				piece->digit.step), ""), block_number(l, 1), "count");
		rest = LLVMBuildOr(l->b, rest, room, "least");
		if (!index_is(l->block->dims[d].low, 0))
			rest = LLVMBuildOr(l->b, rest, LLVMBuildNSWSub(l->b, l->dims[d].start,
				l->dims[d].low, ""), "least");
	}
	count = LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, rest, none, ""), none,
		count, "");
	return LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, count, l->loop_count[i],
		""), count, l->loop_count[i], "whole");
}

/* These turns; "index" has room for one. */
static void move_few(struct block_lowering *l, unsigned i, LLVMValueRef end,
	LLVMValueRef *index)
{
	struct dim *dim = &l->dims[l->block->loops[i].piece.digit.dim];
	LLVMValueRef start = dim->start, offset[] = { l->offset[0], l->offset[1] };
	struct block_turns loop = block_loop_open(l, block_number(l, 0), end);

	enter_turn(l, i, loop.counter);
	for (unsigned d = 0; d < l->block->dim_count; d++)
		if (l->dims[d].pitch[0])
			block_step(l, l->offset, l->dims[d].start, l->dims[d].pitch);
	block_edge_fill(l, LLVMConstNull(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b))),
		index);
	block_move_vectors(l);
	block_loop_close(l, &loop);
	dim->start = start;
	memcpy(l->offset, offset, sizeof(offset));
}

/* The loops from "first" on, and what is in them. */
static void fill_loops(struct block_lowering *l, unsigned first, LLVMValueRef *index)
{
	struct block_turns loops[BLOCK_LOOPS];

	for (unsigned i = first; i < l->block->loop_count; i++) {
		LLVMValueRef begin = block_number(l, 0);

		if (i == l->block->chunk_loop)
			block_chunk_open(l);
		l->loop_count[i] = count_turns(l, i);
		if (i + 1 == l->block->loop_count && has_few(l)) {
			begin = count_whole(l, i);
			move_few(l, i, begin, index);
		}
		loops[i] = block_loop_open(l, begin, l->loop_count[i]);
		enter_turn(l, i, loops[i].counter);
	}
	if (l->block->chunk_loop == l->block->loop_count)
		block_chunk_open(l);
	block_move(l, index);
	if (l->block->chunk_loop == l->block->loop_count)
		block_chunk_close(l);
	for (unsigned i = l->block->loop_count; i-- > first;) {
		block_loop_close(l, &loops[i]);
		if (i == l->block->chunk_loop)
			block_chunk_close(l);
	}
}

/* Elements in the destination. */
static LLVMValueRef count_all(const struct block_lowering *l)
{
	return expression_lower(&l->part.scope, l->part.kernel->plan->visit.store.elements);
}

/* Are there blocks, and all whole? */
static LLVMValueRef is_all_whole(const struct block_lowering *l)
{
	LLVMValueRef all = LLVMBuildICmp(l->b, LLVMIntSGT, count_all(l), block_number(l, 0), "");

	for (unsigned d = 0; d < l->block->dim_count; d++) {
		const struct dim *dim = &l->dims[d];

		all = LLVMBuildAnd(l->b, all, LLVMBuildAnd(l->b, LLVMBuildICmp(l->b, LLVMIntSGE,
			dim->end, block_number(l, l->block->dims[d].reach), ""), LLVMBuildICmp(
			l->b, LLVMIntSGE, dim->high, dim->end, ""), ""), "whole");
	}
	return all;
}

static void call_all(const struct block_lowering *l, LLVMValueRef function)
{
	LLVMBuildCall2(l->b, LLVMGlobalGetValueType(function), function, l->arguments,
		plan_arguments(l->part.kernel->plan), "");
}

/* Sizes for which blocks begin within bytes: the first turn is all of it, element by element
 * where blocks are not whole. */
static void choose_points(struct block_lowering *l)
{
	LLVMBasicBlockRef blocks = iteration_block(&l->part, "blocks");
	LLVMBasicBlockRef points = iteration_block(&l->part, "points");
	LLVMBasicBlockRef all = iteration_block(&l->part, "all"), done;

	done = iteration_block(&l->part, "done");
	LLVMBuildCondBr(l->b, expression_lower_condition(&l->part.scope, l->block->whole),
		blocks, points);
	LLVMPositionBuilderAtEnd(l->b, points);
	LLVMBuildCondBr(l->b, LLVMBuildAnd(l->b, LLVMBuildICmp(l->b, LLVMIntEQ, l->first,
		block_number(l, 0), ""), LLVMBuildICmp(l->b, LLVMIntSLT, l->first, l->last, ""),
		""), all, done);
	LLVMPositionBuilderAtEnd(l->b, all);
	LLVMGetParams(l->part.function, l->arguments);
	if (l->shifted) {
		struct block_turns choice = block_choose(l, is_all_whole(l));

		call_all(l, l->shifted);
		block_otherwise(l, &choice);
		call_all(l, l->points);
		block_choice_close(l, &choice);
	} else {
		call_all(l, l->points);
	}
	LLVMBuildBr(l->b, done);
	LLVMPositionBuilderAtEnd(l->b, done);
	LLVMBuildRetVoid(l->b);
	LLVMPositionBuilderAtEnd(l->b, blocks);
}

/* The body of NAME.part. */
static void fill_part(struct block_lowering *l, LLVMValueRef *index)
{
	const struct index *counts[SHARED_LOOPS];
	unsigned shared = shared_counts(l->part.kernel, counts);
	struct block_turns turns;

	LLVMPositionBuilderAtEnd(l->b, iteration_block(&l->part, "entry"));
	enter(l);
	if (l->points)
		choose_points(l);
	open_shared(l, shared, &turns);
	fill_loops(l, shared, index);
	block_loop_close(l, &turns);
	stream_end(l->b);
	LLVMBuildRetVoid(l->b);
}

/* A function of NAME's type. */
static LLVMValueRef add_function(const struct iteration *whole, const char *name)
{
	LLVMValueRef function = LLVMAddFunction(LLVMGetGlobalParent(whole->function), name,
		LLVMGlobalGetValueType(whole->function));

	LLVMSetLinkage(function, LLVMInternalLinkage);
	whole->kernel->hooks->prologue(whole->kernel, function);
	return function;
}

/* The scope of a function that the kernel's sizes are parameters of. */
static void enter_function(struct block_lowering *l, LLVMValueRef function, LLVMValueRef *args)
{
	const struct plan *plan = l->part.kernel->plan;

	l->part.function = function;
	l->part.scope = (struct expression_scope){ .builder = l->b, .vars = args };
	for (unsigned i = 0; i < plan->size_count; i++)
		args[i] = LLVMGetParam(function, plan->operand_count + i);
}

/* Bits behind the last element are 0, and there is one. */
static void clear_last(const struct block_lowering *l)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	LLVMValueRef last = LLVMBuildNSWSub(l->b, count_all(l), block_number(l, 1), "last");

	LLVMSetAlignment(LLVMBuildStore(l->b, LLVMConstNull(byte), block_byte(l,
		l->base[FACTOR_STORE], last)), 1);
}

/* The body of a function that moves all blocks, wherever in bytes they begin. */
static void fill_shifted(struct block_lowering *l, LLVMValueRef *index)
{
	const struct index *counts[SHARED_LOOPS];
	unsigned shared = shared_counts(l->part.kernel, counts);
	struct block_turns turns;

	LLVMPositionBuilderAtEnd(l->b, iteration_block(&l->part, "entry"));
	l->spare = LLVMBuildAlloca(l->b, LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b)),
		"spare");
	LLVMBuildStore(l->b, LLVMConstNull(LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b))),
		l->spare);
	enter(l);
	clear_last(l);
	l->first = block_number(l, 0);
	l->last = block_number(l, 1);
	for (unsigned i = 0; i < shared; i++)
		l->last = LLVMBuildNSWMul(l->b, l->last, l->loop_count[i], "turns");
	open_shared(l, shared, &turns);
	fill_loops(l, shared, index);
	block_loop_close(l, &turns);
	LLVMBuildRetVoid(l->b);
}

/* What is called where blocks begin within bytes. */
static bool add_others(layout_context *ctx, const struct iteration *whole,
	struct block_lowering *l, LLVMValueRef *args, LLVMValueRef *index)
{
	l->points = add_function(whole, "points");
	if (!pointwise_define(ctx, whole->kernel, l->points, l->b))
		return false;
	if (!l->block->shifts)
		return true;
	l->shifts = true;
	l->shifted = add_function(whole, "shifted");
	enter_function(l, l->shifted, args);
	fill_shifted(l, index);
	l->shifts = false;
	return true;
}

bool block_lower(layout_context *ctx, struct iteration *whole)
{
	const layout_kernel *kernel = whole->kernel;
	unsigned count = plan_arguments(kernel->plan);
	struct block_lowering l = { .part = { .kernel = kernel }, .block = kernel->plan->block,
		.b = whole->scope.builder };
	LLVMValueRef *args = layout_alloc(ctx, count + 2, sizeof(*args));
	LLVMValueRef *index = layout_alloc(ctx, l.block->dim_count, sizeof(*index));
	LLVMTypeRef *params = layout_alloc(ctx, count + 2, sizeof(*params));
	bool ok;

	l.dims = layout_alloc(ctx, l.block->dim_count, sizeof(*l.dims));
	l.arguments = layout_alloc(ctx, count + 2, sizeof(*l.arguments));
	ok = args && index && params && l.dims && l.arguments;
	l.i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(l.b));
	if (ok && l.block->whole)
		ok = add_others(ctx, whole, &l, args, index);
	if (ok) {
		enter_function(&l, shared_declare(kernel, whole->function, params), args);
		LLVMSetLinkage(l.part.function, LLVMInternalLinkage);
		l.first = LLVMGetParam(l.part.function, count);
		l.last = LLVMGetParam(l.part.function, count + 1);
		fill_part(&l, index);
		LLVMPositionBuilderAtEnd(l.b, LLVMGetEntryBasicBlock(whole->function));
		shared_call(kernel, &whole->scope, whole->function, l.part.function, args);
	}
	free(l.arguments);
	free(l.dims);
	free(params);
	free(index);
	free(args);
	return ok;
}
