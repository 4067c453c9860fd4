/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/direct.h"
#include "isl_bridge/arithmetic.h"
#include "program/local.h"
#include "program/sight.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of a copy by one wave: each has a place and an offset in scalar registers. */
enum { MOST_ACCESSES = 16 };

/* A search for the owner.  "holder" has the element at an offset of the object, or -1; from
 * first[n] on, all lanes of the n-th instruction have their pieces. */
struct search {
	layout_context *ctx;
	const struct direct_copy *copy;
	unsigned bytes, vector;		/* of an element; elements of a piece */
	int64_t count, span, lanes, segments;
	int64_t *holder, *first;
	struct layout_buffer why;
};

/* Is an index a multiple of that for all values of the variables? */
static bool is_multiple(const struct index *index, int64_t of)
{
	struct index *const *arg = index->arg;

	switch (index->op) {
	case INDEX_INT:
		return index->value % of == 0;
	case INDEX_ADD: case INDEX_SUB:
		return is_multiple(arg[0], of) && is_multiple(arg[1], of);
	case INDEX_MUL:
		return is_multiple(arg[0], of) || is_multiple(arg[1], of);
	default:
		return of == 1;
	}
}

bool direct_goes_apart(const struct storage_access *access, const struct program_place *at)
{
	bool apart = !access->twisted && !program_gathers(at);

	for (unsigned k = 0; apart && k < access->slot_count; k++) {
		const struct digit *digit = &access->digits[k];

		if (digit->dim < at->rank)
			apart = is_multiple(at->at[digit->dim].index, digit->step) &&
				(!digit->radix || is_multiple(at->at[digit->dim].index,
				digit_end(digit)));
	}
	return apart;
}

/* The coordinates of an element of the box. */
static void point_of(const struct search *s, int64_t element, int64_t *at)
{
	const layout_memory *local = s->copy->local;

	for (unsigned d = local->rank; d-- > 0; element /= local->box[d])
		at[d] = element % local->box[d];
}

static const char *point_text(const struct search *s, char text[LOCAL_POINT], int64_t element)
{
	local_point(text, element, s->copy->local->box, s->copy->local->rank);
	return text;
}

/* The number of what an index tile has for a point of the box. */
static int64_t index_number(const layout_tile *index, const layout_memory *local,
	const int64_t *point)
{
	int64_t number = 0;

	for (unsigned d = 0; d < index->rank; d++)
		number = number * index->box[d] + (index->box[d] == 1 ? 0 :
			point[local->rank - index->rank + d]);
	return number;
}

/* Where an element is in memory, from the position on; in what is gathered, which index says so. */
static void memory_point(const struct search *s, int64_t element, int64_t *at)
{
	const struct direct_copy *copy = s->copy;
	int64_t point[PROGRAM_RANK];

	point_of(s, element, point);
	if (copy->from->sight) {
		sight_near(copy->from->sight, copy->local->box, point, at);
		return;
	}
	for (unsigned d = 0; d < copy->at->rank; d++)
		at[d] = copy->at->gather[d] ? index_number(copy->at->gather[d], copy->local,
			point) : point[d];
}

/* What an expression does while a variable goes from a multiple of "unit" up to the next: it stays
 * the same, or counts with it, from a multiple on as well. */
enum course { COURSE_STAYS, COURSE_COUNTS, COURSE_OTHER };

static bool is_int(const struct index *index, int64_t multiple)
{
	return index->op == INDEX_INT && index->value % multiple == 0;
}

/* Of an operation whose first argument counts, and the others stay. */
static enum course course_behind(const struct index *index, int64_t unit)
{
	struct index *const *arg = index->arg;

	switch (index->op) {
	case INDEX_ADD:
		return is_multiple(arg[1], unit) ? COURSE_COUNTS : COURSE_OTHER;
	case INDEX_XOR:
		return int_is_power2(unit) && is_multiple(arg[1], unit) ? COURSE_COUNTS :
			COURSE_OTHER;
	case INDEX_PMOD:
		return is_int(arg[1], unit) ? COURSE_COUNTS : COURSE_OTHER;
	case INDEX_PDIV: case INDEX_LT:
		return is_int(arg[1], unit) ? COURSE_STAYS : COURSE_OTHER;
	default:
		return COURSE_OTHER;
	}
}

