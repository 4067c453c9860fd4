/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects in the LDS: places, waits, and kernels in the simulator against what they mean;
 * without any of their waits, the simulator objects. */
#include "support/program_check.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>
#include "kernel/program/plan.h"
#include "lower/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

#define HEAD(waves) "program p(X: in row_major[256, K] f32, Y: out row_major[256] f32) { " \
	"grid (g) in (1) workers w in " waves " "
#define ACROSS "{ [subgroup, lane] -> [64*(3 - subgroup) + lane] : 0 <= subgroup < 4 and " \
	"0 <= lane < 64 }"
#define INSIDE "{ [subgroup, lane] -> [64*subgroup + 63 - lane] : 0 <= subgroup < 4 and " \
	"0 <= lane < 64 }"
#define COLUMN(k) "view (load X[0, " k "] : [256, 1]) project [1]"
#define MATMUL(stages) "program p(X: in row_major[M, K] f16, Z: in row_major[M, K] f16, " \
	"Y: out row_major[M, M] f32) { grid (m, n) in (ceil(M/32), ceil(M/32)) workers w in 2 x 2 " \
	"lds lx: [32, 32] f16 lds lz: [32, 32] f16 for k in ceil(K/32) stages " stages " carry " \
	"c: [32, 32] f32 = fill 0 { x = load X[32*m, 32*k] : [32, 32] z = load Z[32*n, 32*k] : " \
	"[32, 32] put x -> lx[0, 0] put z -> lz[0, 0] t = contract c, get lx[0, 0] : [32, 32], " \
	"get lz[0, 0] : [32, 32] : (i, j, k) -> (i, k), (j, k), (i, j) yield t } " \
	"store c -> Y[32*m, 32*n] }"

/* Programs, and where waves wait: statements are letters, l(oad), p(ut), g(et), s(tore),
 * . for others, and bodies in brackets; | is a barrier before one, ' a fence of each wave. */
static const struct waits {
	const char *program, *waits;
} waits[] = {
	/* through another wave, the own one, and both */
	{ HEAD("4") "lds l: [256] f32 x = " COLUMN("0") " put x -> l[0] y = get l[0] : [256] @ "
		ACROSS " z = map y + 1 store z -> Y[0] }", "l.p|g.s" },
	{ HEAD("4") "lds l: [256] f32 x = " COLUMN("0") " put x -> l[0] y = get l[0] : [256] @ "
		INSIDE " z = map y + 1 store z -> Y[0] }", "l.p'g.s" },
	{ HEAD("4") "lds l: [256] f32 x = " COLUMN("0") " put x -> l[0] y = get l[0] : [256] @ "
		INSIDE " z = get l[0] : [256] @ " ACROSS " u = map y + z store u -> Y[0] }",
		"l.p'g|g..s" },

	/* one wave */
	{ "program p(X: in row_major[64, K] f32, Y: out row_major[64] f32) { grid (g) in (1) "
		"workers w in 1 lds l: [64] f32 x = view (load X[0, 0] : [64, 1]) project [1] "
		"put x -> l[0] y = get l[0] : [64] @ { [lane] -> [63 - lane] : 0 <= lane < 64 } "
		"z = map y + 1 store z -> Y[0] }", "l.p'g.s" },

	/* halves that do not meet, and two puts that do */
	{ HEAD("4") "lds l: [2, 256] f32 x = view (load X[0, 0] : [256, 1]) permute [1, 0] "
		"put x -> l[0, 0] put x -> l[1, 0] y = get l[0, 0] : [1, 256] z = get l[1, 0] : "
		"[1, 256] u = view (map y + z) project [0] store u -> Y[0] }", "l.ppgg..s" },
	{ HEAD("4") "lds l: [256] f32 x = " COLUMN("0") " put x -> l[0] z = convert (map x + 1) @ "
		ACROSS " put z -> l[0] y = get l[0] : [256] u = map y * 2 store u -> Y[0] }",
		"l.p..p|g.s" },

	/* a reduction waits itself */
	{ HEAD("4") "lds l: [256] f32 x = " COLUMN("0") " put x -> l[0] r = reduce add x over [0] "
		"keep y = get l[0] : [256] @ " ACROSS " u = map y + r store u -> Y[0] }",
		"l.p.g.s" },

	/* one object in every step takes two waits, several copies of it one */
	{ HEAD("4") "lds l: [256] f32 for k in K carry s: [256] f32 = fill 0 { x = " COLUMN("k")
		" put x -> l[0] y = get l[0] : [256] @ " ACROSS " t = map s + y yield t } "
		"store s -> Y[0] }", ".(l.|p|g.)s" },
	{ HEAD("4") "lds l: [256] f32 for k in K stages 2 carry s: [256] f32 = fill 0 { x = "
		COLUMN("k") " put x -> l[0] y = get l[0] : [256] @ " ACROSS " t = map s + y yield t "
		"} store s -> Y[0] }", ".(l.p|g.)s" },
	{ HEAD("4") "lds l: [256] f32 for k in K stages 3 carry s: [256] f32 = fill 0 { x = "
		COLUMN("k") " put x -> l[0] y = get l[0] : [256] @ " ACROSS " t = map s + y yield t "
		"} store s -> Y[0] }", ".(l.p|g.)s" },

	/* what is put in one step and got in the next, before and behind the loop */
	{ HEAD("4") "lds l: [256] f32 x = " COLUMN("0") " put x -> l[0] for k in K { y = "
		"get l[0] : [256] @ " ACROSS " z = map y + 1 put z -> l[0] } u = get l[0] : [256] "
		"v = map u * 2 store v -> Y[0] }", "l.p|(g.p)|g.s" },

	/* two loops: the copies of one in the other's steps */
	{ HEAD("4") "lds l: [256] f32 for j in 3 carry r: [256] f32 = fill 0 { for k in K stages 2 "
		"carry s: [256] f32 = r { x = " COLUMN("k") " put x -> l[0] y = get l[0] : [256] @ "
		ACROSS " t = map s + y yield t } yield s } store r -> Y[0] }",
		".(|(l.p|g.))s" },

	/* conditions */
	{ HEAD("4") "lds l: [256] f32 x = " COLUMN("0") " put x -> l[0] when K > 3 { y = get l[0] "
		": [256] @ " ACROSS " z = map y + 1 put z -> l[0] } u = get l[0] : [256] v = map u * 2 "
		"store v -> Y[0] }", "l.p|(g.p)|g.s" },

	{ MATMUL("1"), ".(ll|pp|gg.)s" },
	{ MATMUL("2"), ".(llpp|gg.)s" },
	{ MATMUL("3"), ".(llpp|gg.)s" },
};

