/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What programs mean: by hand, and against loops that share nothing with them. */
#include "program/element.h"
#include "support/program_data.h"
#include "support/program_order_rows.h"
#include "support/random.h"
#include "support/share.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void test_row(layout_context *ctx, const struct program_row *row)
{
	char text[2048];
	struct program_data data = program_row_data(ctx, row, text, sizeof(text));

	program_data_eval(&data);
	for (unsigned i = 0; i < data.count; i++)
		if (row->out[i])
			program_data_expect(&data, i, row->out[i]);
	program_data_free(&data);
}

static void test_rows(void **state)
{
	for (unsigned r = 0; r < COUNT(program_rows); r++)
		test_row(*state, &program_rows[r]);
	for (unsigned r = 0; r < COUNT(program_order_rows); r++)
		test_row(*state, &program_order_rows[r]);
}

#define PRODUCT(x, y, sum, k) "A: in row_major[1, " k "] " x ", B: in row_major[1, " k "] " y \
	", C: inout row_major[1, 1] " sum, NULL, "a = load A[0, 0] : [1, " k "] " \
	"b = load B[0, 0] : [1, " k "] z = load C[0, 0] : [1, 1] " \
	"c = contract z, a, b : (i, j, k) -> (i, k), (j, k), (i, j) store c -> C[0, 0]", { 0 }

/* Each product is rounded, and each sum; kernels may keep more. */
static const struct program_row rounded_rows[] = {
	{ PRODUCT("f32", "f32", "f32", "3"), { "16777216 1 1", "1 1 1", "0" },
		{ NULL, NULL, "16777216" } },
	{ PRODUCT("f32", "f32", "f32", "1"), { "4097", "4097", "-16785408" },
		{ NULL, NULL, "0" } },
	{ PRODUCT("f16", "f16", "f16", "3"), { "2048 1 1", "1 1 1", "0" },
		{ NULL, NULL, "2048" } },
	{ PRODUCT("f16", "f16", "f16", "1"), { "65", "65", "-4224" }, { NULL, NULL, "0" } },
	{ PRODUCT("f64", "f64", "f64", "2"), { "4097 1", "4097 1", "-16785408" },
		{ NULL, NULL, "2" } },
	{ PRODUCT("f32", "f32", "f32", "2"), { "inf 1", "0 1", "0" }, { NULL, NULL, "nan" } },
};

static void test_rounded(void **state)
{
	for (unsigned r = 0; r < COUNT(rounded_rows); r++)
		test_row(*state, &rounded_rows[r]);
}

static float number_at(const struct program_data *data, const char *name, int64_t e)
{
	return (float)program_data_get(data, program_data_find(data, name), e);
}

/* Fill an argument with random integers of -range .. range. */
static void fill_random(const struct program_data *data, const char *name,
	int64_t elements, unsigned range, uint64_t *state)
{
	for (int64_t e = 0; e < elements; e++)
		program_data_set(data, program_data_find(data, name), e,
			(double)random_below(state, 2 * range + 1) - range);
}

static const struct storage_model models[] = {
	{ .kind = MODEL_ROW, .rank = 2 },
	{ .kind = MODEL_COLUMN, .rank = 2 },
	{ .kind = MODEL_STRIDED, .rank = 2, .stride = { 50, 1 } },
	{ .kind = MODEL_STRIDED, .rank = 2, .stride = { 2, 80 } },
	{ .kind = MODEL_ROW, .rank = 2, .row = 64, .access = 8 },
	{ .kind = MODEL_PACKED, .rank = 2, .tile = { 8, 8 }, .outer = { 0, 1 },
		.digit_count = 2, .digits = { { 0, 1, 8 }, { 1, 1, 8 } } },
	{ .kind = MODEL_PACKED, .rank = 2, .tile = { 16, 4 }, .outer = { 1, 0 },
		.digit_count = 4, .digits = { { 0, 4, 4 }, { 1, 2, 2 }, { 0, 1, 4 },
			{ 1, 1, 2 } } },
	{ .kind = MODEL_PACKED, .rank = 2, .tile = { 128, 16 }, .outer = { 0, 1 },
		.digit_count = 5, .digits = { { 0, 4, 8 }, { 1, 1, 4 }, { 0, 32, 4 },
			{ 0, 1, 4 }, { 1, 4, 4 } } },
};

