/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The programs of examples/programs: verified, read back from their print, and computed at
 * sizes around their tiles, against loops over doubles. */
#include "support/program_data.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZES = 3, MOST = 1 << 16 };

/* Arguments as doubles, and what the last of them should be. */
struct model {
	int64_t sizes[SIZES];
	double *in[3], *out[2];
};

static double *doubles(int64_t count)
{
	double *list = calloc((size_t)count + 1, sizeof(*list));

	assert_non_null(list);
	return list;
}

static void softmax(const struct model *model)
{
	int64_t rows = model->sizes[0], columns = model->sizes[1];

	for (int64_t m = 0; m < rows; m++) {
		const double *x = model->in[0] + m * columns;
		double most = -INFINITY, sum = 0;

		for (int64_t k = 0; k < columns; k++)
			most = fmax(most, x[k]);
		for (int64_t k = 0; k < columns; k++)
			sum += exp(x[k] - most);
		for (int64_t k = 0; k < columns; k++)
			model->out[0][m * columns + k] = exp(x[k] - most) / sum;
	}
}

static void rms_norm(const struct model *model)
{
	int64_t rows = model->sizes[0], columns = model->sizes[1];

	for (int64_t m = 0; m < rows; m++) {
		const double *x = model->in[0] + m * columns;
		double sum = 0;

		for (int64_t k = 0; k < columns; k++)
			sum += x[k] * x[k];
		for (int64_t k = 0; k < columns; k++)
			model->out[0][m * columns + k] = x[k] * model->in[1][k] /
				sqrt(sum / (double)columns + 0.00001);
	}
}

static void layer_norm(const struct model *model)
{
	int64_t rows = model->sizes[0], columns = model->sizes[1];

	for (int64_t m = 0; m < rows; m++) {
		const double *x = model->in[0] + m * columns;
		double sum = 0, squares = 0, mean;

		for (int64_t k = 0; k < columns; k++)
			sum += x[k];
		mean = sum / (double)columns;
		for (int64_t k = 0; k < columns; k++)
			squares += (x[k] - mean) * (x[k] - mean);
		for (int64_t k = 0; k < columns; k++)
			model->out[0][m * columns + k] = (x[k] - mean) /
				sqrt(squares / (double)columns + 0.00001) *
				model->in[1][k] + model->in[2][k];
	}
}

static void quantise_rows(const struct model *model)
{
	int64_t rows = model->sizes[0], columns = model->sizes[1];

	for (int64_t m = 0; m < rows; m++) {
		const double *x = model->in[0] + m * columns;
		double most = 0;

		for (int64_t k = 0; k < columns; k++)
			most = fmax(most, fabs(x[k]));
		for (int64_t k = 0; k < columns; k++)
			model->out[0][m * columns + k] = most == 0 ? 0 :
				x[k] / (most / 127);
		model->out[1][m] = most / 127;
	}
}

static void bias_cast_transpose(const struct model *model)
{
	int64_t rows = model->sizes[0], columns = model->sizes[1];

	for (int64_t m = 0; m < rows; m++)
		for (int64_t n = 0; n < columns; n++)
			model->out[0][n * rows + m] = model->in[0][m * columns + n] +
				model->in[1][n];
}

static void matvec(const struct model *model)
{
	int64_t rows = model->sizes[0], depth = model->sizes[1], columns = model->sizes[2];

	for (int64_t m = 0; m < rows; m++)
		for (int64_t n = 0; n < columns; n++) {
			double sum = 0;

			for (int64_t k = 0; k < depth; k++)
				sum += model->in[0][m * depth + k] *
					model->in[1][n * depth + k];
			model->out[0][m * columns + n] = sum;
		}
}

