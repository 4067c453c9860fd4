/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A layout in another notation: convert(A, to = cute|nested|linear|encoding). */
#include "text/overloads.h"

#include "algebra/recognise/recognised.h"
#include "algebra/storage/storage.h"
#include "isl_bridge/relation.h"

#include <layout/view.h>
#include <stdlib.h>
#include <string.h>

static const char *const notations[] = { "cute", "nested", "linear", "encoding" };

const char *layout_notation_str(layout_notation notation)
{
	return (unsigned)notation < sizeof(notations) / sizeof(*notations) ?
		notations[notation] : NULL;
}

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
 * where none is declared.  NULL where there is none of numbers: errors are caught. */
static int64_t *image_sizes(layout_value *value, layout_relation *relation, bool least)
{
	struct layout_caught ignored = { 0 }, *previous;
	int64_t *sizes = NULL;
	layout_set *box;

	if (layout_relation_param_count(relation))
		return NULL;
	previous = layout_context_catch(value->ctx, &ignored);
	box = layout_value_onto(value);
	if (!box && least)
		box = layout_relation_range(layout_relation_copy(relation));
	if (box)
		sizes = layout_alloc(value->ctx, layout_relation_out_rank(relation),
			sizeof(*sizes));
	if (sizes && !layout_set_box(box, sizes)) {
		free(sizes);
		sizes = NULL;
	}
	layout_context_catch(value->ctx, previous);
	layout_set_free(box);
	free(ignored.message);
	return sizes;
}

/* Numbers in the box, the first coordinate fastest. */
static layout_relation *number_points(layout_relation *relation, layout_value *value)
{
	unsigned rank = layout_relation_out_rank(relation);
	int64_t *sizes = image_sizes(value, relation, true);

	if (sizes) {
		relation = number_images(relation, rank, sizes, LAYOUT_ORDER_COLEX);
		free(sizes);
		return relation;
	}
	layout_fail(value->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"%u images, and no box of numbers from 0 on in which they are one offset",
		rank);
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
	if (value->kind == LAYOUT_VALUE_STORAGE)
		return number_cells(relation, value->storage);
	if (value->kind == LAYOUT_VALUE_REMAP)
		return number_cells(relation, layout_remap_destination(value->remap));
	return number_points(relation, value);
}

static bool to_cute(layout_value *value, layout_value *result)
{
	layout_relation *relation;

	result->kind = LAYOUT_VALUE_CUTE;
	if (value->kind == LAYOUT_VALUE_CUTE)
		return (result->cute = layout_cute_copy(value->cute));
	relation = offsets_of(value);
	result->cute = layout_cute_from_relation(relation);
	layout_relation_free(relation);
	return result->cute;
}

/* The place of an input, or -1. */
static int find_in(layout_linear *linear, const char *name)
{
	for (unsigned i = 0; i < layout_linear_in_count(linear); i++)
		if (!strcmp(layout_linear_in_name(linear, i), name))
			return (int)i;
	return -1;
}

static int64_t size_in(layout_linear *linear, const char *name)
{
	int place = find_in(linear, name);

	return place < 0 ? 1 : layout_linear_in_size(linear, (unsigned)place);
}

/* Are all inputs registers, lanes, warps and blocks, and which, the threads first? */
static unsigned distributed(layout_linear *linear, const char *names[4])
{
	static const char *const known[] = { "lane", "warp", "block", "register" };
	unsigned count = 0;

	for (unsigned i = 0; i < 4; i++)
		if (find_in(linear, known[i]) >= 0)
			names[count++] = known[i];
	return count == layout_linear_in_count(linear) ? count : 0;
}

/* { [thread, value] -> [x..] } of a layout of registers, lanes and warps. */
static layout_relation *by_threads(layout_linear *linear, const char *const *names,
	unsigned count)
{
	int64_t blocks = size_in(linear, "block");
	layout_size ins[2] = {
		{ "thread", size_in(linear, "lane") * size_in(linear, "warp") },
		{ "value", size_in(linear, "register") },
	};
	layout_relation *relation;

	if (blocks > 1) {
		layout_fail(layout_linear_context(linear), LAYOUT_ERROR_NO_ANSWER, -1,
			"the layout is of %lld blocks, a nested layout of one",
			(long long)blocks);
		return NULL;
	}
	linear = layout_linear_transpose_ins(layout_linear_copy(linear), names, count);
	linear = layout_linear_reshape_ins(linear, ins, 2);
	relation = layout_linear_relation(linear);
	layout_linear_free(linear);
	return relation;
}

