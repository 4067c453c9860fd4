/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compiled kernels on the disk: they do the same when they are loaded, and what is damaged,
 * foreign or not there is compiled again without a word. */
#include "host/code/disk.h"
#include "host/code/stored.h"
#include "support/folder.h"
#include "support/shell.h"
#include "support/skip.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TURN "remap(row_major[M, K] -> col_major[M, K], type = f32)"

/* In a shell, what of the folder's own entry. */
#define ENTRY "$(ls \"$XDG_CACHE_HOME\"/layout/*)"

static int make_folder(void **state)
{
	folder_open(state);
	unsetenv("LAYOUT_CACHE");
	return setenv("XDG_CACHE_HOME", folder, 1);
}

/* Before each test there is nothing. */
static int empty_folder(void **state)
{
	(void)state;
	free(shell_must("rm -rf '%s'/*", folder));
	unsetenv("LAYOUT_CACHE");
	return setenv("XDG_CACHE_HOME", folder, 1);
}

static uint64_t entries(void)
{
	uint64_t count;

	layout_cache_measure(&count, NULL);
	return count;
}

enum { ROWS = 67, COLUMNS = 45, ELEMENTS = 128 * 128 };

/* The result of a kernel, which may have been loaded. */
struct result {
	bool loaded;
	unsigned char bytes[ELEMENTS * 8];
};

static void fill(void *bytes, size_t count)
{
	float *values = bytes;

	for (size_t i = 0; i < count / sizeof(float); i++)
		values[i] = (float)(i * 37 % 101) / 8 - 5;
}

static layout_kernel *kernel_of(layout_context *ctx, const char *text)
{
	layout_kernel *kernel;

	if (!strncmp(text, "program", 7)) {
		layout_program *program = layout_program_parse(ctx, text);

		kernel = layout_kernel_new_program(program, "host", NULL);
		layout_program_free(program);
	} else {
		layout_remap *remap = layout_remap_parse(ctx, text);

		kernel = layout_kernel_new(remap, "host", NULL);
		layout_remap_free(remap);
	}
	if (!kernel)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	return kernel;
}

static void run_text(const char *text, struct result *result)
{
	static const layout_size sizes[] = { { "M", ROWS }, { "K", COLUMNS } };
	layout_context *ctx = layout_context_new();
	layout_kernel *kernel = kernel_of(ctx, text);
	size_t bytes = sizeof(result->bytes);
	unsigned char *source = aligned_alloc(64, bytes), *destination = aligned_alloc(64, bytes);
	const layout_buffer_argument buffers[] = { { "X", source, bytes },
		{ "Y", destination, bytes } };
	layout_run run = LAYOUT_RUN_INIT;

	fill(source, bytes);
	memset(destination, 0, bytes);
	run.source = source;
	run.destination = destination;
	run.source_bytes = run.destination_bytes = bytes;
	run.buffers = buffers;
	run.buffer_count = COUNT(buffers);
	run.sizes = sizes;
	run.size_count = COUNT(sizes);
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s: %s", text, layout_context_message(ctx));
	result->loaded = !host_program_of(ctx, kernel)->jit;
	memcpy(result->bytes, destination, bytes);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	free(source);
	free(destination);
	layout_kernel_free(kernel);
	assert_true(layout_context_free(ctx));
}

/* Is it loaded?  What it does is the same. */
static bool runs_loaded(const char *text)
{
	static struct result wanted, now;
	static const char *last;

	if (last != text) {
		setenv("LAYOUT_CACHE", "off", 1);
		run_text(text, &wanted);
		assert_false(wanted.loaded);
		unsetenv("LAYOUT_CACHE");
		last = text;
	}
	run_text(text, &now);
	assert_memory_equal(now.bytes, wanted.bytes, sizeof(now.bytes));
	return now.loaded;
}

