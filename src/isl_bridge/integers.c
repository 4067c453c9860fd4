/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/bridge.h"

/* isl's integers are unbounded; these are 64-bit limbs of the absolute value.  No
 * value is a failure of isl's, which bridge_leave() reports. */
bool bridge_int64(layout_context *ctx, isl_val *value, int64_t *result)
{
	bool integer = isl_val_is_int(value) == isl_bool_true;
	bool negative = isl_val_is_neg(value) == isl_bool_true;
	uint64_t limb = 0, most = negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
	isl_size limbs = integer ? isl_val_n_abs_num_chunks(value, sizeof(limb)) : 0;
	bool fits = limbs >= 0 && limbs <= 1;

	if (!value)
		return false;
	if (fits && integer)
		fits = isl_val_get_abs_num_chunks(value, sizeof(limb), &limb) == 0;
	isl_val_free(value);
	if (!integer) {
		layout_fail(ctx, LAYOUT_ERROR_ISL, -1, "expected an integer from isl");
		return false;
	}
	if (!fits || limb > most) {
		layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
			"a value does not fit 64 bits");
		return false;
	}
	*result = negative ? (int64_t)(0 - limb) : (int64_t)limb;
	return true;
}
