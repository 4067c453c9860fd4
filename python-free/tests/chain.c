/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chains: each operation as a relation, what is inferred and assumed of sizes, what is
 * padding, and what is refused. */
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* The shape and the condition as text, NULL for none; the relation and the padding, which
 * are to be equal, NULL for no padding. */
struct row {
	const char *text, *shape, *condition, *relation, *padding;
};

#define PACK "pack([0, 1], [128, 16]"

static const struct row rows[] = {
	{ "chain(row_major[M, 3])", "M, 3", NULL,
		"[M] -> { logical[i, j] -> logical[i, j] : 0 <= i < M and 0 <= j < 3 }",
		NULL },
	{ "chain(row_major[])", "", NULL, "{ logical[] -> logical[] }", NULL },
	{ "chain(strided[M, 3 : S, 1], copy())", "M, 3", NULL,
		"[M] -> { logical[i, j] -> logical[i, j] : 0 <= i < M and 0 <= j < 3 }",
		NULL },

	{ "chain(row_major[M, 3, K], transpose([2, 0, 1]))", "K, M, 3", NULL,
		"[M, K] -> { logical[i, j, k] -> logical[k, i, j] : "
		"0 <= i < M and 0 <= j < 3 and 0 <= k < K }", NULL },
	{ "chain(row_major[], transpose([]))", "", NULL, "{ logical[] -> logical[] }",
		NULL },

	{ "chain(row_major[M], expand_shape([[0, 1]], [?, 4]))", "floor(M/4), 4",
		"M mod 4 = 0",
		"[M] -> { logical[i] -> logical[floor(i/4), i mod 4] : "
		"M mod 4 = 0 and 0 <= i < M }", NULL },
	{ "chain(row_major[8*M], expand_shape([[0, 1]], [?, 4]))", "2*M, 4", NULL,
		"[M] -> { logical[i] -> logical[floor(i/4), i mod 4] : 0 <= i < 8M }",
		NULL },
	{ "chain(row_major[12], expand_shape([[0, 1, 2]], [2, ?, 3]))", "2, 2, 3", NULL,
		"{ logical[i] -> logical[floor(i/6), floor(i/3) mod 2, i mod 3] : "
		"0 <= i < 12 }", NULL },
	{ "chain(row_major[M], expand_shape([[0, 1, 2]], [1, N, 2]))", "1, N, 2",
		"M = 2*N",
		"[M, N] -> { logical[i] -> logical[0, floor(i/2), i mod 2] : "
		"M = 2N and 0 <= i < M }", NULL },
	{ "chain(row_major[M + 2, 1], pad([0, 0], [P, 0]), expand_shape([[0, 1], [2]], "
		"[?, 2, 1]), expand_shape([[0, 1], [2], [3]], [?, 3, 2, 1]))",
		"floor((M + P + 2)/6), 3, 2, 1",
		"(M + P + 2) mod 2 = 0 and (floor((M + P)/2) + 1) mod 3 = 0",
		"[M, P] -> { logical[i, 0] -> logical[floor(i/6), floor(i/2) mod 3, "
		"i mod 2, 0] : (M + P + 2) mod 6 = 0 and 0 <= i < M + 2 }",
		"[M, P] -> { logical[a, b, c, 0] : (M + P + 2) mod 6 = 0 and 0 <= b < 3 and "
		"0 <= c < 2 and M + 2 <= 6a + 2b + c < M + P + 2 and a >= 0 }" },
	{ "chain(row_major[0], expand_shape([[0, 1]], [0, 4]))", "0, 4", NULL,
		"{ logical[i] -> logical[0, i] : false }", NULL },

	{ "chain(row_major[M, 4, 1], collapse_shape([[0, 1], [2]]))", "4*M, 1", NULL,
		"[M] -> { logical[i, j, 0] -> logical[4i + j, 0] : "
		"0 <= i < M and 0 <= j < 4 }", NULL },
	{ "chain(row_major[1, M], collapse_shape([[0, 1]]))", "M", NULL,
		"[M] -> { logical[0, j] -> logical[j] : 0 <= j < M }", NULL },
	{ "chain(row_major[1, 1], collapse_shape([]))", "", NULL,
		"{ logical[0, 0] -> logical[] }", NULL },
	{ "chain(row_major[], expand_shape([], [1, 1, 1]))", "1, 1, 1", NULL,
		"{ logical[] -> logical[0, 0, 0] }", NULL },
	{ "chain(row_major[], expand_shape([], [1, ?]), collapse_shape([]))", "", NULL,
		"{ logical[] -> logical[] }", NULL },
	{ "chain(row_major[1, 1], collapse_shape([]), expand_shape([], [1]))", "1", NULL,
		"{ logical[0, 0] -> logical[0] }", NULL },
	{ "chain(row_major[3, 0], collapse_shape([[0, 1]]))", "0", NULL,
		"{ logical[i, j] -> logical[i] : false }", NULL },

	{ "chain(row_major[M + 3, 7, 5], extract_slice([2, 1, 4], [M + 1, 3, 1], "
		"[1, 2, 1], drop = [2]))", "M + 1, 3", NULL,
		"[M] -> { logical[i, j, 4] -> logical[i - 2, floor((j - 1)/2)] : "
		"2 <= i < M + 3 and j mod 2 = 1 and 1 <= j < 7 }", NULL },
	{ "chain(row_major[M], extract_slice([0], [ceil(M/3)], [3]))", "ceil(M/3)", NULL,
		"[M] -> { logical[i] -> logical[floor(i/3)] : i mod 3 = 0 and 0 <= i < M }",
		NULL },
	{ "chain(row_major[M, K], extract_slice([2, P], [M - 2, Q], [1, 1]))", "M - 2, Q",
		"M - 2 >= 0 and P + Q - 1 < K",
		"[M, K, P, Q] -> { logical[i, j] -> logical[i - 2, j - P] : M >= 2 and "
		"P + Q <= K and 2 <= i < M and P <= j < P + Q }", NULL },
	{ "chain(row_major[A], extract_slice([11], [2], [3]), pad([0], [4]), "
		"expand_shape([[0, 1]], [?, 3]))", "2, 3", "14 < A",
		"[A] -> { logical[i] -> logical[0, floor(i/3) - 3] : "
		"(1 + i) mod 3 = 0 and A >= 15 and 11 <= i <= 14 }",
		"[A] -> { logical[a, b] : A >= 15 and 0 <= a < 2 and 0 <= b < 3 and "
		"3a + b >= 2 }" },
	{ "chain(row_major[4], extract_slice([4], [0], [1]))", "0", NULL,
		"{ logical[i] -> logical[i] : false }", NULL },
	{ "chain(row_major[4], extract_slice([3], [1], [1], drop = [0]))", "", NULL,
		"{ logical[3] -> logical[] }", NULL },

	{ "chain(row_major[M, 3], pad([1, 0], [P, 2], 1.5))", "M + P + 1, 5", NULL,
		"[M, P] -> { logical[i, j] -> logical[i + 1, j] : "
		"0 <= i < M and 0 <= j < 3 }",
		"[M, P] -> { logical[a, b] : 0 <= a < M + P + 1 and 0 <= b < 5 and "
		"not (1 <= a <= M and b < 3) }" },
	{ "chain(row_major[M, 3], broadcast([0], [2]), pad([1, 0, 0], [0, 0, 0]))",
		"3, M, 3", NULL,
		"[M] -> { logical[i, j] -> logical[a, i, j] : "
		"1 <= a < 3 and 0 <= i < M and 0 <= j < 3 }",
		"[M] -> { logical[0, i, j] : 0 <= i < M and 0 <= j < 3 }" },
	{ "chain(row_major[6], expand_shape([[0, 1]], [2, 3]), pad([0, 1], [0, 0]), "
		"collapse_shape([[0, 1]]))", "8", NULL,
		"{ logical[i] -> logical[i + 1 + floor(i/3)] : 0 <= i < 6 }",
		"{ logical[a] : a = 0 or a = 4 }" },

	{ "chain(row_major[M, K], " PACK ", outer_dims_perm = [1, 0], pad = 0.0))",
		"ceil(K/16), ceil(M/128), 128, 16", NULL,
		"[M, K] -> { logical[i, j] -> logical[floor(j/16), floor(i/128), i mod 128, "
		"j mod 16] : 0 <= i < M and 0 <= j < K }",
		"[M, K] -> { logical[a, b, c, d] : 0 <= 16a < K and 0 <= 128b < M and "
		"0 <= c < 128 and 0 <= d < 16 and (128b + c >= M or 16a + d >= K) }" },
	{ "chain(row_major[M, 32], " PACK "))", "floor(M/128), 2, 128, 16", "M mod 128 = 0",
		"[M] -> { logical[i, j] -> logical[floor(i/128), floor(j/16), i mod 128, "
		"j mod 16] : M mod 128 = 0 and 0 <= i < M and 0 <= j < 32 }", NULL },
	{ "chain(packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>, [M]), "
		"pack([0], [4], pad = 0))", "ceil(M/4), 4", NULL,
		"[M] -> { logical[i] -> logical[floor(i/4), i mod 4] : 0 <= i < M }",
		"[M] -> { logical[a, b] : 0 <= 4a < M and 0 <= b < 4 and 4a + b >= M }" },

	{ "chain(row_major[ceil(K/16), ceil(M/128), 128, 16], unpack([0, 1], [M, K], "
		"outer_dims_perm = [1, 0]))", "M, K", NULL,
		"[M, K] -> { logical[a, b, c, d] -> logical[128b + c, 16a + d] : 0 <= a and "
		"0 <= b and 0 <= c < 128 and 0 <= d < 16 and 128b + c < M and 16a + d < K }",
		NULL },
	{ "chain(row_major[A, 3, 4], unpack([1], [?, 11]))", "A, 11", NULL,
		"[A] -> { logical[i, j, k] -> logical[i, 4j + k] : "
		"0 <= i < A and 0 <= j and 0 <= k < 4 and 4j + k < 11 }", NULL },

	{ "chain(row_major[M], broadcast([1, 0], [K, 2]))", "2, K, M", NULL,
		"[M, K] -> { logical[i] -> logical[a, b, i] : "
		"0 <= a < 2 and 0 <= b < K and 0 <= i < M }", NULL },
	{ "chain(row_major[], broadcast([0], [3]))", "3", NULL,
		"{ logical[] -> logical[a] : 0 <= a < 3 }", NULL },
};

