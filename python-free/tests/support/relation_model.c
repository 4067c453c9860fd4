/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/relation_model.h"

#include "support/random.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t below(uint64_t *seed, unsigned bound)
{
	return random_below(seed, bound);
}

static int64_t between(uint64_t *seed, int64_t low, int64_t high)
{
	return low + below(seed, (unsigned)(high - low + 1));
}

/* Text that grows. */
struct text {
	char at[6000];
	size_t length;
};

static void say(struct text *text, const char *format, ...)
	__attribute__((__format__(__printf__, 2, 3)));

static void say(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text->length += (size_t)vsnprintf(text->at + text->length,
		sizeof(text->at) - text->length, format, args);
	va_end(args);
	assert(text->length < sizeof(text->at));
}

static int64_t floor_of(int64_t a, int64_t b)
{
	int64_t rest = (a % b + b) % b;

	return (a - rest) / b;
}

static int64_t value_of(const struct expression *expression, const int64_t *x,
	const int64_t *sizes)
{
	int64_t value = 0;

	for (unsigned t = 0; t < expression->count; t++) {
		const struct term *term = &expression->terms[t];
		int64_t sum = term->constant;

		for (unsigned i = 0; i < RANK; i++)
			sum += term->coefficient[i] ? term->coefficient[i] * x[i] : 0;
		for (unsigned i = 0; i < SIZES; i++)
			sum += term->coefficient[RANK + i] * sizes[i];
		if (term->shape == FLOOR)
			sum = floor_of(sum, term->by);
		else if (term->shape == MOD)
			sum -= term->by * floor_of(sum, term->by);
		value += term->factor * sum;
	}
	return value;
}

static void say_expression(struct text *text, const struct expression *expression)
{
	static const char *const names[] = { "x0", "x1", "x2", "M", "N" };

	say(text, "0");
	for (unsigned t = 0; t < expression->count; t++) {
		const struct term *term = &expression->terms[t];

		say(text, " + %" PRId64 "*(%s(%" PRId64, term->factor,
			term->shape == FLOOR ? "floor(" : "", term->constant);
		for (unsigned i = 0; i < RANK + SIZES; i++)
			if (term->coefficient[i])
				say(text, " + %" PRId64 "*%s", term->coefficient[i],
					names[i]);
		say(text, term->shape == PLAIN ? "))" : term->shape == FLOOR ?
			")/%" PRId64 "))" : ") mod %" PRId64 ")", term->by);
	}
}

/* "sizes": M and N may be part of it. */
static struct expression any_expression(uint64_t *seed, unsigned rank, unsigned terms,
	bool sizes)
{
	struct expression expression = { .count = terms };

	for (unsigned t = 0; t < terms; t++) {
		struct term *term = &expression.terms[t];

		term->shape = below(seed, 2) ? PLAIN : (enum shape)below(seed, 3);
		term->factor = between(seed, 1, 3) * (below(seed, 4) ? 1 : -1);
		term->by = between(seed, 2, 5);
		term->constant = below(seed, 3) ? 0 : between(seed, -3, 3);
		if (rank)
			term->coefficient[below(seed, rank)] = below(seed, 3) ? 1 : between(seed, 1, 3);
		if (rank && below(seed, 2))
			term->coefficient[below(seed, rank)] = between(seed, -2, 2);
		if (sizes && below(seed, 3) == 0)
			term->coefficient[RANK + below(seed, SIZES)] = between(seed, -1, 1);
	}
	return expression;
}

static struct expression size_minus_input(uint64_t *seed, unsigned rank)
{
	struct expression sum = { .count = 1 };
	struct term *term = &sum.terms[0];

	term->factor = 1;
	term->constant = between(seed, -1, 1);
	term->coefficient[RANK + below(seed, SIZES)] = between(seed, 1, 3);
	for (unsigned i = 0; i < rank; i++)
		term->coefficient[i] = -(int64_t)(below(seed, 2) || rank == 1);
	return sum;
}

/* x mod by = M mod by, or a remainder. */
static struct expression remainder_of(uint64_t *seed, unsigned rank)
{
	struct expression sum = any_expression(seed, rank, 1, true);

	sum.terms[0].shape = MOD;
	sum.terms[0].factor = 1;
	sum.terms[0].by = between(seed, 2, 4);
	return sum;
}

struct conditions random_conditions(uint64_t *seed, unsigned rank, bool boxed)
{
	struct conditions conditions = { .rank = rank, .boxed = boxed,
		.count = below(seed, 2) ? 1 : (unsigned)below(seed, MOST_CONDITIONS) };

