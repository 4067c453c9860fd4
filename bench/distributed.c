/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs in numbers, beside kernels written by hand for the same: what their code objects
 * consist of, what they do to memory in the simulator, and how long "layoutc kernel" takes
 * from text to a code object.
 *
 * The peers' instructions are those executed a unit, of an emulator of the instruction sets;
 * here ours are counted in the code object, edges and all. */
#include "support/code_object.h"
#include "support/programs.h"

#include <layout/codegen.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIMIT_MS 150.0
#define LIMIT_REGISTERS 1.1
#define ISSUE 4
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_SIZES 3
#define MAX_BUFFERS 3

/* Rows of A times rows of B in f16, of LANES lanes that take 8 of each at a time. */
#define MATVEC(ROWS, LANES, STEP, DECLARED, BODY, REDUCED) \
	"program matvec(A: in row_major[M, K] f16, B: in row_major[N, K] f16, " \
	"C: out row_major[M, N] f32) { " \
	"grid (m, n) in (ceil(M/4), ceil(N/" ROWS ")) workers w in 1 " \
	"for k in ceil(K/" STEP ") carry s: " DECLARED " = fill 0 { " \
	"a = load A[4*m, " STEP "*k] : [4, " STEP "] " \
	"b = load B[" ROWS "*n, " STEP "*k] : [" ROWS ", " STEP "] " BODY " yield t } " \
	"c = reduce add s over [" REDUCED "] store c -> C[4*m, " ROWS "*n] }"
#define CHAIN(LANES, STEP) MATVEC("4", LANES, STEP, "[4, 4, " LANES "] f32 @ { " \
	"[lane, m, n] -> [m, n, lane] : 0 <= lane < " LANES " and 0 <= m < 4 and 0 <= n < 4 }", \
	"x = view a expand 1 into (" LANES ", 8) y = view b expand 1 into (" LANES ", 8) " \
	"t = contract s, x, y : (m, n, k, e) -> (m, k, e), (n, k, e), (m, n, k)", "2")
#define EIGHT(LANES, STEP) MATVEC("2", LANES, STEP, "[4, 2, " STEP "] f32 @ { " \
	"[lane, m, n, e] -> [m, n, 8*lane + e] : 0 <= lane < " LANES " and 0 <= m < 4 and " \
	"0 <= n < 2 and 0 <= e < 8 }", \
	"x = view a expand 0 into (4, 1) y = view b expand 0 into (1, 2) " \
	"t = map s + f32(x) * f32(y)", "2")

#define TILES(TYPE, FROM) \
	"program to_lhs(X: in row_major[T, 16, 16] " TYPE ", " \
	"Y: out row_major[T, 4, 16, 4] f16) { grid (t) in (ceil(T/4)) workers w in 1 " \
	"x = load X[4*t, 0, 0] : [4, 16, 16] @ { [lane, n, e] -> " FROM " : " \
	"0 <= lane < 64 and 0 <= n < 4 and 0 <= e < 4 } h = map f16(x) " \
	"l = convert h @ { [lane, n, e] -> [n, lane mod 16, 4*floor(lane/16) + e] : " \
	"0 <= lane < 64 and 0 <= n < 4 and 0 <= e < 4 } " \
	"v = view l expand 2 into (4, 4) p = view v permute [0, 2, 1, 3] " \
	"store p -> Y[4*t, 0, 0, 0] }"
#define ACC_TO_LHS TILES("f32", "[n, 4*floor(lane/16) + e, lane mod 16]")
#define BLOCKED_TO_LHS TILES("f16", "[n, floor(lane/4), 4*(lane mod 4) + e]")

#define SOFTMAX "program softmax(X: in row_major[M, K] f32, Y: out row_major[M, K] f32) { " \
	"grid (m) in (M) workers w in 4 assume K <= 4096 " \
	"x = load X[m, 0] : [1, 4096] (pad = -inf) top = reduce max x over [1] keep " \
	"e = map exp(x - top) sum = reduce add e over [1] keep " \
	"factor = map 1 / sum y = map e * factor " \
	"store y -> Y[m, 0] }"

