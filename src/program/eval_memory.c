/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the elements of a memory lie once its sizes are numbers. */
#include "program/eval.h"

#include "algebra/storage/maps.h"
#include "algebra/storage/twist.h"

#include <inttypes.h>
#include <string.h>

/* Slots lie densely, the last innermost; those of strides where the strides say. */
static bool find_pitches(struct eval_memory *to, layout_storage *storage,
	const layout_size *sizes, unsigned count)
{
	int64_t extent[PROGRAM_RANK], pitch = 1;

	if (storage->kind == LAYOUT_STORAGE_STRIDED) {
		if (!storage_strides(storage, sizes, count, extent))
			return false;
		for (unsigned k = 0; k < storage->slot_count; k++)
			to->pitch[k] = extent[storage->slots[k].dim];
		return true;
	}
	if (layout_storage_memory_shape(storage, sizes, count, extent) < 0)
		return false;
	for (unsigned k = storage->slot_count; k-- > 0; pitch *= extent[k])
		to->pitch[k] = pitch;
	return true;
}

static const layout_buffer_argument *find_buffer(const char *name,
	const layout_buffer_argument *buffers, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (buffers[i].name && strcmp(buffers[i].name, name) == 0)
			return &buffers[i];
	return NULL;
}

static bool check_buffer(const layout_memory *memory,
	const layout_buffer_argument *buffer, int64_t bytes)
{
	layout_context *ctx = memory->storage->ctx;

	if (!buffer || (bytes && !buffer->base))
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "%s has no buffer",
			memory->name);
	else if (buffer->bytes < (uint64_t)bytes)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "%s needs %" PRId64
			" bytes, its buffer has %zu", memory->name, bytes, buffer->bytes);
	else
		return true;
	return false;
}

bool eval_memory_place(struct eval_memory *to, layout_storage *storage,
	const layout_size *sizes, unsigned count)
{
	to->storage = storage;
	for (unsigned k = 0; k < storage->slot_count; k++)
		to->part[k] = storage_part(storage, k);
	return layout_storage_shape(storage, sizes, count, to->size) &&
		find_pitches(to, storage, sizes, count);
}

bool eval_memory_find(struct eval_memory *to, const layout_memory *memory,
	const layout_size *sizes, unsigned size_count,
	const layout_buffer_argument *buffers, unsigned buffer_count)
{
	layout_storage *storage = memory->storage;
	const layout_buffer_argument *buffer = find_buffer(memory->name, buffers,
		buffer_count);
	int64_t bytes = layout_storage_bytes(storage, memory->type->name, sizes,
		size_count);

	to->memory = memory;
	if (bytes < 0 || !check_buffer(memory, buffer, bytes))
		return false;
	to->base = buffer->base;
	to->bytes = bytes;
	return eval_memory_place(to, storage, sizes, size_count);
}

bool eval_memory_has(const struct eval_memory *memory, const int64_t *x)
{
	bool inside = true;

	for (unsigned d = 0; d < storage_tensor_rank(memory->storage); d++)
		inside = inside && x[d] >= 0 && x[d] < memory->size[d];
	return inside;
}

int64_t eval_memory_offset(const struct eval_memory *memory, const int64_t *x)
{
	const layout_storage *storage = memory->storage;
	unsigned rank = storage_tensor_rank(storage);
	int64_t slot[PROGRAM_RANK], offset = 0;

	for (unsigned k = 0; k < storage->slot_count; k++)
		slot[k] = memory->part[k].dim < rank ?
			digit_value(&memory->part[k], x[memory->part[k].dim]) : 0;
	storage_twist_slots(storage, slot, false);
	for (unsigned k = 0; k < storage->slot_count; k++)
		offset += slot[k] * memory->pitch[k];
	return offset;
}
