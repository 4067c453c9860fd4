/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What CUDA's assembler says of the PTX: that it takes it, that all is in registers, of which
 * a workgroup has so many, and that functions take the shared memory that their launches
 * say. */
#include "support/ptxas.h"
#include "support/share.h"
#include "support/shell.h"
#include "support/skip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define REGISTERS 65536		/* of a multiprocessor */

#define TRANSPOSE "remap(row_major[M, N] -> col_major[M, N], type = "
#define PACK "remap(row_major[M, N] -> packed(encoding_info<{innerDimsPos = [0, 1], " \
	"innerTileSizes = [16, 16], outerDimsPerm = [0, 1]}>, [M, N]), type = "
#define EXAMPLE(name) SOURCE_DIR "/examples/programs/" name ".txt"
#define PRODUCT(lhs, rhs, acc) "matmul(A: row_major[M, K] " lhs ", B: col_major[K, N] " rhs \
	" -> C: row_major[M, N] " acc ")"

/* Shared memory that is given with the launch, beyond what a function may declare. */
#define GIVEN "program p(X: in row_major[M, 64] f32, Y: out row_major[M, 64] f32) { " \
	"grid (g) in (ceil(M/256)) workers w in 4 lds l: [256, 64] f32 copy X[256*g, 0] -> l " \
	"y = get l[0, 0] : [256, 64] z = map y + 1 store z -> Y[256*g, 0] }"

/* 64 registers of a lane for the tile alone. */
#define MANY "remap(row_major[2, C, H, W] -> packed(encoding_info<{innerDimsPos = [1], " \
	"innerTileSizes = [16], outerDimsPerm = [0, 1, 2, 3]}>, [2, C, H, W]), type = f32)"

/* A product of a step. */
#define F8 "program p(A: in row_major[M, 32] f8E4M3FN, B: in row_major[N, 32] f8E5M2, " \
	"C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/32), ceil(N/32)) workers w in 2 " \
	"s: [32, 32] f32 = fill 0 c = contract s, load A[32*m, 0] : [32, 32], " \
	"load B[32*n, 0] : [32, 32] : (i, j, k) -> (i, k), (j, k), (i, j) " \
	"store c -> C[32*m, 32*n] }"

/* A remap, a program or the file of one; and the version of PTX, the first that has what
 * kernels for the chip are made of: no driver takes a later one than its own. */
static const struct row {
	const char *text, *target, *version;
} rows[] = {
	{ TRANSPOSE "f32)", "sm_75", "6.5" },
	{ TRANSPOSE "f64)", "sm_80", "7.0" },
	{ MANY, "sm_90", "7.8" },
	{ TRANSPOSE "i4)", "sm_120", "8.7" },
	{ PACK "bf16 -> f32)", "sm_90", "7.8" },
	{ EXAMPLE("bias_cast_transpose"), "sm_90", "7.8" },
	{ EXAMPLE("matmul_lds"), "sm_80", "7.0" },
	{ EXAMPLE("quantise_rows"), "sm_100", "8.6" },
	{ PRODUCT("f64", "f64", "f64"), "sm_90", "7.8" },
	{ F8, "sm_89", "8.4" },
	{ F8, "sm_90", "8.4" },
	{ GIVEN, "sm_90", "7.8" },
};

/* The number that follows "key": in what the launch says of a function, which comes last. */
static unsigned launch_number(const char *json, const char *function, const char *key)
{
	const char *at = json, *last = NULL;
	char quoted[96];
	unsigned number = 0;

	snprintf(quoted, sizeof(quoted), "\"kernel\": \"%s\"", function);
	while ((at = strstr(at, quoted)))
		last = at++;
	snprintf(quoted, sizeof(quoted), "\"%s\": ", key);
	at = last ? strstr(last, quoted) : NULL;
	if (!at || sscanf(at + strlen(quoted), "[%u", &number) + sscanf(at + strlen(quoted),
	    "%u", &number) < 1)
		fail_msg("no \"%s\" of %s", key, function);
	return number;
}

static void check_function(const struct row *row, const struct ptxas_function *function,
	const char *json)
{
	bool given = strstr(json, "\"dynamic_lds_bytes\"");
	unsigned bytes = launch_number(json, function->name, "lds_bytes");
	unsigned lanes = launch_number(json, function->name, "workgroup_size");

	if (function->stack_bytes || function->shared_bytes != (given ? 0 : bytes) ||
	    !function->registers || function->registers * lanes > REGISTERS)
		fail_msg("%s, %s: '%s' has %u bytes on the stack, %u of shared memory and not "
			"%u, %u registers of %u lanes", row->text, row->target, function->name,
			function->stack_bytes, function->shared_bytes, bytes,
			function->registers, lanes);
}

static void check_row(const struct row *row, const char *folder)
{
	struct ptxas_function functions[PTXAS_FUNCTIONS];
	char path[4096], complaint[PTXAS_TEXT], version[64];
	char *ptx, *json;
	int count;

	snprintf(path, sizeof(path), "%s/k.ptx", folder);
	free(shell_must("'%s' kernel '%s' --target %s --emit asm -o '%s'", LAYOUTC_PATH,
		row->text, row->target, path));
	json = shell_must("'%s' kernel '%s' --target %s --emit json", LAYOUTC_PATH, row->text,
		row->target);
	ptx = shell_read(path);
	snprintf(version, sizeof(version), "\n.version %s\n.target %s\n", row->version,
		row->target);
	if (!strstr(ptx, version))
		fail_msg("%s: not%s%.200s", row->text, version, ptx);
	count = ptxas_assemble(path, row->target, functions, complaint);
	if (count < 1)
		fail_msg("%s, %s: %s", row->text, row->target, complaint);
	for (int i = 0; i < count; i++)
		check_function(row, &functions[i], json);
	free(json);
	free(ptx);
}

static void test_rows(void **state)
{
	char *folder;

	(void)state;
	if (!ptxas_is_there())
		skip_because("there is no ptxas");
	folder = shell_folder_new();
	for (unsigned i = 0; i < COUNT(rows); i++)
		if (share_has(0, i, COUNT(rows)))
			check_row(&rows[i], folder);
	shell_folder_remove(folder);
}

/* What is wrong with a text that is none. */
static void test_complaint(void **state)
{
	struct ptxas_function functions[PTXAS_FUNCTIONS];
	char path[4096], complaint[PTXAS_TEXT], *folder;

	(void)state;
	if (!ptxas_is_there())
		skip_because("there is no ptxas");
	folder = shell_folder_new();
	snprintf(path, sizeof(path), "%s/k.ptx", folder);
	shell_write(path, ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k()\n"
		"{\n\tret.wrong;\n}\n");
	assert_int_equal(ptxas_assemble(path, "sm_90", functions, complaint), -1);
	assert_non_null(strstr(complaint, ".wrong"));
	shell_folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_complaint),
	};

	return skip_status(cmocka_run_group_tests(tests, NULL, NULL));
}
