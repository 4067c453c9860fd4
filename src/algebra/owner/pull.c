/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From where a point reads what it is to hold.
 *
 * Where several points of FROM hold it, the one in the own subgroup, in the own lane, the
 * one whose lane differs least, the first register; over F2 bit by bit, so that the
 * answer is linear, too. */
#include "algebra/f2/word_span.h"
#include "algebra/owner/conversion.h"

#include <stdlib.h>
#include <string.h>

/* Solutions x of A x = v, for a matrix of columns: the span of the columns, each with the
 * sum of which of them it is, and the kernel. */
struct solver {
	struct word_span span;
	unsigned kernel_count;
	uint64_t kernel[64];
};

static void add_column(struct solver *solver, uint64_t column, unsigned number)
{
	uint64_t sum = (uint64_t)1 << number;

	if (!word_span_add_sum(&solver->span, column, &sum))
		solver->kernel[solver->kernel_count++] = sum;
}

/* x's bits: the subgroup's, the lane's, the register's, from the lowest on. */
static unsigned part_begin(const struct owner_bits *bits, unsigned part)
{
	unsigned begin = 0;

	for (unsigned p = 0; p < part; p++)
		begin += bits->counts[p];
	return begin;
}

static uint64_t part_of(const struct owner_bits *bits, uint64_t x, unsigned part)
{
	return x >> part_begin(bits, part) & (((uint64_t)1 << bits->counts[part]) - 1);
}

/* How far x is from the wanted subgroup and lane: less is better. */
static uint64_t distance(const struct owner_bits *from, uint64_t x, uint64_t wanted)
{
	uint64_t apart = x ^ wanted;

	return part_of(from, apart, OWNER_SUBGROUP) << 48 |
		part_of(from, apart, OWNER_LANE) << 32 | part_of(from, apart, OWNER_REGISTER);
}

/* Echelon form of the kernel in the order that distances have: each vector brings nearer
 * what those before it leave. */
static void order_kernel(struct solver *solver, const struct owner_bits *from)
{
	uint64_t *kernel = solver->kernel;

	for (unsigned i = 0; i < solver->kernel_count; i++) {
		uint64_t vector;
		unsigned most = i;

		for (unsigned k = i + 1; k < solver->kernel_count; k++)
			if (distance(from, kernel[k], 0) > distance(from, kernel[most], 0))
				most = k;
		vector = kernel[most];
		kernel[most] = kernel[i];
		kernel[i] = vector;
		for (unsigned k = i + 1; k < solver->kernel_count; k++)
			if (distance(from, kernel[k] ^ vector, 0) <
			    distance(from, kernel[k], 0))
				kernel[k] ^= vector;
	}
}

/* The solution nearest to what is wanted. */
static bool solve(const struct solver *solver, const struct owner_bits *from,
	uint64_t vector, uint64_t wanted, uint64_t *x)
{
	if (word_span_solve(&solver->span, vector, x))
		return false;
	for (unsigned i = 0; i < solver->kernel_count; i++)
		if (distance(from, *x ^ solver->kernel[i], wanted) <
		    distance(from, *x, wanted))
			*x ^= solver->kernel[i];
	return true;
}

/* Registers before lanes before subgroups: without the kernel a solution has none of the
 * bits of owner_guard().  Of slices the subgroup is known. */
static void build_solver(struct solver *solver, const struct owner_bits *from,
	enum pull_choice choice)
{
	*solver = (struct solver){ .kernel_count = 0 };
	for (unsigned part = OWNER_PARTS; part-- > (choice == PULL_SLICE);)
		for (unsigned i = 0; i < from->counts[part]; i++)
			add_column(solver, from->columns[part][i],
				part_begin(from, part) + i);
	if (choice == PULL_NEAREST)
		order_kernel(solver, from);
	else
		solver->kernel_count = 0;
}

/* What the same part of a point of TO is in FROM: its subgroup or its lane. */
static uint64_t wanted_of(const struct owner_bits *from, unsigned part, unsigned bit)
{
	return part == OWNER_REGISTER || bit >= from->counts[part] ? 0 :
		(uint64_t)1 << (part_begin(from, part) + bit);
}

/* The column of a bit of TO, or with part OWNER_PARTS the constant. */
static bool solve_bit(const struct solver *solver, const struct owner_bits *from,
	const struct owner_bits *to, unsigned part, unsigned bit, bool slice, uint64_t *x)
{
	bool constant = part == OWNER_PARTS;
	uint64_t vector = constant ? from->constant ^ to->constant : to->columns[part][bit];
	uint64_t wanted = constant ? 0 : wanted_of(from, part, bit);

	*x = 0;
	if (slice && part == OWNER_SUBGROUP) {
		if (!wanted)
			return false;
		*x = wanted;
		vector ^= from->columns[part][bit];
	}
	return solve(solver, from, vector, wanted, x);
}

static bool pull_bits(const layout_conversion_plan *plan, enum pull_choice choice,
	struct owner *whole)
{
	struct owner_bits from, to, pull = { { 0 } };
	struct solver solver;

