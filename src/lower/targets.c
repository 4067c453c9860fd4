/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of targets: the rows of all chips. */
#include "lower/target.h"

#include <stdlib.h>
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

/* The number in ":wave64"; 0 for another text. */
static unsigned read_wave(const char *text)
{
	static const char prefix[] = ":wave";
	unsigned long wave;
	char *end;

	if (strncmp(text, prefix, strlen(prefix)))
		return 0;
	text += strlen(prefix);
	if (text[0] < '1' || text[0] > '9')
		return 0;
	wave = strtoul(text, &end, 10);
	return *end || wave > 1024 ? 0 : (unsigned)wave;
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
	unsigned wave = bare ? read_wave(name + length) : 0;
	const layout_target *row;

	for (unsigned i = 0; name && (row = layout_target_at(i)); i++)
		if (chip_is_named(row->name, row->wave_size, name))
			return row;
	if (wave)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"no target '%s': the waves of %s never have %u lanes",
			name, bare->name, wave);
	else
		chip_fail(ctx, "no target '%s'; there are %s", name ? name : "", name_at);
	return NULL;
}
