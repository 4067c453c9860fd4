/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Statements as loops.  Arrays are made where the function begins: on the stack, or where
 * that would be much by malloc(). */
#include "lower/program_host/program_host.h"
#include "lower/program_host/parts.h"
#include "lower/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define STACK_BYTES (1 << 18)
#define ALIGN 64
#define MOST_BYTES ((int64_t)1 << 30)

/* What the loops of a statement compute, and where it goes. */
struct work {
	const layout_tile *tile;
	const struct program_statement *store;
	LLVMValueRef array, from;
	const struct host_limits *limits;
	host_needed needed;
};

static LLVMValueRef yes(const struct host *host)
{
	return LLVMConstInt(LLVMInt1TypeInContext(host->llvm), 1, false);
}

/* Loops over a tile's box, where the values of "loads" are asked for; NULL: none are. */
static void loops(struct host *host, const layout_tile *box, LLVMValueRef whole,
	const layout_tile *loads, host_point point, struct work *work)
{
	struct host_nest nest = { .rank = box->rank, .box = box->box, .whole = whole,
		.limits = work->limits, .point = point, .needed = work->needed, .user = work };

	if (loads && box->rank)
		nest.range = host_find_range(host, loads, box->box[box->rank - 1]);
	host_loops(host, &nest);
}

static void compute_point(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;

	host_array_store(host, work->array, work->tile, work->tile->type, x,
		host_compute(host, work->tile, x));
}

static LLVMValueRef compute_needed(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;

	(void)x;
	return host_is_asked_behind(host, work->tile) ? NULL :
		LLVMBuildNot(host->b, yes(host), "");
}

void host_compute_array(struct host *host, const layout_tile *tile, LLVMValueRef array)
{
	struct host_limits limits = host_find_limits(host, tile);
	struct work work = { .tile = tile, .array = array, .limits = &limits,
		.needed = compute_needed };

	loops(host, tile, host_is_whole(host, tile), tile, compute_point, &work);
}

static void value_point(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;

	host_array_store(host, work->array, work->tile, work->tile->type, x,
		host_value(host, work->tile, x));
}

/* The value of a tile, to the array of one of the same box as far as that is asked for. */
static void copy_value(struct host *host, const layout_tile *to, const layout_tile *tile,
	LLVMValueRef array)
{
	struct host_limits limits = host_find_limits(host, to);
	struct work work = { .tile = tile, .array = array, .limits = &limits };

	loops(host, tile, host_is_value_whole(host, tile), tile, value_point, &work);
}

static void copy_point(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;
	const struct element_type *type = work->tile->type;

	host_array_store(host, work->array, work->tile, type, x,
		host_array_load(host, work->from, work->tile, type, x));
}

static void copy_array(struct host *host, const layout_tile *box, LLVMValueRef to,
	LLVMValueRef from)
{
	struct work work = { .tile = box, .array = to, .from = from };

	loops(host, box, yes(host), NULL, copy_point, &work);
}

static void store_point(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;

	LLVMValueRef value = host_value(host, work->store->tile, x);

	if (host->stream.open)
		host_stream_point(host, x[work->store->place.rank - 1], value);
	else
		host_store(host, work->store, x, value);
}

void host_store_array(struct host *host, const struct program_statement *s)
{
	struct work work = { .store = s };
	struct host_bounds bounds = host_place_bounds(host, s->tile, s->memory, &s->place);
	struct host_nest nest = { .rank = s->tile->rank, .box = s->tile->box,
		.bounds = &bounds, .point = store_point, .streams = host_streams(host, s),
		.store = s, .user = &work };
	LLVMValueRef whole = LLVMBuildAnd(host->b, host_is_value_whole(host, s->tile),
		host_is_place_whole(host, s->tile, s->memory, &s->place), "");

	if (s->place.rank)
		nest.range = host_place_range(host, s->memory, &s->place, s->place.rank - 1);
	for (unsigned d = 0; d < s->place.rank; d++)
		if (s->place.gather[d])
			whole = LLVMBuildAnd(host->b, whole,
				host_is_value_whole(host, s->place.gather[d]), "");
	nest.whole = whole;
	host_loops(host, &nest);
}

static void put_point(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;
	const struct program_statement *put = work->store;
	const layout_tile box = host_local_box(put->memory);
	LLVMValueRef at[PROGRAM_RANK];

	host_local_point(host, &put->place, x, at);
	host_array_store(host, work->array, &box, put->tile->type, at,
		host_value(host, put->tile, x));
}

