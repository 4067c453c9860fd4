/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How long data tiling takes, as a page: docs/encoding-performance.md is what this
 * prints.  Warm medians through the C API in one context. */
#include "support/page.h"

#include <layout/layout.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENCODING_GOAL_US 3000
#define CHAIN_GOAL_US 5000
#define VECTORS_GOAL_US 2e6

#define MAP(from, to) "affine_map<(" from ") -> (" to ")>"
#define MATMUL MAP("d0, d1, d2", "d0, d2") ", " MAP("d0, d1, d2", "d2, d1") ", " \
	MAP("d0, d1, d2", "d0, d1")
#define SCALED MAP("d0, d1, d2, d3", "d0, d2, d3") ", " \
	MAP("d0, d1, d2, d3", "d1, d2, d3") ", " MAP("d0, d1, d2, d3", "d0, d2") ", " \
	MAP("d0, d1, d2, d3", "d1, d2") ", " MAP("d0, d1, d2, d3", "d0, d1")
#define OPERAND(index, types) "#iree_encoding.encoding<operand_index = " index \
	", op_type = matmul, element_types = [" types "], user_indexing_maps = [" MATMUL \
	"], iteration_sizes = [?, ?, ?]>"
#define SCALED_OPERAND(index) "#iree_encoding.encoding<operand_index = " index \
	", op_type = scaled_matmul, element_types = [f4E2M1FN, f4E2M1FN, f8E8M0FNU, " \
	"f8E8M0FNU, f32], user_indexing_maps = [" SCALED \
	"], iteration_sizes = [?, ?, ?, 32]>"

/* From text to the proof, all that a compiler asks of an operand. */
static const struct encoding_work {
	const char *name, *target, *operand;
} encodings[] = {
	{ "lhs, f32", "gfx942", OPERAND("0", "f32, f32, f32") },
	{ "rhs, f16", "gfx942", OPERAND("1", "f16, f16, f32") },
	{ "acc, i8", "gfx942", OPERAND("2", "i8, i8, i32") },
	{ "lhs, f8", "gfx950", OPERAND("0", "f8E4M3FN, f8E4M3FN, f32") },
	{ "rhs, scaled f4", "gfx950", SCALED_OPERAND("1") },
	{ "acc, f16", "gfx1100", OPERAND("2", "f16, f16, f16") },
	{ "lhs, bf16", "gfx1200", OPERAND("0", "bf16, bf16, f32") },
	{ "acc, f16", "gfx1250", OPERAND("2", "f16, f16, f32") },
};

struct subject {
	layout_context *ctx;
	const struct encoding_work *encoding;
	const char *chain;
};

static bool has_answers(layout_resolution *resolution, layout_relation *relation)
{
	return layout_resolution_agrees(resolution, NULL) == LAYOUT_YES &&
		layout_relation_is_injective(relation, NULL) == LAYOUT_YES;
}

/* Operand, resolution, physical relation, the proofs, the padding and the storage's size
 * in bytes. */
static bool resolve(void *user)
{
	static const char *const sizes[] = { "A", "B", "C" };
	struct subject *subject = user;
	layout_operand *operand = layout_operand_parse(subject->ctx,
		subject->encoding->operand);
	layout_resolution *resolution = layout_encoding_resolve(operand,
		layout_tiling_target_find(subject->ctx, subject->encoding->target),
		LAYOUT_RESOLVER_DATA_TILING);
	layout_storage *storage = layout_storage_packed(
		layout_resolution_encoding(resolution), layout_operand_rank(operand),
		sizes);
	layout_relation *relation = layout_storage_relation(storage);
	layout_set *padding = layout_storage_padding(storage);
	char *bytes = layout_storage_byte_count(storage, "f32");
	bool good = relation && padding && bytes && has_answers(resolution, relation);

	layout_string_free(bytes);
	layout_set_free(padding);
	layout_relation_free(relation);
	layout_storage_free(storage);
	layout_resolution_free(resolution);
	layout_operand_free(operand);
	return good;
}

