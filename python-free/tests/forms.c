/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fast forms of relations against isl: whatever a relation with a form answers,
 * the same relation without one, read back from isl's text, answers too. */
#include "algebra/forms.h"
#include "isl_bridge/relation.h"
#include "support/notations.h"
#include "support/share.h"

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

/* A function over F2 of some coordinates, "bits" bits in and out altogether at most.
 * Half of them permute bits, so that inverses exist. */
static layout_relation *random_f2(layout_context *ctx, const unsigned *in_widths,
	unsigned in_rank, const unsigned *out_widths, unsigned out_rank)
{
	struct f2 *f2 = f2_new(ctx, in_rank, in_widths, out_rank, out_widths);
	bool permute = below(2);
	unsigned bit = 0, shift = below(7);

	assert_non_null(f2);
	for (unsigned out = 0; out < out_rank; out++) {
		for (unsigned i = 0; i < f2->in_bits && !permute; i++)
			f2_toggle(f2, i, out, below(1u << out_widths[out]));
		for (unsigned b = 0; permute && b < out_widths[out]; b++, bit++)
			if (f2->in_bits)
				f2_toggle(f2, (bit + shift) % f2->in_bits, out, 1u << b);
		if (below(4) == 0)
			f2_toggle_constant(f2, out, below(1u << out_widths[out]));
	}
	return form_f2_relation(ctx, f2);
}

/* A flat layout of at most 3 modes. */
static layout_relation *random_strided(layout_context *ctx)
{
	static const int64_t strides[] = { 0, 1, 1, 2, 3, 4, 6, 8, 12, 16, -1, -4 };
	static const int tree[] = { 3, -1, -1, -1 };
	int64_t shape[3], stride[3];
	layout_cute *cute;

	for (unsigned i = 0; i < 3; i++) {
		shape[i] = below(12) ? 1 + below(4) : below(2) * 6;
		stride[i] = strides[below(12)];
	}
	if (below(3) == 0) {
		stride[below(2)] = 1;
		stride[2] = shape[0];
	}
	cute = layout_cute_new(ctx, tree, 4, shape, stride, 3);
	assert_non_null(cute);
	return form_strided_relation(ctx, cute);
}

static layout_relation *random_relation(layout_context *ctx)
{
	static const unsigned widths[][2] = {
		{ 3, 0 }, { 2, 1 }, { 1, 3 }, { 4, 0 }, { 2, 0 } };
	unsigned in = below(5), out = below(3) ? in : below(5);

	if (below(2))
		return random_strided(ctx);
	return random_f2(ctx, widths[in], widths[in][1] ? 2 : 1, widths[out],
		widths[out][1] ? 2 : 1);
}

/* The same without a form, and without a function known by construction. */
static layout_relation *plain(layout_context *ctx, layout_relation *relation)
{
	layout_relation *map;

	bridge_enter(ctx);
	assert_true(bridge_need_map(relation));
	map = bridge_give_relation(ctx, "forget the form", isl_map_copy(relation->map),
		NULL, NULL);
	assert_non_null(map);
	return map;
}

/* isl gives up soon: it takes some seconds for a million operations. */
static layout_context *new_context(void)
{
	layout_context *ctx = layout_context_new();

	layout_context_set_quota(ctx, 200000);
	return ctx;
}

/* All pairs as text, in the order they are visited. */
static bool write_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	for (unsigned i = 0; i < in_rank; i++)
		fprintf(user, "%lld,", (long long)in[i]);
	for (unsigned i = 0; i < image_rank; i++)
		fprintf(user, " %lld", (long long)image[i]);
	fprintf(user, ";");
	return true;
}

/* NULL where isl gives up on listing them. */
static char *pairs_of(layout_relation *relation)
{
	layout_context *ctx = layout_relation_context(relation);
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	bool all = layout_relation_for_each(relation, write_pair, out);

	fclose(out);
	if (all)
		return text;
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
	layout_context_clear(ctx);
	free(text);
	return NULL;
}

/* Comparisons that isl gave up on: a few of them show nothing. */
static unsigned undecided;

/* The form's answer is isl's, unless isl gave up. */
static void assert_agree(layout_context *ctx, layout_answer fast, layout_answer slow)
{
	if (slow == LAYOUT_UNKNOWN) {
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
		layout_context_clear(ctx);
		undecided++;
	} else {
		assert_int_equal(fast, slow);
	}
}

static bool same_pairs(layout_relation *fast, layout_relation *slow)
{
	char *pairs = pairs_of(fast), *wanted = pairs_of(slow);
	bool same = !wanted || (pairs && strcmp(pairs, wanted) == 0);

	undecided += !wanted;
	free(pairs);
	free(wanted);
	return same;
}

