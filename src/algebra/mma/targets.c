/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The targets that the tables of matrix instructions know, and their rows. */
#include "algebra/chip.h"

#include <stdio.h>
#include <string.h>

/* The i-th chip that has some; NULL past the last. */
static const struct chip *target_at(unsigned i)
{
	const struct chip *chip;

	for (unsigned c = 0; (chip = chip_at(c)); c++)
		if (chip->bit && !i--)
			return chip;
	return NULL;
}

static const char *name_at(unsigned i)
{
	const struct chip *chip = target_at(i);

	return chip ? chip->target.name : NULL;
}

static const struct chip *find_target(const char *name)
{
	const struct chip *chip;

	for (unsigned i = 0; (chip = target_at(i)); i++)
		if (chip_is_named(chip->target.name, chip->target.wave_size, name))
			return chip;
	return NULL;
}

/* Of a processor or product that data tiling knows: the chip whose instructions it has,
 * with the same waves. */
static const struct chip *find_product(const char *name)
{
	size_t length = strcspn(name, ":");
	const layout_tiling_target *row;
	char of[64];

	for (unsigned i = 0; (row = layout_tiling_target_at(i)); i++)
		if (strlen(row->name) == length && !strncmp(row->name, name, length)) {
			snprintf(of, sizeof(of), "%s%s", row->instructions_of,
				name + length);
			return find_target(of);
		}
	return NULL;
}

const struct chip *mma_target(layout_context *ctx, const char *name)
{
	const struct chip *chip = find_target(name);

	if (!chip)
		chip = find_product(name);
	if (!chip)
		chip_fail(ctx, "no matrix instructions of a target '%.40s'; there are those "
			"of %s", name, name_at);
	return chip;
}

const struct mma_row *mma_row_at(const struct chip_family *family, unsigned i)
{
	for (const struct mma_table *const *t = family->matrix; t && *t; t++) {
		if (i < (*t)->count)
			return &(*t)->rows[i];
		i -= (*t)->count;
	}
	return NULL;
}

const char *layout_mma_name_at(layout_context *ctx, const char *target, unsigned i)
{
	const struct chip *chip;
	const struct mma_row *row;

	if (!layout_given(ctx, target, "target"))
		return NULL;
	chip = mma_target(ctx, target);
	for (unsigned at = 0; chip && (row = mma_row_at(chip->family, at)); at++)
		if ((row->targets & chip->bit) && !i--)
			return row->name;
	return NULL;
}