static void print_waits(const struct program_body *body, char **to)
{
	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *of = &body->statements[i];

		*to = stpcpy(*to, of->wait == WAIT_WORKGROUP ? "|" : of->wait == WAIT_WAVE ?
			"'" : "");
		if (of->body.count) {
			*to = stpcpy(*to, "(");
			print_waits(&of->body, to);
			*to = stpcpy(*to, ")");
			continue;
		}
		*to = stpcpy(*to, of->kind == STATEMENT_PUT ? "p" : of->kind == STATEMENT_STORE ?
			"s" : of->tile->op == TILE_LOAD ? "l" : of->tile->op == TILE_GET ? "g" :
			".");
	}
}

/* Waits one by one, in the order of the text; NULL behind the last. */
static struct program_statement *find_wait(struct program_body *body, unsigned *n)
{
	struct program_statement *found = NULL;

	for (unsigned i = 0; !found && i < body->count; i++) {
		if (body->statements[i].wait != WAIT_NONE && !(*n)--)
			return &body->statements[i];
		found = find_wait(&body->statements[i].body, n);
	}
	return found;
}

static struct program_data data_new(layout_context *ctx, const char *program, int64_t m,
	int64_t k)
{
	const int64_t sizes[] = { strstr(program, "[M, K]") ? m : k, k };
	struct program_data data = program_data_new(ctx, program, sizes);
	uint64_t seed = 1, most = strstr(program, "i1") ? 1 : 4;

	for (unsigned i = 0; i < data.count; i++)
		for (int64_t e = 0; e < (int64_t)(data.buffers[i].bytes * 8 /
		     data.type[i]->bits); e++)
			program_data_set(&data, i, e, (double)random_below(&seed, 2 * most) -
				(most == 1 ? 0 : (double)most));
	return data;
}

static bool run(const struct program_data *data, layout_kernel *kernel)
{
	layout_run how = LAYOUT_RUN_INIT;

	how.buffers = data->buffers;
	how.buffer_count = data->count;
	how.sizes = data->sizes;
	how.size_count = data->size_count;
	return layout_kernel_run(data->ctx, kernel, &how);
}

/* The kernel without wait n; false where there is none.  The simulator says that two lanes
 * race, or that something was never written. */
static bool run_without(layout_context *ctx, const char *program, unsigned n)
{
	struct program_data data = data_new(ctx, program, 40, 71);
	layout_kernel *kernel = layout_kernel_new_program(data.program, "gfx942", NULL);
	struct program_statement *wait;

	assert_non_null(kernel);
	wait = find_wait(&kernel->plan->program->program->body, &n);
	if (wait) {
		wait->wait = WAIT_NONE;
		if (run(&data, kernel))
			fail_msg("%s: without wait %u, nothing is wrong", program, n);
		if (!strstr(layout_context_message(ctx), "race") &&
		    !strstr(layout_context_message(ctx), "never written"))
			fail_msg("%s", layout_context_message(ctx));
	}
	layout_kernel_free(kernel);
	program_data_free(&data);
	return wait;
}

