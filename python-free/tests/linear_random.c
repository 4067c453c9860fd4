/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Random linear layouts, with bases that are 0 and sizes that are 1: every operation
 * against enumeration. */
#include "isl_bridge/relation.h"
#include "support/random.h"
#include "support/written.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t state;

static unsigned below(unsigned bound)
{
	return random_below(&state, bound);
}

static const char *const in_names[] = { "register", "lane", "warp", "block" };
static const char *const out_names[] = { "dim0", "dim1", "dim2", "dim3" };

/* Some of "names" with random sizes, "bits" bits at most. */
static unsigned random_sizes(const char *const *names, unsigned bits, layout_size *sizes)
{
	unsigned count = 0, skip = below(16), width;

	for (unsigned i = 0; i < 4; i++) {
		if (skip >> i & 1 && below(2))
			continue;
		width = below(4);
		width = width < bits ? width : bits;
		bits -= width;
		sizes[count++] = (layout_size){ names[i], (int64_t)1 << width };
	}
	return count;
}

/* Bases of all kinds: anything, 0, a single bit, or the one before. */
static void random_bases(struct written *w)
{
	w->bits = 0;
	for (unsigned i = 0; i < w->in_count; i++)
		for (unsigned bit = 0; w->ins[i].value >> bit > 1; bit++, w->bits++) {
			int64_t *basis = w->bases + w->bits * w->out_count;
			unsigned kind = below(8), single = below(8);

			for (unsigned out = 0; out < w->out_count; out++) {
				unsigned size = (unsigned)w->outs[out].value;

				basis[out] = kind < 2 ? 0 : below(size);
				if (kind > 4)
					basis[out] = single % w->out_count == out ?
						(1 << below(3)) & (size - 1) : 0;
				if (kind == 4 && w->bits)
					basis[out] = basis[(int)out - (int)w->out_count];
			}
		}
}

static void random_written(struct written *w)
{
	w->in_count = random_sizes(in_names, 8, w->ins);
	w->out_count = random_sizes(out_names, 7, w->outs);
	random_bases(w);
}

/* A bijection: as many bits on both sides, the unit bases with some added to
 * others. */
static void random_bijection(struct written *w)
{
	unsigned bits = 0, bit = 0;

	random_written(w);
	w->in_count = 0;
	for (unsigned i = 0; i < w->out_count; i++)
		bits += (unsigned)__builtin_ctz((unsigned)w->outs[i].value);
	for (unsigned i = 0, width; i < 4 && (bits || !i); i++, bits -= width) {
		width = i == 3 || bits < 2 ? bits : below(bits);
		w->ins[w->in_count++] = (layout_size){ in_names[i], (int64_t)1 << width };
	}
	memset(w->bases, 0, sizeof(w->bases));
	for (unsigned out = 0; out < w->out_count; out++)
		for (unsigned i = 0; w->outs[out].value >> i > 1; i++)
			w->bases[bit++ * w->out_count + out] = 1 << i;
	w->bits = bit;
	for (unsigned i = 0; bit && i < 3 * bit; i++) {
		unsigned from = below(bit), to = below(bit);

		for (unsigned out = 0; from != to && out < w->out_count; out++)
			w->bases[to * w->out_count + out] ^=
				w->bases[from * w->out_count + out];
	}
}

/* The number of a point in a box, the first coordinate fastest; and back. */
static int64_t number_of(const layout_size *sizes, unsigned count, const int64_t *point)
{
	int64_t number = 0;

	for (unsigned i = count; i-- > 0;)
		number = number * sizes[i].value + point[i];
	return number;
}

static void point_of(const layout_size *sizes, unsigned count, int64_t number,
	int64_t *point)
{
	for (unsigned i = 0; i < count; i++) {
		point[i] = number % sizes[i].value;
		number /= sizes[i].value;
	}
}

static int64_t size_of(const layout_size *sizes, unsigned count)
{
	int64_t size = 1;

	for (unsigned i = 0; i < count; i++)
		size *= sizes[i].value;
	return size;
}

/* All images, as numbers, by the definition. */
struct table {
	int64_t ins, outs, images[1024];
	unsigned reached[1024];		/* how often */
	bool injective, surjective;
};