static bool to_nested(layout_value *value, layout_value *result)
{
	layout_relation *relation;
	const char *names[4];
	int64_t lanes = 0;
	unsigned count = 0;

	result->kind = LAYOUT_VALUE_NESTED;
	if (value->kind == LAYOUT_VALUE_NESTED)
		return (result->nested = layout_nested_copy(value->nested));
	if (value->kind == LAYOUT_VALUE_MMA)
		lanes = layout_mma_lanes(value->mma);
	if (value->kind == LAYOUT_VALUE_LINEAR)
		count = distributed(value->linear, names);
	if (count)
		lanes = size_in(value->linear, "lane");
	relation = count ? by_threads(value->linear, names, count) :
		layout_value_relation(value);
	result->nested = recognise_nested(relation, lanes,
		value->like == LAYOUT_VALUE_NESTED);
	layout_relation_free(relation);
	return result->nested;
}

static layout_linear *linear_of(layout_value *value)
{
	layout_relation *relation = layout_value_relation(value);
	int64_t *sizes = relation ? image_sizes(value, relation, false) : NULL;
	layout_linear *linear = recognise_linear(relation, sizes);

	free(sizes);
	layout_relation_free(relation);
	return linear;
}

static bool to_linear(layout_value *value, layout_value *result)
{
	result->kind = LAYOUT_VALUE_LINEAR;
	if (value->kind == LAYOUT_VALUE_LINEAR)
		result->linear = layout_linear_copy(value->linear);
	else if (value->kind == LAYOUT_VALUE_MMA)
		result->linear = layout_mma_linear(value->mma);
	else
		result->linear = linear_of(value);
	return result->linear;
}

/* Is the storage written as packed(ENCODING, [sizes])? */
static bool is_packed(layout_storage *storage)
{
	return storage && layout_storage_get_kind(storage) == LAYOUT_STORAGE_PACKED &&
		!storage->swizzle_count;
}

static bool to_encoding(layout_value *value, layout_value *result)
{
	layout_relation *relation;

	result->kind = LAYOUT_VALUE_STORAGE;
	if (is_packed(value->storage))
		return (result->storage = layout_storage_copy(value->storage));
	relation = layout_value_relation(value);
	result->storage = layout_storage_from_relation(relation);
	layout_relation_free(relation);
	return result->storage;
}

layout_value *layout_value_convert(layout_value *value, layout_notation to)
{
	static bool (*const conversions[])(layout_value *, layout_value *) = {
		to_cute, to_nested, to_linear, to_encoding,
	};
	layout_value *result;

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
	if (conversions[to](value, result))
		return result;
	layout_value_free(result);
	return NULL;
}

/* The notation of the argument "to"; past the last, with an error, for none. */
static layout_notation find_notation(struct call *call)
{
	const struct argument *argument = &call->arguments[1];
	layout_notation to = 0;

	if (!argument->given) {
		layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
			"convert(A, to = cute|nested|linear|encoding) needs the "
			"notation");
		return sizeof(notations) / sizeof(*notations);
	}
	while (layout_notation_str(to) && strcmp(layout_notation_str(to), argument->name))
		to++;
	if (layout_notation_str(to))
		return to;
	call_blame(call, 1);
	layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
		"`%.32s` is no notation: cute, nested, linear or encoding",
		argument->name);
	return to;
}

/* Where there is no such layout the value is the relation, and the reason. */
static bool give_reason(struct call *call, struct layout_caught *caught)
{
	layout_relation *relation = call_relation(call, 0);

	call->result->reason = caught->message;
	caught->message = NULL;
	return give_relation(call, relation);
}

bool overload_convert(struct call *call)
{
	struct layout_caught caught = { 0 }, *previous;
	layout_notation to = find_notation(call);
	layout_value *made, *result = call->result;
	bool good;

	if (!layout_notation_str(to))
		return false;
	call_blame(call, 0);
	previous = layout_context_catch(call->ctx, &caught);
	made = layout_value_convert(call->arguments[0].value, to);
	layout_context_catch(call->ctx, previous);
	if (made) {
		layout_value copy = *result;

		*result = *made;
		*made = copy;
		layout_value_free(made);
		return true;
	}
	good = caught.kind == LAYOUT_ERROR_NO_ANSWER && caught.message ?
		give_reason(call, &caught) : call_raise(call, &caught);
	free(caught.message);
	return good;
}