#define BLOCKS(ROWS, WAVES, STEP, STAGES, BY) "program matmul_lds(A: in row_major[M, K] f16, " \
	"B: in row_major[N, K] f16, C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/" ROWS "), " \
	"ceil(N/128)) workers w in " WAVES " lds la: [" ROWS ", " STEP "] f16 lds lb: [128, " STEP \
	"] f16 for k in ceil(K/" STEP ") stages " STAGES " carry acc: [" ROWS ", 128] f32 = fill 0 { " \
	"copy A[" ROWS "*m, " STEP "*k] -> la " BY " copy B[128*n, " STEP "*k] -> lb " BY \
	" next = contract acc, get la[0, 0] : [" ROWS ", " STEP "], get lb[0, 0] : [128, " STEP "] : " \
	"(i, j, k) -> (i, k), (j, k), (i, j) yield next } store acc -> C[" ROWS "*m, 128*n] }"
#define MATMUL_LDS BLOCKS("128", "2 x 2", "64", "2", "")
#define MATMUL_STAGES BLOCKS("128", "2 x 2", "64", "3", "")
#define MATMUL_DIRECT BLOCKS("128", "2 x 2", "32", "3", "by direct")
#define MATMUL_EIGHT BLOCKS("128", "4 x 2", "64", "2", "")
#define MATMUL_LARGE BLOCKS("256", "2 x 2", "32", "2", "")

/* The same as an expression, whose tiles are found; and of tensors that lie as the instruction
 * takes them. */
#define MATMUL "matmul(A: row_major[M, K] f16, B: row_major[N, K] f16 -> C: row_major[M, N] f32)"
#define ENCODING(which, dims, sizes) "packed(encoding_info<{innerDimsPos = " dims \
	", innerTileSizes = [128, 32], outerDimsPerm = " dims ", swizzle = {expandShape = " \
	"[[[\"CrossThread\", 2 : i16" which "], [\"CrossIntrinsic\", 4 : i16], " \
	"[\"CrossThread\", 16 : i16]], [[\"CrossIntrinsic\", 2 : i16], " \
	"[\"CrossThread\", 4 : i16], [\"Internal\", 4 : i16]]], " \
	"permutation = [0, 1, 4, 2, 3, 5]}}>, " sizes ")"
#define MATMUL_DT "matmul(A: " ENCODING(", 2 : i8", "[0, 1]", "[M, K]") " f16, B: " \
	ENCODING("", "[1, 0]", "[K, N]") " f16 -> C: row_major[M, N] f32)"

#define MATMUL_SIZES { { "M", 128 }, { "N", 128 }, { "K", 512 } }
#define MATMUL_BYTES { 128 * 512 * 2, 128 * 512 * 2, 128 * 128 * 4 }
#define LARGE_SIZES { { "M", 256 }, { "N", 128 }, { "K", 512 } }
#define LARGE_BYTES { 256 * 512 * 2, 128 * 512 * 2, 256 * 128 * 4 }
#define CHAIN_SIZES { { "M", 4 }, { "N", 8 }, { "K", 16384 } }
#define CHAIN_BYTES { 4 * 16384 * 2, 8 * 16384 * 2, 4 * 8 * 4 }
#define EIGHT_SIZES { { "M", 4 }, { "N", 4 }, { "K", 16384 } }
#define EIGHT_BYTES { 4 * 16384 * 2, 4 * 16384 * 2, 4 * 4 * 4 }
#define TILE_SIZES { { "T", 16 } }
#define SOFTMAX_SIZES { { "M", 8 }, { "K", 4096 } }
#define SOFTMAX_BYTES { 8 * 4096 * 4, 8 * 4096 * 4 }

/* What the peer executes a product, in a step of matmul_lds a matrix instruction, or an element
 * of a lane, vector and scalar ALU, LDS and memory together; and its vector registers, 0 where there is no peer. */
