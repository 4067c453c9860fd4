/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs on the CPU against what they mean. */
#include "support/program_data.h"
#include "support/program_random.h"
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

/* Are they the same number, or as near as some roundings of the type in any order? */
static bool is_near(const struct element_type *type, double a, double b)
{
	double scale = fmax(fabs(a), fabs(b));

	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return a == b || (type->kind == 'f' &&
		fabs(a - b) <= ldexp(scale + 1, 5 - (int)fmin(type->mantissa, 23)));
}

static void compare(const struct program_data *want, const struct program_data *got,
	const char *text)
{
	for (unsigned i = 0; i < want->count; i++) {
		const struct element_type *type = want->type[i];
		int64_t count = (int64_t)want->buffers[i].bytes * 8 / type->bits;

		for (int64_t e = 0; e < count; e++) {
			if (program_data_bits(want, i, e) == program_data_bits(got, i, e))
				continue;
			if (type->kind == 'f' && is_near(type, program_data_get(want, i, e),
				program_data_get(got, i, e)))
				continue;
			fail_msg("element %d of %s is %g, not %g, in %s", (int)e,
				want->buffers[i].name, program_data_get(got, i, e),
				program_data_get(want, i, e), text);
		}
	}
}

/* Run the program on both, with the memory as it is; "data" is what it means then. */
static void check(struct program_data *data, const char *text)
{
	layout_kernel *kernel = layout_kernel_new_program(data->program, "host", NULL);
	struct program_data copy = program_data_copy(data);
	layout_run run = LAYOUT_RUN_INIT;

	if (!kernel)
		fail_msg("%s in %s", layout_context_message(data->ctx), text);
	run.sizes = copy.sizes;
	run.size_count = copy.size_count;
	run.buffers = copy.buffers;
	run.buffer_count = copy.count;
	if (!layout_kernel_run(data->ctx, kernel, &run))
		fail_msg("%s in %s", layout_context_message(data->ctx), text);
	layout_kernel_free(kernel);
	program_data_eval(data);
	compare(data, &copy, text);
	program_data_free(&copy);
}

static void test_rows(void **state)
{
	char text[2048];

	for (unsigned r = 0; r < COUNT(program_rows); r++) {
		const struct program_row *row = &program_rows[r];
		struct program_data data;

		program_row_text(row, text, sizeof(text));
		data = program_data_new(*state, text, row->sizes);
		for (unsigned i = 0; i < data.count; i++)
			if (row->in[i])
				program_data_fill(&data, i, row->in[i]);
		check(&data, text);
		program_data_free(&data);
	}
}

static void test_random(void **state)
{
	uint64_t seed = random_seed();
	char text[16384];

	for (unsigned i = 0; i < 60; i++) {
		const int64_t sizes[] = { random_below(&seed, 14), random_below(&seed, 33) };
		struct program_data data;

		program_random(&seed, RANDOM_ALL, text, sizeof(text));
		data = program_data_new(*state, text, sizes);
		for (unsigned a = 0; a < data.count; a++) {
			int64_t count = (int64_t)data.buffers[a].bytes * 8 /
				data.type[a]->bits;

			for (int64_t e = 0; e < count; e++)
				program_data_set(&data, a, e, random_below(&seed,
					data.type[a]->kind == 'b' ? 2 : 8));
		}
		check(&data, text);
		program_data_free(&data);
	}
}

static int begin(void **state)
{
	*state = layout_context_new();
	return *state ? 0 : -1;
}

static int end(void **state)
{
	return layout_context_free(*state) ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows, begin, end),
		cmocka_unit_test_setup_teardown(test_random, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
