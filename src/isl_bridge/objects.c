/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

layout_relation *bridge_give_relation(layout_context *ctx, const char *doing,
	isl_map *map, isl_multi_aff *forward, isl_multi_aff *backward)
{
	layout_relation *relation = NULL;

	if (bridge_leave(ctx, doing) && layout_is_made(ctx, map))
		relation = layout_alloc(ctx, 1, sizeof(*relation));
	if (!relation) {
		isl_map_free(map);
		isl_multi_aff_free(forward);
		isl_multi_aff_free(backward);
		return NULL;
	}
	*relation = (struct layout_relation){ .ctx = ctx, .map = map, .forward = forward,
		.backward = backward };
	return relation;
}

layout_relation *bridge_know_sets(layout_relation *relation, isl_set *domain,
	isl_set *range)
{
	if (!relation) {
		isl_set_free(domain);
		isl_set_free(range);
		return NULL;
	}
	isl_set_free(relation->domain);
	isl_set_free(relation->range);
	relation->domain = domain;
	relation->range = range;
	return relation;
}

static void release_origin(struct origin *origin)
{
	if (!origin || --origin->references)
		return;
	origin->free(origin->layout);
	free(origin);
}

layout_relation *bridge_know_origin(layout_relation *relation, struct origin origin)
{
	struct origin *kept = relation && origin.layout ?
		layout_alloc(relation->ctx, 1, sizeof(*kept)) : NULL;

	if (!kept) {
		origin.free(origin.layout);
		return relation;
	}
	origin.references = 1;
	*kept = origin;
	relation->origin = kept;
	return relation;
}

static void release(struct form *form)
{
	if (!form || --form->references)
		return;
	free(form->in_names);
	form->kind->free(form);
}

layout_relation *bridge_relation_of(layout_context *ctx, struct form *form)
{
	layout_relation *relation = form ? layout_alloc(ctx, 1, sizeof(*relation)) : NULL;

	if (!relation) {
		release(form);
		return NULL;
	}
	*relation = (struct layout_relation){ .ctx = ctx, .form = form };
	return relation;
}

layout_relation *bridge_share_form(const layout_relation *relation, bool reversed)
{
	layout_relation *result;

	relation->form->references++;
	result = bridge_relation_of(relation->ctx, relation->form);
	if (result)
		result->reversed = reversed;
	return result;
}

isl_set *bridge_bound(isl_set *set, unsigned dim, int64_t extent)
{
	isl_val *last = isl_val_int_from_si(isl_set_get_ctx(set), extent - 1);

	set = isl_set_lower_bound_si(set, isl_dim_set, dim, 0);
	return isl_set_upper_bound_val(set, isl_dim_set, dim, last);
}

layout_set *layout_set_from(layout_context *ctx, const int64_t *first, unsigned count,
	unsigned rank)
{
	isl_set *set;

	bridge_enter(ctx);
	set = isl_set_universe(isl_space_set_alloc(bridge_isl(ctx), 0, rank));
	for (unsigned d = 0; d < count; d++)
		set = isl_set_fix_val(set, isl_dim_set, d,
			isl_val_int_from_si(bridge_isl(ctx), first[d]));
	return bridge_give_set(ctx, "make a set", set);
}

layout_set *layout_set_of_box(layout_context *ctx, const char *const *names,
	const int64_t *sizes, unsigned rank)
{
	isl_set *box;
	char name[16];

	bridge_enter(ctx);
	box = isl_set_universe(isl_space_set_alloc(bridge_isl(ctx), 0, rank));
	for (unsigned i = 0; box && i < rank; i++) {
		snprintf(name, sizeof(name), "x%u", i);
		box = isl_set_set_dim_name(bridge_bound(box, i, sizes[i]), isl_dim_set, i,
			names ? names[i] : name);
	}
	return bridge_give_set(ctx, "bound a box", box);
}

