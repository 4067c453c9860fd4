/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a chain knows of the names in its sizes, and what it has to assume. */
#include "algebra/chain/chain.h"
#include "isl_bridge/objects.h"

#include <stdlib.h>

bool chain_possible(layout_chain *chain, isl_set *condition)
{
	isl_set *met = isl_set_intersect(isl_set_copy(chain->known), condition);
	bool possible = isl_set_is_empty(met) == isl_bool_false;

	isl_set_free(met);
	return possible;
}

/* "A and B"; consumes "text". */
static bool add_text(layout_chain *chain, char *text)
{
	struct layout_buffer out = { 0 };

	if (chain->condition)
		layout_buffer_printf(&out, "%s and ", chain->condition);
	layout_buffer_printf(&out, "%s", text);
	free(text);
	free(chain->condition);
	chain->condition = layout_buffer_take(chain->ctx, &out);
	return chain->condition;
}

bool chain_assume(layout_chain *chain, isl_set *condition, char *text, const char *what)
{
	isl_set *against = isl_set_subtract(isl_set_copy(chain->known),
		isl_set_copy(condition));
	bool holds = isl_set_is_empty(against) == isl_bool_true;

	isl_set_free(against);
	if (!text || holds || bridge_failed(chain->ctx)) {
		isl_set_free(condition);
		free(text);
		return holds;
	}
	if (!chain_possible(chain, isl_set_copy(condition))) {
		if (!bridge_failed(chain->ctx))
			layout_fail(chain->ctx, LAYOUT_ERROR_INVALID, -1,
				"%s: %s does not hold", what, text);
		isl_set_free(condition);
		free(text);
		return false;
	}
	chain->known = isl_set_intersect(chain->known, isl_set_copy(condition));
	chain->assumed = isl_set_intersect(chain->assumed, isl_set_params(condition));
	return add_text(chain, text);
}

bool chain_check_size(layout_chain *chain, const struct size *size,
	const char *what, unsigned dim)
{
	struct layout_buffer wrong = { 0 }, condition = { 0 };
	char *text;
	bool good;

	if (size->value >= 0)
		return true;
	layout_buffer_printf(&wrong, "%s of dimension %u, %s, is negative", what, dim,
		size->text);
	layout_buffer_printf(&condition, "%s >= 0", size->text);
	text = layout_buffer_take(chain->ctx, &wrong);
	good = chain_assume(chain, isl_aff_ge_set(chain_aff(chain, size),
			chain_size_integer(chain, 0)),
		layout_buffer_take(chain->ctx, &condition), text ? text : "");
	free(text);
	return good;
}
