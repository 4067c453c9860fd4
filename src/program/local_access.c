/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which offsets in the LDS the registers of lanes are put to and got from. */
#include "program/local.h"
#include "program/eval.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST_BYTES = 16 };

/* What turned loads take: lanes that turn, elements of each, their bytes. */
enum { TURNED_LANES = 16, TURNED = 4, TURNED_BYTES = 2 };

void local_point(char text[LOCAL_POINT], int64_t number, const int64_t *box, unsigned rank)
{
	int64_t at[PROGRAM_RANK];
	size_t length = 0;

	for (unsigned d = rank; d-- > 0; number /= box[d])
		at[d] = number % box[d];
	length += (size_t)snprintf(text, LOCAL_POINT, "(");
	for (unsigned d = 0; d < rank; d++)
		length += (size_t)snprintf(text + length, LOCAL_POINT - length,
			"%s%" PRId64, d ? ", " : "", at[d]);
	snprintf(text + length, LOCAL_POINT - length, ")");
}

int64_t *local_offsets(layout_context *ctx, layout_storage *place, const int64_t *box,
	unsigned rank)
{
	struct eval_memory memory = { .base = NULL };
	int64_t count = 1, x[PROGRAM_RANK], *offsets;

	for (unsigned d = 0; d < rank; d++)
		count *= box[d];
	offsets = layout_alloc(ctx, (size_t)count, sizeof(*offsets));
	if (!offsets || !eval_memory_place(&memory, place, NULL, 0)) {
		free(offsets);
		return NULL;
	}
	for (int64_t n = 0; n < count; n++) {
		int64_t rest = n;

		for (unsigned d = rank; d-- > 0; rest /= box[d])
			x[d] = rest % box[d];
		offsets[n] = eval_memory_offset(&memory, x);
	}
	return offsets;
}

void local_access_free(struct local_access *access)
{
	free(access->points);
	free(access->order);
	free(access->same);
	*access = (struct local_access){ .put = false };
}

uint32_t *local_elements(layout_context *ctx, const struct owner *owner,
	const layout_memory *local, const struct program_place *place)
{
	uint32_t *elements = layout_alloc(ctx, (size_t)owner_points(owner),
		sizeof(*elements));
	struct owner_walk walk;
	size_t point = 0;

	owner_walk_begin(&walk, owner);
	do {
		int64_t number = 0;

		for (unsigned d = 0; d < owner->rank; d++)
			number = number * local->box[d] + walk.at[d] + place->at[d].index->value;
		if (elements)
			elements[point++] = (uint32_t)number;
	} while (elements && owner_walk_next(&walk));
	return elements;
}

bool local_access_puts(const struct local_access *access, const int64_t hw[OWNER_PARTS])
{
	for (uint64_t rest = access->guard; rest; rest &= rest - 1) {
		const struct owner_digit *digit =
			&access->owner->digits[__builtin_ctzll(rest)];

		if (hw[digit->part] / digit->place % digit->radix)
			return false;
	}
	return true;
}

static int64_t offset_of(const struct local_access *access, int64_t subgroup, int64_t lane,
	unsigned r)
{
	const int64_t hw[] = { subgroup, lane, r };

	return access->points[owner_number(access->owner, hw)];
}

static int compare(const void *a, const void *b, void *user)
{
	const struct local_access *access = user;
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	int64_t at = offset_of(access, 0, 0, x), other = offset_of(access, 0, 0, y);

	return at != other ? (at > other ? 1 : -1) : (x > y) - (x < y);
}

/* The registers that are accessed, those that hold the same once. */
static void find_order(struct local_access *access)
{
	unsigned registers = (unsigned)access->owner->extent[OWNER_REGISTER], all = 0;

	for (unsigned r = 0; r < registers; r++) {
		const int64_t hw[] = { 0, 0, r };

		if (!access->put || local_access_puts(access, hw))
			access->order[all++] = r;
	}
	qsort_r(access->order, all, sizeof(*access->order), compare, access);
	for (unsigned i = 0; i < all; i++) {
		unsigned r = access->order[i];

		if (!access->count || offset_of(access, 0, 0, r) != offset_of(access, 0, 0,
		    access->order[access->count - 1]))
			access->order[access->count++] = r;
		access->same[r] = access->count - 1;
	}
}

/* Do vectors of so many follow each other in a lane? */
static bool is_vector(const struct local_access *access, int64_t subgroup, int64_t lane,
	unsigned vector)
{
	for (unsigned i = 0; i < access->count; i++) {
		int64_t first = offset_of(access, subgroup, lane,
			access->order[i - i % vector]);

		if (first % vector || offset_of(access, subgroup, lane, access->order[i]) !=
		    first + i % vector)
			return false;
	}
	return true;
}

static void find_vector(struct local_access *access, unsigned bytes)
{
	const int64_t *extent = access->owner->extent;

	access->vector = WIDEST_BYTES / bytes;
	while (access->count % access->vector)
		access->vector /= 2;
	for (int64_t s = 0; s < extent[OWNER_SUBGROUP]; s++)
		for (int64_t l = 0; l < extent[OWNER_LANE]; l++)
			while (!is_vector(access, s, l, access->vector))
				access->vector /= 2;
}

