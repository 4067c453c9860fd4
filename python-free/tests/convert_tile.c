/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* convert_tile(FROM -> TO): every register of the result, against owners that are written
 * here as formulas. */
#include "convert_tile/pairs.h"
#include "support/program_data.h"
#include "support/share.h"

#include <layout/codegen.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* The element that a register of a thread holds, as row << 16 | column. */
typedef unsigned holds(unsigned thread, unsigned reg);

static unsigned at(unsigned row, unsigned column)
{
	return row << 16 | column;
}

static unsigned acc16(unsigned t, unsigned r)
{
	return at(t / 16 * 4 + r, t % 16);
}

static unsigned lhs16(unsigned t, unsigned r)
{
	return at(t % 16, t / 16 * 4 + r);
}

static unsigned blocked16(unsigned t, unsigned r)
{
	return at(t / 4, t % 4 * 4 + r);
}

static unsigned blocked64(unsigned t, unsigned r)
{
	return at(t / 4, t % 4 * 4 + r % 4 + r / 4 * 16);
}

/* Elements of a column of 16 are in no four registers that follow each other. */
static unsigned mixed64(unsigned t, unsigned r)
{
	static const unsigned lanes[] = { 5 << 16 | 34, 28, 1 << 16 | 4, 2 << 16 | 1, 1 << 16,
		8 << 16 };
	static const unsigned registers[] = { 1 << 16 | 6, 3 << 16 | 35, 1 << 16 | 12, 2 << 16 };
	unsigned element = 0;

	for (unsigned bit = 0; bit < 6; bit++)
		element ^= t >> bit & 1 ? lanes[bit] : 0;
	for (unsigned bit = 0; bit < 4; bit++)
		element ^= r >> bit & 1 ? registers[bit] : 0;
	return element;
}

/* Both halves of a wave of 32 hold the same. */
static unsigned twice16(unsigned t, unsigned r)
{
	return at(t % 16, r);
}

static unsigned swizzled16(unsigned t, unsigned r)
{
	unsigned row = t / 4;

	return at(row, ((t % 4) ^ (row % 4)) * 4 + (r ^ (row / 4)));
}

static unsigned threads16(unsigned t, unsigned r)
{
	return at(t / 16 + 4 * r, t % 16);
}

static unsigned turned16(unsigned t, unsigned r)
{
	return at(r / 2 * 8 + t / 8, r % 2 * 8 + t % 8);
}

/* Two waves, of a tile of 32 x 48. */
static unsigned acc32(unsigned t, unsigned r)
{
	return at(t / 64 * 16 + acc16(t % 64, r % 4) / 65536, r / 4 * 16 + t % 16);
}

static unsigned thirds32(unsigned t, unsigned r)
{
	return at(t / 4, r / 3 + t % 4 * 4 + r % 3 * 16);
}

/* Batches of 8 rows and of 24 columns, of which a thread has 3. */
static unsigned batches32(unsigned t, unsigned r)
{
	return at(t / 64 * 16 + r / 6 * 8 + t % 64 / 8, r / 3 % 2 * 24 + t % 8 * 3 + r % 3);
}

/* One wave holds it all. */
static unsigned single32(unsigned t, unsigned r)
{
	return at(t / 2, t % 2 * 24 + r);
}

