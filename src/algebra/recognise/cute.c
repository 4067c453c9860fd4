/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts: one offset, and a mode for each digit; or a swizzle of such a layout. */
#include "algebra/cute/bits.h"
#include "algebra/cute/build.h"
#include "algebra/f2/bits.h"
#include "algebra/forms.h"
#include "algebra/recognise/recognise.h"
#include "isl_bridge/arithmetic.h"

#include <layout/view.h>

#include <stdlib.h>

/* Few enough offsets that every swizzle can be tried on them. */
#define MOST_TRIED 4096

/* One input's modes: as many leaves as it has digits; 1:0, or 0:0, where it has none. */
static void build_input(struct cute_builder *builder, const struct digits *form,
	unsigned input, unsigned *at)
{
	unsigned begin = *at;

	while (*at < form->count && form->digits[*at].dim == input)
		++*at;
	if (*at - begin > 1)
		cute_node(builder, (int)(*at - begin));
	for (unsigned i = begin; i < *at; i++)
		cute_leaf(builder, form->digits[i].radix, *digits_adds(form, i));
	if (*at == begin)
		cute_leaf(builder, form->extents[input], 0);
}

static layout_cute *build(const struct digits *form)
{
	layout_cute_swizzle by = { .offset = form->constant[0] };
	struct cute_builder builder;
	unsigned at = 0;
	layout_cute *cute;

	cute_begin(&builder, form->ctx);
	if (form->in_rank > 1)
		cute_node(&builder, (int)form->in_rank);
	for (unsigned d = 0; d < form->in_rank; d++)
		build_input(&builder, form, d, &at);
	cute = cute_end(&builder);
	return by.offset ? layout_cute_apply_swizzle(cute, by) : cute;
}

/* A layout of the box's shape, to be refined. */
static layout_cute *shape_of(const struct seen *seen)
{
	struct cute_builder builder;

	cute_begin(&builder, seen->ctx);
	if (seen->in_rank > 1)
		cute_node(&builder, (int)seen->in_rank);
	for (unsigned d = 0; d < seen->in_rank; d++)
		cute_leaf(&builder, seen->box[d], 0);
	return cute_end(&builder);
}

/* The columns as rows; false where there are more bits than an offset has. */
static bool rows_of(const struct f2 *f2, struct cute_bits *bits)
{
	if (f2->in_bits > CUTE_SWIZZLE_BITS || f2->out_bits > CUTE_SWIZZLE_BITS)
		return false;
	*bits = (struct cute_bits){ .in = f2->in_bits, .out = f2->out_bits };
	for (unsigned j = 0; j < f2->out_bits; j++) {
		if (bits_test(f2->constant, j))
			bits->rows[j] = CUTE_BITS_ONE;
		for (unsigned i = 0; i < f2->in_bits; i++)
			bits->rows[j] |= (uint64_t)bits_test(f2_column(f2, i), j) << i;
	}
	return true;
}

/* All points as offsets in the order of the linear coordinate. */
static layout_cute *from_values(const struct seen *seen, layout_cute *like)
{
	int64_t *values = layout_alloc(seen->ctx, seen->table.inputs.count,
		sizeof(*values)), end = cute_values_end(like);
	layout_cute *cute = NULL;
	bool good = values;

	for (size_t row = 0; good && row < seen->table.inputs.count; row++) {
		const int64_t *in = points_at(&seen->table.inputs, row);
		int64_t at = 0;

		for (unsigned d = seen->in_rank; d-- > 0;)
			at = at * seen->box[d] + in[d];
		values[at] = seen->table.images[row];
		good = values[at] < end && values[at] > -end;
	}
	if (good)
		cute = cute_values_layout(values, like, 0);
	free(values);
	return cute;
}

/* No swizzle was tried. */
static void fail_untried(const struct seen *seen)
{
	layout_fail(seen->ctx, LAYOUT_ERROR_QUOTA, -1,
		"unknown: no digits: %s; a swizzle is looked for among %d points at most",
		seen->why.message ? seen->why.message : "", MOST_TRIED);
}

static layout_cute *build_swizzled(const struct seen *seen)
{
	layout_cute *like = shape_of(seen), *cute = NULL;
	struct cute_bits bits;

	if (like && seen->f2 && rows_of(seen->f2, &bits))
		cute = cute_bits_layout(&bits, like, 0);
	else if (like && !seen->f2 && seen->listed &&
		 seen->table.inputs.count <= MOST_TRIED)
		cute = from_values(seen, like);
	layout_cute_free(like);
	if (like && !cute && !seen->f2 && seen->listed &&
	    seen->table.inputs.count > MOST_TRIED)
		fail_untried(seen);
	else if (like && !cute)
		seen_fail(seen);
	return cute;
}

