/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Encoded tiles are what the matrix instructions hold: for every target, all types that
 * an instruction of it takes, static, dynamic and narrow sizes, and every operand. */
#include "algebra/storage/encoding.h"
#include "algebra/tiling/resolution.h"
#include "algebra/tiling/swizzle.h"
#include "isl_bridge/relation.h"
#include "support/share.h"
#include "support/tiling_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void fail_case(layout_context *ctx, const struct tiling_case *wanted,
	const char *what)
{
	const char *message = layout_context_message(ctx);
	char text[TILING_TEXT];

	tiling_describe(wanted, text);
	fail_msg("%s: %s %s", text, what, message ? message : "");
}

static layout_resolution *resolve_as(layout_context *ctx,
	const struct tiling_case *wanted, layout_missing missing)
{
	layout_resolve_options options = LAYOUT_RESOLVE_OPTIONS_INIT;
	layout_operand *operand = tiling_operand(ctx, wanted);
	layout_resolution *resolution;

	options.missing = missing;
	resolution = layout_encoding_resolve_as(operand, wanted->target, &options);
	layout_operand_free(operand);
	if (!resolution || !layout_resolution_mma(resolution))
		fail_case(ctx, wanted, "is not tiled");
	return resolution;
}

static layout_resolution *resolve(layout_context *ctx, const struct tiling_case *wanted)
{
	return resolve_as(ctx, wanted, LAYOUT_MISSING_KEEP);
}

/* A product with a vector lacks a loop. */
static bool lacks_loop(const struct tiling_case *wanted)
{
	return strlen(wanted->form->loops) == 2;
}

static void check_agrees_as(layout_context *ctx, const struct tiling_case *wanted,
	layout_missing missing, void *user)
{
	layout_resolution *resolution = resolve_as(ctx, wanted, missing);
	layout_witness *witness;

	if (layout_resolution_agrees(resolution, &witness) != LAYOUT_YES)
		fail_case(ctx, wanted, witness ? witness->text : "no answer");
	assert_null(witness);
	layout_resolution_free(resolution);
	++*(unsigned *)user;
}

static void check_agrees(layout_context *ctx, const struct tiling_case *wanted,
	void *user)
{
	check_agrees_as(ctx, wanted, LAYOUT_MISSING_KEEP, user);
	if (lacks_loop(wanted))
		check_agrees_as(ctx, wanted, LAYOUT_MISSING_DROP, user);
}

static void agreement_of_every_target(void **state)
{
	layout_context *ctx = layout_context_new();
	const layout_tiling_target *target;
	unsigned count = 0;

	(void)state;
	for (unsigned i = 0; (target = layout_tiling_target_at(i)); i++)
		for (unsigned s = 0; s < tiling_size_count; s++) {
			if (!share_has(i, s, tiling_size_count))
				continue;
			tiling_each(ctx, target, &tiling_plain, tiling_sizes[s],
				check_agrees, &count);
			tiling_each(ctx, target, &tiling_scaled, tiling_sizes[s],
				check_agrees, &count);
		}
	printf("%u operands\n", count);
	assert_true(count > share_count(3000));
	assert_true(layout_context_free(ctx));
}

/* Chips are processors with their number of workgroup processors. */
static bool is_processor(const layout_tiling_target *target)
{
	return !strncmp(target->name, "gfx", 3);
}

static void agreement_of_every_form(void **state)
{
	layout_context *ctx = layout_context_new();
	const layout_tiling_target *target;
	unsigned count = 0;

	(void)state;
	for (unsigned i = 0; (target = layout_tiling_target_at(i)); i++)
		for (unsigned s = 0; s < tiling_size_count; s++)
			for (unsigned f = 0; f < tiling_form_count &&
			     is_processor(target); f++)
				if (share_has(i + s, f, tiling_form_count))
					tiling_each(ctx, target, &tiling_forms[f],
						tiling_sizes[s], check_agrees, &count);
	printf("%u operands\n", count);
	assert_true(layout_context_free(ctx));
}

/* Which elements of a tile each thread has, a byte each. */
struct held {
	int64_t wave, threads, sizes[TILING_LOOPS], elements;
	unsigned rank;
	unsigned char *has;		/* [thread][element] */
	bool twice;
};

