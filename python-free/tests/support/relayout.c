/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/relayout.h"
#include "support/random.h"
#include "support/storage_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes before and after a buffer that must stay as they are. */
#define GUARD 256

#define RELAYOUT_TEXT (2 * MODEL_TEXT + 100)

static uint64_t f32_to_f16(uint64_t value)
{
	uint32_t bits = (uint32_t)value;
	uint16_t rounded;
	_Float16 half;
	float single;

	memcpy(&single, &bits, 4);
	half = (_Float16)single;
	memcpy(&rounded, &half, 2);
	return rounded;
}

static uint64_t f16_to_f32(uint64_t value)
{
	uint16_t bits = (uint16_t)value;
	uint32_t widened;
	_Float16 half;
	float single;

	memcpy(&half, &bits, 2);
	single = (float)half;
	memcpy(&widened, &single, 4);
	return widened;
}

static uint64_t f32_to_bf16(uint64_t value)
{
	return (value + 0x7fff + (value >> 16 & 1)) >> 16;
}

static uint64_t bf16_to_f32(uint64_t value)
{
	return value << 16;
}

static const struct relayout_element elements[] = {
	{ "i4", 4, 4, NULL, 0 }, { "f4E2M1FN", 4, 4, NULL, 0 }, { "u2", 2, 2, NULL, 0 },
	{ "f6E2M3FN", 6, 6, NULL, 0 },
	{ "i8", 8, 8, NULL, 0 }, { "f8E4M3FN", 8, 8, NULL, 0 }, { "i16", 16, 16, NULL, 0 },
	{ "f16", 16, 16, NULL, 0 }, { "bf16", 16, 16, NULL, 0 },
	{ "f32", 32, 32, NULL, 0 }, { "f32", 32, 32, NULL, 0 }, { "u32", 32, 32, NULL, 0 },
	{ "i64", 64, 64, NULL, 0 }, { "f64", 64, 64, NULL, 0 },
	{ "f32 -> f16", 32, 16, f32_to_f16, 0x7f800000 },
	{ "f32 -> bf16", 32, 16, f32_to_bf16, 0x7f800000 },
	{ "f16 -> f32", 16, 32, f16_to_f32, 0x7c00 },
	{ "bf16 -> f32", 16, 32, bf16_to_f32, 0x7f80 },
};
#define ELEMENT_COUNT (sizeof(elements) / sizeof(elements[0]))

const struct relayout_element *relayout_element(const char *type)
{
	for (size_t i = 0; i < ELEMENT_COUNT; i++)
		if (!strcmp(elements[i].type, type))
			return &elements[i];
	abort();
}

const struct relayout_element *relayout_any_element(uint64_t *state, bool bytes)
{
	const struct relayout_element *element;

	do
		element = &elements[random_below(state, ELEMENT_COUNT)];
	while (bytes && element->bits < 8);
	return element;
}

struct buffer {
	unsigned char *bytes;	/* a guard, the contents, a guard */
	size_t size;		/* of the contents */
};

static struct buffer buffer_new(int64_t count, unsigned bits, unsigned char fill)
{
	size_t size = ((size_t)count * bits + 7) / 8;
	size_t whole = (size + 2 * GUARD + GUARD - 1) / GUARD * GUARD;
	struct buffer buffer = { aligned_alloc(GUARD, whole), size };

	if (!buffer.bytes)
		abort();
	memset(buffer.bytes, fill, whole);
	return buffer;
}

/* Elements lie bit after bit, the lowest first. */
static uint64_t element_get(const struct buffer *buffer, unsigned bits, int64_t e)
{
	size_t bit = (size_t)e * bits;
	uint64_t value = 0;

	memcpy(&value, buffer->bytes + GUARD + bit / 8, bits < 8 ? 2 : bits / 8);
	return bits < 8 ? value >> bit % 8 & ((1u << bits) - 1) : value;
}

static void element_put(struct buffer *buffer, unsigned bits, int64_t e, uint64_t value)
{
	size_t bit = (size_t)e * bits;
	unsigned char *bytes = buffer->bytes + GUARD + bit / 8;
	uint64_t there = 0, mask = (UINT64_C(1) << bits % 64) - 1;

	if (bits < 8) {
		memcpy(&there, bytes, 2);
		value = (there & ~(mask << bit % 8)) | (value & mask) << bit % 8;
	}
	memcpy(bytes, &value, bits < 8 ? 2 : bits / 8);
}

