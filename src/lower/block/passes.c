/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A block of more vectors than there are registers, in two passes through memory that the
 * nearest cache holds, so that loads and stores are spread among what is done between them:
 *
 *	for every group of vectors of the source
 *		load them, exchange elements, to the memory
 *	for every group of vectors of that
 *		exchange elements, store them */
#include "lower/block/parts.h"
#include "isl_bridge/arithmetic.h"
#include "lower/branch.h"
#include "lower/stream.h"

struct passes {
	const struct block_lowering *l;
	const struct turn *turn;
	struct turn_pass pass[TURN_PASSES];
	unsigned to[TURN_BITS], bits;	/* of the vectors' numbers */
	LLVMTypeRef type;		/* of a vector in the memory */
	LLVMValueRef memory;
};

static unsigned vector_count(const struct passes *p)
{
	return 1u << p->bits;
}

/* The vector of the result that vector i of the second pass becomes. */
static unsigned result_of(const struct passes *p, unsigned i)
{
	unsigned result = 0;

	for (unsigned bit = 0; bit < p->bits; bit++)
		result |= (i >> bit & 1) << p->to[bit];
	return result;
}

static LLVMValueRef in_memory(const struct passes *p, unsigned i)
{
	return block_number(p->l, i);
}

static LLVMValueRef in_source(const struct passes *p, unsigned i)
{
	return block_offset(p->l, FACTOR_LOAD, block_number(p->l, 0),
		(int64_t)i * p->turn->given);
}

static LLVMValueRef in_result(const struct passes *p, unsigned i)
{
	return block_offset(p->l, FACTOR_STORE, block_number(p->l, 0),
		(int64_t)result_of(p, i) * p->turn->wanted);
}

/* What the bits of the group's number are worth, which are those of a vector's that the
 * pass leaves. */
static LLVMValueRef group_offset(const struct passes *p, const struct turn_pass *pass,
	LLVMValueRef group, LLVMValueRef (*where)(const struct passes *p, unsigned i))
{
	LLVMBuilderRef b = p->l->b;
	LLVMValueRef sum = block_number(p->l, 0), one = block_number(p->l, 1);

	for (unsigned bit = 0; bit < p->bits; bit++) {
		if (pass->bits >> bit & 1)
			continue;
		sum = block_add(p->l, sum, LLVMBuildAnd(b, group, one, "bit"),
			where(p, 1u << bit));
		group = LLVMBuildLShr(b, group, one, "");
	}
	return sum;
}

static struct block_turns open_groups(const struct passes *p, const struct turn_pass *pass)
{
	unsigned groups = vector_count(p) >> __builtin_popcount(pass->bits);

	return block_loop_open(p->l, block_number(p->l, 0), block_number(p->l, groups));
}

static LLVMValueRef memory_at(const struct passes *p, LLVMValueRef group, unsigned i)
{
	LLVMValueRef at = LLVMBuildNSWAdd(p->l->b, group, block_number(p->l, i), "");

	return LLVMBuildInBoundsGEP2(p->l->b, p->type, p->memory, &at, 1, "address");
}

static void load_group(const struct passes *p, const struct turn_pass *pass,
	const struct block_turns *groups, LLVMValueRef *values)
{
	const struct block_lowering *l = p->l;
	LLVMValueRef first = LLVMBuildNSWAdd(l->b, block_first(l, FACTOR_LOAD),
		group_offset(p, pass, groups->counter, in_source), "first"), ahead;
	struct branch large;

	for (unsigned i = 0; i < vector_count(p); i++)
		if (!(i & ~pass->bits))
			values[i] = block_load(l, LLVMBuildNSWAdd(l->b, first,
				in_source(p, i), ""));
	large = branch_open(&l->part, l->large, "large");
	ahead = LLVMBuildNSWAdd(l->b, block_fetched(l), LLVMBuildNSWAdd(l->b, block_ahead(l),
		group_offset(p, pass, groups->counter, in_source), ""), "ahead");
	for (unsigned i = 0; i < vector_count(p); i++)
		if (!(i & ~pass->bits))
			stream_prefetch(l->b, block_address(l, FACTOR_LOAD,
				LLVMBuildNSWAdd(l->b, ahead, in_source(p, i), "")), false);
	branch_close(&l->part, &large);
}

static void first_pass(const struct passes *p)
{
	const struct turn_pass *pass = &p->pass[0];
	LLVMBuilderRef b = p->l->b;
	LLVMValueRef values[TURN_ELEMENTS], at;
	struct block_turns groups = open_groups(p, pass);

	load_group(p, pass, &groups, values);
	turn_pass_lower(p->turn, pass, values);
	at = group_offset(p, pass, groups.counter, in_memory);
	for (unsigned i = 0; i < vector_count(p); i++)
		if (!(i & ~pass->bits))
			LLVMBuildStore(b, values[i], memory_at(p, at, i));
	block_loop_close(p->l, &groups);
}

static void store_group(const struct passes *p, const struct turn_pass *pass,
	LLVMValueRef first, const LLVMValueRef *values, bool streams)
{
	for (unsigned i = 0; i < vector_count(p); i++)
		if (!(i & ~pass->bits))
			block_store(p->l, values[i], LLVMBuildNSWAdd(p->l->b, first,
				in_result(p, i), ""), streams);
}

static void second_pass(const struct passes *p)
{
	const struct turn_pass *pass = &p->pass[1];
	LLVMBuilderRef b = p->l->b;
	LLVMValueRef values[TURN_ELEMENTS], streams = block_streams(p->l), at, first;
	struct block_turns groups = open_groups(p, pass), choice;

	at = group_offset(p, pass, groups.counter, in_memory);
	for (unsigned i = 0; i < vector_count(p); i++)
		if (!(i & ~pass->bits))
			values[i] = LLVMBuildLoad2(b, p->type, memory_at(p, at, i), "vector");
	turn_pass_lower(p->turn, pass, values);
	first = LLVMBuildNSWAdd(b, block_first(p->l, FACTOR_STORE),
		group_offset(p, pass, groups.counter, in_result), "first");
	choice = block_choose(p->l, streams);
	store_group(p, pass, first, values, true);
	block_otherwise(p->l, &choice);
	store_group(p, pass, first, values, false);
	block_choice_close(p->l, &choice);
	block_loop_close(p->l, &groups);
}

bool block_move_passes(const struct block_lowering *l, const struct turn *turn)
{
	struct passes p = { .l = l, .turn = turn,
		.bits = (unsigned)int_log2(turn->elements / turn->given) };
	LLVMTypeRef element = LLVMIntTypeInContext(LLVMGetBuilderContext(l->b),
		8 * turn->bytes);

	if (!turn_in_passes(turn, p.pass, p.to))
		return false;
	p.type = LLVMVectorType(element, turn->given);
	p.memory = block_memory(l, LLVMArrayType2(p.type, vector_count(&p)), "vectors");
	first_pass(&p);
	second_pass(&p);
	return true;
}
