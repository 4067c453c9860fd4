/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/visit/step.h"

#include <stdlib.h>

void step_names_free(char **names, unsigned count)
{
	for (unsigned i = 0; names && i < count; i++)
		free(names[i]);
	free(names);
}

char **step_names(layout_context *ctx, char letter, unsigned count)
{
	char **names = layout_alloc(ctx, count, sizeof(*names));

	for (unsigned i = 0; names && i < count; i++) {
		struct layout_buffer name = { 0 };

		layout_buffer_printf(&name, "%c%u'", letter, i);
		names[i] = layout_buffer_take(ctx, &name);
		if (!names[i]) {
			step_names_free(names, i);
			return NULL;
		}
	}
	return names;
}

/* A tuple as parameters named "names".  Consumes the space. */
static isl_multi_id *tuple_ids(isl_space *space, const char *const *names)
{
	isl_size rank = isl_space_dim(space, isl_dim_set);
	isl_ctx *isl = isl_space_get_ctx(space);
	isl_id_list *ids = isl_id_list_alloc(isl, rank < 0 ? 0 : rank);

	for (isl_size i = 0; i < rank; i++)
		ids = isl_id_list_add(ids, isl_id_alloc(isl, names[i], NULL));
	return isl_multi_id_from_id_list(space, ids);
}

/* The sizes and X's coordinates together. */
static bool open_scope(const struct step *step, const struct ast_scope *sizes,
	struct ast_scope *scope)
{
	unsigned before = sizes->count, count = before + step->rank;
	const char **names = layout_alloc(sizes->ctx, count, sizeof(*names));
	struct index **values = layout_alloc(sizes->ctx, count, sizeof(*values));

	*scope = (struct ast_scope){ sizes->ctx, count, names, values };
	for (unsigned i = 0; names && values && i < count; i++) {
		names[i] = i < before ? sizes->names[i] : step->names[i - before];
		values[i] = i < before ? sizes->values[i] : step->values[i - before];
	}
	return names && values;
}

static void close_scope(struct ast_scope *scope)
{
	free((void *)(uintptr_t)scope->names);
	free((void *)(uintptr_t)scope->values);
}

/* A condition that always holds is none. */
static void drop_always(struct index **condition)
{
	if ((*condition)->op != INDEX_INT || !(*condition)->value)
		return;
	index_free(*condition);
	*condition = NULL;
}

bool step_take(const struct step *step, const struct ast_scope *sizes, isl_set *contract,
	struct index **out, struct index **inside)
{
	isl_multi_id *ids = tuple_ids(isl_set_get_space(step->domain), step->names);
	isl_set *context = isl_set_bind(isl_set_copy(step->domain),
		isl_multi_id_copy(ids));
	isl_pw_multi_aff *function = NULL;
	struct ast_scope scope;
	isl_size rank = 0;
	bool ok = open_scope(step, sizes, &scope);

	context = isl_set_intersect_params(context, isl_set_copy(contract));
	function = step->function ?
		isl_pw_multi_aff_from_multi_aff(isl_multi_aff_copy(step->function)) :
		isl_pw_multi_aff_copy(step->pieces);
	if (function) {
		function = isl_pw_multi_aff_bind_domain(function, isl_multi_id_copy(ids));
		rank = isl_pw_multi_aff_dim(function, isl_dim_out);
	}
	for (isl_size i = 0; ok && i < rank; i++) {
		out[i] = ast_index_from_pieces(&scope, context,
			isl_pw_multi_aff_get_at(function, i));
		ok = out[i] != NULL;
	}
	if (ok && step->inside) {
		*inside = ast_index_from_set(&scope, context,
			isl_set_bind(isl_set_copy(step->inside), isl_multi_id_copy(ids)));
		ok = *inside != NULL;
		if (ok)
			drop_always(inside);
	}
	close_scope(&scope);
	isl_pw_multi_aff_free(function);
	isl_multi_id_free(ids);
	isl_set_free(context);
	return ok;
}
