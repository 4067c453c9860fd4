/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc show as a user drives it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"
#include "support/skip.h"

#include <stdlib.h>
#include <string.h>

#define DOCUMENTED "nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 2], " \
	"outer_tile = [1, 1], thread_tile = [4, 4], element_tile = [1, 2], " \
	"subgroup_strides = [1, 0], thread_strides = [4, 1], subgroup_size = 16>"

/* The command's words, its status, and a part of what it prints. */
#define TIKZ "% (1,3):(0,2)\n\\begin{tikzpicture}[x=8mm,y=-8mm,every node/.style={" \
	"font=\\tiny,align=center,inner sep=0pt}]\n" \
	"\\filldraw[draw=white,fill=layout0] (0,0) rectangle +(1,1);\n" \
	"\\node[white] at (0.5,0.5) {0};\n" \
	"\\filldraw[draw=white,fill=layout31] (1,0) rectangle +(1,1);\n" \
	"\\node[black] at (1.5,0.5) {2};\n" \
	"\\filldraw[draw=white,fill=layout63] (2,0) rectangle +(1,1);\n" \
	"\\node[black] at (2.5,0.5) {4};\n" \
	"\\node[gray] at (0.5,-0.4) {0};\n\\node[gray] at (1.5,-0.4) {1};\n" \
	"\\node[gray] at (2.5,-0.4) {2};\n\\node[gray] at (-0.4,0.5) {0};\n" \
	"\\end{tikzpicture}\n"

