/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Candidates are tiles that are kept short in some dimensions.  On a grid of samples of
 * the sizes, shapes are taken one by one, always the candidate that spares the samples
 * most, as long as that is much. */
#include "kernel/shapes.h"

#include <math.h>
#include <stdlib.h>

enum { CANDIDATES = 96, SAMPLES = 2048 };

/* The extents that dimensions are kept short to. */
static const int64_t short_extents[] = { 128, 32, 8 };

/* A sample's excess is how many times longer than with the best candidate it takes: up to
 * where it hardly matters any more.  A shape is worth the time that its code takes to make
 * where it spares the average sample so much; and one is better than another, where all sizes
 * are known, where it spares so much. */
#define MOST_EXCESS 16
#define WORTH_WHILE 0.5
#define CLEARLY_BETTER 1.0

/* Tensors of fewer elements take as long as a launch. */
#define FEWEST_ELEMENTS 4096

/* A bound beyond is as good as none. */
#define LONGEST_EXTENT 65536

struct candidate {
	struct shape_rules rules;
	int64_t extents[CHOICE_DIMS];
	double cost;			/* of a workgroup */
};

struct search {
	const struct factors *factors;
	unsigned count;
	struct candidate candidates[CANDIDATES];	/* the first shape first */
	unsigned sample_count;
	int64_t samples[SAMPLES][CHOICE_DIMS];
	bool even[CHOICE_DIMS];		/* dimensions whose last tile can begin earlier */
	double least[SAMPLES];		/* cost, with the shapes that are taken, */
	double best[SAMPLES];		/* and with all candidates */
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
	c->cost = (double)shape_cost(shape);
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

	for (unsigned d = 0; d < rules->factors->dim_count; d++)
		if (set >> d & 1 && (!caps[d] || caps[d] > extent))
			caps[d] = extent;
}

static bool try_candidate(layout_context *ctx, struct search *s, unsigned set,
	int64_t extent, bool small)
{
	struct shape_rules rules = s->candidates[0].rules;
	struct tile_shape *shape;
	const char *why;

	if (s->count == CANDIDATES)
		return true;
	shape = layout_alloc(ctx, 1, sizeof(*shape));
	if (!shape)
		return false;
	keep_short(&rules, set, extent);
	rules.rules.small = small;
	if (shape_choose(shape, &rules, &why))
		add_candidate(s, &rules, shape);
	shape_free(shape);
	free(shape);
	return true;
}

/* Of up to three dimensions all sets; of more, one, all but one, and all. */
static bool is_tried(const struct search *s, unsigned set)
{
	unsigned dims = s->factors->dim_count;
	unsigned in = (unsigned)__builtin_popcount(set);

	return in && (dims <= 3 || in == 1 || in + 1 >= dims);
}

/* Beside the first shape, others are small: they are for what does not fill it, and their
 * code is made in less time.  Where there is only one, it may be large. */
static bool find_candidates(layout_context *ctx, struct search *s)
{
	bool open = shapes_are_open(s->factors);

	for (unsigned e = 0; e < sizeof(short_extents) / sizeof(*short_extents); e++)
		for (unsigned set = 1; set >> s->factors->dim_count == 0; set++)
			if (is_tried(s, set) &&
			    (!try_candidate(ctx, s, set, short_extents[e], true) ||
			     (!open && !try_candidate(ctx, s, set, short_extents[e],
					false))))
				return false;
	return true;
}

/* ---- samples */

/* The lengths of a dimension that are looked at: fewer of one that the first tile does not
 * extend in, and of many dimensions. */
static unsigned find_lengths(const struct search *s, unsigned d, const int64_t **list)
{
	static const int64_t many[] = { 4, 16, 64, 256, 1024, 4096 };
	static const int64_t some[] = { 8, 64, 512, 4096 };
	static const int64_t outer[] = { 2, 16, 256 };
	static const int64_t few[] = { 8, 256 };
	unsigned dims = s->factors->dim_count;
	bool inside = s->candidates[0].extents[d] > 1;

	*list = dims > 5 ? few : !inside ? outer : dims > 3 ? some : many;
	if (!is_open(&s->factors->dims[d]) || dims > 10)
		return 1;
	return dims > 5 ? 2 : !inside ? 3 : dims > 3 ? 4 : 6;
}

