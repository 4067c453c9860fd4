/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels of storages whose strides are names: which launches are taken, and what they
 * copy, against a model that sorts strides and walks the index space. */
#include "support/append.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define RANK 8
#define CELLS 4096		/* of a storage at most */
#define KERNELS 9
#define LAUNCHES 24

/* strided[A, B, .. : P, Q, ..] of the sizes and strides; those of a stride that "literal"
 * has are numbers in the text. */
struct strided {
	unsigned rank;
	int64_t size[RANK], stride[RANK];
	bool literal[RANK];
};

static bool is_empty(const struct strided *strided)
{
	for (unsigned d = 0; d < strided->rank; d++)
		if (!strided->size[d])
			return true;
	return false;
}

/* From the smallest stride on, each is beyond all before it; sizes of 1 do not count. */
static bool nests(const struct strided *strided)
{
	bool used[RANK] = { false };
	int64_t reach = 0;

	for (unsigned n = 0; n < strided->rank; n++) {
		unsigned least = RANK;

		for (unsigned d = 0; d < strided->rank; d++)
			if (!used[d] && (least == RANK ||
			    strided->stride[d] < strided->stride[least]))
				least = d;
		used[least] = true;
		if (strided->size[least] < 2)
			continue;
		if (strided->stride[least] <= reach)
			return is_empty(strided);
		reach += (strided->size[least] - 1) * strided->stride[least];
	}
	return true;
}

static int64_t cells_of(const struct strided *strided)
{
	int64_t last = 0;

	for (unsigned d = 0; d < strided->rank; d++)
		last += (strided->size[d] - 1) * strided->stride[d];
	return is_empty(strided) ? 0 : last + 1;
}

static int64_t elements_of(const struct strided *strided)
{
	int64_t elements = 1;

	for (unsigned d = 0; d < strided->rank; d++)
		elements *= strided->size[d];
	return elements;
}

/* remap(strided -> row_major), or back */
static void write_text(const struct strided *strided, bool back, char text[400])
{
	char sizes[100] = "", strides[200] = "", storage[330];

	for (unsigned d = 0; d < strided->rank; d++) {
		append_text(sizes, sizeof(sizes), "%s%c", d ? ", " : "", 'A' + d);
		if (strided->literal[d])
			append_text(strides, sizeof(strides), "%s%" PRId64, d ? ", " : "",
				strided->stride[d]);
		else
			append_text(strides, sizeof(strides), "%s%c", d ? ", " : "",
				'P' + d);
	}
	snprintf(storage, sizeof(storage), "strided[%s : %s]", sizes, strides);
	*text = 0;
	append_text(text, 400, "remap(");
	append_text(text, 400, back ? "row_major[%s] -> %s" : "%2$s -> row_major[%1$s]",
		sizes, storage);
	append_text(text, 400, ", type = i16)");
}

/* Buffers that know what should be in them. */
struct copy {
	int16_t strided[CELLS], dense[CELLS], expected[CELLS];
	int64_t elements;
};

static void prepare(const struct strided *strided, bool back, struct copy *copy)
{
	int16_t *to = back ? copy->strided : copy->dense;
	int64_t elements = elements_of(strided);

	for (int64_t i = 0; i < CELLS; i++)
		copy->strided[i] = copy->dense[i] = (int16_t)(i + 1);
	memset(to, 0xa5, sizeof(copy->dense));
	memcpy(copy->expected, to, sizeof(copy->expected));
	for (int64_t e = 0; e < elements; e++) {
		int64_t rest = e, at = 0;

		for (unsigned d = strided->rank; d--;) {
			at += rest % strided->size[d] * strided->stride[d];
			rest /= strided->size[d];
		}
		copy->expected[back ? at : e] = (int16_t)((back ? e : at) + 1);
	}
	copy->elements = elements;
}

/* 1 where the launch was right, 0 where it was refused for its strides. */
static int launch(layout_context *ctx, layout_kernel *kernel,
	const struct strided *strided, bool back)
{
	static const char *const names[] = { "A", "B", "C", "D", "E", "F", "G", "H",
		"P", "Q", "R", "S", "T", "U", "V", "W" };
	size_t cells = (size_t)cells_of(strided) * 2;
	layout_run run = LAYOUT_RUN_INIT;
	layout_size sizes[2 * RANK];
	struct copy copy;
	int result;

	prepare(strided, back, &copy);
	for (unsigned d = 0; d < RANK; d++) {
		sizes[d] = (layout_size){ names[d], strided->size[d] };
		sizes[RANK + d] = (layout_size){ names[RANK + d], strided->stride[d] };
	}
	run.source = back ? copy.dense : copy.strided;
	run.destination = back ? copy.strided : copy.dense;
	run.source_bytes = back ? (size_t)copy.elements * 2 : cells;
	run.destination_bytes = back ? cells : (size_t)copy.elements * 2;
	run.sizes = sizes;
	run.size_count = 2 * RANK;
	if (layout_kernel_run(ctx, kernel, &run))
		return memcmp(back ? copy.strided : copy.dense, copy.expected,
			sizeof(copy.expected)) ? -1 : 1;
	result = strstr(layout_context_message(ctx), "steps over all that smaller") ?
		0 : -1;
	if (result)
		print_error("%s\n", layout_context_message(ctx));
	layout_context_clear(ctx);
	return result;
}

