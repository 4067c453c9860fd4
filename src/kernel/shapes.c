/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Candidates are tiles that are kept short in some dimensions.  On a grid of samples of
 * the sizes, shapes are taken one by one, always the candidate that spares the samples
 * most, as long as that is much, and then exchanged one by one. */
#include "kernel/shapes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { CANDIDATES = 192, SAMPLES = 4096 };

/* The extents that dimensions are kept short to, in tiles of few registers; and those for which
 * larger tiles are tried, too, where sizes are open: more of these are no better. */
static const struct short_extent {
	int64_t extent;
	bool large;
} short_extents[] = { { 128, true }, { 64, true }, { 32, true }, { 16, true }, { 8, true },
	{ 4, false } }, shortest_extents[] = { { 16, false }, { 8, false }, { 4, false } };

/* Of short rows. */
#define SHORT_EXTENT 64

/* A sample's excess is how many times longer than with the best candidate it takes, squared:
 * up to where it hardly matters any more.  A shape is worth the time that its code takes to make
 * where it spares the average sample so much; and one is better than another, where all sizes are
 * known, where it spares so much. */
#define MOST_EXCESS 16.0
#define WORTH_WHILE 0.03
#define CLEARLY_BETTER 0.1

/* Tensors of fewer elements take as long as a launch; ones of more are in no memory. */
#define FEWEST_ELEMENTS 4096
#define MOST_ELEMENTS 0x1p37

/* A bound beyond is as good as none. */
#define LONGEST_EXTENT 65536

struct candidate {
	struct shape_rules rules;
	int64_t extents[CHOICE_DIMS];
	struct shape_cost cost;		/* of a workgroup */
};

struct search {
	const struct factors *factors;
	const struct short_extent *extents;
	unsigned extent_count, most;	/* to keep to; and shapes that there can be */
	unsigned count;
	struct candidate candidates[CANDIDATES];	/* the first shape first */
	int64_t reach[2][CHOICE_DIMS];	/* of shapes that are kept short nowhere, and small ones */
	unsigned sample_count;
	int64_t samples[SAMPLES][CHOICE_DIMS];
	bool even[CHOICE_DIMS];		/* dimensions whose last tile can begin earlier */
	const struct index *points;	/* what these cost, over the lengths; NULL: there are none */
	double points_cost[SAMPLES];
	unsigned taken_count, taken[SHAPES_EXTENTS + SHAPES_SHORT];
	double best[SAMPLES];		/* cost, with all candidates, */
	double least[SAMPLES];		/* with those that are taken, */
	double *costs;			/* and with each: by candidate and sample */
};

static bool is_open(const struct factor_dim *dim)
{
	return dim->end->op != INDEX_INT;
}

bool shapes_are_open(const struct factors *factors)
{
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (is_open(&factors->dims[d]))
			return true;
	return false;
}

void shapes_bound(struct shape_rules *rules)
{
	const struct factors *factors = rules->factors;

	for (unsigned d = 0; d < factors->dim_count && d < CHOICE_DIMS; d++) {
		int64_t cap = 1;

		while (cap < factors->dims[d].end->max && cap < LONGEST_EXTENT)
			cap *= 2;
		if (is_open(&factors->dims[d]) && cap < LONGEST_EXTENT)
			rules->rules.caps[d] = cap;
	}
}

/* ---- candidates */

static bool is_same(const struct search *s, const struct candidate *a,
	const struct candidate *b)
{
	for (unsigned d = 0; d < s->factors->dim_count; d++)
		if (a->extents[d] != b->extents[d])
			return false;
	return true;
}

/* The shape as one more candidate, unless there is one of its extents. */
static void add_candidate(struct search *s, const struct shape_rules *rules,
	const struct tile_shape *shape)
{
	struct candidate *c = &s->candidates[s->count];

	c->rules = *rules;
	c->cost = shape_cost(shape, rules->memory);
	for (unsigned d = 0; d < s->factors->dim_count; d++)
		c->extents[d] = choice_extent(shape->choice, d);
	for (unsigned i = 0; i < s->count; i++)
		if (is_same(s, c, &s->candidates[i]))
			return;
	s->count++;
}

/* The dimensions of a set, kept to an extent. */
static void keep_short(struct shape_rules *rules, unsigned set, int64_t extent)
{
	int64_t *caps = rules->rules.caps;

	for (unsigned d = 0; d < rules->factors->dim_count && d < CHOICE_DIMS; d++)
		if (set >> d & 1 && (!caps[d] || caps[d] > extent))
			caps[d] = extent;
}

