/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compiled remaps in the caller's own buffers: at any alignment, up against pages that must
 * not be touched, by several threads. */
#include <layout/run.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A matrix of M x K elements, whose element (i, j) goes to destination element "at". */
static int64_t turned_at(int64_t m, int64_t k, int64_t i, int64_t j)
{
	(void)k;
	return j * m + i;
}

static int64_t same_at(int64_t m, int64_t k, int64_t i, int64_t j)
{
	(void)m;
	return i * k + j;
}

/* Tiles of 64 x 16, in each of which a column is 64 elements one after another. */
static int64_t tiled_at(int64_t m, int64_t k, int64_t i, int64_t j)
{
	(void)m;
	return ((i / 64 * ((k + 15) / 16) + j / 16) * 16 + j % 16) * 64 + i % 64;
}

static const struct row {
	const char *text;
	unsigned bytes;
	int64_t (*at)(int64_t m, int64_t k, int64_t i, int64_t j);
	bool tiles;
} rows[] = {
	{ "remap(row_major[M, K] -> col_major[M, K], type = i8)", 1, turned_at, false },
	{ "remap(row_major[M, K] -> col_major[M, K], type = f16)", 2, turned_at, false },
	{ "remap(row_major[M, K] -> col_major[M, K], type = f32)", 4, turned_at, false },
	{ "remap(row_major[M, K] -> row_major[M, K], type = f32)", 4, same_at, false },
	{ "remap(row_major[M, K] -> packed(encoding_info<{innerDimsPos = [1, 0], "
	  "innerTileSizes = [16, 64], outerDimsPerm = [0, 1]}>, [M, K]), type = f32)", 4,
	  tiled_at, true },
	{ "remap(row_major[M, K] -> packed(encoding_info<{innerDimsPos = [1, 0], "
	  "innerTileSizes = [16, 64], outerDimsPerm = [0, 1]}>, [M, K]), type = u8)", 1,
	  tiled_at, true },
};

/* Pages with "bytes" in them, at their beginning or their end, between two that nobody may
 * touch. */
struct guarded {
	unsigned char *pages, *bytes;
	size_t length;
};

static struct guarded guarded_new(size_t bytes, bool at_end)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t inner = (bytes + page - 1) / page * page;
	struct guarded guarded = { NULL, NULL, inner + 2 * page };

	guarded.pages = mmap(NULL, guarded.length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	assert_true(guarded.pages != MAP_FAILED);
	assert_int_equal(mprotect(guarded.pages + page, inner, PROT_READ | PROT_WRITE), 0);
	guarded.bytes = guarded.pages + page + (at_end ? inner - bytes : 0);
	return guarded;
}

static void guarded_free(struct guarded *guarded)
{
	munmap(guarded->pages, guarded->length);
}

static size_t destination_bytes(const struct row *row, int64_t m, int64_t k)
{
	if (row->tiles) {
		m = (m + 63) / 64 * 64;
		k = (k + 15) / 16 * 16;
	}
	return (size_t)(m * k) * row->bytes;
}

/* What should be in the destination. */
static unsigned char *expect(const struct row *row, const unsigned char *source, int64_t m,
	int64_t k)
{
	size_t bytes = destination_bytes(row, m, k);
	unsigned char *wanted = calloc(bytes + 1, 1);

	assert_non_null(wanted);
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < k; j++)
			memcpy(wanted + row->at(m, k, i, j) * row->bytes,
				source + (i * k + j) * row->bytes, row->bytes);
	return wanted;
}

static void fill(unsigned char *bytes, size_t count)
{
	uint32_t state = 12345;

	for (size_t i = 0; i < count; i++) {
		state = state * 1664525 + 1013904223;
		bytes[i] = (unsigned char)(state >> 24);
	}
}

