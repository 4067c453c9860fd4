/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/forms.h"
#include "algebra/linear/linear.h"

layout_relation *layout_linear_relation(layout_linear *linear)
{
	if (!linear)
		return NULL;
	return form_f2_relation(linear->ctx, f2_share(linear->f2));
}
