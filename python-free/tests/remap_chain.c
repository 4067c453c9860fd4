/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps of chains, on the host and in the simulator, against an array that is moved
 * operation by operation. */
#include "support/append.h"
#include "support/bit_array.h"
#include "support/random.h"
#include "support/share.h"
#include "support/storage_model.h"

#include "lower/kernel.h"
#include <layout/codegen.h>
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RANK 6
#define OPERATIONS 6
#define ELEMENTS 4000
#define SIZE_TEXT 200
#define SIZE_NAMES 4	/* A, B, C of the source; P */
#define RANDOM_CHAINS 250

enum kind { TRANSPOSE, EXPAND, COLLAPSE, SLICE, PAD, PACK, UNPACK, BROADCAST, KINDS };

/* What an operation does, by dimension of its result or of what it is done to.
 *
 *	TRANSPOSE	from[j]: of result dimension j
 *	EXPAND		dimension at becomes ?, b, a
 *	COLLAPSE	dimensions at and at + 1 become one
 *	SLICE		offset a, stride b, "count" of dimension at
 *	PAD		a before and b behind dimension at, and P before dimension 0 if named
 *	PACK, UNPACK	dimension at, in tiles of a; they are the last dimension
 *	BROADCAST	dimension at of size a is new */
struct operation {
	enum kind kind;
	unsigned at, from[RANK];
	int64_t a, b, count;
	bool named;
};

struct chain {
	struct storage_model source, destination;
	int64_t fixed[RANK];	/* sizes of the source; 0: a name */
	unsigned count;
	struct operation operations[OPERATIONS];
	const char *type;
	unsigned bits;
	uint64_t pad;
	bool pads;
};

/* Elements in row-major order: numbers of those of the source, or -1 for padding. */
struct array {
	unsigned rank;
	int64_t shape[RANK];
	int64_t *elements;
};

static const char *const names[SIZE_NAMES] = { "A", "B", "C", "P" };

static const struct {
	const char *type;
	unsigned bits;
} types[] = {
	{ "i8", 8 }, { "f16", 16 }, { "f32", 32 }, { "i64", 64 }, { "u4", 4 }, { "i2", 2 },
	{ "f6E2M3FN", 6 },
};
#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

static const char *const targets[] = { "host", "gfx942", "gfx1100", "sm_90" };
#define TARGET_COUNT (sizeof(targets) / sizeof(targets[0]))

static int64_t count_of(unsigned rank, const int64_t *shape)
{
	int64_t count = 1;

	for (unsigned d = 0; d < rank; d++)
		count *= shape[d];
	return count;
}

static void next_index(unsigned rank, const int64_t *shape, int64_t *i)
{
	for (unsigned d = rank; d-- > 0;) {
		if (++i[d] < shape[d])
			return;
		i[d] = 0;
	}
}

static int64_t number_of(const struct array *array, const int64_t *i)
{
	int64_t number = 0;

	for (unsigned d = 0; d < array->rank; d++)
		number = number * array->shape[d] + i[d];
	return number;
}

/* The shape behind an operation; false where it cannot be done. */
static bool shape_behind(const struct operation *op, const struct array *in, int64_t p,
	struct array *out)
{
	unsigned at = op->at;

	*out = *in;
	switch (op->kind) {
	case TRANSPOSE:
		for (unsigned d = 0; d < in->rank; d++)
			out->shape[d] = in->shape[op->from[d]];
		return true;
	case EXPAND:
		out->rank += 2;
		for (unsigned d = out->rank; --d > at + 2;)
			out->shape[d] = in->shape[d - 2];
		out->shape[at] = in->shape[at] / (op->a * op->b);
		out->shape[at + 1] = op->b;
		out->shape[at + 2] = op->a;
		return in->shape[at] % (op->a * op->b) == 0;
	case COLLAPSE:
		out->rank--;
		out->shape[at] = in->shape[at] * in->shape[at + 1];
		for (unsigned d = at + 1; d < out->rank; d++)
			out->shape[d] = in->shape[d + 1];
		return true;
	case SLICE:
		out->shape[at] = op->count;
		return !op->count ||
			op->a + (op->count - 1) * op->b < in->shape[at];
	case PAD:
		out->shape[at] += op->a + op->b;
		out->shape[0] += op->named ? p : 0;
		return true;
	case PACK:
		out->rank++;
		out->shape[at] = (in->shape[at] + op->a - 1) / op->a;
		out->shape[in->rank] = op->a;
		return true;
	case UNPACK:
		out->rank--;
		out->shape[at] = in->shape[at] * in->shape[out->rank];
		return true;
	default:
		out->rank++;
		for (unsigned d = out->rank; --d > at;)
			out->shape[d] = in->shape[d - 1];
		out->shape[at] = op->a;
		return true;
	}
}