static void complain(const struct strided *strided, const char *text, const char *target,
	int result)
{
	print_error("%s for %s is %s\n", text, target,
		result < 0 ? "wrong" : result ? "taken" : "refused");
	for (unsigned d = 0; d < strided->rank; d++)
		print_error("\tsize %" PRId64 ", stride %" PRId64 "\n", strided->size[d],
			strided->stride[d]);
	fail();
}

static const struct {
	struct strided strided;
	bool taken;
} rows[] = {
	{ { 2, { 10, 20 }, { 1, 10 } }, true },
	{ { 2, { 10, 20 }, { 20, 1 } }, true },
	{ { 2, { 10, 20 }, { 1, 9 } }, false },
	{ { 2, { 10, 20 }, { 19, 1 } }, false },
	{ { 2, { 10, 20 }, { 10, 10 } }, false },
	{ { 2, { 1, 20 }, { 0, 1 }, { false, true } }, true },
	{ { 2, { 2, 20 }, { 0, 1 }, { false, true } }, false },
	{ { 2, { 2, 1 }, { 1, 1 }, { false, true } }, true },
	{ { 2, { 0, 20 }, { 0, 1 }, { false, true } }, true },
	{ { 2, { 20, 0 }, { 0, 1 }, { false, true } }, true },
	{ { 2, { 4, 8 }, { 1, 4 }, { false, true } }, true },
	{ { 2, { 5, 8 }, { 1, 4 }, { false, true } }, false },
	{ { 2, { 5, 1 }, { 1, 4 }, { false, true } }, true },
	{ { 2, { 2, 3 }, { 3, 2 } }, false },	/* 0 2 4, 3 5 7: they do not nest */
	{ { 2, { 4, 700 }, { 1, 4 }, { false, true } }, true },
	{ { 3, { 3, 40, 30 }, { 1, 3, 121 } }, true },
	{ { 1, { 7 }, { 3 } }, true },
	{ { 1, { 7 }, { 0 } }, false },
	{ { 1, { 1 }, { 0 } }, true },
	{ { 3, { 3, 4, 5 }, { 20, 1, 4 }, { false, true } }, true },
	{ { 3, { 3, 4, 5 }, { 19, 1, 4 }, { false, true } }, false },
	{ { 3, { 3, 4, 5 }, { 4, 1, 16 }, { false, true, true } }, true },
	{ { 3, { 3, 4, 5 }, { 4, 1, 11 }, { false, true, true } }, false },
	{ { 3, { 3, 4, 5 }, { 1, 15, 3 }, { false, true, true } }, true },
	{ { 8, { 2, 1, 2, 2, 2, 2, 1, 3 }, { 32, 0, 1, 16, 2, 8, 1, 64 } }, true },
};

static void check_row(layout_context *ctx, size_t row, const char *target, bool back)
{
	const struct strided *strided = &rows[row].strided;
	layout_remap *remap;
	layout_kernel *kernel;
	char text[400];
	int result;

	assert_int_equal(nests(strided), rows[row].taken);
	write_text(strided, back, text);
	remap = layout_remap_parse(ctx, text);
	kernel = layout_kernel_new(remap, target, NULL);
	assert_non_null(kernel);
	result = launch(ctx, kernel, strided, back);
	if (result != rows[row].taken)
		complain(strided, text, target, result);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
}

/* To two strides that are numbers nothing is copied: they overlap at other sizes. */
static void rows_by_hand(void **state)
{
	static const char *const targets[] = { "host", "gfx942", "gfx1200", "sm_90" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		bool two = rows[i].strided.literal[1] && rows[i].strided.literal[2];

		check_row(ctx, i, targets[i % COUNT(targets)], !two && i % 4);
	}
	assert_true(layout_context_free(ctx));
}

/* Sizes, and strides that most often nest in some order. */
static void random_strides(uint64_t *seed, struct strided *strided)
{
	unsigned order[RANK], most = strided->rank > 5 ? 3 : strided->rank > 3 ? 4 :
		strided->rank > 2 ? 9 : 60;
	int64_t next = random_below(seed, 2);

	for (unsigned d = 0; d < strided->rank; d++) {
		unsigned j = random_below(seed, d + 1);

		order[d] = order[j];
		order[j] = d;
		strided->size[d] = random_below(seed, 12) ?
			1 + random_below(seed, most) : 0;
	}
	for (unsigned n = 0; n < strided->rank; n++) {
		unsigned d = order[n];

		if (strided->literal[d])
			continue;
		strided->stride[d] = next + !next * !!random_below(seed, 4);
		if (random_below(seed, 8))
			next = strided->stride[d] * (strided->size[d] ?
				strided->size[d] : 1) + random_below(seed, 3) / 2;
	}
}