static void tabulate(const struct written *w, struct table *table)
{
	int64_t point[MAX_RANK], image[MAX_RANK];

	memset(table, 0, sizeof(*table));
	table->ins = size_of(w->ins, w->in_count);
	table->outs = size_of(w->outs, w->out_count);
	table->injective = table->surjective = true;
	for (int64_t i = 0; i < table->ins; i++) {
		point_of(w->ins, w->in_count, i, point);
		image_of(w, point, image);
		table->images[i] = number_of(w->outs, w->out_count, image);
		table->reached[table->images[i]]++;
	}
	for (int64_t i = 0; i < table->outs; i++) {
		table->injective = table->injective && table->reached[i] < 2;
		table->surjective = table->surjective && table->reached[i];
	}
}

/* The image of point number "number" of a layout, as a number. */
static int64_t eval(layout_linear *linear, int64_t number)
{
	layout_size ins[MAX_RANK], outs[MAX_RANK];
	unsigned in_count = layout_linear_in_count(linear);
	unsigned out_count = layout_linear_out_count(linear);
	int64_t point[MAX_RANK], image[MAX_RANK];

	for (unsigned i = 0; i < in_count; i++)
		ins[i].value = layout_linear_in_size(linear, i);
	for (unsigned i = 0; i < out_count; i++)
		outs[i].value = layout_linear_out_size(linear, i);
	point_of(ins, in_count, number, point);
	assert_true(layout_linear_eval(linear, point, image));
	return number_of(outs, out_count, image);
}

static void expect_table(layout_linear *linear, const struct table *table)
{
	assert_non_null(linear);
	for (int64_t i = 0; i < table->ins; i++)
		assert_int_equal(eval(linear, i), table->images[i]);
}

/* "random", for "rounds" random layouts, in a fresh context each. */
static void repeat(unsigned rounds, void (*check)(layout_context *ctx, struct written *w,
	struct table *table))
{
	static struct written w;
	static struct table table;

	for (unsigned i = 0; i < rounds; i++) {
		layout_context *ctx = layout_context_new();

		if (i % 3)
			random_written(&w);
		else
			random_bijection(&w);
		tabulate(&w, &table);
		check(ctx, &w, &table);
		assert_true(layout_context_free(ctx));
	}
}

struct pairs {
	const struct written *w;
	unsigned count;
};

static bool check_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct pairs *pairs = user;
	int64_t expected[MAX_RANK];

	assert_int_equal(in_rank, pairs->w->in_count);
	assert_int_equal(image_rank, pairs->w->out_count);
	image_of(pairs->w, in, expected);
	assert_memory_equal(image, expected, image_rank * sizeof(*image));
	pairs->count++;
	return true;
}

static void check_object(layout_context *ctx, struct written *w, struct table *table)
{
	layout_linear *linear = linear_of(ctx, w), *read;
	layout_linear *copy = layout_linear_copy(linear);
	struct pairs pairs = { .w = w };
	layout_relation *relation;
	char *text;

	expect_table(linear, table);
	text = layout_linear_str(linear);
	read = layout_linear_parse(ctx, text);
	if (!read)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	assert_true(is_written(read, w));
	assert_int_equal(layout_linear_equal(read, linear, NULL), LAYOUT_YES);
	layout_string_free(text);
	layout_linear_free(linear);
	assert_true(is_written(copy, w));
	relation = layout_linear_relation(copy);
	assert_true(layout_relation_for_each(relation, check_pair, &pairs));
	assert_int_equal(pairs.count, table->ins);
	layout_relation_free(relation);
	layout_linear_free(copy);
	layout_linear_free(read);
}

static void objects(void **unused)
{
	(void)unused;
	repeat(100, check_object);
}

static void check_questions(layout_context *ctx, struct written *w, struct table *table)
{
	layout_linear *linear = linear_of(ctx, w);
	layout_witness *witness;
	const int64_t *first, *second;

	assert_int_equal(layout_linear_is_injective(linear, &witness),
		table->injective ? LAYOUT_YES : LAYOUT_NO);
	assert_int_equal(witness != NULL, !table->injective);
	if (witness) {
		first = witness->points[0];
		second = witness->points[1];
		assert_memory_not_equal(first, second, w->in_count * sizeof(*first));
		assert_int_equal(table->images[number_of(w->ins, w->in_count, first)],
			table->images[number_of(w->ins, w->in_count, second)]);
	}
	layout_witness_free(witness);
	assert_int_equal(layout_linear_is_surjective(linear, &witness),
		table->surjective ? LAYOUT_YES : LAYOUT_NO);
	assert_int_equal(witness != NULL, !table->surjective);
	if (witness)
		assert_int_equal(0, table->reached[number_of(w->outs, w->out_count,
			witness->points[0])]);
	layout_witness_free(witness);
	assert_int_equal(layout_linear_is_invertible(linear, NULL),
		table->injective && table->surjective ? LAYOUT_YES : LAYOUT_NO);
	layout_linear_free(linear);
}

