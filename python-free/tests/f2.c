/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions over F2, up to 200 bits a side, against one byte a bit; small ones point
 * by point. */
#include "algebra/f2/isl.h"
#include "algebra/f2/print.h"
#include "isl_bridge/objects.h"
#include "support/random.h"
#include "support/share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MAX_RANK 12
#define MAX_BITS 200
#define POINTS 40

static uint64_t state;

static unsigned below(unsigned bound)
{
	return random_below(&state, bound);
}

static int64_t random_coordinate(unsigned width)
{
	uint64_t bits = (uint64_t)below(1u << 31) << 31 | below(1u << 31);

	return (int64_t)(bits & (((uint64_t)1 << width) - 1));
}

/* The same function, plainly: bit i of the image is constant[i] plus the sum of
 * matrix[i][j] over the bits j of the point. */
struct plain {
	unsigned in_rank, out_rank, ins, outs;
	unsigned in_widths[MAX_RANK], out_widths[MAX_RANK];
	unsigned char constant[MAX_BITS], matrix[MAX_BITS][MAX_BITS];
};

static unsigned random_widths(unsigned *rank, unsigned *widths, unsigned most)
{
	unsigned bits = 0;

	*rank = 1 + below(MAX_RANK);
	for (unsigned i = 0; i < *rank; i++) {
		widths[i] = below(2) ? below(4) : below(51);
		if (bits + widths[i] > most)
			widths[i] = most - bits;
		bits += widths[i];
	}
	return bits;
}

/* Dense, sparse, of low rank, or with few columns: "kind". */
static void random_matrix(struct plain *plain)
{
	unsigned kind = below(4);

	memset(plain->matrix, 0, sizeof(plain->matrix));
	for (unsigned i = 0; i < plain->outs; i++) {
		plain->constant[i] = below(3) == 0;
		for (unsigned j = 0; j < plain->ins; j++)
			plain->matrix[i][j] = kind == 0 ? below(2) : below(8) == 0;
		for (unsigned j = 0; kind == 2 && i > 3 && j < plain->ins; j++)
			plain->matrix[i][j] = plain->matrix[i % 3][j];
		for (unsigned j = 0; kind == 3 && j < plain->ins; j++)
			plain->matrix[i][j] = i == j;
	}
}

/* The identity with columns added to others: a bijection. */
static void random_bijection(struct plain *plain)
{
	memset(plain->matrix, 0, sizeof(plain->matrix));
	for (unsigned i = 0; i < plain->outs; i++)
		plain->matrix[i][(i + 7) % plain->ins] = 1;
	for (unsigned i = 0; i < 3 * plain->ins; i++) {
		unsigned from = below(plain->ins), to = below(plain->ins);

		for (unsigned row = 0; from != to && row < plain->outs; row++)
			plain->matrix[row][to] ^= plain->matrix[row][from];
	}
}

static unsigned plain_rank(const struct plain *plain)
{
	static unsigned char m[MAX_BITS][MAX_BITS];
	unsigned rank = 0;

	memcpy(m, plain->matrix, sizeof(m));
	for (unsigned column = 0; column < plain->ins && rank < plain->outs; column++) {
		unsigned pivot = rank;

		while (pivot < plain->outs && !m[pivot][column])
			pivot++;
		if (pivot == plain->outs)
			continue;
		for (unsigned j = 0; j < plain->ins; j++) {
			unsigned char t = m[rank][j];

			m[rank][j] = m[pivot][j];
			m[pivot][j] = t;
		}
		for (unsigned i = rank + 1; i < plain->outs; i++)
			for (unsigned j = 0; m[i][column] && j < plain->ins; j++)
				if (j != column)
					m[i][j] ^= m[rank][j];
		rank++;
	}
	return rank;
}

static void unpack(const int64_t *point, unsigned rank, const unsigned *widths,
	unsigned char *bits)
{
	for (unsigned i = 0; i < rank; i++)
		for (unsigned j = 0; j < widths[i]; j++)
			*bits++ = point[i] >> j & 1;
}

static void plain_apply(const struct plain *plain, const int64_t *in, int64_t *out)
{
	unsigned char bits[MAX_BITS];
	unsigned row = 0;

	unpack(in, plain->in_rank, plain->in_widths, bits);
	for (unsigned i = 0; i < plain->out_rank; i++) {
		out[i] = 0;
		for (unsigned j = 0; j < plain->out_widths[i]; j++, row++) {
			unsigned char sum = plain->constant[row];

			for (unsigned k = 0; k < plain->ins; k++)
				sum ^= plain->matrix[row][k] & bits[k];
			out[i] |= (int64_t)sum << j;
		}
	}
}