/* Both buffers are at the beginning of their pages but for "skip" bytes, or at the end. */
static void check(const layout_compiled *compiled, const struct row *row, int64_t m,
	int64_t k, size_t skip, bool at_end)
{
	size_t from = (size_t)(m * k) * row->bytes, to = destination_bytes(row, m, k);
	struct guarded source = guarded_new(from + skip, at_end);
	struct guarded destination = guarded_new(to + skip, at_end);
	unsigned char *input = source.bytes + (at_end ? 0 : skip);
	unsigned char *output = destination.bytes + (at_end ? 0 : skip), *wanted;
	const int64_t sizes[] = { m, k };

	if (at_end) {
		input += skip;
		output += skip;
	}
	fill(input, from);
	memset(output, 0x5a, to);
	wanted = expect(row, input, m, k);
	assert_int_equal(layout_compiled_run(compiled, output, to, input, from, sizes),
		LAYOUT_RUN_DONE);
	assert_memory_equal(output, wanted, to);
	free(wanted);
	guarded_free(&source);
	guarded_free(&destination);
}

static layout_compiled *compile(layout_context *ctx, const char *text,
	const layout_compile_options *options)
{
	layout_remap *remap = layout_remap_parse(ctx, text);
	layout_compiled *compiled = layout_remap_compile(remap, options);

	layout_remap_free(remap);
	return compiled;
}

static void test_rows(void **state)
{
	static const int64_t n[][2] = { { 1, 1 }, { 64, 64 }, { 65, 63 }, { 31, 130 },
		{ 130, 17 }, { 300, 15 } };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_compiled *compiled = compile(ctx, rows[i].text, NULL);

		assert_non_null(compiled);
		for (size_t j = 0; j < COUNT(n); j++) {
			check(compiled, &rows[i], n[j][0], n[j][1], 0, false);
			check(compiled, &rows[i], n[j][0], n[j][1], 0, true);
			check(compiled, &rows[i], n[j][0], n[j][1], 1, false);
			check(compiled, &rows[i], n[j][0], n[j][1], 3, true);
		}
		layout_compiled_free(compiled);
	}
	assert_true(layout_context_free(ctx));
}

/* More than caches hold: lines are stored past them. */
static void test_large(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_compiled *compiled = compile(ctx, rows[2].text, NULL);

	(void)state;
	check(compiled, &rows[2], 4096, 2304, 0, false);
	check(compiled, &rows[2], 4000, 2303, 4, false);
	layout_compiled_free(compiled);
	assert_true(layout_context_free(ctx));
}

static void test_threads(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned threads = 2; threads <= 5; threads += 3)
		for (size_t i = 0; i < COUNT(rows); i++) {
			layout_compile_options options = LAYOUT_COMPILE_OPTIONS_INIT;
			layout_compiled *compiled;

			options.threads = threads;
			compiled = compile(ctx, rows[i].text, &options);
			assert_non_null(compiled);
			check(compiled, &rows[i], 700, 515, 1, false);
			check(compiled, &rows[i], 64, 300, 0, true);
			layout_compiled_free(compiled);
		}
	assert_true(layout_context_free(ctx));
}

/* Parts in an order of the caller's. */
static void run_backwards(void *user, unsigned count, void (*work)(void *arg, unsigned i),
	void *arg)
{
	*(unsigned *)user += count;
	while (count--)
		work(arg, count);
}

static void test_parallel_of_the_caller(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_compile_options options = LAYOUT_COMPILE_OPTIONS_INIT;
	unsigned parts = 0;
	layout_compiled *compiled;

	(void)state;
	options.threads = 3;
	options.parallel = run_backwards;
	options.user = &parts;
	compiled = compile(ctx, rows[2].text, &options);
	check(compiled, &rows[2], 700, 1000, 0, false);
	assert_int_equal(parts, 3);
	layout_compiled_free(compiled);
	assert_true(layout_context_free(ctx));
}

static void *run_many(void *user)
{
	for (unsigned i = 0; i < 8; i++)
		check(user, &rows[2], 600 + i, 520, 0, false);
	return NULL;
}

