/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A small quota, or little time, changes no answer: it is that of the defaults, or the error
 * of the quota or of the time.  Of all notations, and of the vectors. */
#include "support/append.h"
#include "support/bounds.h"
#include "support/encoding_rows.h"
#include "support/notations.h"
#include "support/vector_texts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TEXT 8192
#define FIELDS 16

/* Of the rows of a table every so many is swept, or all where LAYOUT_TEST_FILTER is "all". */
static bool all(void)
{
	const char *filter = getenv("LAYOUT_TEST_FILTER");

	return filter && !strcmp(filter, "all");
}

static void of_literals(void **state)
{
	(void)state;
	for (unsigned i = 0; good_literal(i); i++)
		bounds_sweep(good_literal(i));
}

/* Of results with few points: isl takes seconds for some others. */
#define FEW_POINTS 128

static bool is_short(char **fields)
{
	return all() || atol(fields[6]) <= FEW_POINTS;
}

/* id, op, a, b, .. */
static void cute_text(char **fields, char *text)
{
	const char *op = fields[1];

	if (!strcmp(op, "compose_tiler"))
		op = "compose";
	if (!strcmp(op, "eval"))
		op = "inverse";
	append_text(text, TEXT, !strcmp(fields[3], "-") ? "%s(%s)" : "%s(%s, %s)", op,
		fields[2], fields[3]);
}

/* OWN, the tiles, both strides */
static void nested_text(char **fields, char *text)
{
	append_text(text, TEXT, "nested_layout<subgroup_tile = [%s], batch_tile = [%s], "
		"outer_tile = [%s], thread_tile = [%s], element_tile = [%s], "
		"subgroup_strides = [%s], thread_strides = [%s]>", fields[1], fields[2],
		fields[3], fields[4], fields[5], fields[6], fields[7]);
}

static bool is_first_thread(char **fields)
{
	return !strcmp(fields[8], "0");
}

/* instruction, .., operand at 7 */
static void mma_text(char **fields, char *text)
{
	append_text(text, TEXT, "mma<%s, %s>", fields[0], fields[7]);
}

/* kind, row, access, row stride and rows a phase or 0 */
static void swizzle_text(char **fields, char *text)
{
	append_text(text, TEXT, "%s<%s, %s", fields[0], fields[1], fields[2]);
	for (unsigned i = 3; i < 5 && strcmp(fields[i], "0") != 0; i++)
		append_text(text, TEXT, ", %s", fields[i]);
	append_text(text, TEXT, ">");
}

/* "register=0,1;8,0|lane=->dim0:16,dim1:2" as our notation has it. */
static void append_linear(char *text, const char *of)
{
	char *copy = strdup(of), *images = strstr(copy, "->"), *rest = copy, *input;
	const char *comma = "";

	assert_non_null(images);
	*images = 0;
	images += 2;
	append_text(text, TEXT, "linear<{");
	while (*copy && (input = strsep(&rest, "|"))) {
		char *bases = input, *base;
		const char *name = strsep(&bases, "=");

		append_text(text, TEXT, "%s%s = [", comma, name);
		for (comma = ""; bases && *bases && (base = strsep(&bases, ";"));
		     comma = ", ")
			append_text(text, TEXT, "%s[%s]", comma,
				strcmp(base, "()") ? base : "");
		append_text(text, TEXT, "]");
		comma = ", ";
	}
	append_text(text, TEXT, "} -> {");
	for (comma = ""; *images && (input = strsep(&images, ",")); comma = ", ") {
		const char *name = strsep(&input, ":");

		append_text(text, TEXT, "%s%s = %s", comma, name, input);
		if (!images)
			break;
	}
	append_text(text, TEXT, "}>");
	free(copy);
}

/* source, arch, gfx, instruction, wave, operand, .. */
static void register_text(char **fields, char *text)
{
	static const char *const operands[] = { "lhs", "rhs", [3] = "acc" };

	append_text(text, TEXT, "mma<%s, %s, %s:wave%s>", fields[3],
		operands[*fields[5] - 'A'], fields[2], fields[4]);
}

/* source, gfx, wave, instruction, operand, .. */
static void bases_text(char **fields, char *text)
{
	append_text(text, TEXT, "mma<%s, %s, %s:wave%s>", fields[3], fields[4], fields[1],
		fields[2]);
}

/* id, gfx, direction, bits, phases, pattern, addresses, .. */
static void conflicts_text(char **fields, char *text)
{
	char *addresses = fields[6], *address;

	append_text(text, TEXT, "conflicts({ ");
	for (unsigned lane = 0; (address = strsep(&addresses, ",")); lane++)
		append_text(text, TEXT, "%s[%u] -> [%s]", lane ? "; " : "", lane, address);
	append_text(text, TEXT, " }, target = %s, bits = %s%s)", fields[1], fields[3],
		strcmp(fields[2], "write") ? "" : ", access = store");
}

static void copy_text(char **fields, char *text)
{
	direct_copy_text(fields, text, TEXT);
}

/* target, types, sizes, .. */
static void choice_text(char **fields, char *text)
{
	append_text(text, TEXT, "distribution(");
	choice_operand_text(fields[1], fields[2], 0, text, TEXT);
	append_text(text, TEXT, ", target = %s)", fields[0]);
}

