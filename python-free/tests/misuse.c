/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments that are missing, and objects that do not live together. */
#include <layout/codegen.h>
#include <layout/layout.h>

#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

typedef layout_relation *binary(layout_relation *, layout_relation *);
typedef layout_set *set_binary(layout_set *, layout_set *);
typedef layout_relation *mixed(layout_relation *, layout_set *);
typedef layout_answer question(layout_relation *, layout_set *, layout_witness **);

static binary *const binaries[] = {
	layout_relation_compose, layout_relation_product, layout_relation_union,
	layout_relation_intersect, layout_relation_subtract,
};
static set_binary *const set_binaries[] = {
	layout_set_union, layout_set_intersect, layout_set_subtract, layout_set_product,
};
static mixed *const restrictions[] = {
	layout_relation_restrict, layout_relation_restrict_range,
};
static question *const questions[] = {
	layout_relation_is_surjective, layout_relation_is_bijective,
	layout_relation_is_total,
};

static const char *const sizes[] = { "M", "4" };
static const char *const one_missing[] = { "M", NULL };
static const layout_size nameless[] = { { "M", 1 }, { NULL, 2 } };

static layout_relation *a_relation(layout_context *ctx)
{
	return layout_relation_read(ctx, "{ [i] -> [i] : 0 <= i < 4 }");
}

static layout_set *a_set(layout_context *ctx)
{
	return layout_set_read(ctx, "[M] -> { [i] : 0 <= i < 4 }");
}

static layout_storage *a_storage(layout_context *ctx)
{
	return layout_storage_row_major(ctx, 2, sizes);
}

static layout_remap *a_remap(layout_context *ctx)
{
	return layout_remap_new(a_storage(ctx), a_storage(ctx), "f32", NULL);
}

/* Missing arguments: each row makes one call, and says whether it failed. */

#define FAILS(name, expression) \
	static bool name(layout_context *ctx) { return (expression); }

static bool drop_relation(layout_relation *relation)
{
	layout_relation_free(relation);
	return !relation;
}

static bool drop_set(layout_set *set)
{
	layout_set_free(set);
	return !set;
}

static bool drop_storage(layout_storage *storage)
{
	layout_storage_free(storage);
	return !storage;
}

static bool drop_remap(layout_remap *remap)
{
	layout_remap_free(remap);
	return !remap;
}

static bool drop_encoding(layout_encoding *encoding)
{
	layout_encoding_free(encoding);
	return !encoding;
}

static bool drop_nested(layout_nested *nested)
{
	layout_nested_free(nested);
	return !nested;
}

static bool drop_cute(layout_cute *cute)
{
	layout_cute_free(cute);
	return !cute;
}

static bool drop_value(layout_value *value)
{
	layout_value_free(value);
	return !value;
}

FAILS(read_relation, drop_relation(layout_relation_read(ctx, NULL)))
FAILS(read_set, drop_set(layout_set_read(ctx, NULL)))
FAILS(parse_cute, drop_cute(layout_cute_parse(ctx, NULL)))
FAILS(parse_nested, drop_nested(layout_nested_parse(ctx, NULL)))
FAILS(parse_encoding, drop_encoding(layout_encoding_parse(ctx, NULL)))
FAILS(parse_storage, drop_storage(layout_storage_parse(ctx, NULL)))
FAILS(parse_remap, drop_remap(layout_remap_parse(ctx, NULL)))
FAILS(parse_value, drop_value(layout_value_parse(ctx, NULL)))

FAILS(permute, drop_relation(layout_relation_permute(a_relation(ctx), NULL, 1)))
FAILS(project, drop_relation(layout_relation_project(a_relation(ctx), NULL, 1)))
FAILS(fix, drop_relation(layout_relation_fix(a_relation(ctx), NULL, 1)))
FAILS(fix_nameless, drop_relation(layout_relation_fix(a_relation(ctx), nameless, 2)))
FAILS(set_permute, drop_set(layout_set_permute(a_set(ctx), NULL, 1)))
FAILS(set_project, drop_set(layout_set_project(a_set(ctx), NULL, 1)))
FAILS(set_fix, drop_set(layout_set_fix(a_set(ctx), NULL, 1)))
FAILS(set_fix_nameless, drop_set(layout_set_fix(a_set(ctx), nameless, 2)))

