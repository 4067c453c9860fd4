/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The values of a body by their names. */
#include "text/body/body.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RESULTS 2048
#define NAME_SIZE 80

static bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || strchr("_.$-", c);
}

bool body_at_use(const struct text_cursor *cursor, struct body_use *use)
{
	size_t at = cursor->token.begin + 1;

	*use = (struct body_use){ .position = text_position(cursor) };
	if (!text_at(cursor, "%"))
		return false;
	use->name = cursor->text + at;
	while (at < cursor->length && is_name_byte(cursor->text[at]))
		at++;
	use->length = (size_t)(cursor->text + at - use->name);
	return true;
}

bool body_read_use(struct body_text *text, struct body_use *use)
{
	struct text_cursor *cursor = text->cursor;
	size_t at;
	int64_t result = 0;

	if (!body_at_use(cursor, use))
		return text_expected(cursor, "a value, `%..`");
	at = cursor->token.begin + 1 + use->length;
	text_seek(cursor, at);
	if (!use->length || use->length >= NAME_SIZE - 8)
		return text_expected(cursor, "the name of a value");
	if (at < cursor->length && cursor->text[at] == '#' && (!text_take(cursor, "#") ||
			!text_integer(cursor, &result)))
		return false;
	if (result >= BODY_RANK)
		return text_room(cursor, (unsigned)result, BODY_RANK);
	use->result = (unsigned)result;
	return true;
}

bool body_read_type(struct text_cursor *cursor, struct text_tensor *type)
{
	if (!text_at(cursor, "tensor") && !text_at(cursor, "memref") &&
	    !text_at(cursor, "vector"))
		return text_expected(cursor, "the type of a tensor, a memory or a vector");
	if (!text_tensor(cursor, type))
		return false;
	while (text_skip(cursor, ","))
		text_skip_value(cursor);
	return text_take(cursor, ">");
}

static struct body_result *find(struct body_text *text, const struct body_use *use)
{
	for (unsigned i = 0; i < text->count; i++)
		if (text->results[i].length == use->length &&
		    !memcmp(text->results[i].name, use->name, use->length))
			return &text->results[i];
	return NULL;
}

static struct body_result *add(struct body_text *text, const struct body_use *use)
{
	struct body_result *more;
	unsigned room = text->room ? 2 * text->room : 16;

	if (!text_room(text->cursor, text->count, MOST_RESULTS))
		return NULL;
	if (text->count == text->room) {
		more = layout_alloc(text->cursor->ctx, room, sizeof(*more));
		if (!more)
			return NULL;
		if (text->count)
			memcpy(more, text->results, text->count * sizeof(*more));
		free(text->results);
		text->results = more;
		text->room = room;
	}
	text->results[text->count] = (struct body_result){ .name = use->name,
		.length = use->length };
	return &text->results[text->count++];
}

struct body_result *body_result(struct body_text *text, const struct body_use *use)
{
	struct body_result *result = find(text, use);

	return result ? result : add(text, use);
}

struct body_result *body_new_result(struct body_text *text, const struct body_use *use)
{
	if (!find(text, use))
		return add(text, use);
	layout_fail(text->cursor->ctx, LAYOUT_ERROR_PARSE, use->position,
		"%%%.*s is given twice", (int)use->length, use->name);
	return NULL;
}

/* "c128", "c-1", "c128_0": what MLIR calls a constant. */
static bool constant_of(const struct body_use *use, int64_t *number)
{
	char text[NAME_SIZE];
	char *end;

	snprintf(text, sizeof(text), "%.*s", (int)use->length, use->name);
	if (text[0] != 'c' || (text[1] != '-' && !isdigit((unsigned char)text[1])) ||
	    use->length > 18)
		return false;
	*number = strtoll(text + 1, &end, 10);
	return !*end || (*end == '_' && end[1] && !end[1 + strspn(end + 1, "0123456789")]);
}

