/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How kernels are launched, and every way in which that is refused. */
#include "support/shell.h"
#include <layout/codegen.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TILES "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [0, 1]}>"
#define COPY "remap(row_major[3, 1000] -> row_major[3, 1000], type = u8)"
#define SHORT "remap(row_major[129, 17] -> col_major[129, 17], type = f16)"
#define COLLAPSED "remap(chain(col_major[5, 2049, 4], collapse_shape([[0, 1], [2]]), " \
	"transpose([0, 1])) -> strided[10245, 4 : 11, 1], type = f16)"
#define PITCH "remap(row_major[M, N] -> strided[M, N : S, 1], type = f64)"
#define CUBE "remap(row_major[A, B, C] -> row_major[A, B, C], type = f64)"
#define PACK "remap(row_major[M, K] -> packed(" TILES ", [M, K]), type = f32)"

static layout_kernel *kernel_of(layout_context *ctx, const char *text, const char *target,
	const layout_kernel_options *options)
{
	layout_remap *remap = layout_remap_parse(ctx, text);
	layout_kernel *kernel = layout_kernel_new(remap, target, options);

	layout_remap_free(remap);
	return kernel;
}

static layout_kernel *must_kernel(layout_context *ctx, const char *text,
	const char *target)
{
	layout_kernel *kernel = kernel_of(ctx, text, target, NULL);

	if (!kernel)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	return kernel;
}

/* The error that is on the context, which is cleared. */
static void expect_error(layout_context *ctx, layout_error error, const char *message)
{
	if (layout_context_error(ctx) != error ||
	    !strstr(layout_context_message(ctx), message) ||
	    strchr(layout_context_message(ctx), '\n'))
		fail_msg("expected error %d, '%s'; got %d, '%s'", error, message,
			layout_context_error(ctx), layout_context_message(ctx));
	layout_context_clear(ctx);
}

/* What the launch's JSON says for sizes. */
static const struct {
	const char *remap, *target;
	layout_size sizes[3];
	unsigned count;
	const char *has[6];
} launches[] = {
	{ PACK, "gfx942", { { 0 } }, 0, {
		"\"kernel\": \"remap\"", "\"target\": \"gfx942\"",
		"\"wave_size\": 64", "\"workgroup_size\": [64, 1, 1]",
		"\"grid\": null", "\"lds_bytes\": 0" } },
	{ PACK, "gfx1100", { { "M", 255 } }, 1, {
		"\"grid\": null", "\"wave_size\": 32" } },
	{ PACK, "gfx942", { { "M", 255 }, { "K", 513 }, { "other", 1 } }, 3, {
		"\"grid\": [33, 2, 1]", "\"base_align\": 16",
		"\"vector_bytes\": {\"load\": 16, \"store\": 16}",
		"{\"name\": \"source\", \"kind\": \"pointer\", "
			"\"role\": \"source\"}",
		"{\"name\": \"destination\", \"kind\": \"pointer\", "
			"\"role\": \"destination\"}",
		"{\"name\": \"K\", \"kind\": \"i64\", \"role\": \"size\"}" } },
	{ PACK, "gfx942", { { "M", 255 }, { "K", 1 } }, 2, { "\"grid\": [1, 2, 1]" } },
	{ PACK, "gfx942", { { "M", 0 }, { "K", 5 } }, 2, { "\"grid\": [0, 1, 1]" } },
	{ PACK, "gfx942", { { "M", 2147483647 }, { "K", 16777216 } }, 2,
		{ "\"grid\": [33554432, 1, 1]" } },
	{ PACK, "host", { { 0 } }, 0, { "\"grid\": [1, 1, 1]",
		"\"workgroup_size\": [1, 1, 1]", "\"wave_size\": 1" } },
	{ PACK, "sm_90", { { "M", 256 }, { "K", 512 } }, 2, {
		"\"kernel\": \"remap\"", "\"target\": \"sm_90\"", "\"wave_size\": 32" } },
	{ COPY, "gfx1250", { { 0 } }, 0, {
		"\"wave_size\": 32", "\"workgroup_size\": [64, 1, 1]",
		"\"grid\": [3, 1, 1]", "\"padding\": \"{ cell[i0, i1] : false }\"",
		"\"vector_bytes\": {\"load\": 16, \"store\": 16}" } },
	/* short dimensions have tiles, though much is copied twice */
	{ SHORT, "gfx942", { { 0 } }, 0, { "\"workgroup_size\": [64, 1, 1]",
		"\"grid\": [2, 2, 1]" } },
	/* 2049 is no number of lanes */
	{ COLLAPSED, "gfx942", { { 0 } }, 0, { "\"workgroup_size\": [256, 1, 1]" } },
	{ COLLAPSED, "sm_90", { { 0 } }, 0, { "\"workgroup_size\": [256, 1, 1]" } },
	{ PITCH, "gfx90a", { { 0 } }, 0, {
		"\"requires\": [\"0 <= M", "{\"name\": \"S\"",
		"\"source and destination are aligned to 16 bytes\"",
		"\"source and destination are below 2^63 bytes\"",
		"\"source and destination do not overlap\"" } },
};