isl_set *bridge_form_box(layout_context *ctx, const struct form *form)
{
	isl_set *box = isl_set_universe(isl_space_set_alloc(bridge_isl(ctx), 0,
		form->in_rank));

	for (unsigned i = 0; box && i < form->in_rank; i++)
		box = bridge_bound(box, i, form->kind->extent(form, i));
	return box;
}

/* The names and what they point to, in one allocation. */
static char **copy_names(layout_context *ctx, const char *const *names, unsigned count)
{
	size_t size = count * sizeof(char *);
	char **copy, *at;

	for (unsigned i = 0; i < count; i++)
		size += strlen(names[i]) + 1;
	copy = layout_alloc(ctx, 1, size);
	at = copy ? (char *)(copy + count) : NULL;
	for (unsigned i = 0; copy && i < count; i++) {
		copy[i] = strcpy(at, names[i]);
		at += strlen(names[i]) + 1;
	}
	return copy;
}

bool bridge_name_form(layout_relation *relation, const char *const *names)
{
	struct form *form = relation->form;

	if (!form || relation->reversed || form->references > 1 || form->in_names || relation->map)
		return false;
	form->in_names = copy_names(relation->ctx, names, form->in_rank);
	return form->in_names;
}

bool bridge_need_map(layout_relation *relation)
{
	const struct form *form = relation->form;
	isl_multi_aff *function;
	isl_map *map;

	if (relation->map || !form)
		return relation->map;
	function = form->kind->build(relation->ctx, form);
	for (unsigned i = 0; form->in_names && i < form->in_rank; i++)
		function = isl_multi_aff_set_dim_name(function, isl_dim_in, i,
			form->in_names[i]);
	map = isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(function)),
		bridge_form_box(relation->ctx, form));
	relation->map = relation->reversed ? isl_map_reverse(map) : map;
	if (!relation->map)
		isl_multi_aff_free(function);
	else if (relation->reversed)
		relation->backward = function;
	else
		relation->forward = function;
	return relation->map;
}

const struct form *bridge_function_form(const layout_relation *relation)
{
	return relation->reversed ? NULL : relation->form;
}

layout_set *bridge_give_set(layout_context *ctx, const char *doing, isl_set *set)
{
	layout_set *result = NULL;

	if (bridge_leave(ctx, doing) && layout_is_made(ctx, set))
		result = layout_alloc(ctx, 1, sizeof(*result));
	if (!result) {
		isl_set_free(set);
		return NULL;
	}
	*result = (struct layout_set){ ctx, set };
	return result;
}

layout_relation *layout_relation_copy(layout_relation *relation)
{
	layout_relation *copy;

	if (!relation)
		return NULL;
	copy = layout_alloc(relation->ctx, 1, sizeof(*copy));
	if (!copy)
		return NULL;
	*copy = (struct layout_relation){ relation->ctx, relation->form,
		relation->reversed, isl_map_copy(relation->map),
		isl_multi_aff_copy(relation->forward),
		isl_multi_aff_copy(relation->backward),
		isl_set_copy(relation->domain), isl_set_copy(relation->range),
		relation->origin };
	if (copy->form)
		copy->form->references++;
	if (copy->origin)
		copy->origin->references++;
	return copy;
}

void layout_relation_free(layout_relation *relation)
{
	if (!relation)
		return;
	release(relation->form);
	isl_map_free(relation->map);
	isl_multi_aff_free(relation->forward);
	isl_multi_aff_free(relation->backward);
	isl_set_free(relation->domain);
	isl_set_free(relation->range);
	release_origin(relation->origin);
	free(relation);
}

layout_set *layout_set_copy(layout_set *set)
{
	if (!set)
		return NULL;
	bridge_enter(set->ctx);
	return bridge_give_set(set->ctx, "copy a set", isl_set_copy(set->set));
}

void layout_set_free(layout_set *set)
{
	if (!set)
		return;
	isl_set_free(set->set);
	free(set);
}