static void check_text(const char *what, const char *text, const char *found,
	const char *wanted)
{
	if (!found != !wanted || (found && strcmp(found, wanted)))
		fail_msg("%s: %s %s, not %s", text, what, found ? found : "nothing",
			wanted ? wanted : "nothing");
}

static void check_shape(const struct row *row, layout_chain *chain)
{
	char shape[200] = "";

	for (unsigned d = 0; d < layout_chain_rank(chain); d++) {
		size_t length = strlen(shape);

		snprintf(shape + length, sizeof(shape) - length, "%s%s", d ? ", " : "",
			layout_chain_size(chain, d));
	}
	check_text("shape", row->text, shape, row->shape);
}

static void check_relation(layout_context *ctx, const struct row *row,
	layout_chain *chain)
{
	layout_relation *relation = layout_chain_relation(chain);
	layout_relation *wanted = layout_relation_read(ctx, row->relation);
	layout_witness *witness = NULL;
	layout_answer answer = layout_relation_equal(relation, wanted, &witness);

	if (answer != LAYOUT_YES)
		fail_msg("%s: relation differs: %s", row->text, witness ? witness->text :
			layout_context_message(ctx));
	assert_int_equal(layout_relation_is_injective(relation, NULL), LAYOUT_YES);
	layout_relation_free(relation);
	layout_relation_free(wanted);
}