static void fill_random(struct buffer *buffer, const struct relayout_element *element)
{
	uint64_t exponent = element->exponent;

	random_fill(buffer->bytes + GUARD, buffer->size);
	for (size_t e = 0; exponent && e < buffer->size * 8 / element->bits; e++) {
		uint64_t value = element_get(buffer, element->bits, (int64_t)e);

		if ((value & exponent) == exponent)
			element_put(buffer, element->bits, (int64_t)e,
				value & ~(exponent & -exponent));
	}
}

/* What the destination should become. */
static void reference(const struct relayout *relayout, const int64_t *n,
	const struct buffer *from, struct buffer *to)
{
	const struct storage_model *source = &relayout->source;
	const struct storage_model *destination = &relayout->destination;
	const struct relayout_element *element = relayout->element;
	int64_t i[MODEL_RANK] = { 0 };

	if (to->size && element->to_bits < 8)
		to->bytes[GUARD + to->size - 1] = 0;
	if (storage_model_pads(destination))
		for (int64_t e = storage_model_elements(destination, n); e--;)
			element_put(to, element->to_bits, e, relayout->pad);
	for (unsigned d = 0; d < source->rank; d++)
		if (!n[d])
			return;
	do {
		uint64_t value = element_get(from, element->bits,
			storage_model_offset(source, n, i));

		element_put(to, element->to_bits, storage_model_offset(destination, n, i),
			element->convert ? element->convert(value) : value);
	} while (model_next_index(source->rank, n, i));
}

static bool run(layout_context *ctx, const struct relayout *relayout,
	layout_kernel *kernel, const int64_t *n, const struct buffer *from,
	struct buffer *to, layout_sim_stats *stats)
{
	static const char *const names[MODEL_RANK] = { "A", "B", "C", "D", "E", "F", "G",
		"H" };
	const layout_buffer_argument buffers[] = { { "x", from->bytes + GUARD, from->size },
		{ "y", to->bytes + GUARD, to->size } };
	layout_size sizes[MODEL_RANK];
	layout_run run = LAYOUT_RUN_INIT;

	for (unsigned d = 0; d < MODEL_RANK; d++)
		sizes[d] = (layout_size){ names[d], n[d] };
	if (relayout->as_program) {
		run.buffers = buffers;
		run.buffer_count = 2;
	} else {
		run.source = from->bytes + GUARD;
		run.source_bytes = from->size;
		run.destination = to->bytes + GUARD;
		run.destination_bytes = to->size;
	}
	run.sizes = sizes;
	run.size_count = relayout->source.rank;
	run.stats = stats;
	return layout_kernel_run(ctx, kernel, &run);
}

static void describe(const struct relayout *relayout, char text[RELAYOUT_TEXT])
{
	char source[MODEL_TEXT], destination[MODEL_TEXT];
	const char *size[MODEL_RANK];
	unsigned bits = relayout->element->to_bits;

	for (unsigned d = 0; d < MODEL_RANK; d++)
		size[d] = relayout->size[d];
	storage_model_text(&relayout->source, size, source);
	storage_model_text(&relayout->destination, size, destination);
	snprintf(text, RELAYOUT_TEXT, "remap(%s -> %s, type = %s, pad = 0x%" PRIx64
		")", source, destination, relayout->element->type,
		bits < 64 ? relayout->pad & ((UINT64_C(1) << bits) - 1) : relayout->pad);
}

static void complain(const struct relayout *relayout, const int64_t *n, const char *what)
{
	char text[RELAYOUT_TEXT];

	describe(relayout, text);
	flockfile(stdout);
	printf("%s\n\t--target %s%s%s", text, relayout->target,
		relayout->through_lds ? " --through-lds" : "",
		relayout->as_program ? " --emit program" : "");
	if (relayout->assume[0])
		printf(" --assume '%s'", relayout->assume);
	for (unsigned d = 0; n && d < relayout->source.rank; d++)
		printf(" -D %c=%" PRId64, 'A' + d, n[d]);
	printf("\n\t%s\n", what);
	funlockfile(stdout);
}

