/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relayout kernels of random pairs of storages, in the simulator, against a reference
 * that walks the index space. */
#include "support/random.h"
#include "support/relayout.h"
#include "support/share.h"

#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PAIRS 500
#define THREADS 2
#define SHAPES 3
#define PROGRAMS 4	/* each of so many pairs is a program, too */
#define MOST 60000	/* elements of a storage */

struct pair {
	struct relayout relayout;
	int64_t n[SHAPES][MODEL_RANK];
	int64_t most[MODEL_RANK];	/* of each size */
};

static int64_t pick(uint64_t *state, unsigned count, const int64_t *values)
{
	return values[random_below(state, count)];
}

static void shuffle(uint64_t *state, unsigned count, unsigned *order)
{
	for (unsigned i = 0; i < count; i++)
		order[i] = i;
	for (unsigned i = count; i > 1; i--) {
		unsigned j = random_below(state, i), kept = order[i - 1];

		order[i - 1] = order[j];
		order[j] = kept;
	}
}

static unsigned random_rank(uint64_t *state)
{
	static const int64_t ranks[] = { 0, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 8 };

	return (unsigned)pick(state, COUNT(ranks), ranks);
}

/* Sizes of which many lie at, below and above a power of two. */
static int64_t random_size(uint64_t *state, unsigned rank)
{
	static const int64_t bases[] = { 1, 2, 3, 6, 8, 12, 16, 32, 48, 64, 64, 128, 128,
		256 };
	unsigned kind = random_below(state, 24), small = rank > 4 ? 4 : COUNT(bases);

	if (!kind)
		return 0;
	if (kind < 5)
		return 1 + random_below(state, rank > 4 ? 3 : 300);
	if (kind < 16)
		return pick(state, small, bases);
	return pick(state, small, bases) + random_below(state, 3) - (kind & 1);
}

static bool is_literal(const struct pair *pair, unsigned dim)
{
	return pair->relayout.size[dim][0] < 'A';
}

/* Halves sizes until there are few enough elements. */
static void limit_sizes(unsigned rank, int64_t *n)
{
	for (;;) {
		int64_t product = 1;
		unsigned largest = 0;

		for (unsigned d = 0; d < rank; d++) {
			product *= n[d] ? n[d] : 1;
			if (n[d] > n[largest])
				largest = d;
		}
		if (product <= MOST / 2)
			return;
		n[largest] = (n[largest] + 1) / 2;
	}
}

/* A literal size is the same in all shapes, the least of what was drawn. */
static void make_literal(struct pair *pair, unsigned dim)
{
	int64_t least = pair->n[0][dim];

	for (unsigned s = 1; s < SHAPES; s++)
		if (pair->n[s][dim] < least)
			least = pair->n[s][dim];
	for (unsigned s = 0; s < SHAPES; s++)
		pair->n[s][dim] = least;
	snprintf(pair->relayout.size[dim], sizeof(pair->relayout.size[dim]), "%" PRId64,
		least);
}

static void random_sizes(uint64_t *state, struct pair *pair)
{
	struct relayout *relayout = &pair->relayout;
	unsigned rank = relayout->source.rank;

	for (unsigned s = 0; s < SHAPES; s++) {
		for (unsigned d = 0; d < rank; d++)
			pair->n[s][d] = random_size(state, rank);
		limit_sizes(rank, pair->n[s]);
	}
	for (unsigned d = 0; d < rank; d++) {
		snprintf(relayout->size[d], sizeof(relayout->size[d]), "%c", 'A' + d);
		if (!random_below(state, 4))
			make_literal(pair, d);
		for (unsigned s = 0; s < SHAPES; s++)
			if (pair->n[s][d] > pair->most[d])
				pair->most[d] = pair->n[s][d];
	}
}

/* Strides that leave gaps, for sizes up to "most". */
static void random_strides(uint64_t *state, const int64_t *most,
	struct storage_model *model)
{
	static const int64_t firsts[] = { 1, 1, 1, 1, 2, 3 }, gaps[] = { 0, 0, 1, 3, 4, 16 };
	int64_t stride = pick(state, COUNT(firsts), firsts);
	unsigned order[MODEL_RANK];

	model->kind = MODEL_STRIDED;
	shuffle(state, model->rank, order);
	for (unsigned k = 0; k < model->rank; k++) {
		int64_t n = most[order[k]];

		model->stride[order[k]] = stride;
		stride = stride * (n ? n : 1) + pick(state, COUNT(gaps), gaps);
	}
}

/* A split of a tile into digits, prime factors joined at random. */
static unsigned random_split(uint64_t *state, int64_t tile, int64_t *radices)
{
	unsigned count = 0;
	int64_t radix = 1;

	for (int64_t prime = 2; tile > 1; prime++)
		while (tile % prime == 0) {
			tile /= prime;
			radix *= prime;
			if (tile == 1 || !random_below(state, 2)) {
				radices[count++] = radix;
				radix = 1;
			}
		}
	if (!count)
		radices[count++] = 1;
	return count;
}

