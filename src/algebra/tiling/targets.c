/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The targets of data tiling: every chip's. */
#include "algebra/chip.h"
#include "algebra/tiling/targets.h"

#include <string.h>

enum among { PROCESSORS, PRODUCTS, CPUS };

static enum among among_of(const layout_tiling_target *row)
{
	return row->features ? CPUS : row->processors ? PRODUCTS : PROCESSORS;
}

/* The i-th of those; less of them from "*i". */
static const layout_tiling_target *find_among(enum among among, unsigned *i)
{
	const layout_tiling_target *row;
	const struct chip *chip;

	for (unsigned c = 0; (chip = chip_at(c)); c++)
		for (row = chip->tiling; row && row->name; row++)
			if (among_of(row) == among && !(*i)--)
				return row;
	return NULL;
}

/* The processors before the products, whose numbers differ from one to the next. */
const layout_tiling_target *layout_tiling_target_at(unsigned i)
{
	const layout_tiling_target *row = NULL;

	for (enum among among = PROCESSORS; !row && among <= CPUS; among++)
		row = find_among(among, &i);
	return row;
}

static const char *name_at(unsigned i)
{
	const layout_tiling_target *row = layout_tiling_target_at(i);

	return row ? row->name : NULL;
}

const layout_tiling_target *layout_tiling_target_find(layout_context *ctx,
	const char *name)
{
	const layout_tiling_target *row;

	if (!layout_given(ctx, name, "name of a target"))
		return NULL;
	for (unsigned i = 0; (row = layout_tiling_target_at(i)); i++)
		if (chip_is_named(row->name, row->wave_size, name))
			return row;
	chip_fail(ctx, "no data tiling for a target '%.40s'; there is that for %s", name,
		name_at);
	return NULL;
}

/* The row may be an older caller's, which lacks the last fields. */
bool tiling_target_check(layout_context *ctx, const layout_tiling_target *target,
	layout_tiling_target *row)
{
	*row = (layout_tiling_target){ .size = sizeof(*row) };
	if (!layout_given(ctx, target, "target of data tiling"))
		return false;
	memcpy(row, target, target->size < sizeof(*row) ? target->size : sizeof(*row));
	if (!layout_given(ctx, row->name && row->instructions_of, "name of a target"))
		return false;
	if (row->simds)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
		"%s has simds = 0: a workgroup processor has at least one", row->name);
	return false;
}
