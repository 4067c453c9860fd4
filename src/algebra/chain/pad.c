/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Padding: low indices before the elements of a dimension, and high ones behind.
 *
 * Where it is, is said by a set of the result's indices that have an element.  It stays
 * right whatever comes behind, which "the source's index is out of range" does not:
 * behind a broadcast or an expand there may be no such index. */
#include "algebra/chain/chain.h"
#include "algebra/storage/element.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_bits(const char *text)
{
	return strncasecmp(text, "0x", 2) == 0;
}

/* Integers are compared as such: doubles would take two large ones for one. */
static bool same_integer(const char *a, const char *b, bool *same)
{
	char *a_end, *b_end;
	long long x, y;

	errno = 0;
	x = strtoll(a, &a_end, 10);
	y = strtoll(b, &b_end, 10);
	*same = x == y;
	return !*a_end && !*b_end && !errno;
}

/* Is it one number, or one pattern of bits, whatever type it will be of? */
static bool same_value(const char *a, const char *b)
{
	double x, y;
	bool same;

	if (strcmp(a, b) == 0)
		return true;
	if (is_bits(a) || is_bits(b))
		return is_bits(a) && is_bits(b) &&
			strtoull(a, NULL, 16) == strtoull(b, NULL, 16);
	if (same_integer(a, b, &same))
		return same;
	x = strtod(a, NULL);
	y = strtod(b, NULL);
	return x == y && !signbit(x) == !signbit(y);
}

/* It is a number of some type; which one, a remap will say. */
static bool check_value(layout_context *ctx, const char *value)
{
	const struct element_type *type = element_type_find(ctx,
		is_bits(value) ? "u64" : "f64");
	uint64_t bits;

	return type && element_type_bits(ctx, type, value, &bits);
}

/* Is there padding for some names?  Not where the result has no index at all. */
static bool pads(layout_chain *chain, const struct size *high)
{
	isl_set *some = isl_set_empty(
		isl_space_set_from_params(isl_space_copy(chain->params)));

	for (unsigned d = 0; d < chain->rank; d++) {
		isl_aff *both = chain_size_sum(chain_aff(chain, &chain->offsets[d]),
			chain_aff(chain, &high[d]));

		some = isl_set_union(some, isl_aff_gt_set(both,
			chain_size_integer(chain, 0)));
	}
	for (unsigned d = 0; d < chain->rank; d++)
		some = isl_set_intersect(some, isl_aff_gt_set(
			chain_aff(chain, &chain->sizes[d]),
			chain_size_integer(chain, 0)));
	return chain_possible(chain, some);
}

/* One value for all paddings that may be there; that of others only where there is no
 * such. */
static bool take_value(layout_chain *chain, const struct size *high,
	const char *value)
{
	bool idle;

	if (!value)
		return true;
	if (!check_value(chain->ctx, value))
		return false;
	idle = !pads(chain, high);
	if (chain->pad_value && same_value(chain->pad_value, value)) {
		chain->pad_idle = chain->pad_idle && idle;
		return true;
	}
	if (!chain->pad_value || chain->pad_idle) {
		free(chain->pad_value);
		chain->pad_idle = idle;
		return (chain->pad_value = layout_strdup(chain->ctx, value));
	}
	if (idle)
		return true;
	layout_fail(chain->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"padding with %s and with %s in one chain", chain->pad_value, value);
	return false;
}

/* The result's indices of elements: low <= index < low + size. */
static isl_set *find_inside(layout_chain *chain, isl_space *space,
	const struct size *high)
{
	isl_set *inside = isl_set_universe(isl_space_copy(space));

	for (unsigned d = 0; d < chain->rank; d++) {
		const struct size *low = &chain->offsets[d];
		isl_aff *end;

		if (low->value != 0)
			inside = isl_set_intersect(inside, isl_aff_ge_set(
				aff_coordinate(space, d), size_on(low, space)));
		if (high[d].value == 0)
			continue;
		end = isl_aff_add(size_on(low, space),
			size_on(&chain->before->sizes[d], space));
		inside = isl_set_intersect(inside,
			isl_aff_lt_set(aff_coordinate(space, d), end));
	}
	return inside;
}

