/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/shape.h"
#include "kernel/choose/parts.h"
#include "isl_bridge/arithmetic.h"

#include <math.h>

/* Instructions of a wave: besides its accesses, for an access, for a dword or a part of one of
 * an access to the LDS and what is permuted there, and for a dword of a lane that goes from one
 * side to the other. */
#define WAVE_ISSUE 100
#define ACCESS_ISSUE 4
#define LDS_ISSUE 2
#define DWORD_ISSUE 0.5

/* What is near each other in a storage's tile goes to several workgroups where theirs are parts of
 * it: that memory then takes so many times as long is assumed. */
#define PARTS_TIME 1.25

/* Of a chip whose memory is not known. */
#define EDGE_ISSUE 2
#define EDGE_PIECES 4

/* The way through the LDS, or narrower accesses, are taken where they are so many times as fast;
 * and where accesses become narrow by it, so that it is issued for long. */
#define CLEARLY_FASTER 1.03
#define MUCH_FASTER 1.2

bool shape_is_staged(const struct tile_shape *shape)
{
	return shape->choice != &shape->direct;
}

/* Both sides are accessed at full width, unless digits that do not meet leave too few of
 * them for a wave. */
static bool is_full(const struct choice *choice)
{
	const struct choice_rules *rules = &choice->rules;
	bool full = !ragged_is_needed(choice->factors) ||
		choice->lanes >= (int64_t)rules->wave_size;

	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		full = full && choice->vector[side] * rules->bits[side] >=
			8 * rules->max_bytes;
	return full;
}

static const struct choice *load_of(const struct tile_shape *shape)
{
	return shape_is_staged(shape) ? &shape->stage.moves[0] : shape->choice;
}

static bool count_group(const struct choice *choice, enum factor_side side,
	const struct chip_memory *memory, double *lines)
{
	struct memory_trace trace = { .facts = memory };
	bool ok;

	choice_trace(choice, side, choice->lanes, &trace);
	ok = memory_count_group(&trace, lines);
	memory_trace_free(&trace);
	return ok;
}

/* The first wave stands for all; what it has parts of, others may have the rest of. */
static bool count_side(const struct choice *choice, enum factor_side side,
	const struct chip_memory *memory, struct memory_side *found)
{
	struct memory_trace trace = { .facts = memory };
	int64_t wave = choice->rules.wave_size;
	bool ok;

	choice_trace(choice, side, choice->lanes < wave ? choice->lanes : wave, &trace);
	ok = memory_count(&trace, found);
	memory_trace_free(&trace);
	return ok && (found->group_lines <= 1 || choice->lanes <= wave ||
		count_group(choice, side, memory, &found->group_lines));
}

/* What a wave issues of a move for the LDS, and waits for where banks conflict. */
static double local_issue(const struct stage *stage, unsigned m)
{
	const struct choice *move = &stage->moves[m];
	unsigned dwords = (stage->vectors[m] * stage->bits + 31) / 32;

	return LDS_ISSUE * (double)(move->registers / stage->vectors[m] * dwords) +
		(double)stage->extra[m] / (double)choice_waves(move);
}

/* What a wave issues. */
static double issue_of(const struct tile_shape *shape)
{
	const struct choice *load = load_of(shape), *store = shape->choice;
	double issue = WAVE_ISSUE + DWORD_ISSUE *
		(double)choice_dwords(store, store->registers);

	issue += ACCESS_ISSUE * (double)(choice_accesses(load, FACTOR_LOAD) +
		choice_accesses(store, FACTOR_STORE));
	for (unsigned m = 0; shape_is_staged(shape) && m < 2; m++)
		issue += local_issue(&shape->stage, m);
	return issue;
}

static bool count_sides(const struct choice *load, const struct choice *store,
	const struct chip_memory *memory, struct memory_side sides[FACTOR_SIDES])
{
	return count_side(load, FACTOR_LOAD, memory, &sides[FACTOR_LOAD]) &&
		count_side(store, FACTOR_STORE, memory, &sides[FACTOR_STORE]);
}

bool shape_predict(const struct tile_shape *shape, const struct chip_memory *memory,
	struct shape_time *time)
{
	struct memory_side sides[FACTOR_SIDES];

	if (!memory || !count_sides(load_of(shape), shape->choice, memory, sides))
		return false;
	time->memory = memory_time(memory, &sides[FACTOR_LOAD], &sides[FACTOR_STORE],
		&time->worst);
	time->issue = issue_of(shape) * memory->issue_bytes /
		(sides[FACTOR_LOAD].bytes + sides[FACTOR_STORE].bytes);
	return true;
}

/* What tiles take, of the issue of which a part shows. */
double shape_takes(double memory, double issue, const struct chip_memory *facts)
{
	return fmax(memory, (SHAPE_MEMORY_SHOWS * memory + facts->issue_shows * issue) /
		SHAPE_SHOWS);
}

