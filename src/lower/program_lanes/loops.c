/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops.  What they carry is a phi a register. */
#include "lower/program_lanes/flow.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* Words that each of two steps may load at once. */
enum { MOST_LOADED = 48 };

/* A loop on its way: where the counter is, from where on there are no more steps, whether there
 * are some, and whether the carries have values of their own yet, not only those that they begin
 * with. */
struct loop {
	const struct program_statement *of;
	LLVMValueRef counter, extent;
	bool some, begun;
};

static const layout_tile *value_of(const struct loop *loop, const layout_tile *carry)
{
	return loop->begun ? carry : carry->operands[0];
}

/* The registers of a carry become phis that begin with what they are before: those that an
 * instruction adds to as one are one, and joined before the loop. */
static bool begin_carry(program_scope *body, const struct loop *loop,
	const layout_tile *carry, LLVMBasicBlockRef from)
{
	unsigned count = program_registers_of(body, carry);
	unsigned each = program_sum_vector(body, carry->yield);
	const layout_tile *first = value_of(loop, carry);
	LLVMValueRef *before = body->values[first->number], *values;
	LLVMBasicBlockRef here = LLVMGetInsertBlock(body->b);

	if (first == carry)
		body->values[carry->number] = NULL;
	values = program_make_values(body, carry);
	for (unsigned r = 0; values && r < count; r += each) {
		LLVMValueRef vector;

		LLVMPositionBuilderBefore(body->b,
			LLVMGetBasicBlockTerminator(body->before));
		vector = program_join(body, before + r, each);
		LLVMPositionBuilderAtEnd(body->b, here);
		vector = program_phi(body, LLVMTypeOf(vector), vector, from, "carried");
		program_part(body, vector, each, values + r);
	}
	if (first == carry)
		free(before);
	return values;
}

/* The phi that a carry's register is, or is part of. */
static LLVMValueRef phi_of(LLVMValueRef value)
{
	return LLVMIsAPHINode(value) ? value : LLVMGetOperand(value, 0);
}

/* Carries are yielded all at once: what is yielded may be another carry. */
static void end_carry(const program_scope *body, const layout_tile *carry,
	LLVMValueRef *values, LLVMBasicBlockRef last)
{
	unsigned each = program_sum_vector(body, carry->yield);
	LLVMValueRef *next = body->values[carry->yield->number];

	for (unsigned r = 0; r < program_registers_of(body, carry); r += each) {
		LLVMValueRef vector = program_join(body, next + r, each);

		LLVMAddIncoming(phi_of(values[r]), &vector, &last, 1);
	}
}

static LLVMValueRef merge(const program_scope *body, LLVMValueRef before,
	LLVMValueRef after, LLVMBasicBlockRef from[2])
{
	LLVMValueRef phi = program_phi(body, LLVMTypeOf(after), before, from[0], "");

	LLVMAddIncoming(phi, &after, &from[1], 1);
	return phi;
}

/* Behind the steps: what a carry was before the first, if there may be none, or is after the
 * last. */
static void leave_carry(const program_scope *body, const struct loop *loop,
	const layout_tile *carry, LLVMBasicBlockRef from[2])
{
	unsigned each = program_sum_vector(body, carry->yield);
	LLVMValueRef *values = body->values[carry->number];

	for (unsigned r = 0; r < program_registers_of(body, carry); r += each) {
		LLVMValueRef phi = phi_of(values[r]), last = LLVMGetIncomingValue(phi, 1);

		program_part(body, loop->some ? last : merge(body,
			LLVMGetIncomingValue(phi, 0), last, from), each, values + r);
	}
}

/* Steps behind those that are whole are few: what they test is not worth registers before
 * the loop. */
static void keep_inside(LLVMValueRef branch)
{
	LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(branch));
	const char *hint = "llvm.licm.disable", *key = "llvm.loop";
	LLVMMetadataRef text = LLVMMDStringInContext2(llvm, hint, strlen(hint));
	LLVMMetadataRef own = LLVMTemporaryMDNode(llvm, NULL, 0);
	LLVMMetadataRef parts[] = { own, LLVMMDNodeInContext2(llvm, &text, 1) };
	LLVMMetadataRef loop = LLVMMDNodeInContext2(llvm, parts, 2);

	LLVMMetadataReplaceAllUsesWith(own, loop);
	LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(llvm, key, (unsigned)strlen(key)),
		LLVMMetadataAsValue(llvm, loop));
}

