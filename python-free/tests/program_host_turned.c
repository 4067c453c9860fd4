/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles that are turned on the CPU, against what they mean: views that move the last dimension, and
 * memories in which another dimension is the nearest. */
#include "support/program_data.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

enum { RANK = 4, TEXT = 4096 };

static void shuffle(unsigned *order, unsigned rank, uint64_t *seed)
{
	for (unsigned d = 0; d < rank; d++)
		order[d] = d;
	for (unsigned d = rank; d-- > 1;) {
		unsigned k = (unsigned)random_below(seed, d + 1), was = order[d];

		order[d] = order[k];
		order[k] = was;
	}
}

/* Dimensions in any order in memory, with gaps or without. */
static void print_storage(char *text, unsigned rank, const int64_t *sizes, bool rows, uint64_t *seed)
{
	unsigned order[RANK];
	int64_t strides[RANK], stride = 1;
	int at = sprintf(text, rows ? "row_major[" : "strided[");

	shuffle(order, rank, seed);
	for (unsigned i = rank; i-- > 0;) {
		strides[order[i]] = stride;
		stride = stride * sizes[order[i]] + random_below(seed, 3) / 2;
	}
	for (unsigned d = 0; d < rank; d++)
		at += sprintf(text + at, "%s%d", d ? ", " : "", (int)sizes[d]);
	for (unsigned d = 0; !rows && d < rank; d++)
		at += sprintf(text + at, "%s%d", d ? ", " : " : ", (int)strides[d]);
	sprintf(text + at, "]");
}

static char *print_list(char *text, unsigned rank, const char *format, const int64_t *a, const int64_t *b)
{
	int at = 0;

	for (unsigned d = 0; d < rank; d++) {
		at += sprintf(text + at, "%s", d ? ", " : "");
		at += sprintf(text + at, format, (int)a[d], (int)(b ? b[d] : 0));
	}
	return text;
}

/* A tile of X, permuted, to Y, with something between that asks for it in some way. */
static void random_program(char *text, const char *type, uint64_t *seed)
{
	static const int64_t extents[] = { 1, 3, 4, 8, 16, 32, 48, 64 };
	static const char *const betweens[] = { "y = view x permute [%s]",
		"m = map x y = view m permute [%s]",
		"v = view x permute [%s] y = map v",
		"m = map x v = view m permute [%s] o = load Y[%s] : [%s] y = map select(o == v, o, v)" };
	unsigned rank = 2 + (unsigned)random_below(seed, RANK - 1), order[RANK];
	bool rows = !strcmp(type, "i4") || random_below(seed, 2);
	int64_t sizes[RANK], box[RANK], to[RANK], wide[RANK], number[RANK], moved[RANK], elements = 1;
	char x[256], y[256], lists[7][128], between[384];

	shuffle(order, rank, seed);
	for (unsigned d = 0; d < rank; d++) {
		do
			box[d] = extents[random_below(seed, COUNT(extents))];
		while (elements * box[d] > 8192);
		elements *= box[d];
		sizes[d] = random_below(seed, 3) ? box[d] + random_below(seed, box[d] + 3) : box[d];
		if (!strcmp(type, "i4"))
			sizes[d] += sizes[d] % 2, box[d] += box[d] % 2;
		number[d] = d;
	}
	for (unsigned d = 0; d < rank; d++) {
		to[d] = box[order[d]];
		wide[d] = sizes[order[d]];
		moved[d] = order[d];
	}
	print_storage(x, rank, sizes, rows, seed);
	print_storage(y, rank, wide, rows, seed);
	print_list(lists[0], rank, "g%d", number, NULL);
	print_list(lists[1], rank, "ceil(%d/%d)", sizes, box);
	print_list(lists[2], rank, "%d*g%d", box, number);
	print_list(lists[3], rank, "%d", box, NULL);
	print_list(lists[4], rank, "%d", moved, NULL);
	print_list(lists[5], rank, "%d*g%d", to, moved);
	print_list(lists[6], rank, "%d", to, NULL);
	snprintf(between, sizeof(between), betweens[random_below(seed, COUNT(betweens))], lists[4], lists[5],
		lists[6]);
	snprintf(text, TEXT, "program p(X: in %s %s, Y: inout %s %s) { grid (%s) in (%s) workers w in 1 "
		"x = load X[%s] : [%s] %s store y -> Y[%s] }", x, type, y, type, lists[0], lists[1], lists[2],
		lists[3], between, lists[5]);
}

