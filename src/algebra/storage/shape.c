/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A storage with numbers for its names. */
#include "algebra/storage/index.h"
#include "algebra/storage/maps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The index expressions of a storage and a value for each of its names. */
struct numbers {
	struct storage_index index;
	struct index **names;
	int64_t *values;
};

static bool find_values(layout_storage *storage, const layout_size *sizes, unsigned count,
	int64_t *values)
{
	if (!layout_given_sizes(storage->ctx, sizes, count))
		return false;
	for (unsigned i = 0; i < storage->name_count; i++) {
		unsigned k = 0;

		while (k < count && strcmp(sizes[k].name, storage->names[i]) != 0)
			k++;
		if (k == count || sizes[k].value < 0) {
			layout_fail(storage->ctx, LAYOUT_ERROR_INVALID, -1, k == count ?
				"the size %s has no value" : "the size %s is negative",
				storage->names[i]);
			return false;
		}
		values[i] = sizes[k].value;
	}
	return true;
}

static void numbers_free(layout_storage *storage, struct numbers *numbers)
{
	storage_index_free(&numbers->index);
	index_list_free(numbers->names, storage->name_count);
	free(numbers->values);
}

/* The value of an expression; negative ones are errors too. */
static bool evaluate(layout_storage *storage, const struct numbers *numbers,
	const struct index *index, int64_t *value)
{
	if (!index_eval(index, numbers->values, value)) {
		layout_fail(storage->ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"the storage does not fit 64 bits at these sizes");
		return false;
	}
	if (*value >= 0)
		return true;
	layout_fail(storage->ctx, LAYOUT_ERROR_INVALID, -1,
		"a size would be %" PRId64, *value);
	return false;
}

static bool numbers_build(struct numbers *numbers, layout_storage *storage,
	const layout_size *sizes, unsigned count)
{
	layout_context *ctx = storage->ctx;
	struct ast_scope scope = { ctx, storage->name_count,
		(const char *const *)storage->names, NULL };
	isl_set *context;
	bool ok;

	*numbers = (struct numbers){
		.names = layout_alloc(ctx, storage->name_count, sizeof(*numbers->names)),
		.values = layout_alloc(ctx, storage->name_count,
			sizeof(*numbers->values)) };
	if (!numbers->names || !numbers->values ||
	    !find_values(storage, sizes, count, numbers->values))
		return false;
	scope.values = numbers->names;
	bridge_enter(ctx);
	for (unsigned i = 0; i < storage->name_count; i++)
		numbers->names[i] = index_var(i, 0, INT64_MAX);
	context = bridge_nonnegative(isl_set_get_space(storage->maps->logical));
	ok = storage_index_build(&numbers->index, storage, &scope, context);
	isl_set_free(context);
	return bridge_leave(ctx, "evaluate sizes") && ok;
}

bool layout_storage_shape(layout_storage *storage, const layout_size *sizes,
	unsigned count, int64_t *shape)
{
	struct numbers numbers;
	bool ok;

	if (!storage ||
	    !layout_given(storage->ctx, shape || !storage->rank, "room for the shape"))
		return false;
	ok = numbers_build(&numbers, storage, sizes, count);
	for (unsigned d = 0; ok && d < storage_tensor_rank(storage); d++)
		ok = evaluate(storage, &numbers, numbers.index.size[d], &shape[d]);
	numbers_free(storage, &numbers);
	return ok;
}

bool storage_strides(layout_storage *storage, const layout_size *sizes, unsigned count,
	int64_t *strides)
{
	struct numbers numbers;
	bool ok = numbers_build(&numbers, storage, sizes, count);

	for (unsigned k = 0; ok && k < storage->slot_count; k++)
		ok = evaluate(storage, &numbers, numbers.index.pitch[k],
			&strides[storage->slots[k].dim]);
	numbers_free(storage, &numbers);
	return ok;
}

static bool check_apart(layout_storage *storage, const struct numbers *numbers)
{
	int64_t apart;

	if (!evaluate(storage, numbers, numbers->index.apart, &apart))
		return false;
	if (!apart)
		layout_fail(storage->ctx, LAYOUT_ERROR_INVALID, -1,
			"the strides do not nest at these sizes");
	return apart != 0;
}

/* The shape of the memory has room for the storage's slots. */
static bool has_room(const layout_storage *storage)
{
	if (storage->kind == LAYOUT_STORAGE_STRIDED ||
	    storage->slot_count <= LAYOUT_STORAGE_SLOTS)
		return true;
	layout_fail(storage->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"the storage's memory has %u dimensions, more than %d", storage->slot_count,
		LAYOUT_STORAGE_SLOTS);
	return false;
}

int layout_storage_memory_shape(layout_storage *storage, const layout_size *sizes,
	unsigned count, int64_t shape[LAYOUT_STORAGE_SLOTS])
{
	struct numbers numbers;
	int rank = -1;
	bool ok;

	if (!storage || !layout_given(storage->ctx, shape, "room for the shape") ||
	    !has_room(storage))
		return -1;
	ok = numbers_build(&numbers, storage, sizes, count) &&
		check_apart(storage, &numbers);
	if (storage->kind == LAYOUT_STORAGE_STRIDED) {
		ok = ok && evaluate(storage, &numbers, numbers.index.elements, &shape[0]);
		rank = ok ? 1 : -1;
	} else {
		for (unsigned k = 0; ok && k < storage->slot_count; k++)
			ok = evaluate(storage, &numbers, numbers.index.extent[k],
				&shape[k]);
		rank = ok ? (int)storage->slot_count : -1;
	}
	numbers_free(storage, &numbers);
	return rank;
}

int64_t layout_storage_elements(layout_storage *storage, const layout_size *sizes,
	unsigned count)
{
	struct numbers numbers;
	int64_t elements = -1;

	if (!storage)
		return -1;
	if (!numbers_build(&numbers, storage, sizes, count) ||
	    !check_apart(storage, &numbers) ||
	    !evaluate(storage, &numbers, numbers.index.elements, &elements))
		elements = -1;
	numbers_free(storage, &numbers);
	return elements;
}
