/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The build tree installed, and examples/ built against it in every way. */
#include "support/folder.h"
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

static const char query_output[] =
	"packing is injective: yes\n"
	"without the last coordinate: no\n"
	"  M = 1, K = 5: (0, 0), (0, 4)\n"
	"padding cells: 128*ceil(M/128)*16*ceil(K/16) - M*K\n";

/* Tiles of 4 x 2, a row of tiles a line. */
static const char pack_output[] =
	"  0   1   7   8  14  15  21  22\n"
	"  2   3   9  10  16  17  23  24\n"
	"  4   5  11  12  18  19  25  26\n"
	"  6  -1  13  -1  20  -1  27  -1\n"
	" 28  29  -1  -1  -1  -1  -1  -1\n"
	" 30  31  -1  -1  -1  -1  -1  -1\n"
	" 32  33  -1  -1  -1  -1  -1  -1\n"
	" 34  -1  -1  -1  -1  -1  -1  -1\n"
	"0 of 64 cells are wrong\n";

/* What follows the layouts. */
static const char specialize_output[] =
	"set_encoding on device_a launches set_encoding_gfx942\n"
	"set_encoding on device_b launches set_encoding_gfx1100\n"
	"matmul on device_a launches matmul_gfx942\n"
	"matmul on device_b launches matmul_gfx1100\n"
	"matmul on device_b of device_a's lhs launches matmul_gfx1100\n"
	"generate set_encoding_gfx942 for gfx942\n"
	"generate set_encoding_gfx1100 for gfx1100\n"
	"generate matmul_gfx942 for gfx942\n"
	"generate matmul_gfx1100 for gfx1100\n"
	"relayout_f16_plain_to_2_gfx942, before dispatch 2: writes "
	"2*32*ceil(D0/32)*128*ceil(D1/128) bytes\n"
	"relayout_f16_plain_to_4_gfx1100, before dispatch 3 4: writes "
	"2*16*ceil(D0/16)*64*ceil(D1/64) bytes\n"
	"relayout_f16_0_to_1_gfx1100, before dispatch 4: writes "
	"2*64*ceil(D0/64)*16*ceil(D1/16) bytes\n";

/* One installed tree for all tests: "prefix" in the folder. */
static int install(void **state)
{
	folder_open(state);
	free(shell_must("cmake --install '%s' --prefix '%s/prefix'",
		BUILD_DIR, folder));
	return 0;
}

/* The examples in "where" print what they must. */
static void check_examples(const char *where)
{
	char *query = shell_must("LD_LIBRARY_PATH='%s/prefix/lib' '%s/%s/query'",
		folder, folder, where);
	char *pack = shell_must("LD_LIBRARY_PATH='%s/prefix/lib' '%s/%s/pack'",
		folder, folder, where);
	char *specialize = shell_must("LD_LIBRARY_PATH='%s/prefix/lib' '%s/%s/specialize'",
		folder, folder, where), *rest = strstr(specialize, "set_encoding on");

	assert_string_equal(query, query_output);
	assert_string_equal(pack, pack_output);
	assert_non_null(rest);
	assert_string_equal(rest, specialize_output);
	free(query);
	free(pack);
	free(specialize);
}

static void build_with_cmake(const char *source, const char *where)
{
	free(shell_must("cmake -G Ninja -S '%s' -B '%s/%s'"
		" -D CMAKE_PREFIX_PATH='%s/prefix' -D CMAKE_C_COMPILER='%s'"
		" -D CMAKE_C_FLAGS='%s' -D EXAMPLES='%s/examples'"
		" && cmake --build '%s/%s'",
		source, folder, where, folder, C_COMPILER, C_FLAGS, SOURCE_DIR,
		folder, where));
}

static void find_package(void **state)
{
	(void)state;
	build_with_cmake(SOURCE_DIR "/examples", "cmake");
	check_examples("cmake");
}

static void find_package_static(void **state)
{
	(void)state;
	build_with_cmake(TEST_DATA_DIR "/static", "static");
	check_examples("static");
}

/* Somebody's tests, with the assertions that are installed. */
static void cmocka_project(void **state)
{
	char *output;

	(void)state;
	build_with_cmake(SOURCE_DIR "/examples/cmocka_project", "cmocka");
	output = shell_must("LD_LIBRARY_PATH='%s/prefix/lib' '%s/cmocka/layouts'",
		folder, folder);
	assert_non_null(strstr(output, "[  PASSED  ] 2 test(s)."));
	free(output);
}