static void questions_of_random_layouts(void **unused)
{
	(void)unused;
	repeat(2000, check_questions);
}

static void check_equality(layout_context *ctx, struct written *w, struct table *table)
{
	layout_linear *a = linear_of(ctx, w), *b;
	layout_witness *witness;
	unsigned bit, out;

	(void)table;
	if (w->bits && w->out_count) {
		bit = below(w->bits);
		out = below(w->out_count);
		w->bases[bit * w->out_count + out] ^= w->outs[out].value >> 1;
		b = linear_of(ctx, w);
		if (w->outs[out].value == 1) {
			assert_int_equal(layout_linear_equal(a, b, &witness), LAYOUT_YES);
			assert_null(witness);
		} else {
			int64_t x[MAX_RANK], y[MAX_RANK];

			assert_int_equal(layout_linear_equal(a, b, &witness), LAYOUT_NO);
			layout_linear_eval(a, witness->points[0], x);
			layout_linear_eval(b, witness->points[0], y);
			assert_memory_not_equal(x, y, w->out_count * sizeof(*x));
			assert_memory_equal(x, witness->points[1],
				w->out_count * sizeof(*x));
			layout_witness_free(witness);
		}
		layout_linear_free(b);
	}
	layout_linear_free(a);
}

static void equality(void **unused)
{
	(void)unused;
	repeat(500, check_equality);
}

/* Layouts whose spaces differ; the witness as "point -> image" of the second one. */
static const struct {
	const char *a, *b;
	layout_answer answer;
	int64_t point, image;		/* -1: no witness */
} unequal[] = {
	{ "linear<{x = [[1]]}>", "linear<{x = [[1], [2]]} -> {dim0 = 4}>",
	  LAYOUT_NO, 2, 2 },
	{ "linear<{x = [[1]]}>", "linear<{x = [[1], [0]]}>", LAYOUT_NO, 2, 0 },
	{ "linear<{x = [[1]]}>", "linear<{x = [[1]]} -> {dim0 = 4}>", LAYOUT_NO, -1, -1 },
	{ "linear<{x = [[1]]}>", "linear<{y = [[1]]}>", LAYOUT_UNKNOWN, -1, -1 },
	{ "linear<{x = [[1]]}>", "linear<{x = [[1]]} -> {y = 2}>",
	  LAYOUT_UNKNOWN, -1, -1 },
	{ "linear<{x = [[1]]}>", "linear<{x = [[1]], y = []}>", LAYOUT_UNKNOWN, -1, -1 },
};

static void equality_of_other_spaces(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(unequal) / sizeof(*unequal); i++) {
		layout_context *ctx = layout_context_new();
		layout_linear *a = layout_linear_parse(ctx, unequal[i].a);
		layout_linear *b = layout_linear_parse(ctx, unequal[i].b);

		for (unsigned turn = 0; turn < 2; turn++) {
			layout_witness *witness;

			if (layout_linear_equal(turn ? a : b, turn ? b : a, &witness) !=
			    unequal[i].answer)
				fail_msg("%s, %s", unequal[i].a, unequal[i].b);
			assert_int_equal(witness != NULL, unequal[i].point >= 0);
			if (witness) {
				assert_int_equal(*witness->points[0], unequal[i].point);
				assert_int_equal(*witness->points[1], unequal[i].image);
			}
			assert_int_equal(layout_context_error(ctx),
				unequal[i].answer == LAYOUT_UNKNOWN ?
				LAYOUT_ERROR_SPACE : LAYOUT_ERROR_NONE);
			layout_context_clear(ctx);
			layout_witness_free(witness);
		}
		layout_linear_free(a);
		layout_linear_free(b);
		assert_true(layout_context_free(ctx));
	}
}

static void check_free_bits(layout_context *ctx, struct written *w, struct table *table)
{
	layout_linear *linear = linear_of(ctx, w);
	uint64_t masks[MAX_RANK];
	unsigned number = 0;

	assert_true(layout_linear_free_masks(linear, masks));
	for (unsigned i = 0; i < w->in_count; i++)
		for (unsigned bit = 0; w->ins[i].value >> bit > 1; bit++, number++) {
			bool depends = false;

			for (int64_t x = 0; x < (int64_t)1 << number; x++)
				depends = depends ||
					table->images[x] == table->images[1 << number];
			assert_int_equal(masks[i] >> bit & 1, depends);
		}
	layout_linear_free(linear);
}

