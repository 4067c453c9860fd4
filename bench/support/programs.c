/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/programs.h"

#include "timing.h"

#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNS 11

extern char **environ;

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

bool programs_time(const char *const *first, double *first_ms,
	const char *const *second, double *second_ms)
{
	double taken[2][RUNS];

	for (int i = -1; i < RUNS; i++) {
		double one = time_once(first), other = second ? time_once(second) : 0;

		if (one < 0 || other < 0)
			return false;
		if (i < 0)
			continue;
		taken[0][i] = one;
		taken[1][i] = other;
	}
	*first_ms = median(taken[0], RUNS);
	*second_ms = median(taken[1], RUNS);
	return true;
}

bool program_on_path(const char *program)
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
