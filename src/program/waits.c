/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A wait stands in the gap before a statement of a body.  Two accesses that meet have one
 * on every way from the first to the second.
 *
 *	a, b in one body	the gaps behind a up to that before b
 *	a, b in its loop	where b is in a later step: those behind a, and from the
 *				first one up to that before b
 *
 * and those of inner bodies behind a, or before b, on the same way.  Inner loops come first,
 * and each has the fewest that hit all its ways: intervals, on a line or on a circle.
 *
 * Puts that are ahead of their loop's steps are made for the first ones before that: gaps of its body
 * are not before those.  Where copies are direct, one that is ahead is done in an earlier step
 * than what it is for; and at the gap that is the last on a way, its first access is waited for. */
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
	bool put, direct;	/* of the puts, those that go there directly, and steps ahead; */
	unsigned ahead;
	bool early;		/* and is it made before its loop, too? */
	struct program_body *bodies[MOST_DEPTH];
	const struct program_statement *loops[MOST_DEPTH];	/* NULL: no loop's body */
	unsigned indices[MOST_DEPTH];
	struct touch *touches;
};

/* The ways from site a to site b that begin and end in the body at "level": in a later step
 * of its loop, "again"; where any gap of that is on the way, it is "free"; where a may be
 * before the first step, only those of b's own step are, which the way "enters". */
struct way {
	const struct site *a, *b;
	unsigned level;
	bool again, free, enters;
	enum program_wait wait;
};

struct finder {
	layout_context *ctx;
	layout_program *program;
	const struct local_access *accesses;
	const bool *synchronizes;
	bool lands;
	bool direct;
	struct site here;
	unsigned site_count;
	struct site *sites;
	size_t way_count;
	struct way *ways;
	bool ok;
};

/* What touches each element: waves of the tile beyond the owner's get what these do, and lanes as
 * well. */