/* Has it a swizzle? */
static bool has_parts(char **fields)
{
	return *fields[5];
}

/* id, operand, and the lists */
static void swizzled_text(char **fields, char *text)
{
	packed_text(fields[2], fields[3], fields[4], fields[5], fields[6], text, TEXT);
}

static bool has_encoding(char **fields)
{
	return !strcmp(fields[2], "toLinearLayout");
}

/* .., "shape=[128,64] enc=.." */
static void distribute_text(char **fields, char *text)
{
	const char *shape = strchr(fields[5], '[');
	int length = (int)strcspn(shape, "]") + 1;

	append_text(text, TEXT, "distribute(");
	triton_text(shape + length + 1, text, TEXT);
	append_text(text, TEXT, ", %.*s)", length, shape);
}

static bool has_linear(char **fields)
{
	return strstr(fields[3], "->") && !strstr(fields[5], "bitwidth");
}

/* id, source, op, a, b, ..; of two layouts one in the coordinates of the other. */
static void linear_text(char **fields, char *text)
{
	bool inner = !strcmp(fields[2], "compose"), pair = strstr(fields[4], "->");
	bool inverse = !inner && (pair || !strncmp(fields[2], "invert", 6));

	append_text(text, TEXT, "%s%s", pair ? "compose(" : "", inverse ? "inverse(" : "");
	append_linear(text, fields[pair ? 4 : 3]);
	append_text(text, TEXT, inverse ? ")" : "");
	if (pair) {
		append_text(text, TEXT, ", ");
		append_linear(text, fields[3]);
		append_text(text, TEXT, ")");
	}
}

static const struct table {
	const char *file;
	unsigned fields, one_in;
	bool (*taken)(char **fields);
	void (*make)(char **fields, char *text);
} tables[] = {
	{ "cute.tsv", 7, 50, is_short, cute_text },
	{ "nested_ownership.tsv", 9, 8, is_first_thread, nested_text },
	{ "mma_rows.tsv", 8, 50, NULL, mma_text },
	{ "swizzle_attrs.tsv", 5, 1, NULL, swizzle_text },
	{ "triton.tsv", 6, 100, has_linear, linear_text },
	{ "triton.tsv", 6, 20, has_encoding, distribute_text },
	{ "mma.tsv", 6, 40, NULL, register_text },
	{ "mma_bases.tsv", 5, 400, NULL, bases_text },
	{ "lds.tsv", 7, 40, NULL, conflicts_text },
	{ "dma.tsv", DMA_COLUMNS, 3, NULL, copy_text },
	{ "encoding_choice.tsv", 3, 60, NULL, choice_text },
	{ "encodings_swizzles.tsv", 7, 20, has_parts, swizzled_text },
};

/* How many fields the line has, up to FIELDS. */
static unsigned split(char *line, char **fields)
{
	unsigned count = 0;

	line[strcspn(line, "\n")] = 0;
	while (count < FIELDS && line)
		fields[count++] = strsep(&line, "\t");
	return count;
}

static void sweep_table(const struct table *table)
{
	FILE *file;
	char path[256], *line = NULL, *fields[FIELDS];
	unsigned number = 0;
	size_t size = 0;

	snprintf(path, sizeof(path), "%s/vectors/%s", TEST_DATA_DIR, table->file);
	file = fopen(path, "r");
	assert_non_null(file);
	while (getline(&line, &size, file) > 0) {
		char text[TEXT] = "";

		if (*line == '#' || !strncmp(line, "id\t", 3) ||
		    split(line, fields) < table->fields ||
		    (table->taken && !table->taken(fields)) ||
		    (number++ % table->one_in && !all()))
			continue;
		table->make(fields, text);
		bounds_sweep(text);
	}
	assert_true(number);
	free(line);
	fclose(file);
}

static void of_vectors(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		sweep_table(&tables[i]);
}

static void sweep_encoding(const struct encoding_row *row, void *user)
{
	unsigned *number = user;
	char operand[ENCODING_TEXT], text[TEXT] = "";

	if ((*number)++ % 8 && !all())
		return;
	encoding_row_text(row, operand);
	bounds_sweep(operand);
	append_text(text, TEXT, "distribution(%s, target = %s)", operand,
		row->fields[ROW_TARGET]);
	bounds_sweep(text);
}

static void of_encodings(void **state)
{
	unsigned number = 0;

	(void)state;
	assert_true(each_encoding_row(sweep_encoding, &number) > 50);
}

/* The points of pieces are listed behind other work: wherever it ends, that was the quota. */
static void of_listed_points(void **state)
{
	char text[TEXT] = "conflicts({ ";

	(void)state;
	for (unsigned lane = 0; lane < 64; lane++)
		append_text(text, TEXT, "%s[%u] -> [%u]", lane ? "; " : "", lane, 512 * lane);
	append_text(text, TEXT, " }, target = gfx950, bits = 32)");
	for (unsigned long quota = 20000; quota < 40000; quota += 250) {
		layout_context *ctx = layout_context_new();
		layout_value *value;

		layout_context_set_quota(ctx, quota);
		value = layout_value_parse(ctx, text);
		if (!value)
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_listed_points),
		cmocka_unit_test(of_literals),
		cmocka_unit_test(of_vectors),
		cmocka_unit_test(of_encodings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