	for (unsigned i = 0; i < rank; i++) {
		conditions.low[i] = below(seed, 2) ? 0 : between(seed, -4, 2);
		conditions.high[i] = conditions.low[i] + below(seed, rank > 1 ? 6 : 20);
	}
	for (unsigned i = 0; i < conditions.count; i++) {
		unsigned kind = (unsigned)below(seed, 4);

		conditions.zero[i] = kind == 0;
		conditions.sum[i] = kind == 0 ? remainder_of(seed, rank) : kind == 1 ?
			any_expression(seed, rank, 1, true) : size_minus_input(seed, rank);
	}
	return conditions;
}

bool conditions_hold(const struct conditions *conditions, const int64_t *x,
	const int64_t *sizes)
{
	for (unsigned i = 0; conditions->boxed && i < conditions->rank; i++)
		if (x[i] < conditions->low[i] || x[i] > conditions->high[i])
			return false;
	for (unsigned i = 0; i < conditions->count; i++) {
		int64_t value = value_of(&conditions->sum[i], x, sizes);

		if (conditions->zero[i] ? value != 0 : value < 0)
			return false;
	}
	return true;
}

static void say_conditions(struct text *text, const struct conditions *conditions)
{
	say(text, "M = M");
	for (unsigned i = 0; conditions->boxed && i < conditions->rank; i++)
		say(text, " and %" PRId64 " <= x%u <= %" PRId64, conditions->low[i], i,
			conditions->high[i]);
	for (unsigned i = 0; i < conditions->count; i++) {
		say(text, " and ");
		say_expression(text, &conditions->sum[i]);
		say(text, conditions->zero[i] ? " = 0" : " >= 0");
	}
}

static void say_tuple(struct text *text, unsigned rank)
{
	say(text, "[");
	for (unsigned i = 0; i < rank; i++)
		say(text, "%sx%u", i ? ", " : "", i);
	say(text, "]");
}

layout_set *conditions_read(layout_context *ctx, const struct conditions *conditions)
{
	struct text text = { .length = 0 };

	say(&text, "[M, N] -> { ");
	say_tuple(&text, conditions->rank);
	say(&text, " : ");
	say_conditions(&text, conditions);
	say(&text, " }");
	return layout_set_read(ctx, text.at);
}

void pairs_add(struct pairs *pairs, const int64_t *x, const int64_t *y)
{
	if (pairs->count == MOST_PAIRS) {
		pairs->overflow = true;
		return;
	}
	memset(pairs->at[pairs->count], 0, sizeof(pairs->at[0]));
	memcpy(pairs->at[pairs->count][0], x, pairs->ranks[0] * sizeof(*x));
	memcpy(pairs->at[pairs->count++][1], y, pairs->ranks[1] * sizeof(*y));
}

