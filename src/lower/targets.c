/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the targets are lowered: by the hooks of their families. */
#include "lower/target.h"

#include <string.h>

const struct target_hooks *target_hooks_of(const layout_target *target)
{
	unsigned f = 0;

	while (strcmp(target_families[f]->family, chip_of(target)->family->name) != 0)
		f++;
	return target_families[f];
}
