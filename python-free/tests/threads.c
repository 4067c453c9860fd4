/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contexts are independent: threads with one each have the same answers, and one that runs
 * out of time does not end another. */
#include "support/notations.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define THREADS 4

/* Takes isl longer than the thread lets it. */
static const char endless[] = "{ [i] -> [(i mod 2) + 4 * (floor(i/2) mod 2) + "
	"8 * (floor(i/4) mod 2) + 32 * (floor(i/8) mod 2) + 2 * (floor(i/16) mod "
	"2147483648) + 16 * floor(i/34359738368)] : 0 <= i < 68719476736 }";

static bool runs_out(layout_context *ctx)
{
	layout_value *value = layout_value_parse(ctx, endless);
	layout_relation *relation = layout_value_relation(value);
	layout_set *onto = layout_set_read(ctx, "{ [i] : 0 <= i < 68719476736 }");
	bool out;

	layout_context_set_time(ctx, 0.05);
	out = layout_relation_is_surjective(relation, onto, NULL) == LAYOUT_UNKNOWN &&
		layout_context_error(ctx) == LAYOUT_ERROR_TIME;
	layout_context_set_time(ctx, LAYOUT_DEFAULT_TIME);
	layout_context_clear(ctx);
	layout_set_free(onto);
	layout_relation_free(relation);
	layout_value_free(value);
	return out;
}

/* All that the literals print, one after the other; NULL where something went wrong. */
static void *print_all(void *user)
{
	layout_context *ctx = layout_context_new();
	char *all = calloc(1, 1);
	bool good = !user || runs_out(ctx);

	for (unsigned i = 0; good && good_literal(i); i++) {
		char *text = print_any(ctx, good_literal(i));
		size_t length = strlen(all);

		good = text;
		if (text) {
			all = realloc(all, length + strlen(text) + 1);
			strcpy(all + length, text);
		}
		free(text);
	}
	good = layout_context_free(ctx) && good;
	if (good)
		return all;
	free(all);
	return NULL;
}

static void threads_have_the_same_answers(void **state)
{
	pthread_t threads[THREADS];
	char *usual = print_all(NULL);

	(void)state;
	assert_non_null(usual);
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, print_all,
			i % 2 ? &threads[i] : NULL), 0);
	for (unsigned i = 0; i < THREADS; i++) {
		void *all;

		assert_int_equal(pthread_join(threads[i], &all), 0);
		assert_non_null(all);
		assert_string_equal(all, usual);
		free(all);
	}
	free(usual);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_have_the_same_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