/* Both have the same pairs, by isl, or point by point where that is too much for it. */
static void expect_same(layout_relation *fast, layout_relation *slow)
{
	layout_context *ctx = layout_relation_context(slow);
	layout_relation *read = fast ? plain(ctx, fast) : NULL;
	layout_answer answer = layout_relation_equal(read, slow, NULL);
	char *left = layout_relation_str(fast), *right = layout_relation_str(slow);

	if (answer == LAYOUT_UNKNOWN) {
		layout_context_clear(ctx);
		answer = same_pairs(fast, slow) ? LAYOUT_YES : LAYOUT_NO;
	}
	if (answer != LAYOUT_YES)
		fail_msg("%s is not %s", left ? left : layout_context_message(ctx),
			right);
	layout_string_free(left);
	layout_string_free(right);
	layout_relation_free(read);
	layout_relation_free(fast);
	layout_relation_free(slow);
}

/* A witness of the form holds by isl: both inputs have a common image, or the pair is
 * in one of the two relations only. */
static void check_collision(layout_context *ctx, layout_relation *relation,
	layout_witness *witness)
{
	layout_relation *images[2];
	layout_set *common;
	char text[128];

	assert_non_null(witness);
	for (unsigned p = 0; p < 2; p++) {
		int at = snprintf(text, sizeof(text), "{ [");

		for (unsigned i = 0; i < witness->ranks[p]; i++)
			at += snprintf(text + at, sizeof(text) - (size_t)at, "%s%lld",
				i ? "," : "", (long long)witness->points[p][i]);
		snprintf(text + at, sizeof(text) - (size_t)at, "] }");
		images[p] = layout_relation_restrict(plain(ctx, relation),
			layout_set_read(ctx, text));
	}
	common = layout_set_intersect(layout_relation_range(images[0]),
		layout_relation_range(images[1]));
	assert_int_equal(layout_set_is_empty(common), LAYOUT_NO);
	layout_set_free(common);
}

static void questions_agree(void **unused)
{
	layout_context *ctx = new_context();

	(void)unused;
	for (unsigned n = 0; n < share_count(200); n++) {
		layout_relation *fast = random_relation(ctx), *slow = plain(ctx, fast);
		layout_witness *witness = NULL;
		layout_answer answer = layout_relation_is_injective(fast, &witness);

		if (answer == LAYOUT_NO)
			check_collision(ctx, fast, witness);
		assert_agree(ctx, answer, layout_relation_is_injective(slow, NULL));
		assert_int_equal(layout_relation_is_function(fast, NULL), LAYOUT_YES);
		layout_witness_free(witness);
		layout_relation_free(fast);
		layout_relation_free(slow);
	}
	assert_true(layout_context_free(ctx));
}

/* The reverse of a form: a question about the function, and its pairs by image. */
static void reverses_agree(void **unused)
{
	layout_context *ctx = new_context();

	(void)unused;
	for (unsigned n = 0; n < share_count(100); n++) {
		layout_relation *function = random_relation(ctx);
		layout_relation *fast = layout_relation_inverse(function);
		layout_relation *slow = plain(ctx, fast);

		assert_true(same_pairs(fast, slow));
		assert_agree(ctx, layout_relation_is_function(fast, NULL),
			layout_relation_is_function(slow, NULL));
		assert_int_equal(layout_relation_is_injective(fast, NULL), LAYOUT_YES);
		expect_same(layout_relation_inverse(fast), layout_relation_inverse(slow));
	}
	assert_true(layout_context_free(ctx));
}

/* Surjective onto a box that the images need not fill. */
static void coverage_agrees(void **unused)
{
	layout_context *ctx = new_context();
	layout_set *wanted = layout_set_read(ctx, "{ [i] : 0 <= i < 8 }");

	(void)unused;
	for (unsigned n = 0; n < share_count(100); n++) {
		unsigned width = 2 + below(3), out = 3;
		layout_relation *fast = below(2) ? random_strided(ctx) :
			random_f2(ctx, &width, 1, &out, 1);
		layout_relation *slow = plain(ctx, fast);
		layout_witness *witness = NULL;
		layout_answer answer = layout_relation_is_surjective(fast, wanted,
			&witness);

		assert_agree(ctx, answer,
			layout_relation_is_surjective(slow, wanted, NULL));
		assert_int_equal(witness != NULL, answer == LAYOUT_NO);
		layout_witness_free(witness);
		layout_relation_free(fast);
		layout_relation_free(slow);
	}
	layout_set_free(wanted);
	assert_true(layout_context_free(ctx));
}

static void operations_agree(void **unused)
{
	layout_context *ctx = new_context();

	(void)unused;
	for (unsigned n = 0; n < share_count(60); n++) {
		layout_relation *a = random_relation(ctx), *b = random_relation(ctx);
		layout_relation *slow_a = plain(ctx, a), *slow_b = plain(ctx, b);

		expect_same(layout_relation_inverse(layout_relation_copy(a)),
			layout_relation_inverse(layout_relation_copy(slow_a)));
		if (layout_relation_in_rank(a) == layout_relation_out_rank(b))
			expect_same(layout_relation_compose(layout_relation_copy(a),
					layout_relation_copy(b)),
				layout_relation_compose(layout_relation_copy(slow_a),
					layout_relation_copy(slow_b)));
		layout_relation_free(a);
		layout_relation_free(b);
		layout_relation_free(slow_a);
		layout_relation_free(slow_b);
	}
	assert_true(layout_context_free(ctx));
}