static void emit_put(struct host *host, const struct program_statement *s)
{
	struct work work = { .tile = s->tile, .store = s,
		.array = host_local(host, s->memory) };

	loops(host, s->tile, host_is_value_whole(host, s->tile), s->tile, put_point, &work);
}

static bool is_best(const layout_tile *tile)
{
	return tile->op == TILE_REDUCE && tile->reduce >= REDUCE_ARGMIN;
}

/* What every element of the result begins with. */
static void begin_point(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;
	const layout_tile *tile = work->tile, *from = tile->operands[0];
	const struct element_type *type = is_best(tile) ? from->type : tile->type;
	enum reduce_op op = tile->reduce == REDUCE_ARGMIN ? REDUCE_MIN :
		tile->reduce == REDUCE_ARGMAX ? REDUCE_MAX : tile->reduce;
	LLVMValueRef first = number_constant(host->llvm, type, number_identity(op, type));

	if (is_best(tile)) {
		host_array_store(host, host->tiles[tile->number].best, tile, type, x,
			first);
		first = LLVMConstNull(number_type(host->llvm, tile->type));
	}
	host_array_store(host, work->array, tile, tile->type, x, first);
}

/* The coordinates of the result for those of what is reduced. */
static void kept_point(const struct host *host, const layout_tile *tile,
	const LLVMValueRef *x, LLVMValueRef *kept)
{
	for (unsigned d = 0; d < tile->operands[0]->rank; d++)
		if (!program_lists_dim(tile, d))
			*kept++ = x[d];
		else if (tile->keep)
			*kept++ = host_number(host, 0);
}

static void reduce_point(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;
	const layout_tile *tile = work->tile, *from = tile->operands[0];
	LLVMValueRef kept[PROGRAM_RANK], value, sum;

	kept_point(host, tile, x, kept);
	value = number_cast(host->b, tile->type, from->type, false, host_value(host, from, x));
	sum = host_array_load(host, work->array, tile, tile->type, kept);
	host_array_store(host, work->array, tile, tile->type, kept,
		number_reduce(host->b, tile->reduce, tile->type, sum, value));
}

/* The row-major number among the dimensions that are reduced. */
static LLVMValueRef reduced_number(const struct host *host, const layout_tile *tile,
	const LLVMValueRef *x)
{
	const layout_tile *from = tile->operands[0];
	LLVMValueRef number = host_number(host, 0);

	for (unsigned d = 0; d < from->rank; d++)
		if (program_lists_dim(tile, d))
			number = LLVMBuildAdd(host->b, x[d], LLVMBuildMul(host->b, number,
				host_number(host, from->box[d]), ""), "");
	return LLVMBuildTrunc(host->b, number, number_type(host->llvm, tile->type), "");
}

static void best_point(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;
	const layout_tile *tile = work->tile, *from = tile->operands[0];
	LLVMValueRef kept[PROGRAM_RANK], value, best, number, better;
	LLVMValueRef array = host->tiles[tile->number].best;

	kept_point(host, tile, x, kept);
	value = host_value(host, from, x);
	best = host_array_load(host, array, tile, from->type, kept);
	number = host_array_load(host, work->array, tile, tile->type, kept);
	better = number_is_better(host->b, tile->reduce, from->type, best, value);
	host_array_store(host, array, tile, from->type, kept,
		LLVMBuildSelect(host->b, better, value, best, ""));
	host_array_store(host, work->array, tile, tile->type, kept,
		LLVMBuildSelect(host->b, better, reduced_number(host, tile, x), number, ""));
}

/* Would a value that is reduced at x change the result?  If not, neither would more of it. */
static LLVMValueRef changes(struct host *host, const struct work *work,
	const LLVMValueRef *x, LLVMValueRef value)
{
	const layout_tile *tile = work->tile, *from = tile->operands[0];
	LLVMValueRef kept[PROGRAM_RANK], old, new;

	kept_point(host, tile, x, kept);
	if (is_best(tile))
		return number_is_better(host->b, tile->reduce, from->type,
			host_array_load(host, host->tiles[tile->number].best, tile,
				from->type, kept), value);
	old = host_array_load(host, work->array, tile, tile->type, kept);
	new = number_reduce(host->b, tile->reduce, tile->type, old,
		number_cast(host->b, tile->type, from->type, false, value));
	return LLVMBuildICmp(host->b, LLVMIntNE, number_to_bits(host->b, tile->type, old),
		number_to_bits(host->b, tile->type, new), "changes");
}

