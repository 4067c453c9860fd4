/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The relayout kernels in numbers: what their code objects consist of, what they do to
 * memory in the simulator, at sizes that no tile divides, too, and how long "layoutc kernel" takes from text to a code
 * object beside clang 22 on a hand-written kernel for the same case.
 *
 *	bench/kernels [FOLDER]		the hand-written kernels; bench/peers unless said */
#include "support/code_object.h"
#include "support/programs.h"
#include "support/sweep.h"

#include <layout/codegen.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIMIT_RATIO 1.0
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_SIZES 4

#define THREAD(n) "[\"CrossThread\", " #n "]"
#define TILED(rest) "packed(encoding_info<{innerDimsPos = [0, 1], " rest
#define PLAIN(x, y) TILED("innerTileSizes = [" #x ", " #y "], outerDimsPerm = [0, 1]}>, " \
	"[M, N])")

#define LHS_F32 TILED("innerTileSizes = [128, 16], outerDimsPerm = [0, 1], " \
	"swizzle = {expandShape = [[" THREAD(4) ", " THREAD(8) ", " THREAD(4) "], " \
	"[" THREAD(4) ", " THREAD(4) "]], permutation = [1, 4, 0, 2, 3]}}>, [M, N])")
#define LHS_F16 TILED("innerTileSizes = [128, 32], outerDimsPerm = [0, 1], " \
	"swizzle = {expandShape = [[" THREAD(4) ", " THREAD(8) ", " THREAD(4) "], " \
	"[" THREAD(2) ", " THREAD(4) ", " THREAD(4) "]], " \
	"permutation = [1, 4, 0, 2, 3, 5]}}>, [M, N])")
#define ACC_F32 TILED("innerTileSizes = [128, 128], outerDimsPerm = [0, 1], " \
	"swizzle = {expandShape = [[" THREAD(4) ", " THREAD(8) ", " THREAD(4) "], " \
	"[" THREAD(4) ", " THREAD(16) ", " THREAD(2) "]], " \
	"permutation = [3, 1, 5, 0, 4, 2]}}>, [M, N])")
#define BLOCKED_942 TILED("innerTileSizes = [128, 32], outerDimsPerm = [0, 1], " \
	"swizzle = {expandShape = [[" THREAD(2) ", " THREAD(4) ", " THREAD(16) "], " \
	"[" THREAD(2) ", " THREAD(4) ", " THREAD(4) "]], " \
	"permutation = [0, 1, 4, 2, 3, 5]}}>, [M, N])")
#define BLOCKED_950 TILED("innerTileSizes = [128, 32], outerDimsPerm = [0, 1], " \
	"swizzle = {expandShape = [[" THREAD(2) ", " THREAD(4) ", " THREAD(16) "], " \
	"[" THREAD(4) ", " THREAD(8) "]], permutation = [0, 1, 3, 2, 4]}}>, [M, N])")

#define ROWS "row_major[M, N]"
#define COLUMNS "col_major[M, N]"
#define NCHW "row_major[N, C, H, W]"
#define NHWC "packed(encoding_info<{innerDimsPos = [], innerTileSizes = [], " \
	"outerDimsPerm = [0, 2, 3, 1]}>, [N, C, H, W])"
#define NCHW16C "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [16], " \
	"outerDimsPerm = [0, 1, 2, 3]}>, [N, C, H, W])"
#define MATRIX { { "M", 768 }, { "N", 768 } }
#define IMAGE { { "N", 2 }, { "C", 128 }, { "H", 32 }, { "W", 32 } }