/* Constants, jumps, calls of the C library and of the mathematical one, parts. */
static const char *const texts[] = {
	TURN,
	"remap(row_major[M, K] -> row_major[M, K], type = f32)",
	"remap(row_major[M, K] -> col_major[M, K], type = i8)",
	"remap(row_major[M, K] -> col_major[M, K], type = i4)",
	"remap(row_major[M, K] -> row_major[M, K], type = f32 -> f8E4M3FN)",
	"remap(row_major[M, K] -> col_major[M, K], type = f64 -> f16)",
	"remap(row_major[M, K] -> packed(encoding_info<{innerDimsPos = [1, 0], innerTileSizes = "
		"[16, 64], outerDimsPerm = [0, 1]}>, [M, K]), type = f32, pad = 1.0)",
	"remap(strided[M, K : 1, 80] -> row_major[M, K], type = u16)",
	"program exps(X: in row_major[M, K] f32, Y: out row_major[M, K] f32) {\n"
		"grid (m) in (M) workers w in 1 assume K <= 64\n"
		"x = load X[m, 0] : [1, 64] y = map exp(x) + tanh(x) + erf(x) + log(1 + x * x)\n"
		"store y -> Y[m, 0] }",
};

static void what_is_loaded_does_the_same(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(texts); i++) {
		assert_false(runs_loaded(texts[i]));
		if (entries() != i + 1)
			fail_msg("not kept: %s", texts[i]);
		if (!runs_loaded(texts[i]))
			fail_msg("not loaded: %s", texts[i]);
	}
}

static void options_are_told_apart(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx, TURN);
	layout_compile_options options = LAYOUT_COMPILE_OPTIONS_INIT;
	layout_compiled *compiled;

	(void)state;
	assert_false(runs_loaded(TURN));
	for (unsigned i = 0; i < 2; i++) {
		options.cpu = i ? "x86-64" : NULL;
		compiled = layout_remap_compile(remap, &options);
		assert_non_null(compiled);
		assert_int_equal(entries(), i + 2);
		layout_compiled_free(compiled);
	}
	layout_remap_free(remap);
	layout_context_free(ctx);
}

/* A handle has its code when its context has gone, and in a context of its own. */
static void handles_are_loaded(void **state)
{
	static float source[ROWS * COLUMNS], destination[ROWS * COLUMNS];
	const int64_t sizes[] = { ROWS, COLUMNS };

	(void)state;
	fill(source, sizeof(source));
	for (int i = 0; i < 2; i++) {
		layout_context *ctx = layout_context_new();
		layout_remap *remap = layout_remap_parse(ctx, TURN);
		layout_compiled *compiled = layout_remap_compile(remap, NULL);

		layout_remap_free(remap);
		layout_context_free(ctx);
		memset(destination, 0, sizeof(destination));
		assert_int_equal(layout_compiled_run(compiled, destination,
			sizeof(destination), source, sizeof(source), sizes),
			LAYOUT_RUN_DONE);
		assert_true(destination[1] == source[COLUMNS]);
		assert_true(destination[2 * ROWS + 3] == source[3 * COLUMNS + 2]);
		layout_compiled_free(compiled);
	}
	assert_int_equal(entries(), 1);
}

/* What is done to the folder, in a shell, and whether the kernel is kept there again. */
static const struct damage {
	const char *command;
	bool remade;
} damages[] = {
	{ "rm " ENTRY, true },
	{ ": > " ENTRY, true },
	{ "truncate -s 7 " ENTRY, true },
	{ "truncate -s 40 " ENTRY, true },
	{ "truncate -s -1 " ENTRY, true },
	{ "printf x >> " ENTRY, true },
	{ "printf 'layout code 0' | dd conv=notrunc status=none of=" ENTRY, true },
	{ "f=" ENTRY "; head -c 5000 /dev/zero > $f", true },
	{ "cp /bin/true " ENTRY, true },
	{ "chmod 620 " ENTRY, true },
	{ "chmod 602 " ENTRY, true },
	{ "f=" ENTRY "; mv $f $f.away; ln -s $f.away $f", true },
	{ "f=" ENTRY "; rm $f; mkdir $f", false },
	{ "f=" ENTRY "; rm $f; mkfifo -m 600 $f", true },
	{ "chmod 770 \"$XDG_CACHE_HOME\"/layout", false },
	{ "chmod 707 \"$XDG_CACHE_HOME\"/layout", false },
	{ "cd \"$XDG_CACHE_HOME\"; mv layout away; ln -s away layout", false },
	{ "cd \"$XDG_CACHE_HOME\"; mv layout away; : > layout", false },
};

