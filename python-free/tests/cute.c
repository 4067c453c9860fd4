/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts: every offset, against the definition in plain C; and all operations, by
 * the published table. */
#include "isl_bridge/relation.h"
#include "support/cute_text.h"
#include "text/notations.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MAX_LEAVES 5

struct row {
	const char *text;
	unsigned leaves;
	int64_t shape[MAX_LEAVES], stride[MAX_LEAVES];
	int64_t size, cosize;
};

static const struct row rows[] = {
	{ "8:1", 1, { 8 }, { 1 }, 8, 8 },
	{ "(4,8):(8,1)", 2, { 4, 8 }, { 8, 1 }, 32, 32 },
	{ "((2,2),4):((1,8),2)", 3, { 2, 2, 4 }, { 1, 8, 2 }, 16, 16 },
	{ "(4,6,8):(2,3,5)", 3, { 4, 6, 8 }, { 2, 3, 5 }, 192, 57 },
	{ "(3,(5,1,2)):(0,(7,9,-1))", 4, { 3, 5, 1, 2 }, { 0, 7, 9, -1 }, 30, 29 },
	{ "1:0", 1, { 1 }, { 0 }, 1, 1 },
	{ "(4,0):(1,4)", 2, { 4, 0 }, { 1, 4 }, 0, 0 },
	{ "():()", 0, { 0 }, { 0 }, 1, 1 },
	{ "(2,2,2,2,2):(16,8,4,2,1)", 5, { 2, 2, 2, 2, 2 }, { 16, 8, 4, 2, 1 }, 32, 32 },
};

struct check {
	const struct row *row;
	int64_t next;
};

static bool check_offset(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct check *check = user;
	int64_t rest = check->next, offset = 0;

	assert_int_equal(in_rank, 1);
	assert_int_equal(image_rank, 1);
	assert_int_equal(in[0], check->next++);
	for (unsigned i = 0; i < check->row->leaves; i++) {
		offset += rest % check->row->shape[i] * check->row->stride[i];
		rest /= check->row->shape[i];
	}
	assert_int_equal(image[0], offset);
	return true;
}

static void every_offset(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_cute *cute = layout_cute_parse(ctx, rows[i].text);
		layout_relation *relation = layout_cute_relation(cute), *again;
		struct check check = { &rows[i], 0 };
		char *text;

		assert_non_null(relation);
		assert_int_equal(layout_cute_size(cute), rows[i].size);
		assert_int_equal(layout_cute_cosize(cute), rows[i].cosize);
		assert_true(layout_relation_for_each(relation, check_offset, &check));
		assert_int_equal(check.next, rows[i].size);
		assert_int_equal(layout_relation_is_function(relation, NULL), LAYOUT_YES);
		text = layout_relation_str(relation);
		again = layout_relation_read(ctx, text);
		assert_int_equal(layout_relation_equal(relation, again, NULL),
			LAYOUT_YES);
		layout_string_free(text);
		layout_relation_free(again);
		layout_relation_free(relation);
		layout_cute_free(cute);
		assert_true(layout_context_free(ctx));
	}
}

/* The compositions that are reported wrong elsewhere, pointwise A(B(i)):
 * cutlass#3177 and cutlass#2955. */
static void compositions_are_exact(void **state)
{
	static const struct {
		const char *a, *b;
		int64_t values[6];
		unsigned count;
	} compositions[] = {
		{ "(4,6,8):(2,3,5)", "6:3", { 0, 6, 7, 8, 9, 15 }, 6 },
		{ "(6,2):(1,7)", "(3,2):(2,3)", { 0, 2, 4, 3, 5, 8 }, 6 },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(compositions) / sizeof(*compositions); i++) {
		layout_cute *a = layout_cute_parse(ctx, compositions[i].a);
		layout_cute *b = layout_cute_parse(ctx, compositions[i].b);
		layout_relation *c = layout_relation_compose(layout_cute_relation(a),
			layout_cute_relation(b));
		const int64_t *v = compositions[i].values;
		char text[300];
		layout_relation *wanted;
		layout_witness *witness = NULL;

		snprintf(text, sizeof(text), "{ [0] -> [%d]; [1] -> [%d]; [2] -> [%d]; "
			"[3] -> [%d]; [4] -> [%d]; [5] -> [%d] }",
			(int)v[0], (int)v[1], (int)v[2],
			(int)v[3], (int)v[4], (int)v[5]);
		wanted = layout_relation_read(ctx, text);
		if (layout_relation_equal(c, wanted, &witness) != LAYOUT_YES)
			fail_msg("%s o %s: %s", compositions[i].a, compositions[i].b,
				witness ? witness->text : layout_context_message(ctx));
		layout_relation_free(wanted);
		layout_relation_free(c);
		layout_cute_free(a);
		layout_cute_free(b);
	}
	assert_true(layout_context_free(ctx));
}

