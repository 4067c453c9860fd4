/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps whose source is walked through in steps: repeated, every other element, backwards, in
 * windows that overlap.  Against a walk over the destination. */
#include "support/append.h"
#include "support/random.h"
#include "support/share.h"

#include <layout/codegen.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { RANK = 5, MAPS = 60, MOST = 20000, GUARD = 64, TEXT = 1600 };

static const char *const targets[] = { "host", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201",
	"sm_75", "sm_90" };

/* Coordinate e of the source is the sum of |step[e][d]| times coordinate d of the destination, or
 * of what is behind that where the step is negative, and first[e]. */
struct steps {
	unsigned from, to, bytes;
	bool column, named;		/* the source is column-major; the destination's sizes are names */
	int64_t size[RANK], first[RANK], step[RANK][RANK];
	const char *target;
};

static int64_t magnitude(int64_t step)
{
	return step < 0 ? -step : step;
}

static int64_t source_size(const struct steps *s, unsigned e)
{
	int64_t size = s->first[e] + 1;

	for (unsigned d = 0; d < s->to; d++)
		size += magnitude(s->step[e][d]) * (s->size[d] - 1);
	return size;
}

static void size_text(const struct steps *s, unsigned d, char text[24])
{
	if (s->named)
		snprintf(text, 24, "%c", 'A' + (int)d);
	else
		snprintf(text, 24, "%" PRId64, s->size[d]);
}

/* Of the source's dimension, or with "index" what is there for the destination's x0, x1, .. */
static void print_sum(const struct steps *s, unsigned e, bool index, char *text)
{
	char size[24];

	append_text(text, TEXT, "%" PRId64, s->first[e] + !index);
	for (unsigned d = 0; d < s->to; d++) {
		int64_t step = s->step[e][d];

		size_text(s, d, size);
		if (step && !index)
			append_text(text, TEXT, " + %" PRId64 "*%s - %" PRId64, magnitude(step), size,
				magnitude(step));
		else if (step > 0)
			append_text(text, TEXT, " + %" PRId64 "*x%u", step, d);
		else if (step < 0)
			append_text(text, TEXT, " + %" PRId64 "*%s - %" PRId64 " - %" PRId64 "*x%u", -step,
				size, -step, -step, d);
	}
}

static void print_remap(const struct steps *s, char *text)
{
	char size[24];

	*text = 0;
	append_text(text, TEXT, "remap(%s[", s->column ? "col_major" : "row_major");
	for (unsigned e = 0; e < s->from; e++) {
		append_text(text, TEXT, "%s", e ? ", " : "");
		print_sum(s, e, false, text);
	}
	append_text(text, TEXT, "] -> row_major[");
	for (unsigned d = 0; d < s->to; d++) {
		size_text(s, d, size);
		append_text(text, TEXT, "%s%s", d ? ", " : "", size);
	}
	append_text(text, TEXT, "], type = u%u, map = ", 8 * s->bytes);
	for (unsigned d = 0; s->named && d < s->to; d++)
		append_text(text, TEXT, "%s%c", d ? ", " : "[", 'A' + (int)d);
	append_text(text, TEXT, "%s{ [", s->named ? "] -> " : "");
	for (unsigned e = 0; e < s->from; e++)
		append_text(text, TEXT, "%si%u", e ? ", " : "", e);
	append_text(text, TEXT, "] -> [");
	for (unsigned d = 0; d < s->to; d++)
		append_text(text, TEXT, "%sx%u", d ? ", " : "", d);
	append_text(text, TEXT, "] : ");
	for (unsigned d = 0; d < s->to; d++) {
		size_text(s, d, size);
		append_text(text, TEXT, "%s0 <= x%u < %s", d ? " and " : "", d, size);
	}
	for (unsigned e = 0; e < s->from; e++) {
		append_text(text, TEXT, " and i%u = ", e);
		print_sum(s, e, true, text);
	}
	append_text(text, TEXT, " })");
}