static void test_waits(void **state)
{
	for (unsigned i = 0; i < COUNT(waits); i++) {
		layout_program *program = layout_program_parse(*state, waits[i].program);
		layout_kernel *kernel;
		char printed[256] = "", *to = printed;

		if (!program || layout_program_verify(program, NULL, NULL) != LAYOUT_YES)
			fail_msg("row %u: %s", i, layout_context_message(*state));
		kernel = layout_kernel_new_program(program, "gfx942", NULL);
		if (!kernel)
			fail_msg("row %u: %s", i, layout_context_message(*state));
		print_waits(&kernel->plan->program->program->body, &to);
		if (waits[i].waits && strcmp(printed, waits[i].waits))
			fail_msg("row %u: %s, not %s", i, printed, waits[i].waits);
		layout_kernel_free(kernel);
		layout_program_free(program);
	}
}

static void test_without(void **state)
{
	for (unsigned i = 0; i < COUNT(waits); i++)
		for (unsigned n = 0; ; n++) {
			layout_context *ctx = layout_context_new();
			bool had = run_without(ctx, waits[i].program, n);

			layout_context_free(ctx);
			if (!had)
				break;
		}
	(void)state;
}

static void test_results(void **state)
{
	static const char *const targets[] = { "gfx90a", "gfx942", "gfx950", "gfx1200:wave64",
		"host" };
	static const int64_t sizes[][2] = { { 40, 70 }, { 1, 1 }, { 64, 0 } };

	for (unsigned i = 0; i < COUNT(waits); i++) {
		struct program_data data[COUNT(sizes)];

		for (unsigned s = 0; s < COUNT(sizes); s++)
			data[s] = data_new(*state, waits[i].program, sizes[s][0],
				sizes[s][1]);
		program_check_all(data, COUNT(sizes), targets, COUNT(targets), 0);
		for (unsigned s = 0; s < COUNT(sizes); s++)
			program_data_free(&data[s]);
	}
}

/* Puts ahead of a loop in a loop: those that are made before the inner one wait for what was got in
 * its last turn. */
static void test_outer(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx1100", "sm_90" };
	static const int64_t sizes[][2] = { { 16, 192 }, { 16, 160 }, { 16, 128 }, { 5, 70 } };
	static const char text[] = "program p(A: in row_major[M, K] i32, Y: out row_major[M, 32] i32, Z: out row_major[M, "
		"32] i32) { grid (m) in (ceil(M/16)) workers w in 4 owner o = { [subgroup, lane, r] -> "
		"[lane mod 16, 8*subgroup + r + 4*floor(lane/16)]: 0 <= subgroup < 4 and 0 <= lane < 32 "
		"and 0 <= r < 4 } lds l0: [16, 32] i32 lds l1: [16, 32] i32 for q in 2 carry s: [16, 32] "
		"i32 @ o = fill 0, s2: [16, 32] i32 @ o = fill 0 { for k in ceil(K/32) stages 5 carry t: "
		"[16, 32] i32 @ o = s, t2: [16, 32] i32 @ o = s2 { copy A[16*m, 32*k] -> l0 by registers "
		"g: [16, 32] i32 @ o = get l0[0, 0] : [16, 32] u = map t + g copy A[16*m, 32*k] -> l1 by "
		"registers g2: [16, 32] i32 @ o = get l1[0, 0] : [16, 32] u2 = map t2 + g2 yield u, u2 } "
		"yield t, t2 } store s -> Y[16*m, 0] store s2 -> Z[16*m, 0] }";
	struct program_data data[COUNT(sizes)];

	for (unsigned s = 0; s < COUNT(sizes); s++)
		data[s] = data_new(*state, text, sizes[s][0], sizes[s][1]);
	program_check_all(data, COUNT(sizes), targets, COUNT(targets), 0);
	for (unsigned s = 0; s < COUNT(sizes); s++)
		program_data_free(&data[s]);
}

/* What is got may be held by anybody: not by whom it would cost nothing and leave no registers. */
static void test_room(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx1100", "sm_90", "gfx1250" };
	static const char text[] = "program p(X: in row_major[M, 32] f16, K: in row_major[N, 32] f16, Y: "
		"out row_major[M, N] f32) { grid (t, k) in (ceil(M/32), ceil(N/16)) workers w in 2 "
		"lds l: [16, 32] f16 x = load X[32*t, 0] : [32, 32] copy K[16*k, 0] -> l z: [32, 16] "
		"f32 = fill 0 s = contract z, x, get l[0, 0] : [16, 32] : (i, j, d) -> (i, d), (j, d), "
		"(i, j) by valu store s -> Y[32*t, 16*k] }";
	struct program_data data = program_data_new(*state, text, (const int64_t[]){ 37, 21 });

	program_data_random(&data, &(uint64_t){ 1 });
	program_check_all(&data, 1, targets, COUNT(targets), 0);
	program_data_free(&data);
}

