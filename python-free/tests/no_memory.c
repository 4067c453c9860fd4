/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Each allocation of an operation fails in turn: there is the right answer then, or none and
 * an error. */
#include "support/allocations.h"
#include "support/skip.h"
#include <layout/layout.h>

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* In memory that a child shares: the allocation that it is at. */
static volatile unsigned long *tried;

static char *text(layout_value *value)
{
	return layout_value_str(value);
}

/* A no without its witness is half of an answer.  What it is said by does not fail. */
static char *said(layout_answer answer, layout_witness *witness)
{
	const char *text = answer == LAYOUT_YES ? "yes" : witness ? witness->text : NULL;
	char *copy;

	allocations_pause();
	copy = answer == LAYOUT_UNKNOWN || !text ? NULL : strdup(text);
	layout_witness_free(witness);
	return copy;
}

static char *injective(layout_value *value)
{
	layout_relation *relation = layout_value_relation(value);
	layout_witness *witness = NULL;
	layout_answer answer = layout_relation_is_injective(relation, &witness);

	layout_relation_free(relation);
	return said(answer, witness);
}

static char *function(layout_value *value)
{
	layout_relation *relation = layout_value_relation(value);
	layout_witness *witness = NULL;
	layout_answer answer = layout_relation_is_function(relation, &witness);

	layout_relation_free(relation);
	return said(answer, witness);
}

static char *isl_text(layout_value *value)
{
	layout_relation *relation = layout_value_relation(value);
	char *isl = layout_relation_isl_str(relation);

	layout_relation_free(relation);
	return isl;
}

static char *converted(layout_value *value, layout_notation to)
{
	layout_value *other = layout_value_convert(value, to);
	char *result = layout_value_str(other);

	layout_value_free(other);
	return result;
}

static char *cute(layout_value *value)
{
	return converted(value, LAYOUT_NOTATION_CUTE);
}

static char *linear(layout_value *value)
{
	return converted(value, LAYOUT_NOTATION_LINEAR);
}

static char *nested(layout_value *value)
{
	return converted(value, LAYOUT_NOTATION_NESTED);
}

static char *counted(layout_value *value)
{
	layout_set *set = layout_value_set(value);
	char *count = layout_set_count(set);

	layout_set_free(set);
	return count;
}

static char *shown(layout_value *value)
{
	return layout_show(value, &(layout_show_options)LAYOUT_SHOW_OPTIONS_INIT);
}

static char *same(layout_value *value)
{
	layout_context *ctx = layout_value_context(value);
	layout_value *other = layout_value_parse(ctx, "{ [i] -> [floor(i/4) + 8*(i mod 4)] : "
		"0 <= i < 32 }");
	layout_witness *witness = NULL;
	layout_answer answer = layout_equal(value, other, &witness);

	layout_value_free(other);
	return said(answer, witness);
}

static bool add(void *user, const int64_t *point, unsigned rank)
{
	uint64_t *sum = user;

	for (unsigned i = 0; i < rank; i++)
		*sum = 31 * *sum + (uint64_t)point[i];
	return true;
}

static char *visited(layout_value *value)
{
	layout_set *set = layout_value_set(value);
	uint64_t sum = 0;
	char *result = NULL;
	bool good = set && layout_set_for_each(set, add, &sum);

	allocations_pause();
	if (good)
		assert_true(asprintf(&result, "%llu", (unsigned long long)sum) > 0);
	layout_set_free(set);
	return result;
}

/* With a number for each size of a storage: its memory's shape, bytes and elements. */
static char *measured(layout_value *value)
{
	static const layout_size sizes[] = { { "M", 9 }, { "K", 5 } };
	layout_storage *storage = layout_storage_copy(layout_value_storage(value));
	int64_t shape[LAYOUT_STORAGE_SLOTS], bytes = -1, elements = -1;
	int rank = layout_storage_memory_shape(storage, sizes, 2, shape);
	char *result = NULL;

	if (rank >= 0)
		elements = layout_storage_elements(storage, sizes, 2);
	if (elements >= 0)
		bytes = layout_storage_bytes(storage, "f16", sizes, 2);
	allocations_pause();
	if (bytes >= 0)
		assert_true(asprintf(&result, "%d %lld %lld", rank, (long long)elements,
			(long long)bytes) > 0);
	layout_storage_free(storage);
	return result;
}

static char *same_memory(layout_value *value)
{
	layout_context *ctx = layout_value_context(value);
	layout_storage *other = layout_storage_parse(ctx, "strided[M, K : 1, M]");
	layout_witness *witness = NULL;
	layout_answer answer = layout_storage_same_memory(layout_value_storage(value), other,
		&witness);

	layout_storage_free(other);
	allocations_pause();
	if (answer == LAYOUT_NO && witness) {	/* which is one of many */
		free(witness->text);
		witness->text = strdup("no");
	}
	return said(answer, witness);
}