#define VALUES 256

/* A row of the vector file; "line" is what a failure prints. */
struct vector {
	char *id, *operation, *first, *second, *layout, *values, *size, *cosize, *status,
		*note;
};

/* The value of "key" in the note, or NULL. */
static const char *note(const struct vector *v, const char *key)
{
	size_t length = strlen(key);

	for (const char *at = v->note; at; at = strchr(at, ';')) {
		at += *at == ';';
		if (strncmp(at, key, length) == 0 && at[length] == '=')
			return at + length + 1;
	}
	return NULL;
}

static bool judged_by(const struct vector *v, const char *judge)
{
	const char *found = note(v, "judge");

	return found && strncmp(found, judge, strlen(judge)) == 0;
}

/* An operation of the vectors: consumes "a"; "b" is the second argument's text. */
typedef layout_cute *run_operation(layout_context *ctx, layout_cute *a, const char *b,
	layout_cute_form form);

static void read_tiler(layout_context *ctx, const char *text, struct text_tiler *tiler)
{
	struct text_cursor cursor;

	assert_true(text_open(&cursor, ctx, text));
	assert_true(text_tiler(&cursor, tiler));
	assert_true(text_close(&cursor));
}

static layout_cute *run_divide(layout_context *ctx, layout_cute *a, const char *b,
	layout_cute_form form)
{
	struct text_tiler tiler;

	if (*b != '<')
		return layout_cute_divide(a, layout_cute_parse(ctx, b), form);
	read_tiler(ctx, b, &tiler);
	return layout_cute_divide_by(a, tiler.tiles, tiler.count, form);
}

static layout_cute *run_product(layout_context *ctx, layout_cute *a, const char *b,
	layout_cute_form form)
{
	struct text_tiler tiler;

	if (*b != '<')
		return layout_cute_product(a, layout_cute_parse(ctx, b), form);
	read_tiler(ctx, b, &tiler);
	return layout_cute_product_by(a, tiler.tiles, tiler.count, form);
}

static layout_cute *run_compose(layout_context *ctx, layout_cute *a, const char *b,
	layout_cute_form form)
{
	(void)form;
	return layout_cute_compose(a, layout_cute_parse(ctx, b));
}

static layout_cute *run_compose_tiler(layout_context *ctx, layout_cute *a,
	const char *b, layout_cute_form form)
{
	struct text_tiler tiler;

	(void)form;
	read_tiler(ctx, b, &tiler);
	return layout_cute_compose_by(a, tiler.tiles, tiler.count);
}

static layout_cute *run_coalesce(layout_context *ctx, layout_cute *a, const char *b,
	layout_cute_form form)
{
	int tree[CUTE_TEXT_LEAVES];
	layout_cute *profile;
	char text[200];
	unsigned count;

	(void)form;
	if (*b == '-')
		return layout_cute_coalesce(a);
	snprintf(text, sizeof(text), "%s:%s", b, b);
	profile = layout_cute_parse(ctx, text);
	count = layout_cute_node_count(profile);
	for (unsigned i = 0; i < count; i++)
		tree[i] = layout_cute_arity(profile, i);
	layout_cute_free(profile);
	return layout_cute_coalesce_by(a, tree, count);
}

static layout_cute *run_complement(layout_context *ctx, layout_cute *a, const char *b,
	layout_cute_form form)
{
	(void)ctx;
	(void)form;
	return layout_cute_complement(a, *b == '-' ? 1 : strtoll(b, NULL, 10));
}