/* Is "other" faster, with what shows of its many instructions, or by much without that? */
static bool is_worth(const struct shape_time *time, const struct shape_time *other,
	const struct chip_memory *facts)
{
	double all = shape_takes(time->memory, time->issue, facts);
	double others = shape_takes(other->memory, other->issue, facts);

	return all > CLEARLY_FASTER * others || shape_time_all(time) > MUCH_FASTER * shape_time_all(other);
}

/* The way through the LDS; "why" there is none. */
static bool choose_stage(struct tile_shape *shape, const struct shape_rules *rules,
	const struct choice_rules *choices, const char **why)
{
	struct stage *stage = &shape->stage;

	stage_free(stage);
	shape->choice = &stage->moves[1];
	if (!stage_choose(stage, rules->factors, choices, rules->lds, why))
		return false;
	*why = "a tile takes more LDS than a workgroup has";
	return stage->elements * stage->bits <= 8 * (int64_t)rules->lds_bytes;
}

/* What a lane has of an odd number of vectors next to each other, lanes have all of or a factor of
 * where that is faster. */
static bool find_stage(struct tile_shape *shape, const struct shape_rules *rules,
	const char **why)
{
	struct choice_rules lanes = rules->rules;
	struct shape_time odd, beside;

	if (!choose_stage(shape, rules, &rules->rules, why))
		return false;
	if (int_is_power2(shape->choice->registers) || !int_is_power2(shape->choice->lanes) ||
	    !shape_predict(shape, rules->memory, &odd))
		return true;
	lanes.odd_lanes = true;
	return (choose_stage(shape, rules, &lanes, why) &&
		shape_predict(shape, rules->memory, &beside) &&
		is_worth(&odd, &beside, rules->memory)) ||
		choose_stage(shape, rules, &rules->rules, why);
}

/* Does every access of a side touch the least lines? */
static bool fills_lines(const struct choice *choice, enum factor_side side,
	const struct chip_memory *memory)
{
	int64_t bytes = choice->vector[side] * (int64_t)choice->rules.bits[side] / 8;
	int64_t lanes = choice->lanes < choice->rules.wave_size ? choice->lanes :
		choice->rules.wave_size;

	return choice_first_segments(choice, side, memory->line) * memory->line <=
		lanes * bytes + memory->line - 1;
}

/* Can the way through the LDS be faster, as far as memory goes? */
static bool is_scattered(const struct choice *choice, const struct shape_rules *rules)
{
	return rules->memory && !ragged_is_needed(choice->factors) &&
		!(fills_lines(choice, FACTOR_LOAD, rules->memory) &&
		  fills_lines(choice, FACTOR_STORE, rules->memory));
}

/* Is the stage that was found faster than the direct way? */
static bool stage_is_faster(struct tile_shape *shape, const struct shape_rules *rules)
{
	struct shape_time direct, staged;
	bool known;

	shape->choice = &shape->direct;
	known = shape_predict(shape, rules->memory, &direct);
	shape->choice = &shape->stage.moves[1];
	return known && shape_predict(shape, rules->memory, &staged) &&
		(shape->choice->rules.odd_lanes ? is_worth(&direct, &staged, rules->memory) :
		 shape_time_all(&direct) > CLEARLY_FASTER * shape_time_all(&staged));
}

/* The way through the LDS is better: in accesses, or in what they cost. */
static bool prefers_stage(struct tile_shape *shape, const struct shape_rules *rules)
{
	const struct choice *direct = &shape->direct;
	bool narrow = !is_full(direct);
	const char *none;

	if ((!narrow && !is_scattered(direct, rules)) ||
	    !find_stage(shape, rules, &none))
		return false;
	return (narrow && stage_is_better(&shape->stage, direct)) ||
		(is_scattered(direct, rules) && stage_is_faster(shape, rules));
}

/* Do rows of known length end inside of a side's vectors, and would not in shorter ones? */
static bool ends_inside(const struct choice *choice, enum factor_side side)
{
	for (unsigned i = 0; i < choice->count; i++) {
		const struct choice_piece *piece = &choice->pieces[i];
		const struct index *end = choice->factors->dims[choice_dim(choice, piece)].end;

		if (choice_weight(choice, piece, side) == 1 && end->op == INDEX_INT &&
		    end->value % choice->vector[side] && end->value % 2 == 0)
			return true;
	}
	return false;
}

/* Accesses of half the width, of a quarter and so on, where rows end inside of wider ones and
 * these are faster: tiles that have whole rows fill lines. */
static void narrow_accesses(struct tile_shape *shape, const struct shape_rules *rules)
{
	struct choice_rules narrower = rules->rules;
	struct choice best = shape->direct;
	struct shape_time least, time;
	const char *none;

	shape->choice = &shape->direct;
	if (rules->factors->dim_count < 2 || (!ends_inside(&best, FACTOR_LOAD) &&
	    !ends_inside(&best, FACTOR_STORE)) || !shape_predict(shape, rules->memory, &least))
		return;
	while ((narrower.max_bytes /= 2) >= 4) {
		if (!choose(&shape->direct, rules->factors, &narrower, &none) ||
		    !shape_predict(shape, rules->memory, &time) ||
		    shape_time_all(&least) <= CLEARLY_FASTER * shape_time_all(&time))
			continue;
		best = shape->direct;
		least = time;
	}
	shape->direct = best;
}