/* "peer" is the file of the hand-written kernel, "" where there is none. */
static const struct row {
	const char *name, *source, *destination, *type, *peer;
	layout_size sizes[MAX_SIZES];
	bool through_lds;
} rows[] = {
	{ "pack_lhs", ROWS, LHS_F32, "f32", "pack_lhs_f32.c", MATRIX, false },
	{ "pack_lhs", ROWS, LHS_F16, "f16", "pack_lhs_f16.c", MATRIX, false },
	{ "unpack_acc", ACC_F32, ROWS, "f32", "unpack_acc_f32.c", MATRIX, false },
	{ "transpose2d", ROWS, COLUMNS, "f32", "transpose2d.c", MATRIX, false },
	{ "transpose2d", ROWS, COLUMNS, "f16", "transpose2d.c", MATRIX, false },
	{ "transpose2d", ROWS, COLUMNS, "i8", "transpose2d.c", MATRIX, false },
	{ "nchw_to_nhwc", NCHW, NHWC, "f32", "nchw_to_nhwc.c", IMAGE, false },
	{ "nchw_to_nhwc", NCHW, NHWC, "f16", "nchw_to_nhwc.c", IMAGE, false },
	{ "nchw_to_nchw16c", NCHW, NCHW16C, "f32", "nchw_to_nchw16c_f32.c", IMAGE, false },
	{ "xor_rows", "row_major[M, 64]", "swizzled(row_major[M, 64], xor_shuffle<64, 8>)",
		"f16", "xor_rows_f16.c", { { "M", 768 } }, false },
	{ "unpack_lhs", LHS_F32, ROWS, "f32", "", MATRIX, false },
	{ "unpack_lhs", LHS_F16, ROWS, "f16", "", MATRIX, false },
	{ "pack_acc", ROWS, ACC_F32, "f32", "", MATRIX, false },
	{ "nhwc_to_nchw", NHWC, NCHW, "f32", "", IMAGE, false },
	{ "nhwc_to_nchw", NHWC, NCHW, "f16", "", IMAGE, false },
	{ "nchw16c_to_nchw", NCHW16C, NCHW, "f32", "", IMAGE, false },
	{ "gfx942_to_gfx950", BLOCKED_942, BLOCKED_950, "f16", "", MATRIX, false },
	{ "pad_both", ROWS, PLAIN(64, 64), "f32", "", MATRIX, false },
	{ "12_in_8", PLAIN(12, 12), PLAIN(8, 8), "f32", "", MATRIX, false },
	{ "transpose2d LDS", ROWS, COLUMNS, "f32", "", MATRIX, true },
};

static const char *const targets[] = { "gfx942", "gfx950", "gfx1100" };

static layout_remap *remap_of(layout_context *ctx, const struct row *row)
{
	return layout_remap_new(layout_storage_parse(ctx, row->source),
		layout_storage_parse(ctx, row->destination), row->type, "0");
}

static layout_kernel *kernel_of(layout_context *ctx, const struct row *row,
	const char *target)
{
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_remap *remap = remap_of(ctx, row);
	layout_kernel *kernel;

	options.through_lds = row->through_lds;
	kernel = layout_kernel_new(remap, target, &options);
	layout_remap_free(remap);
	return kernel;
}

static unsigned size_count(const struct row *row)
{
	unsigned count = 0;

	while (count < MAX_SIZES && row->sizes[count].name)
		count++;
	return count;
}

/* ---- what the code objects consist of */

static bool print_static(layout_context *ctx, const struct row *row, const char *target)
{
	layout_kernel *kernel = kernel_of(ctx, row, target);
	struct code_counts c;
	size_t length;
	char *object = kernel ? layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_HSACO, NULL, 0,
		&length) : NULL;
	bool ok = object && code_object_count(object, length, "remap",
		layout_target_find(ctx, target)->processor, &c);

	if (ok)
		printf("| %s %s | %s | %u | %u | %u | %u | %u | %" PRId64 " | %" PRId64
			" | %" PRId64 " | %" PRId64 " |\n", row->name, row->type, target,
			c.vector_alu, c.scalar_alu, c.scalar_loads, c.memory, c.lds,
			c.vector_registers, c.scalar_registers, c.lds_bytes,
			c.scratch_bytes);
	layout_string_free(object);
	layout_kernel_free(kernel);
	return ok;
}

/* ---- what they do to memory */

/* Room for a storage at the row's sizes, 64-byte aligned and filled. */
static void *room(layout_storage *storage, const struct row *row, unsigned bytes,
	size_t *size)
{
	int64_t elements = layout_storage_elements(storage, row->sizes, size_count(row));
	void *memory;

	*size = (size_t)elements * bytes;
	if (elements < 0 || posix_memalign(&memory, 4096, *size + 4096))
		return NULL;
	return memset(memory, 1, *size);
}