static int64_t number_of(const struct held *held, const int64_t *element)
{
	int64_t number = 0;

	for (unsigned i = 0; i < held->rank; i++) {
		assert_in_range(element[i], 0, held->sizes[i] - 1);
		number = number * held->sizes[i] + element[i];
	}
	return number;
}

static void take(struct held *held, int64_t thread, const int64_t *element)
{
	unsigned char *has = held->has + thread * held->elements +
		number_of(held, element);

	held->twice = held->twice || *has;
	*has = 1;
}

static struct held held_new(const layout_resolution *resolution)
{
	const layout_tiled_mma *mma = &resolution->mma;
	struct held held = { .wave = resolution->wave_size, .elements = 1,
		.threads = resolution->wave_size * mma->subgroups_m * mma->subgroups_n *
			mma->subgroups_k,
		.rank = resolution->encoding->inner_count };

	for (unsigned i = 0; i < held.rank; i++) {
		held.sizes[i] = resolution->encoding->inner_tiles[i];
		held.elements *= held.sizes[i];
	}
	held.has = calloc((size_t)(held.threads * held.elements), 1);
	assert_non_null(held.has);
	return held;
}

static bool take_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct held *held = user;

	assert_int_equal(in_rank, 3);
	assert_int_equal(image_rank, held->rank);
	take(held, in[0] * held->wave + in[1], image);
	return true;
}

/* The coordinate of an element along a loop, by its row and column in the instruction's
 * matrix and the numbers of intrinsic and subgroup. */
static int64_t coordinate(const layout_resolution *resolution, layout_mma *mma,
	layout_loop loop, const int64_t image[3], const int64_t at[3],
	const int64_t subgroup[3])
{
	const layout_tiled_mma *tiled = &resolution->mma;
	layout_mma_shape shape = layout_mma_get_shape(mma);
	bool rhs = resolution->role == LAYOUT_MMA_RHS ||
		resolution->role == LAYOUT_MMA_RHS_SCALE;
	bool acc = resolution->role == LAYOUT_MMA_ACC;
	int64_t m = image[0], n = image[1], k = rhs ? image[0] : image[1], size = shape.k;

	if (layout_mma_has(mma, LAYOUT_MMA_LHS_SCALE)) {
		size /= 32;
		if (loop == LAYOUT_LOOP_KB)
			return k % 32;
		k /= resolution->role <= LAYOUT_MMA_RHS ? 32 : 1;
	}
	if (loop == LAYOUT_LOOP_M)
		return m + shape.m * (at[0] + tiled->intrinsics_m * subgroup[0]);
	if (loop == LAYOUT_LOOP_N)
		return n + shape.n * (at[1] + tiled->intrinsics_n * subgroup[1]);
	assert_false(acc);
	return k + size * (at[2] + tiled->intrinsics_k * subgroup[2]);
}

/* Rows and columns of what each lane has in each place of one instruction. */
struct places {
	unsigned lanes, elements;
	int64_t image[64][64][3];
};

static struct places *places_new(layout_mma *mma)
{
	struct places *places = malloc(sizeof(*places));

	assert_non_null(places);
	places->lanes = layout_mma_lanes(mma);
	places->elements = layout_mma_elements(mma);
	for (unsigned lane = 0; lane < places->lanes; lane++)
		for (unsigned e = 0; e < places->elements; e++)
			assert_int_equal(layout_mma_apply(mma, lane, e,
				places->image[lane][e]), 2);
	return places;
}

/* What the lanes of a subgroup have in all places of one instruction. */
static void take_instruction(struct held *held, const layout_resolution *resolution,
	layout_mma *mma, const struct places *places, const int64_t at[3],
	const int64_t subgroup[3])
{
	const layout_tiled_mma *tiled = &resolution->mma;
	int64_t number = (subgroup[0] * tiled->subgroups_n + subgroup[1]) *
		tiled->subgroups_k + subgroup[2];
	int64_t element[TILING_LOOPS];

	for (unsigned lane = 0; lane < places->lanes; lane++)
		for (unsigned e = 0; e < places->elements; e++) {
			for (unsigned i = 0; i < held->rank; i++)
				element[i] = coordinate(resolution, mma,
					resolution->inner[i], places->image[lane][e], at,
					subgroup);
			take(held, number * held->wave + lane, element);
		}
}