static enum course course_of(const struct index *index, unsigned variable, int64_t unit)
{
	enum course of[3] = { COURSE_STAYS, COURSE_STAYS, COURSE_STAYS };

	if (index->op == INDEX_VAR)
		return index->var == variable ? COURSE_COUNTS : COURSE_STAYS;
	for (unsigned i = 0; i < index->arg_count; i++)
		of[i] = course_of(index->arg[i], variable, unit);
	if (of[0] == COURSE_STAYS && of[1] == COURSE_STAYS && of[2] == COURSE_STAYS)
		return COURSE_STAYS;
	if (index->op == INDEX_SELECT && of[0] == COURSE_STAYS && of[1] == of[2])
		return of[1];
	if (index->op == INDEX_ADD && of[0] == COURSE_STAYS && of[1] == COURSE_COUNTS)
		return is_multiple(index->arg[0], unit) ? COURSE_COUNTS : COURSE_OTHER;
	return of[0] == COURSE_COUNTS && of[1] == COURSE_STAYS ? course_behind(index, unit) :
		COURSE_OTHER;
}

/* The variable that is a coordinate, in the expression of a slot of it. */
static int variable_of(const struct index *slot)
{
	while (slot->op != INDEX_VAR && slot->arg_count)
		slot = slot->arg[0];
	return slot->op == INDEX_VAR ? (int)slot->var : -1;
}

/* Does the last slot count elements of a coordinate, and no other slot change with them from a
 * multiple of a piece up to the next? */
static bool has_pieces(const struct search *s)
{
	const struct storage_access *access = s->copy->access;
	unsigned last = access->slot_count - 1, dim = access->digits[last].dim;
	const struct index *pitch = access->pitch[last];
	int variable = variable_of(access->slot[last]);
	bool good;

	good = variable >= 0 && index_is(pitch, 1) &&
		!s->copy->at->gather[dim];
	for (unsigned k = 0; good && k <= last; k++)
		good = course_of(access->slot[k], (unsigned)variable, s->vector) ==
			(k == last ? COURSE_COUNTS : COURSE_STAYS);
	return good;
}

/* Does the copy begin with a piece? */
static bool begins_with_piece(struct search *s)
{
	const struct storage_access *access = s->copy->access;
	unsigned dim = access->digits[access->slot_count - 1].dim;

	if (s->vector == 1 || !has_pieces(s) ||
	    is_multiple(s->copy->at->at[dim].index, s->vector))
		return true;
	layout_buffer_printf(&s->why, "lane 0 writes bytes 0 to %u of `%s` at once, and the copy "
		"begins in `%s` at no multiple of their %u elements", s->copy->piece - 1,
		s->copy->local->name, s->copy->from->name, s->vector);
	return false;
}

static bool find_holders(struct search *s)
{
	s->count = program_local_elements(s->copy->local);
	for (int64_t n = 0; n < s->count; n++)
		if (s->copy->offsets[n] >= s->span)
			s->span = s->copy->offsets[n] + 1;
	s->holder = layout_alloc(s->ctx, (size_t)s->span, sizeof(*s->holder));
	s->first = layout_alloc(s->ctx, (size_t)s->count, sizeof(*s->first));
	for (int64_t p = 0; s->holder && p < s->span; p++)
		s->holder[p] = -1;
	for (int64_t n = 0; s->holder && n < s->count; n++)
		s->holder[s->copy->offsets[n]] = n;
	return s->holder && s->first;
}

static int64_t next_held(const struct search *s, int64_t p)
{
	while (p < s->span && s->holder[p] < 0)
		p++;
	return p;
}

/* A piece that is written in a gap, where the element that comes next wants to be behind. */
static bool deny_gap(struct search *s, int64_t begin, int64_t gap)
{
	int64_t next = next_held(s, gap), lane = (gap - begin) / s->vector;
	char point[LOCAL_POINT];

	layout_buffer_printf(&s->why, "lane %" PRId64 " writes byte %" PRId64 " of `%s`, and ",
		lane, gap * s->bytes, s->copy->local->name);
	if (next < s->span)
		layout_buffer_printf(&s->why, "the element that is its, %s, wants byte %" PRId64,
			point_text(s, point, s->holder[next]), next * s->bytes);
	else
		layout_buffer_printf(&s->why, "no element wants it");
	return false;
}

