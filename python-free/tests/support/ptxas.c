/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* It tells of a function in several lines: "Compiling entry function 'NAME' for 'CHIP'", "N
 * bytes stack frame, ..", "Used N registers, N bytes smem, ..". */
#include "support/ptxas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND "'" LAYOUT_PTXAS "' -v -Werror -arch=%s '%s' -o /dev/null 2>&1"

bool ptxas_is_there(void)
{
	return *LAYOUT_PTXAS;
}

/* The number that stands before these words; 0 where they are not there. */
static unsigned number_before(const char *line, const char *words)
{
	const char *at = strstr(line, words);

	while (at && at > line && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return at ? (unsigned)strtoul(at, NULL, 10) : 0;
}

static bool is_complaint(const char *line)
{
	return strstr(line, "error") || strstr(line, "fatal") || strstr(line, "warning");
}

static int read_functions(FILE *output, struct ptxas_function *functions, char *complaint)
{
	char line[PTXAS_TEXT], name[64];
	int count = 0;

	while (fgets(line, sizeof(line), output)) {
		const char *at = strstr(line, "entry function '");
		struct ptxas_function *last = count ? &functions[count - 1] : NULL;

		if (!*complaint && is_complaint(line))
			snprintf(complaint, PTXAS_TEXT, "%s", line);
		if (at && count < PTXAS_FUNCTIONS &&
		    sscanf(at, "entry function '%63[^']'", name) == 1)
			strcpy(functions[count++].name, name);
		else if (last && strstr(line, " bytes stack frame"))
			last->stack_bytes = number_before(line, " bytes stack frame");
		else if (last && strstr(line, " registers")) {
			last->registers = number_before(line, " registers");
			last->shared_bytes = number_before(line, " bytes smem");
		}
	}
	return count;
}

int ptxas_assemble(const char *file, const char *target,
	struct ptxas_function functions[PTXAS_FUNCTIONS], char complaint[PTXAS_TEXT])
{
	char command[4096];
	FILE *output;
	int count;

	snprintf(command, sizeof(command), COMMAND, target, file);
	memset(functions, 0, PTXAS_FUNCTIONS * sizeof(*functions));
	*complaint = 0;
	output = popen(command, "r");
	if (!output)
		return -1;
	count = read_functions(output, functions, complaint);
	return pclose(output) || *complaint ? -1 : count;
}