static void free_bits(void **unused)
{
	(void)unused;
	repeat(500, check_free_bits);
}

static bool run_holds(const struct written *w, const struct table *table, int64_t n)
{
	int64_t point[MAX_RANK], base[MAX_RANK], image[MAX_RANK];

	for (int64_t x = 0; x < table->ins; x++) {
		int64_t low = x % w->ins[0].value % n;

		point_of(w->outs, w->out_count, table->images[x], image);
		point_of(w->outs, w->out_count, table->images[x - low], base);
		base[0] += low;
		point_of(w->ins, w->in_count, x, point);
		if (memcmp(image, base, w->out_count * sizeof(*base)) ||
		    image[0] % n != low)
			return false;
	}
	return true;
}

static void check_contiguity(layout_context *ctx, struct written *w, struct table *table)
{
	layout_linear *linear = linear_of(ctx, w);
	int64_t n = 1, run = 1, image[MAX_RANK];
	bool taken[256];

	for (unsigned out = 0; out < w->out_count; out++) {
		memset(taken, 0, sizeof(taken));
		for (int64_t x = 0; x < table->ins; x++) {
			point_of(w->outs, w->out_count, table->images[x], image);
			taken[image[out]] = true;
		}
		for (n = 0; n < w->outs[out].value && taken[n];)
			n++;
		while (n & (n - 1))
			n &= n - 1;
		assert_int_equal(layout_linear_contiguous(linear, w->outs[out].name), n);
	}
	while (w->in_count && w->out_count && 2 * run <= w->ins[0].value &&
			2 * run <= w->outs[0].value && run_holds(w, table, 2 * run))
		run *= 2;
	assert_int_equal(layout_linear_consecutive(linear), run);
	assert_int_equal(layout_linear_contiguous(linear, "nowhere"), -1);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_SPACE);
	layout_linear_free(linear);
}

static void contiguity(void **unused)
{
	(void)unused;
	repeat(500, check_contiguity);
}

static void check_inverses(layout_context *ctx, struct written *w, struct table *table)
{
	layout_linear *inverse = layout_linear_invert(linear_of(ctx, w)), *right_inverse;

	assert_int_equal(inverse != NULL, table->injective && table->surjective);
	assert_int_equal(layout_context_error(ctx),
		inverse ? LAYOUT_ERROR_NONE : LAYOUT_ERROR_NO_ANSWER);
	layout_context_clear(ctx);
	for (int64_t x = 0; inverse && x < table->ins; x++)
		assert_int_equal(eval(inverse, table->images[x]), x);
	right_inverse = layout_linear_pseudo_inverse(linear_of(ctx, w));
	assert_int_equal(right_inverse != NULL, table->surjective);
	for (int64_t y = 0; right_inverse && y < table->outs; y++)
		assert_int_equal(table->images[eval(right_inverse, y)], y);
	layout_linear_free(inverse);
	layout_linear_free(right_inverse);
}

static void inverses(void **unused)
{
	(void)unused;
	repeat(1000, check_inverses);
}

/* The sides of one as the outputs of another, in another order. */
static void reverse_sizes(const layout_size *from, unsigned count, layout_size *to)
{
	for (unsigned i = 0; i < count; i++)
		to[i] = from[count - 1 - i];
}

static void check_compositions(layout_context *ctx, struct written *outer,
	struct table *table)
{
	static struct written inner;
	int64_t point[MAX_RANK], middle[MAX_RANK], turned[MAX_RANK], image[MAX_RANK],
		expected[MAX_RANK];
	layout_linear *composed;

	(void)table;
	inner.in_count = random_sizes(out_names, 8, inner.ins);
	inner.out_count = outer->in_count;
	reverse_sizes(outer->ins, outer->in_count, inner.outs);
	for (unsigned i = 0; i < inner.out_count; i++)
		inner.outs[i].value >>= inner.outs[i].value > 1 && below(3) == 0;
	random_bases(&inner);
	composed = layout_linear_compose(linear_of(ctx, outer), linear_of(ctx, &inner));
	assert_non_null(composed);
	for (int64_t x = 0; x < size_of(inner.ins, inner.in_count); x++) {
		point_of(inner.ins, inner.in_count, x, point);
		image_of(&inner, point, middle);
		for (unsigned i = 0; i < inner.out_count; i++)
			turned[i] = middle[inner.out_count - 1 - i];
		image_of(outer, turned, expected);
		assert_true(layout_linear_eval(composed, point, image));
		assert_memory_equal(image, expected, outer->out_count * sizeof(*image));
	}
	layout_linear_free(composed);
}

