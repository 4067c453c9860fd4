/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Does a nested layout do what its formula promises? */
#include "algebra/limit.h"
#include "algebra/nested/nested.h"
#include "isl_bridge/objects.h"

#include <inttypes.h>
#include <stdlib.h>

/* What is wrong: a reason, and one or two points. */
struct finding {
	const layout_nested *nested;
	struct layout_buffer reason;
	int64_t *first, *second;
	bool two;
};

static const char *const what[NESTED_LEVELS] = {
	[NESTED_SUBGROUP] = "subgroup", [NESTED_THREAD] = "thread",
};

static int64_t stride(const layout_nested *nested, unsigned level, unsigned dim)
{
	return level == NESTED_SUBGROUP ? nested->subgroup_strides[dim] :
		nested->thread_strides[dim];
}

/* The thread of a subgroup, or the subgroup, that the ids of a level name. */
static int64_t named(const layout_nested *nested, unsigned level, const int64_t *ids)
{
	int64_t sum = 0;

	for (unsigned d = 0; d < nested->rank; d++)
		sum += ids[d] * stride(nested, level, d);
	return sum;
}

static bool threads_fit(struct finding *finding)
{
	const layout_nested *nested = finding->nested;
	int64_t last;

	for (unsigned d = 0; d < nested->rank; d++)
		finding->first[d] = nested->thread_strides[d] ?
			nested->tile[NESTED_THREAD][d] - 1 : 0;
	last = named(nested, NESTED_THREAD, finding->first);
	if (last < nested->subgroup_size)
		return true;
	layout_buffer_printf(&finding->reason, "thread %" PRId64
		" is beyond the subgroup's %" PRId64 " threads", last,
		nested->subgroup_size);
	return false;
}

static bool subgroups_divide(struct finding *finding)
{
	const layout_nested *nested = finding->nested;
	int64_t used = 1;

	for (unsigned d = 0; d < nested->rank; d++) {
		int64_t tile = nested->subgroup_strides[d] ?
			nested->tile[NESTED_SUBGROUP][d] : 1;

		finding->first[d] = tile - 1;
		used *= tile;
	}
	if (!nested->subgroup_count || used <= nested->subgroup_count ||
	    used % nested->subgroup_count == 0)
		return true;
	layout_buffer_printf(&finding->reason, "%" PRId64
		" subgroups are no multiple of the hardware's %" PRId64, used,
		nested->subgroup_count);
	return false;
}

/* Reads the ids of "first" back from the thread (subgroup) that they name, into
 * "second". */
static bool reads_back(struct finding *finding, unsigned level)
{
	const layout_nested *nested = finding->nested;
	int64_t name = named(nested, level, finding->first);
	bool same = true;

	for (unsigned d = 0; d < nested->rank; d++) {
		int64_t step = stride(nested, level, d);

		finding->second[d] = step ? name / step % nested->tile[level][d] : 0;
		same = same && finding->first[d] == finding->second[d];
	}
	return same;
}

static void print_ids(struct layout_buffer *out, const int64_t *ids, unsigned rank)
{
	for (unsigned d = 0; d < rank; d++)
		layout_buffer_printf(out, "%s%" PRId64, d ? ", " : "(", ids[d]);
	layout_buffer_printf(out, "%s", rank ? ")" : "()");
}

static bool overlap(struct finding *finding, unsigned level)
{
	const layout_nested *nested = finding->nested;
	struct layout_buffer *out = &finding->reason;

	layout_buffer_printf(out,
		"warp or thread tiles have overlapping strides: %s ids ", what[level]);
	print_ids(out, finding->first, nested->rank);
	layout_buffer_printf(out, " name %s %" PRId64 ", which reads ", what[level],
		named(nested, level, finding->first));
	print_ids(out, finding->second, nested->rank);
	finding->two = true;
	return false;
}

/* Steps a and b: is b a multiple of all that a's tile covers, or the other way? */
static bool in_order(int64_t a, int64_t a_tile, int64_t b, int64_t b_tile)
{
	return !a || !b || (a <= b ? b % (a * a_tile) == 0 : a % (b * b_tile) == 0);
}

