/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The statements of a program in their order.  What a loop carries is a phi a register;
 * everything else has its value where it was made. */
#include "lower/program.h"

#include "lower/branch.h"
#include "lower/grid.h"
#include "lower/program_local.h"
#include "program/product.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

LLVMValueRef *program_make_values(program_scope *body, const layout_tile *tile)
{
	LLVMValueRef **values = &body->values[tile->number];

	free(*values);
	return *values = layout_alloc(body->ctx, program_registers_of(body, tile),
		sizeof(LLVMValueRef));
}

static bool lower_fill(program_scope *body, const layout_tile *tile)
{
	unsigned count = program_registers_of(body, tile);
	LLVMValueRef *values = program_make_values(body, tile);

	for (unsigned r = 0; values && r < count; r++)
		values[r] = LLVMConstInt(program_type(body, tile->type), tile->bits, false);
	return values;
}

static bool lower_index(program_scope *body, const layout_tile *tile)
{
	unsigned count = program_registers_of(body, tile);
	LLVMValueRef *values = program_make_values(body, tile);
	struct owner_coordinates at = program_coordinates(body, program_owner(body, tile));

	for (unsigned r = 0; values && r < count; r++)
		values[r] = owner_coordinate(&at, r, tile->dims[0]);
	return values;
}

/* The registers of another tile, which may be fewer where they are broadcast. */
static bool lower_view(program_scope *body, const layout_tile *tile)
{
	const layout_tile *operand = tile->operands[0];
	unsigned count = program_registers_of(body, tile);
	LLVMValueRef *values = program_make_values(body, tile);
	bool renames = tile->op != TILE_VIEW || tile->view != VIEW_BROADCAST;
	unsigned *registers = values && !renames ?
		program_operand_registers(body, operand, tile) : NULL;

	for (unsigned r = 0; values && (renames || registers) && r < count; r++)
		values[r] = body->values[operand->number][renames ? r : registers[r]];
	free(registers);
	return values && (renames || registers);
}

static bool lower_tile(program_scope *body, const layout_tile *tile)
{
	switch (tile->op) {
	case TILE_FILL:
		return lower_fill(body, tile);
	case TILE_INDEX:
		return lower_index(body, tile);
	case TILE_LOAD:
		return program_lower_load(body, tile);
	case TILE_GET:
		return program_lower_get(body, tile);
	case TILE_CONVERT:
		return program_lower_convert(body, tile);
	case TILE_MAP:
		return program_lower_map(body, tile);
	case TILE_REDUCE:
		return program_lower_reduce(body, tile);
	case TILE_CONTRACT:
		return tile->by && !product_is_declined(tile) ?
			program_lower_product(body, tile) :
			program_lower_contract(body, tile);
	default:
		return lower_view(body, tile);
	}
}

static bool lower_statement(program_scope *body, const struct program_statement *statement);
static bool lower_body(program_scope *body, const struct program_body *statements);

static unsigned known_count(const program_scope *body)
{
	return body->plan->program->size_count + body->plan->program->grid_count;
}

static void split_lane(program_scope *body, LLVMValueRef lane)
{
	struct owner_hardware *hardware = &body->hardware;
	int64_t wave = body->plan->wave_size;

	body->lane = hardware->lane = lane;
	hardware->subgroup = program_int(body->i32, 0);
	if (body->plan->waves == 1)
		return;
	hardware->lane = LLVMBuildAnd(body->b, lane, program_int(body->i32, wave - 1), "");
	hardware->subgroup = hardware->hooks->uniform(body->b, LLVMBuildUDiv(body->b, lane,
		program_int(body->i32, wave), ""));
}

/* From here on, nothing is what was computed before. */
static void renew(program_scope *body)
{
	for (unsigned i = 0; i < known_count(body); i++)
		if (!LLVMIsConstant(body->vars[i]))
			body->vars[i] = body->hardware.hooks->pin(body->b, body->vars[i]);
	for (unsigned i = 0; i < body->plan->operand_count; i++)
		body->pointers[i] = body->hardware.hooks->pin(body->b, body->pointers[i]);
	split_lane(body, body->hardware.hooks->await(body->b, body->lane));
}

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

		ok = (program_is_early(body, statement) || lower_statement(body, statement)) &&
			program_early_next(body, of, i + 1, turn);
	}
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
			program_int(body->i32, turn->step), "");
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
	next = LLVMBuildNUWAdd(body->b, turn->counter, program_int(body->i32, turn->times),
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

static bool is_access(const struct program_statement *statement)
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
		if (is_access(&statements->statements[i]))
			ok = program_whole_steps(body, &statements->statements[i], &steps);
	*count = LLVMBuildTrunc(body->b, steps, body->i32, "");
	return ok;
}

