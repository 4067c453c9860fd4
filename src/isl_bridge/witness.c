/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/objects.h"

#include <inttypes.h>
#include <isl/point.h>
#include <stdlib.h>

void layout_witness_free(layout_witness *witness)
{
	if (!witness)
		return;
	for (unsigned i = 0; witness->sizes && i < witness->size_count; i++)
		free((char *)(uintptr_t)witness->sizes[i].name);
	free(witness->sizes);
	free(witness->points[0]);
	free(witness->points[1]);
	free(witness->text);
	free(witness);
}

/* Every dimension has a lower bound, so a least point exists. */
static bool bounded_below(isl_set *set)
{
	isl_size rank = isl_set_dim(set, isl_dim_set);

	for (isl_size i = 0; i < rank; i++)
		if (isl_set_dim_has_any_lower_bound(set, isl_dim_set, (unsigned)i) !=
		    isl_bool_true)
			return false;
	return true;
}

/* The least point where there is one, preferably among points without negative
 * coordinates; any point elsewhere, or where the least one costs too much: isl
 * minimises with numbers that can grow without bound.  Consumes the set. */
static isl_point *small_point(layout_context *ctx, isl_set *set)
{
	isl_set *least = isl_set_copy(set);
	isl_size rank = isl_set_dim(set, isl_dim_set);

	bridge_begin_attempt(ctx, BUDGET_LEAST_WITNESS);
	for (isl_size i = 0; i < rank; i++)
		least = isl_set_lower_bound_si(least, isl_dim_set, (unsigned)i, 0);
	if (isl_set_is_empty(least) == isl_bool_true) {
		isl_set_free(least);
		least = isl_set_copy(set);
	}
	if (bounded_below(least))
		least = isl_set_lexmin(least);
	if (bridge_end_attempt(ctx)) {
		isl_set_free(set);
		return isl_set_sample_point(least);
	}
	isl_set_free(least);
	return isl_set_sample_point(set);
}

static bool read_coordinates(layout_context *ctx, isl_point *point, unsigned first,
	unsigned count, int64_t *values)
{
	for (unsigned i = 0; i < count; i++)
		if (!bridge_int64(ctx, isl_point_get_coordinate_val(point, isl_dim_set,
				(int)(first + i)), &values[i]))
			return false;
	return true;
}

static bool read_sizes(layout_context *ctx, isl_set *set, isl_point *point,
	layout_witness *witness)
{
	witness->sizes = layout_alloc(ctx, witness->size_count, sizeof(*witness->sizes));
	for (unsigned i = 0; witness->sizes && i < witness->size_count; i++) {
		const char *name = isl_set_get_dim_name(set, isl_dim_param, i);

		witness->sizes[i].name = layout_strdup(ctx, name ? name : "?");
		if (!witness->sizes[i].name ||
		    !read_coordinates(ctx, point, i, 1, &witness->sizes[i].value))
			return false;
	}
	return witness->sizes != NULL;
}

static void print_point(struct layout_buffer *text, const int64_t *point, unsigned rank)
{
	layout_buffer_printf(text, "(");
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(text, "%s%" PRId64, i ? ", " : "", point[i]);
	layout_buffer_printf(text, ")");
}

/* "M = 73, K = 9: (64, 8), (72, 8)" */
static char *print_witness(layout_context *ctx, const layout_witness *witness)
{
	struct layout_buffer text = { 0 };

	for (unsigned i = 0; i < witness->size_count; i++)
		layout_buffer_printf(&text, "%s%s = %" PRId64, i ? ", " : "",
			witness->sizes[i].name, witness->sizes[i].value);
	if (witness->size_count)
		layout_buffer_printf(&text, ": ");
	for (unsigned i = 0; i < witness->point_count; i++) {
		if (i)
			layout_buffer_printf(&text, ", ");
		print_point(&text, witness->points[i], witness->ranks[i]);
	}
	return layout_buffer_take(ctx, &text);
}

static layout_witness *fill(layout_context *ctx, isl_set *set, isl_point *point,
	layout_witness *witness)
{
	unsigned at = witness->size_count;
	bool ok = read_sizes(ctx, set, point, witness);

	for (unsigned i = 0; ok && i < witness->point_count; i++) {
		witness->points[i] = layout_alloc(ctx, witness->ranks[i],
			sizeof(int64_t));
		ok = witness->points[i] &&
			read_coordinates(ctx, point, at, witness->ranks[i],
				witness->points[i]);
		at += witness->ranks[i];
	}
	if (ok)
		witness->text = print_witness(ctx, witness);
	if (witness->text)
		return witness;
	layout_witness_free(witness);
	return NULL;
}

layout_witness *bridge_witness(layout_context *ctx, isl_set *set, unsigned first_rank,
	bool two)
{
	layout_witness *witness = NULL;
	isl_size params = isl_set_dim(set, isl_dim_param);
	isl_size rank = isl_set_dim(set, isl_dim_set);
	isl_set *flat = isl_set_move_dims(isl_set_reset_tuple_id(isl_set_copy(set)),
		isl_dim_set, 0, isl_dim_param, 0, params < 0 ? 0 : (unsigned)params);
	isl_point *point = small_point(ctx, flat);

	if (point && isl_point_is_void(point) == isl_bool_false && rank >= 0)
		witness = layout_alloc(ctx, 1, sizeof(*witness));
	if (witness) {
		witness->size_count = (unsigned)params;
		witness->ranks[0] = first_rank;
		witness->ranks[1] = (unsigned)rank - first_rank;
		witness->point_count = two ? 2 : 1;
		witness = fill(ctx, set, point, witness);
	}
	isl_point_free(point);
	isl_set_free(set);
	return witness;
}

layout_witness *bridge_witness_of(layout_context *ctx,
	const int64_t *first, unsigned first_rank,
	const int64_t *second, unsigned second_rank)
{
	const int64_t *points[] = { first, second };
	const unsigned ranks[] = { first_rank, second_rank };
	layout_witness *witness = layout_alloc(ctx, 1, sizeof(*witness));
	bool ok = witness != NULL;

	for (unsigned i = 0; ok && i < 2 && points[i]; i++) {
		witness->points[i] = layout_alloc(ctx, ranks[i], sizeof(int64_t));
		witness->ranks[i] = ranks[i];
		witness->point_count++;
		ok = witness->points[i] != NULL;
		for (unsigned k = 0; ok && k < ranks[i]; k++)
			witness->points[i][k] = points[i][k];
	}
	if (ok)
		witness->text = print_witness(ctx, witness);
	if (witness && witness->text)
		return witness;
	layout_witness_free(witness);
	return NULL;
}

bool bridge_demand(layout_context *ctx, layout_answer answer, const char *otherwise,
	layout_witness *witness)
{
	if (answer == LAYOUT_NO)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "%s%s%s", otherwise,
			witness ? ": " : "", witness ? witness->text : "");
	layout_witness_free(witness);
	return answer == LAYOUT_YES;
}
