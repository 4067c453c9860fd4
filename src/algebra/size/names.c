/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/size/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool add_name(layout_context *ctx, struct size_names *names, const char *name,
	size_t length)
{
	char **grown;

	for (unsigned i = 0; i < names->count; i++)
		if (strlen(names->names[i]) == length &&
		    strncmp(names->names[i], name, length) == 0)
			return true;
	if (!layout_is_plain_name(name, length)) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "a size cannot be named %.*s",
			(int)length, name);
		return false;
	}
	grown = realloc(names->names, (names->count + 1) * sizeof(*grown));
	if (grown)
		names->names = grown;
	if (!grown || !(grown[names->count] = strndup(name, length))) {
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
		return false;
	}
	names->count++;
	return true;
}

/* The digits at "at" are a number that fits 64 bits. */
static bool check_number(layout_context *ctx, const char *at, size_t *length)
{
	char *end;

	errno = 0;
	(void)strtoll(at, &end, 10);
	*length = (size_t)(end - at);
	if (errno)
		layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1, "%.*s does not fit 64 bits",
			(int)*length, at);
	return !errno;
}

/* A word that "length" characters of the text are: a name, or an operation's. */
static bool scan_word(layout_context *ctx, struct size_names *names, const char *word,
	size_t length)
{
	static const char *const words[] = { "floor", "ceil", "mod", "floordiv", "ceildiv" };

	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == length && !memcmp(words[i], word, length))
			return true;
	return add_name(ctx, names, word, length);
}

bool size_names_scan(layout_context *ctx, struct size_names *names, const char *text)
{
	const char *at = text;

	while (*at) {
		size_t length = 1;

		if (isalpha((unsigned char)*at) || *at == '_') {
			while (isalnum((unsigned char)at[length]) || at[length] == '_')
				length++;
			if (!scan_word(ctx, names, at, length))
				return false;
		} else if (isdigit((unsigned char)*at)) {
			if (!check_number(ctx, at, &length))
				return false;
		} else if (!strchr(" +-*/()", *at)) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"\"%s\" is not a size: an integer or a quasi-affine"
				" expression of names", text);
			return false;
		}
		at += length;
	}
	return true;
}

void size_names_free(struct size_names *names)
{
	for (unsigned i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
	*names = (struct size_names){ 0 };
}

void size_names_print(struct layout_buffer *out, char *const *names, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(out, "%s%s", i ? ", " : "[", names[i]);
	if (count)
		layout_buffer_printf(out, "] -> ");
}