/* The index before the operation of index "i" behind it; false for padding. */
static bool index_before(const struct operation *op, const struct array *in, int64_t p,
	const int64_t *i, int64_t *j)
{
	unsigned at = op->at;

	for (unsigned d = 0; d < in->rank; d++)
		j[d] = i[d];
	switch (op->kind) {
	case TRANSPOSE:
		for (unsigned d = 0; d < in->rank; d++)
			j[op->from[d]] = i[d];
		return true;
	case EXPAND:
		j[at] = (i[at] * op->b + i[at + 1]) * op->a + i[at + 2];
		for (unsigned d = at + 1; d < in->rank; d++)
			j[d] = i[d + 2];
		return true;
	case COLLAPSE:
		j[at] = i[at] / in->shape[at + 1];
		j[at + 1] = i[at] % in->shape[at + 1];
		for (unsigned d = at + 2; d < in->rank; d++)
			j[d] = i[d - 1];
		return true;
	case SLICE:
		j[at] = op->a + i[at] * op->b;
		return true;
	case PAD:
		j[at] -= op->a;
		j[0] -= op->named ? p : 0;
		return j[at] >= 0 && j[at] < in->shape[at] && j[0] >= 0 &&
			j[0] < in->shape[0];
	case PACK:
		j[at] = i[at] * op->a + i[in->rank];
		return j[at] < in->shape[at];
	case UNPACK:
		j[in->rank - 1] = i[at] % in->shape[in->rank - 1];
		j[at] = i[at] / in->shape[in->rank - 1];
		return true;
	default:
		for (unsigned d = at; d < in->rank; d++)
			j[d] = i[d + 1];
		return true;
	}
}

/* Do the operation; false where it cannot be done at these sizes. */
static bool move(const struct operation *op, struct array *array, int64_t p)
{
	struct array in = *array;
	int64_t i[RANK] = { 0 }, j[RANK], count;

	if (!shape_behind(op, &in, p, array))
		return false;
	count = count_of(array->rank, array->shape);
	array->elements = malloc(((size_t)count + 1) * sizeof(*array->elements));
	assert_non_null(array->elements);
	for (int64_t e = 0; e < count; e++) {
		array->elements[e] = index_before(op, &in, p, i, j) ?
			in.elements[number_of(&in, j)] : -1;
		next_index(array->rank, array->shape, i);
	}
	free(in.elements);
	return true;
}

static struct array source_array(const struct chain *chain, const int64_t *n)
{
	struct array array = { .rank = chain->source.rank };
	int64_t count = count_of(array.rank, n);

	memcpy(array.shape, n, sizeof(*n) * array.rank);
	array.elements = malloc(((size_t)count + 1) * sizeof(*array.elements));
	assert_non_null(array.elements);
	for (int64_t e = 0; e < count; e++)
		array.elements[e] = e;
	return array;
}

/* "[0, 1, 2]" with "what" instead of "other" at one place */
static void append_list(char *text, unsigned rank, unsigned at, int64_t what,
	const char *first)
{
	append_text(text, 2 * MODEL_TEXT, "[");
	for (unsigned d = 0; d < rank; d++)
		append_text(text, 2 * MODEL_TEXT,
			"%s%" PRId64 "%s", d ? ", " : "", d == at ? what : 0,
			d == 0 ? first : "");
	append_text(text, 2 * MODEL_TEXT, "]");
}

/* "[[0], [1, 2, 3], [4]]": "many" in the group of dimension "at" */
static void append_groups(char *text, unsigned rank, unsigned at, unsigned many)
{
	append_text(text, 2 * MODEL_TEXT, "[");
	for (unsigned d = 0, g = 0; d < rank; g++) {
		append_text(text, 2 * MODEL_TEXT, g ? ", [" : "[");
		for (unsigned k = 0; k < (g == at ? many : 1); k++, d++)
			append_text(text, 2 * MODEL_TEXT, "%s%u", k ? ", " : "", d);
		append_text(text, 2 * MODEL_TEXT, "]");
	}
	append_text(text, 2 * MODEL_TEXT, "]");
}

static void copy_text(char to[SIZE_TEXT], const char *from)
{
	assert_true(strlen(from) < SIZE_TEXT);
	strcpy(to, from);
}

/* The sizes of a chain so far, as it says itself; false where it is none. */
static bool sizes_so_far(layout_context *ctx, const char *text, char sizes[RANK][SIZE_TEXT])
{
	char whole[2 * MODEL_TEXT];
	layout_chain *chain;

	snprintf(whole, sizeof(whole), "%s)", text);
	chain = layout_chain_parse(ctx, whole);
	for (unsigned d = 0; chain && d < layout_chain_rank(chain); d++)
		copy_text(sizes[d], layout_chain_size(chain, d));
	layout_chain_free(chain);
	return chain;
}

static void append_slice(char *text, const struct operation *op, unsigned rank,
	char sizes[RANK][SIZE_TEXT])
{
	append_text(text, 2 * MODEL_TEXT, ", extract_slice(");
	append_list(text, rank, op->at, op->a, "");
	append_text(text, 2 * MODEL_TEXT, ", [");
	for (unsigned d = 0; d < rank; d++)
		if (d == op->at)
			append_text(text, 2 * MODEL_TEXT,
				"%s%" PRId64, d ? ", " : "", op->count);
		else
			append_text(text, 2 * MODEL_TEXT,
				"%s%s", d ? ", " : "", sizes[d]);
	append_text(text, 2 * MODEL_TEXT, "], [");
	for (unsigned d = 0; d < rank; d++)
		append_text(text, 2 * MODEL_TEXT,
			"%s%" PRId64, d ? ", " : "", d == op->at ? op->b : 1);
	append_text(text, 2 * MODEL_TEXT, "])");
}

