/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Enumeration in order. */
#include "algebra/points.h"
#include "algebra/points_stream.h"
#include "algebra/scan.h"
#include "algebra/table.h"

#include <isl/point.h>
#include <stdlib.h>
#include <string.h>

struct visitor {
	layout_context *ctx;
	unsigned rank;
	int64_t *point;
	bool (*visit)(void *user, const int64_t *point);
	void *user;
};

static isl_stat visit_point(isl_point *point, void *user)
{
	struct visitor *visitor = user;
	bool ok = true;

	for (unsigned i = 0; ok && i < visitor->rank; i++)
		ok = bridge_int64(visitor->ctx, isl_point_get_coordinate_val(point,
			isl_dim_set, (int)i), &visitor->point[i]);
	isl_point_free(point);
	bridge_progress(visitor->ctx);
	return ok && visitor->visit(visitor->user, visitor->point) ? isl_stat_ok :
		isl_stat_error;
}

bool points_visit(isl_set *set, layout_context *ctx,
	bool (*visit)(void *user, const int64_t *point), void *user)
{
	isl_size rank = isl_set_dim(set, isl_dim_set);
	struct visitor visitor = { ctx, (unsigned)rank, NULL, visit, user };
	bool ok;

	if (rank < 0)
		return false;
	visitor.point = layout_alloc(ctx, visitor.rank, sizeof(*visitor.point));
	ok = visitor.point &&
		isl_set_foreach_point(set, visit_point, &visitor) == isl_stat_ok;
	free(visitor.point);
	return ok;
}

static bool collect(void *user, const int64_t *point)
{
	struct points *points = user;
	size_t size = (points->rank ? points->rank : 1) * sizeof(*point);

	points->full = points->count == points->limit;
	if (points->full)
		return false;
	if (points->count == points->capacity) {
		size_t capacity = points->capacity ? 2 * points->capacity : 256;
		int64_t *grown = realloc(points->values, capacity * size);

		if (!grown) {
			layout_fail(points->ctx, LAYOUT_ERROR_MEMORY, -1,
				"out of memory");
			return false;
		}
		points->values = grown;
		points->capacity = capacity;
	}
	memcpy(points->values + points->count * points->rank, point,
		points->rank * sizeof(*point));
	points->count++;
	return true;
}

