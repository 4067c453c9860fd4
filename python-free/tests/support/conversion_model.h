/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Plans of conversions, executed on arrays. */
#ifndef TESTS_SUPPORT_CONVERSION_MODEL_H
#define TESTS_SUPPORT_CONVERSION_MODEL_H

#include "algebra/owner/conversion.h"

/* Does every point of TO get the element that it is to hold, by the steps that the plan
 * has, if any; and by the LDS, where each place is put to once? */
bool conversion_model_lanes(const layout_conversion_plan *plan);
bool conversion_model_lds(const layout_conversion_plan *plan);

#endif