/* Objects in types of every width, and places that are given. */
static void test_types(void **state)
{
	static const char *const types[] = { "i1", "i4", "i8", "f16", "f32", "f64" };
	static const char *const places[] = { "", "@ col_major[16, 32]",
		"@ strided[16, 32 : 35, 1]", "@ swizzled(row_major[16, 32], xor_shuffle<32, 4>)" };
	static const char *const targets[] = { "gfx942", "gfx1100", "host", "sm_90" };

	for (unsigned t = 0; t < COUNT(types); t++)
		for (unsigned i = 0; i < COUNT(places); i++) {
			struct program_data data;
			char text[512];

			snprintf(text, sizeof(text), "program p(X: in row_major[16, 32] %s, "
				"Y: out row_major[32, 16] %s) { grid (g) in (1) workers w in 2 "
				"lds l: [16, 32] %s %s put (load X[0, 0] : [16, 32]) -> l[0, 0] "
				"y = view (get l[0, 0] : [16, 32] @ { [subgroup, lane, r] -> "
				"[2*(lane mod 8) + r mod 2, floor(lane/8) + "
				"4*floor(r/2) + 16*subgroup] : 0 <= subgroup < 2 and "
				"0 <= lane < 32 and 0 <= r < 8 }) permute [1, 0] "
				"store y -> Y[0, 0] }", types[t], types[t], types[t], places[i]);
			data = data_new(*state, text, 0, 0);
			program_check_all(&data, 1, targets, COUNT(targets), 0);
			program_data_free(&data);
		}
}

/* What is loaded a step ahead, as vectors and as single elements, in types of every width. */
static void test_ahead(void **state)
{
	static const char *const types[] = { "i8", "f16", "f32", "f64" };
	static const char *const from[] = { "row_major[M, K]", "strided[M, K : 2*K, 2]" };
	static const char *const targets[] = { "gfx942", "sm_90" };

	for (unsigned t = 0; t < COUNT(types); t++)
		for (unsigned i = 0; i < COUNT(from); i++) {
			struct program_data data;
			char text[512];

			snprintf(text, sizeof(text), "program p(X: in %s %s, Y: out row_major[M, "
				"12] %s) { grid (m) in (ceil(M/16)) workers w in 1 lds l: [16, 12] "
				"%s for k in ceil(K/12) stages 2 carry s: [16, 12] %s = fill 0 { "
				"copy X[16*m, 12*k] -> l x = get l[0, 0] : [16, 12] t = map s + x "
				"yield t } store s -> Y[16*m, 0] }", from[i], types[t], types[t],
				types[t], types[t]);
			data = data_new(*state, text, 32, 48);
			program_check_all(&data, 1, targets, COUNT(targets), 0);
			program_data_free(&data);
		}
}

/* One row of the object, of 64 elements, by a lane for each or several. */
static const char *const owners[] = {
	"{ [subgroup, lane] -> [0, lane] : 0 <= subgroup < 1 and 0 <= lane < 64 }",
	"{ [lane] -> [0, 63 - lane] : 0 <= lane < 64 }",
	"{ [subgroup, lane] -> [0, (lane + 32*subgroup) mod 64] : 0 <= subgroup < 2 and "
		"0 <= lane < 64 }",
	"{ [subgroup, lane, r] -> [0, 32*subgroup + 2*lane + r] : 0 <= subgroup < 2 and "
		"0 <= lane < 16 and 0 <= r < 2 }",
	"{ [subgroup, lane, r] -> [0, 8*r + lane] : 0 <= subgroup < 1 and 0 <= lane < 8 and "
		"0 <= r < 8 }",
};

/* Random puts and gets of rows, "n" of them, in loops and under conditions. */
static char *random_statements(char *to, uint64_t *seed, unsigned n, unsigned *names,
	unsigned depth)
{
	while (n--) {
		unsigned row = (unsigned)random_below(seed, 3), a = *names;
		const char *owner = owners[random_below(seed, COUNT(owners))];
		uint64_t what = random_below(seed, depth ? 8 : 10);

		if (what < 3) {
			*names += 2;
			to += sprintf(to, "x%u = get l[%u, 0] : [1, 64] x%u = map x%u + %u "
				"put x%u -> l[%u, 0] ", a, row, a + 1, a, a % 5, a + 1,
				(unsigned)random_below(seed, 3));
		} else if (what < 8) {
			*names += 2;
			to += sprintf(to, "x%u = get l[%u, 0] : [1, 64] @ %s x%u = map x%u * 3 - "
				"l%u put x%u -> l[%u, 0] ", a, row, owner, a + 1, a, depth, a + 1,
				(unsigned)random_below(seed, 3));
		} else {
			to += what == 8 ? sprintf(to, "when K > %u { ",
				(unsigned)random_below(seed, 4)) :
				sprintf(to, "for k in K stages %u { ",
				1 + (unsigned)random_below(seed, 3));
			to = random_statements(to, seed, 1 + (unsigned)random_below(seed, 3),
				names, depth + 1);
			to = stpcpy(to, "} ");
		}
	}
	return to;
}