static const struct row {
	const char *name, *target, *text;
	layout_size sizes[MAX_SIZES];
	size_t bytes[MAX_BUFFERS];
	double peer;
	int64_t peer_registers;
	unsigned cycles;	/* in which a SIMD issues no other matrix instruction */
} rows[] = {
	{ "matvec_f16_chain", "gfx942", CHAIN("64", "512"), CHAIN_SIZES, CHAIN_BYTES, .6306, 94 },
	{ "matvec_f16_chain", "gfx950", CHAIN("64", "512"), CHAIN_SIZES, CHAIN_BYTES, .6304, 94 },
	{ "matvec_f16_chain", "gfx1100", CHAIN("32", "256"), CHAIN_SIZES, CHAIN_BYTES, .5773,
		94 },
	{ "matvec_f16_eight", "gfx942", EIGHT("64", "512"), EIGHT_SIZES, EIGHT_BYTES, 1.2783,
		174 },
	{ "matvec_f16_eight", "gfx950", EIGHT("64", "512"), EIGHT_SIZES, EIGHT_BYTES, 1.2778,
		174 },
	{ "matvec_f16_eight", "gfx1100", EIGHT("32", "256"), EIGHT_SIZES, EIGHT_BYTES, 1.1704,
		174 },
	{ "acc_to_lhs", "gfx942", ACC_TO_LHS, TILE_SIZES, { 16384, 8192 }, 7.125, 26 },
	{ "acc_to_lhs", "gfx950", ACC_TO_LHS, TILE_SIZES, { 16384, 8192 }, 4.5, 23 },
	{ "blocked_to_lhs", "gfx942", BLOCKED_TO_LHS, TILE_SIZES, { 8192, 8192 }, 2.1875, 15 },
	{ "blocked_to_lhs", "gfx950", BLOCKED_TO_LHS, TILE_SIZES, { 8192, 8192 }, 2.1875, 15 },
	{ "matmul_lds", "gfx942", MATMUL_LDS, MATMUL_SIZES, MATMUL_BYTES, 1.156, 146, 16 },
	{ "matmul_lds", "gfx950", MATMUL_LDS, MATMUL_SIZES, MATMUL_BYTES, 1.156, 146, 16 },
	{ "matmul_lds, 3 stages", "gfx950", MATMUL_STAGES, MATMUL_SIZES, MATMUL_BYTES, 1.156, 146, 16 },
	{ "matmul_lds, by direct", "gfx942", MATMUL_DIRECT, MATMUL_SIZES, MATMUL_BYTES, 1.156, 146, 16 },
	{ "matmul_lds, eight waves", "gfx942", MATMUL_EIGHT, MATMUL_SIZES, MATMUL_BYTES, 0, 0, 16 },
	{ "matmul_lds, 256 x 128 x 32", "gfx942", MATMUL_LARGE, LARGE_SIZES, LARGE_BYTES, 0, 0, 16 },
	{ "matmul", "gfx942", MATMUL, MATMUL_SIZES, MATMUL_BYTES, 1.156, 146, 16 },
	{ "matmul", "gfx90a", MATMUL, MATMUL_SIZES, MATMUL_BYTES, 0, 0, 32 },
	{ "matmul", "gfx1100", MATMUL, MATMUL_SIZES, MATMUL_BYTES, 0, 0, 32 },
	{ "matmul", "gfx1200", MATMUL, MATMUL_SIZES, MATMUL_BYTES, 0, 0, 16 },
	{ "matmul_dt", "gfx942", MATMUL_DT, MATMUL_SIZES, MATMUL_BYTES, .4961, 226, 16 },
	{ "softmax", "gfx942", SOFTMAX, SOFTMAX_SIZES, SOFTMAX_BYTES, 21.5, 0 },
	{ "softmax", "gfx950", SOFTMAX, SOFTMAX_SIZES, SOFTMAX_BYTES, 21.56, 0 },
	{ "softmax", "gfx1100", SOFTMAX, SOFTMAX_SIZES, SOFTMAX_BYTES, 0, 0 },
};

#define KERNEL "program"

static layout_kernel *kernel_of(layout_context *ctx, const struct row *row)
{
	layout_program *program = layout_program_parse(ctx, row->text);
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_kernel *kernel;

	options.name = KERNEL;
	kernel = program ? layout_kernel_new_program(program, row->target, &options) : NULL;

	layout_program_free(program);
	return kernel;
}

