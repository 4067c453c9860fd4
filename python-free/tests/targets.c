/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of targets, and code for every row of it.  LLVM may abort: every row
 * compiles in a process of its own. */
#include "algebra/chip.h"
#include "support/assembler.h"
#include "support/share.h"
#include <layout/codegen.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static const struct {
	const char *name, *processor;
	unsigned wave_size;
	bool default_wave;
	unsigned lds_kib, lds_banks, lds_load_bytes[5];
} rows[] = {
	{ "host", "native", 1, true, 0, 0, { 0 } },
	{ "gfx908", "gfx908", 64, true, 64, 32, { 4 } },
	{ "gfx90a", "gfx90a", 64, true, 64, 32, { 4 } },
	{ "gfx942", "gfx942", 64, true, 64, 32, { 4 } },
	{ "gfx950", "gfx950", 64, true, 160, 64, { 4, 12, 16 } },
	{ "gfx1100", "gfx1100", 32, true, 64, 32, { 0 } },
	{ "gfx1100:wave64", "gfx1100", 64, false, 64, 32, { 0 } },
	{ "gfx1101", "gfx1101", 32, true, 64, 32, { 0 } },
	{ "gfx1101:wave64", "gfx1101", 64, false, 64, 32, { 0 } },
	{ "gfx1102", "gfx1102", 32, true, 64, 32, { 0 } },
	{ "gfx1102:wave64", "gfx1102", 64, false, 64, 32, { 0 } },
	{ "gfx1103", "gfx1103", 32, true, 64, 32, { 0 } },
	{ "gfx1103:wave64", "gfx1103", 64, false, 64, 32, { 0 } },
	{ "gfx1150", "gfx1150", 32, true, 64, 32, { 0 } },
	{ "gfx1150:wave64", "gfx1150", 64, false, 64, 32, { 0 } },
	{ "gfx1151", "gfx1151", 32, true, 64, 32, { 0 } },
	{ "gfx1151:wave64", "gfx1151", 64, false, 64, 32, { 0 } },
	{ "gfx1152", "gfx1152", 32, true, 64, 32, { 0 } },
	{ "gfx1152:wave64", "gfx1152", 64, false, 64, 32, { 0 } },
	{ "gfx1153", "gfx1153", 32, true, 64, 32, { 0 } },
	{ "gfx1153:wave64", "gfx1153", 64, false, 64, 32, { 0 } },
	{ "gfx1200", "gfx1200", 32, true, 64, 32, { 0 } },
	{ "gfx1200:wave64", "gfx1200", 64, false, 64, 32, { 0 } },
	{ "gfx1201", "gfx1201", 32, true, 64, 32, { 0 } },
	{ "gfx1201:wave64", "gfx1201", 64, false, 64, 32, { 0 } },
	{ "gfx1250", "gfx1250", 32, true, 320, 64, { 1, 4, 8, 16 } },
	{ "sm_75", "sm_75", 32, true, 48, 32, { 0 } },
	{ "sm_80", "sm_80", 32, true, 48, 32, { 4, 8, 16 } },
	{ "sm_89", "sm_89", 32, true, 48, 32, { 4, 8, 16 } },
	{ "sm_90", "sm_90", 32, true, 48, 32, { 4, 8, 16 } },
	{ "sm_100", "sm_100", 32, true, 48, 32, { 4, 8, 16 } },
	{ "sm_120", "sm_120", 32, true, 48, 32, { 4, 8, 16 } },
};
#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

static void test_rows(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROW_COUNT; i++) {
		const layout_target *row = layout_target_at(i);

		assert_non_null(row);
		assert_string_equal(row->name, rows[i].name);
		assert_string_equal(row->processor, rows[i].processor);
		assert_int_equal(row->wave_size, rows[i].wave_size);
		assert_int_equal(row->default_wave, rows[i].default_wave);
		assert_int_equal(row->lds_bytes, 1024 * rows[i].lds_kib);
		assert_int_equal(row->lds_banks, rows[i].lds_banks);
		assert_int_equal(row->max_load_bytes, 16);
		assert_memory_equal(row->lds_load_bytes, rows[i].lds_load_bytes,
			sizeof(rows[i].lds_load_bytes));
	}
	assert_null(layout_target_at(ROW_COUNT));
}

/* Every way to say a load to the LDS: the instruction, and the bytes that a lane puts
 * there.  What loads one or two bytes on CDNA puts a whole dword. */
