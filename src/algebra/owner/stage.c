/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions inside a wave over F2, in three stages.
 *
 * x is the number of a lane and, above its bits, of its subgroup, r that of a register.
 * Register r' of x' is register r of x with
 *
 *	r = P r' + Q x' + r0,	x = T x' + S r' + x0
 *
 * and the stages are selects, an exchange, selects:
 *
 *	m' = r' + A2 x',   x = M x' + S m' + x0,   m = N m' + m0,   r = m + A1 x
 *
 * so that M = T + S A2, N = P + A1 S, and A1 M = W with W = Q + P A2.  There is an A1 where
 * the kernel of M is in that of W.  As long as it is not, a rank-one term is added to A2;
 * where no register that there is will do, one that is made for it, which reads another
 * register of the same lane.  Of the terms that are tried the cheapest steps win. */
#include "algebra/f2/word_span.h"
#include "algebra/owner/conversion.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SWAPS = 2, MOST_TERMS = 24, MOST_TRIES = 128, MOST_BITS = 12, IMAGE = 32 };

/* u is added where the bits of x in "lanes" have odd parity. */
struct term {
	uint64_t u, lanes;
};

/* A bit of r' and a bit of x' that change places after the stages. */
struct places {
	unsigned r, x;
};

struct stages {
	layout_conversion_plan *plan;
	unsigned r_bits, x_bits, lane_bits;	/* of r' with those made, of x' */
	uint64_t p[OWNER_BITS + MOST_TERMS], s[OWNER_BITS + MOST_TERMS];
	uint64_t m[IMAGE], w[IMAGE], r0, x0;
	unsigned term_count;
	struct term terms[MOST_TERMS];		/* A2 */
	unsigned swap_count;
	struct places swaps[MOST_SWAPS];
};

/* What is made of the stages. */
struct build {
	const struct stages *stages;
	layout_conversion_plan *plan;
	unsigned before_count, pieces;		/* pieces of a word */
	struct term before[MOST_TERMS];		/* A1 */
	uint64_t n[OWNER_BITS + MOST_TERMS], m0;
	uint64_t group[CONVERSION_PIECES];	/* m' of the pieces of a word */
	struct word_span same;			/* of m' that are the same */
	unsigned *values;			/* by stage and number, 1 more; 0: none yet */
	bool moves, ok;
};

/* The cheapest steps so far. */
struct best {
	layout_conversion_plan *plan;
	unsigned tries;
	struct conversion_steps found;
};

static uint64_t times(const uint64_t *columns, uint64_t x)
{
	uint64_t sum = 0;

	for (; x; x &= x - 1)
		sum ^= columns[__builtin_ctzll(x)];
	return sum;
}

/* The rank of W on the kernel of M. */
static unsigned defect(const uint64_t *m, const uint64_t *w, unsigned count)
{
	struct word_span both = { 0 }, first = { 0 };

	for (unsigned i = 0; i < count; i++) {
		word_span_add(&both, m[i] << IMAGE | w[i]);
		word_span_add(&first, m[i]);
	}
	return both.count - first.count;
}

static void add_term(struct stages *stages, struct term term)
{
	for (uint64_t rest = term.lanes; rest; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctzll(rest);

		stages->m[i] ^= times(stages->s, term.u);
		stages->w[i] ^= times(stages->p, term.u);
	}
	stages->terms[stages->term_count++] = term;
}

/* What a vector of the pull says: the register; the lane and above it the subgroup. */
static uint64_t r_of(const struct owner_bits *bits, uint64_t vector)
{
	return vector >> owner_bits_begin(bits, OWNER_REGISTER);
}

static uint64_t x_of(const struct stages *stages, const struct owner_bits *bits,
	uint64_t vector)
{
	uint64_t lane = vector >> bits->widths[OWNER_SUBGROUP];

	return (lane & (((uint64_t)1 << bits->widths[OWNER_LANE]) - 1)) |
		(vector & (((uint64_t)1 << bits->widths[OWNER_SUBGROUP]) - 1)) <<
			stages->lane_bits;
}