static LLVMValueRef reduce_needed(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;
	const layout_tile *from = work->tile->operands[0];

	return host->tiles[from->number].is_array || !program_lists_dim(work->tile, from->rank - 1) ||
		!host_is_uniform_behind(host, from) ? NULL :
		changes(host, work, x, host_value(host, from, x));
}

static void begin_reduce(struct host *host, struct work *work)
{
	loops(host, work->tile, yes(host), NULL, begin_point, work);
}

static void step_point(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;

	(is_best(work->tile) ? best_point : reduce_point)(host, x, user);
}

static void emit_reduce(struct host *host, const layout_tile *tile)
{
	const layout_tile *from = tile->operands[0];
	struct work work = { .tile = tile, .array = host_array(host, tile),
		.needed = reduce_needed };

	begin_reduce(host, &work);
	loops(host, from, host_is_value_whole(host, from), from, step_point, &work);
}

/* An element, and what it is to the reduction of them. */
static void both_points(struct host *host, const LLVMValueRef *x, void *user)
{
	struct work *works = user;

	compute_point(host, x, &works[0]);
	step_point(host, x, &works[1]);
}

static LLVMValueRef both_needed(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *works = user;
	const layout_tile *tile = works[0].tile;

	return host_is_asked_behind(host, tile) || !program_lists_dim(works[1].tile, tile->rank - 1) ||
		!host_is_uniform_behind(host, tile) ? NULL :
		changes(host, &works[1], x, host_compute(host, tile, x));
}

/* A tile and the reduction of it that follows, in the same loops. */
static void emit_reduced(struct host *host, const layout_tile *tile,
	const layout_tile *reduction)
{
	struct work works[] = { { .tile = tile, .array = host_array(host, tile),
			.needed = both_needed },
		{ .tile = reduction, .array = host_array(host, reduction) } };

	begin_reduce(host, &works[1]);
	loops(host, tile, host_is_whole(host, tile), tile, both_points, works);
}

static void emit_contract(struct host *host, const layout_tile *tile)
{
	if (!host->tiles[tile->number].same)
		copy_value(host, tile, tile->operands[0], host_array(host, tile));
	host_contract(host, tile);
}

static void emit_tile(struct host *host, const layout_tile *tile)
{
	if (!host->tiles[tile->number].is_array)
		return;
	if (tile->op == TILE_REDUCE)
		emit_reduce(host, tile);
	else if (tile->op == TILE_CONTRACT)
		emit_contract(host, tile);
	else if (host_is_turned(host, tile))
		host_turn(host, tile);
	else if (host_is_load_turned(host, tile))
		host_load_turned(host, tile);
	else
		host_compute_array(host, tile, host_array(host, tile));
}

/* Does the next value of a carry need a place of its own until all are known? */
static bool is_moved(const struct host *host, const struct program_statement *loop,
	const layout_tile *carry)
{
	return carry->yield->op == TILE_CARRY || (!host->tiles[carry->yield->number].is_array &&
		!host_is_in_place(host, loop, carry));
}

/* The carries' next values: those that depend on other carries first, to the array of the
 * result, which is nobody's until then; then those that replace element by element. */
static void emit_yields(struct host *host, const struct program_statement *loop)
{
	for (unsigned i = 0; i < loop->carry_count; i++)
		if (is_moved(host, loop, loop->carries[i]))
			copy_value(host, loop->carries[i], loop->carries[i]->yield,
				host->tiles[loop->results[i]->number].best);
	for (unsigned i = 0; i < loop->carry_count; i++) {
		const layout_tile *carry = loop->carries[i], *yield = carry->yield;

		if (!is_moved(host, loop, carry) &&
		    host_array(host, carry) != host_array(host, yield))
			copy_value(host, carry, yield, host_array(host, carry));
	}
	for (unsigned i = 0; i < loop->carry_count; i++)
		if (is_moved(host, loop, loop->carries[i]))
			copy_array(host, loop->carries[i], host_array(host, loop->carries[i]),
				host->tiles[loop->results[i]->number].best);
}

static void emit_body(struct host *host, const struct program_body *body);

/* for (counter = 0; counter < count; counter++) */
static void emit_for(struct host *host, const struct program_statement *s)
{
	const struct program_variable *counter = &host->program->variables[s->variable];
	struct host_loop loop;

	for (unsigned i = 0; i < s->carry_count; i++)
		copy_value(host, s->carries[i], s->carries[i]->operands[0],
			host_array(host, s->carries[i]));
	loop = host_loop_open(host, expression_lower(&host->scope, counter->extent.index),
		counter->name);
	host->scope.vars[s->variable] = loop.x;
	emit_body(host, &s->body);
	emit_yields(host, s);
	host_loop_close(host, &loop);
}

