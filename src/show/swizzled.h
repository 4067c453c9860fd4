/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_SHOW_SWIZZLED_H
#define LAYOUT_SHOW_SWIZZLED_H

#include <layout/value.h>

/* layout_value_for_each(), also of a swizzled storage in little time. */
bool show_for_each(layout_value *value, const layout_size *sizes, unsigned count,
	layout_visit_pair visit, void *user);

#endif