static void test_random(void **state)
{
	static const char *const targets[] = { "gfx942", "host" };
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < share_count(12); i++) {
		static const int64_t sizes[] = { 0, 1, 5 };
		struct program_data data[COUNT(sizes)];
		char text[8192], *to = text;
		unsigned names = 0;

		to += sprintf(to, "program p(X: in row_major[3, 64] i32, Y: out row_major[3, 64] "
			"i32, Z: in row_major[K] i32) { grid (g) in (1) workers w in 2 "
			"lds l: [3, 64] i32 l0: [1, 64] i32 = fill 1 l1: [1, 64] i32 = fill 2 "
			"put (load X[0, 0] : [3, 64]) -> l[0, 0] ");
		to = random_statements(to, &seed, 2 + (unsigned)random_below(&seed, 4), &names,
			0);
		sprintf(to, "y = get l[0, 0] : [3, 64] store y -> Y[0, 0] }");
		for (unsigned s = 0; s < COUNT(sizes); s++)
			data[s] = data_new(*state, text, 0, sizes[s]);
		program_check_all(data, COUNT(sizes), targets, COUNT(targets), 0);
		for (unsigned s = 0; s < COUNT(sizes); s++)
			program_data_free(&data[s]);
	}
}

/* Three waves have a digit that is no bits, and no place among XORs of bits. */
static bool is_apart(const struct program_data *data)
{
	char *text = layout_program_str(data->program);
	bool apart = strstr(text, "workers w in 3") && strstr(text, "xor_shuffle") &&
		strstr(layout_context_message(data->ctx), "no digits and no XORs of bits");

	layout_string_free(text);
	return apart;
}

/* Is it within the registers and the LDS of a target, and of what it can place? */
static bool fits(const struct program_data *data, const char *target)
{
	layout_kernel *kernel = layout_kernel_new_program(data->program, target, NULL);
	bool there = kernel;

	layout_kernel_free(kernel);
	if (!there && !strstr(layout_context_message(data->ctx), " need") && !is_apart(data))
		fail_msg("%s", layout_context_message(data->ctx));
	layout_context_clear(data->ctx);
	return there;
}

/* Where an object of rows x columns may lie: as is found, or in some order that is said. */
static void random_place(char *place, uint64_t *seed, unsigned rows, unsigned columns)
{
	switch (random_below(seed, 6)) {
	case 0:
		sprintf(place, "@ strided[%u, %u : %u, 1]", rows, columns, columns + 8);
		break;
	case 1:
		sprintf(place, "@ swizzled(row_major[%u, %u], xor_shuffle<%u, 4>)", rows, columns,
			columns);
		break;
	case 2:
		sprintf(place, "@ col_major[%u, %u]", rows, columns);
		break;
	case 3:
		sprintf(place, "@ packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = "
			"[8, 4]}>, [%u, %u])", rows, columns);
		break;
	default:
		place[0] = 0;
	}
}

/* Random products through the LDS: types, shapes, waves, stages, places, ways of the copies;
 * until there is one that is not refused. */
static void test_products(void **state)
{
	static const struct {
		const char *type, *sum;
		unsigned step;
	} types[] = { { "f16", "f32", 32 }, { "bf16", "f32", 32 }, { "i8", "i32", 32 },
		{ "f32", "f32", 16 }, { "f64", "f64", 8 }, { "f8E4M3FN", "f32", 64 },
		{ "f8E5M2FNUZ", "f32", 32 }, { "u8", "i32", 32 } };
	static const char *const waves[] = { "1", "2", "3", "4", "2 x 2", "1 x 4", "4 x 1" };
	static const char *const ways[] = { "", "", "by registers" };
	static const char *const targets[] = { "gfx90a", "gfx942", "gfx950", "gfx1100",
		"gfx1200", "host", "sm_90" };
	static const char *const majors[] = { "row_major", "col_major" };
	uint64_t seed = random_seed();
	unsigned tried = 0;

	for (unsigned i = 0; i < share_count(8) || (!tried && i < 50); i++) {
		unsigned t = (unsigned)random_below(&seed, COUNT(types));
		unsigned m = 32u << random_below(&seed, 2), n = 32u << random_below(&seed, 2);
		unsigned k = types[t].step << random_below(&seed, 2);
		const char *target = targets[random_below(&seed, COUNT(targets))];
		int64_t sizes[] = { (int64_t)random_below(&seed, 80), (int64_t)random_below(
			&seed, 100), (int64_t)random_below(&seed, 80) };
		struct program_data data;
		char text[2048], places[2][128];

		random_place(places[0], &seed, m, k);
		random_place(places[1], &seed, k, n);
		sprintf(text, "program p(X: in %s[M, K] %s, Z: in %s[K, N] %s, Y: out row_major[M, "
			"N] %s) { grid (g, h) in (ceil(M/%u), ceil(N/%u)) workers w in %s "
			"lds lx: [%u, %u] %s %s lds lz: [%u, %u] %s %s for k in ceil(K/%u) stages %u "
			"carry c: [%u, %u] %s = fill 0 { copy X[%u*g, %u*k] -> lx %s "
			"z = load Z[%u*k, %u*h] : [%u, %u] put z -> lz[0, 0] "
			"t = contract c, get lx[0, 0] : [%u, %u], get lz[0, 0] : [%u, %u] : "
			"(i, j, e) -> (i, e), (e, j), (i, j) yield t } store c -> Y[%u*g, %u*h] }",
			majors[random_below(&seed, 2)], types[t].type,
			majors[random_below(&seed, 2)], types[t].type, types[t].sum, m, n,
			waves[random_below(&seed, COUNT(waves))], m, k, types[t].type, places[0],
			k, n, types[t].type, places[1], k, 1 + (unsigned)random_below(&seed, 4),
			m, n, types[t].sum, m, k, ways[random_below(&seed, COUNT(ways))], k, n,
			k, n, m, k, k, n, m, n);
		data = program_data_new(*state, text, sizes);
		for (unsigned b = 0; b < data.count; b++)
			for (int64_t e = 0; e < (int64_t)(data.buffers[b].bytes * 8 /
			     data.type[b]->bits); e++)
				program_data_set(&data, b, e, (double)random_below(&seed, 5) -
					(data.type[b]->kind == 'u' ? 0 : 2));
		if (fits(&data, target)) {
			program_check_all(&data, 1, &target, 1, 0);
			tried++;
		}
		program_data_free(&data);
	}
	assert_true(tried);
}

