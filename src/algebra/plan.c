/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Plans: the three relations of a kernel, composed.
 *
 *	hw -> slot of the destination		the owner
 *	slot of the destination -> logical	the destination, reversed: affine
 *	logical -> slot of the source		the source
 *
 * Each step becomes index expressions over those of the step before, so that
 * digits stay digits and are computed once. */
#include "algebra/owner.h"
#include "algebra/remap.h"
#include "algebra/sizes.h"

#include <inttypes.h>
#include <isl/ilp.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_LIMIT ((int64_t)1 << 31)

/* What a plan is built with. */
struct builder {
	layout_context *ctx;
	layout_remap *remap;
	struct plan *plan;
	isl_set *contract;		/* of the sizes */
	struct index **vars;		/* sizes, then dims */
	const char **var_names;
	struct storage_index source, destination;
	struct owner owner;
};

static void free_texts(char **texts, unsigned count)
{
	for (unsigned i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
}

static void free_indices(struct index **list, unsigned count)
{
	for (unsigned i = 0; list && i < count; i++)
		index_free(list[i]);
	free(list);
}

static void free_access(struct plan_access *access)
{
	free_indices(access->slot, access->rank);
	free_indices(access->pitch, access->rank);
	index_free(access->elements);
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	free_texts(plan->size_names, plan->size_count);
	for (unsigned i = 0; plan->dims && i < plan->dim_count; i++) {
		free(plan->dims[i].name);
		index_free(plan->dims[i].extent);
	}
	free(plan->dims);
	index_free(plan->active);
	index_free(plan->inside);
	index_free(plan->valid);
	free_access(&plan->load);
	free_access(&plan->store);
	free_texts(plan->requirements, plan->requirement_count);
	free(plan->type);
	free(plan->owner);
	free(plan->source);
	free(plan->destination);
	free(plan->padding);
	free(plan);
}

static isl_set *read_condition(struct builder *b, const char *condition)
{
	struct layout_buffer out = { 0 };
	char *text;
	isl_set *set;

	size_names_print(&out, b->plan->size_names, b->plan->size_count);
	layout_buffer_printf(&out, "{ : %s }", condition);
	text = layout_buffer_take(b->ctx, &out);
	set = text ? isl_set_read_from_str(bridge_isl(b->ctx), text) : NULL;
	free(text);
	return set;
}

static void require(struct builder *b, char *text)
{
	b->plan->requirements[b->plan->requirement_count++] = text;
}

/* Sizes below 2^31, strides that do not overlap, and what the user assumes. */
static bool build_contract(struct builder *b)
{
	layout_storage *source = b->remap->source, *destination = b->remap->destination;
	struct plan *plan = b->plan;
	unsigned most = plan->size_count + source->rank + b->remap->assumption_count + 1;
	isl_set *contract = isl_set_intersect(isl_set_copy(source->maps->assumed),
		isl_set_copy(destination->maps->assumed));

	plan->requirements = layout_alloc(b->ctx, most, sizeof(char *));
	for (unsigned i = 0; plan->requirements && i < plan->size_count + source->rank; i++) {
		bool named = i < plan->size_count;
		const char *size = named ? plan->size_names[i] :
			source->sizes[i - plan->size_count];
		struct layout_buffer text = { 0 };

		layout_buffer_printf(&text, "0 <= %s < %" PRId64, size, SIZE_LIMIT);
		contract = isl_set_intersect(contract, read_condition(b, text.text));
		if (named || strpbrk(size, "+-*"))
			require(b, layout_buffer_take(b->ctx, &text));
		free(text.text);
	}
	for (unsigned i = 0; plan->requirements && i < b->remap->assumption_count; i++) {
		contract = isl_set_intersect(contract,
			read_condition(b, b->remap->assumptions[i]));
		require(b, layout_strdup(b->ctx, b->remap->assumptions[i]));
	}
	b->contract = contract;
	return plan->requirements && contract;
}

/* "value", where it is a number, else "otherwise". */
static int64_t bound_or(struct builder *b, isl_val *value, int64_t otherwise)
{
	if (isl_val_is_int(value) == isl_bool_true)
		bridge_int64(b->ctx, isl_val_copy(value), &otherwise);
	isl_val_free(value);
	return otherwise;
}

/* A size with its bounds under the contract. */
static struct index *size_var(struct builder *b, unsigned i)
{
	int at = isl_set_find_dim_by_name(b->contract, isl_dim_param, b->plan->size_names[i]);
	isl_space *params = isl_set_get_space(b->contract);
	isl_aff *size = isl_aff_param_on_domain_space_id(params,
		isl_set_get_dim_id(b->contract, isl_dim_param, (unsigned)at));
	int64_t least = bound_or(b, isl_set_min_val(b->contract, size), 0);
	int64_t most = bound_or(b, isl_set_max_val(b->contract, size), SIZE_LIMIT - 1);

	isl_aff_free(size);
	return index_var(i, least, most);
}

static bool build_sizes(struct builder *b)
{
	struct plan *plan = b->plan;

	plan->size_names = layout_alloc(b->ctx, b->remap->name_count, sizeof(char *));
	for (unsigned i = 0; plan->size_names && i < b->remap->name_count; i++) {
		plan->size_names[i] = layout_strdup(b->ctx, b->remap->names[i]);
		if (!plan->size_names[i])
			return false;
		plan->size_count++;
	}
	return plan->size_names && build_contract(b);
}

/* Variables for sizes and, once they are known, dims; their bounds are the
 * extents'. */
static bool build_vars(struct builder *b, unsigned count)
{
	unsigned sizes = b->plan->size_count;

	if (!b->vars) {
		b->vars = layout_alloc(b->ctx, sizes + LAYOUT_STORAGE_SLOTS + 2, sizeof(*b->vars));
		b->var_names = layout_alloc(b->ctx, sizes + LAYOUT_STORAGE_SLOTS + 2,
			sizeof(*b->var_names));
	}
	if (!b->vars || !b->var_names)
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (b->vars[i])
			continue;
		if (i < sizes) {
			b->var_names[i] = b->plan->size_names[i];
			b->vars[i] = size_var(b, i);
		} else {
			const struct plan_dim *dim = &b->owner.dims[i - sizes];
			int64_t most = dim->extent->max == INT64_MAX ? INT64_MAX :
				dim->extent->max - 1;

			b->var_names[i] = dim->name;
			b->vars[i] = index_var(i, 0, most > 0 ? most : 0);
		}
		if (!b->vars[i])
			return false;
	}
	return true;
}