/* Every instruction that every subgroup does; one only for loops that the operand has
 * not. */
static void take_instructions(struct held *held, const layout_resolution *resolution,
	layout_mma *mma)
{
	const layout_tiled_mma *t = &resolution->mma;
	struct places *places = places_new(mma);
	bool has[TILING_LOOPS] = { false };
	int64_t at[3], s[3];

	for (unsigned i = 0; i < held->rank; i++)
		has[resolution->inner[i]] = true;
	for (s[0] = 0; s[0] < t->subgroups_m; s[0]++)
	for (s[1] = 0; s[1] < t->subgroups_n; s[1]++)
	for (s[2] = 0; s[2] < t->subgroups_k; s[2]++)
	for (at[0] = 0; at[0] < (has[LAYOUT_LOOP_M] ? t->intrinsics_m : 1); at[0]++)
	for (at[1] = 0; at[1] < (has[LAYOUT_LOOP_N] ? t->intrinsics_n : 1); at[1]++)
	for (at[2] = 0; at[2] < (has[LAYOUT_LOOP_K] ? t->intrinsics_k : 1); at[2]++)
		take_instruction(held, resolution, mma, places, at, s);
	free(places);
}

/* The distribution, point by point, against the instruction's elements. */
static void check_points(layout_context *ctx, const struct tiling_case *wanted,
	void *user)
{
	layout_resolution *resolution = resolve(ctx, wanted);
	struct held held = held_new(resolution), expected = held_new(resolution);
	layout_relation *relation = layout_resolution_distribution(resolution);
	layout_mma *mma = layout_mma_find(ctx, resolution->instruction, resolution->role,
		resolution->instructions_of);

	assert_true(layout_relation_for_each(relation, take_pair, &held));
	if (held.twice)
		fail_case(ctx, wanted, "a thread has an element twice");
	take_instructions(&expected, resolution, mma);
	if (memcmp(held.has, expected.has, (size_t)(held.threads * held.elements)) != 0)
		fail_case(ctx, wanted, "threads have other elements");
	layout_mma_free(mma);
	layout_relation_free(relation);
	free(held.has);
	free(expected.has);
	layout_resolution_free(resolution);
	++*(unsigned *)user;
}

static void points_of_one_instruction(void **state)
{
	static const int64_t sizes[] = { 255, 513 };
	layout_context *ctx = layout_context_new();
	const layout_tiling_target *target;
	unsigned count = 0;

	(void)state;
	for (unsigned i = 0; (target = layout_tiling_target_at(i)); i++) {
		if (!is_processor(target))
			continue;
		tiling_each(ctx, target, &tiling_plain, sizes, check_points, &count);
		tiling_each(ctx, target, &tiling_scaled, sizes, check_points, &count);
	}
	printf("%u operands\n", count);
	assert_true(layout_context_free(ctx));
}

/* Several instructions and subgroups, and operands that lack loops. */
static void points_of_repetitions(void **state)
{
	static const char *const targets[] = { "gfx908", "gfx1100" };
	layout_context *ctx = layout_context_new();
	unsigned count = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		const layout_tiling_target *target = layout_tiling_target_find(ctx,
			targets[i]);

		for (unsigned f = 0; f < tiling_form_count; f++)
			tiling_each(ctx, target, &tiling_forms[f], tiling_sizes[2],
				check_points, &count);
	}
	tiling_each(ctx, layout_tiling_target_find(ctx, "gfx90a"), &tiling_plain,
		tiling_sizes[3], check_points, &count);
	printf("%u operands\n", count);
	assert_true(layout_context_free(ctx));
}

/* A step that breaks an encoding; false where it would change nothing. */
typedef bool (*breakage)(layout_encoding *encoding);

static bool is_thread(const layout_encoding *encoding, unsigned part)
{
	return encoding->dims[part].kind == LAYOUT_DIM_CROSS_THREAD;
}

static void swap_parts(layout_encoding *encoding, unsigned a, unsigned b)
{
	layout_encoding_dim part = encoding->dims[a];

	encoding->dims[a] = encoding->dims[b];
	encoding->dims[b] = part;
}

