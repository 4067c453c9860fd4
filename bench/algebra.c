/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How long the algebra takes, as a page: docs/algebra-performance.md is what this
 * prints.  Warm medians through the C API in one context, each beside the same
 * question put to relations that only isl knows. */
#include "support/page.h"

#include <layout/layout.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_GOAL_US 5e6

static const char encoding[] =
	"packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], "
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16], "
	"[\"CrossIntrinsic\", 8 : i16], [\"CrossThread\", 4 : i16]], "
	"[[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]], "
	"permutation = [1, 4, 0, 2, 3]}}>, [M, K])";

/* The same memory, and one where two parts have changed places. */
static const char same_encoding[] =
	"packed(encoding_info<{innerDimsPos = [1, 0], innerTileSizes = [16, 128], "
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossIntrinsic\", 4 : i16], "
	"[\"CrossThread\", 4 : i16]], [[\"CrossThread\", 4 : i16], "
	"[\"CrossIntrinsic\", 8 : i16], [\"CrossThread\", 2 : i16], "
	"[\"CrossThread\", 2 : i16]]], permutation = [3, 1, 2, 4, 5, 0]}}>, [M, K])";
static const char other_encoding[] =
	"packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], "
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16], "
	"[\"CrossIntrinsic\", 8 : i16], [\"CrossThread\", 4 : i16]], "
	"[[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]], "
	"permutation = [1, 4, 2, 0, 3]}}>, [M, K])";

/* What the work is done on; plain relations have no fast form. */
struct subjects {
	layout_context *ctx;
	layout_cute *outer, *inner, *gaps, *whole, *tile;
	layout_linear *linear;
	layout_relation *outer_map, *inner_map, *plain_outer, *plain_inner;
	layout_relation *swizzle, *plain_swizzle, *identity;
	layout_relation *f2, *plain_f2, *permuted;
	layout_relation *mma, *other_mma, *plain_mma, *plain_other;
	layout_storage *packed, *same, *different;
};

/* The same relation as isl alone knows it; keeps its argument. */
static layout_relation *plain(layout_context *ctx, layout_relation *relation)
{
	char *text = layout_relation_isl_str(relation);
	layout_relation *read = text ? layout_relation_read(ctx, text) : NULL;

	layout_string_free(text);
	return read;
}

static layout_relation *relation_of(layout_context *ctx, const char *text)
{
	layout_value *value = layout_value_parse(ctx, text);
	layout_relation *relation = layout_value_relation(value);

	layout_value_free(value);
	return relation;
}

#define BITS 20

/* 20 bits in another order, most of them in two images. */
static layout_linear *linear_20_bits(layout_context *ctx, int64_t bases[BITS])
{
	static const layout_size in = { "offset", 1 << BITS }, out = { "dim0", 1 << BITS };

	for (int bit = 0; bit < BITS; bit++)
		bases[bit] = INT64_C(1) << (bit * 7 % BITS) |
			(bit > 2 ? INT64_C(1) << ((bit - 3) * 7 % BITS) : 0);
	return layout_linear_new(ctx, &in, 1, &out, 1, bases);
}

/* The map over F2 with these columns as one would write it for isl: a variable for
 * each bit, and x + y - 2c for the XOR of two. */
