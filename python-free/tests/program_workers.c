/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sets of workers: what is done by which waves, kernels in the simulator against what programs
 * mean, and what is refused. */
#include "support/program_check.h"
#include "support/random.h"
#include "support/share.h"

#include "kernel/program/plan.h"
#include "lower/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

#define PRODUCT(waves, sets, stages, way, produce, consume) "program p(A: in row_major[M, K] f16, " \
	"B: in row_major[N, K] f16, C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/32), " \
	"ceil(N/32)) workers w in " waves " split " sets " lds la: [32, 32] f16 lds lb: [32, 32] f16 " \
	"for k in ceil(K/32) stages " stages " carry acc: [32, 32] f32 = fill 0 { on " produce " { " \
	"copy A[32*m, 32*k] -> la" way " copy B[32*n, 32*k] -> lb" way " } on " consume " { next = " \
	"contract acc, get la[0, 0] : [32, 32], get lb[0, 0] : [32, 32] : (i, j, k) -> (i, k), " \
	"(j, k), (i, j) } yield next } on " consume " { store acc -> C[32*m, 32*n] } }"
#define ONE_FOUR "p = 1 { producer = [0, p), consumer = [p, w) }"

/* Each half of the waves has its own rows, of which there are 64 a workgroup, and gets what another
 * one of it has put. */
#define HALF(name, shift, from) "on " name " " shift "{ put (load X[" from " + 64*g, 16*k] : [32, 16]) " \
	"-> l" name "[0, 0] t" name " = get l" name "[0, 0] : [32, 16] @ { [subgroup, lane, r] -> " \
	"[31 - 16*subgroup - floor(lane/2), 8*(lane mod 2) + r] : 0 <= subgroup < 2 and 0 <= lane < " \
	"32 and 0 <= r < 8 } s" name "2 = map s" name " + t" name " } "
#define PING_PONG(shift) "program p(X: in row_major[M, K] f32, Y: out row_major[M, 16] f32) { " \
	"grid (g) in (ceil(M/64)) workers w in 4 split h = floor(w/2) { left = [0, h), right = [h, w) } " \
	"lds lleft: [32, 16] f32 lds lright: [32, 16] f32 for k in ceil(K/16) carry " \
	"sleft: [32, 16] f32 = fill 0, sright: [32, 16] f32 = fill 0 { " HALF("left", "", "0") \
	HALF("right", shift, "32") "yield sleft2, sright2 } on left { store sleft -> Y[64*g, 0] } " \
	"on right { store sright -> Y[64*g + 32, 0] } }"

#define ONE "program p(X: in row_major[M, K] f32, Y: out row_major[M, 1] f32, Z: out row_major[M, K] " \
	"f32) { grid (g) in (ceil(M/16)) workers w in "

/* Of the targets below, those with 64 lanes, and those whose loads go to the LDS. */
enum { WIDE = 5, DIRECT = 3 };