/* r and x of x' = 0, r' = 0, and what each bit adds. */
static bool read_matrices(struct stages *stages)
{
	layout_conversion_plan *plan = stages->plan;
	unsigned from = owner_width(plan->from.extent[OWNER_LANE]);
	unsigned to = owner_width(plan->to.extent[OWNER_LANE]);
	struct owner_bits bits;

	if (!owner_bits_of(&plan->pull, &bits))
		return false;
	stages->lane_bits = from > to ? from : to;
	stages->r_bits = bits.counts[OWNER_REGISTER];
	stages->x_bits = stages->lane_bits + bits.counts[OWNER_SUBGROUP];
	if (stages->r_bits > MOST_BITS || stages->x_bits > IMAGE / 2)
		return false;
	for (unsigned part = 0; part < OWNER_PARTS; part++)
		for (unsigned i = 0; i < bits.counts[part]; i++) {
			uint64_t column = bits.columns[part][i];
			unsigned at = i + (part == OWNER_SUBGROUP ? stages->lane_bits : 0);
			bool of_register = part == OWNER_REGISTER;

			(of_register ? stages->p : stages->w)[at] = r_of(&bits, column);
			(of_register ? stages->s : stages->m)[at] = x_of(stages, &bits,
				column);
		}
	stages->r0 = r_of(&bits, bits.constant);
	stages->x0 = x_of(stages, &bits, bits.constant);
	return true;
}

/* A1 from W = A1 M, as terms of its columns. */
static void find_before(struct build *build)
{
	const struct stages *stages = build->stages;
	struct word_span both = { 0 }, columns = { 0 };
	uint64_t a1[IMAGE] = { 0 };

	for (unsigned i = 0; i < stages->x_bits; i++)
		word_span_add(&both, stages->m[i] << IMAGE | stages->w[i]);
	for (unsigned i = 0; i < both.count; i++)
		a1[63 - __builtin_clzll(both.basis[i]) - IMAGE] =
			both.basis[i] & (((uint64_t)1 << IMAGE) - 1);
	for (unsigned j = 0; j < stages->r_bits; j++)
		build->n[j] = stages->p[j] ^ times(a1, stages->s[j]);
	build->m0 = stages->r0 ^ times(a1, stages->x0);
	for (unsigned i = 0; i < IMAGE; i++)
		if (a1[i] && word_span_add(&columns, a1[i]))
			build->before[build->before_count++] = (struct term){ a1[i], 0 };
	for (unsigned i = 0; i < IMAGE; i++)
		for (unsigned set = 1; a1[i] && set < 1u << build->before_count; set++) {
			uint64_t sum = 0;

			for (unsigned k = 0; k < build->before_count; k++)
				sum ^= set >> k & 1 ? build->before[k].u : 0;
			for (unsigned k = 0; sum == a1[i] && k < build->before_count; k++)
				build->before[k].lanes |= (uint64_t)(set >> k & 1) << i;
		}
}

static unsigned *slot(struct build *build, unsigned stage, uint64_t number)
{
	unsigned bits = build->stages->r_bits;
	unsigned width = owner_width(build->plan->from.extent[OWNER_REGISTER]);

	return build->values + ((size_t)stage << (bits > width ? bits : width)) + number;
}

static unsigned condition_of(struct build *build, uint64_t lanes)
{
	unsigned lane_bits = build->stages->lane_bits, number = 0;

	build->ok = build->ok && conversion_condition(build->plan,
		(struct conversion_condition){ .lanes = lanes &
			(((uint64_t)1 << lane_bits) - 1),
			.subgroups = lanes >> lane_bits }, &number);
	return number;
}

/* The word of m, and of those beside it, after the first "stage" selects. */
static unsigned before(struct build *build, unsigned stage, uint64_t m)
{
	unsigned *known = slot(build, stage, m), value;
	struct conversion_piece pieces[CONVERSION_PIECES] = { { 0 } };

	if (*known)
		return *known - 1;
	if (stage) {
		const struct term *term = &build->before[stage - 1];

		value = conversion_select(build->plan, condition_of(build, term->lanes),
			before(build, stage - 1, m ^ term->u), before(build, stage - 1, m));
	} else {
		for (unsigned i = 0; i < build->pieces; i++)
			pieces[i].value = (unsigned)(m ^ times(build->n, build->group[i]));
		value = conversion_pack(build->plan, pieces);
	}
	*known = value + 1;
	return value;
}

/* The first of the words that are the same but for the order of their pieces; "order" is
 * added to a piece's number. */