static const struct owner_row {
	const char *text;
	unsigned rows, columns, threads, registers;
	unsigned wave;		/* lanes that it needs; 0: 32 will do */
	holds *holds;
} owners[] = {
	{ "mma<MFMA_F32_16x16x16_F16, acc>", 16, 16, 64, 4, 64, acc16 },
	{ "mma<MFMA_F32_16x16x16_F16, lhs>", 16, 16, 64, 4, 64, lhs16 },
	{ "distribute(#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [16, 4], "
		"warpsPerCTA = [1, 1], order = [1, 0]}>, [16, 16])", 16, 16, 64, 4, 64,
		blocked16 },
	{ "mma<v_wmma_f32_16x16x16_f16, lhs, gfx1100>", 16, 16, 32, 16, 0, twice16 },
	{ "linear<{lane = [[0, 4], [0, 8], [1, 4], [2, 8], [4, 1], [8, 2]], "
		"register = [[0, 1], [0, 2]]}>", 16, 16, 64, 4, 64, swizzled16 },
	{ "nested_layout<subgroup_tile = [1, 1], batch_tile = [4, 1], outer_tile = [1, 1], "
		"thread_tile = [4, 16], element_tile = [1, 1], subgroup_strides = [0, 0], "
		"thread_strides = [16, 1]>", 16, 16, 64, 4, 64, threads16 },
	{ "{ [r, lane] -> [8*floor(r/2) + floor(lane/8), 8*(r mod 2) + lane mod 8] : "
		"0 <= r < 4 and 0 <= lane < 64 }", 16, 16, 64, 4, 64, turned16 },
	{ "mma<MFMA_F32_16x16x16_F16, acc> * [1, 3] over [2, 1]", 32, 48, 128, 12, 64, acc32 },
	{ "{ [thread, r] -> [floor(thread/4), floor(r/3) + 4*(thread mod 4) + 16*(r mod 3)] : "
		"0 <= thread < 128 and 0 <= r < 12 }", 32, 48, 128, 12, 64, thirds32 },
	{ "nested_layout<subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [1, 1], "
		"thread_tile = [8, 8], element_tile = [1, 3], subgroup_strides = [1, 0], "
		"thread_strides = [8, 1]>", 32, 48, 128, 12, 64, batches32 },
	{ "{ [lane, r] -> [floor(lane/2), 24*(lane mod 2) + r] : 0 <= lane < 64 and "
		"0 <= r < 24 }", 32, 48, 64, 24, 64, single32 },
	{ "distribute(#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [16, 4], "
		"warpsPerCTA = [1, 1], order = [1, 0]}>, [16, 64])", 16, 64, 64, 16, 64,
		blocked64 },
	{ "linear<{register = [[1, 6], [3, 35], [1, 12], [2, 0]], lane = [[5, 34], [0, 28], "
		"[1, 4], [2, 1], [1, 0], [8, 0]], warp = []}>", 16, 64, 64, 16, 64, mixed64 },
};

/* The first register that holds it. */
static unsigned find(const struct owner_row *owner, unsigned element)
{
	unsigned n = 0;

	while (owner->holds(n / owner->registers, n % owner->registers) != element)
		assert_true(++n < owner->threads * owner->registers);
	return n;
}

static const char *const types[] = { "f16", "i8", "f32", "i4", "f64" };

static struct program_data make(layout_context *ctx, const struct owner_row *from,
	const struct owner_row *to, const char *type)
{
	char text[1024];
	struct program_data data;

	snprintf(text, sizeof(text), "convert_tile(%s -> %s, type = %s)", from->text, to->text,
		type);
	data = program_data_new(ctx, text, NULL);
	assert_int_equal(layout_program_verify(data.program, NULL, NULL), LAYOUT_YES);
	return data;
}

/* Elements that tell registers apart as far as their bits can. */
static uint64_t bits_of(const struct program_data *data, unsigned n)
{
	unsigned bits = data->type[0]->bits;
	uint64_t value = (uint64_t)(n * 2654435761u >> 7) << 32 | (n * 40503u + n / 3);

	return bits < 64 ? value & (((uint64_t)1 << bits) - 1) : value;
}

static void fill(const struct program_data *data, const struct owner_row *from)
{
	for (unsigned n = 0; n < from->threads * from->registers; n++)
		program_data_set_bits(data, 0, n, bits_of(data, n));
}

static void expect(const struct program_data *data, const struct owner_row *from,
	const struct owner_row *to, const char *engine)
{
	for (unsigned t = 0; t < to->threads; t++)
		for (unsigned r = 0; r < to->registers; r++) {
			unsigned n = find(from, to->holds(t, r));

			if (program_data_bits(data, 1, t * to->registers + r) !=
			    bits_of(data, n))
				fail_msg("%s -> %s of %s, %s: thread %u, register %u",
					from->text, to->text, data->type[0]->name, engine, t,
					r);
		}
}

static void run(const struct program_data *data, const char *target)
{
	layout_kernel *kernel = layout_kernel_new_program(data->program, target, NULL);
	layout_run how = LAYOUT_RUN_INIT;

	how.buffers = data->buffers;
	how.buffer_count = data->count;
	if (!kernel || !layout_kernel_run(data->ctx, kernel, &how))
		fail_msg("%s: %s", target, layout_context_message(data->ctx));
	layout_kernel_free(kernel);
}

static void check(layout_context *ctx, const struct owner_row *from,
	const struct owner_row *to, const char *type, const char *target)
{
	struct program_data data = make(ctx, from, to, type);

	fill(&data, from);
	if (target)
		run(&data, target);
	else
		program_data_eval(&data);
	expect(&data, from, to, target ? target : "evaluated");
	program_data_free(&data);
}

static bool fits(const struct owner_row *from, const struct owner_row *to)
{
	return from->rows == to->rows && from->columns == to->columns;
}

