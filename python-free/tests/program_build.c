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

/* A tile of A in front of a loop over k that carries it, with another tile in the loop. */
struct parts {
	layout_program *program;
	layout_memory *a, *b;
	layout_tile *first, *carry, *inside;
};

static struct parts begin(layout_context *ctx)
{
	static const char *const counts[] = { "ceil(M/16)" }, *const at[] = { "16*m", "0" };
	static const int64_t waves[] = { 1 }, box[] = { 16, 4 };
	struct parts p = { .program = layout_program_new(ctx, "p") };

	p.a = matrix(p.program, "A", "M", "K", "f32", LAYOUT_ACCESS_IN);
	assert_true(layout_program_grid(p.program, places, counts, 1));
	assert_true(layout_program_workers(p.program, "w", waves, 1));
	p.b = layout_program_lds(p.program, "l", box, 2, "f16", NULL);
	p.first = layout_program_load(p.program, p.a, at, box, NULL, NULL);
	return p;
}

static void open_loop(struct parts *p)
{
	assert_true(layout_program_for(p->program, "k", "4", 1));
	p->carry = layout_program_carry(p->program, p->first, NULL);
	p->inside = layout_program_map(p->program, "_1 + 1");
	assert_non_null(p->inside);
}

static void close_loop(struct parts *p)
{
	assert_true(layout_program_end(p->program, &p->inside, 1));
}

static bool converts_like_another_box(struct parts *p)
{
	static const int64_t box[] = { 8, 4 };
	layout_tile *other = layout_program_fill(p->program, box, 2, "f32", "0", NULL);

	assert_non_null(other);
	return layout_program_convert_like(p->program, p->first, other);
}

static bool converts_like_what_was_left(struct parts *p)
{
	open_loop(p);
	close_loop(p);
	return layout_program_convert_like(p->program, p->first, p->inside);
}

static bool copies_another_type(struct parts *p)
{
	return layout_program_copy(p->program, p->a, none, p->b);
}

static bool copies_in_no_way(struct parts *p)
{
	return layout_program_copy_by(p->program, p->a, none, p->b, (layout_copy_way)3);
}

static bool counts_below_zero(struct parts *p)
{
	return layout_program_for(p->program, "k", "-1", 1);
}

static bool has_no_stages(struct parts *p)
{
	return layout_program_for(p->program, "k", "4", 0);
}

static bool has_many_stages(struct parts *p)
{
	return layout_program_for(p->program, "k", "4", 9);
}

static bool carries_what_is_inside(struct parts *p)
{
	open_loop(p);
	if (layout_program_carry(p->program, p->inside, NULL) ||
	    layout_program_carry(p->program, p->carry, NULL))
		return true;
	close_loop(p);
	return false;
}

static bool carries_of_another_rank(struct parts *p)
{
	bool carries;

	assert_true(layout_program_for(p->program, "k", "4", 1));
	carries = layout_program_carry(p->program, p->first, layout_relation_read(
		layout_program_context(p->program), "{ [l] -> [l] : 0 <= l < 4 }"));
	assert_true(layout_program_end(p->program, NULL, 0));
	return carries;
}

static bool names_by_a_word(struct parts *p)
{
	static const char *const words[] = { "and", "assume", "by", "contract", "convert",
		"copy", "fill", "for", "get", "in", "index", "inf", "keep", "lds", "load",
		"map", "nan", "on", "owner", "put", "reduce", "split", "store", "view",
		"when", "yield" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (layout_tile_set_name(p->first, words[i]))
			return true;
	return false;
}

/* "_0" is "x" in the loop, too, where there is a "k" already and a "_2". */
static bool names_what_a_loop_hides(struct parts *p)
{
	open_loop(p);
	close_loop(p);
	return layout_tile_set_name(p->first, "_2") || layout_tile_set_name(p->first, "k") ||
		layout_tile_set_name(layout_program_result(p->program, p->carry), "_2") ||
		layout_tile_set_name(layout_program_result(p->program, p->carry), "k") ||
		layout_tile_set_name(p->inside, "y");
}

/* What fails, in any of these ways, has an error, and leaves a program that is printed and
 * read again. */
static void failures_leave_the_program(void **state)
{
	static const struct {
		const char *name;
		bool (*succeeds)(struct parts *p);
	} rows[] = {
#define ROW(name) { #name, name }
		ROW(converts_like_another_box), ROW(converts_like_what_was_left),
		ROW(copies_another_type), ROW(copies_in_no_way), ROW(counts_below_zero),
		ROW(has_no_stages), ROW(has_many_stages), ROW(carries_what_is_inside), ROW(carries_of_another_rank),
		ROW(names_by_a_word), ROW(names_what_a_loop_hides),
#undef ROW
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();
		struct parts p = begin(ctx);
		layout_program *again;
		char *printed, *reprinted;

		if (rows[i].succeeds(&p) || layout_context_error(ctx) == LAYOUT_ERROR_NONE)
			fail_msg("%s", rows[i].name);
		layout_context_clear(ctx);
		printed = layout_program_str(p.program);
		again = printed ? layout_program_parse(ctx, printed) : NULL;
		reprinted = layout_program_str(again);
		if (!reprinted || strcmp(printed, reprinted) || strstr(printed, "convert") ||
		    strstr(printed, "[0, 0]"))
			fail_msg("%s: %s\n%s", rows[i].name, layout_context_message(ctx),
				printed);
		layout_string_free(printed);
		layout_string_free(reprinted);
		layout_program_free(again);
		layout_program_free(p.program);
		assert_true(layout_context_free(ctx));
	}
}

/* Names that are free again: of another loop, and of what is behind it. */
static void names_of_loops_are_free_behind_them(void **state)
{
	layout_context *ctx = layout_context_new();
	struct parts p = begin(ctx);
	layout_tile *behind;

	(void)state;
	open_loop(&p);
	assert_true(layout_tile_set_name(p.inside, "x"));
	close_loop(&p);
	behind = layout_program_map(p.program, "_0 * 2");
	assert_true(layout_tile_set_name(behind, "x"));
	assert_true(layout_tile_set_name(behind, "k"));
	assert_true(layout_tile_set_name(layout_program_result(p.program, p.carry), "y"));
	layout_program_free(p.program);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_calls_make_is_read_again),
		cmocka_unit_test(failures_leave_the_program),
		cmocka_unit_test(names_of_loops_are_free_behind_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