static const struct {
	const char *program;
	int64_t sizes[3][3];
	unsigned targets;	/* the first so many of those below; 0: all */
} rows[] = {
	/* one wave loads, the others multiply */
	{ PRODUCT("5", ONE_FOUR, "1", "", "producer", "consumer"),
		{ { 64, 64, 32 }, { 33, 70, 40 }, { 1, 1, 1 } } },
	{ PRODUCT("5", ONE_FOUR, "2", "", "producer", "consumer"),
		{ { 64, 128, 32 }, { 33, 70, 40 }, { 5, 0, 3 } } },
	{ PRODUCT("5", ONE_FOUR, "3", "", "producer", "consumer"),
		{ { 64, 160, 32 }, { 33, 70, 40 }, { 1, 31, 1 } } },
	{ PRODUCT("5", ONE_FOUR, "4", " by registers", "producer", "consumer"),
		{ { 64, 160, 32 }, { 33, 70, 40 }, { 1, 31, 1 } } },
	{ PRODUCT("2 x 3", "p = 1 { p0 = [0, 2) x [0, p), consumer = [0, 2) x [p, w) }", "2", "", "p0",
		"consumer"), { { 64, 128, 32 }, { 33, 70, 40 }, { 1, 1, 1 } } },
	{ PRODUCT("3", "{ producer = [2, 3), consumer = [0, 2) }", "2", " by registers", "producer",
		"consumer"), { { 64, 128, 32 }, { 33, 70, 40 }, { 1, 1, 1 } } },

	/* halves with objects of their own */
	{ PING_PONG(""), { { 64, 64 }, { 70, 33 }, { 1, 1 } } },
	{ PING_PONG("shift 1 "), { { 64, 64 }, { 70, 33 }, { 1, 1 } } },

	/* a set whose waves wait for each other while a tile is made, and one that does not */
	{ ONE "4 split { a = [0, 1), b = [1, 3), c = [3, 4) } for k in ceil(K/64) carry s: [16, 1] "
		"f32 = fill 0 { on b { x = load X[16*g, 64*k] : [16, 64] r = reduce add (convert x @ "
		"{ [subgroup, lane, r] -> [lane mod 16, r + 8*floor(lane/16) + 32*subgroup] : 0 <= "
		"subgroup < 2 and 0 <= lane < 64 and 0 <= r < 8 }) over [1] keep t = map s + r } "
		"on a { y = load X[16*g, 64*k] : [16, 64] z = convert y @ { [lane, r] -> [r, lane] : "
		"0 <= lane < 64 and 0 <= r < 16 } store (map z * 2) -> Z[16*g, 64*k] } yield t } "
		"on b { store s -> Y[16*g, 0] } }", { { 32, 128 }, { 17, 65 }, { 1, 1 } }, WIDE },

	/* loops, conditions and loops in loops of a set; what is of nobody yet */
	{ ONE "3 split { a = [0, 1), b = [1, 3) } z: [16, 1] f32 = fill 0 on b { for k in ceil(K/32) "
		"carry s = z { when k >= 1 { x = load X[16*g, 32*k] : [16, 32] store x -> "
		"Z[16*g, 32*k] } v = load X[16*g, 32*k] : [16, 32] r = reduce add v over [1] keep "
		"t = map s + r yield t } } on a { x = load X[16*g, 0] : [16, 32] store x -> "
		"Z[16*g, 0] } on b { u = map s * 2 store u -> Y[16*g, 0] } }",
		{ { 32, 128 }, { 17, 65 }, { 1, 1 } } },
	{ ONE "2 split { a = [0, 1), b = [1, 2) } for i in 2 carry s: [16, 1] f32 = fill 0 { for k in "
		"ceil(K/32) carry t = s { on b { x = load X[16*g, 32*k] : [16, 32] r = "
		"reduce add x over [1] keep u = map t + r } yield u } yield t } on a { for k in ceil(K/32) { "
		"x2 = load X[16*g, 32*k] : [16, 32] store x2 -> Z[16*g, 32*k] } } "
		"on b { store s -> Y[16*g, 0] } }", { { 32, 128 }, { 17, 65 }, { 1, 1 } } },

	/* what one set stores, another one has loaded before */
	{ "program p(X: in row_major[256] i32, Y: inout row_major[256] i32, Z: out row_major[256] i32) "
		"{ grid (g) in (1) workers w in 4 split { a = [0, 2), b = [2, w) } on b { u = load "
		"Y[0] : [256] } on a { x = load X[0] : [256] y = load Y[0] : [256] store x -> Y[0] } "
		"on b { store u -> Z[0] } }", { { 0 }, { 0 }, { 0 } } },

	/* puts ahead of a loop in a loop, and copies of which not all are ahead */
	{ "program p(A: in row_major[M, K] i32, Y: out row_major[M, 32] i32, Z: out row_major[M, "
		"32] i32) { grid (m) in (ceil(M/16)) workers w in 4 split p = 1 { sa = [0, p), sb = [p, "
		"w) } lds l0: [16, 32] i32 lds l1: [16, 32] i32 for q in 2 carry s: [16, 32] i32 = fill "
		"0, s2: [16, 32] i32 = fill 0 { for k in ceil(K/32) stages 5 carry t: [16, 32] i32 = s, "
		"t2: [16, 32] i32 = s2 { on sb { copy A[16*m, 32*k] -> l0 by registers } on sa { g = get "
		"l0[0, 0] : [16, 32] u = map t + g } on sb shift 1 { copy A[16*m, 32*k] -> l1 by "
		"registers } on sa { g2 = get l1[0, 0] : [16, 32] u2 = map t2 + g2 } yield u, u2 } yield "
		"t, t2 } on sa { store s -> Y[16*m, 0] store s2 -> Z[16*m, 0] } }", { { 16, 192 }, { 16, 160 }, { 5, 70 } } },
	{ "program p(A: in row_major[M, K] f32, B: in row_major[M, K] f32, I: in row_major[K] i32, "
		"Y: out row_major[M, 64] f32, Z: out row_major[M, 64] f32) { grid (m) in (ceil(M/16)) "
		"workers w in 3 split p = 1 { producer = [0, p), consumer = [p, w) } lds la: [16, 64] f32 "
		"lds lb: [16, 64] f32 for k in ceil(K/64) stages 3 carry s: [16, 64] f32 = fill 0, r: "
		"[16, 64] f32 = fill 0 { on producer { copy A[16*m, 64*k] -> la by direct } on consumer { "
		"x = get la[0, 0] : [16, 64] s2 = map s + x } on producer shift 1 { i = load I[64*k] : "
		"[16] j = view i expand 0 into (16, 1) copy B[j, 64*k] -> lb by direct } on consumer { y "
		"= get lb[0, 0] : [16, 64] r2 = map r + y } yield s2, r2 } on consumer { store s -> "
		"Y[16*m, 0] store r -> Z[16*m, 0] } }", { { 16, 320 }, { 16, 640 }, { 16, 256 } }, DIRECT },

	/* where lanes put what they add up, as many waves as the set has: all would be too many */
	{ "program p(X: in row_major[M, 1024] f32, Y: out row_major[ceil(M/8), 1024] f32) { grid "
		"(g) in (ceil(M/8)) workers w in 16 split p = 2 { a = [0, p), b = [p, w) } on a { x: [8, "
		"1024] f32 @ { [subgroup, lane, r] -> [4*subgroup + floor(r/16), 16*lane + r mod 16] : 0 "
		"<= subgroup < 2 and 0 <= lane < 64 and 0 <= r < 64 } = load X[8*g, 0] : [8, 1024] r = "
		"reduce add x over [0] keep store r -> Y[g, 0] } }", { { 8 }, { 19 }, { 1 } }, WIDE },

	/* waves beyond those of an owner load the same, before it is stored */
	{ "program p(X: inout row_major[4, M] i8) { grid (g) in (ceil((M + 53)/64)) workers w in 3 "
		"t = load X[0, 64*g - 53] : [4, 64] @ linear<{register = [[2, 0], [0, 4]], lane = "
		"[[0, 2], [0, 1], [0, 40], [0, 16], [0, 8], [1, 0]], warp = [], block = []}> "
		"when g != 2 { store t -> X[0, 64*g - 53] } }", { { 70 }, { 1 }, { 128 } }, WIDE },

	/* through the LDS from one set to another and back */
	{ ONE "3 split { a = [0, 1), b = [1, 3) } lds l: [16, 64] f32 lds q: [16, 1] f32 for k in "
		"ceil(K/64) carry s: [16, 1] f32 = fill 0 { on a { put (load X[16*g, 64*k] : [16, 64]) "
		"-> l[0, 0] } on b { r = reduce add get l[0, 0] : [16, 64] over [1] keep put r -> "
		"q[0, 0] } on a { v = get l[0, 0] : [16, 64] w1 = get q[0, 0] : [16, 1] y = map v - w1 store y -> "
		"Z[16*g, 64*k] } on b { w2 = get q[0, 0] : [16, 1] t = map s + w2 } yield t } on b { "
		"store s -> Y[16*g, 0] } }", { { 32, 128 }, { 17, 65 }, { 1, 1 } } },
};

