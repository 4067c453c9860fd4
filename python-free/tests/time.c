/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A public call ends within its time, and its context goes on. */
#include "support/children.h"
#include <layout/layout.h>

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define SECONDS 0.2

static layout_answer is_injective(layout_relation *relation)
{
	return layout_relation_is_injective(relation, NULL);
}

static layout_answer is_surjective(layout_relation *relation)
{
	layout_set *onto = layout_set_read(layout_relation_context(relation),
		"{ [i] : 0 <= i < 68719476736 }");
	layout_answer answer = layout_relation_is_surjective(relation, onto, NULL);

	layout_set_free(onto);
	return answer;
}

/* What takes isl longer than anyone waits. */
static const struct {
	const char *text;
	layout_answer (*ask)(layout_relation *relation);
	const char *said;
} rows[] = {
	{ "{ [i] -> [(i mod 2) + 4 * (floor(i/2) mod 2) + 8 * (floor(i/4) mod 2) + 32 * "
		"(floor(i/8) mod 2) + 2 * (floor(i/16) mod 2147483648) + 16 * "
		"floor(i/34359738368)] : 0 <= i < 68719476736 }", is_surjective,
		"time: 0.2 seconds did not suffice to decide whether this is surjective" },
	{ "compose(xor_shuffle<256,8>, strided[M, K : 264, 1])", is_injective,
		"time: 0.2 seconds did not suffice to decide whether this is injective" },
};

static layout_relation *relation_of(layout_context *ctx, const char *text)
{
	layout_value *value = layout_value_parse(ctx, text);
	layout_relation *relation = layout_value_relation(value);

	layout_value_free(value);
	assert_non_null(relation);
	return relation;
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void expect_still_good(layout_context *ctx)
{
	layout_relation *relation = relation_of(ctx, "(4,8):(8,1)");

	assert_int_equal(layout_relation_is_injective(relation, NULL), LAYOUT_YES);
	layout_relation_free(relation);
}

static void questions_end(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_relation *relation = relation_of(ctx, rows[i].text);
		double begin = seconds_now(), took;

		layout_context_set_time(ctx, SECONDS);
		assert_int_equal(rows[i].ask(relation), LAYOUT_UNKNOWN);
		took = seconds_now() - begin;
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_TIME);
		if (!strstr(layout_context_message(ctx), rows[i].said))
			fail_msg("%s: %s", rows[i].text, layout_context_message(ctx));
		if (took < SECONDS || took > 5 * SECONDS)
			fail_msg("%s: %g s", rows[i].text, took);
		layout_context_clear(ctx);
		expect_still_good(ctx);
		layout_relation_free(relation);
		assert_true(layout_context_free(ctx));
	}
}

static void the_time_is_kept(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	assert_true(layout_context_time(ctx) == LAYOUT_DEFAULT_TIME);
	layout_context_set_time(ctx, 0.5);
	assert_true(layout_context_time(ctx) == 0.5);
	layout_context_set_time(ctx, -1);
	assert_true(layout_context_time(ctx) == 0);
	expect_still_good(ctx);
	assert_true(layout_context_time(NULL) == 0);
	assert_true(layout_context_free(ctx));
}

/* Takes longer than a call may, and asks something then. */
static bool visit_slowly(void *user, const int64_t *point, unsigned rank)
{
	layout_context *ctx = user;
	double begin = seconds_now();

	(void)rank;
	while (point[0] == 0 && seconds_now() - begin < 1.5 * SECONDS)
		continue;
	expect_still_good(ctx);
	return layout_context_error(ctx) == LAYOUT_ERROR_NONE;
}

static void visitors_take_what_they_take(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_set *set = layout_set_read(ctx, "{ [i] : 0 <= i < 100000 and i mod 50000 = 0 }");

	(void)state;
	layout_context_set_time(ctx, SECONDS);
	assert_true(layout_set_for_each(set, visit_slowly, ctx));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	layout_set_free(set);
	assert_true(layout_context_free(ctx));
}

/* GMP's memory functions of this process, and how often they were called. */
static unsigned long calls;

static void *their_allocate(size_t size)
{
	calls++;
	return (char *)malloc(size + 16) + 16;
}

static void *their_reallocate(void *block, size_t old_size, size_t size)
{
	(void)old_size;
	calls++;
	return (char *)realloc((char *)block - 16, size + 16) + 16;
}

static void their_free(void *block, size_t size)
{
	(void)size;
	free((char *)block - 16);
}

/* Those that were set before a context was made go on being called. */
static void with_memory_functions(void)
{
	void (*set)(void *(*)(size_t), void *(*)(void *, size_t, size_t),
		void (*)(void *, size_t));
	layout_context *ctx;
	layout_relation *relation;
	bool good;

	*(void **)&set = dlsym(RTLD_DEFAULT, "__gmp_set_memory_functions");
	if (!set)
		_exit(0);
	set(their_allocate, their_reallocate, their_free);
	ctx = layout_context_new();
	relation = relation_of(ctx, rows[1].text);
	layout_context_set_time(ctx, SECONDS);
	good = is_injective(relation) == LAYOUT_UNKNOWN &&
		layout_context_error(ctx) == LAYOUT_ERROR_TIME && calls > 1000;
	layout_relation_free(relation);
	_exit(!layout_context_free(ctx) || !good);
}

static void memory_functions_are_called(void **state)
{
	(void)state;
	assert_int_equal(child_status(with_memory_functions), 0);
}

/* So many numbers of GMP's pass from one look at the clock to the next. */
#define NUMBERS_A_LOOK 1024

static void make_numbers(unsigned count)
{
	void (*get)(void *(**)(size_t), void *(**)(void *, size_t, size_t),
		void (**)(void *, size_t));
	void *(*allocate)(size_t);
	void (*release)(void *, size_t);

	*(void **)&get = dlsym(RTLD_DEFAULT, "__gmp_get_memory_functions");
	if (get)
		get(&allocate, NULL, &release);
	for (unsigned i = 0; get && i < count; i++)
		release(allocate(8), 8);
}

/* The time is over wherever the clock is looked at: an answer, or that. */
static void the_time_ends_anywhere(void **state)
{
	(void)state;
	for (unsigned i = 0; i < NUMBERS_A_LOOK; i++) {
		layout_context *ctx = layout_context_new();
		layout_value *value;

		make_numbers(i);
		layout_context_set_time(ctx, 1e-9);
		value = layout_value_parse(ctx, "inverse(Sw<2,3,3> o 16 o 4:1)");
		assert_null(layout_value_convert(value, LAYOUT_NOTATION_CUTE));
		if (layout_context_error(ctx) != LAYOUT_ERROR_TIME)
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NO_ANSWER);
		layout_value_free(value);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_functions_are_called),
		cmocka_unit_test(the_time_ends_anywhere),
		cmocka_unit_test(questions_end),
		cmocka_unit_test(the_time_is_kept),
		cmocka_unit_test(visitors_take_what_they_take),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