FAILS(row_major, drop_storage(layout_storage_row_major(ctx, 2, NULL)))
FAILS(row_major_entry, drop_storage(layout_storage_row_major(ctx, 2, one_missing)))
FAILS(col_major, drop_storage(layout_storage_col_major(ctx, 2, NULL)))
FAILS(strided, drop_storage(layout_storage_strided(ctx, 2, NULL, sizes)))
FAILS(strided_strides, drop_storage(layout_storage_strided(ctx, 2, sizes, NULL)))
FAILS(strided_entry, drop_storage(layout_storage_strided(ctx, 2, sizes, one_missing)))
FAILS(packed, drop_storage(layout_storage_packed(layout_encoding_parse(ctx,
	"encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>"), 2, NULL)))

static bool storage_numbers(layout_context *ctx)
{
	layout_storage *storage = a_storage(ctx);
	int64_t shape[LAYOUT_STORAGE_SLOTS];
	bool failed = !layout_storage_shape(storage, NULL, 1, shape) &&
		layout_storage_memory_shape(storage, NULL, 1, shape) == -1 &&
		layout_storage_elements(storage, NULL, 1) == -1 &&
		layout_storage_elements(storage, nameless, 2) == -1;

	layout_storage_free(storage);
	return failed;
}

static bool storage_room(layout_context *ctx)
{
	layout_storage *storage = a_storage(ctx);
	bool failed = !layout_storage_shape(storage, nameless, 1, NULL) &&
		layout_storage_memory_shape(storage, nameless, 1, NULL) == -1;

	layout_storage_free(storage);
	return failed;
}

FAILS(remap_type, drop_remap(layout_remap_new(a_storage(ctx), a_storage(ctx), NULL, NULL)))
FAILS(assume, drop_remap(layout_remap_assume(a_remap(ctx), NULL)))

static const int tree[] = { 2, -1, -1 };
static const int64_t numbers[] = { 1, 1 };

FAILS(cute_tree, drop_cute(layout_cute_new(ctx, NULL, 3, numbers, numbers, 2)))
FAILS(cute_shape, drop_cute(layout_cute_new(ctx, tree, 3, NULL, numbers, 2)))
FAILS(cute_stride, drop_cute(layout_cute_new(ctx, tree, 3, numbers, NULL, 2)))

FAILS(nested, drop_nested(layout_nested_new(ctx, NULL)))
FAILS(encoding, drop_encoding(layout_encoding_new(ctx, NULL)))

static bool visit_holding(void *user, const int64_t *holder, const int64_t *coordinate,
	unsigned rank)
{
	(void)user;
	(void)holder;
	(void)coordinate;
	return rank > 0;
}

static bool nested_owners(layout_context *ctx)
{
	layout_nested *nested = layout_nested_parse(ctx, "nested_layout<subgroup_tile = [1, 1], "
		"batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], "
		"element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [8, 1], "
		"subgroup_size = 64>");
	bool failed = !layout_nested_owners(nested, numbers, NULL, NULL) &&
		!layout_nested_owners(nested, NULL, visit_holding, NULL);

	layout_nested_free(nested);
	return failed;
}

/* Visits nothing: there is no function. */
static bool visits(layout_context *ctx)
{
	layout_value *set = layout_value_parse(ctx, "{ [i] : 0 <= i < 4 }");
	layout_set *points = layout_value_set(set);
	bool failed = !layout_set_for_each(points, NULL, NULL) &&
		!layout_value_for_each(set, NULL, 0, NULL, NULL);

	layout_set_free(points);
	layout_value_free(set);
	return failed;
}

static bool kernel_arguments(layout_context *ctx)
{
	layout_remap *remap = a_remap(ctx);
	layout_kernel *kernel = layout_kernel_new(remap, "host", NULL);
	layout_run run = LAYOUT_RUN_INIT;
	int64_t grid[3];
	bool failed;

	run.size_count = 1;
	failed = !layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_AST, NULL, 0, NULL) &&
		!layout_kernel_grid(ctx, kernel, NULL, 1, grid) &&
		!layout_kernel_grid(ctx, kernel, nameless, 2, grid) &&
		!layout_kernel_grid(ctx, kernel, nameless, 1, NULL) &&
		!layout_kernel_run(ctx, kernel, NULL) &&
		!layout_kernel_run(ctx, kernel, &run);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	return failed;
}