/* ---- what the code objects consist of */

static void print_peer(const struct row *row)
{
	if (row->peer > 0)
		printf(" %.4g |", row->peer);
	else
		printf(" |");
	if (row->peer_registers)
		printf(" %" PRId64 " |\n", row->peer_registers);
	else
		printf(" |\n");
}

static bool print_static(layout_context *ctx, const struct row *row)
{
	layout_kernel *kernel = kernel_of(ctx, row);
	struct code_counts c;
	size_t length;
	char *object = kernel ? layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_HSACO, NULL, 0,
		&length) : NULL;
	bool ok = object && code_object_count(object, length, KERNEL,
		layout_target_find(ctx, row->target)->processor, &c);

	if (ok) {
		printf("| %s | %s | %u | %u | %u | %u | %" PRId64 " | %" PRId64 " | %" PRId64
			" | %" PRId64 " |", row->name, row->target, c.vector_alu, c.scalar_alu,
			c.memory, c.lds, c.scalar_registers, c.lds_bytes, c.scratch_bytes,
			c.vector_registers);
		print_peer(row);
		ok = !c.scratch_bytes && (!row->peer_registers ||
			(double)c.vector_registers <= LIMIT_REGISTERS *
			(double)row->peer_registers);
	}
	layout_string_free(object);
	layout_kernel_free(kernel);
	return ok;
}

/* ---- what a loop consists of */

/* The share of its cycles in which matrix instructions are issued, where no other one is
 * issued meanwhile and a wave's instruction takes ISSUE cycles. */
static bool print_loop(layout_context *ctx, const struct row *row)
{
	layout_kernel *kernel = row->cycles ? kernel_of(ctx, row) : NULL;
	struct code_loop loop = { 0 };
	size_t length;
	char *object = kernel ? layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_HSACO, NULL, 0,
		&length) : NULL;
	bool ok = !row->cycles || (object && code_object_loop(object, length, KERNEL,
		layout_target_find(ctx, row->target)->processor, &loop));
	double matrix = (double)loop.matrix * row->cycles;

	if (ok && row->cycles)
		printf("| %s | %s | %u | %u | %.3f | %u | %u | %.3f |\n", row->name,
			row->target, loop.matrix, loop.others,
			(double)loop.others / (double)loop.matrix, loop.barriers,
			loop.full_waits, matrix / (matrix + ISSUE * loop.others));
	layout_string_free(object);
	layout_kernel_free(kernel);
	return ok;
}

/* ---- what they do to memory */

static unsigned size_count(const struct row *row)
{
	unsigned count = 0;

	while (count < MAX_SIZES && row->sizes[count].name)
		count++;
	return count;
}

static bool make_buffers(layout_program *program, const struct row *row,
	layout_buffer_argument *buffers, unsigned *count)
{
	bool ok = true;

	for (*count = 0; *count < MAX_BUFFERS && row->bytes[*count]; ++*count) {
		layout_buffer_argument *buffer = &buffers[*count];

		buffer->name = layout_memory_name(layout_program_argument_at(program, *count));
		buffer->bytes = row->bytes[*count];
		ok = ok && !posix_memalign(&buffer->base, 4096, buffer->bytes + 4096);
		if (ok)
			memset(buffer->base, 1, buffer->bytes);
	}
	return ok;
}

