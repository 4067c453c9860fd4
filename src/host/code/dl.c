/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/remap.h"

#include <layout/layout_dl.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DL_INT, DL_UINT, DL_FLOAT, DL_BFLOAT = 4, DL_BOOL = 6, DL_CPU = 1, DL_PINNED = 3,
	MOST_RANK = 64 };

/* The types by DLPack's code and bits. */
static const struct {
	uint8_t code, bits;
	const char *name;
} types[] = {
	{ DL_INT, 8, "i8" }, { DL_INT, 16, "i16" }, { DL_INT, 32, "i32" }, { DL_INT, 64, "i64" },
	{ DL_UINT, 8, "u8" }, { DL_UINT, 16, "u16" }, { DL_UINT, 32, "u32" },
	{ DL_UINT, 64, "u64" }, { DL_FLOAT, 16, "f16" }, { DL_FLOAT, 32, "f32" },
	{ DL_FLOAT, 64, "f64" }, { DL_BFLOAT, 16, "bf16" }, { DL_BOOL, 8, "i1" },
	{ 10, 8, "f8E4M3FN" }, { 11, 8, "f8E4M3FNUZ" }, { 12, 8, "f8E5M2" },
	{ 13, 8, "f8E5M2FNUZ" }, { 14, 8, "f8E8M0FNU" },
};

const char *layout_dl_type(const layout_dl_tensor *tensor)
{
	for (size_t i = 0; tensor && i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].code == tensor->code && types[i].bits == tensor->bits &&
		    tensor->lanes == 1)
			return types[i].name;
	return NULL;
}

/* Of a tensor with strides; one of a single index has no step, and may say anything. */
static int64_t stride_of(const layout_dl_tensor *tensor, int32_t d)
{
	return tensor->strides[d] < 0 && tensor->shape[d] <= 1 ? 0 : tensor->strides[d];
}

static bool check_shape(layout_context *ctx, const layout_dl_tensor *tensor)
{
	if (!layout_given(ctx, tensor && (tensor->shape || !tensor->ndim), "tensor"))
		return false;
	if (tensor->ndim < 0 || tensor->ndim > MOST_RANK) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "a tensor of rank %" PRId32,
			tensor->ndim);
		return false;
	}
	for (int32_t d = 0; d < tensor->ndim; d++) {
		if (tensor->shape[d] >= 0 && (!tensor->strides || stride_of(tensor, d) >= 0))
			continue;
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "dimension %" PRId32 " of a "
			"tensor has a %s below 0", d, tensor->shape[d] < 0 ? "size" :
			"stride");
		return false;
	}
	return true;
}

layout_storage *layout_dl_storage(layout_context *ctx, const layout_dl_tensor *tensor)
{
	char text[2 * MOST_RANK][24];
	const char *list[2 * MOST_RANK];
	unsigned rank;

	if (!ctx || !check_shape(ctx, tensor))
		return NULL;
	rank = (unsigned)tensor->ndim;
	for (unsigned d = 0; d < rank; d++) {
		snprintf(text[d], sizeof(text[d]), "%" PRId64, tensor->shape[d]);
		snprintf(text[rank + d], sizeof(text[d]), "%" PRId64,
			tensor->strides ? stride_of(tensor, (int32_t)d) : 0);
		list[d] = text[d];
		list[rank + d] = text[rank + d];
	}
	return tensor->strides ? layout_storage_strided(ctx, rank, list, list + rank) :
		layout_storage_row_major(ctx, rank, list);
}

/* Its memory, from the first element to the last; 0 bytes where it has none. */
static bool find_memory(layout_context *ctx, const layout_dl_tensor *tensor, char **base,
	size_t *bytes)
{
	int64_t last = 0, count = 1, step;
	bool fits = true, none = false;

	for (int32_t d = tensor->ndim; d-- > 0;) {
		int64_t size = tensor->shape[d];

		step = tensor->strides ? stride_of(tensor, d) : count;
		fits = fits && (!size || (!__builtin_mul_overflow(step, size - 1, &step) &&
			!__builtin_add_overflow(last, step, &last)));
		fits = fits && !__builtin_mul_overflow(count, size, &count);
		none = none || !size;
	}
	fits = fits && tensor->byte_offset <= INT64_MAX;
	*base = tensor->data && fits ? (char *)tensor->data + tensor->byte_offset : NULL;
	if ((none && tensor->byte_offset <= INT64_MAX) || (fits && last < INT64_MAX / 8)) {
		*bytes = none ? 0 : (size_t)(last + 1) * (tensor->bits / 8);
		return true;
	}
	layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1, "a tensor overflows 64 bits");
	return false;
}

/* Are elements of this type what the remap has, by one of its names? */
static bool is_same(const layout_dl_tensor *tensor, const char *own,
	const struct element_type *type)
{
	return own && (!strcmp(own, type->name) || (tensor->bits == type->bits &&
		((tensor->code == DL_INT && type->kind == 'i') ||
		 (tensor->code == DL_UINT && type->kind == 'u'))));
}

/* Is it where we are, and of the type that a remap has there, or bytes? */
static bool check_tensor(layout_context *ctx, const layout_dl_tensor *tensor,
	const char *side, const struct element_type *type)
{
	const char *own = layout_dl_type(tensor);

	if (!check_shape(ctx, tensor))
		return false;
	if (tensor->device_type != DL_CPU && tensor->device_type != DL_PINNED) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"the %s is on a device of type %" PRId32 ", not in the CPU's memory",
			side, tensor->device_type);
		return false;
	}
	if (is_same(tensor, own, type) || (own && !strcmp(own, "u8")))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
		"the %s has elements of type %s, the remap has %s", side,
		own ? own : "unknown to it", type->name);
	return false;
}

bool layout_dl_run(layout_remap *remap, layout_dl_tensor *destination,
	const layout_dl_tensor *source, const layout_size *sizes, unsigned count)
{
	layout_run run = LAYOUT_RUN_INIT;
	layout_context *ctx;
	char *from, *to;

	if (!remap)
		return false;
	ctx = layout_remap_context(remap);
	if (!check_tensor(ctx, source, "source", remap->conversion.from) ||
	    !check_tensor(ctx, destination, "destination", remap->conversion.to) ||
	    !find_memory(ctx, source, &from, &run.source_bytes) ||
	    !find_memory(ctx, destination, &to, &run.destination_bytes))
		return false;
	run.source = from;
	run.destination = to;
	run.sizes = sizes;
	run.size_count = count;
	return layout_remap_run(remap, &run);
}