static void compositions(void **unused)
{
	(void)unused;
	repeat(1000, check_compositions);
}

/* R with a(R(x)) = b(x), if all images of "b" are images of "a". */
static void check_solutions(layout_context *ctx, struct written *a, struct table *table)
{
	static struct written b;
	static struct table b_table;
	layout_linear *by_squares, *by_inverse;
	bool solvable = true;

	b.in_count = random_sizes(in_names, 8, b.ins);
	b.out_count = a->out_count;
	memcpy(b.outs, a->outs, sizeof(b.outs));
	random_bases(&b);
	tabulate(&b, &b_table);
	for (int64_t x = 0; x < b_table.ins; x++)
		solvable = solvable && table->reached[b_table.images[x]];
	by_squares = layout_linear_least_squares(linear_of(ctx, a), linear_of(ctx, &b));
	by_inverse = layout_linear_invert_and_compose(linear_of(ctx, &b),
		linear_of(ctx, a));
	assert_int_equal(by_squares != NULL, solvable);
	assert_int_equal(by_inverse != NULL, solvable);
	assert_int_equal(layout_context_error(ctx),
		solvable ? LAYOUT_ERROR_NONE : LAYOUT_ERROR_NO_ANSWER);
	for (int64_t x = 0; solvable && x < b_table.ins; x++) {
		assert_int_equal(table->images[eval(by_squares, x)], b_table.images[x]);
		assert_int_equal(table->images[eval(by_inverse, x)], b_table.images[x]);
	}
	layout_linear_free(by_squares);
	layout_linear_free(by_inverse);
}

static void solutions(void **unused)
{
	(void)unused;
	repeat(2000, check_solutions);
}

static int64_t named(const layout_size *sizes, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(sizes[i].name, name))
			return i;
	return -1;
}

/* The product's image by the definition: low bits through "a", high ones through
 * "b". */
static void expect_product(layout_linear *product, const struct written *a,
	const struct written *b)
{
	unsigned ins = layout_linear_in_count(product);
	unsigned outs = layout_linear_out_count(product);
	int64_t total = 1, point[MAX_RANK], image[MAX_RANK];

	for (unsigned i = 0; i < ins; i++)
		total *= layout_linear_in_size(product, i);
	for (int64_t x = 0; x < total; x++) {
		int64_t low[MAX_RANK] = { 0 }, high[MAX_RANK] = { 0 }, rest = x;
		int64_t a_image[MAX_RANK], b_image[MAX_RANK];

		for (unsigned i = 0; i < ins; i++) {
			const char *name = layout_linear_in_name(product, i);
			int64_t in_a = named(a->ins, a->in_count, name);
			int64_t in_b = named(b->ins, b->in_count, name);
			int64_t a_size = in_a < 0 ? 1 : a->ins[in_a].value;

			point[i] = rest % layout_linear_in_size(product, i);
			rest /= layout_linear_in_size(product, i);
			if (in_a >= 0)
				low[in_a] = point[i] % a_size;
			if (in_b >= 0)
				high[in_b] = point[i] / a_size;
		}
		image_of(a, low, a_image);
		image_of(b, high, b_image);
		assert_true(layout_linear_eval(product, point, image));
		for (unsigned i = 0; i < outs; i++) {
			const char *name = layout_linear_out_name(product, i);
			int64_t in_a = named(a->outs, a->out_count, name);
			int64_t in_b = named(b->outs, b->out_count, name);

			assert_int_equal(image[i], (in_a < 0 ? 0 : a_image[in_a]) +
				(in_a < 0 ? 1 : a->outs[in_a].value) *
				(in_b < 0 ? 0 : b_image[in_b]));
		}
	}
}

static void check_products(layout_context *ctx, struct written *a, struct table *table)
{
	static struct written b;
	layout_linear *product, *quotient;

	(void)table;
	random_written(&b);
	while (size_of(a->ins, a->in_count) * size_of(b.ins, b.in_count) > 4096)
		random_written(&b);
	product = layout_linear_product(linear_of(ctx, a), linear_of(ctx, &b));
	assert_non_null(product);
	expect_product(product, a, &b);
	quotient = layout_linear_divide_left(layout_linear_copy(product),
		linear_of(ctx, a));
	quotient = layout_linear_product(linear_of(ctx, a), quotient);
	assert_int_equal(layout_linear_equal(quotient, product, NULL), LAYOUT_YES);
	layout_linear_free(quotient);
	quotient = layout_linear_divide_right(layout_linear_copy(product),
		linear_of(ctx, &b));
	quotient = layout_linear_product(quotient, linear_of(ctx, &b));
	assert_int_equal(layout_linear_equal(quotient, product, NULL), LAYOUT_YES);
	layout_linear_free(quotient);
	layout_linear_free(product);
}

