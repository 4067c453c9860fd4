/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "files/npy_header.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE '<'
#else
#define NATIVE '>'
#endif

#define MAGIC "\x93NUMPY"
#define MAGIC_BYTES 6

/* The dict's text while it is being read. */
struct cursor {
	const char *start, *at, *end;
	struct complaint *complaint;
};

static bool refuse(struct cursor *cursor, const char *expected)
{
	return complain(cursor->complaint, WRONG_CONTENT, "header, byte %td: expected %s",
		cursor->at - cursor->start, expected);
}

static void skip_space(struct cursor *cursor)
{
	while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) && *cursor->at)
		cursor->at++;
}

static bool accept(struct cursor *cursor, char c)
{
	skip_space(cursor);
	if (cursor->at == cursor->end || *cursor->at != c)
		return false;
	cursor->at++;
	return true;
}

/* A quoted string without escapes, copied into "text". */
static bool read_string(struct cursor *cursor, char *text, size_t size)
{
	const char *close;
	char quote;

	skip_space(cursor);
	if (cursor->at == cursor->end || (*cursor->at != '\'' && *cursor->at != '"'))
		return refuse(cursor, "a string");
	quote = *cursor->at;
	close = memchr(cursor->at + 1, quote, cursor->end - cursor->at - 1);
	if (!close || (size_t)(close - cursor->at) > size ||
	    memchr(cursor->at, 0, close - cursor->at))
		return refuse(cursor, "a short string");
	memcpy(text, cursor->at + 1, close - cursor->at - 1);
	text[close - cursor->at - 1] = 0;
	cursor->at = close + 1;
	return true;
}

static bool read_bool(struct cursor *cursor, bool *value)
{
	skip_space(cursor);
	*value = cursor->end - cursor->at >= 4 && !memcmp(cursor->at, "True", 4);
	if (*value) {
		cursor->at += 4;
		return true;
	}
	if (cursor->end - cursor->at < 5 || memcmp(cursor->at, "False", 5))
		return refuse(cursor, "True or False");
	cursor->at += 5;
	return true;
}

static bool read_size(struct cursor *cursor, int64_t *value)
{
	skip_space(cursor);
	if (cursor->at == cursor->end || !isdigit((unsigned char)*cursor->at))
		return refuse(cursor, "a size");
	for (*value = 0; cursor->at < cursor->end && isdigit((unsigned char)*cursor->at);
		cursor->at++)
		if (__builtin_mul_overflow(*value, 10, value) ||
			__builtin_add_overflow(*value, *cursor->at - '0', value))
			return refuse(cursor, "a size below 2^63");
	if (cursor->at < cursor->end && *cursor->at == 'L')	/* Python 2 */
		cursor->at++;
	return true;
}

/* "()", "(3,)", "(3, 4)", "(3, 4,)". */
static bool read_shape(struct cursor *cursor, struct npy *array)
{
	bool comma = true;

	if (!accept(cursor, '('))
		return refuse(cursor, "'('");
	for (array->rank = 0; !accept(cursor, ')'); comma = accept(cursor, ',')) {
		if (!comma)
			return refuse(cursor, "',' or ')'");
		if (array->rank == NPY_MAX_RANK)
			return refuse(cursor, "at most 64 dimensions");
		if (!read_size(cursor, &array->shape[array->rank++]))
			return false;
	}
	if (array->rank == 1 && !comma)
		return refuse(cursor, "',' after the only size");
	return true;
}