static layout_cute *run_common_layout(layout_context *ctx, layout_cute *a,
	const char *b, layout_cute_form form)
{
	(void)form;
	return layout_cute_max_common_layout(a, layout_cute_parse(ctx, b));
}

/* The number as the layout number:0. */
static layout_cute *run_common_vector(layout_context *ctx, layout_cute *a,
	const char *b, layout_cute_form form)
{
	layout_cute *other = layout_cute_parse(ctx, b), *result = NULL;
	int64_t number;
	char text[40];

	(void)form;
	if (layout_cute_max_common_vector(a, other, &number)) {
		snprintf(text, sizeof(text), "1:%lld", (long long)number);
		result = layout_cute_parse(ctx, text);
	}
	layout_cute_free(a);
	layout_cute_free(other);
	return result;
}

static layout_cute *run_cast(layout_context *ctx, layout_cute *a, const char *b,
	layout_cute_form form)
{
	const char *comma = strchr(b, ',');

	(void)ctx;
	if (comma)
		return layout_cute_recast(a, strtoll(b, NULL, 10),
			strtoll(comma + 1, NULL, 10));
	return form == LAYOUT_CUTE_FLAT ? layout_cute_downcast(a, strtoll(b, NULL, 10)) :
		layout_cute_upcast(a, strtoll(b, NULL, 10));
}

/* Operations with one operand, by name. */
static layout_cute *run_alone(layout_context *ctx, layout_cute *a, const char *b,
	layout_cute_form form)
{
	(void)ctx;
	(void)b;
	switch ((int)form) {
	case 0:
		return a;
	case 1:
		return layout_cute_filter(a);
	case 2:
		return layout_cute_right_inverse(a);
	case 3:
		return layout_cute_left_inverse(a);
	default:
		return layout_cute_nullspace(a);
	}
}

static const struct {
	const char *name;
	run_operation *run;
	layout_cute_form form;
} operations[] = {
	{ "eval", run_alone, 0 },
	{ "filter", run_alone, 1 },
	{ "right_inverse", run_alone, 2 },
	{ "left_inverse", run_alone, 3 },
	{ "nullspace", run_alone, 4 },
	{ "coalesce", run_coalesce, 0 },
	{ "compose", run_compose, 0 },
	{ "compose_tiler", run_compose_tiler, 0 },
	{ "complement", run_complement, 0 },
	{ "logical_divide", run_divide, LAYOUT_CUTE_LOGICAL },
	{ "zipped_divide", run_divide, LAYOUT_CUTE_ZIPPED },
	{ "tiled_divide", run_divide, LAYOUT_CUTE_TILED },
	{ "flat_divide", run_divide, LAYOUT_CUTE_FLAT },
	{ "logical_product", run_product, LAYOUT_CUTE_LOGICAL },
	{ "zipped_product", run_product, LAYOUT_CUTE_ZIPPED },
	{ "tiled_product", run_product, LAYOUT_CUTE_TILED },
	{ "flat_product", run_product, LAYOUT_CUTE_FLAT },
	{ "blocked_product", run_product, LAYOUT_CUTE_BLOCKED },
	{ "raked_product", run_product, LAYOUT_CUTE_RAKED },
	{ "max_common_layout", run_common_layout, 0 },
	{ "max_common_vector", run_common_vector, 0 },
	{ "upcast", run_cast, LAYOUT_CUTE_LOGICAL },
	{ "downcast", run_cast, LAYOUT_CUTE_FLAT },
	{ "recast", run_cast, LAYOUT_CUTE_LOGICAL },
};

/* The layout, point by point, is what the row's values say; or those of "text". */
static bool has_values(const struct cute_text *model, const char *values)
{
	int64_t i = 0;

	for (; *values; i++) {
		char *end;

		if (i >= model->size ||
		    cute_text_at(model, i) != strtoll(values, &end, 10))
			return false;
		values = *end ? end + 1 : end;
	}
	return i == (model->size < VALUES ? model->size : VALUES);
}

/* L(R(i)) = i. */
static bool is_right_inverse(const struct cute_text *l, const struct cute_text *r,
	int64_t wanted)
{
	bool ok = r->size >= wanted;

	for (int64_t i = 0; ok && i < r->size; i++)
		ok = cute_text_at(l, cute_text_at(r, i)) == i;
	return ok;
}