/* Where a lane loads for the registers from "r" on, which are turned. */
static int64_t turned_offset(const struct local_access *access, int64_t subgroup, int64_t lane,
	unsigned r)
{
	return offset_of(access, subgroup, lane - lane % TURNED_LANES + lane % TURNED * TURNED,
		r + (unsigned)(lane / TURNED % TURNED));
}

/* Do lanes have what is side by side, four at a time, in each register? */
static bool can_turn(const struct local_access *access)
{
	const int64_t *extent = access->owner->extent;
	bool can = extent[OWNER_LANE] % TURNED_LANES == 0 &&
		extent[OWNER_REGISTER] % TURNED == 0;

	for (int64_t s = 0; can && s < extent[OWNER_SUBGROUP]; s++)
		for (int64_t l = 0; can && l < extent[OWNER_LANE]; l++)
			for (unsigned r = 0; can && r < extent[OWNER_REGISTER]; r++) {
				int64_t first = offset_of(access, s, l - l % TURNED, r);

				can = first % TURNED == 0 &&
					offset_of(access, s, l, r) == first + l % TURNED;
			}
	return can;
}

static void turn(struct local_access *access)
{
	access->turned = true;
	access->count = (unsigned)access->owner->extent[OWNER_REGISTER];
	access->vector = TURNED;
	for (unsigned r = 0; r < access->count; r++)
		access->order[r] = access->same[r] = r;
}

bool local_access_build(layout_context *ctx, struct local_access *access,
	const struct owner *owner, const uint32_t *elements, const int64_t *offsets,
	unsigned bytes, bool put, const struct chip *chip)
{
	unsigned registers = (unsigned)owner->extent[OWNER_REGISTER];
	int64_t count = owner_points(owner);

	*access = (struct local_access){ .put = put, .owner = owner,
		.points = layout_alloc(ctx, (size_t)count, sizeof(*access->points)),
		.order = layout_alloc(ctx, registers, sizeof(*access->order)),
		.same = layout_alloc(ctx, registers, sizeof(*access->same)) };
	if (!access->points || !access->order || !access->same)
		return false;
	for (int64_t n = 0; n < count; n++)
		access->points[n] = (uint32_t)offsets[elements[n]];
	if (put)
		owner_guard(owner, &access->guard);
	find_order(access);
	find_vector(access, bytes);
	if (chip->turned_loads && !put && bytes == TURNED_BYTES && access->vector < TURNED &&
	    owner->extent[OWNER_LANE] == chip->target.wave_size && can_turn(access))
		turn(access);
	return true;
}

bool local_access_read(layout_context *ctx, struct local_access *access)
{
	int64_t hw[OWNER_PARTS] = { 0 }, *images = layout_alloc(ctx,
		(size_t)owner_points(access->owner), sizeof(*images));
	struct owner *offsets = &access->offsets;
	bool known;

	*offsets = (struct owner){ .rank = 1 };
	memcpy(offsets->extent, access->owner->extent, sizeof(offsets->extent));
	offsets->extent[OWNER_REGISTER] /= access->turned ? TURNED : 1;
	do {
		size_t n = owner_number(offsets, hw);

		if (!images)
			break;
		images[n] = access->turned ? turned_offset(access, hw[OWNER_SUBGROUP],
			hw[OWNER_LANE], (unsigned)hw[OWNER_REGISTER] * TURNED) :
			access->points[n];
		if (images[n] >= offsets->box[0])
			offsets->box[0] = images[n] + 1;
	} while (owner_next(offsets, hw));
	memset(hw, 0, sizeof(hw));
	known = images && owner_read(offsets, images, hw);
	free(images);
	return known;
}

bool local_access_cycles(layout_context *ctx, const struct local_access *access,
	const layout_lds *lds, unsigned bytes, layout_lds_cost *cost)
{
	uint64_t addresses[LDS_LANES] = { 0 };
	layout_lds_access of = LAYOUT_LDS_ACCESS_INIT;
	bool ok = true;

	*cost = (layout_lds_cost){ 0, 0 };
	of.bits = access->vector * bytes * 8;
	of.store = access->put;
	of.addresses = addresses;
	for (unsigned i = 0; ok && i < access->count; i += access->vector) {
		int64_t hw[] = { 0, 0, access->order[i] }, *lane = &hw[OWNER_LANE];
		layout_lds_cost one;

		of.lanes = 0;
		for (; *lane < access->owner->extent[OWNER_LANE]; ++*lane) {
			addresses[*lane] = (uint64_t)(access->turned ? turned_offset :
				offset_of)(access, 0, *lane, access->order[i]) * bytes;
			of.lanes |= (uint64_t)(!access->put || local_access_puts(access, hw))
				<< *lane;
		}
		ok = layout_lds_cycles(ctx, lds, &of, &one, NULL);
		if (ok) {
			cost->cycles += one.cycles;
			cost->least += one.least;
		}
	}
	return ok;
}