static uint64_t first_word(const struct build *build, const struct word_span *same,
	uint64_t number, unsigned *order)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < build->pieces; i++) {
		uint64_t other = word_span_reduce(same, number ^ build->group[i]);

		if (other < least) {
			least = other;
			*order = i;
		}
	}
	return least;
}

/* The word of m' after the exchange. */
static unsigned exchanged(struct build *build, uint64_t number)
{
	unsigned stage = build->before_count + 1, order = 0, value;
	uint64_t first = first_word(build, &build->same, number, &order);
	unsigned *known = slot(build, stage, first);
	struct conversion_piece pieces[CONVERSION_PIECES] = { { 0 } };

	if (!*known) {
		value = before(build, build->before_count,
			times(build->n, first) ^ build->m0);
		*known = conversion_exchange(build->plan, value, build->moves, (int64_t)
			(times(build->stages->s, first) ^ build->stages->x0)) + 1;
	}
	value = *known - 1;
	if (!order)
		return value;
	for (unsigned i = 0; i < build->pieces; i++)
		pieces[i] = (struct conversion_piece){ value, i ^ order };
	return conversion_pack(build->plan, pieces);
}

/* The word of m' after "stage" of the last selects. */
static unsigned after(struct build *build, unsigned stage, uint64_t number)
{
	unsigned *known = slot(build, build->before_count + 2 + stage, number), value;

	if (*known)
		return *known - 1;
	if (stage) {
		const struct term *term = &build->stages->terms[stage - 1];

		value = conversion_select(build->plan, condition_of(build, term->lanes),
			after(build, stage - 1, number ^ term->u),
			after(build, stage - 1, number));
	} else {
		value = exchanged(build, number);
	}
	*known = value + 1;
	return value;
}

/* The word of r' after so many swaps, of which the first one found is the last, of the
 * words that differ in the swap's bit. */
static unsigned swapped(struct build *build, unsigned count, uint64_t number)
{
	const struct stages *stages = build->stages;
	const struct places *swap = &stages->swaps[stages->swap_count - count];
	unsigned *known, pair[2];
	uint64_t bit;

	if (!count)
		return after(build, stages->term_count, number);
	bit = (uint64_t)1 << swap->r;
	known = slot(build, build->before_count + 2 + stages->term_count + count, number);
	if (!*known) {
		pair[0] = swapped(build, count - 1, number & ~bit);
		pair[1] = swapped(build, count - 1, number | bit);
		conversion_swap(build->plan, 1u << swap->x, pair);
		*slot(build, build->before_count + 2 + stages->term_count + count,
			number & ~bit) = pair[0] + 1;
		*slot(build, build->before_count + 2 + stages->term_count + count,
			number | bit) = pair[1] + 1;
	}
	return *known - 1;
}

/* Is M another than the own lane's? */
static bool is_moved(const struct stages *stages)
{
	unsigned to = owner_width(stages->plan->to.extent[OWNER_LANE]);

	for (unsigned i = 0; i < stages->x_bits; i++)
		if ((i < to || i >= stages->lane_bits) &&
		    stages->m[i] != (uint64_t)1 << i)
			return true;
	return false;
}

/* m' + k is the same for k in the kernel of N and S. */
static void find_same(struct build *build)
{
	const struct stages *stages = build->stages;
	struct word_span both = { 0 };

	for (unsigned j = 0; j < stages->r_bits; j++)
		word_span_add(&both, (build->n[j] << IMAGE / 2 | stages->s[j]) << IMAGE |
			(uint64_t)1 << j);
	for (unsigned i = 0; i < both.count; i++)
		if (!(both.basis[i] >> IMAGE))
			word_span_add(&build->same, both.basis[i]);
}

/* The index of lanes that M is. */
static bool find_index(struct build *build)
{
	const struct stages *stages = build->stages;
	const layout_conversion_plan *plan = build->plan;
	struct owner_bits bits = { .widths = { stages->lane_bits } };
	uint64_t lanes = ((uint64_t)1 << stages->lane_bits) - 1;
	struct owner *index = &build->plan->lanes.index;

	*index = (struct owner){ .rank = 1, .box = { (int64_t)lanes + 1 } };
	bits.counts[OWNER_LANE] = owner_width(plan->to.extent[OWNER_LANE]);
	bits.counts[OWNER_SUBGROUP] = stages->x_bits - stages->lane_bits;
	for (unsigned i = 0; i < bits.counts[OWNER_LANE]; i++)
		bits.columns[OWNER_LANE][i] = stages->m[i] & lanes;
	for (unsigned i = 0; i < bits.counts[OWNER_SUBGROUP]; i++)
		bits.columns[OWNER_SUBGROUP][i] = stages->m[stages->lane_bits + i] & lanes;
	return owner_of_bits(index, &bits);
}

