/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reshapes, group by group: a dimension becomes several, or several become one.
 *
 * The dimensions of a group are the digits of an index, the first one most significant.
 * Steps between digits are products of sizes, so only the first digit that is not
 * always 0 may have a size that is no number. */
#include "algebra/chain/chain.h"

#include <stdlib.h>
#include <string.h>

/* Sizes of the digits of one group, and where they stand: x = sum of step[k] * digit[k].
 * A size of 0 counts as 1, as there are no indices then. */
struct group {
	const struct size *sizes;
	unsigned count;
	int64_t steps[CHAIN_RANK];
};

static bool multiply(layout_context *ctx, int64_t *product, int64_t factor)
{
	if (!__builtin_mul_overflow(*product, factor, product))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
		"the sizes of a reassociation's group multiply to more than 64 bits hold");
	return false;
}

static bool find_steps(layout_context *ctx, struct group *digits)
{
	const struct size *named = NULL;
	int64_t step = 1;

	for (unsigned k = digits->count; k-- > 0;) {
		const struct size *size = &digits->sizes[k];

		digits->steps[k] = step;
		if (named && size->value != 1) {
			layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
				"an index of %s times %s is not affine: only the first "
				"size of a group may be no number", size->text,
				named->text);
			return false;
		}
		if (size->value < 0)
			named = size;
		else if (size->value > 0 && !multiply(ctx, &step, size->value))
			return false;
	}
	return true;
}

/* x from the digits at "first" and behind in "space". */
static isl_aff *join(isl_space *space, unsigned first, const struct group *digits)
{
	isl_aff *sum;

	if (digits->count == 1)
		return aff_coordinate(space, first);
	sum = aff_number(space, 0);
	for (unsigned k = 0; k < digits->count; k++)
		if (digits->sizes[k].value != 1)
			sum = aff_add_scaled(sum, aff_coordinate(space, first + k),
				digits->steps[k]);
	return sum;
}

/* Digit k of x, dimension "dim" of "space". */
static isl_aff *split(isl_space *space, unsigned dim, const struct group *digits,
	unsigned k)
{
	bool leading = true;

	if (digits->count == 1)
		return aff_coordinate(space, dim);
	if (digits->sizes[k].value == 1)
		return aff_number(space, 0);
	for (unsigned before = 0; before < k; before++)
		leading = leading && digits->sizes[before].value == 1;
	return aff_coordinate_digit(space, dim, digits->steps[k], leading ? 0 :
		digits->sizes[k].value ? digits->sizes[k].value : 1);
}

/* The functions between the many digits and the few indices, of the groups. */
static bool make_functions(layout_chain *chain, const struct size *digit_sizes,
	isl_space *many, isl_space *few, isl_multi_aff **joined, isl_multi_aff **digits)
{
	isl_ctx *isl = bridge_isl(chain->ctx);
	isl_aff_list *ones = isl_aff_list_alloc(isl, (int)chain->group_count);
	isl_aff_list *all = isl_aff_list_alloc(isl, CHAIN_RANK);
	isl_size left = chain->group_count ? 0 : isl_space_dim(many, isl_dim_set);
	unsigned first = 0;
	bool good = true;

	for (unsigned g = 0; good && g < chain->group_count; g++) {
		struct group group = { digit_sizes + first, chain->groups[g], { 0 } };

		good = find_steps(chain->ctx, &group);
		for (unsigned k = 0; good && k < group.count; k++)
			all = isl_aff_list_add(all, split(few, g, &group, k));
		if (good)
			ones = isl_aff_list_add(ones, join(many, first, &group));
		first += group.count;
	}
	for (; good && left > 0; left--)
		all = isl_aff_list_add(all, aff_number(few, 0));
	if (good) {
		*joined = aff_function(isl_space_copy(many), isl_space_copy(few), ones);
		*digits = aff_function(few, many, all);
		return true;
	}
	isl_space_free(many);
	isl_space_free(few);
	isl_aff_list_free(ones);
	isl_aff_list_free(all);
	return false;
}

static bool copy_groups(layout_chain *chain, unsigned groups, const unsigned *group_sizes)
{
	chain->groups = layout_alloc(chain->ctx, groups, sizeof(*chain->groups));
	chain->group_count = groups;
	for (unsigned g = 0; chain->groups && g < groups; g++)
		chain->groups[g] = group_sizes[g];
	return chain->groups;
}

