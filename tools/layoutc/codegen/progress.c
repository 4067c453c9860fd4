/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/codegen/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define LEAST_BYTES ((size_t)64 << 20)
#define SECONDS_APART 0.1
#define ERASE_LINE "\033[K"

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

bool progress_begin(struct progress *progress, const struct arguments *arguments,
	size_t bytes)
{
	*progress = (struct progress){ .bytes = bytes, .start = now() };
	return bytes >= LEAST_BYTES && !argument_given(arguments, OPTION_QUIET) &&
		isatty(STDERR_FILENO);
}

/* "37 %, 5.2 GB/s, 12 s left" */
void progress_show(void *user, double done)
{
	struct progress *progress = user;
	double time = now(), taken = time - progress->start;

	if (done < 1 && progress->is_shown && time - progress->shown < SECONDS_APART)
		return;
	progress->is_shown = true;
	progress->shown = time;
	fprintf(stderr, ERASE_LINE "%.0f %%, %.1f GB/s", done * 100,
		done * (double)progress->bytes / (taken + 1e-9) * 1e-9);
	if (done < 1)
		fprintf(stderr, ", %.0f s left", taken / (done + 1e-9) * (1 - done));
	else
		fprintf(stderr, ", writing");
	fputc('\r', stderr);
	fflush(stderr);
}

void progress_end(struct progress *progress)
{
	if (progress->is_shown)
		fputs(ERASE_LINE, stderr);
	fflush(stderr);
}