static const struct {
	const char *text;
	unsigned bytes;
} lds_loads[] = {
	{ "buffer_load_ubyte v1, s[4:7], s0 offen lds", 4 },
	{ "buffer_load_ushort v1, s[4:7], s0 offen lds", 4 },
	{ "buffer_load_dword v1, s[4:7], s0 offen lds", 4 },
	{ "buffer_load_dwordx2 v1, s[4:7], s0 offen lds", 8 },
	{ "buffer_load_dwordx3 v1, s[4:7], s0 offen lds", 12 },
	{ "buffer_load_dwordx4 v1, s[4:7], s0 offen lds", 16 },
	{ "buffer_load_b32 v1, s[4:7], s0 offen lds", 4 },
	{ "buffer_load_b64 v1, s[4:7], s0 offen lds", 8 },
	{ "buffer_load_b128 v1, s[4:7], s0 offen lds", 16 },
	{ "buffer_load_lds_b32 v1, s[4:7], s0 offen", 4 },
	{ "buffer_load_lds_u8 v1, s[4:7], s0 offen", 4 },
	{ "global_load_dword v[2:3], off lds", 4 },
	{ "global_load_lds_ubyte v[2:3], off", 4 },
	{ "global_load_lds_ushort v[2:3], off", 4 },
	{ "global_load_lds_dword v[2:3], off", 4 },
	{ "global_load_lds_dwordx2 v[2:3], off", 8 },
	{ "global_load_lds_dwordx3 v[2:3], off", 12 },
	{ "global_load_lds_dwordx4 v[2:3], off", 16 },
	{ "global_load_lds_b32 v[2:3], off", 4 },
	{ "global_load_lds_b64 v[2:3], off", 8 },
	{ "global_load_lds_b128 v[2:3], off", 16 },
	{ "global_load_async_to_lds_b8 v1, v[2:3], off", 1 },
	{ "global_load_async_to_lds_b16 v1, v[2:3], off", 2 },
	{ "global_load_async_to_lds_b32 v1, v[2:3], off", 4 },
	{ "global_load_async_to_lds_b64 v1, v[2:3], off", 8 },
	{ "global_load_async_to_lds_b96 v1, v[2:3], off", 12 },
	{ "global_load_async_to_lds_b128 v1, v[2:3], off", 16 },
	{ "cluster_load_async_to_lds_b8 v1, v[2:3], off", 1 },
	{ "cluster_load_async_to_lds_b16 v1, v[2:3], off", 2 },
	{ "cluster_load_async_to_lds_b32 v1, v[2:3], off", 4 },
	{ "cluster_load_async_to_lds_b64 v1, v[2:3], off", 8 },
	{ "cluster_load_async_to_lds_b96 v1, v[2:3], off", 12 },
	{ "cluster_load_async_to_lds_b128 v1, v[2:3], off", 16 },
};
#define LDS_LOADS (sizeof(lds_loads) / sizeof(lds_loads[0]))

/* The widths as the bits of a number. */
static unsigned widths_of(const layout_target *row)
{
	unsigned widths = 0;

	for (unsigned i = 0; row->lds_load_bytes[i]; i++)
		widths |= 1u << row->lds_load_bytes[i];
	return widths;
}

/* Does the row's assembly have these instructions? */
static bool is_assembled(const layout_target *row)
{
	return !strncmp(row->name, "gfx", 3);
}

/* The first instruction that reads from lane (own ^ x), for every x; the last reads any. */
static void test_lanes(void **state)
{
	const layout_target *target;
	unsigned exchanging = 0;

	(void)state;
	for (unsigned i = 0; (target = layout_target_at(i)); i++) {
		const struct chip *chip = chip_of(target);
		const struct chip_lanes *any;

		if (!chip->lanes)
			continue;
		any = chip_lanes_of(chip, CHIP_ANY_LANE);
		assert_null(any[1].name);
		for (unsigned x = 1; x < target->wave_size; x++) {
			const struct chip_lanes *found = chip_lanes_of(chip, x);

			assert_true(found == any || (found->low <= x && x <= found->high));
			for (const struct chip_lanes *row = chip->lanes; row < found; row++)
				assert_false(row->low <= x && x <= row->high);
		}
		exchanging++;
	}
	assert_true(exchanging > 0);
}

/* The widths of loads to the LDS are those that LLVM assembles. */
static void test_lds_loads(void **state)
{
	static struct assembler_line lines[LDS_LOADS];
	const layout_target *row;

	(void)state;
	for (unsigned i = 0; i < LDS_LOADS; i++)
		strcpy(lines[i].text, lds_loads[i].text);
	for (unsigned i = 1; (row = layout_target_at(i)); i++) {
		unsigned widths = 0;

		if (!is_assembled(row))
			continue;
		assembler_ask(row, lines, LDS_LOADS);
		for (unsigned j = 0; j < LDS_LOADS; j++)
			if (!lines[j].complaint[0])
				widths |= 1u << lds_loads[j].bytes;
		if (widths != widths_of(row))
			fail_msg("%s: LLVM has %#x, the row %#x", row->name, widths,
				widths_of(row));
	}
}

