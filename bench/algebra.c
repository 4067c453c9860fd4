/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How long the algebra takes on the gfx942 LHS encoding with symbolic M and K:
 * medians in one context, warm.  Everything together is to stay below 3 ms. */
#include "timing.h"

#include <layout/layout.h>

#include <stdio.h>

#define RUNS 101
#define LIMIT_MS 3.0

static const char text[] =
	"packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], "
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16], "
	"[\"CrossIntrinsic\", 8 : i16], [\"CrossThread\", 4 : i16]], "
	"[[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]], "
	"permutation = [1, 4, 0, 2, 3]}}>, [M, K])";

enum step { STEP_BUILD, STEP_COMPOSE, STEP_INJECTIVE, STEP_INVERSE, STEP_PADDING, STEPS };

static const char *const names[STEPS] = {
	"packed relation from text",
	"compose with row-major",
	"prove injective",
	"exact inverse",
	"padding",
};

/* Each step once; the milliseconds of step s in taken[s]. */
static bool run(layout_context *ctx, double taken[STEPS])
{
	static const char *const sizes[] = { "M", "K" };
	layout_storage *row = layout_storage_row_major(ctx, 2, sizes), *packed;
	layout_relation *relation, *inverse, *both;
	layout_set *padding;
	layout_answer injective;
	bool good;
	double at = now_ms();

	packed = layout_storage_parse(ctx, text);
	relation = packed ? layout_storage_relation(packed) : NULL;
	taken[STEP_BUILD] = now_ms() - at;
	at = now_ms();
	both = layout_relation_compose(layout_relation_copy(relation),
		layout_relation_inverse(row ? layout_storage_relation(row) : NULL));
	taken[STEP_COMPOSE] = now_ms() - at;
	at = now_ms();
	injective = layout_relation_is_injective(relation, NULL);
	taken[STEP_INJECTIVE] = now_ms() - at;
	at = now_ms();
	inverse = layout_relation_inverse(relation);
	taken[STEP_INVERSE] = now_ms() - at;
	at = now_ms();
	padding = packed ? layout_storage_padding(packed) : NULL;
	taken[STEP_PADDING] = now_ms() - at;
	good = both && injective == LAYOUT_YES && inverse && padding;
	layout_set_free(padding);
	layout_relation_free(inverse);
	layout_relation_free(both);
	layout_storage_free(packed);
	layout_storage_free(row);
	return good;
}

int main(void)
{
	static double taken[STEPS][RUNS], total[RUNS];
	layout_context *ctx = layout_context_new();
	double sum;

	for (int i = -1; i < RUNS; i++) {
		double once[STEPS];

		if (!ctx || !run(ctx, once)) {
			fprintf(stderr, "algebra: %s\n",
				ctx ? layout_context_message(ctx) : "no memory");
			return 1;
		}
		for (int s = 0; i >= 0 && s < STEPS; s++) {
			taken[s][i] = once[s];
			total[i] += once[s];
		}
	}
	layout_context_free(ctx);
	for (int s = 0; s < STEPS; s++)
		printf("%-28s%8.3f ms\n", names[s], median(taken[s], RUNS));
	sum = median(total, RUNS);
	printf("%-28s%8.3f ms, limit %.1f: %s\n", "together", sum, LIMIT_MS,
		sum < LIMIT_MS ? "met" : "missed");
	return sum < LIMIT_MS ? 0 : 1;
}
