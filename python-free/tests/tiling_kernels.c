/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Resolved encodings as kernels: packing, unpacking, and from one target's encoding to
 * another's, every byte against a model. */
#include "algebra/storage/encoding.h"
#include "support/random.h"
#include "support/relayout.h"
#include "support/share.h"
#include "support/tiling_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int64_t shapes[][MODEL_RANK] = {
	{ 37, 53, 3 }, { 1, 130, 2 }, { 129, 65, 1 }, { 0, 5, 2 },
};

/* The encoding's tiles and their parts in memory. */
static struct storage_model model_of(const layout_encoding *encoding)
{
	struct storage_model model = { .kind = MODEL_PACKED,
		.rank = encoding->outer_count };
	unsigned order[MODEL_DIGITS], part = 0;
	int64_t radices[MODEL_DIGITS];

	for (unsigned d = 0; d < model.rank; d++)
		model.outer[d] = (unsigned)encoding->outer_dims_perm[d];
	for (unsigned i = 0; i < encoding->inner_count; i++) {
		bool unit = encoding->inner_dims_pos[i] == LAYOUT_NO_DIM;

		for (unsigned k = 0; k < encoding->group_sizes[i]; k++)
			radices[k] = encoding->dims[part++].size;
		storage_model_split(&model, unit ? model.rank + model.units++ :
			(unsigned)encoding->inner_dims_pos[i], encoding->group_sizes[i],
			radices);
	}
	for (unsigned j = 0; j < encoding->dim_count; j++)
		order[j] = (unsigned)encoding->permutation[j];
	storage_model_order(&model, order);
	return model;
}

static layout_encoding *encoding_of(layout_context *ctx, const struct tiling_case *wanted,
	layout_missing missing)
{
	layout_resolve_options options = LAYOUT_RESOLVE_OPTIONS_INIT;
	layout_operand *operand = tiling_operand(ctx, wanted);
	layout_resolution *resolution;
	layout_encoding *encoding;

	options.missing = missing;
	resolution = layout_encoding_resolve_as(operand, wanted->target, &options);
	encoding = layout_resolution_encoding(resolution);
	assert_non_null(encoding);
	assert_true(encoding->dim_count > 0);
	layout_resolution_free(resolution);
	layout_operand_free(operand);
	return encoding;
}

static struct storage_model model_of_case(layout_context *ctx,
	const struct tiling_case *wanted, layout_missing missing)
{
	layout_encoding *encoding = encoding_of(ctx, wanted, missing);
	struct storage_model model = model_of(encoding);

	layout_encoding_free(encoding);
	return model;
}

/* A type of as many bits, which is all that a copy sees. */
static const struct relayout_element *element_of(const char *type)
{
	if (strstr(type, "f4"))
		return relayout_element("f4E2M1FN");
	if (strstr(type, "f8") || !strcmp(type, "i8"))
		return relayout_element("i8");
	if (strstr(type, "16"))
		return relayout_element("f16");
	return relayout_element(strstr(type, "64") ? "f64" : "f32");
}

/* Between the two, at some of the shapes. */
static void check(layout_context *ctx, const struct storage_model *from,
	const struct storage_model *to, const char *type, const char *target,
	unsigned count)
{
	struct relayout relayout = { .source = *from, .destination = *to,
		.element = element_of(type), .target = target };

	for (unsigned d = 0; d < from->rank; d++)
		snprintf(relayout.size[d], sizeof(relayout.size[d]), "%c", 'A' + d);
	assert_int_equal(relayout_check(ctx, &relayout, count, shapes), 0);
}

static void check_both_ways(layout_context *ctx, const struct tiling_case *wanted,
	layout_missing missing, const char *target, unsigned count)
{
	struct storage_model packed = model_of_case(ctx, wanted, missing);
	struct storage_model rows = { .kind = MODEL_ROW, .rank = packed.rank };
	const char *type = wanted->types[wanted->operand];

	check(ctx, &rows, &packed, type, target, count);
	check(ctx, &packed, &rows, type, target, count);
}

/* Every "step"-th case, beginning with another in each run. */
struct spread {
	unsigned number, step, done;
};

static void on_the_host(layout_context *ctx, const struct tiling_case *wanted, void *user)
{
	struct spread *spread = user;

	if (spread->number++ % spread->step)
		return;
	check_both_ways(ctx, wanted, (layout_missing)(spread->done % 2), "host",
		COUNT(shapes));
	spread->done++;
}