/* An object that fills the LDS, and a conversion through it behind the last get, or not. */
#define AFTER(last) "program p(X: in row_major[128, 128] f32, Y: out row_major[128, 128] f32, " \
	"Z: out row_major[128] f32) { grid (g) in (1) workers w in 4 lds l: [128, 128] f32 " \
	"x = load X[0, 0] : [128, 128] put x -> l[0, 0] y = convert (get l[0, 0] : " \
	"[128, 128]) @ { [subgroup, lane, r] -> [lane + 64*(subgroup mod 2), r + " \
	"64*floor(subgroup/2)] : 0 <= subgroup < 4 and 0 <= lane < 64 and 0 <= r < 64 } " \
	"store y -> Y[0, 0] " last "}"

/* Where it is more than there is. */
static void test_bytes(void **state)
{
	layout_program *program = layout_program_parse(*state, "program p(X: in row_major[256, "
		"256] f16, Y: out row_major[256, 256] f16) { grid (g) in (1) workers w in 4 "
		"lds l: [256, 256] f16 x = load X[0, 0] : [256, 256] put x -> l[0, 0] "
		"store x -> Y[0, 0] }");

	assert_non_null(program);
	assert_null(layout_kernel_new_program(program, "gfx942", NULL));
	assert_non_null(strstr(layout_context_message(*state),
		"the objects need 131072 bytes of LDS, gfx942 has 65536"));
	layout_program_free(program);

	layout_context_clear(*state);
	program = layout_program_parse(*state, AFTER("q = get l[0, 0] : [128, 128] "
		"u = reduce add q over [0] store u -> Z[0] "));
	assert_non_null(program);
	assert_null(layout_kernel_new_program(program, "gfx942", NULL));
	assert_non_null(strstr(layout_context_message(*state),
		" bytes of LDS, besides 65536 of objects, gfx942 has 65536"));
	layout_program_free(program);
}

/* What conversions and reductions take lies over objects that are done with, once all waves
 * are. */
static void test_over(void **state)
{
	static const char *const targets[] = { "gfx942" };
	struct program_data data = data_new(*state, AFTER("z: [128] f32 = fill 1 "
		"store z -> Z[0] "), 0, 0);
	layout_kernel *kernel = layout_kernel_new_program(data.program, "gfx942", NULL);
	const struct program_plan *plan;

	if (!kernel)
		fail_msg("%s", layout_context_message(*state));
	plan = kernel->plan->program;
	assert_int_equal(plan->object_bytes, 65536);
	assert_int_equal(plan->local_bytes, 0);
	layout_kernel_free(kernel);
	program_check_all(&data, 1, targets, 1, 0);
	program_data_free(&data);
}

static unsigned count_words(const char *from, const char *to, const char *word)
{
	unsigned count = 0;

	for (; (from = strstr(from, word)) && from < to; from += strlen(word))
		count++;
	return count;
}

/* A box whose rows no swizzle fits. */
static void test_rows(void **state)
{
	static const char *const targets[] = { "gfx942", "gfx950", "gfx1100" };
	struct program_data data = data_new(*state, "program p(X: in row_major[M, K] f32, Y: out "
		"row_major[M, 40] f32) { grid (m) in (ceil(M/8)) workers w in 1 lds l: [8, 40] f32 "
		"for k in ceil(K/40) stages 2 carry s: [8, 40] f32 = fill 0 { "
		"copy X[8*m, 40*k] -> l g = get l[0, 0] : [8, 40] t = map s + g yield t } "
		"store s -> Y[8*m, 0] }", 19, 120);

	program_check_all(&data, 1, targets, COUNT(targets), 0);
	program_data_free(&data);
}