/* A matrix in memory of some model: sizes by their names in the program. */
struct matrix {
	struct storage_model model;
	const char *name, *type, *size[2];
	int64_t n[MODEL_RANK];
	char text[MODEL_TEXT];
};

/* Strides and swizzles are for sizes that they fit. */
static void matrix_choose(struct matrix *m, uint64_t *state)
{
	const char *size[] = { m->size[0], m->size[1] };
	char columns[16];

	do
		m->model = models[random_below(state, COUNT(models))];
	while ((m->model.row && (m->n[1] % 64 || !m->n[0])) ||
	       (m->model.kind == MODEL_STRIDED && (m->n[0] > 40 || m->n[1] > 40)));
	snprintf(columns, sizeof(columns), "%d", (int)m->n[1]);
	if (m->model.row)
		size[1] = columns;
	storage_model_text(&m->model, size, m->text);
}

static int64_t matrix_offset(const struct matrix *m, int64_t i, int64_t j)
{
	const int64_t x[MODEL_RANK] = { i, j };

	return storage_model_offset(&m->model, m->n, x);
}

static void matrix_fill(const struct program_data *data, const struct matrix *m,
	unsigned range, uint64_t *state)
{
	for (int64_t i = 0; i < m->n[0]; i++)
		for (int64_t j = 0; j < m->n[1]; j++)
			program_data_set(data, program_data_find(data, m->name),
				matrix_offset(m, i, j),
				(double)random_below(state, 2 * range + 1) - range);
}

static int64_t matrix_get(const struct program_data *data, const struct matrix *m,
	int64_t i, int64_t j)
{
	return (int64_t)program_data_get(data, program_data_find(data, m->name),
		matrix_offset(m, i, j));
}

/* Cells of a memory that no element has are as they were. */
static void check_padding(const struct program_data *data, const struct matrix *m)
{
	unsigned argument = program_data_find(data, m->name);
	int64_t elements = storage_model_elements(&m->model, m->n);
	bool *has = calloc((size_t)elements + 1, sizeof(*has));

	assert_non_null(has);
	for (int64_t i = 0; i < m->n[0]; i++)
		for (int64_t j = 0; j < m->n[1]; j++)
			has[matrix_offset(m, i, j)] = true;
	for (int64_t e = 0; e < elements; e++)
		if (!has[e] && program_data_bits(data, argument, e) !=
		    (0xa5a5a5a5a5a5a5a5 & UINT64_MAX >> (64 - data->type[argument]->bits)))
			fail_msg("padding of %s was written", m->text);
	free(has);
}

static const int64_t lengths[] = { 0, 1, 2, 7, 8, 9, 16, 17, 33, 64, 128 };