/* All pairs, as types that they take in turn. */
static void check_all(layout_context *ctx, const char *target, unsigned wave,
	unsigned first)
{
	unsigned turn = 0;

	for (unsigned f = 0; f < COUNT(owners); f++)
		for (unsigned t = 0; t < COUNT(owners); t++)
			if (fits(&owners[f], &owners[t]) &&
			    (wave == 64 || !(owners[f].wave + owners[t].wave)) &&
			    share_has(first, turn++, 3))
				check(ctx, &owners[f], &owners[t],
					types[turn % COUNT(types)], target);
	assert_true(turn);
}

static void test_meaning(void **state)
{
	check_all(*state, NULL, 64, 0);
}

static void test_host(void **state)
{
	check_all(*state, "host", 64, 1);
}

static void test_lanes(void **state)
{
	check_all(*state, "gfx942", 64, 0);
	check_all(*state, "gfx1100:wave64", 64, 1);
	check_all(*state, "gfx1200", 32, 0);
	check_all(*state, "sm_90", 32, 2);
}

/* Every type for a few pairs. */
static void test_types(void **state)
{
	for (unsigned i = 0; i < COUNT(types); i++) {
		check(*state, &owners[0], &owners[1], types[i], "gfx942");
		check(*state, &owners[4], &owners[0], types[i], "gfx950");
		check(*state, &owners[8], &owners[7], types[i], "gfx90a");
		check(*state, &owners[COUNT(owners) - 2], &owners[COUNT(owners) - 1], types[i],
			"gfx950");
	}
}

static char *plan_of(const struct program_data *data)
{
	layout_kernel *kernel = layout_kernel_new_program(data->program, "gfx942", NULL);
	size_t length;
	char *text = layout_kernel_emit(data->ctx, kernel, LAYOUT_EMIT_PROGRAM, NULL, 0,
		&length);

	assert_non_null(text);
	layout_kernel_free(kernel);
	return text;
}

/* The program reads back, and so does its plan, which is the same kernel. */
static void test_printed(void **state)
{
	struct program_data data = make(*state, &owners[4], &owners[0], "f16"), planned;
	char *text = layout_program_str(data.program), *again;
	layout_program *read = layout_program_parse(*state, text);

	again = layout_program_str(read);
	assert_string_equal(text, again);
	layout_program_free(read);
	layout_string_free(text);
	layout_string_free(again);
	text = plan_of(&data);
	planned = program_data_new(*state, text, NULL);
	again = plan_of(&planned);
	assert_string_equal(text, again);
	layout_string_free(text);
	layout_string_free(again);
	fill(&planned, &owners[4]);
	run(&planned, "gfx942");
	expect(&planned, &owners[4], &owners[0], "as it was printed");
	program_data_free(&data);
	program_data_free(&planned);
}

/* Part of what FROM holds, on all engines. */
static void test_part(void **state)
{
	static const char *const engines[] = { NULL, "host", "gfx942", "gfx1100:wave64" };
	const char *text = "convert_tile(mma<MFMA_F32_16x16x16_F16, acc> -> "
		"{ [lane, r] -> [lane mod 8, 2*floor(lane/8) + r] : 0 <= lane < 64 and "
		"0 <= r < 2 }, type = f16)";

	for (unsigned e = 0; e < COUNT(engines); e++) {
		struct program_data data = program_data_new(*state, text, NULL);

		fill(&data, &owners[0]);
		if (engines[e])
			run(&data, engines[e]);
		else
			program_data_eval(&data);
		for (unsigned t = 0; t < 64; t++)
			for (unsigned r = 0; r < 2; r++)
				assert_int_equal(program_data_bits(&data, 1, 2 * t + r),
					bits_of(&data, find(&owners[0], at(t % 8,
						t / 8 * 2 + r))));
		program_data_free(&data);
	}
}