/* The steps for a group of pieces. */
static bool make_steps(struct build *build)
{
	layout_conversion_plan *plan = build->plan;
	unsigned width = owner_width(plan->from.extent[OWNER_REGISTER]);
	unsigned bits = build->stages->r_bits > width ? build->stages->r_bits : width;
	const struct word_span none = { 0 };

	build->values = layout_alloc(plan->ctx, (size_t)(build->before_count + 3 +
		build->stages->term_count + build->stages->swap_count) << bits,
		sizeof(unsigned));
	if (!build->values || !conversion_begin(plan) || !find_index(build))
		return false;
	plan->lanes.f2 = true;
	plan->lanes.pieces = build->pieces;
	for (int64_t r = 0; r < plan->to.extent[OWNER_REGISTER]; r++) {
		unsigned order = 0;
		uint64_t first = first_word(build, build->stages->swap_count ? &none :
			&build->same, (uint64_t)r, &order);

		plan->lanes.result[r] = (struct conversion_piece){
			swapped(build, build->stages->swap_count, first), order };
	}
	conversion_count(plan);
	return build->ok && !plan->lanes.failed;
}

/* Try a group: the steps are kept where they are cheaper than all before. */
static void try_group(struct build *build, struct best *best)
{
	layout_conversion_plan *plan = build->plan;
	struct conversion_steps made;

	best->tries++;
	build->ok = true;
	if (make_steps(build) && (!best->found.result ||
	    conversion_total(&plan->lanes.cost) < conversion_total(&best->found.cost))) {
		made = plan->lanes;
		plan->lanes = best->found;
		best->found = made;
	}
	free(build->values);
	build->values = NULL;
}

/* May g be what the pieces of a word are apart: read from one lane, not the same, and
 * not swapped? */
static bool is_apart(const struct build *build, uint64_t g)
{
	for (unsigned i = 0; i < build->stages->swap_count; i++)
		if (g >> build->stages->swaps[i].r & 1)
			return false;
	return g && !times(build->stages->s, g) && word_span_reduce(&build->same, g);
}

/* Groups of the numbers that are a bit, or two: words as they are and as they will be
 * are among them. */
static uint64_t candidate(unsigned i, unsigned bits)
{
	if (i < bits)
		return (uint64_t)1 << i;
	i -= bits;
	return (uint64_t)1 << i / bits | (uint64_t)1 << i % bits;
}

static void try_pairs(struct build *build, struct best *best, unsigned bits)
{
	for (unsigned i = 0; i < bits; i++)
		for (unsigned k = 0; k < bits; k++) {
			uint64_t *group = build->group;

			group[1] = candidate(i, bits);
			group[2] = candidate(k, bits);
			group[3] = group[1] ^ group[2];
			if (is_apart(build, group[1]) && is_apart(build, group[2]) &&
			    is_apart(build, group[3]) && best->tries < MOST_TRIES)
				try_group(build, best);
		}
}

/* All groups of as many pieces as a word holds; fewer, where there are none. */
static void try_groups(struct build *build, struct best *best)
{
	unsigned bits = owner_width(build->plan->to.extent[OWNER_REGISTER]);
	unsigned tries = best->tries, *pieces = &build->pieces;

	*pieces = build->plan->bits < 32 ? 32 / build->plan->bits : 1;
	if (*pieces == 4)
		try_pairs(build, best, bits);
	if (*pieces == 4 && best->tries == tries)
		*pieces = 2;
	for (unsigned i = 0; *pieces == 2 && i < bits + bits * bits; i++) {
		build->group[1] = candidate(i, bits);
		if (is_apart(build, build->group[1]) && best->tries < MOST_TRIES)
			try_group(build, best);
	}
	if (best->tries == tries) {
		*pieces = 1;
		try_group(build, best);
	}
}