/* The registers that begin a step, a list for each carry. */
static void free_lists(LLVMValueRef **lists, unsigned count)
{
	for (unsigned i = 0; lists && i < count; i++)
		free(lists[i]);
	free(lists);
}

/* Those of the carries, or with "yields" of what they yield. */
static LLVMValueRef **copy_lists(const program_scope *body,
	const struct program_statement *of, bool yields)
{
	LLVMValueRef **lists = layout_alloc(body->ctx, of->carry_count, sizeof(*lists));

	for (unsigned i = 0; lists && i < of->carry_count; i++) {
		const layout_tile *carry = of->carries[i];
		unsigned count = program_registers_of(body, carry);

		lists[i] = layout_alloc(body->ctx, count, sizeof(LLVMValueRef));
		if (!lists[i]) {
			free_lists(lists, i);
			return NULL;
		}
		memcpy(lists[i], body->values[(yields ? carry->yield : carry)->number],
			count * sizeof(LLVMValueRef));
	}
	return lists;
}

/* The carries get other registers: the lists are consumed, and may be NULL. */
static bool set_lists(program_scope *body, const struct program_statement *of,
	LLVMValueRef **lists)
{
	for (unsigned i = 0; lists && i < of->carry_count; i++) {
		free(body->values[of->carries[i]->number]);
		body->values[of->carries[i]->number] = lists[i];
	}
	free(lists);
	return lists;
}

/* The statements of a step, but the loads that were made before it. */
static bool lower_statements(program_scope *body, const struct program_statement *of,
	const struct program_turn *turn)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < of->body.count; i++) {
		const struct program_statement *statement = &of->body.statements[i];

		ok = (program_is_early(body, statement) || flow_statement(body, statement)) &&
			program_early_next(body, of, i + 1, turn);
	}
	program_on(body, 0);
	return ok;
}

/* The steps of a turn, one behind the other. */
static bool lower_turn(program_scope *body, const struct program_statement *of,
	struct program_turn *turn)
{
	bool ok = true;

	for (turn->step = 0; ok && turn->step < turn->times; turn->step++) {
		if (body->ring == of)
			body->stage = body->steady ? (int)turn->step : -1;
		body->vars[of->variable] = LLVMBuildNUWAdd(body->b, turn->counter,
			lower_int(body->i32, turn->step), "");
		body->turn = turn->counter;
		body->ahead = turn->step;
		ok = (!turn->step || set_lists(body, of, copy_lists(body, of, true))) &&
			lower_statements(body, of, turn);
	}
	body->ahead = 0;
	if (body->ring == of)
		body->stage = -1;
	return ok;
}

/* Before the first step, if there is one: what it loads ahead.  The builder is left where
 * the step comes from. */
static bool load_early(program_scope *body, const struct loop *loop,
	struct program_turn *turn)
{
	body->vars[loop->of->variable] = turn->counter = loop->counter;
	body->turn = loop->counter;
	body->ahead = 0;
	return program_early_load(body, loop->of, turn);
}

/* The block of a turn: the counter and the carries begin there, and "phis" get what is
 * loaded early; at the end they are what they have become.  "from" has where it is entered,
 * and then where it ends; the next counter, or NULL on an error. */
static LLVMValueRef lower_block(program_scope *body, const struct loop *loop,
	struct program_turn *turn, LLVMValueRef **early, LLVMBasicBlockRef from[2])
{
	const struct program_statement *of = loop->of;
	LLVMValueRef next, **phis;
	bool ok = true;

	turn->counter = LLVMBuildPhi(body->b, body->i32, "counter");
	for (unsigned i = 0; ok && i < of->carry_count; i++)
		ok = begin_carry(body, loop, of->carries[i], from[0]);
	ok = ok && program_early_begin(body, of, early, from[0]);
	phis = ok ? copy_lists(body, of, false) : NULL;
	body->read_local = true;
	if (!phis || !lower_turn(body, of, turn)) {
		free_lists(phis, of->carry_count);
		return NULL;
	}
	next = LLVMBuildNUWAdd(body->b, turn->counter, lower_int(body->i32, turn->times),
		"next");
	from[1] = LLVMGetInsertBlock(body->b);
	LLVMAddIncoming(turn->counter, (LLVMValueRef[]){ loop->counter, next }, from, 2);
	for (unsigned i = 0; i < of->carry_count; i++)
		end_carry(body, of->carries[i], phis[i], from[1]);
	program_early_end(body, of, early, from[1]);
	set_lists(body, of, phis);
	return next;
}

