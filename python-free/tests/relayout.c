/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relayout kernels in the simulator: the cases that have hand-written kernels to compare
 * with, at sizes around their tiles, against a reference that walks the index space. */
#include "support/relayout_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void check_cases(unsigned flags)
{
	static const char *const targets[] = { "gfx942", "gfx950", "gfx1100", "gfx1200" };
	layout_context *ctx = layout_context_new();
	unsigned failures = 0;

	for (unsigned i = 0; i < RELAYOUT_CASES; i++)
		for (unsigned t = 0; t < COUNT(targets); t++) {
			struct relayout relayout = relayout_case(i, flags, targets[t]);
			unsigned count;
			const int64_t (*n)[MODEL_RANK] = relayout_case_shapes(i, &count);

			failures += relayout_check(ctx, &relayout, count, n);
		}
	assert_true(layout_context_free(ctx));
	assert_int_equal(failures, 0);
}

static void test_cases(void **state)
{
	(void)state;
	check_cases(0);
}

static void test_inverse_cases(void **state)
{
	(void)state;
	check_cases(RELAYOUT_INVERSE);
}

static void test_cases_through_lds(void **state)
{
	(void)state;
	check_cases(RELAYOUT_THROUGH_LDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_inverse_cases),
		cmocka_unit_test(test_cases_through_lds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