static void try_terms(const struct stages *stages, struct best *best)
{
	struct build build = { .stages = stages, .plan = best->plan,
		.moves = is_moved(stages) };

	find_before(&build);
	find_same(&build);
	try_groups(&build, best);
}

static void search(const struct stages *stages, struct best *best);

/* Does the term bring the stages nearer to an end?  Then on from there. */
static bool try_term(const struct stages *stages, struct best *best, struct term term)
{
	struct stages next = *stages;

	if (best->tries >= MOST_TRIES || stages->term_count == MOST_TERMS)
		return false;
	add_term(&next, term);
	if (defect(next.m, next.w, next.x_bits) >= defect(stages->m, stages->w,
			stages->x_bits))
		return false;
	search(&next, best);
	return true;
}

/* Terms of any bits of r' and of x', one of each or several. */
static bool try_numbers(const struct stages *stages, struct best *best, bool several)
{
	bool found = false;

	if (several && stages->r_bits + stages->x_bits > MOST_BITS)
		return false;
	for (uint64_t u = 1; u < (uint64_t)1 << stages->r_bits;
	     u = several ? u + 1 : 2 * u)
		for (uint64_t lanes = 1; lanes < (uint64_t)1 << stages->x_bits;
		     lanes = several ? lanes + 1 : 2 * lanes)
			found = try_term(stages, best, (struct term){ u, lanes }) || found;
	return found;
}

/* A register more, which reads what W makes of a vector that M makes 0. */
static bool try_more(const struct stages *stages, struct best *best)
{
	struct word_span both = { 0 };
	bool found = false;

	for (unsigned i = 0; i < stages->x_bits; i++)
		word_span_add(&both, stages->m[i] << IMAGE | stages->w[i]);
	for (unsigned i = 0; i < both.count && !found; i++) {
		struct stages more = *stages;

		if (both.basis[i] >> IMAGE || more.r_bits == MOST_BITS)
			continue;
		more.p[more.r_bits] = both.basis[i];
		more.s[more.r_bits++] = 0;
		for (uint64_t lanes = 1; lanes < (uint64_t)1 << more.x_bits && !found;
		     lanes++)
			found = try_term(&more, best, (struct term){
				(uint64_t)1 << (more.r_bits - 1), lanes });
	}
	return found;
}

static void search(const struct stages *stages, struct best *best)
{
	if (!defect(stages->m, stages->w, stages->x_bits))
		try_terms(stages, best);
	else if (!try_numbers(stages, best, false) && !try_numbers(stages, best, true))
		try_more(stages, best);
}

static void exchange_columns(uint64_t *a, uint64_t *b)
{
	uint64_t kept = *a;

	*a = *b;
	*b = kept;
}

/* With one swap more, of those that the chip has, as long as that is cheaper: where a
 * register's bit says what that bit of the lane is. */
static void try_swaps(const struct stages *stages, struct best *best)
{
	const layout_conversion_plan *plan = stages->plan;
	unsigned lanes = plan->chip->lane_swaps &
		(unsigned)(plan->to.extent[OWNER_LANE] - 1);
	unsigned total = conversion_total(&best->found.cost);

	if (stages->swap_count == MOST_SWAPS)
		return;
	for (unsigned j = 0; j < stages->r_bits; j++)
		for (unsigned rest = lanes; rest; rest &= rest - 1) {
			unsigned i = (unsigned)__builtin_ctz(rest);
			struct stages next = *stages;

			if (!(stages->s[j] >> i & 1))
				continue;
			next.swaps[next.swap_count++] = (struct places){ j, i };
			exchange_columns(&next.s[j], &next.m[i]);
			exchange_columns(&next.p[j], &next.w[i]);
			best->tries = 0;
			search(&next, best);
			if (conversion_total(&best->found.cost) < total) {
				try_swaps(&next, best);
				return;
			}
		}
}

bool conversion_stage(layout_conversion_plan *plan)
{
	struct stages stages = { .plan = plan };
	struct best best = { .plan = plan };

	if (!read_matrices(&stages))
		return false;
	search(&stages, &best);
	if (best.found.result)
		try_swaps(&stages, &best);
	conversion_end(&plan->lanes);
	plan->lanes = best.found;
	return plan->lanes.result;
}
