/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A layout in another notation. */
#include "value/value.h"

#include "algebra/recognise/recognised.h"
#include "algebra/storage/storage.h"
#include "isl_bridge/relation.h"

#include <layout/view.h>
#include <stdlib.h>

/* Images in several coordinates become their number in the box; consumes the relation. */
static layout_relation *number_images(layout_relation *relation, unsigned rank,
	const int64_t *sizes, layout_order order)
{
	layout_box box = { rank, sizes }, line = { 1, NULL };
	int64_t points = 1;
	bool fits = true;

	for (unsigned d = 0; fits && d < rank; d++)
		fits = !__builtin_mul_overflow(points, sizes[d], &points);
	line.sizes = &points;
	if (fits)
		return layout_relation_view_outs(relation, box, line, order);
	layout_fail(layout_relation_context(relation), LAYOUT_ERROR_OVERFLOW, -1,
		"the box of the images has more points than 64 bits can number");
	layout_relation_free(relation);
	return NULL;
}

/* Cells as offsets in memory, which is dense. */
static layout_relation *number_cells(layout_relation *relation, layout_storage *storage)
{
	int64_t shape[LAYOUT_STORAGE_SLOTS];
	unsigned rank = layout_relation_out_rank(relation);
	int slots = layout_storage_memory_shape(storage, NULL, 0, shape);

	if (slots == (int)rank)
		return number_images(relation, rank, shape, LAYOUT_ORDER_LEX);
	layout_relation_free(relation);
	return NULL;
}

/* The sizes of the declared box of the images, or with "least" of the least around them
 * where none is declared; NULL where there is none of numbers.  False where that remains
 * open, with the error. */
static bool image_sizes(layout_value *value, layout_relation *relation, bool least,
	int64_t **sizes)
{
	struct layout_caught caught = { 0 }, *previous;
	bool found = false;
	layout_set *box;

	*sizes = NULL;
	if (layout_relation_param_count(relation))
		return true;
	previous = layout_context_catch(value->ctx, &caught);
	box = layout_value_onto(value);
	if (!box && least)
		box = layout_relation_range(layout_relation_copy(relation));
	if (box)
		*sizes = layout_alloc(value->ctx, layout_relation_out_rank(relation),
			sizeof(**sizes));
	if (*sizes)
		found = layout_set_box(box, *sizes);
	layout_set_free(box);
	if (layout_context_forget(value->ctx, &caught, previous) && found)
		return true;
	free(*sizes);
	*sizes = NULL;
	return !caught.kind || !layout_error_is_open(caught.kind);
}

/* Numbers in the box, the first coordinate fastest. */
static layout_relation *number_points(layout_relation *relation, layout_value *value)
{
	unsigned rank = layout_relation_out_rank(relation);
	int64_t *sizes;
	bool known = image_sizes(value, relation, true, &sizes);

	if (sizes) {
		relation = number_images(relation, rank, sizes, LAYOUT_ORDER_COLEX);
		free(sizes);
		return relation;
	}
	if (known)
		layout_fail(value->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "%u images, and no "
			"box of numbers from 0 on in which they are one offset", rank);
	layout_relation_free(relation);
	return NULL;
}

/* The value as { [inputs] -> [offset] }.  Sizes that are names are left to be refused. */
static layout_relation *offsets_of(layout_value *value)
{
	layout_relation *relation = layout_value_relation(value);

	if (!relation || layout_relation_param_count(relation) ||
	    layout_relation_out_rank(relation) < 2)
		return relation;
	return value->kind->cells ? number_cells(relation, value->kind->cells(value)) :
		number_points(relation, value);
}

static void *to_cute(layout_value *value)
{
	layout_relation *relation = offsets_of(value);
	layout_cute *cute = layout_cute_from_relation(relation);

	layout_relation_free(relation);
	return cute;
}

static void *to_nested(layout_value *value)
{
	int64_t lanes = 0;
	layout_relation *relation = value->kind->by_threads ?
		value->kind->by_threads(value, &lanes) : layout_value_relation(value);
	layout_nested *nested = recognise_nested(relation, lanes,
		value->like == &kind_nested);

	layout_relation_free(relation);
	return nested;
}

static void *to_linear(layout_value *value)
{
	layout_relation *relation = layout_value_relation(value);
	layout_linear *linear = NULL;
	int64_t *sizes = NULL;

	if (relation && image_sizes(value, relation, false, &sizes))
		linear = recognise_linear(relation, sizes);

	free(sizes);
	layout_relation_free(relation);
	return linear;
}

void *value_to_encoding(layout_value *value)
{
	layout_relation *relation = layout_value_relation(value);
	layout_storage *storage = layout_storage_from_relation(relation);

	layout_relation_free(relation);
	return storage;
}

static const struct {
	const char *name;
	const struct value_kind *kind;
	void *(*convert)(layout_value *value);
} notations[VALUE_NOTATIONS] = {
	[LAYOUT_NOTATION_CUTE] = { "cute", &kind_cute, to_cute },
	[LAYOUT_NOTATION_NESTED] = { "nested", &kind_nested, to_nested },
	[LAYOUT_NOTATION_LINEAR] = { "linear", &kind_linear, to_linear },
	[LAYOUT_NOTATION_ENCODING] = { "encoding", &kind_storage, value_to_encoding },
};

const char *layout_notation_str(layout_notation notation)
{
	return (unsigned)notation < VALUE_NOTATIONS ? notations[notation].name : NULL;
}

layout_value *layout_value_convert(layout_value *value, layout_notation to)
{
	layout_value *result;
	bool good;

	if (!value)
		return NULL;
	if (!layout_notation_str(to)) {
		layout_fail(value->ctx, LAYOUT_ERROR_INVALID, -1,
			"there is no notation %d", (int)to);
		return NULL;
	}
	result = layout_alloc(value->ctx, 1, sizeof(*result));
	if (!result)
		return NULL;
	result->ctx = value->ctx;
	layout_begin_call(value->ctx);
	good = value_give(result, notations[to].kind, (value->kind->convert[to] ?
		value->kind->convert[to] : notations[to].convert)(value));
	layout_end_call(value->ctx);
	if (good)
		return result;
	layout_value_free(result);
	return NULL;
}