static void matmul_once(layout_context *ctx, uint64_t *state)
{
	static const struct { const char *in, *out; unsigned range; } types[] = {
		{ "f32", "f32", 30 }, { "f16", "f32", 30 }, { "i8", "i32", 100 },
		{ "bf16", "f32", 20 }, { "i4", "i32", 7 }, { "f64", "f64", 1000 },
	};
	unsigned t = random_below(state, COUNT(types));
	int64_t n[3];
	struct matrix a = { .name = "A", .size = { "M", "K" } };
	struct matrix b = { .name = "B", .size = { "N", "K" } };
	struct matrix c = { .name = "C", .size = { "M", "N" } };
	char text[3 * MODEL_TEXT + 1024];
	struct program_data data;
	unsigned bm = 1 + random_below(state, 9), bn = 1 + random_below(state, 9);
	unsigned bk = 1 + random_below(state, 9);

	for (unsigned i = 0; i < 3; i++)
		n[i] = lengths[random_below(state, COUNT(lengths) - 2 * (i == 0))];
	a.n[0] = c.n[0] = n[0];
	a.n[1] = b.n[1] = n[1];
	b.n[0] = c.n[1] = n[2];
	matrix_choose(&a, state);
	matrix_choose(&b, state);
	matrix_choose(&c, state);
	snprintf(text, sizeof(text), "program p(D: in strided[M, K, N : 0, 0, 0] i8, "
		"A: in %s %s, B: in %s %s, C: out %s %s) {\n"
		"grid (m, n) in (ceil(M/%u), ceil(N/%u)) workers w in 1\n"
		"z : [%u, %u] %s = fill 0 for k in ceil(K/%u) carry s = z {\n"
		"v = load A[%u*m, %u*k] : [%u, %u] y = load B[%u*n, %u*k] : [%u, %u]\n"
		"t = contract s, v, y : (i, j, k) -> (i, k), (j, k), (i, j) yield t }\n"
		"store s -> C[%u*m, %u*n] }", a.text, types[t].in, b.text, types[t].in,
		c.text, types[t].out, bm, bn, bm, bn, types[t].out, bk, bm, bk, bm, bk,
		bn, bk, bn, bk, bm, bn);
	data = program_data_new(ctx, text, n);
	matrix_fill(&data, &a, types[t].range, state);
	matrix_fill(&data, &b, types[t].range, state);
	program_data_eval(&data);
	for (int64_t i = 0; i < n[0]; i++)
		for (int64_t j = 0; j < n[2]; j++) {
			int64_t sum = 0;

			for (int64_t k = 0; k < n[1]; k++)
				sum += matrix_get(&data, &a, i, k) *
					matrix_get(&data, &b, j, k);
			if (matrix_get(&data, &c, i, j) != sum)
				fail_msg("C[%d, %d] of %s", (int)i, (int)j, text);
		}
	check_padding(&data, &c);
	program_data_free(&data);
}

static void test_matmul(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < share_count(60); i++)
		matmul_once(*state, &seed);
}

/* One reduction of integers over a subset of the dimensions: a walk over coordinates. */
static int64_t reduce_model(const int64_t *x, const int64_t *box, unsigned rank,
	unsigned reduced, const int64_t *kept, unsigned op)
{
	int64_t total = 1, result = op == 1, index = 0, best = 0;

	for (unsigned d = 0; d < rank; d++)
		total *= box[d];
	for (int64_t e = 0; e < total; e++) {
		int64_t rest = e, at[5], value = x[e];
		bool ours = true;

		for (unsigned d = rank; d-- > 0; rest /= box[d])
			at[d] = rest % box[d];
		for (unsigned d = 0; d < rank; d++)
			ours = ours && (reduced >> d & 1 || at[d] == kept[d]);
		if (!ours)
			continue;
		if (!index++)
			result = op >= 4 ? 0 : value, best = value;
		else if (op == 0)
			result = (int32_t)((uint64_t)result + (uint64_t)value);
		else if (op == 1)
			result = (int32_t)((uint64_t)result * (uint64_t)value);
		else if (op == 2 || op == 3)
			result = (op == 2) == (value < result) ? value : result;
		else if ((op == 4 ? value < best : value > best))
			result = index - 1, best = value;
	}
	return result;
}

static void print_list(char *text, const int64_t *list, unsigned count, bool digits)
{
	for (unsigned i = 0; i < count; i++)
		text += sprintf(text, i ? ", %d" : "%d", digits ? (int)list[i] : 0);
}

