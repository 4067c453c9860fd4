/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fuzz/fuzz.h"

#include "files/npy.h"
#include <layout/layout.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Enough for a text of a screen, and little enough to try many. */
#define TEXT_MOST 4096
#define QUOTA 20000ul
#define SECONDS 0.5

static void expect(bool kept, const char *promise, const char *text)
{
	if (kept)
		return;
	fprintf(stderr, "broken promise: %s\n%s\n", promise, text);
	abort();
}

/* What may end any call, and is no answer. */
static bool gave_up(layout_context *ctx)
{
	switch (layout_context_error(ctx)) {
	case LAYOUT_ERROR_QUOTA:
	case LAYOUT_ERROR_TIME:
	case LAYOUT_ERROR_MEMORY:
		return true;
	default:
		return false;
	}
}

static void expect_error(layout_context *ctx, const char *text)
{
	const char *message = layout_context_message(ctx);

	expect(layout_context_error(ctx) != LAYOUT_ERROR_NONE, "no result has an error", text);
	expect(layout_context_error(ctx) != LAYOUT_ERROR_ISL, "isl fails at nothing", text);
	expect(*message, "an error has a message", text);
	for (; *message; message++)
		expect((unsigned char)*message >= ' ' && *message != 0x7f,
			"a message is one line of text", text);
	expect(layout_context_position(ctx) <= (long)strlen(text),
		"an error lies in the text", text);
	layout_context_clear(ctx);
}

/* Is a text of isl's longer, or has more divisions, than one that is read may? */
static bool is_beyond_reading(layout_context *ctx, const char *text)
{
	return strlen(text) > TEXT_MOST || strstr(layout_context_message(ctx), "divisions");
}

/* What is printed is read again, as the same.  "read" is what the value was read from, or
 * made of. */
static void print_and_read(layout_value *value, const char *read)
{
	layout_context *ctx = layout_value_context(value);
	char *text = layout_value_str(value);
	layout_value *other;

	if (!text) {
		expect_error(ctx, read);
		return;
	}
	other = layout_value_parse(ctx, text);
	expect(other || gave_up(ctx) || is_beyond_reading(ctx, text),
		"what is printed is read", text);
	expect(!other || layout_equal(value, other, NULL) != LAYOUT_NO,
		"what is printed is read as the same", text);
	layout_value_free(other);
	layout_string_free(text);
	layout_context_clear(ctx);
}

static void ask(layout_value *value, const char *text)
{
	layout_context *ctx = layout_value_context(value);
	layout_relation *relation = layout_value_relation(value);
	layout_witness *witness = NULL;
	layout_answer answer;

	if (!relation) {
		expect_error(ctx, text);
		return;
	}
	answer = layout_relation_is_injective(relation, &witness);
	if (answer == LAYOUT_UNKNOWN)
		expect_error(ctx, text);
	expect(answer != LAYOUT_NO || witness || gave_up(ctx) ||
		layout_context_error(ctx) == LAYOUT_ERROR_OVERFLOW, "a no has a witness", text);
	layout_witness_free(witness);
	layout_relation_free(relation);
	layout_context_clear(ctx);
}

static void convert(layout_value *value, const char *text)
{
	for (layout_notation to = 0; to <= LAYOUT_NOTATION_ENCODING; to++) {
		layout_value *made = layout_value_convert(value, to);

		if (made)
			print_and_read(made, text);
		else
			expect_error(layout_value_context(value), text);
		layout_value_free(made);
	}
}

/* Try the text as a value: "with" is what is done to one, in a context of its own. */
static void try_value(const uint8_t *data, size_t size,
	void (*with)(layout_context *ctx, layout_value *value, const char *text))
{
	layout_context *ctx = layout_context_new();
	char *text = strndup((const char *)data, size < TEXT_MOST ? size : TEXT_MOST);
	layout_value *value;

	layout_context_set_quota(ctx, QUOTA);
	layout_context_set_time(ctx, SECONDS);
	value = layout_value_parse(ctx, text);
	if (!value)
		expect_error(ctx, text);
	with(ctx, value, text);
	layout_value_free(value);
	expect(layout_context_free(ctx), "all is freed", text);
	free(text);
}

static void answer(layout_context *ctx, layout_value *value, const char *text)
{
	(void)ctx;
	if (!value)
		return;
	/* a number answers a function, and is no text of its own */
	if (layout_value_get_kind(value) != LAYOUT_VALUE_INTEGER)
		print_and_read(value, text);
	ask(value, text);
	convert(value, text);
}