/* Cut what is held into what a wave writes at once. */
static bool find_segments(struct search *s)
{
	int64_t align = s->copy->piece == 16 ? 16 : 4;

	s->lanes = s->copy->wave_size;
	for (int64_t p = next_held(s, 0); p < s->span; p = next_held(s, p)) {
		int64_t end = p + s->lanes * s->vector;

		if (p * s->bytes % align) {
			layout_buffer_printf(&s->why, "byte %" PRId64 " of `%s`, where a wave "
				"begins, is no multiple of %" PRId64, p * s->bytes,
				s->copy->local->name, align);
			return false;
		}
		for (int64_t q = p; q < end; q++)
			if (q >= s->span || s->holder[q] < 0)
				return deny_gap(s, p, q);
		s->first[s->segments++] = p;
		p = end;
	}
	return true;
}

/* Does memory have the element of offset p right behind that of the offset before, or does a piece
 * begin there? */
static bool is_in_piece(const struct search *s, unsigned dim, int64_t p, bool begins)
{
	int64_t at[PROGRAM_RANK] = { 0 }, before[PROGRAM_RANK] = { 0 };

	memory_point(s, s->holder[p], at);
	if (begins)
		return at[dim] % s->vector == 0;
	memory_point(s, s->holder[p - 1], before);
	before[dim]++;
	return !memcmp(at, before, s->copy->at->rank * sizeof(*at));
}

/* A piece of which memory has elements apart: that at offset p, and the one before, or behind. */
static bool deny_piece(struct search *s, int64_t lane, int64_t p, bool begins)
{
	char x[LOCAL_POINT], y[LOCAL_POINT];

	p += begins;
	layout_buffer_printf(&s->why, "lane %" PRId64 " writes bytes %" PRId64 " and %" PRId64
		" of `%s` at once, and %s and %s, which want these, are no such piece of `%s`",
		lane, (p - 1) * s->bytes, p * s->bytes, s->copy->local->name,
		point_text(s, x, s->holder[p - 1]), point_text(s, y, s->holder[p]),
		s->copy->from->name);
	return false;
}

/* Are the elements of all pieces neighbours in memory, from a multiple of as many on? */
static bool check_pieces(struct search *s)
{
	const struct storage_access *access = s->copy->access;
	unsigned dim = access->digits[access->slot_count - 1].dim;
	bool pieces = s->vector > 1 && has_pieces(s);

	for (int64_t i = 0; s->vector > 1 && i < s->segments; i++)
		for (int64_t n = 0; n < s->lanes * s->vector; n++)
			if (!pieces || !is_in_piece(s, dim, s->first[i] + n, n % s->vector == 0))
				return deny_piece(s, n / s->vector, s->first[i] + n,
					n % s->vector == 0);
	return true;
}

/* Where what a lane has in a register is written. */
static int64_t written_at(const struct search *s, int64_t waves, const int64_t hw[OWNER_PARTS])
{
	int64_t r = hw[OWNER_REGISTER];

	return s->first[r / s->vector * waves + hw[OWNER_SUBGROUP]] +
		hw[OWNER_LANE] * s->vector + r % s->vector;
}

/* A lane's piece that is not what digits say. */
static void deny_digits(struct search *s, const struct owner *owner,
	const int64_t hw[OWNER_PARTS])
{
	int64_t at[OWNER_RANK], p = written_at(s, owner->extent[OWNER_SUBGROUP], hw);
	char point[LOCAL_POINT];

	owner_point(owner, hw, at);
	layout_buffer_printf(&s->why, "what its lanes load follows from no digits and no XORs: "
		"lane %" PRId64 " writes byte %" PRId64 " of `%s`, which %s wants, and digits have "
		"it load (", hw[OWNER_LANE], p * s->bytes, s->copy->local->name,
		point_text(s, point, s->holder[p]));
	for (unsigned d = 0; d < owner->rank; d++)
		layout_buffer_printf(&s->why, "%s%" PRId64, d ? ", " : "", at[d]);
	layout_buffer_printf(&s->why, ")");
}