/* An operation on a tensor of that rank and these sizes. */
static void append_operation(char *text, const struct chain *chain,
	const struct operation *op, unsigned rank, char sizes[RANK][SIZE_TEXT])
{
	switch (op->kind) {
	case TRANSPOSE:
		append_text(text, 2 * MODEL_TEXT, ", transpose([");
		for (unsigned d = 0; d < rank; d++)
			append_text(text, 2 * MODEL_TEXT,
				"%s%u", d ? ", " : "", op->from[d]);
		append_text(text, 2 * MODEL_TEXT, "])");
		return;
	case EXPAND:
		append_text(text, 2 * MODEL_TEXT, ", expand_shape(");
		append_groups(text, rank + 2, op->at, 3);
		append_text(text, 2 * MODEL_TEXT, ", [");
		for (unsigned d = 0; d < rank; d++) {
			append_text(text, 2 * MODEL_TEXT,
				"%s%s", d ? ", " : "", d == op->at ? "?" : sizes[d]);
			if (d == op->at)
				append_text(text, 2 * MODEL_TEXT,
					", %" PRId64 ", %" PRId64, op->b, op->a);
		}
		append_text(text, 2 * MODEL_TEXT, "])");
		return;
	case COLLAPSE:
		append_text(text, 2 * MODEL_TEXT, ", collapse_shape(");
		append_groups(text, rank, op->at, 2);
		append_text(text, 2 * MODEL_TEXT, ")");
		return;
	case SLICE:
		append_slice(text, op, rank, sizes);
		return;
	case PAD:
		append_text(text, 2 * MODEL_TEXT, ", pad(");
		append_list(text, rank, op->at, op->a, op->named ? " + P" : "");
		append_text(text, 2 * MODEL_TEXT, ", ");
		append_list(text, rank, op->at, op->b, "");
		append_text(text, 2 * MODEL_TEXT, ", 0x%" PRIx64 ")", chain->pad);
		return;
	case PACK:
		append_text(text, 2 * MODEL_TEXT,
			", pack([%u], [%" PRId64 "], pad = 0x%" PRIx64 ")", op->at,
			op->a, chain->pad);
		return;
	case UNPACK:
		append_text(text, 2 * MODEL_TEXT, ", unpack([%u], [", op->at);
		for (unsigned d = 0; d + 1 < rank; d++)
			append_text(text, 2 * MODEL_TEXT, "%s?", d ? ", " : "");
		append_text(text, 2 * MODEL_TEXT, "])");
		return;
	default:
		append_text(text, 2 * MODEL_TEXT,
			", broadcast([%u], [%" PRId64 "])", op->at, op->a);
	}
}

static unsigned rank_behind(const struct operation *op, unsigned rank)
{
	static const int change[KINDS] = { [EXPAND] = 2, [COLLAPSE] = -1, [PACK] = 1,
		[UNPACK] = -1, [BROADCAST] = 1 };

	return (unsigned)((int)rank + change[op->kind]);
}

static void source_text(const struct chain *chain, char text[MODEL_TEXT])
{
	char sizes[RANK][24] = { "" };
	const char *list[RANK];

	for (unsigned d = 0; d < chain->source.rank; d++) {
		if (chain->fixed[d])
			snprintf(sizes[d], sizeof(sizes[d]), "%" PRId64, chain->fixed[d]);
		else
			snprintf(sizes[d], sizeof(sizes[d]), "%s", names[d % 3]);
		list[d] = sizes[d];
	}
	storage_model_text(&chain->source, list, text);
}

/* "chain(row_major[A, 3], .." without the last parenthesis; false where the chain is
 * refused. */
static bool chain_text(layout_context *ctx, const struct chain *chain, char *text)
{
	char source[MODEL_TEXT], sizes[RANK][SIZE_TEXT];
	unsigned rank = chain->source.rank;

	source_text(chain, source);
	snprintf(text, 2 * MODEL_TEXT, "chain(%s", source);
	for (unsigned k = 0; k < chain->count; k++) {
		if (!sizes_so_far(ctx, text, sizes))
			return false;
		append_operation(text, chain, &chain->operations[k], rank, sizes);
		rank = rank_behind(&chain->operations[k], rank);
	}
	return sizes_so_far(ctx, text, sizes);
}

/* A chain without padding has no pad value for the padding of the destination. */
static void remap_text(const struct chain *chain, const char *text, unsigned rank,
	char whole[4 * MODEL_TEXT])
{
	static const char *const sizes[MODEL_RANK] = { "?", "?", "?", "?", "?", "?" };
	struct storage_model destination = chain->destination;
	char to[MODEL_TEXT];

	destination.rank = rank;
	storage_model_text(&destination, sizes, to);
	snprintf(whole, 4 * MODEL_TEXT, "remap(%s) -> %s, type = %s", text, to,
		chain->type);
	if (destination.kind == MODEL_PACKED)
		snprintf(whole + strlen(whole), MODEL_TEXT, ", pad = 0x%" PRIx64,
			chain->pad);
	strcat(whole, ")");
}

/* All cells are padding but those of the array's elements. */
static unsigned char *expected_bytes(const struct chain *chain, const struct array *array,
	const unsigned char *from, const int64_t *n)
{
	struct storage_model destination = chain->destination;
	int64_t i[RANK] = { 0 }, count = count_of(array->rank, array->shape), cells;
	unsigned char *bytes;

	destination.rank = array->rank;
	cells = storage_model_elements(&destination, array->shape);
	bytes = bit_array_guarded(cells, chain->bits, 0xa5);
	memset(bytes + BIT_ARRAY_GUARD, 0, bit_array_bytes(cells, chain->bits));
	for (int64_t e = 0; e < cells; e++)
		bit_array_set(bytes + BIT_ARRAY_GUARD, e, chain->bits, chain->pad);
	for (int64_t e = 0; e < count; e++, next_index(array->rank, array->shape, i)) {
		int64_t j[RANK] = { 0 }, rest = array->elements[e];

		if (rest < 0)
			continue;
		for (unsigned d = chain->source.rank; d-- > 0; rest /= n[d])
			j[d] = rest % n[d];
		bit_array_set(bytes + BIT_ARRAY_GUARD,
			storage_model_offset(&destination, array->shape, i), chain->bits,
			bit_array_get(from + BIT_ARRAY_GUARD,
				storage_model_offset(&chain->source, n, j), chain->bits));
	}
	return bytes;
}