static void check_padding(layout_context *ctx, const struct row *row, layout_chain *chain)
{
	layout_set *padding = layout_chain_padding(chain), *wanted;
	layout_witness *witness = NULL;

	if (!row->padding) {
		if (layout_set_is_empty(padding) != LAYOUT_YES)
			fail_msg("%s has padding", row->text);
	} else {
		wanted = layout_set_read(ctx, row->padding);
		if (layout_set_equal(padding, wanted, &witness) != LAYOUT_YES)
			fail_msg("%s: padding differs: %s", row->text, witness ?
				witness->text : layout_context_message(ctx));
		layout_set_free(wanted);
	}
	layout_set_free(padding);
}

static void operations(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_chain *chain = layout_chain_parse(ctx, rows[i].text);

		if (!chain)
			fail_msg("%s: %s", rows[i].text, layout_context_message(ctx));
		check_shape(&rows[i], chain);
		check_text("condition", rows[i].text, layout_chain_condition(chain),
			rows[i].condition);
		check_relation(ctx, &rows[i], chain);
		check_padding(ctx, &rows[i], chain);
		layout_chain_free(chain);
		layout_context_free(ctx);
	}
}

#define M_K "chain(row_major[M, K], "

/* What is refused, where, and why. */
static const struct {
	const char *text;
	layout_error kind;
	const char *at;		/* the text from the error on */
	const char *message;
} errors[] = {
	{ M_K "transpose([0]))", LAYOUT_ERROR_SPACE, "transpose",
		"a permutation of rank 1, where the tensor has rank 2" },
	{ M_K "transpose([0, 0]))", LAYOUT_ERROR_INVALID, "transpose",
		"the permutation is 0 twice" },
	{ M_K "transpose([0, 2]))", LAYOUT_ERROR_SPACE, "transpose",
		"the permutation is 2, where there are dimensions below 2" },
	{ M_K "transpose([0, -1]))", LAYOUT_ERROR_INVALID, "-1",
		"a dimension must be at least 0, not -1" },
	{ M_K "expand_shape([[0], [1]], [M]))", LAYOUT_ERROR_SPACE, "[M]",
		"found 1 sizes, expected 2" },
	{ M_K "expand_shape([[0], [2]], [M, K]))", LAYOUT_ERROR_INVALID, "2]",
		"a reassociation has the dimensions in order: expected 1, found 2" },
	{ M_K "expand_shape([[0]], [M]))", LAYOUT_ERROR_SPACE, "expand",
		"a reassociation of rank 1, where the tensor has rank 2" },
	{ M_K "expand_shape([[0], []], [M]))", LAYOUT_ERROR_SPACE, "expand",
		"the reassociation's group 1 has 0 dimensions" },
	{ "chain(row_major[10], expand_shape([[0, 1]], [3, 4]))", LAYOUT_ERROR_INVALID,
		"expand", "the reassociation groups do not multiply: 10 = 12 does not" },
	{ "chain(row_major[10], expand_shape([[0, 1]], [?, 4]))", LAYOUT_ERROR_INVALID,
		"expand", "reassociation groups do not multiply: 10 mod 4 = 0 does not" },
	{ "chain(row_major[2*M + 1], expand_shape([[0, 1]], [?, 2]))",
		LAYOUT_ERROR_INVALID, "expand", "(2*M + 1) mod 2 = 0 does not hold" },
	{ "chain(row_major[M], expand_shape([[0, 1]], [4, ?]))", LAYOUT_ERROR_UNSUPPORTED,
		"expand", "an index of 4 times floor(M/4) is not affine" },
	{ "chain(row_major[M], expand_shape([[0, 1]], [A, B]))", LAYOUT_ERROR_UNSUPPORTED,
		"expand", "two sizes of one group are no numbers" },
	{ "chain(row_major[0], expand_shape([[0, 1]], [?, 0]))", LAYOUT_ERROR_INVALID,
		"expand", "a size beside one of 0 cannot be inferred" },
	{ M_K "collapse_shape([[0, 1]]))", LAYOUT_ERROR_UNSUPPORTED, "collapse",
		"an index of M times K is not affine" },
	{ M_K "collapse_shape([[0]]))", LAYOUT_ERROR_SPACE, "collapse",
		"the reassociation's groups have 1 dimensions of 2" },
	{ M_K "collapse_shape([[0, 1], [2]]))", LAYOUT_ERROR_SPACE, "collapse",
		"the reassociation's group 1 has 1 dimensions, where 0 are left" },
	{ "chain(row_major[], expand_shape([], [1, 2]))", LAYOUT_ERROR_INVALID, "expand",
		"a tensor of rank 0 has one element, dimension 1 has size 2" },
	{ "chain(row_major[], expand_shape([[0], [1]], [1, 1]))", LAYOUT_ERROR_SPACE,
		"expand", "a reassociation of rank 2, where the tensor has rank 0" },
	{ "chain(row_major[2], collapse_shape([]))", LAYOUT_ERROR_INVALID, "collapse",
		"do not multiply: a tensor of rank 0 has one element" },
	{ "chain(row_major[10], extract_slice([7], [4], [1]))", LAYOUT_ERROR_INVALID,
		"extract", "a slice ends with index 10 of dimension 0, whose size is 10" },
	{ "chain(row_major[10], extract_slice([0], [10], [2]))", LAYOUT_ERROR_INVALID,
		"extract", "a slice ends with index 18 of dimension 0" },
	{ M_K "extract_slice([0, 1], [M, K], [1, 1]))", LAYOUT_ERROR_INVALID, "extract",
		"a slice ends with index K of dimension 1, whose size is K: K < K does not "
		"hold" },
	{ M_K "extract_slice([0, 0], [-M - 1, K], [1, 1]))", LAYOUT_ERROR_INVALID,
		"extract", "a slice's size of dimension 0, -M - 1, is negative: -M - 1 >= 0 "
		"does not hold" },
	{ M_K "extract_slice([-M - 1, 0], [0, K], [1, 1]))", LAYOUT_ERROR_INVALID,
		"extract", "a slice's offset of dimension 0, -M - 1, is negative" },
	{ M_K "extract_slice([0, 0], [M, K], [1, 0]))", LAYOUT_ERROR_INVALID, "extract",
		"the stride of a slice must be at least 1, not 0" },
	{ M_K "extract_slice([0, 0], [M, K], [1, S]))", LAYOUT_ERROR_UNSUPPORTED, "extract",
		"the stride of a slice must be a number" },
	{ M_K "extract_slice([0, 0], [M, K], [1, 1], drop = [0]))", LAYOUT_ERROR_INVALID,
		"extract", "a slice drops dimension 0, in which its size is M, not 1" },
	{ M_K "extract_slice([0, 0], [M, K], [1, 1], drop = [2]))", LAYOUT_ERROR_SPACE,
		"2]))", "dimension 2 of a slice of rank 2" },
	{ M_K "extract_slice([0, 0], [M], [1, 1]))", LAYOUT_ERROR_SPACE, "[0, 0]",
		"found 1 sizes, expected 2" },
	{ M_K "extract_slice([0], [M], [1]))", LAYOUT_ERROR_SPACE, "extract",
		"a slice of rank 1, where the tensor has rank 2" },
	{ M_K "extract_slice([-3, 0], [M, K], [1, 1]))", LAYOUT_ERROR_INVALID, "-3",
		"an offset must be at least 0, not -3" },
	{ M_K "extract_slice([0, 0], [M, -K + K - 3], [1, 1]))", LAYOUT_ERROR_INVALID,
		"-K", "a size must be at least 0, not -3" },
	{ M_K "extract_slice([0, 0], [M, K], [-1, 1]))", LAYOUT_ERROR_INVALID, "-1",
		"a stride must be at least 1, not -1" },
	{ M_K "pad([0, -1], [0, 0]))", LAYOUT_ERROR_INVALID, "-1]",
		"padding must be at least 0, not -1" },
	{ M_K "pad([0, 1], [0, -2]))", LAYOUT_ERROR_INVALID, "-2]",
		"padding must be at least 0, not -2" },
	{ M_K "pad([0, 0], [-P - 4, 0]))", LAYOUT_ERROR_INVALID, "pad",
		"high padding of dimension 0, -P - 4, is negative" },
	{ M_K "pad([0], [0]))", LAYOUT_ERROR_SPACE, "pad", "padding of rank 1" },
	{ M_K "pad([0, 0], [0, 0], zero))", LAYOUT_ERROR_INVALID, "pad", "zero" },
	{ M_K "pad([1, 0], [0, 0], 0.0), pad([1, 0], [0, 0], 1.0))",
		LAYOUT_ERROR_UNSUPPORTED, "pad([1, 0], [0, 0], 1.0)",
		"padding with 0.0 and with 1.0 in one chain" },
	{ M_K PACK "))x", LAYOUT_ERROR_PARSE, "x", "expected the end of the text" },
	{ M_K "pack([0, 0], [4, 4]))", LAYOUT_ERROR_INVALID, "pack",
		"a tiled dimension is 0 twice" },
	{ M_K "pack([2], [4]))", LAYOUT_ERROR_SPACE, "pack", "a tiled dimension is 2" },
	{ M_K "pack([0], [T]))", LAYOUT_ERROR_UNSUPPORTED, "pack",
		"a tile must be a number" },
	{ "chain(row_major[8, 10], pack([0, 1], [4, 4]))", LAYOUT_ERROR_INVALID, "pack",
		"dimension 1 has size 10, which is no multiple of its tile 4: it needs "
		"padding by 2" },
	{ "chain(row_major[2*M + 1, 8], pack([1, 0], [4, 4]))", LAYOUT_ERROR_INVALID,
		"pack", "dimension 0 has size 2*M + 1, which is no multiple of its tile 4: "
		"it needs padding" },
	{ M_K "pack([0], [0]))", LAYOUT_ERROR_INVALID, "pack", "at least 1, not 0" },
	{ M_K "pack([0], [-4]))", LAYOUT_ERROR_INVALID, "-4",
		"a tile must be at least 1, not -4" },
	{ M_K "pack([0], [4], outer_dims_perm = [1]))", LAYOUT_ERROR_SPACE, "pack",
		"found 1 dimensions of outer_dims_perm, expected 2" },
	{ "chain(row_major[10], pack([0], [4]))", LAYOUT_ERROR_INVALID, "pack",
		"dimension 0 has size 10, which is no multiple of its tile 4: it needs "
		"padding by 2" },
	{ "chain(row_major[A, 4], unpack([0], [4*A + 1]))", LAYOUT_ERROR_INVALID, "unpack",
		"dimension 0 is unpacked to a size of 4*A + 1, and its tiles hold 4*A: "
		"4*A + 1 <= 4*A does not hold" },
	{ "chain(row_major[4, 2, 16, 16], unpack([0, 1], [64, 33]))",
		LAYOUT_ERROR_INVALID, "unpack", "dimension 1 is unpacked to a size of 33, "
		"and its tiles hold 32: 33 <= 32 does not hold" },
	{ "chain(row_major[A, 4], unpack([0], [-A - 1]))", LAYOUT_ERROR_INVALID, "unpack",
		"the size of dimension 0, -A - 1, is negative" },
	{ "chain(row_major[A, 4], unpack([0], [-1]))", LAYOUT_ERROR_INVALID, "-1",
		"a size must be at least 0, not -1" },
	{ "chain(row_major[A, B], unpack([0], [?]))", LAYOUT_ERROR_UNSUPPORTED, "unpack",
		"a tile must be a number" },
	{ "chain(row_major[A, 4], unpack([0], [?, ?]))", LAYOUT_ERROR_SPACE, "unpack",
		"found 2 sizes, expected 1" },
	{ "chain(row_major[4], unpack([0], [?]))", LAYOUT_ERROR_SPACE, "unpack",
		"a packed tensor of rank 1 cannot have 1 tiles" },
	{ "chain(row_major[A], broadcast([2], [3]))", LAYOUT_ERROR_SPACE, "broadcast",
		"an added dimension is 2, where there are dimensions below 2" },
	{ "chain(row_major[A], broadcast([0], [-A - 1]))", LAYOUT_ERROR_INVALID,
		"broadcast", "the size of dimension 0, -A - 1, is negative" },
	{ "chain(row_major[A], broadcast([0], [?]))", LAYOUT_ERROR_INVALID, "broadcast",
		"\"?\" is not a size" },
	{ M_K "reverse([0]))", LAYOUT_ERROR_PARSE, "reverse",
		"expected an operation of a chain, found `reverse`" },
	{ M_K "transpose(1))", LAYOUT_ERROR_PARSE, "1))", "expected `[`" },
	{ "chain(M)", LAYOUT_ERROR_PARSE, "M", "expected a storage" },
	{ "chain(row_major[9223372036854775807, 2], collapse_shape([[0, 1]]))",
		LAYOUT_ERROR_OVERFLOW, "collapse", "more than 64 bits hold" },
};

