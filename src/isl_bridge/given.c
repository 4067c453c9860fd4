/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments that must be there. */
#include "isl_bridge/context.h"

bool layout_given(layout_context *ctx, bool given, const char *what)
{
	if (ctx && !given)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "there is no %s", what);
	return ctx && given;
}

bool layout_given_sizes(layout_context *ctx, const layout_size *sizes, unsigned count)
{
	bool named = true;

	if (!layout_given(ctx, sizes || !count, "list of sizes"))
		return false;
	for (unsigned i = 0; i < count; i++)
		named = named && sizes[i].name;
	return layout_given(ctx, named, "name for a size");
}