/* The array that the chain makes of its source; false where it cannot at these sizes. */
static bool move_all(const struct chain *chain, const int64_t *n, int64_t p,
	struct array *array)
{
	*array = source_array(chain, n);
	for (unsigned k = 0; k < chain->count; k++)
		if (!move(&chain->operations[k], array, p)) {
			free(array->elements);
			return false;
		}
	return true;
}

static bool run(layout_context *ctx, layout_kernel *kernel, const struct chain *chain,
	const int64_t *n, int64_t p, const unsigned char *from, unsigned char *to,
	int64_t cells)
{
	layout_size sizes[SIZE_NAMES];
	layout_run launch = LAYOUT_RUN_INIT;

	for (unsigned d = 0; d < 3; d++)
		sizes[d] = (layout_size){ names[d], d < chain->source.rank ? n[d] : 0 };
	sizes[3] = (layout_size){ names[3], p };
	launch.source = from + BIT_ARRAY_GUARD;
	launch.source_bytes = bit_array_bytes(storage_model_elements(&chain->source, n),
		chain->bits);
	launch.destination = to + BIT_ARRAY_GUARD;
	launch.destination_bytes = bit_array_bytes(cells, chain->bits);
	launch.sizes = sizes;
	launch.size_count = SIZE_NAMES;
	return layout_kernel_run(ctx, kernel, &launch);
}

/* Where the chain cannot be followed at these sizes, the launch is refused. */
static bool check_sizes(layout_context *ctx, layout_kernel *kernel,
	const struct chain *chain, const int64_t *n, int64_t p)
{
	int64_t elements = storage_model_elements(&chain->source, n), cells;
	size_t size = bit_array_bytes(elements, chain->bits);
	unsigned char *from = bit_array_guarded(elements, chain->bits, 0), *to, *expected;
	struct storage_model destination = chain->destination;
	struct array array;
	bool good;

	for (size_t b = 0; b < size; b++)
		from[BIT_ARRAY_GUARD + b] = (unsigned char)(b * 167 + b / 256 * 31 + 11);
	if (!move_all(chain, n, p, &array)) {
		to = bit_array_guarded(ELEMENTS, chain->bits, 0);
		good = !run(ctx, kernel, chain, n, p, from, to, ELEMENTS) &&
			strstr(layout_context_message(ctx), "requires");
		if (!good)
			print_error("launched: %s\n", layout_context_message(ctx));
		layout_context_clear(ctx);
		free(from);
		free(to);
		return good;
	}
	destination.rank = array.rank;
	cells = storage_model_elements(&destination, array.shape);
	expected = expected_bytes(chain, &array, from, n);
	to = bit_array_guarded(cells, chain->bits, 0xa5);
	good = run(ctx, kernel, chain, n, p, from, to, cells);
	size = bit_array_guarded_bytes(cells, chain->bits);
	if (!good)
		print_error("%s\n", layout_context_message(ctx));
	else if (memcmp(to, expected, size)) {
		size_t at = 0;

		while (to[at] == expected[at])
			at++;
		print_error("byte %td is %02x, not %02x\n", (ptrdiff_t)at - BIT_ARRAY_GUARD, to[at],
			expected[at]);
		good = false;
	}
	free(array.elements);
	free(from);
	free(to);
	free(expected);
	return good;
}

static unsigned result_rank(const struct chain *chain)
{
	unsigned rank = chain->source.rank;

	for (unsigned k = 0; k < chain->count; k++)
		rank = rank_behind(&chain->operations[k], rank);
	return rank;
}

/* False where the chain is refused, for a reason that is one. */
static bool check_chain(const struct chain *chain, const char *target, unsigned count,
	const int64_t (*sizes)[SIZE_NAMES], bool *tiled)
{
	layout_context *ctx = layout_context_new();
	char text[2 * MODEL_TEXT], whole[4 * MODEL_TEXT];
	layout_remap *remap, *copy;
	layout_kernel *kernel;
	char *printed, *again;

	if (!chain_text(ctx, chain, text)) {
		layout_error error = layout_context_error(ctx);

		if (error != LAYOUT_ERROR_UNSUPPORTED && error != LAYOUT_ERROR_INVALID)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		layout_context_free(ctx);
		return false;
	}
	remap_text(chain, text, result_rank(chain), whole);
	remap = layout_remap_parse(ctx, whole);
	printed = layout_remap_str(remap);
	copy = layout_remap_copy(remap);
	again = layout_remap_str(copy);
	kernel = layout_kernel_new(copy, target, NULL);
	if (!kernel)
		fail_msg("%s: %s", whole, layout_context_message(ctx));
	assert_string_equal(printed, again);
	*tiled = kernel->plan->tile;
	for (unsigned s = 0; s < count; s++) {
		int64_t n[MODEL_RANK] = { 0 };

		for (unsigned d = 0; d < chain->source.rank; d++)
			n[d] = chain->fixed[d] ? chain->fixed[d] : sizes[s][d];
		if (!check_sizes(ctx, kernel, chain, n, sizes[s][3]))
			fail_msg("%s\n\ton %s at %" PRId64 ", %" PRId64 ", %" PRId64
				", P = %" PRId64, whole, target, n[0], n[1], n[2],
				sizes[s][3]);
	}
	layout_string_free(printed);
	layout_string_free(again);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	layout_remap_free(copy);
	assert_true(layout_context_free(ctx));
	return true;
}