/* A tuple as parameters named after "names", or prefix0', prefix1', .. */
static isl_multi_id *tuple_ids(struct builder *b, isl_space *space, const char *const *names)
{
	isl_size rank = isl_space_dim(space, isl_dim_set);
	isl_id_list *ids = isl_id_list_alloc(bridge_isl(b->ctx), rank < 0 ? 0 : rank);

	for (isl_size i = 0; i < rank; i++)
		ids = isl_id_list_add(ids, isl_id_alloc(bridge_isl(b->ctx), names[i], NULL));
	return isl_multi_id_from_id_list(space, ids);
}

/* One step X -> Y of the way from hw to an address: expressions for Y's
 * coordinates, and whether they are "inside" a set of X, both over those of X. */
struct step {
	isl_multi_aff *function;	/* X -> Y; NULL: only the set is asked for */
	isl_set *domain;		/* of X: where it is evaluated */
	isl_set *inside;		/* of X; NULL: not asked for */
	const char *const *names;	/* of X's coordinates */
	struct index *const *values;	/* for them */
	unsigned rank;			/* of X */
};

/* The sizes and X's coordinates together. */
static bool open_scope(struct builder *b, const struct step *step, struct ast_scope *scope)
{
	unsigned sizes = b->plan->size_count, count = sizes + step->rank;
	const char **names = layout_alloc(b->ctx, count, sizeof(*names));
	struct index **values = layout_alloc(b->ctx, count, sizeof(*values));

	*scope = (struct ast_scope){ b->ctx, count, names, values };
	for (unsigned i = 0; names && values && i < count; i++) {
		names[i] = i < sizes ? b->var_names[i] : step->names[i - sizes];
		values[i] = i < sizes ? b->vars[i] : step->values[i - sizes];
	}
	return names && values;
}

static void close_scope(struct ast_scope *scope)
{
	free((void *)(uintptr_t)scope->names);
	free((void *)(uintptr_t)scope->values);
}

/* Fill "out" (as many as Y has coordinates) and "*inside" (NULL: always). */
static bool take_step(struct builder *b, const struct step *step, struct index **out,
	struct index **inside)
{
	isl_multi_id *ids = tuple_ids(b, isl_set_get_space(step->domain), step->names);
	isl_set *context = isl_set_bind(isl_set_copy(step->domain), isl_multi_id_copy(ids));
	isl_multi_aff *function = NULL;
	struct ast_scope scope;
	isl_size rank = 0;
	bool ok = open_scope(b, step, &scope);