/* One stride may be a number, which the others nest with or do not. */
static void random_kernel(uint64_t *seed, struct strided *strided)
{
	static const int64_t numbers[] = { 1, 1, 1, 2, 3, 7, 30 };
	unsigned d;

	*strided = (struct strided){ .rank = 1 + random_below(seed, RANK) };
	d = random_below(seed, strided->rank);
	strided->literal[d] = strided->rank > 1 && random_below(seed, 2);
	if (strided->literal[d])
		strided->stride[d] = numbers[random_below(seed, COUNT(numbers))];
}

static void random_launches(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned taken = 0, targets = 0, kernels = share_count(KERNELS);

	(void)state;
	while (share_target(targets))
		targets++;
	for (unsigned i = 0; i < kernels; i++) {
		const char *target = share_target(i % 3 ?
			random_below(&seed, targets) : 0)->name;
		struct strided strided;
		layout_remap *remap;
		layout_kernel *kernel;
		char text[400];

		random_kernel(&seed, &strided);
		write_text(&strided, i % 2, text);
		remap = layout_remap_parse(ctx, text);
		kernel = layout_kernel_new(remap, target, NULL);
		assert_non_null(kernel);
		for (unsigned n = 0; n < LAUNCHES; n++) {
			int result;

			do
				random_strides(&seed, &strided);
			while (cells_of(&strided) > CELLS ||
			       elements_of(&strided) > CELLS);
			result = launch(ctx, kernel, &strided, i % 2);
			if (result != nests(&strided))
				complain(&strided, text, target, result);
			taken += result == 1;
		}
		layout_kernel_free(kernel);
		layout_remap_free(remap);
	}
	print_message("%u of %u launches taken\n", taken, kernels * LAUNCHES);
	assert_true(share_is_few() || (4 * taken >= kernels * LAUNCHES &&
		taken < kernels * LAUNCHES));
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *storage, *relation;
} relations[] = {
	{ "strided[M, K : S, 1]", "[M, K, S] -> { logical[i, j] -> cell[i, j] : "
	  "0 <= j < K and (K <= S and 0 <= i < M or M = 1 and i = 0) }" },
	{ "strided[M, K : A, B]", "[M, K, A, B] -> { logical[i, j] -> cell[i, j] : "
	  "0 <= i < M and (B > 0 and 0 <= j < K or K = 1 and j = 0) }" },
	{ "strided[M, K, L : S, 100, 1]", "[M, K, L, S] -> { logical[i, j, k] -> "
	  "cell[i, 100j + k] : 0 <= j < K and 0 <= k < L and 0 <= i < M and "
	  "(M = 1 or S >= 100K - 100 + L or L <= S <= 99) }" },
	{ "strided[4, K : S, 10]", "[K, S] -> { logical[i, j] -> cell[i, 10j] : "
	  "0 <= i <= 3 and 0 <= j < K and (S > 10K - 10 or 0 < S < 10) }" },
};

/* The relation has the sizes of which no launch is refused for what is affine. */
static void what_is_affine(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(relations); i++) {
		layout_context *ctx = layout_context_new();
		layout_storage *storage = layout_storage_parse(ctx, relations[i].storage);
		layout_relation *is = layout_storage_relation(storage);
		layout_relation *wanted = layout_relation_read(ctx,
			relations[i].relation);

		assert_int_equal(layout_relation_equal(is, wanted, NULL), LAYOUT_YES);
		assert_int_equal(layout_relation_is_function(is, NULL), LAYOUT_YES);
		if (i != 2)
			assert_int_equal(layout_relation_is_injective(is, NULL),
				LAYOUT_YES);
		layout_relation_free(wanted);
		layout_relation_free(is);
		layout_storage_free(storage);
		assert_true(layout_context_free(ctx));
	}
}

/* What stands in the way has a name. */
static void refusals(void **state)
{
	static const layout_size sizes[] = { { "M", 10 }, { "K", 20 }, { "A", 1 },
		{ "B", 5 } };
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx,
		"remap(row_major[M, K] -> strided[M, K : A, B], type = f32)");
	layout_kernel *kernel = layout_kernel_new(remap, "host", NULL);
	int64_t grid[3];
	size_t length;
	char *json;

	(void)state;
	assert_false(layout_kernel_grid(ctx, kernel, sizes, 4, grid));
	assert_string_equal(layout_context_message(ctx), "the kernel requires that each "
		"stride of strided[M, K : A, B] steps over all that smaller ones reach: "
		"M = 10, K = 20, A = 1, B = 5");
	layout_context_clear(ctx);
	json = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_JSON, NULL, 0, &length);
	assert_non_null(strstr(json, "\"each stride of strided[M, K : A, B] steps over all "
		"that smaller ones reach\""));
	layout_string_free(json);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_by_hand),
		cmocka_unit_test(random_launches),
		cmocka_unit_test(what_is_affine),
		cmocka_unit_test(refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