static void refused(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		const char *text = errors[i].text;
		layout_context *ctx = layout_context_new();
		layout_chain *chain = layout_chain_parse(ctx, text);

		if (chain)
			fail_msg("%s is taken", text);
		if (!strstr(layout_context_message(ctx), errors[i].message) ||
		    layout_context_error(ctx) != errors[i].kind)
			fail_msg("%s: %d %s", text, layout_context_error(ctx),
				layout_context_message(ctx));
		if (layout_context_position(ctx) != strstr(text, errors[i].at) - text)
			fail_msg("%s: position %ld", text, layout_context_position(ctx));
		layout_context_free(ctx);
	}
}

/* What is written, and what is printed. */
static const char *const printed[][2] = {
	{ "chain( row_major[ M ] , copy( ) )", "chain(row_major[M])" },
	{ "chain(row_major[M + M, 4], pad([0,1],[K+1 , 2], -1.5e3), expand_shape([[0,1],"
		"[2]],[?,2,7]))", "chain(row_major[2*M, 4], pad([0, 1], [K + 1, 2], -1.5e3), "
		"expand_shape([[0, 1], [2]], [?, 2, 7]))" },
	{ "chain(row_major[4, 2], collapse_shape([[0, 1]]), broadcast([0], [N]), "
		"extract_slice([0, 1], [N, 1], [1, 3], drop = [1]))", NULL },
	{ "chain(row_major[M, K], pack([1, 0], [16, 8], outer_dims_perm = [1, 0], "
		"pad = 0x3f800000), transpose([0, 1, 2, 3]), unpack([1, 0], [M, K], "
		"outer_dims_perm = [1, 0]))", NULL },
};

