/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/definitions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void definitions_release(struct definitions *definitions)
{
	free(definitions->text);
	*definitions = (struct definitions){ 0 };
}

bool is_definition(const char *line)
{
	line += strspn(line, " \t");
	if (!strncmp(line, "let", 3) && isspace((unsigned char)line[3]))
		return true;
	if (*line++ != '#' || !isalpha((unsigned char)*line))
		return false;
	while (isalnum((unsigned char)*line) || (*line && strchr("_.$", *line)))
		line++;
	return line[strspn(line, " \t")] == '=';
}

bool definitions_name(const struct definitions *definitions, unsigned i, char *name,
	size_t size)
{
	const char *line = definitions->text;

	for (; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *begin = line + strspn(line, " \t");

		if (!is_definition(line) || i--)
			continue;
		if (*begin != '#')
			begin += 3 + strspn(begin + 3, " \t");
		snprintf(name, size, "%.*s", (int)strcspn(begin, " \t="), begin);
		return true;
	}
	return false;
}

char *definitions_before(const struct definitions *definitions, const char *line)
{
	char *text;

	if (asprintf(&text, "%s%s", definitions->text ? definitions->text : "", line) < 0)
		return NULL;
	return text;
}

bool definitions_keep(struct definitions *definitions, const char *line)
{
	char *text;

	if (asprintf(&text, "%s%s\n", definitions->text ? definitions->text : "", line) < 0)
		return false;
	free(definitions->text);
	definitions->text = text;
	definitions->length = strlen(text);
	return true;
}
