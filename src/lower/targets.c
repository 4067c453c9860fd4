/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of targets: the rows of all chips. */
#include "lower/target.h"

#include <stdio.h>
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

/* The row of a bare name: the default of its processor. */
static const layout_target *find_default(const char *name, size_t length)
{
	const layout_target *row;

	for (unsigned i = 0; (row = layout_target_at(i)); i++)
		if (row->default_wave && strlen(row->name) == length &&
		    !memcmp(row->name, name, length))
			return row;
	return NULL;
}

static const char *name_at(unsigned i)
{
	const layout_target *row = layout_target_at(i);

	return row ? row->name : NULL;
}

const layout_target *layout_target_find(layout_context *ctx, const char *name)
{
	size_t length = name ? strcspn(name, ":") : 0;
	const layout_target *bare = find_default(name, length);
	const layout_target *row;
	unsigned wave;

	for (unsigned i = 0; name && (row = layout_target_at(i)); i++)
		if (chip_is_named(row->name, row->wave_size, name))
			return row;
	if (bare && sscanf(name + length, ":wave%4u", &wave) == 1 && wave &&
	    wave <= 1024 && chip_is_named(bare->name, wave, name))
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"no target '%s': the waves of %s never have %u lanes",
			name, bare->name, wave);
	else
		chip_fail(ctx, "no target '%s'; there are %s", name ? name : "", name_at);
	return NULL;
}