/* Two parts across threads change places in memory. */
static bool break_order(layout_encoding *encoding)
{
	unsigned last = encoding->dim_count;

	for (unsigned j = encoding->dim_count; j--;) {
		int64_t part = encoding->permutation[j];

		if (!is_thread(encoding, (unsigned)part))
			continue;
		if (last < encoding->dim_count) {
			encoding->permutation[j] = encoding->permutation[last];
			encoding->permutation[last] = part;
			return true;
		}
		last = j;
	}
	return false;
}

/* Neighbours of one dimension change places in the coordinate. */
static bool break_group(layout_encoding *encoding)
{
	unsigned part = 0;

	for (unsigned i = 0; i < encoding->inner_count; i++, part++)
		for (unsigned k = 1; k < encoding->group_sizes[i]; k++, part++)
			if (is_thread(encoding, part) != is_thread(encoding, part + 1)) {
				swap_parts(encoding, part, part + 1);
				return true;
			}
	return false;
}

/* Twice as many threads have the same. */
static bool break_factor(layout_encoding *encoding)
{
	for (unsigned j = encoding->dim_count; j--;)
		if (is_thread(encoding, (unsigned)encoding->permutation[j])) {
			encoding->dims[encoding->permutation[j]].factor *= 2;
			return true;
		}
	return false;
}

/* What was across threads is in registers. */
static bool break_kind(layout_encoding *encoding)
{
	for (unsigned part = 0; part < encoding->dim_count; part++)
		if (is_thread(encoding, part)) {
			encoding->dims[part].kind = LAYOUT_DIM_INTERNAL;
			return true;
		}
	return false;
}

/* The witness is an element that only one of the two gives its thread. */
static void check_witness(layout_context *ctx, layout_resolution *resolution,
	const layout_witness *witness)
{
	struct held held = held_new(resolution), expected = held_new(resolution);
	layout_relation *relation = layout_resolution_distribution(resolution);
	layout_mma *mma = layout_mma_find(ctx, resolution->instruction, resolution->role,
		resolution->instructions_of);
	int64_t at;

	assert_non_null(witness);
	assert_int_equal(witness->ranks[0], 2);
	assert_int_equal(witness->ranks[1], held.rank);
	at = (witness->points[0][0] * held.wave + witness->points[0][1]) * held.elements +
		number_of(&held, witness->points[1]);
	assert_true(layout_relation_for_each(relation, take_pair, &held));
	take_instructions(&expected, resolution, mma);
	assert_int_not_equal(held.has[at], expected.has[at]);
	layout_mma_free(mma);
	layout_relation_free(relation);
	free(held.has);
	free(expected.has);
}

static void check_broken(layout_context *ctx, const struct tiling_case *wanted,
	void *user)
{
	static const breakage breakages[] = { break_order, break_group, break_factor,
		break_kind };
	layout_witness *witness;

	for (size_t i = 0; i < COUNT(breakages); i++) {
		layout_resolution *resolution = resolve(ctx, wanted);

		if (breakages[i](resolution->encoding)) {
			if (layout_resolution_agrees(resolution, &witness) != LAYOUT_NO)
				fail_case(ctx, wanted, "agrees although it is broken");
			check_witness(ctx, resolution, witness);
			layout_witness_free(witness);
			++*(unsigned *)user;
		}
		layout_resolution_free(resolution);
	}
}

static void broken_encodings(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx1100" };
	layout_context *ctx = layout_context_new();
	unsigned count = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		const layout_tiling_target *target = layout_tiling_target_find(ctx,
			targets[i]);

		tiling_each(ctx, target, &tiling_plain, tiling_sizes[2], check_broken,
			&count);
		tiling_each(ctx, target, &tiling_forms[1], tiling_sizes[2], check_broken,
			&count);
	}
	printf("%u operands\n", count);
	assert_true(layout_context_free(ctx));
}

/* Formulas of sizes: integers, names, + - * ceil(a/b) and parentheses. */
struct formula {
	const char *at;
	const layout_size *sizes;
	unsigned count;
};

static int64_t sum(struct formula *formula);