static bool simulate(layout_context *ctx, const struct row *row, layout_kernel *kernel,
	layout_sim_stats *stats)
{
	layout_remap *remap = remap_of(ctx, row);
	unsigned bytes = layout_remap_element_bytes(remap);
	layout_run run = LAYOUT_RUN_INIT;
	void *from = room(layout_remap_source(remap), row, bytes, &run.source_bytes);
	void *to = room(layout_remap_destination(remap), row, bytes,
		&run.destination_bytes);
	bool ok;

	run.source = from;
	run.destination = to;
	run.sizes = row->sizes;
	run.size_count = size_count(row);
	run.stats = stats;
	ok = from && to && layout_kernel_run(ctx, kernel, &run);
	free(from);
	free(to);
	layout_remap_free(remap);
	return ok;
}

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* Accesses a lane, by their bytes: "16Bx16". */
static void print_widths(const uint64_t widths[6], uint64_t lanes)
{
	static const unsigned bytes[] = { 1, 2, 4, 8, 12, 16 };

	for (unsigned i = COUNT(bytes); i--;)
		if (widths[i])
			printf("%ux%.3g ", bytes[i], ratio(widths[i], lanes));
}

static void print_traffic(const layout_sim_traffic *traffic, uint64_t lanes)
{
	print_widths(traffic->widths, lanes);
	printf("| %.3g, %.3g | ", ratio(traffic->segments_64, traffic->least_64),
		ratio(traffic->wave_segments_64, traffic->wave_least_64));
}

static bool print_executed(layout_context *ctx, const struct row *row, const char *target)
{
	layout_kernel *kernel = kernel_of(ctx, row, target);
	layout_sim_stats stats = { 0 };
	bool ok = kernel && simulate(ctx, row, kernel, &stats);

	if (ok) {
		printf("| %s %s | %s | ", row->name, row->type, target);
		print_traffic(&stats.load, stats.lanes);
		print_traffic(&stats.store, stats.lanes);
		printf("%" PRIu64 " | %" PRIu64 " |\n", stats.masked_lanes,
			stats.lds_load.extra_cycles + stats.lds_store.extra_cycles);
	}
	layout_kernel_free(kernel);
	return ok;
}

/* ---- the tables */

static bool print_rows(bool (*print)(layout_context *, const struct row *, const char *))
{
	layout_context *ctx = layout_context_new();
	bool ok = true;

	for (size_t r = 0; r < COUNT(rows); r++)
		for (size_t t = 0; t < COUNT(targets); t++)
			if (!print(ctx, &rows[r], targets[t])) {
				fprintf(stderr, "kernels: %s %s for %s: %s\n", rows[r].name,
					rows[r].type, targets[t],
					layout_context_message(ctx));
				ok = false;
			}
	layout_context_free(ctx);
	return ok;
}

/* ---- sizes that no tile divides */

#define THROUGH(chain, destination, type) "remap(chain(" chain ") -> " destination \
	", type = " type ")"
#define PITCHED "remap(row_major[M, K] -> strided[M, K : P, 1], type = f32)"
#define PADDED THROUGH("row_major[M, K], pad([1, 1], [1, 1])", "row_major[?, ?]", "f32")
#define RANK_5(type) "remap(row_major[A, B, C, D, E] -> col_major[A, B, C, D, E], type = " \
	type ")"
#define CUBE { { "A", 0 }, { "B", 8 }, { "C", 8 }, { "D", 8 }, { "E", 8 } }
#define TILES_OF(x, y, order) "remap(row_major[M, N] -> packed(encoding_info<{innerDimsPos = " \
	order ", innerTileSizes = [" #x ", " #y "]}>, [M, N]), type = f32)"
#define TURNED(map) "remap(row_major[M, 64] -> row_major[M, 64], type = f32, " \
	"map = [M] -> { [i, j] -> [i, " map "] })"

