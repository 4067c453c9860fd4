/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The published cases of folded chains: what a case yields for an index, evaluated here at
 * numbers for its sizes, against the chain's relation point by point.
 *
 * Rows that pad low do not shift the elements by it, where the reference is known to be
 * wrong; here there is such a chain beside the rows. */
#include "support/bounds.h"

#include <layout/layout.h>

#include <ctype.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RANK 6
#define FIELDS 8

/* The chain of a case, and a number for its names M and K.  NULL: no operations of ours
 * make it; "refused": there is no such chain here. */
struct chain_case {
	const char *id, *chain;
	int64_t m, k;
	bool refused, yields;
};

static const struct chain_case cases[] = {
	{ "fold_transpose_op", "chain(row_major[2, 4, 16], transpose([1, 2, 0]))",
		.yields = true },
	{ "no_fold_offset_extract_slice_op",
		"chain(row_major[64], extract_slice([42], [4], [1]))" },
	{ "fold_unpack_op", "chain(row_major[ceil(M/128), ceil(K/128), 128, 128], "
		"unpack([0, 1], [M, K], outer_dims_perm = [0, 1]))", 200, 130,
		.yields = true },
	{ "fold_pack_op_dynamic", "chain(row_major[M, K], pack([0, 1], [128, 128], "
		"outer_dims_perm = [0, 1], pad = 0))", 200, 130, .yields = true },
	{ "fold_pack_op", "chain(row_major[250, 250], pack([0, 1], [128, 128], "
		"outer_dims_perm = [0, 1], pad = 0))", .yields = true },
	{ "no_insert_reshape_only",
		"chain(row_major[8, 16, 1, 16], collapse_shape([[0, 1], [2, 3]]))" },
	{ "no_insert_in_non_workgroup_forall",
		"chain(row_major[10], extract_slice([0], [8], [1]))" },
	{ "unpack_no_padding_no_masking", "chain(row_major[M, 64, 128, 256], "
		"unpack([0, 1], [?, 16384], outer_dims_perm = [0, 1]))", 2 },
	{ "pack_divisible_static_dim_tile_size_8_no_pad_loop",
		"chain(row_major[16, M], pack([0, 1], [8, 1], pad = 0))", 5 },
	{ "fold_pack_op_dynamic_inner_tiles", "chain(row_major[250, 250], pack([0, 1], "
		"[V, 1], outer_dims_perm = [0, 1], pad = 0))", .refused = true },
	{ "pure_transpose_skipped_under_dispatch_reshape",
		"chain(row_major[2, 4, 16], transpose([1, 2, 0]))" },
	{ "fold_expand_shape_op",
		"chain(row_major[8, 16], expand_shape([[0, 1], [2]], [2, 4, 16]))" },
	{ "transpose", "chain(row_major[2, 4, 16], transpose([1, 2, 0]))",
		.yields = true },
	{ "nested_pads_different_values", "chain(row_major[8, 16], "
		"pad([1, 2], [1, 2], 0.0), expand_shape([[0, 1], [2]], [2, 5, 20]), "
		"pad([0, 1, 2], [0, 1, 2], 0.0))" },
	{ "unpack", "chain(row_major[2, 2, 4, 2], unpack([0, 1], [8, 4]))",
		.yields = true },
	{ "expand_shape_shape_like",
		"chain(row_major[16], expand_shape([[0, 1]], [4, 4]))", .yields = true },
	{ "map_store_with_linearize_delinearize_idx", "chain(row_major[2, 2, 64], "
		"collapse_shape([[0, 1], [2]]), expand_shape([[0], [1, 2]], [4, 32, 2]))",
		.yields = true },
	{ "map_store_into_subview", "chain(row_major[4, 16], copy())", .yields = true },
	{ "map_store_into_collapsible_subview",
		"chain(row_major[4, 16], pad([0, 0], [0, 16]))", .yields = true },
	{ "map_store_sub_byte_not_unit_stride", NULL },
};

#define CASES (sizeof(cases) / sizeof(*cases))

/* An evaluation of what a row yields, at an index. */
struct evaluation {
	const char *at;
	const int64_t *index, *source, *result;	/* the sizes before and behind */
};

static int64_t evaluate(struct evaluation *e);

static void take(struct evaluation *e, const char *text)
{
	if (strncmp(e->at, text, strlen(text)))
		fail_msg("expected %s at %s", text, e->at);
	e->at += strlen(text);
}

static bool skip_text(struct evaluation *e, const char *text)
{
	bool there = !strncmp(e->at, text, strlen(text));

	e->at += there ? strlen(text) : 0;
	return there;
}

static int64_t number(struct evaluation *e)
{
	char *end;
	int64_t value = strtoll(e->at, &end, 10);

	assert_ptr_not_equal(end, e->at);
	e->at = end;
	return value;
}

/* "(2,128)": sizes, how many there are. */
static unsigned basis(struct evaluation *e, int64_t sizes[RANK])
{
	unsigned count = 0;

	take(e, "(");
	do {
		assert_true(count < RANK);
		sizes[count++] = evaluate(e);
	} while (skip_text(e, ","));
	take(e, ")");
	return count;
}