/* Does the loop have accesses, and no other loop? */
static bool can_be_whole(const struct program_body *statements)
{
	bool accesses = false;

	for (unsigned i = 0; i < statements->count; i++) {
		if (statements->statements[i].kind == STATEMENT_FOR)
			return false;
		accesses = accesses || is_access(&statements->statements[i]);
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
static LLVMValueRef extent_of(const program_scope *body,
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
static unsigned steps_of(const program_scope *body, const struct program_statement *statement)
{
	return loaded_words(body, &statement->body) <= MOST_LOADED ? 2 : 1;
}

/* All steps of a loop whose tiles are all whole, of which there are some. */
static bool lower_all_whole(program_scope *body, struct loop *loop)
{
	bool ok;

	loop->some = true;
	body->counter = (int)loop->of->variable;
	ok = lower_steps(body, loop, loop->extent, steps_of(body, loop->of));
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
		end = LLVMBuildSub(body->b, loop->extent, program_int(body->i32,
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
	unsigned known = known_count(body), operands = body->plan->operand_count;
	program_scope before = *body;
	LLVMValueRef *kept = layout_alloc(body->ctx, known + operands, sizeof(*kept));
	bool ok = kept;

	if (!ok)
		return false;
	memcpy(kept, body->vars, known * sizeof(*kept));
	memcpy(kept + known, body->pointers, operands * sizeof(*kept));
	renew(body);
	ok = lower_steps(body, loop, extent_of(body, loop->of), 1);
	memcpy(body->vars, kept, known * sizeof(*kept));
	memcpy(body->pointers, kept + known, operands * sizeof(*kept));
	body->hardware = before.hardware;
	body->lane = before.lane;
	free(kept);
	return ok;
}

/* for (counter = 0; counter < extent; counter++) */
static bool lower_for(program_scope *body, const struct program_statement *statement)
{
	struct loop loop = { .of = statement, .counter = program_int(body->i32, 0),
		.extent = extent_of(body, statement) };
	bool ok;

	if (program_has_ahead(body, statement))
		ok = lower_ring(body, &loop);
	else if (!can_be_whole(&statement->body) || (body->whole && body->counter >= 0))
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

static LLVMValueRef lower_condition(const program_scope *body,
	const struct program_condition *condition)
{
	static const LLVMIntPredicate predicates[] = {
		[MAP_LT] = LLVMIntSLT, [MAP_LE] = LLVMIntSLE, [MAP_GT] = LLVMIntSGT,
		[MAP_GE] = LLVMIntSGE, [MAP_EQ] = LLVMIntEQ, [MAP_NE] = LLVMIntNE,
	};

	return LLVMBuildICmp(body->b, predicates[condition->op],
		program_uniform(body, condition->a.index),
		program_uniform(body, condition->b.index), "");
}

static bool lower_when(program_scope *body, const struct program_statement *when)
{
	LLVMValueRef holds = lower_condition(body, &when->conditions[0]);
	struct branch branch;
	bool whole = body->whole, ok;

	for (unsigned i = 1; i < when->condition_count; i++)
		holds = LLVMBuildAnd(body->b, holds,
			lower_condition(body, &when->conditions[i]), "");
	branch = branch_open(body->iteration, holds, "when");
	body->whole = false;
	ok = lower_body(body, &when->body);
	body->whole = whole;
	branch_close(body->iteration, &branch);
	return ok;
}

static bool lower_statement(program_scope *body, const struct program_statement *statement)
{
	bool direct = body->direct && statement->tile && statement->tile->piece;

	program_lower_wait(body, statement);
	switch (statement->kind) {
	case STATEMENT_TILE:
		return direct || lower_tile(body, statement->tile);
	case STATEMENT_PUT:
		return (direct ? program_lower_direct : program_early_put)(body, statement);
	case STATEMENT_STORE:
		return program_lower_store(body, statement);
	case STATEMENT_FOR:
		return lower_for(body, statement);
	default:
		return lower_when(body, statement);
	}
}

static bool lower_body(program_scope *body, const struct program_body *statements)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < statements->count; i++)
		ok = lower_statement(body, &statements->statements[i]);
	return ok;
}

static struct iteration_loop *turns_of(const program_scope *body)
{
	return &body->iteration->loops[body->iteration->depth - 1];
}

/* What the turns over the grid do not change begins as it was before them, and is another's
 * in each: what is computed of it stays inside, and takes no registers from turn to turn,
 * of which there is seldom a second. */
static LLVMValueRef open_turn(const program_scope *body, LLVMValueRef value)
{
	struct iteration_loop *turns;
	LLVMValueRef phi;

	if (!body->iteration->depth || LLVMIsConstant(value))
		return value;
	turns = turns_of(body);
	if (LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == turns->header)
		return value;
	LLVMPositionBuilderBefore(body->b, LLVMGetFirstInstruction(turns->header));
	phi = LLVMBuildPhi(body->b, LLVMTypeOf(value), "");
	LLVMAddIncoming(phi, &value, &turns->before, 1);
	LLVMPositionBuilderAtEnd(body->b, turns->header);
	return phi;
}

/* "first" is what opening made, "last" what it has become. */
static void close_turn(const program_scope *body, LLVMValueRef first, LLVMValueRef last)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(body->b);

	if (LLVMIsAPHINode(first) && LLVMGetInstructionParent(first) ==
	    turns_of(body)->header && LLVMCountIncoming(first) == 1 &&
	    first != turns_of(body)->counter)
		LLVMAddIncoming(first, &last, &here, 1);
}

/* Of sizes and the grid's coordinates, which the iteration has, those that are narrow. */
static LLVMValueRef known(const program_scope *body, unsigned i)
{
	LLVMValueRef value = body->iteration->scope.vars[i], narrow;
	bool size = i < body->plan->program->size_count;
	LLVMBasicBlockRef here = LLVMGetInsertBlock(body->b);

	if (!size || LLVMIsConstant(value))
		return value;
	if (body->iteration->depth)
		LLVMPositionBuilderBefore(body->b, LLVMGetBasicBlockTerminator(
			body->iteration->loops[0].before));
	narrow = LLVMBuildTrunc(body->b, value, body->i32, "");
	LLVMPositionBuilderAtEnd(body->b, here);
	return narrow;
}

/* The lane of the workgroup, before all turns where there are some. */
static LLVMValueRef find_lane(const program_scope *body)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(body->b);
	LLVMValueRef lane = body->iteration->scope.vars[known_count(body)];

	if (!body->iteration->depth)
		return lane;
	LLVMPositionBuilderBefore(body->b, LLVMGetBasicBlockTerminator(
		body->iteration->loops[0].before));
	lane = body->hardware.hooks->lane_id(body->b);
	LLVMPositionBuilderAtEnd(body->b, here);
	return lane;
}

/* From a workgroup's place in the grid to its coordinates. */
static void reorder(program_scope *body)
{
	unsigned sizes = body->plan->program->size_count;
	unsigned count = body->plan->program->grid_count;
	LLVMValueRef coordinates[PROGRAM_RANK];

	for (unsigned d = 0; d < count; d++)
		coordinates[d] = LLVMBuildTrunc(body->b, program_uniform(body,
			body->plan->order[d]), body->i32, "coordinate");
	memcpy(body->vars + sizes, coordinates, count * sizeof(*coordinates));
}

static void enter(program_scope *body)
{
	body->hardware = (struct owner_hardware){
		.hooks = body->iteration->kernel->hooks,
		.wave_size = body->plan->wave_size, .subgroups = body->plan->waves };
	for (unsigned i = 0; i < known_count(body); i++)
		body->vars[i] = body->opened[i] = open_turn(body, known(body, i));
	body->opened[known_count(body)] = open_turn(body, find_lane(body));
	split_lane(body, body->opened[known_count(body)]);
	if (body->plan->order)
		reorder(body);
}

static void leave(program_scope *body)
{
	if (body->iteration->depth) {
		if (body->plan->order)
			memcpy(body->vars, body->opened, known_count(body) *
				sizeof(*body->vars));
		renew(body);
		for (unsigned i = 0; i < known_count(body); i++)
			close_turn(body, body->opened[i], body->vars[i]);
		close_turn(body, body->opened[known_count(body)], body->lane);
	}
	iteration_close(body->iteration);
}

/* Are there accesses, and no conditions, and loops that can be whole? */
static bool has_versions(const struct program_body *statements)
{
	bool accesses = false;

	for (unsigned i = 0; i < statements->count; i++) {
		const struct program_statement *of = &statements->statements[i];
		bool loop = of->kind == STATEMENT_FOR && can_be_whole(&of->body);

		if (!loop && of->kind != STATEMENT_TILE && of->kind != STATEMENT_STORE &&
		    of->kind != STATEMENT_PUT)
			return false;
		accesses = accesses || loop || is_access(of);
	}
	return accesses;
}

/* Is there no other turn on the axis?  A quotient is no more than n where what is divided
 * is less than n + 1 divisors. */
static void add_turns(const program_scope *body, unsigned axis, struct program_room *room)
{
	const layout_kernel *kernel = body->iteration->kernel;
	const struct index *extent = kernel->extent[axis];
	int64_t most = grid_cap(axis, kernel->lanes);
	LLVMValueRef count;

	if (extent->max <= most)
		return;
	for (; (extent->op == INDEX_FDIV || extent->op == INDEX_PDIV) &&
	     extent->arg[1]->value < INT32_MAX && most < INT32_MAX; extent = extent->arg[0])
		most = (most + 1) * extent->arg[1]->value - 1;
	count = expression_lower(&body->iteration->scope, extent);
	rooms_add_below(&room->rooms, extent->max - most <= INT32_MAX && most <= INT32_MAX ?
		LLVMBuildTrunc(body->b, count, body->i32, "") : count, most);
}

static bool find_rooms(program_scope *body, const struct program_body *statements,
	struct program_room *room);

/* Of the last step, and so of all; are there steps, and as many as there are in turns? */
static bool find_loop_room(program_scope *body, const struct program_statement *statement,
	struct program_room *room)
{
	LLVMValueRef extent = extent_of(body, statement);
	bool ok;

	body->counter = (int)statement->variable;
	body->vars[body->counter] = LLVMBuildNSWSub(body->b, extent,
		program_int(body->i32, 1), "");
	ok = find_rooms(body, &statement->body, room);
	body->counter = -1;
	if (program_has_ahead(body, statement))
		return ok;
	rooms_add_above(&room->rooms, extent, 1);
	if (steps_of(body, statement) == 2)
		rooms_add_below(&room->rooms, LLVMBuildAnd(body->b, extent,
			program_int(body->i32, 1), ""), 0);
	return ok;
}

static bool find_rooms(program_scope *body, const struct program_body *statements,
	struct program_room *room)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < statements->count; i++) {
		const struct program_statement *of = &statements->statements[i];

		if (of->kind == STATEMENT_FOR)
			ok = find_loop_room(body, of, room);
		else if (is_access(of))
			ok = program_find_room(body, of, room);
	}
	return ok;
}