static layout_relation *plain_xor(layout_context *ctx, const int64_t *columns, int bits)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	layout_relation *relation;

	if (!out)
		return NULL;
	fprintf(out, "{ [i] -> [o] : exists (");
	for (int bit = 0; bit < bits; bit++)
		fprintf(out, "%sb%d, c%d", bit ? ", " : "", bit, bit);
	fprintf(out, " : i = 0");
	for (int bit = 0; bit < bits; bit++)
		fprintf(out, " + %lldb%d", 1ll << bit, bit);
	fprintf(out, " and o = 0");
	for (int bit = 0; bit < bits; bit++)
		for (int to = 0; to < bits; to++)
			if (columns[bit] >> to & 1)
				fprintf(out, " + %lldb%d", 1ll << to, bit);
	for (int to = 0; to < bits; to++)
		fprintf(out, " - %lldc%d", 2ll << to, to);
	for (int to = 0; to < bits; to++) {
		fprintf(out, " and 0 <= b%d, c%d <= 1 and 0 <= -2c%d", to, to, to);
		for (int bit = 0; bit < bits; bit++)
			if (columns[bit] >> to & 1)
				fprintf(out, " + b%d", bit);
		fprintf(out, " <= 1");
	}
	fprintf(out, ") }");
	fclose(out);
	relation = layout_relation_read(ctx, text);
	free(text);
	return relation;
}

/* Sw<5,2,7> as columns. */
static layout_relation *plain_swizzle(layout_context *ctx)
{
	int64_t columns[14];

	for (int bit = 0; bit < 14; bit++)
		columns[bit] = INT64_C(1) << bit |
			(bit >= 9 ? INT64_C(1) << (bit - 7) : 0);
	return plain_xor(ctx, columns, 14);
}

static void prepare(struct subjects *s)
{
	layout_context *ctx = s->ctx;
	int64_t bases[BITS];

	s->outer = layout_cute_parse(ctx, "(8,4,(2,16)):(64,1,(4,512))");
	s->inner = layout_cute_parse(ctx, "((4,2),8,4):((2,1),8,64)");
	s->gaps = layout_cute_parse(ctx, "(2,4,8,4):(1,4,32,512)");
	s->whole = layout_cute_parse(ctx, "(16,8,(4,2)):(1,64,(16,512))");
	s->tile = layout_cute_parse(ctx, "(4,8):(1,32)");
	s->linear = linear_20_bits(ctx, bases);
	s->outer_map = layout_cute_relation(s->outer);
	s->inner_map = layout_cute_relation(s->inner);
	s->plain_outer = plain(ctx, s->outer_map);
	s->plain_inner = plain(ctx, s->inner_map);
	s->swizzle = relation_of(ctx, "Sw<5,2,7>");
	s->plain_swizzle = plain_swizzle(ctx);
	s->identity = relation_of(ctx, "{ [i] -> [i] : 0 <= i < 16384 }");
	s->f2 = layout_linear_relation(s->linear);
	s->permuted = relation_of(ctx, "linear<{offset = [[64], [128], [1], [2], [4], "
		"[256], [8], [16], [32], [2048], [4096], [8192], [512], [1024]]}>");
	s->plain_f2 = plain_xor(ctx, bases, BITS);
	s->mma = relation_of(ctx, "mma<MFMA_F32_32x32x8_F16, acc>");
	s->other_mma = relation_of(ctx, "linear<{lane = [[0, 1], [0, 2], [0, 4], [0, 8], "
		"[0, 16], [4, 0]], element = [[1, 0], [2, 0], [8, 0], [16, 0]]}>");
	s->plain_mma = plain(ctx, s->mma);
	s->plain_other = plain(ctx, s->other_mma);
	s->packed = layout_storage_parse(ctx, encoding);
	s->same = layout_storage_parse(ctx, same_encoding);
	s->different = layout_storage_parse(ctx, other_encoding);
}

static void release(struct subjects *s)
{
	layout_relation *const relations[] = { s->outer_map, s->inner_map, s->plain_outer,
		s->plain_inner, s->swizzle, s->plain_swizzle, s->identity, s->f2,
		s->plain_f2, s->permuted, s->mma, s->other_mma, s->plain_mma,
		s->plain_other };

	for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++)
		layout_relation_free(relations[i]);
	layout_cute_free(s->outer);
	layout_cute_free(s->inner);
	layout_cute_free(s->gaps);
	layout_cute_free(s->whole);
	layout_cute_free(s->tile);
	layout_linear_free(s->linear);
	layout_storage_free(s->packed);
	layout_storage_free(s->same);
	layout_storage_free(s->different);
}