static void prints_back(void **unused)
{
	layout_context *ctx = layout_context_new();

	(void)unused;
	for (size_t i = 0; i < sizeof(printed) / sizeof(*printed); i++) {
		layout_chain *chain = layout_chain_parse(ctx, printed[i][0]);
		char *text = layout_chain_str(chain);

		check_text("prints as", printed[i][0], text,
			printed[i][1] ? printed[i][1] : printed[i][0]);
		layout_string_free(text);
		layout_chain_free(chain);
	}
	layout_context_free(ctx);
}

/* One value for all padding; none that is empty counts. */
static const struct {
	const char *text, *value;
} values[] = {
	{ "chain(row_major[M])", NULL },
	{ "chain(row_major[M], pad([1], [0]))", NULL },
	{ "chain(row_major[M], pad([0], [0], 1.0))", "1.0" },
	{ "chain(row_major[0, 4], pad([0, 1], [0, 0], 1.0))", "1.0" },
	{ "chain(row_major[M], pad([1], [0], 1.5))", "1.5" },
	{ "chain(row_major[M], pad([1], [0], 1.5), pad([1], [0]))", "1.5" },
	{ "chain(row_major[M], pad([1], [0]), pad([1], [0], 1.5))", "1.5" },
	{ "chain(row_major[M], pad([1], [0], 1.5), pad([0], [0], 7))", "1.5" },
	{ "chain(row_major[M], pad([0], [0], 7), pad([1], [0], 1.5))", "1.5" },
	{ "chain(row_major[M], pad([1], [0], 2), pad([0], [1], 2.0))", "2" },
	{ "chain(row_major[M], pad([0], [1], 0x10), pad([0], [1], 0x0010))", "0x10" },
	{ "chain(row_major[4*M], pack([0], [2], pad = 3))", "3" },
	{ "chain(row_major[4*M], pack([0], [8], pad = 3))", "3" },
};

