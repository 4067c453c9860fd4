/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/points.h"
#include "algebra/chip.h"
#include "algebra/storage/maps.h"
#include "isl_bridge/index_sum.h"
#include "kernel/memory.h"
#include "kernel/shapes.h"

#include <math.h>
#include <stdlib.h>

/* Instructions of a wave, scalar ones too, as an emulator counts them: besides all others, for each
 * slot of the destination, and for each slot of an element. */
#define WAVE_ISSUE 80
#define SLOT_ISSUE 30
#define ELEMENT_SLOT_ISSUE 7

/* All names are so much where digits are put in the order of memory: an odd number, of which eight
 * sizes' product fits. */
#define SOME_SIZE 101

/* Digits of the source that runs are looked for in. */
enum { LEVELS = 2 };

/* A digit with its extent, over the sizes; what is known of it where all names are some size. */
struct extent {
	struct index *of;
	int64_t some, weight[FACTOR_SIDES];
};

/* Elements follow each other in the source where a workgroup has all of a digit, and of the next. */
struct runs {
	unsigned count, level_count;
	struct extent extents[FACTOR_DIGITS];
	unsigned levels[LEVELS];	/* of these, the innermost of the source first */
	int64_t all;			/* elements of a workgroup */
};

/* Where one length alone is open, a short one leaves little to do. */
static bool may_be_short(const struct factors *factors)
{
	unsigned open = 0;

	for (unsigned d = 0; d < factors->dim_count; d++)
		open += factors->dims[d].end->op != INDEX_INT;
	return open > 1 && factors->dim_count <= CHOICE_DIMS;
}

/* Do lanes divide by words alone? */
static bool divides_words(const struct storage_index *index)
{
	for (unsigned k = 1; k < index->slot_count; k++)
		if (index->extent[k]->max > INT32_MAX)
			return false;
	return true;
}

bool points_can_be_shape(const struct plan *plan, const struct tile_request *request)
{
	const struct tile_account *account = plan->account;

	return request->target->lanes && !request->target->owner &&
		!request->target->through_lds && account->memory &&
		may_be_short(&account->factors) && divides_words(request->destination) &&
		!ragged_is_needed(&account->factors) &&
		request->remap->destination->kind != LAYOUT_STORAGE_STRIDED;
}

/* Steps of a digit of a dimension of so many. */
static struct index *steps_of(const struct digit *digit, const struct index *end)
{
	return digit->radix ? index_int(digit->radix) : index_ceil_div(index_copy(
		(struct index *)end), digit->step);
}

/* The digit whose steps are worth an element on both sides, or the count. */
static unsigned find_row(const struct factors *factors)
{
	unsigned i = 0;

	while (i < factors->digit_count && !(index_is(factors->digits[i].weight[FACTOR_LOAD], 1) &&
	       index_is(factors->digits[i].weight[FACTOR_STORE], 1)))
		i++;
	return i;
}

/* Do elements lie where digits say, from the first of the source on? */
static bool is_plain(const struct factors *factors, const struct tile_request *request)
{
	bool plain = !request->remap->map && !request->start && !request->backward &&
		!factors->xor_count && !factors->rotation_count;

	for (unsigned d = 0; d < factors->dim_count; d++)
		plain = plain && index_is(factors->dims[d].low, 0);
	return plain;
}

bool points_have_rows(const struct factors *factors, const struct tile_request *request)
{
	return find_row(factors) < factors->digit_count && is_plain(factors, request) &&
		conversion_is_copy(&request->remap->conversion) && request->bits[0] >= 8 &&
		!storage_is_rounded(request->remap->destination);
}

/* Is it a product with this factor? */
static bool has_factor(const struct index *product, const struct index *factor)
{
	return index_equal(product, factor) || (product->op == INDEX_MUL &&
		(has_factor(product->arg[0], factor) || has_factor(product->arg[1], factor)));
}

static struct index *is_multiple(struct index *number, int64_t of)
{
	if (number && factor_divisor(number) % of == 0) {
		index_free(number);
		return index_int(1);
	}
	return index_binary(INDEX_EQ, index_binary(INDEX_PMOD, number, index_int(of)),
		index_int(0));
}

/* Are rows, and where they begin on both sides, whole groups? */
static struct index *rows_are_whole(const struct plan *points, const struct factors *factors)
{
	unsigned row = find_row(factors), elements = points->visit.group.elements;
	const struct digit *digit = &factors->digits[row].digit;
	struct index *steps = steps_of(digit, factors->dims[digit->dim].end);
	struct index *whole = is_multiple(index_copy(steps), elements);

