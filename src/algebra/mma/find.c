/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/mma/mma.h"

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
	if (operand == LAYOUT_MMA_ACC_HI)
		return row->shape->bits[LAYOUT_MMA_ACC].element[0] == '-';
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

/* The row of that name on one of the targets; NULL where there is none. */
static const struct mma_row *find_row(const char *name, unsigned targets)
{
	const struct mma_row *row;

	for (unsigned i = 0; (row = mma_row_at(i)); i++)
		if ((row->targets & targets) && spelling(row, name))
			return row;
	return NULL;
}

/* "gfx1100, gfx1200": those of "among" that have the name; to be freed. */
static char *list_targets(layout_context *ctx, const char *name, unsigned among)
{
	struct layout_buffer names = { 0 };
	const char *separator = "";

	for (unsigned bit = 1; bit < 1u << MMA_TARGET_COUNT; bit <<= 1) {
		if (!(bit & among) || !find_row(name, bit))
			continue;
		layout_buffer_printf(&names, "%s%s", separator, mma_target_name(bit));
		separator = ", ";
	}
	return layout_buffer_take(ctx, &names);
}

/* Has the row the name, on a target at its usual wave size, and the operand? */
static bool is_usual(const struct mma_row *row, const char *name,
	layout_mma_operand operand)
{
	return (row->targets & MMA_USUAL) && spelling(row, name) &&
		mma_row_has(row, operand);
}

/* The row that all targets with such an operand agree on; *agree says whether they do.
 * NULL where none has one. */
static const struct mma_row *find_common(const char *name, layout_mma_operand operand,
	bool *agree)
{
	const struct mma_row *row, *first = NULL;

	*agree = true;
	for (unsigned i = 0; (row = mma_row_at(i)); i++) {
		if (!is_usual(row, name, operand))
			continue;
		if (!first)
			first = row;
		if (row->shape != first->shape)
			*agree = false;
	}
	return first;
}

static const struct mma_row *find_on(layout_context *ctx, const char *name,
	unsigned target)
{
	const struct mma_row *row = find_row(name, target);
	char *names;

	if (row)
		return row;
	names = list_targets(ctx, name, ~0u);
	if (names && *names)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"%s has no %s, but %s", mma_target_name(target), name, names);
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
		row = find_row(name, MMA_USUAL);
	if (!row)
		mma_fail_name(ctx, name);
	if (!row || agree)
		return row;
	names = list_targets(ctx, name, MMA_USUAL);
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
	layout_mma_operand operand, unsigned target)
{
	return target ? find_on(ctx, name, target) : find_anywhere(ctx, name, operand);
}

layout_mma *layout_mma_find(layout_context *ctx, const char *name,
	layout_mma_operand operand, const char *target)
{
	const struct mma_row *row;
	unsigned bit = 0;
	layout_mma *mma;

	if (!layout_given(ctx, name, "name"))
		return NULL;
	if (target)
		bit = mma_target(ctx, target);
	if (target && !bit)
		return NULL;
	row = mma_find_row(ctx, name, operand, bit);
	if (!row || !check_operand(ctx, row, operand))
		return NULL;
	mma = layout_alloc(ctx, 1, sizeof(*mma));
	if (mma)
		*mma = (struct layout_mma){ ctx, row, spelling(row, name), bit, operand };
	return mma;
}
