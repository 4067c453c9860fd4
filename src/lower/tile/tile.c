/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles go one of four ways, as scalar branches find:
 *
 *	if (the workgroup's first tile is whole, or can begin so much earlier that it is,
 *	    and its offsets fit 32 bits)
 *		full
 *	for each tile that is left
 *		if (its offsets fit 32 bits)
 *			edge
 *		else if (it is of rows that begin inside of vectors, and these can be shifted)
 *			shifted
 *		else
 *			far
 *
 * The full way is of one tile a workgroup: where workgroups take turns, it is not taken. */
#include "lower/tile/tile.h"

#include "lower/branch.h"
#include "lower/grid.h"
#include "lower/tile/base.h"
#include "lower/tile/bounds.h"
#include "lower/tile/limits.h"
#include "lower/tile/path.h"
#include "lower/tile/turns.h"

#include <inttypes.h>
#include <stdlib.h>

/* One move of the tile. */
struct lowering {
	struct iteration *iteration;
	const struct tile_move *move;
	struct tile_form form;
	struct path_side load, store;
	bool never_fits;	/* no offsets fit 32 bits */
	struct path path;
};

int64_t tile_local_bytes(const struct plan *plan)
{
	return plan->tile ? (plan->tile->lds_elements * plan->visit.store.bits + 7) / 8 : 0;
}

static LLVMTypeRef byte_type(const struct iteration *iteration)
{
	return LLVMInt8TypeInContext(LLVMGetBuilderContext(iteration->scope.builder));
}

/* How many bytes earlier the tile has to begin on one side, not to stick out. */
static LLVMValueRef excess_bytes(const struct iteration *iteration,
	const struct path_side *side, unsigned param)
{
	const struct plan_tile *tile = iteration->kernel->plan->tile;
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef sum = LLVMConstNull(i64), pitch;
	unsigned bits = side->plan.side->bits;

	for (unsigned d = 0; d < tile->dim_count; d++) {
		if (!tile->dims[d].pitch[param])
			continue;
		pitch = expression_lower_as(&iteration->scope, tile->dims[d].pitch[param],
			i64);
		pitch = LLVMBuildMul(builder, pitch, LLVMConstInt(i64,
			bits < 8 ? bits : bits / 8, false), "pitch");
		sum = LLVMBuildAdd(builder, sum, LLVMBuildMul(builder, pitch,
			bounds_excess(iteration, d), "excess"), "excess");
	}
	return bits < 8 ? LLVMBuildAShr(builder, sum, LLVMConstInt(i64, 3, false), "bytes") :
		sum;
}

/* The address of the tile on one side. */
static LLVMValueRef base_of(const struct iteration *iteration,
	const struct path_side *side, const struct path_side *other, unsigned param)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	const struct form_side *form = side->plan.side;
	LLVMValueRef pointer = side->local ?
		iteration_local(iteration, tile_local_bytes(iteration->kernel->plan)) :
		LLVMGetParam(iteration->function, param);
	LLVMValueRef offset = base_bytes(&iteration->scope, form->side->base,
		other->plan.side->side->base, form->bits);

	return LLVMBuildGEP2(builder, byte_type(iteration), pointer, &offset, 1, "tile");
}

/* The same of both sides. */
static void find_bases(struct lowering *lowering)
{
	lowering->load.base = base_of(lowering->iteration, &lowering->load,
		&lowering->store, PLAN_SOURCE);
	lowering->store.base = base_of(lowering->iteration, &lowering->store,
		&lowering->load, PLAN_DESTINATION);
}

/* That of a tile that begins earlier, not to stick out. */
static LLVMValueRef earlier_base(const struct iteration *iteration,
	const struct path_side *side, unsigned param)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMValueRef offset = LLVMBuildNeg(builder, excess_bytes(iteration, side, param),
		"earlier");

	return LLVMBuildGEP2(builder, byte_type(iteration), side->base, &offset, 1, "tile");
}

static struct rooms no_rooms(const struct iteration *iteration, int64_t limit)
{
	return (struct rooms){ iteration->scope.builder, iteration->kernel->hooks->pin,
		limit, NULL };
}