static void pad_values(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		layout_context *ctx = layout_context_new();
		layout_chain *chain = layout_chain_parse(ctx, values[i].text);

		if (!chain)
			fail_msg("%s: %s", values[i].text, layout_context_message(ctx));
		check_text("pads with", values[i].text, layout_chain_pad_value(chain),
			values[i].value);
		layout_chain_free(chain);
		layout_context_free(ctx);
	}
}

/* Bodies as MLIR, without their first line; NULL: there is none, with the error. */
static const struct {
	const char *text;
	layout_map_direction direction;
	const char *type, *body;
	layout_error kind;
} bodies[] = {
	{ "chain(row_major[4, M], transpose([1, 0]))", LAYOUT_MAP_STORE, "f32",
		"^bb0(%i0: index, %i1: index):\n"
		"  %true = arith.constant true\n"
		"  iree_linalg_ext.yield %i1, %i0, %true : index, index, i1\n"
		"} : tensor<4x?xf32> into tensor<?x4xf32> -> tensor<?x4xf32>", 0 },
	{ "chain(row_major[4, M], transpose([1, 0]))", LAYOUT_MAP_LOAD, "f8E4M3FNUZ",
		"^bb0(%i0: index, %i1: index):\n"
		"  %padding = ub.poison : f8E4M3FNUZ\n"
		"  iree_linalg_ext.yield %i1, %i0, %padding : index, index, f8E4M3FNUZ\n"
		"} : tensor<4x?xf8E4M3FNUZ> into tensor<?x4xf8E4M3FNUZ> -> "
		"tensor<?x4xf8E4M3FNUZ>", 0 },
	{ "chain(row_major[source + 2], expand_shape([[0, 1, 2]], [1, ?, 2]))",
		LAYOUT_MAP_STORE, "u8",
		"^bb0(%i0: index):\n"
		"  %0 = affine.apply affine_map<()[s0] -> (s0 floordiv 2 + 1)>()"
		"[%size.source]\n"
		"  %c0 = arith.constant 0 : index\n"
		"  %1:2 = affine.delinearize_index %i0 into (%0, 2) : index, index\n"
		"  %true = arith.constant true\n"
		"  iree_linalg_ext.yield %c0, %1#0, %1#1, %true : index, index, index, i1\n"
		"} : tensor<?xi8> into tensor<1x?x2xi8> -> tensor<1x?x2xi8>", 0 },
	{ "chain(row_major[M], pad([1], [P], nan))", LAYOUT_MAP_LOAD, "f16",
		"^bb0(%i0: index):\n"
		"  %0 = affine.apply affine_map<(d0) -> (d0 - 1)>(%i0)\n"
		"  %padding = arith.constant 0x7E00 : f16\n"
		"  iree_linalg_ext.yield %0, %padding : index, f16\n"
		"} : tensor<?xf16> into tensor<?xf16> -> tensor<?xf16>", 0 },
	{ "chain(row_major[M], pad([P], [0], 7))", LAYOUT_MAP_LOAD, "f64",
		"^bb0(%i0: index):\n"
		"  %0 = affine.apply affine_map<(d0)[s0] -> (d0 - s0)>(%i0)[%P]\n"
		"  %padding = arith.constant 7.0 : f64\n"
		"  iree_linalg_ext.yield %0, %padding : index, f64\n"
		"} : tensor<?xf64> into tensor<?xf64> -> tensor<?xf64>", 0 },
	{ "chain(row_major[3], pad([0], [1], 7))", LAYOUT_MAP_LOAD, "u4",
		"^bb0(%i0: index):\n"
		"  %padding = arith.constant 7 : i4\n"
		"  iree_linalg_ext.yield %i0, %padding : index, i4\n"
		"} : tensor<3xi4> into tensor<4xi4> -> tensor<4xi4>", 0 },
	{ "chain(row_major[3], broadcast([0], [2]), pad([1, 0], [0, 0]))",
		LAYOUT_MAP_LOAD, "i32",
		"^bb0(%i0: index, %i1: index):\n"
		"  %0 = affine.apply affine_map<(d0) -> (d0 - 1)>(%i0)\n"
		"  %c2 = arith.constant 2 : index\n"
		"  %1 = arith.cmpi ult, %0, %c2 : index\n"
		"  %c-1 = arith.constant -1 : index\n"
		"  %2 = arith.select %1, %i1, %c-1 : index\n"
		"  %padding = arith.constant 0 : i32\n"
		"  iree_linalg_ext.yield %2, %padding : index, i32\n"
		"} : tensor<3xi32> into tensor<3x3xi32> -> tensor<3x3xi32>", 0 },
	{ "chain(row_major[3], broadcast([0], [2]))", LAYOUT_MAP_STORE, "f32", NULL,
		LAYOUT_ERROR_NO_ANSWER },
	{ "chain(row_major[], broadcast([0], [2]), pad([1], [0]))", LAYOUT_MAP_LOAD, "f32",
		NULL, LAYOUT_ERROR_NO_ANSWER },
	{ "chain(row_major[3], pad([1], [0], 1.5))", LAYOUT_MAP_LOAD, "i8", NULL,
		LAYOUT_ERROR_INVALID },
	{ "chain(row_major[3])", LAYOUT_MAP_STORE, "float", NULL, LAYOUT_ERROR_INVALID },
};