/* The headers from C++17, with what initialises structs and the assertions. */
static void cxx_project(void **state)
{
	char *output;

	(void)state;
	free(shell_must("cmake -G Ninja -S '%s/cxx' -B '%s/cxx'"
		" -D CMAKE_PREFIX_PATH='%s/prefix' -D CMAKE_CXX_FLAGS='%s'"
		" && cmake --build '%s/cxx'", TEST_DATA_DIR, folder, folder, C_FLAGS,
		folder));
	output = shell_must("LD_LIBRARY_PATH='%s/prefix/lib' '%s/cxx/use'", folder,
		folder);
	assert_non_null(strstr(output, "1 4 2 5 3 6 \n"));
	assert_non_null(strstr(output, "[  PASSED  ] 2 test(s)."));
	free(output);
}

static void a_missing_component_is_named(void **state)
{
	char *path = shell_must("mkdir -p '%s/none' && printf %%s '%s/none/CMakeLists.txt'",
		folder, folder), *output;
	int status;

	(void)state;
	shell_write(path, "cmake_minimum_required(VERSION 3.25)\nproject(none LANGUAGES C)\n"
		"find_package(layout CONFIG REQUIRED COMPONENTS gpu)\n");
	output = shell_output(&status, "cmake -G Ninja -S '%s/none' -B '%s/none/build'"
		" -D CMAKE_PREFIX_PATH='%s/prefix'", folder, folder, folder);
	assert_int_not_equal(status, 0);
	assert_non_null(strstr(output, "layout and codegen, and no gpu"));
	free(output);
	free(path);
}

static void pkg_config(void **state)
{
	static const char *const programs[][2] = {
		{ "query", "layout" },
		{ "specialize", "layout" },
		{ "pack", "layout-codegen" },
	};

	(void)state;
	free(shell_must("mkdir '%s/pkg'", folder));
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		free(shell_must("export PKG_CONFIG_PATH='%s/prefix/lib/pkgconfig'\n"
			"cd '%s/examples' && '%s' -std=c17 %s %s.c"
			" $(pkg-config --cflags --libs %s) -o '%s/pkg/%s'",
			folder, SOURCE_DIR, C_COMPILER, C_FLAGS, programs[i][0],
			programs[i][1], folder, programs[i][0]));
	check_examples("pkg");
}

/* The libraries show nothing that could meet another library's name; the sanitizers have
 * names of their own, and the version of the symbols ("A") is no name of theirs. */