/* The product of a group's sizes. */
static isl_aff *group_size(layout_chain *chain, unsigned first, unsigned count)
{
	const struct size *sizes = chain->before->sizes + first, *named = NULL;
	int64_t product = 1;

	for (unsigned k = 0; k < count; k++) {
		if (sizes[k].value < 0)
			named = &sizes[k];
		else if (!multiply(chain->ctx, &product, sizes[k].value))
			return NULL;
	}
	return named ? aff_scale(chain_aff(chain, named), product) :
		chain_size_integer(chain, product);
}

/* No group at all is a tensor of rank 0, whose one element has the indices 0. */
static bool check_ones(layout_chain *chain)
{
	for (unsigned d = 0; d < chain->rank; d++)
		if (chain->sizes[d].value != 1) {
			layout_fail(chain->ctx, LAYOUT_ERROR_INVALID, -1,
				"the reassociation groups do not multiply: a tensor of "
				"rank 0 has one element, dimension %u has size %s", d,
				chain->sizes[d].text);
			return false;
		}
	return true;
}

layout_chain *chain_collapsed(layout_chain *chain, unsigned groups,
	const unsigned *group_sizes)
{
	layout_chain *next;
	isl_multi_aff *joined = NULL, *digits = NULL;
	unsigned first = 0;
	bool good;

	if (chain && !groups && !check_ones(chain)) {
		layout_chain_free(chain);
		return NULL;
	}
	next = chain_begin(chain, CHAIN_COLLAPSE, groups);
	if (!next)
		return NULL;
	good = copy_groups(next, groups, group_sizes);
	for (unsigned g = 0; good && g < groups; first += group_sizes[g++]) {
		isl_aff *size = group_size(next, first, group_sizes[g]);

		good = size && chain_take_size(next, &next->sizes[g], size);
	}
	good = good && make_functions(next, chain->sizes, chain_before_space(next),
		chain_space(next), &joined, &digits);
	return chain_end(next, good && chain_fold(next, digits, joined, NULL));
}

/* Text for "TEXT mod 128": in parentheses unless it is a single name or number. */
static bool is_word(const char *text)
{
	return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
		"0123456789")] == 0;
}

/* Assume that "by" divides the size. */
static bool assume_divides(layout_chain *chain, const struct size *size, int64_t by)
{
	isl_aff *rest = aff_mod(chain_aff(chain, size), by);
	struct layout_buffer out = { 0 };
	bool word = is_word(size->text);

	layout_buffer_printf(&out, "%s%s%s mod %lld = 0", word ? "" : "(", size->text,
		word ? "" : ")", (long long)by);
	return chain_assume(chain, aff_zero_set(rest),
		layout_buffer_take(chain->ctx, &out),
		"the reassociation groups do not multiply");
}

/* Assume that the size is the product. */
static bool assume_equal(layout_chain *chain, const struct size *size,
	isl_aff *product)
{
	struct layout_buffer out = { 0 };
	char *text = size_aff_str(chain->ctx, product);

	layout_buffer_printf(&out, "%s = %s", size->text, text ? text : "");
	free(text);
	return chain_assume(chain, isl_set_from_basic_set(isl_aff_eq_basic_set(
			chain_aff(chain, size), product)),
		layout_buffer_take(chain->ctx, &out),
		"the reassociation groups do not multiply");
}

/* What a group's sizes say: their product but for one that is no number, and where
 * that is; no size at all, if it is to be inferred. */
struct factors {
	int64_t product;
	unsigned named;		/* "count" for none */
};

static bool find_factors(layout_chain *chain, isl_aff **sizes, unsigned count,
	struct factors *factors)
{
	*factors = (struct factors){ 1, count };
	for (unsigned k = 0; k < count; k++) {
		int64_t value = -1;

		if (sizes[k] && isl_aff_is_cst(sizes[k]) == isl_bool_true) {
			if (!size_aff_number(chain->ctx, sizes[k], &value) ||
			    !multiply(chain->ctx, &factors->product, value))
				return false;
			continue;
		}
		if (factors->named < count) {
			layout_fail(chain->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
				"two sizes of one group are no numbers: an index of their "
				"product is not affine");
			return false;
		}
		factors->named = k;
	}
	return true;
}