static int64_t length(const struct search *s, unsigned d, unsigned i)
{
	const struct index *end = s->factors->dims[d].end;
	const int64_t *list;

	if (!is_open(&s->factors->dims[d]))
		return end->value;
	find_lengths(s, d, &list);
	return list[i] < end->min ? end->min : list[i] > end->max ? end->max : list[i];
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
	const int64_t *list;

	do {
		int64_t *sample = s->samples[s->sample_count];

		for (d = 0; d < factors->dim_count; d++)
			sample[d] = length(s, d, at[d]);
		if (elements(s, sample) >= FEWEST_ELEMENTS ||
		    !shapes_are_open(factors))
			s->sample_count++;
		for (d = 0; d < factors->dim_count &&
		     ++at[d] == find_lengths(s, d, &list); d++)
			at[d] = 0;
	} while (d < factors->dim_count && s->sample_count < SAMPLES);
}

/* ---- which are taken */

static double cost_of(const struct search *s, const struct candidate *c,
	const int64_t *sample)
{
	double all = 1, whole = 1;

	for (unsigned d = 0; d < s->factors->dim_count; d++) {
		int64_t extent = c->extents[d], tiles = (sample[d] + extent - 1) / extent;

		all *= (double)tiles;
		whole *= (double)(s->even[d] && sample[d] >= extent ? tiles :
			sample[d] / extent);
	}
	return c->cost * (SHAPE_EDGE_COST * all - (SHAPE_EDGE_COST - 1) * whole);
}

static double excess(const struct search *s, unsigned i, double cost)
{
	double times = cost / s->best[i];

	return times < MOST_EXCESS ? times : MOST_EXCESS;
}

/* The excess that the average sample would be spared. */
static double gain(const struct search *s, const struct candidate *c)
{
	double sum = 0;

	for (unsigned i = 0; i < s->sample_count; i++) {
		double cost = cost_of(s, c, s->samples[i]);

		if (cost < s->least[i])
			sum += excess(s, i, s->least[i]) - excess(s, i, cost);
	}
	return s->sample_count ? sum / s->sample_count : 0;
}

static void take(struct search *s, const struct candidate *c)
{
	for (unsigned i = 0; i < s->sample_count; i++) {
		double cost = cost_of(s, c, s->samples[i]);

		if (cost < s->least[i])
			s->least[i] = cost;
	}
}

/* The candidate worth most, if it is enough; else NULL. */
static const struct candidate *find_best(const struct search *s, double worth)
{
	const struct candidate *best = NULL;

	for (unsigned i = 1; i < s->count; i++) {
		double g = gain(s, &s->candidates[i]);

		if (g >= worth) {
			worth = g;
			best = &s->candidates[i];
		}
	}
	return best;
}

static void begin(struct search *s)
{
	for (unsigned i = 0; i < s->sample_count; i++) {
		s->least[i] = s->best[i] = INFINITY;
		for (unsigned k = 0; k < s->count; k++)
			s->best[i] = fmin(s->best[i], cost_of(s, &s->candidates[k],
				s->samples[i]));
	}
	take(s, &s->candidates[0]);
}

static int search(struct search *s, struct shape_rules *others)
{
	bool open = shapes_are_open(s->factors);
	int count = 0, most = open ? SHAPES_EXTENTS - 1 : 1;
	const struct candidate *best;

	find_samples(s);
	begin(s);
	while (count < most &&
	       (best = find_best(s, open ? WORTH_WHILE : CLEARLY_BETTER))) {
		others[count++] = best->rules;
		take(s, best);
	}
	return count;
}

int shapes_find(layout_context *ctx, const struct shape_rules *rules,
	const struct tile_shape *first, struct shape_rules others[SHAPES_EXTENTS - 1])
{
	struct search *s;
	int count = -1;

	if (rules->factors->dim_count > CHOICE_DIMS)
		return 0;
	s = layout_alloc(ctx, 1, sizeof(*s));
	if (!s)
		return -1;
	s->factors = rules->factors;
	for (unsigned d = 0; d < rules->factors->dim_count; d++)
		s->even[d] = choice_begins_anywhere(rules->factors, &rules->rules, d);
	add_candidate(s, rules, first);
	if (find_candidates(ctx, s))
		count = search(s, others);
	free(s);
	return count;
}
