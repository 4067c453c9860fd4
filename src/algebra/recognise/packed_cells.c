/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/recognise/packed_cells.h"
#include "algebra/digits/number.h"
#include "isl_bridge/affine.h"

#include <stdlib.h>

/* A coordinate that a message has in full. */
enum { LONGEST = 60 };

/* Names of the index, "i0", ..., and of the sizes. */
struct names {
	char memory[LAYOUT_STORAGE_SLOTS][16];
	const char **list;
};

static bool names_build(struct names *names, layout_context *ctx, isl_aff *function)
{
	isl_size rank = isl_aff_dim(function, isl_dim_in);
	isl_size params = isl_aff_dim(function, isl_dim_param);

	names->list = rank < 0 || params < 0 ? NULL :
		layout_alloc(ctx, (size_t)(rank + params), sizeof(*names->list));
	if (!names->list)
		return false;
	for (isl_size i = 0; i < rank; i++) {
		snprintf(names->memory[i], sizeof(names->memory[i]), "i%d", i);
		names->list[i] = names->memory[i];
	}
	for (isl_size i = 0; i < params; i++)
		names->list[rank + i] = isl_aff_get_dim_name(function, isl_dim_param,
			(unsigned)i);
	return true;
}

/* Refuse cell coordinate k, which is "function".  Always false. */
static bool refuse(layout_context *ctx, unsigned k, isl_aff *function)
{
	struct affine *affine = layout_alloc(ctx, 1, sizeof(*affine));
	struct names names = { .list = NULL };
	struct layout_buffer out = { 0 };
	struct affine_sum sum;

	if (affine && names_build(&names, ctx, function)) {
		affine->variable_count = (unsigned)(isl_aff_dim(function, isl_dim_in) +
			isl_aff_dim(function, isl_dim_param));
		sum = affine_from_isl(affine, function);
		if (!affine->failed)
			affine_print(&out, affine, &sum, names.list, AFFINE_SIZE);
	}
	if (out.length > LONGEST)
		out.text[0] = 0;
	if (!bridge_failed(ctx))
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"cell coordinate %u is %s, no digit of one dimension", k,
			out.text && *out.text ? out.text : "a longer sum");
	free(out.text);
	free(names.list);
	free(affine);
	return false;
}

/* The number as a cell; false where it is no digit. */
static bool take(struct digit *cell, const struct digit_number *number)
{
	const struct digit_term *term = number->terms;

	if (isl_aff_plain_is_zero(number->rest) != isl_bool_true || number->count > 1 ||
	    (number->count && term->factor != 1))
		return false;
	*cell = number->count ? term->digit : (struct digit){ 0, 1, 1 };
	return true;
}

static void scope_free(struct digit_scope *scope)
{
	digit_lows_free(scope->low, scope->rank);
	free(scope->most);
}

/* The index itself, in the box of the sizes. */
static bool scope_build(struct digit_scope *scope, const struct packed_cells *cells,
	isl_multi_aff *function)
{
	*scope = (struct digit_scope){ cells->rank,
		layout_alloc(cells->ctx, cells->rank, sizeof(*scope->low)),
		layout_alloc(cells->ctx, cells->rank, sizeof(*scope->most)) };
	if (!scope->low || !scope->most)
		return false;
	for (unsigned d = 0; d < cells->rank; d++) {
		scope->low[d] = isl_aff_zero_on_domain_space(isl_space_domain(
			isl_multi_aff_get_space(function)));
		scope->most[d] = cells->size[d] < INT64_MAX ? cells->size[d] - 1 :
			INT64_MAX;
	}
	return true;
}

bool packed_cells_read(struct packed_cells *cells, isl_multi_aff *function)
{
	struct digit_scope scope;
	bool good = scope_build(&scope, cells, function);

	for (unsigned k = 0; good && k < cells->count; k++) {
		isl_aff *coordinate = isl_multi_aff_get_aff(function, (int)k);
		struct digit_number number;

		good = digit_number_read(&number, &scope, coordinate) &&
			take(&cells->cell[k], &number);
		if (!good && coordinate)
			refuse(cells->ctx, k, coordinate);
		digit_number_free(&number);
		isl_aff_free(coordinate);
	}
	scope_free(&scope);
	return good;
}
