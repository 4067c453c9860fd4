/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sets as disjoint pieces, or as a box without some pieces. */
#include "algebra/count/count.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* More pieces, or terms and cases, than this are no formula that a person would read. */
#define MOST_PIECES 64
#define MOST_LENGTH 8

bool count_refuse(struct counting *counting, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(counting->reason, sizeof(counting->reason), format, args);
	va_end(args);
	return false;
}

bool count_union(struct counting *counting, isl_set *set, struct formula *formula)
{
	isl_basic_set_list *list;
	isl_size count;
	bool good, sizes;

	set = isl_set_make_disjoint(bridge_coalesce_set(counting->ctx, set));
	set = bridge_coalesce_set(counting->ctx, set);
	set = isl_set_compute_divs(isl_set_detect_equalities(set));
	sizes = isl_set_dim(set, isl_dim_param) > 0;
	list = isl_set_get_basic_set_list(set);
	isl_set_free(set);
	count = isl_basic_set_list_n_basic_set(list);
	good = count >= 0;
	if (sizes && count > MOST_PIECES)
		good = count_refuse(counting, "there are %d pieces", (int)count);
	for (isl_size i = 0; good && i < count; i++)
		good = count_piece(counting, isl_basic_set_list_get_basic_set(list, i),
			formula) && !formula->failed && !bridge_failed(counting->ctx);
	isl_basic_set_list_free(list);
	return good;
}

static bool count_merged(struct counting *counting, isl_set *set, struct formula *formula)
{
	*formula = (struct formula){ .ctx = counting->ctx };
	if (!count_union(counting, set, formula))
		return false;
	formula_merge(formula);
	return !formula->failed;
}

/* What is left of one convex set around it all; consumes the set. */
static bool count_rest(struct counting *counting, isl_set *set, struct formula *formula)
{
	isl_set *around = isl_set_from_basic_set(
		isl_set_simple_hull(isl_set_copy(set)));
	struct formula rest;
	bool good;

	set = isl_set_subtract(isl_set_copy(around), set);
	good = count_merged(counting, around, formula);
	if (!good) {
		isl_set_free(set);
		return false;
	}
	good = count_merged(counting, set, &rest);
	formula_subtract(formula, &rest);
	return good;
}

/* How much there is to read: terms, and what cases they make. */
static unsigned length(const struct formula *formula)
{
	unsigned length = formula->count;

	for (unsigned i = 0; i < formula->count; i++)
		for (unsigned k = 0; k < formula->terms[i].count; k++)
			length += formula->terms[i].factors[k].count - 1 +
				formula->terms[i].factors[k].clipped;
	return length;
}

/* The pieces in the opposite order: what the first takes the others do not have. */
static bool count_backwards(struct counting *counting, isl_set *set,
	struct formula *formula)
{
	isl_basic_set_list *list = isl_set_get_basic_set_list(set);
	isl_set *turned = isl_set_empty(isl_set_get_space(set));

	for (isl_size i = isl_basic_set_list_n_basic_set(list); i-- > 0;)
		turned = isl_set_union(turned, isl_set_from_basic_set(
			isl_basic_set_list_get_basic_set(list, i)));
	isl_basic_set_list_free(list);
	isl_set_free(set);
	return count_merged(counting, turned, formula);
}

/* Another way to count the set, whose formula is taken if it is the first or a shorter
 * one.  Returns whether there is a formula. */
static bool try_way(struct counting *counting, isl_set *set, struct formula *formula,
	bool good, bool (*way)(struct counting *, isl_set *, struct formula *))
{
	struct counting second = { .ctx = counting->ctx };
	struct formula other = { .ctx = counting->ctx };
	bool better;

	bridge_begin_attempt(counting->ctx, BUDGET_COUNT_ANOTHER_WAY);
	better = way(&second, isl_set_copy(set), &other);
	better = bridge_end_attempt(counting->ctx) && better &&
		(!good || length(&other) < length(formula));
	formula_free(better ? formula : &other);
	if (better)
		*formula = other;
	return good || better;
}

/* The shortest of the ways to say it; consumes the set. */
static bool count_best(struct counting *counting, isl_set *set, struct formula *formula)
{
	bool good = count_merged(counting, isl_set_copy(set), formula);

	if (isl_set_n_basic_set(set) > 1 && !bridge_failed(counting->ctx) &&
	    !(good && length(formula) < 2)) {
		good = try_way(counting, set, formula, good, count_backwards);
		good = try_way(counting, set, formula, good, count_rest);
	}
	isl_set_free(set);
	return good;
}

bool count_set(struct formula *formula, layout_set *set)
{
	struct counting counting = { .ctx = set->ctx };
	bool good;

	*formula = (struct formula){ .ctx = set->ctx };
	bridge_enter(set->ctx);
	good = count_best(&counting, bridge_asked_set(set), formula);
	if (good && length(formula) > MOST_LENGTH)
		good = count_refuse(&counting, "it would have %u terms and cases",
			length(formula));
	if (!bridge_leave(set->ctx, "count"))
		return false;
	if (!good)
		layout_fail(set->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "no formula: %s",
			counting.reason);
	return good;
}

char *count_text(struct formula *formula)
{
	char *text;

	bridge_enter(formula->ctx);
	text = formula_str(formula);
	formula_free(formula);
	if (bridge_leave(formula->ctx, "print a count"))
		return text;
	layout_string_free(text);
	return NULL;
}

bool count_number(struct formula *formula, int64_t *number)
{
	isl_val *value;
	bool good;

	bridge_enter(formula->ctx);
	value = formula_number(formula);
	if (!value)
		layout_fail(formula->ctx, LAYOUT_ERROR_INVALID, -1,
			"cannot count points: a size has no value");
	formula_free(formula);
	good = bridge_int64(formula->ctx, value, number);
	return bridge_leave(formula->ctx, "count") && good;
}

char *layout_set_count(layout_set *set)
{
	struct formula formula;

	if (!set)
		return NULL;
	if (count_set(&formula, set))
		return count_text(&formula);
	formula_free(&formula);
	return NULL;
}

bool count_can_fix(layout_context *ctx, const layout_size *sizes, unsigned count,
	const int64_t *number)
{
	if (!layout_given_sizes(ctx, sizes, count) ||
	    !layout_given(ctx, number, "place for the number"))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (sizes[i].value < 0) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"the size %s is negative", sizes[i].name);
			return false;
		}
	return true;
}

bool layout_set_count_at(layout_set *set, const layout_size *sizes, unsigned count,
	int64_t *number)
{
	struct formula formula = { 0 };
	layout_set *fixed;
	bool good;

	if (!set || !count_can_fix(set->ctx, sizes, count, number))
		return false;
	fixed = layout_set_fix(layout_set_copy(set), sizes, count);
	good = fixed && count_set(&formula, fixed) && count_number(&formula, number);
	formula_free(&formula);
	layout_set_free(fixed);
	return good;
}
