/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/chip.h"

#include <stdio.h>
#include <string.h>

const struct chip *chip_at(unsigned i)
{
	for (unsigned f = 0; chip_families[f]; f++) {
		if (i < chip_families[f]->chip_count)
			return &chip_families[f]->chips[i];
		i -= chip_families[f]->chip_count;
	}
	return NULL;
}

bool chip_is_named(const struct chip *chip, const char *name)
{
	const layout_target *target = &chip->target;
	char long_name[32];

	snprintf(long_name, sizeof(long_name), "%.*s:wave%u",
		(int)strcspn(target->name, ":"), target->name, target->wave_size);
	return !strcmp(target->name, name) || !strcmp(long_name, name);
}