static void test_json(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(launches) / sizeof(launches[0]); i++) {
		layout_kernel *kernel = must_kernel(ctx, launches[i].remap,
			launches[i].target);
		size_t length;
		char *json = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_JSON,
			launches[i].sizes, launches[i].count, &length);

		assert_non_null(json);
		assert_int_equal(length, strlen(json));
		for (unsigned j = 0; j < 6 && launches[i].has[j]; j++)
			if (!strstr(json, launches[i].has[j]))
				fail_msg("no %s in %s", launches[i].has[j], json);
		layout_string_free(json);
		layout_kernel_free(kernel);
	}
	assert_true(layout_context_free(ctx));
}

static void test_grid(void **state)
{
	static const layout_size sizes[] = { { "M", 129 }, { "K", 17 } };
	static const layout_size twice[] = { { "M", 3 }, { "K", 17 }, { "M", 4 } };
	static const layout_size huge[] = { { "M", 2147483647 }, { "K", 2147483647 } };
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = must_kernel(ctx, PACK, "gfx942");
	int64_t grid[3] = { 0 };

	(void)state;
	assert_true(layout_kernel_grid(ctx, kernel, sizes, 2, grid));
	assert_int_equal(grid[0], 8);
	assert_int_equal(grid[1], 1);
	assert_int_equal(grid[2], 1);
	assert_false(layout_kernel_grid(ctx, kernel, sizes, 1, grid));
	expect_error(ctx, LAYOUT_ERROR_INVALID, "no number for the size 'K'");
	assert_false(layout_kernel_grid(ctx, kernel, twice, 3, grid));
	expect_error(ctx, LAYOUT_ERROR_INVALID, "M is there twice");
	assert_false(layout_kernel_grid(ctx, NULL, sizes, 2, grid));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_false(layout_kernel_grid(ctx, kernel, huge, 2, grid));
	expect_error(ctx, LAYOUT_ERROR_OVERFLOW, "overflows 64 bits");
	layout_kernel_free(kernel);
	assert_true(layout_context_free(ctx));
}

/* Runs that are refused; buffers have so many bytes, or are NULL where that is -1. */
static const struct {
	const char *remap;
	layout_size sizes[3];
	unsigned count;
	long source, destination;
	layout_error error;
	const char *message;
} refused[] = {
	{ PACK, { { "M", 1 } }, 1, 64, 8192, LAYOUT_ERROR_INVALID, "the size 'K'" },
	{ PACK, { { "M", -1 }, { "K", 1 } }, 2, 64, 8192, LAYOUT_ERROR_INVALID,
		"M = -1" },
	{ PACK, { { "M", 1 }, { "K", 2147483648 } }, 2, 64, 8192, LAYOUT_ERROR_INVALID,
		"K = 2147483648" },
	{ PACK, { { "M", 3 }, { "K", 5 } }, 2, 59, 8192, LAYOUT_ERROR_INVALID,
		"the source needs 60 bytes, its buffer has 59" },
	{ PACK, { { "M", 3 }, { "K", 5 } }, 2, 60, 8191, LAYOUT_ERROR_INVALID,
		"the destination needs 8192 bytes, its buffer has 8191" },
	{ PACK, { { "M", 3 }, { "K", 5 } }, 2, -1, 8192, LAYOUT_ERROR_INVALID,
		"the source" },
	{ PACK, { { "M", 3 }, { "K", 5 } }, 2, 60, -1, LAYOUT_ERROR_INVALID,
		"the destination" },
	{ PITCH, { { "M", 2 }, { "N", 3 }, { "S", 2 } }, 3, 8192, 8192,
		LAYOUT_ERROR_INVALID, "S = 2" },
	{ CUBE, { { "A", 2147483647 }, { "B", 2147483647 }, { "C", 2147483647 } }, 3,
		8192, 8192, LAYOUT_ERROR_OVERFLOW, "overflows 64 bits" },
};