static void symbols(void **state)
{
	static const char *const libraries[][2] = {
		{ "-D", "liblayout.so" }, { "-D", "liblayout-codegen.so" },
		{ "-g", "liblayout.a" }, { "-g", "liblayout-codegen.a" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		char *others = shell_must("nm %s --defined-only '%s/prefix/lib/%s' |"
			" awk 'NF == 3 && $2 != \"A\" && $3 !~ /^(layout_|__odr_asan)/ { print $3 }'",
			libraries[i][0], folder, libraries[i][1]);

		assert_string_equal(others, "");
		free(others);
	}
}

/* The HIP example with a stand-in for HIP, on what the command emits. */
static void launch_hip(void **state)
{
	static const char remap[] =
		"remap(row_major[M, K] -> col_major[M, K], type = i8)";
	char *output;

	(void)state;
	free(shell_must("cd '%s' && '%s' -std=c17 -Wall -Wextra -Werror %s -I'%s/hip'"
		" '%s/examples/launch_hip.c' -o launch_hip",
		folder, C_COMPILER, C_FLAGS, TEST_DATA_DIR, SOURCE_DIR));
	free(shell_must("cd '%s' && '%s' kernel '%s' --target gfx942 --emit hsaco"
		" -o k.hsaco && '%s' kernel '%s' --target gfx942 --emit json"
		" -D M=3 -D K=1000 -o k.json",
		folder, LAYOUTC_PATH, remap, LAYOUTC_PATH, remap));
	output = shell_must("cd '%s' && ./launch_hip k.hsaco k.json 3000 3000 3 1000",
		folder);
	assert_non_null(strstr(output, "function remap_shape4\n"));
	assert_non_null(strstr(output, "grid "));
	assert_non_null(strstr(output, "sizes 3 1000\n"));
	assert_non_null(strstr(output, "3000 bytes, checksum "));
	free(output);
	free(shell_must("cd '%s' && P=@'%s'/examples/programs/row_sum.txt && '%s' kernel $P"
		" --target gfx942 --emit hsaco -o p.hsaco && '%s' kernel $P --target gfx942"
		" --emit json -D M=2 -D K=50 -o p.json", folder, SOURCE_DIR, LAYOUTC_PATH,
		LAYOUTC_PATH));
	output = shell_must("cd '%s' && ./launch_hip p.hsaco p.json 400 8 2 50",
		folder);
	assert_non_null(strstr(output, "function row_sum\n"));
	assert_non_null(strstr(output, "sizes 2 50\n"));
	assert_non_null(strstr(output, "8 bytes, checksum "));
	free(output);
}

/* The dynamic loader names every file it opens, also those of dlopen(). */
static void algebra_loads_no_llvm(void **state)
{
	static const struct {
		const char *program;
		bool llvm;
	} rows[] = {
		{ "query", false },
		{ "pack", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *files = shell_must("LD_DEBUG=files"
			" LD_LIBRARY_PATH='%s/prefix/lib' '%s/pkg/%s'",
			folder, folder, rows[i].program);

		assert_non_null(strstr(files, "liblayout.so.0.1"));
		assert_int_equal(strstr(files, "libLLVM") != NULL, rows[i].llvm);
		free(files);
	}
}

/* What the shared libraries show: the public API, and what one needs of the other. */
static void exported_names(void **state)
{
	static const char *const libraries[] = { "layout", "layout-codegen" };

	(void)state;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		char *others = shell_must("nm -D --defined-only '%s/prefix/lib/lib%s.so'"
			" | sed -E '/ (T (layout|index|plan|element_type|conversion)_|A LAYOUT_)/d'",
			folder, libraries[i]);

		assert_string_equal(others, "");
		free(others);
	}
}

/* The installed command finds its libraries by itself. */
static void command(void **state)
{
	char *output = shell_must("'%s/prefix/bin/layoutc' --version", folder);

	(void)state;
	assert_non_null(strstr(output, "0.1.0"));
	free(output);
}

/* Nothing installed names the folder it was built or staged in. */
static void staged(void **state)
{
	static const char *const files[] = {
		"include/layout/layout.h", "include/layout/codegen.h",
		"lib/liblayout.a", "lib/liblayout-codegen.a",
		"lib/liblayout.so.0.1.0", "lib/liblayout-codegen.so.0.1.0",
		"lib/pkgconfig/layout.pc", "lib/pkgconfig/layout-codegen.pc",
		"lib/cmake/layout/layout-config.cmake", "bin/layoutc",
		"bin/layoutc-codegen",
		"share/man/man1/layoutc.1",
		"share/bash-completion/completions/layoutc",
		"share/zsh/site-functions/_layoutc",
		"share/fish/vendor_completions.d/layoutc.fish",
		"share/doc/layout/README.md", "share/doc/layout/docs/notation.md",
		"share/doc/layout/examples/query.c",
	};
	char *output;

	(void)state;
	free(shell_must("DESTDIR='%s/stage' cmake --install '%s' --prefix /opt/layout",
		folder, BUILD_DIR));
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		free(shell_must("test -f '%s/stage/opt/layout/%s'", folder, files[i]));
	output = shell_must("cd '%s/stage/opt/layout/lib' &&"
		" ! grep -rlF -e '%s' -e '%s' pkgconfig cmake",
		folder, folder, BUILD_DIR);
	assert_string_equal(output, "");
	free(output);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find_package),
		cmocka_unit_test(find_package_static),
		cmocka_unit_test(symbols),
		cmocka_unit_test(cmocka_project),
		cmocka_unit_test(cxx_project),
		cmocka_unit_test(a_missing_component_is_named),
		cmocka_unit_test(pkg_config),
		cmocka_unit_test(algebra_loads_no_llvm),
		cmocka_unit_test(launch_hip),
		cmocka_unit_test(exported_names),
		cmocka_unit_test(command),
		cmocka_unit_test(staged),
	};

	return cmocka_run_group_tests(tests, install, folder_close);
}
