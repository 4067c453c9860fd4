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

static const layout_target *find_wave(const layout_target *like, unsigned wave_size)
{
	const layout_target *row;

	for (unsigned i = 0; (row = layout_target_at(i)); i++)
		if (row->wave_size == wave_size &&
		    !strcmp(row->processor, like->processor))
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

static void fail_unknown(layout_context *ctx, const char *name)
{
	struct layout_buffer names = { 0 };
	const layout_target *row;
	char *text;

	for (unsigned i = 0; (row = layout_target_at(i)); i++)
		layout_buffer_printf(&names, "%s%s", i ? ", " : "", row->name);
	text = layout_buffer_take(ctx, &names);
	if (text)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"no target '%s'; there are %s", name, text);
	free(text);
}

const layout_target *layout_target_find(layout_context *ctx, const char *name)
{
	size_t length = name ? strcspn(name, ":") : 0;
	const layout_target *bare = find_default(name, length), *row;
	unsigned wave = bare && name[length] ? read_wave(name + length) : 0;

	if (bare && !name[length])
		return bare;
	if (!wave) {
		fail_unknown(ctx, name ? name : "");
		return NULL;
	}
	row = find_wave(bare, wave);
	if (!row)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"no target '%s': the waves of %s never have %u lanes",
			name, bare->name, wave);
	return row;
}
