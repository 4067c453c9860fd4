/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/shape.h"

/* A wave's work besides its accesses, and an access's besides its memory, in the time of
 * 64 bytes. */
#define WAVE_COST 64
#define ACCESS_COST 8

bool shape_is_staged(const struct tile_shape *shape)
{
	return shape->choice != &shape->direct;
}

/* Both sides are accessed at full width, unless digits that do not meet leave too few of
 * them for a wave. */
static bool is_full(const struct choice *choice, const struct choice_rules *rules)
{
	bool full = !ragged_is_needed(choice->factors) ||
		choice->lanes >= (int64_t)rules->wave_size;

	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		full = full && choice->vector[side] * rules->bits[side] >=
			8 * rules->max_bytes;
	return full;
}

/* The way through the LDS; "why" there is none. */
static bool find_stage(struct stage *stage, const struct shape_rules *rules,
	const char **why)
{
	if (!stage_choose(stage, rules->factors, &rules->rules, rules->lds, why))
		return false;
	*why = "a tile takes more LDS than a workgroup has";
	return stage->elements * stage->bits <= 8 * (int64_t)rules->lds_bytes;
}

bool shape_choose(struct tile_shape *shape, const struct shape_rules *rules, const char **why)
{
	struct choice *choice = &shape->direct;
	const char *none;
	bool direct;

	shape->choice = &shape->stage.moves[1];
	if (rules->through_lds)
		return find_stage(&shape->stage, rules, why);
	direct = choose(choice, rules->factors, &rules->rules, why);
	if ((!direct || !is_full(choice, &rules->rules)) &&
	    find_stage(&shape->stage, rules, &none) &&
	    (!direct || stage_is_better(&shape->stage, choice)))
		return true;
	shape->choice = choice;
	if (!direct || 4 * choice->lanes >= (int64_t)rules->rules.wave_size)
		return direct;
	*why = "a tile would leave most lanes of a wave idle";
	return false;
}

void shape_free(struct tile_shape *shape)
{
	stage_free(&shape->stage);
}

/* What a wave takes to access a side. */
static int64_t side_cost(const struct choice *choice, enum factor_side side)
{
	return choice->registers / choice->vector[side] *
		(choice_first_segments(choice, side, 64) + ACCESS_COST);
}

/* The way into the LDS and out of it again. */
static int64_t stage_cost(const struct stage *stage)
{
	int64_t cost = 0;

	for (unsigned m = 0; m < 2; m++)
		cost += stage->moves[m].registers / stage->vectors[m] * 2 * ACCESS_COST;
	return cost;
}

int64_t shape_cost(const struct tile_shape *shape)
{
	const struct choice *store = shape->choice;
	const struct choice *load = shape_is_staged(shape) ? &shape->stage.moves[0] : store;
	int64_t wave = store->rules.wave_size;

	return (store->lanes + wave - 1) / wave * (WAVE_COST +
		side_cost(load, FACTOR_LOAD) + side_cost(store, FACTOR_STORE) +
		(shape_is_staged(shape) ? stage_cost(&shape->stage) : 0));
}
