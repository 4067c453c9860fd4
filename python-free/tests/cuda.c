/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What launches PTX, with a stand-in for CUDA's driver and without any. */
#include "support/shell.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define REMAP "remap(row_major[M, K] -> col_major[M, K], type = i8)"

static char folder[] = "/tmp/layout-cuda-XXXXXX";

static int build(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	free(shell_must("cd '%s' && '%s' -std=gnu17 -Wall -Wextra -Werror %s"
		" '%s/examples/launch_cuda.c' -o launch_cuda -ldl && mkdir driver &&"
		" '%s' -std=gnu17 -Wall -Wextra -Werror %s -shared -fPIC '%s/cuda/libcuda.c'"
		" -o driver/libcuda.so.1", folder, C_COMPILER, C_FLAGS, SOURCE_DIR,
		C_COMPILER, C_FLAGS, TEST_DATA_DIR));
	free(shell_must("cd '%s' && '%s' kernel '" REMAP "' --target sm_90 --emit asm"
		" -o k.ptx && '%s' kernel '" REMAP "' --target sm_90 --emit json -D M=3"
		" -D K=1000 -o k.json", folder, LAYOUTC_PATH, LAYOUTC_PATH));
	free(shell_must("cd '%s' && sed 's/\"lds_bytes\"/\"dynamic_lds_bytes\": 65536, &/'"
		" k.json > big.json", folder));
	free(shell_must("cd '%s' && printf abcdef > a && printf adbecf > b", folder));
	return 0;
}

static int remove_all(void **state)
{
	(void)state;
	free(shell_must("rm -rf '%s'", folder));
	return 0;
}

/* What a command of the folder prints, whatever its status, which comes last. */
static char *run(const char *command)
{
	return shell_must("cd '%s' && { %s; } 2>&1; echo status $?", folder, command);
}

static void expect(const char *command, const char *const *texts)
{
	char *output = run(command);

	for (; *texts; texts++)
		if (!strstr(output, *texts))
			fail_msg("%s\nhas no '%s':\n%s", command, *texts, output);
	free(output);
}

#define DRIVER "LD_LIBRARY_PATH=driver "
#define EXPECT(command, ...) expect(command, (const char *const[]){ __VA_ARGS__, NULL })

static void launches(void **state)
{
	(void)state;
	EXPECT(DRIVER "./launch_cuda k.ptx big.json 3000 3000 3 1000",
		"attribute 8 is 65536\n", "shared 65536, ", "status 0\n");
	EXPECT(DRIVER "./launch_cuda k.ptx k.json 3000 3000 3 1000", "function remap",
		"block ", "sizes 3 1000\n", "made-up 0, driver 12.8: remap",
		"2000.0 us, 0.000 TB/s; a copy 2000.0 us, 0.000 TB/s; 1.000 of it\n",
		"3000 bytes, checksum ", "status 0\n");
}

static void compares(void **state)
{
	(void)state;
	EXPECT(DRIVER "./launch_cuda k.ptx k.json a b 2 3", "6 bytes, checksum ",
		", as expected\n", "status 0\n");
	EXPECT("CUDA_STUB_IDLE=1 " DRIVER "./launch_cuda k.ptx k.json a b 2 3",
		", but byte 0 is 0 and not 97\n", "status 1\n");
}

static void refuses(void **state)
{
	(void)state;
	if (!dlopen("libcuda.so.1", RTLD_LAZY))
		EXPECT("./launch_cuda k.ptx k.json 6 6 2 3",
			"there is no libcuda.so.1 here: not run\n", "status 1\n");
	EXPECT(DRIVER "./launch_cuda k.json k.json 6 6 2 3",
		"the driver does not take the PTX: error 218: line 1: no entry\n",
		"status 1\n");
	EXPECT(DRIVER "./launch_cuda k.ptx k.ptx", "no \"kernel\" in the JSON\n",
		"status 1\n");
	EXPECT(DRIVER "./launch_cuda k.ptx k.json 6 6 2 x", "'x' is no size\n", "status 1\n");
	EXPECT("./launch_cuda", "usage: ", "status 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launches),
		cmocka_unit_test(compares),
		cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests(tests, build, remove_all);
}