/* The first byte that is wrong. */
static void complain_of_byte(const struct relayout *relayout, const int64_t *n,
	const struct buffer *to, const struct buffer *expected)
{
	size_t i = 0, wrong = 0;
	char what[100];

	while (to->bytes[i] == expected->bytes[i])
		i++;
	for (size_t j = i; j < to->size + 2 * GUARD; j++)
		wrong += to->bytes[j] != expected->bytes[j];
	snprintf(what, sizeof(what), "%zu bytes wrong, the first of element %" PRId64, wrong,
		((int64_t)i - GUARD) * 8 /
		relayout->element->to_bits);
	complain(relayout, n, what);
}

bool relayout_run(layout_context *ctx, const struct relayout *relayout,
	layout_kernel *kernel, const int64_t *n, layout_sim_stats *stats)
{
	struct buffer from = buffer_new(storage_model_elements(&relayout->source, n),
		relayout->element->bits, 0x77);
	int64_t cells = storage_model_elements(&relayout->destination, n);
	struct buffer to = buffer_new(cells, relayout->element->to_bits, 0xa5);
	struct buffer expected = buffer_new(cells, relayout->element->to_bits, 0xa5);
	bool ok;

	fill_random(&from, relayout->element);
	reference(relayout, n, &from, &expected);
	ok = run(ctx, relayout, kernel, n, &from, &to, stats);
	if (!ok)
		complain(relayout, n, layout_context_message(ctx));
	else if (memcmp(to.bytes, expected.bytes, to.size + 2 * GUARD)) {
		complain_of_byte(relayout, n, &to, &expected);
		ok = false;
	}
	free(from.bytes);
	free(to.bytes);
	free(expected.bytes);
	return ok;
}

static layout_remap *make_remap(layout_context *ctx, const struct relayout *relayout)
{
	char text[RELAYOUT_TEXT];
	layout_remap *remap;

	describe(relayout, text);
	remap = layout_remap_parse(ctx, text);
	return relayout->assume[0] ? layout_remap_assume(remap, relayout->assume) : remap;
}

/* What it makes is read again, as it is printed. */
static layout_kernel *program_kernel(layout_context *ctx, const struct relayout *relayout,
	layout_remap *remap)
{
	layout_program *made = layout_program_new_remap(remap), *program;
	char *text = layout_program_str(made);
	layout_kernel *kernel;

	program = text ? layout_program_parse(ctx, text) : NULL;
	kernel = program && layout_program_verify(program, NULL, NULL) == LAYOUT_YES ?
		layout_kernel_new_program(program, relayout->target, NULL) : NULL;
	layout_program_free(program);
	layout_string_free(text);
	layout_program_free(made);
	return kernel;
}

layout_kernel *relayout_kernel(layout_context *ctx, const struct relayout *relayout)
{
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_remap *remap = make_remap(ctx, relayout);
	layout_kernel *kernel;

	if (relayout->as_program) {
		kernel = program_kernel(ctx, relayout, remap);
		layout_remap_free(remap);
		return kernel;
	}
	options.through_lds = relayout->through_lds;
	kernel = layout_kernel_new(remap, relayout->target, &options);
	if (!kernel && options.through_lds &&
	    layout_context_error(ctx) == LAYOUT_ERROR_UNSUPPORTED) {
		layout_context_clear(ctx);
		options.through_lds = false;
		kernel = layout_kernel_new(remap, relayout->target, &options);
	}
	layout_remap_free(remap);
	if (!kernel)
		complain(relayout, NULL, layout_context_message(ctx));
	return kernel;
}

/* Not each remap is a program, and not each program has registers for its tiles. */
static bool is_refused(layout_context *ctx, const struct relayout *relayout)
{
	bool refused = relayout->as_program &&
		layout_context_error(ctx) == LAYOUT_ERROR_UNSUPPORTED;

	if (relayout->as_program && !refused)
		complain(relayout, NULL, layout_context_message(ctx));
	layout_context_clear(ctx);
	return refused;
}

unsigned relayout_check(layout_context *ctx, const struct relayout *relayout,
	unsigned count, const int64_t (*n)[MODEL_RANK])
{
	layout_kernel *kernel = relayout_kernel(ctx, relayout);
	unsigned failures = !kernel && !is_refused(ctx, relayout);

	for (unsigned s = 0; kernel && s < count; s++)
		failures += !relayout_run(ctx, relayout, kernel, n[s], NULL);
	layout_kernel_free(kernel);
	return failures;
}
