/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/bridge.h"

#include <stdlib.h>

bool bridge_contexts_meet(layout_context *a, layout_context *b)
{
	if (a != b)
		layout_fail(a, LAYOUT_ERROR_INVALID, -1,
			"these are objects of two contexts");
	return a == b;
}

/* "logical[2]": name and rank of a tuple, for messages; to be freed. */
static char *tuple_str(isl_space *space, enum isl_dim_type type)
{
	struct layout_buffer text = { 0 };
	const char *name = isl_space_get_tuple_name(space, type);

	if (!name && isl_space_is_wrapping(space))
		name = "a nested tuple";
	layout_buffer_printf(&text, "%s[%d]", name ? name : "",
		(int)isl_space_dim(space, type));
	return text.text;
}

static void fail_to_meet(layout_context *ctx, const char *doing,
	isl_space *a, enum isl_dim_type at, isl_space *b, enum isl_dim_type bt)
{
	char *left = tuple_str(a, at);
	char *right = tuple_str(b, bt);

	layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
		"cannot %s: the spaces %s and %s differ", doing,
		left ? left : "?", right ? right : "?");
	free(left);
	free(right);
}

/* "*id" receives the name that an anonymous tuple takes from the other one.  Without
 * spaces isl has failed, which bridge_leave() reports. */
static bool meet(layout_context *ctx, const char *doing,
	isl_space *a, enum isl_dim_type at, isl_space *b, enum isl_dim_type bt,
	isl_id **id)
{
	bool a_named = isl_space_has_tuple_id(a, at) == isl_bool_true;
	bool b_named = isl_space_has_tuple_id(b, bt) == isl_bool_true;

	*id = NULL;
	if (!a || !b)
		return false;
	if (isl_space_tuple_is_equal(a, at, b, bt) == isl_bool_true)
		return true;
	if (isl_space_dim(a, at) != isl_space_dim(b, bt) || a_named == b_named) {
		fail_to_meet(ctx, doing, a, at, b, bt);
		return false;
	}
	*id = a_named ? isl_space_get_tuple_id(a, at) : isl_space_get_tuple_id(b, bt);
	return true;
}

bool bridge_maps_meet(layout_context *ctx, const char *doing,
	isl_map **a, enum isl_dim_type at, isl_map **b, enum isl_dim_type bt)
{
	isl_space *as = isl_map_get_space(*a), *bs = isl_map_get_space(*b);
	isl_id *id;
	bool ok = meet(ctx, doing, as, at, bs, bt, &id);

	if (id) {
		*a = isl_map_set_tuple_id(*a, at, isl_id_copy(id));
		*b = isl_map_set_tuple_id(*b, bt, isl_id_copy(id));
	}
	isl_id_free(id);
	isl_space_free(as);
	isl_space_free(bs);
	return ok;
}

bool bridge_sets_meet(layout_context *ctx, const char *doing, isl_set **a, isl_set **b)
{
	isl_space *as = isl_set_get_space(*a), *bs = isl_set_get_space(*b);
	isl_id *id;
	bool ok = meet(ctx, doing, as, isl_dim_set, bs, isl_dim_set, &id);

	if (id) {
		*a = isl_set_set_tuple_id(*a, isl_id_copy(id));
		*b = isl_set_set_tuple_id(*b, isl_id_copy(id));
	}
	isl_id_free(id);
	isl_space_free(as);
	isl_space_free(bs);
	return ok;
}

isl_set *bridge_nonnegative(isl_space *space)
{
	isl_set *set;
	isl_size params;

	set = isl_set_universe(isl_space_params(space));
	params = isl_set_dim(set, isl_dim_param);
	for (isl_size i = 0; i < params; i++)
		set = isl_set_lower_bound_si(set, isl_dim_param, (unsigned)i, 0);
	return set;
}