/* Waves take turns, so that those of one instruction are side by side. */
static struct owner *read_owner(struct search *s)
{
	const layout_memory *local = s->copy->local;
	int64_t waves = s->copy->waves, hw[OWNER_PARTS] = { 0 }, *images;
	struct owner *owner;
	bool known;

	while (s->segments % waves)
		waves--;
	if (s->segments / waves > MOST_ACCESSES) {
		layout_buffer_printf(&s->why, "%" PRId64 " accesses of a wave are more than the %d "
			"whose places it has registers for", s->segments / waves, MOST_ACCESSES);
		return NULL;
	}
	owner = layout_alloc(s->ctx, 1, sizeof(*owner));
	images = layout_alloc(s->ctx, (size_t)s->count * local->rank, sizeof(*images));
	if (!owner || !images) {
		free(images);
		free(owner);
		return NULL;
	}
	*owner = (struct owner){ .rank = local->rank, .extent = { waves, s->lanes,
		s->segments / waves * s->vector } };
	memcpy(owner->box, local->box, local->rank * sizeof(*owner->box));
	do {
		point_of(s, s->holder[written_at(s, waves, hw)],
			images + owner_number(owner, hw) * local->rank);
	} while (owner_next(owner, hw));
	memset(hw, 0, sizeof(hw));
	known = owner_read(owner, images, hw);
	free(images);
	if (known)
		return owner;
	deny_digits(s, owner, hw);
	free(owner);
	return NULL;
}

struct owner *direct_owner(layout_context *ctx, const struct direct_copy *copy, char **why)
{
	struct search s = { .ctx = ctx, .copy = copy,
		.bytes = local_bytes_of(copy->local->type) };
	struct owner *owner = NULL;

	*why = NULL;
	s.vector = copy->piece / s.bytes;
	if (copy->local->type->bits < 8 || copy->piece % s.bytes)
		layout_buffer_printf(&s.why, "no elements of %s are %u bytes",
			copy->local->type->name, copy->piece);
	else if (begins_with_piece(&s) && find_holders(&s) &&
	    find_segments(&s) && check_pieces(&s))
		owner = read_owner(&s);
	free(s.holder);
	free(s.first);
	if (s.why.text || s.why.failed)
		*why = layout_buffer_take(ctx, &s.why);
	return owner;
}

/* ---- how far ahead */

static unsigned count_writes(const struct program_body *body, const layout_memory *local)
{
	unsigned count = 0;

	for (unsigned i = 0; i < body->count; i++)
		count += (body->statements[i].kind == STATEMENT_PUT &&
			body->statements[i].memory == local) +
			count_writes(&body->statements[i].body, local);
	return count;
}

static bool is_made_in(const struct program_body *body, const layout_tile *tile)
{
	bool made = false;

	for (unsigned i = 0; !made && i < body->count; i++)
		made = body->statements[i].kind == STATEMENT_TILE ?
			body->statements[i].tile == tile :
			is_made_in(&body->statements[i].body, tile);
	return made;
}

/* Are the indices by which it gathers those of one step alone, made there or carried to it? */
static bool gathers_in(const struct program_body *body, const struct program_place *place)
{
	bool gathers = false;

	for (unsigned d = 0; d < place->rank; d++)
		gathers = gathers || (place->gather[d] && (place->gather[d]->op == TILE_CARRY ||
			is_made_in(body, place->gather[d])));
	return gathers;
}

static void find_in(const layout_program *program, const struct program_statement *loop,
	struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		struct program_statement *of = &body->statements[i];

		of->ahead = of->copy && of->tile->piece && loop && of->memory->loop == loop &&
			of->tile->memory->access == LAYOUT_ACCESS_IN &&
			count_writes(&program->body, of->memory) == 1 &&
			!gathers_in(body, &of->tile->place) ?
			of->memory->stages - 1 : 0;
		find_in(program, of->kind == STATEMENT_FOR ? of : NULL, &of->body);
	}
}

void direct_find_ahead(layout_program *program)
{
	find_in(program, NULL, &program->body);
}
