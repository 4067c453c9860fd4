/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A wait stands in the gap before a statement of a body.  Two accesses that meet have one
 * on every way from the first to the second.
 *
 *	a, b in one body	the gaps behind a up to that before b
 *	a, b in its loop	where b is in a later step: those behind a, and from the
 *				first one up to that before b
 *
 * and those of inner bodies behind a, or before b, on the same way.  Inner loops come first,
 * and each has the fewest that hit all its ways: intervals, on a line or on a circle. */
#include "program/waits.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 17, MOST_ACCESSES = 256, MOST_LANES = 64 };

/* The waves that touch an element, and the lanes of any, a bit each. */
struct touch {
	uint32_t waves;
	uint64_t lanes;
};

/* An access: the statements that lead to it, one a body, and what touches each element of
 * its object. */
struct site {
	const layout_memory *local;
	const struct program_statement *of;
	unsigned number, depth;
	bool put;
	struct program_body *bodies[MOST_DEPTH];
	const struct program_statement *loops[MOST_DEPTH];	/* NULL: no loop's body */
	unsigned indices[MOST_DEPTH];
	struct touch *touches;
};

/* The ways from site a to site b that begin and end in the body at "level": in a later step
 * of its loop, "again"; where any gap of that is on the way, it is "free". */
struct way {
	const struct site *a, *b;
	unsigned level;
	bool again, free;
	enum program_wait wait;
};

struct finder {
	layout_context *ctx;
	layout_program *program;
	const struct local_access *accesses;
	const bool *synchronizes;
	unsigned waves;
	struct site here;
	unsigned site_count;
	struct site *sites;
	size_t way_count;
	struct way *ways;
	bool ok;
};

/* What touches each element: waves beyond the owner's get what these do, and lanes as well. */
static struct touch *find_touches(const struct finder *f, const struct site *site,
	const layout_tile *tile, const struct program_place *place)
{
	const struct local_access *access = &f->accesses[site->number];
	struct touch *touches = layout_alloc(f->ctx,
		(size_t)program_local_elements(site->local), sizeof(*touches));
	int64_t hw[OWNER_PARTS] = { 0 }, at[OWNER_RANK];
	unsigned own = (unsigned)access->owner->extent[OWNER_SUBGROUP];
	unsigned lanes = (unsigned)access->owner->extent[OWNER_LANE];

	do {
		int64_t element = 0;

		owner_point(access->owner, hw, at);
		for (unsigned d = 0; d < tile->rank; d++)
			element = element * site->local->box[d] + at[d] +
				place->at[d].index->value;
		for (unsigned w = (unsigned)hw[OWNER_SUBGROUP]; touches && w < f->waves;
		     w += site->put ? f->waves : own)
			if (!site->put || local_access_puts(access, hw))
				touches[element].waves |= (uint32_t)1 << w;
		for (unsigned l = (unsigned)hw[OWNER_LANE]; touches && l < MOST_LANES;
		     l += site->put ? MOST_LANES : lanes)
			if (!site->put || local_access_puts(access, hw))
				touches[element].lanes |= (uint64_t)1 << l;
	} while (touches && owner_next(access->owner, hw));
	return touches;
}

static void add_site(struct finder *f, const struct program_statement *of,
	const layout_tile *tile)
{
	bool put = of->kind == STATEMENT_PUT;
	const struct program_place *place = put ? &of->place : &tile->place;
	struct site *site = &f->sites[f->site_count];

	if (f->site_count == MOST_ACCESSES) {
		layout_fail(f->ctx, LAYOUT_ERROR_UNSUPPORTED, of->position,
			"the LDS is accessed in more than %d places", MOST_ACCESSES);
		f->ok = false;
		return;
	}
	*site = f->here;
	site->of = of;
	site->put = put;
	site->local = put ? of->memory : tile->memory;
	site->number = put ? of->access : tile->access;
	site->touches = find_touches(f, site, tile, place);
	f->ok = site->touches;
	f->site_count += f->ok;
}

static void find_sites(struct finder *f, struct program_body *body,
	const struct program_statement *loop)
{
	unsigned level = f->here.depth++;

	f->here.bodies[level] = body;
	f->here.loops[level] = loop;
	for (unsigned i = 0; f->ok && i < body->count; i++) {
		struct program_statement *of = &body->statements[i];

		f->here.indices[level] = i;
		if (of->kind == STATEMENT_PUT ||
		    (of->kind == STATEMENT_TILE && of->tile->op == TILE_GET))
			add_site(f, of, of->tile);
		else if (of->body.count)
			find_sites(f, &of->body, of->kind == STATEMENT_FOR ? of : NULL);
	}
	f->here.depth--;
}