static unsigned below(uint64_t *state, unsigned bound)
{
	return random_below(state, bound);
}

static void random_model(uint64_t *state, struct storage_model *model)
{
	static const enum model_kind kinds[] = { MODEL_ROW, MODEL_ROW, MODEL_COLUMN,
		MODEL_PACKED };

	model->kind = kinds[below(state, 4)];
	for (unsigned d = 0; d < RANK; d++) {
		model->outer[d] = d;
		if (model->kind == MODEL_PACKED && below(state, 2))
			model->tile[d] = 1 + below(state, 8);
	}
	if (model->kind == MODEL_PACKED && !model->tile[0])
		model->tile[0] = 4;
}

/* An operation on a tensor of these sizes, of which those that are not "named" are
 * numbers.  False where it cannot be of that kind. */
static bool random_operation(uint64_t *state, const struct array *array,
	const bool *named, struct operation *op)
{
	unsigned rank = array->rank;

	*op = (struct operation){ .kind = (enum kind)below(state, KINDS) };
	op->at = rank ? below(state, rank) : 0;
	switch (op->kind) {
	case TRANSPOSE:
		for (unsigned d = 0; d < rank; d++) {
			unsigned k = below(state, d + 1);

			op->from[d] = op->from[k];
			op->from[k] = d;
		}
		return rank > 1;
	case EXPAND:
		op->a = 1 + below(state, 4);
		op->b = 1 + below(state, 3);
		return rank && rank + 2 <= RANK &&
			array->shape[op->at] % (op->a * op->b) == 0;
	case COLLAPSE:
		return op->at + 1 < rank && !named[op->at + 1];
	case SLICE:
		if (!rank || !array->shape[op->at])
			return false;
		op->a = below(state, (unsigned)array->shape[op->at]);
		op->b = 1 + below(state, 3);
		op->count = named[op->at] + below(state, (unsigned)(
			(array->shape[op->at] - 1 - op->a) / op->b) + 2 -
			named[op->at]);
		return true;
	case PAD:
		op->a = below(state, 3) ? below(state, 5) : 0;
		op->b = below(state, 6);
		op->named = below(state, 3) == 0;
		return rank;
	case PACK:
		op->a = 1 + below(state, 7);
		return rank && rank < RANK;
	case UNPACK:
		return op->at + 1 < rank && !named[rank - 1];
	default:
		op->a = below(state, 4);
		op->at = below(state, rank + 1);
		return rank < RANK;
	}
}

/* Which sizes behind the operation are no numbers? */
static void name_behind(const struct operation *op, unsigned rank, bool *named)
{
	bool before[RANK];
	unsigned at = op->at;

	memcpy(before, named, sizeof(before));
	switch (op->kind) {
	case TRANSPOSE:
		for (unsigned d = 0; d < rank; d++)
			named[d] = before[op->from[d]];
		return;
	case EXPAND:
		for (unsigned d = rank + 2; --d > at + 2;)
			named[d] = before[d - 2];
		named[at + 1] = named[at + 2] = false;
		return;
	case COLLAPSE:
		for (unsigned d = at + 1; d + 1 < rank; d++)
			named[d] = before[d + 1];
		return;
	case SLICE:
		named[at] = false;
		return;
	case PAD:
		named[0] = named[0] || op->named;
		return;
	case PACK:
		named[rank] = false;
		return;
	case UNPACK:
		return;
	default:
		for (unsigned d = rank + 1; --d > at;)
			named[d] = before[d - 1];
		named[at] = false;
	}
}

/* A chain that can be followed at sizes[0]. */
static struct chain random_chain(uint64_t *state, int64_t *sizes)
{
	size_t type = below(state, TYPE_COUNT);
	struct chain chain = { .type = types[type].type, .bits = types[type].bits,
		.pad = 0x123456789abcdef5u & (~UINT64_C(0) >> (64 - types[type].bits)) };
	unsigned wanted = 1 + below(state, OPERATIONS);
	struct array array;
	bool named[RANK] = { false };

	random_model(state, &chain.source);
	random_model(state, &chain.destination);
	chain.source.rank = 1 + below(state, 3);
	for (unsigned d = 0; d < chain.source.rank; d++) {
		chain.fixed[d] = below(state, 2) ? 1 + below(state, 12) : 0;
		named[d] = !chain.fixed[d];
	}
	for (unsigned d = 0; d < RANK; d++)
		chain.source.tile[d] = d < chain.source.rank ? chain.source.tile[d] : 0;
	array = source_array(&chain, (int64_t[RANK]){
		chain.fixed[0] ? chain.fixed[0] : sizes[0],
		chain.fixed[1] ? chain.fixed[1] : sizes[1],
		chain.fixed[2] ? chain.fixed[2] : sizes[2] });
	for (unsigned tries = 0; tries < 40 && chain.count < wanted; tries++) {
		struct operation *op = &chain.operations[chain.count];
		struct array behind;

		if (!random_operation(state, &array, named, op) ||
		    !shape_behind(op, &array, sizes[3], &behind) ||
		    count_of(behind.rank, behind.shape) > ELEMENTS)
			continue;
		name_behind(op, array.rank, named);
		assert_true(move(op, &array, sizes[3]));
		chain.pads = chain.pads || op->kind == PAD || op->kind == PACK;
		chain.count++;
	}
	free(array.elements);
	if (!chain.pads)
		chain.pad = 0;
	for (unsigned d = 0; d < RANK; d++)
		chain.destination.tile[d] = d < result_rank(&chain) ?
			chain.destination.tile[d] : 0;
	return chain;
}

