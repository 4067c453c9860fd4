/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sets of workers: statements in their order, and each by the waves that hold its tile.  All waves
 * take part in loops, conditions and barriers; where the making of a tile has barriers of its own,
 * the others arrive there as often. */
#include "lower/program_lanes/parts.h"

#include <string.h>

/* Is this coordinate of a wave in the range: NULL, where all are. */
static LLVMValueRef is_in(const program_scope *body, LLVMValueRef at, const int64_t range[2],
	int64_t extent)
{
	LLVMValueRef local = range[0] ? LLVMBuildSub(body->b, at, lower_int(body->i32, range[0]),
		"") : at;

	return range[0] || range[1] < extent ? LLVMBuildICmp(body->b, LLVMIntULT, local,
		lower_int(body->i32, range[1] - range[0]), "is_on") : NULL;
}

static void find_set(program_scope *body, unsigned set)
{
	const layout_program *program = body->plan->program;
	const struct program_workers *of = &program->sets[set - 1];
	struct program_waves *waves = &body->sets[set - 1];
	LLVMValueRef wave = body->hardware.subgroup, number = lower_int(body->i32, 0);
	LLVMValueRef all = NULL;
	int64_t count = 1;

	for (unsigned d = program->workers_rank; d-- > 0;) {
		int64_t extent = program->workers[d], range[] = { of->low[d], of->high[d] };
		LLVMValueRef at = d ? LLVMBuildURem(body->b, wave, lower_int(body->i32, extent),
			"") : wave, in = is_in(body, at, range, extent);

		all = all && in ? LLVMBuildAnd(body->b, all, in, "is_on") : in ? in : all;
		at = LLVMBuildSub(body->b, at, lower_int(body->i32, range[0]), "");
		number = LLVMBuildAdd(body->b, number, LLVMBuildMul(body->b, at,
			lower_int(body->i32, count), ""), "");
		count *= range[1] - range[0];
		wave = LLVMBuildUDiv(body->b, wave, lower_int(body->i32, extent), "");
	}
	waves->holds = all ? all : LLVMConstInt(LLVMInt1TypeInContext(LLVMGetBuilderContext(
		body->b)), 1, false);
	waves->subgroup = count > 1 ? body->hardware.hooks->uniform(body->b, number) :
		lower_int(body->i32, 0);
	waves->count = (unsigned)count;
}

void program_workers_find(program_scope *body)
{
	for (unsigned set = 1; set <= body->plan->program->set_count; set++)
		find_set(body, set);
}

/* Registers that waves have made, and others have not, those of a vector together. */
static void merge(program_scope *body, unsigned tile, LLVMBasicBlockRef made,
	LLVMBasicBlockRef other)
{
	LLVMValueRef *values = body->values[tile], joined, none;
	unsigned count = (unsigned)body->plan->owners[tile]->extent[OWNER_REGISTER], each;

	for (unsigned r = 0; r < count; r += each) {
		each = values[r] ? program_parts_of(values + r, count - r) : 0;
		each = each ? each : 1;
		if (!values[r] || LLVMIsConstant(values[r]))
			continue;
		joined = each > 1 ? LLVMGetOperand(values[r], 0) : values[r];
		none = LLVMGetPoison(LLVMTypeOf(joined));
		joined = program_phi(body, LLVMTypeOf(joined), joined, made, "held");
		LLVMAddIncoming(joined, &none, &other, 1);
		program_part(body, joined, each, values + r);
	}
}

static void leave(program_scope *body)
{
	const struct iteration *iteration = body->iteration;
	LLVMBasicBlockRef made, other = body->on_branch.from;

	if (body->arrivals) {
		branch_otherwise(iteration, &body->on_branch);
		made = body->on_branch.from;
		other = LLVMGetInsertBlock(body->b);
		for (unsigned i = 0; i < body->arrivals; i++)
			iteration->kernel->hooks->barrier(body->b);
	} else {
		made = LLVMGetInsertBlock(body->b);
	}
	branch_close(iteration, &body->on_branch);
	for (unsigned tile = 0; tile < body->plan->tile_count; tile++)
		if (body->made[tile])
			merge(body, tile, made, other);
	memset(body->made, 0, body->plan->tile_count * sizeof(*body->made));
	body->hardware.subgroup = body->all_subgroup;
	body->hardware.subgroups = body->plan->waves;
	body->on = body->arrivals = 0;
}

void program_on(program_scope *body, unsigned set)
{
	const struct program_waves *waves = set ? &body->sets[set - 1] : NULL;

	if (set == body->on)
		return;
	if (body->on)
		leave(body);
	if (!set)
		return;
	body->on = set;
	body->on_branch = branch_open(body->iteration, waves->holds, "on");
	body->all_subgroup = body->hardware.subgroup;
	body->hardware.subgroup = waves->subgroup;
	body->hardware.subgroups = waves->count;
}
