/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* docs/performance.md and its charts: remaps on this CPU beside memcpy() and other libraries,
 * then a table of bench_kernels and that of bench_algebra.
 *
 *	bench/performance [FOLDER [MEBIBYTES [CASE]]]	where to write it, docs unless said; of
 *							a large side, 256 unless said; only
 *							the cases whose name has that */
#include "support/chart.h"
#include "support/product.h"
#include "support/transfer.h"

#include <layout/run.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_CASES = 64 };

/* The tables of the page, each with its chart. */
static const struct table {
	const char *title, *text, *chart;
	bool large;
	unsigned threads;
} tables[] = {
	{ "Large arrays, one thread", "Arrays of some %u MiB on each side.",
		"performance-one.svg", true, 1 },
	{ "Large arrays, two threads", "The same; `memcpy()` of a half in each thread.",
		"performance-two.svg", true, 2 },
	{ "In the cache, one thread", "Arrays of some 256 KiB on each side, over and over; calls "
		"of a compiled remap.", "performance-cache.svg", false, 1 },
};

static void print_rate(FILE *page, double rate, double of)
{
	if (rate > 0)
		fprintf(page, " %.1f (%.2f) |", rate, rate / of);
	else
		fprintf(page, " |");
}

static void print_row(FILE *page, const char *name, const struct transfer_rates *rates)
{
	double of = rates->rate[TRANSFER_MEMCPY];

	fprintf(page, "| %s | %.1f |", name, of);
	for (int way = TRANSFER_OURS; way < TRANSFER_WAYS; way++)
		print_rate(page, rates->rate[way], of);
	fprintf(page, "\n");
	fflush(page);
}

static void take_row(struct chart_row *row, const char *name,
	const struct transfer_rates *rates)
{
	row->name = name;
	for (int way = TRANSFER_OURS; way < TRANSFER_WAYS; way++)
		row->values[way - 1] = rates->rate[way] / rates->rate[TRANSFER_MEMCPY];
}

static bool write_table(FILE *page, const char *folder, struct transfer *transfer,
	const struct table *table, unsigned mebibytes, const char *only)
{
	struct chart_row rows[MOST_CASES] = { 0 };
	const struct transfer_case *row;
	unsigned count = 0;
	char path[1024], title[128];

	fprintf(page, "## %s\n\n", table->title);
	fprintf(page, table->text, mebibytes);
	fprintf(page, "\n\n![%s](%s)\n\n| case | memcpy |", table->title, table->chart);
	for (int way = TRANSFER_OURS; way < TRANSFER_WAYS; way++)
		fprintf(page, " %s |", transfer_names[way]);
	fprintf(page, "\n|---|---|---|---|---|---|\n");
	for (row = transfer_cases; row->name && count < MOST_CASES; row++) {
		struct transfer_rates rates;

		if (!(table->large ? row->large : row->small)[0] || !strstr(row->name, only))
			continue;
		if (!transfer_measure(transfer, row, table->large ? mebibytes : 0, table->threads,
		    &rates))
			return false;
		print_row(page, row->name, &rates);
		take_row(&rows[count++], row->name, &rates);
	}
	fprintf(page, "\n");
	snprintf(path, sizeof(path), "%s/%s", folder, table->chart);
	snprintf(title, sizeof(title), "%s: parts of memcpy()", table->title);
	return chart_write(path, title, transfer_names + 1, TRANSFER_WAYS - 1, rows, count);
}

/* The first table that another program prints. */
static void copy_table(FILE *page, const char *program)
{
	char command[1024], line[1024];
	bool inside = false;
	FILE *pipe;

	snprintf(command, sizeof(command), BUILD_DIR "/bench/%s 2>/dev/null", program);
	fflush(NULL);
	pipe = popen(command, "r");
	while (pipe && fgets(line, sizeof(line), pipe) && (*line == '|' || !inside)) {
		inside = inside || *line == '|';
		if (inside)
			fputs(line, page);
	}
	if (pipe)
		pclose(pipe);
	fprintf(page, "\n");
}