static const struct {
	const char *name;
	bool (*fails)(layout_context *ctx);
} missing_rows[] = {
#define ROW(name) { #name, name }
	ROW(read_relation), ROW(read_set), ROW(parse_cute), ROW(parse_nested),
	ROW(parse_encoding), ROW(parse_storage), ROW(parse_remap), ROW(parse_value),
	ROW(permute), ROW(project), ROW(fix), ROW(fix_nameless),
	ROW(set_permute), ROW(set_project), ROW(set_fix), ROW(set_fix_nameless),
	ROW(row_major), ROW(row_major_entry), ROW(col_major), ROW(strided),
	ROW(strided_strides), ROW(strided_entry), ROW(packed), ROW(storage_numbers),
	ROW(storage_room), ROW(remap_type), ROW(assume), ROW(cute_tree), ROW(cute_shape),
	ROW(cute_stride), ROW(nested), ROW(nested_owners), ROW(encoding), ROW(visits), ROW(kernel_arguments),
#undef ROW
};

/* Every error on the way is of that kind. */
static void hear(void *user, layout_error kind, const char *message, long position)
{
	(void)position;
	if (kind != LAYOUT_ERROR_INVALID || strncmp(message, "there is no ", 12) != 0)
		fail_msg("%s: %s", *(const char *const *)user, message);
}

static void missing_arguments_are_invalid(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(missing_rows); i++) {
		layout_context *ctx = layout_context_new();
		const char *name = missing_rows[i].name;

		layout_context_on_error(ctx, hear, &name);
		if (!missing_rows[i].fails(ctx))
			fail_msg("%s did not fail", name);
		if (layout_context_error(ctx) != LAYOUT_ERROR_INVALID)
			fail_msg("%s failed without an error", name);
		if (!layout_context_free(ctx))
			fail_msg("%s leaks", name);
	}
}

static void without_a_context_all_fails(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(missing_rows); i++)
		if (!missing_rows[i].fails(NULL))
			fail_msg("%s did not fail", missing_rows[i].name);
	layout_context_set_quota(NULL, 1);
	layout_context_on_error(NULL, hear, NULL);
	layout_context_clear(NULL);
	assert_int_equal(layout_context_quota(NULL), 0);
	assert_int_equal(layout_context_error(NULL), LAYOUT_ERROR_MEMORY);
	assert_string_equal(layout_context_message(NULL), "out of memory");
	assert_int_equal(layout_context_position(NULL), -1);
	assert_null(layout_relation_read(NULL, "{ [i] -> [i] }"));
	assert_null(layout_storage_row_major(NULL, 0, NULL));
}

/* Numbers outside of what they may be: each row makes one call, and says whether it
 * failed. */

static bool swizzle_is_refused(layout_context *ctx, int64_t base)
{
	return drop_storage(layout_storage_swizzled_bits(a_storage(ctx), 1, (int)base, 1,
		LAYOUT_SWIZZLED_OFFSET)) && drop_storage(layout_storage_swizzled_bits(
		a_storage(ctx), 1, 1, (int)base, LAYOUT_SWIZZLED_OFFSET));
}

static bool lds_access_is_refused(layout_context *ctx, int64_t bits)
{
	layout_relation *address = a_relation(ctx);
	int64_t extra;
	bool failed = !layout_lds_conflicts(address, 0, layout_lds_find(ctx, "gfx942"),
		(unsigned)bits, false, &extra);

	layout_relation_free(address);
	return failed;
}

static bool count_is_refused(layout_context *ctx, int64_t what)
{
	layout_relation *relation = a_relation(ctx);
	char *text = layout_relation_count(relation, (layout_counted)what, NULL);
	int64_t number;
	bool failed = !text && !layout_relation_count_at(relation, (layout_counted)what,
		NULL, NULL, 0, &number);

	layout_string_free(text);
	layout_relation_free(relation);
	return failed;
}