static bool is_element_bytes(long bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static bool read_type(struct cursor *cursor, struct npy *array, bool *foreign)
{
	char text[64], *end, order;
	long bytes;

	skip_space(cursor);
	if (cursor->at < cursor->end && *cursor->at == '[')
		return refuse(cursor, "a plain element type, not a record");
	if (!read_string(cursor, text, sizeof(text)))
		return false;
	order = text[0];
	if (!order || !strchr("<>|=", order) || !text[1] || !strchr("biufV", text[1]) ||
		!isdigit((unsigned char)text[2]))
		goto unknown;
	bytes = strtol(text + 2, &end, 10);
	if (*end || !is_element_bytes(bytes) || (text[1] == 'b' && bytes != 1) ||
		(order == '|' && bytes > 1 && text[1] != 'V'))
		goto unknown;
	array->kind = text[1];
	array->element_bytes = bytes;
	*foreign = bytes > 1 && (order == '<' || order == '>') && order != NATIVE;
	return true;
unknown:
	return complain(cursor->complaint, WRONG_CONTENT,
		"elements of type '%s' cannot be read", text);
}

enum key { KEY_TYPE, KEY_ORDER, KEY_SHAPE, KEYS };

static bool read_entry(struct cursor *cursor, struct npy *array, bool *foreign,
	bool seen[KEYS])
{
	static const char *const names[KEYS] = { "descr", "fortran_order", "shape" };
	char name[32];
	int key = 0;

	if (!read_string(cursor, name, sizeof(name)))
		return false;
	while (key < KEYS && strcmp(name, names[key]))
		key++;
	if (key == KEYS || seen[key])
		return refuse(cursor, "descr, fortran_order and shape, once each");
	seen[key] = true;
	if (!accept(cursor, ':'))
		return refuse(cursor, "':'");
	switch ((enum key)key) {
	case KEY_TYPE:
		return read_type(cursor, array, foreign);
	case KEY_ORDER:
		return read_bool(cursor, &array->fortran);
	default:
		return read_shape(cursor, array);
	}
}

static bool read_dict(struct cursor *cursor, struct npy *array, bool *foreign)
{
	bool seen[KEYS] = { false }, comma = true;

	if (!accept(cursor, '{'))
		return refuse(cursor, "'{'");
	for (; !accept(cursor, '}'); comma = accept(cursor, ',')) {
		if (!comma)
			return refuse(cursor, "',' or '}'");
		if (!read_entry(cursor, array, foreign, seen))
			return false;
	}
	skip_space(cursor);
	if (cursor->at != cursor->end)
		return refuse(cursor, "nothing after the dict");
	if (!seen[KEY_TYPE] || !seen[KEY_ORDER] || !seen[KEY_SHAPE])
		return refuse(cursor, "descr, fortran_order and shape");
	return true;
}

bool npy_header_read(struct npy *array, const unsigned char *file, size_t size,
	size_t *start, bool *foreign, struct complaint *complaint)
{
	struct cursor cursor = { .complaint = complaint };
	size_t length, fixed;

	*foreign = false;
	if (size < MAGIC_BYTES || memcmp(file, MAGIC, MAGIC_BYTES))
		return complain(complaint, WRONG_CONTENT, "not a .npy file");
	if (size < MAGIC_BYTES + 4)
		return complain(complaint, WRONG_IO, "cut short in its header");
	if (file[6] < 1 || file[6] > 3 || file[7] != 0)
		return complain(complaint, WRONG_CONTENT,
			".npy version %d.%d cannot be read", file[6], file[7]);
	fixed = file[6] == 1 ? 10 : 12;
	if (size < fixed)
		return complain(complaint, WRONG_IO, "cut short in its header");
	length = file[8] | file[9] << 8;
	if (file[6] > 1)
		length |= (size_t)file[10] << 16 | (size_t)file[11] << 24;
	if (length > size - fixed)
		return complain(complaint, WRONG_IO, "cut short in its header");
	cursor.start = (const char *)file;
	cursor.at = cursor.start + fixed;
	cursor.end = cursor.at + length;
	*start = fixed + length;
	return read_dict(&cursor, array, foreign);
}

char *npy_header_write(const struct npy *array, size_t *length)
{
	char *header = NULL, type[8];
	size_t dict, fixed, padding;
	FILE *out = open_memstream(&header, length);

	if (!out)
		return NULL;
	npy_type_str(array, type);
	fprintf(out, MAGIC "%c%c%c%c%c%c", 2, 0, 0, 0, 0, 0);
	fprintf(out, "{'descr': '%s', 'fortran_order': %s, 'shape': (", type,
		array->fortran ? "True" : "False");
	for (unsigned d = 0; d < array->rank; d++)
		fprintf(out, "%s%" PRId64, d ? ", " : "", array->shape[d]);
	fprintf(out, "%s), }", array->rank == 1 ? "," : "");
	fflush(out);
	fixed = 12;
	dict = *length - fixed;
	if (dict + NPY_ALIGN < 65536)
		fixed = 10;
	padding = NPY_ALIGN - 1 - (fixed + dict) % NPY_ALIGN;
	fprintf(out, "%*s\n", (int)padding, "");
	if (fclose(out))
		goto failed;
	dict += padding + 1;
	if (fixed == 10) {
		memmove(header + 10, header + 12, dict);
		header[6] = 1;
	}
	for (size_t i = 8; i < fixed; i++)
		header[i] = (char)(dict >> (i - 8) * 8);
	*length = fixed + dict;
	return header;
failed:
	free(header);
	return NULL;
}