/* Is the workgroup's first turn its last, and are all tiles whole?  NULL on an error. */
static LLVMValueRef find_whole(program_scope *body, const struct program_body *statements)
{
	struct program_room room = program_room_begin(body);
	bool ok = find_rooms(body, statements, &room);

	for (unsigned axis = 0; ok && axis < 3; axis++)
		add_turns(body, axis, &room);
	return ok ? program_room_holds(body, &room) : NULL;
}

static bool lower_whole_version(program_scope *body, const struct program_body *statements)
{
	bool read_local = body->read_local, ok;

	body->whole = true;
	ok = lower_body(body, statements);
	LLVMBuildRetVoid(body->b);
	body->whole = false;
	body->read_local = read_local;
	return ok;
}

static bool lower_turns(program_scope *body)
{
	bool ok;

	iteration_open(body->iteration);
	enter(body);
	if (body->edge)
		renew(body);
	body->read_local = body->iteration->depth;
	if (body->iteration->depth && body->plan->access_count)
		body->hardware.hooks->barrier(body->b);
	ok = lower_body(body, &body->plan->program->body);
	leave(body);
	LLVMBuildRetVoid(body->b);
	return ok;
}

/* Values that are the turns' own, for what they compute of the iteration's. */
static void separate_sizes(const program_scope *body)
{
	LLVMValueRef *vars = body->iteration->scope.vars;

	for (unsigned i = 0; i < body->plan->program->size_count; i++)
		vars[i] = LLVMBuildZExt(body->b, body->hardware.hooks->pin(body->b,
			LLVMBuildTrunc(body->b, vars[i], body->i32, "")), body->i64, "");
}

