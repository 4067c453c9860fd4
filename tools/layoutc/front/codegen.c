/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What needs LLVM is done by layoutc-codegen, which stands beside layoutc: loading it
 * takes longer than most of the other commands do. */
#include "layoutc/arguments.h"
#include "layoutc/report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "layoutc-codegen"

/* Become that program, with the same command line: the one that the shell would find
 * where nothing says where layoutc is, for want of /proc. */
static int become(char **line)
{
	char path[PATH_MAX + sizeof(PROGRAM)];
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);

	fflush(NULL);
	if (length > 0) {
		while (path[length - 1] != '/')
			length--;
		strcpy(path + length, PROGRAM);
		execv(path, line);
	} else {
		execvp(PROGRAM, line);
	}
	return report(STATUS_IO, PROGRAM, "%s", strerror(errno));
}

int run_kernel(const struct arguments *arguments)
{
	return become(arguments->line);
}

int run_run(const struct arguments *arguments)
{
	return become(arguments->line);
}

int run_cache(const struct arguments *arguments)
{
	return become(arguments->line);
}

int print_version(char **line)
{
	return become(line);
}