static const struct {
	const char *name;
	bool (*fails)(layout_context *ctx, int64_t number);
	int64_t number;
} number_rows[] = {
	{ "swizzle", swizzle_is_refused, INT_MAX }, { "swizzle", swizzle_is_refused, INT_MIN },
	{ "lds", lds_access_is_refused, 0 }, { "lds", lds_access_is_refused, 7 },
	{ "lds", lds_access_is_refused, 256 }, { "lds", lds_access_is_refused, UINT_MAX },
	{ "count", count_is_refused, 3 }, { "count", count_is_refused, 100 },
};

static void numbers_outside_are_invalid(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(number_rows); i++) {
		layout_context *ctx = layout_context_new();

		if (!number_rows[i].fails(ctx, number_rows[i].number))
			fail_msg("%s of %" PRId64 " did not fail", number_rows[i].name,
				number_rows[i].number);
		if (layout_context_error(ctx) != LAYOUT_ERROR_INVALID)
			fail_msg("%s of %" PRId64 ": %s", number_rows[i].name,
				number_rows[i].number, layout_context_message(ctx));
		assert_true(layout_context_free(ctx));
	}
}

/* Take away each list of a nested layout in turn. */
static void nested_lists_are_all_needed(void **state)
{
	static const layout_nested_desc whole = { sizeof(whole), 2, numbers, numbers,
		numbers, numbers, numbers, numbers, numbers, 64 };
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_false(drop_nested(layout_nested_new(ctx, &whole)));
	for (unsigned i = 0; i < 7; i++) {
		layout_nested_desc desc = whole;
		const int64_t **lists[] = { &desc.subgroup_tile, &desc.batch_tile,
			&desc.outer_tile, &desc.thread_tile, &desc.element_tile,
			&desc.subgroup_strides, &desc.thread_strides };

		*lists[i] = NULL;
		assert_null(layout_nested_new(ctx, &desc));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		layout_context_clear(ctx);
		desc.rank = 0;
		assert_false(drop_nested(layout_nested_new(ctx, &desc)));
	}
	assert_true(layout_context_free(ctx));
}

static const int64_t order[] = { 1, 0 }, least_order[] = { 0, INT64_MIN };
static const unsigned groups[] = { 1, 1 };
static const layout_encoding_dim parts[] = { { LAYOUT_DIM_INTERNAL, 1, 1 },
	{ LAYOUT_DIM_INTERNAL, 1, 1 } };
static const layout_encoding_dim odd_parts[] = { { LAYOUT_DIM_INTERNAL, 1, 1 },
	{ (layout_dim_kind)(LAYOUT_DIM_CROSS_INTRINSIC + 1), 1, 1 } };
static const layout_encoding_dim factor_parts[] = { { LAYOUT_DIM_CROSS_THREAD, 1, 2 },
	{ LAYOUT_DIM_INTERNAL, 1, 2 } };

static const struct {
	const char *name;
	layout_encoding_desc desc;
	bool good;
} encoding_rows[] = {
	{ "all", { 0, 2, order, numbers, 2, order, groups, 2, parts, order }, true },
	{ "nothing", { 0 }, true },
	{ "identity of rank 2", { 0, 2, order, numbers, 2 }, true },
	{ "positions", { 0, 2, NULL, numbers } },
	{ "tiles", { 0, 2, order, NULL } },
	{ "groups", { 0, 2, order, numbers, 2, order, NULL, 2, parts, order } },
	{ "parts", { 0, 2, order, numbers, 2, order, groups, 2, NULL, order } },
	{ "permutation", { 0, 2, order, numbers, 2, order, groups, 2, parts, NULL } },
	{ "a kind of part", { 0, 2, order, numbers, 2, order, groups, 2, odd_parts, order } },
	{ "the least number as a position", { 0, 2, least_order, numbers } },
	{ "the least number as a dimension", { 0, 2, order, numbers, 2, least_order } },
	{ "the least number as a part", { 0, 2, order, numbers, 2, order, groups, 2, parts,
		least_order } },
	{ "a part that is not there", { 0, 2, order, numbers, 2, order, groups, 1, parts, order } },
	{ "a factor", { 0, 2, order, numbers, 2, order, groups, 2, factor_parts, order } },
};