static void check(layout_context *ctx, const char *text, const int64_t *sizes, uint64_t *seed)
{
	struct program_data data = program_data_new(ctx, text, sizes), copy;
	layout_kernel *kernel = layout_kernel_new_program(data.program, "host", NULL);
	layout_run run = LAYOUT_RUN_INIT;

	if (!kernel)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	program_data_random(&data, seed);
	copy = program_data_copy(&data);
	program_data_eval(&data);
	run.buffers = copy.buffers;
	run.buffer_count = copy.count;
	run.sizes = data.sizes;
	run.size_count = data.size_count;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s: %s", text, layout_context_message(ctx));
	for (unsigned i = 0; i < data.count; i++)
		if (memcmp(data.buffers[i].base, copy.buffers[i].base, data.buffers[i].bytes))
			fail_msg("%s of %s", data.buffers[i].name, text);
	layout_kernel_free(kernel);
	program_data_free(&copy);
	program_data_free(&data);
}

static void test_random(void **state)
{
	static const char *const types[] = { "i8", "i16", "f32", "i32", "f64", "i4", "bf16", "f16", "f8E4M3FN" };
	uint64_t seed = random_seed();
	char text[TEXT];

	for (unsigned i = 0; i < share_count(90); i++) {
		random_program(text, types[i % COUNT(types)], &seed);
		check(*state, text, NULL, &seed);
	}
}

/* What is turned is an accumulator, is read in another loop, is reduced, is a product and its factors. */
static const char *const rows[] = {
	"program p(X: in row_major[M, N] f32, Y: out row_major[N] f32) { grid (n) in (ceil(N/32)) workers w in 1 "
	"for k in ceil(M/16) carry s: [32, 16] f32 = fill 0 { x = load X[16*k, 32*n] : [16, 32] "
	"t = view x permute [1, 0] u = map s + t yield u } r = reduce add s over [1] store r -> Y[32*n] }",
	"program p(X: in row_major[M, N] f32, Y: out row_major[N, M] f32) { grid (m) in (ceil(M/16)) workers w in 1 "
	"for k in ceil(N/16) { c: [16, 16] f32 = fill 1 for i in 3 carry s: [16, 16] f32 = c { "
	"v = view s permute [1, 0] x = load X[16*m, 16*k] : [16, 16] u = map v + x yield u } "
	"t = view s permute [1, 0] store t -> Y[16*k, 16*m] } }",
	"program p(A: in col_major[M, K] f32, B: in col_major[K, N] f32, C: out col_major[M, N] f32) { "
	"grid (m, n) in (ceil(M/32), ceil(N/32)) workers w in 1 for k in ceil(K/32) carry s: [32, 32] f32 = fill 0 { "
	"t = contract s, load A[32*m, 32*k] : [32, 32], load B[32*k, 32*n] : [32, 32] : (i, j, k) -> (i, k), (k, j), (i, j) "
	"yield t } store s -> C[32*m, 32*n] }",
	"program p(X: in row_major[M, N] i32, Y: out row_major[N, M] i32) { grid (m, n) in (ceil(M/16), ceil(N/16)) "
	"workers w in 1 lds l: [16, 16] i32 copy X[16*m, 16*n] -> l g = get l[0, 0] : [16, 16] "
	"t = view g permute [1, 0] store t -> Y[16*n, 16*m] }",
	"program p(X: in col_major[M, N] f32, Y: out row_major[M] f32) { grid (m) in (ceil(M/16)) workers w in 1 "
	"for k in ceil(N/64) carry s: [16] f32 = fill 0 { x = load X[16*m, 64*k] : [16, 64] (pad = 2) "
	"r = reduce add x over [1] u = map r + s yield u } store s -> Y[16*m] }",
	"program p(X: inout col_major[M, N] f32, Y: in row_major[M, N] f32) { grid (m, n) in (ceil(M/16), ceil(N/16)) "
	"workers w in 1 x = load X[16*m, 16*n] : [16, 16] y = load Y[16*m, 16*n] : [16, 16] z = map x - y * 2 "
	"store z -> X[16*m, 16*n] }",
	"program p(I: in row_major[M] i32, X: in col_major[M, N] f32, Y: inout col_major[N, M] f32) { "
	"grid (m, n) in (ceil(M/16), ceil(N/16)) workers w in 1 i = load I[16*m] : [16] (pad = -1) "
	"j = view i expand 0 into (16, 1) x = load X[j, 16*n] : [16, 16] t = view x permute [1, 0] "
	"store t -> Y[16*n, 16*m] }",
};

static void test_rows(void **state)
{
	static const int64_t sizes[][3] = { { 0, 5, 3 }, { 1, 1, 1 }, { 16, 32, 32 }, { 33, 47, 20 }, { 100, 65, 70 } };
	uint64_t seed = random_seed();

	for (unsigned i = 0; i < COUNT(rows); i++)
		for (unsigned k = 0; k < COUNT(sizes); k++)
			if (share_has(k, i, COUNT(sizes)))
				check(*state, rows[i], sizes[k], &seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_random, program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_rows, program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