static const struct ragged {
	struct sweep sweep;
	int64_t size;
} ragged[] = {
	{ { "pitched copy f32, 16 x 512", PITCHED, "K", { { "M", 16 }, { "K", 0 },
		{ "P", 520 } } }, 512 },
	{ { "pitched copy f32, 16 x 1536", PITCHED, "K", { { "M", 16 }, { "K", 0 },
		{ "P", 1544 } } }, 1536 },
	{ { "pitched copy f32, 16 x 2048", PITCHED, "K", { { "M", 16 }, { "K", 0 },
		{ "P", 2056 } } }, 2048 },
	{ { "heads f16, 2 x 32 x 4 x 64", THROUGH("row_major[B, S, H, D], "
		"transpose([0, 2, 1, 3])", "row_major[?, ?, ?, ?]", "f16"), "D",
		{ { "B", 2 }, { "S", 32 }, { "H", 4 }, { "D", 0 } } }, 64 },
	{ { "pad by 1 f32, 16 x 254", PADDED, "K", { { "M", 16 }, { "K", 0 } } }, 254 },
	{ { "pad by 1 f32, 16 x 4094", PADDED, "K", { { "M", 16 }, { "K", 0 } } }, 4094 },
	{ { "space to depth f16, 32 x 32 x 32", THROUGH("row_major[2*H, 2*W, 32], "
		"expand_shape([[0, 1], [2, 3], [4]], [H, 2, W, 2, 32]), "
		"transpose([0, 2, 1, 3, 4])", "row_major[H, W, 2, 2, 32]", "f16"), "W",
		{ { "H", 16 }, { "W", 0 } } }, 16 },
	{ { "rank 5 turned f32, 8^5", RANK_5("f32"), "A", CUBE }, 8 },
	{ { "rank 5 turned u8, 8^5", RANK_5("u8"), "A", CUBE }, 8 },
	{ { "tiles of 8 x 4 f32, 256 x 256", TILES_OF(8, 4, "[1, 0]"), "N",
		{ { "M", 256 }, { "N", 0 } } }, 256 },
	{ { "tiles of 12 x 20 f32, 240 x 320", TILES_OF(12, 20, "[0, 1]"), "N",
		{ { "M", 240 }, { "N", 0 } } }, 320 },
	{ { "every second f16, 64 x 512", "remap(strided[M, K : 1024, 2] -> row_major[M, K], "
		"type = f16)", "K", { { "M", 64 }, { "K", 0 } } }, 512 },
	{ { "backwards f32, 64 x 512", "remap(row_major[M, K] -> row_major[M, K], type = f32, "
		"map = [M, K] -> { [i, j] -> [i, K - 1 - j] })", "K",
		{ { "M", 64 }, { "K", 0 } } }, 512 },
	{ { "rotated rows f16, 256 x 64", "remap(swizzled(row_major[M, 64], "
		"rotate_rows<64, 8>) -> row_major[M, 64], type = f16)", "M",
		{ { "M", 0 } } }, 256 },
	{ { "turned rows f32, 256 x 64", TURNED("(j + i) mod 64"), "M", { { "M", 0 } } }, 256 },
	{ { "RGB to RGBA u8, 4096", THROUGH("row_major[M, 3], pad([0, 0], [0, 1])",
		"row_major[M, 4]", "u8"), "M", { { "M", 0 } } }, 4096 },
	{ { "NCHW3 to NHWC4 u8, 2 x 4096", THROUGH("row_major[N, 3, S], "
		"pad([0, 0, 0], [0, 1, 0]), transpose([0, 2, 1])", "row_major[N, S, 4]", "u8"),
		"S", { { "N", 2 }, { "S", 0 } } }, 4096 },
	{ { "pack_lhs f32, 4096 x 3", "remap(" ROWS " -> " LHS_F32 ", type = f32)", "N",
		{ { "M", 4096 }, { "N", 0 } } }, 3 },
	{ { "pack_lhs f16, 4096 x 3", "remap(" ROWS " -> " LHS_F16 ", type = f16)", "N",
		{ { "M", 4096 }, { "N", 0 } } }, 3 },
	{ { "pack_lhs f16, 257 x 129", "remap(" ROWS " -> " LHS_F16 ", type = f16)", "N",
		{ { "M", 257 }, { "N", 0 } } }, 129 },
	{ { "nchw_to_nchw16c f32, 1 x 65 x 9 x 7", "remap(" NCHW " -> " NCHW16C ", type = f32)",
		"W", { { "N", 1 }, { "C", 65 }, { "H", 9 }, { "W", 0 } } }, 7 },
	{ { "unpack_acc f32, 1 x 4096", "remap(" ACC_F32 " -> " ROWS ", type = f32)", "N",
		{ { "M", 1 }, { "N", 0 } } }, 4096 },
};