static void as_mlir(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
		layout_context *ctx = layout_context_new();
		layout_chain *chain = layout_chain_parse(ctx, bodies[i].text);
		char *text = layout_chain_mlir(chain, bodies[i].direction, bodies[i].type);
		const char *body = text ? strchr(text, '^') : NULL;

		check_text("body", bodies[i].text, body, bodies[i].body);
		assert_int_equal(layout_context_error(ctx), bodies[i].kind);
		layout_string_free(text);
		layout_chain_free(chain);
		layout_context_free(ctx);
	}
}

/* The same chain from C; copies go on by themselves. */
static void from_c(void **unused)
{
	static const int64_t order[] = { 1, 0 };
	static const unsigned groups[] = { 2, 1 };
	const char *sizes[] = { "M", "K" }, *split[] = { "?", "4", "K" };
	layout_context *ctx = layout_context_new();
	layout_chain *chain = layout_chain_new(layout_storage_row_major(ctx, 2, sizes));
	layout_chain *other = layout_chain_transpose(layout_chain_copy(chain), 2, order);
	char *text;

	(void)unused;
	chain = layout_chain_expand(chain, 2, groups, split);
	text = layout_chain_str(chain);
	assert_string_equal(text,
		"chain(row_major[M, K], expand_shape([[0, 1], [2]], [?, 4, K]))");
	layout_string_free(text);
	text = layout_chain_str(other);
	assert_string_equal(text, "chain(row_major[M, K], transpose([1, 0]))");
	layout_string_free(text);
	assert_string_equal(layout_chain_size_name(chain, 1), "K");
	assert_null(layout_chain_size_name(chain, 2));
	layout_chain_free(chain);
	assert_string_equal(layout_chain_size(other, 0), "K");
	assert_null(layout_chain_size(other, 2));
	layout_chain_free(other);
	layout_context_free(ctx);
}