static void random_chains(void **state)
{
	uint64_t seed = random_seed();
	unsigned count = share_count(RANDOM_CHAINS), done = 0, tiled = 0;

	(void)state;
	for (unsigned i = 0; i < count; i++) {
		int64_t sizes[4][SIZE_NAMES];
		struct chain chain;
		bool tile = false;

		for (unsigned s = 0; s < 4; s++)
			for (unsigned d = 0; d < SIZE_NAMES; d++)
				sizes[s][d] = s == 3 ? 0 : random_below(&seed, s ? 13 : 25);
		chain = random_chain(&seed, sizes[0]);
		done += check_chain(&chain, targets[i % TARGET_COUNT], 4,
			(const int64_t (*)[SIZE_NAMES])sizes, &tile);
		tiled += tile;
	}
	print_message("%u of %u chains, %u by tiles\n", done, count, tiled);
	assert_true(done > count * 3 / 4);
}

/* Sizes beyond a tile, and a sum that 128 does not divide. */
static const int64_t large[][SIZE_NAMES] = { { 100, 70, 0, 28 }, { 256, 130, 0, 0 },
	{ 1, 1, 0, 127 }, { 0, 9, 0, 128 }, { 300, 64, 0, 84 }, { 100, 70, 0, 29 } };

static const struct chain wide[] = {
	{ { MODEL_ROW, 2 }, { MODEL_ROW }, { 0 }, 3, { { PAD, .named = true },
	  { EXPAND, .a = 64, .b = 2 }, { TRANSPOSE, .from = { 2, 0, 1, 3 } } }, "f32", 32,
	  0x40400000, true },
	{ { MODEL_COLUMN, 2 }, { MODEL_ROW, .row = 64, .access = 8 }, { 0, 64 }, 2,
	  { { PAD, .named = true }, { COLLAPSE } }, "i8", 8, 0x37, true },
	{ { MODEL_ROW, 2 }, { MODEL_ROW }, { 0 }, 3, { { PACK, 0, .a = 32 },
	  { PACK, 1, .a = 8 }, { TRANSPOSE, .from = { 1, 0, 2, 3 } } }, "f16", 16, 0x1234,
	  true },
	{ { MODEL_PACKED, 2, .tile = { 16, 8 }, .outer = { 0, 1 } }, { MODEL_ROW }, { 0 }, 1,
	  { { TRANSPOSE, .from = { 1, 0 } } }, "i64", 64, 0, false },
	{ { MODEL_ROW, 2 }, { MODEL_ROW }, { 200 }, 2, { { SLICE, 0, .a = 40, .b = 1,
	  .count = 150 }, { TRANSPOSE, .from = { 1, 0 } } }, "f32", 32, 0, false },
	{ { MODEL_PACKED, 2, .tile = { 16, 8 }, .outer = { 0, 1 } }, { MODEL_COLUMN },
	  { 200 }, 1, { { SLICE, 0, .a = 48, .b = 1, .count = 133 } }, "f16", 16, 0, false },
	{ { MODEL_ROW, 3 }, { MODEL_ROW }, { 20, 0, 16 }, 1, { { SLICE, 0, .a = 3, .b = 1,
	  .count = 11 } }, "f32", 32, 0, false },
	{ { MODEL_ROW, 3 }, { MODEL_COLUMN }, { 0, 0, 16 }, 2, { { UNPACK, 0 },
	  { TRANSPOSE, .from = { 1, 0 } } }, "f32", 32, 0, false },
	{ { MODEL_ROW, 2 }, { MODEL_ROW }, { 64, 64 }, 3, { { TRANSPOSE, .from = { 1, 0 } },
	  { COLLAPSE }, { SLICE, 0, .a = 2052, .b = 1, .count = 1000 } }, "f32", 32, 0,
	  false },
	{ { MODEL_ROW, 2 }, { MODEL_ROW }, { 0, 200 }, 1, { { SLICE, 1, .a = 1, .b = 2,
	  .count = 99 } }, "f16", 16, 0, false },
	{ { MODEL_COLUMN, 2 }, { MODEL_ROW }, { 400, 300 }, 2, { { SLICE, 1, .a = 5, .b = 3,
	  .count = 98 }, { SLICE, 0, .a = 3, .b = 7, .count = 56 } }, "i8", 8, 0, false },
	{ { MODEL_ROW, 2 }, { MODEL_PACKED, .tile = { 8, 16 }, .outer = { 0, 1 } },
	  { 100, 300 }, 2, { { SLICE, 1, .a = 0, .b = 4, .count = 75 },
	  { SLICE, 0, .a = 3, .b = 2, .count = 48 } }, "f32", 32, 0, false },
	{ { MODEL_ROW, 2 }, { MODEL_ROW }, { 0, 400 }, 1, { { SLICE, 1, .a = 2, .b = 3,
	  .count = 131 } }, "f32", 32, 0, false },
	{ { MODEL_ROW, 2 }, { MODEL_ROW }, { 0, 300 }, 2, { { SLICE, 1, .a = 0, .b = 2,
	  .count = 150 }, { TRANSPOSE, .from = { 1, 0 } } }, "i8", 8, 0, false },
	{ { MODEL_ROW, 2 }, { MODEL_ROW }, { 0, 900 }, 1, { { SLICE, 1, .a = 4, .b = 7,
	  .count = 128 } }, "f16", 16, 0, false },
};