/* Programs, and what their waves do in which order: in front of what a set does is its first
 * letter, statements are l(oad), p(ut), g(et), s(tore), . for others, and bodies in brackets; | is
 * a barrier before one. */
static const struct {
	const char *program, *order;
} orders[] = {
	{ PRODUCT("5", ONE_FOUR, "1", " by registers", "producer", "consumer"),
		"c.(pl|plp|cgg.)cs" },
	{ PRODUCT("5", ONE_FOUR, "2", " by registers", "producer", "consumer"),
		"c.(plplp|cgg.)cs" },
	{ PRODUCT("5", ONE_FOUR, "3", " by registers", "producer", "consumer"),
		"c.(plplp|cgg.)cs" },
	{ PING_PONG(""), "l.r.(ll|prlp|lg.rg.)l.sr.s" },
	{ PRODUCT("5", ONE_FOUR, "3", "", "producer", "consumer"), "c.(plplp|cgg.)cs" },
	{ PING_PONG("shift 1 "), "l.r.(llp|g.rlp|g.)l.sr.s" },
};

static void print_order(const struct program_body *body, const layout_program *program, char **to)
{
	unsigned before = 0;

	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *of = &body->statements[i];
		unsigned set = program_statement_set(of);

		*to = stpcpy(*to, of->wait == WAIT_WORKGROUP ? "|" : "");
		if (set && set != before)
			*(*to)++ = *program->sets[set - 1].name;
		before = set;
		if (of->kind == STATEMENT_FOR) {
			*to = stpcpy(*to, "(");
			print_order(&of->body, program, to);
			*to = stpcpy(*to, ")");
			continue;
		}
		*to = stpcpy(*to, of->kind == STATEMENT_PUT ? "p" : of->kind == STATEMENT_STORE ?
			"s" : of->tile->op == TILE_LOAD ? "l" : of->tile->op == TILE_GET ? "g" :
			".");
	}
}

static void test_orders(void **state)
{
	for (unsigned i = 0; i < COUNT(orders); i++) {
		layout_program *program = layout_program_parse(*state, orders[i].program), *planned;
		layout_kernel *kernel = layout_kernel_new_program(program, "gfx942", NULL);
		char printed[256] = "", *to = printed;

		if (!kernel)
			fail_msg("row %u: %s", i, layout_context_message(*state));
		planned = kernel->plan->program->program;
		print_order(&planned->body, planned, &to);
		if (strcmp(printed, orders[i].order))
			fail_msg("row %u: %s, not %s", i, printed, orders[i].order);
		layout_kernel_free(kernel);
		layout_program_free(program);
	}
}