void shapes_keep_short(struct shape_rules *rules)
{
	keep_short(rules, UINT_MAX, SHORT_EXTENT);
}

/* How far a shape reaches, in either way that was looked at. */
static void find_reach(int64_t reach[CHOICE_DIMS], const struct tile_shape *shape)
{
	const struct choice *choices[] = { &shape->direct, &shape->stage.moves[1] };

	for (unsigned i = 0; i < 2; i++)
		for (unsigned d = 0; choices[i]->factors &&
		     d < choices[i]->factors->dim_count; d++) {
			int64_t extent = choice_extent(choices[i], d);

			reach[d] = extent > reach[d] ? extent : reach[d];
		}
}

/* Is a shape another one if the set is kept to that extent? */
static bool is_shorter(const struct search *s, unsigned set, int64_t extent, bool small)
{
	for (unsigned d = 0; d < s->factors->dim_count; d++)
		if (set >> d & 1 && extent < s->reach[small][d])
			return true;
	return !set;
}

/* Are tiles parts of those of a storage?  Not of such as are swizzled, or as do not divide each
 * other. */
static bool has_parts(const struct shape_rules *rules)
{
	const struct factors *factors = rules->factors;

	return !factors->xor_count && !factors->rotation_count &&
		!ragged_is_needed(factors) && choice_has_parts(factors, &rules->rules);
}

static bool try_candidate(layout_context *ctx, struct search *s, unsigned set,
	int64_t extent, bool small)
{
	struct shape_rules rules = s->candidates[0].rules;
	struct tile_shape *shape;
	const char *why;

	if (s->count == CANDIDATES || !is_shorter(s, set, extent, small))
		return true;
	shape = layout_alloc(ctx, 1, sizeof(*shape));
	if (!shape)
		return false;
	keep_short(&rules, set, extent);
	rules.rules.small = small;
	rules.rules.parts = has_parts(&rules);
	if (shape_choose(shape, &rules, &why) && (set || !rules.short_rows))
		add_candidate(s, &rules, shape);
	if (!set)
		find_reach(s->reach[small], shape);
	shape_free(shape);
	free(shape);
	return true;
}

/* The dimensions of elements that follow each other on either side. */
static unsigned rows_of(const struct factors *factors)
{
	unsigned rows = 0;

	for (unsigned i = 0; i < factors->digit_count; i++)
		for (unsigned side = 0; side < FACTOR_SIDES; side++)
			if (index_is(factors->digits[i].weight[side], 1))
				rows |= 1u << factors->digits[i].digit.dim;
	return rows;
}

/* Of up to three dimensions all sets; of more, one, rows, all but one, and all.  Only for short rows
 * such as have one. */
static bool is_tried(const struct search *s, unsigned set)
{
	unsigned dims = s->factors->dim_count, rows = rows_of(s->factors);
	unsigned in = (unsigned)__builtin_popcount(set);

	return in && (dims <= 3 || in == 1 || in + 1 >= dims || set == rows) &&
		(set & rows || !s->candidates[0].rules.short_rows);
}

/* Beside the first shape, others are small, whose code is made in less time, or as large, whose
 * waves have more to do at once.  Where there is only one, it may be large. */
static bool find_candidates(layout_context *ctx, struct search *s)
{
	bool open = shapes_are_open(s->factors);

	if (!try_candidate(ctx, s, 0, 0, true))
		return false;
	for (unsigned e = 0; e < s->extent_count; e++)
		for (unsigned set = 1; set >> s->factors->dim_count == 0; set++)
			if (is_tried(s, set) &&
			    (!try_candidate(ctx, s, set, s->extents[e].extent, true) ||
			     ((!open || s->extents[e].large) && !try_candidate(ctx, s,
				set, s->extents[e].extent, false))))
				return false;
	return true;
}

/* ---- samples */

/* Lengths that are looked at: whole tiles, ends of tiles, and what lies between. */
struct lengths {
	unsigned count;
	int64_t of[9];
};

/* Those of an open dimension: fewer of one that the first tile does not extend in, and of many
 * dimensions, which are short. */
static const struct lengths *lengths_of(const struct search *s, unsigned d)
{
	static const struct lengths many = { 9, { 3, 5, 8, 16, 50, 64, 200, 1000, 4000 } };
	static const struct lengths some = { 7, { 3, 8, 16, 64, 80, 500, 4000 } };
	static const struct lengths outer = { 5, { 1, 4, 16, 255, 4000 } };
	static const struct lengths of_five = { 5, { 3, 8, 16, 50, 1000 } };
	static const struct lengths of_six = { 3, { 3, 16, 64 } };
	static const struct lengths few = { 2, { 8, 256 } }, one = { 1, { 8 } };
	unsigned dims = s->factors->dim_count;

	if (dims > 4)
		return dims > 10 ? &one : dims > 6 ? &few : dims > 5 ? &of_six : &of_five;
	return s->candidates[0].extents[d] == 1 ? &outer : dims > 3 ? &some : &many;
}