static bool done_cute(layout_cute *cute)
{
	layout_cute_free(cute);
	return cute;
}

static bool done_linear(layout_linear *linear)
{
	layout_linear_free(linear);
	return linear;
}

static bool done(layout_relation *relation)
{
	layout_relation_free(relation);
	return relation;
}

static bool compose(layout_relation *outer, layout_relation *inner)
{
	return done(layout_relation_compose(layout_relation_copy(outer),
		layout_relation_copy(inner)));
}

static bool invert(layout_relation *relation)
{
	return done(layout_relation_inverse(layout_relation_copy(relation)));
}

/* Its own inverse? */
static bool is_involution(layout_relation *relation)
{
	layout_relation *inverse = layout_relation_inverse(layout_relation_copy(relation));
	bool yes = layout_relation_equal(inverse, relation, NULL) == LAYOUT_YES;

	layout_relation_free(inverse);
	return yes;
}

static bool is_plain_involution(struct subjects *s)
{
	layout_relation *twice = layout_relation_compose(
		layout_relation_copy(s->plain_swizzle),
		layout_relation_copy(s->plain_swizzle));
	bool yes = layout_relation_equal(twice, s->identity, NULL) == LAYOUT_YES;

	layout_relation_free(twice);
	return yes;
}

static bool cute_compose(struct subjects *s)
{
	return done_cute(layout_cute_compose(layout_cute_copy(s->outer),
		layout_cute_copy(s->inner)));
}

static bool plain_compose(struct subjects *s)
{
	return compose(s->plain_outer, s->plain_inner);
}

static bool cute_complement(struct subjects *s)
{
	return done_cute(layout_cute_complement(layout_cute_copy(s->gaps), 4096));
}

static bool cute_divide(struct subjects *s)
{
	return done_cute(layout_cute_divide(layout_cute_copy(s->whole),
		layout_cute_copy(s->tile), LAYOUT_CUTE_ZIPPED));
}

static bool swizzle_injective(struct subjects *s)
{
	return layout_relation_is_injective(s->swizzle, NULL) == LAYOUT_YES;
}

static bool plain_injective(struct subjects *s)
{
	return layout_relation_is_injective(s->plain_swizzle, NULL) == LAYOUT_YES;
}

static bool swizzle_involution(struct subjects *s)
{
	return is_involution(s->swizzle);
}

static bool swizzle_compose(struct subjects *s)
{
	return compose(s->swizzle, s->swizzle);
}

static bool plain_swizzle_compose(struct subjects *s)
{
	return compose(s->plain_swizzle, s->plain_swizzle);
}

static bool swizzle_invert(struct subjects *s)
{
	return invert(s->swizzle);
}

static bool plain_swizzle_invert(struct subjects *s)
{
	return invert(s->plain_swizzle);
}

static bool linear_both(struct subjects *s)
{
	layout_linear *inverse = layout_linear_invert(layout_linear_copy(s->linear));

	return done_linear(layout_linear_compose(layout_linear_copy(s->linear), inverse));
}

static bool plain_both(struct subjects *s)
{
	return done(layout_relation_compose(layout_relation_copy(s->plain_f2),
		layout_relation_inverse(layout_relation_copy(s->plain_f2))));
}

static bool recognise_swizzle(struct subjects *s)
{
	return done_cute(layout_cute_from_relation(s->swizzle));
}

static bool recognise_cute(struct subjects *s)
{
	return done_cute(layout_cute_from_relation(s->permuted));
}

static bool recognise_linear(struct subjects *s)
{
	return done_linear(layout_linear_from_relation(s->swizzle));
}

static bool recognise_nested(struct subjects *s)
{
	layout_nested *nested = layout_nested_from_relation(s->mma, 0);

	layout_nested_free(nested);
	return nested;
}

static bool mma_equal(struct subjects *s)
{
	return layout_relation_equal(s->mma, s->other_mma, NULL) == LAYOUT_YES;
}

