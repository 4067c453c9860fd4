/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/mma_json.h"

#include <layout/layout.h>

static void print_operand(FILE *out, layout_mma *mma, layout_mma_operand operand,
	bool first)
{
	fputs(first ? "" : ", ", out);
	json_str(out, layout_mma_operand_name(operand));
	fprintf(out, ": {\"elements\": %u, \"type\": ", layout_mma_elements(mma));
	json_str(out, layout_mma_type(mma));
	fputc('}', out);
}

void mma_json_row(FILE *out, layout_context *ctx, layout_mma *lhs, const char *name,
	const char *target)
{
	layout_mma_shape shape = layout_mma_get_shape(lhs);

	fputs("{\"name\": ", out);
	json_str(out, name);
	fprintf(out, ", \"m\": %u, \"n\": %u, \"k\": %u, \"blocks\": %u, \"operands\": {",
		shape.m, shape.n, shape.k, shape.blocks);
	for (unsigned i = 0; layout_mma_operand_name(i); i++) {
		layout_mma *mma = layout_mma_has(lhs, i) ?
			layout_mma_find(ctx, name, i, target) : NULL;

		if (mma)
			print_operand(out, mma, i, !i);
		layout_mma_free(mma);
	}
	fputs("}}", out);
}

/* A member with the text, which is freed.  Whether there was one. */
static bool print_member(struct json_object *json, const char *name, char *text)
{
	if (text) {
		json_next(json);
		fprintf(json->out, "\"%s\": ", name);
		json_str(json->out, text);
	}
	layout_string_free(text);
	return text;
}

static void print_number(struct json_object *json, const char *name, unsigned number)
{
	json_next(json);
	fprintf(json->out, "\"%s\": %u", name, number);
}

static bool print_relation(struct json_object *json, layout_mma *mma)
{
	layout_relation *relation = layout_mma_relation(mma);
	bool good = print_member(json, "isl", layout_relation_str(relation));

	layout_relation_free(relation);
	return good;
}

/* Nothing where the layout is not linear. */
static bool print_linear(struct json_object *json, layout_context *ctx, layout_mma *mma)
{
	layout_linear *linear = layout_mma_linear(mma);
	bool good;

	if (!linear && layout_context_error(ctx) == LAYOUT_ERROR_NO_ANSWER) {
		layout_context_clear(ctx);
		return true;
	}
	good = print_member(json, "linear", layout_linear_str(linear));
	layout_linear_free(linear);
	return good;
}

bool mma_json_layout(struct json_object *json, layout_context *ctx, layout_mma *mma)
{
	if (!print_member(json, "operand", layout_mma_str(mma)))
		return false;
	print_number(json, "rows", layout_mma_rows(mma));
	print_number(json, "columns", layout_mma_columns(mma));
	json_next(json);
	fputs("\"type\": ", json->out);
	json_str(json->out, layout_mma_type(mma));
	print_number(json, "lanes", layout_mma_lanes(mma));
	print_number(json, "elements", layout_mma_elements(mma));
	return print_relation(json, mma) && print_linear(json, ctx, mma);
}