/* The offsets of this move fit 32 bits; "narrow": and are products that are cheap. */
static bool limit_offsets(struct limits *limits, const struct lowering *lowering,
	bool narrow)
{
	const struct path_side *sides[] = { &lowering->load, &lowering->store };
	bool ok = true;

	for (unsigned i = 0; i < 2; i++)
		for (unsigned s = 0; s < sides[i]->plan.side->symbol_count; s++)
			ok = ok && limits_add(limits, sides[i]->plan.side->symbols[s],
				(narrow ? sides[i]->plan.limit :
				 sides[i]->plan.reach)[s]);
	return ok;
}

/* The shifted way where there is one and it may be taken, else the far one. */
static bool lower_unaligned(layout_context *ctx, const struct lowering *lowering)
{
	const struct iteration *iteration = lowering->iteration;
	LLVMValueRef condition;
	struct branch branch;

	if (!path_can_shift(&lowering->path))
		return path_lower(ctx, &lowering->path, PATH_FAR);
	condition = path_is_shifted(ctx, &lowering->path);
	if (!condition)
		return false;
	branch = branch_open(iteration, condition, "shifted");
	if (!path_lower(ctx, &lowering->path, PATH_SHIFTED))
		return false;
	branch_otherwise(iteration, &branch);
	if (!path_lower(ctx, &lowering->path, PATH_FAR))
		return false;
	branch_close(iteration, &branch);
	return true;
}

/* The edge way where the condition holds, else one of the others. */
static bool lower_either(layout_context *ctx, const struct lowering *lowering,
	LLVMValueRef condition)
{
	const struct iteration *iteration = lowering->iteration;
	struct branch branch = branch_open(iteration, condition, "edge");

	if (!path_lower(ctx, &lowering->path, PATH_EDGE))
		return false;
	branch_otherwise(iteration, &branch);
	if (!lower_unaligned(ctx, lowering))
		return false;
	branch_close(iteration, &branch);
	return true;
}

/* Without buffers, offsets fit any way, but vectors may have to be aligned. */
static bool lower_aligned(layout_context *ctx, const struct lowering *lowering)
{
	LLVMValueRef aligned = path_is_aligned(ctx, &lowering->path);

	if (!aligned)
		return false;
	return LLVMIsConstant(aligned) ? path_lower(ctx, &lowering->path, PATH_EDGE) :
		lower_either(ctx, lowering, aligned);
}

/* The edge way where it may be taken, else the far one. */
static bool lower_rest(layout_context *ctx, const struct lowering *lowering)
{
	const struct iteration *iteration = lowering->iteration;
	struct limits limits = { 0 };
	struct rooms rooms = no_rooms(iteration, 0);

	if (!chip_of(iteration->kernel->target)->code.buffers)
		return lower_aligned(ctx, lowering);
	if (lowering->never_fits || !limit_offsets(&limits, lowering, false))
		return path_lower(ctx, &lowering->path, PATH_FAR);
	limits_test(&limits, &iteration->scope, &rooms);
	if (!rooms.least)
		return path_lower(ctx, &lowering->path, PATH_EDGE);
	return lower_either(ctx, lowering, rooms_hold(&rooms));
}

/* Where the lane has something to do; NULL: everywhere. */
static LLVMValueRef busy(const struct lowering *lowering)
{
	LLVMBuilderRef builder = lowering->iteration->scope.builder;
	LLVMValueRef lane = lowering->path.lane.value, busy = NULL, digit;
	LLVMTypeRef type = LLVMTypeOf(lane);

	for (unsigned i = 0; i < lowering->move->spare_count; i++) {
		const struct tile_spare *spare = &lowering->move->spares[i];

		digit = LLVMBuildUDiv(builder, lane,
			LLVMConstInt(type, (unsigned long long)spare->place, false),
			"quotient");
		digit = LLVMBuildURem(builder, digit,
			LLVMConstInt(type, (unsigned long long)spare->radix, false),
			"digit");
		digit = LLVMBuildICmp(builder, LLVMIntEQ, digit, LLVMConstNull(type),
			"first");
		busy = busy ? LLVMBuildAnd(builder, busy, digit, "busy") : digit;
	}
	return busy;
}

/* The tile that the iteration is at, by lanes with something to do.  The bases of the
 * full way have been found. */
