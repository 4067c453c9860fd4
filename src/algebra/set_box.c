/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/objects.h"

#include <isl/ilp.h>
#include <layout/view.h>

/* The size that holds dimension "dim", into "size"; false with an error, or with isl's
 * failure still to be reported. */
static bool extent(layout_context *ctx, isl_set *set, unsigned dim, int64_t *size)
{
	isl_val *least = isl_set_dim_min_val(isl_set_copy(set), (int)dim);
	isl_val *most = isl_set_dim_max_val(isl_set_copy(set), (int)dim);
	bool inside = isl_val_is_nonneg(least) == isl_bool_true &&
		isl_val_is_int(most) == isl_bool_true;

	isl_val_free(least);
	if (inside)
		return bridge_int64(ctx, isl_val_add_ui(most, 1), size);
	isl_val_free(most);
	if (!bridge_failed(ctx))
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"coordinate %u has no box of numbers from 0 on", dim);
	return false;
}

bool layout_set_box(layout_set *set, int64_t *sizes)
{
	isl_set *asked;
	bool good = true, empty;
	isl_size rank;

	if (!set || !layout_given(set->ctx, sizes, "place for the sizes"))
		return false;
	bridge_enter(set->ctx);
	asked = isl_set_copy(set->set);
	rank = isl_set_dim(asked, isl_dim_set);
	empty = isl_set_is_empty(asked) == isl_bool_true;
	for (isl_size d = 0; good && d < rank; d++) {
		sizes[d] = 0;
		good = empty || extent(set->ctx, asked, (unsigned)d, &sizes[d]);
	}
	isl_set_free(asked);
	return bridge_leave(set->ctx, "find the box of a set") && good;
}
