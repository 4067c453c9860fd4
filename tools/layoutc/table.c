/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/table.h"
#include "layoutc/kind.h"
#include "layoutc/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_LIMIT ((int64_t)1 << 20)
#define CELL_SIZE 24	/* characters of a coordinate, at most */

/* Read twice: for the extents and the widest cell, then for the cells. */
struct table {
	int64_t rows, columns;
	int64_t modes[2];	/* of a CuTe layout with two modes, else 0 */
	bool last_fastest;
	int width;
	char **cells;		/* NULL at first; a cell without an image is NULL */
	const char *fault;	/* why there is no table */
};

/* The size of a CuTe layout's first mode: the leaves of the tree's second node. */
static int64_t first_mode(layout_cute *cute)
{
	int64_t size = 1, pending = 1;
	unsigned leaf = 0;

	for (unsigned node = 1; pending > 0; node++) {
		int arity = layout_cute_arity(cute, node);

		pending += arity < 0 ? -1 : arity - 1;
		size *= arity < 0 ? layout_cute_shape(cute, leaf++) : 1;
	}
	return size;
}

static void find_modes(struct table *table, layout_cute *cute)
{
	unsigned rank = layout_cute_rank(cute);
	int64_t size = layout_cute_size(cute);

	if (rank > 2) {
		table->fault = "needs a CuTe layout of one or two modes";
	} else if (rank == 2 && size) {
		table->modes[0] = first_mode(cute);
		table->modes[1] = size / table->modes[0];
		table->last_fastest = layout_cute_is_lexicographic(cute);
	}
}

/* The row and the column of an input; false, with the fault, if it has none. */
static bool place(struct table *table, const int64_t *in, unsigned rank, int64_t at[2])
{
	int64_t inner = table->modes[table->last_fastest];

	if (!rank || rank > 2)
		table->fault = "needs inputs of one or two coordinates";
	else if (in[0] < 0 || in[rank - 1] < 0)
		table->fault = "needs inputs that are not negative";
	if (table->fault)
		return false;
	at[0] = rank == 2 ? in[0] : 0;
	at[1] = in[rank - 1];
	if (inner) {
		at[table->last_fastest] = in[0] % inner;
		at[!table->last_fastest] = in[0] / inner;
	}
	return true;
}

/* "7", or "(3, 4)" of several coordinates; to be freed. */
static char *image_str(const int64_t *image, unsigned rank)
{
	size_t size = (rank + 1) * CELL_SIZE, length = 0;
	char *text = calloc(size, 1);

	for (unsigned i = 0; text && i < rank; i++)
		length += snprintf(text + length, size - length, "%s%" PRId64 "%s",
			rank == 1 ? "" : i ? ", " : "(", image[i],
			rank > 1 && i + 1 == rank ? ")" : "");
	return text;
}

static void measure(struct table *table, const int64_t at[2], const char *text)
{
	int width = strlen(text);
	bool many = at[0] >= CELLS_LIMIT || at[1] >= CELLS_LIMIT;

	if (width > table->width)
		table->width = width;
	if (!many && at[0] >= table->rows)
		table->rows = at[0] + 1;
	if (!many && at[1] >= table->columns)
		table->columns = at[1] + 1;
	if (many || table->rows * table->columns > CELLS_LIMIT)
		table->fault = "would have more than 2^20 cells";
}

static bool visit(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned image_rank)
{
	struct table *table = user;
	int64_t at[2];
	char *text, **cell;

	if (!image)
		table->fault = "needs a layout: a set has no values";
	if (table->fault || !place(table, in, in_rank, at))
		return false;
	text = image_str(image, image_rank);
	if (!text) {
		table->fault = "no memory";
	} else if (!table->cells) {
		measure(table, at, text);
		free(text);
	} else {
		cell = &table->cells[at[0] * table->columns + at[1]];
		table->fault = *cell ? "needs a function: an input has two images" : NULL;
		free(*cell);
		*cell = text;
	}
	return !table->fault;
}

/* Visit all pairs.  False on a fault, or on an error. */
static bool read_pairs(struct table *table, layout_value *value,
	const struct arguments *arguments)
{
	return layout_value_for_each(value, arguments->sizes, arguments->size_count,
		visit, table) && !table->fault;
}

static bool read_table(struct table *table, layout_value *value,
	const struct arguments *arguments)
{
	if (value_cute(value))
		find_modes(table, value_cute(value));
	if (table->fault || !read_pairs(table, value, arguments))
		return false;
	table->cells = calloc(table->rows * table->columns + 1, sizeof(*table->cells));
	if (!table->cells)
		table->fault = "no memory";
	return table->cells && read_pairs(table, value, arguments);
}

static void print_rows(FILE *out, const struct table *table)
{
	for (int64_t i = 0; i < table->rows * table->columns; i++)
		fprintf(out, "%*s%c", table->width,
			table->cells[i] ? table->cells[i] : "-",
			(i + 1) % table->columns ? ' ' : '\n');
}

int table_print(FILE *out, layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	struct table table = { .width = 1 };
	int status = STATUS_YES;

	if (read_table(&table, subject->value, arguments))
		print_rows(out, &table);
	else if (table.fault)
		status = report(STATUS_USAGE, "--table", "%s; --values prints the points",
			table.fault);
	else
		status = report_text(ctx, &subject->text, "eval");
	for (int64_t i = 0; table.cells && i < table.rows * table.columns; i++)
		free(table.cells[i]);
	free(table.cells);
	return status;
}