static bool lower_move(layout_context *ctx, struct lowering *lowering, bool full)
{
	const struct iteration *iteration = lowering->iteration;
	const struct plan *plan = iteration->kernel->plan;
	LLVMValueRef condition;
	struct branch branch;
	bool ok;

	lowering->path.lane.value = iteration->scope.vars[plan->size_count +
		plan->visit.dim_count - 1];
	condition = busy(lowering);
	if (condition)
		branch = branch_open(iteration, condition, "busy");
	if (!full)
		find_bases(lowering);
	ok = full ? path_lower(ctx, &lowering->path, PATH_FULL) :
		lower_rest(ctx, lowering);
	if (condition)
		branch_close(iteration, &branch);
	return ok;
}

/* All moves. */
static bool lower_moves(layout_context *ctx, struct lowering *moves, bool full)
{
	struct iteration *iteration = moves[0].iteration;
	const layout_kernel *kernel = iteration->kernel;

	if (!lower_move(ctx, &moves[0], full))
		return false;
	if (kernel->plan->tile->move_count == 1)
		return true;
	kernel->hooks->barrier(iteration->scope.builder);
	return lower_move(ctx, &moves[1], full);
}

/* Values that are the turns' own: nothing that is computed for them is computed before
 * the full way's branch. */
static void separate_sizes(struct iteration *iteration)
{
	const layout_kernel *kernel = iteration->kernel;
	LLVMValueRef *vars = iteration->scope.vars;

	for (unsigned i = 0; i < kernel->plan->size_count; i++)
		vars[i] = kernel->hooks->pin(iteration->scope.builder, vars[i]);
}

/* The same for the lane's number. */
static void separate_lane(struct iteration *iteration)
{
	const layout_kernel *kernel = iteration->kernel;
	LLVMValueRef *lane = &iteration->scope.vars[kernel->plan->size_count +
		kernel->plan->visit.dim_count - 1];

	*lane = kernel->hooks->await(iteration->scope.builder, *lane);
}

/* The tiles that are not whole. */
static bool lower_turns(layout_context *ctx, struct lowering *moves, struct turns *turns)
{
	struct iteration *iteration = moves[0].iteration;
	bool ok;

	separate_sizes(iteration);
	iteration->scope.assumed_count = 0;
	free(iteration->scope.most);
	iteration->scope.most = NULL;
	turns_open(turns);
	separate_lane(iteration);
	ok = lower_moves(ctx, moves, false);
	turns_close(turns);
	return ok;
}

/* What the dims are at most in the full way: a tile that is folded is on x. */
static bool bound_dims(layout_context *ctx, struct iteration *iteration)
{
	const layout_kernel *kernel = iteration->kernel;
	bool folds = kernel->folds->max;
	const struct plan *plan = kernel->plan;
	int64_t *most = layout_alloc(ctx, plan->size_count + plan->visit.dim_count,
		sizeof(*most));

	iteration->scope.most = most;
	for (unsigned i = 0; most && i < plan->size_count; i++)
		most[i] = INT32_MAX;
	for (unsigned i = 0; most && i < plan->visit.dim_count; i++) {
		int axis = grid_axis(plan->visit.dims[i].level);

		most[plan->size_count + i] = axis < 0 ? kernel->lanes :
			grid_cap(folds ? 0 : (unsigned)axis, kernel->lanes) - 1;
	}
	return most;
}

/* A whole tile does not start beyond what fits 32 bits, if its dimension does. */
static void bound_tiles(struct iteration *iteration)
{
	const struct plan *plan = iteration->kernel->plan;
	struct expression_scope *scope = &iteration->scope;

	for (unsigned d = 0; d < plan->tile->dim_count; d++) {
		const struct tile_dim *dim = &plan->tile->dims[d];
		int64_t *most = &scope->most[plan->size_count + d];
		bool fits = (dim->some_unread &&
				expression_most(scope, dim->high) <= INT32_MAX) ||
			(dim->some_unwritten &&
				expression_most(scope, dim->end) <= INT32_MAX);

		if (fits && *most > INT32_MAX / dim->step)
			*most = INT32_MAX / dim->step;
	}
}

/* The blocks around the full way, and where it is taken: NULL for always.  It is decided on
 * from the end of "entry" on.  "rooms" are what is tested besides that the tile is whole. */
struct ways {
	LLVMBasicBlockRef entry, full, rest;
	LLVMValueRef condition;
	struct rooms rooms;
};

/* That of the rooms that decide on the full way. */
static int64_t rooms_limit(const struct iteration *iteration)
{
	const struct plan_tile *tile = iteration->kernel->plan->tile;

	return bounds_limit(iteration, bounds_unread(tile), bounds_unwritten(tile));
}

