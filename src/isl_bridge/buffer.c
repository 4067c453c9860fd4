/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct layout_buffer *buffer, size_t more)
{
	size_t capacity = buffer->capacity ? buffer->capacity : 64;
	char *text;

	if (buffer->failed)
		return false;
	if (buffer->capacity - buffer->length > more)
		return true;
	while (capacity - buffer->length <= more)
		capacity *= 2;
	text = realloc(buffer->text, capacity);
	if (!text) {
		buffer->failed = true;
		return false;
	}
	buffer->text = text;
	buffer->capacity = capacity;
	return true;
}

void layout_buffer_append(struct layout_buffer *buffer, const char *text, size_t length)
{
	if (!reserve(buffer, length))
		return;
	memcpy(buffer->text + buffer->length, text, length);
	buffer->length += length;
	buffer->text[buffer->length] = '\0';
}

void layout_buffer_printf(struct layout_buffer *buffer, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0 || !reserve(buffer, (size_t)length)) {
		buffer->failed = true;
		return;
	}
	va_start(args, format);
	vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, args);
	va_end(args);
	buffer->length += (size_t)length;
}

char *layout_buffer_take(layout_context *ctx, struct layout_buffer *buffer)
{
	char *text;

	layout_buffer_append(buffer, "", 0);
	text = buffer->text;
	if (buffer->failed) {
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
		free(text);
		text = NULL;
	}
	*buffer = (struct layout_buffer){ 0 };
	return text;
}