/* "seen" keys of each query: all, or one more for each than for the one before. */
static void attend(const struct model *model, bool causal)
{
	enum { D = 64 };
	int64_t queries = model->sizes[0], keys = model->sizes[1];
	double *p = doubles(keys);

	for (int64_t t = 0; t < queries; t++) {
		int64_t seen = causal && t + keys - queries + 1 < keys ?
			t + keys - queries + 1 : keys;
		double most = -INFINITY, sum = 0, *out = model->out[0] + t * D;

		memset(out, 0, D * sizeof(*out));
		for (int64_t s = 0; s < seen; s++) {
			p[s] = 0;
			for (int64_t d = 0; d < D; d++)
				p[s] += model->in[0][t * D + d] * model->in[1][s * D + d] / 8;
			most = fmax(most, p[s]);
		}
		for (int64_t s = 0; s < seen; s++)
			sum += p[s] = exp(p[s] - most);
		for (int64_t s = 0; s < seen; s++)
			for (int64_t d = 0; d < D; d++)
				out[d] += p[s] / sum * model->in[2][s * D + d];
	}
	free(p);
}

static void attention(const struct model *model)
{
	attend(model, false);
}

static void attention_causal(const struct model *model)
{
	attend(model, true);
}

static void row_sum(const struct model *model)
{
	int64_t rows = model->sizes[0], columns = model->sizes[1];

	for (int64_t m = 0; m < rows; m++) {
		model->out[0][m] = 0;
		for (int64_t k = 0; k < columns; k++)
			model->out[0][m] += model->in[0][m * columns + k];
	}
}

/* "error" is what the result may differ by, of 1 and of the number itself; "wave64": its
 * owner has as many lanes. */
static const struct example {
	const char *name;
	bool wave64;
	unsigned inputs, outputs;
	void (*compute)(const struct model *model);
	double error;
	int64_t sizes[6][SIZES];
} examples[] = {
	{ "softmax", false, 1, 1, softmax, 1e-5,
		{ { 0, 7 }, { 3, 0 }, { 2, 1 }, { 3, 257 }, { 1, 4096 }, { 2, 1000 } } },
	{ "softmax_online", false, 1, 1, softmax, 1e-5,
		{ { 0, 7 }, { 3, 0 }, { 2, 1 }, { 3, 1025 }, { 1, 5000 }, { 2, 1024 } } },
	{ "rms_norm", false, 2, 1, rms_norm, 2e-3,
		{ { 0, 7 }, { 3, 0 }, { 2, 1 }, { 3, 513 }, { 1, 2048 }, { 2, 1000 } } },
	{ "layer_norm", false, 3, 1, layer_norm, 1e-4,
		{ { 0, 7 }, { 3, 0 }, { 2, 1 }, { 3, 257 }, { 1, 2048 }, { 2, 1000 } } },
	{ "quantise_rows", false, 1, 2, quantise_rows, 0.501,
		{ { 0, 7 }, { 3, 0 }, { 2, 1 }, { 3, 257 }, { 1, 512 }, { 2, 1000 } } },
	{ "bias_cast_transpose", false, 2, 1, bias_cast_transpose, 2e-3,
		{ { 0, 7 }, { 3, 0 }, { 1, 1 }, { 65, 63 }, { 128, 64 }, { 17, 130 } } },
	{ "matvec", true, 2, 1, matvec, 1e-4,
		{ { 0, 7, 3 }, { 3, 0, 2 }, { 1, 1, 1 }, { 5, 513, 3 }, { 2, 1024, 2 },
			{ 3, 100, 4 } } },
	{ "matvec_dot", false, 2, 1, matvec, 1e-4,
		{ { 0, 7, 3 }, { 3, 0, 2 }, { 1, 1, 1 }, { 5, 513, 3 }, { 2, 1024, 2 },
			{ 3, 100, 4 } } },
	{ "matmul", false, 2, 1, matvec, 1e-4,
		{ { 0, 7, 3 }, { 3, 0, 2 }, { 1, 1, 1 }, { 65, 70, 33 }, { 64, 128, 64 },
			{ 3, 100, 4 } } },
	{ "matmul_lds", false, 2, 1, matvec, 1e-4,
		{ { 0, 7, 3 }, { 3, 0, 2 }, { 1, 1, 1 }, { 65, 70, 33 }, { 37, 200, 45 },
			{ 3, 100, 4 } } },
	{ "matmul_producer", false, 2, 1, matvec, 1e-4,
		{ { 0, 7, 3 }, { 3, 0, 2 }, { 1, 1, 1 }, { 65, 300, 33 }, { 37, 200, 45 },
			{ 3, 100, 4 } } },
	{ "matmul_ping_pong", false, 2, 1, matvec, 1e-4,
		{ { 0, 7, 3 }, { 3, 0, 2 }, { 1, 1, 1 }, { 65, 70, 33 }, { 137, 200, 45 },
			{ 3, 100, 4 } } },
	{ "attention", false, 3, 1, attention, 2e-3,
		{ { 0, 7 }, { 3, 0 }, { 1, 1 }, { 65, 70 }, { 64, 64 }, { 5, 33 } } },
	{ "attention_causal", false, 3, 1, attention_causal, 2e-3,
		{ { 0, 7 }, { 3, 0 }, { 1, 1 }, { 65, 40 }, { 64, 64 }, { 5, 33 } } },
	{ "row_sum", false, 1, 1, row_sum, 1e-4,
		{ { 0, 7 }, { 3, 0 }, { 1, 1 }, { 5, 257 }, { 4, 512 }, { 7, 100 } } },
};