/* One handle, with threads of its own, in several threads; its context is gone. */
static void test_shared(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_compile_options options = LAYOUT_COMPILE_OPTIONS_INIT;
	pthread_t threads[3];
	layout_compiled *compiled;

	(void)state;
	options.threads = 2;
	compiled = compile(ctx, rows[2].text, &options);
	assert_non_null(compiled);
	assert_true(layout_context_free(ctx));
	for (size_t i = 0; i < COUNT(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run_many, compiled), 0);
	for (size_t i = 0; i < COUNT(threads); i++)
		pthread_join(threads[i], NULL);
	layout_compiled_free(compiled);
}

static void test_refused(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_compiled *compiled = compile(ctx, rows[2].text, NULL);
	layout_compiled *fixed = compile(ctx, "remap(row_major[8, 4] -> col_major[8, 4], "
		"type = f32)", NULL);
	const int64_t sizes[] = { 8, 4 }, none[] = { 0, 4 }, negative[] = { -1, 4 },
		huge[] = { INT64_C(1) << 31, 4 };
	char bytes[300];

	(void)state;
#define RUN(with, to, to_bytes, from, from_bytes, sizes) \
	layout_compiled_run(with, to, to_bytes, from, from_bytes, sizes)
	assert_int_equal(RUN(NULL, bytes, 128, bytes + 128, 128, sizes), LAYOUT_RUN_NULL);
	assert_int_equal(RUN(compiled, bytes, 128, bytes + 128, 128, sizes), LAYOUT_RUN_DONE);
	assert_int_equal(RUN(compiled, bytes, 128, bytes + 127, 128, sizes),
		LAYOUT_RUN_OVERLAP);
	assert_int_equal(RUN(compiled, bytes, 128, bytes, 128, sizes), LAYOUT_RUN_OVERLAP);
	assert_int_equal(RUN(compiled, bytes + 127, 128, bytes, 128, sizes),
		LAYOUT_RUN_OVERLAP);
	assert_int_equal(RUN(compiled, bytes, 127, bytes + 128, 128, sizes),
		LAYOUT_RUN_DESTINATION);
	assert_int_equal(RUN(compiled, bytes, 128, bytes + 128, 127, sizes),
		LAYOUT_RUN_SOURCE);
	assert_int_equal(RUN(compiled, bytes, 128, NULL, 128, sizes), LAYOUT_RUN_SOURCE);
	assert_int_equal(RUN(compiled, bytes, 128, bytes + 128, 128, negative),
		LAYOUT_RUN_SIZES);
	assert_int_equal(RUN(compiled, bytes, 128, bytes + 128, 128, huge), LAYOUT_RUN_SIZES);
	assert_int_equal(RUN(compiled, bytes, 128, bytes + 128, 128, NULL), LAYOUT_RUN_SIZES);
	assert_int_equal(RUN(compiled, NULL, 0, NULL, 0, none), LAYOUT_RUN_DONE);
	assert_int_equal(RUN(fixed, bytes, 128, bytes + 128, 128, NULL), LAYOUT_RUN_DONE);
	assert_int_equal(RUN(fixed, bytes, 127, bytes + 128, 128, NULL),
		LAYOUT_RUN_DESTINATION);
	layout_compiled_free(fixed);
	layout_compiled_free(compiled);
	assert_true(layout_context_free(ctx));
}

static void test_environment(void **state)
{
	static const char *const wrong[] = { "0", "-1", "two", "1000000", "2x" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		setenv("LAYOUT_THREADS", wrong[i], 1);
		assert_null(compile(ctx, rows[0].text, NULL));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		assert_non_null(strstr(layout_context_message(ctx), "LAYOUT_THREADS"));
		layout_context_clear(ctx);
	}
	setenv("LAYOUT_THREADS", "2", 1);
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_compiled *compiled = compile(ctx, rows[i].text, NULL);

		check(compiled, &rows[i], 300, 600, 0, false);
		layout_compiled_free(compiled);
	}
	unsetenv("LAYOUT_THREADS");
	assert_true(layout_context_free(ctx));
}