	context = isl_set_intersect_params(context, isl_set_copy(b->contract));
	if (step->function) {
		function = isl_multi_aff_bind_domain(isl_multi_aff_copy(step->function),
			isl_multi_id_copy(ids));
		rank = isl_multi_aff_size(function);
	}
	for (isl_size i = 0; ok && i < rank; i++) {
		out[i] = ast_index_from_aff(&scope, context, isl_multi_aff_get_aff(function, i));
		ok = out[i] != NULL;
	}
	if (ok && step->inside) {
		*inside = ast_index_from_set(&scope, context,
			isl_set_bind(isl_set_copy(step->inside), isl_multi_id_copy(ids)));
		ok = *inside != NULL;
		if (ok && (*inside)->op == INDEX_INT && (*inside)->value) {
			index_free(*inside);
			*inside = NULL;
		}
	}
	close_scope(&scope);
	isl_multi_aff_free(function);
	isl_multi_id_free(ids);
	isl_set_free(context);
	return ok;
}

/* "s0'", "s1'", ..: names that no size has. */
static char **numbered_names(struct builder *b, char letter, unsigned count)
{
	char **names = layout_alloc(b->ctx, count, sizeof(*names));

	for (unsigned i = 0; names && i < count; i++) {
		struct layout_buffer name = { 0 };

		layout_buffer_printf(&name, "%c%u'", letter, i);
		names[i] = layout_buffer_take(b->ctx, &name);
		if (!names[i]) {
			free_texts(names, i);
			return NULL;
		}
	}
	return names;
}

static bool alloc_access(struct builder *b, struct plan_access *access,
	struct storage_index *index)
{
	access->slot = layout_alloc(b->ctx, index->slot_count, sizeof(*access->slot));
	access->rank = access->slot ? index->slot_count : 0;
	access->pitch = index->pitch;
	access->elements = index->elements;
	index->pitch = NULL;
	index->elements = NULL;
	return access->slot != NULL;
}

/* hw -> slot -> logical -> slot */
static bool build_accesses(struct builder *b)
{
	struct storage_maps *source = b->remap->source->maps;
	struct storage_maps *destination = b->remap->destination->maps;
	struct plan *plan = b->plan;
	unsigned rank = b->remap->source->rank, slots = b->destination.slot_count;
	struct index **logical = layout_alloc(b->ctx, rank, sizeof(*logical));
	char **s = numbered_names(b, 's', slots), **i = numbered_names(b, 'i', rank);
	struct step own = { b->owner.to_slot, b->owner.domain, b->owner.active,
		b->var_names + plan->size_count, b->vars + plan->size_count, b->owner.dim_count };
	struct step reverse = { destination->from_slot, destination->slots, NULL,
		(const char *const *)s, NULL, slots };
	isl_set *rounded = storage_rounded(b->remap->destination);
	struct step mask = { NULL, rounded, destination->logical, (const char *const *)i,
		logical, rank };
	struct step forward = { source->to_slot, source->logical, NULL,
		(const char *const *)i, logical, rank };
	bool ok = logical && s && i && alloc_access(b, &plan->load, &b->source) &&
		alloc_access(b, &plan->store, &b->destination);

	reverse.values = plan->store.slot;
	ok = ok && take_step(b, &own, plan->store.slot, &plan->active) &&
		take_step(b, &reverse, logical, NULL) &&
		take_step(b, &mask, NULL, &plan->inside) &&
		take_step(b, &forward, plan->load.slot, NULL);
	isl_set_free(rounded);
	free_indices(logical, rank);
	free_texts(s, s ? slots : 0);
	free_texts(i, i ? rank : 0);
	return ok;
}

/* No two elements share a cell of the destination, under the contract. */
static bool check_destination(struct builder *b)
{
	layout_relation *relation = layout_storage_relation(b->remap->destination);
	layout_witness *witness = NULL;
	layout_answer answer;

	if (relation && b->contract)
		relation->map = isl_map_intersect_params(relation->map, isl_set_copy(b->contract));
	answer = layout_relation_is_injective(relation, &witness);
	if (answer == LAYOUT_NO)
		layout_fail(b->ctx, LAYOUT_ERROR_INVALID, -1,
			"two elements share a cell of the destination%s%s", witness ? ": " : "",
			witness ? witness->text : "");
	layout_witness_free(witness);
	layout_relation_free(relation);
	return answer == LAYOUT_YES;
}