	for (unsigned i = 0; steps && i < factors->digit_count; i++)
		for (unsigned side = 0; i != row && side < FACTOR_SIDES; side++) {
			struct index *weight = factors->digits[i].weight[side];

			if (!has_factor(weight, steps))
				whole = index_binary(INDEX_AND, whole, is_multiple(
					index_copy(weight), elements));
		}
	index_free(steps);
	return whole;
}

static int64_t value_of(const struct index *index, const int64_t *sizes)
{
	int64_t value;

	return index && index_eval(index, sizes, &value) ? value : INT64_MAX;
}

static bool find_extents(struct runs *runs, const struct factors *factors,
	struct index *const *ends, const int64_t *sizes)
{
	for (unsigned i = 0; i < factors->digit_count; i++) {
		const struct factor_digit *from = &factors->digits[i];
		struct extent *to = &runs->extents[i];
		struct index *some = steps_of(&from->digit, factors->dims[from->digit.dim].end);

		to->some = value_of(some, sizes);
		index_free(some);
		to->of = steps_of(&from->digit, ends[from->digit.dim]);
		runs->count++;
		if (!to->of || !some)
			return false;
		for (unsigned side = 0; side < FACTOR_SIDES; side++)
			to->weight[side] = value_of(from->weight[side], sizes);
	}
	return true;
}

/* The digit that steps by so much in the source, or the count. */
static unsigned find_step(const struct runs *runs, int64_t weight)
{
	unsigned i = 0;

	while (i < runs->count && (runs->extents[i].weight[FACTOR_LOAD] != weight ||
	       runs->extents[i].some <= 1))
		i++;
	return i;
}

static void find_levels(struct runs *runs)
{
	int64_t weight = 1;
	unsigned i;

	while (runs->level_count < LEVELS && (i = find_step(runs, weight)) < runs->count) {
		runs->levels[runs->level_count++] = i;
		if (__builtin_mul_overflow(weight, runs->extents[i].some, &weight))
			break;
	}
}

/* The least of a product and a number, one of whose factors a size is at most. */
static struct index *times(struct index *a, struct index *b, int64_t most)
{
	if (a && a->max > INT32_MAX)
		a = index_binary(INDEX_MIN, a, index_int(most));
	return index_binary(INDEX_MUL, a, b);
}

/* The elements of a side from one step of a digit to the next; where that is no size, or more than a
 * workgroup has. */
static struct index *apart(const struct runs *runs, enum factor_side side, unsigned digit)
{
	int64_t weight = runs->extents[digit].weight[side];
	struct index *product = index_int(1);

	for (unsigned i = 0; i < runs->count; i++)
		if (runs->extents[i].weight[side] && runs->extents[i].weight[side] < weight)
			product = times(product, index_copy(runs->extents[i].of), runs->all + 1);
	return product;
}

/* The elements of the destination from one step of a level to the next. */
static struct index *level_apart(const struct runs *runs, unsigned level)
{
	return apart(runs, FACTOR_STORE, runs->levels[level]);
}

static struct index *extent_of(const struct runs *runs, unsigned level)
{
	return index_copy(runs->extents[runs->levels[level]].of);
}

/* Has a workgroup all of a level? */
static struct index *has_all(const struct runs *runs, unsigned level)
{
	struct index *apart = level_apart(runs, level), *all;
	bool first = index_is(apart, 1);

	all = index_binary(INDEX_LE, times(apart, extent_of(runs, level), runs->all + 1),
		index_int(runs->all));
	return first ? all : index_binary(INDEX_OR, index_binary(INDEX_LE,
		extent_of(runs, level), index_int(1)), all);
}

/* Of all levels inside of this one: a workgroup has all of each. */
static struct index *has_inner(const struct runs *runs, unsigned level)
{
	struct index *all = index_int(1);

	for (unsigned m = 0; m < level; m++)
		all = index_binary(INDEX_AND, all, has_all(runs, m));
	return all;
}

/* Do so many elements of a workgroup's follow each other in the source, as digits up to this level
 * have? */
static struct index *follow_in(const struct runs *runs, unsigned level, int64_t elements)
{
	struct index *inner = index_int(1), *enough;

	for (unsigned m = 0; m < level; m++)
		inner = times(inner, extent_of(runs, m), elements);
	enough = index_binary(INDEX_GE, times(index_copy(inner), extent_of(runs, level),
		elements), index_int(elements));
	enough = index_binary(INDEX_AND, enough, index_binary(INDEX_LE, index_binary(INDEX_MUL,
		level_apart(runs, level), index_int(elements)), index_binary(INDEX_MUL, inner,
		index_int(runs->all))));
	return index_binary(INDEX_AND, enough, has_inner(runs, level));
}

/* Are as many as that of the elements that follow each other in the destination no more than so far
 * apart in the source? */
static struct index *step_in(const struct runs *runs, int64_t many, int64_t far)
{
	unsigned first = 0;

