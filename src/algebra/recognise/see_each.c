/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The points of a relation that is too hard for isl as a whole: each input alone is
 * not. */
#include "algebra/recognise/recognise.h"

#include <inttypes.h>
#include <isl/ilp.h>
#include <stdlib.h>

/* Fail because of the images of an input.  Always false. */
static bool refuse(const struct seen *seen, const int64_t *in, bool several)
{
	struct layout_buffer text = { 0 };

	if (bridge_failed(seen->ctx))
		return false;
	for (unsigned d = 0; d < seen->in_rank; d++)
		layout_buffer_printf(&text, "%s%" PRId64, d ? ", " : "", in[d]);
	layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "no %s: (%s) has %s",
		several ? "function" : "box", text.text ? text.text : "",
		several ? "several images" : "no image");
	free(text.text);
	return false;
}

/* The one image of an input, from all of its images. */
static bool take_image(const struct seen *seen, const int64_t *in, isl_set *images,
	int64_t *image)
{
	for (unsigned k = 0; k < seen->out_rank; k++) {
		isl_val *least = isl_set_dim_min_val(isl_set_copy(images), (int)k);
		isl_val *most = isl_set_dim_max_val(isl_set_copy(images), (int)k);
		bool some = isl_val_is_int(least) == isl_bool_true;
		bool one = some && isl_val_eq(least, most) == isl_bool_true;

		isl_val_free(most);
		if (!one) {
			isl_val_free(least);
			return refuse(seen, in,
				isl_set_is_empty(images) == isl_bool_false);
		}
		if (!bridge_int64(seen->ctx, least, &image[k]))
			return false;
	}
	return true;
}

static bool find_image(const struct seen *seen, const int64_t *in, int64_t *image)
{
	isl_map *map = isl_map_copy(seen->relation->map);
	isl_set *images;
	bool good;

	for (unsigned d = 0; d < seen->in_rank; d++)
		map = isl_map_fix_val(map, isl_dim_in, d, isl_val_int_from_si(
			isl_map_get_ctx(map), in[d]));
	images = isl_map_range(map);
	good = images && take_image(seen, in, images, image);
	isl_set_free(images);
	return good;
}

/* The input after this one, in lexicographic order. */
static void step_over(const struct seen *seen, const int64_t *in, int64_t *next)
{
	bool carry = true;

	for (unsigned d = seen->in_rank; d-- > 0;) {
		next[d] = in[d] + carry;
		carry = next[d] == seen->box[d];
		if (carry)
			next[d] = 0;
	}
}

bool see_each(struct seen *seen)
{
	size_t count = seen_points(seen);
	struct table *table = &seen->table;
	int64_t *in;

	*table = (struct table){ .rank = seen->out_rank, .inputs = { .ctx = seen->ctx,
		.rank = seen->in_rank, .count = count } };
	in = table->inputs.values = layout_alloc(seen->ctx, (count + 1) * seen->in_rank,
		sizeof(*in));
	table->images = layout_alloc(seen->ctx, count * seen->out_rank, sizeof(*in));
	seen->listed = in && table->images;
	for (size_t i = 0; seen->listed && i < count; i++, in += seen->in_rank) {
		seen->listed = find_image(seen, in, table->images + i * seen->out_rank);
		step_over(seen, in, in + seen->in_rank);
	}
	if (!seen->listed)
		table_free(table);
	return seen->listed;
}