/* "lin([i0;i2](4,128))" */
static int64_t linearize(struct evaluation *e)
{
	int64_t digits[RANK], sizes[RANK], value = 0;
	unsigned count = 0;

	take(e, "[");
	do {
		assert_true(count < RANK);
		digits[count++] = evaluate(e);
	} while (skip_text(e, ";"));
	take(e, "]");
	assert_int_equal(basis(e, sizes), count);
	take(e, ")");
	for (unsigned i = 0; i < count; i++)
		value = value * sizes[i] + digits[i];
	return value;
}

/* "delin(i0(2,128))#1" */
static int64_t delinearize(struct evaluation *e)
{
	int64_t value = evaluate(e), sizes[RANK], which;
	unsigned count = basis(e, sizes);

	take(e, ")#");
	which = number(e);
	for (unsigned i = count; --i > (unsigned)which;)
		value /= sizes[i];
	return which ? value % sizes[which] : value;
}

static int64_t pair(struct evaluation *e, int64_t *other)
{
	int64_t value = evaluate(e);

	take(e, ";");
	*other = evaluate(e);
	take(e, ")");
	return value;
}

static int64_t evaluate(struct evaluation *e)
{
	int64_t a, b;

	if (skip_text(e, "lin("))
		return linearize(e);
	if (skip_text(e, "delin("))
		return delinearize(e);
	if (skip_text(e, "ult(")) {
		a = pair(e, &b);
		return (uint64_t)a < (uint64_t)b;
	}
	if (skip_text(e, "andi(")) {
		a = pair(e, &b);
		return a & b;
	}
	if (skip_text(e, "true"))
		return 1;
	if (skip_text(e, "SRC_D"))
		return e->source[number(e)];
	if (skip_text(e, "RES_D"))
		return e->result[number(e)];
	if (skip_text(e, "i"))
		return e->index[number(e)];
	return number(e);
}

/* A row's yield at an index: as many values as "rank", and whether there is one more, a
 * mask, that is 0. */
static bool yield(const char *text, bool load, unsigned rank, struct evaluation e,
	int64_t *values)
{
	bool masked = false;

	e.at = text;
	take(&e, "(");
	for (unsigned i = 0; i < rank; i++) {
		values[i] = evaluate(&e);
		if (i + 1 < rank)
			take(&e, " ; ");
	}
	if (!load && skip_text(&e, " ; "))
		masked = !evaluate(&e);
	return !masked;
}

/* What a relation is compared with. */
struct comparison {
	const char *yield;
	bool load;
	int64_t source[RANK], result[RANK], count;
};

/* The function's input is the source's index in store direction, the result's to load. */
static bool visit(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned image_rank)
{
	struct comparison *comparison = user;
	struct evaluation e = { NULL, comparison->load ? image : in, comparison->source,
		comparison->result };
	const int64_t *wanted = comparison->load ? in : image;
	unsigned rank = comparison->load ? in_rank : image_rank;
	int64_t values[RANK];

	assert_true(yield(comparison->yield, comparison->load, rank, e, values));
	for (unsigned i = 0; i < rank; i++)
		assert_int_equal(values[i], wanted[i]);
	comparison->count++;
	return true;
}

/* How many indices have a value, of all those of the yield's arguments. */
static int64_t count_all(const struct comparison *comparison, unsigned source_rank,
	unsigned result_rank)
{
	const int64_t *sizes = comparison->load ? comparison->result : comparison->source;
	unsigned rank = comparison->load ? result_rank : source_rank;
	int64_t all = 1, count = 0, index[RANK] = { 0 }, values[RANK];

	for (unsigned d = 0; d < rank; d++)
		all *= sizes[d];
	for (int64_t i = 0; i < all; i++) {
		struct evaluation e = { NULL, index, comparison->source,
			comparison->result };

		for (int64_t d = rank, rest = i; d-- > 0; rest /= sizes[d])
			index[d] = rest % sizes[d];
		count += yield(comparison->yield, comparison->load,
			comparison->load ? source_rank : result_rank, e, values);
	}
	return count;
}

static int64_t size_of(layout_context *ctx, const char *text, const layout_size *sizes)
{
	layout_storage *storage = layout_storage_row_major(ctx, 1, &text);
	int64_t size = -1;

	assert_true(layout_storage_shape(storage, sizes, 2, &size));
	layout_storage_free(storage);
	return size;
}

static void check_yield(const struct chain_case *one, bool load, const char *text)
{
	layout_context *ctx = layout_context_new();
	layout_value *value = layout_value_parse(ctx, one->chain);
	layout_chain *chain = layout_value_chain(value);
	const layout_size sizes[] = { { "M", one->m }, { "K", one->k } };
	struct comparison comparison = { .yield = text, .load = load };
	layout_storage *source = layout_chain_source(chain);

	assert_non_null(chain);
	for (unsigned d = 0; d < layout_storage_rank(source); d++)
		comparison.source[d] = size_of(ctx, layout_storage_size(source, d), sizes);
	for (unsigned d = 0; d < layout_chain_rank(chain); d++)
		comparison.result[d] = size_of(ctx, layout_chain_size(chain, d), sizes);
	assert_true(layout_value_for_each(value, sizes, 2, visit, &comparison));
	assert_int_equal(comparison.count, count_all(&comparison,
		layout_storage_rank(source), layout_chain_rank(chain)));
	assert_true(comparison.count > 0);
	layout_value_free(value);
	layout_context_free(ctx);
}

