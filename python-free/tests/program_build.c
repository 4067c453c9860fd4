/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program that calls make: what is printed of it is read as the same. */
#include <layout/program.h>
#include <layout/storage.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define MAPS "(i, j, k) -> (i, k), (j, k), (i, j)"

static const char *const places[] = { "m", "n" }, *const none[] = { "0", "0" };

static layout_memory *matrix(layout_program *p, const char *name, const char *rows,
	const char *columns, const char *type, layout_access access)
{
	const char *const sizes[] = { rows, columns };

	return layout_program_argument(p, name, layout_storage_row_major(
		layout_program_context(p), 2, sizes), type, access);
}

/* C = A B, a step of K at a time through the LDS, stored where the columns are many. */
static layout_program *product(layout_context *ctx)
{
	static const char *const counts[] = { "ceil(M/64)", "ceil(N/64)" };
	static const char *const at_a[] = { "64*m", "32*k" }, *const at_b[] = { "64*n", "32*k" };
	static const char *const at_c[] = { "64*m", "64*n" };
	static const int64_t waves[] = { 2 }, step[] = { 64, 32 }, box[] = { 64, 64 };
	layout_program *p = layout_program_new(ctx, "product");
	layout_memory *a = matrix(p, "A", "M", "K", "f16", LAYOUT_ACCESS_IN);
	layout_memory *b = matrix(p, "B", "N", "K", "f16", LAYOUT_ACCESS_IN);
	layout_memory *c = matrix(p, "C", "M", "N", "f32", LAYOUT_ACCESS_OUT), *la, *lb;
	layout_tile *sum, *next;

	assert_true(layout_program_grid(p, places, counts, 2));
	assert_true(layout_program_workers(p, "w", waves, 1));
	la = layout_program_lds(p, "la", step, 2, "f16", NULL);
	lb = layout_program_lds(p, "lb", step, 2, "f16", NULL);
	sum = layout_program_fill(p, box, 2, "f32", "0", NULL);
	assert_true(layout_program_for(p, "k", "ceil(K/32)", 1));
	sum = layout_program_carry(p, sum, NULL);
	assert_false(layout_program_copy(p, a, at_a, c));
	assert_true(layout_program_copy(p, a, at_a, la));
	assert_true(layout_program_copy(p, b, at_b, lb));
	assert_null(layout_program_contract(p, sum, NULL, NULL, MAPS, NULL));
	next = layout_program_contract(p, sum,
		layout_program_get(p, la, none, step, NULL),
		layout_program_get(p, lb, none, step, NULL), MAPS, NULL);
	assert_true(layout_program_end(p, &next, 1));
	assert_true(layout_program_when(p, "N >= 256"));
	assert_true(layout_program_store(p, layout_program_result(p, sum), c, at_c));
	assert_true(layout_program_end(p, NULL, 0));
	return p;
}

static void what_calls_make_is_read_again(void **state)
{
	static const char *const said[] = { "copy A[64*m, 32*k] -> la", "contract", MAPS,
		"when N >= 256 {" };
	layout_context *ctx = layout_context_new();
	layout_program *program = product(ctx), *again;
	char *printed, *reprinted;

	(void)state;
	layout_context_clear(ctx);
	printed = layout_program_str(program);
	assert_non_null(printed);
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (!strstr(printed, said[i]))
			fail_msg("no \"%s\" in\n%s", said[i], printed);
	again = layout_program_parse(ctx, printed);
	reprinted = layout_program_str(again);
	assert_non_null(reprinted);
	assert_string_equal(reprinted, printed);
	layout_string_free(printed);
	layout_string_free(reprinted);
	layout_program_free(program);
	layout_program_free(again);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_calls_make_is_read_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