/*	load	source = result - low
 *	store	result = source + low */
static bool fold(layout_chain *chain, const struct size *high)
{
	isl_space *to = chain_space(chain), *from = chain_before_space(chain);
	isl_ctx *isl = bridge_isl(chain->ctx);
	isl_aff_list *load = isl_aff_list_alloc(isl, (int)chain->rank);
	isl_aff_list *store = isl_aff_list_alloc(isl, (int)chain->rank);
	isl_multi_aff *function;
	isl_set *inside = find_inside(chain, to, high);

	for (unsigned d = 0; d < chain->rank; d++) {
		load = isl_aff_list_add(load, isl_aff_sub(aff_coordinate(to, d),
			size_on(&chain->offsets[d], to)));
		store = isl_aff_list_add(store, isl_aff_add(aff_coordinate(from, d),
			size_on(&chain->offsets[d], from)));
	}
	function = aff_function(isl_space_copy(to), isl_space_copy(from), load);
	return chain_fold(chain, function, aff_function(from, to, store), inside);
}

/* The lists' entries are NULL after this. */
static bool take_sizes(layout_chain *chain, isl_aff **low, isl_aff **high,
	struct size *high_sizes)
{
	for (unsigned d = 0; d < chain->rank; d++) {
		isl_aff *before = low[d], *behind = high[d];
		isl_aff *size = chain_size_sum(chain_size_sum(
			isl_aff_copy(chain->before->sizes[d].aff),
			isl_aff_copy(before)), isl_aff_copy(behind));
		bool good;

		low[d] = high[d] = NULL;
		good = chain_take_size(chain, &chain->offsets[d], before);
		good = chain_take_size(chain, &high_sizes[d], behind) && good;
		if (!chain_take_size(chain, &chain->sizes[d], size) || !good ||
		    !chain_check_size(chain, &chain->offsets[d], "low padding", d) ||
		    !chain_check_size(chain, &high_sizes[d], "high padding", d))
			return false;
	}
	return true;
}

layout_chain *chain_padded(layout_chain *chain, isl_aff **low, isl_aff **high,
	const char *value)
{
	unsigned rank = chain ? chain->rank : 0;
	layout_chain *next = chain_begin(chain, CHAIN_PAD, rank);
	struct size *sizes = NULL;
	bool good = false;

	if (next && low && high) {
		sizes = layout_alloc(next->ctx, rank, sizeof(*sizes));
		next->offsets = layout_alloc(next->ctx, rank, sizeof(*next->offsets));
		good = sizes && next->offsets && take_sizes(next, low, high, sizes) &&
			take_value(next, sizes, value) && fold(next, sizes);
	}
	chain_affs_free(low, rank);
	chain_affs_free(high, rank);
	for (unsigned d = 0; sizes && d < rank; d++) {
		isl_aff_free(sizes[d].aff);
		free(sizes[d].text);
	}
	free(sizes);
	return chain_end(next, good);
}

layout_chain *layout_chain_pad(layout_chain *chain, unsigned rank, const char *const *low,
	const char *const *high, const char *value)
{
	static const char *const what[] = { "low padding", "high padding" };
	const char *const *const texts[] = { low, high };
	const struct chain_list lists[] = {
		{ .texts = low, .count = rank }, { .texts = high, .count = rank },
	};
	isl_aff **read[2];

	if (!chain)
		return NULL;
	if (!chain_check_rank(chain, rank, "padding") ||
	    !chain_read_lists(chain, 2, texts, false, what, read)) {
		layout_chain_free(chain);
		return NULL;
	}
	return chain_written(chain_padded(chain, read[0], read[1], value), "pad", lists, 2,
		value, NULL);
}