static void encodings_need_their_lists(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(encoding_rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_encoding_desc desc = encoding_rows[i].desc;

		desc.size = sizeof(desc);
		if (drop_encoding(layout_encoding_new(ctx, &desc)) == encoding_rows[i].good)
			fail_msg("%s: %s", encoding_rows[i].name, layout_context_message(ctx));
		assert_int_equal(layout_context_error(ctx), encoding_rows[i].good ?
			LAYOUT_ERROR_NONE : LAYOUT_ERROR_INVALID);
		assert_true(layout_context_free(ctx));
	}
}

/* Two contexts: the error is on the first object's, and nothing is left in either. */

static void expect_strangers(layout_context *a, layout_context *b)
{
	assert_int_equal(layout_context_error(a), LAYOUT_ERROR_INVALID);
	assert_string_equal(layout_context_message(a), "these are objects of two contexts");
	assert_int_equal(layout_context_error(b), LAYOUT_ERROR_NONE);
	layout_context_clear(a);
}

static void operations_stay_in_one_context(void **state)
{
	layout_context *a = layout_context_new(), *b = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(binaries); i++) {
		assert_null(binaries[i](a_relation(a), a_relation(b)));
		expect_strangers(a, b);
	}
	for (size_t i = 0; i < COUNT(set_binaries); i++) {
		assert_null(set_binaries[i](a_set(a), a_set(b)));
		expect_strangers(a, b);
	}
	for (size_t i = 0; i < COUNT(restrictions); i++) {
		assert_null(restrictions[i](a_relation(a), a_set(b)));
		expect_strangers(a, b);
	}
	assert_null(layout_remap_new(a_storage(a), a_storage(b), "f32", NULL));
	expect_strangers(a, b);
	assert_null(layout_remap_new_mapped(a_storage(a), a_storage(a), a_relation(b), "f32",
		NULL, NULL));
	expect_strangers(a, b);
	assert_null(layout_storage_swizzled(a_storage(a),
		layout_swizzle_xor_shuffle(b, 64, 8, 0, 0), LAYOUT_SWIZZLED_OFFSET));
	expect_strangers(a, b);
	assert_true(layout_context_free(a));
	assert_true(layout_context_free(b));
}

/* "never" is no function: without the check of its set that would be the answer. */
static void questions_stay_in_one_context(void **state)
{
	layout_context *a = layout_context_new(), *b = layout_context_new();
	layout_relation *relation = a_relation(a), *other = a_relation(b);
	layout_relation *never = layout_relation_read(a, "{ [i] -> [j] : 0 <= j < 2 }");
	layout_set *set = a_set(a), *other_set = a_set(b);

	(void)state;
	for (size_t i = 0; i < COUNT(questions); i++) {
		assert_int_equal(questions[i](relation, other_set, NULL), LAYOUT_UNKNOWN);
		expect_strangers(a, b);
	}
	assert_int_equal(layout_relation_is_bijective(never, other_set, NULL), LAYOUT_UNKNOWN);
	expect_strangers(a, b);
	assert_int_equal(layout_relation_equal(relation, other, NULL), LAYOUT_UNKNOWN);
	expect_strangers(a, b);
	assert_int_equal(layout_set_equal(set, other_set, NULL), LAYOUT_UNKNOWN);
	expect_strangers(a, b);
	layout_relation_free(relation);
	layout_relation_free(never);
	layout_relation_free(other);
	layout_set_free(set);
	layout_set_free(other_set);
	assert_true(layout_context_free(a));
	assert_true(layout_context_free(b));
}

/* NULL objects: an error stays as it was, here none, and the other one is freed. */