#define HEAD "program p(X: in row_major[M] f32, Y: out row_major[M] f32) { grid (g) in (ceil(M/64)) " \
	"workers w in "
#define TWO "2 split { a = [0, 1), b = [1, w) } "

/* What is refused, at "^". */
static const struct {
	const char *body;
	layout_error kind;
	const char *message;
} wrong[] = {
	{ "4 split ^{ a = [0, 1), b = [2, w) } }", LAYOUT_ERROR_INVALID, "wave 1 is of no set" },
	{ "4 split ^{ a = [0, 2), b = [1, w) } }", LAYOUT_ERROR_INVALID,
		"wave 1 is of `a` and of `b`" },
	{ "4 split { ^a = [0, 5) } }", LAYOUT_ERROR_INVALID,
		"`a` has waves 0 up to 5 of dimension 0, which has 4" },
	{ "4 split { ^a = [2, 2), b = [0, w) } }", LAYOUT_ERROR_INVALID, "waves 2 up to 2" },
	{ "4 split { a = [^0 - 1, w) } }", LAYOUT_ERROR_INVALID, "at least 0, not -1" },
	{ "4 split p = 1 { ^a = [0, M) } }", LAYOUT_ERROR_INVALID, "`M` is no split" },
	{ "4 split ^p = q { a = [0, p) } }", LAYOUT_ERROR_INVALID, "`q` is no split" },
	{ "2 x 2 split ^p = w { } }", LAYOUT_ERROR_INVALID, "`w` is no split and no count" },
	{ "4 split p = 1, ^p = 2 { } }", LAYOUT_ERROR_INVALID, "there is a split `p` already" },
	{ "4 split { a = [0, 1), ^a = [1, w) } }", LAYOUT_ERROR_INVALID,
		"there is a set of workers `a` already" },
	{ "4 split { ^M = [0, w) } }", LAYOUT_ERROR_INVALID, "there is a size or coordinate `M`" },
	{ "4 split { ^a = [0, 1) x [0, w) } }", LAYOUT_ERROR_SPACE,
		"`a` has 2 ranges, the box of `w` 1" },
	{ "4 split { a = ^(0, 1) } }", LAYOUT_ERROR_PARSE, "expected `[`" },
	{ TWO "on ^c { } }", LAYOUT_ERROR_INVALID, "there is no set of workers `c`" },
	{ TWO "on a { on ^b { } } }", LAYOUT_ERROR_INVALID,
		"of the waves of `a`, which are on, none is of `b`" },
	{ TWO "on a { on ^a { } }", LAYOUT_ERROR_INVALID, "`a` is on already" },
	{ TWO "on a shift ^33 { } }", LAYOUT_ERROR_INVALID, "0 to 32 barriers late, not 33" },
	{ TWO "on a { x = load X[0] : [4] } y = map ^x + 1 }", LAYOUT_ERROR_INVALID,
		"`x` is held by waves of `a`: what all are to have of it" },
	{ TWO "x = load X[0] : [4] on a { y = map ^x + 1 } }", LAYOUT_ERROR_INVALID,
		"`x` is made outside of `on`, a part by each wave: what those of `a` are to have" },
	{ TWO "on a { x = load X[0] : [4] } on b { y = view x ^expand 0 into [2, 2] } }",
		LAYOUT_ERROR_INVALID, "what those of `b` are to have" },
	{ TWO "on a { i: [4] i32 = index 0 } on b { x = load ^X[i] : [4] } }", LAYOUT_ERROR_INVALID,
		"`i` is held by waves of `a`" },
	{ TWO "for k in 2 carry s: [4] f32 = fill 0 { on a { t = map s + 1 } on b { u = "
		"load X[0] : [4] } ^yield u } }", LAYOUT_ERROR_INVALID, "`u` is held by waves of `b`" },
	{ TWO "x = load X[0] : [4] for k in 2 carry s = x { on a { t = map ^s + 1 } yield t } }",
		LAYOUT_ERROR_INVALID, "`s` is made outside of `on`" },
	{ TWO "z: [4] f32 = fill 0 on a { x = map z + 1 } on b { y = map ^z + 2 } }",
		LAYOUT_ERROR_INVALID, "`z` is held by waves of `a`" },
};

static void test_wrong(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(wrong); i++)
		program_refused(HEAD, wrong[i].body, "", wrong[i].kind, wrong[i].message);
}