static void test_names(void **state)
{
	static const struct {
		const char *asked, *row;
	} names[] = {
		{ "gfx942:wave64", "gfx942" },
		{ "gfx1100:wave32", "gfx1100" },
		{ "gfx1250:wave32", "gfx1250" },
		{ "gfx1201:wave64", "gfx1201:wave64" },
		{ "gfx1151:wave32", "gfx1151" },
		{ "w7800", "gfx1100" },
		{ "rx7900gre", "gfx1100" },
		{ "rx7700xt", "gfx1101" },
		{ "rx7800xt", "gfx1101" },
		{ "v710", "gfx1101" },
		{ "w7700", "gfx1101" },
		{ "rx7600", "gfx1102" },
		{ "rx7600xt", "gfx1102" },
		{ "phoenix", "gfx1103" },
		{ "strix-point", "gfx1150" },
		{ "strix-halo", "gfx1151" },
		{ "r9700", "gfx1201" },
		{ "sm_90:wave32", "sm_90" },
		{ "host:wave1", "host" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < ROW_COUNT; i++)
		assert_ptr_equal(layout_target_find(ctx, rows[i].name),
			layout_target_at(i));
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_string_equal(layout_target_find(ctx, names[i].asked)->name,
			names[i].row);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_true(layout_context_free(ctx));
}

static void test_refused(void **state)
{
	static const struct {
		const char *name, *message;
	} refused[] = {
		{ "gfx1250:wave64", "the waves of gfx1250 never have 64 lanes" },
		{ "gfx942:wave32", "the waves of gfx942 never have 32 lanes" },
		{ "gfx900", "there are host, gfx908," },
		{ "gfx94", "no target 'gfx94'" },
		{ "gfx1100:wave", "no target 'gfx1100:wave'" },
		{ "gfx1100:wave64x", "no target" },
		{ "gfx1100:64", "no target" },
		{ "gfx1100:wave18446744073709551680", "no target" },
		{ "gfx1100:wave64:wave64", "no target" },
		{ "sm_90:wave64", "the waves of sm_90 never have 64 lanes" },
		{ "sm_9", "no target 'sm_9'" },
		{ "GFX942", "no target" },
		{ "", "no target ''" },
		{ NULL, "no target ''" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		assert_null(layout_target_find(ctx, refused[i].name));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
		if (!strstr(layout_context_message(ctx), refused[i].message))
			fail_msg("%s: %s", refused[i].name, layout_context_message(ctx));
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

static const char source[] = "row_major[M, K]";
static const char destination[] = "packed(encoding_info<{innerDimsPos = [0, 1], "
	"innerTileSizes = [128, 16], outerDimsPerm = [0, 1]}>, [M, K])";

static bool emits(layout_context *ctx, const layout_kernel *kernel, layout_emit what)
{
	size_t length = 0;
	char *code = layout_kernel_emit(ctx, kernel, what, NULL, 0, &length);
	bool ok = code && length > 64;

	layout_string_free(code);
	return ok;
}

/* What is emitted besides LLVM's IR and assembly, by how a row's name begins: objects, and
 * code objects; or what is said. */
static const struct {
	const char *begin;
	bool object, code_object;
	const char *no_object, *no_code_object;
} forms[] = {
	{ "host", true, false, NULL, "there are no code objects for host" },
	{ "gfx", true, true, NULL, NULL },
	{ "sm_", false, false, "there are no objects for sm_", "there are no code objects for sm_" },
};

static bool emits_or_says(layout_context *ctx, const layout_kernel *kernel, layout_emit what,
	bool has, const char *says)
{
	bool ok = emits(ctx, kernel, what) == has &&
		(has || strstr(layout_context_message(ctx), says));

	if (!has)
		layout_context_clear(ctx);
	return ok;
}

/* Everything that a row can emit; the reason on standard error if not. */
static bool compile(const char *target, const char *type)
{
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_new(layout_storage_parse(ctx, source),
		layout_storage_parse(ctx, destination), type, NULL);
	layout_kernel *kernel = layout_kernel_new(remap, target, NULL);
	bool ok = kernel && emits(ctx, kernel, LAYOUT_EMIT_LLVM) &&
		emits(ctx, kernel, LAYOUT_EMIT_ASM);
	unsigned f = 0;

	while (strncmp(target, forms[f].begin, strlen(forms[f].begin)) != 0)
		f++;
	ok = ok && emits_or_says(ctx, kernel, LAYOUT_EMIT_OBJ, forms[f].object,
			forms[f].no_object) &&
		emits_or_says(ctx, kernel, LAYOUT_EMIT_HSACO, forms[f].code_object,
			forms[f].no_code_object);
	if (!ok)
		fprintf(stderr, "%s %s: %s\n", target, type, layout_context_message(ctx));
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	return layout_context_free(ctx) && ok;
}

static bool compile_row(unsigned row)
{
	static const char *const types[] = { "f32", "i8", "f64" };
	bool ok = true, first = share_is_first(layout_target_at(row));

	for (unsigned i = 0; ok && i < (first ? 3 : 1); i++)
		ok = !share_has(row, i, 3) ||
			compile(rows[row].name, types[first ? i : row % 3]);
	return ok;
}

/* LLVM may end a process that it has no instruction for. */
static int status_of_child(unsigned row)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(!compile_row(row));
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void test_every_row_compiles(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROW_COUNT; i++)
		if (status_of_child(i))
			fail_msg("%s: does not compile", rows[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_lds_loads),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_every_row_compiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
