/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions between all pairs of nested, instruction's, blocked and random F2 owners, of
 * tiles of 16 x 16 to 64 x 64, in the simulator, against the owners point by point: as
 * tables, which are made here without the library. */
#include "convert_tile/pairs.h"
#include "support/program_data.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

enum { LANES = 64, MOST = 64 * 64 };

/* A tile, and how many waves hold it. */
struct tile {
	unsigned rows, columns, waves;
};

/* An owner's text, and the element of each register, [thread][register]. */
struct table {
	char text[1024];
	unsigned registers, element[MOST];
};

static unsigned registers_of(const struct tile *tile)
{
	return tile->rows * tile->columns / (LANES * tile->waves);
}

static void set(struct table *table, const struct tile *tile, unsigned wave, unsigned lane,
	unsigned reg, unsigned row, unsigned column)
{
	assert_true(row < tile->rows && column < tile->columns);
	table->element[(wave * LANES + lane) * table->registers + reg] =
		row * tile->columns + column;
}

/* Lanes in rows of 8; a lane has two elements that follow each other, a wave as many
 * batches as there are. */
static void make_nested(struct table *table, const struct tile *tile)
{
	unsigned batches[2] = { tile->rows / (8 * tile->waves), tile->columns / 16 };

	snprintf(table->text, sizeof(table->text), "nested_layout<subgroup_tile = [%u, 1], "
		"batch_tile = [%u, %u], outer_tile = [1, 1], thread_tile = [8, 8], "
		"element_tile = [1, 2], subgroup_strides = [%u, 0], thread_strides = [8, 1]>",
		tile->waves, batches[0], batches[1], tile->waves > 1);
	for (unsigned w = 0; w < tile->waves; w++)
		for (unsigned l = 0; l < LANES; l++)
			for (unsigned r = 0; r < table->registers; r++)
				set(table, tile, w, l, r, (w * batches[0] +
					r / 2 / batches[1]) * 8 + l / 8,
					(r / 2 % batches[1] * 8 + l % 8) * 2 + r % 2);
}

/* Accumulators side by side, their rows shared out to the waves. */
static void make_instruction(struct table *table, const struct tile *tile)
{
	unsigned times[2] = { tile->rows / (16 * tile->waves), tile->columns / 16 };

	snprintf(table->text, sizeof(table->text),
		"mma<MFMA_F32_16x16x16_F16, acc> * [%u, %u] over [%u, 1]", times[0], times[1],
		tile->waves);
	for (unsigned w = 0; w < tile->waves; w++)
		for (unsigned l = 0; l < LANES; l++)
			for (unsigned r = 0; r < table->registers; r++)
				set(table, tile, w, l, r, (w * times[0] + r / 4 / times[1]) *
					16 + l / 16 * 4 + r % 4,
					r / 4 % times[1] * 16 + l % 16);
}

/* Triton's: lanes in rows of 4, of 4 elements each, repeated over the columns first. */
static void make_blocked(struct table *table, const struct tile *tile)
{
	unsigned across = tile->columns / 16;

	snprintf(table->text, sizeof(table->text), "distribute(#ttg.blocked<{sizePerThread = "
		"[1, 4], threadsPerWarp = [16, 4], warpsPerCTA = [%u, 1], order = [1, 0]}>, "
		"[%u, %u])", tile->waves, tile->rows, tile->columns);
	for (unsigned w = 0; w < tile->waves; w++)
		for (unsigned l = 0; l < LANES; l++)
			for (unsigned r = 0; r < table->registers; r++)
				set(table, tile, w, l, r, (r / 4 / across * tile->waves + w) *
					16 + l / 4, (r / 4 % across * 4 + l % 4) * 4 + r % 4);
}

static unsigned bits_of(unsigned n)
{
	unsigned bits = 0;

	while (1u << bits < n)
		bits++;
	return bits;
}

/* Columns of a random invertible matrix: elementary steps from the unit matrix, shuffled. */
static void random_columns(unsigned *columns, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		columns[i] = 1u << i;
	for (unsigned step = 0; step < 4 * count; step++) {
		unsigned a = (unsigned)random() % count, b = (unsigned)random() % count;
		unsigned old = columns[a];

		if (a == b)
			continue;
		if (random() % 3) {
			columns[a] = columns[b];
			columns[b] = old;
		} else {
			columns[a] ^= columns[b];
		}
	}
}

static void print_columns(char *text, size_t size, const char *name,
	const unsigned *columns, unsigned count, unsigned low)
{
	size_t length = strlen(text);

	length += (size_t)snprintf(text + length, size - length, "%s = [", name);
	for (unsigned i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, size - length, "%s[%u, %u]",
			i ? ", " : "", columns[i] >> low, columns[i] & ((1u << low) - 1));
	snprintf(text + length, size - length, "]");
}