/* L(R(L(i))) = L(i). */
static bool is_left_inverse(const struct cute_text *l, const struct cute_text *r)
{
	bool ok = true;

	for (int64_t i = 0; ok && i < l->size; i++) {
		int64_t offset = cute_text_at(l, i);

		ok = cute_text_at(l, cute_text_at(r, offset)) == offset;
	}
	return ok;
}

static int64_t cosize(const struct cute_text *model)
{
	int64_t last = -1;

	for (int64_t i = 0; i < model->size; i++) {
		int64_t offset = cute_text_at(model, i);

		last = offset > last ? offset : last;
	}
	return last + 1;
}

/* R is ordered, disjoint from L save 0, and fills up to "wanted". */
static bool is_complement(const struct cute_text *l, const struct cute_text *r,
	int64_t wanted)
{
	int64_t end = cosize(l), last = 0;
	bool *taken = calloc((size_t)end, sizeof(*taken)), ok = true;

	assert_non_null(taken);
	for (int64_t i = 0; i < l->size; i++)
		taken[cute_text_at(l, i)] = true;
	for (int64_t i = 1; ok && i < r->size; i++) {
		int64_t offset = cute_text_at(r, i);

		ok = offset > last && (offset >= end || !taken[offset]);
		last = offset;
	}
	free(taken);
	return ok && end + last >= wanted;
}

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* All offsets in order, to be freed. */
static int64_t *sorted_offsets(const struct cute_text *layout)
{
	int64_t *offsets = calloc((size_t)layout->size, sizeof(*offsets));

	assert_non_null(offsets);
	for (int64_t i = 0; i < layout->size; i++)
		offsets[i] = cute_text_at(layout, i);
	qsort(offsets, (size_t)layout->size, sizeof(*offsets), ascending);
	return offsets;
}

/* Is that the quotient or the product, up to the order of its modes?  For a quotient by
 * a layout, A o (B, R) with the complement R of B; for a product, A and R o B. */
static bool has_defined_offsets(layout_context *ctx, const struct vector *v,
	const struct cute_text *result)
{
	bool divided = strstr(v->operation, "divide");
	struct cute_text a, b, r;
	layout_cute *rest;
	int64_t *offsets, *wanted;
	char *text;
	bool ok;

	if (!cute_text_read(v->first, &a) || !cute_text_read(v->second, &b))
		return false;
	rest = divided ?
		layout_cute_complement(layout_cute_parse(ctx, v->second), a.size) :
		layout_cute_complement(layout_cute_parse(ctx, v->first),
			a.size * cosize(&b));
	text = layout_cute_str(rest);
	assert_non_null(text);
	assert_true(cute_text_read(text, &r));
	layout_string_free(text);
	layout_cute_free(rest);
	if (result->size != (divided ? b.size * r.size : a.size * b.size))
		return false;
	wanted = calloc((size_t)result->size, sizeof(*wanted));
	assert_non_null(wanted);
	for (int64_t i = 0; i < result->size; i++)
		wanted[i] = divided ? cute_text_at(&a, cute_text_at(&b, i % b.size) +
				cute_text_at(&r, i / b.size)) :
			cute_text_at(&a, i % a.size) +
				cute_text_at(&r, cute_text_at(&b, i / a.size));
	qsort(wanted, (size_t)result->size, sizeof(*wanted), ascending);
	offsets = sorted_offsets(result);
	ok = memcmp(wanted, offsets, (size_t)result->size * sizeof(*wanted)) == 0;
	free(wanted);
	free(offsets);
	return ok;
}

static bool accepts(const struct vector *v, const struct cute_text *model)
{
	struct cute_text first;

	if (strcmp(v->operation, "max_common_vector") == 0)
		return model->stride[0] == strtoll(v->layout, NULL, 10);
	assert_true(cute_text_read(v->first, &first));
	if (judged_by(v, "rinv"))
		return is_right_inverse(&first, model, strtoll(v->size, NULL, 10));
	if (judged_by(v, "linv"))
		return is_left_inverse(&first, model);
	if (judged_by(v, "compl"))
		return is_complement(&first, model,
			*v->second == '-' ? 1 : strtoll(v->second, NULL, 10));
	return model->size == strtoll(v->size, NULL, 10) && has_values(model, v->values);
}