static struct f2 *build(layout_context *ctx, const struct plain *plain)
{
	struct f2 *f2 = f2_new(ctx, plain->in_rank, plain->in_widths, plain->out_rank,
		plain->out_widths);
	unsigned row = 0;

	assert_non_null(f2);
	assert_int_equal(f2->in_bits, plain->ins);
	assert_int_equal(f2->out_bits, plain->outs);
	for (unsigned i = 0; i < plain->out_rank; i++)
		for (unsigned j = 0; j < plain->out_widths[i]; j++, row++) {
			if (plain->constant[row])
				f2_toggle_constant(f2, i, (uint64_t)1 << j);
			for (unsigned k = 0; k < plain->ins; k++)
				if (plain->matrix[row][k])
					f2_toggle(f2, k, i, (uint64_t)1 << j);
		}
	return f2;
}

static void random_point(unsigned rank, const unsigned *widths, int64_t *point)
{
	for (unsigned i = 0; i < rank; i++)
		point[i] = random_coordinate(widths[i]);
}

static void random_plain(struct plain *plain, unsigned most)
{
	plain->ins = random_widths(&plain->in_rank, plain->in_widths, most);
	plain->outs = random_widths(&plain->out_rank, plain->out_widths, most);
	random_matrix(plain);
}

/* Where "expected" is compared to what f2 gives, at random points. */
static void expect_same(const struct plain *plain, const struct f2 *f2)
{
	int64_t in[MAX_RANK], out[MAX_RANK], expected[MAX_RANK];

	for (unsigned i = 0; i < POINTS; i++) {
		random_point(plain->in_rank, plain->in_widths, in);
		plain_apply(plain, in, expected);
		f2_apply(f2, in, out);
		assert_memory_equal(out, expected, plain->out_rank * sizeof(*out));
	}
}

static void applies(void **unused)
{
	layout_context *ctx = layout_context_new();
	struct plain plain;

	(void)unused;
	for (unsigned round = 0; round < share_count(300); round++) {
		struct f2 *f2, *again;

		random_plain(&plain, round % 2 ? 30 : MAX_BITS);
		f2 = build(ctx, &plain);
		expect_same(&plain, f2);
		assert_int_equal(f2_rank(f2), plain_rank(&plain));
		again = f2_share(f2);
		f2_free(f2);
		expect_same(&plain, again);
		f2_free(again);
	}
	assert_true(layout_context_free(ctx));
}

static void composes(void **unused)
{
	layout_context *ctx = layout_context_new();
	struct plain inner, outer;

	(void)unused;
	for (unsigned round = 0; round < share_count(200); round++) {
		int64_t in[MAX_RANK], middle[MAX_RANK], out[MAX_RANK], image[MAX_RANK];
		struct f2 *a, *b, *composed;

		random_plain(&inner, round % 2 ? 20 : 100);
		random_plain(&outer, round % 2 ? 20 : MAX_BITS);
		outer.in_rank = inner.out_rank;
		outer.ins = 0;
		for (unsigned i = 0; i < outer.in_rank; i++) {
			outer.in_widths[i] = inner.out_widths[i] +
				(inner.out_widths[i] < 40 ? below(3) : 0);
			outer.ins += outer.in_widths[i];
		}
		random_matrix(&outer);
		a = build(ctx, &outer);
		b = build(ctx, &inner);
		composed = f2_compose(ctx, a, b);
		assert_non_null(composed);
		for (unsigned i = 0; i < POINTS; i++) {
			random_point(inner.in_rank, inner.in_widths, in);
			plain_apply(&inner, in, middle);
			plain_apply(&outer, middle, out);
			f2_apply(composed, in, image);
			assert_memory_equal(image, out, outer.out_rank * sizeof(*out));
		}
		f2_free(a);
		f2_free(b);
		f2_free(composed);
	}
	assert_true(layout_context_free(ctx));
}

