/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions as MLIR's affine maps. */
#include "isl_bridge/affine.h"
#include "isl_bridge/objects.h"

#include <stdio.h>
#include <stdlib.h>

/* The one function that the relation is, or NULL; closes nothing. */
static isl_multi_aff *single_function(layout_relation *relation)
{
	isl_pw_multi_aff *pieces;
	isl_multi_aff *function = NULL;

	if (!bridge_need_map(relation))
		return NULL;
	if (relation->forward)
		return isl_multi_aff_align_params(isl_multi_aff_copy(relation->forward),
			isl_map_get_space(relation->map));
	if (isl_map_is_single_valued(relation->map) != isl_bool_true)
		return NULL;
	pieces = bridge_coalesce_pieces(relation->ctx,
		isl_pw_multi_aff_from_map(isl_map_copy(relation->map)));
	if (isl_pw_multi_aff_n_piece(pieces) == 1)
		function = isl_pw_multi_aff_as_multi_aff(isl_pw_multi_aff_gist(
			isl_pw_multi_aff_copy(pieces), isl_pw_multi_aff_domain(
			isl_pw_multi_aff_copy(pieces))));
	isl_pw_multi_aff_free(pieces);
	return function;
}

static void print_names(struct layout_buffer *out, char letter, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(out, "%s%c%u", i ? ", " : "", letter, i);
}

/* d0, d1, .., s0, s1, .. ; freed with the memory that is returned. */
static char (*symbol_names(layout_context *ctx, unsigned dims, unsigned symbols,
	const char ***names))[12]
{
	char (*memory)[12] = layout_alloc(ctx, dims + symbols, sizeof(*memory));

	*names = layout_alloc(ctx, dims + symbols, sizeof(**names));
	for (unsigned i = 0; memory && *names && i < dims + symbols; i++) {
		bool dim = i < dims;

		snprintf(memory[i], sizeof(memory[i]), "%c%u", dim ? 'd' : 's',
			dim ? i : i - dims);
		(*names)[i] = memory[i];
	}
	return memory;
}

/* Of one without floors the numbers may be any. */
static struct affine_sum sum_of(struct affine *affine, isl_aff *aff)
{
	return isl_aff_dim(aff, isl_dim_div) == 0 ? affine_plain_from_isl(affine, aff) :
		affine_from_isl(affine, aff);
}

/* False if a result is too large to write. */
static bool print_results(struct layout_buffer *out, layout_context *ctx,
	isl_multi_aff *function, unsigned variables, const char *const *names)
{
	isl_size rank = isl_multi_aff_dim(function, isl_dim_out);
	struct affine *affine = layout_alloc(ctx, 1, sizeof(*affine));
	bool ok = affine != NULL;

	for (isl_size i = 0; ok && i < rank; i++) {
		isl_aff *aff = isl_multi_aff_get_aff(function, i);
		struct affine_sum sum;

		*affine = (struct affine){ .variable_count = variables };
		sum = sum_of(affine, aff);
		isl_aff_free(aff);
		layout_buffer_printf(out, i ? ", " : "");
		affine_print(out, affine, &sum, names, AFFINE_MLIR);
		ok = !affine->failed;
	}
	free(affine);
	return ok;
}

char *layout_relation_affine_map_str(layout_relation *relation)
{
	struct layout_buffer out = { 0 };
	unsigned dims, symbols;
	isl_multi_aff *function;
	const char **names = NULL;
	char (*memory)[12] = NULL;
	bool ok;

	if (!relation)
		return NULL;
	bridge_enter(relation->ctx);
	dims = layout_relation_in_rank(relation);
	symbols = layout_relation_param_count(relation);
	function = single_function(relation);
	memory = symbol_names(relation->ctx, dims, symbols, &names);
	layout_buffer_printf(&out, "affine_map<(");
	print_names(&out, 'd', dims);
	layout_buffer_printf(&out, symbols ? ")[" : ")");
	print_names(&out, 's', symbols);
	layout_buffer_printf(&out, symbols ? "] -> (" : " -> (");
	ok = function && memory && names &&
		print_results(&out, relation->ctx, function, dims + symbols, names);
	layout_buffer_printf(&out, ")>");
	isl_multi_aff_free(function);
	free(memory);
	free(names);
	if (bridge_leave(relation->ctx, "print an affine map") && ok)
		return layout_buffer_take(relation->ctx, &out);
	free(out.text);
	layout_fail(relation->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"this relation is not one affine map");
	return NULL;
}