/* The owner of a set has as many subgroups as that has waves. */
static void test_owner(void **state)
{
	layout_program *program = layout_program_parse(*state, HEAD TWO "on b { x = load X[64*g] : "
		"[64] @ { [subgroup, lane] -> [32*subgroup + lane] : 0 <= subgroup < 2 and 0 <= lane "
		"< 32 } store x -> Y[64*g] } }");

	assert_non_null(program);
	assert_null(layout_kernel_new_program(program, "gfx942", NULL));
	assert_non_null(strstr(layout_context_message(*state), "needs 128 lanes, has 64"));
	layout_context_clear(*state);
	assert_null(layout_kernel_new_program(program, "gfx1100", NULL));
	assert_null(strstr(layout_context_message(*state), "has enough"));
	layout_program_free(program);
	layout_context_clear(*state);
	program = layout_program_parse(*state, HEAD "3 split { a = [0, 1), b = [1, w) } on b { "
		"y = load X[64*g] : [64] @ { [subgroup, lane] -> [32*subgroup + lane] : 0 <= subgroup "
		"< 2 and 0 <= lane < 32 } } on a { x : [64] f32 @ like y = load X[64*g] : [64] "
		"store x -> Y[64*g] } }");
	assert_non_null(program);
	assert_null(layout_kernel_new_program(program, "gfx942", NULL));
	assert_non_null(strstr(layout_context_message(*state), "needs 128 lanes, has 64"));
	layout_program_free(program);
}

/* The same from C. */
static void test_built(void **state)
{
	static const char *const low[] = { "0", "p" }, *const high[] = { "p", "w" };
	layout_program *program = layout_program_new(*state, "p");
	const char *name = "g", *count = "ceil(M/64)", *at = "64*g", *one = "M";
	const int64_t waves = 3, box = 64;
	layout_memory *x, *y;
	layout_tile *tile;
	char *text;

	x = layout_program_argument(program, "X", layout_storage_row_major(*state, 1, &one), "f32",
		LAYOUT_ACCESS_IN);
	y = layout_program_argument(program, "Y", layout_storage_row_major(*state, 1, &one), "f32",
		LAYOUT_ACCESS_OUT);
	assert_true(layout_program_grid(program, &name, &count, 1));
	assert_false(layout_program_split(program, "p", "1"));
	assert_true(layout_program_workers(program, "w", &waves, 1));
	assert_true(layout_program_split(program, "p", "1"));
	assert_true(layout_program_worker_set(program, "a", &low[0], &high[0], 1));
	layout_context_clear(*state);
	assert_false(layout_program_on(program, "a", 0));
	assert_string_equal(layout_context_message(*state), "wave 1 is of no set of workers");
	assert_true(layout_program_worker_set(program, "b", &low[1], &high[1], 1));
	assert_true(layout_program_on(program, "b", 2));
	tile = layout_program_load(program, x, &at, &box, NULL, NULL);
	assert_true(layout_program_store(program, tile, y, &at));
	assert_false(layout_program_end(program, &tile, 1));
	assert_true(layout_program_end(program, NULL, 0));
	assert_false(layout_program_worker_set(program, "c", &low[1], &high[1], 1));
	layout_context_clear(*state);
	text = layout_program_str(program);
	assert_string_equal(text, "program p(X: in row_major[M] f32, Y: out row_major[M] f32) {\n"
		"  grid (g) in (ceil(M/64)) workers w in 3 split p = 1 { a = [0, p), b = [p, w) }\n"
		"  on b shift 2 {\n    _0 = load X[64*g] : [64]\n    store _0 -> Y[64*g]\n  }\n}");
	layout_string_free(text);
	layout_program_free(program);
}

/* What a set does is no loop, into which a carry would come; and every wave is of one set before
 * anything else is built. */
static void test_refused(void **state)
{
	static const char *const low[] = { "0", "1" }, *const high[] = { "1", "w" };
	const int64_t waves = 2, box = 64;
	const char *name = "g", *count = "1";
	layout_program *program = layout_program_new(*state, "p");
	layout_tile *tile;

	assert_true(layout_program_grid(program, &name, &count, 1));
	assert_true(layout_program_workers(program, "w", &waves, 1));
	assert_true(layout_program_worker_set(program, "a", &low[0], &high[0], 1));
	assert_null(layout_program_fill(program, &box, 1, "f32", "0", NULL));
	assert_string_equal(layout_context_message(*state), "wave 1 is of no set of workers");
	assert_true(layout_program_worker_set(program, "b", &low[1], &high[1], 1));
	layout_context_clear(*state);
	tile = layout_program_fill(program, &box, 1, "f32", "0", NULL);
	assert_non_null(tile);
	assert_false(layout_program_on(program, "a", 33));
	layout_context_clear(*state);

	/* what fails settles nothing */
	assert_true(layout_program_on(program, "b", 0));
	assert_false(layout_program_store(program, tile, NULL, &name));
	assert_true(layout_program_end(program, NULL, 0));
	layout_context_clear(*state);
	assert_true(layout_program_for(program, "k", "2", 1));
	assert_true(layout_program_for(program, "j", "2", 1));
	assert_true(layout_program_end(program, NULL, 0));
	assert_true(layout_program_on(program, "a", 0));
	assert_null(layout_program_carry(program, tile, NULL));
	assert_non_null(strstr(layout_context_message(*state), "a carry begins in a loop"));
	layout_context_clear(*state);
	assert_true(layout_program_for(program, "i", "2", 1));
	tile = layout_program_carry(program, tile, NULL);
	assert_non_null(tile);
	assert_true(layout_program_end(program, &tile, 1));
	assert_true(layout_program_end(program, NULL, 0));
	assert_true(layout_program_end(program, NULL, 0));
	layout_string_free(layout_program_str(program));
	layout_program_free(program);
}

