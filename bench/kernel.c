/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How long "layoutc kernel" takes from text to a gfx942 code object, beside clang
 * 22 on a hand-written kernel for the same case.  At most twice as long. */
#include "timing.h"

#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNS 11
#define LIMIT_RATIO 2.0

extern char **environ;

static const char remap[] =
	"remap(row_major[M, K] -> packed(encoding_info<{innerDimsPos = [0, 1], "
	"innerTileSizes = [128, 16], outerDimsPerm = [0, 1], swizzle = {expandShape = "
	"[[[\"CrossThread\", 4 : i16], [\"CrossIntrinsic\", 8 : i16], "
	"[\"CrossThread\", 4 : i16]], [[\"CrossIntrinsic\", 4 : i16], "
	"[\"CrossThread\", 4 : i16]]], permutation = [1, 4, 0, 2, 3]}}>, [M, K]), "
	"type = f32, pad = 0.0)";

/* Milliseconds from the start of a program to its end; negative if it fails. */
static double time_once(const char *const *words)
{
	double start = now_ms();
	int status;
	pid_t child;

	if (posix_spawnp(&child, words[0], NULL, NULL, (char *const *)words, environ))
		return -1;
	if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
		return -1;
	return now_ms() - start;
}

/* The median of several runs, the first one not counted. */
static double time_program(const char *const *words)
{
	double taken[RUNS];

	for (int i = -1; i < RUNS; i++) {
		double once = time_once(words);

		if (once < 0)
			return once;
		if (i >= 0)
			taken[i] = once;
	}
	return median(taken, RUNS);
}

static bool on_path(const char *program)
{
	char *path = strdup(getenv("PATH") ? getenv("PATH") : ""), *rest = path, *folder;
	bool found = false;

	while (path && !found && (folder = strsep(&rest, ":"))) {
		char name[4096];

		snprintf(name, sizeof(name), "%s/%s", folder, program);
		found = !access(name, X_OK);
	}
	free(path);
	return found;
}

int main(void)
{
	char ours_out[] = "/tmp/bench_ours.XXXXXX", peer_out[] = "/tmp/bench_peer.XXXXXX";
	const char *ours[] = { LAYOUTC_PATH, "kernel", remap, "--target", "gfx942",
		"--emit", "hsaco", "-o", ours_out, NULL };
	const char *peer[] = { "clang-22", "-x", "c", "--target=amdgcn-amd-amdhsa",
		"-mcpu=gfx942", "-nogpulib", "-O3",
		SOURCE_DIR "/bench/peers/pack_lhs_f32.c", "-o", peer_out, NULL };
	bool has_peer = on_path(peer[0]);
	double our_ms, peer_ms = 0;
	int files[] = { mkstemp(ours_out), mkstemp(peer_out) };

	if (files[0] < 0 || files[1] < 0)
		return 1;
	our_ms = time_program(ours);
	if (has_peer)
		peer_ms = time_program(peer);
	close(files[0]);
	close(files[1]);
	unlink(ours_out);
	unlink(peer_out);
	if (our_ms < 0 || peer_ms < 0) {
		fprintf(stderr, "kernel: %s failed\n",
			our_ms < 0 ? "layoutc" : "clang-22");
		return 1;
	}
	printf("layoutc kernel, text to gfx942 hsaco  %8.1f ms\n", our_ms);
	if (!has_peer) {
		puts("clang-22 missing: nothing to compare with");
		return 0;
	}
	printf("clang-22, a hand-written kernel       %8.1f ms\n", peer_ms);
	printf("ratio                                 %8.2f, limit %.1f: %s\n",
		our_ms / peer_ms, LIMIT_RATIO, our_ms <= LIMIT_RATIO * peer_ms ?
		"met" : "missed");
	return our_ms <= LIMIT_RATIO * peer_ms ? 0 : 1;
}
