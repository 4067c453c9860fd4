/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/cute/modes.h"
#include "isl_bridge/arithmetic.h"

/* Does a mode of that stride go on where the last one ends? */
static bool continues(const struct cute_modes *modes, int64_t stride)
{
	unsigned last = modes->count - 1;

	return modes->count &&
		(__int128)modes->shape[last] * modes->stride[last] == stride;
}

void cute_modes_append(struct cute_modes *modes, int64_t shape, int64_t stride)
{
	if (continues(modes, stride)) {
		modes->shape[modes->count - 1] *= shape;
		return;
	}
	modes->shape[modes->count] = shape;
	modes->stride[modes->count++] = stride;
}

void cute_modes_endless(struct cute_modes *modes, const layout_cute *cute)
{
	modes->count = 0;
	for (unsigned i = 0; i < cute->leaf_count; i++)
		if (cute->shape[i] != 1 || i + 1 == cute->leaf_count)
			cute_modes_append(modes, cute->shape[i], cute->stride[i]);
	if (!modes->count)
		cute_modes_append(modes, 1, 0);
}

void cute_modes_reverse(struct cute_modes *modes)
{
	for (unsigned i = 0, j = modes->count; i + 1 < j; i++) {
		int64_t shape = modes->shape[i], stride = modes->stride[i];

		modes->shape[i] = modes->shape[--j];
		modes->stride[i] = modes->stride[j];
		modes->shape[j] = shape;
		modes->stride[j] = stride;
	}
}

void cute_modes_build(const struct cute_modes *modes, struct cute_builder *builder)
{
	if (!modes->count)
		cute_leaf(builder, 1, 0);
	if (modes->count > 1)
		cute_node(builder, (int)modes->count);
	for (unsigned i = 0; i < modes->count; i++)
		cute_leaf(builder, modes->shape[i], modes->stride[i]);
}

bool cute_modes_at(const struct cute_modes *modes, int64_t x, int64_t *offset)
{
	unsigned last = modes->count - 1;

	*offset = 0;
	for (unsigned i = 0; i < last && x; i++) {
		int64_t rest = x / modes->shape[i];

		if (!int_add_product(offset, x - rest * modes->shape[i],
				modes->stride[i]))
			return false;
		x = rest;
	}
	return int_add_product(offset, x, modes->stride[last]);
}