static void products(void **unused)
{
	(void)unused;
	repeat(1000, check_products);
}

/* Is there a C with w = divisor * C?  If the low bits of images are the divisor's, and
 * the high ones do not depend on the divisor's bits.  Both have all names. */
static bool divides(const struct written *w, const struct table *table,
	const struct written *divisor)
{
	int64_t point[MAX_RANK], low[MAX_RANK], high[MAX_RANK], image[MAX_RANK],
		low_image[MAX_RANK], high_image[MAX_RANK];

	for (int64_t x = 0; x < table->ins; x++) {
		point_of(w->ins, w->in_count, x, point);
		for (unsigned i = 0; i < w->in_count; i++) {
			low[i] = point[i] % divisor->ins[i].value;
			high[i] = point[i] - low[i];
		}
		image_of(w, point, image);
		image_of(divisor, low, low_image);
		image_of(w, high, high_image);
		for (unsigned i = 0; i < w->out_count; i++)
			if (image[i] % divisor->outs[i].value != low_image[i] ||
			    image[i] / divisor->outs[i].value !=
			    high_image[i] / divisor->outs[i].value)
				return false;
	}
	return true;
}

static void check_quotients(layout_context *ctx, struct written *w, struct table *table)
{
	static struct written divisor;
	layout_linear *quotient;
	bool exists;

	divisor = *w;
	for (unsigned i = 0; i < w->in_count; i++)
		divisor.ins[i].value >>= below(2) && w->ins[i].value > 1;
	for (unsigned i = 0; i < w->out_count; i++)
		divisor.outs[i].value >>= below(2) && w->outs[i].value > 1;
	random_bases(&divisor);
	exists = divides(w, table, &divisor);
	quotient = layout_linear_divide_left(linear_of(ctx, w), linear_of(ctx, &divisor));
	assert_int_equal(quotient != NULL, exists);
	assert_int_equal(layout_context_error(ctx),
		exists ? LAYOUT_ERROR_NONE : LAYOUT_ERROR_NO_ANSWER);
	layout_linear_free(quotient);
}

static void quotients(void **unused)
{
	(void)unused;
	repeat(3000, check_quotients);
}

static void check_views(layout_context *ctx, struct written *w, struct table *table)
{
	const layout_size parts[] = { { "x", table->ins > 2 ? 2 : 1 }, { "y", 1 },
		{ "z", table->ins > 2 ? table->ins / 2 : table->ins } };
	const layout_size outs[] = { { "u", table->outs } };
	const char *names[MAX_RANK];
	int64_t point[MAX_RANK], turned[MAX_RANK], image[MAX_RANK], expected[MAX_RANK];
	layout_linear *linear;

	linear = layout_linear_reshape_outs(
		layout_linear_reshape_ins(linear_of(ctx, w), parts, 3), outs, 1);
	expect_table(linear, table);
	layout_linear_free(linear);
	linear = layout_linear_flatten_outs(layout_linear_flatten_ins(linear_of(ctx, w)));
	assert_int_equal(layout_linear_in_count(linear), w->in_count > 0);
	assert_int_equal(layout_linear_out_count(linear), w->out_count > 0);
	expect_table(linear, table);
	layout_linear_free(linear);
	for (unsigned i = 0; i < w->in_count; i++)
		names[i] = w->ins[w->in_count - 1 - i].name;
	linear = layout_linear_transpose_ins(linear_of(ctx, w), names, w->in_count);
	for (unsigned i = 0; i < w->out_count; i++)
		names[i] = w->outs[w->out_count - 1 - i].name;
	linear = layout_linear_transpose_outs(linear, names, w->out_count);
	for (int64_t x = 0; x < table->ins; x++) {
		point_of(w->ins, w->in_count, x, point);
		for (unsigned i = 0; i < w->in_count; i++)
			turned[i] = point[w->in_count - 1 - i];
		image_of(w, point, expected);
		assert_true(layout_linear_eval(linear, turned, image));
		for (unsigned i = 0; i < w->out_count; i++)
			assert_int_equal(image[i], expected[w->out_count - 1 - i]);
	}
	layout_linear_free(linear);
}

