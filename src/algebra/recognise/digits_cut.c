/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Digits of any places of an input, brought to a common refinement. */
#include "algebra/recognise/digits.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>

/* Where a part of an input with "extent" points ends; beyond that it is all of it. */
static int64_t part_end(const struct digit_part *part, int64_t extent)
{
	int64_t end;

	if (!part->extent || __builtin_mul_overflow(part->step, part->extent, &end) ||
	    end > extent)
		return extent;
	return end;
}

/* The parts of a form in the making. */
struct cutting {
	struct digit_form *form;
	const struct digit_part *parts;
	size_t count;
	int64_t *adds;
};

/* The least place behind "begin" where a part of the input begins or ends. */
static int64_t next_cut(const struct cutting *cutting, unsigned input, int64_t begin)
{
	int64_t extent = cutting->form->extents[input], next = extent;

	for (size_t i = 0; i < cutting->count; i++) {
		const struct digit_part *part = &cutting->parts[i];
		int64_t end = part_end(part, extent);

		if (part->input != input)
			continue;
		if (part->step > begin && part->step < next)
			next = part->step;
		if (end > begin && end < next)
			next = end;
	}
	return next;
}

/* What one step of the digit from "begin" on adds. */
static bool add_up(struct cutting *cutting, unsigned input, int64_t begin)
{
	int64_t extent = cutting->form->extents[input];

	for (unsigned k = 0; k < cutting->form->out_rank; k++)
		cutting->adds[k] = 0;
	for (size_t i = 0; i < cutting->count; i++) {
		const struct digit_part *part = &cutting->parts[i];

		if (part->input != input || part->step > begin ||
		    part_end(part, extent) <= begin)
			continue;
		if (begin % part->step || !int_add_product(&cutting->adds[part->image],
				part->factor, begin / part->step))
			return false;
	}
	return true;
}

static bool cut_input(struct cutting *cutting, unsigned input)
{
	int64_t begin = 1, end;

	for (; begin < cutting->form->extents[input]; begin = end) {
		end = next_cut(cutting, input, begin);
		if (end % begin || !add_up(cutting, input, begin) ||
		    !digit_form_append(cutting->form,
				(struct digit){ input, begin, end / begin },
				cutting->adds))
			return false;
	}
	return true;
}

bool digit_form_cut(struct digit_form *form, const struct digit_part *parts,
	size_t count)
{
	struct cutting cutting = { form, parts, count,
		layout_alloc(form->ctx, form->out_rank, sizeof(*cutting.adds)) };
	bool good = cutting.adds;

	for (unsigned d = 0; good && d < form->in_rank; d++)
		good = cut_input(&cutting, d);
	free(cutting.adds);
	return good;
}