/* Loads are a step less ahead than there are copies of an object, and puts one less than that;
 * where another put is to the object, only the load is. */
static void test_early(void **state)
{
	static const struct {
		const char *program;
		unsigned load, put;
	} early[] = {
		{ MATMUL("1"), 0, 0 }, { MATMUL("2"), 1, 0 }, { MATMUL("3"), 2, 1 },
		{ MATMUL("4"), 3, 2 },
		{ "program p(X: in row_major[M, K] f16, Y: out row_major[M, M] f32) { grid (m) in "
			"(1) workers w in 1 lds l: [32, 32] f16 for k in ceil(K/32) stages 3 "
			"carry c: [32, 32] f32 = fill 0 { x = load X[0, 32*k] : [32, 32] put x -> "
			"l[0, 0] z = map x * 2 put z -> l[0, 0] g = get l[0, 0] : [32, 32] "
			"t = map c + f32(g) yield t } store c -> Y[0, 0] }", 0, 0 },
		{ "program p(X: in row_major[M, K] f16, Y: out row_major[M, M] f32) { grid (m) in "
			"(1) workers w in 1 lds l: [32, 32] f16 for k in ceil(K/32) stages 3 "
			"carry c: [32, 32] f32 = fill 0 { x = load X[0, 32*k] : [32, 32] put x -> "
			"l[0, 0] z: [32, 32] f16 = fill 2 put z -> l[0, 0] g = get l[0, 0] : "
			"[32, 32] t = map c + f32(g) yield t } store c -> Y[0, 0] }", 1, 0 },
	};

	for (unsigned i = 0; i < COUNT(early); i++) {
		layout_program *program = layout_program_parse(*state, early[i].program);
		layout_kernel *kernel = layout_kernel_new_program(program, "gfx942", NULL);
		const struct program_statement *loop;
		unsigned load = 0, put = 0;

		assert_non_null(kernel);
		loop = kernel->plan->program->program->body.statements;
		while (loop->kind != STATEMENT_FOR)
			loop++;
		for (unsigned s = 0; s < loop->body.count; s++) {
			const struct program_statement *of = &loop->body.statements[s];

			if (of->kind == STATEMENT_PUT && of->early_steps > put)
				put = of->early_steps;
			if (of->kind == STATEMENT_TILE && of->early && of->early_steps > load)
				load = of->early_steps;
		}
		assert_int_equal(load, early[i].load);
		assert_int_equal(put, early[i].put);
		layout_kernel_free(kernel);
		layout_program_free(program);
	}
}

/* A factor whose summed elements lie apart is got by turned loads where the chip has them, and a
 * permutation of what is got is not converted. */
static void test_turned(void **state)
{
	static const struct {
		const char *target, *type, *factor;
		bool turned;
	} turned[] = {
		{ "gfx950", "f16", "get lz[0, 0] : [32, 64] : (i, j, k) -> (i, k), (k, j)", true },
		{ "gfx950", "bf16", "view (get lz[0, 0] : [32, 64]) permute [1, 0] : (i, j, k) -> "
			"(i, k), (j, k)", true },
		{ "gfx950", "f32", "get lz[0, 0] : [32, 64] : (i, j, k) -> (i, k), (k, j)", false },
		{ "gfx942", "f16", "view (get lz[0, 0] : [32, 64]) permute [1, 0] : (i, j, k) -> "
			"(i, k), (j, k)", false },
		{ "gfx1100", "f16", "view (get lz[0, 0] : [32, 64]) permute [1, 0] : (i, j, k) -> "
			"(i, k), (j, k)", false },
	};

	for (unsigned i = 0; i < COUNT(turned); i++) {
		struct program_data data;
		layout_kernel *kernel;
		bool has = false;
		char text[1024];

		snprintf(text, sizeof(text), "program p(X: in row_major[M, K] %s, Z: in "
			"row_major[K, M] %s, Y: out row_major[M, M] f32) { grid (m, n) in "
			"(ceil(M/64), ceil(M/64)) workers w in 2 x 2 lds lx: [64, 32] %s lds lz: "
			"[32, 64] %s for k in ceil(K/32) stages 2 carry c: [64, 64] f32 = fill 0 { "
			"copy X[64*m, 32*k] -> lx copy Z[32*k, 64*n] -> lz t = contract c, "
			"get lx[0, 0] : [64, 32], %s, (i, j) yield t } store c -> Y[64*m, 64*n] }",
			turned[i].type, turned[i].type, turned[i].type, turned[i].type,
			turned[i].factor);
		data = data_new(*state, text, 40, 72);
		kernel = layout_kernel_new_program(data.program, turned[i].target, NULL);
		if (!kernel)
			fail_msg("row %u: %s", i, layout_context_message(*state));
		for (unsigned a = 0; a < kernel->plan->program->access_count; a++)
			has = has || kernel->plan->program->accesses[a].turned;
		assert_int_equal(has, turned[i].turned);
		for (unsigned t = 0; t < kernel->plan->program->tile_count; t++) {
			const layout_tile *tile = kernel->plan->program->program->tiles[t];

			assert_false(tile->op == TILE_CONVERT &&
				(tile->operands[0]->op == TILE_GET ||
				tile->operands[0]->op == TILE_VIEW));
		}
		layout_kernel_free(kernel);
		program_check_all(&data, 1, &turned[i].target, 1, 0);
		program_data_free(&data);
	}
}

