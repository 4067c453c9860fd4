/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of targets: the rows of all chips. */
#include "lower/target.h"

#include <string.h>

const layout_target *layout_target_at(unsigned i)
{
	const struct chip *chip = chip_at(i);

	return chip ? &chip->target : NULL;
}

const struct target_hooks *target_hooks_of(const layout_target *target)
{
	unsigned f = 0;

	while (strcmp(target_families[f]->family, chip_of(target)->family->name) != 0)
		f++;
	return target_families[f];
}

const layout_target *layout_target_find(layout_context *ctx, const char *name)
{
	const struct chip *chip = chip_find(ctx, name);

	return chip ? &chip->target : NULL;
}