static int64_t factor(struct formula *formula)
{
	int64_t value;

	if (*formula->at >= '0' && *formula->at <= '9')
		return strtoll(formula->at, (char **)(uintptr_t)&formula->at, 10);
	if (!strncmp(formula->at, "ceil", 4))
		formula->at += 4;
	if (*formula->at == '(') {
		formula->at++;
		value = sum(formula);
		if (*formula->at == '/') {
			int64_t by = strtoll(formula->at + 1,
				(char **)(uintptr_t)&formula->at, 10);

			value = (value + by - 1) / by;
		}
		assert_int_equal(*formula->at++, ')');
		return value;
	}
	for (unsigned i = 0; i < formula->count; i++)
		if (*formula->at == *formula->sizes[i].name) {
			formula->at++;
			return formula->sizes[i].value;
		}
	fail_msg("what is %s", formula->at);
	return 0;
}

static int64_t product(struct formula *formula)
{
	int64_t value = factor(formula);

	while (*formula->at == '*') {
		formula->at++;
		value *= factor(formula);
	}
	return value;
}

static int64_t sum(struct formula *formula)
{
	int64_t value = product(formula);

	while (!strncmp(formula->at, " + ", 3) || !strncmp(formula->at, " - ", 3)) {
		bool minus = formula->at[1] == '-';

		formula->at += 3;
		value += minus ? -product(formula) : product(formula);
	}
	return value;
}

static int64_t evaluate(char *text, const layout_size *sizes, unsigned count)
{
	struct formula formula = { text, sizes, count };
	int64_t value;

	assert_non_null(text);
	value = sum(&formula);
	assert_int_equal(*formula.at, 0);
	layout_string_free(text);
	return value;
}

/* Repetitions that no target asks for: of any number, in all dimensions, by subgroups
 * along K too, inside the lanes or around the tile. */
static void check_repetitions(layout_context *ctx, const layout_tiled_mma *mma,
	layout_mma_operand role, const char *target, unsigned wave)
{
	int64_t inner[SWIZZLE_GROUPS] = { 0, 1, 2 };
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	struct layout_resolution resolution = { .ctx = ctx, .role = role,
		.wave_size = wave, .instruction = (char *)(uintptr_t)mma->instruction,
		.instructions_of = (char *)(uintptr_t)target, .mma = *mma, .bitcast = 1,
		.bitcast_of = 1 };
	layout_mma *found = layout_mma_find(ctx, mma->instruction, role, target);
	layout_witness *witness = NULL;
	struct swizzle_lists lists;
	struct tile_swizzle swizzle;

	assert_non_null(found);
	assert_true(swizzle_of_mma(ctx, found->row, role, role, mma, &swizzle));
	swizzle_describe(&swizzle, &lists, &desc);
	desc.inner_dims_pos = inner;
	for (unsigned i = 0; i < swizzle.group_count; i++)
		resolution.inner[i] = swizzle.loops[i];
	resolution.encoding = layout_encoding_new(ctx, &desc);
	if (layout_resolution_agrees(&resolution, &witness) != LAYOUT_YES)
		fail_msg("%s %s: %s", target, mma->instruction,
			witness ? witness->text : layout_context_message(ctx));
	layout_encoding_free(resolution.encoding);
	layout_mma_free(found);
}