/* The steps from the counter on to "end", "times" of them a turn.  That is tested behind
 * each, so that the loop is one block, and before the first if there may be none. */
static bool lower_steps(program_scope *body, struct loop *loop, LLVMValueRef end,
	unsigned times)
{
	const struct program_statement *of = loop->of;
	struct program_turn turn = { .end = end, .times = times };
	LLVMBasicBlockRef from[2] = { LLVMGetInsertBlock(body->b), NULL }, inside, after;
	LLVMBasicBlockRef ways[2] = { from[0], NULL };
	LLVMValueRef next = NULL, again, **early = layout_alloc(body->ctx, of->body.count,
		sizeof(*early));
	bool rest = loop->begun, first = program_has_early(body, of);

	if (!early)
		return false;
	body->before = from[0];
	inside = iteration_block(body->iteration, first ? "first" : "step");
	after = iteration_block(body->iteration, "done");
	if (loop->some)
		LLVMBuildBr(body->b, inside);
	else
		LLVMBuildCondBr(body->b, LLVMBuildICmp(body->b, LLVMIntSLT, loop->counter,
			end, ""), inside, after);
	LLVMPositionBuilderAtEnd(body->b, inside);
	if (!first || load_early(body, loop, &turn)) {
		if (first) {
			from[0] = LLVMGetInsertBlock(body->b);
			inside = iteration_block(body->iteration, "step");
			LLVMBuildBr(body->b, inside);
			LLVMPositionBuilderAtEnd(body->b, inside);
		}
		next = lower_block(body, loop, &turn, early, from);
	}
	free_lists(early, of->body.count);
	if (!next)
		return false;
	again = LLVMBuildCondBr(body->b, LLVMBuildICmp(body->b, LLVMIntSLT, next, end, ""),
		inside, after);
	if (rest)
		keep_inside(again);
	LLVMPositionBuilderAtEnd(body->b, after);
	ways[1] = from[1];
	loop->counter = loop->some ? next : merge(body, loop->counter, next, ways);
	for (unsigned i = 0; i < of->carry_count; i++)
		leave_carry(body, loop, of->carries[i], ways);
	loop->begun = true;
	return true;
}

bool flow_is_access(const struct program_statement *statement)
{
	return statement->kind == STATEMENT_STORE ||
		(statement->kind == STATEMENT_TILE && statement->tile->op == TILE_LOAD);
}

/* As many steps as there are up to the first whose tiles are not all whole: an i32. */
static bool count_whole(program_scope *body, const struct loop *loop, LLVMValueRef *count)
{
	const struct program_body *statements = &loop->of->body;
	LLVMValueRef steps = LLVMBuildSExt(body->b, loop->extent, body->i64, "");
	bool ok = true;

	for (unsigned i = 0; ok && i < statements->count; i++)
		if (flow_is_access(&statements->statements[i]))
			ok = program_whole_steps(body, &statements->statements[i], &steps);
	*count = LLVMBuildTrunc(body->b, steps, body->i32, "");
	return ok;
}

/* Does the loop have accesses, and no other loop? */
bool flow_can_be_whole(const struct program_body *statements)
{
	bool accesses = false;

	for (unsigned i = 0; i < statements->count; i++) {
		if (statements->statements[i].kind == STATEMENT_FOR)
			return false;
		accesses = accesses || flow_is_access(&statements->statements[i]);
	}
	return accesses;
}

/* The steps up to the first whose tiles are not all whole: that one and those behind it are
 * another loop, which tests each access. */
static bool lower_whole(program_scope *body, struct loop *loop)
{
	LLVMValueRef count;
	bool ok;

	body->counter = (int)loop->of->variable;
	body->vars[body->counter] = loop->counter;
	ok = count_whole(body, loop, &count);
	body->whole = true;
	ok = ok && lower_steps(body, loop, count, 1);
	body->whole = false;
	body->counter = -1;
	return ok;
}

/* How often a loop turns. */
LLVMValueRef flow_extent(const program_scope *body,
	const struct program_statement *statement)
{
	const struct index *extent =
		body->plan->program->variables[statement->variable].extent.index;

	return LLVMBuildTrunc(body->b, program_uniform(body, extent), body->i32, "");
}

