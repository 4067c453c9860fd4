/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/chip.h"

#include <stdlib.h>
#include <string.h>

static const char *const operand_names[] = {
	[LAYOUT_MMA_LHS] = "lhs",
	[LAYOUT_MMA_RHS] = "rhs",
	[LAYOUT_MMA_ACC] = "acc",
	[LAYOUT_MMA_LHS_SCALE] = "lhs_scale",
	[LAYOUT_MMA_RHS_SCALE] = "rhs_scale",
	[LAYOUT_MMA_ACC_HI] = "acc_hi",
	[LAYOUT_MMA_INDEX] = "index",
};
#define OPERAND_COUNT (sizeof(operand_names) / sizeof(*operand_names))

const char *layout_mma_operand_name(layout_mma_operand operand)
{
	return (unsigned)operand < OPERAND_COUNT ? operand_names[operand] : NULL;
}

bool mma_row_has(const struct mma_row *row, layout_mma_operand operand)
{
	const char *acc = row->shape->bits[LAYOUT_MMA_ACC].element;

	if (operand == LAYOUT_MMA_ACC_HI)
		return acc && acc[0] == '-';
	return (unsigned)operand < OPERAND_COUNT && row->shape->bits[operand].lane;
}

/* The spelling of the row's that is "name", or NULL. */
static const char *spelling(const struct mma_row *row, const char *name)
{
	if (!strcmp(row->name, name))
		return row->name;
	for (unsigned i = 0; i < sizeof(row->also) / sizeof(*row->also); i++)
		if (row->also[i] && !strcmp(row->also[i], name))
			return row->also[i];
	return NULL;
}

bool mma_row_is_named(const struct mma_row *row, const char *name)
{
	return spelling(row, name);
}

/* The row of that name on a chip; NULL where there is none. */
static const struct mma_row *find_row(const char *name, const struct chip *chip)
{
	const struct mma_row *row;

	for (unsigned i = 0; (row = mma_row_at(chip->family, i)); i++)
		if ((row->targets & chip->bit) && spelling(row, name))
			return row;
	return NULL;
}

/* The chips that have the name, separated by commas, all of them or the first of each
 * instructions whose waves have their usual size; to be freed. */
static char *list_targets(layout_context *ctx, const char *name, bool first)
{
	struct layout_buffer names = { 0 };
	const struct chip *chip;

	for (unsigned i = 0; (chip = chip_at(i)); i++)
		if ((!first || (chip->target.default_wave && chip_is_first(chip))) &&
		    find_row(name, chip))
			layout_buffer_printf(&names, "%s%s", names.length ? ", " : "",
				chip->target.name);
	return layout_buffer_take(ctx, &names);
}

/* The bits of a family's chips with waves of their usual size. */
static unsigned usual_bits(const struct chip_family *family)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < family->chip_count; i++)
		if (family->chips[i].target.default_wave)
			bits |= family->chips[i].bit;
	return bits;
}

/* The row that all targets with such an operand agree on, at their usual wave sizes;
 * *agree says whether they do.  Where none has the operand, the first row of that name;
 * NULL without one. */
static const struct mma_row *find_common(const char *name, layout_mma_operand operand,
	bool *agree)
{
	const struct mma_row *row, *first = NULL, *other = NULL;

	*agree = true;
	for (unsigned f = 0; chip_families[f]; f++) {
		unsigned usual = usual_bits(chip_families[f]);

		for (unsigned i = 0; (row = mma_row_at(chip_families[f], i)); i++) {
			if (!(row->targets & usual) || !spelling(row, name))
				continue;
			if (!other)
				other = row;
			if (!mma_row_has(row, operand))
				continue;
			if (!first)
				first = row;
			if (row->shape != first->shape)
				*agree = false;
		}
	}
	return first ? first : other;
}

static const struct mma_row *find_on(layout_context *ctx, const char *name,
	const struct chip *target)

{
	const struct mma_row *row = find_row(name, target);
	char *names;

	if (row)
		return row;
	names = list_targets(ctx, name, false);
	if (names && *names)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"%s has no %s, but %s", target->target.name, name, names);
	else if (names)
		mma_fail_name(ctx, name);
	free(names);
	return NULL;
}

static const struct mma_row *find_anywhere(layout_context *ctx, const char *name,
	layout_mma_operand operand)
{
	bool agree;
	const struct mma_row *row = find_common(name, operand, &agree);
	char *names;

	if (!row)
		mma_fail_name(ctx, name);
	if (!row || agree)
		return row;
	names = list_targets(ctx, name, true);
	if (names)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"%s is not the same on all targets: say which of %s", name,
			names);
	free(names);
	return NULL;
}

static bool check_operand(layout_context *ctx, const struct mma_row *row,
	layout_mma_operand operand)
{
	struct layout_buffer names = { 0 };
	const char *separator = "";
	char *text;

	if (mma_row_has(row, operand))
		return true;
	for (unsigned i = 0; i < OPERAND_COUNT; i++) {
		if (!mma_row_has(row, i))
			continue;
		layout_buffer_printf(&names, "%s%s", separator, operand_names[i]);
		separator = ", ";
	}
	text = layout_buffer_take(ctx, &names);
	if (text && layout_mma_operand_name(operand))
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"%s has no operand %s; it has %s", row->name,
			operand_names[operand], text);
	else if (text)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "there is no such operand");
	free(text);
	return false;
}

const struct mma_row *mma_find_row(layout_context *ctx, const char *name,
	layout_mma_operand operand, const struct chip *target)
{
	return target ? find_on(ctx, name, target) : find_anywhere(ctx, name, operand);
}

layout_mma *layout_mma_find(layout_context *ctx, const char *name,
	layout_mma_operand operand, const char *target)
{
	const struct mma_row *row;
	const struct chip *chip = NULL;
	layout_mma *mma;

	if (!layout_given(ctx, name, "name"))
		return NULL;
	if (target)
		chip = mma_target(ctx, target);
	if (target && !chip)
		return NULL;
	row = mma_find_row(ctx, name, operand, chip);
	if (!row || !check_operand(ctx, row, operand))
		return NULL;
	mma = layout_alloc(ctx, 1, sizeof(*mma));
	if (mma)
		*mma = (struct layout_mma){ ctx, row, spelling(row, name), chip, operand };
	return mma;
}