static void inverts(void **unused)
{
	layout_context *ctx = layout_context_new();
	unsigned bijections = 0, others = 0;
	struct plain plain;

	(void)unused;
	for (unsigned round = 0; round < share_count(300); round++) {
		int64_t in[MAX_RANK], out[MAX_RANK], back[MAX_RANK];
		struct f2 *f2, *inverse;

		random_plain(&plain, round % 2 ? 12 : MAX_BITS);
		plain.out_rank = plain.in_rank;
		plain.outs = plain.ins;
		for (unsigned i = 0; i < plain.in_rank; i++)
			plain.out_widths[i] = plain.in_widths[plain.in_rank - 1 - i];
		if (round % 3 && plain.ins)
			random_bijection(&plain);
		else
			random_matrix(&plain);
		f2 = build(ctx, &plain);
		inverse = f2_inverse(ctx, f2);
		assert_int_equal(inverse != NULL, plain_rank(&plain) == plain.ins);
		bijections += inverse != NULL;
		others += !inverse;
		for (unsigned i = 0; inverse && i < POINTS; i++) {
			random_point(plain.in_rank, plain.in_widths, in);
			plain_apply(&plain, in, out);
			f2_apply(inverse, out, back);
			assert_memory_equal(back, in, plain.in_rank * sizeof(*in));
		}
		f2_free(f2);
		f2_free(inverse);
	}
	assert_true(share_is_few() || (bijections > 50 && others > 20));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_true(layout_context_free(ctx));
}

/* Lexicographic successor in a box; false at the end. */
static bool next_point(unsigned rank, const unsigned *widths, int64_t *point)
{
	for (unsigned i = rank; i-- > 0;) {
		if (++point[i] >> widths[i] == 0)
			return true;
		point[i] = 0;
	}
	return false;
}

/* The first point after 0 that has the image of 0, by looking at all. */
static bool first_kernel(const struct plain *plain, int64_t *point)
{
	int64_t zero[MAX_RANK], image[MAX_RANK];

	memset(point, 0, MAX_RANK * sizeof(*point));
	plain_apply(plain, point, zero);
	while (next_point(plain->in_rank, plain->in_widths, point)) {
		plain_apply(plain, point, image);
		if (!memcmp(image, zero, plain->out_rank * sizeof(*image)))
			return true;
	}
	return false;
}

/* The first point of the output box that is no image, by looking at all. */
static bool first_missing(const struct plain *plain, int64_t *missing)
{
	memset(missing, 0, MAX_RANK * sizeof(*missing));
	do {
		int64_t in[MAX_RANK] = { 0 }, image[MAX_RANK];
		bool reached = false;

		do {
			plain_apply(plain, in, image);
			reached = !memcmp(image, missing,
				plain->out_rank * sizeof(*image));
		} while (!reached && next_point(plain->in_rank, plain->in_widths, in));
		if (!reached)
			return true;
	} while (next_point(plain->out_rank, plain->out_widths, missing));
	return false;
}

static void small_witnesses(void **unused)
{
	layout_context *ctx = layout_context_new();
	struct plain plain;

	(void)unused;
	for (unsigned round = 0; round < share_count(300); round++) {
		int64_t expected[MAX_RANK], found[MAX_RANK];
		struct f2 *f2;
		bool is;

		random_plain(&plain, 6);
		f2 = build(ctx, &plain);
		is = first_kernel(&plain, expected);
		assert_int_equal(f2_kernel(f2, found), is);
		if (is)
			assert_memory_equal(found, expected,
				plain.in_rank * sizeof(*found));
		is = first_missing(&plain, expected);
		assert_int_equal(f2_missing(f2, found), is);
		if (is)
			assert_memory_equal(found, expected,
				plain.out_rank * sizeof(*found));
		f2_free(f2);
	}
	assert_true(layout_context_free(ctx));
}

/* With another column, or without: is the rank larger? */
static bool is_reached(const struct plain *plain, const int64_t *image)
{
	static struct plain wider;
	unsigned char bits[MAX_BITS];

	wider = *plain;
	unpack(image, plain->out_rank, plain->out_widths, bits);
	for (unsigned i = 0; i < plain->outs; i++)
		wider.matrix[i][plain->ins] = bits[i] ^ plain->constant[i];
	wider.ins = plain->ins + 1;
	return plain_rank(&wider) == plain_rank(plain);
}

