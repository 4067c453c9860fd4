/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The steps of a conversion inside a wave, and what they cost. */
#include "algebra/owner/conversion.h"

#include <stdlib.h>
#include <string.h>

/* Instructions for a condition by the lane, and for an index of lanes. */
enum { CONDITION_ISSUE = 2, INDEX_ISSUE = 4 };

static unsigned register_count(const layout_conversion_plan *plan)
{
	return (unsigned)plan->from.extent[OWNER_REGISTER];
}

/* The step that makes a value; NULL for a register. */
static struct conversion_step *step_of(const layout_conversion_plan *plan, unsigned value)
{
	unsigned registers = register_count(plan);

	return value < registers ? NULL : &plan->lanes.steps[value - registers];
}

static unsigned add_step(layout_conversion_plan *plan, const struct conversion_step *step)
{
	if (plan->lanes.step_count == plan->lanes.step_room) {
		unsigned room = plan->lanes.step_room ? 2 * plan->lanes.step_room : 64;
		struct conversion_step *grown = realloc(plan->lanes.steps,
			room * sizeof(*grown));

		if (!grown) {
			plan->lanes.failed = true;
			return 0;
		}
		plan->lanes.steps = grown;
		plan->lanes.step_room = room;
	}
	plan->lanes.steps[plan->lanes.step_count] = *step;
	return register_count(plan) + plan->lanes.step_count++;
}

unsigned conversion_pack(layout_conversion_plan *plan,
	const struct conversion_piece *pieces)
{
	struct conversion_step step = { .op = CONVERSION_PACK };

	if (plan->bits >= 32)
		return pieces[0].value;
	memcpy(step.pieces, pieces, plan->lanes.pieces * sizeof(*pieces));
	return add_step(plan, &step);
}

unsigned conversion_select(layout_conversion_plan *plan, unsigned condition, unsigned a,
	unsigned b)
{
	const struct conversion_step *then = step_of(plan, a), *other = step_of(plan, b);
	struct conversion_step step = { .op = CONVERSION_SELECT, .condition = condition,
		.a = a, .b = b };

	if (then && then->op == CONVERSION_SELECT && then->condition == condition)
		step.a = then->a;
	if (other && other->op == CONVERSION_SELECT && other->condition == condition)
		step.b = other->b;
	return step.a == step.b ? step.a : add_step(plan, &step);
}

unsigned conversion_exchange(layout_conversion_plan *plan, unsigned a, bool indexed,
	int64_t offset)
{
	struct conversion_step step = { .op = CONVERSION_EXCHANGE, .indexed = indexed,
		.a = a, .offset = offset };

	return indexed || offset ? add_step(plan, &step) : a;
}

void conversion_swap(layout_conversion_plan *plan, unsigned lanes, unsigned pair[2])
{
	struct conversion_step step = { .op = CONVERSION_SWAP, .a = pair[0], .b = pair[1],
		.offset = lanes };

	pair[0] = add_step(plan, &step);
	step.second = true;
	pair[1] = add_step(plan, &step);
}

bool conversion_condition(layout_conversion_plan *plan,
	struct conversion_condition wanted, unsigned *number)
{
	struct conversion_condition *all = plan->lanes.conditions;

	for (*number = 0; *number < plan->lanes.condition_count; (*number)++)
		if (!memcmp(&all[*number], &wanted, sizeof(wanted)))
			return true;
	if (plan->lanes.condition_count == CONVERSION_CONDITIONS)
		return false;
	all[plan->lanes.condition_count++] = wanted;
	return true;
}

bool conversion_begin(layout_conversion_plan *plan)
{
	plan->lanes.step_count = plan->lanes.condition_count = 0;
	if (!plan->lanes.result)
		plan->lanes.result = layout_alloc(plan->ctx,
			(size_t)plan->to.extent[OWNER_REGISTER],
			sizeof(*plan->lanes.result));
	return plan->lanes.result;
}

void conversion_end(struct conversion_steps *lanes)
{
	free(lanes->steps);
	free(lanes->result);
	lanes->steps = NULL;
	lanes->result = NULL;
}