/* "true", "false_2" */
static bool truth_of(const struct body_use *use, bool *truth)
{
	size_t word = strncmp(use->name, "true", 4) == 0 ? 4 :
		strncmp(use->name, "false", 5) == 0 ? 5 : 0;

	*truth = word == 4;
	return word && use->length >= word && (use->length == word || use->name[word] == '_');
}

static bool is_taken(const struct body_text *text, const char *name)
{
	for (unsigned i = 0; i < text->name_count; i++)
		if (!strcmp(text->names[i], name))
			return true;
	return false;
}

/* The value's own name, else "v12", "v12_3"; and "_" behind it where
 * there is one like it. */
struct body_value *body_named(struct body_text *text, const struct body_use *use)
{
	bool plain = layout_is_plain_name(use->name, use->length) && !use->result;
	struct layout_buffer out = { 0 };
	char *name;

	if (!text_room(text->cursor, text->name_count, BODY_NAMES))
		return NULL;
	layout_buffer_printf(&out, "%s%.*s", plain ? "" : "v", (int)use->length, use->name);
	if (use->result)
		layout_buffer_printf(&out, "_%u", use->result);
	for (size_t i = 0; i < out.length && !plain; i++)
		if (!isalnum((unsigned char)out.text[i]))
			out.text[i] = '_';
	while (out.text && is_taken(text, out.text))
		layout_buffer_printf(&out, "_");
	name = layout_buffer_take(text->cursor->ctx, &out);
	if (!name)
		return NULL;
	text->names[text->name_count++] = name;
	return body_name(text->body, name);
}

/* What a value is that no operation gave. */
static struct body_value *assume(struct body_text *text, const struct body_use *use,
	bool truth)
{
	int64_t number;
	bool holds;

	if (truth && truth_of(use, &holds))
		return body_truth(text->body, holds);
	if (!truth)
		return constant_of(use, &number) ? body_number(text->body, number) :
			body_named(text, use);
	layout_fail(text->cursor->ctx, LAYOUT_ERROR_PARSE, use->position,
		"nothing says what the condition %%%.*s is", (int)use->length, use->name);
	return NULL;
}

static const struct body_value *wrong(struct body_text *text, const struct body_use *use,
	const char *why)
{
	layout_fail(text->cursor->ctx, LAYOUT_ERROR_PARSE, use->position,
		"%%%.*s is %s", (int)use->length, use->name, why);
	return NULL;
}

const struct body_value *body_find(struct body_text *text, const struct body_use *use,
	bool truth)
{
	struct body_result *result = body_result(text, use);

	if (!result)
		return NULL;
	if (result->digits.count && !result->values[0])
		return wrong(text, use, "not affine: it multiplies by sizes that are no numbers");
	if (result->is_opaque)
		return wrong(text, use, "no index and no condition");
	if (result->count && use->result >= result->count)
		return wrong(text, use, "not that many values");
	if (!result->values[use->result])
		result->values[use->result] = assume(text, use, truth);
	if (!result->values[use->result])
		return NULL;
	if (body_is_truth(result->values[use->result]) != truth)
		return wrong(text, use, truth ? "an index, and no condition" :
			"a condition, and no index");
	return result->values[use->result];
}

const struct body_value *body_read_value(struct body_text *text, bool truth)
{
	struct body_use use;

	return body_read_use(text, &use) ? body_find(text, &use, truth) : NULL;
}

void body_free_values(struct body_value *values[BODY_RANK])
{
	for (unsigned i = 0; i < BODY_RANK; i++)
		body_value_free(values[i]);
}

void body_text_free(struct body_text *text)
{
	for (unsigned i = 0; i < text->count; i++) {
		body_free_values(text->results[i].values);
		body_free_values(text->results[i].sizes);
		body_free_values(text->results[i].digits.indices);
		body_free_values(text->results[i].digits.sizes);
	}
	for (unsigned i = 0; i < text->name_count; i++)
		free(text->names[i]);
	free(text->results);
	body_free(text->body);
}