/* The layout's bits as those of the box's inputs; NULL where it has none. */
static layout_relation *relation_by_bits(const struct seen *seen, const layout_cute *cute)
{
	unsigned widths[CUTE_SWIZZLE_BITS], bit = 0;
	struct cute_bits bits;
	struct f2 *f2;
	int64_t origin;

	if (seen->in_rank > CUTE_SWIZZLE_BITS || !cute_bits_of_all(cute, &bits))
		return NULL;
	for (unsigned d = 0; d < seen->in_rank; d++) {
		if (!int_is_power2(seen->box[d]))
			return NULL;
		widths[d] = (unsigned)int_log2(seen->box[d]);
	}
	f2 = f2_new(seen->ctx, seen->in_rank, widths, 1, &bits.out);
	if (!f2)
		return NULL;
	origin = cute_bits_apply(&bits, 0);
	f2_toggle_constant(f2, 0, (uint64_t)origin);
	for (; bit < bits.in; bit++)
		f2_toggle(f2, bit, 0, (uint64_t)(origin ^
			cute_bits_apply(&bits, UINT64_C(1) << bit)));
	return form_f2_relation(seen->ctx, f2);
}

/* { [x0, x1, ..] -> [offset] }, each input being a mode at the top. */
static layout_relation *relation_of(const struct seen *seen, layout_cute *cute)
{
	layout_relation *relation;
	layout_box line = { 1, &cute->size }, box = { seen->in_rank, seen->box };

	if (seen->in_rank == 1)
		return layout_cute_relation(cute);
	relation = relation_by_bits(seen, cute);
	return relation || layout_context_error(seen->ctx) ? relation :
		layout_relation_view_ins(layout_cute_relation(cute), line, box,
			LAYOUT_ORDER_COLEX);
}

/* The leaves of one mode at the top as digits of their input. */
static bool take_mode(struct digits *made, const layout_cute *cute, unsigned input,
	unsigned leaves, unsigned *leaf)
{
	int64_t step = 1;

	for (unsigned end = *leaf + leaves; *leaf < end; ++*leaf) {
		struct digit digit = { input, step, cute->shape[*leaf] };

		if (!digits_append(made, digit, &cute->stride[*leaf]))
			return false;
		step *= cute->shape[*leaf];
	}
	made->extents[input] = step;
	return true;
}

/* Has the layout, all of its digits, those of the relation? */
static bool has_digits(const struct seen *seen, const layout_cute *cute)
{
	struct digits made;
	unsigned node = seen->in_rank > 1, leaf = 0;
	bool good = digits_begin(&made, seen->ctx, seen->in_rank, 1) &&
		!cute->swizzle.bits;

	if (good)
		made.constant[0] = cute->swizzle.offset;
	for (unsigned d = 0; good && d < seen->in_rank; d++) {
		unsigned leaves = 0;

		node = cute_skip(cute->tree, cute->node_count, node, &leaves);
		good = take_mode(&made, cute, d, leaves, &leaf);
	}
	good = good && seen_same_digits(seen, &made);
	digits_free(&made);
	return good;
}

static bool is_proved(const struct seen *seen, layout_cute *cute)
{
	return seen->by_digits ? has_digits(seen, cute) :
		seen_prove(seen, relation_of(seen, cute));
}

layout_cute *seen_cute(const struct seen *seen)
{
	layout_cute *cute;

	if (seen->out_rank != 1 || !seen->in_rank) {
		layout_fail(seen->ctx, LAYOUT_ERROR_NO_ANSWER, -1, seen->in_rank ?
			"%u images: a CuTe layout has one, the offset" :
			"no input: a CuTe layout has a coordinate", seen->out_rank);
		return NULL;
	}
	cute = seen->by_digits ? build(&seen->digits) : build_swizzled(seen);
	if (!cute || is_proved(seen, cute))
		return cute;
	layout_cute_free(cute);
	return NULL;
}

layout_cute *layout_cute_from_relation(layout_relation *relation)
{
	layout_cute *cute = NULL;
	struct seen seen = { 0 };

	if (relation && see(&seen, relation, "a CuTe layout", RECOGNISE_POINTS))
		cute = seen_cute(&seen);
	seen_free(&seen);
	return cute;
}