static const struct row {
	const char *words;
	int status;
	const char *output;
} rows[] = {
	{ "'(2,2):(2,1)'", 0, "  0 1\n0 0 1\n1 2 3\n" },
	{ "'(2,2):(2,1)' -o -", 0, "  0 1\n0 0 1\n1 2 3\n" },
	{ "'row_major[M, 2]' -D M=2", 0, "  0 1\n0 0 1\n1 2 3\n" },
	{ "'row_major[M, 2]'", 2, "error: expr:1: the size M has no value" },
	{ "'row_major[M, 2]' -D M=2 -D N=3", 2, "no size 'N'" },
	{ "'row_major[1, 1, 1, 1, 1, 1, 1, 1, 1]'", 3,
		"up to 8 dimensions, and this layout has 9" },
	{ "'let A = row_major[1, 1, 1, 1, 1, 1, 1, 1]\nlet B = product(A, A)\n"
		"let C = product(B, B)\nlet D = product(C, C)\nproduct(D, D)'", 3,
		"cannot show tuples of more than 64 coordinates" },
	{ "'row_major[1000, 1000]'", 3, "too large: it may have 65536 elements" },
	{ "'{ [i] -> [i] : i >= 0 }'", 2, "error: expr:1: " },
	{ "'(2,2):(2,1)' --color-by lane", 2,
		"cannot color by lane: the places of this layout are offsets in memory" },
	{ "'mma<MFMA_F32_16x16x4_F32, lhs>' --color-by bank", 2,
		"cannot color by bank: the places of this layout are registers of lanes" },
	{ "'(2,2):(2,1)' --color-by hue", 2, "'hue' is none of lane|register|bank|value" },
	{ "'remap(row_major[2, K] -> col_major[2, K], type = f32)' -D K=3 --color-by lane "
		"--target mi300x", 0,
		"before, of the kernel for K = 3 alone: row_major[2, K]\n   0  1  2\n0 T0 T2 T4\n1 T1 T3 T5\n\n"
		"after, of the kernel for K = 3 alone: col_major[2, K]\n   0  1\n0 T0 T1\n1 T2 T3\n2 T4 T5\n" },
	{ "'remap(row_major[2, 3] -> col_major[2, 3], type = f32)' --color-by lane", 2,
		"cannot color by lane: a remap has the lanes of a target's kernel, and no target "
		"is said" },
	{ "'remap(row_major[2, 3] -> col_major[2, 3], type = f32)' --color-by register "
		"--target gfx942", 2, "cannot color by register" },
	{ "'remap(row_major[1, 2] -> col_major[1, 2], type = f32)' --color-by warp "
		"--target gfx942 -o a.tex && grep -c 'begin{tikz' a.tex", 0, "2\n" },
	{ "'(1,2):(0,-9223372036854775808)' --color-by bank", 0, "  0 1\n0 0 0\n32 banks: " },
	{ "'(2,2):(2,1)' --bits 0", 2, "--bits: '0' is not 1 .. 4096" },
	{ "'(2,2):(2,1)' --target gfx3", 3, "--target: no target 'gfx3'" },
	{ "'(2,2):(2,1)' -o picture.gif", 2,
		"ends in none of .svg, .png, .pdf, .html, .txt, .dot and .tex" },
	{ "'(2,2):(2,1)' -o .svg", 2, "ends in none of" },
	{ "'(2,2):(2,1)' -o no/folder/picture.svg", 4, "no/folder/picture.svg" },
	{ "'(2,2:(2,1)'", 2, "error: expr:5: " },
	{ "", 2, "needs EXPR" },
	{ "'compose((6,2):(1,7), (3,2):(2,3))'", 1, "0 0 2 4 3 5 8\n" },
	{ "'compose((6,2):(1,7), (3,2):(2,3))'", 1, "is no layout: at (2,1)" },
	{ "'(2,2):(2,1)' -o a.txt && cat a.txt", 0, "  0 1\n0 0 1\n1 2 3\n" },
	{ "'(2,2):(2,1)' -o a.svg && head -c 40 a.svg", 0, "<svg xmlns=" },
	{ "'(2,2):(2,1)' -o a.html && head -c 40 a.html", 0, "<!DOCTYPE html>" },
	{ "'(1,3):(0,2)' -o a.tex && grep -v definecolor a.tex", 0, TIKZ },
	{ "'(2,2):(2,1)' -o a.tex && grep -c '^.definecolor{layout[0-9]*}{HTML}{[0-9A-F]\\{6\\}}$' "
		"a.tex", 0, "64\n" },
	{ "'packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [2]}>, [1, 3])' -o a.tex "
		"&& grep -A1 dashed a.tex", 0, "\\draw[gray,dashed] (3,0) rectangle +(1,1);\n"
		"\\node[black] at (3.5,0.5) {\\#};\n" },
	{ "'mma<MFMA_F32_16x16x4_F32, acc>' -o a.tex && grep -c 'T[0-9]*.*r[0-9]' a.tex", 0,
		"256\n" },
	{ "'row_major[2, 2, 1, 2]' -o a.tex && grep -v 'fill\\|color' a.tex | grep '{.*[0-9].*}'", 0,
		"\\node[white] at (0.5,0.5) {0};\n\\node[white] at (1.5,0.5) {1};\n"
		"\\node[white] at (3.5,0.5) {2};\n\\node[black] at (4.5,0.5) {3};\n"
		"\\node[black] at (0.5,3.5) {4};\n\\node[black] at (1.5,3.5) {5};\n"
		"\\node[black] at (3.5,3.5) {6};\n\\node[black] at (4.5,3.5) {7};\n"
		"\\node[anchor=west] at (0,-1.1) {[0, 0, :, :]};\n"
		"\\node[gray] at (0.5,-0.4) {0};\n\\node[gray] at (1.5,-0.4) {1};\n"
		"\\node[gray] at (-0.4,0.5) {0};\n"
		"\\node[anchor=west] at (3,-1.1) {[0, 1, :, :]};\n"
		"\\node[gray] at (3.5,-0.4) {0};\n\\node[gray] at (4.5,-0.4) {1};\n"
		"\\node[anchor=west] at (0,1.9) {[1, 0, :, :]};\n" },
	{ "'(2,1):(32,1)' -o a.tex --color-by bank && tail -2 a.tex", 0,
		"\\node[anchor=west] at (0,2.5) {32 banks: 1 read of 32 bits a lane, a lane a "
		"row, takes 2 cycles, 1 without conflicts (!)};\n\\end{tikzpicture}\n" },
	{ "'(2,2):(2,1)' -o a.dot && cat a.dot", 0, "s0 -> s1 [label=\"(2,2):(2,1)\"" },
	/* a line has what fits of a row of panels, and each row begins one */
	{ "'row_major[2, 32, 3, 3]' -o a.svg && grep -oE 'x=.31. [^>]*>.[01], [0-9]+, :' a.svg | "
		"cut -d'>' -f2 | tr -d '\\n'", 0, "[0, 0, :[0, 8, :[0, 16, :[0, 24, :[1, 0, :"
		"[1, 8, :[1, 16, :[1, 24, :" },
	{ "'row_major[1, 31, 3, 3]' -o a.svg && grep -oE 'x=.31. [^>]*>.[01], [0-9]+, :' a.svg | "
		"cut -d'>' -f2 | tr -d '\\n'", 0, "[0, 0, :[0, 11, :[0, 22, :" },
	{ "'row_major[2, 31, 3, 3]' -o a.svg && grep -cE 'x=.31. [^>]*>.[01], [0-9]+, :' a.svg",
		0, "2\n" },
	{ "'32:1' -o a.svg --color-by bank --bits 64 --target gfx942 && cat a.svg", 0,
		"<title>(17): 17, bank 2</title>" },
	{ "'32:1' -o a.svg --color-by bank --bits 64 --target gfx950 && cat a.svg", 0,
		"<title>(17): 17, bank 34</title>" },
	{ "'row_major[8, 64]' --color-by bank --bits 16 --target gfx942", 0,
		"take 64 cycles, 16 without conflicts (!)" },
	{ "'row_major[ 8,64 ]' -o a.svg --color-by bank && grep 'row_major\\|32 banks' a.svg", 0,
		">row_major[ 8,64 ]</text>\n<text class=\"word\" x=\"20\" y=\"319\">32 banks: 16 "
		"reads of 128 bits a lane" },
	{ "--help", 0, "--color-by lane|register|bank|value" },
};

