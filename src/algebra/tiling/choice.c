/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How often a workgroup repeats the matrix instruction: along K until a lane's load is
 * as wide as can be, over M and N as a large and square tile, which is then split among
 * the subgroups. */
#include "algebra/tiling/choice.h"

#include "algebra/tiling/choice_instruction.h"
#include "algebra/tiling/targets.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>

#define UNBOUNDED INT64_MAX

/* What bounds the intrinsics along N, given those along M. */
enum limit { BY_REGISTERS, BY_LDS, BY_N, BY_PROCESSORS, LIMITS };

static const char *const limit_names[LIMITS] = {
	"registers", "LDS", "N", "processors",
};

/* The question: a tile of so many intrinsics for this problem on this target. */
struct tile_problem {
	layout_context *ctx;
	const layout_tiling_target *target;
	const struct mma_row *row;
	struct lane_bits bits;
	int64_t along_k;		/* intrinsics */
	int64_t most_m, most_n, most;	/* intrinsics along M, N, and of both */
	struct layout_buffer *why;
};

/* Intrinsics along M and N. */
struct tile_totals {
	int64_t m, n;
};

static int64_t divide_up(int64_t a, int64_t b)
{
	return a / b + (a % b != 0);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The largest power of two that is not above "value" > 0. */
static int64_t power2_below(int64_t value)
{
	return (int64_t)1 << (int_width((uint64_t)value) - 1);
}

/* How large and how square a tile is.  All are powers of two, so that no rounding makes
 * two tiles equal. */
static double tile_score(int64_t m, int64_t n)
{
	return (double)m * (double)n / ((double)m + (double)n);
}

/* Intrinsics along K: the smaller operand of a lane fills a load; four of those of
 * scaled instructions share a register of scales. */
static int64_t repeat_k(const struct tile_problem *problem, bool scaled)
{
	int64_t bits = least(problem->bits.lhs, problem->bits.rhs);
	int64_t count = problem->target->max_load_bits / bits;

	count = count ? count : 1;
	layout_buffer_printf(problem->why, "K: a lane holds %" PRId64 " bits of lhs, %"
		PRId64 " of rhs, %" PRId64 " of acc and loads up to %u: %" PRId64
		" intrinsics", problem->bits.lhs, problem->bits.rhs, problem->bits.acc,
		problem->target->max_load_bits, count);
	if (scaled)
		count = count / int_gcd(count, 4) * 4;
	layout_buffer_printf(problem->why, scaled ? ", for scales a multiple of 4: %"
		PRId64 "\n" : "\n", count);
	return count;
}

static void print_bound(struct layout_buffer *why, int64_t value)
{
	if (value == UNBOUNDED)
		layout_buffer_printf(why, " any number");
	else
		layout_buffer_printf(why, " %" PRId64, value);
}

/* As many intrinsics as the problem has room for, and few enough that every workgroup
 * processor has a tile. */
static void find_bounds(struct tile_problem *problem, const struct tiling_contraction *sizes)
{
	const struct mma_shape *shape = problem->row->shape;
	int64_t m = sizes->sizes[LAYOUT_LOOP_M], n = sizes->sizes[LAYOUT_LOOP_N], elements;
	int64_t processors = problem->target->processors ? problem->target->processors :
		TILING_PROCESSORS;

	problem->most_m = m == LAYOUT_DYNAMIC ? UNBOUNDED : divide_up(m, shape->m);
	problem->most_n = n == LAYOUT_DYNAMIC ? UNBOUNDED : divide_up(n, shape->n);
	problem->most = UNBOUNDED;
	if (m != LAYOUT_DYNAMIC && n != LAYOUT_DYNAMIC)
		problem->most = divide_up(__builtin_mul_overflow(m, n, &elements) ?
			INT64_MAX : elements, processors * shape->m * shape->n);
	layout_buffer_printf(problem->why, "intrinsics that there is work for: "
		"along M");
	print_bound(problem->why, problem->most_m);
	layout_buffer_printf(problem->why, ", along N");
	print_bound(problem->why, problem->most_n);
	layout_buffer_printf(problem->why, ", for each of %" PRId64 " processors",
		processors);
	print_bound(problem->why, problem->most);
	layout_buffer_printf(problem->why, "\n");
}

/* What each limit allows along N, beside "m" along M. */
static void find_limits(const struct tile_problem *problem, int64_t m,
	int64_t limits[LIMITS])
{
	int64_t lhs = m * problem->along_k * problem->bits.lhs;
	int64_t rhs = problem->along_k * problem->bits.rhs;

	limits[BY_REGISTERS] = ((int64_t)problem->target->vgpr_bits - lhs) /
		(rhs + m * problem->bits.acc);
	limits[BY_LDS] = ((int64_t)problem->target->lds_bytes * 8 - lhs) / rhs;
	limits[BY_N] = problem->most_n;
	limits[BY_PROCESSORS] = problem->most == UNBOUNDED ? UNBOUNDED :
		problem->most / m;
}

/* Not even one intrinsic along M and N fits: say which limit it is. */
static bool fits(const struct tile_problem *problem, const int64_t limits[LIMITS])
{
	const layout_tiling_target *target = problem->target;
	int64_t inputs = problem->along_k * (problem->bits.lhs + problem->bits.rhs);

	if (limits[BY_REGISTERS] < 1)
		layout_fail(problem->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a tile of one %s, %" PRId64 " along K, does not fit the "
			"registers: it takes %" PRId64 " bits of a lane, %s has "
			"vgpr_bits = %u", problem->row->name, problem->along_k,
			inputs + problem->bits.acc, target->name, target->vgpr_bits);
	else if (limits[BY_LDS] < 1)
		layout_fail(problem->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a tile of one %s, %" PRId64 " along K, does not fit the LDS: "
			"its inputs take %" PRId64 " bits, %s has lds_bytes = %u",
			problem->row->name, problem->along_k, inputs, target->name,
			target->lds_bytes);
	else
		return true;
	return false;
}

static int64_t tightest(const int64_t limits[LIMITS])
{
	int64_t most = UNBOUNDED;

	for (enum limit i = BY_REGISTERS; i < LIMITS; i++)
		most = least(most, limits[i]);
	return most;
}

/* " x 8 (registers 13, LDS 2040)": those that there are. */
static void print_limits(struct layout_buffer *why, int64_t n,
	const int64_t limits[LIMITS])
{
	const char *separator = " (";

	layout_buffer_printf(why, " x %" PRId64, n);
	for (enum limit i = BY_REGISTERS; i < LIMITS; i++) {
		if (limits[i] == UNBOUNDED)
			continue;
		layout_buffer_printf(why, "%s%s %" PRId64, separator, limit_names[i],
			limits[i] > 0 ? limits[i] : 0);
		separator = ", ";
	}
	layout_buffer_printf(why, ")");
}

static void print_better(struct layout_buffer *why, bool better)
{
	layout_buffer_printf(why, better ? ": better than those before\n" : "\n");
}

/* The most even of the largest tiles, or one intrinsic; false where that does not fit. */
static bool find_totals(const struct tile_problem *problem, struct tile_totals *totals)
{
	double best = tile_score(1, 1);
	int64_t limits[LIMITS];

	*totals = (struct tile_totals){ 1, 1 };
	find_limits(problem, 1, limits);
	if (!fits(problem, limits))
		return false;
	layout_buffer_printf(problem->why, "intrinsics along M x N (limits of N) for the "
		"largest M*N/(M + N):\n");
	for (int64_t m = 1; m <= problem->most_m; m *= 2) {
		int64_t most, n;
		bool better;

		find_limits(problem, m, limits);
		most = tightest(limits);
		n = most < 1 ? 0 : power2_below(most);
		better = n && tile_score(m, n) > best;
		layout_buffer_printf(problem->why, "    %" PRId64, m);
		print_limits(problem->why, n, limits);
		print_better(problem->why, better);
		if (!n)
			break;
		if (!better)
			continue;
		best = tile_score(m, n);
		*totals = (struct tile_totals){ m, n };
	}
	return true;
}

/* Give the intrinsics to subgroups, at most one a SIMD, such that what one subgroup keeps
 * is large and square.  Where each would keep a single one there is one subgroup of one
 * intrinsic. */
static void split(const struct tile_problem *problem, struct tile_totals totals,
	layout_tiled_mma *mma)
{
	int64_t simds = problem->target->simds;
	double best = tile_score(1, 1);

	layout_buffer_printf(problem->why, "subgroups along M x N of %u SIMDs, and the "
		"intrinsics of each:\n", problem->target->simds);
	for (int64_t sm = 1; sm <= least(simds, totals.m); sm *= 2) {
		int64_t sn = power2_below(least(simds / sm, totals.n));
		int64_t m = totals.m / sm, n = totals.n / sn;
		bool better = tile_score(m, n) > best;

		layout_buffer_printf(problem->why, "    %" PRId64 " x %" PRId64
			" subgroups of %" PRId64 " x %" PRId64, sm, sn, m, n);
		print_better(problem->why, better);
		if (!better)
			continue;
		best = tile_score(m, n);
		mma->intrinsics_m = m;
		mma->subgroups_m = sm;
		mma->intrinsics_n = n;
		mma->subgroups_n = sn;
	}
	if (best == tile_score(1, 1) && totals.m * totals.n > 1)
		layout_buffer_printf(problem->why, "    no better than one subgroup of "
			"one intrinsic: that\n");
}

static void print_choice(struct layout_buffer *why, const struct mma_row *row,
	const layout_tiled_mma *mma)
{
	const struct mma_shape *shape = row->shape;

	layout_buffer_printf(why, "chosen: %s, intrinsics %" PRId64 " x %" PRId64 " x %"
		PRId64 ", subgroups %" PRId64 " x %" PRId64 " x %" PRId64 ", a tile of %"
		PRId64 " x %" PRId64 " x %" PRId64 "\n", row->name, mma->intrinsics_m,
		mma->intrinsics_n, mma->intrinsics_k, mma->subgroups_m, mma->subgroups_n,
		mma->subgroups_k, shape->m * mma->intrinsics_m * mma->subgroups_m,
		shape->n * mma->intrinsics_n * mma->subgroups_n,
		shape->k * mma->intrinsics_k * mma->subgroups_k);
}

bool tiling_choose(const layout_operand *operand, const struct tiling_contraction *contraction,
	const layout_tiling_target *target, struct layout_buffer *why,
	struct tiling_choice *choice)
{
	bool scaled = operand->op_type == LAYOUT_SCALED_MATMUL;
	struct tile_problem problem = { .ctx = operand->ctx, .target = target,
		.why = why };
	struct tile_totals totals;

	*choice = (struct tiling_choice){ .mma = {
		.intrinsics_m = 1, .subgroups_m = 1, .intrinsics_n = 1, .subgroups_n = 1,
		.intrinsics_k = 1, .subgroups_k = 1,
		.interleave_k = scaled ? 1u << 2 | 1u << 3 : 1u << 0 | 1u << 1 } };
	if (!tiling_instruction(operand, target, why, &problem.row))
		return false;
	if (!problem.row)
		return true;
	if (target->tile) {
		choice->row = problem.row;
		choice->mma = *target->tile;
		choice->mma.instruction = problem.row->name;
		layout_buffer_printf(why, "the target says how often it is repeated\n");
		print_choice(why, choice->row, &choice->mma);
		return true;
	}
	if (!tiling_lane_bits(operand, problem.row, &problem.bits))
		return false;
	problem.along_k = repeat_k(&problem, scaled);
	find_bounds(&problem, contraction);
	if (!find_totals(&problem, &totals))
		return false;
	choice->row = problem.row;
	choice->mma.instruction = problem.row->name;
	choice->mma.intrinsics_k = problem.along_k;
	split(&problem, totals, &choice->mma);
	print_choice(why, choice->row, &choice->mma);
	return true;
}