static void random_swizzle(uint64_t *state, struct storage_model *model)
{
	unsigned order[MODEL_DIGITS];

	for (unsigned d = 0; d < model->rank; d++) {
		int64_t radices[MODEL_DIGITS];

		if (model->tile[d])
			storage_model_split(model, d,
				random_split(state, model->tile[d], radices), radices);
	}
	shuffle(state, model->digit_count, order);
	storage_model_order(model, order);
}

/* Of any size; now and then one that a known size does not fill. */
static int64_t random_tile(uint64_t *state, const struct pair *pair, unsigned rank,
	unsigned d)
{
	static const int64_t tiles[] = { 2, 4, 8, 16, 32, 64, 128, 4, 8, 16, 3, 5, 6, 12, 7,
		1 };
	int64_t size = pair->n[0][d];

	if (is_literal(pair, d) && size > 1 && random_below(state, 2))
		return size + pick(state, 4, (int64_t[]){ 1, 4, size / 4, size / 2 });
	return pick(state, rank > 4 ? 2 : COUNT(tiles), tiles);
}

static void random_packed(uint64_t *state, const struct pair *pair,
	struct storage_model *model)
{
	unsigned tiled = 0;

	model->kind = MODEL_PACKED;
	shuffle(state, model->rank, model->outer);
	for (unsigned d = 0; d < model->rank; d++)
		if (random_below(state, 3)) {
			model->tile[d] = random_tile(state, pair, model->rank, d);
			tiled++;
		}
	if (tiled && random_below(state, 4))
		random_swizzle(state, model);
}

/* How many elements, of which a power of two is asked for, lie densely at the end of
 * the storage, whatever its sizes. */
static int64_t dense_elements(const struct pair *pair, const struct storage_model *model)
{
	unsigned last = model->rank - 1;
	int64_t elements = 1;

	if (model->kind == MODEL_ROW)
		return is_literal(pair, last) ? pair->n[0][last] : 1;
	for (unsigned k = 0; k < model->digit_count; k++) {
		int64_t radix = model->digits[k].radix;

		if (radix & (radix - 1))
			return 1;
		elements *= radix;
	}
	return elements;
}

/* The XOR is of bits that are found in the storage: those of an offset below "reach". */
static bool has_bits(const struct pair *pair, const struct storage_model *model,
	int64_t row, int64_t access)
{
	int64_t dense = dense_elements(pair, model), reach = row * (row / access);

	if (!dense || dense % row)
		return false;
	return dense % reach == 0 ||
		(model->kind == MODEL_ROW && model->rank == 2 && !(dense & (dense - 1)));
}

static void random_xor(uint64_t *state, const struct pair *pair,
	struct storage_model *model)
{
	static const int64_t rows[] = { 4, 8, 16, 32, 64, 128 };
	int64_t row = pick(state, COUNT(rows), rows), access = row / 2;

	while (access > 1 && random_below(state, 2))
		access /= 2;
	if (model->kind != MODEL_ROW && model->kind != MODEL_PACKED)
		return;
	if (!has_bits(pair, model, row, access))
		return;
	model->row = row;
	model->access = access;
}

/* Does the library take the storage?  What it may refuse is for mixed.c. */
static bool is_storage(const struct pair *pair, const struct storage_model *model)
{
	layout_context *ctx = layout_context_new();
	const char *sizes[MODEL_RANK];
	layout_storage *storage;
	char text[MODEL_TEXT];
	bool taken;

	for (unsigned d = 0; d < model->rank; d++)
		sizes[d] = pair->relayout.size[d];
	storage_model_text(model, sizes, text);
	storage = layout_storage_parse(ctx, text);
	taken = storage;
	if (!taken && layout_context_error(ctx) != LAYOUT_ERROR_UNSUPPORTED)
		printf("%s: %s\n", text, layout_context_message(ctx));
	layout_storage_free(storage);
	layout_context_free(ctx);
	return taken;
}

/* Rotations, and XORs of digits of any size, of offsets and of indices. */
static void random_twist(uint64_t *state, const struct pair *pair,
	struct storage_model *model)
{
	static const int64_t rows[] = { 4, 8, 16, 32, 64, 12, 24, 48 };
	static const int64_t columns[] = { 2, 4, 8, 16, 3, 6, 12 };
	int64_t last = pair->n[0][model->rank - 1], column;

	for (unsigned i = 0; i < 8; i++) {
		model->row = last > 1 && random_below(state, 2) ? last :
			pick(state, COUNT(rows), rows);
		model->rotates = random_below(state, 2);
		model->of_index = random_below(state, 2);
		column = pick(state, model->rotates ? COUNT(columns) : 4, columns);
		model->access = model->row / column;
		if (model->row % column == 0 && is_storage(pair, model))
			return;
	}
	model->row = 0;
}