	if (!owner_bits_of(&plan->from, &from) || !owner_bits_of(&plan->to, &to))
		return false;
	build_solver(&solver, &from, choice);
	for (unsigned part = 0; part < OWNER_PARTS; part++) {
		pull.counts[part] = to.counts[part];
		pull.widths[part] = from.counts[part];
		for (unsigned i = 0; i < to.counts[part]; i++)
			if (!solve_bit(&solver, &from, &to, part, i,
					choice == PULL_SLICE, &pull.columns[part][i]))
				return false;
	}
	return solve_bit(&solver, &from, &to, OWNER_PARTS, 0, false, &pull.constant) &&
		owner_of_bits(whole, &pull);
}

/* The points of FROM by element: those of element e are points[begin[e]] to
 * points[begin[e + 1]]. */
struct holders {
	size_t *begin;
	int64_t (*points)[OWNER_PARTS];
};

/* Is it one of the points that hold every element once; or every element of a slice? */
static bool is_kept(const layout_conversion_plan *plan, enum pull_choice choice,
	uint64_t guard, const int64_t hw[OWNER_PARTS])
{
	for (uint64_t rest = choice == PULL_NEAREST ? 0 : guard; rest; rest &= rest - 1) {
		const struct owner_digit *digit =
			&plan->from.digits[__builtin_ctzll(rest)];

		if ((choice == PULL_ONCE || digit->part != OWNER_SUBGROUP) &&
		    hw[digit->part] / digit->place % digit->radix)
			return false;
	}
	return true;
}

static int64_t element_at(const struct owner *owner, const int64_t hw[OWNER_PARTS])
{
	int64_t x[OWNER_RANK];

	owner_point(owner, hw, x);
	return owner_element(owner, x);
}

static bool list_holders(const layout_conversion_plan *plan, enum pull_choice choice,
	struct holders *holders)
{
	const struct owner *from = &plan->from;
	size_t elements = (size_t)owner_elements(from);
	int64_t hw[OWNER_PARTS] = { 0 };
	uint64_t guard;

	holders->begin = layout_alloc(plan->ctx, elements + 2, sizeof(size_t));
	holders->points = layout_alloc(plan->ctx, (size_t)owner_points(from),
		sizeof(*holders->points));
	if (!holders->begin || !holders->points ||
	    (!owner_guard(from, &guard) && choice != PULL_NEAREST))
		return false;
	do
		holders->begin[element_at(from, hw) + 2] +=
			is_kept(plan, choice, guard, hw);
	while (owner_next(from, hw));
	for (size_t e = 0; e < elements; e++)
		holders->begin[e + 2] += holders->begin[e + 1];
	do
		if (is_kept(plan, choice, guard, hw))
			memcpy(holders->points[holders->begin[element_at(from, hw) + 1]++],
				hw, sizeof(hw));
	while (owner_next(from, hw));
	return true;
}

/* Which of two points is nearer to one of TO. */
static bool is_nearer(const int64_t a[OWNER_PARTS], const int64_t b[OWNER_PARTS],
	const int64_t hw[OWNER_PARTS])
{
	for (unsigned part = 0; part < OWNER_REGISTER; part++)
		if (a[part] != b[part])
			return (a[part] ^ hw[part]) < (b[part] ^ hw[part]);
	return a[OWNER_REGISTER] < b[OWNER_REGISTER];
}

/* What each point of TO, by number, reads. */
static bool list_sources(const layout_conversion_plan *plan, enum pull_choice choice,
	int64_t *images)
{
	struct holders holders = { NULL };
	bool ok = list_holders(plan, choice, &holders);
	int64_t hw[OWNER_PARTS] = { 0 };

	do {
		size_t e = ok ? (size_t)element_at(&plan->to, hw) : 0;
		const int64_t *best = NULL;

		for (size_t i = ok ? holders.begin[e] : 1; ok && i < holders.begin[e + 1];
		     i++)
			if (!best || is_nearer(holders.points[i], best, hw))
				best = holders.points[i];
		ok = best && (choice != PULL_SLICE ||
			best[OWNER_SUBGROUP] == hw[OWNER_SUBGROUP]);
		if (ok)
			memcpy(images, best, sizeof(hw));
		images += OWNER_PARTS;
	} while (ok && owner_next(&plan->to, hw));
	free(holders.begin);
	free(holders.points);
	return ok;
}

static bool pull_points(const layout_conversion_plan *plan, enum pull_choice choice,
	struct owner *pull)
{
	int64_t *images = layout_alloc(plan->ctx, (size_t)owner_points(&plan->to),
		OWNER_PARTS * sizeof(*images));
	int64_t hw[OWNER_PARTS];
	bool ok = images && list_sources(plan, choice, images) &&
		owner_read(pull, images, hw);

	free(images);
	return ok;
}

bool conversion_pull(const layout_conversion_plan *plan, enum pull_choice choice,
	struct owner *pull)
{
	*pull = (struct owner){ .rank = OWNER_PARTS };
	memcpy(pull->box, plan->from.extent, sizeof(plan->from.extent));
	memcpy(pull->extent, plan->to.extent, sizeof(plan->to.extent));
	return pull_bits(plan, choice, pull) || pull_points(plan, choice, pull);
}
