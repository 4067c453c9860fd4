/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What accesses cost memory, against what was measured on an NVIDIA H100: costs that are
 * fitted on the odd rows of the table predict the even ones; and rows that begin inside of sectors
 * against an H200. */
#include "kernel/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TABLE TEST_DATA_DIR "/measured/h100_access.tsv"
#define ROWS_TABLE TEST_DATA_DIR "/measured/h200_rows.tsv"
#define WAVE 32
#define WORST 0.08	/* of the fraction of a copy's rate */
#define ROWS 128

/* Lines and sectors as its manuals have them. */
static const struct chip_memory h100 = { .line = 128, .sector = 32,
	.line_known = LAYOUT_LDS_DOCUMENTED, .sector_known = LAYOUT_LDS_DOCUMENTED };

struct row {
	char text[256];
	double fraction;		/* measured */
	double terms[MEMORY_COSTS];
};

struct table {
	unsigned count;
	struct row rows[ROWS];
};

/* ---- the kernels of the table: 16 bytes a lane */

static void add(struct memory_trace *trace, unsigned wave, unsigned access, int64_t row,
	int64_t column)
{
	memory_add(trace, (struct memory_range){ wave, access, row, 16 * column, 16 });
}

static void count(struct memory_trace *trace, struct memory_side *side)
{
	assert_true(memory_count(trace, side));
	memory_trace_free(trace);
}

/* Chunks of c * 16 bytes of a row; waves follow each other along the row. */
static void count_chunks(int64_t c, int64_t accesses, bool down, unsigned waves,
	struct memory_side *side)
{
	struct memory_trace trace = { .facts = &h100 };
	int64_t rows = WAVE / c;

	for (unsigned w = 0; w < waves; w++)
		for (int64_t u = 0; u < accesses; u++)
			for (int64_t l = 0; l < WAVE; l++)
				add(&trace, w, (unsigned)u, l / c + (down ? u * rows : 0),
					down ? w * c + l % c :
					(w * accesses + u) * c + l % c);
	count(&trace, side);
}

/* A transpose in registers, squares of 4 x 4: rows x columns of lanes, rows x columns of
 * squares a lane.  Waves follow each other down the side's rows or along them. */
static void count_squares(const int64_t lanes[2], const int64_t squares[2], bool along,
	unsigned waves, struct memory_side *side)
{
	struct memory_trace trace = { .facts = &h100 };
	unsigned access = 0;

	for (int64_t i = 0; i < squares[0]; i++)
		for (int64_t r = 0; r < 4; r++)
			for (int64_t j = 0; j < squares[1]; j++, access++)
				for (unsigned w = 0; w < waves; w++)
					for (int64_t l = 0; l < WAVE; l++)
						add(&trace, w, access,
							(((along ? 0 : w) * squares[0] + i) *
							 lanes[0] + l / lanes[1]) * 4 + r,
							((along ? w : 0) * squares[1] + j) *
							lanes[1] + l % lanes[1]);
	count(&trace, side);
}

/* One side of a tile that goes through shared memory. */
static void count_tile(int64_t row, int64_t accesses, int64_t threads,
	struct memory_side *side)
{
	struct memory_trace trace = { .facts = &h100 };

	for (int64_t p = 0; p < accesses; p++)
		for (int64_t t = 0; t < threads; t++)
			add(&trace, (unsigned)(t / WAVE), (unsigned)p,
				(p * threads + t) / (row / 4), (p * threads + t) % (row / 4));
	count(&trace, side);
}

static bool read_chunk(struct row *row, const char *line)
{
	struct memory_side pieces, whole;
	char side[8], way[8];
	int bytes, accesses, threads;

	if (sscanf(line, "chunk %7s %d %d %7s %d %*f %lf", side, &bytes, &accesses, way,
	    &threads, &row->fraction) != 6)
		return false;
	count_chunks(bytes / 16, accesses, !strcmp(way, "down"), (unsigned)threads / WAVE,
		&pieces);
	count_chunks(WAVE, accesses, false, (unsigned)threads / WAVE, &whole);
	if (!strcmp(side, "load"))
		memory_terms(&pieces, &whole, row->terms);
	else
		memory_terms(&whole, &pieces, row->terms);
	return true;
}

static bool read_squares(struct row *row, const char *line)
{
	struct memory_side load, store;
	int a, b, i, j, threads;

	if (sscanf(line, "regt lanes %dx%d squares %dx%d chunks %*d/%*d %d %*f %lf", &a, &b,
	    &i, &j, &threads, &row->fraction) != 6)
		return false;
	count_squares((const int64_t[]){ a, b }, (const int64_t[]){ i, j }, false,
		(unsigned)threads / WAVE, &load);
	count_squares((const int64_t[]){ b, a }, (const int64_t[]){ j, i }, true,
		(unsigned)threads / WAVE, &store);
	memory_terms(&load, &store, row->terms);
	return true;
}

static bool read_tile(struct row *row, const char *line)
{
	struct memory_side load, store;
	int m, n, threads;

	if (sscanf(line, "lds %dx%d %d %*f %lf", &m, &n, &threads, &row->fraction) != 4)
		return false;
	count_tile(n, m * n / 4 / threads, threads, &load);
	count_tile(m, m * n / 4 / threads, threads, &store);
	memory_terms(&load, &store, row->terms);
	return true;
}

static void read_table(struct table *table)
{
	FILE *file = fopen(TABLE, "r");
	char line[256];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file) && table->count < ROWS) {
		struct row *row = &table->rows[table->count];

		line[strcspn(line, "\n")] = 0;
		snprintf(row->text, sizeof(row->text), "%s", line);
		if (read_chunk(row, line) || read_squares(row, line) || read_tile(row, line))
			table->count++;
		else if (line[0] != '#' && strncmp(line, "copy", 4) != 0)
			fail_msg("a row that is not understood: %s", line);
	}
	fclose(file);
	assert_int_equal(table->count, 110);
}