static void reduce_once(layout_context *ctx, unsigned rank, unsigned reduced, unsigned op,
	uint64_t *state)
{
	static const char *const ops[] = { "add", "mul", "min", "max", "argmin", "argmax" };
	int64_t box[5], dims[5], kept[5], x[1024], total = 1, outputs = 1;
	char boxes[64], list[64], zeros[64], text[1024];
	struct program_data data;
	unsigned count = 0;

	for (unsigned d = 0; d < rank; d++) {
		box[d] = 1 + random_below(state, 4);
		total *= box[d];
		if (reduced >> d & 1)
			dims[count++] = d;
		else
			outputs *= box[d];
	}
	print_list(boxes, box, rank, true);
	print_list(zeros, box, rank, false);
	print_list(list, dims, count, true);
	snprintf(text, sizeof(text), "program p(X: in row_major[%s] i32, Y: out "
		"row_major[%d] i32) { grid (g) in (1) workers w in 1 v = load X[%s] : [%s] "
		"r = reduce %s v over [%s] keep y = view r collapse [", boxes, (int)outputs,
		zeros, boxes, ops[op], list);
	for (unsigned d = 0; d < rank; d++)
		sprintf(text + strlen(text), d ? ", %u" : "%u", d);
	strcat(text, "] store y -> Y[0] }");
	data = program_data_new(ctx, text, NULL);
	fill_random(&data, "X", total, op == 1 ? 1000 : 3, state);
	for (int64_t e = 0; e < total; e++)
		x[e] = (int64_t)program_data_get(&data, 0, e);
	program_data_eval(&data);
	for (int64_t e = 0; e < outputs; e++) {
		int64_t rest = e;

		for (unsigned d = rank; d-- > 0;) {
			kept[d] = reduced >> d & 1 ? 0 : rest % box[d];
			rest /= reduced >> d & 1 ? 1 : box[d];
		}
		if ((int64_t)program_data_get(&data, 1, e) !=
		    reduce_model(x, box, rank, reduced, kept, op))
			fail_msg("element %d of %s", (int)e, text);
	}
	program_data_free(&data);
}

static void test_reduce(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned rank = 1; rank <= 5; rank++)
		for (unsigned reduced = 1; reduced < 1u << rank; reduced++)
			for (unsigned op = 0; op < 6; op++)
				reduce_once(*state, rank, reduced, op, &seed);
}

/* Rounds as the program does: exp in double, all else in float. */
static void test_softmax(void **state)
{
	const char *text = "program p(X: in row_major[M, K] f32, Y: out row_major[M, K] f32) {\n"
		"grid (m) in (M) workers w in 1\n"
		"v = load X[m, 0] : [1, 64] (pad = -inf)\n"
		"top = reduce max v over [1] keep\n"
		"e = map exp(v - top)\n"
		"s = reduce add e over [1] keep\n"
		"y = map e / s store y -> Y[m, 0] }";
	uint64_t seed = random_seed();

	for (unsigned k = 1; k <= 64; k = 2 * k + random_below(&seed, 2)) {
		const int64_t sizes[] = { 5, k };
		struct program_data data = program_data_new(*state, text, sizes);

		for (unsigned i = 0; i < 5 * k; i++)
			program_data_set(&data, 0, i, (float)random_below(&seed, 1000) / 77);
		program_data_eval(&data);
		for (unsigned m = 0; m < 5; m++) {
			float top = -INFINITY, sum = 0;

			for (unsigned j = 0; j < k; j++)
				top = fmaxf(top, number_at(&data, "X", m * k + j));
			for (unsigned j = 0; j < k; j++)
				sum += (float)exp((double)(number_at(&data, "X", m * k + j) -
					top));
			for (unsigned j = 0; j < k; j++) {
				float e = (float)exp((double)(number_at(&data, "X",
					m * k + j) - top));

				if (number_at(&data, "Y", m * k + j) != e / sum)
					fail_msg("row %u, column %u of %u", m, j, k);
			}
		}
		program_data_free(&data);
	}
}

