/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Formulas as a person would write them. */
#include "algebra/count/formula.h"
#include "isl_bridge/affine.h"

#include <stdlib.h>

/* An expression with what it takes to print it. */
struct bound {
	struct affine affine;
	struct affine_sum sum;
	const char **names;
};

static bool bound_open(struct bound *bound, layout_context *ctx, isl_aff *aff)
{
	isl_size count = isl_aff_dim(aff, isl_dim_param);

	*bound = (struct bound){ .names = NULL };
	if (count < 0)
		return false;
	bound->affine.variable_count = (unsigned)count;
	bound->names = layout_alloc(ctx, (size_t)count, sizeof(*bound->names));
	if (!bound->names)
		return false;
	for (isl_size i = 0; i < count; i++)
		bound->names[i] = isl_aff_get_dim_name(aff, isl_dim_param, (unsigned)i);
	bound->sum = affine_floors_from_isl(&bound->affine, aff);
	if (bound->affine.failed && !bridge_failed(ctx))
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"no formula: its numbers are beyond 2^31");
	return !bound->affine.failed;
}

static bool is_sum(const struct bound *bound)
{
	return bound->sum.count + (bound->sum.constant != 0) > 1 ||
		bound->sum.terms[0].coefficient < 0;
}

/* The divisor of what is one floor or ceil and nothing else; else 0. */
static int64_t divisor(const struct bound *bound)
{
	unsigned first = bound->affine.variable_count;

	if (bound->sum.count != 1 || bound->sum.constant ||
	    bound->sum.terms[0].coefficient != 1 || bound->sum.terms[0].atom < first)
		return 0;
	return bound->affine.atoms[bound->sum.terms[0].atom - first].by;
}

static bool print_bound(struct layout_buffer *out, layout_context *ctx, isl_aff *aff,
	bool alone)
{
	struct bound bound;
	bool ok = bound_open(&bound, ctx, aff), wrap = ok && !alone && is_sum(&bound);

	if (ok) {
		layout_buffer_printf(out, wrap ? "(" : "");
		affine_print(out, &bound.affine, &bound.sum, bound.names, AFFINE_SIZE);
		layout_buffer_printf(out, wrap ? ")" : "");
	}
	free(bound.names);
	return ok;
}

/* The bounds that are numbers, or the others. */
static bool print_bounds(struct layout_buffer *out, layout_context *ctx,
	const struct factor *factor, bool numbers, bool alone)
{
	unsigned printed = 0;

	for (unsigned i = 0; i < factor->count; i++) {
		if ((isl_aff_is_cst(factor->bounds[i]) == isl_bool_true) != numbers)
			continue;
		layout_buffer_printf(out, numbers || printed++ ? ", " : "");
		if (!print_bound(out, ctx, factor->bounds[i], alone))
			return false;
	}
	return true;
}

/* "M", "(K + Q)", "min(M, 16)", "max(0, M - 3)" */
static bool print_factor(struct layout_buffer *out, layout_context *ctx,
	const struct factor *factor, bool alone)
{
	bool least = factor->count > 1, ok;

	layout_buffer_printf(out, factor->clipped ? "max(0, " : "");
	layout_buffer_printf(out, least ? "min(" : "");
	alone = alone || least || factor->clipped;
	ok = print_bounds(out, ctx, factor, false, alone) &&
		print_bounds(out, ctx, factor, true, alone);
	layout_buffer_printf(out, least ? ")" : "");
	layout_buffer_printf(out, factor->clipped ? ")" : "");
	return ok;
}

static void print_number(struct layout_buffer *out, isl_val *number)
{
	char *text = isl_val_to_str(number);

	if (text)
		layout_buffer_printf(out, "%s", text);
	else
		out->failed = true;
	free(text);
}

/* Divide "number" by the divisor of ceil(M/16) where it can be: "16*" before that. */
static isl_val *take_divisor(layout_context *ctx, const struct factor *factor,
	isl_val *number, int64_t *taken)
{
	struct bound bound = { .names = NULL };
	isl_val *by;

	*taken = 0;
	if (factor->count == 1 && !factor->clipped &&
	    bound_open(&bound, ctx, factor->bounds[0]))
		*taken = divisor(&bound);
	free(bound.names);
	if (!*taken)
		return number;
	by = isl_val_int_from_si(bridge_isl(ctx), *taken);
	if (isl_val_is_divisible_by(number, by) == isl_bool_true)
		return isl_val_div(number, by);
	isl_val_free(by);
	*taken = 0;
	return number;
}