static struct program_data data_new(layout_context *ctx, const char *program,
	const int64_t *sizes)
{
	struct program_data data = program_data_new(ctx, program, sizes);
	uint64_t seed = 1;

	program_data_random(&data, &seed);
	return data;
}

static void test_results(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx90a", "gfx950", "host", "gfx1100:wave64",
		"gfx1201", "gfx1100", "sm_90" };

	for (unsigned i = 0; i < COUNT(rows); i++) {
		struct program_data data[COUNT(rows->sizes)];

		for (unsigned s = 0; s < COUNT(data); s++)
			data[s] = data_new(*state, rows[i].program, rows[i].sizes[s]);
		program_check_all(data, COUNT(data), targets,
			rows[i].targets ? rows[i].targets : COUNT(targets), 0);
		for (unsigned s = 0; s < COUNT(data); s++)
			program_data_free(&data[s]);
	}
}

/* ---- random statements on rows of an object, in loops and under conditions, each on some set */

/* Sets of so many waves each, and owners of a row for at most so many subgroups. */
static const char *const partitions[] = {
	"2 split { a = [0, 1), b = [1, w) }",
	"4 split { a = [3, w), b = [1, 3), c = [0, 1) }",
	"2 x 2 split h = 1 { a = [0, 2) x [0, h), b = [0, 2) x [h, w) }",
};

static const struct {
	unsigned subgroups;
	const char *owner;
} owners[] = {
	{ 1, "" },
	{ 1, "@ { [lane] -> [0, 63 - lane] : 0 <= lane < 64 }" },
	{ 1, "@ { [subgroup, lane, r] -> [0, 8*r + lane] : 0 <= subgroup < 1 and 0 <= lane < 8 and "
		"0 <= r < 8 }" },
	{ 2, "@ { [subgroup, lane] -> [0, (lane + 32*subgroup) mod 64] : 0 <= subgroup < 2 and "
		"0 <= lane < 64 }" },
	{ 2, "@ { [subgroup, lane, r] -> [0, 32*subgroup + 2*lane + r] : 0 <= subgroup < 2 and "
		"0 <= lane < 16 and 0 <= r < 2 }" },
};

static unsigned most_subgroups(unsigned partition, char set)
{
	return partition == 2 || (partition == 1 && set == 'b') ? 2 : 1;
}

struct generator {
	uint64_t *seed;
	unsigned partition, names;
	char *to;
};

/* One row is got, changed, may be added up over its waves, and put to another. */
static void random_row(struct generator *g)
{
	unsigned a = g->names, which = (unsigned)random_below(g->seed, COUNT(owners));
	char set = (char)('a' + random_below(g->seed, g->partition == 1 ? 3 : 2));
	unsigned from = (unsigned)random_below(g->seed, 4), to = (unsigned)random_below(g->seed, 4);

	if (owners[which].subgroups > most_subgroups(g->partition, set))
		which = 0;
	g->names += 4;
	g->to += sprintf(g->to, "on %c", set);
	if (random_below(g->seed, 3) == 0)
		g->to += sprintf(g->to, " shift %u", (unsigned)random_below(g->seed, 3));
	g->to += sprintf(g->to, " { x%u = get l[%u, 0] : [1, 64] %s x%u = map x%u * 3 + %u ", a, from,
		owners[which].owner, a + 1, a, a % 5);
	if (random_below(g->seed, 4) == 0)
		g->to += sprintf(g->to, "x%u = reduce add x%u over [1] keep x%u = map x%u - x%u ",
			a + 2, a + 1, a + 3, a + 1, a + 2);
	else
		g->to += sprintf(g->to, "x%u = convert x%u %s ", a + 3, a + 1, which ?
			owners[which].owner : owners[1].owner);
	g->to += sprintf(g->to, "put x%u -> l[%u, 0] } ", a + 3, to);
}

static void random_statements(struct generator *g, unsigned n, unsigned depth)
{
	while (n--) {
		uint64_t what = random_below(g->seed, depth < 2 ? 8 : 6);

		if (what < 6) {
			random_row(g);
			continue;
		}
		g->to += what == 6 ? sprintf(g->to, "when K > %u { ",
			(unsigned)random_below(g->seed, 4)) : sprintf(g->to,
			"for k%u in K stages %u { ", depth, 1 + (unsigned)random_below(g->seed, 3));
		random_statements(g, 1 + (unsigned)random_below(g->seed, 4), depth + 1);
		g->to = stpcpy(g->to, "} ");
	}
}