static void agreement_of_all_repetitions(void **state)
{
	static const struct {
		const char *target, *instruction;
		unsigned wave, roles;
	} rows[] = {
		{ "gfx942", "MFMA_F32_16x16x16_F16", 64, 3 },
		{ "gfx942", "MFMA_F32_32x32x8_F16", 64, 3 },
		{ "gfx1100", "WMMAR3_F16_16x16x16_F16", 32, 3 },
		{ "gfx950", "MFMA_SCALE_F32_32x32x64_B32", 64, 5 },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		for (unsigned n = 0; n < rows[i].roles * 27 * 8 * 2; n++) {
			unsigned at = n / rows[i].roles, of = at / 27;
			unsigned set = of / 8 ? 31 : 0;
			layout_tiled_mma mma = { rows[i].instruction, at % 3 + 1,
				of % 2 + 1, at / 3 % 3 + 1, of / 2 % 2 + 1,
				at / 9 % 3 + 1, of / 4 % 2 + 1, set, set, set };

			if (share_has(at, n % rows[i].roles, rows[i].roles))
				check_repetitions(ctx, &mma, n % rows[i].roles,
					rows[i].target, rows[i].wave);
		}
	assert_true(layout_context_free(ctx));
}

static const char *const matmul_maps[] = { "affine_map<(m, n, k) -> (m, k)>",
	"affine_map<(m, n, k) -> (k, n)>", "affine_map<(m, n, k) -> (m, n)>" };
static const char *const matvec_maps[] = { "affine_map<(m, k) -> (m, k)>",
	"affine_map<(m, k) -> (k)>", "affine_map<(m, k) -> (m)>" };
static const char *const vecmat_maps[] = { "affine_map<(n, k) -> (k)>",
	"affine_map<(n, k) -> (k, n)>", "affine_map<(n, k) -> (n)>" };

/* A tensor of the operand's type that is stored as another one. */
static layout_resolution *resolve_bitcast(layout_context *ctx, const char *target,
	const char *type, const char *const *maps, unsigned index, const char *stored)
{
	static const unsigned counts[] = { 1, 1, 1 };
	const char *types[] = { type, type, "f32" };
	layout_operand_desc desc = LAYOUT_OPERAND_DESC_INIT;
	layout_resolution *resolution;
	layout_operand *operand;

	desc.operand_index = index;
	desc.type_count = desc.map_operands = 3;
	desc.element_types = types;
	desc.original_type = types[index];
	desc.stored_type = stored;
	desc.map_counts = counts;
	desc.maps = maps;
	operand = layout_operand_new(ctx, &desc);
	resolution = layout_encoding_resolve(operand,
		layout_tiling_target_find(ctx, target), LAYOUT_RESOLVER_DATA_TILING);
	layout_operand_free(operand);
	return resolution;
}

/* Elements of the instruction that are several stored ones, or several that are one. */
static void agreement_after_bitcasts(void **state)
{
	static const struct {
		const char *target, *type, *stored;
		unsigned operand;
		const char *const *maps;	/* NULL: of a matmul */
	} rows[] = {
		{ "gfx942", "f16", "f32", 1, matvec_maps },
		{ "gfx950", "f16", "i8", 0, vecmat_maps },
		{ "gfx942", "f16", "f16", 2, matvec_maps },
		{ "gfx1200", "f16", "i8", 2, matvec_maps },
		{ "gfx942", "f16", "i8", 2, vecmat_maps },
		{ "gfx942", "f16", "f32", 1 }, { "gfx942", "f16", "f64", 0 },
		{ "gfx942", "f16", "i8", 0 }, { "gfx942", "f32", "i8", 0 },
		{ "gfx942", "f32", "f16", 1 }, { "gfx950", "f8E4M3FN", "f64", 0 },
		{ "gfx950", "f8E4M3FN", "i4", 1 }, { "gfx1100", "f16", "f64", 0 },
		{ "gfx1200", "bf16", "i32", 1 }, { "gfx1250", "f32", "f64", 1 },
		{ "gfx1250", "f32", "u16", 0 },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_resolution *resolution = resolve_bitcast(ctx, rows[i].target,
			rows[i].type, rows[i].maps ? rows[i].maps : matmul_maps,
			rows[i].operand, rows[i].stored);
		layout_witness *witness = NULL;

		assert_non_null(resolution);
		if (layout_resolution_agrees(resolution, &witness) != LAYOUT_YES)
			fail_msg("%s %s as %s: %s", rows[i].target, rows[i].type,
				rows[i].stored, witness ? witness->text :
				layout_context_message(ctx));
		layout_resolution_free(resolution);
	}
	assert_true(layout_context_free(ctx));
}

static void without_an_instruction(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_resolution *resolution = resolve_bitcast(ctx, "gfx942", "i2",
		matmul_maps, 0, NULL);
	layout_witness *witness;

	(void)state;
	assert_non_null(resolution);
	assert_null(layout_resolution_mma(resolution));
	assert_null(layout_resolution_distribution(resolution));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NO_ANSWER);
	layout_context_clear(ctx);
	assert_int_equal(layout_resolution_agrees(resolution, &witness), LAYOUT_UNKNOWN);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NO_ANSWER);
	assert_null(witness);
	layout_resolution_free(resolution);
	assert_int_equal(layout_resolution_agrees(NULL, NULL), LAYOUT_UNKNOWN);
	assert_null(layout_resolution_distribution(NULL));
	assert_true(layout_context_free(ctx));
}