/* False where there is no full way.  In it, the scope assumes what was tested. */
static bool find_condition(const struct lowering *moves, const struct turns *turns,
	struct ways *ways)
{
	struct iteration *iteration = moves[0].iteration;
	const struct plan_tile *tile = iteration->kernel->plan->tile;
	uint64_t unread = bounds_unread(tile), unwritten = bounds_unwritten(tile);
	struct rooms rooms = no_rooms(iteration, rooms_limit(iteration));
	struct limits limits = { 0 };
	bool ok = true;

	rooms.least = turns->room;
	for (unsigned m = 0; m < tile->move_count; m++)
		ok = ok && !moves[m].never_fits && limit_offsets(&limits, &moves[m], true);
	if (!ok)
		return false;
	limits_test(&limits, &iteration->scope, &rooms);
	ways->rooms = rooms;
	limits_assume(&limits, &iteration->scope);
	bound_tiles(iteration);
	bounds_test(iteration, unread, unwritten, false, &rooms);
	ways->condition = rooms_hold(&rooms);
	return true;
}

/* The bases of a tile that begins earlier, here in the second of the blocks before "full",
 * and where both ways meet. */
static void join_earlier(struct lowering *moves, LLVMBasicBlockRef *blocks,
	LLVMBasicBlockRef full)
{
	const struct iteration *iteration = moves[0].iteration;
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMValueRef bases[4][2];

	for (unsigned i = 0; i < 4; i++) {
		struct path_side *side = i % 2 ? &moves[i / 2].store : &moves[i / 2].load;

		bases[i][0] = side->base;
		if (side->base && !side->local)
			bases[i][1] = earlier_base(iteration, side, i % 2 ?
				PLAN_DESTINATION : PLAN_SOURCE);
	}
	LLVMBuildBr(builder, full);
	LLVMPositionBuilderAtEnd(builder, full);
	for (unsigned i = 0; i < 4; i++) {
		struct path_side *side = i % 2 ? &moves[i / 2].store : &moves[i / 2].load;

		if (!side->base || side->local)
			continue;
		side->base = LLVMBuildPhi(builder, LLVMTypeOf(side->base), "tile");
		LLVMAddIncoming(side->base, bases[i], blocks, 2);
	}
}

/* To the full way from where "condition" holds; or from where it would if the tile began
 * earlier; else to "other". */
static void enter_either(struct lowering *moves, struct ways *ways,
	LLVMBasicBlockRef other)
{
	struct iteration *iteration = moves[0].iteration;
	const struct plan_tile *tile = iteration->kernel->plan->tile;
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMBasicBlockRef blocks[] = { ways->entry, iteration_block(iteration, "earlier") };
	LLVMBasicBlockRef last = iteration_block(iteration, "last");

	for (unsigned m = 0; m < tile->move_count; m++)
		find_bases(&moves[m]);
	LLVMBuildCondBr(builder, ways->condition, ways->full, last);
	LLVMPositionBuilderAtEnd(builder, last);
	bounds_test(iteration, bounds_unread(tile), bounds_unwritten(tile), true,
		&ways->rooms);
	LLVMBuildCondBr(builder, rooms_hold(&ways->rooms), blocks[1], other);
	LLVMPositionBuilderAtEnd(builder, blocks[1]);
	join_earlier(moves, blocks, ways->full);
}

/* To the full way, else to "other". */
static void enter_full(struct lowering *moves, struct ways *ways,
	LLVMBasicBlockRef other)
{
	const struct plan_tile *tile = moves[0].iteration->kernel->plan->tile;
	LLVMBuilderRef builder = moves[0].iteration->scope.builder;

	ways->entry = LLVMGetInsertBlock(builder);
	if (ways->condition && plan_tile_begins_earlier(tile)) {
		enter_either(moves, ways, other);
		return;
	}
	if (ways->condition)
		LLVMBuildCondBr(builder, ways->condition, ways->full, other);
	else
		LLVMBuildBr(builder, ways->full);
	LLVMPositionBuilderAtEnd(builder, ways->full);
	for (unsigned m = 0; m < tile->move_count; m++)
		find_bases(&moves[m]);
}