static bool write_products(FILE *page)
{
	static const int sizes[] = { 64, 256, 512, 1000, 1024 };

	fprintf(page, "## Products of f32, one thread\n\n`matmul(A: row_major[M, K] f32, B: "
		"row_major[K, N] f32 -> C: row_major[M, N] f32)`, in\nbillions of operations a "
		"second.\n\n| M, N and K | liblayout | sgemm of OpenBLAS |\n|---|---|---|\n");
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		double ours, sgemm;

		if (!product_measure(sizes[i], &ours, &sgemm))
			return false;
		fprintf(page, "| %d | %.1f", sizes[i], ours);
		if (sgemm > 0)
			fprintf(page, " (%.2f) | %.1f |\n", ours / sgemm, sgemm);
		else
			fprintf(page, " | |\n");
	}
	fprintf(page, "\n");
	return true;
}

static void write_machine(FILE *page)
{
	char line[256];
	FILE *file = fopen("/proc/cpuinfo", "r");

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
			fprintf(page, "%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"),
				strchr(line, ':') + 2);
			break;
		}
	if (file)
		fclose(file);
	fprintf(page, ", %ld processors, caches of %ld KiB, %ld KiB and %ld MiB",
		sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_LEVEL1_DCACHE_SIZE) >> 10,
		sysconf(_SC_LEVEL2_CACHE_SIZE) >> 10, sysconf(_SC_LEVEL3_CACHE_SIZE) >> 20);
}

/* What else the machine does makes rates of two threads smaller, and all less certain. */
static void write_load(FILE *page)
{
	double load;

	if (getloadavg(&load, 1) == 1 && load >= 0.5)
		fprintf(page, "; others had a load of %.1f when it began", load);
}

static void write_head(FILE *page, const struct transfer *transfer)
{
	fprintf(page, "# How fast it is\n\nWritten by `scripts/bench`, which installs what it "
		"compares with. Rates are GB/s of what is read\nand written, the medians of runs "
		"in turns in one process, of the processor's time where there is\none thread, and "
		"in brackets parts of `memcpy()`. C loops are those of `layoutc kernel --target\n"
		"host --emit ast`, compiled by `cc -O3 -march=native`; a peer has no number where it "
		"has no such\ncase or is not installed.\n\n");
	write_machine(page);
	write_load(page);
	fprintf(page, ".\n%s", transfer_version(transfer, TRANSFER_OURS));
	for (int way = TRANSFER_ONEDNN; way < TRANSFER_WAYS; way++)
		fprintf(page, "; %s", transfer_version(transfer, way));
	fprintf(page, ".\n\n");
}

static bool write_page(FILE *page, const char *folder, struct transfer *transfer,
	unsigned mebibytes, const char *only)
{
	write_head(page, transfer);
	for (unsigned i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!write_table(page, folder, transfer, &tables[i], mebibytes, only))
			return false;
	if (!write_products(page))
		return false;
	fprintf(page, "## Kernels of GPUs\n\nInstructions in the code objects, edges included; what a "
		"wave executes is in [the kernels in\nnumbers](kernel-performance.md).\n\n");
	copy_table(page, "bench_kernels");
	fprintf(page, "## Kernels of NVIDIA's GPUs, predicted\n\nNot run: parts of the rate of a copy "
		"that are predicted on sm_90, of the function that a launch of the\nsizes takes, its edges included; what "
		"`ptxas` makes of that, and beside them what was measured on an\n"
		"H200: kernels of the version before, of which those for odd sizes have changed since, and "
		"what users have otherwise.\n[The kernels on a GPU](gpu-performance.md) says more.\n\n");
	copy_table(page, "bench_gpu");
	fprintf(page, "## The algebra\n\nThe same as in "
		"[how long the algebra takes](algebra-performance.md).\n\n");
	copy_table(page, "bench_algebra");
	fprintf(page, "[Contents](README.md).\n");
	return true;
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : SOURCE_DIR "/docs";
	static const char loops[] = BUILD_DIR "/bench/loops";
	struct transfer *transfer;
	char path[1024];
	FILE *page;
	bool ok;

	mkdir(loops, 0777);
	snprintf(path, sizeof(path), "%s/performance.md", folder);
	transfer = transfer_new(loops);
	page = transfer ? fopen(path, "w") : NULL;
	if (!page) {
		perror(path);
		return 1;
	}
	ok = write_page(page, folder, transfer, argc > 2 ? (unsigned)atoi(argv[2]) : 256,
		argc > 3 ? argv[3] : "");
	ok = !fclose(page) && ok;
	transfer_free(transfer);
	return ok ? 0 : 1;
}
