/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* demo FOLDER: pack the two operands of a matrix product as gfx942 wants them.
 *
 * The encodings are the ones that IREE's data tiling chooses for f32 on gfx942.
 * Sizes stay names in everything that is proved and compiled. */
#include "demo/matrix.h"
#include "demo/padding.h"
#include "demo/proof.h"
#include "demo/speed.h"
#include "files/output.h"

#include <layout/codegen.h>
#include <layout/layout.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TARGET "gfx942"
#define GARBAGE 0xa5

struct operand {
	const char *title, *name;	/* for people; of the file and the kernel */
	const char *dims[2];		/* the names of the sizes */
	int64_t sizes[2];
	const char *encoding;
};

static const struct operand operands[] = {
	{ "A, left operand", "lhs", { "M", "K" }, { 255, 513 },
		"encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], "
		"outerDimsPerm = [0, 1], swizzle = {expandShape = ["
		"[[\"CrossThread\", 4 : i16], [\"CrossIntrinsic\", 8 : i16], "
		"[\"CrossThread\", 4 : i16]], "
		"[[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]], "
		"permutation = [1, 4, 0, 2, 3]}}>" },
	{ "B, right operand", "rhs", { "K", "N" }, { 513, 1023 },
		"encoding_info<{innerDimsPos = [1, 0], innerTileSizes = [128, 16], "
		"outerDimsPerm = [1, 0], swizzle = {expandShape = ["
		"[[\"CrossThread\", 4 : i16], [\"CrossThread\", 16 : i16], "
		"[\"CrossIntrinsic\", 2 : i16]], "
		"[[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]], "
		"permutation = [0, 2, 4, 1, 3]}}>" },
};

struct demo {
	layout_context *ctx;
	const char *folder;
	const struct operand *operand;
	layout_size sizes[2];
	layout_remap *pack, *unpack;
	struct npy matrix, packed, unpacked, simulated;
};

/* Say what went wrong and give false. */
static bool failed(const struct demo *demo, const char *what)
{
	const char *message = layout_context_message(demo->ctx);

	fflush(stdout);
	fprintf(stderr, "demo: error: %s: %s\n", what,
		layout_context_error(demo->ctx) ? message : "wrong result");
	return false;
}

static bool failed_file(const char *path, const struct complaint *complaint)
{
	fflush(stdout);
	fprintf(stderr, "demo: error: %s: %s\n", path, complaint->text);
	return false;
}

/* FOLDER/STEM.KIND */
static char *path_of(const struct demo *demo, const char *stem, const char *kind)
{
	char *path;

	return asprintf(&path, "%s/%s.%s", demo->folder, stem, kind) < 0 ? NULL : path;
}

static layout_remap *read_remap(const struct demo *demo, bool packs)
{
	const struct operand *operand = demo->operand;
	const char *const *dims = operand->dims;
	layout_remap *remap = NULL;
	char *text;

	if (asprintf(&text, packs ?
		"remap(row_major[%1$s, %2$s] -> packed(%3$s, [%1$s, %2$s]), "
			"type = f32, pad = 0.0)" :
		"remap(packed(%3$s, [%1$s, %2$s]) -> row_major[%1$s, %2$s], type = f32)",
		dims[0], dims[1], operand->encoding) < 0)
		return NULL;
	remap = layout_remap_parse(demo->ctx, text);
	free(text);
	return remap;
}

/* Memory for a result, full of garbage that the kernel has to overwrite. */
static bool make_result(struct npy *result, unsigned rank, const int64_t *shape)
{
	struct complaint complaint;

	*result = (struct npy){ .kind = 'f', .element_bytes = sizeof(float),
		.rank = rank };
	memcpy(result->shape, shape, rank * sizeof(*shape));
	if (!npy_allocate(result, &complaint))
		return failed_file("result", &complaint);
	memset(result->data, GARBAGE, result->bytes);
	return true;
}

static bool prepare(struct demo *demo)
{
	const struct operand *operand = demo->operand;
	int64_t shape[LAYOUT_STORAGE_SLOTS];
	struct complaint complaint = { .text = "no memory" };
	char *path = path_of(demo, operand->name, "npy");
	bool good = path && matrix_make(&demo->matrix, operand->sizes[0],
		operand->sizes[1], 2463534242u + (operand - operands), path, &complaint);
	int rank;

	if (!good)
		failed_file(path ? path : "path", &complaint);
	free(path);
	for (int d = 0; d < 2; d++)
		demo->sizes[d] = (layout_size){ operand->dims[d], operand->sizes[d] };
	demo->pack = read_remap(demo, true);
	demo->unpack = read_remap(demo, false);
	if (!good || !demo->pack || !demo->unpack)
		return good && failed(demo, "remap");
	rank = layout_storage_memory_shape(layout_remap_destination(demo->pack),
		demo->sizes, 2, shape);
	if (rank < 0)
		return failed(demo, "shape");
	return make_result(&demo->packed, rank, shape) &&
		make_result(&demo->simulated, rank, shape) &&
		make_result(&demo->unpacked, 2, demo->matrix.shape);
}

static bool show_proof(const struct demo *demo)
{
	layout_storage *storage = layout_remap_destination(demo->pack);

	if (proof_injective(storage) != LAYOUT_YES ||
		proof_bijective(storage) != LAYOUT_YES)
		return failed(demo, "proof");
	printf("  proved      for all %s, %s >= 0: injective; bijective onto the cells "
		"that are no padding\n", demo->operand->dims[0], demo->operand->dims[1]);
	return true;
}