/* Words of a lane that a step loads. */
static int64_t loaded_words(const program_scope *body, const struct program_body *statements)
{
	int64_t words = 0;

	for (unsigned i = 0; i < statements->count; i++) {
		const layout_tile *tile = statements->statements[i].tile;

		if (statements->statements[i].kind == STATEMENT_TILE &&
		    tile->op == TILE_LOAD)
			words += (program_registers_of(body, tile) * (int64_t)tile->type->bits +
				31) / 32;
	}
	return words;
}

/* Two steps a turn, where there is room for what both load. */
unsigned flow_steps(const program_scope *body, const struct program_statement *statement)
{
	return loaded_words(body, &statement->body) <= MOST_LOADED ? 2 : 1;
}

/* All steps of a loop whose tiles are all whole, of which there are some. */
static bool lower_all_whole(program_scope *body, struct loop *loop)
{
	bool ok;

	loop->some = true;
	body->counter = (int)loop->of->variable;
	ok = lower_steps(body, loop, loop->extent, flow_steps(body, loop->of));
	body->counter = -1;
	return ok;
}

/* A loop whose copies are ahead: turns of as many steps as objects have copies, while there is
 * something to copy in each; then the others, one by one. */
static bool lower_ring(program_scope *body, struct loop *loop)
{
	const struct program_statement *of = loop->of, *outer = body->ring;
	unsigned stages = of->stages;
	LLVMValueRef end, steps = body->steps;
	int counter = body->counter, stage = body->stage;
	bool steady = body->steady, ok;

	if (body->whole && counter < 0)
		body->counter = (int)of->variable;
	body->ring = of;
	body->stage = -1;
	body->steady = false;
	body->steps = loop->extent;
	body->before = LLVMGetInsertBlock(body->b);
	ok = program_begin_ahead(body);
	if (ok && body->whole) {
		end = LLVMBuildSub(body->b, loop->extent, lower_int(body->i32,
			2 * stages - 2), "");
		body->steady = true;
		ok = lower_steps(body, loop, end, stages);
		body->steady = false;
	}
	ok = ok && lower_steps(body, loop, loop->extent, 1);
	body->iteration->kernel->hooks->land(body->b, 0, false);
	body->counter = counter;
	body->ring = outer;
	body->stage = stage;
	body->steady = steady;
	body->steps = steps;
	return ok;
}

/* The steps that are left compute all they need anew: it does not wait in registers. */
static bool lower_rest(program_scope *body, struct loop *loop)
{
	unsigned known = flow_known(body), operands = body->plan->operand_count;
	program_scope before = *body;
	LLVMValueRef *kept = layout_alloc(body->ctx, known + operands, sizeof(*kept));
	bool ok = kept;

	if (!ok)
		return false;
	memcpy(kept, body->vars, known * sizeof(*kept));
	memcpy(kept + known, body->pointers, operands * sizeof(*kept));
	flow_renew(body);
	ok = lower_steps(body, loop, flow_extent(body, loop->of), 1);
	memcpy(body->vars, kept, known * sizeof(*kept));
	memcpy(body->pointers, kept + known, operands * sizeof(*kept));
	body->hardware = before.hardware;
	memcpy(body->sets, before.sets, sizeof(before.sets));
	body->lane = before.lane;
	free(kept);
	return ok;
}

/* for (counter = 0; counter < extent; counter++) */
bool flow_for(program_scope *body, const struct program_statement *statement)
{
	struct loop loop = { .of = statement, .counter = lower_int(body->i32, 0),
		.extent = flow_extent(body, statement) };
	bool ok;

	if (program_has_ahead(body, statement))
		ok = lower_ring(body, &loop);
	else if (!flow_can_be_whole(&statement->body) || (body->whole && body->counter >= 0))
		ok = lower_steps(body, &loop, loop.extent, 1);
	else if (body->whole)
		ok = lower_all_whole(body, &loop);
	else
		ok = lower_whole(body, &loop) && lower_rest(body, &loop);
	for (unsigned i = 0; ok && i < statement->carry_count; i++) {
		const layout_tile *result = statement->results[i];
		LLVMValueRef *values = result ? program_make_values(body, result) : NULL;

		if (result && !values)
			return false;
		for (unsigned r = 0; values && r < program_registers_of(body, result); r++)
			values[r] = body->values[statement->carries[i]->number][r];
	}
	return ok;
}