/* Once, at an odd address. */
static void test_once(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx, rows[2].text);
	const layout_size sizes[] = { { "M", 2 }, { "K", 3 } };
	layout_run run = LAYOUT_RUN_INIT;
	float from[6] = { 1, 2, 3, 4, 5, 6 }, to[6];
	const float wanted[6] = { 1, 4, 2, 5, 3, 6 };
	char bytes[64];

	(void)state;
	memcpy(bytes + 1, from, sizeof(from));
	run.source = bytes + 1;
	run.source_bytes = sizeof(from);
	run.destination = bytes + 27;
	run.destination_bytes = sizeof(to);
	run.sizes = sizes;
	run.size_count = 2;
	assert_true(layout_remap_run(remap, &run));
	memcpy(to, bytes + 27, sizeof(to));
	assert_memory_equal(to, wanted, sizeof(to));
	run.destination = bytes + 20;
	assert_false(layout_remap_run(remap, &run));
	assert_string_equal(layout_context_message(ctx),
		"the buffers of destination and source overlap");
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

/* A kernel may be called what its code calls. */
static void test_names_of_the_library(void **state)
{
	static const char *const names[] = { "memcpy", "memmove", "memset" };
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx,
		"remap(row_major[M, K] -> row_major[M, K], type = f32)");
	const layout_size sizes[] = { { "M", 64 }, { "K", 64 } };
	static float from[4096], to[4096];

	(void)state;
	for (unsigned i = 0; i < COUNT(names); i++) {
		layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
		layout_run run = LAYOUT_RUN_INIT;
		layout_kernel *kernel;

		options.name = names[i];
		kernel = layout_kernel_new(remap, "host", &options);
		from[4095] = to[4095] + 1;
		run.source = from;
		run.destination = to;
		run.source_bytes = run.destination_bytes = sizeof(to);
		run.sizes = sizes;
		run.size_count = 2;
		assert_true(layout_kernel_run(ctx, kernel, &run));
		assert_memory_equal(from, to, sizeof(to));
		layout_kernel_free(kernel);
	}
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

