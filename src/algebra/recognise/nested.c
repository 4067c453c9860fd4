/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nested layouts: { [thread, b.., o.., e..] -> [x..] } or { [thread, value] -> [x..] },
 * each coordinate being made of one digit at each level at most. */
#include "algebra/recognise/recognised.h"
#include "algebra/recognise/nested.h"

#include <inttypes.h>
#include <stdlib.h>

/* Each digit steps over what is inside of it. */
static bool has_weights(const struct nested_making *making, unsigned d)
{
	static const unsigned order[] = { NESTED_ELEMENT, NESTED_THREAD, NESTED_OUTER,
		NESTED_BATCH, NESTED_SUBGROUP };
	int64_t inside = 1;

	for (unsigned i = 0; i < NESTED_LEVELS; i++) {
		int64_t tile = making->nested->tile[order[i]][d];
		int64_t adds = nested_adds(making, order[i], d);

		if (tile == 1)
			continue;
		if (adds != inside) {
			layout_fail(making->seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"dimension %u steps by %" PRId64 ", of %s %" PRId64
				", where the tiles inside of it have %" PRId64
				" points", d, adds, nested_list_names[order[i]], tile,
				inside);
			return false;
		}
		if (__builtin_mul_overflow(inside, tile, &inside))
			return false;
	}
	return true;
}

/* The subgroup's digit is outside of all others. */
static bool is_subgroup_outside(const struct nested_making *making, unsigned d)
{
	const layout_nested *nested = making->nested;
	int64_t adds = nested_adds(making, NESTED_SUBGROUP, d);

	for (unsigned level = 0; level < NESTED_LEVELS; level++)
		if (nested->tile[NESTED_SUBGROUP][d] > 1 && nested->tile[level][d] > 1 &&
		    nested_adds(making, level, d) > adds) {
			layout_fail(making->seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"in subgroups of %" PRId64 " dimension %u steps by %"
				PRId64 " from subgroup to subgroup, which is inside of "
				"its %s %" PRId64 " in steps of %" PRId64,
				nested->subgroup_size, d, adds, nested_list_names[level],
				nested->tile[level][d], nested_adds(making, level, d));
			return false;
		}
	return true;
}

/* As many threads as the input has: more subgroups than the tiles name repeat them. */
static bool count_threads(struct nested_making *making)
{
	layout_nested *nested = making->nested;
	int64_t threads = making->seen->box[0], named = nested_virtual_threads(nested);

	if (named < threads)
		nested->subgroup_count = threads / nested->subgroup_size;
	if (named <= threads)
		return true;
	layout_fail(nested->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"its digits are those of %" PRId64 " threads, and there are %" PRId64,
		named, threads);
	return false;
}

static bool take_digits(struct nested_making *making)
{
	bool good = nested_take_thread(making) && (making->seen->in_rank == 2 ?
		nested_take_value(making) : nested_take_places(making));

	for (unsigned d = 0; good && d < making->rank; d++)
		good = is_subgroup_outside(making, d) && has_weights(making, d);
	return good;
}

/* The layout of these subgroups. */
static layout_nested *make(struct nested_making *making)
{
	const struct seen *seen = making->seen;
	layout_nested *nested = nested_alloc(seen->ctx, making->rank,
		making->subgroup_size, 0);
	bool good;

	making->nested = nested;
	making->adds = layout_alloc(seen->ctx, (size_t)making->rank * NESTED_LEVELS,
		sizeof(*making->adds));
	for (unsigned d = 0; nested && d < making->rank; d++)
		nested_unit_dim(nested, d);
	good = nested && making->adds && take_digits(making) && count_threads(making);
	free(making->adds);
	if (!good) {
		layout_nested_free(nested);
		return NULL;
	}
	nested = nested_finish(nested);
	if (!nested || nested_has_digits(nested, seen))
		return nested;
	layout_nested_free(nested);
	return NULL;
}

/* Layouts that were tried: the first one that is equal but that layout_nested_verify()
 * refuses, and what is wrong with the first of all. */
struct tried {
	layout_nested *refused;
	struct layout_caught why;
};

/* A layout of the relation that distributes as its formula says; consumes it. */
static layout_nested *keep_valid(layout_nested *nested, struct tried *tried)
{
	layout_context *ctx = nested->ctx;
	char *reason = NULL;

	if (layout_nested_verify(nested, &reason, NULL) == LAYOUT_YES)
		return nested;
	if (reason)
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1, "%s", reason);
	layout_string_free(reason);
	if (!tried->refused)
		tried->refused = nested;
	else
		layout_nested_free(nested);
	return NULL;
}

/* Of subgroups of that size, if the threads are so many whole ones. */
static layout_nested *try_size(struct nested_making *making, int64_t size,
	struct tried *tried)
{
	struct layout_caught caught = { 0 }, *previous;
	layout_nested *nested;

	if (making->seen->box[0] % size)
		return NULL;
	making->subgroup_size = size;
	previous = layout_context_catch(making->seen->ctx, &caught);
	nested = make(making);
	if (nested)
		nested = keep_valid(nested, tried);
	layout_context_catch(making->seen->ctx, previous);
	layout_caught_keep(&tried->why, &caught);
	return nested;
}