/* "8x?x16:f32" against sizes: numbers are equal, "?" is none. */
static bool same_shape(const char *shape, unsigned rank,
	const char *(*size)(const void *of, unsigned dim), const void *of)
{
	for (unsigned d = 0; d < rank; d++) {
		size_t length = strcspn(shape, "x:");
		const char *text = size(of, d);
		bool known = isdigit((unsigned char)*shape);

		if (known != (strspn(text, "0123456789") == strlen(text)) ||
		    (known && (strlen(text) != length || strncmp(shape, text, length))))
			return false;
		shape += length + 1;
	}
	return shape[-1] == ':';
}

static const char *chain_size(const void *chain, unsigned dim)
{
	return layout_chain_size((layout_chain *)(uintptr_t)chain, dim);
}

/* The shape behind the last operation that is one of the chain. */
static void check_shape(const struct chain_case *one, const char *shape)
{
	layout_context *ctx = layout_context_new();
	layout_chain *chain = layout_chain_parse(ctx, one->chain);

	assert_int_equal(!chain, one->refused);
	if (chain && !same_shape(shape, layout_chain_rank(chain), chain_size, chain))
		fail_msg("%s has not the shape %s", one->chain, shape);
	layout_chain_free(chain);
	layout_context_free(ctx);
}

static const struct chain_case *case_of(const char *id)
{
	const char *name = strchr(id, '#');

	assert_non_null(name);
	for (size_t i = 0; i < CASES; i++)
		if (!strcmp(cases[i].id, name + 1))
			return &cases[i];
	fail_msg("no chain for %s", id);
	return NULL;
}

static unsigned split(char *line, char **fields)
{
	unsigned count = 0;

	line[strcspn(line, "\r\n")] = 0;
	for (char *at = line; at && count < FIELDS; count++) {
		fields[count] = at;
		at = strchr(at, '\t');
		if (at)
			*at++ = 0;
	}
	return count;
}

static bool is_operation(const char *name)
{
	return !strstr(name, "buffer") && !strstr(name, "insert");
}

static void all_rows(void **unused)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/map_store.tsv", "r");
	char *line = NULL, *fields[FIELDS], shape[200] = "";
	const struct chain_case *one = NULL;
	unsigned seen = 0, yields = 0, wanted = 0;
	size_t capacity = 0;
	bool load = false;

	(void)unused;
	assert_non_null(file);
	while (getline(&line, &capacity, file) >= 0) {
		unsigned count = *line == '#' ? 0 : split(line, fields);

		if (!count)
			continue;
		if (!strcmp(fields[0], "CASE")) {
			one = case_of(fields[1]);
			load = !strcmp(fields[2], "load");
			seen++;
			wanted += one->yields;
		} else if (!strcmp(fields[0], "OP") && is_operation(fields[3])) {
			snprintf(shape, sizeof(shape), "%s", fields[6]);
		} else if (!strcmp(fields[0], "EXPECT") && *shape) {
			check_shape(one, shape);
			*shape = 0;
		} else if (!strcmp(fields[0], "YIELD") && one->yields) {
			check_yield(one, load, strchr(fields[count - 1], '('));
			yields++;
		}
	}
	free(line);
	fclose(file);
	assert_int_equal(seen, CASES);
	assert_int_equal(yields, wanted);
}

/* Little work or time changes none of them. */
static void under_bounds(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < CASES; i++)
		if (cases[i].chain)
			bounds_sweep(cases[i].chain);
}

/* Padding of 1 and 2 before the elements: they are shifted by it, in both directions.  The
 * reference stores them unshifted. */
static void low_padding_shifts(void **unused)
{
	static const struct chain_case shifted = { .chain =
		"chain(row_major[M, K], pad([0, 0], [0, 0]), pad([1, 2], [3, 0], 0.0))",
		.m = 3, .k = 4 };
	layout_context *ctx = layout_context_new();
	layout_relation *relation, *wanted;
	layout_chain *chain = layout_chain_parse(ctx, shifted.chain);

	(void)unused;
	relation = layout_chain_relation(chain);
	wanted = layout_relation_read(ctx, "[M, K] -> { logical[i, j] -> "
		"logical[i + 1, j + 2] : 0 <= i < M and 0 <= j < K }");
	assert_int_equal(layout_relation_equal(relation, wanted, NULL), LAYOUT_YES);
	layout_relation_free(relation);
	layout_relation_free(wanted);
	layout_chain_free(chain);
	layout_context_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_rows),
		cmocka_unit_test(under_bounds),
		cmocka_unit_test(low_padding_shifts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