static bool plain_mma_equal(struct subjects *s)
{
	return layout_relation_equal(s->plain_mma, s->plain_other, NULL) == LAYOUT_YES;
}

/* From text to the proof, everything that a user of an encoding asks. */
static bool encoding_whole(struct subjects *s)
{
	static const char *const sizes[] = { "M", "K" };
	layout_storage *row = layout_storage_row_major(s->ctx, 2, sizes);
	layout_storage *packed = layout_storage_parse(s->ctx, encoding);
	layout_relation *relation = layout_storage_relation(packed), *inverse, *both;
	layout_set *padding = layout_storage_padding(packed);
	layout_set *cells = layout_storage_cells(packed);
	bool good;

	both = layout_relation_compose(layout_relation_copy(relation),
		layout_relation_inverse(layout_storage_relation(row)));
	inverse = layout_relation_inverse(layout_relation_copy(relation));
	cells = layout_set_subtract(cells, layout_set_copy(padding));
	good = both && inverse && padding &&
		layout_relation_is_bijective(relation, cells, NULL) == LAYOUT_YES;
	layout_set_free(cells);
	layout_set_free(padding);
	layout_relation_free(inverse);
	layout_relation_free(both);
	layout_relation_free(relation);
	layout_storage_free(packed);
	layout_storage_free(row);
	return good;
}

static bool memory_same(struct subjects *s)
{
	return layout_storage_same_memory(s->packed, s->same, NULL) == LAYOUT_YES;
}

/* With the smallest sizes and the element that tell them apart. */
static bool memory_differs(struct subjects *s)
{
	layout_witness *witness;
	bool differ = layout_storage_same_memory(s->packed, s->different, &witness) ==
		LAYOUT_NO;

	layout_witness_free(witness);
	return differ;
}

static const char padded_pitch[] =
	"swizzled(strided[M, 64 : 72, 1], xor_shuffle<64, 8>, of = index)";
static const char padded_twice[] =
	"swizzled(swizzled(strided[M, 64 : 72, 1], Sw<1,3,3>, of = index), Sw<2,4,3>, "
	"of = index)";

/* The text read, its padding and whether it is injective. */
static bool pitch_whole(struct subjects *s)
{
	layout_storage *storage = layout_storage_parse(s->ctx, padded_pitch);
	layout_relation *relation = layout_storage_relation(storage);
	layout_set *padding = layout_storage_padding(storage);
	bool good = layout_set_is_empty(padding) == LAYOUT_YES &&
		layout_relation_is_injective(relation, NULL) == LAYOUT_YES;

	layout_set_free(padding);
	layout_relation_free(relation);
	layout_storage_free(storage);
	return good;
}

/* Two swizzles that are one, and the way back from one through the other. */
static bool pitch_equal(struct subjects *s)
{
	layout_relation *one = relation_of(s->ctx, padded_pitch);
	layout_relation *other = relation_of(s->ctx, padded_twice);
	bool good = layout_relation_equal(one, other, NULL) == LAYOUT_YES;

	return done(layout_relation_compose(layout_relation_inverse(one), other)) && good;
}