/* Folded into one relation with its valid points. */
static bool fold(void *user)
{
	struct subject *subject = user;
	layout_chain *chain = layout_chain_parse(subject->ctx, subject->chain);
	layout_relation *relation = layout_chain_relation(chain);
	bool good = relation;

	layout_relation_free(relation);
	layout_chain_free(chain);
	return good;
}

static const struct {
	const char *name, *text;
} chains[] = {
	{ "pad, expand, transpose, pad, collapse, slice, transpose, copy",
	  "chain(row_major[M, K], pad([0, 0], [P, Q]), "
	  "expand_shape([[0, 1], [2, 3]], [?, 128, ?, 16]), transpose([0, 2, 1, 3]), "
	  "pad([0, 1, 0, 0], [1, 0, 0, 0]), collapse_shape([[0], [1], [2, 3]]), "
	  "extract_slice([0, 1, 0], [floor((M + P)/128), floor((K + Q)/16), 1024], "
	  "[1, 1, 2]), transpose([2, 0, 1]), copy())" },
	{ "broadcast, pad, pack, transpose, unpack, expand, collapse, copy",
	  "chain(row_major[M, K], broadcast([0], [B]), pad([0, 0, 1], [0, P, 0]), "
	  "pack([1, 2], [16, 32], pad = 0.0), transpose([1, 0, 2, 3, 4]), "
	  "transpose([1, 0, 2, 3, 4]), unpack([1, 2], [?, ?, ?]), "
	  "expand_shape([[0], [1, 2], [3]], [B, ?, 16, ?]), copy())" },
};

static void print_head(void)
{
	char version[32];

	snprintf(version, sizeof(version), "%s", layout_isl_version());
	version[strcspn(version, "\n")] = 0;
	printf("# How long data tiling takes\n\n"
		"Written by `build/release/bench/bench_encoding`: warm medians through "
		"the C API. An\n"
		"encoding is read and resolved with symbolic sizes, made a relation, proved "
		"injective and\n"
		"proved to be the matrix instruction's register layout; with its padding "
		"and its bytes as a\n"
		"formula. A chain is read and folded into one relation.\n\n");
	page_print_machine();
	printf("%s, liblayout %s.\n\n", version, layout_version());
	printf("| work | goal | taken |\n|---|---|---|\n");
}

static bool report(layout_context *ctx, double goal, double taken)
{
	printf(" |");
	page_print_time(goal);
	page_print_time(taken);
	printf("\n");
	if (taken < 0)
		fprintf(stderr, "encoding: %s\n", layout_context_message(ctx) ?
			layout_context_message(ctx) : "failed");
	layout_context_clear(ctx);
	return taken >= 0 && taken <= goal;
}

int main(void)
{
	static const char *const vectors[] = { "encodings" };
	layout_context *ctx = layout_context_new();
	struct subject subject = { .ctx = ctx };
	bool met = true;

	if (!ctx)
		return 1;
	print_head();
	for (size_t i = 0; i < sizeof(encodings) / sizeof(*encodings); i++) {
		subject.encoding = &encodings[i];
		printf("| %s: %s", encodings[i].target, encodings[i].name);
		met = report(ctx, ENCODING_GOAL_US, page_measure(resolve, &subject)) &&
			met;
	}
	for (size_t i = 0; i < sizeof(chains) / sizeof(*chains); i++) {
		subject.chain = chains[i].text;
		printf("| chain: %s", chains[i].name);
		met = report(ctx, CHAIN_GOAL_US, page_measure(fold, &subject)) && met;
	}
	printf("| the tests of all rows of the encoding files");
	met = report(ctx, VECTORS_GOAL_US, page_run_tests(vectors, 1, NULL)) && met;
	return layout_context_free(ctx) && met ? 0 : 1;
}