static bool run_row(layout_context *ctx, layout_kernel *kernel, unsigned i)
{
	long source = refused[i].source, destination = refused[i].destination;
	layout_run run = LAYOUT_RUN_INIT;
	char *from = source < 0 ? NULL : calloc(1, (size_t)source);
	char *to = destination < 0 ? NULL : calloc(1, (size_t)destination);
	bool ok;

	run.source = from;
	run.source_bytes = source < 0 ? 1 << 20 : (size_t)source;
	run.destination = to;
	run.destination_bytes = destination < 0 ? 1 << 20 : (size_t)destination;
	run.sizes = refused[i].sizes;
	run.size_count = refused[i].count;
	ok = layout_kernel_run(ctx, kernel, &run);
	free(from);
	free(to);
	return ok;
}

static void test_refused_runs(void **state)
{
	static const char *const targets[] = { "host", "gfx1100", "sm_90" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned target = 0; target < 3; target++) {
		for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
			layout_kernel *kernel = must_kernel(ctx, refused[i].remap,
				targets[target]);

			assert_false(run_row(ctx, kernel, i));
			expect_error(ctx, refused[i].error, refused[i].message);
			layout_kernel_free(kernel);
		}
	}
	assert_true(layout_context_free(ctx));
}

/* Bases that are less aligned than the kernel was told. */
static void test_misaligned_run(void **state)
{
	static const layout_size sizes[] = { { "M", 3 }, { "K", 5 } };
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = must_kernel(ctx, PACK, "host");
	char *from = calloc(1, 64 + 8), *to = calloc(1, 8192 + 8);
	layout_run run = LAYOUT_RUN_INIT;

	(void)state;
	run.source_bytes = 64;
	run.destination_bytes = 8192;
	run.sizes = sizes;
	run.size_count = 2;
	run.source = from + 8;
	run.destination = to;
	assert_false(layout_kernel_run(ctx, kernel, &run));
	expect_error(ctx, LAYOUT_ERROR_INVALID, "the source is not aligned to 16 bytes");
	run.source = from;
	run.destination = to + 8;
	assert_false(layout_kernel_run(ctx, kernel, &run));
	expect_error(ctx, LAYOUT_ERROR_INVALID, "the destination is not aligned");
	run.destination = to;
	assert_true(layout_kernel_run(ctx, kernel, &run));
	free(from);
	free(to);
	layout_kernel_free(kernel);
	assert_true(layout_context_free(ctx));
}

/* Nothing is written where something is read: in the bytes that the kernel uses. */
static const struct {
	size_t source, destination;	/* where they begin, of 60 and 256 or 128 KB */
	bool good;
} overlap_rows[] = {
	{ 0, 0, false }, { 0, 48, false }, { 0, 64, true }, { 4096, 0, false },
	{ 1 << 18, 0, true }, { 16, 0, false },
};

static void test_overlap(void **state)
{
	static const layout_size sizes[] = { { "M", 3 }, { "K", 5 } };
	static const char *const targets[] = { "host", "gfx1100", "sm_90" };
	layout_context *ctx = layout_context_new();
	char *memory = aligned_alloc(64, 1 << 19);

	(void)state;
	memset(memory, 0, 1 << 19);
	for (unsigned target = 0; target < 3; target++) {
		layout_kernel *kernel = must_kernel(ctx, PACK, targets[target]);

		for (unsigned i = 0; i < sizeof(overlap_rows) / sizeof(*overlap_rows); i++) {
			layout_run run = LAYOUT_RUN_INIT;

			run.source = memory + overlap_rows[i].source;
			run.source_bytes = 1 << 18;
			run.destination = memory + overlap_rows[i].destination;
			run.destination_bytes = 1 << 18;
			run.sizes = sizes;
			run.size_count = 2;
			assert_int_equal(layout_kernel_run(ctx, kernel, &run),
				overlap_rows[i].good);
			if (!overlap_rows[i].good)
				expect_error(ctx, LAYOUT_ERROR_INVALID, "the buffers of "
					"destination and source overlap");
		}
		layout_kernel_free(kernel);
	}
	free(memory);
	assert_true(layout_context_free(ctx));
}