static void test_rows(void **state)
{
	char *folder = shell_folder_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int status;
		char *output = shell_output(&status, "cd '%s' && '%s' show %s", folder,
			LAYOUTC_PATH, rows[i].words);

		if (status != rows[i].status || !strstr(output, rows[i].output))
			fail_msg("layoutc show %s\nexits with %d and prints\n%s",
				rows[i].words, status, output);
		free(output);
	}
	shell_folder_remove(folder);
}

/* What the libraries that draw images keep is theirs. */
#define KEPT "ASAN_OPTIONS=detect_leaks=0"

/* PNG and PDF, the same each time, where librsvg is installed; said where it is not. */
static void test_images(void **state)
{
	static const struct {
		const char *file, *begin, *end;
	} images[] = {
		{ "a.png", "PNG", "IEND" }, { "a.pdf", "%PDF-1", "%%EOF" },
	};
	char *folder = shell_folder_new();

	(void)state;
	free(shell_must("mkdir '%s/none' && touch '%s/none/librsvg-2.so.2'", folder, folder));
	for (size_t i = 0; i < sizeof(images) / sizeof(*images); i++) {
		const char *file = images[i].file;
		int status;
		char *said = shell_output(&status, "cd '%s' && LD_LIBRARY_PATH=none '%s' show "
			"'(4,8):(8,1)' -o %s", folder, LAYOUTC_PATH, file);

		assert_int_equal(status, 3);
		assert_non_null(strstr(said, "needs librsvg-2.so.2 (librsvg), which is not "
			"installed"));
		free(said);
		said = shell_output(&status, "cd '%s' && " KEPT " '%s' show '(4,8):(8,1)' -o %s",
			folder, LAYOUTC_PATH, file);
		if (status == 3 && strstr(said, "which is not installed")) {
			free(said);
			shell_folder_remove(folder);
			skip_because("no picture is drawn as PNG or PDF: librsvg is not installed");
		}
		free(said);
		assert_int_equal(status, 0);
		free(shell_must("cd '%s' && head -c 8 %s | grep -aq '%s' && tail -c 12 %s | "
			"grep -aq '%s'", folder, file, images[i].begin, file, images[i].end));
		free(shell_must("cd '%s' && " KEPT " '%s' show '(4,8):(8,1)' -o again-%s && "
			"cmp %s again-%s", folder, LAYOUTC_PATH, file, file, file));
	}
	shell_folder_remove(folder);
}

/* What was there stays when the picture fails. */
static void test_whole_or_not(void **state)
{
	char *folder = shell_folder_new();
	char *output;
	int status;

	(void)state;
	free(shell_must("echo before > '%s/a.svg'", folder));
	output = shell_output(&status, "cd '%s' && '%s' show 'row_major[M]' -o a.svg", folder,
		LAYOUTC_PATH);
	assert_int_equal(status, 2);
	free(output);
	output = shell_must("cat '%s/a.svg'", folder);
	assert_string_equal(output, "before\n");
	free(output);
	shell_folder_remove(folder);
}

/* The picture of docs/show.md is what the command draws. */
static void test_documented(void **state)
{
	char *drawn, *kept = shell_read(SOURCE_DIR "/docs/show.svg");
	char *folder = shell_folder_new();

	(void)state;
	drawn = shell_must("cd '%s' && '%s' show '" DOCUMENTED "' -o show.svg && cat show.svg",
		folder, LAYOUTC_PATH);
	if (strcmp(drawn, kept) != 0)
		fail_msg("docs/show.svg is not of: layoutc show '" DOCUMENTED "'");
	free(drawn);
	free(kept);
	shell_folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_whole_or_not),
		cmocka_unit_test(test_documented),
	};

	return skip_status(cmocka_run_group_tests(tests, NULL, NULL));
}