layout_context *layout_relation_context(layout_relation *relation)
{
	return relation ? relation->ctx : NULL;
}

unsigned layout_relation_in_rank(layout_relation *relation)
{
	const struct form *form = relation ? relation->form : NULL;

	if (!relation)
		return 0;
	if (form)
		return relation->reversed ? form->out_rank : form->in_rank;
	return (unsigned)isl_map_dim(relation->map, isl_dim_in);
}

unsigned layout_relation_out_rank(layout_relation *relation)
{
	const struct form *form = relation ? relation->form : NULL;

	if (!relation)
		return 0;
	if (form)
		return relation->reversed ? form->in_rank : form->out_rank;
	return (unsigned)isl_map_dim(relation->map, isl_dim_out);
}

layout_context *layout_set_context(layout_set *set)
{
	return set ? set->ctx : NULL;
}

unsigned layout_set_rank(layout_set *set)
{
	return set ? (unsigned)isl_set_dim(set->set, isl_dim_set) : 0;
}

unsigned layout_relation_param_count(layout_relation *relation)
{
	return relation->form ? 0 : (unsigned)isl_map_dim(relation->map, isl_dim_param);
}

const char *layout_relation_param_name(layout_relation *relation, unsigned i)
{
	if (i >= layout_relation_param_count(relation))
		return NULL;
	return isl_map_get_dim_name(relation->map, isl_dim_param, i);
}

unsigned layout_set_param_count(layout_set *set)
{
	return (unsigned)isl_set_dim(set->set, isl_dim_param);
}

const char *layout_set_param_name(layout_set *set, unsigned i)
{
	if (i >= layout_set_param_count(set))
		return NULL;
	return isl_set_get_dim_name(set->set, isl_dim_param, i);
}

/* The tuple "to" of the function is called like the tuple "from" of the map. */
static isl_multi_aff *name_tuple(isl_multi_aff *function, enum isl_dim_type to,
	isl_map *map, enum isl_dim_type from)
{
	if (isl_map_has_tuple_id(map, from) == isl_bool_true)
		return isl_multi_aff_set_tuple_id(function, to,
			isl_map_get_tuple_id(map, from));
	return isl_multi_aff_reset_tuple_id(function, to);
}

isl_multi_aff *bridge_name_forward(isl_multi_aff *function, isl_map *map)
{
	if (!function)
		return NULL;
	function = name_tuple(function, isl_dim_in, map, isl_dim_in);
	return name_tuple(function, isl_dim_out, map, isl_dim_out);
}

isl_multi_aff *bridge_name_backward(isl_multi_aff *function, isl_map *map)
{
	if (!function)
		return NULL;
	function = name_tuple(function, isl_dim_in, map, isl_dim_out);
	return name_tuple(function, isl_dim_out, map, isl_dim_in);
}

isl_map *bridge_asked_map(layout_relation *relation)
{
	if (!bridge_need_map(relation))
		return NULL;
	return isl_map_intersect_params(isl_map_copy(relation->map),
		bridge_nonnegative(isl_map_get_space(relation->map)));
}

isl_set *bridge_asked_set(layout_set *set)
{
	return isl_set_intersect_params(isl_set_copy(set->set),
		bridge_nonnegative(isl_set_get_space(set->set)));
}

isl_set *bridge_set_at(layout_set *set, const int64_t *point)
{
	isl_ctx *isl = bridge_isl(set->ctx);
	isl_set *there = bridge_asked_set(set);
	isl_size rank = isl_set_dim(there, isl_dim_set);

	for (isl_size i = 0; i < rank; i++)
		there = isl_set_fix_val(there, isl_dim_set, (unsigned)i,
			isl_val_int_from_si(isl, point[i]));
	return there;
}

bool bridge_set_has(layout_set *set, const int64_t *point)
{
	isl_set *there = bridge_set_at(set, point);
	bool has = isl_set_is_empty(there) == isl_bool_false;

	isl_set_free(there);
	return has;
}