static bool print_ragged(void)
{
	layout_context *ctx = layout_context_new();
	bool ok = ctx;

	for (size_t r = 0; ok && r < COUNT(ragged); r++) {
		const struct sweep *sweep = &ragged[r].sweep;
		layout_kernel *kernel = sweep_kernel(ctx, sweep);
		struct sweep_point point;

		ok = kernel && sweep_run(ctx, sweep, kernel, ragged[r].size, &point);
		if (ok)
			printf("| %s | %.2f | %.2f |\n", sweep->name, point.accesses,
				point.lines);
		else
			fprintf(stderr, "kernels: %s: %s\n", sweep->name,
				layout_context_message(ctx));
		layout_kernel_free(kernel);
	}
	layout_context_free(ctx);
	return ok;
}

/* ---- from text to a code object */

static bool time_row(const struct row *row, const char *folder)
{
	char text[2048], file[4096];
	char ours_out[] = "/tmp/bench_ours.XXXXXX", peer_out[] = "/tmp/bench_peer.XXXXXX";
	const char *ours[] = { LAYOUTC_PATH, "kernel", text, "--target", "gfx942",
		"--emit", "hsaco", "-o", ours_out, NULL };
	const char *peer[] = { "clang-22", "-x", "c", "--target=amdgcn-amd-amdhsa",
		"-mcpu=gfx942", "-nogpulib", "-O3", file, "-o", peer_out, NULL };
	int files[] = { mkstemp(ours_out), mkstemp(peer_out) };
	double our_ms = 0, peer_ms = 0;
	bool has_peer, ok;

	if (files[0] < 0 || files[1] < 0)
		return false;
	snprintf(text, sizeof(text), "remap(%s -> %s, type = %s, pad = 0)", row->source,
		row->destination, row->type);
	snprintf(file, sizeof(file), "%s/%s", folder, row->peer);
	has_peer = row->peer[0] && !access(file, R_OK) && program_on_path(peer[0]);
	ok = programs_time(ours, &our_ms, has_peer ? peer : NULL, &peer_ms);
	if (!ok)
		fprintf(stderr, "kernels: layoutc or %s failed for %s\n", peer[0],
			row->name);
	else if (has_peer)
		printf("| %s %s | %.1f | %.1f | %.2f |\n", row->name, row->type, our_ms,
			peer_ms, our_ms / peer_ms);
	else
		printf("| %s %s | %.1f | missing | |\n", row->name, row->type, our_ms);
	for (unsigned i = 0; i < 2; i++)
		close(files[i]);
	unlink(ours_out);
	unlink(peer_out);
	return ok && (!has_peer || our_ms <= LIMIT_RATIO * peer_ms);
}

int main(int count, char **words)
{
	const char *folder = count > 1 ? words[1] : SOURCE_DIR "/bench/peers";
	bool ok = true;

	puts("Instructions in the code object, edges included.\n\n"
		"| case | target | vector ALU | scalar ALU | scalar loads | memory | LDS | "
		"VGPRs | SGPRs | LDS bytes | scratch bytes |\n"
		"|---|---|---|---|---|---|---|---|---|---|---|");
	ok = print_rows(print_static) && ok;
	puts("\nAccesses in the simulator: bytes x accesses a lane, and 64-byte segments\n"
		"touched over the least possible, by access and by wave.\n\n"
		"| case | target | loads | segments | stores | segments | masked lanes | "
		"cycles lost to LDS bank conflicts |\n|---|---|---|---|---|---|---|---|");
	ok = print_rows(print_executed) && ok;
	puts("\nSizes that no tile divides, in the simulator for gfx942: accesses of a lane a cell,\n"
		"and lines of 128 bytes over the least.\n\n"
		"| remap | accesses | lines |\n|---|---|---|");
	ok = print_ragged() && ok;
	printf("\nFrom text to a gfx942 code object, whole processes, ms; the ratio is to "
		"be at most %.1f.\n\n| case | layoutc | clang-22 | ratio |\n|---|---|---|---|\n",
		LIMIT_RATIO);
	for (size_t r = 0; r < COUNT(rows) && rows[r].peer[0]; r++)
		ok = time_row(&rows[r], folder) && ok;
	return ok ? 0 : 1;
}
