/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/near.h"
#include "support/program_check.h"
#include "support/share.h"

#include <layout/codegen.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* Owners are for waves of some size, and may need more than there are. */
static bool fits(const struct program_data *data, const char *target)
{
	char *text = layout_program_str(data->program);
	bool needs = strstr(text, "nested_layout") != NULL;

	layout_string_free(text);
	return !needs || layout_target_find(data->ctx, target)->wave_size == 64;
}

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

static void run(const struct program_data *data, layout_kernel *kernel, const char *target)
{
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
	if (a->type[argument]->bits < 32)
		bound = fmax(bound, ldexp(1, 1 - (int)a->type[argument]->mantissa));
	return is_within(x, y, bound * fmax(1, fmax(fabs(x), fabs(y))));
}

static void expect_same(const struct program_data *a, const struct program_data *b,
	const char *target, double bound)
{
	for (unsigned i = 0; i < a->count; i++) {
		int64_t elements = (int64_t)(a->buffers[i].bytes * 8 / a->type[i]->bits);

		/* What the last byte has behind the last element means nothing. */
		if (a->type[i]->bits < 8)
			elements -= 7 / a->type[i]->bits;
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

/* A copy of the arguments, beside the same program. */
static struct program_data beside(const struct program_data *data)
{
	struct program_data copy = program_data_copy(data);

	copy.program = data->program;
	return copy;
}

static void release(struct program_data *copy)
{
	copy->program = NULL;
	program_data_free(copy);
}

static void check_kernel(const struct program_data *data, const struct program_data *meant,
	unsigned count, layout_kernel *kernel, const char *target, double bound)
{
	for (unsigned i = 0; i < count; i++) {
		struct program_data made = beside(&data[i]);

		run(&made, kernel, target);
		expect_same(&meant[i], &made, target, bound);
		release(&made);
	}
}

static void check_target(const struct program_data *data, const struct program_data *meant,
	unsigned count, const char *target, double bound)
{
	layout_kernel *kernel = kernel_of(data, target);

	check_kernel(data, meant, count, kernel, target, bound);
	layout_kernel_free(kernel);
}

static void mean(const struct program_data *data, struct program_data *meant, unsigned count)
{
	assert_true(count <= PROGRAM_CHECK_MOST);
	for (unsigned i = 0; i < count; i++) {
		meant[i] = beside(&data[i]);
		program_data_eval(&meant[i]);
	}
}

static void release_all(struct program_data *meant, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		release(&meant[i]);
}

void program_check_kernel(const struct program_data *data, unsigned count,
	layout_kernel *kernel, const char *target)
{
	struct program_data meant[PROGRAM_CHECK_MOST];

	mean(data, meant, count);
	check_kernel(data, meant, count, kernel, target, 0);
	release_all(meant, count);
}

void program_check_all(const struct program_data *data, unsigned count,
	const char *const *targets, unsigned target_count, double bound)
{
	static unsigned programs;
	struct program_data meant[PROGRAM_CHECK_MOST];
	unsigned fitting = 0, at = 0;

	mean(data, meant, count);
	for (unsigned t = 0; t < target_count; t++)
		fitting += fits(data, targets[t]);
	for (unsigned t = 0; t < target_count; t++)
		if (fits(data, targets[t]) && share_has(programs, at++, fitting))
			check_target(data, meant, count, targets[t], bound);
	programs++;
	release_all(meant, count);
}

void program_check(const struct program_data *data, const char *target, double bound)
{
	program_check_all(data, 1, &target, 1, bound);
}