/* The source's offset that the destination's element "number" is from. */
static int64_t source_offset(const struct steps *s, int64_t number)
{
	int64_t x[RANK], at[RANK], offset = 0;

	for (unsigned d = s->to; d-- > 0; number /= s->size[d])
		x[d] = number % s->size[d];
	for (unsigned e = 0; e < s->from; e++) {
		at[e] = s->first[e];
		for (unsigned d = 0; d < s->to; d++)
			at[e] += magnitude(s->step[e][d]) * (s->step[e][d] < 0 ? s->size[d] - 1 - x[d] :
				x[d]);
	}
	for (unsigned k = 0; k < s->from; k++) {
		unsigned e = s->column ? s->from - 1 - k : k;

		offset = offset * source_size(s, e) + at[e];
	}
	return offset;
}

static int64_t product(const struct steps *s, bool source)
{
	int64_t all = 1;

	for (unsigned d = 0; d < (source ? s->from : s->to); d++)
		all *= source ? source_size(s, d) : s->size[d];
	return all;
}

static void run(layout_context *ctx, const struct steps *s, layout_kernel *kernel, const char *text)
{
	int64_t from = product(s, true), to = product(s, false);
	unsigned char *source = malloc((size_t)from * s->bytes);
	size_t bytes = (size_t)to * s->bytes;
	unsigned char *got = aligned_alloc(GUARD, (bytes + 3 * GUARD) / GUARD * GUARD);
	layout_size sizes[RANK];
	layout_run run = LAYOUT_RUN_INIT;
	char names[RANK][2];

	assert_true(source && got);
	random_fill(source, (size_t)from * s->bytes);
	memset(got, 0xa5, bytes + 2 * GUARD);
	for (unsigned d = 0; d < s->to; d++) {
		snprintf(names[d], sizeof(names[d]), "%c", 'A' + (int)d);
		sizes[d] = (layout_size){ names[d], s->size[d] };
	}
	run.source = source;
	run.source_bytes = (size_t)from * s->bytes;
	run.destination = got + GUARD;
	run.destination_bytes = bytes;
	run.sizes = sizes;
	run.size_count = s->named ? s->to : 0;
	if (!layout_kernel_run(ctx, kernel, &run))
		fail_msg("%s, %s: %s", text, s->target, layout_context_message(ctx));
	for (int64_t i = 0; i < to; i++)
		if (memcmp(got + GUARD + i * s->bytes, source + source_offset(s, i) * s->bytes, s->bytes))
			fail_msg("%s, %s: element %" PRId64 " is wrong, at sizes %" PRId64 " %" PRId64,
				text, s->target, i, s->size[0], s->to > 1 ? s->size[1] : 0);
	for (unsigned i = 0; i < GUARD; i++)
		assert_true(got[i] == 0xa5 && got[GUARD + bytes + i] == 0xa5);
	free(source);
	free(got);
}

/* Compiles it, and runs it at its sizes and, where they are names, at smaller ones. */
static void check(struct steps *s, bool is_tiled)
{
	layout_context *ctx = layout_context_new();
	char text[TEXT], *account;
	layout_remap *remap;
	layout_kernel *kernel;
	size_t length;

	print_remap(s, text);
	remap = layout_remap_parse(ctx, text);
	for (unsigned d = 0; s->named && d < s->to; d++) {
		char least[16];

		snprintf(least, sizeof(least), "%c >= 1", 'A' + (int)d);
		remap = layout_remap_assume(remap, least);
	}
	kernel = layout_kernel_new(remap, s->target, NULL);
	if (!kernel)
		fail_msg("%s, %s: %s", text, s->target, layout_context_message(ctx));
	account = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_EXPLAIN, NULL, 0, &length);
	if (is_tiled && strcmp(s->target, "host") && !strncmp(account, "no tile", 7))
		fail_msg("%s, %s: %s", text, s->target, account);
	run(ctx, s, kernel, text);
	for (unsigned d = 0; s->named && d < s->to; d++) {
		s->size[d] = (s->size[d] + 1) / 2;
		run(ctx, s, kernel, text);
	}
	layout_string_free(account);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