static void read_example(const char *name, char *text, size_t size)
{
	char path[512];
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "%s/examples/programs/%s.txt", SOURCE_DIR, name);
	file = fopen(path, "r");
	if (!file)
		fail_msg("%s is not there", path);
	length = fread(text, 1, size - 1, file);
	text[length] = 0;
	fclose(file);
}

/* As many elements as an argument's memory has. */
static int64_t count_of(const struct program_data *data, unsigned argument)
{
	return (int64_t)(data->buffers[argument].bytes * 8 / data->type[argument]->bits);
}

/* Numbers of the type that it holds exactly. */
static double *random_input(const struct program_data *data, unsigned argument)
{
	int64_t count = count_of(data, argument);
	double *list = doubles(count);

	for (int64_t e = 0; e < count; e++) {
		program_data_set(data, argument, e, (double)(random() % 65 - 32) / 8);
		list[e] = program_data_get(data, argument, e);
	}
	return list;
}

static void compare(const struct example *example, const struct program_data *data,
	unsigned argument, const double *wanted)
{
	for (int64_t e = 0; e < count_of(data, argument); e++) {
		double is = program_data_get(data, argument, e);

		if (fabs(is - wanted[e]) > example->error * fmax(1, fabs(wanted[e])) ||
		    isnan(is))
			fail_msg("%s, sizes %ld %ld %ld, %s[%ld]: %g, not %g",
				example->name, (long)data->sizes[0].value,
				(long)data->sizes[1].value, (long)data->sizes[2].value,
				data->buffers[argument].name, (long)e, is, wanted[e]);
	}
}

/* By its meaning, or by the kernel. */
static void compute(struct program_data *data, layout_kernel *kernel)
{
	layout_run run = LAYOUT_RUN_INIT;

	if (!kernel) {
		program_data_eval(data);
		return;
	}
	run.buffers = data->buffers;
	run.buffer_count = data->count;
	run.sizes = data->sizes;
	run.size_count = data->size_count;
	if (!layout_kernel_run(data->ctx, kernel, &run))
		fail_msg("%s", layout_context_message(data->ctx));
}

static void try_example(layout_context *ctx, const struct example *example,
	const char *text, const int64_t *sizes, layout_kernel *kernel)
{
	struct program_data data = program_data_new(ctx, text, sizes);
	struct model model = { .in = { NULL } };

	memcpy(model.sizes, sizes, sizeof(model.sizes));
	for (unsigned i = 0; i < example->inputs; i++)
		model.in[i] = random_input(&data, i);
	for (unsigned i = 0; i < example->outputs; i++)
		model.out[i] = doubles(count_of(&data, example->inputs + i));
	example->compute(&model);
	compute(&data, kernel);
	for (unsigned i = 0; i < example->outputs; i++)
		compare(example, &data, example->inputs + i, model.out[i]);
	for (unsigned i = 0; i < example->inputs; i++)
		free(model.in[i]);
	for (unsigned i = 0; i < example->outputs; i++)
		free(model.out[i]);
	program_data_free(&data);
}

