/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pack a matrix into tiles on this CPU, with a kernel made for the layouts.
 *
 *	cc -std=c17 pack.c $(pkg-config --cflags --libs layout-codegen) -o pack */
#include <layout/codegen.h>

#include <stdio.h>
#include <stdlib.h>

enum { M = 5, K = 7, TILE_M = 4, TILE_K = 2, TILES_M = 2, TILES_K = 4 };
#define CELLS (TILES_M * TILES_K * TILE_M * TILE_K)

static const char pack[] =
	"remap(row_major[M, K] -> packed(encoding_info<{innerDimsPos = [0, 1],"
	" innerTileSizes = [4, 2], outerDimsPerm = [0, 1]}>, [M, K]),"
	" type = f32, pad = -1.0)";

/* What cell c of the packed matrix must hold, without the library. */
static float expected(int c)
{
	int tile = c / (TILE_M * TILE_K), inner = c % (TILE_M * TILE_K);
	int i = tile / TILES_K * TILE_M + inner / TILE_K;
	int j = tile % TILES_K * TILE_K + inner % TILE_K;

	return i < M && j < K ? (float)(i * K + j) : -1.0f;
}

/* Run the kernel on 0, 1, 2, .. and count the cells that are wrong. */
static int run(layout_context *ctx, layout_kernel *kernel)
{
	float source[M * K], destination[CELLS];
	layout_size sizes[] = { { "M", M }, { "K", K } };
	layout_run run = LAYOUT_RUN_INIT;
	int wrong = 0;

	for (int i = 0; i < M * K; i++)
		source[i] = (float)i;
	run.source = source;
	run.source_bytes = sizeof(source);
	run.destination = destination;
	run.destination_bytes = sizeof(destination);
	run.sizes = sizes;
	run.size_count = 2;
	if (!layout_kernel_run(ctx, kernel, &run))
		return CELLS;
	for (int c = 0; c < CELLS; c++) {
		wrong += destination[c] != expected(c);
		printf("%3g%s", (double)destination[c], c % 8 == 7 ? "\n" : " ");
	}
	return wrong;
}

int main(void)
{
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx, pack);
	layout_kernel *kernel = layout_kernel_new(remap, "host", NULL);
	int wrong = kernel ? run(ctx, kernel) : CELLS;

	if (layout_context_error(ctx) != LAYOUT_ERROR_NONE)
		fprintf(stderr, "pack: %s\n", layout_context_message(ctx));
	else
		printf("%d of %d cells are wrong\n", wrong, CELLS);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	layout_context_free(ctx);
	return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