/* Of as many threads as are inside of one of the thread's digits, or up to its end. */
static layout_nested *try_steps(struct nested_making *making, struct tried *tried)
{
	const struct digits *digits = &making->seen->digits;
	layout_nested *nested = NULL;

	for (unsigned i = 0; !nested && i < digits->count; i++) {
		const struct digit *digit = &digits->digits[i];

		if (digit->dim == 0)
			nested = try_size(making, digit->step, tried);
		if (digit->dim == 0 && !nested)
			nested = try_size(making, digit->step * digit->radix, tried);
	}
	return nested;
}

/* Subgroups of that size, or for 0 of the first of 64, 32, .. that does, else of a size
 * that the thread's digits have. */
static layout_nested *try_sizes(struct nested_making *making, int64_t subgroup_size,
	struct tried *tried)
{
	layout_nested *nested = NULL;

	if (subgroup_size)
		return try_size(making, subgroup_size, tried);
	for (int64_t size = NESTED_SUBGROUP_SIZE; !nested && size; size /= 2)
		nested = try_size(making, size, tried);
	return nested ? nested : try_steps(making, tried);
}

/* Digits of the thread are cut between subgroups.  If that does not lead anywhere they
 * are not, for "invalid_too", and a layout that is refused is the answer. */
static layout_nested *try_all(struct nested_making *making, int64_t subgroup_size,
	bool invalid_too)
{
	struct tried tried = { 0 };
	layout_nested *nested = try_sizes(making, subgroup_size, &tried);

	if (!nested && invalid_too && !tried.refused) {
		making->whole = true;
		nested = try_sizes(making, subgroup_size, &tried);
	}
	if (!nested && invalid_too) {
		nested = tried.refused;
		tried.refused = NULL;
	}
	layout_nested_free(tried.refused);
	if (!nested)
		layout_fail(making->seen->ctx,
			tried.why.kind ? tried.why.kind : LAYOUT_ERROR_MEMORY, -1, "%s",
			tried.why.message ? tried.why.message : "out of memory");
	free(tried.why.message);
	return nested;
}


static bool can_be_nested(const struct seen *seen, int64_t subgroup_size)
{
	unsigned rank = seen->out_rank;

	if (seen->in_rank != 2 && seen->in_rank != 1 + 3 * rank)
		layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"%u input%s for %u coordinate%s: a nested layout has a thread "
			"and a value, or %u inputs", seen->in_rank,
			&"s"[seen->in_rank == 1], rank, &"s"[rank == 1], 1 + 3 * rank);
	else if (!seen->by_digits)
		seen_fail(seen);
	else if (!seen_points(seen))
		layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"no points: a nested layout has one");
	else if (subgroup_size && seen->box[0] % subgroup_size)
		layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "%" PRId64
			" threads are no whole subgroups of %" PRId64, seen->box[0],
			subgroup_size);
	else
		return true;
	return false;
}

/* The digits of each coordinate; to be freed, also where memory ran out. */
static struct digits *take_parts(const struct seen *seen)
{
	struct digits *parts = layout_alloc(seen->ctx, seen->out_rank,
		sizeof(*parts));

	for (unsigned d = 0; parts && d < seen->out_rank; d++)
		if (!digits_part(&parts[d], &seen->digits, d)) {
			for (unsigned i = 0; i <= d; i++)
				digits_free(&parts[i]);
			free(parts);
			return NULL;
		}
	return parts;
}

static bool begins_at_0(const struct seen *seen)
{
	for (unsigned d = 0; d < seen->out_rank; d++)
		if (seen->digits.constant[d]) {
			layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
				"coordinate %u of 0 is %" PRId64
				", where a nested layout has 0", d,
				seen->digits.constant[d]);
			return false;
		}
	return true;
}

layout_nested *seen_nested(const struct seen *seen, int64_t subgroup_size,
	bool invalid_too)
{
	struct nested_making making = { .seen = seen, .rank = seen->out_rank };
	struct digits *parts;
	layout_nested *nested;

	if (!can_be_nested(seen, subgroup_size) || !begins_at_0(seen))
		return NULL;
	making.parts = parts = take_parts(seen);
	if (!parts)
		return NULL;
	nested = try_all(&making, subgroup_size, invalid_too);
	for (unsigned d = 0; d < seen->out_rank; d++)
		digits_free(&parts[d]);
	free(parts);
	return nested;
}

layout_nested *recognise_nested(layout_relation *relation, int64_t subgroup_size,
	bool invalid_too)
{
	layout_nested *nested = NULL;
	struct seen seen = { 0 };

	if (relation && subgroup_size < 0)
		layout_fail(relation->ctx, LAYOUT_ERROR_INVALID, -1,
			"subgroup_size cannot be negative");
	else if (relation && see(&seen, relation, "a nested layout", RECOGNISE_POINTS))
		nested = seen_nested(&seen, subgroup_size, invalid_too);
	seen_free(&seen);
	return nested;
}

layout_nested *layout_nested_from_relation(layout_relation *relation,
	int64_t subgroup_size)
{
	return recognise_nested(relation, subgroup_size, true);
}
