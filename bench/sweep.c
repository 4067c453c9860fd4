/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What relayouts take at sizes from 1 to 4097, in the simulator, for gfx942: a page of numbers,
 * and a picture of them.
 *
 *	bench/sweep [FILE]		the picture; none unless said
 *
 * 1 where a point is a cliff, LIMIT_CLIFF times as dear as one beside it. */
#include "support/sweep.h"

#include <layout/layout.h>

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define LIMIT_CLIFF 4.0

/* Tensors of fewer cells take as long as a launch. */
#define FEWEST_CELLS 4096

/* The picture: plots of so many pixels, COLUMNS beside each other, from 2^LOWEST up. */
enum { COLUMNS = 4, WIDTH = 150, HEIGHT = 60, STEP_X = 180, STEP_Y = 96, MARGIN = 20,
	LOWEST = -4, OCTAVES = 8 };

static bool measure(layout_context *ctx, const struct sweep *sweep,
	struct sweep_point points[SWEEP_POINTS])
{
	layout_kernel *kernel = sweep_kernel(ctx, sweep);
	bool ok = kernel;

	for (unsigned p = 0; ok && p < SWEEP_POINTS; p++)
		ok = sweep_run(ctx, sweep, kernel, sweep_points[p], &points[p]);
	layout_kernel_free(kernel);
	if (!ok)
		fprintf(stderr, "sweep: %s: %s\n", sweep->name, layout_context_message(ctx));
	return ok;
}

static bool is_cliff(const struct sweep_point *a, const struct sweep_point *b)
{
	return a->cells >= FEWEST_CELLS && b->cells >= FEWEST_CELLS &&
		(a->accesses > LIMIT_CLIFF * b->accesses ||
		 b->accesses > LIMIT_CLIFF * a->accesses);
}

/* The geometric mean and the most, of the points that are large enough. */
static bool print_row(const struct sweep *sweep, const struct sweep_point *points)
{
	double accesses = 0, lines = 0, most = 0, most_lines = 0;
	unsigned count = 0, cliffs = 0;

	for (unsigned p = 0; p < SWEEP_POINTS; p++) {
		cliffs += p && is_cliff(&points[p - 1], &points[p]);
		if (points[p].cells < FEWEST_CELLS)
			continue;
		accesses += log(points[p].accesses);
		lines += log(points[p].lines);
		most = fmax(most, points[p].accesses);
		most_lines = fmax(most_lines, points[p].lines);
		count++;
	}
	printf("| %s | %s | %.2f | %.2f | %.2f | %.2f | %u |\n", sweep->name, sweep->swept,
		exp(accesses / count), most, exp(lines / count), most_lines, cliffs);
	return !cliffs;
}

static double place_x(int64_t size)
{
	return WIDTH * log2((double)size) / 12.1;
}

static double place_y(double value)
{
	double octaves = log2(value) - LOWEST;

	return HEIGHT * (1 - fmin(fmax(octaves, 0), OCTAVES) / OCTAVES);
}

static void draw_line(FILE *file, const char *name, const struct sweep_point *points,
	bool lines)
{
	fprintf(file, "<polyline class=\"%s\" points=\"", name);
	for (unsigned p = 0; p < SWEEP_POINTS; p++)
		if (points[p].cells >= FEWEST_CELLS)
			fprintf(file, "%.1f,%.1f ", place_x(sweep_points[p]),
				place_y(lines ? points[p].lines : points[p].accesses));
	fprintf(file, "\"/>\n");
}

static void draw_plot(FILE *file, unsigned i, const struct sweep_point *points)
{
	fprintf(file, "<g transform=\"translate(%u %u)\">\n"
		"<text y=\"-6\">%s</text>\n<rect width=\"%d\" height=\"%d\"/>\n"
		"<line x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n", MARGIN + i % COLUMNS * STEP_X,
		3 * MARGIN + i / COLUMNS * STEP_Y, sweeps[i].name, WIDTH, HEIGHT, WIDTH,
		place_y(1), place_y(1));
	draw_line(file, "lines", points, true);
	draw_line(file, "accesses", points, false);
	fprintf(file, "</g>\n");
}

static void draw_head(FILE *file)
{
	unsigned width = 2 * MARGIN + COLUMNS * STEP_X;
	unsigned height = 3 * MARGIN + (sweep_count + COLUMNS - 1) / COLUMNS * STEP_Y;

	fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" "
		"width=\"%u\" height=\"%u\" class=\"sweep\" role=\"img\">\n"
		"<title>Accesses a cell and lines touched, at sizes from 1 to 4097</title>\n"
		"<style>\nsvg.sweep{font-family:ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\","
		"monospace;font-size:9px;background:#fff;fill:#1f2328}\n"
		"rect{fill:none;stroke:#d1d9e0}line{stroke:#d1d9e0}\n"
		"polyline{fill:none;stroke-width:1.5}.accesses{stroke:#0b62c4}"
		".lines{stroke:#c4520b}\n@media (prefers-color-scheme:dark){"
		"svg.sweep{background:#0d1117;fill:#e6edf3}rect,line{stroke:#3d444d}"
		".accesses{stroke:#6cb0ff}.lines{stroke:#ff9e64}}\n</style>\n"
		"<text x=\"%u\" y=\"%u\">from 1 to 4097 to the right, from 1/16 to 16 upward, "
		"the line inside is 1; blue: accesses a cell, orange: 128-byte lines touched "
		"over the least</text>\n", width, height, width, height, MARGIN, MARGIN);
}

int main(int count, char **words)
{
	FILE *file = count > 1 ? fopen(words[1], "w") : NULL;
	layout_context *ctx = layout_context_new();
	struct sweep_point points[SWEEP_POINTS];
	bool ok = ctx && (count < 2 || file);

	printf("Accesses of a lane a cell, and 128-byte lines touched over the least: the mean "
		"of tensors of\n%d cells and more, and the most; neighbours of which one takes "
		"%g times as many accesses.\n\n| remap | size | accesses | most | lines | most | "
		"cliffs |\n|---|---|---|---|---|---|---|\n", FEWEST_CELLS, LIMIT_CLIFF);
	if (file)
		draw_head(file);
	for (unsigned i = 0; i < sweep_count && ctx; i++) {
		bool measured = measure(ctx, &sweeps[i], points);

		ok = measured && print_row(&sweeps[i], points) && ok;
		if (file && measured)
			draw_plot(file, i, points);
		layout_context_clear(ctx);
	}
	if (file) {
		fprintf(file, "</svg>\n");
		ok = fclose(file) == 0 && ok;
	}
	layout_context_free(ctx);
	return ok ? 0 : 1;
}