/* The loop of whole tiles, two steps a turn: addresses are those of the first step and
 * constants, and the next step's loads are under way while this one multiplies. */
static void test_loop(void **state)
{
	layout_program *program = layout_program_parse(*state, MATMUL("2"));
	layout_kernel *kernel = layout_kernel_new_program(program, "gfx942", NULL);
	size_t length;
	char *text, *best = NULL, *end = NULL, label[32];
	unsigned products = 0;

	assert_non_null(kernel);
	text = layout_kernel_emit(*state, kernel, LAYOUT_EMIT_ASM, NULL, 0, &length);
	assert_non_null(text);
	for (char *line = text; (line = strstr(line, "\n.LBB")); line++) {
		char *branch;

		snprintf(label, sizeof(label), " %.*s\n", (int)strcspn(line + 1, ":"), line + 1);
		branch = strstr(line, label);
		if (branch && count_words(line, branch, "\n.LBB") == 1 &&
		    count_words(line, branch, "v_mfma") > products) {
			products = count_words(line, branch, "v_mfma");
			best = line;
			end = branch;
		}
	}
	assert_non_null(best);
	assert_int_equal(products, 2 * 2);
	assert_int_equal(count_words(best, end, "s_barrier"), 2);
	assert_int_equal(count_words(best, end, "ds_read_b128"), 2 * 2);
	assert_int_equal(count_words(best, end, "ds_write2st64_b64"), 2);
	assert_int_equal(count_words(best, end, "vmcnt(0)"), 0);
	assert_in_range(count_words(best, end, "\tv_") - products, 0, 3);
	end = strstr(best, "s_barrier");
	assert_int_equal(count_words(best, end, "global_load"), 2);
	assert_null(strstr(text, "scratch_"));
	layout_string_free(text);
	layout_kernel_free(kernel);
	layout_program_free(program);
}

/* The accumulator of a head's first product is a factor of its second as it is: nothing is
 * converted, and there is one barrier a step. */
static void test_attention(void **state)
{
	char text[4096], printed[256] = "", *to = printed, *explained;
	FILE *file = fopen(SOURCE_DIR "/examples/programs/attention.txt", "r");
	const struct program_plan *plan;
	layout_program *program;
	layout_kernel *kernel;
	size_t length;

	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = 0;
	fclose(file);
	program = layout_program_parse(*state, text);
	kernel = layout_kernel_new_program(program, "gfx942", NULL);
	assert_non_null(kernel);
	plan = kernel->plan->program;
	for (unsigned i = 0; i < plan->tile_count; i++)
		assert_int_not_equal(plan->program->tiles[i]->op, TILE_CONVERT);
	explained = layout_kernel_emit(*state, kernel, LAYOUT_EMIT_EXPLAIN, NULL, 0,
		&length);
	assert_non_null(strstr(explained, "  by MFMA_F32_16x16x16_F16: factor _"));
	assert_non_null(strstr(explained, " is in its registers as it is\n"));
	layout_string_free(explained);
	print_waits(&plan->program->body, &to);
	assert_string_equal(printed, "l...(lplp.|g............g.).s");
	layout_kernel_free(kernel);
	layout_program_free(program);
}

/* The places that are found have no bank conflicts, wherever there is such a place. */
static void test_places(void **state)
{
	static const char *const targets[] = { "gfx90a", "gfx942", "gfx950", "gfx1100",
		"gfx1200", "sm_90" };

	for (unsigned t = 0; t < COUNT(targets); t++) {
		layout_program *program = layout_program_parse(*state, MATMUL("2"));
		layout_kernel *kernel = layout_kernel_new_program(program, targets[t], NULL);
		const struct program_plan *plan = kernel ? kernel->plan->program : NULL;
		unsigned most = 0;

		assert_non_null(kernel);
		for (unsigned i = 0; i < plan->access_count; i++) {
			layout_lds_cost cost;

			assert_true(local_access_cycles(*state, &plan->accesses[i],
				layout_lds_find(*state, targets[t]), 2, &cost));
			if (cost.cycles - cost.least > most)
				most = cost.cycles - cost.least;
		}
		if (most)
			fail_msg("%s: %u cycles for bank conflicts", targets[t], most);
		layout_kernel_free(kernel);
		layout_program_free(program);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_waits,
			program_context_new, program_context_free),
		cmocka_unit_test(test_without),
		cmocka_unit_test_setup_teardown(test_results,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_room,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_outer,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_types,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_ahead,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_random,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_products,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_bytes,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_rows,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_over,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_turned,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_early,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_loop,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_attention,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_places,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
