/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Messages say who speaks once: of many inputs that are wrong, none has a prefix twice, or
 * names again what it begins with. */
#include "support/share.h"
#include "support/shell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))
#define COPY "'remap(row_major[M] -> row_major[M], type = f32)'"
#define HEAD "layoutc: error: "

static const char *const commands[] = {
	"", "frob", "--frob", "help x", "targets x", "repl x", "mma", "mma x", "mma x lhs",
	"mma x lhs --target gfx942", "mma x y --target gfx942", "mma --target x",
	"mma MFMA_F32_16x16x4_F32 index", "mma v_wmma_f32_16x16x16_f16 lhs",
	"eval", "eval 4:1 4:1", "eval --frob 4:1", "eval --format x 4:1", "eval --format",
	"eval -D x 4:1", "eval -D M=4 4:1", "eval -D M=x 4:1", "eval --values=3 4:1",
	"eval --batch nofile", "eval @nofile", "eval --help frob", "eval --table '{ [i] }'",
	"eval '{ [i] -> [i] }' --values", 
	"check 4:1 --is frob", "check '{ [i] -> [i] }' --is surjective", "check 4:1 --onto 4:1",
	"count 4:1 --of frob", "equal 4:1", "equal 4:1 '{ [i] }'",
	"equal 4:1 @nofile", "equal --memory 4:1 4:1",
	"show '{ [i] -> [i] }'", "show 4:1 -o nowhere/x.svg", "show 4:1 -o x.doc",
	"show encoding_info", "resolve 4:1 --target gfx942", "resolve 4:1",
	"resolve --target x 'encoding<operand_index = 0>'", "propagate 4:1 4:1",
	"propagate 4:1 '[affine_map<(d0) -> (d0)>]'", "specialize x", "specialize @nofile",
	"kernel 4:1 --target host", "kernel " COPY " --emit asm", "kernel " COPY " --target x",
	"kernel " COPY " --target host --emit hsaco", "kernel @nofile --target host",
	"kernel " COPY " --target gfx942 --emit json --assume x",
	"kernel " COPY " --target gfx942 --emit json --base-align 3",
	"kernel " COPY " --target gfx942 --emit llvm -o nowhere/x.ll",
	"kernel 'remap(row_major[M] -> row_major[M], type = x)' --target gfx942",
	"run " COPY " --input nofile.npy -o y.npy", "run " COPY, "run 4:1 --input x -o y",
	"run " COPY " --input nofile.npy -o y.npy --engine x",
	"run " COPY " --input nofile.npy -o y.npy --target x",
};

static const char *const texts[] = {
	"(", "(4,8", "size(", "size(4", "compose(4:1,)", "nested_layout<>", "mma<x,lhs>",
	"mma<MFMA_F32_16x16x4_F32,x>", "chain(row_major[M], foo())", "remap(", "row_major[M",
	"packed(", "{ [i] ->", "encoding_info<{}>", "affine_map<(d0)", "program x(", "matmul(",
	"linear<{", "#ttg.blocked<{", "tile_to_shape(Sw<3,4,3>, (8,8))",
	"convert(4:1, to = frob)", "convert({ [i] -> [i] : 0 <= i < 3 }, to = linear)",
	"distribution(4:1, target = gfx942)", "select((4,8):(8,1), 7)",
	"conflicts({ [l] -> [4l] }, target = gfx000, bits = 32)",
	"resolve(encoding<operand_index = 0>, target = gfx9)", "left_inverse({ [i] -> [0] })",
	"xor_shuffle<63,8>", "rotate_rows<64,7>", "tensor<4x>",
	"memref<4x?xf32, strided<[1]>>", "tagged(nZZ, [1, 2])",
	"swizzled(row_major[M], Sw<3,4,3>)",
	"tv((4,8):(8,1), [3, 3])", "convert_tile(",
	"contract(", "as(4:1, in = [3])", "inverse(4:1", "let A", "#a = 4:1 #a = 4:2 #a",
	"permute({ [i] -> [i] }, [1])", "divide_left(4:1, 4:1)",
	"%r = iree_linalg_ext.map_store %s into",
	"linalg.pack %x", "make_layout((4,8), frob)", "(4,8):(8,1)(9,9)", "frobnicate(4:1)",
};

/* The length of what is before ": ", or of all. */
static size_t part_length(const char *text)
{
	const char *end = strstr(text, ": ");

	return end ? (size_t)(end - text) : strlen(text);
}

/* Does the text name this word again, in quotes? */
static bool quotes(const char *text, const char *word, size_t length)
{
	for (; *text; text++)
		if ((*text == '`' || *text == '\'') && !strncmp(text + 1, word, length) &&
		    (text[1 + length] == '`' || text[1 + length] == '\''))
			return true;
	return false;
}

/* A message behind "layoutc: error: ", or behind "error: ". */
static bool is_doubled(const char *message)
{
	const char *at = message, *end;
	size_t length = part_length(at);

	if (quotes(at + length, at, length))
		return true;
	for (; at[length]; at += length + 2, length = part_length(at)) {
		end = at + length + 2;
		if (!strncmp(at, "layoutc", length) || !strncmp(at, "error", length) ||
		    (!strncmp(end, at, length) && strchr(": ", end[length])))
			return true;
	}
	return !strncmp(at, HEAD, strlen(HEAD));
}

static void check_line(const char *line, const char *head, const char *what)
{
	if (strncmp(line, head, strlen(head)) != 0)
		fail_msg("%s\nsays: %s", what, line);
	if (is_doubled(line + strlen(head)))
		fail_msg("%s\nsays something twice: %s", what, line);
}

static void test_commands(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(commands); i++) {
		int status;
		char *said;

		if (!share_has(i, 0, 8))
			continue;
		said = shell_output(&status, "NO_COLOR=1 %s %s "
			"</dev/null", LAYOUTC_PATH, commands[i]);
		if (!status)
			fail_msg("%s\nis no mistake", commands[i]);
		said[strcspn(said, "\n")] = 0;
		check_line(said, HEAD, commands[i]);
		free(said);
	}
}

static void test_texts(void **state)
{
	char *folder = shell_folder_new(), path[4096], *said, *line;
	FILE *file;
	int status;

	(void)state;
	snprintf(path, sizeof(path), "%s/texts", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	for (size_t i = 0; i < COUNT(texts); i++)
		fprintf(file, "%s\n", texts[i]);
	assert_int_equal(fclose(file), 0);
	said = shell_output(&status, "%s eval --batch %s", LAYOUTC_PATH, path);
	line = said;
	for (size_t i = 0; i < COUNT(texts); i++) {
		size_t length = strcspn(line, "\n");

		assert_int_equal(line[length], '\n');
		line[length] = 0;
		check_line(line, "error: ", texts[i]);
		line += length + 1;
	}
	free(said);
	shell_folder_remove(folder);
}

/* What is one. */
static void test_is_doubled(void **state)
{
	(void)state;
	assert_true(is_doubled("layoutc: needs a command"));
	assert_true(is_doubled("error: what"));
	assert_true(is_doubled("kernel: kernel: what"));
	assert_true(is_doubled("kernel: kernel x: what"));
	assert_true(is_doubled("x: no matrix instruction 'x'"));
	assert_false(is_doubled("expr:1: kernels are what: no"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_is_doubled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
