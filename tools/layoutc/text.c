/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/text.h"

#include "files/open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* All of the stream, as a string. */
static bool read_stream(struct text *text, FILE *file, struct complaint *complaint)
{
	size_t capacity = 0;
	ssize_t length;

	errno = 0;
	length = getdelim(&text->content, &capacity, 0, file);
	if (ferror(file))
		return complain(complaint, WRONG_IO, "cannot read: %s", strerror(errno));
	if (length > 0 && !text->content[length - 1])
		return complain(complaint, WRONG_CONTENT, "not text: it has a 0 byte");
	if (length < 0) {
		free(text->content);
		text->content = calloc(1, 1);
	}
	return text->content || complain(complaint, WRONG_MEMORY, "no memory");
}

bool text_from(struct text *text, const char *operand, bool or_file,
	struct complaint *complaint)
{
	bool is_stdin = !strcmp(operand, "-"), is_file = *operand == '@', good;
	struct stat status;
	FILE *file = stdin;

	operand += is_file;
	*text = (struct text){ .file = operand };
	if (!is_stdin && !is_file && !(or_file && !stat(operand, &status))) {
		text->file = NULL;
		text->content = strdup(operand);
		return text->content || complain(complaint, WRONG_MEMORY, "no memory");
	}
	if (!is_stdin) {
		int opened = open_to_read(operand, complaint);

		if (opened < 0)
			return false;
		file = fdopen(opened, "r");
	}
	if (!file)
		return complain(complaint, WRONG_IO, "cannot read: %s", strerror(errno));
	good = read_stream(text, file, complaint);
	if (!is_stdin)
		fclose(file);
	return good;
}

void text_release(struct text *text)
{
	free(text->content);
	text->content = NULL;
}