/* ---- least squares */

/* Solve for the costs; "a" is symmetric, with the right side as its last column. */
static void solve(double a[MEMORY_COSTS][MEMORY_COSTS + 1], double costs[MEMORY_COSTS])
{
	for (unsigned i = 0; i < MEMORY_COSTS; i++)
		for (unsigned k = 0; k < MEMORY_COSTS; k++) {
			double f = a[k][i] / a[i][i];

			for (unsigned j = 0; k != i && j <= MEMORY_COSTS; j++)
				a[k][j] -= f * a[i][j];
		}
	for (unsigned i = 0; i < MEMORY_COSTS; i++)
		costs[i] = a[i][MEMORY_COSTS] / a[i][i];
}

/* Of the time of each odd row, weighted so that the fraction's error counts. */
static void fit(const struct table *table, double costs[MEMORY_COSTS])
{
	double a[MEMORY_COSTS][MEMORY_COSTS + 1] = { { 0 } };

	for (unsigned r = 0; r < table->count; r += 2) {
		const struct row *row = &table->rows[r];
		double weight = pow(row->fraction, 4);

		for (unsigned i = 0; i < MEMORY_COSTS; i++) {
			for (unsigned k = 0; k < MEMORY_COSTS; k++)
				a[i][k] += weight * row->terms[i] * row->terms[k];
			a[i][MEMORY_COSTS] += weight * row->terms[i] *
				(1 / row->fraction - 1);
		}
	}
	solve(a, costs);
}

static double predicted(const struct row *row, const double costs[MEMORY_COSTS])
{
	double time = 1;

	for (unsigned i = 0; i < MEMORY_COSTS; i++)
		time += costs[i] * row->terms[i];
	return 1 / time;
}

/* Those of the chip that was measured; the others have them until they are. */
static void check_rows(const double costs[MEMORY_COSTS])
{
	const struct chip *chip;
	unsigned rows[2] = { 0 };

	for (unsigned c = 0; (chip = chip_at(c)); c++) {
		if (!chip->memory)
			continue;
		for (unsigned i = 0; i < MEMORY_COSTS; i++)
			assert_int_equal(chip->memory->costs[i], lround(1000 * costs[i]));
		rows[chip->memory->costs_known == LAYOUT_LDS_MEASURED]++;
	}
	assert_int_not_equal(rows[0], 0);
	assert_int_equal(rows[1], 1);
}

static void test_predicts(void **state)
{
	struct table table = { 0 };
	double costs[MEMORY_COSTS], worst = 0;
	unsigned at = 1;

	(void)state;
	read_table(&table);
	fit(&table, costs);
	for (unsigned i = 0; i < MEMORY_COSTS; i++)
		print_message("%s: %.4f\n", memory_cost_text((enum memory_cost)i), costs[i]);
	for (unsigned r = 1; r < table.count; r += 2) {
		double miss = fabs(predicted(&table.rows[r], costs) - table.rows[r].fraction);

		if (miss > worst) {
			worst = miss;
			at = r;
		}
	}
	print_message("worst: %.3f where %.3f is predicted: %s\n", worst,
		predicted(&table.rows[at], costs), table.rows[at].text);
	assert_true(worst <= WORST);
	assert_true(MEMORY_COSTS <= 8);
	check_rows(costs);
}

static bool is_chunk(const struct row *row)
{
	return !strncmp(row->text, "chunk", 5);
}

/* Transposes, in registers or through shared memory, that differ clearly are in order. */
static void test_orders(void **state)
{
	struct table table = { 0 };
	double costs[MEMORY_COSTS];

	(void)state;
	read_table(&table);
	fit(&table, costs);
	for (unsigned a = 0; a < table.count; a++)
		for (unsigned b = 0; b < table.count; b++)
			if (!is_chunk(&table.rows[a]) && !is_chunk(&table.rows[b]) &&
			    table.rows[a].fraction > table.rows[b].fraction + WORST &&
			    predicted(&table.rows[a], costs) <=
			    predicted(&table.rows[b], costs))
				fail_msg("%s\nbefore %s", table.rows[a].text,
					table.rows[b].text);
}

static const struct chip *measured_chip(void)
{
	unsigned c = 0;

	while (!chip_at(c)->memory ||
	       chip_at(c)->memory->costs_known != LAYOUT_LDS_MEASURED)
		c++;
	return chip_at(c);
}

/* Rows of an H200 that begin inside of sectors, by those that do not. */
static void test_odd_rows(void **state)
{
	FILE *file = fopen(ROWS_TABLE, "r");
	const struct chip_memory *facts = measured_chip()->memory;
	unsigned count = 0;
	double even = 0, fraction, worst = 0;
	char line[256];
	int bytes, lane, beyond;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		double rows, odd, miss;

		if (sscanf(line, "%d %d %d %lf", &bytes, &lane, &beyond, &fraction) != 4)
			continue;
		count++;
		even = beyond ? even : fraction;
		rows = beyond % 32 == 0 ? 0 : beyond % 16 == 0 ? 1 / 2. : 7 / 8.;
		odd = rows * memory_odd_time(facts, bytes, lane == 4);
		miss = fabs(1 / (1 / even + odd) - fraction);
		worst = fmax(worst, miss);
		if (miss > WORST)
			fail_msg("%.3f is predicted: %s", 1 / (1 / even + odd), line);
	}
	fclose(file);
	print_message("odd rows, worst: %.3f\n", worst);
	assert_int_equal(count, 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_predicts),
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_odd_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