static void round_trips_on_the_host(void **state)
{
	layout_context *ctx = layout_context_new();
	const layout_tiling_target *target;
	/* one in so many */
	struct spread spread = { .step = 29 * 4 / share_count(4) };
	uint64_t seed = random_seed();

	(void)state;
	spread.number = random_below(&seed, spread.step);
	for (unsigned i = 0; (target = layout_tiling_target_at(i)); i++)
		for (unsigned s = 0; s < tiling_size_count &&
		     !strncmp(target->name, "gfx", 3); s++) {
			tiling_each(ctx, target, &tiling_plain, tiling_sizes[s],
				on_the_host, &spread);
			tiling_each(ctx, target, &tiling_scaled, tiling_sizes[s],
				on_the_host, &spread);
			tiling_each(ctx, target, &tiling_forms[i % tiling_form_count],
				tiling_sizes[s], on_the_host, &spread);
		}
	printf("%u encodings\n", spread.done);
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *target;
	const char *types[3];
	unsigned size, operand;
} simulated[] = {
	{ "gfx908", { "f16", "f16", "f32" }, 0, 2 },
	{ "gfx90a", { "f64", "f64", "f64" }, 0, 0 },
	{ "gfx942", { "f32", "f32", "f32" }, 0, 0 },
	{ "gfx942", { "i8", "i8", "i32" }, 2, 1 },
	{ "gfx950", { "f8E4M3FN", "f8E4M3FN", "f32" }, 3, 1 },
	{ "gfx1100", { "f16", "f16", "f16" }, 0, 2 },
	{ "gfx1200", { "bf16", "bf16", "f32" }, 0, 0 },
	{ "gfx1250", { "f16", "f16", "f32" }, 3, 0 },
};

static struct tiling_case case_of(layout_context *ctx, unsigned i)
{
	struct tiling_case wanted = { layout_tiling_target_find(ctx, simulated[i].target),
		&tiling_plain, { NULL }, tiling_sizes[simulated[i].size],
		simulated[i].operand };

	memcpy(wanted.types, simulated[i].types, sizeof(simulated[i].types));
	return wanted;
}

static void round_trips_in_the_simulator(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(simulated); i++) {
		struct tiling_case wanted = case_of(ctx, i);

		check_both_ways(ctx, &wanted, LAYOUT_MISSING_KEEP,
			wanted.target->instructions_of, 2);
	}
	assert_true(layout_context_free(ctx));
}

/* What a vector is tiled to: with and without the loop that the product lacks, into each
 * other, on a device and on the host. */
static void vectors(void **state)
{
	static const struct {
		const char *target;
		unsigned form, operand;
	} rows[] = {
		{ "gfx950", 2, 1 }, { "gfx942", 2, 2 }, { "gfx1100", 3, 0 }, { "gfx942", 3, 2 },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++) {
		struct tiling_case wanted = {
			layout_tiling_target_find(ctx, rows[i].target),
			&tiling_forms[rows[i].form], { "f16", "f16", "f32" },
			tiling_sizes[i % 2], rows[i].operand };
		struct storage_model kept = model_of_case(ctx, &wanted,
			LAYOUT_MISSING_KEEP);
		struct storage_model dropped = model_of_case(ctx, &wanted,
			LAYOUT_MISSING_DROP);

		assert_int_equal(kept.units, 1);
		assert_int_equal(dropped.units, 0);
		check_both_ways(ctx, &wanted, LAYOUT_MISSING_KEEP, rows[i].target, 3);
		check_both_ways(ctx, &wanted, LAYOUT_MISSING_KEEP, "host", COUNT(shapes));
		check(ctx, &kept, &dropped, "f16", rows[i].target, 2);
		check(ctx, &dropped, &kept, "f16", "host", COUNT(shapes));
		check(ctx, &kept, &kept, "f16", rows[i].target, 2);
	}
	assert_true(layout_context_free(ctx));
}

/* One tensor on two devices: from what the first wants to what the second does. */
static void from_target_to_target(void **state)
{
	static const char *const pairs[][2] = {
		{ "gfx942", "gfx950" }, { "gfx1100", "gfx942" }, { "gfx950", "gfx1200" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(pairs); i++) {
		struct tiling_case wanted = { layout_tiling_target_find(ctx, pairs[i][0]),
			&tiling_plain, { "f16", "f16", "f32" }, tiling_sizes[0], i };
		struct storage_model first = model_of_case(ctx, &wanted,
			LAYOUT_MISSING_KEEP), second;

		wanted.target = layout_tiling_target_find(ctx, pairs[i][1]);
		second = model_of_case(ctx, &wanted, LAYOUT_MISSING_KEEP);
		check(ctx, &first, &second, wanted.types[i],
			wanted.target->instructions_of, 2);
		check(ctx, &first, &second, wanted.types[i], "host", COUNT(shapes));
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trips_on_the_host),
		cmocka_unit_test(round_trips_in_the_simulator),
		cmocka_unit_test(vectors),
		cmocka_unit_test(from_target_to_target),
	};

	cmocka_set_test_filter(getenv("LAYOUT_TEST_FILTER"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