static void test_random(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx1100:wave64" };
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < share_count(24); i++) {
		static const int64_t sizes[] = { 0, 1, 5 };
		struct program_data data[COUNT(sizes)];
		char text[16384];
		struct generator g = { &seed, i % (unsigned)COUNT(partitions), 0, text };

		g.to += sprintf(text, "program p(X: in row_major[4, 64] i32, Y: out row_major[4, 64] "
			"i32, Z: in row_major[K] i32) { grid (g) in (1) workers w in %s lds l: [4, 64] "
			"i32 on a { put (load X[0, 0] : [4, 64]) -> l[0, 0] } ",
			partitions[g.partition]);
		random_statements(&g, 2 + (unsigned)random_below(&seed, 5), 0);
		strcpy(g.to, "on b { y = get l[0, 0] : [4, 64] store y -> Y[0, 0] } }");
		for (unsigned s = 0; s < COUNT(sizes); s++)
			data[s] = data_new(*state, text, &sizes[s]);
		program_check_all(data, COUNT(sizes), targets, COUNT(targets), 0);
		for (unsigned s = 0; s < COUNT(sizes); s++)
			program_data_free(&data[s]);
	}
}

/* ---- waits */

/* Turns of three steps: one barrier each, where all but a step's copies have landed. */
static void test_loop(void **state)
{
	layout_program *program = layout_program_parse(*state, PRODUCT("5", ONE_FOUR, "3", "",
		"producer", "consumer"));
	layout_kernel *kernel = layout_kernel_new_program(program, "gfx950", NULL);
	const char *wait = "\ts_waitcnt vmcnt(4) lgkmcnt(0)\n\ts_barrier", *at;
	size_t length;
	char *text = kernel ? layout_kernel_emit(*state, kernel, LAYOUT_EMIT_ASM, NULL, 0, &length) :
		NULL;
	unsigned count = 0;

	assert_non_null(text);
	for (at = strstr(text, wait); at && strstr(at + 1, wait); count++) {
		const char *next = strstr(at + 1, wait), *landed = strstr(at + 1, "vmcnt(0)");

		assert_true(!landed || landed > next);
		at = next;
	}
	assert_int_equal(count + 1, 3);
	assert_null(strstr(text, "scratch_"));
	layout_string_free(text);
	layout_kernel_free(kernel);
	layout_program_free(program);
}

/* What is loaded from where other waves store, of the same workgroup or of another set, is there
 * before the barrier, also where waves share no cache. */
static void test_loaded(void **state)
{
	static const char *const programs[] = {
		"program p(Y: inout row_major[256] f32) { grid (g) in (1) workers w in 2 "
			"y = load Y[0] : [256] @ { [subgroup, lane, r] -> [255 - 128*subgroup - lane - "
			"32*r] : 0 <= subgroup < 2 and 0 <= lane < 32 and 0 <= r < 4 } x = convert y @ "
			"{ [subgroup, lane, r] -> [128*subgroup + lane + 32*r] : 0 <= subgroup < 2 and "
			"0 <= lane < 32 and 0 <= r < 4 } store x -> Y[0] }",
		"program p(X: in row_major[256] i32, Y: inout row_major[256] i32, Z: out row_major[256] "
			"i32) { grid (g) in (1) workers w in 4 split { a = [0, 2), b = [2, w) } on b { "
			"u = load Y[0] : [256] } on a { x = load X[0] : [256] y = load Y[0] : [256] "
			"store x -> Y[0] } on b { store u -> Z[0] } }",
	};
	static const char *const targets[][3] = {
		{ "gfx1100", "vmcnt(0)", "\ts_barrier" },
		{ "gfx1200", "s_wait_loadcnt 0x0", "\ts_barrier_signal" },
	};

	for (unsigned i = 0; i < COUNT(programs); i++)
		for (unsigned t = 0; t < COUNT(targets); t++) {
			layout_program *program = layout_program_parse(*state, programs[i]);
			layout_kernel *kernel = layout_kernel_new_program(program,
				targets[t][0], NULL);
			size_t length;
			char *text = kernel ? layout_kernel_emit(*state, kernel, LAYOUT_EMIT_ASM,
				NULL, 0, &length) : NULL;
			const char *load, *wait;

			if (!text)
				fail_msg("row %u: %s", i, layout_context_message(*state));
			load = strstr(text, "_load_b");
			wait = load ? strstr(load, targets[t][1]) : NULL;
			assert_non_null(wait);
			assert_true(wait < strstr(load, targets[t][2]));
			layout_string_free(text);
			layout_kernel_free(kernel);
			layout_program_free(program);
		}
}

/* Wait n of a body, where copies are direct or not; NULL behind the last. */
static enum program_wait *find_wait(struct program_body *body, bool direct, unsigned *n)
{
	enum program_wait *found = NULL;

