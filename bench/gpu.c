/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the relayout kernels do on a GPU.
 *
 *	bench/bench_gpu [FOLDER [TARGET]]	sm_90 unless said
 *
 * Emits PTX, launches and predictions of the cases into the folder, build/../bench/gpu unless
 * said, and prints what CUDA's assembler makes of them, where it is installed; then runs
 * bench/bench_gpu_run there, which prints the table.  On another machine with
 * a GPU, that program and the folder are all that is needed.  What the cases mean is
 * compared with the kernels for this CPU first. */
#include "gpu/cases.h"
#include "support/ptxas.h"

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

/* The function that a launch takes. */
static void function_of(const char *json, char name[64])
{
	const char *at = strstr(json, "\"kernel\": \"");

	if (!at || sscanf(at, "\"kernel\": \"%63[^\"]", name) != 1)
		strcpy(name, "-");
}

/* What the launch says of the sizes, edges and what is shifted included. */
static void predicted_of(const char *json, char text[32])
{
	const char *at = strstr(json, "\"predicted\": ");

	if (!at || sscanf(at, "\"predicted\": %31[0-9.]", text) != 1)
		strcpy(text, "-");
}

/* What an H200 did, as fractions of a copy there: kernels of commit 309067e, PyTorch 2.11, its
 * compiler, and Triton 3.6 with the best of eight tiles.  Those for rows that begin inside of sectors
 * have changed since. */
static const struct measured {
	const char *name, *type;
	bool back;
	unsigned kind;
	const char *columns;
} measured[] = {
	{ "transpose", "f32", false, 0, "0.99 | 0.27 | - | 0.95" },
	{ "transpose", "f32", false, 1, "0.69 | 0.27 | - | 0.79" },
	{ "transpose", "f32", true, 0, "0.99 | - | - | -" },
	{ "transpose", "f32", true, 1, "0.69 | - | - | -" },
	{ "transpose", "f16", false, 0, "0.97 | 0.15 | - | 0.95" },
	{ "transpose", "f16", false, 1, "0.58 | 0.14 | - | 0.71" },
	{ "transpose", "f16", true, 0, "0.96 | - | - | -" },
	{ "transpose", "f16", true, 1, "0.57 | - | - | -" },
	{ "transpose", "i8", false, 0, "0.91 | 0.07 | - | 0.90" },
	{ "transpose", "i8", false, 1, "0.43 | 0.07 | - | 0.51" },
	{ "transpose", "i8", true, 0, "0.91 | - | - | -" },
	{ "transpose", "i8", true, 1, "0.43 | - | - | -" },
	{ "transpose_60", "f32", false, 0, "0.93 | 0.08 | - | 0.96" },
	{ "transpose_60", "f32", false, 1, "0.90 | 0.08 | - | 0.93" },
	{ "transpose_60", "f32", true, 0, "0.97 | 0.32 | - | 0.94" },
	{ "transpose_60", "f32", true, 1, "0.48 | 0.27 | - | 0.88" },
	{ "transpose_60", "f16", false, 0, "0.40 | 0.06 | - | 0.94" },
	{ "transpose_60", "f16", false, 1, "0.85 | 0.06 | - | 0.81" },
	{ "transpose_60", "f16", true, 0, "0.61 | 0.22 | - | -" },
	{ "transpose_60", "f16", true, 1, "0.61 | 0.21 | - | -" },
	{ "lhs", "f32", false, 0, "0.95 | 0.50 | 0.92 | -" },
	{ "lhs", "f32", false, 1, "0.94 | - | - | -" },
	{ "lhs", "f32", true, 0, "0.93 | 0.48 | 0.70 | -" },
	{ "lhs", "f32", true, 1, "0.56 | - | - | -" },
	{ "lhs", "f16", false, 0, "0.95 | - | - | -" },
	{ "lhs", "f16", false, 1, "0.90 | - | - | -" },
	{ "lhs", "f16", true, 0, "0.93 | - | - | -" },
	{ "lhs", "f16", true, 1, "0.48 | - | - | -" },
	{ "acc", "f32", false, 0, "0.90 | - | - | -" },
	{ "acc", "f32", false, 1, "0.82 | - | - | -" },
	{ "acc", "f32", true, 0, "0.94 | - | - | -" },
	{ "acc", "f32", true, 1, "0.69 | - | - | -" },
	{ "nchw_nhwc", "f32", false, 0, "0.99 | 0.26 | 0.93 | -" },
	{ "nchw_nhwc", "f32", false, 1, "0.69 | 0.26 | 0.76 | -" },
	{ "nchw_nhwc", "f32", true, 0, "0.98 | 0.28 | 0.90 | -" },
	{ "nchw_nhwc", "f32", true, 1, "0.89 | 0.28 | 0.77 | -" },
	{ "nchw_nhwc", "f16", false, 0, "0.94 | 0.16 | 0.56 | -" },
	{ "nchw_nhwc", "f16", false, 1, "0.69 | 0.16 | 0.51 | -" },
	{ "nchw_nhwc", "f16", true, 0, "0.94 | 0.15 | 0.61 | -" },
	{ "nchw_nhwc", "f16", true, 1, "0.65 | 0.15 | 0.58 | -" },
	{ "nchw_nchw16c", "f32", false, 0, "0.93 | - | - | -" },
	{ "nchw_nchw16c", "f32", false, 1, "0.80 | - | - | -" },
	{ "nchw_nchw16c", "f32", true, 0, "0.94 | - | - | -" },
	{ "nchw_nchw16c", "f32", true, 1, "0.80 | - | - | -" },
	{ "xor_rows", "f16", false, 0, "0.96 | - | - | -" },
	{ "xor_rows", "f16", false, 1, "0.96 | - | - | -" },
	{ "xor_rows", "f16", true, 0, "0.96 | - | - | -" },
	{ "xor_rows", "f16", true, 1, "0.96 | - | - | -" },
};