static void operations_pass_null_through(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(binaries); i++) {
		assert_null(binaries[i](NULL, a_relation(ctx)));
		assert_null(binaries[i](a_relation(ctx), NULL));
		assert_null(binaries[i](NULL, NULL));
	}
	for (size_t i = 0; i < COUNT(set_binaries); i++) {
		assert_null(set_binaries[i](NULL, a_set(ctx)));
		assert_null(set_binaries[i](a_set(ctx), NULL));
		assert_null(set_binaries[i](NULL, NULL));
	}
	for (size_t i = 0; i < COUNT(restrictions); i++) {
		assert_null(restrictions[i](NULL, a_set(ctx)));
		assert_null(restrictions[i](a_relation(ctx), NULL));
		assert_null(restrictions[i](NULL, NULL));
	}
	assert_null(layout_remap_new(NULL, a_storage(ctx), "f32", NULL));
	assert_null(layout_remap_new(a_storage(ctx), NULL, "f32", NULL));
	assert_null(layout_remap_new_mapped(NULL, a_storage(ctx), a_relation(ctx), "f32",
		NULL, NULL));
	assert_null(layout_remap_new_mapped(a_storage(ctx), NULL, a_relation(ctx), "f32",
		NULL, NULL));
	assert_null(layout_remap_new_mapped(a_storage(ctx), a_storage(ctx), NULL, "f32",
		NULL, NULL));
	assert_null(layout_remap_map(NULL));
	assert_null(layout_storage_swizzled(NULL,
		layout_swizzle_xor_shuffle(ctx, 64, 8, 0, 0), LAYOUT_SWIZZLED_INDEX));
	assert_null(layout_storage_swizzled(a_storage(ctx), NULL, LAYOUT_SWIZZLED_OFFSET));
	assert_null(layout_storage_swizzled_bits(NULL, 3, 3, 3, LAYOUT_SWIZZLED_OFFSET));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_true(layout_context_free(ctx));
}

static void questions_about_null_are_unknown(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_relation *never = layout_relation_read(ctx, "{ [i] -> [j] : 0 <= j < 2 }");
	layout_set *set = a_set(ctx);
	layout_witness *witness;

	(void)state;
	for (size_t i = 0; i < COUNT(questions); i++) {
		witness = (layout_witness *)&witness;
		assert_int_equal(questions[i](NULL, set, &witness), LAYOUT_UNKNOWN);
		assert_null(witness);
		assert_int_equal(questions[i](never, NULL, &witness), LAYOUT_UNKNOWN);
		assert_null(witness);
	}
	assert_int_equal(layout_relation_equal(never, NULL, NULL), LAYOUT_UNKNOWN);
	assert_int_equal(layout_relation_equal(NULL, never, NULL), LAYOUT_UNKNOWN);
	assert_int_equal(layout_set_equal(set, NULL, NULL), LAYOUT_UNKNOWN);
	assert_int_equal(layout_set_equal(NULL, set, NULL), LAYOUT_UNKNOWN);
	assert_int_equal(layout_relation_is_function(NULL, NULL), LAYOUT_UNKNOWN);
	assert_int_equal(layout_relation_is_injective(NULL, NULL), LAYOUT_UNKNOWN);
	assert_int_equal(layout_set_is_empty(NULL), LAYOUT_UNKNOWN);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	layout_relation_free(never);
	layout_set_free(set);
	assert_true(layout_context_free(ctx));
}

static void relations_and_sets_may_be_null(void **state)
{
	static const unsigned dims[] = { 0 };

	(void)state;
	layout_relation_free(NULL);
	layout_set_free(NULL);
	layout_witness_free(NULL);
	layout_string_free(NULL);
	assert_null(layout_relation_copy(NULL));
	assert_null(layout_relation_context(NULL));
	assert_null(layout_relation_str(NULL));
	assert_null(layout_relation_isl_str(NULL));
	assert_null(layout_relation_affine_map_str(NULL));
	assert_int_equal(layout_relation_in_rank(NULL), 0);
	assert_int_equal(layout_relation_out_rank(NULL), 0);
	assert_null(layout_relation_inverse(NULL));
	assert_null(layout_relation_domain(NULL));
	assert_null(layout_relation_range(NULL));
	assert_null(layout_relation_permute(NULL, dims, 1));
	assert_null(layout_relation_project(NULL, dims, 1));
	assert_null(layout_relation_simplify(NULL));
	assert_null(layout_relation_fix(NULL, nameless, 1));
	assert_null(layout_set_copy(NULL));
	assert_null(layout_set_str(NULL));
	assert_int_equal(layout_set_rank(NULL), 0);
	assert_null(layout_set_permute(NULL, dims, 1));
	assert_null(layout_set_project(NULL, dims, 1));
	assert_null(layout_set_simplify(NULL));
	assert_null(layout_set_fix(NULL, nameless, 1));
	assert_false(layout_set_for_each(NULL, NULL, NULL));
}