static unsigned length_count(const struct search *s, unsigned d)
{
	return is_open(&s->factors->dims[d]) ? lengths_of(s, d)->count : 1;
}

static int64_t length(const struct search *s, unsigned d, unsigned i)
{
	const struct index *end = s->factors->dims[d].end;
	int64_t length;

	if (!is_open(&s->factors->dims[d]))
		return end->value;
	length = lengths_of(s, d)->of[i];
	return length < end->min ? end->min : length > end->max ? end->max : length;
}

static double elements(const struct search *s, const int64_t *sample)
{
	double product = 1;

	for (unsigned d = 0; d < s->factors->dim_count; d++)
		product *= (double)sample[d];
	return product;
}

static void find_samples(struct search *s)
{
	const struct factors *factors = s->factors;
	unsigned at[CHOICE_DIMS] = { 0 }, d;

	do {
		int64_t *sample = s->samples[s->sample_count];

		for (d = 0; d < factors->dim_count; d++)
			sample[d] = length(s, d, at[d]);
		if ((elements(s, sample) >= FEWEST_ELEMENTS &&
		     elements(s, sample) <= MOST_ELEMENTS) || !shapes_are_open(factors))
			s->sample_count++;
		for (d = 0; d < factors->dim_count &&
		     ++at[d] == length_count(s, d); d++)
			at[d] = 0;
	} while (d < factors->dim_count && s->sample_count < SAMPLES);
}

/* ---- which are taken */

/* On which sides, as bits, the dims fit that can. */
static unsigned fits_of(const struct search *s, const struct candidate *c, const int64_t *sample)
{
	unsigned fits = 0;

	for (unsigned side = 0; side < FACTOR_SIDES; side++) {
		bool fit = c->cost.dims[side];

		for (unsigned d = 0; d < s->factors->dim_count; d++)
			fit = fit && !(c->cost.dims[side] >> d & 1 && sample[d] > c->extents[d]);
		fits |= (unsigned)fit << side;
	}
	return fits;
}

static double cost_of(const struct search *s, const struct candidate *c,
	const int64_t *sample)
{
	const struct chip_memory *facts = c->rules.memory;
	double all = 1, whole = 1, memory = c->cost.memory[fits_of(s, c, sample)], issue;
	double edge = shape_edge_issue(facts);

	for (unsigned d = 0; d < s->factors->dim_count; d++) {
		int64_t extent = c->extents[d], tiles = (sample[d] + extent - 1) / extent;
		int64_t piece = shape_piece(facts, extent);

		all *= (double)tiles;
		whole *= (double)(s->even[d] && sample[d] >= extent ? tiles :
			sample[d] / extent);
		memory *= (double)((sample[d] + piece - 1) / piece * piece) / (double)extent;
	}
	issue = c->cost.issue * (edge * all - (edge - 1) * whole);
	if (memory == 0)
		return issue;
	return shape_takes(memory, issue, facts);
}

/* How bad it is that a sample takes so long: a cliff counts for more than a slope. */
static double excess(const struct search *s, unsigned i, double cost)
{
	double times = fmin(cost / s->best[i], MOST_EXCESS);

	return times * times;
}

static void find_least(struct search *s)
{
	for (unsigned i = 0; i < s->sample_count; i++) {
		s->least[i] = s->points_cost[i];
		for (unsigned k = 0; k < s->taken_count; k++)
			s->least[i] = fmin(s->least[i], s->costs[s->taken[k] * s->sample_count + i]);
	}
}

/* The excess of the average sample with the shapes that are taken, and one more. */
static double excess_with(const struct search *s, unsigned more)
{
	const double *costs = &s->costs[more * s->sample_count];
	double sum = 0;

	for (unsigned i = 0; i < s->sample_count; i++)
		sum += excess(s, i, fmin(s->least[i], costs[i]));
	return s->sample_count ? sum / s->sample_count : 0;
}

/* The candidate that leaves the least excess, and that. */
static unsigned find_best(struct search *s, double *least)
{
	unsigned best = 0;

	find_least(s);
	*least = INFINITY;
	for (unsigned i = 1; i < s->count; i++) {
		double left = excess_with(s, i);

		if (left < *least) {
			*least = left;
			best = i;
		}
	}
	return best;
}