static void try_text(const uint8_t *data, size_t size)
{
	try_value(data, size, answer);
}

/* One of the pictures that there are, by the length of the text: a mutation is another. */
static void draw(layout_context *ctx, layout_value *value, const char *text)
{
	layout_show_options options = LAYOUT_SHOW_OPTIONS_INIT;
	layout_size sizes[4];
	unsigned count = 0;
	char *picture;

	for (; value && count < 4 && layout_value_size_name(value, count); count++)
		sizes[count] = (layout_size){ layout_value_size_name(value, count), 3 + count };
	options.format = strlen(text) % (LAYOUT_SHOW_TIKZ + 1);
	options.color = strlen(text) / (LAYOUT_SHOW_TIKZ + 1) % (LAYOUT_SHOW_BY_WARP + 1);
	options.sizes = sizes;
	options.count = count;
	picture = value ? layout_show(value, &options) : NULL;
	if (value && !picture)
		expect_error(ctx, text);
	layout_string_free(picture);
}

static void try_show(const uint8_t *data, size_t size)
{
	try_value(data, size, draw);
}

/* The text as each thing that IREE's compiler prints and a function of its own reads. */
static void read_mlir(layout_context *ctx, layout_value *value, const char *text)
{
	layout_encoding *encoding = layout_encoding_parse(ctx,
		"encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 2]}>");
	layout_propagation *propagation;
	layout_tiling_target *target;
	layout_stream *stream;

	answer(ctx, value, text);
	stream = layout_stream_parse(ctx, text);
	if (!stream)
		expect_error(ctx, text);
	layout_stream_free(stream);
	propagation = layout_encoding_propagate_text(encoding, text, 0);
	if (!propagation)
		expect_error(ctx, text);
	layout_propagation_free(propagation);
	target = layout_tiling_target_parse(ctx, text);
	if (!target)
		expect_error(ctx, text);
	layout_tiling_target_free(target);
	layout_encoding_free(encoding);
}

static void try_mlir(const uint8_t *data, size_t size)
{
	try_value(data, size, read_mlir);
}

static void try_npy(const uint8_t *data, size_t size)
{
	int file = memfd_create("npy", 0);
	struct npy array = { 0 };
	struct complaint complaint = { 0 };
	char path[40];
	int64_t count;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	if (file < 0 || write(file, data, size) != (ssize_t)size)
		abort();
	if (npy_read(&array, path, &complaint)) {
		expect(npy_count(&array, &count) && count >= 0 &&
			array.bytes == (size_t)count * array.element_bytes,
			"an array is as large as its shape", path);
		npy_reorder(&array, &complaint);
	} else {
		expect(*complaint.text, "what is no array has a message", path);
	}
	npy_release(&array);
	close(file);
}

static const struct target targets[] = {
	{ "cute", try_text, { "(", "Sw<", "coalesce", "complement", "compose" } },
	{ "nested", try_text, { "nested_layout" } },
	{ "linear", try_text, { "linear", "reshape", "transpose" } },
	{ "triton", try_text, { "#ttg", "distribute" } },
	{ "relation", try_text, { "{", "[" } },
	{ "affine_map", try_text, { "affine_map" } },
	{ "encoding", try_text, { "encoding", "#iree", "tensor" } },
	{ "storage", try_text, { "row_major", "col_major", "strided", "packed", "swizzled" } },
	{ "remap", try_text, { "remap" } },
	{ "chain", try_text, { "chain" } },
	{ "program", try_text, { "program", "matmul", "//" } },
	{ "mma", try_text, { "mma", "xor_shuffle", "rotate_rows" } },
	{ "expression", try_text, { NULL } },
	{ "mlir", try_mlir, { "%", "#", "linalg", "tensor", "memref" } },
	{ "show", try_show, { NULL } },
	{ "npy", try_npy, { "\x93NUMPY" } },
};

const struct target *target_find(const char *name)
{
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		if (!strcmp(targets[i].name, name))
			return &targets[i];
	return NULL;
}

bool target_takes(const struct target *target, const char *text)
{
	bool all = !target->begins[0];

	for (unsigned i = 0; !all && target->begins[i]; i++)
		if (!strncmp(text, target->begins[i], strlen(target->begins[i])))
			return true;
	return all && *text != '\x93';
}
