/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/program_data.h"
#include "support/bit_array.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ALIGN = 64 };

static void allocate(struct program_data *data, unsigned i, size_t bytes)
{
	data->buffers[i].bytes = bytes;
	data->buffers[i].base = aligned_alloc(ALIGN, (bytes + ALIGN) / ALIGN * ALIGN);
	assert_non_null(data->buffers[i].base);
	memset(data->buffers[i].base, 0xa5, bytes);
}

struct program_data program_data_new(layout_context *ctx, const char *text,
	const int64_t *sizes)
{
	struct program_data data = { .ctx = ctx,
		.program = layout_program_parse(ctx, text) };
	layout_memory *memory;

	if (!data.program)
		fail_msg("%s\nat %ld of %s", layout_context_message(ctx),
			layout_context_position(ctx), text);
	for (; layout_program_size_name(data.program, data.size_count); data.size_count++) {
		assert_true(data.size_count < DATA_SIZES);
		data.sizes[data.size_count] = (layout_size){
			layout_program_size_name(data.program, data.size_count),
			sizes[data.size_count] };
	}
	for (; (memory = layout_program_argument_at(data.program, data.count));
	     data.count++) {
		int64_t bytes = layout_storage_bytes(layout_memory_storage(memory),
			layout_memory_type(memory), data.sizes, data.size_count);

		assert_true(data.count < DATA_ARGUMENTS);
		if (bytes < 0)
			fail_msg("%s in %s", layout_context_message(ctx), text);
		data.buffers[data.count].name = layout_memory_name(memory);
		data.type[data.count] = element_type_find(ctx, layout_memory_type(memory));
		allocate(&data, data.count, (size_t)bytes);
	}
	return data;
}

struct program_data program_data_copy(const struct program_data *data)
{
	struct program_data copy = *data;

	copy.program = NULL;
	for (unsigned i = 0; i < data->count; i++) {
		allocate(&copy, i, data->buffers[i].bytes);
		memcpy(copy.buffers[i].base, data->buffers[i].base, copy.buffers[i].bytes);
	}
	return copy;
}

void program_data_free(struct program_data *data)
{
	for (unsigned i = 0; i < data->count; i++)
		free(data->buffers[i].base);
	layout_program_free(data->program);
}

unsigned program_data_find(const struct program_data *data, const char *name)
{
	for (unsigned i = 0; i < data->count; i++)
		if (strcmp(data->buffers[i].name, name) == 0)
			return i;
	fail_msg("no argument %s", name);
	return 0;
}

uint64_t program_data_bits(const struct program_data *data, unsigned argument, int64_t e)
{
	return bit_array_get(data->buffers[argument].base, e, data->type[argument]->bits);
}

void program_data_set_bits(const struct program_data *data, unsigned argument, int64_t e,
	uint64_t bits)
{
	bit_array_set(data->buffers[argument].base, e, data->type[argument]->bits, bits);
}

static double decode(const struct element_type *type, uint64_t bits)
{
	uint64_t sign = bits >> (type->bits - 1), one = 1;
	uint64_t fraction = bits & ((one << type->mantissa) - 1);
	uint64_t exponent = bits >> type->mantissa & ((one << type->exponent) - 1);
	double value;

	if (!type->finite && exponent == (one << type->exponent) - 1)
		return fraction ? NAN : sign ? -INFINITY : INFINITY;
	if (type->finite && type->nan && (bits == type->nan ||
	    (type->nan == (one << (type->bits - 1)) - 1 &&
		(bits & ((one << (type->bits - 1)) - 1)) == type->nan)))
		return NAN;
	value = ldexp((double)(exponent ? fraction | one << type->mantissa : fraction),
		(int)(exponent ? exponent : 1) - type->bias - (int)type->mantissa);
	return sign ? -value : value;
}

double program_data_get(const struct program_data *data, unsigned argument, int64_t e)
{
	const struct element_type *type = data->type[argument];
	uint64_t bits = program_data_bits(data, argument, e);

	if (type->kind == 'f')
		return decode(type, bits);
	if (type->kind == 'i' && bits >> (type->bits - 1))
		return (double)(int64_t)(bits | (UINT64_MAX << (type->bits - 1)));
	return (double)bits;
}

