/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Unions of intervals and residues, put together and simplified: exactly their points.
 * isl's own coalescing has been seen to add some. */
#include "support/random.h"
#include "support/share.h"

#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { END = 24, PIECES = 4, TRIALS = 600 };

/* low <= i < high and i mod step = rest */
struct piece {
	int low, high, step, rest;
};

static struct piece random_piece(uint64_t *state)
{
	struct piece piece = { .low = (int)random_below(state, END) };

	piece.high = piece.low + 1 + (int)random_below(state, END - piece.low);
	piece.step = 1 + (int)random_below(state, 4);
	piece.rest = (int)random_below(state, piece.step);
	return piece;
}

static bool has(const struct piece *pieces, unsigned count, int i)
{
	for (unsigned k = 0; k < count; k++)
		if (i >= pieces[k].low && i < pieces[k].high &&
		    i % pieces[k].step == pieces[k].rest)
			return true;
	return false;
}

static void print_piece(char *text, size_t size, const struct piece *piece, bool image)
{
	snprintf(text, size, "{ [i]%s : %d <= i < %d and i mod %d = %d }",
		image ? " -> [i]" : "", piece->low, piece->high, piece->step, piece->rest);
}

static layout_set *unite_sets(layout_context *ctx, const struct piece *pieces,
	unsigned count)
{
	layout_set *all = NULL;
	char text[120];

	for (unsigned k = 0; k < count; k++) {
		print_piece(text, sizeof(text), &pieces[k], false);
		all = all ? layout_set_union(all, layout_set_read(ctx, text)) :
			layout_set_read(ctx, text);
	}
	return all;
}

static layout_relation *unite_relations(layout_context *ctx, const struct piece *pieces,
	unsigned count)
{
	layout_relation *all = NULL;
	char text[120];

	for (unsigned k = 0; k < count; k++) {
		print_piece(text, sizeof(text), &pieces[k], true);
		all = all ? layout_relation_union(all, layout_relation_read(ctx, text)) :
			layout_relation_read(ctx, text);
	}
	return all;
}

static bool note(void *user, const int64_t *point, unsigned rank)
{
	bool *found = user;

	assert_int_equal(rank, 1);
	assert_in_range(*point, 0, END - 1);
	found[*point] = true;
	return true;
}

/* Consumes the set. */
static void expect_points(layout_set *set, const struct piece *pieces, unsigned count,
	const char *what)
{
	bool found[END] = { false };
	char *text = layout_set_str(set);

	if (!layout_set_for_each(set, note, found))
		fail_msg("%s: %s: %s", what, text, layout_context_message(
			layout_set_context(set)));
	for (int i = 0; i < END; i++)
		if (found[i] != has(pieces, count, i))
			fail_msg("%s: %s %s %d", what, text, found[i] ? "has" : "lacks", i);
	layout_string_free(text);
	layout_set_free(set);
}

/* What is printed is read again, so that the text is checked as well. */
static layout_set *through_text(layout_context *ctx, layout_set *set)
{
	char *text = layout_set_str(set);
	layout_set *read = layout_set_read(ctx, text);

	layout_string_free(text);
	layout_set_free(set);
	return read;
}

static void run(layout_context *ctx, const struct piece *pieces, unsigned count)
{
	layout_relation *relation = unite_relations(ctx, pieces, count);
	layout_relation *simple = layout_relation_simplify(layout_relation_copy(relation));

	expect_points(unite_sets(ctx, pieces, count), pieces, count, "union");
	expect_points(layout_set_simplify(unite_sets(ctx, pieces, count)), pieces, count,
		"simplify");
	expect_points(through_text(ctx, unite_sets(ctx, pieces, count)), pieces, count,
		"text");
	expect_points(layout_relation_domain(layout_relation_copy(relation)), pieces, count,
		"relation");
	expect_points(layout_relation_range(layout_relation_compose(relation, simple)),
		pieces, count, "composition");
}

/* { 1, 2 } and the odd numbers below 15 are not 1 <= i < 15. */
static void known_unions(void **state)
{
	static const struct piece pieces[] = { { 1, 3, 1, 0 }, { 0, 15, 2, 1 } };
	layout_context *ctx = layout_context_new();

	(void)state;
	run(ctx, pieces, 2);
	assert_true(layout_context_free(ctx));
}

static void random_unions(void **state)
{
	uint64_t random = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned trial = 0; trial < share_count(TRIALS); trial++) {
		struct piece pieces[PIECES];
		unsigned count = 2 + (unsigned)random_below(&random, PIECES - 1);

		for (unsigned k = 0; k < count; k++)
			pieces[k] = random_piece(&random);
		run(ctx, pieces, count);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_unions),
		cmocka_unit_test(random_unions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