/* Storages of no bytes need no buffers. */
static void test_empty_run(void **state)
{
	static const layout_size sizes[] = { { "M", 0 }, { "K", 5 } };
	static const char *const targets[] = { "host", "gfx942" };
	layout_context *ctx = layout_context_new();
	layout_run run = LAYOUT_RUN_INIT;

	(void)state;
	run.sizes = sizes;
	run.size_count = 2;
	for (unsigned target = 0; target < 2; target++) {
		layout_kernel *kernel = must_kernel(ctx, PACK, targets[target]);

		assert_true(layout_kernel_run(ctx, kernel, &run));
		layout_kernel_free(kernel);
	}
	assert_true(layout_context_free(ctx));
}

/* What the user assumes narrows what may be launched. */
static void test_assumption(void **state)
{
	static const layout_size sizes[] = { { "M", 100 }, { "K", 5 } };
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_assume(layout_remap_parse(ctx, PACK),
		"M < 100");
	layout_kernel *kernel = layout_kernel_new(remap, "gfx942", NULL);
	size_t length;
	int64_t grid[3];
	char *json;

	(void)state;
	assert_non_null(kernel);
	assert_false(layout_kernel_grid(ctx, kernel, sizes, 2, grid));
	expect_error(ctx, LAYOUT_ERROR_INVALID, "M = 100");
	json = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_JSON, NULL, 0, &length);
	assert_non_null(json);
	assert_non_null(strstr(json, "\"M < 100\""));
	layout_string_free(json);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

static const struct {
	layout_kernel_options options;
	const char *target;
	layout_error error;
	const char *message;
} options[] = {
	{ { .name = "2fast" }, "host", LAYOUT_ERROR_INVALID, "'2fast' cannot name" },
	{ { .name = "" }, "host", LAYOUT_ERROR_INVALID, "'' cannot name a kernel" },
	{ { .name = "a\"b" }, "host", LAYOUT_ERROR_INVALID, "cannot name a kernel" },
	{ { .base_align = 24 }, "gfx942", LAYOUT_ERROR_INVALID, "base alignment of 24" },
	{ { .base_align = 2 }, "gfx942", LAYOUT_ERROR_INVALID, "the element's 4 bytes" },
	{ { .code_object = 4 }, "gfx942", LAYOUT_ERROR_INVALID, "code object version 4" },
	{ { 0 }, "gfx1250:wave64", LAYOUT_ERROR_UNSUPPORTED, "never have 64 lanes" },
};

static void test_refused_options(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		layout_kernel_options given = options[i].options;

		given.size = sizeof(given);
		assert_null(kernel_of(ctx, PACK, options[i].target, &given));
		expect_error(ctx, options[i].error, options[i].message);
	}
	assert_null(layout_kernel_new(NULL, "host", NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_true(layout_context_free(ctx));
}

static void test_base_align(void **state)
{
	layout_kernel_options given = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel;
	size_t length;
	char *ir;

	(void)state;
	given.base_align = 64;
	kernel = kernel_of(ctx, PACK, "gfx942", &given);
	ir = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_LLVM, NULL, 0, &length);
	assert_non_null(ir);
	assert_non_null(strstr(ir, "noalias noundef readonly align 64"));
	assert_non_null(strstr(ir, "noalias noundef writeonly align 64"));
	layout_string_free(ir);
	layout_kernel_free(kernel);
	assert_true(layout_context_free(ctx));
}

/* Linking with "linker" as an option or, where "from_environment", as
 * $LAYOUT_LD_LLD. */
static char *link_with(layout_context *ctx, const char *linker, bool from_environment)
{
	layout_kernel_options given = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_kernel *kernel;
	size_t length;
	char *code;

	if (from_environment)
		setenv("LAYOUT_LD_LLD", linker, 1);
	else
		given.linker = linker;
	kernel = kernel_of(ctx, PACK, "gfx942", &given);
	assert_non_null(kernel);
	code = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_HSACO, NULL, 0, &length);
	unsetenv("LAYOUT_LD_LLD");
	layout_kernel_free(kernel);
	return code;
}

