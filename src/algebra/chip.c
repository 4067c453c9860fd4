/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct chip *chip_at(unsigned i)
{
	for (unsigned f = 0; chip_families[f]; f++) {
		if (i < chip_families[f]->chip_count)
			return &chip_families[f]->chips[i];
		i -= chip_families[f]->chip_count;
	}
	return NULL;
}

bool chip_is_named(const char *name, unsigned wave_size, const char *text)
{
	char long_name[64];

	snprintf(long_name, sizeof(long_name), "%.*s:wave%u", (int)strcspn(name, ":"),
		name, wave_size);
	return !strcmp(name, text) || !strcmp(long_name, text);
}

void chip_fail(layout_context *ctx, const char *format, const char *name,
	const char *(*name_at)(unsigned i))
{
	struct layout_buffer names = { 0 };
	const char *other;
	char *text;

	for (unsigned i = 0; (other = name_at(i)); i++)
		layout_buffer_printf(&names, "%s%s", i ? ", " : "", other);
	text = layout_buffer_take(ctx, &names);
	if (text)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, format, name, text);
	free(text);
}

/* The chip of a bare name: the default of its processor. */
static const struct chip *find_default(const char *name, size_t length)
{
	const struct chip *chip;

	for (unsigned i = 0; (chip = chip_at(i)); i++)
		if (chip->target.default_wave && strlen(chip->target.name) == length &&
		    !memcmp(chip->target.name, name, length))
			return chip;
	return NULL;
}

const struct chip *chip_of_product(const char *name)
{
	const struct chip *chip;

	for (unsigned i = 0; (chip = chip_at(i)); i++)
		for (unsigned k = 0; chip->products && chip->products[k]; k++)
			if (!strcasecmp(chip->products[k], name))
				return chip;
	return NULL;
}

static const char *name_at(unsigned i)
{
	const struct chip *chip = chip_at(i);

	return chip ? chip->target.name : NULL;
}

const struct chip *chip_find(layout_context *ctx, const char *name)
{
	size_t length = name ? strcspn(name, ":") : 0;
	const struct chip *bare = find_default(name, length), *chip;
	unsigned wave;

	for (unsigned i = 0; name && (chip = chip_at(i)); i++)
		if (chip_is_named(chip->target.name, chip->target.wave_size, name))
			return chip;
	if (name && chip_of_product(name))
		return chip_of_product(name);
	if (bare && sscanf(name + length, ":wave%4u", &wave) == 1 && wave &&
	    wave <= 1024 && chip_is_named(bare->target.name, wave, name))
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"no target '%s': the waves of %s never have %u lanes",
			name, bare->target.name, wave);
	else
		chip_fail(ctx, "no target '%s'; there are %s", name ? name : "", name_at);
	return NULL;
}

const struct chip_lanes *chip_lanes_of(const struct chip *chip, unsigned x)
{
	const struct chip_lanes *lanes = chip->lanes;

	while (lanes[1].name && (x < lanes->low || x > lanes->high))
		lanes++;
	return lanes;
}