static void damaged_entries_are_made_again(void **state)
{
	for (unsigned i = 0; i < COUNT(damages); i++) {
		empty_folder(state);
		assert_false(runs_loaded(TURN));
		assert_true(runs_loaded(TURN));
		free(shell_must("%s", damages[i].command));
		if (runs_loaded(TURN))
			fail_msg("loaded after: %s", damages[i].command);
		if (runs_loaded(TURN) != damages[i].remade)
			fail_msg("%s again after: %s", damages[i].remade ? "not kept" : "kept",
				damages[i].command);
	}
}

/* The entry of another user, which only root can make. */
static void entries_of_others_are_ignored(void **state)
{
	(void)state;
	if (geteuid())
		skip_because("the entry of another user takes root to make");
	assert_false(runs_loaded(TURN));
	free(shell_must("chown 12345 " ENTRY));
	assert_false(runs_loaded(TURN));
	assert_true(runs_loaded(TURN));
	free(shell_must("chown 12345 \"$XDG_CACHE_HOME\"/layout"));
	assert_false(runs_loaded(TURN));
}

/* The only entry's path. */
static char *entry_path(void)
{
	char *path = shell_must("printf %%s " ENTRY);

	assert_non_null(path);
	return path;
}

/* Everywhere in the file, one bit. */
static void no_bit_can_change(void **state)
{
	static char bytes[1 << 16];
	size_t length, key_length = 0;
	char *path, *key, *found;
	FILE *file;

	(void)state;
	assert_false(runs_loaded(TURN));
	path = entry_path();
	file = fopen(path, "r+");
	assert_non_null(file);
	length = fread(bytes, 1, sizeof(bytes), file);
	assert_in_range(length, 1000, sizeof(bytes) - 1);
	key = bytes + 40;
	found = disk_read(key, &key_length);
	assert_non_null(found);
	free(found);
	for (size_t at = 0; at < length; at += at < 64 ? 1 : 61) {
		for (int change = 0; change < 2; change++) {
			fseek(file, (long)at, SEEK_SET);
			fputc(bytes[at] ^ (change ? 0 : 1 << at % 8), file);
			fflush(file);
			found = disk_read(key, &key_length);
			if (!found != !change)
				fail_msg("byte %zu", at);
			free(found);
		}
	}
	fclose(file);
	free(path);
}

static void there_may_be_no_folder(void **state)
{
	static const char *const places[] = { "/proc/layout-test", "/dev/null/x", "relative" };
	char *home = strdup(getenv("HOME") ? getenv("HOME") : "/");

	(void)state;
	for (unsigned i = 0; i < COUNT(places); i++) {
		setenv("XDG_CACHE_HOME", places[i], 1);
		setenv("HOME", "/proc/layout-test", 1);
		assert_false(runs_loaded(TURN));
		assert_false(runs_loaded(TURN));
	}
	setenv("XDG_CACHE_HOME", folder, 1);
	setenv("HOME", home, 1);
	free(home);
}

static void off_is_off(void **state)
{
	struct result *result = malloc(sizeof(*result));

	(void)state;
	assert_false(runs_loaded(TURN));
	setenv("LAYOUT_CACHE", "off", 1);
	run_text(TURN, result);
	assert_false(result->loaded);
	run_text(texts[1], result);
	unsetenv("LAYOUT_CACHE");
	assert_int_equal(entries(), 1);
	free(result);
}