static void test_wrong(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "convert_tile({ [l, r] -> [l, r] : 0 <= l < 16 and 0 <= r < 3 } -> "
			"{ [l, r] -> [r, l] : 0 <= l < 4 and 0 <= r < 16 }, type = f32)",
			"no register of the owner that is converted holds (0, 3), which the other "
			"wants" },
		{ "convert_tile({ [l, r] -> [l, r] : 0 <= l < 16 and 0 <= r < 3 } -> "
			"{ [l] -> [l] : 0 <= l < 4 }, type = f32)", "tiles of rank 2 and 1" },
		{ "convert_tile({ [l] -> [l] } -> { [l] -> [l] : 0 <= l < 4 }, type = f32)", NULL },
		{ "convert_tile({ [l] -> [l] : 0 <= l < 4 } -> { [l] -> [l] : 0 <= l < 4 }, "
			"type = f31)", NULL },
		{ "convert_tile({ [l] -> [l] : 0 <= l < 4 } -> { [l] -> [l - 1] : 0 <= l < 4 }, "
			"type = f32)", "coordinate 0 has no box of numbers from 0 on" },
		{ "convert_tile([N] -> { [l] -> [l] : 0 <= l < N } -> { [l] -> [l] : 0 <= l < 4 }, "
			"type = f32)", "the owner: the size N has no value" },
		{ "convert_tile({ [l] -> [l] : 0 <= l < 4 } -> { [l] -> [l] : 0 <= l < 4 })",
			NULL },
		{ "convert_tile({ [l] -> [l] : 0 <= l < 4 } -> { [l] -> [l] : 0 <= l < 4 }, "
			"type = f32", NULL },
		{ "convert_tile({ [l, warp] -> [l + 4*warp] : 0 <= l < 4 and 0 <= warp < 64 } -> "
			"{ [l] -> [l] : 0 <= l < 4 }, type = f32)",
			"a workgroup has 1 to 32 waves; dimension 0 is 64" },
		{ "convert_tile(mma<v_wmma_f16_16x16x16_f16, acc, gfx1100> -> "
			"mma<v_wmma_f16_16x16x16_f16, acc, gfx1100>, type = f16)",
			"element (0, 1) of the view is none of `_2`" },
	};

	for (unsigned i = 0; i < COUNT(rows); i++) {
		assert_null(layout_program_parse(*state, rows[i].text));
		if (rows[i].message)
			assert_string_equal(layout_context_message(*state), rows[i].message);
		assert_int_not_equal(layout_context_error(*state), LAYOUT_ERROR_NONE);
		layout_context_clear(*state);
	}
}

/* What a lane would see follows from no digits: there is no kernel for lanes. */
static void test_seen(void **state)
{
	const char *text = "program p(X: in row_major[8] i8, Y: out row_major[12] i8) { "
		"grid (g) in (1) workers w in 1 v = load X[0] : [8] "
		"y = view v through { [i] -> [floor(2*i/3)] } : [12] store y -> Y[0] }";
	struct program_data data = program_data_new(*state, text, NULL);

	program_data_fill(&data, 0, "0 1 2 3 4 5 6 7");
	run(&data, "host");
	program_data_expect(&data, 1, "0 0 1 2 2 3 4 4 5 6 6 7");
	assert_null(layout_kernel_new_program(data.program, "gfx942", NULL));
	assert_int_equal(layout_context_error(*state), LAYOUT_ERROR_UNSUPPORTED);
	assert_string_equal(layout_context_message(*state), "what of `v` a lane sees as `y` "
		"follows from no digits and no XORs of bits");
	layout_context_clear(*state);
	program_data_free(&data);
}

/* Without a text. */
static void test_built(void **state)
{
	layout_relation *from = layout_relation_read(*state,
		"{ [lane, r] -> [2*lane + r] : 0 <= lane < 4 and 0 <= r < 2 }");
	layout_relation *to = layout_relation_read(*state,
		"{ [lane, r] -> [lane + 4*r] : 0 <= lane < 4 and 0 <= r < 2 }");
	layout_context *other = layout_context_new();
	layout_program *program = layout_program_new_convert_tile(*state,
		layout_relation_copy(from), layout_relation_copy(to), "i8");
	char in[] = { 0, 1, 2, 3, 4, 5, 6, 7 }, out[8];
	const char expected[] = { 0, 4, 1, 5, 2, 6, 3, 7 };
	layout_buffer_argument buffers[] = { { "x", in, 8 }, { "y", out, 8 } };

	assert_true(layout_program_eval(program, NULL, 0, buffers, 2));
	assert_memory_equal(out, expected, 8);
	layout_program_free(program);
	assert_null(layout_program_new_convert_tile(*state, NULL, layout_relation_copy(to),
		"i8"));
	assert_null(layout_program_new_convert_tile(*state, layout_relation_copy(from),
		layout_relation_copy(to), NULL));
	layout_context_clear(*state);
	assert_null(layout_program_new_convert_tile(other, layout_relation_copy(from),
		layout_relation_copy(to), "i8"));
	assert_int_equal(layout_context_error(other), LAYOUT_ERROR_INVALID);
	layout_context_free(other);
	layout_relation_free(from);
	layout_relation_free(to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_meaning),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_printed),
		cmocka_unit_test(test_part),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_seen),
		cmocka_unit_test(test_built),
		cmocka_unit_test(test_pairs),
	};

	return cmocka_run_group_tests(tests, program_context_new, program_context_free);
}