/* On a target, one of so many in turn, or by their meaning where that is NULL. */
static void try_all(const char *target, unsigned turn, unsigned turns)
{
	layout_context *ctx = layout_context_new();

	srandom(random_seed());
	for (unsigned i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		const struct example *example = &examples[i];
		layout_kernel *kernel = NULL;
		layout_program *program;
		char text[4096];

		if (example->wave64 && target && strcmp(target, "host") &&
		    layout_target_find(ctx, target)->wave_size != 64)
			continue;
		if (!share_has(i, turn, turns))
			continue;
		read_example(example->name, text, sizeof(text));
		program = layout_program_parse(ctx, text);
		if (target)
			kernel = layout_kernel_new_program(program, target, NULL);
		layout_program_free(program);
		if (target && !kernel)
			fail_msg("%s: %s", example->name, layout_context_message(ctx));
		for (unsigned k = 0; k < 6; k++)
			try_example(ctx, example, text, example->sizes[k], kernel);
		layout_kernel_free(kernel);
	}
	assert_true(layout_context_free(ctx));
}

static void test_meaning(void **state)
{
	(void)state;
	try_all(NULL, 0, 4);
}

static void test_host(void **state)
{
	(void)state;
	try_all("host", 1, 4);
}

static void test_lanes(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx90a", "gfx1100",
		"gfx1200:wave64", "sm_90" };

	(void)state;
	for (unsigned i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		try_all(targets[i], i, sizeof(targets) / sizeof(*targets));
}

/* Valid for all sizes, short, and the same when they are printed and read. */
static void test_texts(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		layout_context *ctx = layout_context_new();
		char text[4096], *once, *twice, *reason;
		layout_program *program;
		unsigned lines = 0;

		read_example(examples[i].name, text, sizeof(text));
		for (const char *c = text; *c; c++)
			lines += *c == '\n';
		assert_in_range(lines, 1, 25);
		program = layout_program_parse(ctx, text);
		if (layout_program_verify(program, &reason, NULL) != LAYOUT_YES)
			fail_msg("%s: %s %s", examples[i].name, reason ? reason : "",
				layout_context_message(ctx));
		once = layout_program_str(program);
		layout_program_free(program);
		program = layout_program_parse(ctx, once);
		twice = layout_program_str(program);
		assert_string_equal(once, twice);
		layout_string_free(once);
		layout_string_free(twice);
		layout_program_free(program);
		assert_true(layout_context_free(ctx));
	}
}

static char *emit(layout_context *ctx, const char *text, layout_emit what)
{
	layout_program *program = layout_program_parse(ctx, text);
	layout_kernel *kernel = layout_kernel_new_program(program, "gfx942", NULL);
	size_t length;
	char *out = kernel ? layout_kernel_emit(ctx, kernel, what, NULL, 0, &length) : NULL;

	if (!out)
		fail_msg("%s: %s", layout_context_message(ctx), text);
	layout_kernel_free(kernel);
	layout_program_free(program);
	return out;
}

/* A program printed with what was derived gives the same code. */
static void check_derived(const char *name)
{
	layout_context *ctx = layout_context_new();
	char text[4096], *derived, *once, *twice;

	read_example(name, text, sizeof(text));
	derived = emit(ctx, text, LAYOUT_EMIT_PROGRAM);
	once = emit(ctx, text, LAYOUT_EMIT_ASM);
	twice = emit(ctx, derived, LAYOUT_EMIT_ASM);
	if (strcmp(once, twice) != 0)
		fail_msg("%s has other code when it is read back", name);
	layout_string_free(derived);
	layout_string_free(once);
	layout_string_free(twice);
	assert_true(layout_context_free(ctx));
}

static void test_derived(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(examples) / sizeof(*examples); i++)
		if (share_has(i, 2, 4))
			check_derived(examples[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_derived),
		cmocka_unit_test(test_meaning),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_lanes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