/* The encodings that were looked at. */
struct seen {
	char *texts[4096];
	unsigned count;
};

static bool is_new(struct seen *seen, char *text)
{
	for (unsigned i = 0; i < seen->count; i++)
		if (!strcmp(seen->texts[i], text)) {
			layout_string_free(text);
			return false;
		}
	assert_in_range(seen->count, 0, COUNT(seen->texts) - 1);
	seen->texts[seen->count++] = text;
	return true;
}

/* Cells with an element, and those of the padding. */
struct cells {
	unsigned char *used;
	int64_t shape[LAYOUT_STORAGE_SLOTS], all, elements, padding;
	int rank;
};

static void use_cell(struct cells *cells, const int64_t *cell)
{
	int64_t number = 0;

	for (int i = 0; i < cells->rank; i++) {
		assert_in_range(cell[i], 0, cells->shape[i] - 1);
		number = number * cells->shape[i] + cell[i];
	}
	assert_int_equal(cells->used[number], 0);
	cells->used[number] = 1;
}

static bool use_element(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct cells *cells = user;

	(void)in;
	(void)in_rank;
	assert_int_equal(image_rank, cells->rank);
	use_cell(cells, image);
	cells->elements++;
	return true;
}

static bool use_padding(void *user, const int64_t *point, unsigned rank)
{
	struct cells *cells = user;

	assert_int_equal(rank, cells->rank);
	use_cell(cells, point);
	cells->padding++;
	return true;
}

/* Larger storages are only counted. */
#define MOST_CELLS 5000

/* Elements and padding fill the cells, each once. */
static void look_at_cells(struct cells *cells, layout_relation *relation,
	layout_set *padding)
{
	cells->used = calloc((size_t)cells->all, 1);
	assert_non_null(cells->used);
	assert_true(layout_relation_for_each(relation, use_element, cells));
	assert_true(layout_set_for_each(padding, use_padding, cells));
	assert_int_equal(cells->elements + cells->padding, cells->all);
	free(cells->used);
}

/* Elements and padding are as many as formulas say. */
static void check_cells(layout_context *ctx, layout_storage *storage, unsigned rank)
{
	static const layout_size sizes[] = { { "A", 37 }, { "B", 53 }, { "C", 3 } };
	static const int64_t elements[] = { 1, 37, 37 * 53, 37 * 53 * 3 };
	layout_relation *relation = layout_relation_fix(layout_storage_relation(storage),
		sizes, rank);
	layout_set *padding = layout_set_fix(layout_storage_padding(storage), sizes,
		rank);
	struct cells cells = { .all = 1 };

	cells.rank = layout_storage_memory_shape(storage, sizes, rank, cells.shape);
	for (int i = 0; i < cells.rank; i++)
		cells.all *= cells.shape[i];
	if (cells.all <= MOST_CELLS) {
		look_at_cells(&cells, relation, padding);
		assert_int_equal(cells.elements, elements[rank]);
	}
	assert_int_equal(evaluate(layout_storage_padding_count(storage), sizes, rank),
		cells.all - elements[rank]);
	assert_int_equal(evaluate(layout_storage_cell_count(storage), sizes, rank),
		cells.all);
	assert_int_equal(layout_storage_bytes(storage, "f6E2M3FN", sizes, rank),
		(6 * cells.all + 7) / 8);
	assert_int_equal(evaluate(layout_storage_byte_count(storage, "f16"), sizes, rank),
		2 * cells.all);
	assert_int_equal(evaluate(layout_storage_byte_count(storage, "u2"), sizes, rank),
		(2 * cells.all + 7) / 8);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	layout_set_free(padding);
	layout_relation_free(relation);
}

