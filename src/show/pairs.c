/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/kind.h"
#include "show/modes.h"

#include "isl_bridge/relation.h"

#include <layout/view.h>
#include <stdlib.h>
#include <string.h>

const int64_t *show_pair_input(const struct show_pairs *pairs, size_t i)
{
	return pairs->values + i * (pairs->inputs.rank + pairs->images.rank);
}

const int64_t *show_pair_image(const struct show_pairs *pairs, size_t i)
{
	return show_pair_input(pairs, i) + pairs->inputs.rank;
}

void show_pairs_free(struct show_pairs *pairs)
{
	show_side_free(&pairs->inputs);
	show_side_free(&pairs->images);
	free(pairs->values);
	*pairs = (struct show_pairs){ 0 };
}

bool show_too_large(layout_context *ctx)
{
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"the picture would be too large: it may have %d elements, and %d pairs "
		"of an element and its place", LAYOUT_SHOW_ELEMENTS, LAYOUT_SHOW_PAIRS);
	return false;
}

bool show_too_deep(layout_context *ctx, const char *what, unsigned rank)
{
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"a picture has up to %d dimensions, and this layout has %u %s", SHOW_DIMS,
		rank, what);
	return false;
}

bool show_multiply(int64_t *product, int64_t factor)
{
	if (factor > LAYOUT_SHOW_PAIRS || *product * factor > LAYOUT_SHOW_PAIRS)
		return false;
	*product *= factor;
	return true;
}

/* Sides are arrays of that many coordinates, here already. */
static bool ranks_fit(layout_context *ctx, layout_relation *relation)
{
	if (layout_relation_in_rank(relation) <= SHOW_RANK &&
	    layout_relation_out_rank(relation) <= SHOW_RANK)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"cannot show tuples of more than %d coordinates", SHOW_RANK);
	return false;
}

/* How many points the box from 0 on has that holds a set, which is consumed; -1: there is
 * no such box, and 1 + LAYOUT_SHOW_PAIRS for whatever is more than that. */
static int64_t box_points(layout_set *set)
{
	unsigned rank = layout_set_rank(set);
	int64_t size[SHOW_RANK] = { 0 }, points = 1;
	bool good = set && layout_set_box(set, size);

	layout_set_free(set);
	for (unsigned i = 0; good && i < rank; i++)
		if (!show_multiply(&points, size[i]))
			return LAYOUT_SHOW_PAIRS + 1;
	return good ? points : -1;
}

/* A function has as many pairs as inputs; else there can be the product of both sides. */
static bool relation_fits(layout_context *ctx, layout_relation *relation)
{
	layout_answer is_function;
	int64_t inputs, images;

	if (!ranks_fit(ctx, relation))
		return false;
	inputs = box_points(layout_relation_domain(layout_relation_copy(relation)));
	if (inputs < 0)
		return false;
	if (inputs > LAYOUT_SHOW_PAIRS)
		return show_too_large(ctx);
	is_function = layout_relation_is_function(relation, NULL);
	if (is_function != LAYOUT_NO)
		return is_function == LAYOUT_YES;
	images = box_points(layout_relation_range(layout_relation_copy(relation)));
	if (images < 0)
		return false;
	return show_multiply(&inputs, images) || show_too_large(ctx);
}

/* Every size of the value needs a number. */
static bool check_sizes(layout_context *ctx, layout_value *value,
	const layout_show_options *options)
{
	const char *name;

	for (unsigned i = 0; (name = layout_value_size_name(value, i)); i++) {
		unsigned k = 0;

		while (k < options->count && strcmp(options->sizes[k].name, name))
			k++;
		if (k < options->count)
			continue;
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "the size %s has no value",
			name);
		return false;
	}
	return true;
}

static bool grow(struct show_pairs *pairs)
{
	size_t capacity = pairs->capacity ? 2 * pairs->capacity : 1024;
	size_t rank = pairs->inputs.rank + pairs->images.rank;
	int64_t *values = realloc(pairs->values, capacity * (rank + 1) * sizeof(*values));

	if (!values) {
		layout_fail(pairs->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
		return false;
	}
	pairs->values = values;
	pairs->capacity = capacity;
	return true;
}

/* The coordinates of a CuTe layout's modes, out of the linear one. */
static void split_modes(const struct show_pairs *pairs, int64_t linear, int64_t *modes)
{
	bool last_fastest = layout_cute_is_lexicographic(pairs->cute);
	unsigned rank = pairs->inputs.rank;

	for (unsigned i = 0; i < rank; i++) {
		unsigned mode = last_fastest ? rank - 1 - i : i;

		modes[mode] = linear % pairs->modes[mode];
		linear /= pairs->modes[mode];
	}
}

static void note(struct show_side *side, const int64_t *point)
{
	for (unsigned i = 0; i < side->rank; i++) {
		if (point[i] < 0)
			side->is_negative = true;
		if (point[i] >= side->size[i])
			side->size[i] = point[i] == INT64_MAX ? point[i] : point[i] + 1;
	}
}

static bool add_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct show_pairs *pairs = user;
	int64_t *pair;

	(void)in_rank, (void)image_rank;
	if (pairs->count == LAYOUT_SHOW_PAIRS)
		pairs->failed = !show_too_large(pairs->ctx);
	else if (pairs->count == pairs->capacity)
		pairs->failed = !grow(pairs);
	if (pairs->failed)
		return false;
	pair = (int64_t *)show_pair_input(pairs, pairs->count++);
	if (pairs->cute)
		split_modes(pairs, *in, pair);
	else
		memcpy(pair, in, pairs->inputs.rank * sizeof(*in));
	memcpy(pair + pairs->inputs.rank, image, pairs->images.rank * sizeof(*image));
	note(&pairs->inputs, pair);
	note(&pairs->images, image);
	return true;
}

bool show_pairs_list(struct show_pairs *pairs, layout_context *ctx, layout_value *value,
	const layout_show_options *options)
{
	const struct show_kind *kind = value->kind->show;
	bool (*fits)(layout_value *) = kind ? kind->fits : NULL;
	layout_relation *relation = NULL;
	bool good = check_sizes(ctx, value, options);

	*pairs = (struct show_pairs){ .ctx = ctx };
	if (kind && kind->modes)
		pairs->cute = kind->modes(value);
	if (good && !fits) {
		relation = layout_relation_fix(layout_value_relation(value),
			options->sizes, options->count);
		good = relation;
	}
	good = good && (fits ? fits(value) : relation_fits(ctx, relation)) &&
		show_sides(ctx, value, relation, &pairs->inputs, &pairs->images);
	for (unsigned mode = 0; good && pairs->cute && mode < pairs->inputs.rank; mode++)
		pairs->modes[mode] = show_mode_size(pairs->cute, mode);
	good = good &&
		layout_value_for_each(value, options->sizes, options->count, add_pair,
			pairs) && !pairs->failed;
	layout_relation_free(relation);
	return good;
}