/* Twice: for workgroups whose tiles are all whole, where nothing is tested, and for others. */
static bool lower_versions(program_scope *body)
{
	const struct program_body *statements = &body->plan->program->body;
	LLVMValueRef whole;
	LLVMBasicBlockRef inside, edge;

	iteration_enter(body->iteration);
	enter(body);
	whole = find_whole(body, statements);
	if (!whole || (LLVMIsAConstantInt(whole) && LLVMIsNull(whole)))
		return whole && lower_turns(body);
	inside = iteration_block(body->iteration, "whole");
	edge = iteration_block(body->iteration, "edge");
	body->before = LLVMGetInsertBlock(body->b);
	LLVMBuildCondBr(body->b, whole, inside, edge);
	LLVMPositionBuilderAtEnd(body->b, inside);
	if (!lower_whole_version(body, statements))
		return false;
	LLVMPositionBuilderAtEnd(body->b, edge);
	if (LLVMIsConstant(whole)) {
		LLVMBuildUnreachable(body->b);
		return true;
	}
	body->edge = true;
	separate_sizes(body);
	return lower_turns(body);
}

static bool lower_either(program_scope *body)
{
	return (has_versions(&body->plan->program->body) ? lower_versions : lower_turns)(body);
}

/* One of two ways of the copies, from where the iteration is: what that changes is as it was
 * for the next.  Through the registers, each access finds out whether its tile is whole. */