/* Each process finds all or nothing. */
static void processes_do_not_disturb_each_other(void **state)
{
	enum { PROCESSES = 4 };
	int status;

	(void)state;
	for (int i = 0; i < PROCESSES; i++)
		if (!fork()) {
			for (unsigned k = 0; k < 3; k++)
				runs_loaded(texts[k]);
			_exit(0);
		}
	for (int i = 0; i < PROCESSES; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(entries(), 3);
	for (unsigned k = 0; k < 3; k++)
		assert_true(runs_loaded(texts[k]));
}

/* The first ones make room, but for what was asked for since. */
static void it_does_not_grow_for_ever(void **state)
{
	const size_t length = DISK_MOST_BYTES / 9;
	char *bytes = calloc(length, 1), key[2] = "a", *found;
	uint64_t count, all;
	size_t got;

	(void)state;
	assert_non_null(bytes);
	for (int i = 0; i < 10; i++, key[0]++) {
		disk_write(key, bytes, length);
		layout_cache_measure(&count, &all);
		assert_true(all <= DISK_MOST_BYTES);
	}
	assert_in_range(count, 6, 8);
	found = disk_read("j", &got);
	assert_non_null(found);
	assert_int_equal(got, length);
	free(found);
	assert_null(disk_read("a", &got));
	free(bytes);
}

static void the_command_shows_and_clears_it(void **state)
{
	char *text, *wanted = NULL;

	(void)state;
	assert_false(runs_loaded(TURN));
	free(shell_must("touch \"$XDG_CACHE_HOME\"/layout/foreign"));
	text = shell_must("%s cache", LAYOUTC_PATH);
	assert_true(asprintf(&wanted, "folder %s/layout\nentries 1\nbytes ", folder) > 0);
	assert_memory_equal(text, wanted, strlen(wanted));
	free(wanted);
	free(text);
	text = shell_must("%s cache clear", LAYOUTC_PATH);
	assert_non_null(strstr(text, "entries 0\nbytes 0\n"));
	free(text);
	free(shell_must("test -e \"$XDG_CACHE_HOME\"/layout/foreign"));
	text = shell_must("LAYOUT_CACHE=off %s cache", LAYOUTC_PATH);
	assert_string_equal(text, "folder none\nentries 0\nbytes 0\n");
	free(text);
	free(shell_must("! %s cache other 2> /dev/null", LAYOUTC_PATH));
}

/* The dynamic loader names every file it opens. */
static bool loads_llvm(const char *command)
{
	char *files = shell_must("cd '%s'; LD_DEBUG=files %s %s 2>&1", folder, LAYOUTC_PATH,
		command);
	bool loads = strstr(files, "libLLVM");

	assert_non_null(strstr(files, "liblayout-codegen.so"));
	free(files);
	return loads;
}

/* LLVM is loaded by what needs it, and kernels that were kept do not. */
static void a_second_process_loads_no_llvm(void **state)
{
	static const char run[] = "run '" TURN "' --input a.npy -o b.npy";

	(void)state;
	free(shell_must("cd '%s'; { printf '\\223NUMPY\\001\\000\\166\\000%%-117s\\n' "
		"\"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }\"; "
		"head -c 60 /dev/urandom; } > a.npy", folder));
	assert_true(loads_llvm(run));
	free(shell_must("cd '%s'; mv b.npy wanted.npy", folder));
	assert_false(loads_llvm(run));
	free(shell_must("cd '%s'; cmp b.npy wanted.npy", folder));
	assert_false(loads_llvm("kernel '" TURN "' --target host --emit isl"));
	assert_false(loads_llvm("kernel '" TURN "' --target gfx942"));
	assert_true(loads_llvm("kernel '" TURN "' --target gfx942 --emit asm"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(what_is_loaded_does_the_same, empty_folder),
		cmocka_unit_test_setup(options_are_told_apart, empty_folder),
		cmocka_unit_test_setup(handles_are_loaded, empty_folder),
		cmocka_unit_test_setup(damaged_entries_are_made_again, empty_folder),
		cmocka_unit_test_setup(entries_of_others_are_ignored, empty_folder),
		cmocka_unit_test_setup(no_bit_can_change, empty_folder),
		cmocka_unit_test_setup(there_may_be_no_folder, empty_folder),
		cmocka_unit_test_setup(off_is_off, empty_folder),
		cmocka_unit_test_setup(processes_do_not_disturb_each_other, empty_folder),
		cmocka_unit_test_setup(it_does_not_grow_for_ever, empty_folder),
		cmocka_unit_test_setup(a_second_process_loads_no_llvm, empty_folder),
		cmocka_unit_test_setup(the_command_shows_and_clears_it, empty_folder),
	};

	return skip_status(cmocka_run_group_tests(tests, make_folder, folder_close));
}
