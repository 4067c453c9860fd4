/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reductions over every subset of dimensions, of rank 1 to 5: kernels against what they
 * mean, at sizes that are a tile, around one, and far from it.  The numbers are such that
 * every order of them makes the same. */
#include "support/program_check.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

enum { RANK = 5, SIZES = 4, MOST_ELEMENTS = 256 };

static const char *const targets[] = { "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100",
	"gfx1100:wave64", "gfx1200", "gfx1200:wave64", "gfx1250", "sm_75", "sm_90" };

/* How two sums become one, and what changes nothing; NULL: the type has no such thing. */
static const struct operation {
	const char *name, *join, *none[2];
} operations[] = {
	{ "add", "s + r", { "0", "0" } },
	{ "mul", "s * r", { "1", "1" } },
	{ "min", "min(s, r)", { "2147483647", "inf" } },
	{ "max", "max(s, r)", { "-2147483648", "-inf" } },
	{ "and", NULL, { "-1", NULL } },
	{ "or", NULL, { "0", NULL } },
	{ "argmin", NULL, { "2147483647", "inf" } },
	{ "argmax", NULL, { "-2147483648", "-inf" } },
};

struct reduction {
	unsigned rank, reduced, type, workers;
	const struct operation *op;
	int64_t box[RANK];
	int loop;		/* the dimension that is gone through in steps; -1: none */
};

static bool is_reduced(const struct reduction *r, unsigned d)
{
	return r->reduced >> d & 1;
}

static void print_list(struct layout_buffer *out, const struct reduction *r,
	void (*print)(struct layout_buffer *, const struct reduction *, unsigned))
{
	for (unsigned d = 0; d < r->rank; d++) {
		layout_buffer_printf(out, d ? ", " : "");
		print(out, r, d);
	}
}

static void print_size(struct layout_buffer *out, const struct reduction *r, unsigned d)
{
	(void)r;
	layout_buffer_printf(out, "N%u", d);
}

static void print_left(struct layout_buffer *out, const struct reduction *r, unsigned d)
{
	layout_buffer_printf(out, is_reduced(r, d) ? "1" : "N%u", d);
}

static void print_box(struct layout_buffer *out, const struct reduction *r, unsigned d)
{
	layout_buffer_printf(out, "%d", (int)r->box[d]);
}

static void print_left_box(struct layout_buffer *out, const struct reduction *r, unsigned d)
{
	layout_buffer_printf(out, "%d", is_reduced(r, d) ? 1 : (int)r->box[d]);
}

static void print_grid(struct layout_buffer *out, const struct reduction *r, unsigned d)
{
	layout_buffer_printf(out, "g%u", d);
	(void)r;
}

static void print_groups(struct layout_buffer *out, const struct reduction *r, unsigned d)
{
	layout_buffer_printf(out, is_reduced(r, d) ? "1" : "ceil(N%u/%d)", d,
		(int)r->box[d]);
}

static void print_from(struct layout_buffer *out, const struct reduction *r, unsigned d)
{
	if ((int)d == r->loop)
		layout_buffer_printf(out, "%d*k", (int)r->box[d]);
	else
		layout_buffer_printf(out, is_reduced(r, d) ? "0" : "%d*g%u", (int)r->box[d], d);
}

static void print_to(struct layout_buffer *out, const struct reduction *r, unsigned d)
{
	layout_buffer_printf(out, is_reduced(r, d) ? "0" : "%d*g%u", (int)r->box[d], d);
}

static void print_dims(struct layout_buffer *out, const struct reduction *r)
{
	const char *separator = "";

	for (unsigned d = 0; d < r->rank; d++)
		if (is_reduced(r, d)) {
			layout_buffer_printf(out, "%s%u", separator, d);
			separator = ", ";
		}
}

/* What is reduced at once fits its tile. */
static void print_assumed(struct layout_buffer *out, const struct reduction *r)
{
	for (unsigned d = 0; d < r->rank; d++)
		if (is_reduced(r, d) && (int)d != r->loop)
			layout_buffer_printf(out, " assume N%u <= %d", d, (int)r->box[d]);
}

static void print_step(struct layout_buffer *out, const struct reduction *r)
{
	layout_buffer_printf(out, "x = load X[");
	print_list(out, r, print_from);
	layout_buffer_printf(out, "] : [");
	print_list(out, r, print_box);
	layout_buffer_printf(out, "] (pad = %s) r = reduce %s x over [", r->op->none[r->type],
		r->op->name);
	print_dims(out, r);
	layout_buffer_printf(out, "] keep ");
}

