/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A nested layout used for a vector, judged in the reference's words. */
#include "algebra/nested/nested.h"

static char *print_shape(layout_context *ctx, const int64_t *shape, unsigned rank)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "[");
	for (unsigned d = 0; d < rank; d++)
		if (shape[d] < 0)
			layout_buffer_printf(&out, "%s?", d ? ", " : "");
		else
			layout_buffer_printf(&out, "%s%lld", d ? ", " : "",
				(long long)shape[d]);
	layout_buffer_printf(&out, "]");
	return layout_buffer_take(ctx, &out);
}

static void refuse_dim(layout_nested *nested, const int64_t *shape, unsigned rank,
	unsigned dim)
{
	char *vector = print_shape(nested->ctx, shape, rank);
	char *layout = layout_nested_str(nested);

	if (vector && layout)
		layout_fail(nested->ctx, LAYOUT_ERROR_SPACE, -1,
			"Vector shape: %s does not match the layout (%s) at dim %u. "
			"Dimension expected by layout: %lld actual: %lld", vector,
			layout, dim, (long long)layout_nested_size(nested, dim),
			(long long)shape[dim]);
	layout_string_free(vector);
	layout_string_free(layout);
}

bool layout_nested_check_shape(layout_nested *nested, const int64_t *shape,
	unsigned rank)
{
	if (!nested || !layout_given(nested->ctx, shape || !rank, "shape"))
		return false;
	if (rank != nested->rank) {
		layout_fail(nested->ctx, LAYOUT_ERROR_SPACE, -1,
			"Rank of vector (%u) does not match rank of layout (%u).", rank,
			nested->rank);
		return false;
	}
	for (unsigned d = 0; d < rank; d++)
		if (shape[d] >= 0 && shape[d] != layout_nested_size(nested, d)) {
			refuse_dim(nested, shape, rank, d);
			return false;
		}
	return true;
}