static bool lower_way(program_scope *body, bool direct)
{
	unsigned sizes = body->plan->program->size_count, count = body->plan->operand_count;
	LLVMValueRef *vars = body->iteration->scope.vars, *kept = layout_alloc(body->ctx,
		sizes + count, sizeof(*kept));
	bool ok = kept;

	if (!ok)
		return false;
	memcpy(kept, vars, sizes * sizeof(*kept));
	memcpy(kept + sizes, body->pointers, count * sizeof(*kept));
	body->direct = direct;
	ok = direct ? lower_either(body) : lower_turns(body);
	body->direct = body->edge = body->read_local = false;
	memcpy(vars, kept, sizes * sizeof(*kept));
	memcpy(body->pointers, kept + sizes, count * sizeof(*kept));
	free(kept);
	return ok;
}

static bool has_direct(const layout_program *program)
{
	bool direct = false;

	for (unsigned i = 0; i < program->tile_count; i++)
		direct = direct || program->tiles[i]->piece;
	return direct;
}

/* Twice, where copies can be direct: if all of them are, or none. */
static bool lower_ways(program_scope *body)
{
	LLVMBasicBlockRef direct, through;
	LLVMValueRef can;

	if (!has_direct(body->plan->program))
		return lower_either(body);
	iteration_enter(body->iteration);
	enter(body);
	can = program_can_direct(body);
	direct = iteration_block(body->iteration, "direct");
	through = iteration_block(body->iteration, "through");
	LLVMBuildCondBr(body->b, can, direct, through);
	LLVMPositionBuilderAtEnd(body->b, direct);
	if (!lower_way(body, true))
		return false;
	LLVMPositionBuilderAtEnd(body->b, through);
	if (!LLVMIsConstant(can))
		return lower_way(body, false);
	LLVMBuildUnreachable(body->b);
	return true;
}

bool program_lower(layout_context *ctx, struct iteration *iteration)
{
	const struct program_plan *plan = iteration->kernel->plan->program;
	LLVMBuilderRef b = iteration->scope.builder;
	LLVMContextRef llvm = LLVMGetBuilderContext(b);
	program_scope body = { .ctx = ctx, .iteration = iteration, .plan = plan, .b = b, .counter = -1,
		.stage = -1, .i8 = LLVMInt8TypeInContext(llvm), .i32 = LLVMInt32TypeInContext(llvm),
		.i64 = LLVMInt64TypeInContext(llvm),
		.vars = layout_alloc(ctx, plan->program->variable_count + OWNER_RANK,
			sizeof(LLVMValueRef)),
		.opened = layout_alloc(ctx, plan->program->variable_count + 1,
			sizeof(LLVMValueRef)),
		.pointers = layout_alloc(ctx, plan->operand_count, sizeof(LLVMValueRef)),
		.values = layout_alloc(ctx, plan->tile_count, sizeof(*body.values)) };
	bool ok = body.vars && body.opened && body.pointers && body.values;

	for (unsigned i = 0; ok && i < plan->operand_count; i++)
		body.pointers[i] = LLVMGetParam(iteration->function, i);

	ok = ok && program_local_begin(&body) && lower_ways(&body);
	for (unsigned i = 0; body.values && i < plan->tile_count; i++)
		free(body.values[i]);
	free(body.values);
	free(body.copies);
	free(body.opened);
	free(body.pointers);
	free(body.vars);
	return ok;
}