static void large_witnesses(void **unused)
{
	layout_context *ctx = layout_context_new();
	static struct plain plain;

	(void)unused;
	for (unsigned round = 0; round < share_count(50); round++) {
		int64_t point[MAX_RANK], zero[MAX_RANK] = { 0 }, a[MAX_RANK], b[MAX_RANK];
		unsigned rank;
		struct f2 *f2;

		random_plain(&plain, MAX_BITS - 1);
		f2 = build(ctx, &plain);
		rank = plain_rank(&plain);
		assert_int_equal(f2_kernel(f2, point), rank < plain.ins);
		if (rank < plain.ins) {
			assert_memory_not_equal(point, zero,
				plain.in_rank * sizeof(*point));
			plain_apply(&plain, point, a);
			plain_apply(&plain, zero, b);
			assert_memory_equal(a, b, plain.out_rank * sizeof(*a));
		}
		assert_int_equal(f2_missing(f2, point), rank < plain.outs);
		if (rank < plain.outs)
			assert_false(is_reached(&plain, point));
		f2_free(f2);
	}
	assert_true(layout_context_free(ctx));
}

/* R with a(R(x)) = b(x), which uses no bit that depends on lower ones. */
static void expect_solution(const struct plain *a, const struct plain *b,
	const struct f2 *of_a, const struct f2 *solution)
{
	int64_t in[MAX_RANK], r[MAX_RANK], image[MAX_RANK], expected[MAX_RANK];
	uint64_t free_bits[MAX_RANK];

	f2_free_bits(of_a, free_bits);
	for (unsigned i = 0; i < POINTS; i++) {
		random_point(b->in_rank, b->in_widths, in);
		f2_apply(solution, in, r);
		for (unsigned j = 0; j < a->in_rank; j++)
			assert_int_equal((uint64_t)r[j] & free_bits[j], 0);
		plain_apply(a, r, image);
		plain_apply(b, in, expected);
		assert_memory_equal(image, expected, a->out_rank * sizeof(*image));
	}
}

/* A bit is free exactly where the columns up to it have no higher rank than those
 * before it. */
static void expect_free_bits(const struct plain *plain, const struct f2 *f2)
{
	static struct plain prefix;
	uint64_t masks[MAX_RANK];
	unsigned before = 0;

	prefix = *plain;
	prefix.ins = 0;
	f2_free_bits(f2, masks);
	for (unsigned i = 0; i < plain->in_rank; i++)
		for (unsigned bit = 0; bit < plain->in_widths[i]; bit++) {
			unsigned rank;

			prefix.ins++;
			rank = plain_rank(&prefix);
			assert_int_equal(masks[i] >> bit & 1, rank == before);
			before = rank;
		}
}

static void solves(void **unused)
{
	layout_context *ctx = layout_context_new();
	static struct plain a, b;
	unsigned solved = 0, refused = 0;

	(void)unused;
	for (unsigned round = 0; round < share_count(200); round++) {
		unsigned most = round % 2 ? 10 : MAX_BITS - 1;
		int64_t missed[MAX_RANK], image[MAX_RANK];
		struct f2 *of_a, *of_b, *solution;

		random_plain(&a, most);
		b.ins = random_widths(&b.in_rank, b.in_widths, most);
		b.outs = a.outs;
		b.out_rank = a.out_rank;
		memcpy(b.out_widths, a.out_widths, sizeof(a.out_widths));
		random_matrix(&b);
		if (round % 3 == 0) {	/* the columns of b are some of a's */
			memcpy(b.constant, a.constant, sizeof(a.constant));
			for (unsigned j = 0; a.ins && j < b.ins; j++)
				for (unsigned i = 0, from = below(a.ins); i < a.outs; i++)
					b.matrix[i][j] = a.matrix[i][from];
		}
		of_a = build(ctx, &a);
		of_b = build(ctx, &b);
		if (round % 10 == 0)
			expect_free_bits(&a, of_a);
		solution = f2_solve(ctx, of_a, of_b, missed);
		if (solution) {
			expect_solution(&a, &b, of_a, solution);
			solved++;
		} else {
			plain_apply(&b, missed, image);
			assert_false(is_reached(&a, image));
			refused++;
		}
		f2_free(of_a);
		f2_free(of_b);
		f2_free(solution);
	}
	assert_true(share_is_few() || (solved > 20 && refused > 20));
	assert_true(layout_context_free(ctx));
}

