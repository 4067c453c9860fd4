/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations as owners: listed point by point. */
#include "algebra/owner/owner.h"
#include "algebra/owner/roles.h"
#include "isl_bridge/relation.h"

#include <inttypes.h>
#include <layout/view.h>
#include <stdlib.h>
#include <string.h>

#define MOST_POINTS ((int64_t)1 << 22)

#define REFUSE(given, kind, ...) \
	(layout_fail((given)->ctx, LAYOUT_ERROR_##kind, -1, "the owner: " __VA_ARGS__), false)

/* Images and what is seen are by the number of the point. */
struct given {
	layout_context *ctx;
	struct owner *owner;
	unsigned wave_size;
	struct owner_inputs inputs;
	int64_t lanes, wave;	/* numbered by the inputs; those of a subgroup */
	int64_t *images;
	bool *seen, *held;	/* points; elements */
	bool ok;
};

static void print_point(struct layout_buffer *out, const int64_t *point, unsigned rank)
{
	for (unsigned d = 0; d < rank; d++)
		layout_buffer_printf(out, "%s%" PRId64, d ? ", " : "(", point[d]);
	layout_buffer_printf(out, ")");
}

/* "no lane holds (0, 5)" */
static bool refuse_point(const struct given *given, const char *says, const int64_t *point)
{
	struct layout_buffer out = { 0 };
	char *text;
	bool ok;

	print_point(&out, point, given->owner->rank);
	text = layout_buffer_take(given->ctx, &out);
	ok = text && REFUSE(given, INVALID, "%s %s", says, text);
	free(text);
	return ok;
}

/* The extents of the parts: the product of those of their inputs, but that threads
 * beyond the wave are subgroups. */
static bool find_parts(struct given *given)
{
	int64_t *extent = given->owner->extent;
	bool threads = false;

	for (unsigned i = 0; i < given->inputs.count; i++) {
		threads = threads || given->inputs.roles[i] == ROLE_THREAD;
		if (given->inputs.roles[i] == ROLE_BLOCK && given->inputs.extents[i] > 1)
			return REFUSE(given, UNSUPPORTED, "it is of %" PRId64
				" workgroups, not of one", given->inputs.extents[i]);
	}
	if (!owner_inputs_number(&given->inputs, MOST_POINTS, extent))
		return REFUSE(given, UNSUPPORTED, "it has too many points");
	given->wave = given->lanes = extent[OWNER_LANE];
	if (given->lanes <= given->wave_size)
		return true;
	if (!threads)
		return REFUSE(given, INVALID, "needs %" PRId64 " lanes, has %u",
			given->lanes, given->wave_size);
	if (given->lanes % given->wave_size)
		return REFUSE(given, UNSUPPORTED, "%" PRId64
			" threads are no whole waves of %u lanes", given->lanes,
			given->wave_size);
	given->wave = extent[OWNER_LANE] = given->wave_size;
	extent[OWNER_SUBGROUP] *= given->lanes / given->wave;
	return true;
}

/* The numbers of the parts of an input. */
static void number_input(const struct given *given, const int64_t *in,
	int64_t hw[OWNER_PARTS])
{
	int64_t threads;

	owner_inputs_at(&given->inputs, in, hw);
	threads = hw[OWNER_SUBGROUP] * given->lanes + hw[OWNER_LANE];
	hw[OWNER_SUBGROUP] = threads / given->wave;
	hw[OWNER_LANE] = threads % given->wave;
}

/* A pair; false ends the visit. */
static bool take_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned rank)
{
	struct given *given = user;
	int64_t hw[OWNER_PARTS];
	size_t at;

	(void)in_rank;
	number_input(given, in, hw);
	at = owner_number(given->owner, hw);
	if (given->seen[at])
		return given->ok = REFUSE(given, INVALID, "subgroup %" PRId64 ", lane %"
			PRId64 ", register %" PRId64 " holds two elements",
			hw[0], hw[1], hw[2]);
	given->seen[at] = true;
	memcpy(given->images + at * rank, image, rank * sizeof(*image));
	for (unsigned d = 0; d < rank; d++)
		if (image[d] < 0 || image[d] >= given->owner->box[d])
			return given->ok = refuse_point(given, "outside of the box it holds",
				image);
	given->held[owner_element(given->owner, image)] = true;
	return true;
}

/* Every point holds something, and everything is held. */
static bool check_points(const struct given *given)
{
	const struct owner *owner = given->owner;
	int64_t hw[OWNER_PARTS] = { 0 }, missed[OWNER_RANK], at = 0;

	do {
		if (!given->seen[owner_number(given->owner, hw)])
			return REFUSE(given, UNSUPPORTED, "subgroup %" PRId64 ", lane %"
				PRId64 ", register %" PRId64 " holds nothing",
				hw[0], hw[1], hw[2]);
	} while (owner_next(owner, hw));
	while (at < owner_elements(owner) && given->held[at])
		at++;
	if (at == owner_elements(owner))
		return true;
	for (unsigned d = owner->rank; d-- > 0; at /= owner->box[d])
		missed[d] = at % owner->box[d];
	return refuse_point(given, "no lane holds", missed);
}

static bool have_points(const struct given *given, const int64_t *box, unsigned rank)
{
	for (unsigned i = 0; i < rank; i++)
		if (box[i] < 1)
			return REFUSE(given, INVALID, "it has no points");
	return true;
}

/* The least box around all that is held. */
static bool find_box(const struct given *given, layout_relation *relation)
{
	layout_set *range = layout_relation_range(layout_relation_copy(relation));
	bool ok = layout_set_box(range, given->owner->box);

	layout_set_free(range);
	return ok && have_points(given, given->owner->box, given->owner->rank);
}

static bool find_extents(struct given *given, layout_relation *relation,
	const int64_t *box)
{
	unsigned inputs = layout_relation_in_rank(relation);
	struct owner *owner = given->owner;
	int64_t elements = 1;

	owner->rank = layout_relation_out_rank(relation);
	if (!inputs || inputs > OWNER_INPUTS || owner->rank > OWNER_RANK)
		return REFUSE(given, UNSUPPORTED, "it has %u inputs and %u coordinates",
			inputs, owner->rank);
	if (layout_relation_param_count(relation))
		return REFUSE(given, INVALID, "the size %s has no value",
			layout_relation_param_name(relation, 0));
	if (box)
		memcpy(owner->box, box, owner->rank * sizeof(*box));
	else if (!find_box(given, relation))
		return false;
	for (unsigned d = 0; d < owner->rank; d++)
		if (owner->box[d] < 1 || owner->box[d] > MOST_POINTS / elements)
			return REFUSE(given, INVALID, "its box has too many elements, or "
				"none");
		else
			elements *= owner->box[d];
	return owner_inputs_read(&given->inputs, relation) &&
		have_points(given, given->inputs.extents, inputs) && find_parts(given);
}

static bool list_points(struct given *given, layout_relation *relation)
{
	const int64_t *extent = given->owner->extent;
	size_t points = (size_t)(extent[OWNER_SUBGROUP] * extent[OWNER_LANE] *
		extent[OWNER_REGISTER]);

	given->images = layout_alloc(given->ctx, points * given->owner->rank,
		sizeof(*given->images));
	given->seen = layout_alloc(given->ctx, points, sizeof(bool));
	given->held = layout_alloc(given->ctx, (size_t)owner_elements(given->owner),
		sizeof(bool));
	given->ok = true;
	return given->images && given->seen && given->held &&
		layout_relation_for_each(relation, take_pair, given) && given->ok &&
		check_points(given);
}

static bool read_points(struct given *given)
{
	int64_t hw[OWNER_PARTS];

	return owner_read(given->owner, given->images, hw) ||
		REFUSE(given, UNSUPPORTED, "subgroup %" PRId64 ", lane %" PRId64
			", register %" PRId64 " holds what no digits and no XORs of bits say",
			hw[0], hw[1], hw[2]);
}

struct owner *owner_of_relation(layout_context *ctx, layout_relation *relation,
	const int64_t *box, unsigned rank, unsigned wave_size)
{
	struct given given = { .ctx = ctx, .wave_size = wave_size };
	bool ok = false;

	if (!relation)
		return NULL;
	given.owner = layout_alloc(ctx, 1, sizeof(*given.owner));
	if (given.owner)
		ok = box && rank != layout_relation_out_rank(relation) ?
			REFUSE(&given, INVALID, "it is of rank %u, the tile of rank %u",
				layout_relation_out_rank(relation), rank) :
			find_extents(&given, relation, box) &&
				list_points(&given, relation) && read_points(&given);
	free(given.images);
	free(given.seen);
	free(given.held);
	if (ok)
		return given.owner;
	owner_free(given.owner);
	return NULL;
}