	for (unsigned i = 0; !found && i < body->count; i++) {
		struct program_statement *of = &body->statements[i];
		enum program_wait *wait = direct ? &of->direct.wait : &of->wait;

		if (*wait != WAIT_NONE && !(*n)--)
			return wait;
		found = find_wait(&of->body, direct, n);
	}
	return found;
}

/* Without any of its waits, a race is seen. */
static bool run_without(layout_context *ctx, const char *text, const int64_t *sizes, unsigned n)
{
	struct program_data data = data_new(ctx, text, sizes);
	layout_kernel *kernel = layout_kernel_new_program(data.program, "gfx950", NULL);
	enum program_wait *wait;
	unsigned number = n;
	layout_run how = LAYOUT_RUN_INIT;

	assert_non_null(kernel);
	how.buffers = data.buffers;
	how.buffer_count = data.count;
	how.sizes = data.sizes;
	how.size_count = data.size_count;
	wait = find_wait(&kernel->plan->program->program->body, strstr(text, "copy") &&
		!strstr(text, "by registers"), &n);
	if (wait) {
		*wait = WAIT_NONE;
		if (layout_kernel_run(ctx, kernel, &how))
			fail_msg("%s: without wait %u, nothing is wrong", text, number);
		if (!strstr(layout_context_message(ctx), "race") &&
		    !strstr(layout_context_message(ctx), "under way") &&
		    !strstr(layout_context_message(ctx), "never written"))
			fail_msg("%s", layout_context_message(ctx));
	}
	layout_kernel_free(kernel);
	program_data_free(&data);
	return wait;
}

static void test_without(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(orders); i++) {
		const int64_t product[] = { 64, 160, 64 }, halves[] = { 64, 64 };
		unsigned n = 0;
		bool had = true;

		for (; had; n += had) {
			layout_context *ctx = layout_context_new();

			had = run_without(ctx, orders[i].program, strstr(orders[i].program,
				"left") ? halves : product, n);
			assert_true(layout_context_free(ctx));
		}
		assert_true(n);
	}
}

/* What is planned reads back, also where copies come before what was named before them. */
static void test_planned(void **state)
{
	static const char *const programs[] = {
		PRODUCT("5", ONE_FOUR, "3", "", "producer", "consumer"),
		PING_PONG("shift 1 "),
		"program p(A: in row_major[M, 64] f32, B: in row_major[M, 64] f32, Y: out row_major[M, "
		"64] f32, Z: out row_major[M, 64] f32) { grid (m) in (ceil(M/16)) workers w in 4 split h "
		"= 2 { a = [0, h), b = [h, w) } lds la: [16, 64] f32 lds lb: [16, 64] f32 on a shift 1 { "
		"copy A[16*m, 0] -> la by registers } on b { copy B[16*m, 0] -> lb by direct } on b { x = "
		"get la[0, 0] : [16, 64] store x -> Y[16*m, 0] } on a { y = get lb[0, 0] : [16, 64] store "
		"y -> Z[16*m, 0] } }",
	};

	for (unsigned i = 0; i < COUNT(programs); i++) {
		layout_program *program = layout_program_parse(*state, programs[i]), *again;
		layout_kernel *kernel = layout_kernel_new_program(program, "gfx950", NULL);

		if (!kernel)
			fail_msg("row %u: %s", i, layout_context_message(*state));
		again = layout_program_parse(*state, kernel->plan->program->text);
		if (!again || layout_program_verify(again, NULL, NULL) != LAYOUT_YES)
			fail_msg("row %u: %s\n%s", i, layout_context_message(*state),
				kernel->plan->program->text);
		layout_program_free(again);
		layout_kernel_free(kernel);
		layout_program_free(program);
	}
}

/* What is printed reads back, and prints the same. */
static void test_text(void **state)
{
	for (unsigned i = 0; i < COUNT(rows); i++) {
		layout_program *program = layout_program_parse(*state, rows[i].program), *again;
		char *text, *twice;

		if (!program || layout_program_verify(program, NULL, NULL) != LAYOUT_YES)
			fail_msg("row %u: %s", i, layout_context_message(*state));
		text = layout_program_str(program);
		again = layout_program_parse(*state, text);
		if (!again)
			fail_msg("row %u: %s\n%s", i, layout_context_message(*state), text);
		twice = layout_program_str(again);
		assert_string_equal(text, twice);
		layout_string_free(text);
		layout_string_free(twice);
		layout_program_free(program);
		layout_program_free(again);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_orders, program_context_new,
			program_context_free),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test_setup_teardown(test_owner, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_built, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_refused, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_random, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_loop, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_loaded, program_context_new,
			program_context_free),
		cmocka_unit_test(test_without),
		cmocka_unit_test_setup_teardown(test_results, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_planned, program_context_new,
			program_context_free),
		cmocka_unit_test_setup_teardown(test_text, program_context_new,
			program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