/* Boxes of other widths: the values count. */
static void solves_across_widths(void **unused)
{
	layout_context *ctx = layout_context_new();
	static const unsigned two[] = { 2, 2 }, three[] = { 3, 1 };
	struct f2 *a = f2_new(ctx, 2, two, 2, two), *b = f2_new(ctx, 1, two, 2, three);
	int64_t missed, in = 3, out[2];
	struct f2 *solution;

	(void)unused;
	for (unsigned bit = 0; bit < 4; bit++)
		f2_toggle(a, bit, bit / 2, 1 << bit % 2);
	f2_toggle(b, 0, 0, 2);
	f2_toggle(b, 1, 1, 1);
	solution = f2_solve(ctx, a, b, &missed);
	assert_non_null(solution);
	f2_apply(solution, &in, out);
	assert_int_equal(out[0], 2);
	assert_int_equal(out[1], 1);
	f2_free(solution);
	f2_toggle(b, 1, 0, 4);
	assert_null(f2_solve(ctx, a, b, &missed));
	assert_int_equal(missed, 2);
	f2_free(a);
	f2_free(b);
	assert_true(layout_context_free(ctx));
}

static void equals(void **unused)
{
	layout_context *ctx = layout_context_new();
	static struct plain plain;

	(void)unused;
	for (unsigned round = 0; round < share_count(200); round++) {
		int64_t point[MAX_RANK], x[MAX_RANK], y[MAX_RANK];
		struct f2 *a, *b;

		random_plain(&plain, MAX_BITS);
		if (!plain.ins || !plain.outs)
			continue;
		a = build(ctx, &plain);
		b = build(ctx, &plain);
		assert_true(f2_equal(a, b, point));
		plain.matrix[below(plain.outs)][below(plain.ins)] ^= 1;
		f2_free(b);
		b = build(ctx, &plain);
		assert_false(f2_equal(a, b, point));
		assert_false(f2_equal(a, b, NULL));
		f2_apply(a, point, x);
		f2_apply(b, point, y);
		assert_memory_not_equal(x, y, plain.out_rank * sizeof(*x));
		f2_free(a);
		f2_free(b);
	}
	assert_true(layout_context_free(ctx));
}

struct walk {
	const struct plain *plain;
	unsigned count;
};

static bool check_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct walk *walk = user;
	int64_t expected[MAX_RANK];

	assert_int_equal(in_rank, walk->plain->in_rank);
	assert_int_equal(image_rank, walk->plain->out_rank);
	plain_apply(walk->plain, in, expected);
	assert_memory_equal(image, expected, image_rank * sizeof(*image));
	walk->count++;
	return true;
}

/* isl's function, on the box, has exactly the pairs; restricted as forms are: isl 0.25's
 * isl_map_upper_bound_si() lost some of them, with seed 1795385080. */
static void is_the_same_to_isl(void **unused)
{
	layout_context *ctx = layout_context_new();
	struct plain plain;

	(void)unused;
	for (unsigned round = 0; round < share_count(60); round++) {
		struct walk walk = { .plain = &plain };
		layout_relation *relation;
		isl_map *map;
		isl_set *box;
		struct f2 *f2;

		random_plain(&plain, 7);
		if (round % 2)
			memset(plain.constant, 0, sizeof(plain.constant));
		f2 = build(ctx, &plain);
		layout_context_set_quota(ctx, 0);
		bridge_enter(ctx);
		map = isl_map_from_multi_aff(f2_isl_function(ctx, f2));
		box = isl_set_universe(isl_space_domain(isl_map_get_space(map)));
		for (unsigned i = 0; i < f2->in_rank; i++)
			box = bridge_bound(box, i, (int64_t)1 << f2->in_widths[i]);
		map = isl_map_intersect_domain(map, box);
		relation = bridge_give_relation(ctx, "test", map, NULL, NULL);
		assert_non_null(relation);
		assert_true(layout_relation_for_each(relation, check_pair, &walk));
		assert_int_equal(walk.count, 1u << plain.ins);
		layout_relation_free(relation);
		f2_free(f2);
	}
	assert_true(layout_context_free(ctx));
}

/* Text of the whole map, read back by isl. */
static layout_relation *read_printed(layout_context *ctx, const struct f2 *f2)
{
	char names[MAX_RANK][16];
	const char *list[MAX_RANK];
	struct layout_buffer out = { 0 };
	layout_relation *relation;

	for (unsigned i = 0; i < f2->in_rank; i++) {
		snprintf(names[i], sizeof(names[i]), "x%u", i);
		list[i] = names[i];
		layout_buffer_printf(&out, "%s%s", i ? ", " : "{ [", names[i]);
	}
	for (unsigned i = 0; i < f2->out_rank; i++) {
		layout_buffer_printf(&out, i ? ", " : "] -> [");
		f2_print(&out, f2, i, list);
	}
	for (unsigned i = 0; i < f2->in_rank; i++)
		layout_buffer_printf(&out, "%s 0 <= x%u < %u", i ? " and" : "] :", i,
			1u << f2->in_widths[i]);
	layout_buffer_printf(&out, " }");
	relation = layout_relation_read(ctx, out.text);
	if (!relation)
		fail_msg("%s", out.text);
	free(out.text);
	return relation;
}

