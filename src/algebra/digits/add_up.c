/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums of digits of any places of an input, brought to a common refinement. */
#include "algebra/digits/cuts.h"
#include "algebra/digits/digits.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>

/* The terms of a form in the making. */
struct sum {
	struct digits *form;
	const struct digit_term *terms;
	size_t count;
	int64_t *adds;
};

/* What one step of the digit from "begin" on adds. */
static bool add_at(struct sum *sum, unsigned dim, int64_t begin)
{
	for (unsigned k = 0; k < sum->form->out_rank; k++)
		sum->adds[k] = 0;
	for (size_t i = 0; i < sum->count; i++) {
		const struct digit_term *term = &sum->terms[i];
		const struct digit *digit = &term->digit;

		if (digit->dim != dim || digit->step > begin || digit_end(digit) <= begin)
			continue;
		if (begin % digit->step || !int_add_product(&sum->adds[term->image],
				term->factor, begin / digit->step))
			return false;
	}
	return true;
}

static bool cut_input(struct sum *sum, unsigned dim)
{
	int64_t extent = sum->form->extents[dim];
	struct cuts cuts = { 0 };

	if (extent < 2)
		return true;
	cuts_add(&cuts, 1);
	cuts_add(&cuts, extent);
	for (size_t i = 0; i < sum->count; i++)
		if (sum->terms[i].digit.dim == dim)
			cuts_add_digit(&cuts, &sum->terms[i].digit, extent);
	if (!cuts_are_digits(&cuts))
		return false;
	for (unsigned i = 0; i + 1 < cuts.count; i++)
		if (!add_at(sum, dim, cuts.at[i]) || !digits_append(sum->form,
		    (struct digit){ dim, cuts.at[i], cuts.at[i + 1] / cuts.at[i] },
		    sum->adds))
			return false;
	return true;
}

bool digits_add_up(struct digits *form, const struct digit_term *terms, size_t count)
{
	struct sum sum = { form, terms, count,
		layout_alloc(form->ctx, form->out_rank, sizeof(*sum.adds)) };
	bool good = sum.adds;

	for (unsigned d = 0; good && d < form->in_rank; d++)
		good = cut_input(&sum, d);
	free(sum.adds);
	return good;
}