/* The first NaN, else the first of the best. */
static void test_ties(void **state)
{
	const char *text = "program p(X: in row_major[64] f32, Y: out row_major[1] i32, "
		"Z: out row_major[1] i32) { grid (g) in (1) workers w in 1 "
		"v = load X[0] : [64] y = reduce argmin v over [0] keep "
		"z = reduce argmax v over [0] keep store y -> Y[0] store z -> Z[0] }";
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < share_count(50); i++) {
		struct program_data data = program_data_new(*state, text, NULL);
		unsigned least = 0, most = 0, nan = 64;

		for (unsigned j = 0; j < 64; j++) {
			bool is_nan = i % 2 && random_below(&seed, 64) == 0;

			program_data_set(&data, 0, j,
				is_nan ? NAN : (double)random_below(&seed, 4));
			if (is_nan && nan == 64)
				nan = j;
			if (number_at(&data, "X", j) < number_at(&data, "X", least))
				least = j;
			if (number_at(&data, "X", j) > number_at(&data, "X", most))
				most = j;
		}
		program_data_eval(&data);
		assert_int_equal(program_data_bits(&data, 1, 0), nan < 64 ? nan : least);
		assert_int_equal(program_data_bits(&data, 2, 0), nan < 64 ? nan : most);
		program_data_free(&data);
	}
}

static void test_gather(void **state)
{
	const char *text = "program p(X: in row_major[N, 8] i16, I: in row_major[M] i32, "
		"Y: out row_major[M, 8] i16) { grid (m) in (ceil(M/4)) workers w in 1 "
		"i = load I[4*m] : [4] j = view i expand 0 into [4, 1] "
		"y = load X[j, 0] : [4, 8] (pad = 77) store y -> Y[4*m, 0] }";
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < share_count(30); i++) {
		const int64_t n = random_below(&seed, 20), m = random_below(&seed, 20);
		const int64_t sizes[] = { n, m };
		struct program_data data = program_data_new(*state, text, sizes);

		fill_random(&data, "X", 8 * n, 30000, &seed);
		fill_random(&data, "I", m, 25, &seed);
		program_data_eval(&data);
		for (int64_t r = 0; r < m; r++)
			for (int64_t j = 0; j < 8; j++) {
				int64_t from = (int64_t)program_data_get(&data, 1, r);
				double want = from < 0 || from >= n ? 77 :
					program_data_get(&data, 0, 8 * from + j);

				assert_true(program_data_get(&data, 2, 8 * r + j) == want);
			}
		program_data_free(&data);
	}
}

/* Products and sums of f16, each rounded once, against the compiler's own. */
static void test_f16(void **state)
{
	const char *text = "program p(X: in row_major[3, 1024] f16, "
		"Y: out row_major[5, 1024] f16) { grid (g) in (1) workers w in 1 "
		"a = load X[0, 0] : [1, 1024] b = load X[1, 0] : [1, 1024] "
		"c = load X[2, 0] : [1, 1024] "
		"p = map fma(a, b, c) q = map a * b + c r = map a / b s = map sqrt(a) "
		"t = map f16(f32(a) * f32(b)) "
		"store p -> Y[0, 0] store q -> Y[1, 0] store r -> Y[2, 0] "
		"store s -> Y[3, 0] store t -> Y[4, 0] }";
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < share_count(20); i++) {
		struct program_data data = program_data_new(*state, text, NULL);
		const _Float16 *x = data.buffers[0].base, *y = data.buffers[1].base;

		for (unsigned e = 0; e < 3 * 1024; e++)
			program_data_set_bits(&data, 0, e, random_below(&seed, 65536));
		program_data_eval(&data);
		for (unsigned e = 0; e < 1024; e++) {
			_Float16 a = x[e], b = x[1024 + e], c = x[2048 + e];
			const _Float16 want[] = { (_Float16)((__float128)a * b + c),
				(_Float16)((_Float16)(a * b) + c), a / b,
				(_Float16)sqrt((double)a),
				(_Float16)((float)a * (float)b) };

			for (unsigned k = 0; k < COUNT(want); k++)
				if (!(y[k * 1024 + e] == want[k]) &&
				    !(want[k] != want[k] && y[k * 1024 + e] != y[k * 1024 + e]))
					fail_msg("%g, %g, %g: result %u is %g, not %g",
						(double)a, (double)b, (double)c, k,
						(double)y[k * 1024 + e], (double)want[k]);
		}
		program_data_free(&data);
	}
}