static bool is_several(uint64_t set)
{
	return set & (set - 1);
}

/* What two accesses have to wait for, one of which is a put. */
static enum program_wait meet(const struct site *a, const struct site *b)
{
	int64_t count = program_local_elements(a->local);
	enum program_wait wait = WAIT_NONE;

	for (int64_t n = 0; n < count && wait < WAIT_WORKGROUP; n++) {
		const struct touch *x = &a->touches[n], *y = &b->touches[n];

		if (!x->waves || !y->waves)
			continue;
		if (is_several(x->waves | y->waves))
			wait = WAIT_WORKGROUP;
		else if (is_several(x->lanes | y->lanes))
			wait = WAIT_WAVE;
	}
	return wait;
}

static void add_way(struct finder *f, const struct way *way)
{
	struct way *grown = f->ways;

	if (!(f->way_count & (f->way_count - 1)))
		grown = realloc(grown, (f->way_count ? 2 * f->way_count : 1) *
			sizeof(*grown));
	if (!grown) {
		layout_fail(f->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
		f->ok = false;
		return;
	}
	f->ways = grown;
	grown[f->way_count++] = *way;
}

static void add_ways(struct finder *f, const struct site *a, const struct site *b)
{
	struct way way = { .a = a, .b = b };

	if (a->local != b->local || (!a->put && !b->put))
		return;
	way.wait = meet(a, b);
	if (way.wait == WAIT_NONE)
		return;
	for (; way.level < a->depth && way.level < b->depth &&
	     a->bodies[way.level] == b->bodies[way.level]; way.level++) {
		const struct program_statement *loop = a->loops[way.level];
		unsigned i = a->indices[way.level], k = b->indices[way.level];

		way.again = loop;
		way.free = loop && a->local->loop == loop;
		if (way.again)
			add_way(f, &way);
		way.again = way.free = false;
		if (i < k)
			add_way(f, &way);
	}
}

static enum program_wait wait_at(const struct site *site, unsigned level, unsigned gap)
{
	return site->bodies[level]->statements[gap].wait;
}

/* Do all waves wait for each other while the statement makes its tile? */
static bool waits_inside(const struct finder *f, const struct site *site, unsigned level,
	unsigned i)
{
	const struct program_statement *of = &site->bodies[level]->statements[i];

	return of->kind == STATEMENT_TILE && f->synchronizes[of->tile->number];
}

/* Do the waits of inner bodies lie on the way? */
static bool is_hit_inside(const struct finder *f, const struct way *way)
{
	const struct site *a = way->a, *b = way->b;

	for (unsigned l = way->level + 1; l < a->depth; l++)
		for (unsigned g = a->indices[l] + 1; g < a->bodies[l]->count; g++)
			if (wait_at(a, l, g) >= way->wait || waits_inside(f, a, l, g))
				return true;
	for (unsigned l = way->level + 1; l < b->depth; l++)
		for (unsigned g = 0; g <= b->indices[l]; g++)
			if (wait_at(b, l, g) >= way->wait ||
			    (g < b->indices[l] && waits_inside(f, b, l, g)))
				return true;
	return false;
}

/* Is a gap of the way's own body on it? */
static bool is_on(const struct way *way, unsigned gap)
{
	unsigned i = way->a->indices[way->level], k = way->b->indices[way->level];

	return way->free || (way->again ? gap > i || gap <= k : gap > i && gap <= k);
}

/* Is a statement of that body between the two? */
static bool is_between(const struct way *way, unsigned s)
{
	unsigned i = way->a->indices[way->level], k = way->b->indices[way->level];

	return way->free || (way->again ? s > i || s < k : s > i && s < k);
}

static bool is_hit(const struct finder *f, const struct way *way)
{
	const struct program_body *body = way->a->bodies[way->level];

	for (unsigned g = 0; g < body->count; g++)
		if ((body->statements[g].wait >= way->wait && is_on(way, g)) ||
		    (waits_inside(f, way->a, way->level, g) && is_between(way, g)))
			return true;
	return is_hit_inside(f, way);
}

/* A body's ways that are to be hit by gaps, and a choice of these. */
struct stabbing {
	const struct program_body *body;
	unsigned count;
	const struct way **ways;
	bool *hit;
	unsigned chosen_count, *chosen;
};

static void choose_gap(struct stabbing *s, unsigned gap)
{
	for (unsigned i = 0; i < s->count; i++)
		s->hit[i] = s->hit[i] || is_on(s->ways[i], gap);
	s->chosen[s->chosen_count++] = gap;
}

/* From gap "first" on round to it: always the last gap that is on all ways that would be
 * left behind. */
static void stab_from(struct stabbing *s, unsigned first)
{
	unsigned n = s->body->count;

	s->chosen_count = 0;
	memset(s->hit, 0, s->count * sizeof(*s->hit));
	choose_gap(s, first);
	for (unsigned step = 1; step < n; step++) {
		unsigned gap = (first + step) % n, next = (gap + 1) % n;
		bool last = false;

		for (unsigned i = 0; i < s->count; i++)
			last = last || (!s->hit[i] && is_on(s->ways[i], gap) &&
				(step + 1 == n || !is_on(s->ways[i], next)));
		if (last)
			choose_gap(s, gap);
	}
}

/* The fewest gaps, each before some second access, and marked. */
static void stab(struct stabbing *s, enum program_wait wait, unsigned *best)
{
	unsigned least = s->body->count + 1;

	for (unsigned i = 0; i < s->count; i++) {
		stab_from(s, s->ways[i]->b->indices[s->ways[i]->level]);
		if (s->chosen_count >= least)
			continue;
		least = s->chosen_count;
		memcpy(best, s->chosen, least * sizeof(*best));
	}
	for (unsigned g = 0; s->count && g < least; g++) {
		struct program_statement *before = &s->body->statements[best[g]];

		before->wait = wait;
		for (unsigned i = 0; i < s->count; i++)
			if (is_on(s->ways[i], best[g]))
				before->waited = s->ways[i]->a->local;
	}
}

/* The waits of one kind that stand in a body. */
static void settle(struct finder *f, const struct program_body *body,
	enum program_wait wait)
{
	struct stabbing s = { .body = body,
		.ways = layout_alloc(f->ctx, f->way_count, sizeof(*s.ways)),
		.hit = layout_alloc(f->ctx, f->way_count, sizeof(*s.hit)),
		.chosen = layout_alloc(f->ctx, body->count, sizeof(*s.chosen)) };
	unsigned *best = layout_alloc(f->ctx, body->count, sizeof(*best));

	f->ok = s.ways && s.hit && s.chosen && best;
	for (size_t i = 0; f->ok && i < f->way_count; i++) {
		const struct way *way = &f->ways[i];

		if (way->a->bodies[way->level] == body && way->wait == wait &&
		    !is_hit(f, way))
			s.ways[s.count++] = way;
	}
	if (f->ok)
		stab(&s, wait, best);
	free(best);
	free(s.chosen);
	free(s.hit);
	free(s.ways);
}

/* Inner bodies before the one they are in. */
static void settle_all(struct finder *f, const struct program_body *body,
	enum program_wait wait)
{
	for (unsigned i = 0; f->ok && i < body->count; i++)
		if (body->statements[i].body.count)
			settle_all(f, &body->statements[i].body, wait);
	if (f->ok)
		settle(f, body, wait);
}

bool program_waits_find(layout_context *ctx, layout_program *program,
	const struct local_access *accesses, const bool *synchronizes, unsigned waves)
{
	struct finder f = { .ctx = ctx, .program = program, .accesses = accesses,
		.synchronizes = synchronizes, .waves = waves, .sites = layout_alloc(ctx, MOST_ACCESSES,
		sizeof(*f.sites)) };

	f.ok = f.sites;
	if (f.ok)
		find_sites(&f, &program->body, NULL);
	for (unsigned i = 0; f.ok && i < f.site_count; i++)
		for (unsigned k = 0; f.ok && k < f.site_count; k++)
			add_ways(&f, &f.sites[i], &f.sites[k]);
	if (f.ok)
		settle_all(&f, &program->body, WAIT_WORKGROUP);
	if (f.ok)
		settle_all(&f, &program->body, WAIT_WAVE);
	for (unsigned i = 0; f.sites && i < f.site_count; i++)
		free(f.sites[i].touches);
	free(f.sites);
	free(f.ways);
	return f.ok;
}