/* Layouts that exist although CuTe refuses, and that the table does not list. */
static const char *unlisted(const struct vector *v)
{
	if (strcmp(v->operation, "tiled_divide") == 0 &&
	    strcmp(v->first, "(5,(7,15)):(3,(16,8))") == 0 &&
	    strcmp(v->second, "<5:0,1:15>") == 0)
		return "((5,1),5,(7,15)):((0,0),3,(16,8))";
	return NULL;
}

/* CuTe has no correct layout: there is none, or exactly the function after all. */
static bool accepts_refused(const struct vector *v, const struct cute_text *model,
	layout_context *ctx)
{
	const char *exact = unlisted(v), *prefix = note(v, "prefix");
	struct cute_text wanted;
	char text[200];

	exact = exact ? exact : note(v, "exact");
	if (!model)
		return !exact && layout_context_error(ctx) == LAYOUT_ERROR_NO_ANSWER;
	if (strcmp(v->operation, "max_common_vector") == 0)
		return model->stride[0] == strtoll(prefix, NULL, 10);
	if (judged_by(v, "linv"))
		return accepts(v, model);
	if (!exact)
		return has_defined_offsets(ctx, v, model);
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(exact, ";\n"), exact);
	assert_true(cute_text_read(text, &wanted));
	for (int64_t i = 0; i < wanted.size; i++)
		if (cute_text_at(&wanted, i) != cute_text_at(model, i))
			return false;
	return wanted.size == model->size;
}

struct values {
	const char *expected;	/* "0,3,6": what is left to see */
	int64_t next;
	bool wrong;
};

static bool check_value(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct values *values = user;
	char *end;
	long long wanted;

	(void)in_rank;
	(void)image_rank;
	if (!*values->expected)
		return false;	/* the table lists 256 at most */
	wanted = strtoll(values->expected, &end, 10);
	values->wrong = values->wrong || in[0] != values->next++ || image[0] != wanted;
	values->expected = *end ? end + 1 : end;
	return true;
}

static bool relation_has_values(layout_relation *relation, const char *expected)
{
	struct values values = { .expected = expected };
	bool ok = relation && layout_relation_for_each(relation, check_value, &values) &&
		!values.wrong && !*values.expected;

	layout_relation_free(relation);
	return ok;
}

/* The size of the subtree at "node", whose leaves begin at "leaf"; both move on. */
static int64_t subtree_size(layout_cute *cute, unsigned *node, unsigned *leaf)
{
	int arity = layout_cute_arity(cute, (*node)++);
	int64_t size = 1;

	if (arity < 0)
		return layout_cute_shape(cute, (*leaf)++);
	for (int i = 0; i < arity; i++)
		size *= subtree_size(cute, node, leaf);
	return size;
}

/* The tiles of a by-mode tiler as one layout into the linear coordinates of "a". */
static layout_cute *tiles_as_layout(layout_context *ctx, layout_cute *a, const char *text)
{
	int tree[CUTE_TEXT_LEAVES];
	int64_t shape[CUTE_TEXT_LEAVES], stride[CUTE_TEXT_LEAVES], place = 1;
	unsigned nodes = 1, leaves = 0, node = 1, leaf = 0;
	struct text_tiler tiler;

	read_tiler(ctx, text, &tiler);
	tree[0] = (int)tiler.count;
	for (unsigned i = 0; i < tiler.count; i++) {
		layout_cute *tile = tiler.tiles[i].layout;

		for (unsigned k = 0; k < layout_cute_node_count(tile); k++)
			tree[nodes++] = layout_cute_arity(tile, k);
		for (unsigned k = 0; k < layout_cute_leaf_count(tile); k++) {
			shape[leaves] = layout_cute_shape(tile, k);
			stride[leaves++] = layout_cute_stride(tile, k) * place;
		}
		place *= subtree_size(a, &node, &leaf);
	}
	text_tiler_free(&tiler);
	return layout_cute_new(ctx, tree, nodes, shape, stride, leaves);
}

