/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the relayout kernels do on a GPU.
 *
 *	bench/bench_gpu [FOLDER [TARGET]]	sm_90 unless said
 *
 * Emits PTX, launches and predictions of the cases into the folder, build/../bench/gpu unless
 * said; then runs bench/bench_gpu_run there, which prints the table.  On another machine with
 * a GPU, that program and the folder are all that is needed.  What the cases mean is
 * compared with the kernels for this CPU first. */
#include "gpu/cases.h"

#include <layout/codegen.h>
#include <layout/layout.h>

#include <errno.h>
#include <sys/stat.h>

static const char *const kinds[GPU_SIZES] = { "whole", "odd", "small" };
static const char *const names[GPU_RANK] = { "A", "B", "C", "D" };

static bool write_file(const char *folder, const struct gpu_case *row, bool back,
	const char *end, const char *bytes, size_t length)
{
	char path[4096];
	FILE *file;
	bool ok;

	gpu_path(path, folder, row, back, end);
	file = fopen(path, "wb");
	ok = file && fwrite(bytes, 1, length, file) == length;
	if (file && fclose(file))
		ok = false;
	if (!ok)
		perror(path);
	return ok;
}

static bool fail(layout_context *ctx, const struct gpu_case *row, const char *why)
{
	fprintf(stderr, "%s %s: %s\n", row->name, row->type,
		why ? why : layout_context_message(ctx));
	return false;
}

static layout_kernel *kernel_of(layout_context *ctx, const struct gpu_case *row, bool back,
	const char *target)
{
	layout_remap *remap = layout_remap_new(layout_storage_parse(ctx, row->texts[back]),
		layout_storage_parse(ctx, row->texts[!back]), row->type, "0");
	layout_kernel *kernel = layout_kernel_new(remap, target, NULL);

	layout_remap_free(remap);
	return kernel;
}

static void sizes_of(const struct gpu_case *row, unsigned kind, layout_size *sizes)
{
	for (unsigned d = 0; d < row->rank; d++)
		sizes[d] = (layout_size){ names[d], row->sizes[kind][d] };
}

/* The kernel for this CPU does at small sizes what the table says. */
static bool compare(layout_context *ctx, const struct gpu_case *row, bool back)
{
	layout_kernel *kernel = kernel_of(ctx, row, back, "host");
	const int64_t *small = row->sizes[2];
	const struct gpu_memory memory[] = { gpu_memory_of(row, back, small),
		gpu_memory_of(row, !back, small) };
	layout_run run = LAYOUT_RUN_INIT;
	layout_size sizes[GPU_RANK];
	unsigned char *from, *to;
	char wrong[128] = "no memory";
	bool ok = false;

	sizes_of(row, 2, sizes);
	run.source_bytes = (size_t)gpu_cells(&memory[0]) * row->bits / 8;
	run.destination_bytes = (size_t)gpu_cells(&memory[1]) * row->bits / 8;
	run.source = from = aligned_alloc(64, (run.source_bytes + 63) / 64 * 64);
	run.destination = to = aligned_alloc(64, (run.destination_bytes + 63) / 64 * 64);
	run.sizes = sizes;
	run.size_count = row->rank;
	if (from && to) {
		for (size_t i = 0; i < run.source_bytes; i++)
			from[i] = (unsigned char)(i * 2654435761u >> 11);
		memset(to, 0xa5, run.destination_bytes);
		ok = kernel && layout_kernel_run(ctx, kernel, &run);
		ok = ok ? gpu_check(row, back, small, from, to, 1, wrong) ||
			fail(ctx, row, wrong) : fail(ctx, row, NULL);
	}
	layout_kernel_free(kernel);
	free(from);
	free(to);
	return ok;
}

/* What the explanation says of memory, a number before " of the rate of a copy". */
static void predicted_of(const char *explanation, char text[32])
{
	const char *at = explanation ? strstr(explanation, "\nmemory: ") : NULL;

	if (!at || sscanf(at, "\nmemory: %31[0-9.]", text) != 1)
		strcpy(text, "-");
}

static bool emit_to(layout_context *ctx, const layout_kernel *kernel, const char *folder,
	const struct gpu_case *row, bool back)
{
	char *text, end[32], predicted[32];
	layout_size sizes[GPU_RANK];
	size_t length;
	bool ok;

	text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_ASM, NULL, 0, &length);
	ok = text && write_file(folder, row, back, ".ptx", text, length);
	layout_string_free(text);
	text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_EXPLAIN, NULL, 0, &length);
	predicted_of(text, predicted);
	layout_string_free(text);
	ok = ok && write_file(folder, row, back, ".predicted", predicted, strlen(predicted));
	for (unsigned kind = 0; ok && kind < GPU_SIZES; kind++) {
		sizes_of(row, kind, sizes);
		text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_JSON, sizes, row->rank,
			&length);
		snprintf(end, sizeof(end), ".%s.json", kinds[kind]);
		ok = text && write_file(folder, row, back, end, text, length);
		layout_string_free(text);
	}
	printf("%s %s%s: %s of a copy predicted\n", row->name, row->type,
		back ? " back" : "", predicted);
	return ok;
}

static bool emit(const struct gpu_case *row, bool back, const char *folder,
	const char *target)
{
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = kernel_of(ctx, row, back, target);
	bool ok = kernel && compare(ctx, row, back) &&
		emit_to(ctx, kernel, folder, row, back);

	if (!ok && layout_context_error(ctx) != LAYOUT_ERROR_NONE)
		fail(ctx, row, NULL);
	layout_kernel_free(kernel);
	layout_context_free(ctx);
	return ok;
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : BUILD_DIR "/bench/gpu";
	const char *target = argc > 2 ? argv[2] : "sm_90";
	char command[8192];
	bool ok = true;

	if (mkdir(folder, 0777) && errno != EEXIST) {
		perror(folder);
		return EXIT_FAILURE;
	}
	for (unsigned i = 0; i < GPU_CASES; i++)
		for (unsigned back = 0; back < 2; back++)
			ok = emit(&gpu_cases[i], back, folder, target) && ok;
	fflush(stdout);
	snprintf(command, sizeof(command), "'" BUILD_DIR "/bench/bench_gpu_run' '%s'",
		folder);
	return ok && !system(command) ? EXIT_SUCCESS : EXIT_FAILURE;
}