static bool simulate(layout_context *ctx, const struct row *row, layout_sim_stats *stats)
{
	layout_program *program = layout_program_parse(ctx, row->text);
	layout_kernel *kernel = kernel_of(ctx, row);
	layout_buffer_argument buffers[MAX_BUFFERS] = { { 0 } };
	layout_run run = LAYOUT_RUN_INIT;
	bool ok = program && kernel && make_buffers(program, row, buffers, &run.buffer_count);

	run.buffers = buffers;
	run.sizes = row->sizes;
	run.size_count = size_count(row);
	run.stats = stats;
	ok = ok && layout_kernel_run(ctx, kernel, &run);
	for (unsigned i = 0; i < MAX_BUFFERS; i++)
		free(buffers[i].base);
	layout_kernel_free(kernel);
	layout_program_free(program);
	return ok;
}

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* Accesses a lane, by their bytes: "16x256". */
static void print_traffic(const layout_sim_traffic *traffic, uint64_t lanes)
{
	static const unsigned bytes[] = { 1, 2, 4, 8, 12, 16 };

	for (unsigned i = COUNT(bytes); i--;)
		if (traffic->widths[i])
			printf("%ux%.3g ", bytes[i], ratio(traffic->widths[i], lanes));
	printf("| %.3g | ", ratio(traffic->wave_segments_64, traffic->wave_least_64));
}

static bool print_executed(layout_context *ctx, const struct row *row)
{
	layout_sim_stats stats = { 0 };
	bool ok = simulate(ctx, row, &stats);

	if (!ok)
		return false;
	printf("| %s | %s | ", row->name, row->target);
	print_traffic(&stats.load, stats.lanes);
	print_traffic(&stats.store, stats.lanes);
	printf("%" PRIu64 " | %" PRIu64 " |\n", stats.masked_lanes,
		stats.lds_load.extra_cycles + stats.lds_store.extra_cycles);
	return true;
}

/* ---- from text to a code object */

static bool print_time(layout_context *ctx, const struct row *row)
{
	char out[] = "/tmp/bench_program.XXXXXX";
	const char *words[] = { LAYOUTC_PATH, "kernel", row->text, "--target", row->target,
		"--emit", "hsaco", "-o", out, NULL };
	int file = mkstemp(out);
	double ms = 0, none;
	bool ok = file >= 0 && programs_time(words, &ms, NULL, &none);

	(void)ctx;
	if (ok)
		printf("| %s | %s | %.1f |\n", row->name, row->target, ms);
	if (file >= 0) {
		close(file);
		unlink(out);
	}
	return ok && ms <= LIMIT_MS;
}

static bool print_rows(bool (*print)(layout_context *, const struct row *))
{
	layout_context *ctx = layout_context_new();
	bool ok = true;

	for (size_t r = 0; r < COUNT(rows); r++)
		if (!print(ctx, &rows[r])) {
			const char *message = layout_context_message(ctx);

			fprintf(stderr, "distributed: %s for %s: %s\n", rows[r].name,
				rows[r].target, message && *message ? message :
				"beyond its limit");
			ok = false;
		}
	layout_context_free(ctx);
	return ok;
}

int main(void)
{
	bool ok;

	printf("Instructions in the code object, edges included; registers are to be at most "
		"%.1f of the\npeer's, scratch none.  The peer's column is what it executes a "
		"product or element.\n\n| case | target | vector ALU | scalar ALU | memory | LDS | "
		"SGPRs | LDS bytes | scratch bytes | VGPRs | peer | peer VGPRs |\n"
		"|---|---|---|---|---|---|---|---|---|---|---|---|\n", LIMIT_REGISTERS);
	ok = print_rows(print_static);
	printf("\nLoops of matrix instructions, and the share of these where an instruction of a "
		"wave takes %d\ncycles and no two are issued at once.\n\n"
		"| case | target | matrix | others | others a matrix instruction | barriers | "
		"waits for all loads | share |\n|---|---|---|---|---|---|---|---|\n", ISSUE);
	ok = print_rows(print_loop) && ok;
	puts("\nAccesses in the simulator: bytes x accesses a lane, and 64-byte segments\n"
		"touched by a wave over the least possible.\n\n"
		"| case | target | loads | segments | stores | segments | masked lanes | "
		"cycles lost to LDS bank conflicts |\n|---|---|---|---|---|---|---|---|");
	ok = print_rows(print_executed) && ok;
	printf("\nFrom text to a code object, whole processes, ms; at most %.0f.\n\n"
		"| case | target | layoutc |\n|---|---|---|\n", LIMIT_MS);
	ok = print_rows(print_time) && ok;
	return ok ? 0 : 1;
}
