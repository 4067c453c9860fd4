/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/direct.h"
#include "program/local.h"

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

bool direct_is_multiple(const struct index *index, int64_t of)
{
	struct index *const *arg = index->arg;

	switch (index->op) {
	case INDEX_INT:
		return index->value % of == 0;
	case INDEX_ADD: case INDEX_SUB:
		return direct_is_multiple(arg[0], of) && direct_is_multiple(arg[1], of);
	case INDEX_MUL:
		return direct_is_multiple(arg[0], of) || direct_is_multiple(arg[1], of);
	default:
		return of == 1;
	}
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

/* Memories whose slots are coordinates, the last of which steps from element to element. */
static bool is_plain(struct search *s)
{
	const struct storage_access *access = s->copy->access;
	unsigned last = access->slot_count - 1;
	bool plain = !access->twisted && access->pitch[last]->op == INDEX_INT &&
		access->pitch[last]->value == 1;

	for (unsigned k = 0; plain && k < access->slot_count; k++)
		plain = !access->digits[k].radix && access->digits[k].step == 1 &&
			access->digits[k].dim < access->rank;
	for (unsigned d = 0; plain && d < s->copy->at->rank; d++)
		plain = !s->copy->at->gather[d];
	if (!plain)
		layout_buffer_printf(&s->why, "the elements of `%s` are not where its "
			"coordinates alone say", s->copy->from->name);
	return plain;
}

/* Does the copy begin with a piece? */
static bool begins_with_piece(struct search *s)
{
	const struct storage_access *access = s->copy->access;
	unsigned dim = access->digits[access->slot_count - 1].dim;
	const struct program_index *at = &s->copy->at->at[dim];

	if (direct_is_multiple(at->index, s->vector))
		return true;
	layout_buffer_printf(&s->why, "`%s` is no multiple of the %u elements of a piece",
		at->size.text, s->vector);
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
	int64_t pieces = s->count / s->vector, align = s->copy->piece == 16 ? 16 : 4;

	s->lanes = s->copy->wave_size;
	if (s->count % s->vector || pieces % s->lanes) {
		layout_buffer_printf(&s->why, "%" PRId64 " elements are no whole pieces of %u "
			"bytes for all lanes of a wave", s->count, s->copy->piece);
		return false;
	}
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

/* Are the elements of all pieces neighbours in memory, from a multiple of as many on? */
static bool check_pieces(struct search *s)
{
	const struct storage_access *access = s->copy->access;
	unsigned dim = access->digits[access->slot_count - 1].dim;

	for (int64_t i = 0; i < s->segments; i++)
		for (int64_t n = 0; n < s->lanes * s->vector; n++) {
			int64_t begin = s->first[i] + n - n % s->vector;
			int64_t a[PROGRAM_RANK] = { 0 }, b[PROGRAM_RANK] = { 0 };
			char x[LOCAL_POINT], y[LOCAL_POINT];

			point_of(s, s->holder[begin], a);
			point_of(s, s->holder[s->first[i] + n], b);
			b[dim] -= n % s->vector;
			if (a[dim] % s->vector == 0 && !memcmp(a, b, s->copy->local->rank *
			    sizeof(*a)))
				continue;
			layout_buffer_printf(&s->why, "lane %" PRId64 " writes %s and %s side "
				"by side, and `%s` has them apart", n / s->vector,
				point_text(s, x, s->holder[begin]), point_text(s, y,
				s->holder[begin + (n % s->vector ? n % s->vector : 1)]),
				s->copy->from->name);
			return false;
		}
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
	else if (is_plain(&s) && begins_with_piece(&s) && find_holders(&s) &&
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

static void find_in(const layout_program *program, const struct program_statement *loop,
	struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		struct program_statement *of = &body->statements[i];

		of->ahead = of->copy && of->tile->piece && loop && of->memory->loop == loop &&
			of->tile->memory->access == LAYOUT_ACCESS_IN &&
			count_writes(&program->body, of->memory) == 1 ?
			of->memory->stages - 1 : 0;
		find_in(program, of->kind == STATEMENT_FOR ? of : NULL, &of->body);
	}
}

void direct_find_ahead(layout_program *program)
{
	find_in(program, NULL, &program->body);
}