int points_compare(const int64_t *a, const int64_t *b, unsigned rank)
{
	for (unsigned i = 0; i < rank; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

int points_order(const void *a, const void *b, void *rank)
{
	return points_compare(a, b, *(unsigned *)rank);
}

const int64_t *points_at(const struct points *points, size_t i)
{
	return points->values + i * points->rank;
}

void points_free(struct points *points)
{
	free(points->values);
	*points = (struct points){ 0 };
}

/* isl visits a union piece by piece, and one point for each of its witnesses. */
static void sort_once(struct points *points)
{
	size_t size = points->rank * sizeof(int64_t), kept = 0;

	if (!points->rank)
		points->count = points->count ? 1 : 0;
	if (!points->rank || !points->count)
		return;
	qsort_r(points->values, points->count, size, points_order, &points->rank);
	for (size_t i = 1; i < points->count; i++)
		if (points_compare(points_at(points, kept), points_at(points, i),
				points->rank) != 0)
			memcpy(points->values + ++kept * points->rank,
				points_at(points, i), size);
	points->count = kept + 1;
}

/* Visits of points with their witnesses: past these isl is to find the points alone. */
#define MOST_WITNESSED (1u << 16)

/* The points of a piece with the numbers that exist for each as coordinates, which isl
 * finds a thousand times faster than what those numbers are for a given point. */
static isl_stat visit_witnessed(isl_basic_set *piece, void *user)
{
	struct visitor *visitor = user;
	isl_set *lifted = isl_set_flatten(isl_set_from_basic_set(
		isl_basic_set_lift(piece)));
	isl_stat result = isl_stat_error;

	if (isl_set_is_bounded(lifted) == isl_bool_true)
		result = isl_set_foreach_point(lifted, visit_point, visitor);
	isl_set_free(lifted);
	return result;
}

static isl_stat has_witness(isl_basic_set *piece, void *user)
{
	*(bool *)user |= isl_basic_set_dim(piece, isl_dim_div) > 0;
	isl_basic_set_free(piece);
	return isl_stat_ok;
}

/* LAYOUT_NO: there are more than the limit; LAYOUT_UNKNOWN: there are no such numbers, or
 * too many of them. */
static layout_answer list_witnessed(struct points *points, isl_set *set)
{
	size_t limit = points->limit;
	struct visitor visitor = { points->ctx, points->rank, NULL, collect, points };
	bool ok = false;

	isl_set_foreach_basic_set(set, has_witness, &ok);
	if (!ok)
		return LAYOUT_UNKNOWN;
	points->limit = limit < MOST_WITNESSED / 8 ? 8 * (limit + 1) : MOST_WITNESSED;
	visitor.point = layout_alloc(points->ctx, points->rank, sizeof(*visitor.point));
	ok = visitor.point &&
		isl_set_foreach_basic_set(set, visit_witnessed, &visitor) == isl_stat_ok;
	free(visitor.point);
	sort_once(points);
	points->limit = limit;
	if (ok && points->count <= limit)
		return LAYOUT_YES;
	if (points->count <= limit)
		return LAYOUT_UNKNOWN;
	points->count = limit;
	points->full = true;
	return LAYOUT_NO;
}

bool points_list(struct points *points, layout_context *ctx, isl_set *set, size_t limit)
{
	isl_size rank = isl_set_dim(set, isl_dim_set);
	layout_answer listed;
	bool ok;

	*points = (struct points){ .ctx = ctx, .limit = limit };
	if (rank < 0)
		return false;
	points->rank = (unsigned)rank;
	listed = list_witnessed(points, set);
	if (listed != LAYOUT_UNKNOWN)
		return listed == LAYOUT_YES;
	points->count = 0;
	points->full = false;
	ok = points_visit(set, ctx, collect, points);
	sort_once(points);
	return ok;
}

bool layout_set_for_each(layout_set *set, layout_visit_point visit, void *user)
{
	if (!set || !layout_given(set->ctx, visit, "function to call"))
		return false;
	bridge_enter(set->ctx);
	return points_stream(set->ctx, isl_set_copy(set->set), visit, user);
}

/* The visit of pairs, which ended it if "stopped". */
struct pair_visit {
	unsigned in;
	layout_visit_pair visit;
	void *user;
	bool stopped;
};

static bool visit_pair(void *user, const int64_t *point, unsigned rank)
{
	struct pair_visit *pair = user;

	pair->stopped = !pair->visit(pair->user, point, pair->in, point + pair->in,
		rank - pair->in);
	return !pair->stopped;
}

/* The pairs of a relation that is no small function, as points. */
static bool for_each_pair(layout_relation *relation, layout_visit_pair visit, void *user)
{
	struct pair_visit pair = { layout_relation_in_rank(relation), visit, user, false };

	bridge_enter(relation->ctx);
	bridge_need_map(relation);
	return points_stream(relation->ctx, isl_map_wrap(isl_map_copy(relation->map)),
		visit_pair, &pair);
}

/* The pairs of inputs that agree with this one before coordinate "k", and are greater
 * there. */
static isl_set *pairs_behind(layout_relation *relation, const int64_t *input, unsigned k)
{
	isl_ctx *isl = bridge_isl(relation->ctx);
	isl_set *pairs = isl_set_flatten(isl_map_wrap(isl_map_copy(relation->map)));

	for (unsigned i = 0; i < k; i++)
		pairs = isl_set_fix_val(pairs, isl_dim_set, i,
			isl_val_int_from_si(isl, input[i]));
	return isl_set_lower_bound_val(pairs, isl_dim_set, k,
		isl_val_int_from_si(isl, input[k] + 1));
}

/* The pairs of the inputs behind this one, as points. */
static bool for_each_behind(layout_relation *relation, const int64_t *input,
	layout_visit_pair visit, void *user)
{
	struct pair_visit pair = { layout_relation_in_rank(relation), visit, user, false };
	bool ok = true;

	for (unsigned k = pair.in; ok && !pair.stopped && k-- > 0;) {
		bridge_enter(relation->ctx);
		ok = points_stream(relation->ctx, pairs_behind(relation, input, k),
			visit_pair, &pair);
	}
	return ok;
}

/* The pairs of a relation that reverses a small function: true if there were no more
 * to visit, or the visit ended it. */
static bool for_each_reversed(layout_relation *relation, layout_visit_pair visit,
	void *user)
{
	layout_relation *function = bridge_share_form(relation, false);
	struct table table = { 0 };
	bool good = function && table_build(&table, function) &&
		table_visit_images(&table, visit, user);

	table_free(&table);
	layout_relation_free(function);
	return good;
}

/* The pairs that the scan, which is consumed, comes to, and those where it gives up. */
static bool for_each_scanned(layout_relation *relation, struct scan *scan,
	layout_visit_pair visit, void *user)
{
	unsigned in = layout_relation_in_rank(relation);
	unsigned out = layout_relation_out_rank(relation);
	bool ok;

	while (scan_next(scan) &&
	    visit(user, scan_input(scan), in, scan_image(scan), out))
		continue;
	ok = !scan_gave_up(scan) ||
		for_each_behind(relation, scan_input(scan), visit, user);
	scan_free(scan);
	return ok;
}

/* The next point of a form's box, the last input fastest; false past the last. */
static bool next_input(const struct form *form, int64_t *in)
{
	for (unsigned i = form->in_rank; i-- > 0; in[i] = 0)
		if (++in[i] < form->kind->extent(form, i))
			return true;
	return false;
}

static bool has_inputs(const struct form *form)
{
	for (unsigned i = 0; i < form->in_rank; i++)
		if (form->kind->extent(form, i) < 1)
			return false;
	return true;
}

/* The pairs of a function by its form, however many: false where memory ran out, or an
 * image is beyond 64 bits. */
static bool for_each_applied(layout_context *ctx, const struct form *form,
	layout_visit_pair visit, void *user)
{
	int64_t *in = layout_alloc(ctx, form->in_rank, sizeof(*in));
	int64_t *out = layout_alloc(ctx, form->out_rank, sizeof(*out));
	bool ok = in && out, more = ok && has_inputs(form);

	while (more) {
		ok = form->kind->apply(form, in, out);
		if (!ok)
			layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
				"an image is beyond 64 bits");
		more = ok && visit(user, in, form->in_rank, out, form->out_rank) &&
			next_input(form, in);
	}
	free(in);
	free(out);
	return ok;
}

bool layout_relation_for_each(layout_relation *relation, layout_visit_pair visit,
	void *user)
{
	const struct form *form;
	struct table table;
	struct scan *scan;

	if (!relation)
		return false;
	form = bridge_function_form(relation);
	if (form)
		return for_each_applied(relation->ctx, form, visit, user);
	if (relation->reversed && for_each_reversed(relation, visit, user))
		return true;
	scan = scan_start(relation);
	if (scan)
		return for_each_scanned(relation, scan, visit, user);
	if (!table_build(&table, relation)) {
		table_free(&table);
		return for_each_pair(relation, visit, user);
	}
	for (size_t i = 0; i < table.inputs.count; i++)
		if (!visit(user, points_at(&table.inputs, i), table.inputs.rank,
				table.images + i * table.rank, table.rank))
			break;
	table_free(&table);
	return true;
}
