/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/points_stream.h"
#include "algebra/points.h"

#include <isl/ilp.h>
#include <stdlib.h>

/* At most so many points are listed at once: some hundredths of a second of isl's. */
#define PORTION 16384

/* Where there were more, so many times fewer values of a coordinate are tried. */
#define FEWER 16

/* How points go to the caller's function, which ended it if "stopped". */
struct stream {
	layout_context *ctx;
	unsigned rank;
	layout_visit_point visit;
	void *user;
	bool stopped;
	uint64_t visited;
	int64_t *step;			/* of each coordinate so many values at once, 0
					 * where one has more than a portion of points */
	int64_t *at;			/* and which one it is then */
};

static bool is_listable(layout_context *ctx, isl_set *set)
{
	if (!set)
		return false;
	if (isl_set_dim(set, isl_dim_param) > 0)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"cannot list points: the size %s has no value",
			isl_set_get_dim_name(set, isl_dim_param, 0));
	else if (isl_set_is_bounded(set) == isl_bool_false)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"cannot list points: there is no bound on them");
	else
		return true;
	return false;
}

/* Without points the quota and the time are those before. */
static void visit_portion(struct stream *stream, const int64_t *points, size_t count)
{
	unsigned depth;

	if (!count)
		return;
	depth = bridge_leave_call(stream->ctx);
	for (size_t i = 0; !stream->stopped && i < count; i++)
		stream->stopped = !stream->visit(stream->user, points + i * stream->rank,
			stream->rank);
	bridge_return_to_call(stream->ctx, depth);
	stream->visited += count;
}

/* Visit the points of the set, which it consumes, if they are one portion: LAYOUT_NO where
 * they are more, LAYOUT_UNKNOWN on an error. */
static layout_answer stream_portion(struct stream *stream, isl_set *set)
{
	struct points points;
	layout_answer answer = points_list(&points, stream->ctx, set, PORTION) ?
		LAYOUT_YES : points.full && !bridge_failed(stream->ctx) ?
		LAYOUT_NO : LAYOUT_UNKNOWN;

	if (answer == LAYOUT_YES)
		visit_portion(stream, points_at(&points, 0), points.count);
	points_free(&points);
	isl_set_free(set);
	return answer;
}

/* The least or greatest value of a coordinate; the set is not empty. */
static bool find_end(struct stream *stream, isl_set *set, unsigned d, bool most,
	int64_t *value)
{
	isl_aff *coordinate = isl_aff_var_on_domain(isl_local_space_from_space(
		isl_set_get_space(set)), isl_dim_set, d);
	isl_val *end = most ? isl_set_max_val(set, coordinate) :
		isl_set_min_val(set, coordinate);

	isl_aff_free(coordinate);
	return bridge_int64(stream->ctx, end, value);
}

/* The part of the set, which it keeps, where a coordinate is from "low" to "high". */
static isl_set *between(isl_set *set, unsigned d, int64_t low, int64_t high)
{
	isl_ctx *isl = isl_set_get_ctx(set);

	set = isl_set_lower_bound_val(isl_set_copy(set), isl_dim_set, d,
		isl_val_int_from_si(isl, low));
	return isl_set_upper_bound_val(set, isl_dim_set, d,
		isl_val_int_from_si(isl, high));
}

/* The last values of coordinate "d" had so many points: with few, more are tried next. */
static void adapt(struct stream *stream, unsigned d, uint64_t count)
{
	int64_t *step = &stream->step[d];

	if (count < PORTION / FEWER && *step <= INT64_MAX / 2)
		*step = *step ? 2 * *step : 1;
}

static bool stream_from(struct stream *stream, isl_set *set, unsigned d);

/* The next values of coordinate "d", from "*low" to "high" at most: those behind them begin at
 * "*low" then, which stays where it is if they have more than a portion of points. */
static bool stream_step(struct stream *stream, isl_set *set, unsigned d, int64_t *low,
	int64_t high, bool *done)
{
	int64_t step = stream->step[d], end;
	uint64_t before = stream->visited;
	layout_answer answer;

	if (__builtin_add_overflow(*low, step ? step - 1 : 0, &end) || end > high)
		end = high;
	stream->at[d] = *low;
	if (step)
		answer = stream_portion(stream, between(set, d, *low, end));
	else
		answer = stream_from(stream, between(set, d, *low, end), d + 1) ?
			LAYOUT_YES : LAYOUT_UNKNOWN;
	if (answer == LAYOUT_NO) {
		stream->step[d] = step / FEWER;
		return true;
	}
	*done = end == high;
	if (!*done) {
		*low = end + 1;
		adapt(stream, d, stream->visited - before);
	}
	return answer == LAYOUT_YES;
}

/* The points whose coordinates before "d" are the same; consumes the set. */
static bool stream_from(struct stream *stream, isl_set *set, unsigned d)
{
	isl_bool empty = isl_set_is_empty(set);
	int64_t low = 0, high = 0;
	bool ok = true, done = empty == isl_bool_true;

	if (empty == isl_bool_error) {
		ok = false;
	} else if (!done && d == stream->rank) {
		visit_portion(stream, stream->at, 1);
		done = true;
	} else if (!done) {
		ok = find_end(stream, set, d, false, &low) &&
			find_end(stream, set, d, true, &high);
	}
	while (ok && !done && !stream->stopped)
		ok = stream_step(stream, set, d, &low, high, &done);
	isl_set_free(set);
	return ok;
}

static bool begin(struct stream *stream, isl_set *set)
{
	stream->rank = (unsigned)isl_set_dim(set, isl_dim_set);
	stream->step = layout_alloc(stream->ctx, stream->rank, sizeof(*stream->step));
	stream->at = layout_alloc(stream->ctx, stream->rank, sizeof(*stream->at));
	for (unsigned d = 0; stream->step && d < stream->rank; d++)
		stream->step[d] = PORTION;
	return stream->step && stream->at;
}

bool points_stream(layout_context *ctx, isl_set *set, layout_visit_point visit, void *user)
{
	struct stream stream = { .ctx = ctx, .visit = visit, .user = user };
	bool ok;

	set = isl_set_make_disjoint(isl_set_flatten(set));
	ok = is_listable(ctx, set) && begin(&stream, set) &&
		stream_from(&stream, isl_set_copy(set), 0);
	free(stream.step);
	free(stream.at);
	isl_set_free(set);
	return bridge_leave(ctx, "list points") && ok;
}