/* Take a group's sizes, which are set to NULL; the one to be inferred is the quotient. */
static bool take_group(layout_chain *chain, unsigned dim, isl_aff **sizes,
	unsigned first)
{
	const struct size *whole = &chain->before->sizes[dim];
	unsigned count = chain->groups[dim];
	struct factors factors;
	isl_aff *product;
	bool inferred;

	if (!find_factors(chain, sizes, count, &factors))
		return false;
	inferred = factors.named < count && !sizes[factors.named];
	if (inferred && !factors.product) {
		layout_fail(chain->ctx, LAYOUT_ERROR_INVALID, -1,
			"a size beside one of 0 cannot be inferred");
		return false;
	}
	if (inferred)
		sizes[factors.named] = aff_floor(chain_aff(chain, whole),
			factors.product);
	for (unsigned k = 0; k < count; k++) {
		isl_aff *size = sizes[k];

		sizes[k] = NULL;
		if (!chain_take_size(chain, &chain->sizes[first + k], size))
			return false;
	}
	if (inferred)
		return assume_divides(chain, whole, factors.product);
	product = factors.named < count ? aff_scale(chain_aff(chain,
		&chain->sizes[first + factors.named]), factors.product) :
		chain_size_integer(chain, factors.product);
	return assume_equal(chain, whole, product);
}

/* The dimensions of a tensor that had none. */
static bool take_ones(layout_chain *chain, isl_aff **sizes)
{
	bool good = true;

	for (unsigned d = 0; good && d < chain->rank; d++) {
		isl_aff *size = sizes[d] ? sizes[d] : chain_size_integer(chain, 1);

		sizes[d] = NULL;
		good = chain_take_size(chain, &chain->sizes[d], size);
	}
	return good && check_ones(chain);
}

layout_chain *chain_expanded(layout_chain *chain, unsigned groups,
	const unsigned *group_sizes, isl_aff **sizes)
{
	bool from_none = chain && !chain->rank;
	layout_chain *next;
	isl_multi_aff *joined = NULL, *digits = NULL;
	unsigned rank = 0, first = 0;
	bool good;

	for (unsigned g = 0; g < groups; g++)
		rank += group_sizes[g];
	if (from_none)
		groups = 0;
	next = chain_begin(chain, CHAIN_EXPAND, rank);
	good = next && sizes && copy_groups(next, groups, group_sizes) &&
		(!from_none || take_ones(next, sizes));
	for (unsigned g = 0; good && g < groups; first += group_sizes[g++])
		good = take_group(next, g, sizes + first, first);
	chain_affs_free(sizes, rank);
	good = good && make_functions(next, next->sizes, chain_space(next),
		chain_before_space(next), &joined, &digits);
	return chain_end(next, good && chain_fold(next, joined, digits, NULL));
}

layout_chain *layout_chain_collapse(layout_chain *chain, unsigned groups,
	const unsigned *group_sizes)
{
	const struct chain_list list = { .groups = group_sizes, .count = groups };

	if (!chain)
		return NULL;
	if (!chain_check_groups(chain->ctx, groups, group_sizes, chain->rank)) {
		layout_chain_free(chain);
		return NULL;
	}
	return chain_written(chain_collapsed(chain, groups, group_sizes),
		"collapse_shape", &list, 1, NULL, NULL);
}

layout_chain *layout_chain_expand(layout_chain *chain, unsigned groups,
	const unsigned *group_sizes, const char *const *sizes)
{
	struct chain_list lists[] = {
		{ .groups = group_sizes, .count = groups }, { .texts = sizes },
	};
	isl_aff **read = NULL;

	if (!chain)
		return NULL;
	if (layout_given(chain->ctx, group_sizes || !groups, "reassociation group"))
		for (unsigned g = 0; g < groups; g++)
			lists[1].count += group_sizes[g];
	if (!chain->rank)
		lists[0].count = 0;
	if (((!chain->rank && groups == 1) ||
	     chain_check_rank(chain, groups, "a reassociation")) &&
	    chain_check_groups(chain->ctx, groups, group_sizes, lists[1].count)) {
		bridge_enter(chain->ctx);
		read = chain_sizes_read(chain->ctx, lists[1].count, sizes, true,
			"size for a dimension");
		if (!bridge_leave(chain->ctx, "read sizes")) {
			chain_affs_free(read, lists[1].count);
			read = NULL;
		}
	}
	if (!read) {
		layout_chain_free(chain);
		return NULL;
	}
	return chain_written(chain_expanded(chain, groups, group_sizes, read),
		"expand_shape", lists, 2, NULL, NULL);
}