static const struct work {
	const char *name;
	double goal_us;
	bool (*run)(struct subjects *subjects);
	bool (*plain)(struct subjects *subjects);	/* NULL: isl has no such thing */
} works[] = {
	{ "CuTe composition, rank 4", 1, cute_compose, plain_compose },
	{ "CuTe complement, rank 4", 1, cute_complement, NULL },
	{ "CuTe zipped divide, rank 4", 1, cute_divide, NULL },
	{ "14-bit XOR swizzle: injective?", 5, swizzle_injective, plain_injective },
	{ "14-bit XOR swizzle: an involution?", 5, swizzle_involution,
		is_plain_involution },
	{ "14-bit XOR swizzle: compose", 5, swizzle_compose, plain_swizzle_compose },
	{ "14-bit XOR swizzle: invert", 5, swizzle_invert, plain_swizzle_invert },
	{ "linear layout, 20 bits: invert and compose", 3, linear_both, plain_both },
	{ "14-bit XOR swizzle: recognised as CuTe and proved", 100, recognise_swizzle,
		NULL },
	{ "14-bit XOR swizzle: recognised as linear and proved", 100, recognise_linear,
		NULL },
	{ "14-bit linear layout: recognised as CuTe and proved", 100, recognise_cute,
		NULL },
	{ "register layout of a matrix instruction: recognised as nested and proved", 100,
		recognise_nested, NULL },
	{ "two register layouts of a matrix instruction: equal?", 20, mma_equal,
		plain_mma_equal },
	{ "gfx942 LHS encoding, symbolic M and K: read, compose, invert, bijective, "
		"padding", 1000, encoding_whole, NULL },
	{ "two encodings, symbolic M and K: the same memory? yes", 2000, memory_same,
		NULL },
	{ "two encodings, symbolic M and K: the same memory? no, and a witness", 2000,
		memory_differs, NULL },
	{ "3-bit XOR on a padded pitch, symbolic M: read, injective? padding", 5000,
		pitch_whole, NULL },
	{ "3-bit XOR on a padded pitch, symbolic M, in two ways: equal? and back", 5000,
		pitch_equal, NULL },
};

/* What is measured, and on what. */
struct call {
	bool (*run)(struct subjects *subjects);
	struct subjects *subjects;
};

static bool run_call(void *user)
{
	struct call *call = user;

	return call->run(call->subjects);
}

/* Microseconds for one run; negative where it failed. */
static double measure(bool (*run)(struct subjects *), struct subjects *subjects)
{
	struct call call = { run, subjects };

	return page_measure(run_call, &call);
}

/* The tests that judge all rows of the conformance data. */
static double run_rows(void)
{
	static const char *const tests[] = { "cute", "linear", "triton", "mma",
		"nested_ownership", "swizzle_attr" };

	return page_run_tests(tests, sizeof(tests) / sizeof(*tests), "published_*");
}

static void print_head(void)
{
	char version[32];

	snprintf(version, sizeof(version), "%s", layout_isl_version());
	version[strcspn(version, "\n")] = 0;
	printf("# How long the algebra takes\n\n"
		"Written by `build/release/bench/bench_algebra`: warm medians through the C "
		"API. The last\ncolumn is the same question about relations that only isl "
		"knows, where it can be\n"
		"put; \"none\" is no answer within a quota of %lu.\n\n", LAYOUT_DEFAULT_QUOTA);
	page_print_machine();
	printf("%s, liblayout %s.\n\n", version, layout_version());
	printf("| work | goal | taken | isl alone |\n|---|---|---|---|\n");
}

int main(void)
{
	struct subjects subjects = { .ctx = layout_context_new() };
	bool met = true;

	if (!subjects.ctx)
		return 1;
	prepare(&subjects);
	print_head();
	for (size_t i = 0; i < sizeof(works) / sizeof(*works); i++) {
		double taken = measure(works[i].run, &subjects);

		printf("| %s |", works[i].name);
		page_print_time(works[i].goal_us);
		page_print_time(taken);
		met = met && taken >= 0 && taken <= works[i].goal_us;
		if (taken < 0)
			fprintf(stderr, "algebra: %s: %s\n", works[i].name,
				layout_context_message(subjects.ctx));
		if (works[i].plain)
			page_print_time(measure(works[i].plain, &subjects));
		else
			printf(" |");
		printf("\n");
		layout_context_clear(subjects.ctx);
	}
	printf("| the tests of all rows of the conformance data |");
	page_print_time(ROWS_GOAL_US);
	page_print_time(run_rows());
	printf(" |\n");
	release(&subjects);
	return layout_context_free(subjects.ctx) && met ? 0 : 1;
}