static void prints(void **unused)
{
	layout_context *ctx = layout_context_new();
	struct plain plain;

	(void)unused;
	for (unsigned round = 0; round < share_count(60); round++) {
		struct walk walk = { .plain = &plain };
		layout_relation *relation;
		struct f2 *f2;

		random_plain(&plain, 6);
		f2 = build(ctx, &plain);
		relation = read_printed(ctx, f2);
		assert_true(layout_relation_for_each(relation, check_pair, &walk));
		assert_int_equal(walk.count, 1u << plain.ins);
		layout_relation_free(relation);
		f2_free(f2);
	}
	assert_true(layout_context_free(ctx));
}

/* The columns of one coordinate of 6 bits, its constant, and its text. */
static const struct {
	unsigned ins, columns[6], constant;
	const char *text;
} printed[] = {
	{ 6, { 1, 2, 4, 8, 16, 32 }, 0, "i" },
	{ 6, { 2, 4, 8, 16, 32, 1 }, 0, "2*(i mod 32) + floor(i/32)" },
	{ 6, { 1, 2, 4, 9, 18, 36 }, 0,
	  "8*floor(i/8) + 4*((floor(i/4) + floor(i/32)) mod 2)"
		" + 2*((floor(i/2) + floor(i/16)) mod 2) + (i + floor(i/8)) mod 2" },
	{ 2, { 4, 8 }, 0, "4i" },
	{ 2, { 4, 8 }, 3, "3 + 4i" },
	{ 2, { 4, 8 }, 12, "12 - 4i" },
	{ 3, { 8, 8, 1 }, 40, "32 + 8*((i + floor(i/2) + 1) mod 2) + floor(i/4)" },
	{ 3, { 0, 2, 4 }, 0, "2*floor(i/2)" },
	{ 1, { 0 }, 0, "0" },
	{ 0, { 0 }, 5, "5" },
};

static void prints_for_readers(void **unused)
{
	layout_context *ctx = layout_context_new();
	const unsigned six = 6;
	const char *name = "i";

	(void)unused;
	for (size_t i = 0; i < sizeof(printed) / sizeof(*printed); i++) {
		struct f2 *f2 = f2_new(ctx, 1, &printed[i].ins, 1, &six);
		struct layout_buffer out = { 0 };

		for (unsigned bit = 0; bit < printed[i].ins; bit++)
			f2_toggle(f2, bit, 0, printed[i].columns[bit]);
		f2_toggle_constant(f2, 0, printed[i].constant);
		f2_print(&out, f2, 0, &name);
		assert_string_equal(out.text, printed[i].text);
		free(out.text);
		f2_free(f2);
	}
	assert_true(layout_context_free(ctx));
}

struct refusal {
	unsigned rank, width;
	layout_error error;
};

static void bounds(void **unused)
{
	static const struct refusal rows[] = {
		{ 1, 63, LAYOUT_ERROR_OVERFLOW },
		{ 1, 0xffffffff, LAYOUT_ERROR_OVERFLOW },
		{ 9, 60, LAYOUT_ERROR_UNSUPPORTED },
		{ 8, 62, LAYOUT_ERROR_NONE },
		{ 0, 0, LAYOUT_ERROR_NONE },
	};
	layout_context *ctx = layout_context_new();
	unsigned widths[16];

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct f2 *f2;

		for (unsigned j = 0; j < 16; j++)
			widths[j] = rows[i].width;
		f2 = f2_new(ctx, rows[i].rank, widths, 0, NULL);
		assert_int_equal(layout_context_error(ctx), rows[i].error);
		assert_int_equal(f2 != NULL, rows[i].error == LAYOUT_ERROR_NONE);
		f2_free(f2);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(applies),
		cmocka_unit_test(composes),
		cmocka_unit_test(inverts),
		cmocka_unit_test(small_witnesses),
		cmocka_unit_test(large_witnesses),
		cmocka_unit_test(solves),
		cmocka_unit_test(solves_across_widths),
		cmocka_unit_test(equals),
		cmocka_unit_test(is_the_same_to_isl),
		cmocka_unit_test(prints),
		cmocka_unit_test(prints_for_readers),
		cmocka_unit_test(bounds),
	};

	state = random_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
