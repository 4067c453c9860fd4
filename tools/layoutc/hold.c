/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/hold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define MOST ((size_t)HOLD_MEGABYTES << 20)

static bool grow(struct hold *hold, size_t size)
{
	size_t capacity = hold->capacity ? hold->capacity : 4096;
	char *text;

	while (capacity < hold->length + size + 1)
		capacity *= 2;
	if (capacity == hold->capacity)
		return true;
	text = realloc(hold->text, capacity);
	hold->text = text ? text : hold->text;
	hold->capacity = text ? capacity : hold->capacity;
	return text;
}

static ssize_t take(void *cookie, const char *data, size_t size)
{
	struct hold *hold = cookie;

	hold->full = hold->full || size > MOST - hold->length;
	if (hold->full || !grow(hold, size)) {
		errno = hold->full ? EFBIG : ENOMEM;
		return 0;
	}
	memcpy(hold->text + hold->length, data, size);
	hold->length += size;
	hold->text[hold->length] = 0;
	return (ssize_t)size;
}

/* The text is one before anything is written, too: a stream that nothing comes to is never
 * taken from. */
FILE *hold_open(struct hold *hold)
{
	*hold = (struct hold){ 0 };
	if (!grow(hold, 0))
		return NULL;
	*hold->text = 0;
	return fopencookie(hold, "w", (cookie_io_functions_t){ .write = take });
}