static void mark(layout_conversion_plan *plan, unsigned value)
{
	struct conversion_step *step = step_of(plan, value);

	if (!step || step->used)
		return;
	step->used = true;
	if (step->op == CONVERSION_PACK) {
		for (unsigned i = 0; i < plan->lanes.pieces; i++)
			mark(plan, step->pieces[i].value);
		return;
	}
	mark(plan, step->a);
	if (step->op == CONVERSION_SELECT || step->op == CONVERSION_SWAP)
		mark(plan, step->b);
	if (step->op == CONVERSION_SWAP)
		mark(plan, step->second ? value - 1 : value + 1);
}

/* A piece of what is only packed is what it was before. */
static void unpack(const layout_conversion_plan *plan, struct conversion_piece *piece)
{
	const struct conversion_step *step = step_of(plan, piece->value);

	for (; step && step->op == CONVERSION_PACK; step = step_of(plan, piece->value))
		*piece = step->pieces[piece->piece];
}

/* Instructions that bring pieces together: none where they are a word already, be it one
 * of the registers that follow each other. */
static unsigned gathering(const layout_conversion_plan *plan,
	const struct conversion_piece *pieces, unsigned count)
{
	bool word = true;

	for (unsigned i = 0; i < count; i++)
		word = word && (pieces[0].value < register_count(plan) ?
			pieces[0].value % count == 0 &&
			pieces[i].value == pieces[0].value + i :
			pieces[i].value == pieces[0].value && pieces[i].piece == i);
	return word ? 0 : count - 1;
}

static const struct chip_lanes *lanes_of(const layout_conversion_plan *plan,
	const struct conversion_step *step)
{
	return chip_lanes_of(plan->chip, step->indexed ? CHIP_ANY_LANE :
		(unsigned)step->offset);
}

static void count_step(layout_conversion_plan *plan, const struct conversion_step *step)
{
	unsigned words = plan->bits > 32 ? plan->bits / 32 : 1;
	const struct chip_lanes *lanes;

	switch (step->op) {
	case CONVERSION_PACK:
		plan->lanes.cost.issue += gathering(plan, step->pieces, plan->lanes.pieces);
		break;
	case CONVERSION_SELECT:
		plan->lanes.selects += words;
		plan->lanes.cost.issue += words;
		break;
	case CONVERSION_EXCHANGE:
		lanes = lanes_of(plan, step);
		plan->lanes.exchanges += words;
		plan->lanes.cost.issue += words * lanes->issue;
		plan->lanes.cost.lds += words * lanes->lds;
		plan->lanes.cost.waits |= lanes->lds > 0;
		break;
	case CONVERSION_SWAP:
		plan->lanes.exchanges += step->second ? words : 0;
		plan->lanes.cost.issue += step->second ? words : 0;
		break;
	}
}

void conversion_count(layout_conversion_plan *plan)
{
	unsigned registers = (unsigned)plan->to.extent[OWNER_REGISTER];
	unsigned pieces = plan->bits < 32 ? 32 / plan->bits : 1;
	uint64_t conditions = 0;
	bool indexed = false;

	plan->lanes.cost = (struct conversion_cost){ 0 };
	plan->lanes.exchanges = plan->lanes.selects = 0;
	for (unsigned i = 0; i < plan->lanes.step_count; i++)
		plan->lanes.steps[i].used = false;
	for (unsigned r = 0; r < registers; r++) {
		unpack(plan, &plan->lanes.result[r]);
		mark(plan, plan->lanes.result[r].value);
	}
	for (unsigned i = 0; i < plan->lanes.step_count; i++) {
		const struct conversion_step *step = &plan->lanes.steps[i];

		if (!step->used)
			continue;
		count_step(plan, step);
		if (step->op == CONVERSION_SELECT)
			conditions |= (uint64_t)1 << step->condition;
		indexed = indexed || (step->op == CONVERSION_EXCHANGE && step->indexed);
	}
	for (unsigned r = 0; r + pieces <= registers; r += pieces)
		plan->lanes.cost.issue += gathering(plan, plan->lanes.result + r, pieces);
	plan->lanes.cost.issue += CONDITION_ISSUE * (unsigned)__builtin_popcountll(conditions) +
		INDEX_ISSUE * indexed;
}