/* A program of A and B, each of nine floats. */
static char *evaluated(layout_value *value)
{
	float a[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, b[9] = { 0 };
	layout_size sizes[] = { { "M", 9 } };
	layout_buffer_argument buffers[] = { { "A", a, sizeof(a) }, { "B", b, sizeof(b) } };
	bool good = layout_program_eval(layout_value_program(value), sizes, 1, buffers, 2);
	char *result = NULL;

	allocations_pause();
	if (good)
		assert_true(asprintf(&result, "%g %g", (double)b[0], (double)b[8]) > 0);
	return result;
}

static const struct {
	const char *text;
	char *(*ask)(layout_value *value);
} rows[] = {
	{ "{ [i, j] -> [j, i + 1] : 0 <= i < 4 }", text },
	{ "[M] -> { [i] : 0 <= i < M and i mod 3 = 1 }", text },
	{ "affine_map<(d0, d1)[s0] -> (d0 floordiv 4, -(d1 + s0)*2 mod 3)>", text },
	{ "row_major[M, 2*K - 1]", text },
	{ "chain(row_major[M, 2*K], pad([1, 0], [P, K], -1.5), expand_shape([[0, 1], [2]], "
	  "[?, 4, 3*K]), transpose([1, 0, 2]))", text },
	{ "remap(row_major[M, 3] -> col_major[M, 3], type = f32, pad = -1.5)", text },
	{ "program p(A: in row_major[M] f16, B: out row_major[M] f32) { grid (m) in "
	  "(ceil(M/4)) workers w in 1 a = load A[4*m] : [4] @ 4:1 (pad = 1) b = map "
	  "max(f32(a), 0) store b -> B[4*m] }", text },
	{ "program p(A: in row_major[M] f16, B: out row_major[M] f16) { grid (m) in "
	  "(ceil(M/4)) order { [m] -> [m] } workers w in 1 lds l: [4] f16 copy A[4*m] -> l "
	  "by direct a = get l[0] : [4] store a -> B[4*m] }", text },
	{ "distribute(#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], "
	  "warpsPerCTA = [2, 2], order = [1, 0]}>, [64, 32])", text },
	{ "compose({ [i] -> [i + 1] }, (4,8):(8,1))", text },
	{ "inverse({ [i] -> [floor(i/4), i mod 4] : 0 <= i < 32 })", text },
	{ "union({ [i] -> [i] : i < 3 }, { [i] -> [2i] : i > 3 })", text },
	{ "subtract({ [i] -> [i] : 0 <= i < 9 }, { [i] -> [i] : i mod 2 = 0 })", text },
	{ "product({ [i] -> [i + 1] }, { [j] -> [2j] })", text },
	{ "permute(intersect({ [i, j] : i <= j }, { [i, j] : 0 <= i }), [1, 0])", text },
	{ "restrict({ [i] -> [i mod 5] }, { [i] : 0 <= i < 20 })", text },
	{ "simplify({ [i] -> [floor((4i + 2)/4)] : 0 <= i < 20 })", text },
	{ "complement((4,2):(1,8), 64)", text },
	{ "logical_divide((4,8):(8,1), 2:1)", text },
	{ "coalesce((2,(2,4)):(1,(2,4)))", text },
	{ "compose((4,8):(8,1), (8,4):(4,1))", text },
	{ "swizzled(row_major[8, 64], xor_shuffle<64, 8>)", isl_text },
	{ "mma<MFMA_F32_16x16x4_F32, lhs>", isl_text },
	{ "(4,8):(8,1)", injective },
	{ "{ [i, j] -> [i + 3j] : 0 <= i < 4 and 0 <= j < 5 }", injective },
	{ "[M] -> { [i] -> [floor(i/2)] : 0 <= i < M }", injective },
	{ "xor_shuffle<64, 8>", injective },
	{ "{ [i] -> [j] : i = 2j or j = 3i }", function },
	{ "(4,8):(8,1)", same },
	{ "{ [i] -> [floor(i/4) + 8*(i mod 4)] : 0 <= i < 32 }", cute },
	{ "(4,8):(8,1)", linear },
	{ "{ [t, v] -> [8t + v] : 0 <= t < 4 and 0 <= v < 8 }", nested },
	{ "[M] -> { [i, j] : 0 <= i < M and 0 <= j < 3 }", counted },
	{ "(4,8):(8,1)", shown },
	{ "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 2]}>, [5, 3])", shown },
	{ "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 2]}>, [M, K])", measured },
	{ "col_major[M, K]", same_memory },
	{ "row_major[M, K]", same_memory },
	{ "program p(A: in row_major[M] f32, B: out row_major[M] f32) { grid (m) in (ceil(M/4)) "
	  "workers w in 1 s: [4] f32 = fill 0 for k in 3 carry t: [4] f32 = s { a = load A[4*m] : "
	  "[4] (pad = 1) u = map max(t + a, 0) yield u } store t -> B[4*m] }", evaluated },
	{ "{ [i, j] : 0 <= i < 6 and exists (e : j = 2e and 0 <= e < i) }", visited },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

/* What came of it. */
struct outcome {
	char *text;
	layout_error error;
	char *message;
	bool freed;
	unsigned long count;	/* of allocations */
};

/* With the "nth" failing, and those behind it where "all"; 0: none. */
static struct outcome run(size_t row, enum allocations whose, unsigned long nth, bool all)
{
	struct outcome outcome = { 0 };
	layout_context *ctx = layout_context_new();
	layout_value *value;

	allocations_fail(whose, nth, all);
	value = layout_value_parse(ctx, rows[row].text);
	outcome.text = value ? rows[row].ask(value) : NULL;
	outcome.count = allocations_restore();
	outcome.error = layout_context_error(ctx);
	outcome.message = strdup(layout_context_message(ctx));
	layout_value_free(value);
	outcome.freed = layout_context_free(ctx);
	return outcome;
}

static void release(struct outcome *outcome)
{
	free(outcome->text);
	free(outcome->message);
}

/* isl's reader makes something else of half of what there was memory for; a relation may
 * be printed in another way then, too. */
static bool same_layout(const char *a, const char *b)
{
	layout_context *ctx = layout_context_new();
	layout_value *one = layout_value_parse(ctx, a), *other = layout_value_parse(ctx, b);
	bool same = layout_equal(one, other, NULL) == LAYOUT_YES;

	layout_value_free(one);
	layout_value_free(other);
	layout_context_free(ctx);
	return same;
}

/* NULL, or what is wrong.  A quota is an answer of those that try something else first. */
static const char *wrong(const struct outcome *now, const struct outcome *usual)
{
	if (now->text)
		return strcmp(now->text, usual->text) &&
			!same_layout(now->text, usual->text) ? "another answer" : NULL;
	if (now->error == LAYOUT_ERROR_NONE)
		return "neither an answer nor an error";
	if (now->error != LAYOUT_ERROR_MEMORY && now->error != LAYOUT_ERROR_QUOTA)
		return "another error";
	return !*now->message ? "no message" : NULL;
}

/* False where something is wrong, which is printed. */
static bool try_one(size_t row, enum allocations whose, unsigned long nth, bool all,
	const struct outcome *usual)
{
	struct outcome now = run(row, whose, nth, all);
	const char *what = wrong(&now, usual);

	if (!what && !now.freed && whose == ALLOCATIONS_OURS)
		what = "memory that is not freed";
	if (what)
		print_message("%s, allocation %lu%s: %s: %s (error %d: %s)\n", rows[row].text,
			nth, all ? " and all behind it" : "", what,
			now.text ? now.text : "nothing", (int)now.error, now.message);
	release(&now);
	return !what;
}

/* Every "step"th from the one "from" on. */
static bool try_row(size_t row, enum allocations whose, bool all, unsigned long from,
	unsigned long step)
{
	struct outcome usual = run(row, whose, 0, false);
	bool good = usual.text;

	for (unsigned long nth = from; nth <= usual.count; nth += step) {
		if (tried)
			*tried = nth;
		good = try_one(row, whose, nth, all, &usual) && good;
	}
	release(&usual);
	return good;
}

static void skip_where_none_can_fail(void)
{
	if (!allocations_fail(ALLOCATIONS_OURS, 0, false))
		skip_because("no allocation of this build can fail on purpose");
	allocations_restore();
}

static void ours_survive(void **state)
{
	bool good = true;

	(void)state;
	skip_where_none_can_fail();
	for (size_t row = 0; row < ROWS; row++) {
		good = try_row(row, ALLOCATIONS_OURS, false, 1, 1) && good;
		good = try_row(row, ALLOCATIONS_OURS, true, 1, 1) && good;
	}
	assert_true(good);
}

#define ONE_IN 2

/* From "first" on in a process of its own: 0 where all was well, the number of the
 * allocation that isl did not survive, or -1. */
static long try_in_child(size_t row, unsigned long first)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		signal(SIGSEGV, SIG_DFL);
		signal(SIGABRT, SIG_DFL);
		_exit(!try_row(row, ALLOCATIONS_ISL, true, first, ONE_IN));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status))
		return (long)*tried;
	return WEXITSTATUS(status) ? -1 : 0;
}

/* isl does not survive all of its own: docs/limits.md says where. */
#define DIES_OF_MOST 4u		/* in a hundred */

static void those_of_isl_do_not_lie(void **state)
{
	unsigned long deaths = 0, count = 0;
	bool good = true;

	(void)state;
	skip_where_none_can_fail();
	tried = mmap(NULL, sizeof(*tried), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(tried != MAP_FAILED);
	for (size_t row = 0; row < ROWS; row++) {
		long death = 0;

		do {
			death = try_in_child(row, (unsigned long)death + 1 + row % ONE_IN);
			deaths += death > 0;
		} while (death > 0);
		good = good && !death;
		count += *tried / ONE_IN;
	}
	munmap((void *)(uintptr_t)tried, sizeof(*tried));
	tried = NULL;
	print_message("%lu of %lu\n", deaths, count);
	assert_true(good);
	assert_true(100 * deaths <= DIES_OF_MOST * count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ours_survive),
		cmocka_unit_test(those_of_isl_do_not_lie),
	};

	return skip_status(cmocka_run_group_tests(tests, NULL, NULL));
}
