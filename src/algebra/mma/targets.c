/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The targets that the tables of matrix instructions know, and all their rows. */
#include "algebra/mma/mma.h"

#include <layout/tiling.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of the bits.  "long_name" says the usual wave size, too. */
static const struct {
	const char *name, *long_name;
} targets[MMA_TARGET_COUNT] = {
	{ "gfx908", "gfx908:wave64" },
	{ "gfx90a", "gfx90a:wave64" },
	{ "gfx942", "gfx942:wave64" },
	{ "gfx950", "gfx950:wave64" },
	{ "gfx1100", "gfx1100:wave32" },
	{ "gfx1100:wave64", "gfx1100:wave64" },
	{ "gfx1200", "gfx1200:wave32" },
	{ "gfx1200:wave64", "gfx1200:wave64" },
	{ "gfx1201", "gfx1201:wave32" },
	{ "gfx1201:wave64", "gfx1201:wave64" },
	{ "gfx1250", "gfx1250:wave32" },
};

static void fail_target(layout_context *ctx, const char *name)
{
	struct layout_buffer names = { 0 };
	char *text;

	for (unsigned i = 0; i < MMA_TARGET_COUNT; i++)
		layout_buffer_printf(&names, "%s%s", i ? ", " : "", targets[i].name);
	text = layout_buffer_take(ctx, &names);
	if (text)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"no matrix instructions of a target '%.40s'; there are those of "
			"%s", name, text);
	free(text);
}

static unsigned find_target(const char *name)
{
	for (unsigned i = 0; i < MMA_TARGET_COUNT; i++)
		if (!strcmp(name, targets[i].name) || !strcmp(name, targets[i].long_name))
			return 1u << i;
	return 0;
}

/* Of a processor or chip that data tiling knows, "gfx1101:wave64", "mi300x": whose
 * instructions it has, with the same waves. */
static unsigned find_chip(const char *name)
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
	return 0;
}

unsigned mma_target(layout_context *ctx, const char *name)
{
	unsigned bit = find_target(name);

	if (!bit)
		bit = find_chip(name);
	if (!bit)
		fail_target(ctx, name);
	return bit;
}

const char *mma_target_name(unsigned bit)
{
	for (unsigned i = 0; i < MMA_TARGET_COUNT; i++)
		if (bit == 1u << i)
			return targets[i].name;
	return NULL;
}

const struct mma_row *mma_row_at(unsigned i)
{
	if (i < mma_iree_count)
		return &mma_iree_rows[i];
	i -= mma_iree_count;
	if (i < mma_mfma_count)
		return &mma_mfma_rows[i];
	i -= mma_mfma_count;
	return i < mma_wmma_count ? &mma_wmma_rows[i] : NULL;
}

const char *layout_mma_name_at(layout_context *ctx, const char *target, unsigned i)
{
	const struct mma_row *row;
	unsigned bit;

	if (!layout_given(ctx, target, "target"))
		return NULL;
	bit = mma_target(ctx, target);
	for (unsigned at = 0; bit && (row = mma_row_at(at)); at++)
		if ((row->targets & bit) && !i--)
			return row->name;
	return NULL;
}
