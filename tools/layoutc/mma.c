/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc mma */
#include "layoutc/arguments.h"
#include "layoutc/json.h"
#include "layoutc/mma_grid.h"
#include "layoutc/mma_json.h"
#include "layoutc/report.h"
#include "layoutc/watch.h"

#include <layout/layout.h>
#include <string.h>

/* Of "32x32x4 x16", and the columns between. */
#define SHAPE_WIDTH 13

/* "4x4x4 x16": M, N and K, and the blocks where there are several. */
static void print_shape(layout_mma_shape shape)
{
	int width = printf("%ux%ux%u", shape.m, shape.n, shape.k);

	if (shape.blocks > 1)
		width += printf(" x%u", shape.blocks);
	printf("%*s", SHAPE_WIDTH - width, "");
}

/* "lhs 4 f16, rhs 4 f16, acc 4 f32" */
static void print_operands(layout_context *ctx, layout_mma *lhs, const char *name,
	const char *target)
{
	for (unsigned i = 0; layout_mma_operand_name(i); i++) {
		layout_mma *mma = layout_mma_has(lhs, i) ?
			layout_mma_find(ctx, name, i, target) : NULL;

		if (mma)
			printf("%s%s %u %s", i ? ", " : "", layout_mma_operand_name(i),
				layout_mma_elements(mma), layout_mma_type(mma));
		layout_mma_free(mma);
	}
}

/* The length of the longest name; 0 where there is none. */
static int name_width(layout_context *ctx, const char *target)
{
	const char *name;
	int width = 0;

	for (unsigned i = 0; (name = layout_mma_name_at(ctx, target, i)); i++)
		if ((int)strlen(name) > width)
			width = (int)strlen(name);
	return width;
}

/* A line an instruction. */
static int print_list(layout_context *ctx, const char *target)
{
	int width = name_width(ctx, target);
	const char *name;

	if (!width)
		return report_error(ctx, "--target");
	printf("%-*s  %-*s%s\n", width, "instruction", SHAPE_WIDTH, "shape",
		"elements a lane");
	for (unsigned i = 0; (name = layout_mma_name_at(ctx, target, i)); i++) {
		layout_mma *lhs = layout_mma_find(ctx, name, LAYOUT_MMA_LHS, target);

		printf("%-*s  ", width, name);
		print_shape(layout_mma_get_shape(lhs));
		print_operands(ctx, lhs, name, target);
		putchar('\n');
		layout_mma_free(lhs);
	}
	return STATUS_YES;
}

/* The same as an array. */
static int print_json_list(layout_context *ctx, const char *target)
{
	const char *name;

	if (!layout_mma_name_at(ctx, target, 0))
		return report_error(ctx, "--target");
	for (unsigned i = 0; (name = layout_mma_name_at(ctx, target, i)); i++) {
		layout_mma *lhs = layout_mma_find(ctx, name, LAYOUT_MMA_LHS, target);

		fputs(i ? ",\n " : "[", stdout);
		mma_json_row(stdout, ctx, lhs, name, target);
		layout_mma_free(lhs);
	}
	puts("]");
	return STATUS_YES;
}

/* A line of text, which is freed; whether there was one. */
static bool print_line(char *text)
{
	if (text)
		puts(text);
	layout_string_free(text);
	return text != NULL;
}

/* The relation, and the linear layout unless there is none. */
static bool print_forms(layout_context *ctx, layout_mma *mma)
{
	layout_relation *relation = layout_mma_relation(mma);
	layout_linear *linear;
	bool good = print_line(layout_relation_str(relation));

	layout_relation_free(relation);
	if (!good)
		return false;
	linear = layout_mma_linear(mma);
	if (!linear && layout_context_error(ctx) == LAYOUT_ERROR_NO_ANSWER)
		layout_context_clear(ctx);
	else
		good = print_line(layout_linear_str(linear));
	layout_linear_free(linear);
	return good;
}

static int print_layout(layout_context *ctx, layout_mma *mma)
{
	char *text = layout_mma_str(mma);

	if (!text)
		return report_error(ctx, "mma");
	printf("%s: %u x %u of %s, %u lanes with %u each\n", text, layout_mma_rows(mma),
		layout_mma_columns(mma), layout_mma_type(mma), layout_mma_lanes(mma),
		layout_mma_elements(mma));
	layout_string_free(text);
	if (!print_forms(ctx, mma))
		return report_error(ctx, "mma");
	return mma_grid_print(mma) ? STATUS_YES :
		report(STATUS_UNKNOWN, "mma", "no memory");
}

static int print_json_layout(layout_context *ctx, layout_mma *mma)
{
	struct json_object json;
	bool good;

	if (!json_open(&json))
		return report(STATUS_UNKNOWN, "mma", "no memory");
	good = mma_json_layout(&json, ctx, mma);
	json_close(&json, good);
	return good ? STATUS_YES : report_error(ctx, "mma");
}

static int run_operand(layout_context *ctx, const char *name, const char *operand,
	const char *target, bool json)
{
	layout_mma_operand i = 0;
	layout_mma *mma;
	int status;

	while (layout_mma_operand_name(i) && strcmp(layout_mma_operand_name(i), operand))
		i++;
	if (!layout_mma_operand_name(i))
		return report(STATUS_USAGE, operand, "is no operand: lhs, rhs, acc, "
			"lhs_scale, rhs_scale, acc_hi or index");
	mma = layout_mma_find(ctx, name, i, target);
	if (mma)
		status = (json ? print_json_layout : print_layout)(ctx, mma);
	else
		status = report_error(ctx, "mma");
	layout_mma_free(mma);
	return status;
}

int run_mma(const struct arguments *arguments)
{
	const char *target = argument_value(arguments, OPTION_GPU);
	bool json = argument_choice(arguments, OPTION_ROW_FORMAT, 0);
	layout_context *ctx;
	int status;

	if (arguments->operand_count == 1)
		return report(STATUS_USAGE, "mma", "needs an OPERAND behind the NAME");
	ctx = watch_context_new();
	if (!ctx)
		return report(STATUS_UNKNOWN, "mma", "no memory");
	if (arguments->operand_count)
		status = run_operand(ctx, arguments->operands[0], arguments->operands[1],
			target, json);
	else
		status = (json ? print_json_list : print_list)(ctx, target);
	layout_context_free(ctx);
	return status;
}
