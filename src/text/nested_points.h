/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_TEXT_NESTED_POINTS_H
#define LAYOUT_TEXT_NESTED_POINTS_H

#include <layout/value.h>

/* Visit the pairs of the layout's relation, sorted, until "visit" returns false; false on
 * an error. */
bool nested_for_each(layout_nested *nested, layout_context *ctx, layout_visit_pair visit,
	void *user);

#endif