static void emit_when(struct host *host, const struct program_statement *s)
{
	static const LLVMIntPredicate predicates[] = { LLVMIntSLT, LLVMIntSLE, LLVMIntSGT,
		LLVMIntSGE, LLVMIntEQ, LLVMIntNE };
	LLVMValueRef all = yes(host);
	struct branch branch;

	for (unsigned i = 0; i < s->condition_count; i++)
		all = LLVMBuildAnd(host->b, all, LLVMBuildICmp(host->b,
			predicates[s->conditions[i].op - MAP_LT],
			expression_lower(&host->scope, s->conditions[i].a.index),
			expression_lower(&host->scope, s->conditions[i].b.index), ""), "");
	branch = branch_open(host->iteration, all, "when");
	emit_body(host, &s->body);
	branch_close(host->iteration, &branch);
}

static void emit_body(struct host *host, const struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *s = &body->statements[i];

		if (host_is_reduced_next(host, body, i)) {
			emit_reduced(host, s->tile, body->statements[++i].tile);
			continue;
		}
		switch (s->kind) {
		case STATEMENT_TILE:
			emit_tile(host, s->tile);
			break;
		case STATEMENT_STORE:
			if (host_is_store_turned(host, s))
				host_store_turned(host, s);
			else
				host_store_array(host, s);
			break;
		case STATEMENT_PUT:
			emit_put(host, s);
			break;
		case STATEMENT_FOR:
			emit_for(host, s);
			break;
		case STATEMENT_WHEN:
			emit_when(host, s);
			break;
		}
	}
}

/* What malloc() gives, as a cache line is aligned; end_heap() says how much. */
static void begin_heap(struct host *host)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(host->llvm);
	LLVMValueRef behind;

	host->given = LLVMBuildArrayMalloc(host->b, byte, host_number(host, ALIGN), "given");
	behind = LLVMBuildAnd(host->b, LLVMBuildNeg(host->b, LLVMBuildPtrToInt(host->b,
		host->given, host->i64, ""), ""), host_number(host, ALIGN - 1), "behind");
	host->heap = LLVMBuildInBoundsGEP2(host->b, byte, host->given, &behind, 1, "heap");
}

/* The function's answer is whether there was memory. */
static void answer(const struct host *host, bool done)
{
	LLVMBuildRet(host->b, LLVMConstInt(LLVMInt8TypeInContext(host->llvm), done, false));
}

static void end_heap(const struct host *host)
{
	LLVMBasicBlockRef none, some;

	if (!host->given)
		return;
	LLVMSetOperand(host->given, 0, LLVMConstInt(LLVMTypeOf(LLVMGetOperand(host->given,
		0)), (uint64_t)(host->heap_bytes + ALIGN), false));
	none = iteration_block(host->iteration, "none");
	some = iteration_block(host->iteration, "some");
	LLVMBuildCondBr(host->b, LLVMBuildIsNull(host->b, host->given, ""), none, some);
	LLVMPositionBuilderAtEnd(host->b, none);
	answer(host, false);
	LLVMPositionBuilderAtEnd(host->b, some);
}

/* All that no stack has room for is one block: of several, the C library would give some back
 * to the system and ask for them again in each call. */
static LLVMValueRef new_heap(struct host *host, int64_t bytes)
{
	LLVMValueRef at = host_number(host, host->heap_bytes);

	if (!host->given)
		begin_heap(host);
	host->heap_bytes += (bytes + ALIGN - 1) / ALIGN * ALIGN;
	return LLVMBuildInBoundsGEP2(host->b, LLVMInt8TypeInContext(host->llvm), host->heap,
		&at, 1, "array");
}

/* Memory for elements. */
static LLVMValueRef new_memory(struct host *host, LLVMTypeRef element, int64_t count,
	int64_t bytes)
{
	LLVMValueRef memory;

	host->bytes += bytes;
	if (host->bytes > STACK_BYTES)
		return new_heap(host, bytes);
	memory = LLVMBuildAlloca(host->b, LLVMArrayType2(element, (uint64_t)count), "array");
	LLVMSetAlignment(memory, ALIGN);
	return memory;
}

static LLVMValueRef new_array(struct host *host, const layout_tile *box,
	const struct element_type *type)
{
	int64_t count = program_elements(box);

	return new_memory(host, host_array_type(host, type), count,
		count * host_array_bytes(type));
}

