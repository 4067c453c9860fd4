/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/sight.h"
#include "program/build.h"

#include <stdlib.h>
#include <string.h>

void sight_free(struct program_sight *sight)
{
	if (!sight)
		return;
	for (unsigned j = 0; j < sight->rank; j++)
		free(sight->names[j]);
	free(sight);
}

struct program_sight *sight_copy(layout_context *ctx, const struct program_sight *sight)
{
	struct program_sight *copy = layout_alloc(ctx, 1, sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *sight;
	copy->rank = 0;
	for (unsigned j = 0; j < sight->rank; j++) {
		copy->names[j] = layout_strdup(ctx, sight->names[j]);
		if (!copy->names[j]) {
			sight_free(copy);
			return NULL;
		}
		copy->rank++;
	}
	return copy;
}

unsigned program_memory_rank(const layout_memory *memory)
{
	return memory->sight ? memory->sight->rank : layout_storage_rank(memory->storage);
}

void sight_point(const struct program_sight *sight, const int64_t *x, int64_t *y)
{
	for (unsigned k = 0; k < sight->memory_rank; k++) {
		y[k] = sight->offset[k];
		for (unsigned j = 0; j < sight->rank; j++)
			y[k] += sight->weights[k][j] * x[j];
	}
}

/* From the least to the largest coordinate that a tile reaches. */
static int64_t extent_of(const struct program_sight *sight, const struct owner *owner,
	unsigned k)
{
	int64_t extent = 1;

	for (unsigned j = 0; j < sight->rank; j++)
		extent += llabs(sight->weights[k][j]) * (owner->box[j] - 1);
	return extent;
}

/* What a tile reaches below its position, where the map turns it round. */
static int64_t below(const struct program_sight *sight, const int64_t *box, unsigned k)
{
	int64_t reach = 0;

	for (unsigned j = 0; j < sight->rank; j++)
		if (sight->weights[k][j] < 0)
			reach -= sight->weights[k][j] * (box[j] - 1);
	return reach;
}

void sight_near(const struct program_sight *sight, const int64_t *box, const int64_t *x,
	int64_t *y)
{
	sight_point(sight, x, y);
	for (unsigned k = 0; k < sight->memory_rank; k++)
		y[k] += below(sight, box, k) - sight->offset[k];
}

/* False where the owner has too many terms. */
static bool look(const struct program_sight *sight, struct owner *owner)
{
	struct owner seen = *owner;

	seen.rank = sight->memory_rank;
	seen.term_count = 0;
	for (unsigned k = 0; k < seen.rank; k++) {
		seen.box[k] = extent_of(sight, owner, k);
		seen.base[k] = below(sight, owner->box, k);
		for (unsigned j = 0; j < sight->rank; j++)
			seen.base[k] += sight->weights[k][j] * owner->base[j];
	}
	for (unsigned k = 0; k < seen.rank; k++)
		for (unsigned i = 0; i < owner->term_count; i++) {
			const struct owner_term *term = &owner->terms[i];
			int64_t weight = sight->weights[k][term->dim] * term->weight;

			if (weight && !owner_add_term(&seen, k, term->digits, weight))
				return false;
		}
	*owner = seen;
	return true;
}

bool sight_is_owned(const struct program_sight *sight, const struct owner *owner)
{
	struct owner seen = *owner;

	return look(sight, &seen) && owner_is_apart(&seen);
}

bool sight_owner(layout_context *ctx, const struct program_sight *sight, struct owner *owner)
{
	if (look(sight, owner))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"the owner of what is seen through a map has too many digits");
	return false;
}

static struct index *position_of(const struct program_sight *sight,
	const struct program_place *place, const int64_t *box, unsigned k)
{
	int64_t offset = sight->offset[k] - below(sight, box, k);
	struct index *at = NULL;

	for (unsigned j = 0; j < sight->rank; j++) {
		int64_t weight = sight->weights[k][j];
		struct index *of = weight ? index_copy(place->at[j].index) : NULL;

		if (!weight)
			continue;
		of = weight == 1 ? of : index_binary(INDEX_MUL, of, index_int(weight));
		at = at ? index_binary(INDEX_ADD, at, of) : of;
		if (!at)
			return NULL;
	}
	if (!at)
		return index_int(offset);
	return offset ? index_binary(INDEX_ADD, at, index_int(offset)) : at;
}

bool sight_place(layout_context *ctx, const struct program_sight *sight,
	const struct program_place *place, const int64_t *box, struct program_place *to)
{
	*to = (struct program_place){ 0 };
	for (unsigned k = 0; k < sight->memory_rank; k++) {
		to->at[k].index = position_of(sight, place, box, k);
		to->rank = k + 1;
		if (!to->at[k].index) {
			program_place_free(to);
			layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
			return false;
		}
	}
	return true;
}