/* The full way, or the rest. */
static bool lower_full(layout_context *ctx, struct lowering *moves, struct ways *ways)
{
	LLVMBuilderRef builder = moves[0].iteration->scope.builder;

	enter_full(moves, ways, ways->rest);
	if (!lower_moves(ctx, moves, true))
		return false;
	LLVMBuildRetVoid(builder);
	LLVMPositionBuilderAtEnd(builder, ways->rest);
	return true;
}

/* All tiles are whole. */
static bool lower_always(layout_context *ctx, struct lowering *moves)
{
	unsigned count = moves[0].iteration->kernel->plan->tile->move_count;

	for (unsigned m = 0; m < count; m++)
		find_bases(&moves[m]);
	return lower_moves(ctx, moves, true);
}

static bool lower_ways(layout_context *ctx, struct lowering *moves, struct turns *turns)
{
	struct iteration *iteration = moves[0].iteration;
	struct ways ways;

	if (!turns_enter(ctx, turns, iteration, rooms_limit(iteration)) ||
	    !bound_dims(ctx, iteration))
		return false;
	if (!find_condition(moves, turns, &ways))
		return lower_turns(ctx, moves, turns);
	if (!ways.condition)
		return lower_always(ctx, moves);
	ways.full = iteration_block(iteration, "full");
	ways.rest = iteration_block(iteration, "rest");
	return lower_full(ctx, moves, &ways) && lower_turns(ctx, moves, turns);
}

static bool build_move(layout_context *ctx, struct lowering *lowering, unsigned m)
{
	const struct iteration *iteration = lowering->iteration;
	const struct plan *plan = iteration->kernel->plan;
	const struct plan_tile *tile = plan->tile;
	unsigned factor_bits = chip_of(iteration->kernel->target)->code.factor_bits;

	lowering->move = &tile->moves[m];
	lowering->load.local = m > 0;
	lowering->store.local = m + 1 < tile->move_count;
	if (!form_build(ctx, &lowering->form, tile, lowering->move,
		    m ? plan->visit.store.bits : plan->visit.load.bits, plan->visit.store.bits) ||
	    !address_plan_build(ctx, &lowering->load.plan, &lowering->form,
		    &lowering->form.load, factor_bits) ||
	    !address_plan_build(ctx, &lowering->store.plan, &lowering->form,
		    &lowering->form.store, factor_bits))
		return false;
	lowering->never_fits = !lowering->load.plan.fits || !lowering->store.plan.fits;
	lowering->path = (struct path){
		.iteration = iteration, .form = &lowering->form,
		.load = &lowering->load, .store = &lowering->store,
		.lane = { NULL, iteration->kernel->lanes,
			iteration->kernel->hooks->await },
	};
	return true;
}

static bool check_local_bytes(layout_context *ctx, const layout_kernel *kernel)
{
	int64_t bytes = tile_local_bytes(kernel->plan);

	if (bytes <= kernel->target->lds_bytes)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "a tile of %" PRId64
		" bytes does not fit the LDS of %s, which has %u", bytes,
		kernel->target->name, kernel->target->lds_bytes);
	return false;
}

/* Sizes are below 2^31: in 32 bits, products of them are of 32 bits each. */
static void narrow_sizes(struct iteration *iteration)
{
	LLVMBuilderRef builder = iteration->scope.builder;
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef *vars = iteration->scope.vars;

	for (unsigned i = 0; i < iteration->kernel->plan->size_count; i++)
		vars[i] = LLVMBuildTrunc(builder, vars[i], i32, "size");
}

bool tile_lower(layout_context *ctx, struct iteration *iteration)
{
	const struct plan_tile *tile = iteration->kernel->plan->tile;
	struct lowering moves[2] = { { .iteration = iteration },
		{ .iteration = iteration } };
	struct turns turns = { 0 };
	bool ok = check_local_bytes(ctx, iteration->kernel);

	for (unsigned m = 0; ok && m < tile->move_count; m++)
		ok = build_move(ctx, &moves[m], m);
	if (ok) {
		narrow_sizes(iteration);
		ok = lower_ways(ctx, moves, &turns);
		LLVMBuildRetVoid(iteration->scope.builder);
	}
	free(iteration->scope.most);
	turns_free(&turns);
	for (unsigned m = 0; m < 2; m++) {
		address_plan_free(&moves[m].load.plan);
		address_plan_free(&moves[m].store.plan);
		form_free(&moves[m].form);
	}
	return ok;
}