/* What a caller in C can do wrong. */
static void misuse(void **unused)
{
	static const unsigned groups[] = { 1 };
	static const int64_t order[] = { 1, 0 };
	const char *sizes[] = { "M" }, *wrong[] = { "M/2" }, *missing[] = { NULL };
	layout_context *ctx = layout_context_new();
	layout_chain *chain = layout_chain_new(layout_storage_row_major(ctx, 1, sizes));

	(void)unused;
	assert_null(layout_chain_new(NULL));
	assert_null(layout_chain_transpose(NULL, 0, NULL));
	assert_null(layout_chain_relation(NULL));
	assert_null(layout_chain_str(NULL));
	assert_null(layout_chain_transpose(layout_chain_copy(chain), 1, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	assert_null(layout_chain_transpose(layout_chain_copy(chain), 2, order));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
	assert_int_equal(layout_context_position(ctx), -1);
	layout_context_clear(ctx);
	assert_null(layout_chain_expand(layout_chain_copy(chain), 1, groups, missing));
	layout_context_clear(ctx);
	assert_null(layout_chain_expand(layout_chain_copy(chain), 1, NULL, sizes));
	layout_context_clear(ctx);
	assert_null(layout_chain_pad(layout_chain_copy(chain), 1, wrong, sizes, NULL));
	assert_non_null(strstr(layout_context_message(ctx), "\"M/2\" is no size"));
	layout_context_clear(ctx);
	assert_null(layout_chain_slice(layout_chain_copy(chain), 1, sizes, NULL, sizes,
		NULL));
	layout_context_clear(ctx);
	assert_null(layout_chain_broadcast(layout_chain_copy(chain), 100, NULL, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
	layout_context_clear(ctx);
	for (unsigned i = 0; chain; i++) {
		assert_true(i < 1000);
		chain = layout_chain_expand(chain, 1, groups, sizes);
	}
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
	layout_context_free(ctx);
}

/* A quota that does not suffice is that, for all of the operations. */
static void quota(void **unused)
{
	static const char text[] = "chain(row_major[M, K], pad([1, 2], [P, Q], 0), "
		"transpose([1, 0]), pack([0, 1], [16, 4], pad = 0), unpack([0, 1], [K, M]), "
		"broadcast([0], [B]))";
	bool done = false;

	(void)unused;
	for (unsigned long operations = 10; !done && operations < 10000000;
			operations += operations / 4) {
		layout_context *ctx = layout_context_new();
		layout_chain *chain;
		layout_relation *relation;

		layout_context_set_quota(ctx, operations);
		chain = layout_chain_parse(ctx, text);
		relation = layout_chain_relation(chain);
		done = relation;
		if (!done && layout_context_error(ctx) != LAYOUT_ERROR_QUOTA)
			fail_msg("%lu operations: %s", operations,
				layout_context_message(ctx));
		layout_relation_free(relation);
		layout_chain_free(chain);
		layout_context_free(ctx);
	}
	assert_true(done);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations),
		cmocka_unit_test(refused),
		cmocka_unit_test(prints_back),
		cmocka_unit_test(pad_values),
		cmocka_unit_test(as_mlir),
		cmocka_unit_test(from_c),
		cmocka_unit_test(misuse),
		cmocka_unit_test(quota),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
