/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/conversion_model.h"

#include <stdlib.h>
#include <string.h>

enum { NOTHING = -1 };

/* values[((value * subgroups + s) * lanes + l) * PIECES + piece], of all lanes of the wave;
 * those beyond FROM's hold nothing. */
struct model {
	const layout_conversion_plan *plan;
	int64_t subgroups, lanes, registers;
	int64_t *values;
};

static int64_t *at(const struct model *model, unsigned value, int64_t s, int64_t l)
{
	return model->values + ((value * model->subgroups + s) * model->lanes + l) *
		CONVERSION_PIECES;
}

static int64_t element(const struct owner *owner, const int64_t hw[OWNER_PARTS])
{
	int64_t x[OWNER_RANK], number = 0;

	owner_point(owner, hw, x);
	for (unsigned d = 0; d < owner->rank; d++)
		number = number * owner->box[d] + x[d];
	return number;
}

static void fill(struct model *model)
{
	const struct owner *from = &model->plan->from;
	int64_t hw[OWNER_PARTS] = { 0 };
	size_t count = (size_t)((model->registers + model->plan->lanes.step_count) *
		model->subgroups * model->lanes * CONVERSION_PIECES);

	model->values = malloc(count * sizeof(*model->values));
	for (size_t i = 0; i < count; i++)
		model->values[i] = NOTHING;
	do
		if (hw[OWNER_SUBGROUP] < model->subgroups)
			at(model, (unsigned)hw[2], hw[0], hw[1])[0] = element(from, hw);
	while (owner_next(from, hw));
}

static bool holds(const struct model *model, const struct conversion_condition *condition,
	int64_t s, int64_t l)
{
	const struct owner *pull = &model->plan->pull;
	const int64_t first[OWNER_PARTS] = { 0 }, own[] = { s, l, 0 };
	int64_t zero[3], here[3];

	if (model->plan->lanes.f2)
		return (__builtin_popcountll(condition->lanes & (uint64_t)l) +
			__builtin_popcountll(condition->subgroups & (uint64_t)s)) & 1;
	owner_point(pull, first, zero);
	owner_point(pull, own, here);
	return here[OWNER_REGISTER] - zero[OWNER_REGISTER] == condition->value;
}

static int64_t source_lane(const struct model *model, const struct conversion_step *step,
	int64_t s, int64_t l)
{
	const int64_t own[] = { s, l, 0 };
	int64_t lane = l;

	if (step->indexed)
		owner_point(&model->plan->lanes.index, own, &lane);
	lane = model->plan->lanes.f2 || !step->indexed ? lane ^ step->offset :
		lane + step->offset;
	return lane >= 0 && lane < model->lanes ? lane : NOTHING;
}

static void swap(struct model *model, const struct conversion_step *step, int64_t s,
	int64_t l, int64_t *result)
{
	bool moved = ((l & step->offset) != 0) != step->second;
	unsigned value = moved == step->second ? step->a : step->b;

	memcpy(result, at(model, value, s, moved ? l ^ step->offset : l),
		CONVERSION_PIECES * sizeof(*result));
}

static void run_step(struct model *model, unsigned i, int64_t s, int64_t l)
{
	const struct conversion_step *step = &model->plan->lanes.steps[i];
	int64_t *result = at(model, (unsigned)model->registers + i, s, l), lane;
	unsigned value = step->a;

	switch (step->op) {
	case CONVERSION_SWAP:
		swap(model, step, s, l, result);
		break;
	case CONVERSION_PACK:
		for (unsigned k = 0; k < model->plan->lanes.pieces; k++)
			result[k] = at(model, step->pieces[k].value, s, l)
				[step->pieces[k].piece];
		break;
	case CONVERSION_SELECT:
		if (!holds(model, &model->plan->lanes.conditions[step->condition], s, l))
			value = step->b;
		memcpy(result, at(model, value, s, l),
			CONVERSION_PIECES * sizeof(*result));
		break;
	case CONVERSION_EXCHANGE:
		lane = source_lane(model, step, s, l);
		if (lane != NOTHING)
			memcpy(result, at(model, value, s, lane),
				CONVERSION_PIECES * sizeof(*result));
		break;
	}
}

bool conversion_model_lanes(const layout_conversion_plan *plan)
{
	const struct owner *to = &plan->to;
	struct model model = { plan, to->extent[OWNER_SUBGROUP],
		plan->chip->target.wave_size, plan->from.extent[OWNER_REGISTER], NULL };
	int64_t hw[OWNER_PARTS] = { 0 };
	bool ok = true;

	if (!plan->lanes.result)
		return true;
	fill(&model);
	for (unsigned i = 0; i < plan->lanes.step_count; i++)
		for (int64_t s = 0; plan->lanes.steps[i].used && s < model.subgroups; s++)
			for (int64_t l = 0; l < model.lanes; l++)
				run_step(&model, i, s, l);
	do {
		struct conversion_piece from = plan->lanes.result[hw[OWNER_REGISTER]];

		ok = ok && at(&model, from.value, hw[0], hw[1])[from.piece] ==
			element(to, hw);
	} while (owner_next(to, hw));
	free(model.values);
	return ok;
}

bool conversion_model_lds(const layout_conversion_plan *plan)
{
	const struct conversion_lds *lds = &plan->lds;
	int64_t slices = lds->slices ? plan->from.extent[OWNER_SUBGROUP] : 1;
	int64_t hw[OWNER_PARTS] = { 0 };
	int64_t *memory;
	bool ok = true;

	if (!lds->bytes)
		return true;
	if (lds->turned && lds->vectors[1] != 4)
		return false;
	memory = malloc((size_t)(slices * lds->elements) * sizeof(*memory));
	for (int64_t i = 0; i < slices * lds->elements; i++)
		memory[i] = NOTHING;
	do {
		int64_t offset = conversion_offset(&lds->put, hw);

		if (!conversion_puts(plan, hw))
			continue;
		offset += lds->slices ? hw[OWNER_SUBGROUP] * lds->elements : 0;
		ok = ok && memory[offset] == NOTHING;
		memory[offset] = element(&plan->from, hw);
	} while (owner_next(&plan->from, hw));
	memset(hw, 0, sizeof(hw));
	do {
		int64_t from[OWNER_PARTS] = { hw[0], hw[1], hw[2] }, offset;

		/* Element hw[2] % 4 of lane k of 16 is the k-th of those that the
		 * hw[2] % 4-th four lanes load. */
		if (lds->turned) {
			from[1] = hw[1] / 16 * 16 + hw[2] % 4 * 4 + hw[1] % 16 / 4;
			from[2] = hw[2] / 4 * 4 + hw[1] % 4;
		}
		offset = conversion_offset(&lds->get, from);
		offset += lds->slices ? hw[OWNER_SUBGROUP] * lds->elements : 0;
		ok = ok && memory[offset] == element(&plan->to, hw);
	} while (owner_next(&plan->to, hw));
	free(memory);
	return ok;
}