/* What people write. */
static const struct steps rows[] = {
	/* an image, each of its points four times */
	{ 3, 5, 2, false, false, { 6, 14, 2, 28, 2 }, { 0 }, { { 1 }, { 0, 1 }, { 0, 0, 0, 1 } } },
	{ 3, 5, 1, false, true, { 6, 14, 2, 28, 2 }, { 0 }, { { 1 }, { 0, 1 }, { 0, 0, 0, 1 } } },
	/* heads of keys for a group of queries */
	{ 3, 4, 2, false, true, { 5, 3, 33, 40 }, { 0 }, { { 1 }, { 0, 0, 1 }, { 0, 0, 0, 1 } } },
	/* windows of 3 x 3, of 3 channels and of many */
	{ 3, 5, 2, false, false, { 14, 14, 3, 3, 3 }, { 0 }, { { 1, 0, 1 }, { 0, 1, 0, 1 },
		{ 0, 0, 0, 0, 1 } } },
	{ 3, 5, 2, false, true, { 7, 7, 3, 3, 64 }, { 0 }, { { 1, 0, 1 }, { 0, 1, 0, 1 },
		{ 0, 0, 0, 0, 1 } } },
	/* frames of a signal, 16 apart, and a diagonal */
	{ 1, 2, 4, false, true, { 37, 40 }, { 3 }, { { 16, 1 } } },
	{ 2, 1, 4, false, false, { 300 }, { 0 }, { { 1 }, { 1 } } },
	/* every second column backwards; one row again and again; a number for all */
	{ 2, 2, 4, true, true, { 33, 65 }, { 0, 1 }, { { 1 }, { 0, -2 } } },
	{ 1, 2, 1, false, false, { 100, 37 }, { 0 }, { { 0, 1 } } },
	{ 1, 2, 8, false, true, { 9, 100 }, { 5 }, { { 0 } } },
};

static void test_rows(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++)
		for (unsigned t = 0; t < COUNT(targets); t++) {
			struct steps s = rows[i];

			s.target = targets[t];
			if (share_has(i, t, COUNT(targets)))
				check(&s, true);
		}
}

static struct steps random_steps(uint64_t *state)
{
	static const int64_t some[] = { 1, 2, 3, 4, 8, 15, 16, 17, 31, 64, 65, 100 };
	static const unsigned widths[] = { 1, 2, 4, 8 };
	struct steps s = { 1 + random_below(state, 4), 1 + random_below(state, RANK),
		widths[random_below(state, 4)], random_below(state, 2), random_below(state, 2) };

	for (unsigned d = 0; d < s.to; d++)
		s.size[d] = some[random_below(state, COUNT(some))];
	for (unsigned e = 0; e < s.from; e++) {
		s.first[e] = random_below(state, 4) ? 0 : random_below(state, 5);
		for (unsigned d = 0; d < s.to; d++)
			if (!random_below(state, 3))
				s.step[e][d] = (int64_t)random_below(state, 6) - 2;
	}
	for (unsigned d = 0; product(&s, false) > MOST || product(&s, true) > MOST; d++)
		s.size[d % s.to] = (s.size[d % s.to] + 1) / 2;
	s.target = targets[random_below(state, COUNT(targets))];
	return s;
}

/* Steps of one dimension that go both ways have no tile. */
static bool is_tiled(const struct steps *s)
{
	for (unsigned d = 0; d < s->to; d++) {
		bool forward = false, backward = false;

		for (unsigned e = 0; e < s->from; e++) {
			forward = forward || s->step[e][d] > 0;
			backward = backward || s->step[e][d] < 0;
		}
		if (forward && backward)
			return false;
	}
	return true;
}

static void test_random(void **state)
{
	uint64_t random = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(MAPS); i++) {
		struct steps s = random_steps(&random);

		check(&s, s.named && is_tiled(&s));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows), cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
