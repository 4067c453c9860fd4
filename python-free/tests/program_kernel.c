/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs as kernels, in the simulator, against what they mean. */
#include "support/program_data.h"
#include "support/program_rows.h"
#include "support/random.h"

#include <layout/codegen.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *const targets[] = { "gfx942", "gfx90a", "gfx950", "gfx1100",
	"gfx1100:wave64", "gfx1200" };

static layout_kernel *kernel_of(const struct program_data *data, const char *target)
{
	layout_kernel *kernel = layout_kernel_new_program(data->program, target, NULL);

	if (!kernel) {
		char *text = layout_program_str(data->program);

		print_message("%s\n%s\n", layout_context_message(data->ctx), text);
		layout_string_free(text);
		fail_msg("no kernel for %s", target);
	}
	return kernel;
}

static void run(const struct program_data *data, const char *target)
{
	layout_kernel *kernel = kernel_of(data, target);
	layout_run how = LAYOUT_RUN_INIT;

	how.buffers = data->buffers;
	how.buffer_count = data->count;
	how.sizes = data->sizes;
	how.size_count = data->size_count;
	if (!layout_kernel_run(data->ctx, kernel, &how)) {
		char *text = layout_program_str(data->program);

		print_message("%s\n%s\n", layout_context_message(data->ctx), text);
		layout_string_free(text);
		fail_msg("no run on %s", target);
	}
	layout_kernel_free(kernel);
}

/* Equal, or as numbers by at most "bound" of the larger one. */
static bool agree(const struct program_data *a, const struct program_data *b,
	unsigned argument, int64_t e, double bound)
{
	double x, y;

	if (program_data_bits(a, argument, e) == program_data_bits(b, argument, e))
		return true;
	if (a->type[argument]->kind != 'f')
		return false;
	x = program_data_get(a, argument, e);
	y = program_data_get(b, argument, e);
	return (isnan(x) && isnan(y)) ||
		fabs(x - y) <= bound * fmax(1, fmax(fabs(x), fabs(y)));
}

static void expect_same(const struct program_data *a, const struct program_data *b,
	const char *target, double bound)
{
	for (unsigned i = 0; i < a->count; i++) {
		int64_t elements = (int64_t)(a->buffers[i].bytes * 8 / a->type[i]->bits);

		for (int64_t e = 0; e < elements; e++)
			if (!agree(a, b, i, e, bound)) {
				char *text = layout_program_str(a->program);

				print_message("%s\n", text);
				layout_string_free(text);
				fail_msg("%s[%d] on %s is %.9g, not %.9g", a->buffers[i].name,
					(int)e, target, program_data_get(b, i, e),
					program_data_get(a, i, e));
			}
	}
}

/* The program on a target, and what it means. */
static void check(const struct program_data *data, const char *target, double bound)
{
	struct program_data meant = program_data_copy(data), made = program_data_copy(data);

	meant.program = made.program = data->program;
	program_data_eval(&meant);
	run(&made, target);
	expect_same(&meant, &made, target, bound);
	meant.program = made.program = NULL;
	program_data_free(&meant);
	program_data_free(&made);
}

static void row_text(char *text, size_t size, const struct program_row *row)
{
	snprintf(text, size, "program p(%s) { grid %s workers w in 1 %s }", row->arguments,
		row->grid ? row->grid : "(g) in (1)", row->body);
}

/* Stores may meet, which is no program; and those of less than a byte are refused. */
static bool is_program(const struct program_data *data)
{
	for (unsigned i = 0; i < data->count; i++)
		if (data->type[i]->bits < 8 && layout_memory_access(
		    layout_program_argument_at(data->program, i)) != LAYOUT_ACCESS_IN)
			return false;
	return layout_program_verify(data->program, NULL, NULL) != LAYOUT_NO;
}

static void test_rows(void **state)
{
	const char *only = getenv("LAYOUT_TEST_FILTER");
	char text[2048];

	for (unsigned r = 0; r < COUNT(program_rows); r++) {
		struct program_data data;

		row_text(text, sizeof(text), &program_rows[r]);
		if (only && !strstr(text, only))
			continue;
		data = program_data_new(*state, text, program_rows[r].sizes);
		for (unsigned i = 0; i < data.count; i++)
			if (program_rows[r].in[i])
				program_data_fill(&data, i, program_rows[r].in[i]);
		for (unsigned t = 0; is_program(&data) && t < COUNT(targets); t++)
			check(&data, targets[t], 1e-6);
		program_data_free(&data);
	}
}

static int setup(void **state)
{
	*state = layout_context_new();
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	layout_context_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