/* Rows of a known size, which tiles of the last dimension may not divide, nor a row's
 * swizzle a tile. */
static void random_rows(uint64_t *state, const struct pair *pair,
	struct storage_model *model)
{
	static const int64_t columns[] = { 2, 4, 8, 16 };
	unsigned last = model->rank - 1;
	int64_t row = pair->n[0][last], column = pick(state, COUNT(columns), columns);
	struct storage_model twisted;

	random_packed(state, pair, model);
	if (!model->digit_count)
		model->tile[last] = random_tile(state, pair, model->rank, last);
	if (!row || row % column)
		return;
	twisted = *model;
	twisted.row = row;
	twisted.access = row / column;
	twisted.rotates = !random_below(state, 4);
	twisted.of_index = true;
	if (is_storage(pair, &twisted))
		*model = twisted;
}

static void random_storage(uint64_t *state, const struct pair *pair,
	struct storage_model *model)
{
	unsigned rank = model->rank, kind = random_below(state, 10);

	*model = (struct storage_model){ .rank = rank };
	if (kind < 2)
		model->kind = MODEL_ROW;
	else if (kind < 4)
		model->kind = MODEL_COLUMN;
	else if (kind < 5 && rank)
		random_strides(state, pair->most, model);
	else if (rank)
		(rank > 1 && is_literal(pair, rank - 1) ? random_rows : random_packed)(
			state, pair, model);
	if (rank && !model->row && !random_below(state, 3))
		random_xor(state, pair, model);
	if (rank && !model->row && !random_below(state, 2))
		random_twist(state, pair, model);
}

static bool fits(const struct pair *pair, const struct storage_model *model)
{
	for (unsigned s = 0; s < SHAPES; s++)
		if (storage_model_elements(model, pair->n[s]) > MOST)
			return false;
	return true;
}

/* No two elements share a cell of the destination. */
static void assume_apart(struct pair *pair)
{
	struct relayout *relayout = &pair->relayout;

	if (relayout->destination.kind != MODEL_STRIDED)
		return;
	for (unsigned d = 0; d < relayout->destination.rank; d++) {
		size_t length = strlen(relayout->assume);

		if (!is_literal(pair, d))
			snprintf(relayout->assume + length,
				sizeof(relayout->assume) - length, "%s%s <= %" PRId64,
				length ? " and " : "", relayout->size[d], pair->most[d]);
	}
}

static const char *random_target(uint64_t *state)
{
	unsigned count = 0;

	while (share_target(count))
		count++;
	return share_target(1 + random_below(state, count - 1))->name;
}

static void random_pair(uint64_t *state, struct pair *pair)
{
	struct relayout *relayout = &pair->relayout;
	unsigned rank = random_rank(state);

	memset(pair, 0, sizeof(*pair));
	relayout->source.rank = relayout->destination.rank = rank;
	random_sizes(state, pair);
	do
		random_storage(state, pair, &relayout->source);
	while (!fits(pair, &relayout->source));
	do
		random_storage(state, pair, &relayout->destination);
	while (!fits(pair, &relayout->destination));
	assume_apart(pair);
	relayout->element = relayout_any_element(state,
		relayout->destination.kind == MODEL_STRIDED);
	relayout->pad = (uint64_t)random_wide(state, INT64_MAX);
	relayout->target = random_target(state);
	relayout->through_lds = !random_below(state, 4);
}

/* Pairs are taken by whichever thread comes next; each has a stream of its own. */
struct work {
	uint64_t seed;
	atomic_uint next, failures;
};

/* Tiles of programs are stored in whole bytes. */
static bool has_bytes(const struct relayout *relayout)
{
	return relayout->element->bits >= 8 && relayout->element->to_bits >= 8;
}

static void *take_pairs(void *user)
{
	struct work *work = user;
	layout_context *ctx = layout_context_new();
	unsigned i;

	while ((i = work->next++) < share_count(PAIRS)) {
		uint64_t random = work->seed + i * UINT64_C(0x9e3779b97f4a7c15);
		struct pair pair;

		random_pair(&random, &pair);
		work->failures += relayout_check(ctx, &pair.relayout, SHAPES, pair.n);
		if (i % PROGRAMS || !has_bytes(&pair.relayout))
			continue;
		pair.relayout.as_program = true;
		work->failures += relayout_check(ctx, &pair.relayout, SHAPES, pair.n);
	}
	work->failures += !layout_context_free(ctx);
	return NULL;
}

static void test_random_pairs(void **state)
{
	struct work work = { .seed = random_seed() };
	pthread_t threads[THREADS];

	(void)state;
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, take_pairs, &work), 0);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(work.failures, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