static double seconds_of(layout_context *ctx, const char *text)
{
	struct timespec begin, end;
	layout_compiled *compiled;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	compiled = compile(ctx, text, NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	assert_non_null(compiled);
	layout_compiled_free(compiled);
	return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/* Of a tensor without elements nothing is moved, however long its other dimensions are. */
static void test_empty(void **state)
{
	const int64_t most = INT32_MAX, sizes[] = { most, most, 0, most };
	const layout_size named[] = { { "A", most }, { "B", most }, { "C", 0 }, { "D", most } };
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx,
		"remap(col_major[A, B, C, D] -> row_major[A, B, C, D], type = f32)");
	layout_compiled *compiled = layout_remap_compile(remap, NULL);
	layout_run run = LAYOUT_RUN_INIT;
	layout_program *program = layout_program_parse(ctx,
		"program p(Y: out row_major[A, B, C] f32) { grid (a, b, c) in (A, B, ceil(C/4)) "
		"workers w in 1 x: [1, 1, 4] f32 = fill 1 store x -> Y[a, b, 4*c] }");
	layout_kernel *kernel;

	(void)state;
	alarm(60);
	assert_int_equal(layout_compiled_run(compiled, NULL, 0, NULL, 0, sizes),
		LAYOUT_RUN_DONE);
	run.sizes = named;
	run.size_count = 4;
	if (!layout_remap_run(remap, &run))
		fail_msg("%s", layout_context_message(ctx));
	kernel = layout_kernel_new_program(program, "host", NULL);
	run.size_count = 3;
	if (!kernel || !layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s", layout_context_message(ctx));
	alarm(0);
	layout_kernel_free(kernel);
	layout_program_free(program);
	layout_compiled_free(compiled);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

/* What a context keeps is there at once, and is not taken for another: the same text under
 * another assumption, or with another pad value. */
static void test_kept(void **state)
{
	static const char text[] = "remap(row_major[M] -> packed(encoding_info<{innerDimsPos = "
		"[0], innerTileSizes = [4], outerDimsPerm = [0]}>, [M]), type = u8, pad = %d)";
	layout_context *ctx = layout_context_new();
	double first = seconds_of(ctx, rows[4].text), again = 1;
	char one[300];

	(void)state;
	for (int i = 0; i < 5; i++) {
		double now = seconds_of(ctx, rows[4].text);

		again = now < again ? now : again;
	}
	assert_true(again < first / 4);
	for (int pad = 0; pad < 20; pad++) {
		const int64_t sizes[] = { 3 };
		unsigned char from[] = { 100, 101, 102 }, to[4];
		layout_compiled *compiled;

		snprintf(one, sizeof(one), text, pad);
		compiled = compile(ctx, one, NULL);
		assert_int_equal(layout_compiled_run(compiled, to, 4, from, 3, sizes),
			LAYOUT_RUN_DONE);
		assert_int_equal(to[3], pad);
		layout_compiled_free(compiled);
	}
	assert_true(layout_context_free(ctx));
}

static void test_kept_with_assumptions(void **state)
{
	layout_context *ctx = layout_context_new();
	const int64_t sizes[] = { 3, 2 };
	unsigned char from[6] = { 1, 2, 3, 4, 5, 6 }, to[6];

	(void)state;
	for (int assumed = 0; assumed < 2; assumed++) {
		layout_remap *remap = layout_remap_parse(ctx, rows[0].text);
		layout_compiled *compiled;

		if (assumed)
			remap = layout_remap_assume(remap, "M > 3");
		compiled = layout_remap_compile(remap, NULL);
		assert_int_equal(layout_compiled_run(compiled, to, 6, from, 6, sizes),
			assumed ? LAYOUT_RUN_SIZES : LAYOUT_RUN_DONE);
		layout_compiled_free(compiled);
		layout_remap_free(remap);
	}
	assert_true(layout_context_free(ctx));
}

/* What is said of a run: it grows, and ends with all. */
struct told {
	unsigned count;
	double last;
	pthread_t caller;
};

static void tell(void *user, double done)
{
	struct told *told = user;

	assert_true(pthread_equal(pthread_self(), told->caller));
	assert_true(done > told->last && done <= 1);
	told->last = done;
	told->count++;
}

static void a_large_run_says_how_far_it_is(void **state)
{
	enum { M = 2048, K = 3072 };
	const layout_size sizes[] = { { "M", M }, { "K", K } };
	const size_t bytes = (size_t)M * K * sizeof(float);
	float *source = aligned_alloc(64, bytes), *destination = aligned_alloc(64, bytes);

	(void)state;
	for (int i = 0; i < M * K; i++)
		source[i] = (float)i;
	for (unsigned threads = 1; threads < 4; threads++) {
		layout_context *ctx = layout_context_new();
		layout_remap *remap = layout_remap_parse(ctx,
			"remap(row_major[M, K] -> col_major[M, K], type = f32)");
		struct told told = { 0, 0, pthread_self() };
		layout_run run = LAYOUT_RUN_INIT;
		char number[16];

		snprintf(number, sizeof(number), "%u", threads);
		setenv("LAYOUT_THREADS", number, 1);
		run.source = source;
		run.destination = destination;
		run.source_bytes = run.destination_bytes = bytes;
		run.sizes = sizes;
		run.size_count = COUNT(sizes);
		run.progress = tell;
		run.progress_user = &told;
		memset(destination, 0, bytes);
		assert_true(layout_remap_run(remap, &run));
		assert_true(told.last == 1);
		assert_in_range(told.count, threads == 1 ? 4 : 1, 100);
		for (int i = 0; i < M * K; i++)
			if (destination[i] != source[i % M * K + i / M])
				fail_msg("element %d with %u threads", i, threads);
		layout_remap_free(remap);
		layout_context_free(ctx);
	}
	unsetenv("LAYOUT_THREADS");
	free(source);
	free(destination);
}

/* What a run's sizes tell of short ones: nothing of small arrays, of sizes that are not allowed or
 * missing, and of those that are longer than 256. */
static void test_short_sizes(void **state)
{
	static const struct known {
		layout_size sizes[2];
		unsigned count;
		const char *assumed;		/* of the plan; NULL: nothing */
	} known[] = {
		{ { { "M", 3 }, { "K", 2000000 } }, 2, "below 3," },
		{ { { "K", 3 }, { "M", 2000000 } }, 2, "below 3," },
		{ { { "M", 256 }, { "K", 20000 } }, 2, "below 256," },
		{ { { "M", 257 }, { "K", 20000 } }, 2, NULL },
		{ { { "M", 3 }, { "K", 1000 } }, 2, NULL },
		{ { { "M", 2 }, { "K", 9000000 } }, 2, NULL },
		{ { { "M", 3 } }, 1, NULL },
		{ { { "M", 0 }, { "K", INT32_MAX } }, 2, NULL },
		{ { { "M", -1 }, { "K", 9000000 } }, 2, NULL },
	};
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_assume(layout_remap_parse(ctx,
		"remap(row_major[M, K] -> col_major[M, K], type = i8)"), "M != 2");

	(void)state;
	for (size_t i = 0; i < COUNT(known); i++) {
		layout_remap *told = layout_remap_assume_short(remap, known[i].sizes,
			known[i].count);
		layout_kernel *kernel = told ? layout_kernel_new(told, "host", NULL) : NULL;
		char *text = kernel ? layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_EXPLAIN, NULL, 0,
			&(size_t){ 0 }) : NULL;

		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
		if (!known[i].assumed)
			assert_null(told);
		else if (!text || !strstr(text, known[i].assumed))
			fail_msg("row %zu: %s", i, text ? text : "no kernel");
		layout_string_free(text);
		layout_kernel_free(kernel);
		layout_remap_free(told);
	}
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

/* Large runs whose sizes are short, one after the other: each is its own, and what is not allowed
 * is refused as without them. */
static void test_short_runs(void **state)
{
	static const int64_t shapes[][2] = { { 3, 1400001 }, { 1400001, 3 }, { 4, 1100000 }, { 5, 900001 },
		{ 200, 21001 }, { 21001, 256 } };
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_assume(layout_remap_parse(ctx,
		"remap(row_major[M, K] -> col_major[M, K], type = i8)"), "M != 5");

	(void)state;
	for (size_t i = 0; i < COUNT(shapes); i++) {
		int64_t m = shapes[i][0], k = shapes[i][1];
		const layout_size sizes[] = { { "M", m }, { "K", k } };
		unsigned char *from = malloc((size_t)(m * k)), *to = calloc((size_t)(m * k), 1);
		layout_run run = LAYOUT_RUN_INIT;

		for (int64_t e = 0; e < m * k; e++)
			from[e] = (unsigned char)(e * 2654435761 >> 16);
		run.source = from;
		run.destination = to;
		run.source_bytes = run.destination_bytes = (size_t)(m * k);
		run.sizes = sizes;
		run.size_count = 2;
		if (m == 5) {
			assert_false(layout_remap_run(remap, &run));
			assert_non_null(strstr(layout_context_message(ctx),
				"the kernel requires M >= 6 "));
			layout_context_clear(ctx);
		} else if (!layout_remap_run(remap, &run)) {
			fail_msg("%s", layout_context_message(ctx));
		}
		for (int64_t e = 0; m != 5 && e < m * k; e++)
			if (to[e % k * m + e / k] != from[e])
				fail_msg("%d x %d: element %d", (int)m, (int)k, (int)e);
		free(from);
		free(to);
	}
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_parallel_of_the_caller),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_once), cmocka_unit_test(test_names_of_the_library),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_short_sizes),
		cmocka_unit_test(test_short_runs),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_kept_with_assumptions),
		cmocka_unit_test(a_large_run_says_how_far_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