static struct touch *find_touches(const struct finder *f, const struct site *site,
	const layout_tile *tile, const struct program_place *place)
{
	const struct local_access *access = &f->accesses[site->number];
	struct touch *touches = layout_alloc(f->ctx,
		(size_t)program_local_elements(site->local), sizeof(*touches));
	struct owner_walk walk;
	unsigned own = (unsigned)access->owner->extent[OWNER_SUBGROUP];
	unsigned waves = (unsigned)program_tile_waves(tile);
	unsigned lanes = (unsigned)access->owner->extent[OWNER_LANE];

	owner_walk_begin(&walk, access->owner);
	do {
		int64_t element = 0;

		for (unsigned d = 0; d < tile->rank; d++)
			element = element * site->local->box[d] + walk.at[d] +
				place->at[d].index->value;
		for (unsigned w = (unsigned)walk.hw[OWNER_SUBGROUP]; touches && w < waves;
		     w += site->put ? waves : own)
			if (!site->put || local_access_puts(access, walk.hw))
				touches[element].waves |= (uint32_t)1 <<
					program_workers_wave(f->program, tile->workers, w);
		for (unsigned l = (unsigned)walk.hw[OWNER_LANE]; touches && l < MOST_LANES;
		     l += site->put ? MOST_LANES : lanes)
			if (!site->put || local_access_puts(access, walk.hw))
				touches[element].lanes |= (uint64_t)1 << l;
	} while (touches && owner_walk_next(&walk));
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
	site->direct = put && f->direct && tile->piece;
	site->ahead = site->direct ? of->ahead : 0;
	site->early = put && (site->direct ? of->ahead : of->early_steps);
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

/* What two accesses have to wait for, one of which is a put: direct ones are nothing that a
 * lane does in its turn. */
static enum program_wait meet(const struct site *a, const struct site *b)
{
	bool direct = a->direct || b->direct;
	int64_t count = program_local_elements(a->local);
	enum program_wait wait = WAIT_NONE;

	for (int64_t n = 0; n < count && wait < WAIT_WORKGROUP; n++) {
		const struct touch *x = &a->touches[n], *y = &b->touches[n];

		if (!x->waves || !y->waves)
			continue;
		if (is_several(x->waves | y->waves))
			wait = WAIT_WORKGROUP;
		else if (direct || is_several(x->lanes | y->lanes))
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

/* In the loop whose steps have copies of their own of the object: is there a step between
 * that in which a is done and that in which b is, for the step that has the same copy? */
static bool is_free(const struct site *a, const struct site *b)
{
	return a->local->stages + a->ahead - b->ahead > 1;
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

		bool ring = loop && a->local->loop == loop;

		way.enters = ring && a->ahead > b->ahead;
		way.again = loop && !way.enters;
		way.free = way.again && ring && is_free(a, b);
		if (way.again || way.enters)
			add_way(f, &way);
		way.again = way.free = way.enters = false;
		if (i < k && !(ring && (a->ahead || b->ahead)))
			add_way(f, &way);
	}
}

static enum program_wait wait_at(const struct site *site, unsigned level, unsigned gap)
{
	return site->bodies[level]->statements[gap].wait;
}

/* Do all waves wait for each other, and for the way's first access, while the statement makes its
 * tile? */
static bool waits_inside(const struct finder *f, const struct way *way,
	const struct program_statement *of)
{
	return of->kind == STATEMENT_TILE && f->synchronizes[of->tile->number] &&
		(f->lands || !way->a->direct);
}

/* Do the waits of inner bodies lie on the way? */
static bool is_hit_inside(const struct finder *f, const struct way *way)
{
	const struct site *a = way->a, *b = way->b;

	for (unsigned l = way->level + 1; l < a->depth; l++)
		for (unsigned g = a->indices[l] + 1; g < a->bodies[l]->count; g++)
			if (wait_at(a, l, g) >= way->wait ||
			    waits_inside(f, way, &a->bodies[l]->statements[g]))
				return true;
	for (unsigned l = way->level + 1; l < b->depth - b->early; l++)
		for (unsigned g = 0; g <= b->indices[l]; g++)
			if (wait_at(b, l, g) >= way->wait ||
			    (g < b->indices[l] &&
			     waits_inside(f, way, &b->bodies[l]->statements[g])))
				return true;
	return false;
}

/* Is a gap of the way's own body on it? */
static bool is_on(const struct way *way, unsigned gap)
{
	unsigned i = way->a->indices[way->level], k = way->b->indices[way->level];

	return way->enters ? gap <= k :
		way->free || (way->again ? gap > i || gap <= k : gap > i && gap <= k);
}

/* Is a statement of that body between the two? */
static bool is_between(const struct way *way, unsigned s)
{
	unsigned i = way->a->indices[way->level], k = way->b->indices[way->level];

	return way->enters ? s < k :
		way->free || (way->again ? s > i || s < k : s > i && s < k);
}

static bool is_hit(const struct finder *f, const struct way *way)
{
	const struct program_body *body = way->a->bodies[way->level];

	for (unsigned g = 0; g < body->count; g++)
		if ((body->statements[g].wait >= way->wait && is_on(way, g)) ||
		    (waits_inside(f, way, &body->statements[g]) && is_between(way, g)))
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

/* ---- what is done at a gap, where copies are direct */

/* Instructions by which all waves copy that have some of the site's, of the statements of its
 * body from "first" on up to "end": with "before" those that are made for a step before the first
 * one, too. */
static unsigned count_copies(const struct finder *f, const struct site *site, unsigned first,
	unsigned end, bool before)
{
	int64_t waves = f->accesses[site->number].owner->extent[OWNER_SUBGROUP];
	const struct program_body *body = site->bodies[site->depth - 1];
	unsigned count = 0;

	for (unsigned i = first; i < end; i++) {
		const struct program_statement *of = &body->statements[i];
		const struct owner *owner = of->kind == STATEMENT_PUT && of->tile->piece ?
			f->accesses[of->access].owner : NULL;

		if (owner && (of->ahead || !before) &&
		    of->tile->workers == site->of->tile->workers &&
		    owner->extent[OWNER_SUBGROUP] >= waves)
			count += (unsigned)owner->extent[OWNER_REGISTER] *
				local_bytes_of(of->tile->type) / of->tile->piece;
	}
	return count;
}

/* Steps of the loop from that which does the first access to that which does the second. */
static unsigned count_steps(const struct way *way)
{
	if (way->enters)
		return way->a->ahead;
	return !way->again ? 0 : way->free && way->a->ahead ? way->a->local->stages : 1;
}

/* Those that these waves have begun since the way's first access, which is one, at a gap of
 * its body: in the step of the second access, or with "before" in the one before that. */
static unsigned count_since(const struct finder *f, const struct way *way, unsigned gap,
	bool before)
{
	unsigned i = way->a->indices[way->level], steps = count_steps(way) - before;
	unsigned n = way->a->bodies[way->level]->count;
	bool ahead = way->a->ahead;

	if (way->level + 1 != way->a->depth || !way->a->direct)
		return 0;
	if (!steps)
		return gap > i ? count_copies(f, way->a, i + 1, gap, false) : 0;
	return count_copies(f, way->a, i + 1, n, ahead) +
		count_copies(f, way->a, 0, gap, before && ahead) +
		(steps - 1) * count_copies(f, way->a, 0, n, ahead);
}

/* All of them, or all but so many copies. */
static void land(const struct way *way, struct program_statement *at, unsigned copies)
{
	struct program_landing *landing = &at->direct;

	if (!way->a->direct)
		landing->accesses = true;
	else if (landing->copies < 0 || (int)copies < landing->copies)
		landing->copies = (int)copies;
}

/* Has the copy that is the way's first access landed at this gap anyway? */
static bool has_landed(const struct way *way, const struct program_statement *at,
	unsigned copies)
{
	return way->a->direct && at->direct.copies >= 0 && at->direct.copies <= (int)copies;
}

/* At the last gap on the way that is of its own body, unless it is done at some; false: there is
 * none. */
static bool land_on(const struct finder *f, const struct way *way)
{
	struct program_body *body = way->a->bodies[way->level];
	unsigned n = body->count, k = way->b->indices[way->level];
	unsigned gaps = way->again ? n : k + 1, copies = 0;
	struct program_statement *last = NULL;

	for (unsigned back = 0; back < gaps; back++) {
		unsigned gap = (k + n - back) % n, since = count_since(f, way, gap, back > k);
		struct program_statement *at = &body->statements[gap];

		if (at->wait < way->wait || !is_on(way, gap))
			continue;
		if (has_landed(way, at, since))
			return true;
		if (!last)
			copies = since;
		last = last ? last : at;
	}
	if (last)
		land(way, last, copies);
	return last;
}

/* At all gaps of inner bodies that are on the way.  A loop that copies ahead is left with all of
 * that done. */
static void land_inside(const struct way *way)
{
	const struct site *a = way->a, *b = way->b;

	for (unsigned l = way->level + 1; l < a->depth; l++)
		for (unsigned g = a->indices[l] + 1; g < a->bodies[l]->count; g++)
			if (wait_at(a, l, g) >= way->wait)
				land(way, &a->bodies[l]->statements[g], 0);
	for (unsigned l = way->level + 1; l < b->depth; l++)
		for (unsigned g = 0; g <= b->indices[l]; g++)
			if (wait_at(b, l, g) >= way->wait)
				land(way, &b->bodies[l]->statements[g], 0);
}

/* The waits that were found become those of direct copies. */
static void keep_landings(struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		struct program_statement *of = &body->statements[i];

		of->direct.wait = of->wait;
		of->direct.waited = of->waited;
		of->wait = WAIT_NONE;
		of->waited = NULL;
		keep_landings(&of->body);
	}
}

static void clear_landings(struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		body->statements[i].direct = (struct program_landing){ .copies = -1 };
		clear_landings(&body->statements[i].body);
	}
}

/* Copies that are got, and what is not copied, before copies that only others follow. */
static void find_landings(const struct finder *f)
{
	clear_landings(&f->program->body);
	for (unsigned others = 0; others < 2; others++)
		for (size_t i = 0; i < f->way_count; i++) {
			const struct way *way = &f->ways[i];

			if ((way->a->direct && way->b->put) == others &&
			    !land_on(f, way) && !way->a->ahead)
				land_inside(way);
		}
	keep_landings(&f->program->body);
}

static bool find(struct finder f)
{
	f.sites = layout_alloc(f.ctx, MOST_ACCESSES, sizeof(*f.sites));
	f.ok = f.sites;
	if (f.ok)
		find_sites(&f, &f.program->body, NULL);
	for (unsigned i = 0; f.ok && i < f.site_count; i++)
		for (unsigned k = 0; f.ok && k < f.site_count; k++)
			add_ways(&f, &f.sites[i], &f.sites[k]);
	if (f.ok)
		settle_all(&f, &f.program->body, WAIT_WORKGROUP);
	if (f.ok)
		settle_all(&f, &f.program->body, WAIT_WAVE);
	if (f.ok && f.direct)
		find_landings(&f);
	for (unsigned i = 0; f.sites && i < f.site_count; i++)
		free(f.sites[i].touches);
	free(f.sites);
	free(f.ways);
	return f.ok;
}

bool program_waits_find(layout_context *ctx, layout_program *program,
	const struct local_access *accesses, const bool *synchronizes, bool lands)
{
	struct finder f = { .ctx = ctx, .program = program, .accesses = accesses,
		.synchronizes = synchronizes, .lands = lands };
	bool direct = false;

	for (unsigned i = 0; i < program->tile_count; i++)
		direct = direct || program->tiles[i]->piece;
	f.direct = direct;
	if (direct && !find(f))
		return false;
	f.direct = false;
	return find(f);
}

static bool copies_ahead(const struct program_body *body)
{
	bool ahead = false;

	for (unsigned i = 0; i < body->count; i++)
		ahead = ahead || body->statements[i].ahead;
	return ahead;
}

/* May copies be under way where statement "end" of a body begins, where they may be before them
 * all, or not?  A body may have no turn; a loop that copies ahead is left with all of that
 * done. */
static bool leaves_copies(const struct program_body *body, unsigned end, bool copies)
{
	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *of = &body->statements[i];

		if (of->direct.wait != WAIT_NONE && of->direct.copies >= 0)
			copies = false;
		if (i == end)
			break;
		if (of->kind == STATEMENT_PUT)
			copies = copies || of->tile->piece;
		copies = !copies_ahead(&of->body) &&
			(leaves_copies(&of->body, of->body.count, copies) || copies);
	}
	return copies;
}

bool program_waits_leave_copies(const layout_program *program, unsigned end)
{
	return leaves_copies(&program->body, end, false);
}