/* What a launch checks: the contract and the strides. */
static bool build_valid(struct builder *b)
{
	struct ast_scope scope = { b->ctx, b->plan->size_count, b->var_names, NULL };
	struct index **free_vars = layout_alloc(b->ctx, scope.count, sizeof(*free_vars));
	isl_set *any = isl_set_universe(isl_set_get_space(b->contract));
	struct index *valid;

	for (unsigned i = 0; free_vars && i < scope.count; i++)
		free_vars[i] = index_var(i, INT64_MIN, INT64_MAX);
	scope.values = free_vars;
	valid = free_vars ?
		ast_index_from_set(&scope, any, isl_set_copy(b->contract)) : NULL;
	valid = index_binary(INDEX_AND, valid, index_copy(b->source.apart));
	b->plan->valid = index_binary(INDEX_AND, valid, index_copy(b->destination.apart));
	free_indices(free_vars, free_vars ? scope.count : 0);
	isl_set_free(any);
	if (b->plan->valid && (b->source.apart->op != INDEX_INT ||
			b->destination.apart->op != INDEX_INT))
		require(b, layout_strdup(b->ctx, "strides do not overlap"));
	return b->plan->valid != NULL;
}

/* The relations as text, for people. */
static bool build_texts(struct builder *b)
{
	struct plan *plan = b->plan;
	layout_relation *source = layout_storage_relation(b->remap->source);
	layout_relation *destination = layout_storage_relation(b->remap->destination);
	layout_set *padding = layout_storage_padding(b->remap->destination);
	layout_relation *owner;

	bridge_enter(b->ctx);
	owner = bridge_give_relation(b->ctx, "print the owner", isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(b->owner.to_slot)),
		isl_set_copy(b->owner.active)), isl_multi_aff_copy(b->owner.to_slot), NULL);
	plan->owner = layout_relation_str(owner);
	plan->source = layout_relation_str(source);
	plan->destination = layout_relation_str(destination);
	plan->padding = layout_set_str(padding);
	plan->type = layout_strdup(b->ctx, b->remap->type->name);
	layout_relation_free(owner);
	layout_relation_free(source);
	layout_relation_free(destination);
	layout_set_free(padding);
	return plan->owner && plan->source && plan->destination && plan->padding && plan->type;
}

static bool build(struct builder *b, unsigned lanes)
{
	struct ast_scope scope = { .ctx = b->ctx };
	struct plan *plan = b->plan;

	if (!build_sizes(b) || !build_vars(b, plan->size_count))
		return false;
	scope.count = plan->size_count;
	scope.names = b->var_names;
	scope.values = b->vars;
	if (!storage_index_build(&b->source, b->remap->source, &scope, b->contract) ||
	    !storage_index_build(&b->destination, b->remap->destination, &scope, b->contract) ||
	    !build_valid(b) || !check_destination(b) ||
	    !owner_build(&b->owner, b->remap->destination, &b->destination, lanes,
			b->var_names, plan->size_count) ||
	    !build_vars(b, plan->size_count + b->owner.dim_count) ||
	    !build_accesses(b) || !build_texts(b))
		return false;
	plan->dims = b->owner.dims;
	plan->dim_count = b->owner.dim_count;
	b->owner.dims = NULL;
	plan->element_bytes = b->remap->type->bytes;
	plan->pad_bits = b->remap->pad_bits;
	return true;
}

struct plan *plan_new(layout_remap *remap, unsigned lanes)
{
	struct builder b;
	bool ok;

	if (!remap)
		return NULL;
	b = (struct builder){ .ctx = remap->ctx, .remap = remap,
		.plan = layout_alloc(remap->ctx, 1, sizeof(*b.plan)) };
	if (!b.plan)
		return NULL;
	bridge_enter(b.ctx);
	ok = build(&b, lanes);
	storage_index_free(&b.source);
	storage_index_free(&b.destination);
	owner_free(&b.owner);
	free_indices(b.vars, b.vars ? b.plan->size_count + LAYOUT_STORAGE_SLOTS + 2 : 0);
	free(b.var_names);
	isl_set_free(b.contract);
	if (bridge_leave(b.ctx, "plan a kernel") && ok)
		return b.plan;
	plan_free(b.plan);
	return NULL;
}