static void wide_tiles(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		for (size_t t = 0; t < TARGET_COUNT; t++) {
			bool tiled = false;

			if (!share_has(i, t, TARGET_COUNT))
				continue;
			assert_true(check_chain(&wide[i], targets[t],
				sizeof(large) / sizeof(*large), large, &tiled));
			if (tiled != (t > 0))
				fail_msg("chain %zu on %s", i, targets[t]);
		}
}

/* Rows of two digits, 3 x 5, with padding behind them: a vector of the CPU that begins in one
 * row of 5 and ends in the next is not at an edge of the source. */
static void vectors_across_digits(void **state)
{
	static const int64_t sizes[][SIZE_NAMES] = { { 12 }, { 1 }, { 13 }, { 0 } };
	static const struct chain rows = { { MODEL_ROW, 3 }, { MODEL_PACKED, .tile = { 4, 1 },
		.outer = { 0, 1 } }, { 0, 3, 5 }, 2, { { COLLAPSE, 1 }, { PAD, 1, .b = 5 } },
		"f16", 16, 0xdef5, true };
	bool tiled;

	(void)state;
	assert_true(check_chain(&rows, "host", sizeof(sizes) / sizeof(*sizes), sizes, &tiled));
}

/* A source of one element in a dimension, between padding, which steps by nothing there. */
static void one_element_between_padding(void **state)
{
	static const int64_t sizes[][SIZE_NAMES] = { { 0, 427 }, { 0, 1 }, { 0, 0 }, { 0, 65 } };
	static const struct chain rows[] = {
		{ { MODEL_ROW, 2 }, { MODEL_ROW }, { 1 }, 2, { { PAD, 0, .a = 3 },
			{ TRANSPOSE, .from = { 1, 0 } } }, "f64", 64, 0xdef5, true },
		{ { MODEL_ROW, 2 }, { MODEL_ROW }, { 1 }, 3, { { PAD, 0, .a = 3, .b = 1 },
			{ PAD, 1, .a = 3 }, { TRANSPOSE, .from = { 1, 0 } } }, "f32", 32,
			0xdef5, true },
		{ { MODEL_ROW, 2 }, { MODEL_ROW }, { 1 }, 2, { { PAD, 0, .a = 1, .b = 2 },
			{ PAD, 1, .a = 5, .b = 2 } }, "i8", 8, 0xf5, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool tiled;

		assert_true(check_chain(&rows[i], "host", sizeof(sizes) / sizeof(*sizes), sizes,
			&tiled));
	}
}

/* The sixth row of elements of half a byte begins inside one where rows are odd. */
static void a_row_begins_inside_a_byte(void **state)
{
	static const int64_t sizes[][SIZE_NAMES] = { { 0, 1 }, { 0, 8 }, { 0, 33 } };
	static const struct chain row = { { MODEL_ROW, 2 }, { MODEL_PACKED, .tile = { 2, 1 },
		.outer = { 0, 1 } }, { 6 }, 2, { { SLICE, 0, .a = 5, .b = 1, .count = 1 },
		{ PAD, 0, .b = 5 } }, "u4", 4, 5, true };
	bool tiled;

	(void)state;
	assert_true(check_chain(&row, "gfx1100", sizeof(sizes) / sizeof(*sizes), sizes,
		&tiled));
}

#define LHS "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16], " \
	"[\"CrossIntrinsic\", 8 : i16], [\"CrossThread\", 4 : i16]], [[\"CrossIntrinsic\", " \
	"4 : i16], [\"CrossThread\", 4 : i16]]], permutation = [1, 4, 0, 2, 3]}}>"

/* Chains that only move digits become tiles; what they require of sizes is "requires". */
static const struct {
	const char *text, *requires;
	bool tiled;
} plain[] = {
	{ "chain(row_major[M, K], pad([0, 0], [P, 0]), expand_shape([[0, 1], [2]], "
	  "[?, 128, K]), transpose([1, 0, 2])) -> row_major[?, ?, ?]", "(M + P) mod 128 = 0",
	  true },
	{ "chain(row_major[M, K], pad([P, 0], [0, 0]), expand_shape([[0, 1], [2]], "
	  "[?, 128, K]), transpose([1, 0, 2])) -> row_major[128, A, K]",
	  "A = floor((M + P)/128)", true },
	{ "chain(row_major[M, K], transpose([1, 0])) -> row_major[?, ?]", NULL, true },
	{ "chain(row_major[M, K], pack([0, 1], [128, 16], pad = 0.0)) -> "
	  "row_major[?, ?, ?, ?]", NULL, true },
	{ "chain(row_major[ceil(M/128), ceil(K/16), 128, 16], unpack([0, 1], [M, K])) -> "
	  "row_major[?, ?]", NULL, true },
	{ "chain(row_major[M, 128], collapse_shape([[0, 1]])) -> "
	  "swizzled(row_major[?], xor_shuffle<64, 8>)", NULL, true },
	{ "chain(packed(" LHS ", [M, K]), transpose([1, 0])) -> row_major[?, ?]", NULL,
	  true },
	{ "chain(row_major[64, K], extract_slice([8, 0], [32, K], [1, 1])) -> "
	  "row_major[?, ?]", NULL, true },
	{ "chain(row_major[64, K], extract_slice([0, 0], [32, K], [2, 1])) -> "
	  "row_major[?, ?]", NULL, true },
	{ "chain(row_major[M, 64], extract_slice([0, 1], [M, 21], [1, 3]), transpose([1, 0])) "
	  "-> row_major[?, ?]", NULL, true },
	{ "chain(row_major[M, K], broadcast([0], [3])) -> row_major[?, ?, ?]", NULL, true },
};

static void digits_become_tiles(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		layout_context *ctx = layout_context_new();
		char text[1200];
		layout_remap *remap;
		layout_kernel *kernel;
		bool found = !plain[i].requires;

		snprintf(text, sizeof(text), "remap(%s, type = f32)", plain[i].text);
		remap = layout_remap_parse(ctx, text);
		kernel = layout_kernel_new(remap, "gfx942", NULL);
		if (!kernel)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		if ((kernel->plan->tile != NULL) != plain[i].tiled)
			fail_msg("%s: %s", text, plan_explanation(ctx, kernel->plan));
		for (unsigned r = 0; r < kernel->plan->requirement_count; r++)
			found = found || !strcmp(kernel->plan->requirements[r],
				plain[i].requires ? plain[i].requires : "");
		if (!found)
			fail_msg("%s does not require %s", text, plain[i].requires);
		layout_kernel_free(kernel);
		layout_remap_free(remap);
		assert_true(layout_context_free(ctx));
	}
}