static unsigned image(const unsigned *columns, unsigned number)
{
	unsigned sum = 0;

	for (unsigned i = 0; number >> i; i++)
		sum ^= number >> i & 1 ? columns[i] : 0;
	return sum;
}

/* Any bits of registers, lanes and waves are any of the tile's. */
static void make_random(struct table *table, const struct tile *tile)
{
	unsigned low = bits_of(tile->columns), registers = bits_of(table->registers);
	unsigned columns[16], waves = bits_of(tile->waves);
	char *text = table->text;
	size_t size = sizeof(table->text);

	random_columns(columns, registers + 6 + waves);
	strcpy(text, "linear<{");
	print_columns(text, size, "register", columns, registers, low);
	strcat(text, ", ");
	print_columns(text, size, "lane", columns + registers, 6, low);
	strcat(text, ", ");
	print_columns(text, size, "warp", columns + registers + 6, waves, low);
	strcat(text, "}>");
	for (unsigned w = 0; w < tile->waves; w++)
		for (unsigned l = 0; l < LANES; l++)
			for (unsigned r = 0; r < table->registers; r++) {
				unsigned e = image(columns, r) ^ image(columns + registers, l) ^
					image(columns + registers + 6, w);

				set(table, tile, w, l, r, e >> low, e & ((1u << low) - 1));
			}
}

static void (*const makers[])(struct table *table, const struct tile *tile) = {
	make_nested, make_instruction, make_blocked, make_random, make_random,
};

/* What the register of FROM has, whose number that is. */
static uint64_t value_of(const struct program_data *data, unsigned number)
{
	uint64_t value = number * 40503u + (uint64_t)number * number;

	return value & (((uint64_t)1 << data->type[0]->bits) - 1);
}

static void expect(const struct program_data *data, const struct table *from,
	const struct table *to, unsigned count, const char *target)
{
	unsigned *holder = calloc(count, sizeof(*holder));

	for (unsigned n = 0; n < count; n++)
		holder[from->element[n]] = n;
	for (unsigned n = 0; n < count; n++)
		if (program_data_bits(data, 1, n) != value_of(data, holder[to->element[n]]))
			fail_msg("%s -> %s of %s on %s: thread %u, register %u", from->text,
				to->text, data->type[0]->name, target, n / to->registers,
				n % to->registers);
	free(holder);
}

static void check(layout_context *ctx, const struct table *from, const struct table *to,
	unsigned count, const char *type, const char *target)
{
	char text[2200];
	struct program_data data;
	layout_run how = LAYOUT_RUN_INIT;
	layout_kernel *kernel;

	snprintf(text, sizeof(text), "convert_tile(%s -> %s, type = %s)", from->text, to->text,
		type);
	data = program_data_new(ctx, text, NULL);
	for (unsigned n = 0; n < count; n++)
		program_data_set_bits(&data, 0, n, value_of(&data, n));
	how.buffers = data.buffers;
	how.buffer_count = data.count;
	kernel = layout_kernel_new_program(data.program, target, NULL);
	if (!kernel || !layout_kernel_run(ctx, kernel, &how))
		fail_msg("%s on %s: %s", text, target, layout_context_message(ctx));
	expect(&data, from, to, count, target);
	layout_kernel_free(kernel);
	program_data_free(&data);
}

static void check_tile(layout_context *ctx, const struct tile *tile, unsigned *turn)
{
	static const char *const types[] = { "f16", "f32", "i8" };
	static const char *const targets[] = { "gfx942", "gfx1100:wave64", "gfx950",
		"gfx90a", "gfx942" };
	struct table from, to;

	from.registers = to.registers = registers_of(tile);
	for (unsigned f = 0; f < COUNT(makers); f++)
		for (unsigned t = 0; t < COUNT(makers); t++) {
			makers[f](&from, tile);
			makers[t](&to, tile);
			for (unsigned i = 0; i < COUNT(types); i++, ++*turn)
				if (share_has(f + t, i, COUNT(types)))
					check(ctx, &from, &to, tile->rows * tile->columns,
						types[i], targets[*turn % COUNT(targets)]);
		}
}

void test_pairs(void **state)
{
	static const struct tile tiles[] = { { 16, 16, 1 }, { 16, 64, 1 }, { 32, 32, 2 },
		{ 64, 32, 4 }, { 64, 64, 2 } };
	unsigned turn = 0;

	srandom(random_seed());
	for (unsigned i = 0; i < COUNT(tiles); i++)
		check_tile(*state, &tiles[i], &turn);
}