	for (unsigned i = 1; i < runs->count; i++)
		if (runs->extents[i].weight[FACTOR_STORE] <
		    runs->extents[first].weight[FACTOR_STORE])
			first = i;
	return index_binary(INDEX_AND, index_binary(INDEX_GE, index_copy(
		runs->extents[first].of), index_int(many)), index_binary(INDEX_LE,
		apart(runs, FACTOR_LOAD, first), index_int(far)));
}

static struct index *follow(const struct runs *runs, int64_t elements)
{
	struct index *any = index_int(0);

	for (unsigned level = 0; level < runs->level_count; level++)
		any = index_binary(INDEX_OR, any, follow_in(runs, level, elements));
	return any;
}

/* A lane's element in one of its accesses to the source, whose runs are of so many. */
static void trace_element(struct memory_trace *trace, const struct visit *visit, int64_t number,
	unsigned wave, unsigned access, int64_t pieces)
{
	int64_t bytes = (visit->load.bits + 7) / 8;

	memory_add(trace, (struct memory_range){ wave, access, number % pieces,
		number / pieces * bytes, bytes });
}

/* The accesses of a workgroup, of groups or of elements. */
static void trace_sides(struct memory_trace *load, struct memory_trace *store,
	const struct plan *plan, unsigned wave_size, int64_t pieces, bool rows)
{
	const struct visit_group *group = &plan->visit.group;
	unsigned lanes = plan_lanes(plan);

	for (unsigned turn = 0; turn < group->turns; turn++)
		for (unsigned lane = 0; lane < lanes; lane++) {
			int64_t first = (int64_t)turn * lanes + lane;

			memory_add(store, (struct memory_range){ lane / wave_size, turn, 0,
				first * group->bytes, group->bytes });
			if (rows)
				memory_add(load, (struct memory_range){ lane / wave_size, turn,
					first % pieces, first / pieces * group->bytes,
					group->bytes });
			for (unsigned j = 0; !rows && j < group->elements; j++)
				trace_element(load, &plan->visit, first * group->elements + j,
					lane / wave_size, turn * group->elements + j, pieces);
		}
}

/* What a wave issues. */
static double issue_of(const struct plan *plan, bool rows)
{
	const struct visit_group *group = &plan->visit.group;

	return WAVE_ISSUE + group->rank * (SLOT_ISSUE + group->turns * (rows ? 1 :
		group->elements) * ELEMENT_SLOT_ISSUE);
}

/* That sectors are loaded for the bytes of a run alone, and what is beside these is not found in a
 * cache any more when it is wanted, is assumed. */
static double sectors_time(const struct chip_memory *facts, int64_t bytes)
{
	return bytes < facts->sector ? ((double)facts->sector / (double)bytes - 1) / 2 : 0;
}

/* The time of a workgroup whose runs in the source are of so many bytes, in that of a byte's copy;
 * 0 where memory ran out. */
static double time_of(const struct plan *plan, const struct plan_target *target,
	const struct runs *runs, int64_t bytes, bool rows)
{
	const struct chip_memory *facts = target->chip->memory;
	struct memory_trace load = { .facts = facts }, store = { .facts = facts };
	unsigned wave_size = target->wave_size;
	struct memory_side sides[FACTOR_SIDES];
	enum memory_cost worst;
	double time = 0, issue = issue_of(plan, rows) * facts->issue_bytes *
		((plan_lanes(plan) + wave_size - 1) / wave_size);
	int64_t run = bytes * 8 / plan->visit.load.bits, least = rows ? plan->visit.group.elements : 1;

	run = run > least ? run : least;
	trace_sides(&load, &store, plan, wave_size, run < runs->all ? runs->all / run : 1, rows);
	if (memory_count(&load, &sides[FACTOR_LOAD]) &&
	    memory_count(&store, &sides[FACTOR_STORE]))
		time = shape_takes((double)runs->all * (plan->visit.load.bits +
			plan->visit.store.bits) / 8 * (sectors_time(facts, bytes) +
			memory_time(facts, &sides[FACTOR_LOAD], &sides[FACTOR_STORE], &worst)),
			issue, facts);
	memory_trace_free(&load);
	memory_trace_free(&store);
	return time;
}

static struct index *time_index(const struct plan *plan, const struct plan_target *target,
	const struct runs *runs, int64_t bytes, bool rows)
{
	double time = time_of(plan, target, runs, bytes, rows);

	return time > 0 ? index_int((int64_t)ceil(time)) : NULL;
}

/* Does a workgroup use so many bytes of the source's, such as follow each other, or as many of a
 * sector's? */