static const struct {
	const char *text;
	layout_error kind;
	const char *message;
} bad[] = {
	{ "chain(row_major[M, 128], pad([0, 0], [0, 4], 2.0)) -> row_major[M, 130]",
	  LAYOUT_ERROR_SPACE, "the chain's size 1 is 132, the destination's 130" },
	{ "chain(row_major[M, 128]) -> row_major[M]", LAYOUT_ERROR_SPACE,
	  "the chain's result has rank 2, the destination's logical tensor has 1" },
	{ "chain(row_major[M, 128]) -> row_major[?, ?, ?]", LAYOUT_ERROR_SPACE,
	  "the size of dimension 2, where the chain's result has 2" },
	{ "row_major[M] -> row_major[?]", LAYOUT_ERROR_PARSE, "expected a size" },
	{ "chain(row_major[M, 128]) -> strided[?, ? : ?, 1]", LAYOUT_ERROR_PARSE,
	  "expected a size, found `?`" },
	{ "chain(row_major[M], pad([0], [4], 2.0)) -> packed(encoding_info<{innerDimsPos = "
	  "[0], innerTileSizes = [16]}>, [?]), pad = 3.0", LAYOUT_ERROR_UNSUPPORTED,
	  "the chain pads with 2.0, the remap with 3.0" },
	{ "chain(row_major[M]) -> row_major[?], map = { [i] -> [i] }",
	  LAYOUT_ERROR_UNSUPPORTED, "takes no map" },
	{ "chain(row_major[M]) -> chain(row_major[M])", LAYOUT_ERROR_PARSE, "a storage" },
};

static void bad_chains(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		layout_context *ctx = layout_context_new();
		char text[400];

		snprintf(text, sizeof(text), "remap(%s, type = f32)", bad[i].text);
		assert_null(layout_remap_parse(ctx, text));
		if (!strstr(layout_context_message(ctx), bad[i].message))
			fail_msg("%s: %s", text, layout_context_message(ctx));
		assert_int_equal(layout_context_error(ctx), bad[i].kind);
		assert_true(layout_context_free(ctx));
	}
}

/* One of the two paddings is empty: the other's value counts. */
static void one_pad_value(void **state)
{
	static const struct {
		const char *text;
		uint64_t bits;
	} rows[] = {
		{ "remap(chain(row_major[M], pad([0], [4], 2.0)) -> row_major[?], "
		  "type = f32, pad = 3.0)", 0x40000000 },
		{ "remap(chain(row_major[M], pad([0], [4], 2.0)) -> row_major[?], "
		  "type = f32)", 0x40000000 },
		{ "remap(chain(row_major[M], pad([0], [4], 2.0)) -> row_major[?], "
		  "type = f32 -> f16)", 0x4000 },
		{ "remap(chain(row_major[M]) -> row_major[?], type = f32, pad = 3.0)",
		  0x40400000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_remap *remap = layout_remap_parse(ctx, rows[i].text);
		char *text = layout_remap_str(remap);

		assert_int_equal(layout_remap_pad_bits(remap), rows[i].bits);
		assert_non_null(strstr(text, "chain(row_major[M]"));
		layout_string_free(text);
		layout_remap_free(remap);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits_become_tiles),
		cmocka_unit_test(bad_chains),
		cmocka_unit_test(one_pad_value),
		cmocka_unit_test(wide_tiles),
		cmocka_unit_test(vectors_across_digits),
		cmocka_unit_test(one_element_between_padding),
		cmocka_unit_test(a_row_begins_inside_a_byte),
		cmocka_unit_test(random_chains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