static void views(void **unused)
{
	(void)unused;
	repeat(500, check_views);
}

/* Some inputs and outputs; and a quotient exists exactly for what the table says. */
static void check_parts(layout_context *ctx, struct written *w, struct table *table)
{
	int64_t point[MAX_RANK], full[MAX_RANK] = { 0 }, image[MAX_RANK],
		expected[MAX_RANK];
	const char *in = w->in_count ? w->ins[below(w->in_count)].name : NULL;
	const char *out = w->out_count ? w->outs[below(w->out_count)].name : NULL;
	bool zero = true;
	layout_linear *part, *linear;
	int64_t place;

	(void)table;
	if (!in || !out)
		return;
	linear = linear_of(ctx, w);
	part = layout_linear_sublayout(layout_linear_copy(linear), &in, 1, &out, 1);
	assert_non_null(part);
	place = named(w->ins, w->in_count, in);
	for (int64_t x = 0; x < w->ins[place].value; x++) {
		full[place] = x;
		point[0] = x;
		image_of(w, full, expected);
		assert_true(layout_linear_eval(part, point, image));
		assert_int_equal(image[0], expected[named(w->outs, w->out_count, out)]);
		zero = zero && !image[0];
	}
	assert_int_equal(layout_linear_sublayout_is_zero(linear, &in, 1, &out, 1),
		zero ? LAYOUT_YES : LAYOUT_NO);
	layout_linear_free(part);
	layout_linear_free(linear);
}

static void parts(void **unused)
{
	(void)unused;
	repeat(1000, check_parts);
}

/* The identity with something beside it is trivial over the identity. */
static void check_trivial(layout_context *ctx, struct written *w, struct table *table)
{
	layout_linear *linear = linear_of(ctx, w), *both, *rest;
	const char *dim = "c";

	(void)table;
	both = layout_linear_product(layout_linear_copy(linear),
		layout_linear_identity(ctx, (int64_t)1 << below(4), dim, dim));
	assert_int_equal(layout_linear_is_trivial_over(both, &dim, 1), LAYOUT_YES);
	rest = layout_linear_quotient(layout_linear_copy(both), &dim, 1);
	assert_int_equal(layout_linear_equal(rest, linear, NULL), LAYOUT_YES);
	layout_linear_free(rest);
	layout_linear_free(both);
	layout_linear_free(linear);
}

static void trivial(void **unused)
{
	(void)unused;
	repeat(300, check_trivial);
}

static void check_sizes(layout_context *ctx, struct written *w, struct table *table)
{
	static struct written expected;
	layout_linear *linear = linear_of(ctx, w);
	unsigned kept = 0;

	(void)table;
	if (w->in_count) {	/* twice the points, the new bit goes to 0 */
		const char *name = w->ins[w->in_count - 1].name;
		int64_t size = w->ins[w->in_count - 1].value;

		expected = *w;
		expected.ins[w->in_count - 1].value = 2 * size;
		memset(expected.bases + expected.bits++ * w->out_count, 0,
			w->out_count * sizeof(int64_t));
		linear = layout_linear_resize_in(linear, name, 2 * size);
		assert_true(is_written(linear, &expected));
		linear = layout_linear_resize_in(linear, name, size);
		assert_true(is_written(linear, w));
		for (unsigned bit = 0; size >> bit > 1; bit++) {
			const int64_t *basis = w->bases + w->out_count * (w->bits -
				(unsigned)__builtin_ctzll((uint64_t)size) + bit);
			bool zero = true;

			for (unsigned out = 0; out < w->out_count; out++)
				zero = zero && !basis[out];
			kept += !zero;
		}
		linear = layout_linear_remove_zero_bases(linear, name);
		assert_int_equal(layout_linear_in_size(linear, w->in_count - 1),
			1 << kept);
	}
	layout_linear_free(linear);
	if (w->out_count) {
		expected = *w;
		expected.outs[0].value *= 4;
		linear = layout_linear_resize_out(linear_of(ctx, w), w->outs[0].name,
			expected.outs[0].value);
		assert_true(is_written(linear, &expected));
		layout_linear_free(linear);
	}
}

static void sizes(void **unused)
{
	(void)unused;
	repeat(500, check_sizes);
}

static void check_concatenations(layout_context *ctx, struct written *w,
	struct table *table)
{
	static struct written b;
	const char *names[MAX_RANK];
	layout_linear *linear;
	int64_t ins;