static double find_points_cost(const struct search *s, const int64_t *sample)
{
	int64_t cost;

	return s->points && index_eval(s->points, sample, &cost) ? (double)cost : INFINITY;
}

/* All that candidates cost. */
static void find_costs(struct search *s)
{
	for (unsigned i = 0; i < s->sample_count; i++)
		s->best[i] = s->points_cost[i] = find_points_cost(s, s->samples[i]);
	for (unsigned k = 0; k < s->count; k++)
		for (unsigned i = 0; i < s->sample_count; i++) {
			double *cost = &s->costs[k * s->sample_count + i];

			*cost = cost_of(s, &s->candidates[k], s->samples[i]);
			s->best[i] = fmin(s->best[i], *cost);
		}
}

/* Exchange a shape for one that is better now that there are others.  True where there
 * is one. */
static bool exchange(struct search *s, double *left)
{
	for (unsigned k = 1; k < s->taken_count; k++) {
		unsigned last = --s->taken_count, before = s->taken[k], best;
		double least;

		s->taken[k] = s->taken[last];
		best = find_best(s, &least);
		s->taken[last] = s->taken[k];
		s->taken[k] = before;
		s->taken_count++;
		if (least >= *left)
			continue;
		*left = least;
		s->taken[k] = best;
		return true;
	}
	return false;
}

/* At known sizes: those that take least. */
static void take_least(struct search *s)
{
	double first = s->costs[0];

	while (s->taken_count < s->most) {
		unsigned best = 0;

		for (unsigned k = 1; k < s->count; k++)
			if (s->costs[k] < s->costs[best])
				best = k;
		if (excess(s, 0, first) - excess(s, 0, s->costs[best]) < CLEARLY_BETTER)
			break;
		s->taken[s->taken_count++] = best;
		s->costs[best] = INFINITY;
	}
}

/* Those that spare the samples most. */
static void take_best(struct search *s)
{
	double left, least;

	find_least(s);
	left = excess_with(s, 0);
	while (s->taken_count < s->most && s->count > 1) {
		unsigned best = find_best(s, &least);

		if (left - least < WORTH_WHILE)
			break;
		s->taken[s->taken_count++] = best;
		left = least;
	}
	for (unsigned turn = 0; turn < SHAPES_EXTENTS && exchange(s, &left); turn++)
		;
}

static int search(struct search *s, struct shape_rules *others)
{
	find_costs(s);
	s->taken[s->taken_count++] = 0;
	if (shapes_are_open(s->factors))
		take_best(s);
	else
		take_least(s);
	for (unsigned k = 1; k < s->taken_count; k++)
		others[k - 1] = s->candidates[s->taken[k]].rules;
	return (int)s->taken_count - 1;
}

/* At most "most", the first one included, that are kept to so many extents. */
static int find(layout_context *ctx, const struct shape_rules *rules,
	const struct tile_shape *first, const struct index *points,
	const struct short_extent *extents, unsigned extent_count, unsigned most,
	struct shape_rules *others)
{
	struct search *s;
	int count = -1;

	if (rules->factors->dim_count > CHOICE_DIMS)
		return 0;
	s = layout_alloc(ctx, 1, sizeof(*s));
	if (!s)
		return -1;
	s->factors = rules->factors;
	s->extents = extents;
	s->extent_count = extent_count;
	s->most = most;
	s->points = points;
	for (unsigned d = 0; d < rules->factors->dim_count; d++)
		s->even[d] = choice_begins_anywhere(rules->factors, &rules->rules, d);
	add_candidate(s, rules, first);
	find_reach(s->reach[false], first);
	if (find_candidates(ctx, s)) {
		find_samples(s);
		s->costs = layout_alloc(ctx, (size_t)s->count * s->sample_count,
			sizeof(*s->costs));
		count = s->costs ? search(s, others) : -1;
	}
	free(s->costs);
	free(s);
	return count;
}

int shapes_find(layout_context *ctx, const struct shape_rules *rules,
	const struct tile_shape *first, const struct index *points,
	struct shape_rules others[SHAPES_EXTENTS - 1])
{
	return find(ctx, rules, first, points, short_extents, sizeof(short_extents) /
		sizeof(*short_extents), SHAPES_EXTENTS,
		others);
}

int shapes_find_short(layout_context *ctx, const struct shape_rules *rules,
	const struct tile_shape *first, const struct index *points,
	struct shape_rules others[SHAPES_SHORT])
{
	return find(ctx, rules, first, points, shortest_extents, sizeof(shortest_extents) /
		sizeof(*shortest_extents), 1 + SHAPES_SHORT, others);
}
