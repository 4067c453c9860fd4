/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The boxes of inputs and images that a notation declares. */
#include "text/value.h"

#include <stdio.h>
#include <stdlib.h>

/* { [x] : 0 <= x < end } */
static layout_set *interval(layout_context *ctx, int64_t end)
{
	char text[64];

	snprintf(text, sizeof(text), "{ [x] : 0 <= x < %lld }", (long long)end);
	return layout_set_read(ctx, text);
}

layout_set *text_box(layout_context *ctx, const int64_t *sizes, unsigned rank)
{
	struct layout_buffer out = { 0 };
	layout_set *set;
	char *text;

	layout_buffer_printf(&out, "{ [");
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(&out, "%sx%u", i ? ", " : "", i);
	layout_buffer_printf(&out, "]");
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(&out, "%s 0 <= x%u < %lld", i ? " and" : " :", i,
			(long long)sizes[i]);
	layout_buffer_printf(&out, " }");
	text = layout_buffer_take(ctx, &out);
	set = text ? layout_set_read(ctx, text) : NULL;
	free(text);
	return set;
}

/* The box of a side of a linear layout. */
static layout_set *box(layout_linear *linear, unsigned count,
	int64_t (*size)(const layout_linear *, unsigned))
{
	int64_t sizes[LAYOUT_LINEAR_RANK];

	for (unsigned i = 0; i < count; i++)
		sizes[i] = size(linear, i);
	return text_box(layout_linear_context(linear), sizes, count);
}

layout_set *layout_value_onto(layout_value *value)
{
	if (!value)
		return NULL;
	switch (value->kind) {
	case LAYOUT_VALUE_CUTE:
		return interval(value->ctx, layout_cute_cosize(value->cute));
	case LAYOUT_VALUE_NESTED:
		return layout_nested_box(value->nested);
	case LAYOUT_VALUE_LINEAR:
		return box(value->linear, layout_linear_out_count(value->linear),
			layout_linear_out_size);
	case LAYOUT_VALUE_MMA:
		return layout_mma_box(value->mma);
	case LAYOUT_VALUE_SWIZZLE:
		return interval(value->ctx, layout_swizzle_period(value->swizzle));
	case LAYOUT_VALUE_STORAGE:
		return layout_storage_cells(value->storage);
	case LAYOUT_VALUE_CHAIN:
		return layout_chain_result(value->chain);
	case LAYOUT_VALUE_REMAP:
		return layout_storage_cells(layout_remap_destination(value->remap));
	case LAYOUT_VALUE_RELATION:
		return layout_set_copy(value->onto);
	default:
		return NULL;
	}
}

layout_set *layout_value_from(layout_value *value)
{
	if (!value)
		return NULL;
	switch (value->kind) {
	case LAYOUT_VALUE_CUTE:
		return interval(value->ctx, layout_cute_size(value->cute));
	case LAYOUT_VALUE_NESTED:
		return layout_relation_domain(layout_nested_relation(value->nested));
	case LAYOUT_VALUE_LINEAR:
		return box(value->linear, layout_linear_in_count(value->linear),
			layout_linear_in_size);
	case LAYOUT_VALUE_MMA:
		return layout_relation_domain(layout_mma_relation(value->mma));
	case LAYOUT_VALUE_SWIZZLE:
		return interval(value->ctx, layout_swizzle_period(value->swizzle));
	case LAYOUT_VALUE_STORAGE:
		return layout_relation_domain(layout_storage_relation(value->storage));
	case LAYOUT_VALUE_CHAIN:
		return layout_relation_domain(layout_storage_relation(
			layout_chain_source(value->chain)));
	case LAYOUT_VALUE_REMAP:
		return layout_relation_range(layout_storage_relation(
			layout_remap_source(value->remap)));
	default:
		return NULL;
	}
}