static void cutes_nesteds_and_encodings_may_be_null(void **state)
{
	(void)state;
	layout_cute_free(NULL);
	assert_null(layout_cute_str(NULL));
	assert_int_equal(layout_cute_size(NULL), -1);
	assert_int_equal(layout_cute_cosize(NULL), -1);
	assert_null(layout_cute_relation(NULL));
	assert_null(layout_cute_unbounded_relation(NULL));
	layout_nested_free(NULL);
	assert_null(layout_nested_str(NULL));
	assert_null(layout_nested_relation(NULL));
	assert_int_equal(layout_nested_rank(NULL), 0);
	assert_int_equal(layout_nested_size(NULL, 0), 0);
	assert_null(layout_nested_box(NULL));
	layout_encoding_free(NULL);
	assert_null(layout_encoding_copy(NULL));
	assert_null(layout_encoding_str(NULL));
}

/* NULL in a list comes before whatever is wrong with others there. */
static void lists_pass_null_through(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_cute *layouts[] = { layout_cute_parse(ctx, "pack_map<(4):(1)>"), NULL };
	layout_nested *operands[] = { layout_nested_parse(ctx, "nested_layout<"
		"subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], "
		"element_tile = [1], subgroup_strides = [0], thread_strides = [1]>"), NULL };
	const unsigned *const maps[] = { NULL, NULL };

	(void)state;
	assert_null(layout_cute_concat(ctx, layouts, 2));
	assert_null(layout_nested_recombine(ctx, operands, maps, 2, NULL, 1));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	layout_cute_free(layouts[0]);
	assert_true(layout_context_free(ctx));
}

static void storages_may_be_null(void **state)
{
	int64_t shape[LAYOUT_STORAGE_SLOTS];

	(void)state;
	layout_storage_free(NULL);
	assert_null(layout_storage_packed(NULL, 2, sizes));
	assert_null(layout_storage_copy(NULL));
	assert_null(layout_storage_str(NULL));
	assert_null(layout_storage_context(NULL));
	assert_int_equal(layout_storage_get_kind(NULL), LAYOUT_STORAGE_ROW_MAJOR);
	assert_int_equal(layout_storage_rank(NULL), 0);
	assert_null(layout_storage_size_name(NULL, 0));
	assert_null(layout_storage_size(NULL, 0));
	assert_null(layout_storage_relation(NULL));
	assert_null(layout_storage_cells(NULL));
	assert_null(layout_storage_padding_boxes(NULL));
	assert_null(layout_storage_padding(NULL));
	assert_null(layout_storage_padding_count(NULL));
	assert_null(layout_storage_cell_count(NULL));
	assert_false(layout_storage_shape(NULL, nameless, 1, shape));
	assert_int_equal(layout_storage_memory_shape(NULL, nameless, 1, shape), -1);
	assert_int_equal(layout_storage_elements(NULL, nameless, 1), -1);
	assert_int_equal(layout_storage_bytes(NULL, "f32", nameless, 1), -1);
	assert_null(layout_storage_byte_count(NULL, "f32"));
}

/* The shape of a memory that has more dimensions than there is room for. */
static void shapes_have_room(void **state)
{
	const char *ones[LAYOUT_STORAGE_SLOTS + 1];
	int64_t shape[LAYOUT_STORAGE_SLOTS + 1];

	(void)state;
	for (unsigned i = 0; i <= LAYOUT_STORAGE_SLOTS; i++)
		ones[i] = "1";
	for (unsigned rank = LAYOUT_STORAGE_SLOTS; rank <= LAYOUT_STORAGE_SLOTS + 1; rank++) {
		layout_context *ctx = layout_context_new();
		layout_storage *storage = layout_storage_row_major(ctx, rank, ones);
		bool fits = rank <= LAYOUT_STORAGE_SLOTS;

		shape[LAYOUT_STORAGE_SLOTS] = -1;
		assert_non_null(storage);
		assert_int_equal(layout_storage_memory_shape(storage, NULL, 0, shape),
			fits ? (int)rank : -1);
		assert_int_equal(layout_context_error(ctx), fits ? LAYOUT_ERROR_NONE :
			LAYOUT_ERROR_UNSUPPORTED);
		assert_int_equal(shape[LAYOUT_STORAGE_SLOTS], -1);
		assert_int_equal(layout_storage_elements(storage, NULL, 0), 1);
		layout_storage_free(storage);
		assert_true(layout_context_free(ctx));
	}
}