/* The exact function of a composition, whether or not it is a layout. */
static bool composes_exactly(layout_context *ctx, const struct vector *v)
{
	layout_cute *a = layout_cute_parse(ctx, v->first);
	layout_cute *b = *v->second == '<' ? tiles_as_layout(ctx, a, v->second) :
		layout_cute_parse(ctx, v->second);
	bool ok = relation_has_values(layout_relation_compose(
		layout_cute_unbounded_relation(a), layout_cute_relation(b)), v->values);

	layout_cute_free(a);
	layout_cute_free(b);
	return ok;
}

/* A swizzle's inverse that no layout is; the relation has it. */
static bool inverse_is_no_layout(layout_context *ctx, const struct vector *v)
{
	layout_cute *a;
	bool ok;

	if (*v->layout != '-' || layout_context_error(ctx) != LAYOUT_ERROR_NO_ANSWER)
		return false;
	layout_context_clear(ctx);
	a = layout_cute_parse(ctx, v->first);
	ok = relation_has_values(layout_relation_inverse(layout_cute_relation(a)),
		v->values);
	layout_cute_free(a);
	return ok;
}

static bool check_result(layout_context *ctx, const struct vector *v,
	layout_cute *result)
{
	char *text = layout_cute_str(result);
	struct cute_text model;
	bool ok = !text || cute_text_read(text, &model);

	if (ok && strcmp(v->status, "ok") == 0)
		ok = text ? accepts(v, &model) : inverse_is_no_layout(ctx, v);
	else if (ok)
		ok = accepts_refused(v, text ? &model : NULL, ctx);
	if (ok && result && strcmp(v->operation, "eval") == 0)
		ok = layout_cute_cosize(result) == strtoll(v->cosize, NULL, 10) &&
			relation_has_values(layout_cute_relation(result), v->values);
	if (!ok)
		print_message("the result is %s: %s\n", text ? text : "none",
			layout_context_message(ctx));
	layout_string_free(text);
	return ok;
}

static bool check_row(layout_context *ctx, const struct vector *v)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		layout_cute *result;
		bool ok;

		if (strcmp(v->operation, operations[i].name) != 0)
			continue;
		result = operations[i].run(ctx, layout_cute_parse(ctx, v->first),
			v->second, operations[i].form);
		ok = check_result(ctx, v, result);
		layout_cute_free(result);
		layout_context_clear(ctx);
		if (ok && strcmp(v->status, "error") == 0 &&
				strncmp(v->operation, "compose", 7) == 0)
			ok = composes_exactly(ctx, v);
		return ok;
	}
	return false;
}

/* Every row of the published table. */
static void published_rows(void **state)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/cute.tsv", "r");
	layout_context *ctx = layout_context_new();
	char line[8000], whole[8000];
	unsigned seen = 0, wrong = 0;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		char *rest = strcpy(whole, line);
		struct vector v;
		char **fields[] = { &v.id, &v.operation, &v.first, &v.second, &v.layout,
			&v.values, &v.size, &v.cosize, &v.status, &v.note };

		for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
			assert_non_null(*fields[i] = strsep(&rest, "\t\n"));
		if (strcmp(v.id, "id") == 0 || *v.id == '#')
			continue;
		seen++;
		if (check_row(ctx, &v))
			continue;
		wrong++;
		print_message("wrong: %.300s\n", line);
	}
	fclose(file);
	assert_true(layout_context_free(ctx));
	assert_true(seen > 2000);
	assert_int_equal(wrong, 0);
}

static void bad_trees(void **state)
{
	static const int two_roots[] = { -1, -1 }, short_tree[] = { 2, -1 };
	static const int64_t one[] = { 1, 1 }, huge[] = { INT64_MAX, 2 };
	static const int pair[] = { 2, -1, -1 };
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_null(layout_cute_new(ctx, two_roots, 2, one, one, 2));
	assert_null(layout_cute_new(ctx, short_tree, 2, one, one, 1));
	assert_null(layout_cute_new(ctx, pair, 3, one, one, 1));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	assert_null(layout_cute_new(ctx, pair, 3, huge, one, 2));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_OVERFLOW);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_offset),
		cmocka_unit_test(compositions_are_exact),
		cmocka_unit_test(published_rows),
		cmocka_unit_test(bad_trees),
	};

	cmocka_set_test_filter(getenv("LAYOUT_TEST_FILTER"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