static const char *measured_of(const struct gpu_case *row, bool back, unsigned kind)
{
	for (unsigned i = 0; i < sizeof(measured) / sizeof(*measured); i++)
		if (!strcmp(measured[i].name, row->name) && !strcmp(measured[i].type, row->type) &&
		    measured[i].back == back && measured[i].kind == kind)
			return measured[i].columns;
	return "- | - | - | -";
}

/* What CUDA's assembler makes of a function: registers, bytes that found none, and the waves
 * that these registers leave a multiprocessor. */
static void print_registers(const struct ptxas_function *functions, int count, const char *name)
{
	const struct ptxas_function *f = functions;
	unsigned each;

	while (f < functions + count && strcmp(f->name, name))
		f++;
	if (f >= functions + count) {
		printf(" - | - |");
		return;
	}
	each = (f->registers + 7) / 8 * 8;
	printf(" %u", f->registers);
	if (f->stack_bytes)
		printf(" and %u bytes", f->stack_bytes);
	printf(" | %u |", 2048 / each < 64 ? 2048 / each : 64);
}

static bool emit_size(layout_context *ctx, const layout_kernel *kernel, const char *folder,
	const struct gpu_case *row, bool back, unsigned kind, char name[64])
{
	char *text, end[32], predicted[32];
	layout_size sizes[GPU_RANK];
	size_t length;
	bool ok;

	sizes_of(row, kind, sizes);
	text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_JSON, sizes, row->rank, &length);
	snprintf(end, sizeof(end), ".%s.json", kinds[kind]);
	ok = text && write_file(folder, row, back, end, text, length);
	function_of(text ? text : "", name);
	predicted_of(text ? text : "", predicted);
	layout_string_free(text);
	snprintf(end, sizeof(end), ".%s.predicted", kinds[kind]);
	printf("| %s %s%s, %s | %s | %s |", row->name, row->type, back ? " back" : "",
		kinds[kind], name, predicted);
	return ok && write_file(folder, row, back, end, predicted, strlen(predicted));
}

static bool emit_to(layout_context *ctx, const layout_kernel *kernel, const char *folder,
	const struct gpu_case *row, bool back, const char *target)
{
	struct ptxas_function functions[PTXAS_FUNCTIONS];
	char *text, name[64], path[4096], complaint[PTXAS_TEXT] = "";
	size_t length;
	int count = 0;
	bool ok;

	text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_ASM, NULL, 0, &length);
	ok = text && write_file(folder, row, back, ".ptx", text, length);
	layout_string_free(text);
	gpu_path(path, folder, row, back, ".ptx");
	if (ok && ptxas_is_there())
		count = ptxas_assemble(path, target, functions, complaint);
	if (count < 0)
		ok = fail(ctx, row, complaint);
	for (unsigned kind = 0; ok && kind < GPU_SIZES; kind++) {
		ok = emit_size(ctx, kernel, folder, row, back, kind, name);
		print_registers(functions, count, name);
		printf(" %s |\n", measured_of(row, back, kind));
	}
	return ok;
}

static bool emit(const struct gpu_case *row, bool back, const char *folder,
	const char *target)
{
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = kernel_of(ctx, row, back, target);
	bool ok = kernel && compare(ctx, row, back) &&
		emit_to(ctx, kernel, folder, row, back, target);

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
	printf("| case | function | predicted | registers | waves | measured | PyTorch | its compiler | "
		"Triton |\n|---|---|---|---|---|---|---|---|---|\n");
	for (unsigned i = 0; i < GPU_CASES; i++)
		for (unsigned back = 0; back < 2; back++)
			ok = emit(&gpu_cases[i], back, folder, target) && ok;
	fflush(stdout);
	snprintf(command, sizeof(command), "'" BUILD_DIR "/bench/bench_gpu_run' '%s'",
		folder);
	return ok && !system(command) ? EXIT_SUCCESS : EXIT_FAILURE;
}