/* The next ids below the tiles of a level; ids that no thread decides stay 0. */
static bool next_ids(const layout_nested *nested, unsigned level, int64_t *ids)
{
	for (unsigned d = nested->rank; d-- > 0;) {
		if (!stride(nested, level, d))
			continue;
		if (++ids[d] < nested->tile[level][d])
			return true;
		ids[d] = 0;
	}
	return false;
}

static void clear(int64_t *ids, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		ids[i] = 0;
}

/* The multiple of dimension "high" that carries into dimension "low", whose tile it
 * does not respect, or comes between its steps. */
static bool pair_overlaps(struct finding *finding, unsigned level, unsigned low,
	unsigned high)
{
	const layout_nested *nested = finding->nested;
	int64_t step = stride(nested, level, low), tile = nested->tile[level][low];
	int64_t rest = stride(nested, level, high) % (step * tile);

	clear(finding->first, nested->rank);
	finding->first[high] = rest && rest < step ? (step + rest - 1) / rest : 1;
	return finding->first[high] < nested->tile[level][high] &&
		!reads_back(finding, level);
}

/* Strides of one level that are in no order may still tell all ids apart. */
static layout_answer reads_all_back(struct finding *finding, unsigned level)
{
	const layout_nested *nested = finding->nested;
	int64_t limit = limit_points(nested->ctx);

	clear(finding->first, nested->rank);
	for (int64_t i = 0; i < limit; i++) {
		if (!reads_back(finding, level)) {
			overlap(finding, level);
			return LAYOUT_NO;
		}
		if (!next_ids(nested, level, finding->first))
			return LAYOUT_YES;
	}
	layout_fail(nested->ctx, LAYOUT_ERROR_QUOTA, -1,
		"unknown: whether strides in no order tell all ids apart, after %" PRId64
		" of them", limit);
	return LAYOUT_UNKNOWN;
}

static layout_answer strides_apart(struct finding *finding, unsigned level)
{
	const layout_nested *nested = finding->nested;
	bool ordered = true;

	for (unsigned i = 0; i < nested->rank; i++)
		for (unsigned k = 0; k < i; k++) {
			int64_t a = stride(nested, level, k);
			int64_t b = stride(nested, level, i);
			unsigned low = a <= b ? k : i;

			if (in_order(a, nested->tile[level][k], b,
				nested->tile[level][i]))
				continue;
			ordered = false;
			if (pair_overlaps(finding, level, low, low == k ? i : k)) {
				overlap(finding, level);
				return LAYOUT_NO;
			}
		}
	return ordered ? LAYOUT_YES : reads_all_back(finding, level);
}

static layout_answer decide(struct finding *finding)
{
	layout_answer answer;

	if (!threads_fit(finding) || !subgroups_divide(finding))
		return LAYOUT_NO;
	answer = strides_apart(finding, NESTED_SUBGROUP);
	if (answer == LAYOUT_YES)
		answer = strides_apart(finding, NESTED_THREAD);
	return answer;
}

/* "no" with what the caller wants to know of it. */
static void refuse(struct finding *finding, char **reason,
	layout_witness **witness)
{
	layout_context *ctx = finding->nested->ctx;
	unsigned rank = finding->nested->rank;
	char *text = layout_buffer_take(ctx, &finding->reason);

	if (reason)
		*reason = text;
	else
		layout_string_free(text);
	if (witness)
		*witness = bridge_witness_of(ctx, finding->first, rank,
			finding->two ? finding->second : NULL, rank);
}

layout_answer layout_nested_verify(layout_nested *nested, char **reason,
	layout_witness **witness)
{
	struct finding finding = { .nested = nested };
	layout_answer answer = LAYOUT_UNKNOWN;

	if (reason)
		*reason = NULL;
	if (witness)
		*witness = NULL;
	if (!nested)
		return LAYOUT_UNKNOWN;
	finding.first = layout_alloc(nested->ctx, 2 * (size_t)nested->rank,
		sizeof(*finding.first));
	if (!finding.first)
		return LAYOUT_UNKNOWN;
	finding.second = finding.first + nested->rank;
	answer = decide(&finding);
	if (answer == LAYOUT_NO)
		refuse(&finding, reason, witness);
	free(finding.first);
	return answer;
}
