/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The targets: the rows of all chips. */
#include "algebra/chip.h"

const layout_target *layout_target_at(unsigned i)
{
	const struct chip *chip = chip_at(i);

	return chip ? &chip->target : NULL;
}

const layout_target *layout_target_find(layout_context *ctx, const char *name)
{
	const struct chip *chip = chip_find(ctx, name);

	return chip ? &chip->target : NULL;
}