/* Packed factors. */
static void product_arrays(struct host *host, const layout_tile *tile,
	struct host_product *product)
{
	for (unsigned side = 0; side < 2; side++)
		product->packed[side] = new_memory(host, number_type(host->llvm, tile->type),
			product->panels[side].size,
			product->panels[side].size * (tile->type->bits / 8));
}

/* A tile in the order of memory. */
static void turned_array(struct host *host, const layout_tile *tile)
{
	struct host_tile *known = &host->tiles[tile->number];

	if (!known->turned)
		known->turned = new_array(host, tile, tile->type);
}

/* Those of stores, and of the loops whose carries need places of their own. */
static void body_arrays(struct host *host, const struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *s = &body->statements[i];

		if (host_is_store_turned(host, s))
			turned_array(host, s->tile);
		for (unsigned c = 0; c < s->carry_count; c++)
			if (is_moved(host, s, s->carries[c]))
				host->tiles[s->results[c]->number].best = new_array(host,
					s->results[c], s->results[c]->type);
		body_arrays(host, &s->body);
	}
}

static void new_arrays(struct host *host)
{
	for (unsigned i = 0; i < host->program->tile_count; i++) {
		const layout_tile *tile = host->program->tiles[i];
		struct host_tile *known = &host->tiles[i];

		if (known->is_array && !known->same)
			known->array = new_array(host, tile, tile->type);
		if (known->is_array && host_is_load_turned(host, tile))
			turned_array(host, tile);
		if (is_best(tile))
			known->best = new_array(host, tile, tile->operands[0]->type);
		if (known->product.is)
			product_arrays(host, tile, &known->product);
	}
	body_arrays(host, &host->program->body);
	if (host_may_stream(host, &host->program->body)) {
		host->stream.buffer = LLVMBuildAlloca(host->b, LLVMArrayType2(
			LLVMInt8TypeInContext(host->llvm), HOST_STREAM_BYTES), "buffer");
		LLVMSetAlignment(host->stream.buffer, 64);
	}
	for (unsigned i = 0; i < host->program->local_count; i++) {
		const layout_tile box = host_local_box(host->program->locals[i]);

		host->locals[i] = new_array(host, &box, box.type);
	}
	end_heap(host);
}

/* The iteration's variables are the program's first ones. */
static bool take_variables(struct host *host)
{
	const struct plan *plan = host->iteration->kernel->plan;

	host->scope = host->iteration->scope;
	host->scope.vars = layout_alloc(host->ctx,
		host->program->variable_count + PROGRAM_RANK, sizeof(LLVMValueRef));
	if (host->scope.vars)
		memcpy(host->scope.vars, host->iteration->scope.vars,
			(plan->size_count + plan->visit.dim_count) * sizeof(LLVMValueRef));
	return host->scope.vars;
}

static bool lower(struct host *host)
{
	LLVMAddTargetDependentFunctionAttr(host->iteration->function,
		"prefer-vector-width", "512");
	host_find_products(host);
	host_choose_arrays(host);
	host_find_asked(host);
	new_arrays(host);
	if (host->bytes > MOST_BYTES) {
		layout_fail(host->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "the tiles of a "
			"workgroup take %" PRId64 " bytes at once, more than %" PRId64,
			host->bytes, MOST_BYTES);
		return false;
	}
	iteration_open(host->iteration);
	if (!take_variables(host))
		return false;
	emit_body(host, &host->program->body);
	iteration_close(host->iteration);
	if (host->stream.buffer)
		stream_end(host->b);
	if (host->given)
		LLVMBuildFree(host->b, host->given);
	answer(host, true);
	return true;
}

bool program_host_lower(layout_context *ctx, struct iteration *iteration)
{
	const struct program_plan *plan = iteration->kernel->plan->program;
	LLVMBuilderRef builder = iteration->scope.builder;
	struct host host = { .ctx = ctx, .iteration = iteration, .plan = plan,
		.program = plan->program, .b = builder,
		.llvm = LLVMGetBuilderContext(builder),
		.i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(builder)),
		.tiles = layout_alloc(ctx, plan->program->tile_count,
			sizeof(struct host_tile)),
		.locals = layout_alloc(ctx, plan->program->local_count,
			sizeof(LLVMValueRef)) };
	bool ok = host.tiles && host.locals && lower(&host);

	free(host.scope.vars);
	free(host.locals);
	free(host.tiles);
	return ok;
}
