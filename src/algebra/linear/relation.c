/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/forms.h"
#include "algebra/linear/linear.h"

#include <layout/view.h>

#include <string.h>

/* More inputs than this have no names in the relation. */
#define MOST_NAMES 16

/* The names of the inputs, where isl can hold them all. */
static bool input_names(layout_linear *linear, const char *names[MOST_NAMES])
{
	unsigned count = layout_linear_in_count(linear);

	for (unsigned i = 0; i < count && count <= MOST_NAMES; i++) {
		names[i] = layout_linear_in_name(linear, i);
		if (!layout_is_plain_name(names[i], strlen(names[i])))
			return false;
	}
	return count <= MOST_NAMES;
}

layout_relation *layout_linear_relation(layout_linear *linear)
{
	const char *names[MOST_NAMES];
	layout_relation *relation;

	if (!linear)
		return NULL;
	relation = form_f2_relation(linear->ctx, f2_share(linear->f2));
	return input_names(linear, names) ? layout_relation_name_in_coordinates(relation,
		names, layout_linear_in_count(linear)) : relation;
}