	b = *w;
	b.in_count = random_sizes(out_names, 3, b.ins);
	random_bases(&b);
	ins = size_of(b.ins, b.in_count);
	linear = layout_linear_concat_ins(linear_of(ctx, w), linear_of(ctx, &b));
	for (int64_t x = 0; x < table->ins * ins; x++) {
		int64_t point[MAX_RANK], image[MAX_RANK];

		point_of(b.ins, b.in_count, x / table->ins, point);
		image_of(&b, point, image);
		assert_int_equal(eval(linear, x), table->images[x % table->ins] ^
			number_of(b.outs, b.out_count, image));
	}
	layout_linear_free(linear);
	b = *w;
	b.out_count = random_sizes(in_names, 3, b.outs);
	random_bases(&b);
	for (unsigned i = 0; i < b.in_count; i++)
		names[i] = b.ins[b.in_count - 1 - i].name;
	linear = layout_linear_transpose_ins(linear_of(ctx, &b), names, b.in_count);
	linear = layout_linear_concat_outs(linear_of(ctx, w), linear);
	for (int64_t x = 0; x < table->ins; x++) {
		int64_t point[MAX_RANK], image[MAX_RANK];

		point_of(b.ins, b.in_count, x, point);
		image_of(&b, point, image);
		assert_int_equal(eval(linear, x), table->images[x] +
			table->outs * number_of(b.outs, b.out_count, image));
	}
	layout_linear_free(linear);
}

static void concatenations(void **unused)
{
	(void)unused;
	repeat(500, check_concatenations);
}

#define WIDE 160

/* 160 bits on both sides, as a bijection: a permutation of the bits, and some added to
 * others. */
static layout_linear *wide_layout(layout_context *ctx)
{
	static int64_t bases[WIDE * 4];
	layout_size ins[4], outs[4];

	memset(bases, 0, sizeof(bases));
	for (unsigned i = 0; i < 4; i++) {
		ins[i] = (layout_size){ in_names[i], (int64_t)1 << 40 };
		outs[i] = (layout_size){ out_names[i], (int64_t)1 << 40 };
	}
	for (unsigned bit = 0; bit < WIDE; bit++) {
		unsigned to = bit * 7 % WIDE;

		bases[4 * bit + to / 40] = (int64_t)1 << to % 40;
	}
	for (unsigned i = 0; i < 3 * WIDE; i++) {
		unsigned from = below(WIDE), to = below(WIDE);

		for (unsigned out = 0; from != to && out < 4; out++)
			bases[4 * to + out] ^= bases[4 * from + out];
	}
	return layout_linear_new(ctx, ins, 4, outs, 4, bases);
}

/* More columns than a word has bits: inverses, and conversions, at random points. */
static void wide(void **unused)
{
	layout_context *ctx = layout_context_new();

	(void)unused;
	for (unsigned round = 0; round < 20; round++) {
		layout_linear *a = wide_layout(ctx), *b = wide_layout(ctx), *inverse, *r;

		inverse = layout_linear_invert(layout_linear_copy(a));
		r = layout_linear_invert_and_compose(layout_linear_copy(a),
			layout_linear_copy(b));
		assert_non_null(inverse);
		assert_non_null(r);
		for (unsigned i = 0; i < 100; i++) {
			int64_t x[4], y[4], z[4];

			for (unsigned k = 0; k < 4; k++)
				x[k] = (int64_t)below(1 << 20) << 20 | below(1 << 20);
			assert_true(layout_linear_eval(a, x, y));
			assert_true(layout_linear_eval(inverse, y, z));
			assert_memory_equal(x, z, sizeof(x));
			assert_true(layout_linear_eval(r, x, z));
			assert_true(layout_linear_eval(b, z, x));
			assert_memory_equal(x, y, sizeof(x));
		}
		layout_linear_free(a);
		layout_linear_free(b);
		layout_linear_free(inverse);
		layout_linear_free(r);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects),
		cmocka_unit_test(questions_of_random_layouts),
		cmocka_unit_test(equality),
		cmocka_unit_test(equality_of_other_spaces),
		cmocka_unit_test(free_bits),
		cmocka_unit_test(contiguity),
		cmocka_unit_test(inverses),
		cmocka_unit_test(compositions),
		cmocka_unit_test(solutions),
		cmocka_unit_test(products),
		cmocka_unit_test(quotients),
		cmocka_unit_test(views),
		cmocka_unit_test(parts),
		cmocka_unit_test(trivial),
		cmocka_unit_test(sizes),
		cmocka_unit_test(concatenations),
		cmocka_unit_test(wide),
	};

	state = random_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