static void print_program(struct layout_buffer *out, const struct reduction *r)
{
	static const char *const types[] = { "i32", "f32" };

	layout_buffer_printf(out, "program p(X: in row_major[");
	print_list(out, r, print_size);
	layout_buffer_printf(out, "] %s, Y: out row_major[", types[r->type]);
	print_list(out, r, print_left);
	layout_buffer_printf(out, "] %s) { grid (", strncmp(r->op->name, "arg", 3) ?
		types[r->type] : "i32");
	print_list(out, r, print_grid);
	layout_buffer_printf(out, ") in (");
	print_list(out, r, print_groups);
	layout_buffer_printf(out, ") workers w in %u", r->workers);
	print_assumed(out, r);
	if (r->loop >= 0) {
		layout_buffer_printf(out, " for k in ceil(N%d/%d) carry s: [", r->loop,
			(int)r->box[r->loop]);
		print_list(out, r, print_left_box);
		layout_buffer_printf(out, "] %s = fill %s { ", types[r->type],
			r->op->none[r->type]);
		print_step(out, r);
		layout_buffer_printf(out, "t = map %s yield t } store s -> Y[", r->op->join);
	} else {
		layout_buffer_printf(out, " ");
		print_step(out, r);
		layout_buffer_printf(out, "store r -> Y[");
	}
	print_list(out, r, print_to);
	layout_buffer_printf(out, "] }");
}

/* Sizes of a dimension: the tile's, around it, and far from it where it may be. */
static int64_t size_of(const struct reduction *r, unsigned d, unsigned i, uint64_t *seed)
{
	bool whole = is_reduced(r, d) && (int)d != r->loop;

	switch (i) {
	case 0:
		return r->box[d];
	case 1:
		return r->box[d] - (whole || random_below(seed, 2) ? r->box[d] > 1 : -1);
	case 2:
		return whole ? 1 : 2 * r->box[d] + 1;
	default:
		return random_below(seed, (unsigned)r->box[d] + 1);
	}
}

/* A number of which hardly any other element has the same, so that each lane counts; or a few
 * numbers, of which many are. */
static double number_of(const struct reduction *r, bool few, uint64_t *seed)
{
	if (!strcmp(r->op->name, "mul"))
		return 1 - 2 * (int)random_below(seed, 2);
	if (!strcmp(r->op->name, "and") || !strcmp(r->op->name, "or"))
		return (double)(1 << random_below(seed, 30)) - (r->op->name[0] == 'a');
	return few ? (int)random_below(seed, 61) - 30 : (int)random_below(seed, 8192) - 4096;
}

static void fill(const struct program_data *data, const struct reduction *r, uint64_t *seed)
{
	int64_t count = (int64_t)data->buffers[0].bytes / 4;
	bool few = random_below(seed, 4) == 0;

	for (int64_t e = 0; e < count; e++)
		program_data_set(data, 0, e, number_of(r, few, seed));
}

static void check(layout_context *ctx, const struct reduction *r, uint64_t *seed)
{
	const char *places[] = { targets[random_below(seed, COUNT(targets))], "host" };
	struct program_data data[SIZES];
	struct layout_buffer out = { 0 };

	print_program(&out, r);
	for (unsigned i = 0; i < SIZES; i++) {
		int64_t sizes[RANK];

		for (unsigned d = 0; d < r->rank; d++)
			sizes[d] = size_of(r, d, i, seed);
		data[i] = program_data_new(ctx, out.text, sizes);
		fill(&data[i], r, seed);
	}
	program_check_all(data, SIZES, places, 1 + !random_below(seed, 3), 0);
	for (unsigned i = 0; i < SIZES; i++)
		program_data_free(&data[i]);
	free(out.text);
}

static struct reduction random_reduction(unsigned rank, unsigned reduced, uint64_t *seed)
{
	struct reduction r = { .rank = rank, .reduced = reduced, .loop = -1,
		.workers = 1 + random_below(seed, 3), .type = random_below(seed, 2) };
	int64_t elements = 1;

	do
		r.op = &operations[random_below(seed, COUNT(operations))];
	while (!r.op->none[r.type]);
	for (unsigned d = 0; d < rank; d++) {
		unsigned most = (unsigned)(MOST_ELEMENTS / elements);

		most = most < 12 ? most : d + 1 < rank ? 12 : most < 130 ? most : 130;
		r.box[d] = d + 1 < rank && random_below(seed, 2) ? 1 :
			1 + random_below(seed, most);
		elements *= r.box[d];
	}
	for (unsigned d = 0; r.op->join && r.loop < 0 && d < rank; d++)
		if (is_reduced(&r, d) && random_below(seed, 2))
			r.loop = (int)d;
	return r;
}

static void test_subsets(void **state)
{
	uint64_t seed = random_seed();

	for (unsigned rank = 1; rank <= RANK; rank++)
		for (unsigned reduced = 1; reduced < 1u << rank; reduced++) {
			struct reduction r = random_reduction(rank, reduced, &seed);

			check(*state, &r, &seed);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_subsets, program_context_new,
			program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