static void check_storage(layout_context *ctx, const struct tiling_case *wanted,
	void *user)
{
	static const char *const sizes[] = { "A", "B", "C" };
	layout_resolution *resolution = resolve(ctx, wanted);
	layout_encoding *encoding = layout_resolution_encoding(resolution);
	unsigned rank = encoding->outer_count;
	layout_storage *storage;
	layout_relation *relation;

	layout_resolution_free(resolution);
	if (!is_new(user, layout_encoding_str(encoding))) {
		layout_encoding_free(encoding);
		return;
	}
	storage = layout_storage_packed(encoding, rank, sizes);
	relation = layout_storage_relation(storage);
	assert_int_equal(layout_relation_is_injective(relation, NULL), LAYOUT_YES);
	check_cells(ctx, storage, rank);
	layout_relation_free(relation);
	layout_storage_free(storage);
}

/* Each encoding once. */
static void cells_of_every_encoding(void **state)
{
	layout_context *ctx = layout_context_new();
	struct seen *seen = calloc(1, sizeof(*seen));
	const layout_tiling_target *target;

	(void)state;
	assert_non_null(seen);
	for (unsigned i = 0; (target = layout_tiling_target_at(i)); i++)
		for (unsigned s = 0; s < tiling_size_count && is_processor(target); s++) {
			if (!share_has(i, s, tiling_size_count))
				continue;
			tiling_each(ctx, target, &tiling_plain, tiling_sizes[s],
				check_storage, seen);
			tiling_each(ctx, target, &tiling_scaled, tiling_sizes[s],
				check_storage, seen);
			tiling_each(ctx, target, &tiling_forms[i % tiling_form_count],
				tiling_sizes[s], check_storage, seen);
		}
	printf("%u encodings\n", seen->count);
	while (seen->count)
		layout_string_free(seen->texts[--seen->count]);
	free(seen);
	assert_true(layout_context_free(ctx));
}

static void bytes(void **state)
{
	static const struct {
		const char *storage, *type;
		int64_t bytes;		/* for M = 5; -1: an error */
		const char *formula;	/* NULL: none */
	} rows[] = {
		{ "row_major[3, M]", "f32", 60, "4*3*M" },
		{ "row_major[3, M]", "i8", 15, "3*M" },
		{ "row_major[3, M]", "i4", 8, "ceil(4*3*M/8)" },
		{ "row_major[3, M]", "u2", 4, "ceil(2*3*M/8)" },
		{ "row_major[3, M]", "f6E2M3FN", 12, "ceil(6*3*M/8)" },
		{ "strided[3, M : 7, 1]", "i4", 10, NULL },
		{ "packed(encoding_info<{innerDimsPos = [0], innerTileSizes = [4]}>, "
		  "[M])", "f64", 64, "8*4*ceil(M/4)" },
		{ "row_major[3, M]", "f31", -1, NULL },
		{ "row_major[3, N]", "f32", -1, "4*3*N" },
		{ "row_major[2000000000, 2000000000, M]", "i8", -1,
		  "4000000000000000000*M" },
		{ "row_major[1000000000, 1000000000, M]", "i16", -1,
		  "2*1000000000000000000*M" },
	};
	static const layout_size sizes[] = { { "M", 5 } };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_storage *storage = layout_storage_parse(ctx, rows[i].storage);
		char *formula = layout_storage_byte_count(storage, rows[i].type);

		assert_int_equal(formula != NULL, rows[i].formula != NULL);
		if (formula)
			assert_string_equal(formula, rows[i].formula);
		layout_context_clear(ctx);
		assert_int_equal(layout_storage_bytes(storage, rows[i].type, sizes, 1),
			rows[i].bytes);
		assert_int_equal(layout_context_error(ctx) != LAYOUT_ERROR_NONE,
			rows[i].bytes < 0);
		layout_context_clear(ctx);
		layout_string_free(formula);
		layout_storage_free(storage);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agreement_of_every_target),
		cmocka_unit_test(agreement_of_every_form),
		cmocka_unit_test(agreement_of_all_repetitions),
		cmocka_unit_test(agreement_after_bitcasts),
		cmocka_unit_test(without_an_instruction),
		cmocka_unit_test(points_of_one_instruction),
		cmocka_unit_test(points_of_repetitions),
		cmocka_unit_test(broken_encodings),
		cmocka_unit_test(cells_of_every_encoding),
		cmocka_unit_test(bytes),
	};

	cmocka_set_test_filter(getenv("LAYOUT_TEST_FILTER"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
