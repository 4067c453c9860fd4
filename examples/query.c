/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Questions about a packed layout, answered for all sizes at once.
 *
 *	cc -std=c17 query.c $(pkg-config --cflags --libs layout) -o query */
#include <layout/layout.h>

#include <stdio.h>

/* The left-hand side of a gfx942 matrix multiplication, in IREE's words. */
static const char lhs_encoding[] =
	"encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16],"
	" outerDimsPerm = [0, 1], swizzle = {expandShape ="
	" [[[\"CrossThread\", 4 : i16], [\"CrossIntrinsic\", 8 : i16],"
	" [\"CrossThread\", 4 : i16]],"
	" [[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]],"
	" permutation = [1, 4, 0, 2, 3]}}>";

/* Print the answer, and the witness of a no. */
static void print_answer(const char *question, layout_answer answer,
	layout_witness *witness)
{
	static const char *const words[] = { "no", "yes", "unknown" };

	printf("%s %s\n", question, words[answer]);
	if (witness)
		printf("  %s\n", witness->text);
	layout_witness_free(witness);
}

/* "move" : row-major cell[i, j] -> packed cell[..].  Ask, drop the last
 * coordinate of the packed cell, and ask again. */
static void ask(layout_relation *move)
{
	layout_witness *witness = NULL;
	layout_answer answer = layout_relation_is_injective(move, &witness);
	unsigned last = layout_relation_out_rank(move) - 1;

	print_answer("packing is injective:", answer, witness);
	move = layout_relation_project(move, &last, 1);
	answer = layout_relation_is_injective(move, &witness);
	print_answer("without the last coordinate:", answer, witness);
	layout_relation_free(move);
}

int main(void)
{
	layout_context *ctx = layout_context_new();
	const char *sizes[] = { "M", "K" };
	layout_storage *rows = layout_storage_row_major(ctx, 2, sizes);
	layout_storage *tiles = layout_storage_packed(
		layout_encoding_parse(ctx, lhs_encoding), 2, sizes);
	layout_relation *move = layout_relation_compose(
		layout_storage_relation(tiles),
		layout_relation_inverse(layout_storage_relation(rows)));
	char *padding = layout_storage_padding_count(tiles);
	bool failed;

	if (move && padding) {
		ask(move);
		printf("padding cells: %s\n", padding);
	}
	failed = layout_context_error(ctx) != LAYOUT_ERROR_NONE;
	if (failed)
		fprintf(stderr, "query: %s\n", layout_context_message(ctx));
	layout_string_free(padding);
	layout_storage_free(tiles);
	layout_storage_free(rows);
	layout_context_free(ctx);
	return failed;
}