static layout_run run_between(const struct demo *demo, const struct npy *from,
	const struct npy *to)
{
	layout_run run = LAYOUT_RUN_INIT;

	run.source = from->data;
	run.source_bytes = from->bytes;
	run.destination = to->data;
	run.destination_bytes = to->bytes;
	run.sizes = demo->sizes;
	run.size_count = 2;
	return run;
}

/* Run a remap on this CPU; its speed, or 0 after an error. */
static double run_host(const struct demo *demo, layout_remap *remap,
	const layout_run *run)
{
	layout_kernel *kernel = layout_kernel_new(remap, "host", NULL);
	double speed = 0;

	if (kernel && layout_kernel_run(demo->ctx, kernel, run))
		speed = speed_kernel(demo->ctx, kernel, run);
	layout_kernel_free(kernel);
	return speed;
}

static bool show_host(const struct demo *demo)
{
	layout_run pack = run_between(demo, &demo->matrix, &demo->packed);
	layout_run unpack = run_between(demo, &demo->packed, &demo->unpacked);
	double there = run_host(demo, demo->pack, &pack);
	double back = there > 0 ? run_host(demo, demo->unpack, &unpack) : 0;

	if (back <= 0 ||
		memcmp(demo->matrix.data, demo->unpacked.data, demo->matrix.bytes))
		return failed(demo, "round trip");
	printf("  host        packed %.1f GB/s, unpacked %.1f GB/s, memcpy of the same "
		"bytes %.1f GB/s\n", there, back, speed_memcpy(&pack));
	printf("  round trip  %zu bytes, unpacked again: the same byte for byte\n",
		demo->matrix.bytes);
	return true;
}

static bool show_padding(const struct demo *demo)
{
	layout_storage *storage = layout_remap_destination(demo->pack);
	char *formula = layout_storage_padding_count(storage);
	int64_t count, elements = demo->operand->sizes[0] * demo->operand->sizes[1];
	bool good = formula && padding_check(storage, demo->sizes, 2, &demo->packed,
		elements, &count);

	if (good)
		printf("  padding     %s = %" PRId64 " cells, each of them 0.0\n",
			formula, count);
	layout_string_free(formula);
	return good || failed(demo, "padding");
}

static bool emit_file(const struct demo *demo, const layout_kernel *kernel,
	const char *stem, layout_emit what, const char *kind)
{
	struct complaint complaint;
	struct piece piece = { 0 };
	char *bytes = layout_kernel_emit(demo->ctx, kernel, what, demo->sizes, 2,
		&piece.size);
	char *path = path_of(demo, stem, kind);
	bool good;

	piece.data = bytes;
	if (!bytes || !path)
		good = failed(demo, kind);
	else if (!output_write(path, &piece, 1, &complaint))
		good = failed_file(path, &complaint);
	else
		good = printf("  wrote       %s, %zu bytes\n", path, piece.size) > 0;
	free(path);
	layout_string_free(bytes);
	return good;
}

static bool show_gpu(const struct demo *demo)
{
	layout_run run = run_between(demo, &demo->matrix, &demo->simulated);
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_sim_stats stats = { 0 };
	layout_kernel *kernel;
	char stem[32];
	bool good;

	snprintf(stem, sizeof(stem), "pack_%s", demo->operand->name);
	options.name = stem;
	kernel = layout_kernel_new(demo->pack, TARGET, &options);
	run.stats = &stats;
	good = kernel && layout_kernel_run(demo->ctx, kernel, &run) &&
		!memcmp(demo->packed.data, demo->simulated.data, demo->packed.bytes);
	if (!good)
		failed(demo, "simulated " TARGET);
	else
		printf("  " TARGET "      simulated: %" PRIu64 " workgroups, %" PRIu64
			" loads, %" PRIu64 " stores: the host's result\n",
			stats.workgroups, stats.loads, stats.stores);
	snprintf(stem, sizeof(stem), "pack_%s." TARGET, demo->operand->name);
	good = good && emit_file(demo, kernel, stem, LAYOUT_EMIT_HSACO, "hsaco") &&
		emit_file(demo, kernel, stem, LAYOUT_EMIT_ASM, "s") &&
		emit_file(demo, kernel, stem, LAYOUT_EMIT_JSON, "json");
	layout_kernel_free(kernel);
	return good;
}

static bool show_operand(layout_context *ctx, const char *folder,
	const struct operand *operand)
{
	struct demo demo = { .ctx = ctx, .folder = folder, .operand = operand };
	bool good;

	printf("%s: row_major[%s, %s] -> packed for " TARGET ", %" PRId64 " x %" PRId64
		" f32\n", operand->title, operand->dims[0], operand->dims[1],
		operand->sizes[0], operand->sizes[1]);
	good = prepare(&demo) && show_proof(&demo) && show_host(&demo) &&
		show_padding(&demo) && show_gpu(&demo);
	layout_remap_free(demo.pack);
	layout_remap_free(demo.unpack);
	npy_release(&demo.matrix);
	npy_release(&demo.packed);
	npy_release(&demo.unpacked);
	npy_release(&demo.simulated);
	return good;
}

int main(int argc, char **argv)
{
	layout_context *ctx = argc == 2 ? layout_context_new() : NULL;
	bool good = ctx;

	if (argc != 2)
		fprintf(stderr, "usage: demo FOLDER\n");
	if (good)
		mkdir(argv[1], 0777);
	for (size_t i = 0; good && i < sizeof(operands) / sizeof(*operands); i++)
		good = show_operand(ctx, argv[1], &operands[i]);
	if (ctx && !layout_context_free(ctx))
		good = false;
	return good ? 0 : 1;
}