static struct index *uses(const struct plan *plan, const struct plan_target *target,
	const struct runs *runs, int64_t bytes)
{
	const struct chip_memory *facts = target->chip->memory;
	struct index *runs_have = follow(runs, bytes * 8 / plan->visit.load.bits);

	return bytes >= facts->sector ? runs_have : index_binary(INDEX_OR, runs_have, step_in(runs,
		(int64_t)facts->line * 8 / plan->visit.load.bits, facts->sector / bytes));
}

/* The time of a workgroup, by what it uses at least, if it is not an element by itself. */
static struct index *any_time(const struct plan *plan, const struct plan_target *target,
	const struct runs *runs, bool rows)
{
	const int64_t all[] = { 8, 16, target->chip->memory->line };
	int64_t element = plan->visit.load.bits > 8 ? plan->visit.load.bits / 8 : 1;
	int64_t least = rows ? plan->visit.group.bytes : element;
	struct index *time = time_index(plan, target, runs, least, rows);

	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i] > least)
			time = index_select(uses(plan, target, runs, all[i]),
				time_index(plan, target, runs, all[i], rows), time);
	return time;
}

/* The names, each of some size; NULL where memory ran out. */
static int64_t *some_sizes(layout_context *ctx, const struct plan *plan)
{
	int64_t *sizes = layout_alloc(ctx, plan->size_count + 1, sizeof(*sizes));

	for (unsigned i = 0; sizes && i < plan->size_count; i++)
		sizes[i] = SOME_SIZE;
	return sizes;
}

/* How digits lie in memory where dimensions end at "ends". */
static bool find_runs(struct runs *runs, const struct plan *points, const struct factors *factors,
	struct index *const *ends, const int64_t *sizes)
{
	const struct visit_group *group = &points->visit.group;

	if (!find_extents(runs, factors, ends, sizes))
		return false;
	find_levels(runs);
	runs->all = (int64_t)plan_lanes(points) * group->turns * group->elements;
	return true;
}

/* The time of a workgroup; where "rows" is so, it goes by groups. */
static struct index *workgroup_time(const struct plan *points, const struct plan_target *target,
	const struct runs *runs, struct index *rows)
{
	struct index *time = any_time(points, target, runs, false);

	return !rows ? time : index_select(index_copy(rows), any_time(points, target, runs, true),
		time);
}

static struct index *cost_of(const struct plan *points, const struct factors *factors,
	const struct tile_request *request, struct index *const *ends, struct index *rows)
{
	layout_context *ctx = request->remap->ctx;
	struct runs *runs = layout_alloc(ctx, 1, sizeof(*runs));
	int64_t *sizes = some_sizes(ctx, points);
	struct index *cost = NULL;

	if (runs && sizes && find_runs(runs, points, factors, ends, sizes)) {
		cost = index_int(1);
		for (unsigned d = 0; d < factors->dim_count; d++)
			cost = index_binary(INDEX_MUL, cost, index_copy(ends[d]));
		cost = index_binary(INDEX_MUL, index_ceil_div(cost, runs->all),
			workgroup_time(points, request->target, runs, rows));
	}
	for (unsigned i = 0; runs && i < runs->count; i++)
		index_free(runs->extents[i].of);
	free(runs);
	free(sizes);
	return cost;
}

/* That rows begin at groups is taken from their dimension's length alone. */
struct index *points_cost_by_lengths(const struct plan *points, const struct factors *factors,
	const struct tile_request *request)
{
	struct index *lengths[CHOICE_DIMS] = { NULL }, *rows = NULL, *cost = NULL;

	for (unsigned d = 0; d < factors->dim_count; d++)
		lengths[d] = index_var(d, 0, factors->dims[d].end->max);
	if (points->visit.group.rows)
		rows = is_multiple(index_copy(lengths[factors->digits[find_row(factors)].digit.dim]),
			points->visit.group.elements);
	if (rows || !points->visit.group.rows)
		cost = cost_of(points, factors, request, lengths, rows);
	index_free(rows);
	for (unsigned d = 0; d < factors->dim_count; d++)
		index_free(lengths[d]);
	return cost;
}

bool points_build_cost(struct plan *points, const struct tile_account *account,
	const struct tile_request *request, bool rows)
{
	const struct factors *factors = &account->factors;
	struct visit_group *group = &points->visit.group;
	struct index *ends[CHOICE_DIMS];

	for (unsigned d = 0; d < factors->dim_count; d++)
		ends[d] = factors->dims[d].end;
	group->rows = rows ? rows_are_whole(points, factors) : NULL;
	if (rows && !group->rows)
		return false;
	points->cost = cost_of(points, factors, request, ends, group->rows);
	points->copied = index_binary(INDEX_MUL, index_copy(points->visit.store.elements),
		index_int(points->visit.load.bits + points->visit.store.bits));
	return points->cost && points->copied;
}