static bool choose_shape(struct tile_shape *shape, const struct shape_rules *rules,
	const char **why)
{
	struct choice *choice = &shape->direct;
	const char *none;
	bool direct;

	if (rules->through_lds)
		return find_stage(shape, rules, why);
	direct = choose(choice, rules->factors, &rules->rules, why);
	if (direct)
		narrow_accesses(shape, rules);
	if (direct ? prefers_stage(shape, rules) : find_stage(shape, rules, &none)) {
		shape->choice = &shape->stage.moves[1];
		return true;
	}
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

bool shape_has_known_length(const struct factors *factors)
{
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (factors->dims[d].end->op == INDEX_INT)
			return true;
	return false;
}

static bool choose_again(struct tile_shape *shape, const struct shape_rules *rules,
	const char **why)
{
	shape_free(shape);
	*shape = (struct tile_shape){ 0 };
	return choose_shape(shape, rules, why);
}

/* Where tiles that copy little twice leave many lanes of a wave idle, others may not: of short
 * dimensions. */
bool shape_choose(struct tile_shape *shape, const struct shape_rules *rules, const char **why)
{
	struct shape_rules uneven = *rules;
	bool found = choose_shape(shape, rules, why);
	int64_t lanes = found ? shape->choice->lanes : 0;

	if (4 * lanes >= 3 * (int64_t)rules->rules.wave_size || !shape_has_known_length(rules->factors))
		return found;
	uneven.rules.uneven = true;
	return (choose_again(shape, &uneven, why) && shape->choice->lanes > lanes) ||
		choose_again(shape, rules, why);
}

static int64_t bytes_of(const struct choice *choice, enum factor_side side)
{
	return choice->lanes * choice->registers * (int64_t)choice->rules.bits[side] / 8;
}

struct choice shape_fitted(const struct choice *choice, enum factor_side side, unsigned way,
	const struct chip_memory *memory, struct choice_fit *fit)
{
	struct choice fitted = *choice;

	if (way >> side & 1 && choice_fit(choice, side, memory->line, fit))
		fitted.fits[side] = fit;
	return fitted;
}

/* The time of memory where the dims of some sides fit. */
static bool fitted_time(const struct tile_shape *shape, unsigned way,
	const struct chip_memory *memory, double *time)
{
	struct choice_fit fits[FACTOR_SIDES];
	struct choice load = shape_fitted(load_of(shape), FACTOR_LOAD, way, memory,
		&fits[FACTOR_LOAD]);
	struct choice store = shape_fitted(shape->choice, FACTOR_STORE, way, memory,
		&fits[FACTOR_STORE]);
	struct memory_side sides[FACTOR_SIDES];
	enum memory_cost worst;

	if (!count_sides(&load, &store, memory, sides))
		return false;
	*time = memory_time(memory, &sides[FACTOR_LOAD], &sides[FACTOR_STORE], &worst);
	return true;
}

/* The dims of a side that can fit. */
static unsigned find_dims(const struct choice *choice, enum factor_side side,
	const struct chip_memory *memory)
{
	struct choice_fit fit;

	choice_fit(choice, side, memory->line, &fit);
	return fit.dims;
}

struct shape_cost shape_cost(const struct tile_shape *shape, const struct chip_memory *memory)
{
	const struct choice *store = shape->choice, *load = load_of(shape);
	double bytes = (double)(bytes_of(load, FACTOR_LOAD) + bytes_of(store, FACTOR_STORE));
	struct shape_cost cost = { .issue = (double)choice_waves(store) * issue_of(shape) };
	struct shape_time time;
	unsigned can = 0;

	if (!shape_predict(shape, memory, &time))
		return cost;
	cost.issue = time.issue * bytes;
	cost.dims[FACTOR_LOAD] = find_dims(load, FACTOR_LOAD, memory);
	cost.dims[FACTOR_STORE] = find_dims(store, FACTOR_STORE, memory);
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		can |= (unsigned)(cost.dims[side] != 0) << side;
	for (unsigned way = 0; way < SHAPE_FITS; way++) {
		double of = time.memory;

		if (way & ~can) {
			cost.memory[way] = cost.memory[way & can];
			continue;
		}
		if (way)
			fitted_time(shape, way, memory, &of);
		cost.memory[way] = of * bytes * (store->rules.parts ? PARTS_TIME : 1);
	}
	return cost;
}

unsigned shape_edge_issue(const struct chip_memory *memory)
{
	return memory ? memory->edge_issue : EDGE_ISSUE;
}

int64_t shape_piece(const struct chip_memory *memory, int64_t extent)
{
	int64_t pieces = memory ? memory->edge_pieces : EDGE_PIECES;

	return extent > pieces ? extent / pieces : 1;
}