/* Every code of the small types is the number that it says, and the nearest to it. */
static void test_elements(void **state)
{
	static const char *const names[] = { "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E4M3FN",
		"f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f16", "bf16" };
	char text[256];

	for (unsigned n = 0; n < COUNT(names); n++) {
		const struct element_type *type = element_type_find(*state, names[n]);
		struct program_data data;

		snprintf(text, sizeof(text), "program p(X: inout row_major[65536] %s) { "
			"grid (g) in (1) workers w in 1 v = load X[0] : [1] store v -> X[0] }",
			names[n]);
		data = program_data_new(*state, text, NULL);
		for (int64_t bits = 0; bits < 1 << type->bits; bits++) {
			double number = element_double(type, (uint64_t)bits), want;

			program_data_set_bits(&data, 0, bits, (uint64_t)bits);
			want = program_data_get(&data, 0, bits);
			if (isnan(want) ? !isnan(number) : number != want ||
			    element_of_double(type, number) != (uint64_t)bits)
				fail_msg("%#x of %s is %g, not %g", (unsigned)bits, names[n],
					number, want);
			assert_true(element_get(type, data.buffers[0].base, bits) ==
				(uint64_t)bits);
		}
		program_data_free(&data);
	}
}

/* What is missing is named, and what would take forever is not begun. */
static void test_refused(void **state)
{
	layout_context *ctx = *state;
	layout_program *program = layout_program_parse(ctx,
		"program p(X: in row_major[N] f32, Y: out row_major[N] f32) { "
		"grid (g) in (ceil(N/4)) workers w in 1 "
		"v = load X[4*g] : [4] store v -> Y[4*g] }");
	static float x[4], y[4];
	layout_size size = { "N", 4 };
	layout_buffer_argument buffers[] = { { "X", x, sizeof(x) }, { "Y", y, 15 } };
	const struct {
		int64_t n;
		unsigned sizes, buffers;
		layout_error kind;
		const char *message;
	} cases[] = {
		{ 4, 0, 2, LAYOUT_ERROR_INVALID, "the size N has no value" },
		{ -4, 1, 2, LAYOUT_ERROR_INVALID, "the size N is negative" },
		{ 4, 1, 1, LAYOUT_ERROR_INVALID, "Y has no buffer" },
		{ 4, 1, 2, LAYOUT_ERROR_INVALID, "Y needs 16 bytes, its buffer has 15" },
		{ (int64_t)1 << 31, 1, 2, LAYOUT_ERROR_INVALID,
			"the size N is 2^31 or more" },
	};

	assert_non_null(program);
	for (unsigned i = 0; i < COUNT(cases); i++) {
		size.value = cases[i].n;
		assert_false(layout_program_eval(program, &size, cases[i].sizes, buffers,
			cases[i].buffers));
		assert_int_equal(layout_context_error(ctx), cases[i].kind);
		assert_string_equal(layout_context_message(ctx), cases[i].message);
		layout_context_clear(ctx);
	}
	layout_program_free(program);
}

static void test_quota(void **state)
{
	layout_context *ctx = *state;
	layout_program *program = layout_program_parse(ctx,
		"program p(D: in strided[N : 0] f32, Y: inout row_major[4] f32) { "
		"grid (g) in (ceil(N/4)) workers w in 1 "
		"z = load Y[0] : [4] for k in N carry s = z { t = map s + 1 yield t } "
		"store s -> Y[0] }");
	static float x[4], y[4];
	layout_size size = { "N", 1000000 };
	layout_buffer_argument buffers[] = { { "D", x, sizeof(x) }, { "Y", y, sizeof(y) } };

	if (!program)
		fail_msg("%s", layout_context_message(ctx));
	assert_false(layout_program_eval(program, &size, 1, buffers, 2));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
	assert_string_equal(layout_context_message(ctx), "point by point, the program p "
		"takes about 1e+12 operations on elements: more than 8.59e+09");
	layout_context_clear(ctx);
	layout_program_free(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_rounded,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_matmul,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_reduce,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_softmax,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_ties,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_gather,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_f16,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_elements,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_refused,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_quota,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