static void remaps_may_be_null(void **state)
{
	(void)state;
	layout_remap_free(NULL);
	assert_null(layout_remap_copy(NULL));
	assert_null(layout_remap_str(NULL));
	assert_null(layout_remap_context(NULL));
	assert_null(layout_remap_source(NULL));
	assert_null(layout_remap_destination(NULL));
	assert_null(layout_remap_type(NULL));
	assert_int_equal(layout_remap_element_bytes(NULL), 0);
	assert_int_equal(layout_remap_element_bits(NULL), 0);
	assert_int_equal(layout_remap_destination_bits(NULL), 0);
	assert_null(layout_remap_destination_type(NULL));
	assert_null(layout_remap_new_converting(NULL, NULL, "f32", NULL, NULL));
	assert_int_equal(layout_remap_pad_bits(NULL), 0);
	assert_null(layout_remap_size_name(NULL, 0));
	assert_null(layout_remap_assume(NULL, "M > 0"));
	assert_null(layout_remap_relation(NULL));
	assert_int_equal(layout_remap_is_identity(NULL), LAYOUT_UNKNOWN);
}

static void values_may_be_null(void **state)
{
	(void)state;
	layout_value_free(NULL);
	assert_null(layout_value_str(NULL));
	assert_int_equal(layout_value_get_kind(NULL), LAYOUT_VALUE_RELATION);
	assert_string_equal(layout_value_kind_str((layout_value_kind)99), "unknown");
	assert_null(layout_value_relation(NULL));
	assert_null(layout_value_set(NULL));
	assert_null(layout_value_cute(NULL));
	assert_null(layout_value_nested(NULL));
	assert_null(layout_value_storage(NULL));
	assert_null(layout_value_remap(NULL));
	assert_null(layout_value_onto(NULL));
	assert_null(layout_value_from(NULL));
	assert_null(layout_value_size_name(NULL, 0));
	assert_null(layout_value_count(NULL));
	assert_false(layout_value_for_each(NULL, NULL, 0, NULL, NULL));
}

static void kernels_may_be_null(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_run run = LAYOUT_RUN_INIT;
	int64_t grid[3];
	size_t length;

	(void)state;
	layout_kernel_free(NULL);
	assert_null(layout_kernel_new(NULL, "host", NULL));
	assert_null(layout_kernel_emit(ctx, NULL, LAYOUT_EMIT_AST, NULL, 0, &length));
	assert_false(layout_kernel_grid(ctx, NULL, NULL, 0, grid));
	assert_false(layout_kernel_run(ctx, NULL, &run));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_null(layout_target_find(ctx, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
	assert_null(layout_target_find(NULL, NULL));
	assert_true(layout_context_free(ctx));
}

/* A launch whose size was not set has no room for what it is to get. */
static void launches_have_a_size(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx,
		"remap(row_major[8] -> row_major[8], type = f32)");
	layout_kernel *kernel = layout_kernel_new(remap, "gfx942", NULL);
	layout_launch launch = { 0 };

	(void)state;
	for (; launch.size < sizeof(launch); launch.size++) {
		assert_false(layout_kernel_launch(ctx, kernel, NULL, 0, &launch));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		layout_context_clear(ctx);
	}
	assert_true(layout_kernel_launch(ctx, kernel, NULL, 0, &launch));
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing_arguments_are_invalid),
		cmocka_unit_test(without_a_context_all_fails),
		cmocka_unit_test(numbers_outside_are_invalid),
		cmocka_unit_test(nested_lists_are_all_needed),
		cmocka_unit_test(encodings_need_their_lists),
		cmocka_unit_test(operations_stay_in_one_context),
		cmocka_unit_test(questions_stay_in_one_context),
		cmocka_unit_test(operations_pass_null_through),
		cmocka_unit_test(questions_about_null_are_unknown),
		cmocka_unit_test(relations_and_sets_may_be_null),
		cmocka_unit_test(cutes_nesteds_and_encodings_may_be_null),
		cmocka_unit_test(lists_pass_null_through),
		cmocka_unit_test(storages_may_be_null),
		cmocka_unit_test(shapes_have_room),
		cmocka_unit_test(remaps_may_be_null),
		cmocka_unit_test(values_may_be_null),
		cmocka_unit_test(kernels_may_be_null),
		cmocka_unit_test(launches_have_a_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