/* A linker that is not there, or fails; no temporary file stays behind. */
static void test_linker(void **state)
{
	layout_context *ctx = layout_context_new();
	char *folder = shell_folder_new(), *listing, *code;

	(void)state;
	setenv("TMPDIR", folder, 1);
	for (int from_environment = 0; from_environment < 2; from_environment++) {
		assert_null(link_with(ctx, "/nowhere/ld.lld", from_environment));
		expect_error(ctx, LAYOUT_ERROR_IO,
			"cannot run the linker '/nowhere/ld.lld'");
		assert_null(link_with(ctx, "/bin/false", from_environment));
		expect_error(ctx, LAYOUT_ERROR_IO, "the linker '/bin/false' failed (1)");
		assert_null(link_with(ctx, "/bin/true", from_environment));
		expect_error(ctx, LAYOUT_ERROR_IO,
			"the linker '/bin/true' wrote no code object");
	}
	code = link_with(ctx, "", true);
	assert_non_null(code);
	layout_string_free(code);
	listing = shell_must("ls -A '%s'", folder);
	assert_string_equal(listing, "");
	unsetenv("TMPDIR");
	free(listing);
	shell_folder_remove(folder);
	assert_true(layout_context_free(ctx));
}

static void test_refused_emissions(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = must_kernel(ctx, PACK, "host");
	size_t length;

	(void)state;
	assert_null(layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_HSACO, NULL, 0, &length));
	expect_error(ctx, LAYOUT_ERROR_UNSUPPORTED, "no code objects for host");
	assert_null(layout_kernel_emit(ctx, kernel, (layout_emit)99, NULL, 0, &length));
	expect_error(ctx, LAYOUT_ERROR_INVALID, "99");
	assert_null(layout_kernel_emit(ctx, NULL, LAYOUT_EMIT_ASM, NULL, 0, &length));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	layout_kernel_free(kernel);
	assert_true(layout_context_free(ctx));
}

/* What people read. */
static void test_texts(void **state)
{
	static const struct {
		layout_emit what;
		const char *target, *has;
	} texts[] = {
		{ LAYOUT_EMIT_ISL, "gfx942", "owner        [M, K] -> { hw[" },
		{ LAYOUT_EMIT_ISL, "gfx942", "\nsource       [M, K] -> { logical[" },
		{ LAYOUT_EMIT_ISL, "gfx942", "\ndestination  [M, K] -> { logical[" },
		{ LAYOUT_EMIT_ISL, "gfx942", "\npadding      [M, K] -> { cell[" },
		{ LAYOUT_EMIT_AST, "gfx942", "void remap(const f32 *source, "
			"f32 *destination, int64_t M, int64_t K)\n{\n" },
		{ LAYOUT_EMIT_AST, "gfx942", "= get_local_id(0);\n" },
		{ LAYOUT_EMIT_AST, "gfx942", "r[0], r[1], r[2], r[3] = source[" },
		{ LAYOUT_EMIT_AST, "gfx942", "loads outside the source give" },
		{ LAYOUT_EMIT_AST, "host", ") ? source[" },
		{ LAYOUT_EMIT_AST, "host", "for (int64_t " },
		{ LAYOUT_EMIT_LLVM, "gfx942", "amdgpu_kernel void @remap(" },
		{ LAYOUT_EMIT_ASM, "gfx1100", "\nremap:\n" },
		{ LAYOUT_EMIT_ASM, "host", "\nremap:" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		layout_kernel *kernel = must_kernel(ctx, PACK, texts[i].target);
		size_t length;
		char *text = layout_kernel_emit(ctx, kernel, texts[i].what, NULL, 0,
			&length);

		assert_non_null(text);
		if (strlen(text) != length || !strstr(text, texts[i].has))
			fail_msg("no '%s' in %s", texts[i].has, text);
		layout_string_free(text);
		layout_kernel_free(kernel);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_grid),
		cmocka_unit_test(test_refused_runs),
		cmocka_unit_test(test_misaligned_run),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_empty_run),
		cmocka_unit_test(test_assumption),
		cmocka_unit_test(test_refused_options),
		cmocka_unit_test(test_base_align),
		cmocka_unit_test(test_linker),
		cmocka_unit_test(test_refused_emissions),
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