static int compare_values(const void *a, const void *b, unsigned count)
{
	const int64_t *left = a, *right = b;

	for (unsigned i = 0; i < count; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

int pairs_compare(const void *a, const void *b)
{
	return compare_values(a, b, 2 * RANK);
}

void pairs_sort(struct pairs *pairs)
{
	unsigned kept = 0;

	qsort(pairs->at, pairs->count, sizeof(pairs->at[0]), pairs_compare);
	for (unsigned i = 0; i < pairs->count; i++)
		if (!i || pairs_compare(pairs->at[kept - 1], pairs->at[i]))
			memmove(pairs->at[kept++], pairs->at[i], sizeof(pairs->at[0]));
	pairs->count = kept;
}

bool point_same(const int64_t *a, const int64_t *b)
{
	return compare_values(a, b, RANK) == 0;
}

void point_pad(int64_t *to, const int64_t *from, unsigned rank)
{
	memset(to, 0, RANK * sizeof(*to));
	memcpy(to, from, rank * sizeof(*to));
}

bool pairs_have(const struct pairs *pairs, const int64_t *x, const int64_t *y)
{
	for (unsigned i = 0; i < pairs->count; i++)
		if (point_same(pairs->at[i][0], x) && point_same(pairs->at[i][1], y))
			return true;
	return false;
}

bool pairs_reach(const struct pairs *pairs, unsigned side, const int64_t *x)
{
	for (unsigned i = 0; i < pairs->count; i++)
		if (point_same(pairs->at[i][side], x))
			return true;
	return false;
}

static struct source any_pieces(uint64_t *seed, unsigned in)
{
	struct source source = { .kind = PIECES, .in = in, .out = 1 + (unsigned)below(seed, 2),
		.count = below(seed, 4) ? 1 : 2 };
	bool sizes = below(seed, 4) == 0;

	for (unsigned p = 0; p < source.count; p++) {
		for (unsigned k = 0; k < source.out; k++)
			source.pieces[p].image[k] =
				any_expression(seed, in, 1 + (unsigned)below(seed, 2), sizes);
		source.pieces[p].conditions = random_conditions(seed, in, true);
	}
	return source;
}

struct source random_source(uint64_t *seed, unsigned in)
{
	struct source source = { .kind = (enum source_kind)below(seed, SOURCES), .in = in,
		.out = 1 };
	unsigned leaves = 1 + (unsigned)below(seed, RANK);

	if (source.kind == PIECES || (in == 2 && source.kind < STORAGE) || below(seed, 3) == 0)
		return any_pieces(seed, in);
	for (unsigned i = 0; i < RANK; i++) {
		source.shape[i] = i >= leaves ? 1 : below(seed, 2) ?
			(int64_t)1 << below(seed, 3) : between(seed, 1, 4);
		source.stride[i] = below(seed, 3) ? (int64_t)1 << below(seed, 5) :
			between(seed, -1, 9);
	}
	source.bits = (int)between(seed, 1, 2);
	source.base = (int)below(seed, 3);
	source.shift = (int)between(seed, source.bits, 3) * (below(seed, 4) ? 1 : -1);
	source.access = between(seed, 1, 3);
	source.row = source.access * (1 << below(seed, 3));
	source.rotates = below(seed, 2);
	source.unbounded = below(seed, 2);
	source.offsets = random_conditions(seed, 1, true);
	if (source.kind == STORAGE) {
		source.in = 2;
		source.width = source.row * between(seed, 1, 2);
		source.model = (struct storage_model){ .kind = MODEL_STRIDED, .rank = 2,
			.stride = { source.width + below(seed, 3) * source.row, 1 },
			.row = source.row, .access = source.access,
			.rotates = source.rotates, .of_index = below(seed, 2) };
	}
	if (source.kind == RENUMBER)
		source.out = 2;
	source.in = source.kind == STORAGE ? 2 : 1;
	return source;
}

static int64_t cute_size(const struct source *source)
{
	return source->shape[0] * source->shape[1] * source->shape[2];
}

static int64_t cute_image(const struct source *source, int64_t i)
{
	int64_t offset = 0, mask = ((int64_t)1 << source->bits) - 1;
	int from = source->shift < 0 ? source->base : source->base + source->shift;
	int to = source->shift < 0 ? source->base - source->shift : source->base;

	for (unsigned k = 0; k < RANK; k++) {
		offset += i % source->shape[k] * source->stride[k];
		i /= source->shape[k];
	}
	return source->rotates ? offset : offset ^ (offset >> from & mask) << to;
}

static int64_t swizzle_image(const struct source *source, int64_t x)
{
	int64_t columns = source->row / source->access, row = x / source->row;
	int64_t column = x % source->row / source->access;
	int64_t moved = source->rotates ? (column + row) % columns :
		column ^ row % columns;

	return x + (moved - column) * source->access;
}

static bool swizzle_takes(const struct source *source, int64_t x, const int64_t *sizes)
{
	int64_t point[RANK] = { x };

	return source->unbounded ? x >= 0 && conditions_hold(&source->offsets, point, sizes) :
		x >= 0 && x < source->row * source->row / source->access;
}

/* What the pieces have in their boxes. */
static void list_pieces(const struct source *source, const int64_t *sizes,
	struct pairs *pairs)
{
	for (unsigned p = 0; p < source->count; p++) {
		const struct piece *piece = &source->pieces[p];
		const struct conditions *box = &piece->conditions;
		int64_t x[RANK] = { 0 }, y[RANK];

		for (x[0] = box->low[0]; x[0] <= box->high[0]; x[0]++)
			for (x[1] = source->in > 1 ? box->low[1] : 0;
			    x[1] <= (source->in > 1 ? box->high[1] : 0); x[1]++) {
				for (unsigned k = 0; k < source->out; k++)
					y[k] = value_of(&piece->image[k], x, sizes);
				if (conditions_hold(box, x, sizes))
					pairs_add(pairs, x, y);
			}
	}
}

static void list_storage(const struct source *source, const int64_t *sizes,
	struct pairs *pairs)
{
	int64_t n[] = { sizes[0], source->width }, x[RANK] = { 0 };

	for (x[0] = 0; x[0] < n[0]; x[0]++)
		for (x[1] = 0; x[1] < n[1]; x[1]++)
			pairs_add(pairs, x, &(int64_t){
				storage_model_offset(&source->model, n, x) });
}

void source_list(const struct source *source, const int64_t *sizes,
	struct pairs *pairs)
{
	*pairs = (struct pairs){ .ranks = { source->in, source->out } };
	if (source->kind == PIECES)
		list_pieces(source, sizes, pairs);
	else if (source->kind == STORAGE)
		list_storage(source, sizes, pairs);
	else if (source->kind == SWIZZLE)
		for (int64_t x = 0; x < 100; x++)
			if (swizzle_takes(source, x, sizes))
				pairs_add(pairs, &x, &(int64_t){ swizzle_image(source, x) });
	for (int64_t i = 0; source->kind == CUTE && i < cute_size(source); i++)
		pairs_add(pairs, &i, &(int64_t){ cute_image(source, i) });
	for (int64_t i = 0; source->kind == RENUMBER && i < cute_size(source); i++)
		pairs_add(pairs, &i, (int64_t[]){ i / source->shape[0],
			i % source->shape[0] });
	pairs_sort(pairs);
}

static layout_relation *build_pieces(layout_context *ctx, const struct source *source)
{
	struct text text = { .length = 0 };

	say(&text, "[M, N] -> { ");
	for (unsigned p = 0; p < source->count; p++) {
		say(&text, "%s", p ? "; " : "");
		say_tuple(&text, source->in);
		say(&text, " -> [");
		for (unsigned k = 0; k < source->out; k++) {
			say(&text, "%s", k ? ", " : "");
			say_expression(&text, &source->pieces[p].image[k]);
		}
		say(&text, "] : ");
		say_conditions(&text, &source->pieces[p].conditions);
	}
	say(&text, " }");
	return layout_relation_read(ctx, text.at);
}

static layout_relation *build_cute(layout_context *ctx, const struct source *source)
{
	struct text text = { .length = 0 };
	layout_cute *cute;
	layout_relation *relation;

	if (!source->rotates)
		say(&text, "Sw<%d,%d,%d> o 0 o ", source->bits, source->base,
			source->shift);
	say(&text, "(%" PRId64 ",%" PRId64 ",%" PRId64 "):(%" PRId64 ",%" PRId64
		",%" PRId64 ")", source->shape[0], source->shape[1], source->shape[2],
		source->stride[0], source->stride[1], source->stride[2]);
	cute = layout_cute_parse(ctx, text.at);
	relation = layout_cute_relation(cute);
	layout_cute_free(cute);
	return relation;
}

static layout_relation *build_swizzle(layout_context *ctx, const struct source *source)
{
	layout_swizzle *swizzle = source->rotates ?
		layout_swizzle_rotate_rows(ctx, source->row, source->access) :
		layout_swizzle_xor_shuffle(ctx, source->row, source->access, 0, 0);
	layout_relation *relation = source->unbounded ? layout_relation_restrict(
		layout_swizzle_unbounded_relation(swizzle),
		conditions_read(ctx, &source->offsets)) : layout_swizzle_relation(swizzle);

	layout_swizzle_free(swizzle);
	return relation;
}

static layout_relation *build_storage(layout_context *ctx, const struct source *source)
{
	char width[24], text[MODEL_TEXT];
	const char *size[] = { "M", width };
	layout_storage *storage;
	layout_relation *relation;

	snprintf(width, sizeof(width), "%" PRId64, source->width);
	storage_model_text(&source->model, size, text);
	storage = layout_storage_parse(ctx, text);
	relation = layout_storage_relation(storage);
	layout_storage_free(storage);
	return relation;
}

layout_relation *source_build(layout_context *ctx, const struct source *source)
{
	int64_t size = cute_size(source);
	int64_t split[] = { size / (source->shape[0] ? source->shape[0] : 1),
		source->shape[0] };

	switch (source->kind) {
	case PIECES:
		return build_pieces(ctx, source);
	case CUTE:
		return build_cute(ctx, source);
	case SWIZZLE:
		return build_swizzle(ctx, source);
	case STORAGE:
		return build_storage(ctx, source);
	default:
		return layout_relation_renumber(ctx, (layout_box){ 1, &size },
			(layout_box){ 2, split }, LAYOUT_ORDER_LEX);
	}
}
