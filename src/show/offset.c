/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where in memory a place is: the number of its cell. */
#include "show/kind.h"

#include "algebra/storage/storage.h"
#include "value/value.h"

/* A number is the sum of a point's coordinates, each times a weight. */
struct weights {
	unsigned rank;
	int64_t of[SHOW_RANK];
};

/* The storage whose cells the places are; NULL: none. */
static layout_storage *storage_of(layout_value *value)
{
	return value->kind->cells ? value->kind->cells(value) : NULL;
}

/* Row-major weights of coordinates with these sizes; 0 for those that do not count. */
static bool weigh(struct weights *weights, const int64_t *sizes, const bool *counts,
	unsigned rank)
{
	int64_t weight = 1;

	weights->rank = rank;
	for (unsigned i = rank; i-- > 0;) {
		weights->of[i] = counts[i] ? weight : 0;
		if (counts[i] && __builtin_mul_overflow(weight, sizes[i] ? sizes[i] : 1,
				&weight))
			return false;
	}
	return true;
}

/* Coordinates that are memory, or all of them if none says that it is. */
static bool weigh_side(struct weights *weights, const struct show_side *side)
{
	bool counts[SHOW_RANK], any = show_side_has(side, SHOW_MEMORY);

	for (unsigned i = 0; i < side->rank; i++)
		counts[i] = !any || side->roles[i] == SHOW_MEMORY;
	return weigh(weights, side->size, counts, side->rank);
}

/* What is weighed is the logical coordinates: those of the cells have no numbers of their
 * own where strides are names. */
static bool weigh_strides(struct weights *weights, layout_storage *storage,
	const layout_show_options *options)
{
	weights->rank = storage->rank;
	return storage_strides(storage, options->sizes, options->count, weights->of);
}

static bool weigh_slots(struct weights *weights, layout_storage *storage,
	const layout_show_options *options)
{
	int64_t shape[LAYOUT_STORAGE_SLOTS];
	bool counts[LAYOUT_STORAGE_SLOTS];
	int rank = layout_storage_memory_shape(storage, options->sizes, options->count,
		shape);

	for (int i = 0; i < rank; i++)
		counts[i] = true;
	return rank >= 0 && weigh(weights, shape, counts, (unsigned)rank);
}

/* Weights of the place's coordinates, or of the element's if "by_element". */
static bool find_weights(struct show_picture *picture, layout_value *value,
	const layout_show_options *options, struct weights *weights, bool *by_element)
{
	const struct show_side *side = show_place_side(picture);
	layout_storage *storage = storage_of(value);
	bool is_strided = storage && storage->kind == LAYOUT_STORAGE_STRIDED;

	*by_element = is_strided && value->kind->show && value->kind->show->by_strides &&
		side->rank > 1;
	if (*by_element)
		return weigh_strides(weights, storage, options);
	return storage && !is_strided ? weigh_slots(weights, storage, options) :
		weigh_side(weights, side);
}

static bool set_offsets(struct show_picture *picture, const struct weights *weights,
	bool by_element)
{
	for (size_t i = 0; i < picture->pairs.count; i++) {
		struct show_place *place = &picture->places[i];
		const int64_t *point = by_element ?
			show_pair_input(&picture->pairs, place->pair) :
			show_place_point(picture, place);

		for (unsigned k = 0; k < weights->rank; k++) {
			int64_t part;

			if (__builtin_mul_overflow(point[k], weights->of[k], &part) ||
			    __builtin_add_overflow(place->memory, part, &place->memory))
				return false;
		}
	}
	return true;
}

/* From 0, or the least offset if that is negative, up to the last, or to the end that the
 * notation declares. */
static bool find_range(struct show_picture *picture, layout_value *value,
	const layout_show_options *options)
{
	layout_storage *storage = storage_of(value);
	int64_t end;

	for (size_t i = 0; i < picture->pairs.count; i++) {
		int64_t offset = picture->places[i].memory;

		if (offset < picture->memory_begin)
			picture->memory_begin = offset;
		if (offset >= picture->memory_end)
			picture->memory_end = offset + (offset < INT64_MAX);
	}
	end = !storage ? 0 : layout_storage_elements(storage, options->sizes,
		options->count);
	if (end > picture->memory_end)
		picture->memory_end = end;
	return end >= 0;
}

bool show_offsets_find(struct show_picture *picture, layout_value *value,
	const layout_show_options *options)
{
	const struct show_side *side = show_place_side(picture);
	struct weights weights = { 0 };
	bool by_element = false;

	picture->has_memory = side->kind != SHOW_HARDWARE;
	picture->shows_tuples = side->rank > 1 && side->kind == SHOW_ELEMENTS;
	if (!picture->has_memory)
		return true;
	if (!find_weights(picture, value, options, &weights, &by_element))
		return false;
	if (!set_offsets(picture, &weights, by_element)) {
		layout_fail(picture->ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"an offset of the picture does not fit 64 bits");
		return false;
	}
	return find_range(picture, value, options);
}