static uint64_t encode(layout_context *ctx, const struct element_type *type,
	const char *text)
{
	uint64_t bits = 0;

	if (!element_type_bits(ctx, type, text, &bits))
		fail_msg("%s", layout_context_message(ctx));
	return bits;
}

void program_data_set(const struct program_data *data, unsigned argument, int64_t e,
	double value)
{
	char text[64];

	snprintf(text, sizeof(text), data->type[argument]->kind == 'f' ? "%.17g" : "%.0f",
		value);
	program_data_set_bits(data, argument, e,
		encode(data->ctx, data->type[argument], text));
}

/* The next number of a list, or NULL. */
static const char *next(const char **list, char *text, size_t size)
{
	size_t length;

	*list += strspn(*list, " ");
	length = strcspn(*list, " ");
	if (!length)
		return NULL;
	assert_true(length < size);
	memcpy(text, *list, length);
	text[length] = 0;
	*list += length;
	return text;
}

void program_data_fill(const struct program_data *data, unsigned argument,
	const char *list)
{
	char text[64];

	for (int64_t e = 0; next(&list, text, sizeof(text)); e++) {
		assert_true(bit_array_bytes(e + 1, data->type[argument]->bits) <=
			data->buffers[argument].bytes);
		program_data_set_bits(data, argument, e,
			encode(data->ctx, data->type[argument], text));
	}
}

void program_data_expect(const struct program_data *data, unsigned argument,
	const char *list)
{
	const struct element_type *type = data->type[argument];
	const char *at = list;
	char text[64];
	int64_t e;

	for (e = 0; next(&at, text, sizeof(text)); e++) {
		uint64_t bits = program_data_bits(data, argument, e);

		if (type->kind == 'f' && strcmp(text, "nan") == 0 && type->nan) {
			if (!isnan(decode(type, bits)))
				fail_msg("element %d of %s is no NaN", (int)e, list);
		} else if (bits != encode(data->ctx, type, text)) {
			fail_msg("element %d of %s is %#llx, %g", (int)e, list,
				(unsigned long long)bits,
				program_data_get(data, argument, e));
		}
	}
	if (bit_array_bytes(e, type->bits) != data->buffers[argument].bytes)
		fail_msg("%s: %d elements of %d bytes", list, (int)e,
			(int)data->buffers[argument].bytes);
}

void program_data_eval(const struct program_data *data)
{
	if (!layout_program_eval(data->program, data->sizes, data->size_count,
		data->buffers, data->count))
		fail_msg("%s", layout_context_message(data->ctx));
}

int program_context_new(void **state)
{
	*state = layout_context_new();
	return *state ? 0 : -1;
}

int program_context_free(void **state)
{
	return layout_context_free(*state) ? 0 : -1;
}

void program_data_random(const struct program_data *data, uint64_t *seed)
{
	for (unsigned i = 0; i < data->count; i++) {
		int64_t count = (int64_t)(data->buffers[i].bytes * 8 / data->type[i]->bits);

		for (int64_t e = 0; e < count; e++)
			program_data_set(data, i, e, (double)random_below(seed, 5) -
				(data->type[i]->kind == 'u' ? 0 : 2));
	}
}

void program_refused(const char *head, const char *body, const char *tail, layout_error kind,
	const char *message)
{
	layout_context *ctx = layout_context_new();
	const char *caret = strchr(body, '^');
	long before = caret - body, begin = (long)strlen(head);
	char text[1024];

	snprintf(text, sizeof(text), "%s%.*s%s%s", head, (int)before, body, caret + 1, tail);
	if (layout_program_parse(ctx, text))
		fail_msg("%s: reads", body);
	if (layout_context_error(ctx) != kind || !strstr(layout_context_message(ctx), message) ||
	    layout_context_position(ctx) != begin + before)
		fail_msg("%s: %d, %s, at %ld, not %ld", body, layout_context_error(ctx),
			layout_context_message(ctx), layout_context_position(ctx) - begin, before);
	assert_true(layout_context_free(ctx));
}

char *program_example(const char *name)
{
	char path[256], *text = calloc(1, 8192);
	FILE *file;

	snprintf(path, sizeof(path), SOURCE_DIR "/examples/programs/%s.txt", name);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(fread(text, 1, 8191, file) > 0);
	fclose(file);
	return text;
}
