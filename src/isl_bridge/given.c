/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments that must be there. */
#include "isl_bridge/context.h"

#include <string.h>

bool layout_given(layout_context *ctx, bool given, const char *what)
{
	if (ctx && !given)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "there is no %s", what);
	return ctx && given;
}

/* No name has two numbers. */
static bool given_once(layout_context *ctx, const layout_size *sizes, unsigned count)
{
	for (unsigned i = 1; i < count; i++)
		for (unsigned k = 0; k < i; k++) {
			if (strcmp(sizes[i].name, sizes[k].name))
				continue;
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"%s is there twice", sizes[i].name);
			return false;
		}
	return true;
}

bool layout_given_sizes(layout_context *ctx, const layout_size *sizes, unsigned count)
{
	bool named = true;

	if (!layout_given(ctx, sizes || !count, "list of sizes"))
		return false;
	for (unsigned i = 0; i < count; i++)
		named = named && sizes[i].name;
	return layout_given(ctx, named, "name for a size") && given_once(ctx, sizes, count);
}