/* Equal as often as not: the second relation is another spelling of the first, or
 * another one of the same spaces. */
static void equalities_agree(void **unused)
{
	layout_context *ctx = new_context();
	unsigned equal = 0;

	(void)unused;
	for (unsigned n = 0; n < share_count(2000); n++) {
		layout_relation *a = random_relation(ctx), *b = random_relation(ctx);
		layout_relation *slow_a, *slow_b;
		layout_witness *witness = NULL;
		layout_answer answer;

		if (below(2) || layout_relation_in_rank(a) != layout_relation_in_rank(b) ||
		    layout_relation_out_rank(a) != layout_relation_out_rank(b)) {
			layout_relation_free(b);
			b = layout_relation_inverse(
				layout_relation_inverse(layout_relation_copy(a)));
		}
		slow_a = plain(ctx, a);
		slow_b = plain(ctx, b);
		answer = layout_relation_equal(a, b, &witness);
		assert_agree(ctx, answer, layout_relation_equal(slow_a, slow_b, NULL));
		assert_int_equal(witness != NULL, answer == LAYOUT_NO);
		equal += answer == LAYOUT_YES;
		layout_witness_free(witness);
		layout_relation_free(a);
		layout_relation_free(b);
		layout_relation_free(slow_a);
		layout_relation_free(slow_b);
	}
	assert_true(share_is_few() || (equal >= 500 && equal <= 1900));
	assert_true(layout_context_free(ctx));
}

/* A strided layout and a function over F2 that are the same relation are equal. */
static void kinds_meet(void **unused)
{
	layout_context *ctx = layout_context_new();
	layout_cute *cute = layout_cute_parse(ctx, "(4,8):(8,1)");
	layout_relation *strided = layout_cute_relation(cute), *f2;
	unsigned width = 5;
	struct f2 *same = f2_new(ctx, 1, &width, 1, &width);

	(void)unused;
	for (unsigned bit = 0; bit < 5; bit++)
		f2_toggle(same, bit, 0, 1u << (bit + 3) % 5);
	f2 = form_f2_relation(ctx, same);
	assert_int_equal(form_equal(strided, f2, NULL), LAYOUT_YES);
	f2 = layout_relation_compose(layout_relation_inverse(f2), strided);
	assert_non_null(f2->form);
	assert_null(f2->map);
	layout_relation_free(f2);
	layout_cute_free(cute);
	assert_true(layout_context_free(ctx));
}

/* What isl gives up on is looked at point by point, also behind a function that was
 * only written down. */
static void points_decide(void **unused)
{
	layout_context *ctx = layout_context_new();
	layout_cute *cute = layout_cute_parse(ctx, "Sw<5,2,7>");
	layout_relation *both = layout_relation_compose(
		layout_relation_read(ctx, "{ [i] -> B[i + 1] }"),
		layout_cute_relation(cute));

	(void)unused;
	assert_int_equal(layout_relation_is_injective(both, NULL), LAYOUT_YES);
	layout_relation_free(both);
	layout_cute_free(cute);
	assert_true(layout_context_free(ctx));
}

/* After the random tests: nearly all of their comparisons meant something. */
static void isl_rarely_gives_up(void **unused)
{
	(void)unused;
	assert_true(share_is_few() || undecided <= 60);
}

/* Under a quota that isl cannot work with, forms answer as before. */
static void forms_need_no_quota(void **unused)
{
	layout_context *ctx = layout_context_new();
	layout_cute *cute = layout_cute_parse(ctx, "Sw<5,2,7>");
	layout_relation *swizzle, *both;

	(void)unused;
	layout_context_set_quota(ctx, 1);
	swizzle = layout_cute_relation(cute);
	assert_int_equal(layout_relation_is_injective(swizzle, NULL), LAYOUT_YES);
	both = layout_relation_inverse(layout_relation_copy(swizzle));
	assert_int_equal(layout_relation_equal(swizzle, both, NULL), LAYOUT_YES);
	assert_null(layout_relation_str(both));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
	layout_relation_free(both);
	layout_relation_free(swizzle);
	layout_cute_free(cute);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(questions_agree),
		cmocka_unit_test(reverses_agree),
		cmocka_unit_test(coverage_agrees),
		cmocka_unit_test(operations_agree),
		cmocka_unit_test(equalities_agree),
		cmocka_unit_test(isl_rarely_gives_up),
		cmocka_unit_test(kinds_meet),
		cmocka_unit_test(points_decide),
		cmocka_unit_test(forms_need_no_quota),
	};

	state = random_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