/* The number before a factor that is a name or a floor times one: 64 of 64*M; else 1.
 * "*tile": it is what the floor divides by. */
static int64_t coefficient(layout_context *ctx, const struct factor *factor, bool *tile)
{
	struct bound bound = { .names = NULL };
	int64_t found = 1;

	*tile = false;
	if (factor->count == 1 && !factor->clipped &&
	    bound_open(&bound, ctx, factor->bounds[0]) && bound.sum.count == 1 &&
	    !bound.sum.constant && bound.sum.terms[0].coefficient > 1) {
		found = bound.sum.terms[0].coefficient;
		bound.sum.terms[0].coefficient = 1;
		*tile = divisor(&bound) == found;
	}
	free(bound.names);
	return found;
}

/* One number in front, where a factor has a number that is no tile: 64*M*3 is 192*M.
 * Returns whether there was one. */
static bool gather(layout_context *ctx, struct term *term)
{
	int64_t found[TERM_FACTORS];
	bool several = false;

	for (unsigned i = 0; i < term->count; i++) {
		bool tile;

		found[i] = coefficient(ctx, &term->factors[i], &tile);
		several = several || (found[i] > 1 && !tile);
	}
	if (!several)
		return false;
	for (unsigned i = 0; i < term->count; i++) {
		isl_val *number = isl_val_int_from_si(bridge_isl(ctx), found[i]);

		term->factors[i].bounds[0] = isl_aff_scale_down_val(
			term->factors[i].bounds[0], isl_val_copy(number));
		term->number = isl_val_mul(term->number, number);
	}
	term->at = 0;
	return true;
}

/* The product without its sign, as one of a sum or not. */
static bool print_term(struct layout_buffer *out, layout_context *ctx,
	const struct term *written, bool first)
{
	struct term term = term_copy(written);
	bool gathered = gather(ctx, &term), ok = true, shown;
	isl_val *number = isl_val_abs(isl_val_copy(term.number));
	int64_t taken[TERM_FACTORS] = { 0 };

	for (unsigned i = 0; !gathered && i < term.count; i++)
		number = take_divisor(ctx, &term.factors[i], number, &taken[i]);
	shown = !term.count || isl_val_is_one(number) != isl_bool_true;
	for (unsigned i = 0; ok && i < term.count + shown; i++) {
		unsigned k = i - (shown && i > term.at);

		layout_buffer_printf(out, i ? "*" : "");
		if (shown && i == term.at) {
			print_number(out, number);
			continue;
		}
		if (taken[k])
			layout_buffer_printf(out, "%lld*", (long long)taken[k]);
		ok = print_factor(out, ctx, &term.factors[k],
			first && term.count == 1 && !shown);
	}
	isl_val_free(number);
	term_free(&term);
	return ok;
}

/* The place of a term: positive ones first, as in affine_print(), and numbers behind the
 * others. */
static unsigned place(const struct term *term)
{
	unsigned negative = isl_val_is_neg(term->number) == isl_bool_true;

	return 2 * negative + !term->count;
}

static bool print(struct layout_buffer *out, const struct formula *formula)
{
	bool ok = true, first = true;

	for (unsigned now = 0; now < 4; now++)
		for (unsigned i = 0; ok && i < formula->count; i++) {
			if (place(&formula->terms[i]) != now)
				continue;
			layout_buffer_printf(out, now >= 2 ? first ? "-" : " - " :
				first ? "" : " + ");
			ok = print_term(out, formula->ctx, &formula->terms[i],
				first && now < 2);
			first = false;
		}
	layout_buffer_printf(out, first ? "0" : "");
	return ok;
}

char *formula_str(const struct formula *formula)
{
	struct layout_buffer out = { 0 };
	bool ok;

	if (formula->failed)
		return NULL;
	bridge_enter(formula->ctx);
	bridge_suspend_quota(formula->ctx);
	ok = print(&out, formula);
	bridge_resume_quota(formula->ctx);
	if (bridge_leave(formula->ctx, "print a formula") && ok)
		return layout_buffer_take(formula->ctx, &out);
	free(out.text);
	return NULL;
}
